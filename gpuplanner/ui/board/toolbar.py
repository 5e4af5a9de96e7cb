"""The line above the columns: search, sort, group, filter, what a filter holds, Separate automatically."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QMenu, QPushButton, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, on_button, set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import Text, lowered
from gpuplanner.ui.cards import board_view, card_order, facets
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import STRETCH, add, box, emptied, named, row, share
from gpuplanner.ui.kit.page_parts import add_choice, label, named_button, scrolled
from gpuplanner.ui.kit.type_scale import font, text_px, text_width
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import keys_of, with_keys

# --- The line above the columns: search, sort, group, filter, what a filter holds, and Separate automatically


class SearchField(QLineEdit):
    """One line of text to look for: Esc clears it first, and only then goes to whoever else listens."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape empties the field before it does anything else."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            event.accept()
            return
        super().keyPressEvent(event)


SEARCH_WIDE, SEARCH_NARROW = 184, 104
AROUND_WORDS = 52
"""Pixels of the search beside its words and its shortcut: icon, edges and what keeps the two apart."""


class BoardToolbar(QWidget):
    """Told what is chosen; says what else is wanted."""

    search_changed = Signal()
    sort_chosen = Signal(str)
    group_menu_opened = Signal(object)  # QMenu to be filled
    filter_menu_opened = Signal(object)  # QMenu to be filled
    separation_asked = Signal()
    planned_asked = Signal()  # more work that no log has

    def __init__(self) -> None:
        super().__init__()
        tip = with_keys(tr("By name, owner, cluster, class or GPU model"), "find")
        self.search = named(SearchField(placeholderText=tr("Search")), tr("Search workloads"), tip)
        self.hint = named(PlainLabel(keys_of("find"), self.search), role="muted", step="small")
        self.hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.search.textChanged.connect(self._say_search)
        self.search.addAction(icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self._clear_search = QAction(icon("close", "muted"), tr("Clear search"), self)
        self._clear_search.triggered.connect(self.search.clear)
        self._sort = tr("Sort")
        self._group: Text | None = None
        self._view: board_view.BoardView | None = None
        self.sort_button = menu_button(tr("Sort"), tr("Sort the cards"), "sort")
        self._sorts = QActionGroup(self)
        menu = QMenu(self.sort_button)
        for title in card_order.SORTS:
            sort = partial(self.sort_chosen.emit, title)
            action = self._sorts.addAction(add_choice(menu, spoken(title), sort, is_chosen=False))
            action.setData(str(title))
        self.sort_button.setMenu(menu)
        grouping = tr("By team, cluster or model, with sums")
        self.group_button = menu_button(tr("Group"), grouping, "group", self.group_menu_opened)
        filtering = tr("By class, team, cluster, model or state")
        self.filter_button = menu_button(tr("Filter"), filtering, "filter", self.filter_menu_opened)
        tip = tr("Move unpinned cards to their class's pool; one undo step")
        words, tip, drawn = (
            f" {tr('Separate automatically')}",
            with_keys(tip, "separate"),
            icon("separate", "text"),
        )
        self.separate_button = named_button(words, tip, self.separation_asked, drawn=drawn)
        planning = with_keys(tr("Add work not in the log"), "plan_work")
        words, called, drawn = f" {tr('Plan work')}", tr("Add planned work"), icon("plus", "text")
        self.planned_button = named_button(words, planning, self.planned_asked, called=called, drawn=drawn)
        looks = (self.search, self.sort_button, self.group_button, self.filter_button)
        parts = (*looks, STRETCH, self.planned_button, self.separate_button)
        self._row = row(*parts, on=self, margins=(9, 6, 9, 6), spacing=6)

    def show_view(self, view: board_view.BoardView) -> None:
        """How the cards are sorted, grouped and filtered."""
        if view == self._view:
            return
        self._view = view
        for action in self._sorts.actions():
            action.setChecked(action.data() == view.sort)
        self._sort = tr(view.sort)
        self._group = facets.FACETS[view.group].title if view.group else None
        self.sort_button.setAccessibleName(tr("Sort: {sort}", sort=tr(view.sort)))
        self.group_button.setAccessibleName(tr("Group: {group}", group=self._group or tr("no groups")))
        words = ", ".join(spoken(entry[2]) for entry in board_view.filter_words(view))
        self.filter_button.setAccessibleName(tr("Filter: {words}", words=words or tr("all cards")))
        self._fit()

    def show_for(self, *, is_today: bool) -> None:
        """Offer what changes a plan where one is shown."""
        if self.separate_button.isHidden() == is_today:
            return
        self.separate_button.setVisible(not is_today)
        self.planned_button.setVisible(not is_today)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave out what can be found elsewhere before anything is cut."""
        buttons = (
            self.sort_button,
            self.group_button,
            self.filter_button,
            self.planned_button,
            self.separate_button,
        )
        grouped = tr("By {group}", group=lowered(self._group)) if self._group else tr("Group")
        seen = (self._sort, grouped, tr("Filter"))
        for texts in (
            (*seen, tr("Plan work"), tr("Separate automatically")),
            (*seen, tr("Plan work"), tr("Separate")),
            (*seen, "", tr("Separate")),
            (*seen, "", ""),
            (seen[0], "", "", "", ""),
            ("", "", "", "", ""),
        ):
            for button, text in zip(buttons, texts, strict=True):
                button.setText(text and f" {spoken(text)}")
            fixed = sum(button.sizeHint().width() + 6 for button in buttons if not button.isHidden())
            if fixed + 24 + SEARCH_NARROW <= self.width():
                break
        width = min(SEARCH_WIDE, max(SEARCH_NARROW, self.width() - 24 - fixed))
        self.search.setFixedWidth(width)
        self._row.activate()  # in the same frame: a plan that is worked out leaves no time for the next
        self.hint.adjustSize()
        above = (self.search.sizeHint().height() - self.hint.height()) // 2
        self.hint.move(width - self.hint.width() - 8, above)
        words = text_width(self.search.placeholderText(), self.search.font())
        room = width - AROUND_WORDS - self.hint.width()
        self.hint.setVisible(not self.search.text() and words <= room)

    def _say_search(self) -> None:
        """Shows the cross only where there is something to clear, and says what is searched."""
        if self.search.text() and self._clear_search not in self.search.actions():
            self.search.addAction(self._clear_search, QLineEdit.ActionPosition.TrailingPosition)
        elif not self.search.text():
            self.search.removeAction(self._clear_search)
            self.search.setText("")  # a search that is over is no step to undo
        self.search_changed.emit()


def menu_button(name: str, tip: str, drawing: str = "", opened: SignalInstance | None = None) -> QPushButton:
    """A button that opens a menu. drawing: before its words; opened: told the menu, each time it is to be filled."""
    button = named_button(name, tip, drawn=icon(drawing, "text") if drawing else None)
    button.setProperty("menu", True)
    if opened is not None:
        menu = QMenu(button)
        menu.aboutToShow.connect(lambda: opened.emit(menu))
        button.setMenu(menu)
    return button


# --- The menus of the board that say how to look at it: what to group by, and what to let through

MOST_VALUES: Final = 40
"""Values of a facet in a menu; who looks for a rarer one types its name into the search."""


def fill_group_menu(menu: QMenu, view: board_view.BoardView, choose: Callable[[str], None]) -> None:
    """What the cards of every column may be grouped by."""
    menu.clear()
    group = QActionGroup(menu)
    for name in ("", *facets.GROUPS):
        words = spoken(facets.FACETS[name].title) if name else tr("No groups")
        group.addAction(add_choice(menu, words, partial(choose, name), is_chosen=name == view.group))


def fill_filter_menu(
    menu: QMenu,
    view: board_view.BoardView,
    cards: Sequence[CardFigures],
    facts: facets.CardFacts,
    toggle: Callable[[str, Text], None],
    clear: Callable[[], None],
) -> None:
    """What may be let through: values of a facet add up, facets narrow each other; with how many cards have it."""
    menu.clear()
    for name in facets.FILTERS:
        found, chosen = facets.values_of(name, cards, facts), view.chosen.get(name, frozenset())
        part = menu.addMenu(spoken(facets.FACETS[name].title))
        for value, count in found[:MOST_VALUES]:
            turn = partial(toggle, name, value)
            set_tip(add_choice(part, _entry(value, count), turn, is_chosen=value in chosen), spoken(value))
        if len(found) > MOST_VALUES:
            more = tr("{found} more: search by name", found=numbers.whole(len(found) - MOST_VALUES))
            part.addAction(more).setEnabled(False)
    menu.addSeparator()
    counts, chosen = dict(facets.values_of("state", cards, facts)), view.chosen.get("state", frozenset())
    for state in facets.STATES:
        words, turn = _entry(state, counts.get(state, 0)), partial(toggle, "state", state)
        add_choice(menu, words, turn, is_chosen=state in chosen)
    menu.addSeparator()
    menu.addAction(tr("Clear filter"), clear).setEnabled(bool(view.chosen))


def _entry(value: Text, count: int) -> str:
    """A value with the number of cards that have it."""
    return tr("{value}  ({count})", value=on_button(spoken(value)), count=numbers.whole(count))


# --- Under the toolbar while a filter holds: what is filtered by, each to be taken away with one click, and all of it


class FilterLine(QFrame):
    """Told the view and how many cards it lets through; hidden without a filter."""

    value_dropped = Signal(str, object)  # facet, value
    cleared = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Filter in use"))
        self._said: tuple[tuple[str, Text, Text], ...] = ()
        self.buttons: list[QPushButton] = []
        self.count = label(role="muted", step="small")
        all_cards = with_keys(tr("Show all cards"), "clear_filter")
        self.clear = named_button(tr("Clear filter"), all_cards, self.cleared, is_link=True)
        self._chips = row(STRETCH, spacing=6)
        chips = scrolled(box("page", self._chips, QWidget()), tr("Filtered by"))
        chips.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        chips.setFixedHeight(text_px(26))
        row(self.count, share(chips), self.clear, on=self, margins=(9, 0, 9, 6), spacing=8)
        self.hide()

    def show_view(self, view: board_view.BoardView, shown: int, cards: int) -> None:
        """What is filtered by, and how many of the cards are shown."""
        said = board_view.filter_words(view)
        self.setVisible(bool(said))
        shown_words, of_all = numbers.whole(shown), numbers.counted(cards, "workload")
        self.count.setText(tr("{shown} of {total}", shown=shown_words, total=of_all))
        if said == self._said:
            return
        self._said = said
        emptied(self._chips)
        self.buttons = [self._chip(*entry) for entry in said]
        add(self._chips, *self.buttons, STRETCH)

    def _chip(self, facet: str, value: Text, words: Text) -> QPushButton:
        """A button of one filter; a click takes it away."""
        take_away = tr("Remove filter {words}", words=words)
        text, tip = on_button(spoken(words)), tr("Remove filter {words}", words=words)
        chip = named_button(text, tip, lambda: self.value_dropped.emit(facet, value), called=take_away)
        chip.setFont(font("small"))
        chip.setIcon(icon("close", "muted"))
        chip.setIconSize(QSize(12, 12))
        chip.setProperty("dense", True)
        chip.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the cross after the words
        return chip
