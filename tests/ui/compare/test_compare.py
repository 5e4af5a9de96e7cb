"""Plans side by side in the window: shown, chosen, left; tables that add up, charts on one scale."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget
from pytestqt.qtbot import QtBot

from gpuplanner.app.plans.comparing import Comparison, Side
from gpuplanner.domain import edits
from gpuplanner.domain.commitment.plan.comparison import Horizon, from_today
from gpuplanner.domain.evaluation import Evaluation, evaluate
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.compare.dollar_lines import lines_note
from gpuplanner.ui.compare.figure_rows import find_longest_term, nothing_table
from gpuplanner.ui.compare.page import ComparePage
from gpuplanner.ui.kit.palettes import DARK, LIGHT
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from tests.ui.plans_world import plans_project, settle, wait_until
from tests.ui.sample_world import evaluation_of, sample_project

PROJECT = plans_project()


def compared(planner: MainWindow) -> ComparePage:
    planner.actions_by_id["compare"].trigger()
    return waited(planner)


def waited(planner: MainWindow) -> ComparePage:
    wait_until(lambda: not planner.plans.compare.comparing.is_busy)
    QApplication.processEvents()
    return planner.plans.compare.page


def column(table: FigureTable, at: int) -> list[str]:
    return [table.row_at(row).cells[at].text for row in range(table.model().rowCount())]


def number(text: str) -> int:
    return int(text.replace(",", "").replace("\u2212", "-").replace("\u00b1", "").replace("+", ""))


@pytest.mark.long
def test_figures_are_those_of_the_headline_and_differences_those_of_what_is_written(
    planner: MainWindow,
) -> None:
    planner.choose_horizon(Horizon.NEXT_MONTH)
    spend = planner.headline.button_of("spend").accessibleName()
    planner.choose_horizon(Horizon.TWELVE_MONTHS)
    page = compared(planner)
    assert page.isVisible()
    assert not planner.headline.isVisible()
    assert not planner.docks.visible_panels()
    titles, first, second, change = (column(page.figures.table, at) for at in (0, 3, 4, 5))
    at = titles.index("Spend")
    assert f"${first[at]}" in spend
    for title in ("Spend", "Savings", "Do nothing", "Unused"):
        row = titles.index(title)
        assert number(second[row]) - number(first[row]) == number(change[row])
    assert page.figures.table.columns[5].title == "B \u2212 A"


@pytest.mark.long
def test_how_long_jobs_wait_stands_beside_where_it_is_known(planner: MainWindow) -> None:
    comparing = planner.plans.compare.comparing
    waits = {"Plan A": {Pool.TRAINING: 3.2, Pool.BURST: 0.0}, "Plan B": {Pool.TRAINING: 8.0}}
    waits[TODAY] = {Pool.TRAINING: 1.5}
    comparing.waits_of = lambda of, *_: waits[of.scenario]
    page = compared(planner)
    comparing.waits_of = None
    titles, *columns = (column(page.figures.table, at) for at in (0, 2, 3, 4, 5))
    rows = dict(zip(titles, zip(*columns, strict=True), strict=True))
    assert rows["P90 wait, Training"] == ("1.5", "3.2", "8.0", "+4.8")
    assert (
        column(page.figures.table, 1)[titles.index("P90 wait, Training")] == "h, replayed"
    )  # none of the log
    assert rows["P90 wait, Burst"] == ("\u2014", "0.0", "\u2014", "\u2014")
    assert "P90 wait, Inference" not in rows


@pytest.mark.long
def test_a_kept_question_and_its_plan_have_names_of_their_own_and_their_twelve_months(
    planner: MainWindow,
) -> None:
    document, kept = planner.session.document, "Plan A \u00b7 growth 5%, longest term 12 months"
    project = edits.plans.add_plan(document.project, kept, "Plan A")
    document.edit("x", edits.plans.set_assumption(project, kept, "growth", 0.05))
    settle(planner)
    page = compared(planner)
    page.head.chosen.emit((kept, "Plan A"))
    waited(planner)
    table = page.figures.table
    assert [str(one.title) for one in table.columns[3:5]] == ["growth 5%, longes\u2026", "Plan A"]
    titles, units, first, second = (column(table, at) for at in (0, 1, 3, 4))
    nothing, at, saved = (row for row, unit in enumerate(units) if unit == "$ in 12 months")
    assert titles[at] == "Spend"
    for of in (first, second):
        assert abs(number(of[nothing]) - number(of[at]) - number(of[saved])) <= 1
    asked = evaluate(document.project, kept, read_tables()).advice
    assert number(first[at]) == round(sum(month.plan_usd for month in asked.comparison)) > number(second[at])
    assert str(table.columns[5].title) == "Difference"
    assert table.horizontalScrollBar().maximum() == 0


def test_tables_add_up(planner: MainWindow) -> None:
    page = compared(planner)
    change = number(column(page.figures.table, 5)[0])
    moves = [number(text) for text in column(page.moves.table, 4)]
    assert sum(moves[:-1]) == moves[-1] == change
    assert column(page.moves.table, 0)[0] == "dev"
    lines = page.lines.table
    for at in (1, 2, 3):
        values = [number(text) for text in column(lines, at)]
        assert sum(values[:-1]) == values[-1]
    for card, at in zip(page.buys, (3, 4), strict=False):
        values = [number(text) for text in column(card.table, 6)]
        assert sum(values[:-1]) == values[-1] == number(column(page.figures.table, at)[0])


def test_charts_share_one_scale_and_arrive_at_the_plans(planner: MainWindow) -> None:
    page = compared(planner)
    plots = [card.chart for card in page.steps[:2]]
    assert len({plot.levels()[1] for plot in plots}) == 1
    for plot, at in zip(plots, (3, 4), strict=True):
        labels = [number(step.label) for step in plot.steps]
        assert sum(labels[:-1]) == labels[-1] == number(column(page.figures.table, at)[0])
    assert [line.name for line in page.months.chart.lines] == ["Do nothing", "Plan A", "Plan B"]


@pytest.mark.long
def test_esc_goes_back_to_where_the_keyboard_was(planner: MainWindow) -> None:
    planner.board.search.setFocus()
    page = compared(planner)
    assert page.isAncestorOf(QApplication.focusWidget())
    assert planner.scenario_bar.compare.isChecked()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not page.isVisible()
    assert planner.headline.isVisible()
    assert planner.docks.visible_panels()
    assert planner.board.search.hasFocus()
    assert not planner.scenario_bar.compare.isChecked()


@pytest.mark.long
def test_a_tab_leaves_too_and_undo_stays_with_the_newest(planner: MainWindow) -> None:
    page = compared(planner)
    before = column(page.figures.table, 3)
    document = planner.session.document
    document.edit("x", edits.plans.set_greenfield(document.project, "Plan A", True))
    settle(planner)
    waited(planner)
    assert page.isVisible()
    assert column(page.figures.table, 3) != before
    document.undo_stack.undo()
    settle(planner)
    waited(planner)
    assert column(page.figures.table, 3) == before
    planner.choose_scenario("Plan B")
    assert not page.isVisible()
    assert planner.session.scenario == "Plan B"
    planner.choose_scenario(TODAY)
    assert compared(planner).isVisible()


@pytest.mark.long
def test_three_plans_and_which_of_them_is_held_against_the_first(planner: MainWindow) -> None:
    planner.session.gestures.duplicate_plan()
    settle(planner)
    page = compared(planner)
    page.head.third.setCurrentText("Plan B")
    page.head.chosen.emit(("Plan A", "Plan C", "Plan B"))
    waited(planner)
    assert [card.frame.isHidden() for card in page.buys] == [False] * 3
    assert column(page.figures.table, 6)[0] == "0"
    assert page.moves_note.text() and not column(page.moves.table, 0)
    page.which.setCurrentIndex(1)
    page.which.activated.emit(1)
    assert column(page.moves.table, 0)[0] == "dev"


@pytest.mark.long
def test_what_differs_is_cut_at_its_end_and_whole_in_its_tip(planner: MainWindow) -> None:
    head, words = compared(planner).head, "Different: Price fall \u22120.2%, not 0.4%; " + 40 * "more and "
    head.say(words)
    assert head.said.text().startswith("Different: ") and head.said.text().endswith("\u2026")
    assert head.said.toolTip() == words
    plan = planner.session.document.project.scenarios[1].name
    planner.session.document.edit(
        "x", edits.plans.set_assumption(planner.session.document.project, plan, "delta", -0.002)
    )
    settle(planner)
    waited(planner)
    assert "\u22120.2%" in head.said.whole and "-0.2%" not in head.said.whole


def test_a_kept_question_is_held_against_the_plan_that_it_was_asked_of(planner: MainWindow) -> None:
    gestures = planner.session.gestures
    gestures.duplicate_plan()
    settle(planner)
    gestures.rename_plan("Plan B \u00b7 growth 10%")
    settle(planner)
    compared(planner)
    assert planner.plans.compare.names == ("Plan B", "Plan B \u00b7 growth 10%")


def test_a_question_that_undo_takes_leaves_its_plan_compared_with_another(planner: MainWindow) -> None:
    session = planner.session
    session.gestures.is_asking = True
    session.gestures.move((PROJECT.workloads[0].key,), Pool.TRAINING)
    settle(planner)
    compared(planner)
    assert planner.plans.compare.names == ("Plan A", session.scenario) and session.scenario != "Plan A"
    session.document.undo_stack.undo()
    settle(planner)
    waited(planner)
    assert planner.plans.compare.names == ("Plan A", "Plan B")


@pytest.mark.long
def test_a_limit_that_one_plan_alone_has_is_said_of_it(planner: MainWindow) -> None:
    head, document = compared(planner).head, planner.session.document
    plan = document.project.scenarios[1].name
    document.edit("x", edits.plans.set_assumption(document.project, plan, "max_term_months", 12))
    settle(planner)
    waited(planner)
    assert "12 months" in head.said.whole and "Plan B" in head.said.whole


def test_one_plan_stands_beside_do_nothing(planner: MainWindow) -> None:
    document = planner.session.document
    document.edit("x", edits.plans.delete_plan(document.project, "Plan B"))
    settle(planner)
    page = compared(planner)
    assert page.alone.isVisible() and not page.head.isVisible() and not page.working.isVisible()
    table, advice = page.figures.table, planner.session.evaluation.advice
    heads = [str(one.title) for one in table.columns[2:]]
    assert heads == ["Today", "Do nothing", "Plan A", "Savings"]
    units, nothing, plan, saved = (column(table, at) for at in (1, 3, 4, 5))
    month, year = units.index("$ per month"), units.index("$ in 12 months")
    assert number(nothing[month]) == round(advice.totals.do_nothing)
    assert number(plan[month]) == round(advice.totals.plan)
    assert number(nothing[year]) == round(sum(one.do_nothing_usd for one in advice.comparison))
    for row in (month, year):
        assert abs(number(nothing[row]) - number(plan[row]) - number(saved[row])) <= 1
    seen = [card for card in page.cards if not card.frame.isHidden()]
    assert seen == [page.figures, page.buys[0], page.steps[0], page.lines, page.months, page.logs[0]]
    assert [line.name for line in page.months.chart.lines] == ["Do nothing", "Plan A"]
    page.alone.button.click()
    settle(planner)
    waited(planner)
    assert page.head.isVisible() and not page.alone.isVisible()
    assert [plan.name for plan in document.project.scenarios] == ["Plan A", "Plan B"]
    assert not page.moves.frame.isHidden() and len(page.comparison.sides) == 2


def alone(evaluation: Evaluation) -> Comparison:
    """The plan of an evaluation as it is compared with do nothing."""
    assert evaluation.advice is not None
    side = Side(
        scenario=evaluation.figures.basis.plan,
        figures=evaluation.figures,
        advice=evaluation.advice,
        steps=from_today(evaluation.audit, evaluation.advice, evaluation.figures.workload_pools),
    )
    return Comparison(project=evaluation.project, audit=evaluation.audit, sides=(side,))


def saved_in(comparison: Comparison) -> list[str]:
    """What the plan saves: next month, and in 12 months."""
    _, rows = nothing_table(comparison)
    return [row.cells[5].text for row in rows if row.cells[5].text]


def test_savings_beside_do_nothing_are_their_difference() -> None:
    project = sample_project()
    comparison = alone(evaluation_of(project, project.scenarios[0].name))
    _, rows = nothing_table(comparison)
    known = [row for row in rows if row.cells[5].text]
    assert len(known) == 2
    for row in known:
        nothing, plan, saved = (number(cell.text) for cell in row.cells[3:])
        assert abs(nothing - plan - saved) <= 1 < saved and row.cells[5].role == "green"


def test_savings_stand_beside_do_nothing_where_both_lack_the_same_rate() -> None:
    project = sample_project()
    evaluation = evaluation_of(project, project.scenarios[0].name)
    assert evaluation.advice is not None
    totals = replace(evaluation.advice.totals, plan=None, do_nothing=None, savings_vs_do_nothing=1_234.4)
    advice = replace(evaluation.advice, totals=totals)
    assert saved_in(alone(replace(evaluation, advice=advice)))[0] == "1,234"
    left = replace(advice, totals=replace(totals, savings_vs_do_nothing=None))
    assert saved_in(alone(replace(evaluation, advice=left)))[0] == numbers.UNKNOWN


@pytest.mark.long
def test_another_palette_and_a_narrow_window_show_the_same(planner: MainWindow) -> None:
    page = compared(planner)
    text = page.as_text()
    planner.show_palette(DARK)
    assert page.as_text() == text
    planner.resize(960, 540)
    QApplication.processEvents()
    assert page.moves.frame.y() > page.figures.frame.y()
    planner.show_palette(LIGHT)


@pytest.mark.long
def test_a_moved_workload_is_opened_on_the_board(planner: MainWindow) -> None:
    page = compared(planner)
    page.moves.table.row_opened.emit(page.moves.table.row_at(0).key)
    assert not page.isVisible()
    assert planner.board.isVisible()


def test_decisions_that_the_plans_do_not_share_stand_beside_each_other(planner: MainWindow) -> None:
    document = planner.session.document
    shared = edits.plans.add_decision(
        edits.plans.add_decision(document.project, "Plan A", 60, "Both"), "Plan B", 60, "Both"
    )
    said = edits.plans.add_decision(
        edits.plans.add_decision(shared, "Plan A", 120, "Later"), "Plan A", 90, "First", "it pays"
    )
    document.edit("x", said)
    settle(planner)
    page = compared(planner)
    assert column(page.logs[0].table, 1) == ["First", "Later"]
    assert column(page.logs[0].table, 2) == ["it pays", "No reason given"]
    assert column(page.logs[1].table, 1) == []
    assert "No decisions of its own" in page.logs[1].frame.muted.text()


@pytest.mark.long
def test_panels_come_back_from_compare_as_they_were_left(planner: MainWindow, qapp: QApplication) -> None:
    docks = planner.docks
    docks.raise_panel("checks")
    upper, lower = (
        next(one for one in planner.findChildren(QDockWidget) if one.isAncestorOf(panel))
        for panel in (docks.duration, docks.checks)
    )
    left = [upper.height() - 60, lower.height() + 60]
    planner.resizeDocks([upper, lower], left, Qt.Orientation.Vertical)
    QApplication.processEvents()
    before = (upper.size(), lower.size())
    page = compared(planner)
    assert page.isVisible() and not docks.visible_panels()
    planner.actions_by_id["compare"].trigger()
    wait_until(lambda: (upper.size(), lower.size()) == before)
    assert docks.checks in docks.visible_panels()


def test_while_plans_are_worked_out_there_are_words_and_no_empty_cards(qtbot: QtBot) -> None:
    page = ComparePage()
    qtbot.addWidget(page)
    page.show_names(("Plan A", "Plan B"), ("Plan A", "Plan B"))
    page.show()
    assert page.working.isVisible() and not any(card.frame.isVisible() for card in page.cards)
    page.show_names(("Plan A",), ("Plan A",))
    assert page.working.isVisible() and page.alone.isVisible()
    assert not any(card.frame.isVisible() for card in page.cards)


def test_the_longest_commitment_is_that_of_later_months_too() -> None:
    """It counted the layers of the first month alone: 0 beside an order of 36 months."""
    project = sample_project()
    advice = evaluation_of(project, project.scenarios[0].name).advice
    assert advice is not None
    later = tuple(one for one in advice.orders if one.term_months == 36)
    young = replace(later[0], term_months=60, reason="if_it_lasts")
    side = SimpleNamespace(advice=replace(advice, pools=(), orders=(*later, young)))
    assert find_longest_term(cast(Any, side)) == 36.0


def test_lines_say_that_they_are_of_the_first_month_and_from_when_plans_differ() -> None:
    """Of a change in March every line of the first month was the same, and nothing said that it was of that month."""

    def note(*changes: tuple[int, float | None]) -> str:
        usd: list[float | None] = [100.0] * 12
        for at, more in changes:
            usd[at] = None if more is None else 100.0 + more
        sides = [
            SimpleNamespace(
                advice=SimpleNamespace(
                    comparison=[
                        SimpleNamespace(start_s=at * MONTH_S, plan_usd=one) for at, one in enumerate(of)
                    ]
                )
            )
            for of in ([100.0] * 12, usd)
        ]
        return lines_note(cast(Any, SimpleNamespace(sides=sides)))

    assert note() == note((0, 9.0), (3, 9.0)) and note()
    assert numbers.date(3 * MONTH_S) in note((3, 9.0), (5, None)) and numbers.date(3 * MONTH_S) not in note()
    unknown = note((3, None), (5, 9.0)), note((0, None), (3, 9.0))  # is not 0, and not as the other
    assert unknown == (note(), note())
