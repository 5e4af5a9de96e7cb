"""Numbers with a decimal comma, thousands or gaps (1.234,5): the same forms for the engine and for Python."""

import re
from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.message import NO_WORDS, Message, worded
from gpuplanner.files.system.engine import sql_text
from gpuplanner.files.values.amounts import COMMA, POINT, decide_style, styles_of
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

STYLES: Final = (COMMA, POINT)
"""Suffix of a unit in --map: `h:comma` means hours with a decimal comma."""

STYLE_TITLES: Final = {COMMA: worded("as {number}", number="1,5"), POINT: worded("as {number}", number="1.5")}
"""Examples of the styles, for display."""

_GAP: Final = "'’ \u00a0\u2007\u2009\u202f"
_NUMBER_FORMS: Final = {
    COMMA: rf"^\s*[-+]?([0-9]{{1,3}}([.{_GAP}][0-9]{{3}})+|[0-9]+)(,[0-9]*)?\s*$",
    POINT: rf"^\s*[-+]?([0-9]{{1,3}}([,{_GAP}][0-9]{{3}})+|[0-9]+)([.][0-9]*)?\s*$",
}
_LEFT_OUT: Final = {COMMA: f"[.\\s{_GAP}]", POINT: f"[,\\s{_GAP}]"}
_INDICES_BELOW: Final = 16  # of GPUs in one node
_PAIR: Final = lazy_re(r"\s*(\d{1,2}),([1-9]\d?)\s*")
_LIST: Final = lazy_re(r"\s*[\[({]?\s*\w[\w:-]*\s*([,;]\s*\w[\w:-]*\s*){2,}[\])}]?\s*")
_SHARES: Final = frozenset(("5", "25", "75", "125"))
"""Decimals in usual shares of GPUs."""


@dataclass(frozen=True, slots=True)
class ColumnStyle:
    """Number style of a column. style: "" for plain numbers. note: an open question, in words."""

    style: str = ""
    note: Message = NO_WORDS


def column_style(texts: Sequence[str], *, may_list: bool = False, elsewhere: str = "") -> ColumnStyle:
    """Return the number style of a whole column. texts: its cells that are not empty.

    may_list: cells may list GPUs (0,1), which is no number. elsewhere: style of other columns.

    >>> column_style(["64,0", "8"]).style, column_style(["0,1,2,3", "0,1"], may_list=True).style
    ('comma', '')
    """
    odd = [text for text in texts if read_decimal(text) is None]
    if may_list and any(_LIST.fullmatch(text) and not styles_of(text) for text in odd):
        return ColumnStyle()
    if may_list and elsewhere != COMMA and odd and all(map(_are_indices, odd)):
        # 0,5 is half a GPU if all are usual shares, otherwise a list of GPUs
        if {text.strip().partition(",")[2] for text in odd} <= _SHARES:
            note = worded("0,5 read as half a GPU; for GPUs 0 and 5, change the unit")
            return ColumnStyle(COMMA, note)
        return ColumnStyle()
    style, is_open = decide_style(texts)
    if is_open and not elsewhere and odd:
        return ColumnStyle(
            POINT, worded("{value} is ambiguous; read with a decimal point", value=odd[0][:40])
        )
    style = elsewhere if is_open else style or ""
    is_needed = style and any(plain_number(text, style) != text.strip() for text in texts)
    return ColumnStyle(style if is_needed else "")


def _are_indices(text: str) -> bool:
    """Return whether a text may name two GPUs of a node: 0,5 does, 64,0 and 2,50 do not."""
    match = _PAIR.fullmatch(text)
    return match is not None and int(match[1]) < int(match[2]) < _INDICES_BELOW


def plain_number(text: str, style: str) -> str:
    """Return a number in a style as a plain number; other text is unchanged.

    >>> plain_number("1.234,5", "comma"), plain_number("1,024", "point"), plain_number("0,1,2", "comma")
    ('1234.5', '1024', '0,1,2')
    """
    if not style or not re.match(_NUMBER_FORMS[style], text):
        return text
    return re.sub(_LEFT_OUT[style], "", text).replace(",", ".")


def plain_sql(column: str, style: str) -> str:
    """Return SQL for `plain_number` of a column.

    style: as for `plain_number`; empty leaves the column unchanged.
    """
    if not style:
        return column
    form, left_out = sql_text(_NUMBER_FORMS[style]), sql_text(_LEFT_OUT[style])
    plain = f"replace(regexp_replace({column}, {left_out}, '', 'g'), ',', '.')"
    return f"case when regexp_matches({column}, {form}) then {plain} else {column} end"
