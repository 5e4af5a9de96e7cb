"""The file that a workbook is packed into: every write asks first whether the planner still wants it."""

from collections.abc import Callable
from typing import BinaryIO


class CheckedFile:
    """A binary file for one zip archive. The first write after a refusal raises it; what comes then goes nowhere.

    An archive that is given up still writes its end, and must not fail a second time while it is being let go.
    """

    def __init__(self, target: BinaryIO, check: Callable[[], None]) -> None:
        """check: raises where the work is to end."""
        self._target, self._check, self._is_given_up, self._at = target, check, False, 0

    def write(self, data: bytes) -> int:
        """Write, or raise what `check` raises."""
        self._at += len(data)
        if self._is_given_up:
            return len(data)
        try:
            self._check()
            return self._target.write(data)
        except BaseException:
            self._is_given_up = True
            raise

    def tell(self) -> int:
        """Where the next write goes."""
        return self._at

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go there."""
        self._at = offset if self._is_given_up else self._target.seek(offset, whence)
        return self._at

    def flush(self) -> None:
        """Hand on what was written."""
        if not self._is_given_up:
            self._target.flush()

    def give_up(self) -> None:
        """Take no more."""
        self._is_given_up = True
