"""Answers about spend for one order or user."""

from typing import Final

from gpuplanner.domain.audit.unit_costs.business_costs import BusinessCost
from gpuplanner.domain.evidence.answering import Answers, Inputs
from gpuplanner.domain.evidence.costs.cost_evidence import CostEvidence
from gpuplanner.domain.evidence.trace import Trace, read
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.figures.unit_costs import BUSINESS
from gpuplanner.domain.message import Message, Text, worded

WHY: Final = Answers[CostEvidence]()


def _business(evidence: CostEvidence, subject: str) -> BusinessCost:
    return next(row for row in evidence.business if row.subject == subject)


def _month_of(row: BusinessCost) -> Message:
    return worded("{name}, {month}", name=row.name, month=row.month)


@WHY.gives("business_usd")
def business_usd(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """What was spent in the hours of a month that the window has; of month 12 what the plan costs in it."""
    row = _business(evidence, subject)
    if row.is_planned:
        source: Text = worded("the plan's cost in month 12, see Today to plan")
    else:
        source = worded(
            "the audit: {hours} hours of the month, contracts and overflow", hours=whole(row.hours)
        )
    return read(_month_of(row), row.business_cost, "usd", source, words=BUSINESS["business_cost"].title)


@WHY.gives("business_unserved")
def business_unserved(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """GPU-hours of month 12 that the plan serves nobody with."""
    row = _business(evidence, subject)
    source = worded("plan month 12: unserved demand, in no amount of the plan")
    note = worded("Checks gives the reason. The spend excludes serving them.")
    words = BUSINESS["unserved"].title
    return read(_month_of(row), row.unserved, "gpu_hours", source, words=words, note=note)


@WHY.explains(BUSINESS, "cost_each")
def business_each(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """Spend over the count of the same hours."""
    row = _business(evidence, subject)
    values = {"value": row.value, "counted_share": row.counted_share, "business_cost": row.business_cost}
    return Inputs(values=values, name=subject, title=_month_of(row), note=_held(row))


def _held(row: BusinessCost) -> Text:
    if not row.is_planned:
        return worded("The count is spread evenly over the month.")
    if row.held_from == row.month:
        return worded("Month 12 of the plan (730 h), at its count.")
    return worded("Month 12 of the plan (730 h), at the count of {month}.", month=row.held_from)
