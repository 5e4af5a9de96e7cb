"""What each workload costs in a month of a plan: the $ go where the GPUs go, hour by hour."""

from collections.abc import Hashable, Iterable, Iterator, Sequence

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.utilization import part_of, weighted_sums
from gpuplanner.domain.commitment import busy, result
from gpuplanner.domain.commitment.model_demand import ModelDemand, Stream
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow
from gpuplanner.domain.commitment.streams import Row
from gpuplanner.domain.figures.figure import optional
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract, runs_at
from gpuplanner.domain.model.book.only import gpu_model_of, limited_name, only_of
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH, MONTH_S
from gpuplanner.lazy_dataclass import dataclass

CONTRACTS, REST, DEMAND = range(3)
"""What serves: existing contracts; orders and use of a pool and model; and what is asked for."""
Pot = tuple[Pool, str, int, str | None]
"""(pool, cluster, group, GPU model that jobs name): whose demand is served alike in each hour."""


@dataclass(frozen=True, slots=True)
class CardCosts:
    """$ a month of each workload, by key, and what of them existing contracts are paid; None is unknown."""

    usd: dict[str, float | None]
    contracts_usd: dict[str, float | None]


def card_costs(
    ground: Ground, planned: Planned, pools: Sequence[result.PoolPlan], month: int = 0
) -> CardCosts:
    """A contract's $ go to the workloads of its cluster that it serves in an hour; orders and use of a pool and model
    by GPU time that contracts leave over in it. A run costs its own orders, use and hours of contracts.

    Law: over all workloads, the pools' $ of the month. Source: docs/formulas.md, Layers.
    """
    workloads = ground.project.workloads
    usd = np.zeros((2, len(workloads)))
    of_pool = {(pool.pool, pool.gpu_model): pool for pool in pools}
    of_runs: dict[Row, list[float | None]] = {}
    for run in planned.runs:
        row = run.row.pool, run.row.gpu_model
        held = HOURS_PER_MONTH * run.gpus_between(month * MONTH_S, (month + 1) * MONTH_S)[1]
        of_contracts = of_pool[row].usd_of_contracts(held)
        rest = known_sum([run.listed.orders_usd(month), run.listed.use_usd(month)])
        usd[:, run.place] += np.array([of_contracts, rest], dtype=np.float64)
        of_runs.setdefault(row, []).append(of_contracts)
    pieces: dict[Row, tuple[PlannedRow, tuple[float | None, float | None]]] = {}
    for piece in planned.rows:
        row, listed = (piece.row.pool, piece.row.gpu_model), piece.listed
        existing = known_sum(layer.cost_per_month for layer in of_pool[row].layers if layer.existing)
        runs_usd = known_sum(of_runs.get(row, ()))
        paid = None if existing is None or runs_usd is None else existing - runs_usd
        pieces[row] = piece, (paid, known_sum([listed.orders_usd(month), listed.use_usd(month)]))
    shared = [
        (pot, stream, shares)
        for model in ground.plan.models
        for pot, stream, shares in _shares(ground, model, [pieces[row] for row in model.rows], month)
    ]
    if shared:
        usd += by_workload(ground, shared)
    keys = [workload.key for workload in workloads]
    return CardCosts(
        dict(zip(keys, optional(usd.sum(axis=0)), strict=True)),
        dict(zip(keys, optional(usd[CONTRACTS]), strict=True)),
    )


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
        for kind in range(kinds):
            if each[kind].any():
                answer[kind] += weighted_sums(cube, np.array(numbers), each[kind], answer.shape[1])
    return answer


def _shares(
    ground: Ground,
    model: ModelDemand,
    pieces: Sequence[tuple[PlannedRow, tuple[float | None, float | None]]],
    month: int,
) -> Iterator[tuple[Pot, Stream, Floats]]:
    """$ of each stream by hour, (2, hours). pieces: the model's rows, each with its $ by contracts and by the rest."""
    hours, window, contracts = ground.window.hours, ground.window, ground.plan.contracts
    evenly = np.full(hours, 1 / hours)
    weights = [evenly if own is None else own for own in map(ground.weights_of, model.rows)]
    serving = busy.in_turn(contracts, model)
    states = busy.months_of(model, contracts, window, ground.outlined, month + 1)[month]
    spans = busy.spans_of_months(ground.outlined.moments, window, month + 1)[month]
    amounts = {id(stream): np.zeros((3, hours)) for site in model.sites for stream in site.streams}
    first = pieces[0][0].listed.parts_of(month).start
    for part, ((share, state), (from_s, _)) in enumerate(zip(states, spans, strict=True), first):
        running = {c.contract_id for c, _ in serving if runs_at(c, from_s)}
        left_over = []
        served = busy.served_streams(model, serving, running, state, hours)
        for stream, figures in _alike(model, served):
            left_over.append((stream, figures[REST]))
            amounts[id(stream)][[CONTRACTS, DEMAND]] += (
                share * weights[stream.row] * figures[[CONTRACTS, DEMAND]]
            )
        for place, (piece, _) in enumerate(pieces):
            own = [(stream, left) for stream, left in left_over if stream.row == place]
            whole = sum((left for _, left in own), np.zeros(hours))
            usd = _rest_usd(piece, part, whole, weights[place])
            each = part_of(usd, whole)
            for stream, left in own:
                amounts[id(stream)][REST] += left * each
    totals_of = np.zeros((len(pieces), 3))
    for site in model.sites:
        for stream in site.streams:
            totals_of[stream.row] += amounts[id(stream)].sum(axis=1)
    for site in model.sites:
        for stream in site.streams:
            totals, own_usd, shares = totals_of[stream.row], amounts[id(stream)], np.zeros((2, hours))
            for kind, amount in enumerate(pieces[stream.row][1]):
                source = kind if totals[kind] else DEMAND  # what serves nobody is paid by all
                if totals[source] and amount != 0:
                    scale = np.nan if amount is None else amount / totals[source]
                    shares[kind] = np.where(own_usd[source] > 0, own_usd[source] * scale, 0.0)
            yield pot_of(model.rows[stream.row], site.cluster, stream), stream, shares


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
        for stream, figures in alike:
            yield stream, part_of(figures[DEMAND], whole[DEMAND]) * whole


def _rest_usd(piece: PlannedRow, part: int, left: Floats, weights: Floats) -> Floats:
    """$ of orders and use in each hour of a part: orders in all hours, use where it is. left: GPUs, (hours,)."""
    listed = piece.listed
    per_hour = np.array([order.usd_per_hour or 0.0 for order in listed.orders])
    orders = float(per_hour @ listed.order_h[:, part])
    use, of_busy = listed.used[part] * np.nan_to_num(listed.rate[part], nan=1.0), listed.busy[part]
    widths = np.divide(use, of_busy, out=np.zeros(len(use)), where=of_busy > 0)
    edges = np.concatenate(([0.0], np.cumsum(widths)))
    return np.asarray(weights * (orders + np.interp(left, piece.row.slicing.edges, edges)))
