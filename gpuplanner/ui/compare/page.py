"""Plans side by side on one page that scrolls: its head, what differs, and the cards of each plan."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QProgressBar, QSizePolicy, QWidget

from gpuplanner.app.comparing import Comparison
from gpuplanner.charts.kit.plain_text import set_tip, spoken, tr
from gpuplanner.domain.message import worded
from gpuplanner.ui.compare import figure_rows, line_rows, move_rows
from gpuplanner.ui.compare.figure_rows import against, shorts
from gpuplanner.ui.kit import page_parts
from gpuplanner.ui.kit.layout import STRETCH, add, column, grid, named, row, share
from gpuplanner.ui.kit.theme import Palette, in_use, text_px
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, filled_rows
from gpuplanner.ui.tables.chart_menu import ChartCard, chart_colours
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:
    from gpuplanner.charts.plots.over_time import MonthLinesChart
    from gpuplanner.charts.plots.waterfall import Step, WaterfallPlot

# --- The head of a comparison: which plans, how they differ as worlds, and a progress with a way to stop it

PATIENCE_MS = 300
NO_THIRD: Final = worded("No third plan")


class CompareHead(QWidget):
    """Told the names of all plans and which are compared; says when others are chosen."""

    chosen = Signal(object)  # tuple of names, two or three
    cancel_asked = Signal()
    leave_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Plans compared"))
        self.first = page_parts.choice_of(
            tr("First plan"), tr("The plan that the others are held against"), ()
        )
        self.second = page_parts.choice_of(tr("Second plan"), tr("The plan beside it"), ())
        self.third = page_parts.choice_of(tr("Third plan"), tr("One more plan beside the two, or none"), ())
        for combo in (self.first, self.second, self.third):
            combo.setMinimumWidth(text_px(150))
            combo.setMaximumWidth(text_px(240))
            combo.activated.connect(self._choose)
        self.said = page_parts.ElidedLabel(role="muted")
        self.said.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.said.setMinimumWidth(40)
        self.said.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.bar = named(QProgressBar(textVisible=False), tr("Progress of the comparison"))
        self.bar.setFixedWidth(text_px(96))
        self.cancel = page_parts.named_button(
            tr("Cancel"),
            tr("Stop working it out; what is known stays"),
            self.cancel_asked,
            called=tr("Cancel the comparison"),
        )
        self.leave = page_parts.named_button(
            tr("Back to the plan"), tr("Leave the comparison (Esc)"), self.leave_asked
        )
        self._and = page_parts.muted_label(tr("and"))
        beside = page_parts.muted_label(tr("and beside it"))  # what differs is the second less the first
        plans = (self.first, beside, self.second, self._and, self.third)
        work = (self.bar, self.cancel, self.leave)
        row(*plans, share(self.said), *work, on=self, margins=(9, 6, 9, 6), spacing=8)
        self._late = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._late.timeout.connect(lambda: self._show_bar(True))
        self._show_bar(False)

    def show_names(self, names: tuple[str, ...], compared: tuple[str, ...]) -> None:
        """Show which of these plans are compared."""
        for combo, at in ((self.first, 0), (self.second, 1), (self.third, 2)):
            others = [name for place, name in enumerate(compared) if place != at]
            listed = [name for name in names if name not in others]
            if combo is self.third:
                listed = [tr(NO_THIRD), *listed]
            combo.clear()
            combo.addItems(listed)
            combo.setCurrentText(compared[at] if at < len(compared) else tr(NO_THIRD))
        for widget in (self.third, self._and):
            widget.setVisible(len(names) > 2)

    def say(self, words: str) -> None:
        """What is the same and what is not; cut where there is no room, whole in the tool tip."""
        self.said.setText(words)

    def show_progress(self, fraction: float, text: str) -> None:
        """How far the work is; shown once it takes longer than a moment."""
        self.bar.setRange(0, 100)
        self.bar.setValue(round(100 * fraction))
        set_tip(self.bar, spoken(text))
        if not self.bar.isVisible() and not self._late.isActive():
            self._late.start()

    def end_progress(self) -> None:
        """Nothing more is awaited."""
        self._late.stop()
        self._show_bar(False)

    def _show_bar(self, is_visible: bool) -> None:
        self.bar.setVisible(is_visible)
        self.cancel.setVisible(is_visible)

    def _choose(self, _at: int) -> None:
        """Says which plans were chosen, each once; not while two are the same."""
        names = [combo.currentText() for combo in (self.first, self.second, self.third)]
        kept = [name for name in names if name and name != tr(NO_THIRD)]
        if len(set(kept)) >= 2:
            self.chosen.emit(tuple(dict.fromkeys(kept)))


# --- The two cards of one plan in a comparison: what it buys, and how today's spend becomes it ---

CHART_HEIGHT = 176


class TableCard:
    """A card with one table that stands as high as its rows."""

    def __init__(self, title: str) -> None:
        self.frame = page_parts.CardFrame(title)
        self.table = FigureTable(title)
        add(self.frame.body, self.table, STRETCH)

    def show_title(self, title: str, muted: str = "") -> None:
        """Another title, for screen readers too."""
        self.frame.rename(title)
        self.table.setAccessibleName(title)
        self.frame.say(muted)

    def show_rows(self, columns: Sequence[Column], rows: list[Row]) -> None:
        """Show these rows."""
        self.table.show_rows(columns, rows)
        self.table.fit_height()


# --- Plans side by side on one page that scrolls: differences first, then what each buys, then how it comes about

SIDE_BY_SIDE_FROM: Final = 1080
ALL_COLUMNS_FROM: Final = 560
"""Width of the page, in pixels, for each plan beside the others, from which all columns of a table have room."""
MOST: Final = 3
PARTS: Final = 12


def _waterfall(palette: Palette) -> "WaterfallPlot":
    from gpuplanner.charts.plots.waterfall import WaterfallPlot

    return WaterfallPlot(tr("Today to plan"), chart_colours(palette))


def _months(palette: Palette) -> "MonthLinesChart":
    from gpuplanner.charts.plots.over_time import MonthLinesChart

    return MonthLinesChart(chart_colours(palette), tr("Twelve months"))


STEP_COLUMNS: "Final[tuple[Filled[Step], ...]]" = (
    Filled("", False, cell=lambda one: Cell(f"{one.name} {one.note}".strip(), is_strong=True)),
    Filled(figure_rows.DOLLARS, cell=lambda one: Cell(one.label, figure_id=one.figure_id)),
)


class ComparePage(QWidget):
    """Told a comparison as far as it is known; says which plans are to be compared, and when it is left."""

    plans_chosen = Signal(object)  # names
    left = Signal()
    cancel_asked = Signal()
    duplicate_asked = Signal()
    workload_asked = Signal(str)
    figure_opened = Signal(str, object, object)  # figure id, the widget it stands in, and where (QRect)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Compare plans"))
        self.comparison: Comparison | None = None  # what is shown; None for nothing
        self._at = 1  # of what moved: the side held against the first
        self._shape: tuple[int, bool] = (0, False)
        self._was_narrow = False
        self.head = CompareHead()
        self.head.chosen.connect(self.plans_chosen)
        self.head.leave_asked.connect(self.left)
        self.head.cancel_asked.connect(self.cancel_asked)
        self.figures = TableCard(tr("Figures"))
        self.moves = TableCard(tr("What moved"))
        self.moves.table.row_opened.connect(self.workload_asked)
        self.moves_note = page_parts.muted_label(spoken(move_rows.WORKING))
        self.moves.frame.body.insertWidget(2, self.moves_note)
        self.which = named(QComboBox(), tr("What moved in"))
        self.which.setMinimumWidth(text_px(128))
        self.which.activated.connect(self._choose_side)
        self.moves.frame.head.addWidget(self.which)
        self.lines = TableCard(tr("Amounts by line"))
        self.months = ChartCard(tr("Twelve months"), worded("$ in each"), CHART_HEIGHT, _months)
        self.buys = [TableCard(tr("What it buys")) for _ in range(MOST)]
        self.steps = [
            ChartCard(
                tr("Today to plan"), worded("$ per month"), CHART_HEIGHT, _waterfall, self._connect_steps
            )
            for _ in range(MOST)
        ]
        for chart_card in (self.months, *self.steps):
            add(chart_card.frame.body, share(chart_card.twins))
        self.logs = [TableCard(tr("Decisions")) for _ in range(MOST)]
        self.empty = page_parts.EmptyState(
            tr("One plan so far"),
            tr("Duplicate it and change the copy, to see the two side by side."),
            tr("Duplicate the plan"),
            self.duplicate_asked.emit,
        )
        inside = QWidget()
        inside.setObjectName("page")
        for card in self.cards:
            card.frame.setParent(inside)
        self._grid = grid(spacing=(8, 8), shares=[1] * PARTS)
        column(self._grid, self.empty, STRETCH, on=inside, margins=(9, 0, 9, 9))
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
        """Show which plans there are, and which of them are compared; with one there is nothing to compare."""
        can = len(compared) > 1
        self.head.setVisible(can)
        self.empty.setVisible(not can)
        if not can:
            self._shape = (0, False)
            for card in self.cards:
                card.frame.hide()
        self.head.show_names(names, compared)
        self.comparison = None if not can else self.comparison
        if can:
            self._arrange(len(compared), self._is_wide())

    def show_comparison(self, comparison: Comparison) -> None:
        """Show what is known."""
        is_other = self.comparison is None or len(self.comparison.sides) != len(comparison.sides)
        self.comparison = comparison
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
        self.months.table.show_rows(*line_rows.month_table(lines, months))
        self._arrange(len(sides), self._is_wide())

    def _show_sides(self, comparison: Comparison, names: tuple[str, ...]) -> None:
        """Shows what is one for each plan.

        What it buys, its decisions, its steps from today on a shared scale.
        """
        falls = [line_rows.waterfall(side, at, in_use()) for at, side in enumerate(comparison.sides)]
        top = line_rows.shared_top(falls)
        is_narrow = self._is_narrow()
        first_day = tr("from {date}", date=numbers.date(comparison.project.plan_window.end_s))
        for at, (name, steps) in enumerate(zip(names, falls, strict=True)):
            self.buys[at].show_title(tr("Bought in {plan}", plan=name), first_day)
            self.buys[at].show_rows(*move_rows.buy_table(comparison, at, in_use(), is_narrow=is_narrow))
            log, left_out = figure_rows.decision_rows(comparison, at)
            self.logs[at].show_title(tr("Decided in {plan}", plan=name), left_out)
            self.logs[at].show_rows(figure_rows.COLUMNS, log)
            self.logs[at].table.setVisible(bool(log))
            card, title = self.steps[at], tr("Today to {plan}", plan=name)
            card.frame.rename(title)
            card.chart.setAccessibleName(title)
            card.chart.show_steps(steps, top)
            card.table.setAccessibleName(tr("{title}, as a table", title=title))
            card.table.show_rows(STEP_COLUMNS, filled_rows(STEP_COLUMNS, steps))

    def _show_moves(self) -> None:
        """Shows what moved between the first plan and the chosen one."""
        comparison = self.comparison
        if comparison is None:
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
        else:
            lines = [
                [(self.figures, 7), (self.moves, 5)],
                buys,
                steps,
                [(self.lines, 5), (self.months, 7)],
                logs,
            ]
        if not is_wide:
            lines = [[(card, PARTS)] for line in lines for card, _ in line]
        for at, line in enumerate(lines):
            first = 0
            for card, parts in line:
                self._grid.addWidget(card.frame, at, first, 1, parts)
                card.frame.show()
                first += parts
        rest: tuple[Any, ...] = (*self.buys[count:], *self.steps[count:], *self.logs[count:])
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
