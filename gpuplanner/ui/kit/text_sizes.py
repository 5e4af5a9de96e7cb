"""Text size of the whole window: fonts, and sizes that depend on text, grow and shrink together."""

import re
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDockWidget, QMainWindow, QWidget

from gpuplanner.ui.kit.type_scale import font, text_scale, use_text_scale

PERCENTS: Final = (80, 90, 100, 110, 125, 150, 175, 200)
_WIDEST: Final = (1 << 24) - 1
"""Qt's value for an unset maximum size."""


def next_percent(percent: int, by: int) -> int:
    """Return the text size `by` steps larger (smaller if negative); 0 gives the usual size. In percent."""
    place = PERCENTS.index(percent) if percent in PERCENTS else PERCENTS.index(100)
    return PERCENTS[max(0, min(place + by, len(PERCENTS) - 1))] if by else 100


def show_text_size(application: QApplication, percent: int) -> None:
    """Apply a text size in percent to all texts and to sizes that depend on text."""
    ratio = percent / 100 / text_scale()
    use_text_scale(percent / 100)
    if ratio == 1:
        return
    sheet, widgets = application.styleSheet(), application.allWidgets()
    own = [(each, each.font()) for each in widgets if each.testAttribute(Qt.WidgetAttribute.WA_SetFont)]
    application.setStyleSheet("")  # a style sheet would recalculate each font inside
    application.setFont(font("body"))
    for widget in widgets:
        if not isinstance(widget, QMainWindow | QDockWidget):  # these fit the screen in any text size
            resize_as_text(widget, ratio)
        if isinstance(widget, QAbstractItemView):
            widget.scheduleDelayedItemsLayout()
    application.setStyleSheet(_fitted(sheet, ratio))
    for widget, before in own:  # last, because a style sheet restores the old fonts
        after = QFont(before)
        after.setPointSizeF(before.pointSizeF() * ratio)
        widget.setFont(after)


def fit_sheet(application: QApplication) -> None:
    """Scale a new style sheet to the text size in use."""
    if text_scale() != 1:
        application.setStyleSheet(_fitted(application.styleSheet(), text_scale()))


def _fitted(sheet: str, ratio: float) -> str:
    """Return a style sheet with the heights of text fields multiplied by `ratio`."""

    def fitted(match: re.Match[str]) -> str:
        return match[0].replace(match[1], str(round(int(match[1]) * ratio)))

    return re.sub(r"(?:min|max)-height: (\d+)px", fitted, sheet)


def resize_as_text(widget: QWidget, ratio: float) -> None:
    """Multiply the minimum and maximum size of a widget by `ratio`, where set."""
    least, most = widget.minimumSize(), widget.maximumSize()
    widget.setMinimumSize(round(least.width() * ratio), round(least.height() * ratio))
    widget.setMaximumSize(
        *(_WIDEST if pixels >= _WIDEST else round(pixels * ratio) for pixels in (most.width(), most.height()))
    )
