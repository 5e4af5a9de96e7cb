"""One cell as the XML of a sheet: a formula with its value, a number, or text that never becomes a formula."""

import re
from typing import Final

from gpuplanner.files.workbook.kit.expressions import Value

_SPELLED_CHARACTER: Final = re.compile("_(x[0-9a-fA-F]{4}_)")
"""What spreadsheets read as a character spelled by its number; its underscore is spelled itself."""


def formula_cell(reference: str, style: int, formula: str, value: Value) -> str:
    """A formula without its equals sign, and what it comes to. reference: as A1; style: the format's number."""
    text = escaped(formula)
    if isinstance(value, str):
        return f'<c r="{reference}" s="{style}" t="str"><f>{text}</f><v>{escaped(value)}</v></c>'
    return f'<c r="{reference}" s="{style}"><f>{text}</f><v>{value}</v></c>'


def number_cell(reference: str, style: int, value: float) -> str:
    """A number."""
    return f'<c r="{reference}" s="{style}"><v>{value:.16G}</v></c>'


def text_cell(reference: str, style: int, text: str) -> str:
    """Text (safe_text) as it is, its spaces kept."""
    kept = escaped(text)
    if "_x" in kept:
        kept = _SPELLED_CHARACTER.sub(r"_x005F_\1", kept)
    space = ' xml:space="preserve"' if text[:1] == " " or text[-1:] == " " else ""
    return f'<c r="{reference}" s="{style}" t="inlineStr"><is><t{space}>{kept}</t></is></c>'


def blank_cell(reference: str, style: int) -> str:
    """A cell with a look and nothing in it."""
    return f'<c r="{reference}" s="{style}"/>'


def escaped(text: str) -> str:
    """Text inside an element."""
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "<" in text:
        text = text.replace("<", "&lt;")
    return text.replace(">", "&gt;") if ">" in text else text
