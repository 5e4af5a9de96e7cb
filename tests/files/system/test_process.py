"""Want of memory is called by its name: never a full disk, never a stack, and too little is refused before it harms."""

import errno
import io
import os
import subprocess
import sys
import unicodedata
from pathlib import Path
from types import SimpleNamespace

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system import memory, terminal_output
from gpuplanner.files.system.engine import open_engine
from gpuplanner.files.system.memory import (
    ENGINE_MB,
    check_room,
    engine_mb,
    is_want_of_disk,
    is_want_of_memory,
)
from gpuplanner.files.system.terminal_output import LINE_AT_MOST, cut, error_line, one_line, say, say_again

# --- Want of memory is called by its name: never a full disk, never a stack, and too little is refused
# before it harms

ON_UNIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no process so")


def caused_by(cause: BaseException) -> Exception:
    error = ImportError("pandas could not be imported")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        ImportError("tslib.so: failed to map segment from shared object"),
        caused_by(ImportError("join.so: cannot allocate memory in static TLS block")),
        RuntimeError("can't start new thread"),
        duckdb.OutOfMemoryException("Out of Memory Error: failed to pin block of size 256.0 KiB (95.3 MiB used)"),
        RuntimeError("std::bad_alloc"),
    ],
)  # fmt: skip
def test_however_a_library_says_it_it_is_want_of_memory(error: Exception) -> None:
    assert is_want_of_memory(error) and not is_want_of_disk(error)


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        duckdb.IOException("IO Error: Could not write file: No space left on device"),
        duckdb.OutOfMemoryException(
            "Out of Memory Error: failed to offload data block of size 256.0 KiB. "
            "This limit was set by the 'max_temp_directory_size' setting."
        ),
    ],
)
def test_a_full_disk_is_a_full_disk(error: Exception) -> None:
    assert is_want_of_disk(error) and not is_want_of_memory(error)


@pytest.mark.parametrize(
    "error", [ValueError("x"), ImportError("no module named x"), OSError(errno.EACCES, "denied")]
)
def test_other_errors_are_neither(error: Exception) -> None:
    assert not is_want_of_disk(error) and not is_want_of_memory(error)


def test_the_engine_says_which_of_both_it_lacks() -> None:
    for fault, word in (
        (duckdb.OutOfMemoryException("could not allocate block of size 256.0 KiB"), "memory"),
        (MemoryError(), "memory"),
        (duckdb.IOException("IO Error: Cannot allocate memory"), "memory"),
        (duckdb.IOException("IO Error: No space left on device"), "disk"),
    ):
        with pytest.raises(PlannerError, match=word) as said, open_engine():
            raise fault
        assert said.value.code == "file_unreadable"


def take_too_much() -> None:
    with open_engine() as engine:
        engine.run("set memory_limit = '20MB'")
        engine.run("set temp_directory = ''")
        engine.run("create table t as select range as a, hash(range)::varchar as b from range(3000000)")


def test_the_engine_really_out_of_memory_says_so() -> None:
    with pytest.raises(PlannerError, match="not enough memory"):
        take_too_much()


def test_where_memory_is_limited_the_engine_takes_less(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    for limit in (None, 10_000, 1_400, 900):
        monkeypatch.setattr(memory, "limit_mb", lambda limit=limit: limit)
        taken.append(engine_mb())
    assert taken[:2] == [ENGINE_MB, ENGINE_MB] and ENGINE_MB > taken[2] > taken[3] > 0
    monkeypatch.setattr(memory, "limit_mb", lambda: 300)
    with pytest.raises(PlannerError, match="300 MB") as said:
        check_room()
    assert said.value.code == "file_unreadable"


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]) * 2**20,) * 2)
import gpuplanner.__main__
sys.argv = ["gpuplanner", "check", sys.argv[2]]
sys.exit(gpuplanner.__main__.main())
"""


@ON_UNIX
@pytest.mark.parametrize("mb", [100, 250, 300, 700])
def test_too_little_memory_is_one_line_and_no_crash(tmp_path: Path, mb: int) -> None:
    log = tmp_path / "jobs.csv"
    log.write_text("job_id,gpus,start,end\n1,1,2026-01-01,2026-01-02\n", encoding="utf-8")
    command = [sys.executable, "-c", LIMITED, str(mb), str(log)]
    said = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    assert (said.returncode, said.stdout, said.stderr.count("\n")) == (3, "", 1), said.stderr
    assert "file_unreadable" in said.stderr and "memory" in said.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["jobs.csv"]


# --- Text of strangers on a terminal breaks no line and steers no screen -------------------------


@given(st.text())
def test_every_text_becomes_one_line_without_a_control_character(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert not any(ord(letter) < 32 or letter in "\x7f\u202e\ufeff" for letter in line)


def test_what_can_be_seen_stays_as_it_is() -> None:
    for text in ("llama-70b · Zürich", "训练 🚀", "👩\u200d🔬"):
        assert one_line(text) == text
    assert one_line("a\tb\r\nc\x1b[2J\x00") == "a b c\\x1b[2J\\x00"


def test_an_endless_line_keeps_its_place_and_its_remedy() -> None:
    line = error_line("jobs.csv:7: bad_time: start is " + "x" * 10_000 + "; write a time")
    assert len(line) < LINE_AT_MOST + 10
    assert line.startswith("jobs.csv:7: bad_time: ") and line.endswith("; write a time")
    assert len(cut("y" * 500, 80)) == 80


def test_a_terminal_of_few_letters_spells_out_the_others_and_keeps_the_sign_of_a_number() -> None:
    buffer = io.BytesIO()
    stream = io.TextIOWrapper(buffer, encoding="latin-1", newline="\n")
    say("Zürich — \u22121 GPU", stream)
    say("nobody reads this", None)
    assert buffer.getvalue() == "Zürich \\u2014 -1 GPU\n".encode("latin-1")


@given(st.lists(st.text(), max_size=4))
def test_whatever_is_said_steers_nothing_and_has_the_lines_that_it_was_given(lines: list[str]) -> None:
    out, again = io.StringIO(), io.StringIO()
    say("\n".join(line.replace("\n", " ") for line in lines), out)
    assert out.getvalue().count("\n") == max(1, len(lines))
    steers = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    seen = out.getvalue().replace("\n", "").replace("\u200c", "").replace("\u200d", "")
    assert not [letter for letter in seen if unicodedata.category(letter) in steers]
    for line in lines:
        say_again(line, again)
    assert again.getvalue().count("\x1b") == len(lines) and "\n" not in again.getvalue()


def test_a_closed_stream_gives_its_number_to_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[object, ...]] = []

    def fstat(number: int) -> None:
        if number == 2:
            raise OSError

    there = SimpleNamespace(
        fstat=fstat, open=lambda *words: opened.append(words), devnull=os.devnull, O_RDWR=os.O_RDWR
    )
    monkeypatch.setattr(terminal_output, "os", there)
    terminal_output.keep_stream_numbers()
    assert opened == [(os.devnull, os.O_RDWR)]
