"""Answers about the cost of endpoints, of their tokens, and their premium."""

from typing import Final

from gpuplanner.domain.audit import cost_result, leak_claims
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed
from gpuplanner.domain.evidence.costs.cost_evidence import WINDOW_DOLLARS, CostEvidence
from gpuplanner.domain.evidence.trace import Trace, TraceRow, column_of, summed, titled
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.typed import amount
from gpuplanner.domain.figures.unit_costs import ENDPOINT, EQUAL_TERMS, PREMIUM, TRAFFIC
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.window import LONG_DAYS

WHY: Final = Answers[CostEvidence]()

ASSUMED_TOKENS: Final = worded("Assumes its sizing's traffic and tokens every week. A request log is better.")


def _endpoint(evidence: CostEvidence, key: str) -> cost_result.EndpointCost:
    return next(row for row in evidence.unit.endpoints if row.key == key)


@WHY.sums_of(ENDPOINT["cost_per_month"], worded("Cost = Σ over hours of the week (GPU-hours × rate)"))
def endpoint_usd(evidence: CostEvidence, scope: str, key: str) -> Listed:
    """$ a month of an endpoint, by day of the week."""
    row = _endpoint(evidence, key)
    days = zip(LONG_DAYS, row.by_weekday_per_month, strict=True)
    return Listed(
        value=row.cost_per_month,
        rows=[TraceRow(day, (known_sum(week),)) for day, week in days],
        name=row.name,
    )


@WHY.explains(ENDPOINT, "inactive_per_month")
def endpoint_idle(evidence: CostEvidence, scope: str, key: str) -> Inputs:
    """$ a month of an endpoint while it had nothing to do."""
    row = _endpoint(evidence, key)
    values = {"cost_per_month": row.cost_per_month, "activity": row.activity}
    note = "" if row.inactive_per_month is not None else ENDPOINT["inactive_per_month"].unknown
    return Inputs(values=values, name=key, title=row.name, note=note)


@WHY.explains(TRAFFIC, "cost_per_million_tokens")
def endpoint_tokens(evidence: CostEvidence, scope: str, key: str) -> Inputs:
    """$ for a million tokens, in the time that traffic and window share."""
    row = _endpoint(evidence, key)
    keys = ("cost", "context_tokens", "generated_tokens")
    values = {name: None if row.tokens is None else getattr(row.tokens, name) for name in keys}
    note: Text = ASSUMED_TOKENS if row.tokens is not None and row.tokens.is_assumed else ""
    if row.tokens is None:
        note = worded("Traffic is unknown. Import it.")
    return Inputs(values=values, name=key, title=row.name, note=note)


@WHY.explains(PREMIUM, "premium_per_month")
def endpoint_premium(evidence: CostEvidence, scope: str, key: str) -> Inputs:
    """$ a month above the cheapest offer that fits, at equal terms."""
    row = _endpoint(evidence, key)
    premium = row.premium
    values = {
        "paid_in_window": premium.paid_in_window,
        "offer_in_window": premium.offer_in_window,
        "months": evidence.months,
    }
    offer = worded("the same at {offer}", offer=premium.offer_id or worded("no offer"))
    note = worded(
        "The cheapest fitting offer of equal or shorter term, without lead time. Per used GPU-hour: paid "
        "{paid}, offer {asks}.",
        paid=_usd(premium.paid_per_used),
        asks=_usd(premium.offer_per_used),
    )
    return Inputs(values=values, name=key, title=row.name, labels={"offer_in_window": offer}, note=note)


@WHY.gives_each({PREMIUM[key].why: PREMIUM[key] for key in ("paid_in_window", "offer_in_window")})
def of_premium(asked: Figure, evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """One side of a premium: GPU-hours at a rate and a utilization, by who served or would serve them."""
    row, is_paid, rows = _endpoint(evidence, subject), asked.key == "paid_in_window", []
    for part in evidence.past.equal_terms.get(evidence.place_of(subject), ()):
        if is_paid:
            values = (part.rate, part.utilization, part.paid_usd)
        else:
            values = (part.offer_rate, part.offer_utilization, part.offer_usd)
        rows.append(TraceRow(_part_name(part, is_paid), (part.gpu_hours, *values)))
    terms = (column_of(EQUAL_TERMS[name]) for name in ("served_gpu_hours", "rate", "utilization"))
    return summed(
        titled(asked, row.name),
        getattr(row.premium, asked.key),
        asked.unit.key,
        worded("{name} = Σ (GPU-hours × rate ÷ utilization)", name=asked.title),
        rows,
        (*terms, WINDOW_DOLLARS),
        3,
        said_as=worded("in the lookback period"),
    )


def _part_name(part: leak_claims.EqualTerms, is_paid: bool) -> Message:
    """GPU model and, at equal terms, the offer."""
    offer = None if is_paid or part.offer is None else part.offer.offer_id
    return joined((part.gpu_model or worded("unknown model"), *((", ", offer) if offer else ())))


def _usd(value: float | None) -> Text:
    return worded("an unknown rate") if value is None else joined((amount(value, 4),))
