"""Reports of many plans in a thread: worked out when they are viewed, kept while their inputs are the same."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject

from gpuplanner.app.background import Answering, IsCancelled, Itself, OnProgress
from gpuplanner.domain.award.offer_worths import OfferWorth, offer_worths
from gpuplanner.domain.evaluation import Evaluation

ReportOf = Callable[[Evaluation, IsCancelled], Sequence[Any]]


def worth(evaluation: Evaluation, is_cancelled: IsCancelled) -> tuple[OfferWorth, ...]:
    """Up to which rate the shown plan signs each term on offer."""
    return offer_worths(evaluation, is_cancelled) or ()


class PlanReport(Answering):
    """A report of many plans; answers with its rows. rows: what is worked out of a plan."""

    def __init__(self, rows: ReportOf, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = rows

    def ask(self, evaluation: Evaluation) -> None:
        """Work it out; `answered` tells, at once where nothing moved. Nothing happens while the plan is worked out."""
        if evaluation.advice is not None:

            def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> Sequence[Any]:
                return self._rows(evaluation, is_cancelled)

            self._newest.ask(self._question(evaluation), work)

    def known(self, evaluation: Evaluation) -> Sequence[Any]:
        """The rows where they are there already; else none."""
        return self._newest.known(self._question(evaluation)) or ()

    @staticmethod
    def _question(evaluation: Evaluation) -> tuple[Itself, ...]:
        return Itself(evaluation.audit), Itself(evaluation.advice)
