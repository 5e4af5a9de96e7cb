"""Energy on the sheet Audit: what is unknown has its reason under it."""

from gpuplanner.domain.figures.costs.energy import NO_GRID
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import two_clusters_book, two_clusters_evaluated
from tests.files.workbook.recalculate import cells_of


def test_co2_that_is_unknown_says_what_to_add() -> None:
    assert two_clusters_evaluated().audit.energy.kg_co2_per_month is None
    audit = SheetCells(cells_of(two_clusters_book())["Audit"])
    letters, _ = audit.column("CO2, kg per month")
    dashes = [cell for cell, value in audit.cells.items() if cell.startswith(letters) and value == "\u2014"]
    assert dashes
    notes = [value for value in audit.cells.values() if str(value).endswith(str(NO_GRID))]
    assert len(notes) == 2 and all(str(note).startswith("\u2014 CO2") for note in notes)
