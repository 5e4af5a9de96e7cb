"""The panel Waiting: a replay is asked for when it is seen, a target with it, and what came is shown as it is."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpuplanner.charts.kit.translation import spoken
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.tables import POOL_TITLES, Pool
from gpuplanner.domain.queue.frontier import AsToday, FrontierPoint, Gap, OfModel, TargetFound
from gpuplanner.domain.queue.rows import QueueRow, WaitsBy
from gpuplanner.domain.queue.sentences import MARK_TITLES, size_words
from gpuplanner.domain.queue.waiting import Waiting, WindowWaits
from gpuplanner.domain.queue.waits import Target, Waits
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.palettes import DARK, use
from gpuplanner.ui.panels.duration.waiting import WaitingPanel, headline_words
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.pseudo import Pseudo
from tests.ui.visible_texts import appear_in_order


def waits(p90_h: float) -> Waits:
    return Waits(jobs=100, share_over_1h=0.2, mean_h=p90_h / 2, p50_h=0.0, p90_h=p90_h, p99_h=2 * p90_h)


def row(pool: Pool, model: str | None, p90_h: float) -> QueueRow:
    return QueueRow(
        pool=pool,
        gpu_model=model,
        waits=waits(p90_h),
        sent_out_jobs=0,
        sent_out_gpu_hours=0.0,
        sent_out_usd=0.0,
        utilization=0.8,
        waited_with_room=0.31,
    )


def point(pool: Pool, gpus: int, p90_h: float, *marks: str) -> FrontierPoint:
    return FrontierPoint(
        pool=pool,
        gpu_model="H100",
        gpus=gpus,
        usd_per_month=1_000.0 * gpus,
        waits=waits(p90_h),
        never=0,
        rate=1.37,
        marks=marks,
    )


AGAIN = PlannedWork(
    name="again", pool=Pool.TRAINING, gpu_model="H100", gpus=64.0, length_hours=40, every_hours=168
)
FOUND = Waiting(
    submit_known=1.0,
    limit_known=1.0,
    measured=(row(Pool.TRAINING, None, 9.0),),
    today=(row(Pool.INFERENCE, None, 0.0), row(Pool.TRAINING, None, 12.0)),
    replayed=(row(Pool.INFERENCE, None, 0.0), row(Pool.TRAINING, None, 3.2)),
    by_model=(row(Pool.INFERENCE, "H100", 0.0), row(Pool.TRAINING, "H100", 3.2)),
    calibrated={},
    frontier=(
        point(Pool.INFERENCE, 8, 0.0, "plan"),
        point(Pool.TRAINING, 16, 40.0),
        point(Pool.TRAINING, 24, 3.2, "plan", "knee"),
        point(Pool.TRAINING, 32, 0.02, "today"),
    ),
    target=None,
    never_fit=(),
    is_planned=True,
    begins_cold=False,
    is_capacity_guessed=False,
    windows=(WindowWaits(work=AGAIN, waits=waits(42.5), never=0, usd=4_000.0, usd_per_month=350.0),),
)


@pytest.fixture
def panel(window: MainWindow, qapp: QApplication) -> WaitingPanel:
    window.docks.raise_panel("waiting")
    qapp.processEvents()
    return window.docks.waiting


def column(table, at: int) -> list[str]:
    return [table.row_at(row).cells[at].text for row in range(table.model().rowCount())]


def test_it_asks_when_it_is_seen(window: MainWindow, qtbot: QtBot, qapp: QApplication) -> None:
    panel = window.docks.waiting
    with qtbot.waitSignal(panel.waiting_asked) as asked:
        window.docks.raise_panel("waiting")
        qapp.processEvents()
    assert asked.args[0] is None


@pytest.mark.long
def test_nothing_in_it_asks_for_more_width_than_a_narrow_dock_has(
    new_window: MainWindow, qapp: QApplication
) -> None:
    new_window.docks.raise_panel("waiting")
    qapp.processEvents()
    panel = new_window.docks.waiting
    panel.show_waiting(FOUND)
    inner = panel.scroll_area.widget()
    assert inner is not None and inner.minimumSizeHint().width() < 300


def test_a_long_note_of_a_card_asks_for_no_width_of_its_own(qtbot: QtBot) -> None:
    """The sentence of waiting with room made the panel wider than a window of 1280: columns beside it were cut."""
    cards = [CardFrame("Actual waits") for _ in range(2)]
    for card, times in zip(cards, (1, 9), strict=True):
        qtbot.addWidget(card)
        card.note("as many GPUs as the job needed stood free " * times)
    short, long = (card.minimumSizeHint().width() for card in cards)
    assert long == short
    beside = CardFrame("Actual waits", "of jobs submitted in the lookback period " * 9)
    qtbot.addWidget(beside)
    assert beside.minimumSizeHint().width() == short


def test_waits_of_the_plan_stand_beside_todays_the_longest_first(panel: WaitingPanel) -> None:
    panel.subject.clear()
    panel.show_waiting(FOUND)
    assert panel.headline.text() == str(headline_words(FOUND))
    assert appear_in_order(panel.headline.text(), "Training 3.2 h", " 12 h", "Inference 0 h", " 0 h)")
    assert panel.subject.currentText() == "Training H100, shared"  # who waits longest is first
    panel.subject.setCurrentIndex(3)
    assert column(panel.tables[0], 0) == ["16", "24", "32"]  # whose they are is said above
    assert [cell.text for cell in panel.tables[1].row_at(0).cells][:5] == ["again", "H100", "64", "40", "168"]
    assert panel.tables[1].row_at(0).cells[-1].text == "350"
    assert panel.chart.plot is not None and list(panel.chart.plot.stops) == [16e3, 24e3, 32e3]
    tip = panel.chart.plot.tip_at(24e3, 0.0)
    assert all(str(MARK_TITLES[mark]) in tip for mark in ("plan", "knee"))
    use(DARK)
    panel.recolour()
    assert panel.chart.plot is not None and "under 0.1 h" in panel.chart.plot.tip_at(32e3, 0.0)


def test_what_is_said_is_one_sentence_for_a_translator(panel: WaitingPanel) -> None:
    now = replace(FOUND, is_planned=False)
    kinds = (FOUND, replace(FOUND, is_changed=True), now, replace(now, measured=()))
    said = list(map(headline_words, kinds))
    assert all("{pools}" in words.template and len(words.values) == 1 for words in said)
    assert len({words.template for words in said}) == len(kinds)  # a sentence each, not put together
    waited = ("Training 3.2 h", "Training 3.2 h", "Training 9 h", "Training 3.2 h")
    assert all(wait in str(words) for wait, words in zip(waited, said, strict=True))
    doing = worded("Replaying {pool} on other sizes", pool=POOL_TITLES[Pool.TRAINING])
    translator = Pseudo()
    QApplication.installTranslator(translator)
    panel.show_progress(0.5, doing)
    QApplication.removeTranslator(translator)
    assert translator.asked >= {"{title}: {value}", doing.template, "Training"}


def test_a_replay_that_is_shorter_than_the_log_says_so_and_no_other(panel: WaitingPanel) -> None:
    panel.show_waiting(FOUND)
    longer = panel.trust.text()
    panel.show_waiting(replace(FOUND, today=(row(Pool.TRAINING, None, 4.0),)))
    assert appear_in_order(panel.headline.text(), "Training 3.2 h", " 4 h", " 9 h")
    assert "too short" in panel.trust.text() and "too short" not in longer


def test_whose_the_sizes_are_stands_below_the_tables(panel: WaitingPanel) -> None:
    panel.show_waiting(FOUND)
    (words,) = map(spoken, size_words(FOUND))
    assert panel.trust.text().startswith(words) and not panel.compared.isVisible()
    panel.show_waiting(replace(FOUND, by_model=FOUND.by_model[1:]))
    assert words not in panel.trust.text()


def test_who_shares_gpus_is_drawn_on_all_of_them_until_one_alone_is_chosen(
    panel: WaitingPanel, qtbot: QtBot
) -> None:
    shared = [
        replace(point(Pool.TRAINING, gpus, wait), is_together=True, today=AsToday(40))
        for gpus, wait in ((32, 9.0), (48, 2.0))
    ]
    shared[1] = replace(shared[1], marks=("knee",))
    rows = (row(Pool.INFERENCE, "H100", 0.0), row(Pool.TRAINING, "H100", 3.2), row(Pool.BURST, "A100", 1.0))
    panel.subject.clear()
    together = replace(FOUND, by_model=rows, frontier=tuple(shared))
    panel.show_waiting(together)
    names = [panel.subject.itemText(at) for at in range(panel.subject.count())]
    assert names == [
        "Inference H100, shared", "Training H100, shared",
        "Inference H100, alone", "Training H100, alone", "Burst A100",
    ]  # fmt: skip
    assert panel.subject.currentText() == "Training H100, shared"
    assert column(panel.tables[0], 0) == ["32", "48"]
    words = panel.trust.text().splitlines()[0]
    assert words == " ".join(map(spoken, size_words(together)))
    assert appear_in_order(words, "H100", "Training 48 GPUs", "2.0 h", "$48,000", " 40.")
    assert "32" not in words  # no knee
    with qtbot.waitSignal(panel.waiting_asked) as asked:
        panel.subject.setCurrentIndex(3)
    assert asked.args == [None, False]
    panel.show_waiting(replace(FOUND, by_model=rows))
    assert panel.subject.currentText() == "Training H100, alone"
    with qtbot.waitSignal(panel.waiting_asked) as asked:  # as sizes of others may be under way
        panel.subject.setCurrentIndex(2)
    assert asked.args == [None, False] and column(panel.tables[0], 0) == ["8"]


def test_the_capacity_that_agrees_with_the_log_is_proposed_and_drawn(panel: WaitingPanel) -> None:
    agreed, *sizes = (
        replace(point(Pool.TRAINING, gpus, wait), is_together=True, today=AsToday(8, p90_h=0.4))
        for gpus, wait in ((20, 0.5), (16, 40.0), (24, 0.1))
    )
    of = OfModel(
        gpu_model="H100",
        gaps=(Gap(Pool.TRAINING, 0.4, 9.0, 0.0),),
        agreed=(agreed,),
        today_gpus=8,
        over_gpu_hours=80.0,
    )
    panel.subject.clear()
    panel.show_waiting(FOUND)
    assert not panel.calibrate.isVisible() and not panel.calibration.isVisible()
    panel.show_waiting(replace(FOUND, frontier=tuple(sizes), models=(of,)))
    assert "Training P90 9.0 h (log 0.4 h)" in panel.calibration.text() and panel.calibrate.isVisible()
    for gpus in (["16", "24"], ["16", "20", "24"], ["16", "24"]):
        assert column(panel.tables[0], 0) == gpus
        panel.calibrate.click()
    panel.calibrate.setChecked(False)


def test_the_logs_own_waits_stand_there_by_whatever_is_asked(window: MainWindow, qapp: QApplication) -> None:
    rows = tuple(
        WaitsBy(
            by=by,
            name=name,
            waits=waits(p90_h),
            waited_gpu_hours=10.0,
            waited_gpus_most=8.0,
            contended_hours=0,
            waited_with_room=None,
        )
        for by, name, p90_h in (("pool", "training", 9.0), ("team", "search", 4.0), ("size", "9-16", 12.0))
    )
    panel = window.docks.waiting
    panel.show_log_waits(rows)  # before it was ever seen
    window.docks.raise_panel("waiting")
    qapp.processEvents()
    for by, name in (("pool", "Training"), ("team", "search"), ("size", "9-16")):
        panel.log_waits.by.setCurrentIndex(panel.log_waits.by.findData(by))
        assert column(panel.log_waits.limited.table, 0) == [name]
    assert panel.log_waits.frame.isVisible()
    panel.show_log_waits(None)
    assert not panel.log_waits.frame.isVisible()


def test_another_pool_draws_its_sizes_and_one_size_is_no_curve(panel: WaitingPanel) -> None:
    panel.show_waiting(FOUND)
    panel.subject.setCurrentIndex(2)
    assert column(panel.tables[0], 0) == ["8"] and not panel.axes.isVisible()
    panel.show_waiting(FOUND)
    assert panel.subject.currentText() == "Inference H100, alone"  # what was looked at stays


def test_a_target_is_asked_of_the_pool_that_is_drawn(panel: WaitingPanel, qtbot: QtBot) -> None:
    panel.show_waiting(FOUND)
    panel.subject.setCurrentIndex(3)
    with qtbot.waitSignal(panel.waiting_asked) as asked:
        panel.most.entered.emit("4")
    assert asked.args == [Target(Pool.TRAINING, 4.0, "H100"), False]
    size, plan = point(Pool.TRAINING, 24, 3.2, "target"), point(Pool.TRAINING, 20, 9.0, "plan")
    target = TargetFound(Target(Pool.TRAINING, 4.0, "H100"), size, plan)
    panel.show_waiting(replace(FOUND, target=target))
    values = ("24 H100", "Training", "4.0 h", "3.2 h", "$24,000", "$1.37", " 20", "9.0 h")
    assert appear_in_order(panel.outcome.text(), *values, "+4,000")
    panel.show_waiting(replace(FOUND, target=replace(target, is_plan_shared=True)))
    assert appear_in_order(panel.outcome.text(), *values)
    assert (
        "4,000 " not in panel.outcome.text().split("$1.37")[1]
    )  # of GPUs that others have too there is no difference
    with qtbot.waitSignal(panel.waiting_asked) as asked:
        panel.most.entered.emit("never")
    assert asked.args[0] == Target(Pool.TRAINING, 0.0, "H100", is_of_all=True)
    panel.most.entered.emit("soon")
    assert "Write hours" in panel.outcome.text()
    with qtbot.waitSignal(panel.waiting_asked) as asked:
        panel.most.entered.emit("")
    assert asked.args[0] is None


def test_the_answer_of_a_target_has_all_of_its_chart_in_sight(panel: WaitingPanel, qtbot: QtBot) -> None:
    panel.show_waiting(FOUND)
    panel.subject.setCurrentIndex(3)
    panel.scroll_area.setFixedHeight(panel.chart.ready().height() + 60)  # less than what stands over it
    size, plan = point(Pool.TRAINING, 24, 3.2, "target"), point(Pool.TRAINING, 20, 9.0, "plan")
    panel.show_waiting(replace(FOUND, target=TargetFound(Target(Pool.TRAINING, 4.0, "H100"), size, plan)))

    def is_in_sight() -> bool:
        chart, view = panel.chart.ready(), panel.scroll_area.viewport()
        return 0 <= chart.mapTo(view, QPoint(0, 0)).y() <= view.height() - chart.height()

    qtbot.waitUntil(is_in_sight)
    panel.scroll_area.verticalScrollBar().setValue(0)
    panel.show_waiting(replace(panel.waiting, windows=()))  # the same answer again moves nothing
    QTest.qWait(20)
    assert panel.scroll_area.verticalScrollBar().value() == 0


def test_a_mark_that_has_no_room_is_told_by_its_tip(panel: WaitingPanel) -> None:
    panel.show_waiting(FOUND)
    marks = next(at for at, one in enumerate(panel.tables[0].columns) if one.title == "Mark")
    assert panel.tables[0].columns[marks].is_cut_at_end


def test_nothing_of_one_plan_stands_under_another(panel: WaitingPanel, window: MainWindow) -> None:
    shown = window.session.view_state
    assert shown is not None
    panel.show_waiting(FOUND)
    panel.draw(shown)
    assert panel.waiting is FOUND  # of the same plan it stays until the next is there
    panel.draw(replace(shown, evaluation=replace(shown.evaluation, scenario="Plan Z")))
    assert panel.waiting is None and panel.headline.text() == "Replaying the log\u2026"


def test_a_log_without_its_rows_says_what_to_do(panel: WaitingPanel) -> None:
    panel.show_waiting(FOUND)
    what, remedy = worded("the job rows are gone"), worded("import the log again")
    panel.show_failure(PlannerError("rows", "file_missing", what, remedy))
    assert panel.headline.text() == f"{str(what).capitalize()}. {str(remedy).capitalize()}."
    assert not panel.tables[0].isVisible() and not panel.subject.isVisible()
