"""Worth of offers of the price book: signed at it, and not above."""

from dataclasses import dataclass
from typing import Any

import pytest

from gpuplanner.domain.award.offer_worths import OfferWorth, offer_worths, with_offer_worths
from gpuplanner.domain.award.worth_signing import Planning
from gpuplanner.domain.message import Message
from tests.domain.award.conftest import quote
from tests.ui.priced_world import plan


@pytest.mark.long
def test_a_term_on_offer_is_signed_at_what_it_is_worth_and_not_above() -> None:
    evaluation = plan().evaluation
    found = offer_worths(evaluation)
    assert found is not None and any(one.worth_rate for one in found)
    planning = Planning(
        project=evaluation.project,
        plan=evaluation.figures.basis.plan,
        pools=evaluation.figures.workload_pools,
        classes=evaluation.audit.classifications,
    )
    for one in found:
        assert (one.worth_rate is None) == (one.why_not_worth is not None)
        if one.worth_rate is not None:
            assert planning.signs(one.offer, one.worth_rate)
            assert not planning.signs(one.offer, 1.02 * one.worth_rate)
            assert one.margin_share == pytest.approx(one.worth_rate / one.rate - 1)
    assert offer_worths(evaluation, lambda: True) is None


@dataclass(frozen=True)
class Kept:
    """What an evaluation keeps of the worth of offers."""

    worths: Any = None


def test_worths_of_offers_are_rates_or_why_not() -> None:
    why = Message("why")
    rows = [
        OfferWorth(offer=quote("a", 2.0), rate=2.0, worth_rate=4.0, why_not_worth=None, margin_share=1.0),
        OfferWorth(offer=quote("b", 2.0), rate=2.0, worth_rate=None, why_not_worth=why, margin_share=None),
        OfferWorth(offer=quote("c", 2.0), rate=2.0, worth_rate=None, why_not_worth=None, margin_share=None),
    ]
    kept: Any = Kept()
    assert with_offer_worths(kept, rows).worths == {"a": 4.0, "b": why, "c": ""}
