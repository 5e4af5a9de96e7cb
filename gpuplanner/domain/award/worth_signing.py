"""The highest rate at which the advice would sign a quote, other offers as they are."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Final

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import COMPARED_MONTHS, plan_of
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import Scenario

STEPS: Final = (1.25, 1.5, 2.0, 4.0, 16.0, 64.0)
"""Times the quoted rate, and parts of it, that are tried for one rate that is signed and one that is not."""
HALVINGS: Final = 8
"""How often the gap between these is halved: of a quote within a quarter of its worth that is known to a thousandth."""

AT_NO_RATE: Final = worded("The advice would sign it at no rate")
AT_ANY_RATE: Final = worded("The advice would sign it at any rate: nobody else serves the demand")

IsCancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class WorthSigning:
    """The highest rate, $ per GPU-hour beside the same upfront payment, at which the advice signs; None: why there is
    none. tried: every rate that was planned with, and whether the advice signed at it, in the order of the trials."""

    rate: float | None
    why: Message | None = None
    tried: tuple[tuple[float, bool], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Planning:
    """What is planned again with other rates: as of `advise`, and with the cache that all of them share."""

    project: Project
    plan: Scenario
    pools: tuple[Pool, ...]
    classes: tuple[Classification, ...]
    cache: AdviceCache = field(default_factory=AdviceCache)

    def with_offers(self, is_there: Callable[[Offer], bool]) -> "Planning":
        """The same with some of the offers alone, and with the same cache."""
        kept = tuple(filter(is_there, self.project.offers))
        return replace(self, project=replace(self.project, offers=kept))

    def signs(self, offer: Offer, rate: float) -> bool:
        """Whether the plan signs an offer in its first twelve months where it has this rate, low and high the same.

        rate: in the money of the project. That the quote ends does not count: it is ordered while it is open.
        """
        quoted = Decimal(repr(rate)) / (offer.exchange or Decimal(1))
        moved = replace(offer, rate_usd_per_gpu_hour=quoted, rate_low=None, rate_high=None, valid_until=None)
        offers = tuple(moved if one.offer_id == offer.offer_id else one for one in self.project.offers)
        project = replace(self.project, offers=offers)
        ground = ground_of(project, self.plan, self.pools, self.cache, self.classes)
        for one in plan_of(ground, self.cache).rows:
            for place, known in enumerate(one.row.offers):
                if known.offer_id == offer.offer_id:
                    taken = one.signed.offer[:COMPARED_MONTHS] == place
                    if (taken & (one.signed.term[:COMPARED_MONTHS] > 0)).any():
                        return True
        return False


def worth_signing(
    quoted: float, signs: Callable[[float], bool], is_cancelled: IsCancelled = lambda: False
) -> WorthSigning:
    """The highest rate that is signed, from the rate quoted on: at most STEPS + HALVINGS + 1 rates are tried.

    signs: whether the advice signs the quote at a rate, higher ones less. The rate found is signed; one that is higher
    by what the last halving left may not be. What is told once it is cancelled is of no use.
    Source: docs/formulas.md, Award.
    """
    trials: list[tuple[float, bool]] = []

    def is_signed_at(rate: float) -> bool:
        """Whether the advice signs at a rate; kept among the trials."""
        trials.append((rate, signs(rate)))
        return trials[-1][1]

    is_signed = is_signed_at(quoted)
    signed = other = quoted
    for step in STEPS:
        if is_cancelled():
            return WorthSigning(None)
        tried = quoted * step if is_signed else quoted / step
        if is_signed_at(tried) is not is_signed:
            signed, other = (signed, tried) if is_signed else (tried, other)
            break
        signed, other = (tried, other) if is_signed else (signed, tried)
    else:
        return WorthSigning(None, AT_ANY_RATE if is_signed else AT_NO_RATE, tuple(trials))
    for _ in range(HALVINGS):
        if is_cancelled():
            return WorthSigning(None)
        middle = (signed + other) / 2
        if is_signed_at(middle):
            signed = middle
        else:
            other = middle
    return WorthSigning(signed, tried=tuple(trials))
