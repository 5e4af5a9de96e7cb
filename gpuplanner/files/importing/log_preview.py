"""The preview of a job log: what it looks like under a mapping, and what each of its fields is read as."""

import csv
import glob
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from gpuplanner.domain.figures.typed import decimals, moment, significant, whole
from gpuplanner.domain.message import NO_WORDS, Message, Text, joined, worded, worded_count
from gpuplanner.domain.model.errors import Cancelled, PlannerError
from gpuplanner.domain.model.intake import Issue, RejectedRow
from gpuplanner.files.importing.best_reading import reads_better, table_issue
from gpuplanner.files.importing.import_jobs import NONE_GIVEN, LogChoice, ReadOptions, import_jobs
from gpuplanner.files.importing.recognise import Recognition, recognise_source
from gpuplanner.files.importing.windowed_jobs import JobsRead, sorted_issues
from gpuplanner.files.job_logs.judging.dialect import Dialect, json_form, write_lines
from gpuplanner.files.job_logs.mapped_log import FORMAT as MAPPED
from gpuplanner.files.job_logs.mapped_log import gpu_reader, load_table, log_layout
from gpuplanner.files.job_logs.propose_columns import SURE, Proposal, note_of_ages, proposal_of
from gpuplanner.files.job_logs.recognisers import REQUIRED, dialect_named
from gpuplanner.files.sources.issue_texts import kind_words
from gpuplanner.files.sources.json_values import LINES
from gpuplanner.files.sources.raw_table import RawTable, whole_table
from gpuplanner.files.sources.source import NOT_UTF_8, OTHER, PARQUET, Source, survey, unsound_parquet
from gpuplanner.files.sources.spreadsheet import sheet_rows
from gpuplanner.files.sources.unpack import Part, parts_of
from gpuplanner.files.system.engine import Engine, Progress, open_engine, quiet_connection, sql_text
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.tables.column_mapping import (
    MAPPED_FIELDS,
    NUMBERS,
    UNITS_OF,
    ColumnMapping,
    constant_of,
)
from gpuplanner.files.tables.fields import ACTIVITY, DURATION
from gpuplanner.files.tables.layout import Layout
from gpuplanner.files.values.column_values import instant_s, length_s
from gpuplanner.files.values.gpu_names import GpuReading
from gpuplanner.files.values.number_styles import STYLES, plain_number
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.scheduler_words import read_state
from gpuplanner.files.values.times import MISSING_TEXTS, check_timezone, read_time, read_zone
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- What the first row of a log means, field by field: as the file has it, and as it is read

_UNREADABLE: Final = worded("cannot be read")


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldReading:
    """One of our fields and where it comes from.

    field: as --map takes it; column: a heading, None where the file has none for it; unit: one of `units`, empty
    where none applies; first_text: as the first row has it; read_as: what that means; confidence 0..1; why: words;
    note: a warning, or empty. is_asked: whether its unit is a guess that somebody is to settle. below: what the rows
    below the first mean, ROWS_READ with it.
    """

    field: str
    is_required: bool
    column: str | None
    unit: str
    units: tuple[str, ...]
    first_text: str
    read_as: Text
    confidence: float
    why: Message
    note: Message = NO_WORDS
    is_asked: bool = False
    below: tuple[Text, ...] = ()


ROWS_READ: Final = 3


def mapped_readings(
    mapping: ColumnMapping,
    proposal: Proposal,
    place_of: Callable[[str], int | None],
    rows: Sequence[Sequence[str]],
    timezone: str | None,
) -> tuple[FieldReading, ...]:
    """Every field of --map under a mapping. rows: the first of the table; proposal: for the reasons."""
    return tuple(
        _mapped_reading(field, mapping, proposal, place_of, rows, timezone) for field in MAPPED_FIELDS
    )


def _mapped_reading(
    field: str,
    mapping: ColumnMapping,
    proposal: Proposal,
    place_of: Callable[[str], int | None],
    rows: Sequence[Sequence[str]],
    timezone: str | None,
) -> FieldReading:
    """What one field of the mapping means in the first row: column, unit, text as it is and as it is read.

    A field without a column says so, and has confidence 0.
    """
    units = UNITS_OF.get(field, ())
    column = mapping.columns.get(field)
    is_required = is_needed(field, mapping)
    if column is None:
        return FieldReading(
            field=field,
            is_required=is_required,
            column=None,
            unit="",
            units=units,
            first_text="",
            read_as="",
            confidence=0.0,
            why=worded("no column matches"),
        )
    said, place = constant_of(column), place_of(column)
    unit = mapping.unit(field)
    texts = [] if place is None else [row[place] if place < len(row) else "" for row in rows]
    texts = texts if said is None else [said]
    text = texts[0] if texts else ""
    style = mapping.style(field)
    read_as, *below = (
        read_in_words(field, plain_number(one, style), unit, timezone) for one in texts[:ROWS_READ] or [""]
    )
    unit, units = _with_styles(field, unit, style, text)
    proposed = proposal.readings.get(field)
    if proposed is not None and place_of(proposed.column) == place and proposed.unit_words in ("", unit):
        confidence, why, note = proposed.confidence, proposed.why, proposed.note
    else:
        confidence, why = 1.0, worded("it was chosen")
        note = note_of_ages(mapping.unit(field), texts) if field == DURATION else NO_WORDS
    if is_required and confidence < SURE:
        note = note or worded("not clear from its name")
    if place is None and said is None:
        confidence, why, note = (0.0, worded("it was chosen"), worded("no column {names}", names=column))
    elif read_as == _UNREADABLE:
        note = note or worded("{text} cannot be read this way", text=text[:40])
    reading = FieldReading(
        field=field,
        is_required=is_required,
        column=column,
        unit=unit,
        units=units,
        first_text=text,
        read_as=read_as,
        confidence=confidence,
        why=why,
        note=note,
    )
    return replace(reading, below=tuple(below))


def _with_styles(field: str, unit: str, style: str, text: str) -> tuple[str, tuple[str, ...]]:
    """The unit of a field with the style of its numbers, and what it may be; with styles where a number has a comma."""
    units = UNITS_OF.get(field, ())
    if field not in NUMBERS or not (style or "," in text):
        return unit, units
    plain = units or ("",)
    styled = tuple(f"{one}:{sign}".strip(":") for one in plain if one not in _NO_NUMBERS for sign in STYLES)
    return f"{unit}:{style}".strip(":"), (*units, *styled)


_NO_NUMBERS: Final = ("slurm", "list", "hm", "per_node")


def is_needed(field: str, mapping: ColumnMapping) -> bool:
    """Whether a log cannot be read without it; a duration stands for an end, and an id may be left out."""
    if field == "end":
        return DURATION not in mapping.columns
    return field in ("gpus", "start") or (field == DURATION and "end" not in mapping.columns)


def read_in_words(field: str, text: str, unit: str, timezone: str | None) -> Text:
    """What a text of a field means; empty where it says nothing."""
    plain = text.strip()
    if plain.casefold() in MISSING_TEXTS and field not in ("gpus",):
        return ""
    if field in ("start", "end"):
        return instant_in_words(instant_s(plain, unit, timezone))
    if field == DURATION:
        return length_in_words(length_s(plain, unit))
    if field == "gpus":
        return gpus_in_words(gpu_reader(unit)(plain))
    if field == ACTIVITY:
        number = read_decimal(plain.rstrip("% "))
        if number is None:
            return _UNREADABLE
        return joined((significant(float(number) * (100 if unit == "share" else 1), 4), "%"))
    return read_state(plain) if field == "state" else plain


def instant_in_words(at_s: int | None) -> Text:
    """3 Jul 2026 00:14:09 UTC."""
    if at_s is None or abs(at_s) > 10**11:
        return _UNREADABLE
    return worded("{moment}:{seconds} UTC", moment=moment(at_s), seconds=f"{at_s % 60:02d}")


def length_in_words(seconds: int | None) -> Text:
    """1 d 2 h 3 min 4 s."""
    if seconds is None:
        return _UNREADABLE
    sizes = (("d", 86_400), ("h", 3600), ("min", 60), ("s", 1))
    parts = []
    for name, size in sizes:
        count, seconds = divmod(seconds, size)
        parts += [joined((whole(count), name), " ")] if count else []
    return joined(parts, " ") if parts else "0 s"


def gpus_in_words(reading: GpuReading) -> Message:
    """8 GPUs of a100."""
    if reading.fault is not None:
        return _UNREADABLE
    count = gpus_counted(reading.milli_gpus)
    return worded("{gpus} of {model}", gpus=count, model=reading.gpu_model) if reading.gpu_model else count


def gpus_counted(milli_gpus: int) -> Message:
    """1 GPU, 0.5 GPUs."""
    gpus = milli_gpus / 1000
    return worded_count(gpus, "{count} GPU", "{count} GPUs", count=significant(gpus, 9))


def dialect_readings(
    texts: Mapping[str, str],
    column_of: Mapping[str, str],
    units: Mapping[str, str],
    read_gpus: Callable[[str], GpuReading],
    title: Message,
    timezone: str | None,
) -> tuple[FieldReading, ...]:
    """The fields that a dialect knows by itself. texts: of the first job; column_of: headings, both by field."""
    answer = []
    for field in MAPPED_FIELDS:
        if field not in column_of:
            if field in REQUIRED and not (field == "end" and DURATION in column_of):
                answer.append(
                    FieldReading(
                        field=field,
                        is_required=True,
                        column=None,
                        unit="",
                        units=(),
                        first_text="",
                        read_as="",
                        confidence=0.0,
                        why=worded("the {title} has none", title=title),
                    )
                )
            continue
        text, unit = texts.get(field, ""), units.get(field, "")
        read_as = (
            gpus_in_words(read_gpus(text)) if field == "gpus" else read_in_words(field, text, unit, timezone)
        )
        if not text and read_as == _UNREADABLE:  # a bill that says nothing of GPUs
            read_as = ""
        answer.append(
            FieldReading(
                field=field,
                is_required=field in REQUIRED,
                column=column_of[field],
                unit=unit,
                units=(unit,) if unit else (),
                first_text=text,
                read_as=read_as,
                confidence=1.0,
                why=worded("a {title} has it there", title=title),
            )
        )
    return tuple(answer)


def column_in(sql: str, headings: Sequence[str]) -> str:
    """The heading of the column whose text an expression of a dialect gives, or of two that it puts together.

    >>> column_in("case when trim(c1) = '' then 'CANCELLED' else c0 end", ("phase", "start"))
    'phase'
    >>> column_in("coalesce(c1, '') || '|' || coalesce(c0, '')", ("milli", "count"))
    'count and milli'
    """
    given = lazy_re(r"\bc(\d+)\b").findall(_CONDITION.sub("", sql)) or lazy_re(r"\bc(\d+)\b").findall(sql)[:1]
    names = list(dict.fromkeys(headings[int(place)] for place in given if int(place) < len(headings)))
    return " and ".join(names) if 0 < len(names) <= _COLUMNS_NAMED else (names or ["several columns"])[0]


_CONDITION: Final = lazy_re(r"(?s)\bwhen\b.*?\bthen\b")
_COLUMNS_NAMED: Final = 2


def naive_sample(texts: Sequence[str], unit: str, timezone: str | None) -> tuple[str, Text] | None:
    """The first time without a zone, and the instant that it is in this time zone (None: UTC)."""
    if unit not in ("iso", "ymd", "dmy", "mdy"):
        return None
    for text in texts:
        at_s = instant_s(text.strip(), unit, timezone)
        local = read_time(text.strip())
        if at_s is not None and (local is None or read_zone(local.zone_text).is_naive):
            return text.strip(), instant_in_words(at_s)
    return None


# --- The first rows of a log as a file of their own, so that they can be read by the very same steps as the whole

_CHUNK_BYTES: Final = 2**20
_BYTES_AT_MOST: Final = 256 * 2**20
_LINES_AFTER_AN_OPEN_QUOTE: Final = 200


@dataclass(frozen=True, slots=True)
class LogSample:
    """source: of the rows alone, under the name of the whole; is_whole: whether these are all the rows there are."""

    source: Source
    is_whole: bool


def sample_of(part: Part, folder: Path, rows_at_most: int, check: Callable[[], None]) -> LogSample:
    """The first rows, with the numbers they have in the file. check: called often; may raise to stop.

    Rows of a workbook become CSV; a Parquet file keeps its types. Errors: as survey.
    """
    at = (
        folder / f"first_{rows_at_most}_{len([*folder.iterdir()])}"
    )  # a name of its own: theirs may be too long
    with part.at.open("rb") as file:
        first = file.read(4)
    if first.startswith(b"PAR1"):
        is_whole = _of_parquet(part, at, rows_at_most)
    elif first.startswith(b"PK"):
        is_whole = _of_workbook(part, at, rows_at_most, check)
    elif first.startswith((b"\xff\xfe", b"\xfe\xff")):
        return LogSample(survey(part.path, lambda count: check(), part.at), is_whole=True)
    else:
        is_whole = _of_text(part, at, rows_at_most, check)
    return LogSample(survey(part.path, lambda count: check(), at), is_whole)


def _of_text(part: Part, at: Path, rows_at_most: int, check: Callable[[], None]) -> bool:
    """Lines as they are, with the header; where a quote is still open at the end, up to where it is closed."""
    lines = quotes = size = 0
    with part.at.open("rb") as file, at.open("wb") as out:
        for line in iter(lambda: file.readline(_CHUNK_BYTES), b""):
            is_open = quotes % 2 == 1 and lines < rows_at_most + _LINES_AFTER_AN_OPEN_QUOTE
            if (lines > rows_at_most and not is_open) or size > _BYTES_AT_MOST:
                return not line.strip() and not file.read(_CHUNK_BYTES).strip()
            if lines % 5000 == 0:
                check()
            out.write(line)
            lines += line.endswith(b"\n")
            quotes += line.count(b'"')
            size += len(line)
    return True


def _of_workbook(part: Part, at: Path, rows_at_most: int, check: Callable[[], None]) -> bool:
    """Writes the first rows of a sheet as CSV, each on the line of its own row number.

    True if that is all of it.
    """
    with sheet_rows(part.at, part.path) as rows, at.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        written = 0
        for number, cells in islice(rows, rows_at_most + 1):
            if number % 1000 == 0:
                check()
            out.write("\n" * (number - written - 1))
            writer.writerow([" ".join(cell.splitlines()) for cell in cells])
            written = number
        return next(rows, None) is None


def _of_parquet(part: Part, at: Path, rows_at_most: int) -> bool:
    """Writes the first rows of a Parquet file as another; true if that is all of it."""
    import duckdb

    try:
        with quiet_connection() as connection:
            connection.execute("set timezone = 'UTC'")
            connection.execute(
                f"copy (select * from read_parquet(?, hive_partitioning=false) limit {rows_at_most}) "
                f"to {sql_text(at)} (format parquet)",
                [glob.escape(str(part.at))],
            )
            found = connection.execute(
                "select sum(num_rows) from parquet_file_metadata(?)", [glob.escape(str(part.at))]
            ).fetchone()
    except duckdb.Error as fault:
        raise unsound_parquet(part.path) from fault
    return found is not None and int(found[0] or 0) <= rows_at_most


# --- Preview: what a job log was recognised as, which column is which field, and how its rows would end

ROWS_SHOWN: Final = 50
_SAMPLES: Final = 5
_ROWS_FOR_FIELDS: Final = 1_000
_ENCODINGS: Final = {"utf-8": "UTF-8", "utf-8-sig": "UTF-8", NOT_UTF_8: "Windows-1252"}
_TABLE_TITLE: Final = worded("table of jobs")
_TITLES: Final = {"contracts": worded("contracts"), "prices": worded("offers")}


@dataclass(frozen=True, slots=True)
class ColumnSample:
    """One column of a file. heading: as in the file, `column 3` where it has no header; samples: first texts."""

    heading: str
    samples: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogPreview:
    """What a log would give.

    is_mapped: read through `mapping`, which may be changed; else the dialect knows its columns. missing: why it
    cannot be read yet, in words; doubts: why a proposed mapping is not read by before somebody agrees. rows: the first
    raw records with their numbers. counts: rows read, accepted, rejected, duplicate, ignored; of the first rows alone
    where is_sample. naive_sample: a time of the file without a zone and the UTC instant it means. line: what a
    table of contracts or prices holds; first: its first row as it is read; lines: of contracts and offers, by id.
    """

    path: str
    kind: str
    format: str
    title: Message
    why: Message
    details: tuple[Message, ...] = ()
    is_mapped: bool = False
    columns: tuple[ColumnSample, ...] = ()
    fields: tuple[FieldReading, ...] = ()
    mapping: ColumnMapping | None = None
    missing: tuple[Message, ...] = ()
    rows: tuple[tuple[int, tuple[str, ...]], ...] = ()
    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    is_sample: bool = False
    issues: tuple[Issue, ...] = ()
    rejected: tuple[RejectedRow, ...] = ()
    naive_sample: tuple[str, Text] | None = None
    noted: tuple[RejectedRow, ...] = ()
    doubts: tuple[Message, ...] = ()
    line: Message = NO_WORDS
    first: Text = ""
    lines: tuple[tuple[str, int], ...] = ()


def preview_log(
    path: str,
    choice: LogChoice = NONE_GIVEN,
    *,
    rows_at_most: int | None = 20_000,
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> LogPreview:
    """What a job log is, how its columns are read, and how its rows end; of the first rows, or of all (None).

    choice: its format `mapped` reads a log as any table, also where it is recognised; its mapping may still lack
    columns. Of files packed together the first job log is shown. Errors: PlannerError file_missing, file_unreadable,
    truncated_file, usage; Cancelled.
    """
    check_timezone(choice.timezone)

    def check() -> None:
        """Stops the reading between rows where nobody waits for it any more."""
        if is_cancelled is not None and is_cancelled():
            raise Cancelled

    with own_folder() as folder:
        part, first, described = _first_log(parts_of(path, folder, lambda count: check()), folder, check)
        with open_engine(is_cancelled=is_cancelled) as engine:
            shown = _described(engine, part, first, described, choice)
        if shown.missing:
            return shown
        if rows_at_most is None:
            counted = LogSample(first.source, is_whole=True)
            at = part.at
        else:
            counted = sample_of(part, folder, rows_at_most, check)
            counted = _as_readable(counted, part, folder, rows_at_most, is_mapped=shown.is_mapped)
            at = Path(counted.source.at)
        as_shown = replace(
            choice,
            format=None if shown.is_mapped else shown.format,
            mapping=shown.mapping if shown.is_mapped else None,
        )
        read = import_jobs(
            [str(at)],
            ReadOptions(choices={str(at): as_shown}),
            counts_only=True,
            on_progress=on_progress,
            is_cancelled=is_cancelled,
        )
        shown = _with_counts(shown, read, is_sample=not counted.is_whole)
        if choice.mapping is not None or choice.format is not None or described.kind != "jobs":
            return shown
        if shown.is_mapped:
            looked_like = (
                NO_WORDS if described.format == MAPPED else dialect_named(described.format, MAPPED).title
            )
            return shown if shown.doubts else _named_as_table(shown, first.source, looked_like)
        better = _better_as_table(shown, first.source, choice.timezone)
    if better is None:
        return shown
    as_table = preview_log(
        path,
        replace(choice, mapping=better),
        rows_at_most=rows_at_most,
        on_progress=on_progress,
        is_cancelled=is_cancelled,
    )
    return _named_as_table(as_table, first.source, shown.title)


def _better_as_table(shown: LogPreview, source: Source, timezone: str | None) -> ColumnMapping | None:
    """The mapping that reads more of a log most of whose rows its dialect rejects; as read_file does it."""
    _, accepted, rejected, duplicate, _ = shown.counts
    is_mostly_rejected = 2 * accepted < accepted + rejected + duplicate
    return reads_better(source, dialect_named(shown.format, MAPPED), timezone) if is_mostly_rejected else None


def _named_as_table(shown: LogPreview, source: Source, looked_like: Message) -> LogPreview:
    """What the reader says of a log that it reads through a mapping which nobody gave."""
    assert shown.mapping is not None
    issue = table_issue(source, shown.mapping, looked_like)
    return replace(shown, why=issue.message, issues=sorted_issues((*shown.issues, issue)))


def _first_log(
    parts: Sequence[Part], folder: Path, check: Callable[[], None]
) -> tuple[Part, LogSample, Recognition]:
    """The first part that is a job log, else the first."""
    first: tuple[Part, LogSample, Recognition] | None = None
    for part in (part for part in parts if part.fault is None):
        sample = sample_of(part, folder, _ROWS_FOR_FIELDS, check) if part.at.is_file() else None
        if sample is None:
            raise PlannerError(part.path, "file_missing", worded("file not found"), worded("check the path"))
        found = recognise_source(sample.source)
        first = first or (part, sample, found)
        if found.kind in ("jobs", "billing"):
            return part, sample, found
    assert first is not None
    return first


def _as_readable(
    sample: LogSample, part: Part, folder: Path, rows_at_most: int, *, is_mapped: bool
) -> LogSample:
    """The first records of a JSON document, which is no JSON where its end is missing: as lines, or the whole."""
    form = json_form(sample.source)
    if sample.is_whole or form in (None, LINES):
        return sample
    if not is_mapped:
        return LogSample(replace(sample.source, at=str(part.at)), is_whole=True)
    assert form is not None
    at = folder / "first records.json"
    is_whole = write_lines(replace(sample.source, at=str(part.at)), form, at, rows_at_most)
    return LogSample(survey(part.path, at=at), is_whole)


def _described(
    engine: Engine, part: Part, sample: LogSample, found: Recognition, choice: LogChoice
) -> LogPreview:
    """Everything but the counts."""
    source, format_name, mapping = sample.source, choice.format, choice.mapping
    is_log = found.kind in ("jobs", "billing")
    shown = LogPreview(
        path=part.path,
        kind=found.kind,
        format=found.format,
        title=_TITLES.get(found.kind, worded("unknown file")),
        why=found.why,
        details=(_size_text(part.at.stat().st_size),),
    )
    if source.kind == OTHER or not source.head.strip():
        return replace(shown, missing=(found.why,))
    is_table = found.format == MAPPED and format_name is None
    if mapping is None and format_name != MAPPED and not is_table and (is_log or format_name is not None):
        dialect = dialect_named(format_name or found.format, MAPPED)
        whole = _as_readable(sample, part, engine.folder, _ROWS_FOR_FIELDS, is_mapped=False).source
        try:
            return _of_dialect(engine, whole, dialect, shown, choice.timezone)
        except PlannerError as fault:
            if fault.code not in ("missing_column", "not_a_job_log"):
                raise
            shown = replace(
                shown, missing=(fault.what,), why=worded("{why}, but {what}", why=shown.why, what=fault.what)
            )
            if format_name is not None:
                return replace(shown, kind="jobs", format=dialect.format, title=dialect.title)
    elif mapping is None and format_name is None and found.kind != "unknown" and not is_table:
        cause = worded("contains {kind}: {why}", kind=kind_words(found.kind), why=found.why)
        return replace(shown, missing=(cause,))
    readable = _as_readable(sample, part, engine.folder, _ROWS_FOR_FIELDS, is_mapped=True).source
    shown = replace(shown, details=(*shown.details, *_details(source)))
    return _of_table(engine, readable, mapping, shown, choice.timezone)


def _of_dialect(
    engine: Engine, source: Source, dialect: Dialect, shown: LogPreview, timezone: str | None
) -> LogPreview:
    """Errors: PlannerError missing_column, not_a_job_log."""
    table = dialect.rows(source, engine, "preview")
    table = replace(table, raw=whole_table(engine, table.raw))
    headings = tuple(name or f"column {place}" for place, name in enumerate(table.raw.columns, 1))
    name_of = {inside: name for name, inside in MAPPED_FIELDS.items()}
    fields = {name_of[inside]: sql for inside, sql in table.fields.items() if inside in name_of}
    chosen = ", ".join(f'{sql} as "{name}"' for name, sql in fields.items()) or "1"
    jobs = engine.all(
        f'select {chosen} from "{table.raw.name}" where not coalesce(({table.is_ignored}), false) '
        f"order by line limit {ROWS_SHOWN}"
    )
    first = {name: str(text or "") for name, text in zip(fields, jobs[0], strict=False)} if jobs else {}
    units = {
        "start": table.start_unit or "iso",
        "end": table.end_unit or "iso",
        "duration": table.elapsed_unit,
    }
    column_of = {name: column_in(sql, headings) for name, sql in fields.items()}
    starts = [str(row[list(fields).index("start")] or "") for row in jobs] if "start" in fields else []
    return replace(
        _with_rows(engine, table.raw, headings, shown),
        kind=dialect.kind,
        format=dialect.format,
        title=dialect.title,
        details=(*shown.details, *_details(source), *_separated(table.raw.delimiter)),
        fields=dialect_readings(first, column_of, units, table.read_gpus, dialect.title, timezone),
        naive_sample=naive_sample(starts, units["start"], timezone),
    )


def _of_table(
    engine: Engine, source: Source, mapping: ColumnMapping | None, shown: LogPreview, timezone: str | None
) -> LogPreview:
    """The preview of a table: its columns and first rows, the proposed or given mapping and what that lacks."""
    named = mapping.columns.values() if mapping is not None else ()
    names = tuple(name for name in named if constant_of(name) is None)
    layout = log_layout(source, names, engine.check)
    if layout is None:
        return replace(shown, missing=(worded("not a table"),))
    proposal = proposal_of(layout)
    proposed = proposal.sure_mapping or proposal.mapping
    used = mapping or proposed or ColumnMapping({})
    rows = layout.body
    start = layout.place(used.columns["start"]) if "start" in used.columns else None
    missing = [worded("no column for {name}", name=name) for name in used.lacking]
    missing += [
        worded("no column {names}", names=name)
        for name in used.columns.values()
        if layout.place(name) is None and constant_of(name) is None
    ]
    raw = whole_table(engine, load_table(engine, source, layout, "preview"))
    is_known = mapping is None and shown.kind not in ("unknown", "jobs", "billing")
    return replace(
        _with_rows(engine, raw, layout.headings, shown),
        kind="jobs" if mapping is not None or proposal.is_complete or is_known else shown.kind,
        format=MAPPED,
        title=_TABLE_TITLE,
        why=shown.why if mapping is None else worded("columns are mapped"),
        details=(*shown.details, *_separation(layout)),
        is_mapped=True,
        fields=mapped_readings(used, proposal, layout.place, rows, timezone),
        mapping=mapping if mapping is not None else proposed,
        missing=tuple(missing),
        doubts=proposal.doubts if mapping is None and not missing else (),
        naive_sample=None
        if start is None
        else naive_sample([row[start] for row in rows[:ROWS_SHOWN]], used.unit("start"), timezone),
    )


def _with_rows(engine: Engine, raw: RawTable, headings: Sequence[str], shown: LogPreview) -> LogPreview:
    """The first records, and of each column the first texts."""
    columns = ", ".join(f"coalesce(c{place}, '')" for place in range(len(headings)))
    found = engine.all(f'select line, {columns} from "{raw.name}" order by line limit {ROWS_SHOWN}')
    rows = tuple((int(row[0]), tuple(row[1:])) for row in found)
    samples = (
        tuple(dict.fromkeys(texts[place] for _, texts in rows if texts[place].strip()))[:_SAMPLES]
        for place in range(len(headings))
    )
    return replace(
        shown,
        rows=rows,
        columns=tuple(ColumnSample(name, texts) for name, texts in zip(headings, samples, strict=True)),
    )


def _details(source: Source) -> tuple[Message, ...]:
    """The encoding and the form of the file, as they stand under its name."""
    if source.kind == PARQUET:
        return (worded("Parquet"),)
    form = json_form(source)
    encoding = joined((_ENCODINGS.get(source.encoding, "UTF-16"),))
    return (
        (encoding,) if form is None else (encoding, worded("JSON lines") if form == LINES else worded("JSON"))
    )


def _separation(layout: Layout) -> tuple[Message, ...]:
    """How the cells are separated, and that there is no header where there is none; nothing for JSON."""
    if layout.json is not None:
        return ()
    header = () if layout.header_rows else (worded("no header"),)
    return (*_separated(layout.delimiter), *header)


def _separated(delimiter: str) -> tuple[Message, ...]:
    """The sign between two cells, in words for a tab."""
    return (worded("tab separated") if delimiter == "\t" else worded('"{sign}" separated', sign=delimiter),)


def _size_text(size: int) -> Message:
    """A size in bytes in decimal units, as file managers show it."""
    for unit, per in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= per:
            return joined((decimals(size / per), unit), " ")
    return worded("{size} bytes", size=whole(size))


def _with_counts(shown: LogPreview, read: JobsRead, *, is_sample: bool) -> LogPreview:
    """The preview with how its rows ended; `is_sample` if only the first rows were read."""
    file = read.intake[0]
    ends = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
    return replace(
        shown,
        counts=(file.rows_read, *ends),
        is_sample=is_sample,
        issues=file.issues,
        rejected=file.rejected,
        noted=file.noted,
        missing=tuple(fault.what for fault in read.refused),
    )
