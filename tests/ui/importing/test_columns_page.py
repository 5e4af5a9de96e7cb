"""The columns page of an import: the table of the file, and over each heading what its column is read as."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.files.importing.place_preview import preview_places
from gpuplanner.files.importing.table_preview import preview_table
from gpuplanner.files.tables.column_mapping import NOT_NEEDED, ColumnMapping
from gpuplanner.ui.importing.columns_page import ColumnsPage, shown_columns
from gpuplanner.ui.importing.import_state import ChosenFile
from gpuplanner.ui.importing.mappings import with_field

ORDERS = "PO,GPU,GPUs,Start,Colour,Empty\na,H100,8,2026-01-01,blue,\nb,H100,8,2026-01-01,red,\n"


def test_a_box_over_each_heading_says_what_its_column_is_read_as(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "orders.csv"
    path.write_text(ORDERS)
    preview = preview_table(str(path), "contracts")
    page = ColumnsPage()
    qtbot.addWidget(page)
    page.show_file(ChosenFile(path=str(path), kind="contracts"), preview, "", asked=("Colour",))
    read = {heading: box.currentData() for heading, box in page.boxes.items()}
    assert read == {
        "PO": "contract_id",
        "GPU": "gpu_model",
        "GPUs": "gpus",
        "Start": "start",
        "Colour": "",
        "Empty": "",
    }
    texts = [page.table.model().index(row, 4).data() for row in range(2, 6)]
    assert texts == ["Colour", "not read", "blue", "red"]
    chosen: list[tuple[str, str]] = []
    page.field_chosen.connect(lambda *said: chosen.append(said))
    box = page.boxes["Colour"]
    for value in (NOT_NEEDED, "owner"):
        box.setCurrentIndex(box.findData(value))
        box.activated.emit(box.currentIndex())
    assert chosen == [("Colour", NOT_NEEDED), ("Colour", "owner")]
    page.focus_first()
    assert page.focusWidget() is box  # the question comes first
    page.show_file(ChosenFile(path=str(path)), None, "")
    assert not page.boxes


def test_the_tint_of_a_column_says_what_became_of_it(tmp_path: Path) -> None:
    path = tmp_path / "orders.csv"
    path.write_text(ORDERS)
    mapping = with_field(preview_table(str(path), "contracts").mapping, "Empty", NOT_NEEDED, "contracts", ())
    columns = shown_columns(preview_table(str(path), "contracts", mapping), ["Colour"])
    assert [column.role for column in columns] == ["green", "green", "green", "green", "red", ""]
    assert [column.is_not_needed for column in columns] == [False] * 5 + [True]


@pytest.mark.parametrize(
    ("field", "columns", "not_needed"),
    [
        ("owner", {"gpus": "n", "owner": "c"}, ()),
        ("gpus", {"gpus": "c"}, ()),
        ("", {"gpus": "n"}, ()),
        (NOT_NEEDED, {"gpus": "n"}, ("c",)),
    ],
)
def test_a_column_is_one_field_at_most(
    field: str, columns: dict[str, str], not_needed: tuple[str, ...]
) -> None:
    before = ColumnMapping({"gpus": "n", "name": "C"}, {"name": "x"})
    after = with_field(before, "c", field, "contracts", ())
    assert (dict(after.columns), after.not_needed) == (columns, not_needed)
    back = with_field(with_field(before, "c", NOT_NEEDED, "contracts", ()), "c", "name", "contracts", ())
    assert (dict(back.columns), back.not_needed) == ({"gpus": "n", "name": "c"}, ())


def test_users_are_mapped_by_hand(tmp_path: Path) -> None:
    """Two columns that could be the users: the planner says which."""
    path = tmp_path / "users.csv"
    path.write_text("Town,Land,Lat,Lon,Visits,Seats\nOslo,NO,59.9,10.7,900,41200\n")
    bare = preview_places(str(path), "users")
    assert bare.missing and bare.counts[1] == 0
    mapping = ColumnMapping(
        {"city": "Town", "country": "Land", "latitude": "Lat", "longitude": "Lon", "users": "Seats"}
    )
    mapped = preview_places(str(path), "users", mapping)
    assert mapped.counts[1] == 1 and not mapped.missing
    read = {column.heading: column.read_as for column in shown_columns(mapped, ())}
    assert read["Seats"] == "41200" and read["Visits"] == "not read"


WIDE = "date,aws_h100,gcp_h100,markup %\n2026-11-28,4.00,3.90,10\n2026-11-29,4.10,3.80,5\n"


def test_a_list_with_a_column_for_each_provider_shows_the_columns_that_are_not_read(
    qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "prices.csv"
    path.write_text(WIDE)
    preview = preview_table(str(path), "prices")
    page = ColumnsPage()
    qtbot.addWidget(page)
    page.show_file(ChosenFile(path=str(path), kind="prices"), preview, "", asked=("markup %",))
    (column,) = shown_columns(preview, ["markup %"])
    assert (column.cells, column.role) == (("10", "5"), "red")
    assert page.boxes["markup %"].findData(NOT_NEEDED) > 0
    after = preview_table(
        str(path), "prices", with_field(preview.mapping, "markup %", NOT_NEEDED, "prices", ())
    )
    assert shown_columns(after, ())[0].is_not_needed and after.counts == preview.counts
