"""Rows of plan vs. actual: changes of each step, overflow by row, replaced workloads, quarters, and notes."""

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, MONTH_S, Window
from gpuplanner.domain.track import track as comparing
from gpuplanner.domain.track.came import PlanRates
from gpuplanner.domain.track.expected import CostPlace, LoadCurve
from gpuplanner.domain.track.holdings import Holdings, Span, saved_plan
from gpuplanner.domain.track.track import compare_steps, overflow_shares
from tests.domain.commitment.conftest import START_S, contract, offer
from tests.domain.track.conftest import MONTH, planned, tracked
from tests.domain.track.level_demand import END_S, GPU_H, ON_DEMAND, at_s, flat

# --- Money by quarter and place


def test_rows_are_what_each_step_moves_and_digits_of_rounding_nothing() -> None:
    a, b = CostPlace(Pool.TRAINING, "H100"), CostPlace(None, "H100")
    tiny = compare_steps([{a: 0.0}, {a: 5e-13}, {a: 5e-13}, {a: 0.0}, {a: 0.0}, {a: 0.0}])
    assert [row.usd for row in tiny] == [5e-13, 0.0, -5e-13, 0.0, 0.0]
    steps = [
        {a: 100.0},
        {a: 150.0},
        {a: 150.0 + 1e-10, b: 7.0},
        {a: 90.0, b: None},
        {a: 90.0, b: 1.0},
        {a: 95.0, b: 1.0},
    ]
    rows = {(row.what, row.pool): (row.usd, row.before, row.after) for row in compare_steps(steps)}
    assert rows["demand", Pool.TRAINING] == (50.0, 100.0, 150.0)
    assert rows["mix", Pool.TRAINING] == (0.0, 150.0, 150.0)
    assert rows["mix", None] == (7.0, 0.0, 7.0)
    assert rows["decision", Pool.TRAINING] == (pytest.approx(-60.0), 150.0 + 1e-10, 90.0)
    assert rows["decision", None] == (None, 7.0, None) and rows["price", None] == (None, None, 1.0)
    assert rows["rest", Pool.TRAINING] == (5.0, 90.0, 95.0)
    assert rows["demand", None] == (0.0, 0.0, 0.0)


# --- Overflow among rows


def came_of(hours: dict[Any, float], unknown: dict[Any, float], span: Span) -> Any:
    return SimpleNamespace(
        rows=tuple(hours),
        gpu_hours=hours.__getitem__,
        unserved_unknown={(row, span): round(GPU_H * value) for row, value in unknown.items()},
    )


def test_overflow_is_parted_as_contracts_leave_it_over() -> None:
    span = Span(0, 3600, 0)
    trains, serves, bursts = Row(Pool.TRAINING, "H100"), Row(Pool.INFERENCE, "H100"), Row(Pool.BURST, "A100")
    hours = {trains: 6.0, serves: 2.0, bursts: 2.0}
    left = {(trains, span): 4.0, (serves, span): 1.0, (bursts, span): 9.0}
    came = came_of(hours, {trains: 1.0}, span)
    assert overflow_shares("H100", came, left, span) == {trains: 0.75, serves: 0.25}
    assert overflow_shares("A100", came, left, span) == {bursts: 1.0}
    assert overflow_shares(None, came, left, span) == {trains: 1.0}
    none = dict.fromkeys(left, 0.0)
    assert overflow_shares("H100", came, none, span) == {trains: 0.75, serves: 0.25}  # as it came
    assert overflow_shares("B200", came, none, span) == {trains: 0.6, serves: 0.2, bursts: 0.2}
    assert overflow_shares(None, came_of(hours, {}, span), none, span) == {
        trains: 0.6,
        serves: 0.2,
        bursts: 0.2,
    }
    over = {**left, (trains, span): 0.5}
    assert overflow_shares("H100", came, over, span) == {serves: 1.0}


def test_overflow_is_by_model_in_the_hours_of_a_span() -> None:
    cluster = SimpleNamespace(
        models=("H100", None), overflow=np.array([[GPU_H, 2 * GPU_H, 4 * GPU_H], [0, 0, GPU_H]])
    )
    assert comparing.overflow_by_model([cluster, cluster], slice(0, 2)) == {"H100": 6.0}
    assert comparing.overflow_by_model([cluster], slice(1, 3)) == {"H100": 6.0, None: 1.0}


# --- Demand that was not planned, and what is left of a plan


def test_a_contract_of_which_the_plan_knows_nothing_has_the_rate_of_its_orders() -> None:
    """4 GPUs of y1 are $2; the contract itself is $9."""
    plan = saved_plan(planned([flat(4)], (), [ON_DEMAND, offer("y1", 12, 2.0)]))
    (order,) = plan.holdings.orders
    bought = contract("new", 4, 9.0, 24, MONTH)
    month = Span(END_S, END_S + MONTH_S, 0)

    def rate(*orders: Any, item: Any = bought, span: Span = month) -> float | None:
        holdings = Holdings((), orders)
        return PlanRates(replace(plan, holdings=holdings), None).of_contract(item, span)  # type: ignore[arg-type]

    assert rate(order) == pytest.approx(2.0)
    assert rate(order, replace(order, gpus=12.0, offer_gpus=12.0, spread_rate=4.0)) == pytest.approx(
        (4 * 2 + 12 * 4) / 16
    )
    assert rate() == 9.0
    assert rate(order, item=replace(bought, gpu_model="A100")) == 9.0
    assert rate(order, span=Span(order.end_s, order.end_s + 5, 9)) == 9.0
    assert rate(order, replace(order, spread_rate=None)) is None


@pytest.mark.parametrize(
    ("changes", "spell", "is_one"),
    [
        ({}, Spell(None, END_S), True),
        ({}, Spell(None, END_S + 1), False),  # it ends later
        ({}, Spell(None, None), False),
        ({"team": "ops"}, Spell(None, END_S), False),
        ({"length_hours": 100}, Spell(None, END_S), False),
        ({"name": "load-0001, sized"}, Spell(None, END_S), False),
    ],
)
def test_work_replaces_a_workload_of_its_team_that_ends_at_once(
    changes: dict[str, Any], spell: Spell, *, is_one: bool
) -> None:
    work = PlannedWork(
        name="load-000, sized", pool=Pool.INFERENCE, gpu_model="H100", gpus=2.0, cluster="c1", team="team"
    )
    scenario = Scenario(
        name="Plan A", planned=(replace(work, **changes),), spells={"c1/team/load-000": spell}
    )
    plan = saved_plan(planned([flat(4)], (), [ON_DEMAND], scenario))
    replaced = comparing.find_replaced_workloads(plan)
    key = plan.ground.scenario.planned[0].key
    assert replaced == ({"c1/team/load-000": key, key: key} if is_one else {})


def test_workloads_share_what_a_row_planned_by_their_gpu_time() -> None:
    """3 and 1 GPUs of the log were planned, together 4; 1 and 3 came, the first at 5 of them planned twice as long."""
    plan = planned([flat(3), flat(1)], (), [ON_DEMAND])
    result = tracked(plan, [flat(1), flat(3)])
    rows = {row.key[-1]: row.figures for row in result.by_workload}
    assert [rows[at]["planned_gpu_hours"] for at in "01"] == pytest.approx([3 * MONTH, MONTH])
    assert [rows[at]["came_gpu_hours"] for at in "01"] == pytest.approx([MONTH, 3 * MONTH])
    assert Counter(row.what for row in result.rows) == dict.fromkeys(comparing.WHAT, 1)
    assert [rows[at]["more"] for at in "01"] == pytest.approx([-2 * 5 * MONTH, 2 * 5 * MONTH])


def test_what_contracts_were_used_is_without_orders_where_none_are_given() -> None:
    """The plan orders 2 GPUs at $1 beside 4 at $2, and 5 came: the contract has 4 of them, as it had of 6."""
    held = contract("old", 4, 2.0, 24, MONTH)
    plan = planned([flat(6)], [held], [ON_DEMAND, offer("y1", 12, 1.0)])
    assert plan.advice is not None and sum(order.gpus for order in plan.advice.orders) == 2
    result = tracked(plan, [flat(5)])
    assert [row.figures["used_gpu_hours"] for row in result.contracts] == [pytest.approx(2 * 4 * MONTH)]


def test_what_the_plan_costs_is_unknown_where_names_are_asked_about() -> None:
    plan = planned([flat(4), flat(1, pool=Pool.BURST)], (), [ON_DEMAND])
    spans = [Span(END_S, END_S + MONTH_S, 0)]
    saved = saved_plan(plan)
    assert comparing.find_unpriced_places(saved, spans) == set()
    assert plan.advice is not None
    unsure = replace(plan, advice=replace(plan.advice, asked_models=frozenset(("H100",))))
    places = comparing.find_unpriced_places(replace(saved, evaluation=unsure), spans)
    assert places == {Row(Pool.TRAINING, "H100"), Row(Pool.BURST, "H100")}


def test_a_run_that_is_yet_to_begin_has_no_row() -> None:
    """It begins in the second month, and one came."""
    run = PlannedWork(
        name="run", pool=Pool.TRAINING, gpu_model="H100", gpus=6.0, begins_s=END_S + MONTH_S, length_hours=20
    )
    plan = planned([flat(4)], (), [ON_DEMAND], Scenario(name="Plan A", planned=(run,)))
    for months, keys in ((1, {"c1/team/load-000"}), (2, {"c1/team/load-000", run.key})):
        result = tracked(plan, [flat(4, months * MONTH)])
        assert {row.key for row in result.by_workload} == keys


@pytest.mark.parametrize("is_known", [True, False])
def test_demand_of_unknown_model_is_of_the_plans_contracts_else_of_those_that_are_given(
    *, is_known: bool
) -> None:
    """3 GPUs on c1 name no model. The plan has a contract there that ran, of A100, or none; one of H100 is given."""
    old = contract("old", 2, 1.0, 0, MONTH, gpu_model="A100")
    given = contract("new", 2, 2.0, 24, MONTH, start_s=END_S + 9 * MONTH_S)
    offers = [ON_DEMAND, offer("a", 0, 3.0, gpu_model="A100")]
    plan = planned([flat(1, cluster="c2")], [old] if is_known else (), offers)
    result = tracked(plan, [flat(1, cluster="c2"), flat(3, model=None)], [given])
    models = {row.gpu_model for row in result.rows if row.usd}
    assert models == ({"A100"} if is_known else {"H100"})


# --- Burn-down, quarters and what is said beside


@pytest.mark.parametrize(
    ("start_h", "end_h", "committed", "left_usd"),
    [
        (-30, 10, 160.0, 80.0),  # 40 hours of 4 GPUs, of which 10 are left at $2
        (-30, -10, 80.0, 0.0),
        (10, 30, 80.0, 160.0),  # yet to begin
        (-30, None, None, None),
    ],
)
def test_of_a_contract_the_hours_from_now_to_its_end_are_left_to_pay(
    start_h: int, end_h: int | None, committed: float | None, left_usd: float | None
) -> None:
    held = replace(
        contract("k", 4, 2.0, None, MONTH),
        start_s=END_S + start_h * HOUR_S,
        end_s=None if end_h is None else END_S + end_h * HOUR_S,
    )

    def audit(*used: tuple[str, float | None]) -> Any:
        rows = [SimpleNamespace(contract_id=name, used_gpu_hours=hours) for name, hours in used]
        return SimpleNamespace(contracts=rows)

    other = replace(held, contract_id="a", rate_usd_per_gpu_hour=None)
    audits = [audit(("k", 5.0), ("a", None)), audit(("k", 7.0), ("a", 1.0), ("else", 9.0))]
    without_rate, row = comparing.burn_downs([held, other], audits, END_S)
    assert (without_rate.contract_id, row.contract_id, row.runs_out_s) == ("a", "k", held.end_s)
    assert row.figures["committed_gpu_hours"] == without_rate.figures["committed_gpu_hours"] == committed
    assert row.figures["left_cost"] == left_usd and row.figures["used_gpu_hours"] == 12.0
    assert row.figures["committed_cost"] == (None if committed is None else 2 * committed)
    assert without_rate.figures["committed_cost"] is without_rate.figures["used_gpu_hours"] is None
    assert (row.used_in, without_rate.used_in) == (((0, 5.0), (1, 7.0)), ((0, None), (1, 1.0)))
    (second,) = comparing.burn_downs([held], [audit(), audit(("k", 3.0))], END_S)
    assert second.used_in == ((1, 3.0),)


def test_a_quarter_is_cut_to_the_window_and_adds_up() -> None:
    """From February to May: the first quarter has two months of it, the second one, and a place may be unknown."""
    window = Window(at_s(2026, 2), (at_s(2026, 5) - at_s(2026, 2)) // HOUR_S)
    first, second = at_s(2026, 1), at_s(2026, 4)
    a, b = Row(Pool.TRAINING, "H100"), (None, None)
    usd = (100.0, 150.0, 140.0, 120.0, 90.0, 95.0)
    steps: list[Any] = [{(first, a): each, (first, b): 1.0, (second, a): 7.0} for each in usd]
    steps[-1][second, a] = None
    row = comparing.compare_quarter(steps, window, first)
    assert (row.start_s, row.end_s, row.key) == (at_s(2026, 2), second, str(at_s(2026, 2)))
    moved_usd = [row.figures[key] for key in ("planned", *comparing.WHAT, "actual")]
    assert moved_usd == [101.0, 50.0, -10.0, -20.0, -30.0, 5.0, 96.0]
    row = comparing.compare_quarter(steps, window, second)
    assert (row.start_s, row.end_s) == (second, at_s(2026, 5))
    assert [row.figures[key] for key in ("planned", "demand", "rest", "actual")] == [7.0, 0.0, None, None]


def test_only_of_commitments_the_use_is_known_since_the_log() -> None:
    """Both begin a month before the plan's log."""
    plan = planned([flat(4)], (), [ON_DEMAND])
    held = contract("old", 6, 2.0, 12, MONTH, start_s=START_S - MONTH_S)
    by_use = replace(held, pricing_category=PricingCategory.STANDARD, term_months=None)
    notes = [
        list(
            comparing.note_missing_facts(
                (),
                LoadCurve(saved_plan(plan), (), (), {}),
                PlanRates(saved_plan(plan), None),
                rows,  # type: ignore[arg-type]
            )
        )
        for rows in ((held,), (by_use,), (replace(held, start_s=START_S),), (by_use, held))
    ]
    assert [len(each) for each in notes] == [1, 0, 0, 1]


def test_where_the_plan_is_unpriced_only_what_was_signed_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """4 GPUs at $2; what the plan's own steps cost is unknown, in both quarters that its window touches."""
    held = contract("k", 4, 2.0, 24, MONTH)
    plan = planned([flat(4)], [held], [ON_DEMAND])
    monkeypatch.setattr(comparing, "find_unpriced_places", lambda *_: {Row(Pool.TRAINING, "H100")})
    result = tracked(plan, [flat(4, 3 * MONTH)], [held])
    assert result.planned is result.moved("demand") is result.moved("mix") is result.moved("decision") is None
    assert (result.moved("price"), result.moved("rest")) == (0.0, pytest.approx(0.0))
    assert result.actual == pytest.approx(3 * 730 * 4 * 2)
    assert len(result.quarters) == 2 and {row.figures["planned"] for row in result.quarters} == {None}
    without = tracked(plan, [flat(4)])
    assert without.planned is without.actual is without.moved("rest") is None
