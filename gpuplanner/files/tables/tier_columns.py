"""Volume tiers of price lists: a column with ranges of GPUs is read by its cells, whatever its heading."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import permutations
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.tables import headings
from gpuplanner.files.tables.column_mapping import ColumnReading, TableMapping, is_rate
from gpuplanner.files.tables.layout import NumberedRow
from gpuplanner.files.values.amounts import NO_AMOUNT, currency_of
from gpuplanner.files.values.gpu_ranges import GpuRange, read_range
from gpuplanner.files.values.word_lists import words
from gpuplanner.lazy_dataclass import replace

TIER_FIELD: Final = "min_gpus"
"""The field of ranges: their first count is the minimum, their last one `max_gpus_per_order`."""

_GPUS_COUNTED: Final = headings.GPU_TOKENS | words("unit|units|cards|accelerators|karten|gpus")
_MAY_BE_TIERS: Final = ("gpus", "min_gpus", "max_gpus", "rate_low", "unit_gpus", "variant")
"""Fields whose column is one of tiers if its cells are ranges."""

_OF_TIME: Final = words(
    "days|weeks|months|years|hours|notice|delivery|lead|term|tage|wochen|monate|jahre|frist|laufzeit|jours|semaines|mois"
)
"""Words of a heading whose ranges are of time."""


def counts_gpus(gpu_range: GpuRange) -> bool:
    """Whether a range is of GPUs or of machines, and not of months or of other things.

    >>> [counts_gpus(read_range(text)) for text in ("1-63", "1-63 GPUs", "2-4 nodes", "12-36 months")]
    [True, True, True, False]
    """
    counted = gpu_range.counted.lower()
    return not counted or bool(_GPUS_COUNTED & set(counted.split())) or headings.names_machine(counted)


def are_tiers(heading: str, cells: Iterable[str]) -> bool:
    """Whether a column is one of volume tiers: ranges of GPUs, maybe one bare count at an end.

    >>> are_tiers("Band", ["1-63", "64-255", "256"]), are_tiers("RAM (GB)", ["1-63", "64+"])
    (True, False)
    >>> are_tiers("Annual spend (USD)", ["0-5000", "5000+"]), are_tiers("Volume", ["64", "256"])
    (False, False)
    """
    texts = {cell.strip() for cell in cells} - {""}
    texts = {text for text in texts if text.lower() not in NO_AMOUNT}
    ranges = [read_range(text) for text in texts]
    bare = sum(text.isdecimal() for text, gpu_range in zip(texts, ranges, strict=True) if gpu_range is None)
    known = [gpu_range for gpu_range in ranges if gpu_range is not None and counts_gpus(gpu_range)]
    heading_words = set(headings.plain_words(heading.replace("(", " ").replace(")", " ")).split())
    is_of_others = (
        currency_of(heading) is not None
        or bool(headings.price_period(heading) or heading_words & _OF_TIME)
        or headings.counts_no_gpus(heading)
    )
    return bool(known) and bare <= 1 and len(known) + bare == len(texts) and not is_of_others


def _open_places(mapping: TableMapping, given: Mapping[str, str], may_be: Collection[str]) -> list[int]:
    """The columns, from 0, that may have the tiers of a price list: unread, or read as one of these fields.

    given: field by column that somebody named; these stay, and a list whose tiers were named has none to find.
    """
    if mapping.kind != "prices" or mapping.is_own or TIER_FIELD in given.values():
        return []
    fields = {column.column: column.field for column in mapping.columns}
    return [
        column_at
        for column_at, name in enumerate(mapping.headings)
        if name and name not in given and fields.get(name, TIER_FIELD) in may_be
    ]


def _with_readings(mapping: TableMapping, readings: Sequence[ColumnReading]) -> TableMapping:
    """The mapping with these readings in place of others of their fields or columns, in the order of the headings."""
    fields = {reading.field for reading in readings}
    names = {reading.column for reading in readings}
    kept = (column for column in mapping.columns if column.field not in fields and column.column not in names)
    order = {heading: number for number, heading in enumerate(mapping.headings)}
    return replace(
        mapping, columns=tuple(sorted((*kept, *readings), key=lambda column: order[column.column]))
    )


def with_tier_pair(
    mapping: TableMapping, rows: Iterable[NumberedRow], given: Mapping[str, str]
) -> TableMapping:
    """The mapping with two columns of counts read as the ends of tiers where each tier begins behind another's end.

    rows: the first below the headings. given: field by column that somebody named; these stay.
    """
    open_at = _open_places(mapping, given, (*_MAY_BE_TIERS, "rate_high"))
    if not open_at:
        return mapping
    table = [[*map(str.strip, row)] for _, row in rows if sum(map(bool, map(str.strip, row))) > 1]
    pair = next((ends for ends in permutations(open_at, 2) if _are_ends(table, *ends)), None)
    if pair is None or not mapping.rates:
        return mapping
    names = [mapping.headings[place] for place in pair]
    why = worded("“{low}” and “{high}” are the ends of tiers", low=names[0], high=names[1])
    ends = [
        ColumnReading(field=field, column=name, confidence=headings.SYNONYM, why=why)
        for field, name in zip((TIER_FIELD, "max_gpus_per_order"), names, strict=True)
    ]
    return _with_readings(mapping, ends)


def _are_ends(table: Sequence[Sequence[str]], low_at: int, high_at: int) -> bool:
    """Whether two columns are the ends of tiers that follow each other: 1 to 15, 16 to 63, from 64."""
    pairs = [(row[low_at], row[high_at]) for row in table if max(low_at, high_at) < len(row)]
    lows = {int(low) for low, _ in pairs if low.isdecimal()}
    highs = {int(high) for _, high in pairs if high.isdecimal()}
    is_whole = all(
        low.isdecimal() and (high.isdecimal() or not high or high in _NO_END) for low, high in pairs
    )
    is_up = all(int(low) <= int(high) for low, high in pairs if low.isdecimal() and high.isdecimal())
    follow = sum(high + 1 in lows for high in highs)
    return bool(pairs) and is_whole and is_up and len(lows) > 1 and follow >= max(1, len(lows) - 1)


_NO_END: Final = ("-", "–", "∞", "inf", "max", "open", "+", "null", "None", "n/a")

_LARGEST_NODE: Final = 16
"""GPUs: a higher count is the size of an order."""


def with_counted_tiers(mapping: TableMapping, rows: Iterable[NumberedRow]) -> TableMapping:
    """The mapping with a count of GPUs read as the minimum of an order where it is no machine: its rates are per GPU,
    and one GPU costs less in orders of 64 and of 256.

    rows: the first below the headings.
    """
    count, rates = mapping.of("gpus"), mapping.rates
    if mapping.kind != "prices" or mapping.is_own or count is None or mapping.of(TIER_FIELD) or not rates:
        return mapping
    if not all(column.unit.startswith("gpu_") for column in rates):
        return mapping
    count_at, priced = mapping.place(count.column), [mapping.place(column.column) for column in rates]
    read = [mapping.place(column.column) for column in mapping.columns]
    keys = [place for place in read if place not in (count_at, *priced)]
    groups: dict[tuple[str, ...], dict[int, tuple[str, ...]]] = {}
    for _, row in rows:
        cells = [*map(str.strip, row), *[""] * (len(mapping.headings) - len(row))]
        if cells[count_at].isdecimal() and any(cells[place] for place in priced):
            key = tuple(cells[place] for place in keys)
            groups.setdefault(key, {})[int(cells[count_at])] = tuple(cells[place] for place in priced)
    several = [by_count for by_count in groups.values() if len(by_count) > 1]
    are_orders = max((count for by_count in several for count in by_count), default=0) > _LARGEST_NODE
    if not are_orders or not all(len(set(by_count.values())) > 1 for by_count in several):
        return mapping
    why = worded("prices per GPU fall with “{column}”: minimum GPUs", column=count.column)
    tier = replace(count, field=TIER_FIELD, why=why)
    return replace(mapping, columns=tuple(tier if column is count else column for column in mapping.columns))


def with_tier_column(
    mapping: TableMapping, rows: Iterable[NumberedRow], given: Mapping[str, str]
) -> TableMapping:
    """The mapping with the column of tiers read as the minimum of an order; as it is where the list has none.

    rows: the first below the headings. given: field by column that somebody named; these stay.
    """
    open_at = _open_places(mapping, given, _MAY_BE_TIERS)
    if not open_at:
        return mapping
    cells: dict[int, list[str]] = {count_at: [] for count_at in open_at}
    for _, row in rows:
        if sum(map(bool, map(str.strip, row))) > 1:
            for count_at in open_at:
                cells[count_at].append(row[count_at] if count_at < len(row) else "")
    place = next(
        (count_at for count_at in open_at if are_tiers(mapping.headings[count_at], cells[count_at])), None
    )
    if place is None or not any(is_rate(column.field) for column in mapping.columns):
        return mapping
    name = mapping.headings[place]
    example = next(text.strip() for text in cells[place] if read_range(text) is not None)
    why = worded("ranges of GPUs, such as {value}", value=example)
    tier = ColumnReading(field=TIER_FIELD, column=name, confidence=headings.SYNONYM, why=why)
    return _with_readings(mapping, [tier])
