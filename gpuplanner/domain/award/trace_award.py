"""Traces of an award: what a line costs in all, what a quote saves and is worth, and what a vendor saves and has."""

from collections.abc import Callable
from typing import Final

from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import (
    Amount,
    Reached,
    Trace,
    TraceColumn,
    TraceRow,
    figure,
    parts_of,
)
from gpuplanner.domain.award.award import Award, Awarded, Vendor
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.award import AWARD, OF_VENDOR, QUOTE, VENDOR
from gpuplanner.domain.message import Text, joined, worded

_COST_INPUTS: Final = ("bought_gpus", "rate", "upfront_per_gpu", "term_hours")
_AT_RATES: Final = worded(
    "For each rate the plan is worked out anew, with all other offers and the quote's upfront payment as they are; "
    "signed is what it takes in its first twelve months."
)
_WITHOUT: Final = worded("The award is divided anew without what is left out, all else alike.")


def line_key(one: Awarded) -> str:
    """The subject of a line: its row and its offer."""
    return f"{one.row.name} {one.offer.offer_id}"


def answer(award: Award, figure_id: str) -> Trace:
    """Why an award's figure is what it is. Errors: KeyError for a kind, StopIteration for a line, that is not there."""
    kind, scope, subject = parts_of(figure_id)
    return ANSWERS[kind](award, scope, subject)


def cost(award: Award, scope: str, subject: str) -> Trace:
    """What a line costs over its term."""
    one = next(line for line in award.awarded if line_key(line) == subject)
    title = worded("{row}, {offer_id}", row=one.row.name, offer_id=one.offer.offer_id)
    given = {key: getattr(one, key) for key in _COST_INPUTS}
    return explained(AWARD, "liability", Inputs(given, subject, title))


def saves(award: Award, scope: str, subject: str) -> Trace:
    """What the award would cost more without a quote; scope OF_VENDOR: without all of a vendor's."""
    if scope == OF_VENDOR:
        vendor = _vendor(award, subject)
        given = {"cost_with": vendor.cost_with, "cost_without": vendor.cost_without}
        return explained(VENDOR, "saves", Inputs(given, subject, _name(vendor)), _WITHOUT)
    quote = next(one for one in award.quotes if one.offer.offer_id == subject)
    given = {"cost_with": quote.cost_with, "cost_without": quote.cost_without}
    return explained(QUOTE, "saves", Inputs(given, subject), _WITHOUT)


def share(award: Award, scope: str, subject: str) -> Trace:
    """Which share of the award a vendor has."""
    vendor = _vendor(award, subject)
    whole = sum(one.awarded for one in award.vendors) if award.shared is None else award.shared
    given = {"awarded": vendor.awarded, "awarded_in_all": whole}
    return explained(VENDOR, "awarded_share", Inputs(given, subject, _name(vendor)))


def worth(award: Award, scope: str, subject: str) -> Trace:
    """Up to which rate a quote is worth signing: the highest of the rates that were tried at which the advice signs."""
    quote = next(one for one in award.quotes if one.offer.offer_id == subject)
    one = QUOTE["worth_rate"]
    amount = Amount(quote.worth_rate, one.unit.key)
    above = min((rate for rate, is_signed in quote.tried if not is_signed), default=None)
    rows = (
        TraceRow(
            worded("as quoted") if rate == quote.rate else worded("tried"),
            (Amount(rate, one.unit.key), worded("signs it") if is_signed else worded("does not sign it")),
        )
        for rate, is_signed in sorted(quote.tried)
    )
    return Trace(
        figure(one.why, subject),
        worded("{figure} of {name}", figure=one.title, name=subject),
        amount.value,
        amount.unit,
        one.unit.per,
        worded("{figure} = the highest rate tried at which the advice signs it", figure=one.title),
        (amount, worded(" signed, "), Amount(above, one.unit.key), worded(" not"), " = ", amount),
        (TraceColumn(titles.RATE, one.unit.key), TraceColumn(worded("The advice"), "text")),
        tuple(rows),
        Reached(),
        _AT_RATES,
    )


def _vendor(award: Award, subject: str) -> Vendor:
    """The provider of a name; "": offers that name none."""
    return next(one for one in award.vendors if (one.provider or "") == subject)


def _name(vendor: Vendor) -> Text:
    """How a title calls it."""
    return joined((vendor.provider or worded("offers without a provider"),))


Answer = Callable[[Award, str, str], Trace]
ANSWERS: Final[dict[str, Answer]] = {
    "award_cost": cost,
    "award_saves": saves,
    "award_share": share,
    "award_worth": worth,
}
"""Kind of figure -> what answers for it; as the table of the audit's answers."""
