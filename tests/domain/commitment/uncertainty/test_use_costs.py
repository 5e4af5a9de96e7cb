"""Cost of use in drawn weeks, by hand."""

from dataclasses import replace
from math import inf
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.uncertainty.use_costs import (
    UseCost,
    UseCosts,
    compute_most_usd,
    compute_open_share,
)
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, case, contract, offer
from tests.domain.commitment.uncertainty.small_rows import KEY, WEEK


def test_use_of_drawn_weeks_lies_between_its_levels() -> None:
    """Two weeks: 10 and 20 at level 1, twice that at level 2. A month is four weeks and 58 hours' share of a fifth."""
    cost = UseCost(np.array([1.0, 2.0]), np.array([[10.0, 20.0], [20.0, 40.0]]))
    weeks = np.array([[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [0, 1, 0, 1, 1]])
    low = [10.0, 20.0, (60 * 168 + 20 * 58) / 730]
    assert cost.at(np.ones(3), weeks).tolist() == pytest.approx(low)
    assert cost.at(np.full(3, 1.5), weeks).tolist() == pytest.approx([1.5 * usd for usd in low])
    assert cost.at(np.array([0.1, 9.0, 2.0]), weeks).tolist() == pytest.approx(
        [low[0], 2 * low[1], 2 * low[2]]
    )
    assert replace(cost, most=10.0).at(np.ones(3), weeks).tolist() == pytest.approx([low[0], 10.0, 10.0])


def use_costs(hours: int = 2 * WEEK, **values: Any) -> tuple[UseCosts, Any]:
    """4 GPUs in the first week and 6 in the second, of which a contract serves 1 and 3 are signed for a year."""
    gpus = [4.0] * WEEK + [6.0] * (hours - WEEK)
    scenario = Scenario(name="A", hand_layers={KEY: (HandLayer(12, 3),)}, **values)
    offers = [offer("od", 0, 5.0), offer("y1", 12, 2.0)]
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=gpus)],
        [contract("k", 1, 1.0, 40, hours)],
        offers,
        scenario,
        sigma=0.0,
        delta=0.5,
    )
    ground = ground_of(made.project, scenario, made.pools, AdviceCache())
    planned = plan_of(ground, AdviceCache())
    return UseCosts(ground, planned.rows, np.array([1.0, 2.0]), 2), planned.rows[0]


def test_what_layers_leave_to_use_is_priced_week_by_week() -> None:
    """Of 4 GPUs contract and level serve all; of 6 two are left: $7,300. At level 2 four and eight are."""
    costs, row = use_costs()
    layers = costs.of_layers(row)
    assert layers.weekly.tolist() == [pytest.approx([0.0, 7300.0]), pytest.approx([4 * 3650.0, 8 * 3650.0])]
    assert costs.by_use(row, 0).weekly.tolist() == layers.weekly.tolist()
    # at that month's prices, but their fall
    assert costs.by_use(row, 1).weekly.tolist() == layers.weekly.tolist()
    share = np.array([0.0, 0.0, 0.0, 0.5, 0.5, 0.0])  # the contract ends one day: six slices
    assert costs.of_slices(row, 0, share).weekly.tolist() == [
        pytest.approx([0.0, 3650.0]),
        pytest.approx([3650.0, 3650.0]),
    ]
    assert costs.rows == [row] or costs.rows == (row,)


def test_slices_are_paid_by_use_for_what_orders_and_a_budget_leave_of_a_part() -> None:
    """Parts of 100 and 200 hours: 25 and 50 are held, of the second 100 denied."""
    edges_s = np.array([0, 100, 300]) * 3600
    listed = SimpleNamespace(
        held_h=np.array([[25.0, 0.0], [50.0, 200.0]]), edges_s=edges_s, parts_of=lambda _: slice(0, 2)
    )
    row: Any = SimpleNamespace(listed=listed, denied_h=None, row=SimpleNamespace(held=None))
    assert compute_open_share(row, 0).tolist() == [[0.75, 1.0], [0.75, 0.0]]
    row.denied_h = np.array([[0.0, 100.0], [100.0, 100.0], [9.0, 9.0]])
    assert compute_open_share(row, 0).tolist() == [[0.75, 0.0], [0.25, 0.0]]
    row.row.held = np.array([[False, False], [True, False], [False, True]])  # by orders that were placed
    assert compute_open_share(row, 0).tolist() == [[0.75, 0.0], [0.0, 0.0]]


def test_use_of_what_fell_comes_to_no_more_than_its_peak() -> None:
    row: Any = SimpleNamespace(fall=object(), demand_gpus=np.array([1.0, 4.0, 2.0]))
    assert compute_most_usd(row, 5.0) == 730 * 4 * 5
    assert compute_most_usd(row, 0.0) == inf
    row.fall = None
    assert compute_most_usd(row, 5.0) == inf


@pytest.mark.parametrize("block", [2, 4, 8])
def test_use_of_wide_slices_is_priced_week_by_week(block: int) -> None:
    """Two blocks in the first week and three in the second; the third costs $5 an hour, at level 1.5 half of it too.

    At level 0.75 demand is of 1.5 and 2.25 blocks, at 1.5 of 3 and 4.5, of which there are no slices above the third.
    """
    gpus = [2.0 * block] * WEEK + [3.0 * block] * WEEK
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=gpus)],
        (),
        [offer("od", 0, 5.0)],
        Scenario(name="A"),
        sigma=0.0,
        delta=0.0,
        block=block,
    )
    ground = ground_of(made.project, Scenario(name="A"), made.pools, AdviceCache())
    planned = plan_of(ground, AdviceCache())
    costs, row = UseCosts(ground, planned.rows, np.array([0.75, 1.0, 1.5]), 2), planned.rows[0]
    unit = 730 * 5.0 * block
    third = costs.of_slices(row, 0, np.array([0.0, 0.0, 1.0])).weekly
    assert third.tolist() == [
        pytest.approx([0.0, 0.25 * unit]),
        pytest.approx([0.0, unit]),
        pytest.approx([unit, unit]),
    ]
    above = costs.by_use(row, 0).weekly
    assert above.tolist() == [
        pytest.approx([level * 2 * unit, level * 3 * unit]) for level in (0.75, 1.0, 1.5)
    ]
    half = costs.of_slices(row, 1, np.array([0.5, 0.0, 0.0])).weekly
    assert half.tolist() == [pytest.approx([unit / 2, unit / 2])] * 3
