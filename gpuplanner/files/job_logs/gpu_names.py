"""GPU models: the short name that people plan with, from what drivers and node labels call a board."""

import re
from typing import Final

_VENDORS: Final = re.compile(r"^(?:nvidia|amd|intel|tesla|geforce|instinct|graphics|device)[-_ ]*", re.I)
_BOARD: Final = re.compile(
    r"^(?:nvidia|amd|intel|tesla|geforce|quadro|instinct)[-_ ]*\S"
    r"|[-_ ](?:sxm\d?|pcie?|hbm\d[a-z]?|nvl|oam|hgx|dgx)(?![a-z0-9])",
    re.I,
)
_SHARED: Final = re.compile(r"-shared$", re.I)
_SLICE: Final = re.compile(r"-mig-(\d)g\.\d+gb(?:\.\w+|\+\w+)*$", re.I)
_SHORT: Final = re.compile(r"^(?:[ABHLPTV]|GB|GH|MI)\d{1,4}[A-Z]{0,2}$")


def short_gpu_name(board: str) -> str:
    """The model without vendor, socket and memory, where its first word is a model; else the rest as it is.

    >>> short_gpu_name("NVIDIA-A100-SXM4-80GB-MIG-1g.10gb"), short_gpu_name("Tesla V100-SXM2-16GB")
    ('A100', 'V100')
    >>> short_gpu_name("NVIDIA-GeForce-RTX-3090"), short_gpu_name("nvidia-h100-80gb")
    ('RTX-3090', 'H100')
    """
    name = _SLICE.sub("", _SHARED.sub("", board.strip()))
    while (shorter := _VENDORS.sub("", name)) != name:
        name = shorter
    first = re.split(r"[-_ ]", name, maxsplit=1)[0].upper()
    return first if _SHORT.match(first) else name


def model_of_board(name: str) -> str:
    """The short name where a text is what drivers and tools call a board; a name that people gave stays as it is.

    >>> model_of_board("nvidia_h100_80gb_hbm3"), model_of_board("A100-SXM4-80GB"), model_of_board("a100-80gb")
    ('H100', 'A100', 'a100-80gb')
    """
    return short_gpu_name(name) if _BOARD.search(name.strip()) else name


def slice_sevenths(board: str) -> int | None:
    """The sevenths of a GPU that a board named as a MIG slice is; None for a whole one.

    >>> slice_sevenths("NVIDIA-A100-SXM4-40GB-MIG-3g.20gb")
    3
    """
    found = _SLICE.search(board.strip())
    return int(found[1]) if found else None


def is_shared_name(board: str) -> bool:
    """Whether the device plugin marked the board as handed out several times over."""
    return _SHARED.search(board.strip()) is not None
