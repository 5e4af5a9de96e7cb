"""Dialog before 'Separate automatically': a list of moves, then one step of Undo."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import by_count, spoken, tr
from gpuplanner.domain.evidence.trace import Trace, parts_of
from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.domain.model.spelling import told_apart
from gpuplanner.ui.board.hover_change import HoverChange
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.layout import STRETCH, row, share
from gpuplanner.ui.kit.page_parts import label, retell
from gpuplanner.ui.plans.card_traces import MOVE, MOVES, move_trace, moves_trace
from gpuplanner.ui.plans.separation import Separation, SeparationMove, reason_of, stays_words
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, asked, filled_rows, written
from gpuplanner.ui.tables.figure_table import ROW_HEIGHT, FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import Lane, lane_of

AROUND_PX: Final = 190
"""Title, sentence, headings and buttons of the dialog."""


class SeparationDialog(dialogs.AnsweringDialog):
    """Told what would move; emits that it is to be done."""

    confirmed = Signal()

    def __init__(self, separation: Separation, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        count, stays = len(separation.moves), stays_words(separation)
        workloads = numbers.counted(count, "workload")
        sentence = tr("All movable cards are in their class's pool. {separation}", separation=stays)
        if count:
            sentence = by_count(
                count,
                "{workloads} goes to the pool of its class. {separation}",
                "{workloads} go to the pool of their class. {separation}",
                workloads=workloads,
                separation=stays,
            )
        title, self.said = dialogs.title_and_note(
            dialogs.titled(self, tr("Separate automatically")), sentence
        )
        self._moves = separation.moves
        self.table = FigureTable(tr("What moves"))
        self.table.pass_on(self.figure_opened)
        self.table.show_rows(*build_move_table(separation.moves))
        verb = tr("Separate {workloads}", workloads=workloads) if count else tr("Close")
        self.do = dialogs.primary_button(verb, self._go_on if count else self.reject)
        set_tip(self.do, tr("One undo step (Enter)") if count else tr("Nothing to do (Enter)"))
        cancel = dialogs.cancel_button(self)
        cancel.setVisible(bool(count))
        self.table.setVisible(bool(count))
        self.net = label(tr("Whole plan: calculating"), role="muted")
        self.net.setVisible(bool(count))
        last = row(self.net, STRETCH, cancel, self.do, spacing=8)
        dialogs.dialog_column(self, title, self.said, share(self.table), last)
        high = min(520, AROUND_PX + ROW_HEIGHT * (count + 2)) if count else 150
        dialogs.resize_within_screen(self, 860, high)
        self.do.setFocus()

    def show_net(self, change: HoverChange) -> None:
        """Show what all moves together change of the whole plan; next month also of each pool."""
        of_pools = numbers.MIDDOT.join(
            f"{lane_of(pool).title} {numbers.change(usd)}"
            for pool, usd in change.pools.items()
            if usd is not None and round(usd)
        )
        if (usd := change.whole_usd) is None:
            return self.net.setText(tr("Whole plan: cost unknown"))
        amounts = numbers.MIDDOT.join(filter(None, (change.words, change.beside)))
        value = f"{amounts} ({of_pools})" if of_pools else amounts
        net = tr("{title}: {value}", title=tr("Whole plan"), value=value)
        retell(self.net, net, "green" if usd < 0 and not change.leaves_demand else "text")

    def _go_on(self) -> None:
        """Closes, then says that the moves are wanted."""
        self.accept()
        self.confirmed.emit()

    def trace(self, figure_id: str) -> Trace:
        """Why a figure of the list is what it is. Errors: KeyError where it is none of it."""
        kind, _, key = parts_of(figure_id)
        moves = self._moves
        if kind == MOVES:
            return moves_trace([(move.card, move.usd_per_month) for move in moves])
        for move, usd in zip(moves, _written(moves), strict=True):
            if kind == MOVE and move.card.key == key:
                return move_trace(move.card, move.usd_per_month, usd)
        raise KeyError(figure_id)


def _written(moves: tuple[SeparationMove, ...]) -> list[int | None]:
    """Whole dollars of the moves that add up to their sum."""
    usd = [move.usd_per_month for move in moves]
    return largest_remainder(usd, known_sum(usd))


def build_move_table(moves: tuple[SeparationMove, ...]) -> tuple[Sequence[Column], list[Row]]:
    """The columns; the moves, and their sum: whole dollars that add up."""
    names = told_apart([move.card for move in moves])
    usd = dict(zip((move.card.key for move in moves), _written(moves), strict=True))
    columns: tuple[Filled[SeparationMove], ...] = (
        Filled(
            title="Workload",
            is_figure=False,
            width=210,
            cell=lambda move: Cell(text=names[move.card.key], tip=move.card.key),
        ),
        Filled(title="From", is_figure=False, width=104, cell=lambda move: _lane_cell(move.origin)),
        Filled(title="To", is_figure=False, width=104, cell=lambda move: _lane_cell(move.target)),
        Filled(title="Why", is_figure=False, is_cut_at_end=True, cell=_why_cell),
        Filled(
            title="$\nper month",
            is_figure=True,
            width=84,
            cell=lambda one: _usd_cell(usd[one.card.key], MOVE, one.card.key),
        ),
    )
    rows = filled_rows(columns, moves, lambda move: move.card.key)
    if len(rows) > 1:
        total = known_sum([move.usd_per_month for move in moves])
        cells = (Cell(text=tr("Together")), Cell(), Cell(), Cell(), _usd_cell(total, MOVES))
        rows.append(Row(cells, is_total=True))
    return columns, rows


def _lane_cell(lane: Lane) -> Cell:
    return Cell(text=lane.title, icon=lane.icon, icon_role=lane.value)


def _why_cell(move: SeparationMove) -> Cell:
    reasons = map(spoken, move.card.classification.reasons)
    return Cell(text=reason_of(move.card), role="muted", tip="\n".join(reasons))


def _usd_cell(usd: float | None, kind: str, key: str = "") -> Cell:
    return written(numbers.whole, usd, figure_id=asked(usd, kind, key))
