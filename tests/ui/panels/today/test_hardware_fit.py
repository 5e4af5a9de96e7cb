"""Hardware fit: the list by light and class, dearest first; a workload with its reasons; needs set and taken back."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from gpuplanner.domain import edits
from gpuplanner.domain.commitment.outlook_result import SpotAdvice
from gpuplanner.domain.commitment.words.spot import spot_sentences
from gpuplanner.domain.evaluation import fit_project
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.cards.details import LIGHTS
from gpuplanner.ui.cards.marks import CardMarks
from gpuplanner.ui.kit.palettes import DARK
from gpuplanner.ui.panels.today.hardware_detail import network_note, network_rows
from gpuplanner.ui.panels.today.hardware_fit import HardwareFitPanel
from gpuplanner.ui.panels.today.hardware_rows import FitFilter, filtered_fits, fit_columns
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.tables.cells import filled_row
from gpuplanner.ui.tables.rows_model import LazyRows
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.fake_app import recoloured
from tests.ui.sample_world import evaluation_of, sample_project


def of_project(project: Project) -> ViewState:
    evaluation = evaluation_of(project, project.scenarios[0].name)
    fit = fit_project(project, evaluation.audit, read_tables())
    return next_view_state(None, replace(evaluation, fit=fit))


def spread(project: Project) -> Project:
    """The sample with 4 nodes for what trains and Ethernet under atlas."""
    workloads = tuple(
        replace(one, max_nodes=4, max_milli_gpus=32_000, longest_job_s=36_000) if "train" in one.name else one
        for one in project.workloads
    )
    contracts = tuple(
        replace(one, interconnect="ethernet", bare_metal=True, gpu_memory_gb=141.0)
        if one.cluster == "atlas"
        else one
        for one in project.contracts
    )
    return replace(project, workloads=workloads, contracts=contracts)


@pytest.fixture(scope="module")
def shown() -> ViewState:
    return of_project(spread(sample_project()))


@pytest.fixture
def panel(qtbot: QtBot, shown: ViewState) -> HardwareFitPanel:
    made = HardwareFitPanel()
    qtbot.addWidget(made)
    made.resize(480, 900)
    made.show_state(shown)
    made.show()
    return made


def usd_of(shown: ViewState) -> dict[str, float | None]:
    return {row.key: row.usd_per_month for row in shown.evaluation.audit.workloads}


def test_the_list_holds_the_lights_of_the_filter_dearest_first(shown: ViewState) -> None:
    fits, usd = shown.fit or (), usd_of(shown)
    for lights in (frozenset({Light.RED}), frozenset({Light.RED, Light.AMBER}), frozenset({None})):
        listed = filtered_fits(fits, usd, FitFilter(lights))
        assert {fit.key for fit in listed} == {fit.key for fit in fits if fit.light in lights}
        costs = [usd[fit.key] or 0.0 for fit in listed]
        assert costs == sorted(costs, reverse=True)
    training = filtered_fits(fits, usd, FitFilter(frozenset(LIGHTS), frozenset({Pool.TRAINING})))
    assert training and {fit.pool for fit in training} == {Pool.TRAINING}


def test_what_costs_nobody_knows_stands_last(shown: ViewState) -> None:
    fits = shown.fit or ()
    usd = usd_of(shown) | {fits[0].key: None}
    assert filtered_fits(fits, usd, FitFilter(frozenset((*LIGHTS, None))))[-1].key == fits[0].key


def test_a_light_has_a_shape_and_words(qapp: QApplication, shown: ViewState) -> None:
    assert len({icon for icon, _, _ in LIGHTS.values()}) == 3
    for fit in shown.fit or ():
        row = filled_row(fit_columns(True, {fit.key: "name"}, {}), fit, fit.key)
        signs = [cell for cell in row.cells[1:-1] if cell.icon or cell.text]
        assert len(signs) == len(fit.rows)
        assert all(cell.tip for cell in signs)


def test_rows_are_made_when_they_are_looked_at() -> None:
    made: list[int] = []
    rows = LazyRows(5000, lambda at: made.append(at) or fit_row_of(at))  # type: ignore[func-returns-value]
    assert len(rows) == 5000 and made == []
    assert rows[4999].key == "4999" and rows[4999] is rows[4999]
    assert made == [4999]
    with pytest.raises(IndexError):
        rows[5000]


def fit_row_of(at: int):  # type: ignore[no-untyped-def]
    from gpuplanner.ui.tables.cells import Row

    return Row((), key=str(at))


@pytest.mark.long
def test_the_count_of_the_tab_is_what_does_not_fit(panel: HardwareFitPanel, shown: ViewState) -> None:
    panel.show_state(shown)
    assert panel.count(shown) == sum(fit.light is Light.RED for fit in shown.fit or ()) > 0


@pytest.mark.long
def test_a_workload_is_shown_with_its_reasons_and_its_network(panel: HardwareFitPanel) -> None:
    key = next(fit.key for fit in panel.listed if fit.network is not None and fit.network.has)
    panel.choose(key)
    assert panel.detail.title.text() == key.rsplit("/", 1)[1]
    assert "Ethernet, needs InfiniBand" in _labels(panel)
    assert "Interconnect ethernet, " in " ".join(_labels(panel))
    assert panel.detail.network.isVisible()
    assert panel.detail.network.row_at(0).cells[1].text == "5.2"  # of the model in its name
    assert panel.detail.network.row_at(0).cells[2].text == "35.5"


def _labels(panel: HardwareFitPanel) -> list[str]:
    QApplication.processEvents()  # what a layout was given just now is shown by an event
    return [label.text() for label in panel.detail.findChildren(QLabel) if not label.isHidden()]


def test_the_note_of_the_network_shows_formula_and_inputs(shown: ViewState) -> None:
    every = [fit.network for fit in shown.fit or () if fit.network is not None and fit.network.has]
    network = next(one for one in every if one is not None and one.run_hours == 10)
    assert "10.0 h \u00d7 5.2 s \u00f7 35.5 s = 1.5 h" in network_note(network)
    assert "published step times" in network_note(network)
    assert "article" in network_note(replace(network, is_of_model=False))
    assert network_rows(network)[1].cells[1].text == "1.5"
    unknown = replace(network, has=None, infiniband=None, ethernet=None, reason="nobody says")
    assert network_rows(unknown) == []
    assert "nobody says" in network_note(unknown)


def type_into(qtbot: QtBot, field: QLineEdit | QComboBox, text: str) -> None:
    assert isinstance(field, QLineEdit)
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_a_need_that_is_typed_is_told_and_a_wrong_one_is_refused_with_a_remedy(
    qtbot: QtBot, panel: HardwareFitPanel
) -> None:
    panel.choose(next(fit.key for fit in panel.listed if fit.pool is Pool.TRAINING))
    told: list[tuple[str, str, object]] = []
    panel.need_set.connect(lambda *what: told.append(what))
    type_into(qtbot, panel.detail.editors["memory_gb_per_gpu"], "lots")
    assert told == [] and "Enter 1 to" in panel.detail.error.text()
    assert panel.detail.editors["memory_gb_per_gpu"].text() == "57.3"  # type: ignore[union-attr]
    type_into(qtbot, panel.detail.editors["memory_gb_per_gpu"], "40")
    assert told == [(panel.key, "memory_gb_per_gpu", 40.0)]
    assert panel.detail.error.isHidden()


def test_the_filter_and_keyboard_choose(panel: HardwareFitPanel, qtbot: QtBot) -> None:
    first = panel.key
    panel.table.setFocus()
    qtbot.keyClick(panel.table, Qt.Key.Key_Down)
    assert panel.key == panel.listed[1].key != first
    panel.lights.setCurrentText("Fits")
    assert all(fit.light is Light.GREEN for fit in panel.listed)


def test_other_colours_keep_what_is_shown(panel: HardwareFitPanel) -> None:
    before = panel.detail.title.text()
    recoloured(panel, DARK)
    assert panel.detail.title.text() == before


def test_cards_carry_the_light_of_their_hardware(shown: ViewState) -> None:
    marks = CardMarks(shown)
    for fit in shown.fit or ():
        hardware = [mark for mark in marks.get(fit.key, ()) if mark.text.startswith("Hardware today")]
        assert [mark.role for mark in hardware] == (
            [LIGHTS[fit.light][1]] if fit.light in (Light.RED, Light.AMBER) else []
        )
    assert len(marks) == len(list(marks)) == len(set(marks))


def test_setting_a_need_is_one_step_that_undo_takes_back(window: MainWindow) -> None:
    document = window.session.document
    key = document.project.workloads[0].key
    window.docks.hardware_fit.need_set.emit(key, "nodes", 4)
    assert document.project.needs[key].nodes == 4
    assert document.undo_stack.undoText().startswith("Set nodes of ")
    window.docks.hardware_fit.need_set.emit(key, "nodes", None)
    assert document.project.needs == {}
    document.undo_stack.undo()
    assert document.project.needs[key].nodes == 4


@pytest.mark.long
def test_a_need_that_was_set_has_a_way_back(panel: HardwareFitPanel, shown: ViewState) -> None:
    project = shown.evaluation.project
    key = next(fit.key for fit in panel.listed if fit.pool is Pool.TRAINING)
    panel.choose(key)
    assert panel.detail.backs["nodes"].isHidden()
    panel.show_state(of_project(edits.needs.set_need(project, [key], "nodes", 1)))
    assert not panel.detail.backs["nodes"].isHidden()
    assert not panel.detail.network.isVisible()
    told: list[tuple[str, str, object]] = []
    panel.need_set.connect(lambda *what: told.append(what))
    panel.detail.backs["nodes"].click()
    assert told == [(key, "nodes", None)]


def test_a_card_in_another_pool_than_its_class_says_what_that_asks(
    panel: HardwareFitPanel, shown: ViewState
) -> None:
    project = shown.evaluation.project
    key = next(fit.key for fit in panel.listed if fit.pool is Pool.TRAINING and fit.network is not None)
    panel.choose(key)
    assert not panel.detail.elsewhere.isVisible()
    moved = edits.workloads.move_workloads(project, project.scenarios[0].name, [key], Pool.BURST)
    evaluation = evaluation_of(moved, moved.scenarios[0].name)
    panel.show_state(replace(next_view_state(None, evaluation), fit=shown.fit))
    assert "The card in Burst" in panel.detail.elsewhere.text()
    assert panel.detail.elsewhere.isVisible()


def test_what_spot_means_for_a_workload_stands_in_its_detail(panel: HardwareFitPanel) -> None:
    detail = panel.detail
    one = SpotAdvice(
        key="c/t/x",
        pool=Pool.BURST,
        gpu_model="H100",
        nodes=1,
        longest_job_hours=100.0,
        interval_hours=4.0,
        lost_share=0.1146,
        best_interval_hours=2.0,
        best_lost_share=0.0938,
        on_spot=True,
        on_spot_at_best=True,
        saves_usd_per_month=123.4,
    )
    detail.show_spot((one,))
    assert detail.spot_note.text() == " ".join(map(str, spot_sentences(one)))
    detail.show_spot((one, replace(one, gpu_model=None)))
    assert detail.spot_note.text().startswith(f"H100: {spot_sentences(one)[0]}")
    assert (
        f"\nUnknown model: {spot_sentences(one)[0]}" in detail.spot_note.text()
        and "11.5%" in detail.spot_note.text()
    )
    detail.show_spot(())
    assert not detail.spot_title.isVisible() and not detail.spot_note.isVisible()


@pytest.mark.long
def test_the_first_frame_of_the_detail_is_laid_out(qtbot: QtBot, shown: ViewState) -> None:
    panel = HardwareFitPanel()
    qtbot.addWidget(panel)
    panel.resize(560, 760)
    body, heights = panel.detail.widget(), []

    class FirstPaint(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint:
                heights.append((body.height(), panel.detail.editors["gpus_per_node"].y()))
            return False

    watch = FirstPaint()
    body.installEventFilter(watch)  # without a style sheet it is opaque: what it lies on is not painted
    panel.show_state(shown)
    with qtbot.waitExposed(panel):
        panel.show()
    qtbot.waitUntil(lambda: bool(heights))
    qtbot.wait(50)
    assert heights[0] == (body.height(), panel.detail.editors["gpus_per_node"].y())
