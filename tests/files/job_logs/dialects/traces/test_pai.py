"""The task table of the PAI trace, with its header and as it is published, without."""

import pytest

from gpuplanner.files.job_logs.dialects.traces import pai
from tests.files.job_logs.row_ends import Read, codes, counts, fates
from tests.some_of import some_of

HEADER = ",".join(pai.COLUMNS)
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
    reading = pai.read_planned_gpus(text)
    assert (reading.milli_gpus, reading.fault) == (gpus, fault)


def test_a_table_that_lacks_a_column_is_refused_by_its_name(read_log: Read) -> None:
    header = "job_name,task_name,inst_num,status,start_time,plan_gpu"
    (fault,) = read_log(f"{header}\na,b,1,Terminated,1,100\n").refused
    assert fault.code == "missing_column" and "end_time" in str(fault.what)


def test_a_table_without_header_is_known_by_every_first_row() -> None:
    """The first fifty are looked at, so one among them that is no task tells."""
    task = PAI_TABLE.splitlines(keepends=True)[0]
    assert (pai.sniff_pai(f"{HEADER}\n"), pai.sniff_pai("plan_gpu\n")) == (1.0, 0.0)
    assert (pai.sniff_pai(PAI_TABLE), pai.sniff_pai(""), pai.sniff_pai("\n")) == (0.96, 0.0, 0.0)
    assert (pai.sniff_pai(task * 49 + "x\n"), pai.sniff_pai(task * 50 + "x\n")) == (0.0, 0.96)
    assert pai.sniff_pai(task.replace("Terminated", "Done")) == 0.0
    assert pai.sniff_pai(task.replace("1.0", "all")) == 0.0
