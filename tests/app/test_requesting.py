"""Requests for quote in a thread."""

from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.requesting import Requesting
from gpuplanner.domain.evaluation import waiting_for
from gpuplanner.files.request.request import UNSAID, asking_of, request_of
from gpuplanner.files.system.resources import read_tables
from tests.files.workbook.evaluations import two_clusters_evaluated


@pytest.mark.long
def test_a_request_is_of_the_plan_that_waits_for_it(qtbot: QtBot, tmp_path: Path) -> None:
    plan, requesting = two_clusters_evaluated(), Requesting()
    asking = asking_of(UNSAID, plan.project.window.end_s, plan.project.offers)
    waits = waiting_for(plan, asking.days)
    assert waiting_for(waits, asking.days) is waits and waits.advice is not None
    told: list[Any] = []
    requesting.written.connect(told.append)
    requesting.start(plan, tmp_path / "rfq", plan.project.window.end_s, UNSAID)
    qtbot.waitUntil(lambda: bool(told), timeout=60_000)
    asked = request_of(waits, read_tables(), plan.project.window.end_s, UNSAID)
    assert told[0].request.reference == asked.reference
    requesting.close()
