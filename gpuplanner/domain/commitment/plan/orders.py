"""Orders of the twelve months, why, and by when to sign them; verdicts on contracts when they end."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Ints
from gpuplanner.domain.commitment.plan.row_plans import COMPARED_MONTHS, PlannedRow
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, Signed
from gpuplanner.domain.commitment.recursion.calendar import ANY_TIME, Calendar, lead_s
from gpuplanner.domain.commitment.result import IF_IT_LASTS, THE_WINDOW, Order, Verdict
from gpuplanner.domain.figures.figure import by_row, floats
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, Text, joined, worded, worded_count
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import (
    Contract,
    first_missed_month,
    has_notice_passed,
    merit,
    month_start_s,
    notice_s,
    term_words,
)
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import gpu_model_of, whole_gpus
from gpuplanner.domain.model.book.price_book import answered_row
from gpuplanner.domain.model.tables import SERVING_ORDER, Pool
from gpuplanner.domain.model.window import DAY_S, HOURS_PER_MONTH, MONTH_S, Window, has_calendar

# --- Orders: every commitment that the twelve months rest on along today's level, why, and by when to sign it


# Orders in the sequence in which they fall due, and those of them that are new.
def as_they_fall_due(orders: Iterable[Order]) -> list[Order]:
    """What must be ordered first coming first; the same orders always come in the same sequence.

    By day to order, then start, pool, model and term; equal ones keep their order.
    """
    return sorted(
        orders,
        key=lambda order: (
            order.order_by_s,
            order.start_s,
            order.pool,
            order.gpu_model or "",
            order.term_months,
        ),
    )


def asked_for(orders: Iterable[Order]) -> list[Order]:
    """The orders that are new: without those that only renew or replace another of the plan when it ends, and without
    those that hold only if young demand lasts."""
    return [
        order
        for order in orders
        if order.reason in ("now", "contract_end", "lead_time", "growth")
        or (order.reason == "bridge" and order.month == 0)
    ]


def signed_for(orders: Iterable[Order]) -> list[Order]:
    """The new orders that are commitments of a provider: without GPUs that are bought, for which nothing is signed."""
    return [order for order in asked_for(orders) if not order.is_bought]


SOON_S: Final = MONTH_S
"""An order to be placed within a month of the plan's first day binds now."""
REASONS: Final = ("now", "contract_end", "lead_time", "growth", "bridge", "follows", IF_IT_LASTS)


@dataclass(frozen=True, slots=True)
class FirstCommitment:
    """Slices of one row that commit for the first time in one month, with one offer.

    ratio: GPUs of the row's model that one GPU of the offer is worth, where that is of a mapped model. if_it_lasts: the
    slices are too young for the term, unless they go on until then.
    """

    pool: Pool
    gpu_model: str | None
    offer: Offer
    month: int
    gpus: float
    ratio: float | None = None
    if_it_lasts: bool = False


@dataclass(frozen=True, slots=True)
class Commitment:
    """Slices of one row that sign one offer in one month for one reason. rate: $ per GPU-hour when it is signed; level:
    what prices are then, as a share of those on the list.

    bought: whole units of GPUs of the offer's own model; those of all reasons of the month are bought together.
    if_it_lasts: the slices are too young for the term; its dates are still those of its reason. wait_months: before
    which its row orders nothing; 0 where levels are set by hand, which are held from the first day on.
    """

    pool: Pool
    gpu_model: str | None
    offer: Offer
    month: int
    gpus: float
    reason: str
    rate: float
    level: float
    bought: float
    ratio: float | None = None
    if_it_lasts: bool = False
    wait_months: int = 0

    @property
    def order_reason(self) -> str:
        """The reason as an order has it.

        IF_IT_LASTS takes the place of every other reason.
        """
        return IF_IT_LASTS if self.if_it_lasts else self.reason


def first_commitments(rows: Sequence[PlannedRow]) -> tuple[FirstCommitment, ...]:
    """Of every row, by month and offer; slices that never commit have none.

    Slices set by hand to a term that nobody offers are left out. Sorted within each row by month and offer.
    """
    answer = []
    for planned in rows:
        row, signed = planned.row, planned.signed
        ever = (signed.term > 0).any(axis=0)
        month = np.where(ever, (signed.term > 0).argmax(axis=0), -1)
        offer = np.where(ever, signed.offer[month, np.arange(row.slices)], -1)
        widths: dict[tuple[int, int, bool], float] = {}
        lasting = _if_they_last(row, signed, month)
        columns = (month.tolist(), offer.tolist(), lasting.tolist(), row.slicing.widths.tolist())
        for first, place, lasts, width in zip(*columns, strict=True):
            widths[first, place, lasts] = widths.get((first, place, lasts), 0.0) + width
        for (first, place, lasts), gpus in sorted(widths.items()):
            if first >= 0 and place >= 0:
                offer_taken = row.offers[place]
                ratio = row.ratios.get(offer_taken.offer_id)
                answer.append(
                    FirstCommitment(row.pool, row.gpu_model, offer_taken, first, gpus, ratio, lasts)
                )
    return tuple(answer)


def _if_they_last(row: RowToPlan, signed: Signed, month: Ints) -> Bools:
    """Which slices sign first what only their going on until then opens to them; month (slices,): -1 where never."""
    lasting = np.zeros(row.slices, dtype=np.bool_)
    if row.lived is None:
        return lasting
    for first in range(1, COMPARED_MONTHS):
        for term in np.unique(signed.term[first][month == first]).tolist():
            takers = (month == first) & (signed.term[first] == term)
            lasting |= takers & row.lived.if_it_lasts(first, term)
    return lasting


def commitments_of(
    rows: Sequence[PlannedRow], ending_in: Mapping[str | None, frozenset[int]]
) -> tuple[Commitment, ...]:
    """Every commitment that starts in months 0..11, slices alike together.

    ending_in: by GPU model the months in which a contract that serves it ends (e(c)).
    """
    answer = []
    for planned in rows:
        row, signed = planned.row, planned.signed
        alike: dict[tuple[int, int, str, bool], float] = {}
        endings = ending_in.get(gpu_model_of(row.gpu_model), frozenset())
        lived = None if row.hand is not None and not row.is_rest_advised else row.lived
        for begin, end in _alike_runs(planned.signed):
            chain = _chain(signed.term[:, begin], signed.offer[:, begin])
            widths = row.slicing.widths[begin:end]
            for (month, place, term), reason in zip(chain, _reasons(planned, chain, endings), strict=True):
                if place < 0 or month >= COMPARED_MONTHS:
                    continue
                young = np.zeros(len(widths), dtype=np.bool_)
                if lived is not None:
                    young = lived.if_it_lasts(month, term)[begin:end]
                for is_young, which in ((False, ~young), (True, young)):
                    if which.any():
                        key = (month, place, reason, is_young)
                        alike[key] = alike.get(key, 0.0) + float(widths[which].sum())
        rates = row.rates_when_signed(COMPARED_MONTHS)
        before: dict[tuple[int, int], float] = {}
        for (month, place, reason, is_young), gpus in sorted(alike.items()):
            offer, so_far = row.offers[place], before.get((month, place), 0.0)
            rate = float(rates[place, month])
            level = float(row.prices.of_offer(offer, month + 1)[month])
            ratio = row.ratios.get(offer.offer_id)
            before[month, place] = so_far + gpus
            bought = _bought(so_far + gpus, offer, ratio) - _bought(so_far, offer, ratio)
            how = (reason, rate, level, bought, ratio, is_young, row.calendar.wait_months)
            answer.append(Commitment(row.pool, row.gpu_model, offer, month, gpus, *how))
    return tuple(answer)


def _bought(gpus: float, offer: Offer, ratio: float | None) -> float:
    """GPUs of an offer's own model that are bought for the work of so many of the row's."""
    if ratio is None and offer.unit_gpus is None:
        return gpus
    return whole_gpus(gpus, ratio or 1.0, offer.unit_gpus or 1)


def _alike_runs(signed: Signed) -> list[tuple[int, int]]:
    """Neighbouring slices that sign alike in all months: first and past the last."""
    slices = signed.term.shape[1]
    if not slices:
        return []
    changes = (np.diff(signed.term, axis=1) != 0) | (np.diff(signed.offer, axis=1) != 0)
    begins = [0, *(np.flatnonzero(changes.any(axis=0)) + 1).tolist(), slices]
    return list(pairwise(begins))


_Chain = list[tuple[int, int, int]]
"""(month, place of the offer, term) of what one slice signs, one after the other."""


def _chain(term: Ints, offer: Ints) -> _Chain:
    """One slice's signatures from its terms and offers by month, both (months,)."""
    months = np.flatnonzero(term).tolist()
    return [(month, int(offer[month]), int(term[month])) for month in months]


def _reasons(planned: PlannedRow, chain: _Chain, endings: frozenset[int]) -> list[str]:
    """Why each commitment of a slice is signed. Source: docs/formulas.md, Orders."""
    base = [_base_reason(planned, month, place, endings) for month, place, _ in chain]
    follows = [
        at > 0 and chain[at - 1][0] + chain[at - 1][2] == month for at, (month, _, _) in enumerate(chain)
    ]
    bridges = set[int]()
    if "lead_time" in base:
        at = base.index("lead_time")
        while follows[at]:
            at -= 1
            bridges.add(at)
    return [
        "bridge" if at in bridges else "follows" if follows[at] and reason != "lead_time" else reason
        for at, reason in enumerate(base)
    ]


def _base_reason(planned: PlannedRow, month: int, place: int, endings: frozenset[int]) -> str:
    """Why a first signature falls in this month: now, as a contract ends, as soon as a lead allows, or since
    demand has grown.
    """
    if month == 0:
        return "now"
    if month in endings:
        return "contract_end"
    row = planned.row
    if place >= 0 and is_as_soon_as_it_can_be(row.calendar, row.offers[place], month):
        return "lead_time"
    return "growth"


def is_as_soon_as_it_can_be(calendar: Calendar, offer: Offer, month: int) -> bool:
    """Whether a month is the first that a lead allows; of a lead of whole months also the first that is served.

    calendar: of the plan; month: for which it is signed.
    """
    first = calendar.first_month(offer)
    return month == first or (
        not calendar.free_leads
        and month == calendar.wait_months + int(offer.lead_time_hours // HOURS_PER_MONTH)
    )


def orders_of(
    commitments: Sequence[Commitment],
    contracts: Sequence[Contract],
    served: dict[str, int],
    window: Window,
    calendar: Calendar = ANY_TIME,
) -> tuple[Order, ...]:
    """Orders of the first 12 months, grouped by pool, model, offer, term, start and reason.

    contracts: those that serve in the plan; served: what each served in month 0, by contract_id.
    Law: no order has to be placed before the plan begins.
    """
    grouped: dict[tuple[str, str, str, int, int, int], list[tuple[Commitment, int]]] = {}
    for one in commitments:
        start_s, order_by_s = _dated(one, contracts, served, window)
        key = (one.pool, one.gpu_model or "", one.offer.offer_id, one.offer.term_months)
        where = (*key, start_s, REASONS.index(one.order_reason))
        grouped.setdefault(where, []).append((one, order_by_s))
    return with_order_figures([_order(grouped[key], key[4], window, calendar) for key in sorted(grouped)])


ORDER_INPUTS: Final = ("bought_gpus", "rate", "upfront_per_gpu", "capex_per_gpu", "term_hours", "paid_hours")


def with_order_figures(orders: Sequence[Order]) -> tuple[Order, ...]:
    """The orders with their figures, by the keys of ORDER.

    New orders, in order: spread rate ($ per GPU-hour), cost a month, liability and what is due at once ($); None
    where a rate is missing.
    Source: docs/formulas.md, Orders.
    """
    given: dict[str, Any] = {key: floats([getattr(one, key) for one in orders]) for key in ORDER_INPUTS}
    found = by_row(ORDER.worked_out(given, ["cost_per_month", "liability", "due_at_once"]))
    return tuple(
        replace(
            one,
            spread_rate=row["spread_rate"],
            cost_per_month=row["cost_per_month"],
            liability=row["liability"],
            due_at_once=row["due_at_once"],
        )
        for one, row in zip(orders, found, strict=True)
    )


def at_list(orders: Sequence[Order], offers: Iterable[Offer]) -> tuple[Order, ...]:
    """The orders as they would cost at today's rates of their offers, not at those expected when each is signed.

    offers: at the rates that count in the plan; an order whose offer is not among them stays as it is.
    """
    by_id = {offer.offer_id: offer for offer in offers}
    return with_order_figures(
        [
            replace(one, rate=offer.rate, upfront_per_gpu=offer.upfront, capex_per_gpu=offer.capex)
            if (offer := by_id.get(one.offer_id)) is not None
            else one
            for one in orders
        ]
    )


def _order(alike: list[tuple[Commitment, int]], start_s: int, window: Window, calendar: Calendar) -> Order:
    """One order of commitments that are alike but for their month; its rate is their mean by what is bought."""
    (one, _), offer = alike[0], alike[0][0].offer
    gpus = sum(each.gpus for each, _ in alike)
    ratio = one.ratio
    bought = sum(each.bought for each, _ in alike)
    rates = {each.rate for each, _ in alike}  # of several months, where a lead lets them start together
    rate, level = one.rate, one.level
    if len(rates) > 1:
        rate = sum(each.rate * each.bought for each, _ in alike) / bought
        level = sum(each.level * each.bought for each, _ in alike) / bought
    how = calendar.start_in(offer, one.month)
    upfront = offer.upfront
    return Order(
        one.pool,
        one.gpu_model,
        offer.offer_id,
        offer.term_months,
        gpus,
        start_s,
        min(order_by_s for _, order_by_s in alike),
        one.order_reason,
        offer.gpu_model,
        bought,
        term_days=offer.term_days,
        rate=rate if ratio is None else rate * ratio,
        upfront_per_gpu=upfront if ratio is None else upfront * ratio,
        capex_per_gpu=offer.capex * level,
        month=one.month,
        late=0.0 if how is None else how.late,
        early=0.0 if how is None else how.early,
    )


def _dated(
    one: Commitment, contracts: Sequence[Contract], served: dict[str, int], window: Window
) -> tuple[int, int]:
    """start, order_by; no order is placed before the plan begins, or its row has waited: its start moves to the end of
    its lead then.

    A quote is ordered while it holds: early, where it ends before its lead would have it ordered.
    """
    offer, lead = one.offer, lead_s(one.offer)
    begin_s = window.end_s + one.wait_months * MONTH_S
    there_s = (offer.starts_s if has_calendar(begin_s) else None) or begin_s
    soonest_s = max(begin_s + lead, there_s)
    if one.month == 0:
        return soonest_s, begin_s
    if one.reason == "contract_end":
        ends = [
            (contract.end_s or 0, notice_s(contract))
            for contract in contracts
            if contract.gpu_model == gpu_model_of(one.gpu_model)
            and served.get(contract.contract_id, 0) > 0
            and first_missed_month(contract, window) == one.month
        ]
        start_s, order_by_s = (
            min(end for end, _ in ends),
            min(end - max(notice, lead) for end, notice in ends),
        )
    else:
        start_s = max(month_start_s(window, one.month), soonest_s)
        order_by_s = start_s - lead
    if answered_row(offer) is not None:
        start_s, order_by_s = max(start_s, soonest_s), min(order_by_s, offer.last_order_s or order_by_s)
    if order_by_s < begin_s:
        return max(start_s, begin_s + lead), begin_s
    return start_s, order_by_s


def months_with_endings(
    contracts: Sequence[Contract], served: dict[str, int], window: Window
) -> dict[str | None, frozenset[int]]:
    """By GPU model the months e(c) > 0 in which a contract that served something in month 0 is first missed.

    served: milli-GPU-seconds by contract_id. Contracts without an end are never missed.
    """
    found: dict[str | None, set[int]] = {}
    for contract in contracts:
        missed = first_missed_month(contract, window)
        if missed is not None and missed > 0 and served.get(contract.contract_id, 0) > 0:
            found.setdefault(contract.gpu_model, set()).add(missed)
    return {model: frozenset(months) for model, months in found.items()}


def to_sign(orders: Sequence[Order], begin_s: int) -> tuple[Order, ...]:
    """Orders to be placed within a month of the day the plan begins, but those that only hold if demand lasts.

    begin_s: first day of the plan, epoch seconds. An order due exactly a month after it is in.
    """
    return tuple(o for o in orders if o.is_certain and o.order_by_s <= begin_s + SOON_S)


def due_at_once_usd(orders: Sequence[Order]) -> float | None:
    """What is to be paid on the days on which orders are signed or bought, $; None where a rate is missing."""
    return known_sum(order.due_at_once for order in orders if order.is_certain)


def liability_usd(orders: Sequence[Order]) -> float | None:
    """What orders cost in all, $, but those that only hold if demand lasts; None where a rate is missing.

    Rates times the hours of whole terms, and what is paid upfront; 0 without orders.
    """
    return known_sum(order.liability for order in orders if order.is_certain)


# --- Verdicts: what to do about each existing contract when it ends ------------------------------

KEEP_AFTER_MONTHS = 24
MONTHS_BEFORE = 2


@dataclass(slots=True)
class _Open:
    """A first commitment and the GPUs of it that no contract has taken yet."""

    first: FirstCommitment
    gpus: float


def verdicts_of(
    contracts: Sequence[Contract],
    firsts: Sequence[FirstCommitment],
    served: dict[str, int],
    window: Window,
    origin: Message = THE_WINDOW,
    calendar: Calendar = ANY_TIME,
) -> tuple[Verdict, ...]:
    """One verdict for each contract that has not ended when the plan begins, by contract_id (docs/formulas.md).

    origin: what reasons count days and months from.
    """
    answer: dict[str, Verdict] = {}
    to_share: list[tuple[int, Contract]] = []
    for contract in contracts:
        missed = first_missed_month(contract, window)
        if contract.end_s is not None and contract.end_s <= window.end_s:
            continue
        if not contract.is_committed:
            answer[contract.contract_id] = _expire(contract, worded("on demand: planned afresh"))
        elif missed is None or (contract.end_s or 0) - window.end_s > KEEP_AFTER_MONTHS * MONTH_S:
            why = (
                worded("has no end")
                if missed is None
                else worded(
                    "ends more than {keep_after_months} months after {origin}",
                    keep_after_months=whole(KEEP_AFTER_MONTHS),
                    origin=origin,
                )
            )
            answer[contract.contract_id] = Verdict(
                contract.contract_id, "keep", 0, 0.0, _notice_by(contract), why
            )
        else:
            to_share.append((missed, contract))
    commitments = [_Open(first, first.gpus) for first in firsts]
    to_share.sort(key=lambda one: (one[0], -served.get(one[1].contract_id, 0), merit(one[1])))
    for missed, contract in to_share:
        answer[contract.contract_id] = _shared(contract, missed, commitments, window, origin, calendar)
    for contract in contracts:
        if contract.contract_id in answer and has_notice_passed(contract, window.end_s):
            answer[contract.contract_id] = _renewing(answer[contract.contract_id])
    return tuple(answer[contract_id] for contract_id in sorted(answer))


def _renewing(verdict: Verdict) -> Verdict:
    """The verdict with the word that its notice can no longer be given."""
    renews = worded("its notice has passed: it renews unless it is negotiated")
    return replace(verdict, reason=joined((verdict.reason, renews), "; "))


def _notice_by(contract: Contract) -> int | None:
    """The last moment to give notice, epoch seconds; None for a contract without an end."""
    return None if contract.end_s is None else contract.end_s - notice_s(contract)


def _expire(contract: Contract, reason: Message) -> Verdict:
    """Let it end: nothing is signed in its place."""
    return Verdict(contract.contract_id, "let_expire", 0, 0.0, _notice_by(contract), reason)


def _is_open(one: _Open, contract: Contract, missed: int) -> bool:
    """Whether a first commitment may take a contract's place: in time, of its model, and of its pool where it
    is pinned.
    """
    first = one.first
    in_time = first.month == 0 if missed == 0 else max(1, missed - MONTHS_BEFORE) <= first.month <= missed
    return (
        in_time
        and one.gpus > 0
        and gpu_model_of(first.gpu_model) == contract.gpu_model
        and (contract.pool is None or contract.pool is first.pool)
    )


def _shared(
    contract: Contract,
    missed: int,
    commitments: list[_Open],
    window: Window,
    origin: Message,
    calendar: Calendar,
) -> Verdict:
    """Take from the term with most GPUs still open (tie: shorter), up to the contract's own GPUs."""
    share: dict[int, float] = {}
    sold: dict[tuple[int, int | None], float] = {}
    are_young: list[bool] = []
    longest_lead_s, needed = 0, contract.gpus
    quoted_until_s: list[int] = []
    while needed > 0:
        by_term: dict[int, float] = {}
        for one in commitments:
            if _is_open(one, contract, missed):
                term = one.first.offer.term_months
                by_term[term] = by_term.get(term, 0.0) + one.gpus
        if not by_term:
            break
        term = min(by_term, key=lambda term: (-by_term[term], term))
        for one in sorted(commitments, key=_taking_order):
            if needed > 0 and one.first.offer.term_months == term and _is_open(one, contract, missed):
                taken = min(needed, one.gpus)
                one.gpus -= taken
                needed -= taken
                share[term] = share.get(term, 0.0) + taken
                are_young.append(one.first.if_it_lasts)
                as_sold = (term, one.first.offer.term_days)
                sold[as_sold] = sold.get(as_sold, 0.0) + taken
                longest_lead_s = max(longest_lead_s, lead_s(one.first.offer))
                if answered_row(one.first.offer) and one.first.offer.last_order_s is not None:
                    quoted_until_s.append(one.first.offer.last_order_s)
    if not share:
        return _expire(
            contract,
            worded("nothing follows it") + _later(contract, missed, commitments, window, origin, calendar),
        )
    then = min(share, key=lambda term: (-share[term], term))
    shorter = contract.term_months is not None and then < contract.term_months
    shares = tuple((sold[term], term) for term in sorted(sold, key=lambda one: (one[0], one[1] or 0)))
    return Verdict(
        contract.contract_id,
        "shorten" if shorter else "renew",
        then,
        sum(share.values()),
        min([(contract.end_s or 0) - max(notice_s(contract), longest_lead_s), *quoted_until_s]),
        joined((_in_words(gpus, term_words(*term)) for gpus, term in shares), " + "),
        shares,
        all(are_young),
    )


def _in_words(gpus: float, term: Message) -> Message:
    """14 GPUs for 3 months."""
    return worded(
        "{gpus} for {term}",
        gpus=worded_count(gpus, "{gpus} GPU", "{gpus} GPUs", gpus=significant(gpus)),
        term=term,
    )


def _taking_order(one: _Open) -> tuple[int, float, int, str]:
    """Who takes a contract's place first: serving order, then the shorter lead, the earlier month, the
    offer's id.
    """
    first = one.first
    return SERVING_ORDER.index(first.pool), first.offer.lead_time_hours, first.month, first.offer.offer_id


def _later(
    contract: Contract,
    missed: int,
    commitments: list[_Open],
    window: Window,
    origin: Message,
    calendar: Calendar,
) -> Text:
    """When one follows after all, later, because no offer can start sooner."""
    months = [
        one.first
        for one in commitments
        if one.first.month > missed
        and one.first.month == calendar.first_month(one.first.offer)
        and gpu_model_of(one.first.gpu_model) == contract.gpu_model
        and (contract.pool is None or contract.pool is one.first.pool)
    ]
    if not months:
        return ""
    soonest = min(months, key=lambda one: (one.month, calendar.delay_s(one.offer, one.month)))
    days = calendar.delay_s(soonest.offer, soonest.month) / DAY_S
    return worded(
        " then; a commitment follows {days} days after {origin}, when its lead time allows",
        days=whole(days),
        origin=origin,
    )
