"""Deciding an award by hand: its conditions, the market beside a quote, alternatives, and quotes that are weighed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.award import award as awarding
from gpuplanner.domain.award import deciding, division
from gpuplanner.domain.award.award import Award, Planning, award_of, listed_rate, plan_rate
from gpuplanner.domain.award.deciding import (
    NOT_TRIED,
    OfferWorth,
    conditions_of,
    line_key,
    offer_worths,
    with_offer_worths,
    with_worth,
)
from gpuplanner.domain.fit.needs import AskedNeeds
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping, Only
from gpuplanner.domain.model.book.price_book import SLA_ASKED_PERCENT
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from tests.domain.audit.conftest import make_project
from tests.domain.award.conftest import CONDITIONS, TODAY_S, order, quote, row

ANSWER = "Quote RFQ-1 R1"


# --- Conditions


def ground(*offers: Offer, wait_months: int = 0) -> Any:
    """A plan that begins at noon, and waits."""
    return SimpleNamespace(
        window=SimpleNamespace(end_s=TODAY_S + DAY_S // 2),
        calendar=SimpleNamespace(wait_months=wait_months),
        project=SimpleNamespace(mappings=["m"], offers=offers),
        scenario=SimpleNamespace(shares={Only("Ada"): 0.5}),
        assumptions=SimpleNamespace(max_provider_share=0.7),
    )


def test_nothing_is_ordered_before_today_nor_before_the_plan_begins_and_has_waited() -> None:
    for wait_months, today_s, day_s in (
        (0, 0, TODAY_S),
        (0, TODAY_S + 3 * DAY_S + 5, TODAY_S + 3 * DAY_S),
        (2, TODAY_S + 3 * DAY_S, (TODAY_S + DAY_S // 2 + 2 * MONTH_S) // DAY_S * DAY_S),
    ):
        assert conditions_of(ground(wait_months=wait_months), (), today_s).order_day_s == day_s


def test_conditions_are_those_of_the_plan_and_the_call() -> None:
    checks: Any = [
        SimpleNamespace(code="over_provider_share", subject="Ada"),
        SimpleNamespace(code="other", subject="Bo"),
    ]
    of = conditions_of(ground(), checks, 0, 9.0)
    assert (of.over_share, of.max_share, of.max_prepaid) == (frozenset({"Ada"}), 0.7, 9.0)
    assert (of.mappings, of.shares, of.sla_percent) == (("m",), {Only("Ada"): 0.5}, SLA_ASKED_PERCENT)
    asked = [quote(f"q{sla}", 1.0, source=f"{ANSWER} at {sla}%") for sla in ("99", "99.5", "98")]
    assert conditions_of(ground(*asked, quote("list", 1.0)), (), 0).sla_percent == 99.5
    free = quote("free", 1.0, source=f"{ANSWER} at 0%")
    assert conditions_of(ground(free), (), 0).sla_percent is None


@pytest.mark.parametrize(
    ("rate", "market", "currency", "shown", "is_far"),
    [
        (3.2, (3.0, 3.5), "USD", (3.0, 3.5), False),
        (0.5, (3.0, 3.5), "USD", (3.0, 3.5), True),
        (None, (3.0, 3.5), "USD", (3.0, 3.5), None),
        (3.2, (0.0, 0.0), "USD", (0.0, 0.0), None),
        (2.6, (3.0, 3.5), "CHF", (2.4, 2.8), False),
        (2.6, (3.0, 3.5), "EUR", (0.0, 0.0), None),
    ],
)
def test_a_rate_is_beside_the_market_in_the_money_of_the_project(
    rate: float | None,
    market: tuple[float, float],
    currency: str,
    shown: tuple[float, float],
    *,
    is_far: bool | None,
) -> None:
    """A franc is $1.25; of an euro nobody states it."""
    exchange = (ExchangeRate("CHF", Decimal("1.25"), "2026-10-01"),)
    evaluation: Any = SimpleNamespace(project=SimpleNamespace(currency=currency, exchange=exchange))
    of = award([row()], [quote("a", 3.0)]).quotes[0]
    found = deciding._beside_market(replace(of, offer=quote("a", rate)), lambda _: market, evaluation)
    assert found.market == pytest.approx(shown) and found.is_far_from_market is is_far


# --- Alternatives


def test_commitments_of_less_sla_than_is_asked_for_are_left_out() -> None:
    offers = [
        quote("enough", 1.0, sla_percent=99.5),
        quote("less", 1.0, sla_percent=99.4),
        quote("unsaid", 1.0, sla_percent=None),
        quote("use", 1.0, 0, sla_percent=1.0),
        quote("own", 1.0, sla_percent=99.0, source=f"{ANSWER} at 99%"),
        quote("short", 1.0, sla_percent=98.0, source=f"{ANSWER} at 99%"),
    ]
    project = make_project(10, [], [], offers=offers)

    def kept(asked: float | None) -> list[str]:
        return [offer.offer_id for offer in deciding._of_enough_sla(project, asked).offers]

    assert kept(99.5) == ["enough", "unsaid", "use", "own"]
    assert kept(None) == ["enough", "less", "unsaid", "use", "own"]


def test_what_is_quoted_for_other_rows_alone_is_no_alternative() -> None:
    rows_of = {"any": None, "same": ("R1", "R2"), "other": ("R3",), "none": ()}
    offers = [quote(name, 1.0) for name in (*rows_of, "unheard")]

    def beside(rows: tuple[str, ...] | None) -> list[str]:
        is_beside = deciding._beside(rows, rows_of)
        return [offer.offer_id for offer in offers if is_beside(offer)]

    assert beside(("R2",)) == ["any", "same", "unheard"] and beside(("R3", "R9")) == [
        "any",
        "other",
        "unheard",
    ]
    assert beside(None) == ["any", "unheard"] == beside(())


# --- What quotes and offers are worth


def award(rows: Sequence[Any], offers: Sequence[Offer]) -> Award:
    found = award_of(rows, offers, CONDITIONS)
    assert found is not None
    return found


def evaluation_of(offers: Sequence[Offer]) -> Any:
    project = make_project(10, [], [], offers=offers)
    audit = SimpleNamespace(classifications=())
    return SimpleNamespace(
        in_parts=SimpleNamespace(project=project, audit=audit),
        figures=SimpleNamespace(basis=SimpleNamespace(plan=project.scenarios[0]), workload_pools=()),
    )


@pytest.fixture
def signed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """Every offer is signed up to $4; which were asked of, beside which others, once each."""
    asked: list[tuple[str, list[str]]] = []

    def signs(self: Planning, offer: Offer, rate: float) -> bool:
        entry = (offer.offer_id, [each.offer_id for each in self.project.offers])
        if entry not in asked:
            asked.append(entry)
        return rate <= 4.0

    monkeypatch.setattr(Planning, "signs", signs)
    return asked


def test_each_quote_that_qualifies_is_weighed_and_the_rest_is_left(
    signed: list[tuple[str, list[str]]],
) -> None:
    """$2 is signed, and so is $4: twice the rate, a margin of $2."""
    offers = [quote("a", 2.0), quote("b", 2.5), quote("short", 1.0, 6)]
    shares: list[float] = []
    whole = with_worth(
        award([row()], offers), evaluation_of(offers), on_progress=lambda share, _: shares.append(share)
    )
    assert whole is not None
    by_id = {each.offer.offer_id: each for each in whole.quotes}
    assert list(by_id) == ["a", "b", "short"] and shares == [0.0, 0.5]
    for name, rate in (("a", 2.0), ("b", 2.5)):
        found = by_id[name]
        assert found.worth_rate == pytest.approx(4.0, rel=2e-3) and (found.worth_rate or 9) <= 4.0
        assert found.margin == pytest.approx((found.worth_rate or 0) - rate) and found.why_not_worth is None
        assert found.margin_share == pytest.approx((found.worth_rate or 0) / rate - 1)
        assert any(tried > 4.0 for tried, _ in found.tried)
    assert (by_id["short"].worth_rate, by_id["short"].margin, by_id["short"].tried) == (None, None, ())
    assert [name for name, _ in signed] == ["a", "b"]
    assert with_worth(award([row()], offers), evaluation_of(offers), lambda: True) is None


def test_the_worth_of_a_twin_is_tried_first(signed: list[tuple[str, list[str]]]) -> None:
    """What was found of a is right for b of the same rate: the rate that is signed, and the next that is not."""
    offers = [quote("a", 2.0), quote("b", 2.0)]
    whole = with_worth(award([row()], offers), evaluation_of(offers))
    assert whole is not None
    first, second = whole.quotes
    assert first.worth_rate == second.worth_rate and len(second.tried) == 2 < len(first.tried)
    other = [quote("a", 2.0), quote("b", 2.0, 24)]
    apart = with_worth(award([row(), row("R2", term_months=24)], other), evaluation_of(other))
    assert apart is not None and len(apart.quotes[0].tried) == len(apart.quotes[1].tried) > 2


def test_no_more_quotes_are_weighed_than_may_be(
    signed: list[tuple[str, list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deciding, "MOST_TRIED", 2)
    offers = [quote(name, 2.0) for name in "abc"]
    shares: list[float] = []
    whole = with_worth(
        award([row()], offers), evaluation_of(offers), on_progress=lambda share, _: shares.append(share)
    )
    assert whole is not None and [each.worth_rate is None for each in whole.quotes] == [False, False, True]
    assert whole.quotes[2].why_not_worth == NOT_TRIED and shares == [0.0, 0.5, 1.0]
    terms = [quote(name, rate) for name, rate in (("x", 3.0), ("a", 2.0), ("z", 1.0))]
    worths = offer_worths(evaluation_of([*terms, quote("use", 1.0, 0), quote("none", None)]))
    assert worths is not None
    assert [(each.offer.offer_id, each.rate, each.worth_rate is None) for each in worths] == [
        ("a", 2.0, False),
        ("x", 3.0, True),
        ("z", 1.0, False),
    ]
    assert worths[1].why_not_worth == NOT_TRIED and worths[1].margin_share is None
    assert worths[0].margin_share == pytest.approx((worths[0].worth_rate or 0) / 2.0 - 1)
    assert offer_worths(evaluation_of(terms), lambda: True) is None
    assert {name for name, _ in signed} == {"a", "b", "z"}


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


# --- Beside the plan, and sums of an integer program


def test_a_plan_without_a_rate_has_nothing_to_save() -> None:
    """16 GPUs at $2 for 12 months of 730 h, in place of $3."""
    known = award([row()], [quote("a", 2.0)])
    assert known.quotes[0].saves_beside_plan == pytest.approx(16 * 12 * 730)
    assert [line_key(line) for line in known.awarded] == ["R1 a"]
    unknown = row(orders=(order(16.0, rate=None, spread_rate=None),))
    found = award([unknown], [quote("a", 2.0)])
    assert found.quotes[0].saves_beside_plan is None and found.awarded[0].plan_rate is None
    assert award([row()], [quote("b", 2.0), quote("a", 1.0)]).quotes[1].saves_beside_plan is None
    half = award([row(), replace(unknown, name="R2")], [quote("a", 2.0)])
    assert half.quotes[0].saves_beside_plan is None  # of one of both rows nobody knows it


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


def test_a_sum_is_divided_by_its_largest_factor() -> None:
    assert division._size({0: 2.0, 1: -8.0, 2: 1.0}) == 8.0
    assert division._size({}) == division._size({0: 0.0}) == 1.0
    assert division._sum({0: 2.0, 2: -1.0}, (3, 9, 4)) == 2.0
    assert division._places("abca") == {"a": [0, 3], "b": [1], "c": [2]}
    program = division.IntegerProgram()
    first, second = program.variable(5.0), program.variable(3.0)
    program.limit({first: 2.0, second: 4.0}, 10.0, 13.0)
    assert (first, second) == (0, 1)
    assert program.least({first: 3.0, second: 5.0}) == (
        1,
        2,
    )  # 13; 14 and 16 of (3, 1) and (2, 2), 15 of (5, 0)
    assert program.least({first: 1.0}) == (0, 3) and program.least({second: 1.0}) == (5, 0)
    assert division.IntegerProgram().least({}) == ()


# --- Whether a plan signs an offer


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

    monkeypatch.setattr(awarding, "ground_of", lambda project, *_: project)
    monkeypatch.setattr(awarding, "plan_of", plan_of)
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


# --- What qualifies, and who is missed


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


def qualifies(offer: Offer, **of_row: Any) -> bool:
    mapped = replace(
        CONDITIONS, mappings=(ModelMapping("H100", "H200", 2.0), ModelMapping("H100", "A100", 0.5))
    )
    found = award_of([row(**of_row)], [offer], mapped)
    assert found is not None
    return bool(found.quotes[0].rows)


def test_units_and_the_most_of_an_offer_count_by_what_its_gpus_are_worth() -> None:
    """Of 16 GPUs asked for in nodes of 8: an H200 is worth two, an A100 half of one."""
    for model, unit, is_enough in (
        ("H200", 8, True),
        ("H200", 9, False),
        ("A100", 32, True),
        ("A100", 33, False),
        ("H100", 16, True),
        ("H100", 17, False),
    ):
        assert qualifies(quote("a", 2.0, gpu_model=model, unit_gpus=unit)) is is_enough
    for model, most, is_enough in (
        ("H200", 4, True),
        ("H200", 3, False),
        ("A100", 16, True),
        ("A100", 15, False),
        ("H100", 8, True),
        ("H100", 7, False),
    ):
        assert qualifies(quote("a", 2.0, gpu_model=model, unit_gpus=1, max_gpus=most)) is is_enough


@pytest.mark.parametrize(
    ("asked", "enough", "short"),
    [
        (AskedNeeds("infiniband"), {"interconnect": "infiniband"}, {"interconnect": "roce_400"}),
        (AskedNeeds("roce_400"), {"interconnect": "roce_400"}, {"interconnect": "roce"}),
        (AskedNeeds("ethernet"), {"interconnect": "ethernet"}, None),
        (AskedNeeds("infiniband"), {"interconnect": "nvlink"}, {"interconnect": "ethernet"}),
        (AskedNeeds(bare_metal=True), {"bare_metal": True}, {"bare_metal": False}),
        (AskedNeeds(memory_gb=80.0), {"gpu_memory_gb": 80.0}, {"gpu_memory_gb": 79.9}),
    ],
)
def test_hardware_as_it_is_asked_for_is_enough(
    asked: AskedNeeds, enough: dict[str, Any], short: dict[str, Any] | None
) -> None:
    assert qualifies(quote("a", 2.0, **enough), needs=asked)
    assert qualifies(quote("a", 2.0), needs=asked)  # what is not stated is no reason
    assert short is None or not qualifies(quote("a", 2.0, **short), needs=asked)


def test_a_division_keeps_the_least_of_an_offer_and_buys_whole_units() -> None:
    """Nodes of 8 GPUs; an offer sold from 16 on serves no single node; of two at $5 the one with a name serves."""

    def divided(
        nodes: int, *candidates: division.Candidate, **least: int
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        found = division.divide([nodes], [8], candidates, division.Bounds(least=least, most={}))
        return found.nodes, found.units

    exact = division.Candidate(row=0, offer_id="a", provider=None, unit_gpus=8, units_a_node=1.0, cost=5.0)
    assert divided(1, exact) == ((1,), (1,)) and divided(1, exact, a=16) == ((0,), (0,))
    assert divided(2, exact, a=16) == ((2,), (2,))
    assert divided(1, exact, replace(exact, offer_id="b", provider="P")) == ((0, 1), (0, 1))
    part = replace(exact, units_a_node=0.625, is_exact=False)  # a unit of 8 does the work of 12.8
    assert (
        divided(1, part) == ((1,), (1,))
        and divided(2, part) == ((2,), (2,))
        and divided(8, part) == ((8,), (5,))
    )
    mapped = replace(CONDITIONS, mappings=(ModelMapping("H100", "H200", 1.6),))
    found = award_of(
        [row()], [quote("a", 2.0, gpu_model="H200")], mapped
    )  # 16 are the work of 10, in two units
    assert found is not None and [(line.gpus, line.bought_gpus) for line in found.awarded] == [(16.0, 16.0)]
