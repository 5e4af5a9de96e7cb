"""Months of a log: they tile it, each has its audit's figures, and what a plan decided of leaks stands apart."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.series import ClassMonth, MonthRow, series
from gpuplanner.domain.evidence.log_months import OF_MONTHS
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.model.calendar_months import month_of, month_windows
from gpuplanner.domain.model.plan.scenario import LeakDecision, LeakStatus, Scenario
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.domain.reports.report import Medium
from gpuplanner.domain.reports.series import MONTHS
from tests.arrived import arrived

TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST

GPU_HOUR = 3_600_000


@given(st.integers(175_320, 500_000), st.integers(1, 20_000))
def test_months_tile_the_log_and_none_reaches_over_its_end(first_h, hours):
    log = Window(first_h * HOUR_S, hours)
    months = list(month_windows(log))
    assert [one.start_s for one in months] == [log.start_s, *(one.end_s for one in months[:-1])]
    assert months[-1].end_s == log.end_s
    assert all(month_of(one.start_s) == month_of(one.end_s - 1) for one in months)


def test_a_log_that_counts_its_time_from_0_has_no_months():
    assert list(month_windows(Window(0, 2_000))) == []


def test_leaks_that_a_plan_decided_on_stand_apart(world):
    rows = [(0, 0, hour, 8 * GPU_HOUR) for hour in (0, 1, 2, 8)]
    rows += [(1, 0, hour, 2 * GPU_HOUR) for hour in range(10)]
    workloads = [world.workload("sft"), world.workload("chat")]
    project = world.project(10, workloads, rows, [world.contract("k", 10, "2")])
    found = audit(project, world.classified(Pool.TRAINING, Pool.INFERENCE))
    (first,) = found.leaks
    plan = Scenario(
        name="Plan A",
        leak_decisions=(LeakDecision(leak_id=first.leak_id, status=LeakStatus.ACCEPTED, at_s=0),),
    )
    (open_row,), (row,) = (series([(project, found)], one) for one in (Scenario(name="Plan A"), plan))
    months = project.window.months
    assert row.counted == open_row.counted == pytest.approx(48 * 2)  # two tails of 8 GPUs, 6 h
    assert (open_row.accepted, row.accepted) == (0.0, first.counted_per_month * months)
    assert row.dismissed == 0.0
    assert row.found == sum(leak.leaked_in_window for leak in found.leaks)


def test_shares_of_spend_come_to_the_whole(world):
    rows = [(0, 0, hour, 8 * GPU_HOUR) for hour in range(10)] + [
        (1, 0, hour, 2 * GPU_HOUR) for hour in range(10)
    ]
    workloads = [world.workload("sft"), world.workload("chat")]
    project = world.project(10, workloads, rows, [world.contract("k", 10, "2")])
    (row,) = series(
        [(project, audit(project, world.classified(Pool.TRAINING, Pool.INFERENCE)))], Scenario(name="A")
    )
    shares = [row.usd_share(pool) for pool in (Pool.TRAINING, Pool.INFERENCE, Pool.BURST)]
    assert shares == pytest.approx([0.8, 0.2, 0.0])
    assert row.figures["paid_per_month"] == 10 * 2 * 730
    for column in MONTHS.columns_in(Medium.WINDOW):
        if (one := column.figure) is not None:
            trace = OF_MONTHS.answer(
                SimpleNamespace(months=(row,)), figure(one.why, row.month, one.why_scope)
            )
            assert arrived(trace) == trace.value == pytest.approx(column.of(row)), str(one.title)


# --- Months of the log


def month(*usd: float | None) -> MonthRow:
    """Half a month of 365 h: $ and GPU-hours (1, 2 and 5) of each class; $10 are paid."""
    hours = (1.0, 2.0, 5.0)
    classes = {pool: ClassMonth(used, cost) for pool, used, cost in zip(POOLS, hours, usd, strict=True)}
    return MonthRow(
        month="2026-07",
        is_cut=True,
        hours=365,
        gpu_hours=8.0,
        paid_in_window=10.0,
        utilization=0.5,
        stranded_audit=3.0,
        stranded_metered=4.0,
        classes=classes,
        experiments=0,
        found=None,
        counted=None,
        accepted=None,
        dismissed=None,
    )


def test_shares_of_a_month_are_of_all_its_classes() -> None:
    row = month(2.0, 5.0, 1.0)
    assert [row.usd_share(pool) for pool in POOLS] == pytest.approx([0.25, 0.625, 0.125])
    assert [row.gpu_hours_share(pool) for pool in POOLS] == pytest.approx([0.125, 0.25, 0.625])
    assert row.figures == {
        "paid_per_month": pytest.approx(20.0), "stranded_audit": 3.0, "stranded_metered": 4.0
    }  # fmt: skip
    assert month(None, 5.0, 1.0).usd_share(INFERENCE) is None
    assert month(0.0, 0.0, 0.0).usd_share(INFERENCE) is None
    assert replace(row, paid_in_window=None).figures["paid_per_month"] is None


def test_experiments_of_a_month_are_those_that_ran(world):
    """By their names: three sweeps, of which one ran for a moment on a GPU and one never did."""
    workloads = [world.workload(name) for name in ("sweep a", "sweep b", "sweep c", "sft")]
    rows = [(0, 0, 0, GPU_HOUR), (1, 0, 0, 1), (3, 0, 0, GPU_HOUR)]
    project = world.project(10, workloads, rows, [])
    (row,) = series([(project, audit(project, world.classified(*[Pool.BURST] * 4)))], Scenario(name="A"))
    assert row.experiments == 2
