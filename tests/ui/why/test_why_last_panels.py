"""Figures of Checks, Hardware fit, Inference, Placement and the price cases have answers that arrive at them."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from gpuplanner.app.document import Document
from gpuplanner.app.past.audit_answers import ANSWERS as OF_AUDIT
from gpuplanner.domain.commitment.uncertainty.flips import price_sensitivity
from gpuplanner.domain.evaluation import evaluate, fit_project
from gpuplanner.domain.evidence.audit_evidence import evidence_of
from gpuplanner.domain.evidence.serving import OF_SIZING
from gpuplanner.domain.evidence.trace import Trace, parts_of
from gpuplanner.domain.model.project import Project
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.cards.facets import CardFacts
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.kit.style_sheet import apply_palette
from gpuplanner.ui.panels.places.inference import InferencePanel
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.tables.cells import Cell
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.row_list import RowList
from gpuplanner.ui.window.main_window import MainWindow
from tests.arrived import arrived
from tests.domain.serving.small_places import city, site, world
from tests.ui.fake_app import FakeEvaluator
from tests.ui.flows.test_why_everywhere import agrees, figures_of
from tests.ui.panels.places.test_inference import chosen, sizing_of
from tests.ui.priced_world import priced_project

PLACES = world(
    (city("Paris", 900, "FR", 48.9, 2.4), city("Lima", 500, "PE", -12, -77), city("Oslo", 100, "NO", 60, 11)),
    (
        site("eu-west", "FR", 49, 2, 12_000, is_current=True),
        site("us-east", "US", 39, -77, 9_000),
        site("sa-west", "PE", -11, -76, 7_500),
    ),
    (("Paris", "eu-west", "3.5"),),
)


@pytest.fixture(scope="module")
def project() -> Project:
    plain = priced_project()
    contracts = tuple(replace(contract, interconnect="ethernet") for contract in plain.contracts)
    return replace(plain, contracts=contracts, places=PLACES)


@pytest.fixture(scope="module")
def shown(project: Project) -> ViewState:
    made = next_view_state(None, evaluate(project, project.scenarios[0].name, read_tables()))
    return replace(made, fit=fit_project(project, made.evaluation.audit, read_tables()))


@pytest.fixture(scope="module")
def window(qapp: QApplication, project: Project, shown: ViewState) -> Iterator[MainWindow]:
    apply_palette(qapp, LIGHT)
    made = MainWindow(Document(project), FakeEvaluator(lambda *_: shown.evaluation))
    made.session.evaluator.evaluated.connect(lambda _: made.docks.show_waiting())
    made.resize(1440, 900)
    made.show_project(project)
    made.show()
    yield made
    made.docks.cost.costing.close()
    made.docks.placement.placer.close()
    made.why.hide()
    made.close()
    delete(made)


@pytest.fixture(scope="module")
def evidence(shown: ViewState):
    return evidence_of(shown.evaluation.project, shown.evaluation.audit, shown.fit or ())


def check(window: MainWindow, evidence, where: str, cells: list[tuple[str, Cell]]) -> None:
    """Each number of these has an answer, its rows arrive at it, and it says what it was made of."""
    assert cells, where
    without = [name for name, cell in cells if not cell.figure_id]
    assert not without, f"{where}: no answer is asked for {without}"
    for name, cell in cells:
        is_audit = parts_of(cell.figure_id)[0] in OF_AUDIT
        trace: Trace = (
            OF_AUDIT.answer(evidence, cell.figure_id)
            if is_audit
            else window.why_everywhere.trace(cell.figure_id)
        )
        assert trace.figure_id == cell.figure_id, (where, name)
        assert agrees(trace, cell.text), (where, name, trace.value)
        assert trace.words and trace.symbols, (where, name)
        assert arrived(trace) == pytest.approx(trace.value, rel=1e-9, abs=0.01), (where, name)


@pytest.mark.long
def test_checks(window: MainWindow, evidence, shown: ViewState) -> None:
    window.docks.raise_panel("checks")
    rows = [row for row in window.docks.checks.list.rows if any(map(str.isdigit, row.amount))]
    assert len(rows) == sum(check.usd_per_month is not None for check in shown.checks)
    check(
        window,
        evidence,
        "checks",
        [(row.title, Cell(text=row.amount, figure_id=row.figure_id)) for row in rows],
    )


@pytest.mark.long
def test_hardware_fit_and_both_networks(window: MainWindow, shown: ViewState, evidence) -> None:
    panel = window.docks.hardware_fit
    window.docks.raise_panel("hardware_fit")
    panel.show_state(shown)
    panel.lights.setCurrentIndex(panel.lights.count() - 1)
    check(window, evidence, "fit", figures_of(panel.table))
    told = [fit for fit in shown.fit or () if fit.network is not None and fit.network.has]
    assert told
    for fit in told[:3]:
        panel.choose(fit.key)
        check(window, evidence, fit.key, figures_of(panel.detail.network))


def test_placement(window: MainWindow, evidence, qtbot: QtBot, shown: ViewState) -> None:
    panel = window.docks.placement
    window.docks.raise_panel("placement")
    panel.show_state(shown)
    qtbot.waitUntil(lambda: panel.sets.model().rowCount() > 1)
    check(window, evidence, "sets", figures_of(panel.sets))
    for key in ("today", "best:2"):
        panel.sets.selectRow([one.key for one in panel.list_sets()].index(key))
        check(window, evidence, key, figures_of(panel.cities))


def test_low_mid_and_high_rates(window: MainWindow, evidence, shown: ViewState) -> None:
    evaluation = shown.evaluation
    planned = evaluation.in_parts
    pools, plan = evaluation.figures.workload_pools, evaluation.figures.basis.plan
    window.docks.raise_panel("prices")
    cases = price_sensitivity(planned.project, plan, pools, planned.audit)
    window.docks.prices.cases.show_cases(cases)
    check(window, evidence, "cases", figures_of(window.docks.prices.cases.money))
    if window.docks.prices.cases.layers.model().rowCount():
        check(window, evidence, "layers", figures_of(window.docks.prices.cases.layers))
    for row in range(window.docks.prices.cases.money.model().rowCount()):
        assert all(cell.figure_id for cell in window.docks.prices.cases.money.row_at(row).cells[1:])


@pytest.fixture
def sized(window: MainWindow) -> InferencePanel:
    """The panel with a size in it, whichever test was the last to use the window."""
    panel = window.docks.inference
    window.docks.raise_panel("inference")
    project, key = chosen()
    panel.show_state(next_view_state(None, evaluate(project, project.scenarios[0].name, read_tables())))
    panel.show_sizing(key, sizing_of(project, key))
    return panel


@pytest.mark.long
def test_inference(window: MainWindow, evidence, sized: InferencePanel) -> None:
    for table in (sized.held, sized.table, sized.beside, sized.ratios):
        check(window, evidence, table.accessibleName(), figures_of(table))
    said = dict(window.why_everywhere.list_sizing_inputs())
    assert said["Llama 3.1 70B"] == "model" and "week.csv" in said.values()


@pytest.mark.long
def test_every_kind_of_a_sized_figure_is_shown(sized: InferencePanel) -> None:
    """So that no answer is kept for a figure that nobody can ask about."""
    ids = {
        one for table in (sized.held, sized.table, sized.beside, sized.ratios) for one in table.figure_ids()
    }
    ids |= {row.opens for one in ids for row in OF_SIZING.answer(sized.sizing, one).rows if row.opens}
    assert {parts_of(one)[0] for one in ids} == set(OF_SIZING)


@pytest.mark.long
def test_the_week_in_figures(window: MainWindow, evidence) -> None:
    panel = window.docks.utilization
    window.docks.raise_panel("utilization")
    panel.figures.click()
    for view in ("clusters", "teams"):
        panel.choose(view)
        cells = [(name, replace(cell, text=f"{cell.text}%")) if view == "clusters" else (name, cell)
                 for name, cell in figures_of(panel.week)]  # fmt: skip
        check(window, evidence, view, cells)


def test_a_card_and_its_details(window: MainWindow, evidence, shown: ViewState) -> None:
    board = window.board
    window.choose_scenario(shown.evaluation.scenario)
    column = max(board.columns.values(), key=lambda one: len(one.model.cards))
    card = column.model.cards[0]
    board.sheet.show()
    board.sheet.show_cards([card], shown, CardFacts())
    said = [line for line in board.sheet.details.sections[0].lines if line.figure_id]
    assert len(said) == 5  # with the energy of its cluster's GPUs
    changes = {"Change": lambda text: text.replace("+", "")}
    check(
        window,
        evidence,
        card.name,
        [
            (line.text, Cell(text=changes.get(line.text, str)(line.figure), figure_id=line.figure_id))
            for line in said
        ],
    )
    column.cards.select_keys([card.key], card.key)
    assert window.why_everywhere.ask_why_of(column.cards)
    assert card.name in window.why.why.title
    window.why.hide()
    board.sheet.hide()


def test_no_number_of_the_window_is_without_an_answer(window: MainWindow, shown: ViewState) -> None:
    """All tables and lists of all panels, whatever was added since."""
    panels = window.docks.all_panels()
    for table in (table for panel in panels for table in panel.findChildren(FigureTable)):
        without = [name for name, cell in figures_of(table) if not cell.figure_id]
        assert not without, f"{table.accessibleName()}: {without[:5]}"
    for rows in (rows for panel in panels for rows in panel.findChildren(RowList)):
        without = [row.title for row in rows.rows if any(map(str.isdigit, row.amount)) and not row.figure_id]
        assert not without, f"{rows.accessibleName()}: {without[:5]}"
