"""Worth of each quote of an award: the rate up to which the plan would sign it."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from gpuplanner.domain.award.award import Award, IsCancelled
from gpuplanner.domain.award.worth_signing import Planning, WorthSigning, worth_signing
from gpuplanner.domain.evaluation import Evaluation, OnProgress, unheard
from gpuplanner.domain.figures.award import QUOTE
from gpuplanner.domain.fit.needs import holds_as_quoted
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.project import Project
from gpuplanner.lazy_dataclass import replace

MOST_TRIED: Final = 40
"""Quotes of which it is found out at what rate they are worth signing; those that are given something come first."""
WEIGHING: Final = worded("Calculating the value of each quote")
NOT_TRIED: Final = worded("Not calculated: too many quotes")


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
