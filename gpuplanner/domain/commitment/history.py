"""A log as it was known month by month: what each way of buying, and hindsight, would have held and paid."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from math import ceil
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment.busy import (
    BusyTable,
    Outlined,
    Parts,
    from_the_fullest_on,
    groups_of,
    moments_of,
    schedules_of,
)
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.counted import counted
from gpuplanner.domain.commitment.demand.model_demand import ModelDemand, Site, Stream, one_jobs
from gpuplanner.domain.commitment.demand.slicing import (
    SOON_MONTHS,
    Slicing,
    asked_block,
    block_for,
    busy_shares,
    hour_weights,
    in_nodes,
    missing_hours,
    usual_units,
)
from gpuplanner.domain.commitment.demand.streams import several_nodes, streams_of, with_limited_demand
from gpuplanner.domain.commitment.plan.ground import Ground, Served, sold_in_units, with_monthly
from gpuplanner.domain.commitment.plan.row_list import Listed, listed_of
from gpuplanner.domain.commitment.plan.row_plans import Planned, plan_of
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, allocate
from gpuplanner.domain.commitment.recursion.calendar import Calendar, length_s
from gpuplanner.domain.commitment.recursion.rates import (
    SpotFacts,
    UsagePrice,
    blend,
    committed_offers,
    spot_facts,
    usage_price,
)
from gpuplanner.domain.commitment.recursion.slice_policy import Market
from gpuplanner.domain.commitment.result import Flex
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.demand.pools import ROUNDING, newsvendor_units
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.fit.rules import eligible_offers, need_of
from gpuplanner.domain.model.amounts import summed
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import (
    ModelMapping,
    Only,
    Row,
    paid_gpus,
    ratios_of,
    seller_of,
    whole_gpus,
)
from gpuplanner.domain.model.cube import Cube, cube_from_entries
from gpuplanner.domain.model.intake import JobFacts, node_times
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, SERVING_ORDER, Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S, Window
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- History: a log as it was known month by month, for walking forward over it without seeing what comes

ADVISED_HOURS: Final = 2160
"""How much of the log so far an advice looks at."""
FIRST_MONTH: Final = 1
"""The first advice is given after one month of log."""
WHOLE_LOG: Final = "log"
"""Stands for the clusters of a log: commitments that a walk buys serve their pool and model on all of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A log as it is known at the end of a project's window, from rows before it alone.

    pools, classes: of project.workloads, as a plan made at that hour has them; classes empty where nobody said.
    """

    project: Project
    pools: tuple[Pool, ...]
    classes: tuple[Classification, ...] = ()


LogsSoFar = Callable[[Sequence[Window]], Iterable[Project]]
"""A project as its log was known at the end of each window: jobs that had begun, those not over yet as running."""


@dataclass(frozen=True, slots=True, eq=False)
class LogAt:
    """One `Known` and what follows from it.

    hourly: milli-GPU-seconds of each (pool, model), int64, (hours,). users: by the number of last hours, all of its
    window and a month: who uses what in them, by row, milli-GPU-seconds of each workload, (workloads,).
    """

    known: Known
    facts: SpotFacts
    hourly: dict[Row, Ints]
    users: dict[int, dict[Row, Floats]]

    @property
    def window(self) -> Window:
        """The hours that it looks at.

        Its end is the hour at which this was known.
        """
        return self.known.project.window


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Span:
    """The last hours of a log as it is known at some hour, and what the offers mean for their rows.

    users, eligible, prices: of the rows with demand in them.
    """

    log: LogAt
    hours: int
    users: dict[Row, Floats]
    several_nodes: dict[Row, bool]
    eligible: dict[Row, tuple[Offer, ...]]
    prices: dict[Row, UsagePrice]

    def flex(self, row: Row) -> Flex:
        """r_flex of a row, blended over its workloads of these hours.

        Units: $ per GPU-hour; a rate of None where nobody offers it. Errors: KeyError for a row without
        demand here.
        """
        return blend([(self.prices[row], self.users[row])])

    def gpus(self, row: Row) -> Floats:
        """Mean GPUs of a row in each hour, (hours,); zeros for one that is not there.

        The oldest hour first.
        """
        return self.milli(row) / MILLI_GPU_SECONDS_PER_GPU_HOUR

    def milli(self, row: Row) -> Floats:
        """The same in milli-GPU-seconds, whole.

        Zeros for a row that is not there; (hours,).
        """
        hourly = self.log.hourly.get(row)
        return np.zeros(self.hours) if hourly is None else hourly[-self.hours :].astype(np.float64)

    def pool_gpus(self, pool: Pool) -> Floats:
        """Mean GPUs of a pool in each hour, all models together.

        Shapes: (hours,), the oldest first; zeros for a pool without demand.
        """
        return sum((self.gpus(row) for row in self.log.hourly if row.pool is pool), np.zeros(self.hours))

    @property
    def end_s(self) -> int:
        """Where it ends, epoch seconds."""
        return self.log.window.end_s


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class History:
    """A log as a walk forward sees it.

    project: its window is the log, its offers are at the rates of the scenario. logs: what was known at the end of
    months 1, 2, ...; came: each month with what was known when it was over. knows_rows: whether that is by job rows.
    shares, is_gap_missing: as of a Scenario.
    """

    project: Project
    assumptions: Assumptions
    logs: tuple[LogAt, ...]
    came: tuple[Span, ...]
    knows_rows: bool = True
    shares: Mapping[Only, float] = field(default_factory=dict)
    is_gap_missing: bool = False

    @property
    def months(self) -> int:
        """Whole months of 730 h to walk over; what is left at the end of the log is in none. 0: the log has no fold.

        The first of them is only looked at: what is paid for begins with the second.
        """
        return len(self.logs)

    def gpus_before(self, month: int, row: Row) -> Floats:
        """Mean GPUs of a row in each hour before a month of the log, each month as it was known when it was over.

        Shapes: (hours,), the oldest first.
        """
        return np.concatenate([came.gpus(row) for came in self.came[:month]])


def in_order(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Rows as they are shown: by pool, then by model.

    An unknown model comes first within its pool.
    """
    return tuple(sorted(rows, key=lambda row: (POOLS.index(row.pool), row.name or "")))


def windows_of(window: Window) -> tuple[Window, ...]:
    """What is looked at at the end of each month of a log: its last 2,160 h; none where it has no fold.

    The timezone stays. Each ends with its month.
    """
    months = window.hours // HOURS_PER_MONTH
    if months <= FIRST_MONTH:
        return ()
    ends = [month * HOURS_PER_MONTH for month in range(1, months + 1)]
    begins = [max(end - ADVISED_HOURS, 0) for end in ends]
    return tuple(
        Window(window.start_s + begin * HOUR_S, end - begin, window.timezone)
        for begin, end in zip(begins, ends, strict=True)
    )


def has_fold(project: Project) -> bool:
    """Whether a log has a month to advise on and one to pay for, both from its first to its last GPU-hour too.

    Hours before the first job and after the last do not count.
    """
    hour = project.cube.hour
    in_use = int(hour.max()) - int(hour.min()) + 1 if len(hour) else 0
    return in_use >= (FIRST_MONTH + 1) * HOURS_PER_MONTH


def history_of(
    project: Project, scenario: Scenario, pools: tuple[Pool, ...], classes: tuple[Classification, ...] = ()
) -> History:
    """The history of a project whose window is the log, where what is known of its workloads never changes.

    For logs without job rows behind them: demand is cut at each hour, facts and pools are those given; nobody knows
    which job was the largest so far.
    """
    windows = windows_of(project.window) if has_fold(project) else ()
    known = (
        Known(replace(project, window=window, cube=_cut(project, window), jobs=JobFacts()), pools, classes)
        for window in windows
    )
    return replace(history_known(project, scenario, known), knows_rows=False)


def history_known(project: Project, scenario: Scenario, known: Iterable[Known]) -> History:
    """The history of a project whose window is the log, from what was known at the end of each of `windows_of` it.

    A workload stays in the pool where it stood when it was first known: what was bought for it then goes on serving it.
    A wait of the plan is left out: over the log, where each month is bought for anew, it would never sign.
    """
    project = sold_in_units(project.priced_in(scenario), project.assumptions_in(scenario).unit)
    offers = tuple(
        replace(offer, lead_time_hours=0.0)
        for offer in project.offers
        if offer.lead_time_hours <= HOURS_PER_MONTH
    )
    project = replace(project, plan_from_s=None, offers=offers)  # every advice begins where its log ends
    assumptions = project.assumptions_in(scenario).with_values({"wait_months": 0})
    stands: dict[str, Pool] = {}
    apart = (replace(log, project=with_limited_demand(log.project, scenario, AdviceCache())) for log in known)
    logs = tuple(_log_at(_where_it_stood(log, stands), assumptions) for log in apart)
    history = History(
        project=project,
        assumptions=assumptions,
        logs=logs,
        came=(),
        shares=scenario.shares,
        is_gap_missing=scenario.is_gap_missing,
    )
    return replace(history, came=tuple(span_of(history, log, HOURS_PER_MONTH, offers) for log in logs))


def span_of(history: History, log: LogAt, hours: int, offers: tuple[Offer, ...]) -> Span:
    """What the last hours of a log show of it, with these offers. hours: of its window, or of a month.

    Errors: KeyError where hours is neither of the two.
    """
    users, mappings = log.users[hours], history.project.mappings
    several = several_nodes(log.known.project.workloads, users)
    eligible = {row: eligible_offers(offers, need_of(*row, several[row]), mappings) for row in users}
    prices = {row: usage_price(eligible[row], row.pool, log.facts) for row in users}
    return Span(log=log, hours=hours, users=users, several_nodes=several, eligible=eligible, prices=prices)


def advised_span(history: History, month: int, offers: tuple[Offer, ...]) -> Span:
    """The log so far as an advice at the beginning of a month sees it.

    month: from FIRST_MONTH on; what is seen ends where it begins.
    """
    log = history.logs[month - 1]
    return span_of(history, log, log.window.hours, offers)


def ground_at(
    history: History, span: Span, carried: tuple[Contract, ...], assumptions: Assumptions
) -> Ground:
    """The ground of an advice given at the end of a span, with commitments carried over as existing contracts.

    Carried contracts stand on WHOLE_LOG, pinned to their pool.
    """
    known = span.log.known
    project = replace(
        history.project,
        window=span.log.window,
        cube=known.project.cube,
        workloads=known.project.workloads,
        contracts=carried,
        jobs=known.project.jobs,
    )
    scenario = Scenario(name="walk", shares=history.shares, is_gap_missing=history.is_gap_missing)
    missing = missing_hours(project, scenario)
    months = max(assumptions.horizon_months, SOON_MONTHS)
    project, scenario, log_from = counted(project, scenario, known.classes, AdviceCache())
    schedules = schedules_of(project.workloads, scenario, span.end_s)
    groups = groups_of(project.cube, schedules, span.end_s, log_from)
    by_group = [span.log.hourly if g.cube is known.project.cube else _hourly(known, g.cube) for g in groups]
    is_there = np.array([w.key not in scenario.spells for w in project.workloads], dtype=np.bool_)
    of_rows = ((row, spent * is_there) for row, spent in span.users.items())
    users = {row: spent for row, spent in of_rows if spent.any()}
    served = Served(
        contracts=carried,
        models=_models(by_group),
        users=users,
        now=users,
        at_first=users,
        served={},
        unknown_milli_gpu_seconds={},
    )
    growth = {pool: assumptions.of_pool("growth", pool) for pool in Pool}
    ground = Ground(
        project=project,
        scenario=scenario,
        assumptions=assumptions,
        pools=known.pools,
        plan=served,
        nothing=served,
        several_nodes=span.several_nodes,
        eligible=span.eligible,
        prices=span.prices,
        growth=growth,
        weights=hour_weights(span.hours, assumptions.recency_half_life_days, missing),
        outlined=Outlined(
            growth,
            assumptions.growth_fade,
            tuple(group.schedule for group in groups),
            moments_of(carried, (), (), span.log.window, months),
        ),
        facts=span.log.facts,
        classes=known.classes,
        largest=one_jobs(project, users, dict.fromkeys(Pool, 1.0)),
        missing=missing,
        schedules=schedules,
        nodes=usual_units(project, assumptions.unit),
    )
    return with_monthly(ground, served.models, AdviceCache())


def _models(by_group: Sequence[Mapping[Row, Ints]]) -> tuple[ModelDemand, ...]:
    """Demand by model, and what only some may serve by itself, all clusters together. by_group: hours of each row."""
    answer, named = [], {row for hourly in by_group for row in hourly}
    for model in sorted({model for _, model in named}, key=lambda model: model or ""):
        rows = tuple(Row(pool, model) for pool in SERVING_ORDER if (pool, model) in named)
        streams = tuple(
            Stream(row=place, grows_with=row.pool, demand=hourly[row].astype(np.float64), group=group)
            for place, row in enumerate(rows)
            for group, hourly in enumerate(by_group)
            if row in hourly
        )
        answer.append(ModelDemand(model, rows, (Site(WHOLE_LOG, streams),)))
    return tuple(answer)


def _where_it_stood(known: Known, stands: dict[str, Pool]) -> Known:
    """With every workload in the pool where it first stood; stands, by key, gets those that are new."""
    keys = (workload.key for workload in known.project.workloads)
    pools = (stands.setdefault(key, pool) for key, pool in zip(keys, known.pools, strict=True))
    return replace(known, pools=tuple(pools))


def _log_at(known: Known, assumptions: Assumptions) -> LogAt:
    """Hourly sums and users of a log as it is known. Clusters are added up: what a walk buys serves on all of
    them.
    """
    project = known.project
    facts = spot_facts(
        assumptions, project.workloads, known.classes, node_times(project.intake), project.needs
    )
    users = {hours: _users(known, hours) for hours in {project.window.hours, HOURS_PER_MONTH}}
    return LogAt(known, facts, _hourly(known, project.cube), users)


def _hourly(known: Known, cube: Cube) -> dict[Row, Ints]:
    """Milli-GPU-seconds of each row in each hour of a cube of known workloads, (hours,)."""
    cells = streams_of(cube, known.project.workloads, known.pools).cells
    hourly = summed((Row(cell.pool, cell.name), amounts) for cell, amounts in cells.items())
    return {row: hourly[row] for row in in_order(hourly)}


def _users(known: Known, hours: int) -> dict[Row, Floats]:
    """Of the last hours of a log's window."""
    cube, count = known.project.cube, len(known.project.workloads)
    inside = cube.hour >= cube.hours - hours
    amount = np.bincount(
        cube.entry_row[inside], weights=cube.milli_gpu_seconds[inside], minlength=len(cube.workload_index)
    )
    spent: dict[Row, Floats] = {}
    for place in np.flatnonzero(amount > 0).tolist():
        workload, model = int(cube.workload_index[place]), int(cube.model_index[place])
        row = Row(known.pools[workload], None if model < 0 else cube.gpu_models[model])
        spent.setdefault(row, np.zeros(count))[workload] += amount[place]
    return spent


def _cut(project: Project, window: Window) -> Cube:
    """A project's cube in a window that lies in its own."""
    cube, begin = project.cube, (window.start_s - project.window.start_s) // HOUR_S
    inside = (cube.hour >= begin) & (cube.hour < begin + window.hours)
    row = cube.entry_row[inside]
    return cube_from_entries(
        window.hours,
        cube.gpu_models,
        cube.workload_index[row],
        cube.model_index[row],
        cube.hour[inside] - begin,
        cube.milli_gpu_seconds[inside],
    )


# --- Rules of thumb that an advice is held against: how many GPUs each would hold of a row, from the log so far


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of thumb: the level that it tops up to month after month, and with which term.

    level: blocks of GPUs, from demand in blocks in each of some hours and the rate of a term as a share of that by use.
    days: the last ones that it looks at, or as many as there are; None: all so far. is_cheapest: with the term of the
    lowest rate, else with the shortest. Source: docs/formulas/backtest.md, Backtest.
    """

    level: Callable[[Floats, float], float]
    days: int | None = None
    is_cheapest: bool = False

    def gpus(self, hourly: Floats, block: int, ratio: float) -> float:
        """GPUs in whole blocks, from those of each hour so far, (hours,). ratio: as of level."""
        return block * self.level(hourly[-24 * self.days if self.days else 0 :] / block, ratio)


def peak(blocks: Floats, ratio: float) -> float:
    """For the busiest hour. A rounding over a whole block takes no other."""
    return ceil(float(blocks.max()) - ROUNDING)


def mean(blocks: Floats, ratio: float) -> float:
    """For the mean of the hours. A rounding over a whole block takes no other."""
    return ceil(float(blocks.mean()) - ROUNDING)


LOOKBACK_DAYS: Final = (7, 28, 56)
SHORTEST: Final = {f"lookback_{days}": Rule(newsvendor_units, days) for days in LOOKBACK_DAYS}
CHEAPEST: Final = {f"lookback_{days}_cheapest": Rule(newsvendor_units, days, True) for days in LOOKBACK_DAYS}
LOOKBACKS: Final = (*SHORTEST, *CHEAPEST)
RULES: Final[dict[str, Rule]] = SHORTEST | CHEAPEST | {"peak": Rule(peak), "mean": Rule(mean)}
"""By the name that the JSON has for their $."""


# --- Walking forward over a log: what each way of buying holds in a month, and what that month then costs


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """GPUs bought for one row: paid from one hour of the log to another, used or not. month: in which it was bought.

    gpus and rate are for the row's model; offer_gpus: of the offer's own, whole units, as they are paid for.
    """

    row: Row
    offer_id: str
    term_months: int
    gpus: float
    rate_usd_per_gpu_hour: float
    month: int
    from_h: float
    until_h: float
    offer_gpus: float

    def hours_in(self, month: int) -> float:
        """Hours of a month of the log in which it is there."""
        from_h, until_h = self.within(month)
        return until_h - from_h

    def within(self, month: int) -> tuple[float, float]:
        """Where it begins and ends in a month of the log, hours from the month's beginning; alike where it is not
        there."""
        first = month * HOURS_PER_MONTH
        from_h, until_h = (
            min(max(at - first, 0.0), float(HOURS_PER_MONTH)) for at in (self.from_h, self.until_h)
        )
        return from_h, max(from_h, until_h)


@dataclass(frozen=True, slots=True)
class MonthPaid:
    """What one month of one way of buying came to. usd None: GPUs paid by use that nobody has a rate for.

    unused_gpu_hours: held and not used; beyond_gpu_hours: used beyond what was held, paid by use.
    """

    usd: float | None
    held_usd: float
    unused_gpu_hours: float
    beyond_gpu_hours: float


def running_in(held: Sequence[Held], month: int) -> tuple[Held, ...]:
    """What is held at some time of a month.

    month: of the log, from 0.
    """
    return tuple(holding for holding in held if holding.hours_in(month) > 0)


def pay(came: Span, month: int, held: Sequence[Held], row: Row) -> MonthPaid:
    """One month of one row: what is held is paid in full, what came beyond it by use at the month's own r_flex.

    came: that month; held: what runs in it, of this row.
    """
    gpus, held_usd = np.zeros(came.hours), 0.0
    for holding in held:
        from_h, until_h = holding.within(month)
        hour = np.arange(came.hours)
        gpus += holding.gpus * (np.clip(until_h - hour, 0.0, 1.0) - np.clip(from_h - hour, 0.0, 1.0))
        held_usd += holding.gpus * holding.rate_usd_per_gpu_hour * (until_h - from_h)
    demand = came.gpus(row)
    beyond = float(np.maximum(demand - gpus, 0.0).sum())
    unused = float(np.maximum(gpus - demand, 0.0).sum())
    if beyond <= 0:
        return MonthPaid(held_usd, held_usd, unused, 0.0)
    rate = came.flex(row).rate
    return MonthPaid(None if rate is None else held_usd + beyond * rate, held_usd, unused, beyond)


def offers_at(offers: Sequence[Offer], held: Sequence[Held], rest_months: float) -> tuple[Offer, ...]:
    """What can be bought: no term longer than the rest of the log, and of a maximum only what is not held already.

    rest_months: from now to the end of the log. A maximum is never below 0; the other offers are the very
    same objects.
    """
    taken = summed((holding.offer_id, holding.offer_gpus) for holding in held)
    return tuple(
        replace(offer, max_gpus=max(int(offer.max_gpus - taken[offer.offer_id]), 0))
        if offer.max_gpus is not None and taken.get(offer.offer_id, 0.0) > 0
        else offer
        for offer in offers
        if not offer.pricing_category.is_commitment or offer.term_months <= rest_months
    )


def calendar_at(now_s: int) -> Calendar:
    """When offers can begin for who buys at an hour: what a lead of up to a month needs was ordered ahead.

    now_s: epoch seconds.
    """
    return Calendar(begin_s=now_s, free_leads=True)


def advised(
    history: History, span: Span, running: Sequence[Held], month: int, assumptions: Assumptions
) -> Planned:
    """The plan at the beginning of a month, with what runs in it carried over as existing contracts.

    month: of the log; assumptions: those that this advice is given with. Nothing after the span's end is
    looked at.
    """
    now_s = span.end_s
    offers = {offer.offer_id: offer for offer in history.project.offers}
    carried = []
    for number, holding in enumerate(running):
        start_s, end_s = (
            now_s + round((at - month * HOURS_PER_MONTH) * HOUR_S) for at in (holding.from_h, holding.until_h)
        )
        seller, rate = seller_of(holding.offer_id, holding.row.name, offers), holding.rate_usd_per_gpu_hour
        name, milli_gpus = f"{number:04d}", round(1000 * holding.gpus)
        carried.append(as_contract(name, WHOLE_LOG, holding.row, milli_gpus, rate, (start_s, end_s), seller))
    return plan_of(ground_at(history, span, tuple(carried), assumptions), AdviceCache())


def as_contract(
    contract_id: str,
    cluster: str,
    row: Row,
    milli_gpus: int,
    rate: float,
    spell_s: tuple[int, int],
    seller: Offer | Only,
) -> Contract:
    """What was bought for a row, as an existing contract that is pinned to its pool. rate: $ per GPU-hour of the row's
    model; spell_s: from when to when, epoch seconds."""
    pool, gpu_model = row
    start_s, end_s = spell_s
    return Contract(
        contract_id=contract_id,
        cluster=cluster,
        gpu_model=gpu_model,
        milli_gpus=milli_gpus,
        rate_usd_per_gpu_hour=Decimal(str(rate)),
        start_s=start_s,
        end_s=end_s,
        pricing_category=PricingCategory.COMMITTED,
        pool=pool,
        provider=seller.provider or None,
        region=seller.region or None,
    )


def bought(planned: Planned, month: int) -> tuple[Held, ...]:
    """What a plan signs in its first month, as things held from a month of the log on.

    What nobody offers is not bought.
    """
    return tuple(
        _of_list(row.row, listed, month, month)
        for row in planned.rows
        for listed in row.listed.orders
        if listed.start_s < MONTH_S and listed.rate is not None
    )


def _of_list(row: RowToPlan, listed: Listed, begin: int, month: int) -> Held:
    """An order of a list that begins with a month of the log. month: of the log, in which it is bought."""
    from_h = begin * HOURS_PER_MONTH + listed.start_s / HOUR_S
    offer, rate = row.offers[listed.place], (listed.usd_per_hour or 0.0) / listed.gpus
    return _held(
        Row(row.pool, row.gpu_model), offer, listed.gpus, rate, month, (from_h, listed.hours), row.ratios
    )


def _held(
    row: Row,
    offer: Offer,
    gpus: float,
    rate: float,
    month: int,
    spell_h: tuple[float, float],
    ratios: Mapping[str, float],
) -> Held:
    """GPUs of an offer. spell_h: from which hour of the log on and for how many; ratios: GPUs of the row's model that
    one GPU of a mapped model is worth, by offer_id."""
    from_h, hours = spell_h
    ratio, unit = ratios.get(offer.offer_id), offer.unit_gpus
    own_gpus = gpus if ratio is None and unit is None else whole_gpus(gpus, ratio or 1.0, unit or 1)
    return Held(
        row=row,
        offer_id=offer.offer_id,
        term_months=offer.term_months,
        gpus=gpus,
        rate_usd_per_gpu_hour=rate,
        month=month,
        from_h=from_h,
        until_h=from_h + hours,
        offer_gpus=own_gpus,
    )


def topped_up(history: History, rule: Rule, span: Span, held: Sequence[Held], month: int) -> tuple[Held, ...]:
    """What a rule of thumb buys at the beginning of a month: up to its level of each row.

    held: what runs then. With the shortest term that is on offer, or with the one that is cheapest; each term has its
    own level.
    """
    answer = []
    calendar, nodes = calendar_at(span.end_s), usual_units(history.project, history.assumptions.unit)
    for row in span.users:
        flex = span.flex(row).rate
        if flex is None:
            continue
        running = sum(holding.gpus for holding in held if holding.row == row)
        so_far = history.gpus_before(month, row)
        ratios = ratios_of(span.eligible[row], row.name, history.project.mappings, row.pool)
        sold = in_nodes(span.eligible[row], nodes, float(so_far.max(initial=0.0)))
        committed = committed_offers(sold)
        block = asked_block(history.assumptions.block, committed)
        open_now = [offer for offer in committed if calendar.is_open_in(offer, 0)]
        if not rule.is_cheapest:
            open_now.sort(key=lambda offer: offer.term_hours)  # of a term the cheapest first
        for offer in open_now:
            missing = rule.gpus(so_far, block, (offer.spread_rate or 0.0) / flex) - running
            if offer.max_gpus is not None:
                missing = min(missing, offer.max_gpus * ratios.get(offer.offer_id, 1))
            if offer.max_gpus_per_order is not None:
                missing = min(missing, offer.max_gpus_per_order * ratios.get(offer.offer_id, 1))
            if missing > 0 and missing >= (offer.min_gpus or 0) * ratios.get(offer.offer_id, 1):
                paid = paid_gpus(missing, ratios.get(offer.offer_id), offer.unit_gpus)
                rate = (offer.spread_rate or 0.0) * (paid / missing)
                hours = max(length_s(offer), MONTH_S) / HOUR_S  # what is shorter than a month renews for one
                spell_h = (float(month * HOURS_PER_MONTH), hours)
                answer.append(_held(row, offer, missing, rate, month, spell_h, ratios))
                break
            if offer.max_gpus is None and not offer.min_gpus:
                break  # nothing is missing at what it would take
    return tuple(answer)


# --- Hindsight: the cheapest way to have bought a log, by the same recursion fed with what came


def hindsight_of(history: History, first_month: int, offers: tuple[Offer, ...]) -> tuple[Held, ...]:
    """All that the cheapest policy holds from a month of the log to its end, knowing every hour of it.

    sigma, lambda, delta and wacc are 0, the horizon is the rest of the log, and no term reaches beyond it.
    A month's r_flex is its own: it scales how busy its slices are.
    """
    came = [span_of(history, span.log, HOURS_PER_MONTH, offers) for span in history.came[first_month:]]
    calendar = calendar_at(history.came[first_month - 1].end_s)
    names = in_order({row for span in came for row in span.users})
    rows = [_row_to_plan(history, row, came, offers, calendar) for row in names]
    months = len(came)
    signed = allocate(rows, months, AdviceCache()).signed
    return tuple(
        _of_list(row, listed, first_month, first_month + listed.month)
        for row, signing in zip(rows, signed, strict=True)
        for listed in listed_of(row, signing)
    )


def _row_to_plan(
    history: History, row: Row, came: list[Span], offers: tuple[Offer, ...], calendar: Calendar
) -> RowToPlan:
    """A row as the recursion reads it, with what came in place of a forecast. came: the months from the first
    on.
    """
    spans = [span for span in came if row in span.users]
    several = any(span.several_nodes[row] for span in spans)
    mappings = history.project.mappings
    return knowing_all(
        row,
        [span.gpus(row) if row in span.users else np.zeros(1) for span in came],
        [span.flex(row).rate if row in span.users else 0.0 for span in came],
        eligible_offers(offers, need_of(*row, several), mappings),
        history.assumptions.block,
        mappings,
        calendar,
        nodes=usual_units(history.project, history.assumptions.unit),
    )


def knowing_all(
    row: Row,
    came: Sequence[Floats],
    rates: Sequence[float | None],
    eligible: Sequence[Offer],
    block: int | None,
    mappings: Sequence[ModelMapping],
    calendar: Calendar,
    last_month: float = 1.0,
    nodes: Mapping[str, int] | None = None,
    has_end: bool = True,
    cuts: Collection[int] = (),
) -> RowToPlan:
    """A row as the recursion reads it, with what came in place of a forecast: sigma, lambda, delta and wacc are 0.

    came: mean GPUs in each hour of each month; rates: by use, $ per GPU-hour of each month (None: nobody sells): a rate
    of its own is put into how busy the slices of a month are. block: as assumed; nodes: as of `usual_units`.
    last_month: how long the last one is, a share of 730 h. has_end: no term reaches beyond it, as nobody pays for what
    comes after. cuts: hours, counted from the first one, at which orders may start too.
    """
    peak_gpus = max(float(gpus.max()) for gpus in came)
    committed = committed_offers(in_nodes(eligible, nodes or {}, peak_gpus))
    is_known = None not in rates
    base = max((rate for rate in rates if rate), default=0.0) if is_known else 0.0
    width = block_for(peak_gpus, asked_block(block, committed))
    slices = ceil(peak_gpus / width - ROUNDING)
    shares = np.zeros((len(came), 1, slices))
    edges_s, busy = [0], list[Floats]()
    for month, (gpus, rate) in enumerate(zip(came, rates, strict=True)):
        price = rate / base if rate is not None and base else 1.0
        inside = (cut - HOURS_PER_MONTH * month for cut in cuts)
        at = [0, *sorted(cut for cut in inside if 0 < cut < len(gpus)), len(gpus)]
        lengths, edges = np.diff(at) / len(gpus), [month * MONTH_S + hour * HOUR_S for hour in at[1:-1]]
        pieces = [busy_shares(gpus[a:b][None] / width, slices, None) * price for a, b in pairwise(at)]
        shares[month] = from_the_fullest_on(lengths, np.array(pieces))
        length = last_month if month == len(came) - 1 else 1.0
        edges_s += [*edges, month * MONTH_S + round(length * MONTH_S)]
        busy += [piece[0] for piece in pieces]
    months = len(came)
    return RowToPlan(
        pool=row.pool,
        gpu_model=row.name,
        busy=BusyTable(
            shares=shares,
            state_of_month=np.arange(months, dtype=np.int64),
            parts=Parts(np.array(edges_s, dtype=np.int64), np.array(busy)),
        ),
        market=Market(
            horizon_months=months, churn=0.0, use_prices=(1.0,), sigma=0.0, wacc=0.0, last_month=last_month
        ),
        slicing=Slicing(width, slices),
        offers=committed,
        flex=Flex(
            rate=base if is_known else None, category=PricingCategory.STANDARD, offer_id=None, spot_share=0.0
        ),
        ends_by_month=months if has_end else None,
        ratios=ratios_of(committed, row.name, mappings, row.pool),
        calendar=calendar,
    )
