"""The tour in the window: offered once after the first project is opened, and again from the menu Help."""

from operator import attrgetter
from typing import Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from gpuplanner.app.settings import Settings
from gpuplanner.domain.model.scenario import TODAY
from gpuplanner.ui.main_window import MainWindow
from gpuplanner.ui.tour import STEPS, Tour

AGAIN_MS: Final = 400


class TourFlow(QObject):
    """Belongs to one main window. tour: the one that is on; None while there is none."""

    def __init__(self, window: MainWindow, settings: Settings) -> None:
        super().__init__(window)
        self._window, self._settings = window, settings
        self.tour: Tour | None = None
        self._came_from = ""
        self._focused: QWidget | None = None
        self._is_offered = False
        self._asker = QTimer(self)
        self._asker.setSingleShot(True)
        self._asker.setInterval(AGAIN_MS)
        self._asker.timeout.connect(self._offer)
        window.actions_by_id["tour"].triggered.connect(self.start)
        window.evaluator.evaluated.connect(self._take)
        window.document.changed.connect(self._leave_empty)
        window.palette_chosen.connect(self._recolour)

    def offer_once(self) -> None:
        """Start by itself when the first project is shown, if it never did."""
        self._is_offered = not self._settings.is_tour_seen

    def start(self) -> None:
        """Begin with the first step."""
        window = self._window
        if self.tour is not None or not window.has_workspace:
            return
        self._is_offered = False
        self._settings.is_tour_seen = True
        self._came_from, self._focused = window.scenario, QApplication.focusWidget()
        plans = window.document.project.scenarios
        tour = Tour([step for step in STEPS if plans or not step.needs_plan], window.palette_in_use, window)
        tour.gone_to.connect(self._point)
        tour.left.connect(self._end)
        self.tour = tour
        tour.go_to(0)

    def _point(self, at: int) -> None:
        window, tour = self._window, self.tour
        if tour is None:
            return
        step = tour.steps[at]
        if step.needs_plan and window.scenario == TODAY:
            window.choose_scenario(window.document.project.scenarios[0].name)
        if step.part.startswith("docks."):
            window.docks.raise_panel(step.part.removeprefix("docks."))
        QTimer.singleShot(
            0, tour, lambda: tour.point_at(attrgetter(step.part)(window))
        )  # once it has its place

    def _take(self, _: object) -> None:
        if self._is_offered and not self._asker.isActive():
            self._asker.start()

    def _offer(self) -> None:
        """Not over a dialog, and not before there is something to point at."""
        window = self._window
        if not self._is_offered:
            return
        if QApplication.activeModalWidget() is not None or not window.isVisible():
            self._asker.start()
        elif window.has_workspace:
            self.start()

    def _leave_empty(self, _: object) -> None:
        if self.tour is not None and not self._window.has_workspace:
            self.tour.leave()

    def _recolour(self, _: str) -> None:
        if self.tour is not None:
            self.tour.show_palette(self._window.palette_in_use)

    def _end(self) -> None:
        window, tour, self.tour = self._window, self.tour, None
        if tour is None:
            return
        tour.ring.deleteLater()
        tour.deleteLater()
        if self._came_from == TODAY and window.has_workspace and window.scenario != TODAY:
            window.choose_scenario(TODAY)
        if self._focused is not None and self._focused.isVisible():
            self._focused.setFocus()
