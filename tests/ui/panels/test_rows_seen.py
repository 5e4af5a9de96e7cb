"""A maximised panel shows eight rows of its longest table: charts and words leave them the room."""

from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gpuplanner.files.project.project_file import open_project
from gpuplanner.ui.flows.project_flow import ProjectFlow
from gpuplanner.ui.frame.panel_docks import PANELS
from gpuplanner.ui.panels.panel import Panel
from gpuplanner.ui.window.application import settle
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.panels.rows_seen import most_seen

WITHOUT_TABLES = {
    *("contracts", "contracts timeline", "demand", "track", "cost business", "cost extras", "cost run_ways"),
    *("cost restart_delays", "cost model_premiums", "cost price_gaps", "cost hidden_share", "cost months"),
    *("hardware_fit runs", "prices models", "waiting"),
}
"""Charts, a calendar, what the demo has none of, and what waits for a choice, a figure, rows of jobs or a later log."""
OF_THE_SAMPLE = ("checks", "duration", "prices")


def maximised(window: MainWindow, kind: type[Panel], view: str = "") -> Panel:
    window.resize(1440, 900)
    name = kind.about.name
    window.docks.raise_panel(name)
    panel: Panel = getattr(window.docks, name)
    if view:
        panel.show_view(view)
    window.docks.turn_maximised(name)
    QApplication.processEvents()
    return panel


@pytest.mark.long
@pytest.mark.parametrize("name", OF_THE_SAMPLE)
def test_a_panel_of_the_sample_shows_eight_rows_or_all(window_of_panels: MainWindow, name: str) -> None:
    panel = maximised(window_of_panels, next(kind for kind in PANELS if kind.about.name == name))
    seen, wanted = most_seen(panel)
    assert wanted and seen >= wanted


@pytest.mark.long
def test_every_panel_of_the_demo_shows_eight_rows_or_all(new_flow: ProjectFlow, demo_path: Path) -> None:
    window, errors = new_flow.session.window, []
    assert isinstance(window, MainWindow)
    new_flow.document.load(open_project(demo_path))
    settle(window, QApplication.instance(), errors)
    for kind in PANELS:
        for view in kind.about.views or (None,):
            name = f"{kind.about.name} {view.name if view else ''}".strip()
            panel = maximised(window, kind, view.name if view else "")
            for _ in range(3_000):
                seen, wanted = most_seen(panel)
                if name in WITHOUT_TABLES or seen >= wanted > 0:
                    break
                QTest.qWait(100)  # what is worked out in a thread
            assert seen >= wanted, name
            assert wanted or name in WITHOUT_TABLES, name
            window.docks.leave_maximised()
    assert not errors
