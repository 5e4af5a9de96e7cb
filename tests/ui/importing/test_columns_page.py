"""The columns page of an import: the table of the file, and over each heading what its column is read as."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.importing.file_previews import FoundFile
from gpuplanner.files.importing.import_tables import import_prices
from gpuplanner.files.importing.log_choices import LogChoice
from gpuplanner.files.importing.place_preview import preview_places
from gpuplanner.files.importing.table_preview import preview_table
from gpuplanner.files.tables.column_mapping import NOT_NEEDED, ColumnMapping
from gpuplanner.files.tables.recipe import ColumnsToRows, FillDown, HeaderRow, PercentOnTop, Reword, SkipRows
from gpuplanner.ui.importing import steps_row
from gpuplanner.ui.importing.columns_page import ColumnsPage, shown_columns
from gpuplanner.ui.importing.import_state import ChosenFile
from gpuplanner.ui.importing.mappings import adopted, remember, with_field
from gpuplanner.ui.importing.steps_row import StepsRow
from tests.ui.importing.hands import settings_of

FOUND = FoundFile(path="a.csv", kind="prices", format="mapped", why="its headings")

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


REGIONS = "GPU,US East,EU West,Unit\nH100,2.50,2.60,USD per GPU-hour\nL40S,0.80,0.90,USD per GPU-hour\n"


def test_steps_make_a_table_ready_and_are_remembered_with_its_mapping(tmp_path: Path) -> None:
    """One row for each region; the headings by which the file is known are those before the steps."""
    path = tmp_path / "regions.csv"
    path.write_text(REGIONS)
    steps = (ColumnsToRows(columns=("US East", "EU West"), name="region", value="price per GPU-hour (USD)"),)
    preview = preview_table(str(path), "prices", steps=steps)
    assert [column.heading for column in preview.columns] == [
        "GPU",
        "Unit",
        "region",
        "price per GPU-hour (USD)",
    ]
    assert preview.counts[1] == 4
    choice = LogChoice(mapping=preview.mapping, steps=steps)
    file = ChosenFile(path=str(path), kind="prices", header="regions", choice=choice, found=FOUND)
    read = import_prices([str(path)], {str(path): file.table_mapping})
    assert sorted(str(offer.rate_usd_per_gpu_hour) for offer in read.offers) == [
        "0.80",
        "0.90",
        "2.50",
        "2.60",
    ]
    settings = settings_of(tmp_path)
    remember(settings, [file], {file.path}, {})
    new = ChosenFile(path="next.csv", kind="prices", header="regions", found=FOUND)
    again = adopted(new, preview, settings)
    assert again.is_remembered and again.choice == choice


def test_a_step_is_asked_for_and_a_click_on_its_chip_removes_it(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = StepsRow()
    qtbot.addWidget(row)
    row.show_steps((), ["GPU", "Region"])
    typed = iter([("nowhere",), ("Region",)])  # a column that is not there is asked for again
    monkeypatch.setattr(steps_row, "ask_fields", lambda *_: next(typed))
    with qtbot.waitSignal(row.steps_chosen) as seen:
        row.ask(next(asked for asked in steps_row.ASKED if str(asked.name) == "Fill down"))
    assert seen.args == [(FillDown(column="Region"),)]
    row.show_steps(seen.args[0], ["GPU", "Region"])
    with qtbot.waitSignal(row.steps_chosen) as seen:
        row.chips[0].click()
    assert seen.args == [()]


@pytest.mark.parametrize(
    ("name", "texts", "step"),
    [
        ("Heading row", ["3"], HeaderRow(row=3)),
        ("Heading row", ["three"], None),
        ("Skip rows", ["GPU", "Total; "], SkipRows(column="GPU", values=("Total",))),
        ("Replace a word", ["End", "open", ""], Reword(column="End", value="open", becomes="")),
        ("Percent on top", ["Price", "19 %"], PercentOnTop(column="Price", percent="19")),
        ("Percent on top", ["Price", "Surcharge"], PercentOnTop(column="Price", percent_column="Surcharge")),
        ("Columns to rows", ["a;b", "region", ""], None),
    ],
)
def test_texts_become_a_step(name: str, texts: list[str], step: object) -> None:
    asked = next(asked for asked in steps_row.ASKED if str(asked.name) == name)
    assert asked.made(texts) == step
