"""Logs so far: a project as its log was known at an hour of the past, from the job rows that its import kept."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.calendar_months import month_windows
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import respelled
from gpuplanner.domain.model.window import Window
from gpuplanner.files.importing.windowed_jobs import kept_rows
from gpuplanner.files.job_logs.reduce.job_rows import know_until, open_rows, rename_rows
from gpuplanner.files.system.engine import Progress, open_engine
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.values.lookback_period import WindowRequest, choose_window
from gpuplanner.lazy_dataclass import replace

if TYPE_CHECKING:
    from gpuplanner.files.job_logs.reduce.reduction import Reduction


def logs_so_far(
    rows_dir: Path,
    project: Project,
    windows: Sequence[Window],
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> Iterator[Project]:
    """The project at the end of each window, knowing only rows of jobs that had begun by then.

    A job that ends at that hour or later runs on: its end, state and activity are unknown.
    Errors: PlannerError file_missing where the rows are gone, at the first window; Cancelled.
    """
    from gpuplanner.files.job_logs.reduce.reduction import reduce_jobs

    path = kept_rows(rows_dir, project.jobs)
    with open_engine(
        size_bytes=path.stat().st_size, on_progress=on_progress, is_cancelled=is_cancelled
    ) as engine:
        is_renamed = bool(open_rows(engine, path, project.same)) or bool(project.same)
        for place, window in enumerate(windows):
            know_until(engine, window.end_s)
            if is_renamed:  # fewer names may be alike so far, never more
                rename_rows(engine, project.same)
            with engine.part(place / len(windows), (place + 1) / len(windows)):
                engine.progress(worded("Reading the log as known at the time"), 0.0)
                found = reduce_jobs(engine, window, finds_idle_gaps=False)
            yield _reduced_to(project, window, found)


def _reduced_to(project: Project, window: Window, found: "Reduction") -> Project:
    """The project over another window of its log, of which these are the sums."""
    jobs = replace(found.jobs, rows_sha256=project.jobs.rows_sha256)
    of_window = replace(project, window=window, cube=found.cube, workloads=found.workloads, jobs=jobs)
    return respelled(of_window, gpu_families())


def months_of_log(
    rows_dir: Path,
    project: Project,
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> Iterator[Project]:
    """The project over each calendar month of its whole log, from the rows that its import kept, in order.

    Errors: PlannerError file_missing where the rows are gone, at the first month; Cancelled.
    """
    from gpuplanner.files.job_logs.reduce.reduction import log_span, reduce_jobs

    path = kept_rows(rows_dir, project.jobs)
    whole_log = WindowRequest(start_s=None, end_s=None, days=None, whole_log=True)
    with open_engine(
        size_bytes=path.stat().st_size, on_progress=on_progress, is_cancelled=is_cancelled
    ) as engine:
        open_rows(engine, path, project.same)
        log = choose_window(whole_log, log_span(engine), project.window.timezone)
        windows = tuple(month_windows(log)) if log else ()
        for place, window in enumerate(windows):
            with engine.part(place / len(windows), (place + 1) / len(windows)):
                engine.progress(worded("Reading the log month by month"), 0.0)
                found = reduce_jobs(engine, window)
            yield _reduced_to(project, window, found)
