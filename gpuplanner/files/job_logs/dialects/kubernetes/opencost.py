"""OpenCost and Kubecost allocation: CSV exports and the JSON of the allocation API."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import DAY_S, iso_utc
from gpuplanner.files.job_logs.dialects.kubernetes.kubernetes_pods import is_reservation_namespace, strip_hash
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.json_values import json_members, json_paths, json_records, object_at, text_of
from gpuplanner.files.sources.raw_table import load_raw
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.tables.delimited import bare, header_columns, no_column
from gpuplanner.files.values.gpu_instances import find_gpu_product, model_within
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.times import utc_seconds
from gpuplanner.lazy_re import lazy_re

ALLOCATION_FIELDS: Final = (
    *("job_id", "cluster", "name", "account", "gpu_model", "gpus", "start", "end", "activity", "hosts"),
)

ALLOCATION_HEADINGS: Final = dialect.headings_of("opencost")
"""Column names without case and signs, the best first."""

_MARKS_OF_JSON: Final = (
    {"gpuHours", "start"},
    {"gpuCost", "cpuCost", "minutes"},
    {"gpuCost", "cpuCost", "allocations"},
)
_SETS: Final = "data.sets.item.allocations"
"""Where the summary of the allocation API has its allocations by name."""

_ALLOCATED: Final = {"gpucost", "cpucost", "ramcost", "totalcost", "gpuhours", "cpucorehours", "rambytehours"}
_OF_JOBS: Final = {"jobid", "contractid", "offerid"}
_OF_ASSETS: Final = lazy_re(r'"type"\s*:\s*"(?:Node|Disk|LoadBalancer|ClusterManagement|Network)"')
"""How an asset tells its type; an allocation has none."""

_PARTS: Final = lazy_re(r"[-_]|(?<=\d)x(?=[a-z])")
"""What stands between the parts of a type of machine, as in gpu_8x_h100 and gd-8xh100."""

_TYPE_LABELS: Final = ("node_kubernetes_io_instance_type", "beta_kubernetes_io_instance_type")
_MODEL_LABELS: Final = ("nvidia_com_gpu_product", "cloud_google_com_gke_accelerator")
_NOT_USED: Final = ("__idle__", "__unmounted__")
"""Parts of names of what is no work: GPUs that nobody asked for, disks that nobody mounted."""

_TIMES: Final = lazy_re(r"\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?")
"""Of a window in one cell, its two ends."""

_NAIVE: Final = lazy_re(r"^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$")
_MIDNIGHT: Final = "T00:00:00Z"
_DATE_LENGTH: Final = 10
_MINUTES_AT_MOST: Final = 10**8


def sniff_opencost(head: str) -> float:
    """How sure it is that a text begins an allocation export, 0..1."""
    paths = json_paths(head)
    if paths:
        names = {path.rpartition(".")[2] for path in paths}
        if _OF_ASSETS.search(head) and "allocations" not in names:
            return 0.0
        return 0.95 if any(names >= marks for marks in _MARKS_OF_JSON) else 0.0
    columns = header_columns(head).columns
    keys, names = dialect.located(columns, ALLOCATION_HEADINGS).keys(), {bare(name) for name in columns}
    has_place = keys & {"namespace", "pod"} or {"name", "minutes"} <= keys
    is_allocation = "start" in keys and has_place and names & _ALLOCATED
    return 0.9 if is_allocation and not names & _OF_JOBS else 0.0


def opencost_rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Every allocation; idle ones are ignored, since nobody used them.

    Errors: PlannerError missing_column without GPUs; truncated_file, file_unreadable.
    """
    if json_paths(source.head):
        return dialect.table_of_texts(engine, source, table, ALLOCATION_FIELDS, _json_jobs(source))
    delimiter, columns = header_columns(source.head)
    places = dialect.located(columns, ALLOCATION_HEADINGS)
    missing = ["gpuCount or gpuHours"] if not places.keys() & {"gpus", "gpu_hours"} else []
    missing += [] if "start" in places else ["start"]
    if missing:
        raise no_column(source.path, missing, worded("export the allocation with its GPUs"))
    raw = load_raw(engine, source, f"{table}_cells", columns, delimiter=delimiter, is_whole=True)
    keys = PodKeys()
    jobs = dialect.table_jobs(
        engine, raw, places, lambda values: allocation_texts({**values, "key": keys.key(values)})
    )
    return dialect.table_of_texts(engine, source, table, ALLOCATION_FIELDS, jobs, ragged=raw.ragged)


class PodKeys:
    """The ids of rows: the pod, with its container where that is told.

    Without a container, rows of one pod and time that differ are of several: each has its place behind its id.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], list[int]] = {}

    def key(self, texts: Mapping[str, str]) -> str:
        """The id of a row; empty where it names no pod."""
        names = (texts.get("namespace", ""), texts.get("pod", ""), texts.get("container", ""))
        pod = "/".join(filter(None, names))
        if not names[1] or names[2]:
            return pod if names[1] else ""
        alike = self._seen.setdefault((pod, texts.get("start", "")), [])
        row = hash(tuple(texts.values()))
        if row not in alike:
            alike.append(row)
        place = alike.index(row)
        return f"{pod}#{place + 1}" if place else pod


def _json_jobs(source: Source) -> Iterator[tuple[int, dialect.JobTexts]]:
    """Of the API's sets of allocations by name, of such sets alone, or of allocations in an array or by line."""
    paths = json_paths(source.head)
    if _SETS in paths:
        for row, (name, value) in enumerate(json_members(source, _SETS), 1):
            yield row, read_json_job(name, value)
    elif "data.item" in paths or "data" in paths:
        for row, (name, value) in enumerate(json_members(source, "data.item"), 1):
            yield row, read_json_job(name, value)
    elif "item" in paths and "item.start" not in paths:
        for row, (name, value) in enumerate(json_members(source, "item"), 1):
            yield row, read_json_job(name, value)
    else:
        for row, value in json_records(source):
            yield row, read_json_job(text_of(object_at(value).get("name")), value)


def read_json_job(name: str, value: object) -> dialect.JobTexts:
    """An allocation of the API as texts of a job; a total that only has costs is no job."""
    if not isinstance(value, dict):
        return {dialect.RAW: name or text_of(value)}
    of, window, device = (object_at(value, key) for key in ("properties", "window", "gpuAllocation"))
    values: dict[str, str] = {
        "name": text_of(value.get("name")) or name,
        "start": text_of(value.get("start")) or text_of(window.get("start")),
        "end": text_of(value.get("end")) or text_of(window.get("end")),
        "minutes": text_of(value.get("minutes")),
        "gpus": text_of(value.get("gpuCount")) or text_of(value.get("gpuRequestAverage")),
        "gpu_hours": text_of(value.get("gpuHours")),
        "gpu_model": text_of(device.get("gpuModel")) or text_of(device.get("gpuDevice")),
        "activity": _percent(device.get("gpuUsageAverage")),
    }
    values |= {
        key: text_of(of.get(key))
        for key in ("cluster", "namespace", "controller", "pod", "node", "container")
    }
    labels = object_at(of, "labels")
    values["instance_type"] = next(
        filter(None, (text_of(labels.get(key)) for key in _TYPE_LABELS)), text_of(of.get("nodeType"))
    )
    values["gpu_model"] = values["gpu_model"] or next(
        filter(None, (text_of(labels.get(key)) for key in _MODEL_LABELS)), ""
    )
    values["controller_kind"] = text_of(of.get("controllerKind"))
    if not values["gpus"] and not values["gpu_hours"] and read_decimal(text_of(value.get("gpuCost"))):
        values["gpus"] = "not told, though GPUs cost something"
    return allocation_texts({**values, "key": values["name"]})


def allocation_texts(texts: Mapping[str, str]) -> dialect.JobTexts:
    """An allocation as the texts of a job.

    texts: texts by key of ALLOCATION_HEADINGS, and `key`, which names it in its window.
    """

    def text_at(key: str) -> str:
        """A field's text, empty without it."""
        return texts.get(key, "")

    everything = " ".join(text_at(key) for key in ("name", "namespace", "pod", "container"))
    both = _TIMES.findall(text_at("start")) if not text_at("end") else []
    start, end = map(_in_utc, both if len(both) == 2 else (text_at("start"), text_at("end")))
    if not end and start.endswith(_MIDNIGHT) and len(text_at("start")) == _DATE_LENGTH:
        end = _time_after(start, Fraction(DAY_S))
    elif not end:
        end = _time_after(start, _minutes(text_at("minutes")))
    kind, controller = text_at("controller_kind").lower(), text_at("controller")
    name = controller or text_at("pod") or text_at("name").rpartition("/")[2]
    return {
        "job_id": text_at("key"),
        "cluster": text_at("cluster"),
        "name": strip_hash(name) if kind == "replicaset" or not controller else name,
        "account": text_at("namespace"),
        "gpu_model": text_at("gpu_model") or _model_of_machine(text_at("instance_type")),
        "gpus": _allocated_gpus(
            text_at("gpu_hours"), text_at("gpus"), _seconds(text_at("minutes"), start, end)
        ),
        "start": start,
        "end": end,
        "activity": text_at("activity"),
        "hosts": text_at("node"),
        dialect.IGNORED: "1"
        if any(word in everything for word in _NOT_USED)
        or is_reservation_namespace(text_at("namespace"))
        or _is_total(text_at("name"), start, text_at("pod") or text_at("namespace"))
        else "",
    }


def _is_total(name: str, start: str, user: str) -> bool:
    """Whether a row is the sum line of an export: without a time, or called so and without what used GPUs in it."""
    plain = name.strip().casefold().rstrip(":")
    return plain in _SUMS if not start else not user and plain in ("totals", "grand total")


_SUMS: Final = ("total", "totals", "sum", "sums", "grand total", "grand totals")


def _model_of_machine(instance_type: str) -> str:
    """The GPU model of a type of machine, as bills have it; empty where it is not known."""
    product = find_gpu_product(instance_type) if instance_type else None
    model = None if product is None else product.gpu_model
    return model or model_within(_PARTS.sub(" ", instance_type))


def _allocated_gpus(hours_text: str, count_text: str, seconds: Fraction | None) -> str:
    """GPU-hours over their time; the number that is told where there are none, or where one of them is no number."""
    hours = read_decimal(hours_text)
    if hours is None or not seconds:
        return count_text or hours_text
    gpus = Fraction(hours) * 3600 / seconds
    return f"{Decimal(gpus.numerator) / Decimal(gpus.denominator):.9f}"


def _seconds(minutes_text: str, start: str, end: str) -> Fraction | None:
    """How long the job row lasts, so that its GPUs times its length are the GPU-hours that are told."""
    first, last = utc_seconds(start), utc_seconds(end)
    if first is not None and last is not None and last > first:
        return Fraction(last - first)
    return _minutes(minutes_text)


def _minutes(text: str) -> Fraction | None:
    """Seconds of a text in minutes; None unless it is a positive number of sane size."""
    minutes = read_decimal(text)
    return Fraction(minutes) * 60 if minutes is not None and 0 < minutes < _MINUTES_AT_MOST else None


def _time_after(start: str, seconds: Fraction | None) -> str:
    """A time plus so many seconds in ISO; empty if either is unknown."""
    first = utc_seconds(start)
    return "" if first is None or seconds is None else iso_utc(first + int(seconds))


def _percent(ratio: object) -> str:
    """A ratio from 0 to 1 as a percentage; empty where it is none."""
    value = read_decimal(text_of(ratio))
    return "" if value is None or not 0 <= value <= 1 else f"{100 * value:.3f}"


def _in_utc(text: str) -> str:
    """The tools write UTC, also where they do not say so; a date alone is its midnight."""
    if not _NAIVE.match(text):
        return text
    return text + (_MIDNIGHT if len(text) == _DATE_LENGTH else "Z")


OPENCOST: Final = dialect.Dialect(
    format="opencost",
    title=worded("Kubecost or OpenCost allocation"),
    sniff=sniff_opencost,
    rows=opencost_rows,
)
