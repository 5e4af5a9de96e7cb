"""Which column of a price list is the price of the machine, and which that of one GPU."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from math import log
from statistics import median
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.price_history import is_far
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.tables import column_mapping, headings
from gpuplanner.files.tables.odd_rates import market_of
from gpuplanner.files.tables.priced_machine import usual_node
from gpuplanner.files.values import amounts
from gpuplanner.files.values.gpu_counts import read_gpu_count
from gpuplanner.lazy_dataclass import replace

_ENOUGH: Final = 0.8
"""Share of the rows with several GPUs on which one price has to be the other times the GPUs."""
_CLEARLY: Final = 2.0
"""How much nearer the market one reading has to be than the other, as a factor."""

MACHINE, ONE_GPU = "machine", "gpu"


def with_pair(
    mapping: column_mapping.TableMapping, rows: Iterable[Sequence[str]]
) -> column_mapping.TableMapping:
    """The mapping with the machine's price as the rate and that of one GPU to compare, where a list has both.

    Whatever their headings say: on the rows with several GPUs the one is the other times the GPUs.
    """
    counts_at = mapping.of("gpus")
    if (
        mapping.kind != "prices"
        or mapping.is_own
        or counts_at is None
        or headings.names_machine(counts_at.column)
    ):
        return mapping
    at = {heading: index for index, heading in enumerate(mapping.headings)}
    table = list(rows)
    counts = [_gpus(cell_at(row, at[counts_at.column])) for row in table]
    prices = {
        heading: [_hourly(cell_at(row, index), meaning) for row in table]
        for heading, index in at.items()
        if heading and (meaning := _price_meaning(heading, mapping)) is not None
    }
    price = next(
        (
            (machine, each)
            for machine in prices
            for each in prices
            if machine != each
            and not headings.names_machine(each)
            and _is_multiple(prices[machine], prices[each], counts)
        ),
        None,
    )
    if price is None:
        return mapping
    machine, each = price
    of_machine = next(
        (c for c in mapping.columns if c.column in price and c.field == column_mapping.RATE_ON_DEMAND), None
    )
    field = column_mapping.RATE if of_machine is None else column_mapping.RATE_ON_DEMAND
    why = worded("“{each}” × the row's GPUs: per machine", each=each)
    left = [
        c
        for c in mapping.columns
        if c.column not in price and c.field not in (field, column_mapping.STATED_PER_GPU)
    ]
    pair = (
        _column(field, machine, mapping, is_of_one=False, why=why),
        _column(
            column_mapping.STATED_PER_GPU, each, mapping, is_of_one=True, why=worded("per GPU: compared")
        ),
    )
    return replace(mapping, columns=tuple(sorted((*left, *pair), key=lambda column: at[column.column])))


def machine_or_gpu(
    prices: Sequence[Decimal | None], column: column_mapping.ColumnReading, cells: Mapping[str, Sequence[str]]
) -> tuple[str, bool]:
    """Whether a price per hour is of the row's machine or of one GPU, and whether the list itself says so.

    Of one provider's machines with one GPU model and different counts of it the prices go with the counts, or stay;
    else the reading that is clearly nearer the market. Empty where neither tells.
    """
    counts = [_gpus(text) for text in cells.get("gpus", ())]
    if by_size := _by_size(prices, counts, cells):
        return by_size, True
    return _by_market(prices, counts, column, cells), False


def _by_size(
    prices: Sequence[Decimal | None], counts: Sequence[Decimal | None], cells: Mapping[str, Sequence[str]]
) -> str:
    """Whether prices grow with the machine: of the same model and terms, the largest against the smallest.

    Empty where as many say so as say not.
    """
    groups: dict[tuple[str, ...], dict[Decimal, Decimal]] = {}
    keys = ("provider", "gpu_model", "gpu_memory_gb", "term_months", "pricing_category", "region")
    for at, (price, count) in enumerate(zip(prices, counts, strict=False)):
        if price and count:
            key = tuple(cell_at(cells.get(field, ()), at).strip().lower() for field in keys)
            groups.setdefault(key, {}).setdefault(count, price)
    votes = {MACHINE: 0, ONE_GPU: 0}
    for by_count in groups.values():
        if len(by_count) < 2:
            continue
        fewest, most = min(by_count), max(by_count)
        grown, size = log(float(by_count[most] / by_count[fewest])), log(float(most / fewest))
        votes[MACHINE if grown > size / 2 else ONE_GPU] += 1
    return "" if votes[MACHINE] == votes[ONE_GPU] else max(votes, key=lambda name: votes[name])


def _by_market(
    prices: Sequence[Decimal | None],
    counts: Sequence[Decimal | None],
    column: column_mapping.ColumnReading,
    cells: Mapping[str, Sequence[str]],
) -> str:
    """Whether prices are nearer to the market as a machine's or as one GPU's.

    Empty where neither is clearly nearer.
    """
    whole, each = [], []
    for at, (price, count) in enumerate(zip(prices, counts, strict=False)):
        category = _category(column, cell_at(cells.get("pricing_category", ()), at))
        low, high = market_of(cell_at(cells.get("gpu_model", ()), at), None, category)
        if price and count and count > 1 and high:
            middle = (low * high) ** 0.5
            whole.append(abs(log(float(price) / middle)))
            each.append(abs(log(float(price / count) / middle)))
    if not whole or abs(median(whole) - median(each)) < log(_CLEARLY):
        return ""
    return ONE_GPU if median(whole) < median(each) else MACHINE


def near_market(
    prices: Sequence[Decimal | None], column: column_mapping.ColumnReading, cells: Mapping[str, Sequence[str]]
) -> set[tuple[bool, bool]]:
    """Of the prices of rows with several GPUs whether they are far from the market as one GPU's, and as a machine's.

    Of a cell that says what it is for neither is asked; one near it as that of a usual node may be of several.
    """
    near = set[tuple[bool, bool]]()
    rows = zip(prices, cells.get("gpus", ()), cells[column.field], strict=False)
    for at, (price, text, paid) in enumerate(rows):
        market = market_of(cell_at(cells.get("gpu_model", ()), at), None, _category(column, ""))
        if (
            price
            and not amounts.read_amount(paid).per
            and (count := _gpus(text))
            and count > 1
            and market.high
        ):
            near.add((is_far(float(price), market), is_far(float(price / count), market)))
            node = usual_node(cell_at(cells.get("gpu_model", ()), at))
            if 0 < node < count and not is_far(float(price / node), market):
                near.add((False, False))
    return near


def _category(column: column_mapping.ColumnReading, text: str) -> PricingCategory:
    """The pricing category of a row: its own word, or that of the column; standard if neither says."""
    if column.field == column_mapping.RATE_SPOT:
        return PricingCategory.DYNAMIC
    category = headings.category_of(text) if text.strip() else None
    return PricingCategory(category.upper()) if category else PricingCategory.STANDARD


def _price_meaning(heading: str, mapping: column_mapping.TableMapping) -> headings.Meaning | None:
    """What a column means that may be one of the two prices; None where it is none."""
    of_field = next((c for c in mapping.columns if c.column == heading), None)
    if of_field is not None and of_field.field not in (
        column_mapping.RATE,
        column_mapping.RATE_ON_DEMAND,
        column_mapping.STATED_PER_GPU,
    ):
        return None
    said = [
        m
        for m in headings.meanings(heading, mapping.kind)
        if m.field in (column_mapping.RATE, column_mapping.RATE_ON_DEMAND, column_mapping.STATED_PER_GPU)
    ]
    return said[0] if said else None


def _is_multiple(
    machine: Sequence[Decimal | None], each: Sequence[Decimal | None], counts: Sequence[Decimal | None]
) -> bool:
    """Whether one price is the other times the GPUs, on enough of the rows with several; rounded to cents or not."""
    told = [
        abs(whole - one * count) <= count * Decimal("0.0051") + whole / 200
        for whole, one, count in zip(machine, each, counts, strict=True)
        if whole and one and count and count > 1
    ]
    return bool(told) and sum(told) >= _ENOUGH * len(told)


def _column(
    field: str, heading: str, mapping: column_mapping.TableMapping, *, is_of_one: bool, why: Message
) -> column_mapping.ColumnReading:
    """The reading of a column as the price of a machine or of one GPU, for the period its heading names."""
    meaning = next((m for m in headings.meanings(heading, mapping.kind) if m.unit or m.currency), None)
    period = (meaning.unit if meaning else "").removeprefix("gpu_") or "hour"
    unit = f"gpu_{period}" if is_of_one else period
    currency = meaning.currency if meaning else ""
    return column_mapping.ColumnReading(
        field=field, column=heading, unit=unit, currency=currency, confidence=0.9, why=why
    )


def _hourly(text: str, meaning: headings.Meaning) -> Decimal | None:
    """A price an hour in the currency's unit; None where it is no positive amount."""
    amount = amounts.read_amount(text, amounts.POINT)
    if amount.number is None or not 0 < amount.number < 10**12:
        return None
    hours = column_mapping.HOURS_OF_UNIT[meaning.unit or column_mapping.GPU_HOUR].hours
    price = amount.number / 100 if meaning.currency == column_mapping.CENTS else amount.number
    return price * hours.denominator / hours.numerator


def _gpus(text: str) -> Decimal | None:
    """The count of GPUs of a cell; None where it is none or 0."""
    milli_gpus = read_gpu_count(text).milli_gpus
    return Decimal(milli_gpus) / 1000 if milli_gpus and milli_gpus > 0 else None


def cell_at(cells: Sequence[str], at: int) -> str:
    """The cell at a place, empty in a short row."""
    return cells[at].strip() if at < len(cells) else ""
