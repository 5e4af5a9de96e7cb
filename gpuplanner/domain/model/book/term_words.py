"""What a term is called, in every medium: 1 month, 12 months, 45 days."""

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, worded_count


def term_words(months: int, days: int | None = None) -> Message:
    """12 months; 45 days where a term is of days.

    >>> str(term_words(1)), str(term_words(12, 0)), str(term_words(0, 45))
    ('1 month', '12 months', '45 days')
    """
    if days:
        return worded_count(days, "{days} day", "{days} days", days=whole(days))
    return worded_count(months, "{term} month", "{term} months", term=whole(months))
