"""Answers that are kept: the newest, up to so many bytes."""

import gc
from collections import OrderedDict
from collections.abc import Callable, Iterator
from sys import getsizeof
from types import FunctionType, ModuleType
from typing import Any, Final, Generic, TypeVar

import numpy as np

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project

KEPT_BYTES: Final = 8 * 2**20
"""Of each kind of answers, however many they are; the newest is kept whatever it holds."""
Answer = TypeVar("Answer")
_HELD_ELSEWHERE: Final = frozenset(
    (Audit, Project, Scenario, Workload, Contract, Offer, FunctionType, ModuleType)
)


def held_bytes(answer: object) -> int:
    """Bytes of all that hangs on an answer, without what the project and its audit hold too.

    A walk over every object, up to 0.2 s: for a worker.
    """
    seen, left, held = set[int](), [answer], 0
    while left:
        value = left.pop()
        if id(value) not in seen and type(value) not in _HELD_ELSEWHERE and not isinstance(value, type):
            seen.add(id(value))
            held += value.nbytes if isinstance(value, np.ndarray) else getsizeof(value)
            left.extend(gc.get_referents(value))
    return held


def weighed(work: Callable[[], Answer], held: int | None) -> tuple[Answer, int]:
    """In the thread: an answer and the bytes that it holds. held: where it is known from one that is alike."""
    answer = work()
    return answer, held_bytes(answer) if held is None else held


class Newest(Generic[Answer]):
    """Answers, the newest first; the oldest go where all together hold more than KEPT_BYTES.

    Answers about one audit hold about the same: the first of them is weighed.
    """

    def __init__(self) -> None:
        self._kept: list[tuple[Audit, int, Answer]] = []

    def __iter__(self) -> Iterator[Answer]:
        return (answer for _, _, answer in reversed(self._kept))

    def held(self, audit: Audit) -> int | None:
        """Bytes of the newest answer about an audit; None where none is kept."""
        return next((held for about, held, _ in reversed(self._kept) if about is audit), None)

    def keep(self, answer: Answer, audit: Audit, held: int) -> None:
        """This one, which holds so many bytes, is the newest from now on."""
        self._kept.append((audit, held, answer))
        while len(self._kept) > 1 and sum(held for _, held, _ in self._kept) > KEPT_BYTES:
            del self._kept[0]

    def keep_only(self, is_wanted: Callable[[Answer], bool]) -> None:
        """Those alone that can still be asked for."""
        self._kept = [kept for kept in self._kept if is_wanted(kept[2])]


def forget_oldest(kept: OrderedDict[Any, Any], size: int) -> None:
    while len(kept) > size:
        kept.popitem(last=False)
