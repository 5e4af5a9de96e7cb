"""The screening curve: what one GPU costs a month at each utilization, by use and by term, and where they cross."""

from dataclasses import dataclass

from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.model.window import HOURS_PER_MONTH


@dataclass(frozen=True, slots=True)
class ScreenedTerm:
    """One term beside paying by use. rate: what is paid; level_usd: $ a month of one GPU as it is compared.

    level_usd stands above 730 times the rate: in the months of a term the price of paying by use falls and demand may
    end, so that a commitment has to be cheaper by as much. break_even: the utilization where the two cross (may be
    over 1: never worth it); is_cheapest: whether it is the lowest of all terms, so that it bounds the envelope.
    """

    term_months: int
    offer_id: str
    rate_usd_per_gpu_hour: float
    level_usd: float
    break_even: float
    is_cheapest: bool


@dataclass(frozen=True, slots=True)
class Screening:
    """One GPU of a row for a month: by_use_usd where it is busy all the time, and every term, longest first."""

    by_use_usd: float
    terms: tuple[ScreenedTerm, ...]

    def cheapest_usd(self, utilization: float) -> float:
        """The envelope: the cheapest way to have one GPU that is busy for a share of the hours."""
        return min([self.by_use_usd * utilization, *(term.level_usd for term in self.terms)])


def screening_of(plan: PoolPlan) -> Screening | None:
    """The screening curve of a row; None where nobody offers GPUs paid by use.

    Law: each term's level is what paying by use costs at its break-even, so that the lines cross at the break-evens
    of the plan. A rule of thumb, as they are. Source: docs/formulas.md, Screening curve.
    """
    if not plan.r_flex:
        return None
    by_use = HOURS_PER_MONTH * plan.r_flex
    rates = {offer.offer_id: offer.rate for offer in plan.offers}
    known = [
        (one.term_months, one.offer_id, rate, one.utilization)
        for one in plan.break_even
        if one.utilization is not None and (rate := rates.get(one.offer_id)) is not None
    ]
    lowest = min((share for *_, share in known), default=None)
    return Screening(
        by_use,
        tuple(
            ScreenedTerm(term, offer_id, rate, by_use * share, share, share == lowest)
            for term, offer_id, rate, share in sorted(known, key=lambda one: -one[0])
        ),
    )
