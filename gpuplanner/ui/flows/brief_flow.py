"""Export board brief: a file is asked for, a thread works the brief out, and a PDF is drawn a page at a time."""

from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QLocale, QObject, QTimer, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from gpuplanner.app.briefing import Briefed, Briefing
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import worded
from gpuplanner.ui.kit.message import Question, ask, show_error
from gpuplanner.ui.kit.progress import ProgressDialog
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words.file_words import suggested
from gpuplanner.ui.words.translation import tr

TITLE: Final = worded("Export board brief")
PDF, PPTX = worded("PDF (*.pdf)"), worded("PowerPoint (*.pptx)")
SUFFIXES: Final = {PDF: ".pdf", PPTX: ".pptx"}


class BriefFlow(QObject):
    """Told the session. now_s: the day that briefs bear."""

    def __init__(self, session: Session, settings: Any, now_s: int) -> None:
        super().__init__(session.window)
        self._session, self._settings, self._now_s = session, settings, now_s
        self.briefing = Briefing(self)
        self.briefing.made.connect(self._take)
        self.briefing.failed.connect(self._fail)
        self._path: Path | None = None
        self._pages: Generator[float, None, None] | None = None
        self._progress: ProgressDialog | None = None
        session.asks.export_brief_asked.connect(self.export)

    @property
    def is_busy(self) -> bool:
        """Whether a brief is on its way."""
        return self._path is not None or self._pages is not None or self.briefing.is_busy

    def close(self) -> None:
        """Want no brief any more, and wait for the thread."""
        self._let_go()
        self.briefing.close()

    def export(self) -> None:
        """Ask for a file and write the brief of the plan shown."""
        folder = self._settings.last_folder or Path.home()
        start = suggested(str(folder), self._session.document.name, self._session.scenario, " brief.pdf")
        kinds = {tr(kind): suffix for kind, suffix in SUFFIXES.items()}
        chosen, kind = QFileDialog.getSaveFileName(self._session.window, tr(TITLE), start, ";;".join(kinds))
        if not chosen:
            return
        is_known = Path(chosen).suffix.lower() in SUFFIXES.values()
        path = Path(chosen if is_known else chosen + kinds.get(kind, ".pdf"))
        is_other_name = str(path) != chosen  # the file dialog asked about what was typed
        if not (is_other_name and path.exists()) or (
            ask(
                self._session.window,
                tr("Replace {name}?", name=path.name),
                str(path),
                ("Keep it", "Replace"),
            )
            == "Replace"
        ):
            self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Write the brief to a file, once the plan is settled: PPTX where its name says so, else PDF."""
        self._let_go()
        self._path = path
        self._settings.last_folder = path.parent
        self._progress = ProgressDialog(tr("Exporting the board brief"), self._session.window)
        self._progress.cancelled.connect(self._let_go)
        self._progress.begin()
        self.briefing.progressed.connect(self._progress.show_progress)
        self._session.evaluator.evaluated.connect(self._when_settled)
        if self._session.evaluator.evaluation is not None:
            self._when_settled(self._session.evaluator.evaluation)

    def _when_settled(self, evaluation: Evaluation) -> None:
        """Begins once advice and outlook are there: the brief shows both."""
        if self._path is not None and evaluation.advice is not None and evaluation.outlook is not None:
            path, self._path = self._path, None
            self._session.evaluator.evaluated.disconnect(self._when_settled)
            self.briefing.start(evaluation, path, self._now_s)

    def _take(self, made: Briefed) -> None:
        """A presentation is written already.

        A PDF is drawn here, page by page, as Qt's painter wants this thread.
        """
        if made.is_written:
            self._done(made.path)
            return
        from gpuplanner.charts.brief.brief_file import pdf_steps
        from gpuplanner.charts.brief.brief_pdf import Paper

        is_metric = QLocale().measurementSystem() == QLocale.MeasurementSystem.MetricSystem
        self._pages = pdf_steps(made.brief, made.path, Paper.A4 if is_metric else Paper.LETTER)
        QTimer.singleShot(0, lambda: self._draw(made.path))

    def _draw(self, path: Path) -> None:
        """One page, then the window has its turn: charts can be painted in its thread alone."""
        if self._pages is None:
            return
        try:
            share = next(self._pages)
        except StopIteration:
            self._pages = None
            self._done(path)
        except Exception as error:
            self._pages = None
            self._fail(error)
        else:
            if self._progress is not None:
                self._progress.show_progress(0.6 + 0.4 * share, tr("Drawing the pages"))
            QTimer.singleShot(0, lambda: self._draw(path))

    def _done(self, path: Path) -> None:
        """Says what was written and offers to open it."""
        self._end_progress()
        note = tr("From what to approve to what to sign by when.")
        question = Question(
            self._session.window, tr("Board brief exported"), str(path), ("Close", "Open"), note
        )
        question.exec()
        if question.answer == "Open":
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    def _fail(self, error: Exception) -> None:
        self._end_progress()
        show_error(self._session.window, error)

    def _end_progress(self) -> None:
        if self._progress is not None:
            self._progress.end()
            self._progress.deleteLater()
            self._progress = None

    def _let_go(self) -> None:
        """Nothing more of the brief; what was at its path stays."""
        if self._path is not None:
            self._path = None
            self._session.evaluator.evaluated.disconnect(self._when_settled)
        self.briefing.cancel()
        if self._pages is not None:
            pages, self._pages = self._pages, None
            pages.close()
        self._end_progress()
