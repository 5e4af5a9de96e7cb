"""Award in a thread: the assignment first, then the value of each quote."""

from PySide6.QtCore import QObject, Signal

from gpuplanner.app import background
from gpuplanner.domain.award.award import Award
from gpuplanner.domain.award.deciding import decide
from gpuplanner.domain.award.quote_worths import with_worth
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """An award; is_whole: with what each quote would be worth, which takes many plans."""

    award: Award
    is_whole: bool


class Awarding(QObject):
    """The newest question is answered, in two steps; one asked again is answered at once."""

    answered = Signal(object)  # Found
    failed = Signal(object)  # Exception
    progressed = Signal(float, object)  # share of what quotes are worth, 0..1, and words

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._deciding = background.Background(self.failed.emit, parent=self)
        self._worth = background.Background(self.failed.emit, self.progressed.emit, self)
        self._decided = background.NewestQuestion[Award | None](self._deciding, self._take)
        self._whole = background.NewestQuestion[Award | None](self._worth, self._take_whole)
        self._asked: Evaluation | None = None

    @property
    def is_busy(self) -> bool:
        """Whether an answer is awaited."""
        return self._deciding.is_busy or self._worth.is_busy

    def ask(self, evaluation: Evaluation, today_s: int, max_prepaid: float | None = None) -> None:
        """Award what a plan asks for; `answered` tells. Errors: ValueError without advice.

        today_s: epoch seconds; max_prepaid: in the money of the project, None: no limit. Told at once where it is the
        very same advice, numbers of orders and limit as last time.
        """
        advice = evaluation.advised
        if self._asked is None or self._asked.advice is not advice:
            self._worth.cancel()
        self._asked = evaluation

        def work(on_progress: background.OnProgress, is_cancelled: background.IsCancelled) -> Award | None:
            from gpuplanner.files.tables.odd_rates import market_of_offer

            return decide(evaluation, today_s, market_of_offer, max_prepaid, is_cancelled)

        numbered = background.Itself(
            evaluation.listed_orders
        )  # rows name their orders once these have numbers
        self._decided.ask((background.Itself(advice), numbered, today_s, max_prepaid), work)

    def cancel(self) -> None:
        """Want no answer any more."""
        self._deciding.cancel()
        self._worth.cancel()

    def close(self) -> None:
        """Want no answer any more, and wait for the threads."""
        self._deciding.close()
        self._worth.close()

    def _take(self, award: Award | None) -> None:
        """Tells who gets what, and asks what the quotes are worth."""
        evaluation = self._asked
        if award is None or evaluation is None:
            return
        self.answered.emit(Found(award, False))

        def work(on_progress: background.OnProgress, is_cancelled: background.IsCancelled) -> Award | None:
            return with_worth(award, evaluation, is_cancelled, on_progress)

        self._whole.ask((background.Itself(award),), work)

    def _take_whole(self, award: Award | None) -> None:
        if award is not None:
            self.answered.emit(Found(award, True))
