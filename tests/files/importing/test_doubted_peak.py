"""Logs that were mapped, against the contracts: a peak over three times their GPUs is asked about."""

import pytest

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.intake import FileIntake, JobFacts
from gpuplanner.files.importing.doubted_peak import with_doubt
from gpuplanner.files.importing.windowed_jobs import JobsRead
from gpuplanner.files.job_logs.mapped_log import GPUS_COLUMN


def log(format_name: str) -> FileIntake:
    """A log of this format."""
    counts = dict.fromkeys(("rejected", "duplicate", "ignored"), 0)
    return FileIntake(
        path=format_name,
        kind="jobs",
        format=format_name,
        rows_read=1,
        rows_accepted=1,
        facts=((GPUS_COLUMN, "n"),) if format_name == "mapped" else (),
        **{f"rows_{name}": count for name, count in counts.items()},
    )


@pytest.mark.parametrize(
    ("formats", "peak", "held", "asked"),
    [
        (["mapped"], 25, 8, 1),
        (["mapped"], 24, 8, 0),
        (["mapped"], 25, 0, 0),
        (["sacct"], 25, 8, 0),
        (["sacct", "mapped"], 25, 8, 0),
        (["mapped", "mapped"], 25, 8, 2),
    ],
)
def test_a_peak_of_mapped_logs_far_above_the_contracts_is_asked_about(
    formats: list[str], peak: int, held: int, asked: int
) -> None:
    contract = Contract(
        contract_id="c",
        cluster="",
        gpu_model="H100",
        milli_gpus=1000 * (held or 1),
        rate_usd_per_gpu_hour=2.0,
        start_s=0,
    )
    intake = tuple(map(log, formats))
    jobs = JobsRead(
        window=None, cube=None, workloads=(), jobs=JobFacts(peak_milli_gpus=1000 * peak), intake=intake
    )
    read = with_doubt(jobs, [contract] if held else [])
    issues = [issue for file in read.intake for issue in file.issues]
    assert [issue.code for issue in issues] == ["undecided"] * asked
    assert all("n:gpu_hours" in str(issue.message) for issue in issues)
