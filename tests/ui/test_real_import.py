"""An import with a real keyboard: chosen in the file dialog, taken in with one key, and what the file says after."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.ui.test_real_mouse import SIZE, Screen, installed_program, screen, wait_for

__all__ = ["screen"]  # a fixture

CONTRACT = (
    "contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end\n"
    "from-the-keyboard,atlas,H100,8,2.75,2026-01-01,2027-01-01\n"
)


def contracts_on_file(program: list[str], path: Path) -> set[str]:
    said = subprocess.run(
        [*program, "audit", str(path), "--json"], capture_output=True, timeout=120, check=True
    )
    return {row["contract_id"] for row in json.loads(said.stdout)["contracts"]}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the virtual screen is X11's")
def test_a_file_is_imported_with_the_keyboard_alone(
    screen: Screen, qapp: QApplication, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    program = installed_program()
    demo, folder = tmp_path / "demo", tmp_path / "in"
    subprocess.run([*program, "demo", str(demo)], check=True, capture_output=True, timeout=180)
    folder.mkdir()
    (folder / "more.csv").write_text(CONTRACT)
    path = demo / "demo.gpuplan"
    before = contracts_on_file(program, path)
    screen.environment["HOME"] = str(tmp_path)  # nothing of whoever runs the tests is read or written
    screen.environment["XDG_CONFIG_HOME"] = screen.environment["XDG_DATA_HOME"] = str(tmp_path / "xdg")
    window = subprocess.Popen(
        [*program, str(path)], env=screen.environment, stderr=subprocess.PIPE, text=True
    )

    def titled(name: str) -> str:
        found = wait_for(f"{name}", lambda: screen.do("search", "--onlyvisible", "--name", name))
        return str(found).splitlines()[-1]

    try:
        main = titled("demo")
        screen.do("windowmove", main, 0, 0, "windowsize", main, *SIZE, "windowfocus", main)
        time.sleep(4)  # audit, advice and outlook settle; nothing outside tells when
        screen.do("windowfocus", main, "key", "ctrl+i")
        chooser = titled("Import files")
        screen.do("windowfocus", chooser, "sleep", 0.5, "type", "--delay", 5, str(folder / "more.csv"))
        screen.do("key", "Return")
        dialog = titled("^Import$")
        screen.do("windowfocus", dialog)

        def is_taken_in() -> bool:
            """Enter does nothing before the file is read, and afterwards takes it in."""
            screen.do("key", "Return", "sleep", 0.5)
            return not screen.do("search", "--onlyvisible", "--name", "^Import$")

        wait_for("the file to be taken in", is_taken_in)
        wait_for("a changed project", lambda: "*" in screen.do("getwindowname", main))
        screen.do("windowfocus", main, "key", "ctrl+s")
        wait_for("a saved project", lambda: "*" not in screen.do("getwindowname", main))
        assert contracts_on_file(program, path) == before | {"from-the-keyboard"}
        assert window.poll() is None, window.stderr.read() if window.stderr else ""
    finally:
        window.terminate()
        window.communicate(timeout=20)
