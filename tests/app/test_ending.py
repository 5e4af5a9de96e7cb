"""A window that is ended from outside hears of it as a signal of Qt, and everything is as before once it is closed."""

import signal

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.ending import ENDS, EndAsked


@pytest.mark.parametrize("name", [name for name in ENDS if hasattr(signal, name)])
def test_each_way_to_end_a_program_is_told_once(qtbot: QtBot, name: str) -> None:
    before = {each: signal.getsignal(getattr(signal, each)) for each in ENDS if hasattr(signal, each)}
    ending = EndAsked()
    told: list[None] = []
    ending.asked.connect(lambda: told.append(None))
    with qtbot.waitSignal(ending.asked):
        signal.raise_signal(getattr(signal, name))
    signal.raise_signal(getattr(signal, name))
    qtbot.wait(1)
    assert ending.is_asked and len(told) == 1
    ending.close()
    assert {each: signal.getsignal(getattr(signal, each)) for each in before} == before
