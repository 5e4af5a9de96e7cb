"""Assumptions and Sources: the main assumptions, open points, all other assumptions, and the files of the book."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import PureWindowsPath
from typing import Final

from gpuplanner.domain.commitment.recursion.rates import CHECKPOINTED_TRAINING_S, SHORT_TRAINING_S
from gpuplanner.domain.edits.money import default_in_money
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Message, Text, capital
from gpuplanner.domain.model.assumptions import (
    ASSUMPTIONS,
    SPEC_BY_NAME,
    Assumptions,
    AssumptionSpec,
    AssumptionValue,
)
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import USD
from gpuplanner.domain.model.book.extras import counted_amount
from gpuplanner.domain.model.book.offer import Offer, has_owned
from gpuplanner.domain.model.intake import source_words
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, iso_utc
from gpuplanner.files.system.resources import plain_table, rows_as
from gpuplanner.files.workbook.inputs.if_wrong import effects_of
from gpuplanner.files.workbook.inputs.open_points import open_points
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit import sheets
from gpuplanner.files.workbook.kit.book import AsWritten, Book, Content, Table
from gpuplanner.files.workbook.kit.cells import day_number
from gpuplanner.files.workbook.kit.checks import take_between, take_numbers
from gpuplanner.files.workbook.kit.expressions import Expr, call, formula, when
from gpuplanner.files.workbook.kit.figure_cells import fields_of
from gpuplanner.files.workbook.kit.front_page import FrontPage, PageForm
from gpuplanner.files.workbook.kit.looks import Field, Watch
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.version import __version__

CURRENCY: Final = "book_currency"


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedNumber:
    """One of them: its title, value and unit, the name of its cell and where it is from."""

    name: str
    title: Text
    value: float
    unit: str
    source: str


SHORT_H, CHECKPOINTED_H = SHORT_TRAINING_S / HOUR_S, CHECKPOINTED_TRAINING_S / HOUR_S
FIXED_NUMBERS: Final = (
    FixedNumber(
        name="demand_percentile",
        title="Percentile of demand shown",
        value=95,
        unit="% of hours",
        source="Calc pools, p95 GPUs",
    ),
    FixedNumber(
        name="timeline_months",
        title="Timeline of contracts, into the plan",
        value=36,
        unit="months",
        source="Calc contracts, timeline",
    ),
    FixedNumber(
        name="short_training_h",
        title="Training that may run on spot as it is",
        value=SHORT_H,
        unit="hours",
        source="Method and checks, spot",
    ),
    FixedNumber(
        name="checkpointed_training_h",
        title="The same with checkpoints",
        value=CHECKPOINTED_H,
        unit="hours",
        source="Method and checks, spot",
    ),
)
"""What the app has in its rules, too: another value would be another method."""


def write_fixed_numbers(book: Book, fields: tuple[Field, ...], row: int) -> dict[str, Expr]:
    """The currency of the book and the fixed numbers, below a heading; the cells of the numbers by their names.

    fields: of the sheet's tables (title, value, unit, name, live, default, source).
    """
    title = "Currency and fixed numbers"
    table = Table(
        book=book,
        sheet=sheets.ASSUMPTIONS,
        row=row,
        size=1 + len(FIXED_NUMBERS),
        fields=fields,
        watch=Watch(title=title),
        section=title,
    )
    title, live = "Currency of every amount in this book", "Chosen in the app: change it there"
    _fixed_row(table, 0, CURRENCY, title, book.currency, "ISO 4217", live, "text.right", "the project")
    return {
        number.name: _fixed_row(
            table,
            place,
            number.name,
            number.title,
            number.value,
            number.unit,
            FIXED_IN_APP,
            "count",
            number.source,
        )
        for place, number in enumerate(FIXED_NUMBERS, start=1)
    }


FIXED_IN_APP, FROM_LOG = "Fixed, as in the app", "From the log: change it in the app"
BY_PLANNER: Final = "Chosen by the planner: change it in the app"


def _fixed_row(
    table: Table,
    place: int,
    name: str,
    title: Text,
    value: Content,
    unit: str,
    live: str,
    style: str,
    source: str = "",
) -> Expr:
    """Writes what the app alone changes as a named cell, which is the answer. live: what a change here does."""
    table.fill(place, title=title, unit=unit, name=name, live=live, source=source)
    return table.book.name(name, table.put("value", place, value, f"{style}.fixed"))


OF_TRAINING_ON_SPOT: Final = frozenset({"training_checkpoints", "spot_long_training"})
OF_USAGE: Final = OF_TRAINING_ON_SPOT | {
    "recency_half_life_days",
    "spot_checkpoint_minutes",
    "spot_interval_hours",
    "spot_restart_minutes",
    "spot_node_mtbf_hours",
}
"""Those that formulas read, where anything ran, and that shape the advice, too: use and rates follow here, sizes of
layers in the app. The others shape what the app alone works out."""

WORDS_OF: Final = {
    spec.name: words
    for spec in ASSUMPTIONS
    for beginning, words in plain_table("change_effect").items()
    if spec.name.startswith(beginning)
}
"""What a change of it does, where it neither moves the plan's figures here nor shapes the advice."""
MOVES_PRICES: Final = frozenset({"egress_gb_per_gpu_hour"})
OF_OWNED: Final = frozenset({"wacc", "pue"})
"""Those that the rates of owned GPUs follow, where there are any; `wacc` shapes the advice of every plan."""
TITLE_OF: Final = {"egress_gb_per_gpu_hour": "Data sent out by each GPU-hour"}


def live_in_comparison(inputs: Inputs) -> frozenset[str]:
    """Those that formulas of the Comparison read: price decline, growth and how it fades."""
    pools = {pair.pool for pair in inputs.pairs_of_nothing}
    return frozenset(
        {"delta", *({"growth", "growth_fade"} if pools else ()), *(f"growth_{pool}" for pool in pools)}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The named cells that formulas of other sheets read. assumptions: by --set name; fixed: FIXED_NUMBERS by name.

    book: in which they are; inputs: what it is written from.

    plan_begins_h: hours from the window's start to the plan's month 0; the window's hours where no day was chosen.
    currency: of all amounts (ISO code); dollars: US dollars of one unit of each currency whose rate is stated.
    """

    book: Book
    inputs: Inputs
    window_start: Expr
    window_hours: Expr
    hours_per_month: Expr
    window_months: Expr
    plan_begins_h: Expr
    assumptions: Mapping[str, Expr]
    fixed: Mapping[str, Expr]
    table: Table
    currency: str
    dollars: Mapping[str, Expr]

    def growth(self, pool: Pool) -> Expr:
        """A pool's growth per month: its own where that is stated."""
        own, common = self.assumptions[f"growth_{pool}"], self.assumptions["growth"]
        return formula("IF(ISNUMBER({own}),{own},{common})", own=own, common=common)

    def counted(self, row: Contract | Offer, quoted: Decimal | None, unknown: str | None = None) -> Content:
        """A quoted amount in the money of the book: where that is another one a formula over the rates of exchange.

        unknown: what stands where the amount, or a rate of exchange that it needs, is unknown.
        """
        value = counted_amount(quoted, row.exchange)
        if quoted is None or value is None or row.currency == self.currency:
            return unknown if value is None else value
        in_money = Expr(f"{quoted:f}", float(quoted))
        if row.currency != USD:
            in_money = in_money * self.dollars[row.currency]
        return in_money if self.currency == USD else in_money / self.dollars[self.currency]


PAGE_WIDTHS: Final = (40.0, 14.0, 18.0, 48.0, 36.0)
MAIN_FIELDS: Final = (
    Field(key="title", heading="Assumption", style="front.line.strong", width=PAGE_WIDTHS[0]),
    Field(key="value", heading="Value", style="front.line.number", width=PAGE_WIDTHS[1]),
    Field(key="unit", heading="Unit", style="front.line", width=PAGE_WIDTHS[2]),
    Field(key="wrong", heading="If it is wrong", style="front.line.middle", width=PAGE_WIDTHS[3]),
    Field(key="source", heading="Source", style="front.line.front_note.middle", width=PAGE_WIDTHS[4]),
)
POINT_FIELDS: Final = (
    Field(key="point", heading="Point", style="front.line.strong.middle", width=PAGE_WIDTHS[0]),
    Field(key="concerns", heading="Concerns", style="front.line.middle", width=PAGE_WIDTHS[1]),
    Field(key="who", heading="Who", style="front.line", width=PAGE_WIDTHS[2]),
    Field(key="action", heading="What to do", style="front.line.middle", width=PAGE_WIDTHS[3]),
    Field(key="answer", heading="Answer", style="front.own", width=PAGE_WIDTHS[4]),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MainAssumption:
    """An assumption that moves the plan most.

    unset: its value in words while it is not set. if_wrong: its effect, unless the plan has figures on it.
    """

    name: str
    title: str
    unset: str
    if_wrong: str


MAIN: Final = rows_as(MainAssumption, "main_assumptions.csv")
OTHERS: Final = tuple(spec for spec in ASSUMPTIONS if spec.name not in {main.name for main in MAIN})


def write_assumptions(book: Book, inputs: Inputs, form: PageForm) -> Named:
    """Write the page with the main assumptions and the open points, and all other assumptions below it."""
    page = FrontPage(book, form, sheets.ASSUMPTIONS, PAGE_WIDTHS)
    sentence = "Yellow cells change the figures of this book. Only the app recalculates the orders."
    row = page.title("Assumptions that move the plan most", sentence)
    cells, row = _main_assumptions(page, inputs, row)
    row = _open_points(page, inputs, row)
    note = f"All other assumptions ({len(OTHERS)}) follow below and are not printed."
    page.across(row, 0, page.last, note, "front_note")
    page.finish(row)
    fields = fields_of("assumptions")
    window = _window(book, inputs, row + 2, fields)
    for column, field in enumerate(fields[len(PAGE_WIDTHS) :], start=len(PAGE_WIDTHS)):
        book.sheets[sheets.ASSUMPTIONS].set_column(column, column, field.width)
    table = Table(
        book=book,
        sheet=sheets.ASSUMPTIONS,
        row=window.end_row + 1,
        size=len(OTHERS),
        fields=fields,
        watch=Watch(title="Assumptions of the plan"),
        section="Assumptions of the plan",
    )
    cells |= {spec.name: _assumption(book, table, place, spec, inputs) for place, spec in enumerate(OTHERS)}
    start, hours, month, months = (
        window.cell("value", place).named(name)
        for place, name in enumerate(("window_start", "window_hours", "hours_per_month", "window_months"))
    )
    begins = window.cell("value", 5).named("plan_begins_h") if window.size > 4 else hours
    currency = inputs.project.currency
    fixed = write_fixed_numbers(book, fields, table.end_row + 1)
    dollars = _exchange(book, inputs, table.end_row + len(fixed) + 5)
    return Named(
        book=book,
        inputs=inputs,
        window_start=start,
        window_hours=hours,
        hours_per_month=month,
        window_months=months,
        plan_begins_h=begins,
        assumptions=cells,
        fixed=fixed,
        table=table,
        currency=currency,
        dollars=dollars,
    )


def _main_assumptions(page: FrontPage, inputs: Inputs, row: int) -> tuple[dict[str, Expr], int]:
    """Write the assumptions that move the plan most; their cells by name, and the row below them."""
    book, wrong = page.book, effects_of(inputs)
    table = Table(
        book=book,
        sheet=page.sheet,
        row=row,
        size=len(MAIN) + 1,
        fields=MAIN_FIELDS,
        watch=Watch(title="Main assumptions"),
    )
    cells = {}
    for place, main in enumerate(MAIN):
        spec = SPEC_BY_NAME[main.name]
        cells[main.name] = _value(table, place, spec, inputs, "front.line.", main.unset)
        source = _source(spec, inputs)
        if not is_live_in_the_book(spec.name, inputs):
            source = f"{source}; change it in the app"
        effect = wrong.get(main.name, main.if_wrong)
        table.fill(place, title=main.title, unit=_unit(spec), wrong=effect, source=source)
        _fit(page, table, place, (effect, 3), (source, 4))
    rates = inputs.project.exchange
    codes = ", ".join(rate.code for rate in rates)
    amounts = "All contracts and offers are in the currency of this book"
    table.fill(len(MAIN), title="Exchange rates", unit="", source="Files")
    table.put("value", len(MAIN), codes or "None used", "front.line.right")
    table.put("wrong", len(MAIN), "Amounts follow the rates below" if rates else amounts)
    return cells, table.end_row + 1


def _open_points(page: FrontPage, inputs: Inputs, row: int) -> int:
    """Write the open points with a cell for each answer; the row below them."""
    points = open_points(inputs.evaluation)
    row = page.section(row, "Open points before you sign")
    if not points:
        page.write(row, 0, "No open points.", "line")
        return row + 2
    table = Table(book=page.book, sheet=page.sheet, row=row, size=len(points), fields=POINT_FIELDS)
    for place, point in enumerate(points):
        table.fill(
            place, point=point.point, concerns=point.concerns, who=point.who, action=point.action, answer=""
        )
        _fit(page, table, place, (point.point, 0), (point.concerns, 1), (point.action, 3))
    return table.end_row + 1


def _fit(page: FrontPage, table: Table, place: int, *texts: tuple[Text, int]) -> None:
    """Set the height of a row to what its texts need. texts: each with its column."""
    fitted = [(text, page.widths[column], column == 0) for text, column in texts]
    page.fit(table.first_row + place, fitted)


def _exchange(book: Book, inputs: Inputs, row: int) -> dict[str, Expr]:
    """The rates of exchange as named yellow inputs, by currency: every converted amount of the book follows them."""
    rates = inputs.project.exchange
    if not rates:
        return {}
    title = "Rates of exchange"
    fields = fields_of("assumptions.code")
    table = Table(
        book=book,
        sheet=sheets.ASSUMPTIONS,
        row=row,
        size=len(rates),
        fields=fields,
        watch=Watch(title=title),
        section=title,
    )
    cells = {}
    for place, rate in enumerate(rates):
        table.put("code", place, rate.code)
        cells[rate.code] = book.name(f"usd_of_{rate.code}", table.put("usd", place, float(rate.usd_rate)))
        table.fill(place, as_of=rate.as_of, name=f"usd_of_{rate.code}")
        table.put("live", place, "Moves every amount that is quoted in another currency")
    take_numbers(table, "usd", words="Enter US dollars of one unit of the currency.")
    return cells


def _window(book: Book, inputs: Inputs, row: int, fields: tuple[Field, ...]) -> Table:
    """Writes the window's hours and months, and where the plan begins if that is later."""
    window = inputs.project.window
    begins_s = inputs.project.plan_window.end_s
    is_later = begins_s > window.end_s
    size, title = 6 if is_later else 4, "Lookback period: the past in the log"
    table = Table(
        book=book,
        sheet=sheets.ASSUMPTIONS,
        row=row,
        size=size,
        fields=fields,
        watch=Watch(title="Lookback period"),
        section=title,
    )
    start, month_hours = day_number(window.start_s), str(titles.HOURS_IN_A_MONTH)
    _fixed_row(table, 0, "window_start", "First hour", start, "UTC", FROM_LOG, "moment")
    _fixed_row(table, 1, "window_hours", "Hours", window.hours, "hours", FROM_LOG, "hours")
    _fixed_row(table, 2, "hours_per_month", month_hours, HOURS_PER_MONTH, "hours", "Fixed", "hours")
    months = table.cell("value", 1) / table.cell("value", 2)
    table.fill(3, title="Months in the lookback period", unit="months", name="window_months")
    book.name("window_months", table.put("value", 3, months, "hourly"))
    if is_later:
        day, hours = day_number(begins_s), (begins_s - window.start_s) / HOUR_S
        title = "From the first hour to the plan"
        _fixed_row(table, 4, "plan_begins", "Plan begins", day, "UTC", BY_PLANNER, "moment")
        _fixed_row(table, 5, "plan_begins_h", title, hours, "hours", BY_PLANNER, "hours")
    return table


def _assumption(book: Book, table: Table, place: int, spec: AssumptionSpec, inputs: Inputs) -> Expr:
    """Write one of the other assumptions with its name, default and source; its cell."""
    table.put("title", place, TITLE_OF.get(spec.name, spec.title))
    cell = _value(table, place, spec, inputs)
    table.fill(place, unit=_unit(spec), name=f"assume_{spec.name}", live=_live_words(spec.name, inputs))
    default = default_in_money(spec, inputs.project)
    table.put("default", place, "not set" if default is None else _number(default), _style(spec))
    table.put("source", place, _source(spec, inputs))
    return cell


def _value(
    table: Table, place: int, spec: AssumptionSpec, inputs: Inputs, look: str = "", unset: str = ""
) -> Expr:
    """Write the value of an assumption as a named cell, yellow if formulas follow it, with its range; the cell.

    look: words of a style before that of the value. unset: words for a value that is not set and that no formula reads.
    """
    is_live = is_live_in_the_book(spec.name, inputs)
    style = f"{look}{_style(spec)}.{'input' if is_live else 'fixed'}"
    number = _number(getattr(inputs.assumptions, spec.field))
    cell = table.put("value", place, (unset or None) if number is None and not is_live else number, style)
    if is_live:
        take_between(
            table,
            "value",
            place,
            spec.low,
            spec.high,
            is_whole=spec.kind in ("flag", "integer"),
            is_share=spec.kind == "ratio",
            or_unknown=spec.may_be_none,
        )
    named = table.book.name(f"assume_{spec.name}", cell)
    if not is_live or spec.may_be_none:
        return named
    # what is no number is told, and counts as 0, or as next to nothing where all is over it
    sound = call("N", named)
    return call("MAX", sound, 0.000001) if spec.low > 0 else sound


def _style(spec: AssumptionSpec) -> str:
    """Return the style of the number of an assumption."""
    return {"ratio": "ratio", "flag": "count", "choice": "text.right"}.get(spec.kind, "number")


def _unit(spec: AssumptionSpec) -> Text:
    """Return the unit of an assumption."""
    return "1 yes, 0 no" if spec.kind == "flag" else spec.unit


def _source(spec: AssumptionSpec, inputs: Inputs) -> Text:
    """Return the origin of the value of an assumption."""
    if spec.name in inputs.scenario.assumptions:
        return f"Set in {inputs.scenario.name}"
    value = getattr(inputs.assumptions, spec.field)
    return capital(source_words(spec.name, value, inputs.project.intake) or spec.source)


def is_live_in_the_book(name: str, inputs: Inputs) -> bool:
    """Whether formulas of the book follow an assumption; the others are grey, for the app alone works them out."""
    if _what_is_lacking_for(name, inputs):
        return False
    if name in OF_OWNED:
        return has_owned(inputs.project.offers)
    return name in OF_USAGE or name in MOVES_PRICES or name in live_in_comparison(inputs)


def _what_is_lacking_for(name: str, inputs: Inputs) -> str:
    """What the book lacks for a formula to read an assumption; "" where it lacks nothing."""
    if name in OF_TRAINING_ON_SPOT and Pool.TRAINING not in inputs.pools:
        return "Nothing is planned as training"
    if name in MOVES_PRICES and not inputs.project.offers:
        return "No prices"
    return (
        "No workload ran" if name in OF_USAGE and name != "recency_half_life_days" and not inputs.plan else ""
    )


def _live_words(name: str, inputs: Inputs) -> str:
    """What changing an assumption in the book does: moves its figures, only some, or nothing without the app."""
    if lacks := _what_is_lacking_for(name, inputs):
        return f"{lacks}: change it in the app"
    owned = "Moves the rates of owned GPUs; the advice needs the app"
    words = WORDS_OF | (dict.fromkeys(OF_OWNED, owned) if has_owned(inputs.project.offers) else {})
    if name in words:
        return words[name]
    if name in OF_USAGE:
        return "Moves the figures; the advice needs the app"
    if name not in live_in_comparison(inputs):
        return "Shapes the advice: change it in the app"
    return "Moves Calc months; the advice needs the app"


def _number(value: AssumptionValue) -> float | str | None:
    """An assumption as a number, or the word that was chosen; None if it is not set."""
    return float(value) if isinstance(value, int | float) else value


NO_FORMAT: Final = "a table, by its columns"
"""Of a kind of file that has one form alone, which has no name."""

FILE_FIELDS: Final = fields_of("assumptions.file")


def write_provenance(book: Book, inputs: Inputs) -> None:
    """Write the sheet."""
    row = book.title(sheets.SOURCES, "The files, settings and decisions of this book. Times are UTC.")
    book.sheets[sheets.SOURCES].freeze_panes(2, 1)
    row = _facts(book, inputs, row)
    row = _files(book, inputs, row)
    row = _assumptions(book, inputs, row)
    _decisions(book, inputs, row)


def _facts(book: Book, inputs: Inputs, row: int) -> int:
    """Writes what the book is of: project, plan, window, jobs and versions."""
    window, project = inputs.project.window, inputs.project
    book.write(sheets.SOURCES, row, 0, "This book", "section")
    facts: tuple[tuple[str, str | float, str], ...] = (
        ("Project", project.title or "not named", "text"),
        ("Scenario", inputs.scenario.name, "text"),
        ("Written", iso_utc(inputs.generated_at_s), "text"),
        ("Written by", f"gpuplanner {__version__}", "text"),
        ("Lookback period begins", iso_utc(window.start_s), "text"),
        ("Lookback period ends (exclusive)", iso_utc(window.end_s), "text"),
        (str(titles.HOURS_OF_THE_WINDOW), window.hours, "count"),
        *_day_of_plan(project),
        ("Time zone of the log", str(window.timezone or "UTC"), "text"),
        ("Jobs in the lookback period", project.jobs.count, "count"),
        ("GPU jobs", project.jobs.gpu_jobs, "count"),
        ("Workloads", len(project.workloads), "count"),
        ("Job rows kept, SHA-256", project.jobs.rows_sha256 or "not kept", "text"),
        (
            "Existing contracts in the plan",
            "left out (green field)" if inputs.scenario.greenfield else "yes",
            "text",
        ),
    )
    for place, (title, value, style) in enumerate(facts, start=1):
        book.write(sheets.SOURCES, row + place, 0, title)
        book.write(sheets.SOURCES, row + place, 1, value, f"{style}.now")
    return row + len(facts) + 2


def _day_of_plan(project: Project) -> tuple[tuple[str, str, str], ...]:
    """The day that was chosen for the plan to begin, where one was."""
    is_later = project.plan_window is not project.window
    return (("Plan begins", iso_utc(project.plan_window.end_s), "text"),) if is_later else ()


def _files(book: Book, inputs: Inputs, row: int) -> int:
    """Writes each file with how its rows ended; the four ends add up to the rows read.

    Files are named without their folders, which are those of a machine: their fingerprints tell them apart.
    """
    files = inputs.project.intake
    table = Table(
        book=book,
        sheet=sheets.SOURCES,
        row=row,
        size=len(files),
        fields=FILE_FIELDS,
        section="Files that were read",
    )
    table.widen()
    for place, file in enumerate(files):
        table.put("path", place, PureWindowsPath(file.path).name)
        table.fill(place, kind=file.kind, format=file.format or (NO_FORMAT if file.rows_read else "not read"))
        read = table.put("read", place, file.rows_read)
        ends = [
            table.put(key, place, getattr(file, f"rows_{key}"))
            for key in ("accepted", "rejected", "duplicate", "ignored")
        ]
        total = ends[0] + ends[1] + ends[2] + ends[3]
        table.fill(place, adds_up=when(read.equals(total), 1, 0), sha256=file.sha256 or "not known")
        issues = "; ".join(f"{issue.code}: {issue.count:,}" for issue in file.issues)
        table.put("issues", place, issues or "none")
    return table.end_row + 1


def _assumptions(book: Book, inputs: Inputs, row: int) -> int:
    """Those that differ from the product's defaults, and who set them."""
    defaults = Assumptions()
    changed = [
        spec
        for spec in ASSUMPTIONS
        if getattr(inputs.assumptions, spec.field) != getattr(defaults, spec.field)
    ]
    fields = fields_of("assumptions.title")
    title = "Assumptions that differ from the defaults"
    table = Table(book=book, sheet=sheets.SOURCES, row=row, size=len(changed), fields=fields, section=title)
    for place, spec in enumerate(changed):
        table.fill(
            place,
            title=spec.title,
            name=spec.name,
            where=inputs.scenario.name if spec.name in inputs.scenario.assumptions else "the project",
            value=_number(getattr(inputs.assumptions, spec.field)),
            default=_number(getattr(defaults, spec.field)),
            unit=spec.unit,
        )
    if not changed:
        table.put("title", 0, "none", "muted")
    return table.end_row + 1


def _decisions(book: Book, inputs: Inputs, row: int) -> None:
    """Writes the decisions of the plan with time and reason, or that there are none."""
    decisions = inputs.scenario.decisions
    fields = (
        Field(key="what", heading="Decision"),
        Field(key="at", heading="When (UTC)", style="moment"),
        Field(key="reason", heading="Why"),
    )
    table = Table(
        book=book,
        sheet=sheets.SOURCES,
        row=row,
        size=len(decisions),
        fields=fields,
        section="Decisions in this scenario",
    )
    for place, decision in enumerate(decisions):
        table.put("what", place, _sign_kept(decision.text))
        table.fill(place, at=day_number(decision.at_s), reason=_sign_kept(decision.reason))
    if not decisions:
        table.put("what", 0, "none", "muted")


def _sign_kept(text: Text) -> Text:
    """A text of ours, or what the planner wrote, in which a sign of money is what it says."""
    return text if isinstance(text, Message) else AsWritten(text)
