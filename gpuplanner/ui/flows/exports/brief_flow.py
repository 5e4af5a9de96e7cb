"""Export board brief: a file is asked for, and the pages of the plan that is shown are written to it."""

from typing import Any, Final

from gpuplanner.app.briefing import PPTX_SUFFIX, Briefing
from gpuplanner.domain.message import worded
from gpuplanner.ui.flows.exports.pages_flow import PagesFlow, PagesWords
from gpuplanner.ui.session.session import Session

PDF, PPTX = worded("PDF (*.pdf)"), worded("PowerPoint (*.pptx)")
WORDS: Final = PagesWords(
    title=worded("Export board brief"),
    ending=" brief.pdf",
    kinds={PDF: ".pdf", PPTX: PPTX_SUFFIX},
    doing=worded("Exporting the board brief"),
    done=worded("Board brief exported"),
    note=worded("From what to approve to what to sign by when."),
)


class BriefFlow(PagesFlow):
    """Told the session. now_s: the day that briefs bear."""

    words = WORDS

    def __init__(self, session: Session, settings: Any, now_s: int) -> None:
        super().__init__(session, settings, Briefing(), now_s)
        session.asks.export_brief_asked.connect(self.export)
