"""Presenter mode with a real keyboard: the installed application, on a screen of its own."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from gpuplanner.files.project_file import save_project
from tests.ui.sample_world import sample_project
from tests.ui.test_real_mouse import SIZE, Screen, installed_program, screen, wait_for

__all__ = ["screen"]  # the fixture


def presented(screen: Screen, scene: str) -> str:
    """The id of the window that presents a scene; empty while there is none."""
    return screen.do("search", "--onlyvisible", "--name", f"^{scene}, . of 5").split("\n")[0]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the virtual screen is X11's")
def test_f11_fills_the_screen_keys_change_the_scene_and_escape_leaves(screen: Screen, tmp_path: Path) -> None:
    program = installed_program()
    path = tmp_path / "sample.gpuplan"
    save_project(sample_project(), path)
    window = subprocess.Popen(
        [*program, str(path)], env=screen.environment, stderr=subprocess.PIPE, text=True
    )
    try:
        found = wait_for("the window", lambda: screen.do("search", "--onlyvisible", "--name", "sample"))
        main_id = str(found).splitlines()[-1]

        def opened() -> str:
            """Press until there is something to present, but not again while it opens: that would close it."""
            screen.do("windowfocus", main_id, "key", "F11")
            until = time.monotonic() + 5
            while time.monotonic() < until and not presented(screen, "Audit"):
                time.sleep(0.1)
            return presented(screen, "Audit")

        scene_id = str(wait_for("the first scene", opened))
        geometry = screen.do("getwindowgeometry", "--shell", scene_id).splitlines()
        assert {"X=0", "Y=0", f"WIDTH={SIZE[0]}", f"HEIGHT={SIZE[1]}"} <= set(geometry)
        for key, scene in (("Right", "Board"), ("Next", "Duration"), ("End", "Ask"), ("Prior", "Compare")):
            screen.do("windowfocus", scene_id, "key", key)
            wait_for(f"the scene {scene}", lambda scene=scene: presented(screen, scene))
        screen.do("windowfocus", scene_id, "key", "h", "key", "l", "mousemove", 300, 300, "key", "Escape")
        wait_for("no presentation", lambda: not presented(screen, "Compare"))
        assert screen.do("search", "--onlyvisible", "--name", "sample")
        assert window.poll() is None, window.stderr.read() if window.stderr else ""
    finally:
        window.terminate()
        window.communicate(timeout=20)
