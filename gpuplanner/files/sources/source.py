"""A file somebody gave us, as bytes: what it is, its encoding, its lines, its first records."""

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

# --- What becomes of bytes that an encoding has no letter for: no two different texts become the same one

NOT_UTF_8: Final = "cp1252"
"""How bytes are read that are no UTF-8: Latin-1 with what Windows adds to it, such as the sign of the euro."""

_AS_LATIN_1: Final = "gpuplanner_as_latin_1"


def errors_of(encoding: str) -> str:
    """The handler of bytes without a letter: the five that Windows-1252 leaves open are those of Latin-1.

    Names in other encodings, such as Shift JIS, hold them; what tells two users apart must not be lost.
    """
    return _AS_LATIN_1 if encoding == NOT_UTF_8 else "replace"


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    """Each byte that UTF-8 has no letter for as the letter of Latin-1: different bytes stay different."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(_AS_LATIN_1, _as_latin_1)


# --- Records of delimited text, with the line each begins on: the careful reader for files that are not quite regular

_LINES_IN_ONE_RECORD_AT_MOST: Final = 200
_FIELD_BYTES_AT_MOST: Final = 16 * 2**20
csv.field_size_limit(_FIELD_BYTES_AT_MOST)


class LongCellError(ValueError):
    """A cell holds more than any table does. line: where its record begins, from 1."""

    def __init__(self, line: int) -> None:
        super().__init__(f"a cell of line {line} is too long")
        self.line = line


def records(
    lines: Iterable[str], delimiter: str, *, is_quoted: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Every record that is not blank, as (line number from 1, fields).

    A quoted field may hold line ends. One that is never closed would swallow the rest of the file: such a line is
    read by itself, its quote as text, so that the rows after it are not lost. Errors: LongCellError.
    """
    waiting: deque[tuple[int, str]] = deque()
    numbered = enumerate(lines, 1)

    def next_line() -> tuple[int, str] | None:
        """The next line, one that was looked at already first; None at the end."""
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
    """The fields of the record of a line; None where a quoted field is still open at its end."""
    try:
        return next(csv.reader([text.rstrip("\r\n")], delimiter=delimiter, strict=True))
    except csv.Error as fault:
        if "unexpected end of data" in str(fault):
            return None
        if "field limit" in str(fault):
            raise LongCellError(line) from fault
        return next(csv.reader([text.rstrip("\r\n")], delimiter=delimiter))


# --- The beginning of a JSON text, thinned out: so that its keys are seen however much the first record holds of each

LOOKED_AT_BYTES: Final = 16 * 2**20
"""How far a text is looked into for its first whole records."""

_HEAD_LETTERS: Final = 128 * 1024
_ITEMS_OF_A_LIST: Final = 20
_ITEMS_WITHIN: Final = 3
"""Of a list within another: a job's nodes, a node's sockets."""

_KEYS_AT_MOST: Final = 200
_LETTERS_OF_A_TEXT: Final = 300
_DEPTH_AT_MOST: Final = 100
_TOKEN: Final = lazy_re(r'(?s)"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_BEGIN: Final = "\ufeff \t\r\n"


def begins_long(head: str) -> bool:
    """Whether a text that is cut off may be JSON, and is so before its first record is whole.

    Such a head is thinned out, so that later keys are seen too.
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
            if is_record and len(kinds) <= 2:  # by itself, in a list, or in a list of an object
                return False
    return True


def thinned(text: str) -> str:
    """A text that is JSON as far as it goes, with the first items of each list, the first keys of each object, the
    beginning of each long text; values at the top stand on lines of their own where they did.
    """
    is_by_line = "\n" not in text.strip()[: 64 * 1024]
    out: list[str] = []
    letters = 0
    kinds: list[str] = []
    counts: list[int] = []  # of commas in each
    skipped = 0  # depth at which what is left out began, else 0
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
    """How many entries are kept at this depth: many keys, some records of a list, few items within a record."""
    if kinds[-1] == "{":
        return _KEYS_AT_MOST
    return _ITEMS_WITHIN if "[" in kinds[:-1] else _ITEMS_OF_A_LIST


def _tokens(text: str) -> Iterator[str]:
    """The tokens of a JSON text, in order."""
    return (match[0] for match in _TOKEN.finditer(text))


# --- A file somebody gave us, as bytes: what it is, how it is encoded, how its lines run, its first lines as text

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
"""Text may hold a stray NUL, which is left out; where they are more, it is no text."""

PROJECT_FILE: Final = worded("a project of gpuplanner")
_FOREIGN: Final = {bytes.fromhex(first): words for first, words in words_table("first_bytes").items()}
"""First bytes of what people drop by mistake, and what to call it."""


NOT_SET: Final = (
    "18446744073709551614",
    "18446744073709551615",
    "18446744073709551613",
    "4294967294",
    "4294967295",
)
"""-2, -1 and -3 in 64 bits without a sign, and the like: what schedulers write for not set, infinite, unknown."""

_CONSTANT_MARKS: Final = (
    b"1844674407370955161",
    b"429496729",
)  # to look for each takes a third of a second a GB
_CONSTANT: Final = lazy_re(rf"(?<![\d.-])(?:{'|'.join(NOT_SET)})(?![\d.])".encode())


@dataclass(frozen=True, slots=True)
class Source:
    """What a survey of the whole file found.

    path as it was given; at: where its bytes are, elsewhere if it was packed; lines: text lines without the blank
    ones at the end; is_regular: one kind of line end and no stray carriage returns; foreign: what it is where it is
    none of ours; head: the first lines as text (a spreadsheet's or Parquet file's as CSV); ends_before: how many
    lines ended before each 2**20 bytes of a text; constants: of a text, which numbers that stand for "not set" are in
    it, and how often; sheet: which of a spreadsheet is read, empty is the first that has any rows. opened: how the rows
    of a text are had that is no table as it stands.
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
        """Whether it holds nothing: no byte, blanks alone, or a list without an entry."""
        return self.kind != OTHER and not self.head.strip("\ufeff\0 \t\r\n[]{}")

    @property
    def is_project(self) -> bool:
        """Whether it is a project of ours."""
        return self.foreign is PROJECT_FILE

    def lines_at(self, numbers: Ints) -> Iterator[bytes]:
        """The lines of a text with those numbers (ascending, from 1), without their ends.

        Reads only the chunks in which they are; as many lines come as numbers were given.
        """
        starts = np.asarray(self.ends_before)
        chunk_of = np.searchsorted(starts, numbers - 1, side="left") - 1  # where the line before it ends
        chunk_of[numbers == 1] = 0
        with Path(self.at).open("rb") as file:
            for chunk in np.unique(chunk_of).tolist():
                file.seek(chunk * _CHUNK_BYTES)
                text = file.read(_CHUNK_BYTES)
                ends = _ends(text)
                first_ended = starts[chunk] + 1  # the line that is the first to end here
                for number in numbers[chunk_of == chunk].tolist():
                    begin = 0 if number == 1 else int(ends[number - 1 - first_ended]) + 1
                    place = number - first_ended
                    while place >= len(ends) and (more := file.read(_CHUNK_BYTES)):
                        text += more
                        ends = _ends(text)
                    yield text[begin : int(ends[place]) if place < len(ends) else len(text)].rstrip(b"\r")

    @contextmanager
    def text_lines(self) -> Iterator[Iterator[str]]:
        """The lines of a text file, with their ends.

        A context: the file is closed behind it. Bytes that the encoding has no letter for become letters of
        their own.
        """
        with Path(self.at).open(encoding=self.encoding, errors=errors_of(self.encoding), newline="") as lines:
            yield lines

    @contextmanager
    def rows(
        self, delimiter: str = ",", *, is_quoted: bool = True
    ) -> Iterator[Iterator[tuple[int, list[str]]]]:
        """Every row that is not blank as (line number, fields), of a text file, a spreadsheet or a Parquet file.

        A context. delimiter and is_quoted: of text files. Errors: PlannerError file_unreadable or
        truncated_file while it is read.
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
                    problem = worded("a cell is over {most} MB long", most=most)
                    raise unreadable(
                        where, problem, worded("shorten it, then import the file again")
                    ) from fault


@contextmanager
def sources_of(
    path: str, on_fault: Callable[[PlannerError], None] | None = None
) -> Iterator[tuple[Source, ...]]:
    """What a path names: one file, or each one packed in it, for as long as they are read. Errors: as survey.

    on_fault: told of each file of an archive that cannot be read, where others can; without it the first is raised.
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
    """What was stated of a file, or of the archive or workbook that it is in; None where nothing was.

    >>> stated_of("a.zip/jobs.csv", {"a.zip": "granite"}), stated_of("a.zip2", {"a.zip": "granite"})
    ('granite', None)
    """
    return next((value for known, value in by_path.items() if f"{path}/".startswith(f"{known}/")), None)


def survey_part(
    part: Part, on_bytes: Callable[[int], None] | None = None, *, is_head_enough: bool = False
) -> Source:
    """As survey. Errors: also why a file of an archive cannot be had."""
    if part.fault is not None:
        raise part.fault
    return survey(part.path, on_bytes, part.at, is_head_enough=is_head_enough, sheet=part.sheet)


def holds(source: Source, marks: Sequence[bytes]) -> bool:
    """Whether any of some marks is in the bytes of a file: it saves a second reading of most."""
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
    """Read a file once, from end to end, without believing its name. at: where its bytes are, if not at path; sheet:
    which of a workbook is meant.

    is_head_enough: read its beginning only, to say what it is: then size, lines and sha256 are of that alone.
    Errors: PlannerError file_missing, file_unreadable, truncated_file.
    """
    if "\0" in path or path != path.encode("utf-8", "ignore").decode():
        raise unreadable(path, worded("the file name is not UTF-8"), worded("rename the file or its folder"))
    digest = hashlib.sha256()
    lines, utf_8 = _LineCount(), _Utf8()
    size, first, last, is_text = 0, b"", b"", True
    try:
        with (at or Path(path)).open("rb") as file, ThreadPoolExecutor(1) as beside:
            hashed: Future[None] | None = None
            while chunk := file.read(_CHUNK_BYTES):
                if not size:
                    first = chunk[:_HEAD_BYTES]
                    is_text = _kind(first)[0] == TEXT
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
                if is_head_enough:
                    break
        is_cut = is_head_enough and size < (at or Path(path)).stat().st_size
        utf_8.add(b"", final=not is_cut)
    except FileNotFoundError:
        raise PlannerError(path, "file_missing", worded("file not found"), worded("check the path")) from None
    except OSError as fault:
        reason = fault.strerror or type(fault).__name__
        raise unreadable(path, joined((reason.lower(),)), worded("check your read permission")) from None
    kind, foreign = _kind(first)
    if kind == PARQUET and last[-4:] != b"PAR1" and not is_cut:
        raise PlannerError(
            path, "truncated_file", worded("the file is cut off"), worded("copy or download it again")
        )
    encoding = _encoding(first, is_utf8=utf_8.is_so_far) if kind == TEXT else "utf-8"
    has_nul = lines.has_nul and not encoding.startswith("utf-16")
    if kind == TEXT and has_nul and first.count(0) > max(NULS_AT_LEAST, NULS_IN_TEXT * len(first)):
        kind, foreign = OTHER, worded("binary data")
    source = Source(
        path,
        kind,
        size,
        digest.hexdigest(),
        encoding,
        lines.count,
        lines.newline,
        lines.is_regular and not has_nul and encoding in ("utf-8", "utf-8-sig"),
        lines.has_quotes,
        foreign,
        at=str((at or Path(path)).absolute()),  # the engine takes ~ and such for more than a name
        ends_before=tuple(lines.ends_before),
        constants=lines.constants if kind == TEXT else (),
        sheet=sheet,
    )
    return _with_head(source, first)


def _with_head(source: Source, first: bytes) -> Source:
    """The source with its first lines or rows as text, by which it is recognised.

    A line that is cut off is left out.
    """
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
    """The names of its columns as row 0, then every record as texts, counted from 1; limit: SQL."""
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
    """Rows as CSV text."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _kind(first: bytes) -> tuple[str, Message]:
    """What a file is by its first bytes; with words for what it is if it is nothing we read."""
    if first.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return XLSX, NO_WORDS
    if first.startswith(b"PAR1"):
        return PARQUET, NO_WORDS
    if (
        first.startswith(b"SQLite format 3") and first[68:72] == b"gpup"
    ):  # where SQLite keeps whose file it is
        return OTHER, PROJECT_FILE
    for magic, name in _FOREIGN.items():
        if first.startswith(magic):
            return OTHER, name
    return TEXT, NO_WORDS


def _encoding(first: bytes, *, is_utf8: bool) -> str:
    """The encoding by its mark, by zeros in every second byte, or by whether all of it is UTF-8."""
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
    """Where line feeds stand in some bytes."""
    return np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == _LINE_FEED)


class _Utf8:
    """Whether chunks are UTF-8, at the price of a look where they are plain ASCII."""

    def __init__(self) -> None:
        self._decoder: codecs.IncrementalDecoder | None = codecs.getincrementaldecoder("utf-8")("strict")

    def add(self, chunk: bytes, *, final: bool = False) -> None:
        """Takes the next bytes; ASCII alone needs no decoding, and after the first fault nothing does."""
        if self._decoder is None or (chunk.isascii() and not self._decoder.getstate()[0] and not final):
            return
        try:
            self._decoder.decode(chunk, final=final)
        except UnicodeDecodeError:
            self._decoder = None

    @property
    def is_so_far(self) -> bool:
        """Whether nothing said otherwise yet."""
        return self._decoder is not None


class _LineCount:
    """Counts lines over chunks, and notices what a fast reader would stumble over."""

    def __init__(self) -> None:
        self._ends = self._returns = self._pairs = self._blank_tail = 0
        self._last = b""
        self.has_quotes = self.has_nul = False
        self.ends_before: list[int] = []
        self._constants: Counter[str] = Counter()

    def add(self, chunk: bytes) -> None:
        """Takes the next bytes; a pair of return and line feed may be parted between two chunks."""
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
        """Most often first."""
        return tuple(self._constants.most_common())

    @property
    def newline(self) -> str:
        """How lines end; for the reader, so it means little in a file that mixes them."""
        return "\r\n" if self._returns else "\n"

    @property
    def is_regular(self) -> bool:
        """Whether all lines end alike, with a line feed or with both signs."""
        return self._returns == self._pairs and self._pairs in (0, self._ends)


def unsound_parquet(path: str) -> PlannerError:
    """The error for a Parquet file that cannot be read."""
    return unreadable(path, worded("the Parquet file is damaged"), worded("export or download it again"))
