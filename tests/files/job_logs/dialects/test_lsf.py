"""LSF: records of lsb.acct by position, blocks of bacct -l, and bjobs -json; GPUs in each of their words."""

import json
import random
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.job_logs.dialects.lsf import LsfGpus, bacct_jobs, lsf_gpus, with_year
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.job_logs.cluster_damage import check_texts, damaged_text, often
from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates


def record(
    job: int = 7,
    start: int = 1767607200,
    end: int = 1767614400,
    hosts: tuple[str, ...] = ("4*gpu1", "4*gpu2"),
    status: int = 64,
    need: str = "select[type == any] rusage[ngpus_physical=4.00]",
    project: str = "lab",
    index: int = 0,
) -> str:
    """A JOB_FINISH line, its fields in the documented order."""
    named = " ".join(f'"{host}"' for host in hosts)
    return (
        f'"JOB_FINISH" "10.1" {end} {job} 1000 33554438 8 1767600000 0 0 {start} "ana" "gpu" "" "" "" "login" '
        f'"/home/ana" "" "out" "" "1767600000.{job}" 1 "asked" {len(hosts)} {named} {status} 60.0 "train 1" '
        f'"python ""train.py"" --num=9" {"-1 " * 19}"" "{project}" 0 8 "" "" {index} 2048 0 "" "" "" "" 0 "" 0 "" -1 '
        f'"/ana" "" "" "" "" -1 "" "" 5136 "" 0 "" "" 0 0 0 0 2048 "{need} " "" -1 "" -1 0 "" 0 0 "" 7200'
    )


ACCT = "\n".join(
    [
        "# a note",
        record(),
        record(8, hosts=("gpu1",), need="", project="default", status=32, index=3),
        record(9, start=0, status=32),
        '"EVENT_ADRSV_FINISH" "10.1" 1767614400 1 2',
        record(10, need="select[x] rusage[ngpus_physical=1.00:gmodel=TeslaV100_SXM2_32GB]", hosts=("gpu3",)),
    ]
)


def test_the_records_of_lsb_acct(read_log: Read) -> None:
    read = read_log(ACCT)
    assert fates(read) == ("lsf", 6, 3, 0, 0, 3)
    assert codes(read) == counts(never_started=1, no_gpus=1, unknown_gpu_model=1)
    assert read.jobs.milli_gpu_seconds == (8 + 1) * 2 * HOUR
    (workload,) = read.workloads
    assert (workload.key, workload.max_nodes) == ("/lab/train", 2)
    assert "V100" in read.cube.gpu_models


BACCT = """
Accounting information about jobs that are:
  - submitted by all users.
------------------------------------------------------------------------------

Job <7[1]>, Job Name <train>, User <ana>, Project <lab>, Status <DONE>, Queue <gpu>,
                     Command <python train.py>, Share group charged </ana>
Mon Jan  5 09:59:00 2026: Submitted from host <login>, CWD <$HOME>, Requested GPU
                      <num=2:mode=shared:j_exclusive=yes>;
Mon Jan  5 10:00:00 2026: Dispatched 8 Task(s) on Host(s) <4*gpu1> <4*gpu2>, Allocated
                     8 Slot(s) on Host(s) <4*gpu1> <4*gpu2>, Effective RES_REQ <
                     select[type == any] rusage[ngpus_physical=2.00] >;
Mon Jan  5 12:00:00 2026: Completed <done>.

Accounting information about this job:
     Share group charged </ana>
     CPU_T     WAIT     TURNAROUND   STATUS     HOG_FACTOR    MEM    SWAP
      0.04       60           7260     done         0.0000     1M      3M
------------------------------------------------------------------------------

Job <8>, User <ben>, Project <default>, Status <EXIT>, Queue <gpu>, Command <sleep>
Mon Jan  5 09:59:00 2026: Submitted from host <login>, Requested GPU <num=1>;
Mon Jan  5 10:00:00 2026: Dispatched to <gpu3>;
Mon Jan  5 11:00:00 2026: Completed <exit>; TERM_RUNLIMIT: job killed after reaching run limit.
------------------------------------------------------------------------------

Job <9>, User <ben>, Project <default>, Status <EXIT>, Queue <gpu>, Command <sleep>
Mon Jan  5 09:59:00 2026: Submitted from host <login>;
Mon Jan  5 10:00:00 2026: Completed <exit>; TERM_OWNER: job killed by owner.
------------------------------------------------------------------------------
SUMMARY:      ( time unit: second )
 Total number of done jobs:       1      Total number of exited jobs:     2
"""


def test_the_blocks_of_bacct(read_log: Read) -> None:
    read = read_log(BACCT, timezone="Europe/Oslo")
    assert fates(read) == ("lsf", 3, 2, 0, 0, 1)
    assert read.jobs.milli_gpu_seconds == (4 * 2 + 1) * HOUR
    assert read.jobs.first_start_s == 1_767_603_600  # 09:00 UTC
    by_key = {workload.key: workload for workload in read.workloads}
    assert by_key["/lab/train"].max_nodes == 2
    assert by_key["/ben/unnamed"].failed_milli_gpu_seconds == HOUR


@pytest.mark.long
def test_a_block_that_never_ends_keeps_the_lines_of_its_beginning(read_log: Read) -> None:
    """A job has 2,000 lines at most; what is told of it below them is not of it."""
    told = "Mon Jan  5 11:00:00 2026: Completed <exit>; TERM_RUNLIMIT"
    for lines, accepted in ((1900, 2), (2100, 1)):
        read = read_log(BACCT.replace(told, "\n".join([*["     said of it"] * lines, told])), timezone="UTC")
        assert read.intake[0].rows_accepted == accepted


def test_times_without_a_year_are_refused_with_what_to_set(read_log: Read) -> None:
    (fault,) = read_log(BACCT.replace(" 2026:", ":")).refused
    assert fault.code == "missing_column"
    assert "LSB_DISPLAY_YEAR" in str(fault.remedy)


BETWEEN = (
    "  - completed between  Thu Jan  1 00:00:00 2026\n                    and  Sat Jan 31 23:59:00 2026\n"
)


@pytest.mark.long
def test_a_year_is_taken_from_the_period_that_the_listing_names(read_log: Read) -> None:
    text = BACCT.replace(" 2026:", ":").replace(
        "Mon Jan  5 10:00:00: Dispatched 8", "Wed Dec 31 10:00:00: Dispatched 8"
    )
    read = read_log(text.replace("  - submitted by all users.\n", BETWEEN), timezone="Europe/Oslo")
    assert fates(read) == ("lsf", 3, 2, 0, 0, 1)
    assert read.jobs.first_start_s == 1_767_603_600 - 5 * 86_400  # a Wednesday of the year before
    said = {issue.code: issue.message for issue in read.intake[0].issues}
    assert "2026" in str(said["undecided"])


def _without_years(folder: Path) -> Path:
    path = folder / "bacct.txt"
    path.write_text(BACCT.replace(" 2026:", ":"), encoding="utf-8")
    return path


@pytest.mark.long
def test_a_year_is_taken_from_the_bounds_of_the_window(tmp_path: Path) -> None:
    path = _without_years(tmp_path)
    year = WindowRequest(1_767_225_600, 1_798_761_600)  # 2026
    read = import_jobs([str(path)], options=ReadOptions(timezone="Europe/Oslo"), window_request=year)
    assert read.jobs.milli_gpu_seconds == (4 * 2 + 1) * HOUR
    (refused,) = import_jobs([str(path)], window_request=WindowRequest(1_767_225_600)).refused
    assert "--start and --end" in str(refused.remedy)


@pytest.mark.long
def test_a_day_that_is_no_such_day_of_the_week_is_no_time(tmp_path: Path) -> None:
    path = _without_years(tmp_path)
    year = WindowRequest(1_609_459_200, 1_640_995_200)  # 2021: its 5th of January was a Tuesday
    read = import_jobs([str(path)], window_request=year)
    assert fates(read) == ("lsf", 3, 0, 2, 0, 1)
    assert "bad_time" in codes(read)


@given(st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)), st.integers(0, 3), st.integers(0, 1))
def test_law_the_year_of_a_time_is_found_among_those_of_a_period(
    when: datetime, more: int, later: int
) -> None:
    text = when.strftime("%a %b %d %H:%M:%S")
    first = when.year + later
    assert with_year(text, range(first, first + more + 1)) == f"{text} {when.year}"
    assert with_year(text, ()) == text


BJOBS = {
    "COMMAND": "bjobs",
    "JOBS": 3,
    "RECORDS": [
        {"JOBID": "1", "STAT": "DONE", "USER": "ana", "QUEUE": "gpu", "JOB_NAME": "train"}
        | {"START_TIME": "Jan  5 10:00:00 2026", "FINISH_TIME": "Jan  5 12:00:00 2026 L"}
        | {"EXEC_HOST": "4*gpu1:4*gpu2", "GPU_NUM": "8"},
        {"JOBID": "2", "STAT": "RUN", "START_TIME": "Jan  5 11:00 2026"}
        | {"EFFECTIVE_RESREQ": "rusage[ngpus_physical=1]"},
        {"JOBID": "3", "STAT": "PEND", "START_TIME": "", "GPU_NUM": "1"},
    ],
}


def test_the_records_of_bjobs(read_log: Read) -> None:
    read = read_log(json.dumps(BJOBS, indent=2))
    assert fates(read) == ("lsf", 3, 2, 0, 0, 1)
    assert read.jobs.milli_gpu_seconds == (8 * 2 + 1) * HOUR


@pytest.mark.parametrize(
    ("requests", "expected"),
    [
        (["", "num=2:mode=shared"], LsfGpus("4")),
        (["num=2/task:j_exclusive=yes"], LsfGpus("16")),
        (["rusage[ngpus_excl_p=1]", "num=4"], LsfGpus("2")),
        (["rusage[mem=1]"], LsfGpus("")),
        (["num=1:mig=2/1:gmodel=NVIDIAA100_SXM4_40GB"], LsfGpus("0.571428571", "A100 40GB SXM")),
        (["maxnum=3 num_gpus"], LsfGpus("")),
        (["num=0"], LsfGpus("")),
    ],
)
def test_gpus_in_lsf_s_words(requests: list[str], expected: LsfGpus) -> None:
    assert lsf_gpus(requests, hosts=2, tasks=8) == expected


@often
@given(st.integers(0, 2**32))
def test_blocks_of_bacct_are_texts_whatever_they_hold(seed: int) -> None:
    blocks = list(bacct_jobs(damaged_text(BACCT, random.Random(seed)).splitlines(keepends=True)))
    assert len({row for row, _ in blocks}) == len(blocks)
    for _, texts in blocks:
        check_texts(texts)


def test_a_listing_of_bjobs_without_a_column_of_gpus_tells_none(read_log: Read) -> None:
    ran = {"START_TIME": "Jan  5 10:00:00 2026", "FINISH_TIME": "Jan  5 12:00:00 2026 L"}
    one = {"JOBID": "1", "USER": "ann", "STAT": "DONE", "EXEC_HOST": "n1", **ran}
    for more, code in (({}, "gpus_unknown"), ({"GPU_NUM": "-"}, "no_gpus")):
        listing = {"COMMAND": "bjobs", "JOBS": 1, "RECORDS": [{**one, **more}]}
        assert code in codes(read_log(json.dumps(listing)))
