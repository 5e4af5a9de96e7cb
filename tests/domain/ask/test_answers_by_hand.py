"""Answers beside the questions: numbers of stated rows, of one that is named, of none, and what is said of them.

Of the plan (`worlds.plan`), which begins on 31 January 2026 at 10:00: K1 has 4 H100 of c1 from Ada for 6 months, K2 8
of c2 from Bo for 2, K3 5 A100 of Ada without an end. It orders 4 and 2 H100 of y1, and twice 4 of q3.
"""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.ask import answers, changes, fleet
from gpuplanner.domain.ask.answers import answer_question
from gpuplanner.domain.ask.changes import (
    Change,
    Question,
    _can_be_had,
    _failures,
    _of_node,
    _of_planned,
    _of_power,
    asked_of,
    meant_by,
    understood,
)
from gpuplanner.domain.ask.numbers import UNITS, Number, first_day, told
from gpuplanner.domain.ask.reading import NO_FORM, Asked, Named, NotUnderstoodError
from gpuplanner.domain.award.deciding import OfferWorth
from gpuplanner.domain.commitment.outlook_result import NOT_YET, NextDecision
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import PartSum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.plan_inputs import Spell
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, instant_s
from gpuplanner.files.system.resources import gpu_families, read_question_figures, read_question_forms
from tests.domain import worlds
from tests.domain.commitment.conftest import contract, offer

PLAN_S = worlds.PLAN_S
GPU_H = 3_600_000


def values_of(numbers: Sequence[Number]) -> list[float | None]:
    return [number.value for number in numbers]


def with_advice(**changes: Any) -> Evaluation:
    of = worlds.plan()
    return replace(of, advice=replace(of.advice, **changes))


def with_project(**changes: Any) -> Evaluation:
    of = worlds.plan()
    return replace(of, project=replace(of.project, **changes))


# --- Numbers


@pytest.mark.parametrize(
    ("unit", "value", "written"),
    [
        ("usd_per_gpu_hour", 2.345, "$2.35"),
        ("rate_usd_per_gpu_hour", 2.0, "$2.00"),
        ("usd_per_million_tokens", 0.126, "$0.13"),
        ("ratio", 0.1234, "12.3%"),
        ("usd", 1234.4, "$1,234"),
        ("kw", 1.24, "1.2 kW"),
        ("gpus", 1.0, "1 GPU"),
        ("gpus", 2.5, "2.5 GPUs"),
        ("months", 1.0, "1.0"),
        ("date", float(PLAN_S), "2026"),
    ],
)
def test_a_number_stands_with_its_unit(unit: str, value: float, written: str) -> None:
    text = str(UNITS[unit](value))
    assert written in text
    assert str(Number(title="x", value=value, unit=unit, path="").written) == text


def test_what_is_unknown_is_at_least_what_is_known_of_it() -> None:
    known = PartSum(1500.0, 2, ("A100",))
    assert str(Number(title="x", value=None, unit="usd", path="", known=known).written) == "\u2265 $1,500"
    assert str(Number(title="x", value=None, unit="usd", path="").written) == "unknown"
    day = Number(title="x", value=float(PLAN_S + DAY_S), unit="date", path="", last_s=PLAN_S)
    assert str(day.written) == str(UNITS["date"](PLAN_S))
    counted = str(UNITS["date"](2 * DAY_S))
    assert counted.endswith(" 3") and "1970" not in counted, "a log that counts from 0 has its third day"


def test_of_more_than_three_the_unknown_are_counted() -> None:
    rows = [
        Number(title=f"n{at}", value=value, unit="count", path="")
        for at, value in enumerate((1.0, 2.0, 3.0, None, None, 4.0))
    ]
    text, short = str(told(rows)), str(told(rows[:3]))
    assert "n2" in text and "n3" not in text and "2 unknown" in text and text.startswith(short[:-1])
    assert "unknown" not in str(told([*rows[:3], rows[5]])) and str(told([*rows[:3], rows[5]])) != short
    assert "n3" in str(told(rows, 4)) and "1 unknown" in str(told(rows, 4))


def test_the_first_day_is_of_the_order_that_is_due_first() -> None:
    orders = worlds.plan().advised.orders
    (number,) = first_day("Sign", list(enumerate(orders)))
    assert (number.value, number.path) == (PLAN_S, "orders[1].order_by")
    assert first_day("Sign", []) == []


# --- The plan


def test_horizons_are_known_in_part_where_a_rate_is_missing() -> None:
    rows = answers._horizons("plan", "plan_usd", "plan_sum", worlds.unpriced(), {})
    saved = answers._horizons("saved", "saved", "", worlds.unpriced(), {})
    assert values_of(rows) == [None] * 3
    assert all(number.known.known > 0 for number in rows)
    assert {number.known.known for number in saved} == {0.0}


def test_the_worst_month_costs_most_and_stands_beside_the_budget() -> None:
    """The second, at $29,565; it begins 730 hours after the first."""
    of = worlds.plan()
    since, usd = answers._worst(of, {})
    assert (since.value, usd.value, usd.path) == (
        PLAN_S + MONTH_S,
        pytest.approx(29_565),
        "comparison[1].plan_usd",
    )
    titles = set()
    for budget in (None, 29_564.0, 29_566.0):
        limited = with_project(assumptions=replace(of.project.assumptions, budget_usd_per_month=budget))
        worst, *limit = answers._over_budget(limited, {})
        assert worst.value == pytest.approx(29_565)
        assert values_of(limit) == ([] if budget is None else [budget])
        titles.add(str(worst.title))
    assert len(titles) == 3
    exact = with_project(assumptions=replace(of.project.assumptions, budget_usd_per_month=usd.value))
    assert str(answers._over_budget(exact, {})[0].title) in titles
    assert answers._over_budget(exact, {})[0].title == answers._over_budget(limited, {})[0].title
    unknown = worlds.unpriced()
    assert values_of(answers._worst(unknown, {})) == [None]
    assert answers._worst(unknown, {})[0].known.known == max(
        month.plan_sum.known for month in unknown.advised.comparison
    )
    stated = replace(unknown.project.assumptions, budget_usd_per_month=1.0)
    asked = replace(unknown, project=replace(unknown.project, assumptions=stated))
    assert str(answers._over_budget(asked, {})[0].title) not in titles


def decided() -> Evaluation:
    """The plan with three decisions: end K1 by day 3, order by day 9, a question about K2 without a day."""
    order = worlds.plan().advised.orders[0]
    rows = (
        NextDecision(
            decision_id="contract:K1",
            kind="end",
            subject="K1",
            by_s=PLAN_S + 3 * DAY_S,
            year_without=500.0,
            year_with=200.0,
            contract_id="K1",
        ),
        NextDecision(
            decision_id="q",
            kind="question",
            subject="K2",
            by_s=None,
            year_without=90.0,
            year_with=0.0,
            is_in_plan=False,
            contract_id="K2",
        ),
        NextDecision(
            decision_id="o",
            kind="order",
            subject="4 H100",
            by_s=PLAN_S + 9 * DAY_S,
            year_without=40.0,
            year_with=0.0,
            orders=(order,),
        ),
        NextDecision(
            decision_id="left",
            kind="end",
            subject="K3",
            by_s=PLAN_S,
            year_without=40.0,
            year_with=0.0,
            is_in_plan=False,
            contract_id="K3",
        ),
    )
    return replace(worlds.plan(), outlook=replace(NOT_YET, next_decisions=rows))


@pytest.mark.parametrize(
    ("first", "last", "usd"), [(0, 9, [300.0]), (0, 10, [300.0, 40.0]), (4, 10, [40.0]), (0, 3, [300.0])]
)
def test_decisions_are_due_in_a_time_by_day(first: int, last: int, usd: list[float]) -> None:
    """Of none the next is told, that of day 3 where nothing is due before it."""
    rows = answers._decide(decided(), {"period": (PLAN_S + first * DAY_S, PLAN_S + last * DAY_S)})
    assert values_of(rows) == usd
    assert str(rows[0].sentence).startswith("No decision is due") is (last == 3)
    assert values_of(answers._decide(decided(), {})) == [300.0, 40.0]


def test_decisions_are_told_of_whom_and_what_they_are() -> None:
    of = decided()
    assert values_of(answers._next(of, {})) == [300.0, 90.0, 40.0]
    assert values_of(answers._next(of, {"percent": 0.1})) == [300.0, 40.0]
    assert values_of(answers._next(of, {"party": frozenset({"Bo"})})) == [90.0]
    assert values_of(answers._WORKED["lapse"](of, {})) == [300.0]
    assert values_of(answers._WORKED["orders"](of, {})) == [40.0]
    assert [values_of(answers._WORKED["orders"](of, {"offered": one})) for one in ("H100", "B200")] == [
        [40.0],
        [],
    ]
    end, ends = answers._contract(of, {"contract": Named("contract", "K1")})
    assert str(end.sentence) == str(of.outlook and of.outlook.next_decisions[0].text) and ends.unit == "date"
    assert values_of(fleet.notices(of, {"contract": Named("contract", "K1")})) == [300.0]


def test_quotes_are_valid_until_their_last_day() -> None:
    of = worlds.plan()
    last_s = instant_s("2026-03-05")
    dated = tuple(
        replace(item, valid_until="2026-03-05") if item.offer_id == "y1" else item
        for item in of.project.offers
    )
    (row,) = fleet.valid(with_project(offers=dated), {})
    assert (row.value, row.last_s) == (last_s + DAY_S, last_s + DAY_S - 1) and "Ada" in str(row.title)
    assert fleet.valid(with_project(offers=dated), {"party": frozenset({"Bo"})}) == []
    assert fleet.valid(with_project(offers=dated), {"offered": "A100"}) == []


def test_gpus_are_held_with_a_provider_a_cluster_or_of_a_contract() -> None:
    """K1 4 H100 and K3 5 A100 of Ada, K2 8 of Bo on c2."""
    of = worlds.plan()
    assert values_of(fleet.held_with(of, {"party": frozenset({"Ada"})})) == [9.0, 4.0, 5.0]
    assert values_of(fleet.held_with(of, {"party": frozenset({"K2"})})) == [8.0, 8.0]
    assert values_of(fleet.held_with(of, {"party": frozenset({"c2"})}))[0] == 8.0
    spelled = tuple(replace(item, gpu_model=f"{item.gpu_model} 80GB") for item in of.project.contracts)
    assert [item.contract_id for item in fleet.of_party(spelled, {"model": "A100"})] == ["K3"]


def test_overflow_is_on_demand_and_what_is_known_of_it() -> None:
    of = worlds.plan()
    usd, hours = answers._overflow(of, {})
    assert usd.value == of.audit.whole_spend[1].total
    assert hours.value == sum(row.overflow_gpu_hours or 0.0 for row in of.audit.clusters)


def noticed() -> tuple[Contract, ...]:
    """The contracts, K3 with a notice of 30 days."""
    held = worlds.plan().project.contracts
    return tuple(replace(item, notice_days=30) if item.contract_id == "K3" else item for item in held)


def test_contracts_are_owed_until_they_end_and_later_ones_apart() -> None:
    """K1 4 x 4,380 h x $2; K2 8 x 1,460 x $1.50 or its fee and notice; K3 5 x 720 h of notice x $1."""
    of = with_project(contracts=noticed())
    (in_all,) = fleet.owed_of(of, {})
    assert (in_all.value, in_all.path) == (56_160.0, "owed_if_stopped_usd")
    one = fleet.owed_of(of, {"contract": Named("contract", "K1")})
    assert values_of(one) == [35_040.0]
    ada = fleet.owed_of(of, {"party": frozenset({"Ada"})})
    assert values_of(ada) == [38_640.0, 35_040.0, 3600.0] and ada[0].path == ""
    assert values_of(fleet.owed_of(of, {"party": frozenset({"X"})}))[:1] == [0.0]
    later = contract(
        "K4", 2, 1.0, 12, worlds.HOURS, start_s=PLAN_S + MONTH_S, provider="Ada",
        pricing_category=PricingCategory.COMMITTED,
    )  # fmt: skip
    both = with_project(contracts=(*noticed(), later))
    rows = fleet.owed_of(both, {})
    assert values_of(rows) == [56_160.0, 2 * 11 * 730.0] and "K4" in str(rows[1].title)
    assert values_of(fleet.owed_of(both, {"contract": Named("contract", "K4")})) == [2 * 11 * 730.0]


def test_notice_is_given_before_the_end_and_else_a_contract_renews() -> None:
    """K2 ends on 2 April at 06:00, 15 days before on 18 March; renewed for 3 months it binds 8 x 2,190 h x $1.50."""
    of = worlds.plan()
    (number,) = fleet.notices(of, {})
    assert (number.value, number.path) == (1_773_813_600, "contract_verdicts[contract_id=K2].order_by")
    assert number.last_s == 1_773_813_599
    renews = tuple(
        replace(item, renews_months=3) if item.contract_id == "K2" else item for item in of.project.contracts
    )
    both = with_project(contracts=renews)
    notice, until, binds = fleet.notices(both, {"contract": Named("contract", "K2")})
    end_s = of.project.contracts[1].end_s
    assert end_s is not None and notice.value == 1_773_813_600
    assert until.value == renews[1].renewed_until_s(end_s, end_s + 1) and until.last_s == until.value - 1
    assert binds.value == pytest.approx(8 * (until.value - end_s) / HOUR_S * 1.5)
    assert fleet.notices(both, {"contract": Named("contract", "K1")}) == []
    assert fleet.notices(both, {"party": frozenset({"Ada"})}) == []
    assert values_of(fleet.notices(of, {"party": frozenset({"Bo"})})) == [1_773_813_600]
    assert fleet.notices(both, {}) == []  # the plan lets it run on: none is to be given
    none = with_project(contracts=noticed())
    assert fleet.notices(none, {"contract": Named("contract", "K3")}) == []  # it has no end


def test_each_provider_alone_or_one() -> None:
    of = worlds.plan()
    assert values_of(answers._alone(of, {})) == pytest.approx([360_620, 332_536.67], rel=1e-6)
    only = answers._alone(of, {"provider": Named("provider", "Ada")})
    assert len(only) == 1 and "Ada" in str(only[0].title)
    assert answers._alone(of, {"provider": Named("provider", "X")}) == []


def test_a_contract_has_what_follows_its_day_and_its_end() -> None:
    of = worlds.plan()
    rows = answers._contract(of, {"contract": Named("contract", "K1")})
    assert values_of(rows) == [4.0, 1_785_621_600, 1_785_621_600]
    assert [row.last_s for row in rows] == [None, 1_785_621_599, 1_785_621_599]
    (kept, by) = answers._contract(of, {"contract": Named("contract", "K3")})
    assert (kept.value, by.value) == (0.0, None)
    by_s = PLAN_S + 9 * MONTH_S
    verdicts = tuple(
        replace(row, verdict="end", order_by_s=by_s) if row.contract_id == "K1" else row
        for row in of.advice.verdicts
    )
    ended = answers._contract(with_advice(verdicts=verdicts), {"contract": Named("contract", "K1")})
    assert (ended[1].value, ended[1].last_s) == (by_s, by_s - 1)
    assert ended[1].path == "contract_verdicts[contract_id=K1].order_by"


def test_a_break_even_is_of_what_is_asked() -> None:
    of = worlds.plan()
    assert answers._own(of, {}) == []
    asked = answers._own(of, {"months": 12})
    assert values_of(asked) == pytest.approx([2.5833333 / 4] * 2)
    assert all("H100" in str(row.title) for row in asked)
    assert len(answers._own(of, {"offer": Named("offer", "q3")})) == 2
    assert answers._own(of, {"offer": Named("offer", "q3"), "months": 12}) == []
    owned = answers._own(worlds.limited(), {})
    assert owned and all("own" in row.path and "H100" not in str(row.title) for row in owned)


def test_a_break_even_of_a_model_is_the_lowest_first_and_of_a_contract_beside_its_use() -> None:
    """K2 pays $1.50 of the $4 on demand, and 3 of its 8 are used."""
    of = worlds.plan()
    rows = answers._own(of, {"model": "H100"})
    assert values_of(rows) == pytest.approx([2.5833333 / 4] * 2 + [3.5 / 4] * 2)
    assert answers._own(of, {"model": "A100"}) == []
    rows = answers._WORKED["break_even"](of, {"contract": Named("contract", "K2")})
    assert values_of(rows) == pytest.approx([1.5 / 4, 3 / 8])
    assert [row.path.rpartition(".")[2] for row in rows] == ["break_even_utilization", "utilization"]


def test_a_peak_is_of_the_busiest_hour_of_all_a_pool_or_a_model() -> None:
    """8 train in all hours, 4 serve in the first half, 3 A100 in every other: 15 from the first hour on."""
    of = worlds.plan()
    first = float(of.project.window.start_s)
    held = with_project(jobs=replace(of.project.jobs, peak_milli_gpus=16_500))
    assert values_of(fleet.peak(held, {})) == [16.5, 15.0, first]
    assert values_of(fleet.peak(of, {})) == pytest.approx([15.0, first, 12.5])
    assert values_of(fleet.peak(held, {"pool": Pool.INFERENCE})) == pytest.approx([4.0, first, 3.0])
    assert values_of(fleet.peak(held, {"model": "H100"})) == pytest.approx([12.0, first, 11.0])
    assert fleet.peak(held, {"pool": Pool.BURST, "model": "H100"}) == []
    pools = list(of.advised.pools)
    burst = next(row for row in pools if row.pool == Pool.BURST)
    later = replace(burst, demand=replace(burst.demand, hourly_gpus=np.eye(1, 730, 5)[0]))
    moved = with_advice(pools=tuple(later if row is burst else row for row in pools))
    _, day, _ = fleet.peak(moved, {"pool": Pool.BURST})
    assert day.value == first + 5 * HOUR_S


def test_terms_are_the_rate_the_end_and_the_notice() -> None:
    of = worlds.plan()
    rate, end, notice = fleet.terms(of, {"contract": Named("contract", "K2")})
    (held,) = (row for row in of.project.contracts if row.contract_id == "K2")
    assert (rate.value, end.value) == (1.5, float(held.end_s or 0))
    assert notice.value == float(held.end_s or 0) - 15 * DAY_S
    assert values_of(fleet.terms(of, {"contract": Named("contract", "K3")})) == [1.0, None]
    (open_end,) = fleet.expiring(of, {"party": frozenset({"K3"})})
    assert "K3" in str(open_end.sentence) and open_end.value is None
    assert len(fleet.expiring(of, {"party": frozenset({"Ada"})})) == 1
    assert fleet.expiring(of, {"party": frozenset({"Azure"})}) == []


def test_months_of_the_log_are_the_last_three_or_one_in_gpu_hours_or_dollars() -> None:
    months = [
        SimpleNamespace(month=f"2025-{at:02d}", is_cut=False, hours=720, gpu_hours=100.0 * at, paid_in_window=at,
                        classes={pool: SimpleNamespace(gpu_hours=10.0 * at, usd=2.0 * at) for pool in Pool})
        for at in (9, 10, 11, 12)
    ]  # fmt: skip

    def numbers(**values: Any) -> list[tuple[float | None, str]]:
        found = fleet.history(months, lambda: False, worlds.plan(), values)  # type: ignore[arg-type]
        return [(number.value, number.path) for number in found]

    assert [value for value, _ in numbers()] == [1000.0, 1100.0, 1200.0]
    assert numbers(past="-10") == [(1000.0, "series[month=2025-10].gpu_hours")]
    assert numbers(past="2025-12", usd="spend") == [(12, "series[month=2025-12].paid_usd")]
    assert numbers(past="-09", pool=Pool.TRAINING) == [
        (90.0, "series[month=2025-09].classes.training.gpu_hours")
    ]
    assert numbers(past="-09", pool=Pool.TRAINING, usd="") == [
        (18.0, "series[month=2025-09].classes.training.usd")
    ]
    assert numbers(past="-01") == []
    assert fleet.history(None, lambda: False, worlds.plan(), {}) == []


def test_a_return_is_saved_a_month_paid_at_once_and_worth_today() -> None:
    of = worlds.outlook_of(worlds.plan)
    numbers = answer_question(Question("return", {}), of, read_question_figures()).numbers
    assert of.totals is not None and of.outlook is not None
    assert values_of(numbers) == [
        of.totals.savings_vs_do_nothing, of.totals.due_at_once_now, of.outlook.npv_usd
    ]  # fmt: skip


def test_orders_paid_up_front_pay_from_the_discount_of_money() -> None:
    """6 GPUs of y1 at $2.50 are 6 x 2.5 x 730 a month; 12 of them at 12% a year, paid monthly, are worth less."""
    of = worlds.plan()
    wacc = with_project(assumptions=replace(of.project.assumptions, wacc=0.12))
    paid, discount = answers._up_front(wacc, {"months": 12})
    month = 6 * 2.5 * 730
    worth = month * sum(1.12 ** (-at / 12) for at in range(12))
    assert paid.value == pytest.approx(12 * month)
    assert discount.value == pytest.approx(1 - worth / (12 * month))
    assert answers._up_front(of, {"months": 6}) == []
    unknown = with_advice(orders=tuple(replace(order, rate=None) for order in of.advice.orders))
    assert values_of(answers._up_front(unknown, {"months": 12})) == [None, None]


def test_a_cost_is_of_a_team_a_workload_or_a_pool() -> None:
    """K1 is $5,840 a month for training's 4 GPUs; what is beyond it overflows at $4."""
    of = worlds.plan()
    for kind, name, usd in (
        ("workload", "c1/team/load-000", 17_520.0),
        ("team", "team", 21_900.0),
        ("pool", Pool.TRAINING, 17_520.0),
    ):
        rows = answers._costs(of, {"costs": Named(kind, name)})
        assert rows[0].value == pytest.approx(usd)
        assert (rows[0].path == "") is (kind == "pool")
        assert len(rows) == (2 if kind == "team" else 1)
    assert values_of(answers._costs(of, {"costs": Named("workload", "new")})) == [None]


def test_the_team_that_pays_most_is_first_and_nobodys_share_is_no_teams() -> None:
    of = worlds.past().evaluation
    rows = answers._top_teams(of, {})
    assert values_of(rows) == sorted(values_of(rows), reverse=True)  # type: ignore[type-var]
    assert answers._top_teams(of, {"team": Named("team", "nobody")}) == []
    (team,) = answers._top_teams(of, {"team": Named("team", "team")})
    charge = next(row for row in answers.charges_of(of).rows if row.name == "team")
    assert team.value == pytest.approx(charge.total_in_window * 730 / 100)


def test_teams_stand_by_what_they_pay_as_a_month(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a window of 730 h, a month; what nobody answers for is no team's, and the unknown comes last."""
    rows = [
        SimpleNamespace(name=name, total_in_window=usd, is_nobodys=not name)
        for name, usd in (("a", 5.0), ("b", None), ("c", 0.5), ("d", 9.0), ("", 99.0))
    ]
    monkeypatch.setattr(answers, "charges_of", lambda of: SimpleNamespace(rows=rows))
    assert values_of(answers._top_teams(worlds.plan(), {})) == [9.0, 5.0, 0.5, None]
    assert values_of(answers._top_teams(worlds.plan(), {"team": Named("team", "c")})) == [0.5]


@pytest.mark.parametrize(
    ("was", "now", "values"),
    [
        ((1.0, 2.0, None), (1.5, 9.0, 0.25), [9.0, 2.0, 1.5, 1.0, 0.25, None]),
        ((0.5, None, 1.0), (None, 0.25, 1.3), [1.3, 1.0, 0.25, None, None, 0.5]),
    ],
)
def test_a_pool_that_waits_longer_without_a_contract_is_first(
    was: tuple[float | None, ...], now: tuple[float | None, ...], values: list[float | None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Where nobody waits counts as 0 h."""
    both = iter(
        [
            SimpleNamespace(pool=pool, waits=SimpleNamespace(p90_h=wait_h))
            for pool, wait_h in zip(Pool, hours, strict=True)
        ]
        for hours in (was, now)
    )
    monkeypatch.setattr(answers, "pool_waits", lambda *_: next(both))
    rows = answers._waits(
        worlds.queueing(), lambda: False, worlds.plan(), {"contract": Named("contract", "K1")}
    )
    assert values_of(rows) == values


def test_notices_stand_by_their_days() -> None:
    """K1 with 200 days of notice is due before K2 with 15."""
    held = tuple(
        replace(item, notice_days=180) if item.contract_id == "K1" else item
        for item in worlds.plan().project.contracts
    )
    days = values_of(fleet.notices(with_project(contracts=held), {}))
    assert days == sorted(days) and days[0] == 1_785_621_600 - 180 * DAY_S


def test_a_range_is_of_a_year_only_where_it_is_to_be_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else is asked takes the outlook as it is."""
    of = worlds.outlook_of(worlds.plan)
    forms = list[str]()
    monkeypatch.setattr(answers, "trusted_band", lambda *_: forms.append("asked"))
    for form in ("range", "coverage"):
        answer_question(Question(form, {}), of, ())
    assert len(forms) == 1


def test_what_has_no_name_is_called_unknown() -> None:
    for form in ("model_rates", "idle_models", "idle_gpus"):
        pair = [str(answers._WORKED[form].title(name)) for name in ("", "H100")]  # type: ignore[union-attr]
        assert "unknown" in pair[0] and "H100" in pair[1] and "unknown" not in pair[1]
    titles = {str(answers._used(name)) for name in ("", "H100")}
    assert len(titles) == 2 and any("H100" in title for title in titles)
    assert any("unknown" in title for title in titles) and not all("unknown" in title for title in titles)
    assert "unknown" in str(fleet.of_contracts("")) and "Ada" in str(fleet.of_contracts("Ada"))


def test_a_way_is_held_against_80_ms() -> None:
    of = worlds.past().evaluation
    places = worlds.evidence_of_places().project.places
    placed = replace(of, project=replace(of.project, places=places))
    today, *best = answers._place(placed, {})
    (mean,) = answers._place(placed, {"limit": "80"})
    placement = answers.placement_of(places)
    assert (
        today.value == placement.today.current.round_trip_ms
        and mean.value == placement.today.current.mean_one_way_ms
    )
    assert len(best) == (placement.cheapest_within is not None)
    assert str(mean.title).startswith("No:") is placement.today.current.service.is_over_80
    assert answers._place(of, {}) == []


def test_leaks_stand_by_what_is_counted_of_them() -> None:
    of = worlds.past().evaluation
    rows = answers._leaks(of, {})
    assert values_of(rows) == sorted((leak.counted_per_month for leak in of.audit.leaks), reverse=True)


def test_failed_jobs_are_a_share_of_all_gpu_hours() -> None:
    of = worlds.past().evaluation
    assert answers._failed_share(of, {}) == []
    row = SimpleNamespace(
        code=answers.FAILED_WORK.code, gpu_hours=5.0, leak_id="failed_work:atlas", cluster="atlas",
        title="t", name="n", is_saved=False, counted_per_month=1.0, leaked_per_month=2.0,
    )  # fmt: skip
    failed = replace(of, audit=replace(of.audit, leaks=(row,)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "leak_called", lambda leak: leak.leak_id)
        share, hours = answers._failed_share(failed, {})
    used = sum(work.milli_gpu_seconds for work in of.project.workloads)
    assert (share.value, hours.value) == (pytest.approx(5 * GPU_H / used), 5.0)


def test_spend_by_cluster_and_model_has_use_beside_contracts() -> None:
    """c1: K1 and K3 are 5,840 + 3,650; training is 8 on the 4 of K1: 4 x 730 x $4 overflow, $11,680."""
    of = worlds.plan()
    rows = answers._spent("clusters", "{name}", of, {})
    assert values_of(rows) == pytest.approx([5840 + 3650 + 11_680, 8760])
    assert [row.path for row in rows] == ["", "c2"]
    (one,) = answers._spent("clusters", "{name}", of, {"cluster": Named("cluster", "c2")})
    assert one.value == pytest.approx(8760)
    models = answers._spent("gpu_models", "{name}", of, {})
    assert values_of(models) == pytest.approx([5840 + 8760 + 11_680, 3650])
    assert [row.path for row in models] == ["", "A100"]
    unknown = answers._spent("gpu_models", "{name}", worlds.unpriced(), {})
    assert unknown[-1].value is None


def listed(rank: int, *values: float | None, path: str = "p{at}") -> answers._Listed:
    rows = [SimpleNamespace(name=f"n{at}", usd=value) for at, value in enumerate(values)]
    return answers._Listed(rows=lambda _: rows, value="usd", unit="usd", path=path, rank=rank)


@pytest.mark.parametrize(
    ("rank", "paths"),
    [
        (1, ["p2", "p0", "p4", "p3", "p1"]),
        (-1, ["p3", "p4", "p0", "p2", "p1"]),
        (0, ["p0", "p1", "p2", "p3", "p4"]),
    ],
)
def test_rows_stand_by_their_values_and_the_unknown_last(rank: int, paths: list[str]) -> None:
    of = worlds.plan()
    rows = listed(rank, 2.0, None, 3.0, 0.0, 0.5)(of, {})
    assert [row.path for row in rows] == paths
    assert {row.name for row in rows} == {""}
    assert {row.name for row in listed(rank, 1.0, path="")(of, {})} == {"usd"}
    assert [row.path for row in listed(rank, 2.0, None, 3.0)(of, {"team": Named("team", "n1")})] == ["p1"]


def test_what_is_to_be_signed_is_in_all_and_of_each_model() -> None:
    """4 and 2 GPUs within a month, at one time 6."""
    of = worlds.plan()
    assert values_of(answers._to_sign(of, {}))[0] == 6.0
    assert len(answers._to_sign(of, {"model": "H100"})) == len(answers._SIGNED(of, {"model": "H100"}))


def test_waits_of_the_log_are_mean_p90_and_longest_or_what_is_asked_for_first() -> None:
    """A pool's also beside those of the plan."""
    of, queueing, mean = worlds.plan(), worlds.queueing(), pytest.approx(95 / 11)
    assert values_of(answers._waited(queueing, lambda: False, of, {})) == [mean, 27.0, 36.0]
    assert values_of(answers._waited(queueing, lambda: False, of, {"longest": "max"})) == [36.0, mean, 27.0]
    half = answers._waited(queueing, lambda: False, of, {"median": "median", "pool": Pool.BURST})
    assert [row.name for row in half] == ["p50_h", "mean_h", "p90_h"]
    own, most, planned = answers._waited(queueing, lambda: False, of, {"pool": Pool.BURST})
    assert own.value == half[1].value < most.value and planned.path == "waiting[pool=burst].p90_h"
    assert answers._waited(None, lambda: False, of, {}) == [answers._WAIT_UNKNOWN]
    assert values_of(answers._waits_by(queueing, lambda: False, of, {})) == [27.0]
    by_pool = answers._waits_by(queueing, lambda: False, of, {"pools": "pool"})
    assert [row.path for row in by_pool][-1].startswith("waits[by=pool")
    assert values_of(by_pool) == sorted(values_of(by_pool), reverse=True)
    assert answers._waits_by(None, lambda: False, of, {}) == [answers._WAIT_UNKNOWN]
    assert answers._waits(None, lambda: False, of, {}) == [answers._WAIT_UNKNOWN]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "pool_waits", lambda *_: None)  # cancelled
        assert answers._waits(queueing, lambda: True, of, {}) == [answers._WAIT_UNKNOWN]
    pools = answers._waits(queueing, lambda: False, of, {})
    assert values_of(pools) == [0.0, 36.0, 5.0]
    (bursts,) = answers._waits(queueing, lambda: False, of, {"pool": Pool.BURST})
    assert (bursts.value, bursts.path) == (5.0, "waiting[pool=burst].p90_h")
    assert values_of(answers._size(None, lambda: False, of, {})) == [None]
    size, *_ = answers._size(queueing, lambda: False, of, {"pool": Pool.TRAINING, "ratio": 4.0})
    assert size.value == 40.0 and "H100" in str(size.title) and "Training" in str(size.title)


def test_offers_are_worth_signing_by_their_margin() -> None:
    of = worlds.plan()
    offers = {item.offer_id: item for item in of.project.offers}
    worths = [
        OfferWorth(
            offer=offers["q3"], rate=3.5, worth_rate=None, why_not_worth=worded("unknown"), margin_share=None
        ),
        OfferWorth(offer=offers["y1"], rate=2.5, worth_rate=3.0, why_not_worth=None, margin_share=0.2),
        OfferWorth(offer=offers["a-od"], rate=2.0, worth_rate=2.5, why_not_worth=None, margin_share=0.3),
    ]
    assert values_of(answers._worth(worths, lambda: False, of, {})) == [2.5, 3.0, None]
    assert values_of(answers._worth(worths, lambda: False, of, {"offered": "H100"})) == [3.0, None]
    assert values_of(answers._worth(worths, lambda: False, of, {"offer": Named("offer", "y1")})) == [3.0]
    assert answers._worth(None, lambda: False, of, {}) == []
    shares = (None, -0.25, 0.0, 0.5, -2.0)
    rows = [replace(worths[1], worth_rate=at, margin_share=share) for at, share in enumerate(shares)]
    assert values_of(answers._worth(rows, lambda: False, of, {})) == [3, 2, 1, 4, 0]


def test_an_answer_has_three_numbers_and_of_waits_all() -> None:
    of = worlds.plan()
    result = answer_question(Question("workloads", {}), of, ())
    assert len(result.numbers) == 3
    waits = answer_question(
        Question("waits", {"contract": Named("contract", "K1")}), of, (), worlds.queueing()
    )
    assert len(waits.numbers) == 6
    assert answer_question(Question("nothing of it", {}), of, ()).numbers == ()
    missing = answer_question(Question("own", {}), of, ())
    assert missing.sentence is answers._MISSING["own"] and missing.as_words == ()
    assert answer_question(Question("limits", {}), of, ()).sentence is answers._NOTHING["limits"]


# --- What is there and when


@pytest.mark.parametrize(
    ("values", "result"),
    [
        ({}, [17.0, 0.0, 12.5]),
        ({"model": "A100"}, [5.0, 0.0, 1.5]),
        ({"day": PLAN_S + 9 * DAY_S + 24 * 3600}, [17.0, 4.0, 12.5]),  # y1 of training begins
        ({"day": PLAN_S + 10 * DAY_S - 1}, [17.0, 0.0, 12.5]),
        ({"day": 1_775_109_599}, [17.0, 6.0, 12.5]),
        ({"day": 1_775_109_600}, [9.0, 6.0, 12.5]),  # K2 has ended
        ({"day": 1_775_109_600, "model": "H100"}, [4.0, 6.0, 11.0]),
        ({"day": 1_801_389_599}, [5.0, 10.0, 12.5]),
        ({"day": 1_801_389_600}, [5.0, 6.0]),  # q3 has ended, and the twelve months
    ],
)
def test_gpus_of_a_day_are_committed_ordered_and_needed(
    values: dict[str, Any], result: list[float | None]
) -> None:
    assert values_of(fleet.gpus(worlds.plan(), values)) == pytest.approx(result)


def test_a_month_is_that_of_the_day_or_the_nearest() -> None:
    of = worlds.plan()
    for values, month in (
        ({}, 0),
        ({"day": PLAN_S + MONTH_S - 1}, 0),
        ({"day": PLAN_S + MONTH_S}, 1),
        ({"month": PLAN_S - MONTH_S // 2}, 0),
        ({"month": PLAN_S + MONTH_S // 2}, 1),
        ({"day": PLAN_S + 12 * MONTH_S - 1}, 11),
    ):
        result = fleet._month(of, values)
        assert result is not None and result.month == month
    assert fleet._month(of, {"day": PLAN_S + 12 * MONTH_S}) is None
    assert fleet.spend_in(of, {"day": PLAN_S + 12 * MONTH_S}) == []
    assert values_of(fleet.spend_in(of, {"day": PLAN_S + MONTH_S})) == [pytest.approx(29_565), 29_930.0]


def test_gpus_without_a_contract_are_unknown() -> None:
    of = with_project(contracts=())
    assert values_of(fleet.gpus(of, {}))[:2] == [None, None]
    held = tuple(
        replace(item, pricing_category=PricingCategory.STANDARD) for item in worlds.plan().project.contracts
    )
    assert values_of(fleet.gpus(with_project(contracts=held), {}))[1] == 17.0


@pytest.mark.parametrize(
    ("asked", "name", "at", "is_meant"),
    [
        ("", "2026 Q1", 0, True),
        ("q1", "2026 Q1", 3, True),
        ("q1 2026", "2026 Q1", 3, True),
        ("q2", "2026 Q1", 0, False),
        ("this quarter", "2026 Q1", 0, True),
        ("this quarter", "2026 Q1", 1, False),
        ("next quarter", "2026 Q2", 1, True),
        ("next quarter", "2026 Q2", 2, False),
    ],
)
def test_a_quarter_is_named_or_the_next(asked: str, name: str, at: int, *, is_meant: bool) -> None:
    assert fleet.is_asked({"quarter": asked} if asked else {}, name, at) is is_meant


def test_sellers_are_paid_by_their_contracts_the_most_first() -> None:
    of = worlds.plan()
    assert values_of(fleet.by_seller(of, {"kind": "provider"})) == [9490.0, 8760.0]
    (ada,) = fleet.by_seller(of, {"vendor": Named("provider", "Ada")})
    assert ada.value == 9490.0
    held = tuple(
        replace(item, country="DE; FR" if item.provider == "Ada" else "DE") for item in of.project.contracts
    )
    rows = fleet.by_seller(with_project(contracts=held), {"kind": "country"})
    both, alone = rows
    assert (both.value, alone.value) == (9490.0, 8760.0)  # Ada's may run in either of two countries
    assert both.title.template != alone.title.template  # type: ignore[union-attr]
    ada = fleet.by_seller(with_project(contracts=held), {"kind": "provider"})[0]
    assert ada.title.template == alone.title.template  # type: ignore[union-attr]


def test_spot_is_paid_what_the_mix_has_and_saves_its_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each workload counts once; nobody is on spot where nothing is paid for it."""
    of = worlds.outlook_of(worlds.plan)
    assert of.outlook is not None
    (row,) = of.outlook.spot
    rows = (row, replace(row, gpu_model="A100"), replace(row, key="d"), replace(row, key="e", on_spot=False))
    steps = (
        SimpleNamespace(step="terms", usd_per_month=7.0),
        SimpleNamespace(step="spot", usd_per_month=-9.0),
    )
    spot_of = replace(of, outlook=replace(of.outlook, spot=rows, savings_steps=steps))
    mix = [
        SimpleNamespace(category="spot", usd_now=1.0, usd_plan=20.0),
        SimpleNamespace(category="on_demand", usd_now=300.0, usd_plan=None),
        SimpleNamespace(category="spot", usd_now=2.0, usd_plan=40.0),
    ]
    monkeypatch.setattr(fleet, "MIX", SimpleNamespace(rows=lambda of: mix))
    assert values_of(fleet.spot(spot_of, {})) == [2.0, 60.0, 9.0]
    assert values_of(fleet.paid_by(of, {"way": PricingCategory.DYNAMIC})) == [3.0, 60.0]
    assert values_of(fleet.paid_by(of, {"way": PricingCategory.STANDARD})) == [300.0, None]
    mix[:] = mix[1:2]
    assert values_of(fleet.spot(spot_of, {})) == [0.0, 0.0, 9.0]
    assert values_of(fleet.spot(replace(of, outlook=None), {})) == [0.0, 0.0, None]


def test_the_cheapest_is_of_each_kind_or_of_a_term_and_open() -> None:
    of = worlds.plan()
    closed = tuple(
        replace(item, valid_until="2026-01-01") if item.offer_id == "y1" else item
        for item in of.project.offers
    )
    by_use, year = fleet.cheapest(of, {"offered": "H100"})
    assert (by_use.value, year.value) == (4.0, pytest.approx(2.5833333))
    assert "12 months" in str(year.title) and "Ada" in str(year.title) and "month" not in str(by_use.title)
    assert values_of(fleet.cheapest(of, {"offered": "H100", "months": 3})) == [3.5]
    assert values_of(fleet.cheapest(of, {"offered": "A100"})) == [2.0, 0.8]
    assert values_of(fleet.cheapest(of, {"offered": "A100", "way": PricingCategory.DYNAMIC})) == [0.8]
    assert values_of(fleet.cheapest(with_project(offers=closed), {"offered": "H100"})) == [4.0, 3.5]
    assert fleet.cheapest(of, {"offered": "B200"}) == []


@pytest.mark.parametrize(
    ("values", "ends"),
    [
        ({}, [1_775_109_600, 1_785_621_600]),
        ({"period": (0, PLAN_S + 1460 * HOUR_S)}, [1_775_109_600]),
        ({"period": (0, PLAN_S + 1459 * HOUR_S)}, []),
        ({"period": (1_775_109_600, 1_785_621_600)}, [1_785_621_600]),
        ({"party": frozenset({"Ada"})}, [1_785_621_600]),
        ({"party": frozenset({"K3"})}, [None]),  # it has no end
    ],
)
def test_contracts_end_in_a_time_and_of_whom_is_asked(
    values: dict[str, Any], ends: list[float | None]
) -> None:
    """K2 on 2 April at 06:00, 1,460 hours after the plan begins; K1 on 1 August."""
    assert values_of(fleet.expiring(worlds.plan(), values)) == ends


def test_co2_of_a_year_is_twelve_months() -> None:
    of = worlds.plan()
    energy = replace(of.advice.energy, kg_co2_per_month=100.0, kwh_per_month=None)
    assert values_of(fleet.co2_year(with_advice(energy=energy), {})) == [1200.0, None]


# --- Changes


@pytest.fixture(scope="module")
def asked() -> Asked:
    return asked_of(worlds.plan(), gpu_families(), {"H100": 8})


HAVE = offer("y", 12, 2.5)


@pytest.mark.parametrize(
    ("changes", "can"),
    [
        ({}, True),
        ({"lead_time_hours": 730.0}, True),
        ({"lead_time_hours": 731.0}, False),
        ({"rate_usd_per_gpu_hour": None}, False),
        ({"pricing_category": PricingCategory.STANDARD}, False),
        ({"term_months": 0}, False),
        ({"valid_until": "2026-01-01"}, False),
        ({"starts": "2026-01-31", "ends": "2026-02-28"}, True),
        ({"starts": "2026-01-31T10:00:00Z"}, True),  # as the plan begins
        ({"ends": "2026-01-31T10:00:00Z"}, False),
        ({"starts": "2026-03-01", "ends": "2026-04-28"}, False),
        ({"starts": "2025-03-01", "ends": "2025-04-28"}, False),
    ],
)
def test_a_term_can_be_had_now_with_a_rate_and_within_a_month(changes: dict[str, Any], *, can: bool) -> None:
    assert _can_be_had(replace(HAVE, **changes), PLAN_S) is can


def made(text: str, asked: Asked) -> Change | None:
    try:
        result = meant_by(text, read_question_forms(), asked)
    except NotUnderstoodError:
        return None
    assert isinstance(result, Change)
    return result


def test_one_more_node_is_of_the_cheapest_term_that_has_room(asked: Asked) -> None:
    """8 GPUs of y1 at 2.5 + 730 / 8,760: 8 x 730 x 2.58333."""
    change = made("one more H100 node", asked)
    assert change is not None and change.usd_per_month == pytest.approx(8 * 730 * 2.5833333)
    added = next(item for item in change.edit(asked.project).contracts if item.contract_id == "one-more-node")
    assert (added.gpus, added.cluster, added.rate) == (8.0, "c1", pytest.approx(2.5833333))
    assert added.start_s == PLAN_S + 240 * HOUR_S and added.end_s == added.start_s + 12 * MONTH_S
    offers = {item.offer_id: item for item in asked.project.offers}
    for limits, rate in (
        ({"max_gpus": 14}, 2.5833333),  # 6 are ordered
        ({"max_gpus": 13}, 3.5),
        ({"min_gpus": 8}, 2.5833333),
        ({"min_gpus": 9}, 3.5),
        ({"lead_time_hours": 9999.0}, 3.5),
    ):
        y1 = replace(offers["y1"], **limits)
        other = replace(asked.project, offers=tuple((offers | {"y1": y1}).values()))
        change = made("one more H100 node", replace(asked, project=other))
        assert change is not None and change.usd_per_month == pytest.approx(8 * 730 * rate)
    two = made("two more H100 nodes", asked)
    assert two is not None and two.usd_per_month == pytest.approx(16 * 730 * 2.5833333)
    assert made("one more A100 node", asked) is None  # nobody says how many GPUs it has
    units = tuple(
        replace(item, unit_gpus=4) if item.offer_id == "q3" else item for item in asked.project.offers
    )
    unit = made(
        "one more H100 node", replace(asked, node_gpus={}, project=replace(asked.project, offers=units))
    )
    assert unit is not None and unit.usd_per_month == pytest.approx(4 * 730 * 2.5833333)


def test_what_does_not_run_comes_back(asked: Asked) -> None:
    """Training ends in the plan; the rest of its team runs, so that of the team only training comes back."""
    trains, day = "c1/team/load-000", 1_769_904_000  # 1 February
    plan = replace(asked.project.scenarios[0], spells={trains: Spell(None, PLAN_S + 60 * DAY_S)})
    ended = replace(asked, project=replace(asked.project, scenarios=(plan,)))
    for text in ("load-000 comes back on 1 feb", "team team comes back on 1 feb"):
        change = made(text, ended)
        assert change is not None and change.as_words == ("--begins", f"{trains}=2026-02-01")
        assert change.edit(ended.project).scenarios[0].spells[trains].begins_s == day
    alone = replace(asked.project, workloads=asked.project.workloads[:1])
    every = replace(ended, project=replace(alone, scenarios=(plan,)))
    change = made("team team comes back on 1 feb", every)
    assert change is not None and change.as_words == ("--begins", "team:team=2026-02-01")
    assert made("load-000 comes back on 1 feb", asked) is None


def test_what_stopped_before_the_last_days_of_the_log_does_not_run(asked: Asked) -> None:
    """The last 96 hours of 730 count: training ended at hour 633, serving in hour 634."""
    works = asked.project.workloads[:2]
    hours = {0: np.array([5, 633]), 1: np.array([5, 634])}
    cube: Any = SimpleNamespace(hours_of=lambda place: (hours[place],))
    of: Any = SimpleNamespace(window=asked.project.window, workloads=works, cube=cube)
    assert changes._running(of) == {"c2/team/load-001"}


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("no spot and under $400k a month", "no_spot and budget"),
        ("stop load-000 and load-001 on 1 March", "ends and ends"),
        ("under $400k a month and under $300k a month", None),  # of which the later one would count
        ("load-000 x2 from 1 march and load-000 x3 from 1 march", None),
        ("no spot and what does the plan cost", None),
        ("stop load-000 on 1 March and load-001 x2", None),  # from that day on, too?
    ],
)
def test_changes_are_joined_where_it_is_no_matter_which_comes_first(
    text: str, form: str | None, asked: Asked
) -> None:
    change = made(text, asked)
    assert (None if change is None else change.form) == form


@pytest.mark.parametrize(
    ("text", "is_no_form", "part", "instead"),
    [
        ("inference doubles from 1 may 2020", False, "2020-05-01", ()),
        ("inference x-1 from 1 may", True, "", ("team inference x-1 from 1 may",)),
        ("chatt doubles from 1 may", False, "chatt:", ("team chatt doubles from 1 may",)),
        ("inference x2 from 40 may", False, "40 may:", ("inference x2 from team 40 may",)),
    ],
)
def test_a_step_that_cannot_be_read_says_where(
    text: str, part: str, instead: tuple[str, ...], asked: Asked, *, is_no_form: bool
) -> None:
    """A name that nothing has may be a team's."""
    with pytest.raises(NotUnderstoodError) as fault:
        meant_by(text, (), asked)
    assert (fault.value.what is NO_FORM) is is_no_form and part in str(fault.value.what)
    assert not instead or fault.value.instead == instead


def test_no_question_is_longer_than_a_form_can_be(asked: Asked) -> None:
    with pytest.raises(NotUnderstoodError) as fault:
        understood("what do we waste, " * 200, read_question_forms(), asked)
    assert "500" in str(fault.value.what)
    assert len(fault.value.instead) == 3


def test_growth_falls_where_it_is_said_to(asked: Asked) -> None:
    for text, words in (
        ("everything grows 10% a month", "growth=0.1"),
        ("everything shrinks 10% a month", "growth=-0.1"),
        ("inference falls 5% a month", "growth_inference=-0.05"),
    ):
        change = made(text, asked)
        assert change is not None and change.as_words == ("--set", words)


def test_planned_work_lasts_for_good_for_hours_or_to_a_month(asked: Asked) -> None:
    for text, hours, ends in (
        ("8 H100 from 1 March", None, None),
        ("8 H100 for 30 days from 1 March", 720, None),
        ("8 H100 for 2 months from 1 March", None, 1_777_593_600),  # 1 May
    ):
        change = made(text, asked)
        assert change is not None
        (work,) = change.edit(asked.project).scenarios[0].planned
        assert (work.gpus, work.length_hours, work.ends_s, work.begins_s) == (8.0, hours, ends, 1_772_323_200)
        assert (work.pool, work.cluster, work.name) == (Pool.TRAINING, "", "8 H100 from 2026-03-01")
        again = replace(asked, project=change.edit(asked.project))
        twice = made(text, again)
        assert twice is not None
        assert {item.name for item in twice.edit(again.project).scenarios[0].planned} == {
            "8 H100 from 2026-03-01", "8 H100 from 2026-03-01 (2)"
        }  # fmt: skip


CHANGE = Change(form="planned", as_words=(), edit=lambda project: project, subject="new")


def test_planned_work_is_signed_by_the_first_of_its_own_orders_or_of_larger_ones() -> None:
    before = worlds.plan().advised
    first, second, *others = before.orders
    year = Number(title="x", value=5.0, unit="usd", path="")

    def rows(*orders: Any) -> list[float | None]:
        return values_of(_of_planned(CHANGE, year, before, replace(before, orders=orders)))

    assert rows(first, second, *others) == [0.0, 5.0, None]
    assert rows(first, replace(second, gpus=4.5), *others) == [0.0, 5.0, None]
    assert rows(first, replace(second, gpus=4.6), *others) == [second.order_by_s, 5.0, None]
    assert rows(replace(first, run="new"), second) == [first.order_by_s, 5.0, None]
    assert rows(replace(first, run="else", gpus=99.0), second) == [0.0, 5.0, None]


def test_a_limit_that_is_not_kept_is_named() -> None:
    before = worlds.plan().advised
    over = [SimpleNamespace(code="over_budget"), SimpleNamespace(code="over_power_limit")]
    after = replace(before, checks=tuple(over))  # type: ignore[arg-type]
    budget, power = replace(CHANGE, form="budget"), replace(CHANGE, form="power and no_spot")
    assert values_of(_failures(budget, before, after)) == [pytest.approx(29_565)]
    assert values_of(_failures(power, before, after)) == [before.energy.peak_kw]
    assert _failures(budget, before, before) == [] and _failures(CHANGE, before, after) == []
    for hours, shown in ((1.0, []), (1.5, [1.5]), (-2.0, [-2.0])):
        months = [replace(before.comparison[0], unserved_gpu_hours=5.0 + hours), *before.comparison[1:]]
        was = [replace(before.comparison[0], unserved_gpu_hours=5.0), *before.comparison[1:]]
        rows = _failures(
            CHANGE, replace(before, comparison=tuple(was)), replace(before, comparison=tuple(months))
        )
        assert values_of(rows) == shown


def test_the_largest_hour_is_over_or_below_the_limit() -> None:
    advice = worlds.plan().advised
    titles = []
    for limit, over in (("16.77", 0.0), ("10", 6.77), ("20", 3.23)):
        peak, beside = _of_power(
            replace(CHANGE, subject=limit), Number(title="x", value=0.0, unit="usd", path=""), advice, advice
        )
        assert (peak.value, beside.value) == (pytest.approx(16.77), pytest.approx(over, abs=1e-9))
        titles.append(str(beside.title))
    assert titles[1] != titles[2] == titles[0]
    unknown = replace(advice, energy=replace(advice.energy, peak_kw=None))
    assert values_of(
        _of_power(
            replace(CHANGE, subject="1"), Number(title="x", value=0.0, unit="usd", path=""), advice, unknown
        )
    ) == [None]


def test_a_node_serves_what_contracts_of_its_model_are_busy_with_more() -> None:
    advice = worlds.plan().advised
    pools = []
    for pool in advice.pools:
        layers = tuple(
            replace(layer, busy_gpus=layer.busy_gpus + 1, paid_hours=100.0) if layer.existing else layer
            for layer in pool.layers
        )
        pools.append(replace(pool, layers=layers))
    was = [
        replace(pool, layers=tuple(replace(each, paid_hours=100.0) for each in pool.layers))
        for pool in advice.pools
    ]
    change = replace(CHANGE, subject="H100", usd_per_month=7.0)
    rows = _of_node(
        change,
        Number(title="x", value=0.0, unit="usd", path=""),
        replace(advice, pools=tuple(was)),
        replace(advice, pools=tuple(pools)),
    )
    existing = sum(layer.existing for pool in pools if pool.gpu_model == "H100" for layer in pool.layers)
    assert values_of(rows) == [7.0, pytest.approx(100.0 * existing), 0.0]


def test_a_plan_to_ask_has_its_orders_by_offer(asked: Asked) -> None:
    assert asked.ordered == {"y1": 6.0, "q3": 8.0} and asked.begins_s == PLAN_S
    assert asked.pools == {
        "c1/team/load-000": Pool.TRAINING, "c2/team/load-001": Pool.INFERENCE, "c1/team/load-002": Pool.BURST
    }  # fmt: skip


@pytest.mark.parametrize(
    ("model", "asked_model", "is_of"),
    [
        ("A100 80GB", "A100", True),
        ("A100", "A100", True),
        ("A100", "A100 80GB", False),
        ("L40S", "L40", False),
        (None, "A100", False),
    ],
)
def test_a_family_of_gpu_models_is_asked_for_by_its_first_word(
    model: str | None, asked_model: str, is_of: bool
) -> None:
    assert fleet.is_of(model, {"model": asked_model}) is fleet.is_of(model, {"offered": asked_model}) is is_of
    assert fleet.is_of(model, {})
