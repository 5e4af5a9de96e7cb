"""Text and shapes, as every painted view draws them."""

from functools import lru_cache

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

from gpuplanner.ui.kit.icons import pixmap
from gpuplanner.ui.kit.type_scale import text_width

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_SINGLE_LINE = int(Qt.TextFlag.TextSingleLine.value)
_LEFT, _RIGHT = int(LEFT.value) | _SINGLE_LINE, int(RIGHT.value) | _SINGLE_LINE
"""Flags combined once, because a frame draws hundreds of texts and combining flags is slow."""


@lru_cache(maxsize=512)
def _named(colour: str) -> QColor:
    """Return a color by name; cached, because painting uses it thousands of times."""
    return QColor(colour)


def draw_text(
    painter: QPainter,
    rect: QRect,
    text: str,
    font: QFont,
    colour: QColor | str,
    align: Qt.AlignmentFlag = LEFT,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> int:
    """Draw one line of text in a rectangle, elided if too long. Returns the width drawn, in pixels."""
    painter.setFont(font)
    painter.setPen(_named(colour) if isinstance(colour, str) else colour)
    if (width := text_width(text, font)) > rect.width():
        text = QFontMetrics(font).elidedText(text, elide, rect.width())
        width = text_width(text, font)
    if align is LEFT:
        flags = _LEFT
    elif align is RIGHT:
        flags = _RIGHT
    else:
        flags = int(align.value) | _SINGLE_LINE
    painter.drawText(rect, flags, text)
    return width


def draw_icon(
    painter: QPainter, name: str, colour: QColor | str, left: int, top: int, size: int = 16
) -> None:
    """Draw an icon at a position in pixels, at the screen's resolution."""
    ratio = painter.device().devicePixelRatioF()
    painter.drawPixmap(QPointF(left, top), pixmap(name, QColor(colour).name(), size, ratio))


def draw_box(
    painter: QPainter,
    rect: QRect | QRectF,
    fill: QColor | str | None,
    border: QColor | str | None,
    radius: float = 4,
    width: float = 1,
    dashed: bool = False,
) -> None:
    """Draw a rounded rectangle with its border inside `rect`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(Qt.PenStyle.NoPen)
    if border is not None:
        pen = QPen(QColor(border), width)
        if dashed:
            pen.setDashPattern([3, 2.5])
    painter.setPen(pen)
    painter.setBrush(QColor(fill) if fill is not None else Qt.BrushStyle.NoBrush)
    inset = width / 2 if border is not None else 0
    painter.drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius, radius)
    painter.restore()


def fitting(variants: tuple[str, ...], font: QFont, width: int) -> str:
    """Return the first text that fits the width in pixels; otherwise the last. variants: longest first."""
    for text in variants:
        if text_width(text, font) <= width:
            return text
    return variants[-1] if variants else ""
