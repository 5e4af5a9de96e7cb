"""Export board brief: a file is asked for, and the pages of the plan that is shown are written to it."""

from pathlib import Path
from typing import Any, Final

from gpuplanner.app.briefing import Briefing
from gpuplanner.domain.message import worded
from gpuplanner.ui.flows.pages_flow import PagesFlow
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words.translation import tr

TITLE: Final = worded("Export board brief")
PDF, PPTX = worded("PDF (*.pdf)"), worded("PowerPoint (*.pptx)")
SUFFIXES: Final = {PDF: ".pdf", PPTX: ".pptx"}


class BriefFlow(PagesFlow):
    """Told the session. now_s: the day that briefs bear."""

    def __init__(self, session: Session, settings: Any, now_s: int) -> None:
        super().__init__(session, settings, Briefing(), now_s)
        session.asks.export_brief_asked.connect(self.export)

    def export(self) -> None:
        """Ask for a file and write the brief of the plan shown."""
        kinds = {tr(kind): suffix for kind, suffix in SUFFIXES.items()}
        path = self._chosen_file(tr(TITLE), " brief.pdf", kinds)
        if path is not None:
            self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Write the brief to a file, once the plan is settled: PPTX where its name says so, else PDF."""
        self._want(path, path.parent, tr("Exporting the board brief"))

    def _say_done(self, path: Path) -> None:
        note = tr("From what to approve to what to sign by when.")
        self._done(tr("Board brief exported"), str(path), note, path)
