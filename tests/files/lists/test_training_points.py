"""Rows of measured training runs: how a run is cut over its GPUs where the row does not say it."""

import pytest

from gpuplanner.domain.training.run import Sharding
from gpuplanner.files.lists.training_points import point_of
from gpuplanner.files.tables.small_table import Row


@pytest.mark.parametrize(
    ("stated", "tp", "pp", "cp"),
    [
        ({}, 8, 4, 1),  # 18 bytes of 70 billion parameters fill 60% of 80 GB on 32 GPUs
        ({"tp": 4}, 4, 8, 1),
        ({"pp": 2}, 8, 2, 1),
        ({"pp": 16}, 2, 16, 1),
        ({"params_b": "7"}, 4, 1, 1),
        ({"tp": 2, "pp": 3}, 2, 3, 1),  # as stated, whether it fits or not
        ({"dp": 2}, 8, 4, 1),  # a copy on 32 of 64 GPUs
        ({"dp": 2, "cp": 2}, 8, 2, 2),
        ({"dp": 1}, 8, 8, 1),
        ({"dp": 64}, 1, 1, 1),
        ({"dp": 64, "tp": 8}, 8, 1, 1),
        ({"stack": "plain"}, 1, 1, 1),  # shards all of it
        ({"sharding": "fsdp"}, 1, 1, 1),
    ],
)
def test_a_run_is_cut_as_stated_or_so_that_a_copy_fits(
    stated: dict[str, object], tp: int, pp: int, cp: int
) -> None:
    texts = {"gpu_model": "H100", "model": "", "params_b": "70", "gpus": "64"}
    row = Row(texts=texts | {name: str(value) for name, value in stated.items()})
    run = point_of(row, 2).run
    assert run is not None
    assert (run.layout.tp, run.layout.pp, run.layout.cp) == (tp, pp, cp)
    assert (run.layout.ep, run.layout.micro_batch, run.layout.interleave) == (1, 1.0, None)
    is_fsdp = "stack" in stated or "sharding" in stated
    assert run.layout.sharding is (Sharding.FSDP if is_fsdp else Sharding.ZERO1)


def test_a_model_that_no_catalogue_has_is_read_as_the_row_states_it() -> None:
    stated = {
        "model": "own",
        "params_b": "12",
        "layers": "40",
        "hidden": "5120",
        "gpu_model": "H100",
        "gpus": "8",
    }
    run = point_of(Row(texts=stated), 2).run
    assert run is not None
    assert (run.model.parameters, run.model.active) == (12e9, 12e9)
    assert (run.model.layers, run.model.attention_layers, run.model.hidden) == (40, 40, 5120)
    assert run.model.expert_share is None
    sparse = point_of(Row(texts=stated | {"kind": "MoE", "active_params_b": "3"}), 2).run
    assert sparse is not None
    assert (sparse.model.parameters, sparse.model.active) == (12e9, 3e9)
    assert sparse.model.expert_share is not None
