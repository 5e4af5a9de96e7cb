"""Groups that are planned together (a pool and model; in the joint plan a model): offers open to them, price of use.

What only some may serve is a group of its own.
"""

from types import SimpleNamespace

from tests.oracle.offers import cheapest, is_eligible, may_use_spot, pool_usage, usage_is_open, workload_usage
from tests.oracle.serving import SERVING_ORDER, allows
from tests.oracle.stated import MONTH_S


def groups_of(sim):
    """Every (pool, model, only) with demand in some month, in the order in which limits are given out."""
    demand, members = sim.demand, {}
    for stream in sim.served.streams:
        months = range(sim.assumptions.horizon_months)
        if sum(stream.hourly) and any(demand.there_in_month(stream.kind, t) for t in months):
            key = ("joint" if sim.joint else stream.pool, stream.model, stream.kind.only)
            members.setdefault(key, set()).add(stream.part)
    keys = sorted(
        members,
        key=lambda key: (
            SERVING_ORDER.index(_largest_pool(sim, members[key])),
            key[1] or "",
            name_of(key[2]),
        ),
    )
    return [_group(sim, *key, members[key]) for key in keys]


def _largest_pool(sim, members):
    """The pool of what is planned together, of several the one with most GPU time."""
    spent = dict.fromkeys(SERVING_ORDER, 0.0)
    for stream in sim.served.streams:
        if stream.part in members:
            spent[stream.pool] += sum(stream.hourly)
    return max((pool for pool, _, _ in members), key=lambda pool: (spent[pool], -SERVING_ORDER.index(pool)))


def name_of(only):
    """What tells limits apart where an order is asked for; nobody's limit comes first."""
    return "" if only is None else ":".join(only)


def key_of(pool, model, only):
    """(pool, what it is planned as): the model, and who alone may serve it where somebody is."""
    return pool, model if only is None else (model, only)


def _group(sim, pool, model, only, members):
    demand = sim.demand
    group = SimpleNamespace(
        pool=pool, model=model, only=only, key=key_of(pool, model, only), members=members, slices=[]
    )
    group.streams = [
        stream
        for stream in sim.served.streams
        if stream.part in members
        and any(demand.there_in_month(stream.kind, t) for t in range(sim.assumptions.horizon_months))
    ]
    group.gpu_time, group.gpu_time_now = {}, {}
    for stream in group.streams:
        for key, hourly in stream.users.items():
            group.gpu_time[key] = group.gpu_time.get(key, 0) + sum(hourly)
            now = demand.in_month_0(stream) * sum(hourly)
            group.gpu_time_now[key] = group.gpu_time_now.get(key, 0.0) + now
    nodes = {p: False for p, _, _ in members}
    for key in group.gpu_time:
        nodes[demand.pools[key]] |= (demand.workloads[key].max_nodes or 1) > 1
    open_to = {
        p: [o for o in sim.offers if is_eligible(o, p, model, several)] for p, several in nodes.items()
    }
    group.offers = [
        o for o in sim.offers if all(o in offers for offers in open_to.values()) and allows(only, o)
    ]
    group.users = []
    for key, gpu_time in group.gpu_time.items():
        workload = demand.workloads[key]
        own = [o for o in open_to[demand.pools[key]] if allows(only, o)]
        spot = may_use_spot(
            workload,
            demand.pools[key],
            sim.assumptions,
            sim.rules,
            demand.classes[key],
            sim.subtypes.get(key, ""),
        )
        group.users.append((gpu_time, workload, own, spot))
    group.limited = only is not None or any(
        o.max_gpus is not None or o.starts_s is not None or o.ends_s is not None
        for _, _, own, _ in group.users
        for o in own
        if o.pricing_category != "COMMITTED"
    )
    group.usage = usage_of(sim, group, 0)[0]
    group.paid_by_model = {}
    for gpu_time, workload, own, spot in group.users:
        rate, offer, _ = workload_usage(workload, own, spot, sim.assumptions)
        if offer is not None:
            paid = group.paid_by_model.get(offer.gpu_model, 0.0)
            group.paid_by_model[offer.gpu_model] = paid + gpu_time * rate
    on_demand = cheapest([o for o in group.offers if usage_is_open(o, 0, demand.plan_from_s)], "STANDARD")
    group.on_demand_rate = None if on_demand is None else on_demand.rate
    group.hourly = demand.of_group(members)
    group.gpu_hours = sum(group.hourly)
    group.mean_gpus = group.gpu_hours / sim.hours
    of_pieces = [
        (round(share * MONTH_S), demand.of_group(members, at_s=at_s)) for at_s, share in demand.pieces(0)
    ]
    group.peak_gpus = max(max(hourly) for _, hourly in of_pieces)
    group.p95_gpus = min(
        value
        for value in {value for _, hourly in of_pieces for value in hourly}
        if sum(seconds * sum(other <= value for other in hourly) for seconds, hourly in of_pieces) * 100
        >= 95 * sim.hours * MONTH_S
    )
    group.sigma = demand.sigma_of(pool, model, only)
    group.by_hand = None if sim.joint or only else sim.scenario.hand_layers.get((pool, model))
    return group


def usage_of(sim, group, month, closed=frozenset()):
    """(Usage, {offer_id: share of the GPU-hours on it}) of a month without the offers closed."""
    users, shares = [], {}
    whole = sum(gpu_time for gpu_time, _, _, _ in group.users)
    for gpu_time, workload, own, spot in group.users:
        usable = [
            o for o in own if o.offer_id not in closed and usage_is_open(o, month, sim.demand.plan_from_s)
        ]
        rate, offer, is_spot = workload_usage(workload, usable, spot, sim.assumptions)
        users.append((gpu_time, rate, offer, is_spot))
        if offer is not None and whole:
            shares[offer.offer_id] = shares.get(offer.offer_id, 0.0) + gpu_time / whole
    return pool_usage(users), shares
