"""The sheet of jobs of one workload, or of merged ones."""

from collections.abc import Mapping
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QWidget

from gpuplanner.app.past.job_pages import JobDrill
from gpuplanner.charts.kit.translation import sentence, tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.evidence.trace import Trace
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import Window
from gpuplanner.ui.board.job_answers import JobsAnswers, jobs_facts
from gpuplanner.ui.board.jobs_table import GPU_HOURS_TITLE, JobsModel, JobsTable, columns_with
from gpuplanner.ui.kit.dialogs import AnsweringDialog, resize_within_screen, titled
from gpuplanner.ui.kit.layout import STRETCH, box, column, named, row, share
from gpuplanner.ui.kit.page_parts import heading_label, named_button
from gpuplanner.ui.tables.facts_label import FactsLabel

NO_NAMES: Final[Mapping[str, str]] = {}


class JobsSheet(AnsweringDialog):
    """Told a card and where its jobs are; asks for the import again where they are gone.

    scope: the hours that alone count, in words ("in hours without training"); "" for the whole window. names: of the
    workloads that are merged in the card, by key; of a card of one workload none.
    """

    import_asked = Signal()

    def __init__(
        self,
        card: CardFigures,
        window: Window,
        drill: JobDrill | None,
        parent: QWidget | None = None,
        *,
        is_part: bool = False,
        scope: Text = "",
        names: Mapping[str, str] = NO_NAMES,
    ) -> None:
        super().__init__(parent)
        self._card, self._window, self._drill, self._is_part = card, window, drill, is_part
        self._scope = scope
        self.answers = JobsAnswers(card, window, scope)
        titled(self, tr("Jobs of {name}", name=card.name))
        resize_within_screen(self, 1200, 560)
        self.model = JobsModel(columns_with(names), self)
        self.model.tell_columns(worded("GPU-h in those hours") if scope else GPU_HOURS_TITLE)
        self.table = JobsTable(self.model)
        self.table.pass_on(self.figure_opened)
        self._build()
        self.model.more_wanted.connect(self._ask)
        if drill is None:
            self._say_gone(tr("No job rows on this computer."))
            return
        drill.setParent(self)
        drill.found.connect(self._take)
        drill.failed.connect(self._fail)
        self._ask(0)

    def _build(self) -> None:
        """Makes the head, the table and the way to import again where rows are not kept."""
        self.said = named(FactsLabel(), step="body")
        self.said.setWordWrap(True)
        self.said.show_words(tr("Looking up the jobs"))
        self.said.figure_asked.connect(lambda figure_id: self.figure_opened.emit(figure_id, self.said, None))
        self.table.order_asked.connect(lambda _: self._ask_again())
        again = tr("Choose the log file to keep its job rows")
        self.again = named_button(tr("Import the log again"), again, self._import_again, takes_enter=True)
        self.again.hide()
        close = named_button(tr("Close"), tr("Back to the board (Esc)"), self.close, takes_enter=True)
        back = tr("Back to the previous figure (Backspace)")
        self.back = named_button(tr("Back to Why"), back, self.accept, takes_enter=True)
        self.back.hide()
        texts = column(heading_label(self._card.name), self.said, spacing=2)
        inside = column(
            row(share(texts), margins=(16, 14, 20, 0), spacing=8),
            share(row(self.table, margins=(16, 0, 12, 0))),
            spacing=8,
        )
        body = box("panel", inside, QWidget())
        body.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        foot = row(self.back, STRETCH, self.again, close, margins=(20, 10, 20, 10))
        column(share(body), box("foot", foot, QFrame()), on=self, spacing=0)

    def trace(self, figure_id: str) -> Trace:
        """Why a figure of the sheet is what it is. Errors: KeyError where it is none of it."""
        return self.answers.trace(figure_id)

    def offer_way_back(self) -> None:
        """The jobs were opened from an answer: `accepted` says that it is wanted again."""
        self.back.show()
        QShortcut(QKeySequence(Qt.Key.Key_Backspace), self).activated.connect(self.accept)

    def _ask(self, offset: int) -> None:
        """Asks for a page of jobs from this one on."""
        if self._drill is not None:
            self._drill.ask(self.table.order, offset)

    def _ask_again(self) -> None:
        """Asks from the first job in the chosen order."""
        self.model.begin_again()
        self._ask(0)

    def _take(self, order: str, offset: int, page: Any) -> None:
        """Takes a page if the order is still the same; the first one sizes columns and takes the keyboard."""
        if order != self.table.order:
            return
        self.model.take(offset, page.rows, page.total)
        if offset == 0:
            self.table.show_first()
            if page.rows:
                self.table.setCurrentIndex(self.model.index(0, 0))
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self.answers.total, self.answers.milli_gpu_seconds = page.total, page.milli_gpu_seconds
        self.answers.rows = self.model.jobs
        facts, after = jobs_facts(self._card, self._window, page, is_part=self._is_part, scope=self._scope)
        self.said.show_facts(facts, after=after)

    def _fail(self, error: Exception) -> None:
        """Says why the jobs cannot be read; lost rows can be imported again."""
        if isinstance(error, PlannerError):
            self._say_gone(f"{sentence(error.what)}.")
        else:
            self.said.show_words(tr("The jobs cannot be read: {error}.", error=error))

    def _say_gone(self, what: str) -> None:
        """Says that single jobs are only in the log, and offers to import it."""
        self.said.show_words(tr("{what} Import the log again.", what=what))
        self.again.show()
        self.again.setFocus(Qt.FocusReason.OtherFocusReason)

    def _import_again(self) -> None:
        """Closes, and asks for an import."""
        self.close()
        self.import_asked.emit()

    def done(self, result: int) -> None:
        """Stops reading, however the sheet is left."""
        if self._drill is not None:
            self._drill.close()
        super().done(result)
