"""Every figure of plans side by side has an answer that arrives at it: tables, the tables beside charts, and bars."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from gpuplanner.app.past.audit_answers import ANSWERS as OF_AUDIT
from gpuplanner.domain.evidence.audit_evidence import evidence_of
from gpuplanner.domain.evidence.plan.comparison import OF_COMPARISON
from gpuplanner.domain.evidence.trace import Trace, parts_of
from gpuplanner.ui.compare.page import ComparePage
from gpuplanner.ui.tables.cells import Cell
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.window.main_window import MainWindow
from tests.arrived import arrived
from tests.ui.compare.test_compare import compared, waited
from tests.ui.flows.test_why_everywhere import agrees, amount, figures_of
from tests.ui.plans_world import opened_again, plans_project, wait_until

THREE = ("Plan A", "Plan B", "Plan C")


def three_plans():
    project = plans_project()
    third = replace(project.scenarios[1], name="Plan C", greenfield=True, assumptions={"lambda": 0.02})
    return replace(project, scenarios=(*project.scenarios, third))


PROJECT = three_plans()


@pytest.fixture(scope="module")
def planner(shared: MainWindow) -> MainWindow:
    """Opened once: its comparison takes longer than all that is asked of it, and is only looked at."""
    return opened_again(shared, PROJECT)


@pytest.fixture(scope="module")
def page(planner: MainWindow) -> Iterator[ComparePage]:
    names = planner.plans.compare.names
    planner.plans.compare.names = THREE
    found = compared(planner)
    assert len(found.comparison.sides) == 3
    yield found
    planner.plans.compare.names = names


def traced(planner: MainWindow, figure_id: str) -> Trace:
    if parts_of(figure_id)[0] in OF_AUDIT:
        comparison = planner.plans.compare.page.comparison
        return OF_AUDIT.answer(evidence_of(comparison.project, comparison.audit), figure_id)
    return planner.why_everywhere.trace(figure_id)


def check(planner: MainWindow, where: str, cells: list[tuple[str, Cell]]) -> None:
    without = [name for name, cell in cells if not cell.figure_id]
    assert not without, f"{where}: no answer is asked for {without}"
    for name, cell in cells:
        trace = traced(planner, cell.figure_id)
        text = cell.text.removesuffix(" pt").rsplit(" \u2013 ", 1)[-1]
        assert trace.figure_id == cell.figure_id, (where, name)
        assert agrees(trace, text), (where, name, trace.value)
        slack = 1.0 if isinstance(trace.value, int) and trace.unit == "usd" else 0.01
        assert arrived(trace) == pytest.approx(trace.value, abs=slack), (where, name)
        assert trace.words and trace.symbols, (where, name)


def asked_of(table: FigureTable) -> list[tuple[str, Cell]]:
    """Numbers, and what else can be asked about: ranges and points."""
    others = [
        (f"{row.cells[0].text}: {cell.text}", cell)
        for row in map(table.row_at, range(table.model().rowCount()))
        for cell in row.cells
        if cell.figure_id
    ]
    return [*figures_of(table), *others]


def test_every_table_of_the_page(planner: MainWindow, page: ComparePage) -> None:
    for card in page.cards:
        if card.frame.isHidden() or not card.table.model().rowCount() or card in page.logs:
            continue
        cells = asked_of(card.table)
        assert cells, card.frame.title
        check(planner, card.frame.title, cells)


def test_what_moved_in_the_third_plan_too(planner: MainWindow, page: ComparePage) -> None:
    page.which.setCurrentIndex(1)
    page.which.activated.emit(1)
    check(planner, "moved", asked_of(page.moves.table))
    last = page.moves.table.row_at(page.moves.table.model().rowCount() - 1).cells[-1]
    assert traced(planner, last.figure_id).figure_id.startswith("less_first:2:")
    page.which.setCurrentIndex(0)
    page.which.activated.emit(0)


def test_the_band_and_the_differences_of_shares_can_be_asked_about(
    planner: MainWindow, page: ComparePage
) -> None:
    rows = {
        row.cells[0].text: row
        for row in map(page.figures.table.row_at, range(page.figures.table.model().rowCount()))
    }
    points = [cell for cell in rows["Effective utilization"].cells if cell.text.endswith("pt")]
    assert points and all(cell.figure_id for cell in points)
    bands = rows["Plan P10\u2013P90"].cells[3:6]
    for cell in bands:
        trace = traced(planner, cell.figure_id)
        low = trace.rows[0].values[0]
        assert amount(cell.text.split(" \u2013 ")[0]) == pytest.approx(low, abs=0.5)


def test_every_bar_from_today_to_a_plan(planner: MainWindow, page: ComparePage) -> None:
    for card in page.steps:
        bars = card.chart.steps
        assert bars
        check(
            planner,
            card.frame.title,
            [(bar.name, Cell(text=bar.label, figure_id=bar.figure_id)) for bar in bars],
        )


def test_every_kind_of_a_compared_figure_is_shown(page: ComparePage) -> None:
    """So that no answer is kept for a figure that nobody can ask about."""
    asked = {parts_of(one)[0] for card in page.cards for one in card.table.figure_ids()}
    assert set(OF_COMPARISON) <= asked


def test_the_rows_of_an_answer_stay_in_their_plan_and_lead_on(planner: MainWindow, page: ComparePage) -> None:
    seen, left = set[str](), [one for card in page.cards for one in card.table.figure_ids()]
    while left:
        figure_id = left.pop()
        if figure_id in seen or parts_of(figure_id)[0] not in OF_COMPARISON:
            continue
        seen.add(figure_id)
        trace = planner.why_everywhere.trace(figure_id)
        left += [row.opens for row in trace.rows if row.opens]
    assert len(seen) > 50


def test_a_click_and_the_keyboard_ask_and_back_leads_home(planner: MainWindow, page: ComparePage) -> None:
    table = page.lines.table
    table.setFocus()
    table.setCurrentIndex(table.model().index(table.model().rowCount() - 1, 2))
    planner.actions_by_id["why"].trigger()
    assert planner.why.isVisible() and "Plan B" in planner.why.why.title
    key = next(row.key for row in planner.why.why.rows if row.key)
    planner.questions.follow(key)
    assert planner.why.back.isVisible()
    planner.why.go_back()
    planner.why.hide()
    plot = page.steps[1].chart
    plot.setFocus()
    planner.actions_by_id["why"].trigger()  # today's spend, which the audit answers in a thread
    wait_until(planner.why.isVisible)
    assert planner.why.why.title.startswith("Spend")
    planner.why.hide()


def test_a_comparison_that_is_gone_is_said_to_settle(planner: MainWindow, page: ComparePage) -> None:
    planner.why.hide()
    planner.questions.ask("in_plan:7:plan_usd::", page)
    assert not planner.why.isVisible()


def test_every_dollar_of_do_nothing_and_of_the_savings_says_why(
    planner: MainWindow, page: ComparePage
) -> None:
    planner.plans.compare.compare(("Plan B",))
    waited(planner)
    assert len(page.comparison.sides) == 1
    rows = [page.figures.table.row_at(row) for row in range(page.figures.table.model().rowCount())]
    asked = [cell for row in rows for cell in row.cells[3:] if cell.figure_id and "\u2013" not in cell.text]
    assert len(asked) >= 8
    for cell in asked:
        trace = traced(planner, cell.figure_id)
        assert agrees(trace, cell.text), (cell.figure_id, cell.text, trace.value)
    planner.plans.compare.compare(THREE)
    waited(planner)
