"""Answers about leaks: GPU-hours and $ of one by its parts, of a part as its sheet writes it, and of all, once."""

from typing import Final

from gpuplanner.domain.audit.leak_list import LEAK_RULES, dismissed_leaks, leak_called, total_of
from gpuplanner.domain.audit.result import Leak, LeakPart
from gpuplanner.domain.evidence.answering import Answers, Inputs, explained, in_words, quantity_of
from gpuplanner.domain.evidence.audit_evidence import Evidence
from gpuplanner.domain.evidence.trace import (
    JOBS,
    Adds,
    Amount,
    Trace,
    TraceColumn,
    TraceRow,
    figure,
    less,
    listed,
    read,
    summed,
)
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.leak import COUNTED_ONCE, LEAK, TOTALS
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.lazy_dataclass import replace

WHY: Final = Answers[Evidence]()
PART_KEYS: Final = ("gpu_hours", "gpu_hours_per_month", "rate", "leaked_per_month")
TOTAL_KEYS: Final = (
    "gpu_hours_per_month",
    "leaked_per_month",
    "counted_gpu_hours_per_month",
    "counted_per_month",
)
PART_COLUMNS: Final = ("gpu_hours", "leaked_per_month", "counted_gpu_hours", "counted_per_month")
"""The figures that the sheet of a leak shows of each part, by key."""


def leak_of(evidence: Evidence, leak_id: str) -> Leak:
    """The leak of an id. Errors: StopIteration."""
    return next(leak for leak in evidence.audit.leaks if leak.leak_id == leak_id)


def column_of(key: str, title: Text = "") -> TraceColumn:
    """A column of a figure of leaks. title: what it is called here."""
    asked = LEAK[key]
    return TraceColumn(
        joined((title, asked.unit.label), "\n") if title else asked.heading("\n"), asked.unit.key
    )


@WHY.gives_each({LEAK[key].why: LEAK[key] for key in ("leaked_per_month", "gpu_hours_per_month")})
def of_leak(asked: Figure, evidence: Evidence, scope: str, leak_id: str) -> Trace:
    """One figure of a leak, from the parts that it is the sum of."""
    leak = leak_of(evidence, leak_id)
    rule, value = LEAK_RULES[leak.code], getattr(leak, asked.key)
    is_money = asked.unit.key == "usd"
    parts = sorted(leak.parts, key=lambda part: -(part.leaked_per_month or 0.0))
    return listed(
        leak_called(leak),
        value,
        asked.unit,
        worded("$ per month = {formula} \u00f7 months in the window", formula=rule.formula)
        if is_money
        else worded("GPU-h per month = leaked GPU-hours \u00f7 months in the window"),
        tuple(_part_row(evidence, part) for part in parts),
        (
            TraceColumn(worded("All of it, GPU-h\nin the window"), "gpu_hours"),
            *(column_of(name, rule.rate if name == "rate" else "") for name in PART_KEYS),
        ),
        Adds(1 + PART_KEYS.index(asked.key)),
        symbols=(
            Amount(leak.gpu_hours, "gpu_hours"),
            worded(" GPU-h in the window"),
            *((" \u00d7 ", Amount(leak.average_rate, "rate"), worded(" per GPU-h")) if is_money else ()),
            worded(" \u00f7 {months} months = ", months=significant(evidence.months, 4)),
            Amount(value, asked.unit.key),
        ),
        note=joined((rule.words, leak.action), " "),
    )


def _part_row(evidence: Evidence, part: LeakPart) -> TraceRow:
    """A part beside all that its workload ran, or its contract idled."""
    if part.kind == "workload":
        workload = evidence.project.workloads[evidence.place_of[part.id]]
        name, every, opens = evidence.names[workload.key], workload.gpu_hours, figure(JOBS, workload.key)
    else:
        name, every = worded("{id}, idle", id=part.id), evidence.past.idle_gpu_hours[part.id]
        opens = figure("contract_idle_hours", part.id)
    return TraceRow(name, (every, *(getattr(part, key) for key in PART_KEYS)), opens)


@WHY.gives_each(
    {kind: (kind, "counted_per_month") for kind in TOTALS}
    | {f"{kind}_hours": (kind, "counted_gpu_hours_per_month") for kind in TOTALS}
)
def of_leaks(of: tuple[str, str], evidence: Evidence, scope: str, subject: str) -> Trace:
    """What all leaks count, or those of a kind in TOTALS, hours or $ a month; of dismissed ones as taken off."""
    (kind, key), gone = of, dismissed_leaks(evidence.project)
    asked, is_less = LEAK[key], kind == "leaks_dismissed"
    leaks = [leak for leak in evidence.audit.leaks if kind == "leaks" or (leak.leak_id in gone) is is_less]
    value = getattr(total_of(leaks, evidence.months), key)
    amount = Amount(less(value) if is_less else value, asked.unit.key)
    opened = LEAK["leaked_per_month" if asked.unit.key == "usd" else "gpu_hours_per_month"]
    rows = []
    for leak in leaks:
        values = (
            less(getattr(leak, name)) if is_less and name.startswith("counted") else getattr(leak, name)
            for name in TOTAL_KEYS
        )
        rows.append(TraceRow(leak_called(leak), tuple(values), figure(opened.why, leak.leak_id)))
    return listed(
        TOTALS[kind],
        amount.value,
        asked.unit,
        worded("Total = \u03a3 over leaks of what each adds that no leak before it has"),
        rows,
        tuple(column_of(name) for name in TOTAL_KEYS),
        Adds(TOTAL_KEYS.index(key)),
        symbols=(worded("{rows} leaks: ", rows=whole(len(leaks))), amount),
        note=COUNTED_ONCE,
    )


# The sheet of a leak, in the whole figures that it writes


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


@WHY.gives("leak_sum")
def leak_sum(evidence: Evidence, key: str, leak_id: str) -> Trace:
    """A column of one leak, all its parts together."""
    leak, asked = leak_of(evidence, leak_id), LEAK[key]
    title, rule = asked.heading(", "), LEAK_RULES[leak.code]
    rows = []
    for part in parts_most_expensive_first(leak):
        opens = figure("leak_part", part_subject(leak, part), key)
        rows.append(TraceRow(_name(evidence, part), (getattr(part, key),), opens))
    if rule.claims == "workload":
        words = worded("{column} = \u03a3 over the workloads behind the leak", column=title)
    else:
        words = worded("{column} = \u03a3 over the contracts behind the leak", column=title)
    called = worded("{leak}: {column}", leak=leak_called(leak), column=title)
    return summed(called, getattr(leak, key), asked.unit.key, words, rows, note=asked.note or rule.words)


@WHY.gives("leak_part")
def leak_part(evidence: Evidence, key: str, subject: str) -> Trace:
    """A column of one part of a leak, as its sheet writes it."""
    leak_id, part_id = subject.split("\t", 1)
    leak = leak_of(evidence, leak_id)
    parts = parts_most_expensive_first(leak)
    at = next(at for at, part in enumerate(parts) if part.id == part_id)
    written, row = whole_parts(leak, key)[at], _inputs(evidence, leak, parts[at])
    is_read = LEAK[key].formula is None
    reason = _read(evidence, leak, parts[at], key) if is_read else explained(LEAK, key, row)
    if not is_read and not LEAK[key].note:
        reason = replace(reason, note=LEAK_RULES[leak.code].words)
    if written is None or reason.value is None or written == round(reason.value):
        return reason
    reached = reason.title if is_read else in_words(quantity_of(LEAK, key, row))
    rows = (
        TraceRow(reached, (reason.value,), next((line.opens for line in reason.rows if line.opens), "")),
        TraceRow(worded("Rounded so that the parts add up to the leak"), (written - reason.value,)),
    )
    said_as, note = reason.said_as, reason.note
    return summed(reason.title, written, reason.unit, reason.words, rows, said_as=said_as, note=note)


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
    asked, is_workload = LEAK[key], part.kind == "workload"
    return read(
        worded("{column} of {name}", column=asked.heading(", "), name=_name(evidence, part)),
        getattr(part, key),
        asked.unit.key,
        worded("the job log: what the rule is about")
        if is_workload
        else worded("what the contract paid and nobody used"),
        opens=figure(JOBS if is_workload else "contract_idle_hours", part.id),
        note=LEAK_RULES[leak.code].words,
        words=worded("GPU-hours of its jobs that the rule is about")
        if is_workload
        else worded("GPU-hours that the rule is about"),
    )
