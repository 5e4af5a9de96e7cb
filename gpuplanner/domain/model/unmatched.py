"""Names of GPU models and clusters side by side, and those that may be one under two names."""

import re
import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import Message, joined, worded, worded_both
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.gpu_family import Families, Same, SameKind, folded, names_of, partition_name
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import name_of_jobs, written_model
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.lazy_dataclass import dataclass, replace

# --- Unmatched: GPU models and clusters of log and contracts that may be one under two names, so that nobody says 0%
# used
# Asked about, until `Project.same` settles it, are: a cluster on which no model of the jobs is one of the contracts;
# there, beside models that are, a name of the jobs and one of the contracts that the table of families does not tell
# apart, and a contract's name that it does not know; and clusters of jobs without a contract where others have
# contracts and no job. What hangs on the answer is unknown.


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Whether one of `theirs` (of the log) is one of `ours` (of contracts). proposed: the likeliest answer.

    It may be of a partition of a cluster of theirs, which is called as the cluster of contracts is.
    """

    kind: SameKind
    cluster: str
    theirs: tuple[str, ...]
    ours: tuple[str, ...]
    proposed: Same

    @property
    def is_of_partition(self) -> bool:
        """Whether the answer that is proposed is a partition of theirs, and not a name of the log or of contracts."""
        return self.kind is SameKind.CLUSTER and self.proposed.theirs not in (*self.theirs, *self.ours)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmatched:
    """What is asked, and of what nothing that hangs on it is known: clusters, contracts (by id), GPU models.

    unlogged: of these clusters, those with contracts that no job of any log names: what they serve is unknown, not 0.
    """

    questions: tuple[Question, ...] = ()
    clusters: frozenset[str] = frozenset()
    contracts: frozenset[str] = frozenset()
    gpu_models: frozenset[str | None] = frozenset()
    unlogged: frozenset[str] = frozenset()

    @property
    def is_any(self) -> bool:
        """Whether anything is asked.

        False for a project in which every name is settled.
        """
        return bool(self.questions)


NOTHING_ASKED: Final = Unmatched()


def unmatched(project: Project, families: Families) -> Unmatched:
    """What a project has to be asked; nothing where no contract counts in it, or without GPU time.

    families: what tells two names apart where others match.
    """
    rows = _counting(project)
    ran = _models_that_ran(project)
    if not rows or not ran:
        return NOTHING_ASKED
    own = {
        kind: {folded(kind, same.ours) for same in project.same if same.kind is kind and same.is_own}
        for kind in SameKind
    }
    questions = [*_of_clusters(project, rows, set(ran), own[SameKind.CLUSTER])]
    clusters = {name for question in questions for name in (*question.theirs, *question.ours)}
    contracts = {row.contract_id for row in rows if row.cluster in clusters}
    for cluster in sorted(set(ran) - clusters):
        paid_models = {row.gpu_model or "" for row in rows if row.cluster == cluster}
        jobs = ran[cluster] - {""}
        question = _of_models(cluster, jobs, paid_models, own[SameKind.MODEL], families)
        if question is None:
            continue
        questions.append(question)
        clusters |= {cluster}
        contracts |= {
            row.contract_id
            for row in rows
            if row.cluster == cluster and (row.gpu_model or "") in question.ours
        }
    unlogged = {row.cluster for row in rows} - clusters - _logged(project) - own[SameKind.CLUSTER]
    clusters |= unlogged
    contracts |= {row.contract_id for row in rows if row.cluster in unlogged}
    models = {row.gpu_model for row in rows if row.contract_id in contracts}
    models |= {name for question in questions if question.kind is SameKind.MODEL for name in question.theirs}
    models |= {
        name or None
        for question in questions
        if question.kind is SameKind.CLUSTER
        for cluster in question.theirs
        for name in ran.get(cluster, ())
    }
    return Unmatched(
        questions=tuple(questions),
        clusters=frozenset(clusters),
        contracts=frozenset(contracts),
        gpu_models=frozenset(models),
        unlogged=frozenset(unlogged),
    )


def _logged(project: Project) -> set[str]:
    """Clusters that a job of the log names, in the window or out of it, under the project's names for them."""
    named, quality = names_of(project.same, SameKind.CLUSTER), project.jobs.quality
    written = () if quality is None else quality.clusters
    return {workload.cluster for workload in project.workloads} | {
        named.get(folded(SameKind.CLUSTER, name), name) for name in written
    }


def option_of(same: Same) -> str:
    """As it is typed at a shell: `--same 'model:H100 SXM=H100'`.

    Quoted for the shell where the names need it.
    """
    return f"--same {shlex.quote(same.text)}"


def asked_words(question: Question) -> Message:
    """log: en; contracts: main; and the words of the command line that answer it.

    What the log and the contracts call it, the options that settle it one way or the other, and what is
    unknown until then.
    """
    is_cluster = question.kind is SameKind.CLUSTER
    log, contracts = ", ".join(name or "?" for name in question.theirs), ", ".join(question.ours)
    own = " ".join(option_of(Same(question.kind, name, name)) for name in filter(None, question.ours))
    if is_cluster and question.theirs == ("",) and not question.is_of_partition:
        so = worded("logged jobs name no cluster; contracts: {contracts}", contracts=contracts)
        name = shlex.quote(question.proposed.ours)
        how = worded_both(
            "if they ran there: --cluster {name}, in a saved project {same}, if not: {own}",
            "open it to match them",
            name=name,
            same=option_of(question.proposed),
            own=own,
        )
    elif is_cluster and not contracts:
        so = worded("contracts name no cluster; log: {log}", log=log)
        how = worded_both(
            "specify their cluster: --map {text}, in a saved project {same}",
            "open it to match them",
            text=" or ".join(shlex.quote(f"contracts.cluster=={name}") for name in question.theirs),
            same=option_of(question.proposed),
        )
    else:
        so = worded("log: {log}; contracts: {contracts}", log=log, contracts=contracts)
        if question.is_of_partition:
            so = worded("partition in the log: {log}; contracts: {contracts}", log=log, contracts=contracts)
        options = " or ".join(map(option_of, _choices(question)))
        if own:
            how = worded("if they are one: {one}, if not: {own}", one=options, own=own)
        else:
            how = worded("if both are one: {one}", one=options)
    unknown = worded("until then, use, flags and verdicts are unknown")
    return joined((so, how, unknown), "; ")


def _choices(question: Question) -> tuple[Same, ...]:
    """What the name that is asked about may be one with: the likeliest, then the others."""
    theirs = question.proposed.theirs
    if question.is_of_partition:
        return (question.proposed,)
    names = question.ours if theirs in question.theirs else question.theirs
    others = (Same(question.kind, theirs, name) for name in filter(None, names))
    return tuple(dict.fromkeys((question.proposed, *others)))


def _models_that_ran(project: Project) -> dict[str, set[str]]:
    """By cluster the GPU models that its jobs name; an empty one for those that name none."""
    models: dict[str, set[str]] = {}
    for place, model in project.cube.pairs:
        models.setdefault(project.workloads[place].cluster, set()).add(model or "")
    return models


def _counting(project: Project) -> list[Contract]:
    """Contracts that a figure hangs on: those that ran while the log did; where none did, those of the plan's first
    month, which else would be taken for GPUs that nobody uses.
    """
    window, begins_s = project.window, project.plan_window.end_s
    gpus = [contract for contract in project.contracts if not contract.is_dollars]
    ran = [contract for contract in gpus if contract.overlaps(window.start_s, window.end_s)]
    return ran or [row for row in gpus if row.overlaps(begins_s, begins_s + MONTH_S)]


def _of_clusters(
    project: Project, rows: Sequence[Contract], ran: set[str], own: Collection[str]
) -> Iterator[Question]:
    """One question for each cluster of contracts that no job names, where jobs name clusters without a
    contract. rows: contracts that count; own: names that the planner said are things of their own.
    """
    of_contracts = {contract.cluster for contract in project.contracts}
    paid = {row.cluster for row in rows}
    worked = {workload.cluster for workload in project.workloads}
    theirs = tuple(sorted(name for name in ran - of_contracts if name not in own))
    ours = sorted(name for name in paid - worked if name not in own)
    partitions = {
        queue.casefold(): partition_name(cluster, queue)
        for cluster, queue, _ in project.jobs.queues
        if cluster in theirs
    }
    if theirs:
        for name in ours:
            partition = partitions.get(name.casefold())
            proposed = (
                _likeliest(SameKind.CLUSTER, theirs if partition is None else (partition,), (name,))
                if name
                else Same(SameKind.CLUSTER, name, theirs[0])
            )
            yield Question(
                kind=SameKind.CLUSTER, cluster=name, theirs=theirs, ours=(name,), proposed=proposed
            )


def _of_models(
    cluster: str, jobs: set[str], of_contracts: set[str], settled: Collection[str], families: Families
) -> Question | None:
    """What is asked of a cluster's models: of jobs, and of its contracts. settled: names that are their own."""
    theirs, ours = (
        tuple(sorted(name for name in names if folded(SameKind.MODEL, name) not in settled))
        for names in (jobs - of_contracts, of_contracts - jobs)
    )
    if not jobs.isdisjoint(of_contracts) or len(theirs) < len(jobs) or len(ours) < len(of_contracts):
        strange = tuple(name for name in ours if name and families.read(name) is None)
        theirs, ours = _not_apart(theirs, ours, families)
        if (
            strange and jobs and not ours
        ):  # likelier another word for what runs there than a GPU that nobody uses
            ran = tuple(sorted(jobs))
            return Question(
                kind=SameKind.MODEL,
                cluster=cluster,
                theirs=ran,
                ours=strange,
                proposed=_likeliest(SameKind.MODEL, strange, ran),
            )
    if not theirs or not ours:
        return None
    return Question(
        kind=SameKind.MODEL,
        cluster=cluster,
        theirs=theirs,
        ours=ours,
        proposed=_likeliest(SameKind.MODEL, theirs, ours),
    )


def _not_apart(
    theirs: Sequence[str], ours: Sequence[str], families: Families
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Those of two lists that may be one: a name that the table does not know, or a family told apart by size."""
    pairs = [
        (name, other) for name in theirs for other in ours if other and not _are_apart(name, other, families)
    ]
    return tuple(dict.fromkeys(name for name, _ in pairs)), tuple(dict.fromkeys(other for _, other in pairs))


def _are_apart(theirs: str, other: str, families: Families) -> bool:
    """Whether the table of families knows both names and tells them apart; not where one of them leaves its
    memory open.
    """
    reads = [families.read(name) for name in (theirs, other)]
    if None in reads:
        return False
    bases = [read.family.rpartition(" ")[0] if not read.is_unsized else read.family for read in reads if read]
    return bases[0] != bases[1] or not any(read.is_unsized for read in reads if read)


def _are_akin(theirs: str, other: str, families: Families) -> bool:
    """Whether both names hold the families that the table knows of them, of which there is one at least.

    A word without a figure names no family, and may be any.
    """
    if not all(re.search(r"\d", name) for name in (theirs, other)):
        return True
    reads = [families.read(name) for name in (theirs, other)]
    known = [read.family.split()[0].casefold() for read in reads if read]
    return bool(known) and all(family in name.casefold() for family in known for name in (theirs, other))


def _likeliest(kind: SameKind, theirs: Iterable[str], ours: Iterable[str]) -> Same:
    """The two names that are most alike; of several the first."""
    pairs = [(their, other) for their in theirs for other in ours if other] or [(next(iter(theirs)), "")]
    best = max(pairs, key=lambda pair: SequenceMatcher(None, pair[0].casefold(), pair[1].casefold()).ratio())
    return Same(kind, *best)


# --- Names side by side: what log, contracts and prices call each GPU model and cluster, and what may be one


@dataclass(frozen=True, slots=True)
class Named:
    """How one kind of file calls a thing: its names, most first, and how much of it there is (GPU-hours or rows)."""

    names: tuple[str, ...] = ()
    amount: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRow:
    """One GPU model or cluster as the project calls it. choices: others that it may be one with.

    proposed: the likeliest of them where the project asks (unmatched.py), else empty. is_akin: it is a cluster, or of
    the family of the name.
    """

    kind: SameKind
    name: str
    log: Named
    contracts: Named
    prices: Named
    choices: tuple[str, ...]
    proposed: str = ""
    is_akin: bool = False


def name_rows(project: Project, families: Families) -> tuple[NameRow, ...]:
    """Models and clusters of log and contracts, and what prices name that the table of families does not know.

    What is asked about comes first, then by kind and name.
    """
    questions = unmatched(project, families).questions
    rows = [*_models(project, families), *_clusters(project)]
    rows += [_partition(project, question) for question in questions if question.is_of_partition]
    asked = {(question.kind, question.proposed.theirs): question.proposed.ours for question in questions}
    named = [
        replace(
            row,
            proposed=other,
            is_akin=bool(other) and (row.kind is SameKind.CLUSTER or _are_akin(row.name, other, families)),
        )
        for row in rows
        for other in (asked.get((row.kind, row.name), ""),)
    ]
    return tuple(sorted(named, key=lambda row: (not row.proposed, row.kind is not SameKind.MODEL, row.name)))


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
        if model := written_model(contract):
            contracts.setdefault(str(contract.gpu_model), Counter())[model] += 1
    prices: dict[str, Counter[str]] = {}
    for offer in (offer for offer in project.offers if not offer.is_dollars):
        prices.setdefault(offer.gpu_model, Counter())[written_model(offer) or ""] += 1
    demanded = {*log, *contracts, *project.cube.gpu_models}
    names = sorted(demanded | {name for name in prices if families.read(name) is None})
    return [
        NameRow(
            kind=SameKind.MODEL,
            name=name,
            log=_named(log.get(name), MILLI_GPU_SECONDS_PER_GPU_HOUR),
            contracts=_named(contracts.get(name)),
            prices=_named(prices.get(name)),
            choices=tuple(other for other in names if other != name),
        )
        for name in names
    ]


def _partition(project: Project, question: Question) -> NameRow:
    """A partition of the log that a contract's cluster is called like."""
    name = question.proposed.theirs
    spent = sum(
        time for cluster, queue, time in project.jobs.queues if partition_name(cluster, queue) == name
    )
    log = Named((name,), spent / MILLI_GPU_SECONDS_PER_GPU_HOUR)
    return NameRow(
        kind=question.kind, name=name, log=log, contracts=Named(), prices=Named(), choices=question.ours
    )


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
            kind=SameKind.CLUSTER,
            name=name,
            log=Named(tuple(theirs.get(name, [name])), spent[name] / MILLI_GPU_SECONDS_PER_GPU_HOUR)
            if name in spent
            else Named(),
            contracts=_named(contracts.get(name)),
            prices=Named(),
            choices=tuple(other for other in names if other not in (name, "")),
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
