"""Where savings come from: five steps from what the log cost to what the plan costs; they add up."""

from tests.oracle.months import do_nothing
from tests.oracle.past import _eligible_overflow
from tests.oracle.serving import MILLI_GPU_SECONDS, capacity_in_hour, main_model, merit, same_model, serve
from tests.oracle.simulator import Simulator
from tests.oracle.stated import change_factor
from tests.oracle.totals import leaves_more_unserved, minus

BOARD_ORDER = ("training", "inference", "burst")
STEPS = ("demand", "ending", "terms", "separation", "spot")


def pools_today(project, classes):
    """{key: pool where it runs}: its cluster's contract's pool, else the class with most GPU-hours there."""
    answer = {}
    for workload in project.workloads:
        pinned = [c for c in project.contracts if c.cluster == workload.cluster and c.pool is not None]
        if pinned:
            answer[workload.key] = str(min(pinned, key=lambda c: (-c.milli_gpus, c.contract_id)).pool)
            continue
        on_it = dict.fromkeys(BOARD_ORDER, 0)
        for other in project.workloads:
            if other.cluster == workload.cluster:
                on_it[classes[other.key]] += other.milli_gpu_seconds
        answer[workload.key] = max(BOARD_ORDER, key=lambda pool: on_it[pool])
    return answer


def current_now(sim):
    """What the log's hours cost a month, weighted by recency, with the workloads of month 0; None: unknown."""
    demand, usd = sim.demand, 0.0
    for at_s, share in demand.pieces(0):
        rows = {}
        for (workload, model), hourly in demand.rows.items():
            kind = demand.kind_of(workload, model)
            if demand.is_there(kind, at_s):
                changes = [demand.stated.demand[place] for place in kind.changes]
                factor = change_factor(changes, at_s, 0, demand.plan_from_s)
                rows[workload, model] = [factor * amount for amount in hourly]
        hours = [_hour_usd(sim, rows, h) for h in range(sim.hours)]
        if None in hours:
            return None
        usd += share * 730 * sim.mean(hours)
    return usd


def _hour_usd(sim, rows, h):
    """$ of one hour: every contract in full, and overflow at the on-demand rate eligible for its class."""
    project, usd = sim.project, 0.0
    clusters = {workload.cluster for workload, _ in rows} | {c.cluster for c in project.contracts}
    for cluster in sorted(clusters):
        contracts = sorted((c for c in project.contracts if c.cluster == cluster), key=merit)
        room = {c.contract_id: capacity_in_hour(c, sim.window, h) for c in contracts}
        for contract in contracts:
            if room[contract.contract_id]:
                if not contract.rate:
                    return None
                usd += contract.rate * room[contract.contract_id] / MILLI_GPU_SECONDS
        mine = {at: hourly for at, hourly in rows.items() if at[0].cluster == cluster}
        models = sorted({model for _, model in mine if model is not None})
        for model in [*models, None]:
            amount = sum(hourly[h] for (_, own), hourly in mine.items() if own == model)
            able = [c for c in contracts if model is None or same_model(c.gpu_model, model)]
            rest = amount - sum(serve(amount, able, room).values())
            if rest <= 1e-6:
                continue
            priced_as = main_model(project, cluster) if model is None else model
            part = _eligible_overflow(project, sim.demand.classes, rows, mine, model, priced_as, rest, h)
            if part is None:
                return None
            usd += part
    return usd


def savings_steps(project, scenario, pools, classes, beyond=None):
    """{step: $ a month or None}; they add up to plan - current."""

    def sim(at, spot):
        return Simulator(project, scenario, at, classes, beyond=beyond, spot=spot)

    def known(answer):
        """$ of a plan; None where it leaves unserved what doing nothing serves: then nothing is compared with it."""
        return None if leaves_more_unserved(answer) else answer.plan

    whole = sim(pools, True)
    answer = whole.plan()
    month = answer.comparison[0]
    limited = leaves_more_unserved(answer) and month.do_nothing_unserved > month.anybody_unserved + 1e-6
    ends = [
        answer.totals.current,
        current_now(whole),
        None if limited else do_nothing(whole, answer.groups, 0)[0],
        known(sim(pools_today(project, classes), False).plan()),
        known(sim(pools, False).plan()),
        known(answer),
    ]
    return {step: minus(ends[i + 1], ends[i]) for i, step in enumerate(STEPS)}
