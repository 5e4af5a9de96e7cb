"""Rows of the hardware fit: each need of a workload beside one piece of hardware, with its light."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from gpuplanner.domain.fit import rules
from gpuplanner.domain.fit.hardware import Hardware
from gpuplanner.domain.fit.needs import (
    OF_MODEL,
    RULE,
    UNKNOWN,
    Needed,
    Needs,
    number_of,
    served_gb,
    several_nodes,
)
from gpuplanner.domain.fit.rules import Answer, Light
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.hardware_needs import NeedValue
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Sharing:
    """How a workload shares its cluster: with other classes at all, and its GPU-hours in contended hours.

    A contended hour: more demand than GPUs, while training and inference ran. The audit measures it.
    """

    is_shared: bool = False
    contended_gpu_hours: float = 0.0


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


def worst_light(rows: Sequence[FitRow]) -> Light | None:
    """The worst light of some rows; None where none has one.

    A row that nobody can judge (light None) does not count.
    """
    return max((row.light for row in rows if row.light is not None), default=None)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a rule looks at. sharing None: what is not bought yet is shared with nobody. renews: see rules.py."""

    needs: Needs
    hardware: Hardware
    sharing: Sharing | None
    renews: bool


def _row(
    need: str, answer: Answer | None, asked: _Asked, has: NeedValue, needed: Needed, holder: Text = ""
) -> FitRow:
    """One row of the table. answer None: nobody can tell; holder: who says what there is, where it is not the
    contract or offer.
    """
    light, reason = (None, "") if answer is None else answer
    source = holder or asked.hardware.contract_or_offer or worded("not stated")
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
    has, memory_holder = job_memory_gb(asked), asked.hardware.memory_source
    size = asked.needs["parameters_billion"]
    weights, whole = served_gb(asked.needs)
    if weights is None:
        return _row("model_memory", None, asked, has, Needed(None, UNKNOWN, size.note), memory_holder)
    is_measurable = has is not None or asked.hardware.memory_gb is None  # else the GPUs of a job are unknown
    if whole is not None:
        answer = rules.served_memory(whole, has) if is_measurable else None
        return _row("model_memory", answer, asked, has, Needed(whole, size.source, size.note), memory_holder)
    note = worded("without its KV cache")
    if size.note:
        note = worded("{note}, without its KV cache", note=size.note)
    answer = rules.served_memory(weights, has) if has is not None else None
    if answer is not None and answer[0] is Light.GREEN:
        answer = None  # with its KV cache it may be over: nobody knows
    return _row("model_memory", answer, asked, has, Needed(weights, size.source, note), memory_holder)


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
