"""The count of rows: every row ends in one way, issues name the first rows, and what is kept is bounded."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.lists.class_rules import RULES
from gpuplanner.files.lists.place_tables import PLACE_KINDS, USERS
from gpuplanner.files.lists.planned_work import PLANNED
from gpuplanner.files.lists.same_names import SAME
from gpuplanner.files.lists.traffic_tables import WEEK
from gpuplanner.files.sources.issue_texts import issue_message
from gpuplanner.files.sources.source import survey
from gpuplanner.files.tables.small_table import (
    REJECTED_ROWS_KEPT,
    WORDS_KEPT,
    RowEnds,
    RowError,
    RowLeftOutError,
    TableKind,
)
from tests.some_of import examples

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
    remedy = str(issue_message("bad_number")).rpartition("; ")[2]
    assert said["bad_number"][:2] == (3, 4) and said["bad_number"][2].endswith(remedy)
    assert said["computed"][2].count("row ") == WORDS_KEPT
    assert str(file.rejected[0].message) == f"gpus is x; {remedy}"
    assert said["no_such_code"][2].endswith("fill it in")


def test_a_remedy_of_its_own_stands_in_place_of_that_of_the_code(source):
    ends = RowEnds(read=1)
    ends.reject(1, OUR_OWN, "x")
    file = ends.intake(source, "activity", "dcgm")
    assert {str(one.message) for one in (*file.issues, *file.rejected)} == {
        f"{OUR_OWN.what}; {OUR_OWN.remedy}"
    }


def test_words_and_remedies_that_are_alike_stand_once(source):
    ends = RowEnds(read=4)
    for line, what in enumerate(("the line is none", "the line is half", "the line is none"), 1):
        ends.reject(line, RowError("bad_number", worded(what), worded("leave it out")), "x")
    ends.note("computed", 4, worded("a row is a sum"))
    bad, computed = ends.intake(source, "activity", "dcgm").issues
    assert str(bad.message).count("leave it out") == 1
    assert [str(bad.message).count(one) for one in ("line is none", "line is half")] == [1, 1]
    what, _, remedy = str(issue_message("computed")).partition("; ")
    assert str(computed.message) == f"{what}: a row is a sum; {remedy}"


def test_rows_beyond_those_that_are_kept_count_all_the_same(source):
    ends = RowEnds(read=2 * REJECTED_ROWS_KEPT + 500)
    for line in range(REJECTED_ROWS_KEPT + 10):
        ends.reject(line, NO_NUMBER, "x")
    ends.reject(5000, NO_NUMBER, "", 400)
    ends.reject(6000, RowError("bad_time", worded("no time")), "z")
    file = ends.intake(source, "traffic", "")
    assert file.rows_rejected == REJECTED_ROWS_KEPT + 411
    assert len(file.rejected) == REJECTED_ROWS_KEPT + 1  # of each code


KINDS: tuple[TableKind[Any], ...] = (PLANNED, RULES, SAME, WEEK, *PLACE_KINDS)
CELLS = st.sampled_from(
    ("", " ", "8", "0.5", "-1", "x", "training", "cluster", "name", "2026-07-01", "NO", "NO;SE", "=1", "1e9")
)


def put(folder: Path, rows: list[list[str]], name: str = "table.csv") -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    (folder / name).write_text(text.getvalue(), encoding="utf-8")
    return str(folder / name)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_its_documented_columns_are_surely_one_and_none_that_is_needed_may_lack(
    tmp_path: Path, kind: TableKind[Any]
) -> None:
    assert kind.sniff(",".join(kind.columns) + "\n") == kind.sureness > 0.9
    assert kind.sniff('[{"' + '": 1, "'.join(kind.columns) + '": 1}]') == 0
    for group in kind.needed:
        columns = [name for name in kind.columns if name not in group]
        assert kind.sniff(",".join(columns) + "\n") == 0
        read = kind.read_files([put(tmp_path, [columns])])
        assert [fault.code for fault in read.refused] == ["missing_column"]
        assert " or ".join(group) in str(read.refused[0].what)
        assert [file.rows_read for file in read.intake] == [0]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
@settings(
    max_examples=examples(8), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_every_row_has_one_end_and_a_second_file_adds_nothing(
    tmp_path: Path, kind: TableKind[Any], data: st.DataObject
) -> None:
    width = len(kind.columns)
    body = data.draw(st.lists(st.lists(CELLS, min_size=width - 1, max_size=width + 1), max_size=6))
    rows = [list(kind.columns), *body]
    paths = [put(tmp_path, rows, name) for name in ("one.csv", "two.csv")]
    read = kind.read_files(paths)
    for file in read.intake:
        ends = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
        assert file.rows_read == sum(ends) and min(ends) >= 0
        assert len(file.rejected) == file.rows_rejected
    first, second = read.intake
    assert second.rows_accepted == 0 and read.by_file[1] == ()
    assert second.rows_rejected == first.rows_rejected
    assert len(read.values) == len({repr(kind.key(value)) for value in read.values}) == first.rows_accepted


def test_a_list_is_read_from_parquet_as_from_csv(tmp_path: Path) -> None:
    import duckdb

    rows = "values ('Oslo', 59.9, 10.7, 100), ('Rome', 41.9, 12.5, null)"
    for name, form in (("users.parquet", "parquet"), ("users.csv", "csv, header")):
        with duckdb.connect() as connection:
            connection.execute(
                f"copy (select * from ({rows}) t(city, latitude, longitude, users)) "
                f"to '{tmp_path / name}' (format {form})"
            )
    of_parquet, of_csv = (USERS.read_files([str(tmp_path / f"users.{end}")]) for end in ("parquet", "csv"))
    assert of_parquet.values == of_csv.values and [city.city for city in of_csv.values] == ["Oslo"]
    codes = [{issue.code for issue in read.intake[0].issues} for read in (of_parquet, of_csv)]
    assert codes[0] == codes[1] == {"missing_column"}
