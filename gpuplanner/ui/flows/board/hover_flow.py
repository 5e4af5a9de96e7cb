"""Effect of a drop, shown while cards hover over a column."""

from typing import Any

from PySide6.QtCore import QObject

from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.board.board import Board
from gpuplanner.ui.board.hover_change import hover_change, rule_warnings
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.state.view_state import ViewState


def advice_before_drop(shown: ViewState | None, after: Advice) -> Advice | None:
    """Return the advice that a drop changes: that of the plan shown, over all its months.

    None until it is known, and if its whole decisions are others than those of `after`: their difference would not be
    the drop's.
    """
    before = None if shown is None else shown.at_start.evaluation.advice
    return before if before is not None and before.whole_decisions == after.whole_decisions else None


class HoverFlow(QObject):
    """Told the session and the board; knows which cards hang over which column."""

    def __init__(self, session: Session, board: Board) -> None:
        super().__init__(session.window)
        self.session, self._board = session, board
        self._hover: tuple[tuple[str, ...], Pool] | None = None
        board.preview_asked.connect(self._ask)
        board.preview_ended.connect(self._end)
        self.session.evaluator.previewed.connect(self.show_preview)

    def ask_again(self) -> None:
        """What is shown has changed: a drop would change something else now."""
        if self._hover is not None:
            self._ask(*self._hover)

    def show_preview(self, request: Any, after: Advice) -> None:
        """Show in the column under the cursor what a drop would change; late answers are not shown."""
        shown, before = self.session.view_state, advice_before_drop(self.session.view_state, after)
        if self._hover is None or shown is None or before is None:
            return
        keys, pool = self._hover
        if request.pool is pool and request.keys == frozenset(keys):
            warnings = rule_warnings(keys, pool, shown)
            change = hover_change(self.session.horizon, before, after, warnings)
            self._board.show_preview(pool, change)

    def _ask(self, keys: tuple[str, ...], pool: Pool) -> None:
        """Asks what moving these cards to a pool would change; the answer comes by signal."""
        self._hover = (keys, pool)
        self.session.evaluator.preview(keys, pool)

    def _end(self) -> None:
        """Asks no more: the cards were dropped or taken away."""
        self._hover = None
        self.session.evaluator.stop_previewing()
