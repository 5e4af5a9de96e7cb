"""Traces like Philly's: each attempt a run, tables of start and duration, times on the cluster's own clock."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_jobs import ReadOptions
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.importing.recognise import LIKELY
from gpuplanner.files.job_logs.dialects import public_traces
from gpuplanner.files.job_logs.dialects.public_traces import read_openb_gpus, sniff_philly, sniff_swf
from gpuplanner.files.values.times import WindowRequest
from tests.files.job_logs.cluster_damage import often
from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates
from tests.some_of import some_of

# --- Traces like Philly's


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


# --- The task table of the PAI trace, with its header and as it is published, without

HEADER = ",".join(public_traces.COLUMNS)
PAI_TABLE = """4b3f04b66a525d2df903eb16,tensorflow,1.0,Terminated,494618.0,498218.0,600.0,29.3,50.0,T4
6f0c8a,worker,4.0,Terminated,1000,8200,600.0,29.3,100.0,V100
6f0c8a,ps,1.0,Terminated,1000,8200,600.0,29.3,,MISC
77aa01,PyTorchWorker,2,Failed,3600.0,5400.0,600.0,29.3,25.0,MISC
77aa02,tensorflow,1.0,Failed,,,600.0,29.3,100.0,P100
77aa03,tensorflow,1.0,Waiting,,,600.0,29.3,100.0,P100
"""
GPU_HOURS = 0.5 * 1 + 4 * 2 + 2 * 0.25 * 0.5


@pytest.mark.parametrize(
    "text", some_of([PAI_TABLE, f"{HEADER}\n{PAI_TABLE}"], quick=1), ids=["bare", "header"]
)
def test_gpus_are_those_of_all_instances(read_log: Read, text: str) -> None:
    read = read_log(text)
    assert fates(read) == ("pai", 6, 4, 0, 0, 2)
    assert read.jobs.milli_gpu_seconds == GPU_HOURS * 3_600_000
    assert set(read.cube.gpu_models) == {"T4", "V100"}
    one_each = counts(never_started=1, pending=1, no_gpus=1, unknown_gpu_model=1)
    assert codes(read) == codes(read) | one_each


@pytest.mark.long
def test_tasks_of_one_name_are_one_workload_and_jobs_keep_their_ids(read_log: Read) -> None:
    read = read_log(PAI_TABLE)
    assert {each.name for each in read.workloads} == {
        "tensorflow",
        "worker",
        "pytorchworker",
    }  # ps is on CPUs
    again = read_log(PAI_TABLE, PAI_TABLE)
    assert [file.rows_duplicate for file in again.intake] == [0, 4]


@pytest.mark.parametrize(
    ("text", "gpus", "fault"),
    [("3|100", 3000, None), ("1|33.3", 333, None), ("2|", 0, None), ("2|0", 0, None), ("|50", 500, None),
     ("x|50", 0, "bad_number"), ("2|half", 0, "bad_number"), ("-1|50", 0, "negative_gpus")],
)  # fmt: skip
def test_a_plan_is_in_hundredths_of_each_instance(text: str, gpus: int, fault: str | None) -> None:
    reading = public_traces.read_planned_gpus(text)
    assert (reading.milli_gpus, reading.fault) == (gpus, fault)


def test_a_table_that_lacks_a_column_is_refused_by_its_name(read_log: Read) -> None:
    header = "job_name,task_name,inst_num,status,start_time,plan_gpu"
    (fault,) = read_log(f"{header}\na,b,1,Terminated,1,100\n").refused
    assert fault.code == "missing_column" and "end_time" in str(fault.what)


# --- The openb trace: thousandths of GPUs, seconds since the trace began, pods that never ran ----


LOG = """name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
a,4000,100,2,1000,V100M32,LS,Running,0,7200,3600
b,4000,100,1,250,,BE,Succeeded,0,14400,0
c,4000,100,1,500,V100M16|V100M32,BE,Pending,0,900,
d,4000,100,1,500,,BE,Failed,0,900,
e,4000,100,0,0,,BE,Failed,0,900,10
f,4000,100,1,x,,BE,Failed,0,900,10
"""


def test_the_pods_of_a_list(read_log: Read) -> None:
    read = read_log(LOG)
    assert fates(read) == ("openb", 6, 3, 1, 0, 2)
    assert codes(read) == counts(
        bad_number=1, before_1980=3, never_started=1, no_gpus=1, pending=1, unknown_gpu_model=1
    )
    assert read.jobs.milli_gpu_seconds == 2000 * 3600 + 250 * 14400
    assert read.jobs.first_start_s == 0


@pytest.mark.long
def test_bare_seconds_are_said_to_be_read_as_since_1970(read_log: Read, tmp_path: Path) -> None:
    path = tmp_path / "pods.csv"
    path.write_text(LOG, encoding="utf-8")
    for file in (read_log(LOG).intake[0], check_file(str(path))[0]):
        (issue,) = (issue for issue in file.issues if issue.code == "before_1980")
        assert (issue.count, issue.first_row) == (3, 2)
        assert "1 Jan 1970, UTC" in str(issue.message)
    mapped = read_log(
        "id,gpus,begun,took\n1,1,60,60\n2,1,1767225600,60\n",
        mapping="job_id=id,gpus=gpus,start=begun:epoch_s,duration=took:s",
    )
    assert [issue.count for issue in mapped.intake[0].issues if issue.code == "before_1980"] == [1]


def test_a_list_without_a_needed_column_is_refused_by_its_name(read_log: Read) -> None:
    (fault,) = read_log(LOG.replace("gpu_milli", "share"), format="openb").refused
    assert "gpu_milli" in str(fault)


@given(st.integers(0, 64), st.integers(0, 1000))
def test_gpus_are_their_number_times_the_thousandths_of_each(count: int, milli: int) -> None:
    assert read_openb_gpus(f"{count}|{milli}").milli_gpus == count * milli


def test_the_public_list_gives_its_known_figures(shared_data: Path) -> None:
    path = str(shared_data / "traces" / "openb_pod_list_default.csv")
    read = read_inputs([path], window_request=WindowRequest(whole_log=True))
    assert fates(read) == ("openb", 8152, 7255, 0, 0, 897)
    assert read.jobs.gpu_hours == pytest.approx(51_470.6742, abs=5e-5)
    facts = dict(check_file(path)[0].facts)
    assert (facts["gpu_pods"], facts["gpus_asked"], facts["never_scheduled"]) == (7064, 7433.0, 897)
    mapping = "job_id=name,gpus=num_gpu,start=scheduled_time:s,end=deletion_time:s,state=pod_phase"
    options = ReadOptions(mapping=mapping)
    whole = read_inputs([path], window_request=WindowRequest(whole_log=True), options=options)
    assert whole.jobs.gpu_hours == pytest.approx(59_612.2106, abs=5e-5)
    assert (whole.jobs.peak_milli_gpus, whole.jobs.gpu_jobs) == (71_000, 7064 - 861)


@often
@given(st.text(st.sampled_from("|-.e9 x0123"), max_size=40))
def test_whatever_the_text_it_is_a_count_or_a_fault(text: str) -> None:
    reading = read_openb_gpus(text)
    assert reading.milli_gpus >= 0
    assert reading.fault in (None, "bad_number", "negative_gpus")


# --- The Standard Workload Format: it counts processors, so it is a log of GPUs only where somebody says so

BEGIN_S = 1_767_600_000
SWF_HEADER = f"; Version: 2.2\n; Computer: DGX pod\n; UnixStartTime: {BEGIN_S}\n; MaxProcs: 64\n;\n"
SWF_JOBS = (
    "    1   7200     0  3600    8  -1  -1    8  7200  -1  1  3  1  5  1  1 -1 -1",
    "    2   7200  1800  1800   -1  -1  -1    4  7200  -1  0  4  1 -1  1  1 -1 -1",
    "    3   7300   100    -1    8  -1  -1    8  7200  -1  5  4 -1  5  1  1 -1 -1",
    "    4   7300    -1    -1    8  -1  -1    8  7200  -1  5  4 -1  5  1  1 -1 -1",
    "    1   7200     0  1800    8  -1  -1    8  7200  -1  2  3  1  5  1  1 -1 -1",
    "    5   7200     0  many    8  -1  -1    8  7200  -1  1  3  1  5  1  1 -1 -1",
    "    6   7200     0  3600",
)
AS_GPUS = "gpus=processors"


def text(*jobs: str, header: str = SWF_HEADER) -> str:
    return header + "".join(f"{job}\n" for job in jobs)


def test_processors_are_refused_with_what_to_say(read_log: Read) -> None:
    read = read_log(text(*SWF_JOBS))
    (fault,) = read.refused
    (file,) = read.intake
    assert (fault.code, file.format) == ("missing_column", "swf")
    assert f"--map {AS_GPUS}" in str(fault.remedy)


@pytest.mark.parametrize("header", some_of([SWF_HEADER, ""], quick=1))
def test_jobs_of_processors_that_are_gpus(read_log: Read, header: str) -> None:
    read = read_log(text(*SWF_JOBS, "; a remark", header=header), mapping=AS_GPUS)
    assert fates(read) == ("mapped", 8, 2, 2, 0, 4)
    assert read.jobs.milli_gpu_seconds == (8 + 4 / 2) * HOUR
    assert read.jobs.first_start_s == 7200 + (BEGIN_S if header else 0)
    assert {workload.owner for workload in read.workloads} == {"1"}


@pytest.mark.long
def test_one_whose_first_lines_are_damaged_is_one_where_that_is_said(read_log: Read) -> None:
    damaged = text(*SWF_JOBS, header="this file was cut\n" * 30)
    assert sniff_swf(damaged) == 0
    assert fates(read_log(damaged, mapping=AS_GPUS, format="swf")) == ("mapped", 37, 2, 32, 0, 3)
