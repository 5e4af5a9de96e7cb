"""Formulas hide no constants: each number in them is of the arithmetic, a key of a row, or a named cell."""

import re

import pytest

from gpuplanner.files.workbook.inputs.assumptions_sheet import CURRENCY, FIXED_NUMBERS
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import evaluation_of, two_clusters_evaluated
from tests.files.workbook.plan.test_advised_months import ahead
from tests.files.workbook.recalculate import cells_of, formulas_of, names_of
from tests.oracle.projects import random_case
from tests.some_of import some_of

ARITHMETIC = {"0", "1", "2", "3", "4", "5", "6", "100"}
"""Nothing, one, halves, counts of operands (COUNT(...)=3), kinds of layers, digits of ROUND, percent."""
OF_TIME = {
    "24": "hours of a day",
    "60": "minutes of an hour",
    "168": "hours of a week",
    "3600": "seconds of an hour",
}
OF_TIME |= {
    "86400": "seconds of a day",
    "25569": "1 January 1970 as a day number",
    "72": "from a Thursday to a Monday",
}
OF_TEXT = {
    "10": "letters of a day in ISO",
    "12": "where its time begins",
    "8": "letters of that",
    "90": "letters of the words behind the status",
}
OF_ORDER = {"1000000000": "no end", "1e+99": "a rate nobody states comes last"}
LEAST = 1e-5
"""Below this a number is what is left of a difference of floats."""
NOT_READ = {
    "Check list": "figures of the app, and cells as exported",
    "Audit": "the 40% that the title of a flag says",
}
"""Sheets with other numbers, and what these are."""
OF_PLACES = {
    "Calc months": {str(month) for month in range(12)},
    "Method and checks": {str(place) for place in range(11)},
}
"""By sheet: numbers of its months, and of the changes that it lists."""
PARTS = re.compile(
    r'"(?:[^"]|"")*"|\'[^\']*\'!|\w+\[(?:[^\[\]]|\[[^\]]*\])*\]|\$?[A-Z]{1,3}\$?\d+(?![\w(])|[A-Za-z_\\][\w.]*'
    r"|(\d+\.?\d*(?:[eE][-+]?\d+)?)"
)
KEYS = re.compile(r"SUMIFS\([^()]*\)|=\d+\)|(?<=MATCH\()\d+(?=,)")


@pytest.fixture(scope="module", params=some_of(["in nodes", "two clusters", "seed 1", "seed 7"], quick=1))
def book(request, tmp_path_factory):
    made = {"two clusters": lambda: two_clusters_evaluated(), "in nodes": ahead}
    make = made.get(request.param) or (lambda: evaluation_of(random_case(int(request.param[5:]))))
    path = tmp_path_factory.mktemp("constants") / "plan.xlsx"
    write_workbook(make(), path, 0)
    return path


def constants_in(formula, more=()):
    """The numbers of a formula that are neither of the arithmetic nor keys of rows. more: that are no others."""
    found = [part for part in PARTS.findall(KEYS.sub("", formula)) if part]
    plain = {*ARITHMETIC, *OF_TIME, *OF_TEXT, *OF_ORDER, *more}
    return [one for one in found if one not in plain and float(one) > LEAST and abs(float(one) - 1) > LEAST]


def test_formulas_hide_no_constants(book):
    hidden = {
        f"{title}!{at}": found
        for title, cells in formulas_of(book).items()
        if title not in NOT_READ
        for at, formula in cells.items()
        if (found := constants_in(formula, OF_PLACES.get(title, ())))
    }
    assert hidden == {}


def test_a_constant_would_be_found():
    assert constants_in("=IF('Contract inputs'!$M$6>0,'Contract inputs'!$N$6*0.95,7)") == ["0.95", "7"]
    assert (
        constants_in("=SUMIFS('Calc demand'!$B$14:$B$20,'Calc demand'!$C$14:$C$20,17)*hours_per_month") == []
    )
    assert constants_in('=IF(List[[Rate, $ per 12 GPU-h]]=2,"40",ROUND(A1,6))') == []


def test_fixed_numbers_are_named_cells_with_unit_and_source(book):
    cells, names = cells_of(book), names_of(book)
    read = " ".join(formula for sheet in formulas_of(book).values() for formula in sheet.values())
    for one in FIXED_NUMBERS:
        sheet, at = names[one.name]
        assert cells[sheet][at] == pytest.approx(one.value)
        assert cells[sheet][f"C{at[1:]}"] == one.unit
        assert cells[sheet][f"G{at[1:]}"] == one.source
    assert "demand_percentile" in read
    assert "timeline_months" in read
    sheet, at = names[CURRENCY]
    assert cells[sheet][at] == "USD"
