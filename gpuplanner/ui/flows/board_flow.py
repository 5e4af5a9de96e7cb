"""The board on a project: what is asked of its cards, what a drop would change, the jobs behind them."""

from functools import partial
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.demand.pools import part_amounts
from gpuplanner.domain.edits.workloads import Classes
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.plan_inputs import Split, whole_key, with_those_merged
from gpuplanner.domain.model.spelling import told_apart
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.board.board import Board
from gpuplanner.ui.board.hover_change import hover_change, rule_warnings
from gpuplanner.ui.board.menu import splits_of
from gpuplanner.ui.cards.details import merges_of, workload_named
from gpuplanner.ui.flows.session import Session, Ways
from gpuplanner.ui.kit.dialogs import open_once
from gpuplanner.ui.state.view_state import ViewState

# --- The board on a project: what is asked of its cards becomes a dialog, or one edit each -------


class BoardFlow(QObject):
    """Told the session and the board; asks about what is shown."""

    def __init__(self, session: Session, board: Board, ways: Ways) -> None:
        super().__init__(session.window)
        self._session, self._board, self._ways = session, board, ways
        self._classed: tuple[Audit | None, Classes] = (None, {})
        gestures = session.gestures
        board.workloads_moved.connect(self._move)
        board.workloads_labelled.connect(gestures.label)
        board.workloads_pinned.connect(gestures.pin)
        board.merge_asked.connect(gestures.merge)
        board.limit_asked.connect(gestures.limit)
        board.split_asked.connect(self.ask_split)
        board.merge_cards_asked.connect(self.ask_merge_cards)
        board.apart_asked.connect(gestures.take_apart)
        board.sheet.apart_asked.connect(board.ask_apart)
        board.automatic_separation_asked.connect(self.ask_separation)
        board.sheet.note_written.connect(gestures.write_note)
        board.sheet.jobs_asked.connect(board.open_jobs)
        board.sheet.split_asked.connect(board.ask_split)
        board.sheet.merge_asked.connect(board.ask_merge)
        board.sheet.dates_asked.connect(board.ask_dates)
        board.sheet.planned_asked.connect(board.ask_planned)
        board.sheet.planned_dropped.connect(board.drop_planned)

    def _move(self, keys: tuple[str, ...], pool: Pool) -> None:
        """Moves workloads; one that is moved back to where its class puts it is as if it had not been moved."""
        shown = self._session.view_state
        self._session.gestures.move(keys, pool, None if shown is None else self._classes(shown))

    def _classes(self, shown: ViewState) -> Classes:
        """What is known of the classes of workloads, by key; put together once for an audit, as each drop asks."""
        audit = shown.evaluation.audit
        if self._classed[0] is not audit:
            self._classed = audit, {row.key: row.classification for row in audit.workloads}
        return self._classed[1]

    def ask_separation(self) -> None:
        """Show what would move and why; nothing is done before it is said."""
        from gpuplanner.ui.plans.rules_dialog import SeparationDialog, separation_of

        if (shown := self._session.view_state) is None or shown.is_today:
            return
        found = self._classes(shown)
        separation = separation_of(shown, found)
        dialog = SeparationDialog(separation, self._session.window)
        dialog.confirmed.connect(lambda: self._session.gestures.separate(found))
        self._open(dialog)
        if separation.moves:
            self._show_net(dialog, [move.card.key for move in separation.moves])

    def _show_net(self, dialog: Any, keys: list[str]) -> None:
        """Say in the dialog what the moves come to for the whole plan, once that is worked out."""

        def answer(request: Any, after: Advice) -> None:
            """Late answers to other questions are not shown."""
            shown = self._session.view_state
            if request.pool is None and shown is not None and shown.advice is not None:
                dialog.show_net(hover_change(shown.advice, after))

        evaluator = self._session.evaluator
        evaluator.previewed.connect(answer)
        dialog.destroyed.connect(lambda: evaluator.previewed.disconnect(answer))
        evaluator.preview(keys, None)

    def ask_split(self, key: str) -> None:
        """Ask how a card is to be divided."""
        from gpuplanner.ui.plans.split_dialog import SplitDialog

        shown = self._session.view_state
        card = None if shown is None else next((card for card in shown.cards if card.key == key), None)
        if shown is None or card is None or shown.is_today:
            return
        project, splits = shown.evaluation.project, splits_of(shown)
        per_month = 1 / (project.window.months * MILLI_GPU_SECONDS_PER_GPU_HOUR)

        def sizes(split: Split) -> tuple[float, float]:
            """GPU-hours a month of both parts of a split."""
            first, second = part_amounts(project, splits, key, split)
            return first * per_month, second * per_month

        dialog = SplitDialog(
            name=card.name, pool=card.pool, window=project.window, sizes=sizes, parent=self._session.window
        )
        dialog.split_chosen.connect(partial(self._session.gestures.split, key))
        self._open(dialog)

    def ask_merge_cards(self, keys: tuple[str, ...]) -> None:
        """Ask for the name of what several cards are to be."""
        from gpuplanner.ui.plans.split_dialog import MergeDialog

        if (shown := self._session.view_state) is None or shown.is_today:
            return
        merges = merges_of(shown)
        wanted = frozenset(with_those_merged(keys, merges))
        cards = [card for card in shown.cards if card.key in wanted]
        taken = frozenset(name for name, members in merges.items() if not wanted.intersection(members))
        usd = [shown.usd.get(card.key) for card in cards]
        dialog = MergeDialog(cards, usd, taken, self._session.window)
        merge = self._session.gestures.merge_cards
        dialog.merge_chosen.connect(lambda name, pool: merge(tuple(wanted), name, pool))
        self._open(dialog)

    def write_note(self) -> None:
        """Open the side sheet at the card and put the cursor into its note."""
        if self._board.sheet.isHidden():
            self._board.show_details()
        self._board.sheet.write_note()

    def _open(self, dialog: QDialog) -> None:
        """Opens a dialog whose figures answer why."""
        self._ways.answer_for(dialog)
        open_once(dialog)


# --- What a drop would change, shown while cards hang over a column: asks the evaluator, and tells the board


class HoverFlow(QObject):
    """Told the session and the board; knows which cards hang over which column."""

    def __init__(self, session: Session, board: Board) -> None:
        super().__init__(session.window)
        self._session, self._board = session, board
        self._hover: tuple[tuple[str, ...], Pool] | None = None
        board.preview_asked.connect(self._ask)
        board.preview_ended.connect(self._end)
        self._session.evaluator.previewed.connect(self.show_preview)

    def ask_again(self) -> None:
        """What is shown has changed: a drop would change something else now."""
        if self._hover is not None:
            self._ask(*self._hover)

    def show_preview(self, request: Any, after: Advice) -> None:
        """Show in the column under the cursor what a drop would change; late answers are not shown."""
        shown = self._session.view_state
        if self._hover is None or shown is None or shown.advice is None or shown.is_settling or shown.month:
            return
        keys, pool = self._hover
        if request.pool is pool and request.keys == frozenset(keys):
            warnings = rule_warnings(keys, pool, shown)
            self._board.show_preview(pool, hover_change(shown.advice, after, warnings))

    def _ask(self, keys: tuple[str, ...], pool: Pool) -> None:
        """Asks what moving these cards to a pool would change; the answer comes by signal."""
        self._hover = (keys, pool)
        self._session.evaluator.preview(keys, pool)

    def _end(self) -> None:
        """Asks no more: the cards were dropped or taken away."""
        self._hover = None
        self._session.evaluator.stop_previewing()


# --- Asking for the jobs behind a card, an answer or a part of the time: from a key to what is asked for


class JobQuestions:
    """Each question ends in one signal of what is asked; a card without jobs is not asked for."""

    def __init__(self, session: Session, board: Board) -> None:
        self._session, self._asks, self._board = session, session.asks, board

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
        shown, card = self._session.view_state, self._board.selection.card(key)
        keys = self._board.members_of(key)
        if shown is None or card is None or len(keys) < 2:
            return None
        splits = splits_of(shown)
        wholes = dict.fromkeys(whole_key(one, splits) for one in keys)
        workloads = [workload_named(bare, shown.evaluation.project.workloads) for bare in wholes]
        return card, told_apart([workload for workload in workloads if workload is not None])

    def _card(self, key: str) -> CardFigures | None:
        """The card whose jobs are those of a card or workload: a part has the jobs of its whole workload."""
        if (shown := self._session.view_state) is None:
            return None
        splits = splits_of(shown)
        whole = whole_key(key, splits)
        card = next((card for card in shown.cards if whole_key(card.key, splits) == whole), None)
        workload = workload_named(whole, shown.evaluation.project.workloads)
        if card is None or workload is None or card.key == whole:
            return card
        return replace(card, key=whole, name=workload.name)
