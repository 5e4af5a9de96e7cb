"""What prices of a month are: one path for all, and steps of one GPU model on a day or by a day."""

from decimal import Decimal

import numpy as np
import pytest

from gpuplanner.domain.commitment.recursion.price_levels import (
    Prices,
    at_first_day,
    falling,
    named_paths,
    over,
)
from gpuplanner.domain.commitment.recursion.rates import committed_offers, term_rates
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.scenario.dated import PriceChange
from gpuplanner.domain.model.window import MONTH_S

BEGINS_S = 1_800_000_000


def at(months: float) -> int:
    return BEGINS_S + round(months * MONTH_S)


def committed(offer_id: str, model: str, rate: str, upfront: str | None = None) -> Offer:
    paid = None if upfront is None else Decimal(upfront)
    return Offer(offer_id, model, PricingCategory.COMMITTED, 12, Decimal(rate), upfront_usd=paid)


def test_every_path_begins_at_todays_prices_and_they_go_where_they_are_named_for() -> None:
    paths = named_paths(60)
    assert [path[0] for path in paths.values()] == [1.0] * 4
    assert paths["fall"][12] == pytest.approx(0.988**12) and set(paths["flat"]) == {1.0}
    assert paths["cut"][11:13] == (1.0, pytest.approx(0.64)) and paths["cut"][59] == paths["cut"][12]
    assert paths["rise"][12] == pytest.approx(1.029**12) and paths["rise"][59] == paths["rise"][12]


def test_a_path_stays_where_it_ends() -> None:
    assert over((1.0, 0.5), 4).tolist() == [1.0, 0.5, 0.5, 0.5]


def test_a_step_is_weighted_by_days_in_use_and_holds_for_what_is_signed_after_it() -> None:
    prices = Prices(falling(0.1, 4), (PriceChange("H100", 0.5, at(1.25)),), BEGINS_S)
    assert prices.of_use("H100", 4) == pytest.approx([1, 0.9 * 0.625, 0.81 * 0.5, 0.729 * 0.5])
    assert prices.when_signed("H100", 4) == pytest.approx([1, 0.9, 0.81 * 0.5, 0.729 * 0.5])
    for other in ("A100", None):
        assert prices.of_use(other, 4) == pytest.approx(falling(0.1, 4))
        assert prices.when_signed(other, 4) == pytest.approx(falling(0.1, 4))


def test_steps_multiply_and_one_by_a_day_gets_there_evenly() -> None:
    changes = (PriceChange("H100", 0.4, at(2.5), by=True), PriceChange("H100", 2.0, at(1)))
    prices = Prices((1.0,), changes, BEGINS_S)
    assert prices.when_signed("H100", 5) == pytest.approx([1.0, 0.8 * 2, 0.6 * 2, 0.4 * 2, 0.4 * 2])


def test_what_changed_up_to_the_first_day_is_in_the_rates() -> None:
    offers = (committed("a", "H100", "4"), committed("b", "A100", "2"))
    past = (PriceChange("H100", 0.5, at(0)), PriceChange("A100", 3.0, at(0.1)))
    assert [offer.rate for offer in at_first_day(offers, past, BEGINS_S)] == [2.0, 2.0]
    assert at_first_day(offers, past[1:], BEGINS_S) is offers


def test_of_one_term_another_model_is_the_cheapest_once_its_price_has_stepped() -> None:
    offers = committed_offers((committed("old", "H100", "3"), committed("new", "H200", "4")))
    found = term_rates(offers, 4, prices=Prices((1.0,), (PriceChange("H200", 0.5, at(2)),), BEGINS_S))
    taken = [found.offers[place].offer_id for place in found.offer[:, 0].tolist()]
    assert taken == ["old", "old", "new", "new"] and found.rate[:, 0].tolist() == [3.0, 3.0, 2.0, 2.0]


def test_without_steps_the_cheapest_of_a_term_is_the_same_in_all_months_on_any_path() -> None:
    """An upfront payment does not move with prices: that is no reason to take another offer later."""
    offers = committed_offers((committed("a", "H100", "3"), committed("b", "H100", "1", "17000")))
    found = term_rates(offers, 6, prices=Prices(falling(0.3, 6)))
    assert np.unique(found.offer).size == 1
