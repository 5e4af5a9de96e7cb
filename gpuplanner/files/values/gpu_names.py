"""GPUs as tables name them: boards, instance types of clouds, and counts in thousandths."""

import math
import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final

from gpuplanner.files.system.resources import gpu_families, read_gpu_instances, rows_of
from gpuplanner.files.values.numbers import TEXTS_KEPT, read_decimal
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- GPU counts: text to whole thousandths of a GPU ----------------------------------------------

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


_WORDS: Final = {row["name"]: lazy_re(row["pattern"]) for row in rows_of("gpu_words.csv")}
_OF_OTHERS: Final = "other devices: "
_OTHER_DEVICE: Final = _WORDS["other_device"]


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


# --- What names of boards say beside the model, a slice of it or several users; the model that a name begins with

_SHARED: Final = lazy_re(r"-shared$", re.I)
_SLICE: Final = lazy_re(r"-mig-(\d)g\.\d+gb(?:\.\w+|\+\w+)*(?:-shared)?$", re.I)


def name_begun_with(text: str) -> str:
    """The longest beginning of a text, word by word, that is a GPU model; empty where none is.

    >>> name_begun_with("a100-80gb-reserved"), name_begun_with("pool-7")
    ('A100 80GB', '')
    """
    ends = [found.start() for found in re.finditer(r"[-_ .]", text)]
    for end in (len(text), *reversed(ends)):
        read = gpu_families().read(text[:end])
        if read is not None:
            return read.full
    return ""


def slice_sevenths(board: str) -> int | None:
    """The sevenths of a GPU that a board named as a MIG slice is; None for a whole one.

    >>> slice_sevenths("NVIDIA-A100-SXM4-40GB-MIG-3g.20gb")
    3
    """
    match = _SLICE.search(board.strip())
    return int(match[1]) if match else None


def is_shared_name(board: str) -> bool:
    """Whether the device plugin marked the board as handed out several times over."""
    return _SHARED.search(board.strip()) is not None


# --- GPU instances: which instance type, GPU model and how many GPUs a cloud's words about a charge name

HINT: Final = r"gpu|nvidia|(^|[^a-z0-9])((p|gr?)[2-9][a-z0-9-]*\.|n[cdgv]{1,2}[0-9]|g[2-9]-standard)"
"""In lower case: a text without it names no GPUs. Cheap, so that few texts are left to be read."""

_NOT_THE_MACHINE: Final = _WORDS["not_the_machine"]
"""Charges that name an instance type beside the instance itself: to count them would count its GPUs twice."""

_MODEL: Final = _WORDS["model"]
_ACCELERATOR: Final = lazy_re(r"\bnvidia\b.*\bgpu\b|\bgpu[ -]?h(?:ou)?rs?\b|\bper gpu\b")
_GPU: Final = lazy_re(r"\bgpus?\b")
_SEVERAL: Final = lazy_re(r"(?<![a-z0-9.])(\d{1,2}) ?x (?:nvidia )?(?:tesla )?$")
_COUNTED: Final = lazy_re(r"(?<![a-z0-9.])(\d{1,3})[ -]?x? ?gpus?\b")
_MACHINE: Final = lazy_re(r"\b(?:node|server|cluster|instance|hgx|dgx|pod|machine)s?\b")
_GPU_COUNT: Final = lazy_re(r"gpu ?count[\"']? ?[:=] ?[\"']?(\d{1,4})(?![\d.])")
_UNKNOWN_INSTANCE: Final = _WORDS["unknown_instance"]


@dataclass(frozen=True, slots=True)
class GpuProduct:
    """What one unit of a charge is. gpus: of one instance, or 1 where GPUs are charged; None: nobody has told yet.

    instance_type: as its cloud spells it, or what stands for it. gpu_model: None where it is unknown.
    """

    instance_type: str
    gpu_model: str | None
    gpus: Fraction | None


def find_gpu_product(text: str, *, is_per_gpu: bool = False) -> GpuProduct | None:
    """The GPUs that words about a charge name; None where they name none, or something beside the machine.

    is_per_gpu: the charge counts GPUs, not instances.

    >>> find_gpu_product("$1.624 per On Demand Linux g5.4xlarge Instance Hour").gpu_model
    'A10G'
    """
    words = text.lower().replace("_", " ")
    if _NOT_THE_MACHINE.search(words):
        return None
    match = _GPU_COUNT.search(words)
    told_gpus = Fraction(int(match[1])) if match and int(match[1]) else None
    known, pattern = _known()
    model = _MODEL.search(words)
    model_name = name_begun_with(model[1]) if model else None
    if match := pattern.search(words):
        product = known[match[1]]
        return GpuProduct(product.instance_type, product.gpu_model, Fraction(1)) if is_per_gpu else product
    if unknown := _UNKNOWN_INSTANCE.search(words):
        gpus = Fraction(1) if is_per_gpu else told_gpus
        return GpuProduct(unknown[0].removeprefix("standard ").replace(" ", "_"), model_name, gpus)
    if is_per_gpu or _ACCELERATOR.search(words) or (model and _GPU.search(words)):
        gpus = Fraction(1) if is_per_gpu else told_gpus or _counted_gpus(words, model)
        return GpuProduct(f"{model_name or 'unknown'} GPU", model_name, gpus)
    if told_gpus is not None:
        return GpuProduct(f"{model_name or 'unknown'} instance", model_name, told_gpus)
    return None


@lru_cache(maxsize=TEXTS_KEPT)
def find_instance(text: str) -> GpuProduct | None:
    """The instance type that a text names, where it is one of those that are known.

    >>> find_instance("AWS p5.48xlarge").gpus, find_instance("8x H100")
    (Fraction(8, 1), None)
    """
    words = text.lower().replace("_", " ")
    known, pattern = _known()
    match = pattern.search(words)
    return known[match[1]] if match else None


def _counted_gpus(words: str, model: re.Match[str] | None) -> Fraction | None:
    """GPUs of one unit of an accelerator: `8x H100`, `8 GPUs`; one where no whole machine is meant; else unknown."""
    several = (_SEVERAL.search(words, 0, model.start()) if model else None) or _COUNTED.search(words)
    if several and int(several[1]):
        return Fraction(int(several[1]))
    return Fraction(1) if _ACCELERATOR.search(words) and not _MACHINE.search(words) else None


def gpus_of_slices(slices: Iterable[tuple[int, Fraction]]) -> Fraction:
    """The whole GPUs that MIG slices are cut from. slices: (sevenths of a GPU, how many) of each profile.

    >>> gpus_of_slices([(3, Fraction(16))]), gpus_of_slices([(4, Fraction(1)), (3, Fraction(1))])
    (Fraction(8, 1), Fraction(1, 1))
    """
    profiles = [(size * number / 7, number / (7 // size)) for size, number in slices if 0 < size <= 7]
    sevenths = sum((share for share, _ in profiles), Fraction(0))
    return Fraction(math.ceil(max((sevenths, *(least for _, least in profiles)))))


@lru_cache(maxsize=1)
def _known() -> tuple[dict[str, GpuProduct], re.Pattern[str]]:
    """Products by their name in lower case, and a pattern that finds the longest of these names."""
    known = {}
    for row in read_gpu_instances():
        name = row["instance_type"].lower().replace("_", " ").removeprefix("standard ")
        known[name] = GpuProduct(row["instance_type"], row["gpu_model"], Fraction(row["gpus"]))
    names = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    return known, lazy_re(rf"(?<![a-z0-9.-])(?:ml\.)?(?:standard )?({names})(?![a-z0-9]| v\d| [a-z]+\d+ v\d)")


@lru_cache(maxsize=4096)
def model_within(text: str) -> str:
    """The one GPU model among the words of an order's line; empty where it names none, or several, or is for one.

    >>> [model_within(text) for text in ("Reserved capacity, H100 SXM, 12 mo", "H100 or A100", "A100 p5.48xlarge")]
    ['H100 SXM', '', '']
    """
    words = re.findall(r"\w+-\w+-\d+g\b|[\w.]+", _IS_FOR.split(text)[0])  # a3-highgpu-8g is no 8 GB
    models, read, at = dict[str, str](), gpu_families().read, 0
    while at < len(words):
        reads = ((size, read(" ".join(words[at : at + size]))) for size in (3, 2, 1))
        size, model = next((pair for pair in reads if pair[1] is not None), (1, None))
        at += size
        if model is not None:
            models[model.full] = model.family
    instance = find_instance(text)
    sold = read(instance.gpu_model or "") if instance is not None else None
    is_one = (
        len(models) == 1 and not _IS_EITHER.search(text) and (sold is None or sold.family in models.values())
    )
    return next(iter(models)) if is_one else ""


_IS_EITHER: Final = lazy_re(r"\b(?:or|oder|ou)\b")  # OR is a state
_IS_FOR: Final = lazy_re(r"(?i)\b(?:for|on(?![ -]?demand)|für|pour|auf(?! abruf)|sur)\b")
