"""Logs alone: what each log of a reading holds by itself."""

from pathlib import Path
from typing import TYPE_CHECKING

from gpuplanner.app.background import IsCancelled
from gpuplanner.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from gpuplanner.files.importing.intake import ReadResult
    from gpuplanner.files.importing.windowed_jobs import JobsRead


@dataclass(frozen=True, slots=True)
class LogAlone:
    """What one log of a reading holds by itself: all of it, and the part in the lookback period."""

    path: str
    whole: "JobsRead"
    inside: "JobsRead"


def logs_alone(read: "ReadResult", rows_dir: Path | None, is_cancelled: IsCancelled) -> tuple[LogAlone, ...]:
    """Each log of a reading by itself, in their order; none where that cannot be known.

    rows_dir: where their rows are kept. Errors: PlannerError file_missing where they are gone; Cancelled.
    """
    from gpuplanner.files.importing.windowed_jobs import LOG_KINDS, JobsRead, rewindow
    from gpuplanner.files.values.lookback_period import WindowRequest

    files = [file for file in read.intake if file.kind in LOG_KINDS]
    logs = [number for number, file in enumerate(files) if file.kind == "jobs" and file.rows_accepted]
    together = JobsRead(
        window=read.window, cube=read.cube, workloads=read.workloads, jobs=read.jobs, intake=read.intake
    )
    if len(logs) == 1 and read.jobs.count == read.accepted_jobs:
        return (LogAlone(files[logs[0]].path, together, together),)
    if rows_dir is None or not read.jobs.rows_sha256 or read.window is None:
        return ()

    def alone(number: int, window: WindowRequest) -> JobsRead:
        """One log in a window."""
        return rewindow(
            rows_dir, read.jobs, read.intake, window, same=read.same, number=number, is_cancelled=is_cancelled
        )

    period = WindowRequest(start_s=read.window.start_s, end_s=read.window.end_s)
    return tuple(
        LogAlone(
            files[number].path,
            alone(number, WindowRequest(whole_log=True)),
            together if len(logs) == 1 else alone(number, period),
        )
        for number in logs
    )
