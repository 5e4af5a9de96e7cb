"""The board: what the planner does with cards, by mouse, key and menu."""

import json
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QMimeData,
    QObject,
    QPoint,
    QPointF,
    QRect,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QColor, QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from gpuplanner.domain.commitment.plan.comparison import Horizon, HorizonRow
from gpuplanner.domain.edits.labels import move_label
from gpuplanner.domain.model.plan.scenario import WholeDecisions
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.board.board import empty_words, slot_of
from gpuplanner.ui.board.hover_change import HoverChange
from gpuplanner.ui.board.pool_column import PoolColumn
from gpuplanner.ui.cards.card_list import DRAG_HOT_SPOT, DRAG_WIDTH, WORKLOADS_MIME
from gpuplanner.ui.cards.delegate import CARD_HEIGHT
from gpuplanner.ui.cards.model import CARD_ROLE, FACE_ROLE, SLOT_ROLE
from gpuplanner.ui.flows.board.hover_flow import advice_before_drop
from gpuplanner.ui.kit.palettes import in_use
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words.lanes import LANES, Lane
from tests.ui.sample_world import key_of

ROLLOUTS = key_of("agent-rollouts")


def mime(*keys: str) -> QMimeData:
    data = QMimeData()
    data.setData(WORKLOADS_MIME, json.dumps(keys).encode())
    return data


def enter(column: PoolColumn, data: QMimeData) -> QDragEnterEvent:
    buttons, modifiers = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    event = QDragEnterEvent(QPoint(40, 200), Qt.DropAction.MoveAction, data, buttons, modifiers)
    column.dragEnterEvent(event)
    return event


def drop(column: PoolColumn, data: QMimeData) -> None:
    buttons, modifiers = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    column.dropEvent(QDropEvent(QPointF(40, 200), Qt.DropAction.MoveAction, data, buttons, modifiers))


def names(window: MainWindow, lane: Lane) -> list[str]:
    return [card.name for card in window.board.columns[lane].model.cards]


def select(window: MainWindow, *keys: str) -> None:
    for column in window.board.columns.values():
        column.cards.select_keys(frozenset(keys), keys[0])


def test_a_drop_moves_the_card_with_one_named_step(window: MainWindow) -> None:
    data = mime(ROLLOUTS)
    enter(window.board.columns[Lane.BURST], data)
    drop(window.board.columns[Lane.BURST], data)
    assert "agent-rollouts" in names(window, Lane.BURST)
    assert "agent-rollouts" not in names(window, Lane.REVIEW)
    step = str(move_label(window.session.document.project, (ROLLOUTS,), Pool.BURST))
    assert window.session.document.undo_stack.undoText() == step
    assert window.actions_by_id["undo"].text() == f"Undo {step}"


def test_a_new_column_lays_its_ground_under_the_cards(qtbot: QtBot) -> None:
    """Nothing behind the cards is painted: without it what lay there before is seen between them."""
    column = PoolColumn(Lane.BURST)
    qtbot.addWidget(column)
    column.resize(240, 400)
    column.show()
    picture = column.cards.viewport().grab().toImage()
    assert picture.pixelColor(picture.width() // 2, picture.height() // 2) == QColor(in_use().surface)


def test_undo_puts_it_back_and_redo_away_again(window: MainWindow) -> None:
    window.board.workloads_moved.emit((ROLLOUTS,), Pool.BURST)
    window.actions_by_id["undo"].trigger()
    assert "agent-rollouts" in names(window, Lane.REVIEW)
    window.actions_by_id["redo"].trigger()
    assert "agent-rollouts" in names(window, Lane.BURST)


def test_hovering_asks_what_it_would_change_and_shows_the_whole_plan_first(window: MainWindow) -> None:
    column = window.board.columns[Lane.BURST]
    enter(column, mime(ROLLOUTS))
    assert window.session.evaluator.previews[-1] == (frozenset([ROLLOUTS]), Pool.BURST)
    slot = column.model.index(column.model.slot_row).data(SLOT_ROLE)
    assert slot.title == "Whole plan"
    assert slot.change == "\u2212$23,064 in 12 months"  # 5,339 a month becomes 64% of it
    assert slot.details == ()  # no pool has a cost of its own in twelve months
    assert slot.is_saving
    column.dragLeaveEvent(QDragLeaveEvent())
    assert column.model.slot_row is None
    assert window.session.evaluator.stopped == 1


def test_the_picture_at_the_mouse_never_covers_what_the_slot_says(window: MainWindow) -> None:
    column = window.board.columns[Lane.INFERENCE]
    data = mime(ROLLOUTS)
    enter(column, data)
    cards = column.cards
    for y in range(90, column.height() - 20, 7):
        buttons, modifiers = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        column.dragMoveEvent(
            QDragMoveEvent(QPoint(60, y), Qt.DropAction.MoveAction, data, buttons, modifiers)
        )
        place = cards.visualRect(column.model.index(column.model.slot_row))
        said = place.translated(cards.viewport().mapTo(column, QPoint(0, 0)))
        if not column.note.isHidden():
            assert column.note.geometry().top() >= said.top()  # it went along
        held = QRect(QPoint(60, y) - DRAG_HOT_SPOT, QSize(DRAG_WIDTH, CARD_HEIGHT))
        assert not said.intersects(held), y
    slot = column.model.index(column.model.slot_row).data(SLOT_ROLE)
    assert slot.change and slot.title == "Whole plan"


def test_a_hover_of_next_month_shows_each_pool_after_the_whole_plan(window: MainWindow) -> None:
    window.choose_horizon(Horizon.NEXT_MONTH)
    column = window.board.columns[Lane.BURST]
    enter(column, mime(ROLLOUTS))
    slot = column.model.index(column.model.slot_row).data(SLOT_ROLE)
    assert slot.change == "\u2212$1,922 next month"
    assert [lane for lane, _ in slot.details][:1] == [Lane.BURST]
    window.choose_horizon(Horizon.TWELVE_MONTHS)


def test_a_hover_before_the_plan_is_settled_has_its_decisions(window: MainWindow) -> None:
    """The hover is of the plan on the board: an advice with other whole decisions is another plan's."""
    shown = window.session.view_state
    assert shown is not None and shown.evaluation.advice is not None
    advice = shown.evaluation.advice
    assert advice_before_drop(shown, advice) is advice
    other = replace(advice, whole_decisions=WholeDecisions(ends=(("k", 0),)))
    assert advice_before_drop(shown, other) is None
    unknown = replace(shown, evaluation=replace(shown.evaluation, advice=None))
    assert advice_before_drop(unknown, advice) is advice_before_drop(None, advice) is None


def test_before_the_answer_is_there_the_slot_shows_an_ellipsis(window: MainWindow) -> None:
    window.session.evaluator.answers_previews = False
    column = window.board.columns[Lane.TRAINING]
    enter(column, mime(ROLLOUTS))
    assert column.model.index(column.model.slot_row).data(SLOT_ROLE).change == "\u2026"


def test_review_refuses_a_drop_and_says_why(window: MainWindow) -> None:
    column = window.board.columns[Lane.REVIEW]
    data = mime(key_of("vllm-chat-prod"))
    enter(column, data)
    slot = column.model.index(column.model.slot_row).data(SLOT_ROLE)
    assert slot.is_refused and "Drop the card on one" in slot.title
    drop(column, data)
    assert window.session.document.undo_stack.count() == 0


def test_a_card_over_its_own_column_opens_no_slot(window: MainWindow) -> None:
    column = window.board.columns[Lane.INFERENCE]
    enter(column, mime(key_of("vllm-chat-prod")))
    assert column.model.slot_row is None


def test_files_are_no_cards(window: MainWindow) -> None:
    data = QMimeData()
    data.setText("no card")
    event = enter(window.board.columns[Lane.BURST], data)
    assert window.board.columns[Lane.BURST].model.slot_row is None
    assert event.mimeData().text() == "no card"


@pytest.mark.parametrize(("action", "lane"), [("move_training", Lane.TRAINING), ("move_burst", Lane.BURST)])
def test_the_keyboard_moves_what_is_selected(window: MainWindow, action: str, lane: Lane) -> None:
    keys = (ROLLOUTS, key_of("batch-scoring"))
    window.board.columns[Lane.REVIEW].cards.select_keys(frozenset(keys), ROLLOUTS)
    window.actions_by_id[action].trigger()
    assert {"agent-rollouts", "batch-scoring"} <= set(names(window, lane))
    assert window.session.document.undo_stack.undoText() == f"Move 2 workloads to {lane.value}"


def test_space_selects_and_lets_go(window: MainWindow, qtbot: QtBot) -> None:
    cards = window.board.columns[Lane.TRAINING].cards
    cards.setFocus()
    cards.setCurrentIndex(cards.model().index(1))
    cards.clearSelection()
    qtbot.keyClick(cards, Qt.Key.Key_Space)
    assert len(cards.selected_keys()) == 1
    qtbot.keyClick(cards, Qt.Key.Key_Space)
    assert cards.selected_keys() == ()


def test_arrows_go_between_columns(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    window.activateWindow()
    first, second = (window.board.columns[lane].cards for lane in LANES[:2])
    first.setFocus()
    first.setCurrentIndex(first.model().index(0))
    monkeypatch.setattr(window.board.selection, "focused_lane", lambda: Lane.TRAINING)
    qtbot.keyClick(first, Qt.Key.Key_Right)
    assert second.currentIndex().isValid()


def test_search_leaves_what_matches_and_says_where_nothing_does(window: MainWindow) -> None:
    window.board.search.setText("sweep")
    assert names(window, Lane.BURST) == ["sweep-lr-grid", "sweep-lora-rank"]
    assert names(window, Lane.TRAINING) == []
    assert "sweep" in empty_words(Lane.TRAINING, window.board.shown, window.board.view)
    assert window.board.columns[Lane.BURST].heading.count_text == "2 of 12"
    window.board.focus_search()
    QTest.keyClick(window.board.search, Qt.Key.Key_Escape)
    assert window.board.search.text() == ""
    assert len(names(window, Lane.TRAINING)) == 12
    assert window.board.columns[Lane.BURST].heading.count_text == "12"


def test_sorting_by_name(window: MainWindow) -> None:
    window.board.sort_by("Name")
    assert names(window, Lane.BURST) == sorted(names(window, Lane.BURST))


def test_headings_add_up_to_the_plan(window: MainWindow) -> None:
    advice = window.session.view_state.advice
    heading = [window.board.columns[lane].heading.sums for lane in LANES[:3]]
    assert sum(sums.usd_per_month for sums in heading) == pytest.approx(advice.totals.plan)


def test_figures_settle_in_place(window: MainWindow) -> None:
    window.session.evaluator.steps = 1
    window.board.workloads_moved.emit((ROLLOUTS,), Pool.BURST)
    model = window.board.columns[Lane.BURST].model
    row = next(at for at, card in enumerate(model.cards) if card.key == ROLLOUTS)
    face = model.index(row).data(FACE_ROLE)
    assert face.is_settling
    assert face.usd == 5339.0  # the amount of before, muted, until the new one is there


def test_nothing_moves_while_a_card_is_in_the_hand(window: MainWindow) -> None:
    review = window.board.columns[Lane.REVIEW].cards
    review.dragged_keys = (ROLLOUTS,)
    window.board.workloads_moved.emit((ROLLOUTS,), Pool.BURST)
    assert "agent-rollouts" in names(window, Lane.REVIEW)
    review.dragged_keys = ()
    review.drag_ended.emit()
    assert "agent-rollouts" in names(window, Lane.BURST)


def test_a_card_speaks(window: MainWindow) -> None:
    model = window.board.columns[Lane.TRAINING].model
    spoken = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    name, pool, usd, hours, *_ = spoken.split(", ")
    assert (name, pool) == ("llama3-70b-pretrain", "Training")
    assert usd.startswith("$94,202 ") and hours.startswith("23,204 GPU-hours")
    assert "confidence 97%" in spoken and "over-specified" in spoken


def test_names_from_a_log_are_not_read_as_markup(window: MainWindow) -> None:
    from dataclasses import replace

    from gpuplanner.ui.cards.marks import tool_tip

    card = window.board.columns[Lane.TRAINING].model.index(0).data(CARD_ROLE)
    assert "<img" not in tool_tip(replace(card, name="<img src=x>"), None, (), False)


def test_pinning_is_one_step_and_shows(window: MainWindow) -> None:
    select(window, key_of("vllm-chat-prod"))
    window.actions_by_id["pin"].trigger()
    assert window.session.document.undo_stack.undoText() == "Pin vllm-chat-prod"
    assert window.board.columns[Lane.INFERENCE].model.cards[0].is_pinned


def test_today_is_read_only(window: MainWindow) -> None:
    window.choose_scenario("Today")
    assert not window.board.columns[Lane.TRAINING].cards.dragEnabled()
    assert window.board.columns[Lane.REVIEW].isHidden()
    shown = sum(len(column.model.cards) for column in window.board.columns.values())
    assert shown == 48
    window.board.move_selected(Pool.BURST)
    assert window.session.document.undo_stack.count() == 0


def test_two_thousand_cards_are_laid_out_without_a_widget_each(window: MainWindow) -> None:
    from dataclasses import replace

    column = window.board.columns[Lane.TRAINING]
    card = column.model.cards[0]
    column.model.show_cards([replace(card, key=str(at)) for at in range(2500)], {}, {}, 1.0, False)
    assert column.model.rowCount() == 2500
    assert len(column.cards.viewport().children()) == 0


@pytest.mark.long
def test_a_column_ends_with_a_whole_card(window: MainWindow) -> None:
    cards = window.board.columns[Lane.BURST].cards
    step = cards.visualRect(cards.model().index(0)).height()
    for height in (700, 713, 752, 801):
        window.resize(1280, height)
        QCoreApplication.processEvents()
        seen = cards.viewport().height()
        assert seen % step == 0 and step <= seen <= cards.height() < seen + 4 + step
    assert cards.verticalScrollBar().singleStep() == step
    window.change_text_size(50)
    QCoreApplication.processEvents()
    larger = cards.visualRect(cards.model().index(0)).height()
    assert larger > step and cards.verticalScrollBar().singleStep() == larger
    window.change_text_size(0)


def test_a_column_ends_with_its_last_card_and_takes_cards_below_it(window: MainWindow) -> None:
    board, column = window.board, window.board.columns[Lane.BURST]
    window.resize(1280, 900)
    QCoreApplication.processEvents()
    step = column.cards.visualRect(column.model.index(0)).height()
    whole = column.end
    for count in (3, 1):  # cards whose names begin alike
        while len(column.model.cards) > count:
            board.workloads_moved.emit((column.model.cards[-1].key,), Pool.TRAINING)
        QCoreApplication.processEvents()
        assert column.cards.geometry().bottom() < column.end < column.cards.geometry().bottom() + step
        assert column.cards.viewport().height() == count * step
    assert column.end < whole and column.height() > column.end + 2 * step
    below = QPoint(40, column.height() - 20)
    assert board.childAt(column.mapTo(board, below)) is column, "nothing lies over the ground below the cards"
    enter(column, mime(ROLLOUTS))
    QCoreApplication.processEvents()
    assert column.cards.viewport().height() == 2 * step, "the slot has room"
    drop(column, mime(ROLLOUTS))
    QCoreApplication.processEvents()
    assert column.cards.viewport().height() == 2 * step
    assert "agent-rollouts" in names(window, Lane.BURST)


def test_a_card_that_came_or_went_is_one_row_and_what_is_selected_stays(window: MainWindow) -> None:
    column = window.board.columns[Lane.INFERENCE]
    model, cards = column.model, list(column.model.cards)
    told: list[tuple[str, int, int]] = []
    model.modelReset.connect(lambda: told.append(("reset", 0, 0)))
    model.rowsRemoved.connect(lambda _, first, last: told.append(("gone", first, last)))
    model.rowsInserted.connect(lambda _, first, last: told.append(("come", first, last)))
    column.cards.select_keys((cards[0].key,))
    model.show_cards([*cards[:1], *cards[2:]], {}, {}, 1.0, False)
    model.show_cards(cards, {}, {}, 1.0, False)
    assert told == [("gone", 1, 1), ("come", 1, 1)]
    assert column.cards.selected_keys() == (cards[0].key,)
    assert [model.card_at(row) for row in range(model.rowCount())] == cards
    model.show_cards(cards[2:], {}, {}, 1.0, False)
    assert told[-1] == ("reset", 0, 0)


def test_cards_that_say_something_else_are_painted_in_the_next_repaint(
    window: MainWindow, qtbot: QtBot
) -> None:
    column = window.board.columns[Lane.INFERENCE]
    qtbot.wait(50)
    painted: list[bool] = []

    class Log(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            painted.append(event.type() == QEvent.Type.Paint)
            return False

    log = Log()
    column.cards.viewport().installEventFilter(log)
    column.model.show_cards(column.model.rows, {}, {}, 2.0, True)
    QCoreApplication.sendPostedEvents(window, QEvent.Type.UpdateRequest.value)  # no timer has its turn before
    assert any(painted)


def row_of(horizon: Horizon, usd: float | None) -> HorizonRow:
    """A change of a plan that costs $1,000 before."""
    after = None if usd is None else 1000.0 + usd
    return HorizonRow(horizon=horizon, do_nothing=None, plan=after, before=1000.0, saved=None, changed=usd)


def change_of(shown: Horizon, next_month: float | None, year: float | None, **values: Any) -> HoverChange:
    amounts = (next_month, 7.0, year)
    rows = {horizon: row_of(horizon, usd) for horizon, usd in zip(Horizon, amounts, strict=True)}
    return HoverChange(horizon=shown, changes=rows, **values)


def test_a_slot_says_the_change_in_the_period_of_the_headline() -> None:
    dear = slot_of(Pool.INFERENCE, change_of(Horizon.TWELVE_MONTHS, 0.3, 99_463.0))
    assert (dear.title, dear.change, dear.is_saving) == ("Whole plan", "+$99,463 in 12 months", False)
    assert slot_of(Pool.INFERENCE, change_of(Horizon.TWELVE_MONTHS, 0.0, -900.0)).is_saving
    unserved = change_of(Horizon.TWELVE_MONTHS, 0.0, -900.0, leaves_demand=True)
    assert not slot_of(Pool.INFERENCE, unserved).is_saving
    assert slot_of(Pool.INFERENCE, change_of(Horizon.MONTH_12, 0.0, 0.2)).change == "+$7 in month 12"
    unknown = slot_of(Pool.INFERENCE, change_of(Horizon.TWELVE_MONTHS, 5.0, None))
    assert (unknown.title, unknown.change) == ("Cost unknown", "")


def test_a_slot_says_the_next_month_too_where_its_sign_differs() -> None:
    saves_now = slot_of(Pool.INFERENCE, change_of(Horizon.TWELVE_MONTHS, -350.0, 8417.0))
    assert (saves_now.change, saves_now.beside) == ("+$8,417 in 12 months", "\u2212$350 next month")
    assert not saves_now.is_saving
    assert slot_of(Pool.INFERENCE, change_of(Horizon.TWELVE_MONTHS, 350.0, 8417.0)).beside == ""
    now = slot_of(Pool.INFERENCE, change_of(Horizon.NEXT_MONTH, 0.0, 8417.0))
    assert (now.change, now.beside) == ("\u00b1$0 next month", "+$8,417 in 12 months")


def test_the_board_keeps_no_menu_of_cards_that_was_closed(window: MainWindow, qtbot: QtBot) -> None:
    board, before = window.board, len(window.board.findChildren(QMenu))
    view = board.columns[Lane.TRAINING].cards
    view.select_keys((board.columns[Lane.TRAINING].model.cards[0].key,))

    def close() -> None:
        assert len(board.findChildren(QMenu)) > before
        QApplication.activePopupWidget().close()

    QTimer.singleShot(0, close)
    view.customContextMenuRequested.emit(QPoint(9, 9))
    qtbot.waitUntil(lambda: len(board.findChildren(QMenu)) == before)
