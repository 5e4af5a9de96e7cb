"""The text size of the whole window: fonts, and all that was made as large as a text, grow and shrink together."""

from typing import Final

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget

from gpuplanner.ui.kit.theme import font, text_scale, use_text_scale

PERCENTS: Final = (80, 90, 100, 110, 125, 150, 175, 200)
_WIDEST: Final = (1 << 24) - 1
"""What Qt has for a size that nobody set."""


def next_percent(percent: int, by: int) -> int:
    """The text size so many steps larger (or, below 0, smaller); the usual one for 0."""
    at = PERCENTS.index(percent) if percent in PERCENTS else PERCENTS.index(100)
    return PERCENTS[max(0, min(at + by, len(PERCENTS) - 1))] if by else 100


def show_text_size(application: QApplication, percent: int) -> None:
    """Let all text be as large, and what has a size of its own with it."""
    ratio = percent / 100 / text_scale()
    points = [(widget, widget.font().pointSizeF()) for widget in application.allWidgets()]
    use_text_scale(percent / 100)
    application.setFont(font("body"))
    if ratio == 1:
        return
    for widget, before in points:  # of each: a style sheet keeps what is inherited as it was
        own = QFont(widget.font())
        own.setPointSizeF(before * ratio)
        widget.setFont(own)
        resize_as_text(widget, ratio)
        if isinstance(widget, QAbstractItemView):
            widget.scheduleDelayedItemsLayout()


def resize_as_text(widget: QWidget, ratio: float) -> None:
    """Make what has a least or largest size so much larger."""
    least, most = widget.minimumSize(), widget.maximumSize()
    widget.setMinimumSize(round(least.width() * ratio), round(least.height() * ratio))
    widget.setMaximumSize(
        *(_WIDEST if pixels >= _WIDEST else round(pixels * ratio) for pixels in (most.width(), most.height()))
    )
