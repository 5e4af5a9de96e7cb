"""Used hours: parts of a plan by hand, and that they are what its utilization is of."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from gpuplanner.domain.audit.audit import audit as audit_project
from gpuplanner.domain.audit.chargeback import charged, charges
from gpuplanner.domain.audit.cost_result import ChargeBy
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.totals import cost_sum, missing_rates, used_hours, with_used_up
from gpuplanner.domain.commitment.result import ComparisonMonth
from gpuplanner.domain.demand.pools import planned_class
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.reports.plan_layers import at_least_entry
from tests.domain.commitment.conftest import Load, audit, case, contract, offer
from tests.oracle.projects import random_case

# --- Used hours: parts of a plan by hand, and that they are what its utilization is of -----------

HOURS = 192
PLAN = Scenario(name="Plan A")
STILL = {"lambda_": 0.0, "delta": 0.0, "sigma": 0.0, "wacc": 0.0, "horizon_months": 12}
OFFERS = [offer("od", 0, 5.0), offer("m1", 1, 2.0)]


def test_contracts_by_model_then_new_layers_are_what_utilization_is_of() -> None:
    # 6 and 2 GPUs in turn: two are the contract's, and four are used half of the time
    demand = np.resize([6.0, 2.0], HOURS).tolist()
    held = [contract("k", 2, 2.0, None, HOURS)]
    made = case(
        [Load(pool=Pool.TRAINING, gpus=demand)], held, OFFERS, PLAN, **STILL, recency_half_life_days=None
    )
    advice = advise(made.project, PLAN, made.pools, audit())
    existing, new = used_hours(advice)
    assert (existing.gpu_model, existing.used, existing.paid, existing.share) == ("H100", 1460, 1460, 1.0)
    assert new.layer is not None and new.layer[1].offer_id == "m1"
    assert (new.used, new.paid, new.share) == (1460, 2920, 0.5)
    assert sum(one.used for one in (existing, new)) / sum(one.paid for one in (existing, new)) == (
        pytest.approx(advice.totals.effective_utilization_plan)
    )


def test_hours_are_those_of_month_0_weighted_as_the_plan_is() -> None:
    """8 GPUs in the first half, 2 in the second: weeks count by 2^(-age / 14 days), and so do used hours."""
    demand = [8.0] * (HOURS // 2) + [2.0] * (HOURS // 2)
    made = case(
        [Load(pool=Pool.TRAINING, gpus=demand)], [], OFFERS, PLAN, **STILL, recency_half_life_days=14.0
    )
    advice = advise(made.project, PLAN, made.pools, audit())
    weights = 0.5 ** (np.arange(HOURS - 1, -1, -1) // 168 / 2)
    mean = float((weights * demand).sum() / weights.sum())
    parts = used_hours(advice)
    assert sum(one.used for one in parts) == pytest.approx(730 * mean)
    assert sum(one.used for one in parts) / sum(one.paid for one in parts) == pytest.approx(
        advice.totals.effective_utilization_plan
    )


# --- At least: with a rate missing, costs are the sum of what is known and savings are unknown -----


def advised(held, offers=OFFERS, gpus=(6.0, 2.0)):
    made = case([Load(pool=Pool.TRAINING, gpus=np.resize(gpus, HOURS).tolist())], held, offers, PLAN, **STILL)
    return advise(
        made.project,
        PLAN,
        made.pools,
        audit_project(made.project, [planned_class(pool) for pool in made.pools]),
    )


@pytest.mark.parametrize("rate", [1.25, 3.0])
@pytest.mark.parametrize("ends", [None, 0.5, 7])
def test_costs_are_at_least_all_but_the_contract_without_a_rate(rate, ends) -> None:
    known = contract("a", 1, 2.0, None, HOURS)
    whole, part = (advised([known, contract("k", 2, one, ends, HOURS)]) for one in (rate, None))
    k_usd = 2 * rate * (730 if ends != 0.5 else 365)
    for name in ("do_nothing", "plan"):
        assert getattr(part.totals, name) is None
        assert cost_sum(part, name).known == pytest.approx(getattr(whole.totals, name) - k_usd)
        assert cost_sum(part, name).missing == ("k",)
    assert cost_sum(part, "today").known == pytest.approx(whole.totals.today - 2 * rate * 730)
    assert cost_sum(part, "liability").total == whole.totals.liability
    assert missing_rates(part) == ["k"]
    assert part.totals.savings is None  # of today, and what has no rate in both ways cancels out
    assert part.totals.savings_vs_do_nothing == pytest.approx(whole.totals.savings_vs_do_nothing)
    assert at_least_entry(part)["plan_usd_per_month"] == pytest.approx(whole.totals.plan - k_usd)
    assert at_least_entry(whole) is None and cost_sum(whole, "plan").total == whole.totals.plan


def test_what_nobody_sells_is_missing_beside_what_contracts_cost() -> None:
    advice = advised([contract("k", 2, 2.0, None, HOURS)], offers=[])
    assert at_least_entry(advice) == {
        "current_usd_per_month": pytest.approx(2920),
        "do_nothing_usd_per_month": pytest.approx(2920),
        "plan_usd_per_month": pytest.approx(2920),
        "unused_now_usd_per_month": 0,
        "unused_plan_usd_per_month": None,
        "liability_now_usd": None,
        "liability_usd": None,
        "missing": ["H100", "training H100"],
    }


def test_where_nothing_is_known_nothing_is_at_least_0() -> None:
    entry = at_least_entry(advised([], offers=[]))
    assert entry.pop("missing") == ["H100", "training H100"] and entry.pop("unused_now_usd_per_month") == 0
    assert set(entry.values()) == {None}  # of what nobody sells; no contract has anything unused


# --- When a budget is used up: the first month at whose end a team's share of the plan exceeds what it
# was given

MONTHS = [900.0, 900.0, 1200.0, *[1500.0] * 9]
"""Of the plan; a third of it is of w0."""


def used_up(budgets, months=MONTHS, usd=(30.0, 60.0)):
    case = random_case(1)
    first, second = (
        replace(one, owner=owner)
        for one, owner in zip(case.project.workloads[:2], ("ml", "ops"), strict=True)
    )
    project = replace(
        case.project,
        workloads=(first, second, *(replace(one, owner="ops") for one in case.project.workloads[2:])),
        budgets=budgets,
    )
    answer = audit_project(project, case.classifications)
    rows = charges(project, charged(past_of(project, answer), answer), ChargeBy.TEAM)
    advice = SimpleNamespace(
        comparison=[
            ComparisonMonth(
                month=at,
                start_s=1000 * at,
                do_nothing_usd=0.0,
                contracts_usd=plan,
                orders_usd=0.0,
                use_usd=0.0,
            )
            for at, plan in enumerate(months)
        ],
        workload_usd={first.key: usd[0], second.key: usd[1]},
    )
    return {row.name: row.used_up_s for row in with_used_up(rows, advice, project.workloads).rows}


@pytest.mark.parametrize(
    ("budget", "month"), [(299.0, 0), (300.0, 2), (333.0, 2), (334.0, 3), (455.0, 11), (459.0, None)]
)  # a third of 900, 1800, 3000, 4500, 6000, ... 16500
def test_both_are_added_up_from_where_the_plan_begins(budget, month):
    assert used_up({"ML": budget})["ml"] == (None if month is None else 1000 * month)


def test_what_is_unknown_is_not_used_up_and_a_team_without_work_uses_nothing():
    assert used_up({"ml": 1.0}, usd=(30.0, None))["ml"] is None
    assert used_up({"ml": 1000.0}, months=[900.0, None, *[9e9] * 10])["ml"] is None
    assert used_up({"ml": 1.0}, months=[900.0, None, *[900.0] * 10])["ml"] == 0
    assert used_up({"hr": 0.0})["hr"] is None
    assert used_up({})["ml"] is None
