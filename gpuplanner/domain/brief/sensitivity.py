"""What a brief says of other prices and other assumptions; worked out for it alone, for it takes many plans."""

from collections.abc import Callable
from dataclasses import dataclass

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint, flip_points
from gpuplanner.domain.commitment.uncertainty.price_sensitivity import CasePlan, price_sensitivity
from gpuplanner.domain.evaluation import Evaluation


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The plan at low, mid and high rates, and where it gives way.

    cases: in the order low, mid, high; flips: nearest first.
    """

    cases: tuple[CasePlan, ...]
    flips: tuple[FlipPoint, ...]


def sensitivity_of(evaluation: Evaluation, is_cancelled: Callable[[], bool] = lambda: False) -> Sensitivity:
    """Of the plan that was evaluated; with less in it where it was cancelled.

    Takes many plans to work out. is_cancelled: asked between them.
    """
    cache = AdviceCache()
    planned, figures = evaluation.in_parts, evaluation.figures  # with the work that no log has
    project, plan, pools = planned.project, figures.basis.plan, figures.workload_pools
    cases = price_sensitivity(project, plan, pools, planned.audit, cache, is_cancelled)
    return Sensitivity(
        cases, flip_points(project, plan, pools, cache, is_cancelled, planned.audit.classifications)
    )
