"""The peak of logs that were mapped, against the GPUs of the contracts: one that is far above them is a question."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import worded_both
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.files.importing.windowed_jobs import JobsRead, sorted_issues
from gpuplanner.files.job_logs.mapped_log import FORMAT as MAPPED
from gpuplanner.files.job_logs.mapped_log import GPUS_COLUMN
from gpuplanner.lazy_dataclass import replace

_TIMES_AT_MOST: Final = 3
"""Of a known log more is overflow, which is planned; of a mapped one a unit may be another."""


def with_doubt(jobs: JobsRead, contracts: Sequence[Contract]) -> JobsRead:
    """The jobs with a question to each mapped log, where their peak is over three times the contracts' GPUs."""
    held = sum(contract.milli_gpus for contract in contracts if not contract.is_dollars)
    logs = [file for file in jobs.intake if file.kind == "jobs"]
    is_mapped = bool(logs) and all(file.format == MAPPED for file in logs)
    peak = jobs.jobs.peak_milli_gpus
    if not held or not is_mapped or peak <= _TIMES_AT_MOST * held:
        return jobs
    return replace(jobs, intake=tuple(_asked(file, peak, held) for file in jobs.intake))


def _asked(file: FileIntake, peak: int, held: int) -> FileIntake:
    """A log with the question; another file as it is."""
    column = str(dict(file.facts).get(GPUS_COLUMN, ""))
    if not column:
        return file
    words = worded_both(
        "“{column}” gives a peak of {peak} GPUs; contracts have {contracted}. If its numbers are another unit, add it: "
        "--map 'gpus={column}:gpu_hours', milli or percent",
        "“{column}” gives a peak of {peak} GPUs; contracts have {contracted}. "
        "If its numbers are another unit, choose it",
        column=column,
        peak=significant(peak / 1000),
        contracted=significant(held / 1000),
    )
    return replace(file, issues=sorted_issues((*file.issues, Issue("undecided", 1, None, words))))
