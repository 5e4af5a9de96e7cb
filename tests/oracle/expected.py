"""What a plan is expected to cost, by which whole decisions are taken: policies part by part, contracts, renewals."""

import math

from gpuplanner.domain.model.window import months_on
from tests.oracle.months import add, contracts_in
from tests.oracle.offers import same_model
from tests.oracle.orders import rate_of
from tests.oracle.policy import expected, levels, paid_months, step_chances
from tests.oracle.runs import use_of_strip
from tests.oracle.serving import HOUR_S, MONTH_S, SERVING_ORDER


def expected_usd(sim, groups, runs=()):
    """$ of today to the horizon, runs by what they cost whole; None where a rate is missing."""
    usd = 0.0
    for contract in sim.existing:
        usd = add(usd, _contract_usd(sim, groups, contract))
    for group in groups:
        for piece in group.slices:
            usd = add(usd, slice_usd(sim, group, piece))
    for run in runs:
        for strip in run.strips:
            usd += use_of_strip(sim, run, strip, sim.plan_from_s, math.inf)[1]
            usd += sum(
                order.paid * rate_of(order) * (order.end_s - order.start_s) / HOUR_S for order in strip.orders
            )
    return usd


def slice_usd(sim, group, piece):
    """The policy of a slice from the horizon down: each part of a month by its own use, an order from its own day."""
    world, steps, horizon = piece.world, step_chances(group.sigma), sim.horizon
    after = {horizon: dict.fromkeys(levels(group.sigma), 0.0)}
    for t in range(horizon - 1, -1, -1):

        def later(months, j, t=t):
            if t + months >= horizon:
                return 0.0
            return world.alive**months * expected(after[t + months], steps, months)[j]

        after[t] = {}
        rate, _ = world.rented(t)
        start_s = sim.plan_from_s + t * MONTH_S
        for j in levels(group.sigma):
            way = piece.choice[t, j]
            parts = [(a, b, group.u_at(piece.k, a, t, j)) for a, b in sim.served.parts(t)]
            price = 0.0 if rate is None else rate * world.use_price(t)
            if rate is None and any(busy > 0 for _, _, busy in parts):
                return None
            if way is None:
                used = sum((b - a) / HOUR_S * busy for a, b, busy in parts)
                after[t][j] = piece.gpus * used * price + later(1, j)
                continue
            spread = way.offer.rate * way.price + way.upfront / (730 * way.months)
            worth = [a for a, _, busy in parts if busy * price >= spread * (1 - 1e-12)]
            first_s = worth[0] if worth and not way.offer.is_block and len(parts) > 1 else start_s
            start = max(way.x, (first_s - start_s) / MONTH_S)
            held = start_s + round(start * MONTH_S), start_s + round((start + way.months) * MONTH_S)
            is_inside = way.offer.is_block and start + way.months < 1 - 1e-9
            used = 0.0
            for a, b, busy in parts:
                open_s = max(0, min(b, held[0]) - a) + (max(0, b - max(a, held[1])) if is_inside else 0)
                used += open_s / HOUR_S * busy
            bound = max(min(way.months, horizon - t - start), 0.0)
            signed = 730 * way.offer.rate * way.price * paid_months(world, bound) + way.upfront
            end = max(1.0, start + way.months)
            whole = math.floor(end + 1e-9)
            rest = max(end - whole, 0.0)
            then = later(whole, j)
            if rest > 1e-9:
                then = (1 - rest) * then + rest * later(whole + 1, j)
            after[t][j] = piece.gpus * (used * price + world.alive**start * signed) + then
    return after[0][0]


def _contract_usd(sim, groups, contract):
    """Until its first end, and each renewal by the chance that its demand is still there."""
    beta, end_s = (1 + sim.assumptions.wacc) ** (-1 / 12), sim.plan_from_s + sim.horizon * MONTH_S
    until_s = contract.bound_until_s if contract.end_s is None else contract.end_s
    usd = 0.0
    for t in range(sim.horizon):
        from_s, to_s = sim.month_span(t)
        to_s = to_s if until_s is None else min(to_s, until_s)
        of_month = contracts_in([contract], from_s, to_s) if to_s > from_s else 0.0
        usd = add(usd, None if of_month is None else of_month * beta**t)
    if contract.end_s is not None or until_s is None or usd is None:
        return usd
    stays, first_s, number = beta * (1 - _churn(sim, groups, contract)), until_s, 0
    while until_s < end_s:
        number += 1
        next_s = months_on(first_s, number * (contract.renews_months or 1))
        months = (min(next_s, end_s) - until_s) / MONTH_S
        whole = math.floor(months + 1e-9)
        paid = sum(beta**i for i in range(whole)) + max(months - whole, 0.0) * beta**whole
        usd += stays ** ((until_s - sim.plan_from_s) / MONTH_S) * 730 * contract.gpus * contract.rate * paid
        until_s = next_s
    return usd


def _churn(sim, groups, contract):
    """lambda of the pool that has most demand of its model on its cluster."""
    spent = {}
    for stream in sim.served.streams:
        is_open = contract.pool in (None, stream.pool) and stream.cluster == contract.cluster
        if is_open and stream.model is not None and same_model(stream.model, contract.gpu_model):
            spent.setdefault(stream.pool, [0.0, stream])[0] += sum(stream.hourly)
    if not spent:
        return 0.0
    pool = max(spent, key=lambda name: (spent[name][0], -SERVING_ORDER.index(name)))
    group = next(
        g for g in groups if g.key == (pool, spent[pool][1].model) or spent[pool][1].part in g.members
    )
    return sim.lambda_of(group)
