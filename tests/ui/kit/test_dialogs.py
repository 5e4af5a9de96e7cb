"""Small dialogs: as high as their words need, and no higher."""

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QDialog, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.ui.kit.day_field import WholeField
from gpuplanner.ui.kit.dialogs import close_button, note_label, titled
from gpuplanner.ui.kit.layout import column
from gpuplanner.ui.kit.progress_dialog import ProgressDialog
from gpuplanner.ui.kit.small_dialogs import Question, ask_text

# --- Small dialogs: as high as their words need, and no higher -----------------------------------


@pytest.mark.parametrize("words", [3, 20, 80])
def test_a_question_is_as_high_as_its_words(qtbot: QtBot, words: int) -> None:
    question = Question(None, "Unsaved work was found", "word " * words, ("Discard it", "Recover it"))
    qtbot.addWidget(question)
    question.show()
    qtbot.waitExposed(question)
    assert question.height() == question.layout_.totalHeightForWidth(question.width())


# --- What dialogs share: what they are called, words that change in them, the way out of them -----


def test_a_dialog_is_called_alike_in_its_frame_and_to_who_listens(qtbot: QtBot) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    assert titled(dialog, "Limits", 440) == dialog.windowTitle() == dialog.accessibleName() == "Limits"
    assert dialog.minimumWidth() == 440


def test_a_window_keeps_no_dialog_that_was_answered(qtbot: QtBot) -> None:
    window, typed = QWidget(), list[str]()
    qtbot.addWidget(window)

    def answer() -> None:
        asked = next(one for one in window.findChildren(Question) if one.isVisible())
        asked.findChildren(QPushButton)[-1].click()

    for _ in range(2):
        QTimer.singleShot(0, lambda: typed.append(ask_text(window, "Rename", "Name", "Plan B", "Rename")))
        QTimer.singleShot(50, answer)
    qtbot.waitUntil(lambda: typed == ["Plan B", "Plan B"] and not window.findChildren(QDialog))


def test_words_that_change_move_nothing_up_to_so_many_lines(qtbot: QtBot) -> None:
    note = note_label(2, "muted")
    qtbot.addWidget(note)
    empty = note.minimumHeight()
    note.setText("one line\nand another")
    assert note.property("role") == "muted"
    assert note.sizeHint().height() <= note.minimumHeight() == empty < 3 * note.fontMetrics().lineSpacing()


def test_a_dialog_of_fields_is_closed_by_its_button(qtbot: QtBot) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    close_button(dialog).click()
    assert dialog.result() == QDialog.DialogCode.Accepted


# --- Long work under way: what ends it, and what does not ----------------------------------------


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


def test_the_click_that_brings_the_keyboard_chooses_all_of_an_editable_choice(qtbot: QtBot) -> None:
    window, other, choice = QWidget(), QLineEdit(), QComboBox()
    qtbot.addWidget(window)
    choice.setEditable(True)
    choice.setLineEdit(WholeField())
    choice.setEditText("H77X")
    column(other, choice, on=window)
    window.show()
    window.activateWindow()
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    field = choice.lineEdit()
    qtbot.mouseClick(field, Qt.MouseButton.LeftButton, pos=QPoint(20, 8))
    assert field.selectedText() == "H77X"
    qtbot.mouseClick(field, Qt.MouseButton.LeftButton, pos=QPoint(20, 8))
    assert field.selectedText() == ""
