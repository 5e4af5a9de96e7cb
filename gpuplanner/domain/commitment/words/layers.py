"""Layers of a plan in words: what each commits, at which rate, and when it pays; and the volatility assumed."""

from math import ceil
from typing import Final

from gpuplanner.domain.commitment.demand.volatility import source_words
from gpuplanner.domain.commitment.plan.totals import is_priced_layer
from gpuplanner.domain.commitment.result import Layer, PoolPlan
from gpuplanner.domain.figures.typed import decimals, percent, whole
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.lazy_dataclass import replace

BY_USE_NAMES: Final = {
    PricingCategory.STANDARD: worded("on demand"),
    PricingCategory.DYNAMIC: worded("spot"),
    PricingCategory.MIXED: worded("on demand and spot"),
}
"""Ways of paying on demand."""


def layer_sentences(plan: PoolPlan) -> tuple[Message, ...]:
    """Return one sentence per layer, from the bottom up; on-demand layers without a price are left out.

    Rates are of the offer's own model, $ per GPU-hour.
    """
    bound = {term.term_months: term.break_even for term in plan.break_even}
    return tuple(
        _sentence(plan, layer, bound.get(layer.term_months or 0))
        for layer in plan.layers
        if layer.term_months or is_priced_layer(layer)
    )


def _sentence(plan: PoolPlan, layer: Layer, break_even: float | None) -> Message:
    """Return the sentence of a layer. break_even: utilization from which the term pays; None: unknown."""
    model = plan.gpu_model or worded("GPUs of unknown model")
    if layer.existing:
        rate = worded(" at ${rate} on average", rate=decimals(layer.rate or 0.0, 2))
        return worded(
            "Existing contracts serve {gpus} {model} of {pool}{rate}.",
            gpus=decimals(layer.gpus),
            model=model,
            pool=plan.pool,
            rate="" if layer.rate is None else rate,
        )
    if not layer.term_months:
        return _by_use(plan, layer, model)
    begin = worded(
        "Commit {plan} for {pool} for {term}",
        plan=_bought(plan, layer, model),
        pool=plan.pool,
        term=term_words(layer.term_months, layer.term_days),
    )
    if layer.rate is None:
        return worded("{begin}: the term is not offered, so its price is unknown.", begin=begin)
    own_rate = layer.offer_rate or layer.rate
    clauses = [
        worded(
            "{begin} at ${own_rate}: used {utilization} of the time",
            begin=begin,
            own_rate=decimals(own_rate, 2),
            utilization=percent(layer.utilization or 0.0, 1),
        )
    ]
    if break_even is not None:
        clauses.append(worded("cheaper above {break_even}", break_even=percent(break_even, 1)))
    if layer.value_per_month is not None:
        value = layer.value_per_month
        clauses.append(
            worded("saves ${value} per month against on demand", value=whole(abs(value)))
            if value >= 0
            else worded("costs ${value} per month more than on demand", value=whole(abs(value)))
        )
    return joined((joined(clauses, ", "), "."))


def _bought(plan: PoolPlan, layer: Layer, model: Text) -> Message:
    """Return the GPUs to commit; for a mapped model with the GPUs that they replace."""
    own = worded("{gpus} {model}", gpus=whole(layer.gpus), model=model)
    if layer.offer_id not in plan.supply.ratios or layer.offer_gpus is None:
        return own
    return worded(
        "{offer_gpus} {offer_gpu_model} instead of {own},",
        offer_gpus=whole(layer.offer_gpus),
        offer_gpu_model=layer.offer_gpu_model or "",
        own=own,
    )


def _by_use(plan: PoolPlan, layer: Layer, model: Text) -> Message:
    """Return mean and largest GPUs on demand, their rate and utilization; for a mapped model in its own GPUs."""
    mean = layer.busy_gpus
    if layer.offer_id in plan.supply.ratios and layer.offer_gpus is not None and layer.offer_rate:
        model = worded(
            "{offer_gpu_model} instead of {model},", offer_gpu_model=layer.offer_gpu_model or "", model=model
        )
        mean *= layer.offer_gpus / layer.gpus
        layer = replace(layer, gpus=ceil(layer.offer_gpus), rate=layer.offer_rate)
    rate = worded(" at ${rate}", rate=decimals(layer.rate or 0.0, 2))
    return worded(
        "On demand for {pool}: {mean} {model} on average, {how}{rate}. At most {gpus} at a time, each used "
        "{utilization} of the time.",
        mean=decimals(mean),
        model=model,
        pool=plan.pool,
        how=BY_USE_NAMES.get(layer.pricing_category, BY_USE_NAMES[PricingCategory.MIXED]),
        rate="" if layer.rate is None else rate,
        gpus=whole(layer.gpus),
        utilization=percent(layer.utilization or 0.0, 1),
    )


def volatility_sentence(plan: PoolPlan) -> Message:
    """Return the assumed monthly volatility of demand, in percent, with its source."""
    return worded(
        "Assumed demand volatility: {sigma} per month ({source}).",
        sigma=percent(plan.demand.volatility.sigma, 1),
        source=source_words(plan.demand.volatility),
    )
