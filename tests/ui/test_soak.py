"""An hour of acts holds level in memory: after the first hundreds nothing more stays of those that come."""

import gc
import os
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from gpuplanner.domain.model.plan_inputs import TODAY
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.ui.kit.theme import PALETTES
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.plans_world import KEYS, plans_project, wait_until

PROJECT = plans_project()
ACTS, WARM = 700, 250
LEVEL_MB = 40.0
"""What the allocator and Qt's own caches may still take over 450 acts; a thousandth of a plan kept by each is more."""


def held_mb() -> float:
    """What the process holds now, not what it once held, MB."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def advised(window: MainWindow) -> None:
    """Wait for the advice of what is shown, as a quick planner does: what comes after it is dropped by the next act."""

    def is_advised() -> bool:
        evaluation = window.session.evaluator.evaluation
        return evaluation is not None and (window.session.scenario == TODAY or evaluation.advice is not None)

    wait_until(is_advised)


def acts_on(window: MainWindow) -> Iterator[Callable[[], object]]:
    """What a planner does over and over: moves, assumptions, undo, other plans, months, panels, palettes, searches."""
    session, number = window.session, 0
    keys, pools, palettes = cycle(KEYS), cycle(POOLS), cycle(PALETTES)
    panels = cycle(("prices", "contracts", "checks", "cost", "duration", "history", "recommendations"))
    while True:
        number += 1
        yield lambda: session.gestures.move((next(keys),), next(pools))
        yield lambda at=number: session.gestures.set_assumption("growth", 0.001 * (at % 50))
        yield lambda: window.docks.show_view(next(panels))
        yield lambda at=number: window.year_bar.slider.setValue(at % 12)
        yield session.document.undo_stack.undo
        yield lambda: window.choose_scenario(TODAY)
        yield lambda at=number: window.choose_scenario(("Plan A", "Plan B")[at % 2])
        yield lambda: window.choose_palette(next(palettes))
        yield lambda at=number: window.board.search.setText("tr" if at % 2 else "")


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what a process holds is read from /proc")
def test_an_hour_of_acts_holds_level(planner: MainWindow, qapp: QApplication) -> None:
    held = list[float]()
    for number, act in zip(range(ACTS), acts_on(planner), strict=False):
        act()
        advised(planner)
        qapp.processEvents()
        if number >= WARM and number % 50 == 0:
            held.append(held_mb())
    assert held[-1] - held[0] < LEVEL_MB, [round(one) for one in held]
