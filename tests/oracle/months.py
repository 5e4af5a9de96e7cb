"""What a plan costs month by month along j = 0: sums over the list, and use of what it leaves over."""

import itertools
from types import SimpleNamespace

from tests.oracle.groups import key_of, name_of
from tests.oracle.offers import cheapest, is_eligible, usage_is_open
from tests.oracle.orders import chains_of, rate_of
from tests.oracle.runs import needs_of, overlap_h
from tests.oracle.serving import HOUR_S, SERVING_ORDER, allows, hours_between


def add(one, other):
    """Sum; unknown where either is."""
    return None if one is None or other is None else one + other


def without(span, taken):
    """The parts of a span that none of the spans taken holds."""
    left = [span]
    for from_s, to_s in taken:
        left = [
            piece
            for a, b in left
            for piece in ((a, min(b, from_s)), (max(a, to_s), b))
            if piece[0] < piece[1]
        ]
    return left


def used_spans(sim, owner, piece, t):
    """[(from_s, to_s, GPUs in use)] of a slice, or of a strip of a run, in month t, whatever is signed."""
    if owner.is_run:
        month = sim.month_span(t)
        return [
            (max(a, month[0]), min(b, month[1]), piece.gpus)
            for a, b in piece.spans
            if overlap_h((a, b), *month)
        ]
    return [
        (from_s, to_s, piece.gpus * group_u)
        for from_s, to_s in sim.served.parts(t)
        if (group_u := owner.u_at(piece.k, from_s, t, 0)) > 0
    ]


def held_spans(piece):
    return [(order.start_s, order.end_s) for order in piece.orders]


def use_in_month(sim, owner, piece, t):
    """(use $ or None, unserved GPU-hours, {offer or None: GPU-hours by use}) of a slice in month t."""
    usd, lost, by_use = 0.0, 0.0, 0.0
    for from_s, to_s, gpus in used_spans(sim, owner, piece, t):
        for span in without((from_s, to_s), held_spans(piece)):
            hours = sum(b - a for a, b in without(span, piece.denied)) / HOUR_S
            denied = (span[1] - span[0]) / HOUR_S - hours
            lost += gpus * denied
            rate, may_wait = sim.rented(owner, piece, t)
            if not may_wait:
                lost += gpus * hours
                continue
            by_use += gpus * hours
            if hours > 0:
                usd = add(
                    usd, None if rate is None else gpus * hours * rate * sim.use_price_at(owner, from_s, t)
                )
    return usd, lost, by_use


def pieces_of(groups, runs):
    """[(group or run, slice or strip)]."""
    return [(group, piece) for group in groups for piece in group.slices] + [
        (run, strip) for run in runs for strip in run.strips
    ]


def contracts_in(contracts, from_s, to_s):
    """$ of contracts in a span; None where a rate is missing."""
    usd = 0.0
    for contract in contracts:
        hours = hours_between(contract, from_s, to_s)
        if hours:
            usd = add(usd, contract.gpus * contract.rate * hours if contract.rate else None)
    return usd


def orders_in(groups, runs, from_s, to_s):
    usd = 0.0
    for _, chain in chains_of(groups, runs):
        for order in chain:
            usd += order.paid * rate_of(order) * hours_between(order, from_s, to_s)
    return usd


def plan_in_month(sim, groups, runs, t):
    """contracts, orders, use (each $ or None), unserved {(pool, model): GPU-hours}, by_use GPU-hours, and the $ of the
    first three."""
    span = sim.month_span(t)
    contracts, orders = contracts_in(sim.existing, *span), orders_in(groups, runs, *span)
    use, unserved, by_use = 0.0, {}, 0.0
    for owner, piece in pieces_of(groups, runs):
        usd, lost, hours = use_in_month(sim, owner, piece, t)
        use, by_use = add(use, usd), by_use + hours
        if lost:
            unserved[owner.key] = unserved.get(owner.key, 0.0) + lost
    usd = add(add(contracts, orders), use)
    return SimpleNamespace(
        contracts=contracts, orders=orders, use=use, unserved=unserved, by_use=by_use, usd=usd
    )


def do_nothing(sim, runs, t):
    """All contract rows for the hours they run, what they leave over on demand: $, unserved GPU-hours, the $ of what
    has a rate, and {(pool, model): GPU-hours} that nobody sells."""
    nothing, span = sim.nothing, sim.month_span(t)
    rated, lost, unsold = 0.0, 0.0, {}
    wants = []
    for run in runs:
        before = [SimpleNamespace(work=other.work, gpus=other.gpus, needs=needs) for other, needs in wants]
        wants.append((run, needs_of(sim, nothing, run.work, run.only, run.spans, before)))
    for from_s, to_s in nothing.parts(t):
        left, parts = nothing.state(nothing.key(from_s, t, 0))[0], {}
        for stream, gpus in zip(nothing.streams, left, strict=True):
            parts[stream.part] = parts.get(stream.part, 0.0) + gpus
        cuts = {at for _, needs in wants for need in needs for at in need[:2] if from_s < at < to_s}
        edges = [from_s, *sorted(cuts), to_s]
        for since_s, until_s in itertools.pairwise(edges):
            there = [
                (run, gpus) for run, needs in wants for a, b, gpus in needs if a <= since_s < b and gpus > 0
            ]
            hours = (until_s - since_s) / HOUR_S
            bill, missed, gpus_unsold = _on_demand(sim, parts, there, from_s, t)
            rated += bill * hours
            lost += missed * hours
            for at, gpus in gpus_unsold.items():
                unsold[key_of(*at)] = unsold.get(key_of(*at), 0.0) + gpus * hours
    usd = add(contracts_in(nothing.contracts, *span), None if unsold else rated)
    rated += contracts_in([one for one in nothing.contracts if one.rate], *span)
    return SimpleNamespace(usd=usd, unserved=lost, rated=rated, unsold=unsold)


def plan_without_rates(sim, groups, runs, t):
    """($ of what has a rate in month t of the plan, {(pool, model): GPU-hours} by use that nobody sells)."""
    span, unsold = sim.month_span(t), {}
    rated = contracts_in([one for one in sim.existing if one.rate], *span) + orders_in(groups, runs, *span)
    for owner, piece in pieces_of(groups, runs):
        usd, _, hours = use_in_month(sim, owner, piece, t)
        if usd is None:
            unsold[owner.key] = unsold.get(owner.key, 0.0) + hours
        else:
            rated += usd
    return rated, unsold


def _on_demand(sim, parts, runs, at_s, t):
    """($, GPUs unserved, {part: GPUs that nobody sells}) an hour of what contracts leave over, each hour at the
    cheapest offer that has GPUs left.

    runs: [(run, GPUs)] that are there, each above what the log has of its pool and model."""
    asking = [((run.work.pool, run.model, run.only), [gpus] * len(sim.nothing.first)) for run, gpus in runs]
    asking = sorted(
        [*asking, *((at, parts[at]) for at in parts)],
        key=lambda one: (SERVING_ORDER.index(one[0][0]), one[0][1] or "", name_of(one[0][2])),
    )
    offers = {at: on_demand_offers(sim, *at, t) for at, _ in asking}
    usd, lost, unsold = 0.0, 0.0, {}
    weights = {at: sim.nothing.weights_of({at}) for at, _ in asking}
    for place in range(len(sim.nothing.first)):
        room = {o.offer_id: o.max_gpus for own in offers.values() for o in own}
        for at, gpus in asking:
            amount = float(gpus[place])
            if amount > 0 and not offers[at] and at[2] is None:
                unsold[at] = unsold.get(at, 0.0) + weights[at][place] * amount
                continue
            for offer in offers[at]:
                most = room[offer.offer_id]
                taken = amount if most is None else min(amount, most)
                room[offer.offer_id] = None if most is None else most - taken
                amount -= taken
                usd += weights[at][place] * taken * offer.rate * sim.price_of(offer, at_s, t)
            lost += weights[at][place] * amount
    return usd, lost, unsold


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
        and usage_is_open(o, t, sim.plan_from_s)
    ]
    best = cheapest(usable, "STANDARD")
    return [] if best is None else sorted(usable, key=lambda o: (o.rate, o.offer_id))
