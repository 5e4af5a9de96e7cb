"""GPU figures in AdminComment: the mean over a job's GPUs, or unknown; never a count of GPUs."""

import base64
import gzip
import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.files.importing.intake import ReadResult
from gpuplanner.files.job_logs.dialects.slurm.slurm_fields import gpu_percent
from tests.files.job_logs.slurm_texts import jobstats_comment
from tests.some_of import examples

PERCENTS = st.floats(0, 100, allow_nan=False)


@given(st.lists(st.lists(PERCENTS, max_size=4), max_size=4))
def test_it_is_the_mean_over_all_gpus_of_all_nodes(by_node: list[list[float]]) -> None:
    nodes = {
        f"gpu-{n}": {"cpus": 4, "gpu_utilization": {str(i): figure for i, figure in enumerate(figures)}}
        for n, figures in enumerate(by_node)
    }
    figures = [figure for node in by_node for figure in node]
    expected = pytest.approx(sum(figures) / len(figures), abs=0.001) if figures else None
    assert gpu_percent(jobstats_comment(nodes)) == expected


def packed(value: object) -> str:
    return "JS1:" + base64.b64encode(gzip.compress(json.dumps(value).encode(), mtime=0)).decode()


@pytest.mark.parametrize(
    "text",
    [
        *("", "JS1:Short", "JS1:None", "JS1:", "JS1:H4sI", "a comment of mine"),
        *map(packed, ([], {"nodes": []}, {"nodes": {"a": {"cpus": 4}}})),
        packed({"nodes": {"a": {"gpu_utilization": {"0": "x", "1": 250, "2": None, "3": -1}}}}),
        packed("a" * 10_000_000),  # unpacks to far more than any job says
        "JS1:" + "A" * 1_000_000,
    ],
)
def test_anything_else_is_unknown(text: str) -> None:
    assert gpu_percent(text) is None


@settings(max_examples=examples(50))
@given(st.text(max_size=80) | st.binary(max_size=80).map(lambda data: base64.b64encode(data).decode()))
def test_no_text_is_a_fault(text: str) -> None:
    assert gpu_percent(text) is None
    assert gpu_percent(f"JS1:{text}") is None


@pytest.mark.long
@settings(max_examples=20_000)
@given(st.integers(0, 150), st.integers(0, 255))
def test_a_damaged_comment_is_a_percentage_or_unknown(at: int, letter: int) -> None:
    text = jobstats_comment({"a": {"gpu_utilization": {"0": 25.0, "1": 75.0}}})
    percent = gpu_percent(text[:at] + chr(letter) + text[at + 1 :])
    assert percent is None or 0 <= percent <= 100


def test_the_activity_of_a_job_in_an_export(read_log: Callable[..., ReadResult]) -> None:
    half = jobstats_comment({"a": {"gpu_utilization": {"0": 25.0, "1": 75.0}}})
    hour = "COMPLETED|2026-01-05T10:00:00|2026-01-05T11:00:00"
    text = (
        "JobID|JobName|Account|State|Start|End|AllocTRES|AdminComment\n"
        f"1|half|ml|{hour}|gres/gpu=2|{half}\n1.batch|batch|ml|{hour}|gres/gpu=2|{half}\n"
        f"2|short|ml|{hour}|gres/gpu=1|JS1:Short\n3|cpu|ml|{hour}|cpu=1|{half}\n"
    )
    read = read_log(text)
    assert (read.jobs.count, read.jobs.gpu_jobs) == (3, 2)  # figures of GPUs give a job none
    activity = {workload.key: workload.activity for workload in read.workloads}
    assert activity["/ml/half"] == pytest.approx(0.5)
    assert activity["/ml/short"] is None


def test_the_activity_that_slurm_accounts_to_a_batch_step_is_that_of_its_job(
    read_log: Callable[..., ReadResult],
) -> None:
    """It adds up the GPUs of the step: 320 of four are 80%; a job on two nodes is not measured by one of them."""
    hour = "COMPLETED|2026-01-05T10:00:00|2026-01-05T11:00:00"
    batch = "{id}.batch|batch|ml|{hour}|cpu=8,gres/gpu=4|cpu=00:10:00,gres/gpumem=4G,gres/gpuutil={used}\n"
    text = "JobID|JobName|Account|State|Start|End|AllocTRES|TRESUsageInAve\n" + "".join(
        f"{at}|{name}|ml|{hour}|cpu=8,gres/gpu={gpus}|\n" + batch.format(id=at, hour=hour, used=used)
        for at, name, gpus, used in ((1, "one", 4, 320), (2, "two", 8, 320), (3, "odd", 4, 500))
    )
    read = read_log(text)
    activity = {workload.key: workload.activity for workload in read.workloads}
    assert activity == {"/ml/one": pytest.approx(0.8), "/ml/two": None, "/ml/odd": None}
    said = {issue.code: (issue.count, str(issue.message)) for issue in read.intake[0].issues}
    assert said["computed"][0] == 1
    assert "batch steps" in said["computed"][1]
