"""Rates of exchange, and amounts that stay in the money in which they were noted, also within a text."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from gpuplanner.domain.figures.typed import amount, whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import unexchanged
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import (
    DOLLARS,
    ExchangeRate,
    as_quoted,
    check_code,
    check_rate,
    counted_rows,
    currency_from,
    exchange_between,
    in_money,
    lacking_rate,
    unstated_exchange,
    with_code,
)
from gpuplanner.domain.model.errors import PlannerError
from tests.domain.model.book.stated_offers import YEAR

EUR, CHF = (
    ExchangeRate("EUR", Decimal("1.2"), "2026-01-01"),
    ExchangeRate("CHF", Decimal("0.6"), "2026-01-01"),
)


def test_an_amount_keeps_the_money_that_it_was_noted_in() -> None:
    inner = worded("{usd}, ${more} more", usd=amount(-1234.5, 2), more=whole(10))
    noted = with_code(worded("Accept {what} ({gpus})", what=inner, gpus=whole(1200)), "USD")
    said = "Accept \u2212USD\u00a01,234.50, USD\u00a010 more (1,200)"
    assert str(noted) == in_money(str(noted), "EUR") == said


def test_a_name_with_a_dollar_and_an_unknown_amount_stay() -> None:
    noted = with_code(worded("{name}: {usd}", name="job-$x", usd=amount(None)), "CHF")
    assert str(noted) == "job-$x: \u2014"


def test_amounts_under_one_keep_their_sign() -> None:
    noted = [str(with_code(worded("{usd}", usd=amount(usd, 2)), "USD")) for usd in (0.5, 0.0, -0.25)]
    assert noted == ["USD\u00a00.50", "USD\u00a00.00", "\u2212USD\u00a00.25"]


# --- Currencies


def test_a_rate_of_exchange_is_that_of_one_over_the_other() -> None:
    rates = (EUR, CHF)
    assert exchange_between("EUR", "USD", rates) == Decimal("1.2")
    assert exchange_between("EUR", "CHF", rates) == 2 and exchange_between("CHF", "EUR", rates) == Decimal(
        "0.5"
    )
    assert exchange_between("EUR", "EUR", ()) == 1
    assert exchange_between("EUR", "GBP", rates) is exchange_between("GBP", "EUR", rates) is None
    assert currency_from("USD", rates) is DOLLARS and currency_from("GBP", rates).usd_rate is None
    assert currency_from("EUR", (EUR, replace(EUR, usd_rate=Decimal(2)))).usd_rate == 2
    assert unstated_exchange("USD") == 1 and unstated_exchange("EUR") is None


def test_rows_count_at_their_rate_or_wait_for_it() -> None:
    quoted = replace(YEAR, currency="EUR", exchange=None)
    (counted,) = counted_rows((quoted,), "USD", (EUR,))
    assert counted.exchange == Decimal("1.2")
    assert counted_rows((counted,), "USD", (EUR,))[0] is counted
    assert lacking_rate(quoted, "USD", ()) == "EUR" and lacking_rate(quoted, "USD", (EUR,)) == ""
    assert lacking_rate(quoted, "CHF", (EUR,)) == "CHF"
    assert lacking_rate(counted, "USD", ()) == ""
    assert lacking_rate(replace(quoted, rate_usd_per_gpu_hour=None), "USD", ()) == ""
    assert str(as_quoted(quoted)) == "2.5 EUR" and as_quoted(counted) == ""
    assert as_quoted(replace(quoted, rate_usd_per_gpu_hour=None)) == ""


@pytest.mark.parametrize(
    ("changes", "is_right"),
    [
        ({}, True),
        ({"code": "USD"}, False),
        ({"code": "EURO"}, False),
        ({"usd_rate": Decimal(0)}, False),
        ({"usd_rate": Decimal(10**6)}, True),
        ({"usd_rate": Decimal(10**6 + 1)}, False),
        ({"usd_rate": Decimal("NaN")}, False),
        ({"as_of": "2026-13-01"}, False),
    ],
)
def test_a_rate_is_stated_of_a_day(changes: dict[str, Any], *, is_right: bool) -> None:
    rate = replace(EUR, **changes)
    try:
        assert check_rate(rate) is rate and is_right
    except PlannerError:
        assert not is_right
    assert check_code(" chf ") == "CHF"
    assert in_money("$ per GPU-h", "USD") == "$ per GPU-h" and in_money("no money", "EUR") == "no money"


def test_a_contract_that_waits_for_an_exchange_has_a_name_of_its_own() -> None:
    held = Contract(
        contract_id="k",
        cluster="c",
        gpu_model="H100",
        milli_gpus=1000,
        rate_usd_per_gpu_hour=Decimal(2),
        start_s=0,
    )
    assert held.part_name == "k" and replace(held, rate_usd_per_gpu_hour=None, exchange=None).part_name == "k"
    assert replace(held, exchange=None).part_name == unexchanged("k")
