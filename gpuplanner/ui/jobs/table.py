"""The table of jobs: filled in pages as it is scrolled; every figure of a job can be asked about."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QTableView,
    QWidget,
)

from gpuplanner.app.questions.drilling import PAGE_ROWS
from gpuplanner.charts.kit.plain_text import tip_text
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.files.tables.harmless_cells import tab_text
from gpuplanner.ui.jobs import traces
from gpuplanner.ui.kit.drawing import draw_box
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font, width_of
from gpuplanner.ui.tables.rows import WHY_TIP
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr

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

Columns = tuple[tuple[Message, bool, Callable[[Any], str]], ...]

COLUMNS: Final[Columns] = (
    (worded("Job id"), False, lambda row: row.job_id or numbers.UNKNOWN),
    (worded("Name"), False, lambda row: row.name),
    (worded("User"), False, lambda row: row.user or numbers.UNKNOWN),
    (worded("Queue"), False, lambda row: row.queue or numbers.UNKNOWN),
    (worded("State"), False, lambda row: row.state or numbers.UNKNOWN),
    (
        worded("GPU model"),
        False,
        lambda row: row.gpu_model or (numbers.UNKNOWN if row.milli_gpus else tr("no GPU")),
    ),
    (
        GPU_HOURS_TITLE,
        True,
        lambda row: numbers.rate(row.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR),
    ),
    (worded("GPUs"), True, lambda row: numbers.gpus(row.milli_gpus / 1000)),
    (worded("Start, UTC"), True, lambda row: _time(row.start_s)),
    (
        worded("End, UTC"),
        True,
        lambda row: tr("still running") if row.end_s is None else _time(row.end_s),
    ),
    (worded("Lasted"), True, _lasted),
    (titles.ACTIVITY, True, _activity),
)
"""Heading, whether it is a figure, and its text."""
ASKED: Final[dict[Message, tuple[str, Callable[[Any], bool]]]] = {
    GPU_HOURS_TITLE: (traces.GPU_HOURS, lambda row: True),
    worded("GPUs"): (traces.GPUS, lambda row: True),
    worded("Lasted"): (traces.LASTED, lambda row: row.end_s is not None),
    titles.ACTIVITY: (traces.ACTIVITY, lambda row: row.activity_milli_percent is not None),
}
"""Heading of a figure -> what is asked of a job, and whether this job has one."""


def columns_with(names: Mapping[str, str]) -> Columns:
    """The columns; before them the workload of each job, where jobs of several are shown."""
    if not names:
        return COLUMNS
    return (
        (worded("Workload"), False, lambda row: names.get(row.workload_key, row.workload_key)),
        *COLUMNS,
    )


class JobsModel(QAbstractTableModel):
    """Jobs in pages: asks for more as the view comes to the end of what is there."""

    more_wanted = Signal(int)  # offset

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Any] = []
        self.total = 0
        self._asked = -1
        self.gpu_hours_title: Text = GPU_HOURS_TITLE
        self.columns = COLUMNS

    def figure_at(self, index: _Index) -> str:
        """The figure of a cell; "" where there is nothing to ask."""
        kind, has = ASKED.get(self.columns[index.column()][0], ("", lambda row: False))
        return traces.job_figure(index.row(), kind) if has(self.rows[index.row()]) else ""

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
        _, _, text = self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return text(self.rows[index.row()])
        if role == Qt.ItemDataRole.ToolTipRole:
            why = tr(WHY_TIP) if self.figure_at(index) else ""
            return tip_text("\n".join(filter(None, (text(self.rows[index.row()]), why))))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._title(index.column())}: {text(self.rows[index.row()])}"
        return self._side(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _title(self, column: int) -> str:
        """The heading of a column in the planner's language."""
        title = self.columns[column][0]
        return spoken(self.gpu_hours_title if title == GPU_HOURS_TITLE else title)

    def _side(self, column: int) -> int:
        """Numbers stand at the right, all else at the left."""
        side = Qt.AlignmentFlag.AlignRight if self.columns[column][1] else Qt.AlignmentFlag.AlignLeft
        return int(side | Qt.AlignmentFlag.AlignVCenter)


class JobsTable(QTableView):
    """Jobs as rows; a cell that is a figure answers why."""

    figure_opened = Signal(str, QRect)  # figure id, and where its cell is

    def __init__(self, jobs: JobsModel, palette: Palette) -> None:
        super().__init__()
        self._jobs = jobs
        self.setModel(jobs)
        self.activated.connect(self._ask)  # a click chooses rows to copy
        self._palette = palette
        self.setAccessibleName(tr("Jobs"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(23)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setFixedHeight(26)
        self.horizontalHeader().setFont(font("small"))
        self.horizontalHeader().setStyleSheet("QHeaderView::section { padding: 0 3px; }")  # as its cells have
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    def fit_columns(self) -> None:
        """As wide as the first page needs; names take what is left over."""
        model, body = self._jobs, font("body")
        rows = min(model.rowCount(), PAGE_ROWS)
        wanted = []
        for column in range(model.columnCount()):
            title = model.headerData(column, Qt.Orientation.Horizontal)
            texts = [model.index(row, column).data() for row in range(rows)]
            wanted.append(
                min(
                    260, max([width_of(title, font("total")), *(width_of(text, body) for text in texts)]) + 20
                )
            )
        at = [title for title, _, _ in model.columns].index(worded("Name"))
        wanted[at] += max(0, self.viewport().width() - sum(wanted))
        for column, width in enumerate(wanted):
            self.setColumnWidth(column, width)

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
            rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
            model = self.model()
            places = range(model.columnCount())
            head = [model.headerData(at, Qt.Orientation.Horizontal) for at in places]
            body = ([model.index(row, at).data() for at in places] for row in rows)
            QGuiApplication.clipboard().setText(tab_text((head, *body)))
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
