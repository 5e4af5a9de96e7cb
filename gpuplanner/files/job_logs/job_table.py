"""What a dialect hands over: which text of a log is which field of a job."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from gpuplanner.domain.model.intake import Issue
from gpuplanner.domain.model.worded import Worded, worded
from gpuplanner.files.job_logs.gpu_counts import GpuReading, read_gpu_count
from gpuplanner.files.job_logs.raw_table import RawTable

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


@dataclass(frozen=True, slots=True)
class JobTable:
    """Rows of one log before they are judged.

    raw: the records; fields: SQL over them by name of TEXT_FIELDS, absent where the log has no such column.
    is_ignored: SQL that is true for lines that are no job (steps, totals).
    start_unit, end_unit: None for ISO 8601, else a unit of `durations.SECONDS_PER` counted from 1970 UTC.
    end_is_elapsed: the log has durations in place of ends. read_gpus: one distinct text of `gpus` to thousandths.
    are_ignored_rows: what is ignored is as much of the table as the jobs, as in a bill, so what it lacks is said.
    no_jobs: what ignored lines are, and what to export where there are no others.
    """

    raw: RawTable
    fields: Mapping[str, str]
    is_ignored: str = "false"
    start_unit: str | None = None
    end_unit: str | None = None
    elapsed_unit: str = "s"
    end_is_elapsed: bool = False
    read_gpus: Callable[[str], GpuReading] = read_gpu_count
    issues: tuple[Issue, ...] = field(default_factory=tuple)
    are_ignored_rows: bool = False
    no_jobs: tuple[Worded, Worded] = NO_JOBS
