"""A plan that begins after its log: all that is dated counts from that day, and nothing else moves."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.audit.spend.lock_in import lock_in_now_months
from gpuplanner.domain.commitment.advice_backtest import backtest
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.figures.writing import day
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, iso_utc

HOURS = 24 * 40
PLAN = Scenario(name="Plan A")
LATER_S = 3 * MONTH_S + 5 * HOUR_S


@pytest.fixture
def case(make_case: Callable, three_pools: tuple, make_contract: Callable, make_offer: Callable):  # type: ignore[no-untyped-def,type-arg]
    contracts = [
        make_contract("gone", 4, 3.0, 2.5, HOURS, term_months=12, notice_days=30),
        make_contract("soon", 5, 3.0, 5.4, HOURS, cluster="c2", term_months=36, notice_days=60),
        make_contract("far", 2, 2.0, 40, HOURS),
    ]
    offers = [
        make_offer("t06", 6, 4.0, lead_time_hours=1500),
        make_offer("t12", 12, 3.2, lead_time_hours=100),
        make_offer("od", 0, 6.88),
        make_offer("spot", 0, 2.2, pricing_category=PricingCategory.DYNAMIC),
    ]
    return make_case(three_pools, contracts, offers)


def test_it_is_the_plan_of_a_log_that_ended_on_that_day(case, make_audit) -> None:  # type: ignore[no-untyped-def]
    project = case.project
    later = edits.plans.set_plan_from(project, project.window.end_s + LATER_S)
    as_if = replace(project, window=project.window.later(LATER_S))
    found, expected = (advise(one, PLAN, case.pools, make_audit()) for one in (later, as_if))
    for part in ("idle_existing", "orders", "totals", "comparison", "workload_usd"):
        assert getattr(found, part) == getattr(expected, part), part
    layers = [
        [(row.pool, row.layers, row.cost_per_month) for row in advice.pools] for advice in (found, expected)
    ]
    assert layers[0] == layers[1]
    told = [(row.contract_id, row.verdict, row.gpus, row.order_by_s) for row in found.verdicts]
    assert told == [(row.contract_id, row.verdict, row.gpus, row.order_by_s) for row in expected.verdicts]
    assert lock_in_now_months(later) == lock_in_now_months(as_if) != lock_in_now_months(project)
    assert found.comparison[0].start_s == project.window.end_s + LATER_S


def test_nothing_is_dated_before_it_but_what_had_to_be_ordered_by_then(case, make_audit) -> None:  # type: ignore[no-untyped-def]
    project = edits.plans.set_plan_from(case.project, case.project.window.end_s + LATER_S)
    begins_s = project.plan_window.end_s
    advice = advise(project, PLAN, case.pools, make_audit())
    assert advice.orders
    assert all(order.start_s >= begins_s for order in advice.orders)
    assert all(order.order_by_s == begins_s for order in advice.orders if order.reason == "now")
    assert "gone" not in {row.contract_id for row in advice.verdicts}
    of_subject = {(check.code, check.subject): check for check in advice.checks}
    assert day(begins_s) in str(of_subject["plan_begins_later", "plan"].message)
    assert ("contract_ended_before_plan", "gone") in of_subject
    assert ("contract_ended_before_plan", "soon") not in of_subject
    (far,) = (row for row in advice.verdicts if row.contract_id == "far")
    assert "24 months" in str(far.reason)
    next_day = edits.plans.set_plan_from(case.project, case.project.window.end_s + DAY_S)
    checks = advise(next_day, PLAN, case.pools, make_audit()).checks
    (said,) = (str(check.message) for check in checks if check.code == "plan_begins_later")
    assert re.search(r"\b1 day\b", said)
    log = case.project.window
    evening = replace(log, start_s=log.start_s - log.end_s % DAY_S - 3600)  # it ends at 23:00
    third_day = edits.plans.set_plan_from(
        replace(case.project, window=evening), evening.end_s + 2 * DAY_S + 3600
    )
    checks = advise(third_day, PLAN, case.pools, make_audit()).checks
    assert any("3 days" in str(check.message) for check in checks)


def test_a_contract_that_renews_is_paid_though_it_ended_before_the_plan_began(case, make_audit) -> None:  # type: ignore[no-untyped-def]
    """Doing nothing was without it, as if somebody had given notice; where somebody has, it is over."""
    rolls = tuple(
        replace(one, renews_months=1, notice_days=None) if one.contract_id == "gone" else one
        for one in case.project.contracts
    )
    project = edits.plans.set_plan_from(
        replace(case.project, contracts=rolls), case.project.window.end_s + LATER_S
    )
    given = replace(PLAN, notice_given=("gone",))
    found, over = (advise(project, plan, case.pools, make_audit()) for plan in (PLAN, given))
    (kept,) = (row for row in found.verdicts if row.contract_id == "gone")
    assert kept.verdict == "renew" and "gone" not in {row.contract_id for row in over.verdicts}
    codes = [{(check.code, check.subject) for check in one.checks} for one in (found, over)]
    assert ("order_by_passed", "gone") in codes[0] and ("contract_ended_before_plan", "gone") in codes[1]
    (said,) = (str(check.message) for check in found.checks if check.code == "order_by_passed")
    end_s = next(one.end_s for one in rolls if one.contract_id == "gone")
    days = project.plan_window.end_s // DAY_S - (end_s - 1) // DAY_S
    assert f" {days} day" in said and days > 0
    held_until = {one.contract_id: one.bound_until_s for one in found.contracts}
    ends_s = held_until["gone"]
    assert ends_s is not None and ends_s > project.plan_window.end_s
    assert str(day(ends_s - 1)) in said
    held = [one.contracts_usd for one in (found.comparison[0], over.comparison[0])]
    assert held[0] > held[1]
    (one,) = (one for one in found.in_force if one.contract_id == "gone")
    assert one.end_s is None  # without new commitments it runs on


def test_without_a_day_the_plan_begins_where_the_window_ends(case, make_audit) -> None:  # type: ignore[no-untyped-def]
    project = case.project
    assert project.plan_window is project.window
    codes = {check.code for check in advise(project, PLAN, case.pools, make_audit()).checks}
    assert not codes & {"plan_begins_later", "contract_ended_before_plan"}
    later = edits.plans.set_plan_from(project, project.window.end_s + DAY_S)
    assert edits.plans.set_plan_from(later, None).plan_window is project.window
    assert edits.plans.set_plan_from(later, project.window.end_s).plan_from_s is None
    assert edits.plans.set_plan_from(later, later.plan_from_s) is later


@pytest.mark.parametrize("off_s", [-HOUR_S, 1800, 101 * 365 * DAY_S])
def test_a_day_in_the_log_no_whole_hour_and_a_slip_of_the_pen_are_refused(case, off_s: int) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(PlannerError, match=iso_utc(case.project.window.end_s)):
        edits.plans.set_plan_from(case.project, case.project.window.end_s + off_s)


def test_a_backtest_knows_nothing_of_it(case) -> None:  # type: ignore[no-untyped-def]
    later = edits.plans.set_plan_from(case.project, case.project.window.end_s + LATER_S)
    assert backtest(later, PLAN, case.pools) == backtest(case.project, PLAN, case.pools)


def test_a_log_that_has_come_up_to_that_day_takes_it_back(case) -> None:  # type: ignore[no-untyped-def]
    project = case.project
    later = edits.plans.set_plan_from(project, project.window.end_s + 30 * DAY_S)
    for days, kept in ((10, later.plan_from_s), (30, None)):
        jobs = edits.inputs.LoadedJobs(
            project.window.later(days * DAY_S), project.cube, project.workloads, project.jobs
        )
        assert edits.inputs.import_inputs(later, jobs=jobs).plan_from_s == kept
