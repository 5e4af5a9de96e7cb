"""What the window says of the golden projects is what was accepted, word for word and figure for figure."""

import pytest
from PySide6.QtWidgets import QApplication

from tests.golden.store import check
from tests.golden.window import FOLDERS

SOON = frozenset(("window_log_alone", "window_sheets_endpoints"))
"""Of the normal run: those that show most in little time; the demo and the others are of the long one."""


@pytest.mark.parametrize(
    "folder",
    [folder if folder in SOON else pytest.param(folder, marks=pytest.mark.long) for folder in FOLDERS],
)
def test_window(qapp: QApplication, folder: str) -> None:
    check("tests.golden.window", folder)
