"""What every table does: sorts by raw values, widens and hides columns, copies, has a menu, and is remembered."""

from collections.abc import Iterator
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QStyleOptionViewItem, QTableView, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.ui.kit.type_scale import base_font, text_width
from gpuplanner.ui.tables.cells import Bar, Cell, Column, Row, sort_value, sorted_places, written
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.row_list import ListRow, RowList
from gpuplanner.ui.tables.table_habits import Action, TableLook, look_of_text
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers

COLUMNS = (
    Column(title="Name", is_figure=False),
    Column(title="$ per\nmonth"),
    Column(title="", is_figure=False, width=80),
)
SHARES = (0.311, 0.3114, None, 0.9)
ROWS = [
    *(
        Row(
            (
                Cell(text=name),
                written(numbers.whole, usd),
                Cell(bar=None if share is None else Bar(share=share)),
            ),
            key=name,
        )
        for name, usd, share in zip(
            ("node 10", "node 9", "b", "a"), (1200.4, None, 1200.2, 31_000.0), SHARES, strict=True
        )
    ),
    Row((Cell(text="all"), Cell(text="33,401")), is_total=True),
]


class Window(QWidget):
    """A window that remembers how its tables look, and leads to contracts."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[str, str] = {}
        self.led: list[str] = []
        self.memory = self

    def table_look(self, name: str) -> str:
        return self.kept.get(name, "")

    def remember_table_look(self, name: str, look: str) -> None:
        self.kept[name] = look

    def ways_of(self, names: list[str]) -> list[Action]:
        return [Action("Go to contract", lambda: self.led.append(names[0]))]


def table_in(window: QWidget | None, rows: list[Row] = ROWS) -> FigureTable:
    table = FigureTable("Rows", window)
    table.resize(600, 300)
    table.show_rows(COLUMNS, rows)
    return table


@pytest.fixture
def frame(qtbot: QtBot) -> Window:
    made = Window()
    qtbot.addWidget(made)
    return made


def names_seen(table: QTableView) -> list[str]:
    return [line.split("\t")[0] for line in table.habits.text_of(None).splitlines()[1:]]  # type: ignore[attr-defined]


@given(st.lists(st.one_of(st.none(), st.floats(-1e9, 1e9)), max_size=12), st.booleans())
def test_known_values_are_in_order_and_unknown_ones_last_whichever_way(
    values: list[float | None], is_descending: bool
) -> None:
    rows = [Row((written(numbers.whole, value),)) for value in values]
    places = sorted_places(rows, 0, is_figure=True, is_descending=is_descending)
    assert sorted(places) == list(range(len(rows)))
    known = [values[at] for at in places if values[at] is not None]
    assert known == sorted(known, reverse=is_descending)  # type: ignore[type-var]
    assert all(values[at] is None for at in places[len(known) :])


def test_what_is_written_alike_is_sorted_by_its_value(frame: Window) -> None:
    table = table_in(frame)
    table.habits.turn_sort(1)
    assert names_seen(table) == ["a", "node 10", "b", "node 9", "all"]
    table.habits.turn_sort(1)
    assert names_seen(table) == ["b", "node 10", "a", "node 9", "all"]
    table.habits.turn_sort(1)
    assert names_seen(table) == ["node 10", "node 9", "b", "a", "all"]
    table.habits.turn_sort(2)  # bars by their shares
    assert names_seen(table) == ["a", "node 9", "node 10", "b", "all"]


def test_names_are_sorted_as_people_count() -> None:
    assert [
        row.key
        for row in map(ROWS.__getitem__, sorted_places(ROWS[:4], 0, is_figure=False, is_descending=False))
    ] == ["a", "b", "node 9", "node 10"]
    days = [
        sort_value(Cell(text=numbers.date(at_s)), is_figure=False) for at_s in (1_790_000_000, 1_800_000_000)
    ]
    assert days == sorted(days) and numbers.date(1_790_000_000) > numbers.date(1_800_000_000)
    assert sort_value(Cell(text="\u2265 $1,234"), is_figure=True) == 1234.0
    assert sort_value(Cell(text="quote needed"), is_figure=True) is None


def test_a_row_keeps_the_place_in_which_it_was_told(frame: Window) -> None:
    """Panels choose rows by the place in which they told them, however the planner sorted them."""
    table = table_in(frame)
    table.selectRow(3)
    table.habits.turn_sort(1)
    assert table.habits.chosen_rows() == [3]
    assert table.verticalHeader().visualIndex(3) == 0 and table.row_at(3).key == "a"
    table.show_rows(COLUMNS, [ROWS[1], ROWS[0], *ROWS[2:]])
    assert names_seen(table) == ["a", "node 10", "b", "node 9", "all"]


def test_a_table_is_as_it_was_left(frame: Window) -> None:
    table = table_in(frame)
    table.habits.sort_by("$ per month", is_descending=True)
    table.habits.widen(1, 150)
    table.habits.hide("Name")
    again = table_in(frame)
    frame.show()
    assert again.isColumnHidden(0) and again.columnWidth(1) == 150
    assert again.habits.text_of(None).splitlines()[1].startswith("31,000")
    again.habits.hide("Bar")
    again.habits.hide("$ per month")
    assert not again.isColumnHidden(1), "the last column stays"
    again.habits.forget_width(1)
    assert again.columnWidth(1) == again.viewport().width()  # not 150


def test_tables_of_one_name_in_two_parts_of_the_window_are_looked_at_each_in_its_own_way(
    frame: Window,
) -> None:
    parts = [QWidget(frame), QWidget(frame)]
    for part, name in zip(parts, ("Waiting", "Audit"), strict=True):
        part.setAccessibleName(name)
    first, second = map(table_in, parts)
    frame.show()
    first.habits.sort_by("Name")
    second.habits.hide("Bar")
    again = [table_in(part).habits.look for part in parts]
    assert again == [TableLook("Name"), TableLook(hidden=("Bar",))]


def test_columns_without_a_title_are_called_by_what_they_show(frame: Window) -> None:
    table = FigureTable("Rows", frame)
    columns = (
        Column(title="", is_figure=False),
        Column(title="", is_figure=False),
        Column(title="", is_figure=False, width=80),
        Column(title=""),
        Column(title=""),
    )
    table.show_rows(
        columns,
        [Row((Cell(text="a"), Cell(text="GPUs"), Cell(bar=Bar(share=0.5)), Cell(text="1"), Cell(text="2")))],
    )
    assert table.habits.titles == ["Row", "Note", "Bar", "Value", "Value #5"]


def test_a_table_that_shows_something_else_is_looked_at_as_that_was(frame: Window) -> None:
    table = table_in(frame)
    frame.show()
    table.habits.sort_by("Name")
    table.setAccessibleName("Others")
    table.show_rows(COLUMNS, ROWS)
    assert table.habits.look == TableLook() and names_seen(table)[0] == "node 10"
    table.setAccessibleName("Rows")
    table.show_rows(COLUMNS, ROWS)
    assert table.habits.look == TableLook("Name") and names_seen(table)[0] == "a"


@pytest.mark.parametrize("text", ["", "{}", "[1]", "[1, 2, 3, 4]", '["a", true, {"b": "x"}, []]'])
def test_what_is_damaged_is_forgotten(text: str) -> None:
    assert look_of_text(text) == TableLook()


def test_what_is_nested_without_end_or_wider_than_all_is_forgotten() -> None:
    for text in ("[" * 100_000, '["a", true, {"b": Infinity}, []]'):
        assert look_of_text(text) == TableLook()


def test_a_look_is_read_as_it_was_written() -> None:
    look = TableLook("Name", True, {"$ per month": 99}, ("x",))
    assert look_of_text(look.as_text()) == look and TableLook().as_text() == ""


def test_the_rows_that_are_chosen_are_copied_else_the_cell(frame: Window) -> None:
    table = table_in(frame)
    frame.show()
    table.setCurrentIndex(table.model().index(0, 1))
    table.clearSelection()
    QTest.keySequence(table, "Ctrl+C")
    assert QGuiApplication.clipboard().text() == "1,200"
    left, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier
    for at, held in ((0, keys.ControlModifier), (2, keys.ShiftModifier)):
        QTest.mouseClick(table.viewport(), left, held, table.visualRect(table.model().index(at, 0)).center())
    QTest.keySequence(table, "Ctrl+C")
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t")[:2] == ["Name", "$ per month"] and [line.split("\t")[0] for line in lines[1:]] == [
        "node 10", "node 9", "b",
    ]  # fmt: skip


def test_a_head_sorts_and_its_edge_widens(qtbot: QtBot, frame: Window) -> None:
    table = table_in(frame)
    frame.show()
    head = table.horizontalHeader()
    at = QPoint(head.sectionViewportPosition(1) + 20, 10)
    QTest.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert head.isSortIndicatorShown() and head.sortIndicatorSection() == 1 and names_seen(table)[0] == "a"
    before, edge = table.columnWidth(1), QPoint(head.sectionViewportPosition(2) - 1, 10)
    QTest.mousePress(head.viewport(), Qt.MouseButton.LeftButton, pos=edge)
    for step in (10, 20, 40):
        QTest.mouseMove(head.viewport(), edge + QPoint(step, 0))
    QTest.mouseRelease(head.viewport(), Qt.MouseButton.LeftButton, pos=edge + QPoint(40, 0))
    assert table.columnWidth(1) == before + 40
    assert table.habits.width(1) in (before + 40, 0)  # offscreen tells no buttons while a head is drawn


def test_a_double_click_opens_what_the_row_is_or_where_its_name_leads(frame: Window) -> None:
    table = table_in(frame)
    frame.show()
    table.asks_by_click = False
    opened: list[str] = []
    place = table.visualRect(table.model().index(3, 0)).center()
    QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert frame.led == ["a"]
    table.row_opened.connect(opened.append)
    QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert opened[-1] == "a"


def test_of_two_columns_of_one_title_each_sorts_and_hides_itself(frame: Window) -> None:
    table = table_in(frame)
    table.show_rows([*COLUMNS[:2], Column(title="$ per month")], ROWS)
    assert table.habits.titles == ["Name", "$ per month", "$ per month #3"]
    table.habits.turn_sort(2)
    assert table.horizontalHeader().sortIndicatorSection() == 2
    table.habits.hide(table.habits.titles[2])
    assert table.isColumnHidden(2) and not table.isColumnHidden(1)


def test_rows_of_a_list_are_chosen_and_copied_and_lead_on(frame: Window) -> None:
    listed, opened = RowList("Listed", frame), list[str]()
    listed.resize(400, 300)
    listed.show_rows([ListRow(title=name, kind="is" if name == "b" else "", key=name) for name in "abc"])
    listed.row_opened.connect(lambda _, key: opened.append(key))
    frame.show()
    left, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier
    places = [listed.visualRect(listed.model().index(at)).center() for at in range(3)]
    QTest.mouseClick(listed.viewport(), left, pos=places[0])
    QTest.mouseClick(listed.viewport(), left, keys.ShiftModifier, places[1])
    QTest.keySequence(listed, "Ctrl+C")
    assert [line.split("\t")[0] for line in QGuiApplication.clipboard().text().splitlines()] == ["a", "b"]
    QTest.mouseClick(listed.viewport(), left, pos=places[1])
    QTest.keyClick(listed, Qt.Key.Key_Down)
    QTest.keyClick(listed, Qt.Key.Key_Return)
    assert opened == ["b"] and frame.led == ["c"]


def test_home_and_end_pass_over_headings(frame: Window) -> None:
    listed = RowList("Listed", frame)
    rows = [
        ListRow(title=name, is_heading=name.isupper(), key=name) for name in ("A", "b", "C", "d", "e", "F")
    ]
    listed.show_rows(rows)
    listed.setCurrentIndex(listed.model().index(3))
    places = []
    for key in (Qt.Key.Key_End, Qt.Key.Key_Home, Qt.Key.Key_Home, Qt.Key.Key_End):
        QTest.keyClick(listed, key)
        places.append(listed.currentIndex().row())
    assert places == [4, 1, 1, 4]
    listed.show_rows(rows[:1])  # nothing but a heading
    QTest.keyClick(listed, Qt.Key.Key_End)
    assert not listed.selectedIndexes()


# --- Every table and list of the window has all of it --------------------------------------------


def words_of(menu: QMenu) -> list[str]:
    return [action.text().replace("&", "") for action in menu.actions() if action.text()]


@pytest.mark.long
def test_a_row_that_has_no_room_in_full_is_not_seen(main_window: MainWindow) -> None:
    """Nothing is painted at its place: the ground there is whatever the list stands on."""
    main_window.show_decisions()
    lists = [one for one in main_window.findChildren(RowList) if one.rows and one.isVisible()]
    assert lists
    for view in lists:
        row = view.visualRect(view.model().index(1))
        view.setFixedHeight(row.center().y())
        QGuiApplication.processEvents()
        picture = view.viewport().grab().toImage()
        places = [(x, y) for y in range(row.top(), picture.height()) for x in range(picture.width())]
        assert places and {picture.pixelColor(*place).alpha() for place in places} == {0}


def tables_of(window: MainWindow) -> Iterator[FigureTable]:
    """Every table with rows, as its panel and view shows it; then those of Today."""
    done: set[int] = set()
    window.choose_scenario(window.session.document.project.scenarios[-1].name)
    for panel in window.docks.all_panels():
        for view in [one.name for one in panel.about.views] or [""]:
            window.docks.show_view(panel.about.name, view)
            window.docks.show_waiting()
            for table in panel.findChildren(FigureTable):
                if table.model().rowCount() and id(table) not in done:
                    done.add(id(table))
                    yield table
    window.choose_scenario(TODAY)
    window.choose_today_view("audit")
    yield from (table for table in window.audit.findChildren(FigureTable) if table.model().rowCount())


@pytest.mark.long
def test_every_table_of_the_window_does_what_tables_do(main_window: MainWindow) -> None:
    tables = found = 0
    for table in tables_of(main_window):
        tables += 1
        habits, name = table.habits, table.accessibleName()
        assert table.horizontalHeader().sectionsClickable(), name
        assert table.selectionMode() is QTableView.SelectionMode.ExtendedSelection, name
        assert len(set(habits.titles)) == len(habits.titles), name  # a look knows columns by them
        as_told = habits.text_of(None)
        for at in range(table.model().columnCount()):
            found += 1
            for _ in range(2):
                habits.turn_sort(at)
                places = [table.verticalHeader().logicalIndex(row) for row in range(table.model().rowCount())]
                check_sorted(table, at, places, habits.look.is_descending)
            habits.turn_sort(at)
        assert habits.text_of(None) == as_told, name
        habits.widen(0, 77)
        assert table.columnWidth(0) == 77 or table.isColumnHidden(0), name
        if table.model().columnCount() > 1:
            habits.hide(habits.titles[1])
            assert table.isColumnHidden(1), name
        words = words_of(habits.menu(table.model().index(0, 0)))
        assert {"Copy cell", "Copy table", "Sort by", "Columns"} <= set(words), name
        habits.change_look(TableLook())
    assert tables > 16 and found > 80


def check_sorted(table: FigureTable, at: int, places: list[int], is_descending: bool) -> None:
    """Known values in order, unknown ones last; of rows that are no total."""
    rows = [table.row_at(place) for place in places if not table.row_at(place).is_total]
    cells = [row.cells[at] if at < len(row.cells) else Cell() for row in rows]
    values = [sort_value(cell, is_figure=table.columns[at].is_figure) for cell in cells]
    known = [value for value in values if value is not None]
    assert values[: len(known)] == known, (table.accessibleName(), at)
    if len({type(value) for value in known}) == 1:
        assert known == sorted(known, reverse=is_descending), (table.accessibleName(), at)  # type: ignore[type-var]


@pytest.mark.long
def test_every_figure_of_a_table_is_sorted_by_a_number(main_window: MainWindow) -> None:
    for table in tables_of(main_window):
        for at, column in enumerate(table.columns):
            cells = [
                row.cells[at]
                for row in map(table.row_at, range(table.model().rowCount()))
                if at < len(row.cells)
            ]
            figures = [
                cell
                for cell in cells
                if column.is_figure and any(sign.isdecimal() for sign in str(cell.text))
            ]
            lost = [str(cell.text) for cell in figures if sort_value(cell, is_figure=True) is None]
            assert not lost, (table.accessibleName(), str(column.title), lost[:3])


COST: Final = (
    Column(title="Name", is_figure=False),
    Column(title="Why", is_figure=False, is_cut_at_end=True),
    Column(title="Spend"),
    Column(title="Unused"),
)
LONG: Final = Row(
    (
        Cell(text="inference of the whole fleet"),
        Cell(text="because nobody asked"),
        Cell(text="1,234,567"),
        Cell(text="36,828"),
    )
)


@pytest.mark.parametrize("width", [900, 420, 120])
def test_a_table_fills_its_width_and_texts_give_way_before_numbers(qtbot: QtBot, width: int) -> None:
    table = FigureTable("Cost")
    qtbot.addWidget(table)
    table.show_rows(COST, [LONG])
    table.resize(width, 200)
    table.show()
    widths = [table.columnWidth(at) for at in range(4)]
    assert all(widths[at] >= table.sizeHintForColumn(at) for at in (2, 3))
    eight = text_width("0" * 8, base_font("body"))
    assert min(widths[:2]) >= eight
    if width > 400:
        assert sum(widths) == table.viewport().width()
    else:
        assert max(widths[:2]) < eight + 20 and table.horizontalScrollBar().maximum() > 0
    assert table.minimumSizeHint().width() >= table.sizeHintForColumn(2) + eight


def test_a_number_at_the_edge_is_whole_or_not_seen_and_a_cut_text_stands_in_the_tip(qtbot: QtBot) -> None:
    table = FigureTable("Cost")
    qtbot.addWidget(table)
    table.show_rows(COST, [LONG])
    table.resize(170, 200)
    table.show()
    seen = table.viewport().grab().toImage()
    at, cut = table.columnViewportPosition(2), seen.copy(table.columnViewportPosition(2), 4, 60, 12)
    assert at < seen.width() < at + table.columnWidth(2)
    ground = {cut.pixel(x, y) for x in range(seen.width() - at) for y in range(12)}
    assert len(ground) == 1  # not painted at all
    option = QStyleOptionViewItem()
    option.rect = table.visualRect(table.model().index(0, 0))
    event = QHelpEvent(QEvent.Type.ToolTip, QPoint(), QPoint())
    table.itemDelegate().helpEvent(event, table, option, table.model().index(0, 0))
    assert QToolTip.text() == "inference of the whole fleet"


def test_a_sorted_column_that_is_partly_out_of_sight_has_neither_title_nor_arrow(qtbot: QtBot) -> None:
    table, seen = FigureTable("Cost"), QImage(100, 40, QImage.Format.Format_ARGB32)
    qtbot.addWidget(table)
    table.show_rows(COST, [LONG])
    table.resize(170, 200)
    table.show()
    head = table.horizontalHeader()
    head.setSortIndicatorShown(True)
    head.setSortIndicator(2, Qt.SortOrder.DescendingOrder)
    assert table.is_cut(2)
    seen.fill(Qt.GlobalColor.transparent)
    painter = QPainter(seen)
    head.paintSection(painter, seen.rect(), 2)
    painter.end()
    assert {seen.pixelColor(x, y).alpha() for x in range(100) for y in range(39)} == {0}


def test_a_table_without_a_bar_is_as_wide_at_first_as_when_it_is_told_its_rows_again(qtbot: QtBot) -> None:
    table = FigureTable("Layers")
    qtbot.addWidget(table)
    widths = []
    for _ in range(2):
        table.show_rows(
            (Column(title="Term", is_figure=False), Column(title="$ per month")),
            [Row((Cell(text="a"), Cell(text="69,398")))],
        )
        table.fit_height()
        widths.append(table.columnWidth(1))
    assert widths[0] == widths[1]


def test_every_list_of_the_window_has_a_menu(main_window: MainWindow) -> None:
    for panel in ("contracts", "checks"):
        main_window.docks.raise_panel(panel)
    lists = [listed for listed in main_window.findChildren(RowList) if listed.rows]
    assert len(lists) >= 2
    for listed in lists:
        at = next(place for place, row in enumerate(listed.rows) if not row.is_heading)
        assert {"Copy row", "Copy list"} <= set(words_of(listed.menu(listed.model().index(at, 0)))), (
            listed.accessibleName()
        )


def test_the_menu_of_a_contract_leads_to_it(main_window: MainWindow) -> None:
    contract = main_window.session.document.project.contracts[0].contract_id
    main_window.docks.raise_panel("contracts")
    listed = main_window.docks.contracts.list
    at = next(place for place, row in enumerate(listed.rows) if row.key == contract)
    assert f"Go to contract {contract}" in words_of(listed.menu(listed.model().index(at, 0)))


@pytest.fixture
def main_window(window_of_panels: MainWindow) -> MainWindow:
    return window_of_panels
