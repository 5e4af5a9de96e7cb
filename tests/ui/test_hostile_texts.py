"""Law: whatever a log says, no widget takes it for markup, loads a picture for it or hides a sign of it.

Every panel, page, dialog, popover and menu is opened on a project of which every text is hostile.
"""

import ast
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QEvent, QModelIndex, QPoint, QSettings, Qt
from PySide6.QtGui import QAction, QHelpEvent, QTextDocument
from PySide6.QtGui import Qt as TextQt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QMenu,
    QTabBar,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

import gpuplanner
from gpuplanner.app.importing.file_previews import Previewer
from gpuplanner.app.importing.importer import Importer
from gpuplanner.app.settings import Settings
from gpuplanner.charts.kit import plain_text
from gpuplanner.charts.kit.plain_text import Markup, MarkupLabel, PlainLabel, set_tip, tip_text
from gpuplanner.charts.kit.zoom import tip_table
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.board import board as board_module
from gpuplanner.ui.flows.leaks.leak_flow import LeakFlow
from gpuplanner.ui.frame.panel_docks import PANELS
from gpuplanner.ui.importing.import_dialog import ImportDialog
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.kit.progress_dialog import ProgressDialog
from gpuplanner.ui.kit.small_dialogs import Question
from gpuplanner.ui.kit.style_sheet import apply_palette
from gpuplanner.ui.plans.split_dialog import SplitDialog
from gpuplanner.ui.present.presenter import Presenter
from gpuplanner.ui.tables.facts_label import FactsLabel
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.window.application import build, settle
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words.commands import MENUS
from tests.some_of import one_in, some_of
from tests.ui import test_access_of_dialogs as dialogs
from tests.ui.hostile_world import CLUSTERS, WINDOW, hostile, hostile_project
from tests.ui.real_screen import NOW_S

ROOT = Path(gpuplanner.__path__[0])
PLAN = hostile("Plan A")
ONE_AMPERSAND = re.compile(r"(?<!&)(?:&&)*&(?:File|amp)")
"""An ampersand of a hostile name that would underline its next letter instead of being seen."""


class _Tags(HTMLParser):
    """What a text is as markup: its pictures, and where its links lead."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img" or any("//host" in (value or "") for name, value in attrs if name != "href"):
            self.found.append(tag)
        if any(name == "href" and (value or "").startswith("//host") for name, value in attrs):
            self.found.append(tag)


class _Document(QTextDocument):
    """Counts what it is asked to load."""

    asked = 0

    def loadResource(self, kind: int, name: object) -> object:
        self.asked += 1
        return None


def is_harmful(text: str) -> bool:
    """Whether Qt would take a hostile name in it for markup."""
    if not TextQt.mightBeRichText(text):
        return False
    tags, document = _Tags(), _Document()
    tags.feed(text)
    document.setHtml(text)
    document.size()
    return bool(tags.found or document.asked)


def faults(root: QWidget) -> Iterator[str]:
    """Texts of a widget and of all in it, seen or hidden, that are harmful; labels that would guess; lost signs."""
    for widget in (root, *root.findChildren(QWidget)):
        where = f"{type(widget).__name__} {widget.objectName()}"
        for text in (widget.toolTip(), widget.whatsThis(), widget.statusTip()):
            if is_harmful(text):
                yield f"{where}: tip {text[:80]!r}"
        if isinstance(widget, QLabel):
            if widget.textFormat() is Qt.TextFormat.AutoText and type(widget).__module__.startswith("gpu"):
                yield f"{where}: guesses"
            if widget.textFormat() is not Qt.TextFormat.PlainText and is_harmful(widget.text()):
                yield f"{where}: label {widget.text()[:80]!r}"
        elif isinstance(widget, QTextEdit) and is_harmful(widget.toHtml()):
            yield f"{where}: document"
        elif isinstance(widget, QAbstractButton) and ONE_AMPERSAND.search(widget.text()):
            yield f"{where}: button {widget.text()[:80]!r}"
        elif isinstance(widget, QTabBar):
            texts = [widget.tabToolTip(at) for at in range(widget.count())]
            yield from (f"{where}: tab {text[:80]!r}" for text in texts if is_harmful(text))
        model = widget.model() if isinstance(widget, QAbstractItemView | QComboBox) else None
        if model is not None and not isinstance(widget, QHeaderView):
            yield from (f"{where}: {text[:80]!r}" for text in tips_of(model) if is_harmful(text))
    for action in (*root.findChildren(QAction), *root.actions()):
        if action.text() == f"&{MENUS[0]}":
            continue  # its key
        if is_harmful(action.toolTip()) or ONE_AMPERSAND.search(action.text()):
            yield f"action {action.text()[:80]!r}, {action.toolTip()[:80]!r}"


def tips_of(model: QAbstractItemModel) -> Iterator[str]:
    """Every tool tip that a model answers, of cells and headings."""
    tip, none = Qt.ItemDataRole.ToolTipRole, QModelIndex()
    columns = model.columnCount(none) if isinstance(model, QAbstractTableModel) else 1
    for row in range(min(60, model.rowCount(none))):
        yield from (str(model.index(row, column).data(tip) or "") for column in range(columns))
    for column in range(columns):
        yield str(model.headerData(column, Qt.Orientation.Horizontal, tip) or "")


def pointed_at(root: QWidget) -> None:
    """Rest the mouse at places all over what is seen, and go through charts with the keyboard."""
    for widget in (root, *root.findChildren(QWidget)):
        if not (isValid(widget) and widget.isVisible()):
            continue
        wide, high = widget.width(), widget.height()
        for place in (QPoint(wide * x // 6, high * y // 4) for x in range(1, 6, 2) for y in range(1, 4)):
            QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place)))
        if type(widget).__module__.startswith("gpuplanner.charts"):
            for key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Right):
                QTest.keyClick(widget, key)


@pytest.fixture
def tips(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Tool tips as they are shown."""
    shown: list[str] = []
    monkeypatch.setattr(
        plain_text.QToolTip, "showText", lambda place, text, *over: shown.append(str(text)), raising=False
    )
    return shown


@pytest.fixture(scope="module")
def window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    apply_palette(qapp, LIGHT)
    ini = str(tmp_path_factory.mktemp("hostile") / "s.ini")
    made, flow, document = build(Settings(QSettings(ini, QSettings.Format.IniFormat)), NOW_S)
    made.resize(1600, 1000)
    made.show()
    document.load(hostile_project(), Path("/tmp") / f"{hostile('p').replace('/', '-')[:60]}.gpuplan")
    made.show_title(f"{hostile('p')}.gpuplan", True)
    show(made, qapp, PLAN)
    yield made
    made.why.hide()
    flow.leave_quietly()
    delete(made)


def show(window: MainWindow, qapp: QApplication, scenario: str) -> None:
    errors: list[Exception] = []
    window.session.evaluator.failed.connect(errors.append)
    window.choose_scenario(scenario)
    settle(window, qapp, errors)
    assert errors == []


@pytest.mark.parametrize("scenario", some_of([PLAN, TODAY], quick=1), ids=["plan", "today"])
@pytest.mark.parametrize("panel", one_in(5, [kind.about.name for kind in PANELS]))
def test_panels(window: MainWindow, tips: list[str], qtbot: QtBot, panel: str, scenario: str) -> None:
    if window.session.scenario != scenario:
        show(window, QApplication.instance(), scenario)
    window.docks.raise_panel(panel)
    qtbot.wait(100)
    pointed_at(getattr(window.docks, panel))
    assert [*faults(getattr(window.docks, panel)), *filter(is_harmful, tips)] == []


def test_board_bars_details_and_menus(
    window: MainWindow, tips: list[str], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(window, QApplication.instance(), PLAN)
    board, menus = window.board, []
    made = board_module.card_menu
    monkeypatch.setattr(board_module, "card_menu", lambda *of: menus.append(made(*of)) or MagicMock())
    window.show_recent([(f"/tmp/{hostile('p')}.gpuplan", hostile("recent"), hostile("about"), "today")])
    for column in board.columns.values():
        if column.model.rowCount(QModelIndex()):
            column.cards.setCurrentIndex(column.model.index(0))
            column.cards.customContextMenuRequested.emit(QPoint(4, 4))
    filters = QMenu(window)
    board.fill_filter_menu(filters)
    board.toggle_filter("cluster", CLUSTERS[0])
    window.actions_by_id["details"].trigger()
    qtbot.wait(50)
    pointed_at(window)
    found = [*faults(window), *filter(is_harmful, tips)]
    assert len(menus) > 1
    for menu in (*menus, filters):
        found += faults(menu)
    board.clear_filter()
    assert found == []


def test_steps_that_are_undone(window: MainWindow) -> None:
    show(window, QApplication.instance(), PLAN)
    window.session.gestures.rename_plan(f"{PLAN}2")
    undo = window.actions_by_id["undo"]
    found, text = [*faults(window)], undo.text()
    window.session.document.undo_stack.undo()
    assert found == [] and "&&File" in text
    assert plain_text.off_button(text).count("&File") == text.count("&&File")


@pytest.mark.long
def test_every_answer(window: MainWindow, qtbot: QtBot) -> None:
    show(window, QApplication.instance(), PLAN)
    found, asked = set(), 0
    for panel in ("cost", "utilization", "prices", "contracts", "hardware_fit", "duration"):
        window.docks.raise_panel(panel)
        qtbot.wait(30)
        for table in getattr(window.docks, panel).findChildren(FigureTable):
            for figure_id in table.figure_ids()[:3]:
                window.why.hide()
                window.questions.ask(figure_id, table)
                qtbot.wait(5)
                asked += window.why.isVisible()
                found |= set(faults(window.why))
    window.why.hide()
    assert found == set() and asked > 10


def test_leaks(window: MainWindow, qtbot: QtBot) -> None:
    evaluation = window.session.evaluation
    assert len(evaluation.audit.leaks) > 1
    for leak in evaluation.audit.leaks:
        sheet = LeakFlow(window.session, evaluation, leak.leak_id).sheet
        qtbot.addWidget(sheet)
        sheet.show()
        assert [*faults(sheet)] == []


@pytest.mark.long
def test_comparison(window: MainWindow, tips: list[str], qtbot: QtBot) -> None:
    compare = window.plans.compare
    window.actions_by_id["compare"].trigger()
    qtbot.waitUntil(lambda: not compare.comparing.is_busy, timeout=60_000)
    qtbot.wait(30)
    pointed_at(compare.page)
    found = [*faults(compare.page), *filter(is_harmful, tips)]
    compare.leave()
    assert found == []


@pytest.mark.long
def test_presentation_and_commands(window: MainWindow, qtbot: QtBot) -> None:
    presenter = Presenter()
    qtbot.addWidget(presenter)
    presenter.show_state(window.session.view_state, NOW_S)
    presenter.show()
    for at in range(len(presenter.parts)):
        presenter.go_to(at)
        assert [*faults(presenter)] == []


def _hostile_question(window: MainWindow, _: Path) -> QWidget:
    return Question(
        parent=window,
        title=hostile("title"),
        text=hostile("text"),
        answers=("Keep", "Leave"),
        note=hostile("note"),
    )


def _hostile_import(window: MainWindow, folder: Path) -> QWidget:
    path = folder / "<b>R&D <img src=x>.csv"
    head = f"job_id,user,{hostile('heading')},submit,gpus"
    path.write_text(f"{head}\n1,{hostile('ann')},{hostile('x')},no time,8\n", encoding="utf-8")
    importer, previewer = Importer(), Previewer()
    made = ImportDialog([str(path)], hostile_project(), importer, None, previewer=previewer)
    made.finished.connect(lambda _: (previewer.close(), importer.close()))
    return made


MADE: dict[str, Callable[[MainWindow, Path], QWidget]] = {
    **{name: make for name, make in dialogs.DIALOGS.items() if name not in ("LeakSheet", "Presenter")},
    "ImportDialog": _hostile_import,
    "ProgressDialog": lambda window, _: ProgressDialog(hostile("Exporting"), window),
    "Question": _hostile_question,
    "SplitDialog": lambda window, _: SplitDialog(hostile("x"), Pool.BURST, WINDOW, lambda split: (1.0, 2.0)),
}


@pytest.mark.parametrize("name", one_in(8, MADE))
def test_dialogs(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    show(window, QApplication.instance(), PLAN)
    monkeypatch.setattr(dialogs, "PROJECT", window.session.document.project)
    monkeypatch.setattr(dialogs, "SHOWN", window.session.view_state)
    monkeypatch.setattr(dialogs, "PLAN", PLAN)
    dialog = MADE[name](window, tmp_path)
    qtbot.addWidget(dialog)
    dialog.show()
    if isinstance(dialog, ImportDialog):
        qtbot.waitUntil(lambda: not dialog.is_working)
        for step in range(5):
            dialog.open_step(step)
            QApplication.processEvents()
            assert [*faults(dialog)] == []
    qtbot.wait(20)
    assert [*faults(dialog)] == []


# The factories


@pytest.mark.parametrize(
    "text", one_in(3, [hostile("x"), "<b>x", "\n <img src=x>", "&lt;b>", "<!doctype html>", "<?xml <b>"])
)
def test_a_tip_is_read_letter_by_letter(qapp: QApplication, text: str) -> None:
    widget = QWidget()
    set_tip(widget, text)
    document = _Document()
    tip = widget.toolTip()
    document.setHtml(tip) if TextQt.mightBeRichText(tip) else document.setPlainText(tip)
    assert document.toPlainText() == text and not document.asked
    delete(widget)


def test_what_is_no_markup_stays_as_it_is_and_markup_of_ours_too(qapp: QApplication) -> None:
    assert tip_text("R&D: 3 < 4 > 2") == "R&D: 3 < 4 > 2"
    assert tip_text(Markup("<b>ours</b>")) == "<b>ours</b>"
    assert not is_harmful(tip_table(hostile("a"), [("#fff", hostile("b"), hostile("c"))], ("", hostile("d"))))


def test_a_label_of_markup_shows_other_texts_as_they_stand(qapp: QApplication) -> None:
    label = MarkupLabel()
    label.setText(hostile("x"))
    assert label.textFormat() is Qt.TextFormat.PlainText and label.text() == hostile("x")
    label.setText(Markup("<b>x</b>"))
    assert label.textFormat() is Qt.TextFormat.RichText
    assert PlainLabel("<b>x").textFormat() is Qt.TextFormat.PlainText


def test_a_fact_with_a_hostile_name_is_asked_about_by_its_own_id(qapp: QApplication) -> None:
    label, asked = FactsLabel(), []
    label.figure_asked.connect(asked.append)
    label.resize(4000, 60)
    name = "'\"><img src='//host/x'>&amp;"
    figure_id = f"cost:{name}"
    label.show_facts([(figure_id, "<b>a fact")])
    label.show()
    label.setFocus()
    assert not is_harmful(label.text())
    QTest.keyClick(label, Qt.Key.Key_Tab)
    QTest.keyClick(label, Qt.Key.Key_Return)
    assert asked in ([], [figure_id])
    delete(label)


# Nobody goes round them

HOMES = {"charts/kit/document_view.py", "charts/kit/plain_text.py"}
OWN = {
    "QLabel",
    "QMessageBox",
    "QTextBrowser",
    "QTextEdit",
    "QInputDialog",
    "QProgressDialog",
    "QErrorMessage",
}
"""Classes of Qt that guess what a text is; `QLabel` and `QTextBrowser` are made in the homes alone, others nowhere."""
GUESS = {
    "setToolTip", "setTabToolTip", "setTextFormat", "setHtml", "insertHtml", "appendHtml", "setMarkdown",
    "setWhatsThis", "showText",
}  # fmt: skip


def round_the_home(source: str) -> list[str]:
    """Calls and bases of a module that leave it to Qt what a text is."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            found += [one.id for one in node.bases if isinstance(one, ast.Name) and one.id in OWN]
        elif isinstance(node, ast.Call):
            called = node.func
            name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
            found += [name] if name in (OWN if isinstance(called, ast.Name) else GUESS) else []
            if (
                name == "setData"
                and "ToolTipRole" in ast.unparse(node)
                and "tip_text" not in ast.unparse(node)
            ):
                found.append(name)
    return found


def test_labels_and_tips_are_made_in_one_place() -> None:
    paths = [path for part in ("ui", "charts", "app") for path in (ROOT / part).rglob("*.py")]
    found = {
        path.relative_to(ROOT).as_posix(): names
        for path in paths
        if re.search("|".join((*OWN, *GUESS, "ToolTipRole")), source := path.read_text(encoding="utf-8"))
        and (names := round_the_home(source))
    }
    assert len(paths) > 100 and set(found) == HOMES, found


def test_models_that_answer_tips_ask_the_home() -> None:
    for path in (path for part in ("ui", "charts") for path in (ROOT / part).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "ToolTipRole" in source.replace(
            ".data(Qt.ItemDataRole.ToolTipRole)", ""
        ):  # asks a model for its tip
            assert "tip_text" in source, path


@pytest.mark.parametrize(
    "source", ["QLabel('x')", "w.setToolTip('x')", "class A(QLabel):\n    pass", "QToolTip.showText(p, 'x')"]
)
def test_going_round_the_home_is_found(source: str) -> None:
    assert round_the_home(source)
