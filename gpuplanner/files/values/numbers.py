"""Exact numbers, and no numbers of a million digits from a short text."""

from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Final

TEXTS_KEPT: Final = 2**16
"""Cells whose readings are cached, because tables repeat themselves."""

_LONGEST_NUMBER: Final = 60
_LARGEST_EXPONENT: Final = 30


@lru_cache(maxsize=TEXTS_KEPT)
def read_decimal(text: str) -> Decimal | None:
    """Parse a plain decimal number (1, 0.5, 1e3); None for other text and for absurd numbers.

    >>> read_decimal("0.50"), read_decimal("1e999999999"), read_decimal("nan")
    (Decimal('0.50'), None, None)
    """
    cleaned = text.strip()
    if len(cleaned) > _LONGEST_NUMBER or "_" in cleaned:  # Decimal reads 1_000, but no table means it
        return None
    try:
        number = Decimal(cleaned)
    except InvalidOperation:
        return None
    return None if not number.is_finite() or abs(number.adjusted()) > _LARGEST_EXPONENT else number
