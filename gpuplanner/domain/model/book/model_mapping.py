"""Mapped GPU models: whose GPUs may do the work of another model's, and how many of those each is worth."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import ceil
from typing import Final

from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import is_part

LEAST_RATIO: Final = 0.01
MOST_RATIO: Final = 100.0
ROUNDING: Final = 1e-9
"""GPUs: what is a rounding over a whole GPU does not need another."""


@dataclass(frozen=True, slots=True)
class ModelMapping:
    """Demand for `gpu_model` may be met by offers of `offer_model`; one of those does the work of `ratio` GPUs.

    Source: docs/formulas.md, Mapped GPU models.
    """

    gpu_model: str
    offer_model: str
    ratio: float


def check_mapping(mapping: ModelMapping) -> ModelMapping:
    """The mapping itself. Errors: PlannerError where a model is mapped onto itself or the ratio is out of range.

    A ratio is LEAST_RATIO to MOST_RATIO.
    """
    name = f"{mapping.gpu_model}={mapping.offer_model}"
    if not mapping.gpu_model or not mapping.offer_model:
        raise PlannerError(name, "usage", worded("a GPU model has no name"), worded("name the two models"))
    if mapping.gpu_model.casefold() == mapping.offer_model.casefold():
        raise PlannerError(
            name, "usage", worded("a GPU model is mapped onto itself"), worded("name another model")
        )
    is_number = isinstance(mapping.ratio, int | float) and not isinstance(mapping.ratio, bool)
    if not is_number or not LEAST_RATIO <= mapping.ratio <= MOST_RATIO:
        raise PlannerError(
            name,
            "usage",
            worded("a ratio of {ratio} is out of range", ratio=significant(mapping.ratio)),
            worded(
                "enter {least_ratio} to {most_ratio}",
                least_ratio=significant(LEAST_RATIO),
                most_ratio=significant(MOST_RATIO),
            ),
        )
    return mapping


def ratio_for(mappings: Iterable[ModelMapping], gpu_model: str | None, offer_model: str) -> float | None:
    """GPUs of a demand's model that one GPU of an offer's model is worth; None where it may not serve it.

    1 for the model itself, and for demand of unknown model (None), to which every offer of whole GPUs is open.
    gpu_model: that of the demand, or the name that it is planned under.
    """
    gpu_model = gpu_model_of(gpu_model)
    if gpu_model is None:
        return None if is_part(offer_model) else 1.0
    if gpu_model == offer_model:
        return 1.0
    return next(
        (one.ratio for one in mappings if one.gpu_model == gpu_model and one.offer_model == offer_model), None
    )


def ratios_of(
    offers: Iterable[Offer], gpu_model: str | None, mappings: Sequence[ModelMapping]
) -> dict[str, float]:
    """By offer_id what `ratio_for` says of those offers that are of another model than the demand.

    Empty for demand of unknown model, and without mappings. gpu_model: as in `ratio_for`.
    """
    gpu_model = gpu_model_of(gpu_model)
    if gpu_model is None or not mappings:
        return {}
    found = {
        offer.offer_id: ratio_for(mappings, gpu_model, offer.gpu_model)
        for offer in offers
        if offer.gpu_model != gpu_model
    }
    return {offer_id: ratio for offer_id, ratio in found.items() if ratio is not None}


def at_ratio(offer: Offer, ratio: float) -> Offer:
    """The offer at its rate for the work of one GPU of the demand's model; the offer itself at 1.

    max_gpus, min_gpus and unit_gpus stay in GPUs of the offer's model.
    """
    if ratio == 1 or offer.rate_usd_per_gpu_hour is None:
        return offer
    share = Decimal(repr(ratio))
    upfront = None if offer.upfront_usd is None else offer.upfront_usd / share
    return replace(offer, rate_usd_per_gpu_hour=offer.rate_usd_per_gpu_hour / share, upfront_usd=upfront)


def whole_gpus(gpus: float, ratio: float, unit: int = 1) -> float:
    """Whole units of GPUs of the offer's model that do the work of `gpus` of the demand's model.

    ratio: GPUs of the demand's model that one GPU of the offer's is worth; unit: GPUs that are sold together.

    >>> whole_gpus(10, 1.6), whole_gpus(10, 1.6, 4), whole_gpus(8, 1.6)
    (7.0, 8.0, 5.0)
    """
    return float(unit * ceil(gpus / ratio / unit - ROUNDING))


def paid_gpus(gpus: float, ratio: float | None, unit: int | None = None) -> float:
    """GPUs of the demand's model that are paid for where `gpus` of it are bought; `gpus` itself without ratio and unit.

    Law: never under `gpus`, and under `gpus + ratio x unit`.
    """
    if ratio is None and unit is None:
        return gpus
    return whole_gpus(gpus, ratio or 1.0, unit or 1) * (ratio or 1.0)
