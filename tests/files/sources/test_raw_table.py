"""The fast and the careful way into the engine give the same rows."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.import_tables import import_prices
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.sources import raw_table
from gpuplanner.files.sources.raw_table import load_raw, read_records, records_at
from gpuplanner.files.sources.source import records, survey
from gpuplanner.files.system import engine
from gpuplanner.files.system.engine import open_engine
from tests.some_of import examples

CELL = st.text(st.sampled_from('ab",\n é|'), max_size=6)
ROWS = st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=12)


def _read(path: Path) -> list[tuple]:
    with open_engine() as engine:
        table = load_raw(engine, survey(str(path)), "t", ("x", "y", "z"))
        table = read_records(engine, table, "everything", "c0, c1, c2")
        rows = engine.all("select * from everything order by line")
        for lines in ([line for line, *_ in rows], [rows[-1][0]]):
            records_at(engine, table, "few", np.array(lines))
            assert engine.all("select * from few order by line") == [row for row in rows if row[0] in lines]
        return [(line, *(cell or "" for cell in cells)) for line, *cells in rows]


@pytest.mark.long
@settings(max_examples=examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS, st.sampled_from(["\n", "\r\n"]))
def test_what_csv_writers_write_is_read_back_by_both_ways(
    tmp_path: Path, rows: list[tuple], end: str
) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator=end)
    writer.writerow(("x", "y", "z"))
    writer.writerows(rows)
    path = tmp_path / "t.csv"
    path.write_bytes(text.getvalue().encode())
    found = _read(path)
    assert [cells for _, *cells in found] == [list(row) for row in rows]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(raw_table, "_regular", lambda *_: None)
        assert _read(path) == found
    lines = [2]
    for row in rows[:-1]:
        record = io.StringIO()
        csv.writer(record, lineterminator=end).writerow(row)
        lines.append(lines[-1] + len(io.StringIO(record.getvalue(), newline="").readlines()))
    assert [line for line, *_ in found] == lines


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["a,b\n", "\n", "c,d"], [(1, ["a", "b"]), (3, ["c", "d"])]),
        (['a,"b\n', 'c",d\n', "e,f\n"], [(1, ["a", "b\nc", "d"]), (3, ["e", "f"])]),
        (['a,"b\r\n', 'c",d\r\n', "e,f\r\n"], [(1, ["a", "b\r\nc", "d"]), (3, ["e", "f"])]),
        (['a,5" disk\n', "c,d\n"], [(1, ["a", '5" disk']), (2, ["c", "d"])]),
        (['a,"b"c\n', "c,d\n"], [(1, ["a", "bc"]), (2, ["c", "d"])]),
        (['a,"b\n', "c,d\n"], [(1, ["a", '"b']), (2, ["c", "d"])]),
    ],
)
def test_records_with_odd_quotes(lines: list[str], expected: list[tuple]) -> None:
    assert list(records(lines, ",")) == expected


@pytest.mark.parametrize("rows", [10, 3000])
def test_a_disk_that_cannot_be_written_is_no_fault_of_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    path = tmp_path / "log.csv"
    path.write_text("job_id,gpus,start,end\n" + "1,1,2026-01-01T00:00:00Z,2026-01-01T01:00:00Z\n" * rows)
    monkeypatch.setattr(raw_table, "_columns_path", lambda *_: tmp_path / "full" / "marks.parquet")
    monkeypatch.setattr(engine, "_SMALL_BYTES", 0)  # of a small log nothing is written
    with pytest.raises(PlannerError) as fault:
        read_inputs([str(path)])
    assert fault.value.code == "file_unreadable" and "disk" in str(fault.value.what)
    assert str(path) not in fault.value.where


@pytest.mark.parametrize("count", [0, 200, 201])
def test_numbers_are_kept_alike_however_many_they_are(count: int) -> None:
    numbers = np.arange(count, dtype=np.int64) * 2**40
    with open_engine() as engine:
        engine.keep_numbers("kept", {"a": numbers, "b": -numbers})
        assert engine.all("describe kept") == [
            (name, "BIGINT", "YES", None, None, None) for name in ("a", "b")
        ]
        assert engine.all("select * from kept") == [(n, -n) for n in numbers.tolist()]


def test_more_columns_than_are_read_are_said_with_the_limit(tmp_path: Path) -> None:
    log = tmp_path / "wide.csv"
    names = ",".join(f"k{place}" for place in range(1_021))
    log.write_text(f"job_id,gpus,start,end,{names}\n1,8,2026-01-01,2026-01-02{',' * 1_021}\n")
    with pytest.raises(PlannerError, match=r"1,025 .*1,024") as refusal:
        import_jobs([str(log)])
    assert refusal.value.where == str(log)
    log.write_text(f"gpu_model,rate,k,l,{names}\nH100,2.5{',' * 1_023}\n")
    with pytest.raises(PlannerError, match=r"1,025 .*1,024"):
        import_prices([str(log)])


def test_a_cell_that_no_table_holds_is_said_with_its_line(tmp_path: Path) -> None:
    log = tmp_path / "long.csv"
    log.write_text(
        f'job_id,name,gpus,start,end\n1,a,8,2026-01-01,2026-01-02\n2,"{"x" * (17 << 20)}",8,2026-01-01,2026-01-02\n'
    )
    with pytest.raises(PlannerError, match="over 16 MB") as refusal, survey(str(log)).rows() as rows:
        list(rows)
    assert refusal.value.where == f"{log}:3"
