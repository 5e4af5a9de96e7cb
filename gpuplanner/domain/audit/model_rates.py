"""Rates of GPU models beside each other: at the ratios that the planner states, and month by month."""

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import Final, NamedTuple

from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.mix import EQUIVALENT, GAP, MODEL_PREMIUM
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.only import ratio_between
from gpuplanner.domain.model.book.price_history import histories, is_dated
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.lazy_dataclass import dataclass

# --- GPU models beside each other, at the ratios that the planner states ---------------------------

H100: Final = "H100"
UNNAMED: Final = ""


@dataclass(frozen=True, slots=True)
class ModelRate:
    """A GPU model at a stated ratio to another (None: none is stated), whose GPUs do `ratio` of one of these each.

    figures: those of figures/mix.py, EQUIVALENT or MODEL_PREMIUM.
    """

    gpu_model: str
    against: str
    ratio: float | None
    figures: Mapping[str, float | None]

    @property
    def source(self) -> Text:
        """Who says the ratio."""
        return worded("stated") if self.ratio is not None and self.gpu_model != self.against else ""


def h100_equivalents(past: Past) -> tuple[ModelRate, ...]:
    """What is paid, and its rate, in H100-hours; a model that is offered alone at its cheapest rate, by name."""
    paid, offered, mappings = paid_models(past), offered_models(past), past.project.mappings
    rows = []
    for model in sorted({*paid, *offered}):
        ratio = ratio_between(mappings, model, H100)
        if model in paid or (ratio is not None and model != H100):
            inputs = paid.get(model, {"gpu_hours": 0.0, "rate": offered.get(model)}) | {"ratio": ratio}
            rows.append(ModelRate(model, H100, ratio, EQUIVALENT.row(inputs)))
    return tuple(rows)


def model_premiums(past: Past) -> tuple[ModelRate, ...]:
    """What each model that is paid costs a month above the same work on a cheaper one; pairs with a stated ratio."""
    paid, offered = paid_models(past), offered_models(past)
    rows = []
    for model, other in product(sorted(paid), sorted({*paid, *offered})):
        ratio = ratio_between(past.project.mappings, model, other)
        rate = offered.get(other) or paid.get(other, {}).get("rate")
        inputs = paid[model] | {"against_rate": rate, "ratio": ratio, "months": past.project.window.months}
        row = MODEL_PREMIUM.row(inputs)
        if model != other and (row["premium"] or 0.0) > 0:
            rows.append(ModelRate(model, other, ratio, row))
    return tuple(rows)


def paid_models(past: Past) -> dict[str, dict[str, float | None]]:
    """By GPU model: GPU-hours of the window that are paid for, and their mean rate (None: one is missing)."""
    sums: dict[str, tuple[float, float | None]] = {}
    for contract, more in contracts_of(past):
        model = contract.gpu_model or UNNAMED
        hours, usd = sums.get(model, (0.0, 0.0))
        of_this = None if contract.rate is None else more * contract.rate
        sums[model] = (hours + more, known_sum((usd, of_this)))
    return {
        model: {"gpu_hours": hours, "rate": None if usd is None else usd / hours}
        for model, (hours, usd) in sums.items()
    }


def contracts_of(past: Past, gpu_model: str | None = None) -> Iterator[tuple[Contract, float]]:
    """Contracts that were paid for in the window, with their GPU-hours. gpu_model: only those of it; None: all."""
    for cluster in past.clusters:
        for contract, by_hour in zip(cluster.contracts, cluster.capacity, strict=True):
            hours = int(by_hour.sum()) / MILLI_GPU_SECONDS_PER_GPU_HOUR
            if hours and gpu_model in (None, contract.gpu_model or UNNAMED):
                yield contract, hours


def offered_models(past: Past) -> dict[str, float]:
    """By GPU model its cheapest rate, spot left out."""
    cheapest: dict[str, float] = {}
    for offer in past.project.offers:
        if offer.rate is not None and offer.pricing_category is not PricingCategory.DYNAMIC:
            cheapest[offer.gpu_model] = min(offer.rate, cheapest.get(offer.gpu_model, offer.rate))
    return cheapest


# --- What two GPU models differ by, month by month, at rates that say their day ---------------------


class Gap(NamedTuple):
    """Two GPU models in a month, each at its cheapest dated rate; figures: those of figures/mix.py, GAP."""

    month: str
    gpu_model: str
    against: str
    figures: Mapping[str, float | None]
    source: str


def price_gaps(past: Past) -> tuple[Gap, ...]:
    """By pair, the more expensive of the last month first, then month; pairs that have two months of rates or more.

    A rate holds until the next of its offer; spot is left out. Months: those in which a rate is dated.
    """
    by_month: dict[str, dict[str, tuple[float, str]]] = {}
    known = histories(past.project.offers, past.project.earlier_offers)
    dated = [offer for rows in known.values() for offer in rows if is_dated(offer)]
    months = sorted({(offer.as_of or "")[:7] for offer in dated})
    for rows, month in product(known.values(), months):
        held = [offer for offer in rows if is_dated(offer) and (offer.as_of or "")[:7] <= month]
        if held and held[-1].rate and held[-1].pricing_category is not PricingCategory.DYNAMIC:
            newest, cheapest = held[-1], by_month.setdefault(month, {})
            listed = (held[-1].rate, newest.source or newest.provider or newest.offer_id)
            cheapest[newest.gpu_model] = min(listed, cheapest.get(newest.gpu_model, listed))
    gaps = []
    for pair in combinations(sorted({offer.gpu_model for offer in dated}), 2):
        shared = [month for month in months if all(name in by_month.get(month, {}) for name in pair)]
        if len(shared) > 1:
            last = by_month[shared[-1]]
            model, other = sorted(pair, key=lambda name: (-last[name][0], name))
            for month in shared:
                (rate, source), (less, of_other) = by_month[month][model], by_month[month][other]
                figures = GAP.row({"rate": rate, "against_rate": less})
                gaps.append(
                    Gap(
                        month=month,
                        gpu_model=model,
                        against=other,
                        figures=figures,
                        source=" / ".join(dict.fromkeys((source, of_other))),
                    )
                )
    return tuple(gaps)
