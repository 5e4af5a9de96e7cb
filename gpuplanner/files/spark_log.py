"""What Spark's processes say on standard error: errors are passed on, warnings and greetings are left out."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Final

_STANDARD_ERROR: Final = 2
_LEVEL: Final = re.compile(rb"^\d\d(?:\d\d)?[/-]\d\d[/-]\d\d[ T][\d:.,]+ (\w+)\b")
_GREETINGS: Final = (
    b"WARNING: Using incubator modules",
    b"Using Spark's default log4j profile",
    b"Setting default log level to",
    b"To adjust logging level use",
)
_QUIET: Final = (b"WARN", b"INFO", b"DEBUG", b"TRACE")


def is_worth_saying(line: bytes) -> bool:
    """Whether a line is neither a warning nor less of Spark's log, nor how it says hello.

    >>> is_worth_saying(b"26/11/20 15:52:35 WARN Utils: Your hostname"), is_worth_saying(b"java.io.IOException: full")
    (False, True)
    """
    found = _LEVEL.match(line)
    return not line.startswith(_GREETINGS) and not (found and found[1] in _QUIET)


@contextmanager
def errors_only() -> Iterator[None]:
    """Processes that are started within, and live on after it, say no more than errors on standard error."""
    try:
        kept = os.dup(_STANDARD_ERROR)
    except OSError:  # there is none
        yield
        return
    from_processes, to_processes = os.pipe()
    os.dup2(to_processes, _STANDARD_ERROR)
    os.close(to_processes)
    Thread(target=_pass_on, args=(from_processes, kept), daemon=True).start()
    try:
        yield
    finally:
        os.dup2(kept, _STANDARD_ERROR)


def _pass_on(source: int, target: int) -> None:
    with os.fdopen(source, "rb") as lines, suppress(OSError):
        for line in lines:
            if is_worth_saying(line):
                os.write(target, line)
