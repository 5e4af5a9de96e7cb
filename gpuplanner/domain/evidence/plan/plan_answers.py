"""The table of all answers about a plan, at the whole dollars that its figures are written in."""

from typing import Final

from gpuplanner.domain.evidence.answering import Answers
from gpuplanner.domain.evidence.plan import (
    backtest,
    cards,
    inputs,
    layers,
    limits,
    orders,
    price_cases,
    price_paths,
    totals,
)
from gpuplanner.domain.evidence.plan.layers import PlanEvidence
from gpuplanner.domain.evidence.trace import Amount, Trace
from gpuplanner.domain.message import joined, worded
from gpuplanner.lazy_dataclass import replace

MOST_USD: Final = 3
"""$ by which a figure can be off its own sum: what is rounded away of the figures beside it."""
WHOLE: Final = worded("Rounded to add up; may be off by 2.")
ANSWERS: Final = Answers[PlanEvidence](
    layers.WHY
    | orders.WHY
    | cards.WHY
    | inputs.WHY
    | price_cases.WHY
    | price_paths.WHY
    | limits.WHY
    | backtest.WHY
    | totals.WHY
)


def answer(evidence: PlanEvidence, figure_id: str) -> Trace:
    """Why a figure of a plan is what it is. Errors: KeyError, StopIteration for a kind or thing that there is not."""
    return as_written(ANSWERS.answer(evidence, figure_id), evidence.whole_usd.get(figure_id))


def as_written(trace: Trace, written: int | None) -> Trace:
    """A trace at the whole dollars that its figure is written in, where it is (None: it is not)."""
    if written is None or trace.value is None or abs(written - trace.value) > MOST_USD:
        return trace  # nothing to say, or advice of another moment
    is_other = written != round(trace.value)
    note = joined(filter(None, (trace.note, WHOLE if is_other else "")), " ")
    value = trace.value
    symbols = tuple(
        Amount(written, part.unit) if isinstance(part, Amount) and part.value == value else part
        for part in trace.symbols
    )
    return replace(trace, value=written, symbols=symbols, note=note)
