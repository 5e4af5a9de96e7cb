"""Presenter mode in the window: opened and left with F11, and shown what the window shows."""

from PySide6.QtCore import QObject

from gpuplanner.domain.model.scenario import TODAY
from gpuplanner.ui.main_window import MainWindow
from gpuplanner.ui.present.presenter import Presenter


class PresentFlow(QObject):
    """Belongs to one main window. presenter: the presentation that is on; None while there is none."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.presenter: Presenter | None = None
        window.actions_by_id["present"].triggered.connect(self.open)
        window.evaluator.evaluated.connect(self._follow)
        window.palette_chosen.connect(self._recolour)

    def open(self) -> None:
        """Present what is shown, on the screen that the window is on."""
        window, shown = self._window, self._window.shown
        if self.presenter is not None:
            self.presenter.activateWindow()
            return
        if shown is None:
            return
        presenter = Presenter(window.palette_in_use, window)
        presenter.left.connect(self._leave)
        presenter.scenario_asked.connect(self._choose)
        self.presenter = presenter
        presenter.show_shown(shown, window.time_s())
        presenter.open_on(window)

    def _follow(self, _: object) -> None:
        """The window was shown something newer: it is connected before this, so it has it by now."""
        shown = self._window.shown
        if self.presenter is not None and shown is not None:
            self.presenter.show_shown(shown, self._window.time_s())

    def _recolour(self, _: str) -> None:
        if self.presenter is not None:
            self.presenter.show_palette(self._window.palette_in_use)

    def _choose(self, number: int) -> None:
        names = (TODAY, *(plan.name for plan in self._window.document.project.scenarios))
        if number <= len(names):
            self._window.choose_scenario(names[number - 1])

    def _leave(self) -> None:
        if self.presenter is not None:
            self.presenter.deleteLater()
            self.presenter = None
            self._window.activateWindow()
