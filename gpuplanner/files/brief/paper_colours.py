"""The colours of a brief on paper, for PDF and PPTX alike: those of the window's light palette."""

from typing import Final

from gpuplanner.domain.model.pool import Pool
from gpuplanner.files.workbook.kit.looks import POOL_FILL

GROUND: Final = "#FFFFFF"
TEXT: Final = "#1A1E26"
MUTED: Final = "#596170"
GRID: Final = "#E4E7EC"
EDGE: Final = "#7D8695"
ACCENT: Final = "#4B45C6"
RED: Final = "#C02A2A"
HATCH: Final = "#7381B1"
EXISTING: Final = "#8C8E92"
"""Half of the text's colour on the ground: existing contracts are no step of the ramp."""
POOLS: Final[dict[Pool, str]] = dict(POOL_FILL)
TERMS: Final = {
    0: "#E7EAF3",
    1: "#D2D8EC",
    3: "#B3BDDC",
    6: "#94A0C8",
    12: "#7381B1",
    24: "#526094",
    36: "#323E72",
}


def term_colour(months: int) -> str:
    """The step of the ramp that a term is drawn in; a term between two steps takes the one below it."""
    return TERMS[max(step for step in TERMS if step <= months)]
