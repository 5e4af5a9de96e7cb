"""What is so of every panel: drawn only while it is seen, colours."""

from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.domain.message import worded
from gpuplanner.ui.frame.panel_docks import FRONT_AT_FIRST, PANELS, keys_of_panel
from gpuplanner.ui.kit.palettes import DARK, LIGHT, in_use
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from tests.ui.fake_app import recoloured
from tests.ui.sample_world import evaluation_of, sample_project


class Own(Panel):
    """Writes down what it is asked to do."""

    about = About(name="own", title=worded("Own"))

    def build(self) -> None:
        self.done = ["build"]
        self.table = FigureTable("Rows")
        self.fill(self.table)

    def draw(self, shown: ViewState) -> None:
        self.done.append("draw")

    def recolour(self) -> None:
        self.done.append(in_use().name)
        super().recolour()


@pytest.fixture
def panel(qtbot: QtBot) -> Own:
    made = Own()
    qtbot.addWidget(made)
    return made


@pytest.fixture(scope="module")
def shown() -> Any:
    project = sample_project()
    return next_view_state(None, evaluation_of(project, project.scenarios[0].name))


def test_it_is_drawn_only_while_it_is_seen(panel: Own, shown: ViewState) -> None:
    assert panel.done == ["build"]
    panel.show_state(shown)
    recoloured(panel, DARK)
    assert panel.done == ["build", "dark"]
    panel.show()
    assert panel.done == ["build", "dark", "draw"]
    panel.show_state(shown)
    recoloured(panel, LIGHT)
    panel.hide()
    panel.show_state(shown)
    assert panel.done == ["build", "dark", "draw", "draw", "light", "draw"]


def test_tables_take_other_colours_by_themselves(panel: Own) -> None:
    column = Column(title="Model")
    panel.table.show_rows([column], [Row((Cell(text="H100"),))])
    panel.resize(300, 200)
    grounds = []
    for palette in (LIGHT, DARK):
        recoloured(panel, palette)
        grounds.append(panel.table.viewport().grab().toImage())
    assert grounds[0] != grounds[1]


def test_what_panels_say_of_themselves_is_of_one_kind_each() -> None:
    names = [kind.about.name for kind in PANELS]
    keys = [keys_of_panel(kind) for kind in PANELS]
    assert len(set(names)) == len(names) and len(set(keys)) == len(keys)
    assert {kind.about.beside for kind in PANELS} == {"", *FRONT_AT_FIRST}
