"""A question that is asked again and again: worked out once, told at once when it is known, and never told late."""

from collections.abc import Iterator
from threading import Event

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.background import Background
from gpuplanner.app.questions.newest_question import Itself, NewestQuestion, are_same


@pytest.fixture
def background(qapp: object) -> Iterator[Background]:
    failed: list[Exception] = []
    made = Background(failed.append)
    yield made
    made.close()
    assert not failed


def test_what_was_answered_last_is_told_at_once_and_worked_out_once(
    qtbot: QtBot, background: Background
) -> None:
    told: list[str] = []
    worked: list[str] = []
    newest = NewestQuestion[str](background, told.append)

    def ask(question: str) -> None:
        newest.ask((question,), lambda on_progress, is_cancelled: worked.append(question) or question.upper())

    ask("a")
    qtbot.waitUntil(lambda: told == ["A"])
    ask("a")
    assert told == ["A", "A"] and worked == ["a"]
    ask("b")
    qtbot.waitUntil(lambda: told[2:] == ["B"])
    ask("a")  # only the last answer is kept
    qtbot.waitUntil(lambda: told[3:] == ["A"])
    assert worked == ["a", "b", "a"]


def test_one_under_way_is_left_alone_and_dropped_for_another(qtbot: QtBot, background: Background) -> None:
    go = Event()
    told: list[str] = []
    worked: list[str] = []
    newest = NewestQuestion[str](background, told.append)

    def slow(on_progress: object, is_cancelled: object) -> str:
        worked.append("slow")
        go.wait(30)
        return "slow"

    newest.ask(("slow",), slow)
    newest.ask(("slow",), slow)
    qtbot.waitUntil(lambda: worked == ["slow"])
    newest.ask(("quick",), lambda on_progress, is_cancelled: "quick")
    go.set()
    qtbot.waitUntil(lambda: bool(told))
    assert told == ["quick"] and worked == ["slow"]


def test_a_part_may_be_the_same_as_itself_alone() -> None:
    one, alike = [1], [1]
    assert are_same((one, 2), (alike, 2))
    assert are_same((Itself(one), 2), (Itself(one), 2))
    assert not are_same((Itself(one), 2), (Itself(alike), 2))
