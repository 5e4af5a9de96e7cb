"""The command line answers what was accepted: every document, text, workbook and brief of the golden projects."""

import re
from typing import Final

import pytest

from tests.golden import store
from tests.golden.projects import DEMO_IN_LONG, PROJECTS

MAKER = "tests.golden.headless"


LONG = frozenset(("demo", "clusters", "owned", "euro"))
"""What they show is in the others, of less rows."""


@pytest.mark.parametrize(
    "folder",
    [
        pytest.param(project.name, marks=pytest.mark.long) if project.name in LONG else project.name
        for project in PROJECTS
    ],
)
def test_all_that_the_command_line_gives_is_as_accepted(folder: str) -> None:
    store.check(MAKER, folder)


@pytest.mark.long
def test_what_takes_long_of_the_demo_is_as_accepted() -> None:
    store.check(MAKER, DEMO_IN_LONG.name)


_ENGLISH: Final = re.compile(r"\d,\d{3}(?!\d)|(?<![\w.,-])\d+\.\d{1,2}(?![\w.])")
_NOT_OURS: Final = re.compile(
    r"--\S+ \S+"  # an option of the command line
    r"|\d\S* \S+ (EUR|CHF)"  # an amount as its file has it
    r"|Llama \d\.\d"  # the name of a model
    r"|8 \S+ 0\.5"  # how a number may be typed in a file
    r"|\S+ GPU-h from [\w ]+ on"  # an issue as the project file has kept it
)


def test_numbers_of_sentences_are_written_by_who_shows_them() -> None:
    """The sentences of all documents, in the pseudo-language, are of a planner who writes 1.234,5."""
    lines = [
        line
        for file in sorted(store.FILES.glob("*/pseudo.txt"))
        for line in file.read_text("utf-8").splitlines()
    ]
    assert [line for line in lines if _ENGLISH.search(_NOT_OURS.sub("", line))] == []
    assert sum(bool(re.search(r"\d\.\d{3}(?!\d)|\d,\d", line)) for line in lines) > 50


def test_no_accepted_workbook_says_that_it_is_damaged() -> None:
    texts = {
        file.parent.name: file.read_text(encoding="utf-8") for file in store.FILES.glob("*/workbook.txt")
    }
    assert len(texts) > 5 and [name for name, text in texts.items() if "'red: " in text] == []
