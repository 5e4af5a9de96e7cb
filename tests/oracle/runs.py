"""Planned work with an end or a length: bought apart, on its own hours, exactly, by recursion over its times."""

import math
from types import SimpleNamespace

from tests.oracle.groups import key_of, usage_of, user_of
from tests.oracle.offers import commitments
from tests.oracle.orders import rate_of
from tests.oracle.serving import HOUR_S, MILLI_GPU_SECONDS, MONTH_S, allows, binds, runs_at, same_model
from tests.oracle.slicing import peak_today, unit_of


def runs_of(sim):
    """The runs of the plan, by key, each with the GPUs that idle contracts leave it to buy."""
    until_s = sim.plan_from_s + max(sim.horizon, 12) * MONTH_S
    answer = []
    for one in sorted(sim.works(), key=lambda one: one.key):
        spans = one.spans(sim.plan_from_s, until_s) if one.is_run else []
        if spans:
            answer.append(_run(sim, one, spans, answer))
    return answer


def _run(sim, one, spans, before):
    only = sim.stated.only.get(one.key)
    if only is not None and not binds(only, sim.project, one.cluster, one.model):
        only = None
    pool = "joint" if sim.joint else one.pool
    run = SimpleNamespace(work=one, is_run=True, pool=pool, order_pool=one.pool, model=one.model, only=only)
    several = (one.workload.max_nodes or 1) > 1
    run.key, run.at = key_of(pool, one.model, only), (one.model, only)
    run.users = [(1, *user_of(sim, one.workload, one.pool, one.model, only, several))]
    run.offers = list(run.users[0][2])
    run.usage = usage_of(sim, run, 0)[0]
    run.limited = only is not None or any(
        o.max_gpus is not None or o.starts_s is not None or o.ends_s is not None
        for o in run.offers
        if o.pricing_category != "COMMITTED"
    )
    run.gpus, run.spans, run.sold_by_model = one.gpus, spans, {}
    run.needs = needs_of(sim, sim.served, one, only, spans, before)
    run.strips = []
    run.slices = slices_of_use(run)
    run.u = lambda k, t, j: (
        sum(
            overlap_h(need[:2], *sim.month_span(t))
            for need in run.needs
            if need[2] > run.slices[k - 1].low + 1e-9
        )
        / 730
    )
    return run


def slices_of_use(run):
    """What it pays by use, cut where an offer paid by use has fewer GPUs than the run: the cheapest at the bottom."""
    most, edges, so_far = max(gpus for _, _, gpus in run.needs), [], 0.0
    usable = [
        o for o in run.offers if o.pricing_category != "COMMITTED" and o.rate and o.max_gpus is not None
    ]
    for offer in sorted(usable, key=lambda o: (o.rate, o.offer_id)):
        so_far += offer.max_gpus
        edges.append(min(so_far, most))
    edges, low, answer = sorted({*edges, most}), 0.0, []
    for high in edges:
        answer.append(SimpleNamespace(k=len(answer) + 1, low=low, gpus=high - low))
        low = high
    return answer


def needs_of(sim, served, work, only, spans, before):
    """[(from_s, to_s, GPUs to buy)]: beyond what contracts have idle and the runs before it do not take."""
    needs = []
    edges = {at for other in before if alike(other.work, work) for need in other.needs for at in need[:2]}
    for from_s, to_s in cut_at_parts(sim, served, spans, edges):
        idle = idle_gpus(sim, served, work, only, from_s) - sum(
            taken_gpus(other, from_s) for other in before if alike(other.work, work)
        )
        needs.append((from_s, to_s, work.gpus - min(max(idle, 0.0), work.gpus)))
    return needs


def alike(one, other):
    """Do two runs share idle contracts?"""
    return one.cluster == other.cluster and same_model(one.model, other.model)


def taken_gpus(run, at_s):
    """GPUs that a run takes of contracts at an instant."""
    return sum(run.gpus - gpus for from_s, to_s, gpus in run.needs if from_s <= at_s < to_s)


def idle_gpus(sim, served, work, only, at_s):
    """What contracts of its model on its cluster hold above the peak that the log leaves them."""
    held = [
        c.gpus
        for c in served.contracts
        if c.cluster == work.cluster
        and same_model(c.gpu_model, work.model)
        and c.pool in (None, work.pool)
        and allows(only, c)
        and runs_at(c, at_s)
    ]
    log = [
        s.hourly
        for s in served.streams
        if s.cluster == work.cluster and same_model(s.model, work.model) and sim.demand.within_horizon(s.kind)
    ]
    return sum(held) - max((sum(hour) for hour in zip(*log, strict=True)), default=0.0) / MILLI_GPU_SECONDS


def cut_at_parts(sim, served, spans, edges=()):
    """Spans cut at the parts of months, and at some moments."""
    found = []
    for at in sorted(edges):
        spans = [piece for a, b in spans for piece in (((a, at), (at, b)) if a < at < b else ((a, b),))]
    for from_s, to_s in spans:
        for t in range(sim.month_of(from_s), sim.month_of(to_s - 1) + 1):
            for part_from_s, part_to_s in served.parts(t):
                begin, end = max(from_s, part_from_s), min(to_s, part_to_s)
                if begin < end:
                    found.append((begin, end))
    return found


def overlap_h(span, from_s, to_s):
    return max(0, min(span[1], to_s) - max(span[0], from_s)) / HOUR_S


def buy_run(sim, run, left, share):
    """Cuts the run into strips where it needs less, or where an offer has fewer GPUs, and buys each."""
    edges = {gpus for _, _, gpus in run.needs if gpus > 0}
    most = max(edges, default=0.0)
    signed = commitments(run.offers, sim.assumptions.max_term_months or 10**9)
    edges |= {left[o.offer_id] for o in signed if 0 < left.get(o.offer_id, 0) < most}
    edges |= {piece.low for piece in run.slices if 0 < piece.low < most}
    run.strips, low = [], 0.0
    for high in sorted(edges):
        strip = SimpleNamespace(low=low, gpus=high - low, orders=[], denied=[])
        strip.k = next(piece.k for piece in reversed(run.slices) if piece.low <= low)
        strip.spans = [(from_s, to_s) for from_s, to_s, gpus in run.needs if gpus >= high - 1e-9]
        low = high
        closed = {offer_id for offer_id, gpus in left.items() if gpus < strip.gpus - 1e-9}
        share.keep(
            strip.gpus,
            lambda full, strip=strip, closed=closed: cheapest_chain(sim, run, strip, closed | full),
        )
        for offer_id in {order.offer.offer_id for order in strip.orders}:
            if offer_id in left:
                left[offer_id] -= strip.gpus
        run.strips.append(strip)


def use_of_strip(sim, run, strip, from_s, to_s):
    """(Unserved GPU-hours, $) of a strip by use from an instant to another."""
    lost = usd = 0.0
    for span in strip.spans:
        hours = overlap_h(span, from_s, to_s)
        if hours:
            t = sim.month_of(span[0])
            rate, may_wait = sim.rented(run, strip, t)
            if not may_wait:
                lost += strip.gpus * hours
            else:
                price = math.inf if rate is None else rate * sim.use_price_at(run, span[0], t)
                usd += strip.gpus * hours * price
    return lost, usd


def cheapest_chain(sim, run, strip, closed):
    """Sets and returns strip.orders: the cheapest of use and chains of orders, each of which starts at the beginning of
    a piece, at the end of the order before it, when its lead has passed, or (a block) on its day."""
    longest = sim.assumptions.max_term_months or 10**9
    offers = [
        o
        for o in commitments(run.offers, longest)
        if o.offer_id not in closed and o.min_gpus <= strip.gpus + 1e-9
    ]
    peak_gpus = peak_today(sim, SimpleNamespace(members={(run.order_pool, run.model, run.only)}))
    units = {offer.offer_id: unit_of(sim, offer, peak_gpus) for offer in offers}
    ends = {to_s for _, to_s in strip.spans}
    begins = {from_s for from_s, _ in strip.spans if from_s not in ends}
    last_s = max(to_s for _, to_s in strip.spans)
    fixed = sorted(
        begins
        | {sim.plan_from_s + o.lead_s for o in offers}
        | {o.starts_s for o in offers if o.is_block and o.starts_s >= sim.plan_from_s}
        | {sim.plan_from_s, last_s}
    )

    def orders_at(at_s, is_after):
        for offer in offers:
            end_s = at_s + round(offer.hours * HOUR_S)
            is_time = is_after or at_s in begins or at_s == sim.plan_from_s + offer.lead_s or offer.is_block
            if is_time and offer.may_run(at_s, end_s, sim.plan_from_s):
                month = sim.month_of(at_s)
                yield SimpleNamespace(
                    offer=offer,
                    gpus=strip.gpus,
                    paid=math.ceil(strip.gpus / units[offer.offer_id] - 1e-9) * units[offer.offer_id],
                    start_s=at_s,
                    end_s=end_s,
                    month=month,
                    price=sim.start_price(at_s, offer),
                    lasts=True,
                    is_run=True,
                )

    options, todo = {}, [(sim.plan_from_s, False)]  # (when, has an order just ended?)
    while todo:
        state = todo.pop()
        if state in options or state[0] >= last_s:
            continue
        following = next(one for one in fixed if one > state[0])
        options[state] = [((following, False), None)]
        options[state] += [((order.end_s, True), order) for order in orders_at(*state)]
        todo += [to for to, _ in options[state]]
    best = {}
    for state in sorted(options, reverse=True):
        least = None
        for to, order in options[state]:
            if order is None:
                now = use_of_strip(sim, run, strip, state[0], to[0])
            else:
                now = 0.0, order.paid * rate_of(order) * (to[0] - state[0]) / HOUR_S
            after = best[to][0] if to in best else (0.0, 0.0)
            cost = now[0] + after[0], now[1] + after[1]
            if least is None or sim.better(cost, least[0]):
                least = cost, order, to
        best[state] = least
    strip.orders, state = [], (sim.plan_from_s, False)
    while state in best:
        _, order, state = best[state]
        if order is not None:
            strip.orders.append(order)
    return strip.orders
