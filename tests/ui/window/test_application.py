"""What the first project needs is loaded before it comes, in the thread of the window."""

import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QApplication

from gpuplanner.app import autosave
from gpuplanner.app.autosave import Recovery
from gpuplanner.ui.flows.project_flow import ProjectFlow
from gpuplanner.ui.window import application
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.sample_world import sample_project

AFTER = """
import sys
import threading
import time
from PySide6.QtWidgets import QApplication, QWidget
from gpuplanner.ui.window.application import AFTER_MS, WANTED, LoadSoon
application, window = QApplication([]), QWidget()
LoadSoon(window)
until = time.monotonic() + 2 * AFTER_MS / 1000
while time.monotonic() < until:  # nothing is painted yet, however slow the start is
    application.processEvents()
later = ("ui.present", "ui.compare.page", "ui.plans.rules_dialog", "ui.plans.dates_dialog")
assert not any(name in sys.modules for name in (*WANTED, "gpuplanner.files.request.request_file"))
assert not any("gpuplanner." + name in sys.modules for name in (*later, "files.lists.served_models"))
window.show()
while not set(WANTED) <= set(sys.modules):
    application.processEvents()
assert "pyqtgraph" in sys.modules
assert threading.active_count() == 1
"""


@pytest.mark.long
def test_the_modules_exist_and_are_loaded_after_the_first_paint_by_no_other_thread() -> None:
    subprocess.run([sys.executable, "-c", AFTER], check=True, timeout=60)


def test_imports_stay_pythons_own_once_qt_is_there() -> None:
    """Qt's reads the source of every module that comes after it."""
    asked = (
        "import builtins; own = builtins.__import__; "
        "import gpuplanner.ui, PySide6.QtWidgets; raise SystemExit(builtins.__import__ is not own)"
    )
    subprocess.run([sys.executable, "-c", asked], check=True, timeout=60)


@pytest.mark.parametrize("fault", [None, RuntimeError("a damaged journal")])
def test_the_project_that_was_named_opens_whatever_recovery_does(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qapp: QApplication, fault: Exception | None
) -> None:
    def recoveries() -> tuple[Recovery, ...]:
        if fault is not None:
            raise fault
        return ()

    monkeypatch.setattr(autosave, "recoveries", recoveries)
    monkeypatch.setattr(autosave, "Autosave", lambda document, parent: None)
    opened: list[Path] = []
    flow = SimpleNamespace(autosave=None, open=opened.append)
    with nullcontext() if fault is None else pytest.raises(RuntimeError):
        application._begin(None, flow, None, SimpleNamespace(recent_files=[]), tmp_path / "plan.gpuplan")
    assert opened == [tmp_path / "plan.gpuplan"]


@pytest.mark.long
def test_the_start_makes_no_panel_that_nobody_opened(new_flow: ProjectFlow) -> None:
    """But the one in front, and the one whose controls a flow is told of."""
    window = new_flow._session.window
    assert isinstance(window, MainWindow)
    new_flow._document.load(sample_project())
    made = {panel.about.name for panel in window.docks.all_panels() if panel._is_built}
    assert made <= {"duration", "cost", "recommendations"}
