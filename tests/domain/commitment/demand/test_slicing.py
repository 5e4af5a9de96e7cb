"""Slicing: today is never cut coarsely, however far demand grows; what is cut adds up."""

from dataclasses import replace
from math import ceil

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gpuplanner.domain.commitment.demand.slicing import (
    Peaks,
    Slicing,
    asked_block,
    block_for,
    busy_shares,
    gaps_of,
    hour_weights,
    missing_hours,
    shares_of_slices,
    slicing_of,
)
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.model.intake import LogGap
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S
from tests.domain.commitment.conftest import START_S, Load, audit, case, offer

# --- Slicing: today is never cut coarsely, however far demand grows; what is cut adds up ---------

SLICINGS = st.builds(Slicing, st.integers(1, 16), st.integers(0, 20), st.integers(0, 12))
DEMAND = st.lists(st.floats(0, 400), min_size=1, max_size=30)


@given(SLICINGS, DEMAND)
def test_slices_are_busy_as_the_model_writes_it(slicing: Slicing, demand: list[float]) -> None:
    gpus = np.array(demand)
    low, width = slicing.edges[:-1], slicing.widths
    plainly = np.clip((gpus[:, None] - low) / width, 0, 1).mean(axis=0)
    blocks = (gpus / slicing.block)[None]
    assert np.abs(shares_of_slices(slicing, blocks, None)[0] - plainly).max(initial=0) < 1e-9
    filled = slicing.in_slices(blocks)  # the other way, as of very many blocks
    assert np.abs(busy_shares(filled, slicing.count, None)[0] - plainly).max(initial=0) < 1e-9


@given(st.builds(Slicing, st.integers(1, 16), st.integers(0, 20), st.integers(1, 90)))
def test_at_an_edge_a_whole_number_of_slices_is_filled_on_whichever_side_it_is_rounded(
    slicing: Slicing,
) -> None:
    edges = slicing.edges / slicing.block
    for beside in (edges, np.nextafter(edges, 0), np.nextafter(edges, np.inf)):
        filled = slicing.in_slices(beside.copy())[:-1]  # over the top all slices are full anyway
        assert filled == pytest.approx(np.arange(slicing.count), abs=1e-9)


@given(SLICINGS)
def test_widths_add_up_to_edges_and_grow_by_about_a_quarter_in_whole_blocks_above_the_even_ones(
    slicing: Slicing,
) -> None:
    assert len(slicing.widths) == slicing.count and slicing.below(0) == 0
    assert (slicing.widths[: slicing.even] == slicing.block).all()
    assert slicing.count == 0 or slicing.widths[0] == slicing.block
    wide = slicing.widths[max(slicing.even - 1, 0) :] / slicing.block
    assert (wide % 1 == 0).all() and wide == pytest.approx(1.25 ** np.arange(len(wide)), abs=0.5)
    for last in range(slicing.count + 1):
        assert slicing.gpus(1, last) == pytest.approx(slicing.widths[:last].sum())


GPUS = st.integers(0, 500_000).map(lambda hundredths: hundredths / 100)


@given(GPUS, GPUS, st.floats(0.01, 1e9), st.integers(1, 64))
def test_what_is_needed_today_is_even_and_the_rest_is_reached(
    today: float, more: float, far: float, b: int
) -> None:
    peaks = Peaks(today, today + more, today + more + far)
    block = block_for(today, b)
    slicing = slicing_of(peaks, block, 0)
    assert slicing.even * block >= min(peaks.soon, 384 * block) and slicing.even * block >= today
    assert slicing.even == max(ceil(today / block), min(ceil(peaks.soon / block), 384))
    assert slicing.below(slicing.count) >= peaks.ever
    assert slicing.grown == 0 or slicing.below(slicing.count - 1) < peaks.ever
    assert block % b == 0 and (block == b or block * 256 < today) and slicing.count < 600


def test_a_block_doubles_only_where_today_alone_needs_over_512() -> None:
    assert [block_for(gpus, 1) for gpus in (0.0, 512.0, 512.5, 2049.0)] == [1, 1, 2, 8]
    assert [block_for(gpus, 8) for gpus in (512.0 * 8, 512.0 * 8 + 1)] == [8, 16]
    assert block_for(1600.0, 3) == 6


def test_levels_set_by_hand_reach_into_even_slices() -> None:
    assert slicing_of(Peaks(3.0, 3.0, 50.0), 2, 20) == Slicing(2, 10, 7)


OFFERS = [offer("od", 0, 7.0), offer("q1", 3, 4.6), offer("y1", 12, 3.9), offer("y3", 36, 3.1)]


@pytest.mark.parametrize("fade", [0.9, 1.0])
def test_growth_far_ahead_does_not_coarsen_what_is_signed_today(fade: float) -> None:
    """Flat demand of 40 GPUs: whatever it may grow to, month 0 signs between half and three times as much."""

    def signed(growth: float) -> float:
        made = case(
            [Load(pool=Pool.TRAINING, gpus=[40.0] * 400)], (), OFFERS, growth=growth, growth_fade=fade
        )
        (plan,) = advise(made.project, made.project.scenarios[0], made.pools, audit()).pools
        assert plan.block == 1 and plan.slicing.below(40) == 40.0
        return sum(layer.gpus for layer in plan.layers if layer.term_months)

    flat = signed(0.0)
    assert flat > 0
    for growth in (0.25, 0.3, 0.5):
        assert 0.5 * flat <= signed(growth) <= 3 * flat


# --- test slices ---------------------------------------------------------------------------------

Floats = npt.NDArray[np.float64]
SLICES_DEMAND = arrays(
    np.float64, (3, 40), elements=st.one_of(st.floats(0, 12), st.integers(0, 12).map(float))
)


def plainly(demand: Floats, slices: int, weights: Floats) -> Floats:
    """u_k as it is written: the mean over hours of clip(R - (k - 1), 0, 1)."""
    steps = np.arange(slices)
    return np.array([[weights @ np.clip(row - step, 0, 1) for step in steps] for row in demand])


@given(SLICES_DEMAND, st.integers(0, 14))
def test_busy_shares_are_the_mean_of_the_clipped_demand(demand: Floats, slices: int) -> None:
    expected = plainly(demand, slices, np.full(40, 1 / 40))
    assert np.abs(busy_shares(demand, slices, None) - expected.reshape(3, slices)).max(initial=0) < 1e-12


@given(SLICES_DEMAND, st.floats(0.1, 300))
def test_busy_shares_by_recency(demand: Floats, half_life_days: float) -> None:
    weights = hour_weights(40, half_life_days)
    assert weights is not None
    assert np.abs(busy_shares(demand, 12, weights) - plainly(demand, 12, weights)).max() < 1e-12


@given(SLICES_DEMAND)
def test_busy_shares_add_up_to_the_mean_demand_and_fall_going_up(demand: Floats) -> None:
    shares = busy_shares(demand, 12, None)
    assert shares.sum(axis=1) == pytest.approx(demand.mean(axis=1), abs=1e-12)
    assert (np.diff(shares, axis=1) <= 1e-12).all()


def test_the_newest_week_weighs_most_and_a_half_life_halves() -> None:
    """Of 2 weeks and 1 hour, and of 2 months of 730 h and 1 hour: a week that is begun counts, a month does not."""
    for step_h, oldest, more in ((168, 0.25, ()), (730, 0.0, (None, 0))):
        weights = hour_weights(2 * step_h + 1, step_h / 24, *more)
        assert weights is not None
        assert (weights / weights[-1]).tolist() == pytest.approx([oldest] + [0.5] * step_h + [1.0] * step_h)
        assert weights.sum() == pytest.approx(1)
    assert hour_weights(49, None) is None


def test_hours_that_are_missing_weigh_nothing_with_or_without_a_half_life() -> None:
    """The newest week has age 0, the hour before it seven days: at a half-life of 3.5 days a quarter of its weight."""
    missing = np.zeros(49, dtype=np.bool_)
    missing[[3, 10]] = True
    alike = hour_weights(49, None, missing)
    assert alike is not None and alike[missing].tolist() == [0.0, 0.0]
    assert alike[~missing].tolist() == pytest.approx([1 / 47] * 47)
    assert np.array_equal(hour_weights(49, None, missing, 1_793_491_200), alike)  # nor by months
    missing = np.append(missing, np.zeros(120, dtype=np.bool_))
    recent = hour_weights(169, 3.5, missing)
    assert recent is not None and recent[missing].tolist() == [0.0, 0.0] and recent.sum() == pytest.approx(1)
    assert recent[0] / recent[168] == pytest.approx(0.25)
    assert recent[1] == recent[168]


def test_a_gap_is_what_the_log_says_or_days_without_a_job_of_it() -> None:
    """Hours 10 to 59 are idle but for planned work, which no log has; they are missing where the planner says so."""
    gpus = np.ones(100)
    gpus[10:60] = 0.0
    made = case([Load(pool=Pool.TRAINING, gpus=gpus.tolist()), Load(pool=Pool.BURST, gpus=[1.0] * 100)])
    work = PlannedWork(
        name="load-001", pool=Pool.BURST, gpu_model="H100", gpus=1.0, cluster="c1", team="team"
    )
    idle = LogGap(START_S + 10 * HOUR_S, START_S + 60 * HOUR_S)
    scenario = Scenario(name="A", planned=(work,), is_gap_missing=True)
    assert gaps_of(made.project, scenario) == (idle,)
    assert gaps_of(made.project, Scenario(name="A")) == ()
    missing = missing_hours(made.project, scenario)
    assert missing is not None and np.flatnonzero(missing).tolist() == list(range(10, 60))
    assert missing_hours(made.project, replace(scenario, is_gap_missing=False)) is None
    two = (LogGap(START_S, START_S + 2 * HOUR_S), LogGap(START_S + 98 * HOUR_S, START_S + 100 * HOUR_S))
    told = replace(made.project, jobs=replace(made.project.jobs, gaps=two))
    assert gaps_of(told, scenario) == two
    of_both = missing_hours(told, scenario)
    assert of_both is not None and np.flatnonzero(of_both).tolist() == [0, 1, 98, 99]
    assert missing_hours(replace(told, jobs=replace(told.jobs, gaps=())), scenario) is None


def test_a_block_is_the_planners_or_the_largest_unit() -> None:
    offers = [offer("a", 12, 2.0, unit_gpus=4), offer("b", 12, 2.0, unit_gpus=8), offer("c", 12, 2.0)]
    assert [asked_block(block, offers) for block in (None, 2, 16)] == [8, 2, 16]
    assert (asked_block(None, offers[2:]), asked_block(None, [])) == (1, 1)


def test_wider_slices_are_filled_by_their_part() -> None:
    """Two even slices of 8, then 1.25, 1.56, 1.95 and 2.44 blocks in whole ones: 1, 2, 2 and 2, to block 9."""
    slicing = Slicing(8, 2, 4)
    assert slicing.widths.tolist() == [8.0, 8.0, 8.0, 16.0, 16.0, 16.0]
    assert slicing.edges.tolist() == [0.0, 8.0, 16.0, 24.0, 40.0, 56.0, 72.0]
    assert (slicing.count, slicing.below(3), slicing.gpus(3, 4)) == (6, 24.0, 24.0)
    blocks = np.array([[0.5, 2.0, 2.5], [3.5, 4.0, 8.0], [9.0, 12.0, 5.0]])
    filled = [
        [0.5, 2.0, 2.5],
        [3.25, 3.5, 5.5],
        [9.0, 12.0, 4.0],
    ]  # at the top and over it all are full anyway
    assert slicing.in_slices(blocks).tolist() == filled
    assert Slicing(8, 0, 2).widths.tolist() == [8.0, 8.0]  # the lowest slice is a block


def test_very_many_blocks_are_searched_for() -> None:
    """Above one even slice 50 wider ones reach past 100,000 blocks; the middle of each is half of its slice."""
    slicing = Slicing(1, 1, 50)
    assert slicing.edges[-1] > 100_000
    middles = (slicing.edges[1:-1] + slicing.edges[2:]) / 2
    assert slicing.in_slices(middles.copy()) == pytest.approx(np.arange(50) + 1.5)
    starts = slicing.edges[1:-1]
    assert slicing.in_slices(starts.copy()) == pytest.approx(np.arange(50) + 1.0)
    half = shares_of_slices(
        slicing, middles[None, -1:].copy(), None
    )  # in one hour up to the middle of the last
    assert half[0].tolist() == pytest.approx([1.0] * 50 + [0.5])


def test_busy_shares_by_weight() -> None:
    """Hours of 0.5, 2 and 3.25 slices that weigh 1, 2 and 5 of 8; over the top of three all are full."""
    weights = np.array([1.0, 2.0, 5.0]) / 8
    demand = np.array([[0.5, 2.0, 3.25], [-1.0, 0.0, 1.5]])
    assert busy_shares(demand.copy(), 3, weights).tolist() == [[7.5 / 8, 7 / 8, 5 / 8], [5 / 8, 2.5 / 8, 0.0]]
    assert busy_shares(demand.copy(), 3, None)[0].tolist() == pytest.approx([2.5 / 3, 2 / 3, 1 / 3])
    assert busy_shares(demand.copy(), 0, None).shape == (2, 0)
