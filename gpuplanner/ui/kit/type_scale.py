"""Type scale: nine steps of the platform's font, with digits of one width."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from typing import Final

from PySide6.QtCore import QRect
from PySide6.QtGui import QFont, QFontDatabase, QFontMetrics, QPainter

SIZES: Final = {
    "small": (8.25, 400),
    "small_strong": (8.25, 500),
    "body": (9.0, 400),
    "strong": (9.0, 500),
    "title": (9.75, 600),
    "total": (9.0, 600),
    "now": (10.5, 400),
    "figure": (15.0, 600),
    "page": (18.0, 600),
}
"""Points and weight of each step."""

_STEPS: dict[int, tuple[str, float]] = {}
_SCALE: list[float] = [1.0]
_is_for_a_pdf: ContextVar[bool] = ContextVar("_is_for_a_pdf", default=False)


@contextmanager
def glyphs_of_a_pdf() -> Iterator[None]:
    """Use fonts within this context that a PDF stores as text; see charts/kit/chart_export.py."""
    before = _is_for_a_pdf.set(True)
    try:
        yield
    finally:
        _is_for_a_pdf.reset(before)


def font(step: str) -> QFont:
    """Return the font of a step in the window's text size; digits have one width, so that columns align."""
    return _pdf_font(step) if _is_for_a_pdf.get() else _screen_font(step, _SCALE[0])


def base_font(step: str) -> QFont:
    """Return the font of a step in its usual size, for painting with `in_text_size`."""
    return _pdf_font(step) if _is_for_a_pdf.get() else _screen_font(step)


def text_scale() -> float:
    """Return the text size as a factor of the usual size."""
    return _SCALE[0]


def use_text_scale(scale: float) -> None:
    """Set the text size as a factor of the usual size; `show_text_size` applies it."""
    _SCALE[0] = scale


def text_px(pixels: float) -> int:
    """Scale pixels of the usual text size to the text size in use."""
    return round(pixels * _SCALE[0])


def in_text_size(painter: QPainter, rect: QRect) -> QRect:
    """Scale a painter so that `rect` can be painted in the usual text size. Returns the rectangle in that size.

    This changes the painter unless the text size is usual; save it first to continue painting.
    """
    if (scale := _SCALE[0]) == 1.0:
        return rect
    painter.translate(rect.topLeft())
    painter.scale(scale, scale)
    return QRect(0, 0, round(rect.width() / scale), round(rect.height() / scale))


@cache
def _pdf_font(step: str) -> QFont:
    """Return the font of a step that stays text in a PDF."""
    from gpuplanner.charts.kit.chart_export import as_text_in_a_pdf

    return as_text_in_a_pdf(_screen_font(step))


@cache
def _screen_font(step: str, scale: float = 1.0) -> QFont:
    """Return the platform's font of a step with digits of one width; cached."""
    points, weight = SIZES[step]
    made = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    made.setPointSizeF(points * scale)
    made.setWeight(QFont.Weight(weight))
    made.setFeature(QFont.Tag("tnum"), 1)
    _STEPS[id(made)] = step, scale  # the cache keeps the font alive, so that its id stays unique
    return made


def width_of(text: str, font_of_text: QFont) -> int:
    """Return a text's width in device-independent pixels, rounded up; cached for the fonts of the scale."""
    step = _STEPS.get(id(font_of_text))
    return QFontMetrics(font_of_text).horizontalAdvance(text) if step is None else _width(text, *step)


@lru_cache(maxsize=50_000)
def _width(text: str, step: str, scale: float) -> int:
    """Return a text's width in pixels; cached by text and size."""
    return _metrics(step, scale).horizontalAdvance(text)


@cache
def _metrics(step: str, scale: float) -> QFontMetrics:
    """Return the metrics of a step's font; cached."""
    return QFontMetrics(_screen_font(step, scale))


text_width = width_of
