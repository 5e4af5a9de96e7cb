"""Dollars of plans by line, month by month, and as steps from today."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt

from gpuplanner.app.questions.comparing import Comparison, Side
from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.commitment.comparison.plan_difference import (
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
from gpuplanner.domain.commitment.evidence.compare_answers import (
    OTHER,
    UNUSED_NOW,
    UNUSED_PLAN,
    in_plan,
    less_first,
)
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.ui.compare.figure_rows import asked
from gpuplanner.ui.compare.names import heading, less, shorts
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.state.waterfall_steps import Amount, steps_of
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import spoken, tr

if TYPE_CHECKING:
    from gpuplanner.charts.plots.month_lines import MonthLine
    from gpuplanner.charts.plots.waterfall import Step

LEAST_USD = 0.5
"""A step under half a dollar is rounding, and is not drawn."""
A_CENT = 0.01

_WAYS: Final = {**WAYS, EXISTING: worded("existing contracts"), COMMITTED: worded("new commitments")}
"""How a line is paid, in words."""

WholeLines = dict[LineKey, int | None]


def line_table(comparison: Comparison) -> tuple[tuple[Column, ...], list[Row]]:
    """Columns and rows: every line of cost in every plan, the largest difference first, and the plans below."""
    names = shorts(comparison)
    columns = (
        Column("Line", False),
        *(Column(heading(name)) for name in names),
        *(Column(less(names, at)) for at in range(1, len(names))),
    )
    whole = whole_lines(comparison)
    keys = [key for key in _all_keys() if any(key in lines for lines in whole)]

    def size(key: LineKey) -> tuple[int, int]:
        """Sorts lines by how far the plans differ in them; unknown ones come last among equals."""
        values = [lines.get(key, 0) for lines in whole]
        known = [value for value in values if value is not None]
        unknown = len(known) < len(values)
        return (0 if unknown else -(max(known) - min(known)), keys.index(key))

    rows = []
    for key in sorted(keys, key=size):
        values = [lines.get(key, 0) for lines in whole]
        of = line_figure(key)
        plans = (
            Cell(numbers.whole(usd), figure_id=asked(usd, in_plan(at, of))) for at, usd in enumerate(values)
        )
        rows.append(Row((_line_cell(key), *plans, *_changes(values, of))))
    totals = [side.advice.totals.plan for side in comparison.sides]
    written = [None if total is None else round(total) for total in totals]
    spend = "plan_usd::"
    sums = [
        Cell(numbers.whole(usd), is_strong=True, figure_id=asked(usd, in_plan(at, spend)))
        for at, usd in enumerate(written)
    ]
    rows.append(Row((Cell(tr("Plan"), is_strong=True), *sums, *_changes(written, spend)), is_total=True))
    return columns, rows


def line_figure(key: LineKey) -> str:
    """The figure of a line of a plan."""
    pool, kind = key
    return figure("cost_line", f"{pool or ''}\t{kind}")


def whole_lines(comparison: Comparison) -> list[WholeLines]:
    """The lines of every plan in the whole dollars that are written."""
    first = _whole_lines(cost_lines(comparison.sides[0].advice), {}, comparison.sides[0])
    return [first, *(_beside(comparison.sides[0], first, side) for side in comparison.sides[1:])]


def _all_keys() -> list[LineKey]:
    """All lines a plan may have, in their order; idle contracts are of no pool."""
    return [(pool, kind) for pool in POOLS for kind in KINDS] + [(None, IDLE)]


def _beside(first: Side, written: WholeLines, side: Side) -> WholeLines:
    """Lines of another plan in whole dollars: what costs the same is written the same, the rest makes up the sum."""
    before, lines = cost_lines(first.advice), cost_lines(side.advice)
    same = {
        key: written[key] for key, usd in lines.items() if usd is not None and _is_same(before.get(key), usd)
    }
    return _whole_lines(lines, same, side)


def _is_same(one: float | None, other: float) -> bool:
    """Whether two amounts are the same to the cent; unknown never is."""
    return one is not None and abs(one - other) < A_CENT


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
        return Cell(
            tr("Unused in existing contracts"),
            tip=tr("What existing contracts are paid and do not serve."),
        )
    lane = lane_of(pool)
    name = tr("{pool}, {way}", pool=lane.title, way=_WAYS.get(kind, kind))
    return Cell(name, icon=lane.icon, icon_role=f"lane:{lane.value}")


def _changes(values: Sequence[int | None], of: str) -> list[Cell]:
    """Each other plan less the first, in the whole dollars shown; a dash if either is unknown."""
    cells = []
    for at, value in enumerate(values[1:], 1):
        if value is None or values[0] is None:
            cells.append(Cell(numbers.UNKNOWN, "muted"))
        else:
            change = value - values[0]
            role = "green" if change < 0 else "text"
            text = numbers.change(change) if change else "0"
            cells.append(Cell(text, role, is_strong=bool(change), figure_id=less_first(at, of)))
    return cells


def month_lines(comparison: Comparison) -> "tuple[list[MonthLine], list[str]]":
    """The lines of twelve months: doing nothing, and every plan; and the names of the months."""
    from gpuplanner.charts.plots.month_lines import MonthLine

    names = shorts(comparison)
    pens = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DashDotLine)
    first = comparison.sides[0]
    lines = [
        MonthLine(
            tr("Do nothing"),
            tuple(month.do_nothing_usd for month in first.advice.comparison),
            dash=Qt.PenStyle.DotLine,
        )
    ]
    for side, name, pen in zip(comparison.sides, names, pens, strict=False):
        usd = tuple(month.plan_usd for month in side.advice.comparison)
        lines.append(MonthLine(name, usd, is_main=True, dash=pen))
    return lines, [numbers.short_date(month.start_s) for month in first.advice.comparison]


def month_cells(lines: "Sequence[MonthLine]", months: Sequence[str]) -> list[tuple[Cell, ...]]:
    """The same as rows of a table: doing nothing as the first plan has it, then every plan."""
    found = []
    for at, month in enumerate(months):
        cells = [Cell(month, is_strong=True)]
        for number, line in enumerate(lines):
            kind = "month_plan" if number else "month_nothing"
            of = in_plan(max(0, number - 1), figure(kind, str(at)))
            usd = line.usd[at]
            cells.append(Cell(numbers.whole(usd), figure_id=asked(usd, of)))
        found.append(tuple(cells))
    return found


def waterfall(side: Side, at: int, palette: Palette) -> "tuple[Step, ...]":
    """From today to plan `at`: what is given up unused, what each pool's work costs more or less, what stays idle."""
    colours = {str(lane_of(pool).title): palette.lane(lane_of(pool)).name() for pool in POOLS}
    return tuple(
        replace(step, colour=colours.get(str(step.name), "")) for step in steps_of(amounts_of(side, at))
    )


def amounts_of(side: Side, at: int) -> list[Amount]:
    """The bars of that, with the figure of each."""
    steps = side.steps
    unused = None if steps.unused_now is None else -steps.unused_now

    def step(subject: str) -> str:
        """The figure's id of a step on this side."""
        return figure("from_today", subject, str(at))

    amounts = [
        Amount(tr("Today"), "", steps.today, "start", tr("What is paid now, overflow included."), "spend::"),
        Amount(
            tr(titles.UNUSED),
            tr("ended"),
            unused,
            "step",
            tr("What is paid now and not allocated."),
            step(UNUSED_NOW),
        ),
        *(
            Amount(
                lane_of(pool).title,
                _how(side, pool),
                steps.pools[pool],
                "step",
                tr("What its workloads cost while busy in the plan, less what they cost now."),
                step(pool.value),
            )
            for pool in POOLS
        ),
    ]
    if steps.other is not None and abs(steps.other) > LEAST_USD:
        tip = tr("What no workload and no idle GPU stands for.")
        amounts.append(Amount(tr("Other"), "", steps.other, "step", tip, step(OTHER)))
    tip = tr("What the plan pays and does not use.")
    amounts.append(
        Amount(tr("Unused in"), tr("commitments"), steps.unused_plan, "step", tip, step(UNUSED_PLAN))
    )
    amounts.append(Amount(tr("Plan"), "", steps.plan, "result", "", in_plan(at, "plan_usd::")))
    return amounts


_HOW: Final = {COMMITTED: worded("on terms"), EXISTING: worded("on contracts"), SPOT: worded("on spot")}


def _how(side: Side, pool: Pool) -> str:
    """How the most of a pool's money is spent."""
    own = {kind: usd or 0.0 for (of, kind), usd in cost_lines(side.advice).items() if of is pool}
    if not own or not any(own.values()):
        return ""
    most = max(own, key=own.__getitem__)
    return spoken(_HOW.get(most, WAYS[ON_DEMAND]))


def shared_top(sides: Sequence["tuple[Step, ...]"]) -> float | None:
    """The highest level of all waterfalls: they are drawn on one scale."""
    from gpuplanner.charts.plots.waterfall import spans_of

    ends = [max(span.begin, span.end) for steps in sides for span in spans_of(steps) if span is not None]
    return max(ends, default=None)
