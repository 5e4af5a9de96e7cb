"""Drawing text and shapes the way every painted view does it."""

from functools import lru_cache

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

from gpuplanner.ui.kit.icons import pixmap
from gpuplanner.ui.kit.type_scale import width_of

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
text_width = width_of
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_SINGLE_LINE = int(Qt.TextFlag.TextSingleLine.value)
_LEFT, _RIGHT = int(LEFT.value) | _SINGLE_LINE, int(RIGHT.value) | _SINGLE_LINE
"""Flags put together once: hundreds of texts are drawn in a frame, and flags are slow to join."""


@lru_cache(maxsize=512)
def _named(colour: str) -> QColor:
    """A colour by name, made once: painting asks for it thousands of times."""
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
    """One line in a rectangle, elided where it does not fit; returns the width that was drawn."""
    painter.setFont(font)
    painter.setPen(_named(colour) if isinstance(colour, str) else colour)
    width = text_width(text, font)
    if width > rect.width():
        text = QFontMetrics(font).elidedText(text, elide, rect.width())
        width = text_width(text, font)
    flags = _LEFT if align is LEFT else _RIGHT if align is RIGHT else int(align.value) | _SINGLE_LINE
    painter.drawText(rect, flags, text)
    return width


def draw_icon(
    painter: QPainter, name: str, colour: QColor | str, left: int, top: int, size: int = 16
) -> None:
    """An icon at a place, sharp on any screen."""
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
    """A rounded rectangle whose border lies inside `rect`."""
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
    """The first of the texts (longest first) that fits; the last where none does."""
    for text in variants:
        if text_width(text, font) <= width:
            return text
    return variants[-1] if variants else ""
