"""Pages: their parts, heads, figures and the position of each block."""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from gpuplanner.charts.page_painter.page_charts import draw_chart, widget_of
from gpuplanner.charts.page_painter.page_look import (
    CELL_PAD,
    FIGURES_HEIGHT,
    LEAST_CHART,
    NOTE_LINE,
    PAPER,
    TITLE_LINE,
    Look,
    Row,
)
from gpuplanner.charts.page_painter.text_and_tables import (
    TableLayout,
    balanced,
    block_height,
    draw_table,
    draw_text,
    draw_title,
    head_height,
    lines_of,
    rule,
    write,
)
from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.pages import TableBlock, TextBlock
from gpuplanner.files.brief import sheets
from gpuplanner.lazy_dataclass import dataclass, replace


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
        top = body.top() - look.gap - _figures_height(page.figures, body.width(), look)
        _figures(painter, QRectF(body.left(), top, body.width(), 0), page.figures, look)
    fitted, heights = _fitted(page, body, look)
    top = body.top()
    for row, height in zip(page.rows, heights, strict=True):
        places = _places(row, QRectF(body.left(), top, body.width(), height), look)
        for block, place in zip(row, places, strict=True):
            _block(painter, place, block, fitted)
        top += height + look.gap


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
            left -= height + look.gap

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
    body = QRectF(inside.left(), at + look.gap, inside.width(), foot - at - look.gap * 1.6)
    if page.figures:
        body.setTop(body.top() + _figures_height(page.figures, body.width(), look) + look.gap)
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
    rule(painter, inside, at + 6, look.grid)
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
        spare = body.height() - sum(size.height for size in naturals) - look.gap * (len(naturals) - 1)
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
        isinstance(block, TableBlock) and TableLayout(block, place.width(), look).is_cut
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
    free = room.width() - look.gap * 1.4 * (len(row) - 1)
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
        left += width + look.gap * 1.4
    return places


def _block(painter: QPainter, place: QRectF, block: pages.Block, look: Look) -> None:
    """A block in its place, with its title over it."""
    draw_title(painter, place, block, look)
    room = place.adjusted(0, head_height(block, place.width(), look), 0, 0)
    if isinstance(block, TextBlock):
        draw_text(painter, room, block, look)
    elif isinstance(block, TableBlock):
        draw_table(painter, room, block, look)
    else:
        draw_chart(painter, room, block, look)
