"""What the normal run takes of many cases of one law; the long run takes them all.

A case is the value of one argument, or the tuple of all; a tuple for one argument stands in another tuple. A
`pytest.param` keeps its marks and name.
"""

from collections.abc import Iterable
from typing import Final

import pytest
from _pytest.mark import ParameterSet
from hypothesis import settings

LONG_RUN: Final = "long"
"""The name of the settings of hypothesis in the long run."""

_MORE_OF_THE_LONG_RUN: Final = 10


def some_of(cases: Iterable[object], quick: int) -> list[object]:
    """All cases for `parametrize`: the first few are for every change, the others for the long run."""
    return [_marked(case, place < quick) for place, case in enumerate(cases)]


def one_in(few: int, cases: Iterable[object]) -> list[object]:
    """All cases, of which the first of every few is for every change: where neighbours are much alike."""
    return [_marked(case, place % few == 0) for place, case in enumerate(cases)]


def examples(quick: int) -> int:
    """How many examples of a law whose every example costs much: so many, in the long run ten times as many."""
    is_long = settings.get_current_profile_name() == LONG_RUN
    return quick * _MORE_OF_THE_LONG_RUN if is_long else quick


def stride(quick: int) -> int:
    """How far apart the steps of a process are that a law is tried at: so far, in the long run each."""
    return 1 if settings.get_current_profile_name() == LONG_RUN else quick


def _marked(case: object, is_quick: bool) -> object:
    marks = () if is_quick else (pytest.mark.long,)
    if isinstance(case, ParameterSet):
        return pytest.param(*case.values, marks=(*case.marks, *marks), id=case.id)
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=marks)
