"""Being ended from outside, as by Ctrl-C: raised where it comes, and remembered: a library may swallow it there."""

import signal
from types import FrameType

_asked: list[int] = []
_held: list[bool] = []


def take_signals() -> None:
    """From now on whoever ends us does what Ctrl-C does: else what is under way would leave its files behind.

    SIGTERM, SIGHUP and SIGINT, those that exist here; a handler that somebody else set stays.
    """
    for name in ("SIGTERM", "SIGHUP", "SIGINT"):  # Windows has no others; a terminal that is closed
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _stop)


def only_remember() -> None:
    """From now on nothing is raised: Qt, while it is loaded or makes a window, loses it or ends the process over it."""
    _held.append(True)


def is_end_asked() -> bool:
    """Whether a signal came that ends us, also where its KeyboardInterrupt went nowhere."""
    return bool(_asked)


def _stop(number: int, frame: FrameType | None) -> None:
    """The signal's handler: remembers it, and raises KeyboardInterrupt unless that is held back."""
    _asked.append(number)
    if not _held:
        raise KeyboardInterrupt
