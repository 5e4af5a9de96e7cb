"""Importing: files looked at and read in a thread, with progress and a cancel that answers at once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Background, IsCancelled, OnProgress, Threaded
from gpuplanner.domain.edits.dates import plan_work
from gpuplanner.domain.edits.inputs import KINDS_OF_PLACES, LoadedJobs, import_inputs
from gpuplanner.domain.edits.labels import import_label
from gpuplanner.domain.edits.same_names import say_same
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import Same
from gpuplanner.domain.model.intake import FileIntake, with_observed
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import respelled
from gpuplanner.files.system import output_file, resources, user_files
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.lazy_dataclass import dataclass, replace

if TYPE_CHECKING:
    from gpuplanner.files.importing.intake import ReadResult
    from gpuplanner.files.importing.log_choices import LogChoice
    from gpuplanner.files.importing.log_preview import LogPreview
    from gpuplanner.files.importing.recognise import NearTable
    from gpuplanner.files.importing.windowed_jobs import JobsRead
    from gpuplanner.files.tables.column_mapping import ColumnMapping
    from gpuplanner.files.values.lookback_period import WindowRequest


# --- Importing: files read in a thread, with progress and a cancel that answers at once, then taken into the project


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRequest:
    """What to read, and how; see read_inputs. rows_dir: where the job rows are kept for drill-down.

    place_paths: (kind, path) of files of users, sites, measured ways and residency.
    same: what is one though it has two names: the project's decisions and those of the import.
    choices, table_mappings: by path, what was said of single logs, and of single files of contracts and prices.
    """

    job_paths: tuple[str, ...] = ()
    contract_paths: tuple[str, ...] = ()
    price_paths: tuple[str, ...] = ()
    format: str | None = None
    timezone: str | None = None
    cluster: str | None = None
    mapping: "ColumnMapping | str | None" = None
    window: "WindowRequest | None" = None
    rows_dir: Path | None = None
    choices: "tuple[tuple[str, LogChoice], ...]" = ()
    table_mappings: tuple[tuple[str, str], ...] = ()
    pseudonyms: bool = False
    place_paths: tuple[tuple[str, str], ...] = ()
    planned_paths: tuple[str, ...] = ()
    same: tuple[Same, ...] = ()
    interruption_paths: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """All the files.

        Logs first, in the order of the fields; a file may be there twice.
        """
        return (
            *self.job_paths,
            *self.contract_paths,
            *self.price_paths,
            *(path for _, path in self.place_paths),
            *self.planned_paths,
            *self.interruption_paths,
        )

    @property
    def label(self) -> Message:
        """The words for Undo."""
        return import_label(self.paths)


_FORMAT, _MAPPING, _ZONE = "format_chosen", "mapping_chosen", "timezone_chosen"
_CLUSTER, _PSEUDONYMS = "cluster_chosen", "pseudonyms_chosen"
_ALIKE, _OPEN_ENDED = "alike_dropped", "open_ended_kept"
_NODE, _NODE_MODEL = "node_said", "gpu_model_said"
"""Facts of a loaded log: what the planner said of how it is read."""

ReadRequest = Callable[[ImportRequest, OnProgress, IsCancelled], "ReadResult"]


def read_request(request: ImportRequest, on_progress: OnProgress, is_cancelled: IsCancelled) -> "ReadResult":
    """Read the files of a request. Errors: PlannerError where one cannot be read.

    on_progress: share done 0..1, and what is being read. Job rows are kept under rows_dir. Nothing of a
    project is touched.
    """
    from gpuplanner.files.importing.import_jobs import import_jobs
    from gpuplanner.files.importing.import_tables import import_contracts, import_prices
    from gpuplanner.files.importing.intake import assemble, resolver
    from gpuplanner.files.importing.log_choices import ReadOptions
    from gpuplanner.files.lists.interruptions import import_interruptions
    from gpuplanner.files.lists.place_tables import import_places
    from gpuplanner.files.lists.planned_work import import_planned

    tables = dict(request.table_mappings)
    contracts = import_contracts(request.contract_paths, tables)
    prices = import_prices(request.price_paths, tables)
    jobs = import_jobs(
        request.job_paths,
        ReadOptions(
            format=request.format,
            mapping=request.mapping,
            timezone=request.timezone,
            choices=dict(request.choices),
            cluster=request.cluster,
            pseudonyms=request.pseudonyms,
        ),
        window_request=request.window,
        rows_dir=request.rows_dir,
        same=resolver((), contracts.contracts, prices.offers, request.same),
        on_progress=on_progress,
        is_cancelled=is_cancelled,
    )
    places = import_places(
        *([path for kind, path in request.place_paths if kind == wanted] for wanted in KINDS_OF_PLACES)
    )
    planned = import_planned(request.planned_paths, request.timezone)
    interruptions = import_interruptions(request.interruption_paths, request.timezone)
    return assemble(jobs, contracts, prices, places, planned, interruptions)


def has_pseudonyms(project: Project) -> bool:
    """Whether the logs of a project were read with pseudonyms in place of names.

    False without logs.
    """
    return any(dict(file.facts).get(_PSEUDONYMS) is True for file in project.intake)


def with_loaded_logs(
    request: ImportRequest, project: Project, clusters: Mapping[str, str] | None = None
) -> ImportRequest:
    """The request to add its logs to those of the project: all are read together, so that duplicates are found.

    Each loaded log is read as it was when it was loaded, whatever the request says of its own. clusters: by path, those
    of loaded logs that name none; they too have the logs read again. Names that were replaced by pseudonyms stay so,
    for all logs.
    """
    return _with_logs(request, project, clusters or {}) if request.job_paths or clusters else request


def unnamed_logs(project: Project) -> tuple[str, ...]:
    """The paths of loaded logs whose jobs may be without a cluster: nobody said one for them."""
    if all(workload.cluster for workload in project.workloads) or not can_read_again(project):
        return ()
    return tuple(file.path for file in project.intake if file.kind == "jobs" and not stated_cluster(file))


def stated_cluster(file: FileIntake) -> str:
    """The cluster that was said of a loaded log that names none; empty where none was."""
    return str(dict(file.facts).get(_CLUSTER) or "")


def can_read_again(project: Project) -> bool:
    """Whether the project has logs, and all of them are still where they were read.

    Only whether the files are there is looked at, not whether they are the same; a name without a folder is of none.
    """
    logs = [file.path for file in project.intake if file.kind in ("jobs", "activity")]
    return bool(logs) and all(Path(path).is_absolute() and Path(path).is_file() for path in logs)


def _with_logs(request: ImportRequest, project: Project, clusters: Mapping[str, str]) -> ImportRequest:
    """Logs that the request names itself are read as it says, those before it as they were loaded."""
    loaded = [
        file
        for file in project.intake
        if file.kind in ("jobs", "activity") and file.path not in request.job_paths
    ]
    if not loaded:
        return request
    choices = tuple(
        (file.path, replace(choice, cluster=clusters.get(file.path, choice.cluster)))
        for file, choice in ((file, _choice_of(file)) for file in loaded)
    )
    return replace(
        request,
        pseudonyms=request.pseudonyms or has_pseudonyms(project),
        job_paths=(*(file.path for file in loaded), *request.job_paths),
        choices=(*choices, *request.choices),
    )


def _with_choice(file: FileIntake, request: ImportRequest) -> FileIntake:
    """The file with what was said of how to read it, so that it can be read so again."""
    from gpuplanner.files.sources.source import stated_of
    from gpuplanner.files.tables.column_mapping import mapping_text

    if file.kind not in ("jobs", "activity"):
        return file
    choice = stated_of(file.path, dict(request.choices))
    zone, cluster = (None, None) if choice is None else (choice.timezone, choice.cluster)
    said: dict[str, object] = {
        _FORMAT: choice.format if choice is not None else None,
        _MAPPING: mapping_text(choice.mapping) if choice is not None and choice.mapping is not None else None,
        _ZONE: (request.timezone if zone is None else zone) or None,
        _CLUSTER: (request.cluster if cluster is None else cluster) or None,
        _PSEUDONYMS: request.pseudonyms or None,
        _ALIKE: (choice is not None and choice.drops_alike) or None,
        _OPEN_ENDED: (choice is not None and choice.is_open_ended) or None,
    }
    if file.kind == "activity":
        node = (None, None) if choice is None else (choice.node.name or None, choice.node.gpu_model or None)
        said = dict(zip((_NODE, _NODE_MODEL), node, strict=True))
    known = tuple((name, value) for name, value in file.facts if name not in said)
    return replace(
        file, facts=(*known, *((name, value) for name, value in said.items() if value is not None))
    )


def _choice_of(file: FileIntake) -> "LogChoice":
    """How a file was read when it was loaded, from the facts of its intake; no zone or cluster where none was said."""
    from gpuplanner.files.activity.activity_intake import OneNode
    from gpuplanner.files.importing.log_choices import LogChoice
    from gpuplanner.files.tables.column_mapping import parse_mapping

    facts = dict(file.facts)
    mapping = facts.get(_MAPPING)
    try:
        read = parse_mapping(mapping) if isinstance(mapping, str) else None
    except PlannerError:
        read = None  # written by another version
    format_name, zone = facts.get(_FORMAT), facts.get(_ZONE)
    return LogChoice(
        format=format_name if isinstance(format_name, str) else None,
        mapping=read,
        timezone=zone if isinstance(zone, str) else "",
        drops_alike=facts.get(_ALIKE) is True,
        is_open_ended=facts.get(_OPEN_ENDED) is True,
        node=OneNode(str(facts.get(_NODE, "")), str(facts.get(_NODE_MODEL, ""))),
        cluster=stated_cluster(file),
    )


def imported_project(
    project: Project, request: ImportRequest, read: "ReadResult", *, adding: bool = False, scenario: str = ""
) -> Project:
    """The project with what was read; labels, moves and plans stay. adding: contracts and offers join those loaded.

    scenario: the plan that planned work comes into; the first where none of the project has this name.
    Errors: PlannerError where job logs were given and none of their rows is a job, or a log has work that was planned.
    """
    from gpuplanner.files.importing.import_tables import with_counted_twice
    from gpuplanner.files.job_logs.reduce.former_names import keep_decisions

    jobs = None
    adding = adding or _brings_only_quotes(request, read)
    if request.job_paths:
        if read.window is None or read.cube is None:
            if read.refused:
                raise read.refused[0]
            raise PlannerError(
                ", ".join(request.job_paths),
                "usage",
                worded("no job was imported"),
                worded("see the reasons"),
            )
        jobs = LoadedJobs(read.window, read.cube, read.workloads, read.jobs)
    after = import_inputs(
        project,
        jobs=jobs,
        contracts=read.contracts if request.contract_paths else None,
        offers=read.offers if request.price_paths else None,
        earlier_offers=read.earlier_offers,
        places=read.places.in_money_of(project).over(project.places, adding=adding)
        if read.places.is_any
        else None,
        intake=tuple(_with_choice(file, request) for file in read.intake),
        adding=adding,
    )
    after = replace(
        after,
        assumptions=with_observed(after.assumptions, read.intake),
        intake=with_counted_twice(after.intake, after.contracts),
    )
    after = keep_decisions(project, say_same(after, read.same))
    if read.planned:
        names = [plan.name for plan in after.scenarios]
        after = plan_work(after, scenario if scenario in names else names[0], read.planned)
    return respelled(after, resources.gpu_families())


def _brings_only_quotes(request: ImportRequest, read: "ReadResult") -> bool:
    """Whether all prices are quotes that vendors sent back: they join the offers they were asked for beside."""
    formats = {file.format for file in read.intake if file.kind == "prices"}
    others = (request.contract_paths, request.place_paths, request.planned_paths, request.interruption_paths)
    is_alone = not any(others)
    return bool(request.price_paths) and is_alone and formats == {"workbook"}


def rewindowed_project(
    project: Project,
    rows_dir: Path,
    window: "WindowRequest",
    on_progress: OnProgress | None = None,
    is_cancelled: IsCancelled | None = None,
) -> Project:
    """The project over another window, from the job rows that were kept. Errors: PlannerError file_missing, usage.

    rows_dir: where job rows are kept; window: as the planner asked for it. Labels, moves and plans stay,
    former keys carried over.
    """
    from gpuplanner.files.importing.windowed_jobs import rewindow
    from gpuplanner.files.job_logs.reduce.former_names import keep_decisions

    read = rewindow(
        rows_dir,
        project.jobs,
        project.intake,
        window,
        timezone=project.window.timezone,
        same=project.same,
        on_progress=on_progress,
        is_cancelled=is_cancelled,
    )
    if read.window is None or read.cube is None:
        raise PlannerError("window", "usage", worded("the log has no jobs"), worded("import another log"))
    after = import_inputs(
        project, jobs=LoadedJobs(read.window, read.cube, read.workloads, read.jobs), intake=read.intake
    )
    return respelled(keep_decisions(project, after), resources.gpu_families())


class Importer(Threaded):
    """Reads one request at a time; ends in exactly one of imported, failed, cancelled."""

    imported = Signal(object, object)  # ImportRequest, ReadResult
    cancelled = Signal()

    def __init__(self, read: ReadRequest = read_request, parent: QObject | None = None) -> None:
        """read: another reader in tests."""
        super().__init__(parent)
        self._read = read

    def start(self, request: ImportRequest) -> None:
        """Read a request; one under way is cancelled first."""
        self.cancel()
        read = self._read
        self._background.start(
            lambda on_progress, is_cancelled: read(request, on_progress, is_cancelled),
            lambda result: self.imported.emit(request, result),
        )

    def cancel(self) -> None:
        """Stop: the answer, if any still comes, is dropped.

        Nothing is emitted where nothing is being read.
        """
        if self.is_busy:
            self._background.cancel()
            self.cancelled.emit()


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


# --- Looking at files in a thread before they are read: what each is, and what the first rows of one would give


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFile:
    """What a file is by its content. kind: as Recognition, or empty where it could not be opened; why: words.

    fault: why it could not be opened; None where it could. nearest: of what is unknown, the kind of table it is like.
    beside: paths of other sheets of its workbook that are read by themselves.
    """

    path: str
    kind: str
    format: str
    why: Message
    fault: PlannerError | None = None
    nearest: "NearTable | None" = None
    beside: tuple[str, ...] = ()


Glance = Callable[[str, IsCancelled], FoundFile]
Preview = Callable[[str, str, "LogChoice", OnProgress, IsCancelled], "LogPreview"]
"""Of a path, read as a kind (jobs, contracts, prices), as chosen."""


def glance_at(path: str, is_cancelled: IsCancelled) -> FoundFile:
    """What a file is, from its first bytes; a fault is an answer too.

    Errors: `Cancelled` where nobody wants it any more; any other is in the answer.
    """
    from gpuplanner.domain.model.errors import Cancelled
    from gpuplanner.files.importing.recognise import glance

    def on_bytes(_count: int) -> None:
        if is_cancelled():
            raise Cancelled

    try:
        found = glance(path, on_bytes)
    except PlannerError as fault:
        return FoundFile(path=path, kind="", format="", why=fault.message, fault=fault)
    return FoundFile(
        path=path,
        kind=found.kind,
        format=found.format,
        why=found.why,
        fault=None,
        nearest=found.nearest,
        beside=found.beside,
    )


def preview_of(
    path: str, kind: str, choice: "LogChoice", on_progress: OnProgress, is_cancelled: IsCancelled
) -> "LogPreview":
    """The first rows of a log, or all of contracts or prices, read as chosen.

    Errors: PlannerError where it cannot be read.
    """
    if kind in ("contracts", "prices"):
        from gpuplanner.files.importing.table_preview import preview_table

        return preview_table(path, kind, choice.mapping, is_cancelled=is_cancelled)
    from gpuplanner.files.importing.log_preview import preview_log

    return preview_log(path, choice, on_progress=on_progress, is_cancelled=is_cancelled)


class Recogniser(Threaded):
    """Says of each file what it is; the window is never blocked by a large one."""

    recognised = Signal(object)  # tuple[FoundFile, ...], in the order asked, then sheets beside

    def __init__(self, glance: Glance = glance_at, parent: QObject | None = None) -> None:
        """glance: another reader in tests."""
        super().__init__(parent)
        self._glance = glance

    def start(self, paths: Sequence[str]) -> None:
        """Look at these; what was asked before is dropped.

        One answer for all of them.
        """
        glance = self._glance

        def look(_on_progress: OnProgress, is_cancelled: IsCancelled) -> tuple[FoundFile, ...]:
            """What the files are, and what the sheets are that are read beside them."""
            found = [glance(path, is_cancelled) for path in paths]
            beside = (path for one in found for path in one.beside if path not in paths)
            return (*found, *(glance(path, is_cancelled) for path in beside))

        self._background.start(look, self.recognised.emit)


class Previewer(QObject):
    """Previews one file at a time; of several asked for in a row the newest is answered."""

    previewed = Signal(str, str, object, object)  # path, kind, LogChoice, LogPreview
    failed = Signal(str, object)  # path, Exception

    def __init__(self, preview: Preview = preview_of, parent: QObject | None = None) -> None:
        """preview: another reader in tests."""
        super().__init__(parent)
        self._preview = preview
        self._path = ""
        self._background = Background(lambda error: self.failed.emit(self._path, error), parent=self)

    @property
    def is_busy(self) -> bool:
        """Whether a preview is under way."""
        return self._background.is_busy

    def start(self, path: str, kind: str, choice: "LogChoice") -> None:
        """Preview a file read as a kind and as chosen; one under way is dropped.

        kind: jobs, contracts or prices; choice: what the planner said of how it is read.
        """
        preview, self._path = self._preview, path
        self._background.start(
            lambda on_progress, is_cancelled: preview(path, kind, choice, on_progress, is_cancelled),
            lambda found: self.previewed.emit(path, kind, choice, found),
        )

    def cancel(self) -> None:
        """Want no answer any more."""
        self._background.cancel()

    def close(self) -> None:
        """Cancel and wait for the thread."""
        self._background.close()


# --- Job rows of imports that are only being looked at: they stay if the import is taken in, and go with the dialog


@contextmanager
def rows_on_trial(rows_dir: Path) -> Iterator[Path]:
    """A folder for the rows of every reading, gone afterwards: with names, where pseudonyms were asked for later.

    rows_dir: where imports keep job rows; it is made where it is not there.
    """
    with own_folder(user_files.private_folder(rows_dir)) as folder:
        yield folder


def take_rows(on_trial: Path, rows_dir: Path, sha256: str) -> None:
    """Keep the rows of the reading that was taken in; where there are none, drill-down says so later.

    sha256: of the Parquet file, empty where none was written.
    """
    found = on_trial / f"{sha256}.parquet"
    if sha256 and found.exists():
        # Windows: another window reads these very rows, so they are there already
        with suppress(PlannerError):
            output_file.put(found, rows_dir / found.name)
