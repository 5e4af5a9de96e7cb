"""Rows of a long table on their way into a sheet: written as XML once, kept on disk, never held as cells."""

from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import Final

LATE: Final = "\x00"
"""Stands in a row for a cell that is written later; no text of a cell can hold it (see safe_text)."""


class RowStream:
    """Rows below one another, each as the XML of its cells; in the order in which they stand."""

    def __init__(self, first_row: int) -> None:
        """first_row: zero-based, of the first row that is added."""
        self.first_row = first_row
        self._rows = TemporaryFile("w+", encoding="utf-8", newline="\n")  # noqa: SIM115 # closed with the sheet
        self._late = TemporaryFile("w+", encoding="utf-8", newline="\n")  # noqa: SIM115
        self._has_late = False

    def add(self, cells: str) -> None:
        """The next row."""
        self._rows.write(f"{cells}\n")

    def add_late(self, cell: str) -> None:
        """The cell for the mark LATE of the next row that has none yet."""
        self._has_late = True
        self._late.write(f"{cell}\n")

    def rows(self) -> Iterator[str]:
        """Every row whole; once, for the files go with it."""
        with self._rows, self._late:
            self._rows.seek(0)
            self._late.seek(0)
            for number, cells in enumerate(self._rows, start=self.first_row + 1):
                late = self._late.readline()[:-1] if self._has_late else ""
                yield f'<row r="{number}">{cells[:-1].replace(LATE, late)}</row>'

    def close(self) -> None:
        """Let the files go."""
        self._rows.close()
        self._late.close()
