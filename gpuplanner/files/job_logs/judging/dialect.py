"""A dialect of job log, one declaration in the module that reads it, and the texts it hands over."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.intake import Facts, Issue
from gpuplanner.files.sources.issue_texts import RaggedLines
from gpuplanner.files.sources.raw_table import RawTable, load_records
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.gpu_names import GpuReading, read_gpu_count
from gpuplanner.files.values.numbers import phrases

# --- A dialect of job log, one declaration in the module that reads it, and what it hands over: texts by field

TEXT_FIELDS: Final = phrases(
    "job_id|cluster|name|account|user|queue|gpu_model|gpus|nodes|start|end|elapsed|state|activity|label|model"
    "|hosts"
)
"""What a job row may say, all of it text at first.

`user` is who ran it; `label` a class stated in the log; `hosts` the names of its nodes, as the scheduler lists them.
"""


NO_JOBS: Final = (worded("totals, remarks or other records"), worded("export a row for each job that ran"))

QUEUE_TIMES: Final = ("submit", "eligible")
QUEUE_FIELDS: Final = (*QUEUE_TIMES, "time_limit", "priority")
"""What a job row may say of its time in the queue, kept for who replays it: no row is judged by them."""


@dataclass(frozen=True, slots=True)
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
    issues: tuple[Issue, ...] = field(default_factory=tuple)
    tells_beginnings: bool = False
    has_no_node: str = "false"
    are_ignored_rows: bool = False
    no_jobs: tuple[Message, Message] = NO_JOBS

    def clock_unit(self, name: str) -> str | None:
        """The unit of a field that is a time; None for ISO 8601."""
        return {"start": self.start_unit, "end": self.end_unit}.get(name) or self.queue_units.get(name)

    @property
    def queue_times(self) -> tuple[str, ...]:
        """The QUEUE_TIMES that the log has."""
        return tuple(name for name in QUEUE_TIMES if name in self.fields)


@dataclass(frozen=True, slots=True)
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
        return worded("it reads like a {title}", title=self.title)


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
        raw,
        located,
        is_ignored=f"coalesce(c{len(columns) - 1}, '') <> ''",
        start_unit=clock,
        end_unit=clock,
        issues=tuple(issues),
    )
    return finish(
        done if clock is None else replace(done, queue_units=dict.fromkeys(done.queue_times, clock))
    )
