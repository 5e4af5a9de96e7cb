"""Plan vs. actual in a thread: answered once, cancelled, and the reason when there is no answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.past.tracking import TrackFiles, Tracking
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import Pool, Tables
from gpuplanner.domain.model.window import iso_utc
from tests.cli.test_plan import JOB_HEADER
from tests.domain.commitment.conftest import START_S, Load, contract, offer
from tests.domain.track.conftest import MONTH, planned

PLAN = planned(
    [Load(pool=Pool.TRAINING, gpus=[10.0] * MONTH)],
    [contract("old", 6, 2.0, 24, MONTH)],
    [offer("od", 0, 5.0)],
)


@pytest.fixture
def tracking() -> Iterator[Tracking]:
    made = Tracking(Tables())
    yield made
    made.close()


def log(folder: Path, from_h: int, gpus: int = 10) -> TrackFiles:
    """GPUs for four hours, some hours after the plan's log began."""
    at = [iso_utc(START_S + 3600 * (from_h + hour)) for hour in (0, 4)]
    path = folder / f"{from_h}.csv"
    path.write_text(JOB_HEADER + f"1,c1,train,H100,{gpus},1,{at[0]},{at[1]},training\n", encoding="utf-8")
    return TrackFiles((str(path),))


@pytest.mark.long
def test_it_reads_and_compares(qtbot: QtBot, tracking: Tracking, tmp_path: Path) -> None:
    files = log(tmp_path, MONTH)
    with qtbot.waitSignal(tracking.answered) as told:
        tracking.ask(PLAN, files)
    assert told.args[0].planned == pytest.approx(4 * 32)
    assert told.args[0].actual == pytest.approx(4 * 32)
    with qtbot.waitSignal(tracking.answered) as again:
        tracking.ask(PLAN, files)
    assert again.args[0] is told.args[0]
    with qtbot.waitSignal(tracking.answered) as anew:
        tracking.ask(PLAN, log(tmp_path, MONTH, gpus=16))
    assert anew.args[0].actual == pytest.approx(4 * (32 - 4 * 5 + 10 * 5))


def test_a_file_that_is_refused_is_never_left_out(qtbot: QtBot, tracking: Tracking, tmp_path: Path) -> None:
    no_contracts = tmp_path / "contracts.csv"
    no_contracts.write_text("colour,taste\nred,sweet\n", encoding="utf-8")
    jobs = log(tmp_path, MONTH).jobs
    with qtbot.waitSignal(tracking.failed) as told:
        tracking.ask(PLAN, TrackFiles(jobs, (str(no_contracts),)))
    assert isinstance(told.args[0], PlannerError) and str(no_contracts) in str(told.args[0])


def test_it_says_why_nothing_came_of_it(qtbot: QtBot, tracking: Tracking, tmp_path: Path) -> None:
    with qtbot.waitSignal(tracking.failed) as told:
        tracking.ask(PLAN, log(tmp_path, 10))
    assert "31 Jan 2026" in str(told.args[0])
    with qtbot.waitSignal(tracking.failed) as told:
        tracking.ask(PLAN, TrackFiles((str(tmp_path / "nowhere.csv"),)))
    assert isinstance(told.args[0], PlannerError) and told.args[0].code == "file_missing"


def test_who_cancels_hears_nothing(qtbot: QtBot, tracking: Tracking, tmp_path: Path) -> None:
    told: list[object] = []
    tracking.answered.connect(told.append)
    tracking.ask(PLAN, log(tmp_path, MONTH))
    tracking.cancel()
    tracking.close()
    assert not tracking.is_busy and told == []
