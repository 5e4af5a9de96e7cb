"""GPU counts: text to whole thousandths of a GPU."""

import math
import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final

from gpuplanner.files.system.resources import rows_of
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

MILLI_PER: Final = {"gpu": Decimal(1000), "milli": Decimal(1), "percent": Decimal(10)}
_DECIMAL_COMMA: Final = lazy_re(r"^\s*(\d{1,5}),(\d{1,2})\s*$|^\s*(0),(\d{3})\s*$")
"""0,5 and 12,25: what cannot be thousands."""

_COUNT_OF: Final = lazy_re(r"\s*(\d{1,6})\s*(?:GPUs?|[x×*]\s*([A-Za-z][\w .-]{1,60}?))\s*", re.I)
"""8 GPUs, 8x H100."""

_GPUS_AT_MOST: Final = 10_000_000  # more is a slip, and would not fit the sums


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuReading:
    """What one text says: thousandths of a GPU (0: a CPU job), or the code of what is wrong with it.

    gpu_model and nodes where the text names them; is_mixed: several models in one job, gpu_model is the one it
    has most of; is_other: no GPU but another accelerator, which gpu_model has with its number.
    """

    milli_gpus: int = 0
    fault: str | None = None
    gpu_model: str | None = None
    nodes: int | None = None
    is_mixed: bool = False
    is_other: bool = False


DEVICE_WORDS: Final = {row["name"]: lazy_re(row["pattern"]) for row in rows_of("gpu_words.csv")}
_OF_OTHERS: Final = "other devices: "
_OTHER_DEVICE: Final = DEVICE_WORDS["other_device"]


def other_devices(name: str, number: Fraction | Decimal | None) -> str:
    """How many accelerators a resource is that is no GPU, as a text of `gpus`; empty where it is none.

    name: of a resource that is not known as one of GPUs, whose vendors' own `/gpu` are none that the tables have.

    >>> other_devices("habana.ai/gaudi", Fraction(8)), other_devices("rdma/hca", Fraction(1))
    ('other devices: 8 habana.ai/gaudi', '')
    """
    return f"{_OF_OTHERS}{number} {name}" if number and number > 0 and _OTHER_DEVICE.search(name) else ""


@lru_cache(maxsize=4096)
def read_gpu_count(text: str, unit: str = "gpu") -> GpuReading:
    """A plain number of GPUs, thousandths (unit milli) or hundredths (percent), rounded half up to thousandths.

    >>> read_gpu_count("0.4285").milli_gpus
    429
    """
    if not text.strip():
        return GpuReading()
    if text.startswith(_OF_OTHERS):
        return GpuReading(gpu_model=text.removeprefix(_OF_OTHERS), is_other=True)
    number = read_decimal(text)
    fault = "gpus_unknown" if text.endswith("=N/A") else "bad_number"
    return GpuReading(fault=fault) if number is None else from_number(number * MILLI_PER[unit])


def read_written_count(text: str) -> GpuReading:
    """The same as people write it in tables of their own: 0,5 is half a GPU.

    >>> read_written_count("0,5").milli_gpus, read_written_count("1,500").fault, read_written_count("8x H100").gpu_model
    (500, 'bad_number', 'H100')
    """
    match = _COUNT_OF.fullmatch(text)
    if match is None:
        return read_gpu_count(text.replace(",", ".") if _DECIMAL_COMMA.match(text) else text)
    reading = read_gpu_count(match[1])
    return replace(reading, gpu_model=match[2]) if match[2] and reading.fault is None else reading


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
    return GpuReading(fault="bad_number") if whole == 0 and milli_gpus > 0 else GpuReading(milli_gpus=whole)


def gpus_of_slices(slices: Iterable[tuple[int, Fraction]]) -> Fraction:
    """The whole GPUs that MIG slices are cut from. slices: (sevenths of a GPU, how many) of each profile.

    >>> gpus_of_slices([(3, Fraction(16))]), gpus_of_slices([(4, Fraction(1)), (3, Fraction(1))])
    (Fraction(8, 1), Fraction(1, 1))
    """
    profiles = [(size * number / 7, number / (7 // size)) for size, number in slices if 0 < size <= 7]
    sevenths = sum((share for share, _ in profiles), Fraction(0))
    return Fraction(math.ceil(max((sevenths, *(least for _, least in profiles)))))
