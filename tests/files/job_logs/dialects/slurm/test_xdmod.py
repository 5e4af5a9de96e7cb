"""Open XDMoD's shredder files: every documented layout, told without a header."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.job_logs.dialects.slurm import sacct, xdmod
from tests.files.job_logs.cluster_damage import often
from tests.files.job_logs.row_ends import Read, codes, fates
from tests.some_of import some_of

_VALUES = """
    JobID=7 JobIDRaw=7 Cluster=fox Partition=gpu QOS=normal Account=ml Group=staff GID=100 User=ann UID=1001
    Submit=2026-01-05T09:00:00 Eligible=2026-01-05T09:00:00 Start=2026-01-05T10:00:00 End=2026-01-05T11:00:00
    Elapsed=01:00:00 ExitCode=0:0 State=COMPLETED NNodes=2 NCPUS=16 ReqCPUS=16 ReqMem=64Gn ReqGRES=gpu:2
    ReqTRES=cpu=16,gres/gpu=4,node=2 AllocTRES=billing=4,cpu=16,gres/gpu:a100=4,gres/gpu=4,node=2
    Timelimit=1-00:00:00 NodeList=gpu-[01-02] JobName=train
"""
VALUES = dict(cell.split("=", 1) for cell in _VALUES.split())


def line(layout: tuple[str, ...] = xdmod.LAYOUTS[0], **changes: str) -> str:
    return "|".join({**VALUES, **changes}[name] for name in layout)


@pytest.mark.parametrize("layout", xdmod.LAYOUTS)
@pytest.mark.parametrize("ending", ["\n", "|\n"])
def test_every_layout_is_told_from_its_content(layout: tuple[str, ...], ending: str) -> None:
    text = line(layout) + ending + line(layout, JobID="8_2", JobIDRaw="9") + ending
    assert xdmod.layout_of(text) == (*layout, *(("",) if ending == "|\n" else ()))
    assert xdmod.sniff_xdmod(text) > sacct.sniff(text)


@pytest.mark.long
def test_jobs_and_what_became_of_them(read_log: Read) -> None:
    gone = {"Start": "Unknown", "End": "2026-01-05T10:00:00", "State": "CANCELLED by 7"}
    text = "\n".join(
        [
            line(),
            line(JobID="8", NodeList="None assigned", **gone),
            line(JobID="9_[1-4]", Start="Unknown", End="Unknown", State="PENDING"),
            line(JobID="10", End="Unknown", State="RUNNING", Elapsed="00:30:00", JobName="a|b|c"),
            line(JobID="11", AllocTRES="billing=1,cpu=1,node=1", JobName="søk"),
            line(JobID="12.batch", JobName="batch"),
            line(),
            "",
        ]
    )
    read = read_log(text)
    assert fates(read) == ("xdmod", 7, 3, 0, 1, 3)
    assert read.jobs.milli_gpu_seconds == 4 * (3600 + 1800) * 1000
    assert {workload.key for workload in read.workloads} == {"fox/ml/train", "fox/ml/a|b|c"}
    assert codes(read)["naive_time_assumed_utc"] == 3


WITHOUT_ALLOCATED = [layout for layout in xdmod.LAYOUTS if "AllocTRES" not in layout]


@pytest.mark.long
@pytest.mark.parametrize("layout", some_of([(layout,) for layout in WITHOUT_ALLOCATED], quick=1))
def test_without_what_was_given_what_was_asked_for_counts(read_log: Read, layout: tuple[str, ...]) -> None:
    assert read_log(line(layout) + "\n").jobs.milli_gpu_seconds == 4 * 3_600_000


def test_other_lines_are_not_taken_for_it() -> None:
    assert xdmod.sniff_xdmod("") == 0.0
    assert xdmod.sniff_xdmod("a|b\n" * 3) == 0.0
    assert xdmod.sniff_xdmod(line().replace("|1001|", "|ann|") + "\n") == 0.0


@often
@given(st.text(max_size=30), st.integers(0, 250))
def test_any_damage_leaves_an_answer_of_xdmod(damage: str, at: int) -> None:
    text = line() + "\n"
    assert 0 <= xdmod.sniff_xdmod(text[:at] + damage + text[at:]) <= 1
