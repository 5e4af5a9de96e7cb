"""Price lists of others: a row is a machine with GPUs, and each way to pay for it is an offer."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import PurePath
from typing import Final

from gpuplanner.domain.figures.typed import exact
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.column_mapping import ColumnReading
from gpuplanner.files.tables.machine_prices import Machine, machine_of_offer
from gpuplanner.files.tables.mapped_cells import mapped_rows, rate_of
from gpuplanner.files.tables.small_table import Names, Row, RowError
from gpuplanner.files.tables.table_mapping import (
    RATE,
    RATE_ON_DEMAND,
    RATE_SPOT,
    STATED_PER_GPU,
    TableMapping,
    is_rate,
    term_of_rate,
)
from gpuplanner.files.values.gpu_counts import read_gpu_count

MISMATCH_ABOVE_USD: Final = Decimal("0.01")
"""Prices of one GPU are rounded to cents: more than one is another price."""

NO_RANGE: Final = {"rate_low": "", "rate_high": ""}
"""Of a rate in another currency: its range is in the same."""

_SUFFIX: Final = {"standard": "on demand", "dynamic": "spot", "committed": "reserved"}


def list_rows(source: Source, mapping: TableMapping) -> Iterator[tuple[int, Row, str]]:
    """Every row of a price list with its ways to pay, made ready for our own columns."""
    names, seen = Names(), dict[tuple[str, ...], str]()

    def complete(cells: Sequence[str], texts: dict[str, str], row: Row) -> dict[str, str]:
        """Fills in a row: its ways to pay, and a name that rows with equal cells share."""
        ready = _ready(texts, machine_of_offer(cells, texts), mapping, row, source)
        key = tuple(cell.strip() for cell in cells)
        if key not in seen:
            base = texts.get("offer_id") or offer_name(texts)
            day = texts.get("as_of", "")[:10]  # a price of another day is an earlier one of the same offer
            again = names.next(f"{base}\t{day}")[0].removeprefix(f"{base}\t{day}")
            seen[key] = texts.get("offer_id") or base + again
        return {**ready, "offer_id": seen[key]}

    return mapped_rows(source, mapping, complete)


def offers_of(row: Row, read_row: Callable[[Row], Offer]) -> tuple[Offer, ...]:
    """The offers of one row, each read as a row of our own columns. Errors: RowError."""
    offers = []
    for category, term, rate in row.ways:
        one = Row(
            {
                **row.texts,
                "offer_id": offer_id_of_way(row.texts["offer_id"], category, term, len(row.ways)),
                "pricing_category": category,
                "term_months": term,
                RATE: rate,
            }
        )
        offers.append(read_row(one))
        row.notes += [note for note in one.notes if note not in row.notes]
    if not offers:
        raise RowError("missing_column", worded("it has no price"))
    return tuple(offers)


def stated_rate(text: str, column: ColumnReading) -> Decimal | None:
    """$ per GPU-hour of what a list itself says of one GPU; None where it says nothing."""
    return rate_of(text, column, None, Row({}))


def is_mismatch(stated: Decimal | None, computed: Decimal) -> bool:
    """Whether a stated price of one GPU is another than the one that follows from the machine's."""
    return stated is not None and abs(stated - computed) > MISMATCH_ABOVE_USD


def _ready(
    texts: dict[str, str], machine: Machine, mapping: TableMapping, row: Row, source: Source
) -> dict[str, str]:
    """The texts of a row with its rates an hour and GPU, one for each way to pay that it has."""
    gpus = read_gpu_count(texts.get("gpus", ""))
    ways, on_demand = list[tuple[str, str, str]](), None
    for column in mapping.columns:
        if not is_rate(column.field) or column.field == STATED_PER_GPU:
            continue
        text = texts.get(column.field, "")
        rate = rate_of(text, column, gpus.milli_gpus, row, machine, texts)
        category, term = _way(column, texts)
        if column.field in (RATE, RATE_ON_DEMAND):
            on_demand = rate
        elif rate is None and not (text.strip() and "other_currency" in row.notes):
            continue  # nothing is offered in this way
        ways.append((category, term, "" if rate is None else f"{rate:f}"))
    if any(rate for _, _, rate in ways) and not texts.get("pricing_category"):
        ways = [way for way in ways if way[2]]  # a spot price alone needs no quote for the rest
    stated = mapping.of(STATED_PER_GPU)
    if stated is not None and on_demand is not None:
        said = stated_rate(texts[STATED_PER_GPU], stated)
        if said is not None and is_mismatch(said, on_demand):
            row.say(
                "price_mismatch",
                worded(
                    "{said} stated, {computed} computed",
                    said=exact(said),
                    computed=exact(on_demand.normalize()),
                ),
            )
    if not texts.get("as_of"):
        row.notes.append("undated_price")
    row.ways = tuple(ways)
    is_foreign = "other_currency" in row.notes and not any(rate for _, _, rate in ways)
    return {
        **{field: text for field, text in texts.items() if not is_rate(field)},
        **(NO_RANGE if is_foreign else {}),
        "gpu_model": texts.get("gpu_model", ""),
        "source": texts.get("source") or PurePath(source.path).name,
    }


def _way(column: ColumnReading, texts: dict[str, str]) -> tuple[str, str]:
    """Pricing category and term in months of a column of rates; the row's own where the heading says neither."""
    term = term_of_rate(column.field)
    if term is not None:
        return "committed", str(term)
    if column.field == RATE_SPOT:
        return "dynamic", ""
    if column.field == RATE_ON_DEMAND:
        return "standard", ""
    of_row = texts.get("term_months", "")
    has_term = of_row.isdecimal() and int(of_row[:6]) > 0
    return texts.get("pricing_category") or ("committed" if has_term else "standard"), of_row


def offer_name(texts: Mapping[str, str]) -> str:
    """What an offer is called that has no name: its provider, machine, GPUs, model, memory and region."""
    count, memory = texts.get("gpus", ""), texts.get("gpu_memory_gb", "")
    parts = [
        texts.get("provider", ""),
        texts.get("instance", ""),
        f"{count} x" * (count not in ("", "1")),
        texts.get("gpu_model", ""),
        f"{memory} GB" if memory and f"{memory}GB" not in texts.get("gpu_model", "") else "",
        texts.get("region", ""),
    ]
    return " ".join(filter(None, parts))


def offer_id_of_way(name: str, category: str, term: str, ways: int) -> str:
    """The name of one of the ways to pay for what a row offers."""
    suffix = f"{term} months" if category == "committed" else _SUFFIX.get(category, category)
    return name if ways == 1 and category == "standard" else f"{name}, {suffix}"
