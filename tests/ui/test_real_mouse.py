"""The installed application as a planner meets it: a real window, a real mouse, and what the saved file says after."""

import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gpuplanner.domain import edits
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.project.project_file import open_project, save_project
from gpuplanner.ui.words.lanes import Lane
from tests.ui.real_screen import Screen, application_on, audit_on_file, needs_x11, window_of_this_process


@dataclass(frozen=True)
class Card:
    """Where the mouse has to go, and what it takes there; in pixels of the window."""

    key: str
    place: QPoint
    column: QPoint


def card_in_window(path: Path, folder: Path) -> Card:
    """The dearest inference card and the middle of Burst, found in a window of the same size in this process."""
    with window_of_this_process(path, folder) as window:
        board = window.board
        source, target = board.columns[Lane.INFERENCE], board.columns[Lane.BURST]
        index = source.model.index(0)
        place = source.cards.viewport().mapTo(window, source.cards.visualRect(index).center())
        return Card(source.model.cards[0].key, place, target.mapTo(window, target.rect().center()))


def pool_on_file(path: Path, key: str) -> str:
    """Where the command line finds a workload of a saved project."""
    (row,) = [row for row in audit_on_file(path)["workloads"] if row["key"] == key]
    pool: str = row["pool"]
    return pool


@pytest.mark.long
@needs_x11
def test_a_card_dropped_with_a_real_mouse_is_in_its_new_pool_on_file(
    screen: Screen, qapp: QApplication, real_demo: Path, tmp_path: Path
) -> None:
    card = card_in_window(real_demo, tmp_path)
    assert pool_on_file(real_demo, card.key) == "inference"
    with application_on(screen, real_demo) as running:
        running.until_changed(lambda: screen.drag(card.place, card.column))
        running.save()
        assert pool_on_file(real_demo, card.key) == "burst"
        running.undo_and_save()
        assert pool_on_file(real_demo, card.key) == "inference"


def planned_pool_on_file(path: Path) -> str:
    """Where the one planned work of the first plan of a saved project is planned."""
    (work,) = open_project(path).scenarios[0].planned
    return work.pool.value


@pytest.mark.long
@needs_x11
def test_planned_work_dropped_with_a_real_mouse_is_planned_for_its_new_pool_on_file(
    screen: Screen, qapp: QApplication, real_demo: Path, tmp_path: Path
) -> None:
    project = open_project(real_demo)
    work = PlannedWork(
        name="next", pool=Pool.INFERENCE, gpu_model="H100", gpus=200.0
    )  # the dearest, so it stands first
    save_project(edits.dates.plan_work(project, project.scenarios[0].name, (work,)), real_demo)
    card = card_in_window(real_demo, tmp_path)
    assert card.key == work.key
    with application_on(screen, real_demo) as running:
        running.until_changed(lambda: screen.drag(card.place, card.column))
        running.save()
        assert planned_pool_on_file(real_demo) == "burst"
        running.undo_and_save()
        assert planned_pool_on_file(real_demo) == "inference"


def edge_in_window(path: Path, folder: Path) -> tuple[QPoint, int]:
    """The handle of the longest layer that is shown first, found as above, and GPUs of the layer."""
    with window_of_this_process(path, folder) as window:
        window.docks.turn_maximised("duration")  # in a low panel the chart is below the table
        QTest.qWait(500)
        handles = window.docks.duration.chart.handles
        handle = handles[max(handles)]
        return handle.mapTo(window, handle.rect().center()), handle.level


def levels_on_file(path: Path) -> dict[int, int]:
    """GPUs by term in months that the first plan of a saved project sets by hand."""
    (layers,) = open_project(path).scenarios[0].hand_layers.values() or ((),)
    return {layer.term_months: layer.gpus for layer in layers}


@needs_x11
def test_an_edge_dragged_with_a_real_mouse_is_a_level_on_file_and_one_undo_takes_it_back(
    screen: Screen, qapp: QApplication, real_sample: Path, tmp_path: Path
) -> None:
    place, level = edge_in_window(real_sample, tmp_path)
    with application_on(screen, real_sample) as running:
        time.sleep(2)  # or the keys come before the window listens
        running.press("alt+shift+1")
        running.press("ctrl+m")
        running.until_changed(lambda: screen.drag(place, place - QPoint(0, 12)))
        running.save()
        assert max(levels_on_file(real_sample).items())[1] > level
        running.undo_and_save()
        assert not levels_on_file(real_sample)


def cards_in_window(path: Path, folder: Path) -> tuple[QPoint, QPoint, QPoint, frozenset[str]]:
    """The first card of Training, the second of Inference, the middle of Burst; and keys of the four cards between."""
    with window_of_this_process(path, folder) as window:
        columns = window.board.columns

        def centre(lane: Lane, row: int) -> QPoint:
            view = columns[lane].cards
            return view.viewport().mapTo(window, view.visualRect(view.model().index(row)).center())

        keys = {
            card.key for lane in (Lane.TRAINING, Lane.INFERENCE) for card in columns[lane].model.cards[:2]
        }
        target = columns[Lane.BURST]
        column = target.mapTo(window, target.rect().center())
        return centre(Lane.TRAINING, 0), centre(Lane.INFERENCE, 1), column, frozenset(keys)


def keys_in_burst(path: Path) -> set[str]:
    return {row["key"] for row in audit_on_file(path)["workloads"] if row["pool"] == "burst"}


@pytest.mark.long
@needs_x11
def test_a_band_over_two_columns_and_one_drag_move_all_cards_and_one_undo_brings_them_back(
    screen: Screen, qapp: QApplication, real_demo: Path, tmp_path: Path
) -> None:
    first, last, column, keys = cards_in_window(real_demo, tmp_path)
    before = keys_in_burst(real_demo)
    assert not keys & before

    with application_on(screen, real_demo) as running:

        def band_and_drag() -> None:
            screen.draw_band(first, last)
            screen.drag(last, column)

        running.until_changed(band_and_drag)
        running.save()
        assert keys_in_burst(real_demo) - before == keys
        running.undo_and_save()
        assert keys_in_burst(real_demo) == before
