"""Small dialogs: as high as their words need, and no higher."""

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.ui.kit.message import Question


@pytest.mark.parametrize("words", [3, 20, 80])
def test_a_question_is_as_high_as_its_words(qtbot: QtBot, words: int) -> None:
    question = Question(None, "Unsaved work was found", "word " * words, ("Discard it", "Recover it"))
    qtbot.addWidget(question)
    question.show()
    qtbot.waitExposed(question)
    assert question.height() == question.layout_.totalHeightForWidth(question.width())
