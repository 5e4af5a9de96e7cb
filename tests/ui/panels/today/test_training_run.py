"""Training runs: stated by keys and clicks, answered, looked at by slider and rows, laid out so that they fit."""

from dataclasses import replace
from decimal import Decimal
from time import process_time

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionSlider
from pytestqt.qtbot import QtBot

from gpuplanner.domain import edits
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.trained import Layout, Method, Recompute, Sharding, StatedRun
from gpuplanner.domain.training.memory import fit_of
from gpuplanner.domain.training.run import Run
from gpuplanner.files.system.resources import training_facts
from gpuplanner.files.system.training import trained_answer
from gpuplanner.ui.kit.palettes import DARK
from gpuplanner.ui.panels.today.hardware_fit import (
    IN_PART,
    NO_TOKENS,
    NOTHING_STATED,
    UNDIVIDED,
    TrainingRunView,
)
from gpuplanner.ui.panels.today.training_rows import remedy_words
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.window.language_choice import locale_of
from gpuplanner.ui.words import numbers
from tests.ui.fake_app import recoloured
from tests.ui.sample_world import evaluation_of, sample_project

OFFERS = tuple(
    Offer(
        offer_id=f"{model}-od",
        gpu_model=model,
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=Decimal(rate),
    )
    for model, rate in (("A100", "1.90"), ("H100", "2.75"))
)
LARGE = training_facts().models["Llama-3-70B"]


class World:
    """A view with a project behind it, as its flow would keep it; answers are worked out at once."""

    def __init__(self, view: TrainingRunView) -> None:
        self.view, self.project = view, replace(sample_project(), offers=OFFERS)
        view.set_models(lambda: training_facts().models.values())
        view.run_stated.connect(
            lambda at, run: self.show(edits.training_runs.state_run(self.project, at, run))
        )
        view.run_dropped.connect(lambda at: self.show(edits.training_runs.drop_run(self.project, at)))
        view.answer_asked.connect(self.answer)
        self.show(self.project)

    def show(self, project: Project) -> None:
        self.project = project
        shown = next_view_state(None, evaluation_of(project, project.scenarios[0].name))
        self.view.show_state(shown)

    def answer(self, run: StatedRun) -> None:
        of = self.project
        self.view.show_answer(trained_answer(run, of.offers, of.assumptions, of.contracts, of.window.end_s))


@pytest.fixture
def world(qtbot: QtBot, qapp: QApplication) -> World:
    view = TrainingRunView()
    qtbot.addWidget(view)
    view.resize(432, 900)
    view.show()
    return World(view)


def typed(qtbot: QtBot, world: World, name: str, text: str) -> None:
    field = world.view.fields[name]
    field.setFocus()
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def choose(world: World, text: str) -> None:
    box = world.view.model
    box.setCurrentText(text)
    box.activated.emit(box.currentIndex())


def stated(world: World, **values: object) -> None:
    world.show(edits.training_runs.state_run(world.project, 0, StatedRun(model=LARGE, tokens=1e11, **values)))  # type: ignore[arg-type]


def test_without_a_run_it_says_what_to_give(qtbot: QtBot, world: World) -> None:
    view = world.view
    assert view.headline.text() == str(NOTHING_STATED) and "Choose a model" in view.money.text()
    assert not any(part.isVisible() for part in (*view.tables, view.slider, view.plan, view.fields["gpus"]))
    choose(world, "Llama-3-70B")
    assert view.money.text() == str(NO_TOKENS) and world.project.runs == ()
    typed(qtbot, world, "tokens", "100B")
    assert world.project.runs == (StatedRun(model=LARGE, tokens=1e11),)
    assert "\u00d7" in view.headline.text() and " h (" in view.headline.text() and "$" in view.headline.text()
    assert view.memory.text().startswith("Fits") and "GPUs train up to " in view.memory.text()
    assert view.slider.isVisible()


@pytest.mark.long
def test_what_is_typed_is_the_run_and_what_cannot_be_is_said(qtbot: QtBot, world: World) -> None:
    stated(world)
    assert "3,200 Gb/s per node" in world.view.money.text()
    typed(qtbot, world, "deadline_h", "300")
    assert world.project.runs[0].deadline_h == 300 and "meets the deadline" in world.view.money.text()
    typed(qtbot, world, "gpus", "1.5")
    assert "enter a whole number" in world.view.error.text().lower() and world.project.runs[0].gpus is None
    world.view.fold.head.click()
    typed(qtbot, world, "pp", "2")
    assert world.project.runs[0].layout.pp == 2 and not world.view.error.isVisible()
    typed(qtbot, world, "deadline_h", "")
    assert world.project.runs[0].deadline_h is None


def test_a_german_states_german_numbers(qtbot: QtBot, world: World) -> None:
    before = numbers.locale()
    numbers.use_locale(locale_of("german"))
    stated(world)
    typed(qtbot, world, "tokens", "1,234T")
    assert world.project.runs[0].tokens == 1.234e12 and world.view.fields["tokens"].text() == "1,234T"
    world.view.fold.head.click()
    typed(qtbot, world, "storage_gb_per_s", "2,5")
    assert world.project.runs[0].storage_gb_per_s == 2.5
    numbers.use_locale(before)


def test_stages_beyond_the_layers_are_said(qtbot: QtBot, world: World) -> None:
    stated(world, gpus=128, gpu_model="H100", layout=Layout(pp=128))
    assert world.view.headline.text() == str(UNDIVIDED)


def test_what_was_measured_in_part_is_said_until_it_counts(qtbot: QtBot, world: World) -> None:
    stated(world, gpus=64)
    world.view.fold.head.click()
    typed(qtbot, world, "measured_doubling", "98%")
    typed(qtbot, world, "measured_h", "100")
    typed(qtbot, world, "measured_gpus", "64")
    assert str(IN_PART) in world.view.memory.text() and world.view.headline.text().find(" 100 h") < 0
    world.show(
        edits.training_runs.state_run(world.project, 0, replace(world.project.runs[0], gpu_model="H100"))
    )
    assert str(IN_PART) not in world.view.memory.text() and " 100 h" in world.view.headline.text()


def test_the_slider_is_dragged_over_the_curve(qtbot: QtBot, world: World) -> None:
    stated(world)
    view, slider = world.view, world.view.slider
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    part = QStyle.SubControl.SC_SliderHandle
    handle = slider.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, slider).center()
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=handle)
    qtbot.mouseMove(slider, QPoint(slider.width() - 2, handle.y()))
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() - 2, handle.y()))
    assert slider.value() == slider.maximum() > 2
    assert view.chosen is not None and f"{view.chosen.run.gpus:,} \u00d7" in view.headline.text()
    chosen: list[object] = []
    view.work_chosen.connect(lambda run, choice: chosen.append((run, choice)))
    qtbot.mouseClick(view.plan, Qt.MouseButton.LeftButton)
    assert chosen == [(world.project.runs[0], view.chosen)]
    recoloured(view, DARK)
    assert view.chosen.run.gpus == int(view.headline.text().split()[0].replace(",", ""))


def test_another_gpu_model_has_a_curve_of_its_own(qtbot: QtBot, world: World) -> None:
    stated(world)
    view = world.view
    first = view.gpu_model_drawn
    rect = view.table.visualRect(view.table.model().index(1, 0))
    qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert view.gpu_model_drawn != first and view.gpu_model_drawn in view.headline.text()
    curve = view.chart.plot.curve  # type: ignore[union-attr]
    assert curve.gpu_model == view.gpu_model_drawn and len(curve.points) == view.slider.maximum() + 1
    assert "H100" in {row.gpu_model for row in view.answer.networks} | {"H100"}  # type: ignore[union-attr]
    assert view.tables[2].model().rowCount() == len(view.answer.clusters) > 0  # type: ignore[union-attr]


def test_what_does_not_fit_is_laid_out_so_that_it_does(qtbot: QtBot, world: World) -> None:
    stated(world, gpus=16, gpu_model="H100", sequence=4096, fixed=("tp", "pp", "cp", "ep", "sharding"))
    view = world.view
    assert all(one in view.memory.text() for one in ("91.8 GiB", "80 GB")) and not view.plan.isVisible()
    assert view.headline.text() == "16 \u00d7 H100: does not fit" and not view.money.isVisible()
    assert "32 GPUs" in view.remedy.text() and "57.3 GiB" in view.remedy.text()
    qtbot.mouseClick(view.use_remedy, Qt.MouseButton.LeftButton)
    assert world.project.runs[0].gpus == 32
    assert not view.memory.text().startswith("Does not fit") and not view.remedy.isVisible()


def test_runs_are_kept_side_by_side_and_dropped(qtbot: QtBot, world: World) -> None:
    stated(world)
    view = world.view
    view.runs.setCurrentIndex(1)
    view.runs.activated.emit(1)
    assert view.headline.text() == str(NOTHING_STATED)
    with qtbot.waitSignal(view.file_asked):
        choose(world, "From a file\u2026")
    assert view.model.currentText() == "Choose a model"
    choose(world, "Mixtral-8x7B")
    typed(qtbot, world, "tokens", "30B")
    assert [run.called for run in world.project.runs] == [
        "Llama-3-70B, 100B tokens",
        "Mixtral-8x7B, 30B tokens",
    ]
    assert view.runs.currentText() == "Mixtral-8x7B, 30B tokens"
    qtbot.mouseClick(view.drop, Qt.MouseButton.LeftButton)
    assert view.runs.currentText() == "Llama-3-70B, 100B tokens" and len(world.project.runs) == 1


def test_a_model_that_is_read_lands_on_the_run_that_it_was_asked_for(qtbot: QtBot, world: World) -> None:
    stated(world)
    view, (asked,) = world.view, world.project.runs
    own = replace(asked.model, name="own")
    view.runs.setCurrentIndex(1)
    view.runs.activated.emit(1)  # a new run is shown while the file is read
    view.take_model(asked, own)
    assert [run.model.name for run in world.project.runs] == ["own"]
    view.take_model(asked, asked.model)  # it is another run by now
    assert [run.model.name for run in world.project.runs] == ["own"]
    view.take_model(None, own)
    typed(qtbot, world, "tokens", "30B")
    assert [run.called for run in world.project.runs][1:] == ["own, 30B tokens"]


def test_a_layout_that_divides_no_gpus_is_said_to(qtbot: QtBot, world: World) -> None:
    stated(world)
    typed(qtbot, world, "tp", "3")
    assert world.view.headline.text() == str(UNDIVIDED)


def test_a_layout_is_searched_named_and_fixed_part_by_part(qtbot: QtBot, world: World) -> None:
    stated(world, gpus=64, gpu_model="H100")
    view = world.view
    assert view.fields["tp"].text() == "" and "Layout: TP 8, " in view.memory.text()
    assert "evaluation, restarts" in view.memory.text()
    typed(qtbot, world, "tp", "1")
    assert world.project.runs[0].fixed == ("tp",) and "TP 8" not in view.memory.text()
    typed(qtbot, world, "tp", "")
    assert world.project.runs[0].fixed == () and "Layout: TP 8, " in view.memory.text()
    view.choices["sharding"].activated.emit(1)
    assert world.project.runs[0].fixed == ("sharding",) and "FSDP" in view.memory.text()


def test_a_step_of_the_slider_works_nothing_out(world: World) -> None:
    stated(world)
    began = process_time()
    world.view.slider.setValue(0)
    world.view.slider.setValue(world.view.slider.maximum())
    assert process_time() - began < 2 * 0.06


@pytest.mark.parametrize(
    ("layout", "method", "said"),
    [
        (Layout(recompute=Recompute.FULL), Method.FULL, "FSDP, full recomputation"),
        (Layout(tp=8, pp=2, sharding=Sharding.ZERO1), Method.FULL, "TP 8, PP 2, ZeRO-1"),
        (Layout(recompute=Recompute.FULL), Method.LORA, "FSDP, full recomputation, LoRA"),
        (Layout(), Method.QLORA, "FSDP, QLoRA"),
    ],
)
def test_every_remedy_is_said(qapp: QApplication, layout: Layout, method: Method, said: str) -> None:
    run = Run(
        model=LARGE,
        chip=training_facts().chips["H100"],
        gpus=16,
        layout=layout,
        batch=16.0,
        sequence=4096,
        method=method,
    )
    fit = fit_of(run)
    words = f"Fits on 16 GPUs with {said}: {fit.memory.gib:.1f} GiB per GPU."
    assert remedy_words(fit) == words and remedy_words(None) == ""
