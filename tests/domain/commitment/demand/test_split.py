from collections.abc import Callable

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment.demand.split import split_cluster, usual_model
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.pool import Pool

HOUR = 3_600_000
AMOUNTS = st.lists(st.integers(0, 9 * HOUR), min_size=4, max_size=4)
ROWS = st.lists(
    st.tuples(st.integers(1, 5000), st.sampled_from(["A", "B"]), st.sampled_from([None, *Pool])), max_size=4
)


@given(
    st.dictionaries(st.tuples(st.sampled_from(list(Pool)), st.sampled_from(["A", "B", None])), AMOUNTS), ROWS
)
def test_nothing_is_lost_and_no_contract_serves_more_than_it_has(demand: dict, rows: list) -> None:
    cells = {
        (pool, "c1", model): np.array(amounts, dtype=np.int64) for (pool, model), amounts in demand.items()
    }
    running = tuple(
        Contract(f"k{n}", "c1", model, size, None, 0, pool=pool) for n, (size, model, pool) in enumerate(rows)
    )
    split = split_cluster("c1", cells, running, "A", 4)
    for pool in Pool:
        parts = sum(int(part.sum()) for key, part in split.parts.items() if key[0] is pool)
        assert parts == sum(
            int(amounts.sum()) for key, amounts in cells.items() if key[0] is pool and key[2] is None
        )
    assert sum(split.served.values()) <= sum(int(amounts.sum()) for amounts in cells.values())
    assert all(split.served[row.contract_id] <= row.milli_gpus * 3600 * 4 for row in running)


def test_known_models_first_then_unknown_ones_in_merit_order(make_contract: Callable[..., Contract]) -> None:
    rows = (
        make_contract("dear", 5, 4.0, None, 2),
        make_contract("cheap", 2, 1.0, None, 2, gpu_model="A100"),
        make_contract("pinned", 1, 9.0, None, 2, gpu_model="L40S", pool=Pool.BURST),
    )
    cells = {
        (Pool.TRAINING, "c1", "H100"): np.array([3 * HOUR, 0]),
        (Pool.INFERENCE, "c1", None): np.array([3 * HOUR, HOUR]),
        (Pool.BURST, "c1", None): np.array([4 * HOUR, HOUR]),
    }
    split = split_cluster("c1", cells, rows, "H100", 2)
    parts = {(key[0], key[2]): (part // HOUR).tolist() for key, part in split.parts.items()}
    assert parts == {
        (Pool.INFERENCE, "A100"): [2, 1],
        (Pool.INFERENCE, "H100"): [1, 0],
        (Pool.BURST, "L40S"): [1, 1],
        (Pool.BURST, "H100"): [
            3,
            0,
        ],  # one is served, two are left over and count with the cluster's usual model
    }
    assert {name: amount // HOUR for name, amount in split.served.items()} == {
        "cheap": 3,
        "dear": 5,
        "pinned": 2,
    }


def test_the_usual_model_is_that_of_the_largest_row(make_contract: Callable[..., Contract]) -> None:
    rows = [
        make_contract("a", 8, 1.0, None, 2, gpu_model="A100"),
        make_contract("b", 8, 1.0, -5, 2, gpu_model="H100"),
        make_contract("c", 99, 1.0, None, 2, gpu_model="B200", cluster="c2"),
    ]
    assert usual_model("c1", rows) == "A100"
    assert usual_model("c3", rows) is None


def test_a_largest_row_without_a_model_leaves_the_model_unknown(
    make_contract: Callable[..., Contract],
) -> None:
    rows = [
        make_contract("a", 9, 1.0, None, 2, gpu_model=None),
        make_contract("b", 8, 1.0, -5, 2, gpu_model="H100"),
    ]
    assert usual_model("c1", rows) is None
