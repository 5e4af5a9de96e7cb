"""Price + volume + efficiency is the whole change, whatever is zero; and what stands behind each adds up to it."""

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.cost_result import Period, PeriodCost
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.variance import (
    ENDED,
    NEVER_USED,
    NEW,
    NO_RATE,
    NOTHING_PAID,
    UNUSED_AFTER,
    UNUSED_BEFORE,
    change_sort_key,
    chosen,
    cluster_changes,
    halves,
    month_periods,
    period_between,
    used_gpu_hours,
    variance,
)
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from tests.domain.audit.conftest import (
    GPU_HOUR,
    START_S,
    classified,
    make_contract,
    make_offer,
    make_project,
    make_workload,
)
from tests.oracle.projects import random_case

H = 3600
TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST

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


def period(cost: float | None, paid: float, used: float) -> Any:
    """A period of a cluster: $ a month, GPU-hours paid and used; its rate is one over the other."""

    class Period:
        cost_per_month = cost
        paid_per_month = paid
        used_per_month = used
        rate = None if cost is None or not paid else cost / paid
        cost_of_used = None if cost is None or not used else cost / used

    return Period


@pytest.mark.parametrize(
    ("before", "after", "result"),
    [
        ((None, 5, 5), (10.0, 5, 5), (None, None, None, None, NO_RATE)),
        ((10.0, 5, 5), (None, 5, 5), (None, None, None, None, NO_RATE)),
        ((0.0, 0, 0), (0.0, 0, 0), (0.0, 0.0, 0.0, 0.0, NOTHING_PAID)),
        ((0.0, 0, 0), (10.0, 5, 4), (2.5, 0.0, 0.0, 2.0, NEW)),
        ((10.0, 5, 4), (0.0, 0, 0), (2.5, 0.0, 0.0, 2.0, ENDED)),
        ((0.0, 0, 0), (10.0, 5, 0), (0.0, 2.0, 1.0, 2.0, NEVER_USED)),
        ((10.0, 5, 0), (12.0, 4, 2), (2.0, 2.0, 1.0, 2.0, UNUSED_BEFORE)),
        ((10.0, 5, 4), (12.0, 4, 2), (2.5, 2.0, 0.5, 2.0, "")),
        ((10.0, 5, 4), (12.0, 4, 0), (2.5, 2.0, 0.0, 2.0, UNUSED_AFTER)),
    ],
)
def test_a_change_is_told_apart_by_the_rates_before_or_of_the_other_period(
    before: tuple[Any, ...], after: tuple[Any, ...], result: tuple[Any, ...]
) -> None:
    rates = chosen(period(*before), period(*after))
    assert tuple(getattr(rates, name) for name in rates.__slots__) == result


def test_months_of_a_log_are_cut_to_it_also_over_new_year() -> None:
    """From 30 November 2025, 12:00: half of that day and all of it after, December's 744 h, and 10 h of January."""
    start = datetime(2025, 11, 30, 12, tzinfo=UTC)
    periods = month_periods(Window(int(start.timestamp()), 12 + 744 + 10))
    firsts = [int(datetime(*day, 1, tzinfo=UTC).timestamp()) for day in ((2025, 11), (2025, 12), (2026, 1))]
    assert periods == (
        (firsts[0], Period(0, 12)),
        (firsts[1], Period(12, 756)),
        (firsts[2], Period(756, 766)),
    )
    assert len(month_periods(Window(firsts[1], 744))) == 1


@pytest.mark.parametrize(
    ("start_s", "end_s", "period"),
    [
        (0, 48 * H, (0, 48)),
        (-9, 99 * H, (0, 48)),
        (1, 3 * H, (1, 3)),
        (H, 2 * H, (1, 2)),
        (H, 2 * H + 3599, (1, 2)),
        (H + 1, 3 * H - 1, None),
        (47 * H, 60 * H, (47, 48)),
        (48 * H, 60 * H, None),
        (5 * H, 5 * H, None),
    ],
)
def test_a_period_has_whole_hours_of_the_window(
    start_s: int, end_s: int, period: tuple[int, int] | None
) -> None:
    window = Window(START_S, 48)
    if period is None:
        with pytest.raises(PlannerError):
            period_between(window, START_S + start_s, START_S + end_s)
    else:
        assert period_between(window, START_S + start_s, START_S + end_s) == Period(*period)


def changed() -> Any:
    """Four hours of 4 H100 at $2 and, in the last two, 2 A100 at $1: a has 4, 4, 1, 0 H100, b 0, 4, 0, 2 of A100."""
    works = [make_workload("a"), make_workload("b")]
    entries = [
        *((0, 0, hour, gpus * GPU_HOUR) for hour, gpus in enumerate((4, 4, 1, 0))),
        (1, 0, 1, 4 * GPU_HOUR),
        (1, 1, 3, 2 * GPU_HOUR),
    ]
    contracts = [
        make_contract("h", 4, "2"),
        make_contract("a", 2, "1", gpu_model="A100", start_s=START_S + 2 * H),
    ]
    project = make_project(4, works, entries, contracts, [make_offer("od", "4")])
    return past_of(project, audit(project, classified(BURST, BURST)))


def test_what_contracts_served_is_counted_by_period() -> None:
    """In the second hour 8 H100 are wanted of 4: each has half."""
    past = changed()
    used = used_gpu_hours(past, [Period(0, 2), Period(2, 4), Period(1, 2), Period(0, 4)])
    assert used.tolist() == [[6.0, 2.0], [1.0, 2.0], [2.0, 2.0], [7.0, 4.0]]


def test_a_change_is_volume_efficiency_and_price_per_month() -> None:
    """Two hours: $16 for 8 GPU-h used of 8; then $20 for 3 of 12, a month of 365 times that.

    Volume: 3 - 8 at $2; efficiency 4 - 1 paid for each used, 3 times, at $2; price 12 at 5/3 - 2.
    """
    past = changed()
    result = variance(past, Period(0, 2), Period(2, 4))
    (row,) = result.clusters
    parts = (row.change_per_month, row.volume_per_month, row.efficiency_per_month, row.price_per_month)
    assert parts == pytest.approx([365 * usd for usd in (4, -10, 18, -4)])
    assert (row.before.cost_per_month, row.after.cost_per_month) == pytest.approx((365 * 16, 365 * 20))
    assert row.before.overflow_cost == pytest.approx(16.0)  # 4 H100 at $4
    assert row.after.overflow_cost == 0.0
    # a used 6 and then 1, b 2 in each, which is no change
    (volume,) = row.workloads
    assert (volume.key, volume.gpu_hours_per_month) == ("atlas/team/a", pytest.approx(365 * -5.0))
    assert {part.contract_id for part in row.contracts} == {"a", "h"}
    assert sum(part.price_per_month or 0.0 for part in row.contracts) == pytest.approx(365 * -4)
    assert sum(part.efficiency_per_month or 0.0 for part in row.contracts) == pytest.approx(365 * 18)


@pytest.mark.parametrize(
    ("price", "efficiency", "size"),
    [(-3.0, 4.0, 7.0), (None, -4.0, 4.0), (3.0, None, 3.0), (None, None, 0.0)],
)
def test_parts_are_ordered_by_how_much_of_the_change_they_are(
    price: float | None, efficiency: float | None, size: float
) -> None:
    part: Any = SimpleNamespace(price_per_month=price, efficiency_per_month=efficiency, contract_id="k")
    assert change_sort_key(part) == (size, "k")


def test_the_first_contracts_of_a_cluster_have_no_price_to_compare_with(world):
    """Nothing was paid in the first half, so that all of the change is volume: 730 x (10 x 3 + 10 x 5)."""
    project = two_halves(world, (0, 10), (0, 10), ("2", "3"))
    second = world.contract("second", 10, "5", start_s=START_S + 730 * 3600)
    project = replace(project, contracts=(*project.contracts, second))
    (row,) = changes_of(project, world.classified(Pool.TRAINING)).clusters
    assert row.volume_per_month == cents(730 * 80)
    assert {part.contract_id: part.price_per_month for part in row.contracts} == {
        "c1": cents(0),
        "second": cents(0),
    }
