"""Walking forward over a log: what each way of buying holds and costs, and hindsight, the cheapest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import ceil

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.busy import BusyTable, Parts
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.history import WHOLE_LOG, History, Rule, Span, ground_at, in_order, span_of
from gpuplanner.domain.commitment.plan.row_list import Listed, listed_of
from gpuplanner.domain.commitment.plan.row_plans import Planned, plan_of
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, allocate
from gpuplanner.domain.commitment.recursion.calendar import Calendar, length_s
from gpuplanner.domain.commitment.recursion.rates import committed_offers
from gpuplanner.domain.commitment.recursion.slice_policy import Market
from gpuplanner.domain.commitment.result import Flex
from gpuplanner.domain.commitment.slicing import Slicing, asked_block, block_for, busy_shares
from gpuplanner.domain.commitment.streams import Row
from gpuplanner.domain.demand.pools import ROUNDING
from gpuplanner.domain.fit.rules import eligible_offers, need_of
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping, Only, paid_gpus, ratios_of, seller_of, whole_gpus
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S

# --- Walking forward over a log: what each way of buying holds in a month, and what that month then costs


@dataclass(frozen=True, slots=True)
class Held:
    """GPUs bought for one row: paid from one hour of the log to another, used or not. month: in which it was bought.

    gpus and rate are for the row's model; offer_gpus: of the offer's own, whole units, as they are paid for.
    """

    row: Row
    offer_id: str
    term_months: int
    gpus: float
    rate_usd_per_gpu_hour: float
    month: int
    from_h: float
    until_h: float
    offer_gpus: float

    def hours_in(self, month: int) -> float:
        """Hours of a month of the log in which it is there."""
        from_h, until_h = self.within(month)
        return until_h - from_h

    def within(self, month: int) -> tuple[float, float]:
        """Where it begins and ends in a month of the log, hours from the month's beginning; alike where it is not
        there."""
        first = month * HOURS_PER_MONTH
        from_h, until_h = (
            min(max(at - first, 0.0), float(HOURS_PER_MONTH)) for at in (self.from_h, self.until_h)
        )
        return from_h, max(from_h, until_h)


@dataclass(frozen=True, slots=True)
class MonthPaid:
    """What one month of one way of buying came to. usd None: GPUs paid by use that nobody has a rate for.

    unused_gpu_hours: held and not used; beyond_gpu_hours: used beyond what was held, paid by use.
    """

    usd: float | None
    held_usd: float
    unused_gpu_hours: float
    beyond_gpu_hours: float


def running_in(held: Sequence[Held], month: int) -> tuple[Held, ...]:
    """What is held at some time of a month.

    month: of the log, from 0.
    """
    return tuple(one for one in held if one.hours_in(month) > 0)


def pay(came: Span, month: int, held: Sequence[Held], row: Row) -> MonthPaid:
    """One month of one row: what is held is paid in full, what came beyond it by use at the month's own r_flex.

    came: that month; held: what runs in it, of this row.
    """
    gpus, held_usd = np.zeros(came.hours), 0.0
    for one in held:
        from_h, until_h = one.within(month)
        hour = np.arange(came.hours)
        gpus += one.gpus * (np.clip(until_h - hour, 0.0, 1.0) - np.clip(from_h - hour, 0.0, 1.0))
        held_usd += one.gpus * one.rate_usd_per_gpu_hour * (until_h - from_h)
    demand = came.gpus(row)
    beyond = float(np.maximum(demand - gpus, 0.0).sum())
    unused = float(np.maximum(gpus - demand, 0.0).sum())
    if beyond <= 0:
        return MonthPaid(held_usd, held_usd, unused, 0.0)
    rate = came.flex(row).rate
    return MonthPaid(None if rate is None else held_usd + beyond * rate, held_usd, unused, beyond)


def offers_at(offers: Sequence[Offer], held: Sequence[Held], rest_months: float) -> tuple[Offer, ...]:
    """What can be bought: no term longer than the rest of the log, and of a maximum only what is not held already.

    rest_months: from now to the end of the log. A maximum is never below 0; the other offers are the very
    same objects.
    """
    in_use: dict[str, float] = {}
    for one in held:
        in_use[one.offer_id] = in_use.get(one.offer_id, 0.0) + one.offer_gpus
    answer = []
    for offer in offers:
        if offer.pricing_category.is_commitment and offer.term_months > rest_months:
            continue
        taken = in_use.get(offer.offer_id, 0.0)
        is_limited = offer.max_gpus is not None and taken > 0
        answer.append(
            replace(offer, max_gpus=max(int((offer.max_gpus or 0) - taken), 0)) if is_limited else offer
        )
    return tuple(answer)


def calendar_at(now_s: int) -> Calendar:
    """When offers can begin for who buys at an hour: what a lead of up to a month needs was ordered ahead.

    now_s: epoch seconds.
    """
    return Calendar(now_s, free_leads=True)


def advised(
    history: History, span: Span, running: Sequence[Held], month: int, assumptions: Assumptions
) -> Planned:
    """The plan at the beginning of a month, with what runs in it carried over as existing contracts.

    month: of the log; assumptions: those that this advice is given with. Nothing after the span's end is
    looked at.
    """
    now_s = span.end_s
    offers = {offer.offer_id: offer for offer in history.project.offers}
    carried = []
    for number, one in enumerate(running):
        start_s, end_s = (
            now_s + round((at - month * HOURS_PER_MONTH) * HOUR_S) for at in (one.from_h, one.until_h)
        )
        seller, rate = seller_of(one.offer_id, one.row[1], offers), one.rate_usd_per_gpu_hour
        name, milli_gpus = f"{number:04d}", round(1000 * one.gpus)
        carried.append(as_contract(name, WHOLE_LOG, one.row, milli_gpus, rate, (start_s, end_s), seller))
    return plan_of(ground_at(history, span, tuple(carried), assumptions), AdviceCache())


def as_contract(
    contract_id: str,
    cluster: str,
    row: Row,
    milli_gpus: int,
    rate: float,
    spell_s: tuple[int, int],
    seller: Offer | Only,
) -> Contract:
    """What was bought for a row, as an existing contract that is pinned to its pool. rate: $ per GPU-hour of the row's
    model; spell_s: from when to when, epoch seconds."""
    return Contract(
        contract_id,
        cluster,
        row[1],
        milli_gpus,
        Decimal(str(rate)),
        *spell_s,
        pricing_category=PricingCategory.COMMITTED,
        pool=row[0],
        provider=seller.provider or None,
        region=seller.region or None,
    )


def bought(planned: Planned, month: int) -> tuple[Held, ...]:
    """What a plan signs in its first month, as things held from a month of the log on.

    What nobody offers is not bought.
    """
    return tuple(
        _of_list(one.row, listed, month, month)
        for one in planned.rows
        for listed in one.listed.orders
        if listed.start_s < MONTH_S and listed.rate is not None
    )


def _of_list(row: RowToPlan, listed: Listed, begin: int, month: int) -> Held:
    """An order of a list that begins with a month of the log. month: of the log, in which it is bought."""
    from_h = begin * HOURS_PER_MONTH + listed.start_s / HOUR_S
    offer, rate = row.offers[listed.place], (listed.usd_per_hour or 0.0) / listed.gpus
    return _held(
        (row.pool, row.gpu_model), offer, listed.gpus, rate, month, (from_h, listed.hours), row.ratios
    )


def _held(
    row: Row,
    offer: Offer,
    gpus: float,
    rate: float,
    month: int,
    spell_h: tuple[float, float],
    ratios: Mapping[str, float],
) -> Held:
    """GPUs of an offer. spell_h: from which hour of the log on and for how many; ratios: GPUs of the row's model that
    one GPU of a mapped model is worth, by offer_id."""
    from_h, hours = spell_h
    ratio, unit = ratios.get(offer.offer_id), offer.unit_gpus
    own_gpus = gpus if ratio is None and unit is None else whole_gpus(gpus, ratio or 1.0, unit or 1)
    return Held(row, offer.offer_id, offer.term_months, gpus, rate, month, from_h, from_h + hours, own_gpus)


def topped_up(history: History, rule: Rule, span: Span, held: Sequence[Held], month: int) -> tuple[Held, ...]:
    """What a rule of thumb buys at the beginning of a month: up to its level of each row.

    held: what runs then. With the shortest term that is on offer, or with the one that is cheapest; each term has its
    own level.
    """
    answer = []
    calendar = calendar_at(span.end_s)
    for row in span.users:
        flex = span.flex(row).rate
        if flex is None:
            continue
        running, so_far = (
            sum(one.gpus for one in held if one.row == row),
            history.gpus(row, 0, month * HOURS_PER_MONTH),
        )
        ratios = ratios_of(span.eligible[row], row[1], history.project.mappings, row[0])
        committed = committed_offers(span.eligible[row])
        block = asked_block(history.assumptions.block, committed)
        open_now = [offer for offer in committed if calendar.is_open_in(offer, 0)]
        if not rule.is_cheapest:
            open_now.sort(key=lambda offer: offer.term_hours)  # of a term the cheapest first
        for offer in open_now:
            missing = rule.gpus(so_far, block, (offer.spread_rate or 0.0) / flex) - running
            if offer.max_gpus is not None:
                missing = min(missing, offer.max_gpus * ratios.get(offer.offer_id, 1))
            if missing > 0 and missing >= (offer.min_gpus or 0) * ratios.get(offer.offer_id, 1):
                paid = paid_gpus(missing, ratios.get(offer.offer_id), offer.unit_gpus)
                rate = (offer.spread_rate or 0.0) * (paid / missing)
                hours = max(length_s(offer), MONTH_S) / HOUR_S  # what is shorter than a month renews for one
                spell_h = (float(month * HOURS_PER_MONTH), hours)
                answer.append(_held(row, offer, missing, rate, month, spell_h, ratios))
                break
            if offer.max_gpus is None and not offer.min_gpus:
                break  # nothing is missing at what it would take
    return tuple(answer)


# --- Hindsight: the cheapest way to have bought a log, by the same recursion fed with what came


def hindsight_of(history: History, first_month: int, offers: tuple[Offer, ...]) -> tuple[Held, ...]:
    """All that the cheapest policy holds from a month of the log to its end, knowing every hour of it.

    sigma, lambda, delta and wacc are 0, the horizon is the rest of the log, and no term reaches beyond it.
    A month's r_flex is its own: it scales how busy its slices are.
    """
    came = [span_of(history, span.log, HOURS_PER_MONTH, offers) for span in history.came[first_month:]]
    calendar = calendar_at(history.came[first_month - 1].end_s)
    names = in_order({row for span in came for row in span.users})
    rows = [_row_to_plan(history, row, came, offers, calendar) for row in names]
    months = len(came)
    signed, *_ = allocate(rows, months, AdviceCache())
    return tuple(
        _of_list(row, listed, first_month, first_month + listed.month)
        for row, one in zip(rows, signed, strict=True)
        for listed in listed_of(row, one)
    )


def _row_to_plan(
    history: History, row: Row, came: list[Span], offers: tuple[Offer, ...], calendar: Calendar
) -> RowToPlan:
    """A row as the recursion reads it, with what came in place of a forecast. came: the months from the first
    on.
    """
    there = [span for span in came if row in span.users]
    several = any(span.several_nodes[row] for span in there)
    mappings = history.project.mappings
    return knowing_all(
        row,
        [span.gpus(row) if row in span.users else np.zeros(1) for span in came],
        [span.flex(row).rate if row in span.users else 0.0 for span in came],
        eligible_offers(offers, need_of(*row, several), mappings),
        history.assumptions.block,
        mappings,
        calendar,
    )


def knowing_all(
    row: Row,
    came: Sequence[Floats],
    rates: Sequence[float | None],
    eligible: Sequence[Offer],
    block: int | None,
    mappings: Sequence[ModelMapping],
    calendar: Calendar,
    last_month: float = 1.0,
) -> RowToPlan:
    """A row as the recursion reads it, with what came in place of a forecast: sigma, lambda, delta and wacc are 0.

    came: mean GPUs in each hour of each month; rates: by use, $ per GPU-hour of each month (None: nobody sells): a rate
    of its own is put into how busy the slices of a month are. block: as assumed. last_month: how long the last one is,
    a share of 730 h. No term reaches beyond it.
    """
    committed = committed_offers(eligible)
    is_known = None not in rates
    base = max((rate for rate in rates if rate), default=0.0) if is_known else 0.0
    peak_gpus = max(float(gpus.max()) for gpus in came)
    width = block_for(peak_gpus, asked_block(block, committed))
    slices = ceil(peak_gpus / width - ROUNDING)
    shares = np.zeros((len(came), 1, slices))
    for month, (gpus, rate) in enumerate(zip(came, rates, strict=True)):
        price = rate / base if rate is not None and base else 1.0
        shares[month, 0] = busy_shares(gpus[None] / width, slices, None)[0] * price
    months = len(came)
    return RowToPlan(
        row[0],
        row[1],
        BusyTable(shares, np.arange(months, dtype=np.int64), _as_parts(shares[:, 0], last_month)),
        Market(months, 0.0, (1.0,), 0.0, 0.0, last_month),
        Slicing(width, slices),
        committed,
        Flex(base if is_known else None, PricingCategory.STANDARD, None, 0.0),
        ends_by_month=months,
        ratios=ratios_of(committed, row[1], mappings, row[0]),
        calendar=calendar,
    )


def _as_parts(busy: Floats, last_month: float) -> Parts:
    """Months as the parts of themselves; busy: (months, slices); last_month: how long the last one is."""
    lengths = np.array([1.0] * (len(busy) - 1) + [last_month])
    return Parts(np.concatenate(([0], np.cumsum(np.rint(lengths * MONTH_S).astype(np.int64)))), busy)
