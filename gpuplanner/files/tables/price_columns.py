"""Which price a column holds, of the machine or of one GPU; what its cells come to; which rates are odd."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache, lru_cache
from math import log
from statistics import median
from typing import Final, TypeVar

from gpuplanner.domain.figures.typed import decimals, exact, significant, whole
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import USD
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_book import CATEGORY_WORDS
from gpuplanner.domain.model.book.price_history import (
    MarketRates,
    is_far,
    likely_readings,
    market_rate,
    market_rates,
)
from gpuplanner.domain.model.intake import Issue
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.system import resources
from gpuplanner.files.tables import column_mapping, headings, small_table
from gpuplanner.files.tables.fields import WORDS
from gpuplanner.files.values import numbers
from gpuplanner.files.values.gpu_names import find_instance, read_gpu_count
from gpuplanner.files.values.written_dates import term_within
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- Rates far from the market are always asked about: the issue odd_rate of contracts and prices, in every format

Value = TypeVar("Value", Contract, Offer)
ODD_RATE: Final = "odd_rate"


def with_odd_rates(read: small_table.TableRead[Value]) -> small_table.TableRead[Value]:
    """The same, with the issue odd_rate where rates are over four times the market or under a quarter.

    Every row stays accepted. A family or a way to pay that the market list does not know is not held against it.
    """
    rows: dict[int, Contract | Offer] = {}
    for at, value in enumerate(read.values):
        if not value.is_dollars and _is_odd(value):
            rows.setdefault(read.rows[at] if read.rows else at + 1, value)
    if not rows:
        return read
    kept = [_odd_words(value, line) for line, value in list(rows.items())[: small_table.WORDS_KEPT]]
    if len(rows) > len(kept):
        kept.append(worded("and {count} more rows", count=whole(len(rows) - len(kept))))
    issue = Issue(ODD_RATE, len(rows), min(rows), small_table.worded_message(ODD_RATE, kept))
    issues = sorted((*read.intake.issues, issue), key=lambda one: one.code)
    return replace(read, intake=replace(read.intake, issues=tuple(issues)))


_CHINA: Final = WORDS["china"]
UNKNOWN: Final = "XXX"
"""What ISO 4217 has for no currency."""


def is_of_china(region: str | None) -> bool:
    """Whether a region is one of China, whose lists are in its own money.

    >>> is_of_china("cn-hangzhou"), is_of_china("华东1"), is_of_china("us-east-1")
    (True, True, False)
    """
    return _CHINA.search(region or "") is not None


def with_currency_asked(
    read: small_table.TableRead[Offer], head: str, words: str
) -> small_table.TableRead[Offer]:
    """The same, where a list of Chinese regions names no currency with amounts that are unknown until it is told.

    head: of the file; told: how it is read, in words.
    """
    regions = [is_of_china(offer.region) for offer in read.values if offer.region]
    named = numbers.currency_of(head)
    is_yen = "¥" in head and named == "JPY" and "JPY" not in head
    if sum(regions) * 2 <= len(regions) or (named and not is_yen) or "currency=" in words:
        return read
    values = tuple(
        replace(offer, currency="CNY" if is_yen else UNKNOWN, exchange=None) for offer in read.values
    )
    asked = worded(
        ("regions in China without a currency: amounts are unknown. Specify it, such as {how}"),
        how="--map prices.currency==CNY",
    )
    issue = Issue("undecided", len(values), min(read.rows, default=1), asked)
    return replace(read, values=values).with_issues(() if is_yen else (issue,))


def market_families(gpu_model: str | None, memory_gb: float | None = None) -> tuple[str, ...]:
    """The families of the market list that a GPU model's name may be of: several of an A100 that does not say its size.

    >>> market_families("NVIDIA H100 80GB HBM3"), market_families("A100"), market_families("A100", 80.0)
    (('H100',), ('A100 40GB', 'A100 80GB'), ('A100 80GB',))
    """
    read = resources.gpu_families().read(gpu_model or "")
    if read is None or read.part:
        return ()
    known = sorted({family for family, _ in _market()})
    if not read.is_unsized:
        return (read.family,) if read.family in known else ()
    sizes = [family for family in known if family.startswith(f"{read.family} ")]
    told = [family for family in sizes if memory_gb and family == f"{read.family} {memory_gb:g}GB"]
    return tuple(told or sizes)


@lru_cache(maxsize=512)
def market_of(
    gpu_model: str | None, memory_gb: float | None, category: PricingCategory | None
) -> tuple[float, float]:
    """The lowest and highest market rate of what a name may mean, $ per GPU-hour.

    (0, 0) where it is not known.

    memory_gb and category: None where they are not stated; the range is then that of all.
    """
    return market_rate(_market(), market_families(gpu_model, memory_gb), category)


def market_of_offer(offer: Offer) -> tuple[float, float]:
    """The market beside an offer, as `market_of` says it, US dollars per GPU-hour."""
    return market_of(offer.gpu_model, offer.gpu_memory_gb, offer.pricing_category)


@cache
def _market() -> MarketRates:
    """The rates of the list and the history that ship with the product, by family."""
    months = (replace(row, gpu_model=_family(row.gpu_model)) for row in resources.read_price_history())
    listed = (replace(rate, gpu_model=_family(rate.gpu_model)) for rate in resources.read_listed_rates())
    return market_rates(months, listed)


def _family(name: str) -> str:
    """The family of a GPU model, by which its market is known; its own name if it is of none."""
    read = resources.gpu_families().read(name)
    return name if read is None else read.family


def _rate(value: Contract | Offer) -> float:
    """What an hour of a GPU costs; 0 where nobody knows."""
    return (value.spread_rate if isinstance(value, Offer) else value.rate) or 0.0


def _is_odd(value: Contract | Offer) -> bool:
    """Whether a rate in US dollars, which the market list is in, is far from the market."""
    rate = _rate(value)
    market = (value.gpu_model, value.gpu_memory_gb, value.pricing_category)
    return rate > 0 and value.currency == USD and is_far(rate, market_of(*market))


def _odd_words(value: Contract | Offer, line: int) -> Message:
    """What is odd about a rate: its line, the rate, what the market is, and what the number may be."""
    rate = _rate(value)
    low, high = market = market_of(value.gpu_model, value.gpu_memory_gb, value.pricing_category)
    words = worded(
        "row {line}: {model} {way} at {rate} per GPU-hour; the market rate is about {market}",
        line=whole(line),
        model=value.gpu_model or "",
        way=CATEGORY_WORDS[value.pricing_category or PricingCategory.COMMITTED],
        rate=joined(("$", significant(rate))),
        market=joined(("$", decimals(low, 2), *(() if low == high else ("\u2013", decimals(high, 2))))),
    )
    readings = likely_readings(rate, market, value.gpus if isinstance(value, Contract) else 1)
    if not readings:
        return words
    message = joined(
        (
            worded("{rate} if it is {what}", rate=joined(("$", decimals(each, 2))), what=what)
            for what, each in readings
        ),
        ", ",
    )
    return joined((words, " (", message, ")"))


# --- The machine that a price may be of: how many GPUs it has, by what its row tells or by the instance type it names


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """milli_gpus: thousandths of a GPU in one machine, 0 where nobody tells. name: its instance type, where known.

    is_plain: whether the row names a GPU and neither a type of machine nor how many.
    missing: the column that would tell. is_typed: whether its row names a type of machine that is known, whose price by
    the hour is of one of them, however many there are. usual: GPUs of the node that its GPU model is mostly sold in,
    where neither its row nor a heading tells; 0 where that is not known.
    """

    milli_gpus: int = 0
    name: str = ""
    is_plain: bool = False
    missing: str = "gpus"
    is_typed: bool = False
    usual: int = 0

    @property
    def gpus(self) -> Decimal:
        """Its GPUs.

        0 where it is not known how many it has.
        """
        return Decimal(self.milli_gpus) / 1000


def machine_of_offer(cells: Iterable[str], texts: Mapping[str, str]) -> Machine:
    """The machine of a row of a price list: the instance type that it names, before its own count of GPUs.

    texts: by field, as written. A row with neither count nor type is taken for plain GPUs.
    """
    known = _known(cells, texts)
    if known is not None:
        return Machine(milli_gpus=known[1], name=known[0])
    gpus = _milli(texts.get("gpus", "")) or _milli(texts.get(column_mapping.GPUS_PER_NODE, ""))
    is_plain = not texts.keys() & {"gpus", column_mapping.GPUS_PER_NODE} and not texts.get(
        column_mapping.INSTANCE
    )
    return Machine(milli_gpus=gpus, name="", is_plain=is_plain)


def machine_of_contract(cells: Iterable[str], texts: Mapping[str, str]) -> Machine:
    """The machine of a contract: its GPUs per node, else its GPUs over its nodes, else its instance type.

    Divided only where every node has the same, to the thousandth of a GPU.
    """
    each = _milli(texts.get(column_mapping.GPUS_PER_NODE, ""))
    gpus, nodes = _milli(texts.get("gpus", "")), _milli(texts.get(column_mapping.NODES, ""))
    if not each and gpus and nodes and gpus * 1000 % nodes == 0:
        each = gpus * 1000 // nodes
    known = _known(cells, texts)
    is_typed = (
        known is not None
        and bool(nodes)
        and find_instance(texts.get(column_mapping.INSTANCE, "")) is not None
    )
    if each:
        return Machine(
            milli_gpus=each,
            missing=column_mapping.GPUS_PER_NODE,
            is_typed=is_typed and known is not None and known[1] == each,
        )
    if known is not None:
        return Machine(
            milli_gpus=known[1], name=known[0], missing=column_mapping.GPUS_PER_NODE, is_typed=is_typed
        )
    return Machine(missing=column_mapping.GPUS_PER_NODE, usual=usual_node(texts.get("gpu_model", "")))


@lru_cache(maxsize=512)
def usual_node(gpu_model: str) -> int:
    """GPUs of the node that a model is mostly sold in; 0 where it is sold singly, or nobody knows.

    >>> usual_node("H100 SXM"), usual_node("H100 PCIe"), usual_node("abacus")
    (8, 0, 0)
    """
    read, tables = resources.gpu_families().read(gpu_model), resources.read_tables()
    if read is None or read.part:
        return 0
    known = {model.name for model in tables.gpu_models}
    return tables.node_gpus.get(read.full if read.full in known else read.family, 0)


def _known(cells: Iterable[str], texts: Mapping[str, str]) -> tuple[str, int] | None:
    """The one instance type whose GPUs are known: that of its column, else of the whole row."""
    own = texts.get(column_mapping.INSTANCE, "")
    for some in ((own,), cells):
        found = {
            (product.instance_type, int(product.gpus * 1000))
            for text in some
            if text and (product := find_instance(text)) is not None and product.gpus
        }
        if len(found) == 1:
            return found.pop()
        if found:
            return None
    return None


def _milli(text: str) -> int:
    """A count of GPUs in thousandths; 0 where it is none."""
    number = numbers.read_decimal(text)
    return int(number * 1000) if number is not None and 0 < number < 10**9 else 0


# --- Which column of a price list is the price of the machine and which that of one GPU: by what their numbers say

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
        if price and not numbers.read_amount(paid).per and (count := _gpus(text)) and count > 1 and market[1]:
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
    amount = numbers.read_amount(text, numbers.POINT)
    if amount.number is None or not 0 < amount.number < 10**12:
        return None
    hours = column_mapping.HOURS_OF_UNIT[meaning.unit or column_mapping.GPU_HOUR][0]
    price = amount.number / 100 if meaning.currency == column_mapping.CENTS else amount.number
    return price * hours.denominator / hours.numerator


def _gpus(text: str) -> Decimal | None:
    """The count of GPUs of a cell; None where it is none or 0."""
    milli_gpus = read_gpu_count(text).milli_gpus
    return Decimal(milli_gpus) / 1000 if milli_gpus and milli_gpus > 0 else None


def cell_at(cells: Sequence[str], at: int) -> str:
    """The cell at a place, empty in a short row."""
    return cells[at].strip() if at < len(cells) else ""


# --- Clouds, by the words that headings, keys and names of files have for them


@cache
def _provider_of_word() -> Mapping[str, str]:
    """The clouds by the words that headings and files have for them."""
    rows = resources.rows_of("provider_words.csv")
    return {word: row["provider"] for row in rows for word in row["words"].split("|")}


def provider_named(text: str) -> str:
    """The cloud that a heading or the name of a file is; empty where it is none.

    >>> provider_named("Google Cloud"), provider_named("vast.ai"), provider_named("H100")
    ('Google Cloud', 'Vast.ai', '')
    """
    return _provider_of_word().get(" ".join(lazy_re(r"[a-z0-9]+").findall(text.lower())), "")


# --- What a cell of a price comes to: of one GPU and hour, with how it was computed -------------

NO_TEXTS: Final[Mapping[str, str]] = {}
NODE: Final = WORDS["machine"]
"""Machines that are sold whole: an instance or a VM may be any part of one."""


def with_rate(
    texts: dict[str, str],
    mapping: column_mapping.TableMapping,
    milli_gpus: int | None,
    row: small_table.Row,
    machine: Machine,
) -> dict[str, str]:
    """The texts with $ per GPU-hour in place of what the cell of the price says, where there is such a column.

    milli_gpus: what the row counts, None if it does not; machine: what a price of a machine is divided by.
    An unknown rate is the empty text.
    """
    column = mapping.of(column_mapping.RATE)
    if column is None:
        return texts
    rate = rate_of(texts[column_mapping.RATE], column, milli_gpus, row, machine, texts)
    return {**texts, column_mapping.RATE: "" if rate is None else f"{rate:f}"}


def _is_of_one(price: Decimal, milli_gpus: int | None, texts: Mapping[str, str]) -> bool:
    """Whether a price in a list of prices of machines and of single GPUs is near the market as that of one alone."""
    market, each = market_of(texts.get("gpu_model"), None, None), 1000 * price / (milli_gpus or 1000)
    is_near = market[1] > 0 and not is_far(float(price), market)
    return is_near and (not milli_gpus or is_far(float(each), market))


def rate_of(
    text: str,
    column: column_mapping.ColumnReading,
    milli_gpus: int | None,
    row: small_table.Row,
    machine: Machine | None = None,
    texts: Mapping[str, str] = NO_TEXTS,
) -> Decimal | None:
    """The price of a GPU-hour in the currency of the row, which is said where it is not US dollars.

    None where the cell holds none, one of another currency than the row's, or of one that nobody knows.
    A price for several GPUs or hours is divided, and the arithmetic is said. What a cell itself says of hours, months
    or machines counts before a column for that, and both before the heading; a currency that is the row's counts before
    all. milli_gpus: those of the row; machine: one of the row's machines, by whose GPUs a price of a machine is
    divided; texts: the row's, see texts_of.
    """
    amount = numbers.read_amount(text, column.style or numbers.POINT)
    unit_of_row, of_row = texts.get(column_mapping.PRICE_UNIT, ""), texts.get(column_mapping.CURRENCY)
    currency = currency_of_price(amount, unit_of_row, column, of_row or "")
    is_part = amount.per.startswith("%")  # a discount
    is_open = numbers.is_range(text)
    is_sum = amount.number is not None and 0 < amount.number <= small_table.LARGEST_NUMBER
    if not is_sum or amount.number is None or is_part or is_open or not is_amount(text):
        is_told = text.strip() and text.strip().lower() not in numbers.NO_AMOUNT
        if is_told and (is_part or amount.number != 0):
            row.say("bad_number", small_table.cell_is(column.column, text))
        if is_open:
            row.say("quote_needed", worded(_NO_RATE.template, column=column.column))
        return None
    is_in_cents = currency == column_mapping.CENTS
    stated = number = amount.number
    if is_in_cents:
        number, currency = stated / 100, "USD"
    if currency != "USD":
        say_foreign(text, currency, row)
        if currency not in numbers.CODES or (of_row is not None and currency != (of_row or "USD")):
            return None
    unit_said = (
        unit_of_row if headings.price_period(unit_of_row) or headings.names_machine(unit_of_row) else ""
    )
    unit = _unit_ofcell_at(amount.per, _unit_ofcell_at(unit_said, column.unit or column_mapping.GPU_HOUR))
    hours, is_of_one = column_mapping.HOURS_OF_UNIT[unit]
    if hours == 1 and (is_of_one or (column.is_asked and _is_of_one(number, milli_gpus, texts))):
        if is_in_cents:
            price = joined((exact(stated), " / 100"))
            row.say("computed", worded("{price} = {rate} per GPU-hour", price=price, rate=exact(number)))
        return number
    name: Text = ""
    if machine is not None and not is_of_one:
        is_of_machine = any(map(headings.names_machine, (amount.per, unit_said, column.column)))
        is_of_machine = is_of_machine or (hours == 1 and machine.is_typed)
        is_of_machine = is_of_machine or bool(
            texts.get(column_mapping.NODES) and headings.is_each(column.column)
        )
        if is_of_machine or not milli_gpus:
            milli_gpus, name = _gpus_of_machine(machine, column, f"{amount.per} {unit_said}", texts)
        if not milli_gpus and machine.is_plain and not is_of_machine:
            milli_gpus = 1000  # a GPU by itself, in a list where others are of several
        if not milli_gpus:
            row.say(
                "undecided",
                worded(
                    "{price}: GPUs per node unknown; add a column {missing}",
                    price=text.strip()[:40],
                    missing=machine.missing,
                ),
            )
    if not is_of_one and not milli_gpus:
        return None
    gpus = Decimal(1000 if is_of_one else milli_gpus or 1000) / 1000
    each = number * hours.denominator / (hours.numerator * gpus)
    rate = each.quantize(Decimal("0.000001"))

    def arithmetic() -> Message:
        """How the price of one GPU and hour comes about."""
        price = joined((exact(stated), *((" / 100",) if is_in_cents else ())))
        counted = worded("{gpus} GPUs", gpus=exact(gpus.normalize()))
        if name:
            counted = worded("{gpus} GPUs of a {machine}", gpus=exact(gpus.normalize()), machine=name)
        parts = [f"{hours} h"] * (hours != 1) + [counted] * (not is_of_one)
        of = joined(parts or [f"{hours} h"], " x ")
        return worded(BY_PARTS.template, price=price, parts=of, rate=exact(rate.normalize()))

    if hours != 1 or gpus != 1 or is_in_cents:
        row.say("computed", arithmetic)
    return Decimal(f"{rate.normalize():f}") or None


@lru_cache(maxsize=4096)
def is_amount(text: str) -> bool:
    """Whether a cell holds an amount, and not words with a number among them.

    >>> [is_amount(text) for text in ("$2.10/h", "from 2.10", "as of Nov 2026", "3 years reserved", "on request")]
    [True, True, False, False, False]
    """
    if numbers.read_amount(text).number is None or numbers.currency_of(text) is not None:
        return numbers.read_amount(text).number is not None
    before = lazy_re(r"[^\W\d_]{2,}").findall(lazy_re(r"\d").split(text, 1)[0].lower())
    return _BEFORE_AMOUNTS.issuperset(before) and term_within(text) is None


_BEFORE_AMOUNTS: Final = headings.PRICE_TOKENS | numbers.words(
    "from|starting|starts|at|as|low|up|to|least|most|min|max|ab|bis|dès|jusqu|à|partir|ca|circa|approx|about|only|nur"
    "|per|gpu|hour|now|spot|on|demand|od|reserved|secure|community|list|net|netto|usd"
)
BY_PARTS: Final = worded("{price} / ({parts}) = {rate} per GPU-hour")
_NO_RATE: Final = worded("“{column}” has ranges. Enter the rate, and the ends as rate_low and rate_high")


def _gpus_of_machine(
    machine: Machine, column: column_mapping.ColumnReading, text: str, texts: Mapping[str, str]
) -> tuple[int, Text]:
    """Thousandths of a GPU in a machine, and its name: as its row tells, else the heading; of nodes, as is usual.

    text: what the row says that the price is for.
    """
    milli_gpus = machine.milli_gpus or headings.gpus_in_heading(column.column) * 1000
    if milli_gpus or not NODE.search(f"{text} {column.column}"):
        return milli_gpus, machine.name
    return machine.usual * 1000, usual_node_words(texts) if machine.usual else ""


def currency_of_price(
    amount: numbers.Amount, unit_of_row: str, column: column_mapping.ColumnReading, of_row: str = ""
) -> str:
    """What the row says, else the cell, else the row's unit, else the heading; US dollars where none does.

    of_row: the cell of a column of currencies; unit_of_row: that of a column of units, such as EUR/month.
    """
    of_unit = numbers.currency_of(unit_of_row)
    named = [*filter(None, (numbers.other_currency(of_row), amount.currency, of_unit, column.currency))]
    return min(named, key=lambda code: "/" in code, default="USD")  # kr is that of the heading


def say_foreign(text: str, currency: str, row: small_table.Row) -> None:
    """Notes an amount with the currency that it is in, which is not the one expected; of several it may be any."""
    if "/" in currency:
        asked = worded(
            "“{value}” may be in {currencies}. Specify it, such as {how}",
            value=text.strip()[:40],
            currencies=currency[:40],
            how=f"--map currency=={currency.partition('/')[0]}",
        )
        return row.say("undecided", asked)
    message = worded("{value} in {currency}", value=text.strip()[:40], currency=currency[:40])
    row.say("other_currency", message)


def _unit_ofcell_at(per: str, unit: str) -> str:
    """The unit of a price whose cell may say more than its column.

    >>> _unit_ofcell_at("/mo", "gpu_hour"), _unit_ofcell_at("per node-hour", "gpu_hour"), _unit_ofcell_at("", "month")
    ('gpu_month', 'hour', 'month')
    """
    said = headings.price_unit(per)
    if headings.names_machine(per):
        return (said or unit).removeprefix("gpu_")
    if not said or column_mapping.HOURS_OF_UNIT[said][1]:
        return said or unit
    return f"gpu_{said}" if column_mapping.HOURS_OF_UNIT[unit][1] else said


def usual_node_words(texts: Mapping[str, str]) -> Message:
    """The words for the node that the GPU model of a row is mostly sold in, which no cell tells."""
    return worded("typical {model} node", model=texts.get("gpu_model", ""))
