"""The design of the workbook: styles, columns, watched cells, and text that is safe in a cell."""

from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from json import loads
from typing import Any, Final

from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import plain_table, rows_of
from gpuplanner.files.workbook.kit.expressions import DASH, Value
from gpuplanner.files.workbook.kit.sheets import COLORS, Group
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

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
"""By kind of figure. The unit is in the heading. Dates are UTC."""
MONEY_SIGN: Final = '"$"'
"""In a number format: the sign of the book's currency."""

STYLES: Final[dict[str, dict[str, Any]]] = {
    style: {row["property"]: loads(row["value"]) for row in rows if row["property"]}
    for style, rows in grouped((row["style"], row) for row in rows_of("workbook_styles.csv")).items()
}
"""By name: the properties of a cell."""

INPUT_FILL, INPUT_TEXT = (str(STYLES["input"][key]) for key in ("bg_color", "font_color"))
FIXED_FILL: Final[str] = STYLES["fixed"]["bg_color"]


IN_FRONT_TABLES: Final = frozenset(("line", "front_heading", "front_total"))
"""Style words of cells that keep a distance from the next column."""


@cache
def is_yellow(style: str) -> bool:
    """Whether a cell of a style is an input that the reader may change."""
    return "input" in style.split(".")


@cache
def is_watched(style: str) -> bool:
    """Return whether a cell of a style is an input: one that the reader may change, or only the app may.

    >>> is_watched("rate.input"), is_watched("count.fixed"), is_watched("rate")
    (True, True, False)
    """
    return is_yellow(style) or "fixed" in style.split(".")


def style_properties(style: str) -> dict[str, Any]:
    """Return the cell format behind a style's name.

    A style is words joined by dots: a name of STYLES, a kind of NUMBER_FORMATS, `input` for cells that the reader may
    change (yellow with blue figures, not locked), `fixed` for cells that only the app may change (gray, locked),
    `total` for a sum; `own` for cells that the reader may write and no figure reads; `pool_training` (tint and a
    strip), `fill_training`, `tint_training` and so on for pools, `tab_input` and so on for groups of sheets.
    """
    properties: dict[str, Any] = {**FONT}
    for word in style.split("."):
        if word in STYLES:
            properties |= STYLES[word]
        elif word in NUMBER_FORMATS:
            properties = {"align": "right", **properties, "num_format": NUMBER_FORMATS[word]}
        elif word.startswith("pool_"):
            pool = Pool(word.removeprefix("pool_"))
            properties |= {
                "bg_color": POOL_TINT[pool],
                "left": 5,
                "left_color": POOL_FILL[pool],
                "bold": True,
            }
        elif word.startswith("fill_"):
            pool = Pool(word.removeprefix("fill_"))
            properties |= {
                "bg_color": POOL_FILL[pool],
                "font_color": POOL_TEXT[pool],
                "bold": True,
                "align": "right",
                "valign": "bottom",
                "text_wrap": True,
            }
        elif word.startswith("tab_"):
            properties |= {"bg_color": COLORS[Group(word.removeprefix("tab_"))]}
        elif word.startswith("tint_"):
            properties |= {"bg_color": POOL_TINT[Pool(word.removeprefix("tint_"))]}
        else:
            raise ValueError(f"no style word {word!r}")
    words = set(style.split("."))
    is_indented = "date" not in words or "left" in words  # a date on the right has no room to spare
    if words & IN_FRONT_TABLES and is_indented and properties.get("align") != "center":
        properties = {"align": "left", **properties, "indent": 1}
    return properties


LONGEST: Final = 32_000
"""Characters; a cell takes 32,767."""

_NOT_XML: Final = lazy_re("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


def safe_text(text: object) -> str:
    """Return the text without control characters and characters that XML forbids, on one line, shortened with a note.

    The text keeps its meaning: a name that begins with an equals sign stays a name, since cells are written as text.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One column of a table. style: see `style_properties`; width in characters; note: the comment on the heading."""

    key: str
    heading: Text
    style: str = "text"
    width: float = 12
    note: str = ""

    def noted(self, note: str) -> "Field":
        """Return the same column with a comment on its heading."""
        return replace(self, note=note)


SEAL: Final = Field(key="sealed", heading="Words as exported", style="muted", width=14)
"""The last column of a long table that is watched. It moves with its row if the reader sorts the table."""


def is_excel_table(rows: int, fields: Sequence[Field]) -> bool:
    """Return whether a table becomes an Excel table. Formulas refer to its columns by name.

    Not if it has no rows, is too long for the program that opens it, or has headings that are alike, too long or no
    plain line of text. Formulas use ranges there.
    """
    headings = [str(field.heading).lower() for field in fields]
    are_names = all(0 < len(each) <= HEADING_CHARACTERS and each.isprintable() for each in headings)
    return 0 < rows <= EXCEL_TABLE_ROWS and are_names and len(set(headings)) == len(headings)


def column_specifier(heading: Text) -> str:
    """Return a column's heading as structured references spell it: in brackets of its own unless it is plain words.

    >>> column_specifier("GPUs"), column_specifier("Rate, $ per GPU-h")
    ('GPUs', '[Rate, $ per GPU-h]')
    """
    spelled = "".join(f"'{sign}" if sign in "[]#'" else sign for sign in str(heading))
    return spelled if spelled.isalnum() else f"[{spelled}]"


SEAL_CHARACTERS: Final = 200
"""Of each word in the seal of a row."""
SEAL_BETWEEN: Final = "|"


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """The watched cells of a table. Its inputs are always watched.

    title: of the table in messages of the light (default: the sheet's title). named_by: the columns that name a row to
    a reader (default: the first). values: whether all columns with values are watched, too. columns: the watched
    columns of a long table. number: the column of row numbers from 1, which finds a row in any order; "" if a row is
    found by its place.
    """

    title: str = ""
    named_by: tuple[str, ...] = ()
    values: bool = False
    columns: frozenset[str] = frozenset()
    number: str = ""


NO_LIMIT: Final = 1e300
UNKNOWN_WORDS: Final = (DASH, "quote needed", "not set", "no")
"""Words that may replace a number if the number may be unknown."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The range of an input's number, both ends included. or_unknown: one of UNKNOWN_WORDS is allowed, too."""

    low: float = 0.0
    high: float = NO_LIMIT
    or_unknown: bool = False


class Origin(IntEnum):
    """The origin of a cell's content."""

    EMPTY = 0
    VALUE = 1
    FORMULA = 2
    INPUT = 3
    EMPTY_INPUT = 4
    INPUT_FORMULA = 5


INPUTS: Final = (Origin.INPUT, Origin.EMPTY_INPUT, Origin.INPUT_FORMULA)


@dataclass(slots=True)
class ColumnTotals:
    """The sum of a column of a long table, each row weighted by its number from 1.

    amount: of its numbers; numbers: the rows with a number; letters: the lengths of its texts.
    """

    amount: float = 0.0
    numbers: float = 0.0
    letters: float = 0.0

    def add(self, place: int, value: Value) -> None:
        """Add the next row's value."""
        if isinstance(value, str):
            self.letters += (place + 1) * len(value)
        else:
            self.amount += (place + 1) * value
            self.numbers += place + 1


def sealed(words: Sequence[str]) -> str:
    """Return the words of a row as one text.

    >>> sealed(["chat", "Inference"])
    'chat|Inference'
    """
    return SEAL_BETWEEN.join(word[:SEAL_CHARACTERS] for word in words)
