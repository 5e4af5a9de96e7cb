"""Default names of files: titles and names from data, made valid on every system."""

import unicodedata
from typing import Final

from gpuplanner.lazy_re import lazy_re

BYTES_AT_MOST: Final = 200
"""Of a whole name: systems allow 255, and related files (backups, temporary files) have longer names."""
NAMELESS: Final = "gpuplanner"
_PARTS_PATHS: Final = str.maketrans(dict.fromkeys('<>:"/\\|?*', "-"))
"""Characters that are not allowed on one of the usual systems."""
_RESERVED: Final = lazy_re(
    r"(?i)(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *"
)
"""Devices of Windows, with any suffix."""


def file_name(title: str, suffix: str) -> str:
    """Return a file name from a title and our `suffix`, without characters that are not allowed.

    Law: one part of a path, at most `BYTES_AT_MOST` bytes; no control, bidi or invisible character; no dot, dash, tilde
    or space at the start and no dot or space at the end; no device of Windows; never empty.

    >>> file_name("../../x", ".png"), file_name("CON", ".csv"), file_name("R&D: Q3", " brief.pdf")
    ('x.png', 'CON_.csv', 'R&D- Q3 brief.pdf')
    """
    seen = (" " if _is_unseen(letter) else letter for letter in unicodedata.normalize("NFC", title))
    words = " ".join("".join(seen).translate(_PARTS_PATHS).split())
    room = BYTES_AT_MOST - len(suffix.encode()) - 1
    stem = words.lstrip(".-~ ").encode()[:room].decode(errors="ignore").rstrip(". ") or NAMELESS
    before, dot, after = stem.partition(".")
    is_whole = bool(dot) or suffix.startswith(".")
    return f"{before}_{dot}{after}{suffix}" if is_whole and _RESERVED.fullmatch(before) else stem + suffix


def _is_unseen(letter: str) -> bool:
    """Return whether a character is invisible: a control character, or the end of a line or paragraph."""
    return unicodedata.category(letter)[0] == "C" or unicodedata.category(letter) in ("Zl", "Zp")
