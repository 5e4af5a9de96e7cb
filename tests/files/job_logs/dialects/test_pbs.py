"""PBS and Torque accounting logs: which lines are jobs, their GPUs and their runs."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.job_logs.dialects.pbs import gpus_of, model_of, pbs_jobs, read_event
from tests.files.job_logs.cluster_damage import check_texts, damaged_text, often
from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates

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
