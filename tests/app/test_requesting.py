"""Requests for quote in a thread."""

from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.requesting import Requesting
from gpuplanner.files.request.request import Terms, request_of
from gpuplanner.files.system.resources import read_tables
from tests.files.workbook.evaluations import two_clusters_evaluated


@pytest.mark.long
def test_a_request_is_of_the_plan_and_of_those_who_are_named(qtbot: QtBot, tmp_path: Path) -> None:
    plan, requesting, terms = two_clusters_evaluated(), Requesting(), Terms(buyer="ACME")
    told: list[Any] = []
    requesting.written.connect(told.append)
    requesting.start(plan, tmp_path / "rfq", plan.project.window.end_s, terms, ("Vela",))
    qtbot.waitUntil(lambda: bool(told), timeout=60_000)
    asked = request_of(plan, read_tables(), plan.project.window.end_s, terms)
    assert told[0].request.reference == asked.reference
    assert [path.name for path in told[0].paths] == [f"Vela {asked.reference}.xlsx"]
    requesting.close()
