"""Plans side by side on one page that scrolls: differences first, then what each buys, then how it comes about."""

from functools import partial
from typing import Any, Final

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from gpuplanner.app.questions.comparing import Comparison
from gpuplanner.domain.message import joined, worded
from gpuplanner.ui.compare import buy_rows, decision_rows, figure_rows, line_rows, move_rows
from gpuplanner.ui.compare.head import CompareHead
from gpuplanner.ui.compare.names import against, shorts
from gpuplanner.ui.compare.side_card import ChartCard, TableCard
from gpuplanner.ui.kit.card_frame import EmptyState
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.tables.cells import Cell
from gpuplanner.ui.tables.chart_colours import chart_colours
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr

SIDE_BY_SIDE_FROM: Final = 1080
ALL_COLUMNS_FROM: Final = 560
"""Width of the page, in pixels, for each plan beside the others, from which all columns of a table have room."""
MOST: Final = 3
MONTH_FROM: Final = worded("Month from")
PARTS: Final = 12


def _waterfall(palette: Palette) -> QWidget:
    from gpuplanner.charts.plots.waterfall import WaterfallPlot

    return WaterfallPlot(tr("Today to plan"), chart_colours(palette))


def _months(palette: Palette) -> QWidget:
    from gpuplanner.charts.plots.month_lines import MonthLinesChart

    return MonthLinesChart(chart_colours(palette))


class ComparePage(QWidget):
    """Told a comparison as far as it is known; says which plans are to be compared, and when it is left."""

    plans_chosen = Signal(object)  # names
    left = Signal()
    cancel_asked = Signal()
    duplicate_asked = Signal()
    workload_asked = Signal(str)
    figure_opened = Signal(str, object, object)  # figure id, the widget it stands in, and where (QRect)

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Compare plans"))
        self._palette = palette
        self._comparison: Comparison | None = None
        self._at = 1  # of what moved: the side held against the first
        self._shape: tuple[int, bool] = (0, False)
        self._was_narrow = False
        self.head = CompareHead()
        self.head.chosen.connect(self.plans_chosen)
        self.head.leave_asked.connect(self.left)
        self.head.cancel_asked.connect(self.cancel_asked)
        self.figures = TableCard(tr("Figures"), palette)
        self.moves = TableCard(tr("What moved"), palette)
        self.moves.table.row_opened.connect(self.workload_asked)
        self.moves_note = muted_label(spoken(move_rows.WORKING))
        self.moves.frame.body.insertWidget(2, self.moves_note)
        self.which = QComboBox()
        self.which.setAccessibleName(tr("What moved in"))
        self.which.setMinimumWidth(128)
        self.which.activated.connect(self._choose_side)
        self.moves.frame.head.addWidget(self.which)
        self.lines = TableCard(tr("Amounts by line"), palette)
        self.months = ChartCard(tr("Twelve months"), worded("$ in each"), palette, _months)
        self.buys = [TableCard(tr("What it buys"), palette) for _ in range(MOST)]
        self.steps = [
            ChartCard(tr("Today to plan"), worded("$ per month"), palette, _waterfall) for _ in range(MOST)
        ]
        self.logs = [TableCard(tr("Decisions"), palette) for _ in range(MOST)]
        self.empty = EmptyState(
            tr("One plan so far"),
            tr("Duplicate it and change the copy, to see the two side by side."),
            tr("Duplicate the plan"),
            self.duplicate_asked.emit,
        )
        inside = QWidget()
        inside.setObjectName("page")
        for card in self.cards:
            card.frame.setParent(inside)
        self._grid = QGridLayout()
        self._grid.setSpacing(8)
        for part in range(PARTS):
            self._grid.setColumnStretch(part, 1)
        below = QVBoxLayout(inside)
        below.setContentsMargins(9, 0, 9, 9)
        below.addLayout(self._grid)
        below.addWidget(self.empty)
        below.addStretch(1)
        self.scroll_area = QScrollArea()
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setWidget(inside)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(self.scroll_area, 1)
        for card in self.cards:
            card.table.figure_opened.connect(partial(self._ask, card.table))
        for card in self.steps:
            card.made.connect(self._connect_steps)
        self.show_names((), ())

    @property
    def comparison(self) -> Comparison | None:
        """What is shown; None for nothing."""
        return self._comparison

    def ask_why_of(self, widget: QWidget) -> bool:
        """Ask about the figure that the keyboard stands on in a widget; whether it is one of the page's."""
        if not self.isAncestorOf(widget):
            return False
        if isinstance(widget, FigureTable):
            widget.ask_why()
        for chart in (card.made_chart for card in self.steps):
            if chart == widget:
                chart.ask_why()
        return True

    def _ask(self, widget: QWidget, figure_id: str, place: QRect) -> None:
        """Passes a question on with the widget and place it was asked at."""
        self.figure_opened.emit(figure_id, widget, place)

    def _connect_steps(self, plot: Any) -> None:
        plot.step_opened.connect(
            lambda figure_id: self.figure_opened.emit(figure_id, plot, plot.place_of_current())
        )

    @property
    def cards(self) -> list[Any]:
        """Every card, in reading order."""
        return [self.figures, self.moves, *self.buys, *self.steps, self.lines, self.months, *self.logs]

    def show_names(self, names: tuple[str, ...], compared: tuple[str, ...]) -> None:
        """Show which plans there are, and which of them are compared; with one there is nothing to compare."""
        can = len(compared) > 1
        self.head.setVisible(can)
        self.empty.setVisible(not can)
        if not can:
            self._shape = (0, False)
            for card in self.cards:
                card.frame.hide()
        self.head.show_names(names, compared)
        self._comparison = None if not can else self._comparison
        if can:
            self._arrange(len(compared), self._is_wide())

    def show_comparison(self, comparison: Comparison) -> None:
        """Show what is known."""
        is_other = self._comparison is None or len(self._comparison.sides) != len(comparison.sides)
        self._comparison = comparison
        sides = comparison.sides
        names = shorts(comparison)
        if is_other or self._at >= len(sides):
            self._at = 1
        self.which.clear()
        self.which.addItems([against(name, names[0]) for name in names[1:]])
        self.which.setCurrentIndex(self._at - 1)
        self.which.setVisible(len(sides) > 2)
        self.head.say(move_rows.same_words(comparison))
        self.figures.show_rows(*figure_rows.figure_table(comparison))
        self._show_moves()
        self.lines.show_title(tr("Amounts by line"), tr("$ per month, largest difference first"))
        self.lines.show_rows(*line_rows.line_table(comparison))
        self._show_sides(comparison, names)
        lines, months = line_rows.month_lines(comparison)
        self.months.chart.show_lines(lines, months)
        headings = (MONTH_FROM, *(joined((line.name,)) for line in lines))
        self.months.show_twin(headings, line_rows.month_cells(lines, months))
        self._arrange(len(sides), self._is_wide())

    def _show_sides(self, comparison: Comparison, names: tuple[str, ...]) -> None:
        """Shows what is one for each plan.

        What it buys, its decisions, its steps from today on a shared scale.
        """
        falls = [line_rows.waterfall(side, at, self._palette) for at, side in enumerate(comparison.sides)]
        top = line_rows.shared_top(falls) or 0.0
        first_day = tr("from {date}", date=numbers.date(comparison.project.plan_window.end_s))
        for at, (name, steps) in enumerate(zip(names, falls, strict=True)):
            self.buys[at].show_title(tr("Bought in {plan}", plan=name), first_day)
            self.buys[at].show_rows(
                *buy_rows.buy_table(comparison, at, self._palette, is_narrow=self._is_narrow())
            )
            log, left_out = decision_rows.decision_rows(comparison, at)
            self.logs[at].show_title(tr("Decided in {plan}", plan=name), left_out)
            self.logs[at].show_rows(decision_rows.COLUMNS, log)
            self.logs[at].table.setVisible(bool(log))
            self.steps[at].show_title(tr("Today to {plan}", plan=name))
            self.steps[at].chart.show_steps(steps, top)
            self.steps[at].show_twin(
                ("", figure_rows.DOLLARS),
                [
                    (
                        Cell(f"{one.name} {one.note}".strip(), is_strong=True),
                        Cell(one.label, figure_id=one.figure_id),
                    )
                    for one in steps
                ],
            )

    def _show_moves(self) -> None:
        """Shows what moved between the first plan and the chosen one."""
        comparison = self._comparison
        if comparison is None:
            return
        names = shorts(comparison)
        self.moves.show_title(tr("What moved"), against(names[self._at], names[0]) if len(names) == 2 else "")
        columns, rows = move_rows.move_table(comparison, self._at)
        self.moves.show_rows(columns, rows)
        self.moves.table.setVisible(bool(rows))
        is_known = comparison.worths is not None
        self.moves_note.setText(
            spoken(move_rows.IN_ORDER if rows else move_rows.NOTHING if is_known else move_rows.WORKING)
        )

    def _choose_side(self, at: int) -> None:
        """Shows what moved to another of the plans; the first is compared with."""
        self._at = at + 1
        self._show_moves()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        for card in self.cards:
            card.show_palette(palette)
        if self._comparison is not None:
            self.show_comparison(self._comparison)

    def as_text(self) -> str:
        """All tables as text, for a mail or a note."""
        tables = [card for card in self.cards if not card.frame.isHidden()]
        return "\n\n".join(f"{card.frame.title}\n{card.table.as_text()}" for card in tables) + "\n"

    # Places

    def _is_wide(self) -> bool:
        """Whether cards may stand side by side."""
        return self.width() >= SIDE_BY_SIDE_FROM

    def _is_narrow(self) -> bool:
        """Whether what a plan buys has no room for how much of it is used, and at which rate."""
        sides = 0 if self._comparison is None else len(self._comparison.sides)
        return self._is_wide() and self.width() < ALL_COLUMNS_FROM * sides

    def _arrange(self, count: int, is_wide: bool) -> None:
        """Puts the cards on the grid for so many plans, or under each other where it is narrow."""
        if (count, is_wide) == self._shape:
            return
        self._shape = (count, is_wide)
        each = PARTS // max(1, count)
        places: list[tuple[TableCard | ChartCard, int, int, int]]
        if count > 2:
            places = [(self.figures, 0, 0, PARTS), (self.moves, 1, 0, 6), (self.lines, 1, 6, 6)]
        else:
            places = [(self.figures, 0, 0, 7), (self.moves, 0, 7, 5)]
        places += [(self.buys[at], 2, at * each, each) for at in range(count)]
        places += [(self.steps[at], 3, at * each, each) for at in range(count)]
        places += (
            [(self.months, 4, 0, PARTS)] if count > 2 else [(self.lines, 4, 0, 5), (self.months, 4, 5, 7)]
        )
        places += [(self.logs[at], 5, at * each, each) for at in range(count)]
        for row, (card, at_row, first, parts) in enumerate(places):
            if is_wide:
                self._grid.addWidget(card.frame, at_row, first, 1, parts)
            else:
                self._grid.addWidget(card.frame, row, 0, 1, PARTS)
            card.frame.show()
        rest: tuple[TableCard | ChartCard, ...] = (
            *self.buys[count:],
            *self.steps[count:],
            *self.logs[count:],
        )
        for unused in rest:
            unused.frame.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange_again()
        if self._comparison is not None and self._is_narrow() != self._was_narrow:
            self._was_narrow = self._is_narrow()
            self.show_comparison(self._comparison)

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
