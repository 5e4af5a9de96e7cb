"""Contracts serving demand hour by hour: month 0 with its split, and any month and level after it."""

from dataclasses import dataclass

from tests.oracle.offers import same_model

HOUR_S = 3600
MONTH_S = 730 * HOUR_S
MILLI_GPU_SECONDS = 3_600_000  # of one GPU-hour
SERVING_ORDER = ("inference", "training", "burst")


def merit(contract):
    """COMMITTED (or no category) first, then lower rate (none stated: last), then contract_id."""
    rate = contract.rate if contract.rate else float("inf")
    return (not contract.is_committed, rate, contract.contract_id)


def demand_rows(project):
    """{(workload, model or None): [milli-GPU-seconds by hour]} of the cube."""
    cube, rows = project.cube, {}
    for row in range(len(cube.workload_index)):
        model = None if cube.model_index[row] < 0 else cube.gpu_models[int(cube.model_index[row])]
        hourly = [0] * project.window.hours
        for entry in range(int(cube.offsets[row]), int(cube.offsets[row + 1])):
            hourly[int(cube.hour[entry])] += int(cube.milli_gpu_seconds[entry])
        rows[project.workloads[int(cube.workload_index[row])], model] = hourly
    return rows


def capacity_in_hour(contract, window, hour):
    """Milli-GPU-seconds: thousandths of GPUs times the exact overlap of contract and hour."""
    begin = window.start_s + hour * HOUR_S
    end = begin + HOUR_S
    contract_end = end if contract.end_s is None else contract.end_s
    return contract.milli_gpus * max(0, min(end, contract_end) - max(begin, contract.start_s))


def runs_through(contract, window, month):
    """Does it run through all of month t?"""
    begin = window.end_s + month * MONTH_S
    return contract.start_s <= begin and (contract.end_s is None or contract.end_s >= begin + MONTH_S)


@dataclass
class Stream:
    """Demand of one pool and model on one cluster, by hour in milli-GPU-seconds.

    model_given: False for a part of unknown demand that the split gave its model; users: {workload: share by hour}.
    """

    cluster: str
    pool: str
    model: str | None
    model_given: bool
    hourly: list
    users: dict


def main_model(project, cluster):
    """The model of the one row with most GPUs on the cluster, of any category and time, then lowest contract_id."""
    rows = [contract for contract in project.contracts if contract.cluster == cluster]
    return min(rows, key=lambda row: (-row.milli_gpus, row.contract_id)).gpu_model if rows else None


def serve(amount, contracts, room):
    """Serve an amount from contracts in the order given; {contract_id: served}; `room` is used up."""
    served = {}
    for contract in contracts:
        taken = min(amount, room[contract.contract_id])
        room[contract.contract_id] -= taken
        amount -= taken
        served[contract.contract_id] = taken
    return served


def open_contracts(contracts, cluster, pool, model, any_model=False):
    """Contracts that may serve: of the cluster and model, pinned to the pool first, then free ones, in merit order."""
    usable = [
        contract
        for contract in sorted(contracts, key=merit)
        if contract.cluster == cluster and (any_model or same_model(contract.gpu_model, model))
    ]
    return [c for c in usable if c.pool == pool] + [c for c in usable if c.pool is None]


def split_streams(project, pools, contracts, all_to_main=False):
    """Streams of the plan: known demand as it is; unknown demand split by what serves it in month 0 at level 0.

    contracts: those that run through month 0 and serve. all_to_main: greenfield, nothing serves.
    """
    rows = demand_rows(project)
    hours = project.window.hours
    known, unknown = {}, {}
    for (workload, model), hourly in rows.items():
        if model is None:
            unknown.setdefault((workload.cluster, pools[workload.key]), []).append((workload, hourly))
        else:
            known.setdefault((workload.cluster, pools[workload.key], model), []).append((workload, hourly))
    streams = []
    for (cluster, pool, model), members in known.items():
        total = [sum(hourly[h] for _, hourly in members) for h in range(hours)]
        streams.append(
            Stream(cluster, pool, model, True, total, {w.key: list(hourly) for w, hourly in members})
        )

    parts = {}
    for cluster in {cluster for cluster, _ in unknown}:
        for h in range(hours):
            room = {c.contract_id: 0 if all_to_main else c.milli_gpus * HOUR_S for c in contracts}
            for pool in SERVING_ORDER:
                for stream in streams:
                    if stream.cluster == cluster and stream.pool == pool:
                        serve(stream.hourly[h], open_contracts(contracts, cluster, pool, stream.model), room)
            for pool in SERVING_ORDER:
                members = unknown.get((cluster, pool), [])
                amount = sum(hourly[h] for _, hourly in members)
                if amount == 0:
                    continue
                usable = open_contracts(contracts, cluster, pool, None, any_model=True)
                served = serve(amount, usable, room)
                by_model = {}
                for contract in usable:
                    by_model[contract.gpu_model] = (
                        by_model.get(contract.gpu_model, 0) + served[contract.contract_id]
                    )
                rest = amount - sum(served.values())
                main = main_model(project, cluster)
                by_model[main] = by_model.get(main, 0) + rest
                for model, part in by_model.items():
                    if part == 0:
                        continue
                    key = (cluster, pool, model)
                    if key not in parts:
                        parts[key] = Stream(
                            cluster,
                            pool,
                            model,
                            False,
                            [0] * hours,
                            {w.key: [0.0] * hours for w, _ in members},
                        )
                    parts[key].hourly[h] += part
                    for workload, hourly in members:
                        parts[key].users[workload.key][h] += hourly[h] * part / amount
    return streams + list(parts.values())


def serve_month(streams, contracts, hours, factor):
    """Serve every hour of a month in which the contracts run; factor: {pool: demand relative to the window's}.

    Returns ({(pool, model): GPUs left over by hour}, {contract_id: GPUs served by hour},
    {(pool, model): GPUs served by hour}).
    """
    left, by_contract, by_group = {}, {c.contract_id: [0.0] * hours for c in contracts}, {}
    for stream in streams:
        left.setdefault((stream.pool, stream.model), [0.0] * hours)
        by_group.setdefault((stream.pool, stream.model), [0.0] * hours)
    turns = []
    for model_given in (True, False):
        for pool in SERVING_ORDER:
            turns += [
                (stream, open_contracts(contracts, stream.cluster, pool, stream.model))
                for stream in streams
                if stream.model_given == model_given and stream.pool == pool
            ]
    first_alike = {}  # hours of the same demand are served alike: the first of them is worked out
    for h in range(hours):
        room = {c.contract_id: c.milli_gpus * HOUR_S for c in contracts}
        before = first_alike.setdefault(tuple(stream.hourly[h] for stream, _ in turns), h)
        if before < h:
            for figures in (left, by_contract, by_group):
                for by_hour in figures.values():
                    by_hour[h] = by_hour[before]
            continue
        for stream, usable in turns:
            amount = stream.hourly[h] * factor[stream.pool]
            for contract_id, taken in serve(amount, usable, room).items():
                by_contract[contract_id][h] += taken / MILLI_GPU_SECONDS
                by_group[stream.pool, stream.model][h] += taken / MILLI_GPU_SECONDS
                amount -= taken
            left[stream.pool, stream.model][h] += amount / MILLI_GPU_SECONDS
    return left, by_contract, by_group
