"""The dated rates of offers: which of two counts, which is kept as an earlier one, and the history of one offer."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.window import is_day


def is_dated(offer: Offer) -> bool:
    """Whether it says a rate and the day that it was of: only such a rate is worth keeping.

    A rate of 0 is none, and a day is an ISO date.
    """
    return offer.rate is not None and offer.as_of is not None and is_day(offer.as_of)


def newest(offers: Iterable[Offer]) -> tuple[tuple[Offer, ...], tuple[Offer, ...]]:
    """Offers by id, and the dated rates that do not count. Law: no dated rate is lost.

    Of two of one id the newer counts where both are dated, else the one that comes later.
    """
    found: dict[str, Offer] = {}
    earlier: list[Offer] = []
    for offer in offers:
        held = found.get(offer.offer_id)
        found[offer.offer_id] = offer if held is None else _counting(held, offer)
        earlier += [] if held is None else _kept(held, offer)
    return tuple(found[offer_id] for offer_id in sorted(found)), tuple(earlier)


def joined(book: Sequence[Offer], coming: Iterable[Offer]) -> tuple[tuple[Offer, ...], tuple[Offer, ...]]:
    """A price book with a list that joins it: of one offer, whatever its ids, the newer dated rate counts.

    Returns the offers, and the dated rates that do not count.
    """
    fresh, earlier = newest(coming)
    gone = set()
    for held, offer in _same_product(book, fresh):
        if is_dated(held) and is_dated(offer) and held.as_of != offer.as_of:
            older = held if _counting(held, offer) is offer else offer
            gone.add(older.offer_id)
            earlier = (*earlier, older)
    left = (offer for offer in (*book, *fresh) if offer.offer_id not in gone)
    offers, more = newest(left)
    return offers, (*earlier, *more)


def replaced(book: Sequence[Offer], coming: Iterable[Offer]) -> tuple[tuple[Offer, ...], tuple[Offer, ...]]:
    """A list in place of a price book: its offers, and the dated rates of these very offers that the book had.

    Returns the offers, and the dated rates that do not count.
    """
    fresh, earlier = newest(coming)
    by_id = {offer.offer_id: offer for offer in fresh}
    pairs = [(held, by_id[held.offer_id]) for held in book if held.offer_id in by_id]
    for held, offer in (*pairs, *_same_product(book, fresh)):
        earlier = (*earlier, *(one for one in _kept(held, offer) if one is held))
    return fresh, earlier


def with_earlier(known: Iterable[Offer], more: Iterable[Offer], offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Earlier dated rates, one an offer and day, by id and day; one that an offer has itself is none of them.

    Of two of one offer and day the later in the list counts.
    """
    own = {(offer.offer_id, offer.as_of) for offer in offers if is_dated(offer)}
    found = {(one.offer_id, one.as_of or ""): one for one in (*known, *more)}
    return tuple(found[key] for key in sorted(found) if key not in own)


def histories(offers: Sequence[Offer], earlier: Iterable[Offer]) -> dict[str, tuple[Offer, ...]]:
    """By offer_id the dated rates of an offer, oldest first, its own where its day puts it.

    Earlier ones are of its id, or of its product where no other offer is of that; of its model, category and term.
    """
    counts = Counter(map(_product, offers))
    ids = {offer.offer_id for offer in offers}
    by_id: dict[object, list[Offer]] = {}
    by_product: dict[object, list[Offer]] = {}
    for one in filter(is_dated, earlier):
        by_id.setdefault((one.offer_id, _kind(one)), []).append(one)
        if one.offer_id not in ids and _product(one) is not None:
            by_product.setdefault(_product(one), []).append(one)
    found = {}
    for offer in offers:
        product = _product(offer)
        before = by_id.get((offer.offer_id, _kind(offer)), [])
        if product is not None and counts[product] == 1:
            before = [*by_product.get(product, ()), *before]
        by_day = {one.as_of or "": one for one in (*before, *([offer] if is_dated(offer) else []))}
        found[offer.offer_id] = tuple(by_day[day] for day in sorted(by_day))
    return found


def _counting(held: Offer, coming: Offer) -> Offer:
    """Of two of one offer the one that counts: the newer where both are dated, else the one that comes."""
    if is_dated(held) and is_dated(coming) and (held.as_of or "") > (coming.as_of or ""):
        return held
    return coming


def _kept(held: Offer, coming: Offer) -> list[Offer]:
    """What is kept of the one that does not count: a rate of the same day was a mistake, one without a day nothing."""
    counts = _counting(held, coming)
    other = held if counts is coming else coming
    is_mistake = is_dated(counts) and counts.as_of == other.as_of
    return [other] if is_dated(other) and not is_mistake else []


def _kind(offer: Offer) -> tuple[object, ...]:
    """Model, category and term: what two offers of one product have in common whatever their provider."""
    return offer.gpu_model.casefold(), offer.pricing_category, offer.term_months, offer.term_days


def _product(offer: Offer) -> tuple[object, ...] | None:
    """What an offer is of, whatever its id; None where its provider is not known, and of a quote: it takes no list's
    place, for it is for one row of a request."""
    region = (offer.region or "").casefold()
    if offer.provider is None or answered_row(offer) is not None:
        return None
    return (offer.provider.casefold(), region, *_kind(offer))


def _same_product(book: Sequence[Offer], fresh: Sequence[Offer]) -> Iterator[tuple[Offer, Offer]]:
    """An offer of each under two ids, where each has one alone of that product."""
    of_fresh = {_product(offer): offer for offer in fresh}
    counts = [Counter(map(_product, offers)) for offers in (book, fresh)]
    ids = {offer.offer_id for offer in book} & {offer.offer_id for offer in fresh}
    for held in book:
        offer = of_fresh.get(_product(held))
        if _product(held) is None or offer is None or {held.offer_id, offer.offer_id} & ids:
            continue
        if all(count[_product(held)] == 1 for count in counts):
            yield held, offer
