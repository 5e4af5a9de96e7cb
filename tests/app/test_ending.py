"""Ending from outside: a signal of Qt, and handlers are restored afterwards."""

import signal
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.ending import ENDS, EndAsked


@pytest.fixture
def none_ignored() -> Iterator[None]:
    """Every end with a handler: whoever runs the tests may ignore some, as nohup and a background job do."""
    ignored = [
        number
        for each in ENDS
        if hasattr(signal, each) and signal.getsignal(number := getattr(signal, each)) == signal.SIG_IGN
    ]
    for number in ignored:
        signal.signal(number, signal.default_int_handler)
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)


@pytest.mark.usefixtures("none_ignored")
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
