"""Orders as rows: their dates against today, what they say, and what those of now commit."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.brief.approval import approval_of
from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.order_days import seen_in, seen_on
from gpuplanner.domain.commitment.plan.layers import order_dollars
from gpuplanner.domain.commitment.plan.orders import (
    gpus_in_rows,
    orders_by_row,
    with_order_figures,
    with_rows,
)
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.evidence.plan.plan_answers import answer
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.ui.decisions.order_rows import commit_now_rows, order_row
from gpuplanner.ui.panels.today.contract_dates import order_words
from gpuplanner.ui.state.commitment_words import LAPSED, commit_words, reason_words
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.tables.row_list import ListRow
from gpuplanner.ui.why import plan_answers
from gpuplanner.ui.words import numbers
from tests.ui.sample_world import evaluation_of, sample_project

PROJECT = sample_project()
END_S = PROJECT.window.end_s


@pytest.fixture
def shown() -> ViewState:
    return next_view_state(None, evaluation_of(PROJECT, PROJECT.scenarios[0].name))


def with_orders(shown: ViewState, *orders: Order) -> ViewState:
    assert shown.advice is not None
    return replace(shown, advice=replace(shown.advice, orders=tuple(with_rows(orders))))


def order(gpus: float, term: int, days: int, reason: str) -> Order:
    by_s = END_S + days * DAY_S
    start_s = by_s + 2 * DAY_S
    end_s = start_s + term * MONTH_S
    made = Order(
        pool=Pool.TRAINING,
        gpu_model="H100",
        offer_id=f"vela-{term}",
        term_months=term,
        gpus=gpus,
        start_s=start_s,
        end_s=end_s,
        order_by_s=by_s,
        reason=reason,
    )
    (made,) = with_order_figures([replace(made, rate=2.5)])
    return made


def order_rows(shown: ViewState, now_s: int | None = END_S) -> list[ListRow]:
    """The orders of a plan as rows, as if each was listed without a number."""
    assert shown.advice is not None
    seen = seen_in(shown.evaluation.project, now_s)
    chains = orders_by_row(shown.advice.orders)
    listed = [ListedOrder(number=0, orders=chain, order_ids=()) for chain in chains]
    return [order_row(one, seen, shown.advice, shown.offers) for one in listed]


def now_rows(shown: ViewState, now_s: int = END_S) -> Sequence[ListRow]:
    """What the orders of now come to."""
    assert shown.advice is not None
    seen = seen_in(shown.evaluation.project, now_s)
    return commit_now_rows(seen.to_approve(shown.advice.orders), seen, shown.advice, shown.offers)


def test_an_order_says_its_dates_and_with_whom(shown: ViewState) -> None:
    sold = [replace(order(64, 12, 0, "now"), provider="Vela"), order(12, 36, 59, "contract_end")]
    first, later = order_rows(with_orders(shown, *sold))
    assert (first.title, later.title) == ("64 H100 for 12 months", "12 H100 for 36 months")
    assert "With Vela \u00b7 " in first.more and "With Provider missing \u00b7 " in later.more
    for row in (first, later):
        assert row.kind == "layers" and "Order by" in row.note and "starts " in row.note


def test_an_order_has_its_number_and_says_until_when_its_quote_is_valid(shown: ViewState) -> None:
    assert shown.advice is not None
    (chain,) = orders_by_row(with_rows([order(8, 12, 0, "now")]))
    listed = ListedOrder(number=4, orders=chain, order_ids=("x",), quote_valid_until="2026-12-21")
    row = order_row(listed, seen_in(PROJECT), shown.advice, shown.offers)
    assert row.title == "O4 8 H100 for 12 months" and "21 Dec 2026" in row.more


def test_what_an_sla_leaves_open_stands_beside_its_order_now_and_later(shown: ViewState) -> None:
    """99.9% of 730 h are 43.8 minutes; 64 GPUs at 2.50 cost $117 in them."""
    orders = (replace(order(64, 12, at, "now"), sla_percent=99.9) for at in (0, 59))
    rows = order_rows(with_orders(shown, *orders))
    assert len(rows) == 2 and all(
        "Its SLA excludes 43.8 minutes per month: 117 $" in row.more for row in rows
    )


@pytest.mark.parametrize(
    ("days", "role", "words"),
    [
        (-35, "red", "35 days ago: ask for a quicker start"),
        (0, "amber", "today"),
        (30, "amber", "in 30 days"),
        (31, "muted", ""),
    ],
)
def test_a_date_to_order_by_is_held_against_today(shown: ViewState, days: int, role: str, words: str) -> None:
    """By the midnight that begins day 40 is by day 39, as a notice beside it is."""
    given = with_orders(shown, order(8, 6, 40, "contract_end"))
    (row,) = order_rows(given, END_S + (39 - days) * DAY_S)
    assert (row.icon_role, row.note_role) == (role, role) and words in row.note
    assert (row.icon == "octagon") is (days < 0)


def test_what_is_overdue_is_to_be_signed_now(shown: ViewState) -> None:
    given = with_orders(shown, order(8, 6, 40, "contract_end"), order(3, 6, 0, "now"))
    assert now_rows(given)[0].title == "Commit now: 3 GPUs"
    assert now_rows(given, END_S + 41 * DAY_S)[0].title == "Commit now: 11 GPUs"


def test_the_amounts_to_sign_now_add_up_to_their_heading(shown: ViewState) -> None:
    assert shown.advice is not None
    layers = [
        (plan, layer)
        for plan in shown.advice.pools
        for layer in plan.layers
        if layer.term_months and not layer.existing
    ]
    orders = [
        replace(
            order(layer.gpus, layer.term_months or 0, -2, "now"),
            pool=plan.pool,
            gpu_model=plan.gpu_model,
            offer_id=layer.offer_id or "",
            rate=layer.rate,
        )
        for plan, layer in layers
    ]  # fmt: skip
    heading = now_rows(with_orders(shown, *orders))[0]
    rows = order_rows(with_orders(shown, *orders))
    amounts = [int(row.amount.replace("+", "").replace(",", "")) for row in rows]
    assert len(amounts) > 1
    assert heading.amount == f"+${sum(amounts):,} per month"


def test_growth_is_no_reason_without_growth(shown: ViewState) -> None:
    """Demand does not grow in the plan: planned work begins, or the capacity of a block does."""
    (row,) = order_rows(with_orders(shown, order(8, 6, 40, "growth")))
    assert reason_words(order(8, 6, 40, "growth")) in row.more and "grow" not in row.more + row.tip


def test_an_order_of_another_model_names_what_is_signed_and_what_it_stands_in_for(shown: ViewState) -> None:
    mapped = replace(order(13, 12, 0, "now"), offer_gpu_model="H200", offer_gpus=9.0)
    given = with_orders(shown, mapped)
    assert now_rows(given)[0].title == "Commit now: 9 GPUs"
    (row,) = order_rows(given)
    assert row.title == "9 H200 for 12 months" and "instead of 13 H100" in row.more


def test_an_order_costs_what_is_bought_at_the_rate_it_is_signed_at(shown: ViewState) -> None:
    assert shown.advice is not None
    asked = replace(order(13, 12, 40, "contract_end"), offer_gpus=9.0)
    one, unpriced = with_order_figures((asked, replace(asked, rate=None)))
    assert order_dollars(one, shown.advice) == 730 * 9 * 2.5
    assert order_dollars(unpriced, shown.advice) is None


def shown_dollars(shown: ViewState) -> int:
    """What the answer of the heading adds up to."""
    return plan_answers.plan_evidence(shown, END_S).whole_usd[figure("orders_usd")]


def test_what_signing_binds_stands_above_it_with_what_is_due_on_the_day(shown: ViewState) -> None:
    first, second = order(8, 1, 0, "now"), order(16, 12, 20, "growth")
    prepaid = replace(first, liability=5_000.0, due_at_once=800.0)
    both = with_orders(shown, prepaid, replace(second, liability=70_000.0, due_at_once=0.0))
    row = next(row for row in now_rows(both, END_S) if row.figure_id == figure("orders_bind"))
    assert row.amount == "$75,000" and row.note.startswith("$800 upfront")
    trace = answer(plan_answers.plan_evidence(both, END_S), figure("orders_bind"))
    assert trace.value == 75_000.0
    said = [row.more for row in order_rows(both)]
    assert any("$800 due" in more for more in said)
    listed = replace(PROJECT.offers[0], offer_id=first.offer_id, rate_usd_per_gpu_hour=Decimal(4))
    evaluation = replace(shown.evaluation, project=replace(PROJECT, offers=(listed,)))
    dearer = replace(with_orders(shown, first), evaluation=evaluation)
    row = next(row for row in now_rows(dearer, END_S) if row.figure_id == figure("orders_bind"))
    assert row.more.startswith("$") and "today's list" in row.more
    unpriced = with_orders(shown, replace(first, liability=None))
    assert all(row.figure_id != figure("orders_bind") for row in now_rows(unpriced, END_S))


def test_what_starts_later_is_not_in_the_dollars_of_the_first_month(shown: ViewState) -> None:
    begins = order(8, 1, 0, "now")
    later = order(65, 36, 29, "contract_end")
    both = with_orders(shown, begins, later)
    heading = next(row for row in now_rows(both, END_S) if row.is_heading)
    assert heading.title == "Commit now: 73 GPUs" and shown.advice is not None
    usd = order_dollars(begins, both.advice)  # type: ignore[arg-type]
    assert usd and heading.amount.startswith(f"{numbers.dollar_change(usd)} ")
    assert shown_dollars(both) == usd
    alone = next(row for row in now_rows(with_orders(shown, later), END_S) if row.is_heading)
    assert alone.amount == "" and not alone.figure_id


@pytest.mark.parametrize("days", [0, 3, 20, 45, 90, 900])
def test_what_is_to_be_signed_now_is_what_the_brief_asks_to_approve(shown: ViewState, days: int) -> None:
    """One number: what is overdue or to be placed within a month, renewals within a week, and nothing that is over."""
    orders = [
        order(8, 1, 0, "now"),
        order(16, 1, 28, "bridge"),
        order(5, 12, 30, "growth"),
        order(4, 3, 60, "follows"),
    ]
    given, now_s = with_orders(shown, *orders), END_S + days * DAY_S
    assert given.advice is not None
    project = given.evaluation.project
    asked = approval_of(given.advice, seen_on(now_s, project.plan_window.end_s, project.offers))
    heading = next(row for row in now_rows(given, now_s) if row.is_heading)
    if not days:
        assert gpus_in_rows(asked.now) == 29
    if asked.now:
        assert heading.title == f"Commit now: {asked.gpus_counted}"
    else:
        assert days == 900 and not heading.amount and "GPUs" not in heading.title


def test_what_stands_on_a_quote_that_has_lapsed_is_to_be_asked_again(shown: ViewState) -> None:
    first = shown.evaluation.project.offers[0]
    lapsed = replace(first, valid_until="2020-01-01")
    now, later = (replace(order(5, 12, days, "now"), offer_id=first.offer_id) for days in (0, 59))
    given = with_orders(shown, now, later, order(4, 12, 0, "now"))
    project = replace(given.evaluation.project, offers=(lapsed, *given.evaluation.project.offers[1:]))
    given = replace(given, evaluation=replace(given.evaluation, project=project))
    rows = order_rows(given)
    said = {row.title: row.note.startswith(str(LAPSED)) for row in rows}
    assert len(rows) == 3 and said == {"5 H100 for 12 months": True, "4 H100 for 12 months": False}


def test_without_a_clock_today_is_the_day_that_the_plan_begins(shown: ViewState) -> None:
    given = with_orders(shown, order(5, 12, 59, "now"))
    project = replace(given.evaluation.project, plan_from_s=END_S + 40 * DAY_S)
    given = replace(given, evaluation=replace(given.evaluation, project=project))
    begins_s = project.plan_window.end_s
    assert begins_s > END_S
    notes = [[row.note for row in order_rows(given, now_s)] for now_s in (None, begins_s)]
    assert notes[0] == notes[1] and any("in 18 days" in note for note in notes[0])


def test_a_term_of_days_is_told_in_days(shown: ViewState) -> None:
    now, later = (
        replace(made, term_days=45, end_s=made.start_s + 45 * DAY_S)
        for made in (order(5, 2, days, "now") for days in (0, 59))
    )
    rows = order_rows(with_orders(shown, now, later))
    assert [row.title for row in rows] == ["5 H100 for 45 days"] * 2
    assert order_words((now,)).startswith("5 H100 for 45 days")
    week = replace(
        now, term_months=1, term_days=7, end_s=now.start_s + MONTH_S
    )  # as it renews within a month
    assert commit_words((week,)) == "Commit 5 H100, weekly."
