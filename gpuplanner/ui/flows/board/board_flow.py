"""The board on a project: each request of its cards is a dialog or one edit."""

from functools import partial
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.demand.pools import part_amounts
from gpuplanner.domain.edits.workloads import Classes
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.plan.merged_cards import with_those_merged
from gpuplanner.domain.model.plan.splits import Split
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.board.board import Board
from gpuplanner.ui.board.hover_change import hover_change
from gpuplanner.ui.board.menu import splits_of
from gpuplanner.ui.cards.details import merges_of
from gpuplanner.ui.flows.board.hover_flow import advice_before_drop
from gpuplanner.ui.flows.board.landed_flow import LandedFlow
from gpuplanner.ui.flows.session import Session, Ways
from gpuplanner.ui.kit.dialogs import open_once
from gpuplanner.ui.state.view_state import ViewState


class BoardFlow(QObject):
    """Told the session and the board; asks about what is shown."""

    def __init__(self, session: Session, board: Board, ways: Ways) -> None:
        super().__init__(session.window)
        self.session, self._board, self._ways = session, board, ways
        self._classed: tuple[Audit | None, Classes] = (None, {})
        self.landed = LandedFlow(session, board.landed_line)
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
        shown = self.session.view_state
        self.landed.about_to_move()
        self.session.gestures.move(keys, pool, None if shown is None else self._classes(shown))
        self.landed.follow()

    def _classes(self, shown: ViewState) -> Classes:
        """What is known of the classes of workloads, by key; put together once for an audit, as each drop asks."""
        audit = shown.evaluation.audit
        if self._classed[0] is not audit:
            self._classed = audit, {row.key: row.classification for row in audit.workloads}
        return self._classed[1]

    def ask_separation(self) -> None:
        """Show what would move and why; nothing is done before it is said."""
        from gpuplanner.ui.plans.separation import separation_of
        from gpuplanner.ui.plans.separation_dialog import SeparationDialog

        if (shown := self.session.view_state) is None or shown.is_today:
            return
        found = self._classes(shown)
        separation = separation_of(shown, found)
        dialog = SeparationDialog(separation, self.session.window)
        dialog.confirmed.connect(lambda: self.session.gestures.separate(found))
        self.open_dialog(dialog)
        if separation.moves:
            self._show_net(dialog, [move.card.key for move in separation.moves])

    def _show_net(self, dialog: Any, keys: list[str]) -> None:
        """Say in the dialog what the moves come to for the whole plan, once that is worked out."""

        def answer(request: Any, after: Advice) -> None:
            """Late answers to other questions are not shown."""
            before = advice_before_drop(self.session.view_state, after)
            if request.pool is None and before is not None:
                dialog.show_net(hover_change(self.session.horizon, before, after))

        evaluator = self.session.evaluator
        evaluator.previewed.connect(answer)
        dialog.destroyed.connect(lambda: evaluator.previewed.disconnect(answer))
        evaluator.preview(keys, None)

    def ask_split(self, key: str) -> None:
        """Ask how a card is to be divided."""
        from gpuplanner.ui.plans.split_dialog import SplitDialog

        shown = self.session.view_state
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
            name=card.name, pool=card.pool, window=project.window, sizes=sizes, parent=self.session.window
        )
        dialog.split_chosen.connect(partial(self.session.gestures.split, key))
        self.open_dialog(dialog)

    def ask_merge_cards(self, keys: tuple[str, ...]) -> None:
        """Ask for the name of what several cards are to be."""
        from gpuplanner.ui.plans.merge_dialog import MergeDialog

        if (shown := self.session.view_state) is None or shown.is_today:
            return
        merges = merges_of(shown)
        wanted = frozenset(with_those_merged(keys, merges))
        cards = [card for card in shown.cards if card.key in wanted]
        taken = frozenset(name for name, members in merges.items() if not wanted.intersection(members))
        usd = [shown.usd.get(card.key) for card in cards]
        dialog = MergeDialog(cards, usd, taken, self.session.window)
        merge = self.session.gestures.merge_cards
        dialog.merge_chosen.connect(lambda name, pool: merge(tuple(wanted), name, pool))
        self.open_dialog(dialog)

    def write_note(self) -> None:
        """Open the side sheet at the card and put the cursor into its note."""
        if self._board.sheet.isHidden():
            self._board.show_details()
        self._board.sheet.write_note()

    def open_dialog(self, dialog: QDialog) -> None:
        """Opens a dialog whose figures answer why."""
        self._ways.answer_for(dialog)
        open_once(dialog)
