"""Reasons for columns that have only dashes, shown once next to the table."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.ui.tables.cells import Column, Row
from gpuplanner.ui.words import numbers

LONGEST: Final = 100
"""Most characters of a reason in a line; longer ones stay in tips."""


def dash_reasons(columns: Sequence[Column], rows: Sequence[Row]) -> tuple[str, ...]:
    """Return a line for each column of figures that is unknown in all rows for one reason, as CO2 kg per month —:
    reason.
    """
    lines = []
    for at, column in enumerate(columns):
        cells = [row.cells[at] for row in rows]
        reasons = {spoken(cell.tip) for cell in cells}
        if not column.is_figure or not cells or any(cell.text != numbers.UNKNOWN for cell in cells):
            continue
        (reason, *others) = reasons
        if reason and not others and len(reason) <= LONGEST:
            title = " ".join(spoken(column.title).split())
            lines.append(tr("{title} \u2014: {reason}", title=title, reason=reason))
    return tuple(lines)
