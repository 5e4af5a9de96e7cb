"""`export --project` and `demo` write a project: somebody's that is there is kept, and who has it open is said."""

import os
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from gpuplanner.app.importing.loaded_logs import can_read_again
from gpuplanner.cli import self_test
from gpuplanner.cli.answer import save_named
from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window
from gpuplanner.files.project.project_backups import stamp_of
from gpuplanner.files.project.project_file import open_project, save_project
from gpuplanner.files.project.session_marks import Mark
from tests.cli.conftest import NOW_S
from tests.cli.test_project_input import CONTRACTS, JOBS, PRICES

BARE = Project(window=Window(0, 1), cube=empty_cube(1), title="somebody's")


@pytest.fixture
def words(put) -> list[str]:
    texts = {"jobs": JOBS, "contracts": CONTRACTS, "prices": PRICES}
    return [word for name, text in texts.items() for word in (f"--{name}", put(f"{name}.csv", text))]


def titles(folder: Path) -> list[str]:
    return sorted(open_project(path).title for path in folder.glob("*.gpuplan"))


@pytest.mark.long
def test_what_was_given_is_saved_as_a_project(call, words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "new" / "plan.gpuplan"
    path.parent.mkdir()
    said = call("export", *words, "--set", "lambda=3%", "--project", str(path))
    assert (said.status, said.err, said.document["project"]) == (0, "", str(path))
    project = open_project(path)
    assert project.assumptions.lambda_ == 0.03
    assert [contract.contract_id for contract in project.contracts] == ["c1"]
    assert call("plan", str(path)).document["totals"] == said.document["totals"]
    assert os.listdir(path.parent) == ["plan.gpuplan"]
    assert f"Wrote {path}" in call("export", *words, "--project", str(path), text=True).out


def test_a_name_that_is_no_projects_is_refused(call, words: list[str], tmp_path: Path) -> None:
    said = call("export", *words, "--project", str(tmp_path / "plan.xlsx"))
    assert said.status == 2
    assert ".gpuplan" in said.err


def test_one_name_for_two_outputs_is_refused_before_anything_is_written(
    call, words: list[str], tmp_path: Path
) -> None:
    path = str(tmp_path / "plan.gpuplan")
    said = call("export", *words, "--focus", path, "--project", path)
    assert said.status == 2 and "is written twice" in said.err
    assert not list(tmp_path.glob("*.gpuplan"))


def test_no_input_is_replaced_but_the_project_itself(call, put, words: list[str], tmp_path: Path) -> None:
    path = Path(put("contracts.gpuplan", CONTRACTS))
    said = call("export", *words, "--contracts", str(path), "--project", str(path))
    assert said.status == 3 and "is not overwritten" in said.err
    assert path.read_text() == CONTRACTS
    saved = str(tmp_path / "plan.gpuplan")
    assert call("export", *words, "--project", saved).status == 0
    assert call("export", saved, "--set", "lambda=9%", "--project", saved).status == 0
    assert open_project(Path(saved)).assumptions.lambda_ == 0.09


@pytest.mark.skipif(os.name == "nt", reason="pipes of Unix")
def test_a_pipe_or_a_device_is_written_to_and_never_read(tmp_path: Path) -> None:
    """Reading what is there would wait for ever: for a writer of the pipe, for the end of a device."""
    with pytest.raises(OSError, match="Invalid argument"):
        stamp_of(Path(os.devnull))
    pipe = tmp_path / "pipe.gpuplan"
    os.mkfifo(pipe)
    held: list[bytes] = []
    reader = Thread(target=lambda: held.append(pipe.read_bytes()))
    reader.start()
    assert save_named(BARE, pipe, NOW_S) == ()
    reader.join()
    assert held[0].startswith(b"SQLite format 3") and os.listdir(tmp_path) == ["pipe.gpuplan"]


@pytest.mark.long
def test_somebodys_project_is_kept_and_named_on_standard_error(
    call, words: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "plan.gpuplan"
    save_project(BARE, path)
    said = call("export", *words, "--project", str(path))
    assert said.status == 0
    (kept,) = tmp_path.glob("*.replaced-*")
    assert said.err.startswith(f"{path}: ") and said.err.endswith(f" {kept.name}\n")
    assert open_project(kept).title == "somebody's"
    for sigma in ("0.1", "0.2", "0.3", "0.4", "0.5"):  # what a command made is a backup like any
        assert call("export", *words, "--set", f"sigma={sigma}", "--project", str(path)).err == ""
    assert open_project(kept).title == "somebody's"
    assert len(list(tmp_path.glob("*.gpuplan"))) == 1 + 1 + 3


@pytest.mark.long
def test_files_given_by_relative_names_are_found_again_from_elsewhere(
    call, put, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    named = [os.path.relpath(word) if Path(word).is_file() else word for word in words]
    assert call("export", *named, "--prices", "builtin", "--project", "plan.gpuplan").status == 0
    Path("kept").mkdir()
    assert call("export", "plan.gpuplan", "--project", "kept/again.gpuplan").status == 0
    monkeypatch.chdir(tmp_path.parent)
    assert can_read_again(open_project(tmp_path / "kept" / "again.gpuplan"))
    project = open_project(tmp_path / "plan.gpuplan")
    assert can_read_again(project) and "builtin" in {file.path for file in project.intake}


def test_a_file_that_is_no_project_is_kept_too(call, words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "plan.gpuplan"
    path.write_bytes(b"something")
    assert "is kept as" in call("export", *words, "--project", str(path)).err
    (kept,) = tmp_path.glob("*.replaced-*")
    assert kept.read_bytes() == b"something"


def test_what_a_planner_saved_over_what_a_command_made_is_the_planners(tmp_path: Path) -> None:
    path = tmp_path / "plan.gpuplan"
    assert save_named(BARE, path, NOW_S) == ()
    save_project(replace(BARE, title="worked on"), path)
    (line,) = save_named(replace(BARE, title="made again"), path, NOW_S)
    assert "worked on" in titles(tmp_path) and ".replaced-" in line


def test_a_window_that_has_it_open_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "plan.gpuplan"
    save_named(BARE, path, NOW_S)
    mark = Mark(path)
    (line,) = save_named(replace(BARE, title="made again"), path, NOW_S)
    mark.lift()
    assert line.startswith(f"{path}: ") and ".replaced-" not in line
    assert save_named(BARE, path, NOW_S) == ()


def test_the_demo_keeps_a_project_that_was_worked_on(
    call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = replace(BARE, title="demo")
    monkeypatch.setattr(self_test, "make_demo", lambda folder, days, rows_dir: made)
    monkeypatch.setattr(self_test, "rows_folder", lambda: None)
    monkeypatch.setattr(self_test, "evaluate", lambda *_: None)
    monkeypatch.setattr(self_test, "write_workbook", lambda *_: None)
    assert call("demo", str(tmp_path)).err == ""
    assert call("demo", str(tmp_path)).err == ""
    assert titles(tmp_path) == ["demo"]  # the same bytes: nothing to keep
    save_project(replace(made, title="worked on"), tmp_path / "demo.gpuplan")
    said = call("demo", str(tmp_path))
    assert said.status == 0 and " demo.replaced-" in said.err
    assert open_project(tmp_path / "demo.gpuplan").title == "demo"
    assert "worked on" in titles(tmp_path)
