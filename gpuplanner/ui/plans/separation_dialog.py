"""Before "Separate automatically": a list of what moves and why; then one step of Undo."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.audit.evidence.trace import Trace, figure, parts_of
from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.domain.model.names.names_apart import told_apart
from gpuplanner.ui.board.hover_change import HoverChange
from gpuplanner.ui.kit.dialogs import cancel_button, dialog_column, foot, primary_button, resize_within_screen
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.state.separation import Separation, SeparationMove, reason_of, stays_words
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import ROW_HEIGHT, FigureTable
from gpuplanner.ui.why.dialog_traces import MOVE, MOVES, move_trace, moves_trace
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import by_count, spoken, tr

AROUND_PX: Final = 190
"""Title, sentence, headings and buttons of the dialog."""
COLUMNS: Final = (
    Column("Workload", False, 210),
    Column("From", False, 104),
    Column("To", False, 104),
    Column("Why", False, is_cut_at_end=True),
    Column("$\nper month", True, 84),
)


class SeparationDialog(QDialog):
    """Told what would move; emits that it is to be done."""

    confirmed = Signal()
    figure_opened = Signal(str, object, object)  # figure id, the widget it stands in, and where (QRect)

    def __init__(self, separation: Separation, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Separate automatically"))
        self.setAccessibleName(tr("Separate automatically"))
        count = len(separation.moves)
        title = PlainLabel(tr("Separate automatically"))
        title.setFont(font("title"))
        said = PlainLabel(
            by_count(
                count,
                "{workloads} goes to the pool of its class. {separation}",
                "{workloads} go to the pool of their class. {separation}",
                workloads=numbers.counted(count, "workload"),
                separation=stays_words(separation),
            )
            if count
            else tr(
                "Every card that may move stands in its class's pool. {separation}",
                separation=stays_words(separation),
            )
        )
        said.setProperty("role", "muted")
        said.setWordWrap(True)
        self.said = said
        self._moves = separation.moves
        self.table = FigureTable(tr("What moves"), palette)
        self.table.figure_opened.connect(
            lambda figure_id, place: self.figure_opened.emit(figure_id, self.table, place)
        )
        self.table.show_rows(COLUMNS, _rows(separation.moves))
        self.do = primary_button(
            tr("Separate {workloads}", workloads=numbers.counted(count, "workload"))
            if count
            else tr("Close"),
            self._go_on if count else self.reject,
        )
        set_tip(self.do, tr("One undo step (Enter)") if count else tr("Nothing to do (Enter)"))
        cancel = cancel_button(self, tr("Leave every card where it is (Esc)"))
        cancel.setVisible(bool(count))
        self.table.setVisible(bool(count))
        self.net = PlainLabel(tr("Whole plan: being worked out"))
        self.net.setProperty("role", "muted")
        self.net.setVisible(bool(count))
        last = foot(cancel, self.do)
        last.insertWidget(0, self.net)
        layout = dialog_column(self, title, said)
        layout.addWidget(self.table, 1)
        layout.addLayout(last)
        resize_within_screen(self, 860, min(520, AROUND_PX + ROW_HEIGHT * (count + 2)) if count else 150)
        self.do.setFocus()

    def show_net(self, change: HoverChange) -> None:
        """What all the moves change of the whole plan, then of each pool: the $ of the list only go along."""
        of_pools = numbers.MIDDOT.join(
            f"{lane_of(pool).title} {numbers.change(usd)}"
            for pool, usd in change.pools.items()
            if usd is not None and round(usd)
        )
        if change.total is None:
            self.net.setText(tr("Whole plan: what it would cost is unknown"))
        else:
            net = tr("Whole plan {usd} per month", usd=numbers.dollar_change(change.total))
            self.net.setText(f"{net} ({of_pools})" if of_pools else net)
            is_less = round(change.total) < 0
            self.net.setProperty("role", "green" if is_less else "text")
        self.net.style().unpolish(self.net)
        self.net.style().polish(self.net)

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


def _rows(moves: tuple[SeparationMove, ...]) -> list[Row]:
    """The moves, and their sum: whole dollars that add up."""
    total = known_sum([move.usd_per_month for move in moves])
    names = told_apart([move.card for move in moves])
    rows = [
        Row(
            (
                Cell(names[move.card.key], tip=move.card.key),
                Cell(move.origin.title, icon=move.origin.icon, icon_role=move.origin.value),
                Cell(move.target.title, icon=move.target.icon, icon_role=move.target.value),
                Cell(
                    reason_of(move.card),
                    "muted",
                    tip="\n".join(map(spoken, move.card.classification.reasons)),
                ),
                Cell(numbers.whole(usd), figure_id="" if usd is None else figure(MOVE, move.card.key)),
            ),
            key=move.card.key,
        )
        for move, usd in zip(moves, _written(moves), strict=True)
    ]
    if len(rows) > 1:
        rows.append(
            Row(
                (
                    Cell(tr("Together")),
                    Cell(),
                    Cell(),
                    Cell(),
                    Cell(numbers.whole(total), figure_id="" if total is None else figure(MOVES)),
                ),
                is_total=True,
            )
        )
    return rows
