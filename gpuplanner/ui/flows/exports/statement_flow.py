"""Export team statements: a file is asked for, and who pays for the window is written to it, a page or rows a team."""

from typing import Any, Final

from gpuplanner.app.stating import CSV_SUFFIX, Stating
from gpuplanner.domain.message import worded
from gpuplanner.ui.flows.exports.pages_flow import PagesFlow, PagesWords
from gpuplanner.ui.session.session import Session

PDF, CSV = worded("PDF, a page a team (*.pdf)"), worded("FOCUS rows (*.csv)")
WORDS: Final = PagesWords(
    title=worded("Export team statements"),
    ending=" statements.pdf",
    kinds={PDF: ".pdf", CSV: CSV_SUFFIX},
    doing=worded("Exporting team statements"),
    done=worded("Team statements exported"),
    note=worded("What teams are charged adds up to what was paid and what overflowed."),
)


class StatementFlow(PagesFlow):
    """Told the session. now_s: the day that statements bear."""

    needs_outlook = False
    words = WORDS

    def __init__(self, session: Session, settings: Any, now_s: int) -> None:
        super().__init__(session, settings, Stating(), now_s)
        session.asks.export_statements_asked.connect(self.export)
