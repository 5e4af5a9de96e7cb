"""The columns page of an import: columns that are not read, with their first values and what they may be."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from gpuplanner.files.importing.table_preview import preview_table
from gpuplanner.ui.importing.columns_page import ColumnsPage, unread_columns
from gpuplanner.ui.importing.import_state import ChosenFile


def test_a_column_that_is_left_out_is_shown_with_its_values_and_may_be_a_field(
    qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "orders.csv"
    path.write_text("PO,GPU,GPUs,Start,Colour,Empty\na,H100,8,2026-01-01,blue,\nb,H100,8,2026-01-01,red,\n")
    preview = preview_table(str(path), "contracts")
    page = ColumnsPage()
    qtbot.addWidget(page)
    page.show_file(ChosenFile(path=str(path), kind="contracts"), preview, "")
    assert [column.samples for column in unread_columns(preview)] == [("blue", "red")]
    (box,) = page.unread.values()
    assert box.accessibleName() == "Read Colour as" and box.currentText() == "Not read"
    chosen: list[tuple[str, str]] = []
    page.column_chosen.connect(lambda *said: chosen.append(said))
    for value in ("", "owner"):
        box.setCurrentIndex(box.findData(value))
        box.activated.emit(box.currentIndex())
    assert chosen == [("owner", "Colour")]
    page.focus_unread()
    assert page.focusWidget() is box
    page.show_file(ChosenFile(path=str(path)), None, "")
    assert page.unread == {}
