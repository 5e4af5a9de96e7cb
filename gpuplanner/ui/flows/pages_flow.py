"""What is drawn on pages: the board brief and statements of teams; a thread works them out, a PDF is drawn here."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLocale, QTimer

from gpuplanner.app.briefing import Briefed
from gpuplanner.app.writing import Writing
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.ui.flows.writing_flow import WritingFlow
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words.translation import tr


class PagesFlow(WritingFlow):
    """Told the session, who works the pages out, and the day that they bear. A flow says what it asks for and says."""

    def __init__(self, session: Session, settings: Any, writing: Writing, now_s: int) -> None:
        super().__init__(session, settings, writing)
        self._now_s = now_s
        self._pages: Generator[float, None, None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether pages are on their way."""
        return self._pages is not None or super().is_busy

    def _start(self, evaluation: Evaluation, wanted: Path) -> None:
        self.writing.start(evaluation, wanted, self._now_s)  # type: ignore[attr-defined]

    def _take(self, written: Briefed) -> None:
        """A file of another kind is written already.

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
        """What was asked for is at its place."""
        raise NotImplementedError

    def _let_go(self) -> None:
        """Nothing more of them, also while they are drawn."""
        super()._let_go()
        if self._pages is not None:
            pages, self._pages = self._pages, None
            pages.close()
