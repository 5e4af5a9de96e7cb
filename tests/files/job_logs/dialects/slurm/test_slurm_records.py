"""Slurm's JSON of several versions: the same job is the same job in all of them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.dialects.slurm.slurm_fields import RECORD_COLUMNS
from gpuplanner.files.job_logs.dialects.slurm.slurm_records import gpus_in_text, number, slurm_record, sniff
from tests.files.job_logs.cluster_damage import often
from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates
from tests.files.job_logs.slurm_texts import jobstats_comment, json_document, json_job, set_number
from tests.some_of import one_in


def told(job: dict[str, Any]) -> dict[str, str]:
    return dict(zip(RECORD_COLUMNS, slurm_record(job), strict=True))


@pytest.mark.parametrize("version", [2108, 2302, 2311])
def test_one_job_reads_the_same_in_every_version(version: int) -> None:
    of_the_last = slurm_record(json_job(7, {"gpu": 2}, version=2505))
    assert slurm_record(json_job(7, {"gpu": 2}, version=version)) == of_the_last


def test_jobs_of_a_document_and_never_their_steps(read_log: Read) -> None:
    read = read_log(
        json_document(
            json_job(1, {"gpu:a100": 2, "gpu": 2, "gpumem": 80, "gpuutil": 90}),
            json_job(2, {}),
            json_job(3, {}, state="PENDING", start=0, end=0, elapsed=0),
            json_job(4, {}, state="CANCELLED", start=0, elapsed=0),
            json_job(5, {"gpu": 4}, state="RUNNING", end=0, elapsed=7200),
            json_job(6, {"gpu": 1}, end=0),
        )
    )
    assert fates(read) == ("sacct_json", 6, 3, 1, 0, 2)
    assert read.jobs.milli_gpu_seconds == (2 + 8) * HOUR
    assert read.jobs.peak_milli_gpus == 6_000
    assert codes(read) == counts(
        bad_time=1, never_started=1, no_gpus=1, pending=1, running=1, unknown_gpu_model=1
    )


@pytest.mark.parametrize(
    ("changes", "job_id"),
    [
        ({}, "9"),
        ({"array": {"job_id": 5, "task_id": 3, "task": None}}, "5_3"),
        ({"array": {"job_id": 5, "task_id": set_number(0), "task": ""}}, "5_0"),
        ({"array": {"job_id": 9, "task_id": set_number(None), "task": ""}}, "9"),
        ({"array": {"job_id": 9, "task_id": set_number(None), "task": "1-10%2"}}, "9_[1-10%2]"),
        ({"het": {"job_id": 8, "job_offset": 1}}, "8+1"),
        ({"het": {"job_id": 8, "job_offset": set_number(0)}}, "8+0"),
        ({"het": {"job_id": 0, "job_offset": None}}, "9"),
    ],
)
def test_ids_are_what_sacct_prints(changes: dict[str, Any], job_id: str) -> None:
    assert told(json_job(9, {}, **changes))["JobID"] == job_id


@pytest.mark.parametrize(
    "nothing",
    [
        *(None, -2, -1, 2**32 - 2, 2**32 - 1, 2**64 - 2, 2**64 - 1, True, "x"),
        *(set_number(None), {"infinite": True, "number": 5}),
    ],
)
def test_numbers_that_stand_for_none_are_none(nothing: object) -> None:
    assert number(nothing) is None
    assert told(json_job(1, {"gpu": nothing}))["AllocTRES"] == ""  # type: ignore[dict-item]
    assert told(json_job(1, {}, elapsed=nothing))["ElapsedRaw"] == ""


def test_a_record_of_a_requeued_job_lasts_as_long_as_was_counted(read_log: Read) -> None:
    jobs = [
        json_job(1, {"gpu": 1}, state="REQUEUED", elapsed=1800),
        json_job(2, {"gpu": 1}, elapsed=1800, suspended=1800),  # its GPUs were held all the time
        json_job(3, {"gpu": 1}, elapsed=0),
    ]
    assert read_log(json_document(*jobs)).jobs.milli_gpu_seconds == (1800 + 3600 + 3600) * 1000


@pytest.mark.parametrize(
    ("changes", "start", "end", "elapsed"),
    [
        ({}, 1000, 4600, "3600"),
        ({"elapsed": 1800}, 1000, 2800, "1800"),  # put back in the queue: it ended before the job did
        ({"elapsed": 1800, "suspended": 600}, 1000, 3400, "1800"),
        ({"elapsed": 1800, "suspended": 1800}, 1000, 4600, "1800"),
        ({"elapsed": 5000}, 1000, 4600, "5000"),
        ({"elapsed": None}, 1000, 4600, ""),
        ({"elapsed": 0}, 1000, 4600, "0"),
        ({"end": 0}, 1000, None, "3600"),
        ({"start": 0}, None, 4600, "3600"),
    ],
)
def test_an_end_is_not_later_than_what_was_counted(
    changes: dict[str, Any], start: int | None, end: int | None, elapsed: str
) -> None:
    record = told({"job_id": 1, "time": {"start": 1000, "end": 4600, "elapsed": 3600} | changes})
    epochs = ["" if moment is None else str(moment) for moment in (start, end)]
    assert [record["Start"], record["End"], record["ElapsedRaw"]] == [*epochs, elapsed]


def test_what_was_allocatedcounts_before_what_was_asked_for() -> None:
    asked = [{"type": "gres", "name": "gpu", "count": 4}]
    assert told(json_job(1, {}, tres={"allocated": [], "requested": asked}))["AllocTRES"] == ""
    assert told(json_job(1, {}, tres={"requested": asked}))["AllocTRES"] == "gres/gpu=4"


def test_activity_and_hosts() -> None:
    comment = jobstats_comment({"a": {"gpu_utilization": {"0": 40}}})
    found = told(json_job(1, {"gpu": 1}, comment={"administrator": comment}, nodes="gpu-[01-02]"))
    assert (found["GPUActivity"], found["NodeList"]) == ("40.0", "gpu-[01-02]")


@pytest.mark.long
@pytest.mark.parametrize("form", one_in(4, ["document", "array", "objects", "two documents"]))
def test_jobs_taken_out_of_their_document(read_log: Read, form: str) -> None:
    jobs = [json_job(1, {"gpu": 1}), json_job(2, {"gpu": 1})]
    text = {
        "document": json_document(*jobs),
        "array": json.dumps(jobs, indent=1),
        "objects": "\n".join(map(json.dumps, jobs)),
        "two documents": json_document(jobs[0]) + "\n" + json_document(jobs[1]),
    }[form]
    assert fates(read_log(text)) == ("sacct_json", 2, 2, 0, 0, 0)


def test_jobs_of_the_queue(read_log: Read) -> None:
    """As squeue and scontrol give them: of a running job the end is only a limit."""
    common = {"account": "ml", "partition": "gpu", "user_name": "ann", "name": "a", "nodes": "gpu-01"}
    jobs = [
        {"job_id": 1, "job_state": ["RUNNING"], "tres_alloc_str": "cpu=8,node=1,gres/gpu:h100=8,gres/gpu=8"}
        | {"start_time": set_number(1767607200), "end_time": set_number(1799999999)}
        | {"array_job_id": set_number(0), "array_task_id": set_number(None), "node_count": set_number(1)},
        {"job_id": 2, "job_state": "COMPLETED", "tres_alloc_str": "gres/gpu=1"}
        | {"start_time": 1767607200, "end_time": 1767610800},
        {"job_id": 3, "job_state": ["PENDING"], "start_time": set_number(1799999999), "end_time": 0},
    ]
    read = read_log(json.dumps({"meta": {"Slurm": {}}, "jobs": [common | job for job in jobs]}))
    assert fates(read) == ("sacct_json", 3, 2, 0, 0, 1)
    assert read.jobs.milli_gpu_seconds == 9 * HOUR


def test_json_that_is_cut_off_keeps_its_whole_jobs_and_says_so(read_log: Read) -> None:
    text = json_document(json_job(1, {"gpu": 1}), json_job(2, {"gpu": 1}), json_job(3, {"gpu": 1}))
    read = read_log(text[: text.rindex('"job_id"')])
    assert fates(read) == ("sacct_json", 2, 2, 0, 0, 0)
    (issue,) = [issue for issue in read.intake[0].issues if issue.code == "truncated_file"]
    assert "after job 2" in str(issue.message)
    with pytest.raises(PlannerError) as error:
        read_log(text[: text.index('"time"')])
    assert error.value.code == "truncated_file"


def test_a_document_is_known_and_surely_by_its_jobs() -> None:
    assert sniff(json_document()) > 0.5
    assert sniff(json_document(json_job(1, {}))) > 0.9


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


CHANGES = st.dictionaries(st.sampled_from(sorted(json_job(1, {"gpu": 1}))), VALUES, max_size=4)


@often
@given(CHANGES, VALUES)
def test_any_value_in_any_place_of_a_job_is_a_record(changes: dict[str, Any], other: object) -> None:
    queued, allocated = {"job_state": other, "start_time": other}, {"tres": {"allocated": [other]}}
    for job in (json_job(1, {"gpu": 1}) | changes, other, queued, allocated):
        found = slurm_record(job)
        assert len(found) == len(RECORD_COLUMNS)
        assert all(isinstance(text, str) for text in found)


def test_what_is_no_json_is_refused_in_words_where_it_is_called_so(read_log: Read) -> None:
    for form in ("sacct_json", "sonar_json"):
        (error,) = read_log("JobID|Start|End|AllocTRES\n1|||\n", format=form).refused
        assert error.code == "not_a_job_log"


@pytest.mark.parametrize(
    ("asked", "gpus"),
    [("TresPerJob=gres/gpu:4", 4), ("TresPerNode=gres/mps:50", 1), ("TresPerNode=gres/shard:2", None)],
)
def test_the_controller_tells_gpus_also_by_what_was_asked_for(
    read_log: Read, asked: str, gpus: int | None
) -> None:
    job = "JobId=1 JobName=a UserId=ann(1) JobState=COMPLETED StartTime=2026-01-05T10:00:00 EndTime=2026-01-05T11:00:00"
    read = read_log(f"{job} NumNodes=2 TRES=cpu=4,node=2 {asked}\n")
    assert read.intake[0].rows_rejected == (gpus is None)
    assert read.jobs.milli_gpu_seconds == (gpus or 0) * HOUR


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gpu:(null):2(IDX:0-1)", "gres/gpu=2"),
        (["gpu:(null):2(IDX:0-1)"] * 2, "gres/gpu=4"),
        ("gpu:1.5K", "gres/gpu=1500.0"),
        ("gpu:a100", "gres/gpu:a100=1"),
    ],
)
def test_no_model_and_a_count_in_thousands_are_no_models(text: object, expected: str) -> None:
    assert gpus_in_text(text) == expected
