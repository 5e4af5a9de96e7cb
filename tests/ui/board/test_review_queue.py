"""The review queue by keys: a letter decides and goes on, Enter says why, and no move by key loses the place."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.cards.card_list import CardView
from gpuplanner.ui.cards.model import SLOT_ROLE
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words.lanes import Lane
from tests.some_of import one_in
from tests.ui.sample_world import key_of


def review_of(window: MainWindow) -> CardView:
    view = window.board.columns[Lane.REVIEW].cards
    view.setFocus()
    first = view.model().cards[0].key
    view.select_keys(frozenset((first,)), first)
    return view


def order(view: CardView) -> list[str]:
    return [card.key for card in view.model().cards]


def test_review_stands_dearest_first(window: MainWindow) -> None:
    usd = window.session.view_state.usd
    amounts = [usd[key] for key in order(review_of(window))]
    assert amounts == sorted(amounts, reverse=True)


@pytest.mark.parametrize(
    ("key", "pool"),
    one_in(2, [(Qt.Key.Key_T, Pool.TRAINING), (Qt.Key.Key_I, Pool.INFERENCE), (Qt.Key.Key_B, Pool.BURST)]),
)
def test_a_letter_labels_the_card_and_selects_the_next(window: MainWindow, key: Qt.Key, pool: Pool) -> None:
    view = review_of(window)
    first, second = order(view)[:2]
    QTest.keyClick(view, key)
    assert window.session.document.project.labels == {first: pool}
    assert window.session.document.project.scenarios[0].pools == {}
    assert window.session.document.undo_stack.undoText() == f"Label agent-rollouts as {pool}"
    assert view.selected_keys() == (second,)
    assert view.current_key() == second
    assert window.focusWidget() is view


@pytest.mark.long
def test_a_planner_goes_through_the_whole_queue_key_by_key(window: MainWindow) -> None:
    view = review_of(window)
    queue = order(view)
    for key in (Qt.Key.Key_T, Qt.Key.Key_I, Qt.Key.Key_B) * 4:
        QTest.keyClick(view, key)
    assert list(window.session.document.project.labels) == queue[:12]
    assert len(queue) == 12
    QTest.keyClick(view, Qt.Key.Key_T)  # nothing is left, or nothing is selected: nothing happens
    assert len(window.session.document.project.labels) == 12


def test_a_decided_card_is_shown_as_gone_before_its_figures_are_there(window: MainWindow) -> None:
    window.session.evaluator.steps = 0
    view = review_of(window)
    first, second = order(view)[:2]
    QTest.keyClick(view, Qt.Key.Key_B)
    assert view.model().index(0).data(SLOT_ROLE).title == "Burst: agent-rollouts"
    QTest.keyClick(view, Qt.Key.Key_T)
    assert window.session.document.project.labels == {first: Pool.BURST, second: Pool.TRAINING}


def test_undo_and_redo_of_a_decision(window: MainWindow) -> None:
    view = review_of(window)
    before = window.session.document.project
    QTest.keyClick(view, Qt.Key.Key_B)
    after = window.session.document.project
    window.actions_by_id["undo"].trigger()
    assert window.session.document.project is before
    window.actions_by_id["redo"].trigger()
    assert window.session.document.project is after


def test_alt_and_a_digit_only_sets_the_pool_and_stays_with_the_card(window: MainWindow) -> None:
    view = review_of(window)
    first = order(view)[0]
    window.actions_by_id["move_training"].trigger()
    assert window.session.document.project.labels == {}
    assert window.session.document.project.scenarios[0].pools == {first: Pool.TRAINING}
    window.actions_by_id["move_burst"].trigger()  # it was meant to go there: no other card is touched
    assert window.session.document.project.scenarios[0].pools == {first: Pool.BURST}
    assert window.board.selection.keys() == (first,)


def test_after_the_last_card_the_one_above_is_selected(window: MainWindow) -> None:
    view = review_of(window)
    *_, above, last = order(view)
    view.select_keys(frozenset((last,)), last)
    QTest.keyClick(view, Qt.Key.Key_B)
    assert view.selected_keys() == (above,)


def test_several_cards_leave_together_and_the_one_under_them_follows(window: MainWindow) -> None:
    view = review_of(window)
    cards = order(view)
    view.select_keys(frozenset((cards[1], cards[3])), cards[3])
    QTest.keyClick(view, Qt.Key.Key_I)
    assert set(window.session.document.project.labels) == {cards[1], cards[3]}
    assert view.selected_keys() == (cards[4],)


def test_in_another_column_letters_decide_nothing(window: MainWindow) -> None:
    view = window.board.columns[Lane.TRAINING].cards
    view.setFocus()
    view.select_keys(frozenset((key_of("llama3-8b-sft"),)), key_of("llama3-8b-sft"))
    QTest.keyClick(view, Qt.Key.Key_B)
    assert window.session.document.undo_stack.count() == 0


def test_undo_leaves_the_keyboard_at_a_card(window: MainWindow) -> None:
    view = window.board.columns[Lane.TRAINING].cards
    window.board.workloads_moved.emit((key_of("agent-rollouts"),), Pool.TRAINING)
    view.setFocus()
    view.select_keys(frozenset((key_of("agent-rollouts"),)), key_of("agent-rollouts"))
    window.actions_by_id["undo"].trigger()
    assert view.current_key() is not None


def test_enter_says_why_and_a_letter_decides_there(window: MainWindow) -> None:
    view = review_of(window)
    first, second = order(view)[:2]
    QTest.keyClick(view, Qt.Key.Key_Return)
    why = window.board.review_why
    assert why.isVisible()
    shown = [label.text() for label in why.reasons]
    card = window.board.find_card(first)
    assert shown == [f"\u2022 {reason}" for reason in card.classification.reasons]
    assert str(card.classification.runner_up) in why.other.text()
    assert "52%" in why.decision.text()
    QTest.keyClick(why, Qt.Key.Key_T)
    assert not why.isVisible()
    assert window.session.document.project.labels == {first: Pool.TRAINING}
    assert view.selected_keys() == (second,)


def test_the_buttons_under_review_do_what_the_keys_do_and_say_so(window: MainWindow) -> None:
    view, foot = review_of(window), window.board.columns[Lane.REVIEW].foot
    first = order(view)[0]
    for pool, button in foot.buttons.items():
        assert pool.value in button.toolTip()
        assert button.accessibleName()
        assert button.width() >= button.sizeHint().width()
    foot.buttons[Pool.INFERENCE].click()
    assert window.session.document.project.labels == {first: Pool.INFERENCE}
    foot.why.click()
    assert window.board.review_why.isVisible()
    window.board.review_why.close()


def test_a_button_with_nothing_selected_selects_the_dearest_and_decides_nothing(window: MainWindow) -> None:
    foot = window.board.columns[Lane.REVIEW].foot
    foot.buttons[Pool.BURST].click()
    assert window.session.document.project.labels == {}
    assert window.board.selected_keys() == (key_of("agent-rollouts"),)


def test_where_nothing_is_to_decide_there_are_no_buttons(window: MainWindow) -> None:
    view = review_of(window)
    keys = tuple(order(view))
    assert window.board.columns[Lane.REVIEW].foot.isVisible()
    window.board.workloads_moved.emit(keys, Pool.BURST)
    assert not window.board.columns[Lane.REVIEW].foot.isVisible()
