"""Numbers with a decimal comma, thousands or gaps (1.234,5): the same forms for the engine and for Python."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.message import NO_WORDS, Message, worded
from gpuplanner.files.values.amounts import COMMA, POINT, decide_style, styles_of
from gpuplanner.files.values.numbers import read_decimal

STYLES: Final = (COMMA, POINT)
"""What a unit of --map may end in: `h:comma` are hours with a decimal comma."""

STYLE_TITLES: Final = {COMMA: worded("as 1,5"), POINT: worded("as 1.5")}
"""How a style is shown: by a number."""

_GAP: Final = "'’ \u00a0\u2007\u2009\u202f"
_FORMS: Final = {
    COMMA: rf"^\s*[-+]?([0-9]{{1,3}}([.{_GAP}][0-9]{{3}})+|[0-9]+)(,[0-9]*)?\s*$",
    POINT: rf"^\s*[-+]?([0-9]{{1,3}}([,{_GAP}][0-9]{{3}})+|[0-9]+)([.][0-9]*)?\s*$",
}
_LEFT_OUT: Final = {COMMA: f"[.\\s{_GAP}]", POINT: f"[,\\s{_GAP}]"}
_INDICES_BELOW: Final = 16  # of GPUs in one node
_PAIR: Final = re.compile(r"\s*(\d{1,2}),([1-9]\d?)\s*")
_LIST: Final = re.compile(r"\s*[\[({]?\s*\w[\w:-]*\s*([,;]\s*\w[\w:-]*\s*){2,}[\])}]?\s*")
_SHARES: Final = frozenset(("5", "25", "75", "125"))
"""What stands behind the comma of shares of GPUs."""


@dataclass(frozen=True, slots=True)
class ColumnStyle:
    """How the numbers of a column are written. style: empty where plain; note: what stays open, in words."""

    style: str = ""
    note: Message = NO_WORDS


def column_style(texts: Sequence[str], *, may_list: bool = False, elsewhere: str = "") -> ColumnStyle:
    """The column decides as a whole. texts: those that say something; elsewhere: the style of other columns.

    may_list: they may name GPUs one by one (0,1), which is no number.

    >>> column_style(["64,0", "8"]).style, column_style(["0,1,2,3", "0,1"], may_list=True).style
    ('comma', '')
    """
    odd = [text for text in texts if read_decimal(text) is None]
    if may_list and any(_LIST.fullmatch(text) and not styles_of(text) for text in odd):
        return ColumnStyle()
    if may_list and elsewhere != COMMA and odd and all(map(_are_indices, odd)):
        return _shares_or_indices(odd)
    style, is_open = decide_style(texts)
    if is_open and not elsewhere and odd:
        return ColumnStyle(
            POINT,
            worded(
                "{value} may mean thousands or decimals; it was read with a decimal point", value=odd[0][:40]
            ),
        )
    style = elsewhere if is_open else style or ""
    is_needed = style and any(plain_number(text, style) != text.strip() for text in texts)
    return ColumnStyle(style if is_needed else "")


def _are_indices(text: str) -> bool:
    """Whether a text may name two GPUs of a node: 0,5 does, 64,0 and 2,50 do not."""
    found = _PAIR.fullmatch(text)
    return found is not None and int(found[1]) < int(found[2]) < _INDICES_BELOW


def _shares_or_indices(odd: Sequence[str]) -> ColumnStyle:
    """The style of a column with texts like 0,5.

    A decimal comma if all are usual shares, else a list of GPUs.
    """
    if {text.strip().partition(",")[2] for text in odd} <= _SHARES:
        note = worded("0,5 was taken as half a GPU; change the unit if it lists the GPUs 0 and 5")
        return ColumnStyle(COMMA, note)
    return ColumnStyle()


def plain_number(text: str, style: str) -> str:
    """The text of a number in a style as a plain one; any other text as it is.

    >>> plain_number("1.234,5", "comma"), plain_number("1,024", "point"), plain_number("0,1,2", "comma")
    ('1234.5', '1024', '0,1,2')
    """
    if not style or not re.match(_FORMS[style], text):
        return text
    return re.sub(_LEFT_OUT[style], "", text).replace(",", ".")


def plain_sql(column: str, style: str) -> str:
    """SQL: the same of a column.

    style: as `plain_number`; empty leaves the column as it is. A text that is no number in the style stays
    too.
    """
    if not style:
        return column
    form, left_out = _FORMS[style].replace("'", "''"), _LEFT_OUT[style].replace("'", "''")
    plain = f"replace(regexp_replace({column}, '{left_out}', '', 'g'), ',', '.')"
    return f"case when regexp_matches({column}, '{form}') then {plain} else {column} end"
