"""The Standard Workload Format: it counts processors, so it is a log of GPUs only where that is stated."""

import pytest

from gpuplanner.files.job_logs.dialects.traces.standard_workload import job_texts, sniff_swf
from tests.files.job_logs.row_ends import HOUR, Read, fates
from tests.some_of import some_of

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


def test_a_submit_time_of_minus_one_is_unknown() -> None:
    texts = job_texts("1 -1 0 3600 8 -1 -1 8 7200 -1 1 3 1 5 1 1 -1 -1", BEGIN_S)
    assert (texts["submit"], texts["start"], texts["end"], texts["state"]) == ("", "", "", "COMPLETED")
