"""Progress of long work, on standard error if that is a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gpuplanner.domain.message import Text
from gpuplanner.files.system.terminal_output import one_line, say_again

ProgressCallback = Callable[[float, Text], None]


@contextmanager
def progress_on_terminal() -> Iterator[ProgressCallback | None]:
    """A callback (fraction 0..1, what is done now) that rewrites one line; None where nobody looks.

    The line is wiped when the work ends, also by an error.
    """
    if sys.stderr is None or not sys.stderr.isatty():  # None: there is no standard error
        yield None
        return

    def show(fraction: float, text: Text) -> None:
        say_again(f"{fraction:4.0%}  {one_line(text)[:60]}", sys.stderr)

    try:
        yield show
    finally:
        say_again("", sys.stderr)
