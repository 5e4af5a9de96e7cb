"""The backtest in a thread: the newest question is answered, the same one from memory, and only with kept rows."""

from dataclasses import replace

import pytest

from gpuplanner.app.past.backtesting import Backtesting, Walked, past_logs_from
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, Tables
from tests.domain.commitment.conftest import Load, offer
from tests.domain.commitment.conftest import case as case_of


def of_hours(hours: int) -> Project:
    return case_of(
        [Load(pool=Pool.INFERENCE, gpus=[4.0] * hours)], (), [offer("od", 0, 7.0), offer("m1", 1, 3.5)]
    ).project


MADE, LONGER = of_hours(2 * 730), of_hours(3 * 730)


@pytest.fixture
def walks(qtbot):
    made = Backtesting(Tables(), lambda project, on_progress, is_cancelled: LONGER)
    yield made
    made.close()


def ask(walks: Backtesting, qtbot, project=MADE, *, is_whole_log: bool = False) -> Walked:
    with qtbot.waitSignal(walks.answered) as found:
        walks.ask(project, project.scenarios[0].name, is_whole_log=is_whole_log)
    return found.args[0]


def test_the_window_or_the_whole_log_is_walked(walks, qtbot):
    assert len(ask(walks, qtbot).backtest.folds) == 1
    whole = ask(walks, qtbot, is_whole_log=True)
    assert whole.is_whole_log
    assert len(whole.backtest.folds) == 2


def test_the_same_question_has_the_same_answer_at_once(walks, qtbot):
    first = ask(walks, qtbot)
    assert ask(walks, qtbot) is first
    assert ask(walks, qtbot, replace(MADE, title="other")) is first
    plan = replace(MADE.scenarios[0], assumptions={"recency_half_life_days": 7.0})
    assert ask(walks, qtbot, replace(MADE, scenarios=(plan,))) is not first


def test_rows_that_are_gone_are_said(qtbot):
    def gone(project, on_progress, is_cancelled):
        raise PlannerError("rows", "file_missing", "they are gone", "import the log again")

    walks = Backtesting(Tables(), gone)
    with qtbot.waitSignal(walks.failed) as found:
        walks.ask(MADE, MADE.scenarios[0].name, is_whole_log=True)
    assert found.args[0].code == "file_missing"
    walks.close()


def test_the_past_is_known_by_the_rows_where_they_are_kept(walks, qtbot):
    def past(project, on_progress, is_cancelled):
        assert project is MADE
        return lambda windows: [replace(of_hours(window.hours), window=window) for window in windows]

    assert not ask(walks, qtbot).backtest.knows_rows
    with_rows = Backtesting(Tables(), lambda project, on_progress, is_cancelled: LONGER, past)
    assert ask(with_rows, qtbot).backtest.knows_rows
    with_rows.close()


def test_without_kept_rows_there_is_no_past_to_read(tmp_path):
    assert past_logs_from(tmp_path)(MADE, lambda share, text: None, lambda: False) is None
