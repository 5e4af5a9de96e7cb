"""What if: a gesture is one step, the window follows, marks stand where the advice flips, and a way back."""

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint, Largest
from gpuplanner.domain.edits.labels import assumption_label
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.frame.what_if import WhatIfStrip
from gpuplanner.ui.window.language_choice import locale_of
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.sliders import SLIDERS, rate_words
from tests.ui.plans_world import opened_again, plans_project, settle, wait_until

PROJECT = plans_project()


@pytest.fixture
def planner(shared: MainWindow, qapp: QApplication) -> MainWindow:
    opened_again(shared, PROJECT)
    if not shared.actions_by_id["what_if"].isChecked():
        shared.actions_by_id["what_if"].trigger()
    qapp.processEvents()
    return shared


def strip(planner: MainWindow) -> WhatIfStrip:
    return planner.plans.what_if.strip


def assumption(planner: MainWindow, name: str) -> float:
    project = planner.session.document.project
    values = project.assumptions_in(project.scenario(planner.session.scenario))
    return float(getattr(values, {"lambda": "lambda_"}.get(name, name)))


@pytest.mark.long
def test_a_drag_is_one_step_and_the_window_shows_what_a_fresh_evaluation_says(planner: MainWindow) -> None:
    slider, stack = strip(planner).cells["delta"].slider, planner.session.document.undo_stack
    before = planner.session.document.project
    centre = slider.rect().center()
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=centre)
    for x in range(4, 44, 4):
        QTest.mouseMove(slider, centre + type(centre)(x, 0))
    wanted = slider.value()
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=centre + type(centre)(40, 0))
    settle(planner)
    assert stack.count() == 1
    assert assumption(planner, "delta") == pytest.approx(wanted * 0.001)
    assert stack.undoText() == str(assumption_label("delta", round(wanted * 0.001, 6)))
    assert stack.undoText().endswith(f" {wanted * 0.1:.10g}%")
    assert len(planner.session.document.project.scenario(planner.session.scenario).decisions) == 1
    fresh = evaluate(planner.session.document.project, planner.session.scenario, read_tables())
    assert planner.session.evaluation.advice.totals == fresh.advice.totals
    stack.undo()
    assert planner.session.document.project is before
    assert slider.value() == 4


@pytest.mark.long
def test_keys_move_it_and_the_way_back_is_the_default(planner: MainWindow) -> None:
    cell = strip(planner).cells["growth"]
    cell.slider.setFocus()
    for _ in range(3):
        QTest.keyClick(cell.slider, Qt.Key.Key_Right)
    settle(planner)
    assert assumption(planner, "growth") == pytest.approx(0.015)
    assert cell.value.text() == "1.5%"
    assert cell.back.isVisible()
    cell.back.click()
    settle(planner)
    assert assumption(planner, "growth") == 0
    assert "growth" not in planner.session.document.project.scenario(planner.session.scenario).assumptions
    assert not cell.back.isVisible()
    assert cell.slider.hasFocus()


@pytest.mark.long
def test_models_and_mix_set_demand_and_do_not_touch_each_other(planner: MainWindow) -> None:
    cells = strip(planner).cells
    assert cells["models"].value.text() == "2"
    share = cells["share"].slider.value()
    audit = planner.session.evaluation.audit
    cells["models"].slider.setValue(10)
    planner.session.gestures.end_gesture()
    settle(planner)
    assert (assumption(planner, "demand"), cells["models"].value.text()) == (5.0, "2 \u2192 10")
    assert cells["share"].slider.value() == share
    hours = {pool: one.gpu_hours_per_month for pool, one in planner.session.evaluation.figures.pools.items()}
    cells["share"].slider.setValue(80)
    settle(planner)
    after = {pool: one.gpu_hours_per_month for pool, one in planner.session.evaluation.figures.pools.items()}
    assert after[Pool.INFERENCE] / (after[Pool.INFERENCE] + after[Pool.TRAINING]) == pytest.approx(0.8)
    both = (Pool.TRAINING, Pool.INFERENCE)
    assert sum(after[pool] for pool in both) == pytest.approx(sum(hours[pool] for pool in both))
    assert after[Pool.BURST] == hours[Pool.BURST]
    assert (assumption(planner, "demand"), cells["models"].slider.value()) == (5.0, 10)
    assert planner.session.evaluation.audit is audit
    models, of_inference = (planner.session.document.undo_stack.text(at) for at in (0, 1))
    assert "models" in models and " 2 " in models and models.endswith(" 10")
    assert "share" in of_inference and of_inference.endswith(" 80%")


@pytest.mark.long
def test_values_that_come_while_advice_is_awaited_wait_for_it(planner: MainWindow) -> None:
    slider, project = strip(planner).cells["lambda"].slider, planner.session.document.project
    slider.setSliderDown(True)
    slider.setValue(12)
    after_first = planner.session.document.project
    assert after_first is not project
    slider.setValue(14)
    slider.setValue(20)
    assert planner.session.document.project is after_first
    wait_until(lambda: assumption(planner, "lambda") == pytest.approx(0.05))
    slider.setSliderDown(False)
    settle(planner)
    assert planner.session.document.undo_stack.count() == 1


def test_flip_points_are_marked_and_said(planner: MainWindow) -> None:
    points = (
        FlipPoint(
            assumption="delta",
            pool=Pool.INFERENCE,
            gpu_model="H100",
            value=0.02,
            at=0.031,
            today=Largest(12, 17.0),
            there=Largest(3, 14.0),
        ),
        FlipPoint(
            assumption="sigma",
            pool=Pool.INFERENCE,
            gpu_model="H100",
            value=0.1,
            at=0.2,
            today=Largest(12, 17.0),
            there=Largest(3, 14.0),
        ),
    )
    planner.plans.what_if.show_flips(points)
    (mark,) = strip(planner).cells["delta"].slider.marks
    assert mark.at == pytest.approx(31.0)
    assert "3.1% per month" in strip(planner).cells["delta"].slider.accessibleDescription()
    marked = {spec.name for spec in SLIDERS if strip(planner).cells[spec.name].slider.marks}
    assert marked == {point.assumption for point in points} & {spec.name for spec in SLIDERS}


def test_flip_points_have_the_digits_of_the_planner(planner: MainWindow) -> None:
    before = QLocale()
    numbers.use_locale(locale_of("german"))
    planner.plans.what_if.show_flips(
        (
            FlipPoint(
                assumption="delta",
                pool=Pool.INFERENCE,
                gpu_model="H100",
                value=0.02,
                at=0.031,
                today=Largest(12, 17.0),
                there=Largest(3, 14.0),
            ),
        )
    )
    numbers.use_locale(before)
    (mark,) = strip(planner).cells["delta"].slider.marks
    assert "3,1% per month" in mark.words and mark.words.endswith(".")


def test_it_is_of_a_plan_alone(planner: MainWindow) -> None:
    assert strip(planner).isVisible()
    planner.choose_scenario(TODAY)
    assert not strip(planner).isVisible()
    planner.choose_scenario("Plan B")
    assert strip(planner).isVisible()
    planner.actions_by_id["what_if"].trigger()
    assert not strip(planner).isVisible()


@pytest.mark.parametrize(
    ("value", "words"), [(0.015, "1.5%"), (0.0025, "0.25%"), (-0.02, "\u22122%"), (0.0, "0%")]
)
def test_rates_have_as_many_decimals_as_they_need(value: float, words: str) -> None:
    assert rate_words(value) == words


def test_dragged_there_and_back_nothing_was_done(planner: MainWindow) -> None:
    slider, before = strip(planner).cells["delta"].slider, planner.session.document.project
    begin = slider.value()
    slider.setSliderDown(True)
    for step in (begin + 2, begin + 4, begin):
        slider.setValue(step)
        wait_until(lambda: planner.session.evaluation.advice is not None)
    slider.setSliderDown(False)
    settle(planner)
    assert planner.session.document.project is before
    assert planner.session.document.undo_stack.count() == 0


def test_it_is_not_there_before_it_is_asked_for(planner: MainWindow) -> None:
    planner.actions_by_id["what_if"].trigger()
    assert not strip(planner).isVisible()
    planner.actions_by_id["what_if"].trigger()
    planner.choose_scenario("Plan B")
    assert strip(planner).isVisible()


def test_titles_without_room_are_shorter_words_and_never_cut(planner: MainWindow, qapp: QApplication) -> None:
    before = planner.size()
    seen = {}
    for width in (960, 1280, 1900):
        planner.resize(width, 720)
        qapp.processEvents()
        seen[width] = [cell.title.text() for cell in strip(planner).cells.values()]
    planner.resize(before)
    qapp.processEvents()
    for slider, *texts in zip(SLIDERS[:5], *seen.values(), strict=False):
        assert {*texts} <= {str(slider.short), str(slider.title)}
    assert seen[1900][:4] == [str(slider.title) for slider in SLIDERS[:4]]
