"""The screening curve: what one GPU costs a month at each utilization, by use and by term, and where they cross."""

from dataclasses import dataclass

from gpuplanner.domain.commitment.layer_figures import by_use_gpu_per_month
from gpuplanner.domain.commitment.result import PoolPlan


@dataclass(frozen=True, slots=True)
class ScreenedTerm:
    """One term beside paying by use; figures by the keys of TERM, all known. rate: what is paid.

    Both have what is paid upfront, spread over the term. compared_per_month stands above one_gpu_per_month: in the
    months of a term the price of paying by use falls and demand may end, so that a commitment has to be cheaper by as
    much. break_even: the utilization where the two cross (may be over 1: never worth it); is_cheapest: whether it is
    the lowest of all terms, so that it bounds the envelope.
    """

    term_months: int
    offer_id: str
    rate: float
    one_gpu_per_month: float
    compared_per_month: float
    break_even: float
    is_cheapest: bool
    term_days: int | None = None


@dataclass(frozen=True, slots=True)
class Screening:
    """One GPU of a row for a month: by_use_usd where it is busy all the time, and every term, longest first.

    Units: $ a month of 730 h, of one GPU.
    """

    by_use_usd: float
    terms: tuple[ScreenedTerm, ...]


def screening_of(plan: PoolPlan) -> Screening | None:
    """The screening curve of a row; None where nobody offers GPUs paid by use.

    Law: what a term is compared at is what paying by use costs at its break-even, so that the lines cross at the
    break-evens of the plan. A rule of thumb, as they are. Source: docs/formulas.md, Screening curve.
    """
    if not plan.r_flex:
        return None
    lowest = min((one.break_even for one in plan.break_even if one.break_even is not None), default=None)
    terms = [
        ScreenedTerm(
            one.term_months,
            one.offer_id,
            one.rate,
            one.one_gpu_per_month,
            one.compared_per_month,
            one.break_even,
            one.break_even == lowest,
            one.term_days,
        )
        for one in sorted(plan.break_even, key=lambda one: -one.term_months)
        if one.rate is not None
        and one.one_gpu_per_month is not None
        and one.compared_per_month is not None
        and one.break_even is not None
    ]
    return Screening(by_use_gpu_per_month(plan.r_flex), tuple(terms))
