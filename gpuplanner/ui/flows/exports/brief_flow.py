"""Export of the board brief: a file is asked for, and the shown plan's pages are written."""

from pathlib import Path
from typing import Any, Final

from gpuplanner.app import briefing
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import worded
from gpuplanner.files.system.resources import words_table
from gpuplanner.ui.flows.exports.pages_flow import PagesFlow, PagesWords, usual_paper
from gpuplanner.ui.flows.session import Session

BRIEF_PDF, PPTX, WORD = worded("PDF (*.pdf)"), worded("PowerPoint (*.pptx)"), worded("Word (*.docx)")
BRIEF_WORDS: Final = PagesWords(
    ending=" brief.pdf",
    kinds={BRIEF_PDF: ".pdf", PPTX: briefing.PPTX_SUFFIX, WORD: briefing.DOCX_SUFFIX},
    **words_table("export_brief"),
)


class BriefFlow(PagesFlow):
    """Told the session."""

    words = BRIEF_WORDS

    def __init__(self, session: Session, settings: Any, briefing: briefing.Briefing) -> None:
        super().__init__(session, settings, briefing)
        session.asks.export_brief_asked.connect(self.export)

    def start_writing(self, evaluation: Evaluation, wanted: Path) -> None:
        self.writing.start(evaluation, wanted, self.session.time_s(), usual_paper())  # type: ignore[attr-defined]
