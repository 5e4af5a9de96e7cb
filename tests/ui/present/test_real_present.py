"""Presenter mode with a real keyboard: the installed application, on a screen of its own."""

from pathlib import Path

import pytest

from gpuplanner.files.project.project_file import save_project
from tests.ui.real_screen import SIZE, Screen, application_on, needs_x11, wait_for
from tests.ui.sample_world import sample_project


@pytest.mark.long
@needs_x11
def test_f11_fills_the_screen_keys_turn_the_pages_and_escape_leaves(screen: Screen, tmp_path: Path) -> None:
    path = tmp_path / "sample.gpuplan"
    save_project(sample_project(), path)
    with application_on(screen, path) as running:

        def presented(page: str) -> str:
            return running.visible(f"^{page}, [0-9]+ / [0-9]+")

        page_id = running.opened_by("F11", "^Decisions, 1 / [0-9]+", again_after_s=5)
        geometry = screen.do("getwindowgeometry", "--shell", page_id).splitlines()
        assert {"X=0", "Y=0", f"WIDTH={SIZE[0]}", f"HEIGHT={SIZE[1]}"} <= set(geometry)
        for key, page in (("End", "Sensitivity"), ("Home", "Decisions")):
            screen.do("windowfocus", page_id, "key", key)
            wait_for(f"the page {page}", lambda page=page: presented(page))
        screen.do("windowfocus", page_id, "key", "h", "key", "l", "mousemove", 300, 300, "key", "Escape")
        wait_for("no presentation", lambda: not presented("Decisions"))
        assert running.visible("sample")
