"""Temporary folders of our own: gone with the work, swept once their process is gone, and never anybody else's."""

import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gpuplanner.files.system.own_folder import LOCK, PREFIX, OwnFolder, own_folder, sweep
from tests.some_of import some_of

HOLDS_ONE = """
import os, sys, time
from pathlib import Path
from gpuplanner.files.system.own_folder import OwnFolder
folder = OwnFolder(Path(sys.argv[1]))
(folder.path / "rows.parquet").write_bytes(b"names")
print(folder.path, flush=True)
time.sleep(600)
"""

ON_UNIX = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has neither owners nor signals of this kind"
)


@contextmanager
def process_with_a_folder(within: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    command = [sys.executable, "-c", HOLDS_ONE, str(within)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, Path(process.stdout.readline().strip())
        finally:
            process.kill()


def test_it_is_for_this_user_alone_and_gone_afterwards(tmp_path: Path) -> None:
    with own_folder(tmp_path) as folder:
        assert folder.parent == tmp_path and folder.is_absolute()
        assert sys.platform == "win32" or stat.S_IMODE(folder.stat().st_mode) == 0o700
        (folder / "rows").write_bytes(b"rows")
    assert not [*tmp_path.iterdir()]


def test_it_is_gone_too_where_the_work_fails_and_closing_twice_is_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), own_folder(tmp_path):
        raise KeyboardInterrupt
    folder = OwnFolder(tmp_path)
    folder.close()
    folder.close()
    assert not [*tmp_path.iterdir()]


def test_what_a_killed_process_left_is_swept_and_that_of_a_running_one_never(tmp_path: Path) -> None:
    with process_with_a_folder(tmp_path) as (process, folder), own_folder(tmp_path) as mine:
        sweep(tmp_path)
        assert (folder / "rows.parquet").exists() and mine.exists()
        process.kill()
        process.wait()
        sweep(tmp_path)
        assert not folder.exists() and mine.exists()


def test_a_folder_that_only_looks_like_ours_stays(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "jobs.csv").write_text("theirs")
    (kept / LOCK).touch()
    for name in (f"{PREFIX}abc", f"{PREFIX}def", "gpuplanner-xyz", "work"):
        (tmp_path / name).mkdir(mode=0o700)
        (tmp_path / name / "jobs.csv").write_text("theirs")
    (tmp_path / "gpuplanner-xyz" / LOCK).touch()
    (tmp_path / f"{PREFIX}file").write_text("theirs")
    (tmp_path / f"{PREFIX}link").symlink_to(kept)
    (tmp_path / f"{PREFIX}def" / LOCK).symlink_to(kept / LOCK)
    before = sorted(tmp_path.rglob("*"))
    sweep(tmp_path)
    assert sorted(tmp_path.rglob("*")) == before


@ON_UNIX
def test_whoever_is_just_making_a_folder_that_is_swept_never_gets_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    being_made = tmp_path / f"{PREFIX}being_made"
    being_made.mkdir(mode=0o700)
    maker = os.open(being_made / LOCK, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    refused: list[Path] = []
    remove = shutil.rmtree

    def maker_comes_between(folder: Path, *, ignore_errors: bool) -> None:
        with pytest.raises(BlockingIOError):
            fcntl.flock(maker, fcntl.LOCK_EX | fcntl.LOCK_NB)
        refused.append(folder)
        remove(folder, ignore_errors=ignore_errors)

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", maker_comes_between)
        sweep(tmp_path)
    os.close(maker)
    assert refused == [being_made] and not being_made.exists()


@ON_UNIX
def test_a_folder_of_another_user_or_that_others_may_write_to_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = tmp_path / f"{PREFIX}left"
    left.mkdir(mode=0o700)
    (left / LOCK).touch()
    left.chmod(0o777)
    sweep(tmp_path)
    assert left.exists()
    left.chmod(0o700)
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: left.stat().st_uid + 1)
        sweep(tmp_path)
    assert left.exists()
    sweep(tmp_path)
    assert not left.exists()


@ON_UNIX
def test_a_link_in_what_is_swept_leads_nowhere(tmp_path: Path) -> None:
    theirs = tmp_path / "logs"
    theirs.mkdir()
    (theirs / "jobs.csv").write_text("theirs")
    left = tmp_path / f"{PREFIX}left"
    left.mkdir(mode=0o700)
    (left / LOCK).touch()
    (left / "logs").symlink_to(theirs)
    (left / "jobs.csv").symlink_to(theirs / "jobs.csv")
    sweep(tmp_path)
    assert not left.exists() and (theirs / "jobs.csv").read_text() == "theirs"


STOPPED = """
import sys, time
import gpuplanner.__main__
import gpuplanner.cli.check
from gpuplanner.files.system.own_folder import own_folder

def wait_in_a_folder(words, now_s):
    with own_folder() as folder:
        print(folder, flush=True)
        time.sleep(600)

gpuplanner.cli.check.check = wait_in_a_folder
sys.argv = ["gpuplanner", "check", "jobs.csv"]
sys.exit(gpuplanner.__main__.main())
"""


@pytest.mark.long
@ON_UNIX
@pytest.mark.parametrize("name", some_of(["SIGTERM", "SIGINT", "SIGHUP"], quick=1))
def test_whoever_ends_a_command_finds_nothing_left_of_it(tmp_path: Path, name: str) -> None:
    command = [sys.executable, "-c", STOPPED]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(
        command, text=True, env={**os.environ, "TMPDIR": str(tmp_path)}, **pipes
    ) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        assert folder.parent == tmp_path and folder.is_dir()
        process.send_signal(getattr(signal, name))
        _, said = process.communicate()
    assert process.returncode == 130 and said.startswith("gpuplanner: ") and said.count("\n") == 1
    assert not [*tmp_path.iterdir()]
