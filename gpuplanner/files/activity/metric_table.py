"""Tables of GPU metrics with headings of any exporter."""

import csv
import glob
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.activity.metrics import METRICS, is_unmeasured, metric_key, milli_percent
from gpuplanner.files.activity.name_of_file import host_in_name, metric_in_name
from gpuplanner.files.activity.reading import NO_TIME, ActivityDialect, Reading, Sample, no_share
from gpuplanner.files.activity.sample_labels import (
    INDEX,
    ROLES,
    UUID,
    Held,
    Selector,
    held_by,
    read_legend,
    read_selector,
)
from gpuplanner.files.activity.sample_times import Clock
from gpuplanner.files.activity.smi_dmon import SMI_HEADING
from gpuplanner.files.sources.issue_texts import LONG, long_words, named_width, ragged_code
from gpuplanner.files.sources.source import PARQUET, Source
from gpuplanner.files.system.engine import quiet_connection
from gpuplanner.files.tables.delimited import DELIMITERS, bare
from gpuplanner.files.tables.small_table import RowError
from gpuplanner.files.values.word_lists import words
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

ROWS_LOOKED_AT: Final = 200


TIME: Final = ("time", "timestamp", "ts", "date", "datetime", "date time", "_time", "scraped_at")
METRIC: Final = ("metric", "__name__", "metric_name", "series", "field", "_field", "fieldname")
VALUE: Final = ("value", "_value", "val")
_A_VALUE: Final = lazy_re(r"^(?:values?(?: ?#[a-z])?|mean|avg|average|last|util|utili[sz]ation)$")
"""What values are called besides, in a file that is named after its metric."""

_A_METRIC: Final = "DCGM_FI_DEV_GPU_UTIL"
_UNNAMED: Final = 0.9
_ROWS_AT_ONCE: Final = 10_000
_POD_LABELS: Final = ("pod", "namespace", "container", "exported_pod", "exported_namespace")


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which column is what. values: column -> metric and what its own heading says of whom; labels: column -> name.

    metric, value: of a table with one measurement a row. hint: the metric of series that are named without it.
    headings: of all of them.
    """

    time: int | None
    values: Mapping[int, Selector]
    labels: Mapping[int, str]
    metric: int | None = None
    value: int | None = None
    hint: str = ""
    headings: tuple[str, ...] = ()


def columns_of(header: Sequence[str], hint: str = "") -> Columns:
    """Read a heading row. hint: a metric for series and values whose own name was dropped on the way.

    A heading with labels in braces is a series; of several columns of time the first counts.
    """
    names = [cell.strip().strip("#\ufeff").strip() for cell in header]
    keys = [metric_key(name) for name in names]
    values: dict[int, Selector] = {}
    labels: dict[int, str] = {}
    time = metric = value = None
    for at, (name, key) in enumerate(zip(names, keys, strict=True)):
        if time is None and key in TIME:
            time = at
        elif key in METRICS:
            values[at] = Selector(name=name, labels={})
        elif "{" in name:
            selector = read_selector(name)
            if selector is not None and metric_key(selector.name or hint) in METRICS:
                values[at] = Selector(name=selector.name or hint, labels=selector.labels)
        elif hint and (legend := read_legend(name)) is not None:
            values[at] = Selector(name=hint, labels=legend)
        elif metric is None and key in METRIC:
            metric = at
        elif value is None and (key in VALUE or (hint and _A_VALUE.match(key))):
            value = at
        elif (
            key in ROLES or key in _POD_LABELS or key.removeprefix("exported_") in ROLES or key == "gpu_i_id"
        ):
            labels[at] = key
    if value is not None and metric is None and not hint:
        value = None
    return Columns(
        time=time, values=values, labels=labels, metric=metric, value=value, hint=hint, headings=tuple(names)
    )


def delimiter_of(head: str) -> str:
    """The one that the first lines have most of.

    >>> delimiter_of("time;gpu;value"), delimiter_of("time")
    (';', ',')
    """
    lines = head.splitlines()[:20]
    return max(DELIMITERS, key=lambda mark: sum(line.count(mark) for line in lines))


def header_of(head: str) -> tuple[str, list[str]]:
    """Delimiter and headings of a table: its first line that is not blank and no hint for spreadsheets.

    >>> header_of("time;gpu")
    (';', ['time', 'gpu'])
    """
    delimiter = delimiter_of(head)
    for line in head.lstrip("\ufeff").splitlines():
        if line.strip() and not line.casefold().startswith("sep="):
            return delimiter, next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    return delimiter, []


def readings(source: Source, timezone: str | None) -> Iterator[Reading]:
    """Every row of a table with a heading. Errors: PlannerError missing_column where no metric is named.

    Rows are numbered from 1 below the heading; timezone: of times that state none.
    """
    delimiter, _ = header_of(source.head)
    if sniff_unnamed(source.head) and not metric_in_name(source.path):
        fault = worded("series with GPUs, without metric names")
        remedy = worded("name the file after the metric ({metric}.csv), or export names", metric=_A_METRIC)
        raise PlannerError(source.path, "missing_column", fault, remedy)
    with _rows(source, delimiter) as rows:
        columns: Columns | None = None
        named: tuple[str, ...] = ()
        for row, fields in rows:
            if columns is None:
                if fields[0].casefold().startswith("sep="):  # a hint for spreadsheets
                    continue
                columns = columns_of(_as_smi(fields, source.head) or fields, metric_in_name(source.path))
                named = tuple(fields)
                reader = RowReader(columns, host_in_name(source.path), timezone)
                continue
            if tuple(fields) == named:  # the heading again, where files were put together
                continue
            yield reader.reading(row, fields, delimiter)


@contextmanager
def _rows(source: Source, delimiter: str) -> Iterator[Iterator[tuple[int, list[str]]]]:
    """Every row as (number, texts), the headings first; those of a Parquet file are numbered from 1."""
    if source.kind != PARQUET:
        with source.rows(delimiter) as rows:
            yield rows
        return

    with quiet_connection() as connection:
        found = connection.execute(
            "select cast(columns(*) as varchar) from read_parquet(?, hive_partitioning=false)",
            [glob.escape(source.at)],
        )
        names = [column[0] for column in found.description or ()]

        def texts() -> Iterator[tuple[int, list[str]]]:
            """The heading as row 0, then each row from 1 on as texts; null is the empty text."""
            yield 0, names
            row = 0
            while some := found.fetchmany(_ROWS_AT_ONCE):
                for cells in some:
                    row += 1
                    yield row, ["" if cell is None else str(cell) for cell in cells]

        yield texts()


class RowReader:
    """Takes rows of one table apart. host: the node where the rows name none."""

    def __init__(self, columns: Columns, host: str, timezone: str | None) -> None:
        self._columns, self._host = columns, host
        self._least = named_width(columns.headings)
        self._clock = Clock(timezone)
        self._known: dict[tuple[int | str, tuple[str, ...]], Held] = {}

    def reading(self, row: int, fields: Sequence[str], delimiter: str = ",") -> Reading:
        """One row. Of several values each is a sample.

        The first that is none rejects the row, as too many cells do.

        A row with cells to spare is at fault, one that lacks some is read and marked short.
        """
        width = len(self._columns.headings)
        ragged = ragged_code(fields, width, self._least)
        if ragged == LONG:
            return Reading(
                row=row, fault=RowError(LONG, long_words(fields, width)), text=delimiter.join(fields)
            )
        found = self._judged(row, fields, delimiter)
        return replace(found, is_short=True) if ragged else found

    def _judged(self, row: int, fields: Sequence[str], delimiter: str) -> Reading:
        """One row as its samples, or the first fault among its cells.

        No samples and no fault where it measured nothing.
        """
        columns = self._columns
        measured = [*self._measured(fields)]
        if not measured:
            return Reading(row=row)
        text = delimiter.join(fields)
        time_text = fields[columns.time] if columns.time is not None and columns.time < len(fields) else ""
        at_s, is_naive = self._clock.read(time_text)
        of_row = tuple(fields[at].strip() if at < len(fields) else "" for at in columns.labels)
        samples = []
        for at, name, value_text in measured:
            value = milli_percent(value_text, METRICS[metric_key(name)])
            if value is None:
                return Reading(row=row, fault=no_share(value_text.strip()), text=text)
            held = self._held(at, of_row, fields)
            samples.append(
                Sample(
                    at_s=at_s,
                    host=held.host or self._host,
                    gpu=held.gpu,
                    milli_percent=value,
                    metric=metric_key(name) if "[" in name else name.strip(),  # without its unit
                    job_id=held.job_id,
                    pod=held.pod,
                    gpu_model=held.gpu_model,
                    is_naive=is_naive,
                )
            )
        return (
            Reading(row=row, samples=tuple(samples), fault=NO_TIME, text=text)
            if at_s is None
            else Reading(row=row, samples=tuple(samples))
        )

    def _measured(self, fields: Sequence[str]) -> Iterator[tuple[int, str, str]]:
        """Column, metric and text of each value of a known metric."""
        columns = self._columns
        for at, (name, _) in columns.values.items():
            if at < len(fields) and not is_unmeasured(fields[at]):
                yield at, name, fields[at]
        if columns.value is None or columns.value >= len(fields) or is_unmeasured(fields[columns.value]):
            return
        if columns.metric is None:  # of the file's name
            yield columns.value, columns.hint, fields[columns.value]
            return
        name = fields[columns.metric] if columns.metric < len(fields) else ""
        selector = _series(name)
        name = (selector.name or columns.hint) if selector else name
        if metric_key(name) in METRICS:
            yield columns.value, name, fields[columns.value]

    def _held(self, at: int, of_row: tuple[str, ...], fields: Sequence[str]) -> Held:
        """Which node and card a cell is of: by the columns of labels and those in its own heading or metric.

        Remembered for each set of labels: a file has millions of rows and few cards.
        """
        columns = self._columns
        inside: Mapping[str, str] = columns.values[at].labels if at in columns.values else {}
        source: int | str = at
        if at == columns.value and columns.metric is not None and columns.metric < len(fields):
            source = fields[columns.metric]
        key = (source, of_row)
        if key not in self._known:
            if isinstance(source, str):
                selector = _series(source)
                inside = selector.labels if selector else {}
            labels = dict(zip(columns.labels.values(), of_row, strict=True)) | dict(inside)
            self._known[key] = held_by({label: value for label, value in labels.items() if value})
        return self._known[key]


def _series(text: str) -> Selector | None:
    """Metric (empty where it is not named) and labels of a series, written as a selector or as a legend."""
    legend = read_legend(text)
    return read_selector(text) if legend is None else Selector(name="", labels=legend)


def sniff_prometheus(head: str) -> float:
    """How surely a beginning is such a table, of metrics as Prometheus names them.

    0 to 1; in tables with a column of metrics one of the first rows must name one that is known.
    """
    delimiter, header = header_of(head)
    columns = columns_of(header)
    if len(header) < 2 or columns.time is None or _is_smi(columns) or _is_dmon(columns):
        return 0.0
    if columns.values:
        return 0.93
    if columns.value is None or columns.metric is None:
        return 0.0
    at = columns.metric
    for line in head.splitlines()[1:200]:
        cells = next(csv.reader([line], delimiter=delimiter), [])
        name = cells[at] if at < len(cells) else ""
        selector = read_selector(name)
        if metric_key(selector.name if selector else name) in METRICS:
            return 0.93
    return 0.0


def sniff_unnamed(head: str) -> float:
    """How surely a beginning is a table of series of GPUs, as Grafana writes it, that do not say their metric."""
    delimiter, header = header_of(head)
    columns = columns_of(header, _A_METRIC)
    if columns.time is None or columns_of(header).values or len(header) < 2:
        return 0.0
    if columns.value is None:
        return _UNNAMED if len(columns.values) == len(header) - 1 else 0.0
    if columns.metric is None or columns.values:
        return 0.0
    at, found = columns.metric, 0
    for line in head.splitlines()[1:200]:
        cells = next(csv.reader([line], delimiter=delimiter), [])
        if not any(cells) or cells == header:
            continue
        series = _series(cells[at]) if at < len(cells) else None
        if series is None or series[0] or not held_by(series[1]).gpu:
            return 0.0
        found += 1
    return _UNNAMED if found else 0.0


def sniff_named(head: str, metric: str) -> float:
    """How surely a beginning is a table of times and values of one metric, which the name of its file tells.

    metric: of the name of the file, empty without one.
    """
    delimiter, header = header_of(head)
    columns = columns_of(header, metric)
    if (
        not metric
        or columns.time is None
        or columns.value is None
        or columns.metric is not None
        or columns.values
    ):
        return 0.0
    place = columns.value
    rows = (next(csv.reader([line], delimiter=delimiter), []) for line in head.splitlines()[1:ROWS_LOOKED_AT])
    texts = [
        row[place] for row in rows if place < len(row) and row != header and not is_unmeasured(row[place])
    ]
    known = sum(milli_percent(text, METRICS[metric_key(metric)]) is not None for text in texts)
    return _UNNAMED if texts and 2 * known > len(texts) else 0.0


def sniff_dmon(head: str) -> float:
    """How surely a beginning is a table of what `dcgmi dmon` prints."""
    _, header = header_of(head)
    return 0.95 if len(header) > 1 and _is_dmon(columns_of(header)) else 0.0


def sniff_smi(head: str) -> float:
    """How surely a beginning is `nvidia-smi --query-gpu` with its heading."""
    _, header = header_of(head)
    return 0.95 if len(header) > 1 and _is_smi(columns_of(header)) else 0.0


def _is_smi(columns: Columns) -> bool:
    """Whether a column is nvidia-smi's `utilization.gpu`."""
    return any(metric_key(name) == "utilization.gpu" for name, _ in columns.values.values())


def _is_dmon(columns: Columns) -> bool:
    """Whether a column is one that `nvidia-smi dmon` or its successors print."""
    return any(metric_key(name) in ("gputl", "smact", "gract") for name, _ in columns.values.values())


_USED: Final = words(
    "util|utilization|utilisation|gpuutil|gpuutilization|gpuutilisation|utilizationgpu|utilgpu|gpu|gpuusage|usage"
    "|auslastung|gpuauslastung|percent|pct|prozent"
)
"""What a percentage of how busy a card was is called, but for its sign or unit."""
_OF_USE: Final = lazy_re(r"(?<=.)(?:pct|percent|prozent|ratio)$")
_CARD: Final = lazy_re(r"(?i)^(?:(?:gpu|nvidia|device|cuda)[ :_-]?)?\d{1,3}$|^(?:GPU|MIG)-[0-9a-f-]+$")
_WITH_CLOCK: Final = lazy_re(r"\d:\d\d|^\d{9,}")


def _as_smi(header: Sequence[str], head: str) -> list[str]:
    """The headings of a table of time, card and percent, that one as nvidia-smi calls it; empty for any other table.

    Values of which none is over 1 and some are broken are shares.
    """
    used = [at for at, name in enumerate(header) if _OF_USE.sub("", bare(name)) in _USED]
    used = [at for at in used if "%" in header[at] or bare(header[at]) not in ("gpu", "usage")]
    columns = columns_of(header)
    cards = [at for at, label in columns.labels.items() if label in (*INDEX, *UUID) and at not in used]
    if len(used) != 1 or columns.time is None or not cards or columns.values or columns.value is not None:
        return []
    delimiter = delimiter_of(head)
    rows = [
        next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), []) for line in head.splitlines()
    ]
    rows = [row for row in rows[1:ROWS_LOOKED_AT] if len(row) == len(header) and row != [*header]]
    texts = [[row[at].strip() for row in rows] for at in (columns.time, cards[0], used[0])]
    shares = [milli_percent(text, METRICS[SMI_HEADING]) for text in texts[2]]
    looks = (
        map(_WITH_CLOCK.search, texts[0]),
        map(_CARD.match, texts[1]),
        (share is not None for share in shares),
    )
    if not rows or any(2 * sum(map(bool, fits)) < len(rows) for fits in looks):
        return []
    is_share = max(share or 0 for share in shares) <= 1000 and any("." in text for text in texts[2])
    heading_of_smi = _SHARE_AS if is_share else SMI_HEADING
    return [heading_of_smi if place == used[0] else name for place, name in enumerate(header)]


_SHARE_AS: Final = "nvidia_smi_utilization_gpu_ratio"


def sniff_one_node(head: str) -> float:
    """How surely a beginning is a log of time, card and percent, whose metric has no exporter's name."""
    _, header = header_of(head)
    return 0.93 if _as_smi(header, head) else 0.0


ONE_NODE: Final = ActivityDialect(
    format="nvidia_smi", why=worded("looks like a GPU activity log"), sniff=sniff_one_node, readings=readings
)
TABLE: Final = ActivityDialect(
    format="prometheus",
    why=worded("looks like a GPU metrics table"),
    sniff=sniff_prometheus,
    readings=readings,
)
SERIES: Final = ActivityDialect(
    format="prometheus", why=worded("looks like a GPU series table"), sniff=sniff_unnamed, readings=readings
)
