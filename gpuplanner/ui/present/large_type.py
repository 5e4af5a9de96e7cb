"""The type scale of presenter mode, and charts in it."""

from functools import cache
from typing import Any, Final

from PySide6.QtGui import QFont, QFontDatabase

from gpuplanner.ui.kit.theme import Palette

SIZES: Final = {
    "small": (13.5, 400),
    "small_strong": (13.5, 500),
    "body": (16.5, 400),
    "strong": (16.5, 500),
    "total": (16.5, 600),
    "title": (22.5, 600),
    "now": (22.5, 400),
    "page": (40.5, 600),
}
"""Step -> points and weight, as the window's own scale names its steps."""


DESIGNED_FOR: Final = (1280, 720)
"""Width and height of the smallest screen that the sizes above are for, in device-independent pixels."""

LEAST_SHARE: Final = 0.75
_share = 1.0


def fit_screen(width: int, height: int) -> bool:
    """Smaller type on a screen smaller than the sizes are for, as one at 200%; whether anything changes by it."""
    global _share
    wanted = min(1.0, width / DESIGNED_FOR[0], height / DESIGNED_FOR[1])
    before, _share = _share, max(LEAST_SHARE, round(wanted, 2))
    return _share != before


def large(step: str) -> QFont:
    """One step of the scale, in the platform's font; digits share one width."""
    return _font(step, _share)


def roomy(pixels: int) -> int:
    """Space between things, and heights: smaller where the type is."""
    return round(pixels * _share)


@cache
def _font(step: str, share: float) -> QFont:
    """A font of the large scale, for a share of the screen's height."""
    points, weight = SIZES[step]
    made = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    made.setPointSizeF(points * share)
    made.setWeight(QFont.Weight(weight))
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


def large_chart_colours(palette: Palette) -> Any:
    """What a chart is drawn with in a scene: on the scene's own ground, in its type."""
    from gpuplanner.charts.kit.colours import ChartColours

    return ChartColours(
        palette.window,
        palette.text,
        palette.muted,
        palette.grid,
        palette.edge,
        large("small"),
        large("small_strong"),
        palette.focus,
    )
