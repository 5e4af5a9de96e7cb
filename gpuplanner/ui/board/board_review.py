"""The review queue of the board: decisions by key, button or popover."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.board.pool_column import PoolColumn
from gpuplanner.ui.board.review import ReviewWhy
from gpuplanner.ui.board.selection import BoardSelection
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words.lanes import lane_of


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
