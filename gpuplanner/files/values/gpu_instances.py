"""GPU instances: which instance type, GPU model and how many GPUs a cloud's words about a charge name."""

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

from gpuplanner.files.system.resources import gpu_families, read_gpu_instances
from gpuplanner.files.values.gpu_counts import DEVICE_WORDS
from gpuplanner.files.values.gpu_names import name_begun_with
from gpuplanner.files.values.numbers import TEXTS_KEPT
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

HINT: Final = r"gpu|nvidia|(^|[^a-z0-9])((p|gr?)[2-9][a-z0-9-]*\.|n[cdgv]{1,2}[0-9]|g[2-9]-standard)"
"""In lower case: a text without it names no GPUs. Cheap, so that few texts are left to be read."""

_NOT_THE_MACHINE: Final = DEVICE_WORDS["not_the_machine"]
"""Charges that name an instance type beside the instance itself: to count them would count its GPUs twice."""

_MODEL: Final = DEVICE_WORDS["model"]
_ACCELERATOR: Final = lazy_re(r"\bnvidia\b.*\bgpu\b|\bgpu[ -]?h(?:ou)?rs?\b|\bper gpu\b")
_GPU: Final = lazy_re(r"\bgpus?\b")
_SEVERAL: Final = lazy_re(r"(?<![a-z0-9.])(\d{1,2}) ?x (?:nvidia )?(?:tesla )?$")
_COUNTED: Final = lazy_re(r"(?<![a-z0-9.])(\d{1,3})[ -]?x? ?gpus?\b")
_MACHINE: Final = lazy_re(r"\b(?:node|server|cluster|instance|hgx|dgx|pod|machine)s?\b")
_GPU_COUNT: Final = lazy_re(r"gpu ?count[\"']? ?[:=] ?[\"']?(\d{1,4})(?![\d.])")
_UNKNOWN_INSTANCE: Final = DEVICE_WORDS["unknown_instance"]


@dataclass(frozen=True, slots=True)
class GpuProduct:
    """What one unit of a charge is. gpus: of one instance, or 1 where GPUs are charged; None: nobody has told yet.

    instance_type: as its cloud spells it, or what stands for it. gpu_model: None where it is unknown.
    """

    instance_type: str
    gpu_model: str | None
    gpus: Fraction | None


def names_gpus(text: str) -> bool:
    """Whether words about a charge name a GPU, or a machine of a family that has GPUs.

    >>> names_gpus("gd-8xh100ib-i128 hour"), names_gpus("m7i.xlarge hour"), names_gpus("GPU driver license")
    (True, False, False)
    """
    words = text.lower().replace("_", " ")
    if _NOT_THE_MACHINE.search(words):
        return False
    patterns = (_NAMED, _GPU, _UNKNOWN_INSTANCE, _known()[1])
    return any(pattern.search(words) for pattern in patterns)


_NAMED: Final = lazy_re(
    r"(?<![a-z0-9])(?:\d{1,2}x)?(?:gb[23]00|b[23]00|h[12]00|a100|a10g?|l40s?|l4|v100|p100|t4|mi3\d\dx)(?:ib|sxm|pcie|nvl)?"
    r"(?![a-z0-9]|\.[a-z])"
)
"""Names of GPUs, also glued to their number or variant as sellers of one product write them."""


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


@lru_cache(maxsize=1)
def _known() -> tuple[dict[str, GpuProduct], re.Pattern[str]]:
    """Products by their name in lower case, and a pattern that finds the longest of these names."""
    known = {}
    for row in read_gpu_instances():
        name = row["instance_type"].lower().replace("_", " ").removeprefix("standard ")
        known[name] = GpuProduct(row["instance_type"], row["gpu_model"], Fraction(row["gpus"]))
        if row["instance_type"].startswith("Standard_"):  # a cost analysis writes ND96isrH100v5
            known[name.replace(" ", "")] = known[name]
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
