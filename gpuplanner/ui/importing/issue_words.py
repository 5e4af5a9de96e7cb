"""Every issue of an import in the planner's words, and why its counts are what they are."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from gpuplanner.charts.kit.plain_text import sentence, spoken, tr
from gpuplanner.domain.evidence.trace import Trace, TraceRow, figure, parts_of, summed
from gpuplanner.domain.evidence.trace import read as as_read
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import Message, Text, lowered, worded
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS, issue_message
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import in_window_words

# --- Every issue of an import in the planner's words: a title, and a sentence of what is so and what to do in the
# window
# The command line, JSON and saved rows keep the words of `files/sources/issue_texts.py`, which name options.


@dataclass(frozen=True, slots=True)
class IssueWords:
    """title: in a few words; sentence: in place of the reader's own, empty where each file has its own to say."""

    title: Message
    sentence: Text = ""


ISSUE_WORDS: Final = {
    "bad_time": IssueWords(
        worded("A time cannot be read"),
        worded(
            "A time is missing, or is none: without start or end a row is left out, else only that time is unknown. "
            "Correct the row, or choose another column or unit in Columns"
        ),
    ),
    "bad_duration": IssueWords(
        worded("Duration is not a duration"),
        worded("A duration cannot be read. Choose its unit in Columns, or write it as [D-]HH:MM:SS"),
    ),
    "end_before_start": IssueWords(
        worded("End is before start"),
        worded("The end is before the start. Correct the row, or look at the two columns in Columns"),
    ),
    "missing_column": IssueWords(worded("A column is missing")),
    "bad_number": IssueWords(
        worded("Not a number"),
        worded(
            "A number cannot be read. Without its number of GPUs a row is rejected, else only the field is unknown. "
            "Correct it, or choose another column in Columns"
        ),
    ),
    "negative_gpus": IssueWords(
        worded("Negative GPU count"), worded("The number of GPUs is below zero. Correct the row")
    ),
    "no_gpus": IssueWords(
        worded("CPU job, no demand"),
        worded("Jobs without GPUs: counted as jobs, without GPU demand. Nothing to do, unless they had GPUs"),
    ),
    "gpus_unknown": IssueWords(worded("GPUs are not told")),
    "other_accelerator": IssueWords(worded("Accelerators other than GPUs")),
    "zero_length": IssueWords(
        worded("No length, no demand"),
        worded("Jobs that ended when they started: counted as jobs, without demand. Nothing to do"),
    ),
    "unknown_timezone": IssueWords(
        worded("Unknown time zone"),
        worded("A time names a zone that does not exist. Write a name like Europe/Oslo, or an offset"),
    ),
    "ambiguous_local_time": IssueWords(
        worded("Local time happens twice"),
        worded(
            "The clock was put back and showed this time twice; the earlier one was taken where it fits. "
            "Export the log in UTC to be exact"
        ),
    ),
    "nonexistent_local_time": IssueWords(
        worded("Local time does not exist"),
        worded(
            "The clock was put forward and never showed this time; it was read as before the change. "
            "Look whether the time zone chosen at the left is right"
        ),
    ),
    "before_1980": IssueWords(
        worded("Earlier than 1980"),
        worded(
            "These starts are earlier than 1980: plain numbers were read as seconds since 1970. That is right for a "
            "trace that counts from its own beginning. Else open Columns and choose the unit of start and end, such "
            "as milliseconds since 1970"
        ),
    ),
    "running": IssueWords(
        worded("Still running"),
        worded(
            "Jobs that still ran when the log was written. Nothing to do; import again once they have ended"
        ),
    ),
    "runs_on": IssueWords(
        worded("Ran on after the last end"),
        worded(
            "The window ends with the last job that had ended. What jobs took that still ran then is left out. Choose "
            "a later end of the window to count it, or import again once they have ended"
        ),
    ),
    "listed_since": IssueWords(
        worded("Lists what ended since a day"), worded("begin the window on that day in the last step, if so")
    ),
    "before_window": IssueWords(
        worded("Began before the window"),
        worded(
            "The window is the last 90 days of the log. What jobs took before it is left out. Choose an earlier begin "
            "of the window to count it"
        ),
    ),
    "counted_twice": IssueWords(worded("GPUs counted twice")),
    "totals_disagree": IssueWords(worded("Totals disagree")),
    "pending": IssueWords(
        worded("Has not started"), worded("Jobs that had not started yet; left out. Nothing to do")
    ),
    "never_started": IssueWords(
        worded("Never started"), worded("Jobs that were over before they started; left out. Nothing to do")
    ),
    "possible_duplicate": IssueWords(
        worded("Alike rows, kept"),
        worded(
            "Rows without a job id that are alike in every field; all were kept. Tick Drop rows that are alike if the "
            "log was put together from parts that overlap"
        ),
    ),
    "clipped": IssueWords(
        worded("Reaches over the window"),
        worded("Jobs that reach over an edge of the window: only the part inside it counts. Nothing to do"),
    ),
    "unknown_gpu_model": IssueWords(
        worded("No GPU model"),
        worded(
            "Jobs that do not say which GPU model they had. Nothing to do: they are served by what jobs of known "
            "models leave over"
        ),
    ),
    "several_gpu_models": IssueWords(
        worded("Several GPU models"),
        worded("Jobs with GPUs of several models: all are counted under the one with most. Nothing to do"),
    ),
    "unknown_gpu_share": IssueWords(
        worded("Part of a GPU, not told which"),
        worded(
            "Pods that ask for part of a GPU, and the file does not tell how much: each counts as a whole one. Export "
            "the nodes with the pods: kubectl get pods,nodes -A -o json"
        ),
    ),
    "unknown_class": IssueWords(
        worded("Class is not known"),
        worded(
            "A class that is none of training, inference, burst; it was not used. Correct it, or leave it empty"
        ),
    ),
    "unknown_state": IssueWords(
        worded("State is not known"),
        worded(
            "A state that no scheduler writes: such jobs count as neither failed nor cancelled. Write it as COMPLETED, "
            "FAILED, CANCELLED or TIMEOUT"
        ),
    ),
    "unknown_value": IssueWords(
        worded("Word is not known"),
        worded(
            "A field holds none of the words it may, so it is unknown. The guide lists the words of each column"
        ),
    ),
    "wrong_place": IssueWords(
        worded("Place is not in its country"),
        worded(
            "Places on another side of the earth than their country. Look at the sign of latitude and longitude"
        ),
    ),
    "no_site_price": IssueWords(
        worded("Site without a price"),
        worded(
            "No price is stated for a site, so totals with it are unknown. Enter its $ per month, 0 if it is free"
        ),
    ),
    "allowed_nowhere": IssueWords(
        worded("No country is allowed"),
        worded(
            "No country is allowed for these users, so no site may serve them. Write the countries of allowed sites, "
            "with ; between them"
        ),
    ),
    "quote_needed": IssueWords(
        worded("Quote needed"),
        worded(
            "No rate is stated; what needs it stays unknown. Ask the provider and enter the rate; of GPUs of your own "
            "enter their price and life"
        ),
    ),
    "no_quote": IssueWords(
        worded("Not quoted"),
        worded("Rows of the request without an answer, or with no bid. Nothing to do, or ask again"),
    ),
    "quote_revised": IssueWords(
        worded("Quoted anew"),
        worded(
            "Rows that the vendor answered again later, in another file; what it quoted last counts. Nothing to do "
            "where it was revised on purpose"
        ),
    ),
    "answered_twice": IssueWords(
        worded("Answered twice"),
        worded(
            "Rows that the vendor answered in several files, and which is the later is not told: the file that was "
            "read last counts. Fill in Quoted on above the table, or take out the file that does not hold"
        ),
    ),
    "request_changed": IssueWords(
        worded("Not what was asked"),
        worded(
            "Rows that do not ask for what the request asked for; what they say now was taken. Ask the vendor whether "
            "that is what is quoted"
        ),
    ),
    "other_request": IssueWords(
        worded("Another request"),
        worded(
            "Rows that answer another request than the one above them. Nothing to do where an older request was "
            "answered on purpose"
        ),
    ),
    "naive_time_assumed_utc": IssueWords(
        worded("Times without a zone"),
        worded(
            "Times without a time zone were taken as UTC. Choose the zone at the left, such as Europe/Oslo"
        ),
    ),
    "mixed_timezones": IssueWords(
        worded("Several time zones"),
        worded(
            "Some times of this file carry a zone and others do not. Look whether the zone chosen at the left is right "
            "for those without"
        ),
    ),
    "read_as_table": IssueWords(worded("Read as a table of jobs")),
    "undecided": IssueWords(worded("Can be read in two ways")),
    "computed": IssueWords(worded("Worked out from others")),
    "other_currency": IssueWords(worded("Another currency")),
    "left_out": IssueWords(
        worded("No GPUs, or not in force"),
        worded(
            "Rows of no GPUs, or of nothing that is in force; left out. Enter them by hand if they are of GPUs"
        ),
    ),
    "not_a_row": IssueWords(
        worded("Totals and remarks"),
        worded("Rows that add up others, repeat the headings, are remarks or empty; left out. Nothing to do"),
    ),
    "price_mismatch": IssueWords(
        worded("Two prices that disagree"),
        worded(
            "The stated price of one GPU is not the price of the machine divided by its GPUs; the latter was taken. "
            "Check these rows"
        ),
    ),
    "odd_rate": IssueWords(
        worded("Rates far from the market"),
        worded(
            "Over 4 times what the market asks for such a GPU, or under a quarter of it; taken as they are. Say what "
            "the price is for: a GPU-hour, a month, a node"
        ),
    ),
    "undated_price": IssueWords(
        worded("Prices without a date"),
        worded("No date is stated for these prices, so they may be old. Add a column as_of with their date"),
    ),
    "short_row": IssueWords(
        worded("Fewer cells than columns"),
        worded(
            "Rows with fewer cells than there are columns; the missing ones were taken as empty. Export again if they "
            "should hold something"
        ),
    ),
    "long_row": IssueWords(
        worded("More cells than columns"),
        worded(
            "Rows with something beyond the last column, so that it is not told which cell is of which; left out. Put "
            "texts that hold the separator into quotation marks, and export again"
        ),
    ),
    "unknown_column": IssueWords(
        worded("Columns not known"),
        worded("These columns were not read. Name them as in the guide if they are to count"),
    ),
    "other_sheets": IssueWords(worded("Other sheets were not read")),
    "ambiguous_date": IssueWords(
        worded("Day or month first"),
        worded(
            "Dates like 4/1/25 do not tell which number is the day; the month was taken to be first. Choose how dates "
            "are written in Columns, or export them as 2025-04-01"
        ),
    ),
    "activity_outside_jobs": IssueWords(
        worded("Samples in no job"),
        worded(
            "Samples of GPUs that no job of the log held at that time; not used. Nothing to do, unless the log should "
            "cover that time and those nodes"
        ),
    ),
    "activity_not_told_apart": IssueWords(
        worded("Activity not told apart"),
        worded(
            "Jobs on nodes that others shared, or that did more than they could: whose activity it is cannot be told. "
            "Export activity with job ids or pods"
        ),
    ),
    "bad_rule": IssueWords(
        worded("Rule cannot be used"),
        worded(
            "A class rule names a field or pool that there is not, or holds too long a text. Correct the row and "
            "import the file again"
        ),
    ),
    "bad_pattern": IssueWords(
        worded("Words of a rule cannot be used"),
        worded(
            "The words of a class rule cannot be read, or are in almost every name. Correct the row and import the "
            "file again"
        ),
    ),
    "encoding": IssueWords(
        worded("Text is not UTF-8"),
        worded(
            "The file is not written in UTF-8; it was read as Windows-1252. If names look wrong, save it as UTF-8"
        ),
    ),
    "names_merged": IssueWords(
        worded("Names merged"),
        worded(
            "More than 20 names of one owner that are alike but for digits are one workload. To part them choose Take "
            "the names apart in the menu of its card"
        ),
    ),
    "truncated_file": IssueWords(worded("The file ends early")),
    "name_taken": IssueWords(worded("The name is taken")),
    "not_a_job_log": IssueWords(worded("Not a job log")),
    "file_unreadable": IssueWords(worded("It cannot be read")),
    "file_missing": IssueWords(worded("It is not there")),
    "usage": IssueWords(worded("It cannot be read this way")),
}
"""Issue code -> its words. Those without a sentence say of each file what is so of it."""


COUNTED_AS: Final[Mapping[str, Callable[[int], str]]] = {
    "unknown_column": lambda count: numbers.counted(count, "column"),
    "other_sheets": lambda count: numbers.counted(count, "sheet"),
}
"""Issue code -> its count in words, where that is not of rows."""


_NOT_TAKEN: Final = (
    ("left_out", "row", worded("{counted} left out")),
    ("other_sheets", "sheet", worded("{counted} not read")),
    ("unknown_column", "column", worded("{counted} not read: {names}")),
)
"""Issue code, what is counted, and words."""
_NAMED: Final = lazy_re("“[^”]*”")
NAMES_AT_MOST: Final = 3


def not_taken_words(file: FileIntake | None) -> str:
    """What of a file that was read is not taken in, to stand behind what is; empty where all is."""
    issues = {} if file is None else {issue.code: issue for issue in file.issues}
    parts = []
    for code, of, words in _NOT_TAKEN:
        if (issue := issues.get(code)) is not None:
            names = _NAMED.findall(spoken(issue.message))[:NAMES_AT_MOST]
            more = "\u2026" if issue.count > len(names) else ""
            counted = numbers.counted(issue.count, of)
            parts.append(tr(words.template, counted=counted, names=", ".join(names) + more))
    return ", ".join(parts)


def title_of(code: str) -> Text:
    """An issue in a few words."""
    return ISSUE_WORDS[code].title if code in ISSUE_WORDS else code.replace("_", " ").capitalize()


def issue_words(code: str, message: Message) -> Text:
    """What a reader says of an issue, or of one row (its value first), in the words of the window."""
    ours = ISSUE_WORDS[code].sentence if code in ISSUE_WORDS else ""
    if ours and code in ISSUE_TEXTS:
        of_code = str(issue_message(code))
        if str(message) == of_code:
            return spoken(ours)
        parts = [*message.values.values()] if isinstance(message, Message) else []
        if len(parts) == 3 and str(parts[-1]) == of_code:  # the value of one row, a colon, and what is so
            value, said = parts[0], spoken(ours)
            if isinstance(value, Message):  # start is 5, end is 3: a sentence, not the text of a cell
                return tr("{title}. {sentence}", title=sentence(value), sentence=said)
            return tr("{value}: {sentence}", value=value, sentence=said)
    return in_window_words(message)


# --- Why counts of an import are what they are: how the rows of a file ended, and what is taken in

VALIDATION, ISSUE, TAKEN = "row_fate", "row_issue", "taken_in"
_WORDS: Final = {
    "rows_accepted": (
        worded("Accepted"),
        worded("Accepted = rows read \u2212 rejected \u2212 duplicate \u2212 ignored"),
    ),
    "rows_rejected": (
        worded("Rejected"),
        worded("Rows with a value that cannot be used; each is listed with its reason"),
    ),
    "rows_duplicate": (
        worded("Duplicate"),
        worded("Rows that tell again of a job that an earlier row told of"),
    ),
    "rows_ignored": (
        worded("Ignored"),
        worded("Job steps, totals, remarks, and jobs that never ran or still wait"),
    ),
}
"""Field of a file -> its name, and how it is counted."""


def validation_figure(field: str) -> str:
    """A count of the rows of a file, by its field."""
    return figure(VALIDATION, field)


def report_trace(file: FileIntake, figure_id: str) -> Trace:
    """Why a count of the report is what it is. Errors: KeyError, StopIteration where it is none of it."""
    kind, _, subject = parts_of(figure_id)
    source = file.path.replace("\\", "/").rsplit("/", 1)[-1] or tr("all files")
    if kind == ISSUE:
        issue = next(one for one in file.issues if one.code == subject)
        is_of_rows = subject not in COUNTED_AS
        words = (
            tr("Rows of the file in which it was found") if is_of_rows else tr("Counted in the whole file")
        )
        told = sentence(issue_words(subject, issue.message))
        return as_read(title_of(subject), issue.count, "count", source, words=words, note=told)
    if kind != VALIDATION:
        raise KeyError(figure_id)
    if subject == "rows_read":
        rows = [
            TraceRow(name, (getattr(file, field),), validation_figure(field))
            for field, (name, _) in _WORDS.items()
        ]
        words = tr("Rows read = accepted + rejected + duplicate + ignored: each row ends in one of them")
        return summed(tr("Rows read"), file.rows_read, "count", words, rows)
    name, meaning = _WORDS[subject]
    if subject != "rows_accepted":
        return as_read(name, getattr(file, subject), "count", source, words=meaning)
    rows = [TraceRow(tr("Rows read"), (file.rows_read,), validation_figure("rows_read"))]
    for other, (title, _) in _WORDS.items():
        if other != subject:
            less = tr("Less: {title}", title=lowered(title))
            rows.append(TraceRow(less, (-getattr(file, other),), validation_figure(other)))
    return summed(name, file.rows_accepted, "count", meaning, rows)


def taken_trace(read: Any, figure_id: str) -> Trace:
    """Why a count of what is taken in is what it is. Errors: KeyError where it is none of it."""
    kind, _, subject = parts_of(figure_id)
    if kind != TAKEN:
        raise KeyError(figure_id)
    accepted, inside, logs = read.accepted_jobs, read.jobs.count, tr("the job logs")
    if subject == "accepted":
        words = tr("Accepted rows of all job logs, each job once")
        return as_read(tr("Jobs accepted"), accepted, "count", logs, words=words)
    if subject == "inside":
        rows = [
            TraceRow(tr("Accepted"), (accepted,), figure(TAKEN, "accepted")),
            TraceRow(tr("Less: before or after the window"), (inside - accepted,), figure(TAKEN, "outside")),
        ]
        words = tr("Jobs in the window = accepted \u2212 those that ended before it or began after it")
        return summed(tr("Jobs in the window"), inside, "count", words, rows)
    if subject == "outside":
        words = tr("Jobs that ended before the window or began after it")
        return as_read("Left out", accepted - inside, "count", logs, words=words)
    if subject == "gpu_jobs":
        words = tr("Jobs in the window that held a GPU")
        return as_read(tr("GPU jobs"), read.jobs.gpu_jobs, "count", logs, words=words)
    if subject == "gpu_hours":
        rows = [
            TraceRow(workload.name, (workload.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR,))
            for workload in read.workloads
        ]
        words = tr(
            "GPU-hours = \u03a3 over workloads of GPUs \u00d7 hours of their jobs, clipped to the window"
        )
        title = tr(titles.GPU_HOURS_IN_THE_WINDOW)
        return summed(title, read.jobs.gpu_hours, "gpu_hours", words, rows)
    if subject != "workloads":
        raise KeyError(figure_id)
    of = Counter(workload.cluster or tr("no cluster") for workload in read.workloads)
    rows = [TraceRow(cluster, (count,)) for cluster, count in sorted(of.items())]
    words = tr("A workload is what runs under one name of one owner on one cluster")
    return summed(tr("Workloads"), len(read.workloads), "count", words, rows)
