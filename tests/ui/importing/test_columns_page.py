"""The columns page of an import: columns that are not read, with their first values and what they may be."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.files.importing.table_preview import preview_table
from gpuplanner.files.tables.column_mapping import NOT_NEEDED
from gpuplanner.ui.importing.columns_page import ColumnsPage, unread_columns
from gpuplanner.ui.importing.import_state import ChosenFile, unreadable
from gpuplanner.ui.importing.mappings import with_column


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


SURCHARGE = "GPU,Price per GPU-hour (USD),Surcharge %\nH100,4.00,10\nA100,1.20,5\n"
WIDE = "date,aws_h100,gcp_h100,markup %\n2026-11-28,4.00,3.90,10\n2026-11-29,4.10,3.80,5\n"


@pytest.mark.parametrize(("text", "heading"), [(SURCHARGE, "Surcharge %"), (WIDE, "markup %")])
def test_a_column_that_is_a_question_is_not_needed_with_one_click(
    qtbot: QtBot, tmp_path: Path, text: str, heading: str
) -> None:
    path = tmp_path / "prices.csv"
    path.write_text(text)
    file, preview = ChosenFile(path=str(path), kind="prices"), preview_table(str(path), "prices")
    waiting = unreadable([file], {file.path: preview})
    assert waiting is not None and heading in waiting.why
    page = ColumnsPage()
    qtbot.addWidget(page)
    page.show_file(file, preview, "")
    chosen: list[tuple[str, str]] = []
    page.column_chosen.connect(lambda *said: chosen.append(said))
    box = page.unread[heading]
    box.setCurrentIndex(box.findData(NOT_NEEDED))
    box.activated.emit(box.currentIndex())
    assert chosen == [(NOT_NEEDED, heading)] and preview.mapping is not None
    answered = with_column(preview.mapping, NOT_NEEDED, heading, "prices", ())
    assert with_column(answered, NOT_NEEDED, heading, "prices", ()) == preview.mapping
    after = preview_table(str(path), "prices", answered)
    assert unreadable([file], {file.path: after}) is None and after.counts == preview.counts
    page.show_file(file, after, "")
    assert page.unread[heading].currentData() == NOT_NEEDED
