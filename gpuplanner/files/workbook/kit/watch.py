"""What is watched of the book: how a table's cells are held to what they were when the book was written."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from gpuplanner.files.workbook.kit.expressions import DASH, Value

SEAL_CHARACTERS: Final = 200
"""Of each word in the seal of a row."""
SEAL_BETWEEN: Final = "|"


@dataclass(frozen=True, slots=True)
class Watch:
    """What of a table is watched besides its inputs, which always are.

    title: of the table where the light speaks of it (default: the sheet's). named_by: the columns that name a row to a
    reader (default: the first). values: whether all columns that hold a value are watched, too. columns: of a long
    table, which are. number: the column of row numbers from 1, by which a row is found wherever it is sorted to; ""
    where rows are told by their place.
    """

    title: str = ""
    named_by: tuple[str, ...] = ()
    values: bool = False
    columns: frozenset[str] = frozenset()
    number: str = ""


NO_LIMIT: Final = 1e300
UNKNOWN_WORDS: Final = (DASH, "quote needed", "not set", "no")
"""What may stand for a number where that may be unknown."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the number of an input may be, both included. or_unknown: or one of UNKNOWN_WORDS."""

    low: float = 0.0
    high: float = NO_LIMIT
    or_unknown: bool = False


class Origin(IntEnum):
    """What a cell was made of."""

    EMPTY = 0
    VALUE = 1
    FORMULA = 2
    INPUT = 3
    EMPTY_INPUT = 4
    INPUT_FORMULA = 5


INPUTS: Final = (Origin.INPUT, Origin.EMPTY_INPUT, Origin.INPUT_FORMULA)


@dataclass(slots=True)
class ColumnTotals:
    """What a column of a long table comes to, each row weighted by its number from 1.

    amount: of its numbers; numbers: which rows hold one; letters: how long its texts are.
    """

    amount: float = 0.0
    numbers: float = 0.0
    letters: float = 0.0

    def add(self, place: int, value: Value) -> None:
        """The next row's value."""
        if isinstance(value, str):
            self.letters += (place + 1) * len(value)
        else:
            self.amount += (place + 1) * value
            self.numbers += place + 1


def sealed(words: Sequence[str]) -> str:
    """The words of a row as one text.

    >>> sealed(["chat", "Inference"])
    'chat|Inference'
    """
    return SEAL_BETWEEN.join(word[:SEAL_CHARACTERS] for word in words)
