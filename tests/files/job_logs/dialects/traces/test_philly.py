"""Traces like Philly's: each attempt a run, tables of start and duration, times on the cluster's own clock."""

import json
from typing import Any

import pytest

from gpuplanner.files.importing.best_sheet import LIKELY
from gpuplanner.files.job_logs.dialects.traces.philly import sniff_philly
from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates
from tests.some_of import some_of


def attempt(start: str | None, end: str | None, *gpus: int) -> dict[str, Any]:
    """A run with so many GPUs on each of its machines."""
    detail = [{"ip": f"m{i}", "gpus": [f"gpu{k}" for k in range(count)]} for i, count in enumerate(gpus)]
    return {"start_time": start, "end_time": end, "detail": detail}


def job(name: str, status: str, *attempts: dict[str, Any]) -> dict[str, Any]:
    return {"jobid": name, "status": status, "attempts": list(attempts)} | {
        "vc": "vc1",
        "user": "u1",
        "submitted_time": "2026-01-05 09:00:00",
    }


JOBS = [
    job(
        "application_1_1",
        "Pass",
        attempt("2026-01-05 10:00:00", "2026-01-05 11:00:00", 8),
        attempt("2026-01-05 11:00:10", "2026-01-05 13:00:10", 8, 8),
    ),
    job("application_1_2", "Killed"),
    job("application_1_3", "Failed", attempt("2026-01-05 10:00:00", "2026-01-05 10:30:00", 2)),
    job("application_1_4", "Running", attempt("2026-01-05 12:00:10", None, 1)),
    job("application_1_5", "Killed", attempt(None, None, 1)),
    job("application_1_6", "Killed", attempt("2026-01-05 10:00:00", None, 1)),
]


def test_each_attempt_is_a_run(read_log: Read) -> None:
    read = read_log(json.dumps(JOBS, indent=1), timezone="America/Los_Angeles")
    assert fates(read) == ("philly", 7, 4, 1, 0, 2)
    assert codes(read) == counts(bad_time=1, never_started=2, running=1, unknown_gpu_model=4)
    assert read.jobs.milli_gpu_seconds == (8 + 32 + 1) * HOUR + 1000 * 7190  # it runs to 14:00
    assert read.jobs.first_start_s == 1_767_636_000  # 18:00 UTC
    (workload,) = read.workloads
    assert workload.key == "/vc1/unnamed"
    assert workload.max_nodes == 2
    assert "naive_time_assumed_utc" in codes(read_log(json.dumps(JOBS)))


TABLE = """user,vc,num_gpus,start_time,duration,status
u1,v1,8,2026-01-05 10:00:00,3600,Pass
u1,v1,8,2026-01-05 10:00:00,3600,Pass
u2,v2,1,2026-01-05 10:00:00,7200,Killed
u2,v2,1,2026-01-05 10:00:00,soon,Failed
"""


@pytest.mark.long
def test_a_table_of_start_and_duration_without_ids(read_log: Read) -> None:
    read = read_log(TABLE)
    assert fates(read) == ("philly", 4, 3, 1, 0, 0)
    assert codes(read) == counts(
        bad_duration=1, naive_time_assumed_utc=3, possible_duplicate=1, unknown_gpu_model=3
    )
    assert read.jobs.milli_gpu_seconds == (8 + 8 + 2) * HOUR


@pytest.mark.parametrize(
    ("header", "row", "hours"),
    some_of(
        [
            ("vc,gpus,start,duration_min", "v,2,2026-01-05T10:00:00Z,90", 3.0),
            ("vc,gpu_num,start_time,end_time,duration", "v,2,2026-01-05 10:00:00,2026-01-05 11:00:00,9", 2.0),
            ("vc,gpus,start,runtime_hours", "v,2,1767607200,1.5", 3.0),
            ("vc,gpus,start,duration", "v,2,1767607200000,1800", 1.0),
            ("vc\tgpus\tstart\tduration", "v\t2\t0\t3600", 2.0),
        ],
        quick=1,
    ),
)
def test_units_are_told_by_the_heading_or_by_the_size_of_the_numbers(
    read_log: Read, header: str, row: str, hours: float
) -> None:
    assert read_log(f"{header}\n{row}\n").jobs.milli_gpu_seconds == hours * HOUR


@pytest.mark.parametrize(
    ("text", "is_own"),
    [
        ("user,vc,num_gpus,start_time,duration\n", True),
        ("User,Virtual Cluster,GPUs,Start,Duration (min)\n", True),
        ("job_id,user,node_num,gpu_num,state,start_time,end_time,duration\n", True),
        ("user,gpus,start,duration,status\nu,1,0,5,Pass\nu,1,0,5,Killed\n", True),
        ("user,gpus,start,duration,status\nu,1,0,5,Killed\n", False),
        ("user,gpus,start,duration,status\nu,1,0,5,Pass\nu,1,0,5,Suspended\n", False),
        ("user,gpus,start,duration,status\n", False),
        ("run,user_name,num_gpus,start_ts,elapsed_min\n", False),
        ("job_id,team,gpus,start,duration\n", False),
    ],
)
def test_only_what_such_traces_call_their_columns_is_taken(text: str, is_own: bool) -> None:
    assert (sniff_philly(text) >= LIKELY) == is_own


@pytest.mark.long
def test_a_trace_that_names_no_jobs_but_their_kind_has_workloads_by_kind(read_log: Read) -> None:
    header = "job_id,user,node_num,gpu_num,type,state,submit_time,start_time,end_time,duration"
    text = (
        f"{header}\n1,u,1.0,8.0,Pretrain,COMPLETED,2026-01-05 00:00:00+08:00,2026-01-05 00:00:00+08:00,"
        "2026-01-05 01:00:00+08:00,3600.0\n"
        "2,u,1.0,0.5,Evaluation,FAILED,2026-01-05 00:00:00+08:00,2026-01-05 00:00:00+08:00,"
        "2026-01-05 02:00:00+08:00,7200.0\n"
    )
    read = read_log(text)
    assert read.jobs.milli_gpu_seconds == 9 * HOUR
    assert {each.name for each in read.workloads} == {"pretrain", "evaluation"}
