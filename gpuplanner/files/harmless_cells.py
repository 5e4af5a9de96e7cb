"""Cells of tables that we write: no text in them begins a formula for a spreadsheet program, and all is read back."""

from typing import Final

_BEGINS_FORMULA: Final = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"


def harmless(text: str) -> str:
    """Text that a spreadsheet program takes for no formula; a text in quotes of ours gets another, to be read back."""
    return f"'{text}" if _begins_formula(text.lstrip("'")) else text


def as_written(text: str) -> str:
    """What `harmless` was given."""
    return text[1:] if text.startswith("'") and _begins_formula(text.lstrip("'")) else text


def _begins_formula(text: str) -> bool:
    begins = text.lstrip(" \ufeff\u00a0")[:1]
    return bool(begins) and begins in _BEGINS_FORMULA
