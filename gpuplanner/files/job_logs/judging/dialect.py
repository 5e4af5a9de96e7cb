"""A dialect of job log, one declaration, the texts it hands over, and logs whose columns or keys it names."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from gpuplanner.domain.message import NO_WORDS, Message, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Facts, Issue, StatedFigure
from gpuplanner.files.job_logs.judging.column_names import name_readings
from gpuplanner.files.sources import json_values
from gpuplanner.files.sources.issue_texts import RaggedLines
from gpuplanner.files.sources.raw_table import RawTable, load_raw, load_records
from gpuplanner.files.sources.source import TEXT, Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.resources import rows_of
from gpuplanner.files.tables.delimited import bare, header_columns
from gpuplanner.files.values.gpu_counts import GpuReading, read_gpu_count
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- A dialect of job log, one declaration in the module that reads it, and what it hands over: texts by field

TEXT_FIELDS: Final = phrases(
    "job_id|cluster|name|account|user|queue|gpu_model|gpus|nodes|start|end|elapsed|state|activity|label|model"
    "|hosts"
)
"""What a job row may say, all of it text at first.

`user` is who ran it; `label` a class stated in the log; `hosts` the names of its nodes, as the scheduler lists them.
"""


NO_JOBS: Final = (worded("totals, remarks or other records"), worded("export one row per job that ran"))

QUEUE_TIMES: Final = ("submit", "eligible")
QUEUE_FIELDS: Final = (*QUEUE_TIMES, "time_limit", "priority", "qos")
"""What a job row may say of its time in the queue, kept for who replays it: no row is judged by them."""


@dataclass(frozen=True, slots=True)
class StatedColumn:
    """A column that states what is read of jobs, too. quantity: as `what` of a StatedFigure; number: SQL of it; digit:
    what one unit of its last digit is; unit: of a run time, empty where its heading has none.
    """

    quantity: str
    number: str
    digit: float
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobTable:
    """Rows of one log before they are judged.

    raw: the records; fields: SQL over them by name of TEXT_FIELDS and QUEUE_FIELDS, absent where the log has no such
    column.
    is_ignored: SQL that is true for lines that are no job (steps, totals).
    start_unit, end_unit: None for ISO 8601, else a unit of `durations.SECONDS_PER` counted from 1970 UTC.
    queue_units: of QUEUE_TIMES as of start, and of time limits as of elapsed; absent for ISO 8601, and for seconds.
    end_is_elapsed: the log has durations in place of ends. read_gpus: one distinct text of `gpus` to thousandths.
    tells_beginnings: the scheduler tells of every job whether it began, so one that is over without a start never did.
    has_no_node: SQL that is true for jobs that were given no node; of these one without length never ran.
    are_ignored_rows: what is ignored is as much of the table as the jobs, as in a bill, so what it lacks is said.
    no_jobs: what ignored lines are, and what to export where there are no others.
    facts: what the log says beside its jobs.
    gpus_are_hours: what read_gpus reads are GPU-hours in the time of the row, which has to have an end.
    of_ages: what is to be said where a job is longer than 20 years; empty where nothing is.
    stated: columns to compare with what is read. figures: what the log states, compared already.
    billed: table of what lines of a bill were charged: line, amount, billed_as; empty of other logs.
    """

    raw: RawTable
    fields: Mapping[str, str]
    is_ignored: str = "false"
    start_unit: str | None = None
    end_unit: str | None = None
    elapsed_unit: str = "s"
    queue_units: Mapping[str, str] = field(default_factory=dict)
    end_is_elapsed: bool = False
    read_gpus: Callable[[str], GpuReading] = read_gpu_count
    gpus_are_hours: bool = False
    issues: tuple[Issue, ...] = field(default_factory=tuple)
    tells_beginnings: bool = False
    has_no_node: str = "false"
    are_ignored_rows: bool = False
    no_jobs: tuple[Message, Message] = NO_JOBS
    facts: Facts = ()
    of_ages: Message = NO_WORDS
    stated: tuple[StatedColumn, ...] = ()
    figures: tuple[StatedFigure, ...] = ()
    billed: str = ""

    def clock_unit(self, name: str) -> str | None:
        """The unit of a field that is a time; None for ISO 8601."""
        return {"start": self.start_unit, "end": self.end_unit}.get(name) or self.queue_units.get(name)

    @property
    def queue_times(self) -> tuple[str, ...]:
        """The QUEUE_TIMES that the log has."""
        return tuple(name for name in QUEUE_TIMES if name in self.fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """One kind of log.

    format: its id, as --format takes it; title: what it is called in words, without an article.
    sniff: how sure it is that a text begins such a log, 0..1: two dialects that are about as sure are tried on the
    first rows. rows: the records as a table of the engine of that name, and which text is which field of a job; what
    it lacks is a PlannerError whose remedy says what to export instead.
    kind: jobs, or billing where it is a bill whose usage stands in for a log. facts: what else the file says of
    itself, for `check`; it may read the file again.
    """

    format: str
    title: Message
    sniff: Callable[[str], float]
    rows: Callable[[Source, Engine, str], JobTable]
    kind: str = "jobs"
    facts: Callable[[Source], Facts] | None = None

    @property
    def why(self) -> Message:
        """Why a file is taken for one."""
        return worded("looks like a {title}", title=self.title)


# --- Jobs that a dialect has taken apart by itself: each a few texts by field, handed on as a log

IGNORED: Final = "ignored"
"""The key of a record that is no job: any text but an empty one says so."""

RAW: Final = "raw"
"""The key under which a line that cannot be read is kept, for the planner to see."""

NOTED: Final = "noted"
"""The key under which a record names the notes that are to be made of it, apart by blanks."""

JobTexts = Mapping[str, str]
"""Texts by name of TEXT_FIELDS, and by IGNORED, RAW or NOTED; what is not there is empty."""


@dataclass(frozen=True, slots=True)
class Note:
    """What is to be said of so many jobs of a log, from the first of their rows on: the code of the issue, words."""

    code: str
    words: Message


NO_NOTES: Final[Mapping[str, Note]] = {}


def table_of_texts(
    engine: Engine,
    source: Source,
    name: str,
    fields: Sequence[str],
    jobs: Iterable[tuple[int, JobTexts]],
    *,
    clock: str | None = None,
    notes: Mapping[str, Note] = NO_NOTES,
    finish: Callable[[JobTable], JobTable] = lambda table: table,
    ragged: RaggedLines | None = None,
) -> JobTable:
    """A log of the jobs, as (row, texts). fields: what they may say; clock: the unit of their times (None: ISO 8601).

    notes: by the names that records have under NOTED; finish: what else there is to say, once all are read; ragged: of
    the table that they were taken from.
    """
    columns = (*fields, RAW, IGNORED)
    noted: dict[str, tuple[int, int]] = {}

    def cells() -> Iterator[tuple[int, list[str]]]:
        """Each job as cells in the order of the columns; notes are counted with the first row that has them."""
        for row, texts in jobs:
            for note in texts[NOTED].split() if NOTED in texts else ():
                count, first = noted.get(note, (0, row))
                noted[note] = (count + 1, min(first, row))
            yield row, [texts.get(column, "") for column in columns]

    raw = load_records(engine, source, name, columns, cells(), ragged=ragged)
    located = {field: f"c{index}" for index, field in enumerate(fields)}
    issues = (Issue(note.code, *noted[key], note.words) for key, note in notes.items() if key in noted)
    done = JobTable(
        raw=raw,
        fields=located,
        is_ignored=f"coalesce(c{len(columns) - 1}, '') <> ''",
        start_unit=clock,
        end_unit=clock,
        issues=tuple(issues),
    )
    return finish(
        done if clock is None else replace(done, queue_units=dict.fromkeys(done.queue_times, clock))
    )


# --- Records of JSON: lines of objects, an array of them, or objects one after another, each flattened to texts

_DEPTH_AT_MOST: Final = 12
_ITEMS_AT_MOST: Final = 16
_KEYS_AT_MOST: Final = 1024
_LINES_LOOKED_AT: Final = 20
_LEVELS_AT_MOST: Final = 3

Record = dict[str, str]


def json_form(source: Source) -> str | None:
    """LINES, or the path of the records in one document (`item`, `jobs.item`, empty for the objects themselves).

    None where it is no JSON with objects in it.
    """
    if source.kind != TEXT or not json_values.begins_json(source.head):
        return None
    lines = [line for line in source.head.lstrip("\ufeff").splitlines() if line.strip()][:_LINES_LOOKED_AT]
    whole = [json_values.object_of_line(line) is not None for line in lines]
    if len(lines) > 1 and (whole[0] or sum(whole) > len(whole) / 2):
        return json_values.LINES
    path = _path_of_jobs(source.head)
    if path is not None:
        return path
    path = _path_of_records(source.head)
    return json_values.LINES if whole == [True] and (path or "").count(".") != 1 else path


def _path_of_jobs(head: str) -> str | None:
    """The one list of objects that look like jobs, up to three keys deep; None without one, or with a job outside."""
    keys: dict[str, set[str]] = {"": set()}
    for path, event, _ in json_values.head_events(head):
        if event in ("string", "number", "null", "boolean"):
            outer, is_in_list, key = path.partition(".item.")
            if not is_in_list:
                keys[""].add(path)
            elif outer.count(".") < _LEVELS_AT_MOST and ".item" not in f".{key}":
                keys.setdefault(f"{outer}.item", set()).add(key)
    found = [path for path, names in keys.items() if _looks_like_jobs(names)]
    return found[0] if len(found) == 1 and found[0] else None


def _looks_like_jobs(names: Collection[str]) -> bool:
    """Whether the keys say a count of GPUs and a start, and either an end or a duration."""
    fields = {field for name in list(names)[:_KEYS_AT_MOST] for field in name_readings(name)}
    return {"gpus", "start"} <= fields and bool(fields & {"end", "duration"})


def _path_of_records(head: str) -> str | None:
    """The array with most objects; where there is none, the outermost objects."""
    objects: dict[str, int] = {}
    for path, event, _ in json_values.head_events(head):
        if event == "start_map" and path.count(".item") + (path == "item") <= 1:
            objects[path] = objects.get(path, 0) + 1
    arrays = {path: count for path, count in objects.items() if path == "item" or path.endswith(".item")}
    if arrays and objects.get("", 0) <= 1:
        return max(arrays, key=lambda path: arrays[path])
    return "" if objects else None


def job_records(source: Source, form: str) -> Iterator[tuple[int, Record | str]]:
    """Every record as (row number, texts by dotted key); a line that is no object as its text.

    Errors: PlannerError truncated_file, file_unreadable where a document is cut off or broken.
    """
    for number, value in json_values.numbered_values(source, form):
        yield number, flat(value) if isinstance(value, dict) else str(value)


def write_lines(source: Source, form: str, at: Path, rows_at_most: int) -> bool:
    """The first records as lines of flat objects; whether these are all. Errors: as json_records.

    For a preview: the file at `at` is read by the same steps as the whole.
    """
    found = job_records(source, form)
    with at.open("w", encoding="utf-8") as out:
        for _, record in islice(found, rows_at_most):
            out.write(json.dumps(record) + "\n")
    return next(found, None) is None


def flat(value: Mapping[str, object]) -> Record:
    """An object as texts by dotted key; a list of plain values is one text, of objects numbered keys.

    >>> flat({"spec": {"gpus": 2}, "hosts": ["a", "b"], "state": None})
    {'spec.gpus': '2', 'hosts': 'a,b', 'state': ''}
    """
    found: Record = {}

    def take(prefix: str, inside: object, depth: int) -> None:
        """Takes a value in under its path; lists of plain values become one text with commas."""
        if len(found) >= _KEYS_AT_MOST or depth > _DEPTH_AT_MOST:
            return
        if isinstance(inside, Mapping):
            for key, one in inside.items():
                take(f"{prefix}.{key}" if prefix else str(key), one, depth + 1)
        elif isinstance(inside, list):
            if any(isinstance(one, Mapping | list) for one in inside):
                for place, one in enumerate(inside[:_ITEMS_AT_MOST]):
                    take(f"{prefix}.{place}", one, depth + 1)
            else:
                found[prefix] = ",".join(map(_text, inside))
        else:
            found[prefix] = _text(inside)

    take("", value, 0)
    return found


def _text(value: object) -> str:
    """A plain value as text: nothing for null, true and false as JSON writes them."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def keys_of(records: Iterable[Record]) -> tuple[str, ...]:
    """Every key in the order in which they first come.

    At most as many as a table may have columns.

    >>> keys_of([{"a": "1"}, {"b": "2", "a": "3"}])
    ('a', 'b')
    """
    return tuple(dict.fromkeys(key for record in records for key in record))[:_KEYS_AT_MOST]


# --- Rows of a table, or records of JSON, as texts by a dialect's own keys, whatever a version calls its columns

Headings = Mapping[str, Sequence[str]]
"""By a dialect's own key: names of columns without case and signs, the best first; of JSON, keys run together."""

Told = Mapping[str, str]
"""Text by key of Headings; what is empty or not there is an empty text."""

_ROWS_AT_ONCE: Final = 10_000
_NOTE: Final = "note"


_HEADINGS: Final = rows_of("log_headings.csv")


def headings_of(log: str) -> Mapping[str, Sequence[str]]:
    """Our key -> headings of a kind of log that mean it, the best first, as the shipped table has them."""
    return {row["key"]: row["headings"].split("|") for row in _HEADINGS if row["log"] == log}


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLog:
    """A kind of log that names its columns. fields: of a job, what it may say; texts: a record as a job.

    containers: keys of the list of records in JSON; needed: keys of which each group must be named, with what it is
    called; remedy: what to export instead. end_is_elapsed: it has durations, which count before ends; note: what is to
    be said of jobs that hold GPUs, and of which of them.
    """

    fields: Sequence[str]
    headings: Headings
    texts: Callable[[Told], JobTexts]
    containers: tuple[str, ...]
    needed: tuple[tuple[tuple[str, ...], str], ...]
    remedy: Message
    end_is_elapsed: bool = False
    note: Message | None = None
    is_noted: Callable[[Told], bool] = lambda told: False

    def keys(self, head: str) -> frozenset[str]:
        """Which keys a beginning names.

        Keys are the dialect's own, under which it knows the spellings of all versions.
        """
        paths = json_values.json_paths(head)
        prefix = f"{self._container(head)}." if paths else ""
        names = [path.removeprefix(prefix) for path in paths] if paths else header_columns(head).columns
        named = {bare(re.sub(r"\.item$", "", name)) for name in names}
        return frozenset(key for key, known in self.headings.items() if named & set(known))

    def _container(self, head: str) -> str:
        """The path of the records of a document; `item`, or empty where they are in no list of a name."""
        paths = json_values.json_paths(head)
        container = next((name for name in self.containers if f"{name}.item" in paths), None)
        if container:
            return f"{container}.item"
        return "item" if "item" in paths else ""

    def rows(self, source: Source, engine: Engine, table: str) -> JobTable:
        """Every record as a job. Errors: PlannerError missing_column; truncated_file, file_unreadable.

        An unknown record is no error: it is rejected or ignored by its texts, like any row.
        """
        self._check(source)
        ragged: RaggedLines | None = None
        if json_values.json_paths(source.head):
            jobs = self._json_jobs(source)
        else:
            delimiter, columns = header_columns(source.head)
            raw = load_raw(engine, source, f"{table}_cells", columns, delimiter=delimiter, is_whole=True)
            ragged = raw.ragged
            jobs = table_jobs(engine, raw, located(columns, self.headings), self._job)

        return table_of_texts(
            engine,
            source,
            table,
            self.fields,
            jobs,
            notes={} if self.note is None else {_NOTE: Note("undecided", self.note)},
            finish=lambda done: replace(done, end_is_elapsed=self.end_is_elapsed),
            ragged=ragged,
        )

    def _job(self, told: Told) -> JobTexts:
        """The texts of a job, with a note where the dialect says that something of it was taken for granted."""
        texts = self.texts(told)
        return {**texts, NOTED: _NOTE} if self.is_noted(told) else texts

    def _check(self, source: Source) -> None:
        """PlannerError `missing_column` if the file lacks one of the fields no job can do without."""
        keys = self.keys(source.head)
        lacking = [name for group, name in self.needed if not keys & set(group)]
        if lacking:
            problem = worded("there is no {names}", names=joined(lacking, worded(" or ")))
            raise PlannerError(f"{source.path}:1", "missing_column", problem, self.remedy)

    def _json_jobs(self, source: Source) -> Iterator[tuple[int, JobTexts]]:
        """Each record of the JSON by the dialect's own keys, numbered from 1.

        What is no object keeps its text.
        """
        path = self._container(source.head)
        if path in ("", "item"):
            records = json_values.json_records(source)
        else:
            records = json_values.numbered_values(source, path)
        for row, value in records:
            if not isinstance(value, dict):
                yield row, {RAW: json_values.text_of(value)}
                continue
            texts = {bare(key): text.strip() for key, text in flat(value).items()}
            told = {
                key: next((texts[name] for name in names if texts.get(name)), "")
                for key, names in self.headings.items()
            }
            yield row, self._job(told)


def located(columns: Sequence[str], headings: Headings) -> dict[str, tuple[int, ...]]:
    """By key, the places of the columns that may tell it, the best first.

    >>> located(("GPU Count", "Start"), {"gpus": ("gpus", "gpucount"), "end": ("end",)})
    {'gpus': (0,)}
    """
    names = [bare(column) for column in columns]
    places = {
        key: tuple(names.index(name) for name in known if name in names) for key, known in headings.items()
    }
    return {key: place for key, place in places.items() if place}


def table_jobs(
    engine: Engine, raw: RawTable, places: Mapping[str, tuple[int, ...]], job: Callable[[Told], JobTexts]
) -> Iterator[tuple[int, JobTexts]]:
    """Every record of a table as (line, job).

    One with too many cells is never ignored: its cells may be another's.

    Of several columns for a key the first that is not empty counts, row by row. Lines ascend.
    """
    long = frozenset(raw.ragged.long)
    texts = (
        f"coalesce({', '.join(f'nullif(trim(c{index}), {_EMPTY})' for index in place)}, {_EMPTY})"
        for place in places.values()
    )
    cursor = engine.connection.cursor().execute(
        f'select line, {", ".join(texts)} from "{raw.name}" order by line'
    )
    while found := cursor.fetchmany(_ROWS_AT_ONCE):
        for line, *cells in found:
            said = job(dict(zip(places, cells, strict=True)))
            yield line, {**said, IGNORED: ""} if line in long else said


_EMPTY: Final = "''"
