"""What is said of a card beside the board and under the slot: money, class, fit and spot of where it stands."""

from dataclasses import replace
from unittest.mock import MagicMock

import pytest
from PySide6.QtWidgets import QApplication
from shiboken6 import delete

from gpuplanner.app.document import Document
from gpuplanner.domain import edits
from gpuplanner.domain.commitment.outlook_result import SpotAdvice
from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.commitment.recursion.rates import Barrier
from gpuplanner.domain.commitment.result import Advice, RunWay
from gpuplanner.domain.edits.labels import merge_cards_label, move_label
from gpuplanner.domain.evaluation import CardFigures, Evaluation, evaluate_figures
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.ui.board import board as board_module
from gpuplanner.ui.board.hover_change import HoverChange, hover_change, rule_warnings
from gpuplanner.ui.board.hover_note import HoverNote, utilization_words
from gpuplanner.ui.board.menu import BoardCards, CardVerbs, MenuState, card_menu
from gpuplanner.ui.cards.board_view import BoardView
from gpuplanner.ui.cards.details import (
    BARRIERS,
    Line,
    MergedCards,
    details_of,
    proposed_name,
    spot_words,
    workload_named,
)
from gpuplanner.ui.cards.facets import MERGED, NOTED, STATES, CardFacts
from gpuplanner.ui.cards.marks import CardMarks
from gpuplanner.ui.flows.session import Gestures
from gpuplanner.ui.plans.merge_dialog import MergeDialog
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from tests.arrived import arrived
from tests.ui.fake_app import FakeEvaluator
from tests.ui.flows.test_why_everywhere import agrees
from tests.ui.sample_world import evaluation_of, key_of, sample_project

# --- What is said of a card beside the board and under the slot: money, class, fit and spot of where it
# stands

PROJECT = sample_project()
PLAN = PROJECT.scenarios[0].name
SHOWN = next_view_state(None, evaluation_of(PROJECT, PLAN))
EU = key_of("vllm-chat-eu")


def card(key: str, shown: ViewState = SHOWN) -> CardFigures:
    return next(card for card in shown.cards if card.key == key)


def lines(
    key: str, section: str, shown: ViewState = SHOWN, facts: CardFacts | None = None
) -> dict[str, Line]:
    details = details_of((card(key, shown),), shown, facts or CardFacts())
    assert details is not None
    found = next(one for one in details.sections if one.title == section)
    return {line.text: line for line in found.lines}


def test_today_plan_and_the_change_between_them() -> None:
    money = lines(EU, "Cost and use")
    today = next(row.usd_per_month for row in SHOWN.evaluation.audit.workloads if row.key == EU)
    plan = SHOWN.usd[EU]
    assert today is not None and plan is not None
    assert money["$ per month today"].figure == f"${today:,.0f}"
    assert money[f"$ per month in {PLAN}"].figure == f"${plan:,.0f}"
    assert money["Change"].figure == numbers.dollar_change(
        round(plan) - round(today)
    )  # of the two as written
    assert "GPU-h per month" in money


def test_of_the_past_there_is_no_plan() -> None:
    shown = next_view_state(None, evaluation_of(PROJECT, TODAY))
    assert not any(TODAY in text or "Change" in text for text in lines(EU, "Cost and use", shown))


def test_the_class_says_its_reasons_and_the_runner_up() -> None:
    found = card(EU).classification
    said = lines(EU, "Class")
    assert all(f"\u2022 {reason}" in said for reason in found.reasons)
    assert said[next(iter(said))].figure == "98%"


def test_parts_share_what_the_whole_costs_today() -> None:
    plan = replace(PROJECT.scenario(PLAN), splits={EU: ShareSplit(250)})
    project = replace(PROJECT, scenarios=(plan, *PROJECT.scenarios[1:]))
    shown = next_view_state(None, evaluation_of(project, PLAN))
    facts = CardFacts(splits=plan.splits)
    whole = next(row.usd_per_month for row in shown.evaluation.audit.workloads if row.key == EU)
    parts = [
        lines(f"{EU}#{number}", "Cost and use", shown, facts)["$ per month today"].figure for number in (1, 2)
    ]
    amounts = [int(text.replace("$", "").replace(",", "")) for text in parts]
    assert whole is not None and abs(sum(amounts) - whole) <= 1
    assert amounts[0] > 2.9 * amounts[1]
    assert "Jobs" in lines(f"{EU}#1", "Jobs of the whole workload", shown, facts)


def test_several_cards_are_added_up() -> None:
    both = (card(EU), card(key_of("vllm-chat-prod")))
    details = details_of(both, SHOWN, CardFacts())
    assert details is not None and details.note_key == ""
    total = sum(SHOWN.usd[one.key] or 0 for one in both)
    assert details.sections[0].lines[0].figure == f"${total:,.0f}"
    assert details_of((), SHOWN, CardFacts()) is None


def test_inference_is_never_on_spot_and_burst_may_be() -> None:
    workload = workload_named(EU, PROJECT.workloads)
    assert workload is not None
    assert spot_words(workload, Pool.INFERENCE, SHOWN).text == str(BARRIERS[Barrier.REQUESTS])
    assert spot_words(workload, Pool.BURST, SHOWN).text == str(BARRIERS[Barrier.REQUESTS])
    swept = workload_named(key_of("sweep-lr-grid"), PROJECT.workloads)
    assert swept is not None
    assert spot_words(replace(swept, max_nodes=1, longest_job_s=3600), Pool.BURST, SHOWN).figure == "3.1%"
    assert spot_words(replace(swept, max_nodes=100), Pool.BURST, SHOWN).role == "amber"


def test_long_training_that_is_kept_off_spot_has_the_figures_of_it() -> None:
    outlook = SHOWN.outlook
    assert outlook is not None
    kept_off = SpotAdvice(
        key=EU,
        pool=Pool.TRAINING,
        gpu_model="H100",
        nodes=2,
        longest_job_hours=40.0,
        interval_hours=4.0,
        lost_share=0.2,
        best_interval_hours=1.4,
        best_lost_share=0.139,
        on_spot=False,
        on_spot_at_best=True,
        saves_usd_per_month=90.0,
        node_hours=24.0,
        barrier="too_long",
        run_hours=46.4,
        run_usd=1_486.0,
        run_usd_on_demand=3_840.0,
    )
    shown = replace(SHOWN, outlook=replace(outlook, spot=(kept_off,)))
    said = " ".join(map(str, lines(EU, "Spot", shown)))
    assert "(40.0 h) would take 46.4 h and cost $1,486 on spot, $3,840 on demand" in said
    other = replace(kept_off, barrier=None)
    assert len(lines(EU, "Spot", replace(SHOWN, outlook=replace(outlook, spot=(other,))))) == 1


def test_training_of_the_log_that_comes_back_says_what_holding_its_gpus_costs() -> None:
    assert SHOWN.advice is not None
    cluster, team, *rest = EU.split("/")
    work = PlannedWork(
        name=rest[0],
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=8,
        cluster=cluster,
        team=team,
        length_hours=40,
        every_hours=168,
    )
    sold = Offer(
        offer_id="m",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=1,
        rate_usd_per_gpu_hour=None,
    )
    ways = (RunWay(work, sold, 16_352.4), RunWay(replace(work, name="other"), sold, 1.0))
    shown = replace(SHOWN, advice=replace(SHOWN.advice, logged_ways=ways))
    (line,) = lines(EU, "Guaranteed capacity", shown).values()
    assert (line.text, line.figure) == ("A mean month, 1 month", "$16,352")


def test_warnings_of_many_say_of_how_many_they_are() -> None:
    keys = (EU, key_of("vllm-chat-prod"))
    said = [line.text for line in rule_warnings(keys, Pool.INFERENCE, SHOWN)]
    assert f"2 of 2: {BARRIERS[Barrier.REQUESTS]}" in said
    alone = [line.text for line in rule_warnings(keys[:1], Pool.INFERENCE, SHOWN)]
    assert str(BARRIERS[Barrier.REQUESTS]) in list(map(str, alone))


def test_a_hover_says_the_change_of_utilization() -> None:
    advice = SHOWN.advice
    assert isinstance(advice, Advice)
    after = replace(advice, totals=replace(advice.totals, effective_utilization_plan=0.75))
    before = replace(advice, totals=replace(advice.totals, effective_utilization_plan=0.732))
    year = Horizon.TWELVE_MONTHS
    assert utilization_words(hover_change(year, before, after)) == "Utilization 75.0%, +1.8 pt"
    assert utilization_words(hover_change(year, after, before)) == "Utilization 73.2%, \u22121.8 pt"
    assert utilization_words(HoverChange(horizon=year, changes={})) == ""


def test_the_note_under_the_slot_says_all_and_hides_when_there_is_nothing(qtbot) -> None:  # type: ignore[no-untyped-def]
    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QWidget

    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(220, 500)
    note = HoverNote(parent)
    warnings = (Line(text="Does not fit: " + "a long reason " * 20, icon="octagon", role="red"),)
    note.show_change(
        HoverChange(horizon=Horizon.MONTH_12, changes={}, utilization=(0.5, 0.6), warnings=warnings),
        QPoint(4, 60),
        200,
    )
    assert note.text.startswith("Utilization 60.0%, +10.0 pt\nDoes not fit:")
    assert note.text.endswith(" \u2026")
    note.grab()
    note.show_change(HoverChange(horizon=Horizon.MONTH_12, changes={}), QPoint(4, 60), 200)
    assert note.isHidden()


# --- Merged cards on the board: one card with the sums of theirs, moved as one, taken apart again, undone
# to the bit


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
    project = edits.cards.merge_cards(PROJECT, PLAN, keys, "Chat", Pool.BURST)
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
    chat = evaluation_of(edits.cards.merge_cards(PROJECT, PLAN, keys, "Chat", Pool.BURST), PLAN)
    zulu = replace(
        chat, project=edits.cards.merge_cards(PROJECT, PLAN, keys, "Zulu", Pool.BURST)
    )  # one audit
    merged, cards = MergedCards(), BoardCards()

    def found(evaluation) -> list[str]:
        lanes = cards.arrange(merged.show(next_view_state(None, evaluation)), view).cards
        return [card.name for lane in lanes.values() for card in lane]

    assert (found(chat), found(zulu), found(chat)) == ([], ["Zulu"], [])


def test_work_that_is_planned_while_something_is_searched_is_found() -> None:
    cards, view, before = BoardCards(), BoardView(search="later"), evaluation_of(PROJECT, PLAN)
    planned = edits.dates.plan_work(
        PROJECT, PLAN, (PlannedWork(name="later", pool=Pool.TRAINING, gpu_model="H100", gpus=8.0),)
    )
    figures = evaluate_figures(planned, PLAN, before.audit, before.figures)
    after = replace(before, project=planned, figures=figures)  # one audit, as right after the edit

    def found(evaluation: Evaluation) -> list[str]:
        lanes = cards.arrange(next_view_state(None, evaluation), view).cards
        return [card.name for lane in lanes.values() for card in lane]

    assert (found(before), found(after), found(before)) == ([], ["later"], [])


def test_a_merged_card_is_found_by_what_each_of_its_cards_is_found_by() -> None:
    of = view_state_of(PROJECT).cards
    one = of[0]
    other = next(card for card in of if card.cluster != one.cluster)
    first, second = sorted((one.key, other.key))
    project = edits.cards.set_note(
        edits.cards.merge_cards(PROJECT, PLAN, (first, second), "Both", Pool.BURST), second, "frozen"
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
    state = MenuState(
        keys=(leader,),
        are_pinned=False,
        is_read_only=False,
        splits={},
        like=None,
        arranged=window.board.arranged,
    )
    menu = card_menu(state, MagicMock(spec=CardVerbs), window)
    actions = {action.text().split("\t")[0]: action for action in menu.actions()}
    assert not actions["Split\u2026"].isEnabled() and actions["Take apart"].isEnabled()
    asked = []
    window.board.split_asked.connect(asked.append)
    window.board.selection.select((leader,), leader)
    window.board.ask_split()
    assert not asked


@pytest.mark.long
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
    assert window.session.document.undo_stack.undoText() == str(merge_cards_label("Chat", 3))
    here = cards(window)
    (leader,) = [key for key in keys if key in here]
    assert here[leader].name == "Chat"
    board.search.setText(names[-1])
    QApplication.processEvents()
    assert leader in cards(window)
    board.search.clear()
    board.selection.select((leader,), leader)
    board.sheet.show()
    board.show_selection()
    details = board.sheet.details
    assert details.is_merged and {line.text for line in details.sections[1].lines} == set(names)
    assert window.why_everywhere.find_card_figure(leader) == "merged_usd::burst\tChat"
    for line in details.sections[0].lines:
        trace = window.why_everywhere.trace(line.figure_id)
        assert agrees(trace, line.figure) and len(trace.rows) == 3
        assert arrived(trace) == pytest.approx(trace.value)
    assert board.sheet.apart.isVisible() and not board.sheet.split.isVisible()
    assert set(board.selected_workloads()) == set(keys)
    window.session.gestures.move((leader,), Pool.TRAINING)
    plan = window.session.document.project.scenario(PLAN)
    assert {plan.pools[key] for key in keys} == {Pool.TRAINING}
    assert window.session.document.undo_stack.undoText() == str(move_label(PROJECT, keys, Pool.TRAINING))
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
    [(("llm-chat-1", "llm-chat-2"), "llm-chat"), (("eval", "sweep", "etl"), "eval and 2 more")],
)
def test_a_name_is_proposed(names: tuple[str, ...], said: str) -> None:
    assert proposed_name(names) == said


def test_alike_marks_of_merged_cards_are_one_mark() -> None:
    keys = tuple(sorted(burst_keys()))
    project = edits.cards.set_note(edits.cards.set_note(PROJECT, keys[0], "ends"), keys[1], "grows")
    shown = MergedCards().show(
        view_state_of(edits.cards.merge_cards(project, PLAN, keys, "Chat", Pool.BURST))
    )
    marks = [(mark.icon, mark.text) for mark in CardMarks(shown)[keys[0]] if mark.icon in ("merge", "note")]
    assert marks == [("merge", "Merged: 3 cards"), marks[1]]
    assert marks[1][0] == "note" and "ends" in marks[1][1] and "1 more" in marks[1][1]


def test_take_apart_says_why_it_is_grey(window: MainWindow) -> None:
    first = burst_keys(1)[0]

    def action(keys: tuple[str, ...], merged: frozenset[str], members: dict[str, tuple[str, ...]] = {}):  # noqa: B006
        arranged = window.board.arranged
        arranged = replace(arranged, facts=replace(arranged.facts, members=members))
        state = MenuState(
            keys=keys,
            are_pinned=False,
            is_read_only=False,
            splits={},
            like=None,
            arranged=arranged,
            merged=merged,
        )
        menu = card_menu(state, MagicMock(spec=CardVerbs), window)
        return next(one for one in menu.actions() if one.text().startswith("Take apart"))

    single = action((first,), frozenset())
    alone = action((first,), frozenset((first, "gone/a/b")))
    several = action((first,), frozenset((first,)), {first: (first, EU)})
    assert several.isEnabled() and not single.isEnabled() and single.toolTip() not in ("", several.toolTip())
    assert not alone.isEnabled() and alone.text() != single.text()


@pytest.mark.long
def test_the_board_hands_on_what_the_plan_has_merged_though_the_others_are_gone(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = burst_keys(1)[0]
    plan = replace(PROJECT.scenario(PLAN), merges={"Chat": (first, "gone/a/b")})
    project = replace(PROJECT, scenarios=(plan, *PROJECT.scenarios[1:]))
    made = MainWindow(Document(project), FakeEvaluator(lambda *_: evaluation_of(project, PLAN)))
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
