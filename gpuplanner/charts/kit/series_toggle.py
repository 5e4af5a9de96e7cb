"""Legend of a chart: a click or a digit hides a series and shows it again."""

from collections.abc import Callable

import pyqtgraph as pg
from PySide6 import QtGui
from PySide6.QtCore import QEvent, Qt

from gpuplanner.charts.kit.axes import NamesAxis
from gpuplanner.domain.message import Text


class SeriesToggle:
    """Belongs to one chart. What is hidden stays hidden under its name, whatever the chart is told next.

    axis: the names; draw_again: draws the chart of `plot` as it was told last, now without what is hidden.
    """

    def __init__(self, plot: pg.PlotWidget, axis: NamesAxis, draw_again: Callable[[], None]) -> None:
        """plot: whose mouse and keys it is offered."""
        self._plot, self._axis, self._draw_again = plot, axis, draw_again
        self.hidden: frozenset[str] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """The names that stand beside the chart, from the top down: the digits count them."""
        return self._axis.from_the_top()

    def is_visible(self, name: Text) -> bool:
        """Whether a series is drawn.

        A name that the chart does not have is visible: nothing hid it.
        """
        return str(name) not in self.hidden

    def turn(self, name: Text) -> None:
        """Hide a series, or show it again."""
        self.show_without(self.hidden ^ {str(name)})

    def show_without(self, hidden: frozenset[str]) -> None:
        """Hide these, and show all others.

        hidden: names; those that the chart does not have yet stay hidden once it has them.
        """
        self.hidden = hidden
        self._axis.show_hidden(hidden)
        self._draw_again()

    def takes_mouse(self, event: QtGui.QMouseEvent) -> bool:
        """Whether what the mouse does was meant for a name.

        Over a name the cursor is a hand.
        """
        view = self._plot.viewport()
        name = self._axis.name_at(self._plot.mapToScene(event.position().toPoint()))
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

    def takes_key(self, event: QtGui.QKeyEvent) -> bool:
        """A digit stands for the name at that place, counted from the top."""
        text, names = event.text(), self.names
        if (
            not (text.isdecimal() and 1 <= int(text) <= len(names))
            or event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            return False
        self.turn(names[int(text) - 1])
        return True
