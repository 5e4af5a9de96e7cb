"""Orders of the twelve months with reason and deadline; verdicts on contracts when they end."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS, Listed
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, Signed
from gpuplanner.domain.commitment.recursion.calendar import is_block, lead_s, length_s, month_placed
from gpuplanner.domain.commitment.result import IF_IT_LASTS, GpusToSign, Order, Verdict, figured, inputs_of
from gpuplanner.domain.figures.figure import floats
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.figures.typed import gpus as gpus_of
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, Text, joined, worded, worded_count
from gpuplanner.domain.model.amounts import grouped, known_sum, summed
from gpuplanner.domain.model.book.contract import Contract, continued, merit, term_words
from gpuplanner.domain.model.book.dollars import prices_of
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import gpu_model_of, paid_gpus
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.book.renewal import notice_s
from gpuplanner.domain.model.plan.scenario import WholeDecisions
from gpuplanner.domain.model.tables import SERVING_ORDER
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S
from gpuplanner.lazy_dataclass import dataclass, replace

# --- Orders: every commitment of the twelve months at today's level, with reason and deadline -----


# Orders sorted by deadline, and the new ones among them.
def as_they_fall_due(orders: Iterable[Order]) -> list[Order]:
    """Sort orders by deadline, then start, pool, model and term; equal ones keep their order."""
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
    """Return the new orders: without those that only follow another at its end, and those for recent demand."""
    return [order for order in orders if is_new(order)]


def is_new(order: Order) -> bool:
    """Return whether an order is new: it does not follow another, and does not depend on recent demand."""
    if order.reason == "bridge":
        return not order.follows
    return order.reason in ("now", "contract_end", "lead_time", "growth", "minimum", "planned_run")


def signed_for(orders: Iterable[Order]) -> list[Order]:
    """Return the certain orders that are commitments to a provider, without purchases of owned GPUs."""
    return [order for order in orders if order.is_certain and not order.is_bought]


SOON_S: Final = MONTH_S
"""Orders due within a month of the plan's first day are to commit now."""
REASONS: Final = (
    "now",
    "contract_end",
    "lead_time",
    "growth",
    "bridge",
    "minimum",
    "follows",
    "planned_run",
    IF_IT_LASTS,
)


def all_orders(ground: Ground, planned: Planned) -> list[Order]:
    """Return every order of the horizon, without row and figures.

    Slices with the same order and reason are one order. Law: no order is due before the plan starts, and orders of a
    slice do not overlap. Source: docs/formulas/orders.md.
    """
    orders: list[Order] = []
    ends = _contract_ends(ground)
    for row in planned.rows:
        orders += _orders_of_row(ground, row, ends)
    layers: dict[Order, list[Order]] = {}  # of a run, bought identically
    for run in planned.runs:
        for listed in run.listed.orders:
            follows = bool(run.signed.orders.follows[listed.month, 0])
            for order in list_entry_orders(ground, run.row, listed, [("planned_run", follows, [])], None):
                whole = replace(order, run=run.key, gpus=0.0, offer_gpus=0.0)
                layers.setdefault(whole, []).append(order)
    orders += (
        replace(whole, gpus=sum(o.gpus for o in each), offer_gpus=sum(o.bought_gpus for o in each))
        for whole, each in layers.items()
    )
    return [*orders, *_orders_in_dollars(ground, planned)]


def _orders_in_dollars(ground: Ground, planned: Planned) -> Iterator[Order]:
    """Yield the commitments in dollars that are bought, each as one unit, in the pool with most use."""
    offers, begin_s = {offer.offer_id: offer for offer in ground.project.offers}, ground.window.end_s
    for own in (ground.scenario.whole_decisions or WholeDecisions()).dollars:
        offer, start_s = offers[own.offer_id], own.start_s
        rows = {piece: gpu_model_of(piece.row.gpu_model) for piece in planned.rows}
        covers = prices_of(offer, offers.values(), rows.values())
        used = {
            p.row.pool: float((p.demand_gpus - p.residual_gpus).sum()) for p, m in rows.items() if m in covers
        }
        order_by_s = max(start_s - lead_s(offer), begin_s)
        unit = Order(
            pool=max(used, key=lambda pool: used[pool]),
            gpu_model=offer.gpu_model,
            offer_id=own.offer_id,
            term_months=offer.term_months,
            gpus=1.0,
            start_s=start_s,
            end_s=start_s + length_s(offer),
            order_by_s=order_by_s,
            reason="now" if start_s < begin_s + MONTH_S else "lead_time",
            offer_gpu_model=offer.gpu_model,
            offer_gpus=1.0,
            term_days=offer.term_days,
        )
        unit = replace(unit, rate=own.cents / 100, provider=offer.provider)
        yield replace(unit, is_soonest=order_by_s == begin_s)


def orders_within(
    ground: Ground, orders: Iterable[Order], months: int = COMPARED_MONTHS
) -> tuple[Order, ...]:
    """Return the orders that start, or are due, within `months` months; by pool, model, start and offer."""
    last_s = ground.window.end_s + months * MONTH_S
    kept = [order for order in orders if min(order.start_s, order.order_by_s) < last_s]
    kept.sort(key=lambda o: (o.pool, o.gpu_model or "", o.start_s, o.offer_id, REASONS.index(o.reason)))
    return with_order_figures(with_rows(kept))


def _contract_ends(ground: Ground) -> Mapping[str | None, Mapping[int, int]]:
    """Return by GPU model the ends of the plan's contracts, seconds from its start, with the longest notice of those
    that end
    then.
    """
    ends_of: dict[str | None, dict[int, int]] = {}
    for contract in ground.plan.contracts:
        if contract.end_s is not None and contract.end_s > ground.window.end_s:
            ends = ends_of.setdefault(contract.gpu_model, {})
            end_s = contract.end_s - ground.window.end_s
            ends[end_s] = max(ends.get(end_s, 0), notice_s(contract))
    return ends_of


def _orders_of_row(
    ground: Ground, planned: PlannedRow, ends: Mapping[str | None, Mapping[int, int]]
) -> Iterator[Order]:
    """Yield the orders of one row; slices with the same order and reason are one."""
    row, lasts = planned.row, planned.signed.lasts
    of_model = ends.get(gpu_model_of(row.gpu_model), {})
    reasons = _reasons(row, planned.signed, of_model)
    for listed in planned.listed.orders:
        notice = of_model.get(listed.start_s)
        month, follows = listed.month, planned.signed.orders.follows[listed.month]
        keys = {
            k: (IF_IT_LASTS if lasts[month, k] else reasons[month, k], bool(follows[k]))
            for k in listed.slices.tolist()
        }
        firm = [key for key in keys.values() if key[0] != IF_IT_LASTS]
        if firm and listed.place >= 0 and is_block(row.offers[listed.place]):  # bought whole, as one order
            first = min(firm, key=lambda key: (REASONS.index(key[0]), key[1]))
            keys = {k: key if key[0] == IF_IT_LASTS else first for k, key in keys.items()}
        alike = grouped((key, k) for k, key in keys.items())
        shares = [(*key, alike[key]) for key in sorted(alike, key=lambda key: REASONS.index(key[0]))]
        yield from list_entry_orders(ground, row, listed, shares, notice)


def _reasons(row: RowToPlan, signed: Signed, ends: Mapping[int, int]) -> Mapping[tuple[int, int], str]:
    """Return the reason of each order of each slice, by month and slice, except for orders for recent demand."""
    orders, answer = signed.orders, dict[tuple[int, int], str]()
    whole = {(orders_.place, orders_.spans[0][0]) for orders_ in row.whole}
    leads = [lead_s(offer) for offer in row.offers]
    before: dict[int, list[int]] = {}
    for month in range(len(orders.offer)):
        for k in np.flatnonzero(orders.is_there[month]).tolist():
            start_s, place = int(orders.start_s[month, k]), int(orders.offer[month, k])
            follows = bool(orders.follows[month, k])
            chain = before.get(k, []) if follows else []
            lead = leads[place] if place >= 0 else 0
            wait_s = row.calendar.wait_s(row.offers[place], has_day=True) if lead else 0
            if (place, start_s) in whole:
                answer[month, k] = "minimum"
            elif lead >= MONTH_S and start_s - lead < MONTH_S + wait_s and start_s >= MONTH_S:
                answer[month, k] = "lead_time"
                for at in chain:
                    answer[at, k] = "bridge" if answer[at, k] != "lead_time" else "lead_time"
            elif follows:
                answer[month, k] = "follows"
            elif start_s in ends:
                answer[month, k] = "contract_end"
            else:
                answer[month, k] = "now" if start_s < MONTH_S else "growth"
            before[k] = [*chain, month]
    return answer


def list_entry_orders(
    ground: Ground,
    row: RowToPlan,
    listed: Listed,
    shares: Sequence[tuple[str, bool, Sequence[int]]],
    notice: int | None,
) -> Iterator[Order]:
    """Yield the orders of one list entry, one per reason; whole units are shared out in turn.

    shares: reason, whether it follows another, and its slices (empty for a run: all). notice: seconds, of the contracts
    that end at its start; None without any.
    """
    if listed.rate is None:
        return
    offer, begin_s = row.offers[listed.place], ground.window.end_s
    ratio = row.ratios.get(offer.offer_id)
    month = month_placed(offer, listed.start_s, ground.months)
    level = float(row.prices.when_placed(offer, month + 1)[month])
    extras, bare, setup = offer.extras, listed.rate, 0.0
    if extras and offer.rate:
        bare = listed.rate * (offer.bare_rate or 0.0) / offer.rate
        setup = listed.rate * (extras.get("setup") or 0.0) / offer.rate * (ratio or 1.0) * listed.hours
    so_far, idle = 0.0, listed.paid_gpus - paid_gpus(listed.gpus, ratio, offer.unit_gpus)
    for reason, follows, slices in shares:
        gpus = float(row.slicing.widths[slices].sum()) if slices else listed.gpus
        paid = paid_gpus(so_far + gpus, ratio, offer.unit_gpus) - paid_gpus(so_far, ratio, offer.unit_gpus)
        bought, idle, so_far = (paid + idle) / (ratio or 1.0), 0.0, so_far + gpus
        ahead = max(lead_s(offer), notice or 0) if reason == "contract_end" else lead_s(offer)
        wait_s = row.calendar.wait_s(offer, has_day=True)
        order_by_s = max(listed.start_s - ahead, wait_s)
        if answered_row(offer) is not None and offer.last_order_s is not None:  # while the quote is valid
            order_by_s = max(min(order_by_s, offer.last_order_s - begin_s), 0)
        yield Order(
            pool=row.pool,
            gpu_model=row.gpu_model,
            offer_id=offer.offer_id,
            term_months=offer.term_months,
            gpus=gpus,
            start_s=begin_s + listed.start_s,
            end_s=begin_s + listed.end_s,
            order_by_s=begin_s + order_by_s,
            reason=reason,
            offer_gpu_model=offer.gpu_model,
            offer_gpus=bought,
            term_days=offer.term_days,
            rate=bare if ratio is None else bare * ratio,
            extras_rate=(listed.rate - bare) * (ratio or 1.0),
            upfront_per_gpu=listed.upfront if ratio is None else listed.upfront * ratio,
            setup_per_gpu=setup,
            capex_per_gpu=offer.capex * level,
            order_by_high_s=_order_by_high_s(offer, begin_s + listed.start_s, ahead),
            is_soonest=order_by_s <= wait_s,
            sla_percent=offer.sla_percent,
            follows=follows,
            spans=merge_spans(slices, row.slicing.edges.tolist()),
            provider=offer.provider,
        )


def _order_by_high_s(offer: Offer, start_s: int, ahead: float) -> int | None:
    """Return the deadline at the longest lead time, epoch seconds; None if the offer states none.

    ahead: seconds before the start at the usual lead time, including a notice: the minimum.
    """
    high = offer.lead_time_high_hours
    return None if high is None else start_s - round(max(high * HOUR_S, ahead))


def merge_spans(slices: Sequence[int], edges: Sequence[float]) -> tuple[tuple[float, float], ...]:
    """Return the GPU ranges of slices, adjacent ones merged. edges: of all slices, in GPUs."""
    chosen = set(slices)
    begins = [k for k in slices if k - 1 not in chosen]
    ends = [k for k in slices if k + 1 not in chosen]
    return tuple((edges[begin], edges[end + 1]) for begin, end in zip(begins, ends, strict=True))


def with_rows(orders: Sequence[Order]) -> list[Order]:
    """Return the orders with row numbers: an order shares the row of one that it continues.

    That one ends at its start and has the same pool, model, offer and GPUs. It has the same reason, or the order only
    follows it.
    """
    ending: dict[tuple[object, ...], list[Order]] = {}
    numbered: list[Order] = []
    rows = 0
    for order in orders:
        key = (order.pool, order.gpu_model, order.offer_id, round(order.gpus, 6))
        before = ending.get((*key, order.start_s), [])
        continued = next((other for other in before if _continues(order, other)), None)
        if continued is None:
            numbered.append(replace(order, row=rows))
            rows += 1
        else:
            before.remove(continued)
            numbered.append(replace(order, row=continued.row))
        ending.setdefault((*key, order.end_s), []).append(numbered[-1])
    return numbered


def _continues(order: Order, other: Order) -> bool:
    """Return whether an order that begins as another ends continues it for people who read both."""
    return order.reason == other.reason or (order.reason == "follows" and other.is_certain)


def orders_by_row(orders: Iterable[Order]) -> list[tuple[Order, ...]]:
    """Return the orders by row, sorted by the first of each."""
    return [tuple(row) for row in grouped((order.row, order) for order in orders).values()]


def gpus_to_sign(orders: Iterable[Order]) -> tuple[GpusToSign, ...]:
    """Return by pool and model the largest number of GPUs of these orders at a time."""
    in_gpus = (order for order in orders if not order.is_dollars)
    by_row = grouped(((order.pool, gpu_model_of(order.gpu_model)), order) for order in in_gpus)
    return tuple(
        GpusToSign(*key, max(sum(o.gpus for o in same if o.start_s <= at.start_s < o.end_s) for at in same))
        for key, same in sorted(by_row.items(), key=lambda item: (item[0][0], item[0][1] or ""))
    )


def most_bought(orders: Iterable[Order]) -> float:
    """Return the largest number of GPUs at a time over all pools and models, in GPUs as bought; renewed terms count
    once.
    """
    return sum(row.gpus for row in gpus_to_sign(replace(row, gpus=row.bought_gpus) for row in orders))


ORDER_INPUTS: Final = (
    *("bought_gpus", "rate", "upfront_per_gpu", "setup_per_gpu", "capex_per_gpu", "term_hours", "paid_hours"),
)
OWED_FIGURES: Final = ("liability", "due_at_once")
SPENT_FIGURES: Final = ("spread_rate", "cost_per_month")
"""These include the extras in addition to the rate."""


def gpus_in_rows(orders: Iterable[Order]) -> float:
    """Return the GPUs of orders as bought; orders that continue each other count once."""
    return sum(row[0].bought_gpus for row in orders_by_row(orders))


def together_words(orders: Sequence[Order]) -> Message:
    """Return the GPUs of orders in words: 90 GPUs, at most 58 at a time; or 42 GPUs if all run together.

    As bought, with renewed terms once; the rows of a list add up to the first number.
    """
    in_all, most = gpus_in_rows(orders), most_bought(orders)
    words = worded_count(in_all, "{gpus} GPU", "{gpus} GPUs", gpus=gpus_of(in_all))
    if round(most) >= round(in_all):
        return words
    return worded("{gpus}, at most {most} at a time", gpus=words, most=gpus_of(most))


def with_order_figures(orders: Sequence[Order]) -> tuple[Order, ...]:
    """Return orders with their figures, by the keys of ORDER, in order.

    Spread rate ($ per GPU-hour), cost per month, total commitment and upfront payment ($); None without a rate.
    Source: docs/formulas/orders.md.
    """
    owed = inputs_of(orders, ORDER_INPUTS)
    spent = owed | {"rate": owed["rate"] + floats([order.extras_rate for order in orders])}
    return figured(figured(orders, ORDER, owed, OWED_FIGURES), ORDER, spent, SPENT_FIGURES)


def at_list(orders: Sequence[Order], offers: Iterable[Offer]) -> tuple[Order, ...]:
    """Return orders at today's rates of their offers, instead of those expected at signing.

    offers: at the plan's rates. An order without its offer is unchanged.
    """
    by_id = {offer.offer_id: offer for offer in offers}
    return with_order_figures(
        [
            replace(order, rate=offer.bare_rate, upfront_per_gpu=offer.upfront, capex_per_gpu=offer.capex)
            if (offer := by_id.get(order.offer_id)) is not None
            else order
            for order in orders
        ]
    )


def to_sign(orders: Sequence[Order], begin_s: int) -> tuple[Order, ...]:
    """Return the orders due within a month of the plan's first day, except those for recent demand.

    begin_s: first day of the plan, epoch seconds. An order due exactly a month later is excluded.
    """
    return tuple(order for order in orders if order.is_certain and is_soon(order, begin_s))


def is_soon(order: Order, begin_s: int) -> bool:
    """Return whether an order is due within a month of the plan's first day. begin_s: that day, epoch seconds."""
    return order.order_by_s < begin_s + SOON_S


_NO_FIGURES: Final[dict[str, Any]] = dict.fromkeys((*OWED_FIGURES, *SPENT_FIGURES))


def without_figures(order: Order) -> Order:
    """Return the order without figures and the number of its row, which differ from list to list."""
    return replace(order, row=0, **_NO_FIGURES)


def due_at_once_usd(orders: Sequence[Order]) -> float | None:
    """Return the payments on the days of signing or purchase, $; None without a rate."""
    return known_sum(order.due_at_once for order in orders if order.is_certain)


def set_up_usd(orders: Sequence[Order]) -> float:
    """Return the set-up fees among the payments of `due_at_once_usd`, $: they are in no commitment."""
    return sum(order.bought_gpus * order.setup_per_gpu for order in orders if order.is_certain)


def liability_usd(orders: Sequence[Order]) -> float | None:
    """Return the total commitment of orders, $, except those for recent demand; None without a rate.

    Rates times the hours of whole terms, and upfront payments; 0 without orders.
    """
    return known_sum(order.liability for order in orders if order.is_certain)


# --- Verdicts: the recommendation for each existing contract at its end ---------------------------

KEEP_AFTER_MONTHS = 24


@dataclass(slots=True)
class OpenOrder:
    """An order that follows no other, and its GPUs not yet assigned to a contract."""

    order: Order
    lead_s: int
    last_order_s: int | None
    gpus: float


def verdicts_of(
    contracts: Sequence[Contract], orders: Sequence[Order], served: dict[str, int], ground: Ground
) -> tuple[Verdict, ...]:
    """Return a verdict for each contract active at the start, by contract_id (docs/formulas/contracts.md, Verdicts).

    contracts: with their ends in the plan. orders: of the plan.
    """
    begin_s = ground.window.end_s
    listed_until_s = begin_s + COMPARED_MONTHS * MONTH_S
    filed_s = {contract.contract_id: contract.end_s for contract in ground.project.contracts}
    ends = dict(ground.scenario.whole_decisions.ends) if ground.scenario.whole_decisions else {}
    answer: dict[str, Verdict] = {}
    to_share: list[Contract] = []
    for contract in contracts:
        if contract.end_s is not None and contract.end_s <= begin_s:
            continue
        if not contract.is_committed and contract.contract_id not in ground.scenario.kept:
            answer[contract.contract_id] = _alone("let_expire", contract, worded("on demand: planned afresh"))
        elif contract.end_s is None and contract.bound_until_s is not None:
            answer[contract.contract_id] = _alone("renew", contract, worded("renewing costs less"))
        elif contract.end_s is None:
            answer[contract.contract_id] = _alone("keep", contract, worded("has no end"))
        elif contract.end_s - begin_s > KEEP_AFTER_MONTHS * MONTH_S:
            why = worded(
                "ends more than {months} months after {origin}",
                months=whole(KEEP_AFTER_MONTHS),
                origin=ground.origin,
            )
            answer[contract.contract_id] = _alone("keep", contract, why)
        else:
            to_share.append(contract)
    offers = {offer.offer_id: offer for offer in ground.project.offers}
    opened = [
        OpenOrder(order, lead_s(offer), offer.last_order_s if answered_row(offer) else None, order.gpus)
        for order in orders
        if not order.follows
        for offer in (offers[order.offer_id],)
    ]
    to_share.sort(key=lambda c: (c.end_s, -served.get(c.contract_id, 0), merit(c)))
    steps = continued(contracts)
    for contract in to_share:
        name, verdict = contract.contract_id, _shared(contract, opened, ground)
        if not verdict.gpus and (contract.end_s or 0) > listed_until_s:
            why = worded("it ends after the twelve listed months")
            verdict = replace(verdict, is_later=True, reason=why)
        if contract.end_s == ends.get(name) or name in ground.scenario.ended:
            by_s = (contract.end_s or 0) - notice_s(contract)
            verdict = replace(verdict, verdict="end", order_by_s=by_s, last_day_s=by_s - 1)
        if name in steps and not verdict.gpus:
            words = worded_count(
                steps[name].gpus,
                "{contract} continues it: {gpus} GPU",
                "{contract} continues it: {gpus} GPUs",
                contract=steps[name].contract_id,
                gpus=significant(steps[name].gpus),
            )
            verdict = replace(verdict, continued_by=steps[name].contract_id, reason=words)
        answer[name] = replace(verdict, ends_s=None if contract.end_s == filed_s[name] else contract.end_s)
    for name in answer.keys() & {c.contract_id for c in contracts if c.is_notice_unknown}:
        answer[name] = replace(answer[name], order_by_s=None, last_day_s=None)
    return tuple(answer[contract_id] for contract_id in sorted(answer))


def _alone(verdict: str, contract: Contract, reason: Message) -> Verdict:
    """Return the verdict on a contract without a following order. It has the last moment to give notice, epoch seconds,
    if the contract has an end.
    """
    notice_by_s = None if contract.end_s is None else contract.end_s - notice_s(contract)
    return Verdict(
        contract_id=contract.contract_id,
        verdict=verdict,
        then_term_months=0,
        gpus=0.0,
        order_by_s=notice_by_s,
        reason=reason,
    )


def _may_replace(candidate: OpenOrder, contract: Contract) -> bool:
    """Return whether an order has a contract's model, and its pool if that is pinned."""
    order = candidate.order
    return (
        candidate.gpus > 1e-9
        and gpu_model_of(order.gpu_model) == contract.gpu_model
        and (contract.pool is None or contract.pool is order.pool)
    )


def _is_open(candidate: OpenOrder, contract: Contract) -> bool:
    """Return whether an order may replace a contract: it starts within a month from its end."""
    since_s = candidate.order.start_s - (contract.end_s or 0)
    return 0 <= since_s < MONTH_S and _may_replace(candidate, contract)


def _shared(contract: Contract, opened: Sequence[OpenOrder], ground: Ground) -> Verdict:
    """Assign orders to a contract, up to its GPUs: from the term with most open GPUs (tie: shorter), firm orders first.

    Orders for recent demand count separately.
    """
    takes, needed = list[tuple[OpenOrder, float]](), contract.gpus
    for is_firm in (True, False):
        while needed > 1e-9:
            candidates = [c for c in opened if c.order.is_certain is is_firm and _is_open(c, contract)]
            by_term = summed((c.order.term_months, c.gpus) for c in candidates)
            if not by_term:
                break
            term = min(by_term, key=lambda term: (-by_term[term], term))
            for candidate in sorted(candidates, key=_taking_order):
                if needed > 1e-9 and candidate.order.term_months == term:
                    taken = min(needed, candidate.gpus)
                    candidate.gpus -= taken
                    needed -= taken
                    takes.append((candidate, taken))
    lasting_gpus = sum(taken for take, taken in takes if not take.order.is_certain)
    takes = [(take, taken) for take, taken in takes if take.order.is_certain]
    if not takes:
        nothing = worded("nothing firm follows it") if lasting_gpus else worded("nothing follows it")
        why = joined(filter(None, (nothing, describe_later_order(contract, opened, ground))), "; ")
        alone = _alone("let_expire", contract, why)
        return replace(alone, if_it_lasts_gpus=lasting_gpus)
    share = summed((take.order.term_months, taken) for take, taken in takes)
    sold = summed(((take.order.term_months, take.order.term_days), taken) for take, taken in takes)
    then = min(share, key=lambda term: (-share[term], term))
    longest_s = max(notice_s(contract), *(take.lead_s for take, _ in takes))
    quoted_s = [take.last_order_s for take, _ in takes if take.last_order_s is not None]
    by_s = min([(contract.end_s or 0) - longest_s, *quoted_s])
    # an order for another contract's end has that contract's deadline, with its notice
    days = ((take.order.reason, take.order.start_s, take.order.last_day_s) for take, _ in takes)
    own = [day_s for reason, at_s, day_s in days if reason != "contract_end" or at_s == contract.end_s]
    last_day_s = min(own, default=by_s - 1)
    shorter = contract.term_months is not None and then < contract.term_months
    shares = tuple((sold[term], term) for term in sorted(sold, key=lambda offer: (offer[0], offer[1] or 0)))
    return Verdict(
        contract_id=contract.contract_id,
        verdict="shorten" if shorter else "replace",
        then_term_months=then,
        gpus=sum(share.values()),
        order_by_s=by_s,
        reason=joined((_in_words(gpus, term_words(*term)) for gpus, term in shares), " + "),
        shares=shares,
        if_it_lasts_gpus=lasting_gpus,
        last_day_s=last_day_s,
        due_gpus=sum(taken for take, taken in takes if take.order.last_day_s <= last_day_s),
        takes=tuple((take.order, taken) for take, taken in takes),
    )


def _in_words(gpus: float, term: Message) -> Message:
    """Return a share in words: 14 GPUs for 3 months."""
    return worded(
        "{gpus} for {term}",
        gpus=worded_count(gpus, "{gpus} GPU", "{gpus} GPUs", gpus=significant(gpus)),
        term=term,
    )


def _taking_order(candidate: OpenOrder) -> tuple[int, int, int, str]:
    """Return the sort key of assignment: serving order, shorter lead time, earlier start, offer id."""
    order = candidate.order
    return SERVING_ORDER.index(order.pool), candidate.lead_s, order.start_s, order.offer_id


def describe_later_order(contract: Contract, opened: Sequence[OpenOrder], ground: Ground) -> Text:
    """Return when an order follows later, because no offer can start sooner; otherwise ""."""
    starts = [
        candidate.order.start_s
        for candidate in opened
        if _may_replace(candidate, contract)
        and candidate.order.start_s - (contract.end_s or 0) >= MONTH_S
        and candidate.order.start_s == ground.window.end_s + candidate.lead_s
    ]
    if not starts:
        return ""
    return worded(
        "a commitment follows {days} days after {origin}, given its lead time",
        days=whole((min(starts) - ground.window.end_s) / DAY_S),
        origin=ground.origin,
    )
