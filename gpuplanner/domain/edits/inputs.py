"""What is loaded taken into a project: jobs, contracts, offers, the tokens of endpoints, and its title."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final, TypeVar

from gpuplanner.domain.edits.find import require_workloads, with_values
from gpuplanner.domain.model.book.contract import Contract, since_log
from gpuplanner.domain.model.book.exchange import counted_rows
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.offer_history import is_dated, joined, replaced, with_earlier
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.log.cube import Cube
from gpuplanner.domain.model.log.intake import FileIntake, JobFacts
from gpuplanner.domain.model.log.interruptions import KIND as INTERRUPTIONS
from gpuplanner.domain.model.log.sent_rows import row_key, taken_back
from gpuplanner.domain.model.log.traffic import Traffic
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.places import Places
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window

KINDS_OF_PLACES: Final = ("users", "sites", "measured", "residency")
"""Kinds of files that hold places: what was read of them comes as places in which each has taken its place."""

Item = TypeVar("Item")
Priced = TypeVar("Priced", Contract, Offer)


def replace_contracts(project: Project, contracts: Iterable[Contract]) -> Project:
    """The project with these contracts and no others.

    GPU models are spelled as the project spells them, amounts count at its rates of exchange; of two of one
    id the later counts.
    """
    return with_values(
        project, contracts=_by_id(_one_spelling(project, contracts), attrgetter("contract_id"))
    )


def add_contracts(project: Project, contracts: Iterable[Contract]) -> Project:
    """The project with these contracts too; one with an id that is there already takes its place.

    Law: adding what is there already gives the project itself.
    """
    return replace_contracts(project, (*project.contracts, *contracts))


def replace_offers(project: Project, offers: Iterable[Offer], earlier: Iterable[Offer] = ()) -> Project:
    """The project with these offers and no others; dated rates that they take the place of are kept as earlier ones.

    earlier: more of these.
    """
    fresh, gone = replaced(project.offers, _one_spelling(project, offers))
    return with_offers(project, fresh, (*gone, *earlier))


def add_offers(project: Project, offers: Iterable[Offer], earlier: Iterable[Offer] = ()) -> Project:
    """The project with these offers too; of one that is there already the newer rate counts, the older is kept.

    What an offer may be is checked where it is read.
    """
    both, gone = joined(project.offers, _one_spelling(project, offers))
    return with_offers(project, both, (*gone, *earlier))


def without_taken_back(
    offers: Sequence[Offer], intake: Sequence[FileIntake]
) -> tuple[tuple[Offer, ...], tuple[Offer, ...]]:
    """Offers without quotes whose vendor says in a later answer that it does not bid; then those quotes.

    intake: of all files that the project has, in the order in which they were read.
    """
    rows = taken_back(intake)
    gone = [
        offer
        for offer in offers
        if rows
        and (said := answered_row(offer)) is not None
        and row_key(offer.provider or "", said.reference, said.row) in rows
    ]
    ids = {offer.offer_id for offer in gone}
    return tuple(offer for offer in offers if offer.offer_id not in ids), tuple(gone)


def with_offers(project: Project, offers: Iterable[Offer], gone: Iterable[Offer] = ()) -> Project:
    """The project with just these offers, each of its own id; gone: more dated rates that are kept as earlier ones.

    Of two of one id the later counts. Sorted by id.
    """
    now = _by_id(_one_spelling(project, offers), attrgetter("offer_id"))
    earlier = with_earlier(project.earlier_offers, _one_spelling(project, gone), now)
    return with_values(project, offers=now, earlier_offers=earlier)


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
        names = _spelled_as(_spellings(project), jobs.cube.gpu_models)
        cube = jobs.cube if names == jobs.cube.gpu_models else replace(jobs.cube, gpu_models=names)
        after = replace(after, window=jobs.window, cube=cube, workloads=jobs.workloads, jobs=jobs.jobs)
        if after.plan_from_s is not None and after.plan_from_s <= jobs.window.end_s:
            after = replace(after, plan_from_s=None)  # the log has come up to that day
    if contracts is not None:
        after = (add_contracts if adding else replace_contracts)(after, contracts)
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


def set_traffic(project: Project, key: str, traffic: Traffic | None) -> Project:
    """The tokens of an endpoint (an empty key: of none of the log); None takes them away.

    Errors: PlannerError for an unknown workload.
    """
    if traffic is None:
        return with_values(
            project, traffic={other: of for other, of in project.traffic.items() if other != key}
        )
    require_workloads(project, (key,) if key else ())
    return with_values(project, traffic={**project.traffic, key: traffic})


def set_title(project: Project, title: str) -> Project:
    """The project under another title.

    An empty title is none.
    """
    return with_values(project, title=title)


def _by_id(rows: Iterable[Item], id_of: Callable[[Item], str]) -> tuple[Item, ...]:
    """Rows by id, ascending; of two of one id the later counts."""
    latest = {id_of(row): row for row in rows}
    return tuple(latest[row_id] for row_id in sorted(latest))


def _spellings(project: Project) -> dict[str, str]:
    """The spelling in use of each GPU model, by its folded name; the log's before the contracts' and the offers'."""
    rows: tuple[Contract | Offer, ...] = (*project.contracts, *project.offers)
    used = (*project.cube.gpu_models, *(row.gpu_model for row in rows if row.gpu_model is not None))
    said = (name for one in project.mappings for name in (one.gpu_model, one.offer_model))
    return {name.casefold(): name for name in (*said, *reversed(used))}


def _spelled_as(spellings: Mapping[str, str], names: Iterable[str]) -> tuple[str, ...]:
    """Names as the project spells them; those that it does not have as they are."""
    return tuple(spellings.get(name.casefold(), name) for name in names)


def _one_spelling(project: Project, rows: Iterable[Priced]) -> list[Priced]:
    """Rows at the project's rates of exchange, each GPU model spelled as it does, or as the first row that names it."""
    spellings = _spellings(project)
    rows = counted_rows(rows, project.currency, project.exchange)

    def spelled(row: Priced) -> Priced:
        if row.gpu_model is None:
            return row
        name = spellings.setdefault(row.gpu_model.casefold(), row.gpu_model)
        return row if row.gpu_model == name else replace(row, gpu_model=name)

    return [spelled(row) for row in rows]
