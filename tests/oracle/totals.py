"""The totals of a plan; an amount that needs a rate nobody offers is unknown, and every total with it."""

from types import SimpleNamespace

from tests.oracle.limits import rented
from tests.oracle.months import do_nothing
from tests.oracle.past import remaining_months, simulate_past
from tests.oracle.serving import MONTH_S


def totals_of(sim, answer):
    past = simulate_past(sim.project, sim.classes)
    totals = SimpleNamespace(plan=answer.plan, current=past.current, unused_now=past.unused_now)
    totals.do_nothing = do_nothing(sim, answer.groups, 0)[0]
    hidden = leaves_more_unserved(answer)
    totals.savings = None if hidden else minus(totals.current, totals.plan)
    totals.savings_percent = ratio(totals.savings, totals.current, 100)
    totals.savings_vs_do_nothing = None if hidden else minus(totals.do_nothing, totals.plan)
    totals.on_demand_equivalent = total(
        [
            None if g.on_demand_rate is None else 730 * mean_in_month_0(sim, g) * g.on_demand_rate
            for g in answer.groups
        ]
    )
    saved = None if hidden else minus(totals.on_demand_equivalent, totals.plan)
    totals.effective_savings_rate = ratio(saved, totals.on_demand_equivalent)
    totals.effective_utilization_now = past.effective_utilization_now
    new = [layer for g in answer.groups for layer in g.layers if not layer.existing]
    capacity = sum(c.gpus for c in sim.existing_now())
    capacity += sum(layer.gpus if layer.term_months else layer.gpus * layer.utilization for layer in new)
    used = sum(g.mean_gpus for g in answer.groups)
    priced = all(layer.usd_per_month is not None for layer in new)  # else nobody knows what is signed
    totals.effective_utilization_plan = used / capacity if capacity and priced else None
    committed = [layer for layer in new if layer.term_months]
    unused = [None if x.usd_per_month is None else x.usd_per_month * (1 - x.utilization) for x in committed]
    totals.unused_plan = total(unused + [usd for _, usd in answer.idle.values()]) if priced else None
    locked = [
        None if layer.usd_per_month is None else layer.usd_per_month * layer.term_months
        for layer in committed
    ]
    existing = [_locked(sim, c) for c in sim.existing_now()]
    totals.lock_in = ratio(total(locked + existing), totals.plan)
    totals.lock_in_now = past.lock_in_now
    signed = [(key, row) for key, row in answer.orders.items() if key[-1] != "if_it_lasts"]
    by_s = sim.demand.plan_from_s + MONTH_S
    totals.liability = sum(row.liability for _, row in signed) if priced else None
    now = [row.liability for _, row in signed if row.order_by <= by_s]
    totals.liability_now = sum(now) if priced else None
    return totals


def mean_in_month_0(sim, group):
    """Mean GPUs of the group in month 0, weighted by recency and by the days on which workloads are there."""
    mean = 0.0
    for at_s, share in sim.demand.pieces(0):
        factors = sim.demand.factors(sim.served.streams, at_s, 0, 0)
        for stream, factor in zip(sim.served.streams, factors, strict=True):
            if stream.part in group.members:
                mean += share * factor * sim.mean(stream.hourly) / 3_600_000
    return mean


def leaves_more_unserved(answer):
    """Does the plan leave GPU-hours unserved in a month in which doing nothing, by anybody, serves them?"""
    return any(sum(row.plan.unserved.values()) > row.anybody_unserved + 1e-6 for row in answer.comparison)


def _locked(sim, contract):
    """$ a month x remaining months of an existing contract; without an end its notice counts."""
    if not contract.rate:
        return None
    return 730 * contract.gpus * contract.rate * remaining_months(sim.project, contract)


def workload_usd(groups):
    """{key: $ a month}: each group's $ by GPU time of month 0."""
    answer = {}
    for group in groups:
        whole = sum(group.gpu_time_now.values())
        for key, gpu_time in group.gpu_time_now.items():
            if not gpu_time:
                continue
            part = None if group.usd_per_month is None else group.usd_per_month * gpu_time / whole
            answer[key] = total([answer.get(key, 0.0), part])
    return answer


def unserved_by_workload(sim, groups, months, without_budget):
    """{(pool, model, key): [GPU-hours, $ a month]} of what nobody serves: slice by slice, by GPU time of the hour.

    months: [{(pool, model): GPU-hours}]; within a group and month the hours in which the slices are busy count.
    without_budget: what each slice costs in each month where no budget drops it; None: what nobody offers has no $.
    """
    answer = {}
    for t, by_group in enumerate(months):
        for group in groups:
            lost = by_group.get(group.key, 0.0)
            if lost:
                usd = None
                dropped = [piece for piece in group.slices if piece.dropped]
                if without_budget and dropped:
                    parts = [without_budget[*group.key, piece.k, t] for piece in dropped]
                    usd = None if None in parts else sum(parts) / 12
                _share_out(sim, group, t, lost, usd, answer)
    return answer


def _share_out(sim, group, t, lost, usd, answer):
    """The GPU-hours lost of one group and month, each hour's in proportion to GPU time in it."""
    weights = {}
    pieces = [(piece, _unserved_share(group, piece, t)) for piece in group.slices]
    for (at_s, share), (_, key) in zip(sim.demand.pieces(t), sim.served.keys(t, 0), strict=True):
        left = sim.served.left(group.members, key)
        factors = sim.demand.factors(sim.served.streams, at_s, t, 0)
        for h, gpus in enumerate(left):
            missed = sum(open_ * min(max(gpus - piece.low, 0.0), piece.gpus) for piece, open_ in pieces)
            if not missed:
                continue
            here = {}
            for stream, factor in zip(sim.served.streams, factors, strict=True):
                if stream.part in group.members:
                    for workload, hourly in stream.users.items():
                        here[workload] = here.get(workload, 0.0) + hourly[h] * factor
            whole = sum(here.values())
            for workload, gpu_time in here.items():
                part = share * sim.demand.weights[h] * missed * gpu_time / whole
                weights[workload] = weights.get(workload, 0.0) + part
    whole = sum(weights.values())
    for workload, weight in weights.items():
        if weight:
            at = (*group.key, workload)
            before = answer.get(at, [0.0, 0.0])
            part = None if usd is None else usd * weight / whole
            answer[at] = [before[0] + lost * weight / whole, total([before[1], part])]


def _unserved_share(group, piece, t):
    """The share of a slice's use in month t that nobody serves."""
    if piece.dropped:
        return 1.0
    step = piece.path[t]
    by_use = 1.0 if step is None else 1 - step[1].served[t - step[0]]
    return 0.0 if rented(group, piece, t)[1] else by_use


def total(amounts):
    """Sum; unknown when any amount is."""
    return None if None in amounts else sum(amounts)


def minus(one, other):
    """Difference; unknown when either is."""
    return None if one is None or other is None else one - other


def ratio(part, whole, scale=1):
    """Quotient; unknown when either is, or when there is nothing to divide by."""
    return None if part is None or not whole else scale * part / whole
