"""The jobs of one workload: a sheet beside the board, filled from the kept job rows as it is scrolled."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.app.drilling import PAGE_ROWS, JobDrill
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import Window
from gpuplanner.ui import numbers
from gpuplanner.ui.dialog_size import resize_within_screen
from gpuplanner.ui.drawing import draw_box
from gpuplanner.ui.said import said as translated
from gpuplanner.ui.theme import Palette
from gpuplanner.ui.type_scale import font, width_of

_Index = QModelIndex | QPersistentModelIndex

ORDERS: Final = (
    ("gpu_hours", "Most GPU-hours first"),
    ("start", "Earliest start first"),
    ("duration", "Longest first"),
    ("gpus", "Most GPUs first"),
    ("job_id", "By job id"),
)


def _time(at_s: int | None) -> str:
    return numbers.UNKNOWN if at_s is None else f"{datetime.fromtimestamp(at_s, UTC):%Y-%m-%d %H:%M:%S}"


def _lasted(row: Any) -> str:
    if row.end_s is None:
        return "runs on"
    seconds = row.end_s - row.start_s
    days, rest = divmod(seconds, 86_400)
    text = f"{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"
    return f"{days}-{text}" if days else text


def _activity(row: Any) -> str:
    milli = row.activity_milli_percent
    return numbers.UNKNOWN if milli is None else numbers.percent(milli / 100_000)


GPU_HOURS_TITLE: Final = "GPU-h in window"

COLUMNS: Final[tuple[tuple[str, bool, Callable[[Any], str]], ...]] = (
    ("Job id", False, lambda row: row.job_id or numbers.UNKNOWN),
    ("Name", False, lambda row: row.name),
    ("User", False, lambda row: row.user or numbers.UNKNOWN),
    ("Queue", False, lambda row: row.queue or numbers.UNKNOWN),
    ("State", False, lambda row: row.state or numbers.UNKNOWN),
    ("GPU model", False, lambda row: row.gpu_model or (numbers.UNKNOWN if row.milli_gpus else "no GPU")),
    (
        GPU_HOURS_TITLE,
        True,
        lambda row: numbers.rate(row.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR),
    ),
    ("GPUs", True, lambda row: numbers.gpus(row.milli_gpus / 1000)),
    ("Start, UTC", True, lambda row: _time(row.start_s)),
    ("End, UTC", True, lambda row: "still running" if row.end_s is None else _time(row.end_s)),
    ("Lasted", True, _lasted),
    ("Activity", True, _activity),
)
"""Heading, whether it is a figure, and its text."""


class JobsModel(QAbstractTableModel):
    """Jobs in pages: asks for more as the view comes to the end of what is there."""

    more_wanted = Signal(int)  # offset

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Any] = []
        self.total = 0
        self._asked = -1
        self.gpu_hours_title = GPU_HOURS_TITLE

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
        return 0 if parent.isValid() else len(COLUMNS)

    def canFetchMore(self, parent: _Index) -> bool:
        return not parent.isValid() and 0 < len(self.rows) < self.total and self._asked != len(self.rows)

    def fetchMore(self, parent: _Index) -> None:
        self._asked = len(self.rows)
        self.more_wanted.emit(self._asked)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            title = COLUMNS[section][0]
            return self.gpu_hours_title if title == GPU_HOURS_TITLE else title
        return _side(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        title, _, text = COLUMNS[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return text(self.rows[index.row()])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{title}: {text(self.rows[index.row()])}"
        return _side(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None


def _side(column: int) -> int:
    side = Qt.AlignmentFlag.AlignRight if COLUMNS[column][1] else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)


class _JobsTable(QTableView):
    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self.setAccessibleName(translated("Jobs"))
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
        model, body = self.model(), font("body")
        rows = min(model.rowCount(), PAGE_ROWS)
        wanted = []
        for column, (title, _, _) in enumerate(COLUMNS):
            texts = [model.index(row, column).data() for row in range(rows)]
            wanted.append(
                min(
                    260, max([width_of(title, font("total")), *(width_of(text, body) for text in texts)]) + 20
                )
            )
        wanted[1] += max(0, self.viewport().width() - sum(wanted))
        for column, width in enumerate(wanted):
            self.setColumnWidth(column, width)

    def paintEvent(self, event: QPaintEvent) -> None:
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
        if event.matches(QKeySequence.StandardKey.Copy):
            rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
            cells = ["\t".join(title for title, _, _ in COLUMNS)]
            model = self.model()
            cells += ["\t".join(model.index(row, at).data() for at in range(len(COLUMNS))) for row in rows]
            QGuiApplication.clipboard().setText("\n".join(cells))
        else:
            super().keyPressEvent(event)


class JobsSheet(QDialog):
    """Told a card and where its jobs are; asks for the import again where they are gone.

    scope: the hours that alone count, in words ("in hours without training"); "" for the whole window.
    """

    import_asked = Signal()

    def __init__(
        self,
        card: CardFigures,
        window: Window,
        drill: JobDrill | None,
        palette: Palette,
        parent: QWidget | None = None,
        *,
        is_part: bool = False,
        scope: str = "",
    ) -> None:
        super().__init__(parent)
        self._card, self._window, self._drill, self._is_part = card, window, drill, is_part
        self._scope = scope
        self.setWindowTitle(f"Jobs of {card.name}")
        self.setAccessibleName(f"Jobs of {card.name}")
        resize_within_screen(self, 1200, 560)
        self.model = JobsModel(self)
        if scope:
            self.model.gpu_hours_title = "GPU-h in those hours"
        self.table = _JobsTable(palette)
        self.table.setModel(self.model)
        self._build()
        self.model.more_wanted.connect(self._ask)
        if drill is None:
            self._say_gone("This project was opened without the rows of its log.")
            return
        drill.setParent(self)
        drill.found.connect(self._take)
        drill.failed.connect(self._fail)
        self._ask(0)

    def _build(self) -> None:
        title = QLabel(self._card.name)
        title.setFont(font("title"))
        self.said = QLabel(translated("Looking up the jobs"))
        self.said.setProperty("role", "muted")
        self.said.setWordWrap(True)
        self.order = QComboBox()
        self.order.setAccessibleName(translated("Order of the jobs"))
        self.order.setToolTip(translated("Which jobs come first"))
        for name, words in ORDERS:
            self.order.addItem(words, name)
        self.order.activated.connect(lambda _: self._ask_again())
        self.again = QPushButton(translated("Import the log again"))
        self.again.setAccessibleName(translated("Import the log again"))
        self.again.setToolTip(translated("Choose the log file; its job rows are kept from then on"))
        self.again.clicked.connect(self._import_again)
        self.again.hide()
        close = QPushButton(translated("Close"))
        close.setAccessibleName(translated("Close"))
        close.setToolTip(translated("Back to the board (Esc)"))
        close.clicked.connect(self.close)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(title)
        words.addWidget(self.said)
        head = QHBoxLayout()
        head.setContentsMargins(20, 14, 20, 0)
        head.setSpacing(8)
        head.addLayout(words, 1)
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
        self.back = QPushButton(translated("Back to why"))
        self.back.setAccessibleName(translated("Back to why"))
        self.back.setToolTip(translated("Back to the answer that these jobs stand behind (Backspace)"))
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

    def offer_way_back(self) -> None:
        """The jobs were opened from an answer: `accepted` says that it is wanted again."""
        self.back.show()
        shortcut = QShortcut(QKeySequence(Qt.Key.Key_Backspace), self)
        shortcut.activated.connect(self.accept)

    def _ask(self, offset: int) -> None:
        if self._drill is not None:
            self._drill.ask(self.order.currentData(), offset)

    def _ask_again(self) -> None:
        self.model.begin_again()
        self.order.setFocus()
        self._ask(0)

    def _take(self, order: str, offset: int, page: Any) -> None:
        if order != self.order.currentData():
            return
        self.model.take(offset, page.rows, page.total)
        if offset == 0:
            self.table.fit_columns()
            if page.rows:
                self.table.setCurrentIndex(self.model.index(0, 0))
            if not self.order.hasFocus():
                self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        said = jobs_sentence(self._card, self._window, page, is_part=self._is_part, scope=self._scope)
        self.said.setText(said)
        self.said.setAccessibleName(self.said.text())

    def _fail(self, error: Exception) -> None:
        if isinstance(error, PlannerError):
            self._say_gone(f"{numbers.sentence(error.what)}.")
        else:
            self.said.setText(f"The jobs cannot be read: {error}.")

    def _say_gone(self, what: str) -> None:
        self.said.setText(
            f"{what} The card's figures are in the project; its single jobs are in the log. "
            "Import the log again to see them."
        )
        self.order.hide()
        self.again.show()
        self.again.setFocus(Qt.FocusReason.OtherFocusReason)

    def _import_again(self) -> None:
        self.close()
        self.import_asked.emit()

    def done(self, result: int) -> None:
        if self._drill is not None:
            self._drill.close()
        super().done(result)


def jobs_sentence(
    card: CardFigures, window: Window, page: Any, *, is_part: bool = False, scope: str = ""
) -> str:
    """1,204 jobs - 44,834 GPU-h in the window (15,029 a month, as on the card) - 3 Jul - 30 Sep 2026.

    is_part: the window is a part of the project's, such as one run; the card says nothing of that. scope: the
    hours that alone count, in words.
    """
    if scope:
        return numbers.MIDDOT.join(
            (
                numbers.counted(page.total, "job"),
                f"{numbers.whole(page.gpu_hours)} GPU-h {scope}",
                f"{numbers.span(window.start_s, window.end_s)}, UTC",
            )
        )
    if is_part:
        from_to = numbers.span(window.start_s, window.end_s)
        gpu_hours = f"{numbers.whole(page.gpu_hours)} GPU-h in these {numbers.whole(window.hours)} hours of the window"
        return numbers.MIDDOT.join((numbers.counted(page.total, "job"), gpu_hours, f"{from_to}, UTC"))
    return numbers.MIDDOT.join(
        (
            numbers.counted(page.total, "job"),
            f"{numbers.whole(page.gpu_hours)} GPU-h in the window",
            f"{numbers.whole(page.gpu_hours / window.months)} per month, as on the card"
            if abs(page.gpu_hours / window.months - card.gpu_hours_per_month) <= 0.5
            else f"the card says {numbers.whole(card.gpu_hours_per_month)} per month",
            f"{numbers.span(window.start_s, window.end_s)}, UTC",
        )
    )
