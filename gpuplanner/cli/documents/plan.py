"""A plan as JSON: pools with layers, orders, verdicts, totals and months."""

from typing import Final, NamedTuple

from gpuplanner.cli.documents.energy import plan_energy_entry
from gpuplanner.cli.documents.head import Document
from gpuplanner.cli.documents.outlook import COVERAGE, PRICE_PATH, SPOT, UNCERTAINTY, log_support_entries
from gpuplanner.cli.documents.plan_rows import by_pool_and_model
from gpuplanner.domain.commitment import outlook_result, payments
from gpuplanner.domain.commitment.demand.volatility import source_of
from gpuplanner.domain.commitment.listed_order import in_list
from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.commitment.plan.comparison import savings_buy
from gpuplanner.domain.commitment.result import Advice, PoolPlan
from gpuplanner.domain.commitment.uncertainty.level_costs import cost_of_row
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.cash import PAID
from gpuplanner.domain.reports.orders import NEXT_DECISIONS, NUMBERED, ORDERS, VERDICT_ROWS
from gpuplanner.domain.reports.plan_layers import IDLE, LAYERS, TERMS, at_least_entry, totals_entry
from gpuplanner.domain.reports.savings import AVOIDED, BUY, LIMITS, OFFERED_STEP, QUESTION, STEP


class _PoolRow(NamedTuple):
    """One pool and model, and what levels set by hand cost beside the advice; None where none are."""

    pool: PoolPlan
    over_advice: outlook_result.CostOfLevels | None


LEVEL_COST: Final = report.fields("term_months", LAYER["gpus"], "month_0_usd", "usd")
COST_OF_LEVELS: Final = report.fields(
    "horizon_months", "month_0_usd", "usd", report.each("levels", LEVEL_COST)
)
POOL: Final = report.fields(
    report.named("pool", "pool.pool.value"),
    report.named("gpu_model", "pool.gpu_model"),
    *report.of_part("pool.demand", "gpu_hours", "mean_gpus", "p95_gpus", "peak_gpus", "growth"),
    report.named("sigma", "pool.demand.volatility.sigma"),
    report.named("sigma_source", lambda row: source_of(row.pool.demand.volatility)),
    report.listed("layers", LAYERS, "pool"),
    report.listed("break_even", TERMS, "pool"),
    report.named(LAYER["cost_per_month"], "pool.cost_per_month"),
    report.named("note", "pool.note"),
    report.named("set_by_hand", "pool.by_hand.is_set"),
    report.named("held_terms", lambda row: list(row.pool.by_hand.held_terms)),
    report.inside("over_advice", COST_OF_LEVELS),
)
"""One pool and model: demand in GPUs, layers from the bottom."""


COMPARISON_MONTH: Final = report.fields(
    "month",
    report.named("start", "start_s", "date"),
    "do_nothing_usd",
    "plan_usd",
    "contracts_usd",
    "orders_usd",
    "use_usd",
    "unserved_gpu_hours",
)
UNSERVED: Final = report.fields(
    report.named("pool", "pool.value"),
    report.named("gpu_model", lambda row: gpu_model_of(row.gpu_model)),
    "key",
    "gpu_hours",
    "usd_per_month",
    "reason",
)
RUN_WAY: Final = report.fields(
    *report.of_part("offer", "offer_id", "term_months", "term_days"),
    report.named("usd_per_month", "cost_per_month"),
)
PLANNED_RUN: Final = report.fields(
    "key",
    "gpus",
    "hours",
    report.named("orders", lambda run: list(run.orders)),
    "use_usd",
    "usd",
    "idle_contract_gpus",
    report.named("gpu_hours_per_month", "mean_gpu_hours"),
    report.each("alternatives", RUN_WAY, "ways"),
)
RECURRING: Final = (
    *report.fields(*report.of_part("work", "key", "gpus", "length_hours", "every_hours")),
    *RUN_WAY,
)
PRICE_CHANGE: Final = report.fields("gpu_model", "factor", report.named("from", "from_s", "date"), "by")
DECISION: Final = report.fields(report.named("at", "at_s", "date"), report.named("what", "text"), "reason")


def plan_document(evaluation: Evaluation, read_s: int | None = None) -> Document:
    """pools, idle_existing, orders, contract_verdicts, totals, comparison, uncertainty and decisions of a plan.

    read_s: the day on which it is read, epoch seconds; None: the plan's first.
    Errors: ValueError for an evaluation that is not complete.
    """
    advice, outlook = evaluation.advice, evaluation.outlook
    if advice is None or outlook is None or evaluation.totals is None:
        raise ValueError("the evaluation is not complete; call evaluate()")
    project = evaluation.project
    plan = None if evaluation.scenario == TODAY else project.scenario(evaluation.scenario)
    is_later = project.plan_window is not project.window
    decisions = evaluation.decisions_on(seen_in(project, read_s).written_s)
    changes = sorted(evaluation.figures.basis.plan.price_changes, key=lambda one: (one.gpu_model, one.from_s))
    return {
        **({"plan_from": iso_utc(project.plan_window.end_s)} if is_later else {}),
        "pools": [report.entry(POOL, _pool_row(pool, outlook)) for pool in by_pool_and_model(advice.pools)],
        "idle_existing": report.entries(IDLE, advice),
        "orders": _order_entries(evaluation, advice),
        "planned_runs": [report.entry(PLANNED_RUN, run) for run in advice.planned_runs],
        "recurring_runs": [report.entry(RECURRING, option) for option in advice.logged_ways],
        "contract_verdicts": report.entries(VERDICT_ROWS, evaluation) + _unknown_verdicts(evaluation),
        "totals": totals_entry(evaluation.totals),
        "at_least": at_least_entry(advice),
        "owed_if_stopped_usd": payments.owed_in_all(evaluation.project, evaluation.plan).total,
        **{name: report.entries(of, evaluation) for name, of in PAID.items()},
        "energy": plan_energy_entry(project, evaluation.audit, advice.energy),
        "horizons": report.entries(QUESTION, evaluation),
        "comparison": [report.entry(COMPARISON_MONTH, row) for row in advice.comparison],
        "unserved": [report.entry(UNSERVED, row) for row in advice.unserved],
        "savings_steps": [report.entry(STEP, step) for step in outlook.savings_steps],
        "savings_offered": [
            report.entry(OFFERED_STEP, offered_step) for offered_step in outlook.savings_offered
        ],
        "next_decisions": report.entries(NEXT_DECISIONS, decisions),
        "savings_buy": report.entry(BUY, savings_buy(advice)),
        "separation_avoids": report.entry(AVOIDED, evaluation.audit),
        "limits": report.entries(LIMITS, outlook),
        "price_paths": [report.entry(PRICE_PATH, path) for path in outlook.price_paths],
        "price_changes": [report.entry(PRICE_CHANGE, change) for change in changes],
        "uncertainty": report.entry(UNCERTAINTY, outlook.uncertainty),
        "coverage": None if outlook.coverage is None else report.entry(COVERAGE, outlook.coverage),
        "npv_usd": outlook.npv_usd,
        "log_support": log_support_entries(project.window.hours),
        "spot": [report.entry(SPOT, spot) for spot in outlook.spot],
        "decisions": [report.entry(DECISION, decision) for decision in (plan.decisions if plan else ())],
    }


def _order_entries(evaluation: Evaluation, advice: Advice) -> list[report.Entry]:
    """Return the orders of a plan, each with its number and what it stands on."""
    listed = in_list(evaluation.listed_orders)
    columns = ORDERS.columns_in(report.Medium.DOCUMENT)
    return [
        {**report.entry(columns, row), **report.entry(NUMBERED, listed[row.order.row, row.order.start_s])}
        for row in ORDERS.rows_in(report.Medium.DOCUMENT, advice)
    ]


def _pool_row(pool: PoolPlan, outlook: outlook_result.Outlook) -> _PoolRow:
    return _PoolRow(pool, cost_of_row(pool, outlook.level_values) if pool.by_hand.is_set else None)


def _unknown_verdicts(evaluation: Evaluation) -> list[report.Entry]:
    """Contracts of which nobody knows yet what they serve: each with everything that a verdict would say unknown."""
    unknown = dict.fromkeys(column.json_name for column in VERDICT_ROWS.columns_in(report.Medium.DOCUMENT))
    asked = evaluation.audit.unknown_contracts
    return [unknown | {"contract_id": contract_id} for contract_id in sorted(asked)]
