"""The type scale of presenter mode, and charts in it."""

from functools import cache
from typing import Any, Final

from PySide6.QtGui import QFont, QFontDatabase

from gpuplanner.ui.theme import Palette

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


@cache
def large(step: str) -> QFont:
    """One step of the scale, in the platform's font; digits share one width."""
    points, weight = SIZES[step]
    made = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    made.setPointSizeF(points)
    made.setWeight(QFont.Weight(weight))
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


def large_chart_colours(palette: Palette) -> Any:
    """What a chart is drawn with in a scene: on the scene's own ground, in its type."""
    from gpuplanner.charts.colours import ChartColours

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
