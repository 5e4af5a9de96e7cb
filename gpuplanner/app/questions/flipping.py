"""Flip points in a thread: worked out when they are looked at, and kept for as long as the plan is the same."""

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import IsCancelled, OnProgress, Threaded
from gpuplanner.app.questions.newest_question import NewestQuestion
from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint, flip_points
from gpuplanner.domain.evaluation import Evaluation


class Flipping(Threaded):
    """The newest question is answered; one asked again is answered at once."""

    answered = Signal(object)  # tuple[FlipPoint, ...]

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._newest = NewestQuestion[tuple[FlipPoint, ...]](self._background, self.answered.emit)

    def ask(self, evaluation: Evaluation) -> None:
        """Look for the flip points of a plan; `answered` tells.

        Told at once where the plan stands on the very same parts as last time. Errors: KeyError on Today.
        """
        project, pools = evaluation.in_parts.project, evaluation.figures.workload_pools
        plan = project.scenario(evaluation.scenario)
        classes = evaluation.in_parts.audit.classifications
        question = (
            project.cube, project.workloads, project.contracts, project.offers, project.labels, project.assumptions,
            project.mappings, plan.assumptions, plan.hand_layers, plan.advised_around, plan.greenfield, plan.price_case,
            plan.spells, plan.changes, plan.planned, plan.price_changes, pools, project.plan_from_s, classes,
        )  # fmt: skip

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> tuple[FlipPoint, ...]:
            return flip_points(project, plan, pools, None, is_cancelled, classes)

        self._newest.ask(question, work)
