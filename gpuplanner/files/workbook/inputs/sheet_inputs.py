"""What sheets are written from: an evaluation by cluster, model, pool and hour, its months, demand that grows."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.spend.on_demand_rates import eligible_rates
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours, model_of_cluster
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window, run_seconds_by_hour
from gpuplanner.domain.audit.utilization.paid_contracts import held_contracts
from gpuplanner.domain.commitment.busy import months_of, residual_at, spans_of_months
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.model_demand import ModelDemand
from gpuplanner.domain.commitment.demand.streams import several_nodes
from gpuplanner.domain.commitment.order_days import VerdictRow, verdict_rows
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.plan.ground import (
    Ground,
    contracts_in,
    ground_of,
    ordered_dollars,
    with_ends,
)
from gpuplanner.domain.commitment.plan.orders import liability_usd, to_sign
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.recursion.calendar import is_by_calendar
from gpuplanner.domain.commitment.recursion.rates import at_first_day
from gpuplanner.domain.commitment.result import Advice, PoolPlan
from gpuplanner.domain.commitment.uncertainty.limit_costs import ProviderPlan, providers_alone
from gpuplanner.domain.evaluation import Evaluation, planned_work_today, scenario_named
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.typed import plan_month
from gpuplanner.domain.fit.rules import eligible_offers, need_of
from gpuplanner.domain.message import capital
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.billed_part import BilledPart, ContractAtFee
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.dollars import DollarPart
from gpuplanner.domain.model.book.offer import Offer, has_owned
from gpuplanner.domain.model.book.only import Row, gpu_model_of, ratios_of
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.files.workbook.kit.book import Table
from gpuplanner.files.workbook.kit.expressions import Expr, Range, by_row, summed
from gpuplanner.files.workbook.kit.looks import Field
from gpuplanner.lazy_dataclass import dataclass, field, replace


class StreamKey(NamedTuple):
    """Whose GPUs a column holds. gpu_model: None where the log does not say it; pool: or the class."""

    cluster: str
    gpu_model: str | None
    pool: Pool


SERVES_LESS: Final = "Savings are unknown: the plan leaves demand unserved. Calc months lists this demand."
"""Beside every dash that stands for what such a plan saves (`Inputs.serves_less`)."""


@dataclass(frozen=True, slots=True)
class MonthPart:
    """A part of a month: number within it, from and to in epoch seconds."""

    month: int
    number: int
    from_s: int
    to_s: int

    @property
    def hours(self) -> float:
        """How long it is."""
        return (self.to_s - self.from_s) / HOUR_S


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedRow:
    """Demand that looks for offers: label says for what (today, plan, unplanned), eligible which by offer_id.

    ratios: of the eligible offers of mapped models, by offer_id. pool: of today a class. is_reserved: its GPUs are
    only reserved by calendar.
    """

    label: str
    pool: Pool
    gpu_model: str | None
    eligible: frozenset[str]
    ratios: Mapping[str, float] = field(default_factory=dict)
    is_reserved: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Inputs:
    """An evaluation with advice and outlook.

    today, plan: mean GPUs in each hour by (cluster, model, class) and by (cluster, model, pool), shape (hours,);
    streams without demand are left out. classes, pools: of each workload, in the order of Project.workloads.
    in_parts: the evaluation with the parts of what the plan divides. generated_at_s: the book is of that moment, UTC.
    `plan` is at the demand that the scenario plans with, `today` as logged. ground: the app's offers by pool and
    model, and whose demand it is. alone: each provider alone.
    """

    evaluation: Evaluation
    generated_at_s: int
    in_parts: Evaluation
    advice: Advice
    outlook: Outlook
    scenario: Scenario
    assumptions: Assumptions
    classes: tuple[Pool, ...]
    pools: tuple[Pool, ...]
    today: dict[StreamKey, Floats]
    plan: dict[StreamKey, Floats]
    ground: Ground
    alone: tuple[ProviderPlan, ...]

    @property
    def project(self) -> Project:
        """The project evaluated; where the plan divides workloads, with their parts."""
        return self.in_parts.project

    @cached_property
    def verdicts(self) -> Mapping[str, VerdictRow]:
        """What becomes of each contract, with the decision about it, by contract_id."""
        rows = verdict_rows(self.project, self.advice, self.outlook.open_decisions)
        return {row.verdict.contract_id: row for row in rows}

    @property
    def audit(self) -> Audit:
        """The audit of its window, with a row for each workload of `project`."""
        return self.in_parts.audit

    def is_refused(self, pair: Row) -> bool:
        """Whether nobody who may serve a pool and model sells by use: what is not signed is then served by nobody."""
        plan = self.pool_plan(pair)
        is_by_hand = pair in self.scenario.hand_layers and pair not in self.scenario.advised_around
        is_left = self.ground.is_left_to_nobody(pair)
        return is_left and plan is not None and plan.flex.rate is None and not is_by_hand

    def is_of_runs_alone(self, pair: Row) -> bool:
        """Whether a pool and model have planned runs that end, and no other demand."""
        users = self.ground.plan.users.get(pair)
        return users is None or not users.any()

    def has_existing(self, model: str | None) -> bool:
        """Whether the plan counts with existing contracts of a model, whoever may serve what wants it."""
        bare = gpu_model_of(model)
        has_any = any(row.gpu_model == bare and row.is_committed for row in self.contracts)
        return has_any and not self.scenario.greenfield

    @cached_property
    def held_ends(self) -> Mapping[str, int | None]:
        """By id until when contracts bind as they stand today, epoch seconds; None: they have no end."""
        held = {contract.contract_id: contract.end_s for contract in held_contracts(self.project)}
        parts = (row for row in self.contracts if row.is_dollars)  # those of the plan are not there today
        held |= {row.contract_id: held.get(row.whole_id, row.start_s) for row in parts}
        return held | {row.contract_id: row.end_s for row in self.contracts if isinstance(row, BilledPart)}

    @cached_property
    def parts(self) -> tuple[MonthPart, ...]:
        """The twelve months of the plan in the parts that beginnings, ends and steps cut them into, in order."""
        spans = spans_of_months(self.ground.outlined.moments, self.project.plan_window, COMPARED_MONTHS)
        return tuple(
            MonthPart(month, number, from_s, to_s)
            for month, of_month in enumerate(spans)
            for number, (from_s, to_s) in enumerate(of_month)
        )

    def parts_of(self, month: int) -> list[int]:
        """Places in `parts` of those of a month."""
        return [place for place, part in enumerate(self.parts) if part.month == month]

    @property
    def serves_less(self) -> bool:
        """Whether the plan leaves demand unserved, so that its savings are unknown.

        As the app has it, whose savings are unknown then though both amounts are known.
        """
        totals = self.advice.totals
        return totals.savings_vs_do_nothing is None and None not in (totals.plan, totals.do_nothing)

    @cached_property
    def counted_offers(self) -> tuple[Offer, ...]:
        """The offers at the rates that the plan counts with: of its price case, on the day that it begins.

        Law: the project's own at mid, without a step of prices that has happened by then.
        """
        offers = self.project.offers_in(self.scenario)
        return at_first_day(offers, self.scenario.price_changes, self.project.plan_window.end_s)

    @property
    def hours(self) -> int:
        """Hours of the window."""
        return self.project.window.hours

    @cached_property
    def contracts(self) -> tuple[Contract, ...]:
        """Contracts by contract_id as the plan pays them; one whose notice has passed to the end that it renews to."""
        known = {row.contract_id: row for row in self.ground.plan.contracts if not row.is_dollars}
        held = (known.get(row.contract_id, row) for row in with_ends(self.project, self.scenario))
        rows = (*held, *ordered_dollars(self.project, self.scenario))
        billed = (part for part, _ in self.dollar_hours.values() if isinstance(part, BilledPart))
        return (*(part for row in rows for part in self._parts_of(row)), *billed)

    def _parts_of(self, contract: Contract) -> list[Contract]:
        """A contract; of one in dollars that the window has, what it covers by cluster and GPU model, and what is
        unused, GPUs on average; of one that begins later, what it covers in the plan."""
        hours = run_seconds_by_hour(contract, self.project.window).sum() / HOUR_S
        parts: list[Contract] = [
            replace(part, paid_usd=float(gpus.sum() / hours) * (part.rate or 0.0))
            for part, gpus in self.dollar_hours.values()
            if hours and contract.is_dollars and part.whole_id == contract.whole_id
        ]
        planned = [
            row for row in self.ground.plan.contracts if row.is_dollars and row.whole_id == contract.whole_id
        ]
        return parts or planned or [contract]

    @cached_property
    def dollar_hours(self) -> dict[str, tuple[DollarPart, Floats]]:
        """What commitments in dollars cover of each cluster and GPU model, by id, and its GPUs in each hour of the
        window; of the app."""
        return {
            (name := f"{row.contract_id} {hours.cluster}".strip()): (
                replace(row, contract_id=name, cluster=hours.cluster),
                hours.capacity[place] / MILLI_GPU_SECONDS_PER_GPU_HOUR,
            )
            for hours in self.served_today
            for place, row in enumerate(hours.contracts)
            if isinstance(row, DollarPart)
        }

    @cached_property
    def served_today(self) -> tuple[ClusterHours, ...]:
        """The clusters in the window, of the app."""
        return dispatch_window(self.project, self.classes)

    @cached_property
    def billed_rates(self) -> dict[str, float | None]:
        """What bills charged for contracts in the window in place of their rates, $ per GPU-hour, by id."""
        rows = (row for hours in self.served_today for row in hours.contracts)
        return {row.contract_id: row.rate for row in rows if isinstance(row, ContractAtFee)}

    @cached_property
    def in_force(self) -> tuple[Contract, ...]:
        """The same with the ends that they have without new commitments."""
        ends = {
            row.whole_id: row.end_s
            for row in contracts_in(self.project, self.scenario).nothing
            if row.is_dollars
        }
        known = {row.contract_id: row for row in self.ground.nothing.contracts}
        known |= {row.contract_id: row for row in self.contracts if isinstance(row, BilledPart)}
        return tuple(
            replace(row, end_s=ends[row.whole_id])
            if row.whole_id in ends
            else known.get(row.contract_id, row.ending(row.start_s + 1))
            for row in self.contracts
        )

    def over_key(self, pair: Row) -> tuple[str, Pool, str | None]:
        """The column of what contracts leave over for the slices of a pool and model in month 0."""
        return ("over_slices" if any(row.slices for row in self.contracts) else "over", *pair)

    @cached_property
    def _covered(self) -> dict[tuple[str, str | None, int], Floats | None]:
        """GPUs that commitments in dollars cover, (rows, hours): by existing, slices or all, model, part of a month."""
        return {}

    def covered_by_dollars(self, which: str, model: ModelDemand, row: int, part: int) -> Floats | None:
        """GPUs of a row of a model that commitments in dollars cover in each hour of a part of a month, values of the
        app; None where there are none. which: existing, slices or all."""
        if (key := (which, model.gpu_model, part)) not in self._covered:
            self._covered[key] = self._covered_rows(which, model, part)
        covered = self._covered[key]
        return None if covered is None or not covered[row].any() else covered[row]

    def _covered_rows(self, which: str, model: ModelDemand, part: int) -> Floats | None:
        contracts = (self.ground.nothing if which == "all" else self.ground.plan).contracts
        if which == "slices":
            contracts = self.ground.below_slices
        of_gpus = tuple(each for each in contracts if not each.is_shared)
        if len(of_gpus) == len(contracts):
            return None
        at, left = self.parts[part], list[Floats]()
        for held in (of_gpus, contracts):
            months = months_of(model, held, self.project.window, self.ground.outlined, COMPARED_MONTHS)
            left.append(residual_at(model, months[at.month][at.number].state, self.hours))
        return (left[0] - left[1]) / MILLI_GPU_SECONDS_PER_GPU_HOUR

    @cached_property
    def clusters(self) -> tuple[str, ...]:
        """Clusters with demand or contracts, sorted."""
        return tuple(
            sorted({key.cluster for key in self.today} | {contract.cluster for contract in self.contracts})
        )

    @cached_property
    def models(self) -> tuple[str | None, ...]:
        """GPU models of demand and contracts, sorted, the unknown one last."""
        models = {key.gpu_model for key in self.today} | {contract.gpu_model for contract in self.contracts}
        return tuple(sorted(models, key=model_order))

    def locked_cells(self, contract: Contract) -> frozenset[str]:
        """What of a contract formulas of the months cannot follow: gpus, rate, start or end.

        GPUs and rates say which of several models serves jobs of unknown model, whose split is the app's then; rates
        alone who serves first where not everybody may serve everything.
        """
        if isinstance(contract, BilledPart):
            return frozenset(("gpus", "rate", "start", "end"))
        is_untyped = any(key.cluster == contract.cluster and key.gpu_model is None for key in self.today)
        if is_untyped and self.has_mixed_models(contract.cluster):
            return frozenset(("gpus", "rate", "start", "end"))
        beside = [
            row
            for row in self.contracts
            if (row.cluster, row.gpu_model) == (contract.cluster, contract.gpu_model)
        ]
        served = {tuple(only.allows(row) for only in self.scenario.only.values()) for row in beside}
        return frozenset(("rate",)) if len(served) > 1 else frozenset()

    def contract_places(self, cluster: str) -> tuple[int, ...]:
        """Places in `contracts` of a cluster's contracts, by model and then contract_id."""
        rows = [place for place, contract in enumerate(self.contracts) if contract.cluster == cluster]
        return tuple(sorted(rows, key=lambda place: (model_order(self.contracts[place].gpu_model), place)))

    def usual_model(self, cluster: str) -> str | None:
        """What unserved demand of unknown model counts with: the model of the row with most GPUs, then lowest id."""
        return model_of_cluster(row for row in self.contracts if row.cluster == cluster)

    def has_mixed_models(self, cluster: str) -> bool:
        """Whether contracts of several models stand on a cluster, so that untyped demand is split by who serves it."""
        return len({row.gpu_model for row in self.contracts if row.cluster == cluster}) > 1

    @cached_property
    def pairs(self) -> tuple[Row, ...]:
        """Every (pool, model) of the plan, pools in the order of the board, models sorted."""
        advised = {Row(row.pool, row.gpu_model) for row in self.advice.pools}
        return tuple(sorted(advised | set(self.ground.plan.users), key=pair_order))

    @cached_property
    def unplanned_pairs(self) -> tuple[Row, ...]:
        """Pools and models with demand only without new commitments: of unknown model, served by rows on demand."""
        return tuple(sorted(set(self.ground.nothing.users) - set(self.pairs), key=pair_order))

    @property
    def pairs_of_nothing(self) -> tuple[Row, ...]:
        """Every (pool, model) that doing nothing may leave over: the plan's, then the unplanned ones."""
        return (*self.pairs, *self.unplanned_pairs)

    def pool_plan(self, pair: Row) -> PoolPlan | None:
        """The advice for a pair."""
        return next((row for row in self.advice.pools if (row.pool, row.gpu_model) == pair), None)

    @cached_property
    def today_needs(self) -> dict[Row, NeedRow]:
        """What overflow and contracts of the window are compared with, by class and model."""
        pairs = {Row(key.pool, self.model_counted(key.cluster, key.gpu_model)) for key in self.today}
        pairs |= {Row(self.contract_pool(contract), contract.gpu_model) for contract in self.contracts}
        several = eligible_rates(self.project, self.classes).several_nodes
        return {
            pair: self._need_row("today", pair, self.project, pair in several)
            for pair in sorted(pairs, key=pair_order)
        }

    @cached_property
    def plan_needs(self) -> dict[Row, NeedRow]:
        """What each pool and model of the plan may use."""
        eligible = self.ground.eligible
        return {
            pair: self._need_row("plan", pair, self.project, False, eligible.get(pair)) for pair in self.pairs
        }

    @cached_property
    def unplanned_needs(self) -> dict[Row, NeedRow]:
        """What that demand would use on demand, once the rows that serve it end or no longer suffice."""
        project = self.ground.project
        several = several_nodes(project.workloads, self.ground.nothing.users)
        return {
            pair: self._need_row("unplanned", pair, project, several[pair]) for pair in self.unplanned_pairs
        }

    def _need_row(
        self,
        label: str,
        pair: Row,
        project: Project,
        is_of_several: bool,
        known: Sequence[Offer] | None = None,
    ) -> NeedRow:
        """A need with the offers it may use and what one of their GPUs is worth of its own. is_of_several: whether it
        runs on several nodes; known: the offers, where the plan knows them."""
        mappings, offers = self.project.mappings, known
        if offers is None:
            offers = eligible_offers(project.offers, need_of(*pair, is_of_several), project.mappings)
        eligible = frozenset(offer.offer_id for offer in offers)
        of_mapped = ratios_of(offers, pair.name, mappings, pair.pool)
        pool, gpu_model = pair
        return NeedRow(
            label=label,
            pool=pool,
            gpu_model=gpu_model,
            eligible=eligible,
            ratios=of_mapped,
            is_reserved=is_by_calendar(offers),
        )

    @cached_property
    def planned_models(self) -> tuple[str | None, ...]:
        """The models of the plan's rows, each once, in their order."""
        return tuple(dict.fromkeys(pair.name for pair in self.pairs))

    def model_counted(self, cluster: str, model: str | None) -> str | None:
        """A model, or for an unknown one the model it counts with."""
        return self.usual_model(cluster) if model is None else model

    def contract_pool(self, contract: Contract) -> Pool:
        """The pool a contract is compared for: its own, else the class with most GPU time on its cluster."""
        if contract.pool is not None:
            return contract.pool
        spent = dict.fromkeys(POOLS, 0.0)
        for (cluster, _, pool), gpus in self.today.items():
            if cluster == contract.cluster:
                spent[pool] += float(gpus.sum())
        return max(POOLS, key=spent.__getitem__)


def pair_order(pair: Row) -> tuple[int, tuple[bool, str]]:
    """Sort key of pools and models: pools in the order of the board."""
    return (POOLS.index(pair.pool), model_order(pair.name))


def cluster_words(cluster: str) -> str:
    """A cluster's name in the book; jobs may name none."""
    return cluster or "no cluster"


def model_order(model: str | None) -> tuple[bool, str]:
    """Sort key of GPU models: by name, the unknown one last."""
    return (model is None, model or "")


def pool_words(pool: Pool) -> str:
    """A pool or class as a reader sees it."""
    return str(pool).capitalize()


PAIR_FIELDS: Final = (Field(key="pool", heading="Pool"), Field(key="gpu_model", heading="GPU model"))


def put_pair(table: Table, place: int, pair: Row) -> None:
    """Fill the two columns that say of which pool and model a row is."""
    table.put("pool", place, pool_words(pair.pool), f"pool_{pair.pool}")
    table.put("gpu_model", place, model_words(pair.name))


def model_words(model: str | None) -> str:
    """A GPU model as a reader sees it."""
    return "unknown model" if model is None else model


def month_words(month: int) -> str:
    """What a month of the plan is called in a heading. month: 0 for the first."""
    return str(capital(plan_month(month)))


def part_words(inputs: Inputs, place: int) -> str:
    """Month 3; Month 3, part 2 where it has several."""
    part = inputs.parts[place]
    words = month_words(part.month)
    return words if len(inputs.parts_of(part.month)) == 1 else f"{words}, part {part.number + 1}"


def inputs_of(evaluation: Evaluation, generated_at_s: int) -> Inputs:
    """Sort an evaluation for the sheets of a book of that moment.

    Errors: ValueError where the evaluation has no advice or no outlook yet.
    """
    if evaluation.outlook is None:
        raise ValueError("no outlook yet")
    in_parts = evaluation.in_parts
    named = scenario_named(in_parts.project, evaluation.scenario)
    scenario = replace(named, whole_decisions=evaluation.plan.whole_decisions)
    assumptions = in_parts.project.assumptions_in(scenario)
    # a formula gives the rates of owned GPUs, at the assumptions that the book has
    if has_owned(in_parts.project.offers):
        in_parts = replace(in_parts, project=replace(in_parts.project, assumptions=assumptions))
    project = in_parts.project
    classes = tuple(row.classification.pool for row in in_parts.audit.workloads)
    pools = tuple(card.pool for card in evaluation.figures.cards)
    cache, advice = AdviceCache(), _without_dollars(evaluation.advised, project.plan_window.end_s)
    ground = ground_of(project, scenario, pools, cache, advice.classes)
    return Inputs(
        evaluation=evaluation,
        generated_at_s=generated_at_s,
        in_parts=in_parts,
        advice=advice,
        outlook=evaluation.outlook,
        scenario=scenario,
        assumptions=assumptions,
        classes=classes,
        pools=pools,
        today=streams(evaluation.project, [row.classification.pool for row in evaluation.audit.workloads]),
        plan={key: gpus * assumptions.demand_of(key.pool) for key, gpus in streams(project, pools).items()},
        # no sheet reads its cubes, of which each is as large as the log's
        ground=replace(ground, project=replace(ground.project, cube=project.cube), groups=()),
        alone=providers_alone(
            project, scenario, pools, advice, cache=cache, today=planned_work_today(evaluation)
        ),
    )


def _without_dollars(advice: Advice, begins_s: int) -> Advice:
    """The advice with its orders of GPUs alone: those in dollars are rows of Contracts, and bind there. begins_s: when
    the plan does."""
    orders = tuple(order for order in advice.orders if not order.is_dollars)
    if len(orders) == len(advice.orders):
        return advice
    owed, now = advice.totals.liability, advice.totals.liability_now
    in_all = None if owed is None else liability_usd(orders)
    soon = None if now is None else liability_usd(to_sign(orders, begins_s))
    return replace(advice, orders=orders, totals=replace(advice.totals, liability=in_all, liability_now=soon))


def streams(project: Project, pools: Sequence[Pool]) -> dict[StreamKey, Floats]:
    """Mean GPUs in each hour by (cluster, model, pool); pools: of each workload. Sums are exact before the division."""
    cube = project.cube
    sums: dict[StreamKey, np.ndarray[tuple[int], np.dtype[np.int64]]] = {}
    for row, (index, model) in enumerate(cube.pairs):
        key = StreamKey(project.workloads[index].cluster, model, pools[index])
        span = slice(int(cube.offsets[row]), int(cube.offsets[row + 1]))
        into = sums.setdefault(key, np.zeros(cube.hours, dtype=np.int64))
        into[cube.hour[span]] += cube.milli_gpu_seconds[span]  # an hour stands once in a row
    ordered = sorted(sums, key=lambda key: (key.cluster, model_order(key.gpu_model), POOLS.index(key.pool)))
    return {key: sums[key] / MILLI_GPU_SECONDS_PER_GPU_HOUR for key in ordered if sums[key].any()}


WHICH = ("existing", "all")
"""Contracts that serve in the plan, and those that serve without new commitments."""


class CapacityKey(NamedTuple):
    """Whose GPUs demand may meet. pool: that the contracts are pinned to; None: to none."""

    cluster: str
    gpu_model: str | None
    pool: Pool | None


def serving_places(inputs: Inputs, which: str) -> tuple[int, ...]:
    """Places of the contracts that serve in the plan (existing), or without new commitments (all)."""
    rows = [(place, row) for place, row in enumerate(inputs.contracts) if not isinstance(row, BilledPart)]
    if which == "all":
        return tuple(place for place, _ in rows)
    return tuple(place for place, row in rows if row.is_committed and not inputs.scenario.greenfield)


def capacity_keys(inputs: Inputs) -> tuple[CapacityKey, ...]:
    """Whose GPUs demand may meet, sorted: of all contracts, for a day that is moved may bring one into the months."""
    keys = {
        CapacityKey(contract.cluster, contract.gpu_model, contract.pool)
        for contract in inputs.contracts
        if not contract.is_shared
    }
    return tuple(sorted(keys, key=lambda key: (key.cluster, key.gpu_model or "", key.pool or "")))


def differs_without_signing(inputs: Inputs, cluster: str) -> bool:
    """Whether doing nothing is served by other rows than the plan: rows on demand too, contracts in any case, and those
    that then renew to another end."""
    rows = [
        row.is_committed and row.end_s == other.end_s
        for row, other in zip(inputs.contracts, inputs.in_force, strict=True)
        if row.cluster == cluster and not isinstance(row, BilledPart)
    ]
    return bool(rows) and (inputs.scenario.greenfield or not all(rows))


def left_of(
    streams: Sequence[tuple[Hashable, Range]],
    row: Hashable,
    capacity: Sequence[tuple[Collection[Hashable], Expr]],
) -> Range | None:
    """What is left of the demand of one row, by the GPUs that serve some rows each; None where the row has none.

    streams: demand with its row, in the order of serving; capacity: the rows that it serves, and its GPUs, in the order
    in which demand turns to them. Source: docs/formulas/contracts.md; with the
    demand so far A, of which B came before and D is new, what is left of D is max(A - C, 0) - max(B - C, 0) =
    (|A - C| - |B - C| + D) / 2, as D >= 0.
    """
    came: list[list[Range]] = [[] for _ in capacity]
    found: list[Range] = []
    for each, demand in streams:
        left = demand
        for before, (rows, gpus) in zip(came, capacity, strict=True):
            if each in rows:
                passed_on = _beyond(before, left, gpus)
                before.append(left)
                left = passed_on
        if each == row:
            found.append(left)
    return summed(found) if found else None


def _beyond(before: Sequence[Range], new: Range, gpus: Expr) -> Range:
    """What some GPUs leave of new demand, when demand came before it."""
    if not before:
        return by_row("(ABS({new}-{gpus})+{new}-{gpus})/2", new=new, gpus=gpus)
    past, both = summed(before), summed([*before, new])
    text = "(ABS({both}-{gpus})-ABS({past}-{gpus})+{new})/2"
    return by_row(text, both=both, past=past, new=new, gpus=gpus)
