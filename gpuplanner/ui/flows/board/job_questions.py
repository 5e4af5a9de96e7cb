"""Jobs behind a card, an answer or a part of the time."""

from typing import Any

from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.plan.splits import whole_key
from gpuplanner.domain.model.spelling import told_apart
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.board.board import Board
from gpuplanner.ui.board.menu import splits_of
from gpuplanner.ui.cards.details import workload_named
from gpuplanner.ui.flows.session import Session


class JobQuestions:
    """Each question ends in one signal of what is asked; a card without jobs is not asked for."""

    def __init__(self, session: Session, board: Board) -> None:
        self.session, self._asks, self._board = session, session.asks, board

    def ask(self, key: str) -> None:
        """The jobs of a workload."""
        if (card := self._card(key)) is not None:
            self._asks.jobs_asked.emit(card)

    def ask_of_card(self, key: str) -> None:
        """The jobs behind a card of the board: of all that are merged in it."""
        if (merged := self._merged(key)) is None:
            self.ask(key)
        else:
            self._asks.merged_jobs_asked.emit(*merged)

    def ask_in(self, card: Any, hours: object, scope: Text) -> None:
        """The jobs behind an answer, of the whole workload where the card is a part. hours None: in all of them."""
        self._asks.jobs_in_hours_asked.emit(self._card(card.key) or card, hours, scope)

    def ask_between(self, key: str, start_s: int | None, end_s: int | None) -> None:
        """The jobs of a workload in a part of the window; of all of it where no part is said."""
        if (card := self._card(key)) is not None:
            self._asks.rows_asked.emit(card, start_s, end_s)

    def _merged(self, key: str) -> tuple[CardFigures, dict[str, Text]] | None:
        """A card that stands for several, and by key the names of the workloads in it; None for any other card."""
        shown, card = self.session.view_state, self._board.selection.card(key)
        keys = self._board.members_of(key)
        if shown is None or card is None or len(keys) < 2:
            return None
        splits = splits_of(shown)
        wholes = dict.fromkeys(whole_key(one, splits) for one in keys)
        workloads = [workload_named(bare, shown.evaluation.project.workloads) for bare in wholes]
        return card, told_apart([workload for workload in workloads if workload is not None])

    def _card(self, key: str) -> CardFigures | None:
        """The card whose jobs are those of a card or workload: a part has the jobs of its whole workload."""
        if (shown := self.session.view_state) is None:
            return None
        splits = splits_of(shown)
        whole = whole_key(key, splits)
        card = next((card for card in shown.cards if whole_key(card.key, splits) == whole), None)
        workload = workload_named(whole, shown.evaluation.project.workloads)
        if card is None or workload is None or card.key == whole:
            return card
        return replace(card, key=whole, name=workload.name)
