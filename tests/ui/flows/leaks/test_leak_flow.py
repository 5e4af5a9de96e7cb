"""The sheet of a leak: its parts add up, each opens what is behind it, a decision is one step that can be undone."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from gpuplanner.app.past.audit_answers import ANSWERS
from gpuplanner.domain import edits
from gpuplanner.domain.audit.leak_claims import Part, PartOf
from gpuplanner.domain.audit.leak_list import leak_parts
from gpuplanner.domain.audit.result import Leak
from gpuplanner.domain.edits.labels import leak_label
from gpuplanner.domain.evidence.audit_evidence import evidence_of
from gpuplanner.domain.model.plan.scenario import AS_TODAY, LeakStatus, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.flows.leaks.leak_flow import LeakFlow
from gpuplanner.ui.flows.leaks.leak_sheet import ROWS_SEEN, LeakSheet
from gpuplanner.ui.flows.leaks.leak_story import WHAT_A_PLAN_CANNOT_SHOW, part_rows
from gpuplanner.ui.tables.cells import Cell
from gpuplanner.ui.window.main_window import MainWindow
from tests.arrived import arrived
from tests.some_of import one_in
from tests.ui.conftest import activate
from tests.ui.flows.test_why_everywhere import agrees, figures_of
from tests.ui.sample_world import evaluation_of

AT_S = 1_790_812_800


def leak_of(window: MainWindow, code: str, kind: str = "workload") -> Leak:
    """A leak of the first two workloads of the sample, or of two of its contracts."""
    project = window.session.document.project
    ids = (
        [workload.key for workload in project.workloads[:2]]
        if kind == "workload"
        else [contract.contract_id for contract in project.contracts[:2]]
    )
    months = project.window.months
    left = dict(zip((PartOf(kind, name) for name in ids), (10.4, 5.2), strict=True))
    amounts = ((10.4, 100.4), (20.3, 200.3))
    parts = [
        Part(part, hours, usd * months / hours) for part, (hours, usd) in zip(left, amounts, strict=True)
    ]
    return Leak(
        code=code,
        subject="atlas: two",
        action="Do it.",
        leak_id=f"{code}:atlas",
        cluster="atlas",
        parts=tuple(leak_parts(parts, left, months)),
    )


def flow_of(qtbot: QtBot, window: MainWindow, leak: Leak, pool: Pool = Pool.BURST) -> LeakFlow:
    evaluation = evaluation_of(window.session.document.project, window.session.scenario)
    workloads = tuple(
        replace(row, classification=replace(row.classification, pool=pool))
        for row in evaluation.audit.workloads
    )
    audit = replace(evaluation.audit, leaks=(leak,), workloads=workloads)
    flow = LeakFlow(window.session, replace(evaluation, audit=audit), leak.leak_id)
    qtbot.addWidget(flow.sheet)
    flow.sheet.show()
    return flow


def test_parts_add_up_to_the_leak_in_whole_figures_dearest_first(window: MainWindow) -> None:
    rows = part_rows(leak_of(window, "failed_work"), {})
    assert [[cell.text for cell in row.cells[1:5]] for row in rows] == [
        ["20", "200", "5", "51"],
        ["11", "101", "11", "101"],
        ["31", "301", "16", "152"],
    ]
    assert rows[-1].is_total


def test_a_part_opens_its_jobs_or_its_contract(qtbot: QtBot, window: MainWindow) -> None:
    for kind, code in (("workload", "failed_work"), ("contract", "idle_tail")):
        leak = leak_of(window, code, kind)
        sheet = flow_of(qtbot, window, leak).sheet
        signal = sheet.workload_asked if kind == "workload" else sheet.contract_asked
        with qtbot.waitSignal(signal) as asked:
            sheet.table.activated.emit(sheet.table.model().index(0, 0))
        assert asked.args == [leak.parts[1].id]
        seen: list[str] = []
        signal.connect(seen.append)
        sheet.table.activated.emit(sheet.table.model().index(2, 0))  # the total opens nothing
        assert seen == []


def test_accepting_moves_what_a_plan_can_show_and_undo_takes_all_of_it_back(
    qtbot: QtBot, window: MainWindow
) -> None:
    document, plan = window.session.document, window.session.scenario
    before = document.project
    leak = leak_of(window, "permanent_burst")
    sheet = flow_of(qtbot, window, leak).sheet
    assert "2 workloads" in sheet.remedy.text() and "already" in sheet.remedy.text()  # by their class
    sheet.words.setText("Ann")
    QTest.mouseClick(sheet.accept_button, Qt.MouseButton.LeftButton)
    after = document.project.scenario(plan)
    assert {key: after.pools[key] for key in (part.id for part in leak.parts)} == dict.fromkeys(
        (part.id for part in leak.parts), Pool.BURST
    )
    assert after.decisions[-1].at_s == AT_S
    assert document.undo_stack.undoText() == str(leak_label("Accept", leak))
    decided = sheet.decided.text()
    assert "Ann" in decided and "2 workloads" in decided and "Burst" in decided
    assert sheet.reopen_button.isVisible() and not sheet.accept_button.isVisible()
    document.undo_stack.undo()
    assert document.project is before
    assert sheet.accept_button.isVisible() and not sheet.decided.isVisible()


def test_where_workloads_stand_elsewhere_accepting_says_what_it_moves(
    qtbot: QtBot, window: MainWindow
) -> None:
    leak, plan = leak_of(window, "permanent_burst"), window.session.scenario
    window.session.gestures.edit(
        "Start as today", lambda project: replace(project, scenarios=_as_today(project, plan))
    )
    sheet = flow_of(qtbot, window, leak).sheet
    assert "2 workloads to Burst" in sheet.remedy.text()
    first = leak.parts[0].id
    window.session.gestures.edit(
        "Move", lambda project: edits.workloads.move_workloads(project, plan, [first], Pool.BURST)
    )
    assert "1 of its 2 workloads" in sheet.remedy.text() and "Burst" in sheet.remedy.text()


def _as_today(project: Project, plan: str) -> tuple[Scenario, ...]:
    return tuple(
        replace(one, start=AS_TODAY, pools={}) if one.name == plan else one for one in project.scenarios
    )


@pytest.mark.parametrize("height", [420, 900])
def test_where_there_is_little_room_the_rows_scroll_and_nothing_overlaps(
    qtbot: QtBot, window: MainWindow, height: int
) -> None:
    leak = leak_of(window, "failed_work")
    sheet = flow_of(qtbot, window, replace(leak, parts=leak.parts * 10)).sheet
    sheet.resize(760, height)
    QTest.qWait(20)
    assert sheet.table.geometry().bottom() < sheet.counted.geometry().top()
    assert sheet.counted.height() >= sheet.counted.heightForWidth(sheet.counted.width())
    rows = (sheet.table.height() - sheet.table.horizontalHeader().height()) // sheet.table.row_height
    assert (rows < ROWS_SEEN) is (height < 500)


def test_what_a_plan_cannot_show_is_said_and_noted(qtbot: QtBot, window: MainWindow) -> None:
    sheet = flow_of(qtbot, window, leak_of(window, "idle_tail", "contract")).sheet
    assert sheet.remedy.text() == str(WHAT_A_PLAN_CANNOT_SHOW)
    sheet.accept_button.click()
    assert "$301 per month" in sheet.decided.text()
    (decided,) = window.session.document.project.scenario(window.session.scenario).leak_decisions
    assert (decided.pool, decided.status) == (None, LeakStatus.ACCEPTED)
    assert decided.usd_per_month == pytest.approx(300.7)


def test_a_leak_is_dismissed_only_with_a_reason_and_can_be_opened_again(
    qtbot: QtBot, window: MainWindow
) -> None:
    sheet = flow_of(qtbot, window, leak_of(window, "failed_work")).sheet
    sheet.dismiss_button.click()
    assert not sheet.dismiss_button.isEnabled()
    assert "reason" in sheet.dismiss_button.toolTip()
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    assert sheet.isVisible() and sheet.accept_button.isVisible()
    sheet.dismiss_button.click()
    reason = "Tests: nodes-7"
    sheet.words.setText(reason)
    QTest.keyClick(sheet.words, Qt.Key.Key_Return)
    (decided,) = window.session.document.project.scenario(window.session.scenario).leak_decisions
    assert (decided.status, decided.reason) == (LeakStatus.DISMISSED, reason)
    assert reason in sheet.decided.text()
    assert sheet.usd.property("role") == "muted"
    sheet.reopen_button.click()
    assert window.session.document.project.scenario(window.session.scenario).leak_decisions == ()
    assert sheet.accept_button.isVisible() and sheet.usd.property("role") == ""


@pytest.mark.long
def test_what_was_decided_of_a_leak_and_taken_back_leaves_the_log_together(
    qtbot: QtBot, window: MainWindow
) -> None:
    document, plan = window.session.document, window.session.scenario
    document.edit(
        "Note", edits.plans.add_decision(document.project, plan, AT_S, "Note", "asked by the board")
    )
    before = document.project.scenario(plan)
    sheet = flow_of(qtbot, window, leak_of(window, "failed_work")).sheet
    sheet.accept_button.click()
    assert len(document.project.scenario(plan).decisions) == len(before.decisions) + 1
    sheet.reopen_button.click()
    assert document.project.scenario(plan) == before
    window.session.gestures.edit(
        "Note", lambda project: edits.plans.add_decision(project, plan, AT_S, "Note", "another")
    )
    assert len(document.project.scenario(plan).decisions) == len(before.decisions) + 1


def test_every_plan_decides_for_itself(qtbot: QtBot, window: MainWindow) -> None:
    names = [plan.name for plan in window.session.document.project.scenarios]
    assert len(names) > 1
    sheet = flow_of(qtbot, window, leak_of(window, "failed_work")).sheet
    sheet.accept_button.click()
    sheet.plan.setCurrentText(names[1])
    sheet.plan.activated.emit(1)
    assert sheet.accept_button.isVisible()
    assert sheet.plan.currentText() == names[1]


@pytest.mark.parametrize("usd", [None, 0.0])
def test_an_unknown_rate_is_a_dash_with_a_remedy(qtbot: QtBot, window: MainWindow, usd: float | None) -> None:
    leak = leak_of(window, "contention")
    parts = tuple(
        replace(part, leaked_in_window=usd, leaked_per_month=usd, counted_per_month=usd)
        for part in leak.parts
    )
    sheet = flow_of(qtbot, window, replace(leak, parts=parts)).sheet
    assert sheet.usd.text() == ("—" if usd is None else "$0")
    assert ("enter the rate" in sheet.worked_out.text()) is (usd is None)


@pytest.mark.long
def test_the_window_opens_the_sheet_of_a_leak_and_its_clock_runs_on(
    qtbot: QtBot, new_window: MainWindow
) -> None:
    leak = leak_of(new_window, "failed_work")
    shown = new_window.session.view_state
    assert shown is not None
    evaluation = replace(shown.evaluation, audit=replace(shown.evaluation.audit, leaks=(leak,)))
    new_window.session.view_state = replace(shown, evaluation=evaluation)
    jobs: list[object] = []
    new_window.session.asks.jobs_asked.connect(jobs.append)
    new_window.open_leak("failed_work:atlas")
    new_window.open_leak("failed_work:atlas")  # it is there: a second one would lie over it
    (sheet,) = new_window.findChildren(LeakSheet)
    assert sheet.isVisible() and not sheet.isModal()
    sheet.workload_asked.emit(leak.parts[0].id)
    assert [card.key for card in jobs] == [leak.parts[0].id]  # type: ignore[attr-defined]
    assert new_window.session.time_s() == new_window.session.document.project.window.end_s
    new_window.session.now_s = AT_S
    assert new_window.session.time_s() >= AT_S
    sheet.contract_asked.emit("atlas")
    assert not sheet.isVisible()


def shown_with(window: MainWindow, *leaks: Leak) -> None:
    shown = window.session.view_state
    assert shown is not None
    evaluation = replace(shown.evaluation, audit=replace(shown.evaluation.audit, leaks=leaks))
    window.session.view_state = replace(shown, evaluation=evaluation)


def test_another_leak_takes_the_place_of_the_one_before(qtbot: QtBot, window: MainWindow) -> None:
    shown_with(window, leak_of(window, "failed_work"), leak_of(window, "idle_tail"))
    window.open_leak("failed_work:atlas")
    (first,) = (sheet for sheet in window.findChildren(LeakSheet) if sheet.isVisible())
    first.move(40, 60)
    place = first.pos()
    window.open_leak("idle_tail:atlas")
    (second,) = (sheet for sheet in window.findChildren(LeakSheet) if isValid(sheet) and sheet.isVisible())
    assert (second.leak_id, second.pos()) == ("idle_tail:atlas", place)
    second.close()


@pytest.mark.parametrize(
    "code", one_in(2, ["failed_work", "contention", "idle_tail", "consolidation_premium"])
)
def test_every_figure_of_the_sheet_answers(qtbot: QtBot, window: MainWindow, code: str) -> None:
    leak = leak_of(window, code, "contract" if code == "idle_tail" else "workload")
    project = window.session.document.project
    audit = replace(evaluation_of(project, window.session.scenario).audit, leaks=(leak,))
    evidence = evidence_of(project, audit)
    sheet = flow_of(qtbot, window, leak).sheet
    told = [(words, Cell(text=words.split(" ")[0], figure_id=of)) for of, words in sheet.counted.facts]
    cells = [
        ("head", Cell(text=sheet.usd.text(), figure_id=sheet.usd.figure_id)),
        *told,
        *figures_of(sheet.table),
    ]
    assert len(cells) == 3 + 4 * 3
    for name, cell in cells:
        assert cell.figure_id, name
        trace = ANSWERS.answer(evidence, cell.figure_id)
        assert trace.figure_id == cell.figure_id and agrees(trace, cell.text), (name, trace.value)
        assert arrived(trace) == pytest.approx(
            trace.value, abs=1.0 if isinstance(trace.value, int) else 0.01
        ), name
        assert trace.words and trace.symbols


def test_from_the_sheet_to_an_answer_to_the_jobs_and_back(qtbot: QtBot, window: MainWindow) -> None:
    leak = leak_of(window, "failed_work")
    shown_with(window, leak)
    window.open_leak(leak.leak_id)
    (sheet,) = (sheet for sheet in window.findChildren(LeakSheet) if sheet.isVisible())
    asked: list[object] = []
    window.session.asks.jobs_in_hours_asked.connect(lambda card, *_: asked.append(card.key))
    activate(sheet)
    sheet.usd.setFocus()
    QTest.keyClick(sheet.usd, Qt.Key.Key_F1)
    qtbot.waitUntil(window.why.isVisible)
    assert window.why.why.title.startswith("Work that failed")
    window.questions.follow(next(row.key for row in window.why.why.rows if row.key))
    assert asked == [leak.parts[1].id] and window.questions.can_resume
    window.questions.resume()
    assert window.why.isVisible()
    window.why.hide()
    activate(sheet)
    sheet.table.setFocus()
    sheet.table.setCurrentIndex(sheet.table.model().index(0, 1))
    QTest.keyClick(sheet.table, Qt.Key.Key_F1)
    qtbot.waitUntil(window.why.isVisible)
    window.why.hide()
    sheet.close()


def test_back_from_the_jobs_when_the_sheet_is_closed_meanwhile(qtbot: QtBot, window: MainWindow) -> None:
    leak = leak_of(window, "failed_work")
    shown_with(window, leak)
    window.open_leak(leak.leak_id)
    (sheet,) = (sheet for sheet in window.findChildren(LeakSheet) if sheet.isVisible())
    sheet.usd.click()
    qtbot.waitUntil(window.why.isVisible)
    window.questions.follow(next(row.key for row in window.why.why.rows if row.key))
    sheet.close()
    qtbot.waitUntil(lambda: not isValid(sheet))
    window.questions.resume()
    assert window.why.isVisible()
    window.why.hide()
