"""The command palette: everything that has a name is found by a few letters, and Enter does it."""

import pytest
from PySide6.QtCore import QLocale, Qt, QTimer, QTranslator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpuplanner.charts.kit.translation import load_language, tr
from gpuplanner.domain.audit.cost_result import ChargeBy
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.reports.costs import TITLES
from gpuplanner.ui.frame.panel_docks import PANELS
from gpuplanner.ui.window.command_palette import CommandPalette
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.window.menus import with_alt_keys
from gpuplanner.ui.window.palette_entries import PaletteEntry
from gpuplanner.ui.words.commands import COMMAND, MENUS
from tests.some_of import one_in


@pytest.fixture
def found(window: MainWindow, qtbot: QtBot) -> CommandPalette:
    made = CommandPalette(window.commands(), window)
    qtbot.addWidget(made)
    made.show()
    return made


def test_everything_with_a_name_is_in_it(window: MainWindow) -> None:
    commands = window.commands()
    kinds = {command.kind for command in commands}
    assert kinds >= {"File", "Edit", "View", "Plan", "Help", "Panel", "Workload", "Contract"}
    actions = [window.actions_by_id[name] for name in COMMAND if name in window.actions_by_id]
    enabled = [action for action in actions if action.isEnabled()]
    named = [command for command in commands if command.kind in (*MENUS,)]
    plans = [command for command in commands if command.note == "Show it"]
    assert len(named) - len(plans) == len(enabled) - 1  # all but the one that opens it
    assert [command.title for command in plans] == [
        TODAY,
        *(p.name for p in window.session.document.project.scenarios),
    ]
    workloads = [command for command in commands if command.kind == "Workload"]
    assert len(workloads) == len(window.session.document.project.workloads)
    views = sum(len(panel.about.views) for panel in PANELS)
    assert len([one for one in commands if one.kind == "Panel"]) == len(PANELS) + views


def test_letters_find_and_arrows_choose(found: CommandPalette) -> None:
    QTest.keyClicks(found.search, "vllmch")
    assert [one.title for one in found.found[:2]] == ["vllm-chat-eu", "vllm-chat-prod"]
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down):
        QTest.keyClick(found.search, key)
    assert found.list.currentIndex().row() == 1
    assert "vllm-chat-prod" in found.search.accessibleDescription()
    QTest.keyClick(found.search, Qt.Key.Key_Return)
    assert found.chosen is not None
    assert found.chosen.title == "vllm-chat-prod"


def test_shortcuts_are_shown_beside_what_they_do(found: CommandPalette) -> None:
    QTest.keyClicks(found.search, "export workbook")
    row = found.list.rows[0]
    assert (row.title, row.amount) == ("Export workbook", "Ctrl+E")


def test_nothing_found_is_said_and_esc_does_nothing(found: CommandPalette) -> None:
    QTest.keyClicks(found.search, "zzzz")
    assert found.list.rows == ()
    QTest.keyClick(found.search, Qt.Key.Key_Return)
    assert found.chosen is None
    QTest.keyClick(found.search, Qt.Key.Key_Escape)
    assert not found.isVisible()
    assert found.chosen is None


@pytest.mark.parametrize(
    ("typed", "is_done"),
    one_in(
        2,
        [
            ("without existing", lambda window: window.actions_by_id["greenfield"].isChecked()),
            ("hardware fit", lambda window: window.docks.hardware_fit.isVisible()),
            ("today", lambda window: window.session.scenario == TODAY),
        ],
    ),
)
def test_enter_does_it_once_the_list_is_gone(window: MainWindow, typed: str, is_done) -> None:  # type: ignore[no-untyped-def]
    def type_and_choose() -> None:
        dialog = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        assert isinstance(dialog, CommandPalette)
        dialog.search.setText(typed)
        QTest.keyClick(dialog.search, Qt.Key.Key_Return)

    QTimer.singleShot(0, type_and_choose)
    window.actions_by_id["palette"].trigger()
    QApplication.processEvents()
    assert is_done(window)


WORDS_OF_THE_TRADE = (
    ("own or rent", "Duration & commitment"),
    ("chargeback", "Cost: Chargeback by team"),
    ("carbon", "Cost: Energy"),
    ("provider", "Contracts"),
    ("provider", "Prices"),
    ("idle", "Utilization"),
    ("unused", "Utilization"),
    ("settings", "Assumptions"),
    ("where do the savings come from", "Today to plan"),
    ("what would the savings buy", "Today to plan"),
    ("sign nothing", "Today to plan"),
    ("by when do we sign", "Decisions"),
    ("due at once", "Decisions"),
    ("which contract expires", "Contracts"),
    ("own hardware", "Prices"),
    ("double", "Dated change"),
    ("new workload", "Add planned work"),
    ("how often do we retrain", "Cost: Retraining"),
    ("per order", "Cost: Business figures"),
    ("could one provider serve it all", "Prices: Alone"),
    ("the euro falls", "Currency"),
    ("no spot", "Assumptions"),
    ("why were we off last quarter", "Plan vs. actual"),
    ("80 ms in Europe", "Placement"),
    ("renew it smaller", "Contracts"),
    ("under 40% used", "Utilization"),
    ("one run of the largest model", "Cost: Training runs"),
    ("a vendor quoted", "Award"),
    ("users", "Placement"),
    ("if we do nothing", "Today to plan"),
    ("inference doubles by March", "Dated change"),
    ("move chat to another provider", "Limits"),
    ("which team is over budget", "Cost: Chargeback by team"),
    ("what if we order a month later", "Plan from"),
    ("how sure is this", "Duration & commitment"),
)


@pytest.mark.long
def test_other_words_of_the_trade_find_it_too(found: CommandPalette) -> None:
    found.search.setText("," * 100_000)
    assert len(found.search.text()) == 500
    missed = {}
    for word, title in WORDS_OF_THE_TRADE:
        found.search.setText(word)
        titles = [one.title for one in found.found[:8]]
        if title not in titles:
            missed[word] = titles
    assert missed == {}


def test_a_view_of_a_panel_is_opened_by_its_name(window_of_panels: MainWindow, found: CommandPalette) -> None:
    view = str(TITLES[ChargeBy.TEAM])
    QTest.keyClicks(found.search, "chargeback")
    next(one for one in found.found if one.title == f"Cost: {view}").run()
    cost = window_of_panels.docks.cost
    assert cost.isVisible() and cost.view.currentText() == view


def test_alt_and_a_letter_open_a_menu_and_each_has_its_own(window: MainWindow) -> None:
    titles = [action.text() for action in window.menuBar().actions()]
    keys = [title[title.index("&") + 1].lower() for title in titles]
    assert len(set(keys)) == len(keys) == 6, titles
    assert list(with_alt_keys(["Datei", "Bearbeiten", "Ansicht", "Plan", "Bereiche"]))[-1] == "B&ereiche"
    assert list(with_alt_keys(["a", "a"])) == ["&a", "&a"]  # no letter is left


def test_a_setting_is_called_by_what_it_is_of_and_found_by_its_english_name(window: MainWindow) -> None:
    commands = {one.title: one for one in window.commands()}
    assert {"Language: Deutsch", "Number format: German"} <= {*commands}
    assert commands["Export workbook"].also.endswith(
        " Export workbook\u2026"
    )  # whatever its title's language


def test_what_is_a_part_of_a_name_is_no_question_first(window: MainWindow, qtbot: QtBot) -> None:
    asks = PaletteEntry(title="number format", kind="Ask", note="no", icon="search", run=lambda: None)
    made = CommandPalette(window.commands(), window, lambda _: (asks, True))
    qtbot.addWidget(made)
    QTest.keyClicks(made.search, "number format")
    assert made.found[0].title.startswith("Number format: ") and made.found[1] is asks
    assert isinstance(made.list.empty_text, Message)


def test_a_title_after_its_menu_is_that_of_its_action_in_german_too(
    window: MainWindow, qapp: QApplication
) -> None:
    assert "Label as training" in [one.title for one in window.commands()]
    assert load_language(qapp, QLocale(QLocale.Language.German))
    translators = qapp.findChildren(QTranslator)
    try:
        titles = [one.title for one in window.commands()]
        assert "Kennzeichnen als Training" in titles
        under = [one for one in COMMAND.values() if one.parent and one.name and not one.is_checkable]
        enabled = [one for one in under if window.actions_by_id[one.command_id].isEnabled()]
        named = [f"{tr(one.parent)} {tr(one.name)}".rstrip("\u2026") for one in enabled]
        assert len(named) > 5 and set(named) <= set(titles)
    finally:
        for one in translators:
            qapp.removeTranslator(one)
            one.setParent(None)
