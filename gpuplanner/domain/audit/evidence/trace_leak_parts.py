"""Traces of what a leak consists of, part by part, in the whole figures that its sheet writes; and of its sums."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from gpuplanner.domain.audit.evidence.audit_evidence import Evidence
from gpuplanner.domain.audit.evidence.trace import JOBS, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import Number, product, read, summed
from gpuplanner.domain.audit.leaks.leak_list import COUNTED_ONCE
from gpuplanner.domain.audit.leaks.leak_words import LEAK_KINDS, leak_called
from gpuplanner.domain.audit.result import Leak, LeakPart
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.worded import worded

HOURS, USD, COUNTED_HOURS, COUNTED_USD = "hours", "usd", "counted_hours", "counted_usd"
COLUMNS: Final = (HOURS, USD, COUNTED_HOURS, COUNTED_USD)
_OF_PART: Final[dict[str, Callable[[LeakPart], float | None]]] = {
    HOURS: lambda part: part.gpu_hours,
    USD: lambda part: part.usd_per_month,
    COUNTED_HOURS: lambda part: part.counted_gpu_hours,
    COUNTED_USD: lambda part: part.counted_usd_per_month,
}
_OF_LEAK: Final[dict[str, Callable[[Leak], float | None]]] = {
    HOURS: lambda leak: leak.gpu_hours,
    USD: lambda leak: leak.usd_per_month,
    COUNTED_HOURS: lambda leak: leak.counted_gpu_hours,
    COUNTED_USD: lambda leak: leak.counted_usd_per_month,
}
TITLES: Final = {
    HOURS: worded("GPU-hours in the window"),
    USD: worded("$ per month"),
    COUNTED_HOURS: worded("Counted GPU-hours in the window"),
    COUNTED_USD: worded("Counted $ per month"),
}
NOT_COUNTED_YET: Final = worded("GPU-hours that no leak above has counted \u00d7 rate")


def parts_most_expensive_first(leak: Leak) -> list[LeakPart]:
    """The parts in the order in which the sheet lists them."""
    return sorted(leak.parts, key=lambda part: (part.usd_per_month is None, -(part.usd_per_month or 0.0)))


def whole_parts(leak: Leak, column: str) -> list[int | None]:
    """One column of the sheet in whole figures that add up to the rounded total, in the order of the sheet."""
    values = [_OF_PART[column](part) for part in parts_most_expensive_first(leak)]
    return largest_remainder(values, _OF_LEAK[column](leak))


def part_subject(leak: Leak, part: LeakPart) -> str:
    """What tells one part of one leak."""
    return f"{leak.leak_id}\t{part.id}"


def _leak(evidence: Evidence, leak_id: str) -> Leak:
    return next(one for one in evidence.audit.leaks if one.leak_id == leak_id)


def _name(evidence: Evidence, part: LeakPart) -> str:
    if part.kind != "workload":
        return part.id
    return evidence.names[part.id]


def leak_sum(evidence: Evidence, column: str, leak_id: str) -> Trace:
    """A column of one leak, all its parts together."""
    leak = _leak(evidence, leak_id)
    is_usd = column in (USD, COUNTED_USD)
    rows = [
        TraceRow(
            _name(evidence, part),
            (_OF_PART[column](part),),
            figure("leak_part", part_subject(leak, part), column),
        )
        for part in parts_most_expensive_first(leak)
    ]
    is_workload = bool(leak.parts) and leak.parts[0].kind == "workload"
    return summed(
        figure("leak_sum", leak_id, column),
        worded("{leak}: {column}", leak=leak_called(leak), column=TITLES[column]),
        _OF_LEAK[column](leak),
        "usd" if is_usd else "gpu_hours",
        worded("{column} = \u03a3 over the workloads behind the leak", column=TITLES[column])
        if is_workload
        else worded("{column} = \u03a3 over the contracts behind the leak", column=TITLES[column]),
        rows,
        note=COUNTED_ONCE if column in (COUNTED_HOURS, COUNTED_USD) else LEAK_KINDS[leak.code].rule,
    )


def leak_part(evidence: Evidence, column: str, subject: str) -> Trace:
    """A column of one part of a leak."""
    leak_id, part_id = subject.split("\t", 1)
    leak = _leak(evidence, leak_id)
    parts = parts_most_expensive_first(leak)
    at = next(at for at, part in enumerate(parts) if part.id == part_id)
    part, written = parts[at], whole_parts(leak, column)[at]
    found = _OF_COLUMN[column](evidence, leak, part)
    found = replace(found, figure_id=figure("leak_part", subject, column))
    if written is None or found.value is None or written == round(found.value):
        return found
    rows = (
        TraceRow(_right_side(leak, column) or found.title, (found.value,), _first_opens(found)),
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


def _right_side(leak: Leak, column: str) -> str:
    """What a column of a part is, behind the equals sign of its formula; "" where that has none."""
    if column == HOURS:
        return ""
    if column == COUNTED_HOURS:
        return worded("leaked GPU-hours \u2212 those that a leak above it has counted")
    formula = LEAK_KINDS[leak.code].formula if column == USD else NOT_COUNTED_YET
    return worded("{formula} \u00f7 months in the window", formula=formula)


def _first_opens(trace: Trace) -> str:
    return next((row.opens for row in trace.rows if row.opens), "")


def _title(evidence: Evidence, part: LeakPart, column: str) -> str:
    return worded("{column} of {name}", column=TITLES[column], name=_name(evidence, part))


def _hours(evidence: Evidence, leak: Leak, part: LeakPart) -> Trace:
    """Leaked GPU-hours of a part: of all its GPU-hours, those that the rule of the leak is about."""
    is_workload = part.kind == "workload"
    opens = figure(JOBS, part.id) if is_workload else figure("contract_idle_hours", part.id)
    source = (
        worded("the job log: what the rule is about")
        if is_workload
        else worded("what the contract paid and nobody used")
    )
    return read(
        "",
        _title(evidence, part, HOURS),
        part.gpu_hours,
        "gpu_hours",
        source,
        opens=opens,
        note=LEAK_KINDS[leak.code].rule,
        words=worded("GPU-hours of its jobs that the rule is about")
        if is_workload
        else worded("GPU-hours that the rule is about"),
    )


def _usd(evidence: Evidence, leak: Leak, part: LeakPart) -> Trace:
    """$ a month of a part: its leaked GPU-hours at their rate, over the months of the window."""
    return _priced(evidence, part, USD, part.gpu_hours, part.usd_per_month, LEAK_KINDS[leak.code].formula)


def _counted_usd(evidence: Evidence, leak: Leak, part: LeakPart) -> Trace:
    """$ a month of what no leak above has counted."""
    hours, usd = part.counted_gpu_hours, part.counted_usd_per_month
    return _priced(evidence, part, COUNTED_USD, hours, usd, NOT_COUNTED_YET)


def _priced(
    evidence: Evidence, part: LeakPart, column: str, hours: float, usd: Number, formula: str
) -> Trace:
    per_month = hours / evidence.months
    rate = None if usd is None or not per_month else usd / per_month
    return product(
        "",
        _title(evidence, part, column),
        usd,
        "usd",
        worded("$ per month = {formula} \u00f7 months in the window", formula=formula),
        (
            (
                worded("GPU-hours in the window \u00f7 {months} months", months=f"{evidence.months:.4g}"),
                per_month,
                "gpu_hours",
            ),
            (worded("$ per GPU-hour"), 0.0 if rate is None and usd is not None else rate, "exact"),
        ),
        said_as=worded("per month"),
    )


def _counted_hours(evidence: Evidence, leak: Leak, part: LeakPart) -> Trace:
    """GPU-hours of a part less those that a leak above has counted."""
    rows = (
        TraceRow(worded("Leaked"), (part.gpu_hours,), figure("leak_part", part_subject(leak, part), HOURS)),
        TraceRow(worded("Less: counted in a leak above it"), (part.counted_gpu_hours - part.gpu_hours,)),
    )
    words = worded("Counted = leaked GPU-hours \u2212 those that a leak above it has counted")
    title, value = _title(evidence, part, COUNTED_HOURS), part.counted_gpu_hours
    return summed("", title, value, "gpu_hours", words, rows, columns=(TraceColumn("GPU-h", "gpu_hours"),))


_OF_COLUMN: Final[dict[str, Callable[[Evidence, Leak, LeakPart], Trace]]] = {
    HOURS: _hours,
    USD: _usd,
    COUNTED_HOURS: _counted_hours,
    COUNTED_USD: _counted_usd,
}
