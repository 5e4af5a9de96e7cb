"""Groups that are planned together (a pool and model; in the joint plan a model): offers open to them, price of use.

What only some may serve is a group of its own.
"""

from types import SimpleNamespace

from tests.oracle.offers import cheapest, is_eligible, may_use_spot, pool_usage, usage_is_open, workload_usage
from tests.oracle.serving import MONTH_S, SERVING_ORDER, allows


def groups_of(sim):
    """Every (pool, model, only) with demand in some month, in the order in which limits are given out."""
    members = {}
    for stream in sim.served.streams:
        if sum(stream.hourly) and sim.demand.within_horizon(stream.kind):
            key = ("joint" if sim.joint else stream.pool, stream.model, stream.kind.only)
            members.setdefault(key, set()).add(stream.part)
    keys = sorted(members, key=lambda key: place_of(largest_pool(sim, members[key]), *key[1:]))
    return [_group(sim, *key, members[key]) for key in keys]


def place_of(pool, model, only):
    """Where a group stands in the order in which limits are given out."""
    return SERVING_ORDER.index(pool), model or "", name_of(only)


def largest_pool(sim, members):
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


def user_of(sim, workload, pool, model, only, several):
    """(workload, offers that it may use, may it use spot?)."""
    demand = sim.demand
    own = [o for o in sim.offers if is_eligible(o, pool, model, several) and allows(only, o)]
    subtype = sim.subtypes.get(workload.key, "")
    return workload, own, may_use_spot(workload, pool, sim.assumptions, demand.classes[workload.key], subtype)


def _group(sim, pool, model, only, members):
    demand, served = sim.demand, sim.served
    group = SimpleNamespace(pool=pool, model=model, only=only, key=key_of(pool, model, only), members=members)
    group.is_run, group.at, group.order_pool = False, (model, only), largest_pool(sim, members)
    streams = [s for s in served.streams if s.part in members and demand.within_horizon(s.kind)]
    parts = served.parts(0)
    gpu_time, group.gpu_time_now, group.gpu_time_at_first = {}, {}, {}
    group.gpu_time = gpu_time
    for stream in streams:
        now = sum((to_s - at_s) / MONTH_S * demand.factors([stream], at_s, 0, 0)[0] for at_s, to_s in parts)
        for key, hourly in stream.users.items():
            gpu_time[key] = gpu_time.get(key, 0) + sum(hourly)
            group.gpu_time_now[key] = group.gpu_time_now.get(key, 0.0) + now * sum(hourly)
            spent = sum(hourly) * demand.factors([stream], sim.plan_from_s, 0, 0)[0]
            group.gpu_time_at_first[key] = group.gpu_time_at_first.get(key, 0.0) + spent
    nodes = {p: False for p, _, _ in members}
    for key in gpu_time:
        nodes[demand.pools[key]] |= (demand.workloads[key].max_nodes or 1) > 1
    group.offers = [
        o
        for o in sim.offers
        if allows(only, o) and all(is_eligible(o, p, model, several) for p, several in nodes.items())
    ]
    group.users = [
        (
            spent,
            *user_of(sim, demand.workloads[key], demand.pools[key], model, only, nodes[demand.pools[key]]),
        )
        for key, spent in gpu_time.items()
    ]
    group.limited = only is not None or any(
        o.max_gpus is not None or o.starts_s is not None or o.ends_s is not None
        for _, _, own, _ in group.users
        for o in own
        if o.pricing_category != "COMMITTED"
    )
    group.usage = usage_of(sim, group, 0)[0]
    group.paid_by_model = {}
    for spent, workload, own, spot in group.users:
        rate, offer, _ = workload_usage(workload, own, spot, sim.assumptions)
        if offer is not None:
            paid = group.paid_by_model.get(offer.gpu_model, 0.0)
            group.paid_by_model[offer.gpu_model] = paid + spent * rate
    on_demand = cheapest([o for o in group.offers if usage_is_open(o, 0, sim.plan_from_s)], "STANDARD")
    group.on_demand_rate = None if on_demand is None else on_demand.rate
    by_part = [
        (to_s - at_s, demand.hourly(members, lambda s, at_s=at_s: demand.factors([s], at_s, 0, 0)[0]))
        for at_s, to_s in parts
    ]
    group.hourly = sum(seconds / MONTH_S * gpus for seconds, gpus in by_part)
    group.gpu_hours = float(group.hourly.sum())
    group.mean_gpus = group.gpu_hours / sim.hours
    group.peak_gpus = max(float(gpus.max()) for _, gpus in by_part)
    group.p95_gpus = min(
        value
        for value in {float(value) for _, gpus in by_part for value in gpus}
        if sum(seconds * int((gpus <= value).sum()) for seconds, gpus in by_part) * 100
        >= 95 * sim.hours * MONTH_S
    )
    group.sigma = demand.sigma_of(pool, model, only)
    return group


def usage_of(sim, group, month, closed=frozenset()):
    """(Usage, {offer_id: share of the GPU-hours on it}) of a month without the offers closed."""
    users, shares = [], {}
    whole = sum(gpu_time for gpu_time, _, _, _ in group.users)
    for gpu_time, workload, own, spot in group.users:
        usable = [o for o in own if o.offer_id not in closed and usage_is_open(o, month, sim.plan_from_s)]
        rate, offer, is_spot = workload_usage(workload, usable, spot, sim.assumptions)
        users.append((gpu_time, rate, offer, is_spot))
        if offer is not None and whole:
            shares[offer.offer_id] = shares.get(offer.offer_id, 0.0) + gpu_time / whole
    return pool_usage(users), shares
