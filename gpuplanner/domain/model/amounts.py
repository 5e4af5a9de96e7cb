"""Amounts and their sums, of which some may be unknown, and whole ones that add up to their total."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.figures.writing import half_up
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.lazy_dataclass import dataclass

# --- Amounts of which some may be unknown (unknown is not nought), and whole ones that add up to their total

Key = TypeVar("Key")
Value = TypeVar("Value")
Amount = TypeVar("Amount", int, float, Floats, Ints)

HALF_A_CENT: Final = 0.005
"""$: amounts that are no further apart are the same: what is left between them is rounding."""


def known_sum(amounts: Iterable[float | None]) -> float | None:
    """The sum; None as soon as one of them is unknown. Of nothing it is 0.

    >>> known_sum([1.5, 2]), known_sum([1.5, None]), known_sum([])
    (3.5, None, 0.0)
    """
    total = 0.0
    for amount in amounts:
        if amount is None:
            return None
        total += amount
    return total


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """The values of each key; keys and values in the order in which they come.

    >>> grouped([("a", 1), ("b", 2), ("a", 3)])
    {'a': [1, 3], 'b': [2]}
    """
    groups: dict[Key, list[Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def summed(pairs: Iterable[tuple[Key, Amount]]) -> dict[Key, Amount]:
    """The sum of each key's amounts, added up in the order in which they come; one alone is the very same.

    >>> summed([("a", 1), ("b", 2), ("a", 3)])
    {'a': 4, 'b': 2}
    """
    sums: dict[Key, Amount] = {}
    for key, amount in pairs:
        sums[key] = sums[key] + amount if key in sums else amount
    return sums


def known_sums(pairs: Iterable[tuple[Key, float | None]]) -> dict[Key, float | None]:
    """`known_sum` of each key's amounts; keys in the order in which they come."""
    return {key: known_sum(amounts) for key, amounts in grouped(pairs).items()}


def largest_remainder(values: Sequence[float | None], total: float | None = None) -> list[int | None]:
    """Whole numbers that add up to the rounded total: what is cut off goes to the largest remainders.

    Unknown values stay unknown. Source: the largest remainder method of apportionment (Hamilton).
    """
    known = [(index, value) for index, value in enumerate(values) if value is not None]
    rounded: list[int | None] = [None] * len(values)
    floors = {index: int(value // 1) for index, value in known}
    whole_total = half_up(sum(value for _, value in known) if total is None else total, 0)
    missing = int(whole_total) - sum(floors.values())
    by_remainder = sorted(known, key=lambda item: (-(item[1] % 1), item[0]))
    for place, (index, _) in enumerate(by_remainder):
        rounded[index] = floors[index] + (1 if place < missing else 0)
    return rounded


# --- A sum of which parts may be unknown: what is known of it, how many parts are not, and which; and how it is said

NAMED_AT_MOST: Final = 4
UNEXCHANGED: Final = "{contract}"


def unexchanged(contract_id: str) -> Message:
    """The name of a contract whose rate waits for a rate of exchange: read as its id, with a remedy of its own."""
    return Message(UNEXCHANGED, {"contract": contract_id})


@dataclass(frozen=True, slots=True)
class PartSum:
    """known: the sum of the known parts, none of them negative; parts: how many; missing: names of the unknown ones, a
    contract's its id (or `unexchanged`), in words what is paid by use or is to be bought: see `remedy`."""

    known: float = 0.0
    parts: int = 0
    missing: tuple[Text, ...] = ()

    @property
    def total(self) -> float | None:
        """The whole sum; None as soon as one part is unknown."""
        return None if self.missing else self.known

    @property
    def is_at_least(self) -> bool:
        """Whether a part is known and another is not: then the sum is at least what is known.

        >>> PartSum(3.0, 2, ("B",)).is_at_least, PartSum(0.0, 2, ("B",)).is_at_least
        (True, False)
        """
        return bool(self.missing) and self.known > 0

    @property
    def written(self) -> float | None:
        """What is written: the whole sum, or what it is at least; None where nothing is known of it.

        0 is written only where no part is unknown.
        """
        return self.known if self.is_at_least else self.total


NO_PARTS: Final = PartSum()
NOTHING_KNOWN: Final = PartSum(0.0, 1, ("",))
"""Of what has no parts and is not 0 all the same: nobody knows what it would be made of."""


def part_sum(parts: Iterable[tuple[Text, float | None]]) -> PartSum:
    """The sum of named amounts; parts of one name are one part, unknown where one of them is.

    >>> part_sum([("A", 2.0), ("B", None), ("B", 1.0)])
    PartSum(known=3.0, parts=2, missing=('B',))
    """
    known = 0.0
    names: set[Text] = set()
    missing: dict[Text, None] = {}
    for name, amount in parts:
        names.add(name)
        if amount is None:
            missing[name] = None
        else:
            known += amount
    return PartSum(known, len(names), tuple(missing))


def in_all(sums: Iterable[PartSum]) -> PartSum:
    """Sums of the same parts over time, together.

    >>> in_all([PartSum(3.0, 2, ("B",)), PartSum(2.0, 1)])
    PartSum(known=5.0, parts=2, missing=('B',))
    """
    listed = list(sums)
    missing = dict.fromkeys(name for of in listed for name in of.missing)
    if len(missing) > 1:
        missing.pop("", None)  # of what nothing is known has no name beside those that have
    parts = max((of.parts for of in listed), default=0)
    return PartSum(sum(of.known for of in listed), max(parts, len(missing)), tuple(missing))


def missing_words(of: PartSum) -> Text:
    """How much of a sum has no price; empty where all of it has.

    >>> str(missing_words(part_sum([("A", 2.0), ("B", None)])))
    '1 of 2 without a price'
    """
    if not of.missing:
        return ""
    return worded(
        "{missing} of {parts} without a price", missing=whole(len(of.missing)), parts=whole(of.parts)
    )


def missing_sentence(of: PartSum) -> Text:
    """The same with names; empty where all of it has a price.

    >>> str(missing_sentence(part_sum([("A", 2.0), ("B", None)])))
    'At least this: 1 of 2 without a price (B)'
    """
    if not of.missing:
        return ""
    names = joined(of.missing[:NAMED_AT_MOST], ", ")
    if len(of.missing) > NAMED_AT_MOST:
        names = worded("{names} and {more} more", names=names, more=whole(len(of.missing) - NAMED_AT_MOST))
    if of.is_at_least:
        return worded("At least this: {words} ({names})", words=missing_words(of), names=names)
    return worded("Unknown: {words} ({names})", words=missing_words(of), names=names)


REMEDIES: Final[Mapping[str, Text]] = {
    "": worded("Enter the rate in Contracts."),
    UNEXCHANGED: worded("State the rate of exchange in Plan > Currency."),
    "bought": worded("Enter the price in Prices."),
}
"""What to do for a contract, one that waits for an exchange, and what is paid by use or is to be bought."""


def remedy(of: PartSum) -> Text:
    """Where the rates that a sum lacks are typed in; empty where none is missing, or nobody can say which.

    >>> str(remedy(PartSum(2.0, 2, ("vela-1",)))), str(remedy(PartSum(2.0, 2, (worded("training H100"),))))
    ('Enter the rate in Contracts.', 'Enter the price in Prices.')
    """
    templates = {name.template if isinstance(name, Message) else "" for name in of.missing if name}
    kinds = {template if template in REMEDIES else "bought" for template in templates}
    return joined((words for kind, words in REMEDIES.items() if kind in kinds), " ")


def lacking_sentences(of: PartSum) -> Text:
    """Which rates a sum lacks, and where they are typed in; empty where it lacks none.

    >>> str(lacking_sentences(part_sum([("A", 2.0), ("B", None)])))
    'At least this: 1 of 2 without a price (B). Enter the rate in Contracts.'
    """
    return joined((missing_sentence(of), remedy(of)), ". ") if any(of.missing) else ""
