"""HTCondor: the same jobs as JSON and as ClassAds; the last run of each, and no time where none is known."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.job_logs.dialects.condor import sniff_condor
from tests.files.job_logs.dialects.test_pbs import BEGIN
from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates
from tests.some_of import some_of

BEGIN_S = 1_767_607_200
HOURS_S = 3600


def job(cluster: int, status: int = 4, hours: int = 2, **other: Any) -> dict[str, Any]:
    """A job as condor_history says it: 4 GPUs, begun at 10:00 on 5 January 2026, after a first run in vain."""
    usual = {"ProcId": 0, "Owner": "ann", "AcctGroup": "ml", "Cmd": "/home/ann/train.sh", "RequestGPUs": 4}
    usual |= {"GPUs_DeviceName": "NVIDIA H100 80GB HBM3", "LastRemoteHost": "slot1_1@g1.example.org"}
    usual |= {"JobStartDate": BEGIN_S - 7200, "JobCurrentStartDate": BEGIN_S}
    usual |= dict.fromkeys(("CompletionDate", "EnteredCurrentStatus"), BEGIN_S + 3600 * hours)
    return {"ClusterId": cluster, **usual, "JobStatus": status} | other


JOBS = [
    job(1),
    job(2, ExitCode=1, hours=1),
    job(3, 3, CompletionDate=0),  # removed while it ran
    job(4, 3, JobStartDate=0, JobCurrentStartDate=0, CompletionDate=0),  # removed while it waited
    job(5, 1, JobStartDate=0, JobCurrentStartDate=0, CompletionDate=0),
    job(6, RequestGPUs=4, GPUsProvisioned=8),
    job(7, CompletionDate="soon"),
    job(8, RequestGPUs=0),
]
GPU_HOURS = 4 * 2 + 4 * 1 + 4 * 2 + 8 * 2


def as_ads(jobs: list[dict[str, Any]]) -> str:
    """As -long prints them."""
    blocks = ["".join(f"{name} = {json.dumps(value)}\n" for name, value in one.items()) for one in jobs]
    return "\n".join(blocks)


@pytest.mark.parametrize(
    "text", some_of([json.dumps(JOBS, indent=1), as_ads(JOBS)], quick=1), ids=["json", "long"]
)
def test_jobs_by_their_last_run(read_log: Read, text: str) -> None:
    read = read_log(text)
    assert fates(read) == ("condor", 8, 5, 1, 0, 2)
    assert read.jobs.milli_gpu_seconds == GPU_HOURS * HOUR
    assert read.jobs.first_start_s == BEGIN_S
    assert codes(read) == counts(bad_time=1, never_started=1, pending=1, no_gpus=1)
    (workload,) = read.workloads
    assert workload.key == "/ml/train-sh"


def test_jobs_without_gpus_or_starts_are_refused_with_what_to_ask(read_log: Read) -> None:
    for name in ("RequestGPUs", "JobStartDate"):
        left = [
            {key: value for key, value in one.items() if key != name and "Current" not in key}
            for one in JOBS[:2]
        ]
        (fault,) = read_log(json.dumps(left)).refused
        assert fault.code == "missing_column"
        assert "condor_history -json -attributes" in str(fault.remedy)


@pytest.mark.parametrize("write", some_of([json.dumps, as_ads], quick=1), ids=["json", "long"])
def test_gpus_that_come_to_nothing_are_those_asked_for_or_none(
    read_log: Read, write: Callable[[list[dict[str, Any]]], str]
) -> None:
    jobs = [job(1, GPUsProvisioned="undefined"), job(2, RequestGPUs="undefined"), job(3)]
    read = read_log(write(jobs))
    assert fates(read) == ("condor", 3, 3, 0, 0, 0)
    assert read.jobs.milli_gpu_seconds == 4 * 2 * 2 * HOUR


@given(st.text(max_size=200))
def test_any_text_is_sniffed(text: str) -> None:
    assert sniff_condor(text) in (0.0, 0.95)


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=20, unique=True), st.booleans())
def test_law_both_forms_are_known(clusters: list[int], is_json: bool) -> None:
    jobs = [job(one) for one in clusters]
    assert sniff_condor(json.dumps(jobs) if is_json else as_ads(jobs)) == 0.95


def condor(job_id: int, start: int, **more: object) -> dict[str, object]:
    times = {"JobCurrentStartDate": start, "CompletionDate": BEGIN + 3600}
    return {"ClusterId": job_id, "ProcId": 0, "JobStatus": 4, "RequestGPUs": 2, **times, **more}


@pytest.mark.parametrize(
    "jobs",
    [
        [condor(1, BEGIN, RoutedToJobId="9.0"), condor(9, BEGIN + 900, RoutedFromJobId="1.0")],
        [condor(9, BEGIN + 900, RoutedFromJobId="1.0"), condor(1, BEGIN)],
        [condor(1, BEGIN, RoutedToJobId="9.0"), condor(9, BEGIN + 900)],
    ],
)
def test_a_job_that_was_handed_on_counts_where_it_ran(read_log: Read, jobs: list[dict[str, object]]) -> None:
    long_form = "\n\n".join(
        "\n".join(f"{name} = {json.dumps(value)}" for name, value in job.items()) for job in jobs
    )
    for text in (json.dumps(jobs), long_form):
        read = read_log(text)
        assert (read.jobs.milli_gpu_seconds, read.intake[0].rows_ignored) == (2 * 0.75 * HOUR, 1)


def test_a_job_that_was_handed_on_to_another_schedd_counts_once(read_log: Read) -> None:
    here, there = condor(1, BEGIN, RoutedToJobId="9.0"), condor(9, BEGIN, RoutedFromJobId="1.0")
    assert read_log(json.dumps([here])).jobs.milli_gpu_seconds == 2 * HOUR
    assert read_log(json.dumps([here]), json.dumps([there])).jobs.milli_gpu_seconds == 2 * HOUR


def test_a_cluster_and_a_manager_of_jobs_hold_no_gpus(read_log: Read) -> None:
    made_one_by_one = condor(1, BEGIN, ProcId=-1, JobMaterializeLimit=4)
    read = read_log(json.dumps([condor(1, BEGIN), made_one_by_one, condor(2, BEGIN, JobUniverse=7)]))
    assert fates(read)[1:] == (3, 2, 0, 0, 1)
    assert read.jobs.milli_gpu_seconds == 2 * HOUR


LATER_S = BEGIN_S + 10 * HOURS_S


@pytest.mark.parametrize(
    ("more", "runs"),
    [
        ({"RemoteWallClockTime": 9.0 * HOURS_S}, [(0, 8), (10, 11)]),
        (
            {"RemoteWallClockTime": 9 * HOURS_S, "LastRemoteWallClockTime": HOURS_S / 2},
            [(0, 8.5), (10, 10.5)],
        ),
        ({"RemoteWallClockTime": HOURS_S}, [(10, 11)]),
        ({}, [(10, 11)]),
        ({"RemoteWallClockTime": 0.0}, [(10, 11)]),
        ({"RemoteWallClockTime": "undefined"}, [(10, 11)]),
        ({"RemoteWallClockTime": 13 * HOURS_S}, [(-2, 10), (10, 11)]),
        ({"RemoteWallClockTime": HOURS_S / 4, "JobStatus": 3, "CompletionDate": 0}, [(10, 10.25)]),
        ({"RemoteWallClockTime": 3 * HOURS_S, "JobStatus": 2, "CompletionDate": 0}, [(0, 3), (10, None)]),
    ],
    ids=[
        "evicted",
        "the last run told",
        "one run",
        "not told",
        "nothing",
        "undefined",
        "more than fits",
        "removed after it was held",
        "runs again",
    ],
)
def test_runs_of_a_job_add_up_to_its_wall_clock_time(
    read_log: Read, more: dict[str, object], runs: list[tuple[float, float | None]]
) -> None:
    one = job(1, JobStartDate=BEGIN_S, JobCurrentStartDate=LATER_S, CompletionDate=LATER_S + HOURS_S)
    one["EnteredCurrentStatus"] = LATER_S + HOURS_S
    read = read_log(json.dumps([one | more, job(2, CompletionDate=LATER_S + HOURS_S, RequestGPUs=0)]))
    hours = sum((11 if end is None else end) - start for start, end in runs)
    assert (read.jobs.gpu_jobs, read.intake[0].rows_rejected) == (len(runs), 0)
    assert read.jobs.gpu_hours == pytest.approx(4 * hours)
