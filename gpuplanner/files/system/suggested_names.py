"""What a file is called before anyone says otherwise: titles and names of data, made a name that every system takes."""

import re
import unicodedata
from typing import Final

BYTES_AT_MOST: Final = 200
"""Of a whole name: systems take 255, and what is written beside it (backups, temporary files) adds to it."""
NAMELESS: Final = "gpuplanner"
_PARTS_PATHS: Final = str.maketrans(dict.fromkeys('<>:"/\\|?*', "-"))
"""Signs that a name may not have on one of the systems that files are handed around on."""
_RESERVED: Final = re.compile(
    r"(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *", re.IGNORECASE
)
"""Devices of Windows, with whatever ending."""


def file_name(title: str, suffix: str) -> str:
    """A title as a file's name that ends in `suffix`, which is ours; what no name may have is left out.

    Law: one part of a path, of at most `BYTES_AT_MOST` bytes; no control, bidi or unseen sign; no dot, dash, tilde or
    blank in front and no dot or blank at the end; no device of Windows; never nothing.

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
    """Whether a letter shows nothing: control characters and ends of lines and paragraphs."""
    return unicodedata.category(letter)[0] == "C" or unicodedata.category(letter) in ("Zl", "Zp")
