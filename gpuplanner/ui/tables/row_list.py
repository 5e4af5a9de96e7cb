"""A list of rows with icon, sentence, evidence and dollars."""

from collections.abc import Sequence
from typing import Any, Final

from PySide6 import QtCore, QtGui, QtWidgets

from gpuplanner.charts.kit.plain_text import tip_text
from gpuplanner.charts.kit.translation import speak, spoken, tr
from gpuplanner.domain.evidence.trace import parts_of
from gpuplanner.domain.message import Text, worded
from gpuplanner.files.tables.delimited import tab_text
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit import drawing, palettes, type_scale
from gpuplanner.ui.tables import table_habits
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import COPY_TABLE

ROW_HEIGHT: Final = 39
LINE_HEIGHT: Final = 16
CHEVRON_PX: Final = 24
HEADING_HEIGHT: Final = 26
_Index = QtCore.QModelIndex | QtCore.QPersistentModelIndex


@dataclass(frozen=True, slots=True, kw_only=True)
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
    heard_first: str = ""  # read aloud before the title: what is drawn beside it

    def __post_init__(self) -> None:
        speak(self, "title", "note", "amount", "more", "tip", "unit")


class _RowsModel(QtCore.QAbstractListModel):
    """The rows of a list as Qt asks for them; headings cannot be selected."""

    def __init__(self, parent: QtWidgets.QWidget) -> None:
        super().__init__(parent)
        self.rows: tuple[ListRow, ...] = ()

    def show_rows(self, rows: Sequence[ListRow]) -> None:
        """Puts other rows in place of all."""
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: _Index = QtCore.QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: _Index) -> QtCore.Qt.ItemFlag:
        """Headings are only there to be read."""
        row = self.rows[index.row()]
        if row.is_heading:
            return QtCore.Qt.ItemFlag.NoItemFlags
        return QtCore.Qt.ItemFlag.ItemIsEnabled | QtCore.Qt.ItemFlag.ItemIsSelectable

    def data(self, index: _Index, role: int = QtCore.Qt.ItemDataRole.DisplayRole) -> Any:
        """What Qt asks of a row: title, the row itself, tip, or words for screen readers."""
        row = self.rows[index.row()]
        if role == QtCore.Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == QtCore.Qt.ItemDataRole.UserRole:
            return row
        if role == QtCore.Qt.ItemDataRole.ToolTipRole and not row.is_heading:
            why = tr("{amount}: why this number? F1", amount=row.amount) if row.figure_id else ""
            return tip_text("\n".join(filter(None, (str(row.title), str(row.note), row.more, row.tip, why))))
        if role == QtCore.Qt.ItemDataRole.AccessibleTextRole:
            amount = f"{row.amount} {row.unit}".strip() if row.amount and not row.is_heading else row.amount
            return " ".join(filter(None, (row.heard_first, str(row.title), str(row.note), row.more, amount)))
        return None


class RowDelegate(QtWidgets.QStyledItemDelegate):
    """Draws the rows of a list: icon, sentence, evidence and dollars."""

    def __init__(self, owner: "RowList") -> None:
        super().__init__(owner)
        self._owner = owner

    def sizeHint(self, option: QtWidgets.QStyleOptionViewItem, index: _Index) -> QtCore.QSize:
        row = index.data(QtCore.Qt.ItemDataRole.UserRole)
        height = HEADING_HEIGHT if row.is_heading else ROW_HEIGHT + (LINE_HEIGHT if row.more else 0)
        return QtCore.QSize(100, type_scale.text_px(height))

    def paint(self, painter: QtGui.QPainter, option: QtWidgets.QStyleOptionViewItem, index: _Index) -> None:
        """Draws a heading with its amount, or a row on its ground with a hairline below."""
        painter.save()
        self.paint_row(painter, type_scale.in_text_size(painter, option.rect), option.state, index)
        painter.restore()

    def paint_row(
        self, painter: QtGui.QPainter, rect: QtCore.QRect, state: QtWidgets.QStyle.StateFlag, index: _Index
    ) -> None:
        """Draw one row in the usual text size; a list with rows of its own overrides it."""
        palette, row = palettes.in_use(), index.data(QtCore.Qt.ItemDataRole.UserRole)
        left, right = rect.left() + 14, rect.right() - 12
        if row.is_heading:
            place = QtCore.QRect(left, rect.top() + 8, right - left, 15)
            drawn = drawing.draw_text(painter, place, row.title, type_scale.base_font("small"), palette.muted)
            amount_right = right - self._owner.chevron_px
            if (
                row.amount
                and left + drawn + type_scale.text_width(row.amount, type_scale.base_font("small")) + 8
                < amount_right
            ):
                place.setRight(amount_right)
                small = type_scale.base_font("small")
                drawing.draw_text(painter, place, row.amount, small, palette.muted, drawing.RIGHT)
            return
        if state & (QtWidgets.QStyle.StateFlag.State_MouseOver | QtWidgets.QStyle.StateFlag.State_Selected):
            role = "selection" if state & QtWidgets.QStyle.StateFlag.State_Selected else "surface"
            painter.fillRect(rect, palette.colour(role))
        rows = self._owner.rows
        if index.row() + 1 < len(rows) and not rows[index.row() + 1].is_heading:
            painter.fillRect(QtCore.QRect(left, rect.bottom(), right - left, 1), palette.colour("line"))
        if row.icon:
            drawing.draw_icon(painter, row.icon, palette.colour(row.icon_role), left, rect.top() + 11)
        if row.kind:
            drawing.draw_icon(painter, "chevron_right", palette.muted, right - 12, rect.top() + 12, 14)
        amount_right = right - self._owner.chevron_px
        width = type_scale.text_width(row.amount, type_scale.base_font("strong")) if row.amount else 0
        down, high = (3, 17) if row.more else (4, 30)
        place = QtCore.QRect(amount_right - width, rect.top() + down, width + 1, high)
        if row.amount:
            drawing.draw_text(
                painter, place, row.amount, type_scale.base_font("strong"), palette.text, drawing.RIGHT
            )
        text_left = left + 26
        space = amount_right - width - (10 if width else 0) - text_left
        place, total = QtCore.QRect(text_left, rect.top() + 3, space, 17), type_scale.base_font("total")
        drawing.draw_text(painter, place, row.title, total, palette.text, drawing.LEFT)
        if row.more:
            space = right - 16 - text_left  # lines under the amount reach to the chevron
        role = palette.colour(row.note_role).name()
        lines = ((row.note, role), (row.more, palette.muted))
        for line, (text, colour) in enumerate(lines):
            place = QtCore.QRect(text_left, rect.top() + 19 + line * LINE_HEIGHT, space, LINE_HEIGHT)
            drawing.draw_text(painter, place, text, type_scale.base_font("small"), colour, drawing.LEFT)
        if state & QtWidgets.QStyle.StateFlag.State_HasFocus:
            drawing.draw_box(painter, rect.adjusted(2, 1, -2, -1), None, palette.focus, 4, 2)


class RowList(QtWidgets.QListView):
    """Told its rows; emits kind and key of the row that was opened."""

    row_opened = QtCore.Signal(str, str)
    figure_opened = QtCore.Signal(str, QtCore.QRect)  # figure id, and where its amount is in the list

    def __init__(self, name: str, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.empty_text: Text = ""
        self._rows = _RowsModel(self)
        self.setAccessibleName(spoken(name))
        self.setModel(self._rows)
        self.setItemDelegate(RowDelegate(self))
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._open)
        self.activated.connect(self._go)

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
                self.scrollTo(index, QtWidgets.QAbstractItemView.ScrollHint.EnsureVisible)
                return True
        return False

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        """The first row that can be opened is current at once: a heading cannot show that the list has focus."""
        super().focusInEvent(event)
        places = self._places()
        if not self.currentIndex().isValid() and places:
            index = self._rows.index(places[0])
            self.selectionModel().setCurrentIndex(index, QtCore.QItemSelectionModel.SelectionFlag.NoUpdate)

    def moveCursor(
        self, action: QtWidgets.QAbstractItemView.CursorAction, modifiers: QtCore.Qt.KeyboardModifier
    ) -> QtCore.QModelIndex:
        """Go to the first or the last row that is no heading by Home and End; Qt goes nowhere from a heading."""
        ends = {self.CursorAction.MoveHome: 0, self.CursorAction.MoveEnd: -1}
        places = self._places()
        if action in ends and places:
            return self._rows.index(places[ends[action]])
        return super().moveCursor(action, modifiers)

    def _places(self) -> list[int]:
        """Places of the rows that are no headings, from the top."""
        return [place for place, row in enumerate(self._rows.rows) if not row.is_heading]

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """The rows with the ring of the keyboard; words in their place if there are none."""
        super().paintEvent(table_habits.without_cut_row(self, event))
        if self.hasFocus() and not self.currentIndex().isValid():
            place = self.viewport().rect()
            drawing.draw_box(QtGui.QPainter(self.viewport()), place, None, palettes.in_use().focus, 4, 2)
        if not self._rows.rows and self.empty_text:
            painter = QtGui.QPainter(self.viewport())
            place = self.viewport().rect().adjusted(14, 10, -12, 0)
            painter.setFont(type_scale.font("body"))
            painter.setPen(palettes.in_use().colour("muted"))
            flags = int(QtCore.Qt.AlignmentFlag.AlignTop | QtCore.Qt.TextFlag.TextWordWrap)
            painter.drawText(place, flags, spoken(self.empty_text))

    def figure_ids(self) -> list[str]:
        """Every figure that can be asked about, from the top."""
        return [row.figure_id for row in self._rows.rows if row.figure_id]

    def ask_why(self) -> None:
        """Ask about the amount of the current row, or of the first one that has any."""
        at = self.currentIndex().row()
        rows = self._rows.rows
        order = [at, *range(len(rows))] if 0 <= at < len(rows) else list(range(len(rows)))
        if (first := next((place for place in order if rows[place].figure_id), None)) is not None:
            self._ask(self._rows.index(first))

    def amount_rect(self, index: QtCore.QModelIndex) -> QtCore.QRect:
        """Where the amount of a row stands, in pixels of the list."""
        row, rect = self._rows.rows[index.row()], self.visualRect(index)
        step = "small" if row.is_heading else "strong"
        width = type_scale.text_px(type_scale.text_width(row.amount, type_scale.base_font(step)))
        right = rect.right() - type_scale.text_px(12 + self.chevron_px)
        place = QtCore.QRect(right - width, rect.top(), width, min(rect.height(), type_scale.text_px(24)))
        return place.translated(self.viewport().pos())

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        """A click on an amount asks why, elsewhere it opens the row."""
        index = self.indexAt(event.position().toPoint())
        is_figure = index.isValid() and bool(self._rows.rows[index.row()].figure_id)
        place = event.position().toPoint() + self.viewport().pos()
        if (
            is_figure
            and event.button() is QtCore.Qt.MouseButton.LeftButton
            and not event.modifiers() & table_habits.CHOOSING
            and self.amount_rect(index).contains(place)
        ):
            self._ask(index)
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Copies the rows that are chosen, else the current one."""
        if event.matches(QtGui.QKeySequence.StandardKey.Copy) and self.currentIndex().isValid():
            table_habits.copied(_text_of(self._chosen(self.currentIndex())))
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        """The menu of the row under the mouse, or of that which has the keyboard."""
        index, place = table_habits.place_of_menu(event, self)
        self.menu(index).popup(place)

    def menu(self, index: QtCore.QModelIndex) -> QtWidgets.QMenu:
        """What a row offers: where it leads, why, copy."""
        opens, copies = [], []
        if index.isValid():
            row = self._rows.rows[index.row()]
            if row.figure_id:
                opens.append(table_habits.Action(tr("Why this number?"), lambda: self._ask(index), "F1"))
            if row.kind:
                opens.append(table_habits.Action(tr("Open"), lambda: self._open(index)))
            opens += table_habits.ways_from(self, _names_of(row))
            chosen = self._chosen(index)
            many = tr("Copy {rows}", rows=numbers.counted(len(chosen), "row"))
            words = many if len(chosen) > 1 else tr("Copy row")
            copies.append(
                table_habits.Action(words, lambda: table_habits.copied(_text_of(chosen)), COPY_TABLE)
            )
        copies.append(
            table_habits.Action(tr("Copy list"), lambda: table_habits.copied(_text_of(self._rows.rows)))
        )
        return table_habits.menu_of(self, opens, copies)

    def _ask(self, index: QtCore.QModelIndex) -> None:
        """Asks why of a row's amount."""
        self.figure_opened.emit(self._rows.rows[index.row()].figure_id, self.amount_rect(index))

    def _chosen(self, index: QtCore.QModelIndex) -> list[ListRow]:
        """The rows that are chosen, from the top; without any that of an index."""
        places = {chosen.row() for chosen in self.selectedIndexes()} or {index.row()}
        return [self._rows.rows[at] for at in sorted(places)]

    def _open(self, index: QtCore.QModelIndex) -> None:
        """Opens what a row is about; with Shift or Ctrl a click chooses rows."""
        row = self._rows.rows[index.row()]
        if row.kind and not QtGui.QGuiApplication.keyboardModifiers() & table_habits.CHOOSING:
            self.row_opened.emit(row.kind, row.key)

    def _go(self, index: QtCore.QModelIndex) -> None:
        """By a double click or Enter also a row that opens nothing of its own leads to what it names."""
        row = self._rows.rows[index.row()]
        if row.kind:
            self._open(index)
        elif ways := table_habits.ways_from(self, _names_of(row)):
            ways[0].go()


def _text_of(rows: Sequence[ListRow]) -> str:
    """Title, evidence and amount of rows, tab separated."""
    return tab_text(
        [(str(row.title), " ".join(filter(None, (str(row.note), row.more))), row.amount) for row in rows]
    )


def _names_of(row: ListRow) -> list[str]:
    """What a row may be called: its key, what its amount is of, and its title up to a colon."""
    title = str(row.title)
    return list(filter(None, (row.key, parts_of(row.figure_id)[2], title, title.partition(":")[0])))
