"""The pointer over a presentation: a red dot or a spotlight."""

from enum import StrEnum
from typing import Final

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QCursor, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.translation import tr
from gpuplanner.ui.kit.palettes import in_use

DOT_PX: Final = 11
SPOT_PX: Final = 170
DARKNESS: Final = 175


class PointerKind(StrEnum):
    """What follows the mouse; L goes from each to the next."""

    NONE = "none"
    DOT = "dot"
    SPOTLIGHT = "spotlight"

    def following(self) -> "PointerKind":
        """The one that comes after this."""
        kinds = tuple(PointerKind)
        return kinds[(kinds.index(self) + 1) % len(kinds)]


class Pointer(QWidget):
    """A red dot, or a spotlight with all else in the dark, over a page; only what changes is drawn anew."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.kind = PointerKind.NONE
        self.place = QPoint(-1000, -1000)
        self.setAccessibleName(tr("Pointer"))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def choose(self, kind: PointerKind) -> None:
        """Show this one from now on, where the mouse is; its arrow is hidden meanwhile."""
        self.kind = kind
        self.setVisible(kind is not PointerKind.NONE)
        if kind is not PointerKind.NONE:
            page = self.parentWidget()
            assert page is not None, "it lies over a page"
            self.setGeometry(page.rect())
            self.setCursor(Qt.CursorShape.BlankCursor)
            self.place = self.mapFromGlobal(QCursor.pos())
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draws anew only about the old and the new place."""
        before, self.place = self.place, event.position().toPoint()
        reach = (SPOT_PX if self.kind is PointerKind.SPOTLIGHT else DOT_PX) + 4
        for place in (before, self.place):
            self.update(QRect(place.x() - reach, place.y() - reach, 2 * reach, 2 * reach))

    def paintEvent(self, event: QPaintEvent) -> None:
        """A spot of light in the dark, or a red dot."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.kind is PointerKind.SPOTLIGHT:
            dark = QPainterPath()
            dark.addRect(event.rect())
            light = QPainterPath()
            light.addEllipse(self.place, SPOT_PX, SPOT_PX)
            painter.fillPath(dark - light, QColor(0, 0, 0, DARKNESS))
            painter.setPen(QPen(QColor(in_use().edge), 2))
            painter.drawEllipse(self.place, SPOT_PX, SPOT_PX)
        else:  # a ring in the colour of the ground tells it from any bar that it lies on
            painter.setPen(QPen(QColor(in_use().window), 3))
            painter.setBrush(QColor(in_use().red))
            painter.drawEllipse(self.place, DOT_PX, DOT_PX)
