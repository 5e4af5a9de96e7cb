"""The panel Placement: typed egress becomes one edit each."""

from PySide6.QtCore import QObject

from gpuplanner.domain.edits import labels, plans
from gpuplanner.domain.model.assumptions import parse_assumption
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.panels.places.placement import PlacementPanel


class PlacementFlow(QObject):
    """Told the session and the panel; what is refused is said in the panel."""

    def __init__(self, session: Session, panel: PlacementPanel) -> None:
        super().__init__(session.window)
        self.document, self._panel = session.document, panel
        panel.assumption_set.connect(self._set)

    def _set(self, name: str, text: str) -> None:
        """Sets an assumption from its text; what cannot be read is refused in the panel."""
        try:
            value = parse_assumption(name, text)
            after = plans.set_assumption(self.document.project, None, name, value)
            self.document.edit(labels.assumption_label(name, value), after)
        except PlannerError as error:
            self._panel.refuse(error)
