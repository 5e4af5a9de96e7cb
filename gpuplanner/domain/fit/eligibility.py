"""Which offers a pool may use: hardware that is not red for it (docs/formulas.md, Hardware fit)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.fit.rules import (
    GREEN,
    Answer,
    Light,
    served_interconnect,
    training_bare_metal,
    training_interconnect,
    training_memory,
)
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.model_mapping import ModelMapping, at_ratio, ratio_for
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ANYBODY, Only, gpu_model_of, only_of
from gpuplanner.domain.model.pool import Pool, PricingCategory


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
    return training_interconnect(offer.interconnect, several_nodes=is_asked)


def _bare_metal(offer: Offer, need: Need) -> Answer:
    """Only training asks for it."""
    if need.pool is not Pool.TRAINING:
        return GREEN
    return training_bare_metal(offer.bare_metal, several_nodes=need.several_nodes)


FIT_RULES: Final[tuple[Callable[[Offer, Need], Answer], ...]] = (
    _memory,
    _interconnect,
    _bare_metal,
)
"""What a pool asks of an offer, by the rows of rules.py; a workload asks more (workload_fit.py)."""


def hardware_fit(offer: Offer, need: Need) -> tuple[Light, tuple[Text, ...]]:
    """The worst light of all rules, and the reasons of every rule that is not green.

    Every offer has a light: what it does not state is amber. Source: docs/formulas.md, Hardware fit.
    """
    answers = [rule(offer, need) for rule in FIT_RULES]
    return max(light for light, _ in answers), tuple(
        reason for light, reason in answers if light is not Light.GREEN
    )


def eligible_offers(
    offers: Iterable[Offer], need: Need, mappings: Sequence[ModelMapping] = ()
) -> tuple[Offer, ...]:
    """Offers of the need's model and of those mapped to it (all for an unknown model) whose hardware is not red, of
    those that may serve it.

    In given order. Rates are for the work of one GPU of the need's model: an offer of a mapped model is at its rate
    divided by the ratio.
    """
    if need.only != ANYBODY:
        offers = filter(need.only.allows, offers)
    if not mappings:  # price lists have thousands of offers
        return tuple(
            offer
            for offer in offers
            if ratio_for((), need.gpu_model, offer.gpu_model)
            and hardware_fit(offer, need)[0] is not Light.RED
        )
    found = ((offer, ratio_for(mappings, need.gpu_model, offer.gpu_model)) for offer in offers)
    return tuple(
        at_ratio(offer, ratio)
        for offer, ratio in found
        if ratio is not None and hardware_fit(offer, need)[0] is not Light.RED
    )


def cheapest(offers: Iterable[Offer], category: str) -> Offer | None:
    """The offer of a pricing category with the lowest stated rate (ties: lowest offer_id); None without one.

    category: one of PricingCategory. The rate is by the GPU-hour, without what is paid upfront; a rate of 0
    counts as none stated.
    """
    priced = [offer for offer in offers if offer.pricing_category == category and offer.rate]
    return min(priced, key=lambda offer: (offer.rate or 0.0, offer.offer_id), default=None)


def cheapest_steady(offers: Sequence[Offer]) -> Offer | None:
    """The cheapest offer that nobody takes back: on demand, committed or owned; None without one. Ties: lowest id.

    Spot is left out. By rate and what is paid upfront, spread over the term, as `steady_offers` has it.
    """
    return next(iter(steady_offers(offers)), None)


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
