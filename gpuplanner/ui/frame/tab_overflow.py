"""Tabs that there is no room for: which ones stay, and the menu that the others are in."""

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QMenu, QToolButton

from gpuplanner.charts.kit.plain_text import add_named, set_tip
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import spoken, tr


def tabs_that_fit(widths: Mapping[str, int], current: str, room: int, more: int) -> tuple[str, ...]:
    """The names of the tabs to be shown, in their order: the first one, the current one, and what fits from the left.

    widths, room and more (of the menu's button) in pixels. All of them, where all fit.
    """
    names = tuple(widths)
    if sum(widths.values()) <= room:
        return names
    kept = list(dict.fromkeys([*names[:1], *([current] if current in widths else [])]))
    left = room - more - sum(widths[name] for name in kept)
    for name in names[1:]:
        if name in kept:
            continue
        if widths[name] > left:
            break
        kept.append(name)
        left -= widths[name]
    return tuple(name for name in names if name in kept)


def more_button() -> QToolButton:
    """The button at the end of the tabs, with a menu of those that are not seen."""
    button = _menu_button(tr("More plans"), tr("Plans that there is no room for"))
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    return button


def from_button() -> QToolButton:
    """The button beside New plan, with a menu of what it may start from."""
    button = _menu_button(tr("New plan from"), tr("Add a plan that starts from another one"))
    button.setIconSize(QSize(12, 12))
    return button


def _menu_button(name: str, tip: str) -> QToolButton:
    """A tab that opens a menu."""
    button = QToolButton()
    button.setProperty("tab", True)
    button.setFont(font("strong"))
    button.setAccessibleName(spoken(name))
    set_tip(button, spoken(tip))
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setMenu(QMenu(button))
    button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
    return button


def fill_menu(button: QToolButton, names: Iterable[str], choose: Callable[[str], object]) -> None:
    """Let the menu of a button be of these names."""
    menu, wanted = button.menu(), list(names)
    if [action.data() for action in menu.actions()] == wanted:
        return
    menu.clear()
    for name in wanted:
        add_named(menu, name, lambda name=name: choose(name)).setData(name)
