"""Terminal output: file names and log entries can neither break a line nor steer the terminal.

All output goes through `say`, which cleans it; names are passed through `one_line`.
"""

import os
import unicodedata
from typing import Final, TextIO

from gpuplanner.domain.message import Text

_UNSEEN: Final = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
_JOINERS: Final = frozenset("\u200c\u200d")  # part of words and emoji
LINE_AT_MOST: Final = 600
_HEAD: Final = 360


def one_line(message: Text) -> str:
    """Return a text with line ends as spaces and invisible characters spelled out.

    >>> one_line("a\\nb\\x1b[2J")
    'a b\\\\x1b[2J'
    """
    text = str(message)
    if text.isascii() and text.isprintable():
        return text
    return "".join(_seen(letter) for letter in " ".join(text.splitlines()))


def error_line(text: Text) -> str:
    """Return an error as one line; a long one is cut in the middle, so that place and remedy stay."""
    line = one_line(text)
    return line if len(line) <= LINE_AT_MOST else f"{line[:_HEAD]} … {line[_HEAD - LINE_AT_MOST :]}"


def cut(text: Text, width: int) -> str:
    """Return one line of at most `width` characters."""
    line = one_line(text)
    return line if len(line) <= width else line[: width - 1] + "…"


def say(text: str, stream: TextIO | None) -> None:
    """Print lines and flush; control characters, and characters outside the stream's encoding, are spelled out.

    stream: None: no output.
    """
    if stream is None:
        return
    text = "\n".join(map(one_line, text.split("\n")))
    encoding = stream.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:  # the sign of a number must survive on plain terminals
        text = text.replace("\u2212", "-").encode(encoding, "backslashreplace").decode(encoding)
    stream.write(text + "\n")
    stream.flush()


def keep_stream_numbers() -> None:
    """Give the numbers of closed standard streams to nothing: what a library says there would go into the next file."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def say_again(text: str, stream: TextIO) -> None:
    """Replace the last printed line; an empty text leaves an empty line."""
    stream.write(f"\r\x1b[2K{one_line(text)}")
    stream.flush()


def _seen(letter: str) -> str:
    """Return a visible form of a character."""
    if unicodedata.category(letter) not in _UNSEEN or letter in _JOINERS:
        return letter
    return " " if letter == "\t" else letter.encode("unicode_escape", "surrogatepass").decode("ascii")
