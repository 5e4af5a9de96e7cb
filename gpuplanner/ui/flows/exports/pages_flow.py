"""What exports of pages share: a thread works them out, and a PDF is drawn here."""

from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtCore import QLocale, QTimer

from gpuplanner.app import briefing, exporting
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Message
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.flows.exports.writing_flow import WritingFlow
from gpuplanner.ui.flows.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesWords:
    """What a flow says. ending: of the name that is suggested; kinds: words of a kind of file -> its suffix, the first
    one where none is chosen; doing, done, note: while they are on their way, and once they are there."""

    title: Message
    ending: str
    kinds: Mapping[Message, str]
    doing: Message
    done: Message
    note: Message


def usual_paper() -> str:
    """Return the paper of the user's country: a4 or letter."""
    is_metric = QLocale().measurementSystem() == QLocale.MeasurementSystem.MetricSystem
    return "a4" if is_metric else "letter"


class PagesFlow(WritingFlow):
    """Told the session and who works the pages out. A flow has its words."""

    words: ClassVar[PagesWords]

    def __init__(self, session: Session, settings: Any, writing: exporting.Writing) -> None:
        super().__init__(session, settings, writing)
        self._pages: Generator[float, None, None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether pages are on their way."""
        return self._pages is not None or super().is_busy

    def export(self) -> None:
        """Ask for a file and write the pages to it."""
        kinds = {tr(kind): suffix for kind, suffix in self.words.kinds.items()}
        if (path := self._chosen_file(tr(self.words.title), self.words.ending, kinds)) is not None:
            self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Write the pages to a file, once the plan is settled: as another kind where its name says so, else a PDF."""
        self._want(path, path.parent, tr(self.words.doing))

    def start_writing(self, evaluation: Evaluation, wanted: Path) -> None:
        self.writing.start(evaluation, wanted, self.session.time_s())  # type: ignore[attr-defined]

    def show_written(self, written: briefing.Briefed) -> None:
        """A file of another kind is written already.

        A PDF is drawn here, page by page, as Qt's painter wants this thread.
        """
        if written.brief is None:
            self._say_done(written.path)
            return
        from gpuplanner.charts.page_painter.brief_pdf import Paper, pdf_steps

        self._pages = pdf_steps(written.brief, written.path, Paper(usual_paper()))
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
            if self.progress is not None:
                self.progress.show_progress(0.6 + 0.4 * share, tr("Drawing the pages"))
            QTimer.singleShot(0, lambda: self._draw(path))

    def _say_done(self, path: Path) -> None:
        self._done(tr(self.words.done), str(path), tr(self.words.note), path)

    def _let_go(self) -> None:
        """Nothing more of them, also while they are drawn."""
        super()._let_go()
        if self._pages is not None:
            pages, self._pages = self._pages, None
            pages.close()
