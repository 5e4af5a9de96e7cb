"""Every export onto every kind of thing: what is no plain file is never replaced, and what a file is stays."""

import os
import re
import socket
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from itertools import product
from pathlib import Path
from threading import Thread

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system import output_file
from gpuplanner.files.system.output_file import output_folder, output_part, put, write_output, write_secret
from gpuplanner.files.system.own_folder import PREFIX
from tests.faults.exports import EXPORTS, LARGE, NAMES, SMALL

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links, pipes and modes are those of Unix")
OLD = b"what was there before"


@pytest.fixture
def folder() -> Iterator[Path]:
    """With a short name: a socket's address has room for a hundred letters."""
    with tempfile.TemporaryDirectory(prefix="out-") as made:
        yield Path(made)


def old_file(path: Path, mode: int = 0o644) -> Path:
    path.write_bytes(OLD)
    path.chmod(mode)
    return path


def left_beside(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob(f"{PREFIX}*")]


# Each makes the odd thing at the path, and gives the file whose bytes are to be the new ones.


def nothing(path: Path) -> Path:
    return path


def plain(path: Path) -> Path:
    return old_file(path)


def private(path: Path) -> Path:
    return old_file(path, 0o600)


def open_to_the_group(path: Path) -> Path:
    return old_file(path, 0o664)


def link(path: Path) -> Path:
    path.symlink_to("target")
    return old_file(path.with_name("target"))


def link_elsewhere(path: Path) -> Path:
    other = path.with_name("other folder")
    other.mkdir()
    path.symlink_to(other / "target")
    return old_file(other / "target", 0o640)


def link_to_a_link(path: Path) -> Path:
    path.symlink_to("second")
    return link(path.with_name("second"))


def link_to_nothing(path: Path) -> Path:
    path.symlink_to("target")
    return path.with_name("target")


OF_ITS_USER_ALONE = "job rows"
WRITTEN = (nothing, plain, private, open_to_the_group, link, link_elsewhere, link_to_a_link, link_to_nothing)


def read_only(path: Path) -> None:
    old_file(path, 0o444)


def link_to_read_only(path: Path) -> None:
    path.symlink_to("target")
    old_file(path.with_name("target"), 0o400)


def loop(path: Path) -> None:
    path.symlink_to("second")
    path.with_name("second").symlink_to(path)


def link_into_no_folder(path: Path) -> None:
    path.symlink_to("no folder/target")


def a_folder(path: Path) -> None:
    path.mkdir()


def a_socket(path: Path) -> None:
    one = socket.socket(socket.AF_UNIX)
    one.bind(str(path))
    one.close()


def link_to_a_socket(path: Path) -> None:
    path.symlink_to("socket")
    a_socket(path.with_name("socket"))


def a_disk(path: Path) -> None:
    as_root()
    os.mknod(path, stat.S_IFBLK | 0o660, os.makedev(7, 250))


def as_root() -> None:
    if os.geteuid() != 0:
        pytest.skip("only the superuser makes devices")


REFUSED = (
    read_only, link_to_read_only, loop, link_into_no_folder, a_folder, a_socket, link_to_a_socket, a_disk,
)  # fmt: skip


def state_of(folder: Path) -> dict[str, tuple[int, int, bytes, str]]:
    """What lies in a folder: of each thing what it is, its number, its bytes, where it leads. `cube folder` is ours."""
    found = {}
    for at in sorted(folder.rglob("*")):
        if "cube folder" not in at.parts:
            is_link, what = at.is_symlink(), at.lstat()
            content = at.read_bytes() if at.is_file() and not is_link else b""
            found[str(at)] = (what.st_mode, what.st_ino, content, os.readlink(at) if is_link else "")
    return found


def in_full(*kinds: Callable[..., object]) -> list[object]:
    """Every small export in every run, and the large ones in the long run."""
    marks = {name: pytest.mark.long if name in LARGE else () for name in EXPORTS}
    both = product(EXPORTS, kinds)
    return [pytest.param(name, kind, id=f"{name}-{kind.__name__}", marks=marks[name]) for name, kind in both]


@pytest.mark.parametrize(("name", "kind"), in_full(*WRITTEN))
def test_a_file_is_written_and_stays_what_it_is(
    qapp: object, folder: Path, name: str, kind: Callable[[Path], Path]
) -> None:
    path = folder / "out"
    target = kind(path)
    mode = target.stat().st_mode if target.exists() else None
    links = {at: os.readlink(at) for at in folder.iterdir() if at.is_symlink()}
    EXPORTS[name](path)
    assert target.read_bytes() not in (b"", OLD)
    assert stat.S_ISREG(target.lstat().st_mode)
    umask = os.umask(0o022)
    os.umask(umask)
    if name == OF_ITS_USER_ALONE:
        mode = stat.S_IFREG | 0o600
    assert target.stat().st_mode == (stat.S_IFREG | (0o666 & ~umask) if mode is None else mode)
    assert {at: os.readlink(at) for at in links} == links
    assert left_beside(folder) == []


@pytest.mark.parametrize(("name", "kind"), in_full(*REFUSED))
def test_what_cannot_be_written_to_is_refused_and_left_alone(
    qapp: object, folder: Path, name: str, kind: Callable[[Path], None]
) -> None:
    path = folder / "out"
    kind(path)
    before = state_of(folder)
    with pytest.raises(PlannerError) as refusal:
        EXPORTS[name](path)
    assert refusal.value.code == "file_unreadable" and "\n" not in str(refusal.value)
    assert state_of(folder) == before


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("is_linked", [False, True])
def test_a_pipe_gets_all_bytes_and_stays(qapp: object, folder: Path, name: str, is_linked: bool) -> None:
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    path = folder / "out" if is_linked else pipe
    if is_linked:
        path.symlink_to("pipe")
    heard: list[bytes] = []
    reader = Thread(target=lambda: heard.append(pipe.read_bytes()), daemon=True)
    reader.start()
    EXPORTS[name](path)
    reader.join(20)
    EXPORTS[name](folder / "file")
    assert pipe.is_fifo() and left_beside(folder) == []
    assert heard and heard[0][:4] == (folder / "file").read_bytes()[:4]


@pytest.mark.parametrize("name", NAMES)
def test_a_device_is_written_to_and_stays(qapp: object, folder: Path, name: str) -> None:
    as_root()
    null, full = folder / "null", folder / "full"
    os.mknod(null, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    os.mknod(full, stat.S_IFCHR | 0o666, os.makedev(1, 7))
    before = state_of(folder)
    EXPORTS[name](null)
    with pytest.raises(PlannerError, match="the disk is full"):
        EXPORTS[name](full)
    assert state_of(folder) == before


def test_a_pipe_that_nobody_reads_is_refused_and_one_whose_reader_leaves_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "pipe"
    os.mkfifo(path)
    monkeypatch.setattr(output_file, "_READER_S", 0.0)
    with pytest.raises(PlannerError, match="the pipe has no reader"):
        write_output(path, b"new")
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    written = os.write

    def leave(handle: int, content: bytes) -> int:
        os.close(reader)
        monkeypatch.setattr(os, "write", written)
        return written(handle, content)

    with pytest.raises(PlannerError, match="the pipe's reader stopped early"), output_part(path) as out:  # noqa: PT012
        out.part.write_bytes(b"new")
        monkeypatch.setattr(os, "write", leave)
    assert path.is_fifo()


def test_a_name_of_255_bytes_is_written_and_a_longer_one_refused(folder: Path) -> None:
    name = "ü" * 120 + "x" * 8 + ".gpuplan"[:7]
    assert len(os.fsencode(name)) == 255
    for export in SMALL.values():
        if export is not SMALL["cube"]:
            export(folder / name)
            export(folder / name)
    with pytest.raises(PlannerError):
        write_output(folder / f"{name}x", b"new")
    backups = [at for at in folder.iterdir() if at.is_file() and "backup" in at.name]
    assert len(backups) == 1  # the second save was of the same bytes


def test_the_other_names_of_a_file_keep_what_they_hold(folder: Path) -> None:
    path = old_file(folder / "out")
    os.link(path, folder / "yesterday")
    write_output(path, b"new")
    assert (path.read_bytes(), (folder / "yesterday").read_bytes()) == (b"new", OLD)


def test_owner_group_and_attributes_stay(folder: Path) -> None:
    as_root()
    path = old_file(folder / "out", 0o640)
    os.chown(path, 12345, 23456)
    with suppress(OSError):  # where the file system has attributes
        os.setxattr(path, "user.note", b"ours")
    before = os.listxattr(path)
    write_output(path, b"new")
    found = path.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (12345, 23456, 0o640)
    assert os.listxattr(path) == before
    assert "user.note" not in before or os.getxattr(path, "user.note") == b"ours"


@pytest.mark.parametrize("fails", [False, True])
def test_where_owner_or_group_cannot_be_kept_a_file_is_written_over_and_comes_back_where_that_fails(
    folder: Path, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    path = old_file(folder / "out")
    number = path.stat().st_ino
    monkeypatch.setattr(output_file, "_is_given_to", lambda part, before: False)
    written, count = os.write, 0

    def write(handle: int, content: bytes) -> int:
        nonlocal count
        count += os.fstat(handle).st_ino == number
        if fails and count == 2:
            raise OSError(28, "No space left on device")
        return written(handle, content[:8])

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(PlannerError, match="the disk is full") if fails else nullcontext():
        write_output(path, b"new" * 20)
    assert path.stat().st_ino == number
    assert path.read_bytes() == (OLD if fails else b"new" * 20)
    assert os.listdir(folder) == ["out"]


def test_a_file_that_becomes_something_else_meanwhile_is_left_alone(folder: Path) -> None:
    path = folder / "out"
    with pytest.raises(PlannerError, match="replaced while being written"), output_part(path) as out:  # noqa: PT012
        out.part.write_bytes(b"new")
        os.mkfifo(path)
    assert path.is_fifo()


def test_what_was_given_is_never_written_to(folder: Path) -> None:
    log = old_file(folder / "jobs.csv")
    (folder / "link").symlink_to(log)
    os.link(log, folder / "second name")
    for path in (log, folder / "link", folder / "second name", folder / "." / "jobs.csv"):
        with pytest.raises(PlannerError, match=re.escape(path.name)):
            write_output(path, b"new", given=[str(log)])
    assert log.read_bytes() == OLD


def test_a_secret_is_for_its_owner_alone_and_is_made_once(folder: Path) -> None:
    for content in (b"first", b"second"):
        write_secret(folder / "key", content)
    assert (folder / "key").read_bytes() == b"first"
    assert stat.S_IMODE((folder / "key").stat().st_mode) == 0o600
    assert os.listdir(folder) == ["key"]


def test_until_the_end_nobody_else_can_read_it(folder: Path) -> None:
    path = old_file(folder / "out")
    with output_part(path) as out:
        assert stat.S_IMODE(out.part.stat().st_mode) == 0o600
        assert stat.S_IMODE(out.part.parent.stat().st_mode) == 0o700
        assert path.read_bytes() == OLD


def test_a_folder_is_made_through_links_and_nothing_else_is_taken_for_one(folder: Path) -> None:
    (folder / "link").symlink_to("made")
    output_folder(folder / "link")
    assert (folder / "made").is_dir()
    (folder / "file").touch()
    os.mkfifo(folder / "pipe")
    loop(folder / "loop")
    for name in ("file", "pipe", "loop"):
        with pytest.raises(PlannerError):
            output_folder(folder / name)
    (folder / "part").write_bytes(b"new")
    put(folder / "part", folder / "rows")
    assert (folder / "rows").read_bytes() == b"new" and not (folder / "part").exists()
