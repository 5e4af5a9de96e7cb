"""How sure each recogniser is that a text is of its kind, also of the text's headings alone and without a column."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

COLUMNS_DROPPED: Final = 14
_DELIMITERS: Final = ",;|\t"


def sniffed_line(text: str, recognisers: Iterable[Any]) -> str:
    """Return the recognisers that are not sure that a text is none of theirs, each with its confidence."""
    sure = [(item.format or item.kind, item.sniff(text)) for item in recognisers]
    return " ".join(f"{name} {confidence:g}" for name, confidence in sure if confidence) or "none"


def sniffed_lines(text: str, recognisers: Callable[[], Iterable[Any]]) -> str:
    """Return what recognisers think of a text, of its headings, and of it without each column where that differs."""
    whole = sniffed_line(text, recognisers())
    lines = [f"whole: {whole}"]
    for name, variant in _variants(text):
        thought = sniffed_line(variant, recognisers())
        if thought != whole:
            lines.append(f"{name}: {thought}")
    return "\n".join(lines)


def _variants(text: str) -> Iterator[tuple[str, str]]:
    """Yield the first line alone, and a table without each of its first columns."""
    lines = text.splitlines()
    yield "first line", lines[0] + "\n"
    delimiter = max(_DELIMITERS, key=lines[0].count)
    if text.lstrip().startswith(("{", "[")) or not lines[0].count(delimiter):
        keys = list(dict.fromkeys(re.findall(r'"(\w+)":', text)))[:COLUMNS_DROPPED]
        yield from ((f"without {key}", text.replace(f'"{key}"', '"other"')) for key in keys)
        return
    headings = lines[0].split(delimiter)
    for place, heading in enumerate(headings[:COLUMNS_DROPPED]):
        rows = (line.split(delimiter) for line in lines[:20])
        kept = (delimiter.join(cells[:place] + cells[place + 1 :]) for cells in rows)
        yield f"without {heading}", "\n".join(kept) + "\n"
