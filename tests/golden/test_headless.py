"""The command line answers what was accepted: every document, text, workbook and brief of the golden projects."""

import pytest

from tests.golden import store
from tests.golden.headless import FOLDERS


@pytest.mark.parametrize("folder", FOLDERS)
def test_all_that_the_command_line_gives_is_as_accepted(folder: str) -> None:
    store.check("tests.golden.headless", folder)
