"""StillScrollBar: a scroll bar that is painted again only where its handle is elsewhere, or of another length."""

from PySide6.QtCore import QRect
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QAbstractSlider, QScrollBar, QStyle, QStyleOptionSlider


class StillScrollBar(QScrollBar):
    """Qt paints a bar at every change of its range. It is see-through, so that all widgets behind it are painted too:
    half a millisecond for each card that comes or goes, where among thousands the handle does not move by a pixel.
    """

    _painted = QRect()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints, and remembers where the handle was."""
        self._painted = self._handle()
        super().paintEvent(event)

    def sliderChange(self, change: QAbstractSlider.SliderChange) -> None:
        """Value and range are those of now: all that Qt does is to ask for a repaint."""
        if self._handle() != self._painted:
            super().sliderChange(change)

    def _handle(self) -> QRect:
        """Where the style draws the handle."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        bar, handle = QStyle.ComplexControl.CC_ScrollBar, QStyle.SubControl.SC_ScrollBarSlider
        return self.style().subControlRect(bar, option, handle, self)
