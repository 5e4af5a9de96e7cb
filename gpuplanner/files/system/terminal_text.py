"""All that is said on a terminal: names of files and entries of logs can neither break a line nor steer the screen.

Nothing else prints: `say` cleans whatever it is given, and whoever joins names to a line makes it `one_line` first.
"""

import unicodedata
from typing import Final, TextIO

from gpuplanner.domain.message import Text

_UNSEEN: Final = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
_JOINERS: Final = frozenset("\u200c\u200d")  # part of words and of emoji
LINE_AT_MOST: Final = 600
_HEAD: Final = 360


def one_line(message: Text) -> str:
    """The text with line ends as blanks and what cannot be seen spelled out.

    >>> one_line("a\\nb\\x1b[2J")
    'a b\\\\x1b[2J'
    """
    text = str(message)
    if text.isascii() and text.isprintable():
        return text
    return "".join(_seen(letter) for letter in " ".join(text.splitlines()))


def error_line(text: Text) -> str:
    """One line; where it is endless, its middle is left out, so that place and remedy stay."""
    line = one_line(text)
    return line if len(line) <= LINE_AT_MOST else f"{line[:_HEAD]} … {line[_HEAD - LINE_AT_MOST :]}"


def cut(text: Text, width: int) -> str:
    """One line of at most so many letters."""
    line = one_line(text)
    return line if len(line) <= width else line[: width - 1] + "…"


def say(text: str, stream: TextIO | None) -> None:
    """Print lines and flush; what steers a terminal, and what the stream's encoding lacks, is spelled out.

    No stream: nobody reads it.
    """
    if stream is None:
        return
    text = "\n".join(map(one_line, text.split("\n")))
    encoding = stream.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:  # a terminal without typographic signs must not lose the sign of a number
        text = text.replace("\u2212", "-").encode(encoding, "backslashreplace").decode(encoding)
    stream.write(text + "\n")
    stream.flush()


def say_again(text: str, stream: TextIO) -> None:
    """Take the place of the line that was said last; an empty text leaves a line with nothing in it."""
    stream.write(f"\r\x1b[2K{one_line(text)}")
    stream.flush()


def _seen(letter: str) -> str:
    """A letter, or what is written for one that would not be seen as itself."""
    if unicodedata.category(letter) not in _UNSEEN or letter in _JOINERS:
        return letter
    return " " if letter == "\t" else letter.encode("unicode_escape", "surrogatepass").decode("ascii")
