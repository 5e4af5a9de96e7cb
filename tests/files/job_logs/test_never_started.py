"""Slurm's jobs that were over before they began are left out in every state; what did run, or is broken, is not."""

import pytest

from tests.files.job_logs.row_ends import Read
from tests.some_of import some_of

HEADER = "JobID|State|Start|End|NodeList|AllocTRES\n"
AT = "2026-01-01T05:00:00"


def ends(read_log: Read, row: str) -> tuple[int, int, int]:
    file = read_log(HEADER + row + "\n").intake[0]
    return file.rows_accepted, file.rows_rejected, file.rows_ignored


@pytest.mark.parametrize(
    "state", some_of(["CANCELLED by 7", "COMPLETED", "FAILED", "TIMEOUT", "NODE_FAIL", "DEADLINE"], quick=1)
)
@pytest.mark.parametrize("start", some_of(["Unknown", AT, "None", "", "1970-01-01T01:00:00"], quick=1))
def test_without_a_start_or_without_length_and_node(read_log: Read, state: str, start: str) -> None:
    assert ends(read_log, f"1|{state}|{start}|{AT}|None assigned|") == (0, 0, 1)


@pytest.mark.parametrize(
    ("row", "end"),
    some_of(
        [
            (f"1|FAILED|{AT}|{AT}|n1|gres/gpu=1", (1, 0, 0)),  # of no length, and it had a node
            (f"1|RUNNING|Unknown|{AT}||", (0, 1, 0)),
            (f"1|FAILED|yesterday|{AT}|None assigned|", (0, 1, 0)),
            ("1|COMPLETED", (0, 1, 0)),  # cut off, which says nothing of its start
        ],
        quick=1,
    ),
)
def test_what_ran_or_is_broken_is_not(read_log: Read, row: str, end: tuple[int, int, int]) -> None:
    assert ends(read_log, row) == end


def test_without_node_names_a_list_of_what_was_given_tells_it(read_log: Read) -> None:
    rows = f"1|CANCELLED|{AT}|{AT}|\n2|CANCELLED|{AT}|{AT}|cpu=1,node=1\n"
    file = read_log("JobID|State|Start|End|AllocTRES\n" + rows).intake[0]
    assert (file.rows_accepted, file.rows_ignored) == (1, 1)
