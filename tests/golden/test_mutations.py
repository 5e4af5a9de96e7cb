"""A formula is changed: all that shows the figure, or one that stands on it, moves, and nothing keeps its value.

A rendering that does not move with its formula works the figure out a second time.
"""

import math
from collections.abc import Iterator, Set
from contextlib import suppress
from functools import cache, wraps
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.figures.columns import GpuHours
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.subjects import formulas
from tests.domain.figures.mutants import mutants, with_formula
from tests.golden.readings import NOT_ALLOWED, Readings
from tests.golden.shown_in import IN_OTHER_FIGURES, SHOWN

pytestmark = pytest.mark.long

FOLDERS = ("endpoints", "clusters", "dates")
"""Small projects: of every subject one has something."""
ALL = [pytest.param(subject, one, id=f"{subject.name}-{one.key}") for subject, one in formulas()]
Path = tuple[str | int, ...]


@cache
def accepted(folder: str) -> Readings:
    return Readings(folder)


def fields(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every field of a document that is no object and no list, with where it stands."""
    inner = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    )
    if inner is None:
        yield path, value
    else:
        for name, one in inner:
            yield from fields(one, (*path, name))


@cache
def numbers_of(folder: str) -> dict[Path, float]:
    """The numbers of a document that nobody writes by chance: of at least six digits that are not 0."""
    found = fields(accepted(folder).document)
    return {path: value for path, value in found if isinstance(value, float) and is_own(value)}


def is_own(value: float) -> bool:
    return math.isfinite(value) and len(f"{value:.9g}".replace(".", "").lstrip("-0").rstrip("0")) >= 6


def values_of(one: Figure, folder: str) -> Set[float]:
    """All that the formula comes to, over columns, while a project is worked out."""
    found: set[float] = set()
    formula = one.formula
    assert formula is not None

    @wraps(formula)
    def kept(**operands: Any) -> Any:
        column = formula(**operands)
        values = column.hours if isinstance(column, GpuHours) else column
        if isinstance(values, np.ndarray):
            found.update(filter(is_own, values.ravel().tolist()))
        return column

    with with_formula(one, kept):
        Readings(folder).document  # noqa: B018
    return found


def is_moved(now: str, before: str) -> bool:
    """Whether a text says anything else than before, beside what a unit did not allow."""
    return any(NOT_ALLOWED not in line for line in set(now.splitlines()) - set(before.splitlines()))


def moved(one: Figure, media: frozenset[str]) -> set[str]:
    """Those of the media that move with a change of a formula; the first projects and changes that move all will do."""
    seen = set[str]()
    for folder in FOLDERS:
        for _, changed in mutants(one.formula):
            now = Readings(folder)
            for medium in media - seen:
                before = after = accepted(folder).text(medium)
                with with_formula(one, changed), suppress(TypeError):  # a unit may not allow it
                    after = now.text(medium)
                if is_moved(after, before):
                    seen.add(medium)
        if media <= seen:
            break
    return seen


def moving_numbers(one: Figure, folder: str) -> Set[Path]:
    """Where the numbers of a document stand that move with a formula."""
    before = numbers_of(folder)
    for _, changed in mutants(one.formula):
        with with_formula(one, changed), suppress(TypeError):
            document = Readings(folder).document
            now = dict(fields(document))
            return {at for at, value in before.items() if now.get(at) != value}
    return set()


@pytest.mark.parametrize(("subject", "one"), ALL)
def test_all_that_shows_it_moves(subject, one):
    shown = frozenset(SHOWN[subject.name][one.key].split())
    assert shown, "a figure that nobody sees is none"
    assert moved(one, shown) == shown


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_number_that_a_formula_comes_to_is_worked_out_a_second_time(folder):
    ours = [one for _, one in formulas()]
    moving = set().union(*(moving_numbers(one, folder) for one in ours))
    values = set().union(*(values_of(one, folder) for one in ours))
    twins = {named(at) for at, value in numbers_of(folder).items() if value in values and at not in moving}
    assert twins <= IN_OTHER_FIGURES.keys()


def named(path: Path) -> str:
    """A field without the places of rows: contracts.cost_usd_per_month."""
    return ".".join(part for part in path if isinstance(part, str))
