"""Plans side by side on one page that scrolls: its head, what differs, the cards of each plan, and dollars by line."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from gpuplanner.app.plans.comparing import Comparison, Side
from gpuplanner.charts.kit.plain_text import set_tip, spoken, tr
from gpuplanner.domain.commitment.plan.comparison import (
    COMMITTED,
    EXISTING,
    IDLE,
    KINDS,
    ON_DEMAND,
    SPOT,
    WAYS,
    LineKey,
    cost_lines,
)
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence.layers import ComparisonEvidence, SideEvidence, WorthEvidence
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.evidence.trials import OTHER, UNUSED_NOW, UNUSED_PLAN, in_plan, less_first
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.domain.model.plan_inputs import whole_key
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.compare import figure_rows, move_rows
from gpuplanner.ui.compare.figure_rows import against, heading, less, plan_cell, pool_cell, shorts
from gpuplanner.ui.kit import page_parts
from gpuplanner.ui.kit.layout import STRETCH, add, column, grid, ground, named, row, share
from gpuplanner.ui.kit.theme import Palette, in_use, text_px
from gpuplanner.ui.state.plan_money import Amount, steps_of, whole_amounts
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, filled_rows
from gpuplanner.ui.tables.chart_menu import ChartCard, new_month_lines, new_waterfall
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.why.plan_answers import plan_evidence
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import lane_of

if TYPE_CHECKING:
    from gpuplanner.charts.plots.over_time import MonthLine
    from gpuplanner.charts.plots.waterfall import Step


# --- Dollars of plans by line, month by month, and as steps from today ---------------------------

FIRST_MONTH: Final = worded("$ in the first month")
LEAST_USD = 0.5
"""A step under half a dollar is rounding, and is not drawn."""
A_CENT = 0.01

_WAYS: Final = {**WAYS, EXISTING: worded("existing contracts"), COMMITTED: worded("new commitments")}
"""How a line is paid, in words."""

WholeLines = dict[LineKey, int | None]


def lines_note(comparison: Comparison) -> str:
    """That lines are of the first month, and from which on plans differ where all are known and the same till then."""
    sides = [side.advice.comparison for side in comparison.sides]
    known = [[one.plan_usd for one in of if one.plan_usd is not None] for of in zip(*sides, strict=False)]
    apart = (len(usd) < len(sides) or max(usd) - min(usd) > LEAST_USD for usd in known)
    at = next((at for at, is_so in enumerate(apart) if is_so), 0)
    if not at or len(known[at]) < len(sides):
        return tr("$ in the first month, largest difference first")
    day = numbers.date(sides[0][at].start_s)
    return tr("$ in the first month; plans differ from {day}: see Twelve months", day=day)


def line_table(comparison: Comparison) -> tuple[Sequence[Column], list[Row]]:
    """Columns and rows: every line of cost in every plan, the largest difference first, and the plans below."""
    names = shorts(comparison)
    columns = (
        Column(title="Line", is_figure=False),
        *(Column(title=heading(name)) for name in names),
        *(Column(title=less(names, at)) for at in range(1, len(names))),
    )
    whole = whole_lines(comparison)
    # in their order; idle contracts are of no pool
    every: list[LineKey] = [*product(POOLS, KINDS), (None, IDLE)]
    keys = [key for key in every if any(key in lines for lines in whole)]

    def size(key: LineKey) -> tuple[int, int]:
        """Sorts lines by how far the plans differ in them; unknown ones come last among equals."""
        values = [lines.get(key, 0) for lines in whole]
        known = [value for value in values if value is not None]
        unknown = len(known) < len(values)
        return (0 if unknown else -(max(known) - min(known)), keys.index(key))

    rows = [
        _line_row(_line_cell(key), [lines.get(key, 0) for lines in whole], line_figure(key))
        for key in sorted(keys, key=size)
    ]
    totals = [side.advice.totals.plan for side in comparison.sides]
    written = [None if total is None else round(total) for total in totals]
    rows.append(_line_row(Cell(text=tr("Plan"), is_strong=True), written, "plan_usd::", is_total=True))
    return columns, rows


def _line_row(name: Cell, values: Sequence[int | None], of: str, *, is_total: bool = False) -> Row:
    """Whole dollars of every plan, and each less the first."""
    plans = (plan_cell(numbers.whole(usd), at, of, is_strong=is_total) for at, usd in enumerate(values))
    # Each other plan less the first, in the whole dollars shown; a dash if either is unknown
    cells = []
    for at, value in enumerate(values[1:], 1):
        if value is None or values[0] is None:
            cells.append(Cell(text=numbers.UNKNOWN, role="muted"))
        else:
            change = value - values[0]
            role = "green" if change < 0 else "text"
            text = numbers.change(change) if change else "0"
            cells.append(Cell(text=text, role=role, is_strong=bool(change), figure_id=less_first(at, of)))
    return Row((name, *plans, *cells), is_total)


def line_figure(key: LineKey) -> str:
    """The figure of a line of a plan."""
    pool, kind = key
    return figure("cost_line", f"{pool or ''}\t{kind}")


def whole_lines(comparison: Comparison) -> list[WholeLines]:
    """The lines of every plan in the whole dollars that are written."""
    first = _whole_lines(cost_lines(comparison.sides[0].advice), {}, comparison.sides[0])
    return [first, *(_beside(comparison.sides[0], first, side) for side in comparison.sides[1:])]


def _beside(first: Side, written: WholeLines, side: Side) -> WholeLines:
    """Lines of another plan in whole dollars: what costs the same is written the same, the rest makes up the sum."""
    before, lines = cost_lines(first.advice), cost_lines(side.advice)
    same = {
        key: written[key]
        for key, usd in lines.items()
        if usd is not None and (was := before.get(key)) is not None and abs(was - usd) < A_CENT
    }
    return _whole_lines(lines, same, side)


def _whole_lines(lines: Mapping[LineKey, float | None], same: WholeLines, side: Side) -> WholeLines:
    """Lines in whole dollars that add up to the plan as it is written; `same`: those that are written already."""
    total = side.advice.totals.plan
    others = [key for key in lines if key not in same]
    left = None if total is None or not others else round(total) - sum(value or 0 for value in same.values())
    whole = dict(zip(others, largest_remainder([lines[key] for key in others], left), strict=True))
    return {key: same.get(key, whole.get(key)) for key in lines}


def _line_cell(key: LineKey) -> Cell:
    """What a line is called, with the icon of its pool."""
    pool, kind = key
    if pool is None:
        tip = tr("Idle cost of existing contracts, paid to their end in any plan.")
        return Cell(text=tr("Idle existing"), tip=tip)
    name = tr("{first}, {second}", first=lane_of(pool).title, second=_WAYS.get(kind, kind))
    return replace(pool_cell(pool), text=name)


def month_lines(comparison: Comparison) -> "tuple[list[MonthLine], list[str]]":
    """The lines of twelve months: doing nothing, and every plan; and the names of the months."""
    from gpuplanner.charts.plots.over_time import MonthLine

    names = shorts(comparison)
    pens = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DashDotLine)
    first = comparison.sides[0]
    nothing = tuple(month.do_nothing_usd for month in first.advice.comparison)
    lines = [MonthLine(tr(titles.DO_NOTHING), nothing, dash=Qt.PenStyle.DotLine)]
    for side, name, pen in zip(comparison.sides, names, pens, strict=False):
        usd = tuple(month.plan_usd for month in side.advice.comparison)
        lines.append(MonthLine(name, usd, is_main=True, dash=pen))
    return lines, [numbers.short_date(month.start_s) for month in first.advice.comparison]


def month_table(
    lines: "Sequence[MonthLine]", months: Sequence[str]
) -> tuple[tuple[Filled[int], ...], list[Row]]:
    """The same as a table: doing nothing as the first plan has it, then every plan."""

    def column_of(line: "MonthLine", plan: int, kind: str) -> Filled[int]:
        """What one line comes to in each month."""

        def cell(at: int) -> Cell:
            return plan_cell(numbers.whole(line.usd[at]), plan, figure(kind, str(at)))

        return Filled(title=joined((line.name,)), cell=cell)

    of = [(0, "month_nothing"), *((at, "month_plan") for at in range(len(lines) - 1))]
    columns = (
        Filled(
            title=worded("Month from"), is_figure=False, cell=lambda at: Cell(text=months[at], is_strong=True)
        ),
        *(column_of(line, *one) for line, one in zip(lines, of, strict=True)),
    )
    return columns, filled_rows(columns, range(len(months)))


def waterfall(side: Side, at: int, palette: Palette) -> "tuple[Step, ...]":
    """From today to plan `at`: what is given up unused, what each pool's work costs more or less, what stays idle."""
    colours = {str(lane_of(pool).title): palette.lane(lane_of(pool)).name() for pool in POOLS}
    steps = steps_of(amounts_of(side, at))
    return tuple(replace(step, colour=colours.get(str(step.name), "")) for step in steps)


def amounts_of(side: Side, at: int) -> list[Amount]:
    """The bars of that, with the figure of each."""
    steps = side.steps
    unused = None if steps.unused_now is None else -steps.unused_now

    def step(name: Text, note: str, usd: float | None, tip: str, subject: str) -> Amount:
        """A step on this side."""
        return Amount(
            name=name,
            note=note,
            usd=usd,
            kind="step",
            tip=tip,
            figure_id=figure("from_today", subject, str(at)),
        )

    busy = tr("Workload cost in the plan minus today.")
    amounts = [
        Amount(
            name=tr("Today"),
            note="",
            usd=steps.today,
            kind="start",
            tip=tr("Today's spend, including overflow."),
            figure_id="spend::",
        ),
        step(tr(titles.UNUSED), tr("ended"), unused, tr("Today's idle cost."), UNUSED_NOW),
        *(step(lane_of(of).title, _how(side, of), steps.pools[of], busy, of.value) for of in POOLS),
    ]
    if steps.other is not None and abs(steps.other) > LEAST_USD:
        why = tr("Cost beyond workloads and idle GPUs.")
        amounts.append(step(tr("Other"), "", steps.other, why, OTHER))
    tip = tr("The plan's idle cost.")
    amounts.append(step(tr("Idle in"), tr("commitments"), steps.unused_plan, tip, UNUSED_PLAN))
    amounts.append(
        Amount(
            name=tr("Plan"),
            note="",
            usd=steps.plan,
            kind="result",
            tip="",
            figure_id=in_plan(at, "plan_usd::"),
        )
    )
    return amounts


_HOW: Final = {COMMITTED: worded("on terms"), EXISTING: worded("on contracts"), SPOT: worded("on spot")}


def _how(side: Side, pool: Pool) -> str:
    """How the most of a pool's money is spent."""
    own = {kind: usd or 0.0 for (of, kind), usd in cost_lines(side.advice).items() if of is pool}
    if not own or not any(own.values()):
        return ""
    return spoken(_HOW.get(max(own, key=own.__getitem__), WAYS[ON_DEMAND]))


# --- A comparison as what its answers stand on: every plan's evidence, and the dollars as the page writes them


def comparison_evidence(comparison: Comparison, now_s: int | None) -> ComparisonEvidence:
    """Of what is known of a comparison so far. now_s: the day it is, epoch seconds."""
    lines = whole_lines(comparison)
    sides = []
    for at, side in enumerate(comparison.sides):
        evaluation = Evaluation(  # of its own, so that its figures answer why as on the board
            project=comparison.project,
            scenario=side.scenario.name,
            audit=comparison.audit,
            figures=side.figures,
            advice=side.advice,
            outlook=side.outlook,
        )
        plan = plan_evidence(next_view_state(None, evaluation), now_s)
        written = {line_figure(key): usd for key, usd in lines[at].items() if usd is not None}
        parts = evaluation.in_parts.audit.workloads
        sides.append(
            SideEvidence(
                replace(plan, whole_usd={**plan.whole_usd, **written}),
                side.steps,
                {
                    pool: known_sum(
                        workload.usd_per_month
                        for workload, own in zip(parts, side.figures.workload_pools, strict=True)
                        if own is pool
                    )
                    for pool in POOLS
                },
                _whole_steps(side, at),
            )
        )
    ways = () if comparison.worths is None else tuple(_way(comparison, at) for at in range(1, len(sides)))
    return ComparisonEvidence(tuple(sides), ways)


def _whole_steps(side: Side, at: int) -> dict[str, int]:
    """The steps from today in the whole dollars that the page shows."""
    amounts = amounts_of(side, at)
    return {
        amount.figure_id.split(":", 2)[2]: usd
        for amount, usd in zip(amounts, whole_amounts(amounts), strict=True)
        if amount.figure_id.startswith("from_today:") and usd is not None
    }


def _way(comparison: Comparison, at: int) -> tuple[WorthEvidence, ...]:
    """What each change on the way from the first plan to another is worth, in the order of its table."""
    assert comparison.worths is not None, "what a change is worth is known"
    first, found = comparison.sides[0], comparison.worths[at - 1]
    cards = {whole_key(card.key, first.scenario.splits): card for card in first.figures.whole_cards}
    _, rows = move_rows.move_table(comparison, at)  # as they are called there; the last row is their sum
    return tuple(
        WorthEvidence(
            name=rows[step].cells[0].text,
            worth=worth,
            whole_usd=usd,
            hours={key: cards[key].gpu_hours_per_month for key in worth.change.keys},
            names={key: cards[key].name for key in worth.change.keys},
        )
        for step, (worth, usd) in enumerate(zip(found, move_rows.whole_worths(comparison, at), strict=True))
    )


# --- The head of a comparison: which plans, how they differ as worlds, and a progress with a way to stop it

PATIENCE_MS = 300
NO_THIRD: Final = worded("No third plan")


class CompareHead(QWidget):
    """Told the names of all plans and which are compared; says when others are chosen."""

    chosen = Signal(object)  # tuple of names, two or three
    cancel_asked = Signal()
    leave_asked = Signal()

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Plans compared"))
        held_against = tr("Baseline plan")
        self.first = page_parts.choice_of(tr("First plan"), held_against, ())
        self.second = page_parts.choice_of(tr("Second plan"), tr("Compared plan"), ())
        self.third = page_parts.choice_of(tr("Third plan"), tr("A third plan, or none"), ())
        for combo in (self.first, self.second, self.third):
            combo.setMinimumWidth(text_px(150))
            combo.setMaximumWidth(text_px(240))
            combo.activated.connect(self._choose)
        self.said = page_parts.ElidedLabel(role="muted")
        self.said.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.said.setMinimumWidth(40)
        self.said.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.bar = named(QProgressBar(textVisible=False), tr("Progress"))
        self.bar.setFixedWidth(text_px(96))
        self.cancel = page_parts.named_button(
            tr("Cancel"), tr("Stop; results so far stay"), self.cancel_asked, called=tr("Cancel")
        )
        self.leave = page_parts.named_button(
            tr("Back to the plan"), tr("Leave the comparison (Esc)"), self.leave_asked
        )
        self._and = page_parts.muted_label(tr("and"))
        beside = page_parts.muted_label(tr("compared with"))  # what differs is the second less the first
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
        for chart_card in (self.months, *self.steps):
            add(chart_card.frame.body, share(chart_card.twins))
        self.logs = [TableCard(tr("Decisions")) for _ in range(MOST)]
        why = tr("To compare, duplicate it and change the copy.")
        title, button = tr("One plan so far"), tr("Duplicate the plan")
        self.empty = page_parts.EmptyState(title, why, button, self.duplicate_asked.emit)
        inside = QWidget()
        inside.setObjectName("page")
        for card in self.cards:
            card.frame.setParent(inside)
        self._grid = grid(spacing=(8, 8), shares=[1] * PARTS)
        self.working = page_parts.muted_label(tr("Working out the plan."))
        column(self._grid, self.empty, self.working, STRETCH, on=inside, margins=(9, 0, 9, 9))
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
        self.working.setVisible(can and self.comparison is None)

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
        self.figures.show_rows(*figure_rows.figure_table(comparison))
        self._show_moves()
        self.lines.show_title(tr("Amounts by line"), lines_note(comparison))
        self.lines.show_rows(*line_table(comparison))
        self._show_sides(comparison, names)
        lines, months = month_lines(comparison)
        self.months.chart.show_lines(lines, months)
        self.months.table.show_rows(*month_table(lines, months))
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
        if (comparison := self.comparison) is None:
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
