"""A formula is changed: every document, text, brief and book that shows the figure, or one that stands on it, moves."""

from contextlib import suppress
from functools import cache

import pytest

from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.subjects import formulas
from gpuplanner.domain.reports.every_report import REPORTS
from gpuplanner.domain.reports.report import Medium
from tests.domain.figures.mutants import mutants, with_formula
from tests.golden.headless import outputs

pytestmark = pytest.mark.long

FOLDER = "endpoints"
"""A project in which every contract has a rate, jobs, and a price on demand to compare with."""
FOLDERS = {"run": "clusters", "experiment": "demo"}
"""Projects that have what a subject is about, where it is another."""
FILES = {Medium.TERMINAL: "audit.txt", Medium.DOCUMENT: "audit.json", Medium.BRIEF: "brief.txt"}
COUNTED = frozenset(("paid_gpu_hours",))
"""What the engine counts hour by hour: the formula alone explains it, and must come to it (test_answers)."""
IN_THE_BOOK = {
    "contract": {
        "utilization",
        "break_even_utilization",
        "paid_in_window",
        "allocated_in_window",
        "unused_in_window",
    }
}
"""Figures that have a column of live cells, by subject."""
ALL = [pytest.param(subject, one, id=f"{subject.name}-{one.key}") for subject, one in formulas()]


@cache
def accepted(folder: str) -> dict[str, str]:
    return dict(outputs(folder))


def stands_on(subject: Subject, one: Figure) -> set[str]:
    """Keys of a figure and of all that stand on it, as far as they are worked out by formulas."""
    found = {one.key}
    for other in subject.figures:
        if other.key not in COUNTED and found & set(other.parameters):
            found.add(other.key)
    return found


@pytest.mark.parametrize(("subject", "one"), ALL)
def test_all_that_shows_it_moves(subject, one):
    if one.key in COUNTED:
        pytest.skip("counted hour by hour")
    keys = stands_on(subject, one)
    expected = {
        FILES[medium]
        for of, report in REPORTS
        if of is subject
        for medium in FILES
        for column in report.columns_in(medium)
        if keys & {column.name, column.flag.key if column.flag else ""}
    }
    if keys & IN_THE_BOOK.get(subject.name, set()):
        expected.add("workbook.txt")
    folder = FOLDERS.get(subject.name, FOLDER)
    left, now = set(expected), accepted(folder)
    for _, changed in mutants(one.formula):  # one factor moves no flag that no contract is near
        if left:
            with (
                with_formula(one, changed),
                suppress(TypeError),
            ):  # a unit may not allow it: that is seen, too
                now = outputs(folder)
            left -= {name for name, text in now.items() if text != accepted(folder)[name]}
    assert not left
