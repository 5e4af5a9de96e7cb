"""Rows of waits: what is counted of the window, what stood free in pieces, and names of groups."""

from collections.abc import Sequence

import numpy as np
import pytest

from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.queue.ground import NamedSets, Queueing
from gpuplanner.domain.queue.logged import clusters_of, laid, room_s
from gpuplanner.domain.queue.rows import (
    Fragment,
    Replayed,
    WaitsBy,
    by_model,
    capacity,
    jobs_of,
    log_waits,
    measured_rows,
    pools_of,
    shared_models,
    usd_rates,
)
from gpuplanner.domain.queue.sets import GpuSet
from tests.domain import worlds
from tests.domain.commitment.conftest import START_S, contract
from tests.domain.queue.queued_jobs import BURSTS, SERVES, TRAINS, H, Row, queued

NAME = ("c1", "H100", None)
GPU_S = 1000 * H


def on(
    of: Queueing, *changes: tuple[float, int], node: int | None = None, rate: float | None = 2.0
) -> Replayed:
    """The log on one set of c1; changes: hour of the window, GPUs."""
    steps = tuple((round(START_S + H * hour), 1000 * gpus) for hour, gpus in changes)
    named = NamedSets((NAME,), (GpuSet(steps, None if node is None else 1000 * node),), (rate,))
    return Replayed(of, named, lambda: False)


@pytest.mark.parametrize(
    ("changes", "gpu_hours"),
    [
        (((0, 2),), 2 * 730),
        (((-5, 1), (10, 3), (800, 9)), 10 + 3 * 720),
        (((-9, 5), (-5, 1), (10, 0)), 10),
        (((700, 4), (720, 1)), 80 + 10),
        (((800, 4),), 0),
    ],
)
def test_capacity_is_what_stands_there_inside_the_window(
    changes: tuple[tuple[float, int], ...], gpu_hours: int
) -> None:
    of = queued([Row(TRAINS, 1, 0, 0, 1)])
    assert capacity(of, on(of, *changes).named, jobs_of(of, None)) == gpu_hours * GPU_S


def test_what_no_gang_can_use_is_counted_inside_the_window() -> None:
    """Six of 16 GPUs stand free, three on each machine of eight, while a gang of six is first: from -5 to 10, and from
    hour 705 to 830, of which the window has 10 h and 25 h."""
    rows = [
        *(Row(TRAINS, 5, -10, -10, 10) for _ in range(2)),
        Row(TRAINS, 6, -5, -5, -4),
        *(Row(TRAINS, 5, 700, 700, 830) for _ in range(2)),
        Row(TRAINS, 6, 705, 705, 706),
    ]
    result = on(queued(rows), (-10, 16), node=8)
    assert result.fragments() == (Fragment("c1", "H100", None, 6 * 35.0, 6 * 35.0 * 2),)
    assert on(queued(rows), (-10, 16), node=8, rate=None).fragments()[0].usd is None
    assert on(queued(rows), (-10, 16)).fragments() == ()
    assert result.start_s.tolist() == [START_S + H * hour for hour in (-10, -10, 10, 700, 700, 830)]


def test_a_row_counts_what_is_eligible_in_the_window_and_time_inside_it() -> None:
    """On 4 GPUs: 4 for 20 h from -10 on, of which 10 are inside; 4 for 100 h from 700 on, 30 inside; 5 never start."""
    rows = [
        Row(TRAINS, 4, -10, -10, 10),
        Row(TRAINS, 4, 5, 5, 8),
        Row(TRAINS, 4, 700, 700, 800),
        Row(TRAINS, 5, 0, 0, 9),
        Row(SERVES, 4, 0, 0, 9),
    ]
    row = on(queued(rows), (-10, 4)).row(Pool.TRAINING, None)
    assert (row.waits.jobs, row.waits.mean_h, row.waits.p90_h) == (2, 2.5, 5.0)
    assert row.used_gpu_time == (10 + 3 + 30) * 4 * GPU_S
    assert row.held_gpu_time == 730 * 4 * GPU_S
    assert row.utilization == pytest.approx(43 / 730)
    assert (row.sent_out_jobs, row.sent_out_gpu_hours, row.sent_out_usd, row.out) == (0, 0.0, 0.0, ())


def test_seven_slices_are_no_more_than_the_gpu_that_they_lie_on() -> None:
    """Seven of 143 thousandths are 1,001 of them."""
    of = queued([Row(TRAINS, 0.143, 0, 0, 730) for _ in range(7)])
    row = on(of, (0, 1)).row(Pool.TRAINING, None)
    assert (row.used_gpu_time, row.utilization) == (730 * GPU_S, 1.0)
    assert laid(np.array([143, 286, 1143, 250, 2000])).tolist() == [142, 285, 1142, 250, 2000]


def test_what_is_sent_out_costs_the_rate_of_its_offer() -> None:
    """Serving goes out at once: 2 GPUs for 5 h and 1 for 4 h at $4; who is from before the window is in no figure."""
    rows = [
        Row(SERVES, 2, 10, 10, 15),
        Row(SERVES, 1, 20, 20, 24),
        Row(SERVES, 1, -5, -5, -1),
        Row(SERVES, 3, 729, 729, 829),
    ]
    of = queued(rows)
    row = on(of, (0, 1)).row(Pool.INFERENCE, None)
    assert (row.sent_out_jobs, row.sent_out_gpu_hours, row.sent_out_usd) == (3, 10 + 4 + 300.0, 4 * 314.0)
    assert row.out == (("od", 3, 314.0, 4 * 314.0),)
    assert row.waits.mean_h == 0.0 and row.used_gpu_time == 0
    only = queued(rows)
    only.__dict__["offers"] = only.offers[2:]
    alone = on(only, (0, 1)).row(Pool.INFERENCE, None)
    assert (alone.out, alone.used_gpu_time) == (row.out, 0)
    assert usd_rates(of, np.array([0, 1]), np.array([2, 2])).tolist() == [4.0, 4.0]


def test_rows_are_of_pools_and_models_with_a_job_that_is_counted() -> None:
    rows = [Row(TRAINS, 1, 0, 0, 1), Row(BURSTS, 1, 0, 0, 1), Row(SERVES, 1, 730, 730, 731)]
    of = queued(rows)
    assert pools_of(of) == (Pool.TRAINING, Pool.BURST)
    assert [row.pool for row in on(of, (0, 1)).rows()] == [Pool.TRAINING, Pool.BURST]
    assert [(row.pool, row.gpu_model) for row in by_model(on(of, (0, 1)))] == [
        (Pool.TRAINING, "H100"), (Pool.BURST, "A100")
    ]  # fmt: skip
    assert jobs_of(of, Pool.TRAINING, "A100", is_of_model=True).tolist() == [False] * 3
    assert jobs_of(of, None, "H100", is_of_model=True).tolist() == [True, False, True]
    assert jobs_of(of, Pool.BURST, "H100").tolist() == [False, True, False]
    twice = [*by_model(on(of, (0, 1))), *by_model(on(queued([Row(SERVES, 1, 0, 0, 1)]), (0, 1)))]
    assert shared_models(twice) == {"H100"} and shared_models(twice[1:]) == set()


def test_measured_rows_are_of_jobs_whose_wait_is_known_and_of_the_time_of_all() -> None:
    """On 4 GPUs of c1 a job of 4 waits 5 h, of which 2 had room: the one before it ended at hour 13."""
    rows = [
        Row(TRAINS, 4, 3, 3, 13),
        Row(TRAINS, 4, 10, 15, 25),
        Row(TRAINS, 4, 700, 700, 800, is_known=False),
    ]
    of = queued(rows, [contract("a", 4, 2.0, None, worlds.HOURS)])
    (row,) = measured_rows(of)
    assert (row.waits.jobs, row.waits.waited_h, row.room_h) == (2, 5.0, 2.0)
    assert row.waited_with_room == pytest.approx(0.4)
    assert (row.used_gpu_time, row.held_gpu_time) == (50 * 4 * GPU_S, 730 * 4 * GPU_S)
    (idle,) = measured_rows(queued(rows[:1], [contract("a", 4, 2.0, None, worlds.HOURS)]))
    assert idle.waited_with_room is None and idle.room_h == 0.0


@pytest.mark.parametrize(
    ("rows", "contracts", "hours"),
    [
        ([Row(TRAINS, 2, 0, 4, 9)], [("a", 1, -9, None), ("b", 1, 1, 3)], 2),
        ([Row(TRAINS, 2, 0, 4, 9)], [("a", 2, 4, None)], 0),
        ([Row(TRAINS, 2, 0, 4, 9)], [("a", 2, 9, 12)], 0),  # it begins when the log ends
        ([Row(TRAINS, 2, 0, 4, 9), Row(TRAINS, 1, 0, 0, 3)], [("a", 2, -9, None)], 1),
        ([Row(TRAINS, 2, 0, 4, 9), Row(SERVES, 1, 0, 0, 3)], [("a", 2, -9, None)], 4),
        ([Row(TRAINS, 2, 0, 4, 9)], [], 4),  # the 2 that were busy stood there while it waited
        ([Row(TRAINS, 0.143, 0, 4, 9), Row(TRAINS, 0.857, 0, 0, 9)], [("a", 1, 0, None)], 4),
    ],
)
def test_a_wait_had_room_while_as_many_gpus_stood_free(
    rows: Sequence[Row], contracts: Sequence[tuple[str, float, float, float | None]], hours: int
) -> None:
    held = [
        contract(
            name, gpus, 1.0, None, worlds.HOURS,
            start_s=START_S + round(H * begin), end_s=None if end is None else START_S + round(H * end),
        )
        for name, gpus, begin, end in contracts
    ]  # fmt: skip
    of = queued(rows, held)
    clusters = clusters_of(of.log, of.evaluation.project)
    assert room_s(of.log, clusters, held).tolist()[0] == hours * H


def groups(of: Queueing) -> dict[tuple[str, str], WaitsBy]:
    """By what they are of, and their name."""
    return {(row.by, row.name): row for row in log_waits(of) or ()}


def test_waits_of_the_log_stand_by_pool_team_model_size_and_hour() -> None:
    """1 January 2026 is a Thursday: its hour 0 is the 72nd of a week. Waits end with the window: 4 x 6 and 8 x 30."""
    rows = [
        Row(TRAINS, 1, 0, 0, 1),
        Row(TRAINS, 1.5, 0, 2, 3),
        Row(TRAINS, 4, 1, 7, 9),
        Row(TRAINS, 5, 168, 168, 169),
        Row(BURSTS, 8, 700, 760, 770),
        Row(TRAINS, 9, 2, 2, 3),
        Row(TRAINS, 16, 2, 2, 3),
        Row(TRAINS, 17, 2, 2, 3),
        Row(TRAINS, 64, 2, 2, 3),
        Row(TRAINS, 64.5, 2, 2, 3),
    ]
    result = groups(queued(rows, [contract("a", 4, 2.0, None, worlds.HOURS)]))
    sizes = {name: row.waits.jobs for (by, name), row in result.items() if by == "size"}
    assert sizes == {"1": 1, "2-4": 2, "5-8": 2, "9-16": 2, "17-64": 2, "over 64": 1}
    hours = {name: row.waits.jobs for (by, name), row in result.items() if by == "hour_of_week"}
    assert hours == {"72": 3, "73": 1, "74": 5, str((72 + 700) % 168): 1}
    trains, bursts = result["pool", "training"], result["pool", "burst"]
    assert (trains.waits.jobs, trains.waits.waited_h, trains.waited_gpu_hours) == (9, 8.0, 1.5 * 2 + 4 * 6)
    assert (bursts.waits.waited_h, bursts.waited_gpu_hours, bursts.waited_gpus_most) == (60.0, 240.0, 8.0)
    assert trains.waited_gpus_most == 5.5  # in hour 1 both wait
    assert [name for by, name in result if by in ("team", "gpu_model")] == ["team", "A100", "H100"]
    assert log_waits(queued([row._replace(is_known=False) for row in rows])) is None


def test_contended_hours_are_those_of_the_clusters_that_jobs_ran_on() -> None:
    of = queued([Row(TRAINS, 1, 0, 1, 2), Row(SERVES, 1, 0, 1, 2)])
    contention = of.evaluation.audit.contention
    counts = {cluster: int(hours.hours.sum()) for cluster, hours in contention.items()}
    result = groups(of)
    assert result["pool", "training"].contended_hours == counts.get("c1", 0) > 0
    assert result["pool", "inference"].contended_hours == counts.get("c2", 0)
    # 730 h have the hour 72 of a week five times: at 0, 168, 336, 504 and 672
    both = contention["c1"].hours | (contention["c2"].hours if "c2" in contention else False)
    assert result["hour_of_week", "72"].contended_hours == int(both[::168].sum())
