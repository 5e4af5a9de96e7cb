"""What is said of files and rows: each issue code, rows of odd width, kinds of files, refusals."""

from array import array
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, Text, joined, worded, worded_both
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.files.sources.source import Source
from gpuplanner.lazy_dataclass import dataclass, field

# --- What each issue code says to the planner: what is so, and what to do about it; what to do in the window, where the
# remedy names an option

_TEXTS: Final[Mapping[str, tuple[str, ...]]] = {
    "bad_time": (
        "a time is missing, or is none; the row is rejected where it is start or end, else only the field is unknown",
        "write times as ISO 8601, like 2026-01-31T05:00:00Z",
    ),
    "unknown_timezone": (
        "a time names a zone that does not exist",
        "use a name like Europe/Oslo, or an offset",
    ),
    "bad_duration": (
        "a duration cannot be read",
        "write it as [D-]HH:MM:SS or as a number with its unit in the mapping",
        "write it as [D-]HH:MM:SS",
    ),
    "end_before_start": ("the end is before the start", "swap or correct the two times"),
    "bad_number": (
        "a number cannot be read; the row is rejected where it is the GPU count, else only the field is unknown",
        "write it as 8 or 0.5",
    ),
    "negative_gpus": ("the GPU count is below zero", "correct the count"),
    "no_gpus": ("CPU jobs: counted, without GPU demand", "nothing to do, unless they did have GPUs"),
    "zero_length": ("jobs that ended when they started: counted, without demand", "nothing to do"),
    "ambiguous_local_time": (
        "a local time that the clock showed twice; the earlier instant was taken where it fits",
        "export the log in UTC or with offsets",
    ),
    "nonexistent_local_time": (
        "a local time that the clock skipped; it was read with the offset before the change",
        "export the log in UTC or with offsets, or check the time zone",
    ),
    "before_1980": (
        "starts before 1980: bare seconds, as of a trace that counts from its beginning, were read as seconds since "
        "1970-01-01 UTC",
        "nothing to do for a trace without dates; else map start and end in their unit, as in start=COLUMN:epoch_ms",
    ),
    "running": (
        "jobs that were still running when the log was written",
        "nothing to do; import again once they have ended",
    ),
    "runs_on": (
        "jobs ran on after the last one that had ended, with which the window ends; what they took since is left out",
        "choose a later end of the window (--end) to count it, or import again once they have ended",
        "choose a later end of the window to count it, or import again once they have ended",
    ),
    "listed_since": (
        "no job ended for long after the first began: as sacct -S does it may list what ended since a day",
        "begin the window on that day (--start), if so",
        "begin the window on that day, if so",
    ),
    "before_window": (
        "jobs began before the window, which is the last 90 days of the log; what they took until then is left out",
        "choose an earlier begin of the window (--start) to count it",
        "choose an earlier begin of the window to count it",
    ),
    "counted_twice": (
        "a list of nodes counts on top of the contracts beside it",
        "leave the list out if the contracts are of these nodes",
    ),
    "pending": ("jobs that had not started; left out", "nothing to do"),
    "never_started": ("jobs that were over before they started; left out", "nothing to do"),
    "possible_duplicate": (
        "rows without an id that are alike in every field; all were kept",
        "drop them with --drop-alike if the log was joined from overlapping parts",
        "tick Drop rows that are alike if the log was joined from overlapping parts",
    ),
    "clipped": ("jobs that reach over an edge of the window; only the part inside counts", "nothing to do"),
    "unknown_gpu_model": (
        "GPU jobs of unknown model",
        "nothing to do; they are served by what known models leave over",
    ),
    "unknown_gpu_share": (
        "pods that ask for part of a GPU which is not told; each was counted as a whole one",
        "export the nodes with the pods: kubectl get pods,nodes -A -o json",
    ),
    "several_gpu_models": (
        "jobs with several GPU models; all GPUs are counted under the model with most",
        "nothing to do",
    ),
    "unknown_class": (
        "a class that is none of training, inference, burst; it was not used",
        "correct it or leave it empty",
    ),
    "unknown_state": (
        "a state that no scheduler writes: such jobs count as neither failed nor cancelled",
        "write it as COMPLETED, FAILED, CANCELLED or TIMEOUT",
    ),
    "bad_rule": (
        "a class rule has a field or a pool that there is not, or a text that is too long",
        "correct the row and import the file again",
    ),
    "bad_pattern": (
        "the pattern of a class rule cannot be read, or is in almost every name",
        "correct the row and import the file again",
    ),
    "unknown_value": (
        "a field holds none of the words it may; it is unknown",
        "see the column's words in the guide",
    ),
    "wrong_place": (
        "places that lie on another side of the earth than their country",
        "look at the sign of their latitude and longitude",
    ),
    "no_site_price": (
        "no price is stated for a site; totals with it are unknown",
        "enter usd_per_month, 0 where it costs nothing",
    ),
    "allowed_nowhere": (
        "no country is allowed, so users of these countries may be served from nowhere",
        "write the countries of allowed sites, with ; between them",
    ),
    "quote_needed": (
        "no rate is stated; the amounts that need it stay unknown",
        "ask the provider and enter the rate; of GPUs of your own enter their price and life",
    ),
    "naive_time_assumed_utc": (
        "times without a zone were taken as UTC",
        "state the zone, as in --timezone Europe/Oslo",
        "choose the zone at the left, such as Europe/Oslo",
    ),
    "mixed_timezones": (
        "times without a zone in a file where others have one",
        "export all times in one way, or check that --timezone is right for these",
        "export all times in one way, or check that the zone chosen at the left is right for these",
    ),
    "read_as_table": (
        "read as a table of jobs, by its headings and values",
        "map other columns where one is wrong",
    ),
    "undecided": (
        "cells that can be read in more than one way",
        "check them, and say with the mapping which is meant",
    ),
    "computed": ("a figure that is not in the file was worked out from others", "check the arithmetic"),
    "other_currency": (
        "amounts in another currency count at the rate of exchange that you state; without one they are unknown",
        "state what one unit is in US dollars and of which day: --fx EUR=1.08@2026-10-01, or Plan > Currency",
        "choose Currency in the menu Plan and state what one unit is in US dollars, and of which day",
    ),
    "name_taken": (
        "rows of planned work that say something else of a name, cluster and team that an earlier row has",
        "tell them apart by their name, cluster or team",
    ),
    "no_quote": (
        "rows of the request without an answer, or with no bid; left out",
        "nothing to do, or ask for them",
    ),
    "quote_revised": (
        "rows that the vendor answered again later, in another file; what it quoted last counts",
        "nothing to do where it was revised on purpose",
    ),
    "answered_twice": (
        "rows that the vendor answered in several files",
        "fill in Quoted on above the table, or take out the file that does not hold",
    ),
    "request_changed": (
        "rows that do not ask for what the request asked for; what they say now was taken",
        "ask the vendor whether that is what is quoted",
    ),
    "other_request": (
        "rows that answer another request than the one above them",
        "nothing to do where an older request was answered on purpose",
    ),
    "left_out": (
        "rows of no GPUs, or of nothing that is in force; left out",
        "enter them by hand if they are of GPUs; what else they cost is in no figure",
    ),
    "not_a_row": (
        "rows that add up others, repeat the headings, are remarks or empty; left out",
        "nothing to do",
    ),
    "price_mismatch": (
        "the stated price of one GPU is not the price of the machine divided by its GPUs; the latter was taken",
        "check these rows",
    ),
    "odd_rate": (
        "rates far from the market, over 4 times or under a quarter of it; they were taken as they are",
        "say what the price is for, per month, node or all GPUs of the row, in its heading or as the unit of the "
        "mapping, or leave it if it is right",
    ),
    "undated_price": (
        "no date is stated for these prices; they may be old",
        "add a column as_of with their date",
    ),
    "short_row": (
        "rows with fewer cells than there are columns; the missing ones were taken as empty",
        "export the file again if they should hold something",
    ),
    "long_row": (
        "rows with something beyond the last column, so that it is not told which cell is of which; left out",
        "quote the texts that have the separator in them, and export the file again",
    ),
    "unknown_column": (
        "columns that are not known were not read",
        "name them as in the guide if they are to count",
    ),
    "other_sheets": (
        "the workbook has more than one sheet, and one was read",
        "to read another one too, give it by name, as in book.xlsx/Prices, or as a file of its own",
    ),
    "ambiguous_date": (
        "dates like 4/1/25 do not tell which number is the day; the month was taken to be first",
        "export dates as 2025-04-01",
    ),
    "activity_outside_jobs": (
        "samples of GPUs that no job of the log held then; they were not used",
        "nothing to do, unless the log should cover that time and those nodes",
    ),
    "activity_not_told_apart": (
        "jobs on nodes that others shared, or that did more than they could: whose activity it is cannot be told",
        "export activity with job ids or pods, such as dcgm-exporter's hpc_job label",
    ),
    "encoding": (
        "the file is not UTF-8; it was read as Windows-1252, of which Latin-1 is part",
        "save it as UTF-8 if names look wrong",
    ),
    "names_merged": (
        "names alike but for digits are one workload",
        "to part them say --same workload:KEY=KEY with the key of the workload",
        "to part them choose Take the names apart in the menu of its card",
    ),
}


ISSUE_TEXTS: Final = {
    code: (worded(texts[0]), worded_both(*texts[1:]) if len(texts) > 2 else worded(texts[1]))
    for code, texts in _TEXTS.items()
}
"""By code: what is so, and what to do."""

KEPT_IF_OPEN: Final = worded_both(
    "--open-ended keeps what lacks only its end or only its start",
    "tick Keep rows without an end or a start for those that lack only one of the two",
)
"""Said of rejected rows that would be accepted with that option."""


def gpus_are(gpus: Text) -> Message:
    """What a row has for its number of GPUs, where that is none."""
    return worded_both("gpus is {gpus}", "the number of GPUs is {gpus}", gpus=gpus)


@cache
def issue_message(code: str) -> Message:
    """What and remedy in one line: one and the same text for every row."""
    return joined(ISSUE_TEXTS[code], "; ")


# --- Rows with fewer or more cells than their table has columns: one rule for every reader -------

SHORT: Final = "short_row"
"""Its missing cells are empty, and it is judged by what is there."""

LONG: Final = "long_row"
"""Something stands beyond its last column, so it is not told which cell is of which column: it is rejected."""


_LONG_ROWS_KEPT: Final = 1000


def ragged_code(cells: Sequence[str], width: int, least: int | None = None) -> str:
    """SHORT, LONG, or empty where a row is neither. width: columns of the table; least: those that have a name.

    >>> ragged_code(["1", "2"], 3), ragged_code(["1", "2", "3", "", "x"], 3), ragged_code(["1", "2", "3", ""], 3)
    ('short_row', 'long_row', '')
    """
    if len(cells) > width and any(cell.strip() for cell in cells[width:]):
        return LONG
    return SHORT if len(cells) < (width if least is None else least) else ""


def named_width(headings: Sequence[str]) -> int:
    """Columns up to the last that has a heading: no row lacks a cell of one without.

    >>> named_width(["job_id", "gpus", ""])
    2
    """
    return max((place for place, name in enumerate(headings, 1) if name.strip()), default=0)


def long_words(cells: Sequence[str], width: int) -> Message:
    """What is wrong with a row of too many cells."""
    return worded("it has {cells} cells for {width} columns", cells=whole(len(cells)), width=whole(width))


@dataclass(slots=True)
class RaggedLines:
    """The numbers of the lines of a log that have too few or too many cells, in the order of the file.

    beyond: what stands beyond the last column, of the first long lines.
    """

    short: "array[int]" = field(default_factory=lambda: array("q"))
    long: "array[int]" = field(default_factory=lambda: array("q"))
    beyond: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def fit(self, line: int, cells: list[str], width: int, least: int | None = None) -> list[str]:
        """As many cells as there are columns; what has too few or too many is noted. least: see `ragged_code`."""
        if len(cells) == width:
            return cells
        code = ragged_code(cells, width, least)
        if code == SHORT:
            self.short.append(line)
        elif code == LONG:
            self.long.append(line)
            if len(self.beyond) < _LONG_ROWS_KEPT:
                self.beyond[line] = tuple(cells[width:])
        return cells[:width] + [""] * (width - len(cells))


# --- What kinds of files are called in sentences about them --------------------------------------

KIND_WORDS: Final[Mapping[str, Message]] = {
    "jobs": worded("jobs"),
    "billing": worded("billing"),
    "activity": worded("activity"),
    "contracts": worded("contracts"),
    "prices": worded("prices"),
    "rules": worded("rules"),
    "users": worded("users"),
    "sites": worded("sites"),
    "measured": worded("measured"),
    "residency": worded("residency"),
    "traffic": worded("traffic"),
    "model": worded("model"),
    "planned": worded("planned work"),
    "nodes": worded("nodes"),
    "interruptions": worded("interruptions of spot nodes"),
    "tres": worded("numbered resources"),
    "unknown": worded("unknown"),
}
"""Kinds of files as words of a sentence."""


def kind_words(kind: str) -> Message:
    """A kind of file as a word of a sentence.

    A kind without a word of its own is called by its name.
    """
    return KIND_WORDS.get(kind) or joined((kind,))


# --- A file that was read and is of no use: its intake says why, the other files go on -----------

UNREADABLE: Final = ("file_unreadable", "truncated_file")
"""Codes of what could not be read at all, where other files of the same archive could."""


def refused_file(
    source: Source, fault: PlannerError, kind: str = "jobs", format_name: str = ""
) -> FileIntake:
    """The intake of a readable file that is not what it was given as: no rows, and why.

    Its hash is kept, so that the same file is known again.
    """
    issue = Issue(
        fault.code, 1, 1 if fault.code == "missing_column" else None, joined((fault.what, fault.remedy), "; ")
    )
    return FileIntake(source.path, kind, format_name, 0, 0, 0, 0, 0, (issue,), (), source.sha256)


def unreadable_file(fault: PlannerError, kind: str = "jobs") -> FileIntake:
    """The intake of a file of an archive that could not be read: no rows, and why."""
    issue = Issue(fault.code, 1, None, joined((fault.what, fault.remedy), "; "))
    return FileIntake(str(fault.where), kind, "", 0, 0, 0, 0, 0, (issue,))


def is_unreadable(file: FileIntake) -> bool:
    """Whether nothing of a file could be read.

    A file without rows that could be read is none.
    """
    return not file.rows_read and any(issue.code in UNREADABLE for issue in file.issues)
