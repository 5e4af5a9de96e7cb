"""The names beside a chart as its legend: a click or a digit hides what it names, and shows it again."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent

if TYPE_CHECKING:
    from gpuplanner.charts.plot import Chart


class SeriesToggle:
    """Belongs to one chart. What is hidden stays hidden under its name, whatever the chart is told next."""

    def __init__(self, chart: "Chart") -> None:
        self._chart = chart
        self.hidden: frozenset[str] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """The names that stand beside the chart, from the top down: the digits count them."""
        return self._chart.names_axis.from_the_top()

    def is_shown(self, name: str) -> bool:
        """Whether a series is drawn."""
        return name not in self.hidden

    def turn(self, name: str) -> None:
        """Hide a series, or show it again."""
        self.show_without(self.hidden ^ {name})

    def show_without(self, hidden: frozenset[str]) -> None:
        """Hide these, and show all others."""
        self.hidden = hidden
        self._chart.names_axis.show_hidden(hidden)
        self._chart.draw_again()

    def takes_mouse(self, event: QMouseEvent) -> bool:
        """Whether what the mouse does was meant for a name."""
        view = self._chart.viewport()
        name = self._chart.names_axis.name_at(self._chart.mapToScene(event.position().toPoint()))
        if event.type() == QEvent.Type.MouseMove:
            shape = Qt.CursorShape.PointingHandCursor if name else Qt.CursorShape.ArrowCursor
            if view.cursor().shape() is not shape:
                view.setCursor(shape)
        elif (
            name
            and event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
            and event.button() is Qt.MouseButton.LeftButton
        ):
            self.turn(name)
            return True
        return False

    def takes_key(self, event: QKeyEvent) -> bool:
        """A digit stands for the name at that place, counted from the top."""
        text, names = event.text(), self.names
        if (
            not (text.isdecimal() and 1 <= int(text) <= len(names))
            or event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            return False
        self.turn(names[int(text) - 1])
        return True
