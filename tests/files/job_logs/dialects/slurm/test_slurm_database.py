"""The job table of Slurm's database: numbers for states, GPUs where they are named, and no guess where they are not."""

import pytest

from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates

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
