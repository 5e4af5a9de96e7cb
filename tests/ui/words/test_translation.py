"""Words through a translator: menus, actions, panels and headings speak it, and the list of texts has them all."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QTranslator
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from docs.list_texts import texts, ts, unlisted
from gpuplanner.charts.kit.translation import CONTEXT, load_language, spoken, tr
from gpuplanner.domain.message import worded, worded_count
from gpuplanner.ui.frame.panel_docks import PanelDocks
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.window.menus import build_menus
from gpuplanner.ui.words import numbers


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
    assert tr("Export workbook\u2026") == "Export workbook\u2026"


def test_menus_panels_and_headings_speak_the_language_and_are_listed(
    qtbot: QtBot, translator: Backwards
) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    actions, menus = build_menus(window.menuBar(), window)
    docks = PanelDocks(window)
    table = FigureTable("Figures")
    qtbot.addWidget(table)
    table.show_rows(
        (Column(title="Offer", is_figure=False), Column(title="Term")),
        [Row((Cell(text="a"), Cell(text="1")))],
    )
    assert menus["File"].title() == "[&File]" and menus["File/Open recent"].title() == "[Open recent]"
    assert actions["save"].text() == "[Save]" and "[Save project]" in actions["save"].toolTip()
    assert docks.openers()[0].text() == "[Duration && commitment]"
    assert [column.title for column in table.columns] == ["[Offer]", "[Term]"]
    assert unlisted(translator.asked) == set()


def test_the_list_is_a_file_that_qt_reads_and_an_unknown_language_is_no_error(
    qapp: QApplication, tmp_path: Path
) -> None:
    written = ts("de_DE")
    assert written.count("<message") == len(texts()) > 3000
    assert not load_language(qapp, QLocale(QLocale.Language.German), tmp_path)


def test_places_of_a_sentence_are_filled_in_the_order_of_the_other_language(translator: Backwards) -> None:
    words = {"{gpus} GPUs until {date}": "Bis {date} {gpus} GPUs", "{a} of {b}": "{c}", "a rate": "ein Preis"}
    translator.translate = lambda context, text, note="", count=-1: words.get(text)  # type: ignore[method-assign]
    assert tr("{gpus} GPUs until {date}", gpus="64", date="1 May") == "Bis 1 May 64 GPUs"
    assert tr("{a} of {b}", a=1, b=2) == "1 of 2"  # a translator's slip
    told = worded("{what}: missing", what=worded("a rate"))
    assert (str(told), tr(told)) == ("a rate: missing", "ein Preis: missing")
    assert spoken("a rate") == "a rate" and spoken(worded("a rate")) == "ein Preis"
    assert tr(told + ".") == "ein Preis: missing."


def test_a_catalogue_of_qt_has_its_own_forms_for_each_number(qapp: QApplication, tmp_path: Path) -> None:
    text = ts("de_DE")
    empty = "<numerusform></numerusform>" * 2
    german = "<numerusform>{count} Auftrag</numerusform><numerusform>{count} Auftr\u00e4ge</numerusform>"
    message = f'<source>{{count}} jobs</source><translation type="unfinished">{empty}</translation>'
    done = message.replace(' type="unfinished"', "").replace(empty, german)
    translated = text.replace(message, done)
    assert translated != text
    source, folder = tmp_path / "de.ts", tmp_path / "translations"
    source.write_text(translated, encoding="utf-8")
    folder.mkdir()
    tool = Path(sys.executable).with_name("pyside6-lrelease")
    made = folder / "gpuplanner_de.qm"
    subprocess.run([tool, source, "-silent", "-qm", made], check=True, timeout=60)
    assert [numbers.counted(count, "job") for count in (1, 2)] == ["1 job", "2 jobs"]
    assert load_language(qapp, QLocale(QLocale.Language.German), folder)
    try:
        assert [numbers.counted(count, "job") for count in (1, 2)] == ["1 Auftrag", "2 Auftr\u00e4ge"]
        assert tr(worded_count(1, "{count} job", "{count} jobs", count=1)) == "1 Auftrag"
    finally:
        for one in qapp.findChildren(QTranslator):
            qapp.removeTranslator(one)
            one.setParent(None)
