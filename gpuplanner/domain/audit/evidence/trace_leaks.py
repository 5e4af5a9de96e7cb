"""Traces of leaks: GPU-hours and $ of one leak by workload and contract, and the list's total, counted once."""

from collections.abc import Sequence

from gpuplanner.domain.audit.evidence.audit_evidence import Evidence
from gpuplanner.domain.audit.evidence.trace import JOBS, Adds, Amount, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_money import DOLLARS, RATE
from gpuplanner.domain.audit.leaks.leak_list import COUNTED_ONCE
from gpuplanner.domain.audit.leaks.leak_words import LEAK_KINDS, leak_called
from gpuplanner.domain.audit.leaks.worth import dismissed_leaks
from gpuplanner.domain.audit.result import Leak, LeakPart
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.worded import worded

PER_MONTH = TraceColumn(worded("GPU-h\nper month"), "gpu_hours")
PART_COLUMNS = (
    TraceColumn(worded("All of it, GPU-h\nin the window"), "gpu_hours"),
    TraceColumn(worded("Leaked, GPU-h\nin the window"), "gpu_hours"),
    PER_MONTH,
    RATE,
    DOLLARS,
)
TOTAL_COLUMNS = (
    TraceColumn(worded("Leak, GPU-h\nper month"), "gpu_hours"),
    TraceColumn(worded("Leak\n$ per month"), "usd"),
    TraceColumn(worded("Counted, GPU-h\nper month"), "gpu_hours"),
    TraceColumn(worded("Counted\n$ per month"), "usd"),
)
HOURS_AT, RATE_AT, DOLLARS_AT = 2, 3, 4
TOTAL_HOURS_AT, TOTAL_DOLLARS_AT = 2, 3


def leak(evidence: Evidence, scope: str, leak_id: str) -> Trace:
    """$ a month of one leak, by what it consists of."""
    found = _leak(evidence, leak_id)
    return _of_parts(evidence, found, "leak", found.usd_per_month, DOLLARS_AT)


def leak_hours(evidence: Evidence, scope: str, leak_id: str) -> Trace:
    """GPU-hours a month of one leak, by what it consists of."""
    found = _leak(evidence, leak_id)
    return _of_parts(evidence, found, "leak_hours", found.gpu_hours / evidence.months, HOURS_AT)


def total(evidence: Evidence, scope: str, subject: str) -> Trace:
    """$ a month of all leaks, every GPU-hour counted once."""
    return _of_leaks(evidence, "leaks", evidence.audit.leaks, True)


def total_hours(evidence: Evidence, scope: str, subject: str) -> Trace:
    """GPU-hours a month of all leaks, every one counted once."""
    return _of_leaks(evidence, "leaks_hours", evidence.audit.leaks, False)


def worth(evidence: Evidence, scope: str, subject: str) -> Trace:
    """$ a month of the leaks that no plan dismissed."""
    return _of_leaks(evidence, "worth", _chosen(evidence, False), True)


def worth_hours(evidence: Evidence, scope: str, subject: str) -> Trace:
    """GPU-hours a month of the leaks that no plan dismissed."""
    return _of_leaks(evidence, "worth_hours", _chosen(evidence, False), False)


def dismissed(evidence: Evidence, scope: str, subject: str) -> Trace:
    """$ a month of the leaks that some plan dismissed, as they are taken off."""
    return _of_leaks(evidence, "leaks_dismissed", _chosen(evidence, True), True, -1)


def dismissed_hours(evidence: Evidence, scope: str, subject: str) -> Trace:
    """GPU-hours a month of the leaks that some plan dismissed, as they are taken off."""
    return _of_leaks(evidence, "leaks_dismissed_hours", _chosen(evidence, True), False, -1)


TITLES = {
    "leaks": worded("Leaks, each GPU-hour once"),
    "worth": worded("Worth acting on"),
    "leaks_dismissed": worded("Dismissed"),
}


def _chosen(evidence: Evidence, is_dismissed: bool) -> list[Leak]:
    gone = dismissed_leaks(evidence.project)
    return [one for one in evidence.audit.leaks if (one.leak_id in gone) is is_dismissed]


def _leak(evidence: Evidence, leak_id: str) -> Leak:
    return next(one for one in evidence.audit.leaks if one.leak_id == leak_id)


def _of_parts(evidence: Evidence, found: Leak, kind: str, value: float | None, column: int) -> Trace:
    unit, kind_of = PART_COLUMNS[column].unit, LEAK_KINDS[found.code]
    usd = found.usd_per_month
    rate = None if usd is None or not found.gpu_hours else usd * evidence.months / found.gpu_hours
    parts = sorted(found.parts, key=lambda part: -(part.usd_per_month or 0.0))
    return Trace(
        figure(kind, found.leak_id),
        leak_called(found),
        value,
        unit,
        worded("per month") if unit == "usd" else worded("GPU-h per month"),
        worded("$ per month = {formula} \u00f7 months in the window", formula=kind_of.formula)
        if unit == "usd"
        else worded("GPU-h per month = leaked GPU-hours \u00f7 months in the window"),
        (
            Amount(found.gpu_hours, "gpu_hours"),
            worded(" GPU-h in the window"),
            *((" \u00d7 ", Amount(rate, "rate"), worded(" per GPU-h")) if unit == "usd" else ()),
            worded(" \u00f7 {months} months = ", months=f"{evidence.months:.4g}"),
            Amount(value, unit),
        ),
        (
            *PART_COLUMNS[:RATE_AT],
            TraceColumn(worded("{rate}\n$ per GPU-h", rate=kind_of.rate), "rate"),
            *PART_COLUMNS[RATE_AT + 1 :],
        ),
        tuple(_part_row(evidence, part) for part in parts),
        Adds(column),
        f"{kind_of.rule} {found.action}",
    )


def _part_row(evidence: Evidence, part: LeakPart) -> TraceRow:
    usd, months = part.usd_per_month, evidence.months
    rate = None if usd is None or not part.gpu_hours else usd * months / part.gpu_hours
    if part.kind == "workload":
        workload = evidence.project.workloads[evidence.place_of[part.id]]
        name, every, opens = evidence.names[workload.key], workload.gpu_hours, figure(JOBS, workload.key)
    else:
        name, every = worded("{id}, idle", id=part.id), evidence.past.idle_gpu_hours[part.id]
        opens = figure("contract_idle_hours", part.id)
    return TraceRow(name, (every, part.gpu_hours, part.gpu_hours / months, rate, usd), opens)


def _of_leaks(evidence: Evidence, kind: str, leaks: Sequence[Leak], is_usd: bool, sign: int = 1) -> Trace:
    months = evidence.months
    usd = known_sum(one.counted_usd_per_month for one in leaks)
    hours = sum(one.counted_gpu_hours for one in leaks) / months
    value = (None if usd is None else sign * usd) if is_usd else sign * hours
    column = TOTAL_COLUMNS[TOTAL_DOLLARS_AT if is_usd else TOTAL_HOURS_AT]
    rows = []
    for one in leaks:
        counted = one.counted_usd_per_month
        rows.append(
            TraceRow(
                leak_called(one),
                (
                    one.gpu_hours / months,
                    one.usd_per_month,
                    sign * one.counted_gpu_hours / months,
                    None if counted is None else sign * counted,
                ),
                figure("leak" if is_usd else "leak_hours", one.leak_id),
            )
        )
    return Trace(
        figure(kind),
        TITLES[kind.removesuffix("_hours")],
        value,
        column.unit,
        worded("per month") if is_usd else worded("GPU-h per month"),
        worded("Total = \u03a3 over leaks of what each adds that no leak before it has"),
        (worded("{rows} leaks: ", rows=len(rows)), Amount(value, column.unit)),
        TOTAL_COLUMNS,
        tuple(rows),
        Adds(TOTAL_DOLLARS_AT if is_usd else TOTAL_HOURS_AT),
        COUNTED_ONCE,
    )
