"""What each workload costs in a month of a plan: the $ go where the GPUs go, hour by hour."""

from collections.abc import Hashable, Iterable, Iterator, Sequence

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.utilization.cluster_hours import part_of
from gpuplanner.domain.audit.utilization.row_sums import weighted_sums
from gpuplanner.domain.commitment import busy, result
from gpuplanner.domain.commitment.demand.model_demand import ModelDemand, Stream
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.layers import committed_layers
from gpuplanner.domain.commitment.plan.row_list import Bought
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow
from gpuplanner.domain.figures.figure import optional
from gpuplanner.domain.figures.layer import unused_per_month
from gpuplanner.domain.model.amounts import known_sum, known_sums
from gpuplanner.domain.model.book.contract import (
    Contract,
    in_month,
    mean_rates_in_month,
    runs_at,
    usd_in_month,
)
from gpuplanner.domain.model.book.only import Row, gpu_model_of, limited_name, only_of
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH, MONTH_S

CONTRACTS, REST, SERVED, LEFT = range(4)
"""$ that existing contracts are paid, and of orders and use; GPU-hours that contracts serve, and that they leave."""
Pot = tuple[Pool, str, int, str | None]
"""(pool, cluster, group, GPU model that jobs name): whose demand is served alike in each hour."""
Nobodys = list[tuple[int, str | None, float | None]]
"""$ that no workload is charged: month, GPU model, amount."""


def card_costs(ground: Ground, planned: Planned, months: range = range(1)) -> result.CardCosts:
    """A contract's $ go to the workloads of its cluster that it serves in an hour; orders and use of a pool and model
    by GPU time that contracts leave over in it. A run costs its own orders, use and hours of contracts.

    Law: over all workloads and what is idle, the plan's $, a mean of the months. Source: docs/formulas/layers.md.
    """
    window, workloads = ground.window, ground.project.workloads
    amounts, idle, spare, unused = np.zeros((4, len(workloads))), Nobodys(), Nobodys(), Nobodys()
    for month in months:
        running = in_month(ground.plan.contracts, window, month)
        idle += [
            (month, contract.gpu_model, usd_in_month((contract,), window, month)) for contract in running
        ]
    for run in planned.runs:
        row = Row(run.row.pool, run.row.gpu_model)
        for month in months:
            held = run.gpus_between(month * MONTH_S, (month + 1) * MONTH_S)
            gpu_hours, served = (HOURS_PER_MONTH * gpus for gpus in held)
            paid = _contracts_usd(ground, row, served, month)
            idle.append((month, gpu_model_of(row.name), None if paid is None else -paid))
            rest = _rest_in_month(run, month)
            amounts[:, run.place] += np.array([paid, rest, served, gpu_hours - served], dtype=np.float64)
    pieces: dict[Row, PlannedRow] = {}
    for piece in planned.rows:
        row = Row(piece.row.pool, piece.row.gpu_model)
        pieces[row] = piece
        runs = [run for run in planned.runs if (run.row.pool, run.row.gpu_model) == row]
        lists = [(bought.row, bought.listed) for bought in (piece, *runs)]
        unused += [
            (month, gpu_model_of(row.name), None if layer.rate is None else _unused(layer, layer.rate))
            for month in months
            for layer in committed_layers(lists, month)
        ]
    shared = [
        pot
        for model in ground.plan.models
        for pot in _shares(ground, model, [pieces[row] for row in model.rows], months, (idle, spare))
    ]
    if shared:
        amounts += by_workload(ground, shared)
    paid, rest, served, left = amounts / len(months)
    keys = [workload.key for workload in workloads]
    by_model = known_sums((model, usd) for _, model, usd in (*idle, *spare))
    return result.CardCosts(
        usd=dict(zip(keys, optional(paid + rest), strict=True)),
        contracts_usd=dict(zip(keys, optional(paid), strict=True)),
        gpu_hours=dict(zip(keys, (served + left).tolist(), strict=True)),
        contracts_gpu_hours=dict(zip(keys, served.tolist(), strict=True)),
        idle_usd={model: None if usd is None else usd / len(months) for model, usd in by_model.items()},
        unused_usd=tuple(
            known_sum(usd for at, _, usd in (*idle, *unused) if at == month) for month in months
        ),
    )


def _unused(layer: result.Layer, rate: float) -> float:
    """$ of a month of what a new commitment holds and nobody uses."""
    return float(unused_per_month(layer.mean_gpus, layer.busy_gpus, rate, layer.paid_hours))


def _contracts_usd(ground: Ground, row: Row, gpu_hours: float, month: int) -> float | None:
    """$ of GPU-hours that contracts serve in a month, at the mean rate of their model, as in their layer."""
    if gpu_hours <= HOURS_PER_MONTH * 1e-9:  # less is rounding of the mean
        return 0.0
    running = in_month(ground.plan.contracts, ground.window, month)
    held = [contract for contract in running if contract.gpu_model == gpu_model_of(row.name)]
    rate = mean_rates_in_month(held, ground.window, month).used
    return None if rate is None else float(gpu_hours * rate)


def _rest_in_month(bought: Bought, month: int) -> float | None:
    """$ of orders and use of a row or a run in a month."""
    return known_sum([bought.listed.orders_usd(month), bought.listed.use_usd(month)])


def pot_of(row: Row, cluster: str, stream: Stream) -> Pot:
    """Where the jobs of a stream are, as they name their GPU model."""
    pool, name = row
    return pool, cluster, stream.group, limited_name(None, only_of(name)) if stream.is_split else name


def by_workload(ground: Ground, shared: Sequence[tuple[Pot, Stream, Floats]]) -> Floats:
    """Amounts of streams by hour, (kinds, hours), by workload, (kinds, workloads): in each hour by GPU time."""
    amounts: dict[Pot, Floats] = {}
    demand: dict[Pot, Floats] = {}
    for pot, stream, amount in shared:
        amounts[pot] = amounts.get(pot, 0.0) + amount
        demand[pot] = demand.get(pot, 0.0) + stream.demand
    kinds = len(next(iter(amounts.values()), ()))
    answer = np.zeros((kinds, len(ground.project.workloads)))
    clusters = [workload.cluster for workload in ground.project.workloads]
    for number, (group, schedule) in enumerate(zip(ground.groups, ground.outlined.schedules, strict=True)):
        cube, place = (
            group.cube,
            {pot: at for at, pot in enumerate((p for p in amounts if p[2] == number), 1)},
        )
        if not place:
            continue
        each = np.zeros((kinds, len(place) + 1, cube.hours))
        for pot, at in place.items():
            times = 1.0 if schedule.is_planned else ground.assumptions.demand_of(pot[0])
            each[:, at] = part_of(amounts[pot] * times, demand[pot])
        models = [
            name if gpu_model_of(name) else limited_name(None, only_of(name)) for name in cube.gpu_models
        ]
        rows = zip(cube.workload_index.tolist(), cube.model_index.tolist(), strict=True)
        numbers = [
            place.get((ground.pools[at], clusters[at], number, None if model < 0 else models[model]), 0)
            for at, model in rows
        ]
        some = each.any(axis=(1, 2))
        answer[some] += weighted_sums(cube, np.array(numbers), each[some], answer.shape[1])
    return answer


def _shares(
    ground: Ground,
    model: ModelDemand,
    pieces: Sequence[PlannedRow],
    months: range,
    nobodys: tuple[Nobodys, Nobodys],
) -> Iterator[tuple[Pot, Stream, Floats]]:
    """$ and GPU-hours of each stream by hour over months, (4, hours). pieces: the model's rows; nobodys: takes what
    is paid for contracts off their $, and $ of orders that serve nobody."""
    hours, window, contracts = ground.window.hours, ground.window, ground.plan.contracts
    evenly = np.full(hours, 1 / hours)
    weights = [evenly if own is None else own for own in map(ground.weights_of, model.rows)]
    serving = busy.in_turn(contracts, model)
    states = busy.months_of(model, contracts, window, ground.outlined, months.stop)
    spans = busy.spans_of_months(ground.outlined.moments, window, months.stop)
    streams = [(site.cluster, stream) for site in model.sites for stream in site.streams]
    answer = {id(stream): np.zeros((4, hours)) for _, stream in streams}
    for month in months:
        amounts = {id(stream): np.zeros((4, hours)) for _, stream in streams}
        first = pieces[0].listed.parts_of(month).start
        for part, ((share, state), (from_s, _)) in enumerate(
            zip(states[month], spans[month], strict=True), first
        ):
            running = {c.contract_id for c, _ in serving if runs_at(c, from_s)}
            left_over = []
            served = busy.served_streams(model, serving, running, state, hours)
            for stream, (usd, left, wanted) in _alike(model, served):
                left_over.append((stream, left))
                for kind, amount in ((CONTRACTS, usd), (SERVED, wanted - left), (LEFT, left)):
                    amounts[id(stream)][kind] += share * weights[stream.row] * amount
            for place, piece in enumerate(pieces):
                here = [(stream, left) for stream, left in left_over if stream.row == place]
                whole = sum((left for _, left in here), np.zeros(hours))
                each = part_of(_rest_usd(piece, part, whole, weights[place]), whole)
                for stream, left in here:
                    amounts[id(stream)][REST] += left * each
        for place, (row, piece) in enumerate(zip(model.rows, pieces, strict=True)):
            of_row = [(answer[id(s)], amounts[id(s)]) for _, s in streams if s.row == place]
            totals = sum((own.sum(axis=1) for _, own in of_row), np.zeros(4))
            paid = _contracts_usd(ground, row, HOURS_PER_MONTH * totals[SERVED], month)
            nobodys[0].append((month, gpu_model_of(row.name), None if paid is None else -paid))
            for kind, usd in enumerate((paid, _rest_in_month(piece, month))):
                kinds = [kind] if totals[kind] else [SERVED, LEFT]  # what serves nobody is paid by all
                if not (whole_of := totals[kinds].sum()):
                    nobodys[1].append((month, gpu_model_of(row.name), usd))
                    continue
                scale = np.nan if usd is None else usd / whole_of
                for so_far, own in of_row if usd != 0 else ():
                    source = own[kinds].sum(axis=0)
                    so_far[kind] += np.where(source > 0, source * scale, 0.0)
            for so_far, own in of_row:
                so_far[SERVED:] += HOURS_PER_MONTH * own[SERVED:]
    for cluster, stream in streams:
        yield pot_of(model.rows[stream.row], cluster, stream), stream, answer[id(stream)]


def _alike(
    model: ModelDemand, served: Iterable[tuple[Stream, Floats, Sequence[tuple[Contract, Floats]], Floats]]
) -> Iterator[tuple[Stream, Floats]]:
    """$ of contracts, GPUs left over and GPUs wanted of each stream, (3, hours): what serves a
    pool on a cluster is shared by GPU time, whenever its work began or ends. served: all streams of the model."""
    streams = ((site.cluster, stream) for site in model.sites for stream in site.streams)
    pots: dict[Hashable, list[tuple[Stream, Floats]]] = {}
    for (cluster, stream), (_, wanted, taken, left) in zip(streams, served, strict=True):
        usd = sum((gpus * (contract.rate or 1.0) for contract, gpus in taken), np.zeros(len(left)))
        pots.setdefault((cluster, stream.row, stream.is_split), []).append(
            (stream, np.array([usd, left, wanted]))
        )
    for alike in pots.values():
        whole = np.sum([figures for _, figures in alike], axis=0)
        for stream, (_, _, wanted) in alike:
            yield stream, part_of(wanted, whole[2]) * whole


def _rest_usd(piece: PlannedRow, part: int, left: Floats, weights: Floats) -> Floats:
    """$ of orders and use in each hour of a part: orders in all hours, use where it is. left: GPUs, (hours,)."""
    listed = piece.listed
    per_hour = np.array([order.usd_per_hour or 0.0 for order in listed.orders])
    orders = float(per_hour @ listed.order_h[:, part])
    use, of_busy = listed.used[part] * np.nan_to_num(listed.rate[part], nan=1.0), listed.busy[part]
    widths = np.divide(use, of_busy, out=np.zeros(len(use)), where=of_busy > 0)
    edges = np.concatenate(([0.0], np.cumsum(widths)))
    is_held = False if piece.row.held is None else piece.row.held[part]
    open_gpus = np.where(is_held, 0.0, piece.row.slicing.widths)
    gpus = np.concatenate(([0.0], np.cumsum(open_gpus)))
    return np.asarray(weights * (orders + np.interp(left, gpus, edges)))
