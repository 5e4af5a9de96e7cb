"""The selection on the board over all columns, and its keys."""

from collections.abc import Collection, Mapping

from PySide6.QtCore import QItemSelectionModel, QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QWidget

from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.ui.board.pool_column import PoolColumn
from gpuplanner.ui.cards.card_list import CardView
from gpuplanner.ui.kit.page_parts import soon
from gpuplanner.ui.words.lanes import LANES, Lane


class BoardSelection(QObject):
    """Told the columns. `changed` comes once events have run, however many cards were selected by one of them."""

    changed = Signal()

    def __init__(self, columns: Mapping[Lane, PoolColumn], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns = columns
        self.teller = soon(self, self.changed)
        for view in self.views:
            view.selectionModel().selectionChanged.connect(self._tell_soon)
            view.selectionModel().currentChanged.connect(self._tell_soon)
            view.picked_alone.connect(self._clear_others_of_sender)
            view.side_asked.connect(self.go_sideways)
            view.all_asked.connect(self.select_everything)
            view.keys_to_drag = self.keys

    @property
    def views(self) -> tuple[CardView, ...]:
        """The lists of all columns."""
        return tuple(column.cards for column in self._columns.values())

    def keys(self) -> tuple[str, ...]:
        """Keys of the selected cards of all columns; of the current card where none is selected."""
        found = self.selected_keys()
        current = None if found else self.current_key()
        return found if current is None else (current,)

    def selected_keys(self) -> tuple[str, ...]:
        """Keys of the selected cards of all columns."""
        return tuple(key for view in self.views for key in view.selected_keys())

    def current_key(self) -> str | None:
        """The card with the keyboard."""
        lane = self.focused_lane()
        return None if lane is None else self._columns[lane].cards.current_key()

    def focused_lane(self) -> Lane | None:
        """The column with the keyboard."""
        return next((lane for lane, column in self._columns.items() if column.cards.hasFocus()), None)

    def select(self, keys: Collection[str], current: str | None = None) -> None:
        """Select these cards in whatever columns they stand."""
        wanted = frozenset(keys)
        for view in self.views:
            view.select_keys(wanted, current)

    def select_everything(self) -> None:
        """Select every card that is shown."""
        for view in self.views:
            if view.isVisible():
                view.select_keys([card.key for card in view.model().cards], view.current_key())

    def clear(self) -> None:
        """Select nothing."""
        for view in self.views:
            view.clearSelection()

    def clear_others(self, keep: QWidget) -> None:
        """Select nothing but in one column."""
        for view in self.views:
            if view is not keep:
                view.clearSelection()

    def go_sideways(self, step: int) -> None:
        """From the card with the keyboard to the one beside it, in the next column that has some."""
        if (lane := self.focused_lane()) is None:
            return
        at = LANES.index(lane)
        here = self._columns[lane].cards
        top = here.visualRect(here.currentIndex()).center().y() if here.currentIndex().isValid() else 0
        while 0 <= at + step < len(LANES):
            at += step
            view = self._columns[LANES[at]].cards
            if view.model().rows:
                index = view.indexAt(QPoint(30, top))
                if not index.isValid():
                    index = view.model().index(view.model().rowCount() - 1)
                view.setFocus(Qt.FocusReason.OtherFocusReason)
                self.clear_others(view)
                view.setCurrentIndex(index)
                return

    def go_on_from(self, keys: frozenset[str]) -> None:
        """Select the card that follows those that are decided: the next key of the queue is about it."""
        for column in self._columns.values():
            view = column.cards
            if not any(card.key in keys for card in column.model.cards):
                continue
            following = view.neighbour_of(keys)
            self.clear_others(view)
            view.select_keys(() if following is None else (following,), following)
            if following is not None:
                view.scrollTo(view.currentIndex())
            return

    def go_with(self, key: str | None, lane: Lane) -> None:
        """Give the keyboard to a card that was moved, where it stands now; nothing where it is not there."""
        view = self._columns[lane].cards
        if (row := view.model().row_of(key)) is not None:
            place = view.model().index(row)
            view.selectionModel().setCurrentIndex(place, QItemSelectionModel.SelectionFlag.NoUpdate)
            view.setFocus(Qt.FocusReason.OtherFocusReason)

    def card(self, key: str) -> CardFigures | None:
        """A card that is shown."""
        for column in self._columns.values():
            if (row := column.model.row_of(key)) is not None:
                return column.model.card_at(row)
        return None

    def _tell_soon(self) -> None:
        """Tells of a change once for all columns, after the event at hand."""
        self.teller.start()

    def _clear_others_of_sender(self) -> None:
        """Clears the selection of all columns but the one that says a card was picked alone."""
        sender = self.sender()
        if isinstance(sender, QWidget):
            self.clear_others(sender)
