"""How the book looks: its sheets, styles, columns, what of a table is watched, text that is safe in a cell."""

from collections.abc import Sequence
from enum import IntEnum, StrEnum
from functools import cache
from json import loads
from typing import Any, Final

from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import plain_table, rows_as, rows_of
from gpuplanner.files.workbook.kit.expressions import DASH, Value
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re


class Kind(StrEnum):
    """What a sheet is for: its tab has the colour of its kind."""

    INPUT = "input"
    CALCULATION = "calculation"
    OUTPUT = "output"
    CONTROL = "control"


COLORS: Final = {
    Kind.INPUT: "#E0B400",
    Kind.CALCULATION: "#7381B1",
    Kind.OUTPUT: "#4B45C6",
    Kind.CONTROL: "#596170",
}
MEANINGS: Final = {
    Kind.INPUT: "what goes in: yellow cells are yours to change",
    Kind.CALCULATION: "workings between what goes in and what comes out",
    Kind.OUTPUT: "what comes out, for who decides, signs or pays",
    Kind.CONTROL: "what the book is, whether it holds, where it comes from",
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """One tab. holds: what is on it, in a line of the contents.

    is_protected: locked without a password but for yellow cells; not where there is an input table, which could not
    grow.
    """

    name: str
    kind: Kind
    holds: str
    is_protected: bool = True

    @property
    def color(self) -> str:
        """Of its tab."""
        return COLORS[self.kind]


SUMMARY: Final = "Summary"
DATES: Final = "Dates"

SHEETS: Final = rows_as(Sheet, "workbook_sheets.csv")
"""The tabs, in order."""


FONT: Final = {"font_name": "Calibri", "font_size": 10, "font_color": "#1A1E26", "valign": "vcenter"}
MUTED: Final = "#596170"
SURFACE: Final = "#F7F8FA"
RED: Final = "#C02A2A"
AMBER: Final = "#8A5B06"
GREEN: Final = "#1B753F"

POOL_FILL: Final = {Pool.TRAINING: "#1F58AE", Pool.INFERENCE: "#0F9484", Pool.BURST: "#C96F04"}
POOL_TEXT: Final = {Pool.TRAINING: "#FFFFFF", Pool.INFERENCE: "#0B0F14", Pool.BURST: "#0B0F14"}
POOL_TINT: Final = {Pool.TRAINING: "#EBF0F8", Pool.INFERENCE: "#E9F5F4", Pool.BURST: "#FAF2E8"}


NUMBER_FORMATS: Final = plain_table("number_format")
"""By kind of figure; the unit stands in the heading. Dates are UTC."""

STYLES: Final[dict[str, dict[str, Any]]] = {
    style: {row["property"]: loads(row["value"]) for row in rows if row["property"]}
    for style, rows in grouped((row["style"], row) for row in rows_of("workbook_styles.csv")).items()
}
"""By name: the properties of a cell."""

INPUT_FILL, INPUT_TEXT = (str(STYLES["input"][key]) for key in ("bg_color", "font_color"))
FIXED_FILL: Final[str] = STYLES["fixed"]["bg_color"]


@cache
def is_yellow(style: str) -> bool:
    """Whether a cell of a style is an input that the reader may change."""
    return "input" in style.split(".")


@cache
def is_watched(style: str) -> bool:
    """Whether a cell of a style is an input: what the reader may change, or what the app alone may.

    >>> is_watched("rate.input"), is_watched("count.fixed"), is_watched("rate")
    (True, True, False)
    """
    return is_yellow(style) or "fixed" in style.split(".")


def style_properties(style: str) -> dict[str, Any]:
    """The cell format behind a style's name.

    A style is words joined by dots: a name of STYLES, a kind of NUMBER_FORMATS, `input` for what the reader may
    change (yellow with blue figures, not locked), `fixed` for what the app alone may (grey, locked), `total` for a sum;
    `own` for what the reader may write and no figure reads; `pool_training` (tint and a strip), `fill_training`,
    `tint_training` and so on for pools, `kind_input` and so on for kinds of sheets.
    """
    found: dict[str, Any] = {**FONT}
    for word in style.split("."):
        if word in STYLES:
            found |= STYLES[word]
        elif word in NUMBER_FORMATS:
            found = {"align": "right", **found, "num_format": NUMBER_FORMATS[word]}
        elif word.startswith("pool_"):
            pool = Pool(word.removeprefix("pool_"))
            found |= {"bg_color": POOL_TINT[pool], "left": 5, "left_color": POOL_FILL[pool], "bold": True}
        elif word.startswith("fill_"):
            pool = Pool(word.removeprefix("fill_"))
            found |= {
                "bg_color": POOL_FILL[pool],
                "font_color": POOL_TEXT[pool],
                "bold": True,
                "align": "right",
                "valign": "bottom",
                "text_wrap": True,
            }
        elif word.startswith("kind_"):
            found |= {"bg_color": COLORS[Kind(word.removeprefix("kind_"))], "align": "center", "font_size": 9}
            found |= {"font_color": "#0B0F14" if word == "kind_input" else "#FFFFFF", "bold": True}
        elif word.startswith("tint_"):
            found |= {"bg_color": POOL_TINT[Pool(word.removeprefix("tint_"))]}
        else:
            raise ValueError(f"no style word {word!r}")
    return found


LONGEST: Final = 32_000
"""Characters; a cell takes 32,767."""

_NOT_XML: Final = lazy_re("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


def safe_text(text: object) -> str:
    """The text without control characters and what XML cannot hold, lines joined, shortened with a note.

    What it says is kept: a name that begins with an equals sign stays one, since cells are written as text.
    """
    text = str(text)
    if text.isprintable() and len(text) <= LONGEST and not text.startswith("<r>"):
        return text
    kept = _NOT_XML.sub(
        "", text.replace("\r\n", " ").replace("\n", " ").replace("\r", " ").replace("\t", " ")
    )
    if kept.startswith("<r>") and kept.endswith("</r>"):
        kept += " "  # XlsxWriter passes such text through as the markup of a rich one
    return kept if len(kept) <= LONGEST else f"{kept[:LONGEST]}… (shortened from {len(kept):,} characters)"


EXCEL_TABLE_ROWS: Final = 20_000
"""A longer one gets a filter instead: tables take memory in the program that opens them."""

HEADING_CHARACTERS: Final = 255
"""Of a column of an Excel table."""


@dataclass(frozen=True, slots=True)
class Field:
    """One column of a table. style: see looks; width in characters; note: what a comment on the heading says."""

    key: str
    heading: Text
    style: str = "text"
    width: float = 12
    note: str = ""

    def noted(self, note: str) -> "Field":
        """The same column with a comment on its heading."""
        return replace(self, note=note)


SEAL: Final = Field("sealed", "Words as exported", "muted", 14)
"""The last column of a long table that is watched; it goes with its row wherever that is sorted to."""


def is_excel_table(rows: int, fields: Sequence[Field]) -> bool:
    """Whether a table becomes an Excel table, whose columns formulas call by name.

    Not one without rows, too long for the program that opens it, or with headings that are alike, too long or no plain
    line of text: there formulas say ranges.
    """
    headings = [str(field.heading).lower() for field in fields]
    are_names = all(0 < len(each) <= HEADING_CHARACTERS and each.isprintable() for each in headings)
    return 0 < rows <= EXCEL_TABLE_ROWS and are_names and len(set(headings)) == len(headings)


def column_specifier(heading: Text) -> str:
    """A column's heading as structured references spell it: in brackets of its own unless it is plain words.

    >>> column_specifier("GPUs"), column_specifier("Rate, $ per GPU-h")
    ('GPUs', '[Rate, $ per GPU-h]')
    """
    spelled = "".join(f"'{sign}" if sign in "[]#'" else sign for sign in str(heading))
    return spelled if spelled.isalnum() else f"[{spelled}]"


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
