"""The Utilization panel: four ways to look at the window, the week of the chosen row, and what is unknown said so."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gpuplanner.domain.audit.use_by import CLUSTERS, HoursOfWeek, Use, UseInputs
from gpuplanner.domain.figures.window import USE
from gpuplanner.domain.reports.use import USES
from gpuplanner.ui.kit.palettes import DARK, LIGHT
from gpuplanner.ui.panels.today.utilization import UtilizationPanel
from gpuplanner.ui.tables.heat_tables import heat_table
from gpuplanner.ui.tables.report_table import table_rows
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from tests.ui.fake_app import recoloured
from tests.ui.sample_world import audit_sample, sample_project

GPU_HOUR = 3_600_000


@pytest.fixture
def panel(window: MainWindow, qapp: QApplication) -> UtilizationPanel:
    window.docks.raise_panel("utilization")
    qapp.processEvents()
    window.docks.utilization.choose("clusters")  # whatever another test looked at
    return window.docks.utilization


def texts(panel: UtilizationPanel, column: int) -> list[str]:
    return [panel.table.row_at(row).cells[column].text for row in range(panel.table.model().rowCount())]


def test_the_week_of_the_chosen_row_is_shown(panel: UtilizationPanel) -> None:
    use = audit_sample(sample_project()).use
    assert texts(panel, 0) == ["atlas", "borealis", "cedar", "All 3"]
    panel.choose("clusters", "borealis")
    shown = heat_table(use.clusters[1])
    assert panel.heatmap.plot.text_at(0, 9).startswith(
        f"Monday 09:00 to 10:00 UTC: {numbers.percent(float(shown.values[0, 9]))}"
    )
    QTest.keyClick(panel.table, Qt.Key.Key_Down)
    assert panel.heading.text().startswith("cedar: utilization")


def test_each_way_to_look_adds_up_to_what_is_paid(panel: UtilizationPanel) -> None:
    for view in ("clusters", "contracts", "gpu_models"):
        panel.choose(view)
        money = [int(text.replace(",", "")) for text in texts(panel, 5)]
        assert sum(money[:-1]) == money[-1] == 612_032


def test_a_team_has_mean_gpus_and_no_utilization(panel: UtilizationPanel) -> None:
    panel.choose("teams", "ml")
    assert [str(column.title).replace("\n", " ") for column in panel.table.columns] == [
        "Team", "GPU-h", "Share", "Mean GPUs", "Activity", "$ per month",
    ]  # fmt: skip
    assert texts(panel, 2) == ["100.0%"]
    assert "mean GPUs" in panel.heading.text()


def test_each_way_to_look_keeps_its_own_row(panel: UtilizationPanel) -> None:
    panel.choose("clusters", "cedar")
    panel.choose("gpu_models", "H100")
    panel.view.setCurrentIndex(panel.view.findData("clusters"))
    assert panel.heading.text().startswith("cedar:")


def test_figures_in_place_of_colours(panel: UtilizationPanel, qapp: QApplication) -> None:
    panel.choose("clusters", "atlas")
    assert panel.heatmap.plot.isVisible() and not panel.week.isVisible()
    panel.figures.click()
    assert panel.week.isVisible() and not panel.heatmap.plot.isVisible()
    week = heat_table(audit_sample(sample_project()).use.clusters[0])
    assert panel.week.row_at(9).cells[1].text == numbers.percent(float(week.values[0, 9])).rstrip("%")
    assert panel.week.row_at(24).cells[7].text == numbers.percent(float(week.row_means[6])).rstrip("%")
    panel.figures.click()
    assert panel.heatmap.plot.isVisible() and not panel.week.isVisible()


def test_contended_hours_name_the_training_that_met_inference(panel: UtilizationPanel) -> None:
    panel.choose("clusters")
    rows = [panel.contended.row_at(row) for row in range(panel.contended.model().rowCount())]
    assert [row.key for row in rows] == ["borealis", "cedar"]
    assert [cell.text for cell in rows[1].cells[1:]] == ["8", "37", "8"]
    assert "bert-large-mlm" in str(rows[1].cells[3].tip) and "and 2 more" in rows[1].cells[3].tip


def test_the_same_past_is_not_drawn_anew(panel: UtilizationPanel, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = panel.drawn
    calls: list[int] = []
    monkeypatch.setattr(panel, "_show_chosen", lambda: calls.append(1))
    shown = panel.shown
    panel.show_state(replace(shown, is_settling=True))
    assert panel.drawn is drawn and not calls


def test_other_colours(panel: UtilizationPanel) -> None:
    panel.choose("clusters", "atlas")
    before = LIGHT.heat.index(panel.heatmap.plot.colour_at(0, 0))
    recoloured(panel, DARK)
    assert DARK.heat.index(panel.heatmap.plot.colour_at(0, 0)) == before


def test_what_is_unknown_says_why() -> None:
    use = audit_sample(sample_project()).use
    rows = table_rows(USES[CLUSTERS], use)
    assert [row.cells[4].text for row in rows] == [numbers.UNKNOWN] * 4
    assert {row.cells[4].tip for row in rows} == {str(USE["activity"].unknown)}
    assert [row.cells[3].text for row in rows] == ["59.6%", "n/a", "52.6%", "n/a"]
    nothing = replace(use.clusters[0], paid_gpu_hours=0.0, used_gpu_hours=0.0, utilization=None)
    row = table_rows(USES[CLUSTERS], replace(use, clusters=(nothing,)))[0]
    assert (row.cells[2].text, row.cells[2].tip) == (numbers.UNKNOWN, str(USE["utilization"].unknown))


def test_under_40_percent_has_a_sign_besides_its_colour() -> None:
    use = audit_sample(sample_project()).use
    low = replace(use.clusters[0], utilization=0.39, below_40_percent=True)
    cell = table_rows(USES[CLUSTERS], replace(use, clusters=(low,)))[0].cells[2]
    assert (cell.icon, cell.text) == ("triangle", "39.0%")


def test_an_hour_that_the_window_does_not_have_is_unknown_in_the_tip() -> None:
    hours = np.zeros((7, 24), dtype=np.int64)
    hours[0, 0] = 2
    week = HoursOfWeek(hours * GPU_HOUR, hours * 4 * GPU_HOUR, hours)
    row = Use(
        name="a",
        gpu_hours=2.0,
        share=1.0,
        mean_gpus=1.0,
        used_gpu_hours=2.0,
        paid_gpu_hours=8.0,
        overflow_gpu_hours=0.0,
        utilization=0.25,
        below_40_percent=True,
        break_even_utilization=None,
        activity=None,
        cost_per_month=None,
        hours_of_week=week,
        inputs=UseInputs(asked=0, all_asked=0, hours=2, activity=None),
    )
    table = heat_table(row)
    assert [value for _, value in table.lines(0, 0)] == ["1.0", "4.0", "2"]
    assert [value for _, value in table.lines(3, 3)] == [""]
    assert table.figure(table.values[3, 3]) == numbers.UNKNOWN


def test_a_cluster_that_nobody_pays_for_has_no_dollars_rather_than_0() -> None:
    use = audit_sample(sample_project()).use
    assert use is not None
    bare = replace(use.clusters[0], paid_gpu_hours=0.0, utilization=None, cost_per_month=0.0)
    (row,) = table_rows(USES[CLUSTERS], replace(use, clusters=(bare,)))
    assert (row.cells[-1].text, row.cells[-1].tip, row.cells[-1].figure_id) == (
        numbers.UNKNOWN,
        str(USE["utilization"].unknown),
        "",
    )
