"""Separate automatically shows first what moves and why, and does then what it showed; split says what parts get."""

import pytest
from PySide6.QtWidgets import QDialog

from gpuplanner.domain.commitment.plan.comparison import Horizon, plan_usd_in
from gpuplanner.domain.model.amounts import whole_change
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.plan.splits import ShareSplit, TimeSplit, WeekSplit
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.ui.plans.separation import separation_of, stays_words
from gpuplanner.ui.plans.separation_dialog import SeparationDialog
from gpuplanner.ui.plans.split_dialog import SplitDialog
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words.lanes import Lane
from gpuplanner.ui.words.numbers import dollar_change
from tests.ui.sample_world import START_S, key_of

EU, SFT = key_of("vllm-chat-eu"), key_of("llama3-8b-sft")


def opened(window: MainWindow, kind: type[QDialog]) -> QDialog:
    return next(dialog for dialog in window.findChildren(kind) if dialog.isVisible())


def lanes(window: MainWindow) -> dict[str, Lane]:
    return {card.key: lane for lane, column in window.board.columns.items() for card in column.model.cards}


@pytest.mark.long
def test_it_moves_what_it_showed_in_one_step(window: MainWindow) -> None:
    window.session.gestures.move((EU, SFT), Pool.BURST)
    steps = window.session.document.undo_stack.count()
    window.actions_by_id["separate"].trigger()
    dialog = opened(window, SeparationDialog)
    assert window.session.document.undo_stack.count() == steps  # nothing is done before it is said
    rows = [dialog.table.row_at(row) for row in range(dialog.table.model().rowCount())]
    shown = {row.key: (row.cells[1].text, row.cells[2].text) for row in rows if not row.is_total}
    assert shown == {EU: ("Burst", "Inference"), SFT: ("Burst", "Training")}
    total = [row.cells[4].text for row in rows]
    assert int(total[-1].replace(",", "")) == sum(int(text.replace(",", "")) for text in total[:-1])
    assert dialog.do.text() == "Separate 2 workloads"
    before = plan_usd_in(window.session.view_state.advice, Horizon.TWELVE_MONTHS)
    dialog_net = dialog.net.text()
    dialog.do.click()
    assert window.session.document.undo_stack.count() == steps + 1
    assert (lanes(window)[EU], lanes(window)[SFT]) == (Lane.INFERENCE, Lane.TRAINING)
    after = plan_usd_in(window.session.view_state.advice, Horizon.TWELVE_MONTHS)
    assert dialog_net == f"Whole plan: {dollar_change(whole_change(before, after))} in 12 months"


def test_pinned_unsure_and_divided_cards_stay_and_that_is_said(window: MainWindow) -> None:
    window.session.gestures.move((EU, SFT), Pool.BURST)
    window.session.gestures.pin((EU,), True)
    window.session.gestures.split(SFT, ShareSplit(500), None)
    shown = window.board.shown
    assert shown is not None
    found = {row.key: row.classification for row in shown.evaluation.audit.workloads}
    separation = separation_of(shown, found)
    assert separation.moves == ()
    words = stays_words(separation)
    assert [int(one) for one in words.split() if one.isdigit()] == [12, 1, 2] and "1 pinned" in words


def test_where_nothing_moves_it_says_so(window: MainWindow) -> None:
    window.actions_by_id["separate"].trigger()
    dialog = opened(window, SeparationDialog)
    assert dialog.do.text() == "Close" and dialog.table.isHidden()
    dialog.do.click()
    assert window.session.document.undo_stack.count() == 0


def test_a_split_says_how_large_its_parts_are_and_is_one_step(window: MainWindow) -> None:
    window.board.selection.select([EU], EU)
    window.actions_by_id["split"].trigger()
    dialog = opened(window, SplitDialog)
    stays, goes = dialog.said.accessibleName().split(", ")
    assert stays.startswith("2,164 GPU-h ") and "inference" in stays
    assert goes.startswith("928 GPU-h ") and "burst" in goes
    dialog.do.click()
    assert lanes(window)[f"{EU}#2"] is Lane.BURST
    assert window.session.document.undo_stack.undoText() == "Split vllm-chat-eu"


def test_a_split_by_time_is_on_the_hour_and_one_by_week_in_its_hours(qtbot) -> None:  # type: ignore[no-untyped-def]
    dialog = SplitDialog("x", Pool.BURST, Window(START_S, 48), lambda split: (1.0, 2.0))
    qtbot.addWidget(dialog)
    assert dialog.to.currentData() is None
    dialog.time.setChecked(True)
    assert dialog.split == TimeSplit(START_S + 24 * 3600)
    dialog.week.setChecked(True)
    hours = tuple(24 * day + hour for day in range(5) for hour in range(8, 18))
    assert dialog.split == WeekSplit(hours)
    dialog.last.setCurrentIndex(2)
    assert dialog.split is None and not dialog.do.isEnabled()
    assert dialog.said.accessibleName() and "GPU-h" not in dialog.said.accessibleName()


def test_a_part_in_which_nothing_runs_is_refused(qtbot) -> None:  # type: ignore[no-untyped-def]
    dialog = SplitDialog("x", Pool.TRAINING, Window(START_S, 48), lambda split: (5.0, 0.0))
    qtbot.addWidget(dialog)
    assert dialog.split == ShareSplit(300)
    assert not dialog.do.isEnabled()


@pytest.mark.long
def test_the_review_queue_is_left_alone_also_where_the_plan_starts_as_today(window: MainWindow) -> None:
    window.session.gestures.add_plan(TODAY)
    review = {key for key, lane in lanes(window).items() if lane is Lane.REVIEW}
    assert review
    window.actions_by_id["separate"].trigger()
    dialog = opened(window, SeparationDialog)
    dialog.do.click()
    assert {key for key, lane in lanes(window).items() if lane is Lane.REVIEW} == review
