"""Ways to commit: every offer by itself, when in each month it can begin, for how long, at what rate."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.commitment.recursion.calendar import Calendar, is_block, lead_s, length_s
from gpuplanner.domain.commitment.recursion.rates import Prices
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.window import HOURS_PER_MONTH, MONTH_S
from gpuplanner.lazy_dataclass import dataclass, fields, replace


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ways:
    """What a slice may commit to, one column an offer: by length, then rate with what is paid upfront, then offer_id.

    Shapes: place (ways,) in the row's offers; length_s (ways,); is_block (ways,); terms (ways,) months of each;
    upfront (ways,) $ a GPU; is_open (months, ways); begin_s (months, ways) seconds from the plan's first moment at
    which one of that month begins; rate (months, ways) $ per GPU-hour when it is signed in that month, without what is
    paid upfront. A way shorter than a month renews for a month, but a block. lead_s (ways,): an order is placed so long
    before it begins; last_start_s (ways,): seconds from the plan's first moment, after which it is placed too late.
    """

    place: Ints
    length_s: Ints
    is_block: Bools
    terms: Ints
    upfront: Floats
    is_open: Bools
    begin_s: Ints
    rate: Floats
    lead_s: Ints
    last_start_s: Ints

    @property
    def count(self) -> int:
        """Number of ways."""
        return len(self.place)

    @property
    def months(self) -> Floats:
        """l: months that each binds and pays, (ways,): one that renews a whole one."""
        return np.asarray(
            np.where(self.is_block, self.length_s, np.maximum(self.length_s, MONTH_S)) / MONTH_S
        )

    @property
    def late(self) -> Floats:
        """x: the share of each month before a way of it begins, (months, ways)."""
        month_s = MONTH_S * np.arange(len(self.begin_s), dtype=np.int64)[:, None]
        return np.asarray((self.begin_s - month_s) / MONTH_S)

    @property
    def spread(self) -> Floats:
        """Rates with what is paid upfront, spread over the hours that each binds, (months, ways)."""
        return np.asarray(self.rate + self.upfront / (self.months * HOURS_PER_MONTH))

    def placed_rate(self, column: int, start_s: Ints) -> Floats:
        """$ per GPU-hour of orders that begin then, of the month in which each is placed; shape of start_s."""
        lead_s = int(self.lead_s[column])
        month = np.maximum(start_s - lead_s, 0) // MONTH_S + lead_s // MONTH_S
        return np.asarray(self.rate[np.minimum(month, len(self.rate) - 1), column])

    @property
    def settled_month(self) -> int:
        """The month from which on only ways are open that are open to the end: quotes for one start are not."""
        months = len(self.is_open)
        for_a_time = self.is_open & ~self.is_open[months - 1 :]
        return int(np.flatnonzero(for_a_time.any(axis=1)).max(initial=-1)) + 1

    def lasting(self, month: int) -> tuple["Ways", Ints]:
        """What of these ways counts from a month on, and the columns that they are here."""
        columns = np.flatnonzero(self.is_open[month:].any(axis=0))
        counts = (np.arange(len(self.is_open)) >= month)[:, None]
        kept = {name: getattr(self, name)[..., columns] for name in _NAMES}
        kept |= {name: kept[name] * counts for name in ("is_open", "begin_s", "rate")}
        return Ways(**kept | {"place": np.arange(len(columns))}), columns

    def of_term(self, term_months: int) -> int:
        """The first column of a term that is open in month 0; -1 where there is none."""
        places = np.flatnonzero((self.terms == term_months) & self.is_open[0])
        return int(places[0]) if len(places) else -1

    def soonest_of(self, term_months: int) -> int:
        """Return the first column of a term among those that are open soonest; -1 if none ever is."""
        places = np.flatnonzero((self.terms == term_months) & self.is_open.any(axis=0))
        first = self.is_open.argmax(axis=0)
        return int(min(places.tolist(), key=lambda place: (first[place], place), default=-1))

    @property
    def key(self) -> tuple[object, ...]:
        """What tells these ways from others of the same offers.

        Bytes of the arrays: equal keys mean equal ways, bit for bit.
        """
        return tuple(getattr(self, name).tobytes() for name in _NAMES)


_NAMES: Final = tuple(field.name for field in fields(Ways))


def ways_of(
    offers: Sequence[Offer],
    months: int,
    calendar: Calendar,
    prices: Prices,
    closed: Collection[str] = (),
    closed_in: Mapping[str, Bools] | None = None,
    ends_by_month: float | None = None,
) -> Ways:
    """The ways of months 0..months-1. offers: committed, cheapest first; closed: offer_ids that nobody may take.

    closed_in: of offers that are closed in some months, (months,); ends_by_month: none may reach beyond it.
    """
    kept = unbeaten(offers, prices, closed)
    kept.sort(key=lambda at: (_months_bound(offers[at]), spread_when_signed(offers[at]), offers[at].offer_id))
    open_offers = [offers[at] for at in kept]
    shape = (months, len(open_offers))
    is_open, begin_s, rate = np.zeros(shape, np.bool_), np.zeros(shape, np.int64), np.full(shape, np.nan)
    month_s = MONTH_S * np.arange(months, dtype=np.int64)
    for column, offer in enumerate(open_offers):
        begin_s[:, column], is_open[:, column] = calendar.begins(offer, months)
        rate[:, column] = (offer.rate or 0.0) * prices.of_offer(offer, months)
        if closed_in and offer.offer_id in closed_in:
            is_open[:, column] &= ~closed_in[offer.offer_id][:months]
        if ends_by_month is not None:
            is_open[:, column] &= month_s + length_s(offer) <= ends_by_month * MONTH_S
    return Ways(
        place=np.array(kept, dtype=np.int64),
        length_s=np.array([length_s(offer) for offer in open_offers], dtype=np.int64),
        is_block=np.array([is_block(offer) for offer in open_offers], dtype=np.bool_),
        terms=np.array([offer.term_months for offer in open_offers], dtype=np.int64),
        upfront=np.array([offer.upfront for offer in open_offers], dtype=np.float64),
        is_open=is_open,
        begin_s=begin_s,
        rate=rate,
        lead_s=np.array([lead_s(offer) for offer in open_offers], dtype=np.int64),
        last_start_s=np.array([calendar.last_start_s(offer) for offer in open_offers], dtype=np.int64),
    )


def without_terms(ways: Ways, terms: Collection[int]) -> Ways:
    """The same ways with some terms, whole months, offered to nobody."""
    return replace(ways, is_open=ways.is_open & ~np.isin(ways.terms, sorted(terms))[None, :])


def spread_when_signed(offer: Offer, level: Any = 1.0) -> Any:
    """$ per GPU-hour of an offer signed at so many times its rate, with what is paid upfront spread over the hours that
    it binds: of what is shorter than a month and renews, all of that month. level: a number, or one a month."""
    return (offer.rate or 0.0) * level + offer.upfront / (_months_bound(offer) * HOURS_PER_MONTH)


def unbeaten(offers: Sequence[Offer], prices: Prices, closed: Collection[str]) -> list[int]:
    """Places of the offers that no other of their length beats in rate with what is paid upfront and in lead.

    closed: offer_ids that nobody may take: they are not among them and beat nobody. Only offers without limits beat or
    are beaten: those with days, quotes, or a most or least of GPUs stay, and where prices of a GPU model move by
    themselves all of them do. Source: docs/formulas/policy.md.
    """
    best: dict[float, list[Offer]] = {}
    kept = []
    for at in sorted(
        range(len(offers)), key=lambda at: (spread_when_signed(offers[at]), offers[at].offer_id)
    ):
        offer = offers[at]
        if offer.offer_id in closed:
            continue
        # another of its length may be open where what has limits or dates is not
        is_dated = offer.starts or offer.ends or offer.valid_until or answered_row(offer)
        if prices.changes or is_dated or offer.max_gpus is not None or offer.min_gpus:
            kept.append(at)
            continue
        cheaper = best.setdefault(_months_bound(offer), [])
        if not any(other.lead_time_hours <= offer.lead_time_hours for other in cheaper):
            cheaper.append(offer)
            kept.append(at)
    return kept


def _months_bound(offer: Offer) -> float:
    """How long one binds, in months: what is shorter renews for a month."""
    return length_s(offer) / MONTH_S if is_block(offer) else max(length_s(offer) / MONTH_S, 1.0)
