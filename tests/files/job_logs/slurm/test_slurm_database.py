"""The job table of Slurm's database: numbers for states, GPUs where they are named, and no guess where they are not."""

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.files.importing.intake import ReadResult
from tests.files.job_logs.cluster_damage import check_read_or_refused, damaged_text
from tests.some_of import examples

Read = Callable[..., ReadResult]
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
    (file,) = read.intake
    assert (file.format, file.rows_read, file.rows_accepted, file.rows_ignored) == ("slurm_db", 6, 4, 2)
    assert (
        read.jobs.milli_gpu_seconds == (2 * 1 + 4 * 2 + 1 * 2) * 3_600_000
    )  # the last until the window ends
    codes = {issue.code: issue.count for issue in file.issues}
    assert codes == codes | {"running": 1, "pending": 1, "never_started": 1, "no_gpus": 1}
    assert "unknown_state" not in codes


def test_flags_above_the_state_do_not_hide_it(read_log: Read) -> None:
    (file,) = read_log(TABLE.replace(",xeon,3,", f",xeon,{3 | 1 << 14},")).intake
    assert "unknown_state" not in {issue.code for issue in file.issues}


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
    ("header", "row", "word"),
    [
        ("id_job,state,time_start,time_end", "1,3,1611000000,1611003600", "gres_used or tres_alloc"),
        (
            "id_job,state,time_start,time_end,tres_alloc",
            '1,3,1611000000,1611003600,"1=4,1001=2"',
            "gres_used",
        ),
    ],
)
def test_a_table_that_does_not_tell_gpus_is_refused_by_what_it_lacks(
    read_log: Read, header: str, row: str, word: str
) -> None:
    (refused,) = read_log(f"{header}\n{row}\n").refused
    assert refused.code == "missing_column" and word in str(refused.what)


@pytest.mark.long
@settings(
    max_examples=examples(2), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 2**32))
def test_a_damaged_table_is_read_row_by_row_or_refused(read_log: Read, seed: int) -> None:
    text = damaged_text(TABLE, random.Random(seed))
    check_read_or_refused(lambda: read_log(text, format="slurm_db").intake[0])
