"""Sums of amounts that may be unknown, and whole numbers that add up to their total."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.figures.typed import Written, whole
from gpuplanner.domain.figures.typed import amount as amount_text
from gpuplanner.domain.figures.writing import half_up
from gpuplanner.domain.message import Message, Part, Text, joined, worded, worded_count
from gpuplanner.lazy_dataclass import dataclass

# --- Sums of amounts that may be unknown (unknown is not zero), and whole numbers that add up to their total

Key = TypeVar("Key")
Value = TypeVar("Value")
Amount = TypeVar("Amount", int, float, Floats, Ints)

HALF_A_CENT: Final = 0.005
"""Amounts in $ within this distance are equal; the difference is rounding."""


def known_sum(amounts: Iterable[float | None]) -> float | None:
    """Return the sum; None if an amount is unknown. The empty sum is 0.

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
    """Group values by key; keys and values keep their order.

    >>> grouped([("a", 1), ("b", 2), ("a", 3)])
    {'a': [1, 3], 'b': [2]}
    """
    groups: dict[Key, list[Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def summed(pairs: Iterable[tuple[Key, Amount]]) -> dict[Key, Amount]:
    """Sum the amounts of each key in order; a single amount is returned as the same object.

    >>> summed([("a", 1), ("b", 2), ("a", 3)])
    {'a': 4, 'b': 2}
    """
    sums: dict[Key, Amount] = {}
    for key, amount in pairs:
        sums[key] = sums[key] + amount if key in sums else amount
    return sums


def known_sums(pairs: Iterable[tuple[Key, float | None]]) -> dict[Key, float | None]:
    """Return `known_sum` for each key; keys keep their order."""
    return {key: known_sum(amounts) for key, amounts in grouped(pairs).items()}


def whole_dollars(usd: float | None) -> int | None:
    """Round an amount to whole dollars; None stays None."""
    return None if usd is None else round(usd)


def whole_change(before: float | None, after: float | None) -> int | None:
    """Return the difference of two amounts as written in whole dollars, $; None if one is unknown.

    A reader who subtracts the two amounts gets the change that is written.

    >>> whole_change(6106582.72, 6189431.49)
    82848
    """
    then, now = whole_dollars(before), whole_dollars(after)
    return None if then is None or now is None else now - then


def largest_remainder(values: Sequence[float | None], total: float | None = None) -> list[int | None]:
    """Round values to whole numbers that add up to the rounded total, by the largest remainders.

    values: unknown ones (None) stay unknown. total: by default their sum. Source: the largest remainder method of
    apportionment (Hamilton).
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


# --- Sums with unknown parts: the known amount, the number and names of unknown parts, and their wording

NAMED_AT_MOST: Final = 4
UNEXCHANGED: Final = "{contract}"


def unexchanged(contract_id: str) -> Message:
    """Return the name of a contract whose rate needs an exchange rate: its id, with its own remedy."""
    return Message(UNEXCHANGED, {"contract": contract_id})


@dataclass(frozen=True, slots=True)
class PartSum:
    """A sum with unknown parts. known: the sum of the known parts, none negative; parts: their number, with the unknown
    ones; missing: names of the unknown ones, see `remedy`.
    """

    known: float = 0.0
    parts: int = 0
    missing: tuple[Text, ...] = ()

    @property
    def total(self) -> float | None:
        """The whole sum; None if a part is unknown."""
        return None if self.missing else self.known

    @property
    def is_at_least(self) -> bool:
        """Whether some parts are known and others are not, so that the sum is a lower bound.

        >>> PartSum(3.0, 2, ("B",)).is_at_least, PartSum(0.0, 2, ("B",)).is_at_least
        (True, False)
        """
        return bool(self.missing) and self.known > 0

    @property
    def written(self) -> float | None:
        """The amount to show: the sum or its lower bound; None where no part is known.

        0 only where no part is unknown.
        """
        return self.known if self.is_at_least else self.total


NO_PARTS: Final = PartSum()
NOTHING_KNOWN: Final = PartSum(0.0, 1, ("",))
"""A sum whose parts are unknown, and which is not 0."""


def part_sum(parts: Iterable[tuple[Text, float | None]]) -> PartSum:
    """Sum named amounts; amounts with one name are one part, unknown if one amount is unknown.

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
    """Add sums of the same parts over several periods.

    >>> in_all([PartSum(3.0, 2, ("B",)), PartSum(2.0, 1)])
    PartSum(known=5.0, parts=2, missing=('B',))
    """
    listed = list(sums)
    missing = dict.fromkeys(name for of in listed for name in of.missing)
    if len(missing) > 1:
        missing.pop("", None)  # an unnamed part is dropped where others have names
    parts = max((of.parts for of in listed), default=0)
    return PartSum(sum(of.known for of in listed), max(parts, len(missing)), tuple(missing))


def sum_text(amounts: PartSum, write: Callable[[float | None], Written] = amount_text) -> Part:
    """Return a sum as text: the whole of it, its lower bound with a sign in front, or a dash.

    write: the format of the amount.

    >>> str(sum_text(PartSum(1234.0))), str(sum_text(part_sum([("A", 2.0), ("B", None)])))
    ('$1,234', '\u2265 $2')
    """
    return joined(("\u2265 ", write(amounts.known))) if amounts.is_at_least else write(amounts.total)


def missing_words(of: PartSum) -> Text:
    """Return how many parts have no price; empty where all have one.

    >>> str(missing_words(part_sum([("A", 2.0), ("B", None)])))
    '1 of 2 without a price'
    """
    if not of.missing:
        return ""
    return worded(
        "{missing} of {parts} without a price", missing=whole(len(of.missing)), parts=whole(of.parts)
    )


def missing_sentence(of: PartSum) -> Text:
    """Return which parts of a sum have no price, and how many; empty where all have one.

    >>> str(missing_sentence(part_sum([("A", 2.0), ("B", None)])))
    'At least: B has no price (1 of 2 parts)'
    """
    if not of.missing:
        return ""
    names = joined(of.missing[:NAMED_AT_MOST], ", ")
    if len(of.missing) > NAMED_AT_MOST:
        names = worded("{names} and {more} more", names=names, more=whole(len(of.missing) - NAMED_AT_MOST))
    words = worded_count(
        len(of.missing),
        "{names} has no price ({count} of {parts} parts)",
        "{names} have no price ({count} of {parts} parts)",
        names=names,
        count=whole(len(of.missing)),
        parts=whole(of.parts),
    )
    least, none = worded("At least: {words}", words=words), worded("Unknown: {words}", words=words)
    return least if of.is_at_least else none


REMEDIES: Final[Mapping[str, Text]] = {
    "": worded("Enter the rate in Contracts."),
    UNEXCHANGED: worded("Enter the exchange rate in Plan > Currency."),
    "bought": worded("Enter the price in Prices."),
}
"""Remedy by kind of missing part: a contract, a contract without an exchange rate, and offers or on-demand GPUs."""


def remedy(of: PartSum) -> Text:
    """Return where to enter the missing rates; empty where none is missing or their names are unknown.

    >>> str(remedy(PartSum(2.0, 2, ("vela-1",)))), str(remedy(PartSum(2.0, 2, (worded("training H100"),))))
    ('Enter the rate in Contracts.', 'Enter the price in Prices.')
    """
    templates = {name.template if isinstance(name, Message) else "" for name in of.missing if name}
    kinds = {template if template in REMEDIES else "bought" for template in templates}
    return joined((words for kind, words in REMEDIES.items() if kind in kinds), " ")


def lacking_sentences(of: PartSum) -> Text:
    """Return the missing rates of a sum and where to enter them; empty where none is missing.

    >>> str(lacking_sentences(part_sum([("A", 2.0), ("B", None)])))
    'At least: B has no price (1 of 2 parts). Enter the rate in Contracts.'
    """
    return joined((missing_sentence(of), remedy(of)), ". ") if any(of.missing) else ""
