"""The journal: there while work is unsaved, gone when it is saved, found after a crash and opened as untitled."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections import Counter
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app import autosave as autosave_module
from gpuplanner.app.autosave import Autosave, discard, recover_into, recoveries, recovery_folder
from gpuplanner.app.document import Document
from gpuplanner.domain import edits
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.places import NO_PLACES
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.files.project.project_file import is_same, open_project, write_parts
from gpuplanner.files.project.project_parts import PartCache, parts_of
from tests.files.every_field import full
from tests.files.flips import flipped


def loaded() -> Project:
    zeros = np.zeros(5, np.int64)
    cube = cube_from_entries(5, ("H100",), zeros, zeros, np.arange(5), np.arange(1, 6))
    return Project(
        window=Window(0, 5), cube=cube, workloads=(Workload(key="a", name="a", cluster="", owner=""),)
    )


def move(document: Document, pool: Pool) -> None:
    after = edits.workloads.move_workloads(document.project, "Plan A", ["a"], pool)
    document.edit(edits.labels.move_label(after, ["a"], pool), after)


def same(one: Project, other: Project) -> bool:
    """Equal to the bit: test_project_file shows that parts are."""
    return parts_of(one, PartCache()) == parts_of(other, PartCache())


def holds(path: Path, project: Project) -> bool:
    """Whether a journal that may be just being written holds this project."""
    try:
        return same(open_project(path), project)
    except PlannerError:
        return False


def test_unsaved_work_is_on_the_disk_soon_and_follows_every_edit(qtbot: QtBot, tmp_path: Path) -> None:
    document = Document(loaded())
    autosave = Autosave(document, tmp_path)
    assert not autosave.path.exists()
    move(document, Pool.BURST)
    qtbot.waitUntil(lambda: holds(autosave.path, document.project))
    move(document, Pool.TRAINING)
    qtbot.waitUntil(lambda: holds(autosave.path, document.project))
    autosave.close()
    assert os.listdir(tmp_path) == []


def test_a_planner_who_never_stops_is_saved_too(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = Document(loaded())
    autosave = Autosave(document, tmp_path)
    for number in range(200):
        document.edit("Title", edits.inputs.set_title(document.project, str(number)))
        qtbot.wait(10)
        if autosave.path.exists():
            break
    assert autosave.path.exists()
    autosave.close()


def test_what_is_saved_needs_no_journal(qtbot: QtBot, tmp_path: Path) -> None:
    document = Document(loaded())
    autosave = Autosave(document, tmp_path)
    move(document, Pool.BURST)
    autosave.write_now()
    assert autosave.path.exists()
    document.mark_saved(document.project, tmp_path / "a.gpuplan")
    qtbot.waitUntil(lambda: not autosave.path.exists())
    move(document, Pool.TRAINING)
    document.undo_stack.undo()
    autosave.write_now()
    assert not autosave.path.exists()
    autosave.close()


def test_a_window_that_is_ended_from_outside_leaves_unsaved_work_to_recover_and_nothing_else(
    qtbot: QtBot, tmp_path: Path
) -> None:
    for is_modified in (False, True):
        document = Document(loaded())
        autosave = Autosave(document, tmp_path)
        if is_modified:
            move(document, Pool.BURST)
        autosave.keep()
        assert len(recoveries(tmp_path)) == is_modified
    assert holds(recoveries(tmp_path)[0].path, document.project)


CRASHING = """
import os, sys
from dataclasses import replace
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from gpuplanner.app.autosave import Autosave
from gpuplanner.app.document import Document
from gpuplanner.domain import edits
from gpuplanner.domain.model.places import NO_PLACES
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.project.project_file import open_project
app = QCoreApplication([])
path = Path(sys.argv[2])
document = Document(open_project(path), path)
autosave = Autosave(document, Path(sys.argv[1]))
after = edits.workloads.move_workloads(document.project, "Plan A", ["a"], Pool.BURST)
document.edit("Move a to burst", after)
autosave.write_now()
os._exit(9)
"""


@pytest.mark.long
def test_after_a_crash_the_work_is_found_and_opens_as_untitled(qtbot: QtBot, tmp_path: Path) -> None:
    from gpuplanner.files.project.project_file import save_project

    folder, path = tmp_path / "recovery", tmp_path / "q3.gpuplan"
    save_project(loaded(), path)
    assert (
        subprocess.run([sys.executable, "-c", CRASHING, str(folder), str(path)], check=False).returncode == 9
    )
    (recovery,) = recoveries(folder)
    assert (recovery.name, recovery.original, str(recovery.last_step)) == ("q3", path, "Move a to burst")
    document = Document(loaded())
    autosave = Autosave(document, folder)
    said = recover_into(document, autosave, recovery)
    assert "q3" in str(said) and "“Move a to burst”" in str(said)
    assert document.path is None
    assert document.is_modified
    assert same(document.project, edits.workloads.move_workloads(loaded(), "Plan A", ["a"], Pool.BURST))
    assert not recovery.path.exists()
    assert recoveries(folder) == ()  # the new journal belongs to an open window
    assert same(open_project(path), loaded())
    autosave.close()


def test_a_journal_torn_in_the_middle_of_a_write_holds_what_was_there_before(
    qtbot: QtBot, tmp_path: Path
) -> None:
    document = Document(loaded())
    autosave = Autosave(document, tmp_path / "open")
    move(document, Pool.BURST)
    autosave.write_now()
    torn = tmp_path / "torn"
    torn.mkdir()
    with closing(sqlite3.connect(autosave.path, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")  # so that SQLite has to write before it is done
        connection.execute("BEGIN")
        connection.execute("UPDATE part SET payload = zeroblob(100000), sha256 = 'wrong'")
        for file in autosave.path.parent.glob("*.recovery*"):
            (torn / file.name).write_bytes(file.read_bytes())
        connection.execute("ROLLBACK")
    assert len(os.listdir(torn)) == 2
    (recovery,) = recoveries(torn)
    assert same(open_project(recovery.path), document.project)
    discard(recovery)
    assert [name for name in os.listdir(torn) if not name.endswith(".lock")] == []
    autosave.close()


def test_what_cannot_be_read_is_not_offered(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "junk.recovery").write_bytes(b"junk" * 500)
    assert recoveries(tmp_path) == ()
    assert recoveries(tmp_path / "none") == ()
    assert (tmp_path / "junk.recovery").exists()


def test_a_failing_journal_is_told_once(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(*_: object) -> None:
        raise OSError(28, "No space left on device")

    document = Document(loaded())
    autosave = Autosave(document, tmp_path)
    told: list[Exception] = []
    autosave.failed.connect(told.append)
    with monkeypatch.context() as patch:
        patch.setattr(autosave_module, "write_parts", no_space)
        for pool in (Pool.BURST, Pool.TRAINING):
            move(document, pool)
            autosave.write_now()
    assert len(told) == 1
    assert isinstance(told[0], PlannerError)
    autosave.write_now()
    assert autosave.path.exists()
    autosave.close()


def test_what_was_recovered_is_kept_where_the_new_journal_cannot_be_written(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Document(loaded())
    crashed = Autosave(before, tmp_path / "crashed")
    move(before, Pool.BURST)
    crashed.write_now()
    copy = tmp_path / "copy.recovery"
    copy.write_bytes(crashed.path.read_bytes())
    crashed.close()
    (recovery,) = recoveries(tmp_path)

    def leave_a_torn_file(path: Path, *_: object) -> None:
        path.write_bytes(b"")
        raise OSError(28, "No space left on device")

    document = Document(loaded())
    autosave = Autosave(document, tmp_path / "open")
    with monkeypatch.context() as patch:
        patch.setattr(autosave_module, "write_parts", leave_a_torn_file)
        recover_into(document, autosave, recovery)
    assert copy.exists()
    autosave.close()


def test_journals_are_in_the_users_data_folder() -> None:
    assert recovery_folder().parts[-2:] == ("gpuplanner", "recovery")


def test_a_change_of_any_field_reaches_the_journal(qtbot: QtBot, tmp_path: Path) -> None:
    base = full()
    document = Document(base)
    autosave = Autosave(document, tmp_path)
    changes = {
        "notes": {"c/ann/träning": "asked on Monday"},
        "plan_from_s": 1_800_000_000,
        "title": "another",
        "labels": {"d//x": Pool.TRAINING},
        "mappings": (),
        "needs": {},
        "serving": {},
        "traffic": {},
        "places": NO_PLACES,
        "rules": (),
        "scenarios": base.scenarios[:1],
    }
    for name, value in changes.items():
        document.edit(name, replace(base, **{name: value}))
        assert autosave.write_now()
        assert same(open_project(autosave.path), document.project), name
        document.edit("back", base)
        document.edit("title", replace(base, title="between"))
        autosave.write_now()
    autosave.close()


@pytest.mark.long
def test_two_sessions_on_one_project_keep_a_journal_each_and_a_crash_loses_neither(
    qtbot: QtBot, tmp_path: Path
) -> None:
    from gpuplanner.files.project.project_file import save_project

    folder, path = tmp_path / "recovery", tmp_path / "q3.gpuplan"
    save_project(loaded(), path)
    for pool in ("BURST", "TRAINING"):
        crashing = CRASHING.replace("Pool.BURST", f"Pool.{pool}")
        assert subprocess.run([sys.executable, "-c", crashing, folder, path], check=False).returncode == 9
    found = recoveries(folder)
    pools = {open_project(each.path).scenarios[0].pools["a"] for each in found}
    assert pools == {Pool.BURST, Pool.TRAINING}
    assert {each.original for each in found} == {path}


def test_the_journal_of_a_session_that_lives_is_nobody_elses(qtbot: QtBot, tmp_path: Path) -> None:
    one, two = Document(loaded()), Document(loaded())
    journals = Autosave(one, tmp_path), Autosave(two, tmp_path)
    move(one, Pool.BURST)
    move(two, Pool.TRAINING)
    for journal in journals:
        assert journal.write_now()
    assert recoveries(tmp_path) == ()
    assert same(open_project(journals[0].path), one.project)
    assert same(open_project(journals[1].path), two.project)
    for journal in journals:
        journal.close()


# --- A damaged journal stops nothing


@pytest.mark.parametrize("flips", [60, pytest.param(2_000, marks=pytest.mark.long)])
def test_no_flipped_bit_of_a_journal_stops_a_start_or_gives_other_work(
    tmp_path: Path, flips: int, tally: Counter[str]
) -> None:
    path, project = tmp_path / "a.recovery", full()
    write_parts(path, parts_of(project, PartCache()), {"recovery_name": "plan"})
    for content in flipped(path.read_bytes(), flips):
        path.write_bytes(content)
        is_read = False
        for recovery in recoveries(tmp_path):
            with suppress(PlannerError):
                assert is_same(open_project(recovery.path), project)
                is_read = True
        tally["survived" if is_read else "refused"] += 1


def test_a_name_that_is_no_unicode_is_damage_like_any(tmp_path: Path) -> None:
    path = tmp_path / "a.recovery"
    write_parts(path, parts_of(loaded(), PartCache()))
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE about", b"CREATE TABL\xf1 about"))
    assert recoveries(tmp_path) == ()
    with pytest.raises(PlannerError, match="no Unicode"):
        open_project(path)


def test_a_journal_is_for_its_user_alone(qtbot: QtBot, tmp_path: Path) -> None:
    document = Document(loaded())
    autosave = Autosave(document, tmp_path / "recovery")
    move(document, Pool.BURST)
    assert autosave.write_now()
    assert [stat.S_IMODE(path.stat().st_mode) for path in (autosave.path.parent, autosave.path)] == [
        0o700,
        0o600,
    ]
    autosave.close()
