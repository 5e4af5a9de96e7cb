"""PBS and Torque accounting logs: which lines are jobs, from when to when, with how many GPUs."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.job_logs.dialects.condor import sniff_condor
from gpuplanner.files.job_logs.dialects.pbs import gpus_of, model_of, pbs_jobs, read_event
from tests.files.job_logs.cluster_damage import check_texts, damaged_text, often
from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates
from tests.some_of import some_of

BEGAN = "user=ana group=users project=_pbs_project_default jobname=train queue=gpu ctime=1767225000 start=1767225600"
LOG = f"""01/01/2026 00:00:00;L;license;floating license hour:0
01/01/2026 00:00:10;Q;1.pbs;user=ana queue=gpu
01/01/2026 00:00:10;S;1.pbs;{BEGAN} Resource_List.ngpus=8
01/01/2026 02:00:10;E;1.pbs;{BEGAN} account="Lab 7" exec_host=n1/0*4+n2/0*4 Resource_List.ngpus=8 \
Resource_List.gpu_type=a100 Resource_List.nodect=2 end=1767232800 Exit_status=0 resources_used.gpupercent=400 \
resources_used.walltime=02:00:00
01/01/2026 02:00:00;S;2.pbs;user=ben jobname=infer queue=gpu start=1767232800 Resource_List.select=2:ncpus=4:ngpus=2
01/01/2026 03:00:00;R;2.pbs;user=ben jobname=infer queue=gpu
01/01/2026 03:30:00;S;3.pbs;user=ben jobname=infer queue=gpu start=1767238200 Resource_List.neednodes=1:ppn=2:gpus=1
01/01/2026 04:00:00;E;4.pbs;user=ben jobname=cpu queue=cpu start=1767236400 end=1767240000 Exit_status=1
01/01/2026 04:00:00;D;5.pbs;requestor=ben@login
01/01/2026 04:00:00;E;6.pbs;user=ben jobname=gone queue=gpu end=1767240000 Exit_status=271 Resource_List.ngpus=1
"""


def test_the_jobs_of_a_log(read_log: Read) -> None:
    read = read_log(LOG)
    # ignored: licence, queue, begin of 1, rerun, delete request, deleted in the queue
    assert fates(read) == ("pbs", 10, 4, 0, 0, 6)
    assert codes(read) == counts(no_gpus=1, never_started=1, running=1, unknown_gpu_model=2)
    # 8 GPUs for 2 h; 4 GPUs for the hour until it was rerun; 1 GPU from 03:30 to the end of the log at 04:00
    assert read.jobs.milli_gpu_seconds == (8 * 2 + 4 * 1 + 0.5) * 3_600_000
    by_key = {workload.key: workload for workload in read.workloads}
    assert set(by_key) == {"/Lab 7/train", "/ben/infer"}
    assert by_key["/Lab 7/train"].max_nodes == 2


@pytest.mark.long
def test_a_job_that_ends_in_the_log_of_the_next_day_is_one_run(read_log: Read) -> None:
    lines = LOG.splitlines(keepends=True)
    first, second = "".join(lines[:3]), "".join(lines[3:4])
    for logs in ((first, second), (second, first)):
        read = read_log(*logs)
        assert read.jobs.milli_gpu_seconds == 8 * 2 * 3_600_000
        assert sum(file.rows_duplicate for file in read.intake) == 1


@pytest.mark.parametrize(
    ("said", "gpus"),
    [
        ({"Resource_List.ngpus": "8", "Resource_List.select": "2:ngpus=1"}, "8"),
        ({"exec_vnode": "(n1:ncpus=4:ngpus=2:mem=1kb)+(n2:ncpus=4:ngpus=3)"}, "5"),
        ({"Resource_List.select": "2:ncpus=8:ngpus=4+1:ncpus=1"}, "8"),
        ({"Resource_List.neednodes": "2:ppn=8:gpus=2"}, "4"),
        ({"Resource_List.nodes": "node1:gpus=2+node2:gpus=1"}, "3"),
        ({"exec_gpus": "n1-gpu/0+n1-gpu/1"}, "2"),
        ({"Resource_List.ncpus": "8"}, ""),
    ],
)
def test_gpus_are_told_in_many_ways(said: dict[str, str], gpus: str) -> None:
    assert gpus_of(said) == gpus


def test_the_model_is_one_that_the_site_has_a_resource_for() -> None:
    assert model_of({"Resource_List.select": "1:ngpus=1:gpu_type=nvidia_a100_80gb"}) == "nvidia_a100_80gb"
    assert model_of({"Resource_List.gpu_type": "gp100"}) == "gp100"


def test_quoted_values_keep_their_blanks() -> None:
    event = read_event('01/01/2026 00:00:00;E;1.s;account="a b" jobname=x exec_vnode=(n:ngpus=1) end=5')
    assert event.said == {"account": "a b", "jobname": "x", "exec_vnode": "(n:ngpus=1)", "end": "5"}


@often
@given(st.integers(0, 2**32))
def test_every_line_is_one_row_whatever_happened_to_it(seed: int) -> None:
    lines = damaged_text(LOG, random.Random(seed)).split("\n")
    found = list(pbs_jobs(iter(lines)))
    assert sorted(row for row, _ in found) == [n for n, line in enumerate(lines, 1) if line.strip()]
    for _, texts in found:
        check_texts(texts)


# --- HTCondor: the same jobs as JSON and as ClassAds; the last run of each, and no time where there was
# none

BEGIN_S = 1_767_607_200


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


def event(kind: str, job_id: str, at: str, start: int, end: int = 0, more: str = "") -> str:
    over = f" end={end}" if end else ""
    return f"01/01/2026 {at};{kind};{job_id};user=ana queue=gpu start={start}{over} Resource_List.ngpus=1{more}\n"


BEGIN = 1767225600  # 2026-01-01 00:00 UTC


@pytest.mark.parametrize("start", [BEGIN, 0])
def test_an_array_as_a_whole_is_no_job_beside_its_subjobs(read_log: Read, start: int) -> None:
    lines = [
        event("S", f"4[{n}].pbs", "00:00:00", BEGIN)
        + event("E", f"4[{n}].pbs", "01:00:00", BEGIN, BEGIN + 3600)
        for n in (1, 2)
    ]
    for job_id in ("4[].pbs", "4[1-2].pbs"):
        whole = event("S", job_id, "00:00:00", start) + event(
            "E", job_id, "01:00:00", start, BEGIN + 3600, " array_indices=1-2"
        )
        read = read_log("".join(lines) + whole)
        assert fates(read) == ("pbs", 6, 2, 0, 0, 4)
        assert (read.jobs.milli_gpu_seconds, read.jobs.peak_milli_gpus) == (2 * HOUR, 2000)


def test_a_start_of_0_is_none(read_log: Read) -> None:
    read = read_log(LOG + event("E", "9.pbs", "01:00:00", 0, BEGIN + 3600))
    assert codes(read)["never_started"] == 2


def test_a_restart_whose_begin_is_in_the_file_of_the_day_before_is_a_run(read_log: Read) -> None:
    yesterday = event("S", "9.pbs", "00:00:00", BEGIN)
    again = event("S", "9.pbs", "03:00:00", BEGIN + 3 * 3600) + event(
        "E", "9.pbs", "04:00:00", BEGIN + 3 * 3600, BEGIN + 4 * 3600
    )
    for told in (f" end={BEGIN + 7200}", " resources_used.walltime=02:00:00"):
        today = event("R", "9.pbs", "02:00:00", BEGIN, more=told) + again
        for logs in ((today,), (yesterday, today), (today, yesterday)):
            assert read_log(*logs).jobs.milli_gpu_seconds == (2 + 1) * HOUR
    (file,) = read_log(event("R", "9.pbs", "02:00:00", BEGIN) + again).intake  # for how long, nobody tells
    assert (file.rows_accepted, file.rows_rejected) == (1, 1)


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
