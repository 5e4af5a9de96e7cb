"""The workbook in a spreadsheet program: recalculated from scratch, changed, and damaged."""

import csv
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest

from gpuplanner.domain.model.book.all_in_rate import all_in
from gpuplanner.domain.reports.plan_layers import totals_entry
from gpuplanner.files.workbook.answers.summary_sheet import SUMMARY_FIGURES
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.comparison_months import app_months, assert_same_months, column_of, months_of
from tests.files.workbook.document_figures import figures_apart
from tests.files.workbook.evaluations import evaluation_of, two_clusters_evaluated, two_clusters_with_layers
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, names_of
from tests.files.workbook.what_if import by_hand, controllers_edits, what_ifs
from tests.oracle.projects import random_case

CENT = 0.01


@pytest.fixture(scope="module")
def calc(need_tool, tmp_path_factory):
    return Recalculator(need_tool("soffice"), tmp_path_factory.mktemp("soffice"))


@pytest.fixture(scope="module")
def demo(golden_world, tmp_path_factory):
    """The demo's evaluation and its workbook."""
    book = tmp_path_factory.mktemp("demo") / "demo.xlsx"
    write_workbook(golden_world, book, 0)
    return golden_world, book


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Two clusters with a pinned contract, a contract that ends and jobs of unknown model; and its workbook."""
    evaluation, book = (two_clusters_evaluated(), tmp_path_factory.mktemp("small") / "small.xlsx")
    write_workbook(evaluation, book, 0)
    return evaluation, book


NAMES_BEFORE = Path(__file__).with_name("names_before.csv")
"""Named cells, tables and titles of charts of the demo's book in 27 sheets. given_up: why one of them is no more."""


@pytest.mark.long
def test_every_named_cell_table_and_chart_of_the_book_before_is_there_or_given_up(demo):
    book = openpyxl.load_workbook(demo[1])
    values = cells_of(demo[1])
    found = {("cell", name) for name in names_of(demo[1])}
    found |= {("table", name) for sheet in book.worksheets for name in sheet.tables}
    found |= {("chart", title_of(chart, values)) for sheet in book.worksheets for chart in sheet._charts}
    before = list(csv.DictReader(NAMES_BEFORE.read_text(encoding="utf-8").splitlines()))
    assert len(before) > 100
    gone = {(row["kind"], row["name"]) for row in before if not row["given_up"]} - found
    assert gone == set()


def title_of(chart, values):
    """The title of a chart: its text, or the text of the cell that it refers to."""
    title = chart.title.tx
    if title.strRef is None:
        return "".join(run.t for paragraph in title.rich.p for run in paragraph.r)
    sheet, _, cell = title.strRef.f.rpartition("!")
    return values[sheet.strip("'")][cell.replace("$", "")]


def totals(evaluation):
    """What the app says of every figure of the Summary."""
    said = totals_entry(evaluation.advice.totals)
    found = {figure.key: said[figure.key] for figure in SUMMARY_FIGURES}
    return found | {"cost_of_separation_usd_per_month": evaluation.outlook.separation.cost_usd()}


def followed(of):
    """Figures that follow the book's inputs: what separate pools cost is as exported."""
    return {name: value for name, value in of.items() if name != "cost_of_separation_usd_per_month"}


def summary_of(book):
    """Every figure of a book's Summary, None for the dash."""
    cells = cells_of(book)
    names = names_of(book)
    found = {figure.key: cells[names[figure.key][0]][names[figure.key][1]] for figure in SUMMARY_FIGURES}
    return {name: None if value == "—" else value for name, value in found.items()}


def apart(here, there):
    """Figures that differ: dollars by more than a cent, ratios, percent and months by more than a millionth."""
    assert here.keys() == there.keys()
    return {
        name: (here[name], said)
        for name, said in there.items()
        if (here[name] is None) != (said is None)
        or (said is not None and abs(here[name] - said) > (CENT if "_usd_" in name else 1e-6))
    }


def light_of(book):
    """The word over all checks."""
    sheet, cell = names_of(book)["all_checks"]
    return str(cells_of(book)[sheet][cell]).partition(":")[0]


def differences(before, after):
    """Cells whose value moved, errors among them."""
    return [
        (sheet, cell, value, after[sheet].get(cell))
        for sheet, cells in before.items()
        for cell, value in cells.items()
        if not same(value, after[sheet].get(cell)) and not is_rounding(before, sheet, cell, after)
    ]


def is_rounding(before, sheet, cell, after):
    """What two amounts on Checks differ by, where both are the same: each has the rounding of its own size."""
    row = cell.removeprefix("E")
    if sheet != "Check list" or not row.isdigit():
        return False
    left, right = (cells[sheet].get(f"D{row}") for cells in (before, after))
    return isinstance(left, float) and same(left, right) and abs(after[sheet][cell]) <= 1e-12 * abs(left)


def same(left, right):
    if isinstance(left, int | float) and isinstance(right, int | float):
        return abs(left - right) <= 1e-6 + 1e-9 * abs(left)
    return left == right


@pytest.mark.long
def test_every_cached_value_is_what_the_formula_gives(calc, small, tmp_path):
    assert_recalculates(calc, small[1], *books_of_seeds(tmp_path, 3))


@pytest.mark.long
def test_every_cached_value_of_more_books_is_what_the_formula_gives(calc, tmp_path):
    assert_recalculates(calc, *books_of_seeds(tmp_path, 0, 11))


def books_of_seeds(folder, *seeds):
    books = [folder / f"seed{seed}.xlsx" for seed in seeds]
    for seed, book in zip(seeds, books, strict=True):
        write_workbook(evaluation_of(random_case(seed)), book, 0)
    return books


def assert_recalculates(calc, *books):
    for book, again in zip(books, calc.recalculated(*books), strict=True):
        assert differences(cells_of(book), cells_of(again)) == []
        assert light_of(again) == "green"


@pytest.mark.long
def test_the_demo_recalculates_to_the_apps_totals(calc, demo):
    evaluation, book = demo
    [again] = calc.recalculated(book)
    assert differences(cells_of(book), cells_of(again)) == []
    assert light_of(again) == "green"
    assert apart(summary_of(again), totals(evaluation)) == {}
    assert figures_apart(cells_of(again), evaluation) == []
    assert all(value is not None for value in totals(evaluation).values())


def assert_follows(calc, book, evaluation, changes):
    """Every change in turn, made in the book of a plan set by hand and in the app, comes to the same figures;
    a month that a contract's other day cuts is a dash, with its reason beside it."""
    books = [changed_copy(book, book.with_name(f"{at}.xlsx"), one.cells) for at, one in enumerate(changes)]
    told, months = followed(totals(evaluation)), months_of(book)
    for change, again in zip(changes, calc.recalculated(*books), strict=True):
        why, here = column_of(again, "Why a dash"), months_of(again)
        cut = {month for month, words in enumerate(why) if words}
        assert not cut or (len(cut) == 1 and "_s'" in change.name), change.name
        here = [pair for month, pair in enumerate(here) if month not in cut]
        there = [pair for month, pair in enumerate(app_months(change.app)) if month not in cut]
        assert apart(followed(summary_of(again)), followed(totals(change.app))) == {}, change.name
        differing = figures_apart(cells_of(again), change.app)
        assert [one for one in differing if not any(f"month {month} " in one[1] for month in cut)] == [], (
            change.name
        )
        assert light_of(again) == "changed", change.name
        assert_same_months(here, there, change.name)
        assert apart(followed(totals(change.app)), told) != {} or here != months, (
            f"{change.name} changes nothing"
        )


@pytest.mark.long
def test_changes_in_the_book_come_to_what_the_app_says(calc, small, tmp_path):
    evaluation, book = by_hand(small[0]), tmp_path / "plan.xlsx"
    write_workbook(evaluation, book, 0)
    assert_follows(calc, book, evaluation, what_ifs(evaluation, cells_of(book)))


@pytest.mark.long
def test_a_controllers_edits_of_the_demos_book_come_to_what_the_app_says(calc, golden_world, tmp_path):
    evaluation, book = by_hand(golden_world), tmp_path / "plan.xlsx"
    write_workbook(evaluation, book, 0)
    changes = controllers_edits(evaluation, book, cells_of(book))
    assert len({change.name for change in changes}) > 10
    assert_follows(calc, book, evaluation, changes)


@pytest.mark.long
def test_one_damaged_cell_of_demand_turns_the_checks_red(calc, small, tmp_path):
    assert_red(calc, small[1], tmp_path, "a digit", "a formula replaced by its own value")


@pytest.mark.long
def test_one_cell_of_demand_damaged_otherwise_turns_the_checks_red(calc, small, tmp_path):
    assert_red(calc, small[1], tmp_path, "a word", "an hour's number", "a weight")


def assert_red(calc, book, folder, *kinds_of_damage):
    """A book of each kind of damage says so in the light over all checks."""
    cells = SheetCells(cells_of(book)["Calc demand"])
    kinds = {
        letters: cells.cells[f"{letters}13"]
        for letters in ("D", "E", "K", "L")
        if f"{letters}13" in cells.cells
    }
    assert set(kinds.values()) == {"from the log", "detected"}
    last = max(kinds)
    damages = {
        "a digit": {("Calc demand", "D20"): cells.cells["D20"] + 0.001},
        "a word": {("Calc demand", "E40"): "none"},
        "a formula replaced by its own value": {("Calc demand", f"{last}50"): cells.cells[f"{last}50"]},
        "an hour's number": {("Calc demand", "B30"): 3},
        "a weight": {("Calc demand", "C30"): 1.0},
    }
    books = [
        changed_copy(book, folder / f"{number}.xlsx", damages[what])
        for number, what in enumerate(kinds_of_damage)
    ]
    for what, again in zip(kinds_of_damage, calc.recalculated(*books), strict=True):
        assert light_of(again) == "red", what


@pytest.mark.long
def test_egress_in_the_book_comes_to_what_the_app_says(calc, small, tmp_path):
    evaluation, book = small
    cells = cells_of(book)["Offer inputs"]
    prices = SheetCells(cells)
    offer = next(row for row in evaluation.project.offers if row.rate)
    cell = prices.under("Egress, $ per GB", A=offer.offer_id)
    assumption = names_of(book)["assume_egress_gb_per_gpu_hour"]
    changed = changed_copy(book, tmp_path / "egress.xlsx", {("Offer inputs", cell): 0.08, assumption: 1.5})
    [again] = calc.recalculated(changed)
    shown = cells_of(again)["Offer inputs"][prices.under("All in, $ per GPU-h", A=offer.offer_id)]
    assert shown == pytest.approx(
        all_in(replace(offer, egress_usd_per_gb=Decimal("0.08"), sent_gb=1.5)).total
    )
    assert apart(summary_of(again), totals(evaluation)) == {}, (
        "the plan counts with it where it did in the app"
    )


@pytest.mark.long
def test_extras_are_in_every_figure_of_the_book(calc, tmp_path):
    case = two_clusters_with_layers()
    more = {
        "support_percent": 10.0,
        "storage_usd_per_gpu_month": Decimal(73),
        "egress_usd_per_gb": Decimal("0.09"),
        "staff_usd_per_gpu_month": Decimal("14.6"),
    }
    case.offers = [
        replace(one, **more, setup_usd=Decimal(300), upfront_usd=Decimal(100) if one.term_months else None)
        for one in case.offers
    ]
    case.contracts = [*(replace(one, **more) for one in case.contracts[:3]), *case.contracts[3:]]
    case.set(egress_gb_per_gpu_hour=1.5)
    evaluation = evaluation_of(case)
    write_workbook(evaluation, tmp_path / "extras.xlsx", 0)
    [again] = calc.recalculated(tmp_path / "extras.xlsx")
    assert apart(summary_of(again), totals(evaluation)) == {}
    assert light_of(again) != "red"
    amounts = dict(evaluation.advice.totals.extras)
    assert set(amounts) == {"egress", "storage", "support", "setup", "staff"}
    prices = SheetCells(cells_of(again)["Offer inputs"])
    for offer in evaluation.project.offers:
        shown = cells_of(again)["Offer inputs"][prices.under("All in, $ per GPU-h", A=offer.offer_id)]
        assert shown == pytest.approx(all_in(offer).total)
