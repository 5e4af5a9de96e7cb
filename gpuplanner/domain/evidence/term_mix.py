"""Answers about how work is bought: how long it is needed, and its mix of payment."""

from typing import Final

from gpuplanner.domain.commitment import term_mix
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers
from gpuplanner.domain.evidence.plan.layers import layer_row
from gpuplanner.domain.evidence.trace import Trace, TraceRow, column_of, figure, read, titled
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.reports import plan_layers

OF_TERM_MIX: Final = Answers[Evaluation]()
_TERM_FROM: Final = {
    "present_days": worded("first to last hour with GPU time"),
    "median_run_hours": worded("its jobs"),
    "committed_months_left": worded("its contracts, by GPU time"),
}


@OF_TERM_MIX.gives_each({asked.why: asked for asked in plan_layers.OF_TERM})
def of_term(asked: Figure, evaluation: Evaluation, scope: str, key: str) -> Trace:
    """How long a workload was there, its jobs ran, or its contracts still bind."""
    row = next(match for match in plan_layers.TERM_MATCH.rows(evaluation) if match.key == key)
    opens, title = figure(trace.JOBS, key), titled(asked, row.name)
    return read(title, getattr(row, asked.key), asked.unit, _TERM_FROM[asked.key], opens=opens)


@OF_TERM_MIX.gives_each({asked.why: place for place, asked in enumerate(plan_layers.OF_MIX)})
def of_mix(place: int, evaluation: Evaluation, scope: str, subject: str) -> Trace:
    """GPU-hours or $ of a class that are paid one way: today by contract and cluster, in the plan by layer."""
    asked, first = plan_layers.OF_MIX[place], place // 2 * 2
    row = next(each for each in plan_layers.MIX.rows(evaluation) if plan_layers.MIX.key(each) == subject)
    of_row, asked_ids = row[:2], evaluation.audit.unknown_contracts
    if first:
        words = worded("{title} = Σ over first-month layers and idle GPUs", title=asked.title)
        planned = (part[1:] for part in term_mix.parts_planned(evaluation.advised) if part[0] == of_row)
        rows = [
            layer_row(*by, *paid)
            if isinstance(by, tuple)
            else TraceRow(plan_layers.idle_words(by.gpu_model), paid)
            for by, paid in planned
        ]
    else:
        words = worded("{title} = Σ over contracts and overflow", title=asked.title)
        now = (
            part
            for hours in evaluation.past.clusters
            for part in term_mix.parts_now(evaluation.past, hours, asked_ids)
        )
        rows = [TraceRow(name, paid) for key, name, paid in now if key == of_row and paid != (0.0, 0.0)]
    names = (POOL_TITLES.get(row.pool, titles.IDLE), plan_layers.CATEGORIES[row.category], asked.title)
    columns, title = list(map(column_of, plan_layers.OF_MIX[first : first + 2])), joined(names, ", ")
    return trace.summed(title, row[2 + place], asked.unit, words, rows, columns, place - first)
