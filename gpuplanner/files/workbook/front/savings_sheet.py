"""Savings: the plan beside doing nothing by calendar month, cash by quarter, and where the first month saves."""

from collections.abc import Iterator
from typing import Final

from gpuplanner.domain.brief.decision_words import offered_words
from gpuplanner.domain.brief.savings_page import (
    CASH_ABOVE,
    CASH_BELOW,
    COSTS_AS_MUCH,
    COSTS_LESS,
    COSTS_MORE,
    DO_NOTHING_IS,
    QUARTER_HEADINGS,
    SAVINGS_UNKNOWN,
    TWELVE_MONTHS,
    list_months,
    savings_title,
    sum_year,
)
from gpuplanner.domain.brief.sensitivity_pages import band_words
from gpuplanner.domain.commitment.outlook_result import trusted_band
from gpuplanner.domain.commitment.words.price_paths import paths_sentences
from gpuplanner.domain.commitment.words.savings import STEP_NAMES
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.typed import amount
from gpuplanner.domain.message import Text
from gpuplanner.files.workbook.front.pages import Fronts, Part, live, live_in, money, or_at_least, sentence
from gpuplanner.files.workbook.inputs.sheet_inputs import SERVES_LESS
from gpuplanner.files.workbook.kit.book import Content, Table
from gpuplanner.files.workbook.kit.charts import add_series, put_chart
from gpuplanner.files.workbook.kit.expressions import Expr, call, formula, known, when
from gpuplanner.files.workbook.kit.figure_cells import fields_of
from gpuplanner.files.workbook.kit.front_page import FrontPage
from gpuplanner.files.workbook.kit.sheets import SAVINGS as SHEET

FIELDS: Final = fields_of("front.savings")
BESIDE: Final = (15.5, 15.5, 15.5)
"""Widths of the columns beside the months, under the chart."""
CAUSES: Final[dict[str, Text]] = {
    "terms": "New terms and rates",
    "separation": "Workloads moved between pools",
    "spot": "Spot for interruptible work",
}
"""What changes the cost of the first month, by the steps of the savings; the others have their own names."""
CHART_SIZE: Final = (338, 320)
"""Pixels."""
QUARTER_COLUMNS: Final = tuple(
    zip(("name", "by_hour", "at_once", "cash"), map(str, QUARTER_HEADINGS), strict=True)
)
"""Key and heading."""
FIRST_CAUSE: Final = 5
"""The first column of the causes."""


def write_savings(fronts: Fronts) -> None:
    """Write the sheet."""
    widths = [*(field.width for field in FIELDS), *BESIDE]
    page = FrontPage(fronts.book, fronts.form, SHEET, widths)
    row = page.title(_finding(fronts), _sentence())
    table = _months(fronts, row)
    page.book.sheets[SHEET].freeze_panes(table.first_row, 1)
    _put_chart(fronts, table, row)
    below = table.end_row + 2
    last = max(_quarters(fronts, page, below), _causes(fronts, page, below))
    for words in _notes(fronts):
        last += 1
        page.across(last, 0, page.last, words, "front_note")
    page.finish(last)


def _finding(fronts: Fronts) -> Content:
    """Return what the plan costs in twelve months, and what it saves."""
    plan = fronts.comparison.sums["plan"]
    if not plan.is_known:
        title = fronts.book.in_currency(savings_title(fronts.inputs.advice))
        if not fronts.saved.is_known:
            return title
        written = fronts.book.in_currency(str(amount(float(fronts.saved.number))))
        return live_in(title, written, money(fronts.book, fronts.saved))
    cost, title = money(fronts.book, plan), str(PLAN["savings_vs_do_nothing"].title)
    unknown = live(SAVINGS_UNKNOWN, plan=cost, saved=title)
    if not fronts.saved.is_known:
        return unknown
    saved = money(fronts.book, call("ABS", fronts.saved))
    more, less = (live(words, plan=cost, saved=saved) for words in (COSTS_MORE, COSTS_LESS))
    differs = when(fronts.saved < 0, more, less)
    is_same = formula("ROUND({saved},0)=0", saved=fronts.saved)
    compared = when(is_same, live(COSTS_AS_MUCH, plan=cost), differs)
    return when(formula("ISNUMBER({saved})", saved=fronts.saved), compared, unknown)


def _sentence() -> str:
    """Return what the months are."""
    return f"By calendar month, for the budget. {DO_NOTHING_IS}"


def _months(fronts: Fronts, row: int) -> Table:
    """Write the months and their sums; a plan without dates has its months of 730 hours."""
    calendar, months = fronts.advice.calendar, fronts.comparison.table
    source = months if calendar is None else calendar
    names = [month.name for month in list_months(fronts.inputs.advice)]
    table = Table(book=fronts.book, sheet=SHEET, row=row, size=source.size, fields=FIELDS)
    for place, name in enumerate(names):
        table.put("month", place, str(name))
        cells = [source.cell(key, place) for key in ("nothing", "plan")]
        for key, cell in zip(("nothing", "plan"), cells, strict=True):
            table.put(key, place, known([cell], cell))
        saved = None if fronts.inputs.serves_less else known(cells, cells[0] - cells[1])
        table.put("saves", place, saved)
        until = table.range("saves", 0, place + 1)
        table.put("so_far", place, until.known_sum())
        budget = table.put("budget", place, "")
        table.put("less", place, _beside_budget(budget, table.cell("plan", place)))
    _put_sums(fronts, table)
    return table


def _beside_budget(budget: Expr, plan: Expr) -> Expr:
    """Return the plan less the budget, nothing where none is typed."""
    return formula(
        'IF(ISNUMBER({budget}),IF(ISNUMBER({plan}),{plan}-{budget},{plan}),"")', budget=budget, plan=plan
    )


def _put_sums(fronts: Fronts, table: Table) -> None:
    """Write the sums of the months; where a rate is missing what is known of them."""
    sums: dict[str, Content] = {"month": str(TWELVE_MONTHS)}
    year = sum_year(fronts.inputs.advice)
    for key, usd in (("nothing", year.nothing), ("plan", year.plan)):
        sums[key] = or_at_least(table.range(key).known_sum(), usd)
    saves = table.range("saves").known_sum()
    sums["saves"] = saves if saves.is_known else when(call("ISNUMBER", saves), saves, fronts.saved)
    budget = table.range("budget")
    sums["budget"] = formula('IF(COUNT({budget})=0,"",SUM({budget}))', budget=budget)
    sums["less"] = formula('IF(COUNT({less})=0,"",SUM({less}))', less=table.range("less"))
    for field in FIELDS:
        number = "" if field.key == "month" else ".whole"
        table.put_below(field.key, sums.get(field.key, ""), f"front.front_total{number}")


def _put_chart(fronts: Fronts, table: Table, row: int) -> None:
    """Draw both ways over the whole months."""
    calendar, months = fronts.advice.calendar, list_months(fronts.inputs.advice)
    places = [place for place, month in enumerate(months) if not month.is_cut]
    if not places or table.range("plan").unknown:
        return
    first, last = places[0], places[-1] + 1
    chart = fronts.book.workbook.add_chart({"type": "line"})
    for key, name, color in (("nothing", str(titles.DO_NOTHING), "#8A929F"), ("plan", "Plan", "#1F3A5F")):
        look = {"line": {"color": color, "width": 2.25}}
        add_series(chart, name, table.range("month", first, last), table.range(key, first, last), **look)
    title = fronts.book.in_currency("$ per calendar month" if calendar is not None else "$ per month")
    across = {"num_font": {"size": 9, "rotation": -45}}
    up = {"num_format": "#,##0", "num_font": {"size": 9}}
    corner = (row, len(FIELDS))
    put_chart(fronts.book, SHEET, chart, title, corner, CHART_SIZE, across, up, {"position": "top"})


def _quarters(fronts: Fronts, page: FrontPage, row: int) -> int:
    """Write cash by quarter of the fiscal year, and return the last row."""
    source = fronts.advice.cash
    last = len(QUARTER_COLUMNS) - 1
    if source is None:
        return row
    row = page.section(row, "Cash of the plan by quarter", 0, last)
    for column, (_, heading) in enumerate(QUARTER_COLUMNS):
        page.write(row, column, heading, f"front_heading.{'right' if column else 'left'}")
    for place in range(source.size):
        for column, (key, _) in enumerate(QUARTER_COLUMNS):
            cell = source.cell(key, place)
            page.write(
                row + 1 + place,
                column,
                cell if key == "name" else known([cell], cell),
                "line.whole" if column else "line",
            )
    row += 1 + source.size
    for column, (key, _) in enumerate(QUARTER_COLUMNS):
        page.write(
            row,
            column,
            source.range(key).known_sum() if column else "Sum",
            "front_total.whole" if column else "front_total",
        )
    return row


def _causes(fronts: Fronts, page: FrontPage, row: int) -> int:
    """Write what changes the cost of the first month, and return the last row."""
    row = page.section(row, "Where the first month saves", FIRST_CAUSE)
    page.span(row, FIRST_CAUSE, page.last - 1, "Cause", "front_heading.left")
    page.write(row, page.last, "$ per month", "front_heading.right")
    lines: list[tuple[Text, Expr, str]] = [
        (titles.DO_NOTHING, fronts.figures["do_nothing_usd_per_month"], "line.strong")
    ]
    lines += [
        (CAUSES.get(name, STEP_NAMES[name]), cell, "line") for name, cell in fronts.advice.steps.items()
    ]
    lines.append(("Plan", fronts.figures["plan_usd_per_month"], "line.strong"))
    for words, cell, style in lines:
        row += 1
        page.span(row, FIRST_CAUSE, page.last - 1, words, style)
        page.write(row, page.last, known([cell], cell), f"{style}.whole")
    return row


def _notes(fronts: Fronts) -> Iterator[Content]:
    """Return how cash leads to cost, the range, what prices may do, and what the plan does not have."""
    cash, plan = fronts.advice.cash, fronts.comparison.sums["plan"]
    parts: list[Part] = []
    if cash is not None and plan.is_known and not cash.range("cash").unknown:
        parts.append(_cash_words(fronts, cash.range("cash").known_sum() - plan))
    parts.append(_range_words(fronts))
    parts.append(fronts.book.in_currency(offered_words(fronts.numbered.decided)))
    if any(part != "" for part in parts):
        yield sentence(*parts)
    outlook, inputs = fronts.inputs.evaluation.outlook, fronts.inputs
    if outlook is not None and outlook.price_paths:
        words = paths_sentences(outlook.price_paths, inputs.assumptions.horizon_months)
        lead = "If prices change. " if len(words) > 1 else ""
        yield f"{lead}{' '.join(fronts.book.in_currency(text) for text in words)}"
    if inputs.serves_less:
        yield SERVES_LESS


def _cash_words(fronts: Fronts, gap: Expr) -> Expr:
    """Return how cash differs from cost, as text of a formula; empty where it does not. gap: cash less cost, $."""
    usd = money(fronts.book, call("ABS", gap))
    above, below = (sentence(live(words, usd=usd), " ") for words in (CASH_ABOVE, CASH_BELOW))
    differs = formula("IF(ISNUMBER({gap}),ROUND({gap},0)<>0,FALSE)", gap=gap)
    return when(differs, when(gap > 0, above, below), "")


def _range_words(fronts: Fronts) -> str:
    """Return what the twelve months may cost; empty where it is not known."""
    evaluation = fronts.inputs.evaluation
    totals, outlook = evaluation.totals, evaluation.outlook
    hours = evaluation.project.window.hours
    band = (
        None if outlook is None or totals is None else trusted_band(outlook.uncertainty, totals.plan, hours)
    )
    if band is None or band.year_p10_usd is None or band.year_p90_usd is None:
        return ""
    return f"{fronts.book.in_currency(band_words(band, evaluation))}. "
