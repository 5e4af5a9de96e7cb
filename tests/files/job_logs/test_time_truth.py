"""Time: whatever clock a log was written by, a job has the length that it really had."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.job_logs.row_ends import HOUR, Read, counts
from tests.some_of import examples, one_in, some_of

Csv = Callable[..., str]


def _s(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def _codes(file: FileIntake) -> dict[str, int]:
    return {issue.code: issue.count for issue in file.issues if issue.code != "unknown_gpu_model"}


NAIVE = {"naive_time_assumed_utc": 1}
AMBIGUOUS, NONEXISTENT = {"ambiguous_local_time": 1}, {"nonexistent_local_time": 1}
LENGTHS = [
    # start, end, --timezone, hours, issues
    # zones of all kinds
    ("2026-01-05T10:00:00Z", "2026-01-05T12:00:00Z", None, 2, {}),
    ("2026-01-05T10:00:00+01:00", "2026-01-05T10:00:00Z", None, 1, {}),
    ("2026-01-05T10:00:00+05:30", "2026-01-05T10:00:00+05:45", None, -0.25, None),
    ("2026-01-05T10:00:00+05:45", "2026-01-05T10:00:00+05:30", None, 0.25, {}),  # Nepal to India
    ("2026-01-05T10:00:00-0330", "2026-01-05T14:00:00Z", None, 0.5, {}),  # Newfoundland
    ("2026-01-05 10:00:00 Europe/Oslo", "2026-01-05 10:00:00 UTC", None, 1, {}),
    ("2026-01-05T10:00:00[Asia/Kolkata]", "2026-01-05T05:30:00Z", None, 1, {}),
    ("2026-01-05T10:00:00.999Z", "2026-01-05T11:00:00.001Z", None, 1, {}),  # fractions are cut off
    # naive
    ("2026-01-05T10:00:00", "2026-01-05T11:30:00", None, 1.5, NAIVE),
    ("2026-01-05T10:00:00", "2026-01-05T11:30:00", "Europe/Oslo", 1.5, {}),
    ("2026-01-05T10:00:00", "2026-01-05T11:00:00Z", "Europe/Oslo", 2, {"mixed_timezones": 1}),
    ("2026-01-05T10:00:00", "2026-01-05T05:30:00Z", "Asia/Kolkata", 1, {"mixed_timezones": 1}),
    # spring: 02:00 becomes 03:00 on 29 March in Oslo, 8 March in New York
    ("2026-03-29T01:30:00", "2026-03-29T03:30:00", "Europe/Oslo", 1, {}),
    ("2026-03-28T12:00:00", "2026-03-29T12:00:00", "Europe/Oslo", 23, {}),
    ("2026-03-08T01:30:00", "2026-03-08T03:30:00", "America/New_York", 1, {}),
    ("2026-03-29T02:30:00", "2026-03-29T04:00:00", "Europe/Oslo", 0.5, NONEXISTENT),
    ("2026-03-29T01:00:00", "2026-03-29T02:30:00", "Europe/Oslo", 1.5, NONEXISTENT),
    ("2026-03-29T02:10:00", "2026-03-29T02:50:00", "Europe/Oslo", 40 / 60, NONEXISTENT),
    # autumn: 03:00 becomes 02:00 on 25 October in Oslo
    ("2026-10-25T01:30:00", "2026-10-25T03:30:00", "Europe/Oslo", 3, {}),
    ("2026-10-24T12:00:00", "2026-10-25T12:00:00", "Europe/Oslo", 25, {}),
    ("2026-10-25T02:30:00", "2026-10-25T03:30:00", "Europe/Oslo", 2, AMBIGUOUS),  # the earlier 02:30
    ("2026-10-25T01:30:00", "2026-10-25T02:30:00", "Europe/Oslo", 1, AMBIGUOUS),
    ("2026-10-25T02:15:00", "2026-10-25T02:45:00", "Europe/Oslo", 0.5, AMBIGUOUS),
    ("2026-10-25T02:45:00", "2026-10-25T02:15:00", "Europe/Oslo", 0.5, AMBIGUOUS),  # over the change
    ("2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00", None, 1, {}),
    ("2026-03-29T02:30:00", "2026-03-29T03:30:00", "Europe/Oslo", 0, NONEXISTENT | {"zero_length": 1}),
    ("2026-10-25T00:45:00Z", "2026-10-25T02:30:00", "Europe/Oslo", 0.75, AMBIGUOUS | {"mixed_timezones": 1}),
    ("2026-10-25T01:30:00[Europe/Oslo]", "2026-10-25 03:30:00 Europe/Oslo", None, 3, {}),
    # both changes of a year, and half an hour of daylight saving (Lord Howe)
    ("2026-03-01T00:00:00", "2026-11-01T00:00:00", "Europe/Oslo", 245 * 24, {}),
    ("2026-04-05T01:00:00", "2026-04-05T03:00:00", "Australia/Lord_Howe", 2.5, {}),
    ("2026-10-04T01:30:00", "2026-10-04T03:00:00", "Australia/Lord_Howe", 1, {}),
    ("2026-04-05T01:40:00", "2026-04-05T03:00:00", "Australia/Lord_Howe", 80 / 60 + 0.5, AMBIGUOUS),
    ("2026-10-04T02:15:00", "2026-10-04T03:00:00", "Australia/Lord_Howe", 0.25, NONEXISTENT),
    # a day that never was: Samoa went from 29 to 31 December 2011
    ("2011-12-29T12:00:00", "2011-12-31T12:00:00", "Pacific/Apia", 24, {}),
    # leap days, leap years, the last second of a year
    ("2028-02-28T12:00:00Z", "2028-03-01T12:00:00Z", None, 48, {}),
    ("2026-02-28T12:00:00Z", "2026-03-01T12:00:00Z", None, 24, {}),
    ("2026-12-31T23:59:59Z", "2027-01-01T00:59:59Z", None, 1, {}),
]


@pytest.mark.parametrize(("start", "end", "timezone", "hours", "codes"), one_in(16, LENGTHS))
def test_a_job_has_the_length_that_it_had(
    read_log: Read, job_csv: Csv, start: str, end: str, timezone: str | None, hours: float, codes: Any
) -> None:
    found = read_log(job_csv((1, 1, start, end, "COMPLETED")), timezone=timezone)
    (file,) = found.intake
    if codes is None:
        assert _codes(file) == counts(end_before_start=1)
        return
    assert _codes(file) == codes
    assert found.jobs.milli_gpu_seconds == pytest.approx(hours * HOUR, abs=1)
    assert found.cube.total == found.jobs.milli_gpu_seconds


@pytest.mark.long
def test_a_leap_second_is_no_time_that_is_guessed(read_log: Read, job_csv: Csv) -> None:
    """POSIX clocks, and so logs, do not show it; a text that does is said row by row, whatever its second counts."""
    found = read_log(job_csv((1, 1, "2016-12-31T23:00:00Z", "2016-12-31T23:59:60Z", "COMPLETED")))
    (file,) = found.intake
    assert (file.rows_accepted, _codes(file)) == (0, {"bad_time": 1})
    across = read_log(job_csv((1, 1, "2016-12-31T23:59:00Z", "2017-01-01T00:01:00Z", "COMPLETED")))
    assert across.jobs.milli_gpu_seconds == 120_000


@pytest.mark.long
def test_a_running_job_lasts_to_the_end_of_the_window(read_log: Read, job_csv: Csv) -> None:
    text = job_csv(
        (1, 1, "2026-01-05T10:00:00Z", "2026-01-05T12:00:00Z", "COMPLETED"),
        (2, 2, "2026-01-05T11:15:00Z", "", "RUNNING"),
        (3, 4, "2026-01-05T11:30:00Z", "2026-01-05T11:45:00Z", "RUNNING"),  # a stated end wins
    )
    window = WindowRequest(start_s=_s("2026-01-05T11:00:00"), end_s=_s("2026-01-05T14:00:00"))
    found = read_log(text, window=window)
    assert found.jobs.milli_gpu_seconds == (1 * 3600 + 2 * 2.75 * 3600 + 4 * 900) * 1000
    assert _codes(found.intake[0]) == {"running": 1, "clipped": 1}


def test_pending_jobs_take_no_time(read_log: Read, job_csv: Csv) -> None:
    text = job_csv(
        (1, 8, "2026-01-05T10:00:00Z", "2026-01-05T12:00:00Z", "PENDING"),
        (2, 8, "", "", "PENDING"),
        (3, 1, "2026-01-05T10:00:00Z", "2026-01-05T11:00:00Z", "COMPLETED"),
    )
    found = read_log(text)
    assert found.jobs.milli_gpu_seconds == HOUR
    assert (found.intake[0].rows_ignored, _codes(found.intake[0])) == (2, {"pending": 2})


SACCT = """JobID|JobName|User|Account|State|Start|End|ElapsedRaw|AllocTRES
{rows}"""


def _sacct(*rows: str) -> str:
    return SACCT.format(rows="\n".join(rows)) + "\n"


def test_tasks_of_an_array_and_their_steps(read_log: Read) -> None:
    """Each task is a job; its steps repeat its allocation; what has not begun is one pending row."""
    times = "COMPLETED|2026-10-25T01:30:00|2026-10-25T03:30:00|10800|gres/gpu=1"
    text = _sacct(
        f"7_1|a|u|acc|{times}",
        f"7_1.batch|batch||acc|{times}",
        f"7_2|a|u|acc|{times}",
        f"7_2.extern|extern||acc|{times}",
        "7_[3-99]|a|u|acc|PENDING|Unknown|Unknown|0|",
    )
    found = read_log(text, timezone="Europe/Oslo")
    assert (found.jobs.count, found.jobs.milli_gpu_seconds) == (2, 2 * 3 * HOUR)
    assert found.intake[0].rows_ignored == 3
    assert len(found.workloads) == 1


def test_a_running_job_of_sacct_ends_with_its_elapsed_time(read_log: Read) -> None:
    text = _sacct("7|a|u|acc|RUNNING|2026-03-29T01:30:00|Unknown|5400|gres/gpu=2")
    found = read_log(text, timezone="Europe/Oslo")
    assert found.jobs.milli_gpu_seconds == 2 * 5400 * 1000
    assert found.jobs.last_end_s == _s("2026-03-29T02:00:00")


@pytest.mark.parametrize(
    ("start", "end", "milli_gpu_seconds", "clipped"),
    some_of(
        [
            ("2026-10-25T00:00:00", "2026-10-25T01:00:00", HOUR, 1),  # the first 02:xx
            ("2026-10-25T01:00:00", "2026-10-25T02:00:00", HOUR, 1),  # the second
            ("2026-10-24T00:00:00", "2026-10-26T00:00:00", 4 * HOUR, 0),
            ("2026-10-25T06:00:00", "2026-10-26T00:00:00", 0, 0),
        ],
        quick=1,
    ),
)
def test_a_window_cuts_a_job_at_true_hours(
    read_log: Read, job_csv: Csv, start: str, end: str, milli_gpu_seconds: int, clipped: int
) -> None:
    text = job_csv((1, 1, "2026-10-25T01:30:00", "2026-10-25T04:30:00", "COMPLETED"))
    window = WindowRequest(start_s=_s(start), end_s=_s(end))
    found = read_log(text, window=window, timezone="Europe/Oslo")
    assert (found.jobs.milli_gpu_seconds, found.jobs.clipped) == (milli_gpu_seconds, clipped)


@settings(max_examples=examples(2), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    zone=st.sampled_from(("Europe/Oslo", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC")),
    start_s=st.integers(_s("2020-01-01T00:00:00"), _s("2030-01-01T00:00:00")),
    length_s=st.integers(1, 10 * 86_400),
)
def test_local_times_of_any_zone_give_the_length_back_where_they_are_not_ambiguous(
    read_log: Read, job_csv: Csv, zone: str, start_s: int, length_s: int
) -> None:
    """Law: written by the clock on the wall and read in its zone, a job is as long as it was."""
    at, until = (datetime.fromtimestamp(s, ZoneInfo(zone)) for s in (start_s, start_s + length_s))
    is_twice = any(
        moment.replace(fold=1 - moment.fold).utcoffset() != moment.utcoffset() for moment in (at, until)
    )
    text = job_csv((1, 1, f"{at:%Y-%m-%d %H:%M:%S}", f"{until:%Y-%m-%dT%H:%M:%S}", "COMPLETED"))
    found = read_log(text, timezone=zone)
    assert ("ambiguous_local_time" in _codes(found.intake[0])) == is_twice
    if not is_twice:
        assert (found.jobs.first_start_s, found.jobs.milli_gpu_seconds) == (start_s, length_s * 1000)
