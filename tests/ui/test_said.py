"""Words through a translator: menus, actions, panels and headings speak it, and the list of texts has them all."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QTranslator
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from docs.list_texts import texts, ts
from gpuplanner.ui.actions import build_menus
from gpuplanner.ui.figure_cells import Cell, Column, Row
from gpuplanner.ui.figure_table import FigureTable
from gpuplanner.ui.panel_docks import PanelDocks
from gpuplanner.ui.said import CONTEXT, load_language, said
from gpuplanner.ui.theme import LIGHT


class Backwards(QTranslator):
    """Every word of ours in brackets; it remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def isEmpty(self) -> bool:
        return False

    def translate(self, context: str, text: str, note: str = "", count: int = -1) -> str:
        if context != CONTEXT:
            return ""
        self.asked.add(text)
        return f"[{text}]"


@pytest.fixture
def translator(qapp: QApplication) -> Iterator[Backwards]:
    made = Backwards()
    qapp.installTranslator(made)
    yield made
    qapp.removeTranslator(made)


def test_without_a_translation_words_are_as_they_are_written() -> None:
    assert said("Export workbook\u2026") == "Export workbook\u2026"


def test_menus_panels_and_headings_speak_the_language_and_are_listed(
    qtbot: QtBot, translator: Backwards
) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    actions, menus = build_menus(window.menuBar(), window)
    docks = PanelDocks(window, LIGHT)
    table = FigureTable("Figures", LIGHT)
    qtbot.addWidget(table)
    table.show_rows((Column("Offer", False), Column("Term")), [Row((Cell("a"), Cell("1")))])
    assert menus["File"].title() == "[File]" and menus["File/Open recent"].title() == "[Open recent]"
    assert actions["save"].text() == "[Save]" and "[Save the project]" in actions["save"].toolTip()
    assert docks.toggles()[0].text() == "[Duration && commitment]"
    assert [column.title for column in table.columns] == ["[Offer]", "[Term]"]
    assert translator.asked - set(texts()) == set()


def test_the_list_is_a_file_that_qt_reads_and_an_unknown_language_is_no_error(
    qapp: QApplication, tmp_path: Path
) -> None:
    written = ts("de_DE")
    assert written.count("<message>") == len(texts()) > 150
    assert not load_language(qapp, QLocale(QLocale.Language.German), tmp_path)
