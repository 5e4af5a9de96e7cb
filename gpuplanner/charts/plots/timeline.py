"""A timeline: one bar a contract over the months, what follows it paler, and the days by which to decide as marks."""

from collections.abc import Sequence
from typing import ClassVar, Final

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.chart_colours import ChartColours, mixed
from gpuplanner.charts.kit.translation import speak
from gpuplanner.charts.kit.zoom import PartsChart, Zoom, tip_table
from gpuplanner.lazy_dataclass import dataclass

ROW_HEIGHT: Final = 26
BAR_HEIGHT: Final = 12
MARK: Final = 5.0
"""Half the width of a mark."""
MOST_NAMES = 0.42
"""Of the width, for the names of rows: an order is told in full also in a narrow panel."""
PALE: Final = 0.4
"""How much of its colour lies on the ground, for what follows."""
HEAD_HEIGHT: Final = 34
FOOT_HEIGHT: Final = 6
GAP: Final = 8
MANY: Final = 1_000_000
"""More rows than there are: as far as the last."""
LEAST_S: Final = 14 * 24 * 3600
INSET: Final = 5
"""Pixels before a name, for the keyboard's ring."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A bar from one time to another (epoch seconds; end None: it has no end). is_pale: planned, not signed.

    is_hatched: paid by use, for as long as it runs.
    """

    start_s: int
    end_s: int | None
    colour: str
    is_pale: bool = False
    is_hatched: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A day by which to decide, at_s epoch seconds. is_order: to order by (full); else to give notice by (open)."""

    at_s: int
    is_order: bool = True
    is_late: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineRow:
    """One line: its name, the bars in it, its marks, and all of it in words. key: what it is about."""

    key: str
    name: str
    spans: tuple[Span, ...]
    marks: tuple[Mark, ...]
    tip: str

    def __post_init__(self) -> None:
        """Its name in the planner's language, once."""
        speak(self, "name")


class TimelineChart(PartsChart):
    """Told its rows and the time they stand in; arrows choose a row, Enter or a double click opens it."""

    row_opened = Signal(str)

    moves: ClassVar = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Home: -MANY, Qt.Key.Key_End: MANY}

    def __init__(
        self, name: str, colours: ChartColours, late_colour: str, parent: QWidget | None = None
    ) -> None:
        """late_colour: of marks whose day is past."""
        self._late_colour = late_colour
        self.rows: tuple[TimelineRow, ...] = ()  # what it was told
        self._ticks: tuple[tuple[int, str], ...] = ()
        self._range = (0, 1)
        self.today: tuple[int, str] = (0, "")
        super().__init__(name, colours, parent)
        self.zoom = Zoom(self, self)

    def words(self) -> list[str]:
        return [row.tip.splitlines()[0] for row in self.rows]

    def show_rows(
        self,
        rows: Sequence[TimelineRow],
        begin_s: int,
        end_s: int,
        ticks: Sequence[tuple[int, str]],
        today: tuple[int, str],
    ) -> None:
        """Show these rows from begin to end (epoch seconds); ticks and today with their words.

        The row that was chosen stays so where it is still there. An empty word for today leaves its line out.
        """
        key = self.rows[self.current].key if self.current < len(self.rows) else ""
        self.rows, self._range = tuple(rows), (begin_s, max(end_s, begin_s + 1))
        self._ticks, self.today = tuple(ticks), today
        self.current = next((at for at, row in enumerate(rows) if row.key == key), 0)
        self.zoom.keep()
        self.setAccessibleDescription(". ".join(row.tip.replace("\n", ", ") for row in rows))
        self.setMinimumHeight(self.sizeHint().height())
        self.updateGeometry()
        self.update()

    def show_late_colour(self, late_colour: str) -> None:
        """Another colour of marks whose day is past."""
        self._late_colour = late_colour
        self.update()

    def select(self, key: str) -> None:
        """Choose the row of a key; one that is not there changes nothing.

        Nothing is emitted.
        """
        at = next((at for at, row in enumerate(self.rows) if row.key == key), None)
        if at is not None:
            self.choose(at)

    def sizeHint(self) -> QSize:
        return QSize(320, HEAD_HEIGHT + max(1, len(self.rows)) * ROW_HEIGHT + FOOT_HEIGHT)

    # Where things are

    def names_width(self) -> float:
        """Pixels for the names: as wide as the widest, at most a third.

        Of the rows that are shown now.
        """
        metrics = QtGui.QFontMetricsF(self.colours.small)
        widest = max((metrics.horizontalAdvance(row.name) for row in self.rows), default=0.0)
        return min(widest + 2 * GAP + INSET, MOST_NAMES * self.width())

    def x_of(self, at_s: float) -> float:
        """A time in pixels from the left, kept inside the frame.

        at_s: epoch seconds; what lies outside of the part that is seen stands at its edge.
        """
        begin, end = self.zoom.seen
        left, right = self.names_width(), self.width() - GAP
        return left + min(1.0, max(0.0, (at_s - begin) / (end - begin))) * (right - left)

    # What a zoom asks

    def x_limits(self) -> tuple[float, float]:
        """All of the time that is shown, in epoch seconds."""
        return (float(self._range[0]), float(self._range[1]))

    def least_width(self) -> float:
        """Nothing is decided by less than two weeks.

        Units: seconds.
        """
        return LEAST_S

    def plot_rect(self) -> QRect:
        """Where bars stand.

        In pixels of the widget, under the heading too.
        """
        left = round(self.names_width())
        return QRect(left, 0, self.width() - GAP - left, self.height())

    def show_seen(self, low: float, high: float) -> None:
        """Show a part of the time."""
        self.update()

    def row_top(self, at: int) -> float:
        """Pixels from the top to a row."""
        return HEAD_HEIGHT + at * ROW_HEIGHT

    def row_at(self, y: float) -> int | None:
        """Place of the row at a pixel from the top; None beside them.

        y: pixels of the widget.
        """
        at = int((y - HEAD_HEIGHT) // ROW_HEIGHT)
        return at if 0 <= at < len(self.rows) else None

    # Painting

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter, colours = QtGui.QPainter(self), self.colours
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QtGui.QColor(colours.raised))
        bottom = self.row_top(len(self.rows))
        # Lines at all ticks, words at those that do not touch the one before
        painter.setFont(self.colours.small)
        metrics = QtGui.QFontMetricsF(self.colours.small)
        free_from = self.names_width() - GAP
        for at_s, text in self._ticks:
            if not self.zoom.seen[0] <= at_s <= self.zoom.seen[1]:
                continue
            x, width = self.x_of(at_s), metrics.horizontalAdvance(text)
            painter.setPen(QtGui.QPen(QtGui.QColor(self.colours.grid), 1))
            painter.drawLine(QPointF(x, HEAD_HEIGHT), QPointF(x, bottom))
            left = min(x - width / 2, self.width() - width - 1)
            if left >= free_from:  # labels never overlap
                self._words(painter, QRectF(left, HEAD_HEIGHT - 18, width + 2, 15), text, self.colours.muted)
                free_from = left + width + GAP
        painter.setPen(QtGui.QPen(QtGui.QColor(self.colours.edge), 1))
        left, right = self.names_width(), self.width() - GAP
        painter.drawLine(QPointF(left, HEAD_HEIGHT - 1), QPointF(right, HEAD_HEIGHT - 1))
        for at, row in enumerate(self.rows):
            self._paint_row(painter, at, row)
        self._paint_today(painter, bottom)
        for at, row in enumerate(self.rows):
            for mark in row.marks:
                seen = self.zoom.seen
                if mark.at_s <= seen[1] and (not self.zoom.is_zoomed or mark.at_s >= seen[0]):
                    # one before the window stands at its left edge
                    self._paint_mark(painter, at, mark)
        ring = QRectF(1, self.row_top(self.current) + 1, self.width() - 2, ROW_HEIGHT - 2)
        self.paint_ring(painter, ring)

    def _paint_today(self, painter: QtGui.QPainter, bottom: float) -> None:
        """Left out where it is not in the part that is seen."""
        at_s, words = self.today
        if not words or not self.zoom.seen[0] <= at_s <= self.zoom.seen[1]:
            return
        x, width = self.x_of(at_s), QtGui.QFontMetricsF(self.colours.strong).horizontalAdvance(words) + 2
        painter.setPen(QtGui.QPen(QtGui.QColor(self.colours.text), 1.5))
        painter.drawLine(QPointF(x, HEAD_HEIGHT - 2), QPointF(x, bottom))
        painter.setFont(self.colours.strong)
        left = min(max(0.0, x - width / 2), self.width() - width)
        self._words(painter, QRectF(left, 0, width, 15), words, self.colours.text)

    def _paint_row(self, painter: QtGui.QPainter, at: int, row: TimelineRow) -> None:
        top = self.row_top(at)
        metrics = QtGui.QFontMetricsF(self.colours.small)
        room = self.names_width() - GAP - INSET
        painter.setFont(self.colours.small)
        name = metrics.elidedText(row.name, Qt.TextElideMode.ElideMiddle, room)
        self._words(painter, QRectF(INSET, top, room, ROW_HEIGHT), name, self.colours.text)
        for span in row.spans:
            self._paint_span(painter, top + (ROW_HEIGHT - BAR_HEIGHT) / 2, span)

    def _paint_span(self, painter: QtGui.QPainter, top: float, span: Span) -> None:
        """A bar as far as it is seen, at least two pixels wide, with a tip where it goes on beyond the right
        edge.
        """
        begin, end = self.zoom.seen
        last = end if span.end_s is None else span.end_s
        if last <= begin or span.start_s >= end:
            return
        left, right = self.x_of(span.start_s), max(self.x_of(last), self.x_of(span.start_s) + 2)
        bar = QRectF(left, top, right - left, BAR_HEIGHT)
        colour = QtGui.QColor(span.colour)
        if span.is_pale:
            colour = mixed(colour, QtGui.QColor(self.colours.raised), PALE)
        painter.fillRect(bar, colour)
        if span.is_hatched:
            # Of what is paid by use
            painter.fillRect(bar, QtGui.QBrush(QtGui.QColor(self.colours.muted), Qt.BrushStyle.BDiagPattern))
        pen = QtGui.QPen(QtGui.QColor(self.colours.edge), 1)
        if span.is_pale:
            pen.setDashPattern([3, 2])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(bar)
        if span.end_s is None or span.end_s > end:  # it goes on beyond the right edge
            tip = QtGui.QPolygonF(
                [
                    QPointF(right, top),
                    QPointF(right + 6, top + BAR_HEIGHT / 2),
                    QPointF(right, top + BAR_HEIGHT),
                ]
            )
            painter.setBrush(QtGui.QColor(self.colours.edge))
            painter.drawPolygon(tip)

    def _paint_mark(self, painter: QtGui.QPainter, at: int, mark: Mark) -> None:
        """A diamond, full for an order and open for notice, with a sign in it where it is late: not by colour
        alone.
        """
        x, y = self.x_of(mark.at_s), self.row_top(at) + ROW_HEIGHT / 2
        shape = QtGui.QPolygonF(
            [QPointF(x, y - MARK - 1), QPointF(x + MARK, y), QPointF(x, y + MARK + 1), QPointF(x - MARK, y)]
        )
        ink = QtGui.QColor(self._late_colour if mark.is_late else self.colours.text)
        painter.setPen(QtGui.QPen(QtGui.QColor(self.colours.raised), 3))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolygon(shape)
        painter.setPen(QtGui.QPen(ink, 1.5))
        painter.setBrush(ink if mark.is_order else QtGui.QColor(self.colours.raised))
        painter.drawPolygon(shape)
        if mark.is_late:  # not by colour alone
            painter.setPen(QtGui.QPen(QtGui.QColor(self.colours.raised) if mark.is_order else ink, 1.5))
            painter.drawLine(QPointF(x, y - 3), QPointF(x, y + 0.5))
            painter.drawPoint(QPointF(x, y + 3))

    def _words(self, painter: QtGui.QPainter, place: QRectF, text: str, colour: str) -> None:
        painter.setPen(QtGui.QColor(colour))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.drawText(place, int(flags), text)

    # Mouse and keyboard

    def tip_at(self, y: float) -> str:
        """What is said of the row at a pixel from the top.

        Plain, in lines; empty beside the rows.
        """
        at = self.row_at(y)
        return "" if at is None else self.rows[at].tip

    def part_at(self, at: QPointF) -> int | None:
        return self.row_at(at.y())

    def tip_place(self, at: int) -> QPoint:
        return QPoint(round(self.names_width()), round(self.row_top(at) + ROW_HEIGHT))

    def open_part(self, at: int) -> None:
        self.row_opened.emit(self.rows[at].key)

    def reading_at(self, at: int) -> str:
        """The tool tip of a row: what it is, then its days and what follows.

        at: place of a row that there is.
        """
        first, *lines = self.rows[at].tip.splitlines()
        return tip_table(first, [("", line, "") for line in lines], None)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        at = self.row_at(event.position().y())
        if at is not None and event.button() is Qt.MouseButton.LeftButton:
            self.choose(at)

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        if self.row_at(event.position().y()) is not None:
            self.open_part(self.current)

    def event(self, event: QEvent) -> bool:
        """The zoom takes what is meant for it, before rows are chosen."""
        if isinstance(event, QtGui.QMouseEvent | QtGui.QWheelEvent | QtGui.QKeyEvent) and self.zoom.takes(
            event
        ):
            return True
        if event.type() == QEvent.Type.ToolTip:
            return True  # what is under the mouse is said as it moves
        return super().event(event)
