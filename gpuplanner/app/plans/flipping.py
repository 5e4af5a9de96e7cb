"""Flip points in a thread: worked out when they are viewed, kept while the plan is the same."""

from gpuplanner.app.background import Answering, IsCancelled, OnProgress
from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint, flip_points
from gpuplanner.domain.evaluation import Evaluation


class Flipping(Answering):
    """Where the advice becomes another; answers with a tuple of `FlipPoint`."""

    def ask(self, evaluation: Evaluation) -> None:
        """Look for the flip points of a plan; `answered` tells.

        Told at once where the plan stands on the very same parts as last time. Errors: KeyError on Today.
        """
        project, pools = evaluation.in_parts.project, evaluation.figures.workload_pools
        plan = evaluation.plan
        classes = evaluation.in_parts.audit.classifications
        question = (
            project.cube,
            project.workloads,
            project.contracts,
            project.offers,
            project.labels,
            project.assumptions,
            project.mappings,
            plan.assumptions,
            plan.hand_layers,
            plan.advised_around,
            plan.greenfield,
            plan.price_case,
            plan.spells,
            plan.changes,
            plan.planned,
            plan.price_changes,
            plan.accepted,
            plan.only,
            plan.provider_ends,
            plan.whole_decisions,
            pools,
            project.plan_from_s,
            classes,
        )

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> tuple[FlipPoint, ...]:
            return flip_points(project, plan, pools, None, is_cancelled, classes)

        self._newest.ask(question, work)
