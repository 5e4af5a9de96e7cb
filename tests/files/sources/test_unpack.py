"""Packed logs give what they would give unpacked."""

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
from pathlib import Path

import pytest
import zstandard

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.check import check_file, check_files
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.importing.recognise import glance
from gpuplanner.files.sources.unpack import parts_of
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.some_of import some_of

LOG = b"job_id,gpus,start,end\n1,1,2026-01-01T00:00:00Z,2026-01-01T01:00:00Z\n"
AGAIN = LOG + b"2,2,2026-01-01T00:00:00Z,2026-01-01T01:00:00Z\n"
WHOLE_LOG = WindowRequest(whole_log=True)


def _zip(path: Path, **members: bytes) -> str:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(f"logs/{name}.csv", data)
    return str(path)


PACKS = {"gz": gzip.compress, "zst": zstandard.ZstdCompressor().compress}
PACKS |= {"bz2": bz2.compress, "xz": lzma.compress}


@pytest.mark.long
@pytest.mark.parametrize("suffix", some_of(PACKS, quick=2))
def test_a_packed_log_gives_what_it_gives_unpacked(tmp_path: Path, suffix: str) -> None:
    plain, packed = tmp_path / "log.csv", tmp_path / f"log.{suffix}"
    plain.write_bytes(AGAIN)
    packed.write_bytes(PACKS[suffix](AGAIN))
    one, other = (read_inputs([str(path)], window_request=WHOLE_LOG) for path in (plain, packed))
    assert one.jobs.milli_gpu_seconds == other.jobs.milli_gpu_seconds == 3 * 3_600_000
    assert other.intake[0].path == str(packed)
    assert other.intake[0].sha256 == one.intake[0].sha256


@pytest.mark.long
def test_every_file_of_a_zip_is_a_file_and_repeats_are_found_over_them(tmp_path: Path) -> None:
    path = _zip(tmp_path / "logs.zip", june=LOG, july=AGAIN)
    read = read_inputs([path], window_request=WHOLE_LOG)
    assert [file.path for file in read.intake] == [f"{path}/logs_june.csv", f"{path}/logs_july.csv"]
    assert [(file.rows_accepted, file.rows_duplicate) for file in read.intake] == [(1, 0), (1, 1)]
    assert [file.rows_read for file in check_file(path)] == [1, 2]


def test_one_file_of_a_zip_can_be_named_again(tmp_path: Path) -> None:
    path = _zip(tmp_path / "logs.zip", june=LOG, july=AGAIN)
    read = read_inputs([f"{path}/logs_july.csv"], window_request=WHOLE_LOG)
    assert [file.rows_accepted for file in read.intake] == [2]


def test_a_plain_file_is_read_where_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes(LOG)
    (part,) = parts_of(str(path), tmp_path / "nowhere")
    assert part.at == path and not part.is_temporary


@pytest.mark.long
def test_a_member_that_cannot_be_read_is_refused_by_name_and_the_others_are_read(tmp_path: Path) -> None:
    inner = Path(_zip(tmp_path / "inner.zip", june=LOG)).read_bytes()
    path = Path(_zip(tmp_path / "outer.zip", aaaa=LOG + 4000 * b"9", nested=inner, july=AGAIN))
    packed = bytearray(path.read_bytes())
    packed[45:60] = b"\xff" * 15  # within the packed bytes of the first
    path.write_bytes(packed)
    read = import_jobs([str(path)])
    assert [(fault.where, fault.code) for fault in read.refused] == [
        (f"{path}/logs_aaaa.csv", "truncated_file"),
        (f"{path}/logs_nested.csv", "file_unreadable"),
    ]
    assert [(file.rows_read, [issue.code for issue in file.issues][:1]) for file in read.intake[:2]] == [
        (0, ["truncated_file"]),
        (0, ["file_unreadable"]),
    ]
    assert read.intake[2].path == f"{path}/logs_july.csv" and read.intake[2].rows_accepted > 0
    assert {file.path: file.kind for file in check_file(str(path))} == {
        f"{path}/logs_july.csv": "jobs",
        f"{path}/logs_aaaa.csv": "unknown",
        f"{path}/logs_nested.csv": "unknown",
    }


def test_an_archive_of_which_nothing_can_be_read_is_refused(tmp_path: Path) -> None:
    inner = Path(_zip(tmp_path / "inner.zip", june=LOG)).read_bytes()
    with pytest.raises(PlannerError) as fault:
        import_jobs([_zip(tmp_path / "outer.zip", one=inner, two=inner)])
    assert fault.value.code == "file_unreadable"


def _tar(path: Path, mode: str = "w", **members: bytes) -> str:
    with tarfile.open(path, mode) as archive:
        folder = tarfile.TarInfo("./logs")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, data in members.items():
            part = tarfile.TarInfo(f"./logs/{name}.csv")
            part.size = len(data)
            archive.addfile(part, io.BytesIO(data))
    return str(path)


@pytest.mark.long
@pytest.mark.parametrize("mode", some_of(["w", "w:gz", "w:bz2", "w:xz"], quick=1))
def test_every_file_of_a_tar_is_a_file_too_however_it_is_packed(tmp_path: Path, mode: str) -> None:
    path = _tar(tmp_path / "logs.tar.any", mode, june=LOG, july=AGAIN)
    read = read_inputs([path], window_request=WHOLE_LOG)
    assert [file.path for file in read.intake] == [f"{path}/logs_june.csv", f"{path}/logs_july.csv"]
    assert [(file.rows_accepted, file.rows_duplicate) for file in read.intake] == [(1, 0), (1, 1)]
    assert [file.rows_accepted for file in read_inputs([f"{path}/logs_july.csv"]).intake] == [2]


def test_two_files_of_one_name_are_counted_apart_and_each_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "logs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in (
            ("2026/07.csv", LOG),
            ("2026_07.csv", AGAIN),
            ("2026_07 (2).csv", LOG.replace(b"\n1,", b"\n3,")),
        ):
            archive.writestr(name, text)
    intake = check_files([str(path)])
    names = ["2026_07.csv", "2026_07 (2).csv", "2026_07 (2) (2).csv"]
    assert [file.path for file in intake] == [f"{path}/{name}" for name in names]
    assert [file.rows_accepted for file in intake] == [1, 1, 1]
    with own_folder() as folder:
        (second,) = parts_of(f"{path}/{names[1]}", folder)
        assert second.at.read_bytes() == AGAIN


def test_a_tar_leaves_nothing_but_what_was_in_it(tmp_path: Path) -> None:
    with own_folder() as folder:
        parts = parts_of(_tar(tmp_path / "logs.tgz", "w:gz", june=LOG, july=AGAIN), folder)
        assert all(part.is_temporary for part in parts)
        assert sorted(part.at for part in parts) == sorted(folder.glob("part_*"))


def test_a_packed_file_in_an_archive_is_read(tmp_path: Path) -> None:
    path = _zip(tmp_path / "logs.zip", june=gzip.compress(LOG), july=bz2.compress(AGAIN))
    assert [file.rows_read for file in read_inputs([path]).intake] == [1, 2]


def test_an_archive_in_an_archive_and_one_that_is_cut_off_are_refused_by_name(tmp_path: Path) -> None:
    inner = Path(_tar(tmp_path / "inner.tgz", "w:gz", june=LOG)).read_bytes()
    path = _zip(tmp_path / "outer.zip", june=LOG, inner=inner)
    assert [(fault.where, fault.code) for fault in import_jobs([path]).refused] == [
        (f"{path}/logs_inner.csv", "file_unreadable")
    ]
    for mode, ending in (("w:xz", "xz"), ("w:bz2", "bz2"), ("w:gz", "gz")):
        cut = tmp_path / f"cut.{ending}"
        cut.write_bytes(Path(_tar(tmp_path / f"whole.{ending}", mode, june=LOG)).read_bytes()[:-20])
        with pytest.raises(PlannerError) as fault:
            import_jobs([str(cut)])
        assert fault.value.code == "truncated_file", ending


def test_a_tar_whose_middle_is_damaged_is_refused_and_loses_no_file_in_silence(tmp_path: Path) -> None:
    path = Path(_tar(tmp_path / "logs.tar", june=LOG, july=AGAIN))
    packed = bytearray(path.read_bytes())
    at = packed.index(b"./logs/july.csv")
    packed[at + 10] ^= 0xFF
    for content in (packed, packed[: at + 100]):  # a damaged header, and one that is cut off
        path.write_bytes(content)
        with pytest.raises(PlannerError) as fault:
            parts_of(str(path), tmp_path)
        assert fault.value.code == "truncated_file"


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME])
@pytest.mark.parametrize(
    "body", [b"1" * 60_000, b"60000 comment=" + b"7" * 59_985 + b"\n", b"a" * 70_000, b"9" * 3_000]
)
def test_headers_that_would_stop_the_library_are_refused(tmp_path: Path, kind: bytes, body: bytes) -> None:
    head, part = tarfile.TarInfo("@header"), tarfile.TarInfo("june.csv")
    head.type, head.size, part.size = kind, len(body), len(LOG)
    headers = 12 * (head.tobuf(), body, bytes(-len(body) % 512))
    blocks = (*headers, part.tobuf(), LOG, bytes(-len(LOG) % 512 + 1024))
    path = tmp_path / "logs.tar"
    path.write_bytes(b"".join(blocks))
    with own_folder() as folder, pytest.raises(PlannerError) as error:
        parts_of(str(path), folder)
    assert error.value.code == "truncated_file"


@pytest.mark.parametrize("name", ["june" * 60, "7" * 120, "7" * 251])
@pytest.mark.parametrize("kind", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_a_long_name_and_a_comment_are_read(tmp_path: Path, name: str, kind: int) -> None:
    path = tmp_path / "logs.tar"
    with tarfile.open(path, "w", format=kind, pax_headers={"comment": "one" * 900}) as archive:
        part = tarfile.TarInfo(f"{name}.csv")
        part.size = len(LOG)
        archive.addfile(part, io.BytesIO(LOG))
    with own_folder() as folder:
        (read,) = parts_of(str(path), folder)
        assert read.at.read_bytes() == LOG


def test_a_tar_of_one_great_hole_is_refused(tmp_path: Path) -> None:
    part = tarfile.TarInfo("hole.csv")
    part.size = 1
    part.pax_headers = {
        "GNU.sparse.major": "0",
        "GNU.sparse.minor": "1",
        "GNU.sparse.map": f"{2**31 - 1},1",
        "GNU.sparse.size": str(2**31),
        "GNU.sparse.name": "hole.csv",
    }
    path = tmp_path / "hole.tar"
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(part, io.BytesIO(b"9"))
    with own_folder() as folder:
        with pytest.raises(PlannerError) as fault:
            parts_of(str(path), folder)
        assert fault.value.code == "file_unreadable" and "200 times" in str(fault.value.what)
        assert not list(folder.glob("part_*"))


def test_many_files_that_are_small_for_a_bomb_each_are_one_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpuplanner.files.sources.unpack._SUSPICIOUS_ABOVE_BYTES", 2**20)
    path = _zip(tmp_path / "logs.zip", **{f"part{at}": bytes(2**20) for at in range(4)})
    with own_folder() as folder:
        with pytest.raises(PlannerError) as fault:
            parts_of(path, folder)
        assert fault.value.code == "file_unreadable" and "200 times" in str(fault.value.what)
        assert not list(folder.glob("part_*"))


# --- What is no file


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("read", [glance, lambda path: check_files([path])], ids=["glance", "check"])
def test_a_pipe_is_refused_and_not_waited_for(read, tmp_path):
    pipe = tmp_path / "jobs.csv"
    os.mkfifo(pipe)
    with pytest.raises(PlannerError, match=r"file_unreadable: .*pipe"):
        read(str(pipe))
