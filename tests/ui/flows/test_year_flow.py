"""The slider over the year: all of the window follows it, what is known of the first month stays where it was."""

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gpuplanner.charts.kit.translation import spoken
from gpuplanner.domain.commitment.plan.happenings import Happening
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.ui.flows.year_flow import YearBar, happens_words
from gpuplanner.ui.state.headline_figures import figures_of
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from tests.ui.plans_world import KEYS, opened_again, plans_project, settle, wait_until

PROJECT = plans_project()


@pytest.fixture
def planner(shared: MainWindow) -> MainWindow:
    """The window as it was when it was opened: what is loaded again is not evaluated again, so the slider goes back."""
    opened_again(shared, PROJECT)
    at_month(shared, 0)
    return shared


def at_month(planner: MainWindow, month: int) -> None:
    """Move the slider, and wait until the window has followed it."""
    planner.year_bar.slider.setValue(month)
    followed(planner, month)


def followed(planner: MainWindow, month: int) -> None:
    wait_until(lambda: planner.session.view_state is not None and planner.session.view_state.month == month)
    planner.docks.show_waiting()


@pytest.mark.long
@pytest.mark.parametrize("month", [1, 7, 11])
def test_headline_board_and_layers_are_of_the_month(planner: MainWindow, month: int) -> None:
    compared = planner.session.evaluation.advice.comparison[month]
    at_month(planner, month)
    shown = planner.session.view_state
    spend, savings, *_ = (button.figure for button in planner.headline.buttons)
    assert spend.plan == numbers.dollars(compared.plan_usd)
    assert spend.unit == savings.unit == f"$ in month {month + 1}"
    assert spoken(spend.second[0]) == f"Do nothing: {numbers.dollars(compared.do_nothing_usd)}"
    of_cards = known_sum(shown.usd[card.key] for card in shown.cards)
    idle = known_sum(row.cost_per_month for row in shown.advice.idle_existing)
    assert of_cards + idle == pytest.approx(compared.plan_usd, abs=0.01)
    assert planner.docks.duration.shown is shown and planner.docks.contracts.shown is shown
    assert not any(button.isChecked() for button in planner.headline.horizon.buttons.values())
    assert planner.year_bar.month.text().startswith(f"Month {month + 1}: ")


def test_what_is_of_the_plan_stays_at_its_first_month(planner: MainWindow) -> None:
    first, evaluation = planner.session.view_state, planner.session.evaluator.evaluation
    at_month(planner, 6)
    assert planner.session.view_state is not first
    assert planner.session.evaluation is first.evaluation
    assert planner.session.evaluator.evaluation is evaluation
    assert planner.page.shown is first
    assert not any(spin.isEnabled() for spin in planner.docks.duration.table.spins.values())
    at_month(planner, 0)
    assert planner.session.view_state is first


def test_keys_and_the_mouse_move_it(planner: MainWindow) -> None:
    slider = planner.year_bar.slider
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    QTest.keyClick(slider, Qt.Key.Key_Right)
    followed(planner, 2)
    QTest.keyClick(slider, Qt.Key.Key_End)
    followed(planner, 11)
    QTest.keyClick(slider, Qt.Key.Key_Home)
    followed(planner, 0)
    grip = QPoint(7, slider.height() // 2)
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=grip)
    for x in range(20, slider.width() // 2, 12):
        QTest.mouseMove(slider, QPoint(x, grip.y()))
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() // 2, grip.y()))
    assert 3 <= slider.value() <= 7
    followed(planner, slider.value())


@pytest.mark.long
def test_a_change_of_the_plan_leads_back_to_the_first_month(planner: MainWindow) -> None:
    at_month(planner, 5)
    planner.session.gestures.move((KEYS[0],), Pool.TRAINING)
    settle(planner)
    assert planner.year_bar.slider.value() == 0 and planner.session.view_state.month == 0
    at_month(planner, 5)
    planner.choose_scenario("Plan B")
    settle(planner)
    assert planner.year_bar.slider.value() == 0 and planner.session.view_state.month == 0
    planner.choose_scenario(TODAY)
    settle(planner)
    assert planner.year_bar.isHidden() or not planner.year_bar.isVisible()


def test_an_answer_that_comes_later_leaves_the_month_where_it_is(planner: MainWindow) -> None:
    at_month(planner, 4)
    planner.show_evaluation(planner.session.evaluator.evaluation)  # as when the outlook comes
    assert planner.session.view_state.month == 4
    planner.headline.horizon.buttons[planner.session.horizon].click()
    assert planner.session.view_state.month == 0


def test_no_range_is_drawn_of_a_later_month(planner: MainWindow) -> None:
    at_month(planner, 3)
    shown = planner.session.view_state
    said = " ".join(spoken(line) for one in figures_of(shown) for line in one.second)
    assert "P10" not in said


def test_what_happens_in_a_month_is_told_to_who_asks(planner: MainWindow) -> None:
    months, said = planner.session.evaluation.advice.comparison, []
    for month in range(12):
        planner.year_bar.slider.setValue(month)
        said.append(planner.year_bar.slider.accessibleDescription().partition(". ")[2])
    (contract,) = PROJECT.contracts
    ending = next(
        at for at, one in enumerate(months) if one.start_s <= contract.end_s < one.start_s + MONTH_S
    )
    assert said[ending].startswith("Ends: k")
    assert (
        said[ending - 1]
        == happens_words(Happening(starting=(), ending=(), to_sign=(), contracts_ending=()))
        != said[ending]
    )
    order = Order(
        pool=Pool.TRAINING,
        gpu_model="H100",
        offer_id="y1",
        term_months=12,
        gpus=8.0,
        start_s=0,
        end_s=10,
        order_by_s=0,
        reason="now",
    )
    words = happens_words(
        Happening(
            starting=(order,),
            ending=(replace(order, gpus=4.0),),
            to_sign=(order,),
            contracts_ending=(contract,),
        )
    )
    assert words.split(" \u00b7 ") == ["Starts: 8 GPUs", "Ends: k, 4 GPUs", "To order: 8 GPUs"]
    words = happens_words(
        Happening(
            starting=(),
            ending=(),
            to_sign=(),
            contracts_ending=(),
            notices=(replace(contract, start_s=0, end_s=100 * DAY_S, notice_days=30),),
        )
    )
    assert "11 Mar 1970" in words and words.endswith(": k"), "the day before its last 30"
    again = replace(order, start_s=order.end_s, end_s=2 * order.end_s + 10, gpus=3.0, row=1)
    words = happens_words(
        Happening(starting=(order,), ending=(), to_sign=(order, again), contracts_ending=())
    )
    starts, to_sign = words.split(" \u00b7 ")
    assert starts == "Starts: 8 GPUs" and re.findall(r"\d+", to_sign) == ["11", "8"]
    followed(planner, 11)


def test_the_bar_fits_a_screen_in_large_text(qtbot: QtBot) -> None:
    """So that the bar, and the window with it, is not wider than a screen of 1280 at twice the size."""
    bar = YearBar()
    qtbot.addWidget(bar)
    happens = "Notice by 28 Jan 2027: atlas-h200 " * 9
    bar.show_month(0, 0, happens)
    assert 2 * bar.minimumSizeHint().width() <= 1280
    assert happens in bar.slider.accessibleDescription()
