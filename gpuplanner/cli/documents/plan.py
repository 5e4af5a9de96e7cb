"""A plan as JSON: pools, layers, orders, outlook, and who waits."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from gpuplanner.cli.documents.head import Document
from gpuplanner.cli.documents.workloads import plan_energy_entry
from gpuplanner.domain.commitment import outlook_result, payments, volatility
from gpuplanner.domain.commitment.plan.comparison import savings_buy
from gpuplanner.domain.commitment.plan.layers import added, as_one, p95_of, peak_of
from gpuplanner.domain.commitment.result import Layer, PoolPlan
from gpuplanner.domain.commitment.uncertainty.flips import flip_sentence
from gpuplanner.domain.commitment.uncertainty.levels import cost_of_row
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.card import SPOT as OF_SPOT
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.figures.plan import PATH, PLAN
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.amounts import grouped, known_sum
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.cube import log_support
from gpuplanner.domain.model.intake import NODE_MTBF, Observed, observed, source_words
from gpuplanner.domain.model.plan_inputs import TODAY, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.queue.rows import QueueRow, WaitsBy
from gpuplanner.domain.queue.waiting import Calibrated, Waiting
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.cash import PAID
from gpuplanner.domain.reports.orders import NEXT_DECISIONS, ORDERS, VERDICT_ROWS
from gpuplanner.domain.reports.plan_layers import IDLE, LAYERS, TERMS, at_least_entry, totals_entry
from gpuplanner.domain.reports.report import Entry, entries, entry, fields, named
from gpuplanner.domain.reports.savings import AVOIDED, BUY, LIMITS, OFFERED_STEP, QUESTION, STEP
from gpuplanner.domain.reports.waiting import LOG_WAITS, OF_WAITS, SIZES, WINDOWS
from gpuplanner.lazy_dataclass import replace

# --- Rows of a plan by pool and GPU model: what is planned apart because only some may serve it is in its model's row


def by_pool_and_model(pools: Sequence[PoolPlan]) -> tuple[PoolPlan, ...]:
    """One row for each pool and GPU model; rows that stand for themselves are the very same objects.

    A joint row has the sums of its parts, p95 and peak of all of them together, layers of one offer and term as one,
    and what is no sum (break-even, sigma, levels set by hand) from the part with most GPU-hours.
    """
    parts = grouped(((pool.pool, gpu_model_of(pool.gpu_model)), pool) for pool in pools)
    joined = [
        _joined(model, same_model) if [pool.gpu_model for pool in same_model] != [model] else same_model[0]
        for (_, model), same_model in parts.items()
    ]
    return tuple(sorted(joined, key=lambda pool: (pool.pool, pool.gpu_model or "")))


def _joined(model: str | None, parts: Sequence[PoolPlan]) -> PoolPlan:
    """One row of parts of one model. model: None is unknown."""
    main = max(parts, key=lambda pool: pool.demand.gpu_hours)
    demand = np.sum([pool.demand.hourly_gpus for pool in parts], axis=0)
    month_parts = added([pool.demand.month_parts for pool in parts])
    return replace(
        main,
        gpu_model=model,
        demand=replace(
            main.demand,
            gpu_hours=sum(pool.demand.gpu_hours for pool in parts),
            mean_gpus=float(demand.mean()),
            p95_gpus=p95_of(month_parts),
            peak_gpus=peak_of(month_parts),
        ),
        layers=_layers([layer for pool in parts for layer in pool.layers]),
        cost_per_month=known_sum([pool.cost_per_month for pool in parts]),
        note="; ".join(f"{pool.gpu_model}: {pool.note}" for pool in parts if pool.note),
    )


def _layers(layers: Sequence[Layer]) -> tuple[Layer, ...]:
    """Existing, then by term, longest first, then one paid by use."""
    alike: dict[tuple[int, float, str], list[Layer]] = {}
    for layer in layers:
        by_use = not layer.existing and not layer.term_months
        if layer.existing:
            rank = 0
        elif by_use:
            rank = 2
        else:
            rank = 1
        key = (rank, -(layer.term_months or 0))
        alike.setdefault((*key, "" if by_use else layer.offer_id or ""), []).append(layer)
    return tuple(
        same_kind[0] if len(same_kind) == 1 else _layer(same_kind) for _, same_kind in sorted(alike.items())
    )


def _layer(alike: Sequence[Layer]) -> Layer:
    """Layers of one kind as one; a rate or share that is the same in all of them is it to the last digit."""
    joint, gpus = as_one(alike), [layer.mean_gpus for layer in alike]
    rates = {layer.rate for layer in alike}
    categories = {layer.pricing_category for layer in alike}
    offers = {layer.offer_id for layer in alike}
    return replace(
        joint,
        pricing_category=joint.pricing_category if len(categories) == 1 else PricingCategory.MIXED,
        offer_id=joint.offer_id if len(offers) == 1 else None,
        rate=alike[0].rate if len(rates) == 1 else joint.rate,
        spot_share=_by_gpus([layer.spot_share for layer in alike], gpus) or 0.0,
        offer_rate=_by_gpus([layer.offer_rate for layer in alike], gpus),
    )


def _by_gpus(values: Sequence[float | None], gpus: Sequence[float]) -> float | None:
    """What offers say of themselves, by the GPUs that are paid for; unknown where one of them is."""
    if len(set(values)) == 1:
        return values[0]
    whole = known_sum(None if value is None else value * n for value, n in zip(values, gpus, strict=True))
    return None if whole is None or not sum(gpus) else whole / sum(gpus)


# --- What a plan may come to, as JSON: uncertainty, coverage, spot, price paths, and where the advice changes

OUTLOOK_POOL: Final = report.named("pool", "pool.value")
PRICE_PATH: Final = report.fields(
    "path",
    "delta",
    "shorter_only_usd",
    "advice_usd",
    "longer_only_usd",
    report.named(PATH["regret"], "regret_usd"),
)
SIZE: Final = report.fields("size", "p10_usd_per_month", "p50_usd_per_month", "p90_usd_per_month")
UNCERTAINTY: Final = report.fields(
    "p10_usd_per_month",
    "p50_usd_per_month",
    "p90_usd_per_month",
    "regret_p50_usd_per_month",
    "regret_p90_usd_per_month",
    "year_p10_usd",
    "year_p90_usd",
    "coverage",
    "coverage_folds",
    "resamples",
    "seed",
    report.each("sizes", SIZE),
)
COVERAGE: Final = report.fields("now", "plan", "target", "reached", "extra_gpus", "extra_usd_per_month")
SPOT: Final = report.fields(
    "key",
    OUTLOOK_POOL,
    "gpu_model",
    OF_SPOT["nodes"],
    "longest_job_hours",
    OF_SPOT["interval_hours"],
    "lost_share",
    "best_interval_hours",
    "best_lost_share",
    "on_spot",
    "on_spot_at_best",
    "saves_usd_per_month",
    *("barrier", "run_hours", "run_usd", "run_usd_on_demand"),
)
LOG_SUPPORT: Final = report.fields(
    "figure", report.named("support", "support.value"), "least_hours", "firm_hours", "message"
)
FLIP_POINT: Final = report.fields(
    "assumption",
    OUTLOOK_POOL,
    "gpu_model",
    "value",
    "at",
    report.named("from_term", "today.term"),
    report.named("from_gpus", "today.gpus"),
    report.named("to_term", "there.term"),
    report.named("to_gpus", "there.gpus"),
    report.named("sentence", flip_sentence),
)
CHANGED_LAYER: Final = report.fields(OUTLOOK_POOL, "gpu_model", "term_months", "gpus_mid", LAYER["gpus"])
PRICE_CASE: Final = report.fields(
    report.named("case", "case.value"),
    report.named(PLAN["plan"], "plan_usd_per_month"),
    report.named(PLAN["do_nothing"], "do_nothing_usd_per_month"),
    report.named(PLAN["savings_vs_do_nothing"], "savings_vs_do_nothing_usd_per_month"),
    "priced_offers",
    "at_mid",
    report.each("changed_layers", CHANGED_LAYER),
)
PRICE_FALL: Final = report.fields("gpu_model", "provider_kind", "per_month", "low", "high", "first", "last")


class _Interruptions(NamedTuple):
    """What files of interruptions observed, and whether the plan counts with it."""

    observed: Observed
    is_taken: bool
    source: Message | None


_OBSERVED: Final = (
    *report.of_part("observed", "node_hours", "interruptions"),
    report.named(NODE_MTBF, "observed.mtbf_hours"),
)
OBSERVED_MODEL: Final = report.fields("provider", "gpu_model", *_OBSERVED)
INTERRUPTIONS: Final = report.fields(
    *_OBSERVED, "is_taken", "source", report.each("by_model", OBSERVED_MODEL, "observed.by_model")
)


def log_support_entries(hours: int) -> list[report.Entry]:
    """The `log_support` array of a log of so many hours.

    One entry for each figure, in the order in which a longer log comes to give them.
    """
    return [report.entry(LOG_SUPPORT, support) for support in log_support(hours)]


def interruptions_entry(project: Project, plan: Scenario) -> report.Entry | None:
    """What files of interruptions propose for spot_node_mtbf_hours, and whether the plan counts with it.

    None where no such file was read.
    """
    interruptions = observed(project.intake)
    if interruptions is None:
        return None
    hours = interruptions.mtbf_hours
    is_taken = hours is not None and project.assumptions_in(plan).spot_node_mtbf_hours == hours
    return report.entry(
        INTERRUPTIONS, _Interruptions(interruptions, is_taken, source_words(NODE_MTBF, hours, project.intake))
    )


# --- A plan as JSON: pools with their layers, orders, verdicts, totals, month by month, and what it may come to


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
    report.named("sigma_source", lambda row: volatility.source_of(row.pool.demand.volatility)),
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
DECISION: Final = report.fields(report.named("at", "at_s", "date"), "what", "reason")


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
        "pools": [report.entry(POOL, _pool_row(pool, outlook)) for pool in by_pool_and_model(advice.pools)],
        "idle_existing": report.entries(IDLE, advice),
        "orders": report.entries(ORDERS, advice),
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
        "next_decisions": report.entries(NEXT_DECISIONS, outlook.next_decisions),
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


def _pool_row(pool: PoolPlan, outlook: outlook_result.Outlook) -> _PoolRow:
    return _PoolRow(pool, cost_of_row(pool, outlook.level_values) if pool.by_hand.is_set else None)


def _unknown_verdicts(evaluation: Evaluation) -> list[report.Entry]:
    """Contracts of which nobody knows yet what they serve: each with everything that a verdict would say unknown."""
    unknown = dict.fromkeys(column.json_name for column in VERDICT_ROWS.columns_in(report.Medium.DOCUMENT))
    asked = evaluation.audit.unknown_contracts
    return [unknown | {"contract_id": contract_id} for contract_id in sorted(asked)]


# --- Waiting as JSON: rows of pools, what the log's own waits say of them, sizes and a target; the log's
# waits


ROW: Final = fields(
    *(named(key, f"waits.{key}") for key in OF_WAITS),
    *("sent_out_jobs", "sent_out_gpu_hours", "sent_out_usd", "utilization", "waited_with_room"),
)
"""A row of waits."""
OF_POOL: Final = (*fields(named("pool", "pool.value")), *ROW)
OF_MODEL: Final = (*fields(named("pool", "pool.value"), "gpu_model"), *ROW)
TARGET: Final = fields(
    named("pool", "asked.pool.value"),
    named("gpu_model", "asked.gpu_model"),
    named("p90_h_max", "asked.p90_h"),
    named("gpus", lambda row: row.found and row.found.gpus),
    named("p90_h", lambda row: row.found and row.found.waits.p90_h),
    named("usd_per_month", lambda row: row.found and row.found.usd_per_month),
    named("plan_gpus", lambda row: row.plan and row.plan.gpus),
    "difference_usd_per_month",
)
GAP: Final = fields(named("pool", "pool.value"), "log_h", "replayed_h", "out_share")
MODEL: Final = fields(
    *("gpu_model", "today_gpus", "over_gpu_hours"),
    named("gaps", lambda of: [entry(GAP, gap) for gap in of.gaps]),
    named("agreed_gpus", lambda of: of.agreed[0].gpus if of.agreed else None),
    named("better_gpus", lambda of: of.better[0].gpus if of.better else None),
    named("better_usd_per_month", lambda of: of.better[0].usd_per_month if of.better else None),
)
"""What the replays of a GPU model say of the log and the plan."""
_QUANTILES: Final = ("p50", "p90", "p99")
_ERRORS: Final = ("p50_h", "p90_h", "p99_h", "share_over_1h")


def queue_document(waiting: Waiting, log_waits: Sequence[WaitsBy] | None) -> Document:
    """What `queue` answers. null: unknown, as the log does not say when jobs were submitted."""
    is_measured = bool(waiting.measured)
    return {
        "submit_known": waiting.submit_known,
        "measured": _by_pool(waiting.measured) if is_measured else None,
        "today": _by_pool(waiting.today),
        "replayed": _by_pool(waiting.replayed),
        "calibrated": (
            {pool.value: _calibrated(calibrated) for pool, calibrated in waiting.calibrated.items()}
            if is_measured
            else None
        ),
        "error": _errors(waiting) if is_measured else None,
        "by_model": [entry(OF_MODEL, row) for row in waiting.by_model],
        "frontier": entries(SIZES, waiting.frontier),
        "target": None if waiting.target is None else entry(TARGET, waiting.target),
        "models": [entry(MODEL, of) for of in waiting.models],
        "windows": entries(WINDOWS, waiting.windows),
        "waits": waits_entries(log_waits),
        "one_gpu_nodes": _by_pool(waiting.loose) if waiting.loose else None,
        "never_fit": list(waiting.never_fit),
        "fragment_gpu_hours": sum(fragment.gpu_hours for fragment in waiting.fragments),
        "fragment_usd": known_sum(fragment.usd for fragment in waiting.fragments),
    }


def _by_pool(rows: Iterable[QueueRow]) -> Document:
    """Rows by the name of their pool."""
    return {row.pool.value: entry(ROW, row) for row in rows}


def _calibrated(calibrated: Calibrated) -> Entry:
    """Both sides of each range, and how far the same way was off."""
    sides = {
        f"{key}_{side}_h": None if (span := getattr(calibrated, key)) is None else getattr(span, f"{side}_h")
        for key in _QUANTILES
        for side in ("low", "high")
    }
    return sides | {"miss": calibrated.miss}


def _errors(waiting: Waiting) -> Document:
    """The replay on the GPUs of today less what was measured."""
    return {
        was.pool.value: {
            key: None if None in (x := getattr(now.waits, key), y := getattr(was.waits, key)) else x - y
            for key in _ERRORS
        }
        for was, now in zip(waiting.measured, waiting.today, strict=True)
    }


def waits_entries(rows: Sequence[WaitsBy] | None) -> list[Entry] | None:
    """The log's own waits; null where it does not say when jobs were submitted."""
    return None if rows is None else entries(LOG_WAITS, rows)
