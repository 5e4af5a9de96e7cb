"""The audit page: every figure answers why, down to job rows that add up; nothing is drawn twice, nothing is cut."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLabel, QMenu
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from gpuplanner.app.document import Document
from gpuplanner.app.past.audit_answers import ANSWERS
from gpuplanner.app.past.job_pages import kept_rows
from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.quarter import quarter
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence.audit_evidence import Evidence, evidence_of, hours_in
from gpuplanner.domain.evidence.trace import JOBS, Trace, figure, parts_of
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.queue.rows import WaitsBy
from gpuplanner.domain.queue.waits import Waits
from gpuplanner.files.job_logs.reduce.job_rows import jobs_of_workloads
from gpuplanner.ui.audit import classes_card, clusters
from gpuplanner.ui.audit.page import TWO_COLUMNS_FROM
from gpuplanner.ui.audit.quarter_card import QuarterCard
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.kit.style_sheet import apply_palette, begin_palette
from gpuplanner.ui.kit.type_scale import base_font, text_width
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.limited_table import LimitedTable
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from tests.arrived import arrived
from tests.oracle.crafted import CRAFTED
from tests.some_of import some_of
from tests.ui.audit_world import audit_evaluation
from tests.ui.conftest import activate
from tests.ui.fake_app import FakeEvaluator

LOOKED_UP = frozenset(f"hour-{day}-{hour}" for day, hour in ((0, 0), (1, 3), (3, 14), (4, 20), (6, 23)))
SIZES = ((960, 540), (1280, 800), (1440, 900), (1920, 1080))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("audit")


@pytest.fixture(scope="module")
def evaluation(folder: Path) -> Evaluation:
    return audit_evaluation(folder)


@pytest.fixture(scope="module")
def evidence(evaluation: Evaluation) -> Evidence:
    return evidence_of(evaluation.project, evaluation.audit, evaluation.fit or ())


@pytest.fixture(scope="module")
def window_on_today(qapp: QApplication, evaluation: Evaluation) -> Iterator[MainWindow]:
    """The main window on Today of this world, one for all tests of the file. Take `window`."""
    begin_palette(qapp, LIGHT)

    def answer_with(project: Project, scenario: str, step: int = 3) -> Evaluation:
        return replace(evaluation, project=project, scenario=scenario)

    made = MainWindow(Document(evaluation.project), FakeEvaluator(answer_with))
    apply_palette(qapp, LIGHT)
    made.session.evaluator.evaluated.connect(
        lambda _: made.docks.show_waiting()
    )  # no test waits for a panel's turn
    made.resize(1440, 900)
    made.show()
    made.show_project(evaluation.project)
    yield made
    made.questions.tracer.close()
    made.close()
    delete(made)


@pytest.fixture
def window(window_on_today: MainWindow, qapp: QApplication) -> Iterator[MainWindow]:
    """The audit page as it was when it was made, whatever the test before did."""
    window_on_today.resize(1440, 900)
    window_on_today.choose_scenario(TODAY)
    window_on_today.choose_today_view("audit")
    activate(window_on_today)
    for _ in range(3):  # shown, then arranged in the room that the panels leave, then drawn
        qapp.processEvents()
    yield window_on_today
    window_on_today.why.hide()


def check(trace: Trace) -> None:
    """Its rows arrive at the figure: to the cent, and exactly where all are whole numbers."""
    came = arrived(trace)
    if isinstance(trace.value, int) and isinstance(came, int):
        assert came == trace.value, trace.figure_id
    else:
        assert trace.value is not None and came == pytest.approx(trace.value, rel=1e-9, abs=0.004), (
            trace.figure_id
        )


@pytest.mark.long
def test_every_figure_of_the_page_ends_at_job_rows_that_add_up(
    window: MainWindow, evidence: Evidence, folder: Path
) -> None:
    roots = window.audit.figure_ids()
    assert len(roots) > 200 and len(set(roots)) > 200, (
        "clusters, bridge, 168 hours, classes, contracts, leaks"
    )
    left, seen, jobs = list(dict.fromkeys(roots)), set(roots), set()
    while left:
        trace = ANSWERS.answer(evidence, left.pop())
        check(trace)
        asked = [at for at, column in enumerate(trace.columns) if column.unit == "milli_gpu_seconds"]
        for row in trace.rows:
            if parts_of(row.opens)[0] == JOBS:
                jobs.add((row.opens, row.values[asked[0]] if asked else None))
            elif row.opens and row.opens not in seen:
                seen.add(row.opens)
                left.append(row.opens)
    path = kept_rows(folder, evidence.project.jobs.rows_sha256)
    project = evidence.project
    found = {}
    for opens, said in jobs:
        _, scope, key = parts_of(opens)
        if scope.startswith("hour-") and scope not in LOOKED_UP:
            continue  # the rows of every hour are checked above; a log is asked about a few of them
        if opens not in found:
            cluster = project.workloads[evidence.place_of[key]].cluster
            inside = hours_in(scope, project.window, evidence.hours(cluster)) if scope else None
            found[opens] = jobs_of_workloads(
                path, (key,), window=project.window, hours=inside
            ).milli_gpu_seconds
        assert said in (None, found[opens]), f"{opens}: its jobs add up to what its row says, exactly"
    reached = {parts_of(opens)[2] for opens, _ in jobs}
    assert reached == {workload.key for workload in project.workloads if workload.milli_gpu_seconds}


def test_what_is_shown_is_what_the_answer_says(window: MainWindow, evidence: Evidence, qtbot: QtBot) -> None:
    for table in window.audit.findChildren(FigureTable):
        for row in range(table.model().rowCount()):
            for column, cell in enumerate(table.row_at(row).cells):
                if cell.figure_id:
                    assert ANSWERS.answer(evidence, cell.figure_id).value is not None, cell.figure_id
                    assert table.columns[column].is_figure and cell.text


@pytest.mark.long
def test_each_kind_of_figure_opens_its_answer_in_the_window(window: MainWindow, qtbot: QtBot) -> None:
    by_kind = {parts_of(figure_id)[0]: figure_id for figure_id in window.audit.figure_ids()}
    for figure_id in by_kind.values():
        window.questions.ask(figure_id, window.audit.clusters.table)
        qtbot.waitUntil(lambda: not window.questions.tracer.is_busy)
        qtbot.waitUntil(window.why.isVisible)
        text = window.why.why.as_text()
        assert "Inputs" in text and window.why.why.formula in text
        window.why.hide()


def test_a_click_on_a_figure_and_f1_and_enter_ask_why(window: MainWindow, qtbot: QtBot) -> None:
    table = window.audit.clusters.table
    cost = next(at for at, column in enumerate(table.columns) if str(column.title).startswith("Cost"))
    place = table.visualRect(table.model().index(0, cost)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(window.why.isVisible)
    assert window.why.title_label.text().startswith("Cost of fir")
    window.why.hide()
    table.setFocus()
    table.setCurrentIndex(table.model().index(1, cost))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    qtbot.waitUntil(window.why.isVisible)
    assert window.why.title_label.text().startswith("Cost of oak")
    window.why.hide()
    window.why_flow.ask_of_focus()  # F1
    qtbot.waitUntil(window.why.isVisible)


def test_the_keyboard_comes_to_a_figure_and_the_waterfall_and_the_week_ask_too(
    window: MainWindow, qtbot: QtBot
) -> None:
    table = window.audit.contracts.limited.table
    table.setFocus(Qt.FocusReason.TabFocusReason)
    assert table.row_at(0).cells[table.currentIndex().column()].figure_id
    plot = window.audit.bridge.seen.plot
    plot.setFocus()
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    qtbot.keyClick(plot, Qt.Key.Key_Return)
    qtbot.waitUntil(window.why.isVisible)
    assert "Allocated" in window.why.title_label.text()
    window.why.hide()
    heat = window.audit.hours.seen.plot
    heat.setFocus()
    qtbot.keyClick(heat, Qt.Key.Key_Right)
    assert not window.why.isVisible(), "an arrow only goes on"
    qtbot.keyClick(heat, Qt.Key.Key_Return)
    qtbot.waitUntil(window.why.isVisible)
    assert "Mondays, 01:00 to 02:00" in window.why.title_label.text()
    window.why.hide()
    with qtbot.waitSignal(window.audit.figure_opened) as asked:
        qtbot.mouseClick(heat, Qt.MouseButton.LeftButton, pos=heat.cell_rect(3, 14).center())
    assert asked.args[0] == figure("utilization", "", "hour-3-14")


def test_charts_have_a_table_twin_whose_figures_ask_why(window: MainWindow, qtbot: QtBot) -> None:
    for card in (window.audit.bridge, window.audit.hours):
        qtbot.keyClick(card.twins, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
        assert card.table.isVisible()
        ids = card.table.figure_ids()
        assert ids
        assert window.audit.ask_why_of(card.table)
        qtbot.waitUntil(window.why.isVisible)
        window.why.hide()
        card.twins.button.click()
        assert not card.table.isVisible()
    week = window.audit.hours.table
    mean = week.row_at(24).cells[1:]
    assert [cell.figure_id for cell in mean] == [figure("utilization", "", f"day-{day}") for day in range(7)]


def test_the_name_of_a_leak_opens_its_sheet_and_its_figure_opens_why(
    window: MainWindow, qtbot: QtBot
) -> None:
    table = window.audit.leaks.limited.table
    name = table.visualRect(table.model().index(0, 1)).center()
    table.row_opened.disconnect(window.open_leak)
    with qtbot.waitSignal(table.row_opened) as opened:
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=name)
    table.row_opened.connect(window.open_leak)
    assert opened.args[0] == table.row_at(0).key
    column = next(at for at, one in enumerate(table.columns) if str(one.title).endswith("GPU-h per month"))
    place = table.visualRect(table.model().index(0, column)).center()
    with qtbot.waitSignal(window.audit.figure_opened) as asked:
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert asked.args[0] == figure("leak_hours", table.row_at(0).key)
    qtbot.waitUntil(window.why.isVisible)


def test_rows_are_followed_to_the_jobs_and_back(window: MainWindow, qtbot: QtBot) -> None:
    window.questions.ask(figure("cost"), window.audit.clusters.table)
    qtbot.waitUntil(window.why.isVisible)
    first = window.why.title_label.text()
    window.questions.follow(figure("utilization", "fir", "idle"))
    qtbot.waitUntil(lambda: window.why.title_label.text() != first)
    assert window.why.back.isVisible()
    qtbot.keyClick(window.why, Qt.Key.Key_Backspace)
    assert window.why.title_label.text() == first and not window.why.back.isVisible()
    key = next(one.key for one in window.session.document.project.workloads if "vllm" in one.name)
    with qtbot.waitSignal(window.session.asks.jobs_in_hours_asked) as asked:
        window.questions.follow(figure(JOBS, key, "idle"))
    card, inside, words = asked.args
    assert card.key == key and str(words).endswith(" fir")
    assert 0 < inside.sum() < len(inside)
    assert not window.why.isVisible()


def test_the_break_even_of_a_cluster_is_the_same_as_in_the_panel_utilization() -> None:
    case = CRAFTED["two_clusters"]()
    project, found = case.project, audit(case.project, case.classifications)
    assert found.use is not None
    counts = [sum(one.cluster == use.name for one in project.contracts) for use in found.use.clusters]
    assert max(counts) > 1  # of several contracts together, not of one of them
    at = next(
        at for at, one in enumerate(clusters.columns(is_narrow=False)) if str(one.title) == "Break-even"
    )
    rows = clusters.cluster_rows(found, project.contracts, project.window)
    for use, row in zip(found.use.clusters, rows, strict=False):
        if use.break_even_utilization is not None:
            assert row.cells[at].text == numbers.percent(use.break_even_utilization)
        else:
            assert row.cells[at].text in ("n/a", numbers.UNKNOWN)


@pytest.mark.parametrize("size", some_of([(size,) for size in SIZES], quick=1))
def test_nothing_is_cut_and_no_table_scrolls_sideways(
    window: MainWindow, qtbot: QtBot, size: tuple[int, int]
) -> None:
    window.resize(*size)
    QApplication.processEvents()
    QApplication.processEvents()
    assert window.audit.columns == (2 if window.audit.viewport().width() >= TWO_COLUMNS_FROM else 1)
    assert window.audit.widget().width() <= window.audit.viewport().width()
    for table in window.audit.findChildren(FigureTable):
        if table.isVisible():
            assert table.horizontalScrollBar().maximum() == 0, table.accessibleName()
            assert table.verticalScrollBar().maximum() == 0, table.accessibleName()


def test_an_audit_is_drawn_once_and_not_again_when_a_card_moves(
    window: MainWindow, evaluation: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    monkeypatch.setattr(window.audit, "_draw", lambda shown: drawn.append(shown))
    for _ in range(3):
        window.show_evaluation(replace(evaluation, figures=replace(evaluation.figures)))
    assert drawn == []
    window.show_evaluation(replace(evaluation, audit=replace(evaluation.audit)))
    assert len(drawn) == 1, "another audit is drawn"


def test_another_log_is_read_from_the_top_and_another_look_at_the_same_is_not(
    window: MainWindow, evaluation: Evaluation
) -> None:
    bar = window.audit.verticalScrollBar()
    shown = ViewState(
        evaluation=evaluation,
        advice=None,
        outlook=None,
        is_settling=False,
        is_outlook_settling=False,
        usd={},
        cards=(),
    )
    window.audit.show_state(shown)
    bar.setValue(bar.maximum())
    left = bar.value()
    assert left > 0
    window.audit.show_state(replace(shown))
    assert bar.value() == left
    project = replace(evaluation.project, cube=replace(evaluation.project.cube))
    window.audit.show_state(replace(shown, evaluation=replace(shown.evaluation, project=project)))
    assert bar.value() == 0
    window.audit.show_state(shown)


def test_the_switch_shows_the_board_and_is_remembered(window: MainWindow, qtbot: QtBot) -> None:
    assert window.audit.isVisible() and not window.board.isVisible()
    audit = window.today_switch.buttons["audit"]
    audit.setFocus()
    with qtbot.waitSignal(window.session.asks.today_view_chosen) as chosen:
        qtbot.keyClick(audit, Qt.Key.Key_Right)
    assert chosen.args == ["board"]
    assert window.board.isVisible() and not window.audit.isVisible()
    window.choose_today_view("audit")
    window.find_cards()
    assert window.board.isVisible(), "a search is for cards"


def test_what_things_cost_and_what_changed_are_one_click_from_the_audit(
    window: MainWindow, qtbot: QtBot
) -> None:
    for name, title in (("runs", "Training runs"), ("changes", "What changed")):
        qtbot.mouseClick(window.today_switch.links[name], Qt.MouseButton.LeftButton)
        assert window.docks.cost.isVisible()
        assert window.docks.cost.view.currentText() == title
    assert window.docks.cost.periods.dates.text().count(" to ") == 1
    window.docks.close_panel("cost")
    assert not window.docks.cost.isVisible()


def test_the_steps_of_the_quarter_stand_whole_on_the_page(window: MainWindow) -> None:
    first, *_, last = window.audit.quarter.as_text().splitlines()[1:]
    assert first.startswith("Audit by class\tdone\t")
    assert last.startswith("Flat rates\tdone\t")


def test_each_next_action_of_the_quarter_opens_its_place(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []
    kept = replace(window.ways, panel=opened.append, scenario=opened.append)
    monkeypatch.setattr(window, "ways", kept)
    window.session.asks.import_asked.connect(partial(opened.append, "files"))
    plan = window.session.project.scenarios[0].name
    table = window.audit.quarter.table
    heads = [str(one.title).split("\n")[0] for one in table.columns]
    rows = [table.row_at(row) for row in range(table.model().rowCount())]
    assert len(rows) == 4
    for row in rows:
        action = row.cells[heads.index("Next action")]
        assert (action.role == "accent") is bool(row.key) is bool(action.tip)
        if row.key:
            table.row_opened.emit(row.key)
    places = [window.audit.quarter.places[row.key] for row in rows if row.key]
    assert opened == [plan if place == "plan" else str(place) for place in places]
    assert len(places) >= 3


@pytest.mark.usefixtures("qapp")
def test_the_amounts_of_the_quarter_are_named_and_a_broken_limit_is_over(evaluation: Evaluation) -> None:
    card = QuarterCard()
    steps = quarter(evaluation.project, evaluation.audit)
    latency = steps[1]._replace(missing=(), answer=steps[1].answer._replace(figure=87.9, is_over=True))
    shown = [steps[0], latency, *steps[2:]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gpuplanner.domain.reports.mix.quarter.quarter", lambda *_: shown)
        card.show_state(SimpleNamespace(evaluation=evaluation))
    heads = [str(one.title).split("\n")[0] for one in card.table.columns]
    state, amount, cost = (heads.index(name) for name in ("State", "Amount", "Cost"))
    rows = [card.table.row_at(row).cells for row in range(4)]
    assert (rows[1][state].text, rows[1][state].icon) == ("over", "triangle")
    assert rows[0][state].text == "done"
    mark_px, gap_px = 22, 8
    around = mark_px + gap_px + card.table.edge_of(state)
    assert card.table.columns[state].width >= text_width("over", base_font("strong")) + around
    assert all(row[amount].text for row in rows if row[cost].value is not None)
    assert len({row[amount].text for row in rows}) == 4


def test_a_unit_beside_a_title_is_never_cut(qtbot: QtBot) -> None:
    frame = CardFrame("Bridge", "$ per month")
    qtbot.addWidget(frame)
    frame.note("a note that is far too long for the card " * 4)
    frame.resize(360, 80)
    frame.show()
    assert any(one.text() == "$ per month" for one in frame.findChildren(QLabel))


def test_the_classes_say_how_much_of_them_is_unsure(evaluation: Evaluation) -> None:
    project, found = evaluation.project, evaluation.audit
    sure = replace(project, assumptions=replace(project.assumptions, review_below=0.0))
    assert classes_card.in_review(sure, found) == ""
    unsure = replace(project, assumptions=replace(project.assumptions, review_below=1.01))
    settled = {row.key for row in found.workloads if row.classification.is_settled}
    left = [one for one in project.workloads if one.gpu_jobs and one.key not in settled]
    share = sum(one.milli_gpu_seconds for one in left) / sum(
        one.milli_gpu_seconds for one in project.workloads
    )
    words = f"{numbers.counted(len(left), 'workload')} in review, {numbers.percent(share)} of GPU-h"
    assert left and classes_card.in_review(unsure, found) == words


def test_copies_are_text_with_tabs_and_a_picture(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    text = window.audit.as_text()
    for card in window.audit.cards.values():
        assert f"{card.frame.title}\n" in text
    assert "fir\t" in text
    words = [action.text() for action in window.audit.copy_menu(QPoint(40, 40)).actions()]
    assert len(words) > 1 and any("Clusters" in word for word in words)
    scrolled, places, menu = window.audit.verticalScrollBar(), list[QPoint](), QMenu()
    scrolled.setValue(90)
    monkeypatch.setattr(window.audit, "copy_menu", lambda at: (places.append(at), menu)[1])
    monkeypatch.setattr(QMenu, "exec", lambda *_: None)
    window.audit.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(40, 40), QPoint()))
    assert places == [QPoint(40, 40 + scrolled.value())] and scrolled.value() > 0
    scrolled.setValue(0)


def test_without_contracts_the_page_says_what_is_missing(window: MainWindow, evaluation: Evaluation) -> None:
    bare = replace(evaluation.project, contracts=(), offers=())
    from gpuplanner.domain.evaluation import evaluate_audit
    from gpuplanner.files.system.resources import read_tables

    empty = evaluate_audit(bare, TODAY, read_tables())
    window.show_evaluation(empty)
    QApplication.processEvents()
    said = " ".join(label.text() for label in window.audit.findChildren(QLabel) if label.isVisible())
    assert "Import contracts" in said
    evidence = evidence_of(empty.project, empty.audit, empty.fit or ())
    for figure_id in window.audit.figure_ids():
        trace = ANSWERS.answer(evidence, figure_id)
        assert trace.value is not None, f"{figure_id}: what is unknown is no figure to ask about"
        check(trace)
    window.show_evaluation(evaluate_audit(replace(evaluation.project, contracts=()), TODAY, read_tables()))
    lines = [line.split("\t") for line in window.audit.worth.as_text().splitlines()]
    beside = [amounts for name, *amounts in lines if name.startswith(("Stranded", "Idle cost"))]
    assert beside == [["—"]] * 3  # nothing is known to be paid: that is not 0


def test_a_long_table_shows_its_first_rows_and_all_on_demand(qtbot: QtBot) -> None:
    limited = LimitedTable("Rows")
    qtbot.addWidget(limited)
    rows = [Row((Cell(text=f"row {at}"), Cell(text=str(at)))) for at in range(40)]
    total = Row((Cell(text="40 rows"), Cell(text="780")), is_total=True)
    limited.show_rows((Column(title="", is_figure=False), Column(title="n")), [*rows, total], 8, "more rows")
    limited.show()
    assert limited.table.model().rowCount() == 9 and limited.more.text() == "and 32 more rows"
    limited.more.click()
    assert limited.table.model().rowCount() == 41
    assert limited.table.height() < 41 * limited.table.row_height, "drawn only where it is seen"
    assert limited.as_text().count("\n") == 41
    limited.more.click()
    assert limited.table.model().rowCount() == 9


def test_waits_stand_by_what_is_chosen_who_waited_most_first(window: MainWindow) -> None:
    def row(by: str, name: str, waited_gpu_hours: float) -> WaitsBy:
        found = Waits(jobs=10, share_over_1h=0.5, mean_h=1.0, p50_h=0.5, p90_h=3.0, p99_h=6.0)
        return WaitsBy(
            by=by,
            name=name,
            waits=found,
            waited_gpu_hours=waited_gpu_hours,
            waited_gpus_most=4.0,
            contended_hours=2,
            waited_with_room=0.25,
        )

    window.audit.show_waits((row("pool", "training", 5.0), row("team", "few", 1.0), row("team", "most", 9.0)))
    card = window.audit.waits
    assert not card.frame.isHidden() and [one.cells[0].text for one in card.limited.rows] == ["Training"]
    card.by.setCurrentIndex(card.by.findData("team"))
    assert [one.cells[0].text for one in card.limited.rows] == ["most", "few"]
    assert "25.0%" in card.limited.as_text()  # of the waiting had room
    window.audit.show_waits(None)
    assert card.frame.isHidden()
