"""Cover: what the book is, its light, its key figures, how to use it, its contents, its key of cells, its changes."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Final

from gpuplanner import __version__
from gpuplanner.domain.message import Message, Text
from gpuplanner.files.workbook.answers.summary.summary_sheet import HEADLINE
from gpuplanner.files.workbook.inputs.sheet_inputs import SERVES_LESS, Inputs
from gpuplanner.files.workbook.kit.book import AsWritten, Book, Content
from gpuplanner.files.workbook.kit.cell_names import day_number, written_date
from gpuplanner.files.workbook.kit.expressions import Expr, copy_of
from gpuplanner.files.workbook.kit.light import Light, add_change_color, add_light_colors
from gpuplanner.files.workbook.kit.sheets import MEANINGS, SHEETS, Kind, Sheet

SHEET: Final = "Cover"
COLUMNS: Final = 5
WIDTH: Final = 21
LETTERS_ACROSS: Final = 92
"""Of a line over the last four columns."""
LINE: Final = 14.5
CHANGES_SHOWN: Final = 8

USE: Final = (
    "Begin with Summary; its column Explained on leads to the sheet where the parts of a figure stand.",
    "Change yellow cells alone. Figures follow at once; the light and the line below it say what is no longer the "
    "advice of the app.",
    "Sizes of layers, orders and verdicts are advised by the app: what is grey is changed there, and the book exported "
    "again.",
    "Requests for quote are files of their own. This book holds your rates and costs: it is not for vendors.",
    "Before you sign: the light is green, and inputs are as exported. A dash is unknown, and never counted as 0.",
)

GREEN: Final = "green"
LEGEND: Final = (
    (
        "2.10",
        "rate.input.legend",
        "Input: yours to change. Formulas follow it, and the light says so.",
    ),
    ("2.10", "rate.fixed.legend", "Input of the app: locked. Change it in the app and export again."),
    ("2.10", "rate.legend", "Formula, or a value from the log: locked. Black figures are never typed over."),
    (
        GREEN,
        "strong.legend",
        "Check: agrees with the app. changed: an input was changed. red: the book is damaged.",
    ),
    ("", "own.legend", "Yours to fill in: no figure depends on it."),
)
"""A sample, its style, what it means."""


def write_cover(
    book: Book, inputs: Inputs, figures: Mapping[str, Expr], light: Light, generated_at_s: int
) -> None:
    """Write the sheet. figures: cells of the Summary by their names; generated_at_s: epoch seconds UTC."""
    sheet = book.sheets[SHEET]
    sheet.set_column(0, COLUMNS - 1, WIDTH)
    sheet.set_paper(9)
    sheet.set_portrait()
    sheet.fit_to_pages(1, 1)
    sheet.has_own_pages = True
    row = _head(book, inputs, light, generated_at_s)
    row = _key_figures(book, figures, row)
    if inputs.serves_less:
        _across(book, row - 1, 0, SERVES_LESS, "note.wrapped", LETTERS_ACROSS + 26)
        row += 1
    row = _lines(book, "How to use it", USE, row)
    row = _contents(book, row)
    row = _legend(book, row)
    row = _facts(book, inputs, generated_at_s, row)
    _changes(book, inputs, generated_at_s, row)


def _head(book: Book, inputs: Inputs, light: Light, generated_at_s: int) -> int:
    """Project and plan, what it is, and the light; the answer is the next free row, as of all parts here."""
    sheet, window = book.sheets[SHEET], inputs.project.window
    sheet.set_row(0, 40)
    book.write(SHEET, 0, 0, AsWritten(inputs.project.title or "GPU capacity plan"), "cover")
    sheet.set_row(1, 22)
    book.write(SHEET, 1, 0, f"GPU capacity and commitments: {inputs.scenario.name}", "subtitle")
    about = (
        f"From {window.hours:,} logged hours, {written_date(window.start_s)} – {written_date(window.end_s - 1)} (UTC), "
        "what GPUs cost today, which to commit to for how long, and what that saves. Every figure is a live formula "
        f"over inputs in this book. Written {written_date(generated_at_s)} by gpuplanner {__version__}."
    )
    _across(book, 2, 0, about, "note.wrapped", LETTERS_ACROSS + 26)
    sheet.set_row(4, 22)
    book.write(SHEET, 4, 0, "Checks", "strong")
    book.write(SHEET, 4, 1, copy_of(light.checks), "light")
    add_light_colors(book, SHEET, 4, 1, 4, 1)
    book.write(SHEET, 5, 0, "Inputs", "strong.top")
    sheet.merge_range(5, 1, 5, COLUMNS - 1, "", book.style("wrapped"))
    book.write(SHEET, 5, 1, copy_of(light.changes), "wrapped")
    sheet.set_row(5, 2 * LINE)
    add_change_color(book, SHEET, 5, 1)
    return 7


def _key_figures(book: Book, figures: Mapping[str, Expr], row: int) -> int:
    """The headline of the Summary, each figure above what it is now."""
    sheet = book.sheets[SHEET]
    sheet.set_row(row, 30)
    sheet.set_row(row + 1, 28)
    for place, (title, plan, style, now, now_style) in enumerate(HEADLINE):
        book.write(SHEET, row, place, title, "heading")
        book.write(SHEET, row + 1, place, copy_of(figures[plan]), f"{style}.figure")
        book.write(SHEET, row + 2, place, copy_of(figures[now]), f"{now_style}.now")
    return row + 4


def _lines(book: Book, heading: str, lines: Sequence[str], row: int) -> int:
    book.write(SHEET, row, 0, heading, "section")
    for place, line in enumerate(lines, start=1):
        _across(book, row + place, 0, f"{place}. {line}", "wrapped", LETTERS_ACROSS + 26)
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


def _may_change(one: Sheet) -> str:
    """What a reader may change of a sheet."""
    if not one.is_protected:
        return "open"
    return "yellow open" if one.kind is Kind.INPUT else "locked"


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


def _facts(book: Book, inputs: Inputs, generated_at_s: int, row: int) -> int:
    """Version, money and units, and whom to ask; the last is for the sender to fill in."""
    project = inputs.project
    book.write(SHEET, row, 0, "About this version", "section")
    facts: tuple[tuple[str, Content, str], ...] = (
        ("Program", f"gpuplanner {__version__}", "text.indent"),
        ("Written (UTC)", day_number(generated_at_s), "moment.now.indent"),
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


def _changes(book: Book, inputs: Inputs, generated_at_s: int, row: int) -> None:
    """The log of decisions of the plan, latest first, below the making of this book."""
    book.write(SHEET, row, 0, "Changes, latest first", "section")
    book.write(SHEET, row + 1, 0, "When (UTC)", "heading")
    _across(book, row + 1, 1, "What was decided, and why", "heading.indent", LETTERS_ACROSS)
    row += 2
    decisions = inputs.scenario.decisions[::-1]
    lines: list[tuple[float, Text, str]] = [(day_number(generated_at_s), "This book was written", "")]
    lines += [(day_number(one.at_s), one.what, str(one.reason)) for one in decisions[:CHANGES_SHOWN]]
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
