"""What is shown as what answers stand on: the evidence of a plan and of costs, from the window's own figures."""

from typing import Any

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.audit.evidence.unit_costs import CostEvidence
from gpuplanner.domain.commitment.evidence.layers import (
    ALL,
    BY_USE,
    EXISTING,
    PlacedCard,
    PlanEvidence,
    order_subject,
    row_subject,
)
from gpuplanner.domain.commitment.outlook_result import NOT_YET
from gpuplanner.domain.commitment.plan.layers import (
    idle_dollars,
    is_in_first_month,
    order_dollars,
    pool_dollars,
    term_dollars,
)
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.spelling import told_apart
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.domain.reports.orders import seen_in
from gpuplanner.domain.reports.report import Medium, whole_amounts
from gpuplanner.domain.reports.use import USES
from gpuplanner.ui.state.plan_money import plan_amounts
from gpuplanner.ui.state.view_state import ViewState


def plan_evidence(
    shown: ViewState,
    now_s: int | None,
    walked: Any = None,
    cases: Any = (),
    selected: tuple[str, ...] = (),
    alone: Any = (),
) -> PlanEvidence:
    """Of what is shown; walked: a backtest that is there; cases: the plan at other rates; alone: with one provider;
    selected: keys of cards.

    now_s: the day it is, epoch seconds."""
    evaluation = shown.evaluation
    project = evaluation.project
    hours = max(1, project.window.hours)
    names = told_apart(shown.cards)
    return PlanEvidence(
        project=project,
        scenario=evaluation.scenario,
        audit=evaluation.audit,
        advice=shown.advice,
        offers=shown.offers,
        cards=tuple(
            PlacedCard(
                card.key,
                names[card.key],
                card.pool,
                card.in_review,
                card.gpu_hours_per_month,
                shown.usd.get(card.key),
                card.milli_gpu_seconds,
                card.times,
            )
            for card in shown.cards
        ),
        due=() if shown.advice is None else seen_in(project, now_s).to_approve(shown.advice.orders),
        is_today=shown.is_today,
        mean_gpus={
            pool: float(evaluation.figures.hourly[pool].sum()) / MILLI_GPU_SECONDS_PER_GPU_HOUR / hours
            for pool in POOLS
        },
        backtest=None if walked is None else walked.backtest,
        variants=() if walked is None else tuple(walked.variants),
        whole_usd={
            **_whole_of_use(shown),
            **({} if shown.is_today or shown.advice is None else _whole_usd(shown, shown.advice, now_s)),
        },
        cases=tuple(cases),
        alone=tuple(alone),
        outlook=shown.outlook or NOT_YET,
        selected=selected,
        before=shown.before,
    )


def _whole_of_use(shown: ViewState) -> dict[str, int]:
    """What the panel Utilization writes: rows of a view add up to its sum."""
    use = shown.evaluation.audit.use
    found: dict[str, int] = {}
    for view, report in USES.items() if use is not None else ():
        rows = report.rows_in(Medium.WINDOW, use)
        money = next(column for column in report.columns_in(Medium.WINDOW) if column.name == "cost_per_month")
        for row, whole in zip(rows, whole_amounts(report, money, rows), strict=True):
            if whole is not None:
                found[figure("use_usd", row.subject, view)] = whole
    return found


def _whole_usd(shown: ViewState, advice: Advice, now_s: int | None) -> dict[str, int]:
    """Figures of a plan in the whole dollars that its panels write, by figure id; what is unknown is left out."""
    found: dict[str, int | None] = {amount.figure_id: _int(amount.usd) for amount in plan_amounts(shown)}
    for pool, usd in pool_dollars(advice).items():
        found[figure("column_usd", pool.value)] = usd
    for plan in advice.pools:
        parts = term_dollars(advice, plan)
        for (is_existing, category, months), usd in parts.items():
            part = EXISTING if is_existing else str(months) if months else f"{BY_USE}-{category.value}"
            found[figure("layer_usd", row_subject(plan, part))] = usd
        all_of_it = list(parts.values())
        found[figure("layer_usd", row_subject(plan, ALL))] = _sum(all_of_it)
    for idle, usd in zip(advice.idle_existing, idle_dollars(advice), strict=True):
        found[figure("idle_usd", idle.gpu_model or "")] = usd
    for order in advice.orders:
        found[figure("order_usd", order_subject(order))] = order_dollars(order, advice)
    due = seen_in(shown.evaluation.project, now_s).to_approve(advice.orders)
    found[figure("orders_usd")] = _sum(
        [order_dollars(one, advice) for one in due if is_in_first_month(one, advice)]
    )
    return {figure_id: usd for figure_id, usd in found.items() if usd is not None}


def _int(usd: float | None) -> int | None:
    """In whole dollars; None stays None."""
    return None if usd is None else round(usd)


def _sum(values: list[int | None]) -> int | None:
    """The sum of whole dollars; None if one is unknown."""
    return None if None in values else sum(value for value in values if value is not None)


def cost_evidence(costs: Any) -> CostEvidence:
    """Of the costs that the panel shows."""
    return CostEvidence(costs.unit, costs.variance, costs.past, costs.charged, costs.business)
