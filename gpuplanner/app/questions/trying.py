"""What a plan would be after an edit that is not done yet, in a thread: the newest question is answered."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import IsCancelled, OnProgress, Threaded
from gpuplanner.app.questions.newest_question import Itself, NewestQuestion
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.evaluation import Evaluation, advise_plan, evaluate_figures
from gpuplanner.domain.model.project import Project


@dataclass(frozen=True, slots=True)
class Tried:
    """The plan as it is, and as it would be. after: the project that it would be of."""

    project: Project
    before: Advice
    after: Advice


class Trying(Threaded):
    """The newest question is answered; one asked again is answered at once."""

    answered = Signal(object)  # Tried

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._newest = NewestQuestion[Tried](self._background, self.answered.emit)

    def ask(self, evaluation: Evaluation, after: Project) -> None:
        """Work out the plan of the same scenario in another project; `answered` tells.

        after: the project with an edit of that plan alone, so that the audit stays. Errors: ValueError without advice.
        """
        before = evaluation.advice
        if before is None:
            raise ValueError("trying: the evaluation has no advice; advise first")
        plan = after.scenario(evaluation.scenario)

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> Tried:
            figures = evaluate_figures(after, evaluation.scenario, evaluation.audit, evaluation.figures)
            return Tried(after, before, advise_plan(after, figures))

        self._newest.ask((Itself(before), Itself(evaluation.audit), plan), work)
