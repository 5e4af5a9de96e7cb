"""The colours that charts are told; they know no palette."""

from dataclasses import dataclass

from PySide6.QtGui import QFont


@dataclass(frozen=True, slots=True)
class ChartColours:
    """What a chart is drawn with; it knows no palette."""

    raised: str
    text: str
    muted: str
    grid: str
    edge: str
    small: QFont
    strong: QFont
    focus: str = ""  # the keyboard's ring
