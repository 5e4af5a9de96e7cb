"""What nobody serves: GPU-hours of the twelve months by workload."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.comparison import unserved_in
from gpuplanner.domain.commitment.ground import Ground
from gpuplanner.domain.commitment.plan import COMPARED_MONTHS, PlannedRow
from gpuplanner.domain.commitment.result import ComparisonMonth, Unserved
from gpuplanner.domain.model.worded import worded

LEAST_GPU_HOURS: Final = 1e-6
OFFERS_ARE_TAKEN: Final = worded("no offer by use has GPUs left")
NOBODY_MAY: Final = worded("nobody who may serve it sells GPUs by use")
OVER_BUDGET: Final = worded("over the budget")


def unserved_of(ground: Ground, rows: Sequence[PlannedRow]) -> tuple[Unserved, ...]:
    """By pool, model and workload, in proportion to the GPU time of the row's workloads."""
    answer = []
    for planned in rows:
        row = planned.row
        planned_months = min(COMPARED_MONTHS, row.market.horizon_months)
        hours = sum(unserved_in(planned, month) for month in range(planned_months))
        if hours <= LEAST_GPU_HOURS:
            continue
        users = ground.plan.users[row.pool, row.gpu_model]
        given = planned.given_up
        is_given_up = given is not None and bool(given.slices.any())
        usd = float(given.usd.sum()) / COMPARED_MONTHS if given is not None and is_given_up else None
        for place in np.flatnonzero(users > 0).tolist():
            key = ground.project.workloads[place].key
            share = float(users[place] / users.sum())
            own_usd = None if usd is None else usd * share
            reason = OVER_BUDGET if is_given_up else NOBODY_MAY if row.flex.rate is None else OFFERS_ARE_TAKEN
            answer.append(Unserved(row.pool, row.gpu_model, key, hours * share, own_usd, reason))
    return tuple(sorted(answer, key=lambda one: (one.pool, one.gpu_model or "", one.key)))


def leaves_more_unserved(comparison: Sequence[ComparisonMonth], horizon_months: int) -> bool:
    """Whether the plan leaves GPU-hours unserved in a month in which doing nothing serves them: no figure of savings
    then compares like with like. Past the horizon nothing is signed: those months do not count."""
    return any(
        row.unserved_gpu_hours > row.do_nothing_unserved_gpu_hours + LEAST_GPU_HOURS
        for row in comparison[:horizon_months]
    )


def unserved_checks(unserved: Sequence[Unserved], has_no_savings: bool) -> Iterator[Check]:
    """One for each row with GPU-hours that nobody serves."""
    hours: dict[tuple[str, str], float] = {}
    reasons: dict[tuple[str, str], str] = {}
    for one in unserved:
        key = (one.pool, one.gpu_model or "unknown model")
        reasons[key] = one.reason
        hours[key] = hours.get(key, 0.0) + one.gpu_hours
    for (pool, model), amount in sorted(hours.items()):
        text = worded(
            "{amount} GPU-hours of twelve months are served by nobody: {reason}",
            amount=f"{amount:,.0f}",
            reason=reasons[pool, model],
        )
        if has_no_savings:
            text = text + worded("; doing nothing would serve them, so savings are not known")
        yield Check("unserved", "red", f"{pool} {model}", text)


def budget_check(ground: Ground, comparison: Sequence[ComparisonMonth]) -> Iterator[Check]:
    """The months that cost more than the budget although nothing is left to give up."""
    budget = ground.assumptions.budget_usd_per_month
    if budget is None:
        return
    over = [row for row in comparison if row.plan_usd is not None and row.plan_usd > budget + 0.005]
    if over:
        worst = max(over, key=lambda row: row.plan_usd or 0.0)
        text = worded(
            "month {month} costs ${usd}, ${contracts} of it for contracts that run on: the budget is ${budget}",
            month=worst.month,
            usd=f"{worst.plan_usd:,.0f}",
            contracts=f"{worst.contracts_usd or 0:,.0f}",
            budget=f"{budget:,.0f}",
        )
        yield Check("over_budget", "red", "plan", text)
