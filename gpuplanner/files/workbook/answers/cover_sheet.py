"""Cover and Method: what the book is, its light and key figures, how to use it, what it works out itself."""

from collections.abc import Sequence
from math import ceil
from typing import Final

from gpuplanner.domain.commitment.words.plan_costs import HYPOTHETICAL
from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.reports.savings import HORIZONS
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.system.user_files import rows_of
from gpuplanner.files.workbook.answers import summary_sheet
from gpuplanner.files.workbook.inputs.sheet_inputs import SERVES_LESS, Inputs
from gpuplanner.files.workbook.kit.book import AsWritten, Book, Content, Table
from gpuplanner.files.workbook.kit.cells import day_number, written_date
from gpuplanner.files.workbook.kit.checks import Light, add_change_color, add_light_colors
from gpuplanner.files.workbook.kit.sheets import COVER, MEANINGS, SHEETS, Group, Sheet
from gpuplanner.version import __version__

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
    sheet = book.sheets[COVER]
    sheet.set_column(0, COLUMNS - 1, WIDTH)
    sheet.set_portrait()
    sheet.fit_to_pages(1, 1)
    row = _head(book, inputs, light)
    sheet.set_row(row, 30)
    row = summary_sheet.write_headline(book, COVER, summary.cells, row, "heading", 28)
    least = summary_sheet.at_least_words(inputs.advice)
    of_plan = least.get(summary_sheet.HEADLINE[0][1]) if inputs.advice.totals.plan is None else None
    hypothetical = str(HYPOTHETICAL) if inputs.evaluation.is_hypothetical else None
    less = SERVES_LESS if inputs.serves_less else None
    for note in (hypothetical, less, of_plan and f"Plan: {of_plan}."):
        if note:
            _across(book, row - 1, 0, note, "note.wrapped", LETTERS_ACROSS + 26)
            row += 1
    row = write_horizons(book, summary.horizons, row)
    outlook = inputs.evaluation.outlook
    better = [  # the other checks of waits are in the text of their decision
        f"{check.subject}: {check.message}"
        for check in inputs.evaluation.waits
        if check.code == "better_size"
    ]
    if decisions := [
        *better,
        *(str(row.numbered_text) for row in (outlook.open_decisions if outlook else ())),
    ]:
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
    sheet, window = book.sheets[COVER], inputs.project.window
    sheet.set_row(0, 40)
    book.write(COVER, 0, 0, AsWritten(inputs.project.title or "GPU capacity plan"), "cover")
    sheet.set_row(1, 22)
    book.write(COVER, 1, 0, f"GPU capacity and commitments: {inputs.scenario.name}", "subtitle")
    about = (
        f"From {window.hours:,} logged hours, {written_date(window.start_s)} – {written_date(window.end_s - 1)} (UTC), "
        "what GPUs cost today, which to commit to for how long, and what that saves. Money follows the inputs of this "
        "book by live formulas; Hardware, Training, Waiting, Inference and Placement are values of the app. "
        f"Written {written_date(inputs.generated_at_s)} by gpuplanner {__version__}."
    )
    _across(book, 2, 0, about, "note.wrapped", LETTERS_ACROSS + 26)
    sheet.set_row(4, 22)
    book.write(COVER, 4, 0, "Checks", "strong")
    book.write(COVER, 4, 1, light.checks, "light")
    add_light_colors(book, COVER, 4, 1, 4, 1)
    book.write(COVER, 5, 0, "Inputs", "strong.top")
    sheet.merge_range(5, 1, 5, COLUMNS - 1, "", book.style("wrapped"))
    book.write(COVER, 5, 1, light.changes, "wrapped")
    sheet.set_row(5, 2 * LINE)
    add_change_color(book, COVER, 5, 1)
    return 7


def write_horizons(book: Book, table: Table, row: int) -> int:
    """Next month beside the twelve months that are signed for: copies of the Summary."""
    book.write(COVER, row, 0, HORIZONS.title, "section")
    book.sheets[COVER].set_row(row + 1, 30)
    shown = {field.key for field in (summary_sheet.NAME, *summary_sheet.HORIZON_FIELDS)}
    for column, field in enumerate(field for field in table.fields if field.key in shown):
        book.write(COVER, row + 1, column, field.heading, "heading")
        for place in range(table.size):
            book.write(COVER, row + 2 + place, column, table.cell(field.key, place), field.style)
    return row + 3 + table.size


def _lines(book: Book, heading: str, lines: Sequence[str], row: int) -> int:
    book.write(COVER, row, 0, heading, "section")
    for place, line in enumerate(lines, start=1):
        _across(book, row + place, 0, line, "wrapped", LETTERS_ACROSS + 26)
    return row + len(lines) + 2


def _contents(book: Book, row: int) -> int:
    """Every sheet with a link to it, its kind and what it holds."""
    sheet = book.sheets[COVER]
    book.write(COVER, row, 0, "Contents", "section")
    for column, heading in enumerate(("Sheet", "Kind, cells", "What it holds", "", "")):
        book.write(COVER, row + 1, column, heading, "heading" if column != 2 else "heading.indent")
    row += 2
    contents = [one for one in SHEETS if one.name in book.sheets]
    for place, one in enumerate(contents):
        at = row + place
        sheet.write_url(at, 0, f"internal:'{one.name}'!A1", book.style("link"), one.name)
        book.write(COVER, at, 1, _may_change(one))
        book.write(COVER, at, 2, one.holds, "text.indent")
    return row + len(contents) + 1


def _may_change(sheet: Sheet) -> str:
    """What a reader may change of a sheet."""
    if not sheet.is_protected:
        return "open"
    return "yellow open" if sheet.group is Group.INPUT else "locked"


def _legend(book: Book, row: int) -> int:
    """Samples of the cells of this book, drawn with their own styles, and the colours of tabs."""
    book.write(COVER, row, 0, "Key", "section")
    row += 1
    for sample, style, words in LEGEND:
        book.put_cell(COVER, row, 0, float(sample) if sample[:1].isdigit() else sample, style)
        _across(book, row, 1, words, "wrapped.indent", LETTERS_ACROSS)
        if sample == GREEN:
            add_light_colors(book, COVER, row, 0, row, 0)
        row += 1
    for group in Group:
        book.write(COVER, row, 0, "", f"tab_{group}")
        _across(book, row, 1, MEANINGS[group], "wrapped.indent", LETTERS_ACROSS)
        row += 1
    return row + 1


def _facts(book: Book, inputs: Inputs, row: int) -> int:
    """Version, money and units, and whom to ask; the last is for the sender to fill in."""
    project = inputs.project
    book.write(COVER, row, 0, "About this version", "section")
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
        book.write(COVER, row + place, 0, title, "strong")
        if style == "own":
            book.sheets[COVER].merge_range(row + place, 1, row + place, COLUMNS - 1, "", book.style("own"))
        book.write(COVER, row + place, 1, value, style)
    return row + len(facts) + 2


def _changes(book: Book, inputs: Inputs, row: int) -> None:
    """The log of decisions of the plan, latest first, below the making of this book."""
    book.write(COVER, row, 0, "Changes, latest first", "section")
    book.write(COVER, row + 1, 0, "When (UTC)", "heading")
    _across(book, row + 1, 1, "What was decided, and why", "heading.indent", LETTERS_ACROSS)
    row += 2
    decisions = inputs.scenario.decisions[::-1]
    lines: list[tuple[float, Text, str]] = [(day_number(inputs.generated_at_s), "This book was written", "")]
    lines += [
        (day_number(decision.at_s), decision.text, str(decision.reason))
        for decision in decisions[:CHANGES_SHOWN]
    ]
    for at, what, why in lines:
        book.write(COVER, row, 0, at, "moment.now.top")
        words = book.in_currency(what) if isinstance(what, Message) else what
        _across(
            book, row, 1, AsWritten(f"{words}: {why}" if why else words), "wrapped.indent", LETTERS_ACROSS
        )
        row += 1
    more = len(decisions) - CHANGES_SHOWN
    if more > 0:
        book.write(COVER, row, 1, f"{more} earlier: Provenance has all", "muted")


def _across(book: Book, row: int, column: int, words: str, style: str, letters: int) -> None:
    """A text from a column to the last one, as many lines high as it needs. letters: that go in a line."""
    book.sheets[COVER].merge_range(row, column, row, COLUMNS - 1, "", book.style(style))
    book.write(COVER, row, column, words, style)
    book.sheets[COVER].set_row(row, LINE * ceil(len(words) / letters) + 1.5)
