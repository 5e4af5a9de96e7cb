"""The days of decisions on a line of twelve months."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.model.window import DAY_S, instant_s
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.decisions.timeline import DecisionTimeline, DueDay, due_days, month_starts, together
from gpuplanner.ui.words import numbers

TODAY_S = instant_s("2026-12-01T00:00:00Z")


def due(name: str, days: int | None) -> NextDecision:
    by_s = None if days is None else TODAY_S + days * DAY_S
    return NextDecision(decision_id=name, kind="end", subject=name, by_s=by_s)


def test_open_decisions_stand_on_their_day_and_what_is_overdue_on_today() -> None:
    rows = [
        due("late", -9),
        due("today", 0),
        due("soon", 20),
        due("undated", None),
        replace(due("done", 3), is_done=True),
        replace(due("put off", 90), is_postponed=True),
        replace(due("declined", 3), is_in_plan=False),
    ]
    found = due_days(rows, TODAY_S)
    assert [([one.decision_id for one in day.decisions], day.role) for day in found] == [
        (["late", "today"], "red"),
        (["soon"], "amber"),
    ]
    assert found[0].day_s == TODAY_S


def test_circles_that_would_overlap_are_one_with_all_their_decisions() -> None:
    days = [DueDay(day_s=at, decisions=(due(str(at), at),), role="red") for at in range(3)]
    joined = together(days, [0, 19, 39])
    assert [(at, len(day.decisions)) for at, day in joined] == [(0, 2), (39, 1)]


def test_months_begin_on_their_first_day() -> None:
    starts = month_starts(instant_s("2026-11-30T00:00:00Z"), instant_s("2027-02-01T00:00:00Z"))
    assert [numbers.date(at_s) for at_s in starts] == ["1 Dec 2026", "1 Jan 2027"]


def test_a_press_on_a_circle_chooses_its_first_decision(qtbot: QtBot) -> None:
    line = DecisionTimeline()
    qtbot.addWidget(line)
    line.resize(600, line.height())
    line.show_decisions([due("a", 0), due("b", 0), due("c", 180)], TODAY_S, TODAY_S)
    assert "End a, End b" in line.accessibleDescription()
    chosen: list[str] = []
    line.decision_chosen.connect(chosen.append)
    places = [line.rect().center() for _ in line.circles()]
    for place, (at, _) in zip(places, line.circles(), strict=True):
        place.setX(at)
        qtbot.mouseClick(line, Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton, pos=line.rect().topRight())
    assert chosen == ["a", "c"]
