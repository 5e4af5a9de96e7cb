"""Every dialog and sheet: named, with words or a tip on every button, reached by Tab alone, and left by Esc."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDateEdit,
    QDialog,
    QRadioButton,
    QScrollArea,
    QScrollBar,
    QTabBar,
    QTextBrowser,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import delete

import gpuplanner.ui
from gpuplanner.app.differences import differences
from gpuplanner.app.document import Document
from gpuplanner.app.importing.file_previews import Previewer
from gpuplanner.app.importing.importer import Importer
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.audit.log_checks import VariantAsked
from gpuplanner.domain.model.book.only import Sellers
from gpuplanner.domain.model.gpu_family import Same, SameKind
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.unmatched import Named, NameRow
from gpuplanner.domain.model.window import Window
from gpuplanner.ui.board.job_sheet import JobsSheet
from gpuplanner.ui.flows.dated_flow import planned_choices
from gpuplanner.ui.flows.exports.request_flow import RequestDialog
from gpuplanner.ui.flows.leaks.leak_flow import LeakFlow
from gpuplanner.ui.flows.tour_flow import STEPS, Tour
from gpuplanner.ui.frame.changed_dialog import ChangedDialog
from gpuplanner.ui.importing.import_dialog import ImportDialog
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.kit.progress_dialog import ProgressDialog
from gpuplanner.ui.kit.small_dialogs import Question
from gpuplanner.ui.kit.style_sheet import apply_palette
from gpuplanner.ui.plans.ask_dialog import AskDialog
from gpuplanner.ui.plans.assumptions_dialog import AssumptionsDialog
from gpuplanner.ui.plans.contract_dialog import ContractDialog
from gpuplanner.ui.plans.currency_dialog import CurrencyDialog
from gpuplanner.ui.plans.dates_dialog import DatesDialog
from gpuplanner.ui.plans.demand_dialog import DemandDialog
from gpuplanner.ui.plans.limits_dialog import Group, LimitsDialog
from gpuplanner.ui.plans.merge_dialog import MergeDialog
from gpuplanner.ui.plans.names_dialog import NamesDialog
from gpuplanner.ui.plans.plan_from_dialog import PlanFromDialog
from gpuplanner.ui.plans.planned_dialog import PlannedDialog
from gpuplanner.ui.plans.rule_dialog import RuleDialog
from gpuplanner.ui.plans.rules_dialog import RulesDialog
from gpuplanner.ui.plans.separation import separation_of
from gpuplanner.ui.plans.separation_dialog import SeparationDialog
from gpuplanner.ui.plans.split_dialog import SplitDialog
from gpuplanner.ui.plans.team_dialog import TeamChoice, TeamDialog
from gpuplanner.ui.plans.window_dialog import WindowDialog
from gpuplanner.ui.present.presenter import Presenter
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.tables.facts_label import FactsLabel
from gpuplanner.ui.window.command_palette import CommandPalette
from gpuplanner.ui.window.help_dialogs import AboutDialog, DocumentDialog, GlossaryDialog, KeysDialog
from gpuplanner.ui.window.main_window import MainWindow
from tests.some_of import one_in
from tests.ui.fake_app import FakeEvaluator
from tests.ui.fake_preview import FakePreview
from tests.ui.flows.leaks.test_leak_flow import leak_of
from tests.ui.sample_world import evaluation_of, sample_project
from tests.ui.test_access import unnamed

PROJECT = sample_project()
PLAN = PROJECT.scenarios[0].name
SHOWN = next_view_state(None, evaluation_of(PROJECT, PLAN))
Make = Callable[[MainWindow, Path], QWidget]


@pytest.fixture(scope="module")
def window(qapp: QApplication) -> Iterator[MainWindow]:
    apply_palette(qapp, LIGHT)
    made = MainWindow(Document(PROJECT), FakeEvaluator(evaluation_of))
    made.show_project(PROJECT)
    made.choose_scenario(PLAN)
    made.resize(960, 540)
    made.show()
    yield made
    made.close()
    delete(made)


def _leak(window: MainWindow, _: Path) -> QWidget:
    leak = leak_of(window, "failed_work")
    evaluation = evaluation_of(PROJECT, PLAN)
    evaluation = replace(evaluation, audit=replace(evaluation.audit, leaks=(leak,)))
    return LeakFlow(window.session, evaluation, leak.leak_id).sheet


def _presenter(window: MainWindow, _: Path) -> QWidget:
    made = Presenter()
    made.show_state(SHOWN, PROJECT.window.end_s)
    return made


def _import(folder: Path) -> QWidget:
    path = folder / "jobs.csv"
    path.write_text("job_id,user,submit,gpus\n1,ann,2026-07-03 05:00,8\n", encoding="utf-8")
    importer, previewer = Importer(), Previewer(FakePreview())
    made = ImportDialog([str(path)], PROJECT, importer, None, previewer=previewer)
    made.finished.connect(lambda _: (previewer.close(), importer.close()))
    return made


def _separation(window: MainWindow, _: Path) -> QWidget:
    found = {row.key: row.classification for row in SHOWN.evaluation.audit.workloads}
    return SeparationDialog(separation_of(SHOWN, found), window)


def _demand(window: MainWindow) -> QWidget:
    made = DemandDialog(of=("c/o/7", "7"), begins_s=0, first_s=0, refusal=lambda *step: "", parent=window)
    made.show_steps(("7", "8"))
    return made


def _changed(window: MainWindow, _: Path) -> QWidget:
    made = ChangedDialog(Path("7.gpuplan"), None, "7 (2).gpuplan", "7-8.gpuplan")
    theirs = replace(PROJECT, contracts=PROJECT.contracts[1:], notes={"7": "8"}, title="9")
    made.show_differences(differences(PROJECT, theirs))
    return made


DIALOGS: dict[str, Make] = {
    "AboutDialog": lambda window, _: AboutDialog(),
    "AssumptionsDialog": lambda window, _: AssumptionsDialog(PROJECT, None),
    "ChangedDialog": _changed,
    "ContractDialog": lambda window, _: ContractDialog(
        PROJECT.contracts[0], lambda terms: "", lambda terms: ""
    ),
    "DocumentDialog": lambda window, _: DocumentDialog(tr("Guide"), "README"),
    "CommandPalette": lambda window, _: CommandPalette(window.commands(), window),
    "CurrencyDialog": lambda window, _: CurrencyDialog(PROJECT, PROJECT.window.end_s),
    "DatesDialog": lambda window, _: DatesDialog(
        verb="end",
        called="x",
        first_s=0,
        moment_s=PROJECT.window.end_s,
        refusal=lambda at_s: "",
        parent=window,
    ),
    "DemandDialog": lambda window, _: _demand(window),
    "GlossaryDialog": lambda window, _: GlossaryDialog(),
    "ImportDialog": lambda window, folder: _import(folder),
    "JobsSheet": lambda window, _: JobsSheet(SHOWN.cards[0], PROJECT.window, None),
    "KeysDialog": lambda window, _: KeysDialog(),
    "LeakSheet": _leak,
    "LimitsDialog": lambda window, _: LimitsDialog([Group("7", ("c/o/7",))], Sellers(("8",), ("9",))),
    "MergeDialog": lambda window, _: MergeDialog(SHOWN.cards[:2], (5.0, 7.0), frozenset()),
    "PlannedDialog": lambda window, _: PlannedDialog(
        None, planned_choices(PROJECT, None), lambda work: "", window
    ),
    "PlanFromDialog": lambda window, _: PlanFromDialog(PROJECT, PROJECT.window.end_s + 90_000),
    "ProgressDialog": lambda window, _: ProgressDialog("Exporting", None),
    "Question": lambda window, _: Question(None, "Title", "A sentence.", ("Keep", "Leave")),
    "RequestDialog": lambda window, _: RequestDialog({"buyer": "ACME"}, 1_790_000_000),
    "RuleDialog": lambda window, _: RuleDialog((), ()),
    "RulesDialog": lambda window, _: RulesDialog(PROJECT, ()),
    "SeparationDialog": _separation,
    "SplitDialog": lambda window, _: SplitDialog("x", Pool.BURST, Window(0, 48), lambda split: (1.0, 2.0)),
    "NamesDialog": lambda window, _: NamesDialog(
        (
            NameRow(
                kind=SameKind.MODEL,
                name="Foo",
                log=Named(("Foo",), 5.0),
                contracts=Named(),
                prices=Named(("Foo",), 1),
                choices=("H100",),
                proposed="H100",
            ),
            NameRow(
                kind=SameKind.CLUSTER,
                name="",
                log=Named(("",), 5.0),
                contracts=Named(),
                prices=Named(),
                choices=("main",),
            ),
        ),
        (VariantAsked("H100", "H100 PCIe", 2, 0.8),),
        (Same(SameKind.CLUSTER, "en", "main"), Same(SameKind.MODEL, "X", "X")),
        window,
    ),
    "AskDialog": lambda window, _: AskDialog("7", window),
    "TeamDialog": lambda window, _: TeamDialog([TeamChoice("7", ["8"])], 0, lambda team, day_s: ""),
    "WindowDialog": lambda window, _: WindowDialog(PROJECT.window, True),
    "Presenter": _presenter,
    "Tour": lambda window, _: Tour(STEPS, window, [window.headline]),
}
SMALL = (960, 540)
"""Pixels of the smallest window that is to be used."""


KINDS_OF_DIALOGS = {"QDialog", "AnsweringDialog"}
"""What a dialog is made of, and is none itself."""


def test_no_dialog_is_left_out() -> None:
    found = {
        name
        for path in Path(gpuplanner.ui.__path__[0]).rglob("*.py")
        for name, bases in re.findall(r"^\s*class (\w+)\(([^)]*)\)", path.read_text("utf-8"), re.M)
        if KINDS_OF_DIALOGS.intersection(re.findall(r"\w+", bases))
    }
    assert len(found) > 20 and found - KINDS_OF_DIALOGS <= set(DIALOGS)


def opened(name: str, window: MainWindow, tmp_path: Path, qtbot: QtBot) -> Iterator[QWidget]:
    """A dialog as a planner sees it, until the test is over."""
    made = DIALOGS[name](window, tmp_path)
    made.show()
    made.activateWindow()
    if isinstance(made, ImportDialog):
        qtbot.waitUntil(lambda: not made.is_working)
    QApplication.processEvents()
    yield made
    made.close()
    delete(made)


@pytest.fixture(params=one_in(6, DIALOGS))
def dialog(
    request: pytest.FixtureRequest, window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> Iterator[QWidget]:
    yield from opened(request.param, window, tmp_path, qtbot)


def test_a_dialog_is_named_fits_a_small_window_is_walked_by_tab_and_left_by_esc(dialog: QWidget) -> None:
    assert dialog.accessibleName() or dialog.windowTitle()
    assert unnamed(dialog) == []
    silent = [
        type(button).__name__
        for button in dialog.findChildren(QAbstractButton)
        if not (button.toolTip() or button.text()) and not button.objectName().startswith("qt_")
        and button.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]  # fmt: skip
    assert silent == [], "buttons with neither words nor a tip"
    if not isinstance(dialog, Presenter):
        least = dialog.minimumSizeHint().expandedTo(dialog.minimumSize())
        assert least.width() <= SMALL[0] and least.height() <= SMALL[1], least
    assert set(reached(dialog)) >= set(stops(dialog))
    if isinstance(dialog, QDialog):
        QTest.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Escape)
        assert not dialog.isVisible()


def stops(root: QWidget) -> list[QWidget]:
    """What Tab has to come to: of radio buttons only the one that is chosen."""
    return [
        one
        for one in root.findChildren(QWidget)
        if one.isVisible() and one.isEnabled() and one.focusPolicy() & Qt.FocusPolicy.TabFocus
        and one.focusProxy() is None and one.window() is root.window()
        and not isinstance(one, QScrollBar | QScrollArea | QTabBar)
        and not (isinstance(one, QRadioButton) and not one.isChecked())
        and not isinstance(one.parent(), QComboBox) and "SpinBox" not in type(one.parent()).__name__
        and not one.objectName().startswith("qt_")
    ]  # fmt: skip


def reached(root: QWidget) -> list[QWidget]:
    """What has the keyboard while Tab is pressed, until it comes round again."""
    found: list[QWidget] = []
    first = QApplication.focusWidget()
    if first is None or not (first is root or root.isAncestorOf(first)):
        (stops(root) or [root])[0].setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(400):
        here = QApplication.focusWidget() or root
        if here in found and len(found) > 1:
            break
        found.append(here)
        inside = len(here.facts) if isinstance(here, FactsLabel) else 2 if isinstance(here, QDateEdit) else 0
        inside += here.toHtml().count("<a href") if isinstance(here, QTextBrowser) else 0
        for _ in range(1 + inside):  # Tab comes to each link, and to month and year, first
            QTest.keyClick(here, Qt.Key.Key_Tab)
            if QApplication.focusWidget() is not here:
                break
        if QApplication.focusWidget() is here:
            break
    return found
