"""Prices: what is listed and in which order, every gesture one undo step, refusals said, cases and pairs worked out."""

from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from gpuplanner.app.document import Document
from gpuplanner.domain import edits
from gpuplanner.domain.commitment.uncertainty.flips import CasePlan, LayerChange
from gpuplanner.domain.edits import labels
from gpuplanner.domain.model.book.all_in_rate import all_in
from gpuplanner.domain.model.book.offer import PRICE_CASES, Offer, PriceCase
from gpuplanner.domain.model.book.offer_fields import with_value
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.files.importing.import_tables import import_prices
from gpuplanner.ui.flows.panels import prices_flow
from gpuplanner.ui.flows.panels.prices_flow import PricesFlow
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.frame.panel_docks import NARROW
from gpuplanner.ui.kit.palettes import DARK
from gpuplanner.ui.panels.prices.cases_view import case_rows, layer_rows
from gpuplanner.ui.panels.prices.compare_view import by_rate, compare_table, widest_words
from gpuplanner.ui.panels.prices.history_view import lines_of
from gpuplanner.ui.panels.prices.offer_rows import Shelf, badge_of, hidden_words, listed_offers, sold_as_words
from gpuplanner.ui.panels.prices.prices import PricesPanel
from gpuplanner.ui.state.headline_figures import figures_of
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.conftest import activate
from tests.ui.fake_app import FakeEvaluator, recoloured
from tests.ui.sample_world import evaluation_of, sample_project
from tests.ui.visible_texts import appear_in_order

TODAY_S = 1_791_936_000  # 2026-10-14T08:00:00Z

OFFERS = (
    Offer(
        offer_id="aws-od",
        gpu_model="H100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=Decimal("6.88"),
        provider="AWS",
        as_of="2026-09-20",
    ),
    Offer(
        offer_id="aws-12",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        rate_usd_per_gpu_hour=None,
        provider="AWS",
    ),
    Offer(
        offer_id="bm-12",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        rate_usd_per_gpu_hour=Decimal("2.75"),
        provider="Vela",
        rate_low=Decimal("2.00"),
        rate_high=Decimal("3.50"),
        as_of="2026-05-01",
    ),
    Offer(
        offer_id="bm-36",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=36,
        rate_usd_per_gpu_hour=Decimal("2.00"),
        provider="Vela",
        as_of="2026-09-20",
    ),
    Offer(
        offer_id="old-12",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        rate_usd_per_gpu_hour=Decimal("3.00"),
        provider="Orrin",
    ),
    Offer(
        offer_id="a100-od",
        gpu_model="A100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=Decimal("2.90"),
        provider="Orrin",
        as_of="2026-09-20",
    ),
)


@cache  # a project that is the same was evaluated already
def booked() -> Project:
    return replace(sample_project(), offers=tuple(sorted(OFFERS, key=lambda offer: offer.offer_id)))


@pytest.fixture
def made(qtbot: QtBot) -> Any:
    project = booked()
    document = Document(project)
    panel = PricesPanel()
    qtbot.addWidget(panel)
    scenario = project.scenarios[0].name
    session = Session(document, FakeEvaluator(evaluation_of), now_s=TODAY_S)
    session.gestures.scenario = scenario
    flow = PricesFlow(session, panel)

    def show(now: Project) -> None:
        panel.show_state(next_view_state(None, evaluation_of(now, scenario)))

    document.changed.connect(show)
    panel.resize(420, 760)
    show(project)
    panel.show()
    activate(panel)
    yield SimpleNamespace(panel=panel, document=document, flow=flow, session=session)
    panel.price_cases.close()


def offer_named(made: Any, offer_id: str) -> Offer:
    return next(offer for offer in made.document.project.offers if offer.offer_id == offer_id)


def ids(offers: list[Offer]) -> list[str]:
    return [offer.offer_id for offer in offers]


def test_a_shelf_holds_its_model_and_kind() -> None:
    assert sorted(ids(listed_offers(OFFERS, Shelf()))) == sorted(ids(list(OFFERS)))
    assert ids(listed_offers(OFFERS, Shelf("A100"))) == ["a100-od"]
    assert ids(listed_offers(OFFERS, Shelf("H100", PricingCategory.STANDARD))) == ["aws-od"]
    assert ids(listed_offers(OFFERS, Shelf("H100")))[:4] == ["aws-od", "aws-12", "bm-12", "old-12"]


def test_what_is_wrong_with_a_price_is_said() -> None:
    window = booked().window
    badges = {offer.offer_id: badge_of(offer, window) for offer in OFFERS}
    assert badges["aws-12"][0] == "price"
    assert "Not free" in badges["aws-12"][2]
    assert badges["bm-12"][0] == "clock"
    assert "over 90 days" in badges["bm-12"][2]
    assert "No price date" in badges["old-12"][2]
    assert badges["bm-36"] == ("", "", "")
    short = replace(OFFERS[3], min_term_months=48)
    assert "48 months" in badge_of(short, window).words


def test_up_to_is_said_with_both_offers_and_both_rates() -> None:
    said = widest_words([one for one in OFFERS if one.gpu_model == "H100"], "H100")
    widest, alike = said.index("70.9%"), said.index("8.3%")  # of all, and like for like
    assert appear_in_order(said[widest:alike], "bm-36", "$2.00", "aws-od", "$6.88")
    assert appear_in_order(said[alike:], "bm-12", "$2.75", "old-12", "$3.00")
    assert not any(sign in widest_words(OFFERS[-1:], "A100") for sign in "%$")


def test_the_comparison_is_with_the_chosen_offer_dearest_first() -> None:
    of_model = [offer for offer in OFFERS if offer.gpu_model == "H100"]
    rows = compare_table(by_rate(of_model), OFFERS[2], booked().window)[1]
    assert [row.key for row in rows] == ["aws-od", "old-12", "bm-12", "bm-36", "aws-12"]
    below = {row.key: row.cells[-1].text for row in rows}
    assert below["bm-36"] == "27.3%"
    assert below["bm-12"] == "chosen"
    assert below["aws-12"] == "\u2014"
    assert below["aws-od"].startswith("\u2212150.2")


def test_the_comparison_is_all_in() -> None:
    """3.00 + 2 GB x 0.09 = 3.18 is above 3.10, though its bare rate is below."""
    bare = replace(OFFERS[0], offer_id="bare", rate_usd_per_gpu_hour=Decimal("3.10"))
    sends = replace(
        bare, offer_id="sends", rate_usd_per_gpu_hour=Decimal(3), egress_usd_per_gb=Decimal("0.09"), sent_gb=2
    )
    quoted = replace(bare, offer_id="quoted", rate_usd_per_gpu_hour=None)
    columns, rows = compare_table(by_rate([quoted, bare, sends]), bare, booked().window)
    assert [row.key for row in rows] == ["sends", "bare", "quoted"]
    assert sum("GPU-h" in str(column.title) for column in columns) == 1
    assert rows[0].cells[-1].text.startswith("\u22122.6")
    assert appear_in_order(str(rows[0].cells[-1].tip), "sends", "$3.18", "2.6%", "above", "bare", "$3.10")
    assert appear_in_order(widest_words([bare, sends], "H100"), "2.5%", "bare", "$3.10", "sends", "$3.18")


def test_the_hidden_costs_of_others_stand_beside_and_are_not_added() -> None:
    said = hidden_words(OFFERS[1 + 1])
    assert "$3.30 to $3.85" in said and "20 to 40%" in said
    assert all_in(OFFERS[1 + 1]).total == pytest.approx(2.75)
    assert hidden_words(OFFERS[1]) == ""


def type_into(editor: QLineEdit | QComboBox, text: str) -> None:
    assert isinstance(editor, QLineEdit)
    editor.setText(text)
    editor.setModified(True)
    editor.editingFinished.emit()


def test_each_field_is_one_step_of_undo_and_undo_is_exact(made: Any) -> None:
    panel, stack = made.panel, made.document.undo_stack
    before = made.document.project
    panel.choose("bm-12")
    type_into(panel.detail.editors["rate_usd_per_gpu_hour"], "$2.80")
    type_into(panel.detail.editors["max_gpus"], "128")
    assert offer_named(made, "bm-12").rate_usd_per_gpu_hour == Decimal("2.80")
    assert offer_named(made, "bm-12").max_gpus == 128
    assert stack.undoText() == str(labels.offer_label("bm-12", "max_gpus", 128))
    assert stack.count() == 2
    type_into(panel.detail.editors["max_gpus"], "128")
    assert stack.count() == 2  # nothing changed
    stack.undo()
    stack.undo()
    assert made.document.project is before
    assert panel.detail.editors["rate_usd_per_gpu_hour"].text() == "2.75"


def test_what_cannot_be_is_said_and_what_holds_is_shown_again(made: Any) -> None:
    panel = made.panel
    panel.choose("bm-12")
    for field, typed, said in (
        ("rate_usd_per_gpu_hour", "2,80", "not a number"),
        ("rate_usd_per_gpu_hour", "9", "low / mid / high would be 2.00 / 9 / 3.50"),
        ("as_of", "May", "is not allowed"),
        ("offer_id", "bm-36", "an offer has this id"),
    ):
        type_into(panel.detail.editors[field], typed)
        assert said in panel.detail.error.text()
        assert panel.detail.error.isVisible()
        held = getattr(offer_named(made, "bm-12"), field)
        assert panel.detail.editors[field].text() == str(held)
    assert made.document.undo_stack.count() == 0
    panel.choose("bm-36")
    assert not panel.detail.error.isVisible()


def test_a_gpu_model_that_nothing_has_is_asked_about_first(
    made: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(parent: object, title: str, text: str, answers: tuple[object, ...]) -> object:
        asked.append(title)
        return answers[len(asked) - 1]

    monkeypatch.setattr(prices_flow, "ask", answer)
    offer_id, held = OFFERS[0].offer_id, OFFERS[0].gpu_model
    for typed, found in (("X900", held), ("B300", "B300"), ("X900", "X900"), (held.lower(), held)):
        made.panel.field_set.emit(offer_id, "gpu_model", typed)
        assert offer_named(made, offer_id).gpu_model == found
    assert asked == ["X900 is a new GPU model"] * 2


@pytest.mark.long
def test_offers_are_added_duplicated_renamed_and_removed(made: Any) -> None:
    panel = made.panel
    panel.choose("bm-12")
    panel.buttons["duplicate"].click()
    assert panel.detail.editors["offer_id"].text() == "bm-12 copy"
    type_into(panel.detail.editors["offer_id"], "bm-12 negotiated")
    assert panel.detail.editors["offer_id"].text() == "bm-12 negotiated"
    panel.models.setCurrentText("A100")
    panel.models.activated.emit(panel.models.currentIndex())
    panel.buttons["add"].click()
    added = offer_named(made, "new offer")
    assert (added.gpu_model, added.rate) == ("A100", None)
    panel.buttons["remove"].click()
    assert made.document.undo_stack.undoText() == str(labels.offers_label("Remove", "new offer"))
    panel.choose("bm-12 negotiated")  # the filter lets go of it
    assert panel.models.currentIndex() == 0
    panel.table.setFocus()
    QtBot.keyClick(panel.table, Qt.Key.Key_Delete)
    assert {offer.offer_id for offer in made.document.project.offers} == {offer.offer_id for offer in OFFERS}
    for _ in range(5):
        made.document.undo_stack.undo()
    assert made.document.project.offers == booked().offers


def test_category_and_term_go_together(made: Any) -> None:
    panel = made.panel
    panel.choose("bm-12")
    kinds = panel.detail.editors["pricing_category"]
    kinds.activated.emit(kinds.findText("On demand"))
    assert offer_named(made, "bm-12").term_months == 0
    assert not panel.detail.editors["term_months"].isEnabled()


def test_an_owned_offer_has_fields_of_its_own_and_the_rate_that_follows(made: Any) -> None:
    panel = made.panel
    panel.choose("bm-12")
    editors = panel.detail.editors
    assert not editors["capex_usd_per_gpu"].isVisibleTo(panel)
    kinds = editors["pricing_category"]
    kinds.activated.emit(kinds.findText("Owned"))
    assert editors["capex_usd_per_gpu"].isVisibleTo(panel)
    assert not editors["rate_usd_per_gpu_hour"].isEnabled()
    assert offer_named(made, "bm-12").rate is None
    assert badge_of(offer_named(made, "bm-12"), made.document.project.window).icon == "price"
    for name, text in (("capex_usd_per_gpu", "$38,000"), ("life_months", "48"), ("residual_share", "0.15")):
        type_into(editors[name], text)
    made.document.edit(
        "cost of capital", edits.plans.set_assumption(made.document.project, None, "wacc", 0.0)
    )
    offer = offer_named(made, "bm-12")
    assert (offer.term_months, str(sold_as_words(offer))) == (48, "48 months, owned")
    assert offer.rate == pytest.approx(38_000 * 0.85 / 48 / 730)
    assert editors["rate_usd_per_gpu_hour"].text().startswith("0.92180365296")
    type_into(editors["life_months"], "0")
    assert panel.detail.error.isVisible()
    with pytest.raises(PlannerError):
        with_value(offer, "rate_usd_per_gpu_hour", Decimal(1))


def test_egress_counts_in_all_in_once_somebody_says_how_much(made: Any) -> None:
    panel = made.panel
    panel.choose("bm-12")
    assert [column.title for column in panel.table.columns][-1].startswith("Rate")
    assert "only the rate" in panel.detail.all_in.text()
    type_into(panel.detail.editors["egress_usd_per_gb"], "0.09")
    type_into(panel.detail.egress, "5")
    assert made.document.project.assumptions.egress_gb_per_gpu_hour == 5
    assert panel.detail.all_in.text() == "$2.75 + Egress $0.4500 = $3.20 per GPU-hour."
    assert [column.title for column in panel.table.columns][-1].startswith("All in")
    type_into(panel.detail.egress, "lots")
    assert "not a number" in panel.detail.error.text()
    type_into(panel.detail.egress, "")
    assert made.document.project.assumptions.egress_gb_per_gpu_hour is None


def test_all_in_counts_the_egress_of_the_plan_that_is_shown(made: Any) -> None:
    """A plan may state its own GB a GPU-hour, and what is typed then is of the plan."""
    panel, plan = made.panel, made.document.project.scenarios[0].name
    panel.choose("bm-12")
    type_into(panel.detail.editors["egress_usd_per_gb"], "0.09")
    project = edits.plans.set_assumption(made.document.project, plan, "egress_gb_per_gpu_hour", 5.0)
    made.document.edit("GB a GPU-hour", project)
    assert panel.detail.all_in.text() == "$2.75 + Egress $0.4500 = $3.20 per GPU-hour."
    type_into(panel.detail.egress, "10")
    assert (
        made.document.project.assumptions_in(made.document.project.scenario(plan)).egress_gb_per_gpu_hour
        == 10
    )
    assert made.document.project.assumptions.egress_gb_per_gpu_hour is None
    assert "= $3.65 per GPU-hour." in panel.detail.all_in.text()


@pytest.mark.parametrize(("width", "headings"), [(420, "Offer Term Rate"), (620, "Offer Term Low Rate High")])
def test_low_and_high_stand_where_names_keep_their_room(made: Any, width: int, headings: str) -> None:
    made.panel.resize(width, 760)
    titles = [column.title.split("\n")[0] for column in made.panel.table.columns]
    assert " ".join(titles) == headings
    assert made.panel.table.model().columnCount() == len(titles)


def test_a_low_panel_shows_the_list_or_the_offer(made: Any) -> None:
    panel = made.panel
    panel.resize(420, 300)
    assert not panel.detail.isVisible()
    panel.table.setFocus()
    QtBot.keyClick(panel.table, Qt.Key.Key_Return)
    assert panel.detail.isVisible()
    assert not panel.table.isVisible()
    panel.detail.back.click()
    assert panel.table.isVisible()
    place = panel.table.visualRect(panel.table.model().index(1, 0)).center()
    QtBot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not panel.detail.isVisible(), "a click chooses the offer"
    QtBot.mouseDClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert panel.detail.isVisible() and not panel.table.isVisible()
    panel.detail.back.click()
    menu = panel.table.habits.menu(panel.table.model().index(1, 0))
    next(action for action in menu.actions() if action.text() == "Open").trigger()
    assert panel.detail.isVisible()


def test_a_term_in_days_is_said_in_days() -> None:
    block = replace(OFFERS[3], term_days=182, term_months=6)
    assert sold_as_words(block) == "182 days"
    assert sold_as_words(replace(block, term_days=None)) == "6 months"


def test_a_wide_panel_has_a_column_for_every_fact(made: Any) -> None:
    made.panel.resize(1400, 760)
    headings = " ".join(column.title for column in made.panel.table.columns)
    for word in ("All in", "Egress", "Provider", "Region", "Hardware", "Source", "As of", "Lead"):
        assert word in headings


def test_the_book_is_saved_as_it_stands(made: Any, tmp_path: Path) -> None:
    made.flow.export_to(tmp_path / "prices.csv")
    assert import_prices([str(tmp_path / "prices.csv")]).offers == made.document.project.offers


@pytest.mark.long
def test_a_rate_that_is_typed_is_of_today_and_the_one_before_stays_in_the_history(
    made: Any, tmp_path: Path
) -> None:
    panel = made.panel
    panel.field_set.emit("bm-12", "rate_usd_per_gpu_hour", Decimal("2.50"))
    assert (offer_named(made, "bm-12").rate, offer_named(made, "bm-12").as_of) == (2.50, "2026-10-14")
    panel.choose("bm-12")
    panel.show_view("history")
    rows = [
        [cell.text for cell in row.cells][:2]
        for row in map(panel.history.table.row_at, range(panel.history.table.model().rowCount()))
    ]
    assert rows == [["14 Oct 2026", "$2.50"], ["1 May 2026", "$2.75"]]
    made.flow.export_to(tmp_path / "prices.csv")
    read = import_prices([str(tmp_path / "prices.csv")])
    assert (read.offers, read.earlier_offers) == (
        made.document.project.offers,
        made.document.project.earlier_offers,
    )
    made.document.undo_stack.undo()
    assert made.document.project.earlier_offers == ()
    assert offer_named(made, "bm-12").as_of == "2026-05-01"


def test_a_history_is_drawn_and_proposes_a_fall_that_counts_when_it_is_chosen(made: Any) -> None:
    panel = made.panel
    panel.choose("aws-od")
    panel.show_view("history")
    lines, months = lines_of(panel.history.own_prices, panel.history.public)
    assert [name for name, _ in lines] == ["This offer", "Hyperscalers"]
    assert all(len(rates) == len(months) for _, rates in lines)
    assert dict(lines)["This offer"][-1] == 6.88
    assert panel.history.chart.plot.isVisible()
    assert (
        panel.history.unit.text() == "$ per GPU-hour" and "prices fell" in panel.history.falls[0].words.text()
    )
    panel.history.chart.plot.resize(300, 160)
    first, second, *_ = panel.history.chart.plot.find_months(0, len(months) - 1)
    assert second[0] - first[0] > len(months) // 5  # fewer names than five where they would touch
    before = made.document.project.assumptions.delta
    (use, *_) = [
        button
        for button in panel.history.findChildren(QPushButton)
        if button.text().startswith("Use a fall of 0.3%")
    ]
    assert made.document.project.assumptions.delta == before  # never by itself
    use.click()
    plan = made.document.project.scenario(made.session.scenario)
    assert made.document.project.assumptions_in(plan).delta == 0.003
    made.document.undo_stack.undo()
    plan = made.document.project.scenario(made.session.scenario)
    assert made.document.project.assumptions_in(plan).delta == before


def test_an_offer_without_any_history_says_so(made: Any) -> None:
    panel = made.panel
    panel.choose("old-12")  # no date, and neoclouds' rates of its model for 12 months are there
    panel.show_view("history")
    assert not panel.history.table.isVisible()
    assert "neoclouds" in panel.history.note.text()
    recoloured(panel, DARK)
    assert panel.history.chart.plot.isVisible()


CASES = tuple(
    CasePlan(
        case=case,
        plan_usd_per_month=usd,
        do_nothing_usd_per_month=90.0,
        savings_vs_do_nothing_usd_per_month=90.0 - usd,
        priced_offers=5,
        at_mid=0 if case is PriceCase.MID else 4,
        changed_layers=()
        if case is PriceCase.MID
        else (LayerChange(pool=Pool.INFERENCE, gpu_model="H100", term_months=12, gpus_mid=8.0, gpus=gpus),),
    )
    for case, usd, gpus in zip(PRICE_CASES, (50.0, 60.0, 70.0), (12.0, 8.0, 2.0), strict=True)
)


def test_the_cases_stand_beside_each_other() -> None:
    money = [[cell.text for cell in row.cells] for row in case_rows(CASES)]
    assert money[0] == ["Plan", "50", "60", "70"]
    assert money[3][1:] == ["4 of 5", "0 of 5", "4 of 5"]
    (layer,) = layer_rows(CASES)
    assert [cell.text for cell in layer.cells][1:] == ["12", "8", "2"]
    assert "12 months" in layer.cells[0].text


@pytest.mark.long
def test_a_case_is_chosen_in_one_click_and_the_headline_says_so(made: Any, qtbot: QtBot) -> None:
    panel = made.panel
    with qtbot.waitSignal(panel.price_cases.answered):
        panel.show_view("cases")
    assert panel.cases.money.model().rowCount() == 4
    panel.cases.buttons[PriceCase.LOW].click()
    plan = made.document.project.scenario(made.session.scenario)
    assert plan.price_case is PriceCase.LOW
    assert made.document.undo_stack.undoText() == str(labels.price_case_label(PriceCase.LOW))
    assert "low rates" in panel.cases.said.text()
    shown = next_view_state(None, evaluation_of(made.document.project, made.session.scenario))
    spend = next(figure for figure in figures_of(shown) if figure.figure_id == "spend")
    assert any("Low rates" in words for words in spend.second)
    recoloured(panel, DARK)


@pytest.mark.long
def test_today_has_no_case_to_choose(made: Any) -> None:
    made.panel.show_view("cases")
    made.panel.show_state(next_view_state(None, evaluation_of(made.document.project, "Today")))
    assert not any(button.isEnabled() for button in made.panel.cases.buttons.values())


@pytest.mark.long
def test_without_prices_the_panel_says_what_to_do(made: Any) -> None:
    made.document.edit("none", replace(made.document.project, offers=()))
    assert made.panel.empty.isVisible()
    assert not made.panel.detail.isVisible()
    assert not made.panel.exporter.isEnabled()


@pytest.mark.long
def test_the_comparison_follows_the_choice_also_to_one_that_needs_a_quote(made: Any) -> None:
    panel = made.panel
    panel.show_view("compare")
    panel.compare.models.setCurrentText("H100")
    panel.compare.models.activated.emit(panel.compare.models.currentIndex())
    table = panel.compare.table
    assert table.currentIndex().row() == 0  # beside the dearest at first
    for row in range(1, 5):
        table.setCurrentIndex(table.model().index(row, 0))
        texts = [table.row_at(at).cells[-1].text for at in range(5)]
        assert texts[row] == "chosen"
        assert table.currentIndex().row() == row
    assert set(texts[:4]) == {"\u2014"}  # nothing is so far below a rate that nobody named


@pytest.mark.long
def test_in_the_window_every_gesture_is_an_edit_of_the_document(qtbot: QtBot) -> None:
    document = Document(booked())
    window = MainWindow(document, FakeEvaluator(evaluation_of))
    qtbot.addWidget(window)
    window.show_project(document.project)
    panel = window.docks.prices
    panel.field_set.emit("bm-36", "max_gpus", 64)
    panel.case_chosen.emit(PriceCase.HIGH)
    panel.duplicate_asked.emit("bm-36")
    steps = [document.undo_stack.text(at) for at in range(document.undo_stack.count())]
    assert steps == [
        str(labels.offer_label("bm-36", "max_gpus", 64)),
        str(labels.price_case_label(PriceCase.HIGH)),
        str(labels.offers_label("Duplicate", "bm-36")),
    ]
    with qtbot.waitSignal(window.session.asks.import_asked):
        panel.importer.click()
    with qtbot.waitSignal(window.session.asks.public_prices_asked):
        panel.empty.linkActivated.emit("#")
    window.choose_scenario("Today")
    panel.case_chosen.emit(PriceCase.LOW)  # the past has no case
    assert document.undo_stack.count() == 3
    panel.price_cases.close()


@pytest.mark.long
def test_the_panel_is_no_wider_than_the_narrow_dock(made: Any) -> None:
    for view in made.panel.tabs:
        made.panel.show_view(view)
        assert made.panel.minimumSizeHint().width() <= NARROW, view
    made.panel.price_cases.close()
    made.panel.providers_alone.close()
    made.panel.worths.close()
