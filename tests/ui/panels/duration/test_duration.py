"""Duration & commitment: what is said where levels set by hand stand beside the advice."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.commitment.words.assumed import WHAT_THE_ADVICE_MINIMISES
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui.panels.duration.duration import DurationPanel, first_to_order
from gpuplanner.ui.window.main_window import MainWindow


def test_levels_set_by_hand_come_with_what_the_advice_minimises(window: MainWindow) -> None:
    panel = window.docks.duration
    panel.choose(Pool.INFERENCE, "H100")
    said = " ".join(panel.minimised.text().split())
    assert tr(WHAT_THE_ADVICE_MINIMISES) in said and not panel.minimised.isHidden()
    panel.choose(Pool.TRAINING, "H100")
    assert panel.minimised.isHidden()


def test_a_long_caption_in_another_language_pushes_nothing_out_of_a_narrow_dock(window: MainWindow) -> None:
    panel = window.docks.duration
    panel.choose(Pool.TRAINING, "H100")
    panel.caption.setText("Part de 1 680 heures en %, les plus chargées d'abord ; existants en moyenne")
    assert panel.caption.minimumSizeHint().width() < 300


def test_a_pool_or_model_that_is_not_there_leaves_a_choice(window: MainWindow) -> None:
    panel = window.docks.duration
    panel.choose(Pool.TRAINING, "B300")
    assert panel.pool.currentData() == Pool.TRAINING and panel.model.currentText()


def test_rows_of_its_layers_are_seen_in_a_low_panel(window: MainWindow, qapp: QApplication) -> None:
    panel = window.docks.duration
    window.docks.raise_panel("duration")
    before = window.size()
    window.resize(1280, 800)
    qapp.processEvents()
    seen = panel.table.visibleRegion().boundingRect().height() - panel.table.horizontalHeader().height()
    window.resize(before)
    assert seen >= 2 * panel.table.row_height


def order(**values: Any) -> Order:
    base = Order(
        pool=Pool.TRAINING,
        gpu_model="H100",
        offer_id="y1",
        term_months=12,
        gpus=8.0,
        start_s=20 * DAY_S,
        end_s=400 * DAY_S,
        order_by_s=10 * DAY_S,
        reason="now",
        liability=1000.0,
    )
    return replace(base, **values)


def test_the_first_to_order_is_new_and_certain_and_of_one_day_the_largest() -> None:
    large = order(pool=Pool.BURST, liability=2000.0)
    later = order(order_by_s=11 * DAY_S, liability=9000.0)
    follows = order(order_by_s=0, reason="follows")
    uncertain = order(order_by_s=0, reason="if_it_lasts")
    assert first_to_order([later, follows, order(), uncertain, large]) is large
    assert first_to_order([follows, uncertain]) is None


def test_a_plan_opens_at_the_row_of_its_first_order_until_somebody_chooses(
    window: MainWindow, qtbot: QtBot
) -> None:
    shown = window.session.view_state
    assert shown is not None and shown.advice is not None
    rows = [(plan.pool, plan.gpu_model) for plan in shown.advice.pools]
    first, last = rows[0], rows[-1]
    assert first != last
    panel = DurationPanel()
    qtbot.addWidget(panel)
    panel.show()

    def chosen() -> tuple[Pool, str | None]:
        plan = panel.head.plan
        assert plan is not None
        return plan.pool, plan.gpu_model

    def show(row: tuple[Pool, str | None], name: str) -> None:
        of_row = order(pool=row[0], gpu_model=row[1])
        assert shown is not None and shown.advice is not None
        advice = replace(shown.advice, orders=(of_row,))
        panel.show_state(replace(shown, advice=advice, evaluation=replace(shown.evaluation, scenario=name)))

    first_plan, *_ = shown.evaluation.project.scenarios
    for row in (last, first):
        panel._opened = ""  # as another plan
        show(row, first_plan.name)
        assert chosen() == row
    show(last, first_plan.name)
    assert chosen() == first, "no edit of the plan moves it to another row"
    panel.choose(*last)
    panel._opened = ""
    show(first, first_plan.name)
    assert chosen() == last, "what was chosen stays"


def test_layers_are_beside_the_chart_where_it_is_wide_and_above_it_where_it_is_low(
    window: MainWindow, qtbot: QtBot
) -> None:
    panel = DurationPanel()
    qtbot.addWidget(panel)
    panel.show()
    shown = window.session.view_state
    assert shown is not None
    panel.show_state(shown)
    panel.choose(Pool.TRAINING, "H100")

    def places(width: int, height: int) -> tuple[QRect, QRect]:
        panel.resize(width, height)
        QApplication.processEvents()
        return panel.table.geometry(), panel.chart.geometry()

    table, chart = places(768, 500)
    assert table.left() > chart.right() and table.top() < chart.bottom()
    assert not panel.table.horizontalScrollBar().maximum(), "no figure is cut"
    table, chart = places(400, 900)
    assert table.top() > chart.bottom()
    table, chart = places(400, 260)
    assert table.bottom() < chart.top()
