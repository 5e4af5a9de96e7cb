"""A row of the window under its menus: a tool bar that stays where it is and holds one widget."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QToolBar, QWidget


def bar_of(window: QMainWindow, name: str, widget: QWidget) -> QToolBar:
    """Add a widget as the next row under the menus."""
    bar = QToolBar(name)
    bar.setObjectName(name)
    bar.setMovable(False)
    bar.setFloatable(False)
    bar.toggleViewAction().setVisible(False)
    bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
    bar.addWidget(widget)
    window.addToolBar(Qt.ToolBarArea.TopToolBarArea, bar)
    window.addToolBarBreak(Qt.ToolBarArea.TopToolBarArea)
    return bar
