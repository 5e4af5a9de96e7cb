"""Intake: files in, values out. What the window and the command line call to read jobs, contracts and prices."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import Contract, since_log
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.cube import Cube
from gpuplanner.domain.model.log.intake import FileIntake, JobFacts
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.names.spelling import Spelled, spelled, written_model
from gpuplanner.domain.model.places import NO_PLACES
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.same import (
    Same,
    SameKind,
    StatedSame,
    folded,
    name_of_nobody,
    with_kind,
    with_same,
)
from gpuplanner.domain.model.scenario.dated import PlannedWork
from gpuplanner.domain.model.window import Window
from gpuplanner.files.importing.import_jobs import JobsRead, Resolve, import_jobs, rewindow
from gpuplanner.files.importing.import_tables import (
    ContractsRead,
    PricesRead,
    import_contracts,
    import_prices,
)
from gpuplanner.files.importing.log_choice import AS_RECOGNISED, ReadOptions
from gpuplanner.files.lists.interruptions import NOTHING_OBSERVED, InterruptionsRead
from gpuplanner.files.lists.planned import NOTHING_PLANNED, PlannedRead
from gpuplanner.files.places.place_tables import NO_PLACES_READ, PlacesRead
from gpuplanner.files.system.engine import Progress
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.tables.column_mapping import ColumnMapping, parse_mapping
from gpuplanner.files.values.window_request import WindowRequest

__all__ = [
    "ColumnMapping",
    "ContractsRead",
    "JobsRead",
    "PricesRead",
    "ReadOptions",
    "ReadResult",
    "WindowRequest",
    "assemble",
    "import_contracts",
    "import_jobs",
    "import_prices",
    "parse_mapping",
    "read_inputs",
    "resolver",
    "rewindow",
]


NAMES_LISTED: Final = 12


@dataclass(frozen=True, slots=True, eq=False)
class ReadResult:
    """Everything one call read, GPU models spelled alike throughout; the fields are those of Project.

    window and cube are None where no job was accepted and no bounds were given. refused: see JobsRead.
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
    same: tuple[Same, ...] = ()

    def project(self) -> Project:
        """A new project, with one plan. Errors: ValueError where no job was accepted and no bounds were given."""
        if self.window is None or self.cube is None:
            raise ValueError("no job was accepted; look at the intake")
        return Project(
            self.window,
            self.cube,
            self.workloads,
            self.jobs,
            self.contracts,
            self.offers,
            self.intake,
            places=self.places.over(NO_PLACES),
            earlier_offers=self.earlier_offers,
            same=self.same,
        )


def read_inputs(
    job_paths: Sequence[str],
    contract_paths: Sequence[str] | Mapping[str, str] = (),
    price_paths: Sequence[str] = (),
    *,
    options: ReadOptions = AS_RECOGNISED,
    window_request: WindowRequest | None = None,
    rows_dir: Path | None = None,
    same: Sequence[StatedSame] = (),
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> ReadResult:
    """Read all files of a call and put them together.

    options: how the job logs are read. same: what is one though it has two names.
    contract_paths: also with how each is read, as the mappings of import_contracts.

    Errors: PlannerError file_missing, file_unreadable, truncated_file, or usage; Cancelled. A readable file that is
    not what it was given as is refused, not raised.
    """
    contract_mappings = contract_paths if isinstance(contract_paths, Mapping) else None
    contracts = import_contracts(tuple(contract_paths), contract_mappings)
    prices = import_prices(price_paths)
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
    said: Sequence[StatedSame],
    contracts: Iterable[Contract],
    offers: Iterable[Offer],
    known: Iterable[Same] = (),
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
        log_models: frozenset[str],
        log_clusters: frozenset[str],
        log_workloads: Callable[[], frozenset[str]],
    ) -> tuple[Same, ...]:
        """The equal names that hold for this log: those known before whose names are there, and those stated.

        Errors: PlannerError `usage` for a name stated on the command line that no file has.
        """
        names = {name.casefold() for name in (*models, *log_models)}
        places = clusters | log_clusters

        def is_model(name: str) -> bool:
            """Whether a name is a GPU model of these files or of a known family."""
            return name.casefold() in names or families.read(name) is not None

        def is_named(one: Same) -> bool:
            """Whether the other name of an equation is one that these files have."""
            if one.kind is SameKind.MODEL:
                return one.theirs.casefold() in names | called
            return one.kind is SameKind.WORKLOAD or one.theirs in places

        reads = [read for name in (*models, *log_models) if (read := families.read(name)) is not None]
        called = {name.casefold() for read in reads for name in (read.full, read.family)}

        def has(kind: SameKind, name: str) -> bool:
            """Whether a name of this kind is in these files; the empty cluster always is."""
            if kind is SameKind.MODEL:
                return folded(kind, name) in names | called
            if kind is SameKind.CLUSTER:
                return not name or name in places
            cluster, _, key = name.partition("/")  # of a key the cluster may be the project's own name
            return name in log_workloads() or (cluster in places and key in log_workloads())

        own = []
        for one in said:
            same = with_kind(one, is_model, places.__contains__)
            is_family = same.kind is SameKind.MODEL and families.read(same.ours) is not None
            nobody = name_of_nobody(same, partial(has, same.kind), is_known=is_family)
            if nobody is None:
                own.append(same)
            elif not one.where:
                there = {SameKind.MODEL: {*models, *log_models}, SameKind.CLUSTER: places - {""}}
                raise _stated_of_nobody(one, same.kind, nobody, there.get(same.kind, ()))
        return with_same((one for one in known if is_named(one)), own)

    return settle


def _stated_of_nobody(said: StatedSame, kind: SameKind, name: str, there: Iterable[str]) -> PlannerError:
    """The error `usage` for a stated name that no file has; its remedy lists the names there are."""
    names = sorted(there, key=str.casefold)
    listed = ", ".join(names[:NAMES_LISTED]) + (", ..." if len(names) > NAMES_LISTED else "")
    what = {
        SameKind.MODEL: worded("no GPU model of these files is called {name}", name=repr(name)),
        SameKind.CLUSTER: worded("no cluster of these files is called {name}", name=repr(name)),
        SameKind.WORKLOAD: worded("no workload of this log is called {name}", name=repr(name)),
    }[kind]
    if said.kind is None and kind is SameKind.WORKLOAD:
        what = worded("neither is a GPU model, a cluster or a workload of these files")
        remedy = worded("write it as there, or begin with model:, cluster: or workload:")
    elif kind is SameKind.WORKLOAD:
        remedy = worded("audit --json lists the keys")
    else:
        remedy = worded("there is: {listed}", listed=listed or "none")
    return PlannerError(f"--same {said.text}", "usage", what, remedy)


def assemble(
    jobs: JobsRead,
    contracts: ContractsRead,
    prices: PricesRead,
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
        Spelled(jobs.cube, jobs.jobs, contracts.contracts, prices.offers, prices.earlier_offers),
        jobs.workloads,
        jobs.same,
        gpu_families(),
    )
    all_read = (jobs, contracts, prices, places, planned, interruptions)
    return ReadResult(
        jobs.window,
        parts.cube,
        jobs.workloads,
        parts.jobs,
        parts.contracts,
        parts.offers,
        tuple(file for read in all_read for file in read.intake),
        tuple(error for read in all_read for error in read.refused),
        jobs.accepted,
        places,
        parts.earlier_offers,
        planned.works,
        jobs.same,
    )
