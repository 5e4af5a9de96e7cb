"""The advice in plain words: a sentence for each layer, for coverage and for net present value, with its figures."""

from dataclasses import replace
from math import ceil

from gpuplanner.domain.commitment.demand.volatility import source_words
from gpuplanner.domain.commitment.outlook_result import Coverage
from gpuplanner.domain.commitment.plan.totals import is_priced_layer
from gpuplanner.domain.commitment.result import Layer, PoolPlan, Totals
from gpuplanner.domain.figures.typed import decimals, percent, whole
from gpuplanner.domain.message import Message, Text, joined, worded, worded_count
from gpuplanner.domain.model.book.term_words import term_words
from gpuplanner.domain.model.pool import PricingCategory


def layer_sentences(plan: PoolPlan) -> tuple[Message, ...]:
    """One sentence a layer, from the bottom up; none of what has no price, for nobody advises to pay by use.

    Rates are those of the offer's own model, $ per GPU-hour.
    """
    bound = {one.term_months: one.break_even for one in plan.break_even}
    return tuple(
        _sentence(plan, layer, bound.get(layer.term_months or 0))
        for layer in plan.layers
        if layer.term_months or is_priced_layer(layer)
    )


def volatility_sentence(plan: PoolPlan) -> Message:
    """How far demand is taken to move in a month, and where that comes from.

    A ratio a month, as a percentage.
    """
    return worded(
        "Demand is taken to move by {sigma} per month: {source}.",
        sigma=percent(plan.volatility.sigma, 1),
        source=source_words(plan.volatility),
    )


def coverage_sentences(coverage: Coverage) -> tuple[Message, ...]:
    """What share of GPU-hours is committed, and what the planner's target would cost.

    Shares are of GPU-hours of month 0.
    """
    if coverage.now is None:
        return (worded("No demand to cover."),)
    if coverage.plan is None:
        return (worded("What share commitments would serve is unknown: a price is missing."),)
    first = worded(
        "Commitments serve {plan} of all GPU-hours in this plan; existing contracts alone {now}.",
        plan=percent(coverage.plan, 1),
        now=percent(coverage.now, 1),
    )
    if coverage.reached is None:
        return (
            first,
            worded("No commitments on offer reach the target of {target}.", target=percent(coverage.target)),
        )
    if not coverage.extra_gpus and coverage.now > coverage.target and coverage.now >= coverage.plan:
        return (first, worded("Nothing new is committed to, so nothing can be let go for the target of {target}.",
                              target=percent(coverage.target)))  # fmt: skip
    if not coverage.extra_gpus:
        return (
            first,
            worded(
                "That is the target of {target}, as near as whole GPUs come to it.",
                target=percent(coverage.target),
            ),
        )
    gpus = _gpus(abs(coverage.extra_gpus))
    how = (
        worded("Committing {gpus} more", gpus=gpus)
        if coverage.extra_gpus > 0
        else worded("Letting {gpus} go back to pay by use", gpus=gpus)
    )
    if coverage.extra_usd_per_month is None:
        return (
            first,
            worded(
                "{how} would reach {target}; what it costs is unknown: a rate is missing.",
                how=how,
                target=percent(coverage.target),
            ),
        )
    usd = coverage.extra_usd_per_month
    cost = (
        worded("${usd} per month more", usd=whole(abs(usd)))
        if usd >= 0
        else worded("${usd} per month less", usd=whole(abs(usd)))
    )
    return (
        first,
        worded(
            "{how} would come to {reached}, for a target of {target}: {cost}.",
            how=how,
            reached=percent(coverage.reached, 1),
            target=percent(coverage.target),
            cost=cost,
        ),
    )


def npv_sentence(npv_usd: float | None, horizon_months: int) -> Message:
    """What signing as advised is worth today.

    npv_usd: $ of today; None: unknown.
    """
    if npv_usd is None:
        return worded("Net present value is unknown: a rate is missing, or levels are set by hand.")
    usd, months = whole(abs(npv_usd)), horizon_months
    if npv_usd < 0:
        return worded(
            "Signing as planned costs ${usd} more in today's money over {months} months, than paying all by use.",
            usd=usd,
            months=whole(months),
        )
    return worded(
        "Signing as planned saves ${usd} in today's money over {months} months, against paying all by use.",
        usd=usd,
        months=whole(months),
    )


def savings_rate_sentence(totals: Totals) -> Message:
    """How far the plan is below paying for everything on demand: its effective savings rate.

    Below 0 the plan costs more than paying for everything on demand.
    """
    rate, on_demand = totals.effective_savings_rate, totals.on_demand_equivalent
    if rate is None or on_demand is None:
        return worded(
            "The effective savings rate is unknown: some demand has no on-demand rate, or the plan no price."
        )
    far, usd = percent(rate, 1), whole(on_demand)
    if rate < 0:
        return worded(
            "The effective savings rate is {rate}: this plan is that far above ${usd} per month, all of it on demand.",
            rate=far,
            usd=usd,
        )
    return worded(
        "The effective savings rate is {rate}: this plan is that far below ${usd} per month, all of it on demand.",
        rate=far,
        usd=usd,
    )


def _sentence(plan: PoolPlan, layer: Layer, break_even: float | None) -> Message:
    """break_even: utilization from which the term is worth it; None: unknown."""
    model = plan.gpu_model or worded("GPUs of unknown model")
    if layer.existing:
        rate = (
            ""
            if layer.rate is None
            else worded(
                " at ${rate_usd_per_gpu_hour} on average",
                rate_usd_per_gpu_hour=decimals(layer.rate, 2),
            )
        )
        return worded(
            "Existing contracts serve {gpus} {model} of {pool}{rate}.",
            gpus=decimals(layer.gpus),
            model=model,
            pool=plan.pool,
            rate=rate,
        )
    if not layer.term_months:
        return _by_use(plan, layer, model)
    begin = worded(
        "Commit {plan} for {pool} for {term_months}",
        plan=_bought(plan, layer, model),
        pool=plan.pool,
        term_months=term_words(layer.term_months, layer.term_days),
    )
    if layer.rate is None:
        return worded("{begin}: nobody offers that term, so its price is unknown.", begin=begin)
    own_rate = layer.offer_rate or layer.rate
    said = [
        worded(
            "{begin} at ${own_rate}: busy {utilization} of the hours",
            begin=begin,
            own_rate=decimals(own_rate, 2),
            utilization=percent(layer.utilization or 0.0, 1),
        )
    ]
    if break_even is not None:
        said.append(worded("worth it above {break_even}", break_even=percent(break_even, 1)))
    if layer.value_per_month is not None:
        value = layer.value_per_month
        said.append(
            worded("saves ${value} per month beside on demand", value=whole(abs(value)))
            if value >= 0
            else worded("costs ${value} per month more beside on demand", value=whole(abs(value)))
        )
    return joined((joined(said, ", "), "."))


def _bought(plan: PoolPlan, layer: Layer, model: Text) -> Message:
    """The GPUs to sign; of a mapped model with what they do the work of."""
    own = worded("{gpus} {model}", gpus=whole(layer.gpus), model=model)
    if layer.offer_id not in plan.ratios or layer.offer_gpus is None:
        return own
    return worded(
        "{offer_gpus} {offer_gpu_model}, which do the work of {own},",
        offer_gpus=whole(layer.offer_gpus),
        offer_gpu_model=layer.offer_gpu_model or "",
        own=own,
    )


def _by_use(plan: PoolPlan, layer: Layer, model: Text) -> Message:
    """GPUs on average and at most, how they are paid and how busy; of a mapped model in its own GPUs."""
    mean = layer.busy_gpus
    if layer.offer_id in plan.ratios and layer.offer_gpus is not None and layer.offer_rate:
        model = worded(
            "{offer_gpu_model}, in place of {model},",
            offer_gpu_model=layer.offer_gpu_model or "",
            model=model,
        )
        mean *= layer.offer_gpus / layer.gpus
        layer = replace(layer, gpus=ceil(layer.offer_gpus), rate=layer.offer_rate)
    how = {PricingCategory.STANDARD: worded("on demand"), PricingCategory.DYNAMIC: worded("spot")}.get(
        layer.pricing_category, worded("on demand and spot")
    )
    rate = (
        ""
        if layer.rate is None
        else worded(" at ${rate_usd_per_gpu_hour}", rate_usd_per_gpu_hour=decimals(layer.rate, 2))
    )
    return worded(
        "Pay for {mean} {model} of {pool} on average by use, {how}{rate}: up to {gpus} at once, each "
        "busy {utilization} of the hours.",
        mean=decimals(mean),
        model=model,
        pool=plan.pool,
        how=how,
        rate=rate,
        gpus=whole(layer.gpus),
        utilization=percent(layer.utilization or 0.0, 1),
    )


def _gpus(count: float) -> Message:
    """GPUs with their noun."""
    return worded_count(count, "{count} GPU", "{count} GPUs", count=whole(count))
