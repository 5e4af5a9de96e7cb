"""Numbers that people say: D1 for a decision, O1 for an order. Each keeps its own; none is used twice."""

from collections.abc import Iterable, Mapping


def numbered(kept: Mapping[str, int], names: Iterable[str]) -> dict[str, int]:
    """Return the number of each name: its own if it has one, otherwise the next free one.

    kept: numbers given before, by name, with those of names that are gone: no number is used twice. names: in the
    order in which new ones are numbered. The answer holds `names` alone.

    >>> numbered({"end A": 1, "end B": 4}, ["order C", "end A", "order D"])
    {'order C': 5, 'end A': 1, 'order D': 6}
    """
    next_free = max(kept.values(), default=0) + 1
    numbers = {}
    for name in names:
        number = kept.get(name)
        if number is None:
            number = next_free
            next_free += 1
        numbers[name] = number
    return numbers


def keep_numbers(kept: Mapping[str, int], read: Mapping[str, int]) -> Mapping[str, int]:
    """Return the numbers kept so far with those that people have read since; `kept` itself where none is new.

    A number that is taken stays with the name that has it.

    >>> keep_numbers({"end A": 1}, {"end A": 7, "order B": 1, "order C": 2})
    {'end A': 1, 'order C': 2}
    """
    taken = set(kept.values())
    new = {name: number for name, number in read.items() if name not in kept and number not in taken}
    return {**kept, **new} if new else kept


def decision_number(number: int) -> str:
    """Return a decision's number as it is shown, D1."""
    return f"D{number}"


def order_number(number: int) -> str:
    """Return an order's number as it is shown, O1."""
    return f"O{number}"


def order_numbers(numbers: Iterable[int]) -> list[str]:
    """Return the numbers of several orders as they are shown, each once, the lowest first.

    >>> order_numbers([10, 2, 2])
    ['O2', 'O10']
    """
    return [order_number(number) for number in sorted(set(numbers))]


def order_spans(numbers: Iterable[int]) -> str:
    """Return the numbers of several orders in short: three or more in a row by the first and the last.

    >>> order_spans([6, 1, 2, 3, 4, 9, 10])
    'O1\u2013O4, O6, O9, O10'
    """
    spans: list[list[int]] = []
    for number in sorted(set(numbers)):
        if spans and number == spans[-1][-1] + 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    return ", ".join(
        f"{order_number(span[0])}\u2013{order_number(span[-1])}"
        if len(span) > 2
        else ", ".join(order_numbers(span))
        for span in spans
    )
