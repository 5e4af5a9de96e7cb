"""Full garbage collections keep out of the way of gestures; what work freed goes back to the system."""

import gc
from collections.abc import Iterator
from types import SimpleNamespace
from weakref import ref

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from gpuplanner.app import background
from gpuplanner.app.tidying import Tidying


class Told(QObject):
    evaluated = Signal(object)
    is_settled = True


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    thresholds, was_on, was_frozen = gc.get_threshold(), gc.isenabled(), gc.get_freeze_count() > 0
    gc.enable()
    gc.unfreeze()
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)
    if (
        was_frozen
    ):  # the run sets aside what was collected: the tests after these are not to look through it again
        gc.freeze()
    if not was_on:
        gc.disable()


def test_what_an_import_left_is_set_aside_once_and_not_before_it_is_evaluated(qapp: object) -> None:
    told = Told()
    tidying = Tidying(told)
    cube = object()
    told.evaluated.emit(SimpleNamespace(outlook=None, project=SimpleNamespace(cube=cube)))
    assert gc.get_freeze_count() == 0
    told.evaluated.emit(SimpleNamespace(outlook=1, project=SimpleNamespace(cube=cube)))
    count = gc.get_freeze_count()
    assert count > 0
    gc.unfreeze()
    told.evaluated.emit(
        SimpleNamespace(outlook=1, project=SimpleNamespace(cube=cube))
    )  # a gesture: the same cube
    assert gc.get_freeze_count() == 0
    told.evaluated.emit(SimpleNamespace(outlook=1, project=SimpleNamespace(cube=object())))
    assert gc.get_freeze_count() > 0
    assert tidying is not None


def test_only_the_event_loop_collects_and_all_while_the_planner_is_elsewhere(qtbot: QtBot) -> None:
    told = Told()
    tidying = Tidying(told)
    seen: list[int] = []

    def watch(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            seen.append(info["generation"])

    gc.callbacks.append(watch)
    try:
        kept = [[number] for number in range(200_000)]
        assert not seen and len(kept) == 200_000  # Qt may hold a lock, and this may be a thread
        qtbot.waitUntil(lambda: bool(seen))
        assert 2 not in seen
        told.is_settled = False
        tidying.collect_when_elsewhere(Qt.ApplicationState.ApplicationInactive)
        told.is_settled = True
        tidying.collect_when_elsewhere(Qt.ApplicationState.ApplicationActive)
        assert 2 not in seen
        tidying.collect_when_elsewhere(Qt.ApplicationState.ApplicationInactive)
        assert 2 in seen
    finally:
        gc.callbacks.remove(watch)


def test_circles_that_were_set_aside_go_once_the_planner_is_elsewhere(qapp: object) -> None:
    class Circle:
        pass

    told = Told()
    tidying = Tidying(told)
    circle = Circle()
    circle.itself = circle  # type: ignore[attr-defined]
    gone = ref(circle)
    told.evaluated.emit(SimpleNamespace(outlook=1, project=SimpleNamespace(cube=object())))
    del circle
    gc.collect()
    assert gone() is not None
    tidying.collect_when_elsewhere(Qt.ApplicationState.ApplicationInactive)
    assert gone() is None and gc.get_freeze_count() > 0


def test_what_any_work_freed_goes_back_soon_but_not_while_a_button_is_held(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, held = list[int](), [Qt.MouseButton.LeftButton]
    monkeypatch.setattr("gpuplanner.app.tidying.give_memory_back", lambda: given.append(1))
    monkeypatch.setattr(QGuiApplication, "mouseButtons", lambda: held[0])
    tidying, work = Tidying(Told()), background.Background(lambda error: None)
    with qtbot.waitSignal(tidying.freed.timeout):
        work.run(lambda: 1, lambda answer: None)
    assert not given
    held[0] = Qt.MouseButton.NoButton
    qtbot.waitUntil(lambda: given == [1])
    work.close()
