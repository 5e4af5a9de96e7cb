"""Cost of a plan in words: net present value, on-demand spend and the effective savings rate."""

from collections.abc import Iterable
from typing import Final

from gpuplanner.domain.commitment.result import Advice, Totals
from gpuplanner.domain.figures.plan import telling_share
from gpuplanner.domain.figures.typed import amount, percent, significant, whole
from gpuplanner.domain.message import Message, Part, joined, worded, worded_count
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.window import HOURS_PER_MONTH

MATERIAL_SHARE: Final = 0.05
"""Smallest share of spend from which on-demand GPUs are mentioned."""
HYPOTHETICAL: Final = worded("Hypothetical: as if nothing were under contract.")
"""For a plan from scratch, whose savings are not achievable."""


def npv_sentence(npv_usd: float | None, horizon_months: int) -> Message:
    """Return the net present value of the advice in words. npv_usd: $ of today; None: unknown."""
    if npv_usd is None:
        return worded("Net present value unknown: a rate is missing, or you set levels.")
    given: dict[str, Part] = {"usd": whole(abs(npv_usd)), "months": whole(horizon_months)}
    if npv_usd < 0:
        return worded(
            "The orders cost ${usd} more than on demand over {months} months (present value).", **given
        )
    return worded("The orders save ${usd} against on demand over {months} months (present value).", **given)


def by_the_hour(advice: Advice, offers: Iterable[Offer]) -> Message | None:
    """Return the on-demand GPUs of a plan in twelve months: mean GPUs, $, share of spend and providers.

    None if the share is below MATERIAL_SHARE, or unknown.
    """
    months = advice.comparison
    usd, plan = known_sum(month.use_usd for month in months), known_sum(month.plan_usd for month in months)
    if not usd or not plan or usd < MATERIAL_SHARE * plan:
        return None
    ways = sorted((use for month in months for use in month.use_hours), key=lambda use: -use[2])
    names = {offer.offer_id: offer.provider or offer.offer_id for offer in offers}
    mean = sum(hours for *_, hours in ways) / len(months) / HOURS_PER_MONTH
    count = whole(mean) if mean >= 1 else significant(mean, 2)  # a small number is never shown as 0
    providers = dict.fromkeys(names.get(offer_id, offer_id) for _, offered, _ in ways for offer_id in offered)
    gpus = worded_count(mean, "{count} GPU", "{count} GPUs", count=count)
    cost = worded(
        "{usd} in {months} months ({share} of spend), {providers}.",
        usd=amount(usd),
        months=whole(len(months)),
        share=percent(usd / plan),
        providers=joined(providers, ", "),
    )
    return worded("{name}, {cost}", name=worded("On demand: {gpus} on average", gpus=gpus), cost=cost)


def all_on_demand(totals: Totals) -> Message | None:
    """Return that everything on demand would cost less than today, and that commitments are paid anyway.

    None if it would not, if unknown, or without demand.
    """
    usd, today = totals.on_demand_equivalent, totals.today
    if not usd or today is None or round(usd) >= round(today):
        return None
    total = worded(
        "All on demand would cost {usd} per month, {less} less than today",
        usd=amount(usd),
        less=amount(today - usd),
    )
    return worded("{name}; {cost}", name=total, cost=worded("commitments are paid to their end."))


def savings_rate_sentence(totals: Totals) -> Message:
    """Return the effective savings rate in words: how far the plan is below everything on demand.

    Negative if the plan costs more; without a rate if everything on demand costs next to nothing.
    """
    rate, on_demand = totals.effective_savings_rate, totals.on_demand_equivalent
    if rate is None or on_demand is None:
        return worded("The effective savings rate is unknown: an on-demand rate or a plan price is missing.")
    given: dict[str, Part] = {"rate": percent(rate, 1), "usd": whole(on_demand)}
    if telling_share(rate) is None:
        return worded("This plan costs over twice all on demand, ${usd} per month.", **given)
    return worded("Effective savings rate {rate} against all on demand (${usd} per month).", **given)
