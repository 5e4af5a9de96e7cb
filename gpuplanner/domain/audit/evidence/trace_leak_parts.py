"""Traces of what a leak consists of, part by part, in the whole figures that its sheet writes; and of its sums."""

from dataclasses import replace
from typing import Final

from gpuplanner.domain.audit.evidence.audit_evidence import Evidence
from gpuplanner.domain.audit.evidence.explained import Inputs, explained, in_words, quantity_of
from gpuplanner.domain.audit.evidence.trace import JOBS, Trace, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import read, summed
from gpuplanner.domain.audit.evidence.trace_leaks import leak_of
from gpuplanner.domain.audit.leaks.leak_rules import LEAK_RULES
from gpuplanner.domain.audit.leaks.leak_words import leak_called
from gpuplanner.domain.audit.result import Leak, LeakPart
from gpuplanner.domain.figures.leak import LEAK
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import largest_remainder

PART_COLUMNS: Final = ("gpu_hours", "leaked_per_month", "counted_gpu_hours", "counted_per_month")
"""The figures that the sheet of a leak shows of each part, by key."""


def parts_most_expensive_first(leak: Leak) -> list[LeakPart]:
    """The parts in the order in which the sheet lists them."""
    return sorted(
        leak.parts, key=lambda part: (part.leaked_per_month is None, -(part.leaked_per_month or 0.0))
    )


def whole_parts(leak: Leak, key: str) -> list[int | None]:
    """One column of the sheet in whole figures that add up to the rounded total, in the order of the sheet."""
    return largest_remainder(
        [getattr(part, key) for part in parts_most_expensive_first(leak)], getattr(leak, key)
    )


def part_subject(leak: Leak, part: LeakPart) -> str:
    """What tells one part of one leak."""
    return f"{leak.leak_id}\t{part.id}"


def leak_sum(evidence: Evidence, key: str, leak_id: str) -> Trace:
    """A column of one leak, all its parts together."""
    leak, one = leak_of(evidence, leak_id), LEAK[key]
    title = one.heading(", ")
    rows = [
        TraceRow(
            _name(evidence, part), (getattr(part, key),), figure("leak_part", part_subject(leak, part), key)
        )
        for part in parts_most_expensive_first(leak)
    ]
    rule = LEAK_RULES[leak.code]
    return summed(
        figure("leak_sum", leak_id, key),
        worded("{leak}: {column}", leak=leak_called(leak), column=title),
        getattr(leak, key),
        one.unit.key,
        worded("{column} = \u03a3 over the workloads behind the leak", column=title)
        if rule.claims == "workload"
        else worded("{column} = \u03a3 over the contracts behind the leak", column=title),
        rows,
        note=one.note or rule.words,
    )


def leak_part(evidence: Evidence, key: str, subject: str) -> Trace:
    """A column of one part of a leak, as its sheet writes it."""
    leak_id, part_id = subject.split("\t", 1)
    leak = leak_of(evidence, leak_id)
    parts = parts_most_expensive_first(leak)
    at = next(at for at, part in enumerate(parts) if part.id == part_id)
    written, row = whole_parts(leak, key)[at], _inputs(evidence, leak, parts[at])
    is_read = LEAK[key].formula is None
    found = (
        _read(evidence, leak, parts[at], key)
        if is_read
        else explained(LEAK, key, row, LEAK[key].note or LEAK_RULES[leak.code].words)
    )
    found = replace(found, figure_id=figure("leak_part", subject, key))
    if written is None or found.value is None or written == round(found.value):
        return found
    reached = found.title if is_read else in_words(quantity_of(LEAK, key, row))
    opens = next((one.opens for one in found.rows if one.opens), "")
    rows = (
        TraceRow(reached, (found.value,), opens),
        TraceRow(worded("Rounded so that the parts add up to the leak"), (written - found.value,)),
    )
    return summed(
        found.figure_id,
        found.title,
        written,
        found.unit,
        found.words,
        rows,
        said_as=found.said_as,
        note=found.note,
    )


def _name(evidence: Evidence, part: LeakPart) -> Text:
    return evidence.names[part.id] if part.kind == "workload" else part.id


def _inputs(evidence: Evidence, leak: Leak, part: LeakPart) -> Inputs:
    """What the figures of a part were worked out from; what has a column of its own leads there."""
    subject, rate = part_subject(leak, part), LEAK_RULES[leak.code].rate
    return Inputs(
        {
            "gpu_hours": part.gpu_hours,
            "rate": part.rate,
            "left_gpu_hours": part.left_gpu_hours,
            "months": evidence.months,
            "counted_gpu_hours": part.counted_gpu_hours,
        },
        subject,
        title=_name(evidence, part),
        labels={"rate": rate} if rate else {},
        opens={key: figure("leak_part", subject, key) for key in ("gpu_hours", "counted_gpu_hours")},
    )


def _read(evidence: Evidence, leak: Leak, part: LeakPart, key: str) -> Trace:
    """Leaked GPU-hours of a part: of all its GPU-hours, those that the rule of the leak is about."""
    is_workload = part.kind == "workload"
    return read(
        "",
        worded("{column} of {name}", column=LEAK[key].heading(", "), name=_name(evidence, part)),
        getattr(part, key),
        LEAK[key].unit.key,
        worded("the job log: what the rule is about")
        if is_workload
        else worded("what the contract paid and nobody used"),
        opens=figure(JOBS, part.id) if is_workload else figure("contract_idle_hours", part.id),
        note=LEAK_RULES[leak.code].words,
        words=worded("GPU-hours of its jobs that the rule is about")
        if is_workload
        else worded("GPU-hours that the rule is about"),
    )
