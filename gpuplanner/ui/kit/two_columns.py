"""Two columns of a page: next to each other if both fit, else one below the other."""

from typing import Final

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from gpuplanner.ui.kit.layout import add, column, share

BESIDE_FROM_PX: Final = 1000
"""Width for two columns: enough for a chart, and a table with names and six figures."""
_BETWEEN_PX: Final = 28
_BELOW: Final = QBoxLayout.Direction.TopToBottom
_BESIDE: Final = QBoxLayout.Direction.LeftToRight


class TwoColumns(QWidget):
    """Two layouts to fill. spacing: pixels between parts, and between the columns while one is below the other.

    An empty column takes no space.
    """

    def __init__(self, spacing: int) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._spacing, self._shares = spacing, (1, 1)
        self._both = QBoxLayout(_BELOW, self)
        self._both.setContentsMargins(0, 0, 0, 0)
        self._both.setSpacing(spacing)
        self.first, self.second = column(spacing=spacing), column(spacing=spacing)
        add(self._both, share(self.first), share(self.second))

    @property
    def are_beside(self) -> bool:
        """Whether the columns are next to each other now."""
        return self._both.direction() is _BESIDE

    def share(self, first: int, second: int) -> None:
        """Set the shares of the height for columns below each other; next to each other they are equally wide."""
        self._shares = (first, second)
        self._stretch()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wanted = _BESIDE if self.width() >= BESIDE_FROM_PX else _BELOW
        if wanted is not self._both.direction():
            self._both.setDirection(wanted)
            self._both.setSpacing(_BETWEEN_PX if wanted is _BESIDE else self._spacing)
            self._stretch()

    def event(self, event: QEvent) -> bool:
        """Give an empty column's space to the other."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._stretch()
            self._both.activate()  # in the same frame
        return super().event(event)

    def _stretch(self) -> None:
        shares = (1, 1) if self.are_beside else self._shares
        for at, (side, by) in enumerate(zip((self.first, self.second), shares, strict=True)):
            self._both.setStretch(at, 0 if side.isEmpty() else by)
