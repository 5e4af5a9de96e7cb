"""From an evaluated plan to its award: what is asked for, who gets it; and the traces of its money."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.award.award import (
    Award,
    Awarded,
    IsCancelled,
    Planning,
    Quote,
    WorthSigning,
    award_of,
    worth_signing,
)
from gpuplanner.domain.award.qualifying import Conditions
from gpuplanner.domain.commitment.asked_rows import AskedRow, Asking, asked_in, unasked_words
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of, sold_in_units
from gpuplanner.domain.evaluation import Evaluation, OnProgress, unheard
from gpuplanner.domain.figures.award import QUOTE
from gpuplanner.domain.fit.needs import holds_as_quoted
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.exchange import USD, exchange_between
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_history import is_far
from gpuplanner.domain.model.book.quote_source import SLA_ASKED_PERCENT, answered_row
from gpuplanner.domain.model.intake import unread_answers
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.lazy_dataclass import dataclass, replace

# --- From an evaluated plan to its award: what is asked for, who gets it, and what each quote is worth

MarketOf = Callable[[Offer], tuple[float, float]]
"""The lowest and the highest market rate of what an offer sells, US dollars per GPU-hour; (0, 0): not known."""

MOST_TRIED: Final = 40
"""Quotes of which it is found out at what rate they are worth signing; those that are given something come first."""
WEIGHING: Final = worded("Calculating the value of each quote")
NOT_TRIED: Final = worded("Not calculated: too many quotes")


def decide(
    evaluation: Evaluation,
    today_s: int,
    market_of: MarketOf,
    max_prepaid: float | None = None,
    is_cancelled: IsCancelled = lambda: False,
) -> Award | None:
    """The award of an evaluated plan, without what each quote would be worth; None where it is cancelled.

    today_s: epoch seconds; nothing is ordered before it, nor before the plan begins. max_prepaid: in the money of the
    project. Source: docs/formulas/quotes.md, Award. Errors: PlannerError where it is too large to be solved to the end;
    ValueError without advice.
    """
    project, figures = evaluation.in_parts.project, evaluation.figures
    ground = ground_of(
        project, figures.basis.plan, figures.workload_pools, AdviceCache(), evaluation.advised.classes
    )
    rows = asked_in(ground, evaluation.advised.orders, today_s)
    conditions = conditions_of(ground, evaluation.advised.checks, today_s, max_prepaid)
    offers = sold_in_units(project, ground.assumptions.unit).offers
    award = award_of(rows, offers, conditions, is_cancelled)
    if award is None:
        return None
    quotes = tuple(compare_with_market(quote, market_of, evaluation) for quote in award.quotes)
    unasked = unasked_words(evaluation.advised.orders, project.offers)
    return replace(award, quotes=quotes, unread=unread_answers(project.intake), unasked=unasked)


def conditions_of(
    ground: Ground, checks: Sequence[Check], today_s: int, max_prepaid: float | None = None
) -> Conditions:
    """What holds for every offer of a plan that is ordered on a day. checks: of that plan; the rest as of `decide`.

    Nothing is ordered before a plan that waits has waited.
    """
    begins_s = max(today_s, ground.window.end_s + ground.calendar.wait_months * MONTH_S)
    over = frozenset(str(check.subject) for check in checks if check.code == "over_provider_share")
    return Conditions(
        order_day_s=begins_s - begins_s % DAY_S,
        mappings=tuple(ground.project.mappings),
        sla_percent=_sla_asked(ground.project.offers),
        over_share=over,
        shares=ground.scenario.shares,
        max_share=ground.assumptions.max_provider_share,
        max_prepaid=max_prepaid,
        calendar=ground.calendar,
    )


def _sla_asked(offers: Sequence[Offer]) -> float | None:
    """The SLA that requests asked for, % of a month: the highest of those that were answered; None: none was asked for.

    Law: what a request asks for unsaid, where none was answered.
    """
    asked = [answered.sla_percent for offer in offers if (answered := answered_row(offer)) is not None]
    return max(asked, default=SLA_ASKED_PERCENT) or None


def compare_with_market(quote: Quote, market_of: MarketOf, evaluation: Evaluation) -> Quote:
    """With the market in the money of the project, and whether the rate, upfront spread, is far from it."""
    project = evaluation.project
    into = exchange_between(USD, project.currency, project.exchange)
    low, high = (0.0, 0.0) if into is None else (float(into) * rate for rate in market_of(quote.offer))
    rate = quote.offer.spread_rate
    is_known = rate is not None and high > 0
    return replace(
        quote, market=(low, high), is_far_from_market=is_far(rate or 0.0, (low, high)) if is_known else None
    )


def drop_low_sla_offers(project: Project, asked_percent: float | None) -> Project:
    """Without commitments of less SLA than is asked for, of a quote in its own request: the plan asks lists for none,
    and would count with them."""

    def is_enough(offer: Offer) -> bool:
        """Whether it is no commitment, does not state its SLA, or states no less than is asked for."""
        if not offer.term_months:
            return True
        if answered_row(offer) is not None:
            return holds_as_quoted(offer)
        return (offer.sla_percent or 100.0) >= (asked_percent or 0.0)

    return replace(project, offers=tuple(filter(is_enough, project.offers)))


_Rows = tuple[str, ...] | None
"""Names of the rows that an offer answers; None: it is for any."""


def build_alternative_filter(rows: _Rows, of_offer: Mapping[str, _Rows]) -> Callable[[Offer], bool]:
    """Whether an offer is an alternative to what is quoted for some rows: what is quoted for others alone is none.

    of_offer: the rows that each offer answers, by offer_id.
    """

    def is_beside(offer: Offer) -> bool:
        """Whether it is for any row, or for one of them."""
        others = of_offer.get(offer.offer_id)
        return others is None or (rows is not None and bool(set(rows) & set(others)))

    return is_beside


def with_worth(
    award: Award,
    evaluation: Evaluation,
    is_cancelled: IsCancelled = lambda: False,
    on_progress: OnProgress = unheard,
) -> Award | None:
    """With the rate at which each quote that qualifies would be worth signing; None where it is cancelled.

    Many plans are worked out for it: of the first MOST_TRIED quotes, those that are given something before others. What
    was found of a quote for the same rows is tried first.
    """
    planned, figures = evaluation.in_parts, evaluation.figures
    of_row = {pair.offer.offer_id: pair.quoted_for for pair in award.considered}
    planning = Planning(
        project=drop_low_sla_offers(planned.project, award.conditions.sla_percent),
        plan=figures.basis.plan,
        pools=figures.workload_pools,
        classes=planned.audit.classifications,
    )
    beside = {
        rows: planning.with_offers(build_alternative_filter(rows, of_row))
        for rows in dict.fromkeys(of_row.values())
    }
    quotes, tried, signed = [], 0, dict[object, list[float]]()
    most = min(MOST_TRIED, sum(bool(quote.rows) for quote in award.quotes))
    for quote in award.quotes:
        if is_cancelled():
            return None
        if not quote.rows:
            quotes.append(quote)
            continue
        offer = quote.offer
        rows = of_row[offer.offer_id]
        alike = rows, offer.gpu_model, offer.term_months, offer.term_days
        tried += 1
        on_progress(min((tried - 1) / most, 1.0), WEIGHING)
        if tried <= MOST_TRIED:
            worth = worth_signing(
                quote.rate or 0.0, partial(beside[rows].signs, offer), is_cancelled, signed.get(alike, ())
            )
        else:
            worth = WorthSigning(None, NOT_TRIED)
        if worth.rate is not None:
            signed[alike] = [worth.rate, min(rate for rate, is_signed in worth.tried if not is_signed)]
        margins = QUOTE.row({"rate": quote.rate, "worth_rate": worth.rate}, ["margin", "margin_share"])
        quotes.append(
            replace(
                quote,
                worth_rate=worth.rate,
                why_not_worth=worth.why,
                tried=worth.tried,
                margin=margins["margin"],
                margin_share=margins["margin_share"],
            )
        )
    return None if is_cancelled() else replace(award, quotes=tuple(quotes))


# --- Offers of the price book: up to which rate the plan would sign each


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
    for at, offer in enumerate(sorted(terms, key=lambda offer: (offer.spread_rate or 0.0, offer.offer_id))):
        rate = offer.rate or 0.0
        worth = WorthSigning(None, NOT_TRIED)
        if at < MOST_TRIED:
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


def line_key(line: Awarded) -> str:
    """The subject of a line: its row and its offer."""
    return f"{line.row.name} {line.offer.offer_id}"


def asked_on(evaluation: Evaluation, today_s: int, asking: Asking | None = None) -> tuple[AskedRow, ...]:
    """The rows of an evaluation with its advice; today_s, asking: as of `asked_in`.

    Errors: ValueError where there is no advice yet.
    """
    project = evaluation.in_parts.project
    pools = evaluation.figures.workload_pools
    ground = ground_of(project, evaluation.plan, pools, AdviceCache(), evaluation.advised.classes)
    return asked_in(ground, evaluation.advised.orders, today_s, asking)
