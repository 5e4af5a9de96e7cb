"""Presenter mode in the window: opened and left with F11, and kept up to date."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from gpuplanner.app.briefing import Weighing
from gpuplanner.app.exporting import WhoWaits, nobody_knows
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.ui.flows.session import Session, Ways
from gpuplanner.ui.kit.small_dialogs import show_error

if TYPE_CHECKING:
    from gpuplanner.ui.present.presenter import Presenter


class PresentFlow(QObject):
    """Told the session, which is asked for it.

    presenter: the presentation that is on; None while there is none.
    """

    def __init__(self, session: Session, ways: Ways, who_waits: WhoWaits = nobody_knows) -> None:
        super().__init__(session.window)
        self.session, self._ways = session, ways
        self.presenter: Presenter | None = None
        self.weighing = Weighing(who_waits, self)
        self.weighing.answered.connect(self._show)
        self.weighing.failed.connect(lambda error: show_error(self.presenter, error))
        session.asks.present_asked.connect(self.open)
        session.evaluator.evaluated.connect(self._follow)

    def open(self) -> None:
        """Present what is shown, on the screen that the window is on."""
        from gpuplanner.ui.present.presenter import Presenter

        session = self.session
        if self.presenter is not None:
            self.presenter.activateWindow()
            return
        if session.view_state is None or session.window is None:
            return
        self.presenter = Presenter(session.window)
        self.presenter.left.connect(self._leave)
        self.presenter.scenario_asked.connect(self._choose)
        self._follow()
        self.presenter.open_on(session.window)

    def _follow(self, _: object = None) -> None:
        """The window was shown something newer: it is connected before this, so it has it by now."""
        shown = self.session.view_state
        if self.presenter is None or shown is None:
            return
        self._show()
        if shown.is_today or shown.is_settling or shown.is_outlook_settling or shown.advice is None:
            self.weighing.cancel()
        else:  # what is weighed already goes on, as when only the fit of hardware came later
            self.weighing.ask(shown.at_start.evaluation, self.session.time_s())

    def _show(self, weighed: dict[str, Any] | None = None) -> None:
        """Shows what the window shows; weighed: of that, None until it is worked out."""
        shown = self.session.view_state
        if self.presenter is not None and shown is not None:
            session = self.session
            self.presenter.show_state(shown.at_start, session.time_s(), weighed)

    def _choose(self, number: int) -> None:
        """Shows today or a plan by number, from 1."""
        names = (TODAY, *(plan.name for plan in self.session.document.project.scenarios))
        if number <= len(names):
            self._ways.scenario(names[number - 1])

    def _leave(self) -> None:
        """Closes the presenter; the window comes to the front."""
        self.weighing.cancel()
        if self.presenter is not None:
            self.presenter.deleteLater()
            self.presenter = None
            if self.session.window is not None:
                self.session.window.activateWindow()
