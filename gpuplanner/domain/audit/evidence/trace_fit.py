"""Traces of hardware fit: which workloads of a class fit, fit at a cost or do not, and what they cost a month."""

from collections.abc import Mapping
from typing import Final

from gpuplanner.domain.audit.evidence.audit_evidence import Evidence
from gpuplanner.domain.audit.evidence.trace import Adds, Amount, Counts, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.pool import POOL_TITLES, Pool

LIGHT_WORDS: Final[Mapping[Light | None, Text]] = {
    Light.RED: worded("does not fit"),
    Light.AMBER: worded("fits at a cost"),
    Light.GREEN: "fits",
    None: "unknown",
}
SCOPES = {"red": Light.RED, "amber": Light.AMBER, "green": Light.GREEN, "unknown": None}
"""Scope of a figure of fit -> its light."""

COLUMNS = (
    TraceColumn(worded("GPU model"), "text"),
    TraceColumn(worded("Why"), "text"),
    TraceColumn("GPU-h", "milli_gpu_seconds"),
    TraceColumn(worded("\n$ per month"), "usd"),
)


def workloads(evidence: Evidence, scope: str, pool: str) -> Trace:
    """How many workloads of a class have a light."""
    rows = _rows(evidence, scope, pool, "jobs")
    return _trace(evidence, "fit", scope, pool, len(rows), "count", rows)


def cost(evidence: Evidence, scope: str, pool: str) -> Trace:
    """What the workloads of a class with a light cost a month."""
    rows = _rows(evidence, scope, pool, "workload_cost")
    usd = known_sum(value if isinstance(value := row.values[3], int | float) else None for row in rows)
    return _trace(evidence, "fit_cost", scope, pool, usd, "usd", rows)


def _trace(
    evidence: Evidence,
    kind: str,
    scope: str,
    pool: str,
    value: float | int | None,
    unit: str,
    rows: tuple[TraceRow, ...],
) -> Trace:
    light = LIGHT_WORDS[SCOPES[scope]]
    of_unit = "count" if unit == "count" else "usd"
    return Trace(
        figure(kind, pool, scope),
        worded("{words}, {light}", words=POOL_TITLES[Pool(pool)], light=light),
        value,
        "count" if of_unit == "count" else "usd",
        "workloads" if of_unit == "count" else worded("per month"),
        worded("A workload's light is the worst of its needs against the hardware that it ran on"),
        (
            worded("{rows} workloads", rows=whole(len(rows))),
            *((": ", Amount(value, "usd")) if of_unit == "usd" else ()),
        ),
        COLUMNS,
        rows,
        Counts() if of_unit == "count" else Adds(3),
        worded(
            "Memory, network between nodes, bare metal, sharing and term. Needs are inferred, "
            "or set by the planner; the "
            "panel Hardware fit shows each with its source."
        ),
    )


def _rows(evidence: Evidence, scope: str, pool: str, opens: str) -> tuple[TraceRow, ...]:
    """Workloads of one light and class, most $ first, unknown last."""
    found = []
    for place, fit in enumerate(evidence.fit):
        if fit.light is SCOPES[scope] and fit.pool == pool:
            workload, usd = evidence.project.workloads[place], evidence.audit.workloads[place].usd_per_month
            values = (
                fit.gpu_model or "unknown",
                fit.reasons or worded("nothing amiss"),
                workload.milli_gpu_seconds,
                usd,
            )
            found.append(TraceRow(evidence.names[workload.key], values, figure(opens, workload.key)))
    return tuple(sorted(found, key=lambda row: (row.values[3] is None, -_amount(row), str(row.name))))


def _amount(row: TraceRow) -> float:
    """$ of a row for sorting, unknown as 0."""
    value = row.values[3]
    return value if isinstance(value, int | float) else 0.0
