"""Figures of plans side by side: today's, each plan's, and what lies between the first and each of the others."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from gpuplanner.app.questions.comparing import Comparison, Side
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.comparison.horizons import Horizon, horizon_row, plan_usd_in
from gpuplanner.domain.commitment.evidence.compare_answers import in_plan, less_first
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.plan import AHEAD, PLAN
from gpuplanner.domain.figures.units import MONTHS
from gpuplanner.domain.figures.window import WINDOW
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.contract_months import remaining_months
from gpuplanner.domain.model.window import Window
from gpuplanner.ui.compare.names import heading, less, shorts
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr

DOLLARS: Final = worded("$ per month")
LONGEST: Final = "plan_longest::"
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
    """A figure of the table: its value today and in a plan, in what unit, and how it is written."""

    figure: Figure
    unit: Text
    kind: Kind
    today: Callable[[Audit, Window], float | None]
    plan: Callable[[Side], float | None]
    tip: Text = ""
    figure_id: str = ""  # of a plan
    today_id: str = ""  # of the past; where there is none of it, none


def _of_none(audit: Audit, window: Window) -> float | None:
    """Today's value of figures that only plans have."""
    return None


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


_FIGURES: Final = (
    _Figure(WINDOW["spend"], DOLLARS, _USD, lambda audit, _: audit.spend,
            lambda side: side.advice.totals.plan,
            worded("What is paid per month: now, and with each plan."),
            "plan_usd::", "spend::"),
    _Figure(PLAN["do_nothing"], DOLLARS, _USD, _of_none,
            lambda side: side.advice.totals.do_nothing,
            worded("What next month costs with nothing signed, for the demand and the rates of each plan."),
            "plan_nothing::"),
    _Figure(PLAN["savings_vs_do_nothing"], DOLLARS, _USD, _of_none,
            lambda side: side.advice.totals.savings_vs_do_nothing,
            PLAN["savings_vs_do_nothing"].glossary,
            "plan_below_nothing::"),
    _Figure(PLAN["savings"], DOLLARS, _USD, _of_none,
            lambda side: side.advice.totals.savings,
            PLAN["savings"].glossary,
            "plan_saved::"),
    _Figure(SPEND_IN_A_YEAR, IN_A_YEAR, _USD, _of_none,
            lambda side: plan_usd_in(side.advice, Horizon.TWELVE_MONTHS),
            worded("What all twelve months come to, with growth, dated changes and later orders."),
            "ahead_plan::twelve_months"),
    _Figure(AHEAD["saved"], IN_A_YEAR, _USD, _of_none,
            lambda side: horizon_row(Horizon.TWELVE_MONTHS, side.advice, None).saved,
            worded("What signing nothing costs in twelve months, less the plan."),
            "ahead_saved::twelve_months"),
    _Figure(WINDOW["unused_per_month"], DOLLARS, _USD, lambda audit, _: audit.unused_per_month,
            lambda side: side.advice.totals.unused_plan, worded("What is paid for and not allocated."),
            "plan_unused::", "contracts_unused::"),
    _Figure(PLAN["effective_utilization_plan"], worded("% of GPU-h paid"), _SHARE,
            lambda audit, _: _percent(audit.effective_utilization),
            lambda side: _percent(side.advice.totals.effective_utilization_plan),
            worded("GPU-hours allocated to jobs as a share of the GPU-hours paid for."),
            "plan_utilization::", "utilization::"),
    _Figure(PLAN["lock_in_months"], worded("$-weighted months"), _MONTHS,
            lambda audit, _: audit.lock_in_now_months,
            lambda side: side.advice.totals.lock_in_months,
            worded("How many months the money is bound for, weighted by amount."),
            "plan_lock_in::", "lock_in_now::"),
    _Figure(LONGEST_TERM, worded("months"), _TERM, _of_none, _longest,
            worded("The longest term that is signed."),
            LONGEST, "longest_now::"),
)  # fmt: skip


def figure_table(comparison: Comparison) -> tuple[tuple[Column, ...], list[Row]]:
    """Columns and rows: figures from top to bottom, today, plans and differences from left to right."""
    names = shorts(comparison)
    columns = (
        Column("", False, 150),
        Column("", False),
        Column("Today"),
        *(Column(heading(name)) for name in names),
        *(Column(less(names, at), True, 84) for at in range(1, len(names))),
    )
    rows = [_row(figure, comparison) for figure in _FIGURES]
    rows.insert(4, _band_row(comparison))
    return columns, rows


def _row(figure: _Figure, comparison: Comparison) -> Row:
    """A figure as a row: today, each plan, and the change from the first plan to each other."""
    kind = figure.kind
    values = [figure.plan(side) for side in comparison.sides]
    if figure.figure_id == LONGEST:
        today = _longest_now(comparison)
    else:
        today = figure.today(comparison.audit, comparison.project.window)
    title = figure.figure.short or figure.figure.title
    cells = [
        Cell(title, is_strong=True, tip=figure.tip),
        Cell(figure.unit, "muted"),
    ]
    of_today = figure.today_id if today is not None else ""
    tip = "" if today is not None else tr("There is none of the past.")
    cells.append(Cell(kind.said(today), "muted", tip=tip, figure_id=of_today))
    cells += [
        Cell(kind.said(value), figure_id=asked(value, in_plan(at, figure.figure_id)))
        for at, value in enumerate(values)
    ]
    cells += [
        replace(cell, figure_id=asked(cell.text, less_first(at, figure.figure_id)))
        for at, cell in enumerate((_change(figure, values[0], value) for value in values[1:]), 1)
    ]
    return Row(tuple(cells))


def asked(value: object, figure_id: str) -> str:
    """The figure that is asked about; "" where nothing is known."""
    return "" if value in (None, numbers.UNKNOWN) else figure_id


def _change(figure: _Figure, first: float | None, other: float | None) -> Cell:
    """The change of the values as they are written, so that the row adds up; green where it is better."""
    if first is None or other is None:
        return Cell(numbers.UNKNOWN, "muted", tip=tr("Unknown, for one of the two is."))
    places = figure.kind.decimals
    change = round(round(other, places) - round(first, places), places)
    role = ROLES.get((figure.figure.is_better, (change > 0) - (change < 0)), "text")
    text = figure.kind.change(change) if change else "0"
    return Cell(text, role, is_strong=bool(change))


def _band_row(comparison: Comparison) -> Row:
    """The range of each plan's spend from P10 to P90; it is no figure of today."""
    cells = [
        Cell(
            tr("Plan P10\u2013P90"),
            is_strong=True,
            tip=tr(
                "Weeks of the log drawn again, the advice held fixed: narrow by construction, no forecast."
            ),
        ),
        Cell(DOLLARS, "muted"),
        Cell(numbers.UNKNOWN, "muted", tip=tr("It is of plans: today's spend is known.")),
    ]
    for at, side in enumerate(comparison.sides):
        has_band = side.outlook is not None and side.outlook.uncertainty.p90_usd_per_month is not None
        of = in_plan(at, "plan_band::") if has_band else ""
        cells.append(Cell(_band(side), "text" if side.outlook else "muted", figure_id=of))
    return Row((*cells, *(Cell() for _ in comparison.sides[1:])))


def _band(side: Side) -> str:
    """The range in whole dollars; a dash where it is unknown."""
    if side.outlook is None:
        return tr("settling")
    band = side.outlook.uncertainty
    if band.p10_usd_per_month is None or band.p90_usd_per_month is None:
        return numbers.UNKNOWN
    return f"{numbers.whole(band.p10_usd_per_month)} \u2013 {numbers.whole(band.p90_usd_per_month)}"


def _longest_now(comparison: Comparison) -> float | None:
    """Whole months that the longest contract of today still runs."""
    window = comparison.project.plan_window
    running = [each for each in comparison.project.contracts if each.is_committed]
    return max((float(round(remaining_months(each, window))) for each in running), default=0.0)
