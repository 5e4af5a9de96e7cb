"""The panel Duration & commitment with what looks for its flip points: asks while they are looked at, and shows."""

from PySide6.QtCore import QObject

from gpuplanner.app.questions.flipping import Flipping
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.ui.panels.duration.duration import DurationPanel
from gpuplanner.ui.session.session import Session


class DurationFlow(QObject):
    """Told the session and the panel."""

    def __init__(self, session: Session, panel: DurationPanel) -> None:
        super().__init__(session.window)
        self._flipping = Flipping(self)
        self._sections = panel.sections
        self._sections.flips_asked.connect(self._ask)
        self._sections.flips_left.connect(self._flipping.cancel)
        self._flipping.answered.connect(self._sections.show_flips)
        self._flipping.failed.connect(self._sections.show_no_flips)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is awaited."""
        return self._flipping.is_busy

    def close(self) -> None:
        """Want no answer any more, and wait for the thread."""
        self._flipping.close()

    def _ask(self, evaluation: Evaluation) -> None:
        """Asks for the flip points of an evaluation; a thread looks for them."""
        self._flipping.ask(evaluation)
