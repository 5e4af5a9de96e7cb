"""Expected demand: demand that was not planned, work that remains, orders that became contracts, a rebuilt plan."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.demand.model_demand import ModelDemand, Stream
from gpuplanner.domain.commitment.demand.streams import Cell
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.plan.changes import DemandChange, PriceChange
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, Window
from gpuplanner.domain.track.expected import (
    LEVEL,
    insert_stream,
    made_again,
    orders_as_contracts,
    remaining_work,
    with_level,
)
from gpuplanner.domain.track.holdings import Holdings, saved_plan
from tests.domain.commitment.conftest import contract, offer
from tests.domain.track.conftest import MONTH, moved, planned, tracked
from tests.domain.track.level_demand import END_S, GPU_H, ON_DEMAND, flat


def test_what_was_not_planned_is_level_on_its_cluster_in_its_turn() -> None:
    """1,460 GPU-h of 730 h are 2 GPUs in each of the plan's 100 hours."""
    came: Any = SimpleNamespace(
        window=Window(END_S, MONTH),
        cells={
            Cell(Pool.BURST, "c1", "A100"): np.array([1460 * GPU_H]),
            Cell(Pool.TRAINING, "c2", "A100"): np.array([730 * GPU_H]),
            Cell(Pool.TRAINING, "c1", "H100"): np.array([9 * GPU_H]),
        },
    )
    unplanned = [Row(Pool.BURST, "A100"), Row(Pool.TRAINING, "A100")]
    (model,) = with_level([], came, unplanned, 100)
    assert (model.gpu_model, model.rows) == ("A100", (Row(Pool.TRAINING, "A100"), Row(Pool.BURST, "A100")))
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
        assert [item.row for item in insert_stream(streams, stream(9, pool))].index(9) == at
    last = (stream(2, Pool.BURST),)
    assert [item.row for item in insert_stream(last, stream(9, Pool.INFERENCE))] == [9, 2]
    assert [item.row for item in insert_stream((), stream(9, Pool.BURST))] == [9]


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
    work = remaining_work(replace(run, **changes), END_S + 7 * HOUR_S, END_S + 10 * HOUR_S)
    assert work.begins_s == END_S + begins_h * HOUR_S and work.length_hours == length_h


def test_a_plan_made_again_has_waited_and_steps_no_second_time() -> None:
    """After a month of 730 h, of a plan that waits for three."""
    before, after = END_S + 10 * DAY_S, END_S + 40 * DAY_S
    changes = tuple(
        DemandChange(target="all", keys=(), factor=2.0, from_s=moment) for moment in (before, after)
    )
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
        Cell(Pool.TRAINING, "c1", "H100"): np.array([5]),
        Cell(Pool.TRAINING, "c2", "H100"): np.array([3, 4]),
        Cell(Pool.BURST, "c3", "H100"): np.array([99]),
    }

    def signed(end_s: int, **changes: Any) -> list[Any]:
        orders = tuple(replace(order, **changes) for _ in range(1))
        came: Any = SimpleNamespace(window=SimpleNamespace(end_s=end_s), cells=cells)
        return orders_as_contracts(replace(saved, holdings=Holdings((), orders)), came)

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


def test_what_steps_at_the_end_of_what_came_has_happened() -> None:
    """A step on the last moment is in the log, and in prices that are given."""
    moment = END_S + MONTH_S
    changes = tuple(DemandChange(target="all", keys=(), factor=2.0, from_s=at) for at in (moment, moment + 1))
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
