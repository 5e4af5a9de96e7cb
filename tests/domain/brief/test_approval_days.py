"""Days of a brief are counted from the day of writing: none to order by has gone, and a log without days has none."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

import pytest

from gpuplanner.domain.brief.approval import approval_of, now_words
from gpuplanner.domain.brief.approval import ask as ask_text
from gpuplanner.domain.brief.briefs import brief_of
from gpuplanner.domain.brief.decision_words import unknown_words
from gpuplanner.domain.brief.pages import DemandChart, MonthsChart, TableBlock, TextBlock, TimelineChart
from gpuplanner.domain.commitment.order_days import seen_on
from gpuplanner.domain.commitment.plan.orders import liability_usd
from gpuplanner.domain.figures.typed import plan_month
from gpuplanner.domain.figures.writing import day
from gpuplanner.domain.model.window import DAY_S, MONTH_S, iso_utc
from tests.files.workbook.evaluations import (
    evaluated,
    evaluation_of,
    two_clusters_evaluated,
    two_clusters_with_layers,
)
from tests.oracle.projects import random_case
from tests.some_of import some_of

DAYS = (-40, 0, 1, 10, 45, 400)
"""From the plan's first day to the day of writing."""
DATE = re.compile(r"\b\d{1,2} [A-Z][a-z]{2} \d{4}\b")


@pytest.fixture(scope="module")
def evaluation():
    return two_clusters_evaluated()


@cache
def case_of(seed):
    return evaluation_of(random_case(seed))


def ask(approval):
    return str(ask_text(approval))


def seen_of(evaluation, days):
    begins_s = evaluation.project.plan_window.end_s
    return seen_on(begins_s + days * DAY_S, begins_s, evaluation.project.offers)


def written(evaluation, days):
    return brief_of(evaluation, evaluation.project.plan_window.end_s + days * DAY_S, "1")


def blocks(brief, kind):
    return [block for page in brief.pages for row in page.rows for block in row if isinstance(block, kind)]


def cells(brief, titles, heading):
    """A column of the tables that have such titles."""
    for block in blocks(brief, TableBlock):
        if str(block.title) in titles:
            at = next(place for place, one in enumerate(block.columns) if str(one.heading) == heading)
            yield from (str(row[at]) for row in block.rows)


def seconds(text):
    return datetime.strptime(text, "%d %b %Y").replace(tzinfo=UTC).timestamp()


ORDERS = ("Orders",)


@pytest.mark.parametrize("days", DAYS)
def test_what_is_to_be_signed_is_due_when_the_last_row_of_it_is(evaluation, days):
    seen = seen_of(evaluation, days)
    approval = approval_of(evaluation.advice, seen)
    said = str(now_words(approval))
    if approval.now:
        last_s = max(order.last_day_s for order in approval.now)
        assert said.endswith(f"due by {day(max(last_s, seen.counted_from_s))}")


@pytest.mark.parametrize("seed", some_of(range(20), 4))
@pytest.mark.parametrize("days", DAYS)
def test_no_day_to_order_by_has_gone(seed, days):
    evaluation = case_of(seed)
    brief, first_s = written(evaluation, days), evaluation.project.plan_window.end_s + days * DAY_S
    by = [
        *cells(brief, ORDERS, "Order by"),
        *cells(brief, ("Existing contracts",), "Act by"),
        *(found for page in (brief.pages[0], brief.pages[-2]) for found in DATE.findall(page.title)),
    ]
    for text in by:
        told = ("", "now", "overdue", "overdue: decide now", "it has ended", "To approve now", "Later")
        assert text in told or seconds(text) + DAY_S > first_s, text
    for starts in filter(None, cells(brief, ORDERS, "Starts")):
        assert seconds(starts) + DAY_S > first_s or days > 0
    for row in (row for chart in blocks(brief, TimelineChart) for row in chart.rows):
        assert row.order_by_s is None or row.order_by_s // DAY_S >= first_s // DAY_S


@pytest.mark.parametrize("days", DAYS)
def test_what_is_overdue_would_start_with_the_lead_of_its_offer(evaluation, days):
    seen = seen_of(evaluation, days)
    leads = {offer.offer_id: round(offer.lead_time_hours * 3600) for offer in evaluation.project.offers}
    late = [one for one in evaluation.advice.orders if seen.is_overdue(one)]
    assert bool(late) is (days > 0)
    for order in evaluation.advice.orders:
        if order in late:
            assert seen.starts_s(order) == max(
                order.start_s, seen.written_s // DAY_S * DAY_S + leads[order.offer_id]
            )
        else:
            assert seen.starts_s(order) == order.start_s


def test_the_sum_to_approve_comes_first_and_is_that_of_its_orders(evaluation):
    totals, advice = evaluation.advice.totals, evaluation.advice
    on_time = approval_of(advice, seen_of(evaluation, 0))
    first = min(one.order_by_s for one in on_time.now)
    assert on_time.usd == totals.liability_now and on_time.in_all_usd == totals.liability
    assert ask(on_time) == f"Approve ${totals.liability_now:,.0f} by {day(first)}"
    for days in DAYS:
        title = written(evaluation, days).pages[0].title
        assert title.startswith(ask(approval_of(advice, seen_of(evaluation, days))))
    late = approval_of(advice, seen_of(evaluation, 10))
    last_s = late.seen.written_s + MONTH_S
    due = [one for one in advice.orders if one.is_certain and one.order_by_s <= last_s]
    assert set(late.now) == set(due) and late.usd == liability_usd(due)
    assert f"${late.usd:,.0f} now" in ask(late) and "overdue" in ask(late)
    assert (
        late.usd == totals.liability_now
        and "plan's own first month" not in written(evaluation, 10).pages[0].figures[0].note
    )
    assert approval_of(advice, seen_of(evaluation, 150)).usd != totals.liability_now
    note = written(evaluation, 150).pages[0].figures[0].note
    assert f"${totals.liability_now:,.0f} in the plan's first month" in note


@pytest.mark.parametrize("seed", some_of(range(20), 4))
@pytest.mark.parametrize("days", DAYS)
def test_the_sum_to_approve_can_be_added_up_from_its_list(seed, days):
    """Orders, GPUs and $ of the first page are those of the rows of the second."""
    evaluation = case_of(seed)
    approval = approval_of(evaluation.advice, seen_of(evaluation, days))
    brief = written(evaluation, days)
    lists = [one for one in blocks(brief, TableBlock) if one.title == "Orders"]
    assert bool(lists) is bool(approval.left)
    for block in lists:
        heads = [str(one.heading) for one in block.columns]
        now, gpus = heads.index("Commits now, $"), heads.index("GPUs")
        rows = [row for place, row in enumerate(block.rows) if place not in block.subtotals]
        if approval.usd is not None:
            assert sum(int(str(row[now]).replace(",", "")) for row in rows) == round(approval.usd)
            assert str(block.total[now]) == f"{approval.usd:,.0f}"
            assert not approval.now or f"${block.total[now]}" in brief.pages[0].title
        bought = [float(str(row[gpus]).replace(",", "")) for row in (*rows, block.total)]
        assert bought[-1] == pytest.approx(sum(bought[:-1]), abs=0.1 * len(bought))
    left = [one for one in evaluation.advice.orders if one.is_certain and not approval.seen.is_over(one)]
    assert set(approval.now) | set(approval.later) <= set(left) == set(approval.left)
    if approval.in_all_usd is not None:
        assert approval.in_all_usd == pytest.approx(liability_usd(left))


def test_what_is_to_be_approved_is_said_where_the_cost_of_the_plan_is_unknown(evaluation):
    totals = replace(evaluation.advice.totals, plan=None, savings=None, savings_vs_do_nothing=None)
    told = replace(evaluation, advice=replace(evaluation.advice, totals=totals))
    asked = ask(approval_of(told.advice, seen_of(told, 0)))
    assert asked.startswith("Approve $")
    page = written(told, 0).pages[0]
    questions = [
        text for row in page.rows for block in row if isinstance(block, TextBlock) for text in block.sentences
    ]
    assert page.title.startswith(f"{asked}; ") and f"{unknown_words(told.advice)}." in map(str, questions)
    assert "end 3 contracts: 1 by 9 Jan 2026" in page.title, "one is paid by use"
    bare = replace(totals, liability=None, liability_now=None)
    title = written(replace(told, advice=replace(told.advice, totals=bare)), 0).pages[0].title
    assert title.startswith(f"Approve at least {asked.split()[1]} by ")


def test_an_order_on_a_quote_that_is_no_longer_valid_is_to_be_asked_again(evaluation):
    """Ten days late: the sum says how much of it stands on quotes that have lapsed, and no such order is due."""
    begins_s, advice = evaluation.project.plan_window.end_s, evaluation.advice
    fresh = approval_of(advice, seen_of(evaluation, 10))
    one = fresh.overdue[0].offer_id

    def lapsed(ids):
        offers = [
            replace(row, valid_until=iso_utc(begins_s + 5 * DAY_S)[:10]) if row.offer_id in ids else row
            for row in evaluation.project.offers
        ]
        return replace(evaluation, project=replace(evaluation.project, offers=tuple(offers)))

    some = lapsed({one})
    asked = approval_of(advice, seen_of(some, 10))
    assert asked.now == fresh.now and {order.offer_id for order in asked.lapsed} == {one}
    assert set(asked.overdue) == set(fresh.overdue) - set(asked.lapsed) and asked.open
    of_it = f"${liability_usd(asked.lapsed):,.0f} of this"
    brief = written(some, 10)
    assert of_it in ask(asked) and of_it in brief.pages[0].title and of_it in brief.pages[0].figures[0].note
    told = list(cells(brief, ORDERS, "Order by"))
    assert sum("ask again" in cell for cell in told) >= len(asked.lapsed)
    assert not approval_of(advice, seen_of(some, 5)).lapsed

    every = lapsed({order.offer_id for order in fresh.now})
    brief = written(every, 10)
    assert brief.pages[0].title.startswith("Ask again ") and f"${fresh.usd:,.0f}" in brief.pages[0].title
    assert not any("overdue" in cell for cell in cells(brief, ORDERS, "Order by"))
    assert not any(text.startswith("Approve") for text in (page.title for page in brief.pages))


def test_a_plan_that_begins_in_the_past_says_so(evaluation):
    def said(days):
        page = written(evaluation, days).pages[1]
        texts = [one for row in page.rows for one in row if isinstance(one, TextBlock)]
        return " ".join(str(sentence) for text in texts for sentence in text.sentences)

    begins = day(evaluation.project.plan_window.end_s)
    assert f"{begins}, 10 days before" in said(10)
    assert "days before" not in said(0) and "days before" not in said(-40)


@pytest.mark.long
def test_a_log_that_counts_its_time_from_0_has_no_days(evaluation):
    project = evaluation.project
    project = replace(project, window=replace(project.window, start_s=0), contracts=())
    told = evaluated(project, two_clusters_with_layers().classifications)
    assert told.advice.orders
    brief = brief_of(told, 1_790_812_800, "1")
    words = [brief.foot, brief.head]
    for page in brief.pages:
        words += [page.title, *(f"{one.text} {one.note}" for one in page.figures)]
        for block in (block for row in page.rows for block in row):
            if isinstance(block, TextBlock):
                words += map(str, block.sentences)
            if isinstance(block, TableBlock):
                words += [str(cell) for row in block.rows for cell in row]
    assert {found for text in words for found in DATE.findall(text)} == {"1 Oct 2026"}
    assert any("Plan from" in text for text in words) and "--" not in "".join(words)
    assert "in the first month" in brief.pages[0].title
    assert set(cells(brief, ORDERS, "Order by")) <= {str(plan_month(number)) for number in range(12)}
    assert not blocks(brief, TimelineChart)
    assert [chart.start_s for chart in blocks(brief, DemandChart)] == [None]
    assert blocks(brief, MonthsChart)[0].months[:2] == ("first month", "month 2")
    dated = replace(project, plan_from_s=1_790_812_800)
    again = brief_of(evaluated(dated, two_clusters_with_layers().classifications), 1_790_812_800, "1")
    assert " by " in again.pages[0].title and not any(
        "month " in by for by in cells(again, ORDERS, "Order by")
    )
    assert "without dates" in again.foot and "plan from 1 Oct 2026" in again.foot
