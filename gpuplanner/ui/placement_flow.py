"""The panel Placement on a project: what the planner typed of egress becomes one edit each."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gpuplanner.domain import edits
from gpuplanner.domain.model.assumptions import parse_assumption
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.ui.panels.placement import PlacementPanel

if TYPE_CHECKING:
    from gpuplanner.ui.main_window import MainWindow


class PlacementFlow(QObject):
    """Told the window and its panel; what is refused is said in the panel."""

    def __init__(self, window: "MainWindow", panel: PlacementPanel) -> None:
        super().__init__(window)
        self._window, self._panel = window, panel
        panel.import_asked.connect(window.import_asked)
        panel.assumption_set.connect(self._set)

    def _set(self, name: str, text: str) -> None:
        try:
            value = parse_assumption(name, text)
            after = edits.set_assumption(self._window.document.project, None, name, value)
            self._window.document.edit(edits.assumption_label(name, value), after)
        except PlannerError as error:
            self._panel.refuse(error)
