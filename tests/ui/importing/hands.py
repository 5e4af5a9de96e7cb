"""What a planner does in the dialog of an import."""

from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.qtbot import QtBot

from gpuplanner.app.settings import Settings
from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window
from gpuplanner.ui.importing.import_dialog import ImportDialog

EMPTY = Project(window=Window(0, 1), cube=empty_cube(1))


def settle(qtbot: QtBot, dialog: ImportDialog) -> None:
    """Until nothing more comes by itself."""
    qtbot.waitUntil(lambda: not dialog.is_working, timeout=60_000)
    QApplication.processEvents()  # words that came last are seen a turn later


def choose(qtbot: QtBot, dialog: ImportDialog, box: QComboBox, data: object) -> None:
    """In a box what stands for this."""
    box.setCurrentIndex(box.findData(data))
    box.activated.emit(box.currentIndex())
    settle(qtbot, dialog)


def map_columns(qtbot: QtBot, dialog: ImportDialog, **columns: str) -> None:
    """Choose columns in the boxes."""
    for field, heading in columns.items():
        choose(qtbot, dialog, dialog.columns_page.boxes[heading], field)


def open_columns(qtbot: QtBot, dialog: ImportDialog) -> None:
    """By the button of the first page."""
    dialog.files_page.columns.click()
    settle(qtbot, dialog)


def settings_of(folder: Path) -> Settings:
    """What is remembered, in a file of its own."""
    return Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
