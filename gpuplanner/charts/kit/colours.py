"""The colours that charts are told; they know no palette."""

from dataclasses import dataclass

from PySide6.QtGui import QColor, QFont


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


def mixed(over: QColor, under: QColor, share: float) -> QColor:
    """`over` at a share of 0..1 on `under`, as one opaque colour."""
    pairs = (
        (over.redF(), under.redF()),
        (over.greenF(), under.greenF()),
        (over.blueF(), under.blueF()),
    )
    return QColor.fromRgbF(*(share * top + (1 - share) * bottom for top, bottom in pairs))
