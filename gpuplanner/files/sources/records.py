"""Records of delimited text, with the line each begins on: the careful reader for files that are not quite regular."""

import csv
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

_LINES_IN_ONE_RECORD_AT_MOST: Final = 200
_FIELD_BYTES_AT_MOST: Final = 16 * 2**20


def records(
    lines: Iterable[str], delimiter: str, *, is_quoted: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Every record that is not blank, as (line number from 1, fields).

    A quoted field may hold line ends. One that is never closed would swallow the rest of the file: such a line is
    read by itself, its quote as text, so that the rows after it are not lost.
    """
    waiting: deque[tuple[int, str]] = deque()
    numbered = enumerate(lines, 1)

    def next_line() -> tuple[int, str] | None:
        """The next line, one that was looked at already first; None at the end."""
        return waiting.popleft() if waiting else next(numbered, None)

    while (begun := next_line()) is not None:
        number, text = begun
        if not text.strip() and delimiter not in text:
            continue
        plain = text.rstrip("\r\n")
        if not is_quoted or '"' not in plain:
            yield number, plain.split(delimiter)
            continue
        taken: list[tuple[int, str]] = []
        while (fields := _parsed(text, delimiter)) is None:
            following = next_line() if len(taken) < _LINES_IN_ONE_RECORD_AT_MOST else None
            if following is None:
                waiting.extendleft(reversed(taken))
                fields = plain.split(delimiter)
                break
            taken.append(following)
            text += following[1]
        yield number, fields


def _parsed(text: str, delimiter: str) -> list[str] | None:
    """The fields of a record; None where a quoted field is still open at its end."""
    if csv.field_size_limit() < _FIELD_BYTES_AT_MOST:
        csv.field_size_limit(_FIELD_BYTES_AT_MOST)
    try:
        return next(csv.reader([text.rstrip("\r\n")], delimiter=delimiter, strict=True))
    except csv.Error as fault:
        if "unexpected end of data" in str(fault):
            return None
        return next(csv.reader([text.rstrip("\r\n")], delimiter=delimiter))
