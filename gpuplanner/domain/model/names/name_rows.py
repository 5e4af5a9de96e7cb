"""Names side by side: what log, contracts and prices call each GPU model and cluster, and what may be one."""

from collections import Counter
from dataclasses import dataclass

from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.gpu_family import Families
from gpuplanner.domain.model.names.spelling import name_of_jobs, written_model
from gpuplanner.domain.model.names.unmatched import unmatched
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.same import SameKind


@dataclass(frozen=True, slots=True)
class Named:
    """How one kind of file calls a thing: its names, most first, and how much of it there is (GPU-hours or rows)."""

    names: tuple[str, ...] = ()
    amount: float = 0.0


@dataclass(frozen=True, slots=True)
class NameRow:
    """One GPU model or cluster as the project calls it. choices: others that it may be one with.

    proposed: the likeliest of them where the project asks (unmatched.py), else empty.
    """

    kind: SameKind
    name: str
    log: Named
    contracts: Named
    prices: Named
    choices: tuple[str, ...]
    proposed: str = ""


def name_rows(project: Project, families: Families) -> tuple[NameRow, ...]:
    """Models and clusters of log and contracts, and what prices name that the table of families does not know.

    What is asked about comes first, then by kind and name.
    """
    rows = [*_models(project, families), *_clusters(project)]
    asked = {
        (question.kind, question.proposed.theirs): question.proposed.ours
        for question in unmatched(project, families).questions
    }
    found = [
        NameRow(
            row.kind,
            row.name,
            row.log,
            row.contracts,
            row.prices,
            row.choices,
            asked.get((row.kind, row.name), ""),
        )
        for row in rows
    ]
    return tuple(sorted(found, key=lambda row: (not row.proposed, row.kind is not SameKind.MODEL, row.name)))


def _models(project: Project, families: Families) -> list[NameRow]:
    """GPU models, by the name that the project has for each. What prices alone name and the table of families
    knows is left out: nobody has to place it.
    """
    log: dict[str, Counter[str]] = {}
    counts_as = name_of_jobs(project, families)
    for cluster, written, amount in project.jobs.models_written:
        log.setdefault(counts_as(cluster, written), Counter())[written] += amount
    contracts: dict[str, Counter[str]] = {}
    for contract in project.contracts:
        if contract.gpu_model is not None:
            contracts.setdefault(contract.gpu_model, Counter())[written_model(contract) or ""] += 1
    prices: dict[str, Counter[str]] = {}
    for offer in project.offers:
        prices.setdefault(offer.gpu_model, Counter())[written_model(offer) or ""] += 1
    demanded = {*log, *contracts, *project.cube.gpu_models}
    names = sorted(demanded | {name for name in prices if families.read(name) is None})
    return [
        NameRow(
            SameKind.MODEL,
            name,
            _named(log.get(name), MILLI_GPU_SECONDS_PER_GPU_HOUR),
            _named(contracts.get(name)),
            _named(prices.get(name)),
            tuple(other for other in names if other != name),
        )
        for name in names
    ]


def _clusters(project: Project) -> list[NameRow]:
    """Clusters of log and contracts; prices name none."""
    theirs: dict[str, list[str]] = {}
    for same in project.same:
        if same.kind is SameKind.CLUSTER and not same.is_own:
            theirs.setdefault(same.ours, []).append(same.theirs)
    spent: Counter[str] = Counter()
    for workload in project.workloads:
        spent[workload.cluster] += workload.milli_gpu_seconds
    contracts: dict[str, Counter[str]] = {}
    for contract in project.contracts:
        written = contract.cluster if contract.cluster_written is None else contract.cluster_written
        contracts.setdefault(contract.cluster, Counter())[written] += 1
    names = sorted({*spent, *contracts})
    return [
        NameRow(
            SameKind.CLUSTER,
            name,
            Named(tuple(theirs.get(name, [name])), spent[name] / MILLI_GPU_SECONDS_PER_GPU_HOUR)
            if name in spent
            else Named(),
            _named(contracts.get(name)),
            Named(),
            tuple(other for other in names if other not in (name, "")),
        )
        for name in names
    ]


def _named(counts: Counter[str] | None, unit: int = 1) -> Named:
    """Names with their counts, most first; nothing where there is no count. unit: what the amount is divided
    by.
    """
    if not counts:
        return Named()
    return Named(tuple(name for name, _ in counts.most_common()), counts.total() / unit)
