"""A card that hovers promises the headline that its drop brings, in a window with a real engine."""

import pytest
from PySide6.QtWidgets import QApplication

from gpuplanner.domain.commitment.plan.comparison import Horizon, plan_usd_in
from gpuplanner.domain.model.amounts import whole_change
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.cards.model import SLOT_ROLE, Slot
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words.lanes import Lane
from gpuplanner.ui.words.plan_changes import PENDING, in_period
from tests.ui.plans_world import KEYS, opened_again, plans_project, settle, wait_until

PROJECT = plans_project()
TRAIN = KEYS[2]


@pytest.fixture
def planner(shared: MainWindow, qapp: QApplication) -> MainWindow:
    opened_again(shared, PROJECT)
    qapp.processEvents()
    settle(shared)
    return shared


def slot(planner: MainWindow) -> Slot:
    model = planner.board.columns[Lane.BURST].model
    found = model.index(model.slot_row).data(SLOT_ROLE)
    assert isinstance(found, Slot)
    return found


def spend(planner: MainWindow, horizon: Horizon) -> float:
    shown = planner.session.view_state
    assert shown is not None and shown.advice is not None
    usd = plan_usd_in(shown.advice, horizon)
    assert usd is not None
    return usd


def test_a_hover_promises_the_headline_of_the_drop_in_each_period(planner: MainWindow) -> None:
    column = planner.board.columns[Lane.BURST]
    said, before = {}, {}
    for horizon in Horizon:
        planner.choose_horizon(horizon)
        column.begin_hover((TRAIN,))
        wait_until(lambda: slot(planner).change != PENDING)
        said[horizon], before[horizon] = slot(planner).change, spend(planner, horizon)
        column.end_hover()
    planner.board.workloads_moved.emit((TRAIN,), Pool.BURST)
    settle(planner)
    changes = {horizon: whole_change(before[horizon], spend(planner, horizon)) for horizon in Horizon}
    assert changes[Horizon.TWELVE_MONTHS] != changes[Horizon.NEXT_MONTH]  # else a hover of one month would do
    assert said == {horizon: in_period(horizon, change or 0) for horizon, change in changes.items()}
