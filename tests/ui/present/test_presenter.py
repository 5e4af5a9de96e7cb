"""Presenter mode: scenes by keys, the window's own values, hidden names, the pointer, and what is missing."""

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetrics, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.domain.model.pool import POOLS
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.ui.flows.present_flow import PresentFlow
from gpuplanner.ui.kit.theme import DARK, LIGHT
from gpuplanner.ui.present import scene_dollars
from gpuplanner.ui.present.ask_scene import _counted_in
from gpuplanner.ui.present.board_scene import _written
from gpuplanner.ui.present.compare_scene import spend_planned, spend_today
from gpuplanner.ui.present.duration_scene import _bought, _others, _table_rows, rows_of
from gpuplanner.ui.present.hidden_names import HiddenNames
from gpuplanner.ui.present.large_type import SIZES
from gpuplanner.ui.present.pointer import PointerKind
from gpuplanner.ui.present.pool_columns import PoolColumns
from gpuplanner.ui.present.presenter import SCENES, Presenter
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from tests.some_of import one_in
from tests.ui.sample_world import evaluation_of, sample_project

PLAN = "Plan A \u00b7 Separate"
AUDIT, BOARD, DURATION, COMPARE, ASK = range(5)


def view_state_of(project: Project, scenario: str = PLAN, steps: int = 3) -> ViewState:
    return next_view_state(None, evaluation_of(project, scenario, steps))


@pytest.fixture(scope="module")
def shown() -> ViewState:
    return view_state_of(sample_project())


@pytest.fixture
def presenter(qtbot: QtBot, shown: ViewState) -> Presenter:
    made = Presenter(LIGHT)
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show_state(shown, shown.evaluation.project.window.end_s)
    made.show()
    return made


def move(widget: QWidget, place: QPoint) -> None:
    """The mouse is moved over a widget, whatever window of an earlier test lies there: the event is its own."""
    at = QPointF(place)
    none = Qt.MouseButton.NoButton
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        at,
        QPointF(widget.mapToGlobal(place)),
        none,
        none,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(widget, event)


def press(presenter: QWidget, key: Qt.Key, *, control: bool = False) -> None:
    QTest.keyClick(
        presenter, key, Qt.KeyboardModifier.ControlModifier if control else Qt.KeyboardModifier.NoModifier
    )


def said(presenter: Presenter) -> str:
    return f"{presenter.title.text()} {presenter.accessibleDescription()}"


def test_keys_go_through_the_scenes_and_stop_at_both_ends(presenter: Presenter) -> None:
    assert [str(scene.name) for scene in SCENES] == [
        "Audit",
        "Board",
        "Duration",
        "Compare",
        "Savings",
        "Ask",
    ]
    seen = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_PageDown, *[Qt.Key.Key_Right] * 3):
        press(presenter, key)
        seen.append(presenter.at)
    assert seen == [1, 2, 3, 4, 5, 5]
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_PageUp):
        press(presenter, key)
    assert presenter.at == 2
    press(presenter, Qt.Key.Key_End)
    assert presenter.at == 5 and presenter.number.text() == "Ask, 6 of 6"
    press(presenter, Qt.Key.Key_Home)
    press(presenter, Qt.Key.Key_Left)
    assert presenter.at == 0 and presenter.number.text() == "Audit, 1 of 6"


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_F11])
def test_both_keys_leave(presenter: Presenter, qtbot: QtBot, key: Qt.Key) -> None:
    with qtbot.waitSignal(presenter.left):
        press(presenter, key)
    assert not presenter.isVisible()


def test_scenes_say_the_figures_of_the_window(presenter: Presenter, shown: ViewState) -> None:
    assert shown.advice is not None
    totals, audit = shown.advice.totals, shown.evaluation.audit
    presenter.go_to(AUDIT)
    for usd in (
        audit.bridge.cost_per_month,
        audit.bridge.stranded_metered,
        audit.bridge.stranded_audit,
    ):
        assert scene_dollars.amount(usd) in said(presenter)
    presenter.go_to(COMPARE)
    for text in (
        scene_dollars.amount(totals.savings_vs_do_nothing),
        scene_dollars.amount(totals.savings),
        scene_dollars.amount(totals.plan),
        scene_dollars.amount(audit.spend),
        numbers.percent(totals.effective_utilization_plan),
        f"{numbers.one_decimal(totals.lock_in_months)} with the plan, months",
    ):
        assert text in said(presenter)


def test_names_and_reading_order_are_there_for_who_does_not_see_a_scene(presenter: Presenter) -> None:
    for at, scene in enumerate(SCENES):
        presenter.go_to(at)
        assert (
            presenter.accessibleName()
            == f"Scene {at + 1} of {len(SCENES)}, {scene.name}: {presenter.title.text()}"
        )
        assert len(presenter.accessibleDescription()) > 40
        assert not [
            child for child in presenter.findChildren(QWidget) if child.focusPolicy() and child.isVisible()
        ]


def test_type_is_the_presenters(presenter: Presenter) -> None:
    assert presenter.caption.font().pointSizeF() == SIZES["body"][0] == 16.5
    assert presenter.foot.font().pointSizeF() == 13.5
    presenter.resize(960, 540)  # a full-HD screen at 200%
    assert (
        presenter.foot.font().pointSizeF() == 0.75 * 13.5
        and presenter.title.font().pointSizeF() <= 0.75 * 40.5
    )
    presenter.resize(3000, 800)  # room for any title in any font
    assert presenter.title.font().pointSizeF() == 40.5


def test_what_is_paid_and_not_used_and_the_pools_make_the_spend(shown: ViewState) -> None:
    """Layers of 100 $ a month, a quarter of each new one unused, beside 30 $ of existing GPUs that stand idle."""
    assert shown.advice is not None
    row = shown.advice.pools[0]
    layer = next(layer for layer in row.layers if not layer.existing and layer.term_months)
    new = replace(layer, cost_per_month=100.0, utilization=0.75, unused_per_month=25.0)
    existing = replace(layer, existing=True, cost_per_month=100.0, utilization=0.5)  # what it serves, no more
    flex = replace(layer, term_months=0, cost_per_month=100.0, utilization=0.1)  # paid as it is used
    pools = tuple(
        replace(row, pool=pool, layers=layers, cost_per_month=100.0 * len(layers))
        for pool, layers in zip(POOLS, ((new, existing), (new, new, flex), (flex,)), strict=True)
    )
    totals = replace(shown.advice.totals, plan=630.0, unused_plan=75.0 + 30.0)
    spend = spend_planned(replace(shown.advice, pools=pools, totals=totals))
    assert list(spend.pools.values()) == [175.0, 250.0, 100.0]
    assert sum(usd or 0.0 for usd in spend.pools.values()) + (spend.unused or 0.0) == spend.total


def test_today_counts_each_workload_in_the_pool_where_the_plan_has_it(shown: ViewState) -> None:
    usd = {row.key: row.usd_per_month or 0.0 for row in shown.evaluation.audit.workloads}
    for pool, amount in spend_today(shown).pools.items():
        assert amount == pytest.approx(sum(usd[card.key] for card in shown.cards if card.pool is pool))


def test_the_total_of_the_duration_scene_is_the_sum_of_its_rows(shown: ViewState) -> None:
    assert shown.advice is not None
    for plan in rows_of(shown.advice):
        *_, total = _table_rows(plan, shown, LIGHT)
        layers = [layer for layer in plan.layers if layer.gpus > 0]
        gpus = sum(layer.mean_gpus for layer in layers)
        used = min(1.0, plan.mean_gpus / gpus)
        assert total.cells[1:3] == (numbers.gpus(gpus), numbers.percent(used))


def test_pools_without_new_gpus_are_not_among_those_elsewhere(shown: ViewState) -> None:
    assert shown.advice is not None
    plans = rows_of(shown.advice)
    for plan in plans:
        listed = [row.cells[1] for row in _others(plan, plans) if not row.is_heading]
        assert "0" not in listed and len(listed) == sum(
            bool(_bought(one)) for one in plans if one is not plan
        )


def test_bars_of_the_board_have_one_scale_and_its_columns_the_dollars_of_its_title(
    presenter: Presenter, shown: ViewState
) -> None:
    presenter.go_to(BOARD)
    columns = presenter.findChildren(PoolColumns)[-1]._columns
    usd = sorted((shown.usd.get(card.key) or 0.0 for card in shown.cards), reverse=True)
    shares = sorted((line.share for column in columns for line in column.lines), reverse=True)
    assert shares == pytest.approx([one / usd[0] for one in usd])
    assert shown.advice is not None
    amounts, idle = [200_400.0, 100_400.0, 22_400.0], 145_800.0  # 469,000
    totals = replace(shown.advice.totals, plan=sum(amounts) + idle)
    written = _written([round(one) for one in amounts], idle, replace(shown.advice, totals=totals))
    assert sum(int(text.strip("$k")) for text in written) == 469


def test_without_contracts_nothing_is_compared_with_today(presenter: Presenter) -> None:
    bare = view_state_of(replace(sample_project(), contracts=()))
    presenter.show_state(bare, bare.evaluation.project.window.end_s)
    presenter.go_to(COMPARE)
    assert "than all on demand" in presenter.title.text() and "All on demand, $" in said(presenter)
    assert not re.search(r"\b(today|now)\b", said(presenter).lower())


def test_what_ask_counts_beside_one_pool_is_said(shown: ViewState) -> None:
    assert shown.advice is not None
    now = next(order for order in shown.advice.orders if order.reason == "now")
    later = replace(now, reason="contract_end", gpus=10.0, offer_gpus=None, month=3)
    assert _counted_in([now]) == ""
    assert f"{numbers.gpus(now.bought_gpus)} GPUs to begin with, 10 that start later" in _counted_in(
        [now, later]
    )


def test_tab_goes_round_the_pools_of_the_duration_scene(presenter: Presenter, shown: ViewState) -> None:
    assert shown.advice is not None
    presenter.go_to(DURATION)
    titles = []
    for _ in rows_of(shown.advice):
        titles.append(presenter.title.text())
        press(presenter, Qt.Key.Key_Tab)
    assert len(set(titles)) == len(titles) and presenter.title.text() == titles[0]
    press(presenter, Qt.Key.Key_Backtab)
    assert presenter.title.text() == titles[-1]


def test_hidden_names_are_nowhere_and_stay_the_same(presenter: Presenter, shown: ViewState) -> None:
    project = shown.evaluation.project
    names = {workload.name for workload in project.workloads} | {row.contract_id for row in project.contracts}
    told: dict[int, str] = {}
    presenter.go_to(BOARD)
    assert any(name in said(presenter) for name in names)
    press(presenter, Qt.Key.Key_H)
    for at in range(5):
        presenter.go_to(at)
        told[at] = said(presenter)
        assert not [name for name in names if name in told[at]]
        labels = [label.text() for label in presenter.findChildren(QLabel) if label.isVisible()]
        assert not [name for name in names for text in labels if name in text]
    press(presenter, Qt.Key.Key_H)
    press(presenter, Qt.Key.Key_H)
    for at in reversed(range(5)):
        presenter.go_to(at)
        assert said(presenter) == told[at]
    assert "Workload 1 " in told[BOARD] and "Contract 1" in told[AUDIT]


def test_names_in_sentences_are_whole_words() -> None:
    names, project = HiddenNames(), sample_project()
    sentence = "Let borealis end; vllm-chat-prod and vllm-chat-prod-2 and atlas-like stay."
    assert names.in_text(sentence, project) == sentence
    names.is_hiding = True
    assert names.in_text(sentence, project) == (
        "Let Contract 1 end; Workload 1 and vllm-chat-prod-2 and atlas-like stay."
    )
    assert names.contract("borealis") == "Contract 1" and names.cluster("borealis") == "Cluster 1"
    assert names.user("ml") == "User 1" and names.user("") == ""


def test_the_pointer_follows_the_mouse_and_goes_round(presenter: Presenter) -> None:
    kinds = []
    for _ in range(3):
        press(presenter, Qt.Key.Key_L)
        kinds.append((presenter.pointer.kind, presenter.pointer.isVisible()))
    assert kinds == [(PointerKind.DOT, True), (PointerKind.SPOTLIGHT, True), (PointerKind.NONE, False)]
    press(presenter, Qt.Key.Key_L)
    assert presenter.pointer.size() == presenter.size()
    move(presenter.pointer, QPoint(300, 200))
    assert presenter.pointer.place == QPoint(300, 200)
    red = presenter.grab().toImage().pixelColor(300, 200)
    assert red == LIGHT.colour("red")


def test_a_spotlight_darkens_all_but_a_circle(presenter: Presenter) -> None:
    before = presenter.grab().toImage()
    presenter.pointer.choose(PointerKind.SPOTLIGHT)
    move(presenter.pointer, QPoint(640, 60))
    assert presenter.pointer.place == QPoint(640, 60)
    after = presenter.grab().toImage()
    assert after.pixelColor(640, 60) == before.pixelColor(640, 60)
    assert after.pixelColor(20, 780).lightness() < before.pixelColor(20, 780).lightness() / 2


@pytest.mark.parametrize(
    ("change", "at", "words"),
    [
        ({"contracts": ()}, AUDIT, "No contracts yet. Import contracts"),
        ({"offers": ()}, DURATION, "Without prices there are no layers"),
    ],
)
def test_a_scene_says_what_is_missing(
    presenter: Presenter, change: dict[str, object], at: int, words: str
) -> None:
    presenter.show_state(view_state_of(replace(sample_project(), **change)), 0)  # type: ignore[arg-type]
    presenter.go_to(at)
    assert words in said(presenter)


@pytest.mark.parametrize("at", one_in(2, [DURATION, COMPARE, ASK]))
def test_today_has_no_plan_to_show(presenter: Presenter, at: int) -> None:
    presenter.show_state(view_state_of(sample_project(), TODAY), 0)
    presenter.go_to(at)
    assert "Show a plan (Ctrl+2)" in said(presenter)


@pytest.mark.parametrize("at", one_in(2, [DURATION, COMPARE, ASK]))
def test_advice_that_settles_appears_by_itself(presenter: Presenter, shown: ViewState, at: int) -> None:
    presenter.show_state(view_state_of(sample_project(), PLAN, 1), 0)
    presenter.go_to(at)
    assert "being worked out" in said(presenter)
    presenter.show_state(shown, shown.evaluation.project.window.end_s)
    assert "being worked out" not in said(presenter) and presenter.at == at


def test_thousands_add_up_as_they_are_said() -> None:
    parts = [100_400.0, 100_400.0, 100_400.0]
    written = scene_dollars.parts(parts, sum(parts))
    assert written == ["$101k", "$100k", "$100k"] and scene_dollars.amount(sum(parts)) == "$301k"
    assert scene_dollars.parts([1_200.0, None], 5_000.0) == ["$1,200", numbers.UNKNOWN]
    steps = [("start", 300_400.0), ("step", -100_400.0), ("step", -99_700.0), ("result", 100_300.0)]
    assert scene_dollars.chained(steps) == ["$300k", "\u2212$100k", "\u2212$100k", "$100k"]
    assert scene_dollars.amount(999_700.0) == "$1.0M" and scene_dollars.amount(None) == numbers.UNKNOWN


def test_f11_presents_what_the_window_shows_and_follows_it(window: MainWindow, qtbot: QtBot) -> None:
    flow = PresentFlow(window.session, window.ways)
    window.actions_by_id["present"].trigger()
    presenter = flow.presenter
    assert presenter is not None and presenter.isFullScreen() and presenter.screen() is window.screen()
    window.choose_palette(DARK.name)
    presenter.go_to(COMPARE)
    press(presenter, Qt.Key.Key_1, control=True)
    assert window.session.scenario == TODAY and "Show a plan" in said(presenter) and presenter.at == COMPARE
    press(presenter, Qt.Key.Key_2, control=True)
    assert window.session.scenario == PLAN and "less per month" in presenter.title.text()
    window.actions_by_id["present"].trigger()
    assert flow.presenter is presenter  # there is one at a time
    press(presenter, Qt.Key.Key_Escape)
    assert flow.presenter is None
    window.show_welcome()
    assert not window.actions_by_id["present"].isEnabled()
    flow.open()
    assert flow.presenter is None  # nothing is shown


@pytest.mark.parametrize("size", one_in(4, [((960, 540),), ((1280, 720),), ((1280, 800),), ((1920, 1080),)]))
@pytest.mark.parametrize("at", one_in(4, range(5)))
def test_no_scene_asks_for_more_than_the_screen(presenter: Presenter, at: int, size: tuple[int, int]) -> None:
    """A screen of 1920 x 1080 at 200% has 960 x 540 of these pixels."""
    presenter.resize(*size)
    presenter.go_to(at)
    presenter.title.setText("The same work for $203k less per month than today")  # the longest of the demo
    presenter._fit_title()
    QApplication.processEvents()
    layout = presenter.layout()
    least = layout.totalMinimumHeightForWidth(size[0])
    assert least <= size[1] and layout.totalMinimumSize().width() <= size[0]
    assert (presenter.width(), presenter.height()) == size
    assert presenter.number.geometry().bottom() <= size[1] and presenter.foot.geometry().bottom() <= size[1]
    title = presenter.title
    assert QFontMetrics(title.font()).horizontalAdvance(title.text()) <= title.width()
