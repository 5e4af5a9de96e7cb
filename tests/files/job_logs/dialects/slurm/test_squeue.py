"""squeue as text: jobs of one moment, with their starts and resources."""

from collections.abc import Callable

import pytest

from gpuplanner.files.importing.intake import ReadResult

BARS = """JOBID|PARTITION|NAME|USER|STATE|START_TIME|END_TIME|TIME|NODES|TRES_PER_NODE|NODELIST(REASON)
101|gpu|train|ann|RUNNING|2026-09-01T08:00:00|2026-09-09T08:00:00|2-00:00:00|2|gres:gpu:h100:8|gn[01-02]
102|gpu|eval|bob|PENDING|N/A|N/A|0:00|1|gres:gpu:1|(Priority)
"""
BLANKS = """ JOBID PARTITION NAME USER ST START_TIME TIME NODES TRES_ALLOC
 101 gpu train ann R 2026-09-01T08:00:00 2-00:00:00 2 cpu=128,mem=1T,node=2,gres/gpu=16,gres/gpu:h100=16
 102 gpu eval bob PD N/A 0:00 1 cpu=8,gres/gpu=1
"""


@pytest.mark.parametrize("text", [BARS, BLANKS])
def test_what_runs_counts_for_the_time_so_far(read_log: Callable[..., ReadResult], text: str) -> None:
    answer = read_log(text)
    (file,) = answer.intake
    assert (file.format, file.rows_accepted, file.rows_ignored) == ("squeue", 1, 1)
    assert answer.cube is not None
    assert answer.cube.total == 16 * 48 * 3_600_000  # 2 nodes of 8 GPUs for two days, not until the limit
    assert {issue.code for issue in file.issues} >= {"running", "pending"}


def test_a_line_of_another_width_is_told(read_log: Callable[..., ReadResult]) -> None:
    more = " 103 gpu two words ann R 2026-09-01T08:00:00 1:00:00 1 gres/gpu=8\n 104 gpu ann R 2026-09-01T08:00:00 1 x\n"
    (file,) = read_log(BLANKS + more).intake  # what is too many is of the name, what lacks is told
    assert (file.rows_read, file.rows_accepted, file.rows_rejected) == (4, 2, 1)


RUNS = "7|ann|R|2026-09-01T08:00:00|2:00:00|1"


@pytest.mark.parametrize(
    ("column", "none"), [("TRES_PER_NODE", "N/A"), ("TRES_PER_JOB", "N/A"), ("GRES", "(null)")]
)
def test_gpus_that_may_have_been_asked_for_otherwise_are_unknown(
    read_log: Callable[..., ReadResult], column: str, none: str
) -> None:
    head = f"JOBID|USER|ST|START_TIME|TIME|NODES|{column}"
    (file,) = read_log(f"{head}\n{RUNS}|{none}\n8{RUNS[1:]}|gres/gpu:4\n").intake
    assert (file.rows_accepted, file.rows_rejected) == (1, 1)
    message = next(str(issue.message) for issue in file.issues if issue.code == "gpus_unknown")
    assert "-O tres-alloc" in message
    (file,) = read_log(f"{head}|TRES_ALLOC\n{RUNS}|{none}|cpu=4,mem=8G,node=1\n").intake
    assert {issue.code for issue in file.issues} >= {"no_gpus"}  # what it was given has none
