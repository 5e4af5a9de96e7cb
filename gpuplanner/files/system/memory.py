"""Memory limit of the process, the minimum, and detection of errors from missing memory."""

import ctypes
import errno
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system.output_file import unreadable

ENGINE_MB: Final = 800
"""Memory of the embedded engine before it uses the disk."""

_NEEDED_MB: Final = 900  # address space, not only memory: programs and libraries take 600
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
    """Return the limit on the address space in millions of bytes; None without one."""
    if sys.platform == "win32":
        return None
    import resource

    soft = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    limits = [one for one in soft if one != resource.RLIM_INFINITY and one >= 0]
    return min(limits) // _MB if limits else None


_POOLS_OF_MEMORY: Final = -8
"""M_ARENA_MAX of glibc's malloc.h."""


def share_memory() -> None:
    """Let all threads take memory from two pools of the C library, where it has so many; before they start.

    By default each thread has its own, and what one frees no other uses: 50 MB once 5,000 workloads are shown.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").mallopt(_POOLS_OF_MEMORY, 2)


def give_memory_back() -> None:
    """Return freed memory from the C library to the system, if it can; takes milliseconds.

    With many threads glibc keeps much of it: after a quarter of an hour a window had grown by 350 MB, of which 100 MB
    were free.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)


OBJECTS_BETWEEN_COLLECTIONS: Final = 250_000
"""With the 700 of Python, work that makes many objects spends a fifth of its time on cycles that it has not.
The modules of the window make 210,000, and to look these through while they come takes a tenth of the start."""


@contextmanager
def few_collections() -> Iterator[None]:
    """Collect cycles rarely within this context; also a decorator. The threshold is of the whole process."""
    often, *rarely = gc.get_threshold()
    gc.set_threshold(max(often, OBJECTS_BETWEEN_COLLECTIONS), *rarely)
    try:
        yield
    finally:
        gc.set_threshold(often, *rarely)


def check_room() -> None:
    """Check the memory limit before libraries are loaded, because some end the process.

    Also limits the threads of numeric libraries. Errors: PlannerError file_unreadable for too little memory.
    """
    limit = limit_mb()
    if limit is None:
        return
    if limit < _NEEDED_MB:
        raise PlannerError(
            "gpuplanner",
            "file_unreadable",
            worded("the memory limit of {limit} MB is too low", limit=whole(limit)),
            worded(
                "allow {needed} MB or more, such as ulimit -v {kib}",
                needed=whole(2 * _NEEDED_MB),
                kib=str(2 * _NEEDED_MB * 1000),
            ),
        )
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # each thread takes address space, used or not
        os.environ.setdefault(name, "1")


def engine_mb() -> int:
    """Return the engine's share of `limit_mb`, in millions of bytes."""
    limit = limit_mb()
    return ENGINE_MB if limit is None else min(ENGINE_MB, max(_ENGINE_MB_AT_LEAST, limit - _NEEDED_MB))


def is_want_of_disk(error: BaseException) -> bool:
    """Return whether an error of the engine or the system means a full disk."""
    text = str(error).lower()
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    return full or any(sign in text for sign in _SIGNS_OF_DISK)


def is_want_of_memory(error: BaseException) -> bool:
    """Return whether an error, or its cause, means missing memory, in the words of any library."""
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
    """Return the error for missing memory."""
    return unreadable(
        where,
        worded("not enough memory"),
        worded("close other programs, allow more memory, or choose fewer --days"),
    )
