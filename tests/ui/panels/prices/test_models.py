"""Models that may serve others, in the panel Prices: set, changed, taken away, by keyboard too, one undo step each."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gpuplanner.app.document import Document
from gpuplanner.domain.edits.labels import mapping_label
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.ui.flows.panels.prices_flow import PricesFlow
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.panels.prices.models_view import NO_MODELS
from gpuplanner.ui.panels.prices.prices import PricesPanel
from gpuplanner.ui.state.view_state import next_view_state
from tests.ui.conftest import activate
from tests.ui.fake_app import FakeEvaluator
from tests.ui.sample_world import evaluation_of, sample_project

H200 = Offer(
    offer_id="h200-od",
    gpu_model="H200",
    pricing_category=PricingCategory.STANDARD,
    term_months=0,
    rate_usd_per_gpu_hour=Decimal("8.00"),
    provider="Vela",
)


@pytest.fixture
def make(qtbot: QtBot) -> Any:
    kept = []

    def one(*offers: Offer) -> tuple[PricesPanel, Document]:
        before = sample_project()
        both = sorted((*before.offers, *offers), key=lambda offer: offer.offer_id)
        project = replace(before, offers=tuple(both))
        document, panel = Document(project), PricesPanel()
        qtbot.addWidget(panel)
        session = Session(document, FakeEvaluator(evaluation_of))
        session.gestures.scenario = project.scenarios[0].name
        kept.append(PricesFlow(session, panel))

        def show(now: Project) -> None:
            panel.show_state(next_view_state(None, evaluation_of(now, now.scenarios[0].name)))

        document.changed.connect(show)
        panel.resize(420, 760)
        show(project)
        panel.show()
        panel.show_view("models")
        return panel, document

    return one


def chosen(panel: PricesPanel, wanted: str, offered: str, ratio: float) -> None:
    view = panel.mapped
    view.wanted.setCurrentText(wanted)
    view.offered.setCurrentText(offered)
    view.ratio.setValue(ratio)


def test_a_model_that_nobody_prices_is_asked_about_with_the_one_nearest_to_it(make: Any) -> None:
    panel, _ = make(
        H200, replace(H200, offer_id="b", gpu_model="B200"), replace(H200, offer_id="n", gpu_model="H100 NVL")
    )
    view = panel.mapped
    view.offered.setCurrentText("B200")
    view.ask("no model of this log")
    assert view.offered.currentText() == "B200"
    view.ask("H100")
    assert (view.wanted.currentText(), view.offered.currentText()) == ("H100", "H100 NVL")
    assert view.put.isEnabled() and min(view.wanted.width(), view.offered.width()) > 150


def texts(document: Document) -> list[str]:
    return [document.undo_stack.text(at) for at in range(document.undo_stack.count())]


def test_a_model_may_serve_another_at_a_ratio_another_ratio_and_not_any_more(make: Any) -> None:
    panel, document = make(H200)
    view = panel.mapped
    assert view.empty.isVisible() and not view.table.isVisible() and not view.take.isEnabled()
    chosen(panel, "H100", "H200", 1.6)
    assert "1 H200" in view.said.text() and "1.6 H100" in view.said.text()
    view.put.click()
    assert document.project.mappings == (ModelMapping("H100", "H200", 1.6),)
    assert [cell.text for cell in view.table.row_at(0).cells] == [
        "H100",
        "H200",
        "All pools",
        "1.6",
        "$8.00",
        "$5.00",
    ]
    assert not view.put.isEnabled() and view.take.isEnabled()
    view.ratio.setValue(2.0)
    assert view.put.text() == "Set ratio"
    view.put.click()
    view.take.click()
    assert document.project.mappings == ()
    assert texts(document) == [*(str(mapping_label("H100", "H200", ratio)) for ratio in (1.6, 2.0, None))]
    document.undo_stack.undo()
    assert document.project.mappings == (ModelMapping("H100", "H200", 2.0),)


def test_a_model_may_serve_one_pool_alone(make: Any) -> None:
    panel, document = make(H200)
    view = panel.mapped
    chosen(panel, "H100", "H200", 1.6)
    view.pool.setCurrentText("Inference")
    view.put.click()
    view.pool.setCurrentText("All pools")
    assert view.put.text() == "Let it serve" and not view.take.isEnabled()
    view.ratio.setValue(1.5)
    view.put.click()
    assert document.project.mappings == (
        ModelMapping("H100", "H200", 1.5),
        ModelMapping("H100", "H200", 1.6, Pool.INFERENCE),
    )
    assert texts(document) == [
        str(mapping_label("H100", "H200", 1.6, Pool.INFERENCE)),
        str(mapping_label("H100", "H200", 1.5)),
    ]


def test_the_keyboard_sets_and_takes_away(make: Any, qtbot: QtBot) -> None:
    panel, document = make(H200)
    activate(panel)
    chosen(panel, "H100", "H200", 1.6)
    view = panel.mapped
    view.ratio.setFocus()
    qtbot.keyClick(view.ratio, Qt.Key.Key_Return)
    assert document.project.mappings == (ModelMapping("H100", "H200", 1.6),)
    view.table.setFocus()
    qtbot.keyClick(view.table, Qt.Key.Key_Delete)
    assert document.project.mappings == ()


def test_what_cannot_be_is_said_and_its_button_is_off(make: Any) -> None:
    panel, document = make(H200)
    chosen(panel, "H100", "H100", 1.6)
    assert not panel.mapped.put.isEnabled()
    assert panel.mapped.said.text().startswith("H100 ") and "1.6" not in panel.mapped.said.text()
    panel.mapping_set.emit("H100", "H900", 1.6, None)
    assert panel.mapped.said.text().count("'H900'") == 1
    assert document.project.mappings == ()


def test_a_mapping_of_a_model_that_is_gone_can_be_taken_away(make: Any) -> None:
    panel, document = make(H200)
    gone = ModelMapping("V100", "H200", 3.0)
    document.edit("x", replace(document.project, mappings=(gone,)))
    assert panel.mapped.wanted.currentText() == "V100"
    panel.mapped.take.click()
    assert document.project.mappings == ()


def test_without_offers_there_is_nothing_to_map_and_it_says_what_to_do(make: Any) -> None:
    panel, document = make()
    document.edit("x", replace(document.project, offers=()))
    assert panel.mapped.said.text() == str(NO_MODELS)
    assert not panel.mapped.put.isEnabled()
