"""Reading all inputs of a project, and a later log read as the plan's own was."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.edits.inputs import LoadedJobs, import_inputs, say_same
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.typed import day, whole
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model import gpu_family
from gpuplanner.domain.model.book.contract import Contract, since_log
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, JobFacts
from gpuplanner.domain.model.places import NO_PLACES
from gpuplanner.domain.model.plan_inputs import PlannedWork
from gpuplanner.domain.model.project import Project, month_windows
from gpuplanner.domain.model.spelling import Spelled, respelled, spelled, written_model
from gpuplanner.domain.model.tables import Tables
from gpuplanner.domain.model.window import DAY_S, MONTH_S, Window
from gpuplanner.domain.track.track import Track, track
from gpuplanner.files.importing import import_tables
from gpuplanner.files.importing.import_jobs import AS_RECOGNISED, ReadOptions, Resolve, import_jobs
from gpuplanner.files.importing.other_sheets import without_those_read
from gpuplanner.files.importing.windowed_jobs import JobsRead, kept_rows, rewindow
from gpuplanner.files.job_logs.reduce.former_names import keep_decisions
from gpuplanner.files.job_logs.reduce.job_rows import know_until, open_rows, rename_rows
from gpuplanner.files.lists.interruptions import NOTHING_OBSERVED, InterruptionsRead
from gpuplanner.files.lists.place_tables import NO_PLACES_READ, PlacesRead
from gpuplanner.files.lists.planned_work import NOTHING_PLANNED, PlannedRead
from gpuplanner.files.system.engine import Progress, open_engine
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.values.lookback_period import WindowRequest, choose_window
from gpuplanner.lazy_dataclass import dataclass, replace

if TYPE_CHECKING:
    from gpuplanner.files.job_logs.reduce.reduction import Reduction

# --- Intake: files in, values out. What the window and the command line call to read jobs, contracts and prices

NAMES_LISTED: Final = 12


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReadResult:
    """Everything one call read, GPU models spelled alike throughout; the fields are those of Project.

    window and cube are None where no job was accepted and no bounds were given. refused, unnamed: see JobsRead.
    """

    window: Window | None
    cube: Cube | None
    workloads: tuple[Workload, ...]
    jobs: JobFacts
    contracts: tuple[Contract, ...]
    offers: tuple[Offer, ...]
    intake: tuple[FileIntake, ...]
    refused: tuple[PlannerError, ...] = ()
    accepted_jobs: int = 0
    places: PlacesRead = NO_PLACES_READ
    earlier_offers: tuple[Offer, ...] = ()
    planned: tuple[PlannedWork, ...] = ()
    same: tuple[gpu_family.Same, ...] = ()
    unnamed: tuple[str, ...] = ()

    def project(self) -> Project:
        """A new project, with one plan. Errors: ValueError where no job was accepted and no bounds were given."""
        if self.window is None or self.cube is None:
            raise ValueError("no job was accepted; look at the intake")
        return Project(
            window=self.window,
            cube=self.cube,
            workloads=self.workloads,
            jobs=self.jobs,
            contracts=self.contracts,
            offers=self.offers,
            intake=self.intake,
            places=self.places.over(NO_PLACES),
            earlier_offers=self.earlier_offers,
            same=self.same,
        )


def read_inputs(
    job_paths: Sequence[str],
    contract_paths: Sequence[str] | Mapping[str, str] = (),
    price_paths: Sequence[str] | import_tables.Mappings = (),
    *,
    options: ReadOptions = AS_RECOGNISED,
    window_request: WindowRequest | None = None,
    rows_dir: Path | None = None,
    same: Sequence[gpu_family.StatedSame] = (),
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> ReadResult:
    """Read all files of a call and put them together.

    options: how the job logs are read. same: what is one though it has two names.
    contract_paths, price_paths: also with how each is read, as the mappings of import_contracts.

    Errors: PlannerError file_missing, file_unreadable, truncated_file, or usage; Cancelled. A readable file that is
    not what it was given as is refused, not raised.
    """
    of_contracts, of_prices = (
        paths if isinstance(paths, Mapping) else None for paths in (contract_paths, price_paths)
    )
    contracts = import_tables.import_contracts(tuple(contract_paths), of_contracts, options.clusters)
    prices = import_tables.import_prices(tuple(price_paths), of_prices)
    jobs = import_jobs(
        job_paths,
        options,
        window_request=window_request,
        rows_dir=rows_dir,
        same=resolver(same, contracts.contracts, prices.offers),
        on_progress=on_progress,
        is_cancelled=is_cancelled,
    )
    return assemble(jobs, contracts, prices)


def resolver(
    said: Sequence[gpu_family.StatedSame],
    contracts: Iterable[Contract],
    offers: Iterable[Offer],
    known: Iterable[gpu_family.Same] = (),
) -> Resolve | None:
    """What settles decisions as they were written, once the logs' own names are known; None where there are none.

    known: decisions of before, of which those hold that are of names that occur. So do rows of lists; a decision that
    was typed and names what nobody has is a usage error of what the answer is called with.
    """
    known = tuple(known)
    if not said and not known:
        return None
    contracts = tuple(contracts)
    rows: tuple[Contract | Offer, ...] = (*contracts, *offers)
    models = {name for one in rows for name in (one.gpu_model, written_model(one)) if name}
    clusters = {name for one in contracts for name in (one.cluster, one.cluster_written) if name is not None}
    families = gpu_families()

    def settle(
        log_models: frozenset[str], log_clusters: frozenset[str], log_workloads: Callable[[], frozenset[str]]
    ) -> tuple[gpu_family.Same, ...]:
        """The equal names that hold for this log: those known before whose names are there, and those stated.

        Errors: PlannerError `usage` for a name stated on the command line that no file has.
        """
        names = {name.casefold() for name in (*models, *log_models)}
        places = clusters | log_clusters

        def is_model(name: str) -> bool:
            """Whether a name is a GPU model of these files or of a known family."""
            return name.casefold() in names or families.read(name) is not None

        def is_named(one: gpu_family.Same) -> bool:
            """Whether the other name of an equation is one that these files have."""
            if one.kind is gpu_family.SameKind.MODEL:
                return one.theirs.casefold() in names | called
            return one.kind is gpu_family.SameKind.WORKLOAD or one.theirs in places

        reads = [read for name in (*models, *log_models) if (read := families.read(name)) is not None]
        called = {name.casefold() for read in reads for name in (read.full, read.family)}

        def has(kind: gpu_family.SameKind, name: str) -> bool:
            """Whether a name of this kind is in these files; the empty cluster always is."""
            if kind is gpu_family.SameKind.MODEL:
                return gpu_family.folded(kind, name) in names | called
            if kind is gpu_family.SameKind.CLUSTER:
                return not name or name in places
            cluster, _, key = name.partition("/")  # of a key the cluster may be the project's own name
            return name in log_workloads() or (cluster in places and key in log_workloads())

        own = []
        for one in said:
            same = gpu_family.with_kind(one, is_model, places.__contains__)
            is_family = same.kind is gpu_family.SameKind.MODEL and families.read(same.ours) is not None
            nobody = gpu_family.name_of_nobody(same, partial(has, same.kind), is_known=is_family)
            if nobody is None:
                own.append(same)
            elif not one.where:
                there = {
                    gpu_family.SameKind.MODEL: {*models, *log_models},
                    gpu_family.SameKind.CLUSTER: places - {""},
                }
                raise _stated_of_nobody(one, same.kind, nobody, there.get(same.kind, ()))
        return gpu_family.with_same((one for one in known if is_named(one)), own)

    return settle


def _stated_of_nobody(
    said: gpu_family.StatedSame, kind: gpu_family.SameKind, name: str, there: Iterable[str]
) -> PlannerError:
    """The error `usage` for a stated name that no file has; its remedy lists the names there are."""
    names = sorted(there, key=str.casefold)
    listed = ", ".join(names[:NAMES_LISTED]) + (", ..." if len(names) > NAMES_LISTED else "")
    fault = {
        gpu_family.SameKind.MODEL: worded("no GPU model {name} in these files", name=repr(name)),
        gpu_family.SameKind.CLUSTER: worded("no cluster {name} in these files", name=repr(name)),
        gpu_family.SameKind.WORKLOAD: worded("no workload {name} in this log", name=repr(name)),
    }[kind]
    if said.kind is None and kind is gpu_family.SameKind.WORKLOAD:
        fault = worded("neither name is a GPU model, cluster or workload here")
        remedy = worded("use a name from the files, or start with model:, cluster: or workload:")
    elif kind is gpu_family.SameKind.WORKLOAD:
        remedy = worded("list the keys with audit --json")
    else:
        remedy = worded("choose from {listed}", listed=listed or "none")
    return PlannerError(f"--same {said.text}", "usage", fault, remedy)


def assemble(
    jobs: JobsRead,
    contracts: import_tables.ContractsRead,
    prices: import_tables.PricesRead,
    places: PlacesRead = NO_PLACES_READ,
    planned: PlannedRead = NOTHING_PLANNED,
    interruptions: InterruptionsRead = NOTHING_OBSERVED,
) -> ReadResult:
    """The parts as one, every GPU model and cluster spelled in one way."""
    if jobs.window is not None:
        clusters = {workload.cluster for workload in jobs.workloads}
        dated = since_log(contracts.contracts, jobs.window.start_s, clusters)
        contracts = replace(contracts, contracts=dated)
    parts = spelled(
        Spelled(
            cube=jobs.cube,
            jobs=jobs.jobs,
            contracts=contracts.contracts,
            offers=prices.offers,
            earlier_offers=prices.earlier_offers,
        ),
        jobs.workloads,
        jobs.same,
        gpu_families(),
    )
    all_read = (jobs, contracts, prices, places, planned, interruptions)
    return ReadResult(
        window=jobs.window,
        cube=parts.cube,
        workloads=jobs.workloads,
        jobs=parts.jobs,
        contracts=parts.contracts,
        offers=parts.offers,
        intake=without_those_read([file for read in all_read for file in read.intake]),
        refused=tuple(error for read in all_read for error in read.refused),
        accepted_jobs=jobs.accepted,
        places=places,
        earlier_offers=parts.earlier_offers,
        planned=planned.works,
        same=jobs.same,
        unnamed=jobs.unnamed,
    )


# --- A later log beside a saved plan: read with the plan's names and decisions from its first day on, and compared


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LaterFiles:
    """What came: job logs, and contracts and prices as they are now; none: the plan's own.

    contracts: files, or files with how each is read. said: what is one though it has two names, beside what the project
    says.
    """

    jobs: Sequence[str]
    contracts: Sequence[str] | Mapping[str, str] = ()
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


# --- Logs so far: a project as its log was known at an hour of the past, from the job rows that its import kept


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
