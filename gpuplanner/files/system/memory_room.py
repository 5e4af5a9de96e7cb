"""How much memory this process may have where it is limited, what is too little, and what want of it looks like."""

import errno
import os
import sys
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError

ENGINE_MB: Final = 800
"""What the embedded engine may take before it goes on beside the disk."""

_NEEDED_MB: Final = 900  # addresses, not all of them memory: programs and libraries alone take 600
_ENGINE_MB_AT_LEAST: Final = 200
_MB: Final = 10**6
_SIGNS: Final = (
    "cannot allocate memory",
    "failed to map segment",
    "bad_alloc",
    "bad allocation",
    "could not allocate",
    "allocation failure",
    "can't start new thread",
    "out of memory",
)
_SIGNS_OF_DISK: Final = (
    "max_temp_directory_size",
    "no space left",
    "disk quota",
    "not enough space on the disk",
)


def limit_mb() -> int | None:
    """Millions of bytes of addresses that this process may have; None where nobody limited it."""
    if sys.platform == "win32":
        return None
    import resource

    soft = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    limits = [one for one in soft if one != resource.RLIM_INFINITY and one >= 0]
    return min(limits) // _MB if limits else None


def check_room() -> None:
    """Before any library is loaded: with too little some end the process. Errors: PlannerError file_unreadable."""
    limit = limit_mb()
    if limit is None:
        return
    if limit < _NEEDED_MB:
        raise PlannerError(
            "gpuplanner",
            "file_unreadable",
            worded("it may have {limit} MB of memory here, too few to work in", limit=whole(limit)),
            worded("allow it {needed} MB or more, as with ulimit -v {kib}", needed=whole(2 * _NEEDED_MB),
                   kib=str(2 * _NEEDED_MB * 1000)),
        )  # fmt: skip
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # each takes addresses of its own, used or not
        os.environ.setdefault(name, "1")


def engine_mb() -> int:
    """Of `limit_mb`, what the engine may take."""
    limit = limit_mb()
    return ENGINE_MB if limit is None else min(ENGINE_MB, max(_ENGINE_MB_AT_LEAST, limit - _NEEDED_MB))


def is_want_of_disk(error: BaseException) -> bool:
    """Whether an error of the engine, or of the system, says that a disk is full."""
    text = str(error).lower()
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    return full or any(sign in text for sign in _SIGNS_OF_DISK)


def is_want_of_memory(error: BaseException) -> bool:
    """Whether an error, or what it came from, says that there is no memory, however a library says it."""
    if is_want_of_disk(error):
        return False
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, MemoryError) or (isinstance(seen, OSError) and seen.errno == errno.ENOMEM):
            return True
        if any(sign in str(seen).lower() for sign in _SIGNS) and not isinstance(seen, PlannerError):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


def want_of_memory(where: str = "gpuplanner") -> PlannerError:
    """What is wrong, and what to do."""
    return PlannerError(
        where,
        "file_unreadable",
        worded("there is not enough memory"),
        worded("close other programs or allow more, or choose a shorter window with --days"),
    )
