"""Presenter mode in the window: opened and left with F11, and shown what the window shows."""

from PySide6.QtCore import QObject

from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.ui.present.presenter import Presenter
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.session.ways import Ways


class PresentFlow(QObject):
    """Told the session, which is asked for it.

    presenter: the presentation that is on; None while there is none.
    """

    def __init__(self, session: Session, ways: Ways) -> None:
        super().__init__(session.window)
        self._session, self._ways = session, ways
        self.presenter: Presenter | None = None
        session.asks.present_asked.connect(self.open)
        session.evaluator.evaluated.connect(self._follow)
        session.asks.palette_chosen.connect(self._recolour)

    def open(self) -> None:
        """Present what is shown, on the screen that the window is on."""
        session, shown = self._session, self._session.view_state
        if self.presenter is not None:
            self.presenter.activateWindow()
            return
        if shown is None or session.window is None:
            return
        presenter = Presenter(session.palette, session.window)
        presenter.left.connect(self._leave)
        presenter.scenario_asked.connect(self._choose)
        self.presenter = presenter
        presenter.show_state(shown, session.time_s())
        presenter.open_on(session.window)

    def _follow(self, _: object) -> None:
        """The window was shown something newer: it is connected before this, so it has it by now."""
        shown = self._session.view_state
        if self.presenter is not None and shown is not None:
            self.presenter.show_state(shown, self._session.time_s())

    def _recolour(self, _: str) -> None:
        """Gives the presenter the window's colours."""
        if self.presenter is not None:
            self.presenter.show_palette(self._session.palette)

    def _choose(self, number: int) -> None:
        """Shows today or a plan by number, from 1."""
        names = (TODAY, *(plan.name for plan in self._session.document.project.scenarios))
        if number <= len(names):
            self._ways.scenario(names[number - 1])

    def _leave(self) -> None:
        """Closes the presenter; the window comes to the front."""
        if self.presenter is not None:
            self.presenter.deleteLater()
            self.presenter = None
            if self._session.window is not None:
                self._session.window.activateWindow()
