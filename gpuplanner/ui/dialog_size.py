"""How large a dialog may be: as drawn where there is room, never larger than the screen."""

from typing import Final

from PySide6.QtWidgets import QWidget

FRAME_PX: Final = 36
"""What a window manager may put above a dialog's content."""


def resize_within_screen(dialog: QWidget, width: int, height: int) -> None:
    """Give a dialog this size, or what the screen of its parent has room for."""
    parent = dialog.parentWidget()
    room = (parent or dialog).screen().availableGeometry()
    dialog.resize(min(width, room.width()), min(height, room.height() - FRAME_PX))
