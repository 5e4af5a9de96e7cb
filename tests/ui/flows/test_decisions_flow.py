"""Next decisions in the window: each answer is one step of Undo."""

from collections.abc import Iterator

import pytest

from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.decisions.actions import ACTIONS, choice_label, step_label
from gpuplanner.ui.decisions.decision_list import DecisionRow
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.plans_world import plans_project, settle

PROJECT = plans_project()
PLAN = PROJECT.scenarios[0].name
ROW = (Pool.INFERENCE, "H100", 12)
QUESTION = NextDecision(
    decision_id="contract:k", kind="question", subject="k (8 H100)", is_in_plan=False, contract_id="k"
)
ORDER = NextDecision(
    decision_id="order:x",
    kind="order",
    subject="4 H100 for 12 months",
    by_s=PROJECT.window.end_s - 1,
    row=ROW,
)


def of_contract(window: MainWindow) -> NextDecision:
    """What the plan decides of the contract k, as the window knows it."""
    assert window.session.view_state is not None and window.session.view_state.outlook is not None
    (decision,) = (d for d in window.session.view_state.outlook.next_decisions if d.contract_id == "k")
    return decision


def test_a_decision_that_is_left_is_listed_apart_and_planned_again(planner: MainWindow) -> None:
    settle(planner)
    document, decision = planner.session.document, of_contract(planner)
    shown = planner.strip.views[0]
    assert shown.decision == decision and shown.isEnabled()
    planner.decisions.act("leave", decision)
    assert document.project.scenario(PLAN).kept == ("k",)
    assert document.undo_stack.undoText() == "Do not do this: Let k (8 H100) expire"
    settle(planner)
    assert of_contract(planner).is_left and shown.decision is None
    planner.decisions.act("take", of_contract(planner))
    assert document.project.scenario(PLAN).kept == ()
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.project.scenario(PLAN) == PROJECT.scenario(PLAN)


def test_a_notice_that_was_given_is_one_step(planner: MainWindow) -> None:
    settle(planner)
    planner.decisions.act("done", of_contract(planner))
    assert planner.session.document.project.scenario(PLAN).notice_given == ("k",)
    assert planner.session.document.undo_stack.undoText() == "Mark as done: Let k (8 H100) expire"


def test_a_number_that_was_read_is_kept_with_the_next_step_and_goes_with_undo(planner: MainWindow) -> None:
    settle(planner)
    document, read = planner.session.document, of_contract(planner)
    assert planner.strip.views[0].head.whole.startswith(f"D{read.number}")
    planner.decisions.act("leave", read)
    assert document.project.scenario(PLAN).decision_numbers[read.decision_id] == read.number
    settle(planner)
    assert of_contract(planner).number == read.number
    document.undo_stack.undo()
    assert document.project.scenario(PLAN).decision_numbers == {}


def orders_of(window: MainWindow, decision: NextDecision) -> NextDecision:
    """A decision with an order of 4 GPUs of the first offer, for the clusters of the log."""
    end_s = PROJECT.window.end_s
    order = Order(
        pool=ROW[0],
        gpu_model=ROW[1],
        offer_id=PROJECT.offers[0].offer_id,
        term_months=12,
        gpus=4.0,
        start_s=end_s,
        end_s=end_s + 12 * MONTH_S,
        order_by_s=end_s,
        reason="now",
    )
    cluster = window.session.project.workloads[0].cluster
    return replace(decision, placed=(order,), clusters=((cluster, 1.0),))


def test_an_order_that_was_placed_is_a_contract_however_often_it_is_pressed(planner: MainWindow) -> None:
    settle(planner)
    document, decision = planner.session.document, orders_of(planner, ORDER)
    for _ in range(2):
        planner.decisions.act("done", decision)
    assert not planner.strip.views[0].isEnabled()
    (placed,) = (row for row in document.project.contracts if row.contract_id != "k")
    assert (placed.gpus, placed.pool, placed.term_months) == (4.0, Pool.INFERENCE, 12)
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    assert document.project.contracts == PROJECT.contracts


def test_what_it_is_of_is_opened(planner: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    panel = planner.page
    for signal in ("contract_asked", "layers_asked", "notice_asked", "editor_asked"):
        getattr(panel, signal).disconnect()
        getattr(panel, signal).connect(lambda *of, signal=signal: asked.append((signal, *of)))
    ways = replace(
        planner.decisions.ways,
        panel=lambda name: asked.append(name),
        why=lambda name, widget: asked.append((name, widget)),
    )
    monkeypatch.setattr(planner.decisions, "ways", ways)
    for action, decision in (
        ("take", QUESTION),
        ("open", QUESTION),
        ("open", ORDER),
        ("open", NextDecision(decision_id="saving:x", kind="saving", subject="x", is_in_plan=False)),
        ("why", ORDER),
    ):
        planner.decisions.act(action, decision)
    assert asked == [
        ("notice_asked", "k"),
        ("contract_asked", "k"),
        ("layers_asked", *ROW[:2]),
        "today_to_plan",
        ("next_decision::order:x", planner.strip),
    ]


def test_a_notice_that_nobody_can_read_is_asked_for_in_the_terms(planner: MainWindow) -> None:
    asked: list[str] = []
    planner.page.editor_asked.disconnect()
    planner.page.editor_asked.connect(asked.append)
    document = planner.session.document
    unread = replace(document.project.contracts[0], notice_written="soon", notice_days=None, renews_months=1)
    document.edit(worded("x"), replace(document.project, contracts=(unread,)))
    planner.decisions.act("take", QUESTION)
    assert asked == ["k"]


def on_decisions(window: MainWindow) -> Iterator[MainWindow]:
    """The window with the page Decisions in view; the board again afterwards."""
    settle(window)
    window.show_decisions()
    yield window
    window.choose_plan_view("board")


@pytest.fixture
def page_window(planner: MainWindow) -> Iterator[MainWindow]:
    yield from on_decisions(planner)


def test_all_decisions_stand_on_a_page_in_place_of_the_board(page_window: MainWindow) -> None:
    window = page_window
    assert window.page.isVisible() and not window.board.isVisible() and not window.strip.isVisible()
    assert not window.docks.visible_panels()
    decision = of_contract(window)
    assert window.page.detail.detail is not None and window.page.detail.detail.decision == decision
    assert (
        window.middle.plan_switch.buttons["decisions"].text()
        == f"Decisions {window.page.count(window.session.view_state)}"
    )
    window.choose_plan_view("board")
    assert window.board.isVisible() and window.strip.isVisible() and window.docks.visible_panels()
    window.strip.all_asked.emit()
    assert window.page.isVisible()


def test_the_key_of_decisions_leads_from_today_to_a_plan(planner: MainWindow) -> None:
    settle(planner)
    planner.choose_scenario(TODAY)
    planner.actions_by_id["decisions"].trigger()
    assert planner.session.scenario == PLAN and planner.page.isVisible()
    planner.choose_plan_view("board")


def test_a_decision_is_marked_on_the_page_and_listed_as_done(page_window: MainWindow) -> None:
    window = page_window
    read = of_contract(window)
    window.page.detail.buttons["done"].click()
    settle(window)
    (done,) = (row for row in window.page.list.rows if isinstance(row, DecisionRow) and row.decision.is_done)
    assert done.decision.number == read.number and str(done.title) == str(read.title_shortly)
    window.session.document.undo_stack.undo()
    settle(window)
    assert not [row for row in window.page.list.rows if isinstance(row, DecisionRow) and row.decision.is_done]


@pytest.mark.long
def test_what_is_done_is_opened_again_after_the_project_was_reopened(page_window: MainWindow) -> None:
    window, document = page_window, page_window.session.document
    read = of_contract(window)
    window.page.detail.buttons["done"].click()
    settle(window)
    document.load(document.project)  # its steps are gone, as after opening it
    settle(window)
    assert not document.undo_stack.canUndo()
    (done,) = window.session.project.scenario(PLAN).done
    window.page.choose(done.decision_id)
    settle(window)
    assert [name for name, one in window.page.detail.buttons.items() if one.isVisible()] == ["reopen"]
    row = next(at for at, row in enumerate(window.page.list.rows) if row.key == done.decision_id)
    menu = window.page.list.menu(window.page.list.model().index(row, 0))
    assert menu.actions()[0].text() == str(ACTIONS["reopen"])
    window.page.detail.buttons["reopen"].click()
    settle(window)
    assert of_contract(window).number == read.number
    assert window.session.project.scenario(PLAN).done == ()
    document.undo_stack.undo()
    assert window.session.project.scenario(PLAN).done == (done,)


def test_a_decision_that_is_put_off_leaves_the_cards_and_no_figure_changes(planner: MainWindow) -> None:
    settle(planner)
    before, decision = planner.session.view_state, of_contract(planner)
    planner.decisions.act("not_now", decision)
    settle(planner)
    assert planner.session.document.undo_stack.undoText() == str(step_label("not_now", decision))
    assert planner.session.project.scenario(PLAN).postponed == {"contract:k"}
    assert before is not None and planner.session.view_state is not None
    assert planner.session.view_state.advice == before.advice
    planner.decisions.act("now", decision)
    assert planner.session.project.scenario(PLAN).postponed == frozenset()


def test_an_order_is_placed_at_list_price_in_one_step_and_no_figure_changes(planner: MainWindow) -> None:
    settle(planner)
    before, document = planner.session.view_state, planner.session.document
    listed = ListedOrder(number=1, orders=(), order_ids=("order:x:1",))
    planner.page.order_asked.emit(listed)
    settle(planner)
    assert document.project.scenario(PLAN).at_list_price == {"order:x:1"}
    assert document.undo_stack.count() == 1 and document.undo_stack.undoText() == str(choice_label(listed))
    assert before is not None and planner.session.view_state is not None
    assert planner.session.view_state.advice is before.advice
    planner.page.order_asked.emit(replace(listed, is_at_list_price=True))
    assert document.project.scenario(PLAN).at_list_price == frozenset()
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.project.scenario(PLAN).at_list_price == frozenset()


def test_a_row_of_the_page_has_the_menu_of_its_decision(page_window: MainWindow) -> None:
    listed = page_window.page.list
    at = next(at for at, row in enumerate(listed.rows) if row.key == "contract:k")
    texts = [action.text() for action in listed.menu(listed.model().index(at, 0)).actions()]
    assert texts[:2] == [str(ACTIONS[name]) for name in ("done", "leave")]


def test_a_press_and_undo_in_the_window(planner: MainWindow) -> None:
    settle(planner)
    view, document = planner.strip.views[0], planner.session.document
    assert view.decision is not None and view.button.text() == "Mark as done"
    view.button.click()
    view.button.click()
    assert document.undo_stack.count() == 1
    settle(planner)
    assert view.decision is None or view.decision.contract_id != "k"  # it is gone
    document.undo_stack.undo()
    settle(planner)
    assert document.project.contracts == PROJECT.contracts and view.isEnabled()
    assert of_contract(planner).title == view.decision.title if view.decision else False


def test_what_changes_nothing_is_no_step_and_can_be_pressed_again(planner: MainWindow) -> None:
    settle(planner)
    planner.decisions.act("take", of_contract(planner))  # the plan has it already
    assert planner.session.document.undo_stack.count() == 0 and planner.strip.views[0].isEnabled()
