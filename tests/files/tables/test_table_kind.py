import csv
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.files.lists.place_tables import PLACE_KINDS, USERS
from gpuplanner.files.lists.planner_lists import PLANNED, RULES, SAME
from gpuplanner.files.lists.traffic_tables import WEEK
from gpuplanner.files.tables.table_kind import TableKind
from tests.some_of import examples

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
