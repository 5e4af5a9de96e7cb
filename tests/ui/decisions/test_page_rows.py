"""Rows of the page Decisions: each decision in its section, and all else that a plan says of what to do."""

from dataclasses import replace

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.outlook_result import Outlook, SpotAdvice
from gpuplanner.domain.commitment.plan.orders import with_order_figures, with_rows
from gpuplanner.domain.commitment.result import Layer, Order, Verdict
from gpuplanner.domain.commitment.words.verdicts import decide_by_s, verdict_words
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.cube import short_advice_words
from gpuplanner.domain.model.plan.scenario import DoneDecision
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.ui.decisions.decision_list import DecisionRow
from gpuplanner.ui.decisions.page_rows import decisions_of, page_rows
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.tables.row_list import ListRow
from gpuplanner.ui.words import numbers
from tests.ui.sample_world import evaluation_of, sample_project

PROJECT = sample_project()
END_S = PROJECT.window.end_s
PLAN = PROJECT.scenarios[0]


@pytest.fixture
def shown() -> ViewState:
    return next_view_state(None, evaluation_of(PROJECT, PROJECT.scenarios[0].name))


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
    """What is to be done, by heading."""
    made: dict[str, list[ListRow]] = {}
    for row in rows:
        if row.is_heading:
            made[row.title] = []
        else:
            made[list(made)[-1]].append(row)
    return made


def rows_of(shown: ViewState, now_s: int = END_S) -> list[ListRow]:
    return page_rows(shown, decisions_of(shown, now_s), now_s)


def test_what_is_bought_by_the_hour_is_named_where_it_is_a_share_of_the_spend(shown: ViewState) -> None:
    """42% of a year were bought of one public price, and nothing said so."""
    assert shown.advice is not None
    offer = next(one for one in shown.offers if one.pricing_category is PricingCategory.STANDARD)
    ways = ((offer.gpu_model, (offer.offer_id,), 730 * 69.0),)
    for usd, is_said in ((5_000.0, True), (499.0, False)):
        months = [
            replace(month, contracts_usd=10_000.0 - usd, orders_usd=0.0, use_usd=usd, use_hours=ways)
            for month in shown.advice.comparison
        ]
        given = replace(shown, advice=replace(shown.advice, comparison=tuple(months)))
        rows = [row for row in rows_of(given) if row.title.startswith("On demand")]
        values = ("69 GPUs", "$60,000", "12 months", "(50%", offer.provider)
        assert len(rows) == is_said
        assert all(value in f"{row.title} {row.note}" for row in rows for value in values)


def test_that_all_on_demand_would_cost_less_than_today_is_a_row(shown: ViewState) -> None:
    assert shown.advice is not None
    for on_demand, rows in ((900.0, 1), (1_000.0, 0)):
        totals = replace(shown.advice.totals, on_demand_equivalent=on_demand, today=1_000.0)
        given = replace(shown, advice=replace(shown.advice, totals=totals))
        titles = [row.title for row in rows_of(given)]
        found = [title for title in titles if f"${on_demand:,.0f}" in title]  # both in one title: cut
        assert len(found) == rows and all("$100" in title for title in found)


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
    assert not [row for row in rows_of(given) if row.key == contract.contract_id]
    assert decide_by_s(verdict, contract) is None and not verdict.is_to_decide
    assert str(verdict_words(verdict, contract)) == "goes on as k (2)"


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
    (row,) = [row for row in rows_of(given) if "checkpoints" in row.title]
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
    (row,) = [row for row in rows_of(given) if row.title == title]
    assert note in row.note
    assert bool(short_advice_words(hours)) is (row.icon_role == "amber") is (hours < 720)
    assert row.note.startswith(str(short_advice_words(hours) or ""))
    assert not [row for row in rows_of(shown) if row.title.startswith("The log has")]


def test_an_old_log_offers_to_plan_from_today_and_a_later_beginning_is_said(shown: ViewState) -> None:
    def told(given: ViewState, now_s: int) -> list[tuple[str, str]]:
        return [(row.title, row.note) for row in rows_of(given, now_s) if row.kind == "plan_from"]

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
        notes += [row.note for row in rows_of(given, today_s) if row.kind == "plan_from"]
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
    (row,) = [row for row in rows_of(given) if row.title.endswith("on spot.")]
    assert row.amount == "\u221229,200"
    assert row.more.startswith("$29,200 per month below")
    unknown = replace(
        given,
        advice=replace(
            shown.advice, pools=(replace(plan, layers=(replace(by_use, beside_on_demand=None),)),)
        ),
    )
    (row,) = [row for row in rows_of(unknown) if row.title.endswith("on spot.")]
    assert row.amount == "" and row.figure_id == ""


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
    is_now=True,
)
UNKNOWN = NextDecision(
    decision_id="order:x", kind="order", subject="8 B200 for 12 months", unknown="a rate is missing"
)
LEFT = replace(UNKNOWN, decision_id="order:y", year_without=5.0, year_with=9.0, is_in_plan=False)


def test_a_decision_has_its_amounts_its_day_and_its_provider(shown: ViewState) -> None:
    given = replace(shown, outlook=Outlook(next_decisions=(END, UNKNOWN, LEFT)))
    found = sections(rows_of(given))
    (end,) = found["Decide now"]
    assert isinstance(end, DecisionRow)
    assert (end.title, end.amount, end.commits, end.note, end.key) == (
        "End atlas (96 H100)",
        "800",
        "5,000",
        "Vela",
        "contract:atlas",
    )
    assert (end.day, end.day_role, end.is_tall) == ("In 5 days", "red", True)
    assert end.figure_id == figure("next_decision", "contract:atlas")
    (unknown,) = found["Decide later"]
    assert unknown.amount == "\u2014" and unknown.note == "A rate is missing"
    (left,) = found["Declined: not in the plan"]
    assert left.amount == "\u22124"


def test_notice_and_order_are_two_days_where_they_differ(shown: ViewState) -> None:
    at_s = END_S + 40 * DAY_S
    both = replace(END, notice_by_s=at_s, order_by_s=at_s + DAY_S, is_now=False, committed_later_usd=7.0)
    for decision, said in ((both, 2), (replace(both, order_by_s=at_s), 0)):
        given = replace(shown, outlook=Outlook(next_decisions=(decision,)))
        (row,) = sections(rows_of(given))["Decide later"]
        assert str(row.note).count(" by ") == said
        assert isinstance(row, DecisionRow) and row.commits == "7"


def test_what_the_planner_noted_on_a_decision_has_its_section(shown: ViewState) -> None:
    later = replace(END, by_s=END_S + 90 * DAY_S, is_now=False)
    done = DoneDecision(
        decision_id="x:done:7", number=7, kind="end", subject=worded("x (8 H100)"), usd_12_months=5.0
    )
    plan = replace(PLAN, postponed=frozenset({later.decision_id}), done=(done,))
    project = replace(shown.evaluation.project, scenarios=(plan, *PROJECT.scenarios[1:]))
    evaluation = replace(shown.evaluation, project=project)
    given = replace(shown, evaluation=evaluation, outlook=Outlook(next_decisions=(later,)))
    found = sections(rows_of(given))
    assert [row.key for row in found["Not now"]] == [later.decision_id]
    assert [(row.title, row.amount) for row in found["Done"]] == [("End x (8 H100)", "5")]
    near = sections(rows_of(given, END_S + 80 * DAY_S))
    assert "Not now" not in near and [row.key for row in near["Decide later"]] == [later.decision_id]


def test_an_order_of_no_decision_is_listed_for_itself(shown: ViewState) -> None:
    """It is ordered only if recent demand continues; one of a decision stands beside that decision alone."""
    lasting = order(8, 12, 40, "if_it_lasts")
    listed = [
        ListedOrder(number=at, orders=(lasting,), order_ids=("x",), decision=of)
        for at, of in ((1, None), (2, 5))
    ]
    given = replace(shown, outlook=Outlook(listed_orders=tuple(listed)))
    (row,) = sections(rows_of(given))["If recent demand continues"]
    assert row.title == "O1 8 H100 for 12 months" and row.kind == "layers"


def test_a_decision_that_costs_in_twelve_months_says_from_when_it_pays(shown: ViewState) -> None:
    costs = replace(END, year_without=100.0, year_with=500.0, saves_in_month_12=100.0, months_after=24.0)
    given = replace(shown, outlook=Outlook(next_decisions=(costs,)))
    (row,) = sections(rows_of(given))["Decide now"]
    assert row.amount == "\u2212400" and str(costs.reason).lower() in str(row.note).lower()


@pytest.mark.parametrize(("days", "columns"), [(0, [20_000, 0]), (45, [20_000, 50_000])])
def test_the_decisions_of_now_commit_what_all_due_orders_commit(
    shown: ViewState, days: int, columns: list[int]
) -> None:
    """Read 45 days later the second order is due, too: column and total count from the same day."""
    assert shown.advice is not None
    orders = with_rows([order(8, 12, 5, "now"), order(16, 12, 60, "growth")])
    first, second = (
        replace(made, liability=usd) for made, usd in zip(orders, (20_000.0, 50_000.0), strict=True)
    )
    decisions = tuple(
        replace(END, decision_id=str(at), contract_id="", is_now=at == 0, orders=(made,), committed_usd=1.0)
        for at, made in enumerate((first, second))
    )
    totals = replace(shown.advice.totals, liability_now=20_000.0)
    advice = replace(shown.advice, orders=(first, second), totals=totals)
    given = replace(shown, advice=advice, outlook=Outlook(next_decisions=decisions))
    rows = rows_of(given, END_S + days * DAY_S)
    now = [row for row in sections(rows)["Decide now"] if isinstance(row, DecisionRow)]
    assert [row.commits for row in now] == [f"{usd:,}" for usd in columns if usd]
    total = next(row for row in rows if row.figure_id == figure("orders_bind"))
    assert total.amount == f"${sum(columns):,}"


def test_what_was_put_off_is_named_beside_the_total_that_it_is_a_part_of(shown: ViewState) -> None:
    assert shown.advice is not None
    (made,) = with_rows([order(8, 12, 20, "now")])
    made = replace(made, liability=20_000.0)
    later = replace(END, contract_id="", orders=(made,), by_s=END_S + 20 * DAY_S)
    plan = replace(PLAN, postponed=frozenset({later.decision_id}))
    project = replace(shown.evaluation.project, scenarios=(plan, *PROJECT.scenarios[1:]))
    given = replace(
        shown,
        advice=replace(shown.advice, orders=(made,)),
        evaluation=replace(shown.evaluation, project=project),
        outlook=Outlook(next_decisions=(later,)),
    )
    rows = rows_of(given)
    total = next(row for row in rows if row.figure_id == figure("orders_bind"))
    assert "$20,000 " in total.more and "Decide now" not in sections(rows)
