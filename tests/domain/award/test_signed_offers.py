"""Offers that a plan signs within a year, the rate of its orders, and rows that one vendor alone serves."""

from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.award import worth_signing
from gpuplanner.domain.award.award import listed_rate, plan_rate
from gpuplanner.domain.award.worth_signing import Planning
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.window import MONTH_S
from tests.domain.audit.conftest import make_project
from tests.domain.award.conftest import order, quote, row
from tests.domain.award.small_awards import award


def test_the_rate_of_a_plan_is_the_mean_of_its_orders_by_gpus() -> None:
    orders = (order(12.0, offer_id="x", spread_rate=2.0), order(4.0, offer_id="y", spread_rate=4.0))
    mixed = row(orders=orders)
    assert plan_rate(mixed) == pytest.approx(2.5)
    assert listed_rate(mixed, {"y": quote("y", 8.0)}) == pytest.approx((12 * 2 + 4 * 8) / 16)
    assert listed_rate(mixed, {"y": quote("y", None)}) is None and plan_rate(row(orders=())) is None


def test_a_row_for_who_alone_may_serve_goes_to_them() -> None:
    offers = [quote("a", 2.0), quote("b", 1.0)]
    found = award([row(only=Only("Vendor a"))], offers)
    assert [line.offer.offer_id for line in found.awarded] == ["a"]
    assert [len(each.against) for each in found.quotes] == [0, 1]


@pytest.mark.parametrize(
    ("place", "start_s", "signs"),
    [(1, 0, True), (1, 12 * MONTH_S - 1, True), (1, 12 * MONTH_S, False), (0, 0, False), (2, 0, False)],
)
def test_an_offer_is_signed_where_an_order_of_it_begins_within_a_year(
    place: int, start_s: int, monkeypatch: pytest.MonkeyPatch, *, signs: bool
) -> None:
    """Of two rows the second has the offer, in its second place; an order of the first row there is of another."""
    planned: list[Any] = []
    of = quote(
        "b",
        2.0,
        rate_low=Decimal(1),
        rate_high=Decimal(3),
        valid_until="2026-10-02",
        exchange=Decimal("1.25"),
    )
    offers = (quote("a", 2.0), of, quote("c", 2.0))

    def plan_of(project: Any, cache: Any) -> Any:
        planned.append(project)
        orders = [SimpleNamespace(place=place, start_s=start_s)]
        other = SimpleNamespace(
            row=SimpleNamespace(offers=offers[:1]),
            listed=SimpleNamespace(orders=[SimpleNamespace(place=1, start_s=0)]),
        )
        return SimpleNamespace(
            rows=[
                other,
                SimpleNamespace(row=SimpleNamespace(offers=offers), listed=SimpleNamespace(orders=orders)),
            ]
        )

    monkeypatch.setattr(worth_signing, "ground_of", lambda project, *_: project)
    monkeypatch.setattr(worth_signing, "plan_of", plan_of)
    project = make_project(10, [], [], offers=offers)
    planning = Planning(project=project, plan=project.scenarios[0], pools=(), classes=())
    assert planning.signs(of, 5.0) is signs
    first, moved, last = planned[0].offers
    assert (first, last) == (offers[0], offers[2])
    assert (moved.rate_usd_per_gpu_hour, moved.rate_low, moved.rate_high, moved.valid_until) == (
        4,
        None,
        None,
        None,
    )
    planning.signs(replace(of, exchange=None), 5.0)
    assert planned[1].offers[1].rate_usd_per_gpu_hour == 5
    kept = planning.with_offers(lambda offer: offer.offer_id != "b")
    assert kept.project.offers == (offers[0], offers[2]) and kept.cache is planning.cache
    assert not kept.signs(quote("z", 1.0), 5.0)


def test_a_single_gpu_that_nobody_else_serves_stays_open_without_its_vendor() -> None:
    """Rows of single GPUs: without its vendor one stays open, and where another serves it costs $1 more an hour."""
    alone = award([row(gpus=1, node_gpus=1)], [quote("a", 2.0, unit_gpus=1)])
    (vendor,) = alone.vendors
    assert (vendor.opens_gpus, vendor.cost_without, vendor.saves) == (1, None, None)
    assert (alone.quotes[0].opens_gpus, alone.quotes[0].saves) == (1, None)
    beside = award([row(gpus=1, node_gpus=1)], [quote("a", 2.0, unit_gpus=1), quote("b", 3.0, unit_gpus=1)])
    (vendor,) = beside.vendors
    assert (vendor.opens_gpus, vendor.saves) == (0, pytest.approx(12 * 730))
    assert beside.quotes[0].saves == pytest.approx(12 * 730) and beside.quotes[1].saves == 0
