"""The demo in a window with everything that works figures out behind it, and a small project for the normal run."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from gpuplanner.domain.model.project import Project
from gpuplanner.files.project.project_file import open_project, save_project
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.flows.panels.backtest_flow import BacktestFlow
from gpuplanner.ui.flows.panels.track_flow import TrackFlow
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.plans_world import plans_project, shared_window


@pytest.fixture(scope="session")
def demo(demo_path: Path) -> Project:
    """The demo as the window opens it."""
    return open_project(demo_path)


@pytest.fixture(scope="module")
def demo_window(
    qapp: QApplication, demo: Project, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[MainWindow]:
    """One window on the demo for all questions, with what walks back over the log and reads one that came later."""
    tables, no_rows = read_tables(), tmp_path_factory.mktemp("rows")
    for window in shared_window(demo):
        BacktestFlow(window.session, window.docks.backtest, tables, no_rows)
        TrackFlow(window.session, window.docks.track, tables)
        yield window


@pytest.fixture
def small_path(tmp_path: Path) -> Path:
    """A small project as a file."""
    path = tmp_path / "small.gpuplan"
    save_project(plans_project(), path)
    return path


@pytest.fixture
def small_window(qapp: QApplication) -> Iterator[MainWindow]:
    """A window on the small project."""
    yield from shared_window(plans_project())
