"""Cells as people write them to the texts of our own columns, field by field; what was decided is said."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from gpuplanner.domain.figures.typed import exact
from gpuplanner.domain.message import joined, worded, worded_count
from gpuplanner.domain.model.window import iso_utc, months_after
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.tables import column_mapping, contract_days, headings, price_cells, priced_machine
from gpuplanner.files.tables.delimited import as_written
from gpuplanner.files.tables.fields import HOLDS, WORDS, Holds
from gpuplanner.files.tables.propose_mapping import body_rows
from gpuplanner.files.tables.small_table import FLAGS, Row, RowLeftOutError, Words, cell_is
from gpuplanner.files.values import amounts, gpu_ranges, numbers, terms, word_lists, written_dates
from gpuplanner.files.values.gpu_instances import GpuProduct, find_instance, model_within
from gpuplanner.lazy_re import lazy_re

_MEMORY: Final = lazy_re(r"(?i)[(\s]*(?<!\d)(\d{1,3})\s*G(?:i?B|o\b)\)?")
_MAKERS: Final = WORDS["makers"]
"""Words around a model; in BM.GPU.H100.8 none is one."""
_OF_SEVERAL: Final = WORDS["of_several"]
"""So many GPUs of a machine, behind its model."""
_AS_ORDERED: Final = WORDS["as_ordered"]
"""How the line of an order goes on behind a model."""
_GOES_ON: Final = lazy_re(r"(?i)[,(;]| (?:with|w/|incl\.?|including|mit|inkl\.?|avec) ")
_FORM_FACTORS: Final = lazy_re(r"(?i)\b(?:HGX|SXM\d?|OAM|nodes?|servers?|machines?|instances?|knoten)\b")
_INTERCONNECTS: Final = (
    (r"infini\s?band|\bib\b|\bndr\b|\bhdr\b", "infiniband"),
    (r"nv\s?link", "nvlink"),
    (r"roce.*(?:400|800)|(?:400|800)g?.*roce", "roce_400"),
    (r"roce", "roce"),
    (r"ethernet|\beth\b|gbe", "ethernet"),
)
_EACH: Final = lazy_re(r"\W*(?:usd|eur|gbp|chf)?\s*(?:/|per\b|pro\b|je\b|par\b)")
_SAYS_MORE: Final = WORDS["says_more"]
"""A word behind an amount that makes another of it: 30 days, 4 Wochen, 10 Gbps, $1.2m."""
_FREE_OF_CHARGE: Final = WORDS["free_of_charge"]
"""What is paid with the rate: nothing beside it."""
_EPOCH: Final = lazy_re(r"\d{10}|\d{13}")
_TOTAL: Final = lazy_re(rf"(?:{'|'.join(map(re.escape, headings.TOTAL_ROWS))})(?=[ :]|\Z)")
_TOTAL_BEHIND: Final = lazy_re(rf".*\b(?:{'|'.join(map(re.escape, headings.TOTAL_ROWS))})\W*")
"""How spreadsheets name the sum of a group: `CoreWeave Total`."""
_MEANS: Final = lazy_re(r"(?i)\b(?:average|avg|mean|durchschnitt|moyenne|mittelwert)\b")
_OTHER_GOODS: Final = WORDS["other_goods"]
_OTHER_MONEY: Final = (Holds.MONEY, Holds.PLAIN_MONEY)
"""Money of a row beside its prices."""


def mapped_rows(
    source: Source,
    mapping: column_mapping.TableMapping,
    complete: Callable[[Sequence[str], dict[str, str], Row], Mapping[str, str]],
    watch: Callable[[Sequence[str]], None] = lambda cells: None,
) -> Iterator[tuple[int, Row, str]]:
    """Every row of a table as texts of our own columns, as `collect_rows` takes them.

    complete: a row's cells and texts (see texts_of), and what was noted of it, to the texts that are read. Errors of
    `complete`: RowLeftOutError. watch: is shown the cells of every row.
    """
    reader, filled = _RowTexts(mapping), _ModelAbove(mapping)
    for line, written in body_rows(source, mapping):
        watch(written)
        row = Row(texts={}).of_width(written, mapping.headings, source)
        cells = filled.of_row(written, row)
        try:
            texts = complete(cells, reader.texts_of(cells, row), row)
            row.texts = {field: as_written(t) if t[:1] == "'" else t for field, t in texts.items()}
        except RowLeftOutError as reason:
            row.left_out = reason
        yield line, row, mapping.delimiter.join(written)


class _ModelAbove:
    """The GPU models of price lists whose cells are blank below the first of several rows, as merged ones are saved."""

    def __init__(self, mapping: column_mapping.TableMapping) -> None:
        is_list = mapping.kind == "prices" and not mapping.is_own
        self._at = mapping.place_of("gpu_model") if is_list else len(mapping.headings)
        self._rates = [mapping.place(column.column) for column in mapping.rates]
        self._fields = {mapping.place(column.column): column.field for column in mapping.columns}
        self._provider = mapping.place_of("provider")
        self._above: Sequence[str] = ()

    def of_row(self, cells: list[str], row: Row) -> list[str]:
        """The cells of a row, with the model of the row above where it has a price and no text of its own."""
        place = self._at
        if place >= len(cells):
            return cells
        if cells[place].strip():
            self._above = cells
            return cells
        prices = (cells[rate_place] for rate_place in self._rates if rate_place < len(cells))
        is_priced = any(map(price_cells.is_amount, prices))
        sellers = {
            "".join(texts[self._provider : self._provider + 1]).strip() for texts in (cells, self._above)
        }
        is_other = any(map(self._is_of_other_goods, range(len(cells)), cells)) or len(sellers - {""}) > 1
        if not self._above or not is_priced or is_other or starts_as_total(_first_text(cells)):
            return cells
        model = self._above[place].strip()
        row.say("undecided", worded("no model: {model} used, from the row above", model=model[:60]))
        return [*cells[:place], model, *cells[place + 1 :]]

    def _is_of_other_goods(self, place: int, cell: str) -> bool:
        """Whether a cell says in words what its column does not hold: a fee below terms, a remark."""
        text, field = cell.strip(), self._fields.get(place)
        if not text or amounts.read_amount(text).number is not None:
            return False
        return field is None or bool(_OTHER_GOODS.search(text)) or not headings.has_readable(field, [text])


_Reading = tuple[
    column_mapping.ColumnReading, str, Callable[[str, column_mapping.ColumnReading], str] | None, bool, bool
]
"""A column, its heading in lower case, how its cells become our text, whether they are money beside the prices, whether
it has a note."""


class _RowTexts:
    """texts_of, kept by rows that differ, in what is read, in ids of contracts, or in days, plain prices and remarks of
    price lists alone: dated lists repeat offers, and marketplaces list machines that are alike."""

    def __init__(self, mapping: column_mapping.TableMapping) -> None:
        self._mapping = mapping
        self._kept: dict[tuple[str, ...], tuple[dict[str, str], list[str], dict[str, Words]]] = {}
        is_list, is_of_contracts = (
            mapping.kind == "prices" and not mapping.is_own,
            mapping.kind == "contracts",
        )
        places = {heading: at for at, heading in enumerate(mapping.headings)}
        is_kept = is_list or is_of_contracts
        read = [
            (places[column.column], column)
            for column in mapping.columns
            if is_kept and column.column in places
        ]
        is_open = [
            not column.note
            and (
                column.field == "contract_id"
                if is_of_contracts
                else column.field in ("as_of", *_FREE) or column_mapping.is_rate(column.field)
            )
            for _, column in read
        ]
        self._open = [both for both, varies in zip(read, is_open, strict=True) if varies]
        seen = range(len(mapping.headings)) if is_of_contracts else {place for place, _ in read}
        self._same = sorted({*seen} - {place for place, _ in self._open})
        held = [(column, HOLDS.get(column.field, Holds.WAY)) for column in mapping.columns]
        self._readings: list[_Reading] = [
            (column, column.column.lower(), _convert_of(column), holds in _OTHER_MONEY, bool(column.note))
            for column, holds in held
        ]

    def texts_of(self, cells: Sequence[str], row: Row) -> dict[str, str]:
        """As `texts_of`. Errors: RowLeftOutError."""
        is_odd = len(cells) != len(self._mapping.headings) or starts_as_total(_first_text(cells))
        if not self._open or is_odd:
            return texts_of(cells, self._mapping, row, self._readings)
        plain = [_VARIES if _may_vary(cells[at], one) else cells[at] for at, one in self._open]
        key = (*(cells[at] for at in self._same), *plain)
        if key not in self._kept:
            if len(self._kept) >= _ROWS_KEPT:
                self._kept.clear()
            texts = texts_of(cells, self._mapping, row, self._readings)
            self._kept[key] = (dict(texts), list(row.notes), dict(row.said))
            return texts
        kept, notes, said = self._kept[key]
        texts = dict(kept)
        row.notes, row.said = [*notes], {**said}
        for (at, column), found in zip(self._open, plain, strict=True):
            if found is _VARIES:
                text = cells[at].strip()
                texts[column.field] = _date(text, column) if column.field == "as_of" else text
        return texts


def _may_vary(cell: str, column: column_mapping.ColumnReading) -> bool:
    """Whether a cell is like any other of its column: an id with a number, a day, a plain price, a remark that makes no
    ruler or heading.
    """
    if column.field == "contract_id":
        return PLAIN_ID.fullmatch(cell) is not None
    if column.field in _FREE:
        text = cell.strip()
        return text[:1].isalpha() and text.lower() != column.column.lower()
    return bool(cell.strip()) if column.field == "as_of" else _PLAIN_PRICE.fullmatch(cell) is not None


_FREE: Final = ("notes", "source")
"""What rows of price lists say in their own words."""
_VARIES: Final = "\0varies"
"""Stands for what varies in what rows are told apart by."""
_ROWS_KEPT: Final = 4096
PLAIN_ID: Final = lazy_re(r"[A-Za-z]{1,12}[-_./#]?\d[\w./-]*")
"""An id of a contract that is no total, and names nothing else."""
_PLAIN_PRICE: Final = lazy_re(r"[1-9]\d*(?:\.\d+)?|0\.\d*[1-9]\d*")


def texts_of(
    cells: Sequence[str], mapping: column_mapping.TableMapping, row: Row, readings: Sequence[_Reading]
) -> dict[str, str]:
    """One row's cells as texts of our own columns; prices apart from the rest, see rate_text; readings: of the table.

    Errors: RowLeftOutError for a row that adds up others, repeats the headings or is a remark.
    """
    by_heading = {
        heading: cell.strip()
        for heading, cell in zip(_lower(mapping.headings), cells, strict=False)
        if heading
    }
    of_field = {column.field: by_heading.get(heading, "") for column, heading, *_ in readings}
    texts: dict[str, str] = {}
    code, slash, per = of_field.get(column_mapping.CURRENCY, "").partition("/")
    if slash and not of_field.get(column_mapping.PRICE_UNIT):  # USD/GPU/hr
        of_field |= {column_mapping.CURRENCY: code, column_mapping.PRICE_UNIT: per}
        texts[column_mapping.PRICE_UNIT] = per
    term, variant = None, ""
    of_row, currency = mapping.of(column_mapping.CURRENCY), _currency_of_row(of_field, mapping)
    unit_of_row = of_field.get(column_mapping.PRICE_UNIT, "")
    if not mapping.is_own:
        _leave_out_what_is_no_row(cells, mapping, by_heading, of_field)
    for column, _, convert, is_money, has_note in readings:
        text = of_field[column.field]
        if not text and column.field != "pricing_category":
            texts[column.field] = text
            continue
        if (
            has_note
            and text
            and _is_open(column, text)
            and not (column_mapping.is_rate(column.field) and headings.price_period(unit_of_row))
        ):
            row.say("undecided", column.note)
        is_stated = of_row is not None and bool(currency)  # by a column of its own, which counts before all
        if is_money and not is_stated and _is_foreign(text, column, currency, row):
            text = ""
        if column.field == "pricing_category":
            way = None if mapping.is_own else _way_within(text)
            term = terms.term_within(text) if way is None else way.months
            variant = variant or ("" if way is None else way.variant)
        texts[column.field] = text if convert is None or not text else convert(text, column)
        if (
            convert is _beside
            and column.field.endswith("percent")
            and numbers.read_decimal(text) not in (None, numbers.read_decimal(texts[column.field]))
        ):
            row.say("computed", worded("{text} is {percent}%", text=text[:40], percent=texts[column.field]))
    texts[column_mapping.CURRENCY] = currency
    if mapping.kind == "contracts" and not texts.get("pricing_category"):
        of_term = headings.way_of_cell(of_field.get("term_months", ""))
        is_use = of_term is not None and of_term.category != "committed" and not texts.get("end")
        texts["pricing_category"] = of_term.category if of_term is not None and is_use else ""
    if term is not None and texts["pricing_category"] == "committed" and not texts.get("term_months"):
        texts["term_months"] = str(term)
    if variant and not texts.get("variant"):
        texts["variant"] = variant
    if texts.get("term_months", "").lower().rstrip(".") in contract_days.MONTHLY:
        texts["term_months"] = _renewing_month(texts, row) if mapping.kind == "prices" else ""
    if (
        mapping.kind == "prices"
        and (days := contract_days.days_of_term(texts.get("term_months", ""))) is not None
    ):
        texts["term_months"], texts["term_days"] = "", str(days)
    if not mapping.is_own:
        if find_instance(of_field.get("gpu_model", "")) is not None:
            texts.setdefault(column_mapping.INSTANCE, of_field["gpu_model"])
        _end_of_period(texts, mapping, by_heading, row)
        _gpus_of_sets(texts, mapping, by_heading, row)
        _unit_of_item(texts, mapping)
        _model_and_memory(texts, is_price=mapping.kind == "prices")
        gpus_of_nodes(texts, row)
        _model_of_instance(texts)
    return texts


def _renewing_month(texts: Mapping[str, str], row: Row) -> str:
    """The term of an offer from month to month: one month, which is noted; none of one that is no commitment.

    A cell `Monthly` gets here under a heading of terms alone: those of bills are none that we know.
    """
    if texts.get("pricing_category", "") not in ("", "committed"):
        return ""
    row.say("undecided", worded(_ONE_MONTH.template, cell=cell_is("term_months", texts["term_months"])))
    return "1"


_ONE_MONTH: Final = worded("{cell}: read as one month that renews; if only bills are monthly, clear it")


def _currency_of_row(of_field: Mapping[str, str], mapping: column_mapping.TableMapping) -> str:
    """The currency of a row's amounts: what its own column says, else that of its first price; empty: US dollars."""
    if own := amounts.other_currency(of_field.get(column_mapping.CURRENCY, "")):
        return own
    unit_of_row = of_field.get(column_mapping.PRICE_UNIT, "")
    for column in (*mapping.rates, *filter(None, [mapping.of("total_value")])):
        amount = amounts.read_amount(of_field[column.field], column.style or amounts.POINT)
        if amount.number:
            currency = price_cells.currency_of_price(amount, unit_of_row, column)
            return "" if currency in ("USD", column_mapping.CENTS) else currency
    return ""


@lru_cache(maxsize=8)
def _lower(headings_of_table: tuple[str, ...]) -> tuple[str, ...]:
    """Headings as rows are looked up by them."""
    return tuple(map(str.lower, headings_of_table))


def _is_foreign(text: str, column: column_mapping.ColumnReading, currency_of_row: str, row: Row) -> bool:
    """Whether a cell of money beside the prices is in another currency than they are, which is said."""
    amount = amounts.read_amount(text, column.style or amounts.POINT)
    is_ours = column.column.lower() == column.field  # its name says USD whatever the row is in
    stated = amount.currency or ("" if is_ours else amounts.currency_of(column.column))
    if not amount.number or (stated or currency_of_row or "USD") == (currency_of_row or "USD"):
        return False  # nothing is nothing in any currency
    price_cells.say_foreign(text, stated or currency_of_row, row)
    return True


def count_of(text: str, style: str) -> tuple[str, str]:
    """A cell of a count as plain digits, and the model where it names one: `8 x H100`.

    >>> count_of("8 x H100", ""), count_of("1.024", "comma")
    (('8', 'H100'), ('1024', ''))
    """
    if (match := headings.COUNT_OF.match(text)) and not match[2].strip().isdecimal():  # 2 x 8
        return match[1], match[2].strip()
    return _number(text, style), ""


class CleanModel(NamedTuple):
    """Name of a GPU model without its memory, and the memory where the text states it."""

    name: str
    memory_gb: float | None


_NETWORK: Final = WORDS["network_speed"]
"""A network and its speed, which is no memory: 100G Ethernet, RoCE 400G, 2x100G, 400 Gb/s."""


def without_network(text: str) -> str:
    """Return the text without networks and their speeds.

    >>> without_network("L40S 48GB, 100G Ethernet"), without_network("H100 80GB 8x 400 Gb/s NDR")
    ('L40S 48GB, ', 'H100 80GB ')
    >>> without_network("A100-80G"), without_network("8x H100 80 GB")
    ('A100-80G', '8x H100 80 GB')
    """
    return _NETWORK.sub("", text)


@lru_cache(maxsize=4096)
def clean_model(text: str) -> CleanModel:
    """A GPU's model as job logs and prices name it, and the memory in GB where the text says it.

    >>> clean_model("NVIDIA H100 HGX (80GB)")
    CleanModel(name='H100 SXM', memory_gb=80.0)
    >>> clean_model("RTX A6000 (48 GB)").name, clean_model("H100 PCIe (80GB)").name
    ('RTX A6000', 'H100 PCIe')
    """
    text = _OF_SEVERAL.sub("", without_network(text))
    if headings.is_gpu_name(text):
        text = _AS_ORDERED.sub(" ", text)
    memory = _MEMORY.search(text)
    if (read := gpu_families().read(text)) is not None:
        return CleanModel(name=read.full, memory_gb=float(memory[1]) if memory else None)
    plain = _MEMORY.sub(" ", text) if memory else text
    plain = _FORM_FACTORS.sub(" ", _MAKERS.sub(" ", plain)) if headings.is_gpu_name(plain) else plain
    plain = " ".join(plain.replace("®", "").replace("™", "").split()).strip(" -,/()").removesuffix(" with")
    for name in (f"{plain} {memory[1]}GB",) if memory else ():  # A100, RoCE
        if (read := gpu_families().read(name)) is not None:
            return CleanModel(name=read.full, memory_gb=float(memory[1]) if memory else None)
    plain += ")" * (plain.count("(") - plain.count(")"))  # unknown (training)
    return CleanModel(name=plain or text.strip(), memory_gb=float(memory[1]) if memory else None)


def _model_and_memory(texts: dict[str, str], *, is_price: bool) -> None:
    """Parts count, model and memory that share one cell."""
    count, model = count_of(texts.get("gpus", ""), "")
    if model:
        texts["gpus"] = count
        texts["gpu_model"] = texts.get("gpu_model") or model
    if texts.get("gpu_model"):
        counted = headings.COUNT_OF.match(texts["gpu_model"])
        if counted and (is_price or not texts.get("gpus")):
            is_of_node = bool(texts.get(column_mapping.NODES)) and not is_price  # 16 servers of 8x H100
            texts[column_mapping.GPUS_PER_NODE if is_of_node else "gpus"] = counted[1]
            texts["gpu_model"] = counted[2]
        written, read_model = texts["gpu_model"], gpu_families().read
        texts["gpu_model"], memory = clean_model(written)
        if read_model(texts["gpu_model"]) is None:
            item, size = clean_model(_GOES_ON.split(written)[0])  # without how the line of an order goes on
            within = "" if read_model(item) else model_within(without_network(written))
            if within or read_model(item) or (is_price and headings.is_gpu_name(item)):
                texts["gpu_model"], memory = within or item, memory or size
        of_row = texts.get("gpu_memory_gb", "")
        if memory is not None:
            texts["gpu_memory_gb"] = f"{memory:g}"
        elif of_row and texts.get("gpus", "1") not in ("", "1"):
            texts["gpu_memory_gb"] = _of_one_gpu(of_row, texts["gpus"], texts["gpu_model"])


def _unit_of_item(texts: dict[str, str], mapping: column_mapping.TableMapping) -> None:
    """What a price is for whose item ends in it, `8x H100 node / month`, where neither row nor heading says it."""
    item = texts.get("gpu_model", "")
    ends = _FOR_A_TIME.search(item)
    if ends is None or not headings.price_period(ends[1]) or not headings.is_gpu_name(item[: ends.start()]):
        return
    texts["gpu_model"] = item[: ends.start()]
    if not texts.get(column_mapping.PRICE_UNIT) and not any(
        headings.price_period(c.column) for c in mapping.rates
    ):
        texts[column_mapping.PRICE_UNIT] = ends[1]


_FOR_A_TIME: Final = lazy_re(
    r"(?i)[\s,(]*(?:/|[,(]|\b(?:per|pro|par)\b)\s*([^\W\d]+(?:[ -][^\W\d]+)?)\)?\s*$"
)


def model_of_item(text: str) -> str:
    """The GPU model that an order's line is of, as `_model_and_memory` finds it; other words as they are."""
    models = (clean_model(part).name for part in (text, _GOES_ON.split(text)[0]))
    return next(filter(gpu_families().read, models), "") or model_within(without_network(text))


_LEAST_GB: Final = 12
"""Less has no GPU of a machine with several: a row's memory that would be less of each is that of one."""


def _of_one_gpu(memory: str, gpus: str, gpu_model: str) -> str:
    """The GB of one GPU, of a row's that may be of one or of all; empty where neither is known of the model, or both.

    >>> [_of_one_gpu(memory, "8", "A100") for memory in ("40", "320", "640")], _of_one_gpu("500", "4", "H200")
    (['40', '40', '80'], '')
    >>> _of_one_gpu("80", "2", "A100"), _of_one_gpu("80", "2", "H100")
    ('', '80')
    """
    size, count = numbers.read_decimal(memory), numbers.read_decimal(gpus)
    if not size or not count or size / count < _LEAST_GB:
        return memory
    known = list[str]()
    for one in (size, size / count):
        facts = gpu_families().facts(f"{gpu_model} {one:.0f}GB")
        if facts is not None and facts.memory_gb and abs(float(one) / facts.memory_gb - 1) < 0.1:  # GB or GiB
            known.append(f"{one:.0f}")
    return known[0] if len(known) == 1 else ""


def _end_of_period(
    texts: dict[str, str], mapping: column_mapping.TableMapping, by_heading: Mapping[str, str], row: Row
) -> None:
    """A contract up to a month or a quarter lasts until that is over, unless its term or whole years say otherwise."""
    column = mapping.of("end")
    text = "" if column is None else by_heading.get(column.column.lower(), "").strip()
    months = written_dates.months_of_period(text)
    start, term = texts.get("start", ""), texts.get("term_months", "")
    if not months:
        return
    first_day = texts["end"]
    is_term_over = term.isdecimal() and len(term) < 5 and months_after(start, int(term)) == first_day
    if is_term_over or (months == 1 and first_day[4:10] == start[4:10] and first_day > start):
        return
    after = months_after(first_day, months)
    if after is not None:
        texts["end"] = after
        row.say("computed", worded("{text} ends before {after}", text=text, after=after))


_UNIT_HEADINGS: Final = word_lists.phrases(
    "unit|units|uom|unit of measure|einheit|mengeneinheit|me|unité|unite"
)


def unit_heading(mapping: column_mapping.TableMapping) -> str:
    """The column that says what the count of an order's line is of; empty where none does."""
    counted = {column.column for column in mapping.columns if column.field == "gpus"}
    named = (name for name in mapping.headings if headings.plain_words(name) in _UNIT_HEADINGS)
    return next((name for name in named if name not in counted), "")


def _gpus_of_sets(
    texts: dict[str, str], mapping: column_mapping.TableMapping, by_heading: Mapping[str, str], row: Row
) -> None:
    """A contract of `8x H100 node` or of an instance type counts these, unless heading or unit say GPUs."""
    model = texts.get("gpu_model", "") or texts.get(column_mapping.INSTANCE, "")
    count = numbers.read_decimal(texts.get("gpus", ""))
    counted, instance = headings.COUNT_OF.match(model), find_instance(model)
    is_instance = _begins_with(model, instance)
    of_each: Fraction | int | None = None
    if is_instance and instance is not None:
        of_each = instance.gpus
    elif counted:
        of_each = int(counted[1])
    if mapping.kind == "prices" or count is None or of_each is None:
        return
    column = next(column for column in mapping.columns if column.field == "gpus")
    heading = column.column
    if counted:
        texts["gpu_model"] = counted[2]
    unit = by_heading.get(unit_heading(mapping).lower(), "")
    is_of_gpus = column.unit == column_mapping.GPUS or headings.counts_gpus(heading)
    if is_of_gpus or unit.lower() in headings.GPU_TOKENS or of_each == 1:
        return
    gpus = (count * Decimal(of_each.numerator) / Decimal(of_each.denominator)).normalize()
    # its price may be of one of them
    if not texts.get("gpu_model") or is_instance or headings.names_machine(model):
        texts[column_mapping.NODES] = texts["gpus"]
    texts["gpus"] = f"{gpus:f}"
    arithmetic = worded(
        "{count} x {what} are {gpus} GPUs",
        count=exact(count.normalize()),
        what=model.strip(),
        gpus=exact(gpus),
    )
    row.say("computed", arithmetic)
    if not is_instance and not headings.names_machine(model) and column.unit != column_mapping.NODES:
        row.say(
            "undecided",
            worded(
                "“{heading}” may count GPUs or units of {of_each}: {arithmetic}",
                heading=heading,
                of_each=str(of_each),
                arithmetic=arithmetic,
            ),
        )


def _model_of_instance(texts: dict[str, str]) -> None:
    """The GPU model of the instance type, or of the machine, that a row names in place of one."""
    model, instance = texts.get("gpu_model", ""), texts.get(column_mapping.INSTANCE, "")
    product = find_instance(model or instance)
    if product is not None and product.gpu_model and (not model or _begins_with(model, product)):
        texts["gpu_model"] = product.gpu_model
    elif not model and gpu_families().read(item := model_of_item(instance)) is not None:
        texts["gpu_model"] = item  # DGX H100


def _begins_with(text: str, instance: GpuProduct | None) -> bool:
    """Whether a text is the name of an instance type, or a line of an order that begins with it."""
    known, began = (
        name.lower().replace("_", " ").removeprefix("standard ")
        for name in (instance.instance_type if instance is not None else "\0", text.strip())
    )
    return began.startswith(known)


def gpus_of_nodes(texts: dict[str, str], row: Row) -> None:
    """The GPUs of so many nodes where only nodes are stated, and a note of how they were computed."""
    nodes = numbers.read_decimal(texts.get(column_mapping.NODES, ""))
    if nodes is None:
        return
    machine = priced_machine.machine_of_contract((), texts)
    each = machine.gpus.normalize() or Decimal(machine.usual)
    if each and not texts.get("gpus"):
        gpus = (nodes * each).normalize()
        texts["gpus"] = f"{gpus:f}"
        name = machine.name if machine.milli_gpus else price_cells.usual_node_words(texts)
        of_what = joined((" (", name, ")")) if name else ""
        row.say(
            "computed",
            worded_count(
                float(nodes),
                "{nodes} node of {each} GPUs{of_what} is {gpus} GPUs",
                "{nodes} nodes of {each} GPUs{of_what} are {gpus} GPUs",
                nodes=exact(nodes.normalize()),
                each=exact(each),
                of_what=of_what,
                gpus=exact(gpus),
            ),
        )


def _leave_out_what_is_no_row(
    cells: Sequence[str],
    mapping: column_mapping.TableMapping,
    by_heading: Mapping[str, str],
    of_field: Mapping[str, str],
) -> None:
    """RowLeftOutError for empty rows, rulers, totals and headings that come again."""
    constants = sum(column_mapping.constant_of(name) is not None for name in mapping.headings)
    own = cells[: len(mapping.headings) - constants] if constants else cells
    texts = [text for cell in own if (text := cell.strip())]
    if not texts:
        raise RowLeftOutError("not_a_row", worded("an empty row"))
    if headings.RULER.match(texts[0]) and all(map(headings.RULER.match, texts)):
        raise RowLeftOutError("not_a_row", worded("a ruler"))
    is_row = of_field.get("start" if mapping.kind == "contracts" else "gpu_model")  # a total has none
    names = ("contract_id", "provider", "gpu_model")
    is_unnamed = any(map(mapping.of, names)) and not any(map(of_field.get, names))
    is_sum = mapping.kind == "contracts" and adds_up(own)
    is_sum = is_sum and (is_unnamed or amounts.read_amount(texts[0]).number is None)
    if (starts_as_total(texts[0]) or is_sum) and (not is_row or is_row == texts[0]):
        raise RowLeftOutError("not_a_row", joined((f"“{texts[0][:40]}”",)))
    if (
        sum(len(heading) == len(text) and heading == text.lower() for heading, text in by_heading.items())
        >= 2
    ):
        raise RowLeftOutError("not_a_row", worded("the headings again"))
    told = sum(
        bool(of_field[c.field]) for c in mapping.columns if column_mapping.constant_of(c.column) is None
    )
    model = of_field.get("gpu_model", "")
    if (
        mapping.kind == "prices"
        and model
        and not headings.is_gpu_name(model)
        and gpu_families().read(model) is None
    ):
        paid = [of_field[field] for field in of_field if column_mapping.is_rate(field) and of_field[field]]
        if (
            paid
            and not any(map(price_cells.is_amount, paid))
            and amounts.NO_AMOUNT.isdisjoint(map(str.lower, paid))
        ):
            raise RowLeftOutError("not_a_row", joined((f"“{texts[0][:40]}”",)))  # it explains the headings
        has_memory = mapping.of("gpu_memory_gb") is not None and not of_field.get("gpu_memory_gb")
        is_way = not paid and headings.category_of(model) is not None  # a heading over the rows below
        if (has_memory and not of_field.get("gpus")) or is_way or (not paid and told == 1):
            raise RowLeftOutError("not_a_row", joined((f"“{texts[0][:40]}”",)))  # a remark below the list
    needed = ("gpus", column_mapping.NODES, "start") if mapping.kind == "contracts" else ("gpu_model",)
    if not any(map(of_field.get, needed)) and told <= 1:
        raise RowLeftOutError("not_a_row", joined((f"“{texts[0][:40]}”",)))


def _first_text(cells: Sequence[str]) -> str:
    """What stands in the first cell that is not blank; empty where all are."""
    return next((text for cell in cells if (text := cell.strip())), "")


def starts_as_total(text: str) -> bool:
    """Whether a row that begins with such a cell may add up others."""
    return _TOTAL.match(text.lower().rstrip(":*. ")) is not None


def adds_up(cells: Sequence[str]) -> bool:
    """Whether a row that is none of its table states sums: it is named so, or has numbers alone.

    >>> adds_up(["CoreWeave Total", "48"]), adds_up(["", "144", "$272,436"]), adds_up(["Average", "2"])
    (True, True, False)
    """
    first, texts = _first_text(cells), [text for cell in cells if (text := cell.strip())]
    if not texts or _MEANS.search(first):
        return False
    is_named = starts_as_total(first) or _TOTAL_BEHIND.fullmatch(first.lower()) is not None
    return is_named or all(amounts.read_amount(text).number is not None for text in texts)


def _is_open(column: column_mapping.ColumnReading, text: str) -> bool:
    """Whether a cell can be read in two ways, so that the choice must be told."""
    holds = HOLDS.get(column.field, Holds.WAY)
    if holds is Holds.DATE:
        readings = {written_dates.read_date(text, order) for order in ("dmy", "mdy", written_dates.NO_YEAR)}
        return len(readings) > 1
    if holds is Holds.TERM:
        return not terms.names_its_unit(text)
    if holds is Holds.LEAD:
        return column.is_asked and numbers.read_decimal(text) is not None
    return "may be per GPU" in column.note.template or amounts.is_two_numbers(text)


def _number(text: str, style: str) -> str:
    """A number with a point; a count of machines stays as it is, and a word for no amount becomes empty."""
    if numbers.read_decimal(text) is not None and style != "comma":
        return text
    amount: amounts.Amount = amounts.read_amount(text, style or amounts.POINT)
    if headings.names_machine(amount.per) or headings.names_group(amount.per):  # 8 nodes are not 8 GPUs
        return text
    if amount.number is None:
        return "" if text.lower() in amounts.NO_AMOUNT else text
    return f"{amount.number:f}"


def _lead(text: str, column: column_mapping.ColumnReading) -> str:
    """Hours of a lead: bare numbers count what the column does, ours hours; a text that is none stays as it is."""
    if column.unit in ("", column_mapping.HOURS) and not any(map(str.isalpha, text)):
        return _number(text, column.style)
    return contract_days.lead_hours(text, column.unit)


def _beside(text: str, column: column_mapping.ColumnReading) -> str:
    """An amount beside a price in the unit of its field, by its cell before its heading.

    What is for something else, and money for a share, stays no number and is refused. A share below 1 whose cell does
    not say percent is one of 1, as sheets keep what they show as a percentage; in a table of ours it is as it stands.
    So is 1 itself, where the share is of the whole: nobody signs for 1% of it.

    >>> egress = column_mapping.ColumnReading(field="egress_usd_per_gb", column="Egress ($/TB)")
    >>> _beside("50", egress), _beside("$0.09/GB", egress), _beside("10 TB", egress), _beside("free", egress)
    ('0.05', '0.09', '10 TB', '0')
    """
    amount = amounts.read_amount(text, column.style or amounts.POINT)
    own = headings.unit_for(amount.per)
    said, is_share = own or headings.unit_for(column.column), column.field.endswith("percent")
    units = headings.BESIDE[column.field]
    times = units.get(said, None if said else Decimal(1))
    if amount.number is None:
        return "0" if _FREE_OF_CHARGE.fullmatch(text.rstrip(".")) else _number(text, column.style)
    is_quantity = (
        _SAYS_MORE.search(amount.per) if not own else own != "percent" and not _EACH.match(amount.per)
    )
    if times is None or is_quantity or (is_share and amount.currency):
        return text.replace("$", "USD ")
    is_of_one = is_share and not own and column.column.lower() != column.field
    is_of_one &= 0 < amount.number < 1 or (amount.number == 1 and "" in units)
    return f"{(amount.number * (100 if is_of_one else times)).normalize():f}"


def _part(text: str) -> str:
    """A part of one with a point; percent are hundredths.

    >>> _part("15%"), _part("0,15"), _part("a part")
    ('0.15', '0.15', 'a part')
    """
    plain = _number(text.rstrip("% "), "")
    value = numbers.read_decimal(plain)
    return plain if value is None or not text.endswith("%") else f"{value / 100:f}"


def _date(text: str, column: column_mapping.ColumnReading) -> str:
    """A date in ISO by the order of day and month found for the column; words for no end are empty."""
    if headings.never_ends(text) or text.lower() in amounts.NO_AMOUNT:
        return "" if column.field == "end" else text
    if column.field == "as_of" and _EPOCH.fullmatch(text):
        return iso_utc(int(text[:10]))  # seconds or thousandths since 1970
    return written_dates.read_date(text, column.style or written_dates.MONTH_FIRST) or text


def _term(text: str, column: column_mapping.ColumnReading) -> str:
    """A term in whole months; empty for pricing without one."""
    if numbers.read_decimal(text) is not None and column.unit in ("", terms.MONTHS):
        return text
    way = headings.way_of_cell(text)
    if text.lower() in amounts.NO_AMOUNT or (way is not None and way.category != "committed"):
        return ""
    months = terms.read_term(text, column.unit or terms.MONTHS)
    return text if months is None else str(months)


def _renewal(text: str, column: column_mapping.ColumnReading) -> str:
    """By how many whole months it renews, 0 where not at all, OWN_TERM where by its own term; other texts as a term."""
    term = contract_days.renewal_text(text, column.unit or terms.MONTHS)
    if term is not None:
        return term
    return text if contract_days.is_open_renewal(text) else _term(text, column)


def interconnect_word(text: str, _: column_mapping.ColumnReading | None = None) -> str:
    """The interconnect in our own word; any other text as it is."""
    return next((word for form, word in _INTERCONNECTS if re.search(form, text, re.I)), text)


def _way_within(text: str) -> headings.WayOfCell | None:
    """The way to pay that a cell is about, or one of its parts: `AWS|p5.48xlarge|us-east-1|spot`; else on demand.

    None where a cell of one part says nothing known.
    """
    ways = [headings.way_of_cell(part.strip()) for part in text.split("|")]
    if len(ways) == 1 or headings.category_of(text) not in (None, "committed"):
        return ways[0] if len(ways) == 1 else None
    return next(filter(None, ways), headings.WayOfCell("standard"))


def _category(text: str, column: column_mapping.ColumnReading) -> str:
    """The pricing category; under a heading that asks whether it is spot, yes and no."""
    if text.lower() in FLAGS and headings.is_spot_heading(column.column):  # whether it is spot
        return "dynamic" if FLAGS[text.lower()] else "standard"
    category = _way_within(text)
    return headings.category_of(text) or text if category is None else category.category


_AS_WRITTEN: Final = lazy_re(f"(?i){headings.COUNT_OF.pattern}|{headings.OTHER_UNITS.pattern}")
_CONVERT: Final[Mapping[Holds, Callable[[str, column_mapping.ColumnReading], str]]] = {
    **dict.fromkeys(
        (Holds.NUMBER, Holds.PLAIN_NUMBER, *_OTHER_MONEY), lambda text, column: _number(text, column.style)
    ),
    Holds.PART: lambda text, _: _part(text),
    Holds.RANGE: lambda text, column: (
        text if gpu_ranges.read_range(text) is not None else _number(text, column.style)
    ),
    Holds.NODES: lambda text, column: (
        f"{amounts.read_amount(text, column.style or amounts.POINT).number or text}"
    ),
    Holds.COUNT: lambda text, column: (
        text
        if _AS_WRITTEN.match(text) or headings.is_of_others(amounts.read_amount(text).per)
        else _number(text, column.style)
    ),
    Holds.DATE: _date,
    Holds.PLAIN_DATE: _date,
    Holds.TERM: _term,
    Holds.LEAD: _lead,
    Holds.RENEWAL: _renewal,
    Holds.INTERCONNECT: interconnect_word,
    Holds.CATEGORY: _category,
}
"""How a cell becomes the text of our own column, by what it holds; others stay as they are."""


def _convert_of(
    column: column_mapping.ColumnReading,
) -> Callable[[str, column_mapping.ColumnReading], str] | None:
    """How the cells of a column are read; None where they stay as they are."""
    return _beside if column.field in headings.BESIDE else _CONVERT.get(HOLDS.get(column.field, Holds.WAY))
