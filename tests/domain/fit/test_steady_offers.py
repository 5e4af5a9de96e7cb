"""Offers for a need: the cheapest, the steady ones, and those that may serve."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from gpuplanner.domain.fit.rules import Need, cheapest, eligible_offers, need_of, steady_offers
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping, Only
from gpuplanner.domain.model.tables import Pool
from tests.domain.fit.stated_offers import COMMITTED, DYNAMIC, STANDARD, offer


def ids(offers: Sequence[Offer]) -> list[str]:
    return [each.offer_id for each in offers]


def test_the_cheapest_is_of_its_category_and_ties_go_by_id() -> None:
    offers = [
        offer("b", "3"), offer("z", "2"), offer("c", "2"), offer("free", "0"), offer("quote", None),
        offer("spot", "1", DYNAMIC),
    ]  # fmt: skip
    found = cheapest(offers, STANDARD)
    assert found is not None and found.offer_id == "c"
    assert cheapest(offers, COMMITTED) is None and cheapest((), STANDARD) is None
    assert cheapest(offers[:2], STANDARD) is offers[1]


def test_steady_offers_are_priced_not_taken_back_and_of_their_least_term() -> None:
    """$1 with $8,760 over 8,760 hours is $2; the same rates stand by their id."""
    offers = [
        offer("use", "4"),
        offer("spot", "1", DYNAMIC),
        offer("quote", None),
        offer("year", "1", COMMITTED, 12, upfront_usd=Decimal(8760)),
        offer("plain", "2", COMMITTED, 12),
        offer("least", "3", COMMITTED, 6, min_term_months=6),
        offer("short", "0.5", COMMITTED, 5, min_term_months=6),
        offer("month", "3.5", COMMITTED, 1),
        offer("none", "0.5", COMMITTED, 0),
    ]
    assert ids(steady_offers(offers)) == ["plain", "year", "least", "month", "use"]
    assert ids(steady_offers(reversed(offers))) == ["plain", "year", "least", "month", "use"]


def test_offers_that_may_serve_are_of_the_model_and_of_who_may() -> None:
    offers = [offer("a", "1", provider="Ada"), offer("b", "2", provider="Bo")]
    offers.append(offer("x", "1", gpu_model="A100", provider="Ada"))
    need = Need(Pool.BURST, "H100")
    assert ids(eligible_offers(offers, need)) == ["a", "b"]
    assert ids(eligible_offers(offers, replace(need, gpu_model=None))) == ["a", "b", "x"]
    assert ids(eligible_offers(offers, replace(need, only=Only("Bo")))) == ["b"]
    mapped = eligible_offers(offers, replace(need, only=Only("Ada")), [ModelMapping("H100", "A100", 0.5)])
    assert [(each.offer_id, each.rate) for each in mapped] == [("a", 1.0), ("x", 2.0)]
    virtual = [offer("v", "1", bare_metal=False), offer("m", "1", gpu_memory_gb=40.0)]
    trains = Need(Pool.TRAINING, "H100", several_nodes=True)
    assert ids(eligible_offers(virtual, trains)) == ["m"]  # renewed: amber
    assert ids(eligible_offers(virtual, replace(trains, several_nodes=False))) == ["v", "m"]
    assert (
        eligible_offers(virtual, replace(trains, gpu_model="H200"), [ModelMapping("H200", "H100", 1.0)]) == ()
    )
    assert need_of(Pool.TRAINING, "H100", True) == trains and need_of(Pool.BURST, None).gpu_model is None
