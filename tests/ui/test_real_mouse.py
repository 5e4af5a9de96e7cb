"""The installed application as a planner meets it: a real window, a real mouse, and what the saved file says after."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings
from PySide6.QtWidgets import QApplication

from gpuplanner.app.settings import Settings
from gpuplanner.files.project_file import open_project
from gpuplanner.ui.application import build, settle
from gpuplanner.ui.lanes import Lane
from gpuplanner.ui.main_window import MainWindow
from gpuplanner.ui.style_sheet import apply_palette
from gpuplanner.ui.theme import LIGHT

SIZE = (1280, 800)
NOW_S = 1_790_000_000
PATIENCE_S = 60.0
MOUSE_STEPS = 12
TRIES = 3  # a slow machine may not show the cards yet when the first drag begins


def installed_program() -> list[str]:
    """The program as `pip install` put it there; the module where the tests run without an installation."""
    program = Path(sys.executable).with_name("gpuplanner")
    return [str(program)] if program.exists() else [sys.executable, "-m", "gpuplanner"]


def wait_for(what: str, is_so: Callable[[], object]) -> object:
    """The first true answer. Fails with `what` when patience is over."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if answer := is_so():
            return answer
        time.sleep(0.1)
    return pytest.fail(f"waited {PATIENCE_S:g} s for {what}")


@dataclass
class Screen:
    """A virtual screen with a mouse and a keyboard."""

    xdotool: str
    environment: dict[str, str]

    def do(self, *words: object) -> str:
        done = subprocess.run(
            [self.xdotool, *map(str, words)],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        return done.stdout.strip()

    def drag(self, source: QPoint, target: QPoint) -> None:
        """Press, move in small steps as a hand does, pause over the target, let go."""
        self.do("mousemove", source.x(), source.y(), "sleep", 0.2, "mousedown", 1, "sleep", 0.1)
        for step in range(1, MOUSE_STEPS + 1):
            place = source + (target - source) * (step / MOUSE_STEPS)
            self.do("mousemove", place.x(), place.y(), "sleep", 0.03)
        self.do("sleep", 0.4, "mouseup", 1)


@pytest.fixture
def screen(need_tool: Callable[[str], str]) -> Iterator[Screen]:
    """A screen of our own, so that no window of whoever runs the tests is in the way."""
    xdotool, xvfb = need_tool("xdotool"), need_tool("Xvfb")
    read_end, write_end = os.pipe()
    server = subprocess.Popen(
        [xvfb, "-displayfd", str(write_end), "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-nolisten", "tcp"],
        pass_fds=(write_end,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write_end)
    with os.fdopen(read_end) as said:
        display = f":{said.readline().strip()}"
    environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": "1"}
    environment.pop("WAYLAND_DISPLAY", None)
    yield Screen(xdotool, environment)
    server.terminate()
    server.wait(timeout=10)


@dataclass(frozen=True)
class Places:
    """Where the mouse has to go, and what it takes there; in pixels of the window."""

    key: str
    card: QPoint
    column: QPoint


@contextmanager
def window_of_this_process(path: Path, folder: Path) -> Iterator[MainWindow]:
    """A settled window on a project, of the size of the one under the mouse: it tells where things stand."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_palette(application, LIGHT)
    settings = Settings(QSettings(str(folder / "places.ini"), QSettings.Format.IniFormat))
    window, flow, document = build(settings, LIGHT, NOW_S)
    window.resize(*SIZE)
    window.show()
    document.load(open_project(path), path)
    settle(window, application, [])
    try:
        yield window
    finally:
        flow.leave_quietly()
        window.close()


def places_in_window(path: Path, folder: Path) -> Places:
    """The dearest inference card and the middle of Burst, found in a window of the same size in this process."""
    with window_of_this_process(path, folder) as window:
        board = window.board
        source, target = board.columns[Lane.INFERENCE], board.columns[Lane.BURST]
        index = source.model.index(0)
        card = source.cards.viewport().mapTo(window, source.cards.visualRect(index).center())
        return Places(source.model.cards[0].key, card, target.mapTo(window, target.rect().center()))


def pool_on_file(program: list[str], path: Path, key: str) -> str:
    """Where the command line finds a workload of a saved project."""
    said = subprocess.run(
        [*program, "audit", str(path), "--json"], capture_output=True, timeout=120, check=True
    )
    (row,) = [row for row in json.loads(said.stdout)["workloads"] if row["key"] == key]
    return row["pool"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the virtual screen is X11's")
def test_a_card_dropped_with_a_real_mouse_is_in_its_new_pool_on_file(
    screen: Screen, qapp: QApplication, tmp_path: Path
) -> None:
    program = installed_program()
    demo = tmp_path / "demo"
    subprocess.run([*program, "demo", str(demo)], check=True, capture_output=True, timeout=180)
    path = demo / "demo.gpuplan"
    places = places_in_window(path, tmp_path)
    assert pool_on_file(program, path, places.key) == "inference"
    before = path.read_bytes()

    window = subprocess.Popen(
        [*program, str(path)], env=screen.environment, stderr=subprocess.PIPE, text=True
    )
    try:
        found = wait_for("the window", lambda: screen.do("search", "--onlyvisible", "--name", "demo"))
        window_id = str(found).splitlines()[-1]
        screen.do("windowmove", window_id, 0, 0, "windowsize", window_id, *SIZE, "windowfocus", window_id)
        for _ in range(TRIES):
            time.sleep(4)  # audit, advice and outlook settle; nothing outside tells when
            screen.drag(places.card, places.column)
            time.sleep(1)
            if "*" in screen.do("getwindowname", window_id):
                break
        wait_for("a changed project", lambda: "*" in screen.do("getwindowname", window_id))
        screen.do("windowfocus", window_id, "key", "ctrl+s")
        wait_for("the saved file", lambda: path.read_bytes() != before)
        wait_for("a saved project", lambda: "*" not in screen.do("getwindowname", window_id))
        assert pool_on_file(program, path, places.key) == "burst"

        screen.do("windowfocus", window_id, "key", "ctrl+z")
        wait_for("the undone move", lambda: "*" in screen.do("getwindowname", window_id))
        screen.do("windowfocus", window_id, "key", "ctrl+s")
        wait_for("the saved file", lambda: "*" not in screen.do("getwindowname", window_id))
        assert pool_on_file(program, path, places.key) == "inference"
        assert window.poll() is None, window.stderr.read() if window.stderr else ""
    finally:
        window.terminate()
        window.communicate(timeout=20)


def edge_in_window(path: Path, folder: Path) -> tuple[QPoint, int]:
    """The handle of the longest layer that is shown first, found as above, and GPUs of the layer."""
    with window_of_this_process(path, folder) as window:
        QApplication.processEvents()
        handles = window.docks.duration.chart.handles
        handle = handles[max(handles)]
        return handle.mapTo(window, handle.rect().center()), handle.level


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the virtual screen is X11's")
def test_an_edge_dragged_with_a_real_mouse_is_a_level_on_file_and_one_undo_takes_it_back(
    screen: Screen, qapp: QApplication, tmp_path: Path
) -> None:
    program = installed_program()
    demo = tmp_path / "demo"
    subprocess.run([*program, "demo", str(demo)], check=True, capture_output=True, timeout=180)
    path = demo / "demo.gpuplan"
    place, level = edge_in_window(path, tmp_path)
    before = path.read_bytes()

    def levels() -> dict[int, int]:
        (layers,) = open_project(path).scenarios[0].hand_layers.values() or ((),)
        return {layer.term_months: layer.gpus for layer in layers}

    window = subprocess.Popen(
        [*program, str(path)], env=screen.environment, stderr=subprocess.PIPE, text=True
    )
    try:
        found = wait_for("the window", lambda: screen.do("search", "--onlyvisible", "--name", "demo"))
        window_id = str(found).splitlines()[-1]
        screen.do("windowmove", window_id, 0, 0, "windowsize", window_id, *SIZE, "windowfocus", window_id)
        for _ in range(TRIES):
            time.sleep(4)
            screen.drag(place, place - QPoint(0, 12))
            time.sleep(1)
            if "*" in screen.do("getwindowname", window_id):
                break
        wait_for("a changed project", lambda: "*" in screen.do("getwindowname", window_id))
        screen.do("windowfocus", window_id, "key", "ctrl+s")
        wait_for("the saved file", lambda: path.read_bytes() != before)
        wait_for("a saved project", lambda: "*" not in screen.do("getwindowname", window_id))
        assert max(levels().items())[1] > level

        screen.do("windowfocus", window_id, "key", "ctrl+z")
        wait_for("the undone level", lambda: "*" in screen.do("getwindowname", window_id))
        screen.do("windowfocus", window_id, "key", "ctrl+s")
        wait_for("the saved file", lambda: "*" not in screen.do("getwindowname", window_id))
        assert not open_project(path).scenarios[0].hand_layers
        assert window.poll() is None, window.stderr.read() if window.stderr else ""
    finally:
        window.terminate()
        window.communicate(timeout=20)
