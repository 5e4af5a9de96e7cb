"""Why a column has nothing but dashes, said once beside the table: a cell's tip says it only under the mouse."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.ui.tables.cells import Column, Row
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr

LONGEST: Final = 100
"""Letters of a reason that has room in a line; a longer one stays in the tips."""


def dash_reasons(columns: Sequence[Column], rows: Sequence[Row]) -> tuple[str, ...]:
    """For each column of figures that is unknown in all rows for one reason: CO2 kg per month —: why."""
    said = []
    for at, column in enumerate(columns):
        cells = [row.cells[at] for row in rows]
        reasons = {spoken(cell.tip) for cell in cells}
        if not column.is_figure or not cells or any(cell.text != numbers.UNKNOWN for cell in cells):
            continue
        (reason, *others) = reasons
        if reason and not others and len(reason) <= LONGEST:
            title = " ".join(spoken(column.title).split())
            said.append(tr("{title} \u2014: {reason}", title=title, reason=reason))
    return tuple(said)
