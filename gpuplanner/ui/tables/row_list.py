"""A list of things to do or to know: icon, a bold sentence, its evidence in one line, dollars at the right."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import tip_text
from gpuplanner.domain.message import Text, worded
from gpuplanner.ui.kit.drawing import LEFT, RIGHT, draw_box, draw_icon, draw_text, text_width
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import speak, spoken, tr

ROW_HEIGHT: Final = 39
LINE_HEIGHT: Final = 16
CHEVRON_PX: Final = 24
HEADING_HEIGHT: Final = 26
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class ListRow:
    """One row. kind and key say what opens; a heading has a title and an amount's unit only."""

    title: Text
    note: Text = ""
    amount: str = ""
    icon: str = ""
    icon_role: str = "muted"
    kind: str = ""
    key: str = ""
    is_heading: bool = False
    tip: str = ""  # what a tool tip adds to title and note
    note_role: str = "muted"
    more: str = ""  # a second line under the note; the amount then stands beside the title
    unit: Text = worded("$ per month")  # of the amount, as it is read aloud
    figure_id: str = ""  # what "Why this number?" answers for its amount

    def __post_init__(self) -> None:
        speak(self, "title", "note", "amount", "more", "tip", "unit")


class _RowsModel(QAbstractListModel):
    """The rows of a list as Qt asks for them; headings cannot be selected."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: tuple[ListRow, ...] = ()

    def show_rows(self, rows: Sequence[ListRow]) -> None:
        """Puts other rows in place of all."""
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Headings are only there to be read."""
        row = self.rows[index.row()]
        return (
            Qt.ItemFlag.NoItemFlags
            if row.is_heading
            else Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        )

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What Qt asks of a row: title, the row itself, tip, or words for screen readers."""
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.UserRole:
            return row
        if role == Qt.ItemDataRole.ToolTipRole and not row.is_heading:
            why = tr("{amount}: why this number? F1", amount=row.amount) if row.figure_id else ""
            return tip_text("\n".join(filter(None, (str(row.title), str(row.note), row.more, row.tip, why))))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            amount = f"{row.amount} {row.unit}".strip() if row.amount and not row.is_heading else row.amount
            return " ".join(filter(None, (str(row.title), str(row.note), row.more, amount)))
        return None


class _RowDelegate(QStyledItemDelegate):
    """Draws the rows of a list: icon, sentence, evidence and dollars."""

    def __init__(self, owner: "RowList") -> None:
        super().__init__(owner)
        self._owner = owner

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        row = index.data(Qt.ItemDataRole.UserRole)
        height = HEADING_HEIGHT if row.is_heading else ROW_HEIGHT + (LINE_HEIGHT if row.more else 0)
        return QSize(100, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draws a heading with its amount, or a row on its ground with a hairline below."""
        palette, row, rect = self._owner.palette_in_use, index.data(Qt.ItemDataRole.UserRole), option.rect
        left, right = rect.left() + 14, rect.right() - 12
        if row.is_heading:
            place = QRect(left, rect.top() + 8, right - left, 15)
            drawn = draw_text(painter, place, row.title, font("small"), palette.muted)
            amount_right = right - self._owner.chevron_px
            if row.amount and left + drawn + text_width(row.amount, font("small")) + 8 < amount_right:
                place.setRight(amount_right)
                draw_text(painter, place, row.amount, font("small"), palette.muted, RIGHT)
            return
        if option.state & (QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_Selected):
            role = "selection" if option.state & QStyle.StateFlag.State_Selected else "surface"
            painter.fillRect(rect, palette.colour(role))
        rows = self._owner.rows
        if index.row() + 1 < len(rows) and not rows[index.row() + 1].is_heading:
            painter.fillRect(QRect(left, rect.bottom(), right - left, 1), palette.colour("line"))
        if row.icon:
            draw_icon(painter, row.icon, palette.colour(row.icon_role), left, rect.top() + 11)
        if row.kind:
            draw_icon(painter, "chevron_right", palette.muted, right - 12, rect.top() + 12, 14)
        amount_right = right - self._owner.chevron_px
        width = text_width(row.amount, font("strong")) if row.amount else 0
        place = QRect(
            amount_right - width, rect.top() + (3 if row.more else 4), width + 1, 17 if row.more else 30
        )
        if row.amount:
            draw_text(painter, place, row.amount, font("strong"), palette.text, RIGHT)
        text_left = left + 26
        space = amount_right - width - (10 if width else 0) - text_left
        draw_text(
            painter, QRect(text_left, rect.top() + 3, space, 17), row.title, font("total"), palette.text, LEFT
        )
        if row.more:
            space = right - 16 - text_left  # lines under the amount reach to the chevron
        role = palette.colour(row.note_role).name()
        lines = ((row.note, role), (row.more, palette.muted))
        for line, (text, colour) in enumerate(lines):
            place = QRect(text_left, rect.top() + 19 + line * LINE_HEIGHT, space, LINE_HEIGHT)
            draw_text(painter, place, text, font("small"), colour, LEFT)
        if option.state & QStyle.StateFlag.State_HasFocus:
            draw_box(painter, rect.adjusted(2, 1, -2, -1), None, palette.focus, 4, 2)


class RowList(QListView):
    """Told its rows; emits kind and key of the row that was opened."""

    row_opened = Signal(str, str)
    figure_opened = Signal(str, QRect)  # figure id, and where its amount is in the list

    def __init__(self, name: str, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.palette_in_use = palette
        self.empty_text: Text = ""
        self._rows = _RowsModel(self)
        self.setAccessibleName(spoken(name))
        self.setModel(self._rows)
        self.setItemDelegate(_RowDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._open)
        self.activated.connect(self._open)

    @property
    def chevron_px(self) -> int:
        """What amounts leave free at the right: room for a chevron, where a row of the list has one."""
        return CHEVRON_PX if any(row.kind for row in self._rows.rows) else 0

    @property
    def rows(self) -> tuple[ListRow, ...]:
        """The rows as shown."""
        return self._rows.rows

    def show_rows(self, rows: Sequence[ListRow]) -> None:
        """Show these rows; the place in the list is kept."""
        if tuple(rows) == self._rows.rows:
            return
        place, current = self.verticalScrollBar().value(), self.currentIndex().row()
        self._rows.show_rows(rows)
        if 0 <= current < len(rows):
            self.setCurrentIndex(self._rows.index(current))
            self.clearSelection()
        self.verticalScrollBar().setValue(place)
        self.viewport().update()

    def select(self, key: str) -> bool:
        """Choose the row of a key, bring it into view and give the list the keyboard; False where there is none."""
        for at, row in enumerate(self._rows.rows):
            if row.key == key and not row.is_heading:
                index = self._rows.index(at)
                self.setFocus()
                self.setCurrentIndex(index)
                self.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)
                return True
        return False

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.palette_in_use = palette
        self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The first row that can be opened is current at once: a heading cannot show that the list has focus."""
        super().focusInEvent(event)
        first = next((at for at, row in enumerate(self._rows.rows) if not row.is_heading), None)
        if not self.currentIndex().isValid() and first is not None:
            index = self._rows.index(first)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The rows with the ring of the keyboard; words in their place if there are none."""
        super().paintEvent(event)
        if self.hasFocus() and not self.currentIndex().isValid():
            place = self.viewport().rect()
            draw_box(QPainter(self.viewport()), place, None, self.palette_in_use.focus, 4, 2)
        if not self._rows.rows and self.empty_text:
            painter = QPainter(self.viewport())
            place = self.viewport().rect().adjusted(14, 10, -12, 0)
            painter.setFont(font("body"))
            painter.setPen(self.palette_in_use.colour("muted"))
            painter.drawText(
                place, int(Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap), spoken(self.empty_text)
            )

    def figure_ids(self) -> list[str]:
        """Every figure that can be asked about, from the top."""
        return [row.figure_id for row in self._rows.rows if row.figure_id]

    def ask_why(self) -> None:
        """Ask about the amount of the current row, or of the first one that has any."""
        at = self.currentIndex().row()
        rows = self._rows.rows
        order = [at, *range(len(rows))] if 0 <= at < len(rows) else list(range(len(rows)))
        first = next((place for place in order if rows[place].figure_id), None)
        if first is not None:
            self._ask(self._rows.index(first))

    def amount_rect(self, index: QModelIndex) -> QRect:
        """Where the amount of a row stands, in pixels of the list."""
        row, rect = self._rows.rows[index.row()], self.visualRect(index)
        width = text_width(row.amount, font("small" if row.is_heading else "strong"))
        right = rect.right() - 12 - self.chevron_px
        return QRect(right - width, rect.top(), width, min(rect.height(), 24)).translated(
            self.viewport().pos()
        )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on an amount asks why, elsewhere it opens the row."""
        index = self.indexAt(event.position().toPoint())
        is_figure = index.isValid() and bool(self._rows.rows[index.row()].figure_id)
        place = event.position().toPoint() + self.viewport().pos()
        if (
            is_figure
            and event.button() is Qt.MouseButton.LeftButton
            and self.amount_rect(index).contains(place)
        ):
            self._ask(index)
        else:
            super().mouseReleaseEvent(event)

    def _ask(self, index: QModelIndex) -> None:
        """Asks why of a row's amount."""
        self.figure_opened.emit(self._rows.rows[index.row()].figure_id, self.amount_rect(index))

    def _open(self, index: QModelIndex) -> None:
        """Opens what a row is about."""
        row = self._rows.rows[index.row()]
        if row.kind:
            self.row_opened.emit(row.kind, row.key)
