"""What the columns of a table mean by headings and cells, and how sure it is that it is one of contracts or prices."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from statistics import median
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.sources.json_values import begins_json
from gpuplanner.files.tables import delimited, headings, small_table
from gpuplanner.files.tables.column_mapping import (
    CURRENCY,
    GPUS_PER_NODE,
    HOURS_OF_UNIT,
    INSTANCE,
    NODES,
    PRICE_UNIT,
    RATE,
    ColumnReading,
    is_rate,
)
from gpuplanner.files.tables.fields import has_needed
from gpuplanner.files.tables.headings import JOB_WORDS, ORDER_WORDS, RUN_WORDS
from gpuplanner.files.tables.layout import Layout, layout_of_head
from gpuplanner.files.values.gpu_instances import find_instance
from gpuplanner.files.values.terms import read_term
from gpuplanner.files.values.times import utc_seconds
from gpuplanner.files.values.written_dates import read_date
from gpuplanner.lazy_dataclass import replace

SHORTEST_S: Final = 27 * DAY_S
"""From the first to the last day of the median contract, a February: what ends before was a run."""


def known_columns(layout: Layout, kind: str) -> tuple[ColumnReading, ...]:
    """The columns of a layout by their headings and the cells below, each field once.

    Of two columns for one field the better one is read, the other is told as unknown.
    """
    is_wide = len(layout.headings) > 2  # a row of one cell is a remark
    layout = replace(layout, body=tuple(row for row in layout.body if not is_wide or sum(map(bool, row)) > 1))
    samples = [layout.texts(at) for at in range(len(layout.headings))]
    is_of_best = kind == "prices" and any(map(headings.OF_BEST.match, layout.headings))
    found: list[tuple[tuple[float, ...], int, headings.Meaning]] = []
    is_of_prices = any(
        meaning.field in ("provider", CURRENCY, PRICE_UNIT) or (is_rate(meaning.field) and meaning.rank == 0)
        for heading in layout.headings
        for meaning in headings.meanings(heading, kind)
    )
    for at, heading in enumerate(layout.headings):
        if headings.EXTENDED in heading.lower() and not _needs_extended(layout, samples):
            continue  # the price of nobody knows how many, or of one times how many
        meant = headings.meanings(heading, kind)
        is_of_purchase = any(one.field == "purchase_order" for one in meant)
        for rank, said in enumerate(meant):
            says_whether = (
                headings.is_spot_heading(heading) and is_rate(said.field) and are_flags(samples[at])
            )
            meaning = (
                replace(said, field="pricing_category", unit="", is_weak=False) if says_whether else said
            )
            is_statistic = headings.parted_statistic(heading).statistic and is_of_best
            if is_statistic or (not is_of_prices and headings.plain_words(heading) in headings.STATISTICS):
                continue  # of who knows what, or of all sellers beside the cheapest
            is_apt = not meaning.is_weak or headings.cells_agree(meaning.field, samples[at])
            may_name = not is_apt and meaning.field == "gpu_model"  # GPUs among what else is sold
            names = sum(map(headings.is_gpu_name, samples[at])) if may_name else 0
            if not is_apt and names * (4 if kind == "prices" else len(samples[at])) < max(
                len(samples[at]), 1
            ):
                continue
            units = list(HOURS_OF_UNIT)  # a price that says no unit comes after that of an hour
            unit = units.index(meaning.unit) if meaning.unit in units else units.index("hour") + 0.5
            order = (
                is_of_purchase,  # a contract's own name counts before that of its purchase order
                not is_apt,
                _age(samples[at]) if meaning.field == "as_of" and kind == "prices" else 0,
                -meaning.confidence if not is_rate(meaning.field) else 0,
                meaning.rank if is_rate(meaning.field) else 0,
                meaning.currency not in ("", "USD"),
                unit,
                rank,
                at,
            )
            found.append((order, at, meaning))
        if kind == "prices":
            found += [
                ((False, False, 0, -way.confidence, 0, 0, 0, 0, at), at, way)
                for way in _ways_to_pay(heading, samples[at])
            ]
    taken: dict[str, ColumnReading] = {}
    columns: set[int] = set()
    for _, at, meaning in sorted(found, key=lambda one: one[0]):
        field = meaning.field
        if kind == "contracts" and field == "renews_months" in taken:
            field = "renews"  # one column says for how long, another whether at all
        if field in taken or at in columns:
            continue
        columns.add(at)
        taken[field] = ColumnReading(
            field=field,
            column=layout.headings[at],
            unit=meaning.unit,
            currency=meaning.currency,
            confidence=meaning.confidence,
            why=meaning.why,
        )
    if kind == "contracts" and any(map(is_rate, taken)) and not taken.keys() & {"gpu_model", INSTANCE}:
        of_gpus = (at for at, cells in enumerate(samples) if any(map(headings.is_gpu_name, cells)))
        unread = [layout.headings[at] for at in of_gpus if at not in columns and layout.headings[at]]
        if unread:  # whatever it is headed: else all that was ordered would count as GPUs
            why = worded("GPU models")
            taken["gpu_model"] = ColumnReading(field="gpu_model", column=unread[0], confidence=0.7, why=why)
    order_of = {heading: at for at, heading in enumerate(layout.headings)}
    return tuple(sorted(taken.values(), key=lambda column: order_of[column.column]))


def _age(texts: Sequence[str]) -> float:
    """The order of columns of days: those that vary by row, then the older one, so that no old rate looks fresh."""
    days = {(read_date(text) or "")[:10] for text in texts if text.strip()} - {""}
    if len(days) != 1 or len(texts) < 2:
        oldest = min(days, default="9999-12-31")
        return 0 if len(days) > 1 else float(oldest.replace("-", "")) / 1e9
    return 1 + float(days.pop().replace("-", "")) / 1e9


def _needs_extended(layout: Layout, samples: Sequence[Sequence[str]]) -> bool:
    """Whether a price list says how many GPUs a row is of, and has no price but that of all of them."""
    said = [
        one.field
        for name, texts in zip(layout.headings, samples, strict=True)
        for one in headings.meanings(name, "prices")
        if not one.is_weak or headings.cells_agree(one.field, texts)
    ]
    return "gpus" in said and sum(map(is_rate, said)) == 1


def _ways_to_pay(heading: str, texts: Sequence[str]) -> Iterator[headings.Meaning]:
    """What a column means all of whose cells are words of a way to pay: how is paid, or a part of the offer's name."""
    said = {text.strip() for text in texts if text.strip()}
    ways = [*takewhile(bool, map(headings.way_of_cell, said))]
    if len(ways) < len(said) or not any(
        headings.category_of(text) or (way and way.variant) for text, way in zip(said, ways, strict=True)
    ):
        return
    named = {meaning.field for meaning in headings.meanings(heading, "prices")}
    is_term = "term_months" in named and not any(
        way is None or way.variant or way.category == "dynamic" or (way.months and read_term(text) is None)
        for text, way in zip(said, ways, strict=True)
    )
    why = worded("payment methods, such as {value}", value=min(said)[:40])
    if not is_term:
        sure = 0.95 if named & {"pricing_category", "term_months"} else 0.7
        yield headings.Meaning(field="pricing_category", confidence=sure, why=why)
    if any(way is not None and way.variant for way in ways):
        yield headings.Meaning(field="variant", confidence=headings.GUESS, why=why)


def how_sure(layout: Layout | None, kind: str) -> float:
    """How sure it is that a layout is a table of contracts or prices that people made, 0..1.

    Tables of jobs and of runs are none, however many words they share.
    """
    if layout is None:
        return 0.0
    plain = {headings.plain_words(heading) for heading in layout.headings}
    if len(plain & JOB_WORDS) >= 2 or plain & RUN_WORDS:
        return 0.0
    columns = known_columns(layout, kind)
    fields = {column.field for column in columns}
    if (NODES in fields and fields & {GPUS_PER_NODE, INSTANCE, "gpu_model"}) or counts_in_model(layout, kind):
        fields.add("gpus")
    if kind == "contracts":
        commercial = {"contract_id", "provider", RATE, "pricing_category", "term_months", "notice_days"}
        is_priced = {"gpu_model", "end"} <= fields and (
            ("provider" in fields and not _are_runs(layout, columns))
            or any(c.field == RATE and c.unit for c in columns)
        )
        enough = {"gpus", "start"} <= fields and (
            len(fields & commercial) >= 2
            or (is_priced and not plain & JOB_WORDS)
            or {"contract_id", "end", NODES, INSTANCE} <= fields
        )
        if not fields & {"contract_id", "provider"} and _are_runs(layout, columns):
            return 0.0
        return min(0.75, 0.5 + 0.05 * len(fields & commercial)) if enough else 0.0
    prices = {field for field in fields if is_rate(field)}
    if INSTANCE in fields and _names_instances(layout):
        fields.add("gpu_model")
    of_contracts = {column.field: column.column for column in known_columns(layout, "contracts")}
    days = {
        one.column for one in columns if one.field == "as_of" and not of_contracts.keys() & {"gpus", "end"}
    }
    has_start = of_contracts.get("start") not in (None, *days) or any(
        meaning.field == "start" and not meaning.is_weak
        for heading in layout.headings
        for meaning in headings.meanings(
            heading.partition(" ")[2], "contracts"
        )  # Term | Start date, one above the other
    )
    is_of_orders = not plain.isdisjoint(ORDER_WORDS) and "gpus" in fields  # what was bought, without a start
    is_of_orders |= headings.are_of_bill(plain).are_no_prices
    is_list = len(fields) >= min(
        3, len(list(filter(None, layout.headings)))
    )  # or of nothing but models and prices
    enough = "gpu_model" in fields and bool(prices) and not has_start and not is_of_orders and is_list
    return (
        min(0.7, 0.5 + 0.05 * len(fields & {"provider", "gpus", "term_months"} | prices)) if enough else 0.0
    )


def _are_runs(layout: Layout, columns: Sequence[ColumnReading]) -> bool:
    """Whether the rows begin and end within days, by their median: use of GPUs, not contracts."""
    days = [
        [utc_seconds(read_date(text) or "") for text in layout.texts(layout.headings.index(column.column))]
        for column in columns
        if column.field in ("start", "end")
    ]
    spans = [abs(two - one) for one, two in zip(*days, strict=False) if one and two] if len(days) == 2 else []
    return bool(spans) and median(spans) < SHORTEST_S


def _names_instances(layout: Layout) -> bool:
    """Whether most cells of the column of instance types name one whose GPUs are known."""
    column = next(c for c in known_columns(layout, "prices") if c.field == INSTANCE)
    cells = [text for text in layout.texts(layout.headings.index(column.column)) if text.strip()]
    return sum(find_instance(text) is not None for text in cells) * 2 > len(cells)


def counts_in_model(layout: Layout | None, kind: str) -> bool:
    """Whether the cells of the model say how many GPUs there are: `256x H100`.

    True where more than half of them do.
    """
    if layout is None or kind != "contracts":
        return False
    model = next((c for c in known_columns(layout, kind) if c.field == "gpu_model"), None)
    if model is None:
        return False
    cells = [text for text in layout.texts(layout.headings.index(model.column)) if text.strip()]
    return bool(cells) and sum(bool(headings.COUNT_OF.match(text)) for text in cells) > len(cells) / 2


def are_flags(texts: Sequence[str]) -> bool:
    """Whether cells say yes or no.

    >>> are_flags(["yes", "No", ""]), are_flags(["yes", "8"]), are_flags([])
    (True, False, False)
    """
    said = [text.strip().lower() for text in texts if text.strip()]
    return bool(said) and all(text in small_table.FLAGS for text in said)


# --- How sure it is that a text begins a table of contracts or of prices: ours by name, others by what they tell

LIKELY: Final = 0.5
"""From this confidence on a sheet, or a file, is taken for what it seems to be."""
SURELY_OURS: Final = 0.95
"""How sure it is where all columns that are needed have our names."""

_NAMES: Final = {"contracts": "contract_id", "prices": "offer_id"}
"""The column that says in our own tables what a row is called."""


@lru_cache(maxsize=8)
def sniff_table(head: str, kind: str) -> float:
    """How sure it is that a text begins a table of a kind, contracts or prices, 0..1.

    1 with all columns of ours in the first line, nearly so where titles stand above
    (docs/formats/contracts.md, Contracts).
    """
    if begins_json(head):
        return 0.0
    _, columns = delimited.header_columns(head)
    if has_needed(kind, columns):
        return 1.0
    layout = layout_of_head(head, kind)
    if layout is not None and has_needed(kind, {heading.lower() for heading in layout.headings}):
        return SURELY_OURS
    return max(0.6 if _NAMES[kind] in columns else 0.0, how_sure(layout, kind))
