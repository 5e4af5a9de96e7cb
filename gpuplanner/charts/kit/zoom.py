"""What a hand does at a chart: zoom and pan along the x axis, the tool tip, and a choice by keyboard."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Final, Protocol

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtWidgets import QScrollArea, QToolTip, QWidget

from gpuplanner.charts.kit import translation
from gpuplanner.charts.kit.chart_colours import ChartColours
from gpuplanner.charts.kit.plain_text import Markup, escaped, show_tip_at
from gpuplanner.domain.message import Text

# --- Zoom and pan along the x axis that never get lost: always inside the data, and one key or button away from all

FACTOR: Final = 1.25
"""How much nearer one step of the wheel or of a key comes."""
LEAST_SHARE: Final = 1 / 400
"""The smallest part of all that can fill the chart, where the chart names no smallest width."""
PAN_SHARE: Final = 0.2
BOX_FROM: Final = 5
"""Pixels from which a drag draws a box; under that it is a click."""


class Zoomable(Protocol):
    """What can be zoomed: a widget that says where its plot is, and is told what part of its x axis to show."""

    @property
    def colours(self) -> ChartColours:
        """What it is drawn with."""

    def x_limits(self) -> tuple[float, float]:
        """All there is, in the units of the axis."""

    def least_width(self) -> float:
        """The smallest part that means anything; 0: no such."""

    def plot_rect(self) -> QRect:
        """The plot, in pixels of the widget."""

    def show_seen(self, low: float, high: float) -> None:
        """Show this part."""


class Zoom:
    """Belongs to one chart: wheel, a box drawn by the mouse, or + and -; Shift and arrows pan; Home shows all."""

    def __init__(self, chart: Zoomable, widget: QWidget) -> None:
        """widget: whose mouse and keys it is offered, and over which a box is drawn."""
        self._chart, self._widget = chart, widget
        self.changed: Callable[[bool], None] = lambda is_zoomed: None
        self._seen: tuple[float, float] | None = None
        self._begin: QPointF | None = None
        self._pan_from: tuple[float, tuple[float, float]] | None = None
        self._box = _Box(chart, widget)

    @property
    def is_zoomed(self) -> bool:
        """Whether a part is shown."""
        return self._seen is not None

    @property
    def is_dragging(self) -> bool:
        """Whether the mouse draws a box or pans."""
        return self._box.isVisible() or self._pan_from is not None

    @property
    def seen(self) -> tuple[float, float]:
        """The part that is shown, in the units of the axis."""
        return self._chart.x_limits() if self._seen is None else self._seen

    def keep(self) -> tuple[float, float]:
        """The part to show now that the data may be others: what is outside of them moves in."""
        if self._seen is not None:
            self._seen = self._inside(*self._seen)
        return self.seen

    def show(self, low: float, high: float) -> None:
        """Show a part; it is moved and cut to lie inside the data.

        low, high: in the units of the axis. `changed` is told, also where all is seen then.
        """
        self._seen = self._inside(low, high)
        self._chart.show_seen(*self.seen)
        self.changed(self.is_zoomed)

    def reset(self) -> None:
        """Show all.

        `changed` is told.
        """
        self._seen = None
        self._chart.show_seen(*self.seen)
        self.changed(False)

    def by(self, factor: float, at: float | None = None) -> None:
        """Come nearer by a factor over 1, go back by one under 1, around a place of the axis (None: the middle).

        Never nearer than the smallest part, never farther than all.
        """
        low, high = self.seen
        middle = (low + high) / 2 if at is None else at
        self.show(middle - (middle - low) / factor, middle + (high - middle) / factor)

    def pan(self, share: float) -> None:
        """Move by a share of what is seen; to the right where it is positive.

        Nothing happens where all is seen.
        """
        if self._seen is not None:
            low, high = self._seen
            self.show(low + share * (high - low), high + share * (high - low))

    def bring(self, x: float) -> None:
        """Move so that a place is seen.

        Nothing happens where it is seen already.
        """
        low, high = self.seen
        if self._seen is not None and not low <= x <= high:
            self.show(x - (high - low) / 2, x + (high - low) / 2)

    def _inside(self, low: float, high: float) -> tuple[float, float] | None:
        """The part of the data that is nearest to what is asked for; None where that is all of it."""
        first, last = self._chart.x_limits()
        least = min(self._chart.least_width() or (last - first) * LEAST_SHARE, last - first)
        width = max(high - low, least)
        if width >= (last - first) * (1 - 1e-9):
            return None
        low = (low + high - width) / 2
        low = min(max(low, first), last - width)
        return low, low + width

    def x_at(self, pixel: float) -> float:
        """The place of the axis at a pixel from the left of the widget."""
        plot, (low, high) = self._chart.plot_rect(), self.seen
        return low + (pixel - plot.left()) / max(1, plot.width()) * (high - low)

    # Mouse and keyboard

    def takes(self, event: QEvent) -> bool:
        """Whether what mouse, wheel or keyboard do on the chart was meant for it.

        A press alone is never taken: it may be a click for something else.
        """
        if isinstance(event, QtGui.QWheelEvent):
            # A page that scrolls goes on scrolling under the cursor, unless Ctrl is held
            is_meant = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            turned = event.angleDelta().y()
            if not (is_meant or not _scrolls(self._widget)) or not turned:
                return False
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.pan(-PAN_SHARE * turned / 120)
            else:
                self.by(FACTOR ** (turned / 120), self.x_at(event.position().x()))
            event.accept()
            return True
        if isinstance(event, QtGui.QKeyEvent):
            return event.type() == QEvent.Type.KeyPress and self._press_key(event)
        handlers = {
            QEvent.Type.MouseButtonPress: self._press,
            QEvent.Type.MouseMove: self._move,
            QEvent.Type.MouseButtonRelease: self._release,
            QEvent.Type.MouseButtonDblClick: self._double,
        }
        handler = handlers.get(event.type())
        return handler is not None and isinstance(event, QtGui.QMouseEvent) and handler(event)

    def _press_key(self, event: QtGui.QKeyEvent) -> bool:
        """Plus and minus zoom, Home shows all, Shift with arrows pans, Escape lets go of a drag."""
        key, is_shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.by(FACTOR)
        elif key == Qt.Key.Key_Minus:
            self.by(1 / FACTOR)
        elif key == Qt.Key.Key_Home and self.is_zoomed:
            self.reset()
        elif is_shift and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.pan(PAN_SHARE if key == Qt.Key.Key_Right else -PAN_SHARE)
        elif key == Qt.Key.Key_Escape and self.is_dragging:
            self._let_go()
        else:
            return False
        return True

    def _press(self, event: QtGui.QMouseEvent) -> bool:
        """Where a box or a pan begins; the middle button and Shift pan."""
        if not self._chart.plot_rect().contains(event.position().toPoint()):
            return False
        is_left = event.button() is Qt.MouseButton.LeftButton
        is_pan = event.button() is Qt.MouseButton.MiddleButton or (
            is_left and event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        )
        if is_pan and self._seen is not None:
            self._pan_from = (event.position().x(), self._seen)
        elif is_left and not is_pan:
            self._begin = event.position()
        return False

    def _move(self, event: QtGui.QMouseEvent) -> bool:
        """A pan moves what is seen; a box is drawn from a few pixels on."""
        if self._pan_from is not None:
            begin, (low, high) = self._pan_from
            moved = (begin - event.position().x()) / max(1, self._chart.plot_rect().width()) * (high - low)
            self.show(low + moved, high + moved)
            return True
        if self._begin is None or abs(event.position().x() - self._begin.x()) < BOX_FROM:
            return False
        plot = self._chart.plot_rect()
        ends = sorted((self._begin.x(), event.position().x()))
        left, right = max(plot.left(), round(ends[0])), min(plot.right(), round(ends[1]))
        self._box.setGeometry(QRect(QPoint(left, plot.top()), QPoint(right, plot.bottom())))
        self._box.show()
        self._box.raise_()
        return True

    def _release(self, event: QtGui.QMouseEvent) -> bool:
        """The part under the box is shown. Taken only where something was dragged."""
        if self._box.isVisible():
            place = self._box.geometry()
            self.show(self.x_at(place.left()), self.x_at(place.right()))
        was_dragging = self.is_dragging
        self._let_go()
        return was_dragging

    def _double(self, event: QtGui.QMouseEvent) -> bool:
        """Shows all where a part is seen."""
        self._let_go()
        if self.is_zoomed and self._chart.plot_rect().contains(event.position().toPoint()):
            self.reset()
            return True
        return False

    def _let_go(self) -> None:
        self._begin = self._pan_from = None
        self._box.hide()


class _Box(QWidget):
    """What a drag would show: a pale band with an edge at both sides."""

    def __init__(self, chart: Zoomable, parent: QWidget) -> None:
        super().__init__(parent)
        self._chart = chart
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter, colours = QtGui.QPainter(self), self._chart.colours
        veil = QtGui.QColor(colours.text)
        veil.setAlphaF(0.12)
        painter.fillRect(self.rect(), veil)
        painter.setPen(QtGui.QPen(QtGui.QColor(colours.text), 1))
        painter.drawLine(0, 0, 0, self.height())
        painter.drawLine(self.width() - 1, 0, self.width() - 1, self.height())


def _scrolls(widget: QWidget) -> bool:
    """Whether a page around it has more than is seen."""
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            bar = parent.verticalScrollBar()
            if bar.maximum() > bar.minimum():
                return True
        parent = parent.parentWidget()
    return False


# --- The one tool tip of a chart: what and when, a row per series with swatch, name and value, then the total

BESIDE_CURSOR = QPoint(12, 12)


def tip_table(first: str, rows: Sequence[tuple[str, Text, str]], total: tuple[str, str] | None) -> Markup:
    """Rows: colour ("": no swatch), name, value with its unit; all of it words, none of it markup.

    first: what and when, over the table; total: its name and value, under a set of rows; None for none. A row
    without a value is a sentence across the table.
    """
    lines = []
    for colour, name, value in rows:
        swatch = f"<span style='color:{colour}'>\u25a0</span>" if colour else ""
        cells = (
            f"<td>{escaped(str(name))}&nbsp;&nbsp;&nbsp;</td><td align=right>{escaped(value)}</td>"
            if value
            else f"<td colspan=2>{escaped(str(name))}</td>"  # a sentence
        )
        lines.append(f"<tr><td>{swatch}</td>{cells}</tr>")
    if total is not None:
        lines.append(
            f"<tr><td></td><td>{escaped(total[0])}&nbsp;&nbsp;&nbsp;</td>"
            f"<td align=right><b>{escaped(total[1])}</b></td></tr>"
        )
    # what and when stand above the table: in it they would push its columns apart
    return Markup(f"<div><b>{escaped(first)}</b></div><table cellspacing=2>{''.join(lines)}</table>")


def spoken(tip: str) -> str:
    """A tool tip in one line, for a screen reader.

    tip: plain or `Markup`; swatches are not said.
    """
    plain = QtGui.QTextDocumentFragment.fromHtml(tip).toPlainText() if isinstance(tip, Markup) else tip
    words = (line.replace("\u25a0", "").replace("\xa0", " ").strip() for line in plain.splitlines())
    return ", ".join(word for word in words if word)


def show_tip(tip: str, at: QPoint, over: QWidget) -> None:
    """Show it beside a point of a widget; nothing to say hides it.

    at: pixels in the widget. It stands a little beside the cursor.
    """
    if tip:
        show_tip_at(over.mapToGlobal(at) + BESIDE_CURSOR, tip, over)
    else:
        QToolTip.hideText()


# --- The one part of a chart that the keyboard stands on: a bar or a row -------------------------


class PartsChart(QWidget):
    """Draws itself, with a ring around the part that has the keyboard: arrows choose another, Enter and Space open it.

    A kind of it says how many parts there are, what each is in words, where it is, and what opening it does.
    """

    moves: ClassVar[dict[Qt.Key, int]]  # keys that go on or back by so many parts
    opening: ClassVar = frozenset((Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space))

    def __init__(self, name: Text, colours: ChartColours, parent: QWidget | None = None) -> None:
        """name: of the chart, to which the words of the chosen part are added."""
        self.colours, self.current = colours, 0  # the place of the part that has the keyboard
        super().__init__(parent)
        self._name = name
        self.setAccessibleName(translation.spoken(name))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    # What a kind says

    def words(self) -> Sequence[str]:
        """Each part in words, in order."""
        raise NotImplementedError

    def part_at(self, at: QPointF) -> int | None:
        """Place of the part at a point; None beside them."""
        raise NotImplementedError

    def reading_at(self, at: int) -> str:
        """The tool tip of a part that there is."""
        raise NotImplementedError

    def tip_place(self, at: int) -> QPoint:
        """Where the tip of a part stands that was chosen by a key."""
        raise NotImplementedError

    def open_part(self, at: int) -> None:
        """The planner opens a part."""
        raise NotImplementedError

    # What is so of every one

    def choose(self, at: int) -> None:
        """Stand on a part: its words become part of the chart's accessible name, and it is drawn with the ring.

        at: from 0; it must be a part that is shown.
        """
        self.current = at
        self.setAccessibleName(f"{translation.spoken(self._name)}, {self.words()[at]}")
        self.update()

    def keep_below(self, count: int) -> None:
        """Other parts are shown now: stay where there still is one. count: how many; of none the first stays."""
        self.current = min(self.current, max(0, count - 1))

    def show_colours(self, colours: ChartColours) -> None:
        """Other colours from now on."""
        self.colours = colours
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Money is written in another currency from now on."""
        if event.type() == QEvent.Type.LanguageChange:
            self.setAccessibleName(translation.spoken(self._name))
        super().changeEvent(event)

    def paint_ring(self, painter: QtGui.QPainter, place: QRectF) -> None:
        """The ring around the chosen part, while the chart has the keyboard and any part."""
        if self.hasFocus() and self.words():
            painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QtGui.QPen(QtGui.QColor(self.colours.focus or self.colours.text), 2))
            painter.drawRoundedRect(place, 4, 4)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        at = self.part_at(event.position())
        show_tip("" if at is None else self.reading_at(at), event.position().toPoint(), self)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Arrows choose, Enter and Space open."""
        count = len(self.words())
        if event.key() in self.moves and count:
            at = min(count - 1, max(0, self.current + self.moves[Qt.Key(event.key())]))
            self.choose(at)
            show_tip(self.reading_at(at), self.tip_place(at), self)
        elif event.key() in self.opening and count:
            self.open_part(self.current)
        else:
            super().keyPressEvent(event)
