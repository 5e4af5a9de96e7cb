"""The tour in the window: offered once after the first project is opened, and again from the menu Help."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from gpuplanner.app.settings import Settings
from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.ui.frame.tour import STEPS, Tour
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.session.ways import Ways

AGAIN_MS: Final = 400


class TourFlow(QObject):
    """Told the session and how a part of the window is found by its name.

    tour: the one that is on; None while there is none.
    """

    def __init__(
        self,
        session: Session,
        settings: Settings,
        part_of: Callable[[str], QWidget],
        ways: Ways,
    ) -> None:
        super().__init__(session.window)
        self._session, self._settings, self._part_of, self._ways = session, settings, part_of, ways
        self.tour: Tour | None = None
        self._came_from = ""
        self._focused: QWidget | None = None
        self._is_offered = False
        self._asker = QTimer(self)
        self._asker.setSingleShot(True)
        self._asker.setInterval(AGAIN_MS)
        self._asker.timeout.connect(self._offer)
        session.asks.tour_asked.connect(self.start)
        session.evaluator.evaluated.connect(self._take)
        session.document.changed.connect(self._leave_empty)
        session.asks.palette_chosen.connect(self._recolour)

    def offer_once(self) -> None:
        """Start by itself when the first project is shown, if it never did."""
        self._is_offered = not self._settings.is_tour_seen

    def start(self) -> None:
        """Begin with the first step."""
        session, window = self._session, self._session.window
        if self.tour is not None or window is None or not session.has_workspace:
            return
        self._is_offered = False
        self._settings.is_tour_seen = True
        self._came_from, self._focused = session.scenario, QApplication.focusWidget()
        plans = session.document.project.scenarios
        tour = Tour([step for step in STEPS if plans or not step.needs_plan], session.palette, window)
        tour.gone_to.connect(self._point)
        tour.left.connect(self._end)
        self.tour = tour
        tour.go_to(0)

    def _point(self, at: int) -> None:
        """Brings the part of a step into sight, a plan or a panel, and points at it."""
        session, tour = self._session, self.tour
        if tour is None:
            return
        step = tour.steps[at]
        if step.needs_plan and session.scenario == TODAY:
            self._ways.scenario(session.document.project.scenarios[0].name)
        if step.part.startswith("docks."):
            self._ways.panel(step.part.removeprefix("docks."))
        QTimer.singleShot(0, tour, lambda: tour.point_at(self._part_of(step.part)))  # once it has its place

    def _take(self, _: object) -> None:
        """Offers the tour a while after a project is there."""
        if self._is_offered and not self._asker.isActive():
            self._asker.start()

    def _offer(self) -> None:
        """Not over a dialog, and not before there is something to point at."""
        window = self._session.window
        if not self._is_offered or window is None:
            return
        if QApplication.activeModalWidget() is not None or not window.isVisible():
            self._asker.start()
        elif self._session.has_workspace:
            self.start()

    def _leave_empty(self, _: object) -> None:
        """Ends the tour when no project is left to point at."""
        if self.tour is not None and not self._session.has_workspace:
            self.tour.leave()

    def _recolour(self, _: str) -> None:
        """Gives the tour the window's colours."""
        if self.tour is not None:
            self.tour.show_palette(self._session.palette)

    def _end(self) -> None:
        """Takes the tour away; scenario and keyboard go back to where they were."""
        session, tour, self.tour = self._session, self.tour, None
        if tour is None:
            return
        tour.ring.deleteLater()
        tour.deleteLater()
        if self._came_from == TODAY and session.has_workspace and session.scenario != TODAY:
            self._ways.scenario(TODAY)
        if self._focused is not None and self._focused.isVisible():
            self._focused.setFocus()
