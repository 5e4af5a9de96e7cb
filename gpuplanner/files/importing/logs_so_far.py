"""Logs so far: a project as its log was known at an hour of the past, from the job rows that its import kept."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.names.spelling import respelled
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window
from gpuplanner.files.importing.import_jobs import kept_rows
from gpuplanner.files.system.engine import Progress, open_engine
from gpuplanner.files.system.resources import gpu_families


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
    from gpuplanner.files.job_logs.reduce.job_rows import know_until, open_rows
    from gpuplanner.files.job_logs.reduce.reduction import reduce_jobs
    from gpuplanner.files.job_logs.reduce.same_rows import rename_rows

    path = kept_rows(rows_dir, project.jobs)
    with open_engine(
        size_bytes=path.stat().st_size, on_progress=on_progress, is_cancelled=is_cancelled
    ) as engine:
        open_rows(engine, path)
        is_renamed = bool(project.same) | bool(rename_rows(engine, project.same))
        for place, window in enumerate(windows):
            know_until(engine, window.end_s)
            if is_renamed:  # fewer names may be alike so far, never more
                rename_rows(engine, project.same)
            with engine.part(place / len(windows), (place + 1) / len(windows)):
                engine.progress(worded("Reading the log as it was known then"), 0.0)
                found = reduce_jobs(engine, window, finds_idle_gaps=False)
            as_known = replace(
                project,
                window=window,
                cube=found.cube,
                workloads=found.workloads,
                jobs=replace(found.jobs, rows_sha256=project.jobs.rows_sha256),
            )
            yield respelled(as_known, gpu_families())
