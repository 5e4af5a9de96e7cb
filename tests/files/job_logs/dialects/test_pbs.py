"""PBS and Torque accounting logs: which lines are jobs, from when to when, with how many GPUs."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.files.importing.intake import ReadResult
from gpuplanner.files.job_logs.dialects.pbs import gpus_of, model_of, pbs_jobs, read_event, sniff
from tests.files.job_logs.cluster_damage import check_read_or_refused, check_texts, damaged_text
from tests.some_of import examples, some_of

Read = Callable[..., ReadResult]

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
    (file,) = read.intake
    assert file.format == "pbs"
    fates = (file.rows_read, file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
    assert fates == (
        10,
        4,
        0,
        0,
        6,
    )  # licence, queue, begin of 1, rerun, delete request, deleted in the queue
    assert {issue.code: issue.count for issue in file.issues} == {
        "no_gpus": 1,
        "never_started": 1,
        "running": 1,
        "unknown_gpu_model": 2,
    }
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
    assert event is not None
    assert event.said == {"account": "a b", "jobname": "x", "exec_vnode": "(n:ngpus=1)", "end": "5"}


@pytest.mark.parametrize(
    "text", ["", "a;b;c\n", "job_id,gpus,start,end\n", "JobID|Start|End\n", '{"items": []}']
)
def test_other_texts_are_not_taken_for_pbs(text: str) -> None:
    assert sniff(text) == 0.0


def _every_line_is_one_row(seed: int) -> None:
    text = damaged_text(LOG, random.Random(seed))
    lines = text.split("\n")
    found = list(pbs_jobs(iter(lines)))
    assert sorted(row for row, _ in found) == [n for n, line in enumerate(lines, 1) if line.strip()]
    for _, texts in found:
        check_texts(texts)


@given(st.integers(0, 2**32))
@settings(max_examples=examples(12))
def test_every_line_is_one_row_whatever_happened_to_it(seed: int) -> None:
    _every_line_is_one_row(seed)


@pytest.mark.long
@given(st.integers(0, 2**32))
@settings(max_examples=20_000)
def test_every_line_is_one_row_in_many_logs(seed: int) -> None:
    _every_line_is_one_row(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", some_of(range(8), quick=1))
def test_a_damaged_log_is_read_or_refused(read_log: Read, seed: int) -> None:
    check_read_or_refused(lambda: read_log(damaged_text(LOG, random.Random(seed)), format="pbs").intake[0])
