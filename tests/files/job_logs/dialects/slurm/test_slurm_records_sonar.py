"""sonar's two forms, and the key=value lines of Slurm's own tools."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.job_logs.dialects.slurm import slurm_records
from gpuplanner.files.job_logs.dialects.slurm.slurm_fields import RECORD_COLUMNS
from tests.files.job_logs.cluster_damage import often
from tests.files.job_logs.row_ends import Read, codes, fates

HOUR = "Start=2026-01-05T11:00:00+01:00,End=2026-01-05T12:00:00+01:00,ElapsedRaw=3600"
TRES = '"AllocTRES=billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,node=1"'


def line(job_id: str, *more: str) -> str:
    return ",".join(
        ["v=0.13.0", f"JobID={job_id}", "User=ann", "Account=ml", "State=COMPLETED", HOUR, TRES, *more]
    )


def test_jobs_steps_repeats_and_an_error(read_log: Read) -> None:
    error = "v=0.13.0,timestamp=2026-01-05T12:00:00+01:00,error=Slurm is away"
    text = "\n".join(
        [line("1", "JobName=a"), line("1.batch"), line("1", "JobName=a"), error, "", line("2_3"), ""]
    )
    read = read_log(text)
    assert fates(read) == ("sonar_kv", 5, 2, 1, 1, 1)
    (rejected,) = read.intake[0].rejected
    assert rejected.row == 4
    assert "Slurm is away" in str(rejected.message)
    assert read.jobs.milli_gpu_seconds == 2 * 2 * 3_600_000
    assert read.jobs.first_start_s == 1767607200
    assert "naive_time_assumed_utc" not in codes(read)


@pytest.mark.long
def test_a_value_with_commas_that_nobody_quoted(read_log: Read) -> None:
    read = read_log(line("1", "JobName=a,b and c").replace('"', "") + "\n")
    assert fates(read) == ("sonar_kv", 1, 1, 0, 0, 0)
    assert read.jobs.peak_milli_gpus == 2_000
    assert [workload.key for workload in read.workloads] == ["/ml/a,b-and-c"]


def test_jobs_that_say_no_time_or_gpu_are_refused_by_name(read_log: Read) -> None:
    read = read_log("v=0.1,JobID=1,User=ann,State=COMPLETED\n")
    assert "Start, End, AllocTRES" in str(read.refused[0])


def test_samples_of_processes_are_no_jobs() -> None:
    sample = "v=0.7.0,time=2026-01-05T11:00:00+01:00,host=a,user=ann,cmd=python,pid=1,gpus=0\n"
    assert slurm_records.sniff_kv(sample) == slurm_records.sniff_kv("JobID,Start,End\n") == 0.0


JOBCOMP = (
    "JobId=1 UserId=ann(1001) GroupId=ml(100) Name=my job JobState=COMPLETED Partition=gpu TimeLimit=60 "
    "StartTime=2026-01-05T10:00:00 EndTime=2026-01-05T11:00:00 NodeList=gpu-[01-02] NodeCnt=2 ProcCnt=16 WorkDir=/a=b "
    "Account=ml QOS=x Cluster=fox SubmitTime=2026-01-05T09:00:00 Tres=cpu=16,node=2,gres/gpu=4 ExitCode=0:0\n"
)
SCONTROL = """JobId=2 ArrayJobId=7 ArrayTaskId=3 JobName=train
   UserId=ann(1001) GroupId=ml(100) MCS_label=N/A
   JobState=RUNNING Reason=None Dependency=(null)
   RunTime=01:00:00 TimeLimit=2-00:00:00 TimeMin=N/A
   StartTime=2026-01-05T10:00:00 EndTime=2026-01-07T10:00:00 Deadline=N/A
   NodeList=gpu-01
   NumNodes=1 NumCPUs=8 TRES=cpu=8,mem=64G,node=1,gres/gpu:h100=4,gres/gpu=4

JobId=3 JobName=waits
   UserId=bob(1002) JobState=PENDING StartTime=2026-02-01T00:00:00 EndTime=2026-02-02T00:00:00 NodeList=(null)
   TRES=cpu=8,gres/gpu=8
"""


def test_lines_of_the_job_completion_log(read_log: Read) -> None:
    read = read_log(JOBCOMP + JOBCOMP.replace("JobId=1", "JobId=2"))
    assert fates(read) == ("sonar_kv", 2, 2, 0, 0, 0)
    assert read.jobs.milli_gpu_seconds == 2 * 4 * 3_600_000
    assert [workload.key for workload in read.workloads] == ["fox/ml/my-job"]


@pytest.mark.long
def test_jobs_of_the_controller_in_blocks_and_on_one_line(read_log: Read) -> None:
    blocks = [" ".join(block.split()) for block in SCONTROL.split("\n\n")]
    for text in (SCONTROL, "\n".join(blocks) + "\n"):
        read = read_log(text)
        assert fates(read) == ("sonar_kv", 2, 1, 0, 0, 1)
        assert read.jobs.milli_gpu_seconds == 4 * 3_600_000  # its run time, not its limit
    _, values = next(slurm_records.blocks(blocks[:1]))
    assert slurm_records.record(dict(values), from_controller=True)[0] == "7_3"


# --- The newer form ------------------------------------------------------------------------------


def envelope(*jobs: dict[str, Any]) -> str:
    attributes = {"time": "2026-01-05T13:00:00+01:00", "cluster": "fox", "slurm_jobs": jobs}
    return json.dumps({"meta": {"producer": "sonar"}, "data": {"type": "jobs", "attributes": attributes}})


def job(job_id: int, **changes: Any) -> dict[str, Any]:
    said = {"job_id": job_id, "job_step": "", "job_name": "train", "job_state": "COMPLETED"}
    said |= {"user_name": "ann", "account": "ml", "nodes": ["gpu-[01-02]"]}
    said |= {"start_time": "2026-01-05T11:00:00+01:00", "end_time": "2026-01-05T12:00:00+01:00"}
    given = {"AllocTRES": "cpu=8,gres/gpu:a100=2,gres/gpu=2,node=1", "ElapsedRaw": 3600}
    return said | {"sacct": given} | changes


ERROR = json.dumps({"meta": {}, "errors": [{"detail": "No sacct", "time": "2026-01-05T13:00:00+01:00"}]})


@pytest.mark.long
def test_envelopes_with_jobs_steps_and_errors(read_log: Read) -> None:
    gres = ["gpu:a100:1(IDX:0)", "gpu:a100:2(IDX:0-1)"]
    running = job(3, job_state="RUNNING", end_time="", sacct={}, gres_detail=gres)
    text = "\n".join(
        [
            envelope(job(1), job(1, job_step="batch"), job(2, array_job_id=9, array_task_id=4)),
            ERROR,
            envelope(job(1), running, job(4, job_state="PENDING", start_time="", end_time="")),
        ]
    )
    read = read_log(text)
    assert fates(read) == ("sonar_json", 7, 3, 1, 1, 2)
    assert "No sacct" in str(read.intake[0].rejected[0].message)
    assert read.jobs.peak_milli_gpus == (2 + 2 + 3) * 1000
    assert {workload.cluster for workload in read.workloads} == {"fox"}
    found = slurm_records.records(json.loads(text.splitlines()[0]))
    assert [row[0] for row in found] == ["1", "1.batch", "9_4"]


@pytest.mark.long
def test_envelopes_that_are_cut_off_keep_the_whole_ones(read_log: Read) -> None:
    read = read_log(envelope(job(1)) + "\n" + envelope(job(2))[:-20])
    assert fates(read) == ("sonar_json", 1, 1, 0, 0, 0)
    assert "truncated_file" in codes(read)


# --- Laws ----------------------------------------------------------------------------------------

KEYS = st.sampled_from(["JobID", "Start", "End", "State", "error", "AllocTRES", "x"])
CELLS = st.builds(lambda key, value: f"{key}={value}", KEYS, st.text("1,=\"' \n", max_size=5)) | st.text(
    max_size=4
)


@often
@given(st.lists(st.lists(CELLS, max_size=5), max_size=6))
def test_any_lines_are_records(lines: list[list[str]]) -> None:
    texts = "\n".join(",".join(cells) for cells in lines).splitlines(keepends=True)
    for found in map(list, (slurm_records.comma_lines(texts), slurm_records.blocks(texts))):
        assert all(len(slurm_records.record(values)) == len(RECORD_COLUMNS) for _, values in found)
        numbers = [number for number, _ in found]
        assert numbers == sorted(set(numbers))
    assert 0 <= slurm_records.sniff_kv("".join(texts)) <= 1


VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)


CHANGES = st.dictionaries(st.sampled_from(sorted(job(1))), VALUES, max_size=3)


@often
@given(CHANGES, VALUES)
def test_any_value_in_any_place_is_a_record(changes: dict[str, Any], other: object) -> None:
    attributes = {"cluster": other, "slurm_jobs": [job(1) | changes, other]}
    for value in ({"errors": [other], "data": {"attributes": attributes}}, other):
        for found in slurm_records.records(value):
            assert len(found) == len(RECORD_COLUMNS)
            assert all(isinstance(text, str) for text in found)


@often
@given(st.text(max_size=40), st.integers(0, 300))
def test_a_damaged_line_is_still_a_record(damage: str, at: int) -> None:
    text = line("1") + "\n" + JOBCOMP
    texts = (text[:at] + damage + text[at:]).splitlines(keepends=True)
    for found in (slurm_records.comma_lines(texts), slurm_records.blocks(texts)):
        assert all(len(slurm_records.record(values)) == len(RECORD_COLUMNS) for _, values in found)
