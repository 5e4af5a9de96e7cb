"""How the book looks: its sheets, styles, columns, what of a table is watched, text that is safe in a cell."""

from collections.abc import Mapping, Sequence
from enum import IntEnum, StrEnum
from functools import cache
from typing import Any, Final

from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import rows_of
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

SHEETS: Final = (
    Sheet("Cover", Kind.CONTROL, "what this book is, contents, key of cells, changes"),
    Sheet(SUMMARY, Kind.OUTPUT, "every total, the twelve months, clusters and pools, charts"),
    Sheet("Commitment", Kind.INPUT, "the list of orders, the layers of the first month, idle contracts"),
    Sheet("Comparison", Kind.OUTPUT, "twelve months: do nothing, and the plan, a sum over its orders"),
    Sheet(
        "Advice", Kind.OUTPUT, "savings by step, price paths, range, calendar months, what it binds, unserved"
    ),
    Sheet("Terms", Kind.OUTPUT, "each workload beside its commitment; spot, reserved, on demand by class"),
    Sheet("Quotes", Kind.OUTPUT, "what vendors were asked for, what they quoted, what it changes"),
    Sheet("FOCUS", Kind.OUTPUT, "all certain orders as FOCUS 1.3 contract commitments"),
    Sheet("Assumptions", Kind.INPUT, "the window, every assumption as a named cell, rates of exchange"),
    Sheet("Contracts", Kind.INPUT, "what exists: GPUs, rates and dates; its use; when it ends", False),
    Sheet("Prices", Kind.INPUT, "offers with their rates, and who may use which", False),
    Sheet(
        "Workloads", Kind.CALCULATION, "what each is, where it stands, what it costs today and in the plan"
    ),
    Sheet(
        DATES, Kind.CALCULATION, "the parts of months, what begins, ends and steps, and work that no log has"
    ),
    Sheet(
        "Pools", Kind.CALCULATION, "demand of each pool and GPU model, load duration, what the plan costs it"
    ),
    Sheet("Demand", Kind.CALCULATION, "one row per hour of the log: what was asked, what was served"),
    Sheet("Audit", Kind.OUTPUT, "the window by cluster, GPU model, team and hour of the week"),
    Sheet(
        "Chargeback",
        Kind.OUTPUT,
        "who pays for the window: teams with their budgets, and what each workload adds",
    ),
    Sheet("Leaks", Kind.OUTPUT, "what is paid and does nothing: each leak and what is behind it"),
    Sheet("Hardware", Kind.OUTPUT, "each workload beside what it needs of hardware, as values"),
    Sheet("Training", Kind.OUTPUT, "runs that are stated: memory, hours, $ on every GPU model, as values"),
    Sheet("Waiting", Kind.OUTPUT, "how long jobs wait today, on the plan and on sizes, as values"),
    Sheet("Inference", Kind.OUTPUT, "endpoints that were sized: requests, replicas, GPUs, $, as values"),
    Sheet("Placement", Kind.OUTPUT, "the way to users over cities and sites, as values"),
    Sheet("Checks", Kind.CONTROL, "control totals; the app's figures beside those of this book"),
    Sheet("Exported", Kind.CONTROL, "what every input was at the export, and what was changed since"),
    Sheet("Provenance", Kind.CONTROL, "files read with their fingerprints, versions, decisions"),
    Sheet("Method", Kind.CONTROL, "how figures are worked out, and what the app alone works out"),
)
"""The tabs, in order."""


FONT: Final = {"font_name": "Calibri", "font_size": 10, "font_color": "#1A1E26", "valign": "vcenter"}
MUTED: Final = "#596170"
SURFACE: Final = "#F7F8FA"
INPUT_FILL: Final = "#FFF4B8"
INPUT_TEXT: Final = "#0B3FC1"
FIXED_FILL: Final = "#E4E7EC"
RED: Final = "#C02A2A"
AMBER: Final = "#8A5B06"
GREEN: Final = "#1B753F"

POOL_FILL: Final = {Pool.TRAINING: "#1F58AE", Pool.INFERENCE: "#0F9484", Pool.BURST: "#C96F04"}
POOL_TEXT: Final = {Pool.TRAINING: "#FFFFFF", Pool.INFERENCE: "#0B0F14", Pool.BURST: "#0B0F14"}
POOL_TINT: Final = {Pool.TRAINING: "#EBF0F8", Pool.INFERENCE: "#E9F5F4", Pool.BURST: "#FAF2E8"}


def _signed(positive: str, zero: str = "") -> str:
    """A number format whose minus is a true minus sign, quoted as spreadsheets want it."""
    return f'{positive};"−"{positive}' + (f";{zero}" if zero else "")


NUMBER_FORMATS: Final = {
    "usd": _signed("#,##0", "0"),
    "change": '+#,##0;"−"#,##0;0',
    "rate": _signed("#,##0.00##"),
    "gpus": _signed("#,##0.0##"),
    "mean": _signed("#,##0.0", "0.0"),
    "hours": _signed("#,##0", "0"),
    "hourly": _signed("#,##0.00"),
    "until": '[>=1000000000]"no end";General',
    "count": "0",
    "ratio": _signed("0.0%"),
    "percent": _signed("0.0"),
    "now_usd": '"now "#,##0;"now −"#,##0',
    "now_ratio": '"now "0.0%;"now −"0.0%',
    "now_months": '"now "0.0;"now −"0.0',
    "today_usd": '+#,##0" vs today";"−"#,##0" vs today"',
    "months": _signed("0.0"),
    "number": "General",
    "amount": _signed("#,##0.0000", "0"),
    "small": "0.0E+00",
    "date": "d mmm yyyy",
    "month": "mmmm yyyy",
    "moment": "d mmm yyyy hh:mm",
}
"""By kind of figure; the unit stands in the heading. Dates are UTC."""

DIVIDED: Final = {"left": 1, "left_color": "#D3D8E0", "right": 1, "right_color": "#D3D8E0"}
"""Between headings, which fill their columns: else neighbours read as one."""

STYLES: Final[dict[str, dict[str, Any]]] = {
    "title": {"bold": True, "font_size": 18},
    "section": {"bold": True, "font_size": 12},
    "label": {"bold": True},
    "figure": {"bold": True, "font_size": 16, "align": "left"},
    "now": {"font_color": MUTED, "align": "left"},
    "indent": {"indent": 1, "align": "left"},
    "note": {"font_color": MUTED},
    "wrapped": {"text_wrap": True, "valign": "top"},
    "heading": {
        "bold": True,
        "text_wrap": True,
        "valign": "bottom",
        "bg_color": SURFACE,
        "bottom": 1,
        "bottom_color": "#7D8695",
        **DIVIDED,
    },
    "heading_right": {
        "bold": True,
        "text_wrap": True,
        "valign": "bottom",
        "align": "right",
        "bg_color": SURFACE,
        "bottom": 1,
        "bottom_color": "#7D8695",
        **DIVIDED,
    },
    "text": {},
    "top": {"valign": "top"},
    "legend": {"locked": True, "font_size": 9, "align": "center"},
    "link": {"font_color": "#4B45C6", "underline": 1},
    "muted": {"font_color": MUTED},
    "muted_right": {"font_color": MUTED, "align": "right"},
    "strong": {"bold": True},
    "light": {"bold": True, "font_size": 12},
    "cover": {"bold": True, "font_size": 26},
    "subtitle": {"font_color": MUTED, "font_size": 13},
    "own": {"border": 4, "border_color": "#7D8695", "locked": False},
    "right": {"align": "right"},
}


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
        elif word == "input":
            found |= {
                "bg_color": INPUT_FILL,
                "font_color": INPUT_TEXT,
                "border": 1,
                "border_color": "#7D8695",
                "locked": False,
            }
        elif word == "fixed":
            found |= {"bg_color": FIXED_FILL}
        elif word == "total":
            found |= {"bold": True, "top": 1, "top_color": "#7D8695"}
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


@cache
def _fields() -> Mapping[str, list[Field]]:
    rows = rows_of("sheet_fields.csv")
    return grouped(
        (row["table"], Field(row["key"], row["heading"], row["style"], int(row["width"]), row["note"]))
        for row in rows
    )


def fields_of(table: str) -> tuple[Field, ...]:
    """Columns of a table, of resources/sheet_fields.csv. Errors: KeyError for a table that it does not have."""
    return tuple(_fields()[table])


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
