"""From an evaluated plan to its award: what is asked for, who gets it, and what each quote is worth."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from gpuplanner.domain.award.award import Award, IsCancelled, Quote, award_of
from gpuplanner.domain.award.qualifying import Conditions
from gpuplanner.domain.award.worth_signing import Planning, WorthSigning, worth_signing
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.asked_rows import asked_in
from gpuplanner.domain.commitment.plan.ground import ground_of, sold_in_units
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.award import QUOTE
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.exchange import USD, exchange_between
from gpuplanner.domain.model.book.market_rates import is_far
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Tables
from gpuplanner.domain.model.window import DAY_S

MarketOf = Callable[[Offer], tuple[float, float]]
"""The lowest and the highest market rate of what an offer sells, US dollars per GPU-hour; (0, 0): not known."""

SLA_ASKED_PERCENT: Final = 99.9
"""What a request asks for, of a month."""
MOST_TRIED: Final = 40
"""Quotes of which it is found out at what rate they are worth signing; those that are given something come first."""
NOT_TRIED: Final = worded("Too many quotes: it was not found out")


def decide(
    evaluation: Evaluation,
    tables: Tables,
    today_s: int,
    market_of: MarketOf,
    max_prepaid: float | None = None,
    is_cancelled: IsCancelled = lambda: False,
) -> Award | None:
    """The award of an evaluated plan, without what each quote would be worth; None where it is cancelled.

    today_s: epoch seconds; nothing is ordered before it, nor before the plan begins. max_prepaid: in the money of the
    project. Source: docs/formulas.md, Award. Errors: PlannerError where it is too large to be solved to the end;
    ValueError without advice.
    """
    if evaluation.advice is None:
        raise ValueError("award: the evaluation has no advice; advise first")
    project, figures = evaluation.in_parts.project, evaluation.figures
    begins_s = max(today_s, project.plan_window.end_s)
    order_day_s = begins_s - begins_s % DAY_S
    assumptions = project.assumptions_in(figures.basis.plan)
    ground = ground_of(
        project, figures.basis.plan, figures.workload_pools, AdviceCache(), evaluation.advice.classes
    )
    rows = asked_in(ground, evaluation.advice.orders, tables.node_gpus, today_s)
    conditions = Conditions(
        order_day_s,
        tuple(project.mappings),
        SLA_ASKED_PERCENT,
        frozenset(
            str(check.subject) for check in evaluation.advice.checks if check.code == "over_provider_share"
        ),
        assumptions.max_provider_share,
        max_prepaid,
    )
    offers = sold_in_units(project, assumptions.unit).offers
    award = award_of(rows, offers, conditions, is_cancelled)
    if award is None:
        return None
    return replace(
        award, quotes=tuple(_beside_market(quote, market_of, evaluation) for quote in award.quotes)
    )


def _beside_market(quote: Quote, market_of: MarketOf, evaluation: Evaluation) -> Quote:
    """With the market in the money of the project, and whether the rate, upfront spread, is far from it."""
    project = evaluation.project
    into = exchange_between(USD, project.currency, project.exchange)
    low, high = (0.0, 0.0) if into is None else (float(into) * rate for rate in market_of(quote.offer))
    rate = quote.offer.spread_rate
    is_known = rate is not None and high > 0
    return replace(
        quote, market=(low, high), is_far_from_market=is_far(rate or 0.0, (low, high)) if is_known else None
    )


def _of_enough_sla(project: Project, asked_percent: float | None) -> Project:
    """Without commitments of less SLA than is asked for: the plan does not ask for one, and would count with them."""
    kept = tuple(
        offer
        for offer in project.offers
        if not offer.term_months or (offer.sla_percent or 100.0) >= (asked_percent or 0.0)
    )
    return replace(project, offers=kept)


def _beside(name: str, of_row: Mapping[str, str]) -> Callable[[Offer], bool]:
    """Whether an offer is an alternative to what is quoted for a row: what is quoted for another row is none.

    name: of the row, empty for offers that are for any; of_row: the row that each offer is quoted for, by offer_id.
    """
    return lambda offer: of_row.get(offer.offer_id, "") in ("", name)


def with_worth(
    award: Award, evaluation: Evaluation, is_cancelled: IsCancelled = lambda: False
) -> Award | None:
    """With the rate at which each quote that qualifies would be worth signing; None where it is cancelled.

    Many plans are worked out for it: of the first MOST_TRIED quotes, those that are given something before others.
    """
    planned, figures = evaluation.in_parts, evaluation.figures
    of_row = {one.offer.offer_id: one.quoted_for for one in award.considered}
    planning = Planning(
        _of_enough_sla(planned.project, award.conditions.sla_percent),
        figures.basis.plan,
        figures.workload_pools,
        planned.audit.classifications,
    )
    beside = {name: planning.with_offers(_beside(name, of_row)) for name in dict.fromkeys(of_row.values())}
    quotes, tried = [], 0
    for quote in award.quotes:
        if is_cancelled():
            return None
        if not quote.rows:
            quotes.append(quote)
            continue
        tried += 1
        worth = (
            worth_signing(
                quote.rate or 0.0,
                partial(beside[of_row[quote.offer.offer_id]].signs, quote.offer),
                is_cancelled,
            )
            if tried <= MOST_TRIED
            else WorthSigning(None, NOT_TRIED)
        )
        margins = QUOTE.row({"rate": quote.rate, "worth_rate": worth.rate}, ["margin", "margin_share"])
        quotes.append(
            replace(
                quote,
                worth_rate=worth.rate,
                why_not_worth=worth.why,
                margin=margins["margin"],
                margin_share=margins["margin_share"],
            )
        )
    return None if is_cancelled() else replace(award, quotes=tuple(quotes))
