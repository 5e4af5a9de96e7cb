"""Hours of the week: nothing lost in the folding, weekdays as the calendar has them, blanks where unknown."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gpuplanner.domain.audit.use import row_sums
from gpuplanner.domain.audit.use.hours_of_week import HoursOfWeek, fold_hours, hours_in_cells, used_by_team
from gpuplanner.domain.model.window import HOUR_S, Window

GPU_HOUR = 3_600_000
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
    workloads[2] = type(workloads[2])("k", "w2", "atlas", "")
    project = world.project(200, workloads, rows)
    teams = used_by_team(project)
    assert list(teams) == ["", "team"]
    assert sum(int(week.sum()) for week in teams.values()) == project.cube.total
    assert int(teams[""].sum()) == sum(row[3] for row in rows if row[0] == 2)


def test_no_jobs_no_teams(world):
    assert used_by_team(world.project(5, [], [])) == {}
