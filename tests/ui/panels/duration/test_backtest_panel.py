"""The Backtest panel: a walk is asked for when it is seen; what it found is shown; a setting is one undo step."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gpuplanner.app.past.backtesting import Walked
from gpuplanner.domain.commitment.advice_backtest import (
    BEST_SO_FAR,
    NOBODY_KNOWS,
    WAY_NAMES,
    WITHOUT_ROWS,
    backtest_history,
    variants_of,
)
from gpuplanner.domain.commitment.history import history_of
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.panels.duration.backtest import TODAY_TEXT, BacktestPanel, too_short_words
from gpuplanner.ui.window.main_window import MainWindow
from tests.domain.commitment.conftest import Load, case, offer
from tests.ui.fake_app import recoloured

MONTH = 730


@pytest.fixture
def panel(window: MainWindow, qapp: QApplication) -> BacktestPanel:
    window.docks.raise_panel("backtest")
    qapp.processEvents()
    return window.docks.backtest


def walked(months: int = 4) -> Walked:
    gpus = [float(max(20 - 2 * (hour // 336), 2)) for hour in range(months * MONTH)]
    made = case([Load(pool=Pool.INFERENCE, gpus=gpus)], (), [offer("od", 0, 7.0), offer("m1", 1, 3.5)])
    history = history_of(made.project, made.project.scenarios[0], made.pools)
    return Walked(backtest_history(history), variants_of(history), False)


def column(table, at: int) -> list[str]:
    return [table.row_at(row).cells[at].text for row in range(table.model().rowCount())]


@pytest.mark.long
def test_what_a_walk_found_is_shown_with_hindsight_beside_it(panel: BacktestPanel) -> None:
    answer = walked()
    panel.show_walked(answer)
    totals = answer.backtest.totals
    assert column(panel.ways, 1)[:2] == [f"{totals['advice']:,.0f}", f"{totals['hindsight']:,.0f}"]
    over = totals["advice"] / totals["hindsight"] - 1
    assert column(panel.ways, 2)[0] == f"+{over:.1%}"
    assert "times the best in hindsight" in panel.verdict.text()
    assert panel.caveat.text() == f"{NOBODY_KNOWS} {WITHOUT_ROWS}"  # made without job rows
    assert str(WAY_NAMES["lookback_56_cheapest"]) in column(panel.ways, 0)
    assert "demand then fell" in panel.reasons.text()
    assert column(panel.variants, 0)[0] == "As set"


@pytest.mark.long
def test_choosing_a_setting_says_what_it_changes(panel: BacktestPanel, qtbot) -> None:
    panel.show_walked(walked())
    assert (
        panel.chosen_variant() is not None and panel.chosen_variant().name == BEST_SO_FAR
    )  # what the walk itself suggests
    assert panel.apply.isEnabled()
    panel.variants.selectRow(0)
    assert not panel.apply.isEnabled()
    panel.variants.selectRow(1)
    assert panel.apply.isEnabled()
    assert "Recency half-life 3.5 days" in panel.apply.toolTip()
    with qtbot.waitSignal(panel.settings_chosen) as asked:
        QTest.mouseClick(panel.apply, Qt.MouseButton.LeftButton)
    assert asked.args[0] == {"recency_half_life_days": 3.5}


@pytest.mark.long
def test_a_short_log_is_said_and_shows_no_empty_tables(panel: BacktestPanel) -> None:
    answer = walked()
    short = replace(answer, backtest=replace(answer.backtest, folds=()), variants=(), hours=800)
    panel.show_walked(short)
    of_window = panel.verdict.text()
    assert of_window == too_short_words(short) and "730 h" in of_window and " 33.3 days. " in of_window
    panel.show_walked(replace(short, is_whole_log=True))
    of_log = panel.verdict.text()
    assert (
        of_log.partition(" 33.3 days. ")[0] == of_window.partition(" 33.3 days. ")[0] and of_log != of_window
    )
    assert str(panel.whole_log.text()) in of_window and str(panel.whole_log.text()) not in of_log
    assert not panel.ways.isVisible()


def test_a_failure_is_a_sentence_with_the_way_out(panel: BacktestPanel) -> None:
    what, remedy = worded("the job rows are gone"), worded("import again")
    panel.show_failure(PlannerError("rows", "file_missing", what, remedy))
    assert panel.verdict.text() == f"rows: {what}. Import again."


def test_today_signs_nothing(panel: BacktestPanel, window: MainWindow, qapp: QApplication) -> None:
    window.choose_scenario("Today")
    qapp.processEvents()
    window.docks.raise_panel("backtest")
    qapp.processEvents()
    assert panel.verdict.text() == str(TODAY_TEXT)


@pytest.mark.long
def test_another_palette_draws_it_again(panel: BacktestPanel, window: MainWindow) -> None:
    from gpuplanner.ui.kit.palettes import DARK

    panel.show_walked(walked())
    recoloured(panel, DARK)
    assert panel.chart.plot is not None
    assert "Month from" in panel.chart.plot.tip_at(1.0, 0.0)
