"""What names of boards say beside the model: a slice of it or several users; the model that a name begins with."""

import re
from typing import Final

from gpuplanner.files.system.resources import gpu_families
from gpuplanner.lazy_re import lazy_re

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
