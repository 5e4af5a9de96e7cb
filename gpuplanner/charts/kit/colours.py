"""The colours that charts are told; they know no palette."""

from dataclasses import dataclass

from PySide6.QtGui import QColor, QFont


@dataclass(frozen=True, slots=True)
class ChartColours:
    """What a chart is drawn with; it knows no palette.

    Colours as #rrggbb: of what is raised from the ground, words, lesser words, grid and edges. small, strong:
    fonts of lesser words and of names.
    """

    raised: str
    text: str
    muted: str
    grid: str
    edge: str
    small: QFont
    strong: QFont
    focus: str = ""  # the keyboard's ring


def mixed(over: QColor, under: QColor, share: float) -> QColor:
    """`over` at a share of 0..1 on `under`, as one opaque colour.

    >>> mixed(QColor("#ffffff"), QColor("#000000"), 0.0).name()
    '#000000'
    """
    pairs = ((over.redF(), under.redF()), (over.greenF(), under.greenF()), (over.blueF(), under.blueF()))
    return QColor.fromRgbF(*(share * top + (1 - share) * bottom for top, bottom in pairs))
