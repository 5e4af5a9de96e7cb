"""Figures of plans side by side: today's, each plan's, and differences."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from gpuplanner.app.plans.comparing import Comparison, Side
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.audit.utilization.paid_contracts import held_contracts
from gpuplanner.domain.commitment.outlook_result import trusted_band
from gpuplanner.domain.commitment.plan.comparison import Horizon, horizon_row, nothing_usd_in, plan_usd_in
from gpuplanner.domain.commitment.plan.totals import cost_sum, plan_sum
from gpuplanner.domain.evidence.plan.comparison import in_plan, less_first
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.plan import AHEAD, PLAN
from gpuplanner.domain.figures.window import WINDOW
from gpuplanner.domain.figures.writing import MONTHS, RUN_HOURS
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import NO_PARTS, PartSum, in_all, lacking_sentences
from gpuplanner.domain.model.book.renewal import remaining_months
from gpuplanner.domain.model.tables import POOL_TITLES, SERVING_ORDER, Pool
from gpuplanner.domain.queue.sentences import OF_A_REPLAY
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.ui.compare.plan_heads import heading, less, shorts
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, filled_rows
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import AGES
from gpuplanner.ui.words.lanes import lane_of

DOLLARS: Final = worded("$ per month")
ROLES: Final = {("down", -1): "green", ("up", 1): "green", ("binds", 1): "amber"}
"""Which way is good (Figure.is_better) and the sign of a change: money saved is green; more lock-in is amber."""
IN_A_YEAR: Final = worded("$ in 12 months")
SPEND_IN_A_YEAR: Final = replace(AHEAD["plan"], title=titles.SPEND)
LONGEST_TERM: Final = Figure(key="longest", title=worded("Longest commitment"), unit=MONTHS)


@dataclass(frozen=True, slots=True)
class Kind:
    """How a figure is written: value, difference, and its step, so that differences are those of what is shown."""

    said: Callable[[float | None], str]
    change: Callable[[float], str]
    decimals: int


def _one(value: float) -> str:
    """A change with its sign and one decimal; 0 has no sign."""
    if value > 0:
        sign = "+"
    elif value < 0:
        sign = numbers.MINUS
    else:
        sign = ""
    return f"{sign}{numbers.one_decimal(abs(value))}" if value else "0"


def _points(value: float) -> str:
    """A change in points of percent."""
    return tr("{points} pt", points=_one(value)) if value else "0"


_USD: Final = Kind(numbers.whole, numbers.change, 0)
_SHARE: Final = Kind(lambda value: numbers.percent(None if value is None else value / 100), _points, 1)
_MONTHS: Final = Kind(numbers.one_decimal, _one, 1)
_TERM: Final = Kind(numbers.gpus, lambda value: _one(value).replace(".0", ""), 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figure:
    """A figure of the table: in what unit and how it is written, its value in a plan and today, what each is asked as.

    What only plans have has no value today. least, today_least: what is known of the same where a rate is missing.
    """

    figure: Figure
    unit: Text
    kind: Kind
    tip: Text
    figure_id: str
    plan: Callable[[Side], float | None]
    today_id: str = ""
    today: Callable[[Comparison], float | None] = lambda _: None
    least: Callable[[Side], PartSum] = lambda _: NO_PARTS
    today_least: Callable[[Comparison], PartSum] = lambda _: NO_PARTS


def _percent(share: float | None) -> float | None:
    """A share in percent; None stays None."""
    return None if share is None else 100 * share


def find_longest_term(side: Side) -> float | None:
    """Return the longest term that a plan orders, in months; 0 without a commitment."""
    layers = [layer for row in side.advice.pools for layer in row.layers if not layer.existing and layer.gpus]
    terms = [layer.term_months for layer in layers]
    terms += [one.term_months for one in side.advice.orders if one.is_certain]  # those of later months, too
    return max((float(term or 0) for term in terms), default=0.0)


def find_longest_term_today(comparison: Comparison) -> float | None:
    """Return the whole months left of the longest contract of today."""
    window = comparison.project.plan_window
    running = [each for each in held_contracts(comparison.project) if each.is_committed]
    return max((float(round(remaining_months(each, window))) for each in running), default=0.0)


_FIGURES: Final = (
    _Figure(
        figure=WINDOW["spend"],
        unit=DOLLARS,
        kind=_USD,
        tip=worded("Monthly spend now and in each plan."),
        figure_id="plan_usd::",
        plan=lambda side: side.advice.totals.plan,
        today_id="spend::",
        today=lambda of: of.audit.spend,
        least=lambda side: plan_sum(side.advice),
        today_least=lambda evaluation: evaluation.audit.spend_parts,
    ),
    _Figure(
        figure=PLAN["do_nothing"],
        unit=DOLLARS,
        kind=_USD,
        tip=worded("Next month without new orders, at each plan's demand and rates."),
        figure_id="plan_nothing::",
        plan=lambda side: side.advice.totals.do_nothing,
        least=lambda side: cost_sum(side.advice, "do_nothing"),
    ),
    _Figure(
        figure=PLAN["savings_vs_do_nothing"],
        unit=DOLLARS,
        kind=_USD,
        tip=PLAN["savings_vs_do_nothing"].glossary,
        figure_id="plan_below_nothing::",
        plan=lambda side: side.advice.totals.savings_vs_do_nothing,
    ),
    _Figure(
        figure=PLAN["savings"],
        unit=DOLLARS,
        kind=_USD,
        tip=PLAN["savings"].glossary,
        figure_id="plan_saved::",
        plan=lambda side: side.advice.totals.savings,
    ),
    _Figure(
        figure=AHEAD["do_nothing"],
        unit=IN_A_YEAR,
        kind=_USD,
        tip=worded("Do nothing over 12 months, at each plan's demand and rates."),
        figure_id="ahead_nothing::twelve_months",
        plan=lambda side: nothing_usd_in(side.advice, Horizon.TWELVE_MONTHS),
        least=lambda side: in_all(month.nothing_sum for month in side.advice.comparison),
    ),
    _Figure(
        figure=SPEND_IN_A_YEAR,
        unit=IN_A_YEAR,
        kind=_USD,
        tip=worded("12 months with growth, dated changes and later orders."),
        figure_id="ahead_plan::twelve_months",
        plan=lambda side: plan_usd_in(side.advice, Horizon.TWELVE_MONTHS),
        least=lambda side: in_all(month.plan_sum for month in side.advice.comparison),
    ),
    _Figure(
        figure=AHEAD["saved"],
        unit=IN_A_YEAR,
        kind=_USD,
        tip=worded("Do nothing minus the plan, 12 months."),
        figure_id="ahead_saved::twelve_months",
        plan=lambda side: horizon_row(Horizon.TWELVE_MONTHS, side.advice, None).saved,
    ),
    _Figure(
        figure=WINDOW["unused_per_month"],
        unit=DOLLARS,
        kind=_USD,
        tip=worded("Cost of paid GPUs without a job.") + AGES,
        figure_id="plan_unused::",
        plan=lambda side: side.advice.totals.unused_plan,
        today_id="contracts_unused::",
        today=lambda of: of.audit.unused_per_month,
        least=lambda side: cost_sum(side.advice, "unused_plan"),
    ),
    _Figure(
        figure=PLAN["effective_utilization_plan"],
        unit=worded("% of GPU-h paid"),
        kind=_SHARE,
        tip=worded("GPU-hours allocated to jobs ÷ paid GPU-hours.") + AGES,
        figure_id="plan_utilization::",
        plan=lambda side: _percent(side.advice.totals.effective_utilization_plan),
        today_id="utilization::",
        today=lambda of: _percent(of.audit.effective_utilization),
    ),
    _Figure(
        figure=PLAN["lock_in_months"],
        unit=worded("$-weighted months"),
        kind=_MONTHS,
        tip=worded("Months of commitment left, weighted by $."),
        figure_id="plan_lock_in::",
        plan=lambda side: side.advice.totals.lock_in_months,
        today_id="lock_in_now::",
        today=lambda of: of.audit.lock_in_now_months,
    ),
    _Figure(
        figure=LONGEST_TERM,
        unit=worded("months"),
        kind=_TERM,
        tip=worded("Longest term ordered."),
        figure_id="plan_longest::",
        plan=find_longest_term,
        today_id="longest_now::",
        today=find_longest_term_today,
    ),
)


def _wait(pool: Pool, of: Side | Comparison) -> float | None:
    return (of.waits or {}).get(pool)


_WAITS: Final = tuple(
    _Figure(
        figure=Figure(
            key=f"wait_{pool}",
            title=worded("P90 wait, {pool}", pool=POOL_TITLES[pool]),
            unit=RUN_HOURS,
            is_better="down",
        ),
        unit=worded("h, replayed"),
        kind=_MONTHS,
        tip=long_text("waits_elsewhere", how=OF_A_REPLAY),
        figure_id="",
        plan=partial(_wait, pool),
        today=partial(_wait, pool),
    )
    for pool in SERVING_ORDER
)


def figure_table(comparison: Comparison) -> tuple[Sequence[Column], list[Row]]:
    """Columns and rows: figures from top to bottom, today, plans and differences from left to right."""
    names = shorts(comparison)
    first, sides = comparison.sides[0], tuple(enumerate(comparison.sides))
    changes = ((less(names, at), partial(_change, first, side, at)) for at, side in sides[1:])
    columns: tuple[Filled[_Figure], ...] = (
        Filled(title="", is_figure=False, width=150, cell=_title_cell),
        Filled(title="", is_figure=False, cell=lambda figure: Cell(text=figure.unit, role="muted")),
        Filled(title="Today", cell=partial(_today_cell, comparison)),
        *(Filled(title=heading(names[at]), cell=partial(_plan_cell, side, at)) for at, side in sides),
        *(Filled(title=title, is_figure=True, width=84, cell=cell) for title, cell in changes),
    )
    waits = [row for row in _WAITS if any(row.plan(side) is not None for side in comparison.sides)]
    rows = filled_rows(columns, [*_FIGURES, *waits])
    rows.insert(4, _band_row(comparison))
    return columns, rows


@dataclass(frozen=True, slots=True)
class _Ahead:
    """A time for which both the plan's spend and that of do nothing are known."""

    spend: str  # keys of figures
    nothing: str
    saved: str


_BESIDE_NOTHING: Final = (
    _Ahead(spend="plan_usd::", nothing="plan_nothing::", saved="plan_below_nothing::"),
    _Ahead(
        spend="ahead_plan::twelve_months",
        nothing="ahead_nothing::twelve_months",
        saved="ahead_saved::twelve_months",
    ),
)
_BY_ID: Final = {figure.figure_id: figure for figure in _FIGURES}
_OTHERS: Final = ("plan_unused::", "plan_utilization::", "plan_lock_in::", "plan_longest::")
"""Figures of a plan that nobody works out without new orders."""


def nothing_table(comparison: Comparison) -> tuple[Sequence[Column], list[Row]]:
    """Return the columns and rows of one plan beside do nothing: today, do nothing, the plan, and what it saves."""
    (side,), (name,) = comparison.sides, shorts(comparison)
    ahead = {span.spend: span for span in _BESIDE_NOTHING}
    none = Cell(text=numbers.UNKNOWN, role="muted", tip=tr("Calculated for plans only."))

    def nothing(figure: _Figure) -> Cell:
        span = ahead.get(figure.figure_id)
        return none if span is None else _plan_cell(side, 0, _BY_ID[span.nothing])

    def saved(figure: _Figure) -> Cell:
        span = ahead.get(figure.figure_id)
        return Cell() if span is None else _saved_cell(side, _BY_ID[span.saved])

    columns: tuple[Filled[_Figure], ...] = (
        Filled(title="", is_figure=False, width=150, cell=_title_cell),
        Filled(title="", is_figure=False, cell=lambda figure: Cell(text=figure.unit, role="muted")),
        Filled(title="Today", cell=partial(_today_cell, comparison)),
        Filled(title=titles.DO_NOTHING, cell=nothing),
        Filled(title=heading(name), cell=partial(_plan_cell, side, 0)),
        Filled(title=PLAN["savings_vs_do_nothing"].short, cell=saved),
    )
    waits = [row for row in _WAITS if row.plan(side) is not None]
    rows = filled_rows(columns, [*(_BY_ID[key] for key in (*ahead, *_OTHERS)), *waits])
    band = _band_row(comparison)
    rows.insert(1, replace(band, cells=(*band.cells[:3], none, *band.cells[3:], Cell())))
    return columns, rows


def _saved_cell(side: Side, saved: _Figure) -> Cell:
    """What the plan saves, as the headline has it: known too where both lack the same rate."""
    usd = saved.plan(side)
    if usd is None:
        return Cell(text=numbers.UNKNOWN, role="muted", tip=tr("Unknown in the plan or in do nothing."))
    role = "green" if round(usd) > 0 else "text"
    return plan_cell(numbers.whole(usd), 0, saved.figure_id, role, is_strong=True)


def _title_cell(figure: _Figure) -> Cell:
    return Cell(text=figure.figure.short or figure.figure.title, is_strong=True, tip=figure.tip)


def _today_cell(comparison: Comparison, figure: _Figure) -> Cell:
    """A figure of the past; where there is none of it, a dash that says so."""
    today = figure.today(comparison)
    if today is None and (least := figure.today_least(comparison)).is_at_least:
        return _least_cell(least, "muted")
    tip = tr("None for the past.") if today is None else ""
    return Cell(text=figure.kind.said(today), role="muted", tip=tip, figure_id=asked(today, figure.today_id))


def _plan_cell(side: Side, at: int, figure: _Figure) -> Cell:
    value = figure.plan(side)
    if value is None and (least := figure.least(side)).is_at_least:
        return _least_cell(least, "text")
    text = figure.kind.said(value)
    return plan_cell(text, at, figure.figure_id) if figure.figure_id else Cell(text=text)


def _least_cell(least: PartSum, role: str) -> Cell:
    """What is known of $, and in its tip what has no price."""
    return Cell(text=numbers.sum_of(least, numbers.whole), role=role, tip=lacking_sentences(least))


def plan_cell(
    text: str, at: int, figure_id: str, role: str = "text", *, is_strong: bool = False, tip: Text = ""
) -> Cell:
    """A figure of plan `at` as it is written there."""
    return Cell(
        text=text, role=role, is_strong=is_strong, tip=tip, figure_id=asked(text, in_plan(at, figure_id))
    )


def asked(value: object, figure_id: str) -> str:
    """The figure that is asked about; "" where nothing is known."""
    return "" if value in (None, numbers.UNKNOWN) else figure_id


def pool_cell(pool: Pool) -> Cell:
    """A pool by its name, with the icon in its colour."""
    lane = lane_of(pool)
    return Cell(text=lane.title, icon=lane.icon, icon_role=f"lane:{lane.value}")


def _change(first: Side, side: Side, at: int, figure: _Figure) -> Cell:
    """The change of the values as they are written, so that the row adds up; green where it is better."""
    before, after = figure.plan(first), figure.plan(side)
    if before is None or after is None:
        return Cell(text=numbers.UNKNOWN, role="muted", tip=tr("Unknown in one plan."))
    places = figure.kind.decimals
    change = round(round(after, places) - round(before, places), places)
    role = ROLES.get((figure.figure.is_better, (change > 0) - (change < 0)), "text")
    text = figure.kind.change(change) if change else "0"
    figure_id = less_first(at, figure.figure_id) if figure.figure_id else ""
    return Cell(text=text, role=role, is_strong=bool(change), figure_id=figure_id)


def _band_row(comparison: Comparison) -> Row:
    """The range of each plan's spend from P10 to P90; it is no figure of today."""
    tip = tr("Random weeks of the log, same commitments: narrow, not a forecast.")
    hours = comparison.project.window.hours
    of_today = tr("Only for plans: today is known.")
    return Row(
        (
            Cell(text=tr("Plan P10\u2013P90"), is_strong=True, tip=tip),
            Cell(text=DOLLARS, role="muted"),
            Cell(text=numbers.UNKNOWN, role="muted", tip=of_today),
            *(_band_cell(side, at, hours) for at, side in enumerate(comparison.sides)),
            *(Cell() for _ in comparison.sides[1:]),
        )
    )


def _band_cell(side: Side, at: int, hours: int) -> Cell:
    """The range in whole dollars; a dash where none is shown. hours: of the log."""
    if side.outlook is None:
        return Cell(text=tr("calculating"), role="muted")
    band = trusted_band(side.outlook.uncertainty, side.advice.totals.plan, hours)
    if band.p10_usd_per_month is None or band.p90_usd_per_month is None:
        return Cell(text=numbers.UNKNOWN)
    text = f"{numbers.whole(band.p10_usd_per_month)} \u2013 {numbers.whole(band.p90_usd_per_month)}"
    return Cell(text=text, figure_id=in_plan(at, "plan_band::"))
