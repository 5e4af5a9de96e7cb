"""Tabs: over the views of one panel, and those that there is no room for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from PySide6 import QtCore, QtGui, QtWidgets

from gpuplanner.charts.kit.plain_text import add_named, set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import Message, Text
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import ground, row, share
from gpuplanner.ui.kit.page_parts import tool_button
from gpuplanner.ui.kit.type_scale import font

# --- Tabs over the views of one panel: one is down, its view is shown ----------------------------

ROOM: Final = 30
"""Pixels beside a tab's words, at most."""


def view_tabs(
    panel: QtWidgets.QWidget,
    subject: str,
    views: Sequence[tuple[str, Message, Message]],
    show: Callable[[str], None],
) -> tuple[QtWidgets.QHBoxLayout, dict[str, QtWidgets.QToolButton]]:
    """A line with a tab for each view, given as (name, title, tip); the first is down. The line and the tabs by name.

    subject: what the panel is about, for the tabs' accessible names; show is told the name of a clicked tab.
    """
    group = QtWidgets.QButtonGroup(panel)
    tabs: dict[str, QtWidgets.QToolButton] = {}
    for at, (name, title, tip) in enumerate(views):
        called = tr("{title}: {value}", title=subject, value=title)
        button = tab_button(title, called, tip, lambda _=False, name=name: show(name))
        button.setChecked(at == 0)
        group.addButton(button)
        # narrow where it has to be, so that a panel is no wider than its dock; wider by itself, not without end
        button.setSizePolicy(QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Fixed)
        button.setMaximumWidth(button.fontMetrics().horizontalAdvance(spoken(title)) + ROOM)
        tabs[name] = button
    return row(*tabs.values(), share(None, 0), margins=(10, 0, 12, 0), spacing=2), tabs


def tab_button(text: Text, name: Text, tip: Text, does: Callable[..., object]) -> QtWidgets.QToolButton:
    """A button that stays down until another of its group is pressed."""
    button = tool_button(name, tip, does, text=text)
    button.setProperty("tab", True)
    button.setCheckable(True)
    button.setFocusPolicy(QtCore.Qt.FocusPolicy.StrongFocus)
    return button


# --- Tabs that there is no room for: what is seen is whole, and an ellipsis at the end has a menu of all of them

SCROLLERS: Final = ("ScrollLeftButton", "ScrollRightButton")
"""What Qt calls its buttons where there are more tabs than room."""
BEFORE, AFTER = 8, 12
"""Pixels of a tab beside its words (the style sheet): a tab that has lost no more is whole."""
ELLIPSIS: Final = "\u2026"


class TabEdges(QtCore.QObject):
    """Covers the rest of a tab at either edge of a bar, never the chosen one; it lives as long as the bar.

    In the place of Qt's two arrows stands the ellipsis: who presses it chooses among all tabs of the bar.
    """

    def __init__(self, bar: QtWidgets.QTabBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self._scrollers = [bar.findChild(QtWidgets.QToolButton, name) for name in SCROLLERS]
        for arrow in filter(None, self._scrollers):
            set_tip(arrow, tr("More panels; the Panels menu has all"))
            arrow.setFocusPolicy(QtCore.Qt.FocusPolicy.NoFocus)  # it lies under the ellipsis
        self.covers = (self._cover(), self._cover())
        self.more = self._more()
        bar.installEventFilter(self)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        """Looks again whenever the bar is painted: it says nothing of how far it has scrolled. A press that asks for
        the menu is no click on a tab."""
        if isinstance(event, QtGui.QMouseEvent) and event.button() == QtCore.Qt.MouseButton.RightButton:
            return True
        if event.type() == QtCore.QEvent.Type.Paint:
            place = self._end()
            for cover, cut in zip(self.covers, self.cut_off(place), strict=True):
                if not cut.isEmpty() and cover.geometry() != cut:
                    cover.setGeometry(cut)
                if cover.isHidden() != cut.isEmpty():
                    cover.setHidden(cut.isEmpty())
            if self.more.geometry() != place and not place.isEmpty():
                self.more.setGeometry(place)
            if self.more.isHidden() != place.isEmpty():
                self.more.setHidden(place.isEmpty())
                self.more.raise_()
        return super().eventFilter(watched, event)

    def _end(self) -> QtCore.QRect:
        """Where Qt would show its arrows; empty where all tabs have room."""
        arrows = [button for button in self._scrollers if button is not None and button.isVisible()]
        left = min((arrow.x() for arrow in arrows), default=self._bar.width())
        return QtCore.QRect(left, 0, self._bar.width() - left, self._bar.height())

    def cut_off(self, end: QtCore.QRect) -> tuple[QtCore.QRect, QtCore.QRect]:
        """What is seen of tabs that are cut off, at the left and at the right; empty where all are whole."""
        bar, edges = self._bar, [QtCore.QRect(), QtCore.QRect()]
        if not end.isEmpty():
            room = QtCore.QRect(0, 0, end.left(), bar.height())
            for at in range(bar.count()):
                tab = bar.tabRect(at)
                seen = tab.intersected(room)
                if at != bar.currentIndex() and not seen.isEmpty():
                    if seen.left() - tab.left() > BEFORE:
                        edges[0] = seen
                    elif tab.right() - seen.right() > AFTER:
                        edges[1] = seen
        return edges[0], edges[1]

    def _cover(self) -> QtWidgets.QFrame:
        """Of the bar's own colour."""
        cover = QtWidgets.QFrame(self._bar)
        ground(cover, "panel")
        cover.hide()
        return cover

    def _more(self) -> QtWidgets.QToolButton:
        """The button at the end, with a menu of all tabs."""
        button = QtWidgets.QToolButton(self._bar)
        button.setText(ELLIPSIS)
        button.setFont(font("strong"))
        button.setFocusPolicy(QtCore.Qt.FocusPolicy.NoFocus)  # the bar itself is stepped through by keys
        button.setAccessibleName(tr("All tabs here"))
        set_tip(button, tr("All tabs here; the Panels menu has all"))
        button.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        menu = QtWidgets.QMenu(button)
        menu.aboutToShow.connect(partial(self._fill, menu))
        button.setMenu(menu)
        button.hide()
        return button

    def _fill(self, menu: QtWidgets.QMenu) -> None:
        """The tabs in their order, the chosen one ticked."""
        menu.clear()
        for at in range(self._bar.count()):
            action = menu.addAction(self._bar.tabText(at))
            action.setCheckable(True)
            action.setChecked(at == self._bar.currentIndex())
            action.triggered.connect(partial(self._choose, at))

    def _choose(self, at: int, _is_checked: bool = False) -> None:
        """Brings a tab to the front."""
        self._bar.setCurrentIndex(at)


# --- Tabs that there is no room for: which ones stay, and the menu that the others are in --------


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


def more_button() -> QtWidgets.QToolButton:
    """The button at the end of the tabs, with a menu of those that are not seen."""
    button = _menu_button(tr("More plans"), tr("More plans"))
    button.setToolButtonStyle(QtCore.Qt.ToolButtonStyle.ToolButtonTextOnly)
    return button


def from_button() -> QtWidgets.QToolButton:
    """The button beside New plan, with a menu of what it may start from."""
    button = _menu_button(tr("New plan from"), tr("Choose the plan to start from"))
    button.setIcon(icon("chevron_down", "muted"))
    button.setIconSize(QtCore.QSize(12, 12))
    return button


def _menu_button(name: str, tip: str) -> QtWidgets.QToolButton:
    """A tab that opens a menu."""
    button = QtWidgets.QToolButton()
    button.setProperty("tab", True)
    button.setFont(font("strong"))
    button.setAccessibleName(spoken(name))
    set_tip(button, spoken(tip))
    button.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus)
    button.setMenu(QtWidgets.QMenu(button))
    button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
    return button


def fill_menu(button: QtWidgets.QToolButton, names: Iterable[str], choose: Callable[[str], object]) -> None:
    """Let the menu of a button be of these names."""
    menu, wanted = button.menu(), list(names)
    if [action.data() for action in menu.actions()] == wanted:
        return
    menu.clear()
    for name in wanted:
        add_named(menu, name, lambda name=name: choose(name)).setData(name)
