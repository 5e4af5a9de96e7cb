"""The forms of traces: their rows arrive at their figure, however many rows there are and whatever is unknown."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.evidence.trace import MOST_ROWS, Amount, TraceRow, over, plus, product, read, summed
from tests.arrived import arrived

amounts = st.integers(-(10**6), 10**6)


@given(st.lists(amounts, max_size=3 * MOST_ROWS))
def test_a_sum_of_many_rows_keeps_its_total_and_lists_the_largest(values: list[int]) -> None:
    rows = [TraceRow(str(at), (value,)) for at, value in enumerate(values)]
    trace = summed("Sum", sum(values), "usd", "words", rows)
    assert arrived(trace) == sum(values)
    assert len(trace.rows) <= MOST_ROWS + 1
    if len(values) > MOST_ROWS:
        assert trace.rows[-1].name == f"{len(values) - MOST_ROWS:,} others"
        listed = [abs(row.values[0]) for row in trace.rows[:-1]]  # type: ignore[arg-type]
        assert min(listed) >= sorted((abs(value) for value in values), reverse=True)[MOST_ROWS]


def test_one_unknown_row_makes_the_sum_unknown_also_among_the_others() -> None:
    rows = [TraceRow(str(at), (None if at == 7 else 1,)) for at in range(MOST_ROWS + 40)]
    assert arrived(summed("Sum", None, "usd", "words", rows)) is None


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_one_over_another_and_a_product(top: int, bottom: int) -> None:
    trace = over("Share", top / bottom, "share", "words", ("top", top, "usd"), ("bottom", bottom, "usd"))
    assert arrived(trace) == trace.value
    made = product("Cost", top * bottom, "usd", "words", (("a", top, "gpus"), ("b", bottom, "rate")))
    assert arrived(made) == made.value
    assert arrived(product("Cost", None, "usd", "words", (("a", top, "gpus"), ("b", None, "rate")))) is None


def test_nothing_is_divided_by_nothing() -> None:
    assert arrived(over("", None, "share", "", ("a", 1, "usd"), ("b", 0, "usd"))) is None


@pytest.mark.parametrize("value", [3, 0, None])
def test_an_input_is_itself(value: int | None) -> None:
    assert arrived(read("Jobs", value, "count", "the log")) == value


def test_a_sum_of_up_to_two_hundred_rows_lists_all_of_them() -> None:
    for count, others in ((MOST_ROWS - 1, False), (MOST_ROWS, False), (MOST_ROWS + 1, True)):
        rows = [TraceRow(str(at), (1.0,)) for at in range(count)]
        trace = summed("Sum", float(count), "usd", "words", rows)
        assert len(trace.rows) == count
        assert ("other" in str(trace.rows[-1].name)) is others


def test_words_and_what_is_unknown_are_the_smallest_rows_of_a_sum() -> None:
    values: Sequence[Any] = ["words", *[0.5] * MOST_ROWS, "more words"]
    trace = summed("Sum", None, "usd", "words", [TraceRow(str(at), (of,)) for at, of in enumerate(values)])
    assert all(row.values == (0.5,) for row in trace.rows[:MOST_ROWS])
    assert trace.rows[-1].values == (0.0,)


@pytest.mark.parametrize(("count", "is_written"), [(0, False), (1, True), (4, True), (5, False)])
def test_up_to_four_parts_are_written_out(count: int, is_written: bool) -> None:
    total = Amount(float(count), "usd")
    symbols = plus([1.0] * count, total)
    assert symbols[-1] is total
    assert (sum(isinstance(part, Amount) for part in symbols) == count + 1) is is_written or count == 0
    assert len(symbols) == (2 * count + 1 if is_written else 2)
