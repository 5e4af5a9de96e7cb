"""Lines that a text takes in cells of a width, by the widths of the letters of Arial."""

from typing import Final

_WIDTHS: Final = {
    191: "'",
    222: "ijl",
    278: " !,./:;I[]\\ft",
    333: "()-r",
    389: "*",
    469: "^",
    500: "ckJsvxyz",
    556: "abdeghnopqu0123456789$_?#L",
    584: "+<=>~",
    611: "FTZ",
    667: "ABEKPSVXY&",
    722: "CDHNRUw",
    778: "GOQ",
    833: "mM",
    944: "W",
    1000: "%@—",
}
"""Thousandths of the font's size, with the letters of that width."""
_WIDTH_OF: Final = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_OTHER: Final = 600
_BOLD: Final = 1.07
"""How much wider bold letters are."""
_POINTS_PER_CHARACTER: Final = 5.25
"""Of a column's width."""
_AROUND: Final = 11.0
"""Points that the edges of a cell and the indent take."""


def count_lines(text: str, width: float, *, points: float = 10.0, is_bold: bool = False) -> int:
    """Return how many lines a text takes.

    width: of the cells in characters. points: the font's size.

    >>> count_lines("Order 8 H100", 20.0), count_lines("Order 8 H100 for 12 months", 20.0)
    (1, 2)
    """
    room = max(10.0, width * _POINTS_PER_CHARACTER - _AROUND)
    size = points / 1000.0 * (_BOLD if is_bold else 1.0)
    lines, used = 1, 0.0
    for word in text.split(" "):
        step = size * sum(_WIDTH_OF.get(letter, _OTHER) for letter in word)
        blank = size * _WIDTH_OF[" "] if used else 0.0
        if used and used + blank + step > room:
            lines, used, blank = lines + 1, 0.0, 0.0
        used += blank + step
        more = int(used // room) if used > room else 0
        lines, used = lines + more, used - more * room
    return lines
