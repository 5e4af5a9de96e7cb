"""The list of a plan in the book: a start, an end, a term, an offer or GPUs that are typed move all that sums over it.

Demand is flat, so that what it comes to is counted here hour by hour, from the typed list alone.
"""

import re
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.comparison_months import ADVISED, column_of
from tests.files.workbook.evaluations import evaluation_of
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, formulas_of
from tests.files.workbook.test_recalculated import light_of, summary_of
from tests.files.workbook.what_if import EPOCH, GPUS, day_count, list_cells
from tests.oracle.projects import Case

DEMAND, USE, FALL, CONTRACT, ENDS_H = 9, 6.88, 0.01, (4, 2.6), 2000
OFFERS = {"c12-H100": (12, 2.0), "c03-H100": (3, 2.9)}
MONTHS = range(12)

LEAD_H = 48


@dataclass(frozen=True)
class Held:
    """An order: from and to in hours of the plan; signed: the month whose price it has."""

    gpus: float
    from_h: float
    to_h: float
    offer: str = "c12-H100"

    @property
    def rate(self):
        """That of the month in which it is placed."""
        month = int(max(self.from_h - LEAD_H, 0) // 730)
        return OFFERS[self.offer][1] * (1 - FALL) ** month


def flat(**of_offers):
    case = Case(192, sigma=0.0, delta=FALL, growth=0.0, slices_lived=False, **{"lambda": 0.0})
    case.workload("alpha", "chat", "inference", DEMAND)
    case.contract("a", "alpha", CONTRACT[0], CONTRACT[1], ends=ENDS_H / 730, term_months=12)
    case.offers_of("H100", USE, dict(OFFERS.values()), lead_time_hours=LEAD_H, **of_offers)
    return evaluation_of(case)


def months_by_hand(orders):
    """$ of each month: contract, orders, and of each hour what nobody holds at the price of its month."""
    answer = []
    for month in MONTHS:
        usd = 0.0
        for hour in range(730 * month, 730 * (month + 1)):
            of_contract = CONTRACT[0] if hour < ENDS_H else 0
            running = [one for one in orders if one.from_h <= hour < one.to_h]
            usd += of_contract * CONTRACT[1] + sum(one.gpus * one.rate for one in running)
            left = max(DEMAND - of_contract - sum(one.gpus for one in running), 0)
            usd += left * USE * (1 - FALL) ** month
        answer.append(usd)
    return answer


def month_0_by_hand(orders):
    """Unused $, utilization and lock-in of month 0, by the same hours."""
    unused = served = paid = 0.0
    for hour in range(730):
        held = sum(one.gpus for one in orders if one.from_h <= hour < one.to_h)
        used = min(held, DEMAND - CONTRACT[0])
        dollars = sum(one.gpus * one.rate for one in orders if one.from_h <= hour < one.to_h)
        unused += dollars * (1 - used / held) if held else 0.0
        by_use = DEMAND - CONTRACT[0] - used
        served += CONTRACT[0] + used + by_use
        paid += CONTRACT[0] + held + by_use
    bound = CONTRACT[0] * CONTRACT[1] * ENDS_H
    for one in orders:
        hours = max(0, min(one.to_h, 730) - max(one.from_h, 0))
        bound += one.gpus * one.rate * hours * (one.to_h - one.from_h) / 730
    return unused, served / paid, bound / months_by_hand(orders)[0]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    evaluation, path = flat(), tmp_path_factory.mktemp("list") / "plan.xlsx"
    write_workbook(evaluation, path, 0)
    return evaluation, path


def listed(evaluation):
    begins_s = evaluation.project.plan_window.end_s
    return [
        Held(one.bought_gpus, (one.start_s - begins_s) / 3600, (one.end_s - begins_s) / 3600, one.offer_id)
        for one in evaluation.advice.orders
    ]


def test_the_list_as_written_comes_to_what_is_counted_by_hand(made):
    evaluation, path = made
    orders = listed(evaluation)
    assert [(one.gpus, one.from_h) for one in orders] == [(5, 48), (4, ENDS_H)]
    assert column_of(path, ADVISED) == pytest.approx(months_by_hand(orders))
    assert_month_0(path, orders)


@pytest.mark.long
def test_the_day_at_the_longest_lead_is_a_formula_of_hours(tmp_path):
    """It was the start less a literal number of days."""
    evaluation, path = flat(lead_time_high_hours=240), tmp_path / "plan.xlsx"
    write_workbook(evaluation, path, 0)
    order, *_ = evaluation.advice.orders
    cells, formulas = cells_of(path)["Calc orders"], formulas_of(path)["Calc orders"]
    of = SheetCells(cells)
    (by, head), (ahead, _) = map(
        of.column, ("Order by at the longest lead (UTC)", "Ahead at the longest lead, h")
    )
    at = next(row for row in range(head + 1, head + 9) if isinstance(cells.get(f"{ahead}{row}"), int | float))
    assert cells[f"{ahead}{at}"] == 240
    assert f"{ahead}{at}/24" in formulas[f"{by}{at}"].replace("$", "")
    by_day = day_count(EPOCH + timedelta(seconds=order.last_day_high_s))
    assert day_count(cells[f"{by}{at}"]) == pytest.approx(by_day, abs=1e-4)


def test_the_first_month_is_called_so_on_every_sheet_and_the_last_is_the_twelfth(made):
    """Comparison, Demand, Dates and Method had a *Month 0*, and *Month 11* was what the window calls month 12."""
    book = cells_of(made[1])
    said = {sheet: [one for one in book[sheet].values() if isinstance(one, str)] for sheet in book}
    assert any("first month" in one for one in said["Check list"])
    assert {"First month", "Month 12", "$, first month", "$, month 12"} <= set(said["Calc months"])
    wrong = re.compile(r"\bmonth [01]\b", re.IGNORECASE)
    assert not [(sheet, one) for sheet, found in said.items() for one in found if wrong.search(one)]


def assert_month_0(path, orders):
    here, (unused, utilization, lock_in) = summary_of(path), month_0_by_hand(orders)
    assert here["plan_usd_per_month"] == pytest.approx(months_by_hand(orders)[0])
    assert here["unused_plan_usd_per_month"] == pytest.approx(unused, abs=0.01)
    assert here["effective_utilization_plan"] == pytest.approx(utilization)
    assert here["lock_in_months"] == pytest.approx(lock_in)


def edits(evaluation, cells):
    """Name, typed cells, and the list that it makes."""
    first, second = listed(evaluation)
    order, later = evaluation.advice.orders
    gpus, start, end, term, number = list_cells(
        cells, order, GPUS, "Start", "End", "Term, months", "Offer no."
    )
    begins = EPOCH + timedelta(seconds=evaluation.project.plan_window.end_s)
    offers = [offer.offer_id for offer in evaluation.project.offers]
    other = offers.index("c03-H100") + 1
    [ends_of_later] = list_cells(cells, later, "End")

    def day(hours):
        return day_count(begins + timedelta(hours=hours))

    yield "a later start", {start: day(400)}, [replace(first, from_h=400, to_h=400 + 8760), second]
    yield "a start after month 0", {start: day(1500)}, [replace(first, from_h=1500, to_h=1500 + 8760), second]
    yield "an earlier end", {end: day(600)}, [replace(first, to_h=600), second]
    yield "another term", {term: 6}, [replace(first, to_h=48 + 6 * 730), second]
    yield "another offer", {number: other}, [replace(first, to_h=48 + 3 * 730, offer="c03-H100"), second]
    yield "fewer GPUs", {gpus: 2}, [replace(first, gpus=2), second]
    yield "more GPUs", {gpus: 7}, [replace(first, gpus=7), second]
    yield "an end of another", {ends_of_later: day(5000)}, [first, replace(second, to_h=5000)]


@pytest.mark.long
def test_what_is_typed_into_the_list_moves_months_layers_and_totals(need_tool, made, tmp_path):
    evaluation, path = made
    changes = list(edits(evaluation, cells_of(path)))
    books = [
        changed_copy(
            path, tmp_path / f"{at}.xlsx", {("Calc orders", cell): value for cell, value in typed.items()}
        )
        for at, (_, typed, _) in enumerate(changes)
    ]
    again = Recalculator(need_tool("soffice"), tmp_path / "soffice").recalculated(*books)
    for (name, _, orders), book in zip(changes, again, strict=True):
        assert column_of(book, ADVISED) == pytest.approx(months_by_hand(orders), abs=0.01), name
        assert_month_0(book, orders)
        assert light_of(book) == "changed", name
        assert to_sign_now(book) == pytest.approx(
            sum(liability(one) for one in orders if one.from_h - 48 < 730)
        ), name


def liability(order):
    return order.gpus * order.rate * (order.to_h - order.from_h)


def to_sign_now(book):
    cells = SheetCells(cells_of(book)["Calc months"])
    return cells.cells[cells.under("$", A="Orders to sign now")]
