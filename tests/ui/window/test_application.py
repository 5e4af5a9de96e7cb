"""What the first project needs is loaded before it comes, in the thread of the window."""

import subprocess
import sys
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.app import autosave
from gpuplanner.app.autosave import Recovery
from gpuplanner.app.document import Document
from gpuplanner.ui.flows.project_flow import ProjectFlow, new_project
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.kit.style_sheet import apply_palette, begin_palette
from gpuplanner.ui.window import application, load_soon
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.conftest import activate
from tests.ui.fake_app import FakeEvaluator
from tests.ui.real_screen import NOW_S
from tests.ui.sample_world import evaluation_of, sample_project

AFTER = """
import sys
import threading
import time
from importlib.util import find_spec
from PySide6.QtWidgets import QApplication, QWidget
from gpuplanner.ui.window.load_soon import AFTER_MS, WANTED, LoadSoon
application, window = QApplication([]), QWidget()
LoadSoon(window)
until = time.monotonic() + 2 * AFTER_MS / 1000
while time.monotonic() < until:  # nothing is painted yet, however slow the start is
    application.processEvents()
later = (
    "gpuplanner.ui.present.presenter",
    "gpuplanner.ui.compare.page",
    "gpuplanner.ui.plans.rules_dialog",
    "gpuplanner.ui.plans.dates_dialog",
    "gpuplanner.files.lists.served_models",
    "gpuplanner.files.request.request_file",
)
assert not any(name in sys.modules for name in (*WANTED, *later))
window.show()
while not set(WANTED) <= set(sys.modules):
    application.processEvents()
assert "pyqtgraph" in sys.modules
assert threading.active_count() == 1
assert all(find_spec(name) for name in later)
"""

STARTS = """
import sys
from gpuplanner.ui.window import application
show = application.MainWindow.show
def show_light(window):
    later = ("ui.flows.session", "ui.board.board", "ui.audit.page", "domain.evaluation", "app.document")
    heavy = [name for name in later if "gpuplanner." + name in sys.modules]
    assert not heavy, heavy
    show(window)
def build(settings, now_s, window):
    assert window.isVisible() and not window.is_complete
    raise ZeroDivisionError
application.MainWindow.show, application.build = show_light, build
try:
    application.run(None, now_s=1_790_000_000)
except ZeroDivisionError:
    raise SystemExit(7)
"""


def test_the_window_is_shown_before_the_rest_is_imported_and_a_fault_in_that_ends_the_start() -> None:
    assert subprocess.run([sys.executable, "-c", STARTS], check=False, timeout=60).returncode == 7


def test_every_module_that_is_loaded_soon_exists() -> None:
    assert [name for name in load_soon.WANTED if find_spec(name) is None] == []


def test_what_is_left_is_made_once_even_if_the_window_is_never_painted(
    monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(load_soon, "WANTED", ())
    monkeypatch.setattr(load_soon, "UNSEEN_MS", 1)
    made: list[int] = []
    window = QWidget()
    qtbot.addWidget(window)
    load_soon.LoadSoon(window, lambda: made.append(1))
    qtbot.waitUntil(lambda: bool(made))
    window.show()
    qtbot.wait(3 * load_soon.AFTER_MS)
    assert made == [1]


def test_before_the_rest_is_there_the_window_takes_keys_and_closes(qtbot: QtBot) -> None:
    window = MainWindow()
    qtbot.addWidget(window)
    window.show()
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Escape, Qt.Key.Key_Return):
        qtbot.keyClick(window, key)
    window.resize(1000, 700)
    QApplication.processEvents()
    assert window.close()


def test_the_keyboard_and_the_page_stay_where_they_are_while_the_rest_is_made(
    no_worker_window: None, qapp: QApplication, qtbot: QtBot
) -> None:
    begin_palette(qapp, LIGHT)
    window = MainWindow()
    qtbot.addWidget(window)
    window.resize(1000, 700)
    apply_palette(qapp, LIGHT)
    window.show()
    activate(window)
    window.welcome.demo.setFocus()
    shown = window.welcome.geometry(), window.size()
    window.complete(Document(new_project(NOW_S)), FakeEvaluator(evaluation_of))
    QApplication.processEvents()
    assert window.welcome.demo.hasFocus()
    assert (window.welcome.geometry(), window.size()) == shown


@pytest.mark.long
def test_modules_are_loaded_after_the_first_paint_by_no_other_thread() -> None:
    subprocess.run([sys.executable, "-c", AFTER], check=True, timeout=60)


@pytest.mark.parametrize("imported", ["gpuplanner.ui, PySide6.QtWidgets", "PySide6.QtWidgets, gpuplanner.ui"])
def test_qt_keeps_no_source_of_what_is_imported_after_it(imported: str) -> None:
    asked = (
        f"import {imported}, linecache; linecache.clearcache(); "
        "import duckdb; raise SystemExit(len(linecache.cache))"
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
        application.begin(None, flow, None, SimpleNamespace(recent_files=[]), tmp_path / "plan.gpuplan")
    assert opened == [tmp_path / "plan.gpuplan"]


@pytest.mark.long
def test_the_start_makes_no_panel_that_nobody_opened(new_flow: ProjectFlow) -> None:
    """But the one in front, and the one whose controls a flow is told of."""
    window = new_flow.session.window
    assert isinstance(window, MainWindow)
    new_flow.document.load(sample_project())
    made = {panel.about.name for panel in window.docks.all_panels() if panel.is_built}
    assert made <= {"duration", "cost", "contracts"}
