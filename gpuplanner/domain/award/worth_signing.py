"""Worth of a quote: the highest rate at which the advice would sign it, other offers as they are."""

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Final

from gpuplanner.domain.award.award import IsCancelled
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.lazy_dataclass import dataclass, field, replace

STEPS: Final = (1.25, 1.5, 2.0, 4.0, 16.0, 64.0)
"""Times the quoted rate, and parts of it, that are tried for one rate that is signed and one that is not."""
HALVINGS: Final = 8
"""How often the gap between these is halved: of a quote within a quarter of its worth that is known to a thousandth."""
AT_NO_RATE: Final = worded("Not recommended, even at $0")
AT_ANY_RATE: Final = worded("Recommended whatever the rate: no other offer serves this demand")


@dataclass(frozen=True, slots=True)
class WorthSigning:
    """The highest rate, $ per GPU-hour beside the same upfront payment, at which the advice signs; None: why there is
    none. tried: every rate that was planned with, and whether the advice signed at it, in the order of the trials."""

    rate: float | None
    why: Message | None = None
    tried: tuple[tuple[float, bool], ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
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
        offers = tuple(moved if other.offer_id == offer.offer_id else other for other in self.project.offers)
        project = replace(self.project, offers=offers)
        ground = ground_of(project, self.plan, self.pools, self.cache, self.classes)
        for row in plan_of(ground, self.cache).rows:
            for place, known in enumerate(row.row.offers):
                if known.offer_id == offer.offer_id:
                    last_s = COMPARED_MONTHS * MONTH_S
                    if any(order.place == place and order.start_s < last_s for order in row.listed.orders):
                        return True
        return False


def worth_signing(
    quoted: float,
    signs: Callable[[float], bool],
    is_cancelled: IsCancelled = lambda: False,
    guesses: Iterable[float] = (),
) -> WorthSigning:
    """The highest rate that is signed, from the rate quoted on: of STEPS, then HALVINGS of the gap between two of them.

    signs: whether the advice signs the quote at a rate, higher ones less: what follows from a rate that was planned
    with is not planned again. The rate found is signed; one that is higher by what the last halving left may not be.
    guesses: rates that may be it, which change no digit: where one is right, two plans tell that. What is told once it
    is cancelled is of no use. Source: docs/formulas/quotes.md, Award.
    """
    trials: list[tuple[float, bool]] = []

    def is_signed_at(rate: float) -> bool:
        """Whether the advice signs at a rate; kept among the trials where that was planned."""
        if any(rate <= trial for trial, is_signed in trials if is_signed) or is_cancelled():
            return True
        if any(rate >= trial for trial, is_signed in trials if not is_signed):
            return False
        is_signed = signs(rate)
        trials.append((rate, is_signed))
        return is_signed

    for guess in guesses:
        below, above = _last_two(quoted, guess.__ge__)
        if above is not None and not is_signed_at(above) and (below is None or is_signed_at(below)):
            break
    signed, other = _last_two(quoted, is_signed_at)
    if is_cancelled():
        return WorthSigning(None)
    if signed is None or other is None:
        return WorthSigning(None, AT_NO_RATE if signed is None else AT_ANY_RATE, tuple(trials))
    return WorthSigning(signed, tried=tuple(trials))


def _last_two(quoted: float, is_signed_at: Callable[[float], bool]) -> tuple[float | None, float | None]:
    """The highest rate found that is signed, and the lowest that is not; None where none was found."""
    signed: float | None = None
    other: float | None = None
    is_signed = is_signed_at(quoted)
    signed, other = (quoted, None) if is_signed else (None, quoted)
    for step in STEPS:
        tried = quoted * step if is_signed else quoted / step
        signed, other = (tried, other) if is_signed_at(tried) else (signed, tried)
        if signed is not None and other is not None:
            break
    else:
        return signed, other
    for _ in range(HALVINGS):
        middle = (signed + other) / 2
        signed, other = (middle, other) if is_signed_at(middle) else (signed, middle)
    return signed, other
