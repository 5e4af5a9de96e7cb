"""Work in a thread: answers come back to the window's thread, late ones are dropped, closing waits."""

from collections.abc import Iterator
from threading import Event, get_ident

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.background import Background, IsCancelled, OnProgress


class Heard:
    """A background with everything that it said."""

    def __init__(self) -> None:
        self.answers: list[object] = []
        self.errors: list[Exception] = []
        self.progress: list[tuple[float, str]] = []
        self.threads: set[int] = set()
        self.background = Background(
            self.errors.append, lambda done, text: self.progress.append((done, text))
        )

    def take(self, answer: object) -> None:
        self.threads.add(get_ident())
        self.answers.append(answer)


@pytest.fixture
def heard(qtbot: QtBot) -> Iterator[Heard]:
    heard = Heard()
    yield heard
    heard.background.close()


def test_the_answer_comes_back_to_this_thread_from_another(heard: Heard, qtbot: QtBot) -> None:
    heard.background.start(lambda progress, cancelled: get_ident(), heard.take)
    assert heard.background.is_busy
    qtbot.waitUntil(lambda: bool(heard.answers))
    assert heard.threads == {get_ident()}
    assert heard.answers != [get_ident()]
    assert not heard.background.is_busy


def test_an_exception_is_told_and_work_goes_on(heard: Heard, qtbot: QtBot) -> None:
    def fail(progress: OnProgress, cancelled: IsCancelled) -> None:
        raise ValueError("no")

    heard.background.start(fail, heard.take)
    qtbot.waitUntil(lambda: bool(heard.errors))
    heard.background.start(lambda progress, cancelled: 1, heard.take)
    qtbot.waitUntil(lambda: heard.answers == [1])
    assert [str(error) for error in heard.errors] == ["no"]


def test_only_the_newest_answer_is_given(heard: Heard, qtbot: QtBot) -> None:
    go_on = Event()

    def slow(progress: OnProgress, cancelled: IsCancelled) -> str:
        go_on.wait()
        assert cancelled()
        return "late"

    heard.background.start(slow, heard.take)
    heard.background.start(lambda progress, cancelled: pytest.fail("never begun"), heard.take)
    heard.background.start(lambda progress, cancelled: "newest", heard.take)
    go_on.set()
    qtbot.waitUntil(lambda: bool(heard.answers))
    qtbot.wait(20)
    assert heard.answers == ["newest"]
    assert heard.errors == []


def test_a_cancelled_error_is_not_told(heard: Heard, qtbot: QtBot) -> None:
    ended = Event()

    def until_cancelled(progress: OnProgress, cancelled: IsCancelled) -> None:
        while not cancelled():
            pass
        ended.set()
        raise ValueError("stopped half-way")

    heard.background.start(until_cancelled, heard.take)
    heard.background.cancel()
    assert not heard.background.is_busy
    assert ended.wait(60)
    qtbot.wait(20)
    assert heard.errors == []


def test_progress_is_told_in_steps(heard: Heard, qtbot: QtBot) -> None:
    def count(progress: OnProgress, cancelled: IsCancelled) -> int:
        for number in range(10_001):
            progress(number / 10_000, f"row {number}")
        return 1

    heard.background.start(count, heard.take)
    qtbot.waitUntil(lambda: heard.answers == [1])
    assert heard.progress[0] == (0.0, "row 0")
    assert heard.progress[-1] == (1.0, "row 10000")
    assert len(heard.progress) < 210


def test_closing_waits_for_the_thread(heard: Heard) -> None:
    begun, ended = Event(), []

    def slow(progress: OnProgress, cancelled: IsCancelled) -> None:
        begun.set()
        while not cancelled():
            pass
        ended.append(True)

    heard.background.start(slow, heard.take)
    assert begun.wait(60)
    heard.background.close()
    assert ended == [True]
