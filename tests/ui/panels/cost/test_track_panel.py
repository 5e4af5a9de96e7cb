"""The panel Track: what it asks for, what it says of a comparison, and of a plan that has changed since."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.past.tracking import TrackFiles
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.evidence.track import OF_TRACK
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import Tables
from gpuplanner.domain.reports.changes import MOVED, headline, steps_of
from gpuplanner.domain.track.track import Track, track
from gpuplanner.ui.kit.palettes import DARK
from gpuplanner.ui.panels.cost.track import CANCELLED, CHANGED, NOTHING_YET, OF_A_PLAN, SETTLING, TrackPanel
from gpuplanner.ui.state.view_state import ViewState
from tests.arrived import arrived
from tests.ui.fake_app import recoloured
from tests.ui.priced_world import plan, today


@pytest.fixture
def panel(qtbot: QtBot) -> TrackPanel:
    made = TrackPanel()
    qtbot.addWidget(made)
    made.show()
    return made


def found_of(shown: ViewState) -> Track:
    """The plan against its own log, that came once more, with another contract in it."""
    project = shown.evaluation.project
    later = replace(project, window=project.window.later(3600 * project.window.hours))
    dearer = tuple(replace(one, rate_usd_per_gpu_hour=one.rate_usd_per_gpu_hour and one.rate_usd_per_gpu_hour * 2)
                   for one in later.contracts)  # fmt: skip
    found = track(
        shown.evaluation, replace(later, contracts=dearer), Tables(), has_contracts=True, has_prices=False
    )
    assert found is not None
    return found


def test_a_log_is_compared_once_it_is_chosen(qtbot: QtBot, panel: TrackPanel) -> None:
    shown = plan()
    panel.show_state(shown)
    assert panel.headline.text() == str(NOTHING_YET) and not panel.compare.isEnabled()
    with qtbot.waitSignal(panel.files_asked) as asked:
        panel.buttons["jobs"].click()
    assert asked.args == ["jobs"]
    with qtbot.waitSignal(panel.compare_asked) as asked:
        panel.take_files("jobs", ("logs/later.csv",))
    assert asked.args == [shown.evaluation, TrackFiles(("logs/later.csv",))]
    assert panel.chosen.text() == "later.csv" and panel.cancel.isVisible()
    assert not panel.compare.isEnabled()

    found = found_of(shown)
    panel.show_track(found)
    assert panel.headline.text() == str(headline(found)) and not panel.cancel.isVisible()
    assert [step.amount for step in panel.chart.plot.steps] == [
        step.moved if step.is_change else step.level for step in steps_of(found)
    ]
    assert panel.tables["moved"].model().rowCount() == len(MOVED.rows(found)) > 0
    assert panel.tables["contracts"].model().rowCount() == len(found.contracts) > 0
    assert panel.compare.isEnabled()


def test_it_says_when_the_plan_has_changed_since(panel: TrackPanel) -> None:
    shown = plan()
    panel.show_state(shown)
    panel.take_files("jobs", ("later.csv",))
    panel.show_track(found_of(shown))
    assert str(CHANGED) not in panel.note.text()
    advice = shown.evaluation.advice
    assert advice is not None
    panel.show_state(replace(shown, evaluation=replace(shown.evaluation, advice=replace(advice))))
    assert panel.note.text().startswith(str(CHANGED))
    assert panel.chart.plot.isVisible()


def test_what_cannot_be_compared_is_said(qtbot: QtBot, panel: TrackPanel) -> None:
    panel.show_state(plan())
    panel.take_files("jobs", ("early.csv",))
    panel.show_failure(PlannerError("early.csv", "usage", "no job of the log ran", "choose another"))
    assert "no job of the log ran" in panel.note.text() and panel.track is None
    panel.ask()
    with qtbot.waitSignal(panel.cancel_asked):
        panel.cancel.click()
    assert panel.note.text() == str(CANCELLED) and not panel.cancel.isVisible()
    panel.again.click()
    assert panel.files == TrackFiles() and not panel.again.isVisible()


@pytest.mark.long
def test_today_and_a_plan_that_settles_have_nothing_to_compare(panel: TrackPanel) -> None:
    shown = plan()
    panel.show_state(shown)
    panel.take_files("jobs", ("later.csv",))
    panel.show_track(found_of(shown))
    panel.show_state(today())
    assert panel.headline.text() == str(OF_A_PLAN) and not panel.chart.plot.isVisible()
    panel.show_state(replace(shown, evaluation=replace(shown.evaluation, advice=None)))
    assert panel.headline.text() == str(SETTLING) and not panel.compare.isEnabled()
    panel.show_state(shown)
    assert panel.chart.plot.isVisible()
    recoloured(panel, DARK)


def test_its_figures_say_why(qtbot: QtBot, panel: TrackPanel) -> None:
    shown = plan()
    panel.show_state(shown)
    found = found_of(shown)
    (one,) = found.quarters
    found = replace(found, quarters=(one, replace(one, start_s=one.end_s, end_s=one.end_s + 3600)))
    panel.show_track(found)
    asked = {figure_id for table in panel.tables.values() for figure_id in table.figure_ids()}
    of_chart = {step.figure_id for step in panel.chart.plot.steps}
    assert {figure_id.split(":")[0] for figure_id in asked | of_chart} == set(OF_TRACK)
    with qtbot.waitSignal(panel.figure_opened) as opened:
        panel.chart.plot.ask_why()
    assert opened.args[0] in of_chart and opened.args[1] is panel.chart.plot
    kept = {figure("track_moved", row.key): row.usd for row in found.rows}
    for row in found.contracts:
        kept[figure("burn_committed_hours", row.contract_id)] = row.figures["committed_gpu_hours"]
        kept[figure("burn_used_hours", row.contract_id)] = row.figures["used_gpu_hours"]
        kept[figure("burn_left", row.contract_id)] = row.figures["left_cost"]
    kept |= {figure("track_more", one.key): one.figures["more"] for one in found.by_workload}
    kept |= {
        figure("track_step", one.what): one.moved if one.is_change else one.level for one in steps_of(found)
    }
    kept |= {figure("track_quarter", one.key): one.figures["actual"] for one in found.quarters}
    for figure_id, value in kept.items():
        trace = OF_TRACK.answer(found, figure_id)
        assert trace.figure_id == figure_id and trace.value == value == pytest.approx(arrived(trace))
    assert asked | of_chart <= set(kept)
