"""Every panel has its place in the documentation that comes with the program, and every place is there."""

import re
from pathlib import Path

import pytest

from gpuplanner.charts.kit.document_view import anchor_of
from gpuplanner.files.system.resources import document_path, read_guide_places
from gpuplanner.ui.decisions.page import DecisionsPage
from gpuplanner.ui.frame.panel_docks import PANELS

UI = Path(__file__).resolve().parents[3] / "gpuplanner" / "ui"


def test_every_panel_has_its_place() -> None:
    assert {kind.about.name for kind in PANELS} <= set(read_guide_places())


def test_every_dialog_that_has_a_place_is_there() -> None:
    classes = {
        name
        for source in UI.rglob("*.py")
        for name in re.findall(r"^\s*class (\w+)", source.read_text("utf-8"), re.M)
    }
    assert set(read_guide_places()) <= classes | {kind.about.name for kind in (*PANELS, DecisionsPage)}


@pytest.mark.parametrize(
    "place",
    [
        "README",
        "how-to/fix-missing-figures",
        "questions",
        "window/today",
        "window/board",
        *read_guide_places().values(),
    ],
)
def test_every_place_is_a_page_and_a_heading_of_it(place: str) -> None:
    name, _, anchor = place.partition("#")
    lines = document_path(name).read_text("utf-8").splitlines()
    assert not anchor or anchor in {anchor_of(line.lstrip("# ")) for line in lines if line.startswith("#")}
