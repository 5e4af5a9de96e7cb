"""Energy of a plan: what the layers of month 0 take, in use and idle, and the largest hour of its twelve months."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit.energy import (
    DRAWN_IDLE,
    Powers,
    drawn_shares,
    grid_factor,
    grid_of_offer,
    times_known,
)
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment import result
from gpuplanner.domain.commitment.busy import Month, months_of, spans_of_months
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow, parts_in_months
from gpuplanner.domain.figures.energy import ENERGY
from gpuplanner.domain.figures.figure import by_row, floats
from gpuplanner.domain.figures.typed import decimals
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import known_sum, summed
from gpuplanner.domain.model.book.contract import in_month, runs_at
from gpuplanner.domain.model.book.offer import Offer, is_owned
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH

Inputs = dict[str, float | None]
_SHOWN: Final = ("kwh_per_month", "kg_co2_per_month")


def plan_energy(
    ground: Ground,
    planned: Planned,
    pools: Sequence[result.PoolPlan],
    idle: Sequence[result.IdleExisting] | None,
    powers: Powers,
    cache: AdviceCache,
) -> result.PlanEnergy:
    """The energy of a plan. pools: the same as they are shown; powers: rated power by name.

    idle: existing GPUs that serve nothing; None: nobody has said, and nothing of the sums is known.
    Source: docs/formulas/energy.md.
    """
    if idle is None:
        return result.PlanEnergy()
    taken = GpuPower(ground, powers, cache)
    taken_by: list[tuple[Pool | None, str | None, result.Layer | None, Inputs]] = []
    for pool in pools:
        drawn = taken.drawn(pool)
        taken_by += [
            (pool.pool, pool.gpu_model, layer, taken.of_layer(pool, layer, drawn))
            for layer in pool.layers
            if layer.gpus
        ]
    for row in idle:
        inputs = taken.of_idle(row.gpu_model, row.gpus * HOURS_PER_MONTH, taken.grids.get(row.gpu_model))
        taken_by.append((None, row.gpu_model, None, inputs))
    columns = {key: floats([row[key] for *_, row in taken_by]) for key in taken_by[0][-1]} if taken_by else {}
    worked = by_row(ENERGY.worked_out(columns, _SHOWN)) if taken_by else []
    layers = tuple(
        result.EnergyOfLayer(
            pool=pool,
            gpu_model=model,
            layer=layer,
            kwh_per_month=row["kwh_per_month"],
            kg_co2_per_month=row["kg_co2_per_month"],
            inputs=inputs,
        )
        for (pool, model, layer, inputs), row in zip(taken_by, worked, strict=True)
    )
    peaks, peak = _peaks(ground, planned, pools, taken)
    kwh_per_month, kg_co2_per_month = _sums(layers)
    return result.PlanEnergy(
        kwh_per_month=kwh_per_month,
        kg_co2_per_month=kg_co2_per_month,
        peak_kw=peaks[None],
        by_pool=tuple(
            result.EnergyOfPool(pool, *_sums(of_pool), None if pool is None else peaks[pool])
            for pool in (*Pool, None)
            if (of_pool := [row for row in layers if row.pool is pool])
        ),
        layers=layers,
        peak=peak,
    )


def _sums(rows: Sequence[result.EnergyOfLayer]) -> tuple[float | None, float | None]:
    """kWh and kg of CO2 a month of some rows."""
    return known_sum(row.kwh_per_month for row in rows), known_sum(row.kg_co2_per_month for row in rows)


def power_check(ground: Ground, energy: result.PlanEnergy) -> Iterator[Check]:
    """Where the plan's largest hour takes more than the planner's limit."""
    limit, peak = ground.assumptions.power_limit_kw, energy.peak_kw
    if limit is not None and peak is not None and peak > limit:
        text = worded(
            "its largest hour needs {peak} kW, limit {limit} kW", peak=decimals(peak), limit=decimals(limit)
        )
        yield Check(code="over_power_limit", severity="red", subject=worded("the plan"), message=text)


class GpuPower:
    """What GPUs of a plan take, by model, offer and pool."""

    def __init__(self, ground: Ground, powers: Powers, cache: AdviceCache) -> None:
        self.powers, self.pue = powers, ground.assumptions.pue
        share, workloads = ground.assumptions.power_share, ground.project.workloads
        drawn = cache.recall(
            "drawn", (share,), (workloads,), lambda: np.array(drawn_shares(workloads, share))
        )
        self.power_share, self.workload_shares = share, drawn
        self._offers = {offer.offer_id: offer for offer in ground.project.offers}
        self._sites, self._contracts = ground.project.places.sites, ground.project.contracts
        self._stated_grid = ground.assumptions.grid_kg_co2_per_kwh
        self.grids: dict[str | None, float | None] = {}
        in_month_0 = in_month(ground.plan.contracts, ground.window, 0)
        for model in {contract.gpu_model for contract in in_month_0}:
            of_model = [contract for contract in in_month_0 if contract.gpu_model == model]
            grids = [(grid_factor(contract, self._sites), contract.gpus) for contract in of_model]
            whole = known_sum(None if grid is None else grid * gpus for grid, gpus in grids)
            own = None if whole is None else whole / sum(gpus for _, gpus in grids)
            self.grids[model] = own if self._stated_grid is None else self._stated_grid

    def drawn(self, pool: result.PoolPlan) -> float:
        """What the workloads of a pool and model draw of rated power, by their GPU time of month 0."""
        spent = pool.demand.gpu_time
        if spent is None or not float(spent.sum()):
            return self.power_share
        return float((spent * self.workload_shares).sum() / spent.sum())

    def rated(self, gpu_model: str | None, offer: Offer | None = None) -> float | None:
        """kW of a GPU: of one that is owned its own, where it is stated."""
        if offer is not None and is_owned(offer) and offer.kw_per_gpu:
            return offer.kw_per_gpu
        rated = self.powers.get(gpu_model_of(gpu_model) or "")
        return None if rated is None else rated.kw

    def pue_of(self, offer: Offer | None) -> float:
        """That of owned GPUs is their own, where it is stated."""
        own = offer.pue if offer is not None and is_owned(offer) else None
        return self.pue if own is None else float(own)

    def of_layer(self, pool: result.PoolPlan, layer: result.Layer, drawn: float) -> Inputs:
        """What goes into the energy of a layer, by the keys of ENERGY; GPUs of an offer's own model."""
        offer = self._offers.get(layer.offer_id or "")
        worth = pool.supply.ratios.get(layer.offer_id or "", 1.0)
        in_use = layer.busy_gpus / worth
        bought = layer.gpus / worth if layer.offer_gpus is None else layer.offer_gpus
        idle = max(bought - in_use, 0.0) if layer.term_months else 0.0
        grid = self.grids.get(gpu_model_of(pool.gpu_model)) if layer.existing else self.find_grid(layer)
        return self.of_idle(layer.offer_gpu_model or pool.gpu_model, idle * layer.paid_hours, grid, offer) | {
            "in_use_gpu_hours": in_use * layer.paid_hours,
            "drawn_share": drawn,
        }

    def find_grid(self, layer: result.Layer) -> float | None:
        """kg of CO2 of a kWh of what is bought: one figure where all offers of the layer have the same; else None.

        Where the planner states the grid of the plan, it is that.
        """
        if self._stated_grid is not None:
            return self._stated_grid
        named = layer.blended or (() if layer.offer_id is None else (layer.offer_id,))
        offers = [self._offers.get(offer_id) for offer_id in named]
        grids = {None if o is None else grid_of_offer(o.region, self._sites, self._contracts) for o in offers}
        return grids.pop() if len(grids) == 1 else None

    def of_idle(
        self, gpu_model: str | None, idle_gpu_hours: float, grid: float | None, offer: Offer | None = None
    ) -> Inputs:
        """The same of GPUs that serve nothing. grid: kg of CO2 of a kWh."""
        return {
            "in_use_gpu_hours": 0.0,
            "idle_gpu_hours": idle_gpu_hours,
            "rated_kw": self.rated(gpu_model, offer),
            "drawn_share": 0.0,
            "idle_share": DRAWN_IDLE,
            "pue": self.pue_of(offer),
            "grid_kg_per_kwh": grid,
        }

    def kw(self, gpu_model: str | None, offer: Offer | None = None, worth: float = 1.0) -> float:
        """kW at rated power, the building's share in it, of the work of one GPU of a row's model; NaN is unknown."""
        rated = self.rated(gpu_model, offer)
        return np.nan if rated is None else rated * self.pue_of(offer) / worth

    def offer(self, offer_id: str | None) -> Offer | None:
        """An offer of the plan by its id."""
        return self._offers.get(offer_id or "")


def _peaks(
    ground: Ground, planned: Planned, pools: Sequence[result.PoolPlan], taken: GpuPower
) -> tuple[Mapping[Pool | None, float | None], result.PeakHour | None]:
    """kW of the largest hour of the twelve months: of each pool, and of the plan with what stands idle (None); and what
    takes that of the plan, None where it is unknown."""
    by_row = {(row.row.pool, row.row.gpu_model): row for row in planned.rows}
    shown = {(pool.pool, pool.gpu_model): pool for pool in pools}
    hours = ground.window.hours
    most: dict[Pool | None, float] = dict.fromkeys((*Pool, None), 0.0)
    peak: result.PeakHour | None = None
    months = [
        months_of(model, ground.plan.contracts, ground.window, ground.outlined, COMPARED_MONTHS)
        for model in ground.plan.models
    ]
    known: list[dict[Month, list[list[result.MonthPart]]]] = [{} for _ in months]
    of_rows: dict[tuple[object, ...], Floats] = {}  # most months are as the one before
    number_of_part = 0
    for month, spans in enumerate(spans_of_months(ground.outlined.moments, ground.window, COMPARED_MONTHS)):
        for number, of_model in enumerate(months):
            if of_model[month] not in known[number]:
                known[number][of_model[month]] = parts_in_months(
                    ground.plan.models[number], of_model[month], hours
                )
        for place, (from_s, to_s) in enumerate(spans):
            into: dict[Pool | None, Floats] = defaultdict(partial(np.zeros, hours))
            idle_gpus = count_contract_gpus(ground, from_s)
            for number, model in enumerate(ground.plan.models):
                served = np.zeros(hours)
                for key, of_row in zip(model.rows, known[number][months[number][month]], strict=True):
                    if key not in by_row:
                        continue
                    part = of_row[place]
                    served += part.demand_gpus - part.residual_gpus
                    bound = find_held_offers(by_row[key], number_of_part)
                    denied = find_unserved_shares(by_row[key], number_of_part)
                    same = (key, id(part), bound.tobytes(), denied.tobytes())
                    if same not in of_rows:
                        of_rows[same] = compute_row_kw(by_row[key], shown[key], part, bound, denied, taken)
                    for whose in (key[0], None):
                        into[whose] += of_rows[same]
                name = gpu_model_of(model.gpu_model)
                idle = np.maximum(idle_gpus.pop(name, 0.0) - served, 0.0)
                into[None] += times_known(idle, taken.kw(name) * DRAWN_IDLE)
            into[None] += sum(gpus * DRAWN_IDLE * taken.kw(name) for name, gpus in idle_gpus.items() if gpus)
            for run in planned.runs:
                since_s = from_s - ground.window.end_s
                if run.gpus_between(since_s, to_s - from_s + since_s).gpus:
                    drawn = taken.drawn(shown[run.row.pool, run.row.gpu_model])
                    kw = run.gpus * taken.kw(run.row.gpu_model) * drawn
                    for whose in (run.row.pool, None):
                        into[whose] += kw
            number_of_part += 1
            if peak is None or into[None].max(initial=0.0) > most[None]:
                peak = find_peak_hour(month, into)
            for whose, kw_of in into.items():
                most[whose] = float(np.maximum(most[whose], kw_of.max(initial=0.0)))  # unknown stays so
    peak_kw = {whose: None if np.isnan(kw) else kw for whose, kw in most.items()}
    return peak_kw, None if peak_kw[None] is None else peak


def find_held_offers(row: PlannedRow, part: int) -> Ints:
    """The place of the offer that each slice holds at some time of a part, -1 for none; (slices,)."""
    place = np.full(row.row.slices, -1, dtype=np.int64)
    for number in np.flatnonzero(row.listed.order_h[:, part]).tolist():
        place[row.listed.orders[number].slices] = row.listed.orders[number].place
    return place


def find_unserved_shares(row: PlannedRow, part: int) -> Floats:
    """The share of a part in which a budget leaves each slice unserved, (slices,)."""
    if row.denied_h is None:
        return np.zeros(row.row.slices)
    from_s, to_s = row.listed.edges_s[part : part + 2].tolist()
    return np.asarray(row.denied_h[part] * HOUR_S / (to_s - from_s))


def find_peak_hour(month: int, kw: Mapping[Pool | None, Floats]) -> result.PeakHour:
    """The hour of a month in which all of it takes most. kw: by pool and, under None, of everything, (hours,)."""
    if not len(kw[None]):
        return result.PeakHour(month, 0, {})
    hour = int(kw[None].argmax())
    of_pools: dict[Pool | None, float] = {
        pool: float(hourly[hour]) for pool, hourly in kw.items() if pool is not None
    }
    rest = float(kw[None][hour]) - sum(of_pools.values())
    return result.PeakHour(month, hour, {**of_pools, None: rest})


def count_contract_gpus(ground: Ground, at_s: int) -> dict[str | None, float]:
    """GPUs of the contracts that run at a moment."""
    running = (contract for contract in ground.plan.contracts if runs_at(contract, at_s))
    return summed((contract.gpu_model, contract.gpus) for contract in running)


def compute_row_kw(
    planned: PlannedRow,
    pool: result.PoolPlan,
    part: result.MonthPart,
    place: Ints,
    denied: Floats,
    taken: GpuPower,
) -> Floats:
    """kW of a row in each hour of a part of a month, (hours,): existing GPUs in use, what is signed, and use.

    place: of the offer that each slice holds, -1 for none; denied: share of the part in which nobody serves it; both
    (slices,).
    """
    row, drawn, model = planned.row, taken.drawn(pool), pool.gpu_model
    left = part.residual_gpus
    kw = times_known(part.demand_gpus - left, taken.kw(model) * drawn)
    edges = row.slicing.edges
    rest = left.copy()
    for k in np.flatnonzero((denied >= 1) & (place < 0)).tolist():  # nobody serves it
        rest = rest - np.clip(left - edges[k], 0.0, float(edges[k + 1] - edges[k]))
    begins = [0, *(np.flatnonzero(np.diff(place)) + 1).tolist(), row.slices] if row.slices else [0]
    for begin, end in pairwise(begins):
        held = int(place[begin])
        if held < 0:
            continue
        offer = row.offers[held]
        width = float(edges[end] - edges[begin])
        used = np.clip(left - edges[begin], 0.0, width)
        at_full = taken.kw(offer.gpu_model, offer, row.ratios.get(offer.offer_id, 1.0))
        kw = kw + (used * drawn + (width - used) * DRAWN_IDLE) * at_full
        rest = rest - used
    by_use = taken.kw(
        pool.flex.gpu_model or model,
        taken.offer(pool.flex.offer_id),
        row.ratios.get(pool.flex.offer_id or "", 1.0),
    )
    return kw + times_known(np.maximum(rest, 0.0), by_use * drawn)
