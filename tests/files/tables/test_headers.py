import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.tables.headers import (
    DELIMITERS,
    bare,
    best_header,
    check_columns,
    has_columns,
    header_columns,
)

NAMES = st.lists(
    st.text("abcxyz_ ", min_size=1).map(str.strip).filter(bool), min_size=2, max_size=6, unique=True
)


def line(names: list[str], delimiter: str) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerow(names)
    return text.getvalue()


@given(NAMES, st.sampled_from(DELIMITERS), st.sampled_from(("", "\n", "  \n\n")))
def test_the_first_line_with_anything_is_the_header_whatever_parts_it(
    names: list[str], delimiter: str, above: str
) -> None:
    head = above + line([name.upper() for name in names], delimiter) + "1\n"
    assert header_columns(head) == (delimiter, tuple(names))
    assert best_header(head, names) == (delimiter, tuple(name.upper() for name in names))
    assert has_columns(head, *names) and not has_columns(head, *names, "another")


def test_wanted_headings_tell_the_delimiter_where_more_of_another_sign_are_in_the_line() -> None:
    head = "id;a, b, c, d;gpus\n"
    assert header_columns(head)[0] == ","
    assert best_header(head, ("ID", "gpus"), bare) == (";", ("id", "a, b, c, d", "gpus"))


def test_all_columns_that_are_not_there_are_named() -> None:
    check_columns("jobs.csv", ("Start", "END"), ("start", "end"), worded("add it"))
    with pytest.raises(PlannerError) as raised:
        check_columns("jobs.csv", ("start",), ("gpus", "start", "end"), worded("add it"))
    assert str(raised.value) == "jobs.csv:1: missing_column: there is no column gpus, end; add it"
