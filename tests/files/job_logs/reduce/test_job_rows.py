"""Job rows are kept once under their hash, also while somebody else reads them."""

import os
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import Same, SameKind
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.windowed_jobs import JobsRead, rewindow
from gpuplanner.files.job_logs.reduce.job_rows import jobs_of_workloads, rows_path
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.some_of import one_in

LOG = "job_id,gpus,start,end\n1,2,2026-01-01T00:00:00Z,2026-01-01T10:00:00Z\n"


@pytest.mark.long
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
    said = {row["job_id"]: (row["nodes"], row["label"]) for row in rows}
    of_second = (int(nodes) if nodes else None, label or None)
    assert said == dict.fromkeys("12345", (None, None)) | {"2": of_second}
    assert {"hosts", "model", "activity_milli_percent"} <= set(kept.columns)


# --- Renamed rows: two clusters that are one are reduced as if the log had said so

HEADER = "job_id,cluster,name,user,gpu_model,gpus,nodes,start,end,gpu_activity_percent,class\n"
ROWS = """\
1,en,chat,ann,H100,8,2,2026-01-01T00:00:00Z,2026-01-01T06:00:00Z,50,
2,main,chat,ann,H100,4,1,2026-01-01T03:30:00Z,2026-01-01T08:00:00Z,20,
3,de,chat,bob,H100,2,1,2026-01-01T01:00:00Z,2026-01-01T02:00:00Z,,training
4,en,sft,ann,H100,1,1,2026-01-01T09:15:00Z,2026-01-01T10:00:00Z,90,training
"""
MAIN = (Same(SameKind.CLUSTER, "en", "main"), Same(SameKind.CLUSTER, "de", "main"))
WHOLE = WindowRequest(whole_log=True)


def read(tmp_path: Path, text: str, same: tuple[Same, ...] = (), *, kept: bool = True) -> JobsRead:
    path = tmp_path / "log.csv"
    path.write_text(HEADER + text)
    rows = tmp_path if kept else None
    return import_jobs([str(path)], window_request=WHOLE, rows_dir=rows, same=lambda *names: same)


def assert_same_work(one: JobsRead, other: JobsRead) -> None:
    assert one.workloads == other.workloads
    assert one.cube.milli_gpu_seconds.tolist() == other.cube.milli_gpu_seconds.tolist()
    assert one.cube.workload_index.tolist() == other.cube.workload_index.tolist()
    ours, theirs = (replace(read.jobs, rows_sha256="", quality=None) for read in (one, other))
    assert ours == theirs


@pytest.mark.long
def test_two_clusters_that_are_one_are_as_if_the_log_said_so(tmp_path: Path) -> None:
    as_one = ROWS.replace(",en,", ",main,").replace(",de,", ",main,")
    for kept in (True, False):
        assert_same_work(read(tmp_path, ROWS, MAIN, kept=kept), read(tmp_path, as_one, kept=kept))


PARTED = tuple(Same(SameKind.CLUSTER, f"en/{queue}", queue) for queue in ("a", "b"))
PARTS = "".join(
    f"{at},en,{queue},chat,ann,H100,{at},2026-01-01T00:00:00Z,2026-01-01T0{at}:00:00Z\n"
    for at, queue in enumerate(("a", "b", "c", "", "a"), 1)
)


def _of_partitions(tmp_path: Path, text: str, same: tuple[Same, ...] = ()) -> JobsRead:
    path = tmp_path / "log.csv"
    path.write_text("job_id,cluster,queue,name,user,gpu_model,gpus,start,end\n" + text)
    return import_jobs([str(path)], window_request=WHOLE, rows_dir=tmp_path, same=lambda *names: same)


@pytest.mark.long
def test_partitions_that_are_clusters_are_as_if_the_log_said_so(tmp_path: Path) -> None:
    said_so = PARTS.replace(",en,a,", ",a,a,").replace(",en,b,", ",b,b,")
    found = _of_partitions(tmp_path, PARTS, PARTED)
    assert_same_work(found, _of_partitions(tmp_path, said_so))
    assert [workload.key for workload in found.workloads] == ["a/ann/chat", "b/ann/chat", "en/ann/chat"]
    path = rows_path(tmp_path, found.jobs.rows_sha256)
    page = jobs_of_workloads(path, ("a/ann/chat",), window=found.window, same=PARTED)
    assert sorted((row.job_id, row.workload_key) for row in page.rows) == [
        ("1", "a/ann/chat"),
        ("5", "a/ann/chat"),
    ]
    plain = rewindow(tmp_path, found.jobs, found.intake, WHOLE)
    assert [workload.key for workload in plain.workloads] == ["en/ann/chat"]


@pytest.mark.long
def test_the_kept_rows_stay_as_they_were_and_a_decision_is_taken_back_whole(tmp_path: Path) -> None:
    plain, renamed = read(tmp_path, ROWS), read(tmp_path, ROWS, MAIN)
    assert plain.jobs.rows_sha256 == renamed.jobs.rows_sha256
    again = rewindow(tmp_path, renamed.jobs, renamed.intake, WHOLE)
    assert_same_work(again, plain)
    assert_same_work(rewindow(tmp_path, plain.jobs, plain.intake, WHOLE, same=MAIN), renamed)


@pytest.mark.long
def test_the_jobs_behind_a_renamed_workload_are_found(tmp_path: Path) -> None:
    found = read(tmp_path, ROWS, MAIN)
    keys = ["main/ann/chat", "main/ann/sft/training", "main/bob/chat/training"]
    assert [workload.key for workload in found.workloads] == keys
    path, window = rows_path(tmp_path, found.jobs.rows_sha256), found.window
    page = jobs_of_workloads(path, ("main/ann/chat",), window=window, same=MAIN)
    assert [row.job_id for row in page.rows] == ["1", "2"]
    assert {row.workload_key for row in page.rows} == {"main/ann/chat"}
    assert [row.job_id for row in jobs_of_workloads(path, ("main/ann/chat",), window=window).rows] == ["2"]
