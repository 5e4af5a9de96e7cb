"""Each place of a brief says which orders it counts; counts, GPUs at once and the two first months agree."""

import re
from dataclasses import replace

import pytest

from gpuplanner.domain.brief.approval import approval_of
from gpuplanner.domain.brief.briefs import brief_of
from gpuplanner.domain.brief.pages import TableBlock, TextBlock
from gpuplanner.domain.commitment.order_days import Seen, seen_on
from gpuplanner.domain.commitment.plan.orders import at_list, liability_usd
from gpuplanner.domain.commitment.plan.twelve_months import OVER_BUDGET
from gpuplanner.domain.commitment.result import Order, Unserved
from gpuplanner.domain.commitment.words.orders import committed_orders_words, expected_price_words
from gpuplanner.domain.commitment.words.plan_costs import HYPOTHETICAL
from gpuplanner.domain.figures.writing import day
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import MONTH_S
from tests.files.workbook.evaluations import evaluated, two_clusters_evaluated, two_clusters_with_layers

BEGINS_S = 1_790_812_800


@pytest.fixture(scope="module")
def evaluation():
    return two_clusters_evaluated()


def order(month, gpus, reason, term=1, offer_id="b"):
    start_s = BEGINS_S + month * MONTH_S
    end_s, follows = start_s + term * MONTH_S, reason == "bridge" and month > 0
    by_s = start_s - (0 if month != 1 else 3600)
    return Order(
        pool=Pool.BURST,
        gpu_model="H100",
        offer_id=offer_id,
        term_months=term,
        gpus=gpus,
        start_s=start_s,
        end_s=end_s,
        order_by_s=by_s,
        reason=reason,
        offer_gpu_model="H100",
        offer_gpus=gpus,
        rate=2.0,
        follows=follows,
    )


BRIDGED = (
    order(0, 16.0, "bridge"), order(1, 16.0, "bridge"), order(2, 16.0, "bridge"), order(3, 16.0, "lead_time", 12, "y"),
    order(4, 5.0, "if_it_lasts", 12, "y"),
)  # fmt: skip


def approval(evaluation, orders):
    return approval_of(replace(evaluation.advice, orders=orders), Seen(BEGINS_S, BEGINS_S))


def test_orders_now_later_and_that_follow_are_all_of_the_twelve_months(evaluation):
    found = approval(evaluation, BRIDGED)
    assert [len(found.now), len(found.later), len(found.following)] == [2, 1, 1] and len(found.left) == 4


def test_a_bridge_signed_month_by_month_is_counted_once_of_what_runs_at_once(evaluation):
    found = approval(evaluation, BRIDGED)
    assert str(found.gpus_words) == "16 GPUs"
    apart = approval(evaluation, tuple(replace(one, row=at) for at, one in enumerate(BRIDGED)))
    assert re.findall(r"\d+", str(apart.gpus_words)) == ["32", "16"]
    assert str(approval(evaluation, BRIDGED[:1]).gpus_words) == "16 GPUs"


def test_lists_that_have_others_say_which(evaluation):
    assert "all 4 orders" in str(committed_orders_words(4, BRIDGED))
    assert "the 1 order" in str(committed_orders_words(1, BRIDGED[:1]))
    assert str(committed_orders_words(0, ())).startswith("no order")


def test_orders_of_later_months_say_what_they_would_cost_at_todays_list(evaluation):
    """Of a list that has become twice as expensive since the plan was made."""
    project, advice = evaluation.project, evaluation.advice
    twice = tuple(
        replace(one, rate_usd_per_gpu_hour=one.rate_usd_per_gpu_hour and 2 * one.rate_usd_per_gpu_hour)
        for one in project.offers
    )
    by_id, begins_s = {offer.offer_id: offer for offer in twice}, project.plan_window.end_s
    for before, after in zip(advice.orders, at_list(advice.orders, twice), strict=True):
        assert after.rate == by_id[before.offer_id].rate
        assert (after.bought_gpus, after.start_s) == (before.bought_gpus, before.start_s)
    later = approval_of(advice, seen_on(begins_s, begins_s, twice)).later
    usd = [liability_usd(orders) or 0.0 for orders in (later, at_list(later, twice))]
    assert 0 < usd[0] < usd[1]
    for offers in (twice, ()):
        pages = brief_of(replace(evaluation, project=replace(project, offers=offers)), begins_s, "1").pages
        by_key = {page.key: page for page in pages}
        tables = (one for row in by_key["sign"].rows for one in row if isinstance(one, TableBlock))
        (note,) = (str(one.note) for one in tables if one.title == "Orders")
        assert ("today's list" in note) is bool(offers)


def test_an_order_says_what_it_costs_a_month_at_the_expected_price_and_at_todays_list(evaluation):
    (offer,) = [
        one for one in evaluation.project.offers if one.offer_id == evaluation.advice.orders[0].offer_id
    ]
    (sold,) = at_list([evaluation.advice.orders[0]], [offer])
    assert sold.provider == offer.provider
    cheaper = replace(offer, rate_usd_per_gpu_hour=offer.rate_usd_per_gpu_hour / 2)
    assert (
        expected_price_words([sold], at_list([sold], [offer])) is None
        and expected_price_words([], []) is None
    )
    usd = sold.cost_per_month or 0.0
    said = str(expected_price_words([sold], at_list([sold], [cheaper])))
    assert said.endswith(f" ${usd / 2:,.0f}") and f" ${usd:,.0f} per month; " in said
    assert f" {day(sold.start_s)}: " in said


def test_a_plan_without_existing_contracts_says_that_they_are_still_paid():
    case = two_clusters_with_layers()
    plan = replace(case.project.scenarios[0], greenfield=True)
    made = evaluated(replace(case.project, scenarios=(plan,)), case.classifications)
    window, contracts = made.project.plan_window, made.project.contracts
    there = [
        one
        for one in contracts
        if one.is_committed and (one.end_s or window.end_s + MONTH_S) >= window.end_s + MONTH_S
    ]
    usd = sum(one.cost_per_month or 0.0 for one in there)
    brief = brief_of(made, window.end_s, "1")
    texts = [str(one) for page in brief.pages for row in page.rows for block in row
             if isinstance(block, TextBlock) for one in block.sentences]  # fmt: skip
    (said,) = [one for one in texts if f"{len(there)} commitment" in one]
    assert brief.pages[0].title.startswith(str(HYPOTHETICAL)) and brief.head.startswith(str(HYPOTHETICAL))
    assert usd and f"${usd:,.0f} per month" in said
    assert not [block for page in brief.pages for row in page.rows for block in row
                if isinstance(block, TableBlock) and "contracts in them" in str(block.note)]  # fmt: skip


def test_what_is_unknown_or_left_to_nobody_is_said_in_words(evaluation):
    (first, *_) = evaluation.project.workloads
    lost = Unserved(
        pool=Pool.TRAINING,
        gpu_model="H100",
        key=first.key,
        gpu_hours=100.0,
        usd_per_month=None,
        reason="nobody",
    )
    bridge = replace(evaluation.audit.bridge, stranded_metered=None)
    audit = replace(evaluation.audit, effective_utilization=None, bridge=bridge)
    over = replace(lost, reason=OVER_BUDGET)
    given = replace(evaluation, audit=audit, advice=replace(evaluation.advice, unserved=(lost, lost, over)))
    pages = brief_of(given, evaluation.project.plan_window.end_s, "1").pages
    by_key = {page.key: page.title for page in pages}
    *_, said = [one.sentences for row in pages[0].rows for one in row if isinstance(one, TextBlock)]
    left = [str(one) for one in said if str(one).startswith(first.name)]
    assert sorted("budget" in one for one in left) == [False, True]
    assert "unknown" in by_key["today"] and by_key["today"].endswith(" $17,812")
    assert "unknown" in by_key["stranded"] and "$" not in by_key["stranded"]


def test_the_headline_of_next_month_is_the_first_month_of_the_table(evaluation):
    advice = evaluation.advice
    assert advice.totals.plan == advice.comparison[0].plan_usd
    assert advice.totals.do_nothing == advice.comparison[0].do_nothing_usd
    first = brief_of(evaluation, evaluation.project.plan_window.end_s, "1").pages[0]
    assert any(f"${advice.totals.plan:,.0f}" in str(figure.note) for figure in first.figures)


def test_a_plan_that_signs_later_does_not_say_that_it_signs_nothing(evaluation):
    def title(orders):
        pools = [replace(pool, layers=()) for pool in evaluation.advice.pools]
        advice = replace(evaluation.advice, pools=tuple(pools), orders=orders)
        pages = brief_of(replace(evaluation, advice=advice), evaluation.project.plan_window.end_s, "1").pages
        return next(str(page.title) for page in pages if page.key == "plan")

    assert not title(()).startswith("First month: ")
    assert title((order(6, 16.0, "growth", 12),)).startswith("First month: ")
