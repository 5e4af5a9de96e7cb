"""Session: what one window works on: document, evaluator, gestures, scenario, what is shown, and the time."""

from PySide6.QtCore import QElapsedTimer, QObject
from PySide6.QtWidgets import QWidget

from gpuplanner.app.document import Document
from gpuplanner.app.evaluator import Evaluator
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.session.asks import Asks
from gpuplanner.ui.session.gestures import Gestures
from gpuplanner.ui.state.view_state import ViewState, next_view_state


class Session(QObject):
    """Flows are told of it. The window is here only as the parent of their dialogs, and as what they live as long as.

    now_s: the time at the start, epoch seconds UTC; None: there is no clock, it is always the end of the log's window.
    """

    def __init__(
        self,
        document: Document,
        evaluator: Evaluator,
        palette: Palette,
        window: QWidget | None = None,
        now_s: int | None = None,
    ) -> None:
        super().__init__(window)
        self.document, self.evaluator, self.window, self.now_s = document, evaluator, window, now_s
        self.palette = palette  # the colours that are drawn in
        self.has_workspace = False  # whether a project is shown rather than the welcome page
        self.view_state: ViewState | None = (
            None  # None on the welcome page, and until the first figures are there
        )
        self.asks = Asks(self)
        self.gestures = Gestures(document, self, self.time_s)
        self._running = QElapsedTimer()
        self._running.start()

    @property
    def scenario(self) -> str:
        """The scenario that is shown, which the gestures are made in."""
        return self.gestures.scenario

    @property
    def evaluation(self) -> Evaluation | None:
        """What is known of what is shown.

        None before the first one.
        """
        return None if self.view_state is None else self.view_state.evaluation

    def show(self, evaluation: Evaluation) -> ViewState:
        """What is shown from now on: what the evaluation does not know yet stays as it was."""
        self.view_state = next_view_state(self.view_state, evaluation)
        return self.view_state

    def time_s(self) -> int:
        """The time in epoch seconds UTC, from the clock that was read at the start; without one, the window's end."""
        if self.now_s is None:
            return int(self.document.project.window.end_s)
        return self.now_s + self._running.elapsed() // 1000
