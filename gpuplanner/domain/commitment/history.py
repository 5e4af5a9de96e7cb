"""History: a log's demand by pool and GPU model, month by month, for walking forward over it."""

from dataclasses import dataclass, replace

import numpy as np

from gpuplanner.domain.commitment.busy import Outlined
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.ground import Ground, Served, sold_in_units
from gpuplanner.domain.commitment.limited_demand import with_limited_demand
from gpuplanner.domain.commitment.rates import Flex, UsagePrice, blend, usage_price
from gpuplanner.domain.commitment.residual import ModelDemand, Site, Stream
from gpuplanner.domain.commitment.result import Floats
from gpuplanner.domain.commitment.slices import hour_weights
from gpuplanner.domain.commitment.spot import SpotFacts, spot_facts
from gpuplanner.domain.commitment.streams import streams_of
from gpuplanner.domain.commitment.users import Row
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.fit.eligibility import eligible_offers, need_of
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR, Ints
from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.pool import POOLS, SERVING_ORDER, Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario import Scenario
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, Window

ADVISED_HOURS = 2160
"""How much of the log so far an advice looks at."""
WHOLE_LOG = "log"
"""Stands for the clusters of a log: commitments that a walk buys serve their pool and model on all of them."""


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """A log as a walk forward sees it. pools[i] is the pool of project.workloads[i].

    hourly: milli-GPU-seconds of each (pool, model), int64, shape (hours,). facts: of spot, by workload.
    """

    project: Project
    pools: tuple[Pool, ...]
    assumptions: Assumptions
    hourly: dict[Row, Ints]
    facts: SpotFacts

    @property
    def months(self) -> int:
        """Whole months of 730 h; what is left at the end of the log is in none."""
        return self.project.window.hours // HOURS_PER_MONTH

    def gpus(self, row: Row, begin_h: int, end_h: int) -> Floats:
        """Mean GPUs of a row in each hour from begin_h to end_h, hours from the start of the log."""
        hourly = self.hourly[row][max(begin_h, 0) : end_h]
        return np.asarray(hourly / MILLI_GPU_SECONDS_PER_GPU_HOUR, dtype=np.float64)

    def pool_gpus(self, pool: Pool, begin_h: int, end_h: int) -> Floats:
        """Mean GPUs of a pool in each hour, all models together."""
        total = np.zeros(end_h - max(begin_h, 0))
        for row in self.hourly:
            if row[0] is pool:
                total += self.gpus(row, begin_h, end_h)
        return total

    def users(self, begin_h: int, end_h: int) -> dict[Row, Floats]:
        """Milli-GPU-seconds of each workload in each row with demand between two hours; shapes (workloads,)."""
        cube = self.project.cube
        inside = (cube.hour >= begin_h) & (cube.hour < end_h)
        amount = np.bincount(
            cube.entry_row[inside],
            weights=cube.milli_gpu_seconds[inside],
            minlength=len(cube.workload_index),
        )
        answer: dict[Row, Floats] = {}
        for place in np.flatnonzero(amount > 0).tolist():
            workload, model = int(cube.workload_index[place]), int(cube.model_index[place])
            row = (self.pools[workload], None if model < 0 else cube.gpu_models[model])
            answer.setdefault(row, np.zeros(len(self.pools)))[workload] += amount[place]
        return answer

    def several_nodes(self, users: Floats) -> bool:
        """Whether one of these workloads runs on several nodes. users: (workloads,)."""
        workloads = self.project.workloads
        return any((workloads[place].max_nodes or 1) > 1 for place in np.flatnonzero(users > 0).tolist())


def history_of(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    classes: tuple[Classification, ...] = (),
) -> History:
    """The history of a project whose window is the log to walk over, at the rates of the scenario.

    classes: what the workloads were taken for; empty where nobody said.
    """
    project = with_limited_demand(project, scenario, AdviceCache())
    project = sold_in_units(project.priced_in(scenario), project.assumptions_in(scenario).unit)
    undated = tuple(
        replace(offer, starts=None, ends=None, valid_until=None)
        for offer in project.offers
        if not offer.term_days  # a month is the shortest that is walked
    )
    project = replace(project, plan_from_s=None, offers=undated)  # every advice begins where its log ends
    assumptions = project.assumptions_in(scenario)
    hourly: dict[Row, Ints] = {}
    for (pool, _, model), amounts in streams_of(project.cube, project.workloads, pools).cells.items():
        row = (pool, model)
        hourly[row] = hourly[row] + amounts if row in hourly else amounts
    ordered = sorted(hourly, key=lambda row: (POOLS.index(row[0]), row[1] or ""))
    return History(
        project,
        pools,
        assumptions,
        {row: hourly[row] for row in ordered},
        spot_facts(assumptions, project.workloads, classes),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """Some hours of a log and what the offers mean for their rows: users, eligible offers, prices, r_flex."""

    begin_h: int
    end_h: int
    users: dict[Row, Floats]
    several_nodes: dict[Row, bool]
    eligible: dict[Row, tuple[Offer, ...]]
    prices: dict[Row, UsagePrice]

    def flex(self, row: Row) -> Flex:
        """r_flex of a row, blended over its workloads of these hours."""
        return blend([(self.prices[row], self.users[row])])


def span_of(history: History, begin_h: int, end_h: int, offers: tuple[Offer, ...]) -> Span:
    """What some hours of the log show of it, with these offers."""
    users = history.users(begin_h, end_h)
    several = {row: history.several_nodes(amounts) for row, amounts in users.items()}
    mappings = history.project.mappings
    eligible = {row: eligible_offers(offers, need_of(*row, several[row]), mappings) for row in users}
    prices = {row: usage_price(eligible[row], row[0], history.facts) for row in users}
    return Span(begin_h, end_h, users, several, eligible, prices)


def ground_at(
    history: History, span: Span, carried: tuple[Contract, ...], assumptions: Assumptions
) -> Ground:
    """The ground of an advice given at the end of a span, with commitments carried over as existing contracts.

    Carried contracts stand on WHOLE_LOG, pinned to their pool.
    """
    hours = span.end_h - span.begin_h
    start_s = history.project.window.start_s + span.begin_h * HOUR_S
    project = replace(
        history.project, window=Window(start_s, hours, history.project.window.timezone), contracts=carried
    )
    served = Served(carried, _models(history, span), span.users, span.users, {}, {})
    growth = {pool: assumptions.of_pool("growth", pool) for pool in Pool}
    return Ground(
        project,
        Scenario("walk"),
        assumptions,
        history.pools,
        served,
        served,
        span.several_nodes,
        span.eligible,
        span.prices,
        growth,
        hour_weights(hours, assumptions.recency_half_life_days),
        Outlined(growth, assumptions.growth_fade),
        history.facts,
    )


def _models(history: History, span: Span) -> tuple[ModelDemand, ...]:
    """Demand of a span by model, and what only some may serve by itself, all clusters together."""
    answer = []
    for model in sorted({model for _, model in span.users}, key=lambda model: model or ""):
        rows = tuple((pool, model) for pool in SERVING_ORDER if (pool, model) in span.users)
        streams = tuple(
            Stream(place, pool, history.hourly[pool, model][span.begin_h : span.end_h].astype(np.float64))
            for place, (pool, _) in enumerate(rows)
        )
        answer.append(ModelDemand(model, rows, (Site(WHOLE_LOG, streams),)))
    return tuple(answer)
