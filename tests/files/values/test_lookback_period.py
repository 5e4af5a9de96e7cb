"""Which past is looked at."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.values.lookback_period import LogSpan, WindowRequest, choose_window

HOUR_S, DAY_S = 3600, 86_400


def _s(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def _span(first: str, last_start: str, last_end: str | None, last_finished: str | None) -> LogSpan:
    return LogSpan(
        _s(first), _s(last_start), *(None if t is None else _s(t) for t in (last_end, last_finished))
    )


LONG = _span("2026-01-01T10:30:00", "2026-06-30T10:00:00", "2026-06-30T12:30:00", "2026-06-30T11:30:00")
SHORT = _span("2026-06-01T10:30:00", "2026-06-02T00:00:00", "2026-06-02T00:00:00", "2026-06-02T00:00:00")
RUNNING = _span("2026-06-01T10:30:00", "2026-06-02T00:00:00", None, None)

CASES = [
    # the last 90 days, ended by the last job that is not running
    (LONG, WindowRequest(), "2026-04-01T12:00:00", "2026-06-30T12:00:00"),
    (LONG, WindowRequest(whole_log=True), "2026-01-01T10:00:00", "2026-06-30T13:00:00"),
    (LONG, WindowRequest(days=7), "2026-06-23T12:00:00", "2026-06-30T12:00:00"),
    (LONG, WindowRequest(start_s=_s("2025-01-01")), "2025-01-01T00:00:00", "2026-06-30T12:00:00"),
    (LONG, WindowRequest(end_s=_s("2026-02-01")), "2026-01-01T10:00:00", "2026-02-01T00:00:00"),
    (
        LONG,
        WindowRequest(end_s=_s("2026-02-01"), whole_log=True),
        "2026-01-01T10:00:00",
        "2026-02-01T00:00:00",
    ),
    # never before the first job
    (SHORT, WindowRequest(), "2026-06-01T10:00:00", "2026-06-02T00:00:00"),
    (SHORT, WindowRequest(days=30), "2026-06-01T10:00:00", "2026-06-02T00:00:00"),
    # no job is in it: an idle cluster
    (SHORT, WindowRequest(end_s=_s("2026-05-01"), days=1), "2026-04-30T00:00:00", "2026-05-01T00:00:00"),
    # nothing but running jobs
    (RUNNING, WindowRequest(), "2026-06-01T10:00:00", "2026-06-02T00:00:00"),
    (RUNNING, WindowRequest(whole_log=True), "2026-06-01T10:00:00", "2026-06-02T00:00:00"),
]


@pytest.mark.parametrize(("span", "request_", "start", "end"), CASES)
def test_the_rule_of_the_window(span: LogSpan, request_: WindowRequest, start: str, end: str) -> None:
    window = choose_window(request_, span)
    assert window is not None
    assert (window.start_s, window.end_s) == (_s(start), _s(end))


NONE = LogSpan(None, None, None, None)


def test_without_jobs_only_bounds_make_a_window() -> None:
    assert choose_window(WindowRequest(whole_log=True), NONE) is None
    assert choose_window(WindowRequest(start_s=0), NONE) is None
    window = choose_window(WindowRequest(start_s=0, end_s=7200), NONE)
    assert window is not None
    assert window.hours == 2


@pytest.mark.parametrize(
    "request_",
    [
        WindowRequest(start_s=1800, end_s=7200),
        WindowRequest(start_s=7200, end_s=7200),
        WindowRequest(start_s=_s("2027-01-01")),
        WindowRequest(days=0),
        WindowRequest(start_s=_s("1066-10-14")),
        WindowRequest(end_s=_s("0001-01-02")),
        WindowRequest(start_s=_s("9998-01-01"), end_s=_s("9998-02-01")),
        WindowRequest(start_s=_s("1925-01-01")),
    ],
)
def test_bounds_that_leave_no_time_are_usage_errors(request_: WindowRequest) -> None:
    with pytest.raises(PlannerError) as caught:
        choose_window(request_, LONG)
    assert caught.value.code == "usage"


@given(st.integers(0, 10**9), st.integers(0, 10**7), st.integers(0, 10**7), st.booleans())
def test_a_window_is_whole_hours_and_holds_the_end_of_the_log(
    first_s: int, later_s: int, lasts_s: int, whole_log: bool
) -> None:
    span = LogSpan(first_s, first_s + later_s, first_s + later_s + lasts_s, first_s + later_s + lasts_s)
    window = choose_window(WindowRequest(whole_log=whole_log), span)
    assert window is not None
    assert window.start_s % HOUR_S == 0
    assert window.end_s - HOUR_S < max(first_s + later_s + lasts_s, window.start_s + HOUR_S) <= window.end_s
    assert window.start_s > first_s - HOUR_S
    assert whole_log is False or window.start_s <= first_s
    assert whole_log or window.hours <= 2160
