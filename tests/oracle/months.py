"""What a plan costs month by month along j = 0: contracts, orders, use, and what nobody serves."""

from types import SimpleNamespace

from tests.oracle.groups import name_of
from tests.oracle.limits import dated_use, prices, rented
from tests.oracle.offers import cheapest, deals_in_month, is_eligible, usage_is_open
from tests.oracle.serving import SERVING_ORDER, allows, runs_through


def of_slice(group, piece, t, use_price, sign_price):
    """(orders $, use $, unserved GPU-hours) of a slice in month t; $ None: a rate is needed that nobody has."""
    u = group.u(piece.k, t, 0)
    if piece.dropped:
        return 0.0, 0.0, 730 * piece.gpus * u
    step = piece.path[t]
    orders, by_use = 0.0, u
    if step is not None:
        signed, deal = step
        served = deal.served[t - signed]
        orders = 730 * piece.gpus * deal.rate * sign_price(signed, deal.offer) * served
        if deal.upfront:
            orders += piece.gpus * deal.upfront * served / sum(deal.served)
        by_use = u * (1 - served)
    if by_use <= 0:
        return orders, 0.0, 0.0
    rate, may_wait = rented(group, piece, t)
    if not may_wait:
        return orders, 0.0, 730 * piece.gpus * by_use
    use = None if rate is None else 730 * piece.gpus * by_use * rate * use_price(t)
    return orders, use, 0.0


def hand_deal(sim, group, hand, month):
    """The cheapest deal of a layer's term in a month, whatever the length of the log."""
    found = deals_in_month(
        group.offers, month, 10**9, frozenset(), sim.rules.leads_are_free, sim.demand.plan_from_s
    )
    whole = [deal for deal in found if deal.offer.term_days is None]
    return next((deal for deal in whole if deal.months == hand.term_months), None)


def of_hand_layers(sim, group, t):
    """(orders $, use $) of a group set by hand: every layer is signed again when its term ends, the rest rented."""
    use_price, sign_price = prices(sim, group)
    orders, bottom = 0.0, 0
    for hand in group.by_hand:
        signed = t // hand.term_months * hand.term_months
        deal = hand_deal(sim, group, hand, signed)
        orders += 730 * hand.gpus * deal.rate * sign_price(signed, deal.offer)
        orders += hand.gpus * deal.upfront / deal.months
        bottom += hand.gpus
    rest = sum(
        share * sim.mean([max(gpus - bottom, 0.0) for gpus in hourly])
        for share, hourly in sim.served.residuals(group.members, t)
    )
    return orders, 730 * rest * group.usage.r_flex * use_price(t)


def plan_in_month(sim, groups, t):
    """contracts, orders, use (each $ or None), unserved {(pool, model): GPU-hours} and the sum of the first three."""
    contracts = orders = use = 0.0
    unserved = {}
    for contract in sim.existing:
        if runs_through(contract, sim.demand.plan, t):
            contracts = _add(contracts, 730 * contract.gpus * contract.rate if contract.rate else None)
    for group in groups:
        if group.by_hand is not None:
            signed, by_hand = of_hand_layers(sim, group, t)
            orders, use = _add(orders, signed), _add(use, by_hand)
        use_price, sign_price = prices(sim, group)
        for piece in group.slices:
            signed, by_use, lost = of_slice(group, piece, t, use_price, sign_price)
            orders, use = _add(orders, signed), _add(use, by_use)
            if lost:
                unserved[group.key] = unserved.get(group.key, 0.0) + lost
    usd = _add(_add(contracts, orders), use)
    return SimpleNamespace(contracts=contracts, orders=orders, use=use, unserved=unserved, usd=usd)


def do_nothing(sim, groups, t):
    """($, unserved GPU-hours): all contract rows that run through month t in full, what they leave over on demand."""
    demand = sim.demand
    running = [c for c in sim.project.contracts if runs_through(c, demand.plan, t)]
    usd, lost = 0.0, 0.0
    for contract in running:
        usd = _add(usd, 730 * contract.gpus * contract.rate if contract.rate else None)
    for share, key in sim.untyped.keys(t, 0):
        left = sim.untyped.state(key)[0]
        parts = {}
        for stream, hourly in zip(sim.untyped.streams, left, strict=True):
            at = stream.part
            parts[at] = [a + b for a, b in zip(parts.get(at, [0.0] * sim.hours), hourly, strict=True)]
        bill, missed = _on_demand(sim, parts, t)
        usd = _add(usd, None if bill is None else share * bill)
        lost += share * missed
    return usd, lost


def _on_demand(sim, parts, t):
    """($, unserved GPU-hours) of what contracts leave over, hour by hour at the cheapest offer that has GPUs left."""
    usd, lost = 0.0, 0.0
    order = sorted(parts, key=lambda at: (SERVING_ORDER.index(at[0]), at[1] or "", name_of(at[2])))
    offers = {at: on_demand_offers(sim, *at, t) for at in order}
    if not any(o.max_gpus is not None for own in offers.values() for o in own):
        for at in order:
            gpus = sim.mean(parts[at])
            if gpus > 0:
                if not offers[at] and at[2] is not None:
                    lost += 730 * gpus
                    continue
                rate = offers[at][0].rate if offers[at] else None
                usd = _add(usd, None if rate is None else 730 * gpus * rate * price(sim, offers[at][0], t))
        return usd, lost
    hourly_usd, hourly_lost = [0.0] * sim.hours, [0.0] * sim.hours
    for h in range(sim.hours):
        room = {o.offer_id: o.max_gpus for own in offers.values() for o in own}
        for at in order:
            amount = parts[at][h]
            if amount > 0 and not offers[at] and at[2] is None:
                return None, 0.0
            for offer in offers[at]:
                most = room[offer.offer_id]
                taken = amount if most is None else min(amount, most)
                room[offer.offer_id] = None if most is None else most - taken
                amount -= taken
                hourly_usd[h] += taken * offer.rate * price(sim, offer, t)
            hourly_lost[h] += amount
    return 730 * sim.mean(hourly_usd), 730 * sim.mean(hourly_lost)


def price(sim, offer, t):
    """What an offer's usage price of today is in month t."""
    return sim.path(t) * dated_use(sim, offer.gpu_model, t)


def on_demand_offers(sim, pool, model, only, t):
    """On-demand offers eligible for the pool and model, cheapest first."""
    keys = {key for s in sim.served.streams if s.part == (pool, model, only) for key in s.users}
    several = any((sim.demand.workloads[key].max_nodes or 1) > 1 for key in keys)
    usable = [
        o
        for o in sim.offers
        if is_eligible(o, pool, model, several)
        and allows(only, o)
        and o.pricing_category == "STANDARD"
        and o.rate
        and usage_is_open(o, t, sim.demand.plan_from_s)
    ]
    best = cheapest(usable, "STANDARD")
    return [] if best is None else sorted(usable, key=lambda o: (o.rate, o.offer_id))


def _add(one, other):
    return None if one is None or other is None else one + other
