"""Delimited text: reading of header lines, and writing without harmful cells."""

import csv
import io
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TextIO

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.lazy_re import lazy_re

# --- The header line of a table: delimiter and column names ---------------------------------------

DELIMITERS: Final = (",", ";", "\t", "|")
"""In order of preference where two split a line equally well."""

_NOT_LETTERS: Final = lazy_re(r"[^a-z0-9]")


@lru_cache(maxsize=4096)
def bare(heading: str) -> str:
    """Return a heading or dotted key in lower case, without spaces and punctuation.

    >>> bare("GPU Count"), bare("lineItem/UsageType"), bare("workloadRequestedResources.gpu.request")
    ('gpucount', 'lineitemusagetype', 'workloadrequestedresourcesgpurequest')
    """
    return _NOT_LETTERS.sub("", heading.casefold())


class TableHead(NamedTuple):
    """First line of a table: its delimiter, and its column names in lower case."""

    delimiter: str
    columns: tuple[str, ...]


def header_columns(head: str) -> TableHead:
    """Return the delimiter and the column names (lower case, trimmed) of the first line that is not blank.

    >>> header_columns("Job ID;GPUs")
    TableHead(delimiter=';', columns=('job id', 'gpus'))
    """
    line = _first_line(head)
    delimiter = max(DELIMITERS, key=line.count)
    return TableHead(delimiter=delimiter, columns=tuple(name.lower() for name in _parted(line, delimiter)))


def headings_written(head: str) -> tuple[str, ...]:
    """Return the column names of `header_columns` in the letters of the file.

    >>> headings_written("Job ID;GPUs")
    ('Job ID', 'GPUs')
    """
    return _parted(_first_line(head), header_columns(head).delimiter)


def best_header(
    head: str,
    wanted: Collection[str],
    folded: Callable[[str], str] = str.casefold,
    meant: Callable[[Sequence[str]], tuple[str, ...]] = tuple,
) -> tuple[str, tuple[str, ...]]:
    """Return the delimiter that gives most of the wanted headings in the first line, and the trimmed columns.

    folded: returns the compared form of a heading. meant: returns the intended columns.
    """
    line, sought = _first_line(head), set(map(folded, wanted))
    best: tuple[str, tuple[str, ...]] = (",", ())
    found = -1
    for delimiter in DELIMITERS:
        try:
            columns = meant(_parted(line, delimiter))
        except csv.Error:
            continue
        matches = len(sought & set(map(folded, columns)))
        if matches > found:
            best, found = (delimiter, columns), matches
    return best


def has_columns(head: str, *names: str) -> bool:
    """Return whether the first line names all of these columns. names: in lower case."""
    return set(names) <= set(header_columns(head).columns)


def check_columns(path: str, columns: Collection[str], needed: Sequence[str], remedy: Message) -> None:
    """Check that all needed columns exist. needed: in lower case.

    Errors: PlannerError missing_column with the missing ones.
    """
    there = {name.casefold() for name in columns}
    missing = [name for name in needed if name not in there]
    if missing:
        raise no_column(path, missing, remedy)


def no_column(path: str, missing: Sequence[str], remedy: Message, row: int = 1) -> PlannerError:
    """Return the error for missing columns. row: line of the header.

    >>> str(no_column("jobs.csv", ["gpus"], worded("name it with --map")))
    'jobs.csv:1: missing_column: no column gpus; name it with --map'
    """
    problem = worded("no column {names}", names=", ".join(missing))
    return PlannerError(f"{path}:{row}", "missing_column", problem, remedy)


def _first_line(head: str) -> str:
    """Return the first line that is not blank; "" without one."""
    return next((text for text in head.splitlines() if text.strip()), "")


def _parted(line: str, delimiter: str) -> tuple[str, ...]:
    """Return the trimmed names in a header line, without quotes."""
    return tuple(name.strip() for name in next(csv.reader([line], delimiter=delimiter), []))


# --- Every table that we write, as CSV or for the clipboard: no text starts a formula, and all can be read back ---

_SIGNS: Final = frozenset("=+-@")
"""First characters of formulas, also in wide and small forms of other scripts (`unicodedata`: NFKC)."""
_BREAKS: Final = frozenset("\t\r\n")
_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Invisible characters that count as letters and signs."""
_NUMBER: Final = lazy_re(r"[+-]\$?[0-9][0-9,.\u00a0\u202f]*(?:[eE][+-]?[0-9]{1,3})?(?:%| pt)?")
"""A signed number, which is harmless and stays a number."""


def harmless(text: str) -> str:
    """Return a text that spreadsheets do not read as a formula; a quote is added in front, and can be removed again.

    >>> harmless("=1+1"), harmless("-1.5"), harmless("\uff1d1"), harmless("R&D")
    ("'=1+1", '-1.5', "'\uff1d1", 'R&D')
    """
    return f"'{text}" if _begins_formula(text.lstrip("'")) else text


def as_written(text: str) -> str:
    """Undo `harmless`. Law: as_written(harmless(text)) == text.

    >>> as_written("'=1+1"), as_written("it's"), as_written("'quoted'")
    ('=1+1', "it's", "'quoted'")
    """
    return text[1:] if text.startswith("'") and _begins_formula(text.lstrip("'")) else text


def write_rows(out: TextIO, rows: Iterable[Iterable[object]], line_end: str = "\r\n") -> None:
    """Write rows as CSV: texts made harmless, None empty, numbers unchanged.

    line_end: a stray return in a cell is quoted only if it is part of the line end.
    """
    csv.writer(out, lineterminator=line_end).writerows(
        [harmless(str(cell)) if isinstance(cell, Message | str) else cell for cell in row] for row in rows
    )


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV text, as `write_rows`."""
    out = io.StringIO()
    write_rows(out, rows)
    return out.getvalue()


def tab_text(rows: Iterable[Iterable[str]]) -> str:
    """Return rows for the clipboard, tab-separated, one line each, which spreadsheets split into cells.

    >>> tab_text([("a", "=1"), ("b", "two\\tcells")])
    "a\\t'=1\\nb\\ttwo cells"
    """
    return "\n".join("\t".join(harmless(_in_one_line(cell)) for cell in row) for row in rows)


def _in_one_line(text: str) -> str:
    """Return a text without line breaks and tabs, which would shift cells."""
    return text if text.isprintable() else " ".join(text.replace("\t", " ").splitlines())


def _begins_formula(text: str) -> bool:
    """Return whether the first visible character starts a formula, or a line break or tab comes before it."""
    first = text[:1]
    if (first.isalnum() and first not in _BLANK_LETTERS) or _NUMBER.fullmatch(text):
        return False
    for letter in text:
        if letter in _BREAKS or unicodedata.normalize("NFKC", letter)[:1] in _SIGNS:
            return True
        if not _is_unseen(letter):
            return False
    return False


def _is_unseen(letter: str) -> bool:
    """Return whether a character is invisible; a formula after such characters is still one."""
    return unicodedata.category(letter)[0] in "ZCM" or letter in _BLANK_LETTERS
