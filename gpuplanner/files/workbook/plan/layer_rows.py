"""The layers of a pool from the bottom up: what the app advises, what a budget gives up, and room for other terms."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from gpuplanner.domain.commitment.result import PoolPlan, SliceRun
from gpuplanner.domain.commitment.slicing import Slicing

Span: TypeAlias = tuple[int, int]
"""Slices first..last, counted from 1."""


@dataclass(frozen=True, slots=True)
class LayerRow:
    """One layer of new GPUs.

    term_months 0: paid by use. gpus None: everything above, the top layer. block: GPUs a slice. until: the GPU up to
    which it reaches, wherever it begins. given_up: from which GPU to which nobody serves it, for a budget.
    """

    term_months: int
    offer_id: str | None
    gpus: float | None
    advised_rate: float | None = None
    block: int = 1
    until: float | None = None
    given_up: tuple[float, float] | None = None

    @property
    def is_committed(self) -> bool:
        """Whether it is bought for a term."""
        return self.term_months > 0


def layer_rows(plan: PoolPlan | None, terms: Sequence[int]) -> list[LayerRow]:
    """Rows from the bottom up, the last one paid by use; terms: those for sale, which get a row of 0 GPUs.

    A ladder that shortens going up keeps its order with the added rows; any other order is kept as advised and
    the added rows stand under the top. What is given up stands where it is, on what is paid by use below it.
    """
    block = 1 if plan is None else plan.block
    top = LayerRow(0, None, None, block=block)
    if plan is None:
        return [*(LayerRow(term, None, 0.0) for term in sorted(terms, reverse=True)), top]
    runs = list(_cut(sorted(plan.runs, key=lambda run: run.first_slice), plan.given_up))
    last_committed = max((place for place, (run, _) in enumerate(runs) if run.term_months > 0), default=-1)
    rows = list(_rows(runs[: last_committed + 1], plan.slicing, block))
    above = [one for one in runs[last_committed + 1 :] if one[1]]
    missing = sorted(set(terms) - {row.term_months for row in rows}, reverse=True)
    added = [LayerRow(term, None, 0.0) for term in missing]
    shortens = all(lower.term_months >= upper.term_months > 0 for lower, upper in pairwise(rows))
    if shortens:
        rows = sorted([*rows, *added], key=lambda row: -row.term_months)
    else:
        rows += added
    return [*rows, *_rows(above, plan.slicing, block), top]


def spans_outside(first: int, last: int, spans: Sequence[Span]) -> Iterator[Span]:
    """What of slices first..last is in none of some spans, which stand from the bottom up."""
    for begin, end in spans:
        if begin > last or end < first:
            continue
        if begin > first:
            yield first, begin - 1
        first = end + 1
    if first <= last:
        yield first, last


def _cut(runs: Sequence[SliceRun], given_up: Sequence[Span]) -> Iterator[tuple[SliceRun, Span | None]]:
    """Runs from the bottom up, and before each what is given up below it: a row of its own, with its slices."""
    for run in runs:
        first, last = run.first_slice, run.last_slice
        inside = [
            (max(first, one), min(last, other)) for one, other in given_up if one <= last and other >= first
        ]
        kept = [(span, None) for span in spans_outside(first, last, inside)]
        for span, gone in sorted([*kept, *((one, one) for one in inside)]):
            yield (
                SliceRun(*span, run.term_months, run.offer_id, run.rate_usd_per_gpu_hour, run.utilization),
                gone,
            )


def _rows(runs: Sequence[tuple[SliceRun, Span | None]], slicing: Slicing, block: int) -> Iterator[LayerRow]:
    """Runs of slices as layers; under what is given up one that reaches up to it, however far that is."""
    for run, gone in runs:
        if gone is None:
            gpus = slicing.gpus(run.first_slice, run.last_slice)
            yield LayerRow(run.term_months, run.offer_id, gpus, run.rate_usd_per_gpu_hour)
            continue
        low, high = slicing.below(gone[0] - 1), slicing.below(gone[1])
        yield LayerRow(0, None, None, block=block, until=low)
        yield LayerRow(0, None, None, block=block, given_up=(low, high))
