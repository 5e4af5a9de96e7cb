"""What is no table as it stands: records of JSON with what is around each, and sheets that lie on their side."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from functools import lru_cache, partial
from itertools import islice, zip_longest
from typing import Any, Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.sources.json_values import are_alike, begins_json, text_of, values_of_text
from gpuplanner.files.sources.source import TEXT, XLSX, Source, as_csv
from gpuplanner.files.sources.spreadsheet import COLUMNS_AT_MOST
from gpuplanner.files.tables.column_mapping import is_rate
from gpuplanner.files.tables.delimited import header_columns
from gpuplanner.files.tables.fields import WORDS
from gpuplanner.files.tables.headings import OF_BEST, is_gpu_name, meanings, parted_statistic, plain_words
from gpuplanner.files.tables.layout import SAMPLE_ROWS
from gpuplanner.files.tables.price_cells import is_amount
from gpuplanner.files.tables.provider_words import provider_named
from gpuplanner.files.tables.table_columns import LIKELY, sniff_table
from gpuplanner.files.values.amounts import NO_AMOUNT, read_amount
from gpuplanner.files.values.gpu_instances import find_instance
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.word_lists import parted_at_capitals, words
from gpuplanner.files.values.written_dates import read_date
from gpuplanner.lazy_dataclass import replace
from gpuplanner.lazy_re import lazy_re

BYTES_AT_MOST: Final = 64 * 2**20
"""A price list is read whole."""

_PRICE_KEY: Final = WORDS["price_key"]
_KEY: Final = lazy_re(r'"([^"\\\n]{1,80})"\s*:')
_IN_PARTS: Final = lazy_re(r'"(?:priceDimensions|tieredRates|offerTermCode)"')
"""Catalogues whose prices are of parts, or of terms that stand elsewhere."""

_OF_WHAT: Final = lazy_re(r"(?i)[ _-](?:info|details?|specs?)$")
_SAYS_WHICH: Final = ("name", "value", "amount", "slug")
"""Keys that say no more than the object that they are in."""

_KINDS_OF_KEYS: Final = ("provider", "region", "zone", "cloud", "vendor")
_SELLERS: Final = ("provider", "cloud", "vendor", "seller", "offer", "listing")
_REGION: Final = WORDS["region_key"]
_DAY: Final = lazy_re(r"20\d\d-\d\d-\d\d(?:[T ].*)?")
_NAMES_KEYS: Final = (
    (find_instance, "instance type"),
    (is_gpu_name, "gpu model"),
    (_REGION.fullmatch, "region"),
    (_DAY.fullmatch, "as of"),
    (provider_named, "provider"),
    (lazy_re(r"(?i)on[-_ ]?demand|spot|preemptible|reserved.*").fullmatch, "pricing category"),
)
"""What a key may name, and the heading of such keys."""

Fields = dict[str, str]


@lru_cache(maxsize=4)
def json_table(source: Source) -> Source | None:
    """The file as a table with its headings in row 1; None where it is no JSON of objects that speak of prices."""
    if source.kind != TEXT or not begins_json(source.head) or source.size > BYTES_AT_MOST:
        return None
    if not any(_PRICE_KEY.search(key) or is_gpu_name(key) for key in set(_KEY.findall(source.head))):
        return None
    with source.text_lines() as lines:
        text = "".join(lines)
    if _IN_PARTS.search(text):
        return None
    try:
        values = values_of_text(text, source.path)
    except PlannerError:  # cut off or broken: whoever reads it as what it is says so
        return None
    found = [row for value in values for row in _rows(value, {}, "", is_page=len(values) == 1)]
    headings = list(dict.fromkeys(key for row in found for key, text in row.items() if text))[
        :COLUMNS_AT_MOST
    ]
    if len(headings) < 2:
        return None
    table = [headings, *([row.get(heading, "") for heading in headings] for row in found)]
    head = as_csv(islice(table, SAMPLE_ROWS // 10))
    return replace(source, head=head, opened=partial(_opened, table), lines=len(table))


@lru_cache(maxsize=4)
def turned_table(source: Source) -> Source | None:
    """A sheet of contracts or prices whose headings stand in its first column, turned round; None where it is none.

    Errors: PlannerError file_unreadable.
    """
    is_small = source.size <= TURNED_BYTES and source.lines <= LINES_TURNED
    if source.kind not in (TEXT, XLSX) or begins_json(source.head) or not is_small:
        return None
    with source.rows(header_columns(source.head).delimiter or ",") as rows:
        lines = [cells for _, cells in islice(rows, LINES_TURNED + 1) if len(cells) > 1]
    widths = [*map(len, lines)]  # lines of prose have as many commas as they like
    if not widths or len(lines) > LINES_TURNED or max(map(widths.count, widths)) * 2 <= len(widths):
        return None
    table = [[*cells] for cells in islice(zip_longest(*lines, fillvalue=""), BY_SIDE_AT_MOST)]
    fields = {
        one.field for name in table[0] for kind in ("contracts", "prices") for one in meanings(name, kind)
    }
    if plain_words(table[0][0]) in _OF_FIELDS and not ("provider" in fields or {"start", "end"} <= fields):
        table[0][0] = "Provider"  # what stands across is who offers, if nothing else says so
    head = as_csv(table[:SAMPLE_ROWS])
    if max(sniff_table(head, kind) for kind in ("contracts", "prices")) < LIKELY:
        return None
    return replace(source, head=head, opened=partial(_opened, table), lines=len(table))


_OF_FIELDS: Final = words(
    "criteria|criterion|feature|features|specification|item|attribute|parameter|comparison|kriterium|kriterien"
    "|merkmal|critère|critères"
)
"""Headings of a column of fields."""
LINES_TURNED, TURNED_BYTES = 60, 2**20
"""More fields than any table has."""
BY_SIDE_AT_MOST: Final = 500
"""More contracts than anybody puts side by side."""


@contextmanager
def _opened(table: list[list[str]]) -> Iterator[Iterator[tuple[int, list[str]]]]:
    """The rows with their numbers, the headings as row 1."""
    yield enumerate(table, 1)


def _rows(value: object, around: Fields, name: str, *, is_page: bool = False) -> Iterator[Fields]:
    """Each innermost record with the fields around it. name: of the list it is in; is_page: it is the whole document.

    Of a record with a price of its own its lists count only where they have prices too. Numbers of a page count it.
    """
    if isinstance(value, list):
        for each in value:
            yield from _rows(each, around, name)
        return
    if not isinstance(value, dict):
        return
    if _is_by_key(value, name):
        for key, each in value.items():
            fields = {**around, _heading_of_keys(value, name): key}
            yield from (fields,) if _is_empty(each) else _rows(each, fields, "")
        return
    best = [key for key, each in value.items() if isinstance(each, dict) and OF_BEST.match(f"{key} ")]
    own: Fields = {}
    lists = list(_taken(_prices_by_key(value, "", is_inside=bool(around)), "", own))
    if (sellers := [pair for pair in lists if _one_of(pair[0]) in _SELLERS]) and best:
        lists = list(_taken({key: each for key, each in value.items() if key not in best}, "", own := {}))
    statistics = [key for key in own if parted_statistic(key).statistic]
    if len(statistics) > 1:
        own.pop("count", None)  # of prices
    if len(statistics) > 1 and (best or sellers):  # of the market
        own = {key: text for key, text in own.items() if key not in statistics}
        lists = sellers or lists
    is_priced = any(
        _PRICE_KEY.search(key) and read_amount(text).number is not None for key, text in own.items()
    )
    inside = [one for one in lists if _has_price(one[1])] or ([] if is_priced else lists)
    if is_priced or not inside:
        yield _within(around, own)
    kept = {
        (name or key) if key == "name" else key: text
        for key, text in own.items()
        if not (is_priced and _PRICE_KEY.search(key)) and not (is_page and read_decimal(text) is not None)
    }
    for key, each in inside:
        yield from _rows(each, _within(around, kept), _one_of(key))


def _taken(value: Mapping[str, object], prefix: str, own: Fields) -> Iterator[tuple[str, object]]:
    """Puts an object's own fields under joined keys; lists of objects, and objects by key, come as (key, value)."""
    for key, inside in value.items():
        joined = _joined(prefix, parted_at_capitals(key), own)
        each = _prices_by_key(inside, joined)
        if isinstance(each, dict) and {"units", "nanos"} <= each.keys():  # money as Google writes it
            units, nanos = (read_decimal(text_of(each[part])) or Decimal(0) for part in ("units", "nanos"))
            own |= {joined: f"{units + nanos / 10**9:f}", "currency": text_of(each.get("currencyCode"))}
        elif isinstance(each, dict) and not _is_by_key(each, joined):
            yield from _taken(each, joined, own)
        elif isinstance(each, dict) or (
            isinstance(each, list) and any(isinstance(one, dict) for one in each)
        ):
            yield joined, each
        elif isinstance(each, list):
            own[joined] = ", ".join(map(text_of, each))
        else:
            text = text_of(each)
            number = read_decimal(text) if "e" in text.lower() else None
            own[joined] = text if number is None else f"{number:f}"


def _joined(prefix: str, words: str, own: Fields) -> str:
    """The heading of a key inside an object: both, or one of them where it alone says what it is."""
    if prefix and words.lower() in _SAYS_WHICH:
        return prefix
    both = f"{_OF_WHAT.sub('', prefix)} {words}".strip()
    is_plain = any(not meaning.is_weak for meaning in meanings(words, "prices"))
    return words if is_plain and words not in own and not meanings(both, "prices") else both


def _is_by_key(value: Mapping[str, object], name: str) -> bool:
    """Whether an object holds records by key: under names of GPUs, providers or regions, or alike in their keys."""
    kept = [each for each in value.values() if not _is_empty(each)]
    lists = [each if isinstance(each, list) else [each] for each in kept]
    if not kept or not all(isinstance(entry, dict) and entry for each in lists for entry in each):
        return False
    return _one_of(name) in _KINDS_OF_KEYS or bool(_kind_of_keys(value)) or are_alike(kept)


def _is_empty(value: object) -> bool:
    """Whether a key has nothing to say: its price, or its list of them, is empty, null or a word for none."""
    return not value or (isinstance(value, str) and value.strip().lower() in NO_AMOUNT)


def _kind_of_keys(keys: Iterable[str]) -> str:
    """What most of some keys name, as a heading; empty where that is none of the kinds, or several."""
    kinds = [next((kind for names, kind in _NAMES_KEYS if names(key)), "") for key in keys]
    kind = max(kinds, key=kinds.count, default="")
    return kind if kinds.count(kind) * 2 > len(kinds) else ""


def _heading_of_keys(value: Mapping[str, object], name: str) -> str:
    """What the keys of such an object are: most of one kind, else as it is called."""
    return _one_of(name) if _one_of(name) in _KINDS_OF_KEYS else _kind_of_keys(value) or name or "name"


def _prices_by_key(value: Any, name: str, *, is_inside: bool = False) -> Any:
    """An object whose keys are GPU models, regions or days and whose values are prices as a list of such records.

    name: of the price, if it names one; is_inside: of a record, whose models are columns unless they have lists. An
    entry without a price is one without a rate. Others stay as they are.
    """
    if not isinstance(value, dict):
        return value
    lists = {key: each if isinstance(each, list) else [each] for key, each in value.items()}
    prices = {key: all_of for key, all_of in lists.items() if all_of and all(map(_is_price, all_of))}
    kind = _kind_of_keys(prices)
    prices |= {key: [None] for key in lists if _is_empty(value[key]) and _kind_of_keys([key]) == kind != ""}
    rest = {key: each for key, each in value.items() if key not in prices}
    is_record = not is_inside or any(isinstance(value[key], list) for key in prices)
    is_known = kind in ("region", "as of", "instance type") or (kind == "gpu model" and is_record)
    is_priced = not name or _PRICE_KEY.search(name) or (kind == "gpu model" and "." in str(prices))
    if not is_known or not is_priced or any(map(_PRICE_KEY.search, rest)):
        return value
    heading = name if any(is_rate(meaning.field) for meaning in meanings(name, "prices")) else "price"
    return {
        **rest,
        "prices": [{kind: key, heading: price} for key, all_of in prices.items() for price in all_of],
    }


def _is_price(value: object) -> bool:
    """Whether a value is an amount, as a number or as a text."""
    return not isinstance(value, (dict, list)) and is_amount(text_of(value))


def _one_of(key: str) -> str:
    """What one of a list is called: `provider` of providers, and of by_provider."""
    return _BY.sub("", key).removesuffix("s") if not key.endswith("ss") else key


_BY: Final = lazy_re(r"(?i)^(?:by|per)[ _-]")


def _within(around: Fields, own: Fields) -> Fields:
    """A record's fields with those around it, which have another heading where it has one of that name itself."""
    if any(map(_is_day, own.items())):  # a record's own day counts before that of its page
        around = {key: text for key, text in around.items() if not _is_day((key, text))}
    others = {
        f"outer {key}" if key in own else key: text for key, text in around.items() if own.get(key) != text
    }
    return {**others, **own}


def _is_day(pair: tuple[str, str]) -> bool:
    """Whether a key and its text are the day of a price."""
    key, text = pair
    return any(meaning.field == "as_of" for meaning in meanings(key, "prices")) and bool(read_date(text))


def _has_price(value: object) -> bool:
    """Whether a key of an object, or of one that it holds, speaks of a price."""
    if isinstance(value, list):
        return any(map(_has_price, value[:20]))
    return isinstance(value, dict) and any(
        _PRICE_KEY.search(key) or _has_price(each) for key, each in islice(value.items(), 200)
    )
