"""What every chart offers: copy, export, its table, the way back from a zoom; each by menu, button and shortcut."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.chart_menu import KINDS, ChartMenu, sheet_of
from tests.charts.chart_world import demand
from tests.charts.pdf_letters import letters_of_fonts
from tests.some_of import one_in

ROWS = [("0", "2.0", "1.0"), ("1", "2.0", "1.0")]


@pytest.fixture
def menu(qtbot: QtBot) -> ChartMenu:
    page = QWidget()
    chart = demand()
    QVBoxLayout(page).addWidget(chart)
    sheet = lambda: sheet_of(  # noqa: E731
        "Demand", "GPUs", "Source: jobs.csv", lambda palette: demand(), ("Hour", "Low", "High"), lambda: ROWS
    )
    made = ChartMenu(chart, sheet)
    qtbot.addWidget(page)
    page.resize(600, 300)
    page.show()
    page.activateWindow()
    qtbot.waitExposed(page)
    chart.setFocus()
    made.page = page  # it lives as long as this
    return made


def test_every_entry_has_words_and_the_usual_things_have_keys(menu: ChartMenu) -> None:
    actions = [action for action in menu.menu().actions() if not action.isSeparator()]
    words = {action.text(): action.shortcut().toString() for action in actions}
    assert all(words)
    assert words["Copy picture"] and words["Copy table as text"] and words["Show as table"] == "Ctrl+T"
    assert {"High", "Low"} <= set(words)
    assert menu.button.accessibleName() and menu.button.toolTip()


def test_the_clipboard_gets_the_picture_and_the_table(menu: ChartMenu) -> None:
    menu.copy_table()
    title, source, head, *rows = QGuiApplication.clipboard().text().splitlines()
    assert (title, source) == ("Demand, GPUs", "Source: jobs.csv")
    assert [tuple(row.split("\t")) for row in (head, *rows)] == [("Hour", "Low", "High"), *ROWS]
    menu.copy_picture()
    assert QGuiApplication.clipboard().image().width() == 2 * 960


@pytest.mark.parametrize("suffix", one_in(2, KINDS))
def test_a_file_is_written_whole_and_no_other_is_left(menu: ChartMenu, tmp_path: Path, suffix: str) -> None:
    menu.export_to(tmp_path / f"demand{suffix}")
    assert [path.name for path in tmp_path.iterdir()] == [f"demand{suffix}"]
    assert (tmp_path / f"demand{suffix}").stat().st_size > 1000


def test_a_pdf_is_drawn_in_glyphs_that_it_can_say(menu: ChartMenu, tmp_path: Path) -> None:
    """Qt's PDF has no letters for glyphs that a feature puts in their place; other files keep the window's type."""
    is_tabular = []

    def make(_: object) -> QWidget:
        is_tabular.append(font("small").featureValue(QFont.Tag("tnum")))
        return demand()

    menu.make_sheet = lambda: sheet_of(
        "Demand of 2026", "$ 1,234", "Source", make, ("Hour",), lambda: [("0",)]
    )
    for suffix in (".pdf", ".png"):
        menu.export_to(tmp_path / f"demand{suffix}")
    assert is_tabular == [0, 1]
    fonts = letters_of_fonts((tmp_path / "demand.pdf").read_bytes())
    assert fonts and not any("\0" in letters for letters in fonts)
    assert set("Demandof2026$1,234") <= {letter for letters in fonts for letter in letters}


def test_what_goes_out_is_what_is_seen(menu: ChartMenu, tmp_path: Path) -> None:
    menu.export_to(tmp_path / "all.png")
    menu.zoom.show(24, 36)
    menu.chart_widget.toggles.turn("High")
    menu.export_to(tmp_path / "part.png")
    one, other = (QImage(str(tmp_path / name)) for name in ("all.png", "part.png"))
    assert one != other
    made = menu.sheet().make()
    assert made.zoom.seen == (24, 36) and made.toggles.hidden == {"High"}
    made.close()


def test_the_table_takes_the_place_of_the_chart_and_gives_it_back(menu: ChartMenu) -> None:
    menu.turn()
    assert menu.table is not None and menu.table.isVisible() and not menu.chart_widget.isVisible()
    assert menu.table.as_text().splitlines()[1:] == ["\t".join(row) for row in ROWS]
    menu.turn()
    assert menu.chart_widget.isVisible() and not menu.table.isVisible()


def test_reset_appears_with_a_zoom_and_goes_with_it(qtbot: QtBot, menu: ChartMenu) -> None:
    assert not menu.reset.isVisible()
    qtbot.keyClick(menu.chart_widget, Qt.Key.Key_Plus)
    QApplication.processEvents()
    assert menu.reset.isVisible() and not menu.reset.geometry().intersects(menu.button.geometry())
    menu.reset.click()
    assert not menu.reset.isVisible() and not menu.zoom.is_zoomed
