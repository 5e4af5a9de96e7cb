"""The line above a track: what is written in it adds up."""

import pytest

from gpuplanner.domain.figures.changes import TRACK_QUARTER
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.reports.changes import QUARTERS, headline
from gpuplanner.domain.reports.report import Medium
from gpuplanner.domain.track.track import Track, TrackQuarter


def said(planned, actual):
    return str(
        headline(
            Track(
                plan="Plan A",
                window=Window(0, 86_400),
                planned=planned,
                actual=actual,
                rows=(),
                advice_now=None,
                hindsight=None,
                contracts=(),
                quarters=(),
            )
        )
    )


@pytest.mark.parametrize(
    ("planned", "actual", "line"),
    [
        (315_130.4, 382_761.6, "$315,130 planned, $382,762 actual, $67,632 more"),
        (382_761.6, 315_130.4, "$382,762 planned, $315,130 actual, $67,632 less"),
        (100.2, 99.8, ": $100, as planned"),
    ],
)
def test_what_is_written_adds_up(planned, actual, line):
    assert said(planned, actual).endswith(line)


HOUR_S, OCTOBER_S, JANUARY_S = 3600, 1_790_812_800, 1_798_761_600  # 2026-10-01, 2027-01-01


def test_a_quarter_is_called_by_its_number_and_a_part_of_it_by_its_days() -> None:
    figures = dict.fromkeys([figure.key for figure in TRACK_QUARTER.figures], 1.0)
    whole = TrackQuarter(OCTOBER_S, JANUARY_S, figures)
    part = TrackQuarter(JANUARY_S, JANUARY_S + 48 * HOUR_S, figures)
    found = Track(
        plan="Plan A",
        window=Window(OCTOBER_S, 2256),
        planned=2.0,
        actual=2.0,
        rows=(),
        advice_now=None,
        hindsight=None,
        contracts=(),
        quarters=(whole, part),
    )
    name = QUARTERS.column("quarter")
    assert [str(name.of(row)) for row in QUARTERS.rows_in(Medium.WINDOW, found)] == [
        "Q4 2026",
        "Q1 2027, 1 Jan 2027 to 2 Jan 2027",
    ]
