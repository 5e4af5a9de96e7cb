"""Worth of each offer of the price book: the rate up to which the plan would sign it."""

from collections.abc import Sequence
from functools import partial

from gpuplanner.domain.award.award import IsCancelled
from gpuplanner.domain.award.quote_worths import MOST_TRIED, NOT_TRIED
from gpuplanner.domain.award.worth_signing import Planning, WorthSigning, worth_signing
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.award import QUOTE
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.lazy_dataclass import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferWorth:
    """An offer that is signed for a term, and the highest rate at which the plan signs it.

    rate, worth_rate: $ per GPU-hour; None of worth_rate: why_not_worth says why. margin_share: of the rate, a ratio.
    """

    offer: Offer
    rate: float
    worth_rate: float | None
    why_not_worth: Message | None
    margin_share: float | None


def offer_worths(
    evaluation: Evaluation, is_cancelled: IsCancelled = lambda: False
) -> tuple[OfferWorth, ...] | None:
    """What each priced term on offer is worth signing, all other offers as they are; None where it is cancelled.

    Some ten plans are worked out for each of the first MOST_TRIED, those closest to being signed first: the cheapest
    of their GPU model. Source: docs/formulas/quotes.md, Award.
    """
    planned, figures = evaluation.in_parts, evaluation.figures
    planning = Planning(
        project=planned.project,
        plan=figures.basis.plan,
        pools=figures.workload_pools,
        classes=planned.audit.classifications,
    )
    terms = [
        offer
        for offer in planned.project.offers_in(figures.basis.plan)
        if offer.pricing_category is PricingCategory.COMMITTED and offer.spread_rate
    ]
    worths = []
    for rank, offer in enumerate(sorted(terms, key=lambda offer: (offer.spread_rate or 0.0, offer.offer_id))):
        rate = offer.rate or 0.0
        worth = WorthSigning(None, NOT_TRIED)
        if rank < MOST_TRIED:
            worth = worth_signing(rate, partial(planning.signs, offer), is_cancelled)
        if is_cancelled():
            return None
        share = QUOTE.row({"rate": rate, "worth_rate": worth.rate}, ["margin_share"])["margin_share"]
        worths.append(
            OfferWorth(
                offer=offer, rate=rate, worth_rate=worth.rate, why_not_worth=worth.why, margin_share=share
            )
        )
    return tuple(sorted(worths, key=lambda row: (row.offer.gpu_model or "", row.offer.offer_id)))


def with_offer_worths(evaluation: Evaluation, rows: Sequence[OfferWorth]) -> Evaluation:
    """With what each term on offer is worth, as a workbook says it."""
    worths = {
        row.offer.offer_id: (row.why_not_worth or "") if row.worth_rate is None else row.worth_rate
        for row in rows
    }
    return replace(evaluation, worths=worths)
