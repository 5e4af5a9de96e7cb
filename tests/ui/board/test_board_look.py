"""How the board is looked at, and what is selected on it: groups, filter, similar cards, sums, the side sheet."""

from dataclasses import fields, replace
from unittest.mock import patch

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.board.idle_column import IdleColumn
from gpuplanner.ui.board.menu import CardVerbs, MenuState, card_menu
from gpuplanner.ui.cards.board_view import BoardView
from gpuplanner.ui.cards.column_rows import GroupHeading
from gpuplanner.ui.cards.facets import SIMILAR, STATES
from gpuplanner.ui.kit.type_scale import font, text_width
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words.lanes import Lane
from tests.ui.sample_world import key_of

EU, PROD = key_of("vllm-chat-eu"), key_of("vllm-chat-prod")


def headings(window: MainWindow, lane: Lane) -> list[GroupHeading]:
    return [row for row in window.board.columns[lane].model.rows if isinstance(row, GroupHeading)]


def chips(window: MainWindow) -> list[str]:
    return [button.text() for button in window.board.filter_line.buttons]


def said_of_selection(window: MainWindow, qtbot: QtBot) -> str:
    qtbot.waitUntil(lambda: not window.board.selection.teller.isActive())
    line = window.board.selection_line
    return "" if line.isHidden() else line.said.accessibleName()


def test_headings_of_groups_fold_and_the_fold_is_told_to_be_remembered(
    window: MainWindow, qtbot: QtBot
) -> None:
    board = window.board
    board.group_by("cluster")
    first = headings(window, Lane.INFERENCE)[0]
    before = board.columns[Lane.INFERENCE].model.rowCount()
    with qtbot.waitSignal(board.view_changed) as told:
        board.columns[Lane.INFERENCE].cards.group_toggled.emit(first.value)
    assert board.columns[Lane.INFERENCE].model.rowCount() == before - first.cards
    assert f"cluster:{first.value}" in told.args[0]
    board.group_by("")
    assert not headings(window, Lane.INFERENCE)


def test_the_keyboard_reaches_a_heading_and_folds_it(window: MainWindow) -> None:
    board = window.board
    board.group_by("cluster")
    view = board.columns[Lane.TRAINING].cards
    view.setCurrentIndex(view.model().index(0))
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert headings(window, Lane.TRAINING)[0].is_folded
    assert "folded" in view.model().index(0).data(Qt.ItemDataRole.AccessibleTextRole)


def test_a_workload_that_is_asked_for_is_shown_though_filtered_out_and_folded(window: MainWindow) -> None:
    board = window.board
    board.group_by("cluster")
    board.look(board.view.folding("borealis"))
    board.toggle_filter("cluster", "cedar")
    board.show_workload(EU)
    assert board.selected_keys() == (EU,)
    assert not board.view.is_filtered


def test_the_filter_says_what_it_leaves_out_and_one_click_clears_it(window: MainWindow) -> None:
    board = window.board
    assert board.filter_line.isHidden()
    board.toggle_filter("cluster", "cedar")
    board.toggle_filter("class", "Training")
    assert chips(window) == ["Cluster: cedar", "Class: Training"]
    shown = sum(len(column.model.cards) for column in board.columns.values())
    assert board.filter_line.count.text() == f"{shown} of 48 workloads"
    board.filter_line.buttons[1].click()
    assert chips(window) == ["Cluster: cedar"]
    board.filter_line.clear.click()
    assert board.filter_line.isHidden()
    assert sum(len(column.model.cards) for column in board.columns.values()) == 48


def test_the_filter_menu_counts_cards_and_ticks_what_holds(window: MainWindow) -> None:
    board = window.board
    board.toggle_filter("state", STATES[0])
    menu = QMenu()
    board.fill_filter_menu(menu)
    texts = {action.text(): action for action in menu.actions()}
    assert {"Class", "Team", "Cluster", "AI model", "GPU model"} <= texts.keys()
    assert next(action for text, action in texts.items() if text.startswith(str(STATES[0]))).isChecked()
    clusters = [action.text() for action in texts["Cluster"].menu().actions()]
    assert sum(int(text.rsplit("(", 1)[1].rstrip(")")) for text in clusters) == 48
    board.filter_line.buttons[0].click()  # its chip takes it away again
    assert board.filter_line.isHidden() and board.view == BoardView()


def test_similar_cards_are_selected_in_every_column_with_their_sums(window: MainWindow, qtbot: QtBot) -> None:
    board = window.board
    board.selection.select([EU], EU)
    board.select_similar("family")
    assert set(board.selection.selected_keys()) == {EU, PROD}
    assert said_of_selection(window, qtbot).startswith("2 workloads selected · $")
    board.selection_line.clear.click()
    assert said_of_selection(window, qtbot) == ""


def test_ctrl_a_selects_the_column_and_once_more_the_board(window: MainWindow) -> None:
    board = window.board
    view = board.columns[Lane.TRAINING].cards
    view.setCurrentIndex(view.model().index(0))
    QTest.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert len(board.selection.selected_keys()) == len(view.model().cards)
    QTest.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert len(board.selection.selected_keys()) == 48


def test_what_is_dragged_is_the_selection_of_all_columns(window: MainWindow) -> None:
    board = window.board
    keys = {EU, key_of("llama3-8b-sft")}
    board.selection.select(keys)
    assert set(board.columns[Lane.TRAINING].cards.keys_to_drag()) == keys


def mouse(view: object, kind: QEvent.Type, place: QPoint, modifiers: Qt.KeyboardModifier) -> None:
    button = Qt.MouseButton.LeftButton
    held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
    pressed = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else button
    viewport = view.viewport()  # type: ignore[attr-defined]
    event = QMouseEvent(kind, QPointF(place), QPointF(viewport.mapToGlobal(place)), pressed, held, modifiers)
    QApplication.sendEvent(viewport, event)


def test_a_band_with_shift_selects_what_it_meets_in_both_columns(window: MainWindow) -> None:
    board = window.board
    first, second = board.columns[Lane.TRAINING].cards, board.columns[Lane.INFERENCE].cards
    begin = first.visualRect(first.model().index(0)).center()
    end = first.viewport().mapFrom(
        window, second.viewport().mapTo(window, second.visualRect(second.model().index(1)).center())
    )
    shift = Qt.KeyboardModifier.ShiftModifier
    mouse(first, QEvent.Type.MouseButtonPress, begin, shift)
    mouse(first, QEvent.Type.MouseMove, end, shift)
    assert board.band.is_drawn
    mouse(first, QEvent.Type.MouseButtonRelease, end, shift)
    assert not board.band.is_drawn
    wanted = {card.key for view in (first, second) for card in view.model().cards[:2]}
    assert set(board.selection.selected_keys()) == wanted


def test_a_band_begins_on_the_ground_below_the_cards_but_not_on_a_heading(window: MainWindow) -> None:
    board = window.board
    board.look(replace(board.view, search=board.columns[Lane.REVIEW].model.cards[0].name))
    QApplication.processEvents()
    column, ground = board.columns[Lane.REVIEW], board.idle.parentWidget()
    assert ground is not None and column.height() > column.end + 40
    view = column.cards
    cards = [card.key for card in view.model().cards]
    below = column.mapTo(ground, QPoint(20, column.height() - 10))
    last = view.viewport().mapTo(ground, view.visualRect(view.model().index(len(cards) - 1)).center())
    heading = column.mapTo(ground, QPoint(20, 10))

    def press(kind: QEvent.Type, place: QPoint) -> None:
        button = Qt.MouseButton.LeftButton
        where = QPointF(ground.mapToGlobal(place))
        event = QMouseEvent(kind, QPointF(place), where, button, button, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(ground, event)

    press(QEvent.Type.MouseButtonPress, heading)
    press(QEvent.Type.MouseMove, last)
    assert not board.band.is_drawn
    press(QEvent.Type.MouseButtonPress, below)
    press(QEvent.Type.MouseMove, last)
    assert board.band.is_drawn
    press(QEvent.Type.MouseButtonRelease, last)
    assert board.selection.selected_keys() == (cards[-1],)
    board.look(replace(board.view, search=""))


def test_a_click_where_no_card_is_selects_nothing(window: MainWindow) -> None:
    board = window.board
    board.selection.select([EU])
    view = board.columns[Lane.REVIEW].cards
    place = QPoint(20, view.visualRect(view.model().index(0)).bottom() - 1)  # the gap under a card
    assert not view.is_on_card(place)
    none = Qt.KeyboardModifier.NoModifier
    mouse(view, QEvent.Type.MouseButtonPress, place, none)
    mouse(view, QEvent.Type.MouseButtonRelease, place, none)
    assert board.selection.selected_keys() == ()


def test_the_menu_says_what_similar_means_and_changes_nothing_of_today(window: MainWindow) -> None:
    board = window.board
    asked: list[object] = []
    verbs = CardVerbs(**{each.name: lambda *words: asked.append(words) for each in fields(CardVerbs)})
    like = board.find_card(EU)
    for is_read_only in (False, True):
        state = MenuState(
            keys=(EU,),
            are_pinned=False,
            is_read_only=is_read_only,
            splits={},
            like=like,
            arranged=board.arranged,
        )
        menu = card_menu(state, verbs, window)
        titles = [action.text() for action in menu.actions()]
        assert ("Split\u2026" in titles) is not is_read_only
        similar = next(action.menu() for action in menu.actions() if action.text() == "Select similar")
        assert len(similar.actions()) == len(SIMILAR)
        assert similar.actions()[0].text().endswith(": vllm  (2)")
        similar.actions()[0].trigger()
    assert asked == [("family",), ("family",)]


def test_a_workload_of_many_names_offers_to_part_them(window: MainWindow) -> None:
    board = window.board
    asked: list[object] = []
    verbs = CardVerbs(
        **{each.name: lambda *words, of=each.name: asked.append(of) for each in fields(CardVerbs)}
    )
    card = board.find_card(EU)
    for name, is_read_only, is_offered in (
        (card.name, False, False),
        ("grid-x#y", False, True),
        ("x#", True, False),
    ):
        state = MenuState(
            keys=(EU,),
            are_pinned=False,
            is_read_only=is_read_only,
            splits={},
            like=replace(card, name=name),
            arranged=board.arranged,
        )
        menu = card_menu(state, verbs, window)
        found = [action for action in menu.actions() if action.text() == "Split the names"]
        assert bool(found) is is_offered
        for action in found:
            action.trigger()
    assert asked == ["part_names"]
    board.selection.select([EU])
    board.names_apart_asked.connect(asked.append)
    board.ask_names_apart()
    assert asked[-1] == (EU,)


def test_the_side_sheet_follows_the_selection(window: MainWindow, qtbot: QtBot) -> None:
    board = window.board
    board.selection.select([EU], EU)
    window.actions_by_id["details"].trigger()
    sheet = board.sheet
    assert not sheet.isHidden() and sheet.title.text() == "vllm-chat-eu"
    board.selection.select([EU, PROD])
    qtbot.waitUntil(lambda: sheet.title.text() == "2 workloads selected")
    assert sheet.note.isHidden()
    window.actions_by_id["details"].trigger()
    assert sheet.isHidden()


def test_a_note_is_one_step_marked_on_the_card_and_undone(window: MainWindow) -> None:
    board = window.board
    board.selection.select([EU], EU)
    window.actions_by_id["card_note"].trigger()
    board.sheet.note.setPlainText("Ends in March ")
    QTest.keyClick(board.sheet.note, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert window.session.document.project.notes == {EU: "Ends in March"}
    assert window.session.document.undo_stack.undoText() == "Note on vllm-chat-eu"
    marks = board.arranged.marks[EU]
    assert (marks[0].icon, marks[0].text.partition(": ")[2]) == (
        "note",
        board.sheet.note.toPlainText().strip(),
    )
    window.session.document.undo_stack.undo()
    assert window.session.document.project.notes == {}
    assert board.sheet.note.toPlainText() == ""


def test_a_split_is_one_step_and_merging_puts_the_whole_back(window: MainWindow) -> None:
    board = window.board
    window.session.gestures.split(EU, ShareSplit(300), Pool.BURST)
    assert window.session.document.undo_stack.undoText() == "Split vllm-chat-eu"
    cards = {card.name: lane for lane, column in board.columns.items() for card in column.model.cards}
    assert (cards["vllm-chat-eu, 70%"], cards["vllm-chat-eu, 30%"]) == (Lane.INFERENCE, Lane.BURST)
    board.selection.select([f"{EU}#2"], f"{EU}#2")
    board.show_details()
    assert not board.sheet.merge.isHidden()
    window.actions_by_id["merge"].trigger()
    assert window.session.document.undo_stack.undoText() == "Merge vllm-chat-eu"
    assert window.session.document.project.scenario(window.session.scenario).splits == {}
    board.look(BoardView())


def test_jobs_of_a_part_are_those_of_its_workload(window: MainWindow, qtbot: QtBot) -> None:
    window.session.gestures.split(EU, ShareSplit(300), Pool.BURST)
    with qtbot.waitSignal(window.session.asks.jobs_asked) as asked:
        window.board.jobs_asked.emit(f"{EU}#2")
    assert (asked.args[0].key, asked.args[0].name) == (EU, "vllm-chat-eu")


def test_a_label_of_a_part_is_of_its_workload(window: MainWindow) -> None:
    window.session.gestures.split(EU, ShareSplit(300), Pool.BURST)
    window.session.gestures.label((f"{EU}#1", f"{EU}#2"), Pool.BURST)
    assert window.session.document.project.labels == {EU: Pool.BURST}


def test_a_part_that_is_labelled_by_key_labels_its_workload_and_a_check_of_it_opens_a_part(
    window: MainWindow,
) -> None:
    board = window.board
    window.session.gestures.split(EU, ShareSplit(300), Pool.BURST)
    board.show_workload(EU)
    assert board.selected_keys() == (f"{EU}#1",)
    assert board.selected_workloads() == (EU,)
    board.label_selected(Pool.TRAINING)
    assert window.session.document.project.labels == {EU: Pool.TRAINING}


def test_idle_contracts_are_read_whole_in_their_narrow_column(qtbot: QtBot) -> None:
    column = IdleColumn()
    qtbot.addWidget(column)
    column.resize(column.width(), 400)
    idle = [("A100 80GB", 1_234_567.0), ("", 21_000.0)]
    with patch("gpuplanner.ui.board.idle_column.idle_rows", lambda *_: (1_255_567.0, idle)):
        column.show_sums(None, {})  # type: ignore[arg-type]
    column.show()
    table = column.table
    qtbot.waitUntil(lambda: table.model().rowCount() == 4)
    cells = [str(table.row_at(at).cells[0].text) for at in range(table.model().rowCount())]
    assert cells == ["A100 80GB", "1,234,567", "unknown", "21,000"]
    assert table.horizontalScrollBar().maximum() == 0
    assert table.columnWidth(0) >= text_width(cells[1], font("body"))
