"""Usage of bills: a quantity, its unit and what one unit is, to GPUs."""

import re
from decimal import Decimal
from fractions import Fraction
from typing import Final

from gpuplanner.files.job_logs.gpu_counts import GpuReading, from_number
from gpuplanner.files.numbers import read_decimal

_SECONDS_OF: Final = {"h": Fraction(3600), "m": Fraction(60), "s": Fraction(1), "ms": Fraction(1, 1000)}
_TIME_UNIT: Final = re.compile(
    r"^(?:(?P<many>\d{1,5})[ /]?(?:none )?)?"
    r"(?:(?:gpu|instance|vm|node|machine|accelerator|unit|virtual machine)s?[ /-]*)?"
    r"(?:per )?(?:(?P<unit>h|m|s)(?:ou?rs?|rs?|in(?:ute)?s?|ec(?:ond)?s?)?|(?P<milli>ms|milli(?:second)?s?))"
    r"(?: (?:instance|gpu|vm|node|machine)s?)?(?: \| .*)?$"
)
_GPU_UNIT: Final = re.compile(r"\bgpus?\b")
_USAGE: Final = re.compile(r"^(.*) x (\d+(?:/\d+)?) s x (\d+(?:/\d+)?) GPUs / (\d+) s$", re.S)


def read_time_unit(text: str) -> Fraction | None:
    """Seconds of machine time that one unit is; None where it is no time, such as GB or OCPU hours.

    >>> read_time_unit("10 Hours"), read_time_unit("GB-Hours"), read_time_unit("MS | INSTANCE")
    (Fraction(36000, 1), None, Fraction(1, 1000))
    """
    found = _TIME_UNIT.match(text.strip().lower())
    if found is None or (found["many"] and not int(found["many"])):
        return None
    return int(found["many"] or 1) * _SECONDS_OF["ms" if found["milli"] else found["unit"]]


def counts_gpus(unit: str) -> bool:
    """Whether a unit counts GPUs and not machines, as GPU hours do."""
    return _GPU_UNIT.search(unit.lower()) is not None


def usage_text(quantity: str, seconds: str, gpus: str, period_s: str) -> str:
    """SQL for the text that `read_usage` reads, of SQL for its parts."""
    return f"{quantity} || ' x ' || {seconds} || ' s x ' || {gpus} || ' GPUs / ' || {period_s} || ' s'"


def read_usage(text: str) -> GpuReading:
    """GPUs in use on average over a period, from `3.5 x 3600 s x 8 GPUs / 86400 s`, exact until it is rounded."""
    found = _USAGE.match(text)
    quantity = read_decimal(found[1]) if found else None
    if found is None or quantity is None or not int(found[4]):
        return GpuReading(fault="bad_number")
    milli_gpus = Fraction(quantity) * Fraction(found[2]) * Fraction(found[3]) * 1000 / int(found[4])
    if milli_gpus < 0:
        return GpuReading(fault="negative_gpus")
    whole = (2 * milli_gpus + 1) // 2
    if whole == 0 and milli_gpus > 0:
        return GpuReading(fault="bad_number")
    return from_number(Decimal(whole))
