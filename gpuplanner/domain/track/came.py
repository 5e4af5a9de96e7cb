"""What came since a plan: the demand of a later log by the plan's pools, and the rates of what was held and used."""

from collections.abc import Sequence

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.model_demand import ModelDemand, models_of
from gpuplanner.domain.commitment.demand.streams import (
    Cell,
    Streams,
    clusters_of,
    gpu_time_by_row,
    several_nodes,
    split_cluster,
    streams_of,
    usual_model,
    with_limited_demand,
)
from gpuplanner.domain.commitment.recursion import rates
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.demand.classification import classify
from gpuplanner.domain.demand.pools import parted
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.fit.rules import eligible_offers, need_of
from gpuplanner.domain.model.amounts import known_sum, summed
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Row, gpu_model_of, only_of
from gpuplanner.domain.model.intake import node_times
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Tables
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.domain.track.holdings import Holdings, SavedPlan, Span, usd_per_hour
from gpuplanner.lazy_dataclass import dataclass, replace

# --- What came: the demand of a later log by the plan's pools, its unknown models split by who served them


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
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
        return tuple(dict.fromkeys(Row(cell.pool, cell.name) for cell in self.cells))

    def eligible(self, row: Row, offers: Sequence[Offer], project: Project) -> tuple[Offer, ...]:
        """The offers that a row may use. project: whose mappings of models count."""
        return eligible_offers(offers, need_of(*row, self.several_nodes[row]), project.mappings)

    def price(self, row: Row, offers: Sequence[Offer], project: Project) -> rates.UsagePrice:
        """What each of its workloads pays by use. As `eligible` takes them."""
        return rates.usage_price(self.eligible(row, offers, project), row.pool, self.facts)

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
        plan.pools.get(workload.key, classification.pool)
        for workload, classification in zip(later.workloads, classes, strict=True)
    )
    # demand that only some may serve is limited by the plan's offers and contracts
    board = plan.ground.project
    beside = replace(later, offers=board.offers, contracts=board.contracts, mappings=board.mappings)
    later = replace(later, cube=with_limited_demand(beside, scenario, cache).cube)
    streams = streams_of(later.cube, later.workloads, pools)
    split, nobody = _split(streams, plan, given, spans, later)
    known = ((key, amounts) for key, amounts in streams.cells.items() if gpu_model_of(key.name) is not None)
    cells = summed((*known, *split.items()))
    users = gpu_time_by_row(streams, split, later.cube.row_totals)
    return Came(
        window=later.window,
        models=models_of((streams,), (split,), cache),
        cells=cells,
        unserved_unknown=nobody,
        keys=tuple(workload.key for workload in later.workloads),
        users=users,
        several_nodes=several_nodes(later.workloads, users),
        facts=rates.spot_facts(
            plan.ground.assumptions,
            later.workloads,
            classes,
            node_times(plan.ground.project.intake),
            plan.ground.project.needs,
        ),
    )


def _split(
    streams: Streams, plan: SavedPlan, given: Holdings | None, spans: Sequence[Span], later: Project
) -> tuple[dict[Cell, Ints], dict[tuple[Row, Span], int]]:
    """Unknown demand by the model it counts with: that of the contract which serves it, of those given, else of the
    plan's; and what of it the first leave over, by row and span."""
    hours, parts = later.window.hours, dict[Cell, Ints]()
    nobody: dict[tuple[Row, Span], int] = {}
    for cluster in clusters_of(streams):
        cells = {key: amounts for key, amounts in streams.cells.items() if key.cluster == cluster}
        if all(gpu_model_of(key.name) is not None for key in cells):
            continue
        rest = usual_model(cluster, tuple(plan.known.values())) or usual_model(cluster, later.contracts)
        for span in spans:
            inside = slice(
                (span.start_s - later.window.start_s) // HOUR_S, (span.end_s - later.window.start_s) // HOUR_S
            )
            here = {key: amounts[inside] for key, amounts in cells.items()}
            count = inside.stop - inside.start
            of_plan = running_contracts(plan.holdings, cluster, span)
            first = of_plan if given is None else running_contracts(given, cluster, span)
            split = split_cluster(cluster, here, first, rest, count)
            pieces = [split.parts]
            if given is not None:
                by_plan = _again(cluster, here, split.unserved, of_plan, rest, count)
                pieces += [{key: -amounts for key, amounts in split.unserved.items()}, by_plan]
                for (pool, _, model), amounts in by_plan.items():
                    key = (Row(pool, model), span)
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
        if gpu_model_of(key.name) is not None:
            wanted[key] = amounts
            continue
        left = [
            amount
            for cell, amount in unserved.items()
            if cell.pool is key.pool and only_of(cell.name) == only_of(key.name)
        ]
        wanted[key] = np.sum(left, axis=0) if left else np.zeros_like(amounts)
    return split_cluster(cluster, wanted, contracts, rest, hours).parts


def running_contracts(holdings: Holdings, cluster: str, span: Span) -> tuple[Contract, ...]:
    """The contracts of a cluster in a span, each with the GPUs that it has on average over it."""
    shares = holdings.there_in(span)
    return tuple(
        contract
        if shares[contract.contract_id] == 1
        else replace(contract, milli_gpus=max(1, round(contract.milli_gpus * shares[contract.contract_id])))
        for contract in holdings.contracts
        if contract.cluster == cluster and contract.contract_id in shares
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
        alike = [order for order in self.plan.holdings.orders if _is_of_model(order, contract, span)]
        usd = known_sum(usd_per_hour(order) for order in alike)
        gpus = sum(order.bought_gpus for order in alike)
        if not alike:
            return contract.rate
        return None if usd is None else usd / gpus

    def of_use(self, row: Row, span: Span) -> float | None:
        """Of the plan's month, price fall in it; of a row that is not planned, by the plan's book, else as given."""
        if row in self.plan.rows:  # one of runs alone pays what they do
            runs = (run for run in self.plan.runs if (run.row.pool, run.row.gpu_model) == row)
            paid = (bought.listed.rate_by_use(span.month) for bought in (self.plan.rows[row], *runs))
            return next((rate for rate in paid if rate is not None), None)
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
