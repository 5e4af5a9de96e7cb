"""Price sensitivity in a thread: worked out when it is looked at, and kept for as long as it holds."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Threaded
from gpuplanner.app.questions.newest_question import Itself, NewestQuestion
from gpuplanner.domain.commitment.uncertainty.price_sensitivity import CasePlan, price_sensitivity
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.price_case import PriceCase

Cases = tuple[CasePlan, ...]


class PriceCases(Threaded):
    """The newest question is answered; one asked again is answered at once."""

    answered = Signal(object)  # Cases

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._newest = NewestQuestion[Cases](self._background, self._tell)

    def ask(self, evaluation: Evaluation) -> None:
        """Work out the shown plan at low, mid and high rates; `answered` tells.

        Told at once where it stands on the very same parts as
        last time.
        """
        plan, pools = evaluation.figures.basis.plan, evaluation.figures.workload_pools
        planned = evaluation.in_parts

        def work(on_progress: Callable[[float, Text], None], is_cancelled: Callable[[], bool]) -> Cases:
            return price_sensitivity(planned.project, plan, pools, planned.audit, is_cancelled=is_cancelled)

        self._newest.ask(_question(evaluation), work)

    def _tell(self, cases: Cases) -> None:
        """Nothing is told of an answer that was cancelled."""
        if cases:
            self.answered.emit(cases)


def _question(evaluation: Evaluation) -> tuple[object, ...]:
    """The audit is of all inputs; of the plan everything but the case that it counts with."""
    return Itself(evaluation.audit), replace(evaluation.figures.basis.plan, price_case=PriceCase.MID)
