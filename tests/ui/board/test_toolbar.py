"""Above the columns: the amount that makes them add up to the plan stays while there is room for it."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpuplanner.domain.commitment.result import IdleExisting
from gpuplanner.ui.board.toolbar import SEARCH_NARROW, BoardToolbar
from gpuplanner.ui.kit.style_sheet import apply_palette
from gpuplanner.ui.kit.theme import LIGHT
from gpuplanner.ui.state.view_state import next_view_state
from tests.ui.sample_world import evaluation_of, sample_project

PROJECT = sample_project()
SHOWN = next_view_state(None, evaluation_of(PROJECT, PROJECT.scenarios[0].name))
AMOUNT = "$144,872"
IDLE = (
    IdleExisting("A100", 39.3, None, 41_563.0),
    IdleExisting("H100", 27.5, None, 61_618.0),
    IdleExisting("H200", 15.9, None, 41_691.0),
)


@pytest.fixture
def toolbar(qapp: QApplication, qtbot: QtBot) -> BoardToolbar:
    apply_palette(qapp, LIGHT)  # widths are those of our own type and buttons
    bar = BoardToolbar(LIGHT)
    qtbot.addWidget(bar)
    assert SHOWN.advice is not None
    bar.show_idle(replace(SHOWN, advice=replace(SHOWN.advice, pools=(), idle_existing=IDLE)))
    bar.resize(1400, 38)
    bar.show()
    return bar


def test_what_stands_idle_is_said_at_every_width_or_in_few_words(toolbar: BoardToolbar) -> None:
    assert toolbar.idle.text() == f"+ {AMOUNT} idle existing contracts"
    wide = toolbar.search.width()
    said = set()
    for width in range(1400, 700, -20):
        toolbar.resize(width, 38)
        if toolbar.idle.isVisibleTo(toolbar):
            said.add(toolbar.idle.text())
            toolbar.layout().activate()
            assert toolbar.idle.width() >= toolbar.idle.sizeHint().width()
        assert SEARCH_NARROW <= toolbar.search.width() <= wide
        if width >= 760:
            assert toolbar.idle.isVisibleTo(toolbar), width
    assert said == {f"+ {AMOUNT} idle existing contracts", f"+ {AMOUNT} idle existing", f"+ {AMOUNT} idle"}
    assert not any("unused" in text for text in said)  # the headline's Unused is another amount
    assert toolbar.idle.accessibleName() == f"+ {AMOUNT} idle existing contracts"
