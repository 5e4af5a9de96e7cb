"""Figures of dialogs and of the card above the board: what is worked out answers; what was read or typed is named."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from gpuplanner.app.importing.file_previews import Previewer
from gpuplanner.app.importing.importer import Importer
from gpuplanner.app.past.audit_answers import ANSWERS
from gpuplanner.domain import edits
from gpuplanner.domain.demand.classification import classify
from gpuplanner.domain.demand.rule_preview import rule_amounts
from gpuplanner.domain.evidence.audit_evidence import evidence_of
from gpuplanner.domain.evidence.trace import Trace
from gpuplanner.domain.model.intake import DataQuality, LogGap
from gpuplanner.domain.model.tables import ClassRule, Pool
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.flows.leaks.leak_sheet import LeakSheet
from gpuplanner.ui.flows.rules_flow import preview_rules
from gpuplanner.ui.importing.import_dialog import ImportDialog
from gpuplanner.ui.importing.last_page import LastPage
from gpuplanner.ui.plans.rule_dialog import RuleDialog
from gpuplanner.ui.plans.rules_dialog import RulesDialog
from gpuplanner.ui.plans.separation import Separation, SeparationMove
from gpuplanner.ui.plans.separation_dialog import SeparationDialog
from gpuplanner.ui.plans.split_dialog import SplitDialog
from gpuplanner.ui.tables.cells import Cell
from gpuplanner.ui.tables.facts_label import FactsLabel
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words.lanes import Lane, lane_of
from tests.arrived import arrived
from tests.some_of import one_in, some_of
from tests.ui import test_access_of_dialogs as dialogs
from tests.ui.conftest import activate
from tests.ui.fake_preview import FakePreview
from tests.ui.flows.test_why_everywhere import agrees, figures_of

window = dialogs.window
READ: Final = {"Assumptions": "values are typed, and their defaults are those of the program"}
"""Tables by their name whose numbers were read or typed, so that nothing was worked out; and why."""


@pytest.fixture(params=one_in(6, sorted(set(dialogs.DIALOGS) - {"Presenter", "Tour"})))
def dialog(
    request: pytest.FixtureRequest, window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> Iterator[QWidget]:
    yield from dialogs.opened(request.param, window, tmp_path, qtbot)


def check(answer: Callable[[str], Trace], where: str, cells: list[tuple[str, Cell]]) -> None:
    assert cells, where
    for name, cell in cells:
        assert cell.figure_id, f"{where}: no answer is asked for {name}"
        trace = answer(cell.figure_id)
        assert trace.figure_id in ("", cell.figure_id), (where, name)  # of the dialog's own who asks says it
        assert agrees(trace, cell.text), (where, name, trace.value)
        slack = 1.0 if isinstance(trace.value, int) else 0.01
        if not cell.figure_id.startswith("workload_cost"):  # what workloads of the sample cost is made up
            assert arrived(trace) == pytest.approx(trace.value, abs=slack), (where, name)
        assert trace.words and trace.symbols, (where, name)


def facts_of(label: FactsLabel) -> list[tuple[str, Cell]]:
    return [(words, Cell(text=words.split(" ")[0], figure_id=of)) for of, words in label.facts]


def answer_of(dialog: QWidget) -> Callable[[str], Trace] | None:
    """Who answers for the figures of a dialog: the dialog itself; of the sheet of a leak the window, from the audit."""
    if isinstance(dialog, LeakSheet):
        audit = replace(dialogs.SHOWN.evaluation.audit, leaks=(dialog.shown.leak,))
        return partial(ANSWERS.answer, evidence_of(dialogs.PROJECT, audit))
    return getattr(dialog, "trace", None)


def test_no_number_that_is_worked_out_in_a_dialog_is_without_an_answer(dialog: QWidget) -> None:
    tables = dialog.findChildren(FigureTable)
    for table in tables:
        if table.accessibleName() not in READ:
            without = [name for name, cell in figures_of(table) if not cell.figure_id]
            assert not without, f"{table.accessibleName()}: {without[:5]}"
    for label in dialog.findChildren(FactsLabel):
        answer = answer_of(dialog)
        if label.facts and answer is not None:
            check(answer, label.accessibleName(), facts_of(label))


@pytest.fixture
def separation(window: MainWindow) -> Iterator[SeparationDialog]:
    window.choose_scenario(dialogs.PLAN)
    moves = [
        SeparationMove(card, Lane.REVIEW, lane_of(card.pool), window.session.view_state.usd.get(card.key))
        for card in window.session.view_state.cards[:7]
    ]
    made = SeparationDialog(Separation(tuple(moves), 0, 0, 0), window)
    window.board_flow.open_dialog(made)
    yield made
    window.why.hide()
    made.close()
    QApplication.processEvents()


@pytest.mark.long
def test_what_would_move_answers_and_the_popover_stands_over_the_dialog(
    window: MainWindow, separation: SeparationDialog
) -> None:
    cells = figures_of(separation.table)
    assert len(cells) > 3
    check(separation.trace, "separation", cells)
    activate(separation)
    separation.table.setFocus()
    separation.table.setCurrentIndex(
        separation.table.model().index(separation.table.model().rowCount() - 1, 4)
    )
    QTest.keyClick(separation.table, Qt.Key.Key_F1)
    total = separation.trace(cells[-1][1].figure_id)
    assert window.why.isVisible() and str(total.title) in window.why.why.title
    window.questions.follow(next(row.key for row in window.why.why.rows if row.key))  # the plan's own answer
    assert window.why.back.isVisible() and "Cost of" in window.why.why.title
    window.why.go_back()


def test_both_parts_of_a_card_answer_whatever_divides_it(window: MainWindow, qtbot: QtBot) -> None:
    window.choose_scenario(dialogs.PLAN)
    card = max(window.session.view_state.cards, key=lambda one: one.gpu_hours_per_month)
    window.board_flow.ask_split(card.key)
    (made,) = window.findChildren(SplitDialog)
    for way in (made.share, made.time, made.week):
        way.setChecked(True)
        cells = facts_of(made.said)
        if cells:  # a workload may not run in these hours
            check(made.trace, way.text(), cells)
    made.share.setChecked(True)
    made.said.linkActivated.emit(made.said.facts[1][0])
    assert window.why.isVisible() and card.name in window.why.why.title
    window.why.hide()
    made.close()


def test_the_card_of_data_quality(window: MainWindow) -> None:
    shown = window.session.view_state
    gap = LogGap(1_790_000_000, 1_790_000_000 + 30 * 3600)
    quality = DataQuality(
        jobs=1234, hours=2000, busy_hours=1600, gaps=(gap,), shorter_gap_hours=12,
        with_id=1234, with_name=1111, with_user=1049, naive=0, zero_length=16, gpu_time=4e9, with_model=2.8e9,
        with_activity=1e9,
    )  # fmt: skip
    project = replace(shown.evaluation.project, jobs=replace(shown.evaluation.project.jobs, quality=quality))
    evaluation = replace(shown.evaluation, project=project)
    window.data_quality.show_evaluation(evaluation)
    QApplication.processEvents()
    before, window.session.view_state = shown, replace(shown, evaluation=evaluation)
    try:
        cells = figures_of(window.data_quality.table)
        assert len(cells) == 10
        check(window.why_everywhere.trace, "quality", cells)
        assert window.data_quality.table in window.why_everywhere.views  # so that a click and F1 ask
    finally:
        window.session.view_state = before
        window.data_quality.show_evaluation(before.evaluation)


def burst_rule(project) -> ClassRule:  # type: ignore[no-untyped-def]
    """A rule that takes the workloads of one owner for burst."""
    owner = Counter(one.owner for one in project.workloads).most_common(1)[0][0]
    return ClassRule(
        rule_id="burst-of-owner",
        field="owner",
        pattern=owner,
        pool=Pool.BURST,
        subtype="",
        confidence=0.97,
        reason="",
    )


def test_what_a_rule_would_change_answers(window: MainWindow, qtbot: QtBot) -> None:
    project, evaluation = dialogs.PROJECT, dialogs.SHOWN.evaluation
    usd = {row.key: row.usd_per_month for row in evaluation.audit.workloads}
    rule = burst_rule(project)
    made = RuleDialog((), (), window, changed=rule)
    qtbot.addWidget(made)
    made.asked = rule
    made.show_preview(preview_rules(project, (rule,), read_tables(), usd))
    audit = evidence_of(project, evaluation.audit)

    def traced(figure_id: str) -> Trace:
        try:
            return made.trace(figure_id)
        except KeyError:
            return ANSWERS.answer(audit, figure_id)

    effects = figures_of(made.table)
    assert any(cell.figure_id.startswith("workload_cost") for _, cell in effects)
    check(traced, "effects", effects)
    check(traced, "classes", [(name, replace(cell, text=cell.text.replace("\u00b1", ""))) for name, cell in
                              figures_of(made.classes)])  # fmt: skip
    assert len(figures_of(made.classes)) == 18


def test_what_each_rule_decides_answers(window: MainWindow, qtbot: QtBot) -> None:
    project, evaluation = dialogs.PROJECT, dialogs.SHOWN.evaluation
    usd = {row.key: row.usd_per_month for row in evaluation.audit.workloads}
    project = edits.class_rules.add_rules(project, (burst_rule(project),))
    tables = read_tables()
    found = classify(project.workloads, project.cube, project.labels, tables, project.rules)
    made = RulesDialog(project, (), window)
    qtbot.addWidget(made)
    made.show_amounts(rule_amounts(project, found, usd))
    cells = figures_of(made.table)
    assert len(cells) == 4
    check(made.trace, "rules", cells)


LOG = """job_id,name,user,gpu_model,gpus,start,end
1,train,ann,H100,8,2026-07-03T05:00:00Z,2026-07-04T05:00:00Z
2,train,ann,H100,4,2026-07-05T05:00:00Z,2026-07-06T05:00:00Z
3,chat,bob,H100,1,2026-07-05T05:00:00Z,2026-07-06T05:00:00Z
4,chat,bob,H100,1,2026-07-05T05:00:00Z,not yet
"""


@pytest.mark.long
@pytest.mark.parametrize("has_project", some_of([True, False], quick=1))
def test_every_count_of_an_import_answers(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, has_project: bool
) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text(LOG, encoding="utf-8")
    importer, previewer = Importer(), Previewer(FakePreview())
    made = ImportDialog(
        paths=[str(path)],
        project=dialogs.PROJECT,
        importer=importer,
        rows_dir=None,
        parent=window,
        previewer=previewer,
    )
    window.questions.answer_for(made)
    made.show()
    qtbot.waitUntil(lambda: not made.is_working)
    report = [one for table in made.report.findChildren(FigureTable) for one in figures_of(table)]
    assert len(report) >= 6
    check(made.trace, "report", report)
    shown = window.session.view_state
    if not has_project:
        window.session.view_state = None  # an import is what a project begins with
    table = next(one for one in made.report.findChildren(FigureTable) if one.figure_ids())
    table.figure_opened.emit(table.figure_ids()[0], table.rect())
    first = made.trace(table.figure_ids()[0])
    assert window.why.isVisible() and str(first.title) in window.why.why.title
    window.why.hide()
    window.session.view_state = shown
    made.close()
    previewer.close()
    importer.close()
    delete(made)


def test_what_an_import_takes_in_answers(qtbot: QtBot) -> None:
    project = dialogs.PROJECT
    jobs = replace(project.jobs, count=120, gpu_jobs=90, milli_gpu_seconds=sum(
        one.milli_gpu_seconds for one in project.workloads))  # fmt: skip
    read = SimpleNamespace(accepted_jobs=130, jobs=jobs, workloads=project.workloads, window=project.window)
    request = SimpleNamespace(
        job_paths=("jobs.csv",), contract_paths=(), price_paths=(), place_paths=(), planned_paths=()
    )
    page = LastPage()
    qtbot.addWidget(page)
    page.show_read(request, read, "")
    cells = figures_of(page.figures)
    assert len(cells) == 6
    check(page.trace, "taken", cells)
