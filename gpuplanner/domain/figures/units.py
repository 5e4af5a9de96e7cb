"""Units of figures: their dimensions, which formulas must come out to, and what they are called."""

from dataclasses import dataclass
from typing import Final, Literal

from gpuplanner.domain.message import Text, worded

WrittenAs = Literal[
    "usd",
    "rate",
    "gpu_hours",
    "milli_gpu_seconds",
    "hours",
    "gpus",
    "share",
    "count",
    "ms",
    "decimal",
    "exact",
    "each",
    "flag",
    "text",
]
"""How a value is written. milli_gpu_seconds: whole numbers, written as GPU-hours; share: 0..1; rate: $ per GPU-h;
decimal: one place, as GB and ms; exact: as many places as say it, as seconds of a step; each: $ for one of something,
cents or, below a dollar, three digits that say something; flag: 1 or 0."""

Dimension = tuple[int, ...]
"""Powers of BASES; the same length for all."""

BASES: Final = ("money", "gpu", "hour", "month", "kwh", "kg")
SIGNS: Final = {"money": "$", "gpu": "GPU", "hour": "h", "month": "month", "kwh": "kWh", "kg": "kg"}


@dataclass(frozen=True, slots=True)
class Unit:
    """What a value is measured in.

    key: how it is written; dimension: powers of BASES, all 0 for a plain number. label: as headings
    have it, empty where values carry it themselves; short: where there is little room; per: behind a value in a
    sentence.
    """

    key: WrittenAs
    dimension: Dimension
    label: Text = ""
    short: Text = ""
    per: Text = ""


def _of(**powers: int) -> Dimension:
    """A dimension by the names of its bases; those that are not named are 0."""
    return tuple(powers.get(base, 0) for base in BASES)


A_MONTH: Final = worded("per month")
MONEY: Final = Unit("usd", _of(money=1), worded("$ in the window"), "$")
MONEY_PER_MONTH: Final = Unit(
    "usd", _of(money=1, month=-1), worded("$ per month"), worded("$ per month"), A_MONTH
)
RATE: Final = Unit("rate", _of(money=1, gpu=-1, hour=-1), worded("$ per GPU-h"), worded("$ per GPU-h"))
GPU_HOURS: Final = Unit(
    "gpu_hours", _of(gpu=1, hour=1), worded("GPU-h in the window"), "GPU-h", worded("GPU-h in the window")
)
GPU_HOURS_IN_ALL: Final = Unit("gpu_hours", _of(gpu=1, hour=1), "GPU-h", "GPU-h")
GPU_HOURS_PER_MONTH: Final = Unit(
    "gpu_hours",
    _of(gpu=1, hour=1, month=-1),
    worded("GPU-h per month"),
    worded("GPU-h per month"),
    worded("GPU-h per month"),
)
GPU_TIME: Final = Unit("milli_gpu_seconds", _of(gpu=1, hour=1), "GPU-h", "GPU-h")
"""Kept in thousandths of a GPU-second, written in GPU-hours."""
GPUS: Final = Unit("gpus", _of(gpu=1))
MONEY_PER_GPU_MONTH: Final = Unit(
    "usd", _of(money=1, gpu=-1, month=-1), worded("$ per month"), worded("$ per month"), A_MONTH
)
MONEY_PER_GPU: Final = Unit("usd", _of(money=1, gpu=-1), worded("$ per GPU"), worded("$ per GPU"))
MONEY_IN_ALL: Final = Unit("usd", _of(money=1), worded("$ in all"), "$", worded("in all"))
MONEY_TO_HORIZON: Final = Unit(
    "usd", _of(money=1), worded("$ in all"), "$", worded("to the horizon, in today's money")
)
MONEY_OF_SPAN: Final = Unit("usd", _of(money=1), "$", "$", worded("in that time"))
"""Of a month, or of twelve: which, the row says."""
KW_PER_GPU: Final = Unit("exact", _of(kwh=1, hour=-1, gpu=-1), worded("kW per GPU"), worded("kW per GPU"))
KW: Final = Unit("decimal", _of(kwh=1, hour=-1), "kW", "kW", "kW")
MONEY_EACH: Final = Unit("each", _of(money=1), worded("$ each"), worded("$ each"))
DAYS: Final = Unit("decimal", _of(hour=1))
"""Written in days, which the title says; it is in no formula."""
KWH_PER_MONTH: Final = Unit(
    "count", _of(kwh=1, month=-1), worded("kWh per month"), worded("kWh per month"), worded("kWh per month")
)
KWH: Final = Unit("count", _of(kwh=1), "kWh", "kWh", "kWh")
KG: Final = Unit("count", _of(kg=1), "kg", "kg", "kg")
KG_PER_KWH: Final = Unit("exact", _of(kg=1, kwh=-1), worded("kg per kWh"), worded("kg per kWh"))
KG_PER_MONTH: Final = Unit(
    "count", _of(kg=1, month=-1), worded("kg per month"), worded("kg per month"), worded("kg per month")
)
MONEY_PER_KWH: Final = Unit("exact", _of(money=1, kwh=-1), worded("$ per kWh"), worded("$ per kWh"))
MONEY_PER_KW_MONTH: Final = Unit(
    "usd", _of(money=1, kwh=-1, hour=1, month=-1), worded("$ per kW and month"), worded("$ per kW and month")
)
HOURS_A_MONTH: Final = Unit("hours", _of(hour=1, month=-1))
HOURS: Final = Unit("exact", _of(hour=1), "h", "h")
MONTHS: Final = Unit("exact", _of(month=1), worded("months"), worded("months"))
MONEY_TIMES_MONTHS: Final = Unit("usd", _of(money=1), worded("$ x months"), worded("$ x months"))
"""$ a month times months that it is bound for."""
GIGABYTES: Final = Unit("decimal", _of(), "GB", "GB", "GB")
MILLISECONDS: Final = Unit("decimal", _of(), "ms", "ms", "ms")
LONGEST_MS: Final = 80
"""One way; more is flagged, exactly so much is not, and no way is written as if it stood on the other side."""
SHARE: Final = Unit("share", _of())
PERCENT: Final = Unit("decimal", _of(), "%", "%")
TIMES: Final = Unit("exact", _of())
"""How many times of something."""
COUNT: Final = Unit("count", _of())
TIMES_A_MONTH: Final = Unit("count", _of(month=-1))
FLAG: Final = Unit("flag", _of())
"""Whether something holds: 1 or 0."""


def spelled(dimension: Dimension) -> str:
    """A dimension in signs, as an error says it.

    >>> spelled(RATE.dimension), spelled(SHARE.dimension)
    ('$ GPU^-1 h^-1', '1')
    """
    parts = [
        SIGNS[base] + ("" if power == 1 else f"^{power}")
        for base, power in zip(BASES, dimension, strict=True)
        if power
    ]
    return " ".join(parts) or "1"
