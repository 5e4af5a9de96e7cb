"""Cuts of demand: what right-sizing, autoscaling and ending idle work take out of a log, and what that is worth."""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.demand.demand_cuts import flat_activities, idle_hours, with_demand_cut
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.plan.scenario import DEMAND_CUTS
from tests.oracle.projects import Case

GPU_HOUR, HOURS, TARGET = 3_600_000, 240, 0.65


def case_of(activity: float | None = TARGET / 2) -> Case:
    """A service that holds 20 or 18 GPUs at an activity of half the target, and a notebook of 4; all at $3 by use."""
    case = Case(HOURS, recency_half_life_days=None, slices_lived=False, demand_fall_closes=False)
    held = [20 - hour // 12 % 2 * 2 for hour in range(HOURS)]
    case.workload("a", "chat", "inference", held, activity=activity)
    held = [4] * 120 + [0] * 120
    case.workload("a", "nb", "burst", held, activity=0.02, subtype="notebook", longest_job_s=120 * 3600)
    case.offer("od", 0, 3)
    return case


@pytest.mark.parametrize(
    ("steps", "left"),
    [
        ((), 19 * HOURS + 480),
        (("right_size",), 10 * HOURS + 480),
        (("autoscale",), 9.5 * HOURS + 480),
        (("right_size", "autoscale"), 9.5 * HOURS + 480),
        (("idle_ended",), 19 * HOURS),
        (tuple(DEMAND_CUTS), 9.5 * HOURS),
    ],
)
def test_each_cut_takes_its_hours_out(steps: tuple[str, ...], left: float) -> None:
    project, _, found = case_of().on_board
    cut = with_demand_cut(project, found.classifications, steps, TARGET)
    assert cut.cube.total == left * GPU_HOUR
    assert (cut is project) is (not steps)


def test_together_they_are_the_two_leaks() -> None:
    project, _, found = case_of().on_board
    leaked = sum(one.gpu_hours for one in found.leaks if one.code in ("peak_provisioned", "persistent_dev"))
    cut = with_demand_cut(project, found.classifications, DEMAND_CUTS, TARGET)
    assert (project.cube.total - cut.cube.total) / GPU_HOUR == pytest.approx(leaked) == 9.5 * HOURS + 480


def test_who_is_not_measured_is_not_cut_but_counted() -> None:
    project, _, found = case_of(None).on_board
    assert with_demand_cut(project, found.classifications, ("right_size", "autoscale"), TARGET) is project
    assert flat_activities(project, found.classifications) == [None]


WORTH = {"right_size": -9 * 730 * 3, "autoscale": -0.5 * 730 * 3, "idle_ended": -2 * 730 * 3}


@pytest.mark.parametrize("accepted", [(), ("right_size",), ("idle_ended",), tuple(DEMAND_CUTS)])
def test_what_is_offered_is_in_no_total_and_what_is_accepted_adds_up(accepted: tuple[str, ...]) -> None:
    case = case_of()
    project, pools, found = case.on_board
    plan = replace(case.plan, accepted=accepted)
    advice = advise(project, plan, pools, found)
    seen = outlook(project, plan, pools, advice)
    assert {one.step: one.usd_per_month for one in seen.savings_offered} == pytest.approx(
        {step: usd for step, usd in WORTH.items() if step not in accepted}
    )
    steps = {one.step: one.usd_per_month for one in seen.savings_steps}
    assert {step: steps[step] for step in accepted} == pytest.approx({step: WORTH[step] for step in accepted})
    assert advice.totals.do_nothing == pytest.approx(21 * 730 * 3)  # who signs nothing accepts nothing
    assert advice.totals.plan == pytest.approx(21 * 730 * 3 + sum(WORTH[step] for step in accepted))
    assert sum(steps.values()) == pytest.approx(-advice.totals.savings)


def test_a_cut_of_unknown_activity_is_unknown() -> None:
    case = case_of(None)
    project, pools, found = case.on_board
    plan = replace(case.plan, accepted=("right_size",))
    seen = outlook(project, plan, pools, advise(project, plan, pools, found))
    assert next(one for one in seen.savings_steps if one.step == "right_size").usd_per_month is None
    offered = {one.step: one for one in seen.savings_offered}
    assert offered["autoscale"].usd_per_month is None and "1 fixed-size service" in str(
        offered["autoscale"].unknown
    )
    assert offered["idle_ended"].usd_per_month == pytest.approx(WORTH["idle_ended"])


def test_measured_services_are_priced_where_others_are_not_measured() -> None:
    """Autoscaling takes nothing out of a service that holds 20 GPUs in every hour: $0, not unknown."""
    case = Case(HOURS, recency_half_life_days=None, slices_lived=False, demand_fall_closes=False)
    case.workload("a", "chat", "inference", [20] * HOURS, activity=TARGET / 2)
    case.workload("a", "embed", "inference", [8] * HOURS, activity=None)
    case.offer("od", 0, 3)
    project, pools, found = case.on_board
    seen = outlook(project, case.plan, pools, advise(project, case.plan, pools, found))
    offered = {one.step: (one.saved_per_month, one.unmeasured) for one in seen.savings_offered}
    assert offered == {
        "right_size": (pytest.approx(10 * 730 * 3), 1), "autoscale": (0.0, 1), "idle_ended": (0.0, 0)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("activity", "window_hours", "idle"),
    [
        (0.02, 100, (True, False)),  # 30 h is over 24, 10 h is not
        (None, 100, (False, False)),  # neither is over 72, and the window cuts neither
        (None, 60, (False, True)),  # the second is cut by the window's end
    ],
)
def test_idle_hours_are_those_of_long_runs_or_of_runs_that_the_window_cuts(
    activity: float | None, window_hours: int, idle: tuple[bool, bool]
) -> None:
    """Held in the hours 10 to 39 and 50 to 59."""
    work = Workload(key="a/t/nb", name="nb", cluster="a", owner="t", activity=activity)
    hours = np.r_[10:40, 50:60]
    assert idle_hours(work, hours, window_hours).tolist() == [idle[0]] * 30 + [idle[1]] * 10
