"""Tables of prices with providers or GPU models as columns: a cell is an offer, a row with a day a rate of that day."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from itertools import islice
from pathlib import PurePath
from typing import Final

from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_history import is_far
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.contracts.contract_tables import MAPPED_FORMAT
from gpuplanner.files.prices.market_bounds import check_near_market
from gpuplanner.files.prices.other_price_lists import NO_RANGE, offer_id_of_way, offer_name
from gpuplanner.files.prices.price_tables import RowIds, read_offer_row
from gpuplanner.files.prices.price_tables import sniff as sniff_list
from gpuplanner.files.prices.twins import tier_words
from gpuplanner.files.sources.json_values import begins_json
from gpuplanner.files.sources.source import TEXT, Source, records
from gpuplanner.files.system.resources import gpu_families, rows_of
from gpuplanner.files.tables import column_mapping, headings
from gpuplanner.files.tables.delimited import DELIMITERS, as_written
from gpuplanner.files.tables.fields import PRICE_FIELDS, WORDS
from gpuplanner.files.tables.layout import NumberedRow, first_rows, joined_headings, may_be_headings, unique
from gpuplanner.files.tables.machine_or_gpu import cell_at
from gpuplanner.files.tables.mapped_cells import clean_model
from gpuplanner.files.tables.odd_rates import is_of_china, market_of
from gpuplanner.files.tables.price_cells import currency_of_price, is_amount, rate_of
from gpuplanner.files.tables.priced_machine import Machine
from gpuplanner.files.tables.provider_words import provider_named
from gpuplanner.files.tables.reports import check_is_no_report
from gpuplanner.files.tables.small_table import Row, RowError, RowLeftOutError, TableRead, collect_rows
from gpuplanner.files.tables.tier_columns import counts_gpus
from gpuplanner.files.tables.unread_columns import ReadTable, unread_issues
from gpuplanner.files.values.amounts import NO_AMOUNT, POINT, currency_of, decide_style, read_amount
from gpuplanner.files.values.gpu_names import name_begun_with
from gpuplanner.files.values.gpu_ranges import GpuRange, read_range
from gpuplanner.files.values.terms import MONTHS, read_term, term_within
from gpuplanner.files.values.word_lists import words
from gpuplanner.files.values.written_dates import MONTH_FIRST, decide_order, read_date
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

SURE: Final = 0.72
"""How sure it is of a table with such columns and prices in them: surer than of a list that only seems one."""

_HEADINGS_AMONG: Final = 8
_LOWEST, _HIGHEST = Decimal("0.05"), 200
"""$ per GPU-hour: what else stands under the names of clouds is no price."""
_ROWS_LOOKED_AT: Final = 80
_KEY_FIELDS: Final = ("provider", "gpu_model", "region", "pricing_category", "currency")
_KEY_WORDS: Final = {
    word: field.name for field in PRICE_FIELDS if field.name in _KEY_FIELDS for word in field.words.split("|")
}
_DAYS: Final = headings.DAY_WORDS.union(
    *(field.words.split("|") for field in PRICE_FIELDS if field.name == "as_of")
)
_PER_IN_WORDS: Final = lazy_re(r"(?:/|\b(?:per|pro|je|par)\b)(.{1,40})", re.I)
_PRICE_IN_WORDS: Final = lazy_re(r"price|\brate|preis|cost|\$|€|usd|/ ?h|per.hour", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class _PriceColumn:
    """A column of prices: what its heading says of them. category: standard, dynamic or committed; term in months.

    region: a place that the heading names. variant: a part of the offer's name; statistic: of which the prices are one;
    low, high: headings of its range. is_doubtful: words behind the model are not known, so that it may be no price.
    beside: words of the heading that are not known, and may name a place. tier: of GPUs that its prices are for.
    """

    heading: str
    provider: str
    gpu_model: str
    category: str
    term: str
    reading: column_mapping.ColumnReading
    region: str = ""
    variant: str = ""
    statistic: str = ""
    is_doubtful: bool = False
    beside: str = ""
    tier: GpuRange | None = None
    low: str = ""
    high: str = ""

    @property
    def of(self) -> tuple[str, ...]:
        """What its prices are of."""
        variant = "" if self.is_doubtful else self.variant.lower()
        tier = "" if self.tier is None else f"{self.tier.low}-{self.tier.high}"
        place = self.region.lower()
        return (self.provider.lower(), self.gpu_model, place, self.category, self.term, variant, tier)


@dataclass(frozen=True, slots=True, kw_only=True)
class WideTable:
    """keys: field -> heading of the columns that say what a row is of; prices: the others; gpu_model: of a title."""

    delimiter: str
    header_row: int
    headings: tuple[str, ...]
    keys: Mapping[str, str]
    prices: tuple[_PriceColumn, ...]
    day_order: str = MONTH_FIRST
    gpu_model: str = ""
    title: str = ""


def sniff_wide(source: Source) -> float:
    """How sure it is that a file is such a table, 0..1."""
    return SURE if find_wide(source) is not None else 0.0


def find_wide(source: Source) -> WideTable | None:
    """The table, where its headings name providers or models and what stands below are prices of GPUs."""
    if begins_json(source.head) or not source.head.strip() or sniff_list(source.head) >= SURE:
        return None
    if source.kind == TEXT:
        lines = source.head.splitlines(keepends=True)
        tries = [
            (d, list(islice(records(lines, d), _ROWS_LOOKED_AT))) for d in DELIMITERS if d in source.head
        ]
    else:
        tries = [(",", list(records(source.head.splitlines(keepends=True), ",")))]
    tables = (_table(rows, delimiter, PurePath(source.path).stem) for delimiter, rows in tries)
    return max(
        (table for table in tables if table is not None), key=lambda table: len(table.prices), default=None
    )


def read_wide(source: Source, table: WideTable, not_needed: Collection[str] = ()) -> TableRead[Offer]:
    """The offers of such a table; those of a row with a day are rates of that day.

    not_needed: headings of columns that nobody needs.
    Errors: PlannerError missing_column where nothing names the GPUs; as Source.rows.
    """
    if not _names_gpus(table):
        raise PlannerError(
            f"{source.path}:{table.header_row}",
            "missing_column",
            worded("looks like daily prices of providers without GPU models"),
            worded("add a column gpu_model, or name the GPU in a title or the file name"),
        )
    check_is_no_report(table.headings, source.path, table.header_row, has_rate=True)
    read = collect_rows(
        source, "prices", MAPPED_FORMAT, _rows(source, table), lambda row: _offers(row, table), RowIds()
    )
    check_near_market(
        read, source.path, table.header_row, [price_column.heading for price_column in table.prices]
    )
    prices = {name: column_mapping.RATE for c in table.prices for name in (c.heading, c.low, c.high) if name}
    accepted = {*read.rows}
    unread = ReadTable(
        headings=table.headings,
        rows=[cells for line, cells in first_rows(source, table.delimiter) if line in accepted],
        fields={heading: field for field, heading in table.keys.items()},
        used=prices,
        not_needed=not_needed,
        header_row=table.header_row,
        is_wide=True,
    )
    read = read.with_issues(unread_issues(unread))
    facts = (
        ("header_row", table.header_row),
        ("price_columns", [column.heading for column in table.prices]),
        ("key_columns", dict(table.keys)),
    )
    return replace(read, intake=replace(read.intake, facts=facts))


def _table(rows: Sequence[NumberedRow], delimiter: str, name: str) -> WideTable | None:
    """The wide table among the first rows.

    None for tables of jobs or runs, and where no column names who sells or what.
    """
    for at, (_, cells) in enumerate(rows[:_HEADINGS_AMONG]):
        head_cells, below = unique(cells), rows[at + 1 :]
        if is_over := any(_are_ways_over(cells, next_cells) for _, next_cells in below[:1]):
            (_, cells_below), *below = below
            head_cells = unique(joined_headings(cells, cells_below, "prices"))
        body = [row for _, row in below if any(map(is_amount, row[1:]))]  # others explain
        line, _ = rows[at + is_over]
        if (
            len([heading for heading in head_cells if heading]) < 2
            or not body
            or not any(map(_names_who, head_cells))
        ):
            continue
        if any(
            heading[:1].isdigit() and read_amount(heading).number is not None and tier_of(heading) is None
            for heading in head_cells
        ):
            continue  # a row of data
        words = {headings.plain_words(heading) for heading in head_cells}
        if words & headings.RUN_WORDS or len(words & headings.JOB_WORDS) >= 2 + bool(
            words & headings.DAY_WORDS
        ):
            return None
        title = " ".join(cell for _, above in rows[:at] for cell in above if cell.strip())
        wide_table = _wide(
            head_cells, body, delimiter, line, f"{title} {name.replace('_', ' ').replace('-', ' ')}"
        )
        if wide_table is not None:
            return wide_table
    return None


def _are_ways_over(cells: Sequence[str], below: Sequence[str]) -> bool:
    """Whether a row says over the headings below how is paid: `On demand` over the providers of a block."""
    over = [top for top, bottom in zip(cells, below, strict=False) if top.strip() and bottom.strip()]
    return bool(over) and all(map(headings.category_of, over)) and may_be_headings(below)


def _wide(
    head_cells: tuple[str, ...], body: Sequence[Sequence[str]], delimiter: str, line: int, title: str
) -> WideTable | None:
    """What each column is: a key of the row, or prices of a provider or a model; None if no prices are named."""
    keys: dict[str, str] = {}
    numbers: list[tuple[str, Sequence[str]]] = []
    for at, heading in enumerate(head_cells):
        cells = [row[at].strip() for row in body if at < len(row) and row[at].strip()]
        plain = headings.plain_words(heading)
        amounts = [text for text in cells if text.lower() not in NO_AMOUNT]
        if (
            plain in _DAYS
            and amounts
            and sum(read_date(text) is not None for text in amounts) * 2 > len(amounts)
        ):
            keys.setdefault("as_of", heading)
        elif (
            (field := _KEY_WORDS.get(plain, ""))
            and not _are_numbers(amounts)
            and (field != "pricing_category" or all(headings.category_of(text) for text in amounts))
        ):
            keys.setdefault(field, heading)
        elif amounts and not _are_numbers(amounts) and all(map(headings.way_of_cell, amounts)):
            keys.setdefault("pricing_category", heading)
        elif amounts and _is_term(heading, amounts):
            keys.setdefault("term_months", heading)
        elif heading and (not amounts or _are_numbers(amounts)):
            numbers.append((heading, amounts))
    if any(_counts_machines(heading, amounts) for heading, amounts in numbers):
        return None  # prices of machines, whose GPUs a list divides by
    prices = [_price_column(heading, amounts, title, keys) for heading, amounts in numbers]
    priced = _with_places(column for column in prices if column is not None)
    are_of_regions = "region" not in keys and all(column.region for column in priced)
    are_of_regions |= all(column.tier is not None for column in priced)
    named = with_ranges(
        [column for column in priced if column.provider or column.gpu_model or are_of_regions]
    )
    models = {
        clean_model(text).name.upper() for text in re.findall(r"[\w.-]+", title) if headings.is_gpu_name(text)
    }
    has_model = "gpu_model" in keys or all(column.gpu_model for column in named)
    is_by_day = "as_of" in keys and sum(bool(column.provider) for column in named) > 1
    is_told = len(named) + ("as_of" in keys) > 1 or (bool(named) and len(head_cells) == 2)
    if not is_told or not keys or not (has_model or models or is_by_day):
        return None
    of_title = "" if has_model or len(models) != 1 else models.pop()
    table = WideTable(
        delimiter=delimiter,
        header_row=line,
        headings=head_cells,
        keys=keys,
        prices=tuple(named),
        gpu_model=of_title,
        title=title,
    )
    if "as_of" in keys:
        days = [
            row[head_cells.index(keys["as_of"])] for row in body if head_cells.index(keys["as_of"]) < len(row)
        ]
        table = replace(table, day_order=decide_order(days).order or MONTH_FIRST)
    return table if _are_prices(table, body, title) else None


def _is_term(heading: str, cells: Sequence[str]) -> bool:
    """Whether a column of numbers is the term of each row."""
    is_term = any(meaning.field == "term_months" for meaning in headings.meanings(heading, "prices"))
    return is_term and all(read_term(text, MONTHS) is not None for text in cells)


def _counts_machines(heading: str, cells: Sequence[str]) -> bool:
    """Whether a column counts the GPUs of each row."""
    fields = {meaning.field for meaning in headings.meanings(heading, "prices")}
    return (
        bool({"gpus", column_mapping.GPUS_PER_NODE} & fields)
        and all(map(str.isdecimal, cells))
        and bool(cells)
    )


def _names_gpus(table: WideTable) -> bool:
    """Whether the GPU model of every price is known, from a column, the title or the headings."""
    has_model = "gpu_model" in table.keys or bool(table.gpu_model)
    return has_model or all(column.gpu_model for column in table.prices)


def _price_column(
    heading: str, cells: Sequence[str], title: str, keys: Mapping[str, str]
) -> _PriceColumn | None:
    """What a heading over numbers says: `AWS H100 on demand ($/h)`; None where it is a quantity of another kind.

    A provider is free where its heading names a way to pay and no column has providers; a model begins its heading.
    """
    if headings.is_never_a_rate(heading):
        return None
    tier = tier_of(heading)
    statistic, rest = headings.parted_statistic(heading)
    meaning = next((m for m in headings.meanings(rest, "prices") if column_mapping.is_rate(m.field)), None)
    plain = headings.plain_words(rest)
    field = meaning.field if meaning is not None else column_mapping.RATE
    words = [word for word in re.split(r"[\W_]+", rest) if word]
    known = next((part for part in _spans(words) if provider_named(" ".join(part))), ())
    provider, left = provider_named(" ".join(known)), words
    if known:
        at = next(at for at in range(len(words)) if words[at : at + len(known)] == list(known))
        left = [*words[:at], *(word for word in words[at + len(known) :] if provider_named(word) != provider)]
    model = "" if "gpu_model" in keys else name_begun_with(" ".join(left))
    more = _beside_price(_behind_model(left)) if model else _beside_price(left)
    region = more if is_place(more) else ""
    is_doubtful, beside = bool(model and more) and not region, more
    if region or (not model and field == column_mapping.RATE):
        more = ""
    if more and not provider and not model and "provider" not in keys:
        provider, more = more, ""
    if tier is not None:
        provider, model, more, region, is_doubtful = "", "", "", "", False
    is_region_alone = tier is not None or (
        bool(region) and meaning is None and (provider or model or "-" in heading)
    )
    if not provider and not model and meaning is None and not is_region_alone:
        return None
    if not (provider or model) and plain in _KEY_WORDS:
        return None
    term = column_mapping.term_of_rate(field)
    if field == column_mapping.RATE and headings.is_of_commitment(rest) and "pricing_category" not in keys:
        return None  # of a term that nobody tells
    if term:
        category = "committed"
    else:
        category = {column_mapping.RATE_SPOT: "dynamic", column_mapping.RATE_ON_DEMAND: "standard"}.get(
            field, "standard"
        )
    per = _PER_IN_WORDS.search(title)  # a daily list is none of prices a day
    unit = (
        (meaning.unit if meaning is not None else "")
        or headings.price_unit(per[1] if per else "")
        or column_mapping.GPU_HOUR
    )
    currency = (meaning.currency if meaning is not None else "") or currency_of(title) or ""
    style = decide_style(cells).style or POINT
    of_one = unit if unit.startswith("gpu_") else f"gpu_{unit}"
    reading = column_mapping.ColumnReading(
        field=column_mapping.RATE, column=heading, unit=of_one, style=style, currency=currency
    )
    return _PriceColumn(
        heading=heading,
        provider=provider,
        gpu_model=model,
        category=category,
        term=str(term or ""),
        reading=reading,
        region=region,
        variant=more,
        statistic=statistic,
        is_doubtful=is_doubtful,
        beside=beside,
        tier=tier,
    )


def tier_of(heading: str) -> GpuRange | None:
    """The volume tier that a heading of prices is: `1-31 GPUs`, `Tier 2 (9-64)`; None for any other heading.

    >>> tier_of("1-31 GPUs"), tier_of("Tier 3 (65+)")[:2], tier_of("12-36 months"), tier_of("H100 (80GB)")
    (GpuRange(low=1, high=31, counted='GPUs'), (65, None), None, None)
    """
    inside = re.findall(r"[(\[]([^)\]]+)[)\]]", heading)
    for text in (heading, re.sub(r"[(\[][^)\]]*[)\]]", "", heading), *inside):
        gpus = read_range(text.strip())
        if gpus is not None and counts_gpus(gpus) and not headings.names_machine(gpus.counted):
            return gpus
    return None


def _with_places(columns: Iterable[_PriceColumn]) -> list[_PriceColumn]:
    """The columns; where others of a table name a place, unknown words in its place name one, too."""
    headed = list(columns)
    if not any(column.region for column in headed):
        return headed
    return [
        column
        if column.region or not column.beside or column.gpu_model or provider_named(column.provider)
        else replace(column, region=column.beside, provider="", variant="")
        for column in headed
    ]


def _behind_model(words: Sequence[str]) -> Sequence[str]:
    """The words of a heading behind the GPU model that it begins with, without its memory and form."""
    ends = range(len(words), 0, -1)
    end = next((end for end in ends if gpu_families().read(" ".join(words[:end])) is not None), 0)
    return [word for word in words[end:] if not _OF_BOARD.fullmatch(word)]


_OF_BOARD: Final = lazy_re(r"(?i)\d+|\d+x|x\d+|\d*g[bi]*|sxm\d?|pcie|nvl\d*|hgx|oam|vram|hbm\d?e?")


def is_place(text: str) -> bool:
    """Whether words of a heading name a region or a city, and nothing else.

    >>> [is_place(text) for text in ("US East1", "eu-west-1", "Frankfurt", "dispersion", "")]
    [True, True, True, False, False]
    """
    words_of = re.findall(r"[^\W\d_]+", text.lower())
    plain = " ".join(words_of)
    is_key = WORDS["region_key"].fullmatch(text.strip().lower()) is not None and any(map(str.isdigit, text))
    return bool(words_of) and (is_key or plain in _cities() or _PLACE_WORDS.issuperset(words_of))


@cache
def _cities() -> frozenset[str]:
    """Cities by name, in small letters."""
    return frozenset(row["city"].lower() for row in rows_of("zone_cities.csv"))


_PLACE_WORDS: Final = words(
    "us|usa|eu|uk|ca|emea|apac|latam|europe|asia|america|africa|australia|canada|india|japan|korea|brazil|germany|france"
    "|norway|sweden|finland|iceland|ireland|netherlands|poland|spain|italy|nordics|nordic|pacific|atlantic|global|gov"
    "|north|south|east|west|central|northeast|northwest|southeast|southwest|eastus|westus|region|zone|dc|ap|sa|me|af|cn|na"
    "|virginia|ohio|oregon|california|texas|iowa|nevada|utah|washington|gb|de|fr|nl|se|fi|ie"
)
"""Words of which names of regions are put together."""


def _beside_price(words: Sequence[str]) -> str:
    """The words of a heading that are no way to pay, price, unit or statistic: who sells, or what."""
    text = " ".join(words)
    for phrase in (*headings.SPOT_PHRASES, *headings.ON_DEMAND_PHRASES, *headings.COMMITTED_PHRASES):
        text = re.sub(rf"\b{re.escape(phrase)}\b", " ", text, flags=re.I)
    text = headings.TERM_IN_HEADING.sub(" ", text)
    return " ".join(word for word in text.split() if word.lower() not in _OF_PRICES)


_OF_PRICES: Final = (
    headings.PRICE_TOKENS
    | headings.HOUR_TOKENS
    | headings.MONTH_TOKENS
    | headings.YEAR_TOKENS
    | headings.GPU_TOKENS
    | headings.MACHINE_TOKENS
    | frozenset(headings.STATISTICS)
    | words("per|od|term|plan|savings|ri|upfront|no|all|partial|list|discount|h|in")
)


def _statistic_of(column: _PriceColumn) -> headings.Statistic:
    """The statistic of a column of rates; the rate itself without one."""
    return headings.STATISTICS.get(column.statistic, headings.Statistic(field=column_mapping.RATE, rank=0))


def with_ranges(columns: Sequence[_PriceColumn]) -> list[_PriceColumn]:
    """The columns of rates with those of their ranges: of statistics median, else mean, is the rate."""
    ranges: dict[tuple[str, ...], dict[str, list[_PriceColumn]]] = {}
    for column in sorted(columns, key=lambda heading: _statistic_of(heading).rank):
        field = _statistic_of(column).field
        ranges.setdefault(column.of, {}).setdefault(field, []).append(column)
    kept = []
    is_sure = any(not column.is_doubtful for column in columns)
    for by_field in ranges.values():
        low, high = (by_field[field][0].heading if field in by_field else "" for field in NO_RANGE)
        # a second of the same is unread
        rates = by_field.get(column_mapping.RATE, [])
        sure = [column for column in rates if not column.is_doubtful]
        rates = sure[:1] if is_sure else rates  # what else stands behind a model's name is no price
        kept += [replace(column, low=low, high=high) for column in rates]
    return kept


def _names_who(heading: str) -> bool:
    """Whether a heading may name a provider or a GPU model; cheap."""
    if any(provider_named(" ".join(part)) for part in _spans(headings.plain_words(heading).split())):
        return True
    if is_place(_beside_price(re.split(r"[\W_]+", heading))) or tier_of(heading) is not None:
        return True
    names = bool(name_begun_with(heading)) and bool(headings.parted_statistic(heading).rest)
    return names or any(
        column_mapping.is_rate(m.field) and m.field != column_mapping.RATE
        for m in headings.meanings(heading, "prices")
    )


def _spans(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """Neighbouring words, three together first: a longer name is the better one."""
    for size in (3, 2, 1):
        for at in range(len(words) - size + 1):
            yield words[at : at + size]


def _are_numbers(cells: Sequence[str]) -> bool:
    """Whether at least 80% of the cells are amounts; not for no cells."""
    return bool(cells) and sum(map(is_amount, cells)) >= 0.8 * len(cells)


def _are_prices(table: WideTable, body: Sequence[Sequence[str]], title: str) -> bool:
    """Whether the numbers are prices: their headings, the title or a sign say so, or they are what the market asks."""
    region_at = table.headings.index(table.keys["region"]) if "region" in table.keys else len(table.headings)
    if any(is_of_china(cell_at(row, region_at)) for row in body):
        return True  # in other money
    words = " ".join((title, *(column.heading for column in table.prices)))
    if _PRICE_IN_WORDS.search(words) or headings.PRICE_TOKENS & set(words.lower().split()):
        return True
    if not _names_gpus(table):  # a rate a day of clouds: what else would it be
        numbers = [
            read_amount(cell_at(row, table.headings.index(c.heading))).number
            for row in body
            for c in table.prices
        ]
        return all(_LOWEST <= number <= _HIGHEST for number in numbers if number is not None)
    near = far = 0
    at = {heading: index for index, heading in enumerate(table.headings)}
    for row in body:
        of_row = cell_at(row, at.get(table.keys.get("gpu_model", ""), len(row)))
        for column in table.prices:
            amount = read_amount(cell_at(row, at[column.heading]), column.reading.style)
            if amount.currency is not None:
                return True
            model = column.gpu_model or of_row or table.gpu_model
            market = market_of(model, None, PricingCategory(column.category.upper()))
            if amount.number and market.high:
                far += is_far(float(amount.number), market)
                near += not is_far(float(amount.number), market)
    return near > 0 and near >= 4 * far


def _rows(source: Source, table: WideTable) -> Iterator[tuple[int, Row, str]]:
    """Each row below the heading with its line and its cells by heading."""
    with source.rows(table.delimiter) as rows:
        for line, cells in rows:
            if line <= table.header_row:
                continue
            row = Row(texts={}).of_width(cells, table.headings, source)
            row.texts = {
                heading: as_written(cell_at(cells, at))
                for at, heading in enumerate(table.headings)
                if heading
            }
            yield line, row, table.delimiter.join(cells)


def _tier_texts(tier: GpuRange | None) -> dict[str, str]:
    """The ends of a tier as texts of our own columns; empty without one."""
    if tier is None:
        return {}
    return {"min_gpus": f"{tier.low or ''}", "max_gpus_per_order": f"{tier.high or ''}"}


def _offers(row: Row, table: WideTable) -> tuple[Offer, ...]:
    """An offer for each price of a row. Errors: RowError, RowLeftOutError."""
    of_row = {field: row.text(heading) or "" for field, heading in table.keys.items()}
    first = next(filter(None, of_row.values()), "")
    if not first or first.lower().rstrip(":. ") in headings.TOTAL_ROWS:
        raise RowLeftOutError("not_a_row", joined((f"“{first[:40]}”",)) if first else worded("an empty row"))
    day = of_row.pop("as_of", "")
    if "as_of" in table.keys:
        date = read_date(day, table.day_order)
        if date is None:
            raise RowError(
                "bad_time", worded("{column} is {text}", column=table.keys["as_of"], text=f"{day!r}")
            )
        day = date[:10]
    paid, length = of_row.pop("pricing_category", ""), of_row.pop("term_months", "")
    category, months = headings.category_of(paid) if paid else None, term_within(paid)
    if length and months is None:
        meant = headings.meanings(table.keys["term_months"], "prices")
        unit = next((meaning.unit for meaning in meant if meaning.field == "term_months"), "") or MONTHS
        months = read_term(length, unit)
        category = category or ("committed" if months else None)
    if category == "committed" and months is None:
        raise RowError("bad_number", worded("{paid} has no term", paid=paid))
    offers = []
    for column in table.prices:
        text = row.texts[column.heading].strip()
        amount = read_amount(text, column.reading.style)
        currency = currency_of_price(amount, "", column.reading, of_row.get("currency", ""))
        in_it = {**of_row, "currency": "" if currency in ("USD", column_mapping.CENTS) else currency}
        rate = rate_of(text, column.reading, None, row, Machine(is_plain=True), in_it)
        is_foreign = "other_currency" in row.notes and read_amount(text).number
        if rate is None and not is_foreign:
            continue
        model = column.gpu_model or of_row.get("gpu_model", "") or table.gpu_model
        if not model:
            raise RowError("missing_column", worded("{column} is empty", column=table.keys["gpu_model"]))
        cleaned, memory = clean_model(model)
        texts = {
            **in_it,
            "provider": column.provider or of_row.get("provider", ""),
            "gpu_model": cleaned,
            "gpu_memory_gb": f"{memory:g}" if memory else "",
            "region": column.region or of_row.get("region", ""),
            "pricing_category": category or column.category,
            "term_months": str(months or "") if category else column.term,
            "as_of": day,
            "source": table.title.strip(),
            "variant": column.variant,
            **_tier_texts(column.tier),
            column_mapping.RATE: "" if rate is None else f"{rate:f}",
        }
        for field, heading in zip(NO_RANGE, (column.low, column.high), strict=True):
            end = rate_of(
                row.texts.get(heading, ""), column.reading, None, Row(texts={}), Machine(is_plain=True), in_it
            )
            texts[field] = "" if end is None or rate is None else f"{end:f}"
        name = offer_name({**texts, "variant": tier_words(texts) or texts["variant"]})
        texts["offer_id"] = offer_id_of_way(name, texts["pricing_category"], texts["term_months"], 2)
        one = Row(texts=texts)
        offers.append(read_offer_row(one))
        row.take_notes(one)
    if not offers:
        raise RowLeftOutError("not_a_row", joined((f"“{first[:40]}”",)))
    if not day:
        row.notes.append("undated_price")
    if table.gpu_model:
        words = worded("no GPU column: {model} from the title or file name", model=table.gpu_model)
        row.say("undecided", words)
    return tuple(offers)
