"""Offers: all replaced or some added, with earlier rates kept, and quotes that vendors take back."""

from collections.abc import Iterable, Sequence
from operator import attrgetter

from gpuplanner.domain.edits.find import with_values
from gpuplanner.domain.edits.taken_rows import one_spelling, rows_by_id
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_history import joined, replaced, with_earlier
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.intake import FileIntake, row_key, taken_back
from gpuplanner.domain.model.project import Project


def replace_offers(project: Project, offers: Iterable[Offer], earlier: Iterable[Offer] = ()) -> Project:
    """The project with these offers and no others; dated rates that they take the place of are kept as earlier ones.

    earlier: more of these.
    """
    fresh, gone = replaced(project.offers, one_spelling(project, offers))
    return with_offers(project, fresh, (*gone, *earlier))


def add_offers(project: Project, offers: Iterable[Offer], earlier: Iterable[Offer] = ()) -> Project:
    """The project with these offers too; of one that is there already the newer rate counts, the older is kept.

    What an offer may be is checked where it is read.
    """
    both, gone = joined(project.offers, one_spelling(project, offers))
    return with_offers(project, both, (*gone, *earlier))


def without_taken_back(
    offers: Sequence[Offer], intake: Sequence[FileIntake]
) -> tuple[tuple[Offer, ...], tuple[Offer, ...]]:
    """Offers without quotes whose vendor says in a later answer that it does not bid; then those quotes.

    intake: of all files that the project has, in the order in which they were read.
    """
    rows = taken_back(intake)
    gone = [
        offer
        for offer in offers
        if rows
        and (answered := answered_row(offer)) is not None
        and row_key(offer.provider or "", answered.reference, answered.row) in rows
    ]
    ids = {offer.offer_id for offer in gone}
    return tuple(offer for offer in offers if offer.offer_id not in ids), tuple(gone)


def with_offers(project: Project, offers: Iterable[Offer], gone: Iterable[Offer] = ()) -> Project:
    """The project with just these offers, each of its own id; gone: more dated rates that are kept as earlier ones.

    Of two of one id the later counts. Sorted by id.
    """
    now = rows_by_id(one_spelling(project, offers), attrgetter("offer_id"))
    earlier = with_earlier(project.earlier_offers, one_spelling(project, gone), now)
    return with_values(project, offers=now, earlier_offers=earlier)
