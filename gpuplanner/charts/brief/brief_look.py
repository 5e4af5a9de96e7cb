"""The type of a brief on paper: one family, sizes in points; and what its charts are drawn with."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtGui import QFont

from gpuplanner.charts.kit.colours import ChartColours
from gpuplanner.charts.kit.plain_glyphs import as_text_in_a_pdf
from gpuplanner.files.brief.paper_colours import EDGE, GRID, GROUND, MUTED, TEXT

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
    "kicker": (9.0, 600),
    "title": (17.0, 600),
    "figure": (17.0, 600),
    "heading": (9.5, 600),
    "body": (9.5, 400),
    "table": (8.5, 400),
    "table_strong": (8.5, 600),
    "small": (8.0, 400),
    "small_strong": (8.0, 600),
}
"""Step -> points and weight."""


@dataclass(frozen=True, slots=True)
class Type:
    """The sizes of one page; scale below 1 where a page has much to say."""

    scale: float = 1.0

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


def print_colours() -> ChartColours:
    """What charts are drawn with on paper.

    Those of paper, whatever the window wears.
    """
    kind = Type()
    return ChartColours(GROUND, TEXT, MUTED, GRID, EDGE, kind.font("small"), kind.font("small_strong"))
