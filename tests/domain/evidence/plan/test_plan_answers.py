"""Answers about a plan are shown as their figure is written."""

import pytest

from gpuplanner.domain.evidence.plan.plan_answers import MOST_USD, as_written
from gpuplanner.domain.evidence.trace import read


@pytest.mark.parametrize(
    ("value", "written", "shown", "has_note"),
    [
        (100.4, 100, 100, False),
        (100.4, 101, 101, True),
        (100.0, 103, 103, True),
        (100.0, 104, 100.0, False),
        (103.0, 100, 100, True),
        (100.4, None, 100.4, False),
        (None, 100, None, False),
    ],
)
def test_a_figure_is_shown_as_it_is_written_unless_it_is_of_another_moment(
    value: float | None, written: int | None, shown: float | None, has_note: bool
) -> None:
    assert MOST_USD == 3
    trace = as_written(read("Sum", value, "usd", "source"), written)
    assert (trace.value, bool(str(trace.note))) == (shown, has_note)
    assert trace.symbols[0].value == shown  # type: ignore[union-attr]
