"""A virtual screen with a real mouse and keyboard, and the installed application on it."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, QSettings
from PySide6.QtWidgets import QApplication

from gpuplanner.app.settings import Settings
from gpuplanner.files.project.project_file import open_project
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.kit.style_sheet import apply_palette
from gpuplanner.ui.window.application import build, settle
from gpuplanner.ui.window.main_window import MainWindow

SIZE = (1280, 800)
NOW_S = 1_790_000_000
PATIENCE_S = 60.0
SETTLING_S = 4  # audit, advice and outlook settle; nothing outside the window tells when
MOUSE_STEPS = 12
TRIES = 3  # a slow machine may not show the cards yet when the first drag begins

needs_x11 = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the virtual screen is X11's")


def installed_program() -> list[str]:
    """The program as `pip install` put it there; the module where the tests run without an installation."""
    program = Path(sys.executable).with_name("gpuplanner")
    return [str(program)] if program.exists() else [sys.executable, "-m", "gpuplanner"]


def audit_on_file(path: Path) -> dict[str, Any]:
    """What the command line says of a saved project."""
    said = subprocess.run(
        [*installed_program(), "audit", str(path), "--json"], capture_output=True, timeout=120, check=True
    )
    document: dict[str, Any] = json.loads(said.stdout)
    return document


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
    memory: Path  # what is seen, as the server keeps it

    def seen(self, place: QRect) -> bytes:
        """The pixels of a place, as they are now. Source: the header of XWDFile.h, of which all numbers are 32 bits."""
        held = self.memory.read_bytes()
        header = np.frombuffer(held, ">u4", 20)
        begins = int(header[0]) + 12 * int(header[19])  # after the table of colours
        width, height, line = int(header[4]), int(header[5]), int(header[12])
        pixels = np.frombuffer(held, np.uint8, line * height, begins).reshape(height, line // 4, 4)[
            :, :width, :3
        ]
        return pixels[place.top() : place.bottom() + 1, place.left() : place.right() + 1].tobytes()

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

    def visible(self, title: str) -> str:
        """The id of a window by a pattern of its title; empty while there is none."""
        return self.do("search", "--onlyvisible", "--name", title).split("\n")[-1]

    def drag(self, source: QPoint, target: QPoint) -> None:
        """Press, move in small steps as a hand does, pause over the target, let go."""
        self.do("mousemove", source.x(), source.y(), "sleep", 0.2, "mousedown", 1, "sleep", 0.1)
        self._move_slowly(source, target)
        self.do("sleep", 0.4, "mouseup", 1)

    def draw_band(self, begin: QPoint, end: QPoint) -> None:
        """Hold Shift, press, move in small steps, let go."""
        self.do("mousemove", begin.x(), begin.y(), "sleep", 0.2, "keydown", "shift")
        self.do("mousedown", 1, "sleep", 0.1)
        self._move_slowly(begin, end)
        self.do("mouseup", 1, "keyup", "shift", "sleep", 0.3)

    def _move_slowly(self, begin: QPoint, end: QPoint) -> None:
        for step in range(1, MOUSE_STEPS + 1):
            place = begin + (end - begin) * (step / MOUSE_STEPS)
            self.do("mousemove", place.x(), place.y(), "sleep", 0.03)


@contextmanager
def own_screen(xdotool: str, xvfb: str, folder: Path) -> Iterator[Screen]:
    """A screen of our own, so that no window of whoever runs the tests is in the way. folder: for what is seen.

    Without -noreset the server starts anew whenever its last client leaves. While we look for a window that is not
    there yet, each look is such a client, and a program that connects in that moment is turned away.
    """
    read_end, write_end = os.pipe()
    where = ["-displayfd", str(write_end), "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-fbdir", str(folder)]
    server = subprocess.Popen(
        [xvfb, *where, "-noreset", "-nolisten", "tcp"], pass_fds=(write_end,), stderr=subprocess.DEVNULL
    )
    os.close(write_end)
    with os.fdopen(read_end) as said:
        display = f":{said.readline().strip()}"
    environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": "1"}
    environment.pop("WAYLAND_DISPLAY", None)
    try:
        yield Screen(xdotool, environment, folder / "Xvfb_screen0")
    finally:
        server.terminate()
        server.wait(timeout=10)


@dataclass(kw_only=True)
class RunningApplication:
    """The application with a project open, as the screen shows it."""

    screen: Screen
    path: Path
    process: "subprocess.Popen[bytes]"
    words_said: Callable[[], str]
    window_id: str = ""

    def shown(self, title: str) -> str:
        """The id of a window once it is there. Fails at once when the program has ended, with what it said."""
        return str(wait_for(f"the window {title}", lambda: self.visible(title)))

    def visible(self, title: str) -> str:
        """The id of a window; empty while there is none. Fails when the program has ended, with what it said."""
        found = self.screen.visible(title)
        if self.process.poll() is not None:
            pytest.fail(f"the program ended with {self.process.returncode}: {self.words_said()}")
        return found

    def opened_by(self, key: str, title: str, again_after_s: float) -> str:
        """The id of a window that a key opens: pressed until it does, for the program may not listen yet.

        again_after_s: long, where a second key would close what the first one opens.
        """

        def opened() -> str:
            self.press(key)
            until = time.monotonic() + again_after_s
            while time.monotonic() < until and not self.visible(title):
                time.sleep(0.1)
            return self.visible(title)

        return str(wait_for(f"the window {title}", opened))

    def press(self, *keys: str) -> None:
        self.screen.do("windowfocus", self.window_id, "key", *keys)

    @property
    def is_changed(self) -> bool:
        """Whether the title tells of edits that are not saved."""
        return "*" in self.screen.do("getwindowname", self.window_id)

    def until_changed(self, gesture: Callable[[], None]) -> None:
        """Repeat a gesture until the project is changed by it."""
        for _ in range(TRIES):
            time.sleep(SETTLING_S)
            gesture()
            time.sleep(1)
            if self.is_changed:
                break
        wait_for("a changed project", lambda: self.is_changed)

    def save(self) -> None:
        before = self.path.read_bytes()
        self.press("ctrl+s")
        wait_for("the saved file", lambda: self.path.read_bytes() != before)
        wait_for("a saved project", lambda: not self.is_changed)

    def undo_and_save(self) -> None:
        self.press("ctrl+z")
        wait_for("the undone edit", lambda: self.is_changed)
        self.save()


@contextmanager
def application_on(
    screen: Screen, path: Path, size: tuple[int, int] = SIZE, *, is_there: bool = True
) -> Iterator[RunningApplication]:
    """Start the installed application with a project, in the corner of the screen; it has to live to the end.

    Its plans are seen as the board, where cards are dragged. is_there: False for an empty window, whose project is
    saved to that path later.
    """
    with tempfile.TemporaryFile() as said:  # a pipe nobody reads would stop it when full

        def words_said() -> str:
            said.seek(0)
            return said.read().decode(errors="replace")

        home = Path(screen.environment["XDG_CONFIG_HOME"])  # of the screen's programs, not of this test
        remembered = QSettings(str(home / "gpuplanner" / "gpuplanner.ini"), QSettings.Format.IniFormat)
        Settings(remembered).plan_view = "board"
        remembered.sync()
        words = [str(path)] if is_there else []
        process = subprocess.Popen([*installed_program(), *words], env=screen.environment, stderr=said)
        running = RunningApplication(screen=screen, path=path, process=process, words_said=words_said)
        try:
            running.window_id = running.shown(path.stem if is_there else "^gpuplanner$")
            window = running.window_id
            screen.do("windowmove", window, 0, 0, "windowsize", window, *size, "windowfocus", window)
            yield running
            assert process.poll() is None, words_said()
        finally:
            process.terminate()
            process.wait(timeout=20)


@contextmanager
def window_of_this_process(path: Path, folder: Path, size: tuple[int, int] = SIZE) -> Iterator[MainWindow]:
    """A settled window on a project, of the size of the one under the mouse: it tells where things stand."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_palette(application, LIGHT)
    settings = Settings(QSettings(str(folder / "places.ini"), QSettings.Format.IniFormat))
    window, flow, document = build(settings, NOW_S)
    window.choose_plan_view("board")
    window.resize(*size)
    window.show()
    document.load(open_project(path), path)
    settle(window, application, [])
    try:
        yield window
    finally:
        flow.leave_quietly()
        window.close()
