"""Traces of who pays: what served a team, workload, model or endpoint, what idle GPUs it bears, and its budget."""

from collections.abc import Callable, Iterator
from typing import Final

from gpuplanner.domain.audit.costs.charge_rows import Charge, ChargePart, Charges, charges
from gpuplanner.domain.audit.costs.charge_words import ChargeBy, shared_words
from gpuplanner.domain.audit.costs.idle_shares import NOBODYS
from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import JOBS, Trace, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_costs import (
    WINDOW_DOLLARS,
    CostEvidence,
    overflowed_to,
    served_by,
)
from gpuplanner.domain.audit.evidence.trace_forms import column_of, summed
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.costs.chargeback import CHARGE, IDLE_SHARE
from gpuplanner.domain.figures.costs.unit_costs import EQUAL_TERMS, RUN
from gpuplanner.domain.message import Message, Text, joined, worded

IN_THE_WINDOW: Final = worded("in the window")
_OF_KEY: Final = {"direct_in_window": served_by, "overflow_in_window": overflowed_to}


def of_charge(key: str) -> Callable[[CostEvidence, str, str], Trace]:
    """What explains a sum over the workloads of a row, or of one workload what it is made of."""
    one = CHARGE[key]

    def answer(evidence: CostEvidence, scope: str, subject: str) -> Trace:
        row = _row(evidence, scope, subject)
        is_idle = key == "idle_in_window"
        if row.by is ChargeBy.TEAM and is_idle and not row.is_all:
            return _idle_of_team(evidence, row)
        if row.by is ChargeBy.WORKLOAD and not is_idle and row.name is not None:
            return _of_workload(evidence, row, key)
        return summed(
            figure(one.why, subject, scope),
            _title(one.title, row),
            getattr(row, key),
            one.unit.key,
            worded("{what} = \u03a3 over its workloads", what=one.title),
            [
                TraceRow(part.key or _unborne(part), (getattr(part, key),), _opened(row, part, one.why))
                for part in row.parts
            ],
            columns=(WINDOW_DOLLARS,),
            said_as=IN_THE_WINDOW,
            note=_rule(evidence) if is_idle else "",
        )

    return answer


def charge_hours(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """GPU-hours of a row: of its workloads, whose jobs a log lists."""
    row, one = _row(evidence, scope, subject), CHARGE["gpu_hours"]
    return summed(
        figure(one.why, subject, scope),
        _title(one.title, row),
        row.gpu_hours,
        one.unit.key,
        worded("{what} = \u03a3 over its workloads", what=one.title),
        [TraceRow(part.key, (part.gpu_hours,), figure(JOBS, part.key)) for part in row.parts if part.key],
        columns=(column_of(one),),
        said_as=IN_THE_WINDOW,
    )


def charge_figure(key: str) -> Callable[[CostEvidence, str, str], Trace]:
    """What explains a figure that is worked out from others of the same row."""

    def answer(evidence: CostEvidence, scope: str, subject: str) -> Trace:
        row = _row(evidence, scope, subject)
        values = {
            name: getattr(row, name)
            for name in ("direct_in_window", "idle_in_window", "overflow_in_window", "budget_per_month")
        }
        values["months"] = evidence.months
        return explained(CHARGE, key, Inputs(values, subject, row.called, scope))

    return answer


def _row(evidence: CostEvidence, scope: str, subject: str) -> Charge:
    """The row of a figure id. Errors: ValueError, StopIteration where there is none."""
    found: Charges = charges(evidence.past.project, evidence.charged, ChargeBy(scope))
    return found.row(subject)


def _title(title: Text, row: Charge) -> Message:
    return worded("{what} of {name}", what=title, name=row.called)


def _rule(evidence: CostEvidence) -> Message:
    return joined((shared_words(evidence.charged.rule), "."))


def _unborne(part: ChargePart) -> Message:
    return worded("Idle GPUs of {cluster}", cluster=part.cluster or worded("no cluster"))


def _opened(row: Charge, part: ChargePart, why: str) -> str:
    """The same figure of the workload alone; nothing where the row is that workload."""
    if not part.key or (row.by is ChargeBy.WORKLOAD and not row.is_all):
        return ""
    return figure(why, f"={part.key}", ChargeBy.WORKLOAD)


def _of_workload(evidence: CostEvidence, row: Charge, key: str) -> Trace:
    """A workload by the contracts that served it, or by the GPU models of its overflow."""
    one, (part,) = CHARGE[key], row.parts
    span = range(evidence.past.project.window.hours)
    return summed(
        figure(one.why, row.subject, row.by),
        _title(one.title, row),
        getattr(row, key),
        one.unit.key,
        worded("{what} = \u03a3 of GPU-hours \u00d7 rate", what=one.title),
        tuple(_OF_KEY[key](evidence, part.key, part.cluster, span)),
        columns=(column_of(RUN["gpu_hours"]), column_of(EQUAL_TERMS["rate"]), WINDOW_DOLLARS),
        column=2,
        said_as=IN_THE_WINDOW,
        note=worded(
            "Hour by hour, the workloads of a GPU model on a cluster share what served it by GPU time."
        ),
    )


def _idle_of_team(evidence: CostEvidence, row: Charge) -> Trace:
    """What a team bears, cluster by cluster."""
    one = CHARGE["idle_in_window"]
    team = NOBODYS if row.is_nobodys else row.name or NOBODYS
    return summed(
        figure(one.why, row.subject, row.by),
        _title(one.title, row),
        row.idle_in_window,
        one.unit.key,
        worded(
            "Shared idle = \u03a3 of what nobody used \u00d7 what it counts with \u00f7 what all count with"
        ),
        tuple(_shares(evidence, team)),
        columns=(
            *(
                column_of(IDLE_SHARE[key])
                for key in ("shared_in_window", "held_gpu_hours", "all_held_gpu_hours")
            ),
            WINDOW_DOLLARS,
        ),
        column=3,
        said_as=IN_THE_WINDOW,
        note=_rule(evidence),
    )


def _shares(evidence: CostEvidence, team: str) -> Iterator[TraceRow]:
    """A row for each cluster that a team bears idle GPUs of, and for its own contracts there."""
    for one in evidence.charged.shares:
        if one.team == team:
            is_whole = one.held == one.all_held == 1  # of an owner, or of a cluster without jobs: all of it
            held = [
                None if is_whole else amount / MILLI_GPU_SECONDS_PER_GPU_HOUR
                for amount in (one.held, one.all_held)
            ]
            name = (
                one.cluster or worded("no cluster")
                if one.owner is None
                else worded("{cluster}, its own contracts", cluster=one.cluster)
            )
            yield TraceRow(name, (one.shared_in_window, *held, one.idle_in_window))
