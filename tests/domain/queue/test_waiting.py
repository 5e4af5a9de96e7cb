"""How long jobs wait: figures of thirteen jobs, calibration by the log's own waits, planned runs, rows of targets."""

from dataclasses import replace

import pytest

from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.queue.ground import NamedSets, Queueing
from gpuplanner.domain.queue.rows import by_model, replayed
from gpuplanner.domain.queue.sets import GpuSet
from gpuplanner.domain.queue.waiting import (
    Waiting,
    find_target_row,
    pool_waits,
    replay_planned_runs,
    waiting_of,
    waiting_where_known,
)
from gpuplanner.domain.queue.waits import Target
from tests.domain import worlds
from tests.domain.commitment.conftest import contract
from tests.domain.queue.golden_tables import patient_waiting, waiting_for, waiting_with_a_run
from tests.domain.queue.queued_jobs import BURSTS, SERVES, TRAINS, Row, queued

HELD = (contract("a", 4, 2.0, None, worlds.HOURS),)
FIRST = (
    Row(kind=TRAINS, gpus=4, eligible_h=0, start_h=0, end_h=10),
    Row(kind=TRAINS, gpus=4, eligible_h=2, start_h=12, end_h=22),
)
"""On 4 GPUs the second waits 8 h; in the log it waited 10."""
LAST = (
    Row(kind=TRAINS, gpus=4, eligible_h=548, start_h=548, end_h=560),
    Row(kind=TRAINS, gpus=4, eligible_h=550, start_h=562, end_h=572),
)
"""From 3/4 of 730 h on, hour 547.5: replayed the second waits 10 h, in the log 12."""


def training_of(*rows: Row) -> Waiting:
    return waiting_of(queued(rows, HELD), 0)


# --- Thirteen jobs of worlds.queueing: the figures that matter of the golden tables ---------------


def test_five_gangs_on_four_gpus_wait_nine_hours_more_each() -> None:
    """Each asks for all 4 GPUs of K1 for 10 h, an hour after the one before: 0, 9, 18, 27 and 36 h, 90 h together.

    The log has the gang of 40 as the sixth, which did not wait; in the replay that never starts, and the sixth is the
    job of which nobody knows since when it waited: 90 / 6 = 15 h.
    """
    measured = {row.pool: row.waits for row in worlds.waiting().measured}[Pool.TRAINING]
    replayed_waits = {row.pool: row.waits for row in worlds.waiting().today}[Pool.TRAINING]
    for waits in (measured, replayed_waits):
        assert (waits.jobs, waits.waited_h, waits.mean_h) == (6, 90.0, 15.0)
        assert waits.quantiles == (9.0, 36.0, 36.0)
        assert waits.share_over_1h == pytest.approx(4 / 6)


def test_the_second_burst_waits_until_the_first_ends() -> None:
    """Both ask for 3 of the 5 A100: the first runs from 300 to 306, the second comes at 301."""
    waits = {row.pool: row.waits for row in worlds.waiting().today}[Pool.BURST]
    assert (waits.jobs, waits.waited_h, waits.mean_h, waits.p90_h) == (2, 5.0, 2.5, 5.0)


def test_use_is_the_hours_of_jobs_over_those_of_gpus() -> None:
    """Training runs 5 x 4 x 10 + 1 x 10 = 210 GPU-h on 4 GPUs of K1. In the plan y1 adds 4 for 490 of 730 h: 2.685."""
    today, plan = worlds.waiting().today, worlds.waiting().replayed
    use = [row.utilization for rows in (today, plan) for row in rows if row.pool is Pool.TRAINING]
    assert use == pytest.approx([210 / (4 * 730), 210 / ((4 + 2.685) * 730)])


def test_twelve_gpus_run_three_gangs_at_once() -> None:
    """The fourth comes at 103 and starts at 110. 12 GPUs cost 12 x 730 h x $2; the gang of 40 needs 40."""
    points = [point for point in worlds.waiting().frontier if point.pool is Pool.TRAINING]
    waits_h = {point.gpus: point.waits.p90_h for point in points}
    assert {gpus: waits_h[gpus] for gpus in (4, 12, 40)} == {4: 36.0, 12: 7.0, 40: 0.0}
    assert next(point.usd_per_month for point in points if point.gpus == 12) == 12 * 730 * 2.0


def test_six_a100_let_no_burst_wait() -> None:
    """Two of 3 GPUs: one GPU more than today, 730 h at $1."""
    target = waiting_for(Target(Pool.BURST, 1.0, None, is_of_all=True)).target
    assert target is not None and target.found is not None and target.plan is not None
    assert (target.found.gpus, target.plan.gpus) == (6, 5)
    assert target.difference_usd_per_month == 730.0


def test_no_size_is_found_for_a_model_that_the_pool_does_not_use() -> None:
    assert waiting_for(Target(Pool.TRAINING, 0.0, "A100")).target is None


def test_what_waits_over_its_patience_is_sent_out() -> None:
    """On 2 GPUs one of three serving jobs runs; two go out, each 2 GPUs x 20 h at $4."""
    row = next(row for row in patient_waiting().by_model if row.pool is Pool.INFERENCE)
    assert (row.sent_out_jobs, row.sent_out_gpu_hours, row.sent_out_usd) == (2, 80.0, 320.0)


def test_a_run_every_hundred_hours_waits_once_behind_a_gang() -> None:
    """Of 8 runs in 730 h that of hour 100 finds the GPUs taken until 110. It uses 730 / 100 x 4 x 5 h = 146 GPU-h a
    month at $4; over 60 months 438 runs.
    """
    (run,) = waiting_with_a_run().windows
    assert (run.waits.jobs, run.waits.waited_h, run.waits.p90_h, run.never) == (8, 10.0, 10.0, 0)
    assert (run.usd_per_month, run.usd) == (146 * 4.0, 438 * 4 * 5 * 4.0)


def test_the_plan_has_its_fewest_gpus_after_the_first_month() -> None:
    result = worlds.waiting()
    assert result.never_fit == ("j11",)  # the gang of 40
    assert result.submit_known == pytest.approx(12 / 13)
    assert result.fewest is not None and (result.fewest.gpus, result.fewest.first_gpus) == (15, 20)


# --- Calibration ---------------------------------------------------------------------------------


def test_a_calibration_is_tried_on_the_last_quarter_of_the_window() -> None:
    """The first part lacks 2 h of 8: of 10 h replayed last, 10 + 2 x 10.05 / 8.05 by ratio and 12 by difference."""
    result = training_of(*FIRST, *LAST).calibrated[Pool.TRAINING]
    ratio = 10 + 2 * 10.05 / 8.05
    assert result.miss == pytest.approx(((ratio + 12) / 2 + 0.05) / 12.05)
    assert result.p90 is not None and (result.p90.low_h, result.p90.high_h) == (12.0, 12.0)
    assert result.p50 is not None and (result.p50.low_h, result.p50.high_h) == (0.0, 0.0)


@pytest.mark.parametrize("rows", [FIRST, LAST, (*FIRST, *(row._replace(is_known=False) for row in LAST))])
def test_a_calibration_without_both_parts_is_not_tried(rows: tuple[Row, ...]) -> None:
    assert training_of(*rows).calibrated[Pool.TRAINING].miss is None


def test_who_is_eligible_at_three_quarters_is_of_the_last() -> None:
    """547.5 h are 1,971,000 s."""
    (early, late), (_, second) = FIRST, LAST
    at = Row(kind=TRAINS, gpus=4, eligible_h=547.5, start_h=547.5, end_h=560)
    assert training_of(early, late, at, second).calibrated[Pool.TRAINING].miss is not None
    only = Row(kind=TRAINS, gpus=4, eligible_h=547.5, start_h=547.5, end_h=549)
    assert training_of(early, late, only).calibrated[Pool.TRAINING].miss is not None
    before = Row(kind=TRAINS, gpus=4, eligible_h=547.4, start_h=547.4, end_h=549)
    assert training_of(early, late, before).calibrated[Pool.TRAINING].miss is None


def test_a_pool_that_never_starts_has_no_calibration() -> None:
    result = training_of(Row(kind=TRAINS, gpus=9, eligible_h=0, start_h=0, end_h=10)).calibrated[
        Pool.TRAINING
    ]
    assert (result.p50, result.p90, result.p99, result.miss) == (None,) * 4


@pytest.mark.parametrize(("first_h", "is_cold"), [(-1, False), (0, True), (5, True)])
def test_a_log_that_begins_with_the_window_begins_cold(first_h: int, *, is_cold: bool) -> None:
    held = (*HELD, contract("b", 1, 1.0, None, worlds.HOURS, cluster="c2"))
    rows = [
        Row(kind=TRAINS, gpus=1, eligible_h=first_h, start_h=first_h, end_h=first_h + 1),
        Row(kind=TRAINS, gpus=9, eligible_h=6, start_h=6, end_h=7),
    ]
    result = waiting_of(queued(rows, held), 0)
    assert result.begins_cold is is_cold
    assert result.never_fit == ("j1",)
    assert (result.is_planned, result.is_capacity_guessed, result.is_changed) == (False, False, False)
    assert waiting_of(
        queued([Row(kind=SERVES, gpus=1, eligible_h=0, start_h=0, end_h=1)], HELD), 0
    ).is_capacity_guessed


def test_waits_without_submit_times_are_replayed_and_not_measured() -> None:
    rows = [row._replace(is_known=False) for row in FIRST]
    of = queued(rows, HELD)
    result = waiting_of(of, 0)
    assert (result.measured, result.calibrated, result.submit_known) == ((), {}, 0.0)
    assert [row.waits.mean_h for row in result.replayed] == [4.0]
    assert waiting_where_known(of) is pool_waits(of) is waiting_where_known(None) is pool_waits(None) is None
    assert queued([*FIRST, rows[0]], HELD).log.submit_known == pytest.approx(2 / 3)


def test_pools_wait_on_the_plan_or_on_today() -> None:
    of = worlds.queueing()
    assert pool_waits(of) == worlds.waiting().replayed
    today = worlds.queueing(is_planned=False)
    assert pool_waits(today) == worlds.waiting(is_planned=False).today


def test_progress_goes_from_none_over_the_plan_to_the_sizes_of_each_model() -> None:
    shares = list[float]()
    waiting_of(worlds.queueing(), 1, on_progress=lambda share, _: shares.append(round(share, 3)))
    assert shares == [0.0, 0.15, 0.3, 0.533, 0.767]


def test_nodes_of_one_gpu_are_tried_beside_the_others() -> None:
    """A gang of 6 of 8 waits for a whole machine while 3 GPUs are free on each of two."""
    rows = [
        *(Row(kind=TRAINS, gpus=5, eligible_h=0, start_h=0, end_h=20) for _ in range(2)),
        Row(kind=TRAINS, gpus=6, eligible_h=1, start_h=1, end_h=5),
        Row(kind=TRAINS, gpus=8, eligible_h=600, start_h=600, end_h=601),
    ]
    result = waiting_of(queued(rows, (contract("a", 16, 2.0, None, worlds.HOURS),)), 2)
    (nodes,), (alone,) = result.replayed, result.loose
    assert (nodes.waits.waited_h, alone.waits.waited_h) == (19.0, 0.0)
    assert [item.gpu_hours for item in result.fragments] == [6 * 19.0]
    assert waiting_of(queued(rows, HELD), 0).loose == ()


# --- Targets and planned runs --------------------------------------------------------------------


def test_a_target_is_of_the_model_that_its_pool_spends_most_on() -> None:
    """One of 2 GPUs for 20 h on an A100 against three of one GPU for 10 h each."""
    of = queued(
        [
            *(Row(kind=TRAINS, gpus=1, eligible_h=at, start_h=at, end_h=at + 10) for at in range(3)),
            Row(kind=BURSTS, gpus=2, eligible_h=0, start_h=0, end_h=20),
        ]
    )
    of.pools = (Pool.TRAINING, Pool.INFERENCE, Pool.TRAINING)
    rows = tuple(by_model(replayed(of, of.today)))
    assert [row.gpu_model for row in rows] == ["A100", "H100"]
    for model, expected in ((None, "A100"), ("H100", "H100"), ("A100", "A100")):
        row = find_target_row(Target(Pool.TRAINING, 1.0, model), of, rows)
        assert row is not None and row.gpu_model == expected
    assert find_target_row(Target(Pool.BURST, 1.0), of, rows) is None
    assert find_target_row(Target(Pool.TRAINING, 1.0, "B200"), of, rows) is None


def planned(
    work: PlannedWork, *names: tuple[str | None, str, Pool | None], node: int | None = None
) -> Queueing:
    """A plan with a run that comes again, on sets of 8 GPUs that a test names; one job of 8 runs from hour 1 to 4."""
    of = worlds.plan()
    basis = replace(of.figures.basis, plan=replace(of.figures.basis.plan, planned=(work,)))
    evaluation = replace(of, figures=replace(of.figures, basis=basis))
    result = Queueing(evaluation, queued([Row(kind=TRAINS, gpus=8, eligible_h=1, start_h=1, end_h=4)]).log)
    sets = tuple(GpuSet(((0, 8000),), None if node is None else 1000 * node) for _ in names)
    result.__dict__["plan"] = NamedSets(names, sets, (1.0,) * len(names))
    return result


AGAIN = PlannedWork(
    name="again",
    pool=Pool.TRAINING,
    gpu_model="H100",
    gpus=4.0,
    cluster="c1",
    length_hours=2,
    every_hours=365,
)


@pytest.mark.parametrize(
    ("name", "waits_h"),
    [
        (("c1", "H100", None), (0.0, 0.0)),
        ((None, "H100", None), (0.0, 0.0)),
        ((None, "H100", Pool.TRAINING), (0.0, 0.0)),
        (("c1", "H100", Pool.BURST), None),
        (("c2", "H100", None), None),
        (("c1", "A100", None), None),
    ],
)
def test_a_planned_run_uses_sets_of_its_cluster_model_and_pool(
    name: tuple[str | None, str, Pool | None], waits_h: tuple[float, ...] | None
) -> None:
    """It comes at hours 0 and 365."""
    (result,) = replay_planned_runs(planned(AGAIN, name), lambda: False)
    assert (result.waits.jobs, result.never) == ((0, 2) if waits_h is None else (2, 0))
    assert result.waits.mean_h == (None if waits_h is None else 0.0)


def test_a_planned_run_stands_in_the_queue_of_its_pool() -> None:
    """Of 5 GPUs every 3 hours for 2 hours: at 3 the job of 8 has all until 4, as that began when the first ended."""
    work = replace(AGAIN, gpus=5.0, every_hours=3)
    (result,) = replay_planned_runs(planned(work, ("c1", "H100", None)), lambda: False)
    assert result.waits.jobs == 244 and result.never == 0  # hours 0 to 729
    # the job waits from 1 to 2, and runs to 5: the run of hour 3 waits 2 h, to 7, and that of 6 waits 1 h
    assert (result.waits.waited_h, result.usd, result.usd_per_month) == (3.0, None, None)
    hourly = replace(work, gpus=8.0, length_hours=1, every_hours=1)
    for pool, waited_h in ((Pool.INFERENCE, 0.0), (Pool.TRAINING, 3.0 * 729)):  # before the job, or behind it
        (result,) = replay_planned_runs(
            planned(replace(hourly, pool=pool), ("c1", "H100", None)), lambda: False
        )
        assert (result.waits.jobs, result.waits.waited_h) == (730, waited_h)


def test_a_planned_run_lies_on_whole_nodes() -> None:
    """4 GPUs on nodes of 2 are two pieces; on nodes of 3 two as well; a set of another cluster is no node of it."""
    for node, fits in ((2, True), (3, True), (8, True)):
        (result,) = replay_planned_runs(planned(AGAIN, ("c1", "H100", None), node=node), lambda: False)
        assert (result.never == 0) is fits
    wide = replace(AGAIN, gpus=8.0)
    (result,) = replay_planned_runs(planned(wide, ("c1", "H100", None), node=3), lambda: False)
    assert result.never == 2  # three pieces of 2.7, and the last of three nodes has 2 GPUs
    once = replace(AGAIN, every_hours=None)
    assert [*replay_planned_runs(planned(once, ("c1", "H100", None)), lambda: False)] == []
    assert [*replay_planned_runs(replace_plan(planned(AGAIN)), lambda: False)] == []


def replace_plan(of: Queueing) -> Queueing:
    of.__dict__["plan"] = None
    return of


def test_a_planned_run_costs_what_the_plan_has_for_it() -> None:
    """As the advice prices it; its month is the cheapest way to hold it alone."""
    run = PlannedWork(
        name="again",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=4.0,
        cluster="c1",
        length_hours=5,
        every_hours=100,
    )
    evaluation = worlds.evaluated(worlds.plan_project(scenario=Scenario(name="Plan A", planned=(run,))))
    (result,) = waiting_of(Queueing(evaluation, worlds.queueing().log), 0).windows
    (cost,) = evaluation.advice.planned_runs
    assert result.usd == cost.usd
    assert result.usd_per_month == min(option.cost_per_month for option in cost.ways)
