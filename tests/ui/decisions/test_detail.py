"""One decision in full: its facts and its orders."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.domain.commitment.listed_order import QUOTE_FIRST, READY, STATUS_TITLES, ListedOrder
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.plan.orders import with_order_figures
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.ui.decisions.detail import DecisionPane, detail_of
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from tests.ui.sample_world import evaluation_of, sample_project

PROJECT = sample_project()
END_S = PROJECT.window.end_s
HELD = next(one for one in PROJECT.contracts if one.is_committed)
ORDER = Order(
    pool=Pool.INFERENCE,
    gpu_model="H100",
    offer_id="vela-12",
    term_months=12,
    gpus=8.0,
    start_s=END_S + 42 * DAY_S,
    end_s=END_S + 42 * DAY_S + 12 * MONTH_S,
    order_by_s=END_S + 40 * DAY_S,
    reason="contract_end",
    rate=2.5,
    provider="Vela",
)
REPLACE = NextDecision(
    decision_id=f"contract:{HELD.contract_id}",
    number=8,
    kind="replace",
    subject=f"{HELD.contract_id} with 8 H100",
    provider="Vela",
    by_s=END_S + 39 * DAY_S,
    notice_by_s=END_S + 45 * DAY_S,
    order_by_s=END_S + 39 * DAY_S,
    year_without=900.0,
    year_with=100.0,
    committed_usd=0.0,
    committed_later_usd=175_200.0,
    contract_id=HELD.contract_id,
    orders=tuple(with_order_figures([ORDER])),
    order_numbers=(3,),
    is_quote=False,
)


@pytest.fixture
def shown() -> ViewState:
    made = next_view_state(None, evaluation_of(PROJECT, PROJECT.scenarios[0].name))
    listed = ListedOrder(number=3, orders=REPLACE.orders, order_ids=("x",))
    return replace(made, outlook=Outlook(next_decisions=(REPLACE,), listed_orders=(listed,)))


def facts(decision: NextDecision, shown: ViewState) -> dict[str, str]:
    detail = detail_of(decision, shown, seen_in(PROJECT, END_S))
    return {str(fact.name): str(fact.words) for fact in detail.facts}


def test_a_decision_on_a_contract_says_its_terms_its_two_days_and_its_dollars(shown: ViewState) -> None:
    said = facts(REPLACE, shown)
    assert said["Contract"].startswith(f"{HELD.gpus:.0f} \u00d7 ") and "%" in said["Used"]
    assert said["Give notice by"] != said["Order by"] and "Decide by" not in said
    assert "$800" in said["Outcome"]
    assert [word for word in said["12 months"].split() if "$" in word] == ["$100", "$900"]
    assert said["Commits later"] == "$175,200" and "Commits now" not in said
    assert "quote" in said["Prices"]


def test_an_order_says_its_day_and_what_is_without_days_or_amounts_says_less(shown: ViewState) -> None:
    bare = NextDecision(
        decision_id="order:y", kind="order", subject="y", by_s=END_S, unknown="a rate is missing"
    )
    assert list(facts(bare, shown)) == ["Decide by", "Outcome"]
    assert facts(bare, shown)["Outcome"].lower() == bare.unknown


def test_its_orders_have_their_numbers_and_those_of_a_declined_one_none(shown: ViewState) -> None:
    seen = seen_in(PROJECT, END_S)
    (row,) = detail_of(REPLACE, shown, seen).orders
    assert row.title == "O3 8 H100 for 12 months"
    declined = replace(REPLACE, order_numbers=(), is_in_plan=False)
    (row,) = detail_of(declined, shown, seen).orders
    assert row.title == "8 H100 for 12 months"


def test_an_order_without_a_quote_may_be_ordered_at_list_price_and_says_its_status(
    shown: ViewState, qtbot: QtBot
) -> None:
    pane = DecisionPane()
    qtbot.addWidget(pane)
    pane.show_detail(detail_of(REPLACE, shown, seen_in(PROJECT, END_S)), END_S)
    asked: list[ListedOrder] = []
    pane.order_asked.connect(asked.append)
    pane.choices[3].click()
    (listed,) = asked
    assert (listed.number, listed.status, listed.is_at_list_price) == (3, QUOTE_FIRST, False)
    assert str(STATUS_TITLES[QUOTE_FIRST]) in pane.orders.rows[0].more
    plan = replace(PROJECT.scenarios[0], at_list_price=frozenset(listed.order_ids))
    project = replace(PROJECT, scenarios=(plan, *PROJECT.scenarios[1:]))
    chosen = replace(shown, evaluation=replace(shown.evaluation, project=project))
    pane.show_detail(detail_of(REPLACE, chosen, seen_in(PROJECT, END_S)), END_S)
    pane.choices[3].click()
    assert asked[-1].is_at_list_price and str(STATUS_TITLES[READY]) in pane.orders.rows[0].more


def test_the_pane_offers_what_can_be_done_and_says_nothing_of_what_is_not_chosen(
    shown: ViewState, qtbot: QtBot
) -> None:
    pane = DecisionPane()
    qtbot.addWidget(pane)
    pane.show()
    assert pane.nothing.isVisible() and not pane.area.isVisible()
    pane.show_detail(detail_of(REPLACE, shown, seen_in(PROJECT, END_S)), END_S)
    offered = [name for name, button in pane.buttons.items() if button.isVisible()]
    assert offered == ["done", "leave", "not_now", "open"]
    assert pane.title.text() == f"D8 Replace {HELD.contract_id} with 8 H100"
    asked: list[tuple[str, object]] = []
    pane.asked.connect(lambda *of: asked.append(of))
    pane.buttons["done"].click()
    pane.set_settling(is_settling=True)
    pane.buttons["leave"].click()
    pane.why.click()
    assert asked == [("done", REPLACE), ("why", REPLACE)]
