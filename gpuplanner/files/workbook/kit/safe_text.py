"""Text from logs, made safe for a cell: printable, of a length that a cell takes, never a formula."""

import re
from typing import Final

LONGEST: Final = 32_000
"""Characters; a cell takes 32,767."""

_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


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
    if len(kept) <= LONGEST:
        return kept
    return f"{kept[:LONGEST]}… (shortened from {len(kept):,} characters)"
