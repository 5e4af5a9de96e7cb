"""The traffic-light table of hardware fit, row by row, and which offers a pool may use by it."""

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from typing import Final

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

# --- The traffic-light table: one function a row, from what hardware has and what is needed to a light and a reason
# Pools (below) and workloads (workload_fit.py) ask the same rows. An unknown field of the hardware is amber; a need
# that nobody knows has no light (None). Source: docs/formulas/hardware-fit.md.


class Light(IntEnum):
    """Traffic light; higher is worse.

    Lights compare as numbers, so that `max` is the worst of several.
    """

    GREEN = 0
    AMBER = 1
    RED = 2


Answer = tuple[Light, Text]
"""A light and, where it is not green, why."""

GREEN: Final[Answer] = (Light.GREEN, "")

TRAINING_MEMORY_LEAST_GB: Final = 80
TRAINING_MEMORY_WISHED_GB: Final = 141
FULL: Final = 0.90
"""Above this share of the GPUs' memory a served model leaves no room to breathe."""

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
    """Memory of one GPU in GB. needs_gb: the planner's; None: at least 80, better 141. renews: at worst amber.

    renews: the pool runs on this model today and may go on with it, whatever its memory.
    Returns green without words, else the light and both numbers in words.

    >>> training_memory(80)[0].name, training_memory(40)[0].name, training_memory(40, renews=True)[0].name
    ('AMBER', 'RED', 'AMBER')
    """
    if has_gb is None:
        return Light.AMBER, worded("GPU memory is not stated")
    least, wished = (
        (TRAINING_MEMORY_LEAST_GB, TRAINING_MEMORY_WISHED_GB) if needs_gb is None else (needs_gb, needs_gb)
    )
    if has_gb >= wished:
        return GREEN
    has, wish = significant(has_gb), significant(wished)
    if has_gb >= least:
        return Light.AMBER, worded("{has_gb} GB fits; {wished} GB recommended", has_gb=has, wished=wish)
    light = Light.AMBER if renews else Light.RED  # a pool may renew what it runs on
    return light, worded("{has_gb} GB is under {least} GB", has_gb=has, least=significant(least))


AMBER_MARGIN: Final = 1.15
"""Readings lie up to so much over what is worked out of a run: green leaves it free, red is over it."""


def light_of(need_gib: float, card_gb: float) -> Light:
    """Memory of a run of a known model. Green with a seventh to spare, red a seventh over; `has_room`: which amber has
    room.

    >>> light_of(52.0, 80).name, light_of(78, 80).name, light_of(93, 80).name
    ('GREEN', 'AMBER', 'RED')
    """
    if AMBER_MARGIN * need_gib <= card_gb:
        return Light.GREEN
    return Light.AMBER if need_gib <= AMBER_MARGIN * card_gb else Light.RED


def has_room(need_gib: float, card_gb: float) -> bool:
    """Whether a card has the memory that a run needs, without the formula's uncertainty: what advice may name.

    >>> has_room(80, 80), has_room(90.2, 80)
    (True, False)
    """
    return need_gib <= card_gb


def memory_words(light: Light, *, is_held: bool) -> Text:
    """A light of memory in words; amber above the card's memory may not fit."""
    if light is Light.AMBER:
        return worded("fits barely") if is_held else worded("may not fit")
    return worded("fits") if light is Light.GREEN else worded("does not fit")


def trained_memory(has_gb: float | None, needs_gib: float) -> Answer:
    """Memory of one GPU beside what a run of a known model needs of it. Source: docs/formulas/training.md."""
    if has_gb is None:
        return Light.AMBER, worded("GPU memory is not stated")
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
    """The network between nodes. needs: the planner's least; None: InfiniBand or NVLink, RoCE of 400 Gb/s at a cost.

    has: what the hardware's network trains like (`network_of`), None where it is not stated; gbps: Gb/s of a node. On
    one node nothing is asked, and nothing can be missing.

    >>> training_interconnect("ethernet", several_nodes=True)[0].name
    'RED'
    """
    if not several_nodes:
        return GREEN
    if needs is not None and INTERCONNECT_RANK.get(has or "", -1) >= INTERCONNECT_RANK[needs]:
        return GREEN
    light = INTERCONNECT_LIGHT.get(has, Light.AMBER)
    if needs is not None and INTERCONNECT_RANK[needs] == 0 and has is None:
        light = Light.GREEN  # any network will do
    if light is Light.GREEN:
        return GREEN
    if gbps is not None:
        fast = worded("{gbps} Gb/s a node, no InfiniBand with RDMA, several nodes", gbps=significant(gbps))
        slow = worded("{gbps} Gb/s a node, several nodes", gbps=significant(gbps))
        return light, fast if light is Light.AMBER else slow
    return light, worded("interconnect {has}, several nodes", has=has or worded("not stated"))


def training_bare_metal(has: bool | None, *, several_nodes: bool, needs: bool = True) -> Answer:
    """Bare metal, or virtual machines: red for a job of several nodes, amber for one of a single node.

    has: None where it is not stated, which is amber however many nodes a job has. needs: False where the
    planner asks for none.
    """
    if has is True or not needs:
        return GREEN
    if has is None:
        return Light.AMBER, worded("bare metal is not stated")
    if several_nodes:
        return (Light.RED, worded("virtual, several nodes"))
    return (Light.AMBER, worded("virtual, one node"))


def training_cluster(*, is_shared: bool, contended_gpu_hours: float, needs: bool = True) -> Answer:
    """Whether other classes run on its cluster, and whether training met too few GPUs beside inference.

    contended_gpu_hours: GPU-hours of the workload in hours with more demand than GPUs in which inference ran
    too; any of them is red.
    needs: False where the planner does not ask for a cluster of its own.
    """
    if not needs:
        return GREEN
    if contended_gpu_hours > 0:
        ran = decimals(contended_gpu_hours, 0 if contended_gpu_hours >= 10 else 1)
        return Light.RED, worded("hours over capacity, {ran} GPU-h ran together with inference", ran=ran)
    return (Light.AMBER, worded("shared with other classes, no contention yet")) if is_shared else GREEN


def served_memory(needs_gb: float, has_gb: float | None) -> Answer:
    """Weights and KV cache beside the memory of the GPUs that hold them: red over 100%, amber over 90%.

    Units: GB, of all GPUs that hold one copy. Exactly 90% is green, exactly 100% amber.

    >>> served_memory(90, 100)[0].name, served_memory(95, 100)[0].name, served_memory(101, 100)[0].name
    ('GREEN', 'AMBER', 'RED')
    """
    if has_gb is None:
        return Light.AMBER, worded("GPU memory is not stated")
    if needs_gb > has_gb:
        return Light.RED, worded(
            "{needs_gb} GB do not fit in {has_gb} GB",
            needs_gb=significant(needs_gb, 4),
            has_gb=significant(has_gb, 4),
        )
    if needs_gb > FULL * has_gb * (1 + 1e-12):
        return Light.AMBER, worded(
            "{needs_gb} of {has_gb} GB, over {full} full",
            needs_gb=significant(needs_gb, 4),
            has_gb=significant(has_gb, 4),
            full=percent(FULL),
        )
    return GREEN


def served_interconnect(has: str | None, *, is_needed: bool = False) -> Answer:
    """Training-grade hardware under inference: an interconnect that it pays for and does not use.

    is_needed: the planner says that the model is served over several nodes. Never red: it costs more and
    harms nothing.
    """
    if has == "infiniband" and not is_needed:
        return Light.AMBER, worded("pays for an interconnect that inference does not use")
    return GREEN


def burst_term(term_hours: float, active_hours: float) -> Answer:
    """A term beside the hours in which the work is active; 0 is released when done.

    Units: hours; inf is a term without an end. Never red: a term that is too long costs money and stops no
    work.

    >>> burst_term(0, 100)[0].name, burst_term(730, 100)[0].name
    ('GREEN', 'AMBER')
    """
    if term_hours <= active_hours:
        return GREEN
    if term_hours == float("inf"):
        bound = worded("has no end")
    else:
        bound = worded("is {term_hours} h", term_hours=whole(term_hours))
    return Light.AMBER, worded(
        "the term {bound}, the work is active {active_hours} h", bound=bound, active_hours=whole(active_hours)
    )


# --- Which offers a pool may use: hardware that is not red for it (docs/formulas/hardware-fit.md)


@dataclass(frozen=True, slots=True)
class Need:
    """What a pool asks of hardware, and of who has it. gpu_model None: the demand's model is unknown, every offer is
    open to it."""

    pool: Pool
    gpu_model: str | None
    several_nodes: bool = False
    only: Only = ANYBODY


def need_of(pool: Pool, name: str | None, several_nodes: bool = False) -> Need:
    """What a row of the plan needs, by the name that its demand is planned under.

    name: GPU model, or the name of demand that only some may serve, from which both are read. None: model
    unknown, anybody may serve it.
    several_nodes: whether a job of the row runs on more than one node.
    """
    return Need(pool, gpu_model_of(name), several_nodes, only_of(name))


def _memory(offer: Offer, need: Need) -> Answer:
    """Only training asks an offer for memory by itself; a model that it runs on today is at worst amber."""
    if need.pool is not Pool.TRAINING:
        return GREEN
    return training_memory(offer.gpu_memory_gb, renews=need.gpu_model == offer.gpu_model)


def _interconnect(offer: Offer, need: Need) -> Answer:
    """Training on several nodes asks for a fast network; inference must not pay for one; burst asks for
    nothing.
    """
    if need.pool is Pool.INFERENCE:
        return served_interconnect(offer.interconnect)
    is_asked = need.pool is Pool.TRAINING and need.several_nodes
    return training_interconnect(offer.network, several_nodes=is_asked, gbps=offer.nic_gbps)


def _bare_metal(offer: Offer, need: Need) -> Answer:
    """Only training asks for it."""
    if need.pool is not Pool.TRAINING:
        return GREEN
    return training_bare_metal(offer.bare_metal, several_nodes=need.several_nodes)


FIT_RULES: Final[tuple[Callable[[Offer, Need], Answer], ...]] = (_memory, _interconnect, _bare_metal)
"""What a pool asks of an offer, by the rows of rules.py; a workload asks more (workload_fit.py)."""


def hardware_fit(offer: Offer, need: Need) -> tuple[Light, tuple[Text, ...]]:
    """The worst light of all rules, and the reasons of every rule that is not green.

    Every offer has a light: what it does not state is amber. Source: docs/formulas/hardware-fit.md.
    """
    answers = [rule(offer, need) for rule in FIT_RULES]
    return max(light for light, _ in answers), tuple(
        reason for light, reason in answers if light is not Light.GREEN
    )


def eligible_offers(
    offers: Iterable[Offer], need: Need, mappings: Sequence[ModelMapping] = ()
) -> tuple[Offer, ...]:
    """Offers of the need's model and of those mapped to it (all for an unknown model) whose hardware is not red, of
    those that may serve it; no commitment that its vendor's remark leaves undecided.

    In given order. Rates are for the work of one GPU of the need's model: an offer of a mapped model is at its rate
    divided by the ratio.
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
    """Whether it sells GPUs whose hardware does, and nothing that is remarked waits of what would be signed."""
    sells_gpus = offer.tokens_per_minute_per_unit is None
    return sells_gpus and waits(offer) is None and hardware_fit(offer, need)[0] is not Light.RED


def cheapest(offers: Iterable[Offer], category: str) -> Offer | None:
    """The offer of a pricing category with the lowest stated rate (ties: lowest offer_id); None without one.

    category: one of PricingCategory. The rate is by the GPU-hour, without what is paid upfront; a rate of 0
    counts as none stated.
    """
    priced = [offer for offer in offers if offer.pricing_category == category and offer.rate]
    return min(priced, key=lambda offer: (offer.rate or 0.0, offer.offer_id), default=None)


def steady_offers(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Priced offers that nobody takes back, a term below its minimum left out; cheapest first (ties: lowest offer_id).

    Cheapest by rate and upfront payment, spread over the term.
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
