"""Small tables (contracts, prices): one row on its way, parsed field by field, with what is wrong with it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final, TypeVar

from gpuplanner.domain.message import NO_WORDS, Message, joined, worded
from gpuplanner.files.sources.row_widths import long_words, named_width, ragged_code
from gpuplanner.files.sources.source import TEXT, Source
from gpuplanner.files.tables.harmless_cells import as_written
from gpuplanner.files.tables.headers import header_columns
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.times import MISSING_TEXTS, utc_seconds

Value = TypeVar("Value")
FLAGS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
LARGEST_NUMBER: Final = 10**12


class RowError(Exception):
    """This row cannot be taken: code, what is wrong with it, and a remedy of its own, else that of the code."""

    def __init__(self, code: str, what: Message, remedy: Message = NO_WORDS) -> None:
        super().__init__(what)
        self.code, self.what, self.remedy = code, what, remedy


class RowLeftOutError(Exception):
    """This row is nothing to take, and no fault of the file: code of the issue that says so, and words."""

    def __init__(self, code: str, what: Message = NO_WORDS) -> None:
        super().__init__(what)
        self.code, self.what = code, what


@dataclass(slots=True)
class Row:
    """One row on its way: text by column in lower case; `notes` collects the issues of an accepted row.

    said: by code, what to say of this row in the issue. left_out: why it is not even looked at.
    ragged: why it does not have the cells of its table (`of_width`), empty where it does.
    ways: in a price list, each way to pay for what the row offers: category, term in months, rate.
    """

    texts: Mapping[str, str]
    timezone: str | None = None
    notes: list[str] = field(default_factory=list)
    said: dict[str, Message] = field(default_factory=dict)
    left_out: RowLeftOutError | None = None
    ragged: RowError | None = None
    ways: tuple[tuple[str, str, str], ...] = ()

    def of_width(self, cells: Sequence[str], headings: Sequence[str], source: Source) -> "Row":
        """The same, which now knows whether it has too few or too many cells; a sheet keeps no empty ones at an end."""
        least = named_width(headings) if source.kind == TEXT else 0
        code = ragged_code(cells, len(headings), least)
        self.ragged = RowError(code, long_words(cells, len(headings))) if code else None
        return self

    def say(self, code: str, words: Message) -> None:
        """Note an issue of this row with what is special about it."""
        self.notes.append(code)
        self.said[code] = joined((self.said[code], words), ", ") if code in self.said else words

    def text(self, column: str) -> str | None:
        """The trimmed text; None where it is empty or there is no such column.

        >>> Row({"gpus": " 8 ", "end": ""}).text("gpus"), Row({"end": ""}).text("end"), Row({}).text("start")
        ('8', None, None)
        """
        return self.texts.get(column, "").strip() or None

    def required(self, column: str) -> str:
        """Errors: RowError where the field is empty."""
        text = self.text(column)
        if text is None:
            raise RowError("missing_column", worded("{column} is empty", column=column))
        return text

    def number(
        self, column: str, low: Decimal | int | None = 0, high: int = LARGEST_NUMBER
    ) -> Decimal | None:
        """A number from low to high; a bad one leaves the field unknown and an issue.

        None where it is empty or bad. A dollar sign before it is no fault; low None: without lower bound.

        >>> Row({"rate": "$2.50"}).number("rate"), Row({"rate": "-1"}).number("rate"), Row({}).number("rate")
        (Decimal('2.50'), None, None)
        """
        text = self.text(column)
        if text is None:
            return None
        value = read_decimal(text.replace("$", ""))
        if value is None or (low is not None and value < low) or abs(value) > high:
            self.notes.append("bad_number")
            return None
        return value

    def integer(self, column: str, high: int = LARGEST_NUMBER) -> int | None:
        """A whole number from 0 to high; a bad one leaves the field unknown and an issue.

        >>> Row({"term": "36"}).integer("term"), Row({"term": "1.5"}).integer("term")
        (36, None)
        """
        value = self.number(column, high=high)
        if value is not None and value != value.to_integral_value():
            self.notes.append("bad_number")
            return None
        return None if value is None else int(value)

    def rate(self, column: str) -> Decimal | None:
        """$ per GPU-hour; none, zero or no number is a quote that is needed, never a gift.

        None is noted as quote_needed.

        >>> Row({"rate": "2.50"}).rate("rate"), Row({"rate": "0"}).rate("rate")
        (Decimal('2.50'), None)
        """
        value = self.number(column)
        if value is None or value == 0:
            self.notes.append("quote_needed")
            return None
        return value

    def word(self, column: str, meanings: Mapping[str, Value]) -> Value | None:
        """What one of several words means, without case; another leaves the field unknown and an issue.

        None where the field is empty, too.
        """
        text = (self.text(column) or "").lower()
        if text and text not in meanings:
            self.notes.append("unknown_value")
        return meanings.get(text)

    def flag(self, column: str) -> bool | None:
        """true or false (yes, no, 1, 0); anything else is unknown.

        >>> Row({"spot": "Yes"}).flag("spot"), Row({"spot": "0"}).flag("spot"), Row({"spot": "perhaps"}).flag("spot")
        (True, False, None)
        """
        return self.word(column, FLAGS)

    def time(self, column: str) -> int | None:
        """UTC seconds; a time or date without a zone is UTC unless one was given. None where empty.

        Errors: RowError bad_time.
        """
        text = self.text(column)
        if text is None or text.lower() in MISSING_TEXTS:
            return None
        seconds = utc_seconds(text, self.timezone)
        if seconds is None:
            raise RowError("bad_time", worded("{column} is {text}", column=column, text=f"{text!r}"))
        return seconds


def rows_below(
    source: Source, columns: Sequence[str], timezone: str | None = None
) -> Iterator[tuple[int, Row, str]]:
    """Every row below the header, by these names of its columns, as `collect_rows` takes them.

    timezone: of times that state none, None: UTC. The text is the row as it stands, for the table of
    rejected rows.
    """
    delimiter = header_columns(source.head)[0]
    with source.rows(delimiter) as opened:
        next(opened, None)
        for line, cells in opened:
            texts = dict(zip(columns, map(as_written, cells), strict=False))
            row = Row(texts, timezone).of_width(cells, columns, source)
            yield line, row, delimiter.join(cells)


class Names:
    """Names for rows that have none: the second of a name is `name (2)`."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def next(self, name: str) -> tuple[str, bool]:
        """The name to use, and whether there was one alike.

        >>> names = Names()
        >>> names.next("H100"), names.next("H100")
        (('H100', False), ('H100 (2)', True))
        """
        again = self._seen[name] = self._seen.get(name, 0) + 1
        return (name if again == 1 else f"{name} ({again})"), again > 1
