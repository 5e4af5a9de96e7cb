"""The page of compared plans: differences first, then orders, then steps from today's spend."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from gpuplanner.app.plans.comparing import Comparison, Side
from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.plan.totals import plan_sum
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import lacking_sentences
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.compare import decision_rows, figure_rows, move_rows
from gpuplanner.ui.compare.plan_heads import against, shorts
from gpuplanner.ui.kit import card_frame, page_parts
from gpuplanner.ui.kit.layout import STRETCH, TOP, add, column, grid, ground, share
from gpuplanner.ui.kit.palettes import in_use
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, filled_rows
from gpuplanner.ui.tables.chart_twins import ChartCard
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.seen_chart import new_month_lines, new_waterfall
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:
    from gpuplanner.charts.plots.waterfall import Step
from gpuplanner.ui.compare.compare_head import CompareHead
from gpuplanner.ui.compare.dollar_lines import (
    FIRST_MONTH,
    line_table,
    lines_note,
    month_lines,
    month_table,
    waterfall,
)

# --- The two cards of one plan in a comparison: what it buys, and how today's spend becomes it ---

CHART_HEIGHT = 176


class TableCard:
    """A card with one table that stands as high as its rows."""

    def __init__(self, title: str) -> None:
        self.frame = card_frame.CardFrame(title)
        self.table = FigureTable(title)
        add(self.frame.body, self.table, STRETCH)

    def show_title(self, title: str, muted: str = "") -> None:
        """Another title, for screen readers too."""
        self.frame.rename(title)
        self.table.setAccessibleName(title)
        self.frame.say(muted)

    def show_rows(self, columns: Sequence[Column], rows: list[Row]) -> None:
        """Show these rows."""
        self.table.show_whole(columns, rows)


# --- Plans side by side on one page that scrolls: differences first, then what each buys, then how it comes about

SIDE_BY_SIDE_FROM: Final = 1080
ALL_COLUMNS_FROM: Final = 560
"""Width of the page, in pixels, for each plan beside the others, from which all columns of a table have room."""
MOST: Final = 3
PARTS: Final = 12


STEP_COLUMNS: "Final[tuple[Filled[Step], ...]]" = (
    Filled(
        title="",
        is_figure=False,
        cell=lambda step: Cell(text=f"{step.name} {step.note}".strip(), is_strong=True),
    ),
    Filled(title=figure_rows.DOLLARS, cell=lambda step: Cell(text=step.label, figure_id=step.figure_id)),
)


class ComparePage(QWidget):
    """Told a comparison as far as it is known; says which plans are to be compared, and when it is left."""

    left = Signal()
    duplicate_asked = Signal()
    workload_asked = Signal(str)
    figure_opened = Signal(str, object, object)  # figure id, the widget it stands in, and where (QRect)

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Compare plans"))
        ground(self, "page")
        self.comparison: Comparison | None = None  # what is shown; None for nothing
        self._at = 1  # of what moved: the side held against the first
        self._shape: tuple[int, bool] = (0, False)
        self._was_narrow = False
        self.head = CompareHead()
        self.head.leave_asked.connect(self.left)
        self.figures = TableCard(tr("Figures"))
        self.moves = TableCard(tr("What moved"))
        self.moves.table.row_opened.connect(self.workload_asked)
        self.moves_note = page_parts.muted_label(spoken(move_rows.WORKING))
        self.moves.frame.body.insertWidget(2, self.moves_note)
        self.which = page_parts.choice_of(tr("What moved in"), "", ())
        self.which.setMinimumWidth(text_px(128))
        self.which.activated.connect(self._choose_side)
        self.moves.frame.head.addWidget(self.which)
        self.lines = TableCard(tr("Amounts by line"))
        of_a_year, to_plan = tr("Twelve months"), tr("Today to plan")
        new_lines, new_steps = partial(new_month_lines, of_a_year), partial(new_waterfall, to_plan)
        self.months = ChartCard(of_a_year, worded("$ in each"), CHART_HEIGHT, new_lines)
        self.buys = [TableCard(tr("What it buys")) for _ in range(MOST)]
        self.steps = [
            ChartCard(
                title=to_plan,
                muted=FIRST_MONTH,
                least_height=CHART_HEIGHT,
                new=new_steps,
                put=self._connect_steps,
            )
            for _ in range(MOST)
        ]
        self._lacks: dict[ChartCard[Any], PlainLabel] = {}
        for chart_card in (self.months, *self.steps):
            lacks = self._lacks[chart_card] = page_parts.muted_label()
            lacks.setAlignment(TOP)
            add(chart_card.frame.body, lacks, share(chart_card.twins))
        self.logs = [TableCard(tr("Decisions")) for _ in range(MOST)]
        why = tr("Compared with do nothing. To compare two plans, duplicate this one and change the copy.")
        title, button = tr("One plan so far"), tr("Duplicate the plan")
        self.alone = card_frame.EmptyState(title, why, button, self.duplicate_asked.emit)
        inside = QWidget()
        inside.setObjectName("page")
        for card in self.cards:
            card.frame.setParent(inside)
        self._grid = grid(spacing=(8, 8), shares=[1] * PARTS)
        self.working = page_parts.muted_label(tr("Working out the plan."))
        column(self.alone, self._grid, self.working, STRETCH, on=inside, margins=(9, 0, 9, 9))
        self.scroll_area = page_parts.scrolled(inside)
        column(self.head, share(self.scroll_area), on=self, spacing=0)
        for card in self.cards:
            card.table.pass_on(self.figure_opened)
        self.show_names((), ())

    def ask_why_of(self, widget: QWidget) -> bool:
        """Ask about the figure that the keyboard stands on in a widget; whether it is one of the page's."""
        if not self.isAncestorOf(widget):
            return False
        if isinstance(widget, FigureTable):
            widget.ask_why()
        for card in self.steps:
            if card.seen.plot == widget:
                card.chart.ask_why()
        return True

    def _connect_steps(self, plot: Any) -> None:
        plot.step_opened.connect(
            lambda figure_id: self.figure_opened.emit(figure_id, plot, plot.place_of_current())
        )

    @property
    def cards(self) -> list[Any]:
        """Every card, in reading order."""
        return [self.figures, self.moves, *self.buys, *self.steps, self.lines, self.months, *self.logs]

    def show_names(self, names: tuple[str, ...], compared: tuple[str, ...]) -> None:
        """Show which plans there are, and which of them are compared; one alone is compared with do nothing."""
        can_choose = len(compared) > 1
        self.head.setVisible(can_choose)
        self.alone.setVisible(not can_choose)
        if self.comparison is None or (len(self.comparison.sides) > 1) is not can_choose:
            self.comparison, self._shape = None, (0, False)
            for card in self.cards:
                card.frame.hide()
        self.head.show_names(names, compared)
        self.working.setVisible(bool(compared) and self.comparison is None)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show what is known."""
        is_other = self.comparison is None or len(self.comparison.sides) != len(comparison.sides)
        self.comparison = comparison
        self.working.hide()
        sides = comparison.sides
        names = shorts(comparison)
        if is_other or self._at >= len(sides):
            self._at = 1
        self.which.clear()
        self.which.addItems([against(name, names[0]) for name in names[1:]])
        self.which.setCurrentIndex(self._at - 1)
        self.which.setVisible(len(sides) > 2)
        self.head.say(move_rows.same_words(comparison))
        is_alone = len(sides) == 1
        table = figure_rows.nothing_table if is_alone else figure_rows.figure_table
        self.figures.show_rows(*table(comparison))
        if not is_alone:
            self._show_moves()
        self.lines.show_title(tr("Amounts by line"), lines_note(comparison))
        self.lines.show_rows(*line_table(comparison))
        self._show_sides(comparison, names)
        lines, months = month_lines(comparison)
        self.months.chart.show_lines(lines, months)
        self.months.table.show_rows(*month_table(lines, months))
        is_known = any(usd is not None for line in lines for usd in line.usd)
        self._say_what_lacks(self.months, sides[0], is_known=is_known)
        self._arrange(len(sides), self._is_wide())

    def _show_sides(self, comparison: Comparison, names: tuple[str, ...]) -> None:
        """Shows what is one for each plan.

        What it buys, its decisions, its steps from today on a shared scale.
        """
        falls = [waterfall(side, at, in_use()) for at, side in enumerate(comparison.sides)]
        # The highest level of all waterfalls: they are drawn on one scale. 0 where none is known.
        from gpuplanner.charts.plots.waterfall import spans_of

        ends = [max(span.begin, span.end) for steps in falls for span in spans_of(steps) if span is not None]
        top = max(ends, default=0.0)
        is_narrow = self._is_narrow()
        first_day = tr("from {day}", day=numbers.date(comparison.project.plan_window.end_s))
        for at, (name, steps) in enumerate(zip(names, falls, strict=True)):
            self.buys[at].show_title(tr("Bought in {plan}", plan=name), first_day)
            self.buys[at].show_rows(*move_rows.buy_table(comparison, at, in_use(), is_narrow=is_narrow))
            log, left_out = decision_rows.decision_rows(comparison, at)
            self.logs[at].show_title(tr("Decided in {plan}", plan=name), left_out)
            self.logs[at].show_rows(decision_rows.COLUMNS, log)
            self.logs[at].table.setVisible(bool(log))
            card, title = self.steps[at], tr("Today to {plan}", plan=name)
            card.frame.rename(title)
            card.chart.setAccessibleName(title)
            card.chart.show_steps(steps, top)
            card.table.setAccessibleName(tr("{title}, as a table", title=title))
            card.table.show_rows(STEP_COLUMNS, filled_rows(STEP_COLUMNS, steps))
            self._say_what_lacks(card, comparison.sides[at], is_known=bool(ends))

    def _say_what_lacks(self, card: "ChartCard[Any]", side: Side, *, is_known: bool) -> None:
        """Show in place of a chart without any amount which prices of the plan are missing."""
        card.twins.setVisible(is_known)
        lacks = replace(plan_sum(side.advice), known=0.0)
        self._lacks[card].setText("" if is_known else spoken(lacking_sentences(lacks)))
        self._lacks[card].setVisible(not is_known)

    def _show_moves(self) -> None:
        """Shows what moved between the first plan and the chosen one."""
        if (comparison := self.comparison) is None or len(comparison.sides) < 2:
            return
        names = shorts(comparison)
        self.moves.show_title(tr("What moved"), against(names[self._at], names[0]) if len(names) == 2 else "")
        columns, rows = move_rows.move_table(comparison, self._at)
        self.moves.show_rows(columns, rows)
        self.moves.table.setVisible(bool(rows))
        none = move_rows.WORKING if comparison.worths is None else move_rows.NOTHING
        self.moves_note.setText(spoken(move_rows.IN_ORDER if rows else none))

    def _choose_side(self, at: int) -> None:
        """Shows what moved to another of the plans; the first is compared with."""
        self._at = at + 1
        self._show_moves()

    def recolour(self) -> None:
        """Other colours from now on."""
        if self.comparison is not None:
            self.show_comparison(self.comparison)

    def as_text(self) -> str:
        """All tables as text, for a mail or a note."""
        tables = [card for card in self.cards if not card.frame.isHidden()]
        return "\n\n".join(f"{card.frame.title}\n{card.table.as_text()}" for card in tables) + "\n"

    # Places

    def _is_wide(self) -> bool:
        """Whether cards may stand side by side."""
        return self.width() >= text_px(SIDE_BY_SIDE_FROM)

    def _is_narrow(self) -> bool:
        """Whether what a plan buys has no room for how much of it is used, and at which rate."""
        sides = 0 if self.comparison is None else len(self.comparison.sides)
        return self._is_wide() and self.width() < ALL_COLUMNS_FROM * sides

    def _arrange(self, count: int, is_wide: bool) -> None:
        """Puts the cards on the grid for so many plans, or under each other where it is narrow."""
        if (count, is_wide) == self._shape:
            return
        self._shape = (count, is_wide)
        each = PARTS // max(1, count)
        buys, steps, logs = (
            [(card, each) for card in cards[:count]] for cards in (self.buys, self.steps, self.logs)
        )
        lines: list[list[tuple[Any, int]]]  # cards beside each other, with their parts of the width
        if count > 2:
            lines = [[(self.figures, PARTS)], [(self.moves, 6), (self.lines, 6)], buys, steps]
            lines += [[(self.months, PARTS)], logs]
        elif count == 1:  # nothing moved
            lines = [[(self.figures, PARTS)], [(self.buys[0], 6), (self.steps[0], 6)]]
            lines += [[(self.lines, 5), (self.months, 7)], logs]
        else:
            of_figures, of_lines = [(self.figures, 7), (self.moves, 5)], [(self.lines, 5), (self.months, 7)]
            lines = [of_figures, buys, steps, of_lines, logs]
        if not is_wide:
            lines = [[(card, PARTS)] for line in lines for card, _ in line]
        for at, line in enumerate(lines):
            first = 0
            for card, parts in line:
                self._grid.addWidget(card.frame, at, first, 1, parts)
                card.frame.show()
                first += parts
        rest: list[Any] = [*self.buys[count:], *self.steps[count:], *self.logs[count:]]
        rest += [self.moves] * (count == 1)
        for unused in rest:
            unused.frame.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange_again()
        if self.comparison is not None and self._is_narrow() != self._was_narrow:
            self._was_narrow = self._is_narrow()
            self.show_comparison(self.comparison)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self._arrange_again)

    def _arrange_again(self) -> None:
        if self._shape[0]:
            self._arrange(self._shape[0], self._is_wide())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc goes back to the plan."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
