"""The type scale: six sizes of the platform's own font, with figures of one width."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from typing import Final

from PySide6.QtGui import QFont, QFontDatabase, QFontMetrics

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
"""Step -> points and weight."""

_STEPS: dict[int, str] = {}
_is_for_a_pdf: ContextVar[bool] = ContextVar("_is_for_a_pdf", default=False)


@contextmanager
def glyphs_of_a_pdf() -> Iterator[None]:
    """While it lasts, fonts of the scale are those that a PDF can say in letters; see charts/kit/plain_glyphs.py."""
    before = _is_for_a_pdf.set(True)
    try:
        yield
    finally:
        _is_for_a_pdf.reset(before)


def font(step: str) -> QFont:
    """One step of the scale. The window's platform font; digits share one width so that columns line up."""
    return _pdf_font(step) if _is_for_a_pdf.get() else _screen_font(step)


@cache
def _pdf_font(step: str) -> QFont:
    """The font of a size whose text stays text in a PDF."""
    from gpuplanner.charts.kit.plain_glyphs import as_text_in_a_pdf

    return as_text_in_a_pdf(_screen_font(step))


@cache
def _screen_font(step: str) -> QFont:
    """The platform's font in a size, with figures of one width; made once."""
    points, weight = SIZES[step]
    made = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    made.setPointSizeF(points)
    made.setWeight(QFont.Weight(weight))
    made.setFeature(QFont.Tag("tnum"), 1)
    _STEPS[id(made)] = step  # the cache keeps it alive, so that its id stays its own
    return made


def width_of(text: str, of: QFont) -> int:
    """Width in device-independent pixels, rounded up; remembered for the fonts of the scale."""
    step = _STEPS.get(id(of))
    return QFontMetrics(of).horizontalAdvance(text) if step is None else _width(text, step)


@lru_cache(maxsize=50_000)
def _width(text: str, step: str) -> int:
    """A text's width in pixels, measured once for each text and size."""
    return _metrics(step).horizontalAdvance(text)


@cache
def _metrics(step: str) -> QFontMetrics:
    """The measures of a size's font, made once."""
    return QFontMetrics(_screen_font(step))
