"""Colors of charts, which do not read the palette."""

from PySide6.QtGui import QColor, QFont

from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartColours:
    """Colors and fonts of a chart, which does not read the palette.

    Colors as #rrggbb: raised surface, text, muted text, grid, edges. small, strong: fonts of muted text and of names.
    """

    raised: str
    text: str
    muted: str
    grid: str
    edge: str
    small: QFont
    strong: QFont
    focus: str = ""  # focus ring


def mixed(over: QColor, under: QColor, share: float) -> QColor:
    """Blend `over` at a share of 0..1 with `under`. Returns one opaque color.

    >>> mixed(QColor("#ffffff"), QColor("#000000"), 0.0).name()
    '#000000'
    """
    pairs = ((over.redF(), under.redF()), (over.greenF(), under.greenF()), (over.blueF(), under.blueF()))
    return QColor.fromRgbF(*(share * top + (1 - share) * bottom for top, bottom in pairs))
