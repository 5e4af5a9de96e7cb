"""Bars of amounts: a waterfall from a start over steps to results, and ranks from the largest down."""

from collections.abc import Sequence
from typing import ClassVar, Final, Literal

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen

from gpuplanner.charts.kit.chart_colours import ChartColours, mixed
from gpuplanner.charts.kit.translation import speak, tr
from gpuplanner.charts.kit.user_locale import grouped
from gpuplanner.charts.kit.zoom import PartsChart, tip_table
from gpuplanner.domain.message import Text
from gpuplanner.files.brief.sheets import broken
from gpuplanner.lazy_dataclass import dataclass

# --- A waterfall: bars from a start over steps to results, on a zero baseline, each with its amount; told what to say

StepKind = Literal["start", "step", "scaled", "result"]

SHARE_OF_TEXT: Final[dict[StepKind, float]] = {"start": 0.5, "step": 0.3, "scaled": 0.1, "result": 0.86}
"""How much of the text colour lies on the ground: neutral bars; a scaled step is pale and has a dashed outline."""

BAR_SHARE: Final = 0.46
"""Width of a bar as a share of its place."""

LEAST_SCALE: Final = 1.0
"""Amounts are written as whole ones: less than one, such as what is left of a sum, is no bar."""
LEAST_BAR: Final = 10.0
WIDEST_BAR: Final = 88.0
UNKNOWN: Final = "\u2014"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One bar. amount: of a start or result its height, of a step its signed change; None: unknown.

    label: the amount as it is written; tip: as it is said in full; figure_id: what is opened for it.
    """

    name: Text
    note: Text
    amount: float | None
    kind: StepKind
    label: str = ""
    tip: str = ""
    figure_id: str = ""
    colour: str = ""  # of a pool; "": neutral

    def __post_init__(self) -> None:
        """Its words in the planner's language, once."""
        speak(self, "name", "note", "tip")


@dataclass(frozen=True, slots=True)
class Span:
    """Where a bar stands: from `begin`, the level before it, to `end`, the level after it."""

    begin: float
    end: float


def spans_of(steps: Sequence[Step]) -> tuple[Span | None, ...]:
    """Where each bar stands; None where its amount is unknown, or the level it would stand on.

    A start and a result stand on zero and set the level anew; so does a first step.
    """
    level: float | None = 0.0
    spans: list[Span | None] = []
    for step in steps:
        begin = 0.0 if step.kind in ("start", "result") else level
        end = None if begin is None or step.amount is None else begin + step.amount
        spans.append(None if begin is None or end is None else Span(begin, end))
        level = end
    return tuple(spans)


class WaterfallPlot(PartsChart):
    """Told its steps; a bar is chosen with the arrows, and opened with Enter, F1 or a click."""

    step_opened = Signal(str)  # figure_id of the step
    moves: ClassVar = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
    opening = PartsChart.opening | {Qt.Key.Key_F1}

    def __init__(self, name: Text, colours: ChartColours, *, is_wrapped: bool = False) -> None:
        """Nothing is drawn before `show_steps`. is_wrapped: a name may have two lines, as where nobody hovers."""
        self._is_wrapped = is_wrapped
        self.steps: tuple[Step, ...] = ()  # what it was told
        self._spans: tuple[Span | None, ...] = ()
        self._top = 0.0
        super().__init__(name, colours)
        self.setMinimumHeight(150)

    def words(self) -> list[str]:
        return [step_words(step) for step in self.steps]

    def show_steps(self, steps: Sequence[Step], top: float = 0.0) -> None:
        """Show these bars from left to right. top: the level that the scale reaches at least, for charts alike.

        The bar that had the keyboard keeps its place, as far as there is one.
        """
        self._top = top
        self.steps, self._spans = tuple(steps), spans_of(steps)
        self.keep_below(len(steps))
        self.setAccessibleDescription(". ".join(self.words()))
        self.update()

    def table(self) -> tuple[tuple[str, str], ...]:
        """The table twin: what each bar is, and its amount as it is written.

        A dash where the amount is unknown.
        """
        return tuple((f"{step.name} {step.note}".strip(), step.label or UNKNOWN) for step in self.steps)

    # Where things are

    def levels(self) -> tuple[float, float]:
        """Lowest and highest level of the scale, which holds 0."""
        ends = [value for span in self._spans if span for value in (span.begin, span.end)]
        return min([0.0, *ends]), max([self._top, *ends])

    def _frame(self) -> QRectF:
        """Where bars stand: room for the amounts above, for two lines of names and notes below, or three."""
        line = QFontMetricsF(self.colours.small).height()
        low, _ = self.levels()
        lines = max((len(self._name_lines(step)) + bool(step.note) for step in self.steps), default=2)
        below = max(2, lines) * line + 12 + (line if low < 0 else 0)
        return QRectF(self.rect()).adjusted(0, line + 8, 0, -below)

    def _pixel(self, level: float) -> float:
        low, high = self.levels()
        frame = self._frame()
        return frame.bottom() - (level - low) / max(high - low, LEAST_SCALE) * frame.height()

    def _place_width(self) -> float:
        return self.width() / max(1, len(self.steps))

    def bar_rect(self, at: int) -> QRectF | None:
        """The bar at a place, in pixels; None where none is drawn.

        None where its amount is unknown.
        """
        span = self._spans[at]
        if span is None:
            return None
        width = min(WIDEST_BAR, max(LEAST_BAR, self._place_width() * BAR_SHARE))
        left = self._place_width() * (at + 0.5) - width / 2
        ends = self._pixel(span.begin), self._pixel(span.end)
        return QRectF(left, min(ends), width, max(1.0, abs(ends[0] - ends[1])))

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours, zero = QPainter(self), self.colours, self._pixel(0.0)
        painter.fillRect(self.rect(), QColor(colours.raised))
        self._paint_connectors(painter)
        for at, step in enumerate(self.steps):
            rect = self.bar_rect(at)
            if rect is not None:
                self._paint_bar(painter, rect, step.kind, step.colour)
        painter.setPen(QPen(QColor(colours.edge), 1))
        painter.drawLine(QPointF(0, zero), QPointF(self.width(), zero))
        for at, step in enumerate(self.steps):
            self._paint_words(painter, at, step)
        width = self._place_width()
        self.paint_ring(painter, QRectF(self.current * width + 2, 2, width - 4, self.height() - 4))

    def _paint_bar(self, painter: QPainter, rect: QRectF, kind: StepKind, colour: str = "") -> None:
        """A scaled step has a dashed outline; a pool has its colour."""
        painter.fillRect(rect, QColor(colour) if colour else on_ground(self.colours, SHARE_OF_TEXT[kind]))
        if kind == "scaled":
            pen = QPen(QColor(self.colours.text), 1)
            pen.setDashPattern([3, 2])
            painter.setPen(pen)
            painter.drawRect(rect)

    def _paint_connectors(self, painter: QPainter) -> None:
        """From the level after each bar to the next one; none beside what is unknown."""
        pen = QPen(QColor(self.colours.edge), 1)
        pen.setDashPattern([1, 2])
        painter.setPen(pen)
        for at in range(len(self.steps) - 1):
            left, right, span = self.bar_rect(at), self.bar_rect(at + 1), self._spans[at]
            if left is not None and right is not None and span is not None:
                y = self._pixel(span.end)
                painter.drawLine(QPointF(left.right(), y), QPointF(right.left(), y))

    def _paint_words(self, painter: QPainter, at: int, step: Step) -> None:
        """The amount over its bar, under it where it goes below 0; name and note under the frame."""
        colours, width = self.colours, self._place_width()
        line = QFontMetricsF(colours.small).height()
        rect, frame = self.bar_rect(at), self._frame()
        is_below = rect is not None and step.amount is not None and rect.bottom() > self._pixel(0.0) + 1
        top = (self._pixel(0.0) if rect is None else rect.top()) - line - 4
        if is_below and rect is not None:
            top = rect.bottom() + 3
        place = QRectF(at * width, top, width, line)
        label = step.label or UNKNOWN
        self._words(painter, place, label, colours.strong, colours.text, is_cut=False)
        place.moveTop(frame.bottom() + 8 + (line if self.levels()[0] < 0 else 0))
        for name in self._name_lines(step):
            self._words(painter, place, name, colours.small, colours.text)
            place.translate(0, line)
        self._words(painter, place, step.note, colours.small, colours.muted)

    def _name_lines(self, step: Step) -> list[str]:
        """A name in one line or, where it is wrapped and too wide for its place, in two."""
        name = str(step.name)
        if not self._is_wrapped:
            return [name]
        measure = QFontMetricsF(self.colours.small).horizontalAdvance
        first = broken(name, self._place_width() - 4, measure)[0]
        return [first, *filter(None, (name[len(first) :].strip(),))]

    def _words(
        self, painter: QPainter, place: QRectF, message: Text, font: QFont, colour: str, is_cut: bool = True
    ) -> None:
        """A line in the middle of its place; names are elided there, amounts never."""
        painter.setFont(font)
        painter.setPen(QColor(colour))
        metrics, text = QFontMetricsF(font), str(message)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width() - 4) if is_cut else text
        wide = max(0.0, metrics.horizontalAdvance(shown) + 2 - place.width())
        room = place.adjusted(-wide / 2, 0, wide / 2, 0)
        room.moveRight(min(room.right(), self.width()))
        room.moveLeft(max(room.left(), 0.0))  # the first and the last amount end with the chart
        painter.drawText(
            room,
            int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip),
            shown,
        )

    def place_of_current(self) -> QRect:
        """Where the bar that has the keyboard stands, with its words."""
        width = self._place_width()
        return QRect(round(self.current * width), 0, round(width), self.height() - 4)

    # Mouse and keyboard

    def step_at(self, x: float) -> int | None:
        """Place of the step at a pixel from the left.

        None beside the steps.
        """
        at = int(x // self._place_width()) if self.steps else -1
        return at if 0 <= at < len(self.steps) else None

    def tip_at(self, x: float) -> str:
        """What is said of the step at a pixel from the left.

        Plain; empty beside the steps.
        """
        at = self.step_at(x)
        return "" if at is None else self.steps[at].tip or step_words(self.steps[at])

    def reading_at(self, at: int) -> str:
        """The tool tip of a bar: what it is and its amount, what it says of itself, and the level it leads to.

        at: place of a step that there is.
        """
        step, span = self.steps[at], self._spans[at]
        said_of_it = step.tip.split("\n")[1:]
        amount = tr("unknown") if step.amount is None else step.label
        rows = [(self.colours.muted, tr("$ per month"), amount), *(("", line, "") for line in said_of_it)]
        is_step = step.kind in ("step", "scaled") and span is not None
        total = (tr("After it"), grouped(span.end)) if is_step and span is not None else None
        return tip_table(f"{step.name} {step.note}".strip(), rows, total)

    def part_at(self, at: QPointF) -> int | None:
        return self.step_at(at.x())

    def tip_place(self, at: int) -> QPoint:
        return self.place_of_current().center()

    def open_part(self, at: int) -> None:
        if self.steps[at].figure_id:
            self.step_opened.emit(self.steps[at].figure_id)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        at = self.step_at(event.position().x())
        can_open = at is not None and bool(self.steps[at].figure_id)
        self.setCursor(Qt.CursorShape.PointingHandCursor if can_open else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self.step_at(event.position().x())
        if at is not None and event.button() is Qt.MouseButton.LeftButton:
            self.choose(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = self.step_at(event.position().x())
        if at is not None and at == self.current and event.button() is Qt.MouseButton.LeftButton:
            self.open_part(at)

    def ask_why(self) -> None:
        """Ask about the bar that has the keyboard.

        Nothing happens where nothing can be opened for it.
        """
        if self.steps:
            self.open_part(self.current)


def step_words(step: Step) -> str:
    """A step in words, for tool tips and screen readers; what is unknown is said to be."""
    amount = tr("unknown") if step.amount is None else step.label
    return f"{step.name} {step.note}".strip() + f": {amount}"


def on_ground(colours: ChartColours, share: float) -> QColor:
    """The text colour at a share of 0..1 on the ground, as one opaque colour."""
    return mixed(QColor(colours.text), QColor(colours.raised), share)


# --- Bars from the largest down, each with its name and amount: what costs how much --------------

ROW: Final = 22
BAR: Final = 10
GAP: Final = 8
RANK_SHARE_OF_TEXT: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedBar:
    """One bar. amount None: unknown; label: as it is written; lines: name and value of what else is said of it."""

    key: str
    name: str
    amount: float | None
    label: str
    lines: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        """Its name in the planner's language, once."""
        speak(self, "name")


class RankedBars(PartsChart):
    """Told its bars; up and down choose one, a click or Enter opens it."""

    bar_opened = Signal(str)
    moves: ClassVar = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}

    def __init__(self, name: str, unit: str, colours: ChartColours) -> None:
        """name: of the chart; unit: of its amounts, said in tips and to a screen reader."""
        self._unit = unit
        self.bars: tuple[RankedBar, ...] = ()  # what it was told
        super().__init__(name, colours)

    def words(self) -> list[str]:
        return [f"{bar.name} {bar.label}" for bar in self.bars]

    def show_bars(self, bars: Sequence[RankedBar]) -> None:
        """Show these from the top down.

        In the order that they are given; its height follows their number.
        """
        self.bars = tuple(bars)
        self.keep_below(len(bars))
        self.setAccessibleDescription(f"{self._unit}: {', '.join(self.words())}")
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    def select(self, key: str) -> None:
        """Stand on the bar of a key; one that is not there changes nothing.

        Nothing is emitted.
        """
        at = next((at for at, bar in enumerate(self.bars) if bar.key == key), None)
        if at is not None:
            self.choose(at)

    def sizeHint(self) -> QSize:
        return QSize(320, max(1, len(self.bars)) * ROW + 4)

    def bar_rect(self, at: int) -> QRectF:
        """The bar at a place, in pixels; without width where its amount is unknown or nothing.

        The longest reaches as far as there is room for its amount.
        """
        left, right = self._sides()
        most = max((bar.amount or 0.0 for bar in self.bars), default=0.0) or 1.0
        share = max(0.0, self.bars[at].amount or 0.0) / most
        return QRectF(left, at * ROW + 2 + (ROW - BAR) / 2, share * (right - left), BAR)

    def _sides(self) -> tuple[float, float]:
        """Where bars begin and where the longest one ends: between the widest name and the widest amount."""
        small, strong = QFontMetricsF(self.colours.small), QFontMetricsF(self.colours.strong)
        names = max((small.horizontalAdvance(bar.name) for bar in self.bars), default=0.0)
        labels = max((strong.horizontalAdvance(bar.label) for bar in self.bars), default=0.0)
        left = min(names, self.width() * 0.4) + GAP + 4
        return left, max(left + 20, self.width() - labels - 2 * GAP)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours = QPainter(self), self.colours
        painter.fillRect(self.rect(), QColor(colours.raised))
        left, _ = self._sides()
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        for at, bar in enumerate(self.bars):
            rect = self.bar_rect(at)
            painter.fillRect(rect, on_ground(colours, RANK_SHARE_OF_TEXT))
            painter.setFont(colours.small)
            painter.setPen(QColor(colours.text))
            room = QRectF(4, at * ROW + 2, left - GAP - 4, ROW)
            name = QFontMetricsF(colours.small).elidedText(
                bar.name, Qt.TextElideMode.ElideMiddle, room.width()
            )
            painter.drawText(room, int(middle), name)
            painter.setFont(colours.strong)
            painter.drawText(QRectF(rect.right() + 6, room.top(), self.width(), ROW), int(middle), bar.label)
        painter.setPen(QPen(QColor(colours.edge), 1))
        painter.drawLine(round(left), 2, round(left), len(self.bars) * ROW + 2)
        self.paint_ring(painter, QRectF(1, self.current * ROW + 3, self.width() - 2, ROW - 2))

    def bar_at(self, y: float) -> int | None:
        """Place of the bar at a pixel from the top; None beside them.

        y: pixels of the widget.
        """
        at = int((y - 2) // ROW)
        return at if 0 <= at < len(self.bars) else None

    def reading_at(self, at: int) -> str:
        """The tool tip of a bar.

        Its amount, then the lines that are said of it.
        """
        bar = self.bars[at]
        swatch = on_ground(self.colours, RANK_SHARE_OF_TEXT).name()
        return tip_table(
            bar.name, [(swatch, self._unit, bar.label or UNKNOWN), *(("", *line) for line in bar.lines)], None
        )

    def part_at(self, at: QPointF) -> int | None:
        return self.bar_at(at.y())

    def tip_place(self, at: int) -> QPoint:
        return QPoint(40, (at + 1) * ROW)

    def open_part(self, at: int) -> None:
        self.bar_opened.emit(self.bars[at].key)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = self.bar_at(event.position().y())
        if at is not None and event.button() is Qt.MouseButton.LeftButton:
            self.choose(at)
            self.open_part(at)
