"""A check: two amounts that agree, gathered while sheets are written and put on the sheet Checks."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.message import Text
from gpuplanner.files.workbook.kit.expressions import Expr, Value

CENT: Final = 0.01
"""$ by which totals of the book and of the app may differ."""


@dataclass(frozen=True, slots=True)
class Check:
    """One row: two amounts that agree. kind: must (red where they differ), input (changed), total (red or
    changed)."""

    group: str
    what: Text
    app: Expr | Value
    here: Expr
    tolerance: float
    kind: str = "must"
