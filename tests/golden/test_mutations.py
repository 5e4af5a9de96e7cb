"""A formula is changed: all that shows the figure, or one that stands on it, moves, and nothing keeps its value.

A rendering that does not move with its formula works the figure out a second time.
"""

import math
from collections.abc import Callable, Iterator, Set
from contextlib import ExitStack, suppress
from functools import cache, wraps
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.figures.figure import Figure, GpuHours
from gpuplanner.domain.figures.subjects import formulas
from tests.domain.figures.mutants import mutants, with_formula
from tests.golden.readings import NOT_ALLOWED, Readings
from tests.golden.shown_in import IN_COMPARE, IN_DIALOG, INPUTS, SHOWN

FOLDERS = ("endpoints", "clusters", "dates")
"""Small projects: of nearly every subject one has something."""
OTHERS = {
    **dict.fromkeys(("experiment", "sizing", "site_set", "way"), ("demo",)),
    "lost_with_checkpoints": ("demo",),
    **dict.fromkeys(("owned", "energy"), ("owned",)),
    "no_more_per_month": ("contracts_alone",),
    "run_kg_co2": ("demo",),
    "due_at_once": ("owned",),
    "saves_over_term": ("demo",),
    "published": ("dates",),
}
"""Where no small one has the subject, or the figure."""
ALL = [pytest.param(subject, one, id=f"{subject.name}-{one.key}") for subject, one in formulas()]
NOT_THERE = (TypeError, RuntimeWarning)
"""A unit or a nought may not allow a changed formula."""
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


def values_of_formulas(folder: str) -> Set[float]:
    """All that formulas come to, over columns, while a project is worked out."""
    found: set[float] = set()

    def kept(formula: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(formula)
        def calls(*operands: Any, **named: Any) -> Any:
            column = formula(*operands, **named)
            values = column.hours if isinstance(column, GpuHours) else column
            if isinstance(values, np.ndarray):
                found.update(filter(is_own, values.ravel().tolist()))
            return column

        return calls

    with ExitStack() as stack:
        for _, one in formulas():
            stack.enter_context(with_formula(one, kept(one.formula)))
        assert Readings(folder).document
    return found


def is_moved(now: str, before: str) -> bool:
    """Whether a text says anything else than before, beside what a unit did not allow."""
    return any(NOT_ALLOWED not in line for line in set(now.splitlines()) - set(before.splitlines()))


def moved(one: Figure, media: frozenset[str], folders: tuple[str, ...]) -> set[str]:
    """Those of the media that move with a change of a formula; the first projects and changes that move all will do."""
    seen = set[str]()
    for folder in folders:
        for _, changed in mutants(one.formula):
            now = Readings(folder)
            for medium in media - seen:
                before = after = accepted(folder).text(medium)
                with with_formula(one, changed), suppress(*NOT_THERE):
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
        with with_formula(one, changed), suppress(*NOT_THERE):
            document = Readings(folder).document
            now = dict(fields(document))
            return {at for at, value in before.items() if now.get(at) != value}
    return set()


def test_every_formula_says_where_it_is_seen():
    """In the normal run, so that a new one is not left out of the long one."""
    said = {(subject, key): set(media.split()) for subject, of in SHOWN.items() for key, media in of.items()}
    assert said.keys() == {(subject.name, one.key) for subject, one in formulas()}
    assert all(said.values()), "a figure that nobody sees is none"
    assert set().union(*said.values()) - {IN_COMPARE, IN_DIALOG} <= set(dir(Readings))


@pytest.mark.long
@pytest.mark.parametrize(("subject", "one"), ALL)
def test_all_that_shows_it_moves(subject, one):
    shown = frozenset(SHOWN[subject.name][one.key].split())
    if shown in ({IN_COMPARE}, {IN_DIALOG}):
        pytest.skip("between two plans")
    assert moved(one, shown, OTHERS.get(one.key) or OTHERS.get(subject.name, FOLDERS)) == shown


@pytest.mark.long
def test_no_number_that_a_formula_comes_to_is_worked_out_a_second_time():
    folder = FOLDERS[0]
    moving = set[Path]().union(*(moving_numbers(one, folder) for _, one in formulas()))
    values = values_of_formulas(folder)
    twins = {named(at) for at, value in numbers_of(folder).items() if value in values and at not in moving}
    assert twins <= INPUTS.keys()


def named(path: Path) -> str:
    """A field without the places of rows: contracts.cost_usd_per_month."""
    return ".".join(part for part in path if isinstance(part, str))
