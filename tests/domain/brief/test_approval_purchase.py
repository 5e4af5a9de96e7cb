"""GPUs that are bought, in the brief: no signing, their price due on the day beside what they cost a month."""

from dataclasses import replace

import pytest

from gpuplanner.domain.award.deciding import asked_on
from gpuplanner.domain.brief.approval import approval_on
from gpuplanner.domain.brief.briefs import brief_of
from gpuplanner.domain.brief.pages import TableBlock, page_words
from gpuplanner.domain.commitment.order_days import seen_on
from gpuplanner.domain.commitment.words.orders import committed_orders_words
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.export.focus import proposed_commitments
from tests.files.workbook.evaluations import OWNED, evaluation_of, two_clusters_with_layers

PRICE = int(OWNED.capex_usd_per_gpu)


@pytest.fixture(scope="module")
def evaluation():
    case = two_clusters_with_layers()
    case.offers.append(OWNED)
    return evaluation_of(case)


@pytest.fixture(scope="module")
def now(evaluation):
    begins_s = evaluation.project.plan_window.end_s
    return seen_on(begins_s, begins_s, evaluation.project.offers).to_approve(evaluation.advice.orders)


@pytest.fixture(scope="module")
def brief(evaluation):
    begins_s = evaluation.project.plan_window.end_s
    return brief_of(evaluation, begins_s, "1", None, True)


def page(brief, key):
    return next(one for one in brief.pages if one.key == key)


def test_what_is_approved_names_signing_and_buying_and_what_is_due_on_the_day(brief, now):
    bought = [order for order in now if order.offer_id == "own"]
    signed = [order for order in now if order.offer_id != "own"]
    gpus = sum(order.bought_gpus for order in bought)
    assert gpus and signed, "a plan that does both"
    due = f"${PRICE * gpus:,.0f}"
    question, sign = page(brief, "question"), page(brief, "sign")
    figures = {figure.key: figure for figure in question.figures}
    assert figures["due_at_once_now"].amount == PRICE * gpus and str(figures["due_at_once_now"].text) == due
    assert str(figures["due_at_once_now"].note) == f"{gpus:g} GPUs to buy"
    assert figures["liability_now"].amount == pytest.approx(sum(order.liability for order in now))
    assert all("lives" in figures[key].unit for key in ("liability_now", "later_commitments"))
    assert f"buy {gpus:g}, order {sum(order.bought_gpus for order in signed):g}" in sign.title
    assert "Sign " not in f"{page_words(question)} {sign.title}"
    table = next(row[0] for row in sign.rows if isinstance(row[0], TableBlock))
    place = next(at for at, one in enumerate(table.columns) if str(one.heading).startswith("Cash with order"))
    terms = [str(one.heading) for one in table.columns].index("Term")
    assert table.total[place] == f"{PRICE * gpus:,.0f}"
    rows = [row for at, row in enumerate(table.rows) if at not in table.subtotals]
    assert {row[place] for row in rows if "to buy" not in row[terms]} == {"0"}
    assert "to buy, for 48 months" in {row[terms] for row in table.rows}


def test_vendors_are_asked_for_what_the_plan_signs_for(evaluation, brief, now):
    """Not for whole nodes where the plan has none, so the brief has no second number."""
    ordered = sum(order.bought_gpus for order in now if order.offer_id != "own")
    rows = asked_on(evaluation, evaluation.project.plan_window.end_s)
    assert sum(row.gpus for row in rows if any(order in now for order in row.orders)) == ordered
    note = str(next(row[0] for row in page(brief, "sign").rows if isinstance(row[0], TableBlock)).note)
    assert "vendors" not in note


def test_what_is_bought_is_no_contract_commitment_of_a_provider(evaluation):
    orders = evaluation.advice.orders
    rows = proposed_commitments(approval_on(evaluation.advice, evaluation.project), evaluation.project)
    assert rows and {one.offer.pricing_category for one in rows} == {PricingCategory.COMMITTED}
    words = str(committed_orders_words(len(rows), orders))
    bought = sum(order.bought_gpus for order in orders if order.offer_id == "own" and order.is_certain)
    assert f"{bought:g} GPUs to buy" in words
    signed = tuple(replace(order, capex_per_gpu=0.0) for order in orders)
    assert "to buy" not in str(committed_orders_words(len(rows), signed))
