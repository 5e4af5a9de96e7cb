"""Use by cluster, contract, GPU model and team: the same window four ways; flags, activity and break-even."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gpuplanner.domain.audit import use_by
from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.use_by import HoursOfWeek, fold_hours, hours_in_cells, used_by_team
from gpuplanner.domain.audit.utilization import row_sums
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.model.tables import POOLS, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, Window

# --- Use by cluster, contract, GPU model and team: the same window four ways; flags, activity and break-
# even

GPU_HOUR = 3_600_000
HOURS = 30
CLUSTERS = ("atlas", "borealis")
TRAINING, INFERENCE, BURST = POOLS
same_world = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60
)

entries = st.lists(
    st.tuples(st.integers(0, 4), st.integers(-1, 1), st.integers(0, HOURS - 1), st.integers(1, 9 * GPU_HOUR)),
    max_size=40,
)
contracts = st.lists(
    st.tuples(
        st.sampled_from(CLUSTERS),
        st.sampled_from(("H100", "A100", None)),
        st.integers(1, 20_000),
        st.sampled_from((None, "2.75", "1.10")),
    ),
    max_size=5,
)


def build(world, rows, terms):
    workloads = [
        replace(world.workload(f"w{n}", CLUSTERS[n % 2]), owner=("red", "blue", "")[n % 3], key=f"k{n}")
        for n in range(5)
    ]
    held = [
        world.contract(f"c{n}", milli / 1000, rate, cluster=cluster, gpu_model=model)
        for n, (cluster, model, milli, rate) in enumerate(terms)
    ]
    return world.project(HOURS, workloads, rows, held, [world.offer("h", "6.88")])


def weeks(rows):
    used = sum((row.hours_of_week.used for row in rows), np.zeros((7, 24), dtype=np.int64))
    capacity = sum((row.hours_of_week.capacity for row in rows), np.zeros((7, 24), dtype=np.int64))
    return used, capacity


@pytest.mark.long
@same_world
@given(rows=entries, terms=contracts, pools=st.tuples(*[st.sampled_from(POOLS)] * 5))
def test_four_views_of_one_window_add_up_to_it(world, rows, terms, pools):
    project = build(world, rows, terms)
    use = audit(project, world.classified(*pools)).use
    dispatched = dispatch_window(project, pools)
    served = sum(int(hours.served.sum()) for hours in dispatched)
    capacity = sum(int(hours.capacity.sum()) for hours in dispatched)
    whole = use.everything.hours_of_week
    assert (int(whole.used.sum()), int(whole.capacity.sum())) == (served, capacity)
    for part in (use.clusters, use.contracts, use.gpu_models):
        used_cells, capacity_cells = weeks(part)
        assert (used_cells == whole.used).all()
        assert (capacity_cells == whole.capacity).all()
    asked = sum(int(row.hours_of_week.used.sum()) for row in use.teams)
    assert asked == project.cube.total
    for part in (use.clusters, use.gpu_models, use.teams):
        assert sum(row.gpu_hours for row in part) == pytest.approx(project.cube.total / GPU_HOUR)
    for row in (*use.clusters, *use.gpu_models, *use.contracts, use.everything):
        assert row.gpu_hours == pytest.approx(row.used_gpu_hours + row.overflow_gpu_hours)
        assert row.mean_gpus == pytest.approx(row.gpu_hours / HOURS)


@pytest.mark.long
@same_world
@given(rows=entries, terms=contracts, pools=st.tuples(*[st.sampled_from(POOLS)] * 5))
def test_clusters_and_contracts_say_what_the_audit_says(world, rows, terms, pools):
    answer = audit(build(world, rows, terms), world.classified(*pools))
    for row, cluster in zip(answer.use.clusters, answer.clusters, strict=True):
        assert (row.name, row.below_40_percent) == (cluster.cluster, cluster.below_40_percent)
        assert (row.utilization, row.cost_per_month) == (cluster.utilization, cluster.cost_per_month)
    for row, contract in zip(answer.use.contracts, answer.contracts, strict=True):
        assert (row.name, row.below_40_percent) == (contract.contract_id, contract.below_40_percent)
        assert row.utilization == contract.utilization
        assert row.break_even_utilization == contract.break_even_utilization
    usd = [row.usd_per_month for row in answer.workloads]
    if None not in usd:
        assert sum(row.cost_per_month for row in answer.use.teams) == pytest.approx(sum(usd))


def test_exactly_forty_percent_is_not_flagged_and_a_thousandth_under_it_is(world):
    rows = [(0, 0, 0, 4 * GPU_HOUR), (1, 0, 0, 4 * GPU_HOUR - 1)]
    workloads = [world.workload("a", "atlas"), world.workload("b", "borealis")]
    held = [world.contract("k", 10, "1.00"), world.contract("m", 10, "1.00", cluster="borealis")]
    use = audit(world.project(1, workloads, rows, held), world.classified(BURST, BURST)).use
    assert [row.below_40_percent for row in use.clusters] == [False, True]
    assert [row.below_40_percent for row in use.contracts] == [False, True]
    assert [row.below_40_percent for row in use.gpu_models] == [True]


def test_a_team_has_a_share_and_mean_gpus_and_no_utilization(world):
    rows = [(0, 0, 0, 6 * GPU_HOUR), (1, 0, 1, 2 * GPU_HOUR)]
    workloads = [world.workload("a"), replace(world.workload("b"), owner="blue", key="other")]
    use = audit(
        world.project(4, workloads, rows, [world.contract("k", 4, "1.00")]), world.classified(BURST, BURST)
    ).use
    blue, team = use.teams
    assert (blue.name, blue.gpu_hours, blue.share, blue.mean_gpus) == ("blue", 2.0, 0.25, 0.5)
    assert (team.name, team.gpu_hours, team.share, team.mean_gpus) == (
        "team",
        6.0,
        0.75,
        1.5,
    )  # 2 of them overflow
    for row in use.teams:
        assert (row.utilization, row.paid_gpu_hours, row.used_gpu_hours) == (None, None, None)
        assert (row.below_40_percent, row.break_even_utilization) == (False, None)
    assert blue.cost_per_month == pytest.approx(2 * 730 / 4)
    assert team.cost_per_month is None  # its overflow has no price


def test_activity_is_weighted_by_gpu_time_and_unknown_where_one_job_has_none(world):
    workloads = [
        world.workload("a", activity=0.9),
        world.workload("b", activity=0.1),
        world.workload("c", "borealis"),
        world.workload("cpu"),
    ]
    rows = [(0, 0, 0, 3 * GPU_HOUR), (1, 1, 0, GPU_HOUR), (2, 1, 0, GPU_HOUR)]
    held = [
        world.contract("h", 3, "1.00"),
        world.contract("a", 1, "1.00", gpu_model="A100"),
        world.contract("b", 1, "1.00", gpu_model="A100", cluster="borealis"),
    ]
    use = audit(world.project(1, workloads, rows, held), world.classified(*[BURST] * 4)).use
    assert {row.name: row.activity for row in use.contracts} == {
        "h": pytest.approx(0.9),
        "a": pytest.approx(0.1),
        "b": None,
    }
    assert {row.name: row.activity for row in use.clusters} == {"atlas": pytest.approx(0.7), "borealis": None}
    assert {row.name: row.activity for row in use.gpu_models} == {"A100": None, "H100": pytest.approx(0.9)}
    assert use.everything.activity is None
    assert use.teams[0].activity is None


def test_demand_of_no_stated_model_stands_with_the_model_that_served_it(world):
    rows = [(0, -1, 0, 5 * GPU_HOUR)]
    project = world.project(1, [world.workload("a", activity=0.5)], rows, [world.contract("k", 4, "1.00")])
    served, lost = audit(project, world.classified(BURST)).use.gpu_models
    assert (served.name, served.used_gpu_hours, served.overflow_gpu_hours) == ("H100", 4.0, 0.0)
    assert served.activity == pytest.approx(0.5)
    use = audit(project, world.classified(BURST)).use
    (contract,) = use.contracts
    assert use.row("contracts", "k") is contract and use.row("clusters", "atlas") is use.clusters[0]
    for view, subject in (("contracts", "atlas"), ("", "atlas")):  # a figure that names no view has no row
        with pytest.raises(StopIteration):
            use.row(view, subject)
    assert (
        use.row("gpu_models", "") is use.gpu_models[1]
        and use.row("gpu_models", use_by.WHOLE) is use.everything
    )
    assert (contract.gpu_hours, contract.overflow_gpu_hours) == (4.0, 0.0)
    assert (lost.name, lost.used_gpu_hours, lost.overflow_gpu_hours, lost.utilization) == (
        None,
        0.0,
        1.0,
        None,
    )


def test_break_even_of_several_contracts_is_what_they_cost_over_what_on_demand_would(world):
    offers = [world.offer("h", "6.88"), world.offer("a", "3.00", gpu_model="A100")]
    held = [world.contract("h", 1, "2.75"), world.contract("a", 3, "1.50", gpu_model="A100")]
    use = audit(world.project(1, [], [], held, offers), ()).use
    assert use.everything.break_even_utilization == pytest.approx((2.75 + 3 * 1.5) / (6.88 + 3 * 3.0))
    assert use.clusters[0].break_even_utilization == use.everything.break_even_utilization
    assert use.gpu_models[1].break_even_utilization == pytest.approx(2.75 / 6.88)
    rented = replace(held[1], pricing_category=PricingCategory.STANDARD)
    use = audit(world.project(1, [], [], [held[0], rented], offers), ()).use
    assert use.clusters[0].break_even_utilization is None
    assert {row.name: row.break_even_utilization for row in use.contracts}["a"] is None


# --- Hours of the week: nothing lost in the folding, weekdays as the calendar has them, blanks where
# unknown

MONDAY = datetime(2026, 6, 29, tzinfo=UTC)

windows = st.builds(Window, st.integers(0, 500_000).map(lambda hour: hour * HOUR_S), st.integers(1, 700))


@given(windows, st.integers(1, 3), st.data())
def test_what_is_folded_is_all_there(window, rows, data):
    by_hour = data.draw(arrays(np.int64, (rows, window.hours), elements=st.integers(0, 10**13)))
    week = fold_hours(by_hour, window)
    assert week.shape == (rows, 7, 24)
    assert week.dtype == np.int64
    assert (week.sum(axis=(1, 2)) == by_hour.sum(axis=1)).all()
    assert hours_in_cells(window).sum() == window.hours


@given(windows, st.data())
def test_an_hour_is_where_the_calendar_has_it(window, data):
    hour = data.draw(st.integers(0, window.hours - 1))
    by_hour = np.zeros(window.hours, dtype=np.int64)
    by_hour[hour] = 5
    at = datetime.fromtimestamp(window.start_s, UTC) + timedelta(hours=hour)
    week = fold_hours(by_hour, window)
    assert week[at.weekday(), at.hour] == 5
    assert np.count_nonzero(week) == 1


def test_half_a_day_leaves_the_rest_of_the_week_unknown():
    window = Window(int(MONDAY.timestamp()), 12)
    used = fold_hours(np.full(12, GPU_HOUR), window)
    week = HoursOfWeek(used, 4 * used, hours_in_cells(window))
    assert (week.utilization[0, :12] == 0.25).all()
    assert np.isnan(week.utilization[0, 12:]).all()
    assert np.isnan(week.utilization[1:]).all()
    assert week.utilization_by_day.tolist()[0] == 0.25
    assert np.isnan(week.utilization_by_day[1:]).all()
    assert np.isnan(week.mean_gpus[0, 12:]).all()
    assert week.mean_gpus_by_day[0] == 1.0


def test_an_idle_hour_is_nought_and_not_unknown():
    one = np.ones((7, 24), dtype=np.int64)
    week = HoursOfWeek(0 * one, one * GPU_HOUR, one)
    assert (week.utilization == 0).all()
    assert (week.mean_gpus == 0).all()


def test_without_capacity_of_its_own_there_is_no_utilization():
    one = np.ones((7, 24), dtype=np.int64)
    week = HoursOfWeek(6 * GPU_HOUR * one, None, 2 * one)
    assert np.isnan(week.utilization).all()
    assert np.isnan(week.utilization_by_day).all()
    assert (week.mean_gpus == 3.0).all()


@pytest.mark.parametrize("entries", [1, 7, 1 << 16])
def test_teams_add_up_to_the_cube_whatever_the_blocks(world, monkeypatch, entries):
    monkeypatch.setattr(row_sums, "ENTRIES_IN_A_BLOCK", entries)
    rows = [(n % 3, n % 2, n * 7 % 200, 1_000_003 * (n + 1)) for n in range(90)]
    workloads = [world.workload(f"w{n}") for n in range(3)]
    workloads[2] = replace(workloads[2], key="k", name="w2", cluster="atlas", owner="")
    project = world.project(200, workloads, rows)
    teams = used_by_team(project)
    assert list(teams) == ["", "team"]
    assert sum(int(week.sum()) for week in teams.values()) == project.cube.total
    assert int(teams[""].sum()) == sum(row[3] for row in rows if row[0] == 2)


def test_no_jobs_no_teams(world):
    assert used_by_team(world.project(5, [], [])) == {}


def test_rates_of_several_contracts_are_means_of_the_gpu_hours_paid(world):
    """1 H100 at $2.75 and 3 A100 at $1.50: (2.75 + 4.50) / 4; on demand (6.88 + 9.00) / 4."""
    offers = [world.offer("h", "6.88"), world.offer("a", "3.00", gpu_model="A100")]
    held = [world.contract("h", 1, "2.75"), world.contract("a", 3, "1.50", gpu_model="A100")]
    use = audit(world.project(1, [], [], held, offers), ()).use
    given = use.everything.inputs
    assert given.committed_rate == pytest.approx(7.25 / 4)
    assert given.on_demand_rate == pytest.approx(15.88 / 4)
    unpriced = [held[0], replace(held[1], rate_usd_per_gpu_hour=None)]
    use = audit(world.project(1, [], [], unpriced, offers), ()).use
    assert use.everything.inputs.committed_rate is None
