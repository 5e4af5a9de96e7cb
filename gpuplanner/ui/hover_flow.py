"""What a drop would change, shown while cards hang over a column: asks the evaluator, and tells the board."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.pool import Pool
from gpuplanner.ui.hover_change import hover_change, rule_warnings

if TYPE_CHECKING:
    from gpuplanner.ui.main_window import MainWindow


class HoverFlow(QObject):
    """Belongs to one main window; knows which cards hang over which column."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window, self._evaluator = window, window.evaluator
        self._hover: tuple[tuple[str, ...], Pool] | None = None
        window.board.preview_asked.connect(self._ask)
        window.board.preview_ended.connect(self._end)
        self._evaluator.previewed.connect(self.show_preview)

    def ask_again(self) -> None:
        """What is shown has changed: a drop would change something else now."""
        if self._hover is not None:
            self._ask(*self._hover)

    def show_preview(self, request: Any, after: Advice) -> None:
        """Show in the column under the cursor what a drop would change; late answers are not shown."""
        shown = self._window.shown
        if self._hover is None or shown is None or shown.advice is None or shown.is_settling:
            return
        keys, pool = self._hover
        if request.pool is pool and request.keys == frozenset(keys):
            warnings = rule_warnings(keys, pool, shown)
            self._window.board.show_preview(pool, hover_change(shown.advice, after, warnings))

    def _ask(self, keys: tuple[str, ...], pool: Pool) -> None:
        self._hover = (keys, pool)
        self._evaluator.preview(keys, pool)

    def _end(self) -> None:
        self._hover = None
        self._evaluator.stop_previewing()
