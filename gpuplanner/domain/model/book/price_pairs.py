"""Price differences: between two offers, and between providers of the same GPU model."""

from collections.abc import Iterable

from gpuplanner.domain.figures.order import OFFER_PAIR
from gpuplanner.domain.model.book.all_in_rate import all_in
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PricePair:
    """Two priced offers. below: how far the all-in rate of `lower` is below that of `higher`, 0..1."""

    lower: Offer
    higher: Offer
    below: float


def share_below(offer: Offer, chosen: Offer) -> float | None:
    """Return how far one offer's all-in rate is below another's, 0..1, negative if above; None if one is unknown.

    Source: figures/order.py.
    """
    given = {"rate": all_in(offer).total, "chosen_rate": all_in(chosen).total}
    return OFFER_PAIR.row(given, ["below"])["below"]


def widest_pair(offers: Iterable[Offer]) -> PricePair | None:
    """Return the pair of offers with the largest difference (ties: lowest offer_ids); None without two rates."""
    priced = [(total, offer.offer_id, offer) for offer in offers if (total := all_in(offer).total)]
    if not priced:
        return None
    lower, higher = min(priced)[-1], min(priced, key=lambda entry: (-entry[0], entry[1]))[-1]
    below = share_below(lower, higher)
    return PricePair(lower, higher, below) if below else None


def widest_alike(offers: Iterable[Offer]) -> PricePair | None:
    """Return the widest pair of offers with the same category and term.

    Ties: lowest offer_ids. None if no category and term has two rates.
    """
    groups: dict[tuple[PricingCategory, int], list[Offer]] = {}
    for offer in offers:
        groups.setdefault((offer.pricing_category, offer.term_months), []).append(offer)
    pairs = [pair for group in groups.values() if (pair := widest_pair(group)) is not None]
    return min(pairs, key=lambda pair: (-pair.below, pair.lower.offer_id, pair.higher.offer_id), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderPair:
    """Rates of a GPU model, $ per GPU-hour. percent_below: 0..100. like_for_like: same category and term."""

    gpu_model: str
    provider: str
    against: str
    usd_per_gpu_hour: float
    against_usd_per_gpu_hour: float
    percent_below: float
    like_for_like: bool


def price_pairs(offers: Iterable[Offer]) -> tuple[ProviderPair, ...]:
    """Return for every two providers of a GPU model the cheaper rate against the other's: for each category and term
    that
    both sell, and the cheapest rate of one, whatever its terms, against the other's on-demand rate.

    Sorted by model, other provider, and largest difference first. Source: docs/formulas/savings.md, One provider alone.
    """
    rates: dict[tuple[str, str], dict[tuple[str, float], float]] = {}
    for offer in offers:
        rate, terms = offer.spread_rate, (offer.pricing_category.value, offer.term_hours)
        if offer.provider and rate and offer.pricing_category is not PricingCategory.OWNED:
            sold = rates.setdefault((offer.gpu_model, offer.provider), {})
            sold[terms] = min(rate, sold.get(terms, rate))
    by_use, below = (PricingCategory.STANDARD.value, 0.0), list[ProviderPair]()
    for (model, name), own in rates.items():
        for other, theirs in (
            (who, ways) for (sold_model, who), ways in rates.items() if sold_model == model and who != name
        ):
            pairs = [(own[terms], theirs[terms], True) for terms in own if terms in theirs]
            cheapest = min(own, key=lambda terms: own[terms])
            if cheapest != by_use and by_use in theirs:
                pairs.append((own[cheapest], theirs[by_use], False))
            below += [
                ProviderPair(
                    gpu_model=model,
                    provider=name,
                    against=other,
                    usd_per_gpu_hour=rate,
                    against_usd_per_gpu_hour=against,
                    percent_below=100 * (1 - rate / against),
                    like_for_like=alike,
                )
                for rate, against, alike in pairs
                if rate < against
            ]
    return tuple(
        sorted(below, key=lambda pair: (pair.gpu_model, pair.against, -pair.percent_below, pair.provider))
    )
