"""The menus of the board that say how to look at it: what to group by, and what to let through."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from gpuplanner.charts.kit.plain_text import on_button, set_tip
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import Text
from gpuplanner.ui.cards.board_view import BoardView
from gpuplanner.ui.cards.facets import FACETS, FILTERS, GROUPS, STATES, CardFacts, values_of
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr

MOST_VALUES: Final = 40
"""Values of a facet in a menu; who looks for a rarer one types its name into the search."""


def fill_group_menu(menu: QMenu, view: BoardView, choose: Callable[[str], None]) -> None:
    """What the cards of every column may be grouped by."""
    menu.clear()
    group = QActionGroup(menu)
    for name in ("", *GROUPS):
        action = menu.addAction(spoken(FACETS[name].title) if name else tr("No groups"))
        action.triggered.connect(lambda _=False, name=name: choose(name))
        action.setCheckable(True)
        action.setChecked(name == view.group)
        group.addAction(action)


def fill_filter_menu(
    menu: QMenu,
    view: BoardView,
    cards: Sequence[CardFigures],
    facts: CardFacts,
    toggle: Callable[[str, str], None],
    clear: Callable[[], None],
) -> None:
    """What may be let through: values of a facet add up, facets narrow each other; with how many cards have it."""
    menu.clear()
    for name in FILTERS:
        found, chosen = values_of(name, cards, facts), view.chosen.get(name, frozenset())
        part = menu.addMenu(spoken(FACETS[name].title))
        for value, count in found[:MOST_VALUES]:
            action = part.addAction(_entry(value, count))
            action.triggered.connect(lambda _=False, n=name, v=value: toggle(n, v))
            set_tip(action, spoken(value))
            action.setCheckable(True)
            action.setChecked(value in chosen)
        if len(found) > MOST_VALUES:
            part.addAction(
                tr("{found} more: search by name", found=numbers.whole(len(found) - MOST_VALUES))
            ).setEnabled(False)
    menu.addSeparator()
    counts, chosen = dict(values_of("state", cards, facts)), view.chosen.get("state", frozenset())
    for state in STATES:
        action = menu.addAction(_entry(state, counts.get(state, 0)))
        action.triggered.connect(lambda _=False, v=state: toggle("state", v))
        action.setCheckable(True)
        action.setChecked(state in chosen)
    menu.addSeparator()
    menu.addAction(tr("Clear filter"), clear).setEnabled(bool(view.chosen))


def _entry(value: Text, count: int) -> str:
    """A value with the number of cards that have it."""
    return tr("{value}  ({count})", value=on_button(spoken(value)), count=numbers.whole(count))
