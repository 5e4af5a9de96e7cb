"""What is shown as what answers stand on: the trails of a plan and of costs, from the window's own figures."""

from typing import Any

from gpuplanner.domain.audit.trace_costs import CostTrail
from gpuplanner.domain.commitment.plan_trail import PlacedCard, PlanTrail
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.ui.shown import Shown


def plan_trail(shown: Shown, now_s: int | None, walked: Any = None) -> PlanTrail:
    """Of what is shown; walked: a backtest that is there. now_s: the day it is, epoch seconds."""
    evaluation = shown.evaluation
    project = evaluation.project
    hours = max(1, project.window.hours)
    return PlanTrail(
        project=project,
        scenario=evaluation.scenario,
        audit=evaluation.audit,
        advice=shown.advice,
        offers=shown.offers,
        cards=tuple(
            PlacedCard(
                card.key,
                card.name,
                card.pool,
                card.in_review,
                card.gpu_hours_per_month,
                shown.usd.get(card.key),
            )
            for card in shown.cards
        ),
        today_s=project.window.end_s if now_s is None else now_s,
        is_today=shown.is_today,
        mean_gpus={
            pool: float(evaluation.figures.hourly[pool].sum()) / MILLI_GPU_SECONDS_PER_GPU_HOUR / hours
            for pool in POOLS
        },
        egress_gb_per_gpu_hour=project.assumptions.egress_gb_per_gpu_hour,
        backtest=None if walked is None else walked.backtest,
        variants=() if walked is None else tuple(walked.variants),
    )


def cost_trail(costs: Any) -> CostTrail:
    """Of the costs that the panel shows."""
    return CostTrail(costs.unit, costs.variance)
