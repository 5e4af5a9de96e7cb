"""The list that shows the cards of one column: keyboard, selection and the beginning of a drag."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from PySide6 import QtCore, QtGui, QtWidgets

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.cards.column_rows import GroupHeading
from gpuplanner.ui.cards.delegate import GAP, BoardDelegate, row_px
from gpuplanner.ui.cards.model import CardModel
from gpuplanner.ui.kit.type_scale import text_px

# --- StillScrollBar: a scroll bar that is painted again only where its handle is elsewhere, or of another length


class StillScrollBar(QtWidgets.QScrollBar):
    """Qt paints a bar at every change of its range. It is see-through, so that all widgets behind it are painted too:
    half a millisecond for each card that comes or goes, where among thousands the handle does not move by a pixel.
    """

    _painted = QtCore.QRect()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Paints, and remembers where the handle was."""
        self._painted = self._handle()
        super().paintEvent(event)

    def sliderChange(self, change: QtWidgets.QAbstractSlider.SliderChange) -> None:
        """Value and range are those of now: all that Qt does is to ask for a repaint."""
        if self._handle() != self._painted:
            super().sliderChange(change)

    def _handle(self) -> QtCore.QRect:
        """Where the style draws the handle."""
        option = QtWidgets.QStyleOptionSlider()
        self.initStyleOption(option)
        bar, handle = (
            QtWidgets.QStyle.ComplexControl.CC_ScrollBar,
            QtWidgets.QStyle.SubControl.SC_ScrollBarSlider,
        )
        return self.style().subControlRect(bar, option, handle, self)


# --- The list that shows the cards of one column: keyboard, selection and the beginning of a drag

DRAG_WIDTH: Final = 232
DRAG_HOT_SPOT: Final = QtCore.QPoint(34, 22)
"""The picture of a card at the mouse: how wide it is at most, and where the mouse holds it."""
_HOVERING: Final = (QtCore.QEvent.Type.HoverEnter, QtCore.QEvent.Type.HoverMove)
_Index = QtCore.QModelIndex | QtCore.QPersistentModelIndex
WORKLOADS_MIME: Final = "application/x-gpuplanner-workloads"


class CardView(QtWidgets.QListView):
    """A column's cards: keyboard, selection and the beginning of a drag."""

    side_asked = QtCore.Signal(int)  # -1 or +1: the column to go to
    drag_begun = QtCore.Signal()
    drag_ended = QtCore.Signal()
    picked_alone = QtCore.Signal()  # a click without Ctrl or Shift on what is not selected
    card_opened = QtCore.Signal(str)  # key of the card that was opened with Enter or a double click
    decided = QtCore.Signal(object)  # Pool: what a key says the selected cards are, where keys decide
    why_asked = QtCore.Signal()  # Enter, where keys decide
    group_toggled = QtCore.Signal(object)  # value of the group that is to be folded or unfolded
    group_picked = QtCore.Signal(object)  # value of the group whose cards are to be selected
    all_asked = QtCore.Signal()  # every card of the column is selected already, and more is wanted

    def __init__(self, name: str, cards: CardModel, delegate: BoardDelegate) -> None:
        super().__init__()
        self._model, self._delegate = cards, delegate
        self.setModel(cards)
        self.setItemDelegate(delegate)
        self.setAccessibleName(tr("{name} workloads", name=name))
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        # in one pass: rows of one height take half a millisecond for 10,000, and a second batch would paint twice
        self.setLayoutMode(QtWidgets.QListView.LayoutMode.SinglePass)
        self.setVerticalScrollBar(StillScrollBar(QtCore.Qt.Orientation.Vertical))
        self.setVerticalScrollMode(QtWidgets.QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().rangeChanged.connect(lambda *_: self._fit_margins())
        self.setHorizontalScrollBarPolicy(QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragEnabled(True)
        self.setMouseTracking(True)
        self.setContextMenuPolicy(QtCore.Qt.ContextMenuPolicy.CustomContextMenu)
        self.viewport().setAutoFillBackground(False)
        # nothing behind it is painted with it
        self.viewport().setAttribute(QtCore.Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.ground = QtGui.QColor(QtCore.Qt.GlobalColor.transparent)
        self._hovered = QtCore.QPersistentModelIndex()
        self.dragged_keys: tuple[str, ...] = ()
        # of a board: of all its columns
        self.keys_to_drag: Callable[[], tuple[str, ...]] = self.selected_keys
        self.decision_keys: Mapping[
            QtCore.Qt.Key, Pool
        ] = {}  # in Review: letters that say what a workload is
        self.setProperty("cards", True)
        self.doubleClicked.connect(lambda _: self._open_current())

    def model(self) -> CardModel:
        """The column's own model."""
        return self._model

    def show_ground(self, colour: str) -> None:
        """What the cards stand on, laid under them here: the widgets behind are not painted when cards are."""
        self.ground = QtGui.QColor(colour)
        self.viewport().update()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._fit_margins()
        super().resizeEvent(event)

    def _fit_margins(self) -> None:
        """Leave room for the scroll bar only while there is one, and none for a part of a card at the lower edge."""
        step, room = row_px(), self.height() - 4
        cut = room % step if room > step else 0
        self.verticalScrollBar().setSingleStep(step)  # by whole cards, as it ends, whatever the size of type
        self.setViewportMargins(6, 0, 1 if self.verticalScrollBar().maximum() else 8, 4 + cut)

    def viewportEvent(self, event: QtCore.QEvent) -> bool:
        """Keep the row under the mouse as Qt does, which tells nobody of it."""
        if (kind := event.type()) in _HOVERING and isinstance(event, QtGui.QHoverEvent):
            self._hovered = QtCore.QPersistentModelIndex(self.indexAt(event.position().toPoint()))
        elif kind == QtCore.QEvent.Type.HoverLeave:
            self._hovered = QtCore.QPersistentModelIndex()
        return super().viewportEvent(event)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Draw the rows in sight from here: Qt's own way comes back to Python four times for each of them."""
        self.executeDelayedItemsLayout()  # rows may have come since
        painter, area, model = QtGui.QPainter(self.viewport()), event.rect(), self.model()
        painter.fillRect(area, self.ground)
        paint_row, look_of, is_enabled = self._delegate.paint_row, model.look_of, self.isEnabled()
        current, hovered = self.currentIndex().row(), self._hovered.row() if is_enabled else -1
        focused = current if is_enabled and (self.hasFocus() or self.viewport().hasFocus()) else -1
        chosen = self._selected_ranges()
        count, first = model.rowCount(), self.visualRect(model.index(0))
        if not count:
            return
        step = first.height()
        top = max(0, (area.top() - first.top()) // step)
        for row in range(top, min(count, (area.bottom() - first.top()) // step + 1)):
            paint_row(
                painter,
                first.translated(0, row * step),
                look_of(row),
                is_selected=bool(chosen) and any(begin <= row <= end for begin, end in chosen),
                is_hovered=row == hovered,
                is_focused=row == focused,
            )

    def dataChanged(self, first: _Index, last: _Index, roles: Sequence[int] = ()) -> None:
        """Cards say something else: all are of one height, so none need be placed again, which would paint later."""
        QtWidgets.QAbstractItemView.dataChanged(self, first, last, roles)
        self.viewport().update()

    def selected_keys(self) -> tuple[str, ...]:
        """Keys of the selected cards, top to bottom."""
        return tuple(card.key for card in self.selected_cards())

    def selected_cards(self) -> list[CardFigures]:
        """The selected cards, top to bottom."""
        card_at = self.model().card_at
        parts = sorted(self._selected_ranges())
        found = (card_at(row) for top, bottom in parts for row in range(top, bottom + 1))
        return [card for card in found if card is not None]

    def _selected_ranges(self) -> list[tuple[int, int]]:
        """First and last row of each run that is selected, in no order."""
        chosen = self.selectionModel().selection()
        parts = (chosen.at(at) for at in range(chosen.size()))
        return [(part.top(), part.bottom()) for part in parts]

    def select_keys(self, keys: Collection[str], current: str | None = None) -> None:
        """Select the cards of these keys, and make one of them current."""
        model, chosen = self.model(), QtCore.QItemSelection()
        rows = sorted(row for row in map(model.row_of, keys) if row is not None)
        for top, bottom in _runs(rows):
            chosen.append(QtCore.QItemSelectionRange(model.index(top), model.index(bottom)))
        place = model.row_of(current)
        selected, flag = self.selectionModel(), QtCore.QItemSelectionModel.SelectionFlag
        if place is not None:
            selected.setCurrentIndex(model.index(place), flag.NoUpdate)
        selected.select(chosen, flag.ClearAndSelect)

    def follow_one(self, row: int, kept: Collection[str], current: str | None) -> None:
        """After one card came to a row, or went from it: what `select_keys` of those kept and the current would do.

        Qt keeps whatever else is selected, so that no row of thousands is looked for.
        """
        model, flag = self.model(), QtCore.QItemSelectionModel.SelectionFlag
        if (card := model.card_at(row)) is not None and card.key in kept:
            self.selectionModel().select(model.index(row), flag.Select)
        if current is not None and self.current_key() != current:  # the one that went had the keyboard
            after = model.index(min(row, model.rowCount() - 1))
            self.selectionModel().setCurrentIndex(after, flag.NoUpdate)

    def stay_at(self, scrolled: int) -> None:
        """Scroll other rows to where these were. Their places are found now: in a paint, it would paint twice."""
        self.executeDelayedItemsLayout()
        self.verticalScrollBar().setValue(scrolled)

    def add_rows(self, rows: Collection[int], others: bool) -> None:
        """Select the cards of these rows; others: those that are selected stay so."""
        chosen = QtCore.QItemSelection()
        for top, bottom in _runs(sorted(rows)):
            chosen.append(QtCore.QItemSelectionRange(self.model().index(top), self.model().index(bottom)))
        flag = QtCore.QItemSelectionModel.SelectionFlag
        self.selectionModel().select(chosen, flag.Select if others else flag.ClearAndSelect)

    def neighbour_of(self, keys: frozenset[str]) -> str | None:
        """The card to go on with when those of `keys` leave: the first under the last of them, else above the first."""
        cards = self.model().cards
        if not (rows := [row for row, card in enumerate(cards) if card.key in keys]):
            return None
        below = (card.key for card in cards[rows[-1] + 1 :])
        return next((key for key in below), None) or next(
            (card.key for card in reversed(cards[: rows[-1]]) if card.key not in keys), None
        )

    def current_key(self) -> str | None:
        """The key of the card with the keyboard."""
        card = self.model().card_at(self.currentIndex().row())
        return None if card is None else card.key

    def startDrag(self, supported: QtCore.Qt.DropAction) -> None:
        """Take the selected cards along, with a picture of them."""
        keys = self.keys_to_drag()
        if not keys or not self.dragEnabled():  # a read only board lets nothing go
            return
        index = self.currentIndex()
        size = QtCore.QSize(min(self.viewport().width(), DRAG_WIDTH), self.sizeHintForIndex(index).height())
        drag = QtGui.QDrag(self)
        data = QtCore.QMimeData()
        data.setData(WORKLOADS_MIME, json.dumps(keys).encode())
        drag.setMimeData(data)
        drag.setPixmap(self._delegate.picture(index, len(keys), size, self.devicePixelRatioF()))
        drag.setHotSpot(DRAG_HOT_SPOT)
        self.dragged_keys = keys
        self.drag_begun.emit()
        drag.exec(QtCore.Qt.DropAction.MoveAction)
        self.dragged_keys = ()
        self.drag_ended.emit()

    def _open_current(self) -> None:
        """Asks for the current card to be opened; a heading is none."""
        if (key := self.current_key()) is not None:
            self.card_opened.emit(key)

    def heading_at(self, place: QtCore.QPoint) -> GroupHeading | None:
        """The heading of a group under the mouse."""
        index = self.indexAt(place)
        row = self.model().row_at(index.row()) if index.isValid() else None
        return row if isinstance(row, GroupHeading) else None

    def is_on_card(self, place: QtCore.QPoint) -> bool:
        """Whether there is a card under the mouse: the gap under a card is none."""
        index = self.indexAt(place)
        if not index.isValid() or self.model().card_at(index.row()) is None:
            return False
        return place.y() < self.visualRect(index).bottom() - text_px(GAP) + 1

    def rows_in(self, place: QtCore.QRect) -> range:
        """The rows that a rectangle of the viewport touches."""
        first, last = self.indexAt(place.topLeft()), self.indexAt(place.bottomLeft())
        count = self.model().rowCount()
        top = first.row() if first.isValid() else count
        bottom = last.row() if last.isValid() else count - 1
        return range(top, bottom + 1)

    def _current_heading(self) -> GroupHeading | None:
        """The heading that has the keyboard; None on a card."""
        row = self.model().row_at(self.currentIndex().row())
        return row if isinstance(row, GroupHeading) else None

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """A click on a heading folds its group, with Ctrl selects it.

        On a card alone it clears the other columns.
        """
        heading = self.heading_at(event.position().toPoint())
        if heading is not None and event.button() == QtCore.Qt.MouseButton.LeftButton:
            self.setFocus(QtCore.Qt.FocusReason.MouseFocusReason)
            is_picked = bool(event.modifiers() & QtCore.Qt.KeyboardModifier.ControlModifier)
            (self.group_picked if is_picked else self.group_toggled).emit(heading.value)
            event.accept()
            return
        adds = QtCore.Qt.KeyboardModifier.ControlModifier | QtCore.Qt.KeyboardModifier.ShiftModifier
        if not event.modifiers() & adds and self._picks_alone(event):
            self.picked_alone.emit()
        super().mousePressEvent(event)

    def _picks_alone(self, event: QtGui.QMouseEvent) -> bool:
        """Whether the rest is no longer selected: the right button means what is selected, or the card it is on."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self.selectionModel().isSelected(index):
            return False
        if event.button() == QtCore.Qt.MouseButton.RightButton:
            return index.isValid() and self.model().card_at(index.row()) is not None
        return event.button() == QtCore.Qt.MouseButton.LeftButton

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Left and Right go to the next column, keys of classes decide in Review, Return opens, Space selects."""
        sides, heading = {QtCore.Qt.Key.Key_Left: -1, QtCore.Qt.Key.Key_Right: 1}, self._current_heading()
        if event.key() in sides and not event.modifiers():
            self.side_asked.emit(sides[QtCore.Qt.Key(event.key())])
        elif heading is not None and event.key() in _FOLDING and not event.modifiers():
            self.group_toggled.emit(heading.value)
        elif event.matches(QtGui.QKeySequence.StandardKey.SelectAll):
            self._select_all()
        elif event.key() == QtCore.Qt.Key.Key_Space and self.currentIndex().isValid():
            self.selectionModel().select(self.currentIndex(), QtCore.QItemSelectionModel.SelectionFlag.Toggle)
        elif event.key() in self.decision_keys and not event.modifiers():
            self.decided.emit(self.decision_keys[QtCore.Qt.Key(event.key())])
        elif event.key() in (QtCore.Qt.Key.Key_Return, QtCore.Qt.Key.Key_Enter) and not event.modifiers():
            if self.decision_keys:
                self.why_asked.emit()
            else:
                self._open_current()
        else:
            super().keyPressEvent(event)

    def _select_all(self) -> None:
        """All of the column; all of the board where that is selected already."""
        if len(self.selected_keys()) == len(self.model().cards):
            self.all_asked.emit()
        else:
            self.select_keys([card.key for card in self.model().cards], self.current_key())


_FOLDING: Final = (QtCore.Qt.Key.Key_Return, QtCore.Qt.Key.Key_Enter, QtCore.Qt.Key.Key_Space)


def _runs(rows: list[int]) -> list[tuple[int, int]]:
    """Rows, ascending, as first and last of each run: a selection of thousands is a few ranges."""
    runs: list[tuple[int, int]] = []
    for row in rows:
        if runs and row == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], row)
        else:
            runs.append((row, row))
    return runs
