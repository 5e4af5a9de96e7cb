"""The job table of Slurm's database: numbers for states, GPUs where they are named, and no guess where they are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.job_logs.dialects import sacct
from tests.files.job_logs.cluster_damage import often
from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates
from tests.some_of import some_of

HEADER = (
    "id_job,id_array_job,id_user,nodes_alloc,nodelist,gres_used,partition,state,time_start,time_end,tres_alloc,"
    "job_type"
)
ROWS = (
    '11,0,7,1,"r1-n1",gpu:volta:2,xeon,3,1611000000,1611003600,"1=40,2=350000,4=1,1001=2,1002=2",OTHER',
    '12,0,7,2,"r1,r2",gpu:volta:4,xeon,5,1611000000,1611007200,"1=80,4=2,1001=4,1002=4",LLMAPREDUCE',
    '13,0,8,1,"r1",,xeon,3,1611000000,1611003600,"1=40,2=350000,4=1,5=40",OTHER',  # on CPUs
    '14,0,8,1,"r1",7696487:1,xeon,1,1611000000,0,"1=4,1001=1",OTHER',  # runs on
    '15,0,8,0,"",NULL,xeon,0,0,0,"",OTHER',  # waits
    '16,0,8,0,"None assigned",NULL,xeon,4,0,1611000000,"",OTHER',  # given up before it began
)
TABLE = "\n".join((HEADER, *ROWS)) + "\n"


def test_gpus_are_those_that_were_given_and_states_are_numbers(read_log: Read) -> None:
    read = read_log(TABLE)
    assert fates(read) == ("slurm_db", 6, 4, 0, 0, 2)
    assert read.jobs.milli_gpu_seconds == (2 * 1 + 4 * 2 + 1 * 2) * HOUR  # the last until the window ends
    one_each = counts(running=1, pending=1, never_started=1, no_gpus=1)
    assert codes(read) == codes(read) | one_each
    with_flags = read_log(TABLE.replace(",xeon,3,", f",xeon,{3 | 1 << 14},"))  # above the state
    assert "unknown_state" not in codes(read) | codes(with_flags)


@pytest.mark.long
def test_tabs_and_nulls_of_a_client_are_read(read_log: Read) -> None:
    text = "id_job\tstate\ttime_start\ttime_end\tgres_alloc\n1\t3\t1611000000\t1611003600\tgpu:a100:2\n"
    text += "2\t3\t1611000000\t1611003600\tNULL\n"
    read = read_log(text)
    assert (read.intake[0].rows_accepted, read.jobs.milli_gpu_seconds) == (2, 2 * 3_600_000)


@pytest.mark.long
def test_a_number_that_only_the_database_explains_is_no_count(read_log: Read) -> None:
    row = '17,0,8,1,"r1",,xeon,3,1611000000,1611003600,"1=40,1001=2",OTHER'
    (file,) = read_log(f"{TABLE}{row}\n").intake
    assert [(each.row, each.code) for each in file.rejected] == [(8, "bad_number")]


@pytest.mark.parametrize(
    ("more", "cell", "word"),
    [("", "", "gres_used or tres_alloc"), (",tres_alloc", ',"1=4,1001=2"', "gres_used")],
)
def test_a_table_that_does_not_tell_gpus_is_refused_by_what_it_lacks(
    read_log: Read, more: str, cell: str, word: str
) -> None:
    text = f"id_job,state,time_start,time_end{more}\n1,3,1611000000,1611003600{cell}\n"
    (refused,) = read_log(text).refused
    assert refused.code == "missing_column" and word in str(refused.what)


# --- slurm2sql: told from other exports by its columns

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
    assert sacct.sniff_slurm2sql(text) > sacct.sniff(text) > 0.9
    assert sacct.sniff_slurm2sql(text.replace("|Comment|", "|Comment|Reservation|")) == 0.0
    assert sacct.sniff_slurm2sql("JobID|State|Start|End|AllocTRES\n") == 0.0


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


@often
@given(st.text(max_size=30), st.integers(0, 500))
def test_any_damage_leaves_an_answer(damage: str, at: int) -> None:
    text = export({"JobID": "1"}, {"JobID": "1.batch"})
    assert 0 <= sacct.sniff_slurm2sql(text[:at] + damage + text[at:]) <= 1


# --- Open XDMoD's shredder files: every documented layout, told without a header -----------------

_VALUES = """
    JobID=7 JobIDRaw=7 Cluster=fox Partition=gpu QOS=normal Account=ml Group=staff GID=100 User=ann UID=1001
    Submit=2026-01-05T09:00:00 Eligible=2026-01-05T09:00:00 Start=2026-01-05T10:00:00 End=2026-01-05T11:00:00
    Elapsed=01:00:00 ExitCode=0:0 State=COMPLETED NNodes=2 NCPUS=16 ReqCPUS=16 ReqMem=64Gn ReqGRES=gpu:2
    ReqTRES=cpu=16,gres/gpu=4,node=2 AllocTRES=billing=4,cpu=16,gres/gpu:a100=4,gres/gpu=4,node=2
    Timelimit=1-00:00:00 NodeList=gpu-[01-02] JobName=train
"""
VALUES = dict(cell.split("=", 1) for cell in _VALUES.split())


def line(layout: tuple[str, ...] = sacct.LAYOUTS[0], **changes: str) -> str:
    return "|".join({**VALUES, **changes}[name] for name in layout)


@pytest.mark.parametrize("layout", sacct.LAYOUTS)
@pytest.mark.parametrize("ending", ["\n", "|\n"])
def test_every_layout_is_told_from_its_content(layout: tuple[str, ...], ending: str) -> None:
    text = line(layout) + ending + line(layout, JobID="8_2", JobIDRaw="9") + ending
    assert sacct.layout_of(text) == (*layout, *(("",) if ending == "|\n" else ()))
    assert sacct.sniff_xdmod(text) > sacct.sniff(text)


@pytest.mark.long
def test_jobs_and_what_became_of_them(read_log: Read) -> None:
    gone = {"Start": "Unknown", "End": "2026-01-05T10:00:00", "State": "CANCELLED by 7"}
    text = "\n".join(
        [
            line(),
            line(JobID="8", NodeList="None assigned", **gone),
            line(JobID="9_[1-4]", Start="Unknown", End="Unknown", State="PENDING"),
            line(JobID="10", End="Unknown", State="RUNNING", Elapsed="00:30:00", JobName="a|b|c"),
            line(JobID="11", AllocTRES="billing=1,cpu=1,node=1", JobName="søk"),
            line(JobID="12.batch", JobName="batch"),
            line(),
            "",
        ]
    )
    read = read_log(text)
    assert fates(read) == ("xdmod", 7, 3, 0, 1, 3)
    assert read.jobs.milli_gpu_seconds == 4 * (3600 + 1800) * 1000
    assert {workload.key for workload in read.workloads} == {"fox/ml/train", "fox/ml/a|b|c"}
    assert codes(read)["naive_time_assumed_utc"] == 3


WITHOUT_ALLOCATED = [layout for layout in sacct.LAYOUTS if "AllocTRES" not in layout]


@pytest.mark.long
@pytest.mark.parametrize("layout", some_of([(layout,) for layout in WITHOUT_ALLOCATED], quick=1))
def test_without_what_was_given_what_was_asked_for_counts(read_log: Read, layout: tuple[str, ...]) -> None:
    assert read_log(line(layout) + "\n").jobs.milli_gpu_seconds == 4 * 3_600_000


def test_other_lines_are_not_taken_for_it() -> None:
    assert sacct.sniff_xdmod("") == 0.0
    assert sacct.sniff_xdmod("a|b\n" * 3) == 0.0
    assert sacct.sniff_xdmod(line().replace("|1001|", "|ann|") + "\n") == 0.0


@often
@given(st.text(max_size=30), st.integers(0, 250))
def test_any_damage_leaves_an_answer_of_xdmod(damage: str, at: int) -> None:
    text = line() + "\n"
    assert 0 <= sacct.sniff_xdmod(text[:at] + damage + text[at:]) <= 1
