"""A plan after an edit that is not made yet, in a thread: the newest question is answered."""

from gpuplanner.app.background import Answering, IsCancelled, Itself, OnProgress
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.evaluation import Evaluation, advise_plan, evaluate_figures
from gpuplanner.domain.model.project import Project
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Tried:
    """The plan as it is, and as it would be. after: the project that it would be of."""

    project: Project
    before: Advice
    after: Advice


class Trying(Answering):
    """What a plan would be after an edit; answers with `Tried`."""

    def ask(self, evaluation: Evaluation, after: Project) -> None:
        """Work out the plan of the same scenario in another project; `answered` tells.

        after: the project with an edit of that plan alone, so that the audit stays. Errors: ValueError without advice.
        """
        before = evaluation.advised
        plan = after.scenario(evaluation.scenario)

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> Tried:
            figures = evaluate_figures(after, evaluation.scenario, evaluation.audit, evaluation.figures)
            return Tried(after, before, advise_plan(after, figures))

        parts = (after.contracts, after.mappings)
        self._newest.ask((Itself(before), Itself(evaluation.audit), plan, *map(Itself, parts)), work)
