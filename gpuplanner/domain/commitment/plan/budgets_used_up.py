"""When budgets of teams are used up: the first month of a plan at whose end a team's $ exceed its budget."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from gpuplanner.domain.audit.costs.charge_rows import Charge, Charges
from gpuplanner.domain.audit.costs.idle_shares import NOBODYS, as_logged, team_of
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.figures.columns import floats, optional
from gpuplanner.domain.figures.costs.chargeback import BUDGET_MONTH
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.log.workload import Workload

HALF_A_CENT = 0.005


def with_used_up(charges: Charges, advice: Advice, workloads: Sequence[Workload]) -> Charges:
    """The rows with the month in which their budget is used up; None where it lasts or something is unknown.

    workloads: those that the advice planned. A month's $ are the team's share of what the plan costs in it, and both
    its $ and its budget are added up from where the plan begins. Source: docs/formulas.md, Who pays.
    """
    per_month: dict[str, float | None] = {}
    owners = as_logged((one.owner for one in workloads), (row.name or NOBODYS for row in charges.rows))
    for one in workloads:
        team = team_of(owners[one.owner])
        per_month[team] = known_sum((per_month.get(team, 0.0), advice.workload_usd.get(one.key, 0.0)))
    every = known_sum(per_month.values())

    def used_up_s(row: Charge) -> int | None:
        if row.budget_per_month is None:
            return None
        found = BUDGET_MONTH.value(
            "charged_in_month",
            {
                "plan_in_month": floats([month.plan_usd for month in advice.comparison]),
                "team_in_plan": floats([per_month.get(row.team or NOBODYS, 0.0)] * len(advice.comparison)),
                "all_in_plan": floats([every] * len(advice.comparison)),
            },
        )
        charged = accumulate(optional(found), lambda so_far, usd: known_sum((so_far, usd)))
        for number, (month, so_far) in enumerate(zip(advice.comparison, charged, strict=True), 1):
            if so_far is None:
                return None
            if so_far > number * row.budget_per_month + HALF_A_CENT:
                return month.start_s
        return None

    return replace(charges, rows=tuple(replace(row, used_up_s=used_up_s(row)) for row in charges.rows))
