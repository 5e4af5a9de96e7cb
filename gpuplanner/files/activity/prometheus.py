"""Prometheus: scrapes of exporters, answers of its query API, and lists of metrics."""

from collections.abc import Iterator
from typing import Any, Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.activity import metrics, name_of_file, reading, sample_labels, sample_times
from gpuplanner.files.sources.json_values import begins_json, json_objects
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.small_table import RowEnds, RowError
from gpuplanner.lazy_re import lazy_re

# --- Scrapes of an exporter in Prometheus' text form, one after the other: what dcgm-exporter shows

_SAMPLE: Final = lazy_re(
    r'^(?P<name>[A-Za-z_:][\w:]*)\s*(?P<labels>\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\})?\s+'
    r"(?P<value>[^\s{}]+)(?:\s+(?P<time>-?\d+(?:\.\d+)?))?\s*(?:#.*)?$"
)
_TIME_LINE: Final = lazy_re(
    r"(?i)^#*\s*(?:(?:scraped?(?: at)?|time(?:stamp)?|date)\s*[:=]?\s*)?"
    r"(?P<time>\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?"
    r"|\d{10}(?:\.\d+|\d{3})?)\s*$"
)
_NO_SCRAPE_TIME: Final = RowError(
    "bad_time",
    worded("no timestamp"),
    worded("add a line with the time before each scrape, or export a range"),
)
_NO_SAMPLE: Final = RowError(
    "bad_number", worded("not a sample"), worded('write `name{label="value"} number`')
)


def sniff_dcgm(head: str) -> float:
    """How surely a beginning is scrapes of dcgm-exporter."""
    return 0.97 if _sample_share(head) > 0.5 and "dcgm_" in head.casefold() else 0.0


def sniff_other(head: str) -> float:
    """How surely a beginning is scrapes of another exporter."""
    return 0.9 if _sample_share(head) > 0.5 and "dcgm_" not in head.casefold() else 0.0


def _sample_share(head: str) -> float:
    """Of the lines that are no comment, those that are samples with labels or of a known metric."""
    lines = [line for line in head.splitlines()[:500] if line.strip() and not line.startswith("#")]
    if not lines:
        has_help = lazy_re(r"(?m)^# (HELP|TYPE) \w").search(head) is not None
        return 1.0 if has_help else 0.0
    samples = times = 0
    for line in lines:
        found = _SAMPLE.match(line)
        if found and (found["labels"] or metrics.metric_key(found["name"]) in metrics.METRICS):
            samples += 1
        elif _TIME_LINE.match(line):
            times += 1
    return (samples + times) / len(lines) if samples else 0.0


def scrape_readings(source: Source, timezone: str | None) -> Iterator[reading.Reading]:
    """Every sample line; a line that is a time says when the scrape after it was taken.

    timezone: of scrape times that state none. A sample may carry its own time in ms, as the text form of
    Prometheus allows.
    """
    clock = sample_times.Clock(timezone)
    scraped_s: int | None = None
    is_naive = False
    known: dict[str, sample_labels.Held] = {}
    with source.text_lines() as lines:
        for row, raw in enumerate(lines, 1):
            line = raw.strip()
            if not line:
                continue
            if found := _TIME_LINE.match(line):
                scraped_s, is_naive = clock.read(found["time"])
                continue
            if line.startswith("#"):
                continue
            sample = _SAMPLE.match(line)
            if sample is None:
                yield reading.Reading(row=row, fault=_NO_SAMPLE, text=line)
                continue
            metric = metrics.METRICS.get(metrics.metric_key(sample["name"]))
            if metric is None or metrics.is_unmeasured(sample["value"]):
                yield reading.Reading(row=row)
                continue
            labels = sample["labels"] or ""
            if labels not in known:
                parsed = sample_labels.read_selector(f"x{labels}")
                known[labels] = sample_labels.held_by(parsed.labels) if parsed else sample_labels.Held()
            held = known[labels]
            value = metrics.milli_percent(sample["value"], metric)
            if value is None:
                yield reading.Reading(row=row, fault=reading.no_share(sample["value"]), text=line)
                continue
            at_s = sample_times.epoch_s(float(sample["time"])) if sample["time"] else scraped_s
            found_at = reading.Sample(
                at_s=at_s,
                host=held.host,
                gpu=held.gpu,
                milli_percent=value,
                metric=sample["name"],
                job_id=held.job_id,
                pod=held.pod,
                gpu_model=held.gpu_model,
                is_naive=is_naive and not sample["time"],
            )
            if at_s is None:
                yield reading.Reading(row=row, samples=(found_at,), fault=_NO_SCRAPE_TIME, text=line)
            else:
                yield reading.Reading(row=row, samples=(found_at,))


DCGM: Final = reading.ActivityDialect(
    format="dcgm",
    why=worded("looks like output of {name}", name="dcgm-exporter"),
    sniff=sniff_dcgm,
    readings=scrape_readings,
)
OTHER: Final = reading.ActivityDialect(
    format="prometheus",
    why=worded("looks like exporter scrapes"),
    sniff=sniff_other,
    readings=scrape_readings,
)


# --- Answers of Prometheus' query API, one or several in a file: series of labels and values -----

_RESULT_TYPE: Final = lazy_re(r'"resultType"\s*:\s*"(?:matrix|vector)"')
_SERIES: Final = lazy_re(r'"metric"\s*:\s*\{[^}]*\}\s*,\s*"values?"\s*:\s*\[')


def sniff_answer(head: str) -> float:
    """How surely a beginning is such an answer."""
    if not begins_json(head):
        return 0.0
    if _RESULT_TYPE.search(head):
        return 0.97
    return 0.95 if _SERIES.search(head) else 0.0


def answer_readings(source: Source, timezone: str | None) -> Iterator[reading.Reading]:
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
        name = texts.get("__name__") or name_of_file.metric_in_name(source.path)
        metric = metrics.METRICS.get(metrics.metric_key(name))
        held = sample_labels.held_by(texts)
        for point in values:
            row += 1
            if metric is None:
                yield reading.Reading(row=row)
                continue
            at_s, text = _point(point)
            if text is not None and metrics.is_unmeasured(text):
                yield reading.Reading(row=row)
                continue
            shown = f"{name} {point}"[:200]
            value = None if text is None else metrics.milli_percent(text, metric)
            if at_s is None:
                yield reading.Reading(row=row, fault=_NO_POINT_TIME, text=shown)
            elif value is None:
                yield reading.Reading(row=row, fault=reading.no_share(text), text=shown)
            else:
                sample = reading.Sample(
                    at_s=at_s,
                    host=held.host,
                    gpu=held.gpu,
                    milli_percent=value,
                    metric=name,
                    job_id=held.job_id,
                    pod=held.pod,
                    gpu_model=held.gpu_model,
                )
                yield reading.Reading(row=row, samples=(sample,))


_NO_POINT_TIME: Final = RowError("bad_time", worded("no timestamp"), worded("export it again"))


def _point(point: Any) -> tuple[int | None, str | None]:
    """An instant in UTC seconds and the value's text.

    None for both where it is no pair of a time and a value.
    """
    if not isinstance(point, list) or len(point) != 2:
        return None, None
    at, value = point
    if isinstance(at, bool) or not isinstance(at, int | float) or not 0 <= at < sample_times.LARGEST_TIME:
        return None, None
    return sample_times.epoch_s(float(at)), str(value)


def _prefix(source: Source) -> str:
    """Where the series stand in the JSON, as a path for the streaming reader.

    In one answer, its result, or a list of either.
    """
    head = source.head.lstrip("\ufeff \t\r\n")
    if head.startswith("{"):
        first = lazy_re(r'"(data|result)"\s*:').search(head)
        return "result.item" if first is not None and first[1] == "result" else "data.result.item"
    inside = head[1:].lstrip()
    first = lazy_re(r'"(data|metric)"\s*:').search(inside)
    return "item" if first is not None and first[1] == "metric" else "item.data.result.item"


QUERY_ANSWER: Final = reading.ActivityDialect(
    format="prometheus",
    why=worded("looks like output of {name}", name="Prometheus"),
    sniff=sniff_answer,
    readings=answer_readings,
    record_name="values",
)


# --- The list of metrics that dcgm-exporter is told to show: names, no measurements --------------

METRIC_LIST_FORMAT: Final = "dcgm_metric_list"
WHY_METRIC_LIST: Final = worded("dcgm-exporter metric names without measurements")

_METRIC: Final = lazy_re(r"(?i)^\s*(?P<name>(?:DCGM|DCP)_\w+)\s*,\s*(?:gauge|counter|label|histogram)\s*,")


def sniff_metric_list(head: str) -> float:
    """How surely a beginning is such a list."""
    lines = [line.lstrip("# ") for line in head.splitlines() if line.strip()]
    found = sum(_METRIC.match(line) is not None for line in lines)
    return 0.96 if found and found > 0.3 * len(lines) else 0.0


def describe_metric_list(source: Source) -> FileIntake:
    """Every line that is not blank: a metric (accepted), or a comment (ignored) or neither (ignored).

    Facts: the metrics by name, and how many are switched off in comments.
    """
    names: list[str] = []
    comments = off = others = 0
    with source.text_lines() as lines:
        for line in lines:
            if not line.strip():
                continue
            if line.lstrip().startswith("#"):
                comments += 1
                off += _METRIC.match(line.lstrip("# \t")) is not None
            elif found := _METRIC.match(line):
                names.append(found["name"])
            else:
                others += 1
    facts = (
        ("what", WHY_METRIC_LIST),
        ("lines", source.lines),
        ("metrics", len(names)),
        ("comment_lines", comments),
        ("metrics_off", off),
        ("activity_metrics", [name for name in names if metrics.metric_key(name) in metrics.METRICS]),
    )
    ends = RowEnds(read=len(names) + comments + others, ignored=comments + others)
    return ends.intake(source, "unknown", METRIC_LIST_FORMAT, facts)
