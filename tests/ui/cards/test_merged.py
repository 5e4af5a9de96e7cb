"""Merged cards on the board: one card with the sums of theirs, moved as one, taken apart again, undone to the bit."""

from dataclasses import replace
from unittest.mock import MagicMock

import pytest
from PySide6.QtWidgets import QApplication
from shiboken6 import delete

from gpuplanner.app.document import Document
from gpuplanner.domain import edits
from gpuplanner.domain.audit.evidence.trace import arrived
from gpuplanner.domain.model.pool import Pool
from gpuplanner.ui.board import board as board_module
from gpuplanner.ui.board.cards import BoardCards
from gpuplanner.ui.board.menu import CardVerbs, MenuState, card_menu
from gpuplanner.ui.cards.board_view import BoardView
from gpuplanner.ui.cards.facets import MERGED, NOTED, STATES
from gpuplanner.ui.cards.marks import CardMarks
from gpuplanner.ui.cards.merged import MergedCards, proposed_name
from gpuplanner.ui.kit.theme import LIGHT
from gpuplanner.ui.plans.merge_dialog import MergeDialog
from gpuplanner.ui.session.gestures import Gestures
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.fake_app import FakeEvaluator
from tests.ui.flows.test_why_everywhere import agrees
from tests.ui.sample_world import evaluation_of, sample_project

PROJECT = sample_project()
PLAN = PROJECT.scenarios[0].name


def view_state_of(project) -> ViewState:
    return next_view_state(None, evaluation_of(project, PLAN))


def burst_keys(count: int = 3) -> tuple[str, ...]:
    return tuple(
        card.key for card in view_state_of(PROJECT).cards if card.pool is Pool.BURST and not card.in_review
    )[:count]


def cards(window: MainWindow) -> dict[str, object]:
    return {card.key: card for column in window.board.columns.values() for card in column.model.cards}


def test_hours_and_dollars_are_conserved_and_kept_while_nothing_changes() -> None:
    keys = burst_keys()
    project = edits.merge_cards(PROJECT, PLAN, keys, "Chat", Pool.BURST)
    plain, merged = view_state_of(project), MergedCards()
    one = merged.show(plain)
    assert len(one.cards) == len(plain.cards) - 2
    assert sum(card.gpu_hours_per_month for card in one.cards) == pytest.approx(
        sum(card.gpu_hours_per_month for card in plain.cards)
    )
    both = [sum(shown.usd.get(card.key) or 0.0 for card in shown.cards) for shown in (one, plain)]
    assert both[0] == pytest.approx(both[1]) and any(both)
    again = merged.show(plain)
    assert again.usd is one.usd and again.members is one.members == {sorted(keys)[0]: tuple(sorted(keys))}
    assert merged.show(view_state_of(PROJECT)).members == {}


def test_one_that_is_left_alone_by_an_import_stands_alone() -> None:
    plan = replace(PROJECT.scenario(PLAN), merges={"Chat": (burst_keys(1)[0], "gone/a/b")})
    project = replace(PROJECT, scenarios=(plan, *PROJECT.scenarios[1:]))
    assert MergedCards().show(view_state_of(project)).members == {}


def test_the_same_cards_under_another_name_are_found_by_it() -> None:
    keys, view = burst_keys(), BoardView(search="zulu")
    chat = evaluation_of(edits.merge_cards(PROJECT, PLAN, keys, "Chat", Pool.BURST), PLAN)
    zulu = replace(chat, project=edits.merge_cards(PROJECT, PLAN, keys, "Zulu", Pool.BURST))  # one audit
    merged, cards = MergedCards(), BoardCards()

    def found(evaluation) -> list[str]:
        lanes = cards.arrange(merged.show(next_view_state(None, evaluation)), view).cards
        return [card.name for lane in lanes.values() for card in lane]

    assert (found(chat), found(zulu), found(chat)) == ([], ["Zulu"], [])


def test_a_merged_card_is_found_by_what_each_of_its_cards_is_found_by() -> None:
    of = view_state_of(PROJECT).cards
    one = of[0]
    other = next(card for card in of if card.cluster != one.cluster)
    first, second = sorted((one.key, other.key))
    project = edits.set_note(
        edits.merge_cards(PROJECT, PLAN, (first, second), "Both", Pool.BURST), second, "frozen"
    )
    shown = MergedCards().show(view_state_of(project))

    def found(view: BoardView) -> bool:
        lanes = BoardCards().arrange(shown, view).cards
        return any(card.name == "Both" for cards in lanes.values() for card in cards)

    for cluster in (one.cluster, other.cluster):
        assert found(BoardView(chosen={"cluster": frozenset({cluster})}))
    assert found(BoardView(search="frozen"))
    for state in (MERGED, NOTED):
        assert state in STATES and found(BoardView(chosen={"state": frozenset({state})}))


def test_what_is_merged_with_workloads_that_are_gone_can_still_be_labelled(qapp: QApplication) -> None:
    keys = burst_keys(2)
    plan = replace(PROJECT.scenario(PLAN), merges={"Chat": tuple(sorted((*keys, "gone/a/b")))})
    document = Document(replace(PROJECT, scenarios=(plan, *PROJECT.scenarios[1:])))
    gestures, failed = Gestures(document), []
    gestures.failed.connect(failed.append)
    gestures.scenario = PLAN
    gestures.label(keys[:1], Pool.INFERENCE)
    assert not failed
    assert document.project.labels == {**PROJECT.labels, **dict.fromkeys(keys, Pool.INFERENCE)}


def test_a_merged_card_is_not_offered_to_be_split(window: MainWindow) -> None:
    keys = burst_keys()
    window.session.gestures.merge_cards(keys, "Chat", Pool.BURST)
    leader = min(keys)
    state = MenuState((leader,), False, False, {}, None, window.board._arranged)
    menu = card_menu(state, MagicMock(spec=CardVerbs), LIGHT, window)
    actions = {action.text().split("\t")[0]: action for action in menu.actions()}
    assert not actions["Split\u2026"].isEnabled() and actions["Take apart"].isEnabled()
    asked = []
    window.board.split_asked.connect(asked.append)
    window.board.selection.select((leader,), leader)
    window.board.ask_split()
    assert not asked


def test_cards_are_merged_moved_found_described_and_taken_apart(
    window: MainWindow, qapp: QApplication
) -> None:
    board, keys = window.board, burst_keys()
    names = [cards(window)[key].name for key in keys]
    before = window.session.document.project
    board.selection.select(keys)
    window.actions_by_id["merge_cards"].trigger()
    dialog = window.findChild(MergeDialog)
    assert dialog.pool.currentText() == "Burst"
    dialog.name.setText("  ")
    assert not dialog.do.isEnabled()
    dialog.name.setText("Chat")
    dialog.do.click()
    QApplication.processEvents()
    assert window.session.document.undo_stack.undoText() == "Merge 3 cards into Chat"
    here = cards(window)
    (leader,) = [key for key in keys if key in here]
    assert here[leader].name == "Chat"
    board.search.setText(names[-1])
    QApplication.processEvents()
    assert leader in cards(window)
    board.search.clear()
    board.selection.select((leader,), leader)
    board.sheet.show()
    board._show_selection()
    details = board.sheet._details
    assert details.is_merged and {line.text for line in details.sections[1].lines} == set(names)
    assert window.why_everywhere._card_figure(leader) == "merged_usd::burst\tChat"
    for line in details.sections[0].lines:
        trace = window.why_everywhere.trace(line.figure_id)
        assert agrees(trace, line.figure) and len(trace.rows) == 3
        assert arrived(trace) == pytest.approx(trace.value)
    assert board.sheet.apart.isVisible() and not board.sheet.split.isVisible()
    assert set(board.selected_workloads()) == set(keys)
    window.session.gestures.move((leader,), Pool.TRAINING)
    plan = window.session.document.project.scenario(PLAN)
    assert {plan.pools[key] for key in keys} == {Pool.TRAINING}
    assert window.session.document.undo_stack.undoText() == "Move 3 workloads to training"
    board.selection.select((leader,), leader)
    window.actions_by_id["take_apart"].trigger()
    assert window.session.document.undo_stack.undoText() == "Take Chat apart"
    assert set(keys) <= set(cards(window)) and not window.session.document.project.scenario(PLAN).merges
    while window.session.document.undo_stack.canUndo():
        window.session.document.undo_stack.undo()
    assert window.session.document.project is before


def test_a_check_about_one_of_them_shows_the_card_that_it_is_in(window: MainWindow) -> None:
    keys = tuple(sorted(burst_keys()))
    window.session.gestures.merge_cards(keys, "Chat", Pool.BURST)
    window.board.show_workload(keys[-1])
    assert window.board.selection.current_key() == keys[0]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("llm-chat-1", "llm-chat-2"), "llm-chat"),
        (("eval", "sweep", "etl"), "eval and 2 more"),
    ],
)
def test_a_name_is_proposed(names: tuple[str, ...], said: str) -> None:
    assert proposed_name(names) == said


def test_alike_marks_of_merged_cards_are_one_mark() -> None:
    keys = tuple(sorted(burst_keys()))
    project = edits.set_note(edits.set_note(PROJECT, keys[0], "ends"), keys[1], "grows")
    shown = MergedCards().show(view_state_of(edits.merge_cards(project, PLAN, keys, "Chat", Pool.BURST)))
    marks = [(mark.icon, mark.text) for mark in CardMarks(shown)[keys[0]] if mark.icon in ("merge", "note")]
    assert marks == [("merge", "Merged: 3 cards"), ("note", "Note: ends (and 1 more)")]


def test_take_apart_says_why_it_is_grey(window: MainWindow) -> None:
    first = burst_keys(1)[0]

    def action(keys: tuple[str, ...], merged: frozenset[str]):
        state = MenuState(keys, False, False, {}, None, window.board._arranged, merged)
        menu = card_menu(state, MagicMock(spec=CardVerbs), LIGHT, window)
        return next(one for one in menu.actions() if one.text().startswith("Take apart"))

    single = action((first,), frozenset())
    assert not single.isEnabled() and "stands for several" in single.toolTip()
    alone = action((first,), frozenset((first, "gone/a/b")))
    assert not alone.isEnabled() and "not in this log" in alone.text()


@pytest.mark.long
def test_the_board_hands_on_what_the_plan_has_merged_though_the_others_are_gone(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = burst_keys(1)[0]
    plan = replace(PROJECT.scenario(PLAN), merges={"Chat": (first, "gone/a/b")})
    project = replace(PROJECT, scenarios=(plan, *PROJECT.scenarios[1:]))
    made = MainWindow(Document(project), FakeEvaluator(lambda *_: evaluation_of(project, PLAN)), LIGHT)
    made.show_project(project)
    made.show()
    made.board.selection.select((first,), first)
    seen: list[MenuState] = []
    monkeypatch.setattr(board_module, "card_menu", lambda state, *_: seen.append(state) or MagicMock())
    column = next(column for column in made.board.columns.values() if column.cards.current_key() == first)
    column.cards.customContextMenuRequested.emit(column.rect().center())
    assert seen and seen[0].merged == {first, "gone/a/b"}
    made.close()
    delete(made)
