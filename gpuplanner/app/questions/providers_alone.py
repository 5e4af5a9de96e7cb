"""One provider alone in a thread: worked out when it is looked at, and kept for as long as it holds."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Threaded
from gpuplanner.app.questions.newest_question import Itself, NewestQuestion
from gpuplanner.domain.commitment.uncertainty.one_provider import ProviderPlan, providers_alone
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Text

Alone = tuple[ProviderPlan, ...]


class ProvidersAlone(Threaded):
    """The newest question is answered; one asked again is answered at once."""

    answered = Signal(object)  # Alone

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._newest = NewestQuestion[Alone](self._background, self.answered.emit)

    def ask(self, evaluation: Evaluation) -> None:
        """Work out the shown plan with each provider alone; `answered` tells, at once where nothing moved.

        Nothing happens while the plan itself is worked out.
        """
        plan, pools = evaluation.figures.basis.plan, evaluation.figures.workload_pools
        planned, advice = evaluation.in_parts, evaluation.advice
        if advice is None:
            return

        def work(on_progress: Callable[[float, Text], None], is_cancelled: Callable[[], bool]) -> Alone:
            return providers_alone(planned.project, plan, pools, planned.audit, advice, is_cancelled)

        self._newest.ask((Itself(evaluation.audit), Itself(advice)), work)
