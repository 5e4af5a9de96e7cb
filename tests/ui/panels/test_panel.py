"""What is so of every panel: drawn only while it is seen, colours."""

from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.domain.message import worded
from gpuplanner.ui.frame.panel_docks import FRONT_AT_FIRST, PANELS, keys_of_panel
from gpuplanner.ui.kit.theme import DARK, LIGHT, Palette
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.tables.figure_table import FigureTable
from tests.ui.sample_world import evaluation_of, sample_project


class Own(Panel):
    """Writes down what it is asked to do."""

    about = About("own", worded("Own"))

    def build(self) -> None:
        self.done = ["build"]
        self.table = FigureTable("Rows", self._palette)
        self.fill(self.table)

    def draw(self, shown: ViewState) -> None:
        self.done.append("draw")

    def recolour(self, palette: Palette) -> None:
        self.done.append(palette.name)


@pytest.fixture
def panel(qtbot: QtBot) -> Own:
    made = Own(LIGHT)
    qtbot.addWidget(made)
    return made


@pytest.fixture(scope="module")
def shown() -> Any:
    project = sample_project()
    return next_view_state(None, evaluation_of(project, project.scenarios[0].name))


def test_it_is_drawn_only_while_it_is_seen(panel: Own, shown: ViewState) -> None:
    assert panel.done == ["build", "light"]
    panel.show_state(shown)
    panel.show_palette(DARK)
    assert panel.done == ["build", "light", "dark"]
    panel.show()
    assert panel.done == ["build", "light", "dark", "draw"]
    panel.show_state(shown)
    panel.show_palette(LIGHT)
    panel.hide()
    panel.show_state(shown)
    assert panel.done == ["build", "light", "dark", "draw", "draw", "light", "draw"]


def test_tables_take_other_colours_by_themselves(panel: Own, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Palette] = []
    monkeypatch.setattr(panel.table, "show_palette", told.append)
    panel.show_palette(DARK)
    assert told == [DARK]


def test_what_panels_say_of_themselves_is_of_one_kind_each() -> None:
    names = [kind.about.name for kind in PANELS]
    keys = [keys_of_panel(kind) for kind in PANELS]
    assert len(set(names)) == len(names) and len(set(keys)) == len(keys)
    assert {kind.about.beside for kind in PANELS} == {"", *FRONT_AT_FIRST}
