"""Month 0 as layers, the totals over them, and what contracts are paid for and do not serve (MODEL 5)."""

from types import SimpleNamespace

from tests.oracle.months import on_demand_offers, plan_without_rates, used_spans
from tests.oracle.orders import rate_of
from tests.oracle.past import simulate_past
from tests.oracle.runs import overlap_h
from tests.oracle.serving import MONTH_S, hours_between

LEAST_GPU_HOURS = 0.5


def layers_of(sim, groups, runs):
    """{(pool, model): {(existing, offer_id or None): figures}} of month 0; use is (False, None)."""
    span, found = sim.month_span(0), {}
    for owner in [*groups, *runs]:
        layers = found.setdefault(owner.key, {})
        gpus = served_now(sim, owner)
        if gpus > 1e-9:
            _add(layers, (True, None), held=730 * gpus, used=730 * gpus, gpus=gpus, months=0)
        for piece in owner.strips if owner.is_run else owner.slices:
            spans = used_spans(sim, owner, piece, 0)
            for order in piece.orders:
                hours = hours_between(order, *span)
                if not hours:
                    continue
                used = sum(g * overlap_h((a, b), order.start_s, order.end_s) for a, b, g in spans)
                _add(
                    layers,
                    (False, order.offer.offer_id),
                    gpus=order.gpus,
                    held=order.gpus * hours,
                    used=used,
                    usd=order.paid * rate_of(order) * hours,
                    months=order.offer.term_months,
                )
    for key, layers in found.items():
        if (True, None) in layers:
            rate = contract_rate(sim, key[1] if not isinstance(key[1], tuple) else key[1][0])
            layer = layers[True, None]
            layer.usd = None if rate is None else layer.held * rate
    return found


def _add(layers, key, gpus, held, used, months, usd=0.0):
    layer = layers.setdefault(key, SimpleNamespace(gpus=0.0, held=0.0, used=0.0, usd=0.0, months=months))
    layer.gpus, layer.held, layer.used = layer.gpus + gpus, layer.held + held, layer.used + used
    layer.usd += usd


def served_now(sim, owner):
    """Mean GPUs that contracts serve of a group, or of a run, in month 0."""
    from_s, to_s = sim.month_span(0)
    if owner.is_run:
        served = sum((owner.gpus - gpus) * overlap_h((a, b), from_s, to_s) for a, b, gpus in owner.needs)
        return served / 730
    parts = sim.served.parts(0)
    return sum(
        (b - a) / MONTH_S * sim.served.served_gpus(owner.members, sim.served.key(a, 0, 0)) for a, b in parts
    )


def contract_rate(sim, model):
    """Mean, by GPU-hours, of the contracts of a model that run in month 0; None where one is missing."""
    rows = [
        (c, hours_between(c, *sim.month_span(0))) for c in sim.existing if sim.same_model(c.gpu_model, model)
    ]
    rows = [(c, hours) for c, hours in rows if hours]
    if not rows or any(not c.rate for c, _ in rows):
        return None
    return sum(c.gpus * hours * c.rate for c, hours in rows) / sum(c.gpus * hours for c, hours in rows)


def idle_existing(sim, layers):
    """{model: (GPUs, $)} of what contracts are paid for in month 0 and do not serve."""
    found = {}
    for model in {c.gpu_model for c in sim.existing}:
        hours = sum(
            c.gpus * hours_between(c, *sim.month_span(0)) for c in sim.existing if c.gpu_model == model
        )
        for key, rows in layers.items():
            own = key[1][0] if isinstance(key[1], tuple) else key[1]
            if sim.same_model(own, model) and (True, None) in rows:
                hours -= rows[True, None].held
        rate = contract_rate(sim, model)
        if hours > 1e-6:
            found[model] = (hours / 730, None if rate is None else hours * rate)
    return found


def totals_of(sim, answer):
    """The figures of a plan beside the list."""
    groups, runs, layers = answer.groups, answer.runs, answer.layers
    totals = SimpleNamespace(plan=answer.plan, do_nothing=answer.comparison[0].do_nothing)
    months = answer.comparison[: sim.horizon]
    hidden = any(
        max(sum(row.plan.unserved.values()), row.do_nothing_unserved) > LEAST_GPU_HOURS for row in months
    )
    totals.current = simulate_past(sim.project, sim.log_classes).current
    totals.savings = None if hidden else minus(totals.current, totals.plan)
    totals.savings_percent = ratio(totals.savings, totals.current, 100)
    totals.savings_vs_do_nothing = None if hidden else _below_nothing(sim, answer)
    totals.on_demand_equivalent = _on_demand_equivalent(sim, groups, runs)
    saved = None if hidden else minus(totals.on_demand_equivalent, totals.plan)
    totals.effective_savings_rate = ratio(saved, totals.on_demand_equivalent)
    is_known = answer.comparison[0].plan.use is not None
    rows = [layer for of_key in layers.values() for layer in of_key.values()]
    new = [layer for of_key in layers.values() for (existing, _), layer in of_key.items() if not existing]
    contracts = [(c, hours_between(c, *sim.month_span(0))) for c in sim.existing]
    by_use = answer.comparison[0].plan.by_use
    held = sum(c.gpus * hours for c, hours in contracts) + sum(layer.held for layer in new) + by_use
    used = sum(layer.used for layer in rows) + by_use
    totals.effective_utilization_plan = used / held if held and is_known else None
    unused = [layer.usd * (1 - layer.used / layer.held) for layer in new]
    totals.unused_plan = total([*unused, *(usd for _, usd in answer.idle.values())]) if is_known else None
    locked = [layer.usd * layer.months for layer in new]
    for c, hours in contracts:
        if hours:
            until_s = c.bound_until_s if c.end_s is None else c.end_s
            left = (
                (c.notice_days or 0) * 24 / 730 if until_s is None else (until_s - sim.plan_from_s) / MONTH_S
            )
            locked.append(c.gpus * hours * c.rate * left if c.rate else None)
    totals.lock_in = ratio(total(locked), totals.plan)
    return totals


def _below_nothing(sim, answer):
    """Doing nothing less the plan in month 0. What has no rate cancels out where both have as many GPU-hours of it."""
    nothing = answer.comparison[0].nothing
    if None not in (nothing.usd, answer.plan):
        return nothing.usd - answer.plan
    plan_usd, unsold = plan_without_rates(sim, answer.groups, answer.runs, 0)
    lacks = [
        {at: round(hours, 3) for at, hours in (of_use | unrated(sim, contracts)).items() if round(hours, 3)}
        for of_use, contracts in ((nothing.unsold, sim.nothing.contracts), (unsold, sim.existing))
    ]
    return nothing.rated - plan_usd if lacks[0] == lacks[1] and (nothing.rated or plan_usd) else None


def unrated(sim, contracts):
    """{contract: GPU-hours of month 0} of contracts without a rate."""
    span = sim.month_span(0)
    return {one.contract_id: one.gpus * hours_between(one, *span) for one in contracts if not one.rate}


def _on_demand_equivalent(sim, groups, runs):
    """730 x mean GPUs x the cheapest eligible on-demand rate, over pools and models; None where they have too few."""
    usd = []
    for group in groups:
        if _has_too_few(sim, group):
            return None
        rate = group.on_demand_rate
        usd.append(None if rate is None else 730 * sim.demand.mean(group.hourly, group.members) * rate)
    for run in runs:
        offers = on_demand_offers(sim, run.work.pool, run.model, run.only, 0)
        hours = sum(overlap_h(span, *sim.month_span(0)) for span in run.spans)
        usd.append(run.gpus * hours * offers[0].rate if offers else (None if hours else 0.0))
    return total(usd)


def _has_too_few(sim, group):
    offers = on_demand_offers(sim, group.order_pool, group.model, group.only, 0)
    most = [o.max_gpus for o in offers]
    if not most or None in most:
        return False
    alike = [s for s in sim.served.streams if s.part[1:] == group.at]
    wanted = [sum(hour) for hour in zip(*(s.hourly for s in alike), strict=True)]
    return max(wanted) / 3_600_000 > sum(most) + 1e-9


def total(amounts):
    """Sum; unknown when any amount is."""
    return None if None in amounts else sum(amounts)


def minus(one, other):
    return None if one is None or other is None else one - other


def ratio(part, whole, scale=1):
    """Quotient; unknown when either is, or when there is nothing to divide by."""
    return None if part is None or not whole else scale * part / whole
