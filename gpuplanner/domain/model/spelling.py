"""Spelling: every GPU model and cluster by one name, and what tells two workloads of one name apart."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.dollars import ANY_MODEL, discounts_of
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Cube, IdleGaps, Workload, with_models
from gpuplanner.domain.model.gpu_family import Families, GpuName, Same, SameKind, folded, names_of
from gpuplanner.domain.model.intake import JobFacts, LargestJob
from gpuplanner.domain.model.project import Project
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- Spelling: every GPU model of a project by the name of its family, every cluster by the project's own; one home of
# it
# What files wrote stays beside it, so that the same is found again whatever was decided in between. The rules, in this
# order: what the planner says is one (gpu_family.py); the table of families; one spelling, without regard to case, of
# what the table does not know. A name whose families differ by memory (A100) takes the size that its contract or offer
# states where the project knows that family; jobs take the one that their cluster's contracts have. An offer of a
# variant that nothing in the project runs on keeps the variant in its name, so that it serves only what is mapped onto
# it; so does whatever is offered or contracted as less than a whole GPU (MIG 1g.10gb). Jobs on slices count as their
# share of one.

Row = TypeVar("Row", Contract, Offer)
Job = TypeVar("Job", bound=LargestJob)


class Spelled(NamedTuple):
    """The parts of a project in which GPU models and clusters are named."""

    cube: Cube | None
    jobs: JobFacts
    contracts: tuple[Contract, ...]
    offers: tuple[Offer, ...]
    earlier_offers: tuple[Offer, ...]


def respelled(project: Project, families: Families) -> Project:
    """The project with every name spelled; itself where all are. Law: doing it twice is doing it once.

    Mappings and planned work are renamed too; of two mappings that become one the later counts.
    """
    parts = spelled(
        Spelled(
            cube=project.cube,
            jobs=project.jobs,
            contracts=project.contracts,
            offers=project.offers,
            earlier_offers=project.earlier_offers,
        ),
        project.workloads,
        project.same,
        families,
    )
    values = {name: value for name, value in parts._asdict().items() if value is not getattr(project, name)}
    renamed = {
        before.gpu_model: after.gpu_model for before, after in zip(project.offers, parts.offers, strict=True)
    }
    mappings = tuple(
        replace(
            mapping,
            gpu_model=_family_name(mapping.gpu_model, families, project.same),
            offer_model=renamed.get(mapping.offer_model, mapping.offer_model),
        )
        for mapping in project.mappings
    )
    if mappings != project.mappings:
        pairs = {mapping.key: mapping for mapping in mappings if mapping.gpu_model != mapping.offer_model}
        values["mappings"] = tuple(pairs[pair] for pair in sorted(pairs))
    scenarios = tuple(
        plan
        if all(
            work.gpu_model == _family_name(work.gpu_model, families, project.same) for work in plan.planned
        )
        else replace(
            plan,
            planned=tuple(
                replace(work, gpu_model=_family_name(work.gpu_model, families, project.same))
                for work in plan.planned
            ),
        )
        for plan in project.scenarios
    )
    if scenarios != project.scenarios:
        values["scenarios"] = scenarios
    return replace(project, **values) if values else project


def spelled(
    parts: Spelled, workloads: Sequence[Workload], same: Iterable[Same], families: Families
) -> Spelled:
    """The parts with every name spelled; each is the very same object where nothing of it changed.

    workloads: those of the cube, for their clusters. same: what the planner says is one.
    Law: spelling what is spelled changes nothing.
    """
    same = tuple(same)
    clusters = names_of(same, SameKind.CLUSTER)
    contracts = tuple(_in_cluster(contract, clusters) for contract in parts.contracts)
    jobs = _noted(parts.jobs, parts.cube, workloads)
    names = _names(
        Spelled(
            cube=parts.cube,
            jobs=jobs,
            contracts=contracts,
            offers=parts.offers,
            earlier_offers=parts.earlier_offers,
        ),
        same,
        families,
    )
    contracts = tuple(names.of_contract(contract) for contract in contracts)
    names = replace(names, of_clusters=_by_cluster(contracts))
    idle_gaps = _idle_gaps(jobs.idle_gaps, names)
    if idle_gaps is not jobs.idle_gaps:
        jobs = replace(jobs, idle_gaps=idle_gaps)
    kept: dict[tuple[str, str | None], LargestJob] = {}
    for job in _spelled_jobs(jobs.largest, workloads, names):
        kept.setdefault((job.key, job.gpu_model), job)  # of two models that became one the larger stays
    runs = tuple(_spelled_jobs(jobs.runs, workloads, names))
    billed = tuple(
        use if use.gpu_model is None else replace(use, gpu_model=names.of_job(use.cluster, use.gpu_model))
        for use in jobs.billed
    )
    if billed != jobs.billed:
        jobs = replace(jobs, billed=billed)
    if tuple(kept.values()) != jobs.largest or runs != jobs.runs:
        jobs = replace(jobs, largest=tuple(kept.values()), runs=runs)
    return Spelled(
        cube=None if parts.cube is None else _cube(parts.cube, workloads, names),
        jobs=jobs,
        contracts=_kept(parts.contracts, contracts),
        offers=_kept(parts.offers, tuple(names.of_offer(offer) for offer in parts.offers)),
        earlier_offers=_kept(
            parts.earlier_offers, tuple(names.of_offer(offer) for offer in parts.earlier_offers)
        ),
    )


def written_model(row: Contract | Offer) -> str | None:
    """The GPU model as the file wrote it.

    None for a contract that names no model, and for a commitment in dollars, which is of several.
    """
    return None if row.is_dollars else row.gpu_model_written or row.gpu_model


def models_of_log(jobs: JobFacts) -> tuple[str, ...]:
    """The GPU models as the log wrote them, sorted."""
    return tuple(sorted({name for _, name, _ in jobs.models_written}))


@dataclass(frozen=True, eq=False, kw_only=True)
class _Names:
    """What every name of a project counts as: families, the planner's own decisions, and what contracts have
    where.
    """

    families: Families
    decided: Mapping[str, str]
    first: Mapping[str, str]  # of names that the table does not know, by their folded form
    known: frozenset[str]  # families that a file names with their size
    variants: Mapping[str, tuple[GpuName, ...]]
    of_clusters: Mapping[str, frozenset[str]]
    of_jobs: dict[tuple[str, str], str] = field(default_factory=dict, init=False)  # what was asked before

    def decide(self, written: str) -> tuple[str, GpuName | None]:
        """A name, and how it was read; None where the planner said it, or the table does not know it."""
        return _decide(written, self.families, self.decided, self.first)

    def of_job(self, cluster: str, written: str) -> str:
        """An A100 of no size takes the size that all contracts of its cluster have, where it is a single one."""
        if (cluster, written) not in self.of_jobs:
            self.of_jobs[cluster, written] = self._of_job(cluster, written)
        return self.of_jobs[cluster, written]

    def _of_job(self, cluster: str, written: str) -> str:
        name, read = self.decide(written)
        if read is not None and read.is_unsized:
            models = {model for model in self.of_clusters.get(cluster, ()) if self._is_of(model, read)}
            if len(models) == 1:
                return models.pop()
        return name

    def of_contract(self, contract: Contract) -> Contract:
        """The contract with its name spelled; less than a whole GPU keeps the slice in its name."""
        written = written_model(contract)
        if written is None:
            return self._of_dollars(contract)
        name, read = self.decide(written)
        name = self._sized(name, read, contract.gpu_memory_gb)
        if read is not None and read.part:
            name = f"{name} {read.variant}"
        return _spelled_row(contract, name, written)

    def of_offer(self, offer: Offer) -> Offer:
        """The offer with its name spelled. A variant that nothing of the project runs on stays in the name,
        so that the offer is open only to what is mapped onto it.
        """
        if offer.is_dollars:
            return self._of_dollars(offer)
        written = written_model(offer) or offer.gpu_model
        name, read = self.decide(written)
        name = self._sized(name, read, offer.gpu_memory_gb)
        if read is not None and read.variant:
            runs = self.variants.get(name, ())
            if read.part or (runs and not any(read.may_be(model) for model in runs)):
                name = f"{name} {read.variant}"
        return _spelled_row(offer, name, written)

    def _name_of(self, written: str) -> str:
        """What a name counts as."""
        name, _ = self.decide(written)
        return name

    def _of_dollars(self, row: Row) -> Row:
        """The row with the GPU models of its discounts spelled; itself where it is no commitment in dollars."""
        off = discounts_of(row.discount_percent)
        named = {m if m == ANY_MODEL else self._name_of(m): percent for m, percent in off.items()}
        text = ";".join(f"{model}={percent:g}" for model, percent in named.items())
        return row if named == dict(off) else replace(row, discount_percent=text)

    def _sized(self, name: str, read: GpuName | None, memory_gb: float | None) -> str:
        """The family with the stated memory, where some file of the project names that family by its size."""
        if read is None or not read.is_unsized or memory_gb is None:
            return name
        sized = f"{name} {memory_gb:g}GB"
        return sized if sized in self.known else name

    def _is_of(self, name: str, read: GpuName) -> bool:
        """Whether a name is the family of what was read, of whatever size."""
        return name.startswith(f"{read.family} ") or name == read.family


def _names(parts: Spelled, same: Sequence[Same], families: Families) -> _Names:
    """All that deciding a name takes, gathered once from every file of the project; clusters are filled in by
    the caller.
    """
    decided = names_of(same, SameKind.MODEL)
    of_log = models_of_log(parts.jobs)
    rows: tuple[Contract | Offer, ...] = (*parts.offers, *parts.earlier_offers, *parts.contracts)
    written = [
        *(name for row in rows if (name := written_model(row)) is not None),
        *of_log,
        *(parts.cube.gpu_models if parts.cube is not None else ()),
    ]
    first: dict[str, str] = {}
    for name in written:
        if families.read(name) is None:
            first.setdefault(folded(SameKind.MODEL, name), name.strip())
    known = frozenset(
        name
        for written_name in written
        for name, read in (_decide(written_name, families, decided, first),)
        if read is None or not read.is_unsized
    )
    variants: dict[str, list[GpuName]] = {}
    for written_name in (*(written_model(row) or "" for row in parts.contracts), *of_log):
        name, read = _decide(written_name, families, decided, first)
        if read is not None and read.whole.variant and read.whole not in variants.setdefault(name, []):
            variants[name].append(read.whole)
    of_variants = {name: tuple(reads) for name, reads in variants.items()}
    return _Names(
        families=families, decided=decided, first=first, known=known, variants=of_variants, of_clusters={}
    )


def _decide(
    written: str, families: Families, decided: Mapping[str, str], first: Mapping[str, str]
) -> tuple[str, GpuName | None]:
    """A name as the project has it, and how it was read. Decisions are followed from name to name, at most as
    often as there are any.
    """
    name, is_said = written, False
    for _ in range(len(decided) + 1):
        read = families.read(name)
        candidates = (name, *((read.full, read.family) if read is not None else ()))
        choice = next((pick for pick in candidates if folded(SameKind.MODEL, pick) in decided), None)
        if choice is None:
            break
        ours = decided[folded(SameKind.MODEL, choice)]
        if folded(SameKind.MODEL, ours) == folded(SameKind.MODEL, choice):
            return ours, None  # a thing of its own
        is_said, name = True, ours
    read = families.read(name)
    if read is None:
        return first.get(folded(SameKind.MODEL, name), name.strip()), None
    return read.family, replace(read, form="", size="") if is_said else read


def _family_name(name: str, families: Families, same: Sequence[Same]) -> str:
    """What a name that stands in no file counts as; an empty one stays empty."""
    if not name:
        return name
    family_name, _ = _decide(name, families, names_of(same, SameKind.MODEL), {})
    return family_name


def _in_cluster(contract: Contract, clusters: Mapping[str, str]) -> Contract:
    """The contract in the project's cluster, with what the file wrote kept beside it; itself where nothing
    changes.
    """
    written = contract.cluster if contract.cluster_written is None else contract.cluster_written
    ours = clusters.get(written, written)
    kept = None if ours == written else written
    if (ours, kept) == (contract.cluster, contract.cluster_written):
        return contract
    return replace(contract, cluster=ours, cluster_written=kept)


def _spelled_row(row: Row, name: str, written: str) -> Row:
    """The row under a name, with what the file wrote kept beside it; itself where nothing changes."""
    kept = None if name == written else written
    if (name, kept) == (row.gpu_model, row.gpu_model_written):
        return row
    return replace(row, gpu_model=name, gpu_model_written=kept)


def _kept(before: tuple[Row, ...], after: tuple[Row, ...]) -> tuple[Row, ...]:
    """The rows as they were where each is the very same object: caches go by identity."""
    return before if all(kept is other for kept, other in zip(before, after, strict=True)) else after


def _by_cluster(contracts: Iterable[Contract]) -> dict[str, frozenset[str]]:
    """GPU models of the contracts of each cluster; those that name none are left out."""
    models: dict[str, set[str]] = {}
    for contract in contracts:
        if contract.gpu_model is not None:
            models.setdefault(contract.cluster, set()).add(contract.gpu_model)
    return {cluster: frozenset(names) for cluster, names in models.items()}


def _noted(jobs: JobFacts, cube: Cube | None, workloads: Sequence[Workload]) -> JobFacts:
    """The facts with the names as the log wrote them, by cluster, with their milli-GPU-seconds; noted once."""
    if jobs.models_written or cube is None or not len(cube.workload_index):
        return jobs
    spent: dict[tuple[str, str], int] = {}
    for (place, model), amount in zip(cube.pairs, cube.row_totals.tolist(), strict=True):
        if model is not None:
            key = (workloads[place].cluster, model)
            spent[key] = spent.get(key, 0) + amount
    written = tuple((cluster, name, spent[cluster, name]) for cluster, name in sorted(spent))
    return replace(jobs, models_written=written) if written else jobs


def _idle_gaps(idle_gaps: IdleGaps | None, names: _Names) -> IdleGaps | None:
    """Idle gaps with the models of the jobs around them spelled; the very same object where nothing changes."""
    if idle_gaps is None:
        return None
    renamed: dict[tuple[str, str | None], str | None] = {}
    for cluster, model in {(gap.cluster, jobs.gpu_model) for gap in idle_gaps.each for jobs in gap.running}:
        if model is not None and (name := names.of_job(cluster, model)) != model:
            renamed[cluster, model] = name
    if not renamed:
        return idle_gaps
    each = []
    for gap in idle_gaps.each:
        running = tuple(
            jobs._replace(gpu_model=renamed.get((gap.cluster, jobs.gpu_model), jobs.gpu_model))
            for jobs in gap.running
        )
        each.append(gap if running == gap.running else replace(gap, running=running))
    return replace(idle_gaps, each=tuple(each))


def _spelled_jobs(jobs: Sequence[Job], workloads: Sequence[Workload], names: _Names) -> Iterator[Job]:
    """Jobs with their models spelled; the very same where nothing of one changed."""
    cluster_of = {workload.key: workload.cluster for workload in workloads} if jobs else {}
    for job in jobs:
        model = job.gpu_model
        if model is not None and job.key in cluster_of:
            model = names.of_job(cluster_of[job.key], model)
        yield job if model == job.gpu_model else replace(job, gpu_model=model)


def _cube(cube: Cube, workloads: Sequence[Workload], names: _Names) -> Cube:
    """The cube with its models spelled; spellings that become one are added up."""
    if not len(cube.workload_index):
        return cube
    pairs = list(zip(cube.workload_index.tolist(), cube.model_index.tolist(), strict=True))
    of_row = [(workloads[place].cluster, model) for place, model in pairs]
    name_of = {
        key: names.of_job(key[0], cube.gpu_models[key[1]]) for key in dict.fromkeys(of_row) if key[1] >= 0
    }
    models = tuple(sorted(set(name_of.values())))
    if set(models) <= set(cube.gpu_models) and all(
        cube.gpu_models[model] == name for (_, model), name in name_of.items()
    ):
        return cube
    number = {name: place for place, name in enumerate(models)}
    number_of = {pair: number[name] for pair, name in name_of.items()}
    index = np.array([number_of.get(pair, -1) for pair in of_row], dtype=np.int64)
    keys = cube.workload_index * (len(models) + 1) + index
    if (np.diff(keys) > 0).all():  # no two became one, and their order stays
        return replace(cube, gpu_models=models, model_index=index)
    return with_models(cube, models, index)


def name_of_jobs(project: Project, families: Families) -> Callable[[str, str], str]:
    """What a GPU model of a log counts as, by its cluster and as it was written.

    Returns a function of (cluster, name as written) to the name that counts.
    """
    parts = Spelled(
        cube=project.cube,
        jobs=project.jobs,
        contracts=project.contracts,
        offers=project.offers,
        earlier_offers=project.earlier_offers,
    )
    names = replace(_names(parts, project.same, families), of_clusters=_by_cluster(project.contracts))
    return names.of_job


# --- Names of workloads: where two have one name, what tells them apart stands beside it ---------


class Named(Protocol):
    """A card, or a workload."""

    @property
    def key(self) -> str:
        """What tells it from all others."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def cluster(self) -> str:
        """Where it runs."""

    @property
    def owner(self) -> str:
        """Whose it is."""


def names_apart(cards: Iterable[Named]) -> Mapping[str, Message]:
    """By key of each card that shares its name with another: its cluster, its owner, or both, whichever differ.

    Cards whose name nobody shares are left out.
    """
    of_name = _by_name(cards)
    return {card.key: text for alike in of_name.values() if len(alike) > 1 for card, text in _told(alike)}


def told_apart(cards: Sequence[Named]) -> dict[str, Text]:
    """By key the name of each of these, with what tells it from others of that name.

    The name alone where nothing else bears it, or where neither cluster nor owner differs.
    """
    beside = names_apart(cards)
    return {
        card.key: joined((card.name, " \u00b7 ", beside[card.key])) if beside.get(card.key) else card.name
        for card in cards
    }


def name_apart(workload: Named, workloads: Iterable[Named]) -> Text:
    """The name of one of these, with what tells it from the others of that name. Of one only: it is asked at a drop.

    workloads: those that it stands among, itself one of them.
    """
    alike = [other for other in workloads if other.name == workload.name]
    beside = next(text for other, text in _told(alike) if other.key == workload.key) if len(alike) > 1 else ""
    return joined((workload.name, " \u00b7 ", beside)) if beside else workload.name


def _by_name(cards: Iterable[Named]) -> Mapping[str, Sequence[Named]]:
    """The cards of each name, in their order."""
    of_name: dict[str, list[Named]] = defaultdict(list)
    for card in cards:
        of_name[card.name].append(card)
    return of_name


def _told(alike: Sequence[Named]) -> Iterable[tuple[Named, Message]]:
    """Cards of one name, each with what stands beside it."""
    has_clusters = len({card.cluster for card in alike}) > 1
    has_owners = len({card.owner for card in alike}) > 1
    for card in alike:
        yield card, _beside(card.cluster if has_clusters else None, card.owner if has_owners else None)


@lru_cache(maxsize=4096)  # thousands of cards share a few
def _beside(cluster: str | None, owner: str | None) -> Message:
    """Cluster and owner as far as each is asked for (None: it is not); words where one is empty."""
    parts = [] if cluster is None else [cluster or worded("no cluster")]
    return joined([*parts, *([] if owner is None else [owner or worded("no owner")])], "/")
