"""Planned work: its GPUs in its hours, its job, and its place beside the log."""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.demand.pools import (
    FOR_GOOD_S,
    NOT_LOGGED,
    make_planned_workload,
    planned_amounts,
    planned_class,
    stands_on_board,
)
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.splits import ShareSplit, Split
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, Window
from tests.domain.demand.four_hours import GPU_HOUR, HOURS, MONDAY_S, entries, project


@pytest.mark.parametrize(
    ("gpus", "hours", "amounts"),
    [
        (2.0, (1, 3), [2 * GPU_HOUR, 0, 2 * GPU_HOUR, 0, 0]),
        (0.25, tuple(range(168)), [900_000] * 5),
        (1e-7, (1,), [0] * 5),
        (1.5e-7, (1,), [1, 0, 0, 0, 0]),
    ],
)
def test_planned_work_has_its_gpus_in_its_hours(
    gpus: float, hours: tuple[int, ...], amounts: list[int]
) -> None:
    """The window begins on Monday at 1:00."""
    work = PlannedWork(name="n", pool=Pool.TRAINING, gpu_model="H100", gpus=gpus, hours=hours)
    assert planned_amounts(work, Window(MONDAY_S + HOUR_S, 5)).tolist() == amounts


def test_planned_work_is_one_job_as_long_as_it() -> None:
    work = PlannedWork(
        name="n", pool=Pool.BURST, gpu_model="H100", gpus=1.0625, cluster="c1", team="lab", length_hours=7
    )
    amounts: Ints = np.array([3, 4], dtype=np.int64)
    made = make_planned_workload(work, amounts)
    assert (made.peak_milli_gpus, made.max_milli_gpus, made.milli_gpu_seconds) == (1062, 1062, 7)
    assert (made.longest_job_s, made.median_job_s) == (7 * 3600, 7 * 3600)
    assert (made.key, made.cluster, made.owner, made.label) == (work.key, "c1", "lab", Pool.BURST)
    endless = make_planned_workload(replace(work, length_hours=None), amounts)
    assert endless.longest_job_s == endless.median_job_s == FOR_GOOD_S == 8760 * 3600
    known = planned_class(Pool.BURST)
    assert (known.pool, known.confidence, known.source, known.is_settled) == (
        Pool.BURST,
        1.0,
        "planned",
        True,
    )


@pytest.mark.parametrize("splits", [{}, {"c/o/b": ShareSplit(500)}])
def test_planned_work_stands_beside_the_log_in_the_order_of_keys(splits: dict[str, Split]) -> None:
    """Of a GPU model that the log has in another case, of one that it has not, twice, and of a key that it has."""
    of = project()
    planned = tuple(
        PlannedWork(name=name, pool=Pool.TRAINING, gpu_model=model, gpus=1.0, cluster="c", team="o", hours=hours)
        for name, model, hours in (
            ("bb", "b200", (1, 3)), ("0", "a100", tuple(range(168))), ("z", "B200", (2,)), ("d", "H100", (1,))
        )
    )  # fmt: skip
    board = stands_on_board(of, Scenario(name="P", planned=planned, splits=splits))
    assert board is not None
    names = [work.key.removeprefix("c/o/") for work in board.workloads]
    assert names == (
        ["0", "a", "b", "bb", "c", "d", "z"] if not splits else ["0", "a", "b#1", "b#2", "bb", "c", "d", "z"]
    )
    assert [place for place, name in zip(board.whole, names, strict=True) if name in ("0", "bb", "z")] == [
        NOT_LOGGED
    ] * 3
    assert board.cube.gpu_models == ("H100", "A100", "b200")
    rows = entries(board.cube)
    assert rows == sorted(rows) and board.cube.total == of.cube.total + (HOURS + 2 + 1) * GPU_HOUR
    of_name = {name: [row[1:] for row in rows if row[0] == at] for at, name in enumerate(names)}
    assert of_name["0"] == [(1, hour, GPU_HOUR) for hour in range(HOURS)]
    assert of_name["bb"] == [(2, 1, GPU_HOUR), (2, 3, GPU_HOUR)] and of_name["z"] == [(2, 2, GPU_HOUR)]
    assert of_name["c"] == [(-1, 9, 5)] and of_name["d"] == [(1, 0, 2), (1, 4, 3)]
    assert of_name["a"] == [(-1, 1, 7), (0, 0, 10), (0, 1, 11)]
    logged = replace(Scenario(name="P", splits=splits), planned=planned[-1:])
    alone = stands_on_board(of, logged)
    assert (alone is None) is (not splits)
