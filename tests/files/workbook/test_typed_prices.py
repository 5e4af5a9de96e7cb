"""Prices typed into the book: an upfront payment where there was none, and a quote as the offer of an order, at
another rate. Commitment, its orders, Advice, FOCUS and Quotes come to the same."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.brief.approval import approval_on
from gpuplanner.domain.commitment.plan.orders import with_order_figures
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.model.book.quote_source import quote_source
from gpuplanner.files.export.focus import TO_THE_PLAN, proposed_commitments
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import evaluation_of, two_clusters_with_layers
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy
from tests.files.workbook.test_recalculated import light_of, summary_of
from tests.files.workbook.what_if import list_cells

SIGNED = "c12-H100"
"""An offer that the plan signs now."""
QUOTE = "vela quote"
UPFRONT, RATE = "Upfront, $ per GPU", "Rate, $ per GPU-h"
PAID = 2190
TYPED = 2.5


def with_prepaid_and_quote():
    """Offers of which one that nobody signs is paid upfront, and a quote that is dearer than what is signed."""
    case = two_clusters_with_layers()
    case.offer("prepaid", 24, 6.0, upfront_usd=Decimal(1000))
    case.offer(
        QUOTE, 12, 2.9, provider="Vela", region="eu-north", source=quote_source("RFQ-20260101-000000", "R1")
    )
    return evaluation_of(case)


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    path = tmp_path_factory.mktemp("prices") / "plan.xlsx"
    evaluation = with_prepaid_and_quote()
    write_workbook(evaluation, path, 0)
    return evaluation, path


def moved(evaluation, which, offer_id, **values):
    """The app's orders of now, as they would be with another offer, or other figures of theirs."""
    [offer] = [one for one in evaluation.project.offers if one.offer_id == offer_id]
    orders = [
        replace(one, offer_id=offer_id, **values) if one.offer_id == SIGNED and which(one) else one
        for one in evaluation.advice.orders
    ]
    advice = replace(evaluation.advice, orders=with_order_figures(orders))
    upfront = Decimal(values.get("upfront_per_gpu", 0)) or None
    rate = Decimal(str(values.get("rate", offer.rate)))
    typed = replace(offer, rate_usd_per_gpu_hour=rate, upfront_usd=upfront)
    offers = tuple(typed if one is offer else one for one in evaluation.project.offers)
    return replace(evaluation, advice=advice, project=replace(evaluation.project, offers=offers))


def offer_cell(book, heading, offer_id):
    return "Offer inputs", SheetCells(cells_of(book)["Offer inputs"]).under(heading, A=offer_id)


COST, BOUND = (str(ORDER[key].heading(", ")) for key in ("cost_per_month", "liability"))


def rows_of(book, sheet, first, *headings):
    """The rows under a heading of the first column, as dicts; the first column by its heading, too."""
    cells = cells_of(book)[sheet]
    under = SheetCells(cells)
    _, head = under.column(headings[0], first)
    letters = {heading: under.column(heading, head)[0] for heading in headings}
    last = next(row for row in range(head + 1, head + 99) if f"{letters[headings[0]]}{row}" not in cells)
    return [
        {heading: cells.get(f"{at}{row}") for heading, at in letters.items()} for row in range(head + 1, last)
    ]


def orders_of(book):
    """Orders on Commitment."""
    cells = cells_of(book)["Calc orders"]
    head = next(int(at[1:]) for at, text in cells.items() if str(text).startswith("Orders of"))
    return rows_of(book, "Calc orders", head, "Pool", "Reason", "Offer", COST)


def test_the_book_as_written_has_the_amounts_of_the_file(book):
    evaluation, path = book
    rows = proposed_commitments(approval_on(evaluation.advice, evaluation.project), evaluation.project)
    focus = rows_of(path, "FOCUS", 1, "ContractCommitmentCost", "ContractCommitmentId")
    assert [row["ContractCommitmentId"] for row in focus] == [*(one.name for one in rows), TO_THE_PLAN]
    costs = [row["ContractCommitmentCost"] for row in focus]
    assert costs[:-1] == pytest.approx([one.cost_usd for one in rows])
    assert sum(costs) == pytest.approx(evaluation.advice.totals.liability)
    monthly = [order.cost_per_month for order in evaluation.advice.orders]
    assert [row[COST] for row in orders_of(path)] == pytest.approx(monthly)
    assert light_of(path) == "green"


def is_of_now(order):
    return order.reason == "now"


def month_0_usd(evaluation):
    """$ of month 0 of all orders."""
    begins_s, usd = evaluation.project.plan_window.end_s, 0.0
    for order in evaluation.advice.orders:
        hours = max(0, 730 - (order.start_s - begins_s) / 3600)
        usd += order.bought_gpus * hours * order.spread_rate
    return usd


def assert_follows(evaluation, path, there, again):
    """Month 0 moves by what its orders do."""
    assert light_of(again) == "changed"
    plans = [summary_of(book)["plan_usd_per_month"] for book in (path, again)]
    assert plans[1] - plans[0] == pytest.approx(month_0_usd(there) - month_0_usd(evaluation))
    assert plans[1] != plans[0]
    assert_orders_agree(again, there)


@pytest.mark.long
def test_an_upfront_payment_typed_where_there_was_none_is_followed(need_tool, book, tmp_path):
    evaluation, path = book
    there = moved(evaluation, lambda order: True, SIGNED, upfront_per_gpu=PAID)
    copy = changed_copy(path, tmp_path / "paid.xlsx", {offer_cell(path, UPFRONT, SIGNED): PAID})
    [again] = Recalculator(need_tool("soffice"), tmp_path / "soffice").recalculated(copy)
    assert_follows(evaluation, path, there, again)


@pytest.mark.long
def test_a_quote_typed_as_the_offer_of_orders_is_followed_at_its_typed_rate(need_tool, book, tmp_path):
    evaluation, path = book
    there = moved(evaluation, is_of_now, QUOTE, rate=TYPED)
    cells = cells_of(path)
    number = [offer.offer_id for offer in evaluation.project.offers].index(QUOTE) + 1
    now = [one for one in evaluation.advice.orders if one.offer_id == SIGNED and is_of_now(one)]
    typed = {("Calc orders", list_cells(cells, one, "Offer no.")[0]): number for one in now}
    copy = changed_copy(path, tmp_path / "rate.xlsx", {offer_cell(path, RATE, QUOTE): TYPED, **typed})
    [again] = Recalculator(need_tool("soffice"), tmp_path / "soffice").recalculated(copy)
    assert_follows(evaluation, path, there, again)
    of_the_offer = ("x_OfferId", "x_ServiceProviderName", "x_Region", "x_RateUsdPerGpuHour", "ContractId")
    said = [row for row in rows_of(again, "FOCUS", 1, *of_the_offer) if row["x_OfferId"] == QUOTE]
    assert said[0] == dict(
        zip(of_the_offer, (QUOTE, "Vela", "eu-north", TYPED, "proposed-Vela"), strict=True)
    )


def assert_orders_agree(book, there):
    """What is signed now costs the same on Commitment, FOCUS, Advice and Quotes as in the app."""
    now = sorted(
        (order for order in there.advice.orders if order.reason == "now"), key=lambda order: order.pool
    )
    here = sorted((row for row in orders_of(book) if row["Reason"] == "now"), key=lambda row: row["Pool"])
    assert [row["Offer"] for row in here] == [order.offer_id for order in now]
    assert [row[COST] for row in here] == pytest.approx([order.cost_per_month for order in now])
    offers = {order.offer_id for order in now}
    proposed = proposed_commitments(approval_on(there.advice, there.project), there.project)
    costs = sorted(one.cost_usd for one in proposed if one.order in now)
    focus = rows_of(book, "FOCUS", 1, "ContractCommitmentCost", "x_Reason")
    assert sorted(
        row["ContractCommitmentCost"] for row in focus if row["x_Reason"] == "now"
    ) == pytest.approx(costs)
    advice = rows_of(book, "Calc months", 1, "Order by (UTC)", "To sign now (1 yes)", "Offer", BOUND)
    bound = sorted(row[BOUND] for row in advice if row["Offer"] in offers and row["To sign now (1 yes)"])
    assert bound == pytest.approx(sorted(order.liability for order in now))
    asked = rows_of(book, "Calc orders", 1, "Request", "GPUs of the plan", "Plan's rate, $ per GPU-h")
    numbers = {f"O{one.number}" for one in there.listed_orders if one.orders[0].reason == "now"}
    due = [row for row in asked if row["Request"] in numbers]
    planned = sum(730 * row["GPUs of the plan"] * row["Plan's rate, $ per GPU-h"] for row in due)
    assert sum(order.cost_per_month for order in now) == pytest.approx(planned)
