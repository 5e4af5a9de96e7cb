"""Survey of a given file as bytes: kind, encoding, lines, first records."""

import codecs
import csv
import glob
import hashlib
import io
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from itertools import chain, islice
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import NO_WORDS, Message, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.sources.spreadsheet import sheet_rows
from gpuplanner.files.sources.unpack import Part, parts_of
from gpuplanner.files.system.engine import quiet_connection
from gpuplanner.files.system.output_file import unreadable
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.system.resources import words_table
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- Bytes outside an encoding: different texts must stay different -------------------------------

NOT_UTF_8: Final = "cp1252"
"""Encoding of bytes that are not UTF-8: Latin-1 with Windows's additions, such as the euro sign."""

_AS_LATIN_1: Final = "gpuplanner_as_latin_1"


def errors_of(encoding: str) -> str:
    """Return the handler for bytes outside an encoding: Windows-1252's five gaps are read as Latin-1.

    Names in other encodings, such as Shift JIS, contain these bytes, and users must stay distinct.
    """
    return _AS_LATIN_1 if encoding == NOT_UTF_8 else "replace"


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    """Decode bytes that are not UTF-8 as Latin-1, so that different bytes stay different."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(_AS_LATIN_1, _as_latin_1)


# --- Records of delimited text with their first line: the careful reader for irregular files ------

_LINES_IN_ONE_RECORD_AT_MOST: Final = 200
_FIELD_BYTES_AT_MOST: Final = 16 * 2**20
csv.field_size_limit(_FIELD_BYTES_AT_MOST)


class LongCellError(ValueError):
    """A cell is longer than in any real table. line: first line of its record, from 1."""

    def __init__(self, line: int) -> None:
        super().__init__(f"a cell of line {line} is too long")
        self.line = line


def records(
    lines: Iterable[str], delimiter: str, *, is_quoted: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Yield every record that is not blank, as (line number from 1, fields).

    delimiter: one character. A quoted field may contain line ends. A quote that is never closed counts as text of its
    line, so that the following rows are not lost. Errors: LongCellError.
    """
    waiting: deque[tuple[int, str]] = deque()
    numbered = enumerate(lines, 1)

    def next_line() -> tuple[int, str] | None:
        """Return the next line, first from those read ahead; None at the end."""
        return waiting.popleft() if waiting else next(numbered, None)

    while (begun := next_line()) is not None:
        number, text = begun
        if not text.strip() and delimiter not in text:
            continue
        plain = text.rstrip("\r\n")
        if not is_quoted or '"' not in plain:
            yield number, plain.split(delimiter)
            continue
        taken: list[tuple[int, str]] = []
        while (fields := _parsed(text, delimiter, number)) is None:
            following = next_line() if len(taken) < _LINES_IN_ONE_RECORD_AT_MOST else None
            if following is None:
                waiting.extendleft(reversed(taken))
                fields = plain.split(delimiter)
                break
            taken.append(following)
            text += following[1]
        yield number, fields


def _parsed(text: str, delimiter: str, line: int) -> list[str] | None:
    """Return the fields of a record; None if a quoted field is still open at its end. Errors: LongCellError."""
    try:
        return next(csv.reader([text.rstrip("\r\n")], delimiter=delimiter, strict=True))
    except csv.Error as fault:
        if "unexpected end of data" in str(fault):
            return None
        if "field limit" in str(fault):
            raise LongCellError(line) from fault
        return next(csv.reader([text.rstrip("\r\n")], delimiter=delimiter))


# --- The start of a JSON text, thinned out, so that all keys appear even in a very long first record

LOOKED_AT_BYTES: Final = 16 * 2**20
"""Bytes searched for a text's first complete records."""

_HEAD_LETTERS: Final = 128 * 1024
_ITEMS_OF_A_LIST: Final = 20
_ITEMS_WITHIN: Final = 3
"""For nested lists, such as a job's nodes or a node's sockets."""

_KEYS_AT_MOST: Final = 200
_LETTERS_OF_A_TEXT: Final = 300
_DEPTH_AT_MOST: Final = 100
_TOKEN: Final = lazy_re(r'(?s)"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_BEGIN: Final = "\ufeff \t\r\n"


def begins_long(head: str) -> bool:
    """Return whether a cut-off text may be JSON that ends within its first record.

    Such a head is thinned out, so that later keys appear too.
    """
    if head.lstrip(_BEGIN)[:1] not in ("{", "["):
        return False
    kinds: list[str] = []
    for token in _tokens(head):
        if token in "{[":
            kinds.append(token)
            if len(kinds) > _DEPTH_AT_MOST:
                return False
        elif token in "}]":
            if not kinds:
                return False
            kind = kinds.pop()
            is_record = kind == "{" and (not kinds or (kinds[-1] == "[" and "[" not in kinds[:-1]))
            if is_record and len(kinds) <= 2:  # alone, in a list, or in a list of an object
                return False
    return True


def thinned(text: str) -> str:
    """Return the start of a JSON text with the first items of each list, the first keys of each object and the start of
    long
    texts. Top-level values keep their lines.
    """
    is_by_line = "\n" not in text.strip()[: 64 * 1024]
    out: list[str] = []
    letters = 0
    kinds: list[str] = []
    counts: list[int] = []  # commas in each open list or object
    skipped = 0  # depth of the skipped part; 0: not skipping
    for token in _tokens(text):
        if token in "}]":
            if not kinds:
                break
            if skipped == len(kinds):
                skipped = 0
            kinds.pop()
            counts.pop()
        if token == "," and kinds and not skipped:
            counts[-1] += 1
            if counts[-1] >= _most(kinds):
                skipped = len(kinds)
        if not skipped:
            said = token
            if len(token) > _LETTERS_OF_A_TEXT and token[0] == '"':
                said = token[:_LETTERS_OF_A_TEXT].rstrip("\\") + '"'
            out.append(said)
            letters += len(said)
            if not kinds and token in "{}":
                out.append("" if token == "{" and is_by_line else "\n")
        if token in "{[":
            kinds.append(token)
            counts.append(0)
            if len(kinds) > _DEPTH_AT_MOST:
                break
        if letters > _HEAD_LETTERS:
            break
    return "".join(out)


def _most(kinds: list[str]) -> int:
    """Return how many entries to keep at this depth: many keys, some records of a list, few items within a record."""
    if kinds[-1] == "{":
        return _KEYS_AT_MOST
    return _ITEMS_WITHIN if "[" in kinds[:-1] else _ITEMS_OF_A_LIST


def _tokens(text: str) -> Iterator[str]:
    """Yield the tokens of a JSON text, in order."""
    return (match[0] for match in _TOKEN.finditer(text))


# --- A given file as bytes: kind, encoding, line ends, first lines as text ------------------------

TEXT: Final = "text"
XLSX: Final = "xlsx"
PARQUET: Final = "parquet"
OTHER: Final = "other"

_HEAD_BYTES: Final = 64 * 1024
_HEAD_ROWS: Final = 200
_ROWS_AT_ONCE: Final = 1000
_CHUNK_BYTES: Final = 2**20
_LINE_FEED: Final = 10

NULS_IN_TEXT: Final = 0.01
NULS_AT_LEAST: Final = 4
"""Text may contain a few stray NULs, which are dropped; with more it is binary."""

PROJECT_FILE: Final = worded("a project of gpuplanner")
_FOREIGN: Final = {bytes.fromhex(first): words for first, words in words_table("first_bytes").items()}
"""First bytes of files imported by mistake, with the names of their kinds."""


NOT_SET: Final = (
    "18446744073709551614",
    "18446744073709551615",
    "18446744073709551613",
    "4294967294",
    "4294967295",
)
"""-2, -1 and -3 as unsigned 64-bit numbers, and the like: schedulers write them for not set, infinite, unknown."""

_CONSTANT_MARKS: Final = (
    b"1844674407370955161",
    b"429496729",
)  # each search takes a third of a second per GB
_CONSTANT: Final = lazy_re(rf"(?<![\d.-])(?:{'|'.join(NOT_SET)})(?![\d.])".encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The survey of a whole file.

    path: as given. at: path of the bytes, which differs for packed files. kind: TEXT, XLSX, PARQUET or OTHER.
    lines: text lines without blank ones at the end. newline, is_regular: the line end; only this kind, and no stray
    carriage returns. foreign: kind of file, if not ours. head: first lines as text (as CSV for spreadsheets and
    Parquet). ends_before: line ends before each 2**20 bytes of a text. constants: numbers that mean "not set" in a
    text, with their counts. sheet: the sheet to read; "": the first with rows. opened: opens the rows of a text that is
    no plain table.
    """

    path: str
    kind: str
    size: int
    sha256: str
    encoding: str = "utf-8"
    lines: int = 0
    newline: str = "\n"
    is_regular: bool = True
    has_quotes: bool = False
    foreign: Message = NO_WORDS
    head: str = ""
    at: str = ""
    ends_before: tuple[int, ...] = ()
    constants: tuple[tuple[str, int], ...] = ()
    sheet: str = ""
    opened: Callable[[], AbstractContextManager[Iterator[tuple[int, list[str]]]]] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the file is empty: no bytes, only blanks, or an empty list."""
        return self.kind != OTHER and not self.head.strip("\ufeff\0 \t\r\n[]{}")

    @property
    def is_project(self) -> bool:
        """Whether it is one of our project files."""
        return self.foreign is PROJECT_FILE

    def lines_at(self, numbers: Ints) -> Iterator[bytes]:
        """Yield the lines of a text with these numbers (ascending, from 1), without line ends.

        Reads only the chunks needed; yields one line per number.
        """
        starts = np.asarray(self.ends_before)
        chunk_of = np.searchsorted(starts, numbers - 1, side="left") - 1  # chunk where the line before ends
        chunk_of[numbers == 1] = 0
        with Path(self.at).open("rb") as file:
            for chunk in np.unique(chunk_of).tolist():
                file.seek(chunk * _CHUNK_BYTES)
                text = file.read(_CHUNK_BYTES)
                ends = _ends(text)
                first_ended = starts[chunk] + 1  # first line that ends in this chunk
                for number in numbers[chunk_of == chunk].tolist():
                    begin = 0 if number == 1 else int(ends[number - 1 - first_ended]) + 1
                    place = number - first_ended
                    while place >= len(ends) and (more := file.read(_CHUNK_BYTES)):
                        text += more
                        ends = _ends(text)
                    yield text[begin : int(ends[place]) if place < len(ends) else len(text)].rstrip(b"\r")

    @contextmanager
    def text_lines(self) -> Iterator[Iterator[str]]:
        """Open a text file as an iterator of lines with their ends; use in `with`.

        Bytes outside the encoding become letters of their own.
        """
        with Path(self.at).open(encoding=self.encoding, errors=errors_of(self.encoding), newline="") as lines:
            yield lines

    @contextmanager
    def rows(
        self, delimiter: str = ",", *, is_quoted: bool = True
    ) -> Iterator[Iterator[tuple[int, list[str]]]]:
        """Open a text file, spreadsheet or Parquet file as rows that are not blank: (line number, fields); use in
        `with`.

        delimiter, is_quoted: for text files. Errors: PlannerError file_unreadable or truncated_file while reading.
        """
        if self.opened is not None:
            with self.opened() as rows:
                yield rows
        elif self.kind == XLSX:
            with sheet_rows(Path(self.at), self.path, self.sheet) as rows:
                yield rows
        elif self.kind == PARQUET:
            with _parquet_rows(self) as rows:
                yield rows
        else:
            with self.text_lines() as lines:
                try:
                    yield records(lines, delimiter, is_quoted=is_quoted)
                except LongCellError as fault:
                    where, most = f"{self.path}:{fault.line}", whole(_FIELD_BYTES_AT_MOST // 2**20)
                    problem = worded("a cell is over {most} MB", most=most)
                    raise unreadable(
                        where, problem, worded("shorten it, then import the file again")
                    ) from fault


@contextmanager
def sources_of(
    path: str, on_fault: Callable[[PlannerError], None] | None = None
) -> Iterator[tuple[Source, ...]]:
    """Open a path as one source, or one per packed file; use in `with`. Errors: as for survey.

    on_fault: receives the error of each unreadable file in an archive if others can be read; without it the first is
    raised.
    """
    with own_folder() as folder:
        sources: list[Source] = []
        faults: list[PlannerError] = []
        for part in parts_of(path, folder):
            try:
                sources.append(survey_part(part))
            except PlannerError as fault:
                faults.append(fault)
        if faults and (on_fault is None or not sources):
            raise faults[0]
        for one in faults:
            if on_fault is not None:
                on_fault(one)
        yield tuple(sources)


Stated = TypeVar("Stated")


def stated_of(path: str, by_path: Mapping[str, Stated]) -> Stated | None:
    """Return the statement about a file, or about the archive or workbook that contains it; None without one.

    >>> stated_of("a.zip/jobs.csv", {"a.zip": "granite"}), stated_of("a.zip2", {"a.zip": "granite"})
    ('granite', None)
    """
    return next((value for known, value in by_path.items() if f"{path}/".startswith(f"{known}/")), None)


def survey_part(
    part: Part, on_bytes: Callable[[int], None] | None = None, *, is_head_enough: bool = False
) -> Source:
    """Survey a file or a packed file. Errors: as for survey, and the fault of a packed file."""
    if part.fault is not None:
        raise part.fault
    return survey(part.path, on_bytes, part.at, is_head_enough=is_head_enough, sheet=part.sheet)


def holds(source: Source, marks: Sequence[bytes]) -> bool:
    """Return whether a file contains one of some byte marks; for most files this saves a second reading."""
    with Path(source.at).open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        return any(content.find(mark) >= 0 for mark in marks)


def survey(
    path: str,
    on_bytes: Callable[[int], None] | None = None,
    at: Path | None = None,
    *,
    is_head_enough: bool = False,
    sheet: str = "",
) -> Source:
    """Read a file once, from end to end, regardless of its name.

    on_bytes: callback with the bytes read. at: path of the bytes, if not `path`. sheet: of a workbook.
    is_head_enough: read only the start; size, lines and sha256 then refer to it. So they do for binary data.
    Errors: PlannerError file_missing, file_unreadable, truncated_file.
    """
    if "\0" in path or path != path.encode("utf-8", "ignore").decode():
        raise unreadable(path, worded("file name not UTF-8"), worded("rename the file or its folder"))
    digest = hashlib.sha256()
    lines, utf_8 = _LineCount(), _Utf8()
    size, first, last, is_text, is_binary = 0, b"", b"", True, False
    try:
        with (at or Path(path)).open("rb") as file, ThreadPoolExecutor(1) as beside:
            hashed: Future[None] | None = None
            while chunk := file.read(_CHUNK_BYTES):
                if not size:
                    first = chunk[:_HEAD_BYTES]
                    first_kind, foreign = _kind(first)
                    is_text = first_kind == TEXT
                    is_foreign = first_kind == OTHER and foreign is not PROJECT_FILE
                    is_binary = is_foreign or (is_text and _is_binary(first))
                if hashed is not None:
                    hashed.result()
                hashed = beside.submit(digest.update, chunk)
                size += len(chunk)
                last = chunk
                if is_text:
                    lines.add(chunk)
                    utf_8.add(chunk)
                if on_bytes is not None:
                    on_bytes(len(chunk))
                if is_head_enough or is_binary:  # of what is no table the rest says nothing
                    break
        is_cut = (is_head_enough or is_binary) and size < (at or Path(path)).stat().st_size
        utf_8.add(b"", final=not is_cut)
    except FileNotFoundError:
        raise PlannerError(path, "file_missing", worded("file not found"), worded("check the path")) from None
    except OSError as fault:
        reason = fault.strerror or type(fault).__name__
        raise unreadable(path, joined((reason.lower(),)), worded("check your read permission")) from None
    kind, foreign = _kind(first)
    if kind == PARQUET and last[-4:] != b"PAR1" and not is_cut:
        raise PlannerError(
            path, "truncated_file", worded("the file is cut off"), worded("copy or export it again")
        )
    encoding = _encoding(first, is_utf8=utf_8.is_so_far) if kind == TEXT else "utf-8"
    has_nul = lines.has_nul and not encoding.startswith("utf-16")
    if is_binary and kind == TEXT:
        kind, foreign = OTHER, worded("binary data")
    source = Source(
        path=path,
        kind=kind,
        size=size,
        sha256=digest.hexdigest(),
        encoding=encoding,
        lines=lines.count,
        newline=lines.newline,
        is_regular=lines.is_regular and not has_nul and encoding in ("utf-8", "utf-8-sig"),
        has_quotes=lines.has_quotes,
        foreign=foreign,
        at=str((at or Path(path)).absolute()),  # the engine expands ~ and wildcards in names
        ends_before=tuple(lines.ends_before),
        constants=lines.constants if kind == TEXT else (),
        sheet=sheet,
    )
    return _with_head(source, first)


def _with_head(source: Source, first: bytes) -> Source:
    """Return the source with its first lines or rows as text, for detection; a cut-off line is dropped."""
    if source.kind == TEXT:
        head = first.decode(source.encoding, errors=errors_of(source.encoding))
        if source.size > len(first):
            if begins_long(head):
                with Path(source.at).open("rb") as file:
                    text = file.read(LOOKED_AT_BYTES).decode(source.encoding, errors="replace")
                return replace(source, head=thinned(text))
            head = head[: max(head.rfind("\n"), head.rfind("\r")) + 1] or head
    elif source.kind == XLSX:
        with source.rows() as rows:
            head = as_csv(fields for _, fields in islice(rows, _HEAD_ROWS))
    elif source.kind == PARQUET:
        with _parquet_rows(source, f"limit {_HEAD_ROWS}") as rows:
            head = as_csv(fields for _, fields in rows)
    else:
        head = ""
    return replace(source, head=head)


@contextmanager
def _parquet_rows(source: Source, limit: str = "") -> Iterator[Iterator[tuple[int, list[str]]]]:
    """Open a Parquet file as rows of text: column names as row 0, then records from 1. limit: SQL."""
    import duckdb

    with quiet_connection() as connection:
        try:
            found = connection.execute(
                f"select cast(columns(*) as varchar) from read_parquet(?, hive_partitioning=false) {limit}",
                [glob.escape(source.at)],
            )
        except duckdb.Error as fault:
            raise unsound_parquet(source.path) from fault
        records = chain.from_iterable(iter(lambda: found.fetchmany(_ROWS_AT_ONCE), []))
        texts = (["" if cell is None else str(cell) for cell in record] for record in records)
        yield enumerate(chain([[column[0] for column in found.description or ()]], texts))


def as_csv(rows: Iterable[list[str]]) -> str:
    """Format rows as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _kind(first: bytes) -> tuple[str, Message]:
    """Return a file's kind by its first bytes, and words for a foreign kind."""
    if first.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return XLSX, NO_WORDS
    if first.startswith(b"PAR1"):
        return PARQUET, NO_WORDS
    if (
        first.startswith(b"SQLite format 3") and first[68:72] == b"gpup"
    ):  # the application id in the header of SQLite
        return OTHER, PROJECT_FILE
    for magic, name in _FOREIGN.items():
        if first.startswith(magic):
            return OTHER, name
    return TEXT, NO_WORDS


def _is_binary(first: bytes) -> bool:
    """Return whether the first bytes have more NULs than a text; UTF-16 has one in every other byte."""
    is_wide = _encoding(first, is_utf8=False).startswith("utf-16")
    return not is_wide and first.count(0) > max(NULS_AT_LEAST, NULS_IN_TEXT * len(first))


def _encoding(first: bytes, *, is_utf8: bool) -> str:
    """Return the encoding: from a byte order mark, from zeros in every second byte, otherwise UTF-8 or NOT_UTF_8."""
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if first.startswith(codecs.BOM_UTF8) and is_utf8:
        return "utf-8-sig"
    pairs = len(first) // 2
    if pairs and first[1::2].count(0) > 0.7 * pairs and not first[0::2].count(0):
        return "utf-16-le"
    if pairs and first[0::2].count(0) > 0.7 * pairs and not first[1::2].count(0):
        return "utf-16-be"
    return "utf-8" if is_utf8 else NOT_UTF_8


def _ends(text: bytes) -> Ints:
    """Return the positions of line feeds."""
    return np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == _LINE_FEED)


class _Utf8:
    """Incremental check for UTF-8; plain ASCII needs only a glance."""

    def __init__(self) -> None:
        self._decoder: codecs.IncrementalDecoder | None = codecs.getincrementaldecoder("utf-8")("strict")

    def add(self, chunk: bytes, *, final: bool = False) -> None:
        """Check the next bytes; ASCII is not decoded, and no bytes after the first fault."""
        if self._decoder is None or (chunk.isascii() and not self._decoder.getstate()[0] and not final):
            return
        try:
            self._decoder.decode(chunk, final=final)
        except UnicodeDecodeError:
            self._decoder = None

    @property
    def is_so_far(self) -> bool:
        """Whether no fault was found."""
        return self._decoder is not None


class _LineCount:
    """Counts lines over chunks, and detects irregularities for a fast reader."""

    def __init__(self) -> None:
        self._ends = self._returns = self._pairs = self._blank_tail = 0
        self._last = b""
        self.has_quotes = self.has_nul = False
        self.ends_before: list[int] = []
        self._constants: Counter[str] = Counter()

    def add(self, chunk: bytes) -> None:
        """Count the next bytes; a return and line feed may be split between chunks."""
        self.ends_before.append(self._ends)
        self._ends += int(np.count_nonzero(np.frombuffer(chunk, dtype=np.uint8) == _LINE_FEED))
        if b"\r" in chunk:
            self._returns += chunk.count(b"\r")
            self._pairs += chunk.count(b"\r\n")
        self._pairs += self._last == b"\r" and chunk[:1] == b"\n"
        self._last = chunk[-1:]
        self.has_quotes = self.has_quotes or b'"' in chunk
        self.has_nul = self.has_nul or b"\0" in chunk
        if any(mark in chunk for mark in _CONSTANT_MARKS):
            self._constants.update(constant.decode() for constant in _CONSTANT.findall(chunk))
        stripped = chunk.rstrip(b"\r\n")
        tail = chunk[len(stripped) :].count(b"\n")
        self._blank_tail = self._blank_tail + tail if not stripped else tail

    @property
    def count(self) -> int:
        """Lines up to the last that is not blank."""
        return self._ends - self._blank_tail + 1

    @property
    def constants(self) -> tuple[tuple[str, int], ...]:
        """Constants that mean "not set" with their counts, most frequent first."""
        return tuple(self._constants.most_common())

    @property
    def newline(self) -> str:
        """Line end for the reader; unreliable in a file that mixes them."""
        return "\r\n" if self._returns else "\n"

    @property
    def is_regular(self) -> bool:
        """Whether all lines have the same end: a line feed, or return and line feed."""
        return self._returns == self._pairs and self._pairs in (0, self._ends)


def unsound_parquet(path: str) -> PlannerError:
    """Return the error for a damaged Parquet file."""
    return unreadable(path, worded("damaged Parquet file"), worded("copy or export it again"))
