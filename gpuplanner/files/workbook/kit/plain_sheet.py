"""A sheet of XlsxWriter that takes long tables as ready rows, and formulas as they are."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from xlsxwriter.utility import xl_rowcol_to_cell_fast
from xlsxwriter.worksheet import Worksheet

from gpuplanner.files.workbook.kit.cell_xml import formula_cell

ROWS_BETWEEN_CHECKS = 256


@dataclass(frozen=True, slots=True)
class _Block:
    """Rows first..last (zero-based) whose XML another writes."""

    first: int
    last: int
    rows: Callable[[], Iterable[str]]


class PlainSheet(Worksheet):  # type: ignore[misc] # XlsxWriter ships no types
    """A worksheet whose formulas use no function later than 2019 but those spelled with their prefix.

    XlsxWriter looks for forty of them in every formula, which takes most of the time of a long column. And it holds
    every cell as an object until the end; a block's rows pass through as text.
    """

    def __init__(self) -> None:
        super().__init__()
        self._blocks: list[_Block] = []
        self.dim_rowmin: int | None
        self.dim_rowmax: int | None
        self.check: Callable[[], None] = lambda: None
        """Asked between rows."""
        self.begun: Callable[[], None] = lambda: None
        """Told when the sheet begins to be put together."""
        self.printed: tuple[int, int] | None = None
        """The last row and column to be printed, zero-based, where not all is."""
        self.has_own_pages = False
        """Whether the sheet was laid out on pages by who wrote it."""

    def print_up_to(self, last_row: int, last_column: int) -> None:
        """Print no row and no column after these, zero-based; what is beyond them are workings."""
        self.printed = (last_row, last_column)

    def add_block(
        self, first: int, last: int, left: int, right: int, rows: Callable[[], Iterable[str]]
    ) -> None:
        """Rows first..last (zero-based, columns left..right) come from `rows`, each a whole row element.

        `rows` is asked when the sheet is put together; no cell may be written into these rows another way.
        """
        self._check_dimensions(first, left)
        self._check_dimensions(last, right)
        self._blocks.append(_Block(first, last, rows))

    def _prepare_formula(self, formula: str, expand_future_functions: bool = False) -> str:
        """The formula as it is: ours are already in the form that files have."""
        return formula.removeprefix("=")

    def _write_cell(self, row: int, column: int, cell: Any) -> None:
        """A cell; a formula that comes to no text says so, which XlsxWriter leaves out."""
        if type(cell).__name__ == "Formula" and cell.value == "":
            at = xl_rowcol_to_cell_fast(row, column)
            self.fh.write(formula_cell(at, cell.format._get_xf_index(), cell.formula, ""))
            return
        super()._write_cell(row, column, cell)

    def _write_rows(self) -> None:
        """The cells of the sheet and its blocks, from the top down."""
        self.begun()
        first, last = self.dim_rowmin or 0, self.dim_rowmax or 0
        for block in sorted(self._blocks, key=lambda each: each.first):
            self._write_cells(first, block.first - 1)
            for place, row in enumerate(block.rows()):
                if not place % ROWS_BETWEEN_CHECKS:
                    self.check()
                self.fh.write(row)
            first = block.last + 1
        self._write_cells(first, last)

    def _write_cells(self, first: int, last: int) -> None:
        """Rows first..last of what was written cell by cell."""
        if last >= first:
            whole = (self.dim_rowmin, self.dim_rowmax)
            self.dim_rowmin, self.dim_rowmax = first, last
            super()._write_rows()
            self.dim_rowmin, self.dim_rowmax = whole
