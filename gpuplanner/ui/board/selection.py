"""What is selected on the board: by keys, rubber band or review; what it comes to, and where it landed."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFrame, QRubberBand, QWidget

from gpuplanner.app.background import AfterPaint
from gpuplanner.charts.kit.plain_text import tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.board.pool_column import PoolColumn
from gpuplanner.ui.board.review import ReviewWhy
from gpuplanner.ui.cards.card_list import CardView
from gpuplanner.ui.cards.card_order import Usd
from gpuplanner.ui.cards.delegate import GAP
from gpuplanner.ui.cards.details import Members, cards_words
from gpuplanner.ui.kit.layout import named, row, share
from gpuplanner.ui.kit.page_parts import Ring, named_button, soon
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.row_list import FactsLabel
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import with_keys
from gpuplanner.ui.words.glossary import LANES, Lane, lane_of

# --- What is selected on the board, over all its columns, and how the keyboard goes from column to column


class BoardSelection(QObject):
    """Told the columns. `changed` comes once events have run, however many cards were selected by one of them."""

    changed = Signal()

    def __init__(self, columns: Mapping[Lane, PoolColumn], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns = columns
        self._teller = soon(self, self.changed)
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
        self._teller.start()

    def _clear_others_of_sender(self) -> None:
        """Clears the selection of all columns but the one that says a card was picked alone."""
        sender = self.sender()
        if isinstance(sender, QWidget):
            self.clear_others(sender)


# --- Under the columns while several cards are selected: how many, what they cost a month, and their GPU-
# hours

SHOWN_FROM = 2
"""One card says its own figures."""


class SelectionLine(QFrame):
    """Told the selected cards."""

    details_asked = Signal()
    cleared = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, tr("Selection"), look="foot")
        self.said = named(FactsLabel(), step="strong")
        self.said.setProperty("role", "")
        self.said.setWordWrap(True)  # a narrow board has room for two lines of it
        known = with_keys(tr("Card details"), "details")
        self.details = named_button(tr("Details"), known, self.details_asked, is_link=True)
        nothing = tr("Select nothing (Esc)")
        self.clear = named_button(tr("Clear selection"), nothing, self.cleared, is_link=True)
        row(share(self.said), self.details, self.clear, on=self, margins=(12, 3, 9, 3), spacing=12)
        self.hide()

    def show_cards(self, cards: Sequence[CardFigures], usd: Usd, members: Members) -> None:
        """The selected cards, $ a month of each, and which stand for several."""
        self.setVisible(len(cards) >= SHOWN_FROM)
        if len(cards) < SHOWN_FROM:
            return
        total = known_sum([usd.get(card.key) for card in cards])
        hours = sum(card.gpu_hours_per_month for card in cards)
        workloads = sum(len(members.get(card.key, (card.key,))) for card in cards)
        facts = (
            (figure("selected_usd"), tr("{value} per month", value=numbers.dollars(total))),
            (figure("selected_hours"), tr("{hours} GPU-h per month", hours=numbers.whole(hours))),
        )
        count = tr("{cards} selected", cards=cards_words(len(cards), workloads))
        self.said.show_facts(facts, f"{count} \u00b7 ")


# --- The rubber band: drawn over all columns from where no card is, or with Shift from anywhere; selects what it meets


class BandSelection(QObject):
    """Watches the viewports of the columns; a click that draws nothing is theirs."""

    ended = Signal()

    def __init__(self, views: Sequence[CardView], over: QWidget) -> None:
        super().__init__(over)
        self._views, self._over = tuple(views), over
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, over)
        self._begun: QPoint | None = None
        self._keeps = False
        for view in self._views:
            view.viewport().installEventFilter(self)

    @property
    def is_drawn(self) -> bool:
        """Whether a band is under the mouse."""
        return self._begun is not None and self._band.isVisible()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Begin, draw and end a band with the left button."""
        if not isinstance(event, QMouseEvent):
            return super().eventFilter(watched, event)
        view = next((view for view in self._views if view.viewport() is watched), None)
        if view is None:
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.MouseButtonPress and self._may_begin(view, event):
            self._begun = self._place(view, event)
            self._keeps = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            view.setFocus(Qt.FocusReason.MouseFocusReason)
            if not self._keeps and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                for other in self._views:
                    other.clearSelection()
            is_with_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            return not is_with_shift  # that click is the list's
        if self._begun is None:
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.MouseMove:
            here = self._place(view, event)
            if (here - self._begun).manhattanLength() >= QApplication.startDragDistance():
                self._band.setGeometry(QRect(self._begun, here).normalized())
                self._band.show()
                self._band.raise_()
                self._select(self._band.geometry())
            return True
        if event.type() == QEvent.Type.MouseButtonRelease:
            was_drawn, self._begun = self._band.isVisible(), None
            self._band.hide()
            if was_drawn:
                self.ended.emit()
            return was_drawn
        return super().eventFilter(watched, event)

    def _may_begin(self, view: CardView, event: QMouseEvent) -> bool:
        """Whether a band begins here: with Shift anywhere, else where no card and no heading is."""
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        place = event.position().toPoint()
        if view.heading_at(place) is not None:
            return False
        return bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier) or not view.is_on_card(place)

    def _place(self, view: CardView, event: QMouseEvent) -> QPoint:
        """Where the mouse is over all columns."""
        return view.viewport().mapTo(self._over, event.position().toPoint())

    def _select(self, band: QRect) -> None:
        """Selects the cards that the band meets in every column, beside those selected before if that was
        asked for.
        """
        for view in self._views:
            if not view.isVisible():
                continue
            origin = view.viewport().mapTo(self._over, QPoint(0, 0))
            inside = band.translated(-origin).intersected(view.viewport().rect())
            view.add_rows(view.rows_in(inside) if not inside.isEmpty() else (), self._keeps)


# --- LandedCards: brings cards that were moved into sight in their new column, and rings them for a moment

AFTER_PAINT_MS: Final = 20
RING_MS: Final = 1_600
"""So long a card is ringed; as long it is followed where new dollars give it another place."""


class LandedCards(QObject):
    """Told which cards go where, and when the board shows another state."""

    landed = Signal(str, object)  # the first card, its lane; once, when it was painted there

    def __init__(self, columns: Mapping[Lane, PoolColumn], parent: QObject) -> None:
        super().__init__(parent)
        self._columns = columns
        self._keys: tuple[str, ...] = ()
        self._view: CardView | None = None
        self._to_tell: Lane | None = None
        self.ring = Ring(4, next(iter(columns.values())).cards)
        self._turn = soon(self, self._bring, AFTER_PAINT_MS)
        # The card is painted where it landed first: see decision 13. Only then is its column scrolled.
        self._painted = AfterPaint(self._turn.start, self)
        self._end = soon(self, self._let_go, RING_MS)
        for column in columns.values():
            column.cards.verticalScrollBar().valueChanged.connect(self._place_ring)

    def follow(self, keys: tuple[str, ...], pool: Pool) -> None:
        """These cards are on their way to a pool."""
        self._let_go()
        self._keys, self._view = keys, self._columns[lane_of(pool)].cards
        self._to_tell = lane_of(pool)
        self._end.start()

    def show_soon(self) -> None:
        """The board shows another state: bring the cards into sight once it is painted."""
        if self._keys:
            self._painted.ask()

    def _rows(self) -> list[int]:
        """The rows of the cards that landed, in order; those that a filter hides have none."""
        model = None if self._view is None else self._view.model()
        return sorted(row for row in map(model.row_of, self._keys) if row is not None) if model else []

    def _bring(self) -> None:
        """Scrolls to the first card if it is out of sight, and rings them all."""
        rows, view = self._rows(), self._view
        if not rows or view is None or (card := view.model().card_at(rows[0])) is None:
            return
        first = view.model().index(rows[0])
        if not view.viewport().rect().contains(view.visualRect(first).adjusted(0, 0, 0, -GAP)):
            view.scrollTo(first, QAbstractItemView.ScrollHint.PositionAtCenter)
        self._place_ring()
        lane, self._to_tell = self._to_tell, None
        if lane is not None:
            self.landed.emit(card.key, lane)

    def _place_ring(self) -> None:
        """Puts the rings where the cards are now: they scroll along."""
        rows, view = self._rows(), self._view
        if not rows or view is None:
            self.ring.hide()
            return
        port = view.viewport()
        places = (view.visualRect(view.model().index(row)).adjusted(0, 0, 0, -GAP) for row in rows)
        self.ring.places = tuple(place for place in places if place.intersects(port.rect()))
        if self.ring.parentWidget() is not view:
            self.ring.setParent(view)
        self.ring.setGeometry(port.geometry())
        self.ring.setVisible(bool(self.ring.places))
        self.ring.update()

    def _let_go(self) -> None:
        """Takes the rings away."""
        self._keys, self._view = (), None
        self._turn.stop()
        self._end.stop()
        self.ring.hide()


# --- The review queue of the board: what a key, a button or the popover says the selected cards are


class BoardReview(QObject):
    """Told the column and the selection; says what was decided. shown: what the board shows; None before that."""

    decided = Signal(tuple, object)  # keys, Pool
    card_wanted = Signal(str)  # key of the card to select

    def __init__(
        self,
        column: PoolColumn,
        selection: BoardSelection,
        why: ReviewWhy,
        shown: Callable[[], ViewState | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._column, self._selection, self._why, self._shown = column, selection, why, shown
        foot: Any = column.foot
        foot.decided.connect(self.decide)
        foot.why_asked.connect(self.open_why)
        column.cards.decided.connect(self.decide)
        column.cards.why_asked.connect(self.open_why)
        why.decided.connect(self.decide)

    def decide(self, pool: Pool) -> None:
        """Say what the selected workloads of Review are, as its keys do; the first where none is selected."""
        view, shown = self._column.cards, self._shown()
        current = view.current_key()
        keys = view.selected_keys() or (() if current is None else (current,))
        if not keys:
            self._select_first()
        elif shown is not None and not shown.is_today:
            self.leave(frozenset(keys), pool)
            view.setFocus(Qt.FocusReason.OtherFocusReason)
            self.decided.emit(keys, pool)

    def open_why(self) -> None:
        """Why the card of Review that has the keyboard is taken for what it is."""
        view, shown = self._column.cards, self._shown()
        if view.current_key() is None:
            self._select_first()
        card: CardFigures | None = view.model().card_at(view.currentIndex().row())
        if card is not None and shown is not None:
            place = view.visualRect(view.currentIndex())
            more = len(set(view.selected_keys()) - {card.key})
            self._why.show_card(card, shown.usd.get(card.key), view, place, more)

    def leave(self, keys: frozenset[str], pool: Pool) -> None:
        """Show decided cards as gone before their figures are there, and go on with the next one."""
        model = self._column.model
        decided = {
            card.key: tr("{title}: {name}", title=lane_of(pool).title, name=card.name)
            for card in model.cards
            if card.key in keys
        }
        if decided:
            self._selection.go_on_from(keys)
            model.show_leaving(decided)

    def _select_first(self) -> None:
        """Goes on to the first card that is left in review."""
        if cards := self._column.model.cards:
            self.card_wanted.emit(cards[0].key)
