"""E(D, K, r): what holdings cost in the time that is compared; the same plan and hindsight beside it."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from math import ceil, inf
from typing import Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.busy import MonthState, capacities_of, in_turn, residual_at
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.growth import grown
from gpuplanner.domain.commitment.demand.model_demand import Capacity, Flow, ModelDemand, Site, Stream
from gpuplanner.domain.commitment.demand.slicing import usual_units, weighted_mean
from gpuplanner.domain.commitment.history import as_contract, calendar_at, knowing_all
from gpuplanner.domain.commitment.plan.ground import sold_in_units
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS, row_list
from gpuplanner.domain.commitment.plan.runs import PlannedRun
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, Signed, allocate
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.amounts import grouped, known_sum, known_sums, summed
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Row, gpu_model_of, seller_of
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.project import Project, with_nodes
from gpuplanner.domain.model.tables import SERVING_ORDER, Pool
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S, Window
from gpuplanner.domain.track.came import Came, Rates
from gpuplanner.domain.track.holdings import Holdings, SavedPlan, Span, row_of, usd_per_hour
from gpuplanner.lazy_dataclass import dataclass, replace

# --- E(D, K, r): what holdings cost in the time that is compared, and what demand leaves over, paid by use


class CostPlace(NamedTuple):
    """Pool and GPU model of an amount. pool: None for a contract that serves all pools. gpu_model: None if unknown."""

    pool: Pool | None
    gpu_model: str | None


Parts = dict[tuple[int, CostPlace], float | None]
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

    def mean(self, hourly: Floats, row: Row) -> float:
        """Weighted by recency where the plan does so."""
        return weighted_mean(hourly, self.plan.ground.weights_of(row))

    def runs_by_use(self) -> dict[tuple[Row, Span], float]:
        """GPU-hours of runs, which stand beside it by date, beyond contracts and their own orders; s of each."""
        begin_s, times = self.plan.window.end_s, self.times
        return summed(
            (at, run.hours_by_use(at[1].start_s - begin_s, at[1].end_s - begin_s, times.get(at[0], 1.0)))
            for at, run in self._runs()
        )

    def gpu_hours(self) -> dict[Row, float]:
        """GPU-hours of every row in the time that is compared."""
        sums: dict[Row, float] = {}
        begin_s = self.plan.window.end_s
        for (row, span), run in self._runs():
            gpus = run.gpus_between(span.start_s - begin_s, span.end_s - begin_s).gpus
            sums[row] = sums.get(row, 0.0) + gpus * span.hours
        for row, span, hourly in after_contracts(self, Holdings(())):
            sums[row] = sums.get(row, 0.0) + self.mean(hourly, row) * span.hours
        return sums

    def _runs(self) -> Iterator[tuple[tuple[Row, Span], PlannedRun]]:
        """The runs of the plan in each span, with the row that each is of."""
        of_runs = ((Row(run.row.pool, run.row.gpu_model), run) for run in self.plan.runs)
        return (((row, span), run) for row, run in of_runs for span in self.spans)

    def _factor(self, model: ModelDemand, flow: Flow, span: Span) -> float:
        """How many times the log a flow is there in a span."""
        times = self.times.get(model.rows[flow.row], 1.0)
        if flow.group == LEVEL:
            return times
        outlined = self.plan.ground.outlined
        schedule = outlined.schedules[flow.group]
        factor = schedule.factor_at(span.start_s, span.month, self.plan.window.end_s)
        growth = grown(outlined.growth[flow.grows_with], outlined.fade, COMPARED_MONTHS)[span.month]
        return times * factor * (float(growth) if schedule.grows else 1.0)


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
        here = model.with_streams(lambda _, stream: replace(stream, demand=stream.demand[hours]))
        return _gpus(
            here, MonthState(capacities, tuple((flow, 1.0) for flow in model.flows)), hours.stop - first
        )

    def mean(self, hourly: Floats, _: Row) -> float:
        """All hours count alike."""
        return weighted_mean(hourly, None)


Demand = LoadCurve | HourByHour


def expected(demand: Demand, holdings: Holdings, rates: Rates) -> Parts:
    """What holdings cost, used or not, and what they leave over of a demand, paid by use; $ of the whole time.

    Source: docs/formulas/backtest.md, Track.
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
        shares = holdings.there_in(span)
        for contract in holdings.contracts:
            if contract.contract_id in shares:
                gpu_hours = contract.gpus * (span.hours * shares[contract.contract_id])
                add_to(
                    parts,
                    span,
                    CostPlace(contract.pool, contract.gpu_model),
                    rates.of_contract(contract, span),
                    gpu_hours,
                )
    return parts


def left_over(demand: Demand, holdings: Holdings) -> dict[tuple[Row, Span], float]:
    """GPU-hours of every row in each span that neither contracts nor orders serve."""
    runs = demand.runs_by_use() if isinstance(demand, LoadCurve) else None
    left: dict[tuple[Row, Span], float] = {}
    for row, span, hourly in after_contracts(demand, holdings):
        beyond = np.maximum(hourly - holdings.ordered_gpus(row, span, with_runs=runs is None), 0.0)
        left[row, span] = demand.mean(beyond, row) * span.hours
    for at, gpu_hours in (runs or {}).items():
        left[at] = left.get(at, 0.0) + gpu_hours
    return left


def after_contracts(demand: Demand, holdings: Holdings) -> Iterator[tuple[Row, Span, Floats]]:
    """GPUs that contracts leave over of every row in each span, hour by hour of its log that counts, (hours,)."""
    for model in demand.models:
        serving = in_turn(holdings.contracts, model)
        for span in demand.spans:
            left = demand.left(model, span, capacities_of(model, serving, holdings.there_in(span)))
            yield from ((row, span, hourly) for row, hourly in zip(model.rows, left, strict=True))


def in_order(place: CostPlace) -> tuple[str, str]:
    """A key for sorting: by pool, what has none last, then by model."""
    return place.pool or "~", place.gpu_model or ""


def with_level(
    models: Sequence[ModelDemand], came: Came, unplanned: Sequence[Row], hours: int
) -> list[ModelDemand]:
    """The models of a plan with what came of rows that it does not have, level over its hours, on each cluster.

    hours: of the plan's log.
    """
    by_family = {model.gpu_model: model for model in models}
    share = 1 / came.window.hours
    cells = sorted(came.cells, key=lambda cell: (SERVING_ORDER.index(cell.pool), cell.cluster))
    for cell in cells:
        row = Row(cell.pool, cell.name)
        if row not in unplanned:
            continue
        family = gpu_model_of(cell.name)
        model = by_family.get(family, ModelDemand(family, (), ()))
        rows = model.rows if row in model.rows else (*model.rows, row)
        level = np.full(hours, float(came.cells[cell].sum()) * share)
        stream = Stream(row=rows.index(row), grows_with=cell.pool, demand=level, group=LEVEL)
        sites = {site.cluster: site.streams for site in model.sites}
        sites[cell.cluster] = insert_stream(sites.get(cell.cluster, ()), stream)
        by_family[family] = ModelDemand(family, rows, tuple(Site(at, sites[at]) for at in sorted(sites)))
    return [by_family[family] for family in sorted(by_family, key=lambda name: name or "")]


def insert_stream(streams: tuple[Stream, ...], added: Stream) -> tuple[Stream, ...]:
    """A stream of known model in its turn: after those of its pool and of the pools before it."""
    turn, at = SERVING_ORDER.index(added.grows_with), 0
    while at < len(streams) and SERVING_ORDER.index(streams[at].grows_with) <= turn:
        at += 1
    return (*streams[:at], added, *streams[at:])


def _gpus(model: ModelDemand, state: MonthState, hours: int) -> Floats:
    """What is left over as GPUs, (rows, hours)."""
    return residual_at(model, state, hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR


def place_of(row: Row) -> CostPlace:
    """Where money of a row stands: demand that only some may serve is of its model."""
    return CostPlace(pool=row.pool, gpu_model=gpu_model_of(row.name))


def add_to(parts: Parts, span: Span, place: CostPlace, rate: float | None, amount: float) -> None:
    """Add so much of a span at a rate; unknown stays unknown."""
    at = (span.quarter_s, place)
    so_far = parts.get(at, 0.0)
    parts[at] = None if so_far is None or rate is None else so_far + rate * amount


def by_place(parts: Parts) -> dict[CostPlace, float | None]:
    """$ of the whole time by place."""
    return known_sums((place, usd) for (_, place), usd in parts.items())


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
    planned = (work for work in scenario.planned if (work.spell(begin_s).ends_s or inf) > end_s)
    scenario = replace(
        scenario,
        planned=tuple(remaining_work(work, begin_s, end_s) for work in planned),
        changes=tuple(change for change in scenario.changes if change.from_s > end_s),
        price_changes=tuple(c for c in scenario.price_changes if not has_prices or c.from_s > end_s),
    )
    scenarios = tuple(scenario if other.name == scenario.name else other for other in later.scenarios)
    later = replace(later, scenarios=scenarios, plan_from_s=None)
    if has_contracts:
        return later
    signed = sorted(
        (*later.contracts, *orders_as_contracts(plan, came)), key=lambda contract: contract.contract_id
    )
    return replace(later, contracts=tuple(signed))


def remaining_work(work: PlannedWork, begin_s: int, now_s: int) -> PlannedWork:
    """What is left of planned work later; of a run that has begun the rest of its length. begin_s: of the plan."""
    spell = work.spell(begin_s)
    if work.length_hours is None or work.every_hours is not None or (spell.begins_s or 0) >= now_s:
        return work
    return replace(work, begins_s=now_s, length_hours=ceil(((spell.ends_s or now_s) - now_s) / HOUR_S))


def orders_as_contracts(plan: SavedPlan, came: Came) -> list[Contract]:
    """The orders of a plan that had begun by the end of what came."""
    answer, offers = [], {offer.offer_id: offer for offer in plan.ground.project.offers}
    for number, held in enumerate(plan.holdings.orders):
        usd = usd_per_hour(held)
        if held.start_s >= came.window.end_s or usd is None:
            continue
        pool, model = row_of(held)
        seller = seller_of(held.offer_id, model, offers)
        cells = (
            (key.cluster, amounts)
            for key, amounts in came.cells.items()
            if (key.pool, key.name) == (pool, model)
        )
        spent = summed((cluster, int(amounts.sum())) for cluster, amounts in cells)
        clusters = sorted(spent, key=lambda cluster: (-spent[cluster], cluster))
        contract_id, cluster = f"~{number:03d} {held.offer_id}", clusters[0] if clusters else ""
        milli_gpus, rate = max(1, round(1000 * held.gpus)), usd / held.gpus
        row, spell_s = Row(pool, gpu_model_of(model)), (held.start_s, held.end_s)
        answer.append(as_contract(contract_id, cluster, row, milli_gpus, rate, spell_s, seller))
    return answer


def hindsight_usd(
    later: Project, plan: SavedPlan, demand: HourByHour, contracts: Sequence[Contract], rates: Rates
) -> float | None:
    """What the cheapest policy would have paid, knowing every hour, with contracts that ran when the plan began.

    $ of the window; None where a rate is missing. contracts: those that were there; later: whose offers are open, of
    any term: only hours of the window are paid. Months are of 730 h from the window's start, the last as long as it is.
    Source: docs/formulas/backtest.md, Backtest.
    """
    window, begin_s = demand.came.window, plan.window.end_s
    kept = Holdings(
        tuple(
            c
            for c in contracts
            if c.is_committed and c.start_s <= begin_s and (c.end_s is None or c.end_s > begin_s)
        )
    )
    paid = known_sum(_of_contracts(demand.spans, kept, rates).values())
    left = grouped((row, hours) for row, _, hours in after_contracts(demand, kept))
    cuts = {(c.end_s - window.start_s) // HOUR_S for c in kept.contracts if c.end_s is not None}
    months = ceil(window.hours / HOURS_PER_MONTH)
    last = window.hours / HOURS_PER_MONTH - (months - 1)
    priced = with_nodes(later.priced_in(plan.ground.scenario), plan.evaluation.audit.node_gpus)
    project = sold_in_units(priced, plan.ground.assumptions.unit)
    soon = (offer for offer in project.offers if offer.lead_time_hours <= HOURS_PER_MONTH)
    offers, calendar = tuple(map(_spread, soon)), calendar_at(begin_s)
    rows = [
        knowing_all(
            row,
            [hourly[at : at + HOURS_PER_MONTH] for at in range(0, len(hourly), HOURS_PER_MONTH)],
            [rates.of_use(row, month_span(window, plan, month)) for month in range(months)],
            demand.came.eligible(row, offers, project),
            plan.ground.assumptions.block,
            project.mappings,
            calendar,
            last,
            usual_units(project, plan.ground.assumptions.unit),
            has_end=False,
            cuts=cuts,
        )
        for row, hourly in ((row, np.concatenate(hours)) for row, hours in left.items())
        if hourly.any()
    ]
    signed = allocate(rows, months, AdviceCache()).signed
    values = [_dated_usd(row, signing) for row, signing in zip(rows, signed, strict=True)]
    return known_sum([paid, *values])


def _dated_usd(row: RowToPlan, signed: Signed) -> float | None:
    """$ of orders in the hours of the window, and of use; None where nobody sells what is used."""
    listed = row_list(row, signed)
    orders = (
        None if order.usd_per_hour is None else order.usd_per_hour * float(hours.sum())
        for order, hours in zip(listed.orders, listed.order_h, strict=True)
    )
    months = range(-(-int(listed.edges_s[-1]) // MONTH_S))
    return known_sum([*orders, *map(listed.use_usd, months)])


def _spread(offer: Offer) -> Offer:
    """What is paid upfront as a part of its rate, so that hours beyond the window leave theirs out."""
    rate, hours = offer.rate_usd_per_gpu_hour, Decimal(offer.term_hours)
    if not rate or not hours or not offer.upfront_usd:
        return offer
    return replace(offer, rate_usd_per_gpu_hour=rate + offer.upfront_usd / hours, upfront_usd=None)


def month_span(window: Window, plan: SavedPlan, month: int) -> Span:
    """A month of the window, as rates are asked for."""
    start_s = window.start_s + month * MONTH_S
    return Span(start_s, min(start_s + MONTH_S, window.end_s), (start_s - plan.window.end_s) // MONTH_S)
