"""E(D, K, r): what holdings cost in the time that is compared, and what demand leaves over, paid by use."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.demand.busy import MonthState, capacities_of, in_turn, residual_at
from gpuplanner.domain.commitment.demand.growth import grown
from gpuplanner.domain.commitment.demand.residual import Capacity, Flow, ModelDemand, Site, Stream
from gpuplanner.domain.commitment.demand.slices import weighted_mean
from gpuplanner.domain.commitment.demand.users import Row
from gpuplanner.domain.commitment.plan.row_plans import COMPARED_MONTHS
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.pool import SERVING_ORDER, Pool
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.domain.track.came import Came
from gpuplanner.domain.track.holdings import Holdings
from gpuplanner.domain.track.rates import Rates
from gpuplanner.domain.track.saved_plan import SavedPlan
from gpuplanner.domain.track.spans import Span

Place = tuple[Pool | None, str | None]
"""(pool, GPU model) of money: of a contract its `pool`, None where it serves all."""
Parts = dict[tuple[int, Place], float | None]
"""$ by calendar quarter (`Span.quarter_s`) and place; None is unknown."""

LEVEL: Final = -1
"""Group of demand that was not planned: level over the window, whatever the plan's growth."""


class Demand(Protocol):
    """Demand of rows by model, span by span."""

    @property
    def models(self) -> Sequence[ModelDemand]:
        """By GPU model, with the clusters that it is on."""
        ...

    @property
    def spans(self) -> Sequence[Span]:
        """The time that is compared."""
        ...

    def left(self, model: ModelDemand, span: Span, capacities: tuple[Capacity, ...]) -> Floats:
        """GPUs that contracts leave over of each row in each hour of its log that counts, (rows, hours)."""
        ...

    def mean(self, hourly: Floats) -> float:
        """The mean of one row's hours."""
        ...


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

    def gpu_hours(self) -> dict[Row, float]:
        """GPU-hours of every row in the time that is compared."""
        found: dict[Row, float] = {}
        for model in self.models:
            nobody = tuple(() for _ in model.sites)
            for span in self.spans:
                for row, hourly in zip(model.rows, self.left(model, span, nobody), strict=True):
                    found[row] = found.get(row, 0.0) + self.mean(hourly) * span.hours
        return found

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
        here = _with_streams(model, lambda stream: replace(stream, demand=stream.demand[hours]))
        return _gpus(
            here, MonthState(capacities, tuple((flow, 1.0) for flow in model.flows)), hours.stop - first
        )

    def mean(self, hourly: Floats) -> float:
        """All hours count alike."""
        return weighted_mean(hourly, None)


def expected(demand: Demand, holdings: Holdings, rates: Rates) -> Parts:
    """What holdings cost, used or not, and what they leave over of a demand, paid by use; $ of the whole time.

    Source: docs/formulas.md, Track.
    """
    parts: Parts = {}
    for span in demand.spans:
        there = holdings.there_in(span)
        for contract in holdings.contracts:
            if contract.contract_id in there:
                hours = span.hours * there[contract.contract_id]
                rate = rates.of_contract(contract, span)
                add_to(parts, span, (contract.pool, contract.gpu_model), rate, contract.gpus * hours)
        for held in holdings.orders:
            hours = span.hours * span.share_of(held.start_s, held.end_s)
            if hours:
                add_to(parts, span, place_of(held.row), held.usd_per_hour, hours)
    for (row, span), gpu_hours in left_over(demand, holdings).items():
        if gpu_hours > 0:
            add_to(parts, span, place_of(row), rates.of_use(row, span), gpu_hours)
        else:
            add_to(parts, span, place_of(row), 0.0, 0.0)
    return parts


def left_over(demand: Demand, holdings: Holdings) -> dict[tuple[Row, Span], float]:
    """GPU-hours of every row in each span that neither contracts nor orders serve."""
    found: dict[tuple[Row, Span], float] = {}
    for model in demand.models:
        serving = in_turn(holdings.contracts, model)
        for span in demand.spans:
            capacities = capacities_of(model, serving, holdings.there_in(span))
            for row, hourly in zip(model.rows, demand.left(model, span, capacities), strict=True):
                beyond = np.maximum(hourly - holdings.ordered_gpus(row, span), 0.0)
                found[row, span] = demand.mean(beyond) * span.hours
    return found


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


def _with_streams(model: ModelDemand, change: Callable[[Stream], Stream]) -> ModelDemand:
    """A model with every stream of it changed."""
    sites = (Site(site.cluster, tuple(change(stream) for stream in site.streams)) for site in model.sites)
    return ModelDemand(model.gpu_model, model.rows, tuple(sites))


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
