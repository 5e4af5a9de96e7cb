"""A heatmap of the week: 7 days x 24 hours, the days' means at the right, its scale and colour bar."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gpuplanner.charts.kit.plain_text import show_tip_at
from gpuplanner.charts.kit.translation import speak, spoken, tr
from gpuplanner.charts.kit.zoom import show_tip, tip_table
from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.window import DAYS, LONG_DAYS
from gpuplanner.files.tables.delimited import tab_text
from gpuplanner.lazy_dataclass import dataclass

# --- The scale of a heatmap: round ends that hold most of what is shown, in as many even classes as there are colours

OUTLIERS_PERCENT: Final = 5
STEPS: Final = (1.0, 2.0, 5.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatScale:
    """Classes between low and high; is_cut says at which end values lie outside and share the last class."""

    low: float
    high: float
    classes: int
    is_cut_low: bool
    is_cut_high: bool

    def class_of(self, value: float) -> int:
        """The class of a value, 0 for the lowest.

        value: not NaN. What lies outside has the first or last class.

        >>> from dataclasses import replace
        >>> inside = HeatScale(low=0.0, high=1.0, classes=5, is_cut_low=False, is_cut_high=False)
        >>> inside.class_of(0.5), replace(inside, is_cut_high=True).class_of(7.0)
        (2, 4)
        """
        place = int((value - self.low) / (self.high - self.low) * self.classes + 1e-9)
        return min(max(place, 0), self.classes - 1)


def heat_scale(values: Floats, classes: int, most: float | None = None) -> HeatScale:
    """A scale for the values; NaN are left out. most: what no value can exceed (1 for a share).

    Classes are 1, 2 or 5 of a power of ten wide, the least that hold all but the lowest and highest 5%.
    """
    known = values[~np.isnan(values)]
    if not len(known):
        return HeatScale(
            low=0.0, high=1.0 if most is None else most, classes=classes, is_cut_low=False, is_cut_high=False
        )
    inner_low, inner_high = np.percentile(known, (OUTLIERS_PERCENT, 100 - OUTLIERS_PERCENT)).tolist()
    low, high = _ends(inner_low, inner_high, classes, most)
    return HeatScale(
        low=low,
        high=high,
        classes=classes,
        is_cut_low=bool(known.min() < low - 1e-9),
        is_cut_high=bool(known.max() > high + 1e-9),
    )


def _ends(inner_low: float, inner_high: float, classes: int, most: float | None) -> tuple[float, float]:
    """Ends that hold from inner_low to inner_high in round classes; within `most` where there is such."""
    least = max((inner_high - inner_low) / classes, 0.01 if most is not None else 0.1)
    power = 10.0 ** np.floor(np.log10(least))
    for width in _widths(float(power)):
        low = round(np.floor(inner_low / width + 1e-9) * width, 9)
        if low + classes * width < inner_high - 1e-9:
            continue
        if most is None or low + classes * width <= most + 1e-9:
            return float(low), float(round(low + classes * width, 9))
        if classes * width <= most:
            return float(round(most - classes * width, 9)), most
        return 0.0, most
    raise AssertionError("steps grow without end")


def _widths(power: float) -> Sequence[float]:
    """Widths of a class to be tried, ascending, from a power of ten on."""
    return [step * power * ten for ten in (1.0, 10.0, 100.0) for step in STEPS]


# --- A heatmap of the week: 7 days x 24 hours, the days' means at the right, a colour bar that says both its ends

HOURS: Final = 24
LABELLED_HOURS: Final = (0, 6, 12, 18, 23)
GAP: Final = 1
BAR_HEIGHT: Final = 7
BAR_STEP_AT_LEAST, BAR_STEP_AT_MOST = 8, 26
ROW_AT_LEAST, ROW_AT_MOST = 14, 26
STEP_OF_KEY: Final = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Home: (0, -HOURS),
    Qt.Key.Key_End: (0, HOURS),
    Qt.Key.Key_PageUp: (-len(DAYS), 0),
    Qt.Key.Key_PageDown: (len(DAYS), 0),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatColours:
    """What a heatmap is drawn with; ramp from low to high."""

    raised: str
    text: str
    muted: str
    line: str
    focus: str
    ramp: tuple[str, ...]
    small: QtGui.QFont
    strong: QtGui.QFont


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HeatTable:
    """What a heatmap shows. Shapes: values (7, 24), row_means (7,); NaN is unknown.

    title, unit: what the values are, as its heading says too; it names the map to a screen reader. written: a value
    as its figure; written_end: as an end of the colour bar. note: what the bar's ends are of. lines: of one cell
    (day, hour), name and figure each, for the tool tip. most: what no value can exceed.
    """

    title: Text
    unit: Text
    values: Floats
    row_means: Floats
    written: Callable[[float], str]
    written_end: Callable[[float], str]
    note: str = ""
    lines: Callable[[int, int], Sequence[tuple[str, str]]] = lambda day, hour: ()
    most: float | None = None
    unknown: str = "\u2014"
    mean_title: Message = worded("Mean")

    def __post_init__(self) -> None:
        """Title and unit in the planner's language, once."""
        speak(self, "title", "unit")

    def figure(self, value: float) -> str:
        """A value as it is written, a dash where it is unknown.

        value: in the unit of the table.
        """
        return self.unknown if np.isnan(value) else self.written(value)

    def name_of(self, day: int, hour: int) -> str:
        """Thursday 14:00 to 15:00 UTC."""
        return tr(
            "{days} {hour}:00 to {hour_2}:00 UTC",
            days=LONG_DAYS[day],
            hour=f"{hour:02d}",
            hour_2=f"{(hour + 1) % HOURS:02d}",
        )

    def as_text(self) -> str:
        """The table that the map stands for: a line an hour, a column a day, tab separated.

        Title and unit in the first line, means in the last.
        """
        head = (tr("Hour, UTC"), *map(tr, DAYS))
        rows = [
            (f"{hour:02d}", *(self.figure(self.values[day, hour]) for day in range(len(DAYS))))
            for hour in range(HOURS)
        ]
        means = (tr(self.mean_title), *(self.figure(mean) for mean in self.row_means))
        return tab_text(((f"{self.title}, {self.unit}",), head, *rows, means))


class Heatmap(QWidget):
    """Told its table; the mouse or the arrow keys go from cell to cell, and a tool tip says what is there."""

    cell_chosen = Signal(int, int)  # weekday (Monday 0), hour

    def __init__(self, colours: HeatColours) -> None:
        """Nothing is drawn before `show_heat`."""
        super().__init__()
        self._colours = colours
        self._table: HeatTable | None = None
        self._scale = HeatScale(
            low=0.0, high=1.0, classes=len(colours.ramp), is_cut_low=False, is_cut_high=False
        )
        self.current = (0, 0)  # the cell that the keyboard stands on: weekday (Monday 0), hour
        self._hovered: tuple[int, int] | None = None
        self._measure()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName(tr("Heatmap of the week"))

    def show_heat(self, table: HeatTable) -> None:
        """Show this table. Errors: ValueError where its shapes are not those of a week."""
        if table.values.shape != (len(DAYS), HOURS) or table.row_means.shape != (len(DAYS),):
            raise ValueError(
                f"heatmap: values {table.values.shape}, means {table.row_means.shape}; give (7, 24), (7,)"
            )
        self._table = table
        self._scale = heat_scale(table.values, len(self._colours.ramp), table.most)
        self._measure()
        self.setAccessibleName(f"{table.title}, {table.unit}")
        self._tell()
        self.update()

    def show_palette(self, colours: HeatColours) -> None:
        """Other colours and fonts from now on."""
        self._colours = colours
        self._measure()
        self.update()

    def colour_at(self, day: int, hour: int) -> str | None:
        """The colour of a cell; None where its value is unknown.

        As #rrggbb, of the ramp; day: Monday 0.
        """
        if self._table is None or np.isnan(self._table.values[day, hour]):
            return None
        return self._colours.ramp[self._scale.class_of(float(self._table.values[day, hour]))]

    def bar_ends(self) -> tuple[str, str]:
        """What stands at the two ends of the colour bar; a sign says that values lie beyond.

        Empty before there is a table.
        """
        if self._table is None:
            return "", ""
        scale, written = self._scale, self._table.written_end
        return (
            ("\u2264 " if scale.is_cut_low else "") + written(scale.low),
            ("\u2265 " if scale.is_cut_high else "") + written(scale.high),
        )

    def text_at(self, day: int, hour: int) -> str:
        """What a cell says, in words: for a screen reader.

        Empty before there is a table.
        """
        if self._table is None:
            return ""
        lines = [f"{name} {figure}" for name, figure in self._table.lines(day, hour)]
        own = f"{self._table.name_of(day, hour)}: {self._table.figure(self._table.values[day, hour])}"
        return ", ".join((own, *lines))

    def tip_at(self, day: int, hour: int) -> str:
        """The tool tip of a cell: when, its figure, then what is behind it.

        Empty before there is a table.
        """
        if self._table is None:
            return ""
        rows = [(self._table.unit, self._table.figure(self._table.values[day, hour]))]
        rows += self._table.lines(day, hour)
        swatch = self.colour_at(day, hour) or ""
        lines = [(swatch if not at else "", name, figure) for at, (name, figure) in enumerate(rows)]
        return tip_table(self._table.name_of(day, hour), lines, None)

    def cell_rect(self, day: int, hour: int) -> QRect:
        """Where a cell is drawn; neighbours share no pixel.

        In pixels of the widget; day: Monday 0. A pixel is left between neighbours.
        """
        plot = self._plot()
        left = plot.left() + round(plot.width() * hour / HOURS)
        right = plot.left() + round(plot.width() * (hour + 1) / HOURS)
        height = self._row_height()
        return QRect(left, plot.top() + day * height, right - left - GAP, height - GAP)

    def cell_under(self, at: QPoint) -> tuple[int, int] | None:
        """The cell at a place of the widget; None beside the map.

        Weekday (Monday 0) and hour.
        """
        plot = self._plot()
        if self._table is None or not plot.contains(at):
            return None
        day = (at.y() - plot.top()) // self._row_height()
        hour = min((at.x() - plot.left()) * HOURS // max(plot.width(), 1), HOURS - 1)
        return (int(day), int(hour)) if day < len(DAYS) else None

    def sizeHint(self) -> QSize:
        return QSize(480, self.height_with_rows(22))

    def minimumSizeHint(self) -> QSize:
        return QSize(300, self.height_with_rows(ROW_AT_LEAST))

    def _measure(self) -> None:
        """How much room words need, in pixels: once, since each cell that is drawn asks where the map stands."""
        metrics = QtGui.QFontMetrics(self._colours.small)
        means = [] if self._table is None else [self._table.figure(mean) for mean in self._table.row_means]
        title = "" if self._table is None else tr(self._table.mean_title)
        self._line_px = metrics.height()
        self._left_px = max(metrics.horizontalAdvance(tr(day)) for day in DAYS) + 10
        self._right_px = max((metrics.horizontalAdvance(text) for text in (title, *means)), default=0) + 12

    def height_with_rows(self, row: int) -> int:
        """How high the map stands with rows of this height, labels and colour bar included.

        row: pixels, as is the answer.
        """
        return 2 * self._line_px + 16 + len(DAYS) * row

    def _row_height(self) -> int:
        room = self.height() - (2 * self._line_px + 16)
        return max(ROW_AT_LEAST, min(ROW_AT_MOST, room // len(DAYS)))

    def _plot(self) -> QRect:
        """Where cells stand: day names at the left, means at the right, hours above."""
        width = max(self.width() - self._left_px - self._right_px, HOURS * 4)
        return QRect(self._left_px, self._line_px + 4, width, len(DAYS) * self._row_height())

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        if self._table is None:
            return
        painter = QtGui.QPainter(self)
        marked = self._hovered or (self.current if self.hasFocus() else None)
        self._paint_labels(painter, self._table, marked)
        for day in range(len(DAYS)):
            for hour in range(HOURS):
                self._paint_cell(painter, self.cell_rect(day, hour), self.colour_at(day, hour))
        self._paint_bar(painter, self._table)
        if self._hovered is not None:
            painter.setPen(QtGui.QPen(QtGui.QColor(self._colours.text), 1))
            painter.drawRect(self.cell_rect(*self._hovered).adjusted(-1, -1, 0, 0))
        if self.hasFocus():
            painter.setPen(
                QtGui.QPen(
                    QtGui.QColor(self._colours.focus), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap
                )
            )
            painter.drawRect(self.cell_rect(*self.current).adjusted(-1, -1, 1, 1))

    def _paint_labels(
        self, painter: QtGui.QPainter, table: HeatTable, marked: tuple[int, int] | None
    ) -> None:
        """marked: the cell that is hovered or has the keyboard, whose labels stand out."""
        colours, plot = self._colours, self._plot()
        metrics = QtGui.QFontMetrics(colours.small)
        middle = Qt.AlignmentFlag.AlignVCenter
        for day, name in enumerate(DAYS):
            cell = self.cell_rect(day, 0)
            is_marked = marked is not None and marked[0] == day
            self._pick(painter, is_marked, colours.muted)
            painter.drawText(
                QRect(0, cell.top(), plot.left() - 10, cell.height()),
                Qt.AlignmentFlag.AlignRight | middle,
                tr(name),
            )
            self._pick(painter, is_marked, colours.text)
            place = QRect(plot.right(), cell.top(), self.width() - plot.right() - 1, cell.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | middle, table.figure(table.row_means[day]))
        self._pick(painter, False, colours.muted)
        head = QRect(plot.right(), 0, self.width() - plot.right() - 1, self._line_px)
        painter.drawText(head, Qt.AlignmentFlag.AlignRight | middle, tr(table.mean_title))
        taken = None
        if marked is not None:  # the hour that is asked for stands, and what it would overlap makes room
            taken = self._hour_place(marked[1], metrics)
            self._pick(painter, True, colours.text)
            painter.drawText(taken, Qt.AlignmentFlag.AlignCenter, f"{marked[1]:02d}")
        self._pick(painter, False, colours.muted)
        for hour in LABELLED_HOURS:
            place = self._hour_place(hour, metrics)
            if taken is None or not place.adjusted(-2, 0, 2, 0).intersects(taken):
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"{hour:02d}")

    def _pick(self, painter: QtGui.QPainter, is_marked: bool, colour: str) -> None:
        """The pen and font of a label."""
        painter.setFont(self._colours.strong if is_marked else self._colours.small)
        painter.setPen(QtGui.QColor(self._colours.text if is_marked else colour))

    def _hour_place(self, hour: int, metrics: QtGui.QFontMetrics) -> QRect:
        """Where the label of an hour stands: over its cell, inside the plot."""
        cell, width = self.cell_rect(0, hour), metrics.horizontalAdvance("00") + 4
        plot = self._plot()
        left = min(max(cell.center().x() - width // 2, plot.left() - 2), plot.right() - width + 2)
        return QRect(left, 0, width, self._line_px)

    def _paint_cell(self, painter: QtGui.QPainter, rect: QRect, colour: str | None) -> None:
        """colour None: unknown, drawn as a crossed box, so that it is told from every colour of the ramp."""
        if colour is not None:
            painter.fillRect(rect, QtGui.QColor(colour))
            return
        painter.setPen(QtGui.QPen(QtGui.QColor(self._colours.line), 1))
        painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.drawLine(rect.topLeft(), rect.bottomRight())
        painter.drawLine(rect.bottomLeft(), rect.topRight())

    def _paint_bar(self, painter: QtGui.QPainter, table: HeatTable) -> None:
        """The ramp, and what its ends mean; what is unknown, where some is."""
        colours, plot = self._colours, self._plot()
        line, top = self._line_px, plot.bottom() + 8
        low, high = self.bar_ends()
        if table.note:
            text = tr("{low} to {high} {note}", low=low, high=high, note=table.note)
        else:
            text = tr("{low} to {high}{note}", low=low, high=high, note=table.note)
        metrics = QtGui.QFontMetrics(colours.small)
        spare = self.width() - 1 - plot.left() - 8 - metrics.horizontalAdvance(text)
        step = max(BAR_STEP_AT_LEAST, min(BAR_STEP_AT_MOST, spare // len(colours.ramp)))
        middle = top + (line - BAR_HEIGHT) // 2
        for number, colour in enumerate(colours.ramp):
            painter.fillRect(
                QRect(plot.left() + number * step, middle, step, BAR_HEIGHT), QtGui.QColor(colour)
            )
        left = plot.left() + len(colours.ramp) * step + 8
        self._pick(painter, False, colours.muted)
        room = self.width() - left - 1
        is_crossed = bool(np.isnan(table.values).any())
        cross = QRect(0, middle - 2, BAR_HEIGHT + 4, BAR_HEIGHT + 4)
        unknown = tr("unknown")
        if is_crossed and room - metrics.horizontalAdvance(text) > metrics.horizontalAdvance(unknown) + 36:
            cross.moveLeft(left + metrics.horizontalAdvance(text) + 14)
            painter.drawText(
                QRect(cross.right() + 6, top, self.width(), line), Qt.AlignmentFlag.AlignVCenter, unknown
            )
            self._paint_cell(painter, cross, None)
            self._pick(painter, False, colours.muted)
        painter.drawText(
            QRect(left, top, room, line),
            Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine,
            metrics.elidedText(text, Qt.TextElideMode.ElideRight, room),
        )

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        cell = self.cell_under(event.position().toPoint())
        if cell != self._hovered:
            self._hovered = cell
            self.update()
        if cell is None:
            QToolTip.hideText()
        else:
            show_tip(self.tip_at(*cell), event.position().toPoint(), self)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        cell = self.cell_under(event.position().toPoint())
        if cell is not None:
            self._go(*cell)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()

    def event(self, event: QEvent) -> bool:
        # what the mouse shows follows the cursor; it is not asked for twice
        if isinstance(event, QtGui.QHelpEvent):
            return True
        return super().event(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Copy puts the table on the clipboard; arrows go from cell to cell and show what is there."""
        step = STEP_OF_KEY.get(Qt.Key(event.key()))
        if event.matches(QtGui.QKeySequence.StandardKey.Copy) and self._table is not None:
            QtGui.QGuiApplication.clipboard().setText(self._table.as_text())
        elif step is not None:
            day, hour = self.current[0] + step[0], self.current[1] + step[1]
            self._go(min(max(day, 0), len(DAYS) - 1), min(max(hour, 0), HOURS - 1))
            place = self.mapToGlobal(self.cell_rect(*self.current).bottomRight() + QPoint(6, 6))
            show_tip_at(place, self.tip_at(*self.current), self)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusOutEvent(event)
        QToolTip.hideText()
        self.update()

    def _go(self, day: int, hour: int) -> None:
        """Stand on a cell; `cell_chosen` tells."""
        self.current = (day, hour)
        self._tell()
        self.update()
        self.cell_chosen.emit(day, hour)

    def _tell(self) -> None:
        """Let a screen reader say the cell that the keyboard stands on."""
        text = self.text_at(*self.current)
        if text != self.accessibleDescription():
            self.setAccessibleDescription(spoken(text))
            QtGui.QAccessible.updateAccessibility(
                QtGui.QAccessibleEvent(self, QtGui.QAccessible.Event.DescriptionChanged)
            )
