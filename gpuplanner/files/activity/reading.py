"""A reading of GPU activity: its metric, its labels, its time, and what its file's name adds."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import PurePath
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.intake import Facts
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.process import rows_of
from gpuplanner.files.tables.small_table import RowError
from gpuplanner.files.values.times import LATEST_S, ClockSpan, clock_spans, read_time, read_zone, span_of
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

# --- What an activity file hands over: one reading a row, with the samples that it gives or what is wrong with it

ACTIVITY: Final = "activity"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """How busy one GPU was at one instant, or one job's process on some of a node's GPUs.

    at_s: epoch seconds; None where the file does not say. milli_percent: 0..100,000 of one GPU; of a process the
    sum over the `cards` it used. host, gpu: empty where unknown. job_id, pod (`namespace/name`, or the name): what
    the GPU was held by, empty where the sample does not say.
    """

    at_s: int | None
    host: str
    gpu: str
    milli_percent: int
    metric: str
    job_id: str = ""
    pod: str = ""
    gpu_model: str = ""
    is_process: bool = False
    is_naive: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One row of an activity file: samples (accepted), a fault (rejected), or neither (ignored: it measures else).

    row: line of the file, or the record's number; text: as it stands, where it is at fault.
    looked_at: a node and an instant at which all processes on it were looked at, so that a job without one there did
    nothing. is_short: it has fewer cells than its heading.
    """

    row: int
    samples: tuple[Sample, ...] = ()
    fault: RowError | None = None
    text: str = ""
    looked_at: tuple[str, int] | None = None
    is_short: bool = False


NO_TIME: Final = RowError(
    "bad_time", worded("no readable time"), worded("use 2026-01-31T05:00:00Z or epoch seconds")
)


def no_share(value: str | None) -> RowError:
    """What is wrong with a value that is none of how busy a GPU was."""
    return RowError(
        "bad_number", worded("{value} is not a share of a GPU", value=value or ""), worded("check the export")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityDialect:
    """One kind of activity file. why: for `check`; readings: every row of it, in order. The zone is of naive times.

    record_name: what a row of it is, in the plural. more_facts: what else `check` says of it, reading it again.
    """

    format: str
    why: Message
    sniff: Callable[[str], float]
    readings: Callable[[Source, str | None], Iterator[Reading]]
    record_name: str = "lines"
    more_facts: Callable[[Source], Facts] | None = None

    @property
    def kind(self) -> str:
        """As the intake names it."""
        return ACTIVITY


# --- Metrics that say how busy a GPU is: which is to be preferred, and in what unit each is written

SM_ACTIVE: Final = 0
ENGINE_ACTIVE: Final = 1
GPU_UTIL: Final = 2
"""In this order where a job has several: the later ones call a GPU busy that hardly works."""

_ROUNDING: Final = 1.01
"""Exporters overshoot a full load by as much; what is more is no share."""


@dataclass(frozen=True, slots=True)
class Metric:
    """rank: preference, lower is better; percent: what one unit of its values is."""

    rank: int
    percent: float


METRICS: Final = {
    row["name"]: Metric(int(row["rank"]), float(row["percent"])) for row in rows_of("activity_metrics.csv")
}
"""By name in lower case: DCGM fields and their short names in dmon, exporters, nvidia-smi, sonar."""

UNMEASURED: Final = frozenset(
    ("", "nan", "n/a", "[n/a]", "[not supported]", "not supported", "null", "none", "-")
)
"""What stands where nothing was measured, in lower case."""

_UNIT: Final = lazy_re(r"\s*\[[^\]]*\]\s*$")
_LONGEST_NAME: Final = 400  # of what is longer the pattern takes the square of the time


def metric_key(name: str) -> str:
    """The name of a metric as METRICS has it, whether known or not.

    >>> metric_key(" utilization.gpu [%]")
    'utilization.gpu'
    """
    return _UNIT.sub("", name.strip().lstrip("#")[:_LONGEST_NAME]).strip().casefold()


def is_unmeasured(text: str) -> bool:
    """Whether a value's text says that nothing was measured; DCGM has blank numbers for it too.

    >>> is_unmeasured("[N/A]"), is_unmeasured("9223372036854775794"), is_unmeasured("0")
    (True, True, False)
    """
    cleaned = text.strip().casefold()
    return cleaned in UNMEASURED or cleaned.startswith(("92233720368547", "[unknown", "0xffffff"))


def milli_percent(text: str, metric: Metric) -> int | None:
    """A value as thousandths of a percent; None where it is no number from nothing to all of a GPU.

    >>> milli_percent("0.5", METRICS["smact"]), milli_percent("97 %", METRICS["utilization.gpu"])
    (50000, 97000)
    """
    try:
        value = float(text.strip().removesuffix("%")) * metric.percent
    except ValueError:
        return None
    if not math.isfinite(value) or not 0 <= value <= 100 * _ROUNDING:
        return None
    return min(100_000, math.floor(value * 1000 + 0.5))


# --- Labels of monitoring: which of them names the node, the GPU, its model and what it was held by

HOST: Final = ("hostname", "node", "kubernetes_node", "nodename", "host", "exported_instance", "instance")
UUID: Final = ("uuid", "gpu_uuid", "gpu.uuid")
INDEX: Final = ("gpu", "minor_number", "index", "gpu_id", "gpu_index", "entity", "device", "ordinal")
MODEL: Final = ("modelname", "gpu_model", "gpu_name", "gpu_type", "model", "name")
JOB: Final = ("hpc_job", "slurmjobid", "slurm_job_id", "slurm_jobid", "jobid", "job_id")
"""Not `job`: that is the name of the scrape."""

ROLES: Final = frozenset((*HOST, *UUID, *INDEX, *MODEL, *JOB))
_PORT: Final = lazy_re(r":\d+$")
_LABEL: Final = lazy_re(r'\s*([A-Za-z_][\w.]*)\s*=~?\s*"((?:[^"\\]|\\.)*)"\s*,?')
_LEGEND: Final = lazy_re(r"(?i)^(?:(?P<host>[a-z][\w.-]*\w(?::\d+)?)[ /,|-]+)?gpu[ _#-]?(?P<gpu>\d{1,2})$")
_LONGEST_LEGEND: Final = 200
_ESCAPE: Final = lazy_re(r"\\(.)")
_NUMBERED: Final = lazy_re(r"(?i)^(?:gpu|nvidia|device)[ _-]?(\d+)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Of whom a sample is. All empty where the labels do not say."""

    host: str = ""
    gpu: str = ""
    gpu_model: str = ""
    job_id: str = ""
    pod: str = ""


def held_by(labels: Mapping[str, str]) -> Held:
    """What the labels of a sample say; their names in any case.

    Where the scraper renamed what the exporter said (`exported_pod`), the plain label is the exporter's own.
    """
    known = {name.casefold(): value.strip() for name, value in labels.items()}
    gpu = _first(known, UUID) or _plain_index(_first(known, INDEX))
    instance = known.get("gpu_i_id", "")  # a MIG instance
    return Held(
        host=_PORT.sub("", _first(known, HOST)).casefold(),
        gpu=f"{gpu}/{instance}" if instance else gpu,
        gpu_model=_first(known, MODEL),
        job_id=_first(known, tuple(f"exported_{name}" for name in JOB)) or _first(known, JOB),
        pod=_pod(known),
    )


def _first(known: Mapping[str, str], names: tuple[str, ...]) -> str:
    """The value of the first label that is there and not empty, in the order of the names."""
    return next((known[name] for name in names if known.get(name)), "")


def _plain_index(text: str) -> str:
    """The number of a card out of a name such as `nvidia0`; a text that is no such name stays as it is."""
    found = _NUMBERED.match(text)
    return found[1] if found else text


def _pod(known: Mapping[str, str]) -> str:
    """The pod that held the GPU as `namespace/pod`; empty for none, and for the pod of the exporter itself.

    Prometheus renames a target's own labels to `exported_...`: where one of those is there, only those
    count.
    """
    prefix = (
        "exported_" if any(f"exported_{name}" in known for name in ("pod", "namespace", "container")) else ""
    )
    pod, namespace = known.get(f"{prefix}pod", ""), known.get(f"{prefix}namespace", "")
    if not pod or "exporter" in pod + known.get(f"{prefix}container", ""):
        return ""
    return f"{namespace}/{pod}" if namespace else pod


def read_selector(text: str) -> tuple[str, dict[str, str]] | None:
    """`name{label="value",...}` as its name (may be empty) and labels; None where it is something else.

    >>> read_selector('DCGM_FI_DEV_GPU_UTIL{gpu="0",Hostname="n1"}')
    ('DCGM_FI_DEV_GPU_UTIL', {'gpu': '0', 'Hostname': 'n1'})
    >>> read_selector("up"), read_selector("{gpu=0")
    (('up', {}), None)
    """
    name, brace, rest = text.strip().partition("{")
    if not brace:
        return (name.strip(), {}) if re.fullmatch(r"[A-Za-z_:][\w:.]*", name.strip()) else None
    inside = rest.rstrip()
    if not inside.endswith("}"):
        return None
    return name.strip(), dict(_labels(inside[:-1]))


def read_legend(text: str) -> dict[str, str] | None:
    """A series as dashboards name it, `gpu-01 GPU 3`; None where it is something else.

    >>> read_legend("gpu-01:9400 GPU 3"), read_legend("GPU 0"), read_legend("GPU hours")
    ({'host': 'gpu-01:9400', 'gpu': '3'}, {'gpu': '0'}, None)
    """
    found = _LEGEND.match(text.strip()) if len(text) < _LONGEST_LEGEND else None
    return {name: value for name, value in found.groupdict().items() if value} if found else None


def _labels(text: str) -> Iterator[tuple[str, str]]:
    """Each name and value of a label set in Prometheus' text form, with escapes undone."""
    for found in _LABEL.finditer(text):
        value = found[2]
        yield found[1], _ESCAPE.sub(_unescaped, value) if "\\" in value else value


def _unescaped(found: re.Match[str]) -> str:
    """The character behind a backslash in a label's value.

    `n` is a line break, all others stand for themselves.
    """
    return "\n" if found[1] == "n" else found[1]


# --- Times of samples: epoch numbers and local texts to UTC seconds, fast enough for one a row ---

EARLIEST_SAMPLE_S: Final = 946_684_800  # 2000: nobody measured GPUs before; a smaller number is no time

LARGEST_TIME: Final = 1e19  # nanoseconds of the year 2286

_NUMBER: Final = lazy_re(r"(?i)^\d{9,19}(?:\.\d+)?$|^\d\.\d+e\+?\d{1,2}$")
_SLASHES: Final = lazy_re(r"^(\d{4})/(\d\d)/(\d\d)")
_PER_SECOND: Final = ((10**17, 10**9), (10**14, 10**6), (10**11, 10**3), (0, 1))
"""From that size on a number counts so many to the second."""


class Clock:
    """Reads the times of one file. timezone: of those that state none (None: UTC)."""

    def __init__(self, timezone: str | None) -> None:
        self._timezone = timezone
        self._last: tuple[str, tuple[int | None, bool]] = ("", (None, False))

    def read(self, text: str) -> tuple[int | None, bool]:
        """Epoch seconds, fractions cut off (None: no time), and whether it was a local time without a zone.

        Local times are read in the zone that the clock was made with, UTC without one.
        """
        if text != self._last[0]:  # samples come in groups of one time
            self._last = (text, self._read(text.strip()))
        return self._last[1]

    def _read(self, text: str) -> tuple[int | None, bool]:
        """An instant in UTC seconds, None where it cannot be read or is out of range.

        And whether it stated no zone.
        A local time that a change of clocks makes ambiguous is read as the earlier of the two.
        """
        if _NUMBER.match(text):
            return epoch_s(float(text)), False
        local = read_time(_SLASHES.sub(r"\1-\2-\3", text))
        if local is None:
            return None, False
        zone = read_zone(local.zone_text)
        if zone.fault is not None:
            return None, False
        name = zone.name or (self._timezone if zone.is_naive else None)
        offset_s = zone.offset_s or 0
        if name is not None:
            year = datetime.fromtimestamp(max(0, min(local.clock_s, LATEST_S)), UTC).year
            offset_s = span_of(_spans_of_year(name, year), local.clock_s).earlier_offset_s
        return _in_range(local.clock_s - offset_s), zone.is_naive


def epoch_s(number: float) -> int | None:
    """Epoch seconds of a number in seconds, milli-, micro- or nanoseconds, told by its size.

    None outside of the years that samples may be of.

    >>> epoch_s(1769835600), epoch_s(1769835600.5e3), epoch_s(1769835600e9), epoch_s(12)
    (1769835600, 1769835600, 1769835600, None)
    """
    if not 0 <= number < LARGEST_TIME:
        return None
    for size, per_second in _PER_SECOND:
        if number >= size:
            return _in_range(int(number // per_second))
    return None


def _in_range(at_s: int) -> int | None:
    """The instant itself, or None where no sample can be that old or that late."""
    return at_s if EARLIEST_SAMPLE_S <= at_s < LATEST_S else None


@lru_cache(maxsize=64)
def _spans_of_year(name: str, year: int) -> tuple[ClockSpan, ...]:
    """The offsets of a zone over one calendar year.

    A local time needs no more, and a year is looked up but once.
    """
    first, after = (int(datetime(at, 1, 1, tzinfo=UTC).timestamp()) for at in (year, year + 1))
    return clock_spans(name, first, after)


# --- What the name of an activity file adds, where its content does not say: a metric, or the node it is of

_WORDS: Final = lazy_re(
    r"(?i)nvidia[-_. ]?smi|dcgmi?|dmon|utili[sz]ation|usage|metrics?|samples?|output|logs?|gpu[-_]?util"
    r"|\d{4}-?\d\d-?\d\d(?:[T_-]?\d\d[-:]?\d\d(?:[-:]?\d\d)?)?|\.(?:csv|txt|log|tsv|gz|zst|zip|json|out)\b"
)


_TITLE: Final = lazy_re(r"gpu[ _-]?utili[sz]ation\b")
"""What the panel of a dashboard is called, after which its export is named."""


def metric_in_name(path: str) -> str:
    """The known metric that a file is named after, or nothing: functions over a range drop the name inside.

    >>> metric_in_name("exports/DCGM_FI_DEV_GPU_UTIL-july.json")
    'dcgm_fi_dev_gpu_util'
    >>> metric_in_name("GPU Utilization-data-2026-01-05 10_30_00.csv")
    'dcgm_fi_dev_gpu_util'
    """
    name = PurePath(path).name.casefold()
    found = max((metric for metric in METRICS if len(metric) > 7 and metric in name), key=len, default="")
    return found or ("dcgm_fi_dev_gpu_util" if _TITLE.search(name) else "")


def host_in_name(path: str) -> str:
    """The node that a file is named after, or nothing.

    >>> host_in_name("nvidia-smi_gpu-11.fox_2026-01-31.csv"), host_in_name("nvidia_smi_log.csv")
    ('gpu-11.fox', '')
    """
    name = _WORDS.sub(" ", PurePath(path).name)
    parts = [part.strip(" -_.") for part in re.split(r"[ _]+", name)]
    named = [part for part in parts if any(letter.isdigit() for letter in part) and part[:1].isalpha()]
    return named[0].casefold() if len(named) == 1 else ""
