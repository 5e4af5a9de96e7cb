"""Traces of a plan with one provider alone: what its year and the difference are made of."""

from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import Trace, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import summed
from gpuplanner.domain.commitment.evidence.plan_evidence import PlanEvidence
from gpuplanner.domain.commitment.uncertainty.one_provider import ProviderPlan
from gpuplanner.domain.figures.plan import ONE_PROVIDER
from gpuplanner.domain.figures.typed import day
from gpuplanner.domain.message import worded


def _of(evidence: PlanEvidence, provider: str) -> ProviderPlan:
    return next(one for one in evidence.alone if one.provider == provider)


def alone_year(evidence: PlanEvidence, scope: str, provider: str) -> Trace:
    """Its twelve months: contracts that run on, orders and use of this provider."""
    found = _of(evidence, provider)
    months = found.alone.comparison if found.alone is not None else ()
    return summed(
        figure("alone_year", provider),
        worded("Twelve months with {provider} alone", provider=provider),
        found.alone_year,
        "usd",
        worded("\u03a3 over twelve months of contracts that run + orders that run + what is paid by use"),
        [TraceRow(worded("Month from {day}", day=day(month.start_s)), (month.plan_usd,)) for month in months],
        said_as=ONE_PROVIDER["alone_year"].unit.per,
    )


def beside_plan(evidence: PlanEvidence, scope: str, provider: str) -> Trace:
    """The year with one provider less the year of the plan."""
    found = _of(evidence, provider)
    row = Inputs({"alone_year": found.alone_year, "plan_year": found.plan_year}, provider)
    return explained(ONE_PROVIDER, "beside_plan", row)
