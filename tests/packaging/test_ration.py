"""The ration of the package: what counts as a line of code, and what is over."""

import tomllib

import pytest

from tests.packaging.scripts import PACKAGING, load_script


@pytest.fixture(scope="module")
def ration():
    return load_script("ration")


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


def table(*states: str, files: tuple[int, int] = (10, 20)) -> dict[str, object]:
    numbers = (-20, 5)
    issues = [
        {"name": str(place), "state": state, "code_lines": numbers[place]}
        for place, state in enumerate(states)
    ]
    return {"start_code_lines": 1_000, "files": list(files), "issues": issues}


@pytest.mark.parametrize(
    ("states", "allowed"),
    [
        (("in work", "open"), (980, 10)),
        (("done", "open"), (980, 10)),
        (("done", "in work"), (985, 20)),
        (("open", "open"), (1_000, 10)),
    ],
)
def test_the_ration_is_the_start_and_what_begun_issues_name(ration, states, allowed) -> None:
    assert ration.allowed_by(table(*states)) == allowed


def test_a_state_that_is_none_is_refused(ration) -> None:
    with pytest.raises(ValueError, match="state"):
        ration.allowed_by(table("today's"))


@pytest.mark.parametrize(("size", "over"), [((980, 10), 0), ((981, 10), 1), ((979, 11), 1), ((981, 11), 2)])
def test_one_line_or_file_more_is_over(ration, size, over) -> None:
    assert len(ration.excess(ration.Size(980, 10), ration.Size(*size))) == over


def test_over_the_ration_is_a_failure(ration, monkeypatch, capsys, tmp_path) -> None:
    (tmp_path / "gpuplanner").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "gpuplanner" / "one.py").write_text("a = 1\nb = 2\n")
    monkeypatch.setattr(ration, "ROOT", tmp_path)
    for start, status in ((2, 0), (1, 1)):
        (tmp_path / "pyproject.toml").write_text(
            f"[tool.ration]\nstart_code_lines = {start}\nfiles = [1, 1]\nissues = []\n"
        )
        assert ration.main() == status
        assert ("1 over" in capsys.readouterr().out) == bool(status)


def test_the_numbers_of_the_project_are_those_of_the_issues() -> None:
    """146,000 code lines and 590 files after all of them (pyproject.toml)."""
    table = tomllib.loads((PACKAGING.parent / "pyproject.toml").read_text("utf-8"))["tool"]["ration"]
    assert [issue["code_lines"] for issue in table["issues"]] == [-2_000, 500, 600, 300, -200, 400, 400, 100]
    assert (table["start_code_lines"], table["files"]) == (145_888, [575, 590])
