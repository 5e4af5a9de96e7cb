"""Whatever happened to a Slurm log: an answer or one clear error, and every row in exactly one end."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.import_jobs import import_jobs
from gpuplanner.files.window_request import WindowRequest
from tests.files.job_logs import test_sacct_fixed as fixed
from tests.files.job_logs import test_sacct_lines as lines
from tests.files.job_logs import test_slurm2sql as slurm2sql
from tests.files.job_logs import test_sonar as sonar
from tests.files.job_logs import test_xdmod as xdmod
from tests.files.job_logs.slurm_texts import fixed_width, jobstats_comment, json_document, json_job

COMMENT = jobstats_comment({"a": {"gpu_utilization": {"0": 40}}})
VALID: dict[str, Callable[[], str]] = {
    "lines": lambda: "\n".join(
        [lines.HEADER, lines.row("1", "a\nb"), "Total|2", lines.row("2", state="RUNNING")]
    ),
    "jobstats": lambda: f"{lines.HEADER}|AdminComment\n{lines.row('1')}|{COMMENT}\n{lines.row('1.batch')}|\n",
    "fixed": lambda: fixed_width(fixed.COLUMNS, [fixed.row("1"), fixed.row("12345678_1000")]),
    "json": lambda: json_document(
        json_job(1, {"gpu": 2}), json_job(2, {"gpu:a100": 1}, state="RUNNING", end=0)
    ),
    "kv": lambda: f"{sonar.line('1')}\n{sonar.line('1.batch')}\nv=1,error=x\n",
    "jobcomp": lambda: sonar.JOBCOMP + sonar.SCONTROL,
    "sonar": lambda: sonar.envelope(sonar.job(1), sonar.job(2, job_step="0")) + sonar.ERROR,
    "slurm2sql": lambda: slurm2sql.export({"JobID": "1"}, {"JobID": "2", "End": "Unknown"}),
    "xdmod": lambda: f"{xdmod.line()}\n{xdmod.line(JobID='8', JobName='a|b')}\n",
}
ODD = st.sampled_from(
    ["|", "\n", "\r", "\x00", '"', "{", "]", "9" * 30, "-1", "\ud7ff", "é", "=", ",", "+", "."]
)
DAMAGE = st.lists(st.tuples(st.integers(0, 2000), ODD | st.text(max_size=4), st.integers(0, 40)), max_size=4)


def _damaged(text: str, damage: list[tuple[int, str, int]]) -> bytes:
    for at, put, gone in damage:
        at %= len(text) + 1
        text = text[:at] + put + text[at + gone :]
    return text.encode("utf-8", "replace")


def _check(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    fault: PlannerError | None = None
    try:
        read = import_jobs([str(path)], window_request=WindowRequest(whole_log=True))
    except PlannerError as error:
        fault = error
    if fault is not None:
        assert fault.code in ("truncated_file", "file_unreadable")
        assert fault.remedy
        return
    for file in read.intake:
        ends = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
        assert file.rows_read == sum(ends)
        assert len(file.rejected) == file.rows_rejected
        assert all(row.code in {issue.code for issue in file.issues} for row in file.rejected)


@pytest.mark.parametrize("name", VALID)
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(damage=DAMAGE)
def test_damage_is_told_and_never_loses_rows(
    tmp_path: Path, name: str, damage: list[tuple[int, str, int]]
) -> None:
    _check(tmp_path / "log", _damaged(VALID[name](), damage))


@pytest.mark.long
@pytest.mark.parametrize("name", VALID)
@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(damage=DAMAGE)
def test_damage_is_told_and_never_loses_rows_often(
    tmp_path: Path, name: str, damage: list[tuple[int, str, int]]
) -> None:
    _check(tmp_path / "log", _damaged(VALID[name](), damage))


@pytest.mark.parametrize("name", VALID)
def test_undamaged_logs_are_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / "log"
    path.write_text(VALID[name](), encoding="utf-8")
    read = import_jobs([str(path)], window_request=WindowRequest(whole_log=True))
    assert read.accepted >= 1
    assert read.jobs.gpu_jobs >= 1
