"""Columns that hold what fills their cells."""

from gpuplanner.domain.figures.typed import percent, whole
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, asked, filled_row, filled_rows, rows_as_text
from gpuplanner.ui.tables.dash_reasons import dash_reasons

# --- Columns that hold what fills their cells ----------------------------------------------------

COLUMNS: tuple[Filled[tuple[str, float | None]], ...] = (
    Filled(title="Name", is_figure=False, cell=lambda one: one[0]),
    Filled(
        title="$",
        cell=lambda one: Cell(
            text="" if one[1] is None else f"{one[1]:g}", figure_id=asked(one[1], "usd", one[0])
        ),
    ),
)


def test_each_column_fills_its_own_cell() -> None:
    rows = filled_rows(COLUMNS, [("a", 2.0), ("b", None)], lambda one: f"key {one[0]}")
    assert [row.key for row in rows] == ["key a", "key b"]
    assert [row.cells for row in rows] == [
        (Cell(text="a"), Cell(text="2", figure_id="usd::a")),
        (Cell(text="b"), Cell()),
    ]
    assert rows_as_text(COLUMNS, rows).splitlines() == ["Name\t$", "a\t2", "b\t"]


def test_a_total_is_filled_as_a_row_is() -> None:
    total = filled_row(COLUMNS, ("all", 2.0), is_total=True)
    assert total.is_total and total.key == "" and total.cells[1].text == "2"


def test_a_column_is_the_same_whatever_fills_it() -> None:
    """Rows of the same shape change in place, though closures that fill them are made anew."""
    first: Filled[int] = Filled(title="Name", is_figure=False, cell=lambda one: "a")
    second: Filled[int] = Filled(title="Name", is_figure=False, cell=lambda one: "b")
    other: Filled[int] = Filled(title="Other", is_figure=False, cell=lambda one: "a")
    assert first == second != other


# --- A column of nothing but dashes says why, once -----------------------------------------------

DASH_REASONS_COLUMNS = (
    Column(title="Contract", is_figure=False),
    Column(title="CO2\nkg per month"),
    Column(title="Energy\nkWh per month"),
)
NO_GRID = "No grid factor"


def test_one_reason_of_all_rows_is_said_with_the_column() -> None:
    rows = [
        Row((Cell(text="a"), Cell(text="—", tip=NO_GRID), Cell(text="1"))),
        Row((Cell(text="b"), Cell(text="—", tip=NO_GRID), Cell(text="2"))),
    ]
    assert dash_reasons(DASH_REASONS_COLUMNS, rows) == (f"CO2 kg per month —: {NO_GRID}",)


def test_what_is_known_of_some_or_has_several_reasons_stays_in_the_tips() -> None:
    some = [
        Row((Cell(text="a"), Cell(text="—", tip=NO_GRID), Cell(text="—"))),
        Row((Cell(text="b"), Cell(text="7"), Cell(text="—"))),
    ]
    two = [
        Row((Cell(text="a"), Cell(text="—", tip=NO_GRID), Cell(text="1"))),
        Row((Cell(text="b"), Cell(text="—", tip="Another"), Cell(text="2"))),
    ]
    assert (
        dash_reasons(DASH_REASONS_COLUMNS, some)
        == dash_reasons(DASH_REASONS_COLUMNS, two)
        == dash_reasons(DASH_REASONS_COLUMNS, [])
        == ()
    )


def test_a_value_alone_is_the_text_of_a_cell() -> None:
    cell = Cell(text=whole(1234), tip=percent(None))
    assert (type(cell.text), cell.text) == (str, "1,234") and cell.tip == "\u2014"
