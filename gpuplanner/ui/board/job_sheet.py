"""The jobs of one workload, or of those merged in a card: a sheet with a table filled as it is scrolled."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QDialog, QFrame, QTableView, QWidget

from gpuplanner.app.looking_back import PAGE_ROWS, JobDrill
from gpuplanner.charts.kit.plain_text import tip_text
from gpuplanner.domain.audit.evidence.trace import Trace
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import Window
from gpuplanner.ui.board import job_traces
from gpuplanner.ui.kit.dialogs import resize_within_screen
from gpuplanner.ui.kit.layout import STRETCH, box, column, named, row, share
from gpuplanner.ui.kit.page_parts import heading_label, named_button
from gpuplanner.ui.kit.theme import Palette, draw_box, font, width_of
from gpuplanner.ui.tables.cells import WHY_TIP
from gpuplanner.ui.tables.row_list import FactsLabel
from gpuplanner.ui.tables.table_habits import Action, TableHabits
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import sentence, spoken, tr

# --- The table of jobs: filled in pages as it is scrolled; every figure of a job can be asked about

_Index = QModelIndex | QPersistentModelIndex


def _time(at_s: int | None) -> str:
    """A time in UTC to the second; a dash where it is unknown."""
    return numbers.UNKNOWN if at_s is None else f"{datetime.fromtimestamp(at_s, UTC):%Y-%m-%d %H:%M:%S}"


def _lasted(row: Any) -> str:
    """How long a job ran as days-hours:minutes:seconds; or that it still does."""
    if row.end_s is None:
        return tr("runs on")
    seconds = row.end_s - row.start_s
    days, rest = divmod(seconds, 86_400)
    text = f"{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"
    return f"{days}-{text}" if days else text


def _activity(row: Any) -> str:
    """Activity in percent; a dash where nothing measured it."""
    milli = row.activity_milli_percent
    return numbers.UNKNOWN if milli is None else numbers.percent(milli / 100_000)


GPU_HOURS_TITLE: Final = worded("GPU-h in window")


class JobColumn(NamedTuple):
    """Heading, what it says of a job, what jobs are sorted by, its side; what is asked, where a job has an answer."""

    title: Message
    text: Callable[[Any], str]
    sort: str
    is_figure: bool = False
    kind: str = ""
    has: Callable[[Any], object] = lambda row: True


COLUMNS: Final = (
    JobColumn(worded("Job id"), lambda row: row.job_id or numbers.UNKNOWN, "job_id"),
    JobColumn(worded("Name"), lambda row: row.name, "name"),
    JobColumn(worded("User"), lambda row: row.user or numbers.UNKNOWN, "user"),
    JobColumn(worded("Queue"), lambda row: row.queue or numbers.UNKNOWN, "queue"),
    JobColumn(worded("State"), lambda row: row.state or numbers.UNKNOWN, "state"),
    JobColumn(
        worded("GPU model"),
        lambda row: row.gpu_model or (numbers.UNKNOWN if row.milli_gpus else tr("no GPU")),
        "gpu_model",
    ),
    JobColumn(
        GPU_HOURS_TITLE,
        lambda row: numbers.rate(row.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR),
        "gpu_hours",
        True,
        job_traces.GPU_HOURS,
    ),
    JobColumn(worded("GPUs"), lambda row: numbers.gpus(row.milli_gpus / 1000), "gpus", True, job_traces.GPUS),
    JobColumn(worded("Start, UTC"), lambda row: _time(row.start_s), "start", True),
    JobColumn(
        worded("End, UTC"),
        lambda row: tr("still running") if row.end_s is None else _time(row.end_s),
        "end",
        True,
    ),
    JobColumn(
        worded("Lasted"), _lasted, "lasted", True, job_traces.LASTED, lambda row: row.end_s is not None
    ),
    JobColumn(
        titles.ACTIVITY,
        _activity,
        "activity",
        True,
        job_traces.ACTIVITY,
        lambda row: row.activity_milli_percent is not None,
    ),
)


def columns_with(names: Mapping[str, str]) -> tuple[JobColumn, ...]:
    """The columns; before them the workload of each job, where jobs of several are shown."""
    called = worded("Workload"), lambda row: names.get(row.workload_key, row.workload_key)
    first = JobColumn(*called, "workload")
    return (first, *COLUMNS) if names else COLUMNS


class JobsModel(QAbstractTableModel):
    """Jobs in pages: asks for more as the view comes to the end of what is there."""

    more_wanted = Signal(int)  # offset

    def __init__(self, columns: tuple[JobColumn, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Any] = []
        self.total = 0
        self._asked = -1
        self.gpu_hours_title: Text = GPU_HOURS_TITLE
        self.columns = columns

    def figure_at(self, index: _Index) -> str:
        """The figure of a cell; "" where there is nothing to ask."""
        column = self.columns[index.column()]
        is_asked = column.kind and column.has(self.rows[index.row()])
        return job_traces.job_figure(index.row(), column.kind) if is_asked else ""

    def begin_again(self) -> None:
        """Another order: nothing is known."""
        self.beginResetModel()
        self.rows, self.total, self._asked = [], 0, -1
        self.endResetModel()

    def take(self, offset: int, rows: Sequence[Any], total: int) -> None:
        """The next page; one that does not join what is there is dropped."""
        if offset != len(self.rows):
            return
        self.total = total
        if rows:
            self.beginInsertRows(QModelIndex(), offset, offset + len(rows) - 1)
            self.rows.extend(rows)
            self.endInsertRows()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def canFetchMore(self, parent: _Index) -> bool:
        """Whether there are more jobs than were read, and they are not asked for yet."""
        return not parent.isValid() and 0 < len(self.rows) < self.total and self._asked != len(self.rows)

    def fetchMore(self, parent: _Index) -> None:
        """Asks for the next page; it comes later."""
        self._asked = len(self.rows)
        self.more_wanted.emit(self._asked)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles of columns, on the side their cells are on."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._title(section)
        return self._side(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What Qt asks of a cell: text, tip, words for screen readers, side."""
        text = self.columns[index.column()].text(self.rows[index.row()])
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.ToolTipRole:
            why = tr(WHY_TIP) if self.figure_at(index) else ""
            return tip_text("\n".join(filter(None, (text, why))))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._title(index.column())}: {text}"
        return self._side(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _title(self, column: int) -> str:
        """The heading of a column in the planner's language."""
        title = self.columns[column].title
        return spoken(self.gpu_hours_title if title == GPU_HOURS_TITLE else title)

    def _side(self, column: int) -> int:
        """Numbers stand at the right, all else at the left."""
        is_figure = self.columns[column].is_figure
        side = Qt.AlignmentFlag.AlignRight if is_figure else Qt.AlignmentFlag.AlignLeft
        return int(side | Qt.AlignmentFlag.AlignVCenter)


MOST_FIRST: Final = "gpu_hours"
"""The order of jobs at first: most GPU-hours first."""


class JobsTable(QTableView):
    """Jobs as rows; a cell that is a figure answers why."""

    figure_opened = Signal(str, QRect)  # figure id, and where its cell is
    order_asked = Signal(str)  # of jobs, all of which are sorted where they are kept

    def __init__(self, jobs: JobsModel, palette: Palette) -> None:
        super().__init__(showGrid=False, wordWrap=False)
        self._jobs = jobs
        self.setModel(jobs)
        self.activated.connect(self._ask)  # a click chooses rows to copy
        self._palette = palette
        self.setAccessibleName(tr("Jobs"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(23)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        head = self.horizontalHeader()
        head.setFixedHeight(26)
        head.setFont(font("small"))
        head.setStyleSheet("QHeaderView::section { padding: 0 3px; }")  # as its cells have
        self.habits = TableHabits(self)
        self.order = MOST_FIRST

    def fit_columns(self) -> None:
        """As wide as the first page needs; names take what is left over."""
        model, body = self._jobs, font("body")
        rows = min(model.rowCount(), PAGE_ROWS)
        wanted = []
        for at in range(model.columnCount()):
            title = width_of(model.headerData(at, Qt.Orientation.Horizontal), font("total"))
            texts = (width_of(model.index(place, at).data(), body) for place in range(rows))
            wanted.append(min(260, max([title, *texts]) + 20))
        names = [one.title for one in model.columns].index(worded("Name"))
        wanted[names] += max(0, self.viewport().width() - sum(wanted))
        for at, width in enumerate(wanted):
            self.setColumnWidth(at, self.habits.width(at) or width)

    def sort_rows(self, at: int | None, *, is_descending: bool) -> None:
        """Ask for the jobs in the order of a column; None: most GPU-hours first."""
        order = MOST_FIRST
        if at is not None:
            order = f"{self._jobs.columns[at].sort} {'desc' if is_descending else 'asc'}"
        if order != self.order:
            self.order = order
            self.order_asked.emit(order)

    def is_figure_column(self, at: int) -> bool:
        """Whether a column holds numbers: then the largest come first."""
        return self._jobs.columns[at].is_figure

    def names_of(self, at: int) -> list[str]:
        """The workload of a job, by its key."""
        return [self._jobs.rows[at].workload_key]

    def actions_of(self, index: _Index) -> list[Action]:
        """Why a figure is what it is."""
        cell = self._jobs.index(index.row(), index.column())
        is_asked = bool(self._jobs.figure_at(index))
        return [Action(tr("Why this number?"), lambda: self._ask(cell), "F1")] if is_asked else []

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.habits.recall()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the cell under the mouse, or of that which has the keyboard."""
        self.habits.open_menu(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The rows, and a ring around the cell that has the keyboard."""
        super().paintEvent(event)
        if self.hasFocus():
            draw_box(QPainter(self.viewport()), self._focused_rect(), None, self._palette.focus, 4, 2)

    def _focused_rect(self) -> QRect:
        """The current row where it is seen, else all of them; without sides, which would cross figures."""
        seen, current = self.viewport().rect(), self.currentIndex()
        row = (
            QRect(0, self.rowViewportPosition(current.row()), seen.width(), 23) if current.isValid() else seen
        )
        return row.adjusted(-3, 0, 3, 0) if seen.contains(row) and row != seen else seen

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copies selected rows with their headings; F1 asks why of the current cell."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.habits.copy()
        elif event.key() == Qt.Key.Key_F1:
            self.ask_why()
        else:
            super().keyPressEvent(event)

    def ask_why(self) -> None:
        """Ask about the figure that the keyboard stands on, or the first one of its row."""
        index = self.currentIndex()
        if index.isValid():
            cells = [index, *(index.siblingAtColumn(at) for at in range(self._jobs.columnCount()))]
            self._ask(next((cell for cell in cells if self._jobs.figure_at(cell)), index))

    def _ask(self, index: QModelIndex) -> None:
        """Asks why of a cell, if it is a figure."""
        figure_id = self._jobs.figure_at(index)
        if figure_id:
            self.figure_opened.emit(figure_id, self.visualRect(index).translated(self.viewport().pos()))


# --- The jobs of one workload, or of those merged in a card: a sheet beside the board, filled as it is scrolled

NO_NAMES: Final[Mapping[str, str]] = {}


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
        self.answers = job_traces.JobsAnswers(card, window, scope)
        called = tr("Jobs of {name}", name=card.name)
        self.setWindowTitle(called)
        self.setAccessibleName(called)
        resize_within_screen(self, 1200, 560)
        self.model = JobsModel(columns_with(names), self)
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
        self.said = named(FactsLabel(self._palette), step="body")
        self.said.setWordWrap(True)
        self.said.show_words(tr("Looking up the jobs"))
        self.said.figure_asked.connect(lambda figure_id: self.figure_opened.emit(figure_id, self.said, None))
        self.table.order_asked.connect(lambda _: self._ask_again())
        again = tr("Choose the log file; its job rows are kept from then on")
        self.again = named_button(tr("Import the log again"), again, self._import_again, takes_enter=True)
        self.again.hide()
        close = named_button(tr("Close"), tr("Back to the board (Esc)"), self.close, takes_enter=True)
        back = tr("Back to the answer that these jobs stand behind (Backspace)")
        self.back = named_button(tr("Back to why"), back, self.accept, takes_enter=True)
        self.back.hide()
        texts = column(heading_label(self._card.name), self.said, spacing=2)
        inside = column(
            row(share(texts), margins=(20, 14, 20, 0), spacing=8),
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
        shortcut = QShortcut(QKeySequence(Qt.Key.Key_Backspace), self)
        shortcut.activated.connect(self.accept)

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
            self.table.habits.apply()
            if page.rows:
                self.table.setCurrentIndex(self.model.index(0, 0))
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self.answers.total, self.answers.milli_gpu_seconds = page.total, page.milli_gpu_seconds
        self.answers.rows = self.model.rows
        facts, after = job_traces.jobs_facts(
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
