"""Which offers qualify for which rows that are asked for; each that does not says why."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from gpuplanner.domain.commitment import asked_rows
from gpuplanner.domain.commitment.recursion.calendar import ANY_TIME, Calendar, lead_s
from gpuplanner.domain.figures.typed import day, significant, whole
from gpuplanner.domain.fit.needs import is_quoted_with
from gpuplanner.domain.fit.rules import INTERCONNECT_RANK
from gpuplanner.domain.message import Message, Text, joined, lowered, worded
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ANYBODY, ModelMapping, Only, named_words, ratio_for, who_words
from gpuplanner.domain.model.book.quote_source import answered_row, is_quote, quoted_start
from gpuplanner.domain.model.book.remark import is_on_line_of, undecided
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.lazy_dataclass import dataclass, field, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What holds for every offer. order_day_s: the day on which it is ordered, epoch seconds. calendar: of the plan.

    sla_percent: asked for, of a month; None: any. over_share: providers whose contracts alone are over the share of the
    plan that one may have. max_share: 0..1 of the $ awarded that one provider may have, shares: that one who is named
    may; max_prepaid: $ that may be paid upfront in all. None: no limit. needs_vendor: an offer names who sells it.
    leads_s: seconds from an order to its start, by offer_id, of all that the plan may order.
    """

    order_day_s: int
    mappings: tuple[ModelMapping, ...] = ()
    sla_percent: float | None = None
    over_share: frozenset[str] = frozenset()
    shares: Mapping[Only, float] = field(default_factory=dict)
    max_share: float | None = None
    max_prepaid: float | None = None
    calendar: Calendar = ANY_TIME
    needs_vendor: bool = True
    leads_s: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Considered:
    """An offer beside a row of its GPU model or one mapped to it.

    ratio: GPUs of the row's model that one of the offer's is worth. start_s: the day by which it has to begin, epoch
    seconds. quoted_for: the names of the rows that it was quoted for, none where they are asked for no more; None: it
    is no quote and for any. against: why it does not qualify, nothing where it does; unknown: what it does not state
    that was asked for, with which it qualifies all the same.
    """

    row: asked_rows.AskedRow
    offer: Offer
    ratio: float
    start_s: int
    quoted_for: tuple[str, ...] | None = None
    against: tuple[Message, ...] = ()
    unknown: tuple[Message, ...] = ()

    @property
    def qualifies(self) -> bool:
        """Whether nothing speaks against it."""
        return not self.against

    @property
    def unit_gpus(self) -> int:
        """GPUs of the offer's model that are sold together."""
        return self.offer.unit_gpus or 1


def considered(
    asked: Sequence[asked_rows.AskedRow], offers: Sequence[Offer], conditions: Conditions
) -> tuple[Considered, ...]:
    """Every commitment on offer beside every firm row of its GPU model or one mapped to it, by row and offer.

    In the order of the rows and, in each, of provider and offer_id. asked: options too, which a quote may be for.
    Source: docs/formulas/quotes.md, Award.
    """
    committed = sorted(
        (offer for offer in offers if offer.pricing_category is PricingCategory.COMMITTED),
        key=lambda offer: (offer.provider or "", offer.offer_id),
    )
    leads = {**conditions.leads_s, **{offer.offer_id: lead_s(offer) for offer in committed}}
    quoted_for = {offer.offer_id: _rows_of(offer, asked, conditions.calendar) for offer in committed}
    pairs = []
    for row in asked:
        if row.is_option:
            continue
        for offer in committed:
            pair = beside(row, offer, quoted_for[offer.offer_id], leads, conditions)
            if pair is not None:
                pairs.append(pair)
    return tuple(pairs)


def quotes_among(offers: Sequence[Offer]) -> tuple[Offer, ...]:
    """The quotes among some offers: list prices are none. Of a line that renews, the quote for its first term alone: a
    row asks for all of its terms."""
    quotes = [offer for offer in offers if is_quote(offer)]
    return tuple(offer for offer in quotes if not any(_is_renewed_by(other, offer) for other in quotes))


def _is_renewed_by(first: Offer, later: Offer) -> bool:
    """Whether two quotes answer one line of a request, the first for a term before the other's."""
    start, other = quoted_start(first), quoted_start(later)
    if start is None or other is None or start.asked_s >= other.asked_s:
        return False
    return is_on_line_of(first, later)


def beside(
    row: asked_rows.AskedRow,
    offer: Offer,
    quoted_for: tuple[str, ...] | None,
    leads_s: Mapping[str, int],
    conditions: Conditions,
) -> Considered | None:
    """An offer beside a row; None where its GPU model may not serve what the row is for.

    quoted_for: names of the rows that it answers, None for any; leads_s: of the plan's offers, by offer_id.
    """
    ratio = worth_of(row, offer, conditions.mappings)
    if ratio is None:
        return None
    answered, quote = answered_row(offer), quoted_start(offer)
    start_s = asked_rows.latest_start_s(row, leads_s, conditions.order_day_s)
    if answered is not None and quote is not None and (answered.reference, answered.row) in row.asked_as:
        start_s = max(start_s, quote.asked_s)  # what was asked for on a day is in time on it
    pair = Considered(row=row, offer=offer, ratio=ratio, start_s=start_s, quoted_for=quoted_for)
    against = tuple(words for rule in _RULES if (words := rule(pair, conditions)) is not None)
    return replace(pair, against=against, unknown=_unknown(pair, conditions))


def _rows_of(
    offer: Offer, asked: Sequence[asked_rows.AskedRow], calendar: Calendar
) -> tuple[str, ...] | None:
    """The names of the rows that an offer answers; None: it answers no request, and is for any."""
    places = asked_rows.rows_quoted_for(offer, asked, calendar)
    return None if places is None else tuple(asked[place].name for place in places)


def worth_of(row: asked_rows.AskedRow, offer: Offer, mappings: Sequence[ModelMapping]) -> float | None:
    """GPUs of the row's model that one GPU of an offer is worth; None where it may not serve the row's demand.

    By way of the demand: where several rows of the plan are asked for together, the least.
    """
    if offer.gpu_model == row.gpu_model:
        return 1.0
    worths = []
    for order in row.orders:
        own = ratio_for(mappings, order.gpu_model, row.gpu_model, order.pool)
        other = ratio_for(mappings, order.gpu_model, offer.gpu_model, order.pool)
        if order.gpu_model is None or own is None or other is None:
            return None
        worths.append(other / own)
    return min(worths, default=None)


def _quoted_for(pair: Considered, conditions: Conditions) -> Message | None:
    """What a vendor answered for one row is no price for another."""
    if pair.quoted_for is None or pair.row.name in pair.quoted_for:
        return None
    if not pair.quoted_for:
        return worded("quoted for a dropped row")
    return worded("is quoted for {row}", row=joined(pair.quoted_for, ", "))


def _rate(pair: Considered, conditions: Conditions) -> Message | None:
    """A rate of zero is none: that asks for a quote."""
    offer = pair.offer
    if not offer.rate_usd_per_gpu_hour:
        return worded("no rate: a quote is needed")
    if offer.exchange is None:
        return worded("no exchange rate for {currency}", currency=offer.currency)
    return None


def _term(pair: Considered, conditions: Conditions) -> Message | None:
    """The very same term: a longer one binds longer, a shorter one ends before what is asked for does."""
    row, offer = pair.row, pair.offer
    asked = term_words(row.term_months, row.term_days)
    if not asked_rows.is_of_term(offer, row):
        term = term_words(offer.term_months, offer.term_days)
        return worded("term {term}, asked for {asked}", term=term, asked=asked)
    if offer.min_term_months > offer.term_months:
        least = term_words(offer.min_term_months, 0)
        return worded("minimum term {term}, asked for {asked}", term=least, asked=asked)
    return None


def _start(pair: Considered, conditions: Conditions) -> Message | None:
    """By the day (UTC): ordered on the day of the order, its lead passes, and its capacity is there."""
    if asked_rows.is_in_time(pair.offer, pair.start_s, conditions.order_day_s):
        return None
    soonest_s = asked_rows.begins_s(pair.offer, conditions.order_day_s)
    return worded("starts {day}, asked for {asked}", day=day(soonest_s), asked=day(pair.start_s))


def _end(pair: Considered, conditions: Conditions) -> Message | None:
    """Capacity that is gone before the term is over; a day's slack for terms that months end differently."""
    ends_s = pair.offer.ends_s
    end_s = pair.start_s + round(pair.offer.term_hours * 3600)
    if ends_s is None or end_s <= ends_s + DAY_S:
        return None
    return worded("available until {day}, less than its term", day=day(ends_s))


def expired(offer: Offer, conditions: Conditions) -> Message | None:
    """That an offer is no longer open on the day of the order; None where it is."""
    last_s = offer.last_order_s
    if last_s is None or offer.is_open_on(conditions.order_day_s):
        return None
    return worded("expired on {day}", day=day(last_s))


def _vendor(pair: Considered, conditions: Conditions) -> Message | None:
    """A quote of nobody can be ordered from nobody."""
    is_missing = conditions.needs_vendor and not pair.offer.provider
    return worded("no vendor is named") if is_missing else None


def _validity(pair: Considered, conditions: Conditions) -> Message | None:
    """Said before all else: whatever it is for, it is to be asked again."""
    return expired(pair.offer, conditions)


def _sla(pair: Considered, conditions: Conditions) -> Message | None:
    """Less than is asked for, of a quote in its own request; one that is not stated is no reason."""
    answered, has = answered_row(pair.offer), pair.offer.sla_percent
    asked = conditions.sla_percent if answered is None else answered.sla_percent or None
    if asked is None or has is None or has >= asked:
        return None
    return worded("SLA of {sla}%, asked for {asked}%", sla=significant(has), asked=significant(asked))


def _hardware(pair: Considered, conditions: Conditions) -> Message | None:
    """Less than the workloads of the row need; what is not stated is no reason, but of a quote: it states all that it
    was asked for."""
    needs, offer = pair.row.needs, pair.offer
    has, asked = offer.network, needs.interconnect
    if asked and has and INTERCONNECT_RANK.get(has, 0) < INTERCONNECT_RANK.get(asked, 0):
        return worded("interconnect {has}, asked for {asked}", has=has, asked=asked)
    if needs.bare_metal and offer.bare_metal is False:
        return worded("is not bare metal")
    if needs.memory_gb and offer.gpu_memory_gb and offer.gpu_memory_gb < needs.memory_gb:
        return worded(
            "{has} GB, asked for {asked} GB",
            has=significant(offer.gpu_memory_gb),
            asked=significant(needs.memory_gb),
        )
    if not is_quoted_with(offer, needs):
        return worded("its RFQ required too little interconnect, bare metal or memory")
    return None


def _whole_nodes(pair: Considered, conditions: Conditions) -> Message | None:
    """A unit that is larger than all that is asked for, and a limit that is under a node."""
    row, offer = pair.row, pair.offer
    if pair.unit_gpus * pair.ratio > row.gpus:
        return worded(
            "sold in units of {unit} GPUs, asked for {gpus}", unit=whole(pair.unit_gpus), gpus=whole(row.gpus)
        )
    if offer.max_gpus is not None and offer.max_gpus * pair.ratio < row.node_gpus:
        return worded(
            "at most {most} GPUs, a node has {node}", most=whole(offer.max_gpus), node=whole(row.node_gpus)
        )
    return None


def _only(pair: Considered, conditions: Conditions) -> Message | None:
    """Demand that one provider or region alone may serve."""
    if pair.row.only == ANYBODY or pair.row.only.allows(pair.offer):
        return None
    return worded("{who} may serve it", who=lowered(who_words(pair.row.only)))


def _provider(pair: Considered, conditions: Conditions) -> Message | None:
    """A provider that has its share of the plan already."""
    over, offer = conditions.over_share, pair.offer
    sellers: list[Text | None] = [offer.provider] if offer.provider in over else []
    sellers += [
        named_words(who) for who in conditions.shares if str(named_words(who)) in over and who.allows(offer)
    ]
    if not sellers:
        return None
    return worded("contracts with {provider} already exceed its share", provider=sellers[0] or "")


def hindrance(pair: Considered, conditions: Conditions) -> Message | None:
    """The first that speaks against an offer for a row, its rate and how many GPUs it sells apart."""
    reasons = (rule(pair, conditions) for rule in _RULES if rule not in (_rate, _whole_nodes))
    return next((words for words in reasons if words is not None), None)


def _remark(pair: Considered, conditions: Conditions) -> Message | None:
    """What its vendor remarks changes the offer, and the buyer did not take it so."""
    return undecided(pair.offer)


_RULES: Final[tuple[Callable[[Considered, Conditions], Message | None], ...]] = (
    _validity,
    _vendor,
    _rate,
    _term,
    _quoted_for,
    _start,
    _end,
    _sla,
    _hardware,
    _whole_nodes,
    _only,
    _provider,
    _remark,
)
"""What may speak against an offer, each with its words; in the order in which they are said."""


def _unknown(pair: Considered, conditions: Conditions) -> tuple[Message, ...]:
    """What was asked for and the offer does not state."""
    needs, offer = pair.row.needs, pair.offer
    missing = (
        (conditions.sla_percent is not None and offer.sla_percent is None, worded("SLA not stated")),
        (needs.interconnect and offer.interconnect is None, worded("interconnect not stated")),
        (needs.bare_metal and offer.bare_metal is None, worded("bare metal not stated")),
        (needs.memory_gb and offer.gpu_memory_gb is None, worded("memory not stated")),
    )
    return tuple(words for is_missing, words in missing if is_missing)
