"""The advice in plain words: a sentence for each layer, for coverage and for net present value, with its figures."""

from dataclasses import replace
from math import ceil

from gpuplanner.domain.commitment.result import Coverage, Layer, PoolPlan, Totals
from gpuplanner.domain.model.pool import PricingCategory


def layer_sentences(plan: PoolPlan) -> tuple[str, ...]:
    """One sentence a layer, from the bottom up."""
    bound = {one.term_months: one.utilization for one in plan.break_even}
    return tuple(_sentence(plan, layer, bound.get(layer.term_months or 0)) for layer in plan.layers)


def coverage_sentences(coverage: Coverage) -> tuple[str, ...]:
    """What share of GPU-hours is committed, and what the planner's target would cost."""
    if coverage.plan is None or coverage.now is None:
        return ("No demand to cover.",)
    first = (
        f"Commitments serve {coverage.plan:.1%} of all GPU-hours in this plan; existing contracts alone "
        f"{coverage.now:.1%}."
    )
    if coverage.reached is None:
        return (first, f"No commitments on offer reach the target of {coverage.target:.0%}.")
    if not coverage.extra_gpus:
        return (first, f"That is the target of {coverage.target:.0%}, as near as whole GPUs come to it.")
    gpus = _gpus(abs(coverage.extra_gpus))
    how = f"Committing {gpus} more" if coverage.extra_gpus > 0 else f"Letting {gpus} go back to pay by use"
    if coverage.extra_usd_per_month is None:
        return (
            first,
            f"{how} would reach {coverage.target:.0%}; what it costs is unknown: a rate is missing.",
        )
    usd = coverage.extra_usd_per_month
    cost = f"${abs(usd):,.0f} a month {'more' if usd >= 0 else 'less'}"
    return (
        first,
        f"{how} would come to {coverage.reached:.1%}, for a target of {coverage.target:.0%}: {cost}.",
    )


def npv_sentence(npv_usd: float | None, horizon_months: int) -> str:
    """What signing as advised is worth today."""
    if npv_usd is None:
        return "Net present value is unknown: a rate is missing, or levels are set by hand."
    verb = "saves" if npv_usd >= 0 else "costs"
    than = "than" if npv_usd < 0 else "against"
    more = " more" if npv_usd < 0 else ""
    return (
        f"Signing as planned {verb} ${abs(npv_usd):,.0f}{more} in today's money over {horizon_months} months, "
        f"{than} paying all by use."
    )


def savings_rate_sentence(totals: Totals) -> str:
    """How far the plan is below paying for everything on demand: its effective savings rate."""
    rate, on_demand = totals.effective_savings_rate, totals.on_demand_equivalent_usd_per_month
    if rate is None or on_demand is None:
        return (
            "The effective savings rate is unknown: some demand has no on-demand rate, or the plan no price."
        )
    word = "above" if rate < 0 else "below"
    return (
        f"The effective savings rate is {rate:.1%}: this plan is that far {word} ${on_demand:,.0f} a month, all of it "
        "on demand."
    ).replace("-", "\u2212", 1 if rate < 0 else 0)


def _sentence(plan: PoolPlan, layer: Layer, break_even: float | None) -> str:
    model = plan.gpu_model or "GPUs of unknown model"
    if layer.existing:
        rate = (
            ""
            if layer.rate_usd_per_gpu_hour is None
            else f" at ${layer.rate_usd_per_gpu_hour:,.2f} on average"
        )
        return f"Existing contracts serve {layer.gpus:,.1f} {model} of {plan.pool}{rate}."
    if not layer.term_months:
        return _by_use(plan, layer, model)
    begin = f"Commit {_bought(plan, layer, model)} for {plan.pool} for {_months(layer.term_months)}"
    if layer.rate_usd_per_gpu_hour is None:
        return f"{begin}: nobody offers that term, so its price is unknown."
    own_rate = layer.offer_rate_usd_per_gpu_hour or layer.rate_usd_per_gpu_hour
    said = [f"{begin} at ${own_rate:,.2f}: busy {layer.utilization or 0.0:.1%} of the hours"]
    if break_even is not None:
        said.append(f"worth it above {break_even:.1%}")
    if layer.value_usd_per_month is not None:
        value = layer.value_usd_per_month
        said.append(
            f"{'saves' if value >= 0 else 'costs'} ${abs(value):,.0f} a month {'' if value >= 0 else 'more '}"
            "beside on demand"
        )
    return ", ".join(said) + "."


def _bought(plan: PoolPlan, layer: Layer, model: str) -> str:
    """The GPUs to sign; of a mapped model with what they do the work of."""
    own = f"{layer.gpus:,.0f} {model}"
    if layer.offer_id not in plan.ratios or layer.offer_gpus is None:
        return own
    return f"{layer.offer_gpus:,.0f} {layer.offer_gpu_model}, which do the work of {own},"


def _by_use(plan: PoolPlan, layer: Layer, model: str) -> str:
    mean = layer.gpus * (layer.utilization or 0.0)
    if layer.offer_id in plan.ratios and layer.offer_gpus is not None and layer.offer_rate_usd_per_gpu_hour:
        model = f"{layer.offer_gpu_model}, in place of {model},"
        mean *= layer.offer_gpus / layer.gpus
        layer = replace(
            layer, gpus=ceil(layer.offer_gpus), rate_usd_per_gpu_hour=layer.offer_rate_usd_per_gpu_hour
        )
    how = {PricingCategory.STANDARD: "on demand", PricingCategory.DYNAMIC: "spot"}.get(
        layer.pricing_category, "on demand and spot"
    )
    rate = "" if layer.rate_usd_per_gpu_hour is None else f" at ${layer.rate_usd_per_gpu_hour:,.2f}"
    return (
        f"Pay for {mean:,.1f} {model} of {plan.pool} on average by use, {how}{rate}: up to {layer.gpus:,.0f} at once, "
        f"each busy {layer.utilization or 0.0:.1%} of the hours."
    )


def _months(term: int) -> str:
    return f"{term} month" if term == 1 else f"{term} months"


def _gpus(count: float) -> str:
    return f"{count:,.0f} GPU" if count == 1 else f"{count:,.0f} GPUs"
