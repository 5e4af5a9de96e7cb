"""The jobs of one workload, or of those merged in a card: a sheet beside the board, filled as it is scrolled."""

from collections.abc import Mapping
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.app.questions.drilling import JobDrill
from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.audit.evidence.trace import Trace
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import Window
from gpuplanner.ui.jobs import traces
from gpuplanner.ui.jobs.table import JobsModel, JobsTable, columns_with
from gpuplanner.ui.kit.dialogs import resize_within_screen
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.facts_label import FactsLabel
from gpuplanner.ui.words.translation import sentence, spoken, tr

NO_NAMES: Final[Mapping[str, str]] = {}
ORDERS: Final = (
    ("gpu_hours", worded("Most GPU-hours first")),
    ("start", worded("Earliest start first")),
    ("duration", worded("Longest first")),
    ("gpus", worded("Most GPUs first")),
    ("job_id", worded("By job id")),
)


class JobsSheet(QDialog):
    """Told a card and where its jobs are; asks for the import again where they are gone.

    scope: the hours that alone count, in words ("in hours without training"); "" for the whole window. names: of the
    workloads that are merged in the card, by key; of a card of one workload none.
    """

    import_asked = Signal()
    figure_opened = Signal(
        str, object, object
    )  # figure id, the widget it stands in, and where (QRect; None: all)

    def __init__(
        self,
        card: CardFigures,
        window: Window,
        drill: JobDrill | None,
        palette: Palette,
        parent: QWidget | None = None,
        *,
        is_part: bool = False,
        scope: Text = "",
        names: Mapping[str, str] = NO_NAMES,
    ) -> None:
        super().__init__(parent)
        self._card, self._window, self._drill, self._is_part = card, window, drill, is_part
        self._scope, self._palette = scope, palette
        self.answers = traces.JobsAnswers(card, window, scope)
        called = tr("Jobs of {name}", name=card.name)
        self.setWindowTitle(called)
        self.setAccessibleName(called)
        resize_within_screen(self, 1200, 560)
        self.model = JobsModel(self)
        self.model.columns = columns_with(names)
        if scope:
            self.model.gpu_hours_title = tr("GPU-h in those hours")
        self.table = JobsTable(self.model, palette)
        self.table.figure_opened.connect(
            lambda figure_id, place: self.figure_opened.emit(figure_id, self.table, place)
        )
        self._build()
        self.model.more_wanted.connect(self._ask)
        if drill is None:
            self._say_gone(tr("This project was opened without the rows of its log."))
            return
        drill.setParent(self)
        drill.found.connect(self._take)
        drill.failed.connect(self._fail)
        self._ask(0)

    def _build(self) -> None:
        """Makes the head, the table and the way to import again where rows are not kept."""
        title = PlainLabel(self._card.name)
        title.setFont(font("title"))
        self.said = FactsLabel(self._palette)
        self.said.setFont(font("body"))
        self.said.setWordWrap(True)
        self.said.show_words(tr("Looking up the jobs"))
        self.said.figure_asked.connect(lambda figure_id: self.figure_opened.emit(figure_id, self.said, None))
        self.order = QComboBox()
        self.order.setAccessibleName(tr("Order of the jobs"))
        set_tip(self.order, tr("Which jobs come first"))
        for name, words in ORDERS:
            self.order.addItem(spoken(words), name)
        self.order.activated.connect(lambda _: self._ask_again())
        self.again = QPushButton(tr("Import the log again"))
        self.again.setAccessibleName(tr("Import the log again"))
        set_tip(self.again, tr("Choose the log file; its job rows are kept from then on"))
        self.again.clicked.connect(self._import_again)
        self.again.hide()
        close = QPushButton(tr("Close"))
        close.setAccessibleName(tr("Close"))
        set_tip(close, tr("Back to the board (Esc)"))
        close.clicked.connect(self.close)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(title)
        texts.addWidget(self.said)
        head = QHBoxLayout()
        head.setContentsMargins(20, 14, 20, 0)
        head.setSpacing(8)
        head.addLayout(texts, 1)
        head.addWidget(self.order)
        body = QWidget()
        body.setObjectName("panel")
        body.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        inside = QVBoxLayout(body)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(8)
        inside.addLayout(head)
        table_row = QHBoxLayout()
        table_row.setContentsMargins(16, 0, 12, 0)
        table_row.addWidget(self.table)
        inside.addLayout(table_row, 1)
        foot = QFrame()
        foot.setObjectName("foot")
        row = QHBoxLayout(foot)
        row.setContentsMargins(20, 10, 20, 10)
        self.back = QPushButton(tr("Back to why"))
        self.back.setAccessibleName(tr("Back to why"))
        set_tip(self.back, tr("Back to the answer that these jobs stand behind (Backspace)"))
        self.back.clicked.connect(self.accept)
        self.back.hide()
        row.addWidget(self.back)
        row.addStretch(1)
        row.addWidget(self.again)
        row.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(body, 1)
        layout.addWidget(foot)

    def trace(self, figure_id: str) -> Trace:
        """Why a figure of the sheet is what it is. Errors: KeyError where it is none of it."""
        return self.answers.trace(figure_id)

    def offer_way_back(self) -> None:
        """The jobs were opened from an answer: `accepted` says that it is wanted again."""
        self.back.show()
        shortcut = QShortcut(QKeySequence(Qt.Key.Key_Backspace), self)
        shortcut.activated.connect(self.accept)

    def _ask(self, offset: int) -> None:
        """Asks for a page of jobs from this one on."""
        if self._drill is not None:
            self._drill.ask(self.order.currentData(), offset)

    def _ask_again(self) -> None:
        """Asks from the first job in the chosen order."""
        self.model.begin_again()
        self.order.setFocus()
        self._ask(0)

    def _take(self, order: str, offset: int, page: Any) -> None:
        """Takes a page if the order is still the same; the first one sizes columns and takes the keyboard."""
        if order != self.order.currentData():
            return
        self.model.take(offset, page.rows, page.total)
        if offset == 0:
            self.table.fit_columns()
            if page.rows:
                self.table.setCurrentIndex(self.model.index(0, 0))
            if not self.order.hasFocus():
                self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self.answers.total, self.answers.milli_gpu_seconds = page.total, page.milli_gpu_seconds
        self.answers.rows = self.model.rows
        facts, after = traces.jobs_facts(
            self._card, self._window, page, is_part=self._is_part, scope=self._scope
        )
        self.said.show_facts(facts, after=after)

    def _fail(self, error: Exception) -> None:
        """Says why the jobs cannot be read; lost rows can be imported again."""
        if isinstance(error, PlannerError):
            self._say_gone(f"{sentence(error.what)}.")
        else:
            self.said.show_words(tr("The jobs cannot be read: {error}.", error=error))

    def _say_gone(self, what: str) -> None:
        """Says that single jobs are only in the log, and offers to import it."""
        self.said.show_words(
            tr(
                "{what} The card's figures are in the project; its single jobs are in the log. "
                "Import the log again to see them.",
                what=what,
            )
        )
        self.order.hide()
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
