"""A plan as JSON: pools with their layers, orders, verdicts, totals, month by month, and what it may come to."""

from typing import Final, NamedTuple

from gpuplanner.cli.documents.energy import plan_energy_entry
from gpuplanner.cli.documents.head import Document
from gpuplanner.cli.documents.outlook import (
    COVERAGE,
    PRICE_PATH,
    SPOT,
    UNCERTAINTY,
    log_support_entries,
)
from gpuplanner.cli.documents.pool_rows import by_pool_and_model
from gpuplanner.domain.commitment.comparison.savings_buy import savings_buy
from gpuplanner.domain.commitment.demand.volatility import source_of
from gpuplanner.domain.commitment.outlook_result import CostOfLevels, Outlook
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.uncertainty.level_values import cost_of_row
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.reports.entries import Entry, each, entries, entry, fields, inside, named
from gpuplanner.domain.reports.plan.horizons import QUESTION
from gpuplanner.domain.reports.plan.layers import IDLE, LAYERS, TERMS
from gpuplanner.domain.reports.plan.limits import LIMITS
from gpuplanner.domain.reports.plan.orders import ORDERS, VERDICT_ROWS
from gpuplanner.domain.reports.plan.savings import AVOIDED, BUY, STEP
from gpuplanner.domain.reports.plan.totals import totals_entry
from gpuplanner.domain.reports.report import Medium


class _PoolRow(NamedTuple):
    """One pool and model, and what levels set by hand cost beside the advice; None where none are."""

    pool: PoolPlan
    over_advice: CostOfLevels | None


LEVEL_COST: Final = fields("term_months", LAYER["gpus"], "month_0_usd", "usd")
COST_OF_LEVELS: Final = fields("horizon_months", "month_0_usd", "usd", each("levels", LEVEL_COST))
POOL: Final = fields(
    named("pool", "pool.pool.value"),
    *(
        named(name, f"pool.{name}")
        for name in ("gpu_model", "gpu_hours", "mean_gpus", "p95_gpus", "peak_gpus", "growth")
    ),
    named("sigma", "pool.volatility.sigma"),
    named("sigma_source", lambda row: source_of(row.pool.volatility)),
    named("layers", lambda row: entries(LAYERS, row.pool)),
    named("break_even", lambda row: entries(TERMS, row.pool)),
    named(LAYER["cost_per_month"], "pool.cost_per_month"),
    named("note", "pool.note"),
    named("set_by_hand", "pool.set_by_hand"),
    named("held_terms", lambda row: list(row.pool.held_terms)),
    inside("over_advice", COST_OF_LEVELS),
)
"""One pool and model: demand in GPUs, layers from the bottom."""


COMPARISON_MONTH: Final = fields(
    "month",
    named("start", "start_s", "date"),
    "do_nothing_usd",
    "plan_usd",
    "contracts_usd",
    "orders_usd",
    "use_usd",
    "unserved_gpu_hours",
)
UNSERVED: Final = fields(
    named("pool", "pool.value"),
    named("gpu_model", lambda row: gpu_model_of(row.gpu_model)),
    "key",
    "gpu_hours",
    "usd_per_month",
    "reason",
)
PRICE_CHANGE: Final = fields("gpu_model", "factor", named("from", "from_s", "date"), "by")
DECISION: Final = fields(named("at", "at_s", "date"), "what", "reason")


def plan_document(evaluation: Evaluation) -> Document:
    """pools, idle_existing, orders, contract_verdicts, totals, comparison, uncertainty and decisions of a plan.

    Errors: ValueError for an evaluation that is not complete.
    """
    advice, outlook = evaluation.advice, evaluation.outlook
    if advice is None or outlook is None or evaluation.totals is None:
        raise ValueError("the evaluation is not complete; call evaluate()")
    project = evaluation.project
    plan = None if evaluation.scenario == TODAY else project.scenario(evaluation.scenario)
    is_later = project.plan_window is not project.window
    changes = sorted(evaluation.figures.basis.plan.price_changes, key=lambda one: (one.gpu_model, one.from_s))
    return {
        **({"plan_from": iso_utc(project.plan_window.end_s)} if is_later else {}),
        "pools": [entry(POOL, _pool_row(pool, outlook)) for pool in by_pool_and_model(advice.pools)],
        "idle_existing": entries(IDLE, advice),
        "orders": entries(ORDERS, advice),
        "contract_verdicts": entries(VERDICT_ROWS, evaluation) + _unknown_verdicts(evaluation),
        "totals": totals_entry(evaluation.totals),
        "energy": plan_energy_entry(project, evaluation.audit, advice.energy),
        "horizons": entries(QUESTION, evaluation),
        "comparison": [entry(COMPARISON_MONTH, row) for row in advice.comparison],
        "unserved": [entry(UNSERVED, row) for row in advice.unserved],
        "savings_steps": [entry(STEP, one) for one in outlook.savings_steps],
        "savings_buy": entry(BUY, savings_buy(advice)),
        "separation_avoids": entry(AVOIDED, evaluation.audit),
        "limits": entries(LIMITS, outlook),
        "price_paths": [entry(PRICE_PATH, one) for one in outlook.price_paths],
        "price_changes": [entry(PRICE_CHANGE, one) for one in changes],
        "uncertainty": entry(UNCERTAINTY, outlook.uncertainty),
        "coverage": None if outlook.coverage is None else entry(COVERAGE, outlook.coverage),
        "npv_usd": outlook.npv_usd,
        "log_support": log_support_entries(project.window.hours),
        "spot": [entry(SPOT, one) for one in outlook.spot],
        "decisions": [entry(DECISION, one) for one in (plan.decisions if plan else ())],
    }


def _pool_row(pool: PoolPlan, outlook: Outlook) -> _PoolRow:
    return _PoolRow(pool, cost_of_row(pool, outlook.level_values) if pool.set_by_hand else None)


def _unknown_verdicts(evaluation: Evaluation) -> list[Entry]:
    """Contracts of which nobody knows yet what they serve: each with everything that a verdict would say unknown."""
    unknown = dict.fromkeys(column.json_name for column in VERDICT_ROWS.columns_in(Medium.DOCUMENT))
    asked = evaluation.audit.unknown_contracts
    return [unknown | {"contract_id": contract_id} for contract_id in sorted(asked)]
