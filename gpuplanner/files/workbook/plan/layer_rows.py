"""The layers of a pool from the bottom up: what the app advises, and room for terms that it does not."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gpuplanner.domain.commitment.result import PoolPlan, SliceRun
from gpuplanner.domain.commitment.slicing import Slicing


@dataclass(frozen=True, slots=True)
class LayerRow:
    """One layer of new GPUs.

    term_months 0: paid by use. gpus None: everything above, the top layer. block: GPUs a slice.
    """

    term_months: int
    offer_id: str | None
    gpus: float | None
    advised_rate: float | None = None
    block: int = 1

    @property
    def is_committed(self) -> bool:
        """Whether it is bought for a term."""
        return self.term_months > 0


def layer_rows(plan: PoolPlan | None, terms: Sequence[int]) -> list[LayerRow]:
    """Rows from the bottom up, the last one paid by use; terms: those for sale, which get a row of 0 GPUs.

    A ladder that shortens going up keeps its order with the added rows; any other order is kept as advised and
    the added rows stand under the top.
    """
    runs = [] if plan is None else sorted(plan.runs, key=lambda run: run.first_slice)
    block = 1 if plan is None else plan.block
    last_committed = max((place for place, run in enumerate(runs) if run.term_months > 0), default=-1)
    rows = [_row(run, plan.slicing) for run in runs[: last_committed + 1] if plan is not None]
    missing = sorted(set(terms) - {row.term_months for row in rows}, reverse=True)
    added = [LayerRow(term, None, 0.0) for term in missing]
    shortens = all(lower.term_months >= upper.term_months > 0 for lower, upper in pairwise(rows))
    if shortens:
        rows = sorted([*rows, *added], key=lambda row: -row.term_months)
    else:
        rows += added
    return [*rows, LayerRow(0, None, None, block=block)]


def _row(run: SliceRun, slicing: Slicing) -> LayerRow:
    """One run of slices as a layer."""
    gpus = slicing.gpus(run.first_slice, run.last_slice)
    return LayerRow(run.term_months, run.offer_id, gpus, run.rate_usd_per_gpu_hour)
