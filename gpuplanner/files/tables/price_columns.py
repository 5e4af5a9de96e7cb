"""Which price a column holds, of the machine or of one GPU, and which rates are far from the market."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, lru_cache
from math import log
from statistics import median
from typing import Final, TypeVar

from gpuplanner.domain.figures.typed import decimals, significant, whole
from gpuplanner.domain.message import Message, joined, worded
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
from gpuplanner.files.system.resources import gpu_families, read_listed_rates, read_price_history, read_tables
from gpuplanner.files.tables.column_mapping import (
    CENTS,
    GPU_HOUR,
    GPUS_PER_NODE,
    HOURS_OF_UNIT,
    INSTANCE,
    NODES,
    RATE,
    RATE_ON_DEMAND,
    RATE_SPOT,
    STATED_PER_GPU,
    ColumnReading,
    TableMapping,
)
from gpuplanner.files.tables.headings import Meaning, category_of, meanings
from gpuplanner.files.tables.small_table import WORDS_KEPT, TableRead, worded_message
from gpuplanner.files.values.gpu_names import find_instance, read_gpu_count
from gpuplanner.files.values.numbers import POINT, read_amount, read_decimal

# --- Rates far from the market are always asked about: the issue odd_rate of contracts and prices, in every format

Value = TypeVar("Value", Contract, Offer)
ODD_RATE: Final = "odd_rate"


def with_odd_rates(read: TableRead[Value]) -> TableRead[Value]:
    """The same, with the issue odd_rate where rates are over four times the market or under a quarter.

    Every row stays accepted. A family or a way to pay that the market list does not know is not held against it.
    """
    rows: dict[int, Contract | Offer] = {}
    for at, value in enumerate(read.values):
        if _is_odd(value):
            rows.setdefault(read.rows[at] if read.rows else at + 1, value)
    if not rows:
        return read
    kept = [_odd_words(value, line) for line, value in list(rows.items())[:WORDS_KEPT]]
    if len(rows) > len(kept):
        kept.append(worded("and {count} more rows", count=whole(len(rows) - len(kept))))
    issue = Issue(ODD_RATE, len(rows), min(rows), worded_message(ODD_RATE, kept))
    issues = sorted((*read.intake.issues, issue), key=lambda one: one.code)
    return replace(read, intake=replace(read.intake, issues=tuple(issues)))


def market_families(gpu_model: str | None, memory_gb: float | None = None) -> tuple[str, ...]:
    """The families of the market list that a GPU model's name may be of: several of an A100 that does not say its size.

    >>> market_families("NVIDIA H100 80GB HBM3"), market_families("A100"), market_families("A100", 80.0)
    (('H100',), ('A100 40GB', 'A100 80GB'), ('A100 80GB',))
    """
    read = gpu_families().read(gpu_model or "")
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
    months = (replace(row, gpu_model=_family(row.gpu_model)) for row in read_price_history())
    listed = (replace(one, gpu_model=_family(one.gpu_model)) for one in read_listed_rates())
    return market_rates(months, listed)


def _family(name: str) -> str:
    """The family of a GPU model, by which its market is known; its own name if it is of none."""
    read = gpu_families().read(name)
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
    way = CATEGORY_WORDS[value.pricing_category or PricingCategory.COMMITTED]
    words = worded(
        "row {line}: {gpu_model} {way} at {rate} per GPU-hour, where the market asks about {market}",
        line=whole(line),
        gpu_model=value.gpu_model or "",
        way=way,
        rate=joined(("$", significant(rate))),
        market=joined(("$", decimals(low, 2), *(() if low == high else ("\u2013", decimals(high, 2))))),
    )
    readings = likely_readings(rate, market, value.gpus if isinstance(value, Contract) else 1)
    if not readings:
        return words
    said = joined(
        (
            worded("{rate} if it is {what}", rate=joined(("$", decimals(each, 2))), what=what)
            for what, each in readings
        ),
        ", ",
    )
    return joined((words, " (", said, ")"))


# --- The machine that a price may be of: how many GPUs it has, by what its row tells or by the instance type it names


@dataclass(frozen=True, slots=True)
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
        return Machine(known[1], known[0])
    gpus = _milli(texts.get("gpus", "")) or _milli(texts.get(GPUS_PER_NODE, ""))
    is_plain = not texts.keys() & {"gpus", GPUS_PER_NODE} and not texts.get(INSTANCE)
    return Machine(gpus, "", is_plain)


def machine_of_contract(cells: Iterable[str], texts: Mapping[str, str]) -> Machine:
    """The machine of a contract: its GPUs per node, else its GPUs over its nodes, else its instance type.

    Divided only where every node has the same, to the thousandth of a GPU.
    """
    each = _milli(texts.get(GPUS_PER_NODE, ""))
    gpus, nodes = _milli(texts.get("gpus", "")), _milli(texts.get(NODES, ""))
    if not each and gpus and nodes and gpus * 1000 % nodes == 0:
        each = gpus * 1000 // nodes
    known = _known(cells, texts)
    is_typed = known is not None and bool(nodes) and find_instance(texts.get(INSTANCE, "")) is not None
    if each:
        return Machine(
            each, missing=GPUS_PER_NODE, is_typed=is_typed and known is not None and known[1] == each
        )
    if known is not None:
        return Machine(known[1], known[0], missing=GPUS_PER_NODE, is_typed=is_typed)
    return Machine(missing=GPUS_PER_NODE, usual=usual_node(texts.get("gpu_model", "")))


@lru_cache(maxsize=512)
def usual_node(gpu_model: str) -> int:
    """GPUs of the node that a model is mostly sold in; 0 where it is sold singly, or nobody knows.

    >>> usual_node("H100 SXM"), usual_node("H100 PCIe"), usual_node("abacus")
    (8, 0, 0)
    """
    read, tables = gpu_families().read(gpu_model), read_tables()
    if read is None or read.part:
        return 0
    known = {model.name for model in tables.gpu_models}
    return tables.node_gpus.get(read.full if read.full in known else read.family, 0)


def _known(cells: Iterable[str], texts: Mapping[str, str]) -> tuple[str, int] | None:
    """The one instance type whose GPUs are known: that of its column, else of the whole row."""
    own = texts.get(INSTANCE, "")
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
    number = read_decimal(text)
    return int(number * 1000) if number is not None and 0 < number < 10**9 else 0


# --- Which column of a price list is the price of the machine and which that of one GPU: by what their numbers say

_ENOUGH: Final = 0.8
"""Share of the rows with several GPUs on which one price has to be the other times the GPUs."""
_CLEARLY: Final = 2.0
"""How much nearer the market one reading has to be than the other, as a factor."""

MACHINE, ONE_GPU = "machine", "gpu"


def with_pair(mapping: TableMapping, rows: Iterable[Sequence[str]]) -> TableMapping:
    """The mapping with the machine's price as the rate and that of one GPU to compare, where a list has both.

    Whatever their headings say: on the rows with several GPUs the one is the other times the GPUs.
    """
    counts_at = mapping.of("gpus")
    if mapping.kind != "prices" or mapping.is_own or counts_at is None:
        return mapping
    at = {heading: index for index, heading in enumerate(mapping.headings)}
    table = list(rows)
    counts = [_gpus(_cell(row, at[counts_at.column])) for row in table]
    prices = {
        heading: [_hourly(_cell(row, index), said) for row in table]
        for heading, index in at.items()
        if heading and (said := _price_meaning(heading, mapping)) is not None
    }
    found = next(
        (
            (machine, each)
            for machine in prices
            for each in prices
            if machine != each and _is_multiple(prices[machine], prices[each], counts)
        ),
        None,
    )
    if found is None:
        return mapping
    machine, each = found
    of_machine = next((c for c in mapping.columns if c.column in found and c.field == RATE_ON_DEMAND), None)
    field = RATE if of_machine is None else RATE_ON_DEMAND
    why = worded("it is “{each}” times the GPUs of the row: of the machine", each=each)
    left = [c for c in mapping.columns if c.column not in found and c.field not in (field, STATED_PER_GPU)]
    pair = (
        _column(field, machine, mapping, is_of_one=False, why=why),
        _column(STATED_PER_GPU, each, mapping, is_of_one=True, why=worded("of one GPU: compared")),
    )
    order = sorted((*left, *pair), key=lambda column: at[column.column])
    return replace(mapping, columns=tuple(order))


def machine_or_gpu(
    prices: Sequence[Decimal | None], column: ColumnReading, cells: Mapping[str, Sequence[str]]
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
            key = tuple(_cell(cells.get(field, ()), at).strip().lower() for field in keys)
            groups.setdefault(key, {}).setdefault(count, price)
    votes = {MACHINE: 0, ONE_GPU: 0}
    for by_count in groups.values():
        if len(by_count) < 2:
            continue
        fewest, most = min(by_count), max(by_count)
        grown, size = log(float(by_count[most] / by_count[fewest])), log(float(most / fewest))
        votes[MACHINE if grown > size / 2 else ONE_GPU] += 1
    if votes[MACHINE] == votes[ONE_GPU]:
        return ""
    return max(votes, key=lambda name: votes[name])


def _by_market(
    prices: Sequence[Decimal | None],
    counts: Sequence[Decimal | None],
    column: ColumnReading,
    cells: Mapping[str, Sequence[str]],
) -> str:
    """Whether prices are nearer to the market as a machine's or as one GPU's.

    Empty where neither is clearly nearer.
    """
    whole, each = [], []
    for at, (price, count) in enumerate(zip(prices, counts, strict=False)):
        category = _category(column, _cell(cells.get("pricing_category", ()), at))
        low, high = market_of(_cell(cells.get("gpu_model", ()), at), None, category)
        if price and count and count > 1 and high:
            middle = (low * high) ** 0.5
            whole.append(abs(log(float(price) / middle)))
            each.append(abs(log(float(price / count) / middle)))
    if not whole or abs(median(whole) - median(each)) < log(_CLEARLY):
        return ""
    return ONE_GPU if median(whole) < median(each) else MACHINE


def is_mixed(
    prices: Sequence[Decimal | None], column: ColumnReading, cells: Mapping[str, Sequence[str]]
) -> bool:
    """Whether some prices are near the market as a machine's alone, and others as one GPU's alone."""
    near = set[tuple[bool, bool]]()
    for at, (price, text) in enumerate(zip(prices, cells.get("gpus", ()), strict=False)):
        market = market_of(_cell(cells.get("gpu_model", ()), at), None, _category(column, ""))
        if price and (count := _gpus(text)) and count > 1 and market[1]:
            near.add((is_far(float(price), market), is_far(float(price / count), market)))
    return {(True, False), (False, True)} <= near


def _category(column: ColumnReading, text: str) -> PricingCategory:
    """The pricing category of a row: its own word, or that of the column; standard if neither says."""
    if column.field == RATE_SPOT:
        return PricingCategory.DYNAMIC
    said = category_of(text) if text.strip() else None
    return PricingCategory(said.upper()) if said else PricingCategory.STANDARD


def _price_meaning(heading: str, mapping: TableMapping) -> Meaning | None:
    """What a column means that may be one of the two prices; None where it is none."""
    of_field = next((c for c in mapping.columns if c.column == heading), None)
    if of_field is not None and of_field.field not in (RATE, RATE_ON_DEMAND, STATED_PER_GPU):
        return None
    said = [m for m in meanings(heading, mapping.kind) if m.field in (RATE, RATE_ON_DEMAND, STATED_PER_GPU)]
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
    field: str, heading: str, mapping: TableMapping, *, is_of_one: bool, why: Message
) -> ColumnReading:
    """The reading of a column as the price of a machine or of one GPU, for the period its heading names."""
    said = next((m for m in meanings(heading, mapping.kind) if m.unit or m.currency), None)
    period = (said.unit if said else "").removeprefix("gpu_") or "hour"
    unit = f"gpu_{period}" if is_of_one else period
    currency = said.currency if said else ""
    return ColumnReading(field, heading, unit, currency=currency, confidence=0.9, why=why)


def _hourly(text: str, said: Meaning) -> Decimal | None:
    """A price an hour in the currency's unit; None where it is no positive amount."""
    amount = read_amount(text, POINT)
    if amount.number is None or not 0 < amount.number < 10**12:
        return None
    hours = HOURS_OF_UNIT[said.unit or GPU_HOUR][0]
    price = amount.number / 100 if said.currency == CENTS else amount.number
    return price * hours.denominator / hours.numerator


def _gpus(text: str) -> Decimal | None:
    """The count of GPUs of a cell; None where it is none or 0."""
    milli_gpus = read_gpu_count(text).milli_gpus
    return Decimal(milli_gpus) / 1000 if milli_gpus and milli_gpus > 0 else None


def _cell(cells: Sequence[str], at: int) -> str:
    """The cell at a place, empty in a short row."""
    return cells[at] if at < len(cells) else ""


# --- Clouds, by the words that headings, keys and names of files have for them

PROVIDERS: Final[Mapping[str, str]] = {
    "AWS": "aws|amazon|amazon web services|ec2|amazon ec2",
    "Azure": "azure|microsoft|microsoft azure|ms azure",
    "Google Cloud": "gcp|google|google cloud|google cloud platform|gce",
    "Oracle": "oracle|oci|oracle cloud",
    "IBM": "ibm|ibm cloud",
    "Alibaba": "alibaba|alibaba cloud|aliyun",
    "Lambda": "lambda|lambda labs|lambdalabs|lambda cloud",
    "RunPod": "runpod|run pod",
    "Vast.ai": "vast|vast ai|vastai",
    "CoreWeave": "coreweave",
    "Nebius": "nebius",
    "Crusoe": "crusoe|crusoe cloud",
    "Together": "together|together ai",
    "Voltage Park": "voltage park|voltagepark",
    "FluidStack": "fluidstack|fluid stack",
    "Vultr": "vultr",
    "DigitalOcean": "digitalocean|digital ocean|do",
    "Paperspace": "paperspace",
    "Hyperstack": "hyperstack|nexgen cloud",
    "Verda": "verda|datacrunch|data crunch",
    "Scaleway": "scaleway",
    "OVHcloud": "ovh|ovhcloud",
    "Genesis Cloud": "genesis cloud",
    "Cudo": "cudo|cudo compute",
    "Jarvislabs": "jarvislabs|jarvis labs",
    "TensorDock": "tensordock",
    "Modal": "modal",
    "Baseten": "baseten",
    "Prime Intellect": "prime intellect|primeintellect",
    "SF Compute": "sf compute|sfcompute|san francisco compute",
    "Shadeform": "shadeform",
    "Hyperbolic": "hyperbolic",
    "Mithril": "mithril|foundry",
    "Lium": "lium",
    "Seeweb": "seeweb",
    "Samsung Cloud Platform": "scp",
    "Spheron": "spheron",
    "SimplePod": "simplepod",
    "Yotta": "yotta",
    "Massed Compute": "massed compute|massedcompute",
    "Oblivus": "oblivus|oblivus cloud",
    "Thunder Compute": "thunder compute",
    "Lightning": "lightning|lightning ai",
    "Hot Aisle": "hot aisle|hotaisle",
    "TensorWave": "tensorwave",
    "Gcore": "gcore",
    "Denvr": "denvr|denvr dataworks",
    "Cirrascale": "cirrascale",
    "Firmus": "firmus",
    "Nscale": "nscale",
    "Sesterce": "sesterce",
    "Latitude": "latitude|latitude sh",
    "Hetzner": "hetzner",
    "Leaseweb": "leaseweb",
    "Akamai": "akamai|linode",
    "Replicate": "replicate",
    "Civo": "civo",
    "Exoscale": "exoscale",
}
"""Clouds, and the words by which headings and files name them."""

_PROVIDER_OF_WORD: Final = {word: name for name, words in PROVIDERS.items() for word in words.split("|")}


def provider_named(text: str) -> str:
    """The cloud that a heading or the name of a file is; empty where it is none.

    >>> provider_named("Google Cloud"), provider_named("vast.ai"), provider_named("H100")
    ('Google Cloud', 'Vast.ai', '')
    """
    return _PROVIDER_OF_WORD.get(" ".join(re.findall(r"[a-z0-9]+", text.lower())), "")
