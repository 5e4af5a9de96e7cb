"""Two sessions on one project: what one of them saved is never lost to the other, and never unsaid."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window
from gpuplanner.files.project import project_backups
from gpuplanner.files.project.project_backups import (
    ChangedElsewhereError,
    Expected,
    Seen,
    free_name,
    seen,
    stamp_of,
)
from gpuplanner.files.project.project_file import open_project, open_stamped, save_project

BASE = Project(window=Window(0, 1), cube=empty_cube(1), title="base")


def titled(title: str) -> Project:
    return replace(BASE, title=title)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    save_project(BASE, tmp_path / "plan.gpuplan")
    return tmp_path / "plan.gpuplan"


def titles(path: Path) -> set[str]:
    """Of every file that lies there."""
    return {open_project(file).title for file in path.parent.iterdir()}


def test_what_somebody_else_saved_is_not_replaced_unsaid(path: Path) -> None:
    _, mine = open_stamped(path)
    theirs = save_project(titled("theirs"), path)
    before = sorted(path.parent.iterdir())
    with pytest.raises(ChangedElsewhereError) as refusal:
        save_project(titled("mine"), path, expected=Expected(mine))
    assert refusal.value.there.sha256 == theirs.sha256
    assert open_project(path).title == "theirs"
    assert sorted(path.parent.iterdir()) == before


def test_what_is_replaced_of_somebody_else_is_there_after_any_number_of_saves(path: Path) -> None:
    _, mine = open_stamped(path)
    theirs = save_project(titled("theirs"), path)
    mine = save_project(titled("mine"), path, expected=Expected(mine, replaced=theirs))
    for number in range(6):
        mine = save_project(titled(str(number)), path, expected=Expected(mine))
    assert titles(path) == {"theirs", "5", "4", "3", "2"}
    (kept,) = path.parent.glob("*replaced*")
    assert kept.name.startswith("plan.replaced-") and kept.name.endswith(f"{theirs.sha256[:8]}.gpuplan")


def test_a_version_that_came_after_the_answer_is_asked_about_again(path: Path) -> None:
    _, mine = open_stamped(path)
    seen_version = save_project(titled("theirs"), path)
    save_project(titled("theirs, later"), path)
    with pytest.raises(ChangedElsewhereError):
        save_project(titled("mine"), path, expected=Expected(mine, replaced=seen_version))
    assert open_project(path).title == "theirs, later"


def test_a_file_that_was_named_by_the_planner_is_replaced_and_kept(path: Path) -> None:
    save_project(titled("mine"), path, expected=Expected(is_any_replaced=True))
    assert titles(path) == {"base", "mine"}
    assert not list(path.parent.glob("*backup*"))


def test_touched_is_not_changed(path: Path) -> None:
    _, mine = open_stamped(path)
    assert mine is not None
    content = path.read_bytes()
    os.utime(path, (1, 1))
    assert seen(path, mine) is Seen.SAME
    path.unlink()
    path.write_bytes(content)  # as a sync folder does
    assert seen(path, mine) is Seen.SAME
    save_project(titled("mine"), path, expected=Expected(mine))
    assert titles(path) == {"base", "mine"}


def test_a_file_that_is_gone_is_saved_anew(path: Path) -> None:
    _, mine = open_stamped(path)
    assert mine is not None
    path.unlink()
    assert seen(path, mine) is Seen.GONE
    save_project(titled("mine"), path, expected=Expected(mine))
    assert titles(path) == {"mine"}


def test_what_is_no_project_is_kept_too(path: Path) -> None:
    _, mine = open_stamped(path)
    path.write_bytes(b"conflicted")
    with pytest.raises(ChangedElsewhereError) as refusal:
        save_project(titled("mine"), path, expected=Expected(mine))
    save_project(titled("mine"), path, expected=Expected(mine, replaced=refusal.value.there))
    (kept,) = path.parent.glob("*replaced*")
    assert kept.read_bytes() == b"conflicted"


def test_the_stamp_of_a_save_is_that_of_the_file(path: Path) -> None:
    saved = save_project(titled("mine"), path)
    assert saved == stamp_of(path) == open_stamped(path)[1]
    assert seen(path, saved) is Seen.SAME


def test_a_disk_without_links_keeps_them_all_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", no_links)
    _, mine = open_stamped(path)
    mine = save_project(titled("mine"), path, expected=Expected(mine))
    theirs = save_project(titled("theirs"), path)
    save_project(titled("mine again"), path, expected=Expected(mine, replaced=theirs))
    assert titles(path) == {"base", "mine", "theirs", "mine again"}


def test_a_session_that_hangs_does_not_keep_others_from_saving(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_backups, "WAIT_S", 0.05)
    with project_backups.only_one(path.parent):
        save_project(titled("mine"), path)
    assert open_project(path).title == "mine"


def test_a_name_that_is_free(path: Path) -> None:
    assert free_name(path).name == "plan (2).gpuplan"
    free_name(path).touch()
    assert free_name(path).name == "plan (3).gpuplan"


def test_a_save_of_the_same_bytes_moves_no_backup(path: Path) -> None:
    save_project(titled("new"), path)
    for _ in range(5):
        save_project(titled("new"), path)
    assert {file.name: open_project(file).title for file in path.parent.iterdir()} == {
        "plan.gpuplan": "new",
        "plan.backup-1.gpuplan": "base",
    }
