"""Answers about chargeback: who pays, by workload and team, and budgets."""

from collections.abc import Iterator
from typing import Final

from gpuplanner.domain.audit import cost_result
from gpuplanner.domain.audit.chargeback import NOBODYS, Charge, ChargePart, charges
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed
from gpuplanner.domain.evidence.costs.cost_evidence import WINDOW_DOLLARS, CostEvidence
from gpuplanner.domain.evidence.costs.payers import OF_PAYERS, overflowed_to, served_by
from gpuplanner.domain.evidence.trace import JOBS, Trace, TraceRow, column_of, figure, summed, titled
from gpuplanner.domain.figures.chargeback import CHARGE, IDLE_SHARE
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, Figure
from gpuplanner.domain.message import Message, Text, joined, worded

WHY: Final = Answers[CostEvidence]()

IN_THE_WINDOW: Final = worded("in the lookback period")
_PAYERS: Final = {"direct_in_window": served_by, "overflow_in_window": overflowed_to}
_OF_ROW: Final = ("direct_in_window", "idle_in_window", "overflow_in_window", "budget_per_month")


def _row(evidence: CostEvidence, scope: str, subject: str) -> Charge:
    """The row of a figure id. Errors: ValueError, StopIteration where there is none."""
    return charges(evidence.past.project, evidence.charged, cost_result.ChargeBy(scope)).row(subject)


@WHY.gives_each(
    {CHARGE[key].why: CHARGE[key] for key in ("direct_in_window", "idle_in_window", "overflow_in_window")}
)
def of_charge(asked: Figure, evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """A sum over the workloads of a row; of one workload by the contracts that served it, or the GPU models of its
    overflow; of the idle GPUs of a team by cluster.
    """
    row, is_idle = _row(evidence, scope, subject), asked.key == "idle_in_window"
    words, columns = worded("{name} = \u03a3 over its workloads", name=asked.title), [WINDOW_DOLLARS]
    note: Text = joined((cost_result.shared_words(evidence.charged.rule), ".")) if is_idle else ""
    rows: list[TraceRow] = []
    if row.by is cost_result.ChargeBy.TEAM and is_idle and not row.is_all:
        rows = list(_shares(evidence, NOBODYS if row.is_nobodys else row.name or NOBODYS))
        words = worded("Shared idle = Σ (idle cost × weight) ÷ Σ weights")
        keys = ("shared_in_window", "held_gpu_hours", "all_held_gpu_hours")
        columns = [*(column_of(IDLE_SHARE[key]) for key in keys), WINDOW_DOLLARS]
    elif row.by is cost_result.ChargeBy.WORKLOAD and not is_idle and row.name is not None:
        (part,), span = row.parts, range(evidence.past.project.window.hours)
        rows = list(_PAYERS[asked.key](evidence, part.key, part.cluster, span))
        words, columns = worded("{name} = Σ (GPU-hours × rate)", name=asked.title), [*OF_PAYERS]
        note = worded("Hourly, a cluster's workloads of a GPU model share its contracts by GPU time.")
    else:
        for part in row.parts:
            opens = _opened(row, part, asked.why)
            rows.append(TraceRow(part.key or _unborne(part), (getattr(part, asked.key),), opens))
    title, value, column = titled(asked, row.called), getattr(row, asked.key), len(columns) - 1
    return summed(
        title, value, asked.unit.key, words, rows, columns, column, said_as=IN_THE_WINDOW, note=note
    )


def _unborne(part: ChargePart) -> Message:
    return worded("Idle GPUs of {cluster}", cluster=part.cluster or worded("no cluster"))


def _opened(row: Charge, part: ChargePart, why: str) -> str:
    """The same figure of the workload alone; nothing where the row is that workload."""
    if not part.key or (row.by is cost_result.ChargeBy.WORKLOAD and not row.is_all):
        return ""
    return figure(why, f"={part.key}", cost_result.ChargeBy.WORKLOAD)


def _shares(evidence: CostEvidence, team: str) -> Iterator[TraceRow]:
    """A row for each cluster that a team bears idle GPUs of, and for its own contracts there."""
    for row in evidence.charged.shares:
        if row.team == team:
            # of an owner, or of a cluster without jobs: all of it
            is_whole, amounts = row.held == row.all_held == 1, (row.held, row.all_held)
            held = [None if is_whole else amount / MILLI_GPU_SECONDS_PER_GPU_HOUR for amount in amounts]
            name = (
                row.cluster or worded("no cluster")
                if row.owner is None
                else worded("{cluster}, its own contracts", cluster=row.cluster)
            )
            yield TraceRow(name, (row.shared_in_window, *held, row.idle_in_window))


@WHY.sums_of(
    CHARGE["gpu_hours"],
    worded("{name} = \u03a3 over its workloads", name=CHARGE["gpu_hours"].title),
    (column_of(CHARGE["gpu_hours"]),),
    said_as=IN_THE_WINDOW,
)
def charge_hours(evidence: CostEvidence, scope: str, subject: str) -> Listed:
    """GPU-hours of a row: of its workloads, whose jobs a log lists."""
    row = _row(evidence, scope, subject)
    rows = [TraceRow(part.key, (part.gpu_hours,), figure(JOBS, part.key)) for part in row.parts if part.key]
    return Listed(value=row.gpu_hours, rows=rows, name=row.called)


@WHY.explains(CHARGE, "total_in_window", "budget_in_window", "left_in_window")
def charge_row(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """What figures of a row are worked out from that stand on others of it."""
    row = _row(evidence, scope, subject)
    values = {**{name: getattr(row, name) for name in _OF_ROW}, "months": evidence.months}
    return Inputs(values=values, name=subject, title=row.called, scope=scope)
