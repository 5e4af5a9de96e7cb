"""Conditions of an award: its day, its limits and the market; and offers that are alternatives to a quote."""

from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.award.deciding import compare_with_market, conditions_of
from gpuplanner.domain.award.quote_worths import build_alternative_filter, drop_low_sla_offers
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from tests.domain.audit.conftest import make_project
from tests.domain.award.conftest import TODAY_S, quote, row
from tests.domain.award.small_awards import award

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
    assert (of.mappings, of.shares, of.sla_percent) == (("m",), {Only("Ada"): 0.5}, None)
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
    found = compare_with_market(replace(of, offer=quote("a", rate)), lambda _: market, evaluation)
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
        return [offer.offer_id for offer in drop_low_sla_offers(project, asked).offers]

    assert kept(99.5) == ["enough", "unsaid", "use", "own"]
    assert kept(None) == ["enough", "less", "unsaid", "use", "own"]


def test_what_is_quoted_for_other_rows_alone_is_no_alternative() -> None:
    rows_of = {"any": None, "same": ("R1", "R2"), "other": ("R3",), "none": ()}
    offers = [quote(name, 1.0) for name in (*rows_of, "unheard")]

    def beside(rows: tuple[str, ...] | None) -> list[str]:
        is_beside = build_alternative_filter(rows, rows_of)
        return [offer.offer_id for offer in offers if is_beside(offer)]

    assert beside(("R2",)) == ["any", "same", "unheard"] and beside(("R3", "R9")) == [
        "any",
        "other",
        "unheard",
    ]
    assert beside(None) == ["any", "unheard"] == beside(())
