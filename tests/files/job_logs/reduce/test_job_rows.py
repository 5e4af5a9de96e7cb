"""Job rows are kept once under their hash, also while somebody else reads them."""

import os
from pathlib import Path

import duckdb
import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.job_logs.reduce.job_rows import rows_path
from tests.some_of import one_in

LOG = "job_id,gpus,start,end\n1,2,2026-01-01T00:00:00Z,2026-01-01T10:00:00Z\n"


def test_rows_that_another_window_has_open_are_not_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, folder = tmp_path / "jobs.csv", tmp_path / "rows"
    log.write_text(LOG, encoding="utf-8")

    def locked(source: Path, target: Path) -> None:
        raise PermissionError(13, "in use", str(target))

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", locked)
        with pytest.raises(PlannerError):  # nothing is there: it cannot be written at all
            import_jobs([str(log)], rows_dir=folder)
    first = import_jobs([str(log)], rows_dir=folder)
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", locked)
        again = import_jobs([str(log)], rows_dir=folder)
    assert again.jobs == first.jobs
    assert list(folder.iterdir()) == [rows_path(folder, first.jobs.rows_sha256)]


MIXED = """job_id,name,gpus,nodes,class,start,end
1,b,2,,,2026-01-01T05:00:00Z,2026-01-01T10:00:00Z
2,a,2,{nodes},{label},2026-01-01T05:00:00Z,2026-01-01T10:00:00Z
3,b,2,,,2026-01-01T00:00:00Z,2026-01-01T10:00:00Z
4,a,2,,,2026-01-01T00:00:00Z,2026-01-01T10:00:00Z
5,a,2,,,2026-01-01T00:00:00Z,2026-01-01T09:00:00Z
"""


@pytest.mark.parametrize(("nodes", "label"), one_in(4, [("", ""), ("3", ""), ("3", "training")]))
def test_rows_are_kept_by_workload_and_start_with_all_columns_said_or_not(
    tmp_path: Path, nodes: str, label: str
) -> None:
    log = tmp_path / "jobs.csv"
    log.write_text(MIXED.format(nodes=nodes, label=label), encoding="utf-8")
    read = import_jobs([str(log)], rows_dir=tmp_path)
    kept = duckdb.sql(f"select * from '{rows_path(tmp_path, read.jobs.rows_sha256)}'")
    rows = [dict(zip(kept.columns, row, strict=True)) for row in kept.fetchall()]
    assert rows == sorted(rows, key=lambda row: (row["workload"], row["start_s"], row["line"]))
    assert {row["job_id"] for row in rows} == {"1", "2", "3", "4", "5"}
    said = {row["job_id"]: (row["nodes"], row["label"]) for row in rows}
    assert said == {
        number: (int(nodes) if nodes else None, label or None) if number == "2" else (None, None)
        for number in "12345"
    }
    assert {"hosts", "model", "activity_milli_percent"} <= set(kept.columns)
