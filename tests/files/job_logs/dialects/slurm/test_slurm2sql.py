"""slurm2sql: told from other exports by its columns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.job_logs.dialects.slurm import sacct, slurm2sql
from tests.files.job_logs.cluster_damage import often
from tests.files.job_logs.row_ends import Read, codes, fates
from tests.some_of import some_of

_COLUMNS = """
    JobID JobIDRaw JobName User Group Account State Timelimit Elapsed Submit Start End Partition ExitCode NodeList
    Priority ReqNodes NNodes AllocNodes ReqTRES AllocTRES NTasks NCPUS ReqCPUS AllocCPUS CPUTime TotalCPU UserCPU
    SystemCPU MinCPU MinCPUNode MinCPUTask ReqMem AveRSS MaxRSS MaxPages MaxVMSize Comment SubmitLine
"""
COLUMNS = _COLUMNS.split()


def export(*jobs: dict[str, str], delimiter: str = "|") -> str:
    usual = {"JobName": "train", "User": "ann", "Account": "ml", "State": "COMPLETED", "Elapsed": "01:00:00"}
    usual |= {"Start": "2026-01-05T10:00:00", "End": "2026-01-05T11:00:00", "TotalCPU": "00:15.057"}
    usual |= {"NNodes": "1", "ReqNodes": "0.00K", "AllocTRES": "cpu=8,gres/gpu=2"}
    rows = [[(usual | job).get(name, "") for name in COLUMNS] for job in jobs]
    return "".join(delimiter.join(cells) + "\n" for cells in [COLUMNS, *rows])


@pytest.mark.long
@pytest.mark.parametrize("delimiter", some_of([";|;", "|"], quick=1))
def test_an_export_with_jobs_steps_and_an_end_that_is_not_known(read_log: Read, delimiter: str) -> None:
    usage = '{"gpu_util": 53.1, "ngpu": 4}'
    text = export(
        {"JobID": "1"},
        {"JobID": "1.batch", "Comment": usage},
        {"JobID": "2", "State": "CANCELLED by 7", "End": "Unknown", "Elapsed": "00:30:00"},
        {"JobID": "3", "AllocTRES": "", "Comment": usage},  # what a job used is not what it was given
        {"JobID": "4", "State": "RUNNING", "End": "Unknown", "Elapsed": "00:15:00"},
        {"JobID": "5", "State": "FAILED", "End": "Unknown", "Elapsed": ""},
        delimiter=delimiter,
    )
    read = read_log(text)
    assert fates(read) == ("slurm2sql", 6, 4, 1, 0, 1)
    assert read.jobs.milli_gpu_seconds == 2 * (3600 + 1800 + 900) * 1000


def test_other_exports_of_sacct_are_not_taken_for_it() -> None:
    text = export({"JobID": "1"})
    assert slurm2sql.sniff_slurm2sql(text) > sacct.sniff(text) > 0.9
    assert slurm2sql.sniff_slurm2sql(text.replace("|Comment|", "|Comment|Reservation|")) == 0.0
    assert slurm2sql.sniff_slurm2sql("JobID|State|Start|End|AllocTRES\n") == 0.0


SLURM2SQL_TABLE = (
    "JobID,JobIDnostep,JobStep,ArrayTaskID,JobName,User,Account,State,Elapsed,Time,Start,End,NNodes"
)


@pytest.mark.long
def test_its_table_as_text(read_log: Read) -> None:
    text = (
        f"{SLURM2SQL_TABLE},AllocTRES,GpuEff,NGpus\n"
        '1,1,,,train,ann,ml,COMPLETED,3600.0,1767610800,1767607200,1767610800,1,"cpu=8,gres/gpu:a100=2,gres/gpu=2",0.25,2\n'
        '1.batch,1,batch,,batch,,ml,COMPLETED,3600.0,1767610800,1767607200,1767610800,1,"cpu=8,gres/gpu=2",,2\n'
        '2_3,2,,3,train,ann,ml,RUNNING,1800.0,1767609000,1767607200,,1,"cpu=8,gres/gpu=1",0.75,1\n'
    )
    read = read_log(text)
    assert fates(read) == ("slurm2sql", 3, 2, 0, 0, 1)
    assert read.jobs.milli_gpu_seconds == (2 * 3600 + 1800) * 1000
    assert read.workloads[0].activity == pytest.approx((0.25 * 7200 + 0.75 * 1800) / 9000)
    assert "naive_time_assumed_utc" not in codes(read)


@pytest.mark.long
def test_an_older_table_without_a_list_of_resources(read_log: Read) -> None:
    text = (
        "JobID,JobIDSlurm,StepID,State,Elapsed,SubmitTS,Start,StartTS,End,EndTS,ReqGPUS,NGPU\n"
        "1,1,,COMPLETED,3600,1767607000,2026-01-05T11:00:00,1767607200,2026-01-05T12:00:00,1767610800,2,4\n"
        "1,1.0,0,COMPLETED,3600,1767607000,2026-01-05T11:00:00,1767607200,2026-01-05T12:00:00,1767610800,2,4\n"
    )
    read = read_log(text)
    assert fates(read) == ("slurm2sql", 2, 1, 0, 0, 1)
    assert read.jobs.milli_gpu_seconds == 2 * 3_600_000


@pytest.mark.parametrize(
    ("columns", "missing"),
    [
        ("StartTS,EndTS,ReqTRES", ""),
        ("Start,Elapsed,NGpus", ""),
        ("Start,End", "AllocTRES"),
        ("Start,End,NGPU", "AllocTRES"),  # what a job used is not what it was given
        ("Start,AllocTRES", "End"),
        ("EndTS,AllocTRES", "Start"),
        ("", "Start, End, AllocTRES"),
    ],
)
def test_a_table_says_which_columns_it_lacks(read_log: Read, columns: str, missing: str) -> None:
    head = ",".join(
        filter(None, ("JobID,JobIDnostep,JobStep,ArrayTaskID,Time,JobName,User,Account,State", columns))
    )
    assert slurm2sql.sniff_slurm2sql(f"{head}\n") == 0.97
    row = ",".join("1" for _ in head.split(","))
    read = read_log(f"{head}\n{row}\n")
    lacks = [str(fault) for fault in read.refused if "without column" in str(fault)]
    assert (read.intake[0].rows_read, len(lacks)) == ((0, 1) if missing else (1, 0))
    assert not missing or f"without column {missing};" in lacks[0]


@often
@given(st.text(max_size=30), st.integers(0, 500))
def test_any_damage_leaves_an_answer(damage: str, at: int) -> None:
    text = export({"JobID": "1"}, {"JobID": "1.batch"})
    assert 0 <= slurm2sql.sniff_slurm2sql(text[:at] + damage + text[at:]) <= 1
