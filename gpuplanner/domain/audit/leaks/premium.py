"""The consolidation premium: what inference pays beside the cheapest offer that fits it, as a leak and by endpoint."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.audit.cost_result import PremiumCost
from gpuplanner.domain.audit.leaks.equal_terms import EqualTerms
from gpuplanner.domain.audit.leaks.leak_claims import LeakClaim, LeakRule, Past, claim_of, listed
from gpuplanner.domain.figures.columns import by_row, floats
from gpuplanner.domain.figures.costs.unit_costs import PREMIUM
from gpuplanner.domain.figures.typed import decimals
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.term_words import term_words
from gpuplanner.domain.model.pool import Pool


def consolidation_premium(past: Past) -> list[LeakClaim]:
    """The leak: inference GPU-hours x (rate paid - rate of the cheapest offer at equal terms), where that is lower.

    On GPU-hours alone: what stands idle is listed as idle. The rate paid is that of each contract that served the
    model, and of its overflow: not the mean of a cluster with several models, in which cheap GPUs would look expensive.
    """
    claims = []
    terms = past.equal_terms
    for hours in past.clusters:
        parts, places, offers = [], [], []
        for place in past.members(hours.cluster, Pool.INFERENCE):
            if more_expensive := [one for one in terms[place] if one.is_dearer]:
                spent = sum(one.gpu_hours for one in more_expensive)
                above = sum(
                    one.gpu_hours * ((one.rate or 0.0) - (one.offer_rate or 0.0)) for one in more_expensive
                )
                parts.append(past.used(place, spent, above / spent))
                places.append(place)
                offers += [_offer_words(one.offer) for one in more_expensive if one.offer]
        action = worded("Serve it on {offers}.", offers=listed(offers))
        claims += claim_of(past, hours, places, parts, action)
    return claims


CONSOLIDATION_PREMIUM: Final = LeakRule(
    "consolidation_premium",
    worded("Inference on expensive hardware"),
    consolidation_premium,
    "workload",
    worded("Inference paid more per GPU-hour than the cheapest offer that fits it, of no longer term."),
    worded("inference GPU-hours × (rate paid − rate of that offer)"),
    pool=Pool.INFERENCE,
    rate=worded("Paid above it"),
)


def _offer_words(offer: Offer) -> Message:
    """An offer with its rate, and its term where it binds."""
    term: Text = ""
    if offer.term_months:
        term = worded(" for {term}", term=term_words(offer.term_months, offer.term_days))
    rate = decimals(offer.spread_rate or 0.0, 2)
    return worded("{offer_id} at ${rate} per GPU-h{term}", offer_id=offer.offer_id, rate=rate, term=term)


def premium_usd_per_month(past: Past) -> float | None:
    """$ a month of the premium at equal terms of all inference; None where a part of it has no rate or no offer.

    Source: docs/formulas.md, Consolidation premium.
    """
    return known_sum(one["premium_per_month"] for one in _figures(past))


def premium_costs(past: Past) -> dict[int, PremiumCost]:
    """The premium of each endpoint, by place of the workload. Law: they add up to `premium_usd_per_month`.

    Where no offer fits its $ are unknown.
    """
    leaked = {part.of[1] for claim in consolidation_premium(past) for part in claim.parts}
    return {
        place: PremiumCost(
            offer_id=", ".join(dict.fromkeys(one.offer.offer_id for one in parts if one.offer)) or None,
            is_leak=past.project.workloads[place].key in leaked,
            compared_gpu_hours=row["compared_gpu_hours"] or 0.0,
            **{key: value for key, value in row.items() if key not in ("compared_gpu_hours", "months")},
        )
        for (place, parts), row in zip(past.equal_terms.items(), _figures(past), strict=True)
    }


def _figures(past: Past) -> list[dict[str, float | None]]:
    """The figures of PREMIUM of each workload with equal terms, in their order."""
    terms = list(past.equal_terms.values())
    figures = PREMIUM.worked_out(
        {
            "compared_gpu_hours": floats([sum(one.gpu_hours for one in parts) for parts in terms]),
            "paid_rate": floats([_rate(parts) for parts in terms]),
            "offer_rate": floats([_asked(parts) for parts in terms]),
            "paid_in_window": floats([known_sum(one.paid_usd for one in parts) for parts in terms]),
            "offer_in_window": floats([known_sum(one.offer_usd for one in parts) for parts in terms]),
            "months": np.full(len(terms), past.project.window.months),
        }
    )
    return by_row(figures)


def _rate(parts: Sequence[EqualTerms]) -> float | None:
    """The mean rate paid, by GPU-hours."""
    return _mean([(one.rate, one.gpu_hours) for one in parts])


def _asked(parts: Sequence[EqualTerms]) -> float | None:
    """The mean rate of the offers, by GPU-hours."""
    return _mean([(one.offer_rate, one.gpu_hours) for one in parts])


def _mean(rates: Sequence[tuple[float | None, float]]) -> float | None:
    """$ per GPU-hour by GPU-hours; None where one is unknown."""
    if len({rate for rate, _ in rates}) == 1:
        return rates[0][0]  # not through a mean: no last digit goes astray
    usd = known_sum(None if rate is None else rate * gpu_hours for rate, gpu_hours in rates)
    return None if usd is None else usd / sum(gpu_hours for _, gpu_hours in rates)
