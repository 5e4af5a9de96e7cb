"""Preview of a table of contracts or prices: which column is which field, and how its rows end."""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Final

from gpuplanner.domain.figures.typed import day, whole
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.book.contract import UNDATED_S, Contract
from gpuplanner.domain.model.errors import Cancelled, PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.contracts import contract_words
from gpuplanner.files.contracts.contract_tables import MAPPED_FORMAT
from gpuplanner.files.importing.best_sheet import of_best_sheet
from gpuplanner.files.importing.first_row import ROWS_READ, FieldReading, gpus_counted
from gpuplanner.files.importing.import_tables import is_node_list, read_contract_source, read_price_source
from gpuplanner.files.importing.log_preview import ROWS_SHOWN, ColumnSample, LogPreview
from gpuplanner.files.importing.read_facts import contract_facts, line_of, offer_facts
from gpuplanner.files.importing.recognise import recognise_source
from gpuplanner.files.lists.nodes.node import KIND as NODES
from gpuplanner.files.lists.place_tables import PLACE_KINDS
from gpuplanner.files.prices.wide_prices import WideTable, find_wide
from gpuplanner.files.request.answered_table import is_answer
from gpuplanner.files.sources.source import Source, sources_of
from gpuplanner.files.tables import column_mapping
from gpuplanner.files.tables.fields import (
    ALSO_SHOWN,
    FIELD_NAMES,
    HOLDS,
    NEEDED_OF_OTHERS,
    OWN_COLUMNS,
    OWN_NEEDED,
    Holds,
)
from gpuplanner.files.tables.json_table import json_table
from gpuplanner.files.tables.layout import first_rows
from gpuplanner.files.tables.propose_mapping import body_rows, propose_table_mapping
from gpuplanner.files.tables.recipe import Recipe, TableStep
from gpuplanner.files.tables.recipe_file import with_recipe
from gpuplanner.files.values.terms import MONTHS, YEARS
from gpuplanner.files.values.written_dates import DAY_FIRST, MONTH_FIRST
from gpuplanner.lazy_dataclass import replace

TITLES: Final = {"contracts": worded("table of contracts"), "prices": worded("price list")}

QUANTITY_FIELD: Final = "quantity"
"""In place of a column of a FOCUS export: what its quantities are for."""

_SAMPLES: Final = 5


def preview_table(
    path: str,
    kind: str,
    mapping: column_mapping.ColumnMapping | None = None,
    steps: tuple[TableStep, ...] = (),
    *,
    is_cancelled: Callable[[], bool] | None = None,
) -> LogPreview:
    """How a file of contracts or prices is read, and what comes of all its rows; kind: contracts or prices.

    mapping: as mapping_text takes it, instead of as proposed; steps: of its recipe, before the mapping. Of files packed
    together the first of the kind.
    Errors: PlannerError file_missing, file_unreadable, truncated_file; Cancelled.
    """
    with sources_of(path) as sources:
        if is_cancelled is not None and is_cancelled():
            raise Cancelled
        source = next((one for one in sources if recognise_source(one).kind == kind), sources[0])
        if kind == "prices" and is_answer(source):
            return _answers_preview(source)
        sheet = of_best_sheet(source, kind)
        if steps:
            sheet = with_recipe(json_table(sheet) or sheet, Recipe(kind=kind, steps=steps)).source
        return _preview(sheet, kind, mapping)


def parse_mapping_of(kind: str, text: str) -> column_mapping.ColumnMapping:
    """The mapping in words of a log (jobs), of contracts, of prices or of places. Errors: PlannerError usage."""
    if kind == "jobs":
        return column_mapping.parse_mapping(text)
    of_places = next((table for table in PLACE_KINDS if table.kind == kind), None)
    if of_places is not None:
        return of_places.words("mapping").parse(text)
    return column_mapping.parse_table_mapping(text, (*FIELD_NAMES[kind], QUANTITY_FIELD))


def _preview(source: Source, kind: str, mapping: column_mapping.ColumnMapping | None) -> LogPreview:
    """Reads the whole table to tell how its rows end, then its first rows beside the fields.

    A lacking column is told, not raised.
    """
    found = recognise_source(source)
    shown = LogPreview(
        path=source.path,
        kind=kind,
        format=found.format,
        title=TITLES[kind],
        why=found.why if mapping is None else worded("columns are mapped"),
    )
    text = None if mapping is None else column_mapping.mapping_text(mapping)
    read = read_contract_source if kind == "contracts" else read_price_source
    values: tuple[contract_words.Row, ...] = ()
    of_line: dict[int, contract_words.Row] = {}
    try:
        answer = read(source, text or None)
        values = answer.values
        of_line = dict(zip(reversed(answer.rows), reversed(values), strict=True))
        facts = contract_facts(answer.values) if kind == "contracts" else offer_facts(answer.values)  # type: ignore[arg-type]
        facts = (*facts, *answer.intake.facts)
        lined = NODES if is_node_list(answer.intake) else kind
        first = contract_words.sentence_of(contract_words.parts_of(values[0])) if values else ""
        ids = map(contract_words.row_id, values)
        shown = replace(with_counts(shown, answer.intake), line=line_of(lined, facts), first=first)
        shown = replace(shown, lines=tuple(zip(ids, answer.rows, strict=False)))
        if said := _cluster_of_export(shown, answer.values, mapping):
            shown = replace(shown, fields=(said,))
    except PlannerError as fault:
        if fault.code not in ("missing_column", "usage"):
            raise
        shown = replace(shown, missing=(fault.what,))
    is_of_fields = mapping is not None and bool(mapping.columns)
    if not is_of_fields and kind == "prices" and shown.format == MAPPED_FORMAT:
        wide = find_wide(source)
        if wide is not None:  # its columns are known by whom and what they name: there is nothing to map
            return _with_unread(shown, source, wide, mapping)
    try:
        table = propose_table_mapping(source, kind, None if _is_form(shown) else text or None)
    except PlannerError:
        return shown  # an export that is no table: what its rows are is known all the same
    shown = _with_table(shown, source, table, mapping, values[0] if values else None, of_line)
    asked = (
        replace(shown_field, why=_without_cluster(values, shown_field.column))
        if (shown_field.field, (shown_field.column or "=")[0]) == ("cluster", "=") and kind == "contracts"
        else shown_field
        for shown_field in shown.fields
    )
    return replace(shown, fields=tuple(asked))


def _with_unread(
    shown: LogPreview, source: Source, wide: WideTable, mapping: column_mapping.ColumnMapping | None
) -> LogPreview:
    """The preview of a list with a column for each provider or model: of its columns, those that are not read."""
    read = {
        *wide.keys.values(),
        *(name for price in wide.prices for name in (price.heading, price.low, price.high)),
    }
    rows = [row for line, row in first_rows(source, wide.delimiter) if line > wide.header_row][:ROWS_SHOWN]
    unread = (
        ColumnSample(
            heading, tuple(filter(None, (row[place] for row in rows if place < len(row))))[:_SAMPLES]
        )
        for place, heading in enumerate(wide.headings)
        if heading and heading not in read
    )
    columns = tuple(unread)
    own = mapping or column_mapping.ColumnMapping({})
    return replace(shown, is_mapped=True, columns=columns, mapping=own) if columns else shown


def _answers_preview(source: Source) -> LogPreview:
    """A request that a vendor answered: its columns are ours, so there is nothing to map."""
    found = recognise_source(source)
    shown = LogPreview(
        path=source.path, kind="prices", format=found.format, title=TITLES["prices"], why=found.why
    )
    try:
        return with_counts(shown, read_price_source(source).intake)
    except PlannerError as fault:
        if fault.code != "missing_column":
            raise
        return replace(shown, missing=(fault.what,))


def with_counts(shown: LogPreview, file: FileIntake) -> LogPreview:
    """The preview with how the rows of the file ended, and their issues."""
    return replace(
        shown,
        format=file.format,
        counts=(
            file.rows_read,
            file.rows_accepted,
            file.rows_rejected,
            file.rows_duplicate,
            file.rows_ignored,
        ),
        issues=file.issues,
        rejected=file.rejected,
        noted=file.noted,
    )


def _with_table(
    shown: LogPreview,
    source: Source,
    table: column_mapping.TableMapping,
    mapping: column_mapping.ColumnMapping | None,
    first: contract_words.Row | None,
    of_line: Mapping[int, contract_words.Row],
) -> LogPreview:
    """The preview with headings, first rows, samples of each column and what each field is read from.

    of_line: what each line was read as, the first of several.
    """
    filled = ((line, tuple(cells)) for line, cells in body_rows(source, table) if any(map(str.strip, cells)))
    rows = tuple(islice(filled, ROWS_SHOWN))
    headings = tuple(name or f"column {at}" for at, name in enumerate(table.headings, 1))
    samples = (
        tuple(dict.fromkeys(cells[at] for _, cells in rows if at < len(cells) and cells[at].strip()))[
            :_SAMPLES
        ]
        for at in range(len(headings))
    )
    fields = tuple(
        dict.fromkeys((*OWN_COLUMNS[table.kind], *ALSO_SHOWN[table.kind], *(c.field for c in table.columns)))
    )
    is_form = _is_form(shown)
    details = (worded('"{sign}" separated', sign=table.delimiter),) if source.kind == "text" else ()
    return replace(
        shown,
        details=(*details, *((worded("sheet {name}", name=source.sheet),) if source.sheet else ())),
        is_mapped=not is_form,
        columns=tuple(ColumnSample(name, texts) for name, texts in zip(headings, samples, strict=True)),
        rows=rows,
        fields=shown.fields
        if is_form
        else tuple(_reading(field, table, rows, first, of_line) for field in _ordered(fields, table)),
        mapping=mapping
        if (mapping is not None and mapping.columns) or is_form
        else column_mapping.ColumnMapping(
            {c.field: c.column for c in table.columns},
            {c.field: unit for c in table.columns if (unit := _unit(c))},
            table.not_needed,
        ),
    )


def _is_form(shown: LogPreview) -> bool:
    """Whether it is read as an export, by names that need no mapping."""
    return shown.format not in ("", "mapped") and not shown.format.startswith("own_")


def _cluster_of_export(
    shown: LogPreview, values: tuple[contract_words.Row, ...], mapping: column_mapping.ColumnMapping | None
) -> FieldReading | None:
    """The cluster that contracts of an export serve, as it was said; None where they name it themselves.

    Of lists of nodes nobody is asked: they stand where the log is.
    """
    said = mapping.columns.get("cluster") if mapping is not None else None
    is_open = any(isinstance(value, Contract) and contract_words.is_unserved(value) for value in values)
    if not _is_form(shown) or not (said or is_open):
        return None
    return FieldReading(
        field="cluster",
        is_required=False,
        column=said,
        unit="",
        units=(),
        first_text="",
        read_as="",
        confidence=0.0,
        why=_without_cluster(values, said),
    )


def _without_cluster(values: Sequence[contract_words.Row], constant: str | None) -> Message:
    """How many of the contracts name no cluster. said: in place of a column, of those that name none."""
    dated = [value for value in values if isinstance(value, Contract) and value.start_s != UNDATED_S]
    count = sum(value.cluster in ("", column_mapping.constant_of(constant or "=")) for value in dated)
    return worded(
        "{count} of {contracts} contracts without a cluster", count=whole(count), contracts=whole(len(dated))
    )


def _ordered(fields: tuple[str, ...], table: column_mapping.TableMapping) -> list[str]:
    """What is needed first, then what has a column, then the rest."""
    needed = _needed(table)
    return sorted(
        fields, key=lambda field: (field not in needed, table.of(field) is None, fields.index(field))
    )


def _needed(table: column_mapping.TableMapping) -> tuple[str, ...]:
    """The fields without which the table cannot be read, less those that another column stands for."""
    fields = OWN_NEEDED[table.kind] if table.is_own else NEEDED_OF_OTHERS[table.kind]
    return tuple(field for field in fields if table.of(field) is not None or table.lacks((field,)))


def _unit(column: column_mapping.ColumnReading) -> str:
    """The unit and the currency of a column with a colon between, as a mapping writes them."""
    return ":".join(filter(None, (column.stated_unit, column.currency)))


def _units(field: str, column: column_mapping.ColumnReading | None) -> tuple[str, ...]:
    """What may be chosen as the unit of a field.

    Of rates an amount per what, of terms months or years, of dates the order.
    Empty where there is nothing to choose.
    """
    currency = f":{column.currency}" if column is not None and column.currency else ""
    if column_mapping.is_rate(field):
        return tuple(f"{unit}{currency}" for unit in column_mapping.HOURS_OF_UNIT)
    if HOLDS.get(field) in (Holds.TERM, Holds.RENEWAL):
        return (MONTHS, YEARS)
    is_date = HOLDS.get(field) is Holds.DATE
    orders = (DAY_FIRST, MONTH_FIRST) if is_date and column is not None and column.style else ()
    held = HOLDS.get(field)
    if column is not None and held in (Holds.DAYS, Holds.LEAD):
        hours = (column_mapping.HOURS,) if held is Holds.LEAD else ()
        return (*hours, column_mapping.DAYS, column_mapping.WEEKS, MONTHS, YEARS)
    if field == "end" and column is not None and column.unit:
        meant = (column_mapping.LAST_DAY, column_mapping.EXCLUSIVE)
        return tuple(f"{unit}:{order}" for unit in meant for order in orders) or meant
    return orders


_UNSTATED: Final = {
    Holds.TERM: MONTHS,
    Holds.RENEWAL: MONTHS,
    Holds.DAYS: column_mapping.DAYS,
    Holds.LEAD: column_mapping.HOURS,
    Holds.RATE: column_mapping.GPU_HOUR,
    Holds.WAY: column_mapping.GPU_HOUR,
}
"""In which unit a field is read whose column states none."""


def _reading(
    field: str,
    table: column_mapping.TableMapping,
    rows: Sequence[tuple[int, tuple[str, ...]]],
    first: contract_words.Row | None,
    of_line: Mapping[int, contract_words.Row],
) -> FieldReading:
    """What one field means in the first rows that hold anything: their texts and the values they were read as."""
    column = table.of(field)
    units = _units(field, column)
    is_required = field in _needed(table)
    if column is None:
        return FieldReading(
            field=field,
            is_required=is_required,
            column=None,
            unit="",
            units=units,
            first_text="",
            read_as="",
            confidence=0.0,
            why=worded("no column matches"),
        )
    held = HOLDS.get(field, Holds.TEXT)
    of_date = (column.unit if field == "end" else "", column.style)
    stated = of_date if held is Holds.DATE else (column.unit or _UNSTATED.get(held), column.currency)
    unit = ":".join(filter(None, stated))
    place = next(
        (at for at, name in enumerate(table.headings) if name.lower() == column.column.lower()), None
    )
    texts = [row[place] if place is not None and place < len(row) else "" for _, row in rows[:ROWS_READ]]
    text = texts[0] if texts else ""
    below = zip(rows[1:ROWS_READ], texts[1:], strict=False)
    return FieldReading(
        field=field,
        is_required=is_required,
        column=column.column,
        unit=unit if unit in units else "",
        units=units,
        first_text=text,
        read_as=_read_as(field, text, first),
        confidence=column.confidence,
        why=column.why,
        note=column.note,
        is_asked=column.is_asked,
        below=tuple(_read_as(field, one, of_line.get(line)) for (line, _), one in below),
    )


def _read_as(field: str, text: str, first: contract_words.Row | None) -> Text:
    """What the first row's value became; the text itself where the value does not keep the field."""
    if first is None or not text.strip():
        return ""
    if column_mapping.is_rate(field):
        return contract_words.rate_words(first) if first.rate_usd_per_gpu_hour else ""
    if isinstance(first, Contract) and field in _OF_CONTRACT:
        return _OF_CONTRACT[field](first)
    value = getattr(first, field, text)
    return "" if value is None else str(value)


def _last_day(contract: Contract) -> Text:
    """An end as windows show it."""
    end_s = contract.end_s
    return worded("no end") if end_s is None else worded("{day} (last day)", day=day(end_s - 1))


_OF_CONTRACT: Final[Mapping[str, Callable[[Contract], Text]]] = {
    "gpus": lambda contract: gpus_counted(contract.milli_gpus),
    "start": lambda contract: joined((day(contract.start_s),)),
    "end": _last_day,
}
"""By field: what is said otherwise than the value itself."""
