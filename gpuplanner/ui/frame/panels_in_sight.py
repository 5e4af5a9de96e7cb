"""Which panels are in front: one behind the tab of another is hidden, and one that was before comes back."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget
from shiboken6 import isValid


class PanelsInSight(QObject):
    """Hides what docks hold while they are behind others, and shows it when they come to the front.

    Qt keeps such docks visible and moves them out of the window: their panels would be drawn, and have their tables,
    charts and answers worked out, with every edit.
    """

    def __init__(
        self, window: QMainWindow, docks: Mapping[str, QDockWidget], panels: Mapping[str, QWidget]
    ) -> None:
        super().__init__(window)
        self._window, self._docks, self._panels = window, docks, panels
        self._awaited: frozenset[str] | None = None
        for name, dock in docks.items():
            policy = panels[name].sizePolicy()
            policy.setRetainSizeWhenHidden(True)  # docks are as large as ever, whichever of them is in front
            panels[name].setSizePolicy(policy)
            dock.visibilityChanged.connect(partial(self._take, name))

    def wait_for(self, names: frozenset[str]) -> None:
        """All docks are about to be shown, these of them in front: the others show nothing till then."""
        self._awaited = names
        for name, panel in self._panels.items():
            panel.setVisible(name in names)

    def settle(self) -> None:
        """The docks stand where they are to stand: show the panels that are in front."""
        self._awaited = None
        for name, dock in self._docks.items():
            self._panels[name].setVisible(_is_in_front(dock))

    def bring(self, name: str) -> None:
        """Show a panel now that its dock was raised."""
        self._panels[name].setVisible(True)

    def _take(self, name: str, is_seen: bool) -> None:
        """Shows what is in a dock that came to the front, and hides what is in one that went behind."""
        if not isValid(self._window):  # docks still tell of themselves while the window is taken apart
            return
        is_window_seen = self._window.isVisible() and not self._window.isMinimized()
        if is_seen:
            if self._awaited is None or name in self._awaited:
                self._panels[name].setVisible(True)
        elif (
            is_window_seen
        ):  # with the window every dock goes: what was in front stays so, and keeps the keyboard
            self._panels[name].setVisible(False)


def _is_in_front(dock: QDockWidget) -> bool:
    """Whether no tab hides a dock; one that is closed would be in front once it is opened."""
    place = dock.geometry()
    return dock.isFloating() or dock.isHidden() or (place.right() >= 0 and place.bottom() >= 0)


class PanelsBefore(QObject):
    """Remembers in which order docks came to the front; Qt would show the one beside a closed tab."""

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
        super().__init__(window)
        self._window, self._docks = window, docks
        self._order: list[str] = []  # the newest in front is the last
        self._back: dict[str, str] = {}
        for name, dock in docks.items():
            dock.visibilityChanged.connect(partial(self._take, name))

    def back_from(self, name: str) -> str:
        """The panel to bring now that one was closed; empty where it was behind others, or nothing was before it."""
        return self._back.pop(name, "")

    def newest(self) -> tuple[str, ...]:
        """The panels in the order in which they came to the front, the newest first."""
        return tuple(reversed(self._order))

    def _take(self, name: str, is_seen: bool) -> None:
        """Keep the order in which docks came to the front and, of one that is closed, which was there before it."""
        if not isValid(self._window) or not isValid(self._docks[name]):
            return  # docks still tell of themselves while the window is taken apart
        if is_seen:
            self._order = [*(one for one in self._order if one != name), name]
        elif self._docks[name].isHidden():  # closed, not only behind: told before Qt brings another
            beside = self._window.tabifiedDockWidgets(self._docks[name])
            group = [one for one in self._order if one == name or self._docks[one] in beside]
            self._back.pop(name, None)
            if group and group[-1] == name:
                before = [one for one in group[:-1] if not self._docks[one].isHidden()]
                if before:
                    self._back[name] = before[-1]
