"""What a term is called, in every medium: 1 month, 12 months, 45 days."""

from collections.abc import Iterable

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, joined, worded, worded_count


def term_words(months: int, days: int | None = None) -> Message:
    """12 months; 45 days where a term is of days.

    >>> str(term_words(1)), str(term_words(12, 0)), str(term_words(0, 45))
    ('1 month', '12 months', '45 days')
    """
    if days:
        return worded_count(days, "{days} day", "{days} days", days=whole(days))
    return worded_count(months, "{term} month", "{term} months", term=whole(months))


def term_adjective(months: int, days: int | None = None) -> Message:
    """A term before its noun: 12-month; 45-day where it is of days.

    >>> str(term_adjective(12)), str(term_adjective(2, 45))
    ('12-month', '45-day')
    """
    return worded("{days}-day", days=whole(days)) if days else worded("{term}-month", term=whole(months))


def terms_words(terms: Iterable[tuple[int, int | None]]) -> Message:
    """Terms that stand in one row, each said once: 3 months or 90 days.

    terms: months and days of each, as `term_words` takes them. Errors: ValueError without one.

    >>> str(terms_words([(3, 90), (3, 90)])), str(terms_words([(3, 90), (3, None)]))
    ('90 days', '3 months or 90 days')
    """
    different = {(0, days) if days else (months, 0) for months, days in terms}
    return joined(
        (term_words(*term) for term in sorted(different, key=lambda one: one[::-1])), worded(" or ")
    )
