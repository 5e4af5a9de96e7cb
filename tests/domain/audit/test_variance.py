"""Price + volume + efficiency is the whole change, whatever is zero; and what stands behind each adds up to it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.cost_result import Period, PeriodCost
from gpuplanner.domain.audit.unit_costs import past_of
from gpuplanner.domain.audit.variance import chosen, cluster_changes, halves, period_between, variance
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from tests.oracle.projects import random_case

GPU_HOUR = 3_600_000
START_S = 1_782_864_000
PARTS = ("volume_per_month", "efficiency_per_month", "price_per_month")


def changes_of(project, classifications, *periods):
    past = past_of(project, audit(project, classifications))
    return variance(past, *(periods or halves(project.window)))


def cents(usd):
    return pytest.approx(usd, abs=0.004)


amounts = st.one_of(st.just(0.0), st.floats(0.01, 1e6))


shares = st.one_of(st.just(0.0), st.floats(1e-6, 1))


def of_period(used, paid, cost):
    """A month of 730 h in which a cluster used and was paid for so many GPU-hours."""
    per_used = paid / used if used else None
    rate = cost / paid if paid else None
    of_used = None if per_used is None or rate is None else per_used * rate
    return PeriodCost(
        used_gpu_hours=used,
        paid_gpu_hours=paid,
        inefficiency=per_used,
        rate=rate,
        paid_cost=cost,
        cost_per_month=cost,
        overflow_cost=None,
        cost_of_used=of_used,
        used_per_month=used,
        paid_per_month=paid,
        idle_per_month=paid - used,
    )


def effect(used, paid, usd):
    """The parts of usd[1] - usd[0]: volume, efficiency and price."""
    before, after = (of_period(used[at], paid[at], usd[at]) for at in (0, 1))
    (row,) = cluster_changes([before], [after], [chosen(before, after)])
    return [row[name] for name in PARTS]


@given(amounts, amounts, shares, shares, st.floats(0.1, 100), st.floats(0.1, 100))
def test_the_three_parts_are_the_whole_change(paid0, paid1, share0, share1, rate0, rate1):
    usd = (paid0 * rate0, paid1 * rate1)
    found = effect((paid0 * share0, paid1 * share1), (paid0, paid1), usd)
    size = sum(map(abs, (*found, *usd)))
    assert sum(found) == pytest.approx(usd[1] - usd[0], abs=1e-9 * size + 1e-9)


@given(*[st.floats(1, 1000)] * 2, *[st.floats(0.05, 1)] * 2, *[st.floats(0.1, 20)] * 2)
def test_each_part_is_its_formula(paid0, paid1, share0, share1, price0, price1):
    used0, used1 = paid0 * share0, paid1 * share1
    e0, e1 = paid0 / used0, paid1 / used1
    volume, efficiency, price = effect((used0, used1), (paid0, paid1), (paid0 * price0, paid1 * price1))
    assert volume == pytest.approx((used1 - used0) * e0 * price0, abs=1e-6)
    assert efficiency == pytest.approx(used1 * (e1 - e0) * price0, abs=1e-6)
    assert price == pytest.approx(used1 * e1 * (price1 - price0), abs=1e-6)


def assert_adds_up(found):
    for row in found.clusters:
        if row.change_per_month is None:
            assert [getattr(row, name) for name in PARTS] == [None] * 3
            continue
        assert sum(getattr(row, name) for name in PARTS) == cents(row.change_per_month)
        assert sum(part.volume_per_month for part in row.workloads) == cents(row.volume_per_month)
        assert sum(part.price_per_month for part in row.contracts) == cents(row.price_per_month)
        assert sum(part.efficiency_per_month for part in row.contracts) == cents(row.efficiency_per_month)
        assert row.change_per_month == cents(row.cost_after - row.cost_before)
    if found.change_per_month is not None:
        assert sum(getattr(found, name) for name in PARTS) == cents(found.change_per_month)


@pytest.mark.parametrize("seed", range(20))
def test_what_stands_behind_each_part_adds_up(seed):
    case = random_case(seed)
    hours = case.project.window.hours
    assert_adds_up(changes_of(case.project, case.classifications))
    assert_adds_up(
        changes_of(case.project, case.classifications, Period(0, hours // 3), Period(hours // 2, hours))
    )


def two_halves(world, used, gpus=(10, 10), rates=("2", "2"), hours=730):
    """A cluster with one contract in each half; used: GPUs in use in each."""
    middle = START_S + hours * 3600
    entries = [
        (0, 0, hour, int(used[0 if hour < hours else 1] * GPU_HOUR))
        for hour in range(2 * hours)
        if used[0 if hour < hours else 1]
    ]
    contracts = [
        world.contract(f"c{place}", count, rate, start_s=START_S if place == 0 else middle, end_s=end_s)
        for place, (count, rate, end_s) in enumerate(zip(gpus, rates, (middle, None), strict=True))
        if count
    ]
    return world.project(2 * hours, [world.workload("sft")], entries, contracts)


@pytest.mark.parametrize(
    ("used", "gpus", "rates", "expected"),
    [
        # V 5 -> 6 GPUs, E 2 -> 10/6, P 2: volume 730 x 1 x 2 x 2 = 2,920, efficiency takes it back
        ((5, 6), (10, 10), ("2", "2"), (2920, -2920, 0)),
        ((5, 5), (10, 10), ("2", "3"), (0, 0, 7300)),
        ((5, 5), (10, 20), ("2", "2"), (0, 14600, 0)),
        # volume 5 x 2 x 2, efficiency 10 x (1.2 - 2) x 2, price 12 x 1, all x 730
        ((5, 10), (10, 12), ("2", "3"), (14600, -11680, 8760)),
        ((0, 5), (10, 10), ("2", "2"), (7300, -7300, 0)),
        ((5, 0), (10, 10), ("2", "2"), (-14600, 14600, 0)),
        ((0, 0), (10, 12), ("2", "2"), (0, 2920, 0)),
        ((0, 6), (0, 12), ("2", "2"), (17520, 0, 0)),
        ((0, 0), (0, 12), ("2", "2"), (0, 17520, 0)),
        ((6, 0), (12, 0), ("2", "2"), (-17520, 0, 0)),
        ((0, 0), (12, 0), ("2", "2"), (0, -17520, 0)),
    ],
)
def test_crafted_halves(world, used, gpus, rates, expected):
    found = changes_of(two_halves(world, used, gpus, rates), world.classified(Pool.TRAINING))
    (row,) = found.clusters
    assert tuple(getattr(row, name) for name in PARTS) == tuple(cents(usd) for usd in expected)
    assert_adds_up(found)
    says = 0 in used or 0 in gpus
    assert bool(row.note) == says
    assert (row.before.inefficiency is None) == (not used[0])


def test_a_contract_without_a_rate_is_unknown_and_said(world):
    found = changes_of(two_halves(world, (5, 5), rates=("2", None)), world.classified(Pool.TRAINING))
    (row,) = found.clusters
    assert [row.change_per_month, found.change_per_month] == [None, None]
    assert row.note
    assert row.before.paid_cost == cents(730 * 20)
    assert row.workloads == ()


def test_price_is_behind_the_contract_that_came_and_not_behind_one_that_stayed(world):
    project = two_halves(world, (5, 5), (10, 10), ("2", "4"))
    project = replace(project, contracts=(*project.contracts, world.contract("same", 10, "2")))
    (row,) = changes_of(project, world.classified(Pool.TRAINING)).clusters
    price = {part.contract_id: part.price_per_month for part in row.contracts}
    assert price == {"c0": cents(0), "c1": cents(730 * 10 * 2), "same": cents(0)}


def test_a_move_to_a_dearer_cluster_is_volume_and_is_said_as_mix(world):
    hours = 10
    entries = [(0, 0, hour, GPU_HOUR) for hour in range(5)] + [
        (1, 0, hour, GPU_HOUR) for hour in range(5, 10)
    ]
    entries += [(2, 0, hour, GPU_HOUR) for hour in range(10)] + [(3, 0, hour, GPU_HOUR) for hour in range(10)]
    project = world.project(
        hours,
        [
            world.workload("a", cluster="cheap"),
            world.workload("a", cluster="dear"),
            world.workload("b", cluster="cheap"),
            world.workload("b", cluster="dear"),
        ],
        entries,
        [world.contract("c", 2, "1", cluster="cheap"), world.contract("d", 2, "5", cluster="dear")],
    )
    found = changes_of(project, world.classified(*[Pool.TRAINING] * 4))
    # cheap: 2 -> 1 used of 2 at 1 $, so -1 x 1 x 1; dear: 1 -> 2 used of 2 at 5 $, so +1 x 2 x 5; all x 730
    assert found.volume_per_month == cents(730 * 9)
    assert found.mix_per_month == cents(730 * 9)
    assert_adds_up(found)


def test_periods_of_unequal_length_are_compared_per_month(world):
    project = two_halves(world, (5, 5))
    found = changes_of(project, world.classified(Pool.TRAINING), Period(0, 100), Period(100, 1460))
    assert [getattr(found, name) for name in PARTS] == [cents(0)] * 3
    assert found.cost_before == cents(14600)


@pytest.mark.parametrize(("hours", "expected"), [(10, (5, 5)), (11, (5, 6)), (1, (1, 0))])
def test_halves_are_equally_long(hours, expected):
    before, after = halves(Window(START_S, hours))
    assert (before.last, after.first) == expected
    assert before.hours == after.hours
    assert (before.first, after.last) == (0, hours)


def test_a_period_outside_the_window_is_refused():
    window = Window(START_S, 24)
    assert period_between(window, START_S - 7200, START_S + 7200) == Period(0, 2)
    with pytest.raises(PlannerError, match="no whole hour"):
        period_between(window, START_S - 7200, START_S)
