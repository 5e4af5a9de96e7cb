"""Traces of how long today's money is bound: lock-in by contract, and the contract that runs longest."""

from gpuplanner.domain.audit.evidence.audit_evidence import Evidence
from gpuplanner.domain.audit.evidence.trace import Amount, Divides, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import read
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract_months import bound_usd, remaining_months, running

COLUMNS = (
    TraceColumn(worded("$ per\nmonth"), "usd"),
    TraceColumn("Months\nleft", "decimal"),
    TraceColumn(worded("$ \u00d7 months"), "usd"),
)
ENDS = worded("Months run to the end of a contract or, without one, its notice.")


def lock_in_now(evidence: Evidence, scope: str, subject: str) -> Trace:
    """Months that are still to be paid, weighted by $, over the commitments that run through next month."""
    window = evidence.project.plan_window
    rows = []
    for row in running(evidence.project.contracts, window, 0):
        if row.is_committed:
            values = (row.cost_per_month, remaining_months(row, window), bound_usd(row, window))
            rows.append(TraceRow(row.contract_id, values))
    bound, paid = (known_sum(row.values[at] for row in rows) for at in (2, 0))  # type: ignore[misc]
    value = evidence.audit.lock_in_now_months
    return Trace(
        figure("lock_in_now"),
        worded("Lock-in today"),
        value,
        "decimal",
        worded("$-weighted months"),
        worded("Lock-in = \u03a3 over contracts of $ \u00d7 months left \u00f7 their $ per month"),
        (
            Amount(bound, "usd"),
            " \u00f7 ",
            Amount(paid, "usd"),
            " = ",
            Amount(value, "decimal"),
            worded(" months"),
        ),
        COLUMNS,
        tuple(rows),
        Divides(2, 0),
        ENDS,
    )


def longest_now(evidence: Evidence, scope: str, subject: str) -> Trace:
    """Whole months that the longest commitment of today still runs."""
    window = evidence.project.plan_window
    left = [(float(round(remaining_months(row, window))), row.contract_id)
            for row in evidence.project.contracts if row.is_committed]  # fmt: skip
    months, name = max(left, default=(0.0, ""), key=lambda one: one[0])
    source = (
        worded("contract {name}: from where plans begin to its end", name=name)
        if name
        else worded("the contracts: there is none")
    )
    return read(
        figure("longest_now"),
        worded("Longest commitment today"),
        months,
        "exact",
        source,
        said_as="months",
        note=ENDS,
        words=worded("Longest = whole months that the longest commitment of today still runs"),
    )
