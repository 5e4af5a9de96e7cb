"""Savings by step, price paths, range, calendar months and commitments of the plan, below the twelve months."""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import sub
from typing import Final

from gpuplanner.domain.commitment.outlook_result import Outlook, PathCost, Uncertainty, trusted_band
from gpuplanner.domain.commitment.plan.comparison import savings_buy, step_usd
from gpuplanner.domain.commitment.savings import savings_story, separation_rows
from gpuplanner.domain.commitment.words.bands import SIZE_NAMES, coverage_words, drawn_words
from gpuplanner.domain.commitment.words.plan_costs import npv_sentence
from gpuplanner.domain.commitment.words.price_paths import PATH_NAMES, PATHS_TITLE, WAYS, paths_sentences
from gpuplanner.domain.commitment.words.savings import OTHER_STEPS, SAVING_STEPS, STEP_MEANINGS, STEP_NAMES
from gpuplanner.domain.figures.plan import PATH, PLAN, SAVINGS_BUY
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.book.price_pairs import price_pairs
from gpuplanner.domain.reports.award import PRICE_PAIRS
from gpuplanner.domain.reports.cash import CASH_BY_QUARTER, PAID, READ_WITH_PLAN
from gpuplanner.domain.reports.plan_layers import HOW_BOUGHT
from gpuplanner.domain.reports.savings import OFFERED, PROVIDERS_ALONE, SEPARATION_LINES
from gpuplanner.files.workbook.answers.advice_blocks import (
    FIRST_WIDTH,
    write_business,
    write_calendar,
    write_liability,
    write_limits,
)
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.sheet_inputs import PAIR_FIELDS, SERVES_LESS, Inputs, put_pair
from gpuplanner.files.workbook.kit import charts
from gpuplanner.files.workbook.kit.book import Book, Content, Table
from gpuplanner.files.workbook.kit.checks import Check, as_in_app
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, call, known, lift, when
from gpuplanner.files.workbook.kit.figure_cells import (
    Cells,
    fields_of,
    figure_field,
    live,
    maybe,
    write_figures,
    write_report,
)
from gpuplanner.files.workbook.kit.looks import Field, Watch
from gpuplanner.files.workbook.kit.sheets import CALC_MONTHS
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment
from gpuplanner.files.workbook.plan.comparison_sheet import Comparison
from gpuplanner.lazy_dataclass import dataclass

WIDTH: Final = 15
BUY_TITLE: Final = "What the savings would buy"
GIVEN: Final = ("savings_vs_do_nothing", "by_use_per_month", "by_use_gpu_hours_per_month")
BOUGHT: Final = ("marginal_rate", "bought_gpu_hours_per_month", "bought_gpus")
MONEY_LINES: Final = {"cost": "cost_of_separation_usd_per_month"}
"""Lines of separation whose $ the Summary works out, with its name there."""


def write_buy(
    named: Named, commitment: Commitment, figures: Mapping[str, Expr], row: int
) -> tuple[int, list[Check]]:
    """What the savings would buy by use, by formulas; what signing is worth today. The next free row, and checks.

    figures: named cells by their names.
    """
    inputs, book = named.inputs, named.book
    buy = savings_buy(inputs.advice)
    fields = (
        Field(key="what", heading="Against doing nothing"),
        *(figure_field(SAVINGS_BUY[key], WIDTH) for key in (*GIVEN, *BOUGHT)),
        Field(key="why", heading="Description", style="muted"),
    )
    table = Table(book=book, sheet=CALC_MONTHS, row=row, size=1, fields=fields, section=BUY_TITLE)
    saved = figures["savings_vs_do_nothing_usd_per_month"]
    given = (
        known([saved], when(call("ROUND", saved, 2) > 0, saved, DASH)),
        commitment.total("usage_usd"),
        commitment.total("usage_busy") * named.hours_per_month,
    )
    table.put("what", 0, BUY_TITLE)
    cells: Cells = {key: maybe(table.put(key, 0, cell)) for key, cell in zip(GIVEN, given, strict=True)}
    cells["month_hours"] = named.hours_per_month
    write_figures(table, 0, SAVINGS_BUY, cells, BOUGHT)
    table.put("why", 0, buy.unknown or "At the on-demand rate of one more GPU-hour")
    app, here = buy.bought_gpu_hours_per_month, table.cell("bought_gpu_hours_per_month", 0)
    check = as_in_app(f"{BUY_TITLE}, GPU-h per month", app, here)
    outlook, months = inputs.outlook, inputs.assumptions.horizon_months
    book.write(CALC_MONTHS, table.end_row, 0, f"Worth today of signing as advised, over {months} months, $")
    book.write(CALC_MONTHS, table.end_row, 1, outlook.npv_usd, "change.fixed")
    book.write(CALC_MONTHS, table.end_row, len(fields) - 1, npv_sentence(outlook.npv_usd, months), "muted")
    return table.end_row + 2, [check]


def write_separation(book: Book, inputs: Inputs, figures: Mapping[str, Expr], row: int) -> int:
    """What separate pools cost in the plan, beside what of the log they avoid; the next free row."""
    lines = separation_rows(inputs.outlook, inputs.evaluation.audit)
    keys = ("called", "separation_per_month", "hours", "source")
    called, money, hours, source = map(SEPARATION_LINES.column, keys)
    assert money.figure is not None and hours.figure is not None
    fields = (
        Field(key="called", heading=called.title),
        figure_field(money.figure, WIDTH, style="change.fixed"),
        figure_field(hours.figure, WIDTH, style="hours.fixed"),
        Field(key="source", heading=source.title, style="muted"),
    )
    title = str(SEPARATION_LINES.title)
    table = Table(
        book=book,
        sheet=CALC_MONTHS,
        row=row,
        size=len(lines),
        fields=fields,
        watch=Watch(title=title),
        section=title,
    )
    for place, line in enumerate(lines):
        table.put("called", place, called.of(line))
        figure_key = MONEY_LINES.get(line.key)
        if line.is_of_hours:
            table.put(hours.name, place, line.hours)
        elif figure_key is None:
            table.put(money.name, place, line.separation_per_month)
        else:
            table.put(money.name, place, figures[figure_key], "change")
        table.put("source", place, source.of(line))
    book.write(CALC_MONTHS, table.end_row, 0, SEPARATION_LINES.note, "note")
    return table.end_row + 2


WIDTHS: Final = (FIRST_WIDTH, *[15] * 13)
CHART_ROWS: Final = 18

STEP_FIELDS: Final = (*charts.BRIDGE_FIELDS, Field(key="how", heading="Description", style="muted"))
PATH_FIELDS: Final = (
    Field(key="path", heading="Prices", width=FIRST_WIDTH),
    Field(key="delta", heading="Price decline per month", style="ratio.fixed"),
    *(Field(key=way, heading=f"{name}, $", style="usd.fixed") for way, name in WAYS.items()),
    *fields_of("advice.path"),
)
RANGE_FIELDS: Final = (
    Field(key="what", heading="Range of cost", width=FIRST_WIDTH),
    *fields_of("advice.range"),
)
COVERAGE_FIELDS: Final = (
    Field(key="what", heading="Share of GPU-hours that commitments serve", width=FIRST_WIDTH),
    Field(key="value", heading="Value", style="ratio.fixed"),
    Field(key="unit", heading="Unit", style="muted"),
)
UNSERVED_FIELDS: Final = (
    Field(key="key", heading="Workload", width=FIRST_WIDTH),
    *PAIR_FIELDS,
    *fields_of("advice.unserved"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceCells:
    """What the front pages read. steps: of the first month, by `STEP_NAMES`; calendar: its months, None without
    dates; orders: over their terms; range_of: of the plan; cash: by quarter, None without dates.
    """

    checks: Sequence[Check]
    steps: Mapping[str, Expr]
    calendar: Table | None
    orders: Table
    range_of: Table
    cash: Table | None


def write_advice(
    named: Named, commitment: Commitment, comparison: Comparison, figures: Mapping[str, Expr]
) -> AdviceCells:
    """Write the sheet. figures: named cells by their names."""
    book, inputs = named.book, named.inputs
    row = book.title(
        CALC_MONTHS,
        "Grey cells are values of the app: change them in the app and export again. Sums, differences and commitments "
        "follow the cells of this book.",
        title="Savings, price paths and range",
    )
    for column, width in enumerate(WIDTHS):
        book.sheets[CALC_MONTHS].set_column(column, column, width)
    row, of_steps, steps = _steps(book, inputs, figures, row)
    row, of_paths = _paths(book, inputs, row)
    story = savings_story(inputs.advice, inputs.outlook, inputs.audit, inputs.project.has_spend)
    row = write_report(book, CALC_MONTHS, row, OFFERED, story, WIDTH, heading=OFFERED.title).end_row + 1
    row, of_buy = write_buy(named, commitment, figures, row)
    row = write_separation(book, inputs, figures, row)
    row, range_of = _range(book, inputs, comparison, figures, row)
    row, of_calendar, calendar = write_calendar(named, comparison, row)
    row = _providers(book, inputs, _coverage(book, inputs.outlook, row))
    row, of_orders, orders = write_liability(book, commitment, comparison, row)
    row = write_limits(book, inputs, row)
    cash = None
    for of in READ_WITH_PLAN.values():
        if of in HOW_BOUGHT.values() or (of not in PAID.values() and not of.rows(inputs.evaluation)):
            continue
        table = write_report(book, CALC_MONTHS, row, of, inputs.evaluation, WIDTH, heading=of.title)
        row = table.end_row + 1
        if of is CASH_BY_QUARTER and table.size:
            cash = table
    row = _unserved(book, inputs, row) + 1
    of_business = write_business(book, inputs.evaluation, comparison, row)
    return AdviceCells(
        checks=[*of_steps, *of_buy, *of_paths, *of_calendar, *of_orders, *of_business],
        steps=steps,
        calendar=calendar,
        orders=orders,
        range_of=range_of,
        cash=cash,
    )


def _steps(
    book: Book, inputs: Inputs, figures: Mapping[str, Expr], row: int
) -> tuple[int, list[Check], Mapping[str, Expr]]:
    """The steps from spend today to the plan, and their bars; the answer is the next free row, the checks, and what
    each saving step changes."""
    outlook_steps = inputs.outlook.savings_steps

    def step(name: str) -> charts.Step:
        """One of the app's steps."""
        return charts.Step(STEP_NAMES[name], step_usd(outlook_steps, name), style="change.fixed")

    saving_steps = (*SAVING_STEPS, *inputs.scenario.accepted)
    steps = (
        charts.Step("Spend today", figures["current_usd_per_month"], is_total=True),
        *map(step, OTHER_STEPS),
        charts.Step("Next month, without new commitments", None, is_total=True),
        *map(step, saving_steps),
        charts.Step(PLAN["plan"].title, None, is_total=True),
    )
    meanings = ("", *map(STEP_MEANINGS.get, OTHER_STEPS), "", *map(STEP_MEANINGS.get, saving_steps), "")
    watch, title = Watch(title="Steps of the savings"), "Where savings come from in the first month"
    table = Table(
        book=book, sheet=CALC_MONTHS, row=row, size=len(steps), fields=STEP_FIELDS, watch=watch, section=title
    )
    charts.put_bridge(table, steps)
    for place, meaning in enumerate(meanings):
        table.put("how", place, meaning or "")
    amounts = [
        table.cell("change", place)
        for place, name in enumerate(saving_steps, start=4)
        if name in SAVING_STEPS or step_usd(outlook_steps, name) is not None
    ]
    saved = known(amounts, reduce(sub, amounts, lift(0)))
    end = table.end_row
    book.write(CALC_MONTHS, end, 0, PLAN["savings_vs_do_nothing"].title, "strong.total")
    shown = book.write(CALC_MONTHS, end, 1, saved, "change.strong.total")
    parts = " + ".join(str(STEP_NAMES[name]) for name in saving_steps)
    book.write(CALC_MONTHS, end, 7, SERVES_LESS if inputs.serves_less else parts, "muted")
    charts.add_bridge(book, table, f"{title}, $ per month", end + 2)
    totals = inputs.advice.totals
    checks = []
    if step_usd(outlook_steps, "terms") is not None:
        checks.append(as_in_app("Savings by step, $ per month", totals.savings_vs_do_nothing, shown))
    if all(step_usd(outlook_steps, name) is not None for name in (*OTHER_STEPS, *saving_steps)):
        last = table.cell("after", len(steps) - 1)
        checks.append(as_in_app("Steps lead from today to the plan, $ per month", totals.plan, last))
    changes = {name: table.cell("change", place) for place, name in enumerate(saving_steps, start=4)}
    return end + 2 + CHART_ROWS, checks, changes


def _providers(book: Book, inputs: Inputs, row: int) -> int:
    """Each provider alone, and pairs of them; the answer is the next free row."""
    pairs = price_pairs(inputs.project.offers_in(inputs.scenario))
    for of, rows in ((PROVIDERS_ALONE, inputs.alone), (PRICE_PAIRS, pairs)):
        row = write_report(book, CALC_MONTHS, row, of, rows, WIDTH, heading=of.title).end_row + 1
    return row


def _paths(book: Book, inputs: Inputs, row: int) -> tuple[int, list[Check]]:
    """What signing short, as advised and long costs on each path of prices, with a chart beside the steps' bars."""
    months, paths = inputs.assumptions.horizon_months, inputs.outlook.price_paths
    title = f"If prices move otherwise: expected $ over {months} months, discounted"
    table = Table(
        book=book,
        sheet=CALC_MONTHS,
        row=row,
        size=len(paths),
        fields=PATH_FIELDS,
        watch=Watch(title="Price paths"),
        section=title,
    )
    for place, path in enumerate(paths):
        _path(table, place, path)
    checks = [
        as_in_app(
            f"Cost of being wrong: {PATH_NAMES[path.path]}, $", path.regret_usd, table.cell("regret", place)
        )
        for place, path in enumerate(paths)
    ]
    row = table.end_row
    if paths:
        _paths_chart(book, table, row - len(paths) - 2 - CHART_ROWS)
    sentences: list[Text] = [*paths_sentences(paths, months)]
    sentences += [check.message for check in inputs.outlook.checks if check.code == "terms_hang_on_prices"]
    return _sentences(book, sentences, row), checks


def _path(table: Table, place: int, path: PathCost) -> None:
    """One path: the app's expected costs, and by formulas what being wrong costs and which way costs least."""
    table.fill(place, path=PATH_NAMES[path.path], delta=path.delta)
    ways = [table.put(way, place, getattr(path, way)) for way in WAYS]
    best = table.put("best_usd", place, path.best_usd)
    advice = table.cell("advice_usd", place)
    wrong = live(PATH, "regret", {"expected": advice, "least_expected": best})
    table.put("regret", place, known([advice, best], wrong))
    least = call("MIN", *ways)
    shorter, advised, longer = (str(name) for name in WAYS.values())
    cheapest = when(ways[1].equals(least), advised, when(ways[0].equals(least), shorter, longer))
    table.put("cheapest", place, known(ways, cheapest))


def _paths_chart(book: Book, table: Table, row: int) -> None:
    """The three ways on each path, side by side."""
    chart = book.workbook.add_chart({"type": "column"})
    for (way, name), color in zip(WAYS.items(), ("#7D8695", "#4B45C6", "#B9B6EA"), strict=True):
        charts.add_series(
            chart, str(name), table.range("path"), table.range(way), fill={"color": color}, gap=60
        )
    charts.put_chart(
        book,
        CALC_MONTHS,
        chart,
        book.in_currency(f"{PATHS_TITLE}, $"),
        (row, 5),
        (640, 340),
        up=charts.IN_USD,
    )


def _range(
    book: Book, inputs: Inputs, comparison: Comparison, figures: Mapping[str, Expr], row: int
) -> tuple[int, Table]:
    """What next month and the year may come to, with the advice held, and what other sizes would."""
    totals = inputs.evaluation.totals
    plan_usd, hours = None if totals is None else totals.plan, inputs.evaluation.project.window.hours
    band = trusted_band(inputs.outlook.uncertainty, plan_usd, hours)
    rows = _range_rows(band)
    watch, title = Watch(title="Range of the plan"), "Range of cost with these orders"
    table = Table(
        book=book, sheet=CALC_MONTHS, row=row, size=len(rows), fields=RANGE_FIELDS, watch=watch, section=title
    )
    plans = {0: figures["plan_usd_per_month"], 1: comparison.sums["plan"]}
    for place, (what, *ends) in enumerate(rows):
        table.put("what", place, what)
        low, _, high = (
            table.put(key, place, usd) for key, usd in zip(("p10", "p50", "p90"), ends, strict=True)
        )
        table.fill(place, width=known([low, high], high - low), plan=plans.get(place, ""))
    said: list[Text] = ["Not worked out yet: export again."]
    if band is not None:
        said = [drawn_words(band), coverage_words(band)]
    return _sentences(book, said, table.end_row), table


def _range_rows(band: Uncertainty | None) -> list[tuple[Text, float | None, float | None, float | None]]:
    """Words and $ at P10, P50 and P90."""
    if band is None:
        return []
    sizes = [
        (
            f"Next month, shortest term: {str(SIZE_NAMES[size.size]).lower()}, $",
            size.p10_usd_per_month,
            size.p50_usd_per_month,
            size.p90_usd_per_month,
        )
        for size in band.sizes
        if size.size != "advice"
    ]
    year = "Twelve months, if the pattern continues, $" if band.if_pattern_continues else "Twelve months, $"
    return [
        ("Next month, $", band.p10_usd_per_month, band.p50_usd_per_month, band.p90_usd_per_month),
        (year, band.year_p10_usd, None, band.year_p90_usd),
        *sizes,
        (
            "Savings of the best of these, $ per month",
            None,
            band.regret_p50_usd_per_month,
            band.regret_p90_usd_per_month,
        ),
    ]


def _coverage(book: Book, outlook: Outlook, row: int) -> int:
    """How much of the demand commitments serve, beside the planner's target."""
    coverage = outlook.coverage
    lines: tuple[tuple[str, Content, str, str], ...] = ()
    if coverage is not None:
        lines = (
            ("Existing contracts alone", coverage.now, "ratio", "of GPU-hours"),
            ("With the orders of the plan", coverage.plan, "ratio", "of GPU-hours"),
            ("Target", coverage.target, "ratio", "of GPU-hours"),
            ("Reached in whole blocks", coverage.reached, "ratio", "of GPU-hours"),
            ("More commitments needed for the target", coverage.extra_gpus, "gpus", "GPUs; below 0 fewer"),
            ("Cost of these", coverage.extra_usd_per_month, "change", "$ per month"),
        )
    watch, title = Watch(title="Coverage"), "Coverage in the first month"
    table = Table(
        book=book,
        sheet=CALC_MONTHS,
        row=row,
        size=len(lines),
        fields=COVERAGE_FIELDS,
        watch=watch,
        section=title,
    )
    for place, (what, value, style, unit) in enumerate(lines):
        table.fill(place, what=what, unit=unit)
        table.put("value", place, value, f"{style}.fixed")
    return table.end_row + 1


def _unserved(book: Book, inputs: Inputs, row: int) -> int:
    """Demand of the twelve months that no offer serves, with the reason; the answer is the next free row."""
    rows, watch, title = inputs.advice.unserved, Watch(title="Unserved demand"), "Unserved demand"
    table = Table(
        book=book,
        sheet=CALC_MONTHS,
        row=row,
        size=len(rows),
        fields=UNSERVED_FIELDS,
        watch=watch,
        section=title,
    )
    for place, one in enumerate(rows):
        table.put("key", place, one.key)
        put_pair(table, place, Row(one.pool, one.gpu_model))
        table.fill(place, gpu_hours=one.gpu_hours, usd=one.usd_per_month, reason=one.reason)
    if not rows:
        table.put("key", 0, "none: all demand of the twelve months is served", "muted")
        return table.end_row + 1
    table.put_below("key", "Sum", "strong.total")
    for key, style in (("gpu_hours", "hours"), ("usd", "usd")):
        table.put_below(key, table.range(key).known_sum(), f"{style}.strong.total")
    return table.end_row + 2


def _sentences(book: Book, texts: Sequence[Text], row: int) -> int:
    """Sentences below a table, each over the width of the sheet; the answer is the next free row."""
    for place, text in enumerate(texts):
        words = book.in_currency(text)
        book.write_across(CALC_MONTHS, row + place, len(WIDTHS) - 1, f"{words[:1].upper()}{words[1:]}")
    return row + len(texts) + 1
