"""A later log beside a saved plan: read with the plan's names and decisions from its first day on."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.edits.inputs import LoadedJobs, import_inputs
from gpuplanner.domain.edits.same_names import say_same
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.typed import day, whole
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model import gpu_family
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import respelled
from gpuplanner.domain.model.tables import Tables
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.domain.track.track import Track, track
from gpuplanner.files.importing import import_tables
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.intake import assemble, resolver
from gpuplanner.files.importing.log_choices import AS_RECOGNISED, ReadOptions
from gpuplanner.files.importing.windowed_jobs import JobsRead, rewindow
from gpuplanner.files.job_logs.reduce.former_names import keep_decisions
from gpuplanner.files.system.engine import Progress
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.values.lookback_period import WindowRequest
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LaterFiles:
    """What came: job logs, and contracts and prices as they are now; none: the plan's own.

    contracts: files, or files with how each is read. said: what is one though it has two names, beside what the project
    says.
    """

    jobs: Sequence[str]
    contracts: Sequence[str] | import_tables.Mappings = ()
    prices: Sequence[str] = ()
    options: ReadOptions = AS_RECOGNISED
    said: Sequence[gpu_family.StatedSame] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Later:
    """A project of the plan with the log that came.

    project: None where nothing of the log lies in the time that is compared. notes: what was left out. refused: files
    that are readable and of no use; then nothing is compared.
    """

    project: Project | None
    intake: tuple[FileIntake, ...]
    notes: tuple[Message, ...] = ()
    refused: tuple[PlannerError, ...] = ()


def track_later(
    project: Project,
    evaluated: Callable[[], Evaluation],
    files: LaterFiles,
    tables: Tables,
    bounds: WindowRequest | None = None,
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> tuple[Later, Track | None]:
    """What came, and a project's plan held against it; no Track where there is nothing to compare, or it was cancelled.

    evaluated: the plan with its advice, asked for once something came. bounds, Errors: as `read_later`.
    """
    with own_folder() as rows_dir:
        later = read_later(project, files, rows_dir, bounds, on_progress, is_cancelled)
    if later.project is None or is_cancelled():
        return later, None
    if on_progress is not None:
        on_progress(1.0, worded("Comparing"))
    found = track(
        evaluated(),
        later.project,
        tables,
        has_contracts=bool(files.contracts),
        has_prices=bool(files.prices),
        notes=later.notes,
        is_cancelled=is_cancelled,
    )
    return later, found


def read_later(
    project: Project,
    files: LaterFiles,
    rows_dir: Path,
    bounds: WindowRequest | None = None,
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> Later:
    """What came after a project's plans begin. rows_dir: where job rows lie for as long as this takes.

    bounds: what narrows it. Nothing is compared with a part of the files: without one of them what was signed, or came,
    would be less than it was. Errors: PlannerError where a file cannot be read; Cancelled.
    """
    bounds = bounds or WindowRequest()
    begin_s = project.plan_window.end_s
    last_s = begin_s + COMPARED_MONTHS * MONTH_S
    mappings = files.contracts if isinstance(files.contracts, Mapping) else None
    contracts, prices = (
        import_tables.import_contracts(tuple(files.contracts), mappings, files.options.clusters),
        import_tables.import_prices(files.prices),
    )
    end_s = None if bounds.end_s is None else min(bounds.end_s, last_s)
    jobs = import_jobs(
        files.jobs,
        files.options,
        window_request=WindowRequest(end_s=end_s),
        rows_dir=rows_dir,
        same=resolver(files.said, contracts.contracts, prices.offers, project.same),
        on_progress=on_progress,
        is_cancelled=is_cancelled,
    )
    read_all = (jobs, contracts, prices)
    intake = tuple(file for read in read_all for file in read.intake)
    refused = tuple(error for read in read_all for error in read.refused)
    if refused or jobs.window is None:
        return Later(None, intake, refused=refused)
    until_s = min(jobs.window.end_s, last_s)
    last_days_s = begin_s if bounds.days is None else until_s - bounds.days * DAY_S
    from_s = max(begin_s, bounds.start_s or begin_s, last_days_s)
    if until_s <= from_s or not jobs.accepted:
        why = worded("no job in the log ran after {day}, the plan's start", day=day(begin_s))
        return Later(None, intake, (why,) if jobs.accepted else ())
    timezone = files.options.timezone or project.window.timezone
    inside = rewindow(
        rows_dir,
        jobs.jobs,
        jobs.intake,
        WindowRequest(start_s=from_s, end_s=until_s),
        timezone=timezone,
        same=jobs.same,
        is_cancelled=is_cancelled,
    )
    read = assemble(inside, contracts, prices)
    assert inside.window is not None and read.cube is not None
    after = import_inputs(
        project,
        jobs=LoadedJobs(inside.window, read.cube, read.workloads, read.jobs),
        contracts=read.contracts if files.contracts else None,
        offers=read.offers if files.prices else None,
        earlier_offers=read.earlier_offers,
        intake=read.intake,
    )
    after = keep_decisions(project, say_same(after, read.same))
    return Later(respelled(after, gpu_families()), read.intake, _left_out(jobs, inside, last_s))


def _left_out(jobs: JobsRead, inside: JobsRead, last_s: int) -> tuple[Message, ...]:
    """What of a log lies outside of the time that is compared."""
    assert inside.window is not None
    said = []
    outside = jobs.accepted - inside.jobs.count
    if outside > 0:
        said.append(
            worded(
                "{count} jobs outside {start} to {end} are skipped",
                count=whole(outside),
                start=day(inside.window.start_s),
                end=day(inside.window.end_s),
            )
        )
    first_s = inside.jobs.first_start_s
    if first_s is not None and first_s - inside.window.start_s >= DAY_S:
        said.append(
            worded(
                "no jobs from {start} to {first}: counted as idle",
                start=day(inside.window.start_s),
                first=day(first_s),
            )
        )
    if jobs.window is not None and jobs.window.end_s > last_s:
        said.append(worded("compared: the plan's first 12 months, up to {end}", end=day(last_s)))
    return tuple(said)
