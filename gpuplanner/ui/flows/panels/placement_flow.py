"""The panel Placement on a project: what the planner typed of egress becomes one edit each."""

from PySide6.QtCore import QObject

from gpuplanner.domain import edits
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.scenario.assumptions import parse_assumption
from gpuplanner.ui.panels.places.placement import PlacementPanel
from gpuplanner.ui.session.session import Session


class PlacementFlow(QObject):
    """Told the session and the panel; what is refused is said in the panel."""

    def __init__(self, session: Session, panel: PlacementPanel) -> None:
        super().__init__(session.window)
        self._document, self._panel = session.document, panel
        panel.import_asked.connect(session.asks.import_asked)
        panel.assumption_set.connect(self._set)

    def _set(self, name: str, text: str) -> None:
        """Sets an assumption from its text; what cannot be read is refused in the panel."""
        try:
            value = parse_assumption(name, text)
            after = edits.set_assumption(self._document.project, None, name, value)
            self._document.edit(edits.assumption_label(name, value), after)
        except PlannerError as error:
            self._panel.refuse(error)
