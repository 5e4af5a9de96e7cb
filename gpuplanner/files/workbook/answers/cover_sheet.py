"""Cover and Method: what the book is, its light and key figures, how to use it, what it works out itself."""

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final

from gpuplanner.domain.commitment.words.plan_costs import HYPOTHETICAL
from gpuplanner.domain.demand.rule_preview import rule_words
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.intake import GAP_RULE, DataQuality
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.reports.savings import HORIZONS
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.system.user_files import resource_path, rows_of
from gpuplanner.files.workbook.answers import summary_sheet
from gpuplanner.files.workbook.inputs.sheet_inputs import SERVES_LESS, Inputs, model_words
from gpuplanner.files.workbook.kit.book import AsWritten, Book, Content, Table
from gpuplanner.files.workbook.kit.cells import day_number, written_date
from gpuplanner.files.workbook.kit.checks import Light, add_change_color, add_light_colors
from gpuplanner.files.workbook.kit.expressions import DASH
from gpuplanner.files.workbook.kit.looks import MEANINGS, SHEETS, Kind, Sheet
from gpuplanner.version import __version__

SHEET: Final = "Cover"
COLUMNS: Final = 5
WIDTH: Final = 21
LETTERS_ACROSS: Final = 92
"""Of a line over the last four columns."""
LINE: Final = 14.5
CHANGES_SHOWN: Final = 8

USE: Final = tuple(plain_table("cover_use").values())

GREEN: Final = "green"
LEGEND: Final = [(row["sample"], row["style"], row["words"]) for row in rows_of("workbook_legend.csv")]
"""A sample, its style, what it means."""


def write_cover(book: Book, inputs: Inputs, summary: summary_sheet.Summary, light: Light) -> None:
    """Write the sheet."""
    sheet = book.sheets[SHEET]
    sheet.set_column(0, COLUMNS - 1, WIDTH)
    sheet.set_portrait()
    sheet.fit_to_pages(1, 1)
    sheet.has_own_pages = True
    row = _head(book, inputs, light)
    sheet.set_row(row, 30)
    row = summary_sheet.write_headline(book, SHEET, summary.cells, row, "heading", 28)
    least = summary_sheet.at_least_words(inputs.advice)
    of_plan = least.get(summary_sheet.HEADLINE[0][1]) if inputs.advice.totals.plan is None else None
    hypothetical = str(HYPOTHETICAL) if inputs.evaluation.is_hypothetical else None
    less = SERVES_LESS if inputs.serves_less else None
    for note in (hypothetical, less, of_plan and f"Plan: {of_plan}."):
        if note:
            _across(book, row - 1, 0, note, "note.wrapped", LETTERS_ACROSS + 26)
            row += 1
    row = write_horizons(book, summary.horizons, row)
    better = [  # the other checks of waits are in the text of their decision
        f"{check.subject}: {check.message}"
        for check in inputs.evaluation.waits
        if check.code == "better_size"
    ]
    listed = inputs.evaluation.listed_decisions_on(inputs.generated_at_s)
    if decisions := [*better, *(str(decision.numbered_text) for decision in listed)]:
        row = _lines(book, "Next decisions", decisions, row)
    row = _lines(
        book, "How to use it", [f"{number}. {line}" for number, line in enumerate(USE, start=1)], row
    )
    row = _contents(book, row)
    row = _legend(book, row)
    row = _facts(book, inputs, row)
    _changes(book, inputs, row)


def _head(book: Book, inputs: Inputs, light: Light) -> int:
    """Project and plan, what it is, and the light; the answer is the next free row, as of all parts here."""
    sheet, window = book.sheets[SHEET], inputs.project.window
    sheet.set_row(0, 40)
    book.write(SHEET, 0, 0, AsWritten(inputs.project.title or "GPU capacity plan"), "cover")
    sheet.set_row(1, 22)
    book.write(SHEET, 1, 0, f"GPU capacity and commitments: {inputs.scenario.name}", "subtitle")
    about = (
        f"From {window.hours:,} logged hours, {written_date(window.start_s)} – {written_date(window.end_s - 1)} (UTC), "
        "what GPUs cost today, which to commit to for how long, and what that saves. Money follows the inputs of this "
        "book by live formulas; Hardware, Training, Waiting, Inference and Placement are values of the app. "
        f"Written {written_date(inputs.generated_at_s)} by gpuplanner {__version__}."
    )
    _across(book, 2, 0, about, "note.wrapped", LETTERS_ACROSS + 26)
    sheet.set_row(4, 22)
    book.write(SHEET, 4, 0, "Checks", "strong")
    book.write(SHEET, 4, 1, light.checks, "light")
    add_light_colors(book, SHEET, 4, 1, 4, 1)
    book.write(SHEET, 5, 0, "Inputs", "strong.top")
    sheet.merge_range(5, 1, 5, COLUMNS - 1, "", book.style("wrapped"))
    book.write(SHEET, 5, 1, light.changes, "wrapped")
    sheet.set_row(5, 2 * LINE)
    add_change_color(book, SHEET, 5, 1)
    return 7


def write_horizons(book: Book, table: Table, row: int) -> int:
    """Next month beside the twelve months that are signed for: copies of the Summary."""
    book.write(SHEET, row, 0, HORIZONS.title, "section")
    book.sheets[SHEET].set_row(row + 1, 30)
    shown = {field.key for field in (summary_sheet.NAME, *summary_sheet.HORIZON_FIELDS)}
    for column, field in enumerate(field for field in table.fields if field.key in shown):
        book.write(SHEET, row + 1, column, field.heading, "heading")
        for place in range(table.size):
            book.write(SHEET, row + 2 + place, column, table.cell(field.key, place), field.style)
    return row + 3 + table.size


def _lines(book: Book, heading: str, lines: Sequence[str], row: int) -> int:
    book.write(SHEET, row, 0, heading, "section")
    for place, line in enumerate(lines, start=1):
        _across(book, row + place, 0, line, "wrapped", LETTERS_ACROSS + 26)
    return row + len(lines) + 2


def _contents(book: Book, row: int) -> int:
    """Every sheet with a link to it, its kind and what it holds."""
    sheet = book.sheets[SHEET]
    book.write(SHEET, row, 0, "Contents", "section")
    for column, heading in enumerate(("Sheet", "Kind, cells", "What it holds", "", "")):
        book.write(SHEET, row + 1, column, heading, "heading" if column != 2 else "heading.indent")
    row += 2
    contents = [one for one in SHEETS if one.name in book.sheets]
    for place, one in enumerate(contents):
        at = row + place
        sheet.write_url(at, 0, f"internal:'{one.name}'!A1", book.style("link"), one.name)
        book.write(SHEET, at, 1, f"{one.kind}, {_may_change(one)}", f"kind_{one.kind}")
        book.write(SHEET, at, 2, one.holds, "text.indent")
    return row + len(contents) + 1


def _may_change(sheet: Sheet) -> str:
    """What a reader may change of a sheet."""
    if not sheet.is_protected:
        return "open"
    return "yellow open" if sheet.kind is Kind.INPUT else "locked"


def _legend(book: Book, row: int) -> int:
    """Samples of the cells of this book, drawn with their own styles, and the colours of tabs."""
    book.write(SHEET, row, 0, "Key", "section")
    row += 1
    for sample, style, words in LEGEND:
        book.put_cell(SHEET, row, 0, float(sample) if sample[:1].isdigit() else sample, style)
        _across(book, row, 1, words, "wrapped.indent", LETTERS_ACROSS)
        if sample == GREEN:
            add_light_colors(book, SHEET, row, 0, row, 0)
        row += 1
    for kind in Kind:
        book.write(SHEET, row, 0, f"tab: {kind}", f"kind_{kind}")
        _across(book, row, 1, MEANINGS[kind], "wrapped.indent", LETTERS_ACROSS)
        row += 1
    return row + 1


def _facts(book: Book, inputs: Inputs, row: int) -> int:
    """Version, money and units, and whom to ask; the last is for the sender to fill in."""
    project = inputs.project
    book.write(SHEET, row, 0, "About this version", "section")
    facts: tuple[tuple[str, Content, str], ...] = (
        ("Program", f"gpuplanner {__version__}", "text.indent"),
        ("Written (UTC)", day_number(inputs.generated_at_s), "moment.now.indent"),
        ("Currency", f"{project.currency}: every amount of the book", "text.indent"),
        (
            "Units",
            "GPU-hours; months of 730 hours unless a column says calendar month; times UTC",
            "text.indent",
        ),
        ("Prepared by", "", "own"),
        ("Questions to", "", "own"),
    )
    for place, (title, value, style) in enumerate(facts, start=1):
        book.write(SHEET, row + place, 0, title, "strong")
        if style == "own":
            book.sheets[SHEET].merge_range(row + place, 1, row + place, COLUMNS - 1, "", book.style("own"))
        book.write(SHEET, row + place, 1, value, style)
    return row + len(facts) + 2


def _changes(book: Book, inputs: Inputs, row: int) -> None:
    """The log of decisions of the plan, latest first, below the making of this book."""
    book.write(SHEET, row, 0, "Changes, latest first", "section")
    book.write(SHEET, row + 1, 0, "When (UTC)", "heading")
    _across(book, row + 1, 1, "What was decided, and why", "heading.indent", LETTERS_ACROSS)
    row += 2
    decisions = inputs.scenario.decisions[::-1]
    lines: list[tuple[float, Text, str]] = [(day_number(inputs.generated_at_s), "This book was written", "")]
    lines += [
        (day_number(decision.at_s), decision.text, str(decision.reason))
        for decision in decisions[:CHANGES_SHOWN]
    ]
    for at, what, why in lines:
        book.write(SHEET, row, 0, at, "moment.now.top")
        words = book.in_currency(what) if isinstance(what, Message) else what
        _across(
            book, row, 1, AsWritten(f"{words}: {why}" if why else words), "wrapped.indent", LETTERS_ACROSS
        )
        row += 1
    more = len(decisions) - CHANGES_SHOWN
    if more > 0:
        book.write(SHEET, row, 1, f"{more} earlier: Provenance has all", "muted")


def _across(book: Book, row: int, column: int, words: str, style: str, letters: int) -> None:
    """A text from a column to the last one, as many lines high as it needs. letters: that go in a line."""
    book.sheets[SHEET].merge_range(row, column, row, COLUMNS - 1, "", book.style(style))
    book.write(SHEET, row, column, words, style)
    book.sheets[SHEET].set_row(row, LINE * ceil(len(words) / letters) + 1.5)


METHOD = "Method"


def write_method(book: Book, inputs: Inputs) -> None:
    """Write the sheet; lines about what this very project has come last."""
    row = book.title(METHOD)
    book.sheets[METHOD].set_column(0, 0, 30)
    book.sheets[METHOD].set_column(1, 1, 110)
    book.sheets[METHOD].freeze_panes(2, 0)
    for heading, lines in (
        *_sections(),
        *((("Class rules of your own", rule_lines(inputs.project.rules)),) if inputs.project.rules else ()),
        ("Data quality of the log", quality_lines(inputs.project.jobs.quality)),
        ("In this book", _notes(inputs)),
    ):
        book.write(METHOD, row, 0, heading, "strong.wrapped")
        for line in lines:
            book.write(METHOD, row, 1, line, "wrapped")
            book.sheets[METHOD].set_row(row, 15 * (1 + len(line) // 115))
            row += 1
        row += 1


def _sections() -> Iterator[tuple[str, list[str]]]:
    """What is said of every book, by heading: in the file each paragraph stands behind a dash, and sections are parted
    by an empty line."""
    told = resource_path("method.txt").read_text(encoding="utf-8").format(plan=titles.THE_PLAN)
    for section in told.strip().split("\n\n"):
        heading, *paragraphs = section.split("\n- ")
        yield heading, [" ".join(paragraph.split()) for paragraph in paragraphs]


def rule_lines(rules: Sequence[ClassRule]) -> tuple[str, ...]:
    """The planner's own rules, in the order in which they decide."""
    return (
        "The first that matches a workload decides its class; labels stand above them, the shipped rules below.",
        *(
            f"{place}. {rule_words(rule)}{f': {rule.subtype}' if rule.subtype else ''}"
            for place, rule in enumerate(rules, 1)
        ),
    )


def quality_lines(quality: DataQuality | None) -> list[str]:
    """What the log says and what it leaves out, a line each; over the whole log, not only the window."""
    if quality is None:
        return ["Not known: the log was imported before this was counted, or there is none."]

    shares = quality.shares

    def share(key: str) -> str:
        """A share in percent; a dash for unknown."""
        value = shares[key]
        return DASH if value is None else f"{value:.1%}"

    lines = [
        f"{quality.jobs:,} jobs; {share('time_coverage')} of the {quality.hours:,} hours from the first to the "
        "last event have a job.",
        f"Of jobs: {share('id_coverage')} have an id, {share('name_coverage')} a name, "
        f"{share('user_coverage')} a user or account; {share('naive_time_share')} have times without a "
        f"zone, {share('zero_length_share')} have no length.",
        f"Of GPU-hours: {share('gpu_model_coverage')} have a GPU model, {share('activity_coverage')} an "
        "activity.",
        f"Gaps: {quality.gap_hours:,} hours. A gap is {GAP_RULE}.",
    ]
    lines += [
        f"Gap of {gap.hours:,} hours: {iso_utc(gap.start_s)} to {iso_utc(gap.end_s)}." for gap in quality.gaps
    ]
    lines += [
        f"Suspicious value, {value.field}: {value.value}, in {value.count:,} rows or places."
        for value in quality.suspicious
    ]
    if quality.long_running:
        lines.append(f"Jobs said to be running for over two months: {quality.long_running:,}.")
    if quality.clock_skew:
        lines.append(f"Rows that end less than an hour before they start: {quality.clock_skew:,}.")
    return lines


def _notes(inputs: Inputs) -> list[str]:
    """What is particular to this plan, a sentence each.

    What a reader must know to work the figures out again.
    """
    project, notes = inputs.project, []
    if inputs.scenario.greenfield:
        notes.append(
            f"{HYPOTHETICAL} The plan leaves existing contracts out; spend now and doing nothing keep them."
        )
    if inputs.scenario.hand_layers:
        pools = sorted({f"{pool} {model_words(model)}" for pool, model in inputs.scenario.hand_layers})
        notes.append("Sizes set by hand in the app: " + ", ".join(pools) + ".")
    if inputs.scenario.advised_around:
        pools = sorted({f"{pool} {model_words(model)}" for pool, model in inputs.scenario.advised_around})
        notes.append("Of these, only some terms are held and the rest is advised: " + ", ".join(pools) + ".")
    limited = [offer.offer_id for offer in project.offers if offer.max_gpus is not None]
    if limited:
        notes.append("Offers with a maximum, shared among pools by the app: " + ", ".join(limited) + ".")
    if project.mappings:
        worth = (
            f"1 {mapping.offer_model} does the work of {mapping.ratio:g} {mapping.gpu_model}"
            + (f" ({mapping.pool})" if mapping.pool else "")
            for mapping in project.mappings
        )
        notes.append(
            "GPU models that may serve others (ratios on Prices): "
            + ", ".join(worth)
            + ". GPUs and rates of a layer "
            "are for the row's model; what is paid for and requested is whole GPUs of the offer's."
        )
    untyped = sorted({key.cluster for key in inputs.plan if key.gpu_model is None})
    if untyped:
        notes.append("Clusters with jobs of unknown GPU model: " + ", ".join(untyped) + ".")
    if inputs.assumptions.recency_half_life_days is not None:
        notes.append(
            "Hours are weighted by recency (column Weight of Demand); GPU-hours, means, p95 and "
            "peaks of Pools never are."
        )
    if inputs.evaluation.outlook is None:
        notes.append(
            "Written before the outlook was there: the cost of separation is unknown. Export again to have it."
        )
    notes.append(
        "The sheet Dates has the parts that contracts, workloads and steps cut the months into, and who is there when; "
        "Demand has it hour by hour as values. Factors of demand, which model serves jobs of unknown model, and what "
        "separate pools cost are as exported."
    )
    missing = [row.contract_id for row in project.contracts if not row.rate]
    missing += [offer.offer_id for offer in project.offers if not offer.rate]
    if missing:
        notes.append("Rates that need a quote: " + ", ".join(missing) + ".")
    return notes or ["Nothing out of the ordinary."]
