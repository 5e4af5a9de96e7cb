"""A file that is there whole or not at all, however the work that writes it ends."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.worded import worded


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A path beside `path` to write to; it takes the place of `path` at the end, and is gone where that never comes."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield beside
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def write_table(path: Path, text: str) -> None:
    """A table of ours as a CSV file that spreadsheet programs take for UTF-8, whole or not at all.

    Errors: PlannerError file_unreadable.
    """
    try:
        with whole_file(path) as beside:
            beside.write_text(text, encoding="utf-8-sig", newline="")
    except OSError as error:
        what = worded("it cannot be written: {value}", value=error.strerror or error)
        raise PlannerError(
            str(path), "file_unreadable", what, worded("choose another folder or name")
        ) from error
