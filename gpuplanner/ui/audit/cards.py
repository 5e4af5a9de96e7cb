"""Parts of the audit's cards: tables in a frame, and dollars with the reason why they are unknown."""

from typing import Final

from gpuplanner.domain.message import Text, worded
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.tables.cells import Cell, written
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.limited_table import LimitedTable
from gpuplanner.ui.words import numbers

NO_RATE: Final = worded("Unknown: a rate is missing. Import contracts and prices.")


class TablesCard:
    """A frame with tables in it, in the order in which they are read."""

    def __init__(self, frame: CardFrame, *tables: FigureTable | LimitedTable) -> None:
        self.frame, self._tables = frame, tables

    def as_text(self) -> Text:
        """Its rows as text."""
        return "\n".join(table.as_text() for table in self._tables)


def usd_cell(usd: float | None, figure_id: str, *, is_strong: bool = False) -> Cell:
    """Whole dollars a month, with the cents in the tip; of unknown ones what is missing."""
    tip = NO_RATE if usd is None else numbers.cents(usd)
    asked = "" if usd is None else figure_id
    return written(numbers.whole, usd, is_strong=is_strong, tip=tip, figure_id=asked)
