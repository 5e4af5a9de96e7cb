"""Hardware fit of workloads: the rows of the traffic-light table on what each runs on today, and on an offer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.fit import rules
from gpuplanner.domain.fit.hardware import Hardware, HardwareToday, hardware_of_offer, main_models
from gpuplanner.domain.fit.needs import (
    RULE,
    UNKNOWN,
    Needed,
    Needs,
    needs_of,
    number_of,
    served_gb,
    several_nodes,
)
from gpuplanner.domain.fit.network import NetworkCost, network_cost
from gpuplanner.domain.fit.rules import Answer, Light
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.book.model_mapping import ModelMapping, ratio_for
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.log.cube import Cube
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.needs import NOTHING_SET, NeedsSet, NeedValue
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import GpuModel


@dataclass(frozen=True, slots=True)
class Sharing:
    """How a workload shares its cluster: with other classes at all, and its GPU-hours in contended hours.

    A contended hour: more demand than GPUs, while training and inference ran. The audit measures it.
    """

    is_shared: bool = False
    contended_gpu_hours: float = 0.0


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class WorkloadFit:
    """One workload on what it runs on today. light: the worst of its rows; None where no row has one.

    pool: its class, whose rows these are. active_hours: of the window, in which it held GPUs.
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

    @property
    def reasons(self) -> Message:
        """What is not green, the worst first: `Memory per GPU: 80 GB is under 141 GB; ...`.

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
    return FitRow(need, light, has, needed.value, needed.source, needed.source_words, source, reason)


def _memory(asked: _Asked) -> FitRow:
    """The default wish of training is the rule's own, with its least; only a need from the planner is passed
    on as a number.
    """
    needed, has = asked.needs["memory_gb_per_gpu"], asked.hardware.memory_gb
    own = None if needed.source == RULE else number_of(asked.needs, "memory_gb_per_gpu")
    answer = rules.training_memory(has, own, renews=asked.renews)
    return _row("memory", answer, asked, has, needed, asked.hardware.memory_source)


def _interconnect(asked: _Asked) -> FitRow:
    """A need that comes of the class is the rule's own; only what the planner set is passed on."""
    needed, has = asked.needs["interconnect"], asked.hardware.interconnect
    own = None if needed.source == RULE or needed.value is None else str(needed.value)
    answer = rules.training_interconnect(has, several_nodes=several_nodes(asked.needs), needs=own)
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
    has = (
        worded("contended")
        if sharing.contended_gpu_hours > 0
        else worded("shared")
        if sharing.is_shared
        else worded("own")
    )
    return _row("own_cluster", answer, asked, has, needed, worded("the log"))


def _model_memory(asked: _Asked) -> FitRow:
    """Weights and KV cache where both are known. Without the cache a red or amber light is certain, a green
    one is not.
    """
    has, of = _memory_of_job(asked), asked.hardware.memory_source
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


def _memory_of_job(asked: _Asked) -> float | None:
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
"""The rows of a class, in the order of docs/formulas.md, Hardware fit."""


def fit_rows(
    pool: Pool, needs: Needs, hardware: Hardware, sharing: Sharing | None = None, *, renews: bool = False
) -> tuple[FitRow, ...]:
    """The rows of one class on one piece of hardware; without `sharing` the row of a shared cluster is left out.

    Rows come in the order of WORKLOAD_RULES. renews: the workload runs on this GPU model today, so that
    memory of training is at worst amber.
    Source: docs/formulas.md, Hardware fit.
    """
    asked = _Asked(needs, hardware, sharing, renews)
    rows = (rule(asked) for rule in WORKLOAD_RULES[pool])
    return tuple(row for row in rows if row is not None)


def _worst_rows(every: Sequence[tuple[FitRow, ...]]) -> tuple[FitRow, ...]:
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
    found: dict[str, set[Pool]] = {}
    for workload, pool in zip(project.workloads, classes, strict=True):
        if workload.milli_gpu_seconds:
            found.setdefault(workload.cluster, set()).add(pool)
    return {cluster: frozenset(pools) for cluster, pools in found.items()}


def fit_workloads(
    project: Project,
    classes: Sequence[Pool],
    contended_gpu_hours: Sequence[float],
    usd_per_month: Sequence[float | None],
    gpu_models: tuple[GpuModel, ...],
) -> tuple[WorkloadFit, ...]:
    """Every workload on what it runs on today, in the order of Project.workloads.

    classes, contended_gpu_hours (in the window, of training beside inference), usd_per_month: one per workload, as
    the audit found them. Source: docs/formulas.md, Hardware fit.
    """
    today, models = HardwareToday(project, gpu_models), main_models(project)
    active = active_hours(project.cube, len(project.workloads)).tolist()
    on_cluster = shared_clusters(project, classes)
    fits = []
    for place, (workload, pool) in enumerate(zip(project.workloads, classes, strict=True)):
        hours, planner = float(active[place]), project.needs.get(workload.key, NOTHING_SET)
        needs = needs_of(workload, pool, hours, planner)
        hardware = today.of(workload.cluster, models[place])
        is_shared = bool(on_cluster.get(workload.cluster, frozenset()) - {pool})
        sharing = Sharing(is_shared, float(contended_gpu_hours[place]))
        rows = _worst_rows([fit_rows(pool, needs, one, sharing) for one in hardware])
        cost = None
        if pool is Pool.TRAINING and several_nodes(needs):
            networks = tuple(one.interconnect for one in hardware)
            month = project.window.months
            cost = network_cost(workload, networks, usd_per_month[place], month, project.assumptions)
        light = worst_light(rows)
        fits.append(
            WorkloadFit(workload.key, pool, models[place], light, rows, needs, hardware, sharing, hours, cost)
        )
    return tuple(fits)


def rows_in_pool(
    fit: WorkloadFit, workload: Workload, pool: Pool, planner: NeedsSet = NOTHING_SET
) -> tuple[FitRow, ...]:
    """What another pool than its class would ask of what a workload runs on today; shared clusters left out.

    Row by row the worst of the pieces of hardware that it runs on. planner: needs that the planner set for
    it.
    """
    needs = needs_of(workload, pool, fit.active_hours, planner)
    return _worst_rows([fit_rows(pool, needs, one) for one in fit.hardware])


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
    found = []
    for offer in offers:
        if ratio_for(mappings, fit.gpu_model, offer.gpu_model) is not None:
            renews = fit.gpu_model == offer.gpu_model
            rows = fit_rows(fit.pool, fit.needs, hardware_of_offer(offer), renews=renews)
            found.append(OfferFit(offer.offer_id, worst_light(rows), rows))
    return tuple(sorted(found, key=lambda one: (-1 if one.light is None else one.light, one.offer_id)))


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
            found: dict[Light | None, list[str]] = {}
            for one in offers_for(fit, offers, mappings):
                found.setdefault(one.light, []).append(one.offer_id)
            known[key] = found
        answer.append(known[key])
    return answer
