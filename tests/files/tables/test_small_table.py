"""The count of rows: every row ends in one way, issues name the first rows, and what is kept is bounded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.sources.source import survey
from gpuplanner.files.tables.small_table import (
    REJECTED_ROWS_KEPT,
    WORDS_KEPT,
    RowEnds,
    RowError,
    RowLeftOutError,
)

NO_NUMBER = RowError("bad_number", worded("gpus is x"))
OUR_OWN = RowError("bad_number", worded("the line is none"), worded("leave it out"))


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a\n", encoding="utf-8")
    return survey(str(path))


ENDS = st.lists(st.sampled_from(("accepted", "rejected", "duplicate", "ignored")), max_size=30)


@given(ENDS)
def test_every_row_ends_in_one_way(ends):
    count = RowEnds()
    for line, end in enumerate(ends, 1):
        count.read += 1
        if end == "rejected":
            count.reject(line, NO_NUMBER, "x")
        elif end == "duplicate":
            count.duplicates += 1
        elif end == "ignored":
            count.ignore(line, RowLeftOutError("left_out"))
    found = (count.accepted, count.rejected, count.duplicates, count.ignored)
    assert found == tuple(ends.count(end) for end in ("accepted", "rejected", "duplicate", "ignored"))


def test_a_code_is_said_once_with_its_first_rows_and_what_to_do(source):
    ends = RowEnds(read=9)
    for line in (4, 2, 7):
        ends.reject(line, NO_NUMBER, "x")
    ends.reject(8, PlannerError("", "no_such_code", worded("a cell is empty"), worded("")), "y")
    for line in range(1, WORDS_KEPT + 5):
        ends.note("computed", line, worded("row {line}", line=line))
    file = ends.intake(source, "users", "own_users")
    said = {issue.code: (issue.count, issue.first_row, str(issue.message)) for issue in file.issues}
    assert said["bad_number"][:2] == (3, 4) and said["bad_number"][2].endswith("write it as 8 or 0.5")
    assert said["computed"][2].count("row ") == WORDS_KEPT
    assert str(file.rejected[0].message) == "gpus is x; write it as 8 or 0.5"
    assert said["no_such_code"][2].endswith("fill it in")


def test_a_remedy_of_its_own_stands_in_place_of_that_of_the_code(source):
    ends = RowEnds(read=1)
    ends.reject(1, OUR_OWN, "x")
    file = ends.intake(source, "activity", "dcgm")
    assert {str(one.message) for one in (*file.issues, *file.rejected)} == {"the line is none; leave it out"}


def test_words_and_remedies_that_are_alike_stand_once(source):
    ends = RowEnds(read=4)
    for line, what in enumerate(("the line is none", "the line is half", "the line is none"), 1):
        ends.reject(line, RowError("bad_number", worded(what), worded("leave it out")), "x")
    ends.note("computed", 4, worded("a row is a sum"))
    bad, computed = ends.intake(source, "activity", "dcgm").issues
    assert str(bad.message).count("leave it out") == 1
    assert [str(bad.message).count(one) for one in ("line is none", "line is half")] == [1, 1]
    assert str(computed.message) == (
        "a figure that is not in the file was worked out from others: a row is a sum; check the arithmetic"
    )


def test_rows_beyond_those_that_are_kept_count_all_the_same(source):
    ends = RowEnds(read=2 * REJECTED_ROWS_KEPT + 500)
    for line in range(REJECTED_ROWS_KEPT + 10):
        ends.reject(line, NO_NUMBER, "x")
    ends.reject(5000, NO_NUMBER, "", 400)
    ends.reject(6000, RowError("bad_time", worded("no time")), "z")
    file = ends.intake(source, "traffic", "")
    assert file.rows_rejected == REJECTED_ROWS_KEPT + 411
    assert len(file.rejected) == REJECTED_ROWS_KEPT + 1  # of each code
