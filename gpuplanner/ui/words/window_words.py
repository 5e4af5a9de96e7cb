"""Remedies, refusals and files in the words of the window, not those of the command line."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QDateTime, QLocale

from gpuplanner.app.document import FileNews
from gpuplanner.charts.kit.plain_text import sentence, tr
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.project.project_backups import Seen
from gpuplanner.files.project.session_marks import Session
from gpuplanner.files.system.output_file import file_name
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import head_name

if TYPE_CHECKING:
    from gpuplanner.files.tables.small_table import TablesRead


# --- Remedies in the words of the window: what the readers say of options of the command line, said of its controls

MAP_THEM: Final = worded("map its columns")
SAY_WHETHER: Final = worded("open it to say whether they are one")

WINDOW_WORDS: Final[Mapping[str, Message]] = {
    "add it, or name the columns with --map": worded("add it to the file, or map its columns"),
    "name the columns with --map": MAP_THEM,
    "a range is no rate: say which end counts: --map {map}": worded(
        "a range is no rate: choose the column of the end that counts as the rate"
    ),
    "say with --map node==gpu-01,activity.gpu_model==H100 which, or name the file after the node, as in gpu-01.csv; "
    "without a model its GPUs are those of its jobs, or of a list of nodes": worded(
        "say which it is at the left, or name the file after the node, as in gpu-01.csv; without a model its GPUs are "
        "those of its jobs, or of a list of nodes"
    ),
    "it may be read with --map {mapping}": MAP_THEM,  # the columns page shows it column by column
    "give a job log, or say with --map what its columns are": worded(
        "choose another file, or map its columns"
    ),
    "state the zone, as in --timezone Europe/Oslo": worded(
        "choose the zone at the left, such as Europe/Oslo"
    ),
    "export all times in one way, or check that --timezone is right for these": worded(
        "export all times in one way, or check that the zone chosen at the left is right for these"
    ),
    "drop them with --drop-alike if the log was joined from overlapping parts": worded(
        "tick Drop rows that are alike if the log was joined from overlapping parts"
    ),
    "write it as [D-]HH:MM:SS or as a number with its unit in the mapping": worded(
        "write it as [D-]HH:MM:SS"
    ),
    "{what}; if one is wrong, export it with its header, or map it with --map": worded(
        "{what}; if one is wrong, export it with its header, or map its columns"
    ),
    "plan from a day on which they run (--plan-from), or import a log and contracts of the same time": worded(
        "choose Plan from in the menu Plan, or import a log and contracts of the same time"
    ),
    "if they ran there: --cluster {name}, if not: {own}": SAY_WHETHER,
    "say which they serve: --map {said}, of a saved project {same}": SAY_WHETHER,
    "the last day for notice passed {late} before {when}; it runs on until {ends}{usd}{unknown}, and the next "
    "notice is due by {next}: if notice was given, say so: --notice-given {own}": worded(
        "the last day for notice passed {late} before {when}; it runs on until {ends}{usd}{unknown}, and the next "
        "notice is due by {next}: if notice was given, open it to say so"
    ),
    "{unsure}, most expensive today first: {names}; decide them on the board, or with --label KEY=class": worded(
        "{unsure}, most expensive today first: {names}; decide them on the board"
    ),
    "If the two are one, say so: {same}": worded("If the two are one, say so: Match names in the menu Plan"),
    "give the job log too, in the same call: --jobs JOBS.csv ACTIVITY.csv": worded(
        "import the job log with it: choose Cancel, then Import in the menu File, and select both files"
    ),
    "{offers} of {offered}, and the project runs on {gpu_model}: they serve it only once you say so, and what one "
    "of them is worth: --map-model {mapping}": worded(
        "{offers} of {offered}, and the project runs on {gpu_model}: open it to say whether they may serve it"
    ),
    ", such as {names}: --map-model {mapping}": worded(", such as {names}"),
    "{gpu_hours} GPU-hours of {written} on {cluster} count as {size}, which its contracts have; if they are of "
    "another size: --same {same}": worded(
        "{gpu_hours} GPU-hours of {written} on {cluster} count as {size}, which its contracts have; open it to say "
        "that they are of another size"
    ),
    "\u201c{column}\u201d may be the last day or the day after; it was read as the last day, else {how}": worded(
        "\u201c{column}\u201d may be the last day or the day after; it was read as the last day"
    ),
    "\u201c{column}\u201d does not say days or weeks; numbers were read as weeks, else {how}": worded(
        "\u201c{column}\u201d does not say days or weeks; numbers were read as weeks"
    ),
    "\u201c{column}\u201d does not say days or months; numbers were read as months, else {how}": worded(
        "\u201c{column}\u201d does not say days or months; numbers were read as months"
    ),
    "\u201c{column}\u201d does not say hours or days; numbers were read as days, else {how}": worded(
        "\u201c{column}\u201d does not say hours or days; numbers were read as days"
    ),
    "begin the window on that day (--start), if so": worded("begin the window on that day, if so"),
    "choose an earlier begin of the window (--start) to count it": worded(
        "choose an earlier begin of the window to count it"
    ),
    "choose a later end of the window (--end) to count it, or import again once they have ended": worded(
        "choose a later end of the window to count it, or import again once they have ended"
    ),
    "gpus is {gpus}": worded("the number of GPUs is {gpus}"),
    "give it as --jobs": worded("choose Job log at the left"),
    "give it as --contracts": worded("choose Contracts at the left"),
    "give it as --prices": worded("choose Prices at the left"),
    "it ends {ends}, before it begins": worded("its last day lies before its first day"),
    "enter an end after {begins}": worded("choose a later last day, or an earlier first day"),
    "write always, mon-fri 08-20 or sat,sun 00-24": worded(
        "write always, or days and hours as mon-fri 08-20"
    ),
    "give it as --planned": worded("choose Planned work at the left"),
    "--open-ended keeps what lacks only its end or only its start": worded(
        "tick Keep rows without an end or a start for those that lack only one of the two"
    ),
    "state what one unit is in US dollars and of which day: --fx EUR=1.08@2026-10-01, or Plan > Currency": worded(
        "choose Currency in the menu Plan and state what one unit is in US dollars, and of which day"
    ),
    "is quoted in {quoted}, and no rate of exchange of {lacking} is stated: its amounts are unknown; "
    "state it, as in --fx {lacking}=1.08@2026-10-01, or in the window with Plan > Currency": worded(
        "is quoted in {quoted}, and no rate of exchange of {lacking} is stated: its amounts are unknown; "
        "choose Currency in the menu Plan and state it"
    ),
    "to part them say --same workload:KEY=KEY with the key of the workload": worded(
        "to part them choose Take the names apart in the menu of its card"
    ),
}
"""What a reader says, by its template, and what the window says for it, by a template of the same places."""


def in_window_words(text: Text) -> Text:
    """A message or remedy of a reader without the command line's options that the window has controls for."""
    if not isinstance(text, Message):
        return text
    values = {
        name: in_window_words(value) if isinstance(value, Message) else value
        for name, value in text.values.items()
    }
    ours = WINDOW_WORDS.get(text.template)
    if ours is None and all(values[name] is value for name, value in text.values.items()):
        return text
    template = text.template if ours is None else ours.template
    return Message(template, values, text.number, text.one if ours is None else "")


def placed_refusal(fault: PlannerError) -> str:
    """Where it is, what is wrong and what to do."""
    return tr(
        "{where}: {what}. {remedy}.",
        where=fault.where,
        what=in_window_words(fault.what),
        remedy=sentence(in_window_words(fault.remedy)),
    )


def refusal_words(fault: PlannerError) -> str:
    """What is wrong and what to do, as two sentences."""
    return tr(
        "{what}. {remedy}.",
        what=sentence(in_window_words(fault.what)),
        remedy=sentence(in_window_words(fault.remedy)),
    )


# --- Words for files of a project: what became of the open one elsewhere, and where a new one is suggested to be


def suggested(folder: str, document_name: str, plan: str, plans: Collection[str], suffix: str) -> str:
    """Where a file of a plan is suggested to be: demo, Plan A.xlsx in a folder, a place of its own for each plan.

    plans: the names of all plans, none of which another one's file may be called.
    """
    names = (document_name, head_name(plan, plans))
    return str(Path(folder) / file_name(", ".join(filter(None, names)), suffix))


@dataclass(frozen=True, slots=True)
class FileNotice:
    """title: in a few words; sentence: what it means; is_changed: there is another version to look at or to open."""

    title: str
    sentence: str
    is_changed: bool = False


def moment(epoch_s: int) -> str:
    """A day and a time of the clock on the wall."""
    return numbers.locale().toString(QDateTime.fromSecsSinceEpoch(epoch_s), QLocale.FormatType.ShortFormat)


def notice_of(news: FileNews | None, *, is_modified: bool) -> FileNotice | None:
    """The one thing to say; None where there is nothing."""
    if news is None:
        return None
    name = news.path.name
    if news.seen is Seen.GONE:
        return FileNotice(
            tr("{name} is gone", name=name),
            tr("It was moved, renamed or deleted. Save writes it anew; nothing that is shown here is lost."),
        )
    if news.seen is Seen.CHANGED:
        when = "" if news.written_s is None else tr(" at {when}", when=moment(news.written_s))
        sentence = (
            tr("Yours has changes that it lacks. Save asks what to do with the two.")
            if is_modified
            else tr("What is shown here is the version before. Open theirs to see the new one.")
        )
        return FileNotice(
            tr("{name} was saved elsewhere{when}", name=name, when=when), sentence, is_changed=True
        )
    if news.others:
        return FileNotice(
            tr("{name} is open elsewhere too", name=name),
            tr("{who}. Whoever saves later is asked what to do.", who="; ".join(map(_who, news.others))),
        )
    return None


def _who(session: Session) -> str:
    """Who has the project open, and since when."""
    since = moment(session.since_s)
    if session.is_here:
        return tr("In another window on this computer, since {since}", since=since)
    if session.user:
        return tr("By {user} on {host}, since {since}", user=session.user, host=session.host, since=since)
    return tr("On {host}, since {since}", host=session.host, since=since)


# --- What a file of rules or budgets was refused for, or rows of it, in words for a message ------

REFUSED_SHOWN: Final = 8


def refused_words(read: "TablesRead[Any]") -> list[str]:
    """Files and rows that were refused, the first of them in words."""
    refused = [
        *(
            tr("{where}: {what}; {remedy}", where=fault.where, what=fault.what, remedy=fault.remedy)
            for fault in read.refused
        ),
        *(
            tr(
                "{name}, row {row} is refused: {message}",
                name=Path(file.path).name,
                row=numbers.whole(row.row),
                message=row.message,
            )
            for file in read.intake
            for row in file.rejected
        ),
    ]
    more = len(refused) - REFUSED_SHOWN
    return refused[:REFUSED_SHOWN] + ([tr("and {more} more", more=numbers.whole(more))] if more > 0 else [])
