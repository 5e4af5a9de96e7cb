"""Which row of a request an offer is a quote for."""

from collections.abc import Sequence

from gpuplanner.domain.commitment.plan.asked_rows import AskedRow
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import answered_row


def row_quoted_for(offer: Offer, rows: Sequence[AskedRow]) -> int | None:
    """The place of the row that an offer answers; None where it answers no request, or no row asks for its like.

    That is the row of its model and term that starts nearest to the day it was quoted for: rows are numbered anew as
    the plan changes. Of two that are as near the one whose number it names, else the first.
    """
    answered = answered_row(offer)
    alike = [place for place, row in enumerate(rows) if _is_for(offer, row)]
    if answered is None or not alike:
        return None
    number, day_s = answered[1], offer.starts_s

    def how_far(place: int) -> tuple[int, bool, int]:
        """Seconds between the days, whether it has another number, and its place."""
        row = rows[place]
        return 0 if day_s is None else abs(row.start_s - day_s), row.name != number, place

    return min(alike, key=how_far)


def is_of_term(offer: Offer, row: AskedRow) -> bool:
    """Whether an offer is of the very term of a row: as many months, or as many days."""
    if row.term_days or offer.term_days:
        return offer.term_days == row.term_days
    return offer.term_months == row.term_months


def _is_for(offer: Offer, row: AskedRow) -> bool:
    """Whether an offer is of the model and term of a row, and from who may serve it."""
    return offer.gpu_model == row.gpu_model and is_of_term(offer, row) and row.only.allows(offer)
