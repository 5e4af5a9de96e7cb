"""Names of Kubernetes resources: which are GPUs, slices of them or their memory, and the model that a name tells."""

from fractions import Fraction
from typing import Final

from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.values.gpu_counts import DEVICE_WORDS
from gpuplanner.files.values.gpu_instances import model_within
from gpuplanner.files.values.gpu_names import name_begun_with
from gpuplanner.lazy_re import lazy_re

_OF_VENDOR: Final = lazy_re(r"^(?:nvidia\.com|amd\.com|gpu\.intel\.com)/(.+)$")
_OF_ANYONE: Final = lazy_re(r"^[\w.-]+/([\w.-]+)$")
_OF_SCHEDULER: Final = ("volcano.sh/gpu-number", "aliyun.com/gpu")
_NO_GPU: Final = DEVICE_WORDS["no_gpu_resource"]
_PLAIN: Final = lazy_re(r"^[pv]?gpus?$|^(?:i915|xe)$")
"""Tails that name a GPU and no model."""

_SHARED: Final = lazy_re(r"^nvidia\.com/.+\.shared$")
_SLICE: Final = lazy_re(r"^nvidia\.com/(?:(.+)[-_.])?mig-(\d)g\.\d+gb(?:\..*)?$")
_PARTITION: Final = lazy_re(r"^amd\.com/(?:(.+)[-_.])?([sdtqc]px)(?:[-_.]?nps\d)?$")
_PARTITIONS_OF_A_GPU: Final = {"spx": 1, "dpx": 2, "tpx": 3, "qpx": 4, "cpx": 8}
_VIRTUAL: Final = lazy_re(r"-\d+[abcq]$")
"""How a profile of a virtual GPU ends: its memory in GB and its licence."""

_MEMORY: Final = lazy_re(r"(?:gpu|cuda)[\w.-]*mem")
_RATIO: Final = lazy_re(r"(?:ratio|percentage|percent)$")


def slice_of(name: str) -> Fraction | None:
    """The part of a GPU that a slice or partition is; None where the resource is none.

    >>> slice_of("nvidia.com/mig-3g.20gb"), slice_of("amd.com/mi300x-dpx_nps1"), slice_of("nvidia.com/gpu")
    (Fraction(3, 7), Fraction(1, 2), None)
    """
    if profile := _SLICE.match(name.lower()):
        return Fraction(int(profile[2]), 7)
    if profile := _PARTITION.match(name.lower()):
        return Fraction(1, _PARTITIONS_OF_A_GPU[profile[2]])
    return None


def is_mig(name: str) -> bool:
    """Whether a resource is a slice of the kind that does not fill its GPU evenly."""
    return _SLICE.match(name.lower()) is not None


def is_shared(name: str) -> bool:
    """Whether a resource is a GPU that is handed out several times over."""
    return _SHARED.match(name) is not None


def is_virtual(name: str) -> bool:
    """Whether a resource is a virtual GPU whose part of a card is not told."""
    return _VIRTUAL.search(name.lower()) is not None


def is_plain(name: str) -> bool:
    """Whether a resource is a GPU by a name that every plug-in uses, so that it may come in parts.

    >>> is_plain("nvidia.com/gpu"), is_plain("nvidia.com/a100")
    (True, False)
    """
    tail = _OF_VENDOR.match(name)
    return name in _OF_SCHEDULER or (tail is not None and _PLAIN.match(tail[1]) is not None)


def is_whole(name: str, number: Fraction | None) -> bool:
    """Whether a resource counts GPUs: of the vendors' resources each that is no known other device, and of those of
    anybody else the ones that are called like a GPU model.

    number: of the resource; under a name of its own only a whole number is one of GPUs.

    >>> [is_whole(name, Fraction(4)) for name in ("nvidia.com/a100", "nvidia.com/hostdev", "example.com/h100")]
    [True, False, True]
    """
    if is_plain(name):
        return True
    tail = _OF_VENDOR.match(name)
    is_gpu = tail is not None and not _NO_GPU.search(tail[1])
    is_gpu = is_gpu or _named_model(name) != ""
    return is_gpu and (number is None or number.denominator == 1)


def model_of(name: str) -> str:
    """The GPU model that the tail of a resource's name tells; empty where it is a plain one, or no vendor's.

    >>> model_of("nvidia.com/a100"), model_of("nvidia.com/GA102GL_A10"), model_of("nvidia.com/gpu")
    ('A100', 'A10', '')
    """
    tail = _OF_VENDOR.match(name.removesuffix(".shared"))
    if tail is None:
        return _named_model(name)
    if _PLAIN.match(tail[1]):
        return ""
    parted = _SLICE.match(name.lower()) or _PARTITION.match(name.lower())
    if parted and not parted[1]:
        return ""
    text = parted[1] if parted else _VIRTUAL.sub("", tail[1])
    text = lazy_re(r"(?i)^[pv]?gpu[-_.]").sub("", text)
    read = gpu_families().read(text)
    known = read.full if read is not None else name_begun_with(text)
    return known or model_within(text.replace("_", " ").replace("-", " ")) or text


def _named_model(name: str) -> str:
    """The GPU model that a resource of anybody is called like; empty where it is called otherwise."""
    tail = _OF_ANYONE.match(name)
    if tail is None or DEVICE_WORDS["other_device"].search(name):
        return ""
    read = gpu_families().read(tail[1])
    return "" if read is None else read.full


def is_memory(name: str) -> bool:
    """Whether a resource is memory of GPUs.

    >>> is_memory("tencent.com/vcuda-memory"), is_memory("nvidia.com/gpu")
    (True, False)
    """
    return _MEMORY.search(name.lower()) is not None


def is_ratio(name: str) -> bool:
    """Whether memory of GPUs is told in hundredths of a card."""
    return _RATIO.search(name.lower()) is not None
