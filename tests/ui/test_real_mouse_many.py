"""Many cards with a real mouse: a rubber band over two columns, one drag of all of them, and one undo."""

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from gpuplanner.ui.lanes import Lane
from tests.ui.test_real_mouse import (
    MOUSE_STEPS,
    SIZE,
    TRIES,
    Screen,
    installed_program,
    screen,  # noqa: F401 - a fixture
    wait_for,
    window_of_this_process,
)


@dataclass(frozen=True)
class Places:
    """The first card of Training, the second of Inference and the middle of Burst; and the four cards between."""

    first: QPoint
    last: QPoint
    column: QPoint
    keys: frozenset[str]


def places_in_window(path: Path, folder: Path) -> Places:
    with window_of_this_process(path, folder) as window:
        columns = window.board.columns

        def centre(lane: Lane, row: int) -> QPoint:
            view = columns[lane].cards
            return view.viewport().mapTo(window, view.visualRect(view.model().index(row)).center())

        keys = {
            card.key for lane in (Lane.TRAINING, Lane.INFERENCE) for card in columns[lane].model.cards[:2]
        }
        target = columns[Lane.BURST]
        return Places(
            centre(Lane.TRAINING, 0),
            centre(Lane.INFERENCE, 1),
            target.mapTo(window, target.rect().center()),
            frozenset(keys),
        )


def keys_in_burst(program: list[str], path: Path) -> set[str]:
    said = subprocess.run(
        [*program, "audit", str(path), "--json"], capture_output=True, timeout=120, check=True
    )
    return {row["key"] for row in json.loads(said.stdout)["workloads"] if row["pool"] == "burst"}


def draw_band(screen: Screen, begin: QPoint, end: QPoint) -> None:  # noqa: F811 - the value of the fixture
    """Hold Shift, press, move in small steps, let go."""
    screen.do(
        "mousemove", begin.x(), begin.y(), "sleep", 0.2, "keydown", "shift", "mousedown", 1, "sleep", 0.1
    )
    for step in range(1, MOUSE_STEPS + 1):
        place = begin + (end - begin) * (step / MOUSE_STEPS)
        screen.do("mousemove", place.x(), place.y(), "sleep", 0.03)
    screen.do("mouseup", 1, "keyup", "shift", "sleep", 0.3)


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the virtual screen is X11's")
def test_a_band_over_two_columns_and_one_drag_move_all_cards_and_one_undo_brings_them_back(
    screen: Screen,  # noqa: F811 - the fixture
    qapp: QApplication,
    tmp_path: Path,
) -> None:
    program = installed_program()
    demo = tmp_path / "demo"
    subprocess.run([*program, "demo", str(demo)], check=True, capture_output=True, timeout=180)
    path = demo / "demo.gpuplan"
    places = places_in_window(path, tmp_path)
    before, bytes_before = keys_in_burst(program, path), path.read_bytes()
    assert not places.keys & before

    window = subprocess.Popen(
        [*program, str(path)], env=screen.environment, stderr=subprocess.PIPE, text=True
    )
    try:
        found = wait_for("the window", lambda: screen.do("search", "--onlyvisible", "--name", "demo"))
        window_id = str(found).splitlines()[-1]
        screen.do("windowmove", window_id, 0, 0, "windowsize", window_id, *SIZE, "windowfocus", window_id)
        for _ in range(TRIES):
            time.sleep(4)  # audit, advice and outlook settle; nothing outside tells when
            draw_band(screen, places.first, places.last)
            screen.drag(places.last, places.column)
            time.sleep(1)
            if "*" in screen.do("getwindowname", window_id):
                break
        wait_for("a changed project", lambda: "*" in screen.do("getwindowname", window_id))
        screen.do("windowfocus", window_id, "key", "ctrl+s")
        wait_for("the saved file", lambda: path.read_bytes() != bytes_before)
        wait_for("a saved project", lambda: "*" not in screen.do("getwindowname", window_id))
        assert keys_in_burst(program, path) - before == places.keys

        screen.do("windowfocus", window_id, "key", "ctrl+z")
        wait_for("the undone move", lambda: "*" in screen.do("getwindowname", window_id))
        screen.do("windowfocus", window_id, "key", "ctrl+s")
        wait_for("the saved file", lambda: "*" not in screen.do("getwindowname", window_id))
        assert keys_in_burst(program, path) == before
        assert window.poll() is None, window.stderr.read() if window.stderr else ""
    finally:
        window.terminate()
        window.communicate(timeout=20)
