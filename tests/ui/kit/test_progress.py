"""Long work under way: what ends it, and what does not."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gpuplanner.ui.kit.progress import ProgressDialog


def test_enter_of_the_window_before_stops_nothing_and_esc_does(qtbot: QtBot) -> None:
    dialog, stopped = ProgressDialog("Exporting"), []
    qtbot.addWidget(dialog)
    dialog.cancelled.connect(lambda: stopped.append(True))
    dialog.show()
    qtbot.waitExposed(dialog)
    QTest.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Return)
    assert dialog.isVisible() and not stopped
    QTest.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Escape)
    assert stopped == [True]
