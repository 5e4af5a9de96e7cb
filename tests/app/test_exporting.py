"""Exporting in a thread: ends in one way, and the path chooses the format."""

from pathlib import Path
from threading import Event
from typing import Any

from pytestqt.qtbot import QtBot

from gpuplanner.app.exporting import Exporter
from tests.domain import worlds
from tests.files.workbook.evaluations import two_clusters_evaluated


def ends_of(exporter: Exporter) -> list[tuple[str, Any]]:
    ends: list[tuple[str, Any]] = []
    exporter.written.connect(lambda path: ends.append(("written", path)))
    exporter.failed.connect(lambda error: ends.append(("failed", error)))
    return ends


def test_the_workbook_is_written_with_what_was_given(qtbot: QtBot) -> None:
    given: list[Any] = []
    exporter = Exporter(lambda *arguments: given.extend(arguments[:3]))
    ends = ends_of(exporter)
    evaluation: Any = object()
    exporter.start(evaluation, Path("plan.xlsx"), 17)
    qtbot.waitUntil(lambda: ends == [("written", Path("plan.xlsx"))])
    assert given == [evaluation, Path("plan.xlsx"), 17]
    exporter.close()


def test_a_failure_is_told(qtbot: QtBot) -> None:
    def fail(*_: object) -> None:
        raise OSError("open in another program")

    exporter = Exporter(fail)
    ends = ends_of(exporter)
    exporter.start(None, Path("plan.xlsx"), 0)  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: bool(ends))
    assert [how for how, _ in ends] == ["failed"]
    exporter.close()


def test_of_a_cancelled_export_nothing_more_is_heard(qtbot: QtBot) -> None:
    go_on = Event()

    def slow(*_: object) -> None:
        go_on.wait()

    exporter = Exporter(slow)
    ends = ends_of(exporter)
    exporter.start(None, Path("plan.xlsx"), 0)  # type: ignore[arg-type]
    exporter.cancel()
    go_on.set()
    exporter.close()
    qtbot.wait(10)
    assert ends == [] and not exporter.is_busy


def test_the_writer_can_see_that_its_work_is_cancelled(qtbot: QtBot) -> None:
    begun, go_on = Event(), Event()
    seen: list[bool] = []

    def write(*given: Any) -> None:
        is_cancelled = given[4]
        seen.append(is_cancelled())
        begun.set()
        go_on.wait()
        seen.append(is_cancelled())

    exporter = Exporter(write)
    exporter.start(None, Path("plan.xlsx"), 0)  # type: ignore[arg-type]
    begun.wait()
    exporter.cancel()
    go_on.set()
    exporter.close()
    assert seen == [False, True]


def test_a_path_that_ends_in_csv_is_for_focus_rows(qtbot: QtBot, tmp_path: Path) -> None:
    exporter = Exporter()
    ends = ends_of(exporter)
    evaluation = two_clusters_evaluated()
    exporter.start(evaluation, tmp_path / "rows.CSV", 0)
    qtbot.waitUntil(lambda: bool(ends), timeout=60_000)
    assert ends == [("written", tmp_path / "rows.CSV")]
    rows = (tmp_path / "rows.CSV").read_text(encoding="utf-8").splitlines()
    assert evaluation.advice is not None
    assert len(rows) == 1 + len(evaluation.advice.orders) + 1, "and the line that leads to the plan"
    exporter.close()


def test_a_path_that_ends_in_ics_is_for_deadlines(qtbot: QtBot, tmp_path: Path) -> None:
    exporter = Exporter()
    ends = ends_of(exporter)
    exporter.start(worlds.plan(), tmp_path / "d.ICS", worlds.PLAN_S)
    qtbot.waitUntil(lambda: bool(ends), timeout=60_000)
    assert ends == [("written", tmp_path / "d.ICS")]
    assert (tmp_path / "d.ICS").read_bytes().startswith(b"BEGIN:VCALENDAR\r\n")
    exporter.close()
