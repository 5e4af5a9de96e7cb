"""A small log is asked of tables where a large one has views: nothing that is said of it may differ."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpuplanner.files.export.cube_file import cube_sha256
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.job_logs.reduce.job_rows import jobs_of_workloads, rows_path
from gpuplanner.files.system import engine

KNOWN = Path(__file__).parents[1] / "fixtures" / "jobs.csv"

ODD = """job_id,cluster,job_name,user,account,partition,gpus,nodes,submit_time,start_time,end_time,state,pool,time_limit
ann/1,east, train ,ann,ml,gpu,2,1,2026-01-05T10:00:00Z,2026-01-05T10:30:00Z,2026-01-05T13:15:00Z,COMPLETED,Training,60
ann/1,east, train ,ann,ml,gpu,2,1,2026-01-05T10:00:00Z,2026-01-05T10:30:00Z,2026-01-05T13:15:00Z,COMPLETED,Training,60
2,west,vllm 1,bob,,gpu,gres/gpu:a100=4,x,soon,2026-03-29T02:30:00,2026-03-29T03:30:00,FAILED,,UNLIMITED
,west,vllm 1,bob,,gpu,1,1,,2026-01-06 01:00:00,2026-01-06 02:00:00,TIMEOUT,other,60
,west,vllm 1,bob,,gpu,1,1,,2026-01-06 01:00:00,2026-01-06 02:00:00,TIMEOUT,other,60
3,east,"two
lines",eve,ml,debug,-2,1,1767600000,1767600000,1767603600,weird,,bad
4,east,odd,eve,ml,debug,1,0,,2026-01-07T10:00:00+05:30,05.01.2026 12:00,RUNNING,Inference,
5,east,late,eve,ml,debug,1,1,,Unknown,,PENDING,,
6,east,short,eve
7,east,gone,eve,ml,debug,8,1,,2026-01-08T10:00:00 Mars/Base,2026-01-08T11:00:00Z,COMPLETED,,,extra
8,east,over,eve,ml,debug,8,1,,2026-01-09T10:00:00Z,2026-01-09T09:59:00Z,COMPLETED,,
Total,,,,,,40,,,,,,,
"""


def everything(log: Path, folder: Path, options: ReadOptions) -> tuple[Any, ...]:
    read = import_jobs([str(log)], options, rows_dir=folder)
    cube = (
        None
        if read.cube is None or read.window is None
        else cube_sha256(read.cube, read.workloads, read.window)
    )
    kept = rows_path(folder, read.jobs.rows_sha256)
    keys = [one.key for one in read.workloads]
    jobs = jobs_of_workloads(kept, keys, window=read.window).rows if read.window and keys else ()
    facts = replace(
        read.jobs, rows_sha256=""
    )  # texts of a large log are numbered, in a file with other bytes
    return read.window, cube, read.workloads, facts, jobs, read.intake, read.refused, read.accepted


ASKED = (
    ReadOptions(),
    ReadOptions(is_open_ended="both", timezone="Europe/Berlin"),
    ReadOptions(drops_alike=True, pseudonyms=True),
)


@pytest.mark.long
@pytest.mark.parametrize("options", ASKED)
@pytest.mark.parametrize("text", [None, ODD, ODD.replace('"two\nlines"', "one").replace("\n", "\r\n")])
def test_a_small_log_ends_as_if_it_were_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, options: ReadOptions
) -> None:
    (tmp_path / "key").write_text("0123456789abcdef" * 4)
    options = replace(options, pseudonyms=options.pseudonyms and tmp_path / "key")
    log = tmp_path / "log.csv"
    log.write_bytes(KNOWN.read_bytes() if text is None else text.encode())
    small = everything(log, tmp_path / "rows", options)
    monkeypatch.setattr(engine, "_SMALL_BYTES", -1)
    assert everything(log, tmp_path / "rows", options) == small


ONE_ROW = """job_id,user,gpus,gpu_model,start,end
1,ann,8,H100,2026-01-05T10:00:00Z,2026-01-05T12:00:00Z
"""


class Counted:
    """A connection that keeps every statement that it is given."""

    def __init__(self, connection: Any, statements: list[str]) -> None:
        self._connection, self._statements = connection, statements

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def execute(self, sql: str, *rest: Any) -> Any:
        self._statements.append(sql)
        return self._connection.execute(sql, *rest)


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements of all engines of the test; each costs a small log more than its rows do."""
    connect, kept = engine.quiet_connection, list[str]()
    monkeypatch.setattr(engine, "quiet_connection", lambda *how: Counted(connect(*how), kept))
    return kept


@pytest.mark.parametrize(("is_kept", "at_most"), [(False, 60), (True, 64)], ids=["reduce", "plan"])
def test_a_log_of_one_row_is_imported_in_few_statements(
    tmp_path: Path, statements: list[str], is_kept: bool, at_most: int
) -> None:
    log = tmp_path / "jobs.csv"
    log.write_text(ONE_ROW)
    rows = tmp_path / "rows" if is_kept else None
    read = import_jobs([str(log)], rows_dir=rows, same=(lambda *known: ()) if is_kept else None)
    assert read.accepted == 1
    assert len(statements) <= at_most
