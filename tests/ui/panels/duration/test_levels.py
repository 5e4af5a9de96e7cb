"""Words over the load duration chart: their figures are those of the level that is tried, and of the log's length."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpuplanner.domain.commitment.outlook_result import CostOfLevels, LevelCost, LevelValues
from gpuplanner.domain.commitment.plan.row_notes import level_beyond_words
from gpuplanner.domain.commitment.recursion.rates import falling
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.ui.kit.palettes import DARK, LIGHT
from gpuplanner.ui.kit.type_scale import font, text_width
from gpuplanner.ui.panels.duration.layers_table import LayersTable
from gpuplanner.ui.panels.duration.level_words import (
    against_words,
    idle_words,
    levels_words,
    limit_words,
    live_words,
)
from gpuplanner.ui.panels.duration.levels import Levels, LevelTrial
from gpuplanner.ui.state.term_rows import TermRow, term_rows
from gpuplanner.ui.tables.cell_painting import NOTE_PX
from tests.domain.commitment.conftest import offer
from tests.domain.commitment.uncertainty.small_rows import row_of
from tests.ui.visible_texts import appear_in_order


@pytest.mark.parametrize(
    ("trial", "said"),
    [
        (
            LevelTrial(change_usd=-1203.4, used=0.987, regret_usd=310.2),
            "−$1,203 per month, 98.7% used, cost of being wrong $310",
        ),
        (LevelTrial(change_usd=1203.4, used=0.5, regret_usd=None), "+$1,203 per month, 50.0% used"),
        (LevelTrial(change_usd=0.2, used=0.987, regret_usd=0.0), "98.7% used, cost of being wrong $0"),
        (LevelTrial(change_usd=None, used=None, regret_usd=None), "no GPUs"),
        (
            LevelTrial(
                change_usd=-1203.4, used=0.987, regret_usd=310.2, horizon_usd=31_400.2, horizon_months=60
            ),
            "−$1,203 per month, +$31,400 in 60 months, 98.7% used, cost of being wrong $310",
        ),
    ],
)
def test_a_level_under_the_hand(trial: LevelTrial, said: str) -> None:
    assert live_words(trial) == said


def test_where_it_is_narrow_the_horizon_comes_before_the_cost_of_being_wrong() -> None:
    trial = LevelTrial(
        change_usd=-1203.4, used=0.987, regret_usd=310.2, horizon_usd=31_400.2, horizon_months=60
    )
    said = live_words(trial, is_wide=False)
    assert appear_in_order(said, "−$1,203", "+$31,400", "60 months")
    assert "$310" not in said and "98.7%" not in said
    assert appear_in_order(live_words(trial), "−$1,203", "+$31,400", "98.7%", "$310")


def test_levels_set_by_hand_say_month_0_the_horizon_and_why() -> None:
    zeros = np.zeros(1)
    values = LevelValues(
        pool=Pool.BURST,
        gpu_model="H100",
        slicing=1,
        horizon_months=60,
        churn=0.01,
        use_prices=falling(0.02, 60),
        paid_months={36: 30.0},
        extra_usd={36: zeros},
        after_usd={36: zeros},
        by_use_usd=zeros,
        wait_usd=zeros,
        advised_usd=zeros,
        advised_month_usd=zeros,
    )
    cost = CostOfLevels(60, -500.0, 31_400.0, (LevelCost(36, 4.0, -500.0, 31_400.0),))
    narrow = against_words(cost, is_wide=False)
    assert appear_in_order(narrow, "−$500", "first month", "+$31,400", "60 months")
    assert against_words(cost) == f"Against advice: {narrow}"
    said = levels_words(cost, values).replace("\n", " ")
    total, level = said.split("4 GPUs for 36 months")
    assert appear_in_order(total, "$500 less", "first month", "$31,400 more", "60 months")
    assert appear_in_order(level, "$31,400 more", "60 months", "$500 less", "first month")
    assert appear_in_order(level, "prices", "52% lower", "demand", "30%")


def test_idle_gpus_are_called_as_they_look() -> None:
    assert (idle_words(LIGHT), idle_words(DARK)) == ("Pale: paid, idle", "Dark: paid, idle")


def test_a_short_log_says_what_the_layers_lack() -> None:
    assert limit_words(2160) == ""
    said = limit_words(168)
    assert appear_in_order(said, "P10–P90", "two whole weeks", "7 days", "growth", "30 days", "7 days")


def test_where_a_quote_is_needed_the_name_of_the_term_keeps_its_room(qapp: QApplication) -> None:
    row = TermRow(
        name="On demand",
        term_months=0,
        gpus=7.7,
        is_set=False,
        used=None,
        break_even=None,
        rate=None,
        usd=None,
        category=PricingCategory.STANDARD,
    )
    table = LayersTable()
    table.resize(370, 120)
    for is_wide, words in ((False, "quote"), (True, "quote needed")):
        table.show_layers((row,), replace(row, name="All"), {}, 1, (), is_quiet=False, is_wide=is_wide)
        cell = table.row_at(0).cells[4]
        assert (cell.text, "Quote needed" in cell.tip) == (words, True)
    table.show_layers((row,), replace(row, name="All"), {}, 1, (), is_quiet=False, is_wide=False)
    name = text_width("On demand", font("body")) + 20  # and its swatch
    assert table.columnWidth(0) >= name


def test_a_term_that_is_ordered_later_says_so_below_its_level_of_0(qapp: QApplication) -> None:
    later = "37 GPUs from 14 Jan 2027"
    row = TermRow(
        name="36 months",
        term_months=36,
        gpus=0.0,
        is_set=True,
        used=None,
        break_even=0.4,
        rate=2.25,
        usd=0.0,
        category=PricingCategory.COMMITTED,
        note=later,
    )
    table, heights = LayersTable(), []
    for shown, note in ((row, later), (replace(row, note=""), ""), (row, later)):
        table.show_layers((shown,), replace(row, note=""), {}, 1, (), is_quiet=False, is_wide=True)
        first = table.row_at(0)
        assert (first.cells[0].text, first.cells[0].tip, first.note) == ("36 months", note, note)
        assert table.spins[36].value() == 0
        heights.append((table.rowHeight(0), table.height()))
    (high, all_high), (low, all_low), again = heights
    assert high - low == all_high - all_low == NOTE_PX and again == (high, all_high)


def test_a_level_above_what_its_offer_has_says_what_it_has_and_keeps_the_typed_number(
    qapp: QApplication,
) -> None:
    """Below it the next term: its box stays on its own row."""
    row = TermRow(
        name="36 months",
        term_months=36,
        gpus=24.0,
        is_set=True,
        used=None,
        break_even=0.4,
        rate=2.25,
        usd=39420.0,
        category=PricingCategory.COMMITTED,
        set_gpus=40,
        note="has 24",
    )
    below = replace(row, name="12 months", term_months=12, gpus=3.0, set_gpus=3, note="")
    table = LayersTable()
    for is_wide in (True, False):
        table.show_layers(
            (row, below), replace(row, name="All", note=""), {}, 1, (), is_quiet=False, is_wide=is_wide
        )
        said = [(table.row_at(at).cells[0].text, table.row_at(at).note) for at in range(3)]
        assert said == [("36 months", "has 24"), ("12 months", ""), ("All", "")]
        assert (table.spins[36].value(), table.spins[12].value()) == (40, 3)
        for at, term in ((0, 36), (1, 12)):
            holder = table.indexWidget(table.model().index(at, 1))
            assert holder is not None and holder.isAncestorOf(table.spins[term])


@pytest.mark.parametrize("is_rest_advised", [False, True])
def test_a_typed_level_stays_typed_where_its_offer_has_less(is_rest_advised: bool) -> None:
    """40 for a year, of which the offer has 3; another term is set beside it."""
    key = (Pool.INFERENCE, "H100")
    hand = (HandLayer(12, 40),)
    plan = row_of(hand, offers=[offer("od", 0, 6.0), offer("y1", 12, 2.0, max_gpus=3), offer("m6", 6, 3.0)])
    around = frozenset({key}) if is_rest_advised else frozenset()
    plan = replace(plan, by_hand=replace(plan.by_hand, held_terms=(12,) if is_rest_advised else ()))
    scenario = Scenario(name="A", hand_layers={key: hand}, advised_around=around)
    shown: Any = SimpleNamespace(
        is_today=False,
        advice=None,
        evaluation=SimpleNamespace(scenario="A", project=SimpleNamespace(scenario=lambda name: scenario)),
    )
    levels = Levels()
    levels.look_at(plan, shown)
    assert levels.as_set is plan and levels.sizes[12] == 40
    assert levels.with_level(6, 2)[0] == (HandLayer(12, 40), HandLayer(6, 2))
    (row,) = [row for row in term_rows(plan, ()) if row.term_months == 12]
    assert (row.gpus, row.set_gpus, row.note) == (3.0, 40, str(level_beyond_words(plan.by_hand.beyond[0])))
    tried = levels.try_out(12, 2)
    assert not tried.by_hand.beyond and levels.try_out(12, 4).by_hand.beyond[0].gpus == 4


def test_the_keyboard_stays_at_a_level_where_a_row_beside_it_goes(qtbot: QtBot) -> None:
    level = TermRow(
        name="36 months",
        term_months=36,
        gpus=8.0,
        is_set=True,
        used=None,
        break_even=0.4,
        rate=2.25,
        usd=0.0,
        category=PricingCategory.COMMITTED,
    )
    demand = replace(level, name="On demand", term_months=0, is_set=False)
    table = LayersTable()
    qtbot.addWidget(table)
    with qtbot.waitActive(table):
        table.show()
    for rows in ((demand, level), (level,)):
        table.show_layers(rows, replace(level, name="All"), {}, 1, (), is_quiet=False, is_wide=True)
        if len(rows) > 1:
            table.spins[36].setFocus()
        assert table.spins[36].hasFocus()
