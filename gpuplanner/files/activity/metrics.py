"""Metrics of how busy a GPU is: which is preferred, and the unit of each."""

import math
from typing import Final

from gpuplanner.files.system.user_files import rows_of
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

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
