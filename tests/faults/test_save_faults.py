"""Whatever fails while a project is saved, the file that was there still opens and nothing is left beside it."""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window
from gpuplanner.files.project import project_file, project_parts
from gpuplanner.files.project.project_file import open_project, save_project
from tests.some_of import one_in, stride

_STEPS = "open close fsync replace link unlink stat access listdir scandir chmod"
STEPS = tuple(_STEPS.split())
"""Every function of os that a save may stand on."""


def project(title: str, entries: int = 10) -> Project:
    amounts = np.random.default_rng(0).integers(1, 2**40, entries)
    zeros = np.zeros(entries, np.int64)
    cube = cube_from_entries(entries, ("H100",), zeros, zeros, np.arange(entries), amounts)
    return Project(
        window=Window(0, entries),
        cube=cube,
        workloads=(Workload(key="w", name="w", cluster="", owner=""),),
        title=title,
    )


class Fault:
    """Fails at the nth call of the functions of os that it stands before; counts them all."""

    def __init__(self, fail_at: int | None, fail: Callable[[], None]) -> None:
        self.calls, self.failed, self._fail_at, self._fail = 0, "", fail_at, fail

    def before(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*args: Any, **kwargs: Any) -> Any:
            self.calls += 1
            if self.calls - 1 == self._fail_at:
                self.failed = function.__name__
                self._fail()
            return function(*args, **kwargs)

        return called


@pytest.fixture(autouse=True)
def own_temporary_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saving looks there for what killed processes left: what others do there must not be among the steps."""
    monkeypatch.setenv("TMPDIR", str(tmp_path_factory.mktemp("temporary")))
    monkeypatch.setattr(tempfile, "tempdir", None)


def no_space() -> None:
    raise OSError(28, "No space left on device")


Patch = pytest.MonkeyPatch


@contextmanager
def fault(monkeypatch: Patch, fail_at: int | None, fail: Callable[[], None] = no_space) -> Iterator[Fault]:
    fault = Fault(fail_at, fail)
    with monkeypatch.context() as patch:
        for name in STEPS:
            patch.setattr(os, name, fault.before(getattr(os, name)))
        patch.setattr(project_file.sqlite3, "connect", fault.before(project_file.sqlite3.connect))
        yield fault


def count_of_steps(folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    save_project(project("old"), folder / "count.gpuplan")
    with fault(monkeypatch, None) as counted:
        save_project(project("new"), folder / "count.gpuplan")
    return counted.calls


@pytest.mark.long
@pytest.mark.parametrize("error", one_in(2, [OSError, KeyboardInterrupt]))
def test_a_fault_at_any_step_leaves_the_old_file_or_the_new_one_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tally: Counter[str], error: type[BaseException]
) -> None:
    def fail() -> None:
        raise error(28, "stop")

    steps = count_of_steps(tmp_path, monkeypatch)
    assert steps > 10
    kept_old = 0
    for step in range(0, steps, stride(3)):
        path = tmp_path / f"{step}" / "plan.gpuplan"
        path.parent.mkdir()
        save_project(project("old"), path)
        said = None
        with fault(monkeypatch, step, fail) as injected:
            try:
                save_project(project("new"), path)
            except (PlannerError, KeyboardInterrupt) as stopped:
                said = stopped
        title = open_project(path).title
        if said is None:
            assert title == "new"
        elif isinstance(said, PlannerError):
            assert title == "old"
            kept_old += 1
        assert title in ("old", "new")
        save_project(project("after"), path)
        assert open_project(path).title == "after"
        left = [file.name for file in path.parent.iterdir() if not file.name.endswith(".gpuplan")]
        assert left == [] or injected.failed == "close"  # then its lock is held for as long as we run
        tally["refused" if isinstance(said, PlannerError) else "survived"] += 1
    assert error is KeyboardInterrupt or kept_old > 5


KILLED = """
import os, sys
from pathlib import Path
from gpuplanner.files.project import project_file
from gpuplanner.files.project.project_file import open_project, save_project
from dataclasses import replace
path, step = Path(sys.argv[1]), int(sys.argv[2])
new = replace(open_project(path), title="new")
calls = 0
def before(function):
    def called(*args, **kwargs):
        global calls
        calls += 1
        if calls - 1 == step:
            os._exit(9)
        return function(*args, **kwargs)
    return called
for name in sys.argv[3].split(","):
    setattr(os, name, before(getattr(os, name)))
project_file.sqlite3.connect = before(project_file.sqlite3.connect)
save_project(new, path)
"""


@pytest.mark.long
def test_a_kill_at_any_step_leaves_a_whole_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tally: Counter[str]
) -> None:
    steps = count_of_steps(tmp_path, monkeypatch)
    titles = set()
    for step in range(0, steps, stride(21)):
        path = tmp_path / f"{step}" / "plan.gpuplan"
        path.parent.mkdir()
        save_project(project("old"), path)
        command = [sys.executable, "-c", KILLED, str(path), str(step), ",".join(STEPS)]
        assert subprocess.run(command, check=False).returncode == 9
        titles.add(open_project(path).title)
        save_project(project("after"), path)
        assert open_project(path).title == "after"
        tally["survived"] += 1
    assert "old" in titles
    assert titles <= {"old", "new"}


def test_a_naive_save_is_seen_to_lose(tmp_path: Path, monkeypatch: Patch, tally: Counter[str]) -> None:
    """The control: a save that writes over the file in place, under the same faults, leaves what does not open."""
    path, other = tmp_path / "plan.gpuplan", tmp_path / "new.gpuplan"
    save_project(project("new"), other)
    content = other.read_bytes()

    def naive_save() -> None:
        file = os.open(path, os.O_WRONLY | os.O_TRUNC)
        for at in range(0, len(content), 4096):
            os.lseek(file, at, os.SEEK_SET)
            os.write(file, content[at : at + 4096])
        os.close(file)

    monkeypatch.setitem(globals(), "STEPS", (*STEPS, "lseek", "write"))
    for step in range(2 + 2 * -(-len(content) // 4096)):
        save_project(project("old"), path)
        with fault(monkeypatch, step), suppress(OSError):
            naive_save()
        try:
            tally["survived"] += open_project(path).title in ("old", "new")
        except PlannerError:
            tally["lost"] += 1
    assert tally["lost"] > tally["survived"] > 0


@pytest.mark.parametrize("limit_bytes", [0, 5_000, 60_000, 150_000])
def test_a_disk_that_fills_up_while_sqlite_writes_leaves_the_old_file(
    tmp_path: Path, limit_bytes: int
) -> None:
    resource = pytest.importorskip("resource", reason="Windows has no such limit")
    path = tmp_path / "plan.gpuplan"
    save_project(project("old"), path)
    large = project("new", entries=50_000)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, before[1]))
    try:
        with pytest.raises(PlannerError) as refusal:
            save_project(large, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "unchanged" in str(refusal.value.what)
    assert open_project(path).title == "old"
    assert os.listdir(tmp_path) == ["plan.gpuplan"]


def test_a_disk_that_writes_something_else_is_found_out(tmp_path: Path, monkeypatch: Patch) -> None:
    path = tmp_path / "plan.gpuplan"
    save_project(project("old"), path)
    write = project_file.write_parts

    def write_wrong(target: Path, parts: Any, about: Any) -> None:
        write(target, [parts[0], *project_parts.parts_of(project("x", 3), project_parts.PartCache())])

    monkeypatch.setattr(project_file, "write_parts", write_wrong)
    with pytest.raises(PlannerError, match="'plans'"):
        save_project(project("new"), path)
    assert open_project(path).title == "old"
    assert os.listdir(tmp_path) == ["plan.gpuplan"]


def test_what_was_written_is_on_the_disk_before_its_name_is_and_the_name_before_the_save_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut cannot be had in a test; the order of the calls that guard against it can."""
    path = tmp_path / "q3.gpuplan"
    called: list[str] = []
    fsync, replace = os.fsync, os.replace

    def note_fsync(handle: int) -> None:
        is_folder = os.path.samestat(os.fstat(handle), tmp_path.stat())
        called.append("the folder is durable" if is_folder else "the file is durable")
        fsync(handle)

    def note_replace(source: Path, target: Path) -> None:
        if Path(target) == path:
            called.append("it takes its place")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(os, "replace", note_replace)
    save_project(project("first"), path)
    expected = ["the file is durable", "it takes its place", "the folder is durable"]
    assert called == (expected[:2] if os.name == "nt" else expected)
