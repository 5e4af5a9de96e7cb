"""The list: every commitment of a slice along j = 0, from a start to an end; why it is placed; and how it is listed."""

import math
from types import SimpleNamespace

from tests.oracle.serving import HOUR_S, MONTH_S

DAY_S = 86_400


def chain_of(sim, group, piece):
    """The orders of a slice, dated: offer, gpus, start_s, end_s, month, price, lasts."""
    orders, t, free_s = [], 0, sim.plan_from_s
    while t < sim.horizon:
        way = piece.choice[t, 0]
        order = None if way is None else _placed(sim, group, piece, t, way, free_s)
        if order is None:
            t += 1
            continue
        lasts = not (
            sim.assumptions.slices_lived and group.lived.only_if_it_lasts(piece.k, t, way.offer.months)
        ) and not (t > 0 and group.fall is False)
        order.lasts = lasts and (not orders or orders[-1].lasts)
        orders.append(order)
        free_s = order.end_s
        t = max(t + 1, (order.end_s - sim.plan_from_s) // MONTH_S)
    return orders


def _placed(sim, group, piece, t, way, free_s):
    """The order of month t; None where it costs more than the use of its span, or where it has no room."""
    offer, begin_s = way.offer, sim.plan_from_s + t * MONTH_S
    given_s = max(begin_s, sim.plan_from_s + offer.lead_s)
    start_s = max(given_s, free_s, _worth_from(sim, group, piece, t, way))
    end_s = start_s + round(offer.hours * HOUR_S)
    if offer.is_block:
        start_s, end_s = offer.starts_s, offer.ends_s
        if start_s < free_s:
            return None
    elif offer.hours < 730:
        end_s = given_s + MONTH_S
    if not offer.is_valid_for(start_s):
        return None
    order = SimpleNamespace(
        offer=offer,
        gpus=piece.gpus,
        paid=piece.gpus,
        start_s=start_s,
        end_s=end_s,
        month=t,
        price=sim.start_price(start_s, offer),
        lasts=True,
        is_run=False,
    )
    last_s = min(end_s, sim.plan_from_s + sim.horizon * MONTH_S)
    usd = order.gpus * (offer.rate * order.price * (last_s - start_s) / HOUR_S + way.upfront)
    use = use_of_span(sim, group, piece, start_s, last_s)
    return None if usd > use + 1e-9 * abs(use) else order


def is_in_time(sim, group, piece, t, way):
    """Is an order of month t that waits until it is worth it placed by its offer's last day?"""
    given_s = sim.plan_from_s + t * MONTH_S + round(way.x * MONTH_S)
    return way.offer.is_valid_for(max(given_s, _worth_from(sim, group, piece, t, way)))


def _worth_from(sim, group, piece, t, way):
    """When the first part of month t begins in which use costs at least as much as the order."""
    signed = way.offer.rate * way.price + way.offer.upfront_usd / way.offer.bound_hours
    for from_s, _ in sim.served.parts(t):
        if use_rate(sim, group, piece, from_s, t) >= signed - 1e-12:
            return from_s
    return sim.plan_from_s + t * MONTH_S


def rate_of(order):
    """$ per GPU-hour with what is paid upfront spread over its hours."""
    return order.offer.rate * order.price + order.offer.upfront_usd * HOUR_S / (order.end_s - order.start_s)


def use_rate(sim, group, piece, at_s, t):
    """u r: $ a GPU-hour of the slice by use at an instant of month t; inf where nobody serves it."""
    busy = group.u_at(piece.k, at_s, t, 0)
    rate, may_wait = sim.rented(group, piece, t)
    if busy <= 0:
        return 0.0
    return busy * rate * sim.use_price_at(group, at_s, t) if may_wait and rate is not None else math.inf


def use_of_span(sim, group, piece, start_s, end_s):
    """$ of the use of a slice from a start to an end."""
    usd = 0.0
    for t in range(sim.month_of(start_s), sim.month_of(end_s - 1) + 1):
        for from_s, to_s in sim.served.parts(t):
            hours = max(0, min(to_s, end_s) - max(from_s, start_s)) / HOUR_S
            if hours:
                usd += piece.gpus * hours * use_rate(sim, group, piece, from_s, t)
    return usd


def served_hours(sim, owner, piece, order):
    """(hours that an order holds, GPU-hours that it serves along j = 0), in the months of the plan."""
    until_s = sim.plan_from_s + max(sim.horizon, 12) * MONTH_S
    served = 0.0
    for t in range(sim.month_of(order.start_s), sim.month_of(min(order.end_s, until_s) - 1) + 1):
        for from_s, to_s, gpus in sim.used_spans(owner, piece, t):
            served += gpus * max(0, min(to_s, order.end_s) - max(from_s, order.start_s)) / HOUR_S
    return (min(order.end_s, until_s) - order.start_s) / HOUR_S, served


# -- the list of a plan ---------------------------------------------------------------------------------------


def chains_of(groups, runs):
    """[(group or run, chain of orders of one slice)]."""
    found = [(group, piece.orders) for group in groups for piece in group.slices]
    return found + [(run, strip.orders) for run in runs for strip in run.strips]


def orders_of(sim, groups, runs):
    """{(pool, model, offer_id, start, end, reason): figures} of what starts or is ordered within 12 months."""
    rows, until_s = {}, sim.plan_from_s + 12 * MONTH_S
    listed = [
        (owner, order, *why)
        for owner, chain in chains_of(groups, runs)
        for order, why in zip(chain, reasons_of(sim, owner, chain), strict=True)
    ]
    blocks = {}  # a block is bought whole, as one order, for the first of its reasons
    for owner, order, reason, order_by_s in listed:
        if order.offer.is_block and reason in FIRST:
            why = (FIRST.index(reason), reason, order_by_s)
            at = owner.key, order.offer.offer_id
            blocks[at] = min(blocks.get(at, why), why)
    for owner, order, reason, order_by_s in listed:
        if order.offer.is_block and reason in FIRST:
            _, reason, order_by_s = blocks[owner.key, order.offer.offer_id]
        if min(order.start_s, order_by_s) >= until_s:
            continue
        key = (*owner.key, order.offer.offer_id, order.start_s, order.end_s, reason)
        row = rows.setdefault(key, SimpleNamespace(gpus=0, liability=0.0, order_by=order_by_s, key=owner.key))
        row.gpus += order.gpus
        row.liability += order.paid * rate_of(order) * (order.end_s - order.start_s) / HOUR_S
        row.start_s, row.end_s, row.reason = order.start_s, order.end_s, reason
    return rows


FIRST = ("now", "contract_end", "lead_time", "growth", "bridge", "follows")


def follows(chain, place):
    return place > 0 and chain[place - 1].end_s == chain[place].start_s


def reasons_of(sim, owner, chain):
    """[(reason, order_by)] of a chain of orders of one slice."""
    soon_s = sim.plan_from_s + MONTH_S
    answer, bridges = [], set()
    for place, order in enumerate(chain):
        order_by_s = order.start_s - order.offer.lead_s
        ends = [
            c for c in sim.existing if c.end_s == order.start_s and sim.same_model(c.gpu_model, owner.model)
        ]
        is_built = order.offer.lead_time_hours >= 730 and order_by_s < soon_s <= order.start_s
        before = place
        while is_built and not order.is_run and follows(chain, before):
            before -= 1
            bridges.add(before)
        if not order.lasts:
            reason = "if_it_lasts"
        elif order.is_run:
            reason = "planned_run"
        elif is_built:
            reason = "lead_time"
        elif follows(chain, place):
            reason = "follows"
        elif ends:
            reason = "contract_end"
            order_by_s = min(order_by_s, *(c.end_s - (c.notice_days or 0) * DAY_S for c in ends))
            order_by_s = max(order_by_s, sim.plan_from_s)  # where notice was given
        else:
            reason = "now" if order.month == 0 else "growth"
        answer.append((reason, order_by_s))
    for place in bridges:
        if answer[place][0] not in ("if_it_lasts", "lead_time"):
            answer[place] = ("bridge", chain[place].start_s - chain[place].offer.lead_s)
    return answer


def gpus_to_sign(sim, orders):
    """{(pool, model): the most GPUs that the orders of liability_now hold at one time}, whoever may serve them."""

    def whose(row):
        pool, name = row.key
        return pool, name[0] if isinstance(name, tuple) else name

    soon = [row for row in orders.values() if is_now(sim, row)]
    answer = {}
    for at in soon:
        held = sum(r.gpus for r in soon if whose(r) == whose(at) and r.start_s <= at.start_s < r.end_s)
        answer[whose(at)] = max(answer.get(whose(at), 0), held)
    return answer


def is_now(sim, row):
    return row.reason != "if_it_lasts" and row.order_by < sim.plan_from_s + MONTH_S
