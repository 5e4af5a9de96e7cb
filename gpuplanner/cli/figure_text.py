"""Figures and tables as a person reads them in a terminal: aligned, units in the headings, unknown a dash."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.part_sum import PartSum
from gpuplanner.domain.model.worded import Text
from gpuplanner.files.system.terminal_text import cut

ROWS_SHOWN: Final = 20
UNKNOWN: Final = "—"
CELL_WIDTH: Final = 96
WHOLE_FROM: Final = 100
"""GPU-hours of a table from which on they are written whole."""


def dollars(amount: float | None) -> str:
    """Whole dollars with separators; unknown is a dash.

    >>> dollars(1234.5), dollars(-0.2), dollars(-12.0), dollars(None)
    ('1,234', '0', '−12', '—')
    """
    return UNKNOWN if amount is None else f"{round(amount):,}".replace("-", "\u2212")


def dollars_of(of: PartSum) -> str:
    """The dollars of a sum; `at least 1,234` where a part of it has no price, a dash where none has.

    >>> dollars_of(PartSum(1234.0, 2, ("B",))), dollars_of(PartSum(1234.0, 2))
    ('at least 1,234', '1,234')
    """
    return f"at least {dollars(of.known)}" if of.is_at_least else dollars(of.total)


def gpu_hours_column(amounts: Sequence[float]) -> list[str]:
    """GPU-hours, and last their total: whole ones that add up to it; to four decimals where all are a few jobs.

    >>> gpu_hours_column([60.5, 60.5]), gpu_hours_column([0.5])
    (['61', '60', '121'], ['0.5000', '0.5000'])
    """
    total = sum(amounts)
    if total < WHOLE_FROM:
        return [f"{amount:,.4f}" for amount in (*amounts, total)]
    return [f"{amount:,}" for amount in (*largest_remainder(amounts), round(total))]


def percent(ratio: float | None) -> str:
    """A ratio as a percentage with one decimal.

    >>> percent(0.1234), percent(None)
    ('12.3%', '—')
    """
    return UNKNOWN if ratio is None else f"{ratio:.1%}"


def cluster_name(name: str) -> str:
    """The name of a cluster; of jobs that name none, words for it."""
    return name or "(no cluster)"


def signed(amount: float | None) -> str:
    """Whole dollars of a change, always with a sign but for nought.

    >>> signed(12.0), signed(-12.0), signed(0.1), signed(None)
    ('+12', '−12', '0', '—')
    """
    return ("+" if amount is not None and round(amount) > 0 else "") + dollars(amount)


def table(headings: Sequence[Text], rows: Sequence[Sequence[object]], left: int = 1) -> str:
    """Rows under headings; the first `left` columns are text, the others are right aligned.

    Cells longer than CELL_WIDTH are cut; every line is indented by two.
    """
    cells = [[cut(str(cell), CELL_WIDTH) for cell in row] for row in [headings, *rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(headings))]
    lines = [
        "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    return "\n".join(["  " + lines[0], "  " + "-" * len(lines[0]), *("  " + line for line in lines[1:])])


def date_text(at_s: int | None) -> str:
    """A date as 29 Nov 2026.

    at_s: epoch seconds; the day is that of UTC.

    >>> date_text(0), date_text(None)
    ('1 Jan 1970', '—')
    """
    return UNKNOWN if at_s is None else datetime.fromtimestamp(at_s, UTC).strftime("%d %b %Y").lstrip("0")
