"""Screening curve: what one GPU costs a month at each utilization, by use and by each term."""

from gpuplanner.domain.commitment import result
from gpuplanner.domain.figures.layer import TERM
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Screening:
    """One GPU of a row for a month: by_use_usd where it is busy all the time, and every term, longest first.

    Units: $ a month of 730 h, of one GPU. Terms have all their figures, with what is paid upfront, spread over the
    term. compared_per_month stands above one_gpu_per_month: in the months of a term the price of paying by use falls
    and demand may end, so that a commitment has to be cheaper by as much. break_even: the utilization where the two
    cross (may be over 1: never worth it).
    """

    by_use_usd: float
    terms: tuple[result.BreakEven, ...]

    def is_cheapest(self, term: result.BreakEven) -> bool:
        """Whether its break-even is the lowest of all terms, so that it bounds the envelope."""
        return term.break_even == min(term.break_even for term in self.terms if term.break_even is not None)


def screening_of(plan: result.PoolPlan) -> Screening | None:
    """The screening curve of a row; None where nobody offers GPUs paid by use.

    Law: what a term is compared at is what paying by use costs at its break-even, so that the lines cross at the
    break-evens of the plan. A rule of thumb, as they are. Source: docs/formulas/layers.md, Screening curve.
    """
    if not plan.flex.rate:
        return None
    known = (
        term
        for term in plan.break_even
        if None not in (term.rate, term.one_gpu_per_month, term.compared_per_month, term.break_even)
    )
    longest_first = sorted(known, key=lambda term: -term.term_months)
    given = {"by_use_rate": plan.flex.rate, "month_hours": HOURS_PER_MONTH}
    return Screening(float(TERM.value("by_use_per_month", given)), tuple(longest_first))
