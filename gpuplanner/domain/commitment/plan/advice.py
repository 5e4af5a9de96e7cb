"""The advice for a scenario, and the plan in one of its twelve months: what it holds, serves and costs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.utilization import paid_contracts
from gpuplanner.domain.commitment import busy
from gpuplanner.domain.commitment.busy import spans_of_months
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan import twelve_months
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of, stopped
from gpuplanner.domain.commitment.plan.layers import pool_plan
from gpuplanner.domain.commitment.plan.orders import KEEP_AFTER_MONTHS, orders_of, verdicts_of
from gpuplanner.domain.commitment.plan.plan_checks import checks_of
from gpuplanner.domain.commitment.plan.plan_energy import plan_energy, power_check
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow, in_all, parts_in_months, plan_of
from gpuplanner.domain.commitment.plan.runs import left_with_nothing, ways_of
from gpuplanner.domain.commitment.plan.totals import (
    costs_at_least,
    idle_existing,
    plan_inputs,
    totals_of,
    workload_usd,
)
from gpuplanner.domain.commitment.recursion.slice_policy import NO_ORDER
from gpuplanner.domain.commitment.result import Advice, Order, PlannedRunFigures, PoolPlan, Totals
from gpuplanner.domain.commitment.streams import Row
from gpuplanner.domain.commitment.volatility import grown
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, Part, joined, lowered, worded
from gpuplanner.domain.model.amounts import NOTHING_KNOWN, known_sum
from gpuplanner.domain.model.book.contract import (
    Contract,
    in_month,
    mean_extras_in_month,
    mean_rates_in_month,
    month_start_s,
)
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ANYBODY, gpu_model_of, only_of, who_words
from gpuplanner.domain.model.cube import SHORT_WINDOW_HOURS
from gpuplanner.domain.model.plan_inputs import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH, MONTH_S

__all__ = ["AdviceCache"]


# --- Commitment advice: how much of which pool to commit, for how long, by when, and what that costs


def advise(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    audit: Audit,
    cache: AdviceCache | None = None,
) -> Advice:
    """Advise on a scenario. Pure: with a cache the answer is the same, to the bit.

    pools[i] is the pool of project.workloads[i] (in review: that of its best class); audit gives what is paid now.
    Source: docs/formulas.md, from Hardware fit on.
    """
    cache = AdviceCache() if cache is None else cache
    cache.begin()
    classes = cache.recall("classes", (), (audit,), lambda: audit.classifications)
    ground = ground_of(project, scenario, pools, cache, classes)
    planned = plan_of(ground, cache)
    plans = tuple(
        replace(plan, demand=replace(plan.demand, gpu_time=ground.plan.now.get((plan.pool, plan.gpu_model))))
        for plan in pool_plans(ground, planned, {row: one.on_demand for row, one in ground.prices.items()})
    )
    orders = orders_of(ground, planned)
    existing = () if scenario.greenfield else tuple(stopped(one, scenario) for one in paid_contracts(project))
    is_late = any(
        one.end_s and one.end_s > month_start_s(ground.window, COMPARED_MONTHS - 1) for one in existing
    )
    later = orders_of(ground, planned, KEEP_AFTER_MONTHS + 1) if is_late else orders
    verdicts = tuple(
        verdict
        for verdict in verdicts_of(existing, later, ground.plan.served, ground)
        if verdict.contract_id not in audit.unknown_contracts
    )
    in_month_0 = in_month(ground.plan.contracts, ground.window, 0)
    unknown, asked = (
        frozenset(one.gpu_model for one in in_month_0 if one.contract_id in ids)
        for ids in (audit.unknown_contracts, audit.asked_contracts)
    )
    idle = tuple(row for row in idle_existing(ground, plans, ground.weights) if row.gpu_model not in unknown)
    comparison = twelve_months.comparison_of(ground, planned, twelve_months.nothing_by_month(ground))
    known_idle = None if unknown else idle
    at_least = costs_at_least(ground, comparison[0], audit, plans, known_idle, orders)
    if audit.asked_contracts:  # what contracts serve decides what the rest costs
        comparison = tuple(
            replace(month, do_nothing_usd=None, nothing_parts=NOTHING_KNOWN) for month in comparison
        )
    if asked:
        comparison = tuple(
            replace(month, use_usd=None, plan_parts=NOTHING_KNOWN, use_parts=NOTHING_KNOWN)
            for month in comparison
        )
    unserved = twelve_months.unserved_of(ground, planned)
    has_savings = not audit.asked_contracts and not twelve_months.leaves_unserved(
        comparison, ground.assumptions.horizon_months
    )
    inputs = plan_inputs(ground, plans, known_idle)
    energy = plan_energy(ground, planned, plans, known_idle, audit.energy.powers)
    return Advice(
        pools=plans,
        idle_existing=idle,
        orders=orders,
        verdicts=verdicts,
        totals=totals_of(ground, audit, plans, known_idle, comparison[0], orders, inputs, has_savings),
        comparison=comparison,
        checks=checks_of(
            ground,
            planned,
            plans,
            verdicts,
            () if audit.unknown_contracts else orders,  # nobody knows yet what those serve
            (
                *twelve_months.unserved_checks(unserved),
                *twelve_months.budget_check(ground, comparison),
                *power_check(ground, energy),
            ),
        ),
        workload_usd=workload_usd(ground, plans, planned.runs),
        unserved=unserved,
        classes=classes,
        asked_models=asked,
        inputs=inputs,
        energy=energy,
        planned_runs=planned_runs(ground, planned, orders),
        at_least=at_least,
        contracts=ground.plan.contracts,
        in_force=ground.nothing.contracts,
    )


def pool_plans(
    ground: Ground, planned: Planned, on_demand: Mapping[Row, Offer | None], month: int = 0
) -> tuple[PoolPlan, ...]:
    """The rows of a plan as they are shown in a month, whose demand `planned` has.

    on_demand: the cheapest eligible on-demand offer of each.
    One for each of planned.rows, in their order. Errors: KeyError for a row that on_demand has not.
    """
    there = in_month(ground.plan.contracts, ground.window, month)
    answer = []
    for one in planned.rows:
        row = (one.row.pool, one.row.gpu_model)
        runs = [run for run in planned.runs if (run.row.pool, run.row.gpu_model) == row]
        held = [contract for contract in there if contract.gpu_model == gpu_model_of(one.row.gpu_model)]
        rate, _ = mean_rates_in_month(held, ground.window, month)
        note = note_of(ground, one, planned.reached, bool(runs))
        plan = pool_plan(ground, one, runs, rate, on_demand[row], note, month)
        if extras := mean_extras_in_month(held, ground.window, month):
            layers = (replace(one, extras=extras) if one.existing else one for one in plan.layers)
            plan = replace(plan, layers=tuple(layers))
        answer.append(plan)
    return tuple(answer)


def planned_runs(ground: Ground, planned: Planned, orders: Sequence[Order]) -> tuple[PlannedRunFigures, ...]:
    """The runs of a plan, by key, with the places of their orders in the list."""
    begin_s, moments = ground.window.end_s, ground.outlined.moments
    spans = [*chain.from_iterable(spans_of_months(moments, ground.window, COMPARED_MONTHS))]
    left = left_with_nothing(ground, spans)
    return tuple(
        PlannedRunFigures(
            run.key,
            *run.row,
            run.gpus,
            layers[0].hours,
            tuple(at for at, order in enumerate(orders) if order.run == run.key),
            known_sum(one.use_usd for one in layers),
            known_sum(one.listed.usd for one in layers),
            layers[0].idle_gpus,
            layers[0].row.flex.rate,
            tuple(sum(one.listed.used_in(a - begin_s, b - begin_s) for one in layers) for a, b in spans),
            tuple(known_sum(one.listed.use_usd(month) for one in layers) for month in range(COMPARED_MONTHS)),
            left[run.key],
            HOURS_PER_MONTH * sum(one.gpus_between(0, MONTH_S)[0] for one in layers),
            HOURS_PER_MONTH * sum(one.gpus_between(0, MONTH_S)[1] for one in layers),
            sum(one.listed.unserved_in(0) for one in layers),
            work.mean_gpu_hours,
            tuple(ways_of(ground, run.row, work)),
        )
        for run in ground.runs
        for layers in ([one for one in planned.runs if one.key == run.key],)
        for work in ground.scenario.planned
        if work.key == run.key
    )


def _mapped_words(ground: Ground, planned: PlannedRow) -> list[Message]:
    """How GPUs of another model are counted in a row that may use them."""
    row = planned.row
    worth = {
        offer.gpu_model: row.ratios[offer.offer_id]
        for offer in ground.eligible.get((row.pool, row.gpu_model), ())
        if offer.offer_id in row.ratios
    }
    if not worth:
        return []
    each = [
        worded("1 {model} counts as {ratio}", model=model, ratio=significant(ratio))
        for model, ratio in sorted(worth.items())
    ]
    given: dict[str, Part] = {"gpu_model": gpu_model_of(row.gpu_model) or "", "each": joined(each, ", ")}
    return [worded("GPUs and rates are for the work of {gpu_model}: {each}", **given)]


def note_of(ground: Ground, planned: PlannedRow, reached: Sequence[Offer], has_runs: bool) -> Message:
    """Why there is no advice for a row, or why it is limited; empty otherwise. reached: offers with nothing left.

    Sentences are joined by semicolons, the gravest first.
    """
    row, said = planned.row, list[Message]()
    if not row.slices and has_runs:
        return worded("planned runs alone: they are bought apart")
    if not row.slices:
        return worded("existing contracts serve all of it for two years")
    only = only_of(row.gpu_model)
    if only != ANYBODY:
        said.append(worded("{who} may serve it", who=lowered(who_words(only))))
    if row.flex.rate is None and row.use is not None:
        said.append(
            worded("nobody who may serve it sells GPUs by use: what is not signed is served by nobody")
        )
    elif row.flex.rate is None:
        waits = (planned.signed.now == NO_ORDER) & (row.busy.today(0) > 0)
        named = gpu_model_of(row.gpu_model) or worded("GPUs of its model")
        said.append(
            worded(
                "no advice: nobody offers {gpu_model} paid by use, and not all demand can be committed to; its "
                "on-demand rate is missing",
                gpu_model=named,
            )
            if waits.any()
            else worded(
                "nobody offers {gpu_model} paid by use: all demand is committed; its on-demand rate is missing",
                gpu_model=named,
            )
        )
    if not row.offers:
        said.append(worded("no priced commitment is open to this pool"))
    places = np.unique(planned.signed.orders.offer).tolist()
    taken = {row.offers[place].offer_id for place in places if place >= 0}
    said += [
        worded(
            "all {max_gpus} GPUs of {offer_id} are planned, the next best offer takes the rest",
            max_gpus=whole(offer.max_gpus),
            offer_id=offer.offer_id,
        )
        for offer in reached
        if offer.offer_id in taken
    ]
    said += _mapped_words(ground, planned)
    if ground.window.hours <= SHORT_WINDOW_HOURS:
        said.append(worded("a week of log or less: only terms up to one month are considered"))
    return joined(said, "; ")


# --- The advice where no demand is known, or no price: none. Nobody can say then which contracts to let end

KNOWN: Final = frozenset(("today", "lock_in_now_months"))
"""Totals that are of contracts alone."""

NO_DOLLARS: Final = {
    **dict.fromkeys(("do_nothing_usd", "contracts_usd", "orders_usd", "use_usd")),
    **dict.fromkeys(("plan_parts", "nothing_parts"), NOTHING_KNOWN),
}


def without_prices(advice: Advice) -> Advice:
    """No verdicts: where nothing has a price, nobody can say that something is better than a contract that runs.

    Everything else stays, amounts of demand too.
    """
    return replace(advice, verdicts=())


def without_demand(advice: Advice) -> Advice:
    """No orders, no verdicts, no savings, and a plan of unknown $.

    Only what is of contracts alone stays known; checks are left out, for they speak of demand.
    """
    unknown = {
        field.name: None for field in fields(Totals) if field.name not in KNOWN | {"gpus_to_sign", "extras"}
    }
    return replace(
        advice,
        idle_existing=(),
        orders=(),
        verdicts=(),
        totals=replace(advice.totals, gpus_to_sign=(), extras=(), **unknown),
        comparison=tuple(replace(month, **NO_DOLLARS) for month in advice.comparison),  # type: ignore[arg-type]
        checks=(),
    )


# --- What happens to commitments in a span of time


@dataclass(frozen=True, slots=True)
class Happening:
    """Orders that start, end and are to be signed in a span, and contracts that end in it; each in given order."""

    starting: tuple[Order, ...]
    ending: tuple[Order, ...]
    to_sign: tuple[Order, ...]
    contracts_ending: tuple[Contract, ...]


def happening(orders: Sequence[Order], contracts: Sequence[Contract], from_s: int, to_s: int) -> Happening:
    """What happens in [from_s, to_s), epoch seconds; orders that hold only if young demand lasts are left out.

    Law: spans that follow each other share out what happens in all of them.
    """

    def within(at_s: Callable[[Order], int]) -> tuple[Order, ...]:
        """The orders of which a moment lies in the span."""
        return tuple(one for one in orders if one.is_certain and from_s <= at_s(one) < to_s)

    return Happening(
        within(lambda order: order.start_s),
        within(lambda order: order.end_s),
        within(lambda order: order.order_by_s),
        tuple(one for one in contracts if one.end_s is not None and from_s <= one.end_s < to_s),
    )


# --- The advice as it stands in a month: the same rows, of that month


def advise_in_month(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    audit: Audit,
    advice: Advice,
    month: int,
    cache: AdviceCache | None = None,
) -> Advice:
    """`advice` with the layers, idle GPUs, cards and totals of one of its months; orders, verdicts, checks and lock-in,
    which are of the day of signing, stay.

    advice: of the same project, scenario and pools. month: from 0, which is the advice as it is. Pure, as `advise`.
    Law: its pools and idle rows cost what the comparison says of the month. Source: docs/formulas.md, The year.
    Errors: IndexError for a month that is not compared.
    """
    compared = advice.comparison[month]
    if not month:
        return advice
    cache = AdviceCache() if cache is None else cache
    ground = ground_of(project, scenario, pools, cache, advice.classes)
    planned = plan_of(ground, cache)
    of_month = replace(planned, rows=_rows_in(ground, planned.rows, month))
    gpu_time = _gpu_time_in(ground, month)
    on_demand = {row: one.on_demand for row, one in ground.prices.items()}
    plans = tuple(
        replace(plan, demand=replace(plan.demand, gpu_time=gpu_time(plan.pool, plan.gpu_model)))
        for plan in pool_plans(ground, of_month, on_demand, month)
    )
    idle = tuple(
        row
        for row in idle_existing(ground, plans, ground.weights, month)
        if row.gpu_model not in advice.asked_models
    )
    known_idle = None if advice.asked_models else idle
    inputs = replace(plan_inputs(ground, plans, known_idle, month), bound=advice.inputs.bound)
    has_savings = advice.totals.savings_vs_do_nothing is not None
    totals = totals_of(ground, audit, plans, known_idle, compared, advice.orders, inputs, has_savings)
    return replace(
        advice,
        pools=plans,
        idle_existing=idle,
        totals=replace(totals, lock_in_months=advice.totals.lock_in_months),
        workload_usd=workload_usd(ground, plans, planned.runs, month),
        inputs=inputs,
    )


def _rows_in(ground: Ground, rows: Sequence[PlannedRow], month: int) -> tuple[PlannedRow, ...]:
    """The rows with the demand of a month, before and after what contracts serve in it."""
    hours, months = ground.window.hours, max(month + 1, ground.months)
    found = {}
    for model in ground.plan.models:
        there = busy.months_of(model, ground.plan.contracts, ground.window, ground.outlined, months)[month]
        for row, parts in zip(model.rows, parts_in_months(model, there, hours), strict=True):
            found[row] = (*in_all(parts), tuple(parts))
    return tuple(
        one  # of runs alone
        if (amounts := found.get((one.row.pool, one.row.gpu_model))) is None
        else replace(one, demand_gpus=amounts[0], residual_gpus=amounts[1], month_parts=amounts[2])
        for one in rows
    )


def _gpu_time_in(ground: Ground, month: int) -> Callable[[Pool, str | None], Floats | None]:
    """The GPU time of each workload of a row in a month, by which the row's $ are shared out, (workloads,)."""
    parts = busy.factors_of_months(ground.outlined, ground.window, month + 1)[month]
    there = busy.shares_of_month_0(parts)
    groups = twelve_months.groups_of(ground)
    schedules = ground.outlined.schedules
    shares = np.array([there.get(group, 0.0) for group in groups.tolist()])
    grows = np.array([group in there and schedules[group].grows for group in groups.tolist()])

    def of_row(pool: Pool, gpu_model: str | None) -> Floats | None:
        """Of one row; None where nobody of it is there."""
        users = ground.plan.users.get((pool, gpu_model))
        if users is None:
            return None
        times = float(grown(ground.growth[pool], ground.assumptions.growth_fade, month + 1)[month])
        amounts: Floats = users * shares * np.where(grows, times, 1.0)
        return amounts if amounts.any() else None

    return of_row
