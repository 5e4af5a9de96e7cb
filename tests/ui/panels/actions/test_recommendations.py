"""Recommendations: each commitment once, its dates against today, and what becomes of contracts."""

from dataclasses import replace
from decimal import Decimal

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gpuplanner.domain import edits
from gpuplanner.domain.brief.approval import approval_of
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.order_days import seen_on
from gpuplanner.domain.commitment.outlook_result import Outlook, SpotAdvice
from gpuplanner.domain.commitment.plan.layers import order_dollars
from gpuplanner.domain.commitment.plan.orders import gpus_in_rows, with_order_figures, with_rows
from gpuplanner.domain.commitment.result import Layer, Order, Verdict
from gpuplanner.domain.commitment.words.verdicts import decide_by_s, verdict_words
from gpuplanner.domain.evidence.plan.plan_answers import answer
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.model.cube import short_advice_words
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.ui.panels.actions.recommendations import recommendation_rows
from gpuplanner.ui.panels.today.contract_dates import order_words
from gpuplanner.ui.state.commitment_words import LAPSED, commit_words, terms_words
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.tables.row_list import ListRow
from gpuplanner.ui.why import plan_answers
from gpuplanner.ui.window.main_window import MainWindow
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


def sections(rows: list[ListRow]) -> dict[str, list[ListRow]]:
    """What is to be done, by heading; without the row of what signing binds."""
    made: dict[str, list[ListRow]] = {}
    for row in rows:
        if row.is_heading:
            made[row.title] = []
        elif row.figure_id != figure("orders_bind"):
            made[list(made)[-1]].append(row)
    return made


def test_every_order_is_told_once_with_its_dates(shown: ViewState) -> None:
    orders = (order(64, 12, 0, "now"), order(12, 36, 59, "contract_end"), order(5, 6, 59, "contract_end"))
    made = sections(recommendation_rows(with_orders(shown, *orders), END_S))
    assert [row.title for row in made["Commit now: 64 GPUs"]] == ["Commit 64 H100 for 12 months."]
    (later,) = made["Commit later: 17 GPUs"]
    assert (
        "17 H100" in later.title and "36 months" in later.title and "12 for 36 months, 5 for 6" in later.more
    )
    assert "With vela-36, vela-6" in later.more
    sold = [replace(one, provider=name) for one, name in zip(orders, ("Vela", "Orrin", "Orrin"), strict=True)]
    said = sections(recommendation_rows(with_orders(shown, *sold), END_S))
    (now,), (then,) = said["Commit now: 64 GPUs"], said["Commit later: 17 GPUs"]
    assert "With Vela \u00b7 " in now.more and "With Orrin \u00b7 " in then.more
    for row in (*made["Commit now: 64 GPUs"], later):
        assert (
            row.kind == "layers" and "Order by" in row.note and "starts " in f"{row.note} {row.more}".lower()
        )


def test_what_an_sla_leaves_open_stands_beside_its_order_now_and_later(shown: ViewState) -> None:
    """99.9% of 730 h are 43.8 minutes; 64 GPUs at 2.50 cost $117 in them."""
    orders = (replace(order(64, 12, at, "now"), sla_percent=99.9) for at in (0, 59))
    rows = [row for row in recommendation_rows(with_orders(shown, *orders), END_S) if row.kind == "layers"]
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
    (row,) = [row for row in recommendation_rows(given, END_S + (39 - days) * DAY_S) if row.kind == "layers"]
    assert (row.icon_role, row.note_role) == (role, role) and words in row.note
    assert (row.icon == "octagon") is (days < 0)


def test_what_is_overdue_is_to_be_signed_now(shown: ViewState) -> None:
    given = with_orders(shown, order(8, 6, 40, "contract_end"), order(3, 6, 0, "now"))
    assert "Commit now: 3 GPUs" in sections(recommendation_rows(given, END_S))
    assert "Commit now: 11 GPUs" in sections(recommendation_rows(given, END_S + 41 * DAY_S))


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
    heading, *rows = recommendation_rows(with_orders(shown, *orders), END_S)[: len(orders) + 2]
    amounts = [int(row.amount.replace("+", "").replace(",", "")) for row in rows if row.kind == "layers"]
    assert len(amounts) > 1
    assert heading.amount == f"+${sum(amounts):,} per month"


def test_what_is_bought_by_the_hour_is_named_where_it_is_a_share_of_the_spend(shown: ViewState) -> None:
    """42% of a year were bought of one public price, and no recommendation said so."""
    assert shown.advice is not None
    offer = next(one for one in shown.offers if one.pricing_category is PricingCategory.STANDARD)
    ways = ((offer.gpu_model, (offer.offer_id,), 730 * 69.0),)
    for usd, is_said in ((5_000.0, True), (499.0, False)):
        months = [
            replace(month, contracts_usd=10_000.0 - usd, orders_usd=0.0, use_usd=usd, use_hours=ways)
            for month in shown.advice.comparison
        ]
        given = replace(shown, advice=replace(shown.advice, comparison=tuple(months)))
        rows = [row for row in recommendation_rows(given, END_S) if row.title.startswith("On demand")]
        values = ("69 GPUs", "$60,000", "12 months", "(50%", offer.provider)
        assert len(rows) == is_said
        assert all(value in f"{row.title} {row.note}" for row in rows for value in values)


def test_that_all_on_demand_would_cost_less_than_today_is_a_row(shown: ViewState) -> None:
    assert shown.advice is not None
    for on_demand, rows in ((900.0, 1), (1_000.0, 0)):
        totals = replace(shown.advice.totals, on_demand_equivalent=on_demand, today=1_000.0)
        given = replace(shown, advice=replace(shown.advice, totals=totals))
        titles = [row.title for row in recommendation_rows(given, END_S)]
        found = [title for title in titles if f"${on_demand:,.0f}" in title]  # both in one title: cut
        assert len(found) == rows and all("$100" in title for title in found)


def test_growth_is_no_reason_without_growth(shown: ViewState) -> None:
    """Demand does not grow in the plan: planned work begins, or the capacity of a block does."""
    rows = recommendation_rows(with_orders(shown, order(8, 6, 40, "growth")), END_S)
    (row,) = [row for row in rows if row.kind == "layers"]
    assert "pays off from then on" in row.more and "grow" not in row.more + row.tip


def test_a_step_of_a_ramp_is_nothing_to_let_end(shown: ViewState) -> None:
    assert shown.advice is not None
    contract = next(one for one in PROJECT.contracts if one.is_committed)
    verdict = Verdict(
        contract_id=contract.contract_id,
        verdict="let_expire",
        then_term_months=0,
        gpus=0.0,
        order_by_s=0,
        reason="",
        continued_by="k (2)",
    )
    given = replace(shown, advice=replace(shown.advice, verdicts=(verdict,)))
    assert not [row for row in recommendation_rows(given, END_S) if row.key == contract.contract_id]
    assert decide_by_s(verdict, contract) is None and not verdict.is_to_decide
    assert str(verdict_words(verdict, contract)) == "goes on as k (2)"


def test_a_commitment_opens_its_layers(window: MainWindow, qtbot: QtBot) -> None:
    panel = window.docks.recommendations.list
    at = next(at for at, row in enumerate(panel.rows) if row.kind == "layers")
    window.docks.duration.choose(Pool.INFERENCE, "H100")
    assert panel.rows[at].key == "training\tH100"
    panel.setCurrentIndex(panel.model().index(at, 0))
    panel.setFocus()
    qtbot.keyClick(panel, Qt.Key.Key_Return)
    duration = window.docks.duration
    assert (duration.pool.currentData(), duration.model.currentText()) == (Pool.TRAINING, "H100")
    assert duration.isVisible()


def test_an_order_of_another_model_names_what_is_signed_and_what_it_stands_in_for(shown: ViewState) -> None:
    mapped = replace(order(13, 12, 0, "now"), offer_gpu_model="H200", offer_gpus=9.0)
    made = sections(recommendation_rows(with_orders(shown, mapped), END_S))
    (row,) = made["Commit now: 9 GPUs"]
    assert row.title == "Commit 9 H200 for 12 months." and "instead of 13 H100" in row.more
    later = replace(order(8, 6, 40, "contract_end"), offer_gpu_model="H200", offer_gpus=5.0)
    made = sections(recommendation_rows(with_orders(shown, later, replace(later, term_months=3)), END_S))
    (row,) = made["Commit later: 10 GPUs"]
    assert "10 H200" in row.title and "3 months" in row.title
    assert "16 H100" in row.more and "5 for 3 months, 5 for 6" in row.more


def test_an_order_costs_what_is_bought_at_the_rate_it_is_signed_at(shown: ViewState) -> None:
    assert shown.advice is not None
    asked = replace(order(13, 12, 40, "contract_end"), offer_gpus=9.0)
    one, unpriced = with_order_figures((asked, replace(asked, rate=None)))
    assert order_dollars(one, shown.advice) == 730 * 9 * 2.5
    assert order_dollars(unpriced, shown.advice) is None


def test_checkpoints_on_spot_are_one_row_with_what_they_save(shown: ViewState) -> None:
    key = PROJECT.workloads[0].key
    one = SpotAdvice(
        key=key,
        pool=Pool.BURST,
        gpu_model="H100",
        nodes=1,
        longest_job_hours=100.0,
        interval_hours=4.0,
        lost_share=0.1146,
        best_interval_hours=2.0,
        best_lost_share=0.0938,
        on_spot=True,
        on_spot_at_best=True,
        saves_usd_per_month=123.4,
    )
    less = replace(one, key="c/t/y", saves_usd_per_month=20.0)
    assert shown.outlook is not None
    given = replace(shown, outlook=replace(shown.outlook, spot=(less, one)))
    (row,) = [row for row in recommendation_rows(given, END_S) if "checkpoints" in row.title]
    assert "2 h" in row.title and row.amount == "\u2212143"
    assert (row.kind, row.key) == ("workload", key) and "$123 per month" in row.tip
    assert "2 workloads" in row.note and "4 h" in row.note


@pytest.mark.parametrize(
    ("hours", "title", "note"),
    [
        (168, "The log has 7 days.", "It gives no terms over one month (more than a week), no P10\u2013P90"),
        (
            800,
            "The log has 33.3 days.",
            "It gives no backtest (two months of 730 h). P10\u2013P90 and the cost of being wrong use 4 weeks",
        ),
    ],
)
def test_what_a_short_log_cannot_support_is_a_row(
    shown: ViewState, hours: int, title: str, note: str
) -> None:
    project = replace(shown.evaluation.project, window=replace(PROJECT.window, hours=hours))
    given = replace(shown, evaluation=replace(shown.evaluation, project=project))
    (row,) = [row for row in recommendation_rows(given, END_S) if row.title == title]
    assert note in row.note
    assert bool(short_advice_words(hours)) is (row.icon_role == "amber") is (hours < 720)
    assert row.note.startswith(str(short_advice_words(hours) or ""))
    assert not [row for row in recommendation_rows(shown, END_S) if row.title.startswith("The log has")]


def test_an_old_log_offers_to_plan_from_today_and_a_later_beginning_is_said(shown: ViewState) -> None:
    def told(given: ViewState, now_s: int) -> list[tuple[str, str]]:
        return [(row.title, row.note) for row in recommendation_rows(given, now_s) if row.kind == "plan_from"]

    assert told(shown, END_S + 3600) == []
    ((title, note),) = told(shown, END_S + 6 * DAY_S)
    assert "The log ended" in note and "6 days ago" in note
    assert told(shown, END_S + 400 * DAY_S) == []  # said above the list, see test_plan_words.py
    later = edits.plans.set_plan_from(shown.evaluation.project, END_S + 390 * DAY_S)
    given = replace(shown, evaluation=replace(shown.evaluation, project=later))
    ((title, note),) = told(given, END_S + 400 * DAY_S)
    assert numbers.date(END_S + 390 * DAY_S) in title and note.startswith("390 days after ")


def test_days_since_the_log_are_as_many_before_and_after_planning_from_today(shown: ViewState) -> None:
    """A log that ends at 23:00: three days by the calendar, whichever way they are said."""
    project = shown.evaluation.project
    window = replace(project.window, start_s=project.window.start_s - END_S % DAY_S - 3600)
    project, today_s = replace(project, window=window), (window.end_s // DAY_S + 3) * DAY_S
    notes = []
    for one in (project, edits.plans.set_plan_from(project, today_s)):
        given = replace(shown, evaluation=replace(shown.evaluation, project=one))
        notes += [row.note for row in recommendation_rows(given, today_s) if row.kind == "plan_from"]
    assert "3 days ago" in notes[0] and notes[1].startswith("3 days after ")


def test_a_saving_by_spot_has_a_minus_and_says_below_what(shown: ViewState) -> None:
    assert shown.advice is not None
    plan = shown.advice.pools[0]
    by_use = Layer(
        existing=False,
        pricing_category=PricingCategory.DYNAMIC,
        term_months=0,
        offer_id="spot",
        gpus=10.0,
        busy_gpus=10.0,
        rate=2.0,
        spot_share=1.0,
        cost_per_month=14_600.0,
        beside_on_demand=-29_200.0,
    )
    on_spot = replace(plan, layers=(by_use,))
    given = replace(shown, advice=replace(shown.advice, pools=(on_spot,)))
    (row,) = [row for row in recommendation_rows(given, END_S) if row.title.endswith("on spot.")]
    assert row.amount == "\u221229,200"
    assert row.more.startswith("$29,200 per month below")
    unknown = replace(
        given,
        advice=replace(
            shown.advice, pools=(replace(plan, layers=(replace(by_use, beside_on_demand=None),)),)
        ),
    )
    (row,) = [row for row in recommendation_rows(unknown, END_S) if row.title.endswith("on spot.")]
    assert row.amount == "" and row.figure_id == ""


def shown_dollars(shown: ViewState) -> int:
    """What the answer of the heading adds up to."""
    return plan_answers.plan_evidence(shown, END_S).whole_usd[figure("orders_usd")]


def test_what_signing_binds_stands_above_it_with_what_is_due_on_the_day(shown: ViewState) -> None:
    first, second = order(8, 1, 0, "now"), order(16, 12, 20, "growth")
    prepaid = replace(first, liability=5_000.0, due_at_once=800.0)
    both = with_orders(shown, prepaid, replace(second, liability=70_000.0, due_at_once=0.0))
    row = next(row for row in recommendation_rows(both, END_S) if row.figure_id == figure("orders_bind"))
    assert row.amount == "$75,000" and row.note.startswith("$800 upfront")
    trace = answer(plan_answers.plan_evidence(both, END_S), figure("orders_bind"))
    assert trace.value == 75_000.0
    said = [row.more for row in recommendation_rows(both, END_S)]
    assert any("$800 due" in more for more in said)
    listed = replace(PROJECT.offers[0], offer_id=first.offer_id, rate_usd_per_gpu_hour=Decimal(4))
    evaluation = replace(shown.evaluation, project=replace(PROJECT, offers=(listed,)))
    dearer = replace(with_orders(shown, first), evaluation=evaluation)
    row = next(row for row in recommendation_rows(dearer, END_S) if row.figure_id == figure("orders_bind"))
    assert row.more.startswith("$") and "today's list" in row.more
    unpriced = with_orders(shown, replace(first, liability=None))
    assert all(row.figure_id != figure("orders_bind") for row in recommendation_rows(unpriced, END_S))


def test_what_starts_later_is_not_in_the_dollars_of_the_first_month(shown: ViewState) -> None:
    begins = order(8, 1, 0, "now")
    later = order(65, 36, 29, "contract_end")
    both = with_orders(shown, begins, later)
    heading = next(row for row in recommendation_rows(both, END_S) if row.is_heading)
    assert heading.title == "Commit now: 73 GPUs" and shown.advice is not None
    usd = order_dollars(begins, both.advice)  # type: ignore[arg-type]
    assert usd and heading.amount.startswith(f"{numbers.dollar_change(usd)} ")
    assert shown_dollars(both) == usd
    alone = next(row for row in recommendation_rows(with_orders(shown, later), END_S) if row.is_heading)
    assert alone.amount == "$ per month" and not alone.figure_id


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
    heading = next(row for row in recommendation_rows(given, now_s) if row.is_heading)
    if not days:
        assert gpus_in_rows(asked.now) == 29
    if asked.now:
        assert heading.title == f"Commit now: {asked.gpus_counted}"
    else:
        assert days == 900 and not heading.amount and "GPUs" not in heading.title


def test_terms_that_are_equal_are_one() -> None:
    year, quarter, days = (12, None), (3, None), (2, 45)
    assert terms_words([(15, year), (5, year)]) == "20 for 12 months"
    assert terms_words([(15, year), (9, quarter), (5, year)]).split(", ") == ["20 for 12 months", "9 for 3"]
    assert terms_words([(15, year), (9, days)]).split(", ") == ["15 for 12 months", "9 for 45 days"]


def test_what_stands_on_a_quote_that_has_lapsed_is_to_be_asked_again(shown: ViewState) -> None:
    first = shown.evaluation.project.offers[0]
    lapsed = replace(first, valid_until="2020-01-01")
    now, later = (replace(order(5, 12, days, "now"), offer_id=first.offer_id) for days in (0, 59))
    given = with_orders(shown, now, later, order(4, 12, 0, "now"))
    project = replace(given.evaluation.project, offers=(lapsed, *given.evaluation.project.offers[1:]))
    given = replace(given, evaluation=replace(given.evaluation, project=project))
    rows = [row for row in recommendation_rows(given, END_S) if row.kind == "layers"]
    said = {row.title: row.note.startswith(str(LAPSED)) for row in rows}
    assert len(rows) == 3 and said == {
        "Commit 5 H100 for 12 months.": True,
        "Commit 4 H100 for 12 months.": False,
    }


def test_without_a_clock_today_is_the_day_that_the_plan_begins(shown: ViewState) -> None:
    given = with_orders(shown, order(5, 12, 59, "now"))
    project = replace(given.evaluation.project, plan_from_s=END_S + 40 * DAY_S)
    given = replace(given, evaluation=replace(given.evaluation, project=project))
    begins_s = project.plan_window.end_s
    assert begins_s > END_S
    notes = [[row.note for row in recommendation_rows(given, now_s)] for now_s in (None, begins_s)]
    assert notes[0] == notes[1] and any("in 18 days" in note for note in notes[0])


def test_a_term_of_days_is_told_in_days(shown: ViewState) -> None:
    now, later = (
        replace(made, term_days=45, end_s=made.start_s + 45 * DAY_S)
        for made in (order(5, 2, days, "now") for days in (0, 59))
    )
    rows = [row for row in recommendation_rows(with_orders(shown, now, later), END_S) if row.kind == "layers"]
    assert [row.title for row in rows] == ["Commit 5 H100 for 45 days."] * 2
    assert order_words((now,)).startswith("5 H100 for 45 days")
    week = replace(
        now, term_months=1, term_days=7, end_s=now.start_s + MONTH_S
    )  # as it renews within a month
    assert commit_words((week,)) == "Commit 5 H100, weekly."


def test_a_row_of_one_term_says_it_once(shown: ViewState) -> None:
    orders = (
        order(15, 12, 59, "contract_end"),
        replace(order(5, 12, 59, "contract_end"), offer_id="vela-other"),
    )
    rows = [row for row in recommendation_rows(with_orders(shown, *orders), END_S) if row.kind == "layers"]
    assert [row.title for row in rows] == ["Commit 20 H100 for 12 months."] and "15 for" not in rows[0].more


END = NextDecision(
    decision_id="contract:atlas",
    number=3,
    kind="end",
    subject="atlas (96 H100)",
    provider="Vela",
    by_s=END_S + 5 * DAY_S,
    year_without=900.0,
    year_with=100.0,
    committed_usd=5_000.0,
    contract_id="atlas",
)
UNKNOWN = NextDecision(
    decision_id="order:x", kind="order", subject="8 B200 for 12 months", unknown="a rate is missing"
)
LEFT = replace(UNKNOWN, decision_id="order:y", year_without=5.0, year_with=9.0, is_in_plan=False)


def test_every_decision_has_its_amount_its_day_and_what_it_commits(shown: ViewState) -> None:
    given = replace(shown, outlook=Outlook(next_decisions=(END, UNKNOWN, LEFT)))
    found = sections(recommendation_rows(given, END_S))
    assert list(found)[:2] == ["Next decisions", "Not now"]
    end, unknown = found["Next decisions"]
    assert (end.title, end.amount, end.kind, end.key) == (
        "D3 End atlas (96 H100)",
        "800",
        "decision",
        "contract:atlas",
    )
    assert end.note == "In 5 days \u00b7 Vela \u00b7 commits $5,000 now"
    assert end.figure_id == figure("next_decision", "contract:atlas")
    assert unknown.amount == "\u2014"
    assert unknown.note.endswith("a rate is missing")
    (left,) = found["Not now"]
    assert left.amount == "\u22124"


def test_a_decision_that_costs_in_twelve_months_says_from_when_it_pays(shown: ViewState) -> None:
    costs = replace(END, year_without=100.0, year_with=500.0, saves_in_month_12=100.0, months_after=24.0)
    for gap, more in (("", ""), ("a gap", " \u00b7 a gap")):
        given = replace(shown, outlook=Outlook(next_decisions=(replace(costs, gap=gap),)))
        (row,) = sections(recommendation_rows(given, END_S))["Next decisions"]
        assert (row.amount, row.more) == ("\u2212400", f"{costs.reason}{more}")


def test_what_is_paid_by_use_under_a_contract_is_stopped(shown: ViewState) -> None:
    assert shown.advice is not None
    (held,) = (one for one in PROJECT.contracts if not one.is_committed and one.gpu_model == "H100")
    verdicts = [
        Verdict(
            contract_id=one.contract_id,
            verdict="let_expire",
            then_term_months=0,
            gpus=0.0,
            order_by_s=None,
            reason="",
        )
        for one in PROJECT.contracts
    ]
    given = replace(shown, advice=replace(shown.advice, verdicts=tuple(verdicts)))
    rows = sections(recommendation_rows(given, END_S))["To end"]
    (row,) = [row for row in rows if row.key == held.contract_id]
    assert row.title == f"Stop {held.contract_id}." and "on demand" in row.note
    assert row.amount == numbers.change(-(held.cost_per_month or 0.0))
    assert {row.key for row in rows} == {one.contract_id for one in PROJECT.contracts if not one.is_committed}


def test_a_row_of_a_decision_asks_what_becomes_of_it(window: MainWindow, qtbot: QtBot) -> None:
    panel = window.docks.recommendations
    with qtbot.waitSignal(panel.decision_asked) as asked:
        panel.list.row_opened.emit("decision", "contract:atlas")
    assert asked.args == ["contract:atlas"]
