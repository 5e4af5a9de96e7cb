"""Export team statements: a file is asked for, and who pays for the window is written to it, a page or rows a team."""

from pathlib import Path
from typing import Any, Final

from gpuplanner.app.stating import CSV_SUFFIX, Stating
from gpuplanner.domain.message import worded
from gpuplanner.ui.flows.pages_flow import PagesFlow
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words.translation import tr

TITLE: Final = worded("Export team statements")
PDF, CSV = worded("PDF, a page a team (*.pdf)"), worded("FOCUS rows (*.csv)")
SUFFIXES: Final = {PDF: ".pdf", CSV: CSV_SUFFIX}


class StatementFlow(PagesFlow):
    """Told the session. now_s: the day that statements bear."""

    needs_outlook = False

    def __init__(self, session: Session, settings: Any, now_s: int) -> None:
        super().__init__(session, settings, Stating(), now_s)
        session.asks.export_statements_asked.connect(self.export)

    def export(self) -> None:
        """Ask for a file and write the statements of all teams."""
        kinds = {tr(kind): suffix for kind, suffix in SUFFIXES.items()}
        path = self._chosen_file(tr(TITLE), " statements.pdf", kinds)
        if path is not None:
            self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Write the statements to a file: FOCUS rows where its name ends in .csv, else a PDF."""
        self._want(path, path.parent, tr("Exporting team statements"))

    def _say_done(self, path: Path) -> None:
        note = tr("What teams are charged adds up to what was paid and what overflowed.")
        self._done(tr("Team statements exported"), str(path), note, path)
