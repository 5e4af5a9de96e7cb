"""The calendar of deadlines: lines of RFC 5545, and which events of a file that is replaced have changed."""

from dataclasses import replace
from pathlib import Path

import pytest
from icalendar import Calendar, Event

from gpuplanner.domain.commitment.order_days import Deadline
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import instant_s
from gpuplanner.files.calendar import calendar_id, calendar_text, write_calendar
from tests.domain import worlds

DAY_S = instant_s("2026-12-28")
AT_S = instant_s("2026-11-29") + 3661
NOTICE = Deadline("notice:PO-7", DAY_S, "Give notice for PO-7: $8,760 per month")

ONE_EVENT = r"""BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//gpuplanner//deadlines//EN
BEGIN:VEVENT
UID:abc-notice:PO-7
DTSTART;VALUE=DATE:20261228
DTEND;VALUE=DATE:20261229
SUMMARY:Give notice for PO-7: $8\,760 per month
STATUS:CONFIRMED
SEQUENCE:0
DTSTAMP:20261129T010101Z
TRANSP:TRANSPARENT
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Give notice for PO-7: $8\,760 per month
TRIGGER:-P14D
END:VALARM
END:VEVENT
END:VCALENDAR
"""


def events(text: str) -> list[Event]:
    """Return the events of a calendar file."""
    return Calendar.from_ical(text).events


def sequences(text: str) -> list[int]:
    """Return the SEQUENCE of each event."""
    return [int(event["SEQUENCE"]) for event in events(text)]


def test_a_deadline_is_an_all_day_event_with_an_alarm() -> None:
    assert calendar_text([NOTICE], "abc", AT_S) == ONE_EVENT.replace("\n", "\r\n")


def test_text_is_escaped_and_has_no_line_of_its_own() -> None:
    text = calendar_text([NOTICE._replace(words="a;b,c\\d\r\nEND:VEVENT\x07")], "abc", AT_S)
    assert "SUMMARY:a\\;b\\,c\\\\dEND:VEVENT\r\n" in text
    (event,) = events(text)
    assert event["SUMMARY"] == "a;b,c\\dEND:VEVENT"


def test_details_are_the_lines_of_the_description_and_raise_the_sequence() -> None:
    first = calendar_text([NOTICE], "abc", AT_S)
    detailed = NOTICE._replace(details=("Provider: A, B", "GPUs: 8 H100"))
    text = calendar_text([detailed], "abc", AT_S, first)
    (event,) = events(text)
    assert event["DESCRIPTION"] == "Provider: A, B\nGPUs: 8 H100"
    assert sequences(text) == [1]


@pytest.mark.parametrize("letter", ["a", "\u00e9", "\u4e2d", "\U0001f600"])
def test_lines_have_75_octets_at_most_and_unfold_to_what_they_were(letter: str) -> None:
    words = letter * 200
    text = calendar_text([NOTICE._replace(words=words)], "abc", AT_S)
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    (event,) = events(text)
    assert event["SUMMARY"] == words


def test_a_changed_event_has_a_higher_sequence_and_the_others_keep_theirs() -> None:
    other = Deadline("end:K1", DAY_S, "K1 ends")
    first = calendar_text([NOTICE, other], "abc", AT_S)
    assert sequences(first) == [0, 0]
    assert sequences(calendar_text([NOTICE, other], "abc", AT_S + 86_400, first)) == [0, 0]
    later = NOTICE._replace(day_s=DAY_S + 86_400, words="x" * 100)  # a folded line is compared whole
    second = calendar_text([later, other], "abc", AT_S, first)
    assert sequences(second) == [1, 0]
    assert sequences(calendar_text([later, other], "abc", AT_S, second)) == [1, 0]
    assert sequences(calendar_text([NOTICE, other], "abc", AT_S, second)) == [2, 0]
    # another project's events are not these
    assert sequences(calendar_text([NOTICE, other], "def", AT_S, second)) == [0, 0]


SEQUENCE_OF_LETTERS = "BEGIN:VEVENT\nUID:abc-notice:PO-7\nSEQUENCE:x\nEND:VEVENT\n"
TWO_KINDS_OF_VALUE = "BEGIN:VEVENT\nUID:abc-notice:PO-7\nDTSTART;VALUE=DATE,DATE:1\nEND:VEVENT\n"


@pytest.mark.parametrize(
    ("before", "sequence"),
    [
        ("", 0),
        ("not a calendar", 0),
        ("BEGIN:VEVENT\nUID:abc-notice:PO-7\n", 0),
        (TWO_KINDS_OF_VALUE, 0),
        (SEQUENCE_OF_LETTERS, 1),
    ],
)
def test_a_file_that_is_none_of_ours_raises_nothing_but_the_sequence(before: str, sequence: int) -> None:
    assert sequences(calendar_text([NOTICE], "abc", AT_S, before)) == [sequence]


def test_a_calendar_is_written_whole_and_replaced_with_its_sequences(tmp_path: Path) -> None:
    of, path = worlds.plan(), tmp_path / "d.ics"
    write_calendar(of, path, worlds.PLAN_S)
    first = events(path.read_text("utf-8"))
    assert len(first) > 4
    assert all(event["UID"].startswith(calendar_id(of.project)) for event in first)
    write_calendar(of, path, worlds.PLAN_S + 50 * 86_400)
    assert max(sequences(path.read_text("utf-8"))) == 1  # some are overdue now
    with pytest.raises(PlannerError, match="file_unreadable"):
        write_calendar(of, tmp_path / "no" / "d.ics", worlds.PLAN_S)


def test_projects_of_other_titles_or_clusters_have_other_events() -> None:
    project = worlds.plan().project
    assert calendar_id(project) == calendar_id(replace(project, offers=()))
    assert calendar_id(project) != calendar_id(replace(project, title="B"))
    assert calendar_id(project) != calendar_id(replace(project, contracts=(), workloads=()))


def test_an_event_that_is_no_more_stays_cancelled_until_it_comes_back() -> None:
    other = Deadline("end:K1", DAY_S, "K1 ends")
    first = calendar_text([NOTICE, other], "abc", AT_S)
    second = calendar_text([NOTICE], "abc", AT_S, first)
    gone = events(second)[1]
    assert (gone["UID"], gone["STATUS"], gone["SEQUENCE"]) == ("abc-end:K1", "CANCELLED", 1)
    assert gone.subcomponents == [], "a cancelled event has no alarm"
    third = calendar_text([NOTICE], "abc", AT_S, second)
    assert events(third)[1] == gone
    assert "K1" not in calendar_text([NOTICE], "def", AT_S, first)  # another project's is left out
    back = calendar_text([NOTICE, other], "abc", AT_S, third)
    assert sequences(back) == [0, 2]


def test_amounts_are_in_the_money_of_the_project(tmp_path: Path) -> None:
    of = worlds.plan()
    write_calendar(
        replace(of, project=replace(of.project, currency="EUR")), tmp_path / "d.ics", worlds.PLAN_S
    )
    text = (tmp_path / "d.ics").read_bytes().decode()
    assert "\u20ac8\\,760" in text
    assert "$" not in text
