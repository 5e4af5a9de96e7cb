"""The advice for a scenario, and the plan in one of its months: what it holds, serves and costs, and its energy."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, pairwise
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
from gpuplanner.domain.audit.result import Audit, Check
from gpuplanner.domain.commitment import busy, result
from gpuplanner.domain.commitment.busy import Month, months_of, spans_of_months
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand import growth
from gpuplanner.domain.commitment.demand.streams import Row
from gpuplanner.domain.commitment.plan import twelve_months
from gpuplanner.domain.commitment.plan.cards import card_costs
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of
from gpuplanner.domain.commitment.plan.layers import pool_plan
from gpuplanner.domain.commitment.plan.orders import KEEP_AFTER_MONTHS, all_orders, orders_within, verdicts_of
from gpuplanner.domain.commitment.plan.plan_checks import checks_of, max_gpus_words
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow, in_all, parts_in_months, plan_of
from gpuplanner.domain.commitment.plan.runs import left_with_nothing, logged_ways, ways_of
from gpuplanner.domain.commitment.plan.totals import costs_at_least, idle_existing, plan_inputs, totals_of
from gpuplanner.domain.commitment.recursion.slice_policy import NO_ORDER
from gpuplanner.domain.commitment.result import Advice, Order, PlannedRunFigures, PoolPlan, Totals
from gpuplanner.domain.figures.energy import ENERGY
from gpuplanner.domain.figures.figure import by_row, floats
from gpuplanner.domain.figures.typed import decimals, significant
from gpuplanner.domain.message import Message, Part, joined, lowered, worded
from gpuplanner.domain.model.amounts import NOTHING_KNOWN, known_sum, summed
from gpuplanner.domain.model.book.contract import (
    Contract,
    in_month,
    mean_extras_in_month,
    mean_rates_in_month,
    month_start_s,
    runs_at,
)
from gpuplanner.domain.model.book.offer import Offer, is_owned
from gpuplanner.domain.model.book.only import ANYBODY, gpu_model_of, only_of, who_words
from gpuplanner.domain.model.book.renewal import notice_by_s
from gpuplanner.domain.model.cube import SHORT_WINDOW_HOURS
from gpuplanner.domain.model.plan_inputs import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S
from gpuplanner.lazy_dataclass import dataclass, fields, replace

# --- The energy of a plan: what the layers of month 0 take, in use and idle, and the largest hour of its twelve months

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
                    for of in (key[0], None):
                        into[of] += of_rows[same]
                name = gpu_model_of(model.gpu_model)
                idle = np.maximum(idle_gpus.pop(name, 0.0) - served, 0.0)
                into[None] += times_known(idle, taken.kw(name) * DRAWN_IDLE)
            into[None] += sum(gpus * DRAWN_IDLE * taken.kw(name) for name, gpus in idle_gpus.items() if gpus)
            for run in planned.runs:
                since_s = from_s - ground.window.end_s
                if run.gpus_between(since_s, to_s - from_s + since_s)[0]:
                    drawn = taken.drawn(shown[run.row.pool, run.row.gpu_model])
                    kw = run.gpus * taken.kw(run.row.gpu_model) * drawn
                    for of in (run.row.pool, None):
                        into[of] += kw
            number_of_part += 1
            if peak is None or into[None].max(initial=0.0) > most[None]:
                peak = find_peak_hour(month, into)
            for of, kw_of in into.items():
                most[of] = float(np.maximum(most[of], kw_of.max(initial=0.0)))  # unknown stays so
    peak_kw = {of: None if np.isnan(kw) else kw for of, kw in most.items()}
    return peak_kw, None if peak_kw[None] is None else peak


def find_held_offers(row: PlannedRow, part: int) -> Ints:
    """The place of the offer that each slice holds at some time of a part, -1 for none; (slices,)."""
    place = np.full(row.row.slices, -1, dtype=np.int64)
    for at in np.flatnonzero(row.listed.order_h[:, part]).tolist():
        place[row.listed.orders[at].slices] = row.listed.orders[at].place
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
        pool: float(of[hour]) for pool, of in kw.items() if pool is not None
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
        at = int(place[begin])
        if at < 0:
            continue
        offer = row.offers[at]
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


__all__ = ["AdviceCache"]


# --- Commitment advice: how much of which pool to commit, for how long, by when, and what that costs


def advise(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    audit: Audit,
    cache: AdviceCache | None = None,
) -> Advice:
    """Advise on a scenario. Pure: with a cache the answer is the same, to the bit.

    pools[i] is the pool of project.workloads[i] (in review: that of its best class); audit gives what is paid now.
    Source: docs/formulas/layers.md.
    """
    cache = AdviceCache() if cache is None else cache
    cache.begin()
    classes = cache.recall("classes", (), (audit,), lambda: audit.classifications)
    ground = ground_of(project, scenario, pools, cache, classes)
    planned = plan_of(ground, cache)
    plans = tuple(
        replace(plan, demand=replace(plan.demand, gpu_time=ground.plan.now.get((plan.pool, plan.gpu_model))))
        for plan in pool_plans(ground, planned, {row: p.on_demand for row, p in ground.prices.items()})
    )
    every_order = all_orders(ground, planned)
    orders = orders_within(ground, every_order)
    last_s = month_start_s(ground.window, COMPARED_MONTHS - 1)
    is_late = any(contract.end_s and contract.end_s > last_s for contract in ground.existing)
    later = orders_within(ground, every_order, KEEP_AFTER_MONTHS + 1) if is_late else orders
    verdicts = tuple(
        verdict
        for verdict in verdicts_of(ground.existing, later, ground.plan.served, ground)
        if verdict.contract_id not in audit.unknown_contracts
    )
    in_month_0 = in_month(ground.plan.contracts, ground.window, 0)
    unknown, asked = (
        frozenset(contract.gpu_model for contract in in_month_0 if contract.contract_id in ids)
        for ids in (audit.unknown_contracts, audit.asked_contracts)
    )
    idle = tuple(row for row in idle_existing(ground, plans) if row.gpu_model not in unknown)
    comparison = twelve_months.comparison_of(ground, planned, twelve_months.nothing_by_month(ground))
    known_idle = None if unknown else idle
    at_least = costs_at_least(ground, comparison[0], audit, plans, known_idle, orders)
    if audit.asked_contracts:  # what contracts serve decides what the rest costs
        comparison = tuple(
            replace(month, do_nothing_usd=None, nothing_parts=NOTHING_KNOWN) for month in comparison
        )
    if asked:
        comparison = tuple(
            replace(month, use_usd=None, plan_parts=NOTHING_KNOWN, use_parts=NOTHING_KNOWN)
            for month in comparison
        )
    unserved = twelve_months.unserved_of(ground, planned)
    has_savings = not audit.asked_contracts and not twelve_months.leaves_unserved(
        comparison, ground.assumptions.horizon_months
    )
    inputs = plan_inputs(ground, plans, known_idle)
    energy = plan_energy(ground, planned, plans, known_idle, audit.energy.powers, cache)
    return Advice(
        pools=plans,
        idle_existing=idle,
        orders=orders,
        verdicts=verdicts,
        totals=totals_of(ground, audit, plans, known_idle, comparison[0], orders, inputs, has_savings),
        comparison=comparison,
        checks=checks_of(
            ground,
            planned,
            plans,
            verdicts,
            () if audit.unknown_contracts else orders,  # nobody knows yet what those serve
            (
                *twelve_months.unserved_checks(unserved),
                *twelve_months.budget_check(ground, comparison),
                *power_check(ground, energy),
            ),
        ),
        workload_usd=dict(card_costs(ground, planned).usd),
        unserved=unserved,
        classes=classes,
        unknown_models=unknown,
        asked_models=asked,
        inputs=inputs,
        energy=energy,
        planned_runs=planned_runs(ground, planned, orders),
        logged_ways=tuple(logged_ways(ground)),
        at_least=at_least,
        contracts=ground.plan.contracts,
        in_force=ground.nothing.contracts,
        whole_decisions=scenario.whole_decisions,
    )


def pool_plans(
    ground: Ground, planned: Planned, on_demand: Mapping[Row, Offer | None], month: int = 0
) -> tuple[PoolPlan, ...]:
    """The rows of a plan as they are shown in a month, whose demand `planned` has.

    on_demand: the cheapest eligible on-demand offer of each.
    One for each of planned.rows, in their order. Errors: KeyError for a row that on_demand has not.
    """
    running = in_month(ground.plan.contracts, ground.window, month)
    answer = []
    for planned_row in planned.rows:
        row = (planned_row.row.pool, planned_row.row.gpu_model)
        runs = [run for run in planned.runs if (run.row.pool, run.row.gpu_model) == row]
        held = [
            contract for contract in running if contract.gpu_model == gpu_model_of(planned_row.row.gpu_model)
        ]
        rate, _ = mean_rates_in_month(held, ground.window, month)
        note = note_of(ground, planned_row, planned.reached, bool(runs))
        plan = pool_plan(ground, planned_row, runs, rate, on_demand[row], note, month)
        if extras := mean_extras_in_month(held, ground.window, month):
            layers = (replace(layer, extras=extras) if layer.existing else layer for layer in plan.layers)
            plan = replace(plan, layers=tuple(layers))
        answer.append(plan)
    return tuple(answer)


def planned_runs(ground: Ground, planned: Planned, orders: Sequence[Order]) -> tuple[PlannedRunFigures, ...]:
    """The runs of a plan, by key, with the places of their orders in the list."""
    begin_s, moments = ground.window.end_s, ground.outlined.moments
    spans = [*chain.from_iterable(spans_of_months(moments, ground.window, COMPARED_MONTHS))]
    left, works = left_with_nothing(ground, spans), {work.key: work for work in ground.scenario.planned}
    rows = []
    for run in ground.runs:
        layers = [piece for piece in planned.runs if piece.key == run.key]
        work = works.get(run.key)
        pool, gpu_model = run.row
        rows.append(
            PlannedRunFigures(
                key=run.key,
                pool=pool,
                gpu_model=gpu_model,
                gpus=run.gpus,
                hours=layers[0].hours,
                orders=tuple(place for place, order in enumerate(orders) if order.run == run.key),
                use_usd=known_sum(piece.use_usd for piece in layers),
                usd=known_sum(piece.listed.usd for piece in layers),
                idle_contract_gpus=layers[0].idle_gpus,
                use_rate=layers[0].row.flex.rate,
                by_use_gpu_hours=tuple(
                    sum(piece.listed.used_in(from_s - begin_s, to_s - begin_s) for piece in layers)
                    for from_s, to_s in spans
                ),
                by_use_usd=tuple(
                    known_sum(piece.listed.use_usd(month) for piece in layers)
                    for month in range(COMPARED_MONTHS)
                ),
                nothing_gpu_hours=left[run.key],
                gpu_hours=HOURS_PER_MONTH * sum(piece.gpus_between(0, MONTH_S)[0] for piece in layers),
                of_contracts_gpu_hours=HOURS_PER_MONTH
                * sum(piece.gpus_between(0, MONTH_S)[1] for piece in layers),
                unserved_gpu_hours=sum(piece.listed.unserved_in(0) for piece in layers),
                mean_gpu_hours=None if work is None else work.mean_gpu_hours,
                ways=() if work is None else tuple(ways_of(ground, run.row, work)),
            )
        )
    return tuple(rows)


def _mapped_words(ground: Ground, planned: PlannedRow) -> list[Message]:
    """How GPUs of another model are counted in a row that may use them."""
    row = planned.row
    worth = {
        offer.gpu_model: row.ratios[offer.offer_id]
        for offer in ground.eligible.get((row.pool, row.gpu_model), ())
        if offer.offer_id in row.ratios
    }
    if not worth:
        return []
    each = [
        worded("1 {model} counts as {ratio}", model=model, ratio=significant(ratio))
        for model, ratio in sorted(worth.items())
    ]
    given: dict[str, Part] = {"gpu_model": gpu_model_of(row.gpu_model) or "", "each": joined(each, ", ")}
    return [worded("GPUs and rates per {gpu_model}: {each}", **given)]


def note_of(ground: Ground, planned: PlannedRow, reached: Sequence[Offer], has_runs: bool) -> Message:
    """Why there is no advice for a row, or why it is limited; empty otherwise. reached: offers with nothing left.

    Sentences are joined by semicolons, the gravest first.
    """
    row, sentences = planned.row, list[Message]()
    if not row.slices and has_runs:
        return worded("only planned runs, with their own orders")
    if not row.slices:
        return worded("existing contracts serve it for two years")
    only = only_of(row.gpu_model)
    if only != ANYBODY:
        sentences.append(worded("{who} may serve it", who=lowered(who_words(only))))
    if row.flex.rate is None and row.use is not None:
        sentences.append(worded("no on-demand offer may serve it: demand without orders is unserved"))
    elif row.flex.rate is None:
        waits = (planned.signed.now == NO_ORDER) & (row.busy.today(0) > 0)
        named = gpu_model_of(row.gpu_model) or worded("GPUs of its model")
        sentences.append(
            worded("no advice: {model} has no on-demand rate, and not all demand is committable", model=named)
            if waits.any()
            else worded("{model} has no on-demand rate, so all demand is committed", model=named)
        )
    if not row.offers:
        sentences.append(worded("no priced commitment is open to this pool"))
    places = np.unique(planned.signed.orders.offer).tolist()
    taken = {row.offers[place].offer_id for place in places if place >= 0}
    sentences += [
        joined((offer.offer_id, max_gpus_words(offer)), ": ") for offer in reached if offer.offer_id in taken
    ]
    sentences += _mapped_words(ground, planned)
    if ground.window.hours <= SHORT_WINDOW_HOURS:
        sentences.append(worded("logs up to a week allow terms up to a month"))
    return joined(sentences, "; ")


# --- The advice where no demand is known, or no price: none. Nobody can say then which contracts to let end

KNOWN: Final = frozenset(("today", "lock_in_now_months"))
"""Totals that are of contracts alone."""

NO_DOLLARS: Final = {
    **dict.fromkeys(("do_nothing_usd", "contracts_usd", "orders_usd", "use_usd")),
    **dict.fromkeys(("plan_parts", "nothing_parts"), NOTHING_KNOWN),
}


def without_prices(advice: Advice) -> Advice:
    """No verdicts: where nothing has a price, nobody can say that something is better than a contract that runs.

    Everything else stays, amounts of demand too.
    """
    return replace(advice, verdicts=())


def without_demand(advice: Advice) -> Advice:
    """No orders, no verdicts, no savings, and a plan of unknown $.

    Only what is of contracts alone stays known; checks are left out, for they speak of demand.
    """
    unknown = {
        field.name: None for field in fields(Totals) if field.name not in KNOWN | {"gpus_to_sign", "extras"}
    }
    return replace(
        advice,
        idle_existing=(),
        orders=(),
        verdicts=(),
        totals=replace(advice.totals, gpus_to_sign=(), extras=(), **unknown),
        comparison=tuple(replace(month, **NO_DOLLARS) for month in advice.comparison),  # type: ignore[arg-type]
        checks=(),
    )


# --- What happens to commitments in a span of time


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """Orders that start, end and are to be signed in a span, contracts that end in it, and those whose last day
    for notice is in it; each in given order."""

    starting: tuple[Order, ...]
    ending: tuple[Order, ...]
    to_sign: tuple[Order, ...]
    contracts_ending: tuple[Contract, ...]
    notices: tuple[Contract, ...] = ()


def happening(orders: Sequence[Order], contracts: Sequence[Contract], from_s: int, to_s: int) -> Happening:
    """What happens in [from_s, to_s), epoch seconds; orders that hold only if young demand lasts are left out.

    Law: spans that follow each other share out what happens in all of them.
    """

    def within(at_s: Callable[[Order], int]) -> tuple[Order, ...]:
        """The orders of which a moment lies in the span."""
        return tuple(order for order in orders if order.is_certain and from_s <= at_s(order) < to_s)

    return Happening(
        starting=within(lambda order: order.start_s),
        ending=within(lambda order: order.end_s),
        to_sign=within(lambda order: order.order_by_s),
        contracts_ending=tuple(c for c in contracts if c.end_s is not None and from_s <= c.end_s < to_s),
        notices=tuple(c for c in contracts if from_s <= (notice_by_s(c, c.end_s) or -1) < to_s),
    )


# --- The advice as it stands in a month: the same rows, of that month


def advise_in_month(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    audit: Audit,
    advice: Advice,
    month: int,
    cache: AdviceCache | None = None,
) -> Advice:
    """`advice` with the layers, idle GPUs, cards and totals of one of its months; orders, verdicts, checks and lock-in,
    which are of the day of signing, stay.

    advice: of the same project, scenario and pools. month: from 0, which is the advice as it is. Pure, as `advise`.
    Law: its pools and idle rows cost as in the comparison. Source: docs/formulas/totals.md, A later month.
    Errors: IndexError for a month that is not compared.
    """
    compared = advice.comparison[month]
    if not month:
        return advice
    cache = AdviceCache() if cache is None else cache
    ground = ground_of(project, scenario, pools, cache, advice.classes)
    planned = plan_of(ground, cache)
    of_month = replace(planned, rows=_rows_in(ground, planned.rows, month))
    gpu_time = _gpu_time_in(ground, month)
    on_demand = {row: price.on_demand for row, price in ground.prices.items()}
    plans = tuple(
        replace(plan, demand=replace(plan.demand, gpu_time=gpu_time(plan.pool, plan.gpu_model)))
        for plan in pool_plans(ground, of_month, on_demand, month)
    )
    idle = tuple(
        row for row in idle_existing(ground, plans, month) if row.gpu_model not in advice.unknown_models
    )
    known_idle = None if advice.unknown_models else idle
    inputs = replace(plan_inputs(ground, plans, known_idle, month), bound=advice.inputs.bound)
    has_savings = advice.totals.savings_vs_do_nothing is not None
    totals = totals_of(ground, audit, plans, known_idle, compared, advice.orders, inputs, has_savings)
    cards = card_costs(ground, planned, range(month, month + 1))
    return replace(
        advice,
        pools=plans,
        idle_existing=idle,
        totals=replace(totals, lock_in_months=advice.totals.lock_in_months),
        workload_usd=dict(cards.usd),
        cards=cards,
        inputs=inputs,
    )


def with_cards(
    project: Project, scenario: Scenario, pools: tuple[Pool, ...], advice: Advice, cache: AdviceCache
) -> Advice:
    """`advice` with what each workload costs in its twelve months. cache: that it was made with, which has its plan."""
    ground = ground_of(project, scenario, pools, cache, advice.classes)
    return replace(advice, cards=card_costs(ground, plan_of(ground, cache), range(COMPARED_MONTHS)))


def _rows_in(ground: Ground, rows: Sequence[PlannedRow], month: int) -> tuple[PlannedRow, ...]:
    """The rows with the demand of a month, before and after what contracts serve in it."""
    hours, months = ground.window.hours, max(month + 1, ground.months)
    demand_of = {}
    for model in ground.plan.models:
        of_month = busy.months_of(model, ground.plan.contracts, ground.window, ground.outlined, months)[month]
        for row, parts in zip(model.rows, parts_in_months(model, of_month, hours), strict=True):
            demand_of[row] = (*in_all(parts), tuple(parts))
    return tuple(
        row  # of runs alone
        if (amounts := demand_of.get((row.row.pool, row.row.gpu_model))) is None
        else replace(row, demand_gpus=amounts[0], residual_gpus=amounts[1], month_parts=amounts[2])
        for row in rows
    )


def _gpu_time_in(ground: Ground, month: int) -> Callable[[Pool, str | None], Floats | None]:
    """The GPU time of each workload of a row in a month, by which the row's $ are shared out, (workloads,)."""
    parts = busy.factors_of_months(ground.outlined, ground.window, month + 1)[month]
    group_shares = busy.shares_of_month_0(parts)
    groups = twelve_months.groups_of(ground)
    schedules = ground.outlined.schedules
    shares = np.array([group_shares.get(group, 0.0) for group in groups.tolist()])
    grows = np.array([group in group_shares and schedules[group].grows for group in groups.tolist()])

    def of_row(pool: Pool, gpu_model: str | None) -> Floats | None:
        """Of one row; None where nobody of it is there."""
        users = ground.plan.users.get((pool, gpu_model))
        if users is None:
            return None
        times = float(growth.grown(ground.growth[pool], ground.assumptions.growth_fade, month + 1)[month])
        amounts: Floats = users * shares * np.where(grows, times, 1.0)
        return amounts if amounts.any() else None

    return of_row
