"""A turn of the mouse wheel over a widget."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget


def wheeled(over: QWidget, by: int = -120, at: QPoint | None = None) -> bool:
    """Turn the wheel over a widget, in its middle and down unless told; whether it was taken there."""
    at = over.rect().center() if at is None else at
    wheel = QWheelEvent(
        QPointF(at), QPointF(over.mapToGlobal(at)), QPoint(), QPoint(0, by),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(over, wheel)
    return wheel.isAccepted()
