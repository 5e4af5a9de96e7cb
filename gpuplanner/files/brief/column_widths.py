"""How wide the columns of a brief's tables are: by what stands in them, so that no word is cut."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from gpuplanner.domain.brief.pages import TableBlock
from gpuplanner.domain.model.money_signs import SIGNS

UNBROKEN: Final = 16
"""A cell of so few characters stays on one line: dates, terms, names of pools."""
LONGEST_PIECE: Final = 22
"""Characters of a word that a column makes room for; a longer one is broken."""
LONGEST_CELL: Final = 160
"""Characters of a cell; names from logs may be of any length, and are cut with a mark after so many."""
_PIECES: Final = re.compile(r"[^-_/.:,]*[-_/.:,]+|[^-_/.:,]+")
Measure = Callable[[str], float]


def word_pieces(word: str, room: float, measure: Measure) -> list[str]:
    """A word in pieces that have room: broken after its separators, else wherever it has to be."""
    if measure(word) <= room:
        return [word]
    pieces = [""]
    for part in _PIECES.findall(word):
        for bit in [part] if measure(part) <= room else part:
            if pieces[-1] and measure(pieces[-1] + bit) > room:
                pieces.append(bit)
            else:
                pieces[-1] += bit
    return pieces


def broken(text: str, room: float, measure: Measure) -> list[str]:
    """Lines of a text in a room: broken at blanks, and in words that are wider than it."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if measure(longer) <= room:
            lines[-1] = longer
            continue
        pieces = word_pieces(word, room, measure)
        lines[-1:] = pieces if not lines[-1] else [lines[-1], *pieces]
    return lines


def column_widths(table: TableBlock, width: float, padding: float, measure: Measure) -> list[float]:
    """Widths that make up `width`. Numbers and short cells are whole; what is left goes to those with more to say."""
    least, natural = _needs(table, padding, measure)
    if sum(natural) <= width:
        return _spread(natural, width, [column.share for column in table.columns])
    if sum(least) <= width:
        wishes = [most - some for most, some in zip(natural, least, strict=True)]
        return _spread(least, width, wishes)
    return [each * width / sum(least) for each in least]


def table_widths(tables: Sequence[TableBlock], width: float, padding: float, measure: Measure) -> list[float]:
    """Of tables side by side: each has what its words and numbers need; what is left goes to who has more to say."""
    needs = [tuple(map(sum, _needs(table, padding, measure))) for table in tables]
    least, natural = [some for some, _ in needs], [most for _, most in needs]
    if sum(natural) <= width:
        return _spread(natural, width, natural)
    if sum(least) >= width:
        return [each * width / sum(least) for each in least]
    return _spread(least, width, [most - some for some, most in needs])


def natural_width(table: TableBlock, padding: float, measure: Measure) -> float:
    """The width at which every cell of a table stands on one line."""
    return sum(_needs(table, padding, measure)[1])


def _needs(table: TableBlock, padding: float, measure: Measure) -> tuple[list[float], list[float]]:
    """Of each column, the width under which words break, and that at which every cell stands on one line."""
    columns = list(zip(*([str(column.heading) for column in table.columns], *_rows(table)), strict=True))
    least, natural = [], []
    for column, (heading, *cells) in zip(table.columns, columns, strict=True):
        whole = max((measure(cell) for cell in cells), default=0.0)
        word = max((measure(piece) for text in (heading, *cells) for piece in _words(text)), default=0.0)
        in_two = max(
            map(measure, broken(heading, 0.62 * measure(heading), measure))
        )  # headings take two lines
        least.append(max(whole if column.is_number else 0.0, word) + padding)
        natural.append(max(whole, word, in_two) + padding)
    return least, natural


def _spread(widths: Sequence[float], whole: float, by: Sequence[float]) -> list[float]:
    """The room that is left, or lacking, shared out over all widths in proportion to `by`."""
    left, total = whole - sum(widths), sum(by)
    return [each + left * share / total for each, share in zip(widths, by, strict=True)]


def _rows(table: TableBlock) -> list[tuple[str, ...]]:
    """The cells that columns are measured by: rows and total, each text cut at a length no column grows for."""
    rows = [*table.rows, *([table.total] if table.total else [])]
    return [tuple(str(cell)[:LONGEST_CELL] for cell in row) for row in rows]


def _words(text: str) -> list[str]:
    """What of a cell is not broken where there is room."""
    if len(text) <= UNBROKEN and not text.startswith(tuple(SIGNS.values())):
        return [text]
    return [
        piece
        for word in text.split(" ")
        for piece in ([word] if len(word) <= LONGEST_PIECE else _PIECES.findall(word))
    ]


_ADVANCES: Final = {" fijlt.,:;|!'()[]/-I": 0.30, "mwMW@%\u2192": 0.88, "r*": 0.36, "ckvxyzs": 0.5}
_ADVANCE_OF: Final = {letter: advance for letters, advance in _ADVANCES.items() for letter in letters}


def width_in_points(text: str, points: float, *, is_bold: bool = False) -> float:
    """About how wide a text is in the sans of a slide, rather too wide than too narrow; no font is asked."""
    ems = sum(_ADVANCE_OF.get(letter, 0.68 if letter.isupper() else 0.56) for letter in text)
    return ems * points * (1.1 if is_bold else 1.03)
