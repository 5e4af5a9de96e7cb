"""Traces of leaks: GPU-hours and $ of one leak by workload and contract, and the list's total, counted once."""

from collections.abc import Callable, Sequence
from typing import Final

from gpuplanner.domain.audit.evidence.audit_evidence import Evidence
from gpuplanner.domain.audit.evidence.trace import JOBS, Adds, Amount, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.leaks.leak_list import total_of
from gpuplanner.domain.audit.leaks.leak_rules import LEAK_RULES
from gpuplanner.domain.audit.leaks.leak_words import leak_called
from gpuplanner.domain.audit.leaks.worth import dismissed_leaks
from gpuplanner.domain.audit.result import Leak, LeakPart
from gpuplanner.domain.figures.leak import COUNTED_ONCE, LEAK, TOTALS
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Text, joined, worded

PART_KEYS: Final = ("gpu_hours", "gpu_hours_per_month", "rate", "leaked_per_month")
TOTAL_KEYS: Final = (
    "gpu_hours_per_month",
    "leaked_per_month",
    "counted_gpu_hours_per_month",
    "counted_per_month",
)


def of_leak(key: str) -> Callable[[Evidence, str, str], Trace]:
    """What explains a figure of one leak that is a sum over its parts."""

    def answer(evidence: Evidence, scope: str, leak_id: str) -> Trace:
        return _of_parts(evidence, leak_of(evidence, leak_id), key)

    return answer


def of_leaks(kind: str, key: str) -> Callable[[Evidence, str, str], Trace]:
    """What explains what all leaks count, or those of them of a kind in TOTALS. key: counted hours or $ a month."""

    def answer(evidence: Evidence, scope: str, subject: str) -> Trace:
        gone = dismissed_leaks(evidence.project)
        leaks = [
            one
            for one in evidence.audit.leaks
            if kind == "leaks" or (one.leak_id in gone) is (kind == "leaks_dismissed")
        ]
        return _of_leaks(evidence, kind, key, leaks)

    return answer


def leak_of(evidence: Evidence, leak_id: str) -> Leak:
    """The leak of an id. Errors: StopIteration."""
    return next(one for one in evidence.audit.leaks if one.leak_id == leak_id)


def column_of(key: str, title: Text = "") -> TraceColumn:
    """A column of a figure of leaks. title: what it is called here."""
    one = LEAK[key]
    return TraceColumn(joined((title, one.unit.label), "\n") if title else one.heading("\n"), one.unit.key)


def _of_parts(evidence: Evidence, leak: Leak, key: str) -> Trace:
    """One figure of a leak, from the parts that it is the sum of."""
    one, rule = LEAK[key], LEAK_RULES[leak.code]
    value = getattr(leak, key)
    is_money = one.unit.key == "usd"
    parts = sorted(leak.parts, key=lambda part: -(part.leaked_per_month or 0.0))
    return Trace(
        figure(one.why, leak.leak_id),
        leak_called(leak),
        value,
        one.unit.key,
        one.unit.per,
        worded("$ per month = {formula} \u00f7 months in the window", formula=rule.formula)
        if is_money
        else worded("GPU-h per month = leaked GPU-hours \u00f7 months in the window"),
        (
            Amount(leak.gpu_hours, "gpu_hours"),
            worded(" GPU-h in the window"),
            *((" \u00d7 ", Amount(leak.average_rate, "rate"), worded(" per GPU-h")) if is_money else ()),
            worded(" \u00f7 {months} months = ", months=significant(evidence.months, 4)),
            Amount(value, one.unit.key),
        ),
        (
            TraceColumn(worded("All of it, GPU-h\nin the window"), "gpu_hours"),
            *(column_of(name, rule.rate if name == "rate" else "") for name in PART_KEYS),
        ),
        tuple(_part_row(evidence, part) for part in parts),
        Adds(1 + PART_KEYS.index(key)),
        joined((rule.words, leak.action), " "),
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


def _of_leaks(evidence: Evidence, kind: str, key: str, leaks: Sequence[Leak]) -> Trace:
    """What some leaks count; of dismissed ones as it is taken off."""
    one, is_less = LEAK[key], kind == "leaks_dismissed"
    is_money = one.unit.key == "usd"
    value = _signed(getattr(total_of(leaks, evidence.months), key), is_less)
    opened = LEAK["leaked_per_month" if is_money else "gpu_hours_per_month"]
    return Trace(
        figure(kind if is_money else f"{kind}_hours"),
        TOTALS[kind],
        value,
        one.unit.key,
        one.unit.per,
        worded("Total = \u03a3 over leaks of what each adds that no leak before it has"),
        (worded("{rows} leaks: ", rows=whole(len(leaks))), Amount(value, one.unit.key)),
        tuple(column_of(name) for name in TOTAL_KEYS),
        tuple(
            TraceRow(
                leak_called(leak),
                tuple(
                    _signed(getattr(leak, name), is_less and name.startswith("counted"))
                    for name in TOTAL_KEYS
                ),
                figure(opened.why, leak.leak_id),
            )
            for leak in leaks
        ),
        Adds(TOTAL_KEYS.index(key)),
        COUNTED_ONCE,
    )


def _signed(value: float | None, is_less: bool) -> float | None:
    """What is taken off stands with a minus."""
    return -value if is_less and value is not None else value
