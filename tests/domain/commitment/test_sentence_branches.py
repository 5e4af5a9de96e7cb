"""The advice in words: each branch with its figures, by hand."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.commitment.asked_rows import AskedRow
from gpuplanner.domain.commitment.outlook_result import Coverage
from gpuplanner.domain.commitment.result import IF_IT_LASTS, Layer, Order, Verdict
from gpuplanner.domain.commitment.sentences import (
    ANEW,
    IS_LATER,
    STOP,
    VERDICTS,
    all_on_demand,
    asked_rows_words,
    by_the_hour,
    change_words,
    committed_orders_words,
    coverage_sentences,
    decide_by_s,
    expected_price_words,
    follows,
    is_to_stop,
    layer_sentences,
    row_term_words,
    savings_rate_sentence,
    step_words,
    term_name,
)
from gpuplanner.domain.fit.needs import NOTHING_ASKED
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.only import ANYBODY
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, MONTH_S, instant_s
from tests.domain.commitment.conftest import offer

BEGIN_S = instant_s("2026-10-01")
END_S = instant_s("2027-02-01")


def figures(words: object) -> list[str]:
    return re.findall(r"\$?\d(?:[\d,.]*\d)?%?", str(words).replace("\N{MINUS SIGN}", "-"))


def order(number: int = 0, months: int = 1, **values: Any) -> Order:
    """4 H100 that begin with a month of the plan, in a row of their own."""
    start_s = BEGIN_S + number * MONTH_S
    base = Order(
        pool=Pool.TRAINING,
        gpu_model="H100",
        offer_id="o",
        term_months=months,
        gpus=4.0,
        start_s=start_s,
        end_s=start_s + months * MONTH_S,
        order_by_s=start_s,
        reason="now",
        row=number,
    )
    return replace(base, **values)


# --- Terms


def test_a_row_of_orders_is_told_by_its_term_and_how_often_it_renews() -> None:
    first, second = order(0), order(1)
    assert str(row_term_words([first])) == "1 month"
    assert str(row_term_words([first, second])) == "monthly, until 30 Nov 2026"
    assert str(row_term_words([first, second], has_end=False)) == "monthly"
    assert str(row_term_words([order(0, 3), order(3, 3)])).startswith("3 months at a time, until")
    for days, how in ((7, "weekly"), (1, "daily"), (10, "10 days at a time")):
        assert str(row_term_words([order(term_days=days)], has_end=False)) == how
    whole = order(term_days=10)
    assert str(row_term_words([replace(whole, end_s=whole.start_s + 10 * DAY_S)])) == "10 days"


def test_a_term_is_called_after_what_is_bought_then_after_what_is_offered() -> None:
    def plan(layers: list[Layer], *terms: tuple[int, int | None]) -> Any:
        offered = [SimpleNamespace(term_months=months, term_days=days) for months, days in terms]
        return SimpleNamespace(layers=layers, break_even=offered)

    held = Layer(
        existing=False,
        pricing_category=PricingCategory.COMMITTED,
        term_months=3,
        offer_id="d",
        gpus=4,
        busy_gpus=4,
        rate=1.0,
        term_days=90,
    )
    assert str(term_name(plan([held], (3, None)), 3)) == "90 days"
    assert str(term_name(plan([replace(held, gpus=0)], (3, None)), 3)) == "3 months"
    assert str(term_name(plan([held], (12, 365)), 12)) == "365 days"
    assert str(term_name(plan([replace(held, existing=True)]), 3)) == "3 months"


# --- Coverage


@pytest.mark.parametrize(
    ("coverage", "said"),
    [
        (
            Coverage(now=0.8, plan=0.8, target=0.7, reached=0.8, extra_gpus=0, extra_usd_per_month=0.0),
            ["70%"],
        ),  # nothing to let go
        (
            Coverage(now=0.2, plan=0.5, target=0.7, reached=0.71, extra_gpus=3, extra_usd_per_month=None),
            ["3", "70%"],
        ),  # without a rate
        (
            Coverage(now=0.2, plan=0.5, target=0.7, reached=0.71, extra_gpus=3, extra_usd_per_month=0.0),
            ["3", "71.0%", "70%", "$0"],
        ),
    ],
)
def test_a_target_says_what_it_takes(coverage: Coverage, said: list[str]) -> None:
    first, second = coverage_sentences(coverage)
    assert figures(second) == said
    assert ("month more" in str(second)) is ("$0" in said)  # nothing is no less
    assert figures(first) == [f"{100 * (coverage.plan or 0):.1f}%", f"{100 * (coverage.now or 0):.1f}%"]


def test_whether_contracts_alone_hold_the_target() -> None:
    """They do where they are over it, and the plan serves no more than they."""
    held = coverage_sentences(
        Coverage(now=0.8, plan=0.8, target=0.7, reached=0.8, extra_gpus=0, extra_usd_per_month=0.0)
    )[1].template
    assert (
        coverage_sentences(
            Coverage(now=0.8, plan=0.7, target=0.7, reached=0.8, extra_gpus=0, extra_usd_per_month=0.0)
        )[1].template
        == held
    )
    for now, plan in ((0.7, 0.7), (0.75, 0.8), (0.6, 0.6)):
        assert (
            coverage_sentences(
                Coverage(now=now, plan=plan, target=0.7, reached=0.8, extra_gpus=0, extra_usd_per_month=0.0)
            )[1].template
            != held
        )
    (unknown,) = coverage_sentences(
        Coverage(now=0.2, plan=None, target=0.7, reached=None, extra_gpus=0, extra_usd_per_month=None)
    )
    assert not figures(unknown)


# --- What is bought by the hour, and what all of it would cost so


def month(use: float | None, plan: float | None, *ways: tuple[str, float]) -> Any:
    hours = tuple(("H100", (name,), gpu_hours) for name, gpu_hours in ways)
    return SimpleNamespace(use_usd=use, plan_usd=plan, use_hours=hours)


def test_what_is_bought_by_the_hour_is_told_from_a_twentieth_of_the_spend_on() -> None:
    """Two months: 730 + 2,190 GPU-hours are 2 GPUs on average; who sells most is named first."""
    offers = [offer("a", 0, 2.0, provider="Ada"), offer("b", 0, 2.0)]
    months = [month(100.0, 1000.0, ("a", 730.0)), month(0.0, 1000.0, ("b", 2190.0))]
    said = by_the_hour(SimpleNamespace(comparison=months), offers)  # type: ignore[arg-type]
    assert figures(said) == ["2", "$100", "2", "5%"] and str(said).endswith("b, Ada.")
    months[0].use_usd = 99.0
    assert by_the_hour(SimpleNamespace(comparison=months), offers) is None  # type: ignore[arg-type]
    for unknown in ({"use_usd": None}, {"plan_usd": None}, {"use_usd": 0.0}):
        months = [SimpleNamespace(**vars(month(100.0, 100.0, ("a", 73.0))) | unknown)]
        assert by_the_hour(SimpleNamespace(comparison=months), offers) is None  # type: ignore[arg-type]
    one = by_the_hour(SimpleNamespace(comparison=[month(9.0, 9.0, ("a", 730.0))]), [])  # type: ignore[arg-type]
    assert "1 GPU on" in str(one) and str(one).endswith("a.")
    few = by_the_hour(SimpleNamespace(comparison=[month(9.0, 9.0, ("a", 240.0))]), [])  # type: ignore[arg-type]
    assert "0.33 GPUs" in str(few)  # 240 / 730 = 0.3288


@pytest.mark.parametrize(
    ("usd", "today", "said"),
    [
        (900.0, 1000.0, ["$900", "$100"]),
        (999.4, 999.6, ["$999", "$0"]),
        (1000.4, 1000.0, None),
        (1000.0, 1000.0, None),
        (None, 1000.0, None),
        (0.0, 1000.0, None),
        (900.0, None, None),
    ],
)
def test_all_on_demand_is_told_where_it_costs_less_than_today(
    usd: float | None, today: float | None, said: list[str] | None
) -> None:
    words = all_on_demand(SimpleNamespace(on_demand_equivalent=usd, today=today))  # type: ignore[arg-type]
    assert (None if words is None else figures(words)) == said
    assert words is None or "-$" not in str(words).replace("\u2212", "-")


@pytest.mark.parametrize(
    ("rate", "usd", "said"),
    [(0.0, 50.0, ["0.0%", "$50"]), (-0.1, 50.0, ["10.0%", "$50"]), (0.2, None, []), (None, 50.0, [])],
)
def test_the_savings_rate_is_told_with_what_it_is_of(rate: Any, usd: Any, said: list[str]) -> None:
    totals: Any = SimpleNamespace(effective_savings_rate=rate, on_demand_equivalent=usd)
    assert figures(str(savings_rate_sentence(totals)).replace("-", "")) == said


# --- Layers


def layers_of(*layers: Layer, **values: Any) -> Any:
    base: dict[str, Any] = {
        "layers": layers,
        "break_even": (),
        "pool": Pool.TRAINING,
        "gpu_model": "H100",
        "supply": SimpleNamespace(ratios={}),
    }
    return SimpleNamespace(**(base | values))


def test_layers_say_their_price_where_it_is_known() -> None:
    existing = Layer(
        existing=True,
        pricing_category=PricingCategory.COMMITTED,
        term_months=None,
        offer_id=None,
        gpus=4.0,
        busy_gpus=4.0,
        rate=3.0,
    )
    use = Layer(
        existing=False,
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        offer_id="od",
        gpus=6.0,
        busy_gpus=2.5,
        rate=7.0,
        utilization=0.416,
    )
    first, second = layer_sentences(layers_of(existing, use))
    assert figures(str(first).replace("H100", "")) == ["4.0", "$3.00"]
    assert figures(str(second).replace("H100", "")) == ["2.5", "$7.00", "6", "41.6%"]
    (unpriced,) = layer_sentences(layers_of(replace(existing, rate=None), replace(use, rate=None)))
    assert "$" not in str(unpriced)  # use without a price is not told
    assert "H100" not in str(layer_sentences(layers_of(existing, gpu_model=None))[0])


@pytest.mark.parametrize(
    ("value", "bound", "said"),
    [
        (0.0, None, ["3", "12", "$2.00", "50.0%", "$0"]),
        (-9.0, 0.25, ["3", "12", "$2.00", "50.0%", "25.0%", "$9"]),
        (None, 0.25, ["3", "12", "$2.00", "50.0%", "25.0%"]),
    ],
)
def test_a_commitment_says_how_busy_it_is_and_what_it_saves(value: Any, bound: Any, said: list[str]) -> None:
    layer = Layer(
        existing=False,
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        offer_id="y1",
        gpus=3.0,
        busy_gpus=1.5,
        rate=2.0,
        utilization=0.5,
        value_per_month=value,
    )
    terms = (
        SimpleNamespace(term_months=12, break_even=bound),
        SimpleNamespace(term_months=6, break_even=0.9),
    )
    (words,) = layer_sentences(layers_of(layer, break_even=terms))
    assert figures(str(words).replace("H100", "")) == said
    assert ("more than on demand" in str(words)) is (value is not None and value < 0)


def test_use_of_a_mapped_model_is_told_in_its_own_gpus() -> None:
    """8 H100 at once are 5 H200, of which 2.5 do the work of 4 on average, at $4.80."""
    use = Layer(
        existing=False,
        pricing_category=PricingCategory.DYNAMIC,
        term_months=0,
        offer_id="od",
        gpus=8.0,
        busy_gpus=4.0,
        rate=3.0,
        offer_gpu_model="H200",
        offer_gpus=4.6,
        offer_rate=4.8,
        utilization=0.5,
    )
    plan = layers_of(use, supply=SimpleNamespace(ratios={"od": 1.6}))
    plain = str(layer_sentences(plan)[0]).replace("H100", "").replace("H200", "")
    assert figures(plain) == ["2.3", "$4.80", "5", "50.0%"] and "spot" in plain
    for missing in ({"offer_gpus": None}, {"offer_rate": None}):
        plan.layers = (replace(use, **missing),)
        assert "H200" not in str(layer_sentences(plan)[0])
    plan = layers_of(use)
    assert "H200" not in str(layer_sentences(plan)[0])


# --- What follows a contract


HELD = Contract(
    contract_id="k",
    cluster="c",
    gpu_model="H100",
    milli_gpus=8_000,
    rate_usd_per_gpu_hour=None,
    start_s=0,
    end_s=END_S,
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
)
REPLACE = Verdict(
    contract_id="k",
    verdict="replace",
    then_term_months=12,
    gpus=4.0,
    order_by_s=END_S - 10 * DAY_S,
    reason="",
    shares=((4.0, (12, None)),),
)  # type: ignore[arg-type]
GONE = Verdict(
    contract_id="k", verdict="let_expire", then_term_months=0, gpus=0.0, order_by_s=END_S, reason=""
)  # type: ignore[arg-type]


def test_something_follows_where_gpus_are_signed_for_a_term() -> None:
    assert follows(REPLACE)
    assert not follows(replace(REPLACE, gpus=0.0)) and not follows(replace(REPLACE, then_term_months=0))
    assert str(change_words(replace(REPLACE, gpus=0.0), HELD)) == ""


def test_what_to_do_about_a_contract() -> None:
    keep = replace(GONE, verdict="keep")
    assert step_words(GONE, HELD) == VERDICTS["let_expire"]
    assert step_words(replace(GONE, continued_by="k (2)"), HELD).values == {"contract": "k (2)"}  # type: ignore[union-attr]
    assert step_words(replace(REPLACE, is_later=True), HELD) == IS_LATER
    assert step_words(replace(REPLACE, verdict="end", is_later=True), HELD) != IS_LATER
    assert step_words(REPLACE, None) == step_words(REPLACE, HELD) == VERDICTS["replace"]
    assert step_words(REPLACE, replace(HELD, notice_days=30)) == VERDICTS["replace"]
    assert step_words(replace(REPLACE, verdict="end"), HELD) == ANEW
    assert step_words(replace(GONE, verdict="end"), HELD) == VERDICTS["end"]
    assert step_words(replace(keep, verdict="renew"), HELD) == VERDICTS["renew"]
    assert step_words(GONE, replace(HELD, notice_days=30)) == VERDICTS["let_expire"]
    assert step_words(GONE, replace(HELD, end_s=None)) == STOP
    assert figures(step_words(GONE, replace(HELD, end_s=None, notice_days=7))) == ["7"]
    assert str(STOP) not in str(step_words(keep, replace(HELD, end_s=None)))
    assert is_to_stop(GONE, replace(HELD, pricing_category=PricingCategory.STANDARD))
    assert not is_to_stop(keep, replace(HELD, end_s=None)) and not is_to_stop(GONE, HELD)


def test_the_last_day_to_decide_is_the_first_of_notice_and_order() -> None:
    notice = replace(HELD, notice_days=30)
    assert decide_by_s(replace(REPLACE, continued_by="k2"), HELD) is None
    assert decide_by_s(REPLACE, None) == REPLACE.order_by_s
    assert decide_by_s(replace(REPLACE, order_by_s=None), HELD) is None
    assert decide_by_s(REPLACE, replace(HELD, end_s=None)) == REPLACE.order_by_s
    assert decide_by_s(REPLACE, HELD) == END_S - 10 * DAY_S
    assert decide_by_s(REPLACE, notice) == END_S - 30 * DAY_S - 1
    assert decide_by_s(replace(REPLACE, last_day_s=END_S - 40 * DAY_S), notice) == END_S - 40 * DAY_S
    ended = replace(GONE, verdict="end", order_by_s=END_S - 21 * DAY_S)
    assert decide_by_s(ended, notice) == decide_by_s(ended, None) == END_S - 21 * DAY_S - 1


def test_a_change_of_term_says_both_in_one_unit_or_each_in_its_own() -> None:
    assert str(change_words(replace(REPLACE, gpus=8.0), HELD)) == "8 GPUs, 12 months"
    other = replace(HELD, term_months=36)
    assert str(change_words(REPLACE, other)) == "8 → 4 GPUs, 36 → 12 months"
    assert str(change_words(replace(REPLACE, gpus=4.1), HELD)).startswith("8 → 4.1 GPUs")
    both = replace(REPLACE, shares=((3.0, (12, None)), (1.0, (1, None))))
    assert str(change_words(both, HELD)).endswith("mostly 12 months")
    days = replace(REPLACE, shares=((4.0, (12, 365)),))
    assert str(change_words(days, other)).endswith("36 months → 365 days")
    assert str(change_words(REPLACE, replace(HELD, term_months=None))).endswith(", 12 months")


# --- How many orders a list has


def test_committed_orders_are_counted_without_what_is_bought() -> None:
    bought, lasting = order(capex_per_gpu=9.0), order(reason=IF_IT_LASTS)
    assert figures(committed_orders_words(2, [order(), order(1)])) == ["2"]
    assert "order of" in str(committed_orders_words(1, [order(), lasting]))
    assert figures(committed_orders_words(1, [order(), bought, lasting])) == ["1", "2", "12", "4"]
    assert not figures(committed_orders_words(0, [lasting, replace(lasting, capex_per_gpu=9.0)]))


def test_rows_of_a_request_say_how_many_orders_they_stand_for() -> None:
    def row(number: int, *orders: Order, **values: Any) -> AskedRow:
        start_s = orders[0].start_s - orders[0].start_s % DAY_S
        base = AskedRow(
            name=f"R{number}",
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

    first, second = order(0), order(1, reason="follows", follows=True)
    assert figures(asked_rows_words([row(1, first)])) == ["1", "1"]
    renewing = [row(1, first), row(2, second)]
    # one line for two orders, of which one renews the other
    assert figures(asked_rows_words(renewing)) == ["1", "2", "1"]
    assert str(asked_rows_words(renewing)).count(";") == 2
    shared = [row(1, first, order(0, gpus=2.0))]
    assert figures(asked_rows_words(shared)) == ["1", "2"] and str(asked_rows_words(shared)).count(";") == 1
    options = [
        row(3, order(5, reason=IF_IT_LASTS), is_option=True),
        row(4, order(9), is_option=True, gpus=16),
    ]
    assert figures(asked_rows_words([row(1, first), *options])) == ["1", "1", "2"]
    assert (
        "is an" in str(asked_rows_words(options[:1])) and str(asked_rows_words(options[:1])).count(";") == 0
    )


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
