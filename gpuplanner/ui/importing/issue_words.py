"""Every issue of an import in the planner's words, and why its counts are what they are."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.evidence.trace import Trace, TraceRow, figure, parts_of, summed
from gpuplanner.domain.evidence.trace import read as as_read
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import Message, Text, lowered, worded
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS, issue_message
from gpuplanner.files.system.resources import words_table
from gpuplanner.files.tables.unread_columns import QUESTION, TOLD
from gpuplanner.lazy_re import lazy_re
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import in_window_words

# --- Every issue of an import: its title, and its sentences in the window's words

ISSUE_TITLES: Final = words_table("issue_title")
"""Issue code -> its title, in a few words."""


FIELD_WORDS: Final = words_table("field")
"""Field of a mapping -> what it is called in the window."""
COUNTED_AS: Final[Mapping[str, Callable[[int], str]]] = {
    **dict.fromkeys((QUESTION, TOLD), lambda count: numbers.counted(count, "column")),
    "other_sheets": lambda count: numbers.counted(count, "sheet"),
    "plan_sheets": lambda count: numbers.counted(count, "sheet"),
}
"""Issue code -> its count in words, where that is not of rows."""


_NOT_TAKEN: Final = (
    ("left_out", "row", worded("{counted} skipped")),
    ("other_sheets", "sheet", worded("{counted} not read")),
    ("plan_sheets", "sheet", worded("{counted} skipped")),
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
    return ISSUE_TITLES.get(code) or code.replace("_", " ").capitalize()


def issue_words(code: str, message: Message) -> Text:
    """What a reader says of an issue, or of one row (its value first), in the words of the window."""
    if code in ISSUE_TEXTS:
        of_code = str(issue_message(code))
        cause, remedy = (sentence(in_window_words(words)) for words in ISSUE_TEXTS[code])
        sentences = tr("{first}. {second}", first=cause, second=remedy)
        if str(message) == of_code:
            return sentences
        parts = [*message.values.values()] if isinstance(message, Message) else []
        if len(parts) == 3 and str(parts[-1]) == of_code:  # the value of one row, a colon, and what is so
            value = parts[0]
            if isinstance(value, Message):  # start is 5, end is 3: a sentence, not the text of a cell
                named = {name: FIELD_WORDS.get(str(of), of) for name, of in value.values.items()}
                words = sentence(Message(value.window or value.template, named))
                return tr("{first}. {second}", first=words, second=sentences)
            return tr("{title}: {value}", title=value, value=sentences)
    return in_window_words(message)


# --- Why counts of an import are what they are: how the rows of a file ended, and what is taken in

VALIDATION, ISSUE, TAKEN = "row_fate", "row_issue", "taken_in"
_MEANINGS: Final = words_table("row_end_meaning")
_WORDS: Final = {field: (name, _MEANINGS[field]) for field, name in words_table("row_end").items()}
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
        words = tr("Rows with this issue") if is_of_rows else tr("Counted in the whole file")
        told = sentence(issue_words(subject, issue.message))
        return as_read(title_of(subject), issue.count, "count", source, words=words, note=told)
    if kind != VALIDATION:
        raise KeyError(figure_id)
    if subject == "rows_read":
        rows = [
            TraceRow(name, (getattr(file, field),), validation_figure(field))
            for field, (name, _) in _WORDS.items()
        ]
        words = tr("Rows read = imported + rejected + duplicate + skipped")
        return summed(tr("Rows read"), file.rows_read, "count", words, rows)
    name, meaning = _WORDS[subject]
    if subject != "rows_accepted":
        return as_read(name, getattr(file, subject), "count", source, words=meaning)
    rows = [TraceRow(tr("Rows read"), (file.rows_read,), validation_figure("rows_read"))]
    for other, (title, _) in _WORDS.items():
        if other != subject:
            less = tr("Minus: {name}", name=lowered(title))
            rows.append(TraceRow(less, (-getattr(file, other),), validation_figure(other)))
    return summed(name, file.rows_accepted, "count", meaning, rows)


def taken_trace(read: Any, figure_id: str) -> Trace:
    """Why a count of what is taken in is what it is. Errors: KeyError where it is none of it."""
    kind, _, subject = parts_of(figure_id)
    if kind != TAKEN:
        raise KeyError(figure_id)
    accepted, inside, logs = read.accepted_jobs, read.jobs.count, tr("the job logs")
    if subject == "accepted":
        words = tr("Imported rows of all job logs, each job once")
        return as_read(tr("Jobs imported"), accepted, "count", logs, words=words)
    if subject == "inside":
        rows = [
            TraceRow(tr("Imported"), (accepted,), figure(TAKEN, "accepted")),
            TraceRow(
                tr("Minus: before or after the lookback period"),
                (inside - accepted,),
                figure(TAKEN, "outside"),
            ),
        ]
        words = tr("Jobs in the lookback period = imported − before or after it")
        return summed(tr("Jobs in the lookback period"), inside, "count", words, rows)
    if subject == "outside":
        words = tr("Jobs that ended before or started after it")
        return as_read("Skipped", accepted - inside, "count", logs, words=words)
    if subject == "gpu_jobs":
        words = tr("GPU jobs in the lookback period")
        return as_read(tr("GPU jobs"), read.jobs.gpu_jobs, "count", logs, words=words)
    if subject == "gpu_hours":
        rows = [
            TraceRow(workload.name, (workload.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR,))
            for workload in read.workloads
        ]
        words = tr("GPU-hours = Σ over jobs of GPUs × hours in the lookback period")
        title = tr(titles.GPU_HOURS_IN_THE_WINDOW)
        return summed(title, read.jobs.gpu_hours, "gpu_hours", words, rows)
    if subject != "workloads":
        raise KeyError(figure_id)
    of = Counter(workload.cluster or tr("no cluster") for workload in read.workloads)
    rows = [TraceRow(cluster, (count,)) for cluster, count in sorted(of.items())]
    words = tr("Workload: jobs with one name, owner and cluster")
    return summed(tr("Workloads"), len(read.workloads), "count", words, rows)
