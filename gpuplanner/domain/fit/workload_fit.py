"""Hardware fit of workloads and pools: what each runs on, its network, and the light of every row."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.fit import rules
from gpuplanner.domain.fit.needs import (
    OF_MODEL,
    RULE,
    UNKNOWN,
    Needed,
    Needs,
    as_sized,
    needs_of,
    number_of,
    served_gb,
    several_nodes,
)
from gpuplanner.domain.fit.other_hardware import (
    SLOW,
    InterconnectPremium,
    NetworkCost,
    OtherHardware,
    OutOfMemory,
    cheapest_rates,
    interconnect_premium,
    network_cost,
    other_hardware,
    out_of_memory,
)
from gpuplanner.domain.fit.rules import Answer, Light
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping, ratio_for
from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.gpu_family import families_of
from gpuplanner.domain.model.hardware_needs import NOTHING_SET, NeedsSet, NeedValue
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, GpuModel, Pool, Tables, TrainedNeed, TrainedOf
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- The hardware that a workload runs on today: its contracts, and what is known of its GPU model


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardware:
    """What one contract or offer brings; None: not stated. term_hours: how long it binds, 0 when by use.
    network: what it trains like (`network_of`); nic_gbps: Gb/s of a node. usable_gb: what its card really holds of a
    training run, where that is known.

    of: the contract or offer, empty where only the GPU model is known; memory_source: in words.
    """

    of: str
    gpu_model: str | None
    memory_gb: float | None
    memory_source: str
    interconnect: str | None = None
    bare_metal: bool | None = None
    term_hours: float | None = None
    network: str | None = None
    nic_gbps: float | None = None
    usable_gb: float | None = None


def memory_of_model(gpu_model: str | None, gpu_models: Sequence[GpuModel]) -> tuple[float | None, str]:
    """GB of one GPU, and who says so: the model's own name (A100-40GB), else the table of GPU models.

    Units: GB. None and "unknown" where neither says it, and where the model itself is unknown.
    """
    if gpu_model is None:
        return None, "unknown"
    folded = gpu_model.casefold()
    if match := re.search(r"(?<![a-z0-9.])(\d{1,4})\s?gb(?![a-z0-9])", folded):
        return float(match[1]), "from the GPU model's name"
    facts = families_of(tuple(gpu_models)).facts(gpu_model)
    if facts is None or facts.memory_gb is None:
        return None, "unknown"
    return facts.memory_gb, "table of GPU models"


def hardware_of_contract(contract: Contract, gpu_models: Sequence[GpuModel]) -> Hardware:
    """What a contract brings.

    Memory that the contract states counts before that of its GPU model. term_hours: for as long as it binds;
    None where nobody says.
    """
    memory_gb: float | None = contract.gpu_memory_gb
    memory_source = contract.contract_id
    if memory_gb is None:
        memory_gb, memory_source = memory_of_model(contract.gpu_model, gpu_models)
    return Hardware(
        of=contract.contract_id,
        gpu_model=contract.gpu_model,
        memory_gb=memory_gb,
        memory_source=memory_source,
        interconnect=contract.interconnect,
        bare_metal=contract.bare_metal,
        term_hours=contract.binding_hours,
        network=contract.network,
        nic_gbps=contract.nic_gbps,
    )


def hardware_of_offer(offer: Offer) -> Hardware:
    """What an offer brings, as the plan sees it: a memory that it does not state is unknown.

    term_hours: whole months of 730 h; 0 for an offer by use.
    """
    return Hardware(
        of=offer.offer_id,
        gpu_model=offer.gpu_model,
        memory_gb=offer.gpu_memory_gb,
        memory_source=offer.offer_id if offer.gpu_memory_gb is not None else "unknown",
        interconnect=offer.interconnect,
        bare_metal=offer.bare_metal,
        term_hours=float(offer.term_months * HOURS_PER_MONTH),
        network=offer.network,
        nic_gbps=offer.nic_gbps,
    )


@dataclass(frozen=True)
class HardwareToday:
    """Finds the contracts behind a workload: of its cluster and GPU model, those that run at the window's end.

    Where none does, those that ran in the window; where there is none either, what its GPU model says.
    """

    project: Project
    gpu_models: tuple[GpuModel, ...]

    def of(self, cluster: str, gpu_model: str | None) -> tuple[Hardware, ...]:
        """The hardware that jobs of this model run on, at least one entry. gpu_model None: any of the cluster.

        Kept for the life of this object: many workloads share a cluster and a model.
        """
        key = (cluster, gpu_model)
        if key not in self._found:
            self._found[key] = self._find(cluster, gpu_model)
        return self._found[key]

    @cached_property
    def _found(self) -> dict[tuple[str, str | None], tuple[Hardware, ...]]:
        """What was looked up so far, by cluster and GPU model."""
        return {}

    def _find(self, cluster: str, gpu_model: str | None) -> tuple[Hardware, ...]:
        """Contracts that state no model count for every model of their cluster."""
        window = self.project.window
        ran = [
            contract
            for contract in self.project.contracts
            if contract.cluster == cluster
            and (gpu_model is None or contract.gpu_model in (None, gpu_model))
            and contract.start_s < window.end_s
            and (contract.end_s is None or contract.end_s > window.start_s)
        ]
        running = [contract for contract in ran if contract.end_s is None or contract.end_s >= window.end_s]
        hardware = tuple(hardware_of_contract(contract, self.gpu_models) for contract in running or ran)
        if hardware:
            return hardware
        memory_gb, memory_source = memory_of_model(gpu_model, self.gpu_models)
        return (Hardware(of="", gpu_model=gpu_model, memory_gb=memory_gb, memory_source=memory_source),)


def main_models(project: Project) -> list[str | None]:
    """The GPU model of most of each workload's GPU time (None: unknown), in the order of Project.workloads.

    Shapes: one entry for each workload. Of two models with as much GPU time the later in the cube's list
    counts.
    """
    cube = project.cube
    has_several = len(set(cube.workload_index.tolist())) < len(cube.workload_index)
    totals = cube.row_totals.tolist() if has_several else [0] * len(cube.workload_index)
    best: list[tuple[int, int]] = [(-1, -1)] * len(project.workloads)
    for place, model, total in zip(
        cube.workload_index.tolist(), cube.model_index.tolist(), totals, strict=True
    ):
        best[place] = max(best[place], (total, model))
    return [None if model < 0 else cube.gpu_models[model] for _, model in best]


# --- Hardware fit of workloads: the rows of the traffic-light table on what each runs on today, and on an offer


@dataclass(frozen=True, slots=True)
class Sharing:
    """How a workload shares its cluster: with other classes at all, and its GPU-hours in contended hours.

    A contended hour: more demand than GPUs, while training and inference ran. The audit measures it.
    """

    is_shared: bool = False
    contended_gpu_hours: float = 0.0


NEAR_SIZE: Final = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class FitRow:
    """One row of the table. light None: a need that nobody knows. needs None: unknown, or none asked.

    has, needs: GB, hours (None for a term without an end), names of interconnects, yes or no, or words.
    source: a key of needs.SOURCES; has_source: the contract or offer, or a table, in words; reason: "" when green.
    """

    need: str
    light: Light | None
    has: NeedValue
    needs: NeedValue
    source: str
    source_words: Message
    has_source: Text
    reason: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadFit:
    """One workload on what it runs on today. light: the worst of its rows; None where no row has one.

    pool: its class, whose rows these are. active_hours: of the window, in which it held GPUs. elsewhere: other GPU
    models, worked out when asked for; ran_out: jobs that ran out of memory.
    """

    key: str
    pool: Pool
    gpu_model: str | None
    light: Light | None
    rows: tuple[FitRow, ...]
    needs: Mapping[str, Needed]
    hardware: tuple[Hardware, ...]
    sharing: Sharing
    active_hours: float
    network: NetworkCost | None = None
    premium: InterconnectPremium | None = None
    elsewhere: Callable[[], tuple[OtherHardware, ...]] = field(default=tuple, compare=False, repr=False)
    ran_out: tuple[OutOfMemory, ...] = ()

    @property
    def reasons(self) -> Message:
        """What is not green, the worst first: `Memory per GPU: 40 GB is under 80 GB; ...`.

        Empty where every row is green or has no light.
        """
        bad = sorted((row for row in self.rows if row.reason), key=lambda row: -(row.light or 0))
        return joined((joined((NEED_TITLES[row.need], row.reason), ": ") for row in bad), "; ")


NEED_TITLES: Final = {
    "memory": worded("Memory per GPU"),
    "interconnect": worded("Interconnect"),
    "bare_metal": worded("Bare metal"),
    "own_cluster": worded("Own cluster"),
    "model_memory": worded("Weights and KV cache"),
    "training_grade": worded("Memory-bandwidth class"),
    "term": worded("Commitment length"),
}
"""Row of the table -> its title."""


def worst_light(rows: Sequence[FitRow]) -> Light | None:
    """The worst light of some rows; None where none has one.

    A row that nobody can judge (light None) does not count.
    """
    return max((row.light for row in rows if row.light is not None), default=None)


# ---------------------------------------------------------------- one row of the table on one piece of hardware


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a rule looks at. sharing None: what is not bought yet is shared with nobody. renews: see rules.py."""

    needs: Needs
    hardware: Hardware
    sharing: Sharing | None
    renews: bool


def _row(
    need: str, answer: Answer | None, asked: _Asked, has: NeedValue, needed: Needed, of: Text = ""
) -> FitRow:
    """One row of the table. answer None: nobody can tell; of: who says what there is, where it is not the
    contract or offer.
    """
    light, reason = (None, "") if answer is None else answer
    source = of or asked.hardware.of or worded("not stated")
    return FitRow(
        need=need,
        light=light,
        has=has,
        needs=needed.value,
        source=needed.source,
        source_words=needed.source_words,
        has_source=source,
        reason=reason,
    )


def _memory(asked: _Asked) -> FitRow:
    """The default wish of training is the rule's own, with its least; only a need from the planner is passed
    on as a number.
    """
    needed, has = asked.needs["memory_gb_per_gpu"], asked.hardware.memory_gb
    if needed.source == OF_MODEL:
        answer = rules.trained_memory(
            asked.hardware.usable_gb or has, number_of(asked.needs, "memory_gb_per_gpu") or 0.0
        )
        return _row("memory", answer, asked, has, needed, asked.hardware.memory_source)
    own = None if needed.source == RULE else number_of(asked.needs, "memory_gb_per_gpu")
    answer = rules.training_memory(has, own, renews=asked.renews)
    return _row("memory", answer, asked, has, needed, asked.hardware.memory_source)


def _interconnect(asked: _Asked) -> FitRow:
    """A need that comes of the class is the rule's own; only what the planner set is passed on."""
    needed, has = asked.needs["interconnect"], asked.hardware.interconnect
    own = None if needed.source == RULE or needed.value is None else str(needed.value)
    answer = rules.training_interconnect(
        asked.hardware.network,
        several_nodes=several_nodes(asked.needs),
        needs=own,
        gbps=asked.hardware.nic_gbps,
    )
    return _row("interconnect", answer, asked, has, needed)


def _bare_metal(asked: _Asked) -> FitRow:
    """Asked of training; whether virtual machines are amber or red depends on its nodes."""
    needed, has = asked.needs["bare_metal"], asked.hardware.bare_metal
    answer = rules.training_bare_metal(
        has, several_nodes=several_nodes(asked.needs), needs=needed.value is True
    )
    return _row("bare_metal", answer, asked, has, needed)


def _own_cluster(asked: _Asked) -> FitRow | None:
    """The row that only a workload on today's hardware has; None for an offer."""
    if asked.sharing is None:
        return None
    needed, sharing = asked.needs["own_cluster"], asked.sharing
    answer = rules.training_cluster(
        is_shared=sharing.is_shared,
        contended_gpu_hours=sharing.contended_gpu_hours,
        needs=needed.value is True,
    )
    if sharing.contended_gpu_hours > 0:
        has = worded("contended")
    elif sharing.is_shared:
        has = worded("shared")
    else:
        has = worded("own")
    return _row("own_cluster", answer, asked, has, needed, worded("the log"))


def _model_memory(asked: _Asked) -> FitRow:
    """Weights and KV cache where both are known. Without the cache a red or amber light is certain, a green
    one is not.
    """
    has, of = job_memory_gb(asked), asked.hardware.memory_source
    size = asked.needs["parameters_billion"]
    weights, whole = served_gb(asked.needs)
    if weights is None:
        return _row("model_memory", None, asked, has, Needed(None, UNKNOWN, size.note), of)
    is_measurable = has is not None or asked.hardware.memory_gb is None  # else the GPUs of a job are unknown
    if whole is not None:
        answer = rules.served_memory(whole, has) if is_measurable else None
        return _row("model_memory", answer, asked, has, Needed(whole, size.source, size.note), of)
    note = worded("without its KV cache")
    if size.note:
        note = worded("{note}, without its KV cache", note=size.note)
    answer = rules.served_memory(weights, has) if has is not None else None
    if answer is not None and answer[0] is Light.GREEN:
        answer = None  # with its KV cache it may be over: nobody knows
    return _row("model_memory", answer, asked, has, Needed(weights, size.source, note), of)


def job_memory_gb(asked: _Asked) -> float | None:
    """GB of all GPUs that hold one copy of the model: those of a job, or what the planner set."""
    per_node, memory = number_of(asked.needs, "gpus_per_node"), asked.hardware.memory_gb
    if per_node is None or memory is None:
        return None
    return memory * per_node * (number_of(asked.needs, "nodes") or 1)


def _training_grade(asked: _Asked) -> FitRow:
    """Whether inference pays for an interconnect; one that the planner asks for is needed."""
    needed = asked.needs["interconnect"]
    answer = rules.served_interconnect(asked.hardware.interconnect, is_needed=needed.value is not None)
    return _row("training_grade", answer, asked, asked.hardware.interconnect, needed)


def _term(asked: _Asked) -> FitRow:
    """How long the hardware binds beside the hours of work; no light where either is unknown."""
    needed, term = asked.needs["active_hours"], asked.hardware.term_hours
    active = number_of(asked.needs, "active_hours")
    if term is None or active is None:
        return _row("term", None, asked, None, needed)
    has = None if term == float("inf") else term
    return _row("term", rules.burst_term(term, active), asked, has, needed)


WORKLOAD_RULES: Final[Mapping[Pool, tuple[Callable[[_Asked], FitRow | None], ...]]] = {
    Pool.TRAINING: (_memory, _interconnect, _bare_metal, _own_cluster),
    Pool.INFERENCE: (_model_memory, _training_grade),
    Pool.BURST: (_term,),
}
"""The rows of a class, in the order of docs/formulas/hardware-fit.md."""


def fit_rows(
    pool: Pool, needs: Needs, hardware: Hardware, sharing: Sharing | None = None, *, renews: bool = False
) -> tuple[FitRow, ...]:
    """The rows of one class on one piece of hardware; without `sharing` the row of a shared cluster is left out.

    Rows come in the order of WORKLOAD_RULES. renews: the workload runs on this GPU model today, so that
    memory of training is at worst amber.
    Source: docs/formulas/hardware-fit.md.
    """
    asked = _Asked(needs, hardware, sharing, renews)
    rows = (rule(asked) for rule in WORKLOAD_RULES[pool])
    return tuple(row for row in rows if row is not None)


def worst_rows(every: Sequence[tuple[FitRow, ...]]) -> tuple[FitRow, ...]:
    """Row by row the worst of several pieces of hardware; the first of equals."""
    return tuple(
        max(same, key=lambda row: -1 if row.light is None else row.light) for same in zip(*every, strict=True)
    )


# ---------------------------------------------------------------- all workloads, and offers for one


def active_hours(cube: Cube, workloads: int) -> Ints:
    """Hours of the window in which each workload held GPUs; shape (workloads,). Hours of two GPU models count once.

    workloads: how many. Units: whole hours; one in which a job ran for a second counts.
    """
    lengths = np.diff(cube.offsets)
    rows_of_each = np.bincount(cube.workload_index, minlength=workloads)
    hours = np.bincount(cube.workload_index, weights=lengths, minlength=workloads).astype(np.int64)
    several = np.flatnonzero(rows_of_each > 1)
    if len(several):
        place = np.full(workloads, -1, dtype=np.int64)
        place[several] = np.arange(len(several))
        of_entry = np.repeat(place[cube.workload_index], lengths)
        inside = of_entry >= 0
        was_active = np.zeros((len(several), cube.hours), dtype=np.bool_)
        was_active[of_entry[inside], cube.hour[inside]] = True
        hours[several] = was_active.sum(axis=1)
    return hours


def shared_clusters(project: Project, classes: Sequence[Pool]) -> dict[str, frozenset[Pool]]:
    """The classes that held GPUs on each cluster.

    classes: one for each workload of the project, in its order. A workload without GPU time holds nothing and
    is left out.
    Errors: ValueError where there are not as many classes as workloads.
    """
    by_cluster: dict[str, set[Pool]] = {}
    for workload, pool in zip(project.workloads, classes, strict=True):
        if workload.milli_gpu_seconds:
            by_cluster.setdefault(workload.cluster, set()).add(pool)
    return {cluster: frozenset(pools) for cluster, pools in by_cluster.items()}


def _usable(hardware: Hardware, card_gib: float | None) -> Hardware:
    """With what a card of its GPU model really holds, where that is about what is stated of it."""
    stated = hardware.memory_gb
    is_same = card_gib is not None and stated is not None and abs(card_gib / stated - 1) < NEAR_SIZE
    return replace(hardware, usable_gb=card_gib) if is_same else hardware


def trained_need(
    workload: Workload,
    needs: Needs,
    gpu_model: str | None,
    hardware: Sequence[Hardware],
    trained: TrainedOf | None,
) -> TrainedNeed | None:
    """What its largest job needs where its model's size is known; None where it is not."""
    size, gpus = number_of(needs, "parameters_billion"), workload.max_milli_gpus / 1000
    if trained is None or size is None or not gpus:
        return None
    slow = min((nic.nic_gbps for nic in hardware if nic.nic_gbps and nic.network == SLOW), default=None)
    return trained(size, gpu_model, gpus, slow, workload.sample_name or workload.name)


def fit_workloads(
    project: Project,
    classes: Sequence[Pool],
    contended_gpu_hours: Sequence[float],
    usd_per_month: Sequence[float | None],
    tables: Tables,
) -> tuple[WorkloadFit, ...]:
    """Every workload on what it runs on today, in the order of Project.workloads. What runs of known models need stands
    in place of the rules of their class.

    classes, contended_gpu_hours (in the window, of training beside inference), usd_per_month: one per workload, as
    the audit found them. Source: docs/formulas/hardware-fit.md.
    """
    today, models = HardwareToday(project, tables.gpu_models), main_models(project)
    rates, month = cheapest_rates(project.offers), project.window.months
    active = active_hours(project.cube, len(project.workloads)).tolist()
    on_cluster = shared_clusters(project, classes)
    fits, needed = [], dict[str, float | None]()
    for place, (workload, pool) in enumerate(zip(project.workloads, classes, strict=True)):
        hours, planner = float(active[place]), project.needs.get(workload.key, NOTHING_SET)
        needs = needs_of(workload, pool, hours, planner)
        needs |= as_sized(project, workload.key, needs) if pool is Pool.INFERENCE else {}
        hardware = today.of(workload.cluster, models[place])
        model, is_trained = models[place], pool is Pool.TRAINING
        run = trained_need(workload, needs, model, hardware, tables.trained) if is_trained else None
        if run is not None and needs["memory_gb_per_gpu"].source == RULE:
            note = worded("sharded over all GPUs of its largest job")
            needs["memory_gb_per_gpu"] = Needed(round(run.memory_gib, 1), OF_MODEL, note)
            hardware = tuple(_usable(node, run.card_gib) for node in hardware)
        is_shared = bool(on_cluster.get(workload.cluster, frozenset()) - {pool})
        sharing = Sharing(is_shared, float(contended_gpu_hours[place]))
        rows = worst_rows([fit_rows(pool, needs, node, sharing) for node in hardware])
        cost = premium = None
        if pool is Pool.INFERENCE:
            behind = [row for row in project.contracts if row.contract_id in {each.of for each in hardware}]
            per_month = workload.gpu_hours / month
            premium = interconnect_premium(behind, models[place], project.offers, per_month)
        if pool is Pool.TRAINING and several_nodes(needs):
            networks = tuple(node.network for node in hardware)
            cost = network_cost(workload, networks, usd_per_month[place], month, project.assumptions, run)
        light = worst_light(rows)
        fit = WorkloadFit(
            key=workload.key,
            pool=pool,
            gpu_model=model,
            light=light,
            rows=rows,
            needs=needs,
            hardware=hardware,
            sharing=sharing,
            active_hours=hours,
            network=cost,
            premium=premium,
        )
        if pool is Pool.TRAINING and needs["memory_gb_per_gpu"].source != RULE:
            needed[workload.key] = number_of(needs, "memory_gb_per_gpu")
        if model is not None and workload.milli_gpu_seconds and pool is not Pool.INFERENCE:
            size = number_of(needs, "parameters_billion")
            known = None if run is None or size is None else (size, run)
            month_of = workload.gpu_hours / month, usd_per_month[place]
            elsewhere = partial(other_hardware, workload, model, month_of, known, rates, tables)
            fit = replace(fit, elsewhere=elsewhere)
        fits.append(fit)
    ran_out = out_of_memory(project.jobs.runs, needed, memory_by_model(project, tables.gpu_models))
    return tuple(replace(fit, ran_out=ran_out[fit.key]) if fit.key in ran_out else fit for fit in fits)


def memory_by_model(project: Project, gpu_models: Sequence[GpuModel]) -> dict[str, float]:
    """GB of the GPU models of prices, contracts and the log, as far as it is known."""
    sold = {row.gpu_model for row in project.offers} | {contract.gpu_model for contract in project.contracts}
    stated = (name for name in {*project.cube.gpu_models, *sold} if name is not None)
    memory = {name: memory_of_model(name, gpu_models) for name in stated}
    return {name: gb for name, (gb, _) in memory.items() if gb}


def rows_in_pool(fit: WorkloadFit, workload: Workload, pool: Pool, planner: NeedsSet) -> tuple[FitRow, ...]:
    """What another pool than its class would ask of what a workload runs on today; shared clusters left out.

    Row by row the worst of the pieces of hardware that it runs on. planner: needs that the planner set for
    it.
    """
    needs = needs_of(workload, pool, fit.active_hours, planner)
    return worst_rows([fit_rows(pool, needs, node) for node in fit.hardware])


@dataclass(frozen=True, slots=True)
class OfferFit:
    """One workload on one offer. light None: no row of it has a light."""

    offer_id: str
    light: Light | None
    rows: tuple[FitRow, ...]


def offers_for(
    fit: WorkloadFit, offers: Sequence[Offer], mappings: Sequence[ModelMapping] = ()
) -> tuple[OfferFit, ...]:
    """A workload on every offer of its GPU model or of one mapped to it (on all where it is unknown), best first.

    As in the plan, an offer of the model that it runs on today is at worst amber for memory of training.
    """
    fits = []
    for offer in offers:
        if ratio_for(mappings, fit.gpu_model, offer.gpu_model, fit.pool) is not None:
            renews = fit.gpu_model == offer.gpu_model
            hardware = hardware_of_offer(offer)
            if renews:
                hardware = _usable(hardware, fit.hardware[0].usable_gb)
            rows = fit_rows(fit.pool, fit.needs, hardware, renews=renews)
            fits.append(OfferFit(offer.offer_id, worst_light(rows), rows))
    return tuple(sorted(fits, key=lambda fit: (-1 if fit.light is None else fit.light, fit.offer_id)))


def offers_by_light(
    fits: Sequence[WorkloadFit], offers: Sequence[Offer], mappings: Sequence[ModelMapping] = ()
) -> list[dict[Light | None, list[str]]]:
    """Ids of the offers by their light, for each workload in order; equal needs are looked at once.

    One mapping for each of `fits`, offers in the order of `offers_for`. None: nobody can tell.
    """
    known: dict[object, dict[Light | None, list[str]]] = {}
    answer = []
    for fit in fits:
        key = (fit.pool, fit.gpu_model, tuple((needed.value, needed.source) for needed in fit.needs.values()))
        if key not in known:
            by_light: dict[Light | None, list[str]] = {}
            for offer_fit in offers_for(fit, offers, mappings):
                by_light.setdefault(offer_fit.light, []).append(offer_fit.offer_id)
            known[key] = by_light
        answer.append(known[key])
    return answer


# --- Hardware fit of pools: how many workloads of each class have each light, row by row, and what they cost

Counts = Mapping[Light | None, int]
"""How many workloads have each light; None: unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolFit:
    """One class on what it runs on today. light: the worst of its workloads; None where none has one.

    by_need: of each row of the table; usd_per_month: what the workloads of each light cost, None where one's cost is
    unknown. Law: the counts add up to the workloads of the class.
    """

    pool: Pool
    light: Light | None
    workloads: Counts
    by_need: Mapping[str, Counts]
    usd_per_month: Mapping[Light | None, float | None]


def pool_fits(fits: Sequence[WorkloadFit], usd_per_month: Mapping[str, float | None]) -> tuple[PoolFit, ...]:
    """The classes that have workloads, in the order of POOLS. usd_per_month: of each workload today, by key.

    Units: $ a month. Classes without workloads are left out. Source: docs/formulas/hardware-fit.md.
    """
    return tuple(
        _pool_fit(pool, own, usd_per_month)
        for pool in POOLS
        if (own := [fit for fit in fits if fit.pool is pool])
    )


def _pool_fit(pool: Pool, fits: Sequence[WorkloadFit], usd: Mapping[str, float | None]) -> PoolFit:
    """Counts row by row and workload by workload; the $ of a light are None as soon as one of its workloads
    has none.
    """
    by_need: dict[str, dict[Light | None, int]] = {}
    for fit in fits:
        for row in fit.rows:
            _count(by_need.setdefault(row.need, {}), row.light)
    workloads: dict[Light | None, int] = {}
    for fit in fits:
        _count(workloads, fit.light)
    cost = {
        light: known_sum(usd.get(fit.key) for fit in fits if fit.light is light) for light in (*Light, None)
    }
    worst = max((light for light in workloads if light is not None), default=None)
    return PoolFit(pool=pool, light=worst, workloads=workloads, by_need=by_need, usd_per_month=cost)


def _count(counts: dict[Light | None, int], light: Light | None) -> None:
    counts[light] = counts.get(light, 0) + 1
