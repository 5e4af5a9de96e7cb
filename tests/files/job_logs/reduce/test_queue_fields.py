"""When a job was handed in, could have begun, its limit and its priority arrive in the kept rows, from every log."""

import hashlib
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.job_logs.reduce.job_rows import JOB_ROWS, QUEUE_COLUMNS, open_rows, rows_path
from gpuplanner.files.system.engine import open_engine
from gpuplanner.files.values.durations import read_time_limit
from tests.files.job_logs.row_ends import codes
from tests.files.job_logs.slurm_texts import set_number
from tests.some_of import some_of

HOUR = 3600
START = 1_767_229_200  # 2026-01-01T01:00:00Z


def kept(folder: Path, text: str, name: str = "jobs.log", **options: Any) -> list[tuple[object, ...]]:
    """Of every accepted job how long before its start it was handed in and could begin, its limit, its priority."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    read = import_jobs([str(path)], ReadOptions(**options), rows_dir=folder)
    with open_engine() as engine:
        open_rows(engine, rows_path(folder, read.jobs.rows_sha256))
        return engine.all(
            f"select start_s - submit_s, start_s - eligible_s, time_limit_s, priority from {JOB_ROWS} order by line"
        )


OWN = "job_id,gpus,submit,eligible,start,end,time_limit,priority\n"
TIMES = "2026-01-01T00:00:00Z,2026-01-01T00:30:00Z,2026-01-01T01:00:00Z,2026-01-01T02:00:00Z"


@pytest.mark.parametrize(
    ("limit", "seconds"),
    [
        *(("3600", 3600), ("01:30", 90), ("1-00:00:00", 86400), ("UNLIMITED", 0), ("Partition_Limit", 0)),
        *(("4294967295", 0), ("0", 0), ("soon", None), ("-5", None)),
    ],
)
def test_a_limit_is_seconds_or_a_clock_and_none_is_no_limit(limit: str, seconds: int | None) -> None:
    assert read_time_limit(limit) == seconds


def test_our_own_columns_are_kept(tmp_path: Path) -> None:
    assert kept(tmp_path, f"{OWN}1,2,{TIMES},1-00:00:00,17\n") == [(HOUR, HOUR // 2, 86400, 17)]


def test_what_no_log_says_is_unknown(tmp_path: Path) -> None:
    log = "job_id,gpus,start,end\n1,2,2026-01-01T01:00:00Z,2026-01-01T02:00:00Z\n"
    assert kept(tmp_path, log) == [(None, None, None, None)]


@pytest.mark.long
@pytest.mark.parametrize(
    ("cells", "code", "rest"),
    some_of(
        [
            ("yesterday,,{times},60,1", "bad_time", (None, None, 60, 1)),
            (",3026-01-01,{times},60,1", "bad_time", (None, None, 60, 1)),
            (",,{times},soon,1", "bad_duration", (None, None, None, 1)),
            (",,{times},60,high", "bad_number", (None, None, 60, None)),
            ("Unknown,None,{times},UNLIMITED,", None, (None, None, None, None)),
        ],
        quick=1,
    ),
)
def test_what_cannot_be_read_is_unknown_and_said_and_the_row_counts(
    tmp_path: Path, cells: str, code: str | None, rest: tuple[object, ...]
) -> None:
    log = tmp_path / "jobs.csv"
    row = cells.format(times="2026-01-01T01:00:00Z,2026-01-01T02:00:00Z")
    log.write_text(f"{OWN}1,2,{row}\n", encoding="utf-8")
    (file,) = import_jobs([str(log)]).intake
    assert (file.rows_accepted, codes(file).keys() & {code, "bad_time"}) == (1, {code} - {None})
    assert kept(tmp_path, log.read_text(encoding="utf-8")) == [rest]


@pytest.mark.long
def test_local_times_of_the_queue_are_of_the_zone_of_the_others(tmp_path: Path) -> None:
    log = f"{OWN}1,2,2026-01-01T00:30:00,2026-01-01T00:45:00,2026-01-01 02:00:00,2026-01-01 03:00:00,,\n"
    assert kept(tmp_path, log, timezone="Europe/Oslo") == [(90 * 60, 75 * 60, None, None)]


@pytest.mark.long
def test_an_odd_time_and_one_beyond_32_bits_are_kept_too(tmp_path: Path) -> None:
    log = (
        f"{OWN}1,2,20260101T0030Z,2026-01-01 00:45+00:00,2026-01-01T01:00:00Z,2026-01-01T02:00:00Z,,\n"
        "2,2,2099-01-01T00:00:00Z,,2099-01-01T01:00:00Z,2099-01-01T02:00:00Z,,-3\n"
    )
    assert kept(tmp_path, log) == [(HOUR // 2, HOUR // 4, None, None), (HOUR, None, None, -3)]


@pytest.mark.long
def test_mapped_columns_have_units(tmp_path: Path) -> None:
    log = f"n,handed,from,to,most,p\n2,{START - HOUR}000,{START},{START + HOUR},90,5.0\n"
    mapping = "gpus=n,submit=handed:epoch_ms,start=from:epoch_s,end=to:epoch_s,time_limit=most:min,priority=p"
    assert kept(tmp_path, log, mapping=mapping) == [(HOUR, None, 5400, 5)]


SACCT = (
    "JobID|State|Submit|Eligible|Start|End|{limit}|AllocTRES|Priority\n"
    "1|COMPLETED|2026-01-01T00:00:00|2026-01-01T00:30:00|2026-01-01T01:00:00|2026-01-01T02:00:00|{value}|gres/gpu=2|17\n"
)


@pytest.mark.parametrize(
    ("limit", "value"), some_of([("Timelimit", "01:30:00"), ("TimelimitRaw", "90")], quick=1)
)
def test_sacct(tmp_path: Path, limit: str, value: str) -> None:
    assert kept(tmp_path, SACCT.format(limit=limit, value=value)) == [(HOUR, HOUR // 2, 5400, 17)]


@pytest.mark.long
def test_an_eligible_time_of_1970_is_none(tmp_path: Path) -> None:
    log = f"JobID|State|Submit|Eligible|Start|End|AllocTRES\n1|COMPLETED|{START - 9}|0|{START}|{START + 9}|gres/gpu=2\n"
    assert kept(tmp_path, log) == [(9, None, None, None)]


@pytest.mark.long
@pytest.mark.parametrize("wrap", some_of([set_number, int], quick=1))
def test_slurm_in_json(tmp_path: Path, wrap: Any) -> None:
    job = {"job_id": 7, "job_state": ["COMPLETED"], "partition": "gpu", "tres_alloc_str": "gres/gpu=2,node=1"}
    job |= {"submit_time": wrap(START - HOUR), "eligible_time": wrap(START - HOUR // 2)}
    job |= {"start_time": wrap(START), "end_time": wrap(START + HOUR)}
    job |= {"time_limit": wrap(90), "priority": wrap(17)}
    assert kept(tmp_path, json.dumps({"jobs": [job]})) == [(HOUR, HOUR // 2, 5400, 17)]
    unlimited = job | {"time_limit": {"set": True, "infinite": True, "number": 0}}
    assert kept(tmp_path, json.dumps({"jobs": [unlimited]})) == [(HOUR, HOUR // 2, None, 17)]


def test_sonar_adds_two_to_numbers_that_may_be_unset(tmp_path: Path) -> None:
    job = {"job_id": 7, "job_state": "COMPLETED", "submit_time": "2026-01-01T00:00:00Z"}
    job |= {"start_time": "2026-01-01T01:00:00Z", "end_time": "2026-01-01T02:00:00Z"}
    job |= {"time_limit": 5402, "priority": 19, "sacct": {"AllocTRES": "gres/gpu=2"}}
    text = json.dumps({"data": {"type": "jobs", "attributes": {"cluster": "c", "slurm_jobs": [job]}}})
    assert kept(tmp_path, text) == [(HOUR, None, 5400, 17)]


@pytest.mark.parametrize(
    "log",
    [
        f"JobID|State|QOS|Submit|Start|End|AllocTRES\n1|COMPLETED| high |{START - 9}|{START}|{START + 9}|gres/gpu=2\n",
        json.dumps({"jobs": [{"job_id": 1, "job_state": ["COMPLETED"], "qos": "high", "tres_alloc_str": "gres/gpu=2",
                              "start_time": START, "end_time": START + 9}]}),
    ],
    ids=["sacct", "json"],
)  # fmt: skip
def test_the_qos_of_slurm_is_kept(tmp_path: Path, log: str) -> None:
    (tmp_path / "jobs.log").write_text(log, "utf-8")
    read = import_jobs([str(tmp_path / "jobs.log")], rows_dir=tmp_path)
    with open_engine() as engine:
        open_rows(engine, rows_path(tmp_path, read.jobs.rows_sha256))
        assert engine.all(f"select qos from {JOB_ROWS}") == [("high",)]


def test_rows_kept_before_there_were_such_columns_open(tmp_path: Path) -> None:
    log = tmp_path / "jobs.csv"
    log.write_text(f"{OWN}1,2,{TIMES},60,1\n", encoding="utf-8")
    read = import_jobs([str(log)], rows_dir=tmp_path)
    path = rows_path(tmp_path, read.jobs.rows_sha256)
    made = tmp_path / "older.parquet"
    duckdb.sql(f"copy (select * exclude ({', '.join(QUEUE_COLUMNS)}) from '{path}') to '{made}'")
    older = made.rename(rows_path(tmp_path, hashlib.sha256(made.read_bytes()).hexdigest()))
    with open_engine() as engine:
        open_rows(engine, older)
        found = engine.all(f"select job_id, {', '.join(QUEUE_COLUMNS)} from {JOB_ROWS}")
        assert found == [("1", *(None for _ in QUEUE_COLUMNS))]


@pytest.mark.long
def test_every_row_keeps_its_line_where_priorities_are_read(tmp_path: Path) -> None:
    """Of enough rows the engine reads in parallel; what makes a join of a column would shuffle them."""
    rows = 40_000
    times = "2026-01-01T01:00:00Z,2026-01-01T02:00:00Z"
    lines = (f"{line},{line % 8},,,{times},,{line * 7 % 1000}" for line in range(2, rows + 2))
    log = tmp_path / "jobs.csv"
    log.write_text(OWN + "\n".join(lines) + "\n", encoding="utf-8")
    read = import_jobs([str(log)], rows_dir=tmp_path)
    path = rows_path(tmp_path, read.jobs.rows_sha256)
    right = "line = job_id::int and milli_gpus = line % 8 * 1000 and priority = line * 7 % 1000"
    assert duckdb.sql(f"select count(*) filter ({right}) from '{path}'").fetchone() == (rows,)
