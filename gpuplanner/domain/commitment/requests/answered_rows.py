"""Which row of a request an offer is a quote for, and whether it can be ordered in time for a row."""

from collections.abc import Mapping, Sequence

from gpuplanner.domain.commitment.recursion.calendar import ANY_TIME, Calendar, lead_s
from gpuplanner.domain.commitment.requests.asked_rows import AskedRow
from gpuplanner.domain.fit.asked_needs import is_quoted_with
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import answered_row, quoted_start
from gpuplanner.domain.model.window import day_of


def rows_quoted_for(
    offer: Offer, rows: Sequence[AskedRow], calendar: Calendar = ANY_TIME
) -> tuple[int, ...] | None:
    """The places of the rows that an offer answers; None where it answers no request, and is for any row.

    Those of its model and term with an order that the plan might give it (calendar: of that plan), which need no more
    than it was asked for; rows are numbered anew as the plan changes. Where months are not known the nearest of them.
    Source: docs/formulas.md, Quotes.
    """
    if answered_row(offer) is None:
        return None
    months = calendar.months_quoted_for(offer)
    alike = [
        place
        for place, row in enumerate(rows)
        if _is_for(offer, row) and (months is None or any(order.month in months for order in row.orders))
    ]
    return tuple(alike) if months is not None else tuple(alike and [_nearest(offer, rows, alike)])


def row_quoted_for(offer: Offer, rows: Sequence[AskedRow], calendar: Calendar = ANY_TIME) -> int | None:
    """The place of the row that a quote stands beside; None for one that is for none of them, and for what is no quote.

    Of the rows that it answers one that the plan gave it, else the one that starts nearest to the day it was quoted
    for; of two that are as near the one whose number it names, else the first.
    """
    found = rows_quoted_for(offer, rows, calendar)
    return _nearest(offer, rows, found) if found else None


def _nearest(offer: Offer, rows: Sequence[AskedRow], places: Sequence[int]) -> int:
    """The row among some that a quote is for first."""
    answered, quote = answered_row(offer), quoted_start(offer)
    number = "" if answered is None else answered.row
    day_s = None if quote is None else quote.offered_s

    def how_far(place: int) -> tuple[bool, int, bool, int]:
        """Whether it was given none of it, seconds between the days, whether it has another number, and its place."""
        row = rows[place]
        is_given = any(order.offer_id == offer.offer_id for order in row.orders)
        far = 0 if day_s is None else abs(row.start_s - day_s)
        return not is_given, far, row.name != number, place

    return min(places, key=how_far)


def is_of_term(offer: Offer, row: AskedRow) -> bool:
    """Whether an offer is of the very term of a row: as many months, or as many days."""
    if row.term_days or offer.term_days:
        return offer.term_days == row.term_days
    return offer.term_months == row.term_months


def begins_s(offer: Offer, order_day_s: int) -> int:
    """When a term begins that is ordered on a day: after its lead, and once its capacity is there. Epoch seconds.

    What a vendor copied from the request as its earliest start is there as soon as it was asked for.
    """
    return max(day_of(order_day_s) + lead_s(offer), offer.starts_s or 0)


def latest_start_s(row: AskedRow, leads_s: Mapping[str, int], order_day_s: int) -> int:
    """The day asked for; where the plan's own offers cannot begin by then any more, the day on which they can.

    leads_s: by offer_id; all in epoch seconds.
    """
    own = [leads_s[order.offer_id] for order in row.orders if order.offer_id in leads_s]
    return max(row.start_s, day_of(order_day_s) + min(own, default=0))


def is_in_time(offer: Offer, start_s: int, order_day_s: int) -> bool:
    """Whether an offer that is ordered on a day begins on another or before, by the day (UTC)."""
    return day_of(begins_s(offer, order_day_s)) <= day_of(start_s)


def _is_for(offer: Offer, row: AskedRow) -> bool:
    """Whether an offer is of the model and term of a row, from who may serve it, and was asked for what it needs."""
    is_alike = offer.gpu_model == row.gpu_model and is_of_term(offer, row)
    return is_alike and row.only.allows(offer) and is_quoted_with(offer, row.needs)
