"""A dialect of job log, one declaration in the module that reads it, and what it hands over: texts by field."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.log.intake import Facts, Issue
from gpuplanner.files.sources.raw_table import RawTable
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.gpu_counts import GpuReading, read_gpu_count

TEXT_FIELDS: Final = (
    "job_id",
    "cluster",
    "name",
    "account",
    "user",
    "queue",
    "gpu_model",
    "gpus",
    "nodes",
    "start",
    "end",
    "elapsed",
    "state",
    "activity",
    "label",
    "model",
    "hosts",
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
