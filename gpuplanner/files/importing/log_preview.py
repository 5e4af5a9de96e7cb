"""The preview of a job log: what it looks like under a mapping, and how its rows would end."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from gpuplanner.domain.figures.typed import decimals, whole
from gpuplanner.domain.message import NO_WORDS, Message, Text, joined, worded
from gpuplanner.domain.model.errors import Cancelled, PlannerError
from gpuplanner.domain.model.intake import Issue, RejectedRow
from gpuplanner.files.importing.best_reading import reads_better, table_issue
from gpuplanner.files.importing.first_row import (
    FieldReading,
    NaiveTime,
    column_in,
    dialect_readings,
    mapped_readings,
    naive_sample,
)
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.log_choices import NONE_GIVEN, LogChoice, ReadOptions
from gpuplanner.files.importing.log_sample import LogSample, sample_of
from gpuplanner.files.importing.recognise import Recognition, recognise_source
from gpuplanner.files.importing.windowed_jobs import JobsRead, sorted_issues
from gpuplanner.files.job_logs.judging.dialect import Dialect, json_form, write_lines
from gpuplanner.files.job_logs.mapped_log import FORMAT as MAPPED
from gpuplanner.files.job_logs.mapped_log import load_table, log_layout
from gpuplanner.files.job_logs.propose_columns import proposal_of
from gpuplanner.files.job_logs.recognisers import dialect_named
from gpuplanner.files.sources.issue_texts import kind_words
from gpuplanner.files.sources.json_values import LINES
from gpuplanner.files.sources.raw_table import RawTable, whole_table
from gpuplanner.files.sources.source import NOT_UTF_8, OTHER, PARQUET, Source, survey
from gpuplanner.files.sources.unpack import Part, parts_of
from gpuplanner.files.system.engine import Engine, Progress, open_engine
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.tables.column_mapping import MAPPED_FIELDS, ColumnMapping, constant_of
from gpuplanner.files.tables.layout import Layout
from gpuplanner.files.values.times import check_timezone
from gpuplanner.lazy_dataclass import dataclass, replace

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
    where is_sample. naive_sample: a time of the file without a zone. line: what a
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
    naive_sample: NaiveTime | None = None
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
        naive_sample=naive_sample(starts, units["start"]),
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
        else naive_sample((row[start] for row in rows[:ROWS_SHOWN]), used.unit("start")),
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
