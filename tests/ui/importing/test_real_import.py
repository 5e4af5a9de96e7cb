"""An import with a real keyboard: chosen in the file dialog, taken in with one key, and what the file says after."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from gpuplanner.files.project.project_file import open_project
from tests.ui.real_screen import Screen, application_on, needs_x11, wait_for

CONTRACT = (
    "contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end\n"
    "from-the-keyboard,atlas,H100,8,2.75,2026-01-01,2027-01-01\n"
)


def contracts_on_file(path: Path) -> set[str]:
    return {contract.contract_id for contract in open_project(path).contracts}


@pytest.mark.long
@needs_x11
def test_a_file_is_imported_with_the_keyboard_alone(
    screen: Screen, qapp: QApplication, real_sample: Path, tmp_path: Path
) -> None:
    more = tmp_path / "in" / "more.csv"
    more.parent.mkdir()
    more.write_text(CONTRACT)
    before = contracts_on_file(real_sample)
    with application_on(screen, real_sample) as running:
        chooser = running.opened_by("ctrl+i", "Import files", again_after_s=1)
        screen.do("windowfocus", chooser, "sleep", 0.5, "type", "--delay", 5, str(more))
        screen.do("key", "Return")
        screen.do("windowfocus", running.shown("^Import$"))

        def is_taken_in() -> bool:
            """Enter does nothing before the file is read, and afterwards takes it in."""
            screen.do("key", "Return", "sleep", 0.5)
            return not running.visible("^Import$")

        wait_for("the file to be taken in", is_taken_in)
        wait_for("a changed project", lambda: running.is_changed)
        running.save()
        assert contracts_on_file(real_sample) == before | {"from-the-keyboard"}
