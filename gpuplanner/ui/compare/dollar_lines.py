"""Dollars of plans by line: by month, and as steps from today."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt

from gpuplanner.app.plans.comparing import Comparison, Side
from gpuplanner.charts.kit.translation import spoken, tr
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
from gpuplanner.domain.evidence.plan.comparison import OTHER, UNUSED_NOW, UNUSED_PLAN, in_plan, less_first
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.compare.figure_rows import plan_cell, pool_cell
from gpuplanner.ui.compare.plan_heads import heading, less, shorts
from gpuplanner.ui.kit.palettes import Palette
from gpuplanner.ui.state.waterfall_steps import Amount, steps_of
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, filled_rows
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of

if TYPE_CHECKING:
    from gpuplanner.charts.plots.month_lines import MonthLine
    from gpuplanner.charts.plots.waterfall import Step


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
    if len(sides) == 1:
        return tr(FIRST_MONTH)
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
    from gpuplanner.charts.plots.month_lines import MonthLine

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
