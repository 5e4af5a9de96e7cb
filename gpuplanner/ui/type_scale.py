"""The type scale: six sizes of the platform's own font, with figures of one width."""

from functools import cache
from typing import Final

from PySide6.QtGui import QFont, QFontDatabase

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


@cache
def font(step: str) -> QFont:
    """One step of the scale. The window's platform font; digits share one width so that columns line up."""
    points, weight = SIZES[step]
    made = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    made.setPointSizeF(points)
    made.setWeight(QFont.Weight(weight))
    made.setFeature(QFont.Tag("tnum"), 1)
    return made
