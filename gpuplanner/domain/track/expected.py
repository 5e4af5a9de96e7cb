"""What is held and what came, and E(D, K, r): what holdings cost in the time compared; the same plan and hindsight."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from math import ceil, inf
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment.busy import MonthState, capacities_of, in_turn, residual_at
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.history import as_contract, calendar_at, knowing_all, offers_at
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of, models_of, sold_in_units
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.plan.row_plans import PlannedRow, plan_of
from gpuplanner.domain.commitment.plan.runs import PlannedRun
from gpuplanner.domain.commitment.recursion import rates
from gpuplanner.domain.commitment.recursion.allocation import allocate
from gpuplanner.domain.commitment.recursion.slice_policy import IMPOSSIBLE_USD
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.commitment.slicing import weighted_mean
from gpuplanner.domain.commitment.streams import (
    Capacity,
    Cell,
    Flow,
    ModelDemand,
    Row,
    Site,
    Stream,
    Streams,
    clusters_of,
    gpu_time_by_row,
    several_nodes,
    split_cluster,
    streams_of,
    usual_model,
    with_limited_demand,
)
from gpuplanner.domain.commitment.volatility import grown
from gpuplanner.domain.demand.classification import classify
from gpuplanner.domain.demand.pools import parted
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.fit.rules import eligible_offers, need_of
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract, month_start_s
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import gpu_model_of, only_of, seller_of
from gpuplanner.domain.model.cube import Cube
from gpuplanner.domain.model.intake import node_times
from gpuplanner.domain.model.plan_inputs import PlannedWork
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import SERVING_ORDER, Pool, Tables
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S, Window
from gpuplanner.lazy_dataclass import dataclass, replace

# --- What is held and what came: a saved plan's contracts and orders by span, the demand of a later log, rates

# --- Spans: the time that is compared, cut where a month of the plan, a quarter, a contract or an order begins or ends


@dataclass(frozen=True, slots=True)
class Span:
    """Time in which nothing begins or ends, epoch seconds, the end exclusive. month: of the plan."""

    start_s: int
    end_s: int
    month: int

    @property
    def hours(self) -> float:
        """How long it is."""
        return (self.end_s - self.start_s) / HOUR_S

    @property
    def quarter_s(self) -> int:
        """When the calendar quarter begins that it lies in, epoch seconds UTC."""
        return quarter_start_s(self.start_s)

    def share_of(self, start_s: int, end_s: int | None) -> float:
        """The share of it in which something runs that is there from one instant to another, 0..1; None: for good."""
        until_s = self.end_s if end_s is None else min(end_s, self.end_s)
        return max(until_s - max(start_s, self.start_s), 0) / (self.end_s - self.start_s)


def quarter_start_s(at_s: int, later: int = 0) -> int:
    """When the calendar quarter begins that an instant lies in, or one so many quarters later; epoch seconds UTC."""
    at = datetime.fromtimestamp(at_s, UTC)
    years, quarter = divmod((at.month - 1) // 3 + later, 4)
    return int(datetime(at.year + years, 3 * quarter + 1, 1, tzinfo=UTC).timestamp())


def quarters_of(window: Window) -> tuple[int, ...]:
    """When each calendar quarter begins that a window touches, the first one before it as a rule."""
    starts = [quarter_start_s(window.start_s)]
    while (following := quarter_start_s(starts[-1], 1)) < window.end_s:
        starts.append(following)
    return tuple(starts)


def spans_of(window: Window, plan_window: Window, moments: Iterable[int]) -> tuple[Span, ...]:
    """The window cut at the plan's months, at calendar quarters and at some moments, to the second.

    plan_window: what months of the plan are counted from; moments: epoch seconds, those outside do nothing.
    Law: the spans follow each other without a gap, and are together the window.
    """
    months = range(_month_at(window.start_s, plan_window), _month_at(window.end_s - 1, plan_window) + 1)
    edges = {window.start_s, window.end_s, *moments, *quarters_of(window)}
    edges |= {month_start_s(plan_window, month) for month in months}
    inside = sorted(at for at in edges if window.start_s <= at <= window.end_s)
    return tuple(Span(start, end, _month_at(start, plan_window)) for start, end in pairwise(inside))


def whole_hours(window: Window, spans: Sequence[Span], plan_window: Window) -> tuple[Span, ...]:
    """The same, cut at whole hours alone: an hour in which something begins or ends is a span of its own.

    Demand of a log is known by the hour, so that capacity counts with its share of such an hour, as in the audit.
    """
    edges = {
        at for span in spans for at in (span.start_s // HOUR_S * HOUR_S, -(-span.end_s // HOUR_S) * HOUR_S)
    }
    edges |= {-(-span.start_s // HOUR_S) * HOUR_S for span in spans}
    return spans_of(window, plan_window, edges)


def _month_at(at_s: int, plan_window: Window) -> int:
    """The month of a plan that an instant lies in."""
    return (at_s - plan_window.end_s) // MONTH_S


# --- Holdings: the contracts and orders that serve and are paid for in the time that is compared


def row_of(order: Order) -> Row:
    """What an order serves."""
    return order.pool, order.gpu_model


def usd_per_hour(order: Order) -> float | None:
    """$ of an hour of all GPUs of an order, used or not, what is paid upfront spread over its hours; None: unknown."""
    return None if order.spread_rate is None else order.bought_gpus * order.spread_rate


@dataclass(frozen=True, slots=True)
class Holdings:
    """What is held: contracts serve their own cluster by their dates, orders their pool and model anywhere, after
    them, from their start to their end; `if_it_lasts` too."""

    contracts: tuple[Contract, ...]
    orders: tuple[Order, ...] = ()

    @property
    def moments(self) -> frozenset[int]:
        """When something of it begins or ends, epoch seconds."""
        ends = (one.end_s for one in self.contracts if one.end_s is not None)
        of_orders = (at for one in self.orders for at in (one.start_s, one.end_s))
        return frozenset((*(one.start_s for one in self.contracts), *ends, *of_orders))

    def there_in(self, span: Span) -> Mapping[str, float]:
        """The share of a span in which each contract runs, by contract_id; those that do not are left out."""
        shares = {one.contract_id: span.share_of(one.start_s, one.end_s) for one in self.contracts}
        return {name: share for name, share in shares.items() if share > 0}

    def ordered_gpus(self, row: Row, span: Span, with_runs: bool) -> float:
        """GPUs of the row's own model that orders serve it with in a span, on average; with_runs: those of runs too."""
        return sum(
            one.gpus * span.share_of(one.start_s, one.end_s)
            for one in self.orders
            if row_of(one) == row and (with_runs or one.reason != "planned_run")
        )


# --- The saved plan, as what came is held against it: its ground, what its rows sign, its contracts and orders


@dataclass(frozen=True, slots=True, eq=False)
class SavedPlan:
    """A plan that was made before what came.

    rows: by pool and model; runs: bought apart; holdings: the contracts that serve in it, and its orders. pools: of
    every card, by key.
    known: every contract that its project has, by id, those paid by use too.
    """

    evaluation: Evaluation
    ground: Ground
    rows: dict[Row, PlannedRow]
    runs: tuple[PlannedRun, ...]
    holdings: Holdings
    pools: dict[str, Pool]
    known: dict[str, Contract]

    @property
    def window(self) -> Window:
        """What its months are counted from: they begin where it ends."""
        return self.ground.window


def saved_plan(evaluation: Evaluation) -> SavedPlan:
    """The plan of an evaluation. Errors: ValueError without advice."""
    cache, parts, figures = AdviceCache(), evaluation.in_parts, evaluation.figures
    ground = ground_of(
        parts.project, figures.basis.plan, figures.workload_pools, cache, evaluation.advised.classes
    )
    planned = plan_of(ground, cache)
    return SavedPlan(
        evaluation,
        ground,
        {(one.row.pool, one.row.gpu_model): one for one in planned.rows},
        planned.runs,
        Holdings(ground.plan.contracts, evaluation.advised.orders),
        {card.key: card.pool for card in figures.cards},
        {one.contract_id: one for one in (*evaluation.project.contracts, *ground.plan.contracts)},
    )


# --- What came: the demand of a later log by the plan's pools, its unknown models split by who served them


@dataclass(frozen=True, slots=True, eq=False)
class Came:
    """Demand of a later log as the plan counts it.

    models: with one row a pool and model, as in a plan. cells: known demand, and unknown demand by the model it counts
    with, milli-GPU-seconds of each hour. unserved_unknown: what of the unknown demand no contract that is given serves,
    milli-GPU-seconds by row and span. users: milli-GPU-seconds of each workload, (workloads,), whose keys are `keys`.
    several_nodes: whether a job of the row has several.
    """

    window: Window
    models: tuple[ModelDemand, ...]
    cells: dict[Cell, Ints]
    unserved_unknown: dict[tuple[Row, Span], int]
    keys: tuple[str, ...]
    users: dict[Row, Floats]
    several_nodes: dict[Row, bool]
    facts: rates.SpotFacts

    def gpu_hours(self, row: Row) -> float:
        """GPU-hours of a row in the window; 0 where none came."""
        return sum(
            float(amounts.sum()) / MILLI_GPU_SECONDS_PER_GPU_HOUR
            for (pool, _, model), amounts in self.cells.items()
            if (pool, model) == row
        )

    @property
    def rows(self) -> tuple[Row, ...]:
        """Rows with demand, each once."""
        return tuple(dict.fromkeys((pool, model) for pool, _, model in self.cells))

    def eligible(self, row: Row, offers: Sequence[Offer], project: Project) -> tuple[Offer, ...]:
        """The offers that a row may use. project: whose mappings of models count."""
        return eligible_offers(offers, need_of(*row, self.several_nodes[row]), project.mappings)

    def price(self, row: Row, offers: Sequence[Offer], project: Project) -> rates.UsagePrice:
        """What each of its workloads pays by use. As `eligible` takes them."""
        return rates.usage_price(self.eligible(row, offers, project), row[0], self.facts)

    def rate_by_use(self, row: Row, offers: Sequence[Offer], project: Project) -> float | None:
        """r_flex of a row, blended over the workloads that came; None where nobody sells to one of them."""
        return rates.blend([(self.price(row, offers, project), self.users[row])]).rate


def came_in(
    later: Project, plan: SavedPlan, given: Holdings | None, spans: Sequence[Span], tables: Tables
) -> Came:
    """What a later log says, in the plan's pools. spans: of whole hours, cut wherever a contract begins or ends.

    given: the contracts that were there, None where only the plan's are known. A workload stands in the plan's pool for
    its key, else in that of its class.
    """
    cache, scenario = AdviceCache(), plan.ground.scenario
    classes = classify(later.workloads, later.cube, later.labels, tables, later.rules)
    parts = parted(later, scenario.splits)
    if parts is not None:
        later, classes = parts.put_in(later), tuple(classes[place] for place in parts.whole)
    pools = tuple(
        plan.pools.get(workload.key, found.pool)
        for workload, found in zip(later.workloads, classes, strict=True)
    )
    later = replace(later, cube=_limited_cube(later, plan, cache))
    streams = streams_of(later.cube, later.workloads, pools)
    split, nobody = _split(streams, plan, given, spans, later)
    cells = {key: amounts for key, amounts in streams.cells.items() if gpu_model_of(key[2]) is not None}
    for key, amounts in split.items():
        cells[key] = cells[key] + amounts if key in cells else amounts
    users = gpu_time_by_row(streams, split, later.cube.row_totals)
    return Came(
        later.window,
        models_of((streams,), (split,), cache),
        cells,
        nobody,
        tuple(workload.key for workload in later.workloads),
        users,
        several_nodes(later.workloads, users),
        rates.spot_facts(
            plan.ground.assumptions,
            later.workloads,
            classes,
            node_times(plan.ground.project.intake),
            plan.ground.project.needs,
        ),
    )


def _limited_cube(later: Project, plan: SavedPlan, cache: AdviceCache) -> Cube:
    """Demand that only some may serve is limited where it is in the plan: by the plan's offers and contracts."""
    known = plan.ground.project
    beside = replace(later, offers=known.offers, contracts=known.contracts, mappings=known.mappings)
    return with_limited_demand(beside, plan.ground.scenario, cache).cube


def _split(
    streams: Streams, plan: SavedPlan, given: Holdings | None, spans: Sequence[Span], later: Project
) -> tuple[dict[Cell, Ints], dict[tuple[Row, Span], int]]:
    """Unknown demand by the model it counts with: that of the contract which serves it, of those given, else of the
    plan's; and what of it the first leave over, by row and span."""
    hours, parts = later.window.hours, dict[Cell, Ints]()
    nobody: dict[tuple[Row, Span], int] = {}
    for cluster in clusters_of(streams):
        cells = {key: amounts for key, amounts in streams.cells.items() if key[1] == cluster}
        if all(gpu_model_of(key[2]) is not None for key in cells):
            continue
        rest = usual_model(cluster, tuple(plan.known.values())) or usual_model(cluster, later.contracts)
        for span in spans:
            inside = slice(
                (span.start_s - later.window.start_s) // HOUR_S, (span.end_s - later.window.start_s) // HOUR_S
            )
            here = {key: amounts[inside] for key, amounts in cells.items()}
            count = inside.stop - inside.start
            mine = _running(plan.holdings, cluster, span)
            first = mine if given is None else _running(given, cluster, span)
            found = split_cluster(cluster, here, first, rest, count)
            pieces = [found.parts]
            if given is not None:
                by_plan = _again(cluster, here, found.unserved, mine, rest, count)
                pieces += [{key: -amounts for key, amounts in found.unserved.items()}, by_plan]
                for (pool, _, model), amounts in by_plan.items():
                    key = ((pool, model), span)
                    nobody[key] = nobody.get(key, 0) + int(amounts.sum())
            for piece in pieces:
                for cell, amounts in piece.items():
                    parts.setdefault(cell, np.zeros(hours, dtype=np.int64))[inside] += amounts
    return {key: amounts for key, amounts in parts.items() if amounts.any()}, nobody


def _again(
    cluster: str,
    cells: dict[Cell, Ints],
    unserved: dict[Cell, Ints],
    contracts: Sequence[Contract],
    rest: str | None,
    hours: int,
) -> dict[Cell, Ints]:
    """What some contracts leave over of unknown demand, split by others."""
    wanted = {}
    for key, amounts in cells.items():
        if gpu_model_of(key[2]) is not None:
            wanted[key] = amounts
            continue
        left = [one for of, one in unserved.items() if of[0] is key[0] and only_of(of[2]) == only_of(key[2])]
        wanted[key] = np.sum(left, axis=0) if left else np.zeros_like(amounts)
    return split_cluster(cluster, wanted, contracts, rest, hours).parts


def _running(holdings: Holdings, cluster: str, span: Span) -> tuple[Contract, ...]:
    """The contracts of a cluster in a span, each with the GPUs that it has on average over it."""
    there = holdings.there_in(span)
    return tuple(
        one
        if there[one.contract_id] == 1
        else replace(one, milli_gpus=max(1, round(one.milli_gpus * there[one.contract_id])))
        for one in holdings.contracts
        if one.cluster == cluster and one.contract_id in there
    )


# --- Rates: what contracts, orders and GPUs paid by use cost, as the plan had them (r0) and as they came (r1)


@dataclass(frozen=True, slots=True, eq=False)
class PlanRates:
    """r0: the rates that the plan counts with. given: prices of today, for what nothing in the plan's book is for."""

    plan: SavedPlan
    came: Came
    given: tuple[Offer, ...] = ()

    def of_contract(self, contract: Contract, span: Span) -> float | None:
        """As the plan has it; of one that it does not know the mean rate, by GPUs, of its orders of the model that
        run then, else its own."""
        known = self.plan.known.get(contract.contract_id)
        if known is not None:
            return known.paid_in(span.month).rate
        alike = [one for one in self.plan.holdings.orders if _is_of_model(one, contract, span)]
        usd = known_sum(usd_per_hour(one) for one in alike)
        gpus = sum(one.bought_gpus for one in alike)
        return contract.rate if not alike else None if usd is None else usd / gpus

    def of_use(self, row: Row, span: Span) -> float | None:
        """Of the plan's month, price fall in it; of a row that is not planned, by the plan's book, else as given."""
        if row in self.plan.rows:
            return self.plan.rows[row].listed.rate_by_use(span.month)
        if row not in self.came.users:
            return None
        ground = self.plan.ground
        rate = self.came.rate_by_use(row, ground.project.offers, ground.project)
        if rate is None:
            return self.came.rate_by_use(row, self.given, ground.project)
        price = self.came.price(row, ground.project.offers, ground.project)
        dated, _ = rates.dated_use([(price, self.came.users[row])], ground.levels, ground.months)
        path = rates.over(rates.times(ground.levels.path, dated, ground.months), ground.months)
        return rate * float(path[span.month])


@dataclass(frozen=True, slots=True, eq=False)
class LaterRates:
    """r1: rates as they came. planned: r0, for what is paid by use where no prices are given.

    given: prices of today; None where there are none. project: whose mappings of models count.
    """

    planned: PlanRates
    given: tuple[Offer, ...] | None
    project: Project

    def of_contract(self, contract: Contract, span: Span) -> float | None:
        """As it is given, and used if it is take-or-pay; of one of the plan what it has there."""
        return contract.paid_in(span.month).rate

    def of_use(self, row: Row, span: Span) -> float | None:
        """The same in all months: these are the prices that were paid."""
        came = self.planned.came
        if self.given is None or row not in came.users:
            return self.planned.of_use(row, span)
        return came.rate_by_use(row, self.given, self.project)


Rates = PlanRates | LaterRates
"""$ per GPU-hour of a contract in a span, and of what a row pays by use in it; None is unknown."""


def _is_of_model(order: Order, contract: Contract, span: Span) -> bool:
    """Whether an order is of a contract's model and runs in a span."""
    model = order.offer_gpu_model or gpu_model_of(order.gpu_model)
    return model == contract.gpu_model and span.share_of(order.start_s, order.end_s) > 0


# --- E(D, K, r): what holdings cost in the time that is compared, and what demand leaves over, paid by use

Place = tuple[Pool | None, str | None]
"""(pool, GPU model) of money: of a contract its `pool`, None where it serves all."""
Parts = dict[tuple[int, Place], float | None]
"""$ by calendar quarter (`Span.quarter_s`) and place; None is unknown."""

LEVEL: Final = -1
"""Group of demand that was not planned: level over the window, whatever the plan's growth."""


@dataclass(frozen=True, slots=True, eq=False)
class LoadCurve:
    """D0: the plan's load curve with its growth and dates; times: s of each row, 1 where nothing is said."""

    plan: SavedPlan
    spans: Sequence[Span]
    models: Sequence[ModelDemand]
    times: Mapping[Row, float]

    def left(self, model: ModelDemand, span: Span, capacities: tuple[Capacity, ...]) -> Floats:
        """As section and months of a plan have it."""
        factors = tuple((flow, self._factor(model, flow, span)) for flow in model.flows)
        return _gpus(model, MonthState(capacities, factors), self.plan.ground.window.hours)

    def mean(self, hourly: Floats) -> float:
        """Weighted by recency where the plan does so."""
        return weighted_mean(hourly, self.plan.ground.weights)

    def runs_by_use(self) -> dict[tuple[Row, Span], float]:
        """GPU-hours of runs, which stand beside it by date, beyond contracts and their own orders; s of each."""
        found: dict[tuple[Row, Span], float] = {}
        for (row, span), run in self._runs():
            begin_s = self.plan.window.end_s
            hours = run.hours_by_use(span.start_s - begin_s, span.end_s - begin_s, self.times.get(row, 1.0))
            found[row, span] = found.get((row, span), 0.0) + hours
        return found

    def gpu_hours(self) -> dict[Row, float]:
        """GPU-hours of every row in the time that is compared."""
        found: dict[Row, float] = {}
        begin_s = self.plan.window.end_s
        for (row, span), run in self._runs():
            gpus, _ = run.gpus_between(span.start_s - begin_s, span.end_s - begin_s)
            found[row] = found.get(row, 0.0) + gpus * span.hours
        for row, span, hourly in after_contracts(self, Holdings(())):
            found[row] = found.get(row, 0.0) + self.mean(hourly) * span.hours
        return found

    def _runs(self) -> Iterator[tuple[tuple[Row, Span], PlannedRun]]:
        """The runs of the plan in each span, with the row that each is of."""
        of_runs = (((run.row.pool, run.row.gpu_model), run) for run in self.plan.runs)
        return (((row, span), run) for row, run in of_runs for span in self.spans)

    def _factor(self, model: ModelDemand, flow: Flow, span: Span) -> float:
        """How many times the log a flow is there in a span."""
        times = self.times.get(model.rows[flow.row], 1.0)
        if flow.group == LEVEL:
            return times
        outlined = self.plan.ground.outlined
        schedule = outlined.schedules[flow.group]
        there = schedule.factor_at(span.start_s, span.month, self.plan.window.end_s)
        growth = grown(outlined.growth[flow.grows_with], outlined.fade, COMPARED_MONTHS)[span.month]
        return times * there * (float(growth) if schedule.grows else 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class HourByHour:
    """D1: what came, hour by hour. spans: of whole hours."""

    came: Came
    spans: Sequence[Span]

    @property
    def models(self) -> Sequence[ModelDemand]:
        """By GPU model."""
        return self.came.models

    def left(self, model: ModelDemand, span: Span, capacities: tuple[Capacity, ...]) -> Floats:
        """Of the hours of a span."""
        first = (span.start_s - self.came.window.start_s) // HOUR_S
        hours = slice(first, first + (span.end_s - span.start_s) // HOUR_S)
        here = model.with_streams(lambda stream: replace(stream, demand=stream.demand[hours]))
        return _gpus(
            here, MonthState(capacities, tuple((flow, 1.0) for flow in model.flows)), hours.stop - first
        )

    def mean(self, hourly: Floats) -> float:
        """All hours count alike."""
        return weighted_mean(hourly, None)


Demand = LoadCurve | HourByHour


def expected(demand: Demand, holdings: Holdings, rates: Rates) -> Parts:
    """What holdings cost, used or not, and what they leave over of a demand, paid by use; $ of the whole time.

    Source: docs/formulas.md, Track.
    """
    parts = _of_contracts(demand.spans, holdings, rates)
    for span in demand.spans:
        for held in holdings.orders:
            hours = span.hours * span.share_of(held.start_s, held.end_s)
            if hours:
                add_to(parts, span, place_of(row_of(held)), usd_per_hour(held), hours)
    for (row, span), gpu_hours in left_over(demand, holdings).items():
        add_to(parts, span, place_of(row), rates.of_use(row, span) if gpu_hours > 0 else 0.0, gpu_hours)
    return parts


def _of_contracts(spans: Sequence[Span], holdings: Holdings, rates: Rates) -> Parts:
    """What contracts cost, used or not."""
    parts: Parts = {}
    for span in spans:
        there = holdings.there_in(span)
        for one in holdings.contracts:
            if one.contract_id in there:
                gpu_hours = one.gpus * (span.hours * there[one.contract_id])
                add_to(parts, span, (one.pool, one.gpu_model), rates.of_contract(one, span), gpu_hours)
    return parts


def left_over(demand: Demand, holdings: Holdings) -> dict[tuple[Row, Span], float]:
    """GPU-hours of every row in each span that neither contracts nor orders serve."""
    runs = demand.runs_by_use() if isinstance(demand, LoadCurve) else None
    found: dict[tuple[Row, Span], float] = {}
    for row, span, hourly in after_contracts(demand, holdings):
        beyond = np.maximum(hourly - holdings.ordered_gpus(row, span, with_runs=runs is None), 0.0)
        found[row, span] = demand.mean(beyond) * span.hours
    for at, gpu_hours in (runs or {}).items():
        found[at] = found.get(at, 0.0) + gpu_hours
    return found


def after_contracts(demand: Demand, holdings: Holdings) -> Iterator[tuple[Row, Span, Floats]]:
    """GPUs that contracts leave over of every row in each span, hour by hour of its log that counts, (hours,)."""
    for model in demand.models:
        serving = in_turn(holdings.contracts, model)
        for span in demand.spans:
            left = demand.left(model, span, capacities_of(model, serving, holdings.there_in(span)))
            yield from ((row, span, hourly) for row, hourly in zip(model.rows, left, strict=True))


def in_order(place: Place) -> tuple[str, str]:
    """A key for sorting: by pool, what has none last, then by model."""
    return place[0] or "~", place[1] or ""


def with_level(
    models: Sequence[ModelDemand], came: Came, unplanned: Sequence[Row], hours: int
) -> list[ModelDemand]:
    """The models of a plan with what came of rows that it does not have, level over its hours, on each cluster.

    hours: of the plan's log.
    """
    found = {model.gpu_model: model for model in models}
    share = 1 / came.window.hours
    cells = sorted(came.cells.items(), key=lambda item: (SERVING_ORDER.index(item[0][0]), item[0][1]))
    for (pool, cluster, name), amounts in cells:
        if (pool, name) not in unplanned:
            continue
        family = gpu_model_of(name)
        model = found.get(family, ModelDemand(family, (), ()))
        rows = model.rows if (pool, name) in model.rows else (*model.rows, (pool, name))
        level = np.full(hours, float(amounts.sum()) * share)
        stream = Stream(rows.index((pool, name)), pool, level, LEVEL)
        sites = {site.cluster: site.streams for site in model.sites}
        sites[cluster] = _inserted(sites.get(cluster, ()), stream)
        found[family] = ModelDemand(family, rows, tuple(Site(at, sites[at]) for at in sorted(sites)))
    return [found[family] for family in sorted(found, key=lambda one: one or "")]


def _inserted(streams: tuple[Stream, ...], one: Stream) -> tuple[Stream, ...]:
    """A stream of known model in its turn: after those of its pool and of the pools before it."""
    mine, at = SERVING_ORDER.index(one.grows_with), 0
    while at < len(streams) and SERVING_ORDER.index(streams[at].grows_with) <= mine:
        at += 1
    return (*streams[:at], one, *streams[at:])


def _gpus(model: ModelDemand, state: MonthState, hours: int) -> Floats:
    """What is left over as GPUs, (rows, hours)."""
    return residual_at(model, state, hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR


def place_of(row: Row) -> Place:
    """Where money of a row stands: demand that only some may serve is of its model."""
    return row[0], gpu_model_of(row[1])


def add_to(parts: Parts, span: Span, place: Place, rate: float | None, amount: float) -> None:
    """Add so much of a span at a rate; unknown stays unknown."""
    at = (span.quarter_s, place)
    so_far = parts.get(at, 0.0)
    parts[at] = None if so_far is None or rate is None else so_far + rate * amount


def by_place(parts: Parts) -> dict[Place, float | None]:
    """$ of the whole time by place."""
    found: dict[Place, float | None] = {}
    for (_, place), usd in parts.items():
        found[place] = known_sum((found.get(place, 0.0), usd))
    return found


def of_quarter(parts: Parts, quarter_s: int) -> float | None:
    """$ of all places in one quarter."""
    return known_sum(usd for (at, _), usd in parts.items() if at == quarter_s)


# --- Beside it: what the same plan says on the later log, and what the cheapest way to have bought it would have cost


def made_again(
    later: Project, plan: SavedPlan, came: Came, *, has_contracts: bool, has_prices: bool
) -> Project:
    """The later log with the plan's settings, as a project to plan on.

    What had happened by then is in the log, and in prices that are given: it steps no second time. Without contracts
    the plan's orders count as signed, each on the cluster that most of its demand came on. A plan that waits has
    waited meanwhile, and planned work that is over by then is not there again.
    """
    scenario, begin_s, end_s = plan.ground.scenario, plan.window.end_s, later.window.end_s
    wait_months = plan.ground.assumptions.wait_months
    if wait_months:
        left = max(0, ceil(wait_months - (end_s - begin_s) / MONTH_S))
        scenario = replace(scenario, assumptions={**scenario.assumptions, "wait_months": left})
    there = (one for one in scenario.planned if (one.spell(begin_s).ends_s or inf) > end_s)
    scenario = replace(
        scenario,
        planned=tuple(_left_of(one, begin_s, end_s) for one in there),
        changes=tuple(one for one in scenario.changes if one.from_s > end_s),
        price_changes=tuple(one for one in scenario.price_changes if not has_prices or one.from_s > end_s),
    )
    scenarios = tuple(scenario if one.name == scenario.name else one for one in later.scenarios)
    later = replace(later, scenarios=scenarios, plan_from_s=None)
    if has_contracts:
        return later
    signed = sorted((*later.contracts, *_as_contracts(plan, came)), key=lambda one: one.contract_id)
    return replace(later, contracts=tuple(signed))


def _left_of(work: PlannedWork, begin_s: int, now_s: int) -> PlannedWork:
    """What is left of planned work later; of a run that has begun the rest of its length. begin_s: of the plan."""
    spell = work.spell(begin_s)
    if work.length_hours is None or work.every_hours is not None or (spell.begins_s or 0) >= now_s:
        return work
    return replace(work, begins_s=now_s, length_hours=ceil(((spell.ends_s or now_s) - now_s) / HOUR_S))


def _as_contracts(plan: SavedPlan, came: Came) -> list[Contract]:
    """The orders of a plan that had begun by the end of what came."""
    answer, offers = [], {offer.offer_id: offer for offer in plan.ground.project.offers}
    for number, held in enumerate(plan.holdings.orders):
        usd = usd_per_hour(held)
        if held.start_s >= came.window.end_s or usd is None:
            continue
        pool, model = row_of(held)
        seller = seller_of(held.offer_id, model, offers)
        spent: dict[str, int] = {}
        for (of, cluster, name), amounts in came.cells.items():
            if (of, name) == (pool, model):
                spent[cluster] = spent.get(cluster, 0) + int(amounts.sum())
        clusters = sorted(spent, key=lambda cluster: (-spent[cluster], cluster))
        contract_id, cluster = f"~{number:03d} {held.offer_id}", clusters[0] if clusters else ""
        milli_gpus, rate = max(1, round(1000 * held.gpus)), usd / held.gpus
        row, spell_s = (pool, gpu_model_of(model)), (held.start_s, held.end_s)
        answer.append(as_contract(contract_id, cluster, row, milli_gpus, rate, spell_s, seller))
    return answer


def hindsight_usd(
    later: Project, plan: SavedPlan, demand: HourByHour, contracts: Sequence[Contract], rates: Rates
) -> float | None:
    """What the cheapest policy would have paid, knowing every hour, with contracts that ran when the plan began.

    $ of the window; None where a rate is missing. contracts: those that were there; later: whose offers are open.
    Months are of 730 h from the window's start, the last as long as it is. Source: docs/formulas.md, Backtest.
    """
    window, begin_s = demand.came.window, plan.window.end_s
    kept = Holdings(
        tuple(
            one
            for one in contracts
            if one.is_committed and one.start_s <= begin_s and (one.end_s is None or one.end_s > begin_s)
        )
    )
    paid = known_sum(_of_contracts(demand.spans, kept, rates).values())
    left: dict[Row, list[Floats]] = {}
    for row, _, hours in after_contracts(demand, kept):
        left.setdefault(row, []).append(hours)
    months = ceil(window.hours / HOURS_PER_MONTH)
    last = window.hours / HOURS_PER_MONTH - (months - 1)
    project = sold_in_units(later.priced_in(plan.ground.scenario), plan.ground.assumptions.unit)
    soon = [offer for offer in project.offers if offer.lead_time_hours <= HOURS_PER_MONTH]
    offers, calendar = offers_at(soon, (), months), calendar_at(begin_s)
    rows = [
        knowing_all(
            row,
            [hourly[at : at + HOURS_PER_MONTH] for at in range(0, len(hourly), HOURS_PER_MONTH)],
            [rates.of_use(row, _month(window, plan, month)) for month in range(months)],
            demand.came.eligible(row, offers, project),
            plan.ground.assumptions.block,
            project.mappings,
            calendar,
            last,
        )
        for row, hourly in ((row, np.concatenate(hours)) for row, hours in left.items())
        if hourly.any()
    ]
    signed, *_ = allocate(rows, months, AdviceCache())
    values = [float(one.value_usd.sum()) for one in signed]
    return known_sum([paid, *(None if usd >= IMPOSSIBLE_USD else usd for usd in values)])


def _month(window: Window, plan: SavedPlan, month: int) -> Span:
    """A month of the window, as rates are asked for."""
    start_s = window.start_s + month * MONTH_S
    return Span(start_s, min(start_s + MONTH_S, window.end_s), (start_s - plan.window.end_s) // MONTH_S)
