"""Months of the calendar follow each other, and cut a log."""

from gpuplanner.domain.model.calendar_months import month_bounds, month_of, month_windows
from gpuplanner.domain.model.window import Window, instant_s


def test_months_of_the_calendar_follow_each_other() -> None:
    december, january = month_bounds("2025-12"), month_bounds("2026-01")
    assert december[1] == january[0] == 1_767_225_600
    assert december[1] - december[0] == 31 * 86_400
    assert (month_of(1_767_225_599), month_of(1_767_225_600)) == ("2025-12", "2026-01")


def test_a_log_is_cut_at_the_ends_of_months() -> None:
    """From two hours before October on: October has 744 h, and November begins then."""
    start_s = instant_s("2026-09-30T22:00")

    def hours(of: Window) -> list[int]:
        return [part.hours for part in month_windows(of)]

    assert [hours(Window(start_s, many)) for many in (1, 2, 3, 746, 750)] == [
        [1], [2], [2, 1], [2, 744], [2, 744, 4],
    ]  # fmt: skip
    parts = list(month_windows(Window(start_s, 750, "Europe/Berlin")))
    assert [part.start_s for part in parts[1:]] == [part.end_s for part in parts[:-1]]
    assert {part.timezone for part in parts} == {"Europe/Berlin"}
    assert hours(Window(0, 750)) == []
