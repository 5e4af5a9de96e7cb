"""Any other table of jobs, read through a mapping of its columns."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.dialects import swf
from gpuplanner.files.job_logs.judging.dialect import QUEUE_TIMES, Dialect, JobTable
from gpuplanner.files.job_logs.judging.stray_rows import is_stray_row
from gpuplanner.files.job_logs.mapping.any_table import load_table, log_layout
from gpuplanner.files.job_logs.slurm.sacct_layout import has_steps
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.tables.column_mapping import (
    MAPPED_FIELDS,
    NUMBERS,
    ColumnMapping,
    check_units,
    with_own_names,
)
from gpuplanner.files.tables.fields import DURATION, TIME_LIMIT
from gpuplanner.files.tables.headers import no_column
from gpuplanner.files.tables.table_layout import Layout
from gpuplanner.files.values.column_values import known
from gpuplanner.files.values.date_forms import FORMS_OF, SERIAL, iso_sql
from gpuplanner.files.values.durations import HOURS_AND_MINUTES, SECONDS_PER
from gpuplanner.files.values.gpu_counts import GpuReading, from_number, read_gpu_count, read_written_count
from gpuplanner.files.values.number_forms import column_style, plain_sql
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.tres import read_gres, read_tres

__all__ = ["FORMAT", "ColumnMapping", "mapped_dialect"]

FORMAT: Final = "mapped"


def mapped_dialect(mapping: ColumnMapping, format_name: str | None = None) -> Dialect:
    """A dialect that reads every table by this mapping. format_name: what the log was said to be, None: nothing."""
    rows = partial(_rows, mapping, format_name)
    return Dialect(FORMAT, worded("table read through a mapping"), lambda head: 0.0, rows)


def _rows(
    mapping: ColumnMapping, format_name: str | None, source: Source, engine: Engine, table: str
) -> JobTable:
    """Errors: PlannerError missing_column where a mapped column is not there, or the file is no table; usage."""
    is_swf = format_name == swf.DIALECT.format or (format_name is None and swf.sniff(source.head) > 0)
    if mapping.columns == {"gpus": swf.PROCESSORS} and is_swf:
        return swf.rows(source, engine, table, is_gpu=True)
    layout = log_layout(source, tuple(mapping.columns.values()), engine.check)
    if layout is None:
        raise PlannerError(
            source.path,
            "not_a_job_log",
            worded("it is no table"),
            worded("give a table with a row for each job"),
        )
    mapping = with_own_names(mapping, layout.headings)
    missing = [name for name in mapping.columns.values() if layout.place(name) is None]
    if missing:
        check_units(mapping, missing)
        raise no_column(source.path, missing, worded("map to one of ") + ", ".join(layout.headings))
    raw = load_table(engine, source, layout, table)
    fields = {}
    for name, heading in mapping.columns.items():
        place = layout.place(heading)
        fields[MAPPED_FIELDS[name]] = _in_unit(
            plain_sql(f"c{place}", _style_of(name, mapping, layout)), mapping.unit(name)
        )
    if mapping.unit("gpus") == PER_NODE:
        if "nodes" not in mapping.columns:
            raise PlannerError(
                f"--map gpus={mapping.columns['gpus']}:{PER_NODE}",
                "usage",
                worded("GPUs of each node are counted with the nodes, and no column of nodes is mapped"),
                worded("map nodes too"),
            )
        fields["gpus"] = _times_nodes(fields["gpus"], fields["nodes"])
    return JobTable(
        raw,
        fields,
        f"({_steps(layout, mapping)} or {_strays(layout, mapping)})",
        start_unit=_clock_unit(mapping.unit("start")),
        end_unit=_clock_unit(mapping.unit("end")),
        elapsed_unit=_elapsed_unit(mapping.unit(DURATION)),
        queue_units=_queue_units(mapping),
        end_is_elapsed="end" not in fields,
        read_gpus=gpu_reader(mapping.unit("gpus")),
    )


def _times_nodes(gpus: str, nodes: str) -> str:
    """SQL: the GPUs of all nodes together; where one of the two is no number, the text of the GPUs as it is."""
    product = f"try_cast({gpus} as decimal(18,6)) * try_cast({nodes} as decimal(18,6))"
    return f"coalesce(cast({product} as varchar), case when {nodes} is null then 'no nodes' else {gpus} end)"


PER_NODE: Final = "per_node"


def _style_of(name: str, mapping: ColumnMapping, layout: Layout) -> str:
    """How the numbers of a field are written: as the mapping says, else as its column does."""
    place = layout.place(mapping.columns[name])
    if name not in NUMBERS or mapping.unit(name) in ("slurm", "list") or place is None:
        return ""
    texts = known(layout.texts(place))
    return mapping.style(name) or column_style(texts, may_list=name == "gpus").style


def _steps(layout: Layout, mapping: ColumnMapping) -> str:
    """SQL: the rows of Slurm's steps, which are parts of jobs, where the ids of the table have any."""
    place = layout.place(mapping.columns["job_id"]) if "job_id" in mapping.columns else None
    if place is None or not has_steps(mapping.columns["job_id"], layout.texts(place)):
        return "false"
    return f"regexp_matches(coalesce(c{place}, ''), '{STEP}')"


def _strays(layout: Layout, mapping: ColumnMapping) -> str:
    """SQL: totals and comments among the rows of a table."""
    ids = [f"c{layout.place(mapping.columns[name])}" for name in ("job_id",) if name in mapping.columns]
    return is_stray_row(("c0", *ids), f"c{layout.place(mapping.columns['start'])}")


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


def _queue_units(mapping: ColumnMapping) -> dict[str, str]:
    """The unit of each time about the queue, for those in numbers, and of the time limit."""
    clocks = {name: _clock_unit(mapping.unit(name)) for name in QUEUE_TIMES}
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
}


def gpu_reader(unit: str) -> Callable[[str], GpuReading]:
    """How a text of a unit of --map is read as GPUs."""
    return _READERS_OF_GPUS[unit]
