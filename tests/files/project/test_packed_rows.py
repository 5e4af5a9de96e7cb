"""The job rows of a project go where its file goes, and are taken from it only whole."""

from dataclasses import replace
from pathlib import Path

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.job_logs.reduce.job_rows import rows_path
from gpuplanner.files.project import packed_rows
from gpuplanner.files.project.packed_rows import unpack_rows
from gpuplanner.files.project.project_file import open_project, read_file, save_project, unpack_rows_of
from gpuplanner.files.project.project_parts import ROWS, PartCache, part_hash

LOG = "job_id,gpus,start,end\n1,2,2026-01-01T00:00:00Z,2026-01-01T10:00:00Z\n"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("here")


@pytest.fixture(scope="module")
def project(here: Path) -> Project:
    log = here / "jobs.csv"
    log.write_text(LOG)
    return read_inputs([str(log)], rows_dir=here).project()


def test_rows_come_out_of_the_file_as_they_were_kept(here: Path, project: Project, tmp_path: Path) -> None:
    saved, there = tmp_path / "p.gpuplan", tmp_path / "there"
    save_project(project, saved, rows_dir=here)
    unpack_rows_of(saved, open_project(saved), there)
    name = rows_path(there, project.jobs.rows_sha256).name
    assert (there / name).read_bytes() == (here / name).read_bytes()


def test_a_project_that_came_with_rows_is_saved_with_them_though_none_are_kept_here(
    here: Path, project: Project, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.gpuplan", tmp_path / "second.gpuplan"
    save_project(project, first, rows_dir=here)
    cache = PartCache()
    save_project(open_project(first, cache=cache), second, cache=cache, rows_dir=tmp_path / "nothing")
    assert read_file(second)[1][ROWS] == read_file(first)[1][ROWS]


def test_a_project_without_rows_opens_as_ever(project: Project, tmp_path: Path) -> None:
    saved = tmp_path / "p.gpuplan"
    save_project(project, saved)
    assert ROWS not in read_file(saved)[1]
    unpack_rows_of(saved, open_project(saved), tmp_path / "there")
    assert not (tmp_path / "there").exists()


def test_too_many_rows_stay_where_they_are(
    here: Path, project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_rows, "ROWS_AT_MOST", 10)
    saved = tmp_path / "p.gpuplan"
    save_project(project, saved, rows_dir=here)
    assert ROWS not in read_file(saved)[1]


def test_rows_of_another_project_are_refused(here: Path, project: Project, tmp_path: Path) -> None:
    saved = tmp_path / "p.gpuplan"
    save_project(project, saved, rows_dir=here)
    parts = dict(read_file(saved)[1])
    other = replace(project, jobs=replace(project.jobs, rows_sha256="0" * 64))
    with pytest.raises(PlannerError):
        unpack_rows(parts, other, tmp_path / "there", "p.gpuplan")
    payload = parts["jobs"].payload
    parts[ROWS] = replace(parts[ROWS], payload=payload, sha256=part_hash(ROWS, payload))
    with pytest.raises(PlannerError):
        unpack_rows(parts, project, tmp_path / "there", "p.gpuplan")
