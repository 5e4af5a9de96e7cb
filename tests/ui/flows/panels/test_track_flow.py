"""The flow behind the panel Track: files are asked for, compared in a thread, and what came of it is shown."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.flows.panels import track_flow
from gpuplanner.ui.flows.panels.track_flow import TrackFlow
from gpuplanner.ui.window.main_window import MainWindow
from tests.cli.test_plan_by_hand import JOB_HEADER


@pytest.fixture
def flow(window: MainWindow) -> Iterator[TrackFlow]:
    made = TrackFlow(window.session, window.docks.track, read_tables())
    yield made
    made.close()


def test_a_chosen_log_is_compared(
    qtbot: QtBot, window: MainWindow, flow: TrackFlow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, project = window.docks.track, window.session.document.project
    begins_s = project.plan_window.end_s
    path = tmp_path / "later.csv"
    work = project.workloads[0]
    path.write_text(
        f"{JOB_HEADER}1,{work.cluster},later,H100,4,1,{iso_utc(begins_s)},{iso_utc(begins_s + 7200)},training\n",
        encoding="utf-8",
    )
    chosen = [str(path)]
    monkeypatch.setattr(track_flow.QFileDialog, "getOpenFileNames", lambda *_: (chosen, ""))
    window.choose_scenario(project.scenarios[0].name)
    window.docks.raise_panel("track")
    qtbot.waitUntil(
        lambda: window.session.view_state is not None and window.session.view_state.advice is not None
    )
    panel.buttons["jobs"].click()
    assert flow.is_busy and panel.files.jobs == (str(path),)
    qtbot.waitUntil(lambda: panel.track is not None and not flow.is_busy)
    assert panel.track is not None and panel.track.window.hours == 2
    assert window.session.document.project is project  # it stays as it is

    chosen.clear()  # the dialog is left without an answer: what was chosen stays
    panel.buttons["jobs"].click()
    assert panel.files.jobs == (str(path),)
