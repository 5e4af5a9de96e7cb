"""Asking for the jobs behind a card, an answer or a part of the time: from a key to what the window asks for."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpuplanner.ui.main_window import MainWindow


class JobQuestions:
    """Each question ends in one signal of the main window; a card without jobs is not asked for."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window

    def ask(self, key: str) -> None:
        """The jobs of a workload."""
        card = self._window.board_flow.card_with_jobs(key)
        if card is not None:
            self._window.jobs_asked.emit(card)

    def ask_of_card(self, key: str) -> None:
        """The jobs behind a card of the board: of all that are merged in it."""
        merged = self._window.board_flow.merged_with_jobs(key)
        if merged is None:
            self.ask(key)
        else:
            self._window.merged_jobs_asked.emit(*merged)

    def ask_in(self, card: Any, hours: object, scope: str) -> None:
        """The jobs behind an answer, of the whole workload where the card is a part. hours None: in all of them."""
        whole = self._window.board_flow.card_with_jobs(card.key)
        self._window.jobs_in_hours_asked.emit(whole or card, hours, scope)

    def ask_between(self, key: str, start_s: int | None, end_s: int | None) -> None:
        """The jobs of a workload in a part of the window; of all of it where no part is said."""
        card = self._window.board_flow.card_with_jobs(key)
        if card is not None:
            self._window.rows_asked.emit(card, start_s, end_s)
