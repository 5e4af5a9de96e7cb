"""Work in a thread: answers come back to the window's thread, late ones are dropped, closing waits."""

from collections.abc import Iterator
from threading import Event, get_ident
from weakref import ref

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from gpuplanner.app.background import (
    Background,
    IsCancelled,
    Itself,
    NewestQuestion,
    OnProgress,
    Threaded,
    Worker,
    are_same,
    close_all,
)

# --- Work in a thread: answers come back to the window's thread, late ones are dropped, closing waits


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


def test_a_worker_that_is_done_holds_nothing_of_its_work(heard: Heard) -> None:
    class Large:
        """What a work stands on."""

    large = Large()
    gone = ref(large)
    worker = Worker(1, lambda large=large: None, heard.background._answered)  # type: ignore[misc]
    del large
    worker.run()
    assert gone() is None and worker is not None  # Qt keeps some of them for good


def test_all_that_works_below_a_window_is_closed_with_it(qtbot: QtBot) -> None:
    window, go_on = QObject(), Event()
    services = [Threaded(window), Threaded(QObject(window))]
    for service in services:
        service._background.run(lambda: go_on.wait(20), lambda _: None)
    go_on.set()
    close_all(window)
    assert not any(service.is_busy for service in services)


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


# --- A question that is asked again and again: worked out once, told at once when it is known, and never
# told late


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
