"""Traces of leaks: GPU-hours and $ of one leak by workload and contract, and the list's total, counted once."""

from gpuplanner.domain.audit.leaks import COUNTED_ONCE
from gpuplanner.domain.audit.result import Leak, LeakPart
from gpuplanner.domain.audit.trace import JOBS, Adds, Quantity, Trace, TraceColumn, TraceRow, Unit, figure
from gpuplanner.domain.audit.trace_money import DOLLARS, GPU_HOURS, RATE
from gpuplanner.domain.audit.trail import Trail

PART_COLUMNS = (
    TraceColumn("All it ran or idled\nGPU-h", "gpu_hours"),
    TraceColumn("Of it leaked\nGPU-h", "gpu_hours"),
    RATE,
    DOLLARS,
)
HOURS_AT, DOLLARS_AT = 1, 3


def leak(trail: Trail, scope: str, leak_id: str) -> Trace:
    """$ a month of one leak, by what it consists of."""
    found = _leak(trail, leak_id)
    words = "Leak = \u03a3 over workloads and contracts of leaked GPU-hours \u00d7 their rate"
    return _of_parts(trail, found, "leak", found.usd_per_month, words, DOLLARS_AT)


def leak_hours(trail: Trail, scope: str, leak_id: str) -> Trace:
    """GPU-hours of one leak in the window, by what it consists of."""
    found = _leak(trail, leak_id)
    words = "Leaked GPU-hours = \u03a3 over workloads and contracts"
    return _of_parts(trail, found, "leak_hours", found.gpu_hours, words, HOURS_AT)


def total(trail: Trail, scope: str, subject: str) -> Trace:
    """$ a month of all leaks, every GPU-hour counted once."""
    value = trail.audit.leaks_usd_per_month
    return _of_leaks(trail, "leaks", value, "usd", "per month", 3)


def total_hours(trail: Trail, scope: str, subject: str) -> Trace:
    """GPU-hours of all leaks, every one counted once."""
    return _of_leaks(trail, "leaks_hours", trail.audit.leaks_gpu_hours, "gpu_hours", "GPU-h in the window", 2)


def _leak(trail: Trail, leak_id: str) -> Leak:
    return next(one for one in trail.audit.leaks if one.leak_id == leak_id)


def _of_parts(trail: Trail, found: Leak, kind: str, value: float | None, words: str, column: int) -> Trace:
    unit = DOLLARS.unit if column == DOLLARS_AT else GPU_HOURS.unit
    return Trace(
        figure(kind, found.leak_id),
        f"{found.code.replace('_', ' ').capitalize()}: {found.subject}",
        value,
        unit,
        "per month" if column == DOLLARS_AT else "GPU-h in the window",
        words,
        (f"{len(found.parts)} rows: ", Quantity(value, unit)),
        PART_COLUMNS,
        tuple(_part_row(trail, part) for part in found.parts),
        Adds(column),
        found.action,
    )


def _part_row(trail: Trail, part: LeakPart) -> TraceRow:
    usd = part.usd_per_month
    rate = None if usd is None or not part.gpu_hours else usd * trail.months / part.gpu_hours
    if part.kind == "workload":
        workload = trail.project.workloads[trail.place_of[part.id]]
        values = (workload.gpu_hours, part.gpu_hours, rate, usd)
        return TraceRow(workload.name, values, figure(JOBS, workload.key))
    every = trail.past.idle_gpu_hours.get(part.id)
    return TraceRow(
        f"{part.id}, idle", (every, part.gpu_hours, rate, usd), figure("contract_idle_hours", part.id)
    )


def _of_leaks(trail: Trail, kind: str, value: float | None, unit: Unit, said_as: str, column: int) -> Trace:
    rows = tuple(
        TraceRow(
            f"{one.code.replace('_', ' ').capitalize()}: {one.subject}",
            (one.gpu_hours, one.usd_per_month, one.counted_gpu_hours, one.counted_usd_per_month),
            figure("leak", one.leak_id),
        )
        for one in trail.audit.leaks
    )
    return Trace(
        figure(kind),
        "All leaks, each GPU-hour once",
        value,
        unit,
        said_as,
        "Total = \u03a3 over leaks of what each adds that no leak before it has",
        (f"{len(rows)} leaks: ", Quantity(value, unit)),
        (
            TraceColumn("Leak\nGPU-h", "gpu_hours"),
            TraceColumn("Leak\n$ per month", "usd"),
            TraceColumn("Counted\nGPU-h", "gpu_hours"),
            TraceColumn("Counted\n$ per month", "usd"),
        ),
        rows,
        Adds(column),
        COUNTED_ONCE,
    )
