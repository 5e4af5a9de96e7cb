"""The panel Duration & commitment: its flip points are worked out while they are viewed."""

from PySide6.QtCore import QObject

from gpuplanner.app.plans.flipping import Flipping
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.panels.duration.duration import DurationPanel


class DurationFlow(QObject):
    """Told the session and the panel."""

    def __init__(self, session: Session, panel: DurationPanel) -> None:
        super().__init__(session.window)
        flipping, sections = Flipping(self), panel.sections
        sections.flips_asked.connect(flipping.ask)
        sections.flips_left.connect(flipping.cancel)
        flipping.answered.connect(sections.show_flips)
        flipping.failed.connect(sections.show_no_flips)
