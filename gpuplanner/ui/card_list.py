"""The cards of one column: a list model over the evaluation's own values, and the list that shows them."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import is_
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelection,
    QItemSelectionModel,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QDrag, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.pool import Pool
from gpuplanner.ui.card_marks import Mark, spoken, tool_tip
from gpuplanner.ui.lanes import Lane

WORKLOADS_MIME: Final = "application/x-gpuplanner-workloads"
CARD_ROLE: Final = Qt.ItemDataRole.UserRole + 1
FACE_ROLE: Final = Qt.ItemDataRole.UserRole + 2
SLOT_ROLE: Final = Qt.ItemDataRole.UserRole + 3

_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Slot:
    """A dashed place among the cards: where a drop would land, or where a card was taken from."""

    title: str
    change: str = ""
    is_saving: bool = False
    details: tuple[tuple[Lane, str], ...] = ()  # the change of each pool, the target's first
    is_refused: bool = False
    is_source: bool = False


@dataclass(frozen=True, slots=True)
class Face:
    """What a card shows beside its own values: $ a month, its bar as a share of the column's largest, its marks."""

    usd: float | None
    bar: float
    marks: tuple[Mark, ...]
    is_settling: bool
    apart: str = ""  # what tells it from another card of its name


class CardModel(QAbstractListModel):
    """Cards in the order they are shown, with at most one open slot among them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cards: list[CardFigures] = []
        self._usd: Mapping[str, float | None] = {}
        self._marks: Mapping[str, tuple[Mark, ...]] = {}
        self._apart: Mapping[str, str] = {}
        self._is_settling = False
        self._largest = 0.0
        self._moving: frozenset[str] = frozenset()
        self._leaving: Mapping[str, str] = {}
        self._slot: tuple[int, Slot] | None = None

    @property
    def cards(self) -> Sequence[CardFigures]:
        """The cards, top to bottom, without slots."""
        return self._cards

    def show_cards(
        self,
        cards: list[CardFigures],
        usd: Mapping[str, float | None],
        marks: Mapping[str, tuple[Mark, ...]],
        largest: float,
        is_settling: bool,
        apart: Mapping[str, str] | None = None,
    ) -> bool:
        """Show these cards; `largest` is the GPU-hours that fill a bar. True where rows are other cards now.

        apart: by key, what tells a card from another of its name.
        """
        self._apart = apart or {}
        self.close_slot()
        before = self._cards
        is_as_long = len(cards) == len(before)
        same = is_as_long and (
            all(map(is_, cards, before)) or [c.key for c in cards] == [c.key for c in before]
        )
        if not is_as_long:
            self.beginResetModel()
        self._cards, self._usd, self._marks = cards, usd, marks
        self._largest, self._is_settling = largest, is_settling
        if not is_as_long:
            self.endResetModel()
        elif cards:
            self.dataChanged.emit(self.index(0), self.index(len(cards) - 1))
        return not same

    def show_moving(self, keys: frozenset[str]) -> None:
        """Show the cards of these keys as taken away."""
        self._moving = keys
        if self._cards:
            self.dataChanged.emit(self.index(0), self.index(self.rowCount() - 1))

    def show_leaving(self, said: Mapping[str, str]) -> None:
        """Show cards that were decided as taken away until their figures are there; said: key -> words."""
        if said or self._leaving:
            self._leaving = said
            if self._cards:
                self.dataChanged.emit(self.index(0), self.index(self.rowCount() - 1))

    def open_slot(self, row: int, slot: Slot) -> None:
        """Open the slot before a row, or change what it says."""
        if self._slot is not None and self._slot[0] == row:
            self._slot = (row, slot)
            self.dataChanged.emit(self.index(row), self.index(row))
            return
        self.close_slot()
        self.beginInsertRows(QModelIndex(), row, row)
        self._slot = (row, slot)
        self.endInsertRows()

    def close_slot(self) -> None:
        """Take the slot away."""
        if self._slot is not None:
            row = self._slot[0]
            self.beginRemoveRows(QModelIndex(), row, row)
            self._slot = None
            self.endRemoveRows()

    @property
    def slot_row(self) -> int | None:
        """Where the slot is open."""
        return None if self._slot is None else self._slot[0]

    def card_at(self, row: int) -> CardFigures | None:
        """The card of a row; None for the slot."""
        if self._slot is not None:
            if row == self._slot[0]:
                return None
            row -= row > self._slot[0]
        return self._cards[row] if 0 <= row < len(self._cards) else None

    def rowCount(self, parent: _Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._cards) + (self._slot is not None)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if self.card_at(index.row()) is None:
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        card = self.card_at(index.row())
        if card is None:
            slot = None if self._slot is None else self._slot[1]
            if role == SLOT_ROLE:
                return slot
            return slot.title if slot is not None and role == Qt.ItemDataRole.DisplayRole else None
        teller = _TOLD.get(role)
        return None if teller is None else teller(self, card)

    def _face(self, card: CardFigures) -> Face:
        bar = card.gpu_hours_per_month / self._largest if self._largest > 0 else 0.0
        return Face(
            self._usd.get(card.key),
            bar,
            self._marks.get(card.key, ()),
            self._is_settling,
            self._apart.get(card.key, ""),
        )

    def _source(self, card: CardFigures) -> Slot | None:
        if card.key in self._leaving:
            return Slot(self._leaving[card.key], is_source=True)
        return Slot(f"Moving {card.name}", is_source=True) if card.key in self._moving else None

    def _tip(self, card: CardFigures) -> str:
        return tool_tip(card, self._usd.get(card.key), self._marks.get(card.key, ()), self._is_settling)

    def _spoken(self, card: CardFigures) -> str:
        return spoken(card, self._usd.get(card.key), self._marks.get(card.key, ()))


_TOLD: Final[dict[int, Callable[[CardModel, CardFigures], Any]]] = {
    CARD_ROLE: lambda model, card: card,
    FACE_ROLE: CardModel._face,
    SLOT_ROLE: CardModel._source,
    Qt.ItemDataRole.DisplayRole: lambda model, card: card.name,
    Qt.ItemDataRole.ToolTipRole: CardModel._tip,
    Qt.ItemDataRole.AccessibleTextRole: CardModel._spoken,
}
"""What a card answers, by role."""


class CardView(QListView):
    """A column's cards: keyboard, selection and the beginning of a drag."""

    side_asked = Signal(int)  # -1 or +1: the column to go to
    drag_begun = Signal()
    drag_ended = Signal()
    picked_alone = Signal()  # a click without Ctrl or Shift
    card_opened = Signal(str)  # key of the card that was opened with Enter or a double click
    decided = Signal(object)  # Pool: what a key says the selected cards are, where keys decide
    why_asked = Signal()  # Enter, where keys decide

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(f"{name} workloads")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(2000)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().setSingleStep(26)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragEnabled(True)
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.viewport().setAutoFillBackground(False)
        self.dragged_keys: tuple[str, ...] = ()
        self.decision_keys: Mapping[Qt.Key, Pool] = {}  # in Review: letters that say what a workload is
        self.setProperty("cards", True)
        self.doubleClicked.connect(lambda _: self._open_current())

    def model(self) -> CardModel:
        """The column's own model."""
        return super().model()  # type: ignore[return-value]

    def selected_keys(self) -> tuple[str, ...]:
        """Keys of the selected cards, top to bottom."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return tuple(card.key for card in map(self.model().card_at, rows) if card is not None)

    def select_keys(self, keys: frozenset[str], current: str | None = None) -> None:
        """Select the cards of these keys, and make one of them current."""
        chosen = QItemSelection()
        for row, card in enumerate(self.model().cards):
            index = self.model().index(row)
            if card.key in keys:
                chosen.select(index, index)
            if card.key == current:
                self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def neighbour_of(self, keys: frozenset[str]) -> str | None:
        """The card to go on with when those of `keys` leave: the first under the last of them, else above the first."""
        cards = self.model().cards
        rows = [row for row, card in enumerate(cards) if card.key in keys]
        if not rows:
            return None
        below = (card.key for card in cards[rows[-1] + 1 :])
        return next((key for key in below), None) or next(
            (card.key for card in reversed(cards[: rows[-1]]) if card.key not in keys), None
        )

    def current_key(self) -> str | None:
        """The key of the card with the keyboard."""
        card = self.model().card_at(self.currentIndex().row())
        return None if card is None else card.key

    def startDrag(self, supported: Qt.DropAction) -> None:
        """Take the selected cards along, with a picture of them."""
        keys = self.selected_keys()
        delegate = self.itemDelegate()
        if not keys or not self.dragged_allowed(keys):
            return
        index = self.currentIndex()
        size = QSize(min(self.viewport().width(), 232), delegate.sizeHint(self.viewOptions(), index).height())
        drag = QDrag(self)
        data = QMimeData()
        data.setData(WORKLOADS_MIME, json.dumps(keys).encode())
        drag.setMimeData(data)
        drag.setPixmap(delegate.picture(index, len(keys), size, self.devicePixelRatioF()))  # type: ignore[attr-defined]
        drag.setHotSpot(QPoint(34, 22))
        self.dragged_keys = keys
        self.drag_begun.emit()
        drag.exec(Qt.DropAction.MoveAction)
        self.dragged_keys = ()
        self.drag_ended.emit()

    def dragged_allowed(self, keys: tuple[str, ...]) -> bool:
        """Whether these may be taken along; a read only board says no."""
        return bool(keys) and self.dragEnabled()

    def _open_current(self) -> None:
        key = self.current_key()
        if key is not None:
            self.card_opened.emit(key)

    def viewOptions(self) -> Any:
        """The style options of an item."""
        from PySide6.QtWidgets import QStyleOptionViewItem

        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        return option

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and not event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        ):
            index = self.indexAt(event.position().toPoint())
            if not (index.isValid() and self.selectionModel().isSelected(index)):
                self.picked_alone.emit()
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        sides = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() in sides and not event.modifiers():
            self.side_asked.emit(sides[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            self.selectionModel().select(self.currentIndex(), QItemSelectionModel.SelectionFlag.Toggle)
        elif event.key() in self.decision_keys and not event.modifiers():
            self.decided.emit(self.decision_keys[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            if self.decision_keys:
                self.why_asked.emit()
            else:
                self._open_current()
        else:
            super().keyPressEvent(event)
