"""Ending from the system or a terminal while a window is open, as a signal of Qt."""

import signal
import socket
from contextlib import suppress
from types import FrameType
from typing import Final

from PySide6 import QtCore

from gpuplanner.files.system.termination import is_end_asked

ENDS: Final = ("SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK")
"""What ends a program in good order: a system that shuts down, Ctrl-C, a terminal that closes. Few are everywhere."""


class EndAsked(QtCore.QObject):
    """Tells once that the program is to end; from then until `close`, nothing is thrown into the middle of a slot.

    Python sees a signal only when it next runs, which in an idle window is never: the system writes a byte for it into
    a socket that Qt watches.
    """

    asked = QtCore.Signal()

    def __init__(self, parent: QtCore.QObject | None = None) -> None:
        """Handlers of all ends that there are here are taken over, but for those that are ignored."""
        super().__init__(parent)
        self.is_asked = False
        self._read, self._write = socket.socketpair()
        for end in (self._read, self._write):
            end.setblocking(False)
        self._notifier = QtCore.QSocketNotifier(self._read.fileno(), QtCore.QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._take)
        self._fd_before = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        self._before = {
            number: signal.signal(number, _ignore)
            for name in ENDS
            if (number := getattr(signal, name, None)) is not None
            and signal.getsignal(number) != signal.SIG_IGN  # as under nohup
        }
        if is_end_asked():  # while the window was made, where it was lost
            QtCore.QTimer.singleShot(0, self._take)

    def close(self) -> None:
        """As it was before.

        Signals are handled as before this object was made.
        """
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before = {}
        signal.set_wakeup_fd(self._fd_before)
        self._notifier.setEnabled(False)
        self._read.close()
        self._write.close()

    def _take(self) -> None:
        """Empty the socket, and tell once."""
        with suppress(OSError):
            self._read.recv(64)
        if not self.is_asked:
            self.is_asked = True
            self.asked.emit()


def _ignore(number: int, frame: FrameType | None) -> None:
    """The byte in the socket says it."""
