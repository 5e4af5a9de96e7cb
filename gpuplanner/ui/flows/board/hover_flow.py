"""Effect of a drop, shown while cards hover over a column."""

from typing import Any

from PySide6.QtCore import QObject

from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.board.board import Board
from gpuplanner.ui.board.hover_change import hover_change, rule_warnings
from gpuplanner.ui.flows.session import Session


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
        shown = self.session.view_state
        if self._hover is None or shown is None or shown.advice is None or shown.is_settling or shown.month:
            return
        keys, pool = self._hover
        if request.pool is pool and request.keys == frozenset(keys):
            warnings = rule_warnings(keys, pool, shown)
            self._board.show_preview(pool, hover_change(shown.advice, after, warnings))

    def _ask(self, keys: tuple[str, ...], pool: Pool) -> None:
        """Asks what moving these cards to a pool would change; the answer comes by signal."""
        self._hover = (keys, pool)
        self.session.evaluator.preview(keys, pool)

    def _end(self) -> None:
        """Asks no more: the cards were dropped or taken away."""
        self._hover = None
        self.session.evaluator.stop_previewing()
