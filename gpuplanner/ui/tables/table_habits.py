"""What every table does: it sorts, widens and hides columns, copies, has a menu, and is remembered by its name."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol, runtime_checkable

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeySequence, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QMenu, QWidget

from gpuplanner.charts.kit.plain_text import on_button
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import Text
from gpuplanner.files.tables.delimited import tab_text
from gpuplanner.lazy_dataclass import dataclass, field, replace
from gpuplanner.ui.kit.page_parts import passing_menu
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import COPY_TABLE

CHOOSING: Final = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
"""With one of these a click chooses rows, and opens nothing."""
MOST_NAMED: Final = 48
"""Letters of a name in a menu: a longer one is cut in its middle."""


# --- How a table is looked at: sorted by which column, how wide columns are, which are hidden ----


@dataclass(frozen=True, slots=True)
class TableLook:
    """Columns are known by their titles in one line. sorted_by: "" for the order in which rows are told.

    widths: pixels of columns that the planner made wider or narrower.
    """

    sorted_by: str = ""
    is_descending: bool = False
    widths: Mapping[str, int] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()

    def as_text(self) -> str:
        """As settings keep it; "" where nothing was changed."""
        if self == TableLook():
            return ""
        return json.dumps([self.sorted_by, self.is_descending, dict(self.widths), self.hidden])


def look_of_text(text: str) -> TableLook:
    """What `TableLook.as_text` wrote; what is damaged reads as if nothing had been changed."""
    try:
        sorted_by, is_descending, widths, hidden = json.loads(text)
        wide = {str(title): int(px) for title, px in widths.items() if 0 < int(px) < 10_000}
        return TableLook(str(sorted_by), bool(is_descending), wide, tuple(map(str, hidden)))
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        return TableLook()


# --- What a table asks of the window that it stands in: what it remembers, and where names lead --


@dataclass(frozen=True, slots=True)
class Action:
    """An entry of a menu: its words, what it does, and the keys that do the same."""

    words: Text
    go: Callable[[], Any]
    keys: str = ""


class Memory(Protocol):
    """The text size and the looks of tables, from one session to the next."""

    text_size: int  # in percent of the usual one

    def table_look(self, name: str) -> str:
        """As it was remembered; "" where it was not."""

    def remember_table_look(self, name: str, look: str) -> None:
        """Keep it."""


@runtime_checkable
class Host(Protocol):
    """A window that tables stand in."""

    memory: Memory | None

    def ways_of(self, names: Sequence[str]) -> list[Action]:
        """Where the first workload, contract and offer of these names are."""


def host_of(widget: QWidget) -> Host | None:
    """The window that a widget stands in, also that of its dialog; None without one."""
    at: QObject | None = widget
    while at is not None and not isinstance(at, Host):
        at = at.parent()
    return at


def ways_from(widget: QWidget, names: Sequence[str]) -> list[Action]:
    """Where the window that a widget stands in leads from these names."""
    host = host_of(widget)
    return [] if host is None else host.ways_of(names)


# --- The menus of tables and lists ---------------------------------------------------------------


def menu_of(owner: QWidget, *groups: Sequence[Action]) -> QMenu:
    """A menu of these entries, with a line between groups."""
    menu = passing_menu(owner)
    for group in filter(None, groups):
        if menu.actions():
            menu.addSeparator()
        for one in group:
            action = menu.addAction(on_button(spoken(one.words)))
            action.setShortcut(QKeySequence(one.keys))
            action.setShortcutVisibleInContextMenu(True)
            action.triggered.connect(partial(_go, one))
    return menu


def _go(action: Action, _is_checked: bool = False) -> None:
    action.go()


def place_of_menu(event: QContextMenuEvent, view: Any) -> tuple[Any, QPoint]:
    """The cell that a menu is asked for, and where it opens: under the mouse, or under what the keyboard stands on."""
    if event.reason() is QContextMenuEvent.Reason.Mouse:
        return view.indexAt(event.pos()), event.globalPos()
    index = view.currentIndex()
    return index, view.viewport().mapToGlobal(view.visualRect(index).bottomLeft())


def without_cut_row(view: Any, event: QPaintEvent) -> QPaintEvent:
    """The paint of a view without the row at the lower edge that has no room in full, unless it is the only one."""
    seen = view.viewport().rect()
    place = view.visualRect(view.indexAt(QPoint(1, seen.bottom())))
    if place.bottom() <= seen.bottom() or place.top() <= 0:
        return event
    return QPaintEvent(event.region().intersected(seen.adjusted(0, 0, 0, place.top() - 1 - seen.bottom())))


def copied(text: str) -> None:
    """Put a text on the clipboard."""
    QGuiApplication.clipboard().setText(text)


def short(name: str) -> str:
    """A name as a menu has room for it."""
    half = MOST_NAMED // 2
    return name if len(name) <= MOST_NAMED else f"{name[:half]}\u2026{name[-half:]}"


# --- What every table does -----------------------------------------------------------------------


class TableHabits(QObject):
    """Belongs to a table, which fits its columns, sorts its rows, and says what its cells offer. Keeps the look."""

    sort_changed = Signal()

    def __init__(self, table: Any) -> None:
        super().__init__(table)
        self._table = table
        self.look = TableLook()
        self._recalled = ""  # the name of the table whose look it is
        self.is_fitting = False
        head = table.horizontalHeader()
        head.setSectionsClickable(True)
        head.setHighlightSections(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        head.setMinimumSectionSize(12)
        head.sectionClicked.connect(self.turn_sort)
        head.sectionHandleDoubleClicked.connect(self.forget_width)
        head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        head.customContextMenuRequested.connect(self._open_head_menu)
        head.sectionResized.connect(self._take_width)

    @property
    def titles(self) -> list[str]:
        """The titles of the columns, each in one line; what they show where it has none; a second one numbered."""
        heads = [head or self._called(at) for at, head in enumerate(self._heads)]
        return [f"{head} #{at + 1}" if head in heads[:at] else head for at, head in enumerate(heads)]

    def _called(self, at: int) -> str:
        """What a column without a title is called: the first one names its row."""
        if at == 0 or self._table.columns[at].is_figure:
            return tr("Row") if at == 0 else tr("Value")
        return tr("Bar") if self._table.is_figure_column(at) else tr("Note")

    @property
    def _heads(self) -> list[str]:
        """What stands above the columns, each in one line."""
        model = self._table.model()
        heads = (model.headerData(at, Qt.Orientation.Horizontal) for at in range(model.columnCount()))
        return [" ".join(spoken(head or "").split()) for head in heads]

    def width(self, at: int) -> int:
        """How wide the planner made a column, in pixels; 0 where it follows what is in it."""
        return self.look.widths.get(self.titles[at], 0) if self.look.widths else 0

    # Sorting, widths and hidden columns

    def apply(self) -> None:
        """Show the rows and columns of the table in its look; after others were told."""
        self._take_remembered()
        table, head, titles = self._table, self._table.horizontalHeader(), self.titles
        hidden = [title in self.look.hidden for title in titles]
        for at, is_hidden in enumerate(hidden):
            head.setSectionHidden(at, is_hidden and not all(hidden))
        self.fit()
        by = titles.index(self.look.sorted_by) if self.look.sorted_by in titles else None
        order = Qt.SortOrder.DescendingOrder if self.look.is_descending else Qt.SortOrder.AscendingOrder
        head.setSortIndicator(-1 if by is None else by, order)
        head.setSortIndicatorShown(by is not None)
        table.sort_rows(by, is_descending=self.look.is_descending)

    def fit(self) -> None:
        """Let the table give its columns their widths; to be called where its room changes, too."""
        before, self.is_fitting = self.is_fitting, True
        self._table.fit_columns()
        self.is_fitting = before

    def turn_sort(self, at: int) -> None:
        """Sort by a column, figures from the largest on; then the other way round; then as the rows were told."""
        first, title = bool(self._table.is_figure_column(at)), self.titles[at]
        if self.look.sorted_by != title:
            self.sort_by(title, is_descending=first)
        elif self.look.is_descending == first:
            self.sort_by(title, is_descending=not first)
        else:
            self.sort_by("")

    def sort_by(self, title: str, *, is_descending: bool = False) -> None:
        """Sort by the column of a title; "" for the order in which rows are told."""
        self.change_look(replace(self.look, sorted_by=title, is_descending=is_descending))
        self.sort_changed.emit()

    def hide(self, title: str, *, is_hidden: bool = True) -> None:
        """Hide a column, or show it again; the last one stays."""
        others = tuple(one for one in self.look.hidden if one != title)
        hidden = (*others, title) if is_hidden else others
        if not set(self.titles) <= set(hidden):
            self.change_look(replace(self.look, hidden=hidden))

    def widen(self, at: int, width: int) -> None:
        """Keep a width of a column, in pixels."""
        self.change_look(self._with_width(at, width))

    def forget_width(self, at: int) -> None:
        """Let a column follow again what is in it."""
        title = self.titles[at]
        widths = {name: px for name, px in self.look.widths.items() if name != title}
        self.change_look(replace(self.look, widths=widths))

    def change_look(self, look: TableLook) -> None:
        self.look = look
        self.apply()
        self._remember()

    def _remember(self) -> None:
        if (host := host_of(self._table)) is not None and host.memory is not None:
            host.memory.remember_table_look(self._name, self.look.as_text())

    @property
    def _name(self) -> str:
        """What the look is kept under: tables of one name stand in parts of the window with other names."""
        at = self._table.parentWidget()
        while at is not None and at.accessibleName() in ("", self._table.accessibleName()):
            at = at.parentWidget()
        name = self._table.accessibleName()
        return f"{name}\t{at.accessibleName()}" if at else name

    def recall(self) -> None:
        """Take the look of last time, once the table stands in its window."""
        before = self.look
        self._take_remembered()
        if self.look != before:
            self.apply()

    def _take_remembered(self) -> None:
        """A table that shows something else has another name from then on, and the look of that."""
        host, name, before = host_of(self._table), self._name, self._recalled
        if host is None or name == before:
            return
        self._recalled = name
        if host.memory is not None:
            self.look = look_of_text(host.memory.table_look(name))
        elif before:
            self.look = TableLook()

    def _take_width(self, at: int, _before: int, width: int) -> None:
        """A head that is drawn with the mouse keeps its width; what the table fits itself is no wish."""
        if not self.is_fitting and width and QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            self.look = self._with_width(at, width)
            self._remember()

    def _with_width(self, at: int, width: int) -> TableLook:
        return replace(self.look, widths={**self.look.widths, self.titles[at]: width})

    # Copying

    def chosen_rows(self) -> list[int]:
        """The rows that are chosen, as they are seen from the top."""
        places = self._table.verticalHeader()
        rows = {index.row() for index in self._table.selectionModel().selectedRows()}
        return sorted(rows, key=places.visualIndex)

    def text_of(self, rows: Sequence[int] | None) -> str:
        """Heads and rows, tab separated, without hidden columns; None: all rows as they are seen."""
        model, places = self._table.model(), self._table.verticalHeader()
        if rows is None:
            rows = [places.logicalIndex(at) for at in range(model.rowCount())]
        shown = [at for at in range(model.columnCount()) if not self._table.isColumnHidden(at)]
        heads = self._heads
        body = ([str(model.index(row, at).data() or "") for at in shown] for row in rows)
        return tab_text(([heads[at] for at in shown], *body))

    def copy(self) -> None:
        """Copy the rows that are chosen, with their heads; where none is, the cell of the keyboard."""
        rows, index = self.chosen_rows(), self._table.currentIndex()
        copied(self.text_of(rows) if rows or not index.isValid() else str(index.data() or ""))

    # Menus

    def open_menu(self, event: QContextMenuEvent) -> None:
        """Open the menu of a cell."""
        index, place = place_of_menu(event, self._table)
        self.menu(index).popup(place)

    def menu(self, index: Any) -> QMenu:
        """What a cell offers: copy, why, where its row leads; and how the table is looked at."""
        rows, cell = self.chosen_rows(), []
        opens: list[Action] = []
        if index.isValid():
            keys = "" if rows else COPY_TABLE
            cell.append(Action(tr("Copy cell"), lambda: copied(str(index.data() or "")), keys))
            ways = ways_from(self._table, self._table.names_of(index.row()))
            opens = [*self._table.actions_of(index), *ways]
        if rows:
            words = tr("Copy {rows} with heads", rows=numbers.counted(len(rows), "row"))
            cell.append(Action(words, lambda: copied(self.text_of(rows)), COPY_TABLE))
        cell.append(Action(tr("Copy table"), lambda: copied(self.text_of(None))))
        menu = menu_of(self._table, opens, cell)
        menu.addSeparator()
        self._add_looks(menu)
        return menu

    def _open_head_menu(self, at: QPoint) -> None:
        head = self._table.horizontalHeader()
        title = self.titles[head.logicalIndexAt(at)] if head.logicalIndexAt(at) >= 0 else ""
        of_column = [
            Action(tr("Smallest first"), lambda: self.sort_by(title)),
            Action(tr("Largest first"), lambda: self.sort_by(title, is_descending=True)),
            Action(tr("Hide this column"), lambda: self.hide(title)),
        ]
        menu = menu_of(self._table, of_column if title else ())
        menu.addSeparator()
        self._add_looks(menu)
        menu.popup(head.viewport().mapToGlobal(at))

    def _add_looks(self, menu: QMenu) -> None:
        """Sorting, columns and the way back, by keyboard too."""
        sorts, columns = menu.addMenu(tr("Sort by")), menu.addMenu(tr("Columns"))
        as_told = sorts.addAction(tr("As listed"))
        as_told.triggered.connect(lambda _: self.sort_by(""))
        as_told.setCheckable(True)
        as_told.setChecked(not self.look.sorted_by)
        for at, title in enumerate(self.titles):
            by, shown = sorts.addAction(on_button(title)), columns.addAction(on_button(title))
            by.triggered.connect(lambda _, at=at: self.turn_sort(at))
            shown.triggered.connect(lambda is_on, title=title: self.hide(title, is_hidden=not is_on))
            for action, is_on in ((by, title == self.look.sorted_by), (shown, title not in self.look.hidden)):
                action.setCheckable(True)
                action.setChecked(is_on)
        back = menu.addAction(tr("Table as it was"))
        back.setEnabled(self.look != TableLook())
        back.triggered.connect(lambda _: self.change_look(TableLook()))
