"""The table of answers: which trace answers "Why this number?" for which kind of figure of a plan."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from gpuplanner.domain.audit.evidence.trace import Amount, Trace, parts_of
from gpuplanner.domain.commitment.evidence import (
    trace_backtest,
    trace_cards,
    trace_cases,
    trace_horizons,
    trace_layers,
    trace_limits,
    trace_orders,
    trace_paths,
    trace_plan_energy,
    trace_project,
    trace_providers,
    trace_quality,
    trace_savings,
    trace_totals,
    trace_use_rows,
)
from gpuplanner.domain.commitment.evidence.plan_evidence import PlanEvidence
from gpuplanner.domain.message import joined, worded

MOST_USD: Final = 3
"""$ by which a figure can be off its own sum: what is rounded away of the figures beside it."""
WHOLE: Final = worded("In whole amounts figures add up to the plan, so this one may be off by 1 or 2.")

Answer = Callable[[PlanEvidence, str, str], Trace]

ANSWERS: Final[dict[str, Answer]] = {
    "layer_gpus": trace_layers.layer_gpus,
    "layer_paid": trace_layers.layer_paid,
    "layer_used": trace_layers.layer_used,
    "layer_rate": trace_layers.layer_rate,
    "layer_usd": trace_layers.layer_usd,
    "term_break_even": trace_layers.of_term("break_even"),
    "compared": trace_layers.of_term("compared_per_month"),
    "one_gpu": trace_layers.of_term("one_gpu_per_month"),
    "value": trace_layers.value,
    "order_usd": trace_orders.order_usd,
    "order_gpus": trace_orders.order_gpus,
    "orders_usd": trace_orders.orders_usd,
    "orders_bind": trace_orders.orders_bind,
    "spot_instead": trace_orders.spot_instead,
    "spot_saves": trace_orders.spot_saves,
    "contract_usd": trace_orders.contract_usd,
    "contract_count": trace_orders.contract_count,
    "contracts_usd": trace_orders.contracts_usd,
    "plan_usd": trace_orders.plan_usd,
    "plan_contracts": trace_orders.plan_contracts,
    "plan_overflow": trace_orders.plan_overflow,
    "plan_signed": trace_orders.plan_signed,
    "plan_by_use": trace_orders.plan_by_use,
    "column_usd": trace_project.column_usd,
    "column_hours": trace_project.column_hours,
    "column_cards": trace_project.column_cards,
    "card_usd": trace_project.card_usd,
    "card_hours": trace_project.card_hours,
    "card_change": trace_cards.card_change,
    "part_today": trace_cards.part_today,
    "card_class": trace_cards.card_class,
    "card_jobs": trace_cards.card_jobs,
    "card_peak": trace_cards.card_peak,
    "card_nodes": trace_cards.card_nodes,
    "card_longest": trace_cards.card_longest,
    "card_lost": trace_cards.card_lost,
    "selected_usd": trace_cards.selected_usd,
    "selected_hours": trace_cards.selected_hours,
    "selected_class": trace_cards.selected_class,
    "merged_usd": trace_project.merged_usd,
    "merged_hours": trace_project.merged_hours,
    "demand_mean": trace_project.demand_mean,
    "loaded_jobs": trace_project.loaded_jobs,
    "loaded_workloads": trace_project.loaded_workloads,
    "loaded_clusters": trace_project.loaded_clusters,
    "loaded_gpus": trace_project.loaded_gpus,
    "loaded_hours": trace_project.loaded_hours,
    "quality_jobs": trace_quality.quality_jobs,
    "quality_hours": trace_quality.quality_hours,
    "quality_gaps": trace_quality.quality_gaps,
    "quality_share": trace_quality.quality_share,
    "offer_rate": trace_project.offer_rate,
    "offer_all_in": trace_project.offer_all_in,
    "offer_below": trace_project.offer_below,
    "use_utilization": trace_use_rows.of_use("utilization"),
    "use_break_even": trace_use_rows.use_break_even,
    "use_activity": trace_use_rows.use_activity,
    "use_usd": trace_use_rows.use_cost,
    "use_hours": trace_use_rows.use_hours,
    "use_week": trace_use_rows.use_week,
    "use_share": trace_use_rows.of_use("share"),
    "use_mean": trace_use_rows.of_use("mean_gpus"),
    "contended": trace_use_rows.contended,
    "way_paid": trace_backtest.way_paid,
    "way_over": trace_backtest.way_over,
    "variant_paid": trace_backtest.variant_paid,
    "variant_beside": trace_backtest.variant_beside,
    "case_plan": trace_cases.case_plan,
    "case_nothing": trace_cases.case_nothing,
    "case_saved": trace_cases.case_saved,
    "case_at_mid": trace_cases.case_at_mid,
    "case_layer": trace_cases.case_layer,
    "separation": trace_cases.separation,
    "alone_year": trace_providers.alone_year,
    "alone_beside": trace_providers.beside_plan,
    "separation_usd": trace_savings.separation_usd,
    "separation_hours": trace_savings.separation_hours,
    "savings_step": trace_savings.savings_step,
    "marginal_rate": trace_savings.of_buy("marginal_rate"),
    "bought_hours": trace_savings.of_buy("bought_gpu_hours_per_month"),
    "bought_gpus": trace_savings.of_buy("bought_gpus"),
    "limit_cost": trace_limits.of_limit("limit_cost"),
    "limit_cost_in_year": trace_limits.of_limit("limit_cost_in_year"),
    "plan_energy_kwh": trace_plan_energy.of_plan_energy("kwh_per_month"),
    "plan_energy_co2": trace_plan_energy.of_plan_energy("kg_co2_per_month"),
    "plan_energy_peak": trace_plan_energy.peak,
    "path_usd": trace_paths.path_usd,
    "path_wrong": trace_paths.path_wrong,
    "plan_nothing": trace_totals.plan_nothing,
    "plan_saved": trace_totals.of_plan("savings"),
    "plan_below_nothing": trace_totals.of_plan("savings_vs_do_nothing"),
    "plan_unused": trace_totals.plan_unused,
    "plan_utilization": trace_totals.of_plan("effective_utilization_plan"),
    "plan_lock_in": trace_totals.plan_lock_in,
    "plan_longest": trace_totals.plan_longest,
    "plan_band": trace_totals.plan_band,
    "plan_gpus": trace_totals.plan_gpus,
    "idle_gpus": trace_totals.idle_gpus,
    "idle_usd": trace_totals.idle_usd,
    "cost_line": trace_totals.cost_line,
    "month_plan": trace_totals.month_plan,
    "month_nothing": trace_totals.month_nothing,
    "ahead_plan": trace_horizons.ahead_plan,
    "ahead_nothing": trace_horizons.ahead_nothing,
    "ahead_before": trace_horizons.ahead_before,
    "ahead_saved": trace_horizons.of_ahead("saved"),
    "ahead_change": trace_horizons.of_ahead("changed"),
}
"""Kind of figure -> what answers for it; a figure id is kind:scope:subject, as those of the audit."""


def answer(evidence: PlanEvidence, figure_id: str) -> Trace:
    """Why a figure of a plan is what it is. Errors: KeyError, StopIteration for a kind or thing that there is not."""
    kind, scope, subject = parts_of(figure_id)
    return as_written(ANSWERS[kind](evidence, scope, subject), evidence.whole_usd.get(figure_id))


def as_written(trace: Trace, written: int | None) -> Trace:
    """A trace at the whole dollars that its figure is written in, where it is (None: it is not)."""
    if written is None or trace.value is None or abs(written - trace.value) > MOST_USD:
        return trace  # nothing to say, or advice of another moment
    is_other = written != round(trace.value)
    note = joined(filter(None, (trace.note, WHOLE if is_other else "")), " ")
    value = trace.value
    symbols = tuple(
        Amount(written, one.unit) if isinstance(one, Amount) and one.value == value else one
        for one in trace.symbols
    )
    return replace(trace, value=written, symbols=symbols, note=note)
