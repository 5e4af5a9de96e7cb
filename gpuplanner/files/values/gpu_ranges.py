"""Ranges of counts as price lists write their volume tiers: `1-63`, `64 to 255 GPUs`, `256+`, `up to 63`."""

from functools import lru_cache
from typing import Final, NamedTuple

from gpuplanner.lazy_re import lazy_re


class GpuRange(NamedTuple):
    """First and last count of a tier, None where it is open, and the words behind them: what is counted."""

    low: int | None
    high: int | None
    counted: str


_NUMBER: Final = r"(\d{1,3}(?:[,.' ]\d{3})+|\d{1,7})"
_TO: Final = (
    r"\s*(?:-|–|—|\.\.\.?|…|\bto\b|\bbis\b|\bà\b|\buntil\b|\bthrough\b|\ba\b|\band\b|\bund\b|\bet\b)\s*"
)
_COUNTED: Final = r"[ ]?([^\W\d_][^\d]*?)?"
_BOTH: Final = lazy_re(
    rf"(?i)(?:from|von|de|between|zwischen|entre)?\s*{_NUMBER}{_COUNTED}{_TO}{_NUMBER}{_COUNTED}"
)
_FROM: Final = lazy_re(
    rf"(?i)(?:from|ab|von|à partir de|dès|at least|min(?:imum|\.)?|mindestens|au moins|>=|≥)"
    rf"\s*{_NUMBER}{_COUNTED}\s*\+?"
)
_ABOVE: Final = lazy_re(rf"(?i)(?:over|above|more than|über|mehr als|plus de|>)\s*{_NUMBER}{_COUNTED}")
_OPEN: Final = lazy_re(
    rf"(?i){_NUMBER}{_COUNTED}\s*(?:\+|(?:and|or|und|oder|et|ou)\s+(?:more|above|up|over|higher|mehr|höher|plus)|upwards?)"
    rf"{_COUNTED}"
)
_UP_TO: Final = lazy_re(
    rf"(?i)(?:up to|until|to|max(?:imum|\.)?|at most|bis(?: zu)?|höchstens|jusqu'à|jusqu’à|au plus|<=|≤)"
    rf"\s*{_NUMBER}{_COUNTED}"
)
_BELOW: Final = lazy_re(
    rf"(?i)(?:under|below|less than|fewer than|unter|weniger als|moins de|<)\s*{_NUMBER}{_COUNTED}"
)


@lru_cache(maxsize=4096)
def read_range(text: str) -> GpuRange | None:
    """Return the range that a cell is; None for a bare number and for anything else.

    >>> read_range("1-63"), read_range("64 to 255 GPUs")
    (GpuRange(low=1, high=63, counted=''), GpuRange(low=64, high=255, counted='GPUs'))
    >>> read_range("256+")[:2], read_range("from 256 GPUs")[:2], read_range("up to 63")[:2], read_range("<64")[:2]
    ((256, None), (256, None), (None, 63), (None, 63))
    >>> read_range("> 255 nodes"), read_range("64"), read_range("H100-80"), read_range("2026-12-01")
    (GpuRange(low=256, high=None, counted='nodes'), None, None, None)
    """
    text = " ".join(text.replace("(", " ").replace(")", " ").split())
    if match := _BOTH.fullmatch(text):
        low, high = _whole(match[1]), _whole(match[3])
        return GpuRange(low, high, (match[4] or match[2] or "").strip()) if low <= high else None
    if match := _FROM.fullmatch(text):
        return GpuRange(_whole(match[1]), None, (match[2] or "").strip())
    if match := _ABOVE.fullmatch(text):
        return GpuRange(_whole(match[1]) + 1, None, (match[2] or "").strip())
    if match := _OPEN.fullmatch(text):
        return GpuRange(_whole(match[1]), None, (match[2] or match[3] or "").strip())
    if match := _UP_TO.fullmatch(text):
        return GpuRange(None, _whole(match[1]), (match[2] or "").strip())
    if match := _BELOW.fullmatch(text):
        return GpuRange(None, _whole(match[1]) - 1, (match[2] or "").strip())
    return None


def _whole(text: str) -> int:
    """Return a count without the signs between its thousands."""
    return int("".join(letter for letter in text if letter.isdigit()))
