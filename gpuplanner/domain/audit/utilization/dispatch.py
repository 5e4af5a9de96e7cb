"""Dispatch: the contract that serves each hour's demand, in merit order. Exact for integers."""

from collections.abc import Iterator, Sequence

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours, part_of, places_open_to
from gpuplanner.domain.audit.utilization.row_sums import Amounts, row_blocks
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.amounts import grouped, known_sum
from gpuplanner.domain.model.book.billed_part import BilledPart, at_fee, billed_parts
from gpuplanner.domain.model.book.contract import Contract, merit, paid_and_used, paid_for
from gpuplanner.domain.model.book.dollars import cover, in_turn, part_of_dollars, prices_of
from gpuplanner.domain.model.calendar_months import month_windows
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S, HOURS_PER_MONTH, Window
from gpuplanner.lazy_dataclass import replace


def dispatch(demand: Amounts, capacity: Amounts) -> Amounts:
    """Serve every hour from the first tier with free capacity.

    Shapes: demand (hours,); capacity (tiers, hours), cheapest first; returns served (tiers, hours).
    Units: one unit of GPU time for all, never negative.
    Law: served.sum(axis=0) == minimum(demand, capacity.sum(axis=0)).
    Errors: ValueError if the two cover different hours.
    Source: merit order dispatch, as in Stoft, Power System Economics (2002).
    """
    if demand.shape != capacity.shape[1:]:
        raise ValueError(
            f"dispatch: demand {demand.shape}, capacity {capacity.shape}; build both on one window"
        )
    served: Amounts = np.diff(np.minimum(np.cumsum(capacity, axis=0), demand), axis=0, prepend=0)
    return served


def run_seconds_by_hour(contract: Contract, window: Window) -> Ints:
    """Return the seconds of each hour in which a contract runs; shape (hours,)."""
    begin = window.start_s + HOUR_S * np.arange(window.hours, dtype=np.int64)
    end_s = window.end_s if contract.end_s is None else contract.end_s
    overlap_s = np.minimum(begin + HOUR_S, end_s) - np.maximum(begin, contract.start_s)
    return np.asarray(np.clip(overlap_s, 0, HOUR_S), dtype=np.int64)


def dispatch_window(project: Project, classes: Sequence[Pool]) -> tuple[ClusterHours, ...]:
    """Serve the window on every cluster with jobs or contracts, sorted by name.

    classes: of each workload, in the order of Project.workloads. Known models are served first, by contracts of
    that model on their cluster; then unknown models; in merit order (docs/formulas/utilization.md, Serving).
    """
    names = [workload.cluster for workload in project.workloads]
    contracts = grouped((row.cluster, row) for row in project.contracts if not row.is_dollars)
    dollars = in_turn(project.contracts)
    clusters = sorted({*names, *contracts} or {row.cluster for row in dollars})
    billed = grouped((use.cluster, use) for use in project.jobs.billed)
    models, demand_by_cluster = _demand(project, names, classes)
    nothing = np.zeros((0, len(POOLS), project.window.hours), dtype=np.int64)
    served = [
        _serve(
            cluster,
            tuple(sorted(contracts.get(cluster, ()), key=merit)),
            models.get(cluster, ()),
            demand_by_cluster.get(cluster, nothing),
            project.window,
            [*billed_parts(billed.get(cluster, ()), project.window, project.currency, project.exchange)],
        )
        for cluster in clusters
    ]
    for contract in dollars:
        _cover(project, contract, served)
    return tuple(served)


def _cover(project: Project, contract: Contract, clusters: list[ClusterHours]) -> None:
    """Serve overflow on all clusters with a commitment in dollars, largest discount first; updates `clusters`.

    Each cluster gets a part for each GPU model, as large as the demand it serves. The unused rest becomes a part of the
    cluster with the largest use, or of the first. Without on-demand rates the coverage is unknown and the commitment
    stays whole. Source: docs/formulas/contracts.md, Commitments in dollars per hour.
    """
    run_s, unit = run_seconds_by_hour(contract, project.window), MILLI_GPU_SECONDS_PER_GPU_HOUR
    prices = prices_of(contract, project.offers, (model for cluster in clusters for model in cluster.counted))
    if contract.rate is None or not prices:
        clusters[0] = clusters[0].with_part(contract, contract.milli_gpus * run_s, {})
        return
    left = [hours.overflow / unit for hours in clusters]
    pairs = zip(clusters, left, strict=True)
    wanted = grouped(pair for cluster, rows in pairs for pair in zip(cluster.counted, rows, strict=True))
    _, unused = cover(contract.rate * run_s / HOUR_S, prices, wanted)
    used_usd = np.zeros(len(clusters))
    for place, hours in enumerate(clusters):
        taken = hours.overflow - np.rint(left[place] * unit).astype(np.int64)
        for model, (price, _) in prices.items():
            takes = {
                n: taken[n]
                for n, held_model in enumerate(hours.counted)
                if held_model == model and taken[n].any()
            }
            if takes:
                part = part_of_dollars(contract, model, model, price)
                clusters[place] = clusters[place].with_part(part, sum(takes.values()), takes)
                used_usd[place] += sum(amount.sum() for amount in takes.values()) * price
    model, (price, _) = next(iter(prices.items()))
    spread = np.diff(np.rint(np.cumsum(unused / price * unit)), prepend=0.0).astype(np.int64)
    home, idle = int(used_usd.argmax()), part_of_dollars(contract, "unused", model, price, serves=False)
    clusters[home] = clusters[home].with_part(idle, spread, {})


def served_of_models(hours: ClusterHours) -> Iterator[tuple[list[int], Ints]]:
    """Yield for each GPU model, in the order of `models`, the indexes of its contracts and their served demand.

    Shapes: served (contracts of the model, hours). Law: over all models they sum to `served`.
    """
    left = hours.capacity.copy()
    for number, model in enumerate(hours.models):
        open_to = hours.open_to(model)
        taken = dispatch(hours.demand[number].sum(axis=0), left[open_to])
        left[open_to] -= taken
        yield open_to, taken


def served_by_model(hours: ClusterHours) -> Ints:
    """Return the served demand by GPU model and contract; shape (models, contracts, hours). Law: sums to `served`."""
    by_model = np.zeros((len(hours.models), *hours.capacity.shape), dtype=np.int64)
    for number, (open_to, taken) in enumerate(served_of_models(hours)):
        by_model[number, open_to] = taken
    return by_model


def shares_of_contracts(hours: ClusterHours) -> dict[str | None, Floats]:
    """Return by model the share of its demand that each contract served in each hour; shape (contracts, hours)."""
    shares = map(part_of, served_by_model(hours), hours.demand.sum(axis=1))
    return dict(zip(hours.models, shares, strict=True))


def _demand(
    project: Project, names: Sequence[str], classes: Sequence[Pool]
) -> tuple[dict[str, tuple[str | None, ...]], dict[str, Ints]]:
    """Return each cluster's models, and their demand by class and hour, summed from the sparse cube in one pass."""
    cube = project.cube
    spellings: tuple[str | None, ...] = (*cube.gpu_models, None)  # index -1 is the unknown model
    unknown = len(cube.gpu_models)
    pairs = [
        (names[workload], unknown if model < 0 else model)
        for workload, model in zip(cube.workload_index.tolist(), cube.model_index.tolist(), strict=True)
    ]
    groups = sorted(set(pairs))
    place = {pair: number for number, pair in enumerate(groups)}
    class_number = {pool: number for number, pool in enumerate(POOLS)}
    row_group = np.array(
        [
            place[pair] * len(POOLS) + class_number[classes[workload]]
            for pair, workload in zip(pairs, cube.workload_index.tolist(), strict=True)
        ],
        dtype=np.int64,
    )
    sums = np.zeros(len(groups) * len(POOLS) * cube.hours, dtype=np.int64)
    row_start = row_group * cube.hours
    for block in row_blocks(cube):
        slots = block.spread(row_start)
        slots += cube.hour[block.entries]
        np.add.at(sums, slots, cube.milli_gpu_seconds[block.entries])
    by_group = sums.reshape(len(groups), len(POOLS), cube.hours)
    models: dict[str, tuple[str | None, ...]] = {}
    demand: dict[str, Ints] = {}
    for cluster in dict.fromkeys(cluster for cluster, _ in groups):
        members = [number for number, (name, _) in enumerate(groups) if name == cluster]
        models[cluster] = tuple(spellings[groups[number][1]] for number in members)
        demand[cluster] = by_group[members[0] : members[-1] + 1]
    return models, demand


def _serve(
    cluster: str,
    contracts: tuple[Contract, ...],
    models: tuple[str | None, ...],
    demand: Ints,
    window: Window,
    billed: Sequence[tuple[BilledPart, Ints]] = (),
) -> ClusterHours:
    models_held = {row.gpu_model for row in contracts}
    by_use, fees = list[tuple[BilledPart, Ints]](), list[tuple[BilledPart, Ints]]()
    for part, hourly in billed:
        is_fee = not part.is_by_use and part.gpu_model in models_held
        (fees if is_fee else by_use).append((part, hourly))
    rows = (*(part for part, _ in by_use), *contracts)
    capacity = np.zeros((len(rows), window.hours), dtype=np.int64)
    for place, (_, hourly) in enumerate(by_use):
        capacity[place] = hourly
    for place, contract in enumerate(contracts, len(by_use)):
        capacity[place] = contract.milli_gpus * run_seconds_by_hour(contract, window)
    contracts, served = rows, np.zeros_like(capacity)
    served_demand = np.zeros((len(models), window.hours), dtype=np.int64)
    for number, model in enumerate(models):  # the unknown model is last and gets the remaining capacity
        open_to = places_open_to(contracts, model)
        taken = dispatch(demand[number].sum(axis=0), (capacity - served)[open_to])
        served[open_to] += taken
        served_demand[number] = taken.sum(axis=0)
    capacity[: len(by_use)] = served[: len(by_use)]  # it costs what runs, also where a plan asks for less
    months = [(month.start_s - window.start_s) // HOUR_S for month in month_windows(window)]
    starts = months or range(0, window.hours, HOURS_PER_MONTH)
    if any(contract.take_or_pay_percent is not None for contract in contracts):
        held, used = (np.add.reduceat(amounts, starts, axis=1) for amounts in (capacity, served))
        in_all = (amounts.sum(axis=1) for amounts in (paid_for(contracts, held, used), used, held))
        shares = map(paid_and_used, contracts, *in_all)
        contracts = tuple(
            replace(contract, paid_share=paid, used_share=of_it)
            for contract, (paid, of_it) in zip(contracts, shares, strict=True)
        )
    hours = ClusterHours(
        cluster=cluster,
        contracts=contracts,
        models=models,
        capacity=capacity,
        served=served,
        demand=demand,
        served_demand=served_demand,
    )
    for model, of_model in grouped((part.gpu_model, (part, hourly)) for part, hourly in fees).items():
        hours = _with_fee(hours, model, of_model, window.start_s)
    return hours


def _with_fee(
    hours: ClusterHours, model: str | None, fees: Sequence[tuple[BilledPart, Ints]], start_s: int
) -> ClusterHours:
    """Return the cluster with what a bill charges for commitments in place of its contracts' rates.

    model: of the contracts and the fees. fees: with the use in each hour that they cover, (hours,). start_s: of the
    window, epoch seconds. On the days that they cover, the contracts and what they leave over of that use cost the
    fees, evenly by GPU-hour.
    """
    covered = sum((hourly for _, hourly in fees), np.zeros(hours.capacity.shape[1], dtype=np.int64))
    _, day = np.unique((start_s + HOUR_S * np.arange(len(covered))) // DAY_S, return_inverse=True)
    days = (np.bincount(day, covered) > 0)[day]
    own = [
        place for place, row in enumerate(hours.contracts) if row.gpu_model == model and not row.is_dollars
    ]
    number = hours.models.index(model) if model in hours.models else None
    beyond = np.zeros_like(covered) if number is None else np.minimum(hours.overflow[number], covered)
    paid_for = int(hours.capacity[own][:, days].sum() + beyond.sum())
    if not paid_for:
        return hours
    costs = [(part.rate, int(hourly.sum())) for part, hourly in fees]
    usd = known_sum(None if rate is None else rate * spent for rate, spent in costs)
    fee = None if usd is None else usd / paid_for
    contracts = list(hours.contracts)
    for place in own:
        inside, every = int(hours.capacity[place, days].sum()), int(hours.capacity[place].sum())
        if inside:
            contracts[place] = at_fee(contracts[place], fee, inside / every)
    hours = replace(hours, contracts=tuple(contracts))
    if number is None or not beyond.any():
        return hours
    first, _ = fees[0]
    gpus = float(beyond.mean()) / HOUR_S / 1000
    part = replace(first, billed_rate=fee, mean_gpus=gpus, is_beyond=True)
    return hours.with_part(part, beyond, {number: beyond})
