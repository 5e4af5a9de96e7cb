"""Contracts serving demand hour by hour: the split of unknown models, and any part of a month at any level."""

from dataclasses import dataclass, replace

import numpy as np

from gpuplanner.domain.model.window import months_on
from tests.oracle.offers import same_model

HOUR_S = 3600
MONTH_S = 730 * HOUR_S
MILLI_GPU_SECONDS = 3_600_000  # of one GPU-hour
SERVING_ORDER = ("inference", "training", "burst")


def merit(contract):
    """COMMITTED (or no category) first, then lower rate (none stated: last), then contract_id."""
    rate = contract.rate if contract.rate else float("inf")
    return (not contract.is_committed, rate, contract.contract_id)


def first_end(contract, plan_from_s, log_end_s):
    """When a contract that may renew can end first; None: it cannot renew, or is over."""
    may_renew = contract.renews_months or (contract.end_s is None and contract.notice_days is not None)
    if not contract.is_committed or not may_renew:
        return None
    notice_s = (contract.notice_days or 0) * 24 * HOUR_S
    if contract.end_s is None:
        times = 0
        first_s = max(plan_from_s + max(notice_s, 24 * HOUR_S), contract.start_s + 24 * HOUR_S)
        end_s = contract.start_s if contract.renews_months else first_s
        while contract.renews_months and (end_s < first_s or not times):
            times += 1
            end_s = months_on(contract.start_s, times * contract.renews_months)
        return end_s
    if contract.end_s <= log_end_s:
        return None
    end_s, times = contract.end_s, 0
    while end_s - notice_s < plan_from_s or end_s <= plan_from_s:
        times += 1
        end_s = months_on(contract.end_s, times * contract.renews_months)
    return end_s


def lasting(contract, plan_from_s, log_end_s, scenario, does_nothing=False):
    """A contract with the end that it has in the list: what may renew ends as the plan has decided, or runs on."""
    if contract.renews_months is None and contract.contract_id in scenario.runs_on:
        contract = replace(contract, renews_months=contract.term_months or 1)
    first_s = first_end(contract, plan_from_s, log_end_s)
    if first_s is None or contract.contract_id in scenario.notice_given:
        return contract
    ends = {} if does_nothing or scenario.whole_decisions is None else dict(scenario.whole_decisions.ends)
    return replace(contract, end_s=ends.get(contract.contract_id), bound_until_s=first_s)


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


def runs_at(contract, at_s):
    """Does it run at an instant?"""
    return contract.start_s <= at_s and (contract.end_s is None or at_s < contract.end_s)


def hours_between(one, from_s, to_s):
    """Hours of a span that something with start_s and end_s (None: for good) runs."""
    end_s = to_s if one.end_s is None else min(one.end_s, to_s)
    return max(0, end_s - max(one.start_s, from_s)) / HOUR_S


@dataclass(kw_only=True)
class Stream:
    """Demand of one pool and model on one cluster, by hour in milli-GPU-seconds.

    model_given: False for a part of unknown demand that the split gave its model; users: {workload: share by hour}.
    kind: what its workloads have in common beside that (days, changes, who alone may serve them); see Kind.
    """

    cluster: str
    pool: str
    model: str | None
    model_given: bool
    hourly: list
    users: dict
    kind: "Kind"

    @property
    def part(self):
        """What it is planned as a part of: pool, model, and who alone may serve it."""
        return self.pool, self.model, self.kind.only


@dataclass(frozen=True)
class Kind:
    """What tells streams of one pool, model and cluster apart.

    days: (first, last) in epoch seconds or None; changes: places of the dated changes that hold; only: (field, name);
    planned: not grown.
    """

    days: tuple = (None, None)
    changes: tuple = ()
    only: tuple | None = None
    planned: bool = False


PLAIN = Kind()


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


def allows(only, one):
    """May a contract or an offer serve a workload of which `only` (field, name) is stated?"""
    return only is None or getattr(one, only[0]) == only[1]


def open_contracts(contracts, cluster, pool, model, any_model=False, only=None):
    """Contracts that may serve: of the cluster and model, pinned to the pool first, then free ones, in merit order."""
    usable = [
        contract
        for contract in sorted(contracts, key=merit)
        if contract.cluster == cluster
        and (any_model or same_model(contract.gpu_model, model))
        and allows(only, contract)
    ]
    return [c for c in usable if c.pool == pool] + [c for c in usable if c.pool is None]


def binds(only, project, cluster, model):
    """Is there an offer or contract that could serve demand of a model on a cluster and may not?"""
    offers = [o for o in project.offers if model is None or same_model(o.gpu_model, model)]
    contracts = [c for c in project.contracts if c.cluster == cluster]
    mine = [c for c in contracts if model is None or same_model(c.gpu_model, model)]
    return any(not allows(only, one) for one in [*offers, *mine])


def in_turn(streams, pool):
    """Streams of a pool in the order served: those that only some may serve come first."""
    return sorted((s for s in streams if s.pool == pool), key=lambda s: s.kind.only is None)


def split_streams(
    project, pools, contracts, all_to_main=False, kind_of=lambda workload, model: PLAIN, rows=None, there=None
):
    """Streams of the plan: known demand as it is; unknown demand split by what serves it as the plan begins.

    contracts: those that run then and serve. all_to_main: greenfield, nothing serves. rows: demand_rows (with planned
    work). there(kind): is it there then? What comes later is of its cluster's main model.
    """
    rows = demand_rows(project) if rows is None else rows
    hours = project.window.hours
    known, unknown, later = {}, {}, {}
    for (workload, model), hourly in rows.items():
        kind = kind_of(workload, model)
        if model is not None:
            key = (workload.cluster, pools[workload.key], model, kind)
            known.setdefault(key, []).append((workload, hourly))
        elif there is None or there(kind):
            unknown.setdefault((workload.cluster, pools[workload.key]), []).append((workload, kind, hourly))
        else:
            key = (workload.cluster, pools[workload.key], main_model(project, workload.cluster), kind)
            later.setdefault(key, []).append((workload, hourly))
    streams, absent = [], []
    for found, given, target in ((known, True, streams), (later, False, absent)):
        for (cluster, pool, model, kind), members in found.items():
            total = [sum(hourly[h] for _, hourly in members) for h in range(hours)]
            users = {w.key: list(hourly) for w, hourly in members}
            target.append(
                Stream(
                    cluster=cluster,
                    pool=pool,
                    model=model,
                    model_given=given,
                    hourly=total,
                    users=users,
                    kind=kind,
                )
            )

    serving = [s for s in streams if there is None or there(s.kind)]
    parts = {}
    for cluster in {cluster for cluster, _ in unknown}:
        for h in range(hours):
            room = {c.contract_id: 0 if all_to_main else c.milli_gpus * HOUR_S for c in contracts}
            for pool in SERVING_ORDER:
                for stream in in_turn(serving, pool):
                    if stream.cluster == cluster:
                        usable = open_contracts(contracts, cluster, pool, stream.model, only=stream.kind.only)
                        serve(stream.hourly[h], usable, room)
            for pool in SERVING_ORDER:
                members = unknown.get((cluster, pool), [])
                for only in sorted({kind.only for _, kind, _ in members}, key=lambda one: (one is None, one)):
                    alike = [member for member in members if member[1].only == only]
                    _split_hour(project, contracts, cluster, pool, only, alike, h, room, parts)
    return streams + list(parts.values()) + absent


def _split_hour(project, contracts, cluster, pool, only, members, h, room, parts):
    """Unknown demand of a pool in one hour: models of the contracts that serve it, the rest the cluster's main one."""
    amount = sum(hourly[h] for _, _, hourly in members)
    if amount == 0:
        return
    usable = open_contracts(contracts, cluster, pool, None, any_model=True, only=only)
    served = serve(amount, usable, room)
    by_model = {}
    for contract in usable:
        by_model[contract.gpu_model] = by_model.get(contract.gpu_model, 0) + served[contract.contract_id]
    main = main_model(project, cluster)
    by_model[main] = by_model.get(main, 0) + amount - sum(served.values())
    kinds = list(dict.fromkeys(kind for _, kind, _ in members))
    for model, part in by_model.items():
        if part == 0:
            continue
        for kind in kinds:
            mine = [(workload, hourly) for workload, own, hourly in members if own == kind]
            key = (cluster, pool, model, kind)
            if key not in parts:
                hours = range(project.window.hours)
                users = {w.key: [0.0 for _ in hours] for w, _ in mine}
                parts[key] = Stream(
                    cluster=cluster,
                    pool=pool,
                    model=model,
                    model_given=False,
                    hourly=[0 for _ in hours],
                    users=users,
                    kind=kind,
                )
            of_kind = sum(hourly[h] for _, hourly in mine)
            parts[key].hourly[h] += part if len(kinds) == 1 else part * of_kind / amount
            for workload, hourly in mine:
                parts[key].users[workload.key][h] += hourly[h] * part / amount


def alike_hours(streams, hours):
    """[(one hour of those that have the same demand in every stream, all of them)]."""
    alike = {}
    for h in range(hours):
        alike.setdefault(tuple(stream.hourly[h] for stream in streams), []).append(h)
    return [(members[0], members) for members in alike.values()]


def turns_of(streams, contracts):
    """[(place of a stream, contracts that it takes from in turn)], in the order in which they are served."""
    turns = []
    for model_given in (True, False):
        for pool in SERVING_ORDER:
            for stream in in_turn([s for s in streams if s.model_given == model_given], pool):
                usable = open_contracts(contracts, stream.cluster, pool, stream.model, only=stream.kind.only)
                turns.append((next(i for i, one in enumerate(streams) if one is stream), usable))
    return turns


def serve_hours(streams, contracts, hours, factors):
    """Serve some hours of the lookback period with the contracts that run; factors: one a stream.

    hours: places in the window. Returns (GPUs left over by stream, GPUs served by contract_id, GPUs served by stream),
    each an array by hour.
    """
    gpus = [
        np.array([stream.hourly[h] for h in hours]) * (factor / MILLI_GPU_SECONDS)
        for stream, factor in zip(streams, factors, strict=True)
    ]
    left = list(gpus)
    room = {c.contract_id: np.full(len(hours), c.milli_gpus / 1000) for c in contracts}
    by_contract = {c.contract_id: np.zeros(len(hours)) for c in contracts}
    for index, usable in turns_of(streams, contracts):
        for contract in usable:
            taken = np.minimum(left[index], room[contract.contract_id])
            room[contract.contract_id] = room[contract.contract_id] - taken
            by_contract[contract.contract_id] = by_contract[contract.contract_id] + taken
            left[index] = left[index] - taken
    return left, by_contract, [all_ - rest for all_, rest in zip(gpus, left, strict=True)]
