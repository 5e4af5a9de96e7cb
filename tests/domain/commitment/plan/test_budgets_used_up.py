"""When a budget is used up: the first month at whose end a team's share of the plan exceeds what it was given."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.costs.charge_rows import charges
from gpuplanner.domain.audit.costs.charge_words import ChargeBy
from gpuplanner.domain.audit.costs.chargeback import charged
from gpuplanner.domain.audit.costs.unit_costs import past_of
from gpuplanner.domain.commitment.plan.budgets_used_up import with_used_up
from gpuplanner.domain.commitment.result import ComparisonMonth
from tests.oracle.projects import random_case

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
    answer = audit(project, case.classifications)
    rows = charges(project, charged(past_of(project, answer), answer), ChargeBy.TEAM)
    advice = SimpleNamespace(
        comparison=[ComparisonMonth(at, 1000 * at, 0.0, plan) for at, plan in enumerate(months)],
        workload_usd={first.key: usd[0], second.key: usd[1]},
    )
    return {row.name: row.used_up_s for row in with_used_up(rows, advice, project.workloads).rows}


@pytest.mark.parametrize(
    ("budget", "month"),
    [(299.0, 0), (300.0, 2), (333.0, 2), (334.0, 3), (455.0, 11), (459.0, None)],
)  # a third of 900, 1800, 3000, 4500, 6000, ... 16500
def test_both_are_added_up_from_where_the_plan_begins(budget, month):
    assert used_up({"ML": budget})["ml"] == (None if month is None else 1000 * month)


def test_what_is_unknown_is_not_used_up_and_a_team_without_work_uses_nothing():
    assert used_up({"ml": 1.0}, usd=(30.0, None))["ml"] is None
    assert used_up({"ml": 1000.0}, months=[900.0, None, *[9e9] * 10])["ml"] is None
    assert used_up({"ml": 1.0}, months=[900.0, None, *[900.0] * 10])["ml"] == 0
    assert used_up({"hr": 0.0})["hr"] is None
    assert used_up({})["ml"] is None
