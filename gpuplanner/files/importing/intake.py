"""Intake: files in, values out. What the window and the command line call to read all inputs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model import gpu_family
from gpuplanner.domain.model.book.contract import Contract, since_log
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, JobFacts
from gpuplanner.domain.model.places import NO_PLACES
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import Spelled, spelled, written_model
from gpuplanner.domain.model.window import Window
from gpuplanner.files.importing import import_tables
from gpuplanner.files.importing.doubted_peak import with_doubt
from gpuplanner.files.importing.import_jobs import Resolve, import_jobs
from gpuplanner.files.importing.log_choices import AS_RECOGNISED, ReadOptions
from gpuplanner.files.importing.other_sheets import without_those_read
from gpuplanner.files.importing.windowed_jobs import JobsRead
from gpuplanner.files.lists.interruptions import NOTHING_OBSERVED, InterruptionsRead
from gpuplanner.files.lists.place_tables import NO_PLACES_READ, PlacesRead
from gpuplanner.files.lists.planned_work import NOTHING_PLANNED, PlannedRead
from gpuplanner.files.system.engine import Progress
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.values.lookback_period import WindowRequest
from gpuplanner.lazy_dataclass import dataclass, replace

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
    contract_paths: Sequence[str] | import_tables.Mappings = (),
    price_paths: Sequence[str] | import_tables.Mappings = (),
    *,
    options: ReadOptions = AS_RECOGNISED,
    window_request: WindowRequest | None = None,
    rows_dir: Path | None = None,
    same: Sequence[gpu_family.StatedSame] = (),
    refuses_unread: bool = False,
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> ReadResult:
    """Read all files of a call and put them together.

    options: how the job logs are read. same: what is one though it has two names. refuses_unread: as import_contracts.
    contract_paths, price_paths: also with how each is read, as the mappings of import_contracts.

    Errors: PlannerError file_missing, file_unreadable, truncated_file, or usage; Cancelled. A readable file that is
    not what it was given as is refused, not raised.
    """
    of_contracts, of_prices = (
        paths if isinstance(paths, Mapping) else None for paths in (contract_paths, price_paths)
    )
    contracts = import_tables.import_contracts(
        tuple(contract_paths), of_contracts, options.clusters, refuses_unread=refuses_unread
    )
    prices = import_tables.import_prices(tuple(price_paths), of_prices, refuses_unread=refuses_unread)
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
    jobs = with_doubt(jobs, contracts.contracts)
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
