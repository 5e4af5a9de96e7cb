"""Shape: each signal on hours that are worked out by hand, and unknown where nothing can be said."""

from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.demand.shape import shape_signals
from gpuplanner.domain.model.log.cube import cube_from_entries
from gpuplanner.domain.model.log.workload import Workload

HOURS = 8 * 168
GPU_HOUR = 3_600_000


def signals(
    hours: np.ndarray, gpus: np.ndarray | float = 1.0, window: int = HOURS, **facts: Any
) -> dict[str, float]:
    amount = np.broadcast_to(np.asarray(gpus) * GPU_HOUR, hours.shape).astype(np.int64)
    zeros = np.zeros(len(hours), dtype=np.int64)
    cube = cube_from_entries(window, ("H100",), zeros, zeros, hours.astype(np.int64), amount)
    known = {"gpu_jobs": 8, "max_milli_gpus": 1000} | facts
    one = Workload("k", "n", "c", "o", milli_gpu_seconds=cube.total, **known)
    return {name: float(values[0]) for name, values in shape_signals([one], cube).items()}


EVERY = np.arange(HOURS)


def test_a_flat_service_is_on_all_the_time_without_a_pause() -> None:
    found = signals(EVERY, 4.0, median_job_s=400 * 3600)
    assert found["duty_cycle"] == 1
    assert found["always_on_flatness"] == pytest.approx(1)
    assert found["always_on_daily_wave"] == pytest.approx(0)
    assert found["always_on_jobs_at_once"] == 4
    assert found["mostly_on_stretch_hours"] == HOURS
    assert np.isnan(found["part_time_flatness"]) and np.isnan(found["part_time_daily_peak"])


def test_a_wave_of_the_day_is_measured_as_it_was_made() -> None:
    found = signals(EVERY, 10 * (1 + 0.3 * np.sin(2 * np.pi * EVERY / 24)))
    assert found["always_on_daily_wave"] == pytest.approx(0.3, abs=1e-6)
    assert found["always_on_flatness"] == pytest.approx(1 / (1 + 0.3**2 / 2), abs=1e-6)


def test_runs_with_pauses_stop_as_often_as_they_end() -> None:
    runs = EVERY[EVERY % 50 < 45]
    found = signals(runs, median_job_s=45 * 3600)
    assert found["duty_cycle"] == pytest.approx(0.9, abs=0.01)
    assert found["mostly_on_stretch_hours"] == pytest.approx(45, abs=1)
    assert np.isnan(signals(runs, median_job_s=3600)["mostly_on_stretch_hours"])


def test_what_runs_at_the_same_hour_each_day_peaks_and_never_rests() -> None:
    nightly = signals(EVERY[EVERY % 24 == 2])
    assert nightly["part_time_daily_peak"] == pytest.approx(1)
    assert nightly["quiet_days"] == pytest.approx(2 / 7)
    spread = signals(EVERY[EVERY % 3 == 0])
    assert spread["part_time_daily_peak"] == pytest.approx(0, abs=1e-9)


def test_working_days_leave_two_quiet_days_wherever_the_week_begins() -> None:
    for first in (0, 50, 130):
        at_work = EVERY[((EVERY - first) % 168 < 120) & (EVERY % 24 >= 9) & (EVERY % 24 < 17)]
        assert signals(at_work)["quiet_days"] == pytest.approx(0)


def test_few_days_and_short_windows_say_nothing_of_rhythm() -> None:
    few = signals(EVERY[(EVERY % 24 == 2) & (EVERY < 240)])
    assert np.isnan(few["part_time_daily_peak"]) and np.isnan(few["quiet_days"])
    day = signals(np.arange(24), window=24)
    assert np.isnan(day["duty_cycle"]) and np.isnan(day["jobs_per_week"])


def test_bunches_of_jobs_are_not_flat() -> None:
    gpus = np.where(EVERY[:400] % 40 == 0, 30.0, 1.0)
    assert signals(EVERY[:400], gpus)["part_time_flatness"] < 0.2
    assert signals(EVERY[:400], 8.0)["part_time_flatness"] == pytest.approx(1)


@pytest.mark.parametrize(("median_job_s", "is_long"), [(3 * 3600 - 1, False), (3 * 3600, True)])
def test_size_and_activity_of_runs_are_not_those_of_short_jobs(median_job_s: int, is_long: bool) -> None:
    found = signals(EVERY[:200], median_job_s=median_job_s, max_nodes=8, max_milli_gpus=64_000, activity=0.9)
    long, short = (
        ("long_run_nodes", "long_run_gpus", "long_run_activity"),
        (
            "short_jobs_per_week",
            "short_jobs_activity",
        ),
    )
    assert [np.isnan(found[name]) for name in long] == [not is_long] * 3
    assert [np.isnan(found[name]) for name in short] == [is_long] * 2
    assert found["largest_job_nodes"] == 8


def test_a_workload_without_hours_or_jobs_has_no_shape() -> None:
    found = signals(np.zeros(0, dtype=np.int64), gpu_jobs=0, max_milli_gpus=0)
    assert all(np.isnan(value) for value in found.values())


def test_runs_are_counted_by_the_week_where_there_are_pauses_between() -> None:
    part_time = EVERY[EVERY % 10 < 5]
    found = signals(part_time, gpu_jobs=400, median_job_s=4 * 3600)
    assert found["long_runs_per_week"] == found["jobs_per_week"] == 50
    assert np.isnan(signals(part_time, gpu_jobs=400, median_job_s=3600)["long_runs_per_week"])
    assert np.isnan(signals(EVERY, gpu_jobs=400, median_job_s=4 * 3600)["long_runs_per_week"])
    wide = signals(part_time, gpu_jobs=400, median_job_s=4 * 3600, max_nodes=2)
    assert np.isnan(wide["long_runs_per_week"])


@pytest.mark.parametrize(("median_job_h", "is_a_workday"), [(7, False), (8, True), (15, True), (16, False)])
def test_jobs_of_a_working_day_last_as_long_and_follow_the_day(median_job_h: int, is_a_workday: bool) -> None:
    all_days = EVERY[(EVERY % 24 >= 8) & (EVERY % 24 < 18)]
    by_day = all_days[all_days // 24 % 7 < 5]
    facts = {"gpu_jobs": 800, "median_job_s": median_job_h * 3600}
    assert (signals(by_day, **facts)["workday_jobs_per_week"] == 100) == is_a_workday
    assert np.isnan(signals(by_day, **facts)["long_runs_per_week"]) == is_a_workday
    assert np.isnan(signals(all_days, **facts)["workday_jobs_per_week"])
    assert np.isnan(signals(EVERY[EVERY % 24 == 2], **facts)["workday_jobs_per_week"])
