"""Whatever fails while something is exported, the old file is there byte for byte, and nothing is left beside it."""

import errno
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gpuplanner.cli import inputs as cli_inputs
from gpuplanner.cli.arguments import build_parser
from gpuplanner.cli.run import run
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system.output_file import output_part, write_output
from gpuplanner.files.system.own_folder import PREFIX
from tests.faults.exports import EXPORTS, LARGE, NAMES

OLD = b"what was there before"
STEPS = ("write", "fsync", "replace", "chmod", "link")
NOW_S = 1_790_812_800
Patch, Captured = pytest.MonkeyPatch, pytest.CaptureFixture[str]


class Fault:
    """Every nth call of a function of os fails; of `write` only half of what it is given is written before."""

    def __init__(self, fail_at: int | None, stop: BaseException) -> None:
        self.calls, self._fail_at, self._stop = 0, fail_at, stop

    def before(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*args: Any, **kwargs: Any) -> Any:
            self.calls += 1
            if self.calls == self._fail_at:
                if function.__name__ == "write":
                    function(args[0], bytes(args[1])[: len(args[1]) // 2])
                raise self._stop
            return function(*args, **kwargs)

        return called


@contextmanager
def fault(monkeypatch: Patch, step: str, fail_at: int | None, stop: BaseException) -> Iterator[Fault]:
    one = Fault(fail_at, stop)
    with monkeypatch.context() as patch:
        patch.setattr(os, step, one.before(getattr(os, step)))
        yield one


def tree(folder: Path) -> dict[str, bytes]:
    """Every file but the backups of a project and the link by which the cube goes elsewhere."""
    return {
        str(at.relative_to(folder)): at.read_bytes()
        for at in folder.rglob("*")
        if at.is_file() and "backup" not in at.name and "cube folder" not in at.parts
    }


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("there", [OLD, None], ids=["old", "new"])
@pytest.mark.parametrize("stop", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_the_nth_write_fsync_or_rename_that_fails_leaves_what_was_there(
    qapp: object,
    tmp_path: Path,
    monkeypatch: Patch,
    tally: Counter[str],
    name: str,
    there: bytes | None,
    stop: BaseException,
) -> None:
    path = tmp_path / "out"

    def begin() -> None:
        for at in tmp_path.glob("out*"):
            at.unlink()
        if there is not None:
            path.write_bytes(there)

    begin()
    failed = 0
    for step in STEPS[: 3 if name in LARGE else 5]:
        with fault(monkeypatch, step, None, stop) as counted:
            EXPORTS[name](path)
        at_most = (
            4 if name in LARGE else 100
        )  # of a book's hundreds of writes some, from the first to the last
        some = {1 + at * (counted.calls - 1) // at_most for at in range(at_most + 1)}
        for n in sorted(some & set(range(1, counted.calls + 1))):
            begin()
            before = tree(tmp_path)
            said: BaseException | None = None
            with fault(monkeypatch, step, n, stop):
                try:
                    EXPORTS[name](path)
                except (PlannerError, KeyboardInterrupt) as error:
                    said = error
            after = tree(tmp_path)
            if isinstance(said, PlannerError):
                failed += 1
                assert after == before, (step, n)
                assert said.code == "file_unreadable" and "\n" not in str(said)
            else:  # Ctrl-C after the new one took its place, or what failed can be done without: a link
                assert after == before or (after.keys() == {"out"} and len(after["out"]) >= 9), (step, n)
            tally["refused" if isinstance(said, PlannerError) else "survived"] += 1
    assert isinstance(stop, KeyboardInterrupt) or failed >= 3


@pytest.mark.skipif(os.name == "nt", reason="a folder cannot be asked to be on the disk")
def test_file_and_folder_are_on_the_disk_in_this_order(
    qapp: object, tmp_path: Path, monkeypatch: Patch
) -> None:
    called: list[str] = []
    fsync, replace = os.fsync, os.replace

    def note_fsync(handle: int) -> None:
        is_folder = os.path.samestat(os.fstat(handle), tmp_path.stat())
        called.append("the folder" if is_folder else "the file")
        fsync(handle)

    def note_replace(source: Path, target: Path) -> None:
        called.append("its place")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(os, "replace", note_replace)
    for name in ("focus", "rules", "screenshot", "job rows", "project", "brief as pdf"):
        called.clear()
        EXPORTS[name](tmp_path / name)
        assert called == ["the file", "its place", "the folder"], name


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 12 KB, and a folder on it, where this machine lets one be made."""
    at = tmp_path / "disk"
    at.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=12k", "tmpfs", str(at)]
    if os.name == "nt" or os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("no disk can be made here")
    try:
        yield at
    finally:
        subprocess.run(["umount", str(at)], check=True)


@pytest.mark.long
@pytest.mark.parametrize("name", ["cube", "project", *LARGE])
def test_a_full_disk_leaves_the_old_file(qapp: object, tiny_disk: Path, name: str) -> None:
    path = tiny_disk / "out"
    path.write_bytes(OLD)
    (tiny_disk / "other").write_bytes(b"x" * 4000)
    before = tree(tiny_disk)
    with pytest.raises(PlannerError, match=r"room|full|space") as refusal:
        EXPORTS[name](path)
    assert "\n" not in str(refusal.value)
    assert tree(tiny_disk) == before


SMALL_LOG = """job_id,cluster,name,gpu_model,gpus,start,end
1,atlas,train,H100,8,2026-01-01T00:00:00Z,2026-02-10T00:00:00Z
2,atlas,serve,H100,4,2026-01-01T00:00:00Z,2026-03-01T00:00:00Z
"""
PRICES = """offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour
a,H100,STANDARD,0,3
b,H100,COMMITTED,12,2
"""


@pytest.fixture
def inputs(tmp_path: Path) -> list[str]:
    (tmp_path / "jobs.csv").write_text(SMALL_LOG)
    (tmp_path / "prices.csv").write_text(PRICES)
    return ["--jobs", str(tmp_path / "jobs.csv"), "--prices", str(tmp_path / "prices.csv")]


@pytest.mark.long
def test_a_call_that_cannot_write_says_so_in_one_line_and_status_3(
    qapp: object, tmp_path: Path, inputs: list[str], capsys: Captured, monkeypatch: Patch
) -> None:
    path, option = tmp_path / "out.pdf", "--brief"
    path.write_bytes(OLD)
    named = list[str]()
    # each file in turn: rows of the log, since a brief asks who waits, then the brief
    while path.read_bytes() == OLD:
        with fault(monkeypatch, "fsync", len(named) + 1, OSError(errno.ENOSPC, "No space left on device")):
            status = run(["export", *inputs, option, str(path)], NOW_S)
        said = capsys.readouterr()
        if status:
            name, code, _ = said.err.split(": ", 2)
            assert (status, said.out, code, said.err.count("\n")) == (3, "", "file_unreadable", 1)
            assert path.read_bytes() == OLD
            named.append(name)
    assert named[0].endswith(".parquet") and named[-1] == str(path)


@pytest.mark.parametrize("option", ["--out", "--focus", "--statement", "--brief"])
@pytest.mark.parametrize("given", ["jobs.csv", "prices.csv"])
def test_what_was_given_is_refused_before_anything_is_read(
    tmp_path: Path, inputs: list[str], capsys: Captured, monkeypatch: Patch, option: str, given: str
) -> None:
    monkeypatch.setattr(cli_inputs, "load", None)
    link = tmp_path / "out.pdf"
    link.symlink_to(given)
    before = tree(tmp_path)
    assert run(["export", *inputs, option, str(link)], NOW_S) == 3
    assert str(link) in capsys.readouterr().err
    assert tree(tmp_path) == before


def test_a_cube_is_not_written_over_the_log_it_is_made_from(tmp_path: Path) -> None:
    (tmp_path / "cube.csv").write_text(SMALL_LOG)
    assert run(["reduce", "--jobs", str(tmp_path / "cube.csv"), "--out", str(tmp_path)], NOW_S) == 3
    assert (tmp_path / "cube.csv").read_text() == SMALL_LOG


def test_two_outputs_are_two_files(tmp_path: Path, inputs: list[str], capsys: Captured) -> None:
    (tmp_path / "second.xlsx").symlink_to("first.xlsx")
    words = ["--out", str(tmp_path / "first.xlsx"), "--focus", str(tmp_path / "second.xlsx")]
    assert run(["export", *inputs, *words], NOW_S) == 2
    assert "written twice" in capsys.readouterr().err


def test_every_option_that_names_a_file_to_write_is_looked_at() -> None:
    """By what the parser says of it: a new one that is not looked at is found here."""
    commands = build_parser()._subparsers._group_actions[0].choices.values()  # type: ignore[union-attr]
    actions = [action for command in commands for action in command._actions]
    writing = {action.dest for action in actions if getattr(action.type, "__name__", "") == "_some_path"}
    assert writing == {
        *("folder", "out", "focus", "statement", "brief", "rfq", "save_to", "csv", "parquet", "calendar")
    }


KILLED = """
import os, sys
from pathlib import Path
from gpuplanner.files.system.output_file import output_file
with output_file(Path(sys.argv[1])) as file:
    file.write(b"new")
    file.flush()
    os.kill(os.getpid(), 9) if os.name != "nt" else os._exit(9)
"""


def test_what_a_killed_call_left_goes_with_the_next_output_and_nothing_else_does(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(OLD)
    theirs = tmp_path / f"{PREFIX}of somebody"
    theirs.mkdir()
    (theirs / "part").write_bytes(OLD)
    subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert path.read_bytes() == OLD
    assert len(os.listdir(tmp_path)) == 3
    with output_part(tmp_path / "other") as under_way:
        write_output(path, b"after")
        assert under_way.part.exists()
        assert sorted(os.listdir(tmp_path)) == sorted({"out", theirs.name, under_way.part.parent.name})
    assert (theirs / "part").read_bytes() == OLD
