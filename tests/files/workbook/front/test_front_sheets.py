"""The seven front sheets of the demo and of a plan without providers: equal to the app, readable on paper."""

import re
import zlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import openpyxl
import pytest

from gpuplanner.domain.brief.approval import approval_on
from gpuplanner.domain.commitment.listed_order import PROVIDER_MISSING, READY, STATUS_TITLES
from gpuplanner.domain.commitment.numbers import decision_number, order_number
from gpuplanner.domain.commitment.result import NO_PROVIDER
from gpuplanner.files.workbook.front.pages import sum_look, sum_of_orders
from gpuplanner.files.workbook.inputs.sheet_inputs import inputs_of
from gpuplanner.files.workbook.kit.expressions import DASH, Expr
from gpuplanner.files.workbook.kit.front_page import DUE_DAYS, PAPERS
from gpuplanner.files.workbook.kit.looks import NUMBER_FORMATS
from gpuplanner.files.workbook.kit.sheets import SHEETS, STUDIES
from gpuplanner.files.workbook.plan.quotes_sheet import asked_of
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import two_clusters_evaluated
from tests.files.workbook.recalculate import Recalculator, cells_of, names_of
from tests.files.workbook.test_recalculated import differences

CENT = 0.01
FRONT = tuple(sheet.name for sheet in SHEETS if sheet.is_printed)
MOST_PAGES, MOST_COLUMNS, LEAST_POINTS = 9, 15, 7.0

pytestmark = pytest.mark.long


def written(evaluation, folder, paper="a4"):
    """A book as written on the plan's first day, and that day, epoch seconds."""
    day_s, path = evaluation.project.plan_window.end_s, folder / f"plan_{paper}.xlsx"
    write_workbook(evaluation, path, day_s, paper=paper)
    return path, day_s


@pytest.fixture(scope="module", params=["demo", "no providers"])
def plan(request, tmp_path_factory):
    """An evaluation, its book, the day of writing, and the cells of the book."""
    is_demo = request.param == "demo"
    evaluation = request.getfixturevalue("golden_world") if is_demo else two_clusters_evaluated()
    path, day_s = written(evaluation, tmp_path_factory.mktemp("front"))
    return evaluation, path, day_s, cells_of(path)


def rows_under(cells, heading, wanted):
    """Each row of a sheet whose first cell begins as wanted, by headings of the row of a heading."""
    letters, head = SheetCells(cells).column(heading)
    headings = {
        at.rstrip("0123456789"): words for at, words in cells.items() if re.fullmatch(rf"[A-Z]+{head}", at)
    }
    for at, value in cells.items():
        if re.fullmatch(rf"{letters}\d+", at) and re.fullmatch(wanted, str(value)):
            row = at.removeprefix(letters)
            yield {words: cells.get(f"{column}{row}") for column, words in headings.items()}


def below(cells, words):
    """The number below a title, and beside words."""
    (at,) = [at for at, value in cells.items() if value == words]
    letters, row = at.rstrip("0123456789"), int(re.sub(r"\D", "", at))
    return cells[f"{letters}{row + 1}"]


def test_the_book_has_the_front_sheets_first_and_no_sheet_is_hidden(plan):
    _, path, _, _ = plan
    book = openpyxl.load_workbook(path)
    names = [sheet.name for sheet in SHEETS]
    assert book.sheetnames in (names, [name for name in names if name != STUDIES])
    assert book.sheetnames[: len(FRONT)] == list(FRONT) and len(FRONT) == 7
    assert {sheet.sheet_state for sheet in book.worksheets} == {"visible"}
    assert book.active.title == FRONT[0]


def test_what_to_approve_now_is_the_same_on_decisions_orders_and_in_the_app(plan):
    evaluation, _, day_s, cells = plan
    approval = approval_on(evaluation.advised, evaluation.project, day_s)
    assert approval.usd == evaluation.advised.totals.liability_now > 0
    decisions, orders = SheetCells(cells["Decisions"]), SheetCells(cells["Orders"])
    (row,) = decisions.rows(C="Commitment to approve now")
    letters, _ = decisions.column("Commits now, $")
    (sum_row,) = orders.rows(A="To approve now")
    of_orders, _ = orders.column("Commits now, $")
    shown = (
        below(cells["Decisions"], "Approve now"),
        cells["Decisions"][f"{letters}{row}"],
        cells["Orders"][f"{of_orders}{sum_row}"],
    )
    assert shown == pytest.approx([approval.usd] * 3, abs=CENT)


def test_each_order_stands_on_orders_as_in_the_app_and_is_ready_with_a_provider_alone(plan):
    evaluation, _, _, cells = plan
    listed = {order_number(one.number): one for one in evaluation.listed_orders if one.orders[0].is_certain}
    rows = {row["Order"]: row for row in rows_under(cells["Orders"], "Order", r"O\d+")}
    assert rows.keys() == listed.keys() and rows
    for number, row in rows.items():
        orders = listed[number].orders
        usd = sum(order.liability for order in orders)
        assert row["Commits now, $"] + row["Commits later, $"] == pytest.approx(usd, abs=CENT)
        assert row["GPUs"] == pytest.approx(orders[0].bought_gpus)
        assert row["$ per month"] == pytest.approx(orders[0].cost_per_month, abs=CENT)
        assert row["Status"] == str(STATUS_TITLES[listed[number].status])
        assert row["Replaces"] == (", ".join(listed[number].replaces) or DASH)
        if row["Provider"] == str(NO_PROVIDER):
            assert row["Status"] == str(STATUS_TITLES[PROVIDER_MISSING]) != str(STATUS_TITLES[READY])


def test_each_decision_stands_once_by_day_and_what_is_due_within_14_days_is_on_page_1(plan):
    evaluation, _, day_s, cells = plan
    rows = list(rows_under(cells["Decisions"], "No.", r"D\d+"))
    wanted = [
        one
        for one in evaluation.listed_decisions_on(day_s)
        if not one.is_done and (one.kind != "saving" or one.is_in_plan)
    ]
    shown = {row["No."]: row for row in rows}
    assert [*shown] == [row["No."] for row in rows]
    assert shown.keys() == {decision_number(one.number) for one in wanted}
    days = [row["Decide by"] for row in rows if isinstance(row["Decide by"], datetime)]
    assert days == sorted(days)
    until = datetime.fromtimestamp(day_s, UTC).replace(tzinfo=None) + timedelta(days=DUE_DAYS)
    said = " ".join(map(str, cells["Decisions"].values()))
    contracts = [row for row in rows_under(cells["Contracts"], "Act by", ".+") if row["Contract"]]
    due = [
        row["Contract"] for row in contracts if isinstance(row["Act by"], datetime) and row["Act by"] <= until
    ]
    orders = rows_under(cells["Orders"], "Order", r"O\d+")
    due += [
        row["Order"] for row in orders if isinstance(row["Order by"], datetime) and row["Order by"] <= until
    ]
    assert due and [name for name in due if name not in said] == []


def test_savings_and_contracts_add_up_to_the_figures_of_the_plan(plan):
    evaluation, path, _, cells = plan
    savings = SheetCells(cells["Savings"])
    (total,) = savings.rows(A="12 months")
    months = evaluation.advised.comparison
    for heading, key in (("Do nothing, $", "do_nothing_usd"), ("Plan, $", "plan_usd")):
        letters, _ = savings.column(heading)
        usd = sum(getattr(month, key) for month in months)
        assert cells["Savings"][f"{letters}{total}"] == pytest.approx(usd, rel=1e-6)
    contracts = list(rows_under(cells["Contracts"], "Act by", ".+"))
    held = {row["Contract"]: row for row in contracts if row["Contract"]}
    for contract in evaluation.project.contracts:
        if contract.contract_id in held:
            row = held[contract.contract_id]
            assert row["GPUs"] == contract.gpus
            assert row["$ per month"] == pytest.approx(contract.cost_per_month, abs=CENT)
    assert held
    sheet, cell = names_of(path)["plan_usd_per_month"]
    assert cells[sheet][cell] in [value for at, value in cells["Savings"].items() if at.startswith("J")]


def test_requests_on_quotes_are_those_that_vendors_are_asked(plan):
    evaluation, _, day_s, cells = plan
    asked = asked_of(inputs_of(evaluation, day_s))
    rows = {
        row["Request"].removesuffix(" option"): row
        for row in rows_under(cells["Quotes"], "Request", r"O\d+.*")
    }
    assert {name: row["GPUs"] for name, row in rows.items()} == {row.name: row.gpus for row in asked}
    assert {row["Status"] for row in rows.values()} == {"No quote yet"}


def test_front_sheets_have_no_time_of_day_and_at_most_15_columns_on_a_page(plan):
    _, path, _, _ = plan
    book = openpyxl.load_workbook(path)
    for name in FRONT:
        sheet = book[name]
        last = openpyxl.utils.range_boundaries(sheet.print_area.split("!")[-1])[2]
        breaks = [one.id for one in sheet.col_breaks.brk]
        first, repeated = (breaks[0], 3) if breaks else (last, 0)
        assert first <= MOST_COLUMNS and last - first + repeated <= MOST_COLUMNS, name
        printed = (cell for row in sheet[sheet.print_area.split("!")[-1]] for cell in row)
        formats = {cell.number_format for cell in printed if cell.value is not None}
        assert not [one for one in formats if "h" in one.lower() and "general" not in one.lower()], name


@pytest.mark.parametrize("paper", PAPERS)
def test_the_front_sheets_print_on_nine_pages_in_7_points(plan, need_tool, tmp_path, paper):
    evaluation, *_ = plan
    path, _ = written(evaluation, tmp_path, paper)
    (printed,) = Recalculator(need_tool("soffice"), tmp_path / "soffice").converted("pdf", path)
    pages = list(sizes_of(printed.read_bytes()))
    assert len(FRONT) < len(pages) <= MOST_PAGES
    for points in pages:
        body = sorted(points)[len(points) // 4 :]
        assert body[0] >= LEAST_POINTS, points


def sizes_of(pdf):
    """Of each page of a PDF the sizes of the font, in points, of each of its texts."""
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            # a last byte of the data that looks like an end of line is missing: an object reads on without it
            sizes = re.findall(rb"/F\d+ ([\d.]+) Tf", zlib.decompressobj().decompress(stream))
        except zlib.error:
            continue
        if sizes:
            yield [float(size) for size in sizes]


def test_another_program_finds_the_same_and_no_error(plan, need_tool, tmp_path):
    _, path, _, cells = plan
    (again,) = Recalculator(need_tool("soffice"), tmp_path / "soffice").recalculated(path)
    found = cells_of(again)
    assert differences(cells, found) == []
    errors = [
        value for name in FRONT for value in found[name].values() if re.match(r"#[A-Z]|Err:", str(value))
    ]
    assert errors == []


def test_a_sum_of_orders_is_a_lower_bound_where_a_rate_is_missing():
    whole = approval_on(two_clusters_evaluated().advised, two_clusters_evaluated().project)
    missing = replace(whole, usd=None)
    some, none = Expr("B2", 5.0), Expr("B3", 0.0)
    assert [sum_of_orders(whole, usd) for usd in (some, none, 0)] == [some, none, 0]
    assert [sum_of_orders(missing, usd).value for usd in (some, none)] == [5.0, DASH]
    assert sum_of_orders(missing, 0) == DASH
    assert sum_look(whole, "whole") == "whole" and "≥" in NUMBER_FORMATS[sum_look(missing, "whole")]
