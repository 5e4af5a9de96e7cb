"""The basis of a plan: demand by pool and GPU model, contracts that serve it, and eligible offers."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache, partial
from itertools import groupby, pairwise
from math import inf
from operator import itemgetter
from typing import Any, Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.audit.utilization.paid_contracts import paid_contracts
from gpuplanner.domain.commitment import busy
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.counted import counted
from gpuplanner.domain.commitment.demand.model_demand import ModelDemand, OneJob, models_of, one_jobs
from gpuplanner.domain.commitment.demand.slicing import (
    SOON_MONTHS,
    hour_weights,
    in_nodes,
    missing_hours,
    usual_units,
    weighted_mean,
)
from gpuplanner.domain.commitment.demand.streams import (
    Cell,
    Streams,
    clusters_of,
    gpu_time_by_row,
    group_parts,
    moved_streams,
    scaled,
    scaled_streams,
    several_nodes,
    split_cluster,
    streams_of,
    usual_model,
    with_limited_demand,
)
from gpuplanner.domain.commitment.plan.dates import Run, dated, dates_of, monthly_rows, runs_of
from gpuplanner.domain.commitment.recursion import rates
from gpuplanner.domain.commitment.recursion.calendar import Calendar, is_by_calendar, length_s
from gpuplanner.domain.commitment.result import THE_WINDOW, Flex
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.demand.demand_cuts import with_demand_cut
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.fit.needs import AskedNeeds, asked_needs, holds_as_quoted, is_quoted_with, less_quoted
from gpuplanner.domain.fit.rules import eligible_offers, need_of
from gpuplanner.domain.fit.volume_tiers import within_tiers
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.amounts import grouped, summed
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book import dollars, renewal
from gpuplanner.domain.model.book.contract import Contract, merit, month_start_s, runs_at, usd_in_month
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ANYBODY, Row, gpu_model_of, only_of
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.intake import node_times
from gpuplanner.domain.model.plan.scenario import Scenario, WholeDecisions
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window, has_calendar
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- The basis of a plan: demand by pool and GPU model, contracts that serve month 0, and eligible offers ---------


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Served:
    """Demand by model after contracts have served month 0.

    users: GPU time (workloads,) of each row, of all workloads at any time. now: in month 0. at_first: at the plan's
    start.
    """

    contracts: tuple[Contract, ...]
    models: tuple[ModelDemand, ...]
    users: dict[Row, Floats]
    now: dict[Row, Floats]
    at_first: dict[Row, Floats]
    served: dict[str, int]  # milli-GPU-seconds in the window, by contract_id
    unknown_milli_gpu_seconds: dict[str | None, int]  # of unknown model, by the model it counts with


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ground:
    """Data shared by the plan, do nothing and the joint plan.

    project: with offers at the rates of the scenario's price case on the plan's first day, and a cube of counted
    workloads (counted.py), where limited demand has its own names, and without accepted savings. nothing: for the log
    as it is. scenario: with the ends of workloads that ended. contracts: commitments that serve in the plan. plan,
    nothing: demand for each of the two. classes: class of each workload; may be empty. largest: the largest job of
    rows. weights: of the hours, by whole weeks. by_months: by whole months, for `monthly` rows, whose log has a monthly
    cycle. missing: hours of the log without any weight, (hours,); None without such hours. schedules: times of each
    workload, in the order of the project. groups: workloads by schedule, numbered as in `outlined`. nodes: GPUs of the
    usual node for bare-metal offers that state no unit, by offer_id. ended: keys of the workloads that ended in the
    log.
    """

    project: Project
    scenario: Scenario
    assumptions: Assumptions
    pools: tuple[Pool, ...]
    plan: Served
    nothing: Served
    several_nodes: dict[Row, bool]
    eligible: dict[Row, tuple[Offer, ...]]
    prices: dict[Row, rates.UsagePrice]
    growth: dict[Pool, float]
    weights: Floats | None
    outlined: busy.Outlined
    facts: rates.SpotFacts
    classes: tuple[Classification, ...] = ()
    runs: tuple[Run, ...] = ()
    largest: Mapping[Row, OneJob] = field(default_factory=dict)
    missing: Bools | None = None
    schedules: tuple[busy.Schedule, ...] = ()
    nodes: Mapping[str, int] = field(default_factory=dict)
    groups: tuple[busy.Group, ...] = ()
    monthly: frozenset[Row] = frozenset()
    by_months: Floats | None = None
    ended: tuple[str, ...] = ()

    @property
    def existing(self) -> tuple[Contract, ...]:
        """Contracts with their ends in the plan; none in a plan from scratch."""
        return () if self.scenario.greenfield else with_ends(self.project, self.scenario)

    @property
    def below_slices(self) -> tuple[Contract, ...]:
        """Contracts that serve below the slices; orders that were placed hold slices themselves."""
        return tuple(c for c in self.plan.contracts if not c.slices)

    @property
    def lasting(self) -> tuple[Contract, ...]:
        """Contracts below the slices that do not end within the horizon."""
        last_s = month_start_s(self.window, self.assumptions.horizon_months)
        return tuple(c for c in self.below_slices if c.end_s is None or c.end_s > last_s)

    def is_never_sold_by_use(self, row: Row) -> bool:
        """Return whether only some providers may serve a row, or its GPUs are only reserved by calendar.

        Without an on-demand offer, uncommitted demand is then unserved instead of having an unknown cost, also where
        the plan leaves out a term.
        """
        need, project = need_of(*row, self.several_nodes.get(row, False)), self.project
        is_reserved = is_by_calendar(eligible_offers(project.offers, need, project.mappings))
        return only_of(row.name) != ANYBODY or is_reserved

    def is_left_to_nobody(self, row: Row) -> bool:
        """Return whether `is_never_sold_by_use`, or a limit of the user excludes on-demand offers for a row."""
        return self.is_never_sold_by_use(row) or _is_never_by_use(row, self.assumptions)

    def churn(self, row: Row) -> float:
        """Return the monthly attrition of a row's demand, by its workloads at the plan's start, 0..1."""
        spent = self.plan.at_first[row] if row in self.plan.at_first else np.zeros(0)
        spent = spent if spent.any() else self.plan.users[row]
        return self.assumptions.churn_of(row.pool, float(spent.max() / spent.sum()) if spent.any() else 1.0)

    def weights_of(self, row: Row) -> Floats | None:
        """Return the weights of the hours for a row's demand, (hours,), adding up to 1; None: equal weights."""
        return self.by_months if row in self.monthly else self.weights

    def known(self, hourly: Floats) -> Floats:
        """Return the values of known hours: all but the missing ones along the last axis."""
        return hourly if self.missing is None else hourly[..., ~self.missing]

    @property
    def ordered_dollars(self) -> tuple[Contract, ...]:
        """Commitments in dollars that the plan buys, among its contracts."""
        ids = {own.offer_id for own in (self.scenario.whole_decisions or WholeDecisions()).dollars}
        return tuple(row for row in self.plan.contracts if row.is_dollars and row.whole_id in ids)

    def contracts_usd(self, month: int) -> float | None:
        """Return the cost of the plan's contracts in a month, $, by their hours; None without a rate."""
        return usd_in_month(self.plan.contracts, self.window, month)

    @property
    def window(self) -> Window:
        """The window that plan months are counted from; its hours are the logged ones.

        If the plan has its own start, the window ends there instead of at the log's end.
        """
        return self.project.plan_window

    @property
    def calendar(self) -> Calendar:
        """Possible start dates of offers in plan months.

        Lead times count from the plan's start, after its wait for an RFQ; a plan that started before an RFQ waits as
        one that starts on its date. If the log counts time from 0, the dates of offers and quotes are ignored.
        """
        begin_s = self.window.end_s if has_calendar(self.window.end_s) else None
        dates, days = (
            Calendar(begin_s=begin_s, wait_months=self.assumptions.wait_months),
            self.project.request_days,
        )
        if begin_s is None or days is None:
            return dates
        from_s = max(begin_s, days.today_s)
        return replace(
            dates,
            asked_from_s=max(days.orders_from_s - from_s, 0),
            own_from_s=max(days.soonest_s - from_s, 0),
        )

    def by_use(
        self, rows: Sequence[Row], weights: Floats | None = None, closed: frozenset[str] = frozenset()
    ) -> list[tuple[rates.UsagePrice, Floats]]:
        """Return the on-demand prices of rows, without closed offers, each with the GPU time that pays it.

        weights: GPU time (workloads,); default: that of the plan. closed: offer_ids. Errors: KeyError for an unknown
        row.
        """
        parts = []
        for row in rows:
            kept = [offer for offer in self.eligible[row] if offer.offer_id not in closed]
            price = rates.usage_price(kept, row.pool, self.facts) if closed else self.prices[row]
            parts.append((price, self.plan.users[row] if weights is None else weights))
        return parts

    def blend_of(
        self, rows: Sequence[Row], weights: Floats | None = None
    ) -> Callable[[frozenset[str]], tuple[Flex, Mapping[str, float]]]:
        """Return a function of closed offers (offer_ids) that gives r_flex of these rows and its shares by offer.

        Shares are 0..1 of GPU-hours, by offer_id. weights: as for `by_use`.
        """

        def without(closed: frozenset[str]) -> tuple[Flex, Mapping[str, float]]:
            parts = self.by_use(rows, weights, closed)
            return rates.blend(parts), rates.shares_of(parts)

        return without

    @property
    def months(self) -> int:
        """Months of a plan: its horizon, but at least 12."""
        return max(self.assumptions.horizon_months, SOON_MONTHS)

    @property
    def levels(self) -> rates.Prices:
        """Factors on the prices of the plan's first day in its months.

        Changes until the first day are already in the offers' rates.
        """
        begins_s = self.window.end_s
        later = tuple(change for change in self.scenario.price_changes if change.from_s > begins_s)
        return rates.Prices(rates.falling(self.assumptions.delta, self.months), later, begins_s)

    def dated_use(self, rows: Sequence[Row]) -> tuple[rates.Levels, Floats]:
        """Return the effect of dated price changes on r_flex of these rows, by month and by part of a month.

        Source: docs/formulas/policy.md, Steps of prices.
        """
        begins = [
            from_s
            for spans in busy.spans_of_months(self.outlined.moments, self.window, self.months)
            for from_s, _ in spans
        ]
        return rates.dated_use(self.by_use(rows), self.levels, self.months, begins)

    @property
    def origin(self) -> Message:
        """Reference point of days before and after, in words."""
        return THE_WINDOW if self.window is self.project.window else worded("the plan begins")

    @property
    def rows(self) -> tuple[Row, ...]:
        """Rows of the plan, sorted by pool and model."""
        return tuple(sorted(self.plan.users, key=lambda row: (row.pool, row.name or "")))


def with_ends(project: Project, scenario: Scenario) -> tuple[Contract, ...]:
    """Return every contract with its end in a plan: contracts that may renew end as decided, or continue; contracts of
    a
    provider that stops end then.
    """
    decided = scenario.whole_decisions or WholeDecisions()
    return _with_ends(project, scenario, dict(decided.ends))


def _with_ends(project: Project, scenario: Scenario, ends: Mapping[str, int]) -> tuple[Contract, ...]:
    """Return every contract with its end. ends: of the contracts that may renew but do not, epoch seconds."""

    def planned(contract: Contract) -> Contract:
        name, first_s = contract.contract_id, first_end_of(project, scenario, contract)
        if first_s is None:
            return contract
        if name in scenario.ended:
            ends_s = first_s
        elif name in scenario.kept:
            ends_s = None
        else:
            ends_s = ends.get(name)
        ended = contract.ending(ends_s)
        return replace(ended, bound_until_s=first_s) if ends_s is None else ended

    return tuple(stopped(planned(contract), scenario) for contract in renewing_contracts(project, scenario))


def renewing_contracts(project: Project, scenario: Scenario) -> Iterator[Contract]:
    """Yield every contract with its renewal as the user states: by its term if its renewal is unknown, and also for a
    kept
    contract that would end without notice.
    """
    stated, kept = {*scenario.runs_on, *scenario.kept}, {*scenario.kept}
    for contract in paid_contracts(project):
        is_open = contract.contract_id in (stated if contract.renews_months is None else kept)
        is_made = is_open and not contract.renews_months
        yield replace(contract, renews_months=contract.term_months or 1) if is_made else contract


def first_end_of(project: Project, scenario: Scenario, contract: Contract) -> int | None:
    """Return the earliest end of a contract that may renew, epoch seconds, at the latest when its provider stops.

    None for any other contract, if notice was given, and if its provider stops before its end.
    """
    stops_s = scenario.provider_ends.get(contract.provider or "", inf)
    if contract.contract_id in scenario.notice_given or (contract.end_s or 0) >= stops_s:
        return None
    first_s = renewal.first_end_s(contract, project.plan_window.end_s, project.window.end_s)
    return None if first_s is None else int(min(first_s, stops_s))


def stopped(contract: Contract, scenario: Scenario) -> Contract:
    """Return the contract ended when its provider stops; unchanged if it ends before."""
    at_s = scenario.provider_ends.get(contract.provider or "")
    if at_s is None or (contract.end_s is not None and contract.end_s <= at_s):
        return contract
    return contract.ending(max(at_s, contract.start_s + 1))


def needs_no_notice(contract: Contract, scenario: Scenario) -> bool:
    """Return whether no notice is needed any more: it was given, or the provider stops before the end."""
    return contract.contract_id in scenario.notice_given or stopped(contract, scenario) is not contract


class PlannedContracts(NamedTuple):
    """The contracts of a plan, and those of do nothing."""

    plan: tuple[Contract, ...]
    nothing: tuple[Contract, ...]


def contracts_in(project: Project, scenario: Scenario) -> PlannedContracts:
    """Return the contracts of a plan, and those of do nothing, each with its end there.

    Contracts that may renew end as the plan decides; with do nothing they continue. A plan from scratch has none.
    Source: docs/formulas/contracts.md.
    """
    kept = {*scenario.kept}  # on-demand contracts are planned again unless kept
    committed = (c for c in with_ends(project, scenario) if c.is_committed or c.contract_id in kept)
    as_stated = replace(scenario, kept=(), ended=())
    existing = () if scenario.greenfield else tuple(committed)
    return PlannedContracts(
        plan=(*existing, *ordered_dollars(project, scenario)), nothing=_with_ends(project, as_stated, {})
    )


def ordered_dollars(project: Project, scenario: Scenario) -> Iterator[Contract]:
    """Yield the commitments in dollars that a plan buys, as contracts with the id of their offers, of offers there."""
    offers = {offer.offer_id: offer for offer in project.offers}
    dollars = (scenario.whole_decisions or WholeDecisions()).dollars
    for own in (own for own in dollars if own.offer_id in offers):  # one provider alone has no others' offers
        offer, usd = offers[own.offer_id], Decimal(own.cents) / 100
        same = ("provider", "region", "country", "pricing_category", "term_months", "discount_percent")
        terms: dict[str, Any] = {name: getattr(offer, name) for name in same}
        terms["commitment_usd_per_hour"], terms["end_s"] = usd, own.start_s + length_s(offer)
        yield Contract(
            contract_id=own.offer_id,
            cluster="",
            gpu_model=offer.gpu_model,
            milli_gpus=1000,
            rate_usd_per_gpu_hour=usd,
            start_s=own.start_s,
            **terms,
        )


def find_days_of_minima(project: Project, scenario: Scenario) -> Iterator[int]:
    """Yield starts of minima bought whole, of offers there, and ends of those that cannot be bought again; epoch s."""
    offers = {offer.offer_id: offer for offer in project.offers}
    minima = (scenario.whole_decisions or WholeDecisions()).minima
    for minimum in (minimum for minimum in minima if minimum.offer_id in offers):
        offer = offers[minimum.offer_id]
        yield minimum.start_s
        if offer.valid_until is not None or offer.ends_s is not None:
            yield minimum.start_s + length_s(offer)


def _is_never_by_use(row: Row, assumptions: Assumptions) -> bool:
    return assumptions.training_never_by_use and row.pool is Pool.TRAINING


def ground_of(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    cache: AdviceCache,
    classes: tuple[Classification, ...] = (),
) -> Ground:
    """Return the basis of a plan: the summed, split and priced demand of a scenario.

    pools: pool of each workload, in the order of project.workloads. classes: their classes, which decide on spot.
    """
    assumptions = project.assumptions_in(scenario)
    stated, log = scenario.spells, project.cube
    project, scenario, log_from = counted(project, scenario, classes, cache)
    counts = project.cube if all(spell.begins_s is None for spell in stated.values()) else None
    logged = with_limited_demand(project, scenario, cache)
    project = with_limited_demand(with_accepted(project, scenario, classes, cache), scenario, cache)
    project = within_tiers(less_quoted(sold_in_units(project.priced_in(scenario), assumptions.unit)))
    begins_s = project.plan_window.end_s
    offers = rates.at_first_day(project.offers, scenario.price_changes, begins_s)
    project = project if offers is project.offers else replace(project, offers=offers)
    demand = {pool: assumptions.demand_of(pool) for pool in Pool}
    project = _on_only_clusters(project, scenario, cache)
    missing = missing_hours(project, scenario)
    weights = hour_weights(project.window.hours, assumptions.recency_half_life_days, missing)
    every, steady = dated(project, scenario, weights, cache)
    of_log = log if project.cube is counts else None
    groups = _groups(project, scenario, every, log_from, cache, of_log)
    schedules = tuple(group.schedule for group in groups)
    streams = _planned_streams(project, groups, pools, demand, cache)
    committed, in_force = contracts_in(project, scenario)
    months = max(assumptions.horizon_months, SOON_MONTHS)
    both = (*committed, *in_force)
    whole = tuple(find_days_of_minima(project, scenario))
    moments = busy.moments_of(both, schedules, scenario.price_changes, project.plan_window, months, whole)
    growth = {pool: assumptions.of_pool("growth", pool) for pool in Pool}
    outlined = busy.Outlined(growth, assumptions.growth_fade, schedules, moments)
    plan = _served(project, streams, outlined, committed, demand, cache)
    nothing = plan
    if logged.cube is not project.cube:  # do nothing does not accept savings either
        logged = replace(project, cube=logged.cube)
        own = _groups(logged, scenario, every, log_from, cache)
        streams = _planned_streams(logged, own, pools, demand, cache)
    if logged.cube is not project.cube or committed != in_force:
        nothing = _served(logged, streams, outlined, in_force, demand, cache)
    gpus = {place: most * demand[pools[place]] for place, most in steady.items()}
    runs = runs_of(project, scenario, every, gpus, pools, months)
    for run in runs:  # a row may consist of runs only
        if run.row not in plan.users:
            plan.users[run.row] = np.zeros(len(project.workloads))
    times = node_times(project.intake)
    facts = cache.recall(
        "spot",
        (assumptions, tuple(times.items())),
        (project.workloads, classes, project.needs),
        partial(rates.spot_facts, assumptions, project.workloads, classes, times, project.needs),
    )
    several, eligible, prices = several_nodes(project.workloads, plan.users), {}, {}
    for run in runs:
        several[run.row] |= (project.workloads[run.place].max_nodes or 1) > 1
    needs = _needs_of_quotes(project, plan, cache)
    for row in plan.users:
        eligible[row] = tuple(
            offer
            for offer in eligible_offers(project.offers, need_of(*row, several[row]), project.mappings)
            if row not in needs or (is_quoted_with(offer, needs[row]) and holds_as_quoted(offer))
            if offer.pricing_category.is_commitment or not _is_never_by_use(row, assumptions)
            if (*row, offer.term_months) not in scenario.left_terms
        )
        prices[row] = rates.usage_price(eligible[row], row.pool, facts)
    ground = Ground(
        project=project,
        scenario=scenario,
        assumptions=assumptions,
        pools=pools,
        plan=plan,
        nothing=nothing,
        several_nodes=several,
        eligible=eligible,
        prices=prices,
        growth=growth,
        weights=weights,
        outlined=outlined,
        facts=facts,
        classes=classes,
        runs=runs,
        largest=one_jobs(project, plan.users, demand),
        missing=missing,
        schedules=every,
        nodes=usual_units(project, assumptions.unit),
        groups=tuple(groups),
        ended=tuple(key for key in scenario.spells if key not in stated),
    )
    ground = replace(ground, eligible=_in_nodes(ground, cache)) if ground.nodes else ground
    ground = with_monthly(ground, plan.models, cache)
    ground = replace(ground, plan=in_parts(plan, ground, cache))
    nothing, plan = ground.plan if nothing is plan else in_parts(nothing, ground, cache), ground.plan
    paid = _as_paid(plan, ground, cache)
    return replace(ground, plan=paid, nothing=paid if nothing is plan else _as_paid(nothing, ground, cache))


def with_monthly(ground: Ground, models: Iterable[ModelDemand], cache: AdviceCache) -> Ground:
    """Return the basis with the rows of these models whose log has a monthly cycle, and their weights of hours."""
    schedules = enumerate(ground.outlined.schedules)
    unlogged = frozenset(number for number, schedule in schedules if schedule.is_planned or schedule.repeats)
    hours, half_life = ground.project.window.hours, ground.assumptions.recency_half_life_days
    asked = models if half_life is not None else ()
    monthly = monthly_rows(asked, hours, unlogged, ground.missing, cache)
    ends_s = ground.project.window.end_s
    by_months = hour_weights(hours, half_life, ground.missing, ends_s) if monthly else None
    return replace(ground, monthly=monthly, by_months=by_months)


Needed = tuple[tuple[int, int, float], ...]
"""GPUs from one second to another, counted from the plan's start."""
LEAST_GPUS: Final = 1e-9


def needed_by(runs: Iterable[Run], served: Served, window: Window) -> dict[Run, Needed]:
    """Return the GPUs that runs have to buy, in order: their periods, split where contracts start and end, with the
    GPUs
    beyond those that contracts leave idle.

    window: of the plan. Source: docs/formulas/orders.md, Runs.
    """
    idle = dict[tuple[str, str | None], list[tuple[int, int, float]]]()
    begin_s, answer = window.end_s, dict[Run, Needed]()
    for run in runs:
        serving = _open_to(run, served.contracts)
        peak = _peak_on(run, served, window) if serving else 0.0
        taken = idle.setdefault((run.cluster, gpu_model_of(run.row.name)), [])
        moments = {at - begin_s for c in serving for at in (c.start_s, c.end_s) if at is not None}
        moments |= {at for from_s, to_s, _ in taken for at in (from_s, to_s)} if serving else set()
        needs = []
        for first_s, last_s in run.pieces:
            edges = [first_s, *sorted(at for at in moments if first_s < at < last_s), last_s]
            for from_s, to_s in pairwise(edges):
                held = sum(contract.gpus for contract in serving if runs_at(contract, begin_s + from_s))
                held -= sum(gpus for since_s, until_s, gpus in taken if since_s <= from_s < until_s)
                needs.append((from_s, to_s, run.gpus - min(max(held - peak, 0.0), run.gpus)))
        taken += [(from_s, to_s, run.gpus - gpus) for from_s, to_s, gpus in needs if gpus < run.gpus]
        answer[run] = tuple(needs)
    return answer


def _open_to(run: Run, contracts: Iterable[Contract]) -> list[Contract]:
    """Return the contracts that may serve a run, in order: on its cluster, first those pinned to its pool."""
    pool, name = run.row
    serving = [
        contract
        for contract in contracts
        if run.cluster == contract.cluster != ""
        and contract.gpu_model == gpu_model_of(name)
        and contract.pool in (None, pool)
        and only_of(name).allows(contract)
    ]
    return sorted(serving, key=lambda contract: (contract.pool is None, merit(contract)))


def _peak_on(run: Run, served: Served, window: Window) -> float:
    """Return the largest hourly demand of the log for a run's model on its cluster, in GPUs."""
    of_model = (model for model in served.models if model.gpu_model == gpu_model_of(run.row.name))
    peaks = (m.hourly(window.hours, lambda where, _: where == run.cluster).max(initial=0.0) for m in of_model)
    return max(map(float, peaks), default=0.0) / MILLI_GPU_SECONDS_PER_GPU_HOUR


def in_parts(served: Served, ground: Ground, cache: AdviceCache) -> Served:
    """Return the demand with commitments in dollars as parts, one per GPU model and period; unchanged without any.

    In each part of a month, at today's level, they cover hourly demand beyond contracts in GPUs, largest discount
    first. The first model gets the unused rest. Source: docs/formulas/contracts.md, Commitments in dollars per hour.
    """
    if not any(contract.is_dollars for contract in served.contracts):
        return served
    parts = cache.recall(
        "dollars",
        (*served.contracts, *_moves_of(ground)),
        served.models,
        partial(_dollar_parts, served, ground),
    )
    whole = {part.ramp_of for part in parts}
    return replace(served, contracts=(*(c for c in served.contracts if c.contract_id not in whole), *parts))


def _dollar_parts(served: Served, ground: Ground) -> list[Contract]:
    """Return the parts of commitments in dollars with a known on-demand rate."""
    covered, of_id = grouped(_covered(served, ground)), {row.contract_id: row for row in served.contracts}
    parts = list[Contract]()
    for (name, model, price), rows in covered.items():
        whole, alike = of_id[name], [[*group] for _, group in groupby(rows, key=itemgetter(2, 3))]
        for at, group in enumerate(alike):
            from_s, _, room, usd_per_hour = group[0]
            own: dict[str, Any] = {"room": room, "paid_usd": usd_per_hour}
            own["bound_until_s"] = whole.end_s or whole.bound_until_s
            own["start_s"] = from_s if at else whole.start_s
            own["end_s"] = whole.end_s if group is alike[-1] else group[-1][1]
            called = f"{model} {at + 1}" if at else model
            parts.append(dollars.part_of_dollars(whole, called, model, price, **own))
    return parts


_Covered = tuple[tuple[str, str, float], tuple[int, int, bytes, float]]
"""A commitment in dollars with a model and its $ per GPU-hour; from and to when, its room and $ of an hour."""


def _covered(served: Served, ground: Ground) -> Iterator[_Covered]:
    """Yield what each commitment in dollars covers of each GPU model in each part of a month, in order."""
    gpus = [contract for contract in served.contracts if not contract.is_dollars]
    window, hours, offers = ground.window, ground.window.hours, ground.project.offers
    spans = busy.spans_of_months(ground.outlined.moments, window, ground.months)
    models = {model.gpu_model or "": model for model in served.models}
    months = {m: busy.months_of(of, gpus, window, ground.outlined, ground.months) for m, of in models.items()}
    residual = lru_cache(lambda name, state: busy.residual_at(models[name], state, hours))
    priced = [(row, dollars.prices_of(row, offers, models)) for row in dollars.in_turn(served.contracts)]
    for month, number, (from_s, to_s) in ((m, n, s) for m, of in enumerate(spans) for n, s in enumerate(of)):
        left = {
            m: residual(m, months[m][month][number].state) / MILLI_GPU_SECONDS_PER_GPU_HOUR for m in models
        }
        for contract, prices in priced:
            if not (runs_at(contract, from_s) and prices and contract.rate):
                continue
            pairs = {m: zip(left[m], models[m].rows, strict=True) for m in prices}
            may = {m: [gpus for gpus, row in pairs[m] if only_of(row.name).allows(contract)] for m in prices}
            before = {m: sum(rows, np.zeros(hours)) for m, rows in may.items()}
            rooms, _ = dollars.cover(np.full(hours, contract.rate), prices, may)
            first, usd = next(iter(prices)), dict[str, float]()
            for m, (price, _) in prices.items():
                weights = ground.weights_of(models[m].rows[0])
                usd[m] = weighted_mean(before[m] - sum(may[m]), weights) * price
            usd[first] = contract.rate - sum(more for m, more in usd.items() if m != first)
            for m, (price, _) in prices.items():
                yield (contract.contract_id, m, price), (from_s, to_s, rooms[m].tobytes(), usd[m])


def _moves_of(ground: Ground) -> tuple[Hashable, ...]:
    """Return all inputs of contract usage in plan months, except demand and contracts, as a cache key."""
    outlined, weights = ground.outlined, ground.weights
    growth = (outlined.fade, *outlined.growth.items(), *outlined.schedules, *outlined.moments)
    rest = (ground.window, ground.months, weights is None or weights.tobytes(), ground.monthly)
    return *growth, *rest, *ground.project.offers


def _as_paid(served: Served, ground: Ground, cache: AdviceCache) -> Served:
    """Return the demand with the shares that take-or-pay contracts pay each month; unchanged without any."""
    if all(contract.take_or_pay_percent is None for contract in served.contracts):
        return served
    key = (*served.contracts, *_moves_of(ground), *ground.runs)
    return replace(served, contracts=cache.recall("paid", key, served.models, partial(_paid, served, ground)))


def _paid(served: Served, ground: Ground) -> tuple[Contract, ...]:
    """Return contracts with the shares paid each month for the use by log and runs."""
    begin_s = ground.window.end_s
    takes = [
        (run.row, _open_to(run, served.contracts), begin_s + from_s, begin_s + to_s, run.gpus - gpus)
        for run, needed in needed_by(ground.runs, served, ground.window).items()
        for from_s, to_s, gpus in needed
        if gpus < run.gpus
    ]
    outlined, weights_of = ground.outlined, ground.weights_of
    return busy.paid_by_month(
        served.contracts, served.models, ground.window, outlined, ground.months, weights_of, takes
    )


def _in_nodes(ground: Ground, cache: AdviceCache) -> dict[Row, tuple[Offer, ...]]:
    """Return the offers of each row, sold in nodes for its peak; a row of only runs has no peak."""
    eligible, hours = dict(ground.eligible), ground.window.hours
    for model in ground.plan.models:
        today = busy.months_of(model, ground.lasting, ground.window, ground.outlined, 1)
        peaks = partial(busy.peaks_of, model, today, today, hours)
        for row, peak in zip(model.rows, cache.recall("peaks today", today, (model,), peaks), strict=True):
            eligible[row] = in_nodes(eligible[row], ground.nodes, peak.today)
    return eligible


def _needs_of_quotes(project: Project, plan: Served, cache: AdviceCache) -> Mapping[Row, AskedNeeds]:
    """Return the needs of each row for quotes; empty without quotes."""
    if not any(answered_row(offer) for offer in project.offers):
        return {}
    who = tuple((row, (spent > 0).tobytes()) for row, spent in plan.users.items())
    sold = frozenset((offer.gpu_model, offer.gpu_memory_gb) for offer in project.offers)
    return cache.recall(
        "needs of quotes",
        (who, sold),
        (project.workloads, project.needs),
        partial(asked_needs, project, plan.users, plan.users.keys()),
    )


def sold_in_units(project: Project, unit: int | None) -> Project:
    """Return the project with all offers sold in units of `unit` GPUs (1: single GPUs); unchanged for None."""
    if unit is None or not project.offers:
        return project
    stated = None if unit == 1 else unit
    return replace(project, offers=tuple(replace(offer, unit_gpus=stated) for offer in project.offers))


def _groups(
    project: Project,
    scenario: Scenario,
    schedules: Sequence[busy.Schedule],
    log_from: Ints,
    cache: AdviceCache,
    log: Cube | None = None,
) -> tuple[busy.Group, ...]:
    """Return the workloads grouped by their schedules. log_from: as from `counted`; log: as of `busy.groups_of`."""
    runs = (at for at, s in enumerate(schedules) if s.is_run and not s.is_planned)
    key = (*dates_of(project, scenario), *runs)
    make = partial(busy.groups_of, project.cube, schedules, project.plan_window.end_s, log_from, log)
    return cache.recall("groups", key, (project.cube, project.workloads, log_from), make)


def _on_only_clusters(project: Project, scenario: Scenario, cache: AdviceCache) -> Project:
    """Return the project with planned work that names no cluster on the only cluster with contracts of its model."""
    homes = {
        work.key: clusters.pop()
        for work in scenario.planned
        if not work.cluster and len(clusters := clusters_with(project, scenario, work.gpu_model)) == 1
    }

    def make() -> tuple[Workload, ...]:
        return tuple(replace(w, cluster=homes[w.key]) if w.key in homes else w for w in project.workloads)

    key = tuple(homes.items())
    workloads = cache.recall("only clusters", key, (project.workloads,), make) if homes else ()
    return replace(project, workloads=workloads) if homes else project


def clusters_with(project: Project, scenario: Scenario, gpu_model: str | None) -> set[str]:
    """Return the clusters with contracts of a GPU model that continue after the plan's start."""
    return {
        contract.cluster
        for contract in with_ends(project, scenario)
        if contract.is_committed and contract.gpu_model == gpu_model and contract.cluster
        if contract.end_s is None or contract.end_s > project.plan_window.end_s
    }


def with_accepted(
    project: Project, scenario: Scenario, classes: tuple[Classification, ...], cache: AdviceCache
) -> Project:
    """Return the project without the demand that accepted savings remove; unchanged if they remove none."""
    if not scenario.accepted or not classes:
        return project
    target = project.assumptions_in(scenario).target_activity
    cut = cache.recall(
        "cut",
        (scenario.accepted, target),
        (project.cube, project.workloads, classes),
        lambda: with_demand_cut(project, classes, scenario.accepted, target).cube,
    )
    return project if cut is project.cube else replace(project, cube=cut)


def _planned_streams(
    project: Project,
    groups: Sequence[busy.Group],
    pools: tuple[Pool, ...],
    demand: Mapping[Pool, float],
    cache: AdviceCache,
) -> tuple[Streams, ...]:
    """Return the streams of each group at the planned demand of its pools; planned work is not scaled."""
    return tuple(
        scaled_streams(
            streams_in(project, group.cube, number, pools, cache),
            dict.fromkeys(Pool, 1.0) if group.schedule.is_planned else demand,
            lambda spent, by: cache.recall("scaled", (by,), (spent,), partial(scaled, spent, by)),
        )
        for number, group in enumerate(groups)
    )


def streams_in(
    project: Project, cube: Cube, group: int, pools: tuple[Pool, ...], cache: AdviceCache
) -> Streams:
    """Return the streams of a group in these pools, updated from the last ones if possible."""
    last: list[Streams] = cache.recall("streams", (group,), (cube, project.workloads), list)
    streams = moved_streams(last[0], pools) if last else streams_of(cube, project.workloads, pools)
    last[:] = [streams]
    return streams


def _served(
    project: Project,
    groups: tuple[Streams, ...],
    outlined: busy.Outlined,
    contracts: tuple[Contract, ...],
    demand: Mapping[Pool, float],
    cache: AdviceCache,
) -> Served:
    """Return the demand after contracts serve the first part of month 0 once; later parts use the same split."""
    hours, schedules = project.window.hours, outlined.schedules
    begins_s = project.plan_window.end_s
    at_first = tuple(contract for contract in contracts if contract.serves and runs_at(contract, begins_s))
    parts_of_0 = busy.factors_of_months(outlined, project.plan_window, 1)[0]
    group_shares, first = busy.shares_of_month_0(parts_of_0), parts_of_0[0][1]
    present = (streams.cells for group, streams in enumerate(groups) if first[group])
    totals = summed(cell for cells in present for cell in cells.items())
    parts: dict[Cell, Ints] = {}
    served = {contract.contract_id: 0 for contract in contracts}
    rest = {c: usual_model(c, project.contracts) for streams in groups for c in clusters_of(streams)}
    for cluster in sorted({key.cluster for key in totals}):
        here = tuple(contract for contract in at_first if contract.cluster == cluster)
        cells = {key: amounts for key, amounts in totals.items() if key.cluster == cluster}
        split = cache.recall(
            "split",
            (here, rest[cluster], *cells),
            tuple(cells.values()),
            partial(split_cluster, cluster, cells, here, rest[cluster], hours),
        )
        parts.update(split.parts)
        served.update(split.served)
    of_groups = [
        group_parts(streams, parts if first[group] else {}, totals, rest) if len(groups) > 1 else parts
        for group, streams in enumerate(groups)
    ]
    unknown: dict[str | None, int] = {}
    users: dict[Row, Floats] = {}
    now: dict[Row, Floats] = {}
    at_first_of: dict[Row, Floats] = {}
    for group, (streams, own) in enumerate(zip(groups, of_groups, strict=True)):
        for (_, _, model), part in own.items():
            unknown[model] = unknown.get(model, 0) + int(part.sum())
        row_totals = cache.recall("totals", (), (streams.cube,), partial(getattr, streams.cube, "row_totals"))
        factor = dict.fromkeys(Pool, 1.0) if schedules[group].is_planned else demand
        for row, spent in gpu_time_by_row(streams, own, row_totals).items():
            _add(users, row, spent, factor[row.pool])
            _add(now, row, spent, factor[row.pool] * group_shares[group])
            _add(at_first_of, row, spent, factor[row.pool] * float(first[group]))
    return Served(
        contracts=contracts,
        models=models_of(groups, of_groups, cache),
        users=users,
        now=now,
        at_first=at_first_of,
        served=served,
        unknown_milli_gpu_seconds=unknown,
    )


def _add(to: dict[Row, Floats], row: Row, spent: Floats, factor: float) -> None:
    """Add GPU time times a factor to a row; at 1 the first array is stored as the same object."""
    if factor:
        amounts = spent if factor == 1 else spent * factor
        to[row] = to[row] + amounts if row in to else amounts
