"""Every figure of the side sheet and of the line under the board answers: of a card, a part, several, a merged card."""

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from gpuplanner.app.past.audit_answers import ANSWERS as OF_AUDIT
from gpuplanner.domain import edits
from gpuplanner.domain.evidence.audit_evidence import evidence_of
from gpuplanner.domain.evidence.trace import parts_of
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui.cards.details import Line
from gpuplanner.ui.window.main_window import MainWindow
from tests.arrived import arrived
from tests.ui.flows.test_why_everywhere import agrees
from tests.ui.plans_world import KEYS, opened_again, plans_project, settle, wait_until

PROJECT = plans_project()
PLAN = PROJECT.scenarios[0].name


@pytest.fixture
def planner(shared: MainWindow, qapp: QApplication) -> MainWindow:
    found = opened_again(shared, PROJECT)
    if found.board.sheet.isHidden():
        found.board.show_details()
    return found


def lines_of(planner: MainWindow, keys: tuple[str, ...]) -> list[Line]:
    """What the side sheet says of these cards, where it is a number."""
    planner.board.selection.select(keys, keys[0])
    wait_until(lambda: not planner.board.selection.teller.isActive())
    details = planner.board.sheet.details
    assert details is not None
    return [
        line
        for section in details.sections
        for line in section.lines
        if any(letter.isdigit() for letter in line.figure) and not line.text.startswith("Last ran")
    ]


def near(text: str) -> list[str]:
    """An amount of whole dollars, and the ones beside it."""
    dollars = int(text.removeprefix("$").replace(",", ""))
    return [f"${one}" for one in (dollars, dollars - 1, dollars + 1)]


def check(planner: MainWindow, lines: list[Line]) -> None:
    assert lines
    shown = planner.session.view_state
    for line in lines:
        assert line.figure_id, line.text
        if parts_of(line.figure_id)[0] in OF_AUDIT:
            evidence = evidence_of(shown.evaluation.project, shown.evaluation.audit)
            trace = OF_AUDIT.answer(evidence, line.figure_id)
        else:
            trace = planner.why_everywhere.trace(line.figure_id)
        text = line.figure.removesuffix(" h").replace("\u00b1$0", "0")
        # parts of a merged card are rounded together, so that they add up: one of them may be a dollar off
        nearest = (
            text if not text.startswith("$") else min(near(text), key=lambda one: not agrees(trace, one))
        )
        assert trace.figure_id == line.figure_id and agrees(trace, nearest), (
            line.text,
            line.figure,
            trace.value,
        )
        assert arrived(trace) == pytest.approx(trace.value, rel=1e-9, abs=0.01), line.text
        assert trace.words and trace.symbols, line.text


@pytest.mark.long
@pytest.mark.parametrize("scenario", [PLAN, TODAY])
def test_a_card(planner: MainWindow, scenario: str) -> None:
    planner.choose_scenario(scenario)
    settle(planner)
    planner.choose_today_view("board")
    for key in KEYS:
        lines = lines_of(planner, (key,))
        assert len(lines) >= (7 if scenario == TODAY else 9)
        check(planner, lines)


@pytest.mark.long
def test_the_parts_of_a_divided_card(planner: MainWindow) -> None:
    document = planner.session.document
    document.edit(
        "x", edits.cards.split_workload(document.project, PLAN, KEYS[2], ShareSplit(300), Pool.BURST)
    )
    settle(planner)
    parts = [card.key for card in planner.session.view_state.cards if card.key.startswith(KEYS[2])]
    assert len(parts) == 2
    costs = []
    for key in parts:
        lines = lines_of(planner, (key,))
        check(planner, lines)
        costs.append(planner.why_everywhere.trace(f"part_today::{key}").value)
        assert planner.why_everywhere.trace(f"card_change::{key}").rows[1].opens == f"part_today::{key}"
    whole = next(
        row.usd_per_month
        for row in planner.session.view_state.evaluation.audit.workloads
        if row.key == KEYS[2]
    )
    assert sum(costs) == pytest.approx(whole)


def test_several_cards_and_the_line_under_the_board(planner: MainWindow) -> None:
    lines = lines_of(planner, KEYS[:3])
    check(planner, lines)
    facts = planner.board.selection_line.said.facts
    check(planner, [Line(text=words, figure=words.split(" ")[0], figure_id=of) for of, words in facts])
    planner.board.selection_line.said.linkActivated.emit(facts[0][0])
    assert planner.why.isVisible() and "3 workloads selected" in planner.why.why.title
    planner.why.hide()


@pytest.mark.long
def test_a_merged_card_and_what_the_board_counts(planner: MainWindow) -> None:
    document, both = planner.session.document, (KEYS[0], KEYS[1])
    document.edit("x", edits.cards.merge_cards(document.project, PLAN, both, "Both", Pool.BURST))
    settle(planner)
    check(planner, lines_of(planner, (KEYS[0],)))
    lines = lines_of(planner, (KEYS[0], KEYS[2]))
    check(planner, lines)
    assert planner.board.sheet.title.text().startswith("3 workloads on 2 cards")
    assert planner.board.selection_line.said.accessibleName().startswith("3 workloads on 2 cards")
    heading = next(
        column.heading for lane, column in planner.board.columns.items() if lane.pool is Pool.BURST
    )
    assert "2 workloads on 1 card" in heading.accessibleName()
    trace = planner.why_everywhere.trace("column_usd::burst")
    assert str(trace.note).startswith("2 workloads on 1 card") and len(trace.rows) == 2


def test_the_way_back_from_jobs_outlives_the_figure_of_the_side_sheet(planner: MainWindow) -> None:
    lines = {line.text: line.figure for line in lines_of(planner, (KEYS[2],))}
    sheet = planner.board.sheet
    sheet.show_recent(KEYS[2], ())
    QApplication.processEvents()
    buttons = [one for one in sheet.findChildren(type(sheet.close_button)) if one.objectName() == "figure"]
    button = next(one for one in buttons if one.isVisible() and one.text() == lines["Jobs"])
    button.click()
    assert planner.why.isVisible()
    planner.questions.follow(next(row.key for row in planner.why.why.rows if row.key))
    assert planner.questions.can_resume
    sheet.show_recent(KEYS[2], (Line(text="1 Jan"),))  # the last jobs are known: all is drawn anew
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.processEvents()
    planner.questions.resume()
    assert planner.why.isVisible()
    planner.why.hide()


@pytest.mark.long
def test_figures_of_dated_and_planned_cards_answer(planner: MainWindow) -> None:
    work = PlannedWork(
        name="next",
        pool=Pool.BURST,
        gpu_model="H100",
        gpus=6.0,
        cluster="c",
        team="lab",
        begins_s=PROJECT.window.end_s + 5 * DAY_S,
    )

    def edit(project: Project) -> Project:
        project = edits.dates.plan_work(project, PLAN, (work,))
        project = edits.dates.stop_workloads(project, PLAN, (KEYS[3],))
        project = edits.dates.end_workloads(project, PLAN, (KEYS[2],), project.window.end_s + 9 * DAY_S)
        change = edits.dates.demand_change(project, PLAN, KEYS[1], 2.0, project.window.end_s, {})
        return edits.dates.change_demand(project, PLAN, (change,))

    planner.session.gestures.edit("Plan", edit)
    settle(planner)
    for keys in ((work.key,), (KEYS[3],), (KEYS[2],), (KEYS[1],), (work.key, KEYS[0])):
        check(planner, lines_of(planner, keys))
