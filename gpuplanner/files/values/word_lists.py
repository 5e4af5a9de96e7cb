"""Word lists: texts whose words are separated by bars, and the words of names that are written in one."""

from typing import Final

from gpuplanner.lazy_re import lazy_re


def phrases(text: str) -> tuple[str, ...]:
    """Split a list of words at `|`, in order.

    >>> phrases("per hour|hourly")
    ('per hour', 'hourly')
    """
    return tuple(text.split("|"))


_HUMP: Final = lazy_re(r"(?<=[a-z]{2})(?=[A-Z])|(?<=\d)(?=[A-Z][a-z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")


def parted_at_capitals(name: str) -> str:
    """Put spaces between the words of a name that has capitals in place of them.

    >>> parted_at_capitals("onDemand_price")
    'on Demand_price'
    """
    return _HUMP.sub(" ", name)


def in_words(name: str) -> str:
    """Put spaces between the words of a name that has underscores or capitals in place of them.

    >>> in_words("MonthlyCostUSD"), in_words("pricePerGPUHour"), in_words("monthly_cost"), in_words("vCPUs")
    ('Monthly Cost USD', 'price Per GPU Hour', 'monthly cost', 'vCPUs')
    """
    return " ".join(parted_at_capitals(name).replace("_", " ").split())


def words(text: str) -> frozenset[str]:
    """Split a list of words at `|` into a set."""
    return frozenset(phrases(text))
