"""Edits of money on the small plan (`worlds.plan_project`), counted in US dollars: currencies, offers and budgets."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from gpuplanner.domain.edits import money
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.business_figures import BusinessFigure
from gpuplanner.domain.model.plan.scenario import Decision, LeakDecision, LeakStatus
from gpuplanner.domain.model.project import Project
from tests.domain import worlds
from tests.domain.commitment.conftest import offer
from tests.domain.edits.refusals import refused

EUR = ExchangeRate("EUR", Decimal(2), "2026-01-01")


def project(**changes: Any) -> Project:
    return replace(worlds.plan_project(), **changes)


# --- Currencies


def test_of_two_rates_of_a_currency_the_later_day_counts() -> None:
    older, newer = replace(EUR, usd_rate=Decimal(3), as_of="2025-01-01"), replace(EUR, usd_rate=Decimal(4))
    for stated, rate in (((EUR, older), 2), ((older, EUR), 2), ((EUR, newer), 4), ((older,), 3)):
        assert [item.usd_rate for item in money.with_exchange(project(), stated).exchange] == [rate]
    both = money.with_exchange(project(), (EUR, replace(EUR, code="CHF")))
    assert [item.code for item in both.exchange] == ["CHF", "EUR"]
    assert money.replace_exchange(both, (older,)).exchange[1] == older
    assert [item.code for item in money.forget_exchange(both, "EUR").exchange] == ["CHF"]
    assert money.forget_exchange(both, "GBP") is both


def test_amounts_are_converted_with_the_project() -> None:
    """A euro is $2: a budget of $100 is 50 euros; of a rate that is not stated it is unknown."""
    scenario = replace(
        worlds.plan_project().scenarios[0],
        assumptions={"budget_usd_per_month": 10.0, "egress_usd_per_gb": 0.2, "growth": 0.1},
        leak_decisions=(LeakDecision(leak_id="l", status=LeakStatus.ACCEPTED, at_s=0, usd_per_month=6.0),),
        decisions=(Decision(0, worded("It costs $5")),),
    )
    of = project(budgets={"a": 100.0, "b": None}, scenarios=(scenario,), exchange=(EUR,))
    in_euros = money.report_in(of, "eur")
    (plan,) = in_euros.scenarios
    assert in_euros.currency == "EUR" and in_euros.budgets == {"a": 50.0, "b": None}
    assert plan.assumptions == {"budget_usd_per_month": 5.0, "egress_usd_per_gb": 0.1, "growth": 0.1}
    assert plan.leak_decisions[0].usd_per_month == 3.0 and "USD" in str(plan.decisions[0].text)
    assert in_euros.assumptions.egress_usd_per_gb == of.assumptions.egress_usd_per_gb / 2
    assert {item.exchange for item in in_euros.offers} == {Decimal("0.5")}
    assert money.counted_in(of, "USD") is of
    unknown = money.counted_in(of, "CHF")
    assert unknown.budgets == {"a": None, "b": None}
    assert unknown.assumptions.egress_usd_per_gb == of.assumptions.egress_usd_per_gb
    assert unknown.scenarios[0].assumptions == {
        "budget_usd_per_month": None, "egress_usd_per_gb": 0.2, "growth": 0.1
    }  # fmt: skip
    assert {item.exchange for item in unknown.offers} == {None}


def test_money_is_reported_in_another_currency_where_what_was_entered_can_be_converted() -> None:
    bare = project()
    assert money.report_in(bare, "CHF").currency == "CHF"
    plan = bare.scenarios[0]
    leak = LeakDecision(leak_id="l", status=LeakStatus.ACCEPTED, at_s=0, usd_per_month=6.0)
    entered = (
        {"budgets": {"a": 1.0}},
        {"assumptions": replace(bare.assumptions, budget_usd_per_month=5.0)},
        {"assumptions": replace(bare.assumptions, egress_usd_per_gb=0.5)},
        {"scenarios": (replace(plan, assumptions={"serving_api_usd_in": 1.0}),)},
        {"scenarios": (replace(plan, leak_decisions=(leak,)),)},
    )
    for changes in entered:
        assert refused(money.report_in, project(**changes), "CHF")
        assert not refused(money.report_in, project(**changes, exchange=(replace(EUR, code="CHF"),)), "CHF")
    assert refused(money.report_in, bare, "francs")
    spec = SPEC_BY_NAME["egress_usd_per_gb"]
    default = spec.default
    assert money.default_in_money(spec, money.report_in(project(exchange=(EUR,)), "EUR")) == default / 2  # type: ignore[operator]
    assert money.default_in_money(spec, money.report_in(bare, "CHF")) == default
    months = SPEC_BY_NAME["horizon_months"]
    assert money.default_in_money(months, money.report_in(project(exchange=(EUR,)), "EUR")) == months.default


# --- Prices and budgets


def test_an_offer_is_added_copied_renamed_and_removed() -> None:
    of = project()
    assert refused(money.add_offer, of, offer("od", 0, 1.0)) and refused(money.remove_offer, of, "x")
    added = money.add_offer(of, offer("new", 0, 1.0))
    assert [item.offer_id for item in added.offers] == sorted([item.offer_id for item in of.offers] + ["new"])
    copied = money.duplicate_offer(of, "od")
    assert len(copied.offers) == len(of.offers) + 1
    again = money.copied_offer_id(copied, "od")
    assert again.endswith(" 2") and again not in {item.offer_id for item in copied.offers}
    renamed = money.change_offer(of, "od", "offer_id", "z")
    assert "z" in {item.offer_id for item in renamed.offers} and "od" not in {
        item.offer_id for item in renamed.offers
    }
    assert refused(money.change_offer, of, "od", "offer_id", "q3")
    assert len(money.remove_offer(of, "od").offers) == len(of.offers) - 1


@pytest.mark.parametrize(
    ("as_of", "rate", "today", "day", "earlier"),
    [
        ("2026-01-01", 5, "2026-02-01", "2026-02-01", 1),
        (None, 5, "2026-02-01", "2026-02-01", 0),
        ("2026-02-01", 5, "2026-02-01", "2026-02-01", 0),  # of the same day
        ("2026-01-01", 4, "2026-02-01", "2026-01-01", 0),  # the same rate
        ("2026-01-01", 5, None, "2026-01-01", 0),
        ("2026-01-01", 0, "2026-02-01", "2026-01-01", 0),  # none
    ],
)
def test_a_rate_that_is_entered_is_of_today_and_the_dated_one_before_it_is_kept(
    as_of: str | None, rate: int, today: str | None, day: str, earlier: int
) -> None:
    of = project()
    dated = replace(
        of, offers=tuple(replace(row, as_of=as_of) if row.offer_id == "od" else row for row in of.offers)
    )
    result = money.change_offer(dated, "od", "rate_usd_per_gpu_hour", Decimal(rate), today)
    (changed,) = [row for row in result.offers if row.offer_id == "od"]
    assert (changed.as_of, len(result.earlier_offers)) == (day, earlier)


def test_budgets_are_given_in_dollars_and_taken_away() -> None:
    of = project(exchange=(EUR,))
    assert money.add_budgets(of, {" b ": 2.0, "a": 1.0}).budgets == {"a": 1.0, "b": 2.0}
    euros = money.report_in(of, "EUR")
    assert money.add_dollar_budgets(euros, {"a": 10.0}).budgets == {"a": 5.0}
    assert refused(money.add_dollar_budgets, money.report_in(project(), "CHF"), {"a": 10.0})
    both = money.add_budgets(of, {"a": 1.0, "b": 2.0})
    assert money.set_budget(both, "a", None).budgets == {"b": 2.0}
    assert money.set_budget(both, "a", 3.0).budgets == {"a": 3.0, "b": 2.0}
    assert money.set_budget(both, "c", None) is both and refused(money.set_budget, of, "a", -1.0)
    figures = [BusinessFigure("orders", "2026-08", 5.0), BusinessFigure("orders", "2026-07", 4.0)]
    of_months = money.add_business(of, figures)
    assert [row.month for row in of_months.business] == ["2026-07", "2026-08"]
    newer = money.add_business(of_months, [BusinessFigure("orders", "2026-08", 9.0)])
    assert [row.value for row in newer.business] == [4.0, 9.0]
