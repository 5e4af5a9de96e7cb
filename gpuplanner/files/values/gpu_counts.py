"""GPU counts: text to whole thousandths of a GPU."""

import re
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from gpuplanner.files.values.numbers import read_decimal

MILLI_PER: Final = {"gpu": Decimal(1000), "milli": Decimal(1), "percent": Decimal(10)}
_DECIMAL_COMMA: Final = re.compile(r"^\s*(\d{1,5}),(\d{1,2})\s*$|^\s*(0),(\d{3})\s*$")
"""0,5 and 12,25: what cannot be thousands."""

_COUNT_OF: Final = re.compile(r"\s*(\d{1,6})\s*(?:GPUs?|[x×*]\s*([A-Za-z][\w .-]{1,60}?))\s*", re.I)
"""8 GPUs, 8x H100."""

_GPUS_AT_MOST: Final = 10_000_000  # more is a slip, and would not fit the sums


@dataclass(frozen=True, slots=True)
class GpuReading:
    """What one text says: thousandths of a GPU (0: a CPU job), or the code of what is wrong with it.

    gpu_model and nodes where the text names them; is_mixed: several models in one job, gpu_model is the one it
    has most of.
    """

    milli_gpus: int = 0
    fault: str | None = None
    gpu_model: str | None = None
    nodes: int | None = None
    is_mixed: bool = False


def read_gpu_count(text: str, unit: str = "gpu") -> GpuReading:
    """A plain number of GPUs, thousandths (unit milli) or hundredths (percent), rounded half up to thousandths.

    >>> read_gpu_count("0.4285").milli_gpus
    429
    """
    if not text.strip():
        return GpuReading()
    number = read_decimal(text)
    return GpuReading(fault="bad_number") if number is None else from_number(number * MILLI_PER[unit])


def read_written_count(text: str) -> GpuReading:
    """The same as people write it in tables of their own: 0,5 is half a GPU.

    >>> read_written_count("0,5").milli_gpus, read_written_count("1,500").fault, read_written_count("8x H100").gpu_model
    (500, 'bad_number', 'H100')
    """
    found = _COUNT_OF.fullmatch(text)
    if found is None:
        return read_gpu_count(text.replace(",", ".") if _DECIMAL_COMMA.match(text) else text)
    reading = read_gpu_count(found[1])
    return replace(reading, gpu_model=found[2]) if found[2] and reading.fault is None else reading


def from_number(milli_gpus: Decimal) -> GpuReading:
    """A finite number of thousandths, rounded half up; one that is lost in rounding is no number of GPUs.

    Faults: negative_gpus, and bad_number for counts that no cluster has.

    >>> from_number(Decimal("500.4")).milli_gpus, from_number(Decimal("0.2")).fault, from_number(Decimal(-1)).fault
    (500, 'bad_number', 'negative_gpus')
    """
    if milli_gpus < 0:
        return GpuReading(fault="negative_gpus")
    if milli_gpus > _GPUS_AT_MOST * 1000:
        return GpuReading(fault="bad_number")
    whole = int(milli_gpus.quantize(Decimal(1), rounding=ROUND_HALF_UP))
    return GpuReading(fault="bad_number") if whole == 0 and milli_gpus > 0 else GpuReading(whole)
