"""The pod list of Alibaba's trace openb: GPUs in thousandths, seconds from the beginning of the trace."""

from decimal import Decimal
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.intake import Facts
from gpuplanner.files.job_logs.dialects.traces.map_remedy import MAP_THEM
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.raw_table import load_raw
from gpuplanner.files.sources.source import PARQUET, Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.tables import delimited
from gpuplanner.files.values.gpu_counts import GpuReading, from_number
from gpuplanner.files.values.numbers import read_decimal

_OPENB_NEEDED: Final = ("name", "num_gpu", "gpu_milli", "scheduled_time", "deletion_time")
_HEADINGS: Final = (*_OPENB_NEEDED, "cpu_milli", "memory_mib", "gpu_spec", "qos", "pod_phase")


def sniff_openb(head: str) -> float:
    """How sure it is that a text begins a list of openb's pods, 0..1."""
    _, columns = delimited.best_header(head, _HEADINGS)
    return 1.0 if {name.casefold() for name in columns} >= set(_OPENB_NEEDED) else 0.0


def openb_rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Every pod; second 0 of the trace is read as the beginning of 1970, since the trace tells no date.

    Errors: PlannerError missing_column.
    """
    delimiter, columns = delimited.best_header(source.head, _HEADINGS)
    delimited.check_columns(source.path, columns, _OPENB_NEEDED, MAP_THEM)
    raw = load_raw(engine, source, table, columns, delimiter=delimiter)
    column = raw.text
    start, phase, spec = column("scheduled_time"), column("pod_phase"), column("gpu_spec")
    is_cancelled = f"trim({start}) = '' and lower(trim({phase})) <> 'pending'"
    fields = {
        "job_id": column("name"),
        "name": column("name"),
        "queue": column("qos"),
        "gpu_model": f"case when {spec} like '%|%' then '' else {spec} end",  # several would do: none is known
        "gpus": f"{column('num_gpu')} || '|' || {column('gpu_milli')}",
        "start": start,
        "end": column("deletion_time"),
        **({"submit": column("creation_time")} if raw.column("creation_time") else {}),
        "state": f"case when {is_cancelled} then 'CANCELLED' else {phase} end",
    }
    return dialect.JobTable(
        raw=raw,
        fields=fields,
        start_unit="s",
        end_unit="s",
        queue_units={"submit": "s"},
        read_gpus=read_openb_gpus,
    )


def read_openb_gpus(text: str) -> GpuReading:
    """`num_gpu|gpu_milli`: how many GPUs, and how many thousandths of each.

    >>> read_openb_gpus("1|460").milli_gpus
    460
    """
    count_text, _, milli_text = (part.strip() for part in text.partition("|"))
    if not count_text:
        return GpuReading()
    count, milli = read_decimal(count_text), read_decimal(milli_text or "1000")
    if count is None or milli is None:
        return GpuReading(fault="bad_number")
    if count == 0:
        return GpuReading()
    return GpuReading(fault="negative_gpus") if Decimal(0) > min(count, milli) else from_number(count * milli)


def facts(source: Source) -> Facts:
    """What the list holds, whether its pods ran or not, and from when its times count.

    Empty for a Parquet file.
    """
    if source.kind == PARQUET:
        return ()
    delimiter, columns = delimited.best_header(source.head, _HEADINGS)
    at = {name.casefold(): index for index, name in enumerate(columns)}
    gpus: list[Decimal] = []
    phases: dict[str, int] = {}
    never = 0
    with source.rows(delimiter) as records:
        next(records, None)
        for _, cells in records:
            row = {name: cells[index].strip() for name, index in at.items() if index < len(cells)}
            gpus.append(read_decimal(row.get("num_gpu", "")) or Decimal(0))
            never += not row.get("scheduled_time")
            phase = row.get("pod_phase", "") or "unknown"
            phases[phase] = phases.get(phase, 0) + 1
    return (
        ("pods", len(gpus)),
        ("gpu_pods", sum(count > 0 for count in gpus)),
        ("gpus_asked", float(sum(gpus))),
        ("never_scheduled", never),
        ("phases", dict(sorted(phases.items()))),
        ("time_origin", "seconds from the beginning of the trace, read as seconds from 1970-01-01T00:00:00Z"),
    )


OPENB: Final = dialect.Dialect(
    format="openb", title=worded("openb pods"), sniff=sniff_openb, rows=openb_rows, facts=facts
)
