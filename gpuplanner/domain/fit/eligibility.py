"""Which offers a pool may use: hardware that is not red for it (docs/formulas.md, Hardware fit)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.pool import Pool


class Light(IntEnum):
    """Traffic light; higher is worse."""

    GREEN = 0
    AMBER = 1
    RED = 2


@dataclass(frozen=True, slots=True)
class Need:
    """What a pool asks of hardware. gpu_model None: the demand's model is unknown, every offer is open to it."""

    pool: Pool
    gpu_model: str | None
    several_nodes: bool = False


def _memory(offer: Offer, need: Need) -> tuple[Light, str]:
    if need.pool is not Pool.TRAINING:
        return Light.GREEN, ""
    if offer.gpu_memory_gb is None:
        return Light.AMBER, "GPU memory is not stated"
    if offer.gpu_memory_gb >= 141:
        return Light.GREEN, ""
    if offer.gpu_memory_gb >= 80 or need.gpu_model is not None:  # a pool may renew what it runs on
        return Light.AMBER, f"{offer.gpu_memory_gb:g} GB is under 141 GB"
    return Light.RED, f"{offer.gpu_memory_gb:g} GB is under 80 GB"


INTERCONNECT_LIGHT: Final = {
    "infiniband": Light.GREEN,
    "nvlink": Light.GREEN,
    "roce_400": Light.AMBER,
    "roce": Light.RED,
    "ethernet": Light.RED,
    None: Light.AMBER,
}


def _interconnect(offer: Offer, need: Need) -> tuple[Light, str]:
    if need.pool is Pool.INFERENCE and offer.interconnect == "infiniband":
        return Light.AMBER, "pays for an interconnect that inference does not use"
    if need.pool is not Pool.TRAINING or not need.several_nodes:
        return Light.GREEN, ""
    light = INTERCONNECT_LIGHT.get(offer.interconnect, Light.AMBER)
    return (
        light,
        "" if light is Light.GREEN else f"interconnect {offer.interconnect or 'not stated'}, several nodes",
    )


def _bare_metal(offer: Offer, need: Need) -> tuple[Light, str]:
    if need.pool is not Pool.TRAINING or offer.bare_metal is True:
        return Light.GREEN, ""
    if offer.bare_metal is None:
        return Light.AMBER, "bare metal is not stated"
    return (Light.RED, "virtual, several nodes") if need.several_nodes else (Light.AMBER, "virtual, one node")


FIT_RULES: Final[tuple[Callable[[Offer, Need], tuple[Light, str]], ...]] = (
    _memory,
    _interconnect,
    _bare_metal,
)


def hardware_fit(offer: Offer, need: Need) -> tuple[Light, tuple[str, ...]]:
    """The worst light of all rules, and the reasons of every rule that is not green."""
    answers = [rule(offer, need) for rule in FIT_RULES]
    return max(light for light, _ in answers), tuple(
        reason for light, reason in answers if light is not Light.GREEN
    )


def eligible_offers(offers: Iterable[Offer], need: Need) -> tuple[Offer, ...]:
    """Offers of the need's model (all of them for an unknown model) whose hardware is not red, in given order."""
    return tuple(
        offer
        for offer in offers
        if need.gpu_model in (None, offer.gpu_model) and hardware_fit(offer, need)[0] is not Light.RED
    )


def cheapest(offers: Iterable[Offer], category: str) -> Offer | None:
    """The offer of a pricing category with the lowest stated rate (ties: lowest offer_id); None without one."""
    priced = [offer for offer in offers if offer.pricing_category == category and offer.rate]
    return min(priced, key=lambda offer: (offer.rate or 0.0, offer.offer_id), default=None)
