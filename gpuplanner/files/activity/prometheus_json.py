"""Answers of Prometheus' query API, one or several in a file: series of labels and values."""

import re
from collections.abc import Iterator
from typing import Any, Final

from gpuplanner.domain.message import worded
from gpuplanner.files.activity.clock import LARGEST_TIME, epoch_s
from gpuplanner.files.activity.file_names import metric_in_name
from gpuplanner.files.activity.labels import held_by
from gpuplanner.files.activity.metrics import METRICS, is_unmeasured, metric_key, milli_percent
from gpuplanner.files.activity.reading import ActivityDialect, Reading, Sample, no_share
from gpuplanner.files.sources.json_objects import json_objects
from gpuplanner.files.sources.json_values import begins_json
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.small_table import RowError

_RESULT_TYPE: Final = re.compile(r'"resultType"\s*:\s*"(?:matrix|vector)"')
_SERIES: Final = re.compile(r'"metric"\s*:\s*\{[^}]*\}\s*,\s*"values?"\s*:\s*\[')


def sniff(head: str) -> float:
    """How surely a beginning is such an answer."""
    if not begins_json(head):
        return 0.0
    if _RESULT_TYPE.search(head):
        return 0.97
    return 0.95 if _SERIES.search(head) else 0.0


def readings(source: Source, timezone: str | None) -> Iterator[Reading]:
    """Every value of every series; they are numbered through. Its times are epoch seconds, whatever the zone.

    Errors: as json_objects.
    """
    row = 0
    for series in json_objects(source, _prefix(source)):
        labels = series.get("metric")
        if not isinstance(labels, dict):
            labels = {}
        values = series.get("values")
        if values is None:
            values = [series.get("value")]
        if not isinstance(values, list):
            values = [values]
        texts = {str(name): str(value) for name, value in labels.items() if value is not None}
        name = texts.get("__name__") or metric_in_name(source.path)
        metric = METRICS.get(metric_key(name))
        held = held_by(texts)
        for point in values:
            row += 1
            if metric is None:
                yield Reading(row)
                continue
            at_s, text = _point(point)
            if text is not None and is_unmeasured(text):
                yield Reading(row)
                continue
            shown = f"{name} {point}"[:200]
            value = None if text is None else milli_percent(text, metric)
            if at_s is None:
                yield Reading(row, fault=_NO_TIME, text=shown)
            elif value is None:
                yield Reading(row, fault=no_share(text), text=shown)
            else:
                sample = Sample(at_s, held.host, held.gpu, value, name, held.job_id, held.pod, held.gpu_model)
                yield Reading(row, (sample,))


_NO_TIME: Final = RowError("bad_time", worded("a point has no time"), worded("export the range again"))


def _point(point: Any) -> tuple[int | None, str | None]:
    """An instant in UTC seconds and the value's text.

    None for both where it is no pair of a time and a value.
    """
    if not isinstance(point, list) or len(point) != 2:
        return None, None
    at, value = point
    if isinstance(at, bool) or not isinstance(at, int | float) or not 0 <= at < LARGEST_TIME:
        return None, None
    return epoch_s(float(at)), str(value)


def _prefix(source: Source) -> str:
    """Where the series stand in the JSON, as a path for the streaming reader.

    In one answer, its result, or a list of either.
    """
    head = source.head.lstrip("\ufeff \t\r\n")
    if head.startswith("{"):
        first = re.search(r'"(data|result)"\s*:', head)
        return "result.item" if first is not None and first[1] == "result" else "data.result.item"
    inside = head[1:].lstrip()
    first = re.search(r'"(data|metric)"\s*:', inside)
    return "item" if first is not None and first[1] == "metric" else "item.data.result.item"


DIALECT: Final = ActivityDialect(
    "prometheus", worded("it reads like an answer of Prometheus"), sniff, readings, "values"
)
