"""Who has a project open: told while it lives, not after a crash, whatever process has its number by then."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gpuplanner.files.project import session_marks
from gpuplanner.files.project.session_marks import FRESH_S, Mark, sessions_at

NOW_S = 1_790_000_000
HOLD = """
import sys
from pathlib import Path
from gpuplanner.files.project.session_marks import Mark
mark = Mark(Path(sys.argv[1]))
print(mark.path, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "plan.gpuplan").touch()
    return tmp_path / "plan.gpuplan"


@contextmanager
def killed_while_open(project: Path) -> Iterator[Path]:
    """Another process that has the project open, seen, and then killed; its mark."""
    command = [sys.executable, "-c", HOLD, str(project)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        path = Path(process.stdout.readline().strip())
        assert len(sessions_at(project, NOW_S)) == 1
        process.kill()
    assert path.exists()
    yield path


def test_sessions_see_each_other_and_not_themselves(project: Path) -> None:
    one, two = Mark(project), Mark(project)
    (other,) = sessions_at(project, NOW_S, {one.path})
    assert other.is_here and abs(other.since_s - project.stat().st_mtime) < 60
    assert len(sessions_at(project, NOW_S)) == 2
    two.lift()
    assert sessions_at(project, NOW_S, {one.path}) == ()
    one.lift()
    assert os.listdir(project.parent) == ["plan.gpuplan"]


def test_a_session_that_lives_says_so(project: Path) -> None:
    mark = Mark(project)
    os.utime(mark.path, (1, 1))
    mark.touch()
    assert mark.path.stat().st_mtime > 1
    mark.lift()


def test_a_mark_of_another_project_says_nothing_of_this_one(project: Path) -> None:
    mark = Mark(project.with_name("plan.gpuplan.old"))
    longer = Mark(project.with_name("plan"))
    assert sessions_at(project, NOW_S) == ()
    mark.lift()
    longer.lift()


def test_through_a_link_it_is_the_same_project(project: Path) -> None:
    (project.parent / "elsewhere").mkdir()
    link = project.parent / "elsewhere" / "link.gpuplan"
    link.symlink_to(project)
    mark = Mark(link)
    assert len(sessions_at(project, NOW_S)) == 1
    mark.lift()


def test_after_a_kill_its_mark_counts_no_more_and_is_swept(project: Path) -> None:
    with killed_while_open(project) as path:
        assert sessions_at(project, NOW_S) == ()
        assert not path.exists()


def test_a_number_that_another_process_has_by_now_is_not_the_session(project: Path) -> None:
    with killed_while_open(project) as path:
        path.write_text(json.dumps({**json.loads(path.read_text()), "pid": os.getpid()}))
        assert sessions_at(project, NOW_S) == ()
        assert path.exists()  # its process lives, whatever it is: it stays


def test_a_mark_of_another_computer_counts_while_it_is_fresh_and_is_never_removed(project: Path) -> None:
    path = project.with_name(".plan.gpuplan.00ff.open")
    path.write_text(json.dumps({"host": "far", "pid": 1, "user": "ann", "since_s": NOW_S - 60}))
    os.utime(path, (NOW_S - 60, NOW_S - 60))
    (session,) = sessions_at(project, NOW_S)
    assert (session.host, session.user, session.since_s, session.is_here) == ("far", "ann", NOW_S - 60, False)
    assert sessions_at(project, NOW_S + FRESH_S) == ()
    assert path.exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[1]",
        b"\xff\xfe",
        b'{"host": 1, "pid": 1, "user": "", "since_s": 1}',
        b"[" * 4000,
        b'{"host": "a"}',
    ],
)
def test_what_is_no_mark_is_left_alone(project: Path, content: bytes) -> None:
    path = project.with_name(".plan.gpuplan.0a.open")
    path.write_bytes(content)
    assert sessions_at(project, NOW_S) == ()
    assert path.read_bytes() == content


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_odd_things_called_like_a_mark_do_not_stop_anything(project: Path) -> None:
    os.mkfifo(project.with_name(".plan.gpuplan.0a.open"))
    project.with_name(".plan.gpuplan.0b.open").mkdir()
    project.with_name(".plan.gpuplan.0c.open").symlink_to("/nowhere")
    assert sessions_at(project, NOW_S) == ()


def test_where_no_mark_can_be_laid_nothing_is_said_and_nothing_fails(project: Path) -> None:
    gone = project.parent / "none" / "plan.gpuplan"
    mark = Mark(gone)
    assert mark.handle is None
    mark.touch()
    mark.lift()
    assert sessions_at(gone, NOW_S) == ()


def test_on_a_disk_without_locks_the_process_is_asked(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(*_: object) -> bool:
        raise OSError(37, "No locks available")

    mark = Mark(project)
    monkeypatch.setattr(session_marks, "_is_locked", no_locks)
    assert len(sessions_at(project, NOW_S)) == 1
    monkeypatch.setattr(session_marks, "_is_no_process", lambda _: True)
    assert sessions_at(project, NOW_S) == ()
    mark.lift()
