"""Plans side by side: their figures and decisions, and their dollars by line, by month and as steps from today."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt

from gpuplanner.app.comparing import Comparison, Side
from gpuplanner.charts.kit.plain_text import by_count, spoken, tr
from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.commitment.evidence.comparison import (
    OTHER,
    UNUSED_NOW,
    UNUSED_PLAN,
    in_plan,
    less_first,
)
from gpuplanner.domain.commitment.evidence.layers import ComparisonEvidence, SideEvidence, WorthEvidence
from gpuplanner.domain.commitment.outlook_result import trusted_band
from gpuplanner.domain.commitment.plan.comparison import (
    COMMITTED,
    EXISTING,
    IDLE,
    KINDS,
    ON_DEMAND,
    SPOT,
    WAYS,
    Horizon,
    LineKey,
    cost_lines,
    horizon_row,
    plan_usd_in,
)
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.plan import AHEAD, PLAN
from gpuplanner.domain.figures.window import WINDOW
from gpuplanner.domain.figures.writing import MONTHS, RUN_HOURS
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.domain.model.book.contract import remaining_months
from gpuplanner.domain.model.plan_inputs import Decision, whole_key
from gpuplanner.domain.model.tables import POOL_TITLES, POOLS, SERVING_ORDER, Pool
from gpuplanner.ui.compare.move_rows import move_table, whole_worths
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.state.plan_money import Amount, steps_of, whole_amounts
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, filled_rows
from gpuplanner.ui.why.evidence import plan_evidence
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import lane_of, short_names

if TYPE_CHECKING:
    from gpuplanner.charts.plots.over_time import MonthLine
    from gpuplanner.charts.plots.waterfall import Step


# --- How compared plans are called: over their columns, and where one is held against another ----

DIFFERENCE: Final = worded("Difference")


def shorts(comparison: Comparison) -> tuple[str, ...]:
    """Short names of the compared plans, none of which another plan of the project could be called."""
    among = [plan.name for plan in comparison.project.scenarios]
    return short_names([side.scenario.name for side in comparison.sides], among)


def heading(name: str) -> Message:
    """The name of a plan over a column: from the data, no word for a translator."""
    return joined((name,))


def less(names: Sequence[str], at: int) -> Message:
    """B - A with a true minus for Plan B and Plan A; else that it is the difference, and of which plan of three."""
    letters = _letters(names[at], names[0])
    if letters is not None:
        return joined((letters[0], f" {numbers.MINUS} ", letters[1]))
    return DIFFERENCE if len(names) == 2 else joined((DIFFERENCE, names[at]), "\n")


def against(other: str, first: str) -> str:
    """B against A; of plans with other names these."""
    plan, than = _letters(other, first) or (other, first)
    return tr("{plan} against {first}", plan=plan, first=than)


def _letters(other: str, first: str) -> tuple[str, str] | None:
    """The letters of two plans with their usual names, Plan B and Plan A; None where one has another name."""
    plan, than = other.removeprefix("Plan "), first.removeprefix("Plan ")
    return (plan, than) if len(plan) == len(than) == 1 else None


# --- Figures of plans side by side: today's, each plan's, and what lies between the first and each of the others

DOLLARS: Final = worded("$ per month")
ROLES: Final = {("down", -1): "green", ("up", 1): "green", ("binds", 1): "amber"}
"""Which way is good (Figure.is_better) and the sign of a change: money saved is green; more lock-in is amber."""
IN_A_YEAR: Final = worded("$ in 12 months")
SPEND_IN_A_YEAR: Final = replace(AHEAD["plan"], title=titles.SPEND)
LONGEST_TERM: Final = Figure("longest", worded("Longest commitment"), MONTHS)


@dataclass(frozen=True, slots=True)
class Kind:
    """How a figure is written: value, difference, and its step, so that differences are those of what is shown."""

    said: Callable[[float | None], str]
    change: Callable[[float], str]
    decimals: int


def _one(value: float) -> str:
    """A change with its sign and one decimal; 0 has no sign."""
    sign = "+" if value > 0 else numbers.MINUS if value < 0 else ""
    return f"{sign}{numbers.one_decimal(abs(value))}" if value else "0"


def _points(value: float) -> str:
    """A change in points of percent."""
    return tr("{points} pt", points=_one(value)) if value else "0"


_USD: Final = Kind(numbers.whole, numbers.change, 0)
_SHARE: Final = Kind(lambda value: numbers.percent(None if value is None else value / 100), _points, 1)
_MONTHS: Final = Kind(numbers.one_decimal, _one, 1)
_TERM: Final = Kind(numbers.gpus, lambda value: _one(value).replace(".0", ""), 0)


@dataclass(frozen=True, slots=True)
class _Figure:
    """A figure of the table: in what unit and how it is written, its value in a plan and today, what each is asked as.

    What only plans have has no value today.
    """

    figure: Figure
    unit: Text
    kind: Kind
    tip: Text
    figure_id: str
    plan: Callable[[Side], float | None]
    today_id: str = ""
    today: Callable[[Comparison], float | None] = lambda _: None


def _percent(share: float | None) -> float | None:
    """A share in percent; None stays None."""
    return None if share is None else 100 * share


def _longest(side: Side) -> float | None:
    """The longest term that a plan buys, in months; 0 if it commits to nothing."""
    terms = [
        float(layer.term_months)
        for row in side.advice.pools
        for layer in row.layers
        if not layer.existing and layer.term_months and layer.gpus
    ]
    return max(terms, default=0.0)


def _longest_now(comparison: Comparison) -> float | None:
    """Whole months that the longest contract of today still runs."""
    window = comparison.project.plan_window
    running = [each for each in comparison.project.contracts if each.is_committed]
    return max((float(round(remaining_months(each, window))) for each in running), default=0.0)


_FIGURES: Final = (
    _Figure(WINDOW["spend"], DOLLARS, _USD, worded("What is paid per month: now, and with each plan."),
            "plan_usd::", lambda side: side.advice.totals.plan,
            "spend::", lambda of: of.audit.spend),
    _Figure(PLAN["do_nothing"], DOLLARS, _USD,
            worded("What next month costs with nothing signed, for the demand and the rates of each plan."),
            "plan_nothing::", lambda side: side.advice.totals.do_nothing),
    _Figure(PLAN["savings_vs_do_nothing"], DOLLARS, _USD, PLAN["savings_vs_do_nothing"].glossary,
            "plan_below_nothing::", lambda side: side.advice.totals.savings_vs_do_nothing),
    _Figure(PLAN["savings"], DOLLARS, _USD, PLAN["savings"].glossary,
            "plan_saved::", lambda side: side.advice.totals.savings),
    _Figure(SPEND_IN_A_YEAR, IN_A_YEAR, _USD,
            worded("What all twelve months come to, with growth, dated changes and later orders."),
            "ahead_plan::twelve_months", lambda side: plan_usd_in(side.advice, Horizon.TWELVE_MONTHS)),
    _Figure(AHEAD["saved"], IN_A_YEAR, _USD,
            worded("What signing nothing costs in twelve months, less the plan."),
            "ahead_saved::twelve_months",
            lambda side: horizon_row(Horizon.TWELVE_MONTHS, side.advice, None).saved),
    _Figure(WINDOW["unused_per_month"], DOLLARS, _USD, worded("What is paid for and not allocated."),
            "plan_unused::", lambda side: side.advice.totals.unused_plan,
            "contracts_unused::", lambda of: of.audit.unused_per_month),
    _Figure(PLAN["effective_utilization_plan"], worded("% of GPU-h paid"), _SHARE,
            worded("GPU-hours allocated to jobs as a share of the GPU-hours paid for."),
            "plan_utilization::", lambda side: _percent(side.advice.totals.effective_utilization_plan),
            "utilization::", lambda of: _percent(of.audit.effective_utilization)),
    _Figure(PLAN["lock_in_months"], worded("$-weighted months"), _MONTHS,
            worded("How many months the money is bound for, weighted by amount."),
            "plan_lock_in::", lambda side: side.advice.totals.lock_in_months,
            "lock_in_now::", lambda of: of.audit.lock_in_now_months),
    _Figure(LONGEST_TERM, worded("months"), _TERM, worded("The longest term that is signed."),
            "plan_longest::", _longest, "longest_now::", _longest_now),
)  # fmt: skip


def _wait(pool: Pool, side: Side) -> float | None:
    return (side.waits or {}).get(pool)


_WAITS: Final = tuple(
    _Figure(Figure(f"wait_{pool}", worded("P90 wait, {pool}", pool=POOL_TITLES[pool]), RUN_HOURS, is_better="down"),
            worded("h"), _MONTHS, worded("One job in ten waits longer on the GPUs of the plan: the log replayed."),
            "", partial(_wait, pool))
    for pool in SERVING_ORDER
)  # fmt: skip


def figure_table(comparison: Comparison) -> tuple[Sequence[Column], list[Row]]:
    """Columns and rows: figures from top to bottom, today, plans and differences from left to right."""
    names = shorts(comparison)
    first, sides = comparison.sides[0], tuple(enumerate(comparison.sides))
    columns: tuple[Filled[_Figure], ...] = (
        Filled("", False, 150, cell=_title_cell),
        Filled("", False, cell=lambda one: Cell(one.unit, "muted")),
        Filled("Today", cell=partial(_today_cell, comparison)),
        *(Filled(heading(names[at]), cell=partial(_plan_cell, side, at)) for at, side in sides),
        *(
            Filled(less(names, at), True, 84, cell=partial(_change, first, side, at))
            for at, side in sides[1:]
        ),
    )
    waits = [one for one in _WAITS if any(one.plan(side) is not None for side in comparison.sides)]
    rows = filled_rows(columns, [*_FIGURES, *waits])
    rows.insert(4, _band_row(comparison))
    return columns, rows


def _title_cell(one: _Figure) -> Cell:
    return Cell(one.figure.short or one.figure.title, is_strong=True, tip=one.tip)


def _today_cell(comparison: Comparison, one: _Figure) -> Cell:
    """A figure of the past; where there is none of it, a dash that says so."""
    today = one.today(comparison)
    tip = tr("There is none of the past.") if today is None else ""
    return Cell(one.kind.said(today), "muted", tip=tip, figure_id=asked(today, one.today_id))


def _plan_cell(side: Side, at: int, one: _Figure) -> Cell:
    text = one.kind.said(one.plan(side))
    return plan_cell(text, at, one.figure_id) if one.figure_id else Cell(text)


def plan_cell(
    text: str, at: int, figure_id: str, role: str = "text", *, is_strong: bool = False, tip: Text = ""
) -> Cell:
    """A figure of plan `at` as it is written there."""
    return Cell(text, role, is_strong, tip=tip, figure_id=asked(text, in_plan(at, figure_id)))


def asked(value: object, figure_id: str) -> str:
    """The figure that is asked about; "" where nothing is known."""
    return "" if value in (None, numbers.UNKNOWN) else figure_id


def pool_cell(pool: Pool) -> Cell:
    """A pool by its name, with the icon in its colour."""
    lane = lane_of(pool)
    return Cell(lane.title, icon=lane.icon, icon_role=f"lane:{lane.value}")


def _change(first: Side, side: Side, at: int, one: _Figure) -> Cell:
    """The change of the values as they are written, so that the row adds up; green where it is better."""
    before, after = one.plan(first), one.plan(side)
    if before is None or after is None:
        return Cell(numbers.UNKNOWN, "muted", tip=tr("Unknown, for one of the two is."))
    places = one.kind.decimals
    change = round(round(after, places) - round(before, places), places)
    role = ROLES.get((one.figure.is_better, (change > 0) - (change < 0)), "text")
    text = one.kind.change(change) if change else "0"
    figure_id = less_first(at, one.figure_id) if one.figure_id else ""
    return Cell(text, role, is_strong=bool(change), figure_id=figure_id)


def _band_row(comparison: Comparison) -> Row:
    """The range of each plan's spend from P10 to P90; it is no figure of today."""
    tip = tr("Weeks of the log drawn again, the advice held fixed: narrow by construction, no forecast.")
    hours = comparison.project.window.hours
    of_today = tr("It is of plans: today's spend is known.")
    return Row(
        (
            Cell(tr("Plan P10\u2013P90"), is_strong=True, tip=tip),
            Cell(DOLLARS, "muted"),
            Cell(numbers.UNKNOWN, "muted", tip=of_today),
            *(_band_cell(side, at, hours) for at, side in enumerate(comparison.sides)),
            *(Cell() for _ in comparison.sides[1:]),
        )
    )


def _band_cell(side: Side, at: int, hours: int) -> Cell:
    """The range in whole dollars; a dash where none is shown. hours: of the log."""
    if side.outlook is None:
        return Cell(tr("settling"), "muted")
    band = trusted_band(side.outlook.uncertainty, side.advice.totals.plan, hours)
    if band.p10_usd_per_month is None or band.p90_usd_per_month is None:
        return Cell(numbers.UNKNOWN)
    text = f"{numbers.whole(band.p10_usd_per_month)} \u2013 {numbers.whole(band.p90_usd_per_month)}"
    return Cell(text, figure_id=in_plan(at, "plan_band::"))


# --- What was decided in a plan and why, beside the other plans: what they do not share, those with a reason first

MOST: Final = 12
COLUMNS: Final[tuple[Filled[Decision], ...]] = (
    Filled("UTC", False, 92, cell=lambda one: Cell(numbers.clock(one.at_s, with_day=True), "muted")),
    Filled("Decision", False, cell=lambda one: Cell(one.what, is_strong=True, tip=one.what)),
    Filled("Why", False, 260, is_cut_at_end=True, cell=lambda one: _why_cell(one.reason)),
)


def _why_cell(reason: Text) -> Cell:
    return Cell(reason or tr("No reason given"), "text" if reason else "muted", tip=reason)


def decision_rows(comparison: Comparison, at: int) -> tuple[list[Row], str]:
    """Rows of side `at`, and what is left out, in words; decisions that all the plans share explain no difference."""
    side = comparison.sides[at]
    others = [other for other in comparison.sides if other is not side]
    shared = set(side.scenario.decisions).intersection(*(other.scenario.decisions for other in others))
    own = [one for one in side.scenario.decisions if one not in shared]
    if not own:
        return [], tr("Nothing decided that the plan beside it has not too.")
    ranked = sorted(own, key=lambda one: (not one.reason, -one.at_s))
    left = max(0, len(own) - MOST)
    more = by_count(left, "{count} more in History", "{count} more in History", count=numbers.whole(left))
    return filled_rows(COLUMNS, ranked[:MOST]), more if left else ""


# --- Dollars of plans by line, month by month, and as steps from today ---------------------------

LEAST_USD = 0.5
"""A step under half a dollar is rounding, and is not drawn."""
A_CENT = 0.01

_WAYS: Final = {**WAYS, EXISTING: worded("existing contracts"), COMMITTED: worded("new commitments")}
"""How a line is paid, in words."""

WholeLines = dict[LineKey, int | None]


def line_table(comparison: Comparison) -> tuple[Sequence[Column], list[Row]]:
    """Columns and rows: every line of cost in every plan, the largest difference first, and the plans below."""
    names = shorts(comparison)
    columns = (
        Column("Line", False),
        *(Column(heading(name)) for name in names),
        *(Column(less(names, at)) for at in range(1, len(names))),
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
    rows.append(_line_row(Cell(tr("Plan"), is_strong=True), written, "plan_usd::", is_total=True))
    return columns, rows


def _line_row(name: Cell, values: Sequence[int | None], of: str, *, is_total: bool = False) -> Row:
    """Whole dollars of every plan, and each less the first."""
    plans = (plan_cell(numbers.whole(usd), at, of, is_strong=is_total) for at, usd in enumerate(values))
    return Row((name, *plans, *_changes(values, of)), is_total)


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
        tip = tr("What existing contracts are paid and do not serve.")
        return Cell(tr("Unused in existing contracts"), tip=tip)
    name = tr("{pool}, {way}", pool=lane_of(pool).title, way=_WAYS.get(kind, kind))
    return replace(pool_cell(pool), text=name)


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
    from gpuplanner.charts.plots.over_time import MonthLine

    names = shorts(comparison)
    pens = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DashDotLine)
    first = comparison.sides[0]
    nothing = tuple(month.do_nothing_usd for month in first.advice.comparison)
    lines = [MonthLine(tr("Do nothing"), nothing, dash=Qt.PenStyle.DotLine)]
    for side, name, pen in zip(comparison.sides, names, pens, strict=False):
        usd = tuple(month.plan_usd for month in side.advice.comparison)
        lines.append(MonthLine(name, usd, is_main=True, dash=pen))
    return lines, [numbers.short_date(month.start_s) for month in first.advice.comparison]


MONTH_FROM: Final = worded("Month from")


def month_table(
    lines: "Sequence[MonthLine]", months: Sequence[str]
) -> tuple[tuple[Filled[int], ...], list[Row]]:
    """The same as a table: doing nothing as the first plan has it, then every plan."""

    def column_of(line: "MonthLine", plan: int, kind: str) -> Filled[int]:
        """What one line comes to in each month."""

        def cell(at: int) -> Cell:
            return plan_cell(numbers.whole(line.usd[at]), plan, figure(kind, str(at)))

        return Filled(joined((line.name,)), cell=cell)

    of = [(0, "month_nothing"), *((at, "month_plan") for at in range(len(lines) - 1))]
    columns = (
        Filled(MONTH_FROM, False, cell=lambda at: Cell(months[at], is_strong=True)),
        *(column_of(line, *one) for line, one in zip(lines, of, strict=True)),
    )
    return columns, filled_rows(columns, range(len(months)))


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

    def step(name: Text, note: str, usd: float | None, tip: str, subject: str) -> Amount:
        """A step on this side."""
        return Amount(name, note, usd, "step", tip, figure("from_today", subject, str(at)))

    busy = tr("What its workloads cost while busy in the plan, less what they cost now.")
    amounts = [
        Amount(tr("Today"), "", steps.today, "start", tr("What is paid now, overflow included."), "spend::"),
        step(tr(titles.UNUSED), tr("ended"), unused, tr("What is paid now and not allocated."), UNUSED_NOW),
        *(step(lane_of(of).title, _how(side, of), steps.pools[of], busy, of.value) for of in POOLS),
    ]
    if steps.other is not None and abs(steps.other) > LEAST_USD:
        amounts.append(
            step(tr("Other"), "", steps.other, tr("What no workload and no idle GPU stands for."), OTHER)
        )
    tip = tr("What the plan pays and does not use.")
    amounts.append(step(tr("Unused in"), tr("commitments"), steps.unused_plan, tip, UNUSED_PLAN))
    amounts.append(Amount(tr("Plan"), "", steps.plan, "result", "", in_plan(at, "plan_usd::")))
    return amounts


_HOW: Final = {COMMITTED: worded("on terms"), EXISTING: worded("on contracts"), SPOT: worded("on spot")}


def _how(side: Side, pool: Pool) -> str:
    """How the most of a pool's money is spent."""
    own = {kind: usd or 0.0 for (of, kind), usd in cost_lines(side.advice).items() if of is pool}
    if not own or not any(own.values()):
        return ""
    return spoken(_HOW.get(max(own, key=own.__getitem__), WAYS[ON_DEMAND]))


def shared_top(sides: Sequence["tuple[Step, ...]"]) -> float:
    """The highest level of all waterfalls: they are drawn on one scale. 0 where none is known."""
    from gpuplanner.charts.plots.waterfall import spans_of

    ends = [max(span.begin, span.end) for steps in sides for span in spans_of(steps) if span is not None]
    return max(ends, default=0.0)


# --- A comparison as what its answers stand on: every plan's evidence, and the dollars as the page writes them


def comparison_evidence(comparison: Comparison, now_s: int | None) -> ComparisonEvidence:
    """Of what is known of a comparison so far. now_s: the day it is, epoch seconds."""
    lines = whole_lines(comparison)
    sides = []
    for at, side in enumerate(comparison.sides):
        evaluation = Evaluation(  # of its own, so that its figures answer why as on the board
            comparison.project, side.scenario.name, comparison.audit, side.figures, side.advice, side.outlook
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
    _, rows = move_table(comparison, at)  # as they are called there; the last row is their sum
    return tuple(
        WorthEvidence(
            rows[step].cells[0].text,
            worth,
            usd,
            {key: cards[key].gpu_hours_per_month for key in worth.change.keys},
            {key: cards[key].name for key in worth.change.keys},
        )
        for step, (worth, usd) in enumerate(zip(found, whole_worths(comparison, at), strict=True))
    )
