"""How large a dialog may be: as drawn where there is room, never larger than the screen."""

from typing import Final

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

FRAME_PX: Final = 36
"""What a window manager may put above a dialog's content."""
STEP_ASIDE_PX: Final = 28
"""How far a sheet stands beside the one before."""
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


def stand_beside_others(sheet: QWidget, window: QWidget) -> None:
    """A sheet that would cover another of its kind exactly steps aside, down and to the right, inside the screen."""
    others = [one.pos() for one in window.findChildren(type(sheet)) if one is not sheet and one.isVisible()]
    room = sheet.screen().availableGeometry()
    place, aside = sheet.pos(), QPoint(STEP_ASIDE_PX, STEP_ASIDE_PX)
    for _ in range(2 * len(others) + 1):  # so often at most it comes upon another one
        if all((place - other).manhattanLength() >= STEP_ASIDE_PX for other in others):
            break
        place += aside
        if place.x() > room.right() - sheet.width() or place.y() > room.bottom() - sheet.height():
            aside = QPoint(-STEP_ASIDE_PX, STEP_ASIDE_PX // 2)  # no room: to the other side
            place += aside
    sheet.move(max(place.x(), room.left()), max(place.y(), room.top()))
