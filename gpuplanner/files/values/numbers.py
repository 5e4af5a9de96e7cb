"""Numbers as people write them, exactly, and without letting a short text become a number of a million digits."""

from decimal import Decimal, InvalidOperation
from typing import Final

_LONGEST_TEXT: Final = 60
_LARGEST_EXPONENT: Final = 30


def read_decimal(text: str) -> Decimal | None:
    """A plain decimal number (1, 0.5, 1e3); None where it is none, or none that could be meant.

    >>> read_decimal("0.50"), read_decimal("1e999999999"), read_decimal("nan")
    (Decimal('0.50'), None, None)
    """
    cleaned = text.strip()
    if len(cleaned) > _LONGEST_TEXT or "_" in cleaned:  # Decimal reads 1_000, nobody else does
        return None
    try:
        number = Decimal(cleaned)
    except InvalidOperation:
        return None
    if not number.is_finite() or abs(number.adjusted()) > _LARGEST_EXPONENT:
        return None
    return number
