"""Money, plans and days of edits by hand, on the small plan (`worlds.plan_project`), which is counted in US dollars."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from gpuplanner.domain.edits import money, plans
from gpuplanner.domain.edits.dates import known_model, read_day_s
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan_inputs import (
    Decision,
    HandLayer,
    LeakDecision,
    LeakStatus,
    PriceCase,
    Scenario,
)
from gpuplanner.domain.model.project import BusinessFigure, Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.files.system.resources import gpu_families
from tests.domain import worlds
from tests.domain.commitment.conftest import offer
from tests.domain.edits.refusals import refused

EUR = ExchangeRate("EUR", Decimal(2), "2026-01-01")
PLAN = "Plan A"


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
    assert plan.leak_decisions[0].usd_per_month == 3.0 and "USD" in str(plan.decisions[0].what)
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


# --- Plans


def with_plans(*names: str, **of_first: Any) -> Project:
    first, *others = (Scenario(name=name) for name in names)
    return project(scenarios=(replace(first, **of_first), *others))


def test_plans_are_named_moved_and_deleted() -> None:
    of = with_plans("Plan A", "Plan B \u00b7 signed", "Q")
    assert plans.next_plan_name(of) == "Plan C"
    every = with_plans(*(f"Plan {chr(65 + at)}" for at in range(26)))
    assert plans.next_plan_name(every) == "Plan 27"
    assert plans.shift_plan(of, "Q", -9).scenarios[0].name == "Q"
    assert plans.shift_plan(of, "Plan A", 1).scenarios[1].name == "Plan A"
    assert plans.shift_plan(of, "Q", 3) is of
    scratch = replace(of, scenarios=(*of.scenarios[:2], replace(of.scenarios[2], scratch_of="Plan A")))
    assert plans.rename_plan(scratch, "Plan A", " New  name ").scenarios[2].scratch_of == "New name"
    assert plans.delete_plan(scratch, "Plan A").scenarios[1].scratch_of == ""
    for name in ("", "today", "q"):
        assert refused(plans.rename_plan, of, "Plan A", name)
    assert plans.rename_plan(of, "Plan A", "PLAN A").scenarios[0].name == "PLAN A"
    assert refused(plans.delete_plan, with_plans("Plan A"), "Plan A") and refused(
        plans.delete_plan, of, "Today"
    )
    assert plans.free_plan_name(of, "plan a") == "plan a 2" and plans.free_plan_name(of, "X") == "X"
    assert plans.free_plan_name(of, "Plan A", apart_from="Plan A") == "Plan A"


def test_a_plan_keeps_what_differs_from_the_project() -> None:
    of = project()
    set_in_plan = plans.set_assumption(of, PLAN, "max_term_months", 12)
    assert set_in_plan.scenarios[0].assumptions == {"max_term_months": 12}
    assert plans.set_assumption(set_in_plan, PLAN, "max_term_months", None).scenarios[0].assumptions == {}
    assert plans.set_assumption(of, None, "max_term_months", 12).assumptions.max_term_months == 12
    assert plans.set_assumption(of, None, "max_term_months", None) is of
    assert refused(plans.set_assumption, of, PLAN, "nothing", 1)


@pytest.mark.parametrize(
    ("layers", "is_right"),
    [
        ([HandLayer(12, 4), HandLayer(36, 0)], True),
        ([HandLayer(12, -1)], False),
        ([HandLayer(0, 1)], False),
        ([HandLayer(12, 1), HandLayer(12, 2)], False),
        ([], True),
    ],
)
def test_levels_are_set_by_hand_longest_term_first(layers: list[HandLayer], *, is_right: bool) -> None:
    of, pair = project(), (Pool.TRAINING, "H100")
    if not is_right:
        assert refused(plans.set_hand_layers, of, PLAN, *pair, layers)
        return
    held = plans.set_hand_layers(of, PLAN, *pair, layers, is_rest_advised=True)
    plan = held.scenarios[0]
    assert plan.hand_layers[pair] == tuple(sorted(layers, key=lambda layer: -layer.term_months))
    assert plan.advised_around == {pair}
    assert plans.set_hand_layers(held, PLAN, *pair, layers).scenarios[0].advised_around == frozenset()
    back = plans.set_hand_layers(held, PLAN, *pair, None, is_rest_advised=True).scenarios[0]
    assert back.hand_layers == {} and back.advised_around == frozenset()


def test_a_plan_begins_on_a_whole_hour_after_the_log() -> None:
    of = project()
    end_s = of.window.end_s
    for at_s, is_right in (
        (end_s, True),
        (end_s + HOUR_S, True),
        (end_s - HOUR_S, False),
        (end_s + 1, False),
    ):
        assert refused(plans.set_plan_from, of, at_s) is not is_right
    assert plans.set_plan_from(of, end_s) is of is plans.set_plan_from(of, None)
    later = plans.set_plan_from(of, end_s + HOUR_S)
    assert later.plan_from_s == end_s + HOUR_S and plans.set_plan_from(later, end_s).plan_from_s is None
    assert not refused(plans.set_plan_from, of, end_s + plans.LATEST_PLAN_S)
    assert refused(plans.set_plan_from, of, end_s + plans.LATEST_PLAN_S + HOUR_S)


def test_answers_of_a_plan_are_set_and_taken_back() -> None:
    of = project()
    noticed = plans.state_of_contracts(of, PLAN, "notice_given", ["K2", "K1"])
    assert noticed.scenarios[0].notice_given == ("K1", "K2")
    assert plans.state_of_contracts(noticed, PLAN, "notice_given", ["K1"], holds=False).scenarios[
        0
    ].notice_given == ("K2",)
    assert refused(plans.state_of_contracts, of, PLAN, "notice_given", ["K9"])
    saved = plans.accept_saving(plans.accept_saving(of, PLAN, "autoscale"), PLAN, "right_size")
    assert saved.scenarios[0].accepted == ("right_size", "autoscale")
    assert plans.accept_saving(saved, PLAN, "autoscale", is_accepted=False).scenarios[0].accepted == (
        "right_size",
    )
    ended = plans.end_provider(of, PLAN, " ada ", 5)
    assert ended.scenarios[0].provider_ends == {"Ada": 5} and refused(plans.end_provider, of, PLAN, "Eve", 5)
    assert plans.set_greenfield(of, PLAN, True).scenarios[0].greenfield
    assert plans.set_gap_missing(of, PLAN, True).scenarios[0].is_gap_missing
    assert plans.set_price_case(of, PLAN, PriceCase.LOW).scenarios[0].price_case is PriceCase.LOW


def test_a_question_stands_beside_its_plan_until_it_is_kept_or_discarded() -> None:
    of = project()
    changed = plans.set_greenfield(of, PLAN, True)
    asked = plans.asked_apart(of, changed, PLAN)
    plan, scratch = asked.scenarios
    assert plan is of.scenarios[0] and scratch.scratch_of == PLAN and scratch.greenfield
    assert not plans.asks_nothing(asked, scratch.name) and not plans.asks_nothing(asked, PLAN)
    back = plans.set_greenfield(asked, scratch.name, False)
    assert plans.asks_nothing(back, scratch.name)
    assert plans.asked_apart(of, of, PLAN) is of
    assert (
        plans.asked_apart(asked, plans.set_greenfield(asked, scratch.name, False), scratch.name).scenarios[0]
        is plan
    )
    more = replace(changed, title="x")
    assert plans.asked_apart(of, more, PLAN) is more
    other = replace(changed, scenarios=(*changed.scenarios, Scenario(name="Plan B")))
    assert plans.asked_apart(of, other, PLAN) is other
    assert plans.asked_apart(of, changed, "X") is changed
    kept = plans.keep_question(asked, scratch.name, "Plan A")
    assert [(item.name, item.scratch_of) for item in kept.scenarios] == [("Plan A", ""), ("Plan A 2", "")]
    long = plans.keep_question(asked, scratch.name, "x" * 61).scenarios[1].name
    assert len(long) == 60
    assert plans.discard_question(asked, scratch.name).scenarios == of.scenarios
    assert refused(plans.keep_question, asked, PLAN, "x") and refused(plans.discard_question, asked, PLAN)


def test_a_question_of_no_plan_is_a_plan_that_says_so() -> None:
    first, lost = (
        Scenario(name="Plan A"),
        Scenario(name="Q", scratch_of="Gone", decisions=(Decision(7, "x"),)),
    )
    of = project(
        scenarios=(
            first,
            lost,
            replace(lost, name="R", scratch_of="Q"),
            replace(lost, name="S", scratch_of="Plan A"),
        )
    )
    sound = plans.with_sound_questions(of)
    assert [plan.scratch_of for plan in sound.scenarios] == ["", "", "", "Plan A"]
    assert [decision.at_s for decision in sound.scenarios[1].decisions] == [7, 7]
    bare = project(scenarios=(first, replace(lost, decisions=())))
    assert plans.with_sound_questions(bare).scenarios[1].decisions[0].at_s == bare.plan_window.end_s
    assert plans.with_sound_questions(sound) is sound


def test_a_log_has_a_line_for_what_changed_and_the_oldest_without_a_reason_makes_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    of = project()
    changed = plans.set_greenfield(of, PLAN, True)
    logged = plans.log_decision(of, changed, PLAN, 5, worded("x"))
    assert [(line.at_s, line.reason) for line in logged.scenarios[0].decisions] == [(5, "")]
    assert plans.log_decision(of, of, PLAN, 5, worded("x")) is of
    assert plans.log_decision(of, changed, "X", 5, worded("x")) is changed
    own = plans.add_decision(changed, PLAN, 6, worded("own"))
    assert plans.log_decision(of, own, PLAN, 7, worded("x")) is own
    base = (Decision(1, "a", "why"), Decision(2, "b"), Decision(3, "c"))
    monkeypatch.setattr(plans, "MOST_KEPT", 3)
    full = plans.log_decision(of, changed, PLAN, 9, worded("x"), base)
    assert [line.at_s for line in full.scenarios[0].decisions] == [1, 3, 9]
    reasoned = tuple(replace(line, reason="why") for line in base)
    assert [
        line.at_s
        for line in plans.log_decision(of, changed, PLAN, 9, worded("x"), reasoned).scenarios[0].decisions
    ] == [2, 3, 9]
    short = plans.log_decision(of, changed, PLAN, 9, worded("x"), base[:2])
    assert [line.at_s for line in short.scenarios[0].decisions] == [1, 2, 9]
    said_why = plans.set_reason(logged, PLAN, 0, "  for  cost ")
    assert said_why.scenarios[0].decisions[0].reason == "for cost"
    assert refused(plans.set_reason, logged, PLAN, 1, "x") and refused(
        plans.set_reason, logged, PLAN, -1, "x"
    )
    assert plans.say_the_same(of, plans.add_decision(of, PLAN, 5, worded("x")))
    assert not plans.say_the_same(of, changed) and not plans.say_the_same(of, replace(of, title="x"))


# --- Days and models

BEGIN_S = 1_769_853_600  # 31 January 2026, 10:00


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-03-01", "2026-03-01"),
        ("2026-03", "2026-03-01"),
        ("March", "2026-03-01"),
        ("1 march", "2026-03-01"),
        ("March 5", "2026-03-05"),
        ("Mar 2027", "2027-03-01"),
        ("January", "2027-01-01"),  # the next once the plan begins
        ("next month", "2026-02-01"),
        ("next quarter", "2026-04-01"),
        ("in 3 months", "2026-04-30"),
        ("in 1 year", "2027-01-31"),
        ("Q2", "2026-04-01"),
        ("Q1 2027", "2027-01-01"),
        ("Q1", "2027-01-01"),
        ("2026-02-30", None),
        ("30 feb", None),
        ("soon", None),
        ("2026-03-01T10:30", None),
        ("ju", None),
    ],
)
def test_a_day_is_written_in_many_ways(text: str, day: str | None) -> None:
    from datetime import UTC, datetime

    try:
        result = f"{datetime.fromtimestamp(read_day_s(text, BEGIN_S), UTC):%Y-%m-%d}"
    except PlannerError:
        assert day is None
        return
    assert result == day


def test_quarters_are_of_the_fiscal_year() -> None:
    """Of a year from October on: its first quarter is October, its third April; 2027 begins in October 2026."""
    from datetime import UTC, datetime

    days = {
        text: f"{datetime.fromtimestamp(read_day_s(text, BEGIN_S, 10), UTC):%Y-%m}"
        for text in ("Q1", "Q3", "Q1 2027", "Q3 2027", "next quarter")
    }
    assert days == {
        "Q1": "2026-10",
        "Q3": "2026-04",
        "Q1 2027": "2026-10",
        "Q3 2027": "2027-04",
        "next quarter": "2026-04",
    }
    assert refused(read_day_s, "March", 0) and not refused(read_day_s, "March 2027", 0)


def test_a_model_is_known_by_its_spelling_one_or_several() -> None:
    families = gpu_families()
    known = ("H100", "Abacus")
    names = ("h100", "H100s", "NVIDIA H100 80GB HBM3", "abacus", "Abacuss", "B200", "x")
    assert [known_model(name, known, families) for name in names] == [
        "H100",
        "H100",
        "H100",
        "Abacus",
        "Abacus",
        None,
        None,
    ]
