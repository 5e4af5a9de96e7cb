"""The board on a project: what is asked of its cards becomes a dialog, or one edit each."""

from typing import Any

from PySide6.QtCore import QObject

from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.demand.parts import part_amounts
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.merging import with_those_merged
from gpuplanner.domain.model.scenario.parting import Split
from gpuplanner.ui.board.board import Board
from gpuplanner.ui.board.cards import splits_of
from gpuplanner.ui.cards.merged import merges_of
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.session.ways import Ways
from gpuplanner.ui.state.view_state import ViewState


class BoardFlow(QObject):
    """Told the session and the board; asks about what is shown."""

    def __init__(self, session: Session, board: Board, ways: Ways) -> None:
        super().__init__(session.window)
        self._session, self._board, self._ways = session, board, ways
        gestures = session.gestures
        board.workloads_moved.connect(gestures.move)
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

    @property
    def _view_state(self) -> ViewState | None:
        """What the window shows now; None before the first evaluation."""
        return self._session.view_state

    def ask_separation(self) -> None:
        """Show what would move and why; nothing is done before it is said."""
        from gpuplanner.ui.plans.separation_dialog import SeparationDialog
        from gpuplanner.ui.state.separation import separation_of

        shown = self._view_state
        if shown is None or shown.is_today:
            return
        found = {row.key: row.classification for row in shown.evaluation.audit.workloads}
        separation = separation_of(shown, found)
        dialog = SeparationDialog(separation, self._session.palette, self._session.window)
        dialog.confirmed.connect(lambda: self._session.gestures.separate(found))
        self._open(dialog)
        if separation.moves:
            self._show_net(dialog, [move.card.key for move in separation.moves])

    def _show_net(self, dialog: Any, keys: list[str]) -> None:
        """Say in the dialog what the moves come to for the whole plan, once that is worked out."""
        from gpuplanner.ui.board.hover_change import hover_change

        def answer(request: Any, after: Advice) -> None:
            """Late answers to other questions are not shown."""
            shown = self._view_state
            if request.pool is None and shown is not None and shown.advice is not None:
                dialog.show_net(hover_change(shown.advice, after))

        evaluator = self._session.evaluator
        evaluator.previewed.connect(answer)
        dialog.destroyed.connect(lambda: evaluator.previewed.disconnect(answer))
        evaluator.preview(keys, None)

    def ask_split(self, key: str) -> None:
        """Ask how a card is to be divided."""
        from gpuplanner.ui.plans.split_dialog import SplitDialog

        shown = self._view_state
        card = None if shown is None else next((card for card in shown.cards if card.key == key), None)
        if shown is None or card is None or shown.is_today:
            return
        project, splits = shown.evaluation.project, splits_of(shown)
        per_month = 1 / (project.window.months * MILLI_GPU_SECONDS_PER_GPU_HOUR)

        def sizes(split: Split) -> tuple[float, float]:
            """GPU-hours a month of both parts of a split."""
            first, second = part_amounts(project, splits, key, split)
            return first * per_month, second * per_month

        def go_on(split: Split, pool: Pool | None) -> None:
            """Divides the workload in one step that can be undone."""
            self._session.gestures.split(key, split, pool)

        palette = self._session.palette
        dialog = SplitDialog(card.name, card.pool, project.window, sizes, palette, self._session.window)
        dialog.split_chosen.connect(go_on)
        self._open(dialog)

    def ask_merge_cards(self, keys: tuple[str, ...]) -> None:
        """Ask for the name of what several cards are to be."""
        from gpuplanner.ui.plans.merge_dialog import MergeDialog

        shown = self._view_state
        if shown is None or shown.is_today:
            return
        merges = merges_of(shown)
        wanted = frozenset(with_those_merged(keys, merges))
        cards = [card for card in shown.cards if card.key in wanted]
        taken = frozenset(name for name, members in merges.items() if not wanted.intersection(members))
        usd = [shown.usd.get(card.key) for card in cards]
        dialog = MergeDialog(cards, usd, taken, self._session.palette, self._session.window)
        dialog.merge_chosen.connect(
            lambda name, pool: self._session.gestures.merge_cards(tuple(wanted), name, pool)
        )
        self._open(dialog)

    def write_note(self) -> None:
        """Open the side sheet at the card and put the cursor into its note."""
        if self._board.sheet.isHidden():
            self._board.show_details()
        self._board.sheet.write_note()

    def _open(self, dialog: Any) -> None:
        """Opens a dialog whose figures answer why; it goes when it is closed."""
        from PySide6.QtCore import Qt

        self._ways.answer_for(dialog)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
