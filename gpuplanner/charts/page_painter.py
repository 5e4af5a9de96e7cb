"""Pages painted: sentences, tables, figures and the window's own charts on a sheet of paper, or on a screen."""

import os
from collections.abc import Callable, Generator, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

import numpy as np
from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPageLayout, QPageSize, QPainter, QPdfWriter, QPen
from PySide6.QtWidgets import QApplication, QGraphicsView, QWidget

from gpuplanner.charts.kit.chart_export import as_text_in_a_pdf
from gpuplanner.charts.kit.plain_text import ChartColours
from gpuplanner.charts.plots.load_duration import CurveLook, LoadDurationChart, curve_of
from gpuplanner.charts.plots.over_time import DemandSeries, MonthLine, MonthLinesChart, StackedDemandChart
from gpuplanner.charts.plots.timeline import Mark, Span, TimelineChart, TimelineRow
from gpuplanner.charts.plots.waterfall import Step, WaterfallPlot
from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.pages import Brief, TableBlock, TextBlock, day_of_log, quarters
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.tables import POOL_TITLES, Pool
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.brief import sheets
from gpuplanner.files.system.output_file import place_of, write_output
from gpuplanner.lazy_dataclass import dataclass, replace

FAMILIES: Final = (
    "Segoe UI",
    "Helvetica Neue",
    "Noto Sans",
    "Liberation Sans",
    "Arial",
    "Inter",
    "DejaVu Sans",
)
"""Those first whose digits share one width as they are: on paper no feature of a font may make them so."""
POINTS: Final = {
    "kicker": (10.5, 600),
    "title": (17.0, 600),
    "figure": (17.0, 600),
    "heading": (10.5, 600),
    "body": (10.5, 400),
    "table": (10.5, 400),
    "table_strong": (10.5, 600),
    "small": (10.5, 400),
    "small_strong": (10.5, 600),
}
"""Step -> points and weight; whole pixels, to which fonts are rounded."""
GAP: Final = 18.0
HEADING_LINE: Final = 16.0
HEADING_GAP: Final = 4.0
TITLE_LINE: Final = 28.0
PARAGRAPH_GAP: Final = 6.0
CELL_PAD: Final = 5.0
LEAST_CHART: Final = 150.0
FIGURES_HEIGHT: Final = 92.0
"""Of a strip of large figures whose notes have two lines."""
NOTE_LINE: Final = 16.0
SCALES: Final = (1.0, 0.94, 0.88, 0.82, 0.76, 0.7)
"""Of the type of a page with much to say, tried in turn."""
LEAST: Final = 0.86
"""At which a page is parted: 9 points. Only what cannot be parted is set smaller."""
HOURS_PER_DAY: Final = 24
NAMES_GAP: Final = 24
"""Pixels beside the names of lines."""


Row = tuple[pages.Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What pages are painted with. Colours are of the form #rrggbb, terms: by months, 0 is what is paid by use.

    margin: at both sides of a sheet. scales: of the type, tried in turn; least: the one at which a page is parted for a
    screen. say: how the few words of a chart's own are read.
    """

    ground: str
    text: str
    muted: str
    grid: str
    edge: str
    accent: str
    red: str
    hatch: str
    existing: str
    pools: Mapping[Pool, str]
    terms: Mapping[int, str]
    margin: float = 46.0
    scale: float = 1.0
    scales: tuple[float, ...] = SCALES
    least: float = LEAST
    say: Callable[[Text], str] = str

    def font(self, step: str) -> QFont:
        """One step, of glyphs that a PDF knows as letters.

        step: of POINTS. Errors: KeyError for another.
        """
        points, weight = POINTS[step]
        made = QFont()
        made.setFamilies(list(FAMILIES))
        made.setPointSizeF(points * self.scale)
        made.setWeight(QFont.Weight(weight))
        made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        return as_text_in_a_pdf(made)

    def term(self, months: int) -> str:
        """The step of the ramp that a term is drawn in; a term between two steps takes the one below it."""
        return self.terms[max(step for step in self.terms if step <= months)]

    @property
    def chart_colours(self) -> ChartColours:
        """What charts are drawn with: their type does not become smaller with that of a page."""
        whole = replace(self, scale=1.0)
        small, strong = whole.font("small"), whole.font("small_strong")
        return ChartColours(
            raised=self.ground,
            text=self.text,
            muted=self.muted,
            grid=self.grid,
            edge=self.edge,
            small=small,
            strong=strong,
        )


PAPER: Final = Look(
    ground=sheets.GROUND,
    text=sheets.TEXT,
    muted=sheets.MUTED,
    grid=sheets.GRID,
    edge=sheets.EDGE,
    accent=sheets.ACCENT,
    red=sheets.RED,
    hatch=sheets.HATCH,
    existing=sheets.EXISTING,
    pools=sheets.POOLS,
    terms=sheets.TERMS,
)
"""As the window's light palette has it, whatever the window wears."""


# ---------------------------------------------------------------- words and tables


def write(
    painter: QPainter,
    room: QRectF,
    text: Text,
    font: QFont,
    colour: str,
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> None:
    """One line, in the middle of the room's height; cut with a mark where it is too long.

    room: in pixels of 96 to the inch, as all of a page; side: where in the room it stands.
    """
    painter.setFont(font)
    painter.setPen(QColor(colour))
    shown = QFontMetricsF(font).elidedText(str(text), Qt.TextElideMode.ElideRight, room.width() + 1)
    flags = int(side | Qt.AlignmentFlag.AlignVCenter) | int(
        Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip
    )
    painter.drawText(room, flags, shown)


def lines_of(text: Text, font: QFont, width: float) -> list[str]:
    """The text broken at spaces into lines of a width, and within a word that is wider."""
    return sheets.broken(str(text), width, QFontMetricsF(font).horizontalAdvance)


def balanced(text: Text, font: QFont, width: float) -> list[str]:
    """As few lines as at that width, of nearly one length: no word of a title stands alone.

    width: pixels, which no line is wider than.
    """
    lines = lines_of(text, font, width)
    for share in range(50, 100, 2):
        tried = lines_of(text, font, width * share / 100)
        if len(tried) == len(lines):
            return tried
    return lines


def _line_height(font: QFont) -> float:
    """Pixels from one line to the next: a little more than the font asks for."""
    return QFontMetricsF(font).height() * 1.12


def head_height(block: pages.Block, width: float, look: Look) -> float:
    """Pixels of what stands over a block; 0 of one without a title."""
    lines = len(_title_lines(block, width, look))
    return lines * HEADING_LINE * max(1.0, look.scale) + HEADING_GAP if lines else 0.0


def _title_lines(block: pages.Block, width: float, look: Look) -> list[str]:
    return lines_of(block.title, look.font("heading"), width) if block.title else []


def block_height(block: TextBlock | TableBlock, width: float, look: Look) -> float:
    """Pixels that a block needs at a width, in the type of the look, its title too."""
    head = head_height(block, width, look)
    if isinstance(block, TableBlock):
        return head + _TableLayout(block, width, look).height
    font = look.font("body")
    count = sum(len(lines_of(sentence, font, width)) for sentence in block.sentences)
    return head + count * _line_height(font) + PARAGRAPH_GAP * max(0, len(block.sentences) - 1)


def _draw_title(painter: QPainter, room: QRectF, block: pages.Block, look: Look) -> None:
    """What stands over a block."""
    font, high = look.font("heading"), HEADING_LINE * max(1.0, look.scale)
    for at, text in enumerate(_title_lines(block, room.width(), look)):
        place = QRectF(room.left(), room.top() + at * high, room.width(), high)
        write(painter, place, text, font, look.text)


def _draw_text(painter: QPainter, room: QRectF, block: TextBlock, look: Look) -> None:
    """Sentences. What does not fit the room is drawn below it: the page chose its type so that it fits."""
    font, top = look.font("body"), room.top()
    line = _line_height(font)
    for sentence in block.sentences:
        for text in lines_of(sentence, font, room.width()):
            write(painter, QRectF(room.left(), top, room.width(), line), text, font, look.text)
            top += line
        top += PARAGRAPH_GAP


class _TableLayout:
    """Widths of the columns and the lines of every cell."""

    def __init__(self, block: TableBlock, width: float, look: Look) -> None:
        """width: pixels of the whole table; columns share them by what they have to say."""
        self.block = block
        padding = 2 * CELL_PAD + 1
        self.font, self.strong, self.small = (look.font(step) for step in ("table", "table_strong", "small"))
        measure = QFontMetricsF(self.strong).horizontalAdvance
        self.widths = sheets.column_widths(block, width, padding, measure)
        self.is_cut = sheets.least_width(block, padding, measure) > width
        self.line = _line_height(self.font)
        self.heads = [
            lines_of(column.heading, self.strong, room - 2 * CELL_PAD)
            for column, room in zip(block.columns, self.widths, strict=True)
        ]
        self.head_height = max(len(lines) for lines in self.heads) * self.line + 6
        self.rows = [self._cells(row, self.font) for row in block.rows]
        self.total = self._cells(block.total, self.strong) if block.total else []
        self.note = lines_of(block.note, self.small, width - 2 * CELL_PAD) if block.note else []
        self.height = (
            self.head_height
            + sum(map(self.row_height, self.rows))
            + (self.row_height(self.total) if self.total else 0.0)
            + (4 + len(self.note) * _line_height(self.small) if self.note else 0.0)
        )

    def row_height(self, cells: list[list[str]]) -> float:
        """Pixels of a row."""
        return max(len(lines) for lines in cells) * self.line + 5

    def _cells(self, row: tuple[object, ...], font: QFont) -> list[list[str]]:
        """The lines of every cell of a row; numbers stay on one line, long texts are cut."""
        cells = []
        for column, text, width in zip(self.block.columns, row, self.widths, strict=True):
            words = str(text)
            kept = words if len(words) <= sheets.LONGEST_CELL else f"{words[: sheets.LONGEST_CELL - 1]}\u2026"
            cells.append([kept] if column.is_number else lines_of(kept, font, width - 2 * CELL_PAD))
        return cells


def _draw_table(painter: QPainter, room: QRectF, block: TableBlock, look: Look) -> None:
    """Headings over a rule, rows between hairlines, numbers at the right.

    Its note stands under it. Rows are as high as their longest cell.
    """
    layout = _TableLayout(block, room.width(), look)
    bottom, left = room.top() + layout.head_height, room.left()
    for column, lines, width in zip(block.columns, layout.heads, layout.widths, strict=True):
        place = QRectF(left, bottom - 4 - len(lines) * layout.line, width, layout.line)
        _lines(painter, place, lines, layout.strong, look.muted, column.is_number)
        left += width
    _rule(painter, room, bottom, look.edge)
    top = bottom
    for cells in layout.rows:
        top = _row(painter, room, top, cells, layout, layout.font, look)
        _rule(painter, room, top, look.grid)
    if layout.total:
        _rule(painter, room, top, look.edge)
        top = _row(painter, room, top, layout.total, layout, layout.strong, look)
    top += 4
    for text in layout.note:
        line = _line_height(layout.small)
        place = QRectF(room.left() + CELL_PAD, top, room.width(), line)
        write(painter, place, text, layout.small, look.muted)
        top += line


def _row(
    painter: QPainter,
    room: QRectF,
    top: float,
    cells: list[list[str]],
    layout: _TableLayout,
    font: QFont,
    look: Look,
) -> float:
    """One row from `top` on; returns where it ends."""
    left = room.left()
    for column, lines, width in zip(layout.block.columns, cells, layout.widths, strict=True):
        cell = QRectF(left, top + 2.5, width, layout.line)
        _lines(painter, cell, lines, font, look.text, column.is_number)
        left += width
    return top + layout.row_height(cells)


def _lines(
    painter: QPainter, first: QRectF, lines: list[str], font: QFont, colour: str, is_number: bool
) -> None:
    """Lines of one cell, numbers at the right."""
    side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
    room = first.adjusted(CELL_PAD, 0, -CELL_PAD, 0)
    for text in lines:
        write(painter, room, text, font, colour, side)
        room.translate(0, first.height())


def _rule(painter: QPainter, room: QRectF, y: float, colour: str) -> None:
    painter.setPen(QPen(QColor(colour), 1))
    painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y))


# ---------------------------------------------------------------- pages


def draw_page(
    painter: QPainter, room: QRectF, brief: pages.Brief, page: pages.Page, count: str, look: Look = PAPER
) -> None:
    """One page on any painter whose unit is a pixel of 96 to the inch.

    room: the whole sheet; count: which page of how many. What is too much for it is set smaller.
    """
    painter.fillRect(room, QColor(look.ground))
    inside = _inside(room, look)
    _head_and_foot(painter, inside, brief, page, count, look)
    body = _body(inside, page, look)
    if page.figures:
        top = body.top() - GAP - _figures_height(page.figures, body.width(), look)
        _figures(painter, QRectF(body.left(), top, body.width(), 0), page.figures, look)
    fitted, heights = _fitted(page, body, look)
    top = body.top()
    for row, height in zip(page.rows, heights, strict=True):
        places = _places(row, QRectF(body.left(), top, body.width(), height), look)
        for block, place in zip(row, places, strict=True):
            _block(painter, place, block, fitted)
        top += height + GAP


def parts_of(page: pages.Page, room: QRectF, look: Look) -> list[pages.Page]:
    """The page in as many parts as it takes at the least type of the look: what has no room comes on the next.

    The figures stand on the first, the title on each. Law: all parts together have the blocks of the page, the rows of
    its tables and the sentences of its texts, once each.
    """
    least, inside = replace(look, scale=look.least), _inside(room, look)
    full = _body(inside, replace(page, figures=()), look).height()
    left = _body(inside, page, look).height()
    parts: list[list[Row]] = [[]]

    def take(row: Row) -> None:
        """Puts a row on the part, or on a new one; what no part has room for in pieces."""
        nonlocal left
        height = _natural(row, inside.width(), least).height
        pieces = [] if height <= left or parts[-1] else _apart(row)
        if pieces:
            for piece in pieces:
                take(piece)
        elif height > left and (parts[-1] or left < full):
            parts.append([])
            left = full
            take(row)
        else:
            parts[-1].append(row)
            left -= height + GAP

    for row in page.rows:
        take(row)
    return [
        replace(page, rows=tuple(rows), figures=() if at else page.figures) for at, rows in enumerate(parts)
    ]


def _apart(row: Row) -> list[Row]:
    """The blocks of a row one by one, or the halves of one alone; nothing where it is of one piece."""
    if len(row) > 1:
        return [(block,) for block in row]
    return [(half,) for half in sheets.halves(row[0]) or ()]


def _inside(room: QRectF, look: Look) -> QRectF:
    """A sheet without its margins."""
    side, end = look.margin, look.margin * 0.8
    return room.adjusted(side, end, -side, -end)


def _body(inside: QRectF, page: pages.Page, look: Look) -> QRectF:
    """What head, figures and foot leave of a page."""
    at = inside.top() + 20 + TITLE_LINE * len(balanced(page.title, look.font("title"), inside.width())) + 6
    foot = inside.bottom() - 16
    body = QRectF(inside.left(), at + GAP, inside.width(), foot - at - GAP * 1.6)
    if page.figures:
        body.setTop(body.top() + _figures_height(page.figures, body.width(), look) + GAP)
    return body


def _head_and_foot(
    painter: QPainter, inside: QRectF, brief: pages.Brief, page: pages.Page, count: str, look: Look
) -> None:
    """Kicker, title and the line they end in; the foot."""
    right, small = Qt.AlignmentFlag.AlignRight, look.font("small")
    top = QRectF(inside.left(), inside.top(), inside.width(), 16)
    write(painter, top, str(page.kicker).upper(), look.font("kicker"), look.accent)
    write(painter, top, brief.head, small, look.muted, right)
    title_font = look.font("title")
    at = top.bottom() + 4
    for text in balanced(page.title, title_font, inside.width()):
        write(painter, QRectF(inside.left(), at, inside.width(), TITLE_LINE), text, title_font, look.text)
        at += TITLE_LINE
    _rule(painter, inside, at + 6, look.grid)
    foot = QRectF(inside.left(), inside.bottom() - 16, inside.width(), 16)
    write(painter, foot, brief.foot, small, look.muted)
    write(painter, foot, count, small, look.muted, right)


def _figures(painter: QPainter, room: QRectF, figures: tuple[pages.LargeFigure, ...], look: Look) -> None:
    """A strip of large figures, each with what it is and what it is now."""
    small, left, top = look.font("small"), room.left(), room.top()
    for place, (figure, width) in enumerate(
        zip(figures, measure_figure_widths(figures, room.width(), look), strict=True)
    ):
        if place:
            high = _figures_height(figures, room.width(), look)
            painter.setPen(QPen(QColor(look.grid), 1))
            painter.drawLine(QPointF(left - 8, top + 4), QPointF(left - 8, top + high - 4))
        write(painter, QRectF(left, top, width - 20, 16), figure.title, look.font("small_strong"), look.text)
        write(painter, QRectF(left, top + 15, width - 20, 16), figure.unit, small, look.muted)
        text = str(figure.text)
        write(painter, QRectF(left, top + 31, width - 16, 28), text, look.font("figure"), look.text)
        for line, words in enumerate(lines_of(figure.note, small, width - 20)):
            note = QRectF(left, top + 59 + NOTE_LINE * line, width - 16, 14)
            write(painter, note, words, small, look.muted)
        left += width


def _figures_height(figures: tuple[pages.LargeFigure, ...], room: float, look: Look) -> float:
    """Pixels of a strip that is so many wide, with the lines of its longest note."""
    widths, font = measure_figure_widths(figures, room, look), look.font("small")
    lines = max(
        len(lines_of(figure.note, font, width - 20)) for figure, width in zip(figures, widths, strict=True)
    )
    return FIGURES_HEIGHT + NOTE_LINE * max(0, lines - 2)


def measure_figure_widths(figures: tuple[pages.LargeFigure, ...], room: float, look: Look) -> list[float]:
    """As wide as each other; where a title or an amount is wider, each what it needs and as much of the rest."""
    fonts = (QFontMetricsF(look.font(name)) for name in ("small_strong", "figure", "small"))
    title, number, unit = (font.horizontalAdvance for font in fonts)
    needed = [max(title(str(one.title)), number(str(one.text)), unit(str(one.unit))) + 22 for one in figures]
    even = room / len(figures)
    spare = (room - sum(needed)) / len(figures)
    return [even] * len(figures) if max(needed) <= even else [width + spare for width in needed]


@dataclass(frozen=True, slots=True)
class _Natural:
    """Pixels that a row needs, whether it takes what is left over, and whether a table is too wide for its place."""

    height: float
    stretches: bool
    is_cut: bool


def _fitted(page: pages.Page, body: QRectF, look: Look) -> tuple[Look, list[float]]:
    """The largest type that fits, and the heights of the rows: charts take what the rest leaves."""
    for scale in look.scales:
        fitted = replace(look, scale=scale)
        naturals = [_natural(row, body.width(), fitted) for row in page.rows]
        spare = body.height() - sum(size.height for size in naturals) - GAP * (len(naturals) - 1)
        if spare >= 0 and not any(size.is_cut for size in naturals):
            break
    stretching = sum(size.stretches for size in naturals)
    return fitted, [one.height + (max(0.0, spare) / stretching if one.stretches else 0.0) for one in naturals]


def _natural(row: tuple[pages.Block, ...], width: float, look: Look) -> _Natural:
    """The highest of its blocks; charts but timelines stretch."""
    places = _places(row, QRectF(0, 0, width, 0), look)
    heights = [
        block_height(block, place.width(), look)
        if isinstance(block, TextBlock | TableBlock)
        else _chart_height(block, place.width(), look)
        for block, place in zip(row, places, strict=True)
    ]
    stretches = any(not isinstance(block, TextBlock | TableBlock | pages.TimelineChart) for block in row)
    is_cut = any(
        isinstance(block, TableBlock) and _TableLayout(block, place.width(), look).is_cut
        for block, place in zip(row, places, strict=True)
    )
    return _Natural(max(heights), stretches, is_cut)


def _chart_height(block: pages.Block, width: float, look: Look) -> float:
    """A timeline is as high as its rows; other charts have a least height."""
    head = head_height(block, width, look)
    if isinstance(block, pages.TimelineChart):
        return head + widget_of(block, look).sizeHint().height()
    return head + LEAST_CHART


_SHARES: Final[dict[type, float]] = {TextBlock: 0.8, pages.BridgeChart: 2.2}


def _places(row: tuple[pages.Block, ...], room: QRectF, look: Look) -> list[QRectF]:
    """Side by side: text takes less than charts and tables; of two tables the one with more to say takes more."""
    free = room.width() - GAP * 1.4 * (len(row) - 1)
    tables = [block for block in row if isinstance(block, TableBlock)]
    shares = [_SHARES.get(type(block), 1.0) for block in row]
    if len(tables) == len(row):
        measure = QFontMetricsF(replace(look, scale=1.0).font("table_strong")).horizontalAdvance
        shares = sheets.table_widths(tables, free, 2 * CELL_PAD + 1, measure)
    elif tables:
        shares = [
            max(0.8, sum(column.share for column in block.columns) / 6)
            if isinstance(block, TableBlock)
            else share
            for block, share in zip(row, shares, strict=True)
        ]
    places, left = [], room.left()
    for share in shares:
        width = free * share / sum(shares)
        places.append(QRectF(left, room.top(), width, room.height()))
        left += width + GAP * 1.4
    return places


def _block(painter: QPainter, place: QRectF, block: pages.Block, look: Look) -> None:
    """A block in its place, with its title over it."""
    _draw_title(painter, place, block, look)
    room = place.adjusted(0, head_height(block, place.width(), look), 0, 0)
    if isinstance(block, TextBlock):
        _draw_text(painter, room, block, look)
    elif isinstance(block, TableBlock):
        _draw_table(painter, room, block, look)
    else:
        _draw_chart(painter, room, block, look)


# ---------------------------------------------------------------- charts


def _draw_chart(painter: QPainter, place: QRectF, chart: pages.Chart, look: Look) -> None:
    """The window's own chart, painted as vectors."""
    widget = widget_of(chart, look)
    painter.save()
    try:
        widget.resize(round(place.width()), round(place.height()))
        widget.show()  # it lays itself out; nothing comes to the screen
        if isinstance(widget, LoadDurationChart | MonthLinesChart | StackedDemandChart):
            assert isinstance(widget, QGraphicsView)  # a plot paints its scene, not itself
            target = QRectF(place.topLeft(), QSizeF(widget.viewport().size()))
            widget.scene().prepareForPaint()  # type: ignore[attr-defined] # pyqtgraph's own scene
            aspect = Qt.AspectRatioMode.IgnoreAspectRatio
            QGraphicsView.render(widget, painter, target, widget.viewport().rect(), aspect)
        else:
            painter.translate(place.topLeft())
            QWidget.render(widget, painter, QPoint(0, 0))
    finally:
        painter.restore()
        widget.hide()
        widget.deleteLater()


def widget_of(chart: pages.Chart, look: Look) -> QWidget:
    """The chart of the window that shows the same, as a widget that is never shown, to be painted on a page."""
    made = _made(chart, look)
    made.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return made


def _made(chart: pages.Chart, look: Look) -> QWidget:
    if isinstance(chart, pages.BridgeChart):
        plot = WaterfallPlot(str(chart.title), look.chart_colours, is_wrapped=True)
        plot.show_steps(
            [
                Step(
                    name=str(bar.name), note=str(bar.note), amount=bar.usd, kind=bar.kind, label=str(bar.text)
                )
                for bar in chart.bars
            ]
        )
        return plot
    if isinstance(chart, pages.DurationChart):
        curve = LoadDurationChart(look.chart_colours)
        curve.show_curve(curve_of(chart.plan, _curve_look(chart.plan, look), can_move=False))
        return curve
    if isinstance(chart, pages.MonthsChart):
        return _months(chart, look)
    return _demand(chart, look) if isinstance(chart, pages.DemandChart) else _timeline(chart, look)


def _months(chart: pages.MonthsChart, look: Look) -> QWidget:
    colours = look.chart_colours
    plot = MonthLinesChart(colours)
    strong = QFontMetricsF(colours.strong)
    plot.names_axis.setWidth(
        NAMES_GAP + max(strong.horizontalAdvance(str(line.name)) for line in chart.lines)
    )
    solid, dash = Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine
    lines = [
        MonthLine(str(line.name), line.usd, line.is_main, solid if line.is_main else dash)
        for line in chart.lines
    ]
    plot.show_lines(lines, tuple(map(str, chart.months)), chart.at)
    return plot


def _demand(chart: pages.DemandChart, look: Look) -> QWidget:
    """Days as hours, for the chart knows hours; ticks at months, of a short log also at weeks."""
    plot = StackedDemandChart(look.chart_colours)
    series = [
        DemandSeries(look.say(POOL_TITLES[pool]), look.pools[pool], np.repeat(values, HOURS_PER_DAY))
        for pool, values in chart.series
    ]
    days = len(chart.series[0][1]) if chart.series else 0
    ticks = [
        (float(day * HOURS_PER_DAY), look.say(day_of_log(chart.start_s, day)))
        for day in range(days)
        if _has_tick(chart.start_s, day, days)
    ]
    plot.show_series(series, lambda low, high: ticks, lambda hour, hours: "")
    return plot


def _has_tick(start_s: int | None, day: int, days: int) -> bool:
    """Whether a day of the log has a name under it: firsts of months, of a short log also of weeks."""
    if start_s is None:
        return day % (30 if days > sheets.SHORT_LOG_DAYS else 7) == 0
    at = datetime.fromtimestamp(start_s + day * DAY_S, UTC)
    return at.day == 1 or (days <= sheets.SHORT_LOG_DAYS and at.day in (8, 15, 22))


def _curve_look(plan: PoolPlan, look: Look) -> CurveLook:
    """What the load duration curve of a row is drawn with."""
    line = look.pools[plan.pool]
    return CurveLook(
        existing=look.existing,
        term=look.term,
        by_use=look.terms[0],
        hatch=look.hatch,
        unserved=look.red,
        ground=look.ground,
        line=line,
        say=look.say,
    )


def _timeline(chart: pages.TimelineChart, look: Look) -> QWidget:
    plot = TimelineChart(str(chart.title), look.chart_colours, look.red)
    ticks = [(at_s, look.say(words)) for at_s, words in quarters(chart.begin_s, chart.end_s)]
    today = (chart.written_s, look.say(worded("Written")))
    rows = [_timeline_row(row, look) for row in chart.rows]
    plot.show_rows(rows, chart.begin_s, chart.end_s, ticks, today)
    return plot


def _timeline_row(row: pages.TimeRow, look: Look) -> TimelineRow:
    """A line of the timeline with its mark, which says by its colour and a sign what is overdue."""
    spans = tuple(
        Span(
            start_s=span.start_s,
            end_s=span.end_s,
            colour=look.term(0 if span.is_by_use else span.term_months),
            is_pale=span.is_planned,
            is_hatched=span.is_by_use,
        )
        for span in row.spans
    )
    by_s, name = row.order_by_s, str(row.name)
    marks = () if by_s is None else (Mark(by_s, True, row.is_overdue),)
    return TimelineRow(key=name, name=name, spans=spans, marks=marks, tip=name)


# --- The brief as PDF -----------------------------------------------------------------------------

DOTS_PER_INCH: Final = 96
"""A unit of the page is a pixel of the screen, so that charts look as they do there."""
PARTED: Final = 0.25
"""What of the work is to find how many sheets each page takes."""


class Paper(StrEnum):
    """A sheet; always across."""

    A4 = "a4"
    LETTER = "letter"


_SIZES: Final = {Paper.A4: QPageSize.PageSizeId.A4, Paper.LETTER: QPageSize.PageSizeId.Letter}


def paint_brief_pdf(brief: Brief, held: QIODevice, paper: Paper = Paper.A4) -> Generator[float, None, None]:
    """Paint the brief into memory: each time the iterator is asked a page finds its sheets, then a sheet is painted.
    Yields how much is done, 0..1.

    What has no room on the sheet of its page is on one more, while there may be more. Into memory and never into a
    file: Qt does not say where a disk is full. In the thread of the window: charts are widgets. The PDF is whole when
    the iterator ends.
    """
    writer = QPdfWriter(held)
    writer.setResolution(DOTS_PER_INCH)
    writer.setTitle(str(brief.title))
    writer.setCreator("gpuplanner")
    size = QPageSize(_SIZES[paper])
    writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Landscape, QMarginsF(0, 0, 0, 0)))
    painter = QPainter()
    if not painter.begin(writer):
        raise RuntimeError("the brief: a PDF in memory cannot be painted")
    try:
        room = QRectF(0, 0, writer.width(), writer.height())
        parts: list[pages.Page] = []
        spare = None if brief.most is None else brief.most - len(brief.pages)
        for number, page in enumerate(brief.pages, start=1):
            first, *more = parts_of(page, room, _paper_of(page))
            kept = more[:spare]
            spare = None if spare is None else spare - len(kept)
            if len(kept) < len(more):
                first = replace(first, kicker=str(first.kicker) + pages.MORE)
            parts += [first, *kept]
            yield PARTED * number / len(brief.pages)
        for number, page in enumerate(parts, start=1):
            if number > 1:
                writer.newPage()
            draw_page(painter, room, brief, page, f"{number} / {len(parts)}", _paper_of(page))
            yield PARTED + (1 - PARTED) * number / len(parts)
    finally:
        painter.end()


def _paper_of(page: pages.Page) -> Look:
    """What a page is painted with: the first of a plan, which is read first, is never set smaller."""
    return replace(PAPER, scales=SCALES[:1], least=SCALES[0]) if page.key == "question" else PAPER


def pdf_steps(brief: Brief, path: Path, paper: Paper = Paper.A4) -> Generator[float, None, None]:
    """Write the PDF a page a step; yields the share done, 0..1. It is painted in memory and written at the end.

    Closing the iterator before its end leaves what was at the path. Errors: PlannerError file_unreadable.
    """
    place_of(path)  # what cannot be written is said before it is painted
    held = QBuffer()
    held.open(QIODevice.OpenModeFlag.WriteOnly)
    yield from paint_brief_pdf(brief, held, paper)
    write_output(path, bytes(held.data().data()))


def write_pdf_without_window(
    brief: Brief, path: Path, paper: Paper, on_progress: Callable[[float, Text], None] | None = None
) -> None:
    """The same, from a process that has no window and may have no screen. Errors: PlannerError file_unreadable.

    on_progress: share done 0..1, and what is being done. Where there is no screen Qt draws off it.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication(["gpuplanner"])
    for share in pdf_steps(brief, path, paper):
        application.processEvents()  # widgets that were painted go
        if on_progress is not None:
            on_progress(share, "Writing the brief")
