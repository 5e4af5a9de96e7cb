"""Any other table of jobs: how it is laid out, and how it is read through a mapping of its columns."""

import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache, partial
from itertools import islice
from typing import Final

from gpuplanner.domain.message import NO_WORDS, Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Issue
from gpuplanner.files.job_logs.dialects.slurm.sacct_layout import has_steps
from gpuplanner.files.job_logs.dialects.traces import standard_workload
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.job_logs.judging.column_names import name_readings, stated_amount
from gpuplanner.files.job_logs.recognisers import is_stray_row
from gpuplanner.files.sources.issue_texts import RaggedLines
from gpuplanner.files.sources.raw_table import RawTable, fitted_rows, load_raw, load_records
from gpuplanner.files.sources.source import OTHER, PARQUET, TEXT, Source, records
from gpuplanner.files.system.engine import Engine, sql_text
from gpuplanner.files.tables import column_mapping
from gpuplanner.files.tables.delimited import DELIMITERS, no_column
from gpuplanner.files.tables.fields import DURATION, GPU_HOURS, TIME_LIMIT
from gpuplanner.files.tables.layout import Layout, NumberedRow, first_rows, rows_below
from gpuplanner.files.values.amounts import proven_style
from gpuplanner.files.values.column_values import known
from gpuplanner.files.values.durations import HOURS_AND_MINUTES, SECONDS_PER
from gpuplanner.files.values.gpu_counts import GpuReading, from_number, read_gpu_count, read_written_count
from gpuplanner.files.values.number_styles import column_style, plain_sql
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.slurm_resources import read_gres, read_tres
from gpuplanner.files.values.times import MISSING_TEXTS, read_time
from gpuplanner.files.values.written_dates import FORMS_OF, SERIAL, iso_sql
from gpuplanner.lazy_dataclass import replace

# --- Any table that may be a log of jobs: how it is laid out where no heading need be known, and all its records

ROWS_LOOKED_AT: Final = 200
_TITLE_ROWS_AT_MOST: Final = 10
_LONGEST_HEADING: Final = 120


def log_layout(
    source: Source, names: Collection[str] = (), check: Callable[[], None] = lambda: None
) -> Layout | None:
    """How a file is a table; None where it is none. names: headings it should have, where they are known.

    A column without a heading is called by its place, `column 3`; rows are as wide as the headings.
    check: called often while a whole file is looked through; may raise to stop. Errors: PlannerError truncated_file,
    file_unreadable for broken JSON.
    """
    if source.kind == OTHER or not source.head.strip():
        return None
    form = dialect.json_form(source)
    if form is not None:
        return _json_layout(source, form, names, check)
    wanted = {name.strip().casefold() for name in names}
    best: tuple[tuple[int, bool, int], str, list[NumberedRow]] | None = None
    for delimiter in DELIMITERS if source.kind == TEXT else ",":
        rows = _first_rows(source, delimiter)
        widths = Counter(len(cells) for _, cells in rows)
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
        known = max(len(wanted & _folded(cells)) for _, cells in rows[:_TITLE_ROWS_AT_MOST])
        rank = (known, width > 1 and count >= 0.6 * len(rows), width)
        if best is None or rank > best[0]:
            best = rank, delimiter, rows
    if best is None:
        return None
    return _laid_out(best[1], best[2], wanted, is_typed=source.kind == PARQUET)


def _first_rows(source: Source, delimiter: str) -> list[NumberedRow]:
    """The first rows; of a text those of its head, as a line of a file that is no table may be as long as the file."""
    if source.kind == TEXT:
        return list(islice(records(source.head.splitlines(keepends=True), delimiter), ROWS_LOOKED_AT))
    return list(first_rows(source, delimiter)[:ROWS_LOOKED_AT])


@lru_cache(maxsize=8)
def plain_layout(source: Source) -> Layout | None:
    """How a file is a table of which no heading is known, kept: several ask it of one file. Errors: as log_layout."""
    return log_layout(source)


def _folded(cells: Sequence[str]) -> set[str]:
    """Cells as they are compared with names: without blanks about them, in small letters."""
    return {cell.strip().casefold() for cell in cells}


def _laid_out(delimiter: str, numbered: list[NumberedRow], wanted: set[str], *, is_typed: bool) -> Layout:
    """The layout for one delimiter: where the header is, headings made unique, rows of equal width."""
    rows = [cells for _, cells in numbered]
    header_at = 0 if is_typed else _header_at(rows, wanted)
    data = rows if header_at is None else rows[header_at + 1 :]
    named: Sequence[str] = [] if header_at is None else rows[header_at]
    width = len(named) or max((len(cells) for cells in data), default=0)
    headings = column_mapping.unique_headings([*named, *[""] * (width - len(named))])
    texts = tuple(tuple([*cells, *[""] * (width - len(cells))][:width]) for cells in data)
    if header_at is None:
        return Layout(delimiter=delimiter, headings=headings, body=texts, header_rows=0)
    return Layout(
        delimiter=delimiter,
        headings=headings,
        body=texts,
        header_row=numbered[header_at][0],
        keys=tuple(named),
    )


def _header_at(rows: Sequence[Sequence[str]], wanted: set[str]) -> int | None:
    """The row with most of the names; without names the first that holds nothing but words, after titles only."""
    first = rows[:_TITLE_ROWS_AT_MOST]
    if wanted:
        matches = [len(wanted & _folded(cells)) for cells in first]
        if max(matches):
            return matches.index(max(matches))
    for place, cells in enumerate(first):
        filled = [cell for cell in cells if cell.strip()]
        below = [sum(bool(cell.strip()) for cell in row) for row in rows[place + 1 : place + 20]]
        is_wide = len(filled) >= max(1, 0.6 * max(below, default=0))
        if is_wide:
            is_header = all(map(_is_word, filled)) and len(_folded(filled)) >= len(filled) / 2
            return _lower_header(first, place) if is_header else None
    return None


def _lower_header(rows: Sequence[Sequence[str]], place: int) -> int:
    """The header, or the row below it where that one says it finer: what stands over merged cells is no name."""
    below = [cell for cell in rows[place + 1] if cell.strip()] if place + 1 < len(rows) else []
    above = [cell for cell in rows[place] if cell.strip()]
    if len(below) <= len(above) or not all(map(_is_word, below)):
        return place  # the table of names, a fortieth of the check of a small log, is not asked
    names = [sum(bool(name_readings(cell)) for cell in cells) for cells in (above, below)]
    return place + 1 if names[1] > names[0] and 2 * names[1] >= len(below) else place


def _is_word(text: str) -> bool:
    """Whether a text may head a column: no number, no time, no "unknown"."""
    plain = text.strip()
    is_figure = plain[:1].isdigit() and sum(map(str.isalpha, plain)) < len(plain) / 2
    return (
        len(plain) <= _LONGEST_HEADING
        and plain.casefold() not in MISSING_TEXTS
        and read_decimal(plain) is None
        and read_time(plain) is None
        and not is_figure
    )


def _json_layout(source: Source, form: str, names: Collection[str], check: Callable[[], None]) -> Layout:
    """The keys of the first records; of all, where a name is not among them."""

    def objects() -> Iterator[dialect.Record]:
        """The records that are objects; asks now and then whether to go on."""
        for count, (_, record) in enumerate(dialect.job_records(source, form)):
            if count % 1000 == 0:
                check()
            if not isinstance(record, str):
                yield record

    first = list(islice(objects(), ROWS_LOOKED_AT))
    keys = dialect.keys_of(first)
    if any(column_mapping.column_place(keys, name) is None for name in names):
        keys = dialect.keys_of(_with_new_keys(objects()))
    rows = tuple(tuple(record.get(key, "") for key in keys) for record in first)
    return Layout(
        delimiter=",",
        headings=column_mapping.unique_headings(keys),
        body=rows,
        header_rows=0,
        json=form,
        keys=keys,
    )


def _with_new_keys(records: Iterator[dialect.Record]) -> Iterator[dialect.Record]:
    """Only the records that have a key none before them had: enough to know all columns."""
    seen: set[str] = set()
    for record in records:
        if not seen.issuperset(record):
            seen.update(record)
            yield record


def load_table(engine: Engine, source: Source, layout: Layout, name: str) -> RawTable:
    """Every record below the header into the engine, under the headings of the layout."""
    if layout.json is not None:
        return load_records(
            engine, source, name, layout.headings, _json_rows(source, layout.json, layout.keys)
        )
    if layout.header_row > 1:
        ragged = RaggedLines()
        with source.rows(layout.delimiter) as rows:
            data = rows_below(rows, layout.header_row, layout.header_rows)
            below = fitted_rows(source, layout.headings, data, ragged)
            return load_records(
                engine, source, name, layout.headings, below, delimiter=layout.delimiter, ragged=ragged
            )
    return load_raw(
        engine, source, name, layout.headings, delimiter=layout.delimiter, has_header=layout.header_rows > 0
    )


def _json_rows(source: Source, form: str, keys: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """A line that is no object is a row with nothing but its text: it has no start, so it is rejected in sight."""
    for number, record in dialect.job_records(source, form):
        if isinstance(record, str):
            yield number, [record, *[""] * (len(keys) - 1)]
        else:
            yield number, [record.get(key, "") for key in keys]


# --- Any other table of jobs, read through a mapping of its columns ------------------------------

FORMAT: Final = "mapped"
GPUS_COLUMN: Final = "gpus_column"
"""The fact of a mapped log that names the column of its GPUs, for who doubts them."""


Completed = Callable[
    [column_mapping.ColumnMapping, Source], tuple[column_mapping.ColumnMapping, tuple[Issue, ...]]
]
"""A mapping with what is sure of the other columns of a file, and what is to be said of that."""


def mapped_dialect(
    mapping: column_mapping.ColumnMapping, format_name: str | None = None, complete: Completed | None = None
) -> dialect.Dialect:
    """A dialect that reads every table by this mapping. format_name: what the log was said to be, None: nothing.

    complete: of a mapping that lacks what neither it nor our own headings tell.
    """
    rows = partial(_rows, mapping, format_name, complete)
    return dialect.Dialect(
        format=FORMAT, title=worded("table with mapped columns"), sniff=lambda head: 0.0, rows=rows
    )


def _rows(
    mapping: column_mapping.ColumnMapping,
    format_name: str | None,
    complete: Completed | None,
    source: Source,
    engine: Engine,
    table: str,
) -> dialect.JobTable:
    """Errors: PlannerError missing_column where a mapped column is not there, or the file is no table; usage."""
    is_swf = format_name == standard_workload.SWF.format or (
        format_name is None and standard_workload.sniff_swf(source.head) > 0
    )
    if mapping.columns == {"gpus": standard_workload.PROCESSORS} and is_swf:
        return standard_workload.swf_rows(source, engine, table, is_gpu=True)
    constants = {
        name: said for name, column in mapping.columns.items() if (said := column_mapping.constant_of(column))
    }
    mapped = tuple(column for name, column in mapping.columns.items() if name not in constants)
    layout = log_layout(source, mapped, engine.check)
    if layout is None:
        raise PlannerError(
            source.path, "not_a_job_log", worded("not a table"), worded("choose a table with one row per job")
        )
    given, issues = mapping, tuple[Issue, ...]()
    mapping = column_mapping.with_own_names(given, layout.headings)
    lacks = any(
        layout.place(column) is None for name, column in mapping.columns.items() if name not in given.columns
    )
    if complete is not None and (lacks or not given.lacking):
        whole, told = complete(given, source)
        if not whole.lacking:
            mapping, issues = whole, told
    read = {name: column for name, column in mapping.columns.items() if name not in constants}
    mapping = _bound(mapping, layout)
    missing = [column for column in read.values() if layout.place(column) is None]
    if missing:
        column_mapping.check_units(mapping, missing)
        raise no_column(
            source.path, missing, worded("map to one of {names}", names=", ".join(layout.headings))
        )
    raw = load_table(engine, source, layout, table)
    fields = {}
    for name, heading in read.items():
        place = layout.place(heading)
        fields[column_mapping.MAPPED_FIELDS[name]] = _in_unit(
            plain_sql(f"c{place}", _style_of(name, mapping, layout)), mapping.unit(name)
        )
    for name, said in constants.items():
        fields[column_mapping.MAPPED_FIELDS[name]] = _in_unit(sql_text(said), mapping.unit(name))
    if mapping.unit("gpus") == PER_NODE:
        if "nodes" not in mapping.columns:
            raise PlannerError(
                f"--map gpus={mapping.columns['gpus']}:{PER_NODE}",
                "usage",
                worded("GPUs per node need a column with the number of nodes"),
                worded("map nodes too"),
            )
        fields["gpus"] = _times_nodes(fields["gpus"], fields["nodes"])
    return dialect.JobTable(
        raw=raw,
        fields=fields,
        is_ignored=f"({_steps(layout, mapping)} or {_strays(layout, mapping)})",
        start_unit=_clock_unit(mapping.unit("start")),
        end_unit=_clock_unit(mapping.unit("end")),
        elapsed_unit=_elapsed_unit(mapping.unit(DURATION)),
        queue_units=_queue_units(mapping),
        end_is_elapsed="end" not in fields,
        read_gpus=gpu_reader(mapping.unit("gpus")),
        gpus_are_hours=mapping.unit("gpus") == GPU_HOURS,
        of_ages=_of_ages(mapping),
        issues=issues,
        facts=((GPUS_COLUMN, mapping.columns["gpus"]),) if "gpus" in read else (),
    )


def _bound(mapping: column_mapping.ColumnMapping, layout: Layout) -> column_mapping.ColumnMapping:
    """A mapping whose GPUs have the unit that their heading says, where none is stated: hours and $ are no count.

    Errors: PlannerError usage where the heading says that its numbers are something else.
    """
    column = mapping.columns.get("gpus", "")
    stated = [
        part for part in mapping.units.get("gpus", "").split(":") if part in column_mapping.UNITS_OF["gpus"]
    ]
    place = None if stated or column_mapping.constant_of(column) else layout.place(column)
    amount = "" if place is None else stated_amount(layout.headings[place])
    if amount == GPU_HOURS:
        units = ":".join(filter(None, (GPU_HOURS, mapping.style("gpus"))))
        return replace(mapping, units={**mapping.units, "gpus": units})
    if amount:
        raise PlannerError(
            f"--map gpus={column}",
            "usage",
            worded("“{column}” is an amount, not a count of GPUs", column=column),
            worded(
                "map a count, or add the unit of its numbers: {units}",
                units=", ".join(f":{unit}" for unit in ("gpu", "percent", GPU_HOURS)),
            ),
        )
    return mapping


def _of_ages(mapping: column_mapping.ColumnMapping) -> Message:
    """What is to be said where durations make a log longer than 20 years: the unit that may be meant."""
    unit = mapping.unit(DURATION)
    smaller = column_mapping.smaller_length(unit)
    if DURATION not in mapping.columns or not smaller:
        return NO_WORDS
    column = mapping.columns[DURATION]
    said = column_mapping.mapping_text(column_mapping.ColumnMapping({DURATION: column}, {DURATION: smaller}))
    return worded(
        "“{column}” in {unit} exceeds 20 years; perhaps {smaller}: --map {said}",
        unit=column_mapping.UNIT_TITLES[unit],
        column=column,
        smaller=column_mapping.UNIT_TITLES[smaller],
        said=shlex.quote(said),
    )


def _times_nodes(gpus: str, nodes: str) -> str:
    """SQL: the GPUs of all nodes together; where one of the two is no number, the text of the GPUs as it is."""
    product = f"try_cast({gpus} as decimal(18,6)) * try_cast({nodes} as decimal(18,6))"
    return f"coalesce(cast({product} as varchar), case when {nodes} is null then 'no nodes' else {gpus} end)"


PER_NODE: Final = "per_node"


def _style_of(name: str, mapping: column_mapping.ColumnMapping, layout: Layout) -> str:
    """How the numbers of a field are written: as the mapping says, else as its column does."""
    place = layout.place(mapping.columns[name])
    if name not in column_mapping.NUMBERS or mapping.unit(name) in ("slurm", "list") or place is None:
        return ""
    if style := mapping.style(name):
        return style
    mapped = (layout.place(column) for column in mapping.columns.values())
    others = (known(layout.texts(other)) for other in mapped if other not in (None, place))
    elsewhere = proven_style(others)
    return column_style(known(layout.texts(place)), may_list=name == "gpus", elsewhere=elsewhere).style


def _steps(layout: Layout, mapping: column_mapping.ColumnMapping) -> str:
    """SQL: the rows of Slurm's steps, which are parts of jobs, where the ids of the table have any."""
    place = layout.place(mapping.columns["job_id"]) if "job_id" in mapping.columns else None
    if place is None or not has_steps(mapping.columns["job_id"], layout.texts(place)):
        return "false"
    return f"regexp_matches(coalesce(c{place}, ''), '{STEP}')"


def _strays(layout: Layout, mapping: column_mapping.ColumnMapping) -> str:
    """SQL: totals and comments among the rows of a table."""
    places = {name: layout.place(column) for name, column in mapping.columns.items()}
    ids = [f"c{places['job_id']}"] if places.get("job_id") is not None else []
    is_stray = is_stray_row(("c0", *ids), f"c{places['start']}" if places["start"] is not None else "'0'")
    names = dict.fromkeys(
        ("c0", *ids, *(f"c{places[name]}" for name in ("name",) if places.get(name) is not None))
    )
    is_idle = " or ".join(f"coalesce(contains({name}, '{IDLE}'), false)" for name in names)
    return f"({is_stray} or {is_idle})"


IDLE: Final = "__idle__"
"""How Kubecost and OpenCost name the GPUs that nobody asked for."""


STEP: Final = r"^\s*\d[\d_+\[\],%-]*\.(batch|extern|interactive|\d+)(\+\d+)?\s*$"
"""The id of a step of Slurm, for the regular expressions of any engine."""


def _in_unit(column: str, unit: str) -> str:
    """SQL: the text of a column in a unit that the judge of rows knows; what cannot be read stays as it is."""
    if unit in FORMS_OF or unit == SERIAL:
        return iso_sql(column, unit)
    if unit == "hm":
        return f"regexp_replace({column}, '{HOURS_AND_MINUTES}', '\\1:\\2:00')"
    scaled = _SCALED.get(unit)
    if scaled is None:
        return column
    kind, change = scaled
    number = f"try_cast({column} as {kind})"
    return f"case when {number} is not null then cast({number} {change} as varchar) else {column} end"


_SCALED: Final[Mapping[str, tuple[str, str]]] = {
    "epoch_us": ("hugeint", "// 1000000"),
    "epoch_ns": ("hugeint", "// 1000000000"),
    "d": ("decimal(18,6)", "* 86400"),
    "share": ("decimal(18,6)", "* 100"),
}


def _clock_unit(unit: str) -> str | None:
    """The unit of a time as the engine reads it; None for a date in text.

    Micro- and nanoseconds are told as seconds.
    """
    if unit in ("epoch_us", "epoch_ns"):
        return "epoch_s"
    return unit if unit in SECONDS_PER else None


def _queue_units(mapping: column_mapping.ColumnMapping) -> dict[str, str]:
    """The unit of each time about the queue, for those in numbers, and of the time limit."""
    clocks = {name: _clock_unit(mapping.unit(name)) for name in dialect.QUEUE_TIMES}
    units = {name: unit for name, unit in clocks.items() if unit is not None}
    return units | {TIME_LIMIT: _elapsed_unit(mapping.unit(TIME_LIMIT))}


def _elapsed_unit(unit: str) -> str:
    """The unit of a duration as the engine reads it."""
    return {"d": "s", "hm": "s", "ms": "epoch_ms"}.get(unit, unit)


def _read_resources(text: str) -> GpuReading:
    """Slurm's `gres/gpu:a100=2,node=1` or `gpu:a100:2`; a plain number too."""
    if read_decimal(text) is not None:
        return read_gpu_count(text)
    reading = read_tres(text)
    return reading if reading.milli_gpus or reading.fault else read_gres(text, reading.nodes or 1)


def _count_listed(text: str) -> GpuReading:
    """`0,1,2` or `[GPU-5f, GPU-77]` are three and two GPUs."""
    entries = [
        part for part in text.strip().strip("[](){}").replace(";", ",").split(",") if part.strip(" '\"")
    ]
    return from_number(Decimal(1000 * len(entries)))


_READERS_OF_GPUS: Final[Mapping[str, Callable[[str], GpuReading]]] = {
    "gpu": read_written_count,
    "milli": partial(read_gpu_count, unit="milli"),
    "percent": partial(read_gpu_count, unit="percent"),
    "slurm": _read_resources,
    "list": _count_listed,
    PER_NODE: read_gpu_count,
    GPU_HOURS: read_gpu_count,
}


def gpu_reader(unit: str) -> Callable[[str], GpuReading]:
    """How a text of a unit of --map is read as GPUs."""
    return _READERS_OF_GPUS[unit]
