"""Before "Separate automatically": what would move and why, as a list; then one step of Undo."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from gpuplanner.charts.kit.plain_text import by_count, set_tip, spoken, tr
from gpuplanner.domain import edits
from gpuplanner.domain.audit.evidence.trace import Trace, parts_of
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.demand.pools import is_in_review
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.domain.model.plan_inputs import whole_key
from gpuplanner.domain.model.spelling import told_apart
from gpuplanner.ui.board.pool_column import HoverChange
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.layout import STRETCH, row, share
from gpuplanner.ui.kit.page_parts import label
from gpuplanner.ui.plans.split_dialog import MOVE, MOVES, move_trace, moves_trace
from gpuplanner.ui.state.view_state import ViewState, lane_of_card
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, asked, filled_rows, written
from gpuplanner.ui.tables.figure_table import ROW_HEIGHT, FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import Lane, lane_of

# --- What "Separate automatically" would move, and why: worked out before it is done -------------


@dataclass(frozen=True, slots=True)
class SeparationMove:
    """One card that would go to another column."""

    card: CardFigures
    origin: Lane
    target: Lane
    usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class Separation:
    """All moves, most expensive first; and how many cards stay: unsure ones in review, pinned ones, parts."""

    moves: tuple[SeparationMove, ...]
    in_review: int
    pinned: int
    parts: int


def separation_of(shown: ViewState, found: Mapping[str, Classification]) -> Separation:
    """What the edit of that name would change on the board that is shown. found: classes by key, of the audit."""
    evaluation = shown.evaluation
    basis = evaluation.figures.basis
    before = basis.plan
    project = edits.separate_automatically(evaluation.project, before.name, found)
    plan, usd = project.scenario(before.name), shown.usd
    moves = []
    for card, begin in zip(shown.cards, basis.begin, strict=True):
        if plan.pools.get(card.key) is before.pools.get(card.key):
            continue
        origin = lane_of_card(card)
        waits = is_in_review(card.key, card.classification, plan, basis.review_below)
        target = Lane.REVIEW if waits else lane_of(plan.pools.get(card.key, begin))
        if target is not origin:
            moves.append(SeparationMove(card, origin, target, usd.get(card.key)))
    moves.sort(key=lambda move: (-(move.usd_per_month or 0.0), move.card.key))
    moved = {move.card.key for move in moves}
    stay = [card for card in shown.cards if card.key not in moved]
    return Separation(
        tuple(moves),
        sum(card.in_review for card in stay),
        sum(card.is_pinned for card in stay),
        sum(bool(before.splits) and whole_key(card.key, before.splits) != card.key for card in stay),
    )


def reason_of(card: CardFigures) -> str:
    """Why a card is put where it goes: its class and what tells it most."""
    found = card.classification
    said = found.reasons[0] if found.reasons else tr("no other class fits better")
    return tr(
        "{confidence}% {pool}: {said}", confidence=round(100 * found.confidence), pool=found.pool, said=said
    )


def stays_words(separation: Separation) -> str:
    """What stays where it is: 3 unsure in review, 2 pinned, 2 parts of divided workloads. Empty where nothing does."""
    parts = (
        (separation.in_review, tr("unsure, in review")),
        (separation.pinned, tr("pinned")),
        (separation.parts, tr("parts of divided workloads")),
    )
    said = ", ".join(f"{numbers.whole(count)} {words}" for count, words in parts if count)
    return tr("These stay where they are: {said}.", said=said) if said else ""


# --- Before "Separate automatically": a list of what moves and why; then one step of Undo --------

AROUND_PX: Final = 190
"""Title, sentence, headings and buttons of the dialog."""


class SeparationDialog(QDialog):
    """Told what would move; emits that it is to be done."""

    confirmed = Signal()
    figure_opened = Signal(str, object, object)  # figure id, the widget it stands in, and where (QRect)

    def __init__(self, separation: Separation, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        count, stays = len(separation.moves), stays_words(separation)
        workloads = numbers.counted(count, "workload")
        said = tr("Every card that may move stands in its class's pool. {separation}", separation=stays)
        if count:
            said = by_count(
                count,
                "{workloads} goes to the pool of its class. {separation}",
                "{workloads} go to the pool of their class. {separation}",
                workloads=workloads,
                separation=stays,
            )
        title, self.said = dialogs.title_and_note(dialogs.titled(self, tr("Separate automatically")), said)
        self._moves = separation.moves
        self.table = FigureTable(tr("What moves"))
        self.table.pass_on(self.figure_opened)
        self.table.show_rows(*_table(separation.moves))
        verb = tr("Separate {workloads}", workloads=workloads) if count else tr("Close")
        self.do = dialogs.primary_button(verb, self._go_on if count else self.reject)
        set_tip(self.do, tr("One undo step (Enter)") if count else tr("Nothing to do (Enter)"))
        cancel = dialogs.cancel_button(self, tr("Leave every card where it is (Esc)"))
        cancel.setVisible(bool(count))
        self.table.setVisible(bool(count))
        self.net = label(tr("Whole plan: being worked out"), role="muted")
        self.net.setVisible(bool(count))
        last = row(self.net, STRETCH, cancel, self.do, spacing=8)
        dialogs.dialog_column(self, title, self.said, share(self.table), last)
        dialogs.resize_within_screen(
            self, 860, min(520, AROUND_PX + ROW_HEIGHT * (count + 2)) if count else 150
        )
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
            self.net.setProperty("role", "green" if (round(change.total) < 0) else "text")
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


def _table(moves: tuple[SeparationMove, ...]) -> tuple[Sequence[Column], list[Row]]:
    """The columns; the moves, and their sum: whole dollars that add up."""
    names = told_apart([move.card for move in moves])
    usd = dict(zip((move.card.key for move in moves), _written(moves), strict=True))
    columns: tuple[Filled[SeparationMove], ...] = (
        Filled("Workload", False, 210, cell=lambda one: Cell(names[one.card.key], tip=one.card.key)),
        Filled("From", False, 104, cell=lambda one: _lane_cell(one.origin)),
        Filled("To", False, 104, cell=lambda one: _lane_cell(one.target)),
        Filled("Why", False, is_cut_at_end=True, cell=_why_cell),
        Filled("$\nper month", True, 84, cell=lambda one: _usd_cell(usd[one.card.key], MOVE, one.card.key)),
    )
    rows = filled_rows(columns, moves, lambda one: one.card.key)
    if len(rows) > 1:
        total = known_sum([move.usd_per_month for move in moves])
        cells = (Cell(tr("Together")), Cell(), Cell(), Cell(), _usd_cell(total, MOVES))
        rows.append(Row(cells, is_total=True))
    return columns, rows


def _lane_cell(lane: Lane) -> Cell:
    return Cell(lane.title, icon=lane.icon, icon_role=lane.value)


def _why_cell(move: SeparationMove) -> Cell:
    reasons = map(spoken, move.card.classification.reasons)
    return Cell(reason_of(move.card), "muted", tip="\n".join(reasons))


def _usd_cell(usd: float | None, kind: str, key: str = "") -> Cell:
    return written(numbers.whole, usd, figure_id=asked(usd, kind, key))
