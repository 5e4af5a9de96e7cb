"""Termination from outside, such as Ctrl-C: raised at once, and remembered in case a library swallows it."""

import signal
from types import FrameType

_asked: list[int] = []
_held: list[bool] = []


def take_signals() -> None:
    """Handle termination signals as Ctrl-C, so that unfinished work removes its files.

    SIGTERM, SIGHUP and SIGINT, where they exist; handlers set by others stay.
    """
    for name in ("SIGTERM", "SIGHUP", "SIGINT"):  # Windows has no others; SIGHUP: the terminal was closed
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _stop)


def only_remember() -> None:
    """Remember signals without raising, because Qt may lose an exception, or end the process, while it starts."""
    _held.append(True)


def is_end_asked() -> bool:
    """Return whether a termination signal came, even if its KeyboardInterrupt was lost."""
    return bool(_asked)


def _stop(number: int, frame: FrameType | None) -> None:
    """Remember a signal, and raise KeyboardInterrupt unless that is suppressed."""
    _asked.append(number)
    if not _held:
        raise KeyboardInterrupt
