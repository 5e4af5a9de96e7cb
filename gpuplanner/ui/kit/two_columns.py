"""Two columns of one page: beside each other where there is room for both, else the second below the first."""

from typing import Final

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

BESIDE_FROM_PX: Final = 1000
"""Width from which both stand beside each other: a chart, and a table with names and six figures."""
_BETWEEN_PX: Final = 28
_BELOW: Final = QBoxLayout.Direction.TopToBottom
_BESIDE: Final = QBoxLayout.Direction.LeftToRight


class TwoColumns(QWidget):
    """Two layouts to be filled. spacing: between the parts of a column, and between columns that are one.

    A column of which nothing is shown takes no room.
    """

    def __init__(self, spacing: int) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._spacing, self._shares = spacing, (1, 1)
        self._both = QBoxLayout(_BELOW, self)
        self._both.setContentsMargins(0, 0, 0, 0)
        self._both.setSpacing(spacing)
        self.first, self.second = QVBoxLayout(), QVBoxLayout()
        for column in (self.first, self.second):
            column.setSpacing(spacing)
            self._both.addLayout(column, 1)

    @property
    def are_beside(self) -> bool:
        """Whether both stand beside each other now."""
        return self._both.direction() is _BESIDE

    def share(self, first: int, second: int) -> None:
        """How both share the height while they stand below each other; beside each other they are alike."""
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
        """What is shown of a column changed: one without anything leaves the other its room."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._stretch()
            self._both.activate()  # in the same frame
        return super().event(event)

    def _stretch(self) -> None:
        shares = (1, 1) if self.are_beside else self._shares
        for at, (column, share) in enumerate(zip((self.first, self.second), shares, strict=True)):
            self._both.setStretch(at, 0 if column.isEmpty() else share)
