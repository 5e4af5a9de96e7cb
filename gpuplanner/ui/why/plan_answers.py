"""What is shown as the evidence that answers about a plan and costs stand on, and the answers of the headline."""

from typing import Any

from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.commitment.outlook_result import NOT_YET, Uncertainty
from gpuplanner.domain.commitment.plan import layers
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.evidence.costs.cost_evidence import CostEvidence
from gpuplanner.domain.evidence.plan import headline
from gpuplanner.domain.evidence.plan.layers import (
    ALL,
    BY_USE,
    EXISTING,
    PlacedCard,
    PlanEvidence,
    order_subject,
    row_subject,
)
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.amounts import whole_dollars
from gpuplanner.domain.model.spelling import told_apart
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.domain.reports.report import Medium, whole_amounts
from gpuplanner.domain.reports.use import USES
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.state import plan_money
from gpuplanner.ui.state.view_state import ViewState, inputs_of
from gpuplanner.ui.why.answer import Why
from gpuplanner.ui.why.written_trace import why_in_parts

# --- Why a figure of a plan's headline is what it is, from the domain's answer


def why(figure_id: str, shown: ViewState) -> Why:
    """The answer for one figure of a plan's headline; of a range from before an edit it says nothing."""
    evidence = plan_evidence(shown, None)
    if shown.is_outlook_settling and shown.outlook is not None:
        evidence = replace(evidence, outlook=replace(shown.outlook, uncertainty=Uncertainty()))
    return why_in_parts(headline.ANSWERS[figure_id](evidence), inputs_of(shown))


# --- What is shown as what answers stand on: the evidence of a plan and of costs, from the window's own
# figures


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
                key=card.key,
                name=names[card.key],
                pool=card.pool,
                in_review=card.in_review,
                gpu_hours_per_month=card.gpu_hours_per_month,
                usd_per_month=shown.usd.get(card.key),
                milli_gpu_seconds=card.milli_gpu_seconds,
                times=card.times,
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
        idle_usd=shown.idle_usd,
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
    dollars: dict[str, int | None] = {
        amount.figure_id: whole_dollars(amount.usd) for amount in plan_money.plan_amounts(shown)
    }
    for plan in advice.pools:
        parts = layers.term_dollars(advice, plan)
        for (is_existing, category, months), usd in parts.items():
            if is_existing:
                part = EXISTING
            elif months:
                part = str(months)
            else:
                part = f"{BY_USE}-{category.value}"
            dollars[figure("layer_usd", row_subject(plan, part))] = usd
        all_of_it = list(parts.values())
        dollars[figure("layer_usd", row_subject(plan, ALL))] = _sum(all_of_it)
    for idle, usd in zip(advice.idle_existing, layers.idle_dollars(advice), strict=True):
        dollars[figure("idle_usd", idle.gpu_model or "")] = usd
    for order in advice.orders:
        dollars[figure("order_usd", order_subject(order))] = layers.order_dollars(order, advice)
    due = seen_in(shown.evaluation.project, now_s).to_approve(advice.orders)
    first = (order for order in due if layers.is_in_first_month(order, advice))
    dollars[figure("orders_usd")] = _sum([layers.order_dollars(order, advice) for order in first])
    return {figure_id: usd for figure_id, usd in dollars.items() if usd is not None}


def _sum(values: list[int | None]) -> int | None:
    """The sum of whole dollars; None if one is unknown."""
    return None if None in values else sum(value for value in values if value is not None)


def cost_evidence(costs: Any) -> CostEvidence:
    """Of the costs that the panel shows."""
    return CostEvidence(
        unit=costs.unit,
        variance=costs.variance,
        past=costs.past,
        charged=costs.charged,
        business=costs.business,
    )
