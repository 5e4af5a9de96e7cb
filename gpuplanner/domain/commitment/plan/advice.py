"""The advice for a scenario: which commitments to sign and when, and what the plan costs."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

from gpuplanner.domain.audit.result import Audit, Check
from gpuplanner.domain.commitment.busy import spans_of_months
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan import twelve_months
from gpuplanner.domain.commitment.plan.cards import card_costs
from gpuplanner.domain.commitment.plan.energy import plan_energy, power_check
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of
from gpuplanner.domain.commitment.plan.layers import pool_plan
from gpuplanner.domain.commitment.plan.orders import KEEP_AFTER_MONTHS, all_orders, orders_within, verdicts_of
from gpuplanner.domain.commitment.plan.plan_checks import checks_of
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.plan.row_notes import note_of
from gpuplanner.domain.commitment.plan.row_plans import Planned, plan_of
from gpuplanner.domain.commitment.plan.runs import left_with_nothing, logged_ways, ways_of
from gpuplanner.domain.commitment.plan.totals import costs_at_least, idle_existing, plan_inputs, totals_of
from gpuplanner.domain.commitment.result import Advice, Order, PlanEnergy, PlannedRunFigures, PoolPlan, Totals
from gpuplanner.domain.model.amounts import NOTHING_KNOWN, known_sum
from gpuplanner.domain.model.book.contract import (
    in_month,
    mean_extras_in_month,
    mean_rates_in_month,
    month_start_s,
)
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Row, gpu_model_of
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH, MONTH_S
from gpuplanner.lazy_dataclass import fields, replace


def advise(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    audit: Audit,
    cache: AdviceCache | None = None,
    *,
    is_whole: bool = True,
) -> Advice:
    """Advise on a scenario. Pure: with a cache the answer is the same, to the bit.

    pools[i] is the pool of project.workloads[i] (in review: that of its best class); audit gives what is paid now.
    is_whole: without it energy, checks, the costs of workloads and contracts for training that recurs are left out, a
    quarter of the time; all else is the same. Source: docs/formulas/layers.md.
    """
    cache = AdviceCache() if cache is None else cache
    cache.begin()
    classes = cache.recall("classes", (), (audit,), lambda: audit.classifications)
    ground = ground_of(project, scenario, pools, cache, classes)
    planned = plan_of(ground, cache)
    plans = tuple(
        replace(
            plan, demand=replace(plan.demand, gpu_time=ground.plan.now.get(Row(plan.pool, plan.gpu_model)))
        )
        for plan in pool_plans(ground, planned, {row: p.on_demand for row, p in ground.prices.items()})
    )
    every_order = all_orders(ground, planned)
    orders = orders_within(ground, every_order)
    last_s = month_start_s(ground.window, COMPARED_MONTHS - 1)
    is_late = any(contract.end_s and contract.end_s > last_s for contract in ground.existing)
    later = orders_within(ground, every_order, KEEP_AFTER_MONTHS + 1) if is_late else orders
    verdicts = tuple(
        verdict
        for verdict in verdicts_of(ground.existing, later, ground.plan.served, ground)
        if verdict.contract_id not in audit.unknown_contracts
    )
    in_month_0 = in_month(ground.plan.contracts, ground.window, 0)
    unknown, asked = (
        frozenset(contract.gpu_model for contract in in_month_0 if contract.contract_id in ids)
        for ids in (audit.unknown_contracts, audit.asked_contracts)
    )
    idle = tuple(row for row in idle_existing(ground, plans) if row.gpu_model not in unknown)
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
    energy, checks, workload_usd = PlanEnergy(), tuple[Check, ...](), dict[str, float | None]()
    if is_whole:
        energy = plan_energy(ground, planned, plans, known_idle, audit.energy.powers, cache)
        checks = checks_of(
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
        )
        workload_usd = dict(card_costs(ground, planned).usd)
    return Advice(
        pools=plans,
        idle_existing=idle,
        orders=orders,
        verdicts=verdicts,
        totals=totals_of(ground, audit, plans, known_idle, comparison[0], orders, inputs, has_savings),
        comparison=comparison,
        checks=checks,
        workload_usd=workload_usd,
        unserved=unserved,
        classes=classes,
        unknown_models=unknown,
        asked_models=asked,
        inputs=inputs,
        energy=energy,
        planned_runs=planned_runs(ground, planned, orders),
        logged_ways=tuple(logged_ways(ground)) if is_whole else (),
        at_least=at_least,
        contracts=ground.plan.contracts,
        in_force=ground.nothing.contracts,
        whole_decisions=scenario.whole_decisions,
    )


def pool_plans(
    ground: Ground, planned: Planned, on_demand: Mapping[Row, Offer | None], month: int = 0
) -> tuple[PoolPlan, ...]:
    """The rows of a plan as they are shown in a month, whose demand `planned` has.

    on_demand: the cheapest eligible on-demand offer of each.
    One for each of planned.rows, in their order. Errors: KeyError for a row that on_demand has not.
    """
    running = in_month(ground.plan.contracts, ground.window, month)
    answer = []
    for planned_row in planned.rows:
        row = Row(planned_row.row.pool, planned_row.row.gpu_model)
        runs = [run for run in planned.runs if (run.row.pool, run.row.gpu_model) == row]
        held = [
            contract for contract in running if contract.gpu_model == gpu_model_of(planned_row.row.gpu_model)
        ]
        rate = mean_rates_in_month(held, ground.window, month).used
        note = note_of(ground, planned_row, planned.reached, bool(runs))
        plan = pool_plan(ground, planned_row, runs, rate, on_demand[row], note, month)
        if extras := mean_extras_in_month(held, ground.window, month):
            layers = (replace(layer, extras=extras) if layer.existing else layer for layer in plan.layers)
            plan = replace(plan, layers=tuple(layers))
        answer.append(plan)
    return tuple(answer)


def planned_runs(ground: Ground, planned: Planned, orders: Sequence[Order]) -> tuple[PlannedRunFigures, ...]:
    """The runs of a plan, by key, with the places of their orders in the list."""
    begin_s, moments = ground.window.end_s, ground.outlined.moments
    spans = [*chain.from_iterable(spans_of_months(moments, ground.window, COMPARED_MONTHS))]
    left, works = left_with_nothing(ground, spans), {work.key: work for work in ground.scenario.planned}
    rows = []
    for run in ground.runs:
        layers = [piece for piece in planned.runs if piece.key == run.key]
        work = works.get(run.key)
        pool, gpu_model = run.row
        rows.append(
            PlannedRunFigures(
                key=run.key,
                pool=pool,
                gpu_model=gpu_model,
                gpus=run.gpus,
                hours=layers[0].hours,
                orders=tuple(place for place, order in enumerate(orders) if order.run == run.key),
                use_usd=known_sum(piece.use_usd for piece in layers),
                usd=known_sum(piece.listed.usd for piece in layers),
                idle_contract_gpus=layers[0].idle_gpus,
                use_rate=layers[0].row.flex.rate,
                by_use_gpu_hours=tuple(
                    sum(piece.listed.used_in(from_s - begin_s, to_s - begin_s) for piece in layers)
                    for from_s, to_s in spans
                ),
                by_use_usd=tuple(
                    known_sum(piece.listed.use_usd(month) for piece in layers)
                    for month in range(COMPARED_MONTHS)
                ),
                nothing_gpu_hours=left[run.key],
                gpu_hours=HOURS_PER_MONTH * sum(piece.gpus_between(0, MONTH_S).gpus for piece in layers),
                of_contracts_gpu_hours=HOURS_PER_MONTH
                * sum(piece.gpus_between(0, MONTH_S).of_contracts for piece in layers),
                unserved_gpu_hours=sum(piece.listed.unserved_in(0) for piece in layers),
                mean_gpu_hours=None if work is None else work.mean_gpu_hours,
                ways=() if work is None else tuple(ways_of(ground, run.row, work)),
            )
        )
    return tuple(rows)


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
