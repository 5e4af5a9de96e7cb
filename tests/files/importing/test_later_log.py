"""Logs so far: what the kept rows tell of an hour of the past, and nothing of what came."""

from dataclasses import replace

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.importing.logs_so_far import logs_so_far
from gpuplanner.files.values.lookback_period import WindowRequest

HEAD = "job_id,cluster,name,user,gpu_model,gpus,nodes,start,end,state,gpu_activity_percent\n"
ROWS = HEAD + (
    "1,atlas,chat,ann,h100,4,1,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z,FAILED,90\n"
    "2,atlas,chat,ann,h100,8,2,2026-01-01T12:00:00Z,2026-01-09T00:00:00Z,FAILED,10\n"
    "3,atlas,sweep,bob,H100,2,1,2026-01-03T00:00:00Z,2026-01-03T06:00:00Z,COMPLETED,\n"
)
WHOLE = WindowRequest(start_s=None, end_s=None, days=None, whole_log=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The log of the project, and its job rows."""
    return tmp_path_factory.mktemp("so far")


@pytest.fixture(scope="module")
def project(folder):
    path = folder / "jobs.csv"
    path.write_text(ROWS)
    return read_inputs([str(path)], window_request=WHOLE, rows_dir=folder).project()


def known_after(project, folder, *hours):
    windows = [Window(project.window.start_s, number) for number in hours]
    return list(logs_so_far(folder, project, windows))


def test_a_job_that_runs_is_known_to_run_and_no_more(project, folder):
    (log,) = known_after(project, folder, 36)
    (chat,) = log.workloads
    assert log.cube.total == (4 * 24 + 8 * 24) * 3_600_000
    assert chat.longest_job_s == 24 * HOUR_S
    assert chat.failed_milli_gpu_seconds == 4 * 24 * 3_600_000  # that the other would fail nobody knew
    assert chat.activity is None


def test_a_job_that_has_not_begun_is_not_there_and_one_that_is_over_is_known_in_full(project, folder):
    first, last = known_after(project, folder, 48, 8 * 24 + 1)
    assert [work.name for work in first.workloads] == ["chat"]
    assert [work.name for work in last.workloads] == ["chat", "sweep"]
    assert last.cube.total == project.cube.total
    assert last.workloads[0].activity == pytest.approx((90 * 96 + 10 * 8 * 180) / (96 + 8 * 180) / 100)


@pytest.mark.long
def test_a_job_that_ends_at_that_very_hour_still_runs(project, folder):
    (log,) = known_after(project, folder, 24)
    assert log.workloads[0].failed_milli_gpu_seconds == 0


def test_models_are_spelled_as_in_the_project(project, folder):
    (log,) = known_after(project, folder, 24)
    assert log.cube.gpu_models == project.cube.gpu_models == ("H100",)


def test_rows_that_are_gone_are_said(project, folder):
    with pytest.raises(PlannerError) as found:
        known_after(replace(project, jobs=replace(project.jobs, rows_sha256="0" * 64)), folder, 24)
    assert found.value.code == "file_missing" and str(found.value.where).endswith("0.parquet")
    with pytest.raises(PlannerError) as found:
        known_after(replace(project, jobs=replace(project.jobs, rows_sha256="")), folder, 24)
    assert (found.value.code, str(found.value.where)) == ("file_missing", "the project")
