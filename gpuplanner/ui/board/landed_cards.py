"""Moved cards: brought into sight in their new column, and marked for a moment."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QAbstractItemView

from gpuplanner.app.background import AfterPaint
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.board.pool_column import PoolColumn
from gpuplanner.ui.cards.card_list import CardView
from gpuplanner.ui.cards.delegate import GAP
from gpuplanner.ui.kit.page_parts import Ring, soon
from gpuplanner.ui.words.lanes import Lane, lane_of

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
