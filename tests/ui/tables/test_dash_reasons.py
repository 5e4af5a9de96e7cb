"""A column of nothing but dashes says why, once."""

from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.dash_reasons import dash_reasons

COLUMNS = (Column("Contract", False), Column("CO2\nkg per month"), Column("Energy\nkWh per month"))
NO_GRID = "No grid factor is stated"


def test_one_reason_of_all_rows_is_said_with_the_column() -> None:
    rows = [
        Row((Cell("a"), Cell("—", tip=NO_GRID), Cell("1"))),
        Row((Cell("b"), Cell("—", tip=NO_GRID), Cell("2"))),
    ]
    assert dash_reasons(COLUMNS, rows) == (f"CO2 kg per month —: {NO_GRID}",)


def test_what_is_known_of_some_or_has_several_reasons_stays_in_the_tips() -> None:
    some = [Row((Cell("a"), Cell("—", tip=NO_GRID), Cell("—"))), Row((Cell("b"), Cell("7"), Cell("—")))]
    two = [
        Row((Cell("a"), Cell("—", tip=NO_GRID), Cell("1"))),
        Row((Cell("b"), Cell("—", tip="Another"), Cell("2"))),
    ]
    assert dash_reasons(COLUMNS, some) == dash_reasons(COLUMNS, two) == dash_reasons(COLUMNS, []) == ()
