"""The answer of `award` as text: who gets what, the vendors, and what each quote saves and is worth."""

from gpuplanner.cli.text_tables import report_text
from gpuplanner.domain.award.award import Award
from gpuplanner.domain.figures.award import QUOTE
from gpuplanner.domain.reports.award import LEFT_OUT, QUOTES, ROWS, VENDORS, headline, notes
from gpuplanner.files.system.terminal_text import one_line

HOW_TO_ASK = (
    "The plan orders nothing, so there is nothing to award. Where it does: export --rfq DIR asks vendors, and their "
    "answers come back with --prices."
)


def award_text(award: Award) -> str:
    """The headline and four tables; a sentence where nothing is asked for."""
    if not award.rows:
        return HOW_TO_ASK
    tables = (one for one in (ROWS, VENDORS, QUOTES, LEFT_OUT) if one.rows(award))
    parts = [
        one_line(f"{headline(award)}."),
        *(one_line(str(note)) for note in notes(award)),
        *(f"\n{one.title}\n{report_text(one, award)}" for one in tables),
    ]
    if any(quote.is_far_from_market for quote in award.quotes):
        parts.append(f"\n* {QUOTE['is_far_from_market'].glossary}")
    return "\n".join(parts)
