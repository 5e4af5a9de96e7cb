"""Provenance: what this book was made from: files with their fingerprints, versions, assumptions set, decisions."""

from pathlib import PureWindowsPath
from typing import Final

from gpuplanner import __version__
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.assumptions import ASSUMPTIONS, Assumptions, AssumptionValue
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import AsWritten, Book, Table
from gpuplanner.files.workbook.kit.cell_names import day_number
from gpuplanner.files.workbook.kit.expressions import Expr
from gpuplanner.files.workbook.kit.fields import Field

SHEET: Final = "Provenance"
NO_FORMAT: Final = "a table, by its columns"
"""Of a kind of file that has one form alone, which has no name."""

FILE_FIELDS: Final = (
    Field("path", "File", width=48),
    Field("kind", "Kind", width=18),
    Field("format", "Read as", width=22),
    Field("read", "Rows read", "count", 11),
    Field("accepted", "Accepted", "count", 11),
    Field("rejected", "Rejected", "count", 11),
    Field("duplicate", "Duplicate", "count", 11),
    Field("ignored", "Ignored", "count", 11),
    Field("adds_up", "Adds up", "count", 9, "1: read = accepted + rejected + duplicate + ignored."),
    Field("sha256", "SHA-256 of the file", "muted", 70),
    Field("issues", "Issues", "muted", 60),
)


def write_provenance(book: Book, inputs: Inputs, generated_at_s: int) -> None:
    """Write the sheet. generated_at_s: epoch seconds UTC."""
    row = book.title(
        SHEET, "Provenance", "What this book was made from, so that it can be made again. Times are UTC."
    )
    book.sheets[SHEET].freeze_panes(2, 1)
    row = _facts(book, inputs, generated_at_s, row)
    row = _files(book, inputs, row)
    row = _assumptions(book, inputs, row)
    _decisions(book, inputs, row)


def _facts(book: Book, inputs: Inputs, generated_at_s: int, row: int) -> int:
    """Writes what the book is of: project, plan, window, jobs and versions."""
    window, project = inputs.project.window, inputs.project
    book.write(SHEET, row, 0, "This book", "section")
    facts: tuple[tuple[str, str | float, str], ...] = (
        ("Project", project.title or "not named", "text"),
        ("Scenario", inputs.scenario.name, "text"),
        ("Written", iso_utc(generated_at_s), "text"),
        ("Written by", f"gpuplanner {__version__}", "text"),
        ("Window begins", iso_utc(window.start_s), "text"),
        ("Window ends (exclusive)", iso_utc(window.end_s), "text"),
        (str(titles.HOURS_OF_THE_WINDOW), window.hours, "count"),
        *_plan_begins(project),
        ("Time zone of the log", str(window.timezone or "UTC"), "text"),
        ("Jobs in the window", project.jobs.count, "count"),
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
        book.write(SHEET, row + place, 0, title)
        book.write(SHEET, row + place, 1, value, f"{style}.now")
    return row + len(facts) + 2


def _plan_begins(project: Project) -> tuple[tuple[str, str, str], ...]:
    """The day that was chosen for the plan to begin, where one was."""
    is_later = project.plan_window is not project.window
    return (("Plan begins", iso_utc(project.plan_window.end_s), "text"),) if is_later else ()


def _files(book: Book, inputs: Inputs, row: int) -> int:
    """Writes each file with how its rows ended; the four ends add up to the rows read.

    Files are named without their folders, which are those of a machine: their fingerprints tell them apart.
    """
    book.write(SHEET, row, 0, "Files that were read", "section")
    files = inputs.project.intake
    table = Table(book, SHEET, row + 1, len(files), FILE_FIELDS)
    table.widen()
    for place, file in enumerate(files):
        table.put("path", place, PureWindowsPath(file.path).name)
        table.put("kind", place, file.kind)
        table.put("format", place, file.format or (NO_FORMAT if file.rows_read else "not read"))
        read = table.put("read", place, file.rows_read)
        ends = [
            table.put(key, place, rows)
            for key, rows in (
                ("accepted", file.rows_accepted),
                ("rejected", file.rows_rejected),
                ("duplicate", file.rows_duplicate),
                ("ignored", file.rows_ignored),
            )
        ]
        total = ends[0] + ends[1] + ends[2] + ends[3]
        is_whole = float(read.number == total.number)
        table.put("adds_up", place, Expr(f"IF({read.text}={total.text},1,0)", is_whole, True))
        table.put("sha256", place, file.sha256 or "not known")
        table.put(
            "issues", place, "; ".join(f"{issue.code}: {issue.count:,}" for issue in file.issues) or "none"
        )
    return table.end_row + 1


def _assumptions(book: Book, inputs: Inputs, row: int) -> int:
    """Those that differ from the product's defaults, and who set them."""
    defaults = Assumptions()
    changed = [
        spec
        for spec in ASSUMPTIONS
        if getattr(inputs.assumptions, spec.field) != getattr(defaults, spec.field)
    ]
    book.write(SHEET, row, 0, "Assumptions that differ from the defaults", "section")
    fields = (
        Field("title", "Assumption"),
        Field("name", "Name"),
        Field("where", "Set in"),
        Field("value", "Value", "number"),
        Field("default", "Default", "number"),
        Field("unit", "Unit", "muted"),
    )
    table = Table(book, SHEET, row + 1, len(changed), fields)
    for place, spec in enumerate(changed):
        table.put("title", place, spec.title)
        table.put("name", place, spec.name)
        table.put(
            "where",
            place,
            inputs.scenario.name if spec.name in inputs.scenario.assumptions else "the project",
        )
        table.put("value", place, _written(getattr(inputs.assumptions, spec.field)))
        table.put("default", place, _written(getattr(defaults, spec.field)))
        table.put("unit", place, spec.unit)
    if not changed:
        table.put("title", 0, "none", "muted")
    return table.end_row + 1


def _written(value: AssumptionValue) -> float | str | None:
    """An assumption's value as a cell takes it."""
    return float(value) if isinstance(value, int | float) else value


def _decisions(book: Book, inputs: Inputs, row: int) -> None:
    """Writes the decisions of the plan with time and reason, or that there are none."""
    decisions = inputs.scenario.decisions
    book.write(SHEET, row, 0, "Decisions in this scenario", "section")
    fields = (Field("what", "Decision"), Field("at", "When (UTC)", "moment"), Field("reason", "Why"))
    table = Table(book, SHEET, row + 1, len(decisions), fields)
    for place, decision in enumerate(decisions):
        table.put("what", place, _sign_kept(decision.what))
        table.put("at", place, day_number(decision.at_s))
        table.put("reason", place, _sign_kept(decision.reason))
    if not decisions:
        table.put("what", 0, "none", "muted")


def _sign_kept(text: Text) -> Text:
    """A text of ours, or what the planner wrote, in which a sign of money is what it says."""
    return text if isinstance(text, Message) else AsWritten(text)
