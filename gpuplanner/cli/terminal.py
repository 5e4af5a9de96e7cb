"""What a person reads in a terminal: the answer within 45 lines and 100 columns, and further tables by name."""

import argparse
import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from difflib import get_close_matches
from pathlib import Path
from typing import Final, Self

from gpuplanner.cli.arguments import UsageError
from gpuplanner.cli.documents.head import Document
from gpuplanner.domain.message import Text, lowered
from gpuplanner.domain.model.book.exchange import DOLLARS, Currency
from gpuplanner.files.system.resources import rows_of, words_table
from gpuplanner.files.system.terminal_output import LINE_AT_MOST, cut, error_line, one_line
from gpuplanner.lazy_dataclass import dataclass, replace

LINES: Final = 45
COLUMNS: Final = 100
LEAST_COLUMNS: Final = 40
ROOM_OF_TEXT: Final = 14
"""Characters of a text column below which a summary leaves out the last column instead."""
LEAST_TEXT: Final = 8
"""Characters that a text column keeps on a narrow terminal."""
KEY_COLUMNS: Final = 2
"""First columns that every part of a table repeats, at most."""
FEWER_ROWS: Final = (None, 20, 12, 8, 5, 3)
"""Rows of each table of --show, the most that fit; None: as many as a table has."""
"""Characters that a text column keeps on a narrow terminal."""
MOST_ROWS: Final = 8
"""Rows of a table of a summary at most."""
FEW_ROWS: Final = 3
"""Rows that every table of a summary keeps before another has fewer; least_rows of a table may be more."""
HEADING_WIDTHS: Final = (20, 16, 14, 12)
"""Characters of a line of a heading, the widest that fits; fewer make it deeper."""
NOTES_SHOWN: Final = 4
KINDS_SHOWN: Final = 3
NOTE_LINES: Final = 12
"""Lines of the notes of a summary at most; the first note is shown in any case."""
GRADES: Final = {"red": "error", "amber": "warning", "info": "note"}
MORE_LINES: Final = 1
ALL: Final = "all"
ISSUES: Final = "issues"
CUT: Final = "\u2026"
AUDIT: Final = "audit"
_NO_NUMBER: Final = ("", "\u2014", "n/a", "unknown")

Tables = Sequence[tuple[str, Callable[[], str]]]
"""The named tables of an answer, in the order in which `all` lists them; a name may have several."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How tables are laid out. width: columns, None for as many as it takes; top: rows of a table, None: its own;
    is_summary: columns that have no room are left out, the last first, and counted below.
    """

    width: int | None = COLUMNS
    top: int | None = None
    is_summary: bool = False


DEFAULT: Final = Layout()
LAYOUT: Final[ContextVar[Layout]] = ContextVar("layout", default=DEFAULT)


class Commands(str):
    """Lines to run in a shell: they are never wrapped."""


class Note(str):
    """A line of what was read, on standard output. brief: what the summary has of it, empty for nothing."""

    brief: str

    def __new__(cls, text: str, brief: str | None = None) -> Self:
        """The line; its brief form is the line itself unless it is given."""
        note = super().__new__(cls, text)
        note.brief = text if brief is None else brief
        return note


class FileNote(Note):
    """A warning about one file: one line of a summary, by the name of the file.

    path: of the file; code: of the issue; is_first: whether it comes before all others, checks too.
    """

    path: str
    code: str
    is_first: bool

    def __new__(
        cls, text: str, brief: str, path: str = "", code: str = "", *, is_first: bool = False
    ) -> Self:
        """The line, and its brief form, which names the file."""
        note = super().__new__(cls, text, brief)
        note.path, note.code, note.is_first = path, code, is_first
        return note


class Aside(Note):
    """A note that the JSON document has not: with --json it is on standard error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a command says: a JSON document, the same as text, errors and notes, an exit status.

    Notes of what was read are shown with the text; errors go to standard error.
    """

    document: Document
    text: Callable[[], str]
    error_lines: tuple[str, ...] = ()
    exit_status: int = 0
    currency: Currency = DOLLARS
    """What the text is in."""
    tables: Tables = ()
    """Further tables, by the names of --show."""


# --- One table -----------------------------------------------------------------------------------


def table(headings: Sequence[Text], rows: Sequence[Sequence[object]], left: int = 1) -> str:
    """Rows under headings, indented by two: texts on the left, numbers on the right.

    left: so many first columns are texts whatever they hold. A table wider than the layout gets headings of several
    lines, then shorter texts, then parts below each other with the same first columns; numbers are never cut.
    """
    layout = LAYOUT.get()
    width = layout.width
    cells = [[cut(str(cell), LINE_AT_MOST) for cell in row] for row in rows]
    columns = [[row[at] for row in cells] for at in range(len(headings))]
    texts = [at < left or not all(map(_is_number, column)) for at, column in enumerate(columns)]
    heads = [[one_line(heading)] for heading in headings]
    widths = [max(map(len, (heads[at][0], *column))) for at, column in enumerate(columns)]
    if width is not None and sum(widths) > width - 2 * len(widths):
        for most in HEADING_WIDTHS:
            for at, column in enumerate(columns):
                line = one_line(headings[at])
                least = max((len(word) for word in line.split()), default=1)
                heads[at] = textwrap.wrap(line, max(least, most, *map(len, column), 0)) or [""]
                widths[at] = max(map(len, (*heads[at], *column)))
            if sum(widths) <= width - 2 * len(widths):
                break
        least_widths = [
            min(of, ROOM_OF_TEXT) if is_text else of for of, is_text in zip(widths, texts, strict=True)
        ]
        if parts := [] if layout.is_summary else _parts(widths, texts, width, min(left, KEY_COLUMNS)):
            return "\n".join(
                table([headings[at] for at in part], [[row[at] for at in part] for row in rows], left)
                for part in parts
            )
        kept = len(widths)
        while layout.is_summary and sum(least_widths[:kept]) > width - 2 * kept:
            kept -= 1
        heads, widths, texts, cells = heads[:kept], widths[:kept], texts[:kept], [row[:kept] for row in cells]
        room = width - 2 * kept
        fits = sum(width for width, is_text in zip(widths, texts, strict=True) if not is_text) < room
        while fits and sum(widths) > room and (wide := [at for at, is_text in enumerate(texts) if is_text]):
            widest = max(wide, key=lambda at: widths[at])
            if widths[widest] <= LEAST_TEXT:
                break
            widths[widest] -= 1
    left_out = len(columns) - len(widths)
    deep = max(map(len, heads), default=1)
    above = [[_line_of(lines, row - deep) for lines in heads] for row in range(deep)]
    laid = [
        "  ".join(
            cut(cell, width).ljust(width) if is_text else cell.rjust(width)
            for cell, width, is_text in zip(row, widths, texts, strict=True)
        ).rstrip()
        for row in (*above, *cells)
    ]
    if left_out:
        laid.append(f"and {left_out} more column{'s' * (left_out > 1)}: --wide")
    return "\n".join("  " + line for line in laid)


def _parts(widths: Sequence[int], texts: Sequence[bool], width: int, keys: int) -> list[list[int]]:
    """The columns of each part of a table that has no room, its first so many in all; none where it has."""
    least = [2 + (min(of, LEAST_TEXT) if is_text else of) for of, is_text in zip(widths, texts, strict=True)]
    rest = range(keys, len(widths))
    if sum(least) <= width or len(rest) < 2:
        return []
    many = -(-sum(least[keys:]) // max(1, width - sum(least[:keys])))
    each = -(-len(rest) // max(2, many))
    return [[*range(keys), *rest[at : at + each]] for at in range(0, len(rest), each)]


def _line_of(lines: Sequence[str], at: int) -> str:
    """A line of a heading, counted from its last, -1; empty above its first."""
    return lines[at] if -at <= len(lines) else ""


def _is_number(cell: str) -> bool:
    """A figure, a date or nothing: what is aligned at the right."""
    first = cell.removeprefix("at least ").lstrip("+-\u2212$<\u2265~ ")[:1]
    return cell in _NO_NUMBER or (first.isdecimal() and len(cell) < 2 * LEAST_TEXT + 8)


# --- What a call shows: its summary, or the tables that it names ---------------------------------


def names_of(command: str) -> Mapping[str, Mapping[str, str]]:
    """The tables of a command: what each is, in one line, and its place in the summary, if any.

    least_rows: rows that no want of room cuts. gives_way: the order in which tables of a summary have fewer rows,
    before all others.
    """
    return {
        row["name"]: row for row in rows_of("terminal_tables.csv") if row["command"] in (command, "every")
    }


def check_names(words: argparse.Namespace) -> tuple[str, ...]:
    """The names of --show. Errors: UsageError for a file, and for a name that is none, with the nearest."""
    known = names_of(words.command)
    names = tuple(name.strip() for name in (words.show or "").split(",") if name.strip())
    if words.top is not None and not (words.top.isdecimal() and int(words.top)):
        raise UsageError(f"--top {words.top!r} is no number of rows. Write --top 20")
    for name in names:
        if name not in known and name not in (ALL, "list"):
            if Path(name).exists():
                raise UsageError(
                    f"--show {name}: that is a file, not a table. Write the file before --show, or --show list "
                    "for the names"
                )
            nearest = get_close_matches(name, (*known, ALL), n=1, cutoff=0.0)[0]
            raise UsageError(f"--show {name}: no such table. Did you mean {nearest}? List: --show list")
    return names


def list_text(command: str) -> str:
    """The names of --show, a line each."""
    listed = [(name, row["about"]) for name, row in names_of(command).items()]
    return table(("--show", "What it lists"), [*listed, (ALL, "every table")], left=2)


def terminal_text(answer: Answer, words: argparse.Namespace, names: Sequence[str]) -> str:
    """The summary of an answer, or the tables of these names. Errors: none."""
    width = min(COLUMNS, max(LEAST_COLUMNS, shutil.get_terminal_size((COLUMNS, 24)).columns))
    layout = Layout(None if words.wide else width, None if words.top is None else int(words.top))
    notes = [line for line in answer.error_lines if isinstance(line, Note)]
    LAYOUT.set(layout)
    try:
        for top in FEWER_ROWS if names else ():
            LAYOUT.set(layout if layout.top else Layout(layout.width, top))
            asked = layout.top is not None
            lines = "\n".join(_named(answer, words.command, notes, names, is_asked=asked))
            if layout.top or {ALL, AUDIT} & {*names} or lines.count("\n") < LINES * len(names):
                return lines
        if names:
            return _first_tables(lines, names)
        return _summary(answer, words.command, notes, layout)
    finally:
        LAYOUT.set(DEFAULT)


def _first_tables(lines: str, names: Sequence[str]) -> str:
    """Those of many short tables that have room, and how to see the others; a single one is whole."""
    kept, blank, _ = "\n".join(lines.split("\n")[: LINES * len(names) - 1]).rpartition("\n\n")
    if not blank:
        return lines
    more = lines[len(kept) :].count("\n\n")
    return f"{kept}\n  {more} more table{'s' * (more > 1)}: --show {','.join(names)} --top {FEWER_ROWS[-1]}"


def _least_rows(known: Mapping[str, Mapping[str, str]], name: str) -> int:
    """Rows that no want of room cuts. known: as `names_of` gives them."""
    return int((known[name]["least_rows"] if name in known else "") or 0)


def _named(
    answer: Answer, command: str, notes: Sequence[Note], names: Sequence[str], *, is_asked: bool
) -> Iterator[str]:
    """Each table that is asked for, once, in the order of the answer; texts as wide as the layout.

    is_asked: whether the call says how many rows a table has.
    """
    is_all, has_issues = ALL in names, bool(notes)
    of_audit = names_of(AUDIT) if AUDIT in names else {}
    layout, known = LAYOUT.get(), names_of(command)
    if is_all or not answer.tables:
        yield from wrapped(answer.text().strip("\n"))
    for name, text in answer.tables:
        if not is_asked and layout.top is not None:
            LAYOUT.set(replace(layout, top=max(layout.top, _least_rows(known, name))))
        if (is_all or name in names or name in of_audit) and (block := text()).strip("\n"):
            lines = block.strip("\n")
            yield from ("", *(lines.split("\n") if isinstance(block, Commands) else wrapped(lines)))
            has_issues |= name == ISSUES
    if is_all or ISSUES in names:
        yield from wrapped("\n".join(notes) if has_issues or is_all else "No issues.")


def _summary(answer: Answer, command: str, notes: Sequence[Note], layout: Layout) -> str:
    """The answer, warnings, and how to see the rest; the longest tables have fewer rows until there is room."""
    below = ["", *more_text(command)] if answer.tables else []
    checks = answer.document.get("checks") or () if answer.tables else ()
    shown = list(_warnings(checks, notes))
    sections: list[str] = []
    for count, lines in enumerate(shown):
        if count == NOTES_SHOWN or (count and len(sections) + len(lines) > NOTE_LINES):
            names = f"checks,{ISSUES}" if "checks" in names_of(command) else ISSUES
            sections.append(f"  {len(shown) - count:,} more: --show {names}")
            break
        sections += lines
    else:
        if any(line.endswith(CUT) for line in sections):
            sections.append(f"  In full: --show {ISSUES}")
    room = LINES - len(sections) - len(below)
    known = names_of(command)
    places = sorted((int(row["summary"]), name) for name, row in known.items() if row["summary"])
    named = [(name, text) for _, place in places for name, text in answer.tables if name == place]
    LAYOUT.set(Layout(layout.width, None, layout.width is not None))
    lines = wrapped(answer.text().strip("\n"))
    room -= len(lines)
    blocks = [_Block(name, text, layout, known[name]) for name, text in named]
    left_out: list[str] = []
    while sum(len(block.lines) for block in blocks) + bool(left_out) > room and not layout.top:
        shortened = max(blocks, key=_Block.next_to_shorten, default=None)
        if shortened is not None and shortened.top > shortened.least:
            shortened.top -= 1
            shortened.lines = shortened.laid(layout)
        elif droppable := [block for block in blocks if block.least == 1]:
            blocks.remove(droppable[-1])
            left_out.insert(0, droppable[-1].name)
        else:
            break
    if room < 0 and not layout.top:
        lines = [*lines[: room - 1], f"  {1 - room:,} more lines: --show {ALL}"]
    lines += [line for block in blocks for line in block.lines]
    lines += [f"  Not shown: --show {','.join(dict.fromkeys(left_out))}"] * bool(left_out)
    return "\n".join((*lines, *sections, *below))


def _warnings(checks: Sequence[Mapping[str, str]], notes: Sequence[Note]) -> Iterator[list[str]]:
    """The lines of each warning of a summary; one about a file is one line, also where a check says it too."""
    of_files = [note for note in notes if isinstance(note, FileNote)]
    told_by_notes = {(note.path, note.code) for note in of_files}
    yield from ([_file_line(note.brief)] for note in of_files if note.is_first and note.brief)
    untold = [check for check in checks if (str(check["subject"]), check["code"]) not in told_by_notes]
    for text in _of_checks(untold, checks):
        yield wrapped(f"! {error_line(text)}")
    for note in notes:
        if not isinstance(note, FileNote):
            yield from [wrapped(f"! {error_line(note.brief)}")] if note.brief else []
        elif note.brief and not note.is_first:
            yield [_file_line(note.brief)]


def _file_line(text: str) -> str:
    """A warning about a file as one line: without its remedy where both have no room, and cut where that has none."""
    line, width = f"! {error_line(text)}", LAYOUT.get().width
    if width is None or len(line) <= width:
        return line
    problem, _, remedy = line.rpartition("; ")
    return f"{problem} {CUT}" if remedy and len(problem) <= width - 2 else cut(line, width)


def _of_checks(untold: Sequence[Mapping[str, str]], checks: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """Errors and what may change a plan in whole sentences, then how many checks of each code there are.

    untold: checks that no other line says; checks: all, which are counted.
    """
    texts = rows_of("check_texts.csv")
    titles = {code: str(lowered(title)) for code, title in words_table("check").items()}
    titles |= {row["code"]: row["title"] for row in texts}
    risks = {row["code"] for row in (*texts, *rows_of("code_texts.csv")) if row["in_summary"]}
    errors = (check for check in untold if check["code"] in risks or check["severity"] == "red")
    yield from map(_check_sentence, errors)
    counts = Counter(titles.get(row["code"], row["code"]) for row in checks if row["severity"] != "info")
    kinds = [f"{count} \u00d7 {title}" for title, count in counts.most_common(KINDS_SHOWN)]
    if (more := len(counts) - KINDS_SHOWN) > 0:
        kinds.append(f"{more} more kind{'s' * (more > 1)}")
    if by_grade := Counter(GRADES[row["severity"]] for row in checks):
        graded = ", ".join(
            f"{by_grade[name]} {name}{'s' * (by_grade[name] != 1)}"
            for name in GRADES.values()
            if by_grade[name]
        )
        yield f"{graded}{': ' * bool(kinds)}{', '.join(kinds)} (--show checks)"


def _check_sentence(check: Mapping[str, str]) -> str:
    """What a check says of its subject, which is named once."""
    subject, message = str(check["subject"]), str(check["message"])
    return message if message.startswith(f"{subject} ") else f"{subject}: {message}"


class _Block:
    """A part of a summary with the rows that its tables have."""

    def __init__(self, name: str, text: Callable[[], str], layout: Layout, known: Mapping[str, str]) -> None:
        """Lay it out with the rows of the call, else with the most of a summary. known: its row of `names_of`."""
        self.name, self.text, self.least = name, text, int(known["least_rows"] or 1)
        self.top = layout.top or max(MOST_ROWS, self.least)
        self.order = -int(known["gives_way"]) if known["gives_way"] else -sys.maxsize
        self.lines = self.laid(layout)

    def next_to_shorten(self) -> tuple[bool, int, bool, int]:
        """Sort key, largest first: tables that give way, then the longest; none under FEW_ROWS before all are."""
        has_many = self.top > max(FEW_ROWS, self.least)
        return has_many, self.order if has_many else 0, self.top > self.least, len(self.lines)

    def laid(self, layout: Layout) -> list[str]:
        """Its lines; none where it has nothing to show."""
        LAYOUT.set(Layout(layout.width, self.top, layout.width is not None))
        text = self.text().rstrip("\n")
        return wrapped(text) if text else []


def more_text(command: str) -> list[str]:
    """The lines that name the other tables."""
    names = ", ".join((ALL, *names_of(command)))
    listed = textwrap.wrap(
        f"More: --show {names}",
        LAYOUT.get().width or COLUMNS,
        subsequent_indent="  ",
        break_on_hyphens=False,
        max_lines=MORE_LINES,
        placeholder=" \u2026 (--show list)",
    )
    return [
        *listed,
        "      --top N: rows of a table \u00b7 --wide: no column shortened \u00b7 --json | --csv DIR",
    ]


def wrapped(text: str) -> list[str]:
    """The lines of a text, sentences as wide as the layout; rows of a table stay whole."""
    width = LAYOUT.get().width
    lines: list[str] = []
    for line in text.split("\n"):
        _, gap, rest = line.strip().partition("  ")
        if width is None or len(line) <= width or "  " in rest.strip():
            lines.append(line)
        else:
            at = line.index(rest.lstrip()) if gap else len(line) - len(line.lstrip()) + 2
            indent = " " * min(at, LEAST_COLUMNS // 2)
            lines += textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False)
    return lines
