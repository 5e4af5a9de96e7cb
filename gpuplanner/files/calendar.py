"""Deadlines as an iCalendar file (RFC 5545): an all-day event each, with its details and an alarm 14 days before."""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from gpuplanner.domain.commitment.order_days import Deadline, deadlines
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.book.exchange import english_in
from gpuplanner.domain.model.project import Project
from gpuplanner.files.system.output_file import place_of, write_output

if TYPE_CHECKING:
    from icalendar import Component, Event

PartT = TypeVar("PartT", bound="Component")

ALARM_BEFORE: Final = timedelta(days=14)
CANCELLED: Final = "CANCELLED"


def write_calendar(evaluation: Evaluation, path: Path, at_s: int) -> None:
    """Write the deadlines of an evaluation with its advice. at_s: epoch seconds, the day and time of writing.

    An event that is in the file that is replaced, and differs, has a higher SEQUENCE. Errors: PlannerError
    file_unreadable; ValueError where the evaluation has no advice yet.
    """
    project, before = evaluation.project, ""
    place = place_of(path)
    if place.before is not None and not place.is_stream:
        before = place.target.read_bytes().decode("utf-8-sig", "replace")
    decisions = evaluation.listed_decisions_on(at_s)
    due = deadlines(project, evaluation.plan, evaluation.advised, at_s, decisions, evaluation.listed_orders)
    in_money = [
        row._replace(
            words=english_in(row.words, project.currency),
            details=tuple(english_in(line, project.currency) for line in row.details),
        )
        for row in due
    ]
    write_output(path, calendar_text(in_money, calendar_id(project), at_s, before).encode())


def calendar_id(project: Project) -> str:
    """What tells a project's events from those of others: of its title and the names of its clusters."""
    clusters = {c.cluster for c in project.contracts} | {w.cluster for w in project.workloads}
    return hashlib.sha256("\n".join((project.title, *sorted(clusters))).encode()).hexdigest()[:16]


def calendar_text(due: Iterable[Deadline], of: str, at_s: int, before: str = "") -> str:
    """Return the file as text.

    of: id of the project; at_s: epoch seconds; before: the file that it replaces, or "".

    An event of the project that is in that file alone stays there, cancelled, so that calendars take it out and its
    SEQUENCE rises where it comes back.
    """
    from icalendar import Calendar  # takes 0.1 s, and few runs write a calendar

    calendar = _put(Calendar(), {"VERSION": "2.0", "PRODID": "-//gpuplanner//deadlines//EN"})
    earlier = _events_by_uid(before)
    due_events = {}
    for deadline in due:
        uid = _printable(f"{of}-{deadline.decision_id}")
        due_events[uid] = _due_event(uid, deadline)
    cancelled = {
        uid: _cancelled_event(event)
        for uid, event in earlier.items()
        if uid not in due_events and uid.startswith(f"{of}-")
    }
    for uid, event in (due_events | cancelled).items():
        sequence = _next_sequence(event, earlier.get(uid))
        stamp = datetime.fromtimestamp(at_s, UTC)
        _put(event, {"SEQUENCE": sequence, "DTSTAMP": stamp, "TRANSP": "TRANSPARENT"})
        calendar.add_component(event)
    content: bytes = calendar.to_ical(sorted=False)
    return content.decode()


def _events_by_uid(text: str) -> "dict[str, Event]":
    """Return the events of a calendar file by UID; empty if the text is no calendar."""
    from icalendar import Calendar, Event

    try:
        components = Calendar.from_ical(text, multiple=True)
    except (ValueError, AttributeError):  # the latter for VALUE=DATE,DATE
        return {}
    events = [event for top in components for event in top.walk("VEVENT")]
    return {str(event["UID"]): event for event in events if isinstance(event, Event) and "UID" in event}


def _due_event(uid: str, deadline: Deadline) -> "Event":
    """Return the event of a deadline, with its alarm."""
    from icalendar import Alarm, Event

    day = datetime.fromtimestamp(deadline.day_s, UTC).date()
    words = _printable(str(deadline.words))
    span = {"DTSTART": day, "DTEND": day + timedelta(days=1)}
    details = "\n".join(_printable(str(line)) for line in deadline.details)
    described = {"DESCRIPTION": details} if details else {}
    event = _put(Event(), {"UID": uid, **span, "SUMMARY": words, **described, "STATUS": "CONFIRMED"})
    alarm = {"ACTION": "DISPLAY", "DESCRIPTION": words, "TRIGGER": -ALARM_BEFORE}
    event.add_component(_put(Alarm(), alarm))
    return event


def _cancelled_event(earlier: "Event") -> "Event":
    """Return an earlier event as cancelled; a copy has no alarm."""
    return _put(earlier.copy(), {"STATUS": CANCELLED})


def _next_sequence(event: "Event", earlier: "Event | None") -> int:
    """Return the SEQUENCE of an event: 0 if it is new, one more than before if it has changed."""
    if earlier is None:
        return 0
    number = earlier.get("SEQUENCE")
    is_changed = any(earlier.get(name) != value for name, value in event.items())
    return (number if isinstance(number, int) else 0) + is_changed


def _put(component: PartT, properties: Mapping[str, Any]) -> PartT:
    """Set properties of a part of a calendar, which may have them already; return the part."""
    for name, value in properties.items():
        component.pop(name, None)
        component.add(name, value)
    return component


def _printable(text: str) -> str:
    """Return a text without control characters and line breaks."""
    return "".join(filter(str.isprintable, text))
