"""What was loaded, taken into a project in one step; and the title of the project."""

from collections.abc import Iterable, Sequence
from typing import Final

from gpuplanner.domain.edits.contract_changes import with_contract_changes
from gpuplanner.domain.edits.contracts import add_contracts, replace_contracts
from gpuplanner.domain.edits.find import with_values
from gpuplanner.domain.edits.offers import add_offers, replace_offers, with_offers, without_taken_back
from gpuplanner.domain.edits.taken_rows import spellings_in_use
from gpuplanner.domain.model.book.contract import Contract, since_log
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_history import is_dated
from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.intake import KIND as INTERRUPTIONS
from gpuplanner.domain.model.intake import FileIntake, JobFacts
from gpuplanner.domain.model.places import Places
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window
from gpuplanner.lazy_dataclass import dataclass, replace

KINDS_OF_PLACES: Final = ("users", "sites", "measured", "residency")
"""Kinds of files that hold places: what was read of them comes as places in which each has taken its place."""


@dataclass(frozen=True, slots=True, eq=False)
class LoadedJobs:
    """What job logs come to: the window, the cube over it, its workloads (sorted by key) and the facts of all jobs."""

    window: Window
    cube: Cube
    workloads: tuple[Workload, ...]
    jobs: JobFacts


def import_inputs(
    project: Project,
    *,
    jobs: LoadedJobs | None = None,
    contracts: Iterable[Contract] | None = None,
    offers: Iterable[Offer] | None = None,
    earlier_offers: Iterable[Offer] = (),
    places: Places | None = None,
    intake: Sequence[FileIntake] = (),
    adding: bool = False,
) -> Project:
    """What was read taken into the project; a part that is None stays as it is.

    Jobs always replace jobs (to add a log, read it together with those loaded: only so are duplicates found);
    contracts and offers replace too, or with `adding` join those loaded (earlier_offers: dated rates of them that do
    not count); places come as they are to be. The intake
    follows: a file of a kind that was replaced is no longer listed. Labels, rules, moves, pins and plans stay, also of
    workloads that are gone.
    """
    after = project
    if jobs is not None:
        spellings = spellings_in_use(project)
        names = tuple(spellings.get(name.casefold(), name) for name in jobs.cube.gpu_models)
        cube = jobs.cube if names == jobs.cube.gpu_models else replace(jobs.cube, gpu_models=names)
        after = replace(after, window=jobs.window, cube=cube, workloads=jobs.workloads, jobs=jobs.jobs)
        if after.plan_from_s is not None and after.plan_from_s <= jobs.window.end_s:
            after = replace(after, plan_from_s=None)  # the log has come up to that day
    if contracts is not None:
        before = after.contracts
        after = (add_contracts if adding else replace_contracts)(after, contracts)
        intake = with_contract_changes(intake, before, after.contracts)
    if contracts is not None or jobs is not None:
        clusters = {workload.cluster for workload in after.workloads}
        after = with_values(after, contracts=since_log(after.contracts, after.window.start_s, clusters))
    if offers is not None:
        after = (add_offers if adding else replace_offers)(after, offers, earlier_offers)
    if places is not None:
        after = with_values(after, places=places)
    replaced = {"jobs", "activity"} if jobs is not None else set()
    if not adding:
        replaced |= {"contracts"} if contracts is not None else set()
        replaced |= {"prices"} if offers is not None else set()
        replaced |= {file.kind for file in intake if file.kind in (*KINDS_OF_PLACES, INTERRUPTIONS)}
    new_paths = {(file.kind, file.path) for file in intake}
    kept = (
        file
        for file in project.intake
        if file.kind not in replaced and (file.kind, file.path) not in new_paths
    )
    files = (*kept, *intake)
    left, gone = without_taken_back(after.offers, files)
    if gone:
        after = with_offers(after, left, filter(is_dated, gone))
    return with_values(after, intake=files)


def set_title(project: Project, title: str) -> Project:
    """The project under another title.

    An empty title is none.
    """
    return with_values(project, title=title)
