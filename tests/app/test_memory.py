"""Full garbage collections keep out of the way of gestures."""

import gc
from collections.abc import Iterator
from types import SimpleNamespace
from weakref import ref

import pytest
from PySide6.QtCore import QObject, Qt, Signal

from gpuplanner.app.background import Tidying


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


@pytest.mark.long
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


@pytest.mark.long
def test_no_full_collection_comes_by_itself_and_one_comes_while_the_planner_is_elsewhere(
    qapp: object,
) -> None:
    told = Told()
    tidying = Tidying(told)
    seen: list[int] = []

    def watch(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            seen.append(info["generation"])

    gc.callbacks.append(watch)
    try:
        kept = [[number] for number in range(200_000)]
        assert 2 not in seen and 1 in seen and len(kept) == 200_000
        told.is_settled = False
        tidying.collect_when_elsewhere(Qt.ApplicationState.ApplicationInactive)
        told.is_settled = True
        tidying.collect_when_elsewhere(Qt.ApplicationState.ApplicationActive)
        assert 2 not in seen
        tidying.collect_when_elsewhere(Qt.ApplicationState.ApplicationInactive)
        assert 2 in seen
    finally:
        gc.callbacks.remove(watch)


@pytest.mark.long
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
