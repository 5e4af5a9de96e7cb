"""PanelsBefore: which panel was in front before another, so that it comes back when that one is closed."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDockWidget, QMainWindow
from shiboken6 import isValid


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

    def _take(self, name: str, is_seen: bool) -> None:
        """Keeps the order in which panels came to the front.

        Of one that is closed, which was there before it.
        """
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
