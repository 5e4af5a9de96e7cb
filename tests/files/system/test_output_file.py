"""A file is there whole or not at all."""

import re
import unicodedata
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import gpuplanner
from gpuplanner.files.system.engine import open_engine
from gpuplanner.files.system.file_names import BYTES_AT_MOST, NAMELESS, file_name
from gpuplanner.files.system.output_file import output_part

SUFFIXES = (".gpuplan", ".xlsx", ".csv", ".png", " brief.pdf", "-rejected.csv")
RESERVED = {
    "CON",
    "PRN",
    "AUX",
    "NUL",
    *(f"{port}{at}" for port in ("COM", "LPT") for at in "0123456789\u00b9\u00b2"),
}
HOSTILE = (
    "../../x", "..\\..\\x", "/etc/passwd", "C:\\x", "C:x", "//host/x", "\\\\host\\x", "a/b", "", ".", "..", " ", "...",
    "-rf", "~x", ".hidden", "CON", "nul", "com1", "LPT9.txt", "aux.tar.gz", "CON ", "COM\u00b9", "x. ", "x...", "\x00",
    "a\x1b[2Jb", "a\u202egpj.exe", "\u2066x", "a\nb", "a\u2028b", "x" * 5000, "\U0001f680" * 300, "a\ud800b",
    "<b>|?*\"", "\u200b", "- - .", "NUL.", "x" * 191 + ". y",
)  # fmt: skip


def check(title: str, suffix: str) -> None:
    name = file_name(title, suffix)
    assert name.endswith(suffix) and len(name.encode()) <= BYTES_AT_MOST
    assert PurePosixPath(name).name == PureWindowsPath(name).name == name
    assert not set(name) & set('<>:"/\\|?*')
    assert not [letter for letter in name if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    assert name[0] not in ".-~ " and name[-1] not in ". "
    assert len(name) > len(suffix) and name.partition(".")[0].rstrip().upper() not in RESERVED


@given(st.text(), st.sampled_from(SUFFIXES))
@example("COM1", ".csv")
def test_every_title_makes_a_name(title: str, suffix: str) -> None:
    check(title, suffix)


@pytest.mark.parametrize("title", HOSTILE)
def test_hostile_titles(title: str) -> None:
    for suffix in SUFFIXES:
        check(title, suffix)


def test_names_say_what_they_are_of() -> None:
    assert file_name("Q3 · 训练", ".xlsx") == "Q3 · 训练.xlsx"
    assert file_name("Value of each layer, $", ".png") == "Value of each layer, $.png"
    assert file_name("../..", ".png") == f"{NAMELESS}.png"


def test_all_who_ask_where_to_save_suggest_such_a_name() -> None:
    root = Path(gpuplanner.__path__[0])
    asking = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in root.rglob("*.py")
        if "save_file(" in path.read_text(encoding="utf-8").replace("def save_file(", "")
    }
    fixed = {
        "ui/flows/history_flow.py",
        "ui/flows/panels/prices_flow.py",
        "ui/flows/panels/track_flow.py",
        "ui/flows/rules_flow.py",
    }  # decisions.csv, prices.csv, ...
    assert len(asking) > len(fixed)
    for name, source in asking.items():
        assert re.search(r"\b(file_name|suggested)\(", source) or name in fixed, name


def test_a_file_takes_its_place_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "cube.csv"
    path.write_text("before")
    with output_part(path) as out:
        out.part.write_text("after")
        assert path.read_text() == "before"
    assert path.read_text() == "after"
    assert list(tmp_path.iterdir()) == [path]


def _stopped(path: Path, stop: type[BaseException]) -> None:
    with output_part(path) as out:
        out.part.write_text("half")
        raise stop


@pytest.mark.parametrize("stop", [KeyboardInterrupt, ZeroDivisionError])
def test_work_that_stops_leaves_what_was_there(tmp_path: Path, stop: type[BaseException]) -> None:
    path = tmp_path / "cube.csv"
    path.write_text("before")
    with pytest.raises(stop):
        _stopped(path, stop)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def _engine_that_says(text: str) -> None:
    with open_engine():
        raise RuntimeError(text)


def test_what_the_engine_makes_of_ctrl_c_is_an_interrupt_again() -> None:
    with pytest.raises(KeyboardInterrupt):
        _engine_that_says("Query interrupted")
    with pytest.raises(RuntimeError, match="anything else"):
        _engine_that_says("anything else")
