"""The command line answers what was accepted: every document, text, workbook and brief of the golden projects."""

import pytest

from tests.golden import store
from tests.golden.projects import DEMO_IN_LONG, PROJECTS

MAKER = "tests.golden.headless"


LONG = frozenset(("demo", "clusters"))
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
