"""Readings of an import that are kept: a file is read again only where it changed, or is to be read otherwise."""

from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import Any, TypeVar, cast

Reading = TypeVar("Reading")


class KeptReadings:
    """What was read last, by subject, with all that it was read from."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[object, Any]] = {}

    def of(
        self, subject: Hashable, paths: Iterable[str], choices: object, read: Callable[[], Reading]
    ) -> Reading:
        """Return the reading of a subject: the last one where files and choices are the same, else a new one.

        paths: of all files that it is read from; choices: how they are read.
        """
        question = (tuple(map(_state, paths)), choices)
        known = self._kept.get(subject)
        if known is not None and known[0] == question:
            return cast("Reading", known[1])
        answer = read()
        self._kept[subject] = (question, answer)
        return answer

    def forget(self) -> None:
        """Keep nothing."""
        self._kept.clear()


def _state(path: str) -> tuple[str, int, int]:
    """What changes where a file changes; zeros of one that is not there."""
    file = Path(path)
    if not file.is_file():
        return path, 0, 0
    stat = file.stat()
    return path, stat.st_mtime_ns, stat.st_size
