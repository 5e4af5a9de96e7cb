"""Deadlines as an iCalendar file (RFC 5545): an all-day event each, with an alarm 14 days before."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from gpuplanner.domain.commitment.order_days import Deadline, deadlines
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.book.exchange import english_in
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import DAY_S, iso_utc
from gpuplanner.files.system.output_file import place_of, write_output

ALARM_DAYS: Final = 14
LINE_OCTETS: Final = 75
CANCELLED: Final = "CANCELLED"
_ESCAPED: Final = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})


def write_calendar(evaluation: Evaluation, path: Path, at_s: int) -> None:
    """Write the deadlines of an evaluation with its advice. at_s: epoch seconds, the day and time of writing.

    An event that is in the file that is replaced, and differs, has a higher SEQUENCE. Errors: PlannerError
    file_unreadable; ValueError where the evaluation has no advice yet.
    """
    project, before = evaluation.project, ""
    place = place_of(path)
    if place.before is not None and not place.is_stream:
        before = place.target.read_bytes().decode("utf-8", "replace")
    due = deadlines(project, evaluation.plan, evaluation.advised, at_s)
    in_money = [row._replace(words=english_in(row.words, project.currency)) for row in due]
    write_output(path, calendar_text(in_money, calendar_id(project), at_s, before).encode())


def calendar_id(project: Project) -> str:
    """What tells a project's events from those of others: of its title and the names of its clusters."""
    clusters = {c.cluster for c in project.contracts} | {w.cluster for w in project.workloads}
    return hashlib.sha256("\n".join((project.title, *sorted(clusters))).encode()).hexdigest()[:16]


def calendar_text(due: Iterable[Deadline], of: str, at_s: int, before: str = "") -> str:
    """The file as text. of: id of the project; at_s: epoch seconds; before: the file that it replaces, or nothing.

    An event of the project that is in that file alone stays there, cancelled, so that calendars take it out and its
    SEQUENCE rises where it comes back.
    """
    old, events = {event.get("UID", ""): event for event in _events(before)}, {}
    for deadline in due:
        days = [_compact(deadline.day_s + days * DAY_S)[:8] for days in (0, 1)]
        uid, words = _escaped(f"{of}-{deadline.decision_id}"), _escaped(str(deadline.words))
        span = {"DTSTART;VALUE=DATE": days[0], "DTEND;VALUE=DATE": days[1]}
        events[uid] = {"UID": uid, **span, "SUMMARY": words, "STATUS": "CONFIRMED"}
    gone = old.keys() - events.keys()
    cancelled = {
        uid: {**was, "STATUS": CANCELLED}
        for uid, was in old.items()
        if uid in gone and uid.startswith(f"{of}-")
    }
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//gpuplanner//deadlines//EN"]
    for uid, event in (events | cancelled).items():
        was = old.get(uid)
        number = int(was["SEQUENCE"]) if was and was.get("SEQUENCE", "").isdecimal() else 0
        is_changed = was is not None and any(was.get(name) != value for name, value in event.items())
        event |= {"SEQUENCE": str(number + is_changed), "DTSTAMP": _compact(at_s), "TRANSP": "TRANSPARENT"}
        lines += ["BEGIN:VEVENT", *map(":".join, event.items())]
        if uid in events:
            lines += ["BEGIN:VALARM", "ACTION:DISPLAY", f"DESCRIPTION:{event['SUMMARY']}"]
            lines += [f"TRIGGER:-P{ALARM_DAYS}D", "END:VALARM"]
        lines.append("END:VEVENT")
    return "".join(f"{folded}\r\n" for line in (*lines, "END:VCALENDAR") for folded in _folded(line))


def _events(text: str) -> Iterator[dict[str, str]]:
    """The properties of each event of a calendar, without those of its alarm."""
    for event in text.replace("\r\n", "\n").replace("\n ", "").split("BEGIN:VEVENT\n")[1:]:
        own = event.partition("BEGIN:VALARM")[0].partition("END:VEVENT")[0]
        yield dict(line.partition(":")[::2] for line in own.split("\n") if ":" in line)


def _compact(at_s: int) -> str:
    """20261228T000000Z."""
    return iso_utc(at_s).replace("-", "").replace(":", "")


def _escaped(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable()).translate(_ESCAPED)


def _folded(line: str) -> Iterator[str]:
    """Lines of at most 75 octets; those after the first begin with a blank."""
    while len(line.encode()) > LINE_OCTETS:
        part = line.encode()[:LINE_OCTETS].decode(errors="ignore")
        yield part
        line = " " + line[len(part) :]
    yield line
