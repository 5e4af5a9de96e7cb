"""From today to the plan: the steps add up to the plan, and the months are those of the comparison."""

from dataclasses import replace

import pytest

from gpuplanner.ui.kit.palettes import DARK, LIGHT
from gpuplanner.ui.state.plan_money import plan_amounts
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.state.waterfall_steps import steps_of
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.fake_app import recoloured
from tests.ui.priced_world import plan


@pytest.fixture(scope="module")
def shown() -> ViewState:
    return plan()


def test_today_and_the_steps_are_the_plan(shown: ViewState) -> None:
    today, *steps, plan = (amount.usd for amount in plan_amounts(shown))
    assert sum(step for step in (today, *steps) if step is not None) == pytest.approx(plan)


def test_the_dollars_that_are_written_add_up_too(shown: ViewState) -> None:
    written = [int(step.label.replace(",", "").replace("\u2212", "-").replace("\u00b1", "")) for step in
               steps_of(plan_amounts(shown))]  # fmt: skip
    assert sum(written[:-1]) == written[-1]


@pytest.mark.long
def test_colours_may_change_twice_while_it_is_hidden(window: MainWindow) -> None:
    panel = window.docks.today_to_plan
    window.docks.raise_panel("today_to_plan")
    window.docks.raise_panel("prices")
    for palette in (DARK, LIGHT, DARK):
        recoloured(panel, palette)


def test_an_unknown_rate_is_no_step(shown: ViewState) -> None:
    assert shown.advice is not None
    first, *rest = shown.advice.pools
    layers = tuple(replace(layer, cost_per_month=None) for layer in first.layers)
    advice = replace(shown.advice, pools=(replace(first, layers=layers), *rest))
    amounts = plan_amounts(replace(shown, advice=advice))
    assert None in [amount.usd for amount in amounts]
