"""Random damage to a text, the same for the same seed: other digits and letters, and odd texts in place of cells."""

import random
import re
from typing import Final

EDITS: Final = 6
ODD_CELLS: Final = (
    "",
    "N/A",
    "0",
    "-1",
    "1.5",
    "8",
    "40%",
    "Unknown",
    "2026-01-05T12:00:00",
    "1767600000",
    "gpu:h100:4",
    "x y",
    "00:30:00",
    "true",
)
_CELL: Final = re.compile(r'[^,;|\t\n":{}\[\]()=]+')


def damaged(text: str, seed: int) -> str:
    """Return a text with some changes below its first line. seed 0: as it is."""
    chance = random.Random(seed)
    for _ in range(EDITS if seed else 0):
        first = text.find("\n") + 1
        if first in (0, len(text)):  # a single line
            first = len(text) // 4
        if chance.random() < 0.4 and (cells := [*_CELL.finditer(text, first)]):
            cell = chance.choice(cells)
            text = text[: cell.start()] + chance.choice(ODD_CELLS) + text[cell.end() :]
            continue
        place = chance.randrange(first, len(text))
        if chance.random() < 0.08:  # a line that goes on in the next
            text = f"{text[:place]}\n{text[place:]}"
            continue
        letter = text[place]
        if letter.isdigit():
            letter = chance.choice("0123456789")
        elif letter.isalpha():
            letter = chance.choice(("", "x", letter.upper()))
        text = text[:place] + letter + text[place + 1 :]
    return text
