"""Where savings come from: five steps from what the log costs to what the plan costs in month 0 (MODEL 16)."""

from itertools import pairwise

from tests.oracle.past import current_usd
from tests.oracle.runs import overlap_h
from tests.oracle.serving import MILLI_GPU_SECONDS, MONTH_S
from tests.oracle.stated import change_factor
from tests.oracle.totals import LEAST_GPU_HOURS, minus

STEPS = ("demand", "ending", "terms", "separation", "spot")
POOLS = ("training", "inference", "burst")


def savings_steps(answer, sim, make):
    """{step: $ a month, None unknown} of a plan. make(pools, spot): the Simulator of another one."""
    nothing = answer.comparison[0].do_nothing
    if any(row.do_nothing_unserved > LEAST_GPU_HOURS for row in answer.comparison[: sim.horizon]):
        nothing = None
    ends = [
        answer.totals.current,
        current_with_month_0(sim),
        nothing,
        _plan_usd(make(pools_today(sim), spot=False)),
        _plan_usd(make(sim.pools, spot=False)),
        None if _leaves_unserved(answer.comparison, sim) else answer.plan,
    ]
    return {step: minus(ends[at + 1], ends[at]) for at, step in enumerate(STEPS)}


def _leaves_unserved(comparison, sim):
    return any(sum(row.plan.unserved.values()) > LEAST_GPU_HOURS for row in comparison[: sim.horizon])


def _plan_usd(sim):
    answer = sim.plan()
    return None if _leaves_unserved(answer.comparison, sim) else answer.plan


def pools_today(sim):
    """The pool of each cluster: that of its contracts with a pool, by GPUs, else its class with most GPU time."""
    found = {}
    for cluster in {workload.cluster for workload in sim.project.workloads}:
        gpus = dict.fromkeys(POOLS, 0)
        for contract in sim.project.contracts:
            if contract.cluster == cluster and contract.pool is not None:
                gpus[contract.pool] += contract.milli_gpus
        if not any(gpus.values()):
            for workload in sim.project.workloads:
                if workload.cluster == cluster:
                    gpus[sim.log_classes[workload.key]] += workload.milli_gpu_seconds
        found[cluster] = max(POOLS, key=gpus.__getitem__)
    return {workload.key: found[workload.cluster] for workload in sim.project.workloads}


def current_with_month_0(sim):
    """What the log's hours cost, weighted, with those who are there in month 0, part by part: as long as each is."""
    demand, month = sim.demand, sim.month_span(0)
    spans = [(one, one.spans(*month)) for one in sim.works() if one.is_run]
    edges = {at for _, pieces in spans for piece in pieces for at in piece}
    edges |= {at for part in sim.served.parts(0) for at in part}
    inside = sorted(at for at in edges | set(month) if month[0] <= at <= month[1])
    usd = 0.0
    for from_s, to_s in pairwise(inside):
        rows = {}
        for (workload, model), hourly in demand.rows.items():
            factor = _there(demand, workload, model, from_s)
            rows[workload, model] = [amount * factor for amount in hourly]
        for one, pieces in spans:
            if any(overlap_h(piece, from_s, to_s) for piece in pieces):
                rows[one.workload, one.model] = [one.gpus * MILLI_GPU_SECONDS] * sim.hours
        bill = current_usd(sim.project, demand.classes, rows, demand)
        if bill is None:
            return None
        usd += (to_s - from_s) / MONTH_S * bill
    return usd


def _there(demand, workload, model, at_s):
    """How many times its own demand a workload is there at an instant of month 0."""
    kind = demand.kind_of(workload, model)
    if not demand.is_there(kind, at_s):
        return 0.0
    changes = [demand.stated.demand[place] for place in kind.changes]
    return change_factor(changes, at_s, 0, demand.plan_from_s)
