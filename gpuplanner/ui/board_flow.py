"""The board on a project: what is asked of its cards becomes a dialog, or one edit each."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from gpuplanner.domain.demand.parts import part_amounts
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.merging import with_those_merged
from gpuplanner.domain.model.names_apart import told_apart
from gpuplanner.domain.model.parting import Split, whole_key
from gpuplanner.domain.model.pool import Pool
from gpuplanner.ui.board import Board
from gpuplanner.ui.board_cards import splits_of
from gpuplanner.ui.card_details import workload_named
from gpuplanner.ui.merged_cards import merges_of
from gpuplanner.ui.shown import Shown

if TYPE_CHECKING:
    from gpuplanner.ui.main_window import MainWindow


class BoardFlow(QObject):
    """Told the window and its board, and each evaluation that is shown."""

    def __init__(self, window: "MainWindow", board: Board) -> None:
        super().__init__(window)
        self._window, self._board = window, board
        self._shown: Shown | None = None
        gestures = window.gestures
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

    def show_shown(self, shown: Shown | None) -> None:
        """What the questions are about from now on."""
        self._shown = shown

    def ask_separation(self) -> None:
        """Show what would move and why; nothing is done before it is said."""
        from gpuplanner.ui.separation import separation_of
        from gpuplanner.ui.separation_dialog import SeparationDialog

        shown = self._shown
        if shown is None or shown.is_today:
            return
        found = {row.key: row.classification for row in shown.evaluation.audit.workloads}
        dialog = SeparationDialog(separation_of(shown, found), self._window.palette_in_use, self._window)
        dialog.confirmed.connect(lambda: self._window.gestures.separate(found))
        self._open(dialog)

    def ask_split(self, key: str) -> None:
        """Ask how a card is to be divided."""
        from gpuplanner.ui.split_dialog import SplitDialog

        shown = self._shown
        card = None if shown is None else next((card for card in shown.cards if card.key == key), None)
        if shown is None or card is None or shown.is_today:
            return
        project, splits = shown.evaluation.project, splits_of(shown)
        per_month = 1 / (project.window.months * MILLI_GPU_SECONDS_PER_GPU_HOUR)

        def sizes(split: Split) -> tuple[float, float]:
            first, second = part_amounts(project, splits, key, split)
            return first * per_month, second * per_month

        def go_on(split: Split, pool: Pool | None) -> None:
            self._window.gestures.split(key, split, pool)

        palette = self._window.palette_in_use
        dialog = SplitDialog(card.name, card.pool, project.window, sizes, palette, self._window)
        dialog.split_chosen.connect(go_on)
        self._open(dialog)

    def ask_merge_cards(self, keys: tuple[str, ...]) -> None:
        """Ask for the name of what several cards are to be."""
        from gpuplanner.ui.merge_dialog import MergeDialog

        shown = self._shown
        if shown is None or shown.is_today:
            return
        merges = merges_of(shown)
        wanted = frozenset(with_those_merged(keys, merges))
        cards = [card for card in shown.cards if card.key in wanted]
        taken = frozenset(name for name, members in merges.items() if not wanted.intersection(members))
        usd = [shown.usd.get(card.key) for card in cards]
        dialog = MergeDialog(cards, usd, taken, self._window.palette_in_use, self._window)
        dialog.merge_chosen.connect(
            lambda name, pool: self._window.gestures.merge_cards(tuple(wanted), name, pool)
        )
        self._open(dialog)

    def write_note(self) -> None:
        """Open the side sheet at the card and put the cursor into its note."""
        if self._board.sheet.isHidden():
            self._board.show_details()
        self._board.sheet.write_note()

    def merged_with_jobs(self, key: str) -> tuple[CardFigures, dict[str, str]] | None:
        """A card that stands for several, and by key the names of the workloads in it; None for any other card."""
        shown, card = self._shown, self._board.selection.card(key)
        keys = self._board.members_of(key)
        if shown is None or card is None or len(keys) < 2:
            return None
        splits = splits_of(shown)
        wholes = dict.fromkeys(whole_key(one, splits) for one in keys)
        found = [workload_named(one, shown.evaluation.project.workloads) for one in wholes]
        return card, told_apart([workload for workload in found if workload is not None])

    def card_with_jobs(self, key: str) -> CardFigures | None:
        """The card whose jobs are those of a card or workload: a part has the jobs of its whole workload."""
        shown = self._shown
        if shown is None:
            return None
        splits = splits_of(shown)
        whole = whole_key(key, splits)
        card = next((card for card in shown.cards if whole_key(card.key, splits) == whole), None)
        workload = workload_named(whole, shown.evaluation.project.workloads)
        if card is None or workload is None or card.key == whole:
            return card
        return replace(card, key=whole, name=workload.name)

    def _open(self, dialog: Any) -> None:
        from PySide6.QtCore import Qt

        self._window.questions.answer_for(dialog)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
