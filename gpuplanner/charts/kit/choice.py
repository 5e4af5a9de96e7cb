"""The one part of a chart that the keyboard stands on: a bar or a row."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from gpuplanner.domain.message import Text


class Choice:
    """Belongs to a widget that draws itself, with a ring around it. said: of a place, in words."""

    def __init__(self, widget: QWidget, name: Text, said: Callable[[int], str]) -> None:
        """name: of the chart, to which the words of the part are added."""
        self._widget, self._name, self._said = widget, name, said
        self.current = 0

    def choose(self, at: int) -> None:
        """Stand on a part: its words become part of the chart's accessible name, and it is drawn with the ring.

        at: from 0; it must be a part that is shown.
        """
        self.current = at
        self._widget.setAccessibleName(f"{self._name}, {self._said(at)}")
        self._widget.update()

    def keep_below(self, count: int) -> None:
        """Other parts are shown now: stay where there still is one.

        count: how many parts are shown now; of none the first stays.
        """
        self.current = min(self.current, max(0, count - 1))
