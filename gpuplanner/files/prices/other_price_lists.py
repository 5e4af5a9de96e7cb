"""Price lists of others: a row is a machine with GPUs, and each way to pay for it is an offer."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from pathlib import PurePath
from typing import Final

from gpuplanner.domain.figures.typed import exact
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import noted_source, remark_on
from gpuplanner.domain.model.book.remark import undecided
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Facts
from gpuplanner.domain.model.window import is_day
from gpuplanner.files.contracts import contract_tables
from gpuplanner.files.prices import quotes
from gpuplanner.files.prices.twins import ListedRow, name_apart
from gpuplanner.files.sources.issue_texts import LONG, ragged_code
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables import column_mapping, headings
from gpuplanner.files.tables.machine_or_gpu import cell_at
from gpuplanner.files.tables.mapped_cells import gpus_of_nodes, mapped_rows, unit_heading
from gpuplanner.files.tables.price_cells import rate_of
from gpuplanner.files.tables.priced_machine import Machine, machine_of_offer
from gpuplanner.files.tables.small_table import Row, RowError, RowLeftOutError
from gpuplanner.files.tables.tier_columns import TIER_FIELD
from gpuplanner.files.values.amounts import is_range, read_amount
from gpuplanner.files.values.gpu_counts import read_gpu_count
from gpuplanner.files.values.gpu_ranges import read_range
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.terms import term_within
from gpuplanner.files.values.times import utc_seconds
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_dataclass import replace
from gpuplanner.lazy_re import lazy_re

MISMATCH_ABOVE_USD: Final = Decimal("0.01")
"""Prices of one GPU are rounded to cents: more than one is another price."""

NO_RANGE: Final = {"rate_low": "", "rate_high": ""}
"""Of a rate in another currency: its range is in the same."""

_SUFFIX: Final = {"standard": "on demand", "dynamic": "spot", "committed": "reserved"}


class ListCounts:
    """What a price list of somebody else holds, for `check`: gaps, repeats, prices by GPU, what does not add up."""

    def __init__(self) -> None:
        self._rows = self._signs = 0
        self._headings: Sequence[str] = ()
        self._empty: Counter[str] = Counter()
        self._seen: set[tuple[str, ...]] = set()
        self._mismatches: Counter[str] = Counter()
        self._by_model: dict[str, list[float | None]] = {}

    def begin(self, headings: Sequence[str]) -> None:
        """The columns of the list."""
        self._headings = headings

    def take(self, cells: Sequence[str]) -> None:
        """A row as it stands; one with too many cells is only counted."""
        self._rows += 1
        if ragged_code(cells, len(self._headings)) == LONG:
            return
        trimmed = tuple(cell.strip() for cell in cells)
        self._seen.add(trimmed)
        if "" in trimmed or len(trimmed) < len(self._headings):
            padded = (*trimmed, *[""] * (len(self._headings) - len(trimmed)))
            pairs = zip(self._headings, padded, strict=False)
            self._empty.update(heading for heading, cell in pairs if heading and not cell)
        self._signs += any("$" in cell for cell in trimmed)

    def take_rate(
        self, texts: Mapping[str, str], rate: Decimal | None, stated: Decimal | None, category: str
    ) -> None:
        """The rate of a row, what it states of one GPU, and how it is paid: those on demand are facts of the list."""
        if category == "standard":
            known = None if rate is None else float(rate)
            self._by_model.setdefault(texts.get("gpu_model", ""), []).append(known)
        if rate is not None and is_mismatch(stated, rate):
            self._mismatches[texts.get("provider", "")] += 1

    def facts(self, family_of: Callable[[str], str]) -> Facts:
        """All of it; nothing where no list was read. family_of: the family of a GPU model."""
        by_family: dict[str, list[float | None]] = {}
        for model, rates in self._by_model.items():
            by_family.setdefault(family_of(model), []).extend(rates)
        counts: Facts = (
            ("rows", self._rows),
            ("duplicate_rows", self._rows - len(self._seen)),
            ("empty_cells", {name: self._empty[name] for name in self._headings if self._empty[name]}),
            ("rows_with_dollar_sign", self._signs),
            ("per_gpu_mismatches", self._mismatches.total()),
            ("per_gpu_mismatches_by_provider", dict(sorted(self._mismatches.items()))),
            (
                "on_demand_usd_per_gpu_hour",
                {
                    family: {
                        "rows": len(rates),
                        "lowest": min(known, default=None),
                        "highest": max(known, default=None),
                    }
                    for family, rates in sorted(by_family.items())
                    for known in [[rate for rate in rates if rate is not None]]
                },
            ),
        )
        return counts if self._headings else ()


def list_rows(
    source: Source,
    mapping: column_mapping.TableMapping,
    counts: ListCounts,
    quote: quotes.Quote,
    *,
    is_given: bool = False,
) -> Iterator[tuple[int, Row, str]]:
    """Every row of a price list with its ways to pay, made ready for our own columns.

    is_given: whether somebody chose the mapping. Errors: as `name_apart`.
    """
    counts.begin(mapping.headings)
    off_at = mapping.place(next(iter(mapping.compared), ""))
    listed, file_name = list[ListedRow](), PurePath(source.path).name
    model = "" if (column := mapping.of("gpu_model")) is None else column.column
    open_at = place_of_availability(mapping)
    unit_at, day_at, is_answer = (
        mapping.place(unit_heading(mapping)),
        mapping.place_of("as_of"),
        quote.is_answer,
    )

    def complete(cells: Sequence[str], texts: dict[str, str], row: Row) -> dict[str, str]:
        """Fills in a row: its ways to pay, and a name that rows with equal cells share. Errors: RowLeftOutError."""
        item = texts.get("gpu_model", "")
        if is_unavailable(cell_at(cells, open_at)):
            raise RowLeftOutError(
                "left_out", worded("“{item}” is not available", item=item[:60]), worded("no action needed")
            )
        if item and not quotes.may_be_gpu(item, model, texts.get(column_mapping.PRICE_UNIT, "")):
            raise RowLeftOutError("left_out", worded("“{item}” is not a GPU", item=item[:60]))
        own = (cell for cell in cells if cell.strip() not in (texts.get("provider"), texts.get("region")))
        stated = {**quote.terms, **(quotes.described("; ".join(own)) if quote.is_quote else {})}
        texts |= {field: said for field, said in stated.items() if said and not texts.get(field)}
        quotes.count_machines(texts, cells, mapping, cell_at(cells, unit_at), is_quote=quote.is_quote)
        if not mapping.is_own and mapping.of(column_mapping.RATE) is not None:
            _take_way(texts, cells, row)
        machine = machine_of_offer(cells, texts)
        ready = _ready(texts, machine, mapping, row, counts, cell_at(cells, mapping.place(model)))
        quotes.take_off(row, cell_at(cells, off_at))
        quotes.of_machine(row, texts, mapping, cell_at(cells, mapping.place(model)))
        notes = (texts.get("notes", ""), quotes.with_fees(ready, quote, mapping, machine.gpus, row))
        note = "; ".join(filter(None, (" ".join(text.split()) for text in notes)))
        ready["source"] = noted_source(texts.get("source") or file_name, note)
        if quote.is_quote and not (ready.get("term_months") or ready.get("term_days")):
            ready["max_gpus"] = ""  # what is quoted by use is a price, and no limit
        if is_answer and not ready.get("max_gpus"):  # as of a request that came back: no more than is quoted
            ready["max_gpus"] = ready.get("gpus", "")
        base = texts.get("offer_id") or offer_name(texts)
        if not texts.get("offer_id"):
            paid = (texts.get(field, "") for field in ("pricing_category", "term_months", "term_days"))
            # a price of another time is another reading of the same offer
            key = (*paid, cell_at(cells, day_at))
            listed.append(ListedRow(row=row, base=base, key=key, cells=cells))
        return {**ready, "offer_id": base}

    rows = list(mapped_rows(source, mapping, complete, counts.take))
    accepted = [in_list for in_list in listed if in_list.row.left_out is None]
    name_apart(accepted, mapping, source.path, is_given=is_given)
    quotes.say_costs(quote, rows)
    taxed = quotes.phrase("taxed")
    is_taxed = mapping.of("source") is None and taxed.search(source.head) is not None
    apart = (text for _, row, text in rows if row.left_out is not None)
    of_all = taxed.findall("\n".join((quote.head, *mapping.headings, *apart))) if is_taxed else []
    for _, row, text in rows if is_taxed else ():
        remarks = (
            remark for remark in (*of_all, *taxed.findall(text)) if remark not in row.texts.get("notes", "")
        )
        if row.left_out is None:
            noted = noted_source(row.texts["source"], "; ".join(dict.fromkeys(remarks)))
            row.texts = {**row.texts, "source": noted}
    return newest_of_day(iter(rows))


def place_of_availability(mapping: column_mapping.TableMapping) -> int:
    """The column that says whether an offer can be bought; the number of columns where none does."""
    unused = set(mapping.unused)
    named = (
        place
        for place, name in enumerate(mapping.headings)
        if name in unused and headings.heading_text(name) in _AVAILABILITY
    )
    return next(named, len(mapping.headings))


def is_unavailable(cell: str) -> bool:
    """Whether a cell says that an offer cannot be bought.

    >>> is_unavailable("False"), is_unavailable("sold out"), is_unavailable("yes"), is_unavailable("12")
    (True, True, False, False)
    """
    plain = " ".join(cell.lower().replace("_", " ").replace("-", " ").split())
    return plain in _UNAVAILABLE


_AVAILABILITY: Final = phrases(
    "available|is available|availability|in stock|is in stock|stock|status|availability status|active|is active|enabled"
    "|orderable|rentable|is rentable|verfügbar|verfügbarkeit|lieferbar|disponible|disponibilité|available now"
)
_UNAVAILABLE: Final = phrases(
    "false|no|nein|non|n|0|none|unavailable|not available|sold out|out of stock|no capacity|no stock|discontinued"
    "|retired|deprecated|end of life|eol|inactive|disabled|offline|ausverkauft|nicht verfügbar|nicht lieferbar"
    "|indisponible|épuisé"
)


def _take_way(texts: dict[str, str], cells: Sequence[str], row: Row) -> None:
    """Take how a row is paid from the text beside a GPU's name, else from its least term, where it has no own term.

    Without it a price of three years, or of spot, would be one on demand. The file's notes say so."""
    if any(texts.get(field) for field in ("term_months", "term_days", "pricing_category")):
        return
    note = texts.get("notes", "").strip()
    said = [cell for cell in cells if cell.strip() != note and _way_beside(cell)]
    least = texts.get("min_term_months", "").partition(".")[0]
    if said:
        way = _way_beside(said[0])
    elif least.isdecimal() and int(least):
        way = least
    else:
        way = ""
    behind = _BEHIND.search(texts[column_mapping.RATE])  # $1.20/h (spot)
    way = way or (_way_beside(f"H100 {behind[0]}") if behind is not None else "")
    if way and way != "standard":  # which it is anyway
        texts["term_months" if way.isdecimal() else "pricing_category"] = way
        paid = term_words(int(way)) if way.isdecimal() else worded("spot")
        row.say("computed", worded("no payment method column: {paid}, from the row", paid=paid))


@lru_cache(maxsize=4096)
def _way_beside(cell: str) -> str:
    """The months, dynamic or standard, that stand beside the name of a GPU; empty where none does.

    >>> _way_beside("H100 SXM - 36 months"), _way_beside("A100 spot"), _way_beside("3 years of warranty")
    ('36', 'dynamic', '')
    """
    cell = _NO_SPOT.sub(" ", cell)
    if not headings.is_gpu_name(cell) or _OF_SERVICE.search(cell):
        return ""
    if term := term_within(cell):
        return f"{term}"
    return way if (way := headings.category_of(cell)) in ("dynamic", "standard") else ""


_NO_SPOT: Final = lazy_re(r"(?i)\b(?:no|non|not|without|ohne|keine?|sans)[ -]+(?:spot|preempt|interrupt)\w*")
_BEHIND: Final = lazy_re(r"(?i)(?<=\d)[^\d]*\b(?:spot|preemptible|interruptible)\b.*|\(.*\)\s*$")
"""What stands behind a price and may say how it is paid."""
_OF_SERVICE: Final = lazy_re(
    r"(?i)warrant|support|garant|maintenance|wartung|lead|deliver|liefer|availab|verfügbar|valid|notice"
)
"""What lasts some time of its own."""


def newest_of_day(rows: Iterator[tuple[int, Row, str]]) -> Iterator[tuple[int, Row, str]]:
    """The rows with their days; of several readings a day the newest comes first, for the first of a day is kept."""
    kept = list(rows)
    times = [row.texts.get("as_of", "") for _, row, _ in kept]
    if any(len(text) > len("2026-01-31") for text in times):
        # then texts are in the order of their times
        is_alike = len({(len(text), text[19:]) for text in times}) == 1
        seconds = [0 if is_alike else utc_seconds(text) or 0 for text in times]
        for (_, row, _), text in zip(kept, times, strict=True):
            if is_day(text[:10]):
                row.texts = {**row.texts, "as_of": text[:10]}
        order = sorted(range(len(kept)), key=lambda at: (seconds[at], times[at] if is_alike else "", -at))
        kept = [kept[at] for at in reversed(order)]
    yield from kept


def offers_of(row: Row, read_row: Callable[[Row], Offer]) -> tuple[Offer, ...]:
    """The offers of one row, each read as a row of our own columns. Errors: RowError."""
    offers: list[Offer] = []
    for category, term, rate in row.ways:
        one = Row(
            texts={
                **row.texts,
                **(NO_RANGE if offers else {}),
                "offer_id": offer_id_of_way(
                    row.texts["offer_id"], category, term, len(row.ways), row.texts.get("term_days", "")
                ),
                "pricing_category": category,
                "term_months": term,
                column_mapping.RATE: rate,
            },
            ways=row.ways,
        )
        offers.append(read_row(one))
        if (waits := undecided(offers[-1])) is not None:
            offer, (remark, _) = offers[-1].offer_id, remark_on(offers[-1])
            row.say("undecided", worded("{offer}, “{remark}”: {why}", offer=offer, remark=remark, why=waits))
        row.take_notes(one)
    if not offers:
        raise RowError("missing_column", worded("no price"))
    return tuple(offers)


def is_mismatch(stated: Decimal | None, computed: Decimal) -> bool:
    """Whether a stated price of one GPU is another than the one that follows from the machine's."""
    return stated is not None and abs(stated - computed) > MISMATCH_ABOVE_USD


def _ready(
    texts: dict[str, str],
    machine: Machine,
    mapping: column_mapping.TableMapping,
    row: Row,
    counts: ListCounts,
    item: str,
) -> dict[str, str]:
    """The texts of a row with its rates an hour and GPU, one for each way to pay that it has. item: as it is sold."""
    gpus = read_gpu_count(texts.get("gpus", ""))
    stated = mapping.of(column_mapping.STATED_PER_GPU)
    stated_rate = (
        None if stated is None else rate_of(texts[column_mapping.STATED_PER_GPU], stated, None, Row(texts={}))
    )
    ways, on_demand, paid = list[tuple[str, str, str]](), None, "standard"
    for column in mapping.rates:
        if column.field == column_mapping.STATED_PER_GPU:
            continue
        text = texts.get(column.field, "")
        rate = rate_of(text, column, gpus.milli_gpus, row, machine, texts)
        category, term = _way(column, texts)
        if column.field in (column_mapping.RATE, column_mapping.RATE_ON_DEMAND):
            on_demand, paid = rate, category
            if rate is None and stated_rate is not None and stated is not None and not text.strip():
                if stated.note:
                    row.say("undecided", stated.note)
                else:  # the machine's price is empty: that of one GPU counts
                    rate = stated_rate
        elif rate is None and not is_range(text) and not (text.strip() and "other_currency" in row.notes):
            continue  # nothing is offered in this way
        way = (category, term, "" if rate is None else f"{rate:f}")
        twin = next((at for at, one in enumerate(ways) if one[:2] == way[:2]), None)
        if twin is None:
            ways.append(way)
            continue
        if way[2] and (column.field == column_mapping.RATE or not ways[twin][2]):  # paid, beside a list price
            way, ways[twin] = ways[twin], way
        if way[2] and way[2] != ways[twin][2]:
            both = worded(
                "{taken} and {left} for one payment method: {taken} was used",
                taken=ways[twin][2],
                left=way[2],
            )
            row.say("undecided", both)
    if not ways and texts.get("capex_usd_per_gpu"):
        ways = [("owned", "", "")]
    ways = _with_terms(ways, texts, row)
    counts.take_rate(texts, on_demand, stated_rate, paid)
    if any(rate for _, _, rate in ways) and not texts.get("pricing_category"):
        ways = [way for way in ways if way[2]]  # a spot price alone needs no quote for the rest
    if stated_rate is not None and on_demand is not None and is_mismatch(stated_rate, on_demand):
        computed = exact(on_demand.normalize())
        words = worded("{said} stated, {computed} computed", said=exact(stated_rate), computed=computed)
        row.say("price_mismatch", words)
    _limits_in_gpus(texts, machine, mapping, row, item)
    highest = max((Decimal(rate) for _, _, rate in ways if rate), default=None)
    _range_per_hour(texts, machine, mapping, row, highest)
    if not texts.get("as_of"):
        row.notes.append("undated_price")
    row.ways = tuple(ways)
    is_foreign = "other_currency" in row.notes and not any(rate for _, _, rate in ways)
    return {
        **{field: text for field, text in texts.items() if not column_mapping.is_rate(field)},
        **(NO_RANGE if is_foreign else {}),
    }


def _with_terms(
    ways: list[tuple[str, str, str]], texts: Mapping[str, str], row: Row
) -> list[tuple[str, str, str]]:
    """The ways to pay but for a commitment whose term nobody tells, where there are others; alone it is refused."""
    if any(texts.get(field) for field in ("pricing_category", "term_months")):  # no price is on demand, too
        committed = {Decimal(price[2] or 0) for price in ways if price[0] == "committed"}
        ways = [price for price in ways if price[0] != "standard" or Decimal(price[2] or -1) not in committed]
    dated = [price for price in ways if price[:2] != ("committed", "") or texts.get("term_days")]
    if len(dated) == len(ways) or not dated:
        return ways
    row.say("undecided", worded("a commitment price without a term was not read: map it as rate_12m"))
    return dated


def _range_per_hour(
    texts: dict[str, str],
    machine: Machine,
    mapping: column_mapping.TableMapping,
    row: Row,
    highest: Decimal | None,
) -> None:
    """The ends of a range as its rate, an hour and GPU. highest: of the row's rates."""
    of_rate = mapping.of(column_mapping.RATE) or mapping.of(column_mapping.RATE_ON_DEMAND)
    milli_gpus = read_gpu_count(texts.get("gpus", "")).milli_gpus
    for field in NO_RANGE if of_rate is not None else ():
        text = texts.get(field)
        if not text or of_rate is None or (end := mapping.of(field)) is None:
            continue
        rate = rate_of(text, replace(of_rate, column=end.column), milli_gpus, Row(texts={}), machine, texts)
        is_low = rate is None or highest is None or rate <= highest
        if field == "rate_low" and not is_low:
            words = worded(
                "{text} in “{column}” exceeds the price: read as minimum GPUs", text=text, column=end.column
            )
            row.say("undecided", words)
            texts["min_gpus"], rate = texts.get("min_gpus") or text, None
        texts[field] = "" if rate is None else f"{rate:f}"


def _limits_in_gpus(
    texts: dict[str, str], machine: Machine, mapping: column_mapping.TableMapping, row: Row, item: str
) -> None:
    """The least and most that is sold, `4 nodes`, in GPUs: of the row's machine, of the item's, `node, 4 GPU`, else of
    its model's usual node.

    What is counted in nodes, or priced by the node, is sold in whole nodes. A bare quantity of nodes counts these.
    """
    if (tier := read_range(texts.get(TIER_FIELD, ""))) is not None:
        counted = f" {tier.counted}" if headings.names_machine(tier.counted) else ""
        ends = ("" if end is None else f"{end}{counted}" for end in (tier.low, tier.high))
        texts |= zip((TIER_FIELD, "max_gpus_per_order"), ends, strict=True)
    of_item = headings.gpus_in_heading(item) if headings.may_be_machine(item) else 0
    gpus = machine.gpus or Decimal(of_item)
    each = f"{gpus.normalize():f}" if 0 < gpus <= quotes.LARGEST_NODE else ""
    # a least commitment, or a minimum, of 2 nodes or of 64 GPUs
    for field in ("min_term_months", "rate_low"):
        told = texts.get(field, "")
        least = read_amount(told)
        counts_others = headings.is_of_others(least.per)
        if not texts.get("min_gpus") and (counts_others or "gpu" in least.per) and not term_within(told):
            texts["min_gpus"], texts[field] = told if counts_others else f"{least.number}", ""
    is_in_nodes = any(headings.names_machine(column.column) for column in mapping.rates)
    for field in ("min_gpus", "max_gpus_per_order", "max_gpus"):
        of_tier = mapping.of(TIER_FIELD) if field == "max_gpus_per_order" else None
        limit, column = read_amount(texts.get(field, "")), mapping.of(field) or of_tier
        counted = limit.per or ("" if column is None else column.column)
        is_of_nodes = field == "max_gpus" and column is not None and not limit.per and of_item > 1
        if is_of_nodes and not headings.counts_gpus(counted):
            counted = "nodes"
        if limit.number and headings.is_of_others(counted):
            nodes = {column_mapping.NODES: f"{limit.number}", column_mapping.GPUS_PER_NODE: each}
            found = {**texts, **nodes, "gpus": ""}
            if headings.names_machine(counted):
                gpus_of_nodes(found, row)
            if not found["gpus"] and tier is not None and field != "max_gpus":
                raise PlannerError(
                    mapping.kind,
                    "missing_column",
                    worded("tiers count {counted}, and the GPUs of each are unknown", counted=counted),
                    worded("add a column gpus_per_node, or --map gpus_per_node==8"),
                )
            if not found["gpus"]:
                row.say("bad_number", contract_tables.gpus_untold(texts[field]))
            elif (node := Decimal(found["gpus"]) / limit.number) == int(node) and not each:
                each = f"{int(node)}"
            is_in_nodes |= bool(found["gpus"]) and headings.names_machine(counted)
            texts[field] = found["gpus"]
    if is_in_nodes and each.isdigit() and not texts.get("unit_gpus"):
        texts["unit_gpus"] = each


def _way(column: column_mapping.ColumnReading, texts: dict[str, str]) -> tuple[str, str]:
    """Pricing category and term in months of a column of rates; the row's own where the heading says neither."""
    term = column_mapping.term_of_rate(column.field)
    if term is not None:
        return "committed", str(term)
    if column.field == column_mapping.RATE_SPOT:
        return "dynamic", ""
    if column.field == column_mapping.RATE_ON_DEMAND:
        return "standard", ""
    of_row = texts.get("term_months", "")
    terms = (texts.get(field, "") for field in ("term_months", "term_days"))
    # what is no term is rejected, not on demand
    has_term = any(text and read_decimal(text) != 0 for text in terms)
    is_committed = has_term or headings.is_of_commitment(column.column)
    return texts.get("pricing_category") or ("committed" if is_committed else "standard"), of_row


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
    name, variant = " ".join(filter(None, parts)), texts.get("variant", "")
    return f"{name}, {variant}" if variant else name


def offer_id_of_way(name: str, category: str, term: str, ways: int, days: str = "") -> str:
    """The name of one of the ways to pay for what a row offers; term, days: of a commitment."""
    suffix = f"{term} months" if term or not days else f"{days} days"
    suffix = suffix if category == "committed" else _SUFFIX.get(category, category)
    return name if ways == 1 and category == "standard" else f"{name}, {suffix}"
