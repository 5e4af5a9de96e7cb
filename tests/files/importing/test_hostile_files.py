"""Files that are not what they seem, or not whole: one clear sentence each, and nothing lost that can be read."""

import gzip
import random
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlsxwriter

from gpuplanner.domain.model.errors import Cancelled, PlannerError
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.import_tables import import_contracts
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.sources import spreadsheet
from gpuplanner.files.system import engine as engine_module
from gpuplanner.files.system.engine import open_engine
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.job_logs.row_ends import codes, fates
from tests.some_of import one_in, some_of

WHOLE_LOG = WindowRequest(whole_log=True)
LOG = "job_id,name,gpus,start,end\n1,træn,1,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z\n"
PHOTO = b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(random.Random(1).randrange(256) for _ in range(5000))


def _workbook(path: Path, rows: int = 50) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["job_id", "gpus", "start", "end"])
    for number in range(rows):
        sheet.append([number, 1, "2026-01-05T10:00:00Z", "2026-01-05T11:00:00Z"])
    book.save(path)


def _truncated_workbook(path: Path) -> None:
    _workbook(path)
    path.write_bytes(path.read_bytes()[:-900])


def _bomb(path: Path) -> None:
    _workbook(path)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet2.xml", b"0" * (40 * 2**20))


def _entities(path: Path) -> None:
    """Nested XML entities, which a careless parser would expand to gigabytes."""
    _workbook(path)
    rows = '<!ENTITY a0 "xx">' + "".join(f'<!ENTITY a{n} "&a{n - 1};&a{n - 1};">' for n in range(1, 30))
    sheet = (
        f'<?xml version="1.0"?><!DOCTYPE x [{rows}]>'
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        '<row r="1"><c r="A1" t="inlineStr"><is><t>&a29;</t></is></c></row></sheetData></worksheet>'
    )
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["xl/worksheets/sheet1.xml"] = sheet.encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def _locked(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("jobs.csv", LOG)
    data = bytearray(path.read_bytes())
    data[6] |= 1  # the flag of a password, in the file's own header and in the list at the end
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(data))


UNREADABLE = [
    ("cut.xlsx", _truncated_workbook, "truncated_file"),
    ("cut.csv", lambda path: path.write_bytes(b"PAR1abc"), "truncated_file"),
    ("bomb.xlsx", _bomb, "file_unreadable"),
    ("entities.xlsx", _entities, "file_unreadable"),
    ("locked.zip", _locked, "file_unreadable"),
    ("bomb.gz", lambda path: path.write_bytes(gzip.compress(b"0" * 2**27)), "file_unreadable"),
    ("cut.csv.gz", lambda path: path.write_bytes(b"\x1f\x8b\x08\x00abc"), "truncated_file"),
    ("cut.csv.zst", lambda path: path.write_bytes(b"(\xb5/\xfd\x04"), "truncated_file"),
    ("false.parquet", lambda path: path.write_bytes(b"PAR1" + b"x" * 50 + b"PAR1"), "file_unreadable"),
    ("folder", lambda path: path.mkdir(), "file_unreadable"),
    ("nothing", lambda path: None, "file_missing"),
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "write", "code"), UNREADABLE, ids=[row[0] for row in UNREADABLE])
@pytest.mark.parametrize(
    "read",
    some_of([lambda p: read_inputs([p]), lambda p: import_contracts([p]), check_file, recognise], quick=1),
)
def test_what_cannot_be_read_is_said_in_one_line(
    tmp_path: Path, name: str, write: Callable[[Path], object], code: str, read: Callable[[str], object]
) -> None:
    path = tmp_path / name
    write(path)
    with pytest.raises(PlannerError) as caught:
        read(str(path))
    assert caught.value.code == code
    assert str(caught.value).startswith(f"{path}: {code}: ")
    assert "\n" not in str(caught.value)
    assert caught.value.remedy


NO_LOGS = [
    ("photo.csv", PHOTO),
    ("empty.csv", b""),
    ("blank.csv", b"\n\n  \n"),
    ("prose.csv", b"Dear planner,\nplease find no log here.\n"),
    ("page.csv", b"<html><body>Sign in</body></html>"),
]


@pytest.mark.parametrize(("name", "data"), some_of(NO_LOGS, quick=1), ids=[row[0] for row in NO_LOGS])
def test_what_is_no_job_log_is_refused_and_the_others_are_read(
    tmp_path: Path, name: str, data: bytes
) -> None:
    path, good = tmp_path / name, tmp_path / "good.csv"
    path.write_bytes(data)
    good.write_text(LOG, encoding="utf-8")
    read = read_inputs([str(path), str(good)], window_request=WHOLE_LOG)
    (error,) = read.refused
    assert error.code == "not_a_job_log"
    assert "\n" not in str(error)
    assert [issue.code for issue in read.intake[0].issues] == ["not_a_job_log"]
    assert read.jobs.milli_gpu_seconds == 3_600_000
    assert check_file(str(path))[0].kind == "unknown"


def test_a_forced_format_makes_no_log_of_a_photo(tmp_path: Path) -> None:
    path = tmp_path / "photo.csv"
    path.write_bytes(PHOTO)
    for options in (ReadOptions(format="own_csv"), ReadOptions(mapping="gpus=a,start=b,end=c")):
        (error,) = read_inputs([str(path)], options=options).refused
        assert error.code == "not_a_job_log"


ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1")
"""What a file may be written in. The planner is told of the last, for it is a guess."""
QUICK = (("utf-8", "\n"), ("utf-8", "\r"), ("utf-16", "\n"), ("latin-1", "\n"))


def encodings_and_line_ends() -> Iterator[object]:
    """Every pair; those in which one of the two is out of the ordinary for every change, of each kind one."""
    for encoding, newline in product(ENCODINGS, ("\n", "\r\n", "\r")):
        marks = () if (encoding, newline) in QUICK else pytest.mark.long
        yield pytest.param(encoding, newline, marks=marks, id=f"{encoding}-{newline!r}")


@pytest.mark.long
@pytest.mark.parametrize(("encoding", "newline"), one_in(4, [*encodings_and_line_ends()]))
def test_every_encoding_and_line_end_gives_the_same(tmp_path: Path, encoding: str, newline: str) -> None:
    path = tmp_path / "jobs.csv"
    for last in (newline, "", newline * 3):
        path.write_bytes((LOG.rstrip("\n").replace("\n", newline) + last).encode(encoding))
        read = read_inputs([str(path)], window_request=WHOLE_LOG)
        assert fates(read) == ("own_csv", 1, 1, 0, 0, 0)
        assert [workload.sample_name for workload in read.workloads] == ["træn"]
        assert ("encoding" in codes(read)) is (encoding == "latin-1")


def test_bytes_that_windows_leaves_open_still_tell_users_apart(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    times = b"1,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z"
    rows = b"1,\x8d\x82,x," + times + b"\n2,\x8f\x82,x," + times  # two names in Shift JIS
    path.write_bytes(b"job_id,user,name,gpus,start,end\n" + rows + b"\n")
    assert len(read_inputs([str(path)], window_request=WHOLE_LOG).workloads) == 2


@pytest.mark.long
def test_rows_of_unequal_length_are_all_counted(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    rows = "2,x,1\n3,y,1,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z,more,and more\n4\n"
    path.write_text(LOG + rows, encoding="utf-8")
    (file,) = read_inputs([str(path)]).intake
    assert fates(file) == ("own_csv", 4, 1, 3, 0, 0)
    assert {row.row: row.code for row in file.rejected} == {3: "bad_time", 4: "long_row", 5: "bad_time"}


@pytest.mark.long
def test_only_the_first_thousand_rejected_rows_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text(LOG + "2,x,1,never,never\n" * 1500, encoding="utf-8")
    (file,) = read_inputs([str(path)]).intake
    assert (file.rows_rejected, len(file.rejected), file.rejected[-1].row) == (1500, 1000, 1002)


def test_text_of_a_log_is_never_a_statement(tmp_path: Path) -> None:
    path = tmp_path / "jobs'; drop [a-z]* table jobs; --.csv"
    name = "'; drop table jobs; --"
    row = f"{{}},{name},1,2026-01-05T10:00:00Z,2026-01-05T11:00:00{{}}\n"
    rows = row.format(1, "Z") + row.format(2, f" {name}")
    path.write_text(f"job_id,name,gpus,start,end\n{rows}", encoding="utf-8")
    read = read_inputs([str(path)], window_request=WHOLE_LOG, rows_dir=tmp_path / "it's [here]*")
    assert fates(read) == ("own_csv", 2, 1, 1, 0, 0)
    assert read.workloads[0].sample_name == name


# --- Progress and cancel


def test_progress_goes_forward_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text(LOG, encoding="utf-8")
    shares: list[float] = []
    read_inputs([str(path)], on_progress=lambda share, what: shares.append(share))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


@pytest.mark.parametrize("after", [0, 1, 5, 20])
def test_cancel_leaves_nothing_behind(tmp_path: Path, after: int) -> None:
    path, rows = tmp_path / "jobs.csv", tmp_path / "rows"
    path.write_text(LOG, encoding="utf-8")
    asked = iter(range(10**9))
    with pytest.raises(Cancelled):
        import_jobs([str(path)], rows_dir=rows, is_cancelled=lambda: next(asked) >= after)
    assert not rows.exists() or not list(rows.iterdir())


def test_cancel_stops_a_query_in_its_middle() -> None:
    asked = iter(range(10**9))
    with pytest.raises(Cancelled), open_engine(is_cancelled=lambda: next(asked) >= 2) as engine:
        engine.run("select sum(a.range * b.range) from range(10000000) a, range(10000000) b")


def test_a_cancel_does_not_wait_until_what_was_held_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gigabytes of memory and of temporary files take their time to go."""
    may_go, gone = threading.Event(), threading.Event()
    throw_away = engine_module.throw_away

    def slowly(*held: Any) -> None:
        assert may_go.wait(30)
        throw_away(*held)
        gone.set()

    monkeypatch.setattr(engine_module, "throw_away", slowly)
    asked = iter(range(10**9))
    folders: list[Path] = []

    def work() -> None:
        with open_engine(is_cancelled=lambda: next(asked) >= 2) as engine:
            folders.append(engine.folder)
            engine.run("select sum(a.range * b.range) from range(10000000) a, range(10000000) b")

    with pytest.raises(Cancelled):
        work()
    (folder,) = folders
    assert folder.exists() and not gone.is_set()
    may_go.set()
    assert gone.wait(30)
    assert not folder.exists()


@pytest.mark.parametrize("rows_before", some_of([1, 3000], quick=1))
def test_a_stray_nul_is_left_out_wherever_it_stands(tmp_path: Path, rows_before: int) -> None:
    row = "{},train,1,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z\n"
    rows = "".join(row.format(number) for number in range(rows_before))
    path = tmp_path / "jobs.csv"
    path.write_text("job_id,name,gpus,start,end\n" + rows + row.format("x").replace("train", "tr\0ain"))
    read = import_jobs([str(path)])
    assert read.accepted == rows_before + 1
    assert [workload.key for workload in read.workloads] == ["//train"]


@pytest.mark.long
def test_more_gpu_time_than_can_be_counted_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    rows = "".join(f"{n},10000000,2026-01-01T00:00:00Z,2027-01-01T00:00:00Z\n" for n in range(30))
    for too_many in (rows, "2,9999999,1901-01-01,2199-01-01\n"):
        path.write_text("job_id,gpus,start,end\n" + too_many)
        with pytest.raises(PlannerError, match="jobs: bad_number"):
            import_jobs([str(path)], window_request=WHOLE_LOG)
    path.write_text("job_id,gpus,start,end\n" + rows[: rows.index("\n20,") + 1])
    counted = import_jobs([str(path)], window_request=WHOLE_LOG).jobs.milli_gpu_seconds
    assert counted == 20 * 10**10 * 8760 * 3600


def test_a_log_without_times_is_told_what_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("job_id,name,gpus,account\n1,train,8,ml\n")
    (fault,) = import_jobs([str(path)]).refused
    assert (fault.code, fault.where) == ("missing_column", f"{path}:1")
    assert "start, end" in str(fault.what)


def test_texts_that_would_fill_the_memory_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "words.xlsx"
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet().write_column(0, 0, [f"text {number}" for number in range(200)])
    assert recognise(str(path)).kind == "unknown"
    monkeypatch.setattr(spreadsheet, "SHARED_TEXT", replace(spreadsheet.SHARED_TEXT, size=1000))
    monkeypatch.setattr(spreadsheet, "_LOOKED_INTO_ABOVE_BYTES", 0)
    spreadsheet.find_archive_fault.cache_clear()
    with pytest.raises(PlannerError, match=r"sharedStrings\.xml"):
        recognise(str(path))


@pytest.mark.long
def test_a_record_too_long_for_the_reader_is_said(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text(LOG.replace("træn", "x" * (33 * 2**20)), encoding="utf-8")
    with pytest.raises(PlannerError, match="long") as caught:
        import_jobs([str(path)], window_request=WHOLE_LOG)
    assert caught.value.code == "file_unreadable"
