"""Orders in words: what they buy for which term, how many a list has, and what later ones are expected to cost."""

import re
from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.commitment.asked_rows import AskedRow
from gpuplanner.domain.commitment.result import IF_IT_LASTS, Order
from gpuplanner.domain.commitment.words.orders import (
    asked_rows_words,
    bought_in_rows_words,
    bought_words,
    committed_orders_words,
    dated_order_words,
    expected_price_words,
    order_words,
    rows_words,
    set_up_words,
)
from gpuplanner.domain.commitment.words.terms import row_term_words
from gpuplanner.domain.fit.needs import NOTHING_ASKED
from gpuplanner.domain.model.book.dollars import IN_DOLLARS
from gpuplanner.domain.model.book.only import ANYBODY
from gpuplanner.domain.model.window import DAY_S
from tests.domain.commitment.words.sentence_figures import figures
from tests.domain.commitment.words.small_orders import order


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"offer_gpu_model": "H200", "offer_gpus": 3.0}, "3 H200"),
        ({}, "4 H100"),
        ({"gpu_model": None}, "4 GPUs"),
        ({"gpu_model": None, "gpus": 1.0}, "1 GPU"),
        ({"gpu_model": f"{IN_DOLLARS}H100", "rate": 12.5}, "$12.50 per hour"),
    ],
)
def test_what_is_bought_is_told_in_gpus_of_the_offer(values: dict[str, Any], words: str) -> None:
    assert str(bought_words([order(**values)])) == words


def test_orders_of_one_model_are_one_number_and_renewals_count_once() -> None:
    monthly = [order(0, term_months=1), order(1, term_months=1)]
    other = [order(0, offer_gpu_model="H200", offer_gpus=3.0)]
    assert str(bought_in_rows_words([monthly, [order()], other])) == "8 H100 + 3 H200"
    assert str(rows_words([monthly, [order(term_months=1)]])) == "8 H100, monthly"
    assert str(rows_words([[order(term_months=12)]])) == "4 H100 for 12 months"


def test_an_order_is_told_with_its_term_and_its_days() -> None:
    once, monthly = [order(0, term_months=12)], [order(0, term_months=1), order(1, term_months=1)]
    assert str(order_words(once)) == "4 H100 for 12 months"
    assert str(order_words(monthly)) == f"4 H100, {row_term_words(monthly)}"
    assert str(order_words(monthly, has_end=False)) == "4 H100, monthly"

    def day(at_s: int) -> str:
        return f"day {at_s // DAY_S}"

    first, last = day(once[0].start_s), day(monthly[-1].end_s - 1)
    assert str(dated_order_words(once, day)) == f"4 H100 for 12 months from {first}"
    assert str(dated_order_words(monthly, day)) == f"4 H100 from {first} to {last}, monthly"


def test_committed_orders_are_counted_without_what_is_bought() -> None:
    bought, lasting = order(capex_per_gpu=9.0), order(reason=IF_IT_LASTS)
    assert figures(committed_orders_words(2, [order(), order(1)])) == ["2"]
    assert "order of" in str(committed_orders_words(1, [order(), lasting]))
    assert figures(committed_orders_words(1, [order(), bought, lasting])) == ["1", "2", "12", "4"]
    assert str(committed_orders_words(0, [])) == "no order in twelve months"
    assert not figures(committed_orders_words(0, [lasting, replace(lasting, capex_per_gpu=9.0)]))


def test_what_is_due_with_an_order_is_a_set_up_fee_in_whole_or_in_part() -> None:
    """4 GPUs at $250 each, of $1,000; with $1,000 upfront beside it, of $2,000."""
    made = order(gpus=4.0, setup_per_gpu=250.0, due_at_once=1000.0)
    assert set_up_words((made,)) and figures(str(set_up_words((made,)))) == []
    beside = replace(made, upfront_per_gpu=250.0, due_at_once=2000.0)
    assert figures(str(set_up_words((beside,)))) == ["$1,000"]
    assert not set_up_words((replace(beside, setup_per_gpu=0.0, due_at_once=1000.0),))


def test_a_request_says_how_many_orders_it_asks_for_and_which_are_options() -> None:
    def row(number: int, *orders: Order, **values: Any) -> AskedRow:
        start_s = orders[0].start_s - orders[0].start_s % DAY_S
        base = AskedRow(
            name=f"O{number}",
            is_option=False,
            gpu_model="H100",
            gpus=8,
            node_gpus=8,
            term_months=1,
            term_days=0,
            start_s=start_s,
            needs=NOTHING_ASKED,
            only=ANYBODY,
            orders=orders,
        )
        return replace(base, **values)

    first = row(1, order(0), order(1, reason="follows", follows=True))
    assert figures(asked_rows_words([first])) == ["1"]
    option = row(3, order(5, reason=IF_IT_LASTS), is_option=True)
    assert figures(asked_rows_words([first, option, replace(option, name="O4")])) == ["3", "2"]


def test_an_expected_price_is_told_beside_the_list_where_they_differ() -> None:
    later = [order(3, cost_per_month=100.0), order(2, cost_per_month=50.0)]
    listed = [replace(item, cost_per_month=90.0) for item in later]
    said = str(expected_price_words(later, listed))
    assert "30 Nov 2026" in said and re.findall(r"\$\d+", said) == ["$150", "$180"]
    near = [replace(listed[0], cost_per_month=150.4)]
    assert expected_price_words(later, near) is None
    assert expected_price_words([], []) is None
    for unknown in (later, listed):
        missing = [replace(unknown[0], cost_per_month=None)]
        assert expected_price_words(missing, listed) is None and expected_price_words(later, missing) is None
