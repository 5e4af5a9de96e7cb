"""The ration of the package: what counts as a line of code, and what is over."""

import importlib.util
import sys
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"


@pytest.fixture(scope="module")
def ration():
    spec = importlib.util.spec_from_file_location("gpuplanner_ration", PACKAGING / "ration.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


MODULE = '''"""The first line.

And more of it.
"""

# a comment
import os  # code, with a comment


class Empty:
    """Documented."""

    text = """two
    lines"""


def short(): return os


async def long(
    one,
):
    """Documented,

    at length."""
    # a comment
    return """no docstring
of two lines"""
'''


def test_only_lines_with_code_count(ration) -> None:
    assert ration.code_lines("") == 0
    assert ration.code_lines('"""A docstring alone."""\n\n# and a comment\n') == 0
    assert ration.code_lines(MODULE) == 1 + 1 + 2 + 1 + 3 + 2


def test_all_modules_below_a_folder_count(ration, tmp_path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "one.py").write_text("a = 1\n\nb = 2\n")
    (tmp_path / "room" / "two.py").write_text("c = 3\n")
    (tmp_path / "room" / "notes.txt").write_text("no code\n")
    assert ration.size_of(tmp_path) == (3, 2)


def test_one_line_or_file_more_is_over_and_said(ration) -> None:
    allowed = {"code_lines": 1_000, "files": 10}
    assert ration.over(allowed, ration.Size(1_000, 10)) == []
    (lines,) = ration.over(allowed, ration.Size(1_001, 10))
    assert "1,001 code lines, its ration is 1,000" in lines and "pyproject.toml" in lines
    (files,) = ration.over(allowed, ration.Size(999, 11))
    assert "11 files, its ration is 10" in files


def test_over_the_ration_is_a_failure(ration, monkeypatch, capsys, tmp_path) -> None:
    (tmp_path / "gpuplanner").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "gpuplanner" / "one.py").write_text("a = 1\nb = 2\n")
    monkeypatch.setattr(ration, "ROOT", tmp_path)
    for lines, status in ((2, 0), (1, 1)):
        (tmp_path / "pyproject.toml").write_text(f"[tool.ration]\ncode_lines = {lines}\nfiles = 1\n")
        assert ration.main() == status
        assert ("its ration is" in capsys.readouterr().out) == bool(status)
