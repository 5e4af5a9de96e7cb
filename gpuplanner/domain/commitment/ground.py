"""The ground a plan stands on: who wants how much of which model, who serves it in month 0, and what is on offer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.calendar import FREE_LEADS, Calendar
from gpuplanner.domain.commitment.rates import Flex, UsagePrice, blend, shares_of, usage_price
from gpuplanner.domain.commitment.residual import ModelDemand, Site, Stream
from gpuplanner.domain.commitment.result import Floats
from gpuplanner.domain.commitment.slices import hour_weights
from gpuplanner.domain.commitment.split import clusters_of, split_cluster, usual_model
from gpuplanner.domain.commitment.spot import SpotFacts, spot_facts
from gpuplanner.domain.commitment.streams import (
    Cell,
    Streams,
    moved_streams,
    scaled,
    scaled_streams,
    streams_of,
)
from gpuplanner.domain.commitment.users import Row, gpu_time_by_row
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.fit.eligibility import Need, eligible_offers
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.contract_months import running
from gpuplanner.domain.model.cube import Ints
from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.pool import SERVING_ORDER, Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario import Scenario
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.model.worded import worded


@dataclass(frozen=True, slots=True, eq=False)
class Served:
    """Demand by model after some contracts have served month 0. users: GPU time (workloads,) of each row."""

    contracts: tuple[Contract, ...]
    models: tuple[ModelDemand, ...]
    users: dict[Row, Floats]
    served: dict[str, int]  # milli-GPU-seconds in the window, by contract_id
    unknown_milli_gpu_seconds: dict[
        str | None, int
    ]  # of demand of unknown model, by the model it counts with


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Everything that the plan, doing nothing and the joint plan share.

    project: its offers are at the rates of the scenario's price case.
    contracts: the commitments that serve in the plan; plan, nothing: demand as each of the two sees it.
    classes: what each workload was taken for; empty where nobody said.
    """

    project: Project
    scenario: Scenario
    assumptions: Assumptions
    pools: tuple[Pool, ...]
    plan: Served
    nothing: Served
    several_nodes: dict[Row, bool]
    eligible: dict[Row, tuple[Offer, ...]]
    prices: dict[Row, UsagePrice]
    growth: dict[Pool, float]
    weights: Floats | None
    facts: SpotFacts
    classes: tuple[Classification, ...] = ()

    @property
    def window(self) -> Window:
        """The window that months are counted from; its hours are those that were logged."""
        return self.project.plan_window

    @property
    def calendar(self) -> Calendar:
        """When offers can begin in its months."""
        return Calendar(self.window.end_s, self.assumptions.short_leads == FREE_LEADS)

    def blend_of(self, rows: Sequence[Row]) -> Callable[[frozenset[str]], tuple[Flex, Mapping[str, float]]]:
        """r_flex of some rows together without some offers (by offer_id), and the share of GPU-hours on each other."""

        def without(closed: frozenset[str]) -> tuple[Flex, Mapping[str, float]]:
            parts = []
            for row in rows:
                kept = [offer for offer in self.eligible[row] if offer.offer_id not in closed]
                parts.append((usage_price(kept, row[0], self.facts), self.plan.users[row]))
            return blend(parts), shares_of(parts)

        return without

    @property
    def origin(self) -> str:
        """What days before and after are counted from, in words."""
        return worded("the window") if self.window is self.project.window else worded("the plan begins")

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of the plan, sorted by pool and model."""
        return tuple(sorted(self.plan.users, key=lambda row: (row[0], row[1] or "")))


def ground_of(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    cache: AdviceCache,
    classes: tuple[Classification, ...] = (),
) -> Ground:
    """Sum, split and price the demand of a scenario. pools[i] is the pool of project.workloads[i].

    classes: what they were taken for, for what may run on spot; empty where nobody said.
    """
    assumptions = project.assumptions_in(scenario)
    project = sold_in_units(project.priced_in(scenario), assumptions.unit)
    demand = {pool: assumptions.demand_of(pool) for pool in Pool}
    streams = scaled_streams(_streams(project, pools, cache), demand, partial(_scaled, cache))
    committed = () if scenario.greenfield else tuple(c for c in project.contracts if c.is_committed)
    plan = _served(project, streams, committed, demand, cache)
    nothing = (
        plan
        if committed == project.contracts
        else _served(project, streams, project.contracts, demand, cache)
    )
    facts = cache.recall(
        "spot",
        (assumptions,),
        (project.workloads, classes),
        partial(spot_facts, assumptions, project.workloads, classes),
    )
    many = cache.recall(
        "nodes",
        (),
        (project.workloads,),
        lambda: np.array([(w.max_nodes or 1) > 1 for w in project.workloads], dtype=np.bool_),
    )
    several, eligible, prices = {}, {}, {}
    for row, users in plan.users.items():
        several[row] = bool((many & (users > 0)).any())
        eligible[row] = eligible_offers(project.offers, Need(*row, several[row]), project.mappings)
        prices[row] = usage_price(eligible[row], row[0], facts)
    return Ground(
        project,
        scenario,
        assumptions,
        pools,
        plan,
        nothing,
        several,
        eligible,
        prices,
        {pool: assumptions.of_pool("growth", pool) for pool in Pool},
        hour_weights(project.window.hours, assumptions.recency_half_life_days),
        facts,
        classes,
    )


def sold_in_units(project: Project, unit: int | None) -> Project:
    """The project with every offer sold in units of so many GPUs (1: single ones); None: as offers say."""
    if unit is None or not project.offers:
        return project
    said = None if unit == 1 else unit
    return replace(project, offers=tuple(replace(offer, unit_gpus=said) for offer in project.offers))


def _streams(project: Project, pools: tuple[Pool, ...], cache: AdviceCache) -> Streams:
    """The streams of these pools, from the last ones where they are known: only what moved is summed again."""
    last: list[Streams] = cache.recall("streams", (), (project.cube, project.workloads), list)
    streams = moved_streams(last[0], pools) if last else streams_of(project.cube, project.workloads, pools)
    last[:] = [streams]
    return streams


def _scaled(cache: AdviceCache, amounts: Ints, factor: float) -> Ints:
    return cache.recall("scaled", (factor,), (amounts,), partial(scaled, amounts, factor))


def _served(
    project: Project,
    streams: Streams,
    contracts: tuple[Contract, ...],
    demand: Mapping[Pool, float],
    cache: AdviceCache,
) -> Served:
    hours = project.window.hours
    in_month_0 = running(contracts, project.plan_window, 0)
    parts: dict[Cell, Ints] = {}
    served = {contract.contract_id: 0 for contract in contracts}
    for cluster in clusters_of(streams):
        here = tuple(contract for contract in in_month_0 if contract.cluster == cluster)
        cells = {key: amounts for key, amounts in streams.cells.items() if key[1] == cluster}
        rest = usual_model(cluster, project.contracts)
        split = cache.recall(
            "split",
            (here, rest, *cells),
            tuple(cells.values()),
            partial(split_cluster, cluster, cells, here, rest, hours),
        )
        parts.update(split.parts)
        served.update(split.served)
    totals = cache.recall("totals", (), (project.cube,), lambda: project.cube.row_totals)
    unknown: dict[str | None, int] = {}
    for (_, _, model), part in parts.items():
        unknown[model] = unknown.get(model, 0) + int(part.sum())
    users = {
        row: amounts if demand[row[0]] == 1 else amounts * demand[row[0]]
        for row, amounts in gpu_time_by_row(streams, parts, totals).items()
    }
    return Served(contracts, _models(streams, parts, cache), users, served, unknown)


def _models(streams: Streams, parts: Mapping[Cell, Ints], cache: AdviceCache) -> tuple[ModelDemand, ...]:
    """Demand by model; on each cluster in serving order: known demand of every pool, then the split unknown one."""
    listed: dict[str | None, list[tuple[Cell, Ints]]] = {}
    known = {key: amounts for key, amounts in streams.cells.items() if key[2] is not None}
    for source in (known, parts):
        for pool in SERVING_ORDER:
            for key in sorted(
                (key for key in source if key[0] is pool), key=lambda key: (key[1], key[2] or "")
            ):
                listed.setdefault(key[2], []).append((key, source[key]))
    models = []
    for model in sorted(listed, key=lambda model: model or ""):
        cells = listed[model]
        models.append(
            cache.recall(
                "model",
                (model, *(key for key, _ in cells)),
                tuple(amounts for _, amounts in cells),
                partial(_model_demand, model, cells),
            )
        )
    return tuple(models)


def _model_demand(model: str | None, cells: Sequence[tuple[Cell, Ints]]) -> ModelDemand:
    rows = tuple(pool for pool in SERVING_ORDER if any(key[0] is pool for key, _ in cells))
    sites = tuple(
        Site(
            cluster,
            tuple(
                Stream(rows.index(key[0]), key[0], amounts.astype(np.float64))
                for key, amounts in cells
                if key[1] == cluster
            ),
        )
        for cluster in sorted({key[1] for key, _ in cells})
    )
    return ModelDemand(model, rows, sites)
