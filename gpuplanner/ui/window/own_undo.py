"""Undo keys in a text field: those that the field cannot use go to the window."""

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget

OF_THE_WINDOW: Final = (Qt.Key.Key_D, Qt.Key.Key_E, Qt.Key.Key_K)
"""With Ctrl: on X11 a field deletes or goes to the end of its line with them, and there they duplicate a plan, export
and find a command."""


class OwnUndo(QObject):
    """Watches whichever field of text has the keyboard, and no other widget: Qt's fields take the keys of Undo and
    Redo for themselves, also where they do nothing with them, and on X11 some of the window's commands."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._watch)

    def _watch(self, before: QWidget | None, now: QWidget | None) -> None:
        """The keyboard went from one widget to another."""
        if isinstance(before, QLineEdit | QPlainTextEdit):
            before.removeEventFilter(self)
        if isinstance(now, QLineEdit | QPlainTextEdit):
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A key that would undo nothing here is left to the menus."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.modifiers() == Qt.KeyboardModifier.ControlModifier and event.key() in OF_THE_WINDOW:
                event.ignore()
                return True
            for keys, has_some in (
                (QKeySequence.StandardKey.Undo, can_undo),
                (QKeySequence.StandardKey.Redo, can_redo),
            ):
                if event.matches(keys) and not has_some(watched):
                    event.ignore()
                    return True
        return super().eventFilter(watched, event)


def can_undo(field: QObject) -> bool:
    """Whether a field has typing of its own to take back."""
    if isinstance(field, QPlainTextEdit):
        return field.document().isUndoAvailable()
    return isinstance(field, QLineEdit) and field.isUndoAvailable()


def can_redo(field: QObject) -> bool:
    """Whether a field has typing of its own to do again."""
    if isinstance(field, QPlainTextEdit):
        return field.document().isRedoAvailable()
    return isinstance(field, QLineEdit) and field.isRedoAvailable()
