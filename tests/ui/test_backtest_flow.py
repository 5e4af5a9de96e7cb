"""Who asks for a backtest gets it over the whole log where its rows are on this computer, else over the window."""

from dataclasses import replace
from pathlib import Path

import pytest

from gpuplanner.app.document import Document
from gpuplanner.domain.model.tables import Tables
from gpuplanner.files.job_logs.job_rows import rows_path
from gpuplanner.ui.backtest_flow import BacktestFlow
from gpuplanner.ui.main_window import MainWindow
from tests.ui.sample_world import sample_project


@pytest.mark.parametrize(
    ("has_rows", "asked", "walked"), [(True, False, True), (False, False, False), (False, True, True)]
)
def test_the_whole_log_is_walked_where_it_is_or_is_asked_for(
    window: MainWindow,
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
    flow, seen = BacktestFlow(window, Document(project), Tables(), tmp_path), list[bool]()
    monkeypatch.setattr(
        flow._backtesting, "ask", lambda project, scenario, *, is_whole_log: seen.append(is_whole_log)
    )
    flow._ask(asked)
    flow.close()
    assert seen == [walked]
