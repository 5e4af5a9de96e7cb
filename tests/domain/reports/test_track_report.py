"""The line above a track: what is written in it adds up."""

import pytest

from gpuplanner.domain.model.window import Window
from gpuplanner.domain.reports.track import headline
from gpuplanner.domain.track.track import Track


def said(planned, actual):
    return str(headline(Track("Plan A", Window(0, 86_400), planned, actual, (), None, None, ())))


@pytest.mark.parametrize(
    ("planned", "actual", "line"),
    [
        (315_130.4, 382_761.6, "$315,130 planned, $382,762 came, $67,632 more"),
        (382_761.6, 315_130.4, "$382,762 planned, $315,130 came, $67,632 less"),
        (100.2, 99.8, "$100 planned, and that is what came"),
    ],
)
def test_what_is_written_adds_up(planned, actual, line):
    assert said(planned, actual).endswith(line)
