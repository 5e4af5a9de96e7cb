"""The table of answers: what answers "Why this number?" of a plan, as its figures are written."""

from dataclasses import replace
from typing import Final

from gpuplanner.domain.audit.evidence.answering import Answers
from gpuplanner.domain.audit.evidence.trace import Amount, Trace
from gpuplanner.domain.commitment.evidence import cards, inputs, layers, orders, totals, trials
from gpuplanner.domain.commitment.evidence.plan_evidence import PlanEvidence
from gpuplanner.domain.message import joined, worded

MOST_USD: Final = 3
"""$ by which a figure can be off its own sum: what is rounded away of the figures beside it."""
WHOLE: Final = worded("In whole amounts figures add up to the plan, so this one may be off by 1 or 2.")
ANSWERS: Final = Answers[PlanEvidence](
    layers.WHY | orders.WHY | cards.WHY | inputs.WHY | trials.WHY | totals.WHY
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
        Amount(written, one.unit) if isinstance(one, Amount) and one.value == value else one
        for one in trace.symbols
    )
    return replace(trace, value=written, symbols=symbols, note=note)
