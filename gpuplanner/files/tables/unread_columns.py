"""Columns that were not read: which may be left out in silence, which are told, and which are a question."""

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from enum import Enum
from functools import cache, lru_cache
from itertools import zip_longest
from statistics import median
from typing import Final, NamedTuple

from gpuplanner.domain.message import Message, joined, worded, worded_both
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS
from gpuplanner.files.system.resources import rows_of, words_table
from gpuplanner.files.tables.column_mapping import (
    ColumnMapping,
    column_place,
    is_rate,
    mapping_text,
    without_not_needed,
)
from gpuplanner.files.values.amounts import NO_AMOUNT, read_amount
from gpuplanner.files.values.written_dates import read_date
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

QUESTION: Final = "column_unread"
TOLD: Final = "unknown_column"
"""Codes of the issues: a file with a question is not imported before it is answered."""


class Verdict(Enum):
    """What is to be done about a column that was not read."""

    SILENT = "silent"
    TOLD = "told"
    ASKED = "asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTable:
    """A table of which some columns were read.

    headings: of all columns, "" where a column has none. rows: cells of accepted rows, maybe of the first alone.
    fields: by heading of a column that was read, its field. used: headings of columns that another law used.
    not_needed: those that nobody needs, as a mapping names them. header_row: its line. is_wide: whether the columns of
    prices are of models or providers. topics: of questions that a table of this kind may raise.
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    fields: Mapping[str, str]
    used: Collection[str] = ()
    not_needed: Collection[str] = ()
    header_row: int = 1
    is_wide: bool = False
    topics: Collection[str] = ("money", "amount", "time", "place", "way")

    @property
    def unread(self) -> tuple[int, ...]:
        """The places of columns that were not read and that somebody may need."""
        left = {column_place(self.headings, name) for name in self.not_needed}
        known = {name.lower() for name in (*self.fields, *self.used)}
        return tuple(
            place
            for place, name in enumerate(self.headings)
            if name and name.lower() not in known and place not in left
        )

    def cells(self, place: int) -> list[str]:
        """The cells of a column; empty where a row ends before it."""
        return [row[place].strip() if place < len(row) else "" for row in self.rows]


class UnreadColumn(NamedTuple):
    """A column that was not read: heading, some different cells, verdict, and what a question is about."""

    heading: str
    cells: tuple[str, ...]
    verdict: Verdict
    about: str = ""


def unread_columns(table: ReadTable) -> tuple[UnreadColumn, ...]:
    """Return the columns of a table that were not read, in their order, each judged."""
    judge = _Judge(table)
    return tuple(judge.judged(place) for place in table.unread)


def unread_issues(table: ReadTable, most: Verdict = Verdict.ASKED) -> tuple[Issue, ...]:
    """Return the issues of the columns that were not read: one of those that are asked, one of those that are told.

    most: the most that is made of any of them.
    """
    columns = [column for column in unread_columns(table) if column.verdict is not Verdict.SILENT]
    asked = [column for column in columns if column.verdict is Verdict.ASKED and most is Verdict.ASKED]
    others = [column for column in columns if column not in asked]
    question = (Issue(QUESTION, len(asked), table.header_row, _question(asked)),) if asked else ()
    return (*question, *told_columns([column.heading for column in others], table.header_row))


class Question(NamedTuple):
    """The words of a question: problem and remedy."""

    problem: Message
    remedy: Message


def question_of(issues: Iterable[Issue]) -> Question | None:
    """Return the question about columns that were not read; None without one."""
    issue = next((issue for issue in issues if issue.code == QUESTION), None)
    if issue is None:
        return None
    problem, remedy = (issue.message.values[name] for name in ("problem", "remedy"))
    return Question(problem, remedy) if isinstance(problem, Message) and isinstance(remedy, Message) else None


def headings_asked(file: FileIntake) -> tuple[str, ...]:
    """Return the headings of the columns of a file that are a question."""
    question = question_of(file.issues)
    if question is None:
        return ()
    (item,) = shlex.split(str(question.remedy.values["map"]))
    return without_not_needed(item.removeprefix("--map=")).not_needed


def refuse_if_asked(file: FileIntake) -> None:
    """Refuse a file with a column that is a question. Errors: PlannerError column_unread."""
    question = question_of(file.issues)
    if question is not None:
        rows = (issue.first_row for issue in file.issues if issue.code == QUESTION)
        raise PlannerError(f"{file.path}:{next(rows)}", QUESTION, question.problem, question.remedy)


# --- Words of the issues

_EFFECTS: Final = words_table("unread_effect")
"""By what a column is about, what is wrong if it counts."""
_NAMED_AT_MOST: Final = 3


def _question(columns: Sequence[UnreadColumn]) -> Message:
    """Return the message of a question: column, cells and effect; what to write."""
    unread = (
        worded(
            "“{column}” is not read ({cells}): {effect}",
            column=column.heading,
            cells=", ".join(column.cells)[:80],
            effect=_EFFECTS[column.about],
        )
        for column in columns[:_NAMED_AT_MOST]
    )
    more = (f"“{column.heading}”" for column in columns[_NAMED_AT_MOST:])
    items = mapping_text(ColumnMapping({}, not_needed=tuple(column.heading for column in columns)))
    remedy = worded_both(
        "map it with --map FIELD=COLUMN, or write {map} if not needed",
        "choose a field for it, or Not needed",
        map=f"--map={shlex.quote(items)}",
    )
    return worded("{problem}; {remedy}", problem=joined((*unread, *more), ", "), remedy=remedy)


def _remark(columns: Sequence[UnreadColumn]) -> Message:
    """Return the message of columns that are told and not asked."""
    problem, remedy = ISSUE_TEXTS[TOLD]
    names = joined((_named(column.heading) for column in columns), ", ")
    return joined((joined((problem, names), ": "), remedy), "; ")


_OF_OFFERS: Final = " " + worded("(lead times belong to offers: lead_time_hours)")


def _named(heading: str) -> Message:
    """Return a heading in quotes, and where its column belongs if to another kind of table."""
    is_of_offers = "lead time" in " ".join(words_of(heading))
    return joined((f"“{heading}”", *((_OF_OFFERS,) if is_of_offers else ())))


def told_columns(headings: Sequence[str], header_row: int) -> tuple[Issue, ...]:
    """Return the issue of columns that were not read and need no answer; none without any."""
    columns = [UnreadColumn(heading, (), Verdict.TOLD) for heading in headings]
    return (Issue(TOLD, len(columns), header_row, _remark(columns)),) if columns else ()


# --- Words of headings


@cache
def _lists() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return by list its words, each with what it is about."""
    lists: dict[str, tuple[tuple[str, str], ...]] = {}
    for row in rows_of("unread_words.csv"):
        known = lists.get(row["list"], ())
        lists[row["list"]] = (*known, *((word, row["about"]) for word in row["words"].split("|")))
    return lists


_CAMEL: Final = lazy_re(r"(?<=[a-z]{2})(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
_WORD: Final = lazy_re(r"[$€£%]|[^\W_]+(?:/s\b)?")


@lru_cache(maxsize=4096)
def words_of(heading: str) -> tuple[str, ...]:
    """Return the words of a heading in small letters, without the s of several.

    >>> words_of("MonthlyCost (USD)"), words_of("number_of_offers"), words_of("Surcharge %")
    (('monthly', 'cost', 'usd'), ('number', 'of', 'offer'), ('surcharge', '%'))
    >>> words_of("vCPUs"), words_of("onDemand"), words_of("GPUHours")
    (('vcpu',), ('on', 'demand'), ('gpu', 'hour'))
    """
    return tuple(_singular(word) for word in _WORD.findall(_CAMEL.sub(" ", heading).lower()))


def _singular(word: str) -> str:
    """Return a word without the s of several."""
    is_several = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "ps"))  # Gbps is no GBP
    return word[:-1] if is_several else word


def _found(words: Sequence[str], entry: str) -> tuple[int, int] | None:
    """Return from where to where a list's word or words stand in a heading; None where they do not."""
    wanted = [_singular(word) for word in entry.split()]
    for place in range(len(words) - len(wanted) + 1):
        part = words[place : place + len(wanted)]
        if all(
            word.startswith(entry_word[:-1]) if entry_word.endswith("*") else word == entry_word
            for word, entry_word in zip(part, wanted, strict=True)
        ):
            return place, place + len(wanted)
    return None


def _places_of(words: Sequence[str], name: str) -> set[int]:
    """Return the places of the words of a heading that a list has."""
    spans = (_found(words, entry) for entry, _ in _lists()[name])
    return {place for span in spans if span is not None for place in range(*span)}


def _phrases_not_needed(words: Sequence[str]) -> Iterator[range]:
    """Yield the places of several words in a heading that together are of what nobody needs."""
    for entry, _ in _lists()["not_needed"]:
        if " " in entry and (span := _found(words, entry)) is not None:
            yield range(*span)


@lru_cache(maxsize=4096)
def _is_not_needed(words: tuple[str, ...], *, with_asked: bool) -> bool:
    """Return whether all words of a heading are of what nobody needs, besides fillers.

    with_asked: words of questions are fillers, too; those that ask alone are so in any case.
    """
    own = _places_of(words, "not_needed")
    lists = ("filler", "asked_alone", *(("asked",) if with_asked else ()))
    others = set[int]().union(*(_places_of(words, name) for name in lists))
    digits = {place for place, word in enumerate(words) if word.isdecimal()}
    return bool(own) and len(own | others | digits) == len(words)


def is_not_needed(heading: str) -> bool:
    """Return whether a heading is of what nobody needs, such as versions and sizes of disks.

    >>> is_not_needed("CUDA version"), is_not_needed("Monthly fee")
    (True, False)
    """
    return _is_not_needed(words_of(heading), with_asked=False)


# --- Judgement


_FALSE: Final = frozenset(("0", "false", "no", "none", "nein", "off"))
_LINK: Final = lazy_re(r"(?i)\b(?:https?|s3|gs)://|^www\.")
_PROSE: Final = 60
_SAME_SHARE: Final = 0.9
_DAYS_NEAR: Final = 31
_OF_DAYS: Final = ("as_of", "start", "end", "valid_until", "starts", "ends", "submit")
_OF_PLACES: Final = ("region", "country", "city", "site_id")


class _Judge:
    """Judges the unread columns of a table; what was read is looked at once."""

    def __init__(self, table: ReadTable) -> None:
        self._table = table
        places = {name.lower(): place for place, name in reversed([*enumerate(table.headings)]) if name}
        self._fields = {
            name: places[heading.lower()]
            for heading, name in table.fields.items()
            if heading.lower() in places
        }
        self._numbers = [_numbers(table.cells(place)) for place in self._fields.values()]
        self._rates = [_numbers(table.cells(place)) for name, place in self._fields.items() if is_rate(name)]
        self._counts = _numbers(table.cells(self._fields["gpus"])) if "gpus" in self._fields else []
        self._days = [_days(table.cells(place)) for name, place in self._fields.items() if name in _OF_DAYS]

    def judged(self, place: int) -> UnreadColumn:
        """Judge the column at a place."""
        heading, cells = self._table.headings[place], self._table.cells(place)
        verdict, about = self._verdict(heading, cells)
        filled = tuple(dict.fromkeys(filter(None, cells)))
        return UnreadColumn(heading, filled[:3], verdict, about)

    def _verdict(self, heading: str, cells: Sequence[str]) -> tuple[Verdict, str]:
        """Return what is to be done about a column, and what a question is about."""
        filled = [cell for cell in cells if cell and cell.lower() not in NO_AMOUNT]
        if not filled or all(cell.lower() in _FALSE or _number(cell) == 0 for cell in filled):
            return Verdict.SILENT, ""
        words = words_of(heading)
        about = self._asked(words)
        if self._is_silent(words, filled, cells, is_asked=bool(about)):
            return Verdict.SILENT, ""
        is_of_size = bool(_places_of(words, "not_needed") and _places_of(words, "size"))  # disk, $ per GB
        if about and not is_of_size and not (self._rates and _places_of(words, "beside_a_rate")):
            return Verdict.ASKED, about
        if _are_days(filled) and not any(len(set(days) - {None}) > 1 for days in self._days):
            return Verdict.ASKED, "time"
        return Verdict.TOLD, ""

    def _asked(self, words: tuple[str, ...]) -> str:
        """Return what a heading asks about; "" where none of its words is a question."""
        lists = ["asked", *(["asked_wide"] if self._table.is_wide else [])]
        if not _places_of(words, "not_needed"):
            lists.append("asked_alone")
        phrases = set[int]().union(*_phrases_not_needed(words))
        own = tuple(word for place, word in enumerate(words) if place not in phrases)
        entries = (entry for name in lists for entry in _lists()[name])
        topics = (topic for word, topic in entries if topic in self._table.topics and _found(own, word))
        return next(topics, "")

    def _is_silent(
        self, words: tuple[str, ...], filled: Sequence[str], cells: Sequence[str], *, is_asked: bool
    ) -> bool:
        """Return whether a column may be left out without a word."""
        numbers = [*map(_number, filled)]
        is_text = sum(number is None for number in numbers) * 2 > len(numbers)
        return (
            (len(cells) > 2 and len(set(cells)) == 1 and not is_asked)
            or _is_not_needed(words, with_asked=is_text)
            or sum(bool(_LINK.search(cell)) for cell in filled) * 2 > len(filled)
            or median(map(len, filled)) > _PROSE
            or (len(filled) > 2 and numbers == [*range(1, len(filled) + 1)])
            or self._is_said(cells)
            or self._is_rate_again(cells)
            or (is_text and bool(_places_of(words, "place")) and any(map(self._fields.get, _OF_PLACES)))
            or self._is_near_day(cells, filled)
        )

    def _is_said(self, cells: Sequence[str]) -> bool:
        """Return whether the numbers of a column are those of a column that was read."""
        own = [*_numbers(cells)]
        count = sum(number is not None for number in own)
        return count > 0 and any(
            sum(number is not None and number == other for number, other in zip(own, read, strict=True))
            >= _SAME_SHARE * count
            for read in self._numbers
        )

    def _is_rate_again(self, cells: Sequence[str]) -> bool:
        """Return whether the numbers of a column are a rate that was read, per another time or of other GPUs."""
        own = _numbers(cells)
        return any(
            _are_products(own, rates, factor, self._counts) for rates in self._rates for factor in _FACTORS
        )

    def _is_near_day(self, cells: Sequence[str], filled: Sequence[str]) -> bool:
        """Return whether the days of a column lie within a month of those that are read, which vary."""
        if not _are_days(filled):
            return False
        own = _days(cells)
        return any(
            len(set(read) - {None}) > 1
            and all(
                abs((day - other).days) <= _DAYS_NEAR
                for day, other in zip(own, read, strict=True)
                if day is not None and other is not None
            )
            for read in self._days
        )


_HOURS: Final = (1, 24, 168, 720, 730, 744, 2190, 8760)
_FACTORS: Final = tuple(dict.fromkeys(a / b for a in _HOURS for b in _HOURS if 1 in (a, b)))
"""A rate by the hour is the same by another time, and the other way round."""
_SAME: Final = 0.006


def _are_products(
    own: Sequence[Decimal | None],
    rates: Sequence[Decimal | None],
    factor: float,
    counts: Sequence[Decimal | None],
) -> bool:
    """Return whether numbers are rates times a factor, in nearly all rows, with or without the GPUs of each row."""
    both = [
        (float(number), float(rate) * factor, float(count or 1))
        for number, rate, count in zip_longest(own, rates, counts)
        if number and rate
    ]
    if not both:
        return False
    least = _SAME_SHARE * sum(number is not None for number in own)
    return any(
        sum(abs(number / (rate * count**power) - 1) <= _SAME for number, rate, count in both) >= least
        for power in (0, 1, -1)
    )


def _number(text: str) -> Decimal | None:
    """Return the number of a cell without words; None where it has none."""
    amount = read_amount(text)
    return None if any(map(str.isalpha, amount.per)) else amount.number


def _numbers(cells: Iterable[str]) -> list[Decimal | None]:
    """Return the numbers of cells, None where a cell has none."""
    return [*map(_number, cells)]


_DAY_FIRST_LETTERS: Final = 10


def _day(text: str) -> date | None:
    """Return the day of a cell, with or without a time; None where it has none."""
    written = read_date(text) or read_date(text[:_DAY_FIRST_LETTERS])
    if not written or (read_amount(text).number is not None and not re.search(r"\d\D+\d", text)):
        return None
    try:
        return date.fromisoformat(written[:_DAY_FIRST_LETTERS])
    except ValueError:
        return None


def _days(cells: Iterable[str]) -> list[date | None]:
    """Return the days of cells, None where a cell has none."""
    return [*map(_day, cells)]


def _are_days(filled: Sequence[str]) -> bool:
    """Return whether most cells are days."""
    return 2 * sum(day is not None for day in _days(filled)) > len(filled)
