"""The audit of docs/formulas/utilization.md, hour by hour and in whole milli-GPU-seconds, without classes and leaks."""

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

from tests.oracle.offers import cheapest, is_eligible, same_model
from tests.oracle.serving import (
    MILLI_GPU_SECONDS,
    MONTH_S,
    SERVING_ORDER,
    capacity_in_hour,
    demand_rows,
    first_end,
    hours_between,
    main_model,
    merit,
    serve,
)


def several_nodes(rows, classes, pool, model):
    """Does any workload of the class with demand of the model use more than one node? rows: demand_rows."""
    return any(
        classes[workload.key] == pool and same_model(row_model, model) and (workload.max_nodes or 1) > 1
        for workload, row_model in rows
    )


def on_demand_rate(project, pool, model, nodes=False):
    """Cheapest on-demand rate eligible for a pool and model; None where nobody quotes."""
    best = cheapest([o for o in project.offers if is_eligible(o, pool, model, nodes)], "STANDARD")
    return None if best is None else best.rate


def model_rate(project, model):
    """Cheapest on-demand rate of a model, whatever may use it."""
    best = cheapest(
        [o for o in project.offers if model is None or same_model(o.gpu_model, model)], "STANDARD"
    )
    return None if best is None else best.rate


def simulate_past(project, classes):
    """What the window cost and served. classes: {workload key: class}.

    Returns clusters {name: figures}, contracts {id: figures}, workload_usd {key: $ a month} and the totals;
    field names are those of the JSON. Overflow has two prices: the model's (beside what was paid) and, in
    `current`, that which is eligible for each class.
    """
    window, rows = project.window, demand_rows(project)
    month = Fraction(730, window.hours)
    clusters = sorted({w.cluster for w in project.workloads} | {c.cluster for c in project.contracts})
    answer = SimpleNamespace(clusters={}, contracts={}, workload_usd={w.key: 0.0 for w in project.workloads})
    answer.current = 0.0
    for cluster in clusters:
        figures = _cluster(project, classes, cluster, rows, month, answer)
        answer.clusters[cluster] = figures
    paid = [f.paid_usd for f in answer.clusters.values()]
    overflow = [f.eligible_overflow_usd for f in answer.clusters.values()]
    known = None not in paid and None not in overflow
    answer.current = float(month) * (sum(paid) + sum(overflow)) if known else None
    unallocated = [f.unallocated_usd for f in answer.clusters.values()]
    capacity = sum(f.capacity_gpu_hours for f in answer.clusters.values())
    answer.unused_now = None if None in unallocated else float(month) * sum(unallocated)
    used = sum(f.used_gpu_hours for f in answer.clusters.values())
    answer.effective_utilization_now = used / capacity if capacity else None
    answer.lock_in_now = lock_in_now(project)
    return answer


def _cluster(project, classes, cluster, rows, month, answer):
    window = project.window
    contracts = sorted((c for c in project.contracts if c.cluster == cluster), key=merit)
    mine = {key: hourly for key, hourly in rows.items() if key[0].cluster == cluster}
    models = sorted({model for _, model in mine if model is not None})
    capacity = {c.contract_id: 0 for c in contracts}
    used = dict(capacity)
    off_capacity, off_used = dict(capacity), dict(capacity)
    training_hours = overflow_total = 0
    overflow_usd = eligible_overflow_usd = 0.0
    rate_of = {c.contract_id: c.rate for c in contracts}
    share = {workload.key: 0.0 for workload, _ in mine}  # $ in the window; None once a rate is missing
    for h in range(window.hours):
        here = {c.contract_id: capacity_in_hour(c, window, h) for c in contracts}
        room = dict(here)
        served = dict.fromkeys(here, 0)
        unserved = {}
        model_usd = {}  # what each model's demand cost in the hour; None once a rate is missing
        for model in [*models, None]:
            demand = sum(hourly[h] for (_, row_model), hourly in mine.items() if row_model == model)
            able = contracts if model is None else [c for c in contracts if same_model(c.gpu_model, model)]
            taken = serve(demand, able, room)
            for contract_id, amount in taken.items():
                served[contract_id] += amount
                if amount:
                    model_usd[model] = _add(model_usd.get(model, 0.0), _times(rate_of[contract_id], amount))
            unserved[model] = demand - sum(taken.values())
        training = any(
            hourly[h] for (workload, _), hourly in mine.items() if classes[workload.key] == "training"
        )
        training_hours += training
        for c in contracts:
            capacity[c.contract_id] += here[c.contract_id]
            used[c.contract_id] += served[c.contract_id]
            if not training:
                off_capacity[c.contract_id] += here[c.contract_id]
                off_used[c.contract_id] += served[c.contract_id]
        for model, amount in unserved.items():
            overflow_total += amount
            if amount:
                priced_as = main_model(project, cluster) if model is None else model
                cost = _times(model_rate(project, priced_as), amount)
                overflow_usd = _add(overflow_usd, cost)
                eligible = _eligible_overflow(project, classes, rows, mine, model, priced_as, amount, h)
                eligible_overflow_usd = _add(eligible_overflow_usd, eligible)
                model_usd[model] = _add(model_usd.get(model, 0.0), cost)
        for (workload, model), hourly in mine.items():
            if hourly[h]:
                gpu_time = sum(other[h] for (_, of), other in mine.items() if of == model)
                hour_usd = model_usd.get(model, 0.0)
                part = None if hour_usd is None else hour_usd * hourly[h] / gpu_time
                share[workload.key] = _add(share[workload.key], part)
    for key, usd in share.items():
        answer.workload_usd[key] = None if usd is None else usd * float(month)

    paid = allocated = metered = 0.0
    for c in contracts:
        paid = _add(paid, _times(c.rate, capacity[c.contract_id]))
        allocated = _add(allocated, _times(c.rate, used[c.contract_id]))
        metered = _add(metered, _times(c.rate, off_capacity[c.contract_id] - off_used[c.contract_id]))
        whole, part = capacity[c.contract_id], used[c.contract_id]
        answer.contracts[c.contract_id] = SimpleNamespace(
            paid_gpu_hours=whole / MILLI_GPU_SECONDS,
            used_gpu_hours=part / MILLI_GPU_SECONDS,
            utilization=part / whole if whole else None,
            below_40_percent=100 * part < 40 * whole,
            unused_per_month=_scale(_times(c.rate, whole - part), float(month)),
            break_even_utilization=_break_even(project, classes, rows, c, mine),
        )
    whole, part = sum(capacity.values()), sum(used.values())
    off_whole, off_part = sum(off_capacity.values()), sum(off_used.values())
    others, off_hours = training_hours, window.hours - training_hours
    is_few = 20 * off_hours < off_hours + others or (
        off_hours < 7 * 24 and 2 * off_hours < off_hours + others
    )
    idle_share = 1 - off_part / off_whole if off_whole and not is_few else None
    cost = _scale(paid, float(month))
    activity = _activity(mine)
    useful = None if activity is None or allocated is None else allocated * activity
    return SimpleNamespace(
        capacity_gpu_hours=whole / MILLI_GPU_SECONDS,
        used_gpu_hours=part / MILLI_GPU_SECONDS,
        utilization=part / whole if whole else None,
        activity=activity,
        training_hours=training_hours,
        non_training_hours=window.hours - training_hours,
        non_training_used_gpu_hours=off_part / MILLI_GPU_SECONDS,
        non_training_capacity_gpu_hours=off_whole / MILLI_GPU_SECONDS,
        non_training_utilization=None if idle_share is None else off_part / off_whole,
        cost_usd_per_month=cost,
        overflow_gpu_hours=overflow_total / MILLI_GPU_SECONDS,
        overflow_usd=overflow_usd,
        eligible_overflow_usd=eligible_overflow_usd,
        below_40_percent=100 * part < 40 * whole,
        stranded_audit_usd_per_month=None if idle_share is None or cost is None else idle_share * cost,
        stranded_metered_usd_per_month=_scale(metered, float(month)) if off_whole else 0.0,
        paid_usd=paid,
        allocated_usd=allocated,
        unallocated_usd=None if paid is None or allocated is None else paid - allocated,
        useful_usd=useful,
        allocated_idle_usd=None if useful is None else allocated - useful,
    )


def current_usd(project, classes, rows, weighed):
    """$ a month of what is paid and of overflow at each class's rate, hours weighted as for the class and model.

    rows: as of demand_rows, of whom to count. weighed: the demand that knows the weights of the window's hours.
    """
    usd = 0.0
    for cluster in {workload.cluster for workload, _ in rows} | {c.cluster for c in project.contracts}:
        contracts = sorted((c for c in project.contracts if c.cluster == cluster), key=merit)
        mine = {key: hourly for key, hourly in rows.items() if key[0].cluster == cluster}
        models = sorted({model for _, model in mine if model is not None})
        for h, weight in enumerate(weighed.weekly):
            room = {c.contract_id: capacity_in_hour(c, project.window, h) for c in contracts}
            for c in contracts:
                usd = _add(usd, _scale(_times(c.rate, room[c.contract_id]), 730 * weight))
            for model in [*models, None]:
                demand = sum(hourly[h] for (_, of), hourly in mine.items() if of == model)
                able = (
                    contracts if model is None else [c for c in contracts if same_model(c.gpu_model, model)]
                )
                amount = demand - sum(serve(demand, able, room).values())
                if amount > 1e-6:
                    priced_as = main_model(project, cluster) if model is None else model
                    weight_of = {
                        pool: weighed.weights_of({(pool, priced_as, None)})[h] for pool in SERVING_ORDER
                    }
                    bill = _eligible_overflow(
                        project, classes, rows, mine, model, priced_as, amount, h, weight_of
                    )
                    usd = _add(usd, _scale(bill, 730))
    return usd


def bound(contract, plan_from_s, log_end_s):
    """A contract with the end until which its passed notice binds it."""
    end_s = None if contract.end_s is None else first_end(contract, plan_from_s, log_end_s)
    return contract if end_s is None else replace(contract, end_s=end_s)


def lock_in_now(project):
    """Sum of $ of month 0 x remaining months over existing contracts, divided by their $."""
    plan_from_s, weighted, paid = project.plan_window.end_s, 0.0, 0.0
    for contract in (bound(one, plan_from_s, project.window.end_s) for one in project.contracts):
        hours = hours_between(contract, plan_from_s, plan_from_s + MONTH_S)
        if contract.is_committed and hours:
            if not contract.rate:
                return None
            usd = hours * contract.gpus * contract.rate
            left = (contract.notice_days or 0) * 24 / 730
            if contract.end_s is not None:
                left = (contract.end_s - plan_from_s) / MONTH_S
            paid, weighted = paid + usd, weighted + usd * left
    return weighted / paid if paid else None


def _times(rate, amount):
    """$ of an amount of milli-GPU-seconds; unknown only where something is to be paid at an unknown rate."""
    if amount == 0:
        return 0.0
    return None if not rate else rate * amount / MILLI_GPU_SECONDS


def _add(one, other):
    return None if one is None or other is None else one + other


def _scale(usd, factor):
    return None if usd is None else usd * factor


def _eligible_overflow(project, classes, rows, mine, model, priced_as, amount, hour, weight_of=None):
    """$ of what nobody served in an hour: at each class's own rate, in proportion to the classes' GPU time."""
    of_model = [
        (w, hourly[hour]) for (w, row_model), hourly in mine.items() if row_model == model and hourly[hour]
    ]
    demand = sum(gpu_time for _, gpu_time in of_model)
    usd = 0.0
    for workload, gpu_time in of_model:
        pool = classes[workload.key]
        rate = on_demand_rate(project, pool, priced_as, several_nodes(rows, classes, pool, model))
        weight = 1.0 if weight_of is None else weight_of[pool]
        usd = _add(usd, _times(rate, amount * gpu_time / demand * weight))
    return usd


def _break_even(project, classes, rows, contract, mine):
    """Committed rate over the cheapest on-demand rate eligible for its pool, else its cluster's largest class.

    A row that is itself paid by use has nothing to break even against.
    """
    if contract.pricing_category not in (None, "COMMITTED"):
        return None
    pool = contract.pool
    if pool is None:
        by_class = {"training": 0, "inference": 0, "burst": 0}
        for (workload, _), hourly in mine.items():
            by_class[classes[workload.key]] += sum(hourly)
        pool = max(by_class, key=lambda name: by_class[name])
    nodes = several_nodes(rows, classes, pool, contract.gpu_model)
    rate = on_demand_rate(project, pool, contract.gpu_model, nodes)
    return None if not rate or not contract.rate else contract.rate / rate


def _activity(mine):
    """Activity weighted by GPU time, only when every workload with demand has it."""
    weights = {}
    for (workload, _), hourly in mine.items():
        weights[workload] = weights.get(workload, 0) + sum(hourly)
    busy = {workload: weight for workload, weight in weights.items() if weight}
    if not busy or any(workload.activity is None for workload in busy):
        return None
    return sum(workload.activity * weight for workload, weight in busy.items()) / sum(busy.values())
