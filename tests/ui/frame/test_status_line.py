"""The line at the foot of the window: what it says of the price book's days."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.ui.frame.status_line import StatusLine, facts, prices_as_of
from gpuplanner.ui.state.view_state import next_view_state
from tests.ui.sample_world import evaluation_of, sample_project


def project_of(*days: str | None) -> Any:
    offers = [
        Offer(
            offer_id=f"o{at}",
            gpu_model="H100",
            pricing_category=PricingCategory.STANDARD,
            term_months=0,
            rate_usd_per_gpu_hour=None,
            as_of=day,
        )
        for at, day in enumerate(days)
    ]
    return SimpleNamespace(offers=offers)


@pytest.mark.parametrize(
    ("days", "words"),
    [
        ((), "No prices yet"),
        ((None,), "Prices without a date"),
        (("2026-10-01", None, "2026-10-01"), "Prices as of 1 Oct 2026"),
        (("2026-10-01", "2025-03-02", "2026-07-30"), "Prices of 2 Mar 2025 to 1 Oct 2026"),
        (("spring",), "Prices as of spring"),
    ],
)
def test_prices_say_their_oldest_and_newest_day(days: tuple[str | None, ...], words: str) -> None:
    assert prices_as_of(project_of(*days)) == words


def test_gpus_in_contracts_are_those_in_force() -> None:
    project = sample_project()
    held = sum(one.gpus for one in project.contracts)
    first, *others = project.contracts
    over = replace(first, end_s=project.window.end_s)
    for contracts, gpus in (((first, *others), held), ((over, *others), held - first.gpus)):
        assert f"{gpus:.0f} GPUs in contracts" in facts(replace(project, contracts=contracts))[-1]


def test_where_there_is_no_room_the_days_of_prices_go_and_the_checks_stay(qtbot: QtBot) -> None:
    line, project = StatusLine(), sample_project()
    qtbot.addWidget(line)
    line.show_state(next_view_state(None, evaluation_of(project, project.scenarios[0].name)))
    line.show()
    assert not line.amber.isHidden()
    for width, has_days in ((2000, True), (line.minimumSizeHint().width() + 20, False), (2000, True)):
        line.resize(width, line.height())
        QApplication.processEvents()
        assert line.width() == width and bool(line.prices.text().strip()) is has_days
        assert line.amber.geometry().right() <= width
    line.show_nothing()
    QApplication.processEvents()
    assert line.prices.text().strip()
