"""The brief as PDF: pages of vectors, A4 or US Letter across, drawn one after another."""

from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QIODevice, QMarginsF, QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPageLayout, QPageSize, QPainter, QPdfWriter, QPen
from PySide6.QtWidgets import QGraphicsView, QWidget

from gpuplanner.charts.brief.brief_blocks import (
    balanced,
    block_height,
    draw_table,
    draw_text,
    lines_of,
    side_by_side,
    write,
)
from gpuplanner.charts.brief.brief_charts import is_plot, widget_of
from gpuplanner.charts.brief.brief_look import Type
from gpuplanner.domain.brief import pages
from gpuplanner.files.brief.paper_colours import ACCENT, GRID, GROUND, MUTED, TEXT

DOTS_PER_INCH: Final = 96
"""A unit of the page is a pixel of the screen, so that charts look as they do there."""
MARGIN: Final = 46.0
GAP: Final = 18.0
LEAST_CHART: Final = 170.0
FIGURES_HEIGHT: Final = 86.0
"""Of a strip of large figures whose notes have two lines."""
NOTE_LINE: Final = 13.0
SCALES: Final = (1.0, 0.94, 0.88, 0.82, 0.76, 0.7)
"""Tried in turn: a page with much to say is set smaller, and nothing is cut."""


class Paper(StrEnum):
    """A sheet; always across."""

    A4 = "a4"
    LETTER = "letter"


_SIZES: Final = {Paper.A4: QPageSize.PageSizeId.A4, Paper.LETTER: QPageSize.PageSizeId.Letter}


def paint_brief_pdf(
    brief: pages.Brief, held: QIODevice, paper: Paper = Paper.A4
) -> Generator[float, None, None]:
    """Paint the brief into memory, a page each time the iterator is asked; yields how much is done, 0..1.

    Into memory and never into a file: Qt does not say where a disk is full. In the thread of the window: charts are
    widgets. The PDF is whole when the iterator ends.
    """
    writer = QPdfWriter(held)
    writer.setResolution(DOTS_PER_INCH)
    writer.setTitle(brief.title)
    writer.setCreator("gpuplanner")
    size = QPageSize(_SIZES[paper])
    layout = QPageLayout(size, QPageLayout.Orientation.Landscape, QMarginsF(0, 0, 0, 0))
    writer.setPageLayout(layout)
    painter = QPainter()
    if not painter.begin(writer):
        raise RuntimeError("the brief: a PDF in memory cannot be painted")
    try:
        room = QRectF(0, 0, writer.width(), writer.height())
        for number, page in enumerate(brief.pages, start=1):
            if number > 1:
                writer.newPage()
            draw_page(painter, room, brief, page, number)
            yield number / len(brief.pages)
    finally:
        painter.end()


def draw_page(painter: QPainter, room: QRectF, brief: pages.Brief, page: pages.Page, number: int) -> None:
    """One page on any painter whose unit is a pixel of 96 to the inch.

    room: the whole sheet; number: of the page, from 1. What is too much for it is set smaller.
    """
    painter.fillRect(room, QColor(GROUND))
    inside = room.adjusted(MARGIN, MARGIN * 0.8, -MARGIN, -MARGIN * 0.8)
    body = _head_and_foot(painter, inside, brief, page, number)
    if page.figures:
        high = FIGURES_HEIGHT + NOTE_LINE * max(0, _note_lines(page.figures, body.width()) - 2)
        _figures(painter, QRectF(body.left(), body.top(), body.width(), high), page.figures)
        body.setTop(body.top() + high + GAP)
    kind, heights = _fitted(page, body)
    top = body.top()
    for row, height in zip(page.rows, heights, strict=True):
        for block, place in zip(
            row, _places(row, QRectF(body.left(), top, body.width(), height)), strict=True
        ):
            _block(painter, place, block, kind)
        top += height + GAP


def _head_and_foot(
    painter: QPainter, inside: QRectF, brief: pages.Brief, page: pages.Page, number: int
) -> QRectF:
    """Kicker, title and the line they end in; the foot; what is left between them."""
    kind = Type()
    line = 16.0
    top = QRectF(inside.left(), inside.top(), inside.width(), line)
    write(painter, top, page.kicker.upper(), kind.font("kicker"), ACCENT)
    write(painter, top, brief.head, kind.font("small"), MUTED, Qt.AlignmentFlag.AlignRight)
    title_font = kind.font("title")
    lines = balanced(page.title, title_font, inside.width())
    at = top.bottom() + 4
    for text in lines:
        write(painter, QRectF(inside.left(), at, inside.width(), 28), text, title_font, TEXT)
        at += 28
    painter.setPen(QPen(QColor(GRID), 1))
    painter.drawLine(QPointF(inside.left(), at + 6), QPointF(inside.right(), at + 6))
    foot = QRectF(inside.left(), inside.bottom() - line, inside.width(), line)
    write(painter, foot, brief.foot, kind.font("small"), MUTED)
    write(
        painter,
        foot,
        f"{number} / {len(brief.pages)}",
        kind.font("small"),
        MUTED,
        Qt.AlignmentFlag.AlignRight,
    )
    return QRectF(inside.left(), at + 6 + GAP, inside.width(), foot.top() - at - 6 - GAP * 1.6)


def _figures(painter: QPainter, room: QRectF, figures: tuple[pages.LargeFigure, ...]) -> None:
    """A strip of large figures, each with what it is and what it is now."""
    kind = Type()
    left = room.left()
    for place, (figure, width) in enumerate(zip(figures, _figure_widths(figures, room.width()), strict=True)):
        if place:
            painter.setPen(QPen(QColor(GRID), 1))
            painter.drawLine(QPointF(left - 8, room.top() + 4), QPointF(left - 8, room.bottom() - 4))
        cell = QRectF(left, room.top(), width - 20, 16)
        write(painter, cell, figure.title, kind.font("small_strong"), TEXT)
        cell.moveTop(room.top() + 15)
        write(painter, cell, figure.unit, kind.font("small"), MUTED)
        write(painter, QRectF(left, room.top() + 31, width - 16, 28), figure.text, kind.font("figure"), TEXT)
        for line, text in enumerate(lines_of(figure.note, kind.font("small"), width - 20)):
            write(
                painter,
                QRectF(left, room.top() + 59 + NOTE_LINE * line, width - 16, 14),
                text,
                kind.font("small"),
                MUTED,
            )
        left += width


def _note_lines(figures: tuple[pages.LargeFigure, ...], room: float) -> int:
    """Lines of the longest note of a strip that is so many pixels wide."""
    widths, font = _figure_widths(figures, room), Type().font("small")
    return max(
        len(lines_of(figure.note, font, width - 20)) for figure, width in zip(figures, widths, strict=True)
    )


def _figure_widths(figures: tuple[pages.LargeFigure, ...], room: float) -> list[float]:
    """As wide as each other, but a long title takes what it needs from the rest."""
    metrics = QFontMetricsF(Type().font("small_strong"))
    needed = [metrics.horizontalAdvance(str(figure.title)) + 22 for figure in figures]
    even = room / len(figures)
    long = [width for width in needed if width > even]
    rest = (room - sum(long)) / max(1, len(figures) - len(long))
    return [width if width > even else rest for width in needed]


@dataclass(frozen=True, slots=True)
class _Natural:
    """Pixels that a row needs, and whether it takes what is left over."""

    height: float
    stretches: bool


def _fitted(page: pages.Page, body: QRectF) -> tuple[Type, list[float]]:
    """The largest type that fits, and the heights of the rows: charts take what the rest leaves."""
    for scale in SCALES:
        kind = Type(scale)
        naturals = [_natural(row, body.width(), kind) for row in page.rows]
        spare = body.height() - sum(one.height for one in naturals) - GAP * (len(naturals) - 1)
        if spare >= 0 or scale == SCALES[-1]:
            break
    stretching = sum(one.stretches for one in naturals)
    return kind, [one.height + (max(0.0, spare) / stretching if one.stretches else 0.0) for one in naturals]


def _natural(row: tuple[pages.Block, ...], width: float, kind: Type) -> _Natural:
    """The highest of its blocks; charts but timelines stretch."""
    places = _places(row, QRectF(0, 0, width, 0))
    heights = [
        block_height(block, place.width(), kind)
        if isinstance(block, pages.TextBlock | pages.TableBlock)
        else _chart_height(block)
        for block, place in zip(row, places, strict=True)
    ]
    stretches = any(_is_chart(block) and not isinstance(block, pages.TimelineChart) for block in row)
    return _Natural(max(heights), stretches)


def _is_chart(block: pages.Block) -> bool:
    return not isinstance(block, pages.TableBlock | pages.TextBlock)


def _chart_height(block: pages.Block) -> float:
    """A timeline is as high as its rows; other charts have a least height."""
    if isinstance(block, pages.TimelineChart):
        return 22.0 + widget_of(block).sizeHint().height()
    return LEAST_CHART


_SHARES: Final[dict[type, float]] = {pages.TextBlock: 0.8, pages.BridgeChart: 2.2}


def _places(row: tuple[pages.Block, ...], room: QRectF) -> list[QRectF]:
    """Side by side: text takes less than charts and tables; of two tables the one with more to say takes more."""
    free = room.width() - GAP * 1.4 * (len(row) - 1)
    tables = [block for block in row if isinstance(block, pages.TableBlock)]
    shares = [_SHARES.get(type(block), 1.0) for block in row]
    if len(tables) == len(row):
        shares = side_by_side(tables, free, Type())
    elif tables:
        shares = [
            max(0.8, sum(column.share for column in block.columns) / 6)
            if isinstance(block, pages.TableBlock)
            else share
            for block, share in zip(row, shares, strict=True)
        ]
    places, left = [], room.left()
    for share in shares:
        width = free * share / sum(shares)
        places.append(QRectF(left, room.top(), width, room.height()))
        left += width + GAP * 1.4
    return places


def _block(painter: QPainter, place: QRectF, block: pages.Block, kind: Type) -> None:
    """A block in its place; charts with their title over them."""
    if isinstance(block, pages.TextBlock):
        draw_text(painter, place, block, kind)
    elif isinstance(block, pages.TableBlock):
        draw_table(painter, place, block, kind)
    else:
        write(
            painter,
            QRectF(place.left(), place.top(), place.width(), 16),
            block.title,
            kind.font("heading"),
            TEXT,
        )
        _chart(painter, place.adjusted(0, 22, 0, 0), block)


def _chart(painter: QPainter, place: QRectF, chart: pages.Chart) -> None:
    """The window's own chart, painted as vectors."""
    widget = widget_of(chart)
    try:
        widget.resize(round(place.width()), round(place.height()))
        widget.show()  # it lays itself out; nothing comes to the screen
        if is_plot(widget):
            assert isinstance(widget, QGraphicsView)
            target = QRectF(place.topLeft(), QSizeF(widget.viewport().size()))
            widget.scene().prepareForPaint()  # type: ignore[attr-defined] # pyqtgraph's own scene
            painter.save()
            QGraphicsView.render(
                widget, painter, target, widget.viewport().rect(), Qt.AspectRatioMode.IgnoreAspectRatio
            )
            painter.restore()
        else:
            painter.save()
            painter.translate(place.topLeft())
            QWidget.render(widget, painter, QPoint(0, 0))
            painter.restore()
    finally:
        widget.hide()
        widget.deleteLater()
