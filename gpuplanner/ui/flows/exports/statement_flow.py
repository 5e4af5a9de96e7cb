"""Export of team statements: a page or rows per team."""

from typing import Any, Final

from gpuplanner.app import stating
from gpuplanner.domain.message import worded
from gpuplanner.files.system.resources import words_table
from gpuplanner.ui.flows.exports.pages_flow import PagesFlow, PagesWords
from gpuplanner.ui.flows.session import Session

STATEMENT_PDF, CSV = worded("PDF, a page a team (*.pdf)"), worded("FOCUS rows (*.csv)")
STATEMENT_WORDS: Final = PagesWords(
    ending=" statements.pdf",
    kinds={STATEMENT_PDF: ".pdf", CSV: stating.CSV_SUFFIX},
    **words_table("export_statements"),
)


class StatementFlow(PagesFlow):
    """Told the session."""

    words = STATEMENT_WORDS

    def __init__(self, session: Session, settings: Any) -> None:
        super().__init__(session, settings, stating.Stating())
        session.asks.export_statements_asked.connect(self.export)
