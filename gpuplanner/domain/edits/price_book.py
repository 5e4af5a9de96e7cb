"""What a planner does with the price book: offers added, changed field by field, duplicated and removed."""

from dataclasses import replace

from gpuplanner.domain.edits.inputs import with_offers
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.offer_history import is_dated, with_earlier
from gpuplanner.domain.model.book.price_book import OfferValue, check_offer, with_value
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project


def add_offer(project: Project, offer: Offer) -> Project:
    """An offer more in the price book. Errors: PlannerError where its id is taken, or it cannot be.

    Its rate is of the day that it says, if it says any.
    """
    _require_free_id(project, offer.offer_id)
    return with_offers(project, (*project.offers, check_offer(offer)))


def change_offer(
    project: Project, offer_id: str, field: str, value: OfferValue, today: str | None = None
) -> Project:
    """One field of an offer (a name in model/book/price_book.py) as the planner knows it; None: unknown.

    today: ISO date: a rate that is entered is of that day, and the dated one before it is kept as an earlier one.
    Errors: PlannerError for an unknown offer or field, a value that it cannot have, or an id that is taken.
    """
    before = _offer(project, offer_id)
    after = with_value(before, field, value)
    gone: tuple[Offer, ...] = ()
    if field == "rate_usd_per_gpu_hour" and after.rate != before.rate and after.rate and today:
        after = replace(after, as_of=today)
        gone = (before,) if is_dated(before) and before.as_of != today else ()
    if after.offer_id != offer_id:
        _require_free_id(project, after.offer_id)
        renamed = (
            replace(one, offer_id=after.offer_id) if one.offer_id == offer_id else one
            for one in project.earlier_offers
        )
        project = replace(project, earlier_offers=with_earlier((), renamed, ()))
    return with_offers(project, (*(one for one in project.offers if one is not before), after), gone)


def duplicate_offer(project: Project, offer_id: str) -> Project:
    """A copy of an offer under the id that `copied_offer_id` gives.

    Errors: PlannerError for an unknown offer.
    """
    offer = _offer(project, offer_id)
    return with_offers(
        project, (*project.offers, replace(offer, offer_id=copied_offer_id(project, offer_id)))
    )


def remove_offer(project: Project, offer_id: str) -> Project:
    """The price book without an offer. Errors: PlannerError for an unknown one.

    Earlier dated rates of it stay.
    """
    gone = _offer(project, offer_id)
    return with_offers(project, (offer for offer in project.offers if offer is not gone))


def copied_offer_id(project: Project, offer_id: str) -> str:
    """The first of `x copy`, `x copy 2`, `x copy 3`, ... that no offer has.

    offer_id need not be there itself.
    """
    taken = {offer.offer_id for offer in project.offers}
    names = (
        str(
            worded("{offer_id} copy {number}", offer_id=offer_id, number=whole(number))
            if number > 1
            else worded("{offer_id} copy", offer_id=offer_id)
        )
        for number in range(1, len(taken) + 2)
    )
    return next(name for name in names if name not in taken)


def _offer(project: Project, offer_id: str) -> Offer:
    """Errors: PlannerError where no offer has that id."""
    for offer in project.offers:
        if offer.offer_id == offer_id:
            return offer
    raise PlannerError(
        offer_id, "usage", worded("no such offer"), worded("use one that the panel Prices lists")
    )


def _require_free_id(project: Project, offer_id: str) -> None:
    """Errors: PlannerError where an offer has that id."""
    if any(offer.offer_id == offer_id for offer in project.offers):
        raise PlannerError(
            offer_id, "usage", worded("there is an offer of that id"), worded("enter another id")
        )
