"""How large a dialog may be: as drawn where there is room, never larger than the screen."""

from typing import Final

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

FRAME_PX: Final = 36
"""What a window manager may put above a dialog's content."""
LOWEST_PX: Final = 420
"""A dialog of rows that is lower than this shows too few of them."""


def resize_within_screen(dialog: QWidget, width: int, height: int) -> None:
    """Give a dialog this size, or what the screen of its parent has room for."""
    parent = dialog.parentWidget()
    room = (parent or dialog).screen().availableGeometry()
    dialog.resize(min(width, room.width()), min(height, room.height() - FRAME_PX))


def stand_below(dialog: QWidget, widget: QWidget) -> None:
    """Stand under a widget of the parent, lower if need be; in the middle where there is no room for that."""
    window = widget.window()
    room = widget.screen().availableGeometry()
    top = widget.mapToGlobal(QPoint(0, widget.height())).y()
    height = min(window.geometry().bottom(), room.bottom()) - top - FRAME_PX
    if height >= LOWEST_PX:
        dialog.resize(dialog.width(), min(dialog.height(), height))
        middle = window.geometry().center().x() - dialog.width() // 2
        dialog.move(max(room.left(), middle), top)
