"""The panel Inference: what is missing, what was sized, a row looked at and kept, words that say what is unknown."""

from dataclasses import replace
from decimal import Decimal

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpuplanner.domain import edits
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.sized_endpoints import size_endpoint
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.places import MeasuredPoint, ServedModel, WeekRates, rates_of
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.reports.serving_words import advice
from gpuplanner.files.system.resources import read_served_models, read_serving_tables
from gpuplanner.ui.kit.palettes import DARK
from gpuplanner.ui.panels.places.endpoint_choice import NO_ENDPOINT
from gpuplanner.ui.panels.places.inference import NOTHING_YET, InferencePanel
from gpuplanner.ui.panels.places.inference_rows import (
    held_rows,
    load_words,
    precision_rows,
    size_rows_of,
    sorted_costs,
)
from gpuplanner.ui.state.view_state import next_view_state
from tests.ui.fake_app import recoloured
from tests.ui.panels.rows_seen import ROWS, rows_seen
from tests.ui.sample_world import evaluation_of, sample_project

MODELS = read_served_models()
LARGE = next(model for model in MODELS if model.name == "Llama 3.1 70B")
WEEK = WeekRates(tuple(10.0 + 30 * (hour % 24 > 7) for hour in range(168)), "week.csv")
OFFERS = (
    Offer(
        offer_id="h-36",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=36,
        rate_usd_per_gpu_hour=Decimal("2.00"),
    ),
    Offer(
        offer_id="h-od",
        gpu_model="H100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=Decimal("6.88"),
    ),
)


def endpoint_of(project: Project) -> str:
    """The dearest inference workload of the sample."""
    audit = evaluation_of(project, project.scenarios[0].name).audit
    rows = [row for row in audit.workloads if row.classification.pool is Pool.INFERENCE]
    return max(rows, key=lambda row: row.usd_per_month or 0).key


def chosen() -> tuple[Project, str]:
    project = replace(sample_project(), offers=OFFERS)
    key = endpoint_of(project)
    return edits.endpoints.set_week(edits.endpoints.set_served_model(project, key, LARGE), key, WEEK), key


def sizing_of(project: Project, key: str) -> EndpointSizing:
    sizing = size_endpoint(project, key, project.assumptions, project.offers, read_serving_tables())
    assert sizing is not None
    return sizing


@pytest.fixture
def panel(qtbot: QtBot, qapp: QApplication) -> InferencePanel:
    made = InferencePanel()
    made.set_models(MODELS)
    qtbot.addWidget(made)
    made.resize(432, 900)
    made.show()
    return made


def show(panel: InferencePanel, project: Project) -> None:
    panel.show_state(next_view_state(None, evaluation_of(project, project.scenarios[0].name)))


def test_nothing_sized_says_what_to_do(panel: InferencePanel) -> None:
    project, key = sample_project(), endpoint_of(sample_project())
    asked: list[str] = []
    panel.size_asked.connect(asked.append)
    show(panel, project)
    panel.show_sizing(key, None)
    assert panel.headline.text() == str(NOTHING_YET)
    assert "Choose the model" in panel.today.text() and panel.load.text() == "None read yet."
    assert not panel.table.isVisible()
    assert asked == [key] and panel.key == key  # the dearest endpoint of the log
    assert panel.endpoint.itemText(panel.endpoint.count() - 1) == str(NO_ENDPOINT)


def test_the_model_that_the_name_of_an_endpoint_suggests_is_one_click_away(panel: InferencePanel) -> None:
    project, key = sample_project(), endpoint_of(sample_project())
    chosen_models: list[object] = []
    panel.model_chosen.connect(lambda key, model: chosen_models.append((key, model)))
    show(panel, project)
    panel.show_sizing(key, None)
    assert not panel.take.isVisible()
    panel.endpoint.setItemText(panel.endpoint.currentIndex(), "vllm-llama-3.1-70b")
    panel.show_sizing(key, None)
    assert panel.take.isVisible() and panel.take.text() == "Use Llama 3.1 70B"
    panel.take.click()
    assert chosen_models == [(key, LARGE)]


def test_what_was_sized_is_drawn(panel: InferencePanel) -> None:
    project, key = chosen()
    show(panel, project)
    sizing = sizing_of(project, key)
    panel.show_sizing(key, sizing)
    assert sizing.drawn is sizing.best
    assert panel.model.currentText() == "Llama 3.1 70B"
    said = panel.headline.text()
    assert all(part in said for part in ("28 \u00d7 H100 in 7 replicas, BF16: ", "$140,627 ", "of which $"))
    assert panel.table.row_at(0).key.startswith("H100\tBF16\t")
    assert panel.today.text()
    assert not panel.keep.isHidden() and panel.keep.isEnabled()
    recoloured(panel, DARK)
    panel.grab()


def test_nothing_of_it_is_cut_in_the_narrowest_dock(panel: InferencePanel) -> None:
    """At 1280 pixels a dock is 406 wide; nothing scrolls sideways there."""
    project, key = chosen()
    panel.resize(406, 900)
    show(panel, project)
    panel.show_sizing(key, sizing_of(project, key))
    QApplication.processEvents()
    area = panel.scroll_area
    assert area.widget().minimumSizeHint().width() <= area.viewport().width()


def test_a_wide_panel_has_its_tables_beside_the_chart(panel: InferencePanel) -> None:
    project, key = chosen()
    panel.resize(1440, 680)  # what a maximised panel has at 1440 x 900
    show(panel, project)
    panel.show_sizing(key, sizing_of(project, key))
    QApplication.processEvents()
    assert panel.table.model().rowCount() > ROWS
    assert rows_seen(panel.table) >= ROWS and rows_seen(panel.beside) == rows_seen(panel.held) + 1 == 5
    panel.resize(432, 680)
    QApplication.processEvents()
    assert panel.table.mapTo(panel, QPoint()).x() == panel.held.mapTo(panel, QPoint()).x()


def test_a_row_is_looked_at_and_then_kept(panel: InferencePanel) -> None:
    project, key = chosen()
    show(panel, project)
    panel.show_sizing(key, sizing_of(project, key))
    kept: list[tuple[str, str, str, int]] = []
    panel.row_chosen.connect(lambda *row: kept.append(row))
    panel.table.selectRow(1)
    wanted = panel.table.row_at(1).key.split("\t")
    assert panel.beside_title.text() == f"{wanted[2]} \u00d7 {wanted[0]} in other precisions"
    panel.beside.row_opened.emit(panel.beside.row_at(3).key)  # INT4
    assert panel.precision.currentText() == "INT4"
    panel.keep.click()
    assert kept == [(key, wanted[0], "INT4", int(wanted[2]))]
    after = edits.endpoints.set_sized_row(project, *kept[0])
    show(panel, after)
    panel.show_sizing(key, sizing_of(after, key))
    assert not panel.keep.isEnabled() and "kept" in panel.keep.toolTip()


def test_models_and_files_are_asked_for(panel: InferencePanel) -> None:
    project, key = chosen()
    show(panel, project)
    said: list[object] = []
    panel.model_chosen.connect(lambda of, model: said.append((of, model)))
    panel.model_file_asked.connect(said.append)
    panel.traffic_file_asked.connect(said.append)
    for text in ("Mistral 7B", "Choose a model", "From a file\u2026"):
        panel.model.setCurrentText(text)
        panel.model.activated.emit(panel.model.findText(text))
    panel.read.click()
    mistral = next(model for model in MODELS if model.name == "Mistral 7B")
    assert said == [(key, mistral), (key, None), key, key]
    assert panel.model.currentText() == "Llama 3.1 70B"  # until a file was read


def test_measurements_ratios_and_planning_are_asked_for(panel: InferencePanel) -> None:
    project, key = chosen()
    project = edits.plans.set_assumption(project, None, "serving_api_usd_in", 0.5)
    project = edits.plans.set_assumption(project, None, "serving_api_usd_out", 2.0)
    show(panel, project)
    assert "own.json" not in panel.measured.text() and not panel.forget.isVisible()
    point = MeasuredPoint(
        model=LARGE.name,
        gpu_model="H100",
        tensor_parallel=4,
        precision="BF16",
        concurrency=64,
        input_tokens=1000,
        output_tokens=250,
        tokens_per_s=2_000.0,
        source="own.json",
    )
    project = edits.endpoints.set_measured(project, key, (point,))
    show(panel, project)
    sizing = sizing_of(project, key)
    panel.show_sizing(key, sizing)
    assert panel.measured.text() == "1 run of own.json" and panel.forget.isVisible()
    assert "$0.50" in panel.weighed.text() and "$2.00" in panel.weighed.text()
    rows = range(panel.ratios.model().rowCount())
    assert [panel.ratios.row_at(row).key for row in rows] == [one.gpu_model for one in sizing.ratios] != []
    said: list[object] = []
    panel.measured_file_asked.connect(said.append)
    panel.measured_dropped.connect(said.append)
    panel.mapping_chosen.connect(lambda *found: said.append(found))
    panel.plan_asked.connect(lambda of, works: said.append((of, works)))
    for button in (panel.measure, panel.forget, panel.map, panel.plan):
        button.click()
    assert said[:2] == [key, key]
    first = sizing.ratios[0]
    assert said[2] == (first.against, first.gpu_model, round(first.ratio, 3))
    of, works = said[3]
    assert of == key and sum(work.gpus for work in works) == sizing.drawn.gpus_peak


def test_what_is_no_language_model_is_sized_by_stated_requests(panel: InferencePanel) -> None:
    project, key = chosen()
    offers = (
        Offer(
            offer_id="l4",
            gpu_model="L4",
            pricing_category=PricingCategory.STANDARD,
            term_months=0,
            rate_usd_per_gpu_hour=Decimal("0.8048"),
        ),
    )
    peak = WeekRates((5_000.0,) * 168, "week.csv")
    project = edits.endpoints.set_week(
        edits.endpoints.set_rates(replace(project, offers=offers), key, rates_of("L4=1200")), key, peak
    )
    said: list[object] = []
    panel.rates_asked.connect(said.append)
    show(panel, project)
    panel.show_sizing(key, sizing_of(project, key))
    assert "5 \u00d7 L4" in panel.headline.text() and "$2,938 per month" in panel.headline.text()
    assert "L4 1,200" in panel.model.toolTip() and not panel.precision.isVisible()
    panel.model.activated.emit(panel.model.currentIndex())
    assert said == [key]
    assert edits.endpoints.set_served_model(project, key, LARGE).serving[key].rates == ()
    for text in ("L4", "L4=0", "=5", "L4=x"):
        with pytest.raises(PlannerError, match="write L4=1200"):
            rates_of(text)


def test_the_target_is_tried_while_it_is_dragged_and_then_set(panel: InferencePanel) -> None:
    project, key = chosen()
    show(panel, project)
    panel.show_sizing(key, sizing_of(project, key))
    assert "ms" not in panel.target_words.text() and panel.target.value() == panel.target.maximum()
    said: list[object] = []
    panel.target_moved.connect(lambda of, ms: said.append((of, ms)))
    panel.target_set.connect(said.append)
    panel.target.setSliderDown(True)
    panel.target.setValue(30)
    panel.show_sizing(key, sizing_of(project, key))  # an answer meanwhile leaves it where it is
    panel.target.setSliderDown(False)
    assert said == [(key, 38.0), 38.0] and "38 ms" in panel.target_words.text()
    project = edits.plans.set_assumption(project, None, "serving_tpot_p95_ms", 50.0)
    panel.show_sizing(key, sizing_of(project, key))
    assert said == [(key, 38.0), 38.0] and "50 ms" in panel.target_words.text()


def test_an_answer_about_another_endpoint_is_not_shown(panel: InferencePanel) -> None:
    project, key = chosen()
    show(panel, project)
    panel.show_sizing("somebody else", sizing_of(project, key))
    assert panel.headline.text() == str(NOTHING_YET)


def test_a_model_from_a_file_stands_in_the_list(panel: InferencePanel) -> None:
    project, key = chosen()
    own = ServedModel(
        name="own", parameters=1_000_000_000, layers=10, kv_heads=2, head_dim=64, source="own.json"
    )
    project = edits.endpoints.set_served_model(project, key, own)
    show(panel, project)
    panel.show_sizing(key, sizing_of(project, key))
    assert panel.model.currentText() == "own" and "own.json" in panel.model.toolTip()


def test_rows_say_what_fits_and_what_is_unknown() -> None:
    project, key = chosen()
    sizing = sizing_of(project, key)
    costs = sorted_costs(sizing.costs, "BF16")
    assert [cost.row.fits for cost in costs] == sorted((cost.row.fits for cost in costs), reverse=True)
    rows = {row.key: row for row in size_rows_of(costs)}
    lacking = rows["H100\tBF16\t1"].cells
    assert lacking[0].icon == "octagon" and "exceed" in str(lacking[0].tip)
    assert [cell.text for cell in lacking[1:]] == ["does not fit", *["\u2014"] * 3]
    (unknown,) = (
        row for row in size_rows_of(sorted_costs(sizing.costs, "INT8")) if row.key == "B300\tINT8\t1"
    )
    assert [cell.text for cell in unknown.cells[1:]] == ["\u2014"] * 4
    assert "TFLOP/s" in str(unknown.cells[2].tip) and "add prices" in str(unknown.cells[4].tip)
    assert sizing.best is not None
    said = "\n".join(map(str, advice(sizing, sizing.best)))
    row = sizing.best.row
    assert f"network {row.way_ms:.1f} (" in said
    assert f"queue {row.wait_ms:.1f}, prefill {row.prefill_ms:.1f}" in said
    assert "Runner-up: " in said and " more per month: " in said
    assert f"{sizing.best.row.replicas_peak} fixed" in said
    flat, scaled, leak, rented = held_rows(sizing.best)
    amounts = [int(str(row.cells[2].text).replace(",", "")) for row in (flat, scaled, leak)]
    assert abs(amounts[0] - amounts[1] - amounts[2]) <= 1
    assert leak.is_total and "$6.88, on demand" in str(rented.cells[0].text)
    assert [row.cells[0].text for row in precision_rows(sizing, sizing.best)] == [
        "BF16",
        "FP8",
        "INT8",
        "INT4",
        "FP4",
    ]
    assert "assumed" in load_words(sizing.load) and "week.csv" in load_words(sizing.load)
