"""History: a log as it was known month by month, and the rules of thumb that advice is held against."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment.busy import Outlined, moments_of
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.ground import Ground, Served, sold_in_units
from gpuplanner.domain.commitment.recursion.rates import SpotFacts, UsagePrice, blend, spot_facts, usage_price
from gpuplanner.domain.commitment.result import Flex
from gpuplanner.domain.commitment.slicing import SOON_MONTHS, hour_weights
from gpuplanner.domain.commitment.streams import (
    ModelDemand,
    Row,
    Site,
    Stream,
    missing_hours,
    one_jobs,
    several_nodes,
    streams_of,
    with_limited_demand,
)
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.demand.pools import ROUNDING, newsvendor_units
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.fit.rules import eligible_offers, need_of
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.cube import Cube, cube_from_entries
from gpuplanner.domain.model.intake import JobFacts, node_times
from gpuplanner.domain.model.plan_inputs import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, SERVING_ORDER, Pool
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, Window

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


@dataclass(frozen=True, slots=True, eq=False)
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
        return sum((self.gpus(row) for row in self.log.hourly if row[0] is pool), np.zeros(self.hours))

    @property
    def end_s(self) -> int:
        """Where it ends, epoch seconds."""
        return self.log.window.end_s


@dataclass(frozen=True, slots=True, eq=False)
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

    def gpus(self, row: Row, begin_h: int, end_h: int) -> Floats:
        """Mean GPUs of a row in each hour, from the start of the log; each month as it was known when it was over.

        begin_h, end_h: hours from the log's start; a begin before it counts as 0. Shapes: (hours,).
        """
        months = range(max(begin_h, 0) // HOURS_PER_MONTH, -(-end_h // HOURS_PER_MONTH))
        hourly = np.concatenate([self.came[month].gpus(row) for month in months])
        return hourly[max(begin_h, 0) - months.start * HOURS_PER_MONTH :][: end_h - max(begin_h, 0)]


def in_order(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Rows as they are shown: by pool, then by model.

    An unknown model comes first within its pool.
    """
    return tuple(sorted(rows, key=lambda row: (POOLS.index(row[0]), row[1] or "")))


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
    apart = (replace(one, project=with_limited_demand(one.project, scenario, AdviceCache())) for one in known)
    logs = tuple(_log_at(_where_it_stood(one, stands), assumptions) for one in apart)
    history = History(
        project, assumptions, logs, (), shares=scenario.shares, is_gap_missing=scenario.is_gap_missing
    )
    return replace(history, came=tuple(span_of(history, log, HOURS_PER_MONTH, offers) for log in logs))


def span_of(history: History, log: LogAt, hours: int, offers: tuple[Offer, ...]) -> Span:
    """What the last hours of a log show of it, with these offers. hours: of its window, or of a month.

    Errors: KeyError where hours is neither of the two.
    """
    users, mappings = log.users[hours], history.project.mappings
    several = several_nodes(log.known.project.workloads, users)
    eligible = {row: eligible_offers(offers, need_of(*row, several[row]), mappings) for row in users}
    prices = {row: usage_price(eligible[row], row[0], log.facts) for row in users}
    return Span(log, hours, users, several, eligible, prices)


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
    scenario = Scenario("walk", shares=history.shares, is_gap_missing=history.is_gap_missing)
    missing = missing_hours(project, scenario)
    months = max(assumptions.horizon_months, SOON_MONTHS)
    served = Served(carried, _models(span), span.users, span.users, {}, {})
    growth = {pool: assumptions.of_pool("growth", pool) for pool in Pool}
    return Ground(
        project,
        scenario,
        assumptions,
        known.pools,
        served,
        served,
        span.several_nodes,
        span.eligible,
        span.prices,
        growth,
        hour_weights(span.hours, assumptions.recency_half_life_days, missing),
        Outlined(
            growth, assumptions.growth_fade, moments=moments_of(carried, (), (), span.log.window, months)
        ),
        span.log.facts,
        known.classes,
        largest=one_jobs(project, span.users, dict.fromkeys(Pool, 1.0)),
        missing=missing,
    )


def _models(span: Span) -> tuple[ModelDemand, ...]:
    """Demand of a span by model, and what only some may serve by itself, all clusters together."""
    answer = []
    for model in sorted({model for _, model in span.users}, key=lambda model: model or ""):
        rows = tuple((pool, model) for pool in SERVING_ORDER if (pool, model) in span.users)
        streams = tuple(Stream(place, row[0], span.milli(row)) for place, row in enumerate(rows))
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
    hourly: dict[Row, Ints] = {}
    for (pool, _, model), amounts in streams_of(project.cube, project.workloads, known.pools).cells.items():
        row = (pool, model)
        hourly[row] = hourly[row] + amounts if row in hourly else amounts
    facts = spot_facts(
        assumptions, project.workloads, known.classes, node_times(project.intake), project.needs
    )
    users = {hours: _users(known, hours) for hours in {project.window.hours, HOURS_PER_MONTH}}
    return LogAt(known, facts, {row: hourly[row] for row in in_order(hourly)}, users)


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
        row = (known.pools[workload], None if model < 0 else cube.gpu_models[model])
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
    lowest rate, else with the shortest. Source: docs/formulas.md, Backtest.
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
