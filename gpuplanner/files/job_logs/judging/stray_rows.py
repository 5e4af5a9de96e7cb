"""Rows of a table that are no jobs and no faults: totals, comments, rulers, and how many rows a client printed."""

from collections.abc import Sequence
from typing import Final

STRAY_ROW: Final = (
    r"(?i)^[\s*]*(#|(((grand|sub|all)[ -]?)?totals?|sum|summe|gesamt|insgesamt|somme)([\s:*(].*)?$"
    r"|:?-{2,}|[+]-{2,}|={3,}|[(]?[0-9]+ rows?\b)"
)
"""What their first cell or their id begins with, for the regular expressions of any engine."""

NO_TIME: Final = r"^[\s:=+*-]*$"
"""What stands in such a row where a job has its start: nothing, or the stroke of a ruler."""


def is_stray_row(cells: Sequence[str], start: str) -> str:
    """SQL: whether a record is such a row. cells: SQL for where it may say so; start: SQL for the start of a job.

    A start that begins with a digit answers at once, as that of almost every record does.
    """
    begins = " or ".join(
        f"regexp_matches(coalesce({cell}, ''), '{STRAY_ROW}')" for cell in dict.fromkeys(cells)
    )
    return (
        f"case when coalesce({start} >= '0' and {start} < ':', false) then false "
        f"else regexp_matches(coalesce({start}, ''), '{NO_TIME}') and ({begins}) end"
    )
