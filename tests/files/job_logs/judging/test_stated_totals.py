"""Run times, GPU-hours and totals that a job log states itself, against what is read of it."""

import json
from collections.abc import Callable

import pytest

from gpuplanner.files.importing.intake import ReadResult

Read = Callable[..., ReadResult]

SACCT = "JobID|State|Start|End|Elapsed|Suspended|AllocTRES"
RUN = "2026-01-05T10:00:00Z,2026-01-05T12:00:00Z"


def judged(read: ReadResult) -> list[tuple[str, str, float, float, bool]]:
    """What the file states and what was read."""
    (file,) = read.intake
    return [
        (one.quantity, one.subject, one.stated, round(one.read, 2), one.agrees) for one in file.reconciliation
    ]


def warning(read: ReadResult) -> str:
    """What is said of figures that disagree; empty where all agree."""
    (file,) = read.intake
    return next((str(issue.message) for issue in file.issues if issue.code == "totals_disagree"), "")


def sacct(*rows: str) -> str:
    """Jobs of four GPUs as sacct lists them, from their states to the time that they were suspended."""
    lines = [f"{number}|{row}|gres/gpu=4" for number, row in enumerate(rows, 1)]
    return "\n".join((SACCT, *lines)) + "\n"


def test_elapsed_times_are_one_sum_and_steps_are_none(read_log: Read) -> None:
    job = "COMPLETED|2026-01-05T10:00:00|2026-01-06T12:00:00|1-02:00:00|00:00:00"
    step = "1.batch|COMPLETED|2026-01-05T10:00:00|2026-01-05T11:00:00|01:00:00|00:00:00|\n"
    read = read_log(sacct(job) + step)
    assert (judged(read), warning(read)) == ([("elapsed_s", "file", 93600, 93600, True)], "")


def test_time_that_a_job_was_suspended_is_no_disagreement(read_log: Read) -> None:
    read = read_log(sacct("COMPLETED|2026-01-05T10:00:00|2026-01-05T12:00:00|01:30:00|00:30:00"))
    assert judged(read) == [("elapsed_s", "file", 7200, 7200, True)]


def test_a_job_that_runs_on_and_one_without_an_elapsed_time_are_compared_with_nothing(read_log: Read) -> None:
    read = read_log(
        sacct(
            "RUNNING|2026-01-05T10:00:00|Unknown|02:00:00|00:00:00",
            "COMPLETED|2026-01-05T10:00:00|2026-01-05T12:00:00||00:00:00",
        )
    )
    assert judged(read) == [("elapsed_s", "file", 7200, 7200, True)]


def test_elapsed_times_that_are_others_are_a_warning_with_the_worst_rows(read_log: Read) -> None:
    read = read_log(
        sacct(
            "COMPLETED|2026-01-05T10:00:00|2026-01-05T12:00:00|02:00:00|00:00:00",
            "COMPLETED|2026-01-05T10:00:00|2026-01-05T12:00:00|3-02:00:00|00:00:00",
        )
    )
    assert judged(read) == [
        ("elapsed_s", "file", 273600, 14400, False),
        ("elapsed_s", "row 3", 266400, 7200, False),
    ]
    assert "1 job differs, in row 3; check times" in warning(read)


@pytest.mark.parametrize(
    ("heading", "stated", "agrees"),
    [
        ("gpu_hours", ("8", "16"), True),
        ("Used GPU-h", ("8.0", "16.0"), True),
        ("gpuHours", ("16", "32"), False),
        ("GPU-Stunden", ('"8,00"', '"16,00"'), True),
    ],
)
def test_gpu_hours_of_jobs_and_of_a_total(
    read_log: Read, heading: str, stated: tuple[str, str], agrees: bool
) -> None:
    read = read_log(f"job_id,gpus,start,end,{heading}\na,4,{RUN},{stated[0]}\nTotal,,,,{stated[0]}\n")
    (file,) = read.intake
    assert (file.rows_accepted, file.rows_ignored) == (1, 1)
    assert {(one.quantity, one.read, one.agrees) for one in file.reconciliation} == {("gpu_hours", 8, agrees)}
    assert bool(warning(read)) == (not agrees)


def test_gpu_hours_beside_a_duration_without_an_end_are_compared(read_log: Read) -> None:
    read = read_log("run,gpus,start,duration_h,gpu_hours\na,4,2026-01-05T10:00:00Z,2,32\n")
    assert judged(read)[0] == ("gpu_hours", "file", 32, 8, False)


def test_subtotals_are_of_the_jobs_since_the_one_before(read_log: Read) -> None:
    text = f"job_id,gpus,start,end,gpu_hours\na,4,{RUN},8\nSubtotal,,,,8\nb,2,{RUN},4\nSubtotal,,,,4\nTotal,,,,13\n"
    assert judged(read_log(text)) == [
        ("gpu_hours", "file", 12, 12, True),
        ("gpu_hours", "group", 8, 8, True),
        ("gpu_hours", "group", 4, 4, True),
        ("gpu_hours", "file", 13, 12, False),
    ]


@pytest.mark.parametrize(("heading", "text", "agrees"), [("elapsed", "2", True), ("elapsed_s", "2", False)])
def test_a_run_time_without_a_unit_is_in_the_one_that_fits(
    read_log: Read, heading: str, text: str, agrees: bool
) -> None:
    read = read_log(f"job_id,gpus,start,end,{heading}\na,4,{RUN},{text}\n")
    assert [one[4] for one in judged(read)][:1] == [agrees]


def test_a_few_seconds_of_a_prologue_are_no_disagreement(read_log: Read) -> None:
    head = "01/05/2026 12:00:00;E;1.pbs;user=a Resource_List.ngpus=1 start=1767225600 end=1767232800 Exit_status=0"
    assert judged(read_log(f"{head} resources_used.walltime=01:59:20\n"))[0][4]
    assert "1 job differs" in warning(read_log(f"{head} resources_used.walltime=12:00:00\n"))


def test_the_run_time_of_bjobs_is_compared(read_log: Read) -> None:
    record = {"JOBID": "1", "STAT": "DONE", "GPU_NUM": "1", "RUN_TIME": "3600 second(s)"}
    record |= {"START_TIME": "Jan  5 10:00:00 2026", "FINISH_TIME": "Jan  5 12:00:00 2026 L"}
    read = read_log(json.dumps({"COMMAND": "bjobs", "JOBS": 1, "RECORDS": [record]}))
    assert judged(read)[0] == ("elapsed_s", "file", 3600, 7200, False)
