"""Export board brief: a file is asked for, a thread works the brief out, and a PDF is drawn a page at a time."""

from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QLocale, QTimer

from gpuplanner.app.briefing import Briefed, Briefing
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import worded
from gpuplanner.ui.flows.writing_flow import WritingFlow
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words.translation import tr

TITLE: Final = worded("Export board brief")
PDF, PPTX = worded("PDF (*.pdf)"), worded("PowerPoint (*.pptx)")
SUFFIXES: Final = {PDF: ".pdf", PPTX: ".pptx"}


class BriefFlow(WritingFlow):
    """Told the session. now_s: the day that briefs bear."""

    writing: Briefing

    def __init__(self, session: Session, settings: Any, now_s: int) -> None:
        super().__init__(session, settings, Briefing())
        self._now_s = now_s
        self._pages: Generator[float, None, None] | None = None
        session.asks.export_brief_asked.connect(self.export)

    @property
    def is_busy(self) -> bool:
        """Whether a brief is on its way."""
        return self._pages is not None or super().is_busy

    def export(self) -> None:
        """Ask for a file and write the brief of the plan shown."""
        kinds = {tr(kind): suffix for kind, suffix in SUFFIXES.items()}
        path = self._chosen_file(tr(TITLE), " brief.pdf", kinds)
        if path is not None:
            self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Write the brief to a file, once the plan is settled: PPTX where its name says so, else PDF."""
        self._want(path, path.parent, tr("Exporting the board brief"))

    def _start(self, evaluation: Evaluation, wanted: Path) -> None:
        self.writing.start(evaluation, wanted, self._now_s)

    def _take(self, written: Briefed) -> None:
        """A presentation is written already.

        A PDF is drawn here, page by page, as Qt's painter wants this thread.
        """
        if written.is_written:
            self._say_done(written.path)
            return
        from gpuplanner.charts.brief.brief_file import pdf_steps
        from gpuplanner.charts.brief.brief_pdf import Paper

        is_metric = QLocale().measurementSystem() == QLocale.MeasurementSystem.MetricSystem
        self._pages = pdf_steps(written.brief, written.path, Paper.A4 if is_metric else Paper.LETTER)
        QTimer.singleShot(0, lambda: self._draw(written.path))

    def _draw(self, path: Path) -> None:
        """One page, then the window has its turn: charts can be painted in its thread alone."""
        if self._pages is None:
            return
        try:
            share = next(self._pages)
        except StopIteration:
            self._pages = None
            self._say_done(path)
        except Exception as error:
            self._pages = None
            self._fail(error)
        else:
            if self._progress is not None:
                self._progress.show_progress(0.6 + 0.4 * share, tr("Drawing the pages"))
            QTimer.singleShot(0, lambda: self._draw(path))

    def _say_done(self, path: Path) -> None:
        note = tr("From what to approve to what to sign by when.")
        self._done(tr("Board brief exported"), str(path), note, path)

    def _let_go(self) -> None:
        """Nothing more of the brief, also while it is drawn."""
        super()._let_go()
        if self._pages is not None:
            pages, self._pages = self._pages, None
            pages.close()
