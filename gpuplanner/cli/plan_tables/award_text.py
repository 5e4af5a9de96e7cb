"""An award as text in a terminal: GPUs per vendor, and the savings and value of each quote."""

from functools import partial

from gpuplanner.cli.audit_tables import titled
from gpuplanner.cli.terminal import Tables
from gpuplanner.domain.award.award import Award
from gpuplanner.domain.figures.award import QUOTE
from gpuplanner.domain.reports.award import (
    BENCHMARKS,
    LEFT_OUT,
    QUOTES,
    ROWS,
    UNDECIDED,
    VENDORS,
    headline,
    notes,
)
from gpuplanner.files.system.terminal_output import one_line

HOW_TO_ASK = (
    "There is nothing to award: the plan has no order that vendors quote. Where it has: export --rfq DIR asks "
    "vendors, and their answers come back with --prices."
)


def award_text(award: Award) -> str:
    """The headline; where nothing is asked for, how to ask."""
    return one_line(f"{headline(award)}." if award.rows else f"{HOW_TO_ASK} {award.unasked}".strip())


def award_tables(award: Award) -> Tables:
    """The tables of an award; where nothing is asked for, what waits for the buyer all the same."""
    named = {
        "rows": ROWS,
        "clarify": UNDECIDED,
        "vendors": VENDORS,
        "quotes": QUOTES,
        "left_out": LEFT_OUT,
        "benchmarks": BENCHMARKS,
    }
    mark = f"\n* {QUOTE['is_far_from_market'].glossary}"
    return (
        *(
            (name, partial(titled, report, award))
            for name, report in named.items()
            if award.rows or report is UNDECIDED
        ),
        ("quotes", lambda: mark if any(quote.is_far_from_market for quote in award.quotes) else ""),
        ("notes", lambda: "\n".join(one_line(str(note)) for note in notes(award))),
    )
