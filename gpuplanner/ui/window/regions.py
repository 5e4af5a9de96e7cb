"""F6: the keyboard goes from one part of the window to the next."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget


def to_next_region(regions: Sequence[QWidget]) -> None:
    """Give the keyboard to the first control of the region after the one that has it, round and round."""
    focused = QApplication.focusWidget()
    here = next((at for at, region in enumerate(regions) if focused and region.isAncestorOf(focused)), -1)
    for step in range(1, len(regions) + 1):
        target = _first_control(regions[(here + step) % len(regions)])
        if target is not None:
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return


def _first_control(region: QWidget) -> QWidget | None:
    """The first widget of a region that the keyboard can go to; None if there is none."""
    return next(
        (
            child
            for child in region.findChildren(QWidget)
            if child.isVisible() and child.isEnabled() and child.focusPolicy() & Qt.FocusPolicy.TabFocus
        ),
        None,
    )
