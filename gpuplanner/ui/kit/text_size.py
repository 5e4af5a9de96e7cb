"""The text size of the whole window: fonts, and all that was made as large as a text, grow and shrink together."""

import re
from typing import Final

from PySide6.QtCore import Qt
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
    use_text_scale(percent / 100)
    if ratio == 1:
        return
    sheet, widgets = application.styleSheet(), application.allWidgets()
    own = [(one, one.font()) for one in widgets if one.testAttribute(Qt.WidgetAttribute.WA_SetFont)]
    application.setStyleSheet("")  # under a sheet each font is worked out anew for all that is inside
    application.setFont(font("body"))
    for widget in widgets:
        resize_as_text(widget, ratio)
        if isinstance(widget, QAbstractItemView):
            widget.scheduleDelayedItemsLayout()
    application.setStyleSheet(_fitted(sheet, ratio))
    for widget, before in own:  # last: a sheet gives each the font that it had
        after = QFont(before)
        after.setPointSizeF(before.pointSizeF() * ratio)
        widget.setFont(after)


def fit_sheet(application: QApplication) -> None:
    """Let a style sheet that was put on fit the text size in use."""
    if text_scale() != 1:
        application.setStyleSheet(_fitted(application.styleSheet(), text_scale()))


def _fitted(sheet: str, ratio: float) -> str:
    """A sheet in which what holds a text is so much higher."""

    def fitted(found: re.Match[str]) -> str:
        return found[0].replace(found[1], str(round(int(found[1]) * ratio)))

    return re.sub(r"(?:min|max)-height: (\d+)px", fitted, sheet)


def resize_as_text(widget: QWidget, ratio: float) -> None:
    """Make what has a least or largest size so much larger."""
    least, most = widget.minimumSize(), widget.maximumSize()
    widget.setMinimumSize(round(least.width() * ratio), round(least.height() * ratio))
    widget.setMaximumSize(
        *(_WIDEST if pixels >= _WIDEST else round(pixels * ratio) for pixels in (most.width(), most.height()))
    )
