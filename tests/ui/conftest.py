"""A main window on the sample world, for the tests of the views."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from gpuplanner.ui.main_window import MainWindow
from gpuplanner.ui.style_sheet import apply_palette
from gpuplanner.ui.theme import LIGHT
from tests.ui.fake_app import FakeDocument, FakeEvaluator
from tests.ui.sample_world import evaluation_of, sample_project


def activate(widget: QWidget) -> None:
    """Make a window the active one, whatever another test left open."""
    widget.activateWindow()
    QApplication.processEvents()


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> Iterator[MainWindow]:
    """A window that shows the first plan of the sample."""
    apply_palette(qapp, LIGHT)
    project = sample_project()
    made = MainWindow(FakeDocument(project), FakeEvaluator(evaluation_of), LIGHT)
    made.evaluator.evaluated.connect(lambda _: made.docks.show_waiting())  # no test waits for a panel's turn
    made.resize(1440, 900)
    made.show_project(project)
    made.show_title("northwind-q3.gpuplan", True)
    made.show()
    qtbot.waitExposed(made)
    activate(made)
    yield made
    made.why.hide()
    made.close()
    delete(made)  # now: every palette styles all the windows that there are
