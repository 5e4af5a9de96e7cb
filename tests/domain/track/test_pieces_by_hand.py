"""Pieces of a comparison by hand: spans, shares of what runs in them, demand by month, rows of what was moved."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.model_demand import ModelDemand, Stream
from gpuplanner.domain.model.plan_inputs import DemandChange, PlannedWork, PriceChange, Scenario, Spell
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, Window
from gpuplanner.domain.track import track as comparing
from gpuplanner.domain.track.came import PlanRates, _running
from gpuplanner.domain.track.expected import (
    LEVEL,
    LoadCurve,
    Place,
    _as_contracts,
    _inserted,
    _left_of,
    _month,
    add_to,
    by_place,
    in_order,
    made_again,
    of_quarter,
    place_of,
    with_level,
)
from gpuplanner.domain.track.holdings import (
    Holdings,
    Span,
    quarter_start_s,
    quarters_of,
    saved_plan,
    spans_of,
    usd_per_hour,
    whole_hours,
)
from gpuplanner.domain.track.track import _rows, _shares
from tests.domain.commitment.conftest import START_S, Load, contract, offer
from tests.domain.track.conftest import MONTH, moved, planned, tracked

ON_DEMAND = offer("od", 0, 5.0)
END_S = START_S + MONTH * HOUR_S
"""When plans of a log of one month begin."""
GPU_H = 3_600_000


def flat(gpus: float, hours: int = MONTH, pool: Pool = Pool.TRAINING, **more: Any) -> Load:
    return Load(pool=pool, gpus=[gpus] * hours, **more)


def at_s(year: int, month: int, day: int = 1) -> int:
    return int(datetime(year, month, day, tzinfo=UTC).timestamp())


# --- Spans


@pytest.mark.parametrize(
    ("start", "end", "share"),
    [
        (0, None, 1.0),
        (0, 10, 1.0),
        (5, 30, 0.5),
        (-9, 4, 0.4),
        (2, 3, 0.1),
        (10, 30, 0.0),
        (-9, 0, 0.0),
        (20, None, 0.0),
    ],
)
def test_a_share_of_a_span_is_that_in_which_it_runs(start: int, end: int | None, share: float) -> None:
    assert Span(0, 10, 0).share_of(start, end) == pytest.approx(share)


def test_quarters_are_of_the_calendar() -> None:
    """1 February lies in the quarter from 1 January, 1 April begins the next."""
    assert quarter_start_s(at_s(2026, 2)) == quarter_start_s(at_s(2026, 3, 31)) == at_s(2026, 1)
    assert quarter_start_s(at_s(2026, 4)) == at_s(2026, 4)
    assert quarter_start_s(at_s(2026, 11), 1) == at_s(2027, 1)
    assert quarter_start_s(at_s(2026, 2), -1) == at_s(2025, 10)
    year = Window(at_s(2026, 2), 24 * 59)  # to the end of March
    assert quarters_of(year) == (at_s(2026, 1),)
    assert quarters_of(replace(year, hours=24 * 59 + 1)) == (at_s(2026, 1), at_s(2026, 4))
    assert Span(at_s(2026, 5), at_s(2026, 5) + 5400, 0).hours == 1.5
    assert Span(at_s(2026, 5), at_s(2026, 6), 0).quarter_s == at_s(2026, 4)


def test_spans_are_cut_at_months_quarters_and_moments_inside() -> None:
    """A plan from 1 March on: its months begin 730 h apart, on 31 March at 10:00 the second."""
    plan_window = Window(at_s(2026, 2), 24 * 28)
    begins_s = plan_window.end_s
    window = Window(begins_s, 2 * MONTH)
    moments = (begins_s - 5, begins_s + 100, window.end_s, window.end_s + 5)
    spans = spans_of(window, plan_window, moments)
    edges = [begins_s, begins_s + 100, begins_s + MONTH_S, at_s(2026, 4), window.end_s]
    assert [(span.start_s, span.end_s) for span in spans] == [*pairwise(edges)]
    assert [span.month for span in spans] == [0, 0, 1, 1]
    whole = whole_hours(window, spans, plan_window)
    assert [span.start_s - begins_s for span in whole] == [0, 3600, MONTH_S, at_s(2026, 4) - begins_s]


# --- Holdings


def test_contracts_are_there_in_a_span_by_their_dates() -> None:
    span = Span(END_S, END_S + 10 * HOUR_S, 0)
    held = Holdings(
        (
            contract("a", 4, 1.0, None, MONTH),
            contract("b", 4, 1.0, 5, MONTH, start_s=END_S + 5 * HOUR_S),
            contract("c", 4, 1.0, 0, MONTH),
            contract("d", 1, 1.0, 5, MONTH, cluster="c2"),
        )
    )
    assert held.there_in(span) == {"a": 1.0, "b": 0.5, "d": 1.0}
    first, half = _running(held, "c1", span)
    assert first is held.contracts[0] and half == replace(held.contracts[1], milli_gpus=2000)
    few = Holdings((replace(held.contracts[1], milli_gpus=1),))
    assert _running(few, "c1", span)[0].milli_gpus == 1
    assert [item.contract_id for item in _running(held, "c2", span)] == ["d"]
    assert held.moments == {
        held.contracts[0].start_s, END_S + 5 * HOUR_S, END_S + 5 * MONTH_S, END_S
    }  # fmt: skip


def test_orders_serve_their_row_with_runs_or_without() -> None:
    plan = planned([flat(4)], (), [ON_DEMAND, offer("y1", 12, 2.0)])
    assert plan.advice is not None
    (order,) = plan.advice.orders
    run, other = replace(order, reason="planned_run", gpus=3.0), replace(order, pool=Pool.BURST)
    held = Holdings((), (order, run, other))
    span = Span(order.start_s - 5 * HOUR_S, order.start_s + 5 * HOUR_S, 0)
    row = (Pool.TRAINING, "H100")
    assert held.ordered_gpus(row, span, with_runs=True) == 3.5
    assert held.ordered_gpus(row, span, with_runs=False) == 2.0
    assert held.moments == {order.start_s, order.end_s}
    assert (usd_per_hour(order), usd_per_hour(replace(order, spread_rate=None))) == (8.0, None)


def test_months_of_a_window_are_of_the_plan() -> None:
    plan = saved_plan(planned([flat(4)], (), [ON_DEMAND]))
    window = Window(END_S + MONTH_S, 1000)
    assert _month(window, plan, 0) == Span(END_S + MONTH_S, END_S + 2 * MONTH_S, 1)
    assert _month(window, plan, 1) == Span(END_S + 2 * MONTH_S, window.end_s, 2)


# --- Money by quarter and place


def test_what_is_unknown_stays_unknown_in_its_quarter_and_place() -> None:
    first, second = Span(at_s(2026, 1), at_s(2026, 2), 0), Span(at_s(2026, 4), at_s(2026, 5), 3)
    a, b = Place(Pool.TRAINING, "H100"), Place(None, None)
    parts: dict[Any, float | None] = {}
    for span, place, rate, amount in (
        (first, a, 2.0, 3.0), (first, a, 1.0, 4.0), (second, a, 5.0, 2.0), (second, b, None, 1.0), (second, b, 1.0, 1.0)
    ):  # fmt: skip
        add_to(parts, span, place, rate, amount)
    assert parts == {(at_s(2026, 1), a): 10.0, (at_s(2026, 4), a): 10.0, (at_s(2026, 4), b): None}
    assert by_place(parts) == {a: 20.0, b: None}
    assert (of_quarter(parts, at_s(2026, 1)), of_quarter(parts, at_s(2026, 4))) == (10.0, None)
    assert sorted([b, a, Place(Pool.BURST, None)], key=in_order) == [(Pool.BURST, None), a, b]
    assert place_of((Pool.BURST, "H100")) == (Pool.BURST, "H100")


def test_rows_are_what_each_step_moves_and_digits_of_rounding_nothing() -> None:
    a, b = Place(Pool.TRAINING, "H100"), Place(None, "H100")
    tiny = _rows([{a: 0.0}, {a: 5e-13}, {a: 5e-13}, {a: 0.0}, {a: 0.0}, {a: 0.0}])
    assert [row.usd for row in tiny] == [5e-13, 0.0, -5e-13, 0.0, 0.0]
    steps = [
        {a: 100.0},
        {a: 150.0},
        {a: 150.0 + 1e-10, b: 7.0},
        {a: 90.0, b: None},
        {a: 90.0, b: 1.0},
        {a: 95.0, b: 1.0},
    ]
    rows = {(row.what, row.pool): (row.usd, row.before, row.after) for row in _rows(steps)}
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
    trains, serves, bursts = (Pool.TRAINING, "H100"), (Pool.INFERENCE, "H100"), (Pool.BURST, "A100")
    hours = {trains: 6.0, serves: 2.0, bursts: 2.0}
    left = {(trains, span): 4.0, (serves, span): 1.0, (bursts, span): 9.0}
    came = came_of(hours, {trains: 1.0}, span)
    assert _shares("H100", came, left, span) == {trains: 0.75, serves: 0.25}
    assert _shares("A100", came, left, span) == {bursts: 1.0}
    assert _shares(None, came, left, span) == {trains: 1.0}
    none = dict.fromkeys(left, 0.0)
    assert _shares("H100", came, none, span) == {trains: 0.75, serves: 0.25}  # as it came
    assert _shares("B200", came, none, span) == {trains: 0.6, serves: 0.2, bursts: 0.2}
    assert _shares(None, came_of(hours, {}, span), none, span) == {trains: 0.6, serves: 0.2, bursts: 0.2}
    over = {**left, (trains, span): 0.5}
    assert _shares("H100", came, over, span) == {serves: 1.0}


def test_overflow_is_by_model_in_the_hours_of_a_span() -> None:
    cluster = SimpleNamespace(
        models=("H100", None), overflow=np.array([[GPU_H, 2 * GPU_H, 4 * GPU_H], [0, 0, GPU_H]])
    )
    assert comparing._overflow([cluster, cluster], slice(0, 2)) == {"H100": 6.0}
    assert comparing._overflow([cluster], slice(1, 3)) == {"H100": 6.0, None: 1.0}


# --- Demand that was not planned, and what is left of a plan


def test_what_was_not_planned_is_level_on_its_cluster_in_its_turn() -> None:
    """1,460 GPU-h of 730 h are 2 GPUs in each of the plan's 100 hours."""
    came: Any = SimpleNamespace(
        window=Window(END_S, MONTH),
        cells={
            (Pool.BURST, "c1", "A100"): np.array([1460 * GPU_H]),
            (Pool.TRAINING, "c2", "A100"): np.array([730 * GPU_H]),
            (Pool.TRAINING, "c1", "H100"): np.array([9 * GPU_H]),
        },
    )
    unplanned = [(Pool.BURST, "A100"), (Pool.TRAINING, "A100")]
    (model,) = with_level([], came, unplanned, 100)
    assert (model.gpu_model, model.rows) == ("A100", ((Pool.TRAINING, "A100"), (Pool.BURST, "A100")))
    streams = {site.cluster: site.streams for site in model.sites}
    assert {at: [(each.row, each.grows_with, each.group) for each in of] for at, of in streams.items()} == {
        "c1": [(1, Pool.BURST, LEVEL)], "c2": [(0, Pool.TRAINING, LEVEL)]
    }  # fmt: skip
    assert streams["c1"][0].demand.tolist() == [2.0 * GPU_H] * 100
    known = ModelDemand("H100", (), ())
    assert [item.gpu_model for item in with_level([known], came, unplanned, 100)] == ["A100", "H100"]


def test_a_stream_stands_after_those_of_its_pool_and_of_pools_before_it() -> None:
    def stream(row: int, pool: Pool) -> Stream:
        return Stream(row=row, grows_with=pool, demand=np.zeros(1), group=0)

    streams = (stream(0, Pool.INFERENCE), stream(1, Pool.TRAINING), stream(2, Pool.BURST))
    for pool, at in ((Pool.INFERENCE, 1), (Pool.TRAINING, 2), (Pool.BURST, 3)):
        assert [item.row for item in _inserted(streams, stream(9, pool))].index(9) == at
    last = (stream(2, Pool.BURST),)
    assert [item.row for item in _inserted(last, stream(9, Pool.INFERENCE))] == [9, 2]
    assert [item.row for item in _inserted((), stream(9, Pool.BURST))] == [9]


@pytest.mark.parametrize(
    ("changes", "begins_h", "length_h"),
    [
        ({}, 10, 37),
        ({"begins_s": END_S + 20 * HOUR_S}, 20, 40),  # yet to begin
        ({"begins_s": END_S + 10 * HOUR_S}, 10, 40),
        ({"every_hours": 100}, -3, 40),
        ({"length_hours": None, "ends_s": END_S + 50 * HOUR_S}, -3, None),
    ],
)
def test_of_a_run_that_has_begun_the_rest_is_left(
    changes: dict[str, Any], begins_h: int, length_h: int | None
) -> None:
    """40 hours from 7 on, as the plan begins at 7: after 3 of them 37 are left."""
    run = PlannedWork(
        name="r", pool=Pool.TRAINING, gpu_model="H100", gpus=1.0, begins_s=END_S - 3 * HOUR_S, length_hours=40
    )
    work = _left_of(replace(run, **changes), END_S + 7 * HOUR_S, END_S + 10 * HOUR_S)
    assert work.begins_s == END_S + begins_h * HOUR_S and work.length_hours == length_h


def test_a_plan_made_again_has_waited_and_steps_no_second_time() -> None:
    """After a month of 730 h, of a plan that waits for three."""
    before, after = END_S + 10 * DAY_S, END_S + 40 * DAY_S
    changes = tuple(DemandChange(of="all", keys=(), factor=2.0, from_s=moment) for moment in (before, after))
    works = tuple(
        PlannedWork(name=name, pool=Pool.TRAINING, gpu_model="H100", gpus=1.0, ends_s=ends_s)
        for name, ends_s in (("gone", before), ("there", after), ("for good", None))
    )
    prices = tuple(PriceChange("H100", 0.5, moment) for moment in (before, after))
    scenario = Scenario(
        name="Plan A", planned=works, price_changes=prices, changes=changes, assumptions={"wait_months": 3}
    )
    of = planned([flat(4)], (), [ON_DEMAND, offer("y1", 12, 2.0, provider="Elm")], scenario)
    plan = saved_plan(of)
    later = replace(of.project, window=Window(END_S, MONTH))
    came: Any = SimpleNamespace(window=later.window, cells={})
    for has_contracts, has_prices in ((True, True), (True, False)):
        made = made_again(later, plan, came, has_contracts=has_contracts, has_prices=has_prices)
        again = made.scenarios[0]
        assert again.assumptions["wait_months"] == 2
        assert {work.name for work in again.planned} == {"there", "for good"}
        assert [change.from_s for change in again.changes] == [after]
        assert [change.from_s for change in again.price_changes] == (
            [after] if has_prices else [before, after]
        )
        assert made.contracts == later.contracts
    half = replace(later, window=Window(END_S, MONTH + 1))
    assert (
        made_again(half, plan, came, has_contracts=True, has_prices=True)
        .scenarios[0]
        .assumptions["wait_months"]
        == 2
    )
    over = replace(later, window=Window(END_S, 9 * MONTH))
    assert (
        made_again(over, plan, came, has_contracts=True, has_prices=True)
        .scenarios[0]
        .assumptions["wait_months"]
        == 0
    )


def test_orders_that_had_begun_are_contracts_where_most_of_their_demand_came() -> None:
    plan = planned([flat(4)], (), [ON_DEMAND, offer("y1", 12, 2.0, provider="Elm")])
    saved = saved_plan(plan)
    (order,) = saved.holdings.orders
    cells = {
        (Pool.TRAINING, "c1", "H100"): np.array([5]),
        (Pool.TRAINING, "c2", "H100"): np.array([3, 4]),
        (Pool.BURST, "c3", "H100"): np.array([99]),
    }

    def signed(end_s: int, **changes: Any) -> list[Any]:
        orders = tuple(replace(order, **changes) for _ in range(1))
        came: Any = SimpleNamespace(window=SimpleNamespace(end_s=end_s), cells=cells)
        return _as_contracts(replace(saved, holdings=Holdings((), orders)), came)

    (item,) = signed(END_S + MONTH_S)
    assert (item.contract_id, item.cluster, item.milli_gpus, item.rate) == ("~000 y1", "c2", 4000, 2.0)
    assert (item.start_s, item.end_s, item.provider) == (order.start_s, order.end_s, "Elm")
    assert signed(order.start_s) == []
    assert len(signed(order.start_s + 1)) == 1
    assert signed(END_S + MONTH_S, gpus=0.0001)[0].milli_gpus == 1
    cells.clear()
    assert signed(END_S + MONTH_S)[0].cluster == ""


def test_growth_is_in_what_was_planned_and_not_in_planned_work() -> None:
    """4 GPUs at $5 grow by a tenth in the second month; what came did not."""
    plan = planned([flat(4)], (), [ON_DEMAND], growth=0.1, growth_fade=1.0)
    result = tracked(plan, [flat(4, 2 * MONTH)])
    assert result.planned == pytest.approx(730 * 4 * 5 * (1 + 1.1))
    assert moved(result)["demand"] == pytest.approx(-730 * 4 * 5 * 0.1, abs=0.01)


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
    replaced = comparing._replaced(plan)
    key = plan.ground.scenario.planned[0].key
    assert replaced == ({"c1/team/load-000": key, key: key} if is_one else {})


@pytest.mark.parametrize(("after_h", "share"), [(0, 1.0), (MONTH, 0.9), (2 * MONTH, 0.81)])
def test_what_was_not_planned_has_the_price_of_its_month(after_h: int, share: float) -> None:
    """4 A100 at $2 came, and prices decline by a tenth a month."""
    offers = [ON_DEMAND, offer("a", 0, 2.0, gpu_model="A100")]
    plan = planned([flat(10)], (), offers, delta=0.1)
    result = tracked(plan, [flat(10), flat(4, model="A100")], after_hours=after_h)
    assert result.planned == pytest.approx(730 * 10 * 5 * share)
    assert moved(result)["demand"] == pytest.approx(730 * 4 * 2 * share, abs=0.01)


def test_hindsight_keeps_contracts_that_ran_when_the_plan_began() -> None:
    """4 GPUs came: 2 at $9 that are committed and run are kept, whatever they cost; the rest by use at $5, or as it was
    done: at $1 from a second later on."""
    kept = contract("a", 2, 9.0, 24, MONTH)
    later = contract("b", 2, 1.0, 24, MONTH, start_s=END_S + 1)
    over = contract("c", 2, 1.0, 0, MONTH)
    plan = planned([flat(4)], [kept], [ON_DEMAND])
    for held, usd in (
        ([kept], 2 * 9 + 2 * 5),
        ([kept, later], 2 * 9 + 2 * 1),
        ([kept, over], 2 * 9 + 2 * 5),
        ([], 4 * 5),
    ):
        result = tracked(plan, [flat(4)], held)
        assert result.hindsight == pytest.approx(730 * usd)


def test_workloads_share_what_a_row_planned_by_their_gpu_time() -> None:
    """3 and 1 GPUs of the log were planned, together 4; 1 and 3 came, the first at 5 of them planned twice as long."""
    plan = planned([flat(3), flat(1)], (), [ON_DEMAND])
    result = tracked(plan, [flat(1), flat(3)])
    rows = {row.key[-1]: row.figures for row in result.by_workload}
    assert [rows[at]["planned_gpu_hours"] for at in "01"] == pytest.approx([3 * MONTH, MONTH])
    assert [rows[at]["came_gpu_hours"] for at in "01"] == pytest.approx([MONTH, 3 * MONTH])
    assert Counter(row.what for row in result.rows) == dict.fromkeys(comparing.WHAT, 1)
    assert [rows[at]["more"] for at in "01"] == pytest.approx([-2 * 5 * MONTH, 2 * 5 * MONTH])


def test_what_steps_at_the_end_of_what_came_has_happened() -> None:
    """A step on the last moment is in the log, and in prices that are given."""
    moment = END_S + MONTH_S
    changes = tuple(DemandChange(of="all", keys=(), factor=2.0, from_s=at) for at in (moment, moment + 1))
    prices = tuple(PriceChange("H100", 0.5, at) for at in (moment, moment + 1))
    works = tuple(
        PlannedWork(name=f"w{at}", pool=Pool.TRAINING, gpu_model="H100", gpus=1.0, ends_s=moment + at)
        for at in (0, 1)
    )
    scenario = Scenario(name="Plan A", changes=changes, price_changes=prices, planned=works)
    of = planned([flat(4)], (), [ON_DEMAND], scenario)
    later = replace(of.project, window=Window(END_S, MONTH))
    came: Any = SimpleNamespace(window=later.window, cells={})
    made = made_again(later, saved_plan(of), came, has_contracts=True, has_prices=True).scenarios[0]
    assert (made.changes, made.price_changes) == (changes[1:], prices[1:])
    assert [work.name for work in made.planned] == ["w1"]


@pytest.mark.parametrize(("lead_h", "usd"), [(730.0, 2.0), (731.0, 5.0)])
def test_hindsight_buys_what_comes_within_a_month(lead_h: float, usd: float) -> None:
    """A month's order at $2, or by use at $5."""
    month = offer("m1", 1, 2.0, lead_time_hours=lead_h)
    result = tracked(planned([flat(4)], (), [ON_DEMAND, month]), [flat(4)])
    assert result.hindsight == pytest.approx(730 * 4 * usd)


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
    assert comparing._unpriced(saved, spans) == set()
    assert plan.advice is not None
    unsure = replace(plan, advice=replace(plan.advice, asked_models=frozenset(("H100",))))
    places = comparing._unpriced(replace(saved, evaluation=unsure), spans)
    assert places == {(Pool.TRAINING, "H100"), (Pool.BURST, "H100")}


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
    a, b = (Pool.TRAINING, "H100"), (None, None)
    usd = (100.0, 150.0, 140.0, 120.0, 90.0, 95.0)
    steps: list[Any] = [{(first, a): each, (first, b): 1.0, (second, a): 7.0} for each in usd]
    steps[-1][second, a] = None
    row = comparing._quarter(steps, window, first)
    assert (row.start_s, row.end_s, row.key) == (at_s(2026, 2), second, str(at_s(2026, 2)))
    moved_usd = [row.figures[key] for key in ("planned", *comparing.WHAT, "actual")]
    assert moved_usd == [101.0, 50.0, -10.0, -20.0, -30.0, 5.0, 96.0]
    row = comparing._quarter(steps, window, second)
    assert (row.start_s, row.end_s) == (second, at_s(2026, 5))
    assert [row.figures[key] for key in ("planned", "demand", "rest", "actual")] == [7.0, 0.0, None, None]


def test_only_of_commitments_the_use_is_known_since_the_log() -> None:
    """Both begin a month before the plan's log."""
    plan = planned([flat(4)], (), [ON_DEMAND])
    held = contract("old", 6, 2.0, 12, MONTH, start_s=START_S - MONTH_S)
    by_use = replace(held, pricing_category=PricingCategory.STANDARD, term_months=None)
    notes = [
        list(
            comparing._missing(
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
    monkeypatch.setattr(comparing, "_unpriced", lambda *_: {(Pool.TRAINING, "H100")})
    result = tracked(plan, [flat(4, 3 * MONTH)], [held])
    assert result.planned is result.moved("demand") is result.moved("mix") is result.moved("decision") is None
    assert (result.moved("price"), result.moved("rest")) == (0.0, pytest.approx(0.0))
    assert result.actual == pytest.approx(3 * 730 * 4 * 2)
    assert len(result.quarters) == 2 and {row.figures["planned"] for row in result.quarters} == {None}
    without = tracked(plan, [flat(4)])
    assert without.planned is without.actual is without.moved("rest") is None
