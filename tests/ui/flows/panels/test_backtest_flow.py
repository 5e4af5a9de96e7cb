"""Who asks for a backtest gets it over the whole log where its rows are on this computer, else over the window."""

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.document import Document
from gpuplanner.domain.model.tables import Tables
from gpuplanner.files.job_logs.reduce.job_rows import rows_path
from gpuplanner.ui.flows.panels.backtest_flow import BacktestFlow
from gpuplanner.ui.kit.theme import LIGHT
from gpuplanner.ui.panels.duration.backtest import BacktestPanel
from gpuplanner.ui.session.session import Session
from tests.some_of import one_in
from tests.ui.fake_app import FakeEvaluator
from tests.ui.sample_world import evaluation_of, sample_project


@pytest.mark.parametrize(
    ("has_rows", "asked", "walked"),
    one_in(2, [(True, False, True), (False, False, False), (False, True, True)]),
)
def test_the_whole_log_is_walked_where_it_is_or_is_asked_for(
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    has_rows: bool,
    asked: bool,
    walked: bool,
) -> None:
    project = sample_project()
    project = replace(project, jobs=replace(project.jobs, rows_sha256="0" * 64))
    if has_rows:
        path = rows_path(tmp_path, project.jobs.rows_sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    panel = BacktestPanel(LIGHT)
    qtbot.addWidget(panel)
    session = Session(Document(project), FakeEvaluator(evaluation_of), LIGHT)
    session.gestures.scenario = project.scenarios[0].name
    flow, seen = BacktestFlow(session, panel, Tables(), tmp_path), list[bool]()
    monkeypatch.setattr(
        flow._backtesting, "ask", lambda project, scenario, *, is_whole_log: seen.append(is_whole_log)
    )
    flow._ask(asked)
    flow.close()
    assert seen == [walked]
