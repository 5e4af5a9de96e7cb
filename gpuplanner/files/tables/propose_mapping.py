"""Proposing how a table is read: headings first, then the cells below them, each choice with why."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import zip_longest
from statistics import median
from typing import Final

from gpuplanner.domain.figures.typed import decimals
from gpuplanner.domain.message import NO_WORDS, Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.sources.issue_texts import kind_words
from gpuplanner.files.sources.source import TEXT, Source
from gpuplanner.files.system.output_file import unreadable
from gpuplanner.files.tables import contract_days, delimited, headings, machine_or_gpu, table_columns
from gpuplanner.files.tables.column_mapping import (
    CURRENCY,
    DIFFERS,
    GPU_HOUR,
    GPUS_PER_NODE,
    HOURS_OF_UNIT,
    INSTANCE,
    PRICE_UNIT,
    RATE,
    RATE_ON_DEMAND,
    STATED_PER_GPU,
    ColumnReading,
    TableMapping,
    constant_of,
    is_rate,
    parse_table_columns,
    without_not_needed,
)
from gpuplanner.files.tables.fields import FIELDS, HOLDS, OWN_COLUMNS, STYLED, WORDS, Holds, has_needed
from gpuplanner.files.tables.layout import (
    Layout,
    NumberedRow,
    displayed_units,
    first_rows,
    layout_of,
    rows_below,
)
from gpuplanner.files.tables.price_cells import is_amount
from gpuplanner.files.tables.tier_columns import with_counted_tiers, with_tier_column, with_tier_pair
from gpuplanner.files.tables.unread_columns import is_not_needed
from gpuplanner.files.values.amounts import (
    COMMA,
    POINT,
    currencies_in,
    currency_of,
    decide_style,
    is_two_numbers,
    proven_style,
    read_amount,
)
from gpuplanner.files.values.exchange_texts import is_exchange_in_parts, without_exchange
from gpuplanner.files.values.gpu_counts import read_gpu_count
from gpuplanner.files.values.gpu_instances import find_instance
from gpuplanner.files.values.terms import MONTHS, names_its_unit, read_term
from gpuplanner.files.values.written_dates import (
    MONTH_FIRST,
    NO_YEAR,
    decide_order,
    lacks_year,
    may_lack_year,
    read_date,
)
from gpuplanner.lazy_dataclass import replace
from gpuplanner.lazy_re import lazy_re

# --- Proposing how a table is read: headings first, then the cells below them, each choice with its reason

_HIGHEST_PLAUSIBLE_RATE: Final = 25
"""$ per GPU-hour: more expensive, and a price without a unit is one of several GPUs."""

_LOWEST_PLAUSIBLE_RATE: Final = 0.05
"""$ per GPU-hour: cheaper, and a price of a month is one of a single GPU."""


def propose_table_mapping(source: Source, kind: str, columns: str | None = None) -> TableMapping:
    """How a file of contracts or prices would be read; columns: those somebody named, in the words of a mapping.

    Errors: PlannerError missing_column where it has no header, file_unreadable, usage.
    """
    check_is_table(source, kind)
    layout = layout_of(source, kind)
    if layout is None:
        raise _empty(source, kind)
    parted = without_not_needed(columns)
    words = (parted.of_fields or "").removeprefix(DIFFERS)
    is_part = (columns or "").startswith(DIFFERS) or not words
    given = parse_table_columns(words, [field.name for field in FIELDS[kind]]) if words else ()
    places = {layout.place(name) for name in parted.not_needed}
    needed = tuple("" if place in places else name for place, name in enumerate(layout.headings))
    mapping = _mapping_of(replace(layout, headings=needed), kind)
    left = tuple(name for place, name in enumerate(layout.headings) if place in places)
    mapping = replace(mapping, sheet=source.sheet, headings=layout.headings, not_needed=left)
    constants = [column.column for column in given if constant_of(column.column) is not None]
    mapping = replace(mapping, headings=(*mapping.headings, *constants))
    names = {heading.lower() for heading in mapping.headings}
    missing = [column.column for column in given if column.column.lower() not in names]
    if missing:
        remedy = worded("name one of {names}", names=", ".join(filter(None, mapping.headings)))
        raise delimited.no_column(source.path, missing, remedy, mapping.header_row)
    told = {column.field for column in given}
    if given and not is_part:
        return _decided(replace(mapping, columns=given, is_own=False), source, told)
    named = {column.column: column.field for column in given}
    mapping = with_tier_pair(mapping, _first_below(source, mapping), named)
    mapping = with_tier_column(mapping, _first_below(source, mapping), named)
    mapping = machine_or_gpu.with_pair(mapping, (row for _, row in _first_below(source, mapping)))
    taken = {column.column.lower() for column in given}
    others = (c for c in mapping.columns if c.field not in told and c.column.lower() not in taken)
    columns_read = (*given, *others)
    mapping = replace(mapping, columns=columns_read, is_own=mapping.is_own and not given)
    decided = _decided(mapping, source, told)
    return decided if "gpus" in told else with_counted_tiers(decided, _first_below(source, decided))


def check_is_table(source: Source, kind: str) -> None:
    """Errors: PlannerError file_unreadable where a file is no table, missing_column where it is empty.

    kind: contracts or prices, for the remedy.
    """
    if source.kind not in (TEXT, "xlsx"):
        what = source.foreign or worded("a Parquet file")
        raise unreadable(
            source.path,
            worded("it is {what}", what=what),
            worded("use CSV or XLSX for {kind}", kind=kind_words(kind)),
        )
    if not source.head.strip():
        raise _empty(source, kind)


def _empty(source: Source, kind: str) -> PlannerError:
    """The error for a table without anything in it."""
    remedy = worded("add a header to {kind}", kind=kind_words(kind))
    return PlannerError(source.path, "missing_column", worded("it is empty"), remedy)


def check_has(source: Source, mapping: TableMapping, fields: Sequence[str]) -> None:
    """Errors: PlannerError missing_column where a mapping has no column for a field."""
    missing = mapping.lacks(fields)
    if missing:
        raise delimited.no_column(source.path, missing, worded("add it to the header"), mapping.header_row)


def _unit_of_own(field: str) -> str:
    """Return the unit of a column of our own lists; "" where it has none."""
    if field == RATE:
        return GPU_HOUR
    return MONTHS if field.endswith("term_months") else ""


def _is_of_ours(column: ColumnReading) -> bool:
    """Whether a column surely has a field of our contracts, or one without which they would count wrong."""
    is_sure = column.field in OWN_COLUMNS["contracts"] and column.confidence >= headings.SYNONYM
    return is_sure or column.field in ("gpu_model", "end", RATE)


def _mapping_of(layout: Layout, kind: str) -> TableMapping:
    """The mapping of a layout: our own list by the names of its columns, any other by what headings and cells say."""
    lower = {heading.lower(): heading for heading in layout.headings if heading}
    is_own = has_needed(kind, lower)
    if is_own and kind == "contracts":  # what a column of another name tells is read too
        known = table_columns.known_columns(layout, kind)
        is_own = all(column.field in lower for column in known if _is_of_ours(column))
    if is_own:
        columns = tuple(
            ColumnReading(
                field=field,
                column=lower[field],
                unit=_unit_of_own(field),
                confidence=headings.EXACT,
                why=worded("matching name"),
            )
            for field in OWN_COLUMNS[kind]
            if field in lower
        )
    else:
        columns = table_columns.known_columns(layout, kind)
    return TableMapping(
        kind=kind,
        columns=columns,
        headings=layout.headings,
        header_row=layout.header_row,
        header_rows=layout.header_rows,
        delimiter=layout.delimiter,
        is_own=is_own,
    )


def body_rows(source: Source, mapping: TableMapping) -> Iterator[NumberedRow]:
    """The rows below the headings, as (line, cells); a line of separators alone is one, which says nothing."""
    with source.rows(mapping.delimiter) as rows:
        yield from _read_as_told(rows, mapping, source)


_Rows = Iterable[NumberedRow]
_OF_MANY: Final = {"k": WORDS["thousands"], "M": WORDS["millions"]}
_LAST_DIGIT: Final = lazy_re(r"(?i)(\d)(?=\D*$)(?! ?(?:k|m|tsd|mio)\b)")
"""Of an amount, where nothing behind it says thousands or millions already."""


def _read_as_told(rows: _Rows, mapping: TableMapping, source: Source) -> _Rows:
    """The rows below the headings with what --map, the headings and the titles above them say of their cells."""
    titles = (cells for line, cells in first_rows(source, mapping.delimiter) if line < mapping.header_row)
    head = "\n".join(cell for cells in titles for cell in cells)
    below = rows_below(rows, mapping.header_row, mapping.header_rows)
    return _in_whole_amounts(_with_constants(below, mapping), mapping, head)


def _with_constants(rows: _Rows, mapping: TableMapping) -> _Rows:
    """The rows with what --map says that each has, behind their own cells; too long a row stays as it is."""
    constants = [said for name in mapping.headings if (said := constant_of(name)) is not None]
    width = len(mapping.headings) - len(constants)
    for line, cells in rows:
        is_whole = constants and len(cells) <= width and any(cell.strip() for cell in cells)
        yield line, [*cells, *[""] * (width - len(cells)), *constants] if is_whole else cells


def _in_whole_amounts(rows: _Rows, mapping: TableMapping, head: str) -> _Rows:
    """The rows with the k or M that amounts lack under a heading of thousands or millions, as `$k`.

    head: the titles, which say so of all sums: of months and longer, and of whole contracts.
    """
    found = ((at, letter) for at, name in enumerate(mapping.headings) for letter in _OF_MANY)
    many = {
        at: letter
        for at, letter in found
        if _OF_MANY[letter].search(name := mapping.headings[at])
        or (_OF_MANY[letter].search(head) and any(map(_is_sum, headings.meanings(name, mapping.kind))))
    }

    def whole(at: int, cell: str) -> str:
        """A cell with the letter of its column."""
        return _LAST_DIGIT.sub(rf"\1{many[at]}", cell) if at in many else cell

    return ((line, [whole(*cell) for cell in enumerate(cells)]) for line, cells in rows) if many else rows


def _is_sum(meaning: headings.Meaning) -> bool:
    """Whether a heading is of sums of money, and not of the price of an hour."""
    return meaning.field == "total_value" or (
        is_rate(meaning.field) and meaning.unit in ("month", "quarter", "year")
    )


def _first_below(source: Source, mapping: TableMapping) -> _Rows:
    """As body_rows, of the first rows alone."""
    return _read_as_told(first_rows(source, mapping.delimiter), mapping, source)


def _decided(mapping: TableMapping, source: Source, given: Collection[str]) -> TableMapping:
    """The mapping with what the cells say: points or commas, day or month first, what a price is for.

    given: fields whose columns somebody named; a unit that was named with one stays.
    """
    at = {heading.lower(): index for index, heading in enumerate(mapping.headings)}
    cells: dict[str, list[str]] = {column.field: [] for column in mapping.columns}
    for _, row in _first_below(source, mapping):
        for column in mapping.columns:
            index = at[column.column.lower()]
            cells[column.field].append(row[index] if index < len(row) else "")
    if mapping.kind == "prices" and GPUS_PER_NODE in cells:  # what is on offer is the node
        cells.setdefault("gpus", cells[GPUS_PER_NODE])
    named = frozenset() if mapping.is_own else _currencies_named(source, mapping)
    stated = [_with_currency(column, cells, named) for column in mapping.columns]
    columns = [
        column if column.field in given and column.unit else _with_unit(column, cells, mapping)
        for column in stated
    ]
    if (
        not any(is_rate(c.field) and c.field != STATED_PER_GPU for c in columns)
        and mapping.of(STATED_PER_GPU) is not None
    ):
        columns = [replace(c, field=RATE) if c.field == STATED_PER_GPU else c for c in columns]
        cells[RATE] = cells[STATED_PER_GPU]
    columns = [_with_doubt(column, cells) for column in columns]
    default = _style_of_others(mapping, source) or (COMMA if mapping.delimiter == ";" else "")
    styled = _with_styles(columns, cells, default)
    read = _with_days_meant(replace(mapping, columns=tuple(styled)), cells, is_sheet=source.kind != TEXT)
    none = worded("no readable value")
    doubted = {c: replace(c, why=none, note=none, confidence=0) for c in read.columns}
    sure = {c: c for c in read.columns if headings.has_readable(c.field, cells[c.field])}
    return read if mapping.is_own else replace(read, columns=tuple((doubted | sure).values()))


def _style_of_others(mapping: TableMapping, source: Source) -> str:
    """Return the number style that columns without a field prove; "" without a proof. Versions prove none."""
    places = [mapping.place(heading) for heading in mapping.unused if not is_not_needed(heading)]
    rows = [row for _, row in _first_below(source, mapping)] if places else []
    return proven_style([row[place] for row in rows if place < len(row)] for place in places)


def _with_doubt(column: ColumnReading, cells: dict[str, list[str]]) -> ColumnReading:
    """A stated price of one GPU with a note where it grows with the GPUs of rows that have no price of the machine."""
    rates = cells.get(RATE_ON_DEMAND, cells.get(RATE, []))
    if column.field != STATED_PER_GPU or not rates:
        return column
    stated = [
        None if rate.strip() else price
        for rate, price in zip(rates, _written_prices(column, cells), strict=True)
    ]
    if machine_or_gpu.machine_or_gpu(stated, column, {**cells, "gpu_memory_gb": ()}) != (
        machine_or_gpu.MACHINE,
        True,
    ):  # of all of a machine
        return column
    note = worded("“{column}” grows with the row's GPUs: not per GPU", column=column.column)
    return replace(column, note=note)


def _with_days_meant(mapping: TableMapping, cells: dict[str, list[str]], *, is_sheet: bool) -> TableMapping:
    """The mapping with what its lengths of time count and, of contracts, what its ends mean."""
    if mapping.is_own:
        return mapping
    columns = {
        column.field: contract_days.with_counted_unit(column, cells[column.field])
        if column.field in contract_days.COUNTED
        else column
        for column in mapping.columns
    }
    if mapping.kind == "contracts" and (end := columns.get("end")) is not None:
        start, term = columns.get("start"), columns.get("term_months")
        nothing = [""] * len(cells["end"])
        rows = [
            (
                read_date(first, start.style or MONTH_FIRST) or "" if start is not None else "",
                read_date(last, end.style or MONTH_FIRST) or "",
                str(read_term(length, (term.unit if term is not None else "") or MONTHS) or ""),
            )
            for first, last, length in zip(
                cells.get("start", nothing), cells["end"], cells.get("term_months", nothing), strict=True
            )
            if contract_days.is_day_alone(last, is_sheet=is_sheet)
            and not last.startswith(contract_days.ENDLESS_YEAR)
        ]
        headings = {heading.lower() for heading in mapping.headings}
        is_own = "end" in headings and has_needed("contracts", headings)
        columns["end"] = contract_days.with_end_meant(end, rows, is_own=is_own)
    return replace(mapping, columns=tuple(columns.values()))


_DATES: Final = (Holds.DATE, Holds.PLAIN_DATE)
_PLAIN: Final = (Holds.PLAIN_NUMBER, Holds.PLAIN_MONEY)


def _with_styles(
    columns: Sequence[ColumnReading], cells: dict[str, list[str]], default: str
) -> Iterable[ColumnReading]:
    """The columns with how their numbers and dates are written; an open one follows the others of the table.

    default: the style of numbers where no column proves one; "" if unknown.
    """
    numbers = {
        c.field: decide_style(cells[c.field])
        for c in columns
        if HOLDS.get(c.field) in STYLED or is_rate(c.field)
    }
    orders = {c.field: decide_order(cells[c.field]) for c in columns if HOLDS.get(c.field) in _DATES}
    said = {style for style, _ in numbers.values() if style}
    elsewhere = None
    if len(said) == 1:
        elsewhere = said.pop()
    elif default and not said:
        elsewhere = default
    told = {order for order, _ in orders.values() if order in ("dmy", "mdy")}
    has_no_year = any(lacks_year(text) for field in orders for text in cells[field])
    for column in columns:
        if column.style:
            yield column
        elif column.field in numbers:
            style, is_open = numbers[column.field]
            note = NO_WORDS
            if is_open and elsewhere is None and _is_expensive(column, cells):
                style = COMMA
                note = worded(
                    "“{column}”: read with a decimal comma; may separate thousands", column=column.column
                )
            elif (
                is_open and elsewhere is None and not _is_next_to_nothing(replace(column, style=COMMA), cells)
            ):
                note = worded(
                    "“{column}”: read with a decimal point; may separate thousands", column=column.column
                )
            yield replace(
                column, style=style or (elsewhere if is_open and elsewhere else ""), note=note or column.note
            )
        elif column.field in orders:
            order, is_open = orders[column.field]
            note = NO_WORDS
            if has_no_year and order is None and not is_open:
                order = NO_YEAR
            elif either := [text for text in cells[column.field] if may_lack_year(text)]:
                note = worded(
                    "“{column}”: {text} read as {day}. If wrong, add the year",
                    column=column.column,
                    text=either[0].strip(),
                    day=read_date(either[0]) or "",
                )
            if is_open and len(told) != 1:
                note = worded(
                    "“{column}”: read as month/day/year; the day may be first", column=column.column
                )
            yield replace(column, style=order or (min(told) if is_open and len(told) == 1 else ""), note=note)
        elif (
            elsewhere and HOLDS.get(column.field) in _PLAIN and any(map(is_two_numbers, cells[column.field]))
        ):
            yield replace(column, style=elsewhere)
        elif column.field == "term_months" and not column.unit:
            texts = [text for text in cells[column.field] if text.strip()]
            bare = {text.strip() for text in texts if not names_its_unit(text)}
            note = NO_WORDS
            if bare and bare <= {"1", "2", "3", "4", "5"}:
                note = worded("“{column}”: no unit, read as months", column=column.column)
            yield replace(column, unit=MONTHS, note=note)
        else:
            yield column


def _with_currency(
    column: ColumnReading, cells: dict[str, list[str]], named: Collection[str]
) -> ColumnReading:
    """A price's currency, from its cells where neither its heading nor a column says it, else what the file names.

    named: those that the file names. Of several nobody knows which: their names stand for one that is unknown.
    """
    is_told = column.currency or CURRENCY in cells or currency_of(column.column) is not None
    if not (is_rate(column.field) or column.field == "total_value") or is_told:
        return column
    texts = [text for text in cells[column.field][:200] if text.strip()]
    own = {code for text in texts if (code := currency_of(text))}
    return replace(column, currency="/".join(sorted(own or named))) if len(own) < 2 else column


def _currencies_named(source: Source, mapping: TableMapping) -> frozenset[str]:
    """The currencies that a file names in titles, headings, remarks and cells that are no names, or shows numbers in.

    What a price list says of the currency of its prices counts before all of these.
    """
    names = {mapping.place(column.column) for column in mapping.columns if column.field in headings.NAMES}
    row_has = mapping.place_of("start" if mapping.kind == "contracts" else "gpu_model")
    texts = [
        cell if is_row else without_exchange(cell)
        for line, cells in first_rows(source, mapping.delimiter)
        for is_row in [
            line >= mapping.header_row
            and machine_or_gpu.cell_at(cells, row_has)
            and sum(map(bool, cells)) > 1
        ]
        if is_row or not is_exchange_in_parts(cells, mapping.delimiter)
        for at, cell in enumerate(cells)
        if at not in names or not is_row
    ]
    if mapping.kind == "prices" and (match := WORDS["currency"].search("\n".join(texts))):
        return frozenset(currencies_in(match[0])[:1])
    return frozenset(code for text in (*texts, *displayed_units(source)) for code in currencies_in(text))


def _with_unit(column: ColumnReading, cells: dict[str, list[str]], mapping: TableMapping) -> ColumnReading:
    """A price's unit, from its cells where its heading does not say it."""
    if not is_rate(column.field):
        return column
    texts = [text for text in cells[column.field] if text.strip()]
    is_of_node = headings.names_machine(column.column) and column.unit != GPU_HOUR
    if column.unit and (is_of_node or not (column.unit == "hour" and "gpus" not in cells)):
        if column.unit == "hour" and not is_of_node and (mapping.kind == "contracts" or column.field == RATE):
            return _plausible_unit(column, cells, mapping)
        return _not_too_cheap(column, cells) if mapping.kind == "contracts" else column
    amounts = [read_amount(text) for text in texts[:200] if is_amount(text)]  # 3 years reserved is none
    units = {unit for amount in amounts if (unit := headings.price_unit(amount.per))}
    if not units and not column.unit and mapping.kind == "contracts":
        units = {headings.price_period(text) for text in cells.get(PRICE_UNIT, ())[:200]}
        units = set() if "" in units else units  # a column that leaves some open is read row by row
    if len(units) == 1 and units != {"hour"}:
        stated = replace(column, unit=min(units), why=worded("{why}, as its cells state", why=column.why))
        return _not_too_cheap(stated, cells) if mapping.kind == "contracts" else stated
    of_several = (mapping.kind == "prices" or headings.is_each(column.column)) and any(
        headings.count_in_model(text) > 1 for text in cells.get("gpu_model", ())
    )
    if is_of_node or of_several:
        return replace(column, unit="hour", why=worded(_OF_MACHINE, why=column.why))
    if "gpus" not in cells:
        return _of_machine_or_gpu(column, cells, mapping)
    on_demand = mapping.of(RATE_ON_DEMAND)
    if mapping.kind == "prices" and (column.field != RATE or on_demand or mapping.of(STATED_PER_GPU)):
        is_machine = any(mapping.of(field) is not None for field in (STATED_PER_GPU, "instance"))
        if is_machine or (on_demand is not None and on_demand.unit != GPU_HOUR):  # one row, one machine
            return replace(column, unit="hour", why=worded(_OF_MACHINE, why=column.why))
    return _plausible_unit(column, cells, mapping)


_OF_MACHINE: Final = "{why}; per machine, divided by GPUs"


def _of_machine_or_gpu(
    column: ColumnReading, cells: dict[str, list[str]], mapping: TableMapping
) -> ColumnReading:
    """A price by the hour in a list without a column of GPUs: of the instance types it names, else of one GPU."""
    named_in = (INSTANCE, "gpu_model") if mapping.kind == "contracts" else (INSTANCE,)
    types = [text for field in named_in for text in cells.get(field, ()) if text.strip()]
    if any((found := find_instance(text)) is not None and found.gpus != 1 for text in types):
        return replace(column, unit="hour", why=worded(_OF_MACHINE, why=column.why))
    named = mapping.of(INSTANCE)
    note = NO_WORDS
    if named is not None and named.confidence > headings.GUESS and set(types):
        note = _either(column, worded("per GPU-hour"))
    why = worded("{why}; no GPU count, so per GPU", why=column.why)
    return replace(column, unit=GPU_HOUR, note=note, why=why)


def _written_prices(column: ColumnReading, cells: dict[str, list[str]]) -> list[Decimal | None]:
    """The prices of an hour as they are written, one a row."""
    found: list[Decimal | None] = []
    for text in cells[column.field]:
        amount = read_amount(text, column.style or POINT)
        hours, _ = HOURS_OF_UNIT[headings.price_unit(amount.per) or column.unit or GPU_HOUR]
        is_price = amount.number is not None and 0 < amount.number < 10**12
        found.append(
            amount.number * hours.denominator / hours.numerator if amount.number and is_price else None
        )
    return found


def _is_expensive(column: ColumnReading, cells: Mapping[str, Sequence[str]]) -> bool:
    """Whether prices of a GPU-hour would be absurd with a decimal point: 2,750, but not 1,825/mo."""
    prices = []
    for text, per in zip_longest(cells[column.field], cells.get(PRICE_UNIT, ()), fillvalue=""):
        amount = read_amount(text)
        if amount.number is not None:
            hours, _ = HOURS_OF_UNIT[headings.price_unit(amount.per or per) or GPU_HOUR]
            prices.append(float(amount.number) / float(hours))
    return column.unit == GPU_HOUR and bool(prices) and median(prices) > 10 * _HIGHEST_PLAUSIBLE_RATE


def _is_next_to_nothing(column: ColumnReading, cells: dict[str, list[str]]) -> bool:
    """Whether prices, as they are written, would be next to nothing for a GPU-hour: $58,166 per month of 32 GPUs."""
    prices, each = _hourly_prices(column, cells) if is_rate(column.field) else ([], [])
    return bool(prices) and median(prices if column.unit[:4] == "gpu_" else each) < _LOWEST_PLAUSIBLE_RATE


def _hourly_prices(column: ColumnReading, cells: dict[str, list[str]]) -> tuple[list[float], list[float]]:
    """Prices of an hour as they are written, and divided by the GPUs of their rows."""
    prices, each = [], []
    for text, count in zip(cells[column.field], cells.get("gpus", ()), strict=False):
        amount, gpus = read_amount(text, column.style or POINT), read_gpu_count(count).milli_gpus
        if amount.number is not None and gpus > 0:
            hours, _ = HOURS_OF_UNIT[headings.price_unit(amount.per) or column.unit or GPU_HOUR]
            price = float(amount.number) / float(hours)
            prices.append(price)
            each.append(price * 1000 / gpus)
    return prices, each


def _either(column: ColumnReading, read: Message) -> Message:
    """Return the note on a price that may be of one GPU or of several. read: what it was read as."""
    return worded(
        "“{column}” may be per GPU or for all GPUs; read as {read}", column=column.column, read=read
    )


def _not_too_cheap(column: ColumnReading, cells: dict[str, list[str]]) -> ColumnReading:
    """A price of a month or a year is of all GPUs of its row, unless that would be next to nothing for one of them."""
    if column.unit not in ("month", "year"):
        return column
    prices, each = _hourly_prices(column, cells)
    if not prices or median(each) >= _LOWEST_PLAUSIBLE_RATE or median(prices) < _LOWEST_PLAUSIBLE_RATE:
        return column
    note = _either(column, worded("per GPU"))
    return replace(column, unit=f"gpu_{column.unit}", note=note)


def _plausible_unit(
    column: ColumnReading, cells: dict[str, list[str]], mapping: TableMapping
) -> ColumnReading:
    """The column with the unit that its prices make plausible: of the machine or of one GPU, an hour."""
    prices, each = _hourly_prices(column, cells)
    if not prices:
        return replace(column, unit=GPU_HOUR)
    if mapping.of(STATED_PER_GPU) is not None and column.unit == "hour":
        return column  # the list says both
    written, counts = _written_prices(column, cells), mapping.of("gpus")
    near, is_of_list = machine_or_gpu.near_market(written, column, cells), mapping.kind == "prices"
    is_mixed, decided = _DECIDED.keys() <= near, near & _DECIDED.keys()
    meant, is_sure = machine_or_gpu.machine_or_gpu(written, column, cells) if is_of_list else ("", True)
    if not is_of_list and counts is not None and not headings.counts_gpus(counts.column):
        meant = machine_or_gpu.MACHINE if _of_machine_or_gpu(column, cells, mapping).unit == "hour" else ""
    is_by_market = not is_of_list and not meant and len(decided) == 1
    meant = _DECIDED[decided.pop()] if is_by_market else meant
    note = _either(column, worded("nearest to market"))
    if not meant and (column.unit == "hour" if is_of_list else is_mixed):
        if not is_mixed:
            return column  # per hour, in a list that counts GPUs: of the machine
        return replace(column, unit="hour", note=note, is_asked=True)
    if meant and is_sure:
        return replace(
            column,
            unit="hour" if meant == machine_or_gpu.MACHINE else GPU_HOUR,
            note=note if is_by_market and (False, False) in near else column.note,
            why=worded("{why}; grows with the row's GPUs: per machine, divided by GPUs", why=column.why)
            if meant == machine_or_gpu.MACHINE
            else worded("{why}; independent of the row's GPUs: per GPU", why=column.why),
        )
    if median(prices) > _HIGHEST_PLAUSIBLE_RATE and median(each) <= _HIGHEST_PLAUSIBLE_RATE:
        why = worded(
            "{why}; median {median}: for all the row's GPUs",
            why=column.why,
            median=decimals(median(prices), 2),
        )
        return replace(column, unit="hour", why=why)
    if meant:
        is_open = meant == machine_or_gpu.MACHINE or column.unit == "hour"
        note = _either(
            column, worded("for all GPUs") if meant == machine_or_gpu.MACHINE else worded("per GPU")
        )
        why = worded("{why}; as in the market", why=column.why)
        unit = "hour" if meant == machine_or_gpu.MACHINE else GPU_HOUR
        return replace(column, unit=unit, note=note if is_open else NO_WORDS, why=why)
    note = NO_WORDS
    is_dear = median(prices) > _HIGHEST_PLAUSIBLE_RATE / 2 and median(each) >= 0.3
    if (not is_of_list and (False, False) in near) or (is_dear and median(prices) != median(each)):
        note = _either(column, worded("per GPU-hour"))
    return replace(
        column, unit=GPU_HOUR, note=note, why=worded("{why}; in the range of a GPU-hour", why=column.why)
    )


_DECIDED: Final = {(True, False): machine_or_gpu.MACHINE, (False, True): machine_or_gpu.ONE_GPU}
"""Far from the market as the price of one GPU, and as that of a machine: which of the two it is."""
