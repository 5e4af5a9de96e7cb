"""Tests of streams."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment.cache import Scratch
from gpuplanner.domain.commitment.demand.model_demand import (
    Flow,
    ModelDemand,
    Site,
    Stream,
    leftover,
    prepared,
)
from gpuplanner.domain.commitment.demand.streams import (
    Cell,
    is_limited,
    moved_streams,
    serving_order,
    split_cluster,
    streams_of,
    usual_model,
)
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.only import Only, Row, limited_name
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.tables import SERVING_ORDER, Pool
from tests.domain.commitment.conftest import Load, case, offer

# --- test streams --------------------------------------------------------------------------------

WORKLOADS = tuple(
    Workload(key=f"{c}/t/{n}", name=str(n), cluster=c, owner="t") for c in ("a", "b") for n in range(6)
)
POOLS_OF_ALL = st.lists(st.sampled_from(list(Pool)), min_size=12, max_size=12).map(tuple)
HOURS = 8


def cube_of_all():  # type: ignore[no-untyped-def]
    random = np.random.default_rng(0)
    workload, model, hour = (
        random.integers(0, 12, 60),
        random.integers(-1, 2, 60),
        random.integers(0, HOURS, 60),
    )
    return cube_from_entries(HOURS, ("A", "B"), workload, model, hour, random.integers(1, 10**15, 60))


@given(POOLS_OF_ALL, st.lists(POOLS_OF_ALL, max_size=3))
def test_moving_gives_the_same_integers_as_summing_afresh(start: tuple, moves: list[tuple]) -> None:
    cube = cube_of_all()
    streams = streams_of(cube, WORKLOADS, start)
    for pools in [*moves, start]:
        few = tuple(
            new if place < 3 else old
            for place, (old, new) in enumerate(zip(streams.pools, pools, strict=True))
        )
        streams = moved_streams(streams, few)
        afresh = streams_of(cube, WORKLOADS, few)
        assert streams.cells.keys() == afresh.cells.keys()
        assert all((streams.cells[key] == afresh.cells[key]).all() for key in afresh.cells)
    assert sum(int(amounts.sum()) for amounts in streams.cells.values()) == cube.total


def test_what_does_not_move_stays_the_same_object() -> None:
    cube = cube_of_all()
    before = streams_of(cube, WORKLOADS, (Pool.TRAINING,) * 12)
    after = moved_streams(before, (Pool.BURST, *(Pool.TRAINING,) * 11))
    assert moved_streams(after, after.pools) is after
    kept = [key for key in after.cells if after.cells[key] is before.cells.get(key)]
    assert {cluster for _, cluster, _ in kept} == {"b"}


# --- test split ----------------------------------------------------------------------------------

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
        Cell(pool, "c1", model): np.array(amounts, dtype=np.int64)
        for (pool, model), amounts in demand.items()
    }
    running = tuple(
        Contract(
            contract_id=f"k{n}",
            cluster="c1",
            gpu_model=model,
            milli_gpus=size,
            rate_usd_per_gpu_hour=None,
            start_s=0,
            pool=pool,
        )
        for n, (size, model, pool) in enumerate(rows)
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
        Cell(Pool.TRAINING, "c1", "H100"): np.array([3 * HOUR, 0]),
        Cell(Pool.INFERENCE, "c1", None): np.array([3 * HOUR, HOUR]),
        Cell(Pool.BURST, "c1", None): np.array([4 * HOUR, HOUR]),
    }
    split = split_cluster("c1", cells, rows, "H100", 2)
    parts = {(key[0], key[2]): (part // HOUR).tolist() for key, part in split.parts.items()}
    assert parts == {
        Row(Pool.INFERENCE, "A100"): [2, 1],
        Row(Pool.INFERENCE, "H100"): [1, 0],
        Row(Pool.BURST, "L40S"): [1, 1],
        Row(Pool.BURST, "H100"): [
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


# --- test residual -------------------------------------------------------------------------------

RESIDUAL_HOURS = 5
RESIDUAL_AMOUNTS = st.lists(st.integers(0, 9).map(float), min_size=RESIDUAL_HOURS, max_size=RESIDUAL_HOURS)


def by_the_hour(
    sites: list[list[tuple[int, list[float]]]],
    capacities: list[tuple[list[float], float]],
    factors: list[float],
) -> np.ndarray:
    """The same, one hour and one stream after the other."""
    left = np.zeros((3, RESIDUAL_HOURS))
    for streams, (pinned, free) in zip(sites, capacities, strict=True):
        for hour in range(RESIDUAL_HOURS):
            own, common = list(pinned), free
            for row, amounts in streams:
                wanted = amounts[hour] * factors[row]
                by_pin = min(wanted, own[row])
                own[row] -= by_pin
                by_free = min(wanted - by_pin, common)
                common -= by_free
                left[row, hour] += wanted - by_pin - by_free
    return left


SITES = st.lists(
    st.tuples(
        st.lists(st.tuples(st.integers(0, 2), RESIDUAL_AMOUNTS), min_size=1, max_size=6),
        st.tuples(
            st.lists(st.sampled_from([0.0, 0.0, 3.0, 7.0]), min_size=3, max_size=3),
            st.sampled_from([0.0, 4.0, 11.0]),
        ),
    ),
    min_size=1,
    max_size=3,
)


@given(SITES, st.lists(st.floats(0.2, 3), min_size=6, max_size=6))
def test_what_is_left_over_is_what_an_hourly_dispatch_leaves(sites: list, factors: list[float]) -> None:
    streams = [[(row, amounts) for row, amounts in of_site] for of_site, _ in sites]
    model = ModelDemand(
        "H100",
        tuple((pool, "H100") for pool in SERVING_ORDER),
        tuple(
            Site(
                str(number),
                tuple(
                    Stream(row=row, grows_with=SERVING_ORDER[row], demand=np.array(amounts))
                    for row, amounts in of_site
                ),
            )
            for number, of_site in enumerate(streams)
        ),
    )
    capacities = [
        (*(((row,), pin) for row, pin in enumerate(pinned)), (tuple(range(len(SERVING_ORDER))), free))
        for _, (pinned, free) in sites
    ]
    by_level = {pool: np.array(factors[row * 2 : row * 2 + 2]) for row, pool in enumerate(SERVING_ORDER)}
    of_flows = {Flow(pool, 0, row): by_level[pool] for row, pool in enumerate(SERVING_ORDER)}
    left = leftover(prepared(model, capacities, RESIDUAL_HOURS, 1.0), of_flows, Scratch())
    for level in range(2):
        expected = by_the_hour(
            streams, [c for _, c in sites], [by_level[pool][level] for pool in SERVING_ORDER]
        )
        assert left[:, level] == pytest.approx(expected, abs=1e-12)


def test_rows_of_one_site_alone_are_merged_without_a_difference() -> None:
    amounts = np.array([4.0, 9.0, 1.0])
    streams = tuple(
        Stream(row=0, grows_with=pool, demand=amounts) for pool in (Pool.TRAINING, Pool.BURST, Pool.TRAINING)
    )
    model = ModelDemand("H100", (Row(Pool.TRAINING, "H100"),), (Site("c", streams),))
    factors = {Flow(Pool.TRAINING, 0, 0): np.array([1.0, 2.0]), Flow(Pool.BURST, 0, 0): np.array([1.0, 0.5])}
    left = leftover(prepared(model, [(((0,), 2.0), ((0,), 6.0))], 3, 1.0), factors, Scratch())
    assert left[0].tolist() == [[4.0, 19.0, 0.0], [10.0, 32.5, 0.0]]


# --- What a limit keeps from demand


def test_a_limit_limits_where_who_could_serve_may_not(make_contract: Callable[..., Contract]) -> None:
    """Ada alone may serve an H100 on c1: contracts of others count there and of that model alone."""
    only = Only("Ada")
    ours = make_contract("a", 4, 1.0, None, 2, provider="Ada")
    others = {
        "c2": make_contract("b", 4, 1.0, None, 2, provider="Bo", cluster="c2"),
        "A100": make_contract("b", 4, 1.0, None, 2, provider="Bo", gpu_model="A100"),
        "H100": make_contract("b", 4, 1.0, None, 2, provider="Bo"),
    }
    sold = (offer("od", 0, 6.0, provider="Ada"), offer("x", 0, 6.0, provider="Bo", gpu_model="A100"))
    limits = {}
    for name, other in others.items():
        project = case([Load(pool=Pool.TRAINING, gpus=[4.0, 4.0])], (ours, other), sold).project
        limits[name] = [is_limited(project, "c1", model, only) for model in ("H100", "A100")]
    assert limits == {"c2": [False, True], "A100": [False, True], "H100": [True, True]}
    alone = case([Load(pool=Pool.TRAINING, gpus=[4.0, 4.0])], (ours, others["A100"]), sold[:1]).project
    assert is_limited(alone, "c1", None, only)
    assert not is_limited(alone, "c2", None, only)

    alone = case([Load(pool=Pool.TRAINING, gpus=[4.0, 4.0])], (ours, others["A100"]), sold[:1]).project
    assert is_limited(alone, "c1", None, only)
    assert not is_limited(alone, "c2", None, only)


def test_cells_are_served_by_cluster_then_those_with_a_limit_first_then_by_model() -> None:
    limited = limited_name("A100", Only("Ada"))
    cells = [
        Cell(Pool.TRAINING, "a", "H100"),
        Cell(Pool.TRAINING, "b", limited),
        Cell(Pool.TRAINING, "a", "A100"),
        Cell(Pool.TRAINING, "a", None),
        Cell(Pool.TRAINING, "a", limited),
    ]
    ordered = sorted(cells, key=serving_order)
    assert [cell[1:] for cell in ordered] == [
        ("a", limited),
        ("a", None),
        ("a", "A100"),
        ("a", "H100"),
        ("b", limited),
    ]
