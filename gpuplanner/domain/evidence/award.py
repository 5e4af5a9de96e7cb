"""Answers about an award: total cost of a line, what a quote saves and is worth, savings and share of a vendor."""

from typing import Final

from gpuplanner.domain.award.award import Award, Vendor, line_key
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed, explained
from gpuplanner.domain.evidence.trace import Amount, Trace, TraceRow
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.award import AWARD, OF_VENDOR, QUOTE, VENDOR
from gpuplanner.domain.message import Text, joined, worded

OF_AWARD: Final = Answers[Award]()
_COST_INPUTS: Final = ("bought_gpus", "rate", "upfront_per_gpu", "term_hours")


@OF_AWARD.explains(AWARD, "liability")
def cost(award: Award, scope: str, subject: str) -> Inputs:
    """What a line costs over its term."""
    awarded = next(line for line in award.awarded if line_key(line) == subject)
    title = worded("{row}, {offer}", row=awarded.row.name, offer=awarded.offer.offer_id)
    return Inputs(values={key: getattr(awarded, key) for key in _COST_INPUTS}, name=subject, title=title)


@OF_AWARD.gives("award_saves")
def saves(award: Award, scope: str, subject: str) -> Trace:
    """What the award would cost more without a quote; scope OF_VENDOR: without all of a vendor's."""
    costs: tuple[float | None, float | None]
    if scope == OF_VENDOR:
        vendor = _vendor(award, subject)
        subjects, name, costs = VENDOR, _name(vendor), (vendor.cost_with, vendor.cost_without)
    else:
        quote = next(row for row in award.quotes if row.offer.offer_id == subject)
        subjects, name, costs = QUOTE, "", (quote.cost_with, quote.cost_without)
    note = worded("The award recalculated without it.")
    given = dict(zip(("cost_with", "cost_without"), costs, strict=True))
    return explained(subjects, "saves", Inputs(values=given, name=subject, title=name, note=note))


@OF_AWARD.explains(VENDOR, "awarded_share")
def share(award: Award, scope: str, subject: str) -> Inputs:
    """Which share of the award a vendor has."""
    vendor = _vendor(award, subject)
    whole = sum(vendor.awarded for vendor in award.vendors) if award.shared is None else award.shared
    return Inputs(
        values={"awarded": vendor.awarded, "awarded_in_all": whole}, name=subject, title=_name(vendor)
    )


@OF_AWARD.lists(
    worded("{figure} of {name}", figure=QUOTE["worth_rate"].title),
    QUOTE["worth_rate"].unit,
    worded("{figure} = highest rate at which the plan still orders it", figure=QUOTE["worth_rate"].title),
    (
        trace.TraceColumn(titles.RATE, QUOTE["worth_rate"].unit.key),
        trace.TraceColumn(worded("The advice"), "text"),
    ),
    trace.Reached(),
    note=worded("Recalculated per rate, all else unchanged; orders of 12 months count."),
    kind="award_worth",
)
def worth(award: Award, scope: str, subject: str) -> Listed:
    """Up to which rate a quote is worth signing: the highest of the rates that were tried at which the advice signs."""
    quote = next(row for row in award.quotes if row.offer.offer_id == subject)
    unit = QUOTE["worth_rate"].unit.key
    amount = Amount(quote.worth_rate, unit)
    above = Amount(min((rate for rate, is_signed in quote.tried if not is_signed), default=None), unit)
    rows = [
        TraceRow(
            worded("as quoted") if rate == quote.rate else worded("tried"),
            (Amount(rate, unit), worded("signs it") if is_signed else worded("does not sign it")),
        )
        for rate, is_signed in sorted(quote.tried)
    ]
    symbols = (amount, worded(" signed, "), above, worded(" not"), " = ", amount)
    return Listed(value=quote.worth_rate, rows=rows, name=subject, symbols=symbols)


def _vendor(award: Award, subject: str) -> Vendor:
    """The provider of a name; "": offers that name none."""
    return next(vendor for vendor in award.vendors if (vendor.provider or "") == subject)


def _name(vendor: Vendor) -> Text:
    """How a title calls it."""
    return joined((vendor.provider or worded("offers without a provider"),))
