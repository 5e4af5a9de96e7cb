"""Word lists: texts whose words are separated by bars."""


def phrases(text: str) -> tuple[str, ...]:
    """Split a list of words at `|`, in order.

    >>> phrases("per hour|hourly")
    ('per hour', 'hourly')
    """
    return tuple(text.split("|"))


def words(text: str) -> frozenset[str]:
    """Split a list of words at `|` into a set."""
    return frozenset(phrases(text))
