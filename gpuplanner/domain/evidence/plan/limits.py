"""Answers about limits: cost of each, and twelve months with one provider alone."""

from typing import Final

from gpuplanner.domain.commitment.uncertainty.limit_costs import ProviderPlan
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed, explained
from gpuplanner.domain.evidence.plan.layers import PlanEvidence
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.plan import LIMIT, ONE_PROVIDER
from gpuplanner.domain.message import joined, worded

WHY: Final = Answers[PlanEvidence]()


def _alone(evidence: PlanEvidence, provider: str) -> ProviderPlan:
    return next(plan for plan in evidence.alone if plan.provider == provider)


@WHY.sums(
    worded("Twelve months with {name} alone"),
    ONE_PROVIDER["alone_year"].unit,
    worded("Contracts + its orders and on demand + planned cost of GPUs it does not sell"),
)
def alone_year(evidence: PlanEvidence, scope: str, provider: str) -> Listed:
    """Its twelve months: contracts that run on, orders and use of this provider, and what it does not sell."""
    plan = _alone(evidence, provider)
    rows = [trace.TraceRow(name, (usd,)) for name, usd in plan.year_parts]
    return Listed(value=plan.alone_year, rows=rows, name=provider)


@WHY.explains(ONE_PROVIDER, "beside_plan")
def beside_plan(evidence: PlanEvidence, scope: str, provider: str) -> Inputs:
    """The year with one provider less the year of the plan."""
    plan = _alone(evidence, provider)
    return Inputs(values={"alone_year": plan.alone_year, "plan_year": plan.plan_year}, name=provider)


@WHY.gives_each({LIMIT[key].why: LIMIT[key] for key in ("limit_cost", "limit_cost_in_year")})
def of_limit(cost: Figure, evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """What a limit costs, a month or in twelve; subject: the limit in words, in either case.

    Errors: StopIteration where no such limit is set, or what it costs is not worked out yet.
    """
    limits = evidence.outlook.limits
    cost_row = next(row for row in limits if str(row.limit.words).casefold() == subject.casefold())
    note = joined(filter(None, (cost_row.why, cost.note)), ". ") if cost_row.why else ""
    opens = {"plan": trace.figure("plan_usd")}
    return explained(
        LIMIT,
        cost.key,
        Inputs(values=cost_row.inputs, name=subject, title=cost_row.limit.words, opens=opens, note=note),
    )
