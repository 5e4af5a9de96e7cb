"""The table of hardware fit, row by row, and the offers that a pool may use by it."""

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from gpuplanner.domain.figures.typed import decimals, percent, significant, whole
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import (
    ANYBODY,
    ModelMapping,
    Only,
    at_ratio,
    gpu_model_of,
    only_of,
    ratio_for,
)
from gpuplanner.domain.model.book.remark import waits
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.lazy_dataclass import dataclass

# --- The table of hardware fit: one function per row, from hardware and need to a light and a reason
# Pools (below) and workloads (workload_fit.py) use the same rows. An unknown property of the hardware is amber; an
# unknown need has no light (None). Source: docs/formulas/hardware-fit.md.


class Light(IntEnum):
    """Traffic light; a higher number is worse, so that `max` is the worst of several."""

    GREEN = 0
    AMBER = 1
    RED = 2


Answer = tuple[Light, Text]
"""A light and, unless it is green, the reason."""

GREEN: Final[Answer] = (Light.GREEN, "")

TRAINING_MEMORY_LEAST_GB: Final = 80
TRAINING_MEMORY_WISHED_GB: Final = 141
FULL: Final = 0.90
"""Above this share of the GPUs' memory, a served model has too little spare memory."""

INTERCONNECT_LIGHT: Final = {
    "infiniband": Light.GREEN,
    "nvlink": Light.GREEN,
    "roce_400": Light.AMBER,
    "roce": Light.RED,
    "ethernet": Light.RED,
    None: Light.AMBER,
}
INTERCONNECT_RANK: Final = {"ethernet": 0, "roce": 0, "roce_400": 1, "infiniband": 2, "nvlink": 2}


def training_memory(has_gb: float | None, needs_gb: float | None = None, *, renews: bool = False) -> Answer:
    """Rate the memory of a GPU in GB. needs_gb: the user's need; None: at least 80, preferably 141.

    renews: the pool runs on this model today and may continue, so that the light is at worst amber.

    >>> training_memory(80)[0].name, training_memory(40)[0].name, training_memory(40, renews=True)[0].name
    ('AMBER', 'RED', 'AMBER')
    """
    if has_gb is None:
        return Light.AMBER, worded("GPU memory not stated")
    least, wished = (
        (TRAINING_MEMORY_LEAST_GB, TRAINING_MEMORY_WISHED_GB) if needs_gb is None else (needs_gb, needs_gb)
    )
    if has_gb >= wished:
        return GREEN
    has, wish = significant(has_gb), significant(wished)
    if has_gb >= least:
        return Light.AMBER, worded("{has} GB fits; {wished} GB recommended", has=has, wished=wish)
    light = Light.AMBER if renews else Light.RED  # a pool may renew its present GPUs
    return light, worded("{has} GB is under {least} GB", has=has, least=significant(least))


AMBER_MARGIN: Final = 1.15
"""Largest ratio of measured to calculated memory of a run: green leaves this margin, red exceeds it."""


def light_of(need_gib: float, card_gb: float) -> Light:
    """Rate the memory of a run of a known model: green with a margin of a seventh, red a seventh over.

    need_gib: GiB per GPU. card_gb: GB of the card. `has_room` divides amber.

    >>> light_of(52.0, 80).name, light_of(78, 80).name, light_of(93, 80).name
    ('GREEN', 'AMBER', 'RED')
    """
    if AMBER_MARGIN * need_gib <= card_gb:
        return Light.GREEN
    return Light.AMBER if need_gib <= AMBER_MARGIN * card_gb else Light.RED


def has_room(need_gib: float, card_gb: float) -> bool:
    """Return whether a card has the memory that a run needs, without a margin, so that advice may name it.

    >>> has_room(80, 80), has_room(90.2, 80)
    (True, False)
    """
    return need_gib <= card_gb


def memory_words(light: Light, *, is_held: bool) -> Text:
    """Return the verdict on memory in words.

    is_held: the need is within the card's memory; without it, amber may not fit.
    """
    if light is Light.AMBER:
        return worded("fits barely") if is_held else worded("may not fit")
    return worded("fits") if light is Light.GREEN else worded("does not fit")


def trained_memory(has_gb: float | None, needs_gib: float) -> Answer:
    """Rate a GPU's memory in GB for a run of a known model.

    needs_gib: GiB per GPU. Source: docs/formulas/training.md.
    """
    if has_gb is None:
        return Light.AMBER, worded("GPU memory not stated")
    light = light_of(needs_gib, has_gb)
    if light is Light.GREEN:
        return GREEN
    fits, needs = memory_words(light, is_held=has_room(needs_gib, has_gb)), significant(needs_gib)
    words = worded(
        "{fits}: the run needs {needs} GiB per GPU, the GPU has {has} GB",
        fits=fits,
        needs=needs,
        has=significant(has_gb),
    )
    return light, words


def training_interconnect(
    has: str | None, *, several_nodes: bool, needs: str | None = None, gbps: float | None = None
) -> Answer:
    """Rate the network between nodes. has: from `network_of`, None if not stated; gbps: Gb/s of a node.

    needs: the user's minimum; None: InfiniBand or NVLink, with RoCE of 400 Gb/s as amber. Green on a single node.

    >>> training_interconnect("ethernet", several_nodes=True)[0].name
    'RED'
    """
    if not several_nodes:
        return GREEN
    if needs is not None and INTERCONNECT_RANK.get(has or "", -1) >= INTERCONNECT_RANK[needs]:
        return GREEN
    light = INTERCONNECT_LIGHT.get(has, Light.AMBER)
    if needs is not None and INTERCONNECT_RANK[needs] == 0 and has is None:
        light = Light.GREEN  # any network is enough
    if light is Light.GREEN:
        return GREEN
    if gbps is not None:
        fast = worded("{gbps} Gb/s per node, several nodes, no InfiniBand with RDMA", gbps=significant(gbps))
        slow = worded("{gbps} Gb/s per node, several nodes", gbps=significant(gbps))
        return light, fast if light is Light.AMBER else slow
    return light, worded("interconnect {has}, several nodes", has=has or worded("not stated"))


def training_bare_metal(has: bool | None, *, several_nodes: bool, needs: bool = True) -> Answer:
    """Rate bare metal or virtual machines: virtual is red for jobs on several nodes, amber on one.

    has: None if not stated, which is amber. needs: False if the user does not need bare metal.
    """
    if has is True or not needs:
        return GREEN
    if has is None:
        return Light.AMBER, worded("bare metal not stated")
    if several_nodes:
        return (Light.RED, worded("virtual, several nodes"))
    return (Light.AMBER, worded("virtual, one node"))


def training_cluster(*, is_shared: bool, contended_gpu_hours: float, needs: bool = True) -> Answer:
    """Rate a shared cluster for training: red with contention, amber if other classes run on it.

    contended_gpu_hours: the workload's GPU-hours next to inference in hours with too few GPUs; any are red. needs:
    False if the user does not need a separate cluster.
    """
    if not needs:
        return GREEN
    if contended_gpu_hours > 0:
        ran = decimals(contended_gpu_hours, 0 if contended_gpu_hours >= 10 else 1)
        return Light.RED, worded("{ran} GPU-h with inference in hours over capacity", ran=ran)
    return (Light.AMBER, worded("shared with other classes, no contention yet")) if is_shared else GREEN


def served_memory(needs_gb: float, has_gb: float | None) -> Answer:
    """Rate the memory for weights and KV cache: red over 100% of the GPUs' memory, amber over 90%.

    Units: GB, of all GPUs for one copy. Exactly 90% is green, exactly 100% amber.

    >>> served_memory(90, 100)[0].name, served_memory(95, 100)[0].name, served_memory(101, 100)[0].name
    ('GREEN', 'AMBER', 'RED')
    """
    if has_gb is None:
        return Light.AMBER, worded("GPU memory not stated")
    needs, has = significant(needs_gb, 4), significant(has_gb, 4)
    if needs_gb > has_gb:
        return Light.RED, worded("{needs} GB exceed {has} GB", needs=needs, has=has)
    if needs_gb > FULL * has_gb * (1 + 1e-12):
        full = percent(FULL)
        words = worded("{needs} of {has} GB, over {full} full", needs=needs, has=has, full=full)
        return Light.AMBER, words
    return GREEN


def served_interconnect(has: str | None, *, is_needed: bool = False) -> Answer:
    """Rate the interconnect for inference: amber for InfiniBand that it pays for and does not use; never red.

    is_needed: the user states that the model is served over several nodes.
    """
    if has == "infiniband" and not is_needed:
        return Light.AMBER, worded("pays for an interconnect inference does not use")
    return GREEN


def burst_term(term_hours: float, active_hours: float) -> Answer:
    """Rate a term against the hours of activity of the work: amber if longer, never red; 0 h ends with the work.

    Units: hours; inf is a term without an end.

    >>> burst_term(0, 100)[0].name, burst_term(730, 100)[0].name
    ('GREEN', 'AMBER')
    """
    if term_hours <= active_hours:
        return GREEN
    if term_hours == float("inf"):
        bound = worded("has no end")
    else:
        bound = worded("is {term_hours} h", term_hours=whole(term_hours))
    return Light.AMBER, worded("term {bound}, work active {hours} h", bound=bound, hours=whole(active_hours))


# --- Offers that a pool may use: hardware that is not red for it (docs/formulas/hardware-fit.md)


@dataclass(frozen=True, slots=True)
class Need:
    """Requirements of a pool for hardware and provider. gpu_model: None: unknown, so that every offer is eligible.

    several_nodes: jobs run on several nodes. only: allowed providers and regions.
    """

    pool: Pool
    gpu_model: str | None
    several_nodes: bool = False
    only: Only = ANYBODY


def need_of(pool: Pool, name: str | None, several_nodes: bool = False) -> Need:
    """Return the requirements of a plan row. name: its GPU model, or the name of limited demand.

    None: unknown model without a limit. several_nodes: a job of the row runs on several nodes.
    """
    return Need(pool, gpu_model_of(name), several_nodes, only_of(name))


def _memory(offer: Offer, need: Need) -> Answer:
    """Rate an offer's memory, for training only; at worst amber for the pool's present GPU model."""
    if need.pool is not Pool.TRAINING:
        return GREEN
    return training_memory(offer.gpu_memory_gb, renews=need.gpu_model == offer.gpu_model)


def _interconnect(offer: Offer, need: Need) -> Answer:
    """Rate an offer's network: training on several nodes needs a fast one; inference should not pay for one."""
    if need.pool is Pool.INFERENCE:
        return served_interconnect(offer.interconnect)
    is_asked = need.pool is Pool.TRAINING and need.several_nodes
    return training_interconnect(offer.network, several_nodes=is_asked, gbps=offer.nic_gbps)


def _bare_metal(offer: Offer, need: Need) -> Answer:
    """Rate bare metal, for training only."""
    if need.pool is not Pool.TRAINING:
        return GREEN
    return training_bare_metal(offer.bare_metal, several_nodes=need.several_nodes)


FIT_RULES: Final[tuple[Callable[[Offer, Need], Answer], ...]] = (_memory, _interconnect, _bare_metal)
"""Rules for offers of a pool; workloads have further rules (workload_fit.py)."""


class HardwareLight(NamedTuple):
    """The worst light of all rules, and the reasons of those that are not green."""

    light: Light
    reasons: tuple[Text, ...]


def hardware_fit(offer: Offer, need: Need) -> HardwareLight:
    """Return the worst light of all rules for an offer, and the reasons of those that are not green.

    Properties that are not stated are amber. Source: docs/formulas/hardware-fit.md.
    """
    answers = [rule(offer, need) for rule in FIT_RULES]
    return HardwareLight(
        light=max(light for light, _ in answers),
        reasons=tuple(reason for light, reason in answers if light is not Light.GREEN),
    )


def eligible_offers(
    offers: Iterable[Offer], need: Need, mappings: Sequence[ModelMapping] = ()
) -> tuple[Offer, ...]:
    """Return the eligible offers: of the need's model or mapped to it (all for an unknown model), allowed to serve,
    with
    hardware that is not red, and without an open remark on a commitment.

    In the given order. Rates are per GPU of the need's model: those of a mapped model are divided by the ratio.
    """
    if need.only != ANYBODY:
        offers = filter(need.only.allows, offers)
    if not mappings:  # price lists have thousands of offers
        return tuple(
            offer
            for offer in offers
            if ratio_for((), need.gpu_model, offer.gpu_model) and _may_serve(offer, need)
        )
    rated = ((offer, ratio_for(mappings, need.gpu_model, offer.gpu_model, need.pool)) for offer in offers)
    return tuple(
        at_ratio(offer, ratio) for offer, ratio in rated if ratio is not None and _may_serve(offer, need)
    )


def _may_serve(offer: Offer, need: Need) -> bool:
    """Return whether an offer sells GPUs with hardware that is not red, and has no open remark."""
    sells_gpus = offer.tokens_per_minute_per_unit is None
    return sells_gpus and waits(offer) is None and hardware_fit(offer, need).light is not Light.RED


def cheapest(offers: Iterable[Offer], category: str) -> Offer | None:
    """Return the offer of a pricing category with the lowest rate (ties: lowest offer_id); None without one.

    category: a PricingCategory. The rate is without upfront payment; a rate of 0 counts as not stated.
    """
    priced = [offer for offer in offers if offer.pricing_category == category and offer.rate]
    return min(priced, key=lambda offer: (offer.rate or 0.0, offer.offer_id), default=None)


def steady_offers(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Return priced offers without interruptions, except terms below their minimum; cheapest first (ties: lowest
    offer_id).

    Sorted by the rate including the upfront payment.
    """
    usable = [
        offer
        for offer in offers
        if offer.rate
        and (
            offer.pricing_category == PricingCategory.STANDARD
            or (offer.pricing_category.is_commitment and offer.term_months >= max(1, offer.min_term_months))
        )
    ]
    return tuple(sorted(usable, key=lambda offer: (offer.spread_rate or 0.0, offer.offer_id)))
